#!/usr/bin/env python3
"""Measure how the cost of `assay check FOLDER` grows (make bench-folder): the table of bench/FOLDERS.md.

    bench/folders.py             shards of 8,000 tensors, up to 20,000 files
    bench/folders.py --quick     shards of 800 tensors, up to 2,000 files; only print the table

Time is processor time of the program and its worker, the least of three runs. Bytes are those that must be read:
headers and indexes.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import report  # noqa: E402
import table  # noqa: E402

PROGRAM = os.path.join(ROOT, "build", "assay")
SHARDS = 30
RUNS = 3


def write(folder, name, content):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)
    return len(content)


def safetensors(names):
    """Return a file with these tensors, all empty."""
    rows = ",".join('"%s":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}' % name for name in names)
    head = ("{%s}" % rows).encode()
    return len(head).to_bytes(8, "little") + head


def names_of(shard, each):
    return ["model.layers.%d.mlp.experts.%d.weight" % (shard, k) for k in range(each)]


def shards(folder, count, each):
    return sum(write(folder, "model-%05d-of-%05d.safetensors" % (k + 1, count), safetensors(names_of(k, each)))
               for k in range(count))


def same_shards(folder, indexes, each, one_file=False):
    """Make indexes that name one tensor of each shard: the cost is in searching the other tensors."""
    size = shards(folder, SHARDS, each)
    places = {names_of(k, each)[0]: "model-%05d-of-%05d.safetensors" % (k + 1, SHARDS) for k in range(SHARDS)}
    text = json.dumps({"weight_map": places}).encode()
    for k in range(indexes):
        name = "model.safetensors.index.json" if k == 0 else "model.safetensors.index.v%d.json" % k
        size += write(folder, name, text)
    if one_file:
        every = [name for k in range(SHARDS) for name in names_of(k, each)]
        size += write(folder, "model.safetensors", safetensors(every))
    return size


def own_shards(folder, indexes):
    """Make indexes, each with a shard and a model in one file."""
    size = 0
    for k in range(indexes):
        held = safetensors(["a"])
        size += write(folder, "%d.safetensors.index.json" % k, b'{"weight_map":{"a":"%d-1-of-1.safetensors"}}' % k)
        size += write(folder, "%d-1-of-1.safetensors" % k, held) + write(folder, "%d.safetensors" % k, held)
    return size


def beside(folder, files):
    """Make an index whose shards are missing, and numbered files that it does not name."""
    places = {"t%d" % k: "%d-1-of-3.safetensors" % k for k in range(files)}
    size = write(folder, "model.safetensors.index.json", json.dumps({"weight_map": places}).encode())
    return size + sum(write(folder, "x%d-1-of-3.safetensors" % k, safetensors(["a"])) for k in range(files))


def seconds(folder):
    """Return the processor seconds and the exit status."""
    least = None
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status = subprocess.run([PROGRAM, "check", folder], stdout=subprocess.DEVNULL, check=False).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = used if least is None else min(used, least)
    return least, status


def rows(each, most):
    """Yield a description of each folder and the function that makes it."""
    for count in (1, 2, 4, 8, 60):
        what = "%d index%s over the same %d shards" % (count, "" if count == 1 else "es", SHARDS)
        yield what, lambda folder, count=count: same_shards(folder, count, each)
    yield "1 index over %d shards, and the model in one file" % SHARDS, (
        lambda folder: same_shards(folder, 1, each, one_file=True))
    for count in (most // 12, most // 3):
        yield "%d indexes, each with its shard and its model in one file" % count, (
            lambda folder, count=count: own_shards(folder, count))
    for count in (most // 8, most // 2):
        yield "%d shards that are missing, and as many files beside" % count, (
            lambda folder, count=count: beside(folder, count))


def measured(each, most):
    lines = ["| folder | files | MB | time | ns a byte | exit status |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for what, make in rows(each, most):
        with tempfile.TemporaryDirectory(prefix="assay-folder-") as folder:
            size = make(folder)
            files = len(os.listdir(folder))
            used, status = seconds(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
        lines.append("| %s | %d | %.2f | %.2f s | %.0f | %d |" % (what, files, size / 1e6, used, used / size * 1e9, status))
    return "\n".join(lines)


def main(args):
    if args not in ([], ["--quick"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    subprocess.run(["make", "-s", "-C", ROOT, "build/assay"], check=True)
    made = measured(*((800, 2000) if args else (8000, 20000)))
    caption = "Measured with assay %s on %s." % (table.commit(), table.machine())
    print(caption + "\n\n" + made)
    if not args:
        report.fill(os.path.join(HERE, "FOLDERS.md"), {"folders": caption + "\n\n" + made})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
