#!/usr/bin/env python3
"""Does something fail when the core is wrong by a little? Each mutant of src/core (tests/mutate.py) must be seen.

    tests/mutants.py [FILE...]       all mutants of the core, or of FILEs of it
        --sample SECONDS [--seed N]  random ones, as many as the time allows
        --list                       their names

A mutant is seen by the tests, with the input that shows it (tests/mutant_tests.py). What no test sees
must be a row of tests/mutants.tsv that says why it is the same program: then all mutants are accounted for, or the run
fails. Results are kept in build/mutants, so a run that was interrupted goes on where it was.
"""
import argparse
import collections
import csv
import glob
import json
import os
import random
import re
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))
import mutant_tests  # noqa: E402
import mutate  # noqa: E402

TABLE = "tests/mutants.tsv"
RESULTS = os.path.join(mutant_tests.BUILD, "results.jsonl")


def named_codes():
    """For each code of include/assay_codes.h the next one in its list."""
    out = {}
    for block in re.findall(r"enum \{(.*?)\}", mutant_tests.read("include/assay_codes.h"), re.S):
        names = [name for name in re.findall(r"^\s*(ASSAY_\w+) = ", block, re.M) if name != "ASSAY_E_FIRST"]
        out.update(zip(names, names[1:] + names[:1]))
    return out


def core_files():
    return sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "src/core/*.[ch]")))


def all_mutants(paths):
    codes = named_codes()
    return [m for path in paths for m in mutate.mutants(path, mutant_tests.read(path), codes)]


class Excuses:
    """The rows of tests/mutants.tsv: file, function, number, the lines before, the lines after, the reason.
    * stands for any function; an empty number for any."""

    def __init__(self):
        with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
            self.rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.used = collections.Counter()

    def reason(self, mutant):
        for number, row in enumerate(self.rows):
            if row["file"] == mutant.path and row["from"] == mutant.before and row["to"] == mutant.after and \
                    row["function"] in ("*", mutant.function) and row["number"] in ("", str(mutant.number)):
                self.used[number] += 1
                return row["reason"]
        return ""

    def unused(self):
        return [row for number, row in enumerate(self.rows) if not self.used[number]]


class Memory:
    """What was found out before about the same code with the same tests."""

    def __init__(self, bench):
        headers = sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "include/*.h")))
        self.code = mutant_tests.digest(*(mutate.code(mutant_tests.read(path)) for path in core_files() + headers))
        self.stages, self.known = {stage.hash for stage in bench.stages} | {bench.hash, ""}, {}
        if os.path.exists(RESULTS):
            with open(RESULTS, encoding="utf-8") as f:
                for row in map(json.loads, f):
                    if row["code"] == self.code:
                        self.known[tuple(row["mutant"])] = mutant_tests.Outcome(*row["outcome"])
        for outcome in self.known.values():
            if outcome.object and outcome.stage in self.stages:
                bench.objects[outcome.object] = outcome

    def get(self, mutant):
        outcome = self.known.get(mutant.key())
        return outcome if outcome and outcome.stage in self.stages else None

    def put(self, mutant, outcome):
        with open(RESULTS, "a", encoding="utf-8") as f:
            f.write(json.dumps({"code": self.code, "mutant": mutant.key(), "outcome": outcome}) + "\n")


def judged(chosen, seconds):
    """(mutant, outcome) of each, until the time is up."""
    bench = mutant_tests.Bench()
    memory, end = Memory(bench), time.time() + seconds
    for mutant in chosen:
        outcome = memory.get(mutant)
        if outcome is None:
            if time.time() > end:
                return
            outcome = bench.run(mutant)
            memory.put(mutant, outcome)
        yield mutant, outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--sample", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    chosen = all_mutants([os.path.relpath(p, ROOT) for p in args.file] or core_files())
    if args.list:
        print("\n".join("%-10s %s" % (m.kind, str(m)) for m in chosen))
        return 0
    if args.sample:
        print("sample with seed %d" % args.seed)
        random.Random(args.seed).shuffle(chosen)
    excuses, count, failed, objects = Excuses(), collections.Counter(), 0, set()
    for mutant, outcome in judged(chosen, args.sample or float("inf")):
        status = outcome.status
        if status == "survived" and outcome.object in objects:
            status = "twin"
        objects.add(outcome.object)
        if outcome.status == "survived":
            why = excuses.reason(mutant)
            if why:
                status = "equivalent"
            elif status != "twin":
                failed += 1
                print("SURVIVED", mutant, flush=True)
        count[status] += 1
    if not args.sample and not args.file:
        for row in excuses.unused():
            print("%s excuses what is not there: %s" % (TABLE, " | ".join(row.values())))
            failed += 1
    print(", ".join("%d %s" % (n, status) for status, n in sorted(count.items())))
    print("%d passed, %d failed" % (sum(count.values()) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
