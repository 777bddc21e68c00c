#!/usr/bin/env python3
"""Is every check able to fail? Plants the defects of tests/planted.tsv, one at a time, in a copy of the tree.

    tests/planted.py [NAME...]         all defects, or those whose name begins so; --list prints their names
    tests/planted.py --proof [NAME...]   those of proofs/mutants.tsv instead: each must break the proof, but those named
                                       `open ...`: the proof lets them through, see proofs/ASSUMPTIONS.md
    tests/planted.py --places          plants none: does the text of each row of both tables still stand in its place?

A row is: name, the check's command, file, the text that is there once (empty: append), the text to put there (\\n is a
line end), and what the check must then say. The check must end with a failure and say that.
"""
import os
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TREE = os.path.join(ROOT, "build", "planted")
LIMIT = 1200
TABLES = ["tests/planted.tsv", "proofs/mutants.tsv"]


def rows(table):
    with open(os.path.join(ROOT, table), encoding="utf-8") as f:
        for line in f.read().splitlines()[1:]:
            if line.strip() and not line.startswith("#"):
                yield line.split("\t")


def copy():
    """The committed tree and what is not ignored, in a fresh copy."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE,
                           check=True, universal_newlines=True).stdout.splitlines()
    for path in files:
        if os.path.exists(os.path.join(ROOT, path)):
            os.makedirs(os.path.dirname(os.path.join(TREE, path)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, path), os.path.join(TREE, path))


def breaks(text):
    """\\n and \\t as what they stand for, but in ACSL's \\nothing and \\true."""
    return re.sub(r"\\t(?!rue)", "\t", re.sub(r"\\n(?!othing)", "\n", text))


def plant(path, old, new):
    """Put the defect in; the text as it was, or None if there was no such file."""
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
    """Its exit status and what it says. What a defect has left behind when the time is over is ended, too."""
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
    """The rows whose place has gone: a defect that can't be planted shows nothing."""
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
    shutil.rmtree(TREE, ignore_errors=True)
    copy()
    proved = os.path.join("build", "prove", "session")
    if os.path.isdir(os.path.join(ROOT, proved)):  # so that only the goals that change are proved anew
        shutil.copytree(os.path.join(ROOT, proved), os.path.join(TREE, proved))
    chosen = [row for row in rows(table) if not args or row[0].startswith(tuple(args))]
    passed = sum(check(*row) for row in chosen)
    print("%d passed, %d failed" % (passed, len(chosen) - passed))
    return 0 if passed == len(chosen) and chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
