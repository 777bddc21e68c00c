#!/usr/bin/env python3
"""Compare what the package finds in generated files with spec/model.py, the executable model of the specification.

    against_model.py COUNT PROGRAM...    COUNT files, of a third also with random limits; PROGRAM is node report.mjs
"""
import base64
import json
import os
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(TREE, "spec"), os.path.join(TREE, "assurance", "model")]
import generate_cases  # noqa: E402
import model  # noqa: E402

SEED = 23
LIMITS = {"max_header": "maxHeader", "max_tensors": "maxTensors", "max_rank": "maxRank", "max_name": "maxName",
          "max_metadata": "maxMetadata"}
ERRORS = {"invalid": "InvalidError", "not judged": "NotJudgedError"}
MOST = 2 ** 53  # sizes from here on are no numbers of JavaScript


def cases(count):
    """Yield head, size and options of each judgement."""
    for k, (data, size, options) in enumerate(generate_cases.cases(SEED, count)):
        if size < MOST:
            yield data, size, {}
            if k % 3 == 0 and all(value < MOST for value in options.values()):
                yield data, size, options


def text(number):
    return None if number is None else str(number)


def expected(right):
    """Return what the package has to find."""
    if right.verdict == "valid":
        tensors = [[t.name, t.dtype, [str(dim) for dim in t.shape], t.begin, t.end, t.place] for t in right.tensors]
        metadata = None if right.metadata is None else [list(pair) for pair in right.metadata]
        return {"code": 0, "metadata": metadata, "tensors": tensors}
    _, offset, place, other, wanted, found = right.error()
    return {"verdict": ERRORS[right.verdict], "code": right.code, "rule": right.id, "offset": offset,
            "tensorIndex": place, "otherIndex": other, "expected": text(wanted), "found": text(found)}


def main(args):
    asked = list(cases(int(args[0])))
    lines = [json.dumps({"head": base64.b64encode(data).decode(), "size": size,
                         "options": {LIMITS[name]: value for name, value in options.items()}}) + "\n"
             for data, size, options in asked]
    answers = subprocess.run(args[1:], input="".join(lines), stdout=subprocess.PIPE, check=True,
                             universal_newlines=True).stdout.split("\n")[:-1]
    names, wrong = set(), len(asked) != len(answers)
    for (data, size, options), answer in zip(asked, answers):
        right, found = model.judge(data, size, options or None), json.loads(answer)
        names.add(right.name)
        right = expected(right)
        if {key: found.get(key) for key in right} != right or not found.get("message", "").isprintable():
            wrong += 1
            print("%r of %d bytes, %s:\n    %s\n    not %s" % (data, size, options, found, right))
    missing = set(model.RULES) - names
    print("# pass %d" % (len(asked) - wrong))
    if missing or "ok" not in names:
        print("not generated: %s" % sorted(missing))
    return 1 if wrong or missing or "ok" not in names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
