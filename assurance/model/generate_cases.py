#!/usr/bin/env python3
"""Generate random files to compare the model, the core and the reference. The same seed makes the same files.

    assurance/model/generate_cases.py stats SEED COUNT         print the verdicts; exit 1 if a share is too small
    assurance/model/generate_cases.py hex SEED COUNT           print the lines that `spec/model.py --hex` reads
    assurance/model/generate_cases.py hex-limits SEED COUNT    the same with random small limits among the options

    files(seed, count, first) yields (data, file_size); cases(seed, count, first) yields (data, file_size, options).
    data may end after the header (the rest of the file is not read) or inside it.

About a third of the files are valid, a third have one defect (random_defects.py), a third have two at different
positions; every rule is broken in at least 1 %. random_pairs.py makes files with every pair of rules broken.
"""
import collections
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "spec"))
import model  # noqa: E402
from random_defects import DOC, FRAME, HEADER, PLANTS, TOKENS, mutate  # noqa: E402
from random_document import Doc  # noqa: E402

# Stage G is judged last: other defects hide its own, so its defects get more than their share.
RULES = list(model.RULES) + [name for name, row in model.RULES.items() if row["id"][0] == "G"]
MANY = range(20, 200)


class Frame:
    """The parts of a file: header length, header bytes, data size; file_size is None if the parts determine it."""

    def __init__(self, header, size):
        self.n, self.header, self.size, self.file_size = len(header), header, max(size, 0), None

    def head(self):
        return self.n.to_bytes(8, "little") + self.header

    def whole(self):
        """Return the file size."""
        return 8 + len(self.header) + self.size if self.file_size is None else self.file_size


def write(doc, seeded):
    """Write the file of this document with these defects; each comes with its random numbers."""
    def plant(ground, target):
        for defect, rng in seeded:
            if defect.ground == ground:
                defect(rng, target)
        return target
    tokens = plant(TOKENS, plant(DOC, doc).tokens())
    header = plant(HEADER, bytearray(doc.header(tokens)))
    return plant(FRAME, Frame(bytes(header), doc.size))


def case(seed, index):
    """Return (data, file size) of one file."""
    rng = random.Random(seed << 32 | index)
    share = rng.random()
    chosen = [rng.choice(RULES + ["mutate"]) for _ in range(0 if share < 0.36 else 1 if share < 0.74 else 2)]
    defects = [mutate if name == "mutate" else rng.choice(PLANTS[name]) for name in chosen]
    doc = Doc(rng, MANY if rng.random() < 0.001 else (1, 1, 1, 2, 2, 3, 5) if chosen else (0, 1, 1, 2, 2, 3, 5))
    frame = write(doc, [(defect, rng) for defect in defects])
    data, file_size = frame.head(), frame.whole()
    if rng.random() < 0.01:
        data = data[:rng.randrange(len(data))]
    elif frame.size < 64 and rng.random() < 0.5:
        data += bytes(frame.size)
    return data[:file_size], file_size


def limits(rng):
    names = rng.sample(["max_header", "max_tensors", "max_rank", "max_name", "max_metadata"],
                       rng.choice((1, 1, 2, 5)))
    values = {name: rng.choice((0, 1, 2, 3, 5, 10)) for name in sorted(names)}
    if "max_header" in values:
        values["max_header"] = rng.choice((50, 150, 300))
    return values


def files(seed, count, first=0):
    for index in range(first, first + count):
        yield case(seed, index)


def cases(seed, count, first=0):
    for index in range(first, first + count):
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
