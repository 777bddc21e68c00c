"""Test that a new file shares its data with the old one where the file system can do that. Elsewhere these tests are
skipped; make check-disks runs them on XFS and Btrfs."""

import fcntl
import os
import struct

from editing import block, content
from lib import Skip, expect, frame, header, run, tensor, write

FICLONE, FIEMAP = 0x40049409, 0xC020660B
SHARED = 0x2000  # FIEMAP_EXTENT_SHARED
WORDS = ["--set", "k=" + "v" * 3000]


def need_sharing():
    write("probe", bytes(8192))
    with open("probe", "rb") as old, open("probe2", "w+b") as new:
        try:
            fcntl.ioctl(new.fileno(), FICLONE, old.fileno())
        except OSError as error:
            raise Skip("this file system shares no blocks: %s" % error) from error
    os.remove("probe")
    os.remove("probe2")


def shared(path):
    """Return how many bytes of a file are in blocks that other files have, too."""
    with open(path, "rb") as f:
        os.fsync(f.fileno())
        request = bytearray(struct.pack("=QQIIII", 0, 2**64 - 1, 0, 0, 500, 0) + bytes(500 * 56))
        fcntl.ioctl(f.fileno(), FIEMAP, request)
    count = struct.unpack_from("=I", request, 20)[0]
    assert count < 500
    extents = [struct.unpack_from("=QQQQQIIII", request, 32 + 56 * number) for number in range(count)]
    return sum(extent[2] for extent in extents if extent[5] & SHARED)


def file_of(size, name="x"):
    data = os.urandom(1 << 16) * (size >> 16) + b"?" * (size & 65535)
    write(name, frame(header([("a", tensor(0, 1)), ("b", tensor(1, size))]), data))
    with open(name, "rb") as f:
        os.fsync(f.fileno())
    return data


def test_an_edit():
    """Only the header and parts of blocks are new, whatever the size."""
    need_sharing()
    for size in (1 << 20, (1 << 20) + 1, (3 << 20) - 4000, 8 << 20):
        data = file_of(size)
        expect(run("edit", "x", *WORDS, "-o", "y"), 0, "")
        assert content("y")[-size:] == data and run("check", "-q", "y").status == 0
        assert shared("y") >= size - (1 << 16) - 2 * block(), (size, shared("y"))
        expect(run("edit", "x", *WORDS), 0, "")
        assert content("x") == content("y")
        assert os.listdir(".").count("x") == 1 and len(os.listdir(".")) == 2
        os.remove("y")


def test_a_small_file():
    need_sharing()
    for size in (5, 4096, 65535):
        data = file_of(size)
        expect(run("edit", "x", *WORDS), 0, "")
        assert content("x")[-size:] == data
