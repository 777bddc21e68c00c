#!/usr/bin/env python3
"""Check that every check can fail: seed the faults of seeded.tsv, one at a time, in a copy of the tree.

    assurance/faults/seeded.py [NAME...]           all faults, or those whose names begin so; --list prints the names
    assurance/faults/seeded.py --places            seed nothing: check that the text of each row is still in its
                                                   file, and also of each of proofs/faults.tsv (proof_faults.py)
    --again     also those that are on record
    --jobs N    N at a time, each in a copy of its own; one for each core, unless given

A row is: name, the command of the check, file, the original text, which occurs once (empty: append), the
replacement (\\n is a line end), and what the check must print. The check must fail and print that. A fault that
was seen is on record in seen.tsv, and not seeded again while its row, its file, all tests in the folders that its
command names, and all that the evidence is of (`proof` in evidence.py) are unchanged. So all can be done in parts.
"""
import argparse
import glob
import hashlib
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "assurance"))
import evidence  # noqa: E402
from seen import Record  # noqa: E402

TREES = os.path.join(ROOT, "build", "seeded")
LIMIT = 1200
TESTS = re.compile(r"(tests|assurance|fuzz|proofs|packaging)/.*\.(py|sh|c|h|mjs)$|bench/.*\.py$|"
                   r"bindings/.*(/tests?/|check|_test\.go$)")
# The tests that a command runs are those of the areas that it names. Two areas within tests/ need no other of it.
AREA = re.compile(r"\b(tests/unit|tests/program|tests|assurance|fuzz|proofs|packaging|bench|bindings/\w+)(?:/|\.py)")
TABLE, PROOF = "assurance/faults/seeded.tsv", "proofs/faults.tsv"


def rows(table):
    with open(os.path.join(ROOT, table), encoding="utf-8") as f:
        for line in f.read().splitlines()[1:]:
            if line.strip() and not line.startswith("#"):
                yield line.split("\t")


def names():
    """Return the names of all faults, of both tables."""
    return [row[0] for table in (TABLE, PROOF) for row in rows(table)]


def committed():
    """Return the files of the tree that are committed, or not ignored."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE,
                            check=True, universal_newlines=True).stdout.splitlines()
    return [path for path in listed if os.path.isfile(os.path.join(ROOT, path))]


def copy(tree):
    """Make a fresh copy of the tree."""
    shutil.rmtree(tree, ignore_errors=True)
    for path in committed():
        os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, path), os.path.join(tree, path))
    os.makedirs(os.path.join(tree, "build"), exist_ok=True)
    for pattern in ("venv-*", "sarif-schema-*", "reference"):  # fetched by `make deps`
        for path in glob.glob(os.path.join(ROOT, "build", pattern)):
            os.symlink(path, os.path.join(tree, "build", os.path.basename(path)))
    proved = os.path.join("build", "prove", "session")
    if os.path.isdir(os.path.join(ROOT, proved)):  # so that only the changed goals are proved again
        shutil.copytree(os.path.join(ROOT, proved), os.path.join(tree, proved))


def digests_of_tests():
    """Return for each area a digest of its tests and tools."""
    found = {}
    for path in sorted(committed()):
        if TESTS.match(path):
            digest = found.setdefault(AREA.match(path)[1], hashlib.sha256())
            with open(os.path.join(ROOT, path), "rb") as f:
                digest.update(b"%s\0%s\0" % (path.encode(), f.read()))
    return {area: digest.hexdigest() for area, digest in found.items()}


def areas_of(command, areas):
    """Return the areas whose tests a command runs. tests/run.py runs those of any, and so may a command that names
    none."""
    named = set(AREA.findall(command)) & set(areas)
    if not named or "tests/run.py" in command:
        return sorted(areas)
    return sorted(named | {area for area in areas if "tests" in named and area.startswith("tests/")})


def keys(chosen):
    """Return for each row a digest of all that the result of its fault is remembered for."""
    proof, tests = evidence.subject_digest("proof"), digests_of_tests()
    found = []
    for row in chosen:
        seen_by = [tests[area] for area in areas_of(row[1], tests)]  # all tests there: a fault was seen by these
        digest = hashlib.sha256("\t".join([proof, *seen_by, *row]).encode())
        path = os.path.join(ROOT, row[2])
        if os.path.exists(path):
            with open(path, "rb") as f:
                digest.update(f.read())
        found.append(digest.hexdigest()[:16])
    return found


def breaks(text):
    """Return the text with \\n and \\t replaced, except in \\nothing and \\true of ACSL."""
    return re.sub(r"\\t(?!rue)", "\t", re.sub(r"\\n(?!othing)", "\n", text))


def plant(tree, path, old, new):
    """Seed the fault; return the original text, or None if there was no such file."""
    path = os.path.join(tree, path)
    text = None
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as f:
            text = f.read()
    old, new = breaks(old), breaks(new)
    if old and (text or "").count(old) != 1:
        raise ValueError("%s holds %d times: %s" % (path, (text or "").count(old), old))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text.replace(old, new) if old else (text or "") + new)
    return text


def run(tree, command):
    """Run the command; return its exit status and output. Processes that the fault leaves running are ended too."""
    process = subprocess.Popen(command, shell=True, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, universal_newlines=True, errors="replace",
                               start_new_session=True)
    try:
        said = process.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0]
    return process.returncode, said


def check(tree, row):
    """Seed the fault of a row; return whether its check failed as it must, and a line or more about that."""
    name, command, path, old, new, says = row
    text = plant(tree, path, old, new)
    status, said = run(tree, command)
    planted = os.path.join(tree, path)
    if text is None:
        os.remove(planted)
        if not os.listdir(os.path.dirname(planted)):
            os.rmdir(os.path.dirname(planted))
    else:
        with open(planted, "w", encoding="utf-8", newline="") as f:
            f.write(text)
    found = re.search(says, said)
    if status != 0 and found:
        return True, "seen   %-24s %s" % (name, re.sub(r"\s+", " ", line_of(said, found))[:110])
    return False, "MISSED %-24s exit status %d\n    | %s" % (name, status, "\n    | ".join(said.splitlines()[-12:]))


def begin(trees):
    """Of each process: take a copy of the tree."""
    global TREE
    TREE = trees.get()


def work(task):
    number, row = task
    began = time.time()
    try:
        return (number, *check(TREE, row), time.time() - began)
    except ValueError as error:
        return number, False, "MISSED %-24s %s" % (row[0], error), 0


def places():
    """Report rows whose text is gone: a fault that can't be seeded shows nothing."""
    passed = failed = 0
    for table in (TABLE, PROOF):
        for row in rows(table):
            name, (path, old) = row[0], row[2:4] if table == TABLE else row[3:5]
            count = 1
            if old:
                with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as f:
                    count = f.read().count(breaks(old))
            passed, failed = passed + (count == 1), failed + (count != 1)
            if count != 1:
                print("%s: %s: %s holds %d times: %s" % (table, name, path, count, old))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


def line_of(text, found):
    begin = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.start())
    return text[begin:end if end >= 0 else len(text)]


def main(args):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args(args)
    if asked.places:
        return places()
    chosen = [row for row in rows(TABLE) if not asked.names or row[0].startswith(tuple(asked.names))]
    if asked.list:
        print("\n".join(row[0] for row in chosen))
        return 0
    key, record = keys(chosen), Record(names())
    known = set() if asked.again else record.known()
    todo = [number for number, row in enumerate(chosen) if (row[0], key[number]) not in known]
    passed = len(chosen) - len(todo)
    print("%d faults, %d of them on record" % (len(chosen), passed), flush=True)
    if todo:
        jobs = max(1, min(asked.jobs, len(todo)))
        trees = multiprocessing.Queue()
        for number in range(jobs):
            copy(os.path.join(TREES, str(number)))
            trees.put(os.path.join(TREES, str(number)))
        with multiprocessing.Pool(jobs, begin, (trees,)) as pool:
            for done, (number, seen, text, seconds) in enumerate(
                    pool.imap_unordered(work, [(number, chosen[number]) for number in todo]), 1):
                print("%4d/%d %s" % (done, len(todo), text), flush=True)
                if seen:
                    record.add(chosen[number][0], key[number], seconds)
                    passed += 1
    print("%d passed, %d failed" % (passed, len(chosen) - passed))
    return 0 if passed == len(chosen) and chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
