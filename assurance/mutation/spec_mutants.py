#!/usr/bin/env python3
"""Check that something fails for each small error in the specification: each mutant of spec/*.acsl must be
detected.

    assurance/mutation/spec_mutants.py [FILE...]   all mutants of the logic, or of these files
        --files N                     compare only on that many files, not on all of assurance/logic/compare.py
        --sample N [--seed N]         that many of them, chosen at random
        --seconds N                   time limit: what is not detected by then counts as open; 0: only known results
        --report FILE                 write the result of each, and totals
        --list                        print their names

A mutant (spec_mutate.py) is detected by the comparison of the logic with the model (assurance/logic/compare.py) if
it changes the answer to a question, or if its recursion need not end (proofs/measures.py). A quantifier that has
lost an end of its range is evaluated over a window of values; if these contain no witness, it has no answer. Then,
and only if no other question shows the mutant, the window counts as everything. What is detected so has a column
of its own, because it assumes that there is no witness beyond. All other mutants must be proved equivalent by
machine (spec_equal.py), or be a row of spec_mutants.tsv: why the mutant is equivalent, or which goal of the proof
fails with it. Results are kept in build/spec-mutants, so that an interrupted run continues.
"""
import argparse
import collections
import csv
import hashlib
import json
import os
import random
import re
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/mutation", "assurance/logic", "spec", "proofs")]
import compare  # noqa: E402
import spec_equal_table  # noqa: E402
import spec_mutate  # noqa: E402
import spec_trials  # noqa: E402

TABLE = "assurance/mutation/spec_mutants.tsv"
BUILD = os.path.join(ROOT, "build", "spec-mutants")
LOGIC, MODEL = "assurance/logic/", "assurance/model/"
MADE_OF = [*(LOGIC + name for name in ("acsl.py", "questions.py", "entries_and_view.py")), "proofs/measures.py",
           "spec/model.py", "spec/rules.tsv", "spec/dtypes.tsv", "spec/statuses.tsv"]  # what a kill depends on
OF_FILES = [*(LOGIC + name for name in ("compare.py", "texts_and_tokens.py", "dims_and_slices.py",
                                    "layout_and_file.py")),
            *(MODEL + name for name in ("generate_cases.py", "random_defects.py", "random_document.py"))]
OF_FILES += ["corpus/manifest.tsv", "corpus/options.tsv"]
KINDS = {spec_trials.CRASH: "model, no answer", spec_trials.WINDOW: "model, in window"}
ORDER = ["model", *KINDS.values(), "proved the same", "proof", "equivalent", "survived", "open"]


def digest(paths):
    """Return the digest of the logic without comments, or of whole files."""
    text = "\0".join(spec_mutate.blank(spec_mutate.read(path)) if path.endswith(".acsl") else spec_mutate.read(path)
                     for path in paths)
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


def rests_on(module):
    """Return the file of a section, and those that it imports."""
    path = LOGIC + module + ".py"
    mine = "|".join(module.__name__ for module in compare.MODULES)
    found = [rests_on(name) for name in re.findall(r"^(?:from|import) (%s)\b" % mine, spec_mutate.read(path), re.M)]
    return sorted({path}.union(*found))


class Memory:
    """Earlier results for the same logic. A kill stays valid as long as what has shown it is unchanged; that
    nothing was detected stays valid only if everything is unchanged."""

    def __init__(self, cases):
        self.of, self.cases, self.known = digest(spec_mutate.spec_files() + MADE_OF), cases, {}
        modules = collections.defaultdict(set)
        for section in compare.SECTIONS:
            modules[spec_trials.WITHOUT + section.__name__].update(rests_on(section.__module__))
        self.shown = {name: digest(sorted(paths)) for name, paths in modules.items()}
        self.files = digest(OF_FILES)
        self.all = "%s-%s" % (self.of, digest(OF_FILES + sorted({path for section in compare.SECTIONS
                                                                  for path in rests_on(section.__module__)})))
        self.path = os.path.join(BUILD, self.of + ".jsonl")
        os.makedirs(BUILD, exist_ok=True)
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as f:
                for key, stamp, *outcome in map(json.loads, f):
                    if stamp == self.stamp(outcome[0]):
                        self.known[tuple(key)] = outcome

    def stamp(self, name):
        if name == "proofs/measures.py":
            return self.of
        return self.shown.get(name, self.files) if name else "%s %s" % (self.all, self.cases)

    def spent(self, seconds):
        """Add the duration of a run; return the seconds of one core of all runs, and their number."""
        with open(self.path[:-1] + "-time", "a+", encoding="utf-8") as f:
            f.write("%.0f\n" % seconds)
            f.seek(0)
            each = f.read().split()
        return sum(map(int, each)), len(each)

    def put(self, mutant, *outcome):
        self.known[mutant.key()] = list(outcome)
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps([mutant.key(), self.stamp(outcome[0]), *outcome]) + "\n")


class Excuses:
    """The rows of the table: file, definition, number, the lines before, the lines after, how, why. how: `proof`
    (why: the goal that fails), or `equivalent`. An empty field matches any."""

    def __init__(self):
        with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
            self.rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.used = collections.Counter()

    def find(self, mutant):
        for at, row in enumerate(self.rows):
            if (row["file"], row["definition"]) == (mutant.path, mutant.function) and \
                    row["before"] in ("", mutant.before) and row["after"] in ("", mutant.after) and \
                    row["number"] in ("", str(mutant.number)):
                self.used[at] += 1
                return row["how"]
        return "survived"

    def unused(self):
        return [row for at, row in enumerate(self.rows) if not self.used[at]]


def cases(number):
    """Return small files first, with some for each rule and status: most mutants need no more."""
    made = compare.made(8000 if number is None else number, 1)
    found = sorted([*compare.corpus(), *made], key=lambda case: len(case[1]))
    first, count = [], collections.Counter()
    for case in found:
        code = case[4] and case[4][0]
        if code is not None and (code or len(case[1]) > 70):
            count[code] += 1
            first += [case] if count[code] <= (3 if code else 60) else []
    chosen = {id(case) for case in first}
    return (first + [case for case in found if id(case) not in chosen])[:number]


def evaluate(mutants, number, until):
    """Return {key: (the file or "", the message)}."""
    memory = Memory(number)
    left = [m for m in mutants if m.key() not in memory.known]
    if time.time() >= until:
        memory.known.update({m.key(): ["", spec_trials.OPEN] for m in left})
        left = []
    trials = spec_trials.Trials() if left else None
    seen = [m for m in left if m.function in trials.definition] if left else []
    for mutant in set(left) - set(seen):
        memory.put(mutant, "", "not evaluated")
    if seen:
        for mutant, text, name in trials.run(seen, cases(number), until):
            if text == spec_trials.OPEN:
                memory.known[mutant.key()] = ["", text]
            else:
                memory.put(mutant, name, text[:200])
    return memory


def summary(mutants, memory):
    """Print how each was detected, and what is to be reported."""
    excuses, how, notices = Excuses(), {}, []
    same, rows = spec_equal_table.known()
    for mutant in mutants:
        name, text = memory.known[mutant.key()]
        if name:
            how[mutant] = next((KINDS[begin] for begin in KINDS if text.startswith(begin)), "model")
        elif mutant.key() in same:
            how[mutant] = "proved the same"
        else:
            how[mutant] = excuses.find(mutant)
            if how[mutant] == "survived" and text == spec_trials.OPEN:
                how[mutant] = "open"
                notices.append("OPEN %s" % str(mutant))
            if how[mutant] == "survived":
                notices.append("SURVIVED %s%s" % (mutant, " (%s)" % text if text else ""))
    unused = ["%s excuses what is not there: %s" % (TABLE, " | ".join(row.values())) for row in excuses.unused()]
    used = {mutant.key() for mutant in mutants if how[mutant] == "proved the same"}
    unused += ["%s is not of this logic, or not needed: %s" % (spec_equal_table.TABLE, row)
               for row in sorted(rows - used)]
    return how, notices, unused


def table(mutants, how):
    yield "%-20s %11s %8s %s" % ("file", "definitions", "mutants", " ".join("%16s" % name for name in ORDER))
    for path in [*spec_mutate.spec_files(), ""]:
        mine = [m for m in mutants if path in ("", m.path)]
        if mine:
            count = collections.Counter(how[m] for m in mine)
            yield "%-20s %11d %8d %s" % (path[5:] or "all", len({(m.path, m.function) for m in mine}), len(mine),
                                         " ".join("%16d" % count[name] for name in ORDER))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--files", type=int)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--report")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    paths = [os.path.relpath(p, ROOT) for p in args.file] or spec_mutate.spec_files()
    mutants = [m for path in paths for m in spec_mutate.mutants(path, spec_mutate.read(path))]
    all_of_them = len(mutants)
    if args.sample:
        mutants = random.Random(args.seed).sample(mutants, args.sample)
    if args.list:
        print("\n".join("%-10s %s" % (m.kind, m) for m in mutants))
        return 0
    memory = evaluate(mutants, args.files, time.time() + args.seconds)
    times = memory.spent(time.process_time())
    how, notices, unused = summary(mutants, memory)
    notices += [] if args.file or args.sample else unused
    lines = ["The mutants of the specification in logic: who saw them.",
             "%d of %d, seed %d." % (len(mutants), all_of_them, args.seed) if args.sample else "All %d." % all_of_them,
             "Digests of logic and comparison: %s." % memory.all,
             "Compared: questions without a file, and %s files."
             % ("all" if memory.cases is None else memory.cases),
             "Time: %d s of one core, in %d runs, each of which goes on where the others were." % times,
             "model: another result; no answer: it reads what does not exist, or does not end;",
             "in window: a quantifier has lost an end of its range. It runs over values from 12 below the end that is"
             " left,",
             "or below 0, to 12 above the begin that is left, or above 0; that the answer is another one rests on"
             " there",
             "being no witness beyond;",
             "proved the same: by WP, rows of %s; proof, equivalent: argued, rows of %s;" % (
                 spec_equal_table.TABLE, TABLE),
             "open: not tried to the end.", ""]
    failed = len([m for m in mutants if how[m] in ("survived", "open")])
    failed += 0 if args.file or args.sample else len(unused)
    lines += [*table(mutants, how), "", *notices, "%d passed, %d failed" % (len(mutants) - failed, failed)]
    print("\n".join(lines))
    if args.report:
        with open(args.report, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.setrecursionlimit(1 << 20)
    threading.stack_size(1 << 29)
    result = []
    thread = threading.Thread(target=lambda: result.append(main()))
    thread.start()
    thread.join()
    sys.exit(result[0] if result else 1)
