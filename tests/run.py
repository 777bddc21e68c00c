#!/usr/bin/env python3
"""Run the steps of `make check`, and report what passed.

    tests/run.py [NAME...]    all steps, or those named
    tests/run.py build        what the steps need: gcc, clang, sanitizers
    tests/run.py --list       the names of the steps

A step is a command that passes if it exits with 0. If it prints a line "N passed, M failed", these numbers count,
otherwise it counts as one; ", K skipped" may follow and is reported. Exit status 77 means that it could not run
here. Its output is in build/check/NAME.log, and is printed if the step fails. build/check/run.json holds the
digests of core and specification at the beginning, and the status and duration of each step, for
assurance/evidence.py. The last line is the total.
"""
import concurrent.futures
import glob
import itertools
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "assurance"))
import evidence  # noqa: E402

OUT = os.path.join(ROOT, "build", "check")
SUM = re.compile(r"^(?:.*?: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
SKIP = 77  # the exit status of a step that can't run here: reported, counted neither way
LIMIT = 2400  # seconds for one step

# Built by the first step, used by the others.
BUILD = """
make -s B=build/gcc CC=gcc WERROR=-Werror
make -s B=build/clang CC=clang WERROR=-Werror
make -s B=build/asan CC=gcc WERROR=-Werror CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
make -s
tests/conformance/build.sh
"""
# name, what it shows, command
STEPS = [
    ("assurance", "docs/assurance.md is made from the record; what runs here is of this core and specification",
     "python3 assurance/evidence.py check"),
    ("evidence", "stale evidence is reported as stale", "python3 assurance/evidence_test.py"),
    ("words", "user-facing text has no word of tests/docs/words.tsv", "python3 tests/docs/words.py"),
    ("subset", "the core keeps to its subset of C", "python3 tests/core/subset.py"),
    ("objects", "the core's object calls nothing: gcc, clang, -O0, -O2, 64 and 32 bit", "tests/core/objects.sh"),
    ("stack", "worst-case stack below 1 KiB", "python3 tests/core/stack.py"),
    ("work", "the work of the core is at most what T11 states: corpus, attacks, the costliest headers",
     "python3 tests/core/work_count.py"),
    ("trace", "every rule has its logic, code, status, file, test, section", "python3 tests/conformance/trace.py"),
    ("structure", "the source is as docs/architecture.md shows: folders, calls, names",
     "python3 tests/core/structure.py . build/gcc"),
    ("rule", "`make rule` finds the text, code, logic, proof, tests and files of each rule",
     "python3 tests/conformance/rule.py --check"),
    ("ledger", "no contract, definition or theorem has changed unseen", "python3 proofs/ledger.py"),
    ("seeded", "the text that each seeded fault replaces is in the tree",
     "python3 assurance/faults/seeded.py --places"),
    ("witness", "the preconditions of the public functions can be met: calls of each", "tests/core/witness.sh"),
    ("model", "the manifest by the model; tables and decisions", "python3 tests/conformance/manifest.py"),
    ("matrix", "the corpus: rule x boundary x place, every empty cell has a reason",
     "python3 tests/conformance/matrix.py --check"),
    ("large", "headers that are made to cost time, small ones: model, program, reference",
     "python3 tests/conformance/large.py"),
    ("conformance", "corpus/run.py: assay and the reference agree, readers that are wrong do not",
     "tests/conformance/conformance.sh"),
    ("logic", "the specification in logic against the model, on the corpus and 10,000 generated files",
     "python3 assurance/logic/compare.py"),
    ("measures", "every recursive definition of the logic ends: its measure falls, by Z3",
     "python3 proofs/measures.py"),
    ("core", "the manifest by the core", "python3 tests/conformance/manifest.py --core build/tests/driver"),
    ("core-asan", "the same under ASan and UBSan",
     "python3 tests/conformance/manifest.py --core build/tests/driver-asan"),
    ("core-clang", "the same, built by clang",
     "python3 tests/conformance/manifest.py --core build/tests/driver-clang"),
    ("cuts", "the verdict is the same however the bytes were cut: every cut of every file, ASan and UBSan too",
     "build/tests/cuts_driver corpus/manifest.tsv && build/tests/cuts_driver-asan corpus/manifest.tsv"
     " && build/tests/cuts_driver-clang corpus/manifest.tsv"),
    ("model-core", "model against core on 110,000 generated files, ASan and UBSan too",
     "python3 assurance/model/model_check.py"),
    ("slices", "slices against NumPy, under ASan and UBSan too",
     "python3 tests/conformance/slices.py build/tests/slice_driver 5000"
     " && python3 tests/conformance/slices.py build/tests/slice_driver-asan 2000 7"),
    ("reference", "the corpus and 20,000 generated files by the reference: it rejects nothing that is valid",
     "python3 assurance/reference/check.py && python3 assurance/model/model_check.py --reference 20000 2"),
    ("differential",
     "the reference in the same process: corpus, 5,000 generated files; its harness under ASan and UBSan",
     "python3 assurance/reference/differential.py 5000 && fuzz/replay.sh differential"),
    ("writer", "heads of 5,000 generated descriptions are those of the reference's writer; ASan and UBSan",
     "assurance/writer/check.sh 5000"),
    ("readers", "the record of other readers is of files that this core accepts, all differences explained",
     "python3 assurance/readers/check.py --recorded"),
    ("index", "indexes of models: src/model against spec/index_model.py and Python's json, ASan and UBSan too",
     "python3 tests/conformance/index_check.py 20000"
     " && python3 tests/conformance/index_check.py 5000 2 --driver build/tests/index_driver-asan"
     " && python3 tests/conformance/index_check.py 5000 3 --driver build/tests/index_driver-clang"),
    ("edit", "assay_flat_edit: every byte against an oracle, on the corpus and made headers; ASan and UBSan",
     "python3 tests/conformance/edit_check.py 5000"
     " && python3 tests/conformance/edit_check.py 2000 2 --driver build/tests/edit_driver-asan"
     " && python3 tests/conformance/edit_check.py 2000 3 --driver build/tests/edit_driver-clang"),
    ("program", "the manifest by the program", "python3 tests/conformance/manifest.py --program build/assay"),
    ("program-box", "black-box tests of the program", "python3 tests/program.py"),
    ("program-asan", "the same under ASan and UBSan", "python3 tests/program.py --program build/asan/assay"),
    ("schemas", "what is written for machines, against schema/ and the official schema of SARIF",
     "python3 tests/docs/schemas.py"),
    ("examples", "examples/remote_*.c: files on a server that is wrong in every way, ASan and UBSan",
     "python3 tests/docs/examples.py"),
    ("embedding", "the C code of docs/embedding.md compiles, runs and prints what the page shows",
     "python3 tests/docs/embedding.py"),
    ("readme", "the C program in README.md compiles, and its output is as shown", "python3 tests/docs/readme.py"),
    ("scanners", "the table of other tools in README.md is of this corpus", "python3 bench/scanners.py --check"),
    ("install", "make install, then a program that uses what it installed", "tests/install.sh"),
    ("dist", "make dist: lists of files and symbols, two builds with the same bytes, SBOM, versions",
     "python3 packaging/check.py dist"),
    ("wasm", "the WebAssembly of the Go module is made of these sources", "python3 packaging/wasm.py --check"),
    ("clone", "make demo in a clean clone with only a compiler and make", "tests/clone.sh"),
    ("musl", "make CC=musl-gcc: the program of another C library judges the corpus", "assurance/machines/musl.sh"),
    ("cross", "the corpus on a 32-bit and on a big-endian machine", "assurance/machines/cross.sh"),
    ("coverage", "every line and branch of the core is reached", "tests/core/coverage.sh"),
    ("regressions", "the corpus and fuzz/regressions through every harness, ASan and UBSan", "fuzz/replay.sh"),
    ("instructions", "instructions of each workload: none more than 3 % above bench/instructions.tsv",
     "python3 bench/instructions.py --check"),
    ("oss-fuzz", "the OSS-Fuzz project builds, each fuzzer runs 100 times", "fuzz/oss-fuzz/test.sh"),
]


def run(command, log):
    start = time.time()
    with open(log, "w", encoding="utf-8") as f:
        try:
            status = subprocess.run(command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=f,
                                    stderr=subprocess.STDOUT, timeout=LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            status = "none: it took too long"
    with open(log, encoding="utf-8", errors="replace") as f:
        text = f.read()
    sums = [tuple(int(number or 0) for number in s) for s in SUM.findall(text)]
    passed, failed, skipped = (sum(s[i] for s in sums) for i in range(3))
    if status == SKIP:
        return status, 0, 0, time.time() - start, text, 0
    if status != 0 and failed == 0:
        failed = 1
    if status == 0 and not sums:
        passed = 1
    if status == 0 and failed:
        status = "0 in spite of that"
    return status, passed, failed, time.time() - start, text, skipped


def skips(count):
    return ", %d skipped" % count if count else ""


def show(name, title, result):
    status, passed, failed, seconds, text, skipped = result
    word = "FAILED" if failed else "skip" if status == SKIP else "ok"
    print("%-6s %-12s %-88s %7d %6.1f s%s" % (word, name, title, passed, seconds, skips(skipped)))
    if failed:
        lines = text.splitlines()
        print("    exit status %s, %d failed; of build/check/%s.log:" % (status, failed, name))
        print("\n".join("    | " + line[:200] for line in blamed(lines) + ["the end:"] + lines[-10:]))
    sys.stdout.flush()


def blamed(lines):
    """Return the failures in the output of a step: lines with FAILED, and the last line of each traceback."""
    found = []
    for at, line in enumerate(lines):
        if line.startswith("FAILED"):
            behind = itertools.takewhile(lambda said: said.startswith((" ", "Traceback")), lines[at + 1:])
            trace = list(behind)
            found += [line] + trace[-4:] + lines[at + 1 + len(trace):at + 2 + len(trace)] * bool(trace)
    return found[:40]


def main(args):
    os.makedirs(OUT, exist_ok=True)
    found = sorted(glob.glob(os.path.join(ROOT, "tests/unit/test_*.c")))
    suites = ["suite-" + os.path.basename(f)[len("test_"):-len(".c")] for f in found]
    steps = STEPS + [(s, "Check suite, plain, ASan and UBSan, valgrind", "tests/unit/suite.sh " + s[6:])
                     for s in suites]
    if args == ["--list"]:
        print("\n".join(name for name, _, _ in steps))
        return 0
    unknown = set(args) - {name for name, _, _ in steps} - {"build"}
    if unknown:
        sys.exit("no step " + ", ".join(sorted(unknown)))
    steps = [s for s in steps if not args or s[0] in args]
    evidence.begin(OUT)
    build = run(" && ".join(BUILD.strip().splitlines()), os.path.join(OUT, "build.log"))
    show("build", "gcc, clang, no warning", build)
    passed, failed = build[1:3]
    not_run, skipped = [], build[5]
    if not failed:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for step, result in zip(steps, pool.map(lambda s: run(s[2], os.path.join(OUT, s[0] + ".log")), steps)):
                show(step[0], step[1], result)
                evidence.step_done(OUT, step[0], result[0] if isinstance(result[0], int) else 1, result[3])
                passed, failed = passed + result[1], failed + result[2]
                skipped += result[5]
                not_run += [step[0]] * (result[0] == SKIP)
    if not_run:
        print("NOT RUN, %d steps, for what they need is not here: %s" % (len(not_run), ", ".join(not_run)))
    print("%d passed, %d failed%s" % (passed, failed, skips(skipped)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
