"""Run a reader as a separate process and send it commands (reader_main.c lists them)."""
import os
import subprocess


class Refused(Exception):
    """The reader can't do this; the text is its reason."""


class Reader:
    """A reader process."""
    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line.startswith("ok "):
            raise Refused(line.strip()[len("no "):] or "has died")
        return tuple(map(int, line.split()[1:]))

    def stay(self):
        """Stay on one processor, the same for all readers: two of them may differ in speed, above all in a guest."""
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self.process.pid, {max(os.sched_getaffinity(0))})

    def close(self):
        self.process.stdin.close()
        self.process.wait()
