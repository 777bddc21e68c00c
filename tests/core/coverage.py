#!/usr/bin/env python3
"""Read reports of gcov, and list the lines and branches of the core that no test reaches.

    tests/core/coverage.py REPORT.gcov.json.gz... [TABLE]

TABLE, by default tests/core/coverage.tsv, lists those that can't be reached: file, text of the line, what is
excused (line or branch), and which proof shows it dead. An excuse that excuses nothing is also a fault.
"""
import gzip
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def excuses(table):
    with open(os.path.join(ROOT, table), encoding="ascii") as f:
        rows = [tuple(line.split("\t")) for line in f.read().splitlines()[1:]]
    return {(row[0], row[1], row[2]): row[3] for row in rows if row[3].strip()}


def main(*reports):
    table = reports[-1] if reports[-1].endswith(".tsv") else "tests/core/coverage.tsv"
    files = []
    for report in reports:
        if report != table:
            with gzip.open(report, "rt", encoding="utf-8") as f:
                files += json.load(f)["files"]
    allowed, used, missed = excuses(table), set(), []
    lines = branches = 0
    for file in files:
        path = os.path.relpath(os.path.join(ROOT, file["file"]), ROOT)
        if not path.startswith(("src/core/", "src/core_text/", "src/core_write/")):
            continue
        with open(os.path.join(ROOT, path), encoding="ascii") as f:
            source = f.read().splitlines()
        for line in file["lines"]:
            text = source[line["line_number"] - 1].strip()
            found = []
            lines += 1
            if line["count"] == 0:
                found.append("line")
            for branch in line["branches"]:
                branches += 1
                if branch["count"] == 0 and line["count"] > 0:
                    found.append("branch")
            for what in found:
                if (path, text, what) in allowed:
                    used.add((path, text, what))
                else:
                    missed.append("%s:%d: %s not reached: %s" % (path, line["line_number"], what, text))
    missed += ["%s excuses what is reached: %s" % (table, " ".join(e)) for e in sorted(set(allowed) - used)]
    for text in missed:
        print(text)
    print("%d lines, %d branches, %d excused" % (lines, branches, len(used)))
    if lines < 500:
        missed.append("too few lines")
    print("%d passed, %d failed" % (lines + branches, len(missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
