#!/usr/bin/env python3
"""What the fuzzers did: reads the logs of fuzz/run.py and writes fuzz/REPORT.md.

    fuzz/report.py

Each run in build/fuzz/runs/ becomes a row of fuzz/runs.tsv, once; the report is made from that table alone, so it adds
up over machines and time.
"""
import os
import re
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = os.path.join(ROOT, "build", "fuzz", "runs")
LEDGER = os.path.join(ROOT, "fuzz", "runs.tsv")
REPORT = os.path.join(ROOT, "fuzz", "REPORT.md")
COLUMNS = ["run", "core", "harness", "engine", "seconds", "executions", "whole", "edges", "crashes", "disagreements",
           "ended"]
NUMBERS = COLUMNS[4:10]
WANTED = 100_000_000  # executions in total, a quarter of them in the stage of the whole file


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
    """Which core: a hash of src/core and include as git has them."""
    done = subprocess.run("git ls-files -s src/core include | sha1sum", shell=True, cwd=ROOT, stdout=subprocess.PIPE,
                          check=False)
    return done.stdout.decode()[:10]


def counts(folder):
    """Executions, and those that reached the stage of the whole file, as the harness counted them (fuzz/counts.c)."""
    try:
        with open(os.path.join(folder, "counts"), "rb") as f:
            return struct.unpack("<2Q", f.read(16))
    except (FileNotFoundError, struct.error):
        return 0, 0


def read_run(folder):
    """One run as a row."""
    stamp, harness, engine = os.path.basename(folder).split("-")
    log, stats = text(folder, "log"), text(folder, "fuzzer_stats")
    verdicts = text(folder, "verdicts").splitlines()
    executions, whole = counts(folder)
    row = {"run": stamp, "core": core(), "harness": harness, "engine": engine, "executions": executions, "whole": whole}
    row["disagreements"] = sum(line.startswith("oracle: ") for line in verdicts)
    row["crashes"] = len(verdicts) - row["disagreements"]
    if engine == "libfuzzer":
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
    return "-" if row["harness"] == "decode" else "%d %%" % (100 * row["whole"] // max(row["executions"], 1))


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
    rows = []
    for line in text(LEDGER).splitlines()[1:]:
        row = dict(zip(COLUMNS, line.split("\t")))
        rows.append({**row, **{name: int(row[name]) for name in NUMBERS}})
    known = {(row["run"], row["harness"], row["engine"]) for row in rows}
    for name in sorted(os.listdir(RUNS)) if os.path.isdir(RUNS) else []:
        row = read_run(os.path.join(RUNS, name))
        if (row["run"], row["harness"], row["engine"]) not in known and row["executions"] > 0:
            rows.append(row)
    with open(LEDGER, "w", encoding="ascii") as f:
        f.write("\t".join(COLUMNS) + "\n")
        f.writelines("\t".join(str(row[name]) for name in COLUMNS) + "\n" for row in rows)
    return rows


def total(rows):
    """The runs of one harness by one engine, added up; edges are those of the run that saw most."""
    sums = {name: sum(row[name] for row in rows) for name in NUMBERS}
    sums["edges"] = max(row["edges"] for row in rows)
    return sums


def markdown(rows):
    pairs = sorted({(row["harness"], row["engine"]) for row in rows})
    lines = ["# Fuzzing: what was run", "",
             "Made by `fuzz/report.py` from `fuzz/runs.tsv`, one row a run of `make fuzz` or `make fuzz-long`.",
             "Executions and their share that reached the stage of the whole file (G) are counted by the harness itself;",
             "edges are the engine's, over core, program and model, in the run that saw most. A disagreement is an oracle",
             "that spoke, a crash all else: a sanitizer, a signal, an input that does not end.", "",
             "| harness | engine | runs | executions | reached G | edges | hours | crashes | disagreements |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for harness, engine in pairs:
        of = [row for row in rows if (row["harness"], row["engine"]) == (harness, engine)]
        sums = {**total(of), "harness": harness}
        lines.append("| %s | %s | %d | %s | %s | %d | %.1f | %d | %d |" % (
            harness, engine, len(of), format(sums["executions"], ","), share(sums), sums["edges"],
            sums["seconds"] / 3600, sums["crashes"], sums["disagreements"]))
    sums = {**total(rows), "harness": ""}
    lines.append("| **all** | | %d | %s | %s | | %.1f | %d | %d |" % (
        len(rows), format(sums["executions"], ","), share(sums), sums["seconds"] / 3600, sums["crashes"],
        sums["disagreements"]))
    enough = sums["executions"] >= WANTED and 4 * sums["whole"] >= sums["executions"]
    lines += ["", "Wanted: at least %s executions, a quarter of them in stage G: %s." % (
        format(WANTED, ","), "reached" if enough else "not reached yet")]
    cores = sorted({row["core"] for row in rows})
    lines += ["", "Cores (hash of `git ls-files -s src/core include`): %s." % ", ".join(cores), ""]
    return "\n".join(lines)


def main():
    rows = ledger()
    if not rows:
        sys.exit("no run yet: make fuzz")
    with open(REPORT, "w", encoding="ascii") as f:
        f.write(markdown(rows))
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
