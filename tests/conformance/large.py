#!/usr/bin/env python3
"""Judge the large files of corpus/large.py.

    large.py                     small versions (20,000 bytes of header): model, program, the reference if available
    large.py --full [NAME...]    the largest possible headers, one after the other, each removed again: only the
                                 program, with its time and memory
"""
import json
import os
import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "assurance", "reference")]
import manifest  # noqa: E402
from manifest import CORPUS, ROOT, model, problem  # noqa: E402

sys.path.insert(0, CORPUS)
import large  # noqa: E402

FOLDER, PROGRAM = os.path.join(ROOT, "build", "large"), os.path.join(ROOT, "build", "assay")
SMALL = 20_000
SECONDS, MEGABYTES = 60, 1000  # more is a fault: a header of 100 MB, and 20 bytes for each of 9 million pairs


def made(size, *names):
    """Make the files; return their lines of the manifest."""
    large.main([FOLDER, size, *names])
    with open(os.path.join(FOLDER, "manifest.tsv"), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def by_program(rows):
    paths = [os.path.join(FOLDER, row["file"]) for row in rows]
    run = subprocess.run([PROGRAM, "check", "--format", "jsonl", *paths], stdout=subprocess.PIPE, check=False)
    for row, line in zip(rows, run.stdout.splitlines()):
        answer = json.loads(line)
        got = [answer["verdict"], answer.get("rule") or "", str(answer.get("offset") or "")]
        if got != [row["verdict"], row["rule"], row["offset"]]:
            problem("%s: the program reports %s, expected %s %s", row["file"], got, row["rule"], row["offset"])
    if len(run.stdout.splitlines()) != len(rows):
        problem("the program gave %d answers to %d files", len(run.stdout.splitlines()), len(rows))


def heads(rows):
    for row in rows:
        path = os.path.join(FOLDER, row["file"])
        with open(path, "rb") as f:
            yield f.read(8 + 2 * SMALL), os.path.getsize(path)


def by_reference(rows, files):
    import readers  # pylint: disable=import-outside-toplevel
    try:
        lines = readers.ask(readers.crate(), files)
    except SystemExit:  # it has reported the reason
        return
    for row, line in zip(rows, lines):
        said = "accept" if line.startswith("accept ") else line
        if said != row["reference_verdict"]:
            problem("%s: the reference reports %s, expected %s", row["file"], said[:100], row["reference_verdict"])


def small():
    rows = made(SMALL)
    files = list(heads(rows))
    manifest.compare(rows, [model.judge(*file).as_dict() for file in files], "the model")
    by_program(rows)
    by_reference(rows, files)
    return len(rows)


def full(names):
    for name in names:
        rows, start, before = made(large.LIMIT, name), time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
        by_program(rows)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds, megabytes = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1000
        print("%-26s %-4s %6.2f s of processor, %6.2f s in all, at most %4.0f MB so far" % (
            name, rows[0]["rule"] or "-", seconds, time.time() - start, megabytes), flush=True)
        if seconds > SECONDS or megabytes > MEGABYTES:
            problem("%s: %.1f s, %.0f MB", name, seconds, megabytes)
        os.remove(os.path.join(FOLDER, rows[0]["file"]))
    return len(names)


def main(args):
    count = full(args[1:] or list(large.CASES)) if args[:1] == ["--full"] else small()
    for text in manifest.problems:
        print(text)
    print("%d passed, %d failed" % (count - min(len(manifest.problems), count), len(manifest.problems)))
    return 1 if manifest.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
