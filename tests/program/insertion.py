"""Test assay edit --in-place where the header has no room: the file system inserts blocks before the data. Whatever
fails, and wherever the program or the machine stops, the file is the old one, the new one, or one that is refused and
repaired. Where the file system can't insert blocks, these tests are skipped."""

import ctypes
import os
import stat
import subprocess

from calls import places, trace
from editing import block, content, follow
from editing_in_place import REFUSED, journal
from lib import KILLS, Skip, actions, build_test_c, expect, frame, header, layers, run, tensor, write

INSERT, COLLAPSE = 0x20, 0x08
JOURNAL = "x.assay-journal"
WORDS = ["edit", "x", "--in-place", "--set", "k=" + "v" * 2000]


def fallocate(fd, mode, offset, count):
    library = ctypes.CDLL(None, use_errno=True)
    library.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    if library.fallocate(fd, mode, offset, count) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def need_insertion():
    """Skip where no range can be inserted."""
    with open("probe", "wb") as f:
        f.write(bytes(2 * block()))
        f.flush()
        try:
            fallocate(f.fileno(), INSERT, 0, block())
        except OSError as error:
            raise Skip("this file system inserts no blocks: %s" % error) from error
    os.remove("probe")


def files():
    """Return the file before and after the edit. The data have ten blocks and a half, and begin at no block."""
    size = block() * 10 + block() // 2
    data = bytes(range(251)) * (size // 251) + b"!" * (size % 251)
    rows = [("a", tensor(0, 1)), ("b", tensor(1, size))]
    before = frame(header(rows, {"l": "w"}) + " " * 7, data)
    length = int.from_bytes(before[:8], "little")
    after = frame(header(rows, {"l": "w", "k": "v" * 2000}).ljust(length + block()), data)
    return before, after


def fresh(before):
    """Make the file, the same one each time: a journal is about an inode."""
    for name in os.listdir("."):
        if name.startswith(".assay-") or name == JOURNAL:
            os.remove(name)
    with open("x", "r+b" if os.path.exists("x") else "wb") as f:
        f.truncate(0)
        f.write(before)


def segments(path, unit):
    """Return where a file has data; ends are those of blocks."""
    found, end = [], 0
    with open(path, "rb") as f:
        os.fsync(f.fileno())
        while end < os.fstat(f.fileno()).st_size:
            try:
                begin = os.lseek(f.fileno(), end, os.SEEK_DATA)
            except OSError:
                break
            end = os.lseek(f.fileno(), begin, os.SEEK_HOLE)
            found.append((begin, -(-end // unit) * unit))
    return found


def test_room_is_made():
    need_insertion()
    before, after = files()
    fresh(before)
    old = os.stat("x")
    expect(run(*WORDS, "-n"), 0, None)
    assert content("x") == before and os.stat("x").st_mtime_ns == old.st_mtime_ns
    expect(run(*WORDS), 0, "")
    now = os.stat("x")
    assert content("x") == after and os.listdir(".") == ["x"]
    assert (now.st_ino, stat.S_IMODE(now.st_mode)) == (old.st_ino, stat.S_IMODE(old.st_mode))
    expect(run("check", "-q", "x"), 0, "")
    expect(run("edit", "x", "--in-place", "--reserve", str(9 * block())), 0, "")  # more blocks at a time
    assert run("check", "-q", "x").status == 0 and os.stat("x").st_size == len(before) + 10 * block()
    assert content("x")[-len(before) + 200:] == before[200:]


def test_a_sparse_file():
    """Holes stay holes: nothing is copied, however large the file is."""
    need_insertion()
    size = 100 << 30
    rows = [("a", tensor(0, size))]
    with open("x", "wb") as f:
        f.write(frame(header(rows)))
        try:
            f.truncate(len(frame(header(rows))) + size)
        except OSError as error:
            raise Skip("no file can be that large here: %s" % error) from error
    blocks = os.stat("x").st_blocks
    expect(run(*WORDS), 0, "")
    assert run("meta", "x", "k").out == "v" * 2000 + "\n" and run("check", "-q", "x").status == 0
    assert os.stat("x").st_blocks <= blocks + 2 * block() // 512


def test_too_many_holes():
    need_insertion()
    before, _ = files()
    unit, count = block(), 4097
    size = 2 * count * unit
    with open("x", "wb") as f:
        f.write(frame(header([("a", tensor(0, size))])))
        begin = f.tell()
        for number in range(1, count + 1):
            f.seek(2 * number * unit)
            f.write(b"x")
        f.truncate(begin + size)
    old = os.stat("x")
    expect(run(*WORDS), 2, "", "its data have too many holes for more room in place")
    now = os.stat("x")
    assert (now.st_size, now.st_mtime_ns) == (old.st_size, old.st_mtime_ns) and os.listdir(".") == ["x"]


def check_repaired(before, after, where):
    """The file is the old one or the new one; or no reader accepts it, and it can be recovered. Return which."""
    now, there = content("x"), os.path.exists(JOURNAL)
    broken = now not in (before, after)
    if broken:
        assert now[:8] in (REFUSED, bytes(8)) and there, (where, now[:20])  # a length that no reader accepts
        expect(run("check", "x"), 1)
    if there:
        expect(run("edit", "x", "--set", "a=b"), 2, "", "run `assay edit --recover` on it first")
        assert content("x") == now, where
        expect(run("edit", "x", "--recover"), 0, "")
        assert content("x") == (before if broken else now), where
    assert not os.path.exists(JOURNAL), where
    expect(run("check", "-q", "x"), 0, "")
    return broken, there


def test_every_call_fails_or_is_the_last():
    need_insertion()
    tracer = build_test_c("fault_call")
    before, after = files()
    fresh(before)
    real = trace(tracer, 0, 0, *WORDS)
    assert real.status == 0 and content("x") == after
    refused = journals = kept = 0
    for process, number, place in places(real):
        if real.calls[process][number - 1].name == "brk" or process == 1:
            continue  # the other process changes nothing
        for action in actions("5", "28", "signal 9", "signal 15"):
            fresh(before)
            status, err = follow(tracer, place, action, WORDS)
            where = (place, real.calls[process][number - 1], action, status, err)
            assert status not in (0,) or content("x") == after, where
            assert action == "signal 9" or not [name for name in os.listdir(".") if name.startswith(".assay-")], where
            assert not os.path.exists(JOURNAL) or action == "signal 9" or "--recover" in err, where
            kept += status == 2 and content("x") == before
            broken, there = check_repaired(before, after, where)
            refused += broken
            journals += there
    assert refused >= (2 if KILLS else 6) and journals >= (3 if KILLS else 9), (refused, journals)
    assert kept > 20 or "5" not in actions("5"), kept


def stopped_at(before, after, offset, holes=()):
    """Make the file as it is if the machine stops while blocks are moved: the hole is at this offset. Return the
    journal, and where the old file has data."""
    fresh(before)
    with open("x", "r+b") as f:
        for begin, end in holes:
            fallocate(f.fileno(), 0x03, begin, end - begin)  # a hole, the size stays
    unit = block()
    where = segments("x", unit)
    heads = tuple(8 + int.from_bytes(file[:8], "little") for file in (before, after))
    with open("x", "r+b") as f:
        f.write(REFUSED)
        f.flush()
        if offset < len(before):
            fallocate(f.fileno(), INSERT, offset, unit)
        else:
            f.truncate(len(before) + unit)
        os.fsync(f.fileno())
    return journal(before, after, size=len(before), heads=heads, segments=where), where


def test_a_stop_while_blocks_are_moved():
    """Wherever the hole is, the old file is restored: a file system moves blocks one after the other, from the end."""
    need_insertion()
    before, after = files()
    unit = block()
    every = list(range(0, len(before) + unit, unit))
    several = [(2 * unit, 3 * unit), (5 * unit, 7 * unit)]
    for holes in ([], several, [(10 * unit, 11 * unit)]):
        old = before
        for begin, end in holes:
            old = (old[:begin] + bytes(end - begin) + old[end:])[:len(before)]
        for offset in every:
            text, where = stopped_at(before, after, offset, holes)
            write(JOURNAL, text)
            expect(run("check", "x"), 1)
            expect(run("edit", "x", "--recover"), 0, "")
            assert content("x") == old and os.listdir(".") == ["x"], (holes, offset)
            assert segments("x", unit) == where, (holes, offset)
    # The hole is at the beginning, and a part of the new head is there.
    for count in (0, 8, 100, unit, unit + 8, unit + 30):
        write(JOURNAL, stopped_at(before, after, 0)[0])
        with open("x", "r+b") as f:
            f.write((REFUSED + after[8:])[:count])
        expect(run("edit", "x", "--recover"), 0, "")
        assert content("x") == before and os.listdir(".") == ["x"], count


def test_every_call_of_the_recovery_fails_or_is_the_last():
    need_insertion()
    tracer = build_test_c("fault_call")
    before, after = files()
    unit, words = block(), ["edit", "x", "--recover"]
    for offset in (0, 3 * unit, len(before) + unit):

        def broken(at=offset):
            write(JOURNAL, stopped_at(before, after, at)[0])

        broken()
        real = trace(tracer, 0, 0, *words)
        assert real.status == 0 and content("x") == before, offset
        failed = 0
        for process, number, place in places(real):
            if real.calls[process][number - 1].name == "brk" or process > 0:
                continue
            for action in actions("5", "signal 9"):
                broken()
                status, _ = follow(tracer, place, action, words)
                failed += status == 2
                assert status != 0 or content("x") == before, (place, action)
                check_repaired(before, after, (place, action))
                assert content("x") == before
        assert failed > 10 or "5" not in actions("5"), failed


def test_data_that_are_elsewhere():
    """If the holes are not those of the journal, nothing is moved: not even with --force."""
    need_insertion()
    before, after = files()
    unit = block()
    text, _ = stopped_at(before, after, 3 * unit)
    with open("x", "r+b") as f:
        fallocate(f.fileno(), 0x03, 7 * unit, unit)
    write(JOURNAL, text)
    now = content("x")
    for force, why in (([], "neither of those in the journal"), (["--force"], "its data are not where the journal")):
        expect(run("edit", "x", "--recover", *force), 2, "", why)
        assert content("x") == now and os.path.exists(JOURNAL)


def test_a_head_that_is_neither():
    need_insertion()
    before, after = files()
    write(JOURNAL, stopped_at(before, after, 0)[0])
    with open("x", "r+b") as f:
        f.seek(40)
        f.write(b"\x01")
    now = content("x")
    expect(run("edit", "x", "--recover"), 2, "", "neither of those in the journal")
    assert content("x") == now
    expect(run("edit", "x", "--recover", "--force"), 0, "")
    assert content("x") == before


def test_the_data_stay_where_they_are():
    """No block of the data is copied: their places on the disk are the same."""
    need_insertion()
    before, after = files()
    fresh(before)
    with open("x", "rb") as f:
        os.fsync(f.fileno())

    def where():
        done = subprocess.run(["filefrag", "-e", "x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Skip("filefrag doesn't work here")
        found = set()
        for line in done.stdout.decode().splitlines():
            parts = line.replace("..", " ").replace(":", " ").split()
            if parts and parts[0].isdigit():
                found |= {int(parts[3]) + i for i in range(int(parts[5]))}
        return found

    try:
        old = where()
    except FileNotFoundError as error:
        raise Skip("no filefrag") from error
    expect(run(*WORDS), 0, "")
    assert content("x") == after and len(old) == 11 and old < where(), (old, where())


def test_what_writes():
    """The process that writes the file is in a sandbox before it changes anything, with --in-place and without."""
    if "seccomp" not in layers():
        raise Skip("built without seccomp")
    tracer = build_test_c("fault_call")
    before, _ = files()
    look = 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$PWD" ] && grep ^Seccomp: $p/status; done >seen'
    for words in (WORDS, [word for word in WORDS if word != "--in-place"]):
        fresh(before)
        real = trace(tracer, 0, 0, *words)
        if real.status != 0:
            raise Skip("this file system inserts no blocks")
        calls = [call.name for call in real.calls[0]]
        last = max(number for number, name in enumerate(calls) if name == "write")
        place = [one for _, number, one in places(real) if one.startswith("0:write:") and number == last + 1]
        fresh(before)
        assert follow(tracer, place[0], "!%s; true" % look, words) == (0, "")
        assert b"Seccomp:\t2\n" in content("seen"), content("seen")
