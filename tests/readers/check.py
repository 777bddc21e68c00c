#!/usr/bin/env python3
"""Every reader that can be had, on files that assay accepts: does it accept them too, and read the same table?

    tests/readers/check.py [--only READER,...] [--report FILE] [COUNT [SEED] | FOLDER...]

The files are those of corpus/valid and COUNT generated ones (20,000), or the valid ones in the folders. assay itself
judges them all, and must accept them. What a reader does otherwise must be a gap that is known: gaps.py and
spec/readers.md, which must say the same; each gap must show on its smallest file. A line a reader and a line a gap is
printed. Exit status 1 if something is not known, 77 if no reader can be had.
"""
import argparse
import collections
import multiprocessing
import os
import re
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(ROOT, "spec")]
import gaps  # noqa: E402
import hosts  # noqa: E402
import model  # noqa: E402
import told  # noqa: E402
import valid_files  # noqa: E402
from hosts import Reader  # noqa: E402

SKIP = 77
CHUNK = 5000
READERS = [
    Reader("crate 0.8.0", hosts.rust, "0.8.0", "0.8.0", 1),
    Reader("crate 0.7.0", hosts.rust, "0.7.0", "0.7.0", 1),
    Reader("crate 0.5.3", hosts.rust, "0.5.3", "0.5.3", 1),
    Reader("crate 0.3.3", hosts.rust, "0.3.3", "0.3.3", 1),
    Reader("NumPy", hosts.python, "numpy", "safetensors 0.8.0, numpy 2.4.6", 1),
    Reader("huggingface_hub", hosts.python, "huggingface_hub", "2.4.0", 1),
    Reader("huggingface.js", hosts.javascript, "", "@huggingface/hub 2.17.5", 1),
    Reader("gguf", hosts.python, "gguf", "0.19.0", 1),
    Reader("tinygrad", hosts.python, "tinygrad", "0.14.0", 25),
    Reader("MLX", hosts.python, "mlx", "0.32.4", 1),
    Reader("fastsafetensors", hosts.python, "fastsafetensors", "0.5.0", 1),
    Reader("stsw", hosts.python, "stsw", "1.0.0", 1),
    Reader("modelvet", hosts.python, "modelvet", "0.1.1", 1),
    Reader("nlpodyssey", hosts.go, "nlpodyssey", "bfb01cc25f7c", 1),
    Reader("ollama", hosts.go, "ollama", "0.17.4", 1),
]


# ---- One chunk of files, in a process of its own ---------------------------------------------------------

def assay_rejects(files):
    """The files that assay itself does not call valid."""
    lines = ["%s file_size=%d" % (data[:8 + int.from_bytes(data[:8], "little")].hex(), size)
             for data, size, _ in files]
    done = subprocess.run([os.path.join(ROOT, "build", "tests", "driver")], input="\n".join(lines) + "\n",
                          stdout=subprocess.PIPE, universal_newlines=True, check=True)
    verdicts = done.stdout.splitlines()
    return [file for file, line in zip(files, verdicts) if not line.startswith('{"verdict": "valid"')] \
        + files[len(verdicts):]


def ask(command, files):
    """(the reader's lines, seconds)"""
    records = b"".join(struct.pack("<QQ", size, len(data)) + data for data, size, _ in files)
    start = time.time()
    done = subprocess.run(command, input=records, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8").split("\n")[:-1]
    if done.returncode != 0 or len(lines) != len(files):
        raise SystemExit("%s: exit status %d, %d lines for %d files" % (
            command, done.returncode, len(lines), len(files)))
    return lines, time.time() - start


def chunk(task):
    """(counts by reader and what; texts of what is not known)"""
    commands, files = task
    files = list(valid_files.files(*files)) if isinstance(files, tuple) else files
    seen, unknown = collections.Counter(), []
    seen["", "files"] = len(files)
    unknown += [("assay", "assay does not accept it", *file[:2]) for file in assay_rejects(files)]
    tables = [told.table_of(data, result) for data, _, result in files]
    for reader, command in commands.items():
        share = slice(0, None, reader.share if len(files) > 1000 else 1)
        lines, seconds = ask(command, files[share])
        seen[reader.name, "seconds"] += seconds
        for (data, size, _), table, line in zip(files[share], tables[share], lines):
            what, ids = told.explain(reader.name, table, line)
            seen[reader.name, what] += 1
            seen.update((reader.name, name) for name in ids)
            if what in ("reject", "differs") and not ids:
                unknown.append((reader.name, line, data, size))
    return seen, unknown


# ---- All of them -----------------------------------------------------------------------------------------

def from_folders(folders):
    """The valid files in these folders."""
    out = []
    for folder in folders:
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                with open(os.path.join(where, name), "rb") as f:
                    data = f.read()
                result = model.judge(data, len(data))
                if result.verdict == "valid":
                    out.append((data, len(data), result))
    return out


def tasks(commands, args):
    if args.what and not args.what[0].isdigit():
        files = from_folders(args.what)
        count = seed = 0
    else:
        files = from_folders([os.path.join(ROOT, "corpus", "valid")])
        count, seed = (list(map(int, args.what)) + [20_000, 5][len(args.what):])
    for first in range(0, len(files), CHUNK):
        yield commands, files[first:first + CHUNK]
    for first in range(0, count, CHUNK):
        yield commands, (seed, min(CHUNK, count - first), first)


def shows(gap, command):
    """Why the smallest file of a gap does not show it, or None."""
    header = gap.smallest.encode()
    end = max(map(int, re.findall(r'"data_offsets":\[\d+,(\d+)\]', gap.smallest)), default=0)
    file = valid_files.with_data(len(header).to_bytes(8, "little") + header, end)
    if file[2].verdict != "valid":
        return "its smallest file is invalid: %s" % file[2].name
    lines, _ = ask(command, [file])
    what, ids = told.explain(gap.reader, told.table_of(file[0], file[2]), lines[0])
    return None if gap.id in ids else "its smallest file does not show it: %s, %s" % (what, lines[0][:200])


def noted():
    """{id: reader} of spec/readers.md."""
    with open(os.path.join(ROOT, "spec", "readers.md"), encoding="utf-8") as f:
        return dict(re.findall(r"^\| (R\d+) \| ([^|]+) \|", f.read().replace("\\_", "_"), re.M))


def troubles_of_gaps(commands):
    """Gaps that are not what they are said to be."""
    names = {reader.name: command for reader, command in commands.items()}
    if noted() != {gap.id: gap.reader for gap in gaps.GAPS}:
        yield "spec/readers.md and gaps.py name other gaps: %s" % sorted(
            set(noted().items()) ^ {(gap.id, gap.reader) for gap in gaps.GAPS})
    for gap in gaps.GAPS:
        why = gap.reader in names and shows(gap, names[gap.reader])
        if why:
            yield "%s, %s: %s" % (gap.id, gap.reader, why)


def report(commands, seen):
    yield "%d files that assay accepts" % seen["", "files"]
    yield "%-16s %-30s %8s %8s %8s %8s %8s %9s" % (
        "reader", "version", "asked", "the same", "rejects", "differs", "skipped", "files/s")
    for reader in commands:
        asked = [seen[reader.name, what] for what in ("same", "reject", "differs", "skip")]
        yield "%-16s %-30s %8d %8d %8d %8d %8d %9.0f" % (
            reader.name, reader.version, sum(asked), *asked, sum(asked) / max(seen[reader.name, "seconds"], 1e-9))
    for gap in gaps.GAPS:
        if any(reader.name == gap.reader for reader in commands):
            yield "%-4s %-16s explains %d" % (gap.id, gap.reader, seen[gap.reader, gap.id])


def show(unknown):
    for who, line, data, size in unknown[:5]:
        print("UNKNOWN: %s: %s\n  %s file_size=%d" % (who, line[:300], data[:400].hex(), size))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", type=lambda text: [name for name in text.split(",") if name])
    parser.add_argument("--report")
    parser.add_argument("what", nargs="*")
    args = parser.parse_args(argv)
    chosen = [reader for reader in READERS if not args.only or reader.name in args.only]
    commands = hosts.commands(chosen, print)
    if not commands:
        return SKIP
    troubles, seen, unknown = list(troubles_of_gaps(commands)), collections.Counter(), []
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for counted, texts in pool.imap(chunk, tasks(commands, args)):
            seen.update(counted)
            unknown += texts
    lines = list(report(commands, seen))
    print("\n".join(troubles + lines))
    show(unknown)
    if args.report:
        with open(os.path.join(ROOT, args.report), "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")
    wrong = len(troubles) + len(unknown)
    print("%d passed, %d failed" % (sum(seen[reader.name, "same"] for reader in commands), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
