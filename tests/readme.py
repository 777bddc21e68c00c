#!/usr/bin/env python3
"""The figures in README.md are those of bench/results.json.

    tests/readme.py
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import report  # noqa: E402

if __name__ == "__main__":
    stands = report.stands()
    if not stands:
        print("FAILED: the section Performance of README.md is not what bench/report.py makes")
    print("%d passed, %d failed" % (stands, not stands))
    sys.exit(0 if stands else 1)
