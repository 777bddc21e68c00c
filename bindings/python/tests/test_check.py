"""Judging: the corpus, its cuts, every kind of source, reports."""
import io
import json
import os
import pickle
import signal
import struct
import sys
import threading

import pytest

import assay
from conftest import header_of


def test_corpus(manifest, corpus):
    """Verdict, rule and byte of every file, by its path and by its bytes."""
    for row in manifest:
        path = os.path.join(corpus, row["file"])
        with open(path, "rb") as file:
            reports = [assay.check(path), assay.check(file.read())]
        for report in reports:
            assert report.verdict.name.lower() == row["verdict"].replace(" ", "_"), row["file"]
            assert (report.rule or "") == row["rule"], row["file"]
            assert report.valid or str(report.offset) == row["offset"], row["file"]


def test_addresses():
    """check() opens files; an address is not one."""
    for address in ("https://huggingface.co/x", "s3://bucket/x.safetensors", "file:///x"):
        assert "judged by assay.check_url()" in str(assay.check(address))
    assert "check_url" not in str(assay.check("none:/x"))


def test_cuts():
    """However few bytes are there, the answer is how many are needed, until it is final."""
    data = header_of([("a", "F32", [2], 0, 8)], {"k": "v"}) + bytes(8)
    end = 8 + struct.unpack("<Q", data[:8])[0]
    for size in range(len(data) + 1):
        report = assay.check_head(data[:size], len(data))
        if size < end:
            assert report.verdict is assay.Verdict.NOT_JUDGED and report.rule == "N1"
            assert report.expected == (8 if size < 8 else end)
        else:
            assert report.valid
        assert assay.check(data[:size]).valid == (size == len(data))


def test_sources(write, tmp_path):
    path = write("a.safetensors", [("a", "U8", [3], 0, 3)], b"abc")
    data = path.read_bytes()
    descriptor = os.open(path, os.O_RDONLY)
    with open(path, "rb") as file:
        file.seek(5)
        for source in (path, str(path), os.fsencode(path).decode(), descriptor, file, io.BytesIO(data), data,
                       bytearray(data), memoryview(data)):
            assert assay.check(source).valid
        assert file.tell() == 5
    os.close(descriptor)
    for source in (True, None, 1.5, io.StringIO("x"), object()):
        with pytest.raises(TypeError):
            assay.check(source)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/null", tmp_path / "none", "a\0b"):
        report = assay.check(path)
        assert report.verdict is assay.Verdict.NOT_JUDGED and not report.valid and not report.invalid
        with pytest.raises(assay.NotJudgedError):
            report.require()


def test_report_has_no_truth_value(twice):
    with pytest.raises(TypeError, match="require"):
        if assay.check(twice):
            pass


def test_report(twice):
    report = assay.check(twice)
    assert (report.rule, report.rule_name, report.code, report.offset) == ("G2", "name_twice", 59, 61)
    assert (report.tensor, report.tensor_place, report.other, report.other_place) == ("a", 1, "a", 0)
    with pytest.raises(assay.InvalidError, match="rule G2 at byte 61") as raised:
        report.require()
    assert raised.value.report == report
    again = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(again, assay.InvalidError) and again.report == report
    assert pickle.loads(pickle.dumps(type(again))) is type(again), "workers of torch send the class"
    assert json.loads(report.to_json())["verdict"] == "invalid"


def test_fields_that_may_be_any_number():
    """F2 with N = 2^64 - 1: found is this number, not none."""
    report = assay.check(b"\xff" * 8 + b"{}")
    assert (report.rule, report.found, report.expected) == ("F2", 2**64 - 1, 100_000_000)


def test_limits(write):
    path = write("two.safetensors", [("a", "U8", [1], 0, 1), ("bcd", "U8", [1], 1, 2)], b"xy", {"k": "v", "l": "w"})
    for field, least, rule in (("tensors", 2, "N6"), ("name_bytes", 3, "N8"), ("rank", 1, "N7"), ("metadata_pairs", 2, "N9"),
                               ("header_bytes", assay.check(path).header_bytes, "N5")):
        assert assay.check(path, limits=assay.Limits(**{field: least})).valid
        report = assay.check(path, limits=assay.Limits(**{field: least - 1}))
        assert report.verdict is assay.Verdict.NOT_JUDGED and report.rule == rule


def test_no_more_is_read_than_needed():
    """A header that can't be valid by its length is not read."""
    asked = []

    class Counted(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return super().read(size)

    for length, rule in ((10**8 + 1, "F2"), (5000, "F3")):
        asked.clear()
        assert assay.check(Counted(length.to_bytes(8, "little") + b"{" * 4000)).rule == rule and asked == [8]


def test_hostile_names_in_messages(write):
    name = "a\u202e\x1b[31m\u0007b"
    path = write("h.safetensors", [(name, "U8", [1], 0, 1), (name, "U8", [1], 0, 1)], b"x")
    report = assay.check(path)
    assert report.tensor == name and str(report).isprintable()


def test_many(manifest, corpus):
    paths = [os.path.join(corpus, row["file"]) for row in manifest]
    one_by_one = [assay.check(path) for path in paths]
    assert list(assay.check_many(paths, threads=8)) == one_by_one


def test_length_that_changes(write):
    """A file whose length says one thing, and another when the header is read."""
    content = write("x.safetensors", [("a", "U8", [1], 0, 1)], b"x").read_bytes()
    reads = []

    def read_at(offset, size):
        reads.append(offset)
        return content[offset:offset + size] if len(reads) == 1 else b"\x08" + content[1:size]

    report = assay._check.judge_reader(read_at, len(content)).report
    assert report.verdict is assay.Verdict.NOT_JUDGED and report.message == "the file changed while it was read"


@pytest.mark.parametrize("limit", [-1, 2**64])
def test_limits_are_numbers(limit):
    with pytest.raises(ValueError, match="header_bytes: a limit is a number"):
        assay.Limits(header_bytes=limit)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="leases are of Linux")
def test_a_lease(write):
    """A program that has a lease on the file has a moment to give it back."""
    import fcntl
    path = write("x.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    held = os.open(path, os.O_RDWR)
    try:
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError:
        pytest.skip("the file system has no leases")
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)
    timer = threading.Timer(0.2, lambda: fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_UNLCK))
    timer.start()
    try:
        assert assay.check(path).valid
    finally:
        timer.join()
        signal.signal(signal.SIGIO, before)
        os.close(held)
