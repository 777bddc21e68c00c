#!/usr/bin/env python3
"""Compare assay_flat_edit with an oracle: the edit of the text that tests/program/editing.py has.

    tests/conformance/edit_check.py [COUNT [SEED]] [--driver build/tests/edit_driver]

Every valid file of the corpus and COUNT made headers are edited. Then: small, misaligned and missing arenas; numbers
that do not fit; texts that no file holds; invalid files.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "program")]
sys.dont_write_bytecode = True
import editing  # noqa: E402

KINDS = ["set", "delete", "rename", "clear"]
OUT, NONE, LIMIT = 21, 2**64 - 1, 100_000_000
OK, WORKSPACE, USAGE, UTF8, NUL, TWICE, HEADER_LARGE, NO_KEY = 0, 2, 3, 16, 17, 19, 22, 31
failures = []


class Driver:
    def __init__(self, command):
        self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, size):
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise SystemExit("edit_driver ended: exit status %s" % self.process.wait())
        return data

    def ask(self, head, text, numbers, smaller=0, shifted=0, null=0):
        """Return the arena's size, the numbers of out, and the new head."""
        packed = struct.pack("<6Q", len(head), len(text), len(numbers), smaller, shifted, null)
        self.process.stdin.write(packed + head + text + struct.pack("<%dQ" % len(numbers), *numbers))
        self.process.stdin.flush()
        size, *out = struct.unpack("<%dQ" % (OUT + 4), self.read(8 * (OUT + 4)))
        return size, out, self.read(out[OUT + 2]) if out[0] == OK else b""

    def edit(self, head, steps, data=0, reserve=0, block=8, **more):
        text, rows = b"", []
        for kind, key, value in steps:
            row = [KINDS.index(kind)]
            for word in key, value:
                word = word if isinstance(word, bytes) else word.encode()
                row += [len(text), len(text) + len(word)]
                text += word
            rows += row
        return self.ask(head, text, [len(head) + data, reserve, block, random.getrandbits(64), *rows], **more)


def expect(holds, what, *detail):
    if not holds:
        failures.append(what)
        if len(failures) < 10:
            print("%s: %s" % (what, " ".join(map(repr, detail))[:2000]))


def wanted_head(head, steps, reserve, block):
    """Return the new head, or the status and the step."""
    old = head[8:].decode()
    for count in range(len(steps)):
        try:
            editing.edited(old, steps[:count + 1])
        except editing.Wrong:
            there = json.loads(editing.edited(old, steps[:count])).get("__metadata__", {})
            return (TWICE if steps[count][1] in there else NO_KEY), count
    text = editing.edited(old, steps).encode()
    length, more = len(head) - 8, len(text) + reserve - (len(head) - 8)
    length += (max(more, 0) + block - 1) // block * block
    return length.to_bytes(8, "little") + text.ljust(length)


def check(driver, head, data, steps, reserve, block):
    size, out, new = driver.edit(head, steps, data, reserve, block)
    wanted = wanted_head(head, steps, reserve, block)
    if isinstance(wanted, tuple):
        expect((out[0], out[OUT]) == wanted and size > 0, "refusal", head, steps, out, wanted)
    else:
        expect(new == wanted and out[OUT] == NONE and size % 8 == 0, "head", head, steps, out[:1], new, wanted)
        expect(out[19:21] == [len(wanted), data], "sizes", out)


def made_heads(choose):
    while True:
        style = choose.choice(editing.STYLES + editing.ALONE)
        text = style % choose.choice(editing.PAIRS) if "%s" in style else style
        raw = text.encode()
        yield len(raw).to_bytes(8, "little") + raw, 0 if style in editing.ALONE else len(editing.DATA)


def corpus_heads():
    folder = os.path.join(ROOT, "corpus", "valid")
    for path in sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names):
        with open(path, "rb") as f:
            first = f.read(8)
            if len(first) == 8 and int.from_bytes(first, "little") < 1 << 20:
                head = first + f.read(int.from_bytes(first, "little"))
                yield head, os.path.getsize(path) - len(head)


def some_steps(choose, head):
    kinds = ["set", "set", "set", "delete", "rename", "rename", "clear"]
    values = editing.KEYS if choose.random() < 0.3 else editing.VALUES
    steps = [(choose.choice(kinds), choose.choice(editing.KEYS), choose.choice(values))
             for _ in range(choose.randint(0, 6))]
    return steps if choose.random() < 0.8 else editing.again(head[8:].decode(), choose.choice(editing.KEYS)) + steps


def check_refusals(driver):
    """What is refused, with its status and step."""
    raw = (editing.STYLES[0] % editing.PAIRS[4]).encode()
    head, steps = len(raw).to_bytes(8, "little") + raw, [("set", "new", "x")]
    size, out, new = driver.edit(head, steps, 64)
    expect(out[0] == OK and new, "a good edit", out)
    for smaller in (*range(1, 80), size // 2, size - 8, size):
        expect(driver.edit(head, steps, 64, smaller=smaller)[1][:1] == [WORKSPACE], "a smaller arena", smaller)
    for more in {"shifted": 1}, {"shifted": 4}, {"null": 1}:
        expect(driver.edit(head, steps, 64, **more)[1][:1] == [USAGE], "an arena", more)
    check(driver, head, 64, [("set", "\x01" * 1000, "v"), ("rename", "\x01" * 1000, "\x02" * 2000)], 0, 8)
    for bad, status in [(b"\x80", UTF8), (b"\xed\xa0\x80", UTF8), (b"\xc3", UTF8), (b"a\0", NUL), (b"\0", NUL)]:
        for step in ("set", bad, "v"), ("set", "k", bad), ("rename", "k", bad), ("delete", bad, ""):
            out = driver.edit(head, [("set", "k", "v"), step], 64)[1]
            expect((out[0], out[OUT]) == (status, 1), "a text", step, out)
    good = [len(head) + 64, 0, 8, 0]
    wrong = [[], good[:3], good + [0], good + [0, 0, 1, 0], good + [4, 0, 0, 0, 0], good + [0, 1, 0, 0, 0],
             good + [0, 0, 9, 0, 0], good + [0, 0, 0, 0, NONE], good + [2, 0, 1, NONE, 0],
             good + [0, 0, 0, 0, 0] * 4097]
    wrong += [[len(head) + 64, 0, block, 0] for block in (0, 1, 4, 9, 2**27, NONE)]
    for numbers in wrong:
        size, out, _ = driver.ask(head, b"abc", numbers)
        expect((size, out[0]) == (0, USAGE), "numbers", numbers[:9], out)
    for reserve in (LIMIT, LIMIT + 1, 2**63, NONE):
        expect(driver.edit(head, steps, 64, reserve=reserve)[1][0] == HEADER_LARGE, "reserve", reserve)
    size, out, new = driver.edit(head, [("clear", "", "")], 64, reserve=LIMIT - len(raw), block=2**26)
    expect(out[0] == OK and len(new) <= LIMIT + 8, "close to the limit", out[:1], len(new))
    for cut in (0, 7, 8, len(head) - 1):
        size, out, _ = driver.ask(head[:cut], b"", good)
        expect((size, out[0]) == (0, 1 if cut else out[0]) and out[0] in (1, USAGE), "a cut head", cut, out)
    out = driver.edit(head[:8] + b" " + raw[1:], steps, 64)[1]
    expect(out[0] >= 32 and out[1] != NONE, "an invalid file", out)
    out = driver.edit(head, steps, 65)[1]
    expect(out[0] >= 32, "a file with a hole", out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=5000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--driver", default=os.path.join(ROOT, "build", "tests", "edit_driver"))
    options = parser.parse_args()
    driver, choose, done = Driver(options.driver), random.Random(options.seed), 0
    heads = made_heads(choose)
    check_refusals(driver)
    for head, data in [*corpus_heads(), *(next(heads) for _ in range(options.count))]:
        reserve, block = choose.choice([0, 0, 1, 300]), choose.choice([8, 8, 64, 4096])
        check(driver, head, data, some_steps(choose, head), reserve, block)
        done += 1
    print("%d passed, %d failed" % (max(0, done - len(failures)), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
