#!/usr/bin/env python3
"""Count the instructions of assay_parse with callgrind: the counts do not depend on the machine's load.

    bench/instructions.py            counts, with the targets
    bench/instructions.py --check    fail if a count is more than 3 % above bench/instructions.tsv
    bench/instructions.py --write    write that file
    bench/instructions.py --lines    print the functions of src/core that the instructions are spent in

The counts are of one compiler's code; with another compiler nothing is compared (exit status 77). The workloads are the
small ones (SCALE). The caller passes memory, and allocating it is not counted.
"""
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import workloads  # noqa: E402

OUT = os.path.join(ROOT, "build", "bench")
SCALE = "small"
TABLE = os.path.join(HERE, "instructions.tsv")
MARGIN = 0.03
ANY_PER_BYTE = 45              # for any legal header
SKIP = 77

Count = collections.namedtuple("Count", "workload kind bytes tensors instructions")


def compiler():
    text = subprocess.run([os.environ.get("CC", "cc"), "--version"], stdout=subprocess.PIPE, check=True).stdout
    machine = os.uname().machine
    return "%s, %s" % (text.decode().splitlines()[0], machine)


def header_bytes(path):
    with open(path, "rb") as f:
        return int.from_bytes(f.read(8), "little")


def counted(workload):
    """Count a workload, and keep the file of callgrind."""
    paths = workloads.paths(os.path.join(OUT, SCALE), workload.name)
    out = os.path.join(OUT, "callgrind." + workload.name)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, "--dump-line=yes",
               "--toggle-collect=assay_parse", os.path.join(OUT, "assay"), "assay", *paths]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    if run.returncode != 0:
        sys.exit("%s: callgrind: %s" % (workload.name, run.stderr[-500:]))
    total = int(re.search(r"Collected : (\d+)", run.stderr).group(1))
    assert total > 0, "callgrind counted nothing"
    return Count(workload.name, workload.kind, sum(map(header_bytes, paths)), sum(map(int, run.stdout.split())), total)


def count_all():
    workloads.make_all(os.path.join(OUT, SCALE), SCALE)
    subprocess.run([os.path.join(HERE, "build.sh"), "assay"], check=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(counted, workloads.WORKLOADS))


def allowed(count):
    """Return the target in instructions."""
    return ANY_PER_BYTE * count.bytes


def show(counts):
    print("%-32s %9s %8s %13s %9s %9s  %s" % (
        "workload", "bytes", "tensors", "instructions", "per byte", "target", "verdict"))
    for c in counts:
        print("%-32s %9d %8d %13d %9.2f %9.2f  %s" % (
            c.workload, c.bytes, c.tensors, c.instructions, c.instructions / c.bytes, allowed(c) / c.bytes,
            "met" if c.instructions <= allowed(c) else "NOT met"))


def write(counts):
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write("# made by bench/instructions.py --write, with %s\n" % compiler())
        f.write("workload\theader_bytes\ttensors\tinstructions\n")
        for c in counts:
            f.write("%s\t%d\t%d\t%d\n" % (c.workload, c.bytes, c.tensors, c.instructions))


def recorded():
    """Return {workload: (bytes, tensors, instructions)}; exit if the counts are of another compiler."""
    with open(TABLE, encoding="utf-8") as f:
        first, _, *rows = f.read().splitlines()
    made_with = first.split(", with ", 1)[1]
    if made_with != compiler():
        print("the counts are of %s, this is %s: nothing is compared" % (made_with, compiler()))
        sys.exit(SKIP)
    return {row.split("\t")[0]: tuple(map(int, row.split("\t")[1:])) for row in rows}


def check(counts, limits):
    failed = 0
    for c in counts:
        size, tensors, instructions = limits.get(c.workload, (0, 0, 0))
        if (size, tensors) != (c.bytes, c.tensors):
            print("%s: %d bytes, %d tensors; bench/instructions.tsv has %d, %d" % (
                c.workload, c.bytes, c.tensors, size, tensors))
            failed += 1
        elif c.instructions > instructions * (1 + MARGIN):
            print("%s: %d instructions, %.1f %% more than in bench/instructions.tsv" % (
                c.workload, c.instructions, 100 * (c.instructions / instructions - 1)))
            failed += 1
    for name in set(limits) - {c.workload for c in counts}:
        print("%s: is only in bench/instructions.tsv" % name)
        failed += 1
    print("%d passed, %d failed" % (len(counts) - min(failed, len(counts)), failed))
    return 1 if failed else 0


# ---- Where they go ------------------------------------------------------------------------------------------

def cost_lines(path):
    """Return {(file, line): instructions} of a file of callgrind; callees count for their own lines only."""
    names, costs, current, position, called = {}, collections.Counter(), "", 0, False
    with open(path, encoding="utf-8") as f:
        for line in f:
            match = re.match(r"(fl|fi|fe)=\((\d+)\)(?: (.*))?", line)
            if match:
                _, key, name = match.groups()
                names.setdefault(key, name)
                current = names[key] or ""
            elif re.match(r"cf[il]=\((\d+)\) ", line):
                key, name = re.match(r"cf[il]=\((\d+)\) (.*)", line).groups()
                names.setdefault(key, name)
            elif line.startswith("calls="):
                called = True
            elif re.match(r"[+\-*\d]", line):
                where, cost = (line.split() + ["0"])[:2]
                position = position if where == "*" else position + int(where) if where[0] in "+-" else int(where)
                if not called:
                    costs[os.path.basename(current), position] += int(cost)
                called = False
    return costs


def function_of(name, line, cache={}):  # pylint: disable=dangerous-default-value
    """Return the function of src/core that contains a line."""
    if name not in cache:
        path, starts = os.path.join(ROOT, "src", "core", name), []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                for number, text in enumerate(f, 1):
                    match = re.match(r"(?:static )?(?:inline )?[a-z]\w+ \*?(\w+)\(", text)
                    if match:
                        starts.append((number, match.group(1)))
        cache[name] = starts
    found = [function for start, function in cache[name] if start <= line]
    return found[-1] if found else name


def show_lines(count):
    costs = cost_lines(os.path.join(OUT, "callgrind." + count.workload))
    functions = collections.Counter()
    for (name, line), cost in costs.items():
        functions[function_of(name, line)] += cost
    print("\n%s: %d bytes, %d tensors, %.2f instructions a byte" % (
        count.workload, count.bytes, count.tensors, count.instructions / count.bytes))
    for function, cost in functions.most_common(24):
        print("  %5.1f %%  %7.3f a byte  %7.1f a tensor  %s" % (
            100 * cost / count.instructions, cost / count.bytes, cost / max(count.tensors, 1), function))


def main(args):
    if args not in ([], ["--check"], ["--write"], ["--lines"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if shutil.which("valgrind") is None:
        print("valgrind is missing: nothing is counted")
        return SKIP
    limits = recorded() if args == ["--check"] else {}
    counts = count_all()
    show(counts)
    if args == ["--write"]:
        write(counts)
    if args == ["--lines"]:
        for count in counts:
            if count.kind != "attack":
                show_lines(count)
    return check(counts, limits) if args == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
