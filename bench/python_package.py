#!/usr/bin/env python3
"""Measure the Python package beside the official one and modelvet (make bench-python): the table of bench/PYTHON.md.

    bench/python_package.py            fills the page
    bench/python_package.py --quick    smaller files and fewer rounds; only prints

The package is the wheel, as a user installs it, in an environment of its own (build/bench/python). The rows with torch
are measured in the environment of `make check-torch`; without that, they are left out, and their targets not judged.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(ROOT, "bindings", "python")]
TORCH = os.path.join(ROOT, "build", "torch", "environment", "bin", "python")
SHAPE = [64, 16]  # of each tensor in the files that are only opened


# ---- Files -------------------------------------------------------------------------------------------------------

def header(count, shape, size):
    """Return a header as the official writer writes it, filled with spaces to that size, and the bytes of the data."""
    rows, at, each = {}, 0, 4 * shape[0] * shape[1]
    for k in range(count):
        name = "model.layers.%d.%s.weight" % (k // 7, ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                                                       "self_attn.o_proj", "mlp.up_proj", "mlp.down_proj", "norm")[k % 7])
        rows[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + each]}
        at += each
    text = json.dumps(rows, separators=(",", ":")).encode()
    text += b" " * max(-len(text) % 8, size - 8 - len(text))
    return len(text).to_bytes(8, "little") + text, at


def make(folder, quick):
    """Write the files of all rows."""
    for name, count, size in (("30k", 257, 30000), ("1m", 8258, 1000000)):
        head, data = header(count, SHAPE, size)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(head)
            file.truncate(len(head) + data)
    side = 128 if quick else 360
    head, data = header(257, [side, side], 30000)
    with open(os.path.join(folder, "model"), "wb") as file:
        file.write(head)
        block = os.urandom(1 << 20)
        for _ in range(data >> 20):
            file.write(block)
        file.write(block[:data & ((1 << 20) - 1)])
    head, data = header(20, [2, 2], 0)
    os.mkdir(os.path.join(folder, "many"))
    for k in range(500 if quick else 10000):
        with open(os.path.join(folder, "many", "%05d.safetensors" % k), "wb") as file:
            file.write(head + bytes(data))


# ---- Rows, in the environment that is measured -------------------------------------------------------------------------

def numpy_rows(folder):
    """Yield rows: what, the target, {reader: function}."""
    import numpy
    import safetensors
    import safetensors.numpy
    import assay
    import assay.guard
    import assay.numpy
    official, officially = safetensors.safe_open, safetensors.numpy.load_file
    guarded = assay.guard.guard_open(official)
    try:
        import modelvet
        other = lambda path: {"modelvet": lambda: modelvet.verify_path(path)}  # noqa: E731
    except ImportError:
        other = lambda path: {}  # noqa: E731

    def every_byte(arrays):
        for array in arrays.values():
            array.reshape(-1).view("uint32").max()

    def mapped(path):
        with assay.open(path) as file:
            return {name: tensor.numpy() for name, tensor in file.items()}

    for name, words in (("30k", "30 kB, 257 tensors"), ("1m", "1 MB, 8,258 tensors")):
        path = os.path.join(folder, name)
        keys = sorted(assay.open(path))
        assert keys == official(path, "np").keys() and len(keys) in (257, 8258)
        yield ("judge (%s)" % words, None, {"assay": lambda path=path: assay.check(path),
                                            "official": lambda path=path: official(path, "np"), **other(path)})
        yield ("open and list the names (%s)" % words, ("times", 3.0),
               {"assay": lambda path=path: list(assay.open(path)),
                "official": lambda path=path: official(path, "np").keys()})
        yield ("open, and one tensor to NumPy (%s)" % words, None,
               {"assay": lambda path=path, key=keys[7]: assay.open(path)[key].numpy(),
                "official": lambda path=path, key=keys[7]: official(path, "np").get_tensor(key)})
        yield ("guard: safe_open of the official package (%s)" % words, ("guard", 60e-6) if name == "30k" else None,
               {"assay": lambda path=path: guarded(path, "np"), "official": lambda path=path: official(path, "np")})
    path = os.path.join(folder, "model")
    size = "%d MB" % (os.path.getsize(path) // 10**6)
    one, two = mapped(path), officially(path)
    assert set(one) == set(two) and all(numpy.array_equal(one[n].view("uint32"), two[n].view("uint32")) for n in two)
    del one, two
    yield ("load to NumPy (%s)" % size, ("share", 1.05), {"assay": lambda: mapped(path), "official": lambda: officially(path)})
    yield ("load to NumPy, and read every byte (%s)" % size, ("share", 1.05),
           {"assay": lambda: every_byte(mapped(path)), "official": lambda: every_byte(officially(path))})
    yield ("assay.numpy.load_file (%s)" % size, ("share", 1.05),
           {"assay": lambda: assay.numpy.load_file(path), "official": lambda: officially(path)})
    many = os.path.join(folder, "many")
    paths = [os.path.join(many, file) for file in sorted(os.listdir(many))]
    everything = {"assay": lambda: [assay.check(file).valid for file in paths],
                  "official": lambda: [official(file, "np") is not None for file in paths]}
    if other(path):
        everything["modelvet"] = lambda: [modelvet.verify_path(file).accepted for file in paths]
    for reader in everything.values():
        assert all(reader())
    yield ("judge %d files of 20 tensors" % len(paths), None, everything)


def torch_rows(folder):
    import safetensors.torch
    import torch
    import assay
    import assay.torch
    torch.set_num_threads(1)  # that read the bytes; nothing else here has more
    path = os.path.join(folder, "model")
    size = "%d MB" % (os.path.getsize(path) // 10**6)
    officially = safetensors.torch.load_file

    def mapped():
        with assay.open(path) as file:
            return {name: tensor.torch() for name, tensor in file.items()}

    def every_byte(tensors):
        for tensor in tensors.values():
            tensor.view(torch.int32).max()

    assert all(torch.equal(a.view(torch.int32), b.view(torch.int32))
               for a, b in zip(*(dict(sorted(t.items())).values() for t in (mapped(), officially(path)))))
    yield ("load to torch (%s)" % size, ("share", 1.05), {"assay": mapped, "official": lambda: officially(path)})
    yield ("load to torch, and read every byte (%s)" % size, ("share", 1.05),
           {"assay": lambda: every_byte(mapped()), "official": lambda: every_byte(officially(path))})
    yield ("assay.torch.load_file (%s)" % size, ("share", 1.05),
           {"assay": lambda: assay.torch.load_file(path), "official": lambda: officially(path)})


def samples(readers, seconds, batch=0.02):
    """Return {reader: seconds of one call}, of rounds in which each reader has its turn. A turn repeats the call for 20
    ms, as in bench/run.py; batch 0: it is one call."""
    times, order, repeats = {name: [] for name in readers}, list(readers), {}
    for name in order:
        readers[name]()  # the file is in memory
        begin = time.perf_counter()
        readers[name]()
        repeats[name] = range(1 + int(batch / (time.perf_counter() - begin)))
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(times[order[0]]) < 5:
        for name in order:
            call, repeat = readers[name], repeats[name]
            begin = time.perf_counter()
            for _ in repeat:
                kept = call()
            times[name].append((time.perf_counter() - begin) / len(repeat))
            del kept
        order.append(order.pop(0))
    return times


def measure(kind, folder, seconds):
    """Print the rows as JSON, in an environment that has the packages."""
    found = []
    for what, target, readers in (numpy_rows if kind == "numpy" else torch_rows)(folder):
        taken = samples(readers, seconds)
        pairs = list(zip(taken["assay"], taken["official"]))
        single = samples({name: readers[name] for name in ("assay", "official")}, seconds / 4, 0)
        found.append({"what": what, "target": target, "rounds": len(pairs),
                      "median": {name: statistics.median(each) for name, each in taken.items()},
                      "more": statistics.median(a - b for a, b in pairs),
                      "share": statistics.median(a / b for a, b in pairs),
                      "in turns": statistics.median(a / b for a, b in zip(single["assay"], single["official"]))})
    print(json.dumps(found))


# ---- The page ----------------------------------------------------------------------------------------------------

def shown(seconds):
    for limit, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= limit:
            return "%.3g %s" % (seconds / limit, unit)
    return "%.0f ns" % (seconds * 1e9)


def times(share):
    return "%.1f times quicker" % (1 / share) if share < 0.95 else "%.2f times as long" % share


def verdict(row):
    """Return what is compared, and whether the target is met."""
    if row["target"] is None:
        return times(row["share"]), ""
    kind, limit = row["target"]
    if kind == "times":
        return times(row["share"]), "at least %g times: %s" % (
            limit, "met" if 1 / row["share"] >= limit else "**missed**")
    if kind == "share":
        return times(row["share"]), "at most %g: %s" % (
            limit, "met" if row["share"] <= limit else "**missed**")
    return "%s more" % shown(max(row["more"], 0)), "below %s: %s" % (
        shown(limit), "met" if row["more"] < limit else "**missed**")


def page(rows):
    lines = ["| what | assay | official | modelvet | assay beside official | target | call by call |",
             "| --- | ---: | ---: | ---: | ---: | --- | ---: |"]
    for row in rows:
        median = row["median"]
        lines.append("| %s | %s | %s | %s | %s | %s | %s |" % (
            row["what"], shown(median["assay"]), shown(median["official"]),
            shown(median["modelvet"]) if "modelvet" in median else "", *verdict(row), times(row["in turns"])))
    return "\n".join(lines)


def environment():
    """Make the environment, with the wheel of this tree; return its Python, and the wheel."""
    import check
    check.OUT = os.path.join(ROOT, "build", "bench", "python")
    check.must(sys.executable, os.path.join(check.HERE, "prepare.py"))
    python = os.path.join(check.OUT, "environment", "bin", "python")
    if not os.path.exists(os.path.join(check.OUT, "made")):
        os.makedirs(check.OUT, exist_ok=True)
        check.environment("environment")
        check.install(python, "--require-hashes", "-r", os.path.join(check.HERE, "requirements-test.txt"))
        done = check.run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--require-hashes", "-r",
                         os.path.join(ROOT, "assurance", "readers", "requirements-source.txt"))
        if done.returncode:
            print("modelvet is left out: pip could not build it\n" + done.stdout[-500:], file=sys.stderr)
        open(os.path.join(check.OUT, "made"), "w", encoding="utf-8").close()
    wheel, _ = check.built(python, "dist")
    return python, wheel


def main(arguments):
    if arguments[:1] == ["--measure"]:
        return measure(arguments[1], arguments[2], float(arguments[3]))
    if arguments not in ([], ["--quick"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    import check
    import report
    import table
    quick, rows = bool(arguments), []
    python, wheel = environment()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        make(folder, quick)
        for kind, each in (("numpy", python), ("torch", TORCH)):
            if not os.path.exists(each):
                print("the rows with %s are left out: make check-torch makes their environment" % kind, file=sys.stderr)
                continue
            check.install(each, "--no-index", "--no-deps", "--force-reinstall", wheel)
            done = subprocess.run([each, os.path.abspath(__file__), "--measure", kind, folder, "0.3" if quick else "5"],
                                  stdout=subprocess.PIPE, universal_newlines=True, check=True, cwd=folder)
            rows += json.loads(done.stdout)
    caption = "Measured with assay %s on %s." % (table.commit(), table.machine())
    print(caption + "\n\n" + page(rows))
    if not quick:
        report.fill(os.path.join(HERE, "PYTHON.md"), {"python": caption + "\n\n" + page(rows)})
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
