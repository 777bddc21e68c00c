#!/usr/bin/env python3
"""Check that every check can fail: seed the faults of seeded.tsv, one at a time, in a copy of the tree.

    assurance/faults/seeded.py [NAME...]           all faults, or those whose names begin so; --list prints the names
    assurance/faults/seeded.py --proof [NAME...]   the faults of proofs/mutants.tsv instead: each must break the proof,
                                                   except those named `open ...`: the proof lets them through, see
                                                   proofs/ASSUMPTIONS.md
    assurance/faults/seeded.py --places            seed nothing: check that the text of each row of both tables is
                                                   still in its file
    --again     also those that were seen before
    --jobs N    N at a time, each in a copy of its own; one for each core, unless given

A row is: name, the command of the check, file, the original text, which occurs once (empty: append), the
replacement (\\n is a line end), and what the check must print. The check must fail and print that. A fault that
was seen is not seeded again while its row, its file, all tests in the folders that its command names, and all that
the evidence is of (`proof` in evidence.py) are unchanged: build/seeded.tsv. So a run that was stopped continues.
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

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "assurance"))
import evidence  # noqa: E402

TREES = os.path.join(ROOT, "build", "seeded")
SEEN = os.path.join(ROOT, "build", "seeded.tsv")
LIMIT = 1200
TESTS = re.compile(r"(tests|assurance|fuzz|proofs|packaging)/.*\.(py|sh|c|h|mjs)$|bench/.*\.py$|"
                   r"bindings/.*(/tests?/|check|_test\.go$)|Makefile$")
AREA = re.compile(r"\b(tests|assurance|fuzz|proofs|packaging|bench|bindings/\w+)/")  # tests that a command runs
TABLES = ["assurance/faults/seeded.tsv", "proofs/mutants.tsv"]


def rows(table):
    with open(os.path.join(ROOT, table), encoding="utf-8") as f:
        for line in f.read().splitlines()[1:]:
            if line.strip() and not line.startswith("#"):
                yield line.split("\t")


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
    """Return for each area a digest of its tests and tools. The Makefile is an area of its own, with the name ""."""
    found = {}
    for path in sorted(committed()):
        if TESTS.match(path):
            area = AREA.match(path)
            digest = found.setdefault(area[1] if area else "", hashlib.sha256())
            with open(os.path.join(ROOT, path), "rb") as f:
                digest.update(b"%s\0%s\0" % (path.encode(), f.read()))
    return {area: digest.hexdigest() for area, digest in found.items()}


def areas_of(command, areas):
    """Return the areas whose tests a command runs. tests/run.py runs those of any, and so may a command that names
    none."""
    named = set(AREA.findall(command)) & set(areas)
    return sorted(areas if not named or "tests/run.py" in command else named | {""})


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
        found.append(digest.hexdigest()[:32])
    return found


def seen_before():
    """Return the keys of the faults that were seen."""
    if not os.path.exists(SEEN):
        return set()
    with open(SEEN, encoding="utf-8") as f:
        return {line.split("\t")[0] for line in f}


def note(key, name):
    with open(SEEN, "a", encoding="utf-8") as f:
        f.write("%s\t%s\n" % (key, name))


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
    try:
        return (number, *check(TREE, row))
    except ValueError as error:
        return number, False, "MISSED %-24s %s" % (row[0], error)


def places():
    """Report rows whose text is gone: a fault that can't be seeded shows nothing."""
    passed = failed = 0
    for table in TABLES:
        for name, _, path, old, *_ in rows(table):
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
    parser.add_argument("--proof", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args(args)
    if asked.places:
        return places()
    chosen = [row for row in rows(TABLES[asked.proof])
              if not asked.names or row[0].startswith(tuple(asked.names))]
    if asked.list:
        print("\n".join(row[0] for row in chosen))
        return 0
    key = keys(chosen)
    known = set() if asked.again else seen_before()
    todo = [number for number in range(len(chosen)) if key[number] not in known]
    passed = len(chosen) - len(todo)
    print("%d faults, %d of them seen before" % (len(chosen), passed), flush=True)
    if todo:
        jobs = max(1, min(asked.jobs, len(todo)))
        trees = multiprocessing.Queue()
        for number in range(jobs):
            copy(os.path.join(TREES, str(number)))
            trees.put(os.path.join(TREES, str(number)))
        with multiprocessing.Pool(jobs, begin, (trees,)) as pool:
            for done, (number, seen, text) in enumerate(
                    pool.imap_unordered(work, [(number, chosen[number]) for number in todo]), 1):
                print("%4d/%d %s" % (done, len(todo), text), flush=True)
                if seen:
                    note(key[number], chosen[number][0])
                    passed += 1
    print("%d passed, %d failed" % (passed, len(chosen) - passed))
    return 0 if passed == len(chosen) and chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
