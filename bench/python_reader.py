#!/usr/bin/env python3
"""Measure a reader that is a Python package. It executes the commands that reader_main.c lists, and one more:

    files FOLDER    open every file of the folder    total nanoseconds, files

As a program, --files FOLDER... does that and exits.

To parse means safe_open() and its end: the package opens and maps the file itself. NumPy is installed, as the package
requires. The other packages can only parse, by the function that they document for a header of a path.
"""
import importlib
import os
import random
import sys
import time

try:
    from safetensors import safe_open
except ImportError:  # in the environment of the other packages
    safe_open = None

now = time.perf_counter_ns


def status_of(field):
    with open("/proc/self/status", encoding="ascii") as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith(field))


class Reader:
    def __init__(self):
        self.paths, self.names = [], []

    def load(self, *paths):
        self.paths = list(paths)
        with open(paths[0], "rb") as f:
            return os.path.getsize(paths[0]), int.from_bytes(f.read(8), "little")

    def parse(self, rounds):
        tensors = 0
        for path in self.paths:
            with safe_open(path, "numpy") as f:
                tensors += len(f.keys())
        start = now()
        for _ in range(int(rounds)):
            for path in self.paths:
                with safe_open(path, "numpy"):
                    pass
        return now() - start, tensors

    def walk(self, rounds):
        with safe_open(self.paths[0], "numpy") as f:
            start = now()
            for _ in range(int(rounds)):
                total = 0
                for name in f.keys():
                    total += sum(name.encode()) + sum(f.get_slice(name).get_shape())
            return now() - start, total

    def find(self, times):
        with safe_open(self.paths[0], "numpy") as f:
            if not self.names:
                self.names = list(f.keys())
                random.Random(1).shuffle(self.names)
            names = [self.names[i % len(self.names)] for i in range(int(times))]
            start = now()
            for name in names:
                f.get_slice(name)
            return now() - start, len(names)

    def first(self, rounds):
        """Read up to the shape of one tensor: NumPy can't read every dtype."""
        with safe_open(self.paths[0], "numpy") as f:
            name = f.offset_keys()[0]
        start = now()
        for _ in range(int(rounds)):
            with safe_open(self.paths[0], "numpy") as f:
                f.get_slice(name).get_shape()
        return now() - start, 1

    def memory(self):
        before = status_of("VmRSS")
        with open("/proc/self/clear_refs", "w", encoding="ascii") as f:
            f.write("5")
        with safe_open(self.paths[0], "numpy") as f:
            peak = status_of("VmHWM")
            return peak - before, len(f.keys())

    @staticmethod
    def files(folder):
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder))
        start = now()
        for path in paths:
            with safe_open(path, "numpy"):
                pass
        return now() - start, len(paths)


class Other(Reader):
    """A package that reads headers: a function of a path that returns an object with tensors."""
    def __init__(self, package, function):
        super().__init__()
        self.read = function(importlib.import_module(package))

    def parse(self, rounds):
        tensors = sum(len(self.read(path).tensors) for path in self.paths)
        start = now()
        for _ in range(int(rounds)):
            for path in self.paths:
                self.read(path)
        return now() - start, tensors


OTHERS = {
    "huggingface_hub": ("huggingface_hub", lambda package: package.parse_local_safetensors_file_metadata),
    "gguf": ("gguf.utility", lambda package: package.SafetensorsLocal),
}


def main():
    name = sys.argv[1]
    if sys.argv[2:] == ["--version"]:
        from importlib.metadata import version  # here, because it is slow to load
        print(version("safetensors" if name == "python" else name))
        return
    if sys.argv[2:3] == ["--files"]:
        for folder in sys.argv[3:]:
            Reader.files(folder)
        return
    reader = Other(*OTHERS[name]) if name in OTHERS else Reader()
    for line in sys.stdin:
        command, *words = line.split()
        if name in OTHERS and command not in ("load", "parse"):
            print("no only parses", flush=True)
        else:
            print("ok %d %d" % getattr(reader, command)(*words), flush=True)


main()
