#!/usr/bin/env python3
"""Check that every check can fail: seed the faults of seeded.tsv, one at a time, in a copy of the tree.

    assurance/faults/seeded.py [NAME...]           all faults, or those whose names begin so; --list prints the names
    assurance/faults/seeded.py --proof [NAME...]   the faults of proofs/mutants.tsv instead: each must break the proof,
                                                   except those named `open ...`: the proof lets them through, see
                                                   proofs/ASSUMPTIONS.md
    assurance/faults/seeded.py --places            seed nothing: check that the text of each row of both tables is
                                                   still in its file

A row is: name, the command of the check, file, the original text, which occurs once (empty: append), the
replacement (\\n is a line end), and what the check must print. The check must fail and print that. A fault that
was seen is not seeded again while the tree is unchanged: build/seeded.tsv; --again forgets it.
"""
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREE = os.path.join(ROOT, "build", "seeded")
SEEN = os.path.join(ROOT, "build", "seeded.tsv")
LIMIT = 1200
RECORD = ("assurance/results.tsv", "docs/assurance.md")  # change with every result; no fault is seeded there
TABLES = ["assurance/faults/seeded.tsv", "proofs/mutants.tsv"]


def rows(table):
    with open(os.path.join(ROOT, table), encoding="utf-8") as f:
        for line in f.read().splitlines()[1:]:
            if line.strip() and not line.startswith("#"):
                yield line.split("\t")


def copy():
    """Make a fresh copy of the committed tree and of what is not ignored; return its digest."""
    digest = hashlib.sha256()
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE,
                           check=True, universal_newlines=True).stdout.splitlines()
    for path in files:
        if os.path.exists(os.path.join(ROOT, path)):
            os.makedirs(os.path.dirname(os.path.join(TREE, path)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, path), os.path.join(TREE, path))
            if path not in RECORD:
                with open(os.path.join(ROOT, path), "rb") as f:
                    digest.update(b"%s\0%s\0" % (path.encode(), f.read()))
    os.makedirs(os.path.join(TREE, "build"), exist_ok=True)
    for pattern in ("venv-*", "sarif-schema-*", "reference"):  # fetched by `make deps`
        for path in glob.glob(os.path.join(ROOT, "build", pattern)):
            os.symlink(path, os.path.join(TREE, "build", os.path.basename(path)))
    return digest.hexdigest()


def seen_before(digest, again):
    """Return the names of faults that were seen on this very tree."""
    if again or not os.path.exists(SEEN):
        return set()
    with open(SEEN, encoding="utf-8") as f:
        return {line.rstrip("\n").split("\t")[1] for line in f if line.startswith(digest + "\t")}


def note(digest, name):
    with open(SEEN, "a", encoding="utf-8") as f:
        f.write("%s\t%s\n" % (digest, name))


def breaks(text):
    """Return the text with \\n and \\t replaced, except in \\nothing and \\true of ACSL."""
    return re.sub(r"\\t(?!rue)", "\t", re.sub(r"\\n(?!othing)", "\n", text))


def plant(path, old, new):
    """Seed the fault; return the original text, or None if there was no such file."""
    path = os.path.join(TREE, path)
    text = None
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as f:
            text = f.read()
    old, new = breaks(old), breaks(new)
    if old and (text or "").count(old) != 1:
        raise SystemExit("%s holds %d times: %s" % (path, (text or "").count(old), old))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text.replace(old, new) if old else (text or "") + new)
    return text


def run(command):
    """Run the command; return its exit status and output. Processes that the fault leaves running are ended too."""
    process = subprocess.Popen(command, shell=True, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, universal_newlines=True, errors="replace",
                               start_new_session=True)
    try:
        said = process.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0]
    return process.returncode, said


def check(name, command, path, old, new, says):
    text = plant(path, old, new)
    status, said = run(command)
    if text is None:
        os.remove(os.path.join(TREE, path))
        if not os.listdir(os.path.dirname(os.path.join(TREE, path))):
            os.rmdir(os.path.dirname(os.path.join(TREE, path)))
    else:
        with open(os.path.join(TREE, path), "w", encoding="utf-8", newline="") as f:
            f.write(text)
    found = re.search(says, said)
    if status != 0 and found:
        print("seen   %-24s %s" % (name, re.sub(r"\s+", " ", line_of(said, found))[:110]), flush=True)
        return True
    last = "\n    | ".join(said.splitlines()[-12:])
    print("MISSED %-24s exit status %d\n    | %s" % (name, status, last), flush=True)
    return False


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
    table = TABLES[0]
    if args == ["--places"]:
        return places()
    if args[:1] == ["--proof"]:
        table, args = TABLES[1], args[1:]
    if args == ["--list"]:
        print("\n".join(row[0] for row in rows(table)))
        return 0
    again = "--again" in args
    args = [arg for arg in args if arg != "--again"]
    shutil.rmtree(TREE, ignore_errors=True)
    digest = copy()
    proved = os.path.join("build", "prove", "session")
    if os.path.isdir(os.path.join(ROOT, proved)):  # so that only the changed goals are proved again
        shutil.copytree(os.path.join(ROOT, proved), os.path.join(TREE, proved))
    chosen = [row for row in rows(table) if not args or row[0].startswith(tuple(args))]
    known, passed = seen_before(digest, again), 0
    for row in chosen:
        seen = row[0] in known or check(*row)
        passed += seen
        if seen and row[0] not in known:
            note(digest, row[0])
    print("%d passed, %d failed" % (passed, len(chosen) - passed))
    return 0 if passed == len(chosen) and chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
