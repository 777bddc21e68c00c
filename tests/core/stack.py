#!/usr/bin/env python3
"""Compute the worst-case stack of every public function, from gcc's report of frames and calls.

gcc -fcallgraph-info=su writes the frame of each function and the functions that it calls. The worst case is the
heaviest path, which exists because the core has no recursion and no function pointers. The return address of a
call is a part of the callee's frame in this report. The check fails above LIMIT (MORE, for a function that calls the
parser), on a frame of unbounded size, on
a cycle, and on a call to an unknown function.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 1024
MORE = {"assay_head_make": 1280}  # it calls assay_parse
UNITS = ["src/core/assay.c", "src/core_text/assay_text.c", "src/core_write/assay_write.c"]
COMPILERS_OWN = {"memcpy", "memset", "memcmp", "memmove"}


def graph(flags):
    out = os.path.join(ROOT, "build", "stack")
    os.makedirs(out, exist_ok=True)
    text = ""
    for unit in UNITS:
        name = os.path.join(out, os.path.basename(unit)[:-2])
        subprocess.run(["gcc", "-std=c11", "-ffreestanding", "-Iinclude", "-Isrc/core", "-Ispec", "-fstack-usage",
                        "-fcallgraph-info=su", "-c", "-o", name + ".o"] + flags + [unit], cwd=ROOT, check=True)
        with open(name + ".ci", encoding="utf-8") as f:
            text += f.read()
    frames, calls = {}, {}
    for name, label in re.findall(r'node: \{ title: "([^"]+)" label: "([^"]*)"', text):
        size = re.search(r"(\d+) bytes \(([\w,]+)\)", label)
        if size:
            if size.group(2) not in ("static", "dynamic,bounded"):  # pushed arguments: the size is an upper bound
                sys.exit("%s: its frame is %s" % (name, size.group(2)))
            frames[name] = int(size.group(1))
        calls.setdefault(name, set())
    for source, target in re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', text):
        calls.setdefault(source, set()).add(target)
    return frames, calls


def worst(name, frames, calls, above, known):
    """Return (bytes, path) of the heaviest path that begins in name."""
    if name in above:
        sys.exit("recursion: " + " -> ".join(above + [name]))
    if name not in frames:
        if name.split(":")[-1] not in COMPILERS_OWN:
            sys.exit("%s calls %s, of which nothing is known" % (above[-1], name))
        return 0, [name]
    if name not in known:
        below = [worst(c, frames, calls, above + [name], known) for c in calls[name]] or [(0, [])]
        size, path = max(below)
        known[name] = frames[name] + size, [name] + path
    return known[name]


def main():
    failed = passed = 0
    for flags in (["-O2", "-m64"], ["-Os", "-m64"], ["-O2", "-m32"]):
        frames, calls = graph(flags)
        known = {}
        each = {name: worst(name, frames, calls, [], known) for name in frames}
        found = [(max(each[name] for name in each if name not in MORE), LIMIT)]
        found += [(each[name], MORE[name]) for name in MORE]
        for (size, path), limit in found:
            holds = size < limit and len(frames) > 3
            print("%-12s %5d bytes of %d%s: %s" % (" ".join(flags), size, limit, "" if holds else " TOO MUCH",
                                                   " > ".join(path)))
            passed, failed = passed + holds, failed + (not holds)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
