#!/usr/bin/env python3
"""Measure what edits of large files and new headers cost (make bench-edit): the tables of bench/EDIT.md.

    bench/edit.py             in a temporary folder
    bench/edit.py --print     the same, and only print the tables
    bench/edit.py --print --folder FOLDER [--size MB]    in that folder; files that are copied have so many MB

Time is from start to end of the program. Waits for the disk (fsync) are measured in the same run, and stated apart; the
disk decides how long they take.
"""
import argparse
import errno
import fcntl
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import report  # noqa: E402
import table  # noqa: E402

PROGRAM = os.environ.get("ASSAY", os.path.join(ROOT, "build", "assay"))
LARGE = 100 * 10**9  # bytes: the sparse file
TARGET, COPY_TARGET, HEADER_TARGET = 10, 0.9, 500  # ms without fsync; the speed of cp; MB/s
WRITTEN = {"sorted": "described in canonical order", "shuffled": "described in any order"}
RUNS, COPIES = 15, 7
FICLONE = 0x40049409
EDIT = ["--set", "author=" + "v" * 3000]


def head(size):
    text = json.dumps({"weight": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    return len(text).to_bytes(8, "little") + text


def run(words, library=None):
    """Run a command; return the seconds that it took, and those of fsync."""
    env = {**os.environ, **({"LD_PRELOAD": library} if library else {})}
    began = time.perf_counter()
    done = subprocess.run(words, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
    took = time.perf_counter() - began
    said = done.stderr.decode()
    waits = [int(found) / 1e9 for found in re.findall(r"^fsync \d+ (\d+)$", said, re.M)]
    if done.returncode != 0:
        sys.exit("bench/edit.py: %s: exit status %d: %s" % (" ".join(words[:4]), done.returncode, said))
    return took, sum(waits)


def sparse(path):
    """Make the large file; return whether it has few blocks."""
    if os.path.exists(path):
        os.remove(path)
    with open(path, "wb") as f:
        f.write(head(LARGE))
        f.truncate(f.tell() + LARGE)
        os.fsync(f.fileno())
    return os.stat(path).st_blocks * 512 < 1 << 20


def shares(folder):
    """Can files of this folder share blocks?"""
    with open(os.path.join(folder, "a"), "w+b") as a, open(os.path.join(folder, "b"), "w+b") as b:
        a.write(bytes(8192))
        a.flush()
        try:
            fcntl.ioctl(b.fileno(), FICLONE, a.fileno())
        except OSError as error:
            if error.errno in (errno.EOPNOTSUPP, errno.EINVAL, errno.EXDEV, errno.ENOTTY):
                return False
            raise
    return True


def system(folder):
    """Return the name of the file system."""
    found = ("", "unknown")
    with open("/proc/mounts", encoding="utf-8") as f:
        for line in f:
            _, where, kind = line.split()[:3]
            if (os.path.realpath(folder) + "/").startswith(where.rstrip("/") + "/") and len(where) >= len(found[0]):
                found = (where, kind)
    return found[1]


def large(folder, library):
    """Return the rows for the large file: the way, what is to be done to it before, the options."""
    path = os.path.join(folder, "large.safetensors")
    ways = [("new header over the old one", ["--reserve", "8000"], ["--in-place"]), ("blocks inserted", None, ["--in-place"])]
    ways += [("new file that shares the data", None, [])] if shares(folder) else []
    lines = ["| how the metadata get into 100 GB | median | least | fsync apart | target |",
             "| --- | ---: | ---: | ---: | --- |"]
    for what, before, options in ways:
        try:
            sparse(path)
            if before is not None:
                subprocess.run([PROGRAM, "edit", path, "--in-place", *before], check=True, stderr=subprocess.PIPE)
            run([PROGRAM, "edit", path, *EDIT, *options])
        except (SystemExit, subprocess.CalledProcessError):
            if options == []:
                raise
            lines.append("| %s | - | - | - | this file system can't |" % what)
            continue
        took = []
        for _ in range(RUNS):
            sparse(path)
            if before is not None:
                subprocess.run([PROGRAM, "edit", path, "--in-place", *before], check=True)
            took.append(run([PROGRAM, "edit", path, *EDIT, *options], library))
        without = [(total - waits) * 1e3 for total, waits in took]
        middle = statistics.median(without)
        lines.append("| %s | %.1f ms | %.1f ms | %.1f ms | %s: %d ms |" % (
            what, middle, min(without), statistics.median(waits for _, waits in took) * 1e3,
            "met" if middle < TARGET else "missed", TARGET))
    os.remove(path)
    return "\n".join(lines)


def copies(folder, library, size):
    """Return the rows for a file whose data are copied, beside cp."""
    path, other = os.path.join(folder, "full.safetensors"), os.path.join(folder, "copy")
    with open(path, "wb") as f:
        f.write(head(size))
        block = os.urandom(1 << 20)
        for at in range(0, size, 1 << 20):
            f.write(block[:size - at])
        os.fsync(f.fileno())
    run([PROGRAM, "check", path])
    ours, theirs = [], []
    for _ in range(COPIES):
        for words, into in (([PROGRAM, "edit", path, *EDIT, "-o", other], ours),
                            (["cp", "--reflink=never", path, other], theirs)):
            if os.path.exists(other):
                os.remove(other)
            os.sync()
            took, waits = run(words, library if into is ours else None)
            if into is theirs:
                with open(other, "rb") as f:
                    began = time.perf_counter()
                    os.fsync(f.fileno())
                    waits = time.perf_counter() - began
                    took += waits
            into.append((took, took - waits))
    os.remove(path)
    os.remove(other)
    lines = ["| copy of %d MB | `assay edit` | `cp --reflink=never` | speed of assay / cp | target |" % (size // 10**6),
             "| --- | ---: | ---: | ---: | --- |"]
    for what, which in (("to the disk, with fsync", 0), ("without fsync", 1)):
        mine, other_one = (statistics.median(pair[which] for pair in pairs) for pairs in (ours, theirs))
        ratio = other_one / mine
        lines.append("| %s | %.2f GB/s | %.2f GB/s | %.2f | %s: %.1f |" % (
            what, size / mine / 1e9, size / other_one / 1e9, ratio, "met" if ratio >= COPY_TARGET else "missed", COPY_TARGET))
    return "\n".join(lines)


def headers(folder):
    """Return the rows for headers that are written by the library."""
    program = os.path.join(folder, "write_speed")
    subprocess.run(["cc", "-std=c11", "-O2", "-I", os.path.join(ROOT, "include"), "-o", program,
                    os.path.join(HERE, "write_speed.c"), os.path.join(ROOT, "build", "libassay.a")], check=True)
    done = subprocess.run([program, "10000"], stdout=subprocess.PIPE, check=True, universal_newlines=True)
    lines = ["| header of 10,000 tensors | bytes | time | speed | target |", "| --- | ---: | ---: | ---: | --- |"]
    for what, _, size, took, speed in (line.split("\t") for line in done.stdout.splitlines()):
        rate, target = int(speed.split()[0]), "no target"
        if what == "sorted":
            target = "%s: %d MB/s" % ("met" if rate >= HEADER_TARGET else "missed", HEADER_TARGET)
        lines.append("| %s | %s | %s | %s | %s |" % (WRITTEN[what], size.split()[0], took, speed, target))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", dest="only")
    parser.add_argument("--folder")
    parser.add_argument("--size", type=int, default=1500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-edit-", dir=options.folder) as folder:
        library = os.path.join(folder, "fsync_time.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", os.path.join(HERE, "fsync_time.c"), "-o", library], check=True)
        caption = "Measured with assay %s on %s, file system %s." % (table.commit(), table.machine(), system(folder))
        text = "\n\n".join((caption, large(folder, library), copies(folder, library, options.size * 10**6),
                            headers(folder)))
    print(text)
    if not options.only:
        report.fill(os.path.join(HERE, "EDIT.md"), {"edit": text})
    return 0


if __name__ == "__main__":
    sys.exit(main())
