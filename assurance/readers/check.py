#!/usr/bin/env python3
"""Run every available reader on files that assay accepts: each must accept them, and read the same table.

    assurance/readers/check.py [--only READER,...] [COUNT [SEED] | FOLDER...]
    check.py --record BATCHES [COUNT [SEED]]    only generated files; each batch is added to batches.tsv
    assurance/readers/check.py --again    judge the files of all batches by assay only, after a change of the core:
                                          again.tsv
    assurance/readers/check.py --recorded    check that the record is of this core, these readers and versions, and that
                                             everything is explained

The files are those of corpus/valid and COUNT generated ones (20,000), or the valid ones in the folders. assay
itself judges all, and must accept them. A difference of a reader must be a known gap: gaps.py and spec/readers.md,
which must agree; each gap must occur on its smallest file. One line is printed for each reader and for each gap.
Exit status 1 if a difference is unknown, 77 if no reader is available.
"""
import argparse
import collections
import hashlib
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
import batches  # noqa: E402
import gaps  # noqa: E402
import hosts  # noqa: E402
import model  # noqa: E402
import reported_table  # noqa: E402
import valid_files  # noqa: E402
from hosts import Reader  # noqa: E402

SKIP = 77
CHUNK = 10_000
READERS = [
    Reader("crate 0.8.0", hosts.rust, "0.8.0", "0.8.0"),
    Reader("crate 0.7.0", hosts.rust, "0.7.0", "0.7.0"),
    Reader("crate 0.5.3", hosts.rust, "0.5.3", "0.5.3"),
    Reader("crate 0.3.3", hosts.rust, "0.3.3", "0.3.3"),
    Reader("NumPy", hosts.python, "numpy", "safetensors 0.8.0, numpy 2.4.6"),
    Reader("huggingface_hub", hosts.python, "huggingface_hub", "2.4.0"),
    Reader("huggingface.js", hosts.javascript, "", "@huggingface/hub 2.17.5"),
    Reader("gguf", hosts.python, "gguf", "0.19.0"),
    Reader("tinygrad", hosts.python, "tinygrad", "0.14.0"),
    Reader("MLX", hosts.python, "mlx", "0.32.4"),
    Reader("fastsafetensors", hosts.python, "fastsafetensors", "0.5.0"),
    Reader("stsw", hosts.python, "stsw", "1.0.0"),
    Reader("modelvet", hosts.python, "modelvet", "0.1.1"),
    Reader("nlpodyssey", hosts.go, "nlpodyssey", "bfb01cc25f7c"),
    Reader("ollama", hosts.go, "ollama", "0.17.4"),
]


# ---- One chunk of files, in a process of its own ---------------------------------------------------------

def assay_rejects(files):
    """Return the files that assay itself does not call valid."""
    lines = ["%s file_size=%d" % (data[:8 + int.from_bytes(data[:8], "little")].hex(), size)
             for data, size, _ in files]
    done = subprocess.run([os.path.join(ROOT, "build", "tests", "driver")], input="\n".join(lines) + "\n",
                          stdout=subprocess.PIPE, universal_newlines=True, check=True)
    verdicts = done.stdout.splitlines()
    return [file for file, line in zip(files, verdicts) if not line.startswith('{"verdict": "valid"')] \
        + files[len(verdicts):]


def ask(command, files):
    """Return (the reader's lines, seconds)."""
    records = b"".join(struct.pack("<QQ", size, len(data)) + data for data, size, _ in files)
    start = time.time()
    done = subprocess.run(command, input=records, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8").split("\n")[:-1]
    if done.returncode != 0 or len(lines) != len(files):
        raise RuntimeError("%s: exit status %d, %d lines for %d files" % (
            command, done.returncode, len(lines), len(files)))
    return lines, time.time() - start


def chunk(task):
    """Return (counts by reader and result; texts of unknown differences)."""
    commands, files = task
    files = list(valid_files.files(*files)) if isinstance(files, tuple) else files
    seen, unknown = collections.Counter(), []
    seen["", "files"] = len(files)
    unknown += [("assay", "assay does not accept it", *file[:2]) for file in assay_rejects(files)]
    tables = [reported_table.table_of(data, result) for data, _, result in files]
    for reader, command in commands.items():
        lines, seconds = ask(command, files)
        seen[reader.name, "seconds"] += seconds
        for (data, size, _), table, line in zip(files, tables, lines):
            what, ids = reported_table.explain(reader.name, table, line)
            seen[reader.name, what] += 1
            seen.update((reader.name, name) for name in ids)
            if what in ("reject", "differs") and not ids:
                unknown.append((reader.name, line, data, size))
    return seen, unknown


# ---- All of them -----------------------------------------------------------------------------------------

def from_folders(folders):
    """Return the valid files in these folders."""
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
    files = from_folders(args.folders or [os.path.join(ROOT, "corpus", "valid")])
    for first in range(0, len(files), CHUNK):
        yield commands, files[first:first + CHUNK]
    if not args.folders:
        yield from generated(commands, args.count, args.seed)


def generated(commands, count, seed):
    for first in range(0, count, CHUNK):
        yield commands, (seed, min(CHUNK, count - first), first)


def shows(gap, command):
    """Return why the smallest file of a gap does not show it, or None."""
    header = gap.smallest.encode()
    end = max(map(int, re.findall(r'"data_offsets":\[\d+,(\d+)\]', gap.smallest)), default=0)
    file = valid_files.with_data(len(header).to_bytes(8, "little") + header, end)
    if file[2].verdict != "valid":
        return "its smallest file is invalid: %s" % file[2].name
    lines, _ = ask(command, [file])
    what, ids = reported_table.explain(gap.reader, reported_table.table_of(file[0], file[2]), lines[0])
    return None if gap.id in ids else "its smallest file does not show it: %s, %s" % (what, lines[0][:200])


def noted():
    """Return {id: reader} of spec/readers.md."""
    with open(os.path.join(ROOT, "spec", "readers.md"), encoding="utf-8") as f:
        return dict(re.findall(r"^\| (R\d+) \| ([^|]+) \|", f.read().replace("\\_", "_"), re.M))


def troubles_of_gaps(commands):
    """Report gaps that are not as stated."""
    names = {reader.name: command for reader, command in commands.items()}
    if noted() != {gap.id: gap.reader for gap in gaps.GAPS}:
        yield "spec/readers.md and gaps.py name other gaps: %s" % sorted(
            set(noted().items()) ^ {(gap.id, gap.reader) for gap in gaps.GAPS})
    with open(os.path.join(ROOT, "spec", "decisions.md"), encoding="utf-8") as f:
        yield from ("spec/decisions.md: no gap %s" % name for name in re.findall(r"\bR\d+\b", f.read())
                    if name not in noted())
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
        print("UNKNOWN: %s: %s\n  %s file_size=%d" % (who, line[:300], data[:400].hex(), size), flush=True)


def ask_all(pool, some):
    """Return (counts, unknown differences) of all these tasks."""
    seen, unknown = collections.Counter(), []
    for counted, texts in pool.imap(chunk, some):
        seen.update(counted)
        unknown += texts
    return seen, unknown


def one_after_another(pool, commands, args):
    """Return (counts, unknown differences) of that many batches, each of which is recorded when it is done."""
    whole, every = collections.Counter(), []
    for number in range(args.record):
        seed = args.seed + number
        seen, unknown = ask_all(pool, generated(commands, args.count, seed))
        show(unknown)
        batches.add(seed, seen, commands, gaps.GAPS, [who for who, *_ in unknown])
        print("batch from seed %d: %d files, %d not known" % (seed, seen["", "files"], len(unknown)), flush=True)
        whole.update(seen)
        every += unknown
    return whole, every


def made_again(batch):
    """Return (a digest of each file of a batch, those that assay rejects)."""
    files = batches.files_of(*batch)
    digests = {hashlib.blake2b(b"%d %s" % (size, data), digest_size=8).digest() for data, size, _ in files}
    return digests, [("assay", "assay does not accept it", *file[:2]) for file in assay_rejects(files)]


def again(pool):
    """Run no reader: check that every file of the batches is still accepted, and count how many are different."""
    each, different, unknown = batches.seeds(batches.rows()), set(), []
    for digests, rejected in pool.imap(made_again, each):
        different |= digests
        unknown += rejected
        if unknown:
            break
    show(unknown)
    if not unknown:
        batches.again_write(each, len(different))
    print("%d passed, %d failed" % (sum(files for _, files in each) - len(unknown), len(unknown)))
    return 1 if unknown else 0


def recorded():
    """Report whether the record is of this core, these readers and versions, and explains all."""
    wrong = sorted(set(batches.troubles(batches.rows(), READERS)))
    print("\n".join(wrong))
    print("%d passed, %d failed" % (max(0, len(READERS) - len(wrong)), len(wrong)))
    return 1 if wrong else 0


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", type=lambda text: [name for name in text.split(",") if name])
    parser.add_argument("--record", type=int, metavar="BATCHES")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("what", nargs="*")
    args = parser.parse_args(argv)
    if args.recorded:
        return recorded()
    if args.again:
        with multiprocessing.Pool(os.cpu_count()) as pool:
            return again(pool)
    args.folders = [name for name in args.what if not name.isdigit()]
    numbers = list(map(int, args.what)) if not args.folders else []
    args.count, args.seed = numbers + [20_000, batches.next_seed() if args.record else 5][len(numbers):]
    commands = hosts.commands([reader for reader in READERS if not args.only or reader.name in args.only], print)
    if not commands:
        return SKIP
    troubles = list(troubles_of_gaps(commands))
    with multiprocessing.Pool(os.cpu_count()) as pool:
        if args.record:
            seen, unknown = one_after_another(pool, commands, args)
        else:
            seen, unknown = ask_all(pool, tasks(commands, args))
            show(unknown)
    print("\n".join(troubles + list(report(commands, seen))))
    wrong = len(troubles) + len(unknown)
    if args.record:
        print("files of all batches, on which each reader was tried:")
        print("%d passed, %d failed" % (batches.files_in(batches.rows()), wrong))
    else:
        print("%d passed, %d failed" % (sum(seen[reader.name, "same"] for reader in commands), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
