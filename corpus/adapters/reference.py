#!/usr/bin/env python3
"""Run the Python package of the reference for corpus/run.py.

    corpus/run.py --profile reference corpus/adapters/reference.py            one process for each file
    corpus/run.py --profile reference --batch corpus/adapters/reference.py    one process

Requires `pip install safetensors==0.8.0`. With a file it exits with 0 (accept) or 1 (reject); without one it reads
paths.
"""
import sys

from safetensors import SafetensorError, deserialize


def judge(path):
    with open(path, "rb") as f:
        data = f.read()
    try:
        deserialize(data)
    except SafetensorError as error:
        return "reject %s" % str(error).replace("\n", " ")
    return "accept"


def main(args):
    if len(args) == 1:
        return 0 if judge(args[0]) == "accept" else 1
    for line in sys.stdin:
        print(judge(line[:-1]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
