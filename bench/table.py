"""Print the table of a run, and what its rows measure."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

READERS = {
    "assay": "all of assay_parse: every rule, the index of names, the layout. Memory is passed in and reused.",
    "assay+memory": "the same, between malloc and free of the memory for a tensor in every 64 bytes; if that is too little,"
                    " of the reported need, and a second parse.",
    "crate": "SafeTensors::deserialize of the Rust crate, and its drop: all its checks, its table and its index.",
    "bintensors": "BinTensors::deserialize, and its drop: the same tensors in its own binary format, which is not JSON."
                  " MB are those of the JSON header.",
    "simdjson": "parser::parse to a document (DOM); the parser is reused. JSON only: none of the rules, no index.",
    "yyjson": "yyjson_read_opts to a document; memory is passed in and reused. JSON only: none of the rules, no index.",
    "huggingface_hub": "parse_local_safetensors_file_metadata of this Python package: the header by json and"
                       " dataclasses; no rule is checked.",
    "gguf": "SafetensorsLocal of this Python package: the same, and compares the position of each tensor with the file size.",
    "system": "open, fstat, read of 4,096 bytes and close of each file: nothing is judged (floor.c).",
    "python": "safe_open of the Python package, and its end; this includes opening and mapping the file.",
}
OPERATIONS = {
    "parse": "the files of the workload, one after the other",
    "walk": "all tensors of the first file: the sum of the bytes of their names and of their dims",
    "find": "one look-up by name, names in random order; python: get_slice",
    "first": "from the file's name to the first byte of a tensor, found by name: open, map, parse; assay copies the head"
             " first; python: only to the shape, since NumPy can't read every dtype",
    "memory": "peak of the pages that the first parse adds to the process",
    "workspace": "the need that assay_measure reports",
    "1 process": "`assay check -q -j1` over the files, from its start to its end; python: a program that opens them all,"
                 " measured the same way",
    "2 processes": "the same with -j2: two workers; python: two processes, half of the files each",
    "2 running": "the same, but the processes are already running (python: with the package in memory)",
}


def human(value, unit):
    if unit == "ns":
        for limit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
            if value >= limit:
                return "%.3g %s" % (value / limit, name) if value < 1000 * limit else "%.0f %s" % (value / limit, name)
    if unit == "bytes":
        for limit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
            if value >= limit:
                return "%.3g %s" % (value / limit, name)
    return "%.0f %s" % (value, unit)


def show(rows):
    """Print the rows, and return them."""
    print("\n%-30s %-13s %-12s %16s %16s %16s" % ("workload", "reader", "operation", "median", "lower quartile",
                                                 "upper quartile"))
    for r in rows:
        start = "%-30s %-13s %-12s" % (r["workload"], r["reader"], r["operation"])
        if r["median"] is None:
            print(start, r["refused"])
            continue
        speed = "%7.0f MB of header/s" % (r["bytes"] * 1e3 / r["median"]) if r["operation"] == "parse" else ""
        print(start, *("%16s" % human(r[k], r["unit"]) for k in ("median", "low", "high")), speed)
    return rows


def notes():
    print("\nWhat is measured")
    for name, words in list(READERS.items()) + list(OPERATIONS.items()):
        print("  %-13s %s" % (name, words))
    print()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "processor unknown")
    return "%s, %d cores, load %.2f" % (model, os.cpu_count(), os.getloadavg()[0])


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return done.stdout.decode().strip()
