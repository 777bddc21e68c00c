"""Test the cost of the machine-readable formats beside text, with the expensive files of bench/formats.py."""

import os
import resource
import sys

import lib
from lib import check_one, run, write

sys.path.insert(0, os.path.join(lib.ROOT, "bench"))
import formats  # noqa: E402

SIZE = 8_000_000  # bytes of a header
TIMES = 16  # factors of the cost of text; measured: at most 11
MEMORY = 2
RUNS = 5


def cheap(path, kind):
    """Return whether the format is within the limits in the least of several runs. A busy machine makes single
    runs slow."""
    text, other = (float("inf"),) * 3, (float("inf"),) * 3
    for _ in range(RUNS):
        text = tuple(map(min, text, formats.measured(lib.PROGRAM, path, "text")))
        other = tuple(map(min, other, formats.measured(lib.PROGRAM, path, kind)))
        if other[0] <= TIMES * text[0] and other[1] <= MEMORY * text[1]:
            return other[2]
    raise AssertionError("%s: %.2f s and %d bytes, text %.2f s and %d bytes" % (kind, *other[:2], *text[:2]))


def test_formats_cost_little_more_than_text():
    for shape in formats.SHAPES:
        size = formats.write("x", shape, SIZE)
        for kind in formats.FORMATS[1:]:
            output = cheap("x", kind)
            most = 4 if shape.endswith("escaped") else 2  # each name is written once, an escape as six bytes
            assert output < 100_000 or output < most * size, (shape, kind, output)


def test_names_are_written_a_bounded_number_of_times():
    """A name as long as the header is part of 200 findings: it is written in the first; the others are counted."""
    formats.write("x", "G4: one name as long as the header, 200 findings", 2_000_000)
    found = check_one("x")
    assert [len(found["tensor"]), *[len(one["other"]) for one in found["further"]]] == [1_987_000]
    assert found["further_left"] == 199
    formats.write("x", "G4: one name as long as the header, 200 findings", 20_000)
    found = check_one("x")
    assert len(found["further"]) == 100 and found["further_left"] == 99


def test_long_paths():
    """Each file is named by its whole path, written in runs, not byte by byte."""
    write("list", ("/".join(["a" * 200] * 19) + "/x\0").encode() * 5000)
    took = {}
    for kind in ("text", "sarif", "text", "sarif"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run("check", "-j1", "--format", kind, "--files0-from", "list").status == 2
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        took[kind] = min(seconds, took.get(kind, seconds))
    assert took["sarif"] <= 5 * took["text"], took
