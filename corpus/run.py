#!/usr/bin/env python3
"""Run a reader of safetensors files on the corpus, and print where it disagrees.

    corpus/run.py [OPTION...] PROGRAM [ARGUMENT...]

For every file it calls PROGRAM ARGUMENT... FILE. Exit status 0 is "accept", 1 is "reject"; any other status, a
signal or a time-out is an error. The output of the program is ignored.

    --profile strict       expect the verdict of spec/format.md (default)
    --profile reference    expect the verdict of the reference, which is more lenient
    --batch                start the program once: it reads paths from stdin, one a line, and writes a line for each that
                           begins with accept or reject; any other line is an error. Too many lines are errors for all
                           files; an exit status other than 0 is an error for the last file
    --only WORD            only files of this rule (G4), origin (overlap) or verdict (valid); may be repeated
    --corpus DIR           a folder with a manifest.tsv (default: the folder of this script)
    --timeout SECONDS      for one file (10); with --batch, multiplied by the number of files
    --jobs N               files at a time

It prints a line for each disagreement, then a total. Exit status: 0 agrees everywhere, 1 disagrees, 2 wrong usage.
It requires Python 3.8 and no packages.
"""
import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys


def read_manifest(folder):
    with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def wanted(row, profile):
    if profile == "reference":
        return row["reference_verdict"].split(" ")[0]
    return "accept" if row["verdict"] == "valid" else "reject"


def ask(command, path, timeout):
    """Return the answer of the program to one file."""
    try:
        status = subprocess.run([*command, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, timeout=timeout, check=False).returncode
    except subprocess.TimeoutExpired:
        return "error: no answer in %g s" % timeout
    if status < 0:
        return "error: signal %d" % -status
    return {0: "accept", 1: "reject"}.get(status, "error: exit status %d" % status)


def ask_all(command, paths, timeout):
    """Return the answers of a program that is started once."""
    status = 0
    try:
        done = subprocess.run(command, input="".join(path + "\n" for path in paths).encode(), stdout=subprocess.PIPE,
                              timeout=timeout * len(paths), check=False)
        lines, status = [line.decode("utf-8", "replace") for line in done.stdout.splitlines()], done.returncode
    except subprocess.TimeoutExpired as late:
        lines = [line.decode("utf-8", "replace") for line in (late.stdout or b"").splitlines()]
    missing = "error: no answer" + (": it ended with exit status %d" % status if status else "")
    known = [word if (word := line.split(" ")[0]) in ("accept", "reject") else "error: " + line for line in lines]
    if len(known) > len(paths):
        return ["error: %d answers to %d files" % (len(known), len(paths))] * len(paths)
    if status != 0 and len(known) == len(paths):
        known[-1] = "error: exit status %d after the last answer" % status
    return known + [missing] * (len(paths) - len(known))


def answers(args, paths):
    if args.batch:
        return ask_all(args.command, paths, args.timeout)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return list(pool.map(lambda path: ask(args.command, path, args.timeout), paths))


def show(row, want, got):
    why = "%s %s at byte %s" % (row["rule"], row["name"], row["offset"]) if row["verdict"] == "invalid" else "valid"
    print("%s: expected %s, got %s (%s; %s)" % (row["file"], want, got, why, row["origin"]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("--profile", choices=["strict", "reference"], default="strict")
    parser.add_argument("--batch", action="store_true")
    parser.add_argument("--only", action="append")
    parser.add_argument("--corpus", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    rows = [row for row in read_manifest(args.corpus) if not args.only or
            set(args.only) & {row["rule"], row["origin"], row["verdict"]}]
    if not args.command or not rows:
        parser.error("no program" if rows else "no such file")
    seen = collections.Counter()
    try:
        said = answers(args, [os.path.join(args.corpus, row["file"]) for row in rows])
    except OSError as error:
        parser.error(str(error))
    for row, got in zip(rows, said):
        want = wanted(row, args.profile)
        seen["agree" if got == want else "errors" if got.startswith("error") else "wrongly " + got + "ed"] += 1
        if got != want:
            show(row, want, got)
    print("%d files, profile %s: %d agree, %d wrongly accepted, %d wrongly rejected, %d errors" % (
        len(rows), args.profile, seen["agree"], seen["wrongly accepted"], seen["wrongly rejected"], seen["errors"]))
    return 0 if seen["agree"] == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
