#!/usr/bin/env python3
"""Test evidence.py: in a small separate tree, change code, annotations, specification, record, page and runs, one
at a time, and check what is reported as stale. Also check that every kind of evidence in evidence.tsv has its step
or target.

    assurance/evidence_test.py
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CODE = "/* A comment. */\n/*@ ensures \\result == 1; */\nint one(void) { return 1; }\n"
KINDS = """id	group	shows	runs	command	of	figure
unit	tests	units	check	true	code	tests
logic	tests	logic	check	true	spec	files
proof	proof	contracts	ci	true	proof	goals
night	tests	long	assurance	echo x >> build/night; echo '7 passed, 0 failed'	code spec	mutants
broken	tests	fails	assurance	echo x >> build/broken; echo '6 passed, 1 failed'; exit 1	code	mutants
silent	tests	counts nothing	assurance	true	code	mutants
own	tests	changes its subject	ci	echo 'int x;' >> include/one.h; echo '1 passed, 0 failed'	code	tests
other	tests	changes another's	ci	echo x >> corpus/manifest.tsv; echo '1 passed, 0 failed'	code	tests
"""
passed = failed = 0


def expect(holds, what):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print("FAILED:", what)


class Tree:
    """A small tree with its own record."""

    def __init__(self, root):
        self.root = root
        for path, text in (("src/core/one.c", CODE), ("include/one.h", "int one(void);\n"),
                           ("spec/one.acsl", "/*@ */\n"), ("spec/format.md", "See `tests/old.py`.\n"),
                           ("corpus/manifest.tsv", "file\n"), ("assurance/evidence.tsv", KINDS),
                           ("docs/assurance.md", ""), ("build/night", "")):
            self.write(path, text)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return f.read()

    def ask(self, *args):
        """Run evidence.py; return the exit status and what it prints."""
        done = subprocess.run([sys.executable, os.path.join(ROOT, "assurance", "evidence.py"), *args], check=False,
                              env={**os.environ, "ASSAY_EVIDENCE_TREE": self.root}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        return done.returncode, done.stdout

    def ran(self, folder, logs, **status):
        """Make a run of these steps, as tests/run.py and .ci/run record it."""
        os.makedirs(self.path(folder), exist_ok=True)
        self.ask("begin", self.path(folder))
        for name, log in logs.items():
            self.write("%s/%s.log" % (folder, name), log)
            self.ask("step", self.path(folder), name, str(status.get(name, 0)), "1.5")

    def stale(self):
        """Return the kinds that the top of the page lists as stale."""
        self.ask("page")
        return re.search(r"^\*\*Stale:\*\* (.*)\.$", self.read("docs/assurance.md"), re.M).group(1)


def taken(tree):
    tree.ran("build/check", {"unit": "3 passed, 0 failed\n", "logic": "5 passed, 0 failed\n"})
    expect(tree.ask("check")[0] == 1, "nothing is recorded, and check passes")
    status, text = tree.ask("take", tree.path("build/check"))
    expect(status == 0 and "2 results taken" in text, "take: " + text)
    expect(tree.ask("check")[0] == 0, "all is current, and check fails: " + tree.ask("check")[1])
    expect("| 🟢 unit | units | 3 tests | `true` | make check | current |" in tree.read("docs/assurance.md"),
           "the row of unit is not on the page")
    tree.ran("build/ci", {"proof": "9 passed, 0 failed, 1 skipped\n"})
    expect(tree.ask("take", tree.path("build/ci"))[0] == 1, "a proof that left a file out is recorded")
    tree.ran("build/ci", {"proof": "9 passed, 0 failed\n"})
    tree.ask("take", tree.path("build/ci"))


def changed(tree):
    """Check which changes make which evidence stale."""
    for path, text, stale, fails in (
            ("src/core/one.c", CODE.replace("/* A comment", "/* Other\n\nlines. */\n/* of it"), "nothing", False),
            ("src/core/one.c", CODE.replace("A comment", "Unfolds: one"), "proof", False),
            ("src/core/one.c", CODE.replace("== 1;", "== 2;"), "proof", False),
            ("src/core/one.c", CODE.replace("return 1", "return 2"), "proof, unit", True),
            ("include/one.h", "int  one( void ); // one\n", "nothing", False),
            ("include/one.h", "int one(void); //@ more\n", "proof", False),
            ("include/one.h", "int two(void);\n", "proof, unit", True),
            ("spec/one.acsl", "/*@ // more */\n", "logic, proof", True),
            ("spec/format.md", "See `assurance/new.py`.\n", "nothing", False),
            ("spec/format.md", "See also `tests/old.py`.\n", "logic", True),
            ("corpus/manifest.tsv", "file\nx\n", "nothing", False)):
        old = tree.read(path)
        before = tree.ask("check")
        tree.write(path, text)
        if stale != "nothing":
            expect(tree.ask("check")[0] == 1, "%s is changed, the page is not made again, and check passes" % path)
        found = ", ".join(sorted(tree.stale().split(", ")))
        expect(found == stale, "%s is changed: stale is %s, not %s" % (path, found, stale))
        status, said = tree.ask("check")
        expect((status == 1) == fails, "%s is changed: check ends with %d: %s" % (path, status, said))
        red = set(re.findall(r"^\| 🔴 (\w+) ", tree.read("docs/assurance.md"), re.M))
        expect(red == set(stale.split(", ")) - {"nothing"}, "%s is changed: red rows: %s" % (path, red))
        tree.write(path, old)
        tree.ask("page")
        expect(tree.ask("check") == before, "%s is as it was, the evidence is not" % path)
    tree.write("docs/assurance.md", tree.read("docs/assurance.md").replace("3 tests", "4 tests"))
    expect(tree.ask("check")[0] == 1, "the page has another figure than the record, and check passes")
    tree.ask("page")


def not_taken(tree):
    """Check results that must not be recorded."""
    record = tree.read("assurance/results.tsv")
    for log, status in (("3 passed, 1 failed\n", 0), ("3 passed, 0 failed\n", 1), ("3 passed, 0 failed\n", 77),
                        ("all is well\n", 0), ("0 passed, 0 failed\n", 0),
                        ("9 passed, 0 failed\nb: 2 passed, 1 failed\n", 0)):
        tree.ran("build/check", {"unit": log}, unit=status)
        tree.ask("take", tree.path("build/check"))
        expect(tree.read("assurance/results.tsv").replace(record, "") == "", "recorded: %r, status %d" % (log, status))
    tree.ran("build/check", {"unit": "4 passed, 0 failed\n"})
    tree.write("src/core/one.c", CODE.replace("return 1", "return 2"))
    status, text = tree.ask("take", tree.path("build/check"))
    expect(status == 1 and "the tree has changed since" in text, "taken from another tree: " + text)
    tree.ran("build/check", {})
    steps = json.loads(tree.read("build/check/run.json"))["steps"]
    expect(steps == {}, "steps of another tree are kept: %s" % steps)
    tree.write("src/core/one.c", CODE)


def resumed(tree):
    """Check `make assurance`: current evidence is not produced again, failed evidence is."""
    for turn in (1, 2):
        status, text = tree.ask("run")
        expect(status == 1 and "2 failed: broken, silent" in text, "run %d: %s" % (turn, text))
        expect(tree.read("build/night").count("x") == 1, "the current one has run again")
        expect(tree.read("build/broken").count("x") == turn, "the failed one has not run again")
    expect("\nnight\t7\t" in tree.read("assurance/results.tsv"), "night is not recorded")
    expect("\nbroken" not in tree.read("assurance/results.tsv"), "broken is recorded")
    tree.write("src/core/one.c", CODE.replace("return 1", "return 2"))
    expect("night" in tree.stale(), "night is of another core, and not stale")
    tree.write("src/core/one.c", CODE)
    expect(tree.ask("run", "no-such")[0] == 1, "an unknown kind is run")
    status, text = tree.ask("run", "own", "other")
    expect(status == 1 and "1 failed: own" in text and "changed meanwhile" in text, "a tree that changes: " + text)
    kinds = re.findall(r"^(own|other)\t", tree.read("assurance/results.tsv"), re.M)
    expect(kinds == ["other"], "recorded of a tree that changes: %s" % kinds)


def named():
    """Check that each kind of evidence has a step or a target with its own name."""
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as f:
        targets = {name for line in re.findall(r"^([a-z0-9 -]+):", f.read(), re.M) for name in line.split()}
    with open(os.path.join(ROOT, ".ci", "run"), encoding="utf-8") as f:
        gate = set(re.findall(r"^step (\S+)", f.read(), re.M))
    listed = subprocess.run([sys.executable, os.path.join(ROOT, "tests", "run.py"), "--list"], stdout=subprocess.PIPE,
                            check=True, universal_newlines=True).stdout.split()
    with open(os.path.join(ROOT, "assurance", "evidence.tsv"), encoding="utf-8") as f:
        kinds = [line.rstrip("\n").split("\t") for line in f][1:]
    for name, _, _, runs, command, *_ in kinds:
        words = command.split()
        expect(words[1] in (targets if words[0] == "make" else listed), "%s: no such command: %s" % (name, command))
        expect(runs != "check" or name in listed, "%s is no step of tests/run.py" % name)
        expect(runs != "ci" or name in gate, "%s is no step of .ci/run" % name)
    expect(len({kind[0] for kind in kinds}) == len(kinds), "two kinds of one name")


def main():
    with tempfile.TemporaryDirectory() as root:
        tree = Tree(root)
        taken(tree)
        changed(tree)
        not_taken(tree)
        resumed(tree)
    named()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
