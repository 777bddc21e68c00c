"""Write the reports build/mutants/report.txt and proofs.txt: the results of the mutants of mutants.py."""
import collections
import os

import mutate

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS, PROOFS, WRITER = "build/mutants/report.txt", "build/mutants/proofs.txt", "build/mutants/writer.txt"
COLUMNS = {"killed": "killed by tests", "unwitnessed": "by proof alone", "equivalent": "equivalent",
           "same code": "same code", "no build": "no build", "survived": "survived"}


def made_by(command):
    return "Made by %s; the core's code is %s." % (command, mutate.core_digest())


def table(first, columns, groups):
    """Return the lines of the table: groups is {name: Counter of the columns}, and their sum."""
    groups = {**groups, "all": sum(groups.values(), collections.Counter())}
    yield "%-22s%9s" % (first, "mutants") + "".join("%17s" % head for head in columns.values())
    for name, count in groups.items():
        yield "%-22s%9d" % (name, count["mutants"]) + "".join("%17d" % count[column] for column in columns)


def counted(rows, key):
    groups = collections.defaultdict(collections.Counter)
    for mutant, status in rows:
        groups[key(mutant)].update(["mutants", status])
    return groups


def write(path, lines):
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def of_tests(rows):
    """Write the report of the tests; return its summary line."""
    kinds, count = counted(rows, lambda mutant: mutant.kind), collections.Counter(status for _, status in rows)
    changed = len(rows) - count["same code"] - count["no build"] - count["equivalent"]
    seen = count["killed"] + count["unwitnessed"]
    score = "score: %.2f %%: %d of the %d mutants that are other programs are seen, %d of them by the tests" % (
        100 * seen / changed, seen, changed, count["killed"])
    lines = [made_by("make mutants"), "",
             "A mutant is the core with one place changed. killed by tests: with the input that shows it. by proof",
             "alone, equivalent: rows of mutants.tsv, each with its reason. same code: it compiles to the same.",
             "",
             *table("kind", COLUMNS, {kind: kinds[kind] for kind in mutate.KINDS}), "",
             *table("file", COLUMNS, counted(rows, lambda mutant: os.path.basename(mutant.path))), "", score]
    write(TESTS, lines)
    return score


def of_writer(rows):
    """Write the report of the mutants of the writer; return its summary line."""
    kinds, count = counted(rows, lambda mutant: mutant.kind), collections.Counter(status for _, status in rows)
    columns = {"certificate": "by certificate", **{key: name for key, name in COLUMNS.items() if key != "unwitnessed"}}
    seen = count["killed"] + count["certificate"]
    changed = len(rows) - count["same code"] - count["no build"] - count["equivalent"]
    score = "score: %.2f %%: %d of the %d mutants that are other programs are seen, %d of them by the certificate" % (
        100 * seen / changed, seen, changed, count["certificate"])
    digest = mutate.core_digest(("core", "core_write"))
    lines = ["Made by make mutants-writer; the code of core and writer is %s." % digest, "",
             "by certificate: a description without a defect is refused at run time. killed by tests: another head,",
             "place or cause than the writer's, or a unit test. equivalent: rows of mutants.tsv, each with its reason.",
             "",
             *table("kind", columns, {kind: kinds[kind] for kind in mutate.KINDS}), "",
             *table("file", columns, counted(rows, lambda mutant: os.path.basename(mutant.path))), "", score]
    write(WRITER, lines)
    return score


def of_proofs(sets, annotations):
    """Write the report of the proof. sets: {name: (number of mutants, [(mutant, goal or "") of each that was
    run])}; annotations: the hash of the headers and the logic."""
    columns = {"run": "run", "not proved": "a goal fails", "proved": "still proved"}
    groups = {}
    for name, (total, rows) in sets.items():
        groups[name] = collections.Counter(mutants=total, run=len(rows))
        groups[name].update("not proved" if goal else "proved" for _, goal in rows)
    lines = [made_by("assurance/mutation/mutants.py --proof"),
             "The headers and the logic with their annotations are %s." % annotations, "",
             "The functions that a mutant touches are proved again; a goal counts as failed only where a quarter of"
             " the",
             "time is enough for each goal of the original function. checks: an if that never happens, or a row of",
             "mutants.tsv that states what the proof says. excused: its other rows.", "",
             *table("", columns, groups)]
    write(PROOFS, lines)
