#!/usr/bin/env python3
"""Report what the fuzzers did: read the logs of fuzz/run.py and write build/fuzz/REPORT.md.

    fuzz/report.py

Each run in build/fuzz/runs/ that has ended becomes a row of build/fuzz/runs.tsv, once. The report is made from
that table, build/fuzz/mutants-CORE.tsv (by mutant_search.py), build/fuzz/coverage.txt (by coverage.sh) and the
record of `make readers-more`.
"""
import collections
import csv
import os
import re
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(ROOT, "assurance", name) for name in ("readers", "mutation")]
import batches  # noqa: E402
import mutate  # noqa: E402
RUNS = os.path.join(ROOT, "build", "fuzz", "runs")
LEDGER = os.path.join(ROOT, "build", "fuzz", "runs.tsv")
REPORT = os.path.join(ROOT, "build", "fuzz", "REPORT.md")
COLUMNS = ["run", "core", "harness", "engine", "seconds", "executions", "whole", "edges", "crashes", "disagreements",
           "ended"]
NUMBERS = COLUMNS[4:10]
ENGINES = {"libfuzzer": "libFuzzer under ASan and UBSan",
           "fast": "libFuzzer without sanitizers, where the red zones of `guarded_memory.c` detect writes",
           "afl": "AFL++, persistent, with CMPLOG, without sanitizers"}
WANTED = 100_000_000  # total executions, a quarter of them in the stage of the whole file

RUNS_TEXT = """## Runs

One row of `runs.tsv` is a run of `make fuzz`, `make fuzz-long` or `make fuzz-many`. The harness counts executions,
and those that reached stage G (`fuzz/counts.c`): inputs that pass stages F and H by the model, so that the layout is
judged. The core must agree, or an oracle fails. Inputs that are too short for a harness are not counted; the inputs
with which a run begins are counted each time. Edges are those of the engine in core, program and model, the maximum
of all runs. A disagreement is an oracle that failed. A crash is anything else: a sanitizer, a signal, an input that
does not end.
"""
READERS_TEXT = """## Other readers

`make readers` and `make readers-more` run other readers on generated files that assay accepts. Each must read the
same table, as far as it reports one (`spec/readers.md`: gguf no metadata, modelvet only the verdict), or differ as a
gap of `spec/readers.md` describes; the last column counts these. The files that show most are those that are read the
same.
"""
MUTANTS_TEXT = """## Mutants

`make fuzz-mutants` tries a hundred random mutants of the core (`assurance/mutation/mutate.py`, seed 1), one at a
time, and lets only the harnesses search for them, with ASan and UBSan. Mutants that `assurance/mutation/mutants.tsv`
calls equivalent, that do not build, or that compile to the same code are not drawn. A shorter table is not finished.
`seed`: one of the first inputs, which `fuzz/seeds.py` makes from `corpus/`, finds it; `mutation`: only an input that
the fuzzer made finds it; `no` with less than 300 seconds: not tried to the end. The corpus has grown with the tests
that find the same mutants. What fuzzing finds without it, only a table with scarce seeds shows
(`fuzz/mutant_search.py --scarce`). Seconds are of one processor, including the build.
"""
COVERAGE_TEXT = """## Lines and branches of the core that fuzzing reaches

`make fuzz-coverage` replays only the seeds and the inputs that the fuzzers kept. `fuzz/coverage.tsv` lists what can't
be reached, with the reason; it is counted as excused.
"""


def text(*path):
    try:
        with open(os.path.join(*path), encoding="utf-8", errors="replace") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def last(pattern, of):
    found = re.findall(pattern, of, re.M)
    return int(found[-1]) if found else 0


def core():
    """Return the digest of the code of the core."""
    return mutate.core_digest()


def counts(folder):
    """Return the executions, and those that reached stage G, as the harness counted them (fuzz/counts.c)."""
    try:
        with open(os.path.join(folder, "counts"), "rb") as f:
            return struct.unpack("<2Q", f.read(16))
    except (FileNotFoundError, struct.error):
        return 0, 0


def read_run(folder):
    """Return one run as a row."""
    stamp, harness, engine = os.path.basename(folder).split("-")
    log, stats = text(folder, "log"), text(folder, "fuzzer_stats")
    verdicts = text(folder, "verdicts").splitlines()
    executions, whole = counts(folder)
    row = {"run": stamp, "core": text(folder, "core") or core(), "harness": harness, "engine": engine,
           "executions": executions, "whole": whole}
    row["disagreements"] = sum(line.startswith("oracle: ") for line in verdicts)
    row["crashes"] = len(verdicts) - row["disagreements"]
    if engine != "afl":
        row["seconds"] = last(r"^Done \d+ runs in (\d+) second", log)
        row["edges"] = last(r"cov: (\d+)", log)
    else:
        row["seconds"] = last(r"^run_time\s*: (\d+)", stats)
        row["edges"] = last(r"^edges_found\s*: (\d+)", stats)
    row["ended"] = "well" if log.endswith("exit status 0\n") else "badly"
    return row


def passed(row):
    return row["ended"] == "well" and row["executions"] > 0 and row["crashes"] == row["disagreements"] == 0


def share(row):
    if row["harness"] in ("decode", "remote"):
        return "-"
    return "%d %%" % (100 * row["whole"] // max(row["executions"], 1))


def table(rows):
    form = "%-10s %-10s %8s %13s %10s %6s %6s %8s %14s  %s"
    lines = [form % ("harness", "engine", "seconds", "executions", "a second", "whole", "edges", "crashes",
                     "disagreements", "ended")]
    for row in rows:
        lines.append(form % (row["harness"], row["engine"], row["seconds"], format(row["executions"], ","),
                             format(row["executions"] // max(row["seconds"], 1), ","), share(row), row["edges"],
                             row["crashes"], row["disagreements"], row["ended"]))
    return "\n".join(lines)


def ledger():
    """Return the rows of all runs that ended."""
    os.makedirs(os.path.dirname(LEDGER), exist_ok=True)
    rows = []
    for line in text(LEDGER).splitlines()[1:]:
        row = dict(zip(COLUMNS, line.split("\t")))
        rows.append({**row, **{name: int(row[name]) for name in NUMBERS}})
    known = {(row["run"], row["harness"], row["engine"]) for row in rows}
    for name in sorted(os.listdir(RUNS)) if os.path.isdir(RUNS) else []:
        row = read_run(os.path.join(RUNS, name))
        new = (row["run"], row["harness"], row["engine"]) not in known
        if new and "exit status" in text(RUNS, name, "log"):  # it has ended, perhaps at once
            rows.append(row)
    with open(LEDGER, "w", encoding="ascii") as f:
        f.write("\t".join(COLUMNS) + "\n")
        f.writelines("\t".join(str(row[name]) for name in COLUMNS) + "\n" for row in rows)
    return rows


def total(rows):
    """Add up the runs of one harness by one engine; edges are the maximum."""
    sums = {name: sum(row[name] for row in rows) for name in NUMBERS}
    sums["edges"] = max([row["edges"] for row in rows], default=0)
    return sums


def run_lines(rows):
    pairs = sorted({(row["harness"], row["engine"]) for row in rows})
    engines = sorted({engine for _, engine in pairs})
    lines = [RUNS_TEXT]
    lines += ["- `%s`: %s" % (engine, ENGINES[engine]) for engine in engines]
    lines += ["", "| harness | engine | runs | executions | reached G | edges | minutes | crashes | disagreements |",
              "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for harness, engine in pairs:
        of = [row for row in rows if (row["harness"], row["engine"]) == (harness, engine)]
        lines.append(line_of({**total(of), "harness": harness, "engine": engine}, len(of)))
    sums = {**total(rows), "harness": "**all**", "engine": ""}
    lines.append(line_of(sums, len(rows)))
    enough = sums["executions"] >= WANTED and 4 * sums["whole"] >= sums["executions"]
    lines += ["", "Target: at least %s executions, a quarter of them in stage G: %s." % (
        format(WANTED, ","), "reached" if enough else "not reached yet")]
    badly = sum(not passed(row) for row in rows)
    lines += ["%d of %d runs did not end normally or found something." % (badly, len(rows)), "",
              "Cores (digest of the code): " + ", ".join(sorted({row["core"] for row in rows}))]
    return lines


def line_of(sums, runs):
    return "| %s | %s | %d | %s | %s | %d | %.1f | %d | %d |" % (
        sums["harness"], sums["engine"], runs, format(sums["executions"], ","), share(sums), sums["edges"],
        sums["seconds"] / 60, sums["crashes"], sums["disagreements"])


# ---- Mutants --------------------------------------------------------------------------------------------

def code(words):
    return "`%s`" % words.replace("|", "\\|")


def mutants_of(kind):
    return [row for row in rows_of("mutants-%s.tsv" % core()) if row["seeds"] == kind]


def rows_of(name):
    folder = ["fuzz"] if name == "mutants_equivalent.tsv" else ["build", "fuzz"]
    lines = text(ROOT, *folder, name).splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def mutant_line(row):
    number = "" if row["number"] == "1" else " (%s)" % row["number"]
    said = row["said"].replace("oracle: ", "").replace("|", "\\|")
    return "| %s `%s`%s | %s becomes %s | %s | %s | %s | %s |" % (
        row["file"].replace("src/core/", ""), row["function"], number, code(row["from"]), code(row["to"]), row["found"],
        row["harness"], row["seconds"], said)


def mutant_lines():
    lines = [MUTANTS_TEXT]
    for kind, what in (("corpus", "seeds from the corpus"), ("scarce", "two small valid files as seeds")):
        rows = mutants_of(kind)
        if rows:
            count = collections.Counter(row["found"] for row in rows)
            lines += ["With %s: %d seeded, %d found: %d by a seed, %d by mutation; %d not found. Fuzzer: %s." % (
                what, len(rows), len(rows) - count["no"], count["seed"], count["mutation"], count["no"],
                ", ".join(sorted({row["fuzzer"] for row in rows}))), ""]
            lines += ["| mutant | | found by | harness | seconds | message |", "|" + " --- |" * 6]
            lines += [mutant_line(row) for row in rows] + [""]
    lines += ["Drawn, but not counted (`fuzz/mutants_equivalent.tsv`), because only a test of a part of the core",
              "distinguishes them from the core, and no call of `include/assay.h` does:", ""]
    for row in rows_of("mutants_equivalent.tsv"):
        lines.append("- %s `%s`: %s becomes %s: %s" % (
            row["file"].replace("src/core/", ""), row["function"], code(row["from"]), code(row["to"]), row["reason"]))
    return lines + [""]


def markdown(rows):
    lines = ["# Fuzzing: what was run", "", "Made by `make fuzz-report`: do not edit.", ""]
    lines += run_lines(rows) + [""] + [READERS_TEXT] + batches.markdown(batches.rows()) + [""] + mutant_lines()
    reached = text(ROOT, "build", "fuzz", "coverage.txt").splitlines()
    if reached:
        lines += [COVERAGE_TEXT] + ["    " + line for line in reached] + [""]
    return "\n".join(lines)


def main():
    rows = ledger()
    if not rows:
        sys.exit("no run yet: make fuzz")
    with open(REPORT, "w", encoding="utf-8") as f:
        f.write(markdown(rows))
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
