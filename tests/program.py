#!/usr/bin/env python3
"""Run black-box tests of the program `assay`.

    tests/program.py [--program build/assay] [--only WORD]

Every function test_* of tests/program/*.py is a test. The tests require only Python's standard library. A test
that requires more (a C compiler for tests that make the system fail, mandoc for the manual) is skipped without it,
and reported as skipped. Exit status 1 if a test fails.
"""

import argparse
import importlib
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "program"))
import lib  # noqa: E402

MODULES = [
    "verdicts",
    "kinds",
    "notes",
    "reports",
    "listing",
    "aliases",
    "modelspec",
    "metadata",
    "editing",
    "editing_in_place",
    "insertion",
    "sharing",
    "writing",
    "folders",
    "arguments",
    "output",
    "signals",
    "parallel",
    "contained",
    "faults",
    "calls",
    "models",
    "workers",
    "one_file",
    "machine",
    "cost",
    "workflow",
    "demo",
    "meeting",
    "remote",
    "remote_attacks",
    "remote_process",
    "remote_models",
    "network",
    "pages",
    "serving",
]


def tests(only):
    for module in MODULES:
        loaded = importlib.import_module(module)
        for name, function in sorted(vars(loaded).items()):
            if name.startswith("test_") and only in module + "." + name:
                yield module + "." + name, function


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=os.path.join(lib.ROOT, "build", "assay"))
    parser.add_argument("--only", default="", help="the tests whose name contains this")
    options = parser.parse_args()
    lib.PROGRAM = os.path.abspath(options.program)
    lib.settle()
    passed = failed = skipped = 0
    for name, function in tests(options.only):
        try:
            with lib.folder():
                function()
            passed += 1
        except lib.Skip as reason:
            skipped += 1
            print("skipped %s: %s" % (name, reason))
        except Exception:  # a test that raises any error has failed
            failed += 1
            print("FAILED %s" % name)
            traceback.print_exc(file=sys.stdout)
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
