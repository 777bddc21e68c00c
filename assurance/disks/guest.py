#!/usr/bin/env python3
"""What runs in the guest of check.py, as root, on its own disks.

    guest.py tests DISK=SYSTEM...     run the tests of edits on a file system of each kind
    guest.py files DISK=SYSTEM...     make the file systems, and the files that are edited
    guest.py edit DISK=SYSTEM...      edit them, and stop without an unmount
    guest.py cuts FOLDER DISK=SYSTEM...   for each state of FOLDER/SYSTEM in which a power failure could leave the disk:
                                      mount it, and see whether each file is the old one, the new one, or repairable
"""
import hashlib
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "build", "assay")
MKFS = {"ext4": ["mkfs.ext4", "-q", "-F", "-b", "4096"], "xfs": ["mkfs.xfs", "-q", "-f"],
        "btrfs": ["mkfs.btrfs", "-q", "-f"]}
INSERTS = ("ext4", "xfs")
TESTS = ["sharing.", "insertion.test_room", "insertion.test_a_sparse", "insertion.test_a_stop", "insertion.test_data",
         "insertion.test_the_data", "insertion.test_what", "editing_in_place.test_a_header", "editing.test_mode"]
KILLED = ["editing.test_every", "editing_in_place.test_every", "insertion.test_every"]  # the machine itself has ext4
EDITS = {"replaced": [], "overwritten": ["--in-place"], "inserted": ["--in-place"]}
SIZE = 300000


def command(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)


def mount(disk, where, *options):
    os.makedirs(where, exist_ok=True)
    done = command("mount", *options, disk, where)
    if done.returncode != 0:
        raise RuntimeError("%s can't be mounted: %s" % (disk, done.stdout.decode()))


def make(disk, system):
    done = command(*MKFS[system], disk)
    if done.returncode != 0:
        raise RuntimeError("mkfs: %s" % done.stdout.decode())


def run_tests(disks):
    """Print the output of the tests with the file system's name."""
    for disk, system in disks:
        make(disk, system)
        mount(disk, "/tmp/disk")
        os.chmod("/tmp/disk", 0o1777)
        for which in TESTS + (KILLED if system != "ext4" else []):
            began = time.monotonic()
            kills = {"KILLS": "1"} if which in KILLED else {}
            done = command(sys.executable, "-B", os.path.join(ROOT, "tests", "program.py"), "--program", PROGRAM,
                           "--only", which, env={**os.environ, "TMPDIR": "/tmp/disk", **kills})
            print("%s %s (%.0f s)\n%s" % (system, which, time.monotonic() - began, done.stdout.decode()), flush=True)
        command("umount", "/tmp/disk")


def data():
    return hashlib.sha256(b"data").digest() * (SIZE // 32)


def content(name):
    """Return the file before its edit, and after it as the program's other way makes it."""
    room = 4000 if name == "overwritten" else 3
    size = len(data())
    text = json.dumps({"__metadata__": {"l": "w"}, "a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}})
    head = text.encode() + b" " * room
    return len(head).to_bytes(8, "little") + head + data()


def names(system):
    return [name for name in EDITS if name != "inserted" or system in INSERTS]


def make_files(disks):
    for disk, system in disks:
        make(disk, system)
        mount(disk, "/tmp/disk")
        for name in names(system):
            with open("/tmp/disk/" + name, "wb") as f:
                f.write(content(name))
        command("umount", "/tmp/disk")
        print("files on %s" % system, flush=True)


def edit(name, folder, more=()):
    return command(PROGRAM, "edit", os.path.join(folder, name), "--set", "k=" + "v" * 2000, *EDITS[name], *more)


def edit_files(disks):
    for disk, system in disks:
        where = "/tmp/" + system
        mount(disk, where)
        for name in names(system):
            done = edit(name, where)
            print("edit %s %s: exit status %d %s" % (system, name, done.returncode, done.stdout.decode()), flush=True)
        # no unmount: the log ends with what was synced, and whatever else the system has written by now


def read(path):
    with open(path, "rb") as f:
        return f.read()


def state_of(folder, name, after):
    """Return "old", "new" or "repaired"; else raise AssertionError."""
    path, before = os.path.join(folder, name), content(name)
    now, there = read(path), os.path.exists(path + ".assay-journal")
    if now not in (before, after):
        assert now[:8] in (b"\xff" * 8, bytes(8)), "a header length that may be read: %r" % now[:16]
        assert there, "no journal"
        status = command(PROGRAM, "check", "-q", path).returncode
        assert status == 1, "check: %d" % status
    if there:
        done = command(PROGRAM, "edit", "--recover", path)
        assert done.returncode == 0, done.stdout.decode()
    left = read(path)
    assert left == (now if now in (before, after) else before), "recovered to something else"
    status = command(PROGRAM, "check", "-q", path).returncode
    assert status == 0, "check: %d" % status
    return "old" if now == before else "new" if now == after else "repaired"


def cut(folder, disks):
    """Look at each state of each disk."""
    for _, system in disks:
        after = {}
        for name in names(system):  # what the edit makes, here
            with open("/tmp/" + name, "wb") as f:
                f.write(content(name))
            os.makedirs("/tmp/done", exist_ok=True)
            done = command(PROGRAM, "edit", "/tmp/" + name, "--set", "k=" + "v" * 2000, "-o", "/tmp/done/" + name)
            after[name] = read("/tmp/done/" + name)
            grown = len(after[name]) - len(content(name))
            assert done.returncode == 0 and grown == (0 if name == "overwritten" else 4096), (name, grown)
        with open(os.path.join(folder, system + ".states"), encoding="ascii") as f:
            plan = json.load(f)
        with open(os.path.join(folder, system + ".bytes"), "rb") as f:
            pool = f.read()
        passed, failed, seen = 0, 0, {}
        for state in plan["states"]:
            with open("/tmp/image", "wb") as f:
                f.truncate(plan["size"])
                for offset, count, at in plan["base"] + [plan["writes"][number] for number in state["writes"]]:
                    f.seek(offset)
                    f.write(pool[at:at + count] if at >= 0 else bytes(count))
            try:
                mount("/tmp/image", "/tmp/cut", "-o", "loop")
                for name in names(system):
                    found = state_of("/tmp/cut", name, after[name])
                    seen[name, found] = seen.get((name, found), 0) + 1
                passed += 1
            except Exception as error:  # whatever it is, this state has failed
                failed += 1
                print("FAILED %s, %s: %s: %s" % (system, state["name"], type(error).__name__, error), flush=True)
            command("umount", "/tmp/cut")
            os.remove("/tmp/image")
        print("%s after power failures: %s" % (system, ", ".join(
            "%s %s %d" % (*key, count) for key, count in sorted(seen.items()))))
        for name in names(system):
            whole = {found for which, found in seen if which == name}
            if not {"old", "new"} <= whole or (name != "replaced" and "repaired" not in whole):
                failed += 1
                print("FAILED %s, %s: not all outcomes were seen: %s" % (system, name, sorted(whole)))
        print("%d passed, %d failed" % (passed, failed), flush=True)


def main(args):
    words = args[2:] if args[0] == "cuts" else args[1:]
    disks = [tuple(word.split("=")) for word in words]
    if args[0] == "cuts":
        cut(args[1], disks)
    else:
        {"tests": run_tests, "files": make_files, "edit": edit_files}[args[0]](disks)


if __name__ == "__main__":
    main(sys.argv[1:])
