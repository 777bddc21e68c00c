#!/usr/bin/env python3
"""Measure assay and its peers on the same bytes, and compare the figures with the targets (make bench).

    bench/run.py            measure everything: at most half a minute for each operation on each workload
    bench/run.py --quick    smaller files, fewer repetitions: under two minutes once built

Each reader is a separate process that executes commands (bench/reader_main.c). All readers of a workload have it in
memory; then they take turns, once in every repetition. build/bench/ gets results.json and results.svg; stdout gets
the table.
"""
import json
import os
import statistics
import subprocess
import sys
import time
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
OUT = os.path.join(ROOT, "build", "bench")
sys.path[:0] = [HERE, os.path.join(ROOT, "assurance", "readers")]
import hosts  # noqa: E402
import instructions  # noqa: E402
import plot  # noqa: E402
from reader import Reader, Refused  # noqa: E402
import table  # noqa: E402
import targets  # noqa: E402
import workloads  # noqa: E402

PROGRAM = os.path.join(OUT, "bench")
ASSAY = ("assay", "assay+memory")
OTHERS = ("huggingface_hub", "gguf")  # packages that read headers, of those of assurance/readers
ACCESS = ("smollm", "tensors-10k", "tensors-800k")  # the workloads of walk, find, first


class Scale:
    """The extent of a run. seconds: the duration of a sample; samples: repetitions, fewer if one takes longer."""
    def __init__(self, quick):
        self.name = "quick" if quick else "full"
        self.seconds, self.samples, self.budget = (0.003, 5, 2) if quick else (0.05, 15, 30)
        self.files = 1_000 if quick else 10_000


# ---- Readers ----------------------------------------------------------------------------------------------

def python():
    """Return the interpreter that has the package, or None."""
    where = os.path.join(OUT, "python")
    command = os.path.join(where, "bin", "python")
    wanted = os.path.join(ROOT, "assurance", "reference", "requirements.txt")
    if not os.path.exists(command):
        venv.create(where, with_pip=True)
    done = subprocess.run([command, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                           "--only-binary=:all:", "--require-hashes", "-r", wanted], check=False)
    if done.returncode != 0:
        print("left out: python: pip could not install the package")
        return None
    return command


def python_of_others():
    """Return the interpreter that has the packages of `make readers`, or None."""
    try:
        return hosts.python()[0]
    except hosts.Absent as why:
        print("left out: %s: %s" % (", ".join(OTHERS), str(why).splitlines()[-1]))
        return None


def built():
    """Return {reader: (command, version)} of the available readers."""
    subprocess.run([os.path.join(HERE, "build.sh")], check=True)
    lines = subprocess.run([PROGRAM], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.splitlines()
    found = {name: ([PROGRAM, name], version) for name, version in (line.split("\t") for line in lines)}
    interpreters = {"python": python(), **dict.fromkeys(OTHERS, python_of_others())}
    for name, interpreter in interpreters.items():
        if interpreter is not None:
            command = [interpreter, os.path.join(HERE, "python_reader.py"), name]
            version = subprocess.run(command + ["--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
            found[name] = (command, version.strip())
    return found


# ---- Measuring --------------------------------------------------------------------------------------------

def row(workload, reader, operation, unit, samples, **more):
    """Return a row with the median and quartiles of the samples."""
    quarters = statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3
    return dict(workload=workload, reader=reader, operation=operation, unit=unit, median=quarters[1], low=quarters[0],
                high=quarters[2], samples=len(samples), **more)


def refusal(workload, reader, operation, why):
    return dict(workload=workload, reader=reader, operation=operation, unit="", median=None, refused=why)


def take_turns(scale, workload, readers, operation, unit, **more):
    """Measure one operation: every repetition takes one sample of each reader, and begins with another reader."""
    counts, samples, said, rows = {}, {r: [] for r in readers}, {}, []
    for reader in list(readers):
        reader.stay()
        try:
            nanoseconds, said[reader.name] = reader.ask(operation, 1)  # warms it up, and estimates the time
            counts[reader] = max(1, int(scale.seconds * 1e9 / max(nanoseconds, 1)))
            nanoseconds, _ = reader.ask(operation, counts[reader])
            counts[reader] = max(1, int(scale.seconds * 1e9 * counts[reader] / max(nanoseconds, 1)))
        except Refused as why:
            rows.append(refusal(workload, reader.name, operation, str(why)))
            readers = [r for r in readers if r != reader]
    start, turn = time.time(), 0
    while turn < scale.samples and (turn < 3 or time.time() - start < scale.budget):
        for reader in readers[turn % max(len(readers), 1):] + readers[:turn % max(len(readers), 1)]:
            nanoseconds, _ = reader.ask(operation, counts[reader])
            samples[reader].append(nanoseconds / counts[reader])
        turn += 1
    if operation in ("parse", "walk") and len(set(said.values())) > 1:
        sys.exit("%s, %s: the readers disagree: %s" % (workload, operation, said))
    return rows + [row(workload, r.name, operation, unit, samples[r], **more) for r in readers]


def of_workload(scale, found, workload):
    """Return all rows of a workload except memory."""
    paths = workloads.paths(os.path.join(OUT, scale.name), workload.name)
    size = sum(map(instructions.header_bytes, paths))
    readers, rows = [], []
    for name, (command, _) in found.items():
        if workload.kind == "attack" and name not in ASSAY:
            continue
        reader = Reader(name, command)
        try:
            reader.ask("load", *paths)
            readers.append(reader)
        except Refused as why:
            rows.append(refusal(workload.name, name, "parse", str(why)))
            reader.close()
    rows += take_turns(scale, workload.name, readers, "parse", "ns", bytes=size, files=len(paths))
    if workload.kind == "attack" and scale.name == "full":
        rows += at_a_megabyte(scale, found, workload)
    if workload.name in ACCESS:
        able = [r for r in readers if r.name not in OTHERS]
        rows += take_turns(scale, workload.name, able, "walk", "ns")
        rows += take_turns(scale, workload.name, [r for r in able if r.name != "assay+memory"], "find", "ns")
        rows += take_turns(scale, workload.name, [r for r in able if r.name != "assay"], "first", "ns")
    for reader in readers:
        reader.close()
    return rows


def at_a_megabyte(scale, found, workload):
    """Measure the same shape of file at the size of the counts of instructions."""
    reader = Reader("assay", found["assay"][0])
    paths = workloads.paths(os.path.join(OUT, instructions.SCALE), workload.name)
    reader.ask("load", *paths)
    rows = take_turns(scale, workload.name + targets.SMALL, [reader], "parse", "ns",
                      bytes=sum(map(instructions.header_bytes, paths)), files=len(paths))
    reader.close()
    return rows


def memory_of(scale, found, workload):
    """Measure the peak memory of the first parse, in new processes."""
    path, rows = workloads.paths(os.path.join(OUT, scale.name), workload.name)[0], []
    for name, (command, _) in found.items():
        if workload.kind == "attack" and name != "assay" or name in OTHERS:
            continue
        reader = Reader(name, command)
        try:
            reader.ask("load", path)
            peak, tensors = reader.ask("memory")
            rows.append(row(workload.name, name, "memory", "bytes", [peak], bytes=instructions.header_bytes(path),
                            tensors=tensors))
            if name == "assay":
                wanted, limit = reader.ask("workspace")
                rows.append(row(workload.name, name, "workspace", "bytes", [wanted], limit=limit))
        except Refused as why:
            rows.append(refusal(workload.name, name, "memory", str(why)))
        reader.close()
    return rows


def seconds_of(commands):
    """Start all commands at once; return the seconds until the last has ended."""
    start = time.perf_counter()
    running = [subprocess.Popen(c, stdout=subprocess.DEVNULL) for c in commands]
    if any(process.wait() for process in running):
        sys.exit("a program failed on the small files")
    return time.perf_counter() - start


def seconds_running(readers, halves):
    """Return the seconds that running processes need for the files."""
    start = time.perf_counter()
    for reader, half in zip(readers, halves):
        reader.process.stdin.write("files %s\n" % half)
        reader.process.stdin.flush()
    for reader in readers:
        reader.process.stdout.readline()
    return time.perf_counter() - start


def small_files(scale, found):
    """Measure files a second over many small models: `assay check` with and without its sandbox; the package in a new
    program and in running processes; and processes that only open and read the files."""
    folder = os.path.join(OUT, scale.name, "files")
    if not os.path.exists(folder):
        workloads.small_files(folder + ".part", scale.files)
        os.rename(folder + ".part", folder)
    halves = [os.path.join(folder, half) for half in "ab"]
    check = [os.path.join(ROOT, "build", "assay"), "check", "-q"]
    bare = check + ["--no-sandbox"]
    samples = {("assay", "1 process"): [check + ["-j1"] + halves], ("assay", "2 processes"): [check + ["-j2"] + halves],
               ("assay, no sandbox", "1 process"): [bare + ["-j1"] + halves],
               ("assay, no sandbox", "2 processes"): [bare + ["-j2"] + halves]}
    running = {"system": [Reader("floor", [os.path.join(OUT, "floor")]) for _ in halves]}
    if "python" in found:
        program = found["python"][0] + ["--files"]
        samples["python", "1 process"] = [program + halves]
        samples["python", "2 processes"] = [program + [half] for half in halves]
        running["python"] = [Reader("python", found["python"][0]) for _ in halves]
    rates = {key: [] for key in samples}
    for _ in range(scale.samples):
        for key, commands in samples.items():
            rates[key].append(scale.files / seconds_of(commands))
        for name, readers in running.items():
            rates.setdefault((name, "2 running"), []).append(scale.files / seconds_running(readers, halves))
    for reader in sum(running.values(), []):
        reader.close()
    return [row("small files", reader, name, "files/s", values) for (reader, name), values in rates.items()]


def main(args):
    if args not in ([], ["--quick"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    scale = Scale(bool(args))
    subprocess.run(["make", "-s", "build/assay"], cwd=ROOT, check=True)
    workloads.make_all(os.path.join(OUT, instructions.SCALE), instructions.SCALE)
    found, caption = built(), table.machine()
    print("%s\n%s; assay %s\n" % (caption, ", ".join("%s %s" % (k, v) for k, (_, v) in found.items()), table.commit()))
    workloads.make_all(os.path.join(OUT, scale.name), scale.name)
    rows = []
    for workload in workloads.WORKLOADS:
        rows += table.show(of_workload(scale, found, workload) + memory_of(scale, found, workload))
    rows += table.show(small_files(scale, found))
    table.notes()
    counts = instructions.count_all()
    instructions.show(counts)
    judged = targets.judge(rows, counts, scale.name == "full")
    print()
    targets.show(judged)
    results = dict(machine=caption, assay=table.commit(), scale=scale.name, versions={k: v for k, (_, v) in found.items()},
                   rows=rows, instructions=[c._asdict() for c in counts], targets=[t._asdict() for t in judged])
    with open(os.path.join(OUT, "results.json"), "w", encoding="utf-8") as f:
        json.dump(results, f, indent=1)
    with open(os.path.join(OUT, "results.svg"), "w", encoding="utf-8") as f:
        f.write(plot.svg(results))
    print("\nbuild/bench/results.json, build/bench/results.svg; measurements:")
    print("%d passed, 0 failed" % len(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
