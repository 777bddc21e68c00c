#!/usr/bin/env python3
"""Run the tests of edits on tmpfs, and on ext4, XFS and Btrfs in a guest of QEMU (make check-disks).

    assurance/disks/check.py [--tests] [--cuts] [SYSTEM...]    --tests: without power failures; --cuts: these alone

The guest has the kernel of Debian and this machine's files, which it can't write. It needs no KVM. What it does is in
guest.py.

Power failures: a guest edits files while QEMU logs each write and flush of its disk. A failure keeps all that was
written before a flush, and any part of what was written after the last one. Another guest mounts the disk as it is in
each of some hundred such states: at each flush, and at points between them with a random part of what was written
since. Then each file must be the old one, the new one, or one that every reader refuses and `--recover` repairs.
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(ROOT, "build", "disks")
SYSTEMS = ("ext4", "xfs", "btrfs")
MODULES = "virtio_pci virtio_blk 9pnet_virtio 9p loop crc32c_generic ext4 xfs btrfs".split()
SIZE = 400 << 20
LIMIT = 5400  # seconds for one guest
STATES = int(os.environ.get("STATES", "40"))  # random ones, for each file system
CHUNK = 4096
MAGIC, FLUSH, FUA, DISCARD = 0x6A736677736872, 1, 2, 4
SUM = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", re.M)


def need(found, package):
    if not found:
        print("assurance/disks/check.py: %s is missing: apt-get install qemu-system-x86 linux-image-amd64 "
              "busybox-static xfsprogs btrfs-progs e2fsprogs" % package)
        sys.exit(77)
    return found


def prepare():
    """Make the first file system of the guest; return the kernel. The guest reads what to run from files in it."""
    busybox = need(next((path for path in ("/bin/busybox", "/usr/bin/busybox") if os.path.exists(path)), None),
                   "busybox-static")
    kernels = [path for path in sorted(glob.glob("/boot/vmlinuz-*"))
               if os.path.isdir("/lib/modules/" + path[len("/boot/vmlinuz-"):])]
    kernel = need(kernels, "linux-image-amd64")[-1]
    need(shutil.which("qemu-system-x86_64"), "qemu-system-x86")
    for system in SYSTEMS:
        need(shutil.which("mkfs." + system, path=os.environ["PATH"] + ":/usr/sbin:/sbin"), "mkfs." + system)
    root = os.path.join(OUT, "root")
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("bin", "lib"):
        os.makedirs(os.path.join(root, folder))
    shutil.copy(busybox, os.path.join(root, "bin", "busybox"))
    shutil.copy(os.path.join(HERE, "init"), root)
    os.chmod(os.path.join(root, "init"), 0o755)
    paths = []
    for module in MODULES:
        done = subprocess.run(["/sbin/modprobe", "--show-depends", "-S", kernel[len("/boot/vmlinuz-"):], module],
                              stdout=subprocess.PIPE, check=True)
        for line in done.stdout.decode().splitlines():
            path = line.split()[1] if line.startswith("insmod") else None
            if path and path not in paths and not path.endswith("crc32c-intel.ko"):
                paths.append(path)
    for path in paths:
        shutil.copy(path, os.path.join(root, "lib"))
    with open(os.path.join(root, "modules"), "w", encoding="ascii") as f:
        f.write(" ".join(os.path.basename(path) for path in paths))
    with open(os.path.join(root, "guest"), "w", encoding="utf-8") as f:
        f.write(os.path.join(HERE, "guest.py"))
    return kernel


def boot(kernel, name, words, disks):
    """Run a guest; return what it has printed. disks: [(image, log or None)], which are vda, vdb, ..."""
    root = os.path.join(OUT, "root")
    with open(os.path.join(root, "words"), "w", encoding="utf-8") as f:
        f.write(" ".join(words))
    initrd = os.path.join(OUT, "initrd")
    subprocess.run("find . | cpio -o -H newc --quiet >%s" % initrd, shell=True, cwd=root, check=True)
    command = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", "1500", "-display", "none", "-nodefaults",
               "-no-reboot", "-serial", "stdio", "-kernel", kernel, "-initrd", initrd,
               "-append", "console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off", "-virtfs",
               "local,path=/,mount_tag=machine,security_model=none,readonly=on,multidevs=remap"]
    for number, (image, log) in enumerate(disks):
        disk = "driver=file,filename=%s,node-name=file%d,discard=unmap" % (image, number)
        command += ["-blockdev", disk]
        if log:
            command += ["-blockdev", "driver=file,filename=%s,node-name=log%d" % (log, number), "-blockdev",
                        "driver=blklogwrites,node-name=disk%d,file=file%d,log=log%d,log-sector-size=512" % (
                            number, number, number)]
        node = "disk%d" % number if log else "file%d" % number
        command += ["-device", "virtio-blk-pci,drive=%s%s" % (node, ",discard=off,write-zeroes=off" if log else "")]
    began, path = time.monotonic(), os.path.join(OUT, name + ".log")
    with open(path, "wb") as f:
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.STDOUT, timeout=LIMIT,
                           check=False)
        except subprocess.TimeoutExpired:
            print("FAILED %s: the guest did not end" % name)
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read().replace("\r", "")
    text = "\n".join(line for line in text.split("\n") if line.isprintable())
    print("guest `%s`: %.0f s" % (name, time.monotonic() - began), flush=True)
    if "the guest ends" not in text:
        print("FAILED %s: the guest stopped early: %s" % (name, path))
        return text + "\n0 passed, 1 failed\n"
    return text


def images(systems):
    made = []
    for system in systems:
        path = os.path.join(OUT, system + ".img")
        with open(path, "wb") as f:
            f.truncate(SIZE)
        made.append(path)
    return made


# ---- Power failures ------------------------------------------------------------------------------------------------

def read_log(path):
    """Return [(offset, bytes) or None for a flush], in the order in which they ended."""
    entries = []
    with open(path, "rb") as f:
        magic, _, count, sector = struct.unpack("<QQQI", f.read(28))
        assert magic == MAGIC, hex(magic)
        f.seek(sector)
        for _ in range(count):
            at, sectors, flags, _ = struct.unpack("<QQQQ", f.read(32))
            f.seek(sector - 32, os.SEEK_CUR)
            if flags & DISCARD:
                raise RuntimeError("a discard, which was forbidden")
            if flags & FLUSH:
                entries.append(None)
            if sectors:
                entries.append((at * sector, f.read(sectors * sector)))
                if flags & FUA:
                    entries.append(None)
    return entries


def states_of(entries, choose):
    """Return the states: name, and the numbers of the writes that are on the disk, in order."""
    found, kept, since = [], [], []
    points = {}
    for number, entry in enumerate(entries):
        if entry is None:
            kept, since = kept + since, []
            points[len(kept)] = (number, list(kept), [])
        else:
            since.append(number)
            points[("w", number)] = (number, list(kept), list(since))
    for key, (number, before, after) in points.items():
        if not after:
            found.append({"name": "at flush %d" % number, "writes": before})
    between = [value for value in points.values() if value[2]]
    for number, before, after in choose.sample(between, min(STATES, len(between))):
        some = [one for one in after if choose.random() < 0.5]
        found.append({"name": "after write %d, %d of %d since the flush" % (number, len(some), len(after)),
                      "writes": before + some})
    return found


def plan(system, base, log, folder):
    """Write what the guest needs to make each state."""
    entries, pool, blocks = read_log(log), bytearray(), []

    def keep(piece):
        pool.extend(piece)
        return len(pool) - len(piece)

    with open(base, "rb") as f:
        at = 0
        while at < SIZE:
            try:
                at = os.lseek(f.fileno(), at, os.SEEK_DATA) // CHUNK * CHUNK
            except OSError:
                break
            f.seek(at)
            piece = f.read(CHUNK)
            if piece.strip(b"\0"):
                blocks.append((at, len(piece), keep(piece)))
            at += CHUNK
    numbers, writes, renamed = {}, [], []
    for number, entry in enumerate(entries):
        if entry is not None:
            numbers[number] = len(writes)
            writes.append((entry[0], len(entry[1]), keep(entry[1])))
    for state in states_of(entries, random.Random(1)):
        renamed.append({"name": state["name"], "writes": [numbers[one] for one in state["writes"]]})
    with open(os.path.join(folder, system + ".bytes"), "wb") as f:
        f.write(pool)
    with open(os.path.join(folder, system + ".states"), "w", encoding="ascii") as f:
        json.dump({"size": SIZE, "base": blocks, "writes": writes, "states": renamed}, f)
    print("%s: %d writes and %d flushes, %d states" % (system, len(writes), entries.count(None), len(renamed)))


def power_failures(kernel, systems):
    disks = images(systems)
    words = ["/dev/vd%s=%s" % pair for pair in zip("abc", systems)]
    text = boot(kernel, "files", ["files", *words], [(disk, None) for disk in disks])
    bases = []
    for disk in disks:
        subprocess.run(["cp", "--sparse=always", disk, disk + ".base"], check=True)
        with open(disk + ".log", "wb"):
            pass
        bases.append(disk + ".base")
    text = boot(kernel, "edit", ["edit", *words], [(disk, disk + ".log") for disk in disks])
    for line in text.split("\n"):
        if line.startswith("edit "):
            print(line)
    wanted = sum(3 if system != "btrfs" else 2 for system in systems)
    if len(re.findall(r"^edit .*: exit status 0 *$", text, re.M)) != wanted:
        return text + "\n0 passed, 1 failed\n"
    for system, base, disk in zip(systems, bases, disks):
        plan(system, base, disk + ".log", OUT)
    return boot(kernel, "cuts", ["cuts", OUT, *words], [])


def tests_in_memory():
    """Run the tests of edits on a tmpfs of this machine; return what they have printed."""
    folder = "/dev/shm"
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], stdout=subprocess.PIPE, check=False).stdout
    if kind.strip() != b"tmpfs":
        return "skipped tmpfs: %s is none\n0 passed, 0 failed, 1 skipped\n" % folder
    done = subprocess.run([sys.executable, os.path.join(ROOT, "tests", "program.py"), "--program",
                           os.path.join(ROOT, "build", "assay"), "--only", "editing"],
                          stdout=subprocess.PIPE, check=False, env={**os.environ, "TMPDIR": folder})
    text = done.stdout.decode()
    return text if SUM.search(text) and done.returncode == 0 else text + "\nFAILED tmpfs\n0 passed, 1 failed\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--cuts", action="store_true")
    parser.add_argument("systems", nargs="*", default=list(SYSTEMS))
    options = parser.parse_args()
    os.makedirs(OUT, exist_ok=True)
    kernel, text = prepare(), ""
    systems = options.systems or list(SYSTEMS)
    if not options.tests:
        text += power_failures(kernel, systems)
    if not options.cuts:
        words = ["/dev/vd%s=%s" % pair for pair in zip("abc", systems)]
        text += tests_in_memory()
        text += boot(kernel, "tests", ["tests", *words], [(disk, None) for disk in images(systems)])
    passed, failed, skipped = (sum(int(found[i] or 0) for found in SUM.findall(text)) for i in range(3))
    for line in text.split("\n"):
        if line.startswith(("FAILED", "skipped")) or " after power failures: " in line:
            print(line)
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
