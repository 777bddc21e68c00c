#!/usr/bin/env python3
"""Run assay for `corpus/run.py --batch`: all files in one call. One process for each file needs no adapter:

    corpus/run.py build/assay check
    corpus/run.py --batch corpus/adapters/assay.py build/assay
"""
import json
import subprocess
import sys


def main(program):
    paths = sys.stdin.read().splitlines()
    done = subprocess.run([program, "check", "--format", "jsonl", *paths], stdout=subprocess.PIPE, check=False)
    said = {answer["path"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    for path in paths:
        answer = said.get(path, {"verdict": "nothing"})
        word = {"valid": "accept", "invalid": "reject"}.get(answer["verdict"], answer["verdict"])
        print(word, answer.get("rule") or "", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
