#!/usr/bin/env python3
"""Random files for comparing the model, the core and the reference: about a third valid, every rule broken in
at least 1 % of them, many with two defects at two places. The same seed gives the same files.

    tests/generate_cases.py stats SEED COUNT         the verdicts; exit 1 if a share is too small
    tests/generate_cases.py hex SEED COUNT           the lines that `spec/model.py --hex` reads
    tests/generate_cases.py hex-limits SEED COUNT    the same with random small limits among the options

    files(seed, count) yields (data, file_size); cases(seed, count) yields (data, file_size, options).
    data may stop behind the header (the rest of the file is not looked at) or inside it.
"""
import collections
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spec"))
import model  # noqa: E402
from random_defects import BYTES, DEFECTS, DOC, FILE_SHORT, FRAME, TOKENS  # noqa: E402
from random_document import SPACES, Doc  # noqa: E402


def case(seed, index):
    """(data, file size) of one file."""
    rng = random.Random(seed << 32 | index)
    share = rng.random()
    chosen = [rng.choice(DEFECTS) for _ in range(0 if share < 0.36 else 1 if share < 0.74 else 2)]
    doc = Doc(rng, least=1 if chosen else 0)
    for defect in DOC:
        for _ in range(chosen.count(defect)):
            defect(rng, doc)
    tokens = doc.tokens()
    for defect in TOKENS:
        for _ in range(chosen.count(defect)):
            defect(rng, tokens)
    airy = rng.random() < 0.25
    header = b"".join(part for _, token in tokens for part in (token, rng.choice(SPACES) if airy else b""))
    header = header.rstrip(b" \n\t\r") + b" " * rng.choice((0, 0, 0, 1, 7))
    for defect in BYTES:
        if defect in chosen:
            header = defect(rng, header)
    n, size = len(header), max(doc.size, 0)
    for defect in FRAME:
        if defect in chosen:
            n, header, size = defect(rng, n, header, size)
    data = n.to_bytes(8, "little") + header
    file_size = len(data) + size
    if FILE_SHORT in chosen:
        file_size = rng.randrange(8)
    if rng.random() < 0.01:
        data = data[:rng.randrange(len(data))]
    elif size < 64 and rng.random() < 0.5:
        data += bytes(size)
    return data[:file_size], file_size


def limits(rng):
    names = rng.sample(["max_header", "max_tensors", "max_rank", "max_name", "max_metadata"],
                       rng.choice((1, 1, 2, 5)))
    values = {name: rng.choice((0, 1, 2, 3, 5, 10)) for name in sorted(names)}
    if "max_header" in values:
        values["max_header"] = rng.choice((50, 150, 300))
    return values


def files(seed, count):
    for index in range(count):
        yield case(seed, index)


def cases(seed, count):
    for index in range(count):
        rng = random.Random(seed << 33 | index)
        yield case(seed, index) + (limits(rng),)


def stats(seed, count):
    seen = collections.Counter()
    for data, size in files(seed, count):
        seen[model.judge(data, size).name] += 1
    short = seen["ok"] < 0.3 * count
    for name in ["ok"] + list(model.RULES) + list(model.STATUSES):
        low = name in model.RULES and seen[name] < 0.01 * count
        short = short or low
        if seen[name] or name in model.RULES:
            share = 100 * seen[name] / count
            print("%-20s %7d %6.2f %%%s" % (name, seen[name], share, "  too few" if low else ""))
    return 1 if short else 0


def lines(seed, count, with_limits):
    for data, size, options in cases(seed, count):
        settings = options.items() if with_limits else ()
        yield " ".join([data.hex() or "-", "file_size=%d" % size] + ["%s=%d" % item for item in settings])


def main(args):
    if len(args) != 3 or args[0] not in ("stats", "hex", "hex-limits"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    seed, count = int(args[1]), int(args[2])
    if args[0] == "stats":
        return stats(seed, count)
    for line in lines(seed, count, args[0] == "hex-limits"):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
