#!/usr/bin/env python3
"""Measure how time, instructions and memory grow (make bench-scaling): tables of bench/SCALING.md, and scaling.svg.

    bench/scaling.py             headers of up to 100 MB
    bench/scaling.py --quick     up to 1 MB; only print the tables

Every point is one file. Time is the median of the samples of the reader of `make bench`, with memory passed in.
Instructions are exact (counted.py). Memory is the need that assay_measure reports, and the peak of the pages that the
first parse adds to a process that already has the head of the file.
"""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import counted  # noqa: E402
import header_recipe as recipes  # noqa: E402
import plot  # noqa: E402
from reader import Reader  # noqa: E402
import report  # noqa: E402
import table  # noqa: E402
import workloads  # noqa: E402

FOLDER = os.path.join(counted.OUT, "scaling")
PROGRAM = os.path.join(counted.OUT, "assay")
MB = 1_000_000
SAMPLES, SECONDS = 9, 0.02
LAYER = ["layers.", "0", ".ffn.experts.", "0", ".w1.weight."]

PICTURE = "![time, instructions, workspace and peak memory a header byte](scaling.svg)"

def ordinary(**more):
    return recipes.of(dict(recipes.tensor(recipes.text(LAYER, 1), [64, 64]), dtype="F8_E4M3"), **more)


def sizes(most, first=1000):
    return [first * 10 ** k for k in range(9) if first * 10 ** k <= most]


def axes(most):
    """Return {title: (meaning of x, [(recipe, bytes)])}."""
    pairs = recipes.of(recipes.pair(recipes.text([]), recipes.text(["v"], 8, "")))
    fixed = min(most, 10 * MB)
    lengths = [n for n in (8, 30, 100, 300, 1000, 10_000, 100_000, MB, 10 * MB) if n < fixed]
    ranks = [n for n in (0, 1, 4, 16, 64, 256, 1024, 10_000, 100_000, MB, 5 * MB) if 2 * n < fixed]
    return {
        "Tensors, in the order of their data": ("tensors", [(ordinary(), size) for size in sizes(most)]),
        "Tensors, offsets shuffled": ("tensors", [(ordinary(order="shuffled"), size) for size in sizes(most)]),
        "Tensors, names shuffled": ("tensors", [(ordinary(names="shuffled"), size) for size in sizes(most)]),
        "Metadata pairs": ("pairs", [(pairs, size) for size in sizes(most)]),
        "One name, as long as the header": ("bytes", [(recipes.of(recipes.tensor(recipes.text(["n"]))), size)
                                                     for size in sizes(most)]),
        "Length of the names, %d MB of them" % (fixed // MB): (
            "bytes a name", [(recipes.of(recipes.tensor(recipes.text(["n"], n))), fixed) for n in lengths]),
        "Rank, %d MB of tensors" % (fixed // MB): (
            "dims a tensor", [(recipes.of(recipes.tensor(recipes.text([]), [1], n)), fixed) for n in ranks]),
    }


def asked(axis, recipe, limit, tensors):
    """Return the position of a file on the x axis."""
    record = recipe["records"][0]
    return {"tensors": tensors, "pairs": (limit - 56 * tensors) // 32, "bytes": None,
            "bytes a name": record.get("name", {}).get("times"), "dims a tensor": record.get("times")}[axis]


def measured(path, header, data, counter):
    """Measure one file."""
    reader = Reader("assay", [PROGRAM, "assay"])
    reader.ask("load", path)
    peak, tensors = reader.ask("memory")
    workspace, limit = reader.ask("workspace")
    rounds = max(1, int(SECONDS * 1e9 / max(reader.ask("parse", 1)[0], 1)))
    times = [reader.ask("parse", rounds)[0] / rounds for _ in range(SAMPLES)]
    reader.close()
    return dict(bytes=len(header), tensors=tensors, limit=limit, ns=statistics.median(times), workspace=workspace,
                peak=peak, instructions=counter.parse(header, data)[1])


def points(axis, list_of, counter):
    rows = []
    for number, (recipe, size) in enumerate(list_of):
        header, data, _ = recipes.build(recipe, size)
        path = os.path.join(FOLDER, str(number))
        workloads.write(path, header, data)
        row = measured(path, header, data, counter)
        x = asked(axis, recipe, row["limit"], row["tensors"])
        rows.append(dict(row, x=row["bytes"] if x is None else x))
        os.remove(path)
    return rows


def shapes(most, counter):
    """Return {attack: (at a megabyte, at the largest size)}."""
    found = {}
    for w in workloads.WORKLOADS:
        if w.kind != "attack":
            continue
        pair = []
        for scale, size in ("small", MB), ("full", most):
            folder = os.path.join(counted.OUT, scale)
            if size <= most:
                workloads.make_all(folder, scale, [w.name])
                path = workloads.paths(folder, w.name)[0]
                with open(path, "rb") as f:
                    length = int.from_bytes(f.read(8), "little")
                    header = f.read(length)
                    pair.append(measured(path, header, os.fstat(f.fileno()).st_size - 8 - length, counter))
        found[w.name] = pair
    return found


# ---- Tables -----------------------------------------------------------------------------------------------

def short(number):
    """Format a number with three digits and a letter."""
    for limit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= 0.9995 * limit:
            return "%.3g%s" % (number / limit, letter)
    return "%.3g" % number


def axis_table(axis, rows):
    lines = ["| %s | header bytes | time | ns a byte | instructions a byte | workspace a byte | peak a byte |" % axis,
             "| ---: |" + " ---: |" * 6]
    for r in rows:
        lines.append("| %s | %s | %s | %.2f | %.2f | %.2f | %.2f |" % (
            short(r["x"]), short(r["bytes"]), table.human(r["ns"], "ns"),
            *(r[what] / r["bytes"] for what in ("ns", "instructions", "workspace", "peak"))))
    return "\n".join(lines)


def shape_table(found):
    lines = ["| attack | ns a byte, 1 MB | 100 MB | time, 100 MB | growth | instructions a byte, 1 MB | 100 MB |",
             "| --- |" + " ---: |" * 6]
    for name, (small, large) in found.items():
        cost = [r["ns"] / r["bytes"] for r in (small, large)]
        count = [r["instructions"] / r["bytes"] for r in (small, large)]
        lines.append("| %s | %.2f | %.2f | %s | %.2f | %.1f | %.1f |" % (
            name, *cost, table.human(large["ns"], "ns"),
            cost[1] / cost[0], *count))
    return "\n".join(lines)


def main(args):
    if args not in ([], ["--quick"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    most = MB if args else 100 * MB
    counted.build()
    subprocess.run([os.path.join(HERE, "build.sh"), "assay"], check=True)
    os.makedirs(FOLDER, exist_ok=True)
    counter = counted.Counter()
    caption = "Measured with assay %s on %s." % (table.commit(), table.machine())
    curves = {title: (axis, points(axis, list_of, counter)) for title, (axis, list_of) in axes(most).items()}
    text = {"machine": caption,
            "curves": "\n\n".join([PICTURE] + ["### %s\n\n%s" % (title, axis_table(*curve))
                                              for title, curve in curves.items()])}
    if not args:
        text["growth"] = shape_table(shapes(most, counter))
    counter.close()
    print("\n\n".join(text.values()))
    if not args:
        report.fill(os.path.join(HERE, "SCALING.md"), text)
        with open(os.path.join(HERE, "scaling.svg"), "w", encoding="utf-8") as f:
            f.write(plot.curves(caption, curves))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
