#!/usr/bin/env python3
"""Check that something fails for each small error in the core: each mutant of src/core (mutate.py) must be
detected.

    mutants.py [FILE...]       all mutants of the core, or of these files; all mutants: writes build/mutants/report.txt
        --sample SECONDS [--seed N]  random ones, as many as the time allows
        --list                       print their names
        --writer                     those of src/core_write, by the tests of the writer (writer_tests.py): writes
                                     build/mutants/writer.txt
        --proof [SET]                run the proof on a SET of them: `checks`, each if that never happens, and each row
                                     of mutants.tsv that states what the proof says (unless another is given);
                                     `excused`, its other rows; `others`. Writes build/mutants/proofs.txt
        --again                      with --proof: also those on record

A mutant is detected by the tests, with the input that shows it (mutant_tests.py). What no test detects must be a
row of mutants.tsv, or the run fails: `equivalent`, for a stated reason, or `unwitnessed`, if only the proof
detects it. Its column proof: `holds`, or the first goal that is not proved, which an unwitnessed one must have;
empty: not tried. At most one of twenty mutants may be unwitnessed. The proof has to break if a check never happens,
unless that is equivalent. Results are kept in build/mutants, those of the proof in proofs.jsonl beside this file, so
that an interrupted run continues.
"""
import argparse
import collections
import csv
import glob
import json
import multiprocessing
import os
import random
import re
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "assurance", "mutation"))
import mutant_proofs  # noqa: E402
import mutant_report  # noqa: E402
import mutant_tests  # noqa: E402
import mutate  # noqa: E402
import writer_tests  # noqa: E402

TABLE = "assurance/mutation/mutants.tsv"
PROOFS = os.path.join(ROOT, "assurance", "mutation", "proofs.jsonl")  # what the proof said of mutants: takes hours
COLUMNS = ["file", "function", "number", "from", "to", "verdict", "proof", "reason"]
UNWITNESSED = 20  # at most one of that many
# Files that a sample leaves out: of the writer only the first half of write_order.h was run. A run without --sample has
# all.
NOT_JUDGED = tuple("src/core_write/" + name for name in ("assay_write.c", "write_bytes.h", "write_compare.h",
                                                         "write_order.h", "write_sizes.h", "write_words.h"))
ANY = "*"  # from and to of a row, number 0, for each mutant of a function whose result does not matter to any caller


def named_codes():
    """Return for each code of include/assay_codes.h the next one in its list."""
    out = {}
    for block in re.findall(r"enum \{(.*?)\}", mutant_tests.read("include/assay_codes.h"), re.S):
        names = [name for name in re.findall(r"^\s*(ASSAY_\w+) = ", block, re.M) if name != "ASSAY_E_FIRST"]
        out.update(zip(names, names[1:] + names[:1]))
    return out


def core_files(writer=False):
    folder = writer_tests.FOLDER if writer else "src/core"
    return sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, folder, "*.[ch]")))


def all_mutants(paths):
    codes = named_codes()
    return [m for path in paths for m in mutate.mutants(path, mutant_tests.read(path), codes)]


def is_check(mutant):
    """Return whether this is an if that never happens."""
    return mutant.kind == "check" and mutant.text == "0" and re.search(r"\bif \(0\) ?\{?$", mutant.after) is not None


class Excuses:
    """The rows of assurance/mutation/mutants.tsv by the mutant that they name."""

    def __init__(self):
        with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
            rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.rows = {(r["file"], r["function"], r["from"], r["to"], int(r["number"])): r for r in rows}
        self.used = set()
        self.faults = ["two rows for %s" % " ".join(rows[0].values())] if len(self.rows) < len(rows) else []
        for row in rows:
            goal = row["proof"] not in ("", "holds")
            fits = {"equivalent": True, "unwitnessed": goal}.get(row["verdict"])
            if not fits or not row["reason"]:
                self.faults.append("no verdict, goal or reason: " + " | ".join(row.values()))

    def verdict(self, mutant):
        """Return the verdict of the mutant's own row, or of the row of its whole function."""
        key = mutant.key() if mutant.key() in self.rows else (mutant.key()[0], mutant.key()[1], ANY, ANY, 0)
        self.used.update((mutant.key(), key))
        return self.rows[key]["verdict"] if key in self.rows else ""

    def unused(self, files):
        return [row for key, row in self.rows.items() if key not in self.used and row["file"] in files]


class Memory:
    """Earlier results for the same code with the same tests, or the same proof."""

    def __init__(self, path, made_of):
        self.path, self.made_of, self.known = path, made_of, {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as f:
                for row in map(json.loads, f):
                    self.known[row["code"], tuple(row["mutant"])] = mutant_tests.Outcome(*row["outcome"])

    def get(self, mutant):
        return self.known.get((self.made_of(mutant), mutant.key()))

    def put(self, mutant, outcome):
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps({"code": self.made_of(mutant), "mutant": mutant.key(), "outcome": outcome}) + "\n")
        return outcome

    def forget(self, mutants):
        """Keep only what is known of these mutants as they are now."""
        whole = self.path
        self.path = whole + ".new"
        for mutant in mutants:
            if self.get(mutant):
                self.put(mutant, self.get(mutant))
        if os.path.exists(self.path):
            os.replace(self.path, whole)
        self.path = whole


def begin(numbers, bench):
    """Start a process of the pool with its own copy of the bench."""
    bench.move("-%d" % numbers.get())
    begin.bench = bench


def ask(task):
    """Return the outcome, from a run if it is not known; None: the time is up."""
    mutant, outcome, end = task
    if outcome is not None and begin.bench.holds(outcome):
        return outcome
    passed = outcome.stage.split() if outcome and outcome.status == "survived" else ()
    return begin.bench.run(mutant, frozenset(passed)) if time.time() < end else None


def tested(chosen, seconds, writer=False):
    """Yield (mutant, outcome), until the time is up; as many at a time as there are processors."""
    bench = writer_tests.WriterBench() if writer else mutant_tests.Bench()
    code = mutate.core_digest(("core", "core_write")) if writer else mutate.core_digest()
    name = os.path.join(mutant_tests.BUILD, "writer.jsonl" if writer else "results.jsonl")
    memory, end = Memory(name, lambda mutant: code), time.time() + seconds
    for (known, _), outcome in memory.known.items():
        if known == code and outcome.object and bench.holds(outcome):
            bench.objects[outcome.object] = outcome
    context = multiprocessing.get_context("fork")
    numbers = context.Queue()
    for number in range(os.cpu_count()):
        numbers.put(number)
    with context.Pool(os.cpu_count(), begin, (numbers, bench)) as pool:
        tasks = [(mutant, memory.get(mutant), end) for mutant in chosen]
        for (mutant, known, _), outcome in zip(tasks, pool.imap(ask, tasks)):
            if outcome is not None:
                yield mutant, outcome if outcome == known else memory.put(mutant, outcome)


def ask_proof(task):
    """The same by the proof; witness of the outcome: the goal that fails."""
    mutant, outcome, end = task
    return begin.bench.run(mutant) if outcome is None and time.time() < end else outcome


def proved(chosen, seconds, proofs, again=False):
    """Yield (mutant, outcome), until the time is up; as many at a time as there are processors."""
    memory, end = Memory(PROOFS, proofs.statement), time.time() + seconds
    context = multiprocessing.get_context("fork")
    numbers = context.Queue()
    for number in range(os.cpu_count()):
        numbers.put(number)
    tasks = [(mutant, None if again else memory.get(mutant), end) for mutant in chosen]
    known = sum(outcome is not None for _, outcome, _ in tasks)
    print("%d mutants, %d of them on record" % (len(tasks), known), flush=True)
    with context.Pool(os.cpu_count(), begin, (numbers, proofs)) as pool:
        for count, ((mutant, known, _), outcome) in enumerate(zip(tasks, pool.imap(ask_proof, tasks)), 1):
            if outcome is not None:
                print("%4d/%d %s: %s" % (count, len(tasks), mutant, outcome.witness or "holds"), flush=True)
                yield mutant, outcome if known else memory.put(mutant, outcome)


def test(chosen, args, files):
    """Test the chosen mutants, and report faults."""
    excuses, rows, wrong = Excuses(), [], []
    for mutant, outcome in tested(chosen, args.sample or float("inf"), args.writer):
        status = outcome.status
        if args.writer and outcome.witness.startswith("the certificate"):
            status = "certificate"
        if status == "survived":
            status = excuses.verdict(mutant) or status
        rows.append((mutant, status))
        if status == "survived":
            wrong.append("SURVIVED " + str(mutant))
            print(wrong[-1], flush=True)
    if not args.sample:
        faults = excuses.faults + ["%s excuses what is not there: %s" % (TABLE, " | ".join(row.values()))
                                   for row in excuses.unused(files)]
        if not args.file and sum(status == "unwitnessed" for _, status in rows) * UNWITNESSED > len(rows):
            faults.append("more than one of %d mutants is unwitnessed" % UNWITNESSED)
        wrong += faults
        print("\n".join(faults))
    if not args.sample and not args.file:
        print(mutant_report.of_writer(rows) if args.writer else mutant_report.of_tests(rows))
    return rows, wrong


def prove(mutants, args):
    """Prove the chosen mutants, and report where the table disagrees."""
    excuses, rows, wrong, proofs = Excuses(), [], [], mutant_proofs.Proofs()
    sets = {"checks": [], "excused": [], "others": []}
    for mutant in mutants:
        row = excuses.rows.get(mutant.key())
        name = "excused" if row and not row["proof"] else "checks" if row or is_check(mutant) else "others"
        sets[name].append(mutant)
    for mutant, outcome in proved(sets[args.proof], args.sample or float("inf"), proofs, args.again):
        said = outcome.witness or "holds"
        row = excuses.rows.get(mutant.key())
        rows.append((mutant, "not proved" if outcome.witness else "proved"))
        if row and row["proof"] not in ("", said):
            wrong.append("%s states for %s: %s, the proof states: %s" % (TABLE, mutant, row["proof"], said))
        elif not outcome.witness and args.proof == "checks" and excuses.verdict(mutant) != "equivalent":
            wrong.append("PROVED, though the check never happens: " + str(mutant))
        else:
            continue
        print(wrong[-1], flush=True)
    if not args.file:
        memory = Memory(PROOFS, proofs.statement)
        memory.forget(mutants)
        known = {name: [(m, memory.get(m).witness) for m in found if memory.get(m)] for name, found in sets.items()}
        mutant_report.of_proofs({name: (len(sets[name]), rows) for name, rows in known.items()}, proofs.shared)
    return rows, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--sample", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--writer", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--proof", nargs="?", const="checks", choices=["checks", "excused", "others"])
    args = parser.parse_args()
    files = [os.path.relpath(p, ROOT) for p in args.file] or core_files(args.writer)
    chosen = all_mutants(files)
    if args.list:
        print("\n".join("%-10s %s" % (m.kind, str(m)) for m in chosen))
        return 0
    if args.sample:
        print("sample with seed %d, without %s" % (args.seed, ", ".join(NOT_JUDGED)))
        chosen = [mutant for mutant in chosen if mutant.path not in NOT_JUDGED]
        random.Random(args.seed).shuffle(chosen)
    if args.proof:
        rows, wrong = prove(chosen, args)
    else:
        rows, wrong = test(chosen, args, files)
    count = collections.Counter(status for _, status in rows)
    print(", ".join("%d %s" % (n, status) for status, n in sorted(count.items())))
    print("%d passed, %d failed" % (max(len(rows) - len(wrong), 0), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
