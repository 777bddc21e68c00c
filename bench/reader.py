"""A reader as a process of its own, which obeys lines: main.c says which."""
import subprocess


class Refused(Exception):
    """The reader can't do this; its words."""


class Reader:
    """A process that obeys lines."""
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
