#!/usr/bin/env python3
"""Check that the harness fuzz/harness_differential.c agrees with the model and the reader of the reference, on the
corpus and on generated files: who accepts, and which row of spec/decisions.md explains it.

    assurance/reference/differential.py [COUNT [SEED]]

Exit status 77 if the reference is not available.
"""
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = 1 << 40  # as in fuzz/differential/reference.h
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/model", "assurance/reference")]
import generate_cases  # noqa: E402
import readers  # noqa: E402
from readers import manifest, model  # noqa: E402


def cases(count, seed):
    """Return [(data, file_size, the model's result)]; the harness gets no files with an incomplete header."""
    rows = manifest.read_table("corpus/manifest.tsv")
    files = [(data, len(data)) for data in (manifest.read_file(row["file"]) for row in rows)]
    files += generate_cases.files(seed, count)
    judged = [(data, size, model.judge(data, size)) for data, size in files]
    return [case for case in judged if case[2].verdict != "not judged"]


def expected(data, size, result, line):
    """Return what the harness should print for a file with this line of the reference's reader."""
    kind, trouble = readers.explain(data, result, line)
    if size > LARGEST:
        return "skip"
    return "%s %s" % (result.verdict, trouble or (kind if kind in readers.decisions() else ""))


def note_newer():
    """Report a release of the reference that is newer than fuzz/differential/Cargo.toml; this fails nothing."""
    done = subprocess.run(["cargo", "info", "--color=never", "safetensors"], cwd="/", stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True, check=False)
    newest = re.search(r"^version: (\S+)(?: \(latest (\S+)\))?", done.stdout, re.M)
    if newest is None:
        return "the reference's newest release: not known here"
    version = newest.group(2) or newest.group(1)
    with open(os.path.join(ROOT, "fuzz", "differential", "Cargo.toml"), encoding="utf-8") as f:
        known = re.search(r'safetensors".*"=%s"|^safetensors = "=%s"' % ((re.escape(version),) * 2), f.read(), re.M)
    return "the reference's newest release: %s, %s" % (version, "in here" if known else "not in here yet")


def main(args):
    count, seed = int(args[0]) if args else 20_000, int(args[1]) if args[1:] else 3
    built = subprocess.run([os.path.join(ROOT, "fuzz", "differential", "build.sh")], check=False).returncode
    if built:
        return built
    judged = cases(count, seed)
    files = [case[:2] for case in judged]
    lines = readers.ask([os.path.join(ROOT, "build", "differential", "rows")], files)
    wrong, seen = 0, collections.Counter()
    for (data, size, result), line, theirs in zip(judged, lines, readers.ask(readers.crate(), files)):
        want = expected(data, size, result, theirs)
        seen[line.strip()] += 1
        if line != want:
            wrong += 1
            if wrong <= 3:
                print("%s file_size=%d: the harness reports '%s', expected '%s'" % (data.hex(), size, line, want))
    print(", ".join("%s: %d" % item for item in sorted(seen.items())))
    print(note_newer())
    print("%d passed, %d failed" % (len(files) - wrong, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
