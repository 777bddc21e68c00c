#!/usr/bin/env python3
"""Compare the executable model with the core, and with the reference, on generated files.

    assurance/model/model_check.py [--reference] [COUNT [SEED]]

COUNT files (100,000): six in ten are random (generate_cases.py), four in ten break ordered pairs of rules
(random_pairs.py); a tenth more have small limits. At least 30 % must be valid, every rule must be broken in at
least 1 %, and every possible ordered pair of rules in one of 10,000 (in a million: 100 of each).

For each file, model and core must agree in verdict, rule, offset and every other error field, in the table in
layout order and in the metadata. The core runs in tests/conformance/driver.c, plain and with sanitizers, which
checks that measure, validate and parse agree, and what happens if the workspace is too small.

--reference: the Rust crate and the Python package also judge the files without limits. They must accept valid
files with the same table and metadata; invalid files that they accept must match a row of spec/decisions.md. Exit
status 77 if they are not available.
"""
import argparse
import collections
import hashlib
import json
import multiprocessing
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRIVERS = ["build/tests/driver", "build/tests/driver-asan"]
CHUNK = 4000
LIMITS = ["limit_header", "limit_tensors", "limit_rank", "limit_name", "limit_metadata"]
sys.dont_write_bytecode = True
FOLDERS = ("assurance/model", "spec", "assurance/reference")
sys.path[:0] = [os.path.join(ROOT, name) for name in FOLDERS]
import generate_cases  # noqa: E402
import model  # noqa: E402
import random_pairs  # noqa: E402
import readers  # noqa: E402

Case = collections.namedtuple("Case", "data size options")
Job = collections.namedtuple("Job", "kind seed first count")  # count files of this kind, from number first on
FILES_OF_PAIR = 4


# ---- One chunk of files, in a process of its own ---------------------------------------------------------

def make(job):
    """Make the files of a job."""
    if job.kind == "limits":
        return [Case(*case) for case in generate_cases.cases(job.seed, job.count, job.first)]
    if job.kind == "random":
        return [Case(*case, {}) for case in generate_cases.files(job.seed, job.count, job.first)]
    made = []
    for index in range(job.first // FILES_OF_PAIR, (job.first + job.count) // FILES_OF_PAIR):
        made += [Case(*case, {}) for case in random_pairs.family(job.seed, index)]
    return made


def pairs_of(results):
    """Return the ordered pairs that these files, in groups of four, break."""
    for k in range(0, len(results), FILES_OF_PAIR):
        clean, first, second, both = (result.name for result in results[k:k + FILES_OF_PAIR])
        if clean == "ok" and both == first != second:
            yield first, second


def line_of(data, size, options):
    """Return the line that the driver reads."""
    return " ".join([data.hex() or "-", "file_size=%d" % size] + ["%s=%d" % item for item in options.items()])


def differences_of_core(driver, cases, results):
    """Yield (the driver, what is wrong)."""
    lines = [line_of(*case) for case in cases]
    done = subprocess.run([os.path.join(ROOT, driver)], input="\n".join(lines) + "\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, check=False)
    given = done.stdout.splitlines()
    if done.returncode != 0 or len(given) != len(lines):
        last = lines[min(len(given), len(lines) - 1)]
        yield driver, "%s\n  exit status %d: %s" % (last, done.returncode, done.stderr[:2000])
    for line, result, got in zip(lines, results, given):
        want = json.dumps(result.as_dict())
        if got != want and json.loads(got) != json.loads(want):
            yield driver, "%s\n  model: %s\n  core:  %s" % (line, want, got)


def differences_of_reference(commands, cases, results, seen):
    """Yield (the reader, what is wrong); count how the readers compare with the model."""
    files = [(case.data, case.size) for case in cases]
    for case, result, *lines in zip(cases, results, *(readers.ask(command, files) for command in commands.values())):
        kinds = set()
        for reader, line in zip(commands, lines):
            kind, trouble = readers.explain(case.data, result, line)
            kinds.add(kind)
            seen[reader, kind] += 1
            if trouble:
                yield reader, "%s\n  says %s; %s" % (line_of(*case), line[:500], trouble)
        if len(kinds - {"skipped"}) > 1:
            yield "readers", "%s\n  differ: %s" % (line_of(*case), lines)


def chunk(task):
    """Return (counts, (who differs, what is wrong)..., a digest of each file)."""
    job, commands = task
    seen = collections.Counter()
    cases = make(job)
    results = [model.judge(*case) for case in cases]
    seen.update(("limits" if job.kind == "limits" else "files", result.name) for result in results)
    if job.kind == "pairs":
        seen.update(("pair", *pair) for pair in pairs_of(results))
    differences = [text for driver in DRIVERS for text in differences_of_core(driver, cases, results)]
    if job.kind != "limits":
        differences += differences_of_reference(commands, cases, results, seen)
    digests = {hashlib.blake2b(b"%d %s" % (case.size, case.data), digest_size=8).digest() for case in cases}
    return seen, differences, set() if job.kind == "limits" else digests


# ---- All of them -----------------------------------------------------------------------------------------

def jobs(count, seed):
    paired = count * 4 // 10 // FILES_OF_PAIR * FILES_OF_PAIR
    for kind, number in (("pairs", paired), ("random", count - paired), ("limits", count // 10)):
        for first in range(0, number, CHUNK):
            yield Job(kind, seed, first, min(CHUNK, number - first))


def shortfalls(seen, count):
    """Report what the files lack."""
    total = sum_of(seen, "files")
    if total < count:
        yield "only %d files" % total
    if seen["files", "ok"] * 10 < total * 3:
        yield "valid: only %d of %d files" % (seen["files", "ok"], total)
    for name, row in model.RULES.items():
        if seen["files", name] * 100 < total:
            yield "%s %s: only %d of %d files break it" % (row["id"], name, seen["files", name], total)
    for name in LIMITS:
        if seen["limits", name] * 100 < sum_of(seen, "limits"):
            yield "%s: only %d of %d files" % (name, seen["limits", name], sum_of(seen, "limits"))
    for first, second in random_pairs.PAIRS:
        if seen["pair", first, second] < count // 10_000:
            yield "pair %s, %s: only %d files" % (first, second, seen["pair", first, second])
    for first, second in random_pairs.IMPOSSIBLE:
        if seen["pair", first, second]:
            yield "pair %s, %s: impossible by assurance/model/pairs.tsv, but in %d files" % (
                first, second, seen["pair", first, second])


def sum_of(seen, kind):
    return sum(number for key, number in seen.items() if key[0] == kind)


def pairs_in_words(seen, pairs):
    """Return the number of pairs, and the smallest count of one."""
    counts = [seen["pair", first, second] for first, second in pairs]
    return "%d, each in %d or more" % (len(counts), min(counts)) if counts else "0"


def report(seen, different, asked):
    total, pairs = sum_of(seen, "files"), random_pairs.PAIRS
    invalid = sum(seen["files", name] for name in model.RULES)
    yield "%d files (%d different), %d of them valid (%.1f %%), %d invalid; and %d with small limits" % (
        total, different, seen["files", "ok"], 100 * seen["files", "ok"] / total, invalid, sum_of(seen, "limits"))
    yield ""
    yield "%-26s%8s%10s   %-29s%s" % ("rule that the file breaks", "files", "share", "other rules broken after it",
                                      "other rules reported before it")
    for name, row in model.RULES.items():
        yield "%-4s%-22s%8d%8.2f %%   %-29s%s" % (
            row["id"], name, seen["files", name], 100 * seen["files", name] / total,
            pairs_in_words(seen, [pair for pair in pairs if pair[0] == name]),
            pairs_in_words(seen, [pair for pair in pairs if pair[1] == name]))
    yield ""
    yield "ordered pairs of rules, the first reported, the second broken too: %s files" % pairs_in_words(seen, pairs)
    why = collections.Counter(random_pairs.IMPOSSIBLE.values())
    yield "the other %d cannot be; files that break one all the same: %d" % (
        sum(why.values()), sum(seen["pair", first, second] for first, second in random_pairs.IMPOSSIBLE))
    for text, number in why.items():
        yield "  %3d  %s" % (number, text)
    yield ""
    yield "limits: " + ", ".join("%s %d" % (name, seen["limits", name]) for name in LIMITS)
    for reader in asked:
        yield ""
        large = seen[reader, "skipped"] - (total - invalid - seen["files", "ok"])
        yield "the reference's %s: accepts %d of %d valid files, rejects %d of %d invalid ones; too large: %d" % (
            reader, seen[reader, "both accept"], seen["files", "ok"], seen[reader, "both reject"], invalid, large)
        yield "  accepts and assay does not: " + ", ".join(
            "%s %d" % (name, seen[reader, name]) for name in readers.decisions())


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    args = parser.parse_args(argv)
    args.readers = {"crate": readers.crate(), "package": readers.package()} if args.reference else {}
    seen, failed, different = collections.Counter(), collections.Counter(), set()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        tasks = [(job, args.readers) for job in jobs(args.count, args.seed)]
        for counted, differences, digests in pool.imap(chunk, tasks):
            seen.update(counted)
            different |= digests
            for who, text in differences:
                failed[who] += 1
                if failed[who] <= 3:
                    print("DIFFERENCE: %s: %s" % (who, text[:3000]), flush=True)
    lines = list(report(seen, len(different), args.readers))
    wrong, short = sum(failed.values()), list(shortfalls(seen, args.count))
    passed = max(0, sum_of(seen, "files") + sum_of(seen, "limits") - wrong)
    lines += ["", "disagreements: %d" % wrong, *short, "%d passed, %d failed" % (passed, wrong + len(short))]
    print("\n".join(lines))
    return 1 if wrong or short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
