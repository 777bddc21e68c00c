#!/usr/bin/env python3
"""Copy what `make dist` makes to bindings/python/native/, from where the package is built."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import amalgamate  # noqa: E402


def main():
    target = os.path.join(HERE, "native")
    shutil.rmtree(target, ignore_errors=True)
    amalgamate.write(target)
    shutil.copy(os.path.join(ROOT, "LICENSE"), HERE)


if __name__ == "__main__":
    main()
