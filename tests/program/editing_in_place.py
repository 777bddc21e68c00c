"""Test assay edit --in-place and --recover: wherever a call fails or the program is killed, the file is the old one,
the new one, or one that is refused and repaired."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import zlib

from calls import places, trace
from editing import DATA, PAIRS, STYLES, content, edited, follow, words_of, writing_calls
from lib import KILLS, Skip, actions, build_test_c, expect, frame, run, sanitized, write, written

LENGTH = 400
TEXT = STYLES[0] % PAIRS[3]
STEPS = [("set", "k", "w" * 50), ("delete", "k2", "")]
WORDS = ["edit", "x", "--in-place", *words_of([STEPS[1]]), "--set=k=" + "w" * 50]
BEFORE = frame(TEXT.encode().ljust(LENGTH), DATA)
AFTER = frame(edited(TEXT, STEPS).encode().ljust(LENGTH), DATA)
JOURNAL = "x.assay-journal"
REFUSED = b"\xff" * 8


def fresh():
    """Make the file, the same one each time: a journal is about an inode."""
    for name in os.listdir("."):
        if name.startswith(".assay-") or name == JOURNAL:
            os.remove(name)
    if os.path.exists("x"):
        with open("x", "r+b") as f:
            f.truncate(len(BEFORE))
            f.write(BEFORE)
    else:
        write("x", BEFORE)


# ---- A journal, as the program writes it ---------------------------------------------------------------------------

def journal(old, new, size=None, inode=None, heads=None, segments=(), new_size=None):
    """Return a journal; the heads are the first bytes of old and new, 8 + LENGTH or what `heads` states."""
    heads = heads or (8 + LENGTH, 8 + LENGTH)
    size = len(BEFORE) if size is None else size
    numbers = (size, size + heads[1] - heads[0] if new_size is None else new_size, *heads,
               os.stat("x").st_ino if inode is None else inode, len(segments))
    begin = b"assay-journal-1\n" + b"".join(n.to_bytes(8, "little") for n in numbers)
    rest = b"".join(n.to_bytes(8, "little") for pair in segments for n in pair) + old[:heads[0]] + new[:heads[1]]
    return begin + zlib.crc32(begin + rest).to_bytes(8, "little") + rest


@contextlib.contextmanager
def tmpfs():
    """Mount a file system that can't insert ranges."""
    os.mkdir("memory")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "memory"], stderr=subprocess.PIPE,
                          check=False)
    if done.returncode != 0:
        raise Skip("no file system can be mounted here")
    try:
        yield "memory"
    finally:
        subprocess.run(["umount", "memory"], check=True)
        os.rmdir("memory")


# ---- Tests ---------------------------------------------------------------------------------------------------------

def test_a_header_with_room():
    fresh()
    before = os.stat("x")
    expect(run(*WORDS), 0, "")
    after, status = os.stat("x"), written("x")
    assert content("x") == AFTER and os.listdir(".") == ["x"]
    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)
    expect(run("edit", "x", "--in-place", "--set", "k=" + "w" * 50), 0, "")  # nothing changes: nothing is written
    assert written("x") == status
    expect(run("edit", "x", "--in-place", "--clear"), 0, "")
    assert run("meta", "x").out == "" and content("x")[8 + LENGTH:] == DATA


def test_a_header_without_room():
    """Where blocks can't be inserted; see insertion.py."""
    fresh()
    words = ["--in-place", "--set", "k=" + "v" * LENGTH]
    refused = "no room for this, and the file system can't make room in place: edit it once without"
    with tmpfs() as folder:
        shutil.copy("x", folder)
        for more in ([], ["-n"]):
            expect(run("edit", folder + "/x", *words, *more), 2, "", refused)
        assert content(folder + "/x") == BEFORE and os.listdir(folder) == ["x"]
    assert content("x") == BEFORE
    expect(run("edit", "x", "--reserve", "1000"), 0, "")
    expect(run("edit", "x", *words), 0, "")
    expect(run("check", "-q", "x"), 0, "")
    size = os.stat("x").st_size
    expect(run("edit", "x", "--in-place", "--set", "k=w"), 0, "")
    assert os.stat("x").st_size == size
    expect(run("edit", "x", "--in-place", "--reserve", "99999999"), 2, "", "more than 100,000,000 bytes")


def test_options():
    fresh()
    for words, why in ((["--recover", "--clear"], "--recover can be"), (["--recover", "-n"], "--recover can be"),
                       (["--recover", "--in-place"], "--recover can be"), (["--in-place"], "no change"),
                       (["--in-place", "--clear", "-o", "y"], "can't be combined"), (["--recover"], "no journal")):
        expect(run("edit", "x", *words), 2, "", why)
    expect(run("edit", "none", "--recover"), 2, "", "no journal")
    expect(run("edit", "none/x", "--recover"), 2, "", "No such file")
    assert content("x") == BEFORE and os.listdir(".") == ["x"]


def test_a_file_in_use():
    fresh()
    try:
        with open("x", "r+b") as f:
            fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except (OSError, AttributeError) as error:
        raise Skip("this file system has no leases: %s" % error) from error
    with open("x", "rb"):
        expect(run(*WORDS), 2, "", "another program has it open")
        assert content("x") == BEFORE and os.listdir(".") == ["x"]
        expect(run(*WORDS, "--force"), 0, "")
    assert content("x") == AFTER


def test_links_are_refused():
    fresh()
    os.link("x", "y")
    expect(run(*WORDS), 2, "", "hard links")
    assert content("x") == BEFORE
    os.mkdir("d")
    os.symlink("../x", "d/x")
    expect(run("edit", "d/x", "--in-place", "--clear"), 2, "", "a link to a file of another folder")


def check_repaired(where):
    """The file is the old one or the new one; or no reader accepts it, and it can be recovered. Return which."""
    now, there = content("x"), os.path.exists(JOURNAL)
    if now not in (BEFORE, AFTER):
        assert now[:8] == REFUSED and now[8 + LENGTH:] == DATA and there, where
        expect(run("check", "x"), 1)
        assert "`assay edit --recover FILE`\n" in run("check", "x").out, where
    if there:
        expect(run("edit", "x", "--set", "a=b"), 2, "", "run `assay edit --recover` on it first")
        expect(run("canon", "x", "-o", "x"), 2, "", "run `assay edit --recover` on it first")
        assert content("x") == now, where
        expect(run("edit", "x", "--recover"), 0, "")
        assert content("x") == (now if now in (BEFORE, AFTER) else BEFORE), where
    assert not os.path.exists(JOURNAL), where
    expect(run("check", "-q", "x"), 0, "")
    return now not in (BEFORE, AFTER), there


def test_order_of_the_steps():
    """The journal is on the disk before the file changes: its length, by which readers refuse it, the rest of the
    header, the length. After that the journal goes."""
    fresh()
    journal_first = ["write", "fsync", "renameat", "fsync"]
    assert writing_calls(WORDS) == journal_first + 3 * ["pwrite", "fsync"] + ["unlinkat", "fsync"]


def test_every_call_fails_or_is_the_last():
    tracer = build_test_c("fault_call")
    fresh()
    real = trace(tracer, 0, 0, *WORDS)
    assert real.status == 0 and content("x") == AFTER
    refused = journals = kept = 0
    for process, number, place in places(real):
        if real.calls[process][number - 1].name == "brk" or process == 1:
            continue  # the other process changes nothing
        for action in actions("5", "28", "signal 9", "signal 15"):
            fresh()
            status, err = follow(tracer, place, action, WORDS)
            where = (place, real.calls[process][number - 1], action, status, err)
            assert status not in (0,) or content("x") == AFTER, where
            assert action == "signal 9" or not [name for name in os.listdir(".") if name.startswith(".assay-")], where
            assert not os.path.exists(JOURNAL) or action == "signal 9" or "--recover" in err, where
            # What fails is undone; if the journal can't be removed, the new header is there.
            assert action[0] == "s" or not os.path.exists(JOURNAL) or content("x") == AFTER, where
            kept += status == 2 and content("x") == BEFORE
            broken, there = check_repaired(where)
            refused += broken
            journals += there
    assert refused >= (1 if KILLS else 4) and journals >= (3 if KILLS else 8), (refused, journals)
    assert kept > 20 or "5" not in actions("5"), kept


def broken():
    """Make a file whose edit ended in the middle, and its journal."""
    fresh()
    with open("x", "r+b") as f:
        f.write(REFUSED + AFTER[8:100])
    write(JOURNAL, journal(BEFORE, AFTER))


def test_recovery():
    """The old header is restored, unless one of both is whole."""
    fresh()
    heads = {"old": BEFORE, "new": AFTER, "mixed": REFUSED + AFTER[8:100] + BEFORE[100:],
             "length": BEFORE[:8] + AFTER[8:60] + BEFORE[60:], "first": REFUSED[:5] + BEFORE[5:]}
    for name, head in heads.items():
        fresh()
        with open("x", "r+b") as f:
            f.write(head)
        write(JOURNAL, journal(BEFORE, AFTER))
        expect(run("edit", "x", "--recover"), 0, "")
        assert content("x") == (AFTER if name == "new" else BEFORE) and os.listdir(".") == ["x"], name


GROWN = frame(TEXT[:-1].encode() + b',"c":{"dtype":"U8","shape":[9],"data_offsets":[64,73]}}', b"")[8:]
GROWN = frame(GROWN.ljust(LENGTH), DATA + b"appended!")


def test_recovery_of_what_was_appended():
    """The Python package appends in place: first the data, with a journal of the old head alone; then the head."""
    begun, ended = ({"heads": (408, 0), "new_size": 2**63 - 1}, {"new_size": len(GROWN)})
    mixed = REFUSED + GROWN[8:200] + BEFORE[200:408]
    for which, now, left in (
        (begun, BEFORE, BEFORE), (begun, BEFORE + b"app", BEFORE), (begun, REFUSED + BEFORE[8:] + b"x" * 999, BEFORE),
        (ended, BEFORE + b"appended!", BEFORE), (ended, REFUSED + BEFORE[8:] + b"appended!", BEFORE),
        (ended, mixed + DATA + b"appended!", BEFORE), (ended, REFUSED + GROWN[8:], BEFORE), (ended, GROWN, GROWN),
    ):
        fresh()
        with open("x", "r+b") as f:
            f.truncate(0)
            f.write(now)
        write(JOURNAL, journal(BEFORE, GROWN, **which))
        assert now in (BEFORE, GROWN) or run("check", "x").status == 1
        expect(run("edit", "x", "--recover"), 0, "")
        assert content("x") == left and os.listdir(".") == ["x"], (which, now)
    for which, now, why in ((begun, BEFORE[:-1], "not the size"), (ended, GROWN + b"x", "not the size"),
                            (begun, GROWN, "neither of those"), (ended, GROWN[:60] + b"?" + GROWN[61:], "neither of")):
        fresh()
        with open("x", "r+b") as f:
            f.truncate(0)
            f.write(now)
        write(JOURNAL, journal(BEFORE, GROWN, **which))
        expect(run("edit", "x", "--recover"), 2, "", why)
        assert content("x") == now


def test_every_call_of_the_recovery_fails_or_is_the_last():
    tracer = build_test_c("fault_call")
    broken()
    words = ["edit", "x", "--recover"]
    real = trace(tracer, 0, 0, *words)
    assert real.status == 0 and content("x") == BEFORE
    failed = 0
    for process, number, place in places(real):
        if real.calls[process][number - 1].name == "brk" or (process > 0 and sanitized()):
            continue
        for action in actions("5", "signal 9"):
            broken()
            status, _ = follow(tracer, place, action, words)
            failed += status == 2
            assert status != 0 or content("x") == BEFORE, (place, action)
            check_repaired((place, real.calls[process][number - 1], action))
            assert content("x") == BEFORE
    assert failed > 10 or "5" not in actions("5"), failed


def test_journals_that_are_refused():
    """Nothing is written by a journal that is damaged, about another file, or not of this program."""
    fresh()
    good = journal(BEFORE, AFTER)
    other = BEFORE[:60] + b"\x01" + BEFORE[61:]
    for bytes_, why in (
        (b"", "not one of this program"), (good[:40], "not one of"), (good[:100], "damaged"), (good + b"x", "damaged"),
        (b"X" + good[1:], "not one of"), (good[:60] + b"X" + good[61:], "damaged"),
        (good[:64] + bytes([good[64] ^ 1]) + good[65:], "damaged"), (journal(BEFORE, AFTER, heads=(9, 9)), "damaged"),
        (journal(BEFORE, AFTER, size=407), "damaged"), (journal(other, AFTER), "is not valid"),
        (journal(BEFORE, AFTER, heads=(408, 407)), "damaged"), (journal(BEFORE, AFTER, new_size=2**63), "damaged"),
        (journal(BEFORE, AFTER, new_size=len(BEFORE) - 1), "damaged"),
        (journal(BEFORE, AFTER, segments=[(0, 4096)]), "damaged"),  # though nothing is inserted
        (journal(BEFORE, AFTER + bytes(999), heads=(408, 416)), "damaged"),  # no segments, though something is
        (journal(BEFORE, AFTER + bytes(999), heads=(408, 416), new_size=len(BEFORE), segments=[(0, 4096)]), "damaged"),
        (journal(BEFORE, AFTER, segments=[(0, 4096)] * 4097), "damaged"),
        (journal(BEFORE, other), "is not valid"), (journal(BEFORE, AFTER, size=len(BEFORE) + 1), "is not valid"),
        (journal(BEFORE, AFTER, inode=1), "about another file"),
    ):
        broken()
        before = content("x")
        write(JOURNAL, bytes_)
        expect(run("edit", "x", "--recover"), 2, "", why)
        assert content("x") == before and content(JOURNAL) == bytes_
    write("list", b'{"tensors":[]}')
    for words in (["make", "list", "-o", "x"], ["canon", "x"], ["canon", "x", "-o", "x"],
                  ["edit", "x", "--clear", "-o", "x"]):
        expect(run(*words), 2, "", "run `assay edit --recover` on it first")
        assert content("x") == before and content(JOURNAL) == bytes_, words
    expect(run("edit", "x", "--recover", "--force"), 0, "")  # about another inode: a copy
    assert content("x") == BEFORE


def test_a_null():
    """The old header is invalid, so a journal could not restore it."""
    text = b'{"__metadata__":null,"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'
    before = len(text).to_bytes(8, "little") + text + b"abcd"
    write("x", before)
    expect(run("edit", "x", "--clear", "--in-place"), 2, "", "use --clear without --in-place")
    assert content("x") == before and os.listdir(".") == ["x"]
    expect(run("edit", "x", "--clear"), 0, "")
    expect(run("check", "-q", "x"), 0, "")


def test_a_header_that_is_neither():
    broken()
    with open("x", "r+b") as f:
        f.seek(200)
        f.write(b"?")
    before = content("x")
    expect(run("edit", "x", "--recover"), 2, "", "neither of those in the journal")
    assert content("x") == before
    expect(run("edit", "x", "--recover", "--force"), 0, "")
    assert content("x") == BEFORE


def test_a_journal_that_the_file_outlived():
    """A valid file that took the name after the edit was interrupted keeps its header, even with --force."""
    fresh()
    write(JOURNAL, journal(BEFORE, AFTER))
    later = frame((TEXT[:-1] + " }").encode().ljust(LENGTH), DATA)
    write("y", later)
    os.replace("y", "x")
    expect(run("check", "-q", "x"), 0, "")
    expect(run("edit", "x", "--recover"), 2, "", "or remove the journal")
    expect(run("edit", "x", "--recover", "--force"), 2, "", "no edit of it is unfinished")
    assert content("x") == later
    os.remove(JOURNAL)
    expect(run("edit", "x", "--set", "k=v"), 0, "")
