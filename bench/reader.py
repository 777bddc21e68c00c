"""Run a reader as a separate process and send it commands (reader_main.c lists them)."""
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

    def close(self):
        self.process.stdin.close()
        self.process.wait()
