"""The table on stdout, and what its rows are."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

READERS = {
    "assay": "assay_parse, all of it: every rule, the index of names, the layout. Memory is given and used again.",
    "assay+memory": "the same, and malloc before it of what a tensor for every 64 bytes needs (of what is asked for, and parsed"
                    " again, if that is too little), free behind it.",
    "crate": "SafeTensors::deserialize of the Rust crate, and its drop: all that it checks, its table and its index.",
    "bintensors": "BinTensors::deserialize, and its drop: the same tensors in its own binary format, which is not JSON."
                  " MB are those of the JSON header.",
    "simdjson": "parser::parse to a document (DOM); parser used again. JSON alone: none of the rules, no index.",
    "yyjson": "yyjson_read_opts to a document; memory given and used again. JSON alone: none of the rules, no index.",
    "huggingface_hub": "parse_local_safetensors_file_metadata of this Python package: the header by json and"
                       " dataclasses; no rule is checked.",
    "gguf": "SafetensorsLocal of this Python package: the same, and the place of each tensor against the file's size.",
    "system": "open, fstat, read of 4,096 bytes and close of each file: nothing is judged (floor.c).",
    "python": "safe_open of the Python package, and its end: it opens and maps the file too.",
}
OPERATIONS = {
    "parse": "the files of the workload, one after the other",
    "walk": "all tensors of the first file: the bytes of their names and their dims are added up",
    "find": "one look-up by name, names in random order; python: get_slice",
    "first": "from the file's name to the first byte of a tensor, found by name: open, map, parse; assay copies the head"
             " before it judges it; python: to the shape alone, for NumPy can't read every dtype",
    "memory": "pages that the first parse adds to the process, at the peak",
    "workspace": "what assay_measure asks for",
    "1 process": "`assay check -q -j1` over the files, its start and end counted; python: a program that opens them all,"
                 " likewise",
    "2 processes": "the same with -j2: two judges; python: two processes, half of the files each",
    "2 running": "the same, but the processes run already (python: and have the package in memory)",
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
    """Prints them; gives them back."""
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
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "processor not named")
    return "%s, %d cores, load %.2f" % (model, os.cpu_count(), os.getloadavg()[0])


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return done.stdout.decode().strip()
