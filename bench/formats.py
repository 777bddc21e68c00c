#!/usr/bin/env python3
"""Measure JSON, JSONL and SARIF of invalid files beside text (make bench-formats): the table of bench/FORMATS.md.

    bench/formats.py             headers of 95 MB
    bench/formats.py --quick     headers of 8 MB; only print the table

Text names the first finding; the other formats name up to 100 and the number of the others. Each file breaks a rule
of stage G, and makes the search for the others expensive. Time is processor time of the program and its worker, the
least of some runs. Memory is the peak of the larger of the two processes. tests/program/cost.py judges the same
files.
"""
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import report  # noqa: E402
import table  # noqa: E402

# A separate small process: the peak of a program includes the memory of the process that starts it.
START = """import os, resource, sys
status = os.waitstatus_to_exitcode(os.waitpid(os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)[1])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"""
FORMATS = ("text", "json", "jsonl", "sarif")
PREFIX = "model.layers.experts.mlp.weights.quantized.q"


def shuffled(count):
    numbers = list(range(count))
    random.Random(1).shuffle(numbers)
    return numbers


def pairs(keys):
    """Return a header of metadata with these keys and empty values."""
    return '{"__metadata__":{%s}}' % ",".join('"%s":""' % key for key in keys)


def tensors(names, begins, size=1):
    return "{%s}" % ",".join(
        '"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}' % (name, size, begin, begin + size)
        for name, begin in zip(names, begins))


def long_keys(size):
    names = ["%s%07d" % (PREFIX, i) for i in shuffled(size // 57)]
    return pairs(names + names[:1]), 0


def short_keys(size):
    names = ["%x" % i for i in shuffled(size // 12)]
    return pairs(names + names[:1]), 0


def one_key(size):
    return pairs(["a"] * (size // 7)), 0


def escaped_keys(size):
    names = ["%s%07d" % ("\\u0061" * 40, i) for i in shuffled(size // 253)]
    return pairs(names + [names[0].replace("\\u0061", "a")]), 0


def long_names(size):
    count = size // 120
    names = ["%s%07d" % (PREFIX, i) for i in shuffled(count)]
    return tensors(names + names[:1], range(count + 1)), count + 1


def shuffled_hole(size):
    count = size // 73
    return tensors(range(count), shuffled(count)), count + 1


def overlaps(size):
    count = size // 63
    return tensors(range(count), [0] * count), 1


def one_name(size):
    """Return a header in which a name as long as the header is a part of 200 findings."""
    name, rest = "n" * (size - 13000), tensors(range(200), range(200))
    return tensors([name], [0], 200)[:-1] + "," + rest[1:], 200


def escaped_names(size):
    """Return a header of two long names, every second byte of them escaped, that occur in the first finding."""
    half = (size - 600) // 4
    return tensors([letter + "a\x7f" * half for letter in "AB"] + ["c0", "c1", "c2"], [0] * 5, 4), 4


SHAPES = {
    "G1: one of the long keys twice": long_keys,
    "G1: one of the short keys twice": short_keys,
    "G1: all keys the same": one_key,
    "G1: one of the escaped keys twice": escaped_keys,
    "G2: one of the long names twice": long_names,
    "G4: all tensors at the same byte": overlaps,
    "G4: one name as long as the header, 200 findings": one_name,
    "G4: two names of half the header, every second byte escaped": escaped_names,
    "G5: a hole, offsets shuffled": shuffled_hole,
}


def write(path, shape, size):
    """Make a file, and return the length of its header."""
    header, data = SHAPES[shape](size)
    with open(path, "wb") as f:
        f.write(len(header).to_bytes(8, "little") + header.encode())
        f.truncate(8 + len(header) + data)
    return len(header)


def measured(program, path, kind):
    """Return the processor seconds, peak bytes of memory and bytes of output of one run."""
    with tempfile.TemporaryFile() as out:
        command = [sys.executable, "-ISc", START, program, "check", "--jobs", "1", "--format", kind, path]
        started = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
        status, seconds, peak = map(float, started.stderr.split())
        if status != 1:
            raise RuntimeError("%s, %s: exit status %d" % (path, kind, status))
        return seconds, 1024 * peak, os.fstat(out.fileno()).st_size


def least(program, path, kind, runs):
    return tuple(min(column) for column in zip(*(measured(program, path, kind) for _ in range(runs))))


def rows(folder, size, runs):
    program = os.path.join(ROOT, "build", "assay")
    lines = ["| file | format | time | times text | memory | times text | output |", "| --- | --- |" + " ---: |" * 5]
    for shape in SHAPES:
        path = os.path.join(folder, "x")
        write(path, shape, size)
        text = None
        for kind in FORMATS:
            seconds, peak, output = least(program, path, kind, runs)
            text = text or (seconds, peak)
            lines.append("| %s | %s | %.2f s | %.1f | %.0f MB | %.1f | %s |" % (
                shape if kind == "text" else "", kind, seconds, seconds / text[0], peak / 1e6, peak / text[1],
                "%.0f MB" % (output / 1e6) if output >= 1e6 else "%.0f kB" % (output / 1e3)))
    return "\n".join(lines)


def main(args):
    if args not in ([], ["--quick"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    size = 8_000_000 if args else 95_000_000
    subprocess.run(["make", "-s", "-C", ROOT, "build/assay"], check=True)
    with tempfile.TemporaryDirectory(prefix="assay-formats-") as folder:
        try:
            made = rows(folder, size, 3)
        except RuntimeError as error:
            raise SystemExit(str(error)) from error
    caption = "Measured with assay %s on %s; headers of %d MB." % (table.commit(), table.machine(), size // 1_000_000)
    print(caption + "\n\n" + made)
    if not args:
        report.fill(os.path.join(HERE, "FORMATS.md"), {"formats": caption + "\n\n" + made})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
