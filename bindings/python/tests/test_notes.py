"""Notes on valid files: the same as those of the program `assay`, which PROGRAM names."""
import io
import json
import os
import random
import struct
import subprocess
import sys

import pytest

import assay
from assay import _notes
from conftest import header_of

PICKLE = b"\x80\x02cposix\nsystem\n"
END = b"PK\5\6" + bytes(18)  # of a ZIP archive
CHARACTERS = ['"', "a.w", "\\", "#", "#", "a", "/", ".", "..", "é", "漢", "\u202e", "\u200b", "\ue000", "\x1b", "\n",
              "\x7f", "\U0001F600", "\U000E0041", "\ufdd0", "\u2800", "\u3000", "C:", "_target_", "x" * 60]


@pytest.fixture(scope="session")
def program():
    """Return a function of paths: the records of the program, by their paths."""
    path = os.environ.get("PROGRAM")
    if not path:
        pytest.skip("PROGRAM is not set: the path of the program `assay`")

    def records(paths):
        done = subprocess.run([path, "check", "--format", "json", "--files0-from", "-"], stdout=subprocess.PIPE,
                              input="\0".join(map(str, paths)), universal_newlines=True)
        return {record["path"]: record for record in json.loads(done.stdout)}
    return records


def rules(report):
    return [note.rule for note in report.notes]


def same(records, paths):
    """Compare the notes of files; return the rules of all."""
    found = set()
    for path in map(str, paths):
        report = assay.check(path, notes=True)
        assert report.to_dict()["notes"] == records[path]["notes"], path
        assert (report.notes is None) == (not report.valid), path
        if report.valid:
            with open(path, "rb") as file, assay.open(path) as opened:
                alone = tuple(note for note in report.notes if note.rule != "A12")
                assert assay.check(file.read(), notes=True).notes == alone, path
                assert opened.notes() == report.notes, path
            found.update(rules(report))
    return found


def test_corpus(manifest, corpus, program):
    paths = [os.path.join(corpus, row["file"]) for row in manifest]
    assert {"A2", "A6"} <= same(program(paths), paths)


def data_file(write, name, data):
    return write(name, [("a", "U8", [len(data)], 0, len(data))], data)


def test_each_note(write, program):
    """Files with each note, and files that almost have one."""
    paths = [
        write("unaligned", [("a", "F32", [1], 0, 4)], bytes(4)),
        write("aligned", [("a", "F32", [1], 0, 4)], bytes(4), {}),
        write("hidden", [("a\x1b[2J", "U8", [0], 0, 0)], b""),
        write("key", [], b"", {"\u202e": ""}),
        write("value", [], b"", {"a": "\u202e"}),
        write("dim", [("a", "U8", [0, 2**31], 0, 0)], b""),
        write("less", [("a", "U8", [0, 2**31 - 1], 0, 0)], b""),
        write("path", [("x/../y", "U8", [0], 0, 0)], b""),
        write("word", [], b"", {"config": json.dumps({"_target_": "os.system"})}),
        write("large", [], b"", {"a": "x" * 10**6}),
        write("small", [], b"", {"a": "x" * (10**6 - 1)}),
        write("huge", [], b"", {"a": "x" * 12_345_678}),
        write("dangling", [("a.w", "U8", [0], 0, 0)], b"", {"b.w": "a.w", "c.w": "d.w"}),
        write("kept", [("a.w", "U8", [0], 0, 0)], b"", {"b.w": "a.w", "a.w": "d.w", "x": "y"}),
        write("long", [("a/../" + "x" * 100, "U8", [0], 0, 0)], b""),
        write("100", [("/" + "x" * 99, "U8", [0], 0, 0)], b""),
        write("none", [("a", "U8", [1], 0, 1)], b"x"),
        write("empty", [], b""),
    ]
    several = write("several", [("/\u200b", "U8", [2**31, 0], 0, 0)], b"", {"py/object": "x" * 10**6})
    head = b"{}".ljust(0xFFD8FD)  # whose length is the mark of a JPEG picture
    paths.append(paths[0].parent / "start")
    paths[-1].write_bytes(struct.pack("<Q", len(head)) + head)
    for size in (0, 1, 100, 20_000, 65_535, 65_556, 65_557, 65_558, 70_000):
        more = b"\xaa" * size
        paths += [data_file(write, "%s%d" % (name, size), data) for name, data in [
            ("data", PICKLE + more), ("moved", b"\xaa" + PICKLE + more), ("end", more + END), ("comment", END + more),
            ("both", b"\x7fELF" + more + END)]]
    records = program(paths + [several])
    assert same(records, paths) == {"A2", "A3", "A5", "A6", "A9", "A10", "A11", "A13"}
    same(records, [several])
    assert rules(assay.check(several, notes=True)) == ["A5", "A3", "A9", "A10", "A11"]


def test_generated(write, program):
    """Names and metadata of characters that are escaped, cut, or recognized."""
    source, paths = random.Random(7), []

    def text(most):
        return "".join(source.choice(CHARACTERS) for _ in range(source.randrange(most)))

    for k in range(int(os.environ.get("NOTES", "400"))):
        names = sorted({text(12) for _ in range(source.randrange(4))})
        tensors = [(name, "F32", [source.choice([0, 1, 2**31]), 0], 0, 0) for name in names]
        size = source.randrange(20)
        tensors.append(("last", source.choice(["U8", "I8"]), [size], 0, size))
        data = source.choice([b"", PICKLE, END, b"GGUF", b"#!/bin/sh"])[:size].ljust(size, b"\xaa")
        paths.append(write("%d.safetensors" % k, tensors, data, {text(5): text(9) for _ in range(source.randrange(3))}))
    assert len(same(program(paths), paths)) >= 5


def test_index_beside(write, tmp_path, program):
    """Rule A12: the same name, the same variant, at most three parts of one."""
    names = ["model", "model.fp16", "model.a.b.c", "model.a.b.c.d", "model.", ".model", "other"]
    paths = [write(name + ".safetensors", [("a", "U8", [1], 0, 1)], b"x") for name in names]
    paths.append(write("model.txt", [("a", "U8", [1], 0, 1)], b"x"))
    found = {}
    for index in ("model.safetensors.index.json", "model.safetensors.index.fp16.json",
                  "model.safetensors.index.a.b.c.json", "model.safetensors.index.a.b.c.d.json",
                  "model.fp16.safetensors.index.json", "model.safetensors.index..json",
                  ".safetensors.index.model.json"):
        (tmp_path / index).write_text("{}")
        same(program(paths), paths)
        found[index] = [path.name for path in paths if "A12" in rules(assay.check(path, notes=True))]
        (tmp_path / index).unlink()
        (tmp_path / index).mkdir()  # a directory is no index
        assert same(program(paths), paths) == set()
        (tmp_path / index).rmdir()
    assert found["model.safetensors.index.json"] == ["model.safetensors"]
    assert found["model.safetensors.index.fp16.json"] == ["model.fp16.safetensors"]
    assert found["model.safetensors.index.a.b.c.d.json"] == []


def test_fields(write):
    report = assay.check(write("a", [("b", "U8", [0], 0, 0), ("/a", "U8", [0], 0, 0)], b""), notes=True)
    (note,) = report.notes
    message = 'a name looks like a path (tensor "/a"): don\'t write its tensors to files under their names'
    assert note == assay.Note("A9", "name_path", message, "/a", 1)
    (note,) = assay.check(write("a", [], b"", {"auto_map": ""}), notes=True).notes
    assert (note.rule, note.key, note.tensor, note.tensor_place) == ("A10", "auto_map", None, None)
    assert "A9" in report._repr_html_()


def test_only_if_asked_for(write, twice, tmp_path):
    """Without notes=True nothing more is read; of files that are not valid there are none."""
    path = write("a.safetensors", [("/a", "U8", [0], 0, 0)], b"")
    assert assay.check(path).notes is None and assay.check(path).to_dict()["notes"] is None
    assert assay.check(twice, notes=True).notes is None and assay.check(tmp_path / "none", notes=True).notes is None
    assert [rules(report) for report in assay.check_many([path, path], notes=True)] == [["A9"], ["A9"]]
    assert [report.notes for report in assay.check_many([path, path])] == [None, None]

    class Counted(io.BytesIO):
        calls = 0

        def read(self, *size):
            self.calls += 1
            return super().read(*size)

    plain, more = Counted(path.read_bytes()), Counted(path.read_bytes())
    assay.check(plain)
    assay.check(more, notes=True)
    assert (plain.calls, more.calls) == (2, 4)


def test_shorter(write, monkeypatch):
    """A file that becomes shorter after its head was read is not judged."""
    data = data_file(write, "a", b"\xaa" * 1000).read_bytes()

    class Shorter(io.BytesIO):
        def seek(self, offset, whence=0):
            if offset > 0 and whence == 0:
                self.truncate(500)
            return super().seek(offset, whence)

    report = assay.check(Shorter(data), notes=True)
    assert report.verdict is assay.Verdict.NOT_JUDGED and "shorter" in report.message and report.notes is None


def test_opened(write):
    data = data_file(write, "a", PICKLE).read_bytes()
    for source in (data, io.BytesIO(data)):
        with assay.open(source) as file:
            assert [note.rule for note in file.notes()] == ["A6"] and file.report.notes is None
    with pytest.raises(ValueError, match="closed"):
        file.notes()


def test_model(write, tmp_path):
    """Files of a model have notes, but A12, since they are compared with their index."""
    shards = {"a": "model-00001-of-00002.safetensors", "/b": "model-00002-of-00002.safetensors"}
    for name, shard in shards.items():
        write(shard, [(name, "U8", [1], 0, 1)], b"x")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": shards}))
    write("model.safetensors", [("c", "U8", [1], 0, 1)], b"x")
    for report in (assay.check_model(tmp_path, notes=True), assay.check_model(index, notes=True)):
        assert [rules(one) for one in report.files] == [[], [], ["A9"]] and "note A9: a name looks" in str(report)
    assert all(one.notes is None for one in assay.check_model(tmp_path).files)
    index.unlink()
    assert [rules(one) for one in assay.check_model(tmp_path, notes=True).files] == [[], ["A9"], []]


def test_program_of_the_package(write, program):
    """python -m assay check prints notes as the program does."""
    path = write("a", [("/a\x1b", "U8", [0], 0, 0)], b"")
    run = [sys.executable, "-m", "assay", "check"]
    lines = subprocess.check_output(run + [path], universal_newlines=True).splitlines()
    assert lines[1:] == subprocess.check_output([os.environ["PROGRAM"], "check", path],
                                                universal_newlines=True).splitlines()[1:] and len(lines) == 3
    (record,) = json.loads(subprocess.check_output(run + ["--format", "json", path]))
    assert record["notes"] == program([path])[str(path)]["notes"]
    assert subprocess.check_output(run + ["-q", path]) == b""


def test_sizes():
    """As the program prints them."""
    assert [_notes.size_text(n) for n in (1_000_001, 1_999_999, 12_345_678, 999_999_999, 10**9)] == [
        "1.00 MB", "1.99 MB", "12.34 MB", "999.99 MB", "1.00 GB"]
