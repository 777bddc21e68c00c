#!/usr/bin/env python3
"""Count the work of the core, and compare it with the upper bounds of theorem T11.

    tests/core/work_count.py [--table]    --table: print the counts of each header

The work is the number of times that the body of a loop is entered. The proof counts it with `assay_spend`, in ghost
code that is not compiled; here a copy of the core is compiled in which each call is C. Counted are the files of the
corpus, headers that are made to cost time (bench/workloads.py, bench/worst.json) and those below.
"""
import csv
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build", "work_count")
SPEND, PASS = "//@ ghost assay_spend();", "//@ ghost assay_pass();"
SIZE = 200_000  # bytes of the headers that are made
SIZES = 2_000, SIZE
# assay_measure: `ensures cost` in src/core/contracts.h, proved. Read from there, so that the two agree.
CLAUSE = re.compile(r"ensures cost: assay_work <= \\old\(assay_work\) \+ (\d+) \* \\min\(\\old\(input->head_size\), "
                    r"100000008\);")
# Stage G: tested, not proved. For each byte of the head (one of the three: each round of the presort passes over all
# texts, and there are as many rounds as a text has bytes); for each text and pass of a sort; at all; and for each
# round, if at least MANY texts or tensors are sorted by digits.
G_BYTE, G_PASS, G_ONCE, G_DIGITS, MANY = 3, 4, 64, 40_000, 2048

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))
import header_recipe  # noqa: E402
import workloads  # noqa: E402


def build():
    """Build the copy of the core that counts; return how many loops do."""
    core, loops = os.path.join(OUT, "core"), 0
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(core)
    for path in glob.glob(os.path.join(ROOT, "src", "core", "*.[ch]")):
        with open(path, encoding="ascii") as f:
            text = f.read()
        loops += text.count(SPEND)
        with open(os.path.join(core, os.path.basename(path)), "w", encoding="ascii") as f:
            f.write(text.replace(SPEND, "assay_work++;").replace(PASS, "assay_passes++;"))
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-I" + core, "-Iinclude", "-o",
                    os.path.join(OUT, "work_count"), "tests/core/work_count.c"], cwd=ROOT, check=True)
    return loops


def proved():
    """Return how much work for each byte of the head is proved of assay_measure."""
    with open(os.path.join(ROOT, "src", "core", "contracts.h"), encoding="ascii") as f:
        return int(CLAUSE.search(f.read()).group(1))


def corpus():
    """Yield (name, head, size of the file) for the files of the corpus."""
    with open(os.path.join(ROOT, "corpus", "manifest.tsv"), encoding="utf-8", newline="") as f:
        names = [row["file"] for row in csv.DictReader(f, delimiter="\t")]
    for name in sorted(set(names)):
        path = os.path.join(ROOT, "corpus", name)
        with open(path, "rb") as f:
            yield name, f.read(8 + 1_000_000), os.path.getsize(path)


def made(name, header, data=0):
    return name, struct.pack("<Q", len(header)) + header, 8 + len(header) + data


def recipes():
    """Yield the headers that a search for the costliest has found, and variants of each."""
    for question, found in header_recipe.found().items():
        for at, recipe in enumerate(found):
            for order in header_recipe.NAME_ORDERS:
                for size in SIZES:
                    built = header_recipe.build(dict(recipe, names=order), size)
                    if built:
                        yield made("%s %d, names %s, %d" % (question, at, order, size), built[0], built[1])


def attacks():
    """Yield the attacks of bench/workloads.py, about a megabyte each."""
    folder = os.path.join(OUT, "attacks")
    os.makedirs(folder)
    for workload in workloads.WORKLOADS:
        if workload.kind == "attack":
            path = os.path.join(folder, workload.name)
            workload.make(path, "small")
            with open(path, "rb") as f:
                head = f.read(8)
                head += f.read(struct.unpack("<Q", head)[0])
            yield "attack " + workload.name, head, os.path.getsize(path)


def worst():
    """Yield headers that cost the most for a byte, by construction: strings that leave each block at once, words and
    numbers that are read twice, white space, and faults after much work."""
    def times(unit, before=b"", after=b"", size=SIZE):
        return before + unit * ((size - len(before) - len(after)) // len(unit)) + after
    name = b'{"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'
    for unit in (b"a\\n", b"a\xc3\xa9", b"\\n", b"\\u0061", b"\xf0\x9f\x98\x80", b"a\\ud83d\\ude00"):
        yield made("name of %r" % unit, name.replace(b"%s", times(unit)))
        yield made("value of %r" % unit, times(unit, b'{"__metadata__":{"k":"', b'"}}'))
        yield made("string that is cut, of %r" % unit, times(unit, b'{"'))
        yield made("string with a fault, of %r" % unit, times(unit, b'{"', b'\x01"'))
    for byte in (b" ", b"\n"):
        yield made("spaces within", times(byte, b"{", b"}"))
        yield made("spaces that are cut", times(byte, b'{"a"'))
    yield made("spaces after", times(b" ", b"{}"))
    shape = b'{"a":{"dtype":"U8","data_offsets":[0,0],"shape":['
    for item in (b"0", b"1", b"11111", b"1" * 16, b"1" * 17, b"1" * 19, b"18446744073709551615", b" 1 "):
        yield made("dims %r" % item, times(item + b",", shape, b"0]}}"))
        yield made("dims that are cut %r" % item, times(item + b",", shape))
    yield made("a number without end", times(b"1", shape))
    yield made("pairs of nothing", b"{" + times(b'"":"",', b'"__metadata__":{', b'"":""}}'))
    for key in (b"dtype", b"\\u0064type", b"data_offsets", b"_", b"\\\\"):
        member = b'"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % key
        yield made("names %r" % key, times(member + b",", b"{", member + b"}"))
    spelled = b'"a":{"%s":"U8","%s":[0],"%s":[0,0]}' % tuple(
        b"".join(b"\\u%04x" % c for c in word) for word in (b"dtype", b"shape", b"data_offsets"))
    yield made("keywords with escapes", b"{" + spelled + b"}")
    for fault in (b"", b"[", b"{", b'{"', b'{"a":{"dtype":"', b'{"a":{"dtype":"F' + b"8" * 40,
                  b'{"__metadata__":{"a":"'):
        yield made("header that ends early: %r" % fault, fault)
    yield "no header", b"", 0
    yield "a header of which nothing is there", struct.pack("<Q", 10 ** 8), 10 ** 9


def most_passes(n):
    """Return how many passes are proved of assay_sort at most: two for each power of 4."""
    return 2 * ((max(n - 1, 0).bit_length() + 1) // 2)


def stage_g_most(head_size, tensors, pairs):
    """Return the upper bound of the work of stage G: two sorts of texts and one of offsets, each with at most as many
    passes as make one run of n, and two more."""
    passes = sum(n * (max(n - 1, 0).bit_length() + 2) for n in (tensors, pairs, tensors))
    most = max(tensors, pairs)
    rounds = 1 + head_size // most if most >= MANY else 0
    return G_ONCE + G_BYTE * head_size + G_PASS * passes + G_DIGITS * rounds


def main(args):
    loops, factor = build(), proved()
    process = subprocess.Popen([os.path.join(OUT, "work_count")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    passed = failed = most_passed = 0
    most_h = most_g = 0.0

    def counts(head, size):
        process.stdin.write(struct.pack("<2Q", len(head), size) + head)
        process.stdin.flush()
        return [int(word) for word in process.stdout.readline().split()]

    # A loop that is not counted would pass unnoticed below: here the count is known.
    if counts(*made("", b"{}" + b" " * 8)[1:])[1] != 8:
        print("eight spaces after an empty header cost another number of iterations than eight")
        failed += 1
    for source in corpus, recipes, attacks, worst:
        for name, head, size in source():
            _, measured, _, parsed, passes, tensors, pairs = counts(head, size)
            whole = stage_g_most(len(head), tensors, pairs)
            stage_g = parsed - measured
            good = measured <= factor * len(head) and 0 <= stage_g <= whole
            good = good and passes <= most_passes(tensors) + most_passes(pairs)
            if not good:
                print("%s: %d bytes, %d tensors, %d pairs: %d passes, work %d and then %d, at most %d, %d" %
                      (name, len(head), tensors, pairs, passes, measured, stage_g, factor * len(head), whole))
            if "--table" in args:
                print("%10d %10d %8d %8d %6.2f %6.2f  %s" % (len(head), measured, tensors, pairs,
                                                             measured / max(len(head), 1), stage_g / whole, name))
            passed, failed = passed + good, failed + (not good)
            most_passed = max(most_passed, passes)
            most_h = max(most_h, measured / max(len(head), 1))
            most_g = max(most_g, stage_g / whole)
    process.stdin.close()
    process.wait()
    print("%d loops count; the most that a byte of the head cost in stages F and H: %.2f of %d (proved)" %
          (loops, most_h, factor))
    print("the most that stage G cost: %.0f %% of the upper bound (tested)" % (100 * most_g))
    if loops < 50 or most_h < 5 or passed < 300 or most_passed < 4:
        print("too few loops, passes or headers are counted")
        failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
