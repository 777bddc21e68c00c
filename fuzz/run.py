#!/usr/bin/env python3
"""Run the fuzzing harnesses with both engines, starting from the corpus.

    fuzz/run.py [--seconds N] [--jobs N] [--engine libfuzzer|fast|afl] [HARNESS...]
    fuzz/run.py --minimize [HARNESS...]   keep only inputs that reach something that no other input reaches
    fuzz/run.py --many [--seconds N]      run libFuzzer without sanitizers, harness after harness, until there are a
                                          hundred million executions of this core, a quarter of them in the stage of
                                          the whole file

Inputs that are found are kept in build/fuzz/corpus/HARNESS, where the next run begins. Inputs on which an oracle
or a sanitizer fails are in build/fuzz/runs/*/found/. The logs are in build/fuzz/runs/, from which fuzz/report.py
makes its report. The output ends with a table and the line "N passed, N failed": a run passes if it ended normally
and found nothing.
"""
import argparse
import concurrent.futures
import datetime
import itertools
import os
import shutil
import signal
import subprocess
import sys

import report
import seeds

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BASE = os.path.join(ROOT, "build", "fuzz")
MUTATED = ["structure", "large", "access"]  # harnesses with a mutator
# libFuzzer with ASan and UBSan; without them, for ten times as many executions, only on request; AFL++.
ENGINES = ["libfuzzer", "fast", "afl"]
USUAL = ["libfuzzer", "afl"]
FEW = 400  # inputs with which AFL++ begins: it runs each many times before it changes the first
# AFL++ requires settings of the machine that a fuzzer may not change, and a terminal.
AFL = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_AFFINITY": "1",
       "AFL_FAST_CAL": "1", "AFL_QUIET": "1", "AFL_CMPLOG_ONLY_NEW": "1", "AFL_HANG_TMOUT": "60000"}


def place(*parts):
    return os.path.join(BASE, *parts)


def build(engine, harnesses=()):
    """Build all harnesses, or only some."""
    log = place(engine + ".log")
    os.makedirs(BASE, exist_ok=True)
    with open(log, "w", encoding="utf-8") as f:
        done = subprocess.run(["make", "-s", "-j2", "-f", "fuzz/Makefile", "ENGINE=" + engine,
                               *("build/fuzz/%s/%s" % (engine, name) for name in harnesses)],
                              cwd=ROOT, stdout=f, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        with open(log, encoding="utf-8") as f:
            sys.exit(f.read() + "fuzz/Makefile: the harnesses for %s can't be built" % engine)


def prepare(harness):
    """Return the folder of inputs, with the seeds in it."""
    corpus = place("corpus", harness)
    os.makedirs(corpus, exist_ok=True)
    for name, data in seeds.seeds(harness):
        path = os.path.join(corpus, "seed-" + name)
        if not os.path.exists(path):
            with open(path, "wb") as f:
                f.write(data)
    return corpus


def run(harness, engine, seconds):
    """Run one harness; return the folder of its logs."""
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%S")
    folder = place("runs", "%s-%s-%s" % (stamp, harness, engine))
    os.makedirs(os.path.join(folder, "found"))
    with open(os.path.join(folder, "core"), "w", encoding="ascii") as f:
        f.write(report.core())  # now: it may be another when the report is made
    corpus, program = place("corpus", harness), place(engine, harness)
    environment = {**os.environ, "FUZZ_COUNTS": os.path.join(folder, "counts")}
    if engine != "afl":
        longest = seeds.USUAL if engine == "fast" else seeds.longest(harness)
        command = [program, "-dict=" + seeds.DICTIONARY, "-max_len=%d" % longest,
                   "-max_total_time=%d" % seconds, "-timeout=60", "-print_final_stats=1",
                   "-artifact_prefix=" + os.path.join(folder, "found", ""), corpus]
    else:
        environment.update(AFL)
        if harness in MUTATED:
            environment["AFL_CUSTOM_MUTATOR_LIBRARY"] = place(engine, harness + ".so")
        command = ["afl-fuzz", "-i", few(harness), "-o", os.path.join(folder, "out"), "-V", str(seconds),
                   "-G", str(seeds.longest(harness)), "-t", "5000" if harness == "large" else "5000+",
                   "-x", seeds.DICTIONARY,
                   "-c", place("cmplog", harness), "--", program]
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        try:
            status = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=subprocess.STDOUT, timeout=4 * seconds + 300, check=False).returncode
        except subprocess.TimeoutExpired:
            status = "none: it did not end"
        log.write("exit status %s\n" % status)
    if engine == "afl":
        end_children(folder)
        collect(folder, corpus)
    judge(folder, program)
    return folder


def end_children(folder):
    """End the children of the second fork server, which AFL++ leaves stopped: the processes that count into this
    folder."""
    mine = ("FUZZ_COUNTS=" + os.path.join(folder, "counts")).encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(os.path.join("/proc", pid, "environ"), "rb") as f:
                if mine in f.read().split(b"\0"):
                    os.kill(int(pid), signal.SIGKILL)
        except OSError:  # another user's, or gone
            pass


def collect(folder, corpus):
    """Copy what AFL++ found to the folder of inputs, and beside the log."""
    out, found = os.path.join(folder, "out", "default"), os.path.join(folder, "found")
    for kind, to in (("queue", corpus), ("crashes", found), ("hangs", found)):
        source = os.path.join(out, kind)
        for name in sorted(os.listdir(source)) if os.path.isdir(source) else []:
            if name.startswith("id:") and not (kind == "queue" and ",orig:" in name):
                shutil.copy(os.path.join(source, name), os.path.join(to, kind + "-" + name.replace(":", "-")[:80]))
    if os.path.exists(os.path.join(out, "fuzzer_stats")):
        shutil.copy(os.path.join(out, "fuzzer_stats"), folder)
    shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)


def judge(folder, program):
    """Run the harness on each input that was kept as a failure, and write its messages."""
    found = os.path.join(folder, "found")
    with open(os.path.join(folder, "verdicts"), "w", encoding="utf-8") as f:
        for name in sorted(os.listdir(found))[:50]:
            path = os.path.join(found, name)
            try:
                done = subprocess.run([program, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, universal_newlines=True, errors="replace", timeout=120,
                                      check=False)
                said = [line for line in done.stdout.splitlines()
                        if line.startswith("oracle: ") or "Sanitizer" in line or "runtime error" in line]
                if name.startswith(("slow-unit", "hangs")) and done.returncode == 0:
                    continue  # it was slow, perhaps on a busy machine, but it ends
                verdict = said[0] if said else "nothing: exit status %d" % done.returncode
            except subprocess.TimeoutExpired:
                verdict = "it does not end"
            f.write("%s\t%s\n" % (verdict.replace(ROOT + "/", ""), os.path.relpath(path, ROOT)))


def few(harness):
    """Make a folder with the shortest inputs."""
    corpus, less = place("corpus", harness), place("corpus", harness + ".few")
    shutil.rmtree(less, ignore_errors=True)
    os.makedirs(less)
    for entry in sorted(os.scandir(corpus), key=lambda entry: (entry.stat().st_size, entry.name))[:FEW]:
        shutil.copy(entry.path, less)
    return less


def minimize(harness):
    corpus, less = place("corpus", harness), place("corpus", harness + ".less")
    before = len(os.listdir(corpus))
    shutil.rmtree(less, ignore_errors=True)
    os.makedirs(less)
    done = subprocess.run([place("libfuzzer", harness), "-merge=1", "-max_len=%d" % seeds.longest(harness), less,
                           corpus], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode == 0:
        shutil.rmtree(corpus)
        os.rename(less, corpus)
    print("%-10s %6d inputs, %6d are enough" % (harness, before, len(os.listdir(corpus))))
    return done.returncode == 0


def judged():
    """Return the runs of this core, without the harnesses that never call it to judge what a fuzzer made."""
    mine = [one for one in report.ledger() if one["core"] == report.core()]
    return [one for one in mine if one["harness"] not in ("index", "remote")]


def many(seconds):
    """Run until there are as many executions of this core as report.py requires; add each run to its table."""
    others = itertools.cycle([name for name in seeds.HARNESSES if name not in ("structure", "index", "remote")])
    while True:
        row = report.total(judged())
        short = 4 * row["whole"] < max(row["executions"], report.WANTED)
        if row["executions"] >= report.WANTED and not short:
            return []
        chosen = ["structure"] * (1 + 3 * short) + [next(others)]
        rows = [report.read_run(run(harness, "fast", seconds)) for harness in chosen]
        print(report.table(rows), flush=True)
        if not all(map(report.passed, rows)):
            return [False]


def main(args):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--minimize", action="store_true")
    parser.add_argument("--many", action="store_true")
    parser.add_argument("harness", nargs="*")
    given = parser.parse_args(args)
    unknown = set(given.harness) - set(seeds.HARNESSES)
    if unknown:
        parser.error("no harness " + ", ".join(sorted(unknown)))
    if "differential" not in seeds.HARNESSES:
        print("SKIPPED: harness differential: fuzz/differential/build.sh has not made its library")
    harnesses = given.harness or seeds.HARNESSES
    engines = ["libfuzzer"] if given.minimize else ["fast"] if given.many else given.engine or USUAL
    for engine in engines + ["cmplog"] * ("afl" in engines):
        build(engine, given.harness if engine in ("libfuzzer", "fast") else ())  # AFL++ needs the mutators, too
    for harness in harnesses:
        prepare(harness)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        if given.minimize:
            results = list(pool.map(minimize, harnesses))
        elif given.many:
            results = many(given.seconds)
        else:
            pairs = [(harness, engine) for engine in engines for harness in harnesses]
            folders = list(pool.map(lambda pair: run(*pair, given.seconds), pairs))
            rows = [report.read_run(folder) for folder in folders]
            print(report.table(rows))
            for folder in folders:
                sys.stdout.write(report.text(folder, "verdicts"))
            results = [report.passed(row) for row in rows]
    if given.many and all(results):
        row = report.total(judged())
        print("%d passed, %d failed" % (row["executions"], row["crashes"] + row["disagreements"]))
        return 1 if row["crashes"] + row["disagreements"] else 0
    print("%d passed, %d failed" % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
