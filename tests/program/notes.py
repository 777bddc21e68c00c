"""Test notes on valid files: each rule A of spec/note_rules.tsv has a file that shows it, and similar files that
do not."""

import json
import os
import re
import subprocess

import lib
from lib import ROOT, check_one, expect, frame, header, model, run, tensor, write

ONE = '{"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}'


def notes(path="x"):
    found = check_one(path)
    assert found["verdict"] == "valid", found
    return [note["rule"] for note in found["notes"]]


def data(content):
    return write("x", frame(ONE % (len(content), len(content)), content))


def named(name):
    return model("x", [(name, tensor(0, 4))])


def with_metadata(metadata):
    return model("x", metadata=metadata)


def test_none():
    for path in ("valid/real/runai-test", "valid/written/rust-fp8", "valid/empty-object"):
        assert notes(os.path.join(ROOT, "corpus", path + ".safetensors")) == [], path
    model("x", [("model.layers.0/self attn:q\u00e9\u6f22", tensor(0, 4))], {"format": "pt", "url": "https://a/b?c"})
    assert notes() == [] and len(run("check", "x").lines) == 1


def test_how_they_are_printed():
    named("../x")
    result = run("check", "x")
    assert result.status == 0 and len(result.lines) == 2
    assert result.lines[1] == ('    note A9: a name looks like a path (tensor "../x"): don\'t write its tensors '
                               'to files under their names')
    (note,) = check_one("x")["notes"]
    assert list(note) == ["rule", "rule_name", "message"] and note["rule_name"] == "name_path"
    assert "    note A9: " + note["message"] == result.lines[1]
    assert run("check", "-q", "x").out == "" and check_one("missing")["notes"] is None
    write("bad", frame(header([("../x", tensor(0, 4))])))
    assert check_one("bad")["notes"] is None
    for rule in ("A2", "A3", "A5", "A6", "A9", "A10", "A11", "A13"):
        assert "note" in run("rules", rule).out and re.search("(?m)^%s " % rule, run("rules").out)
    assert run("ls", "x").err == ""


def test_unaligned():
    def at(dtype, padding, size):
        text = '{"a":{"dtype":"%s","shape":[1],"data_offsets":[0,%d]}}' % (dtype, size)
        write("x", frame(text + " " * ((padding - len(text)) % 8), bytes(size)))
        return notes()

    assert at("F32", 0, 4) == [] and at("F32", 4, 4) == [] and at("F64", 0, 8) == [] and at("U8", 1, 1) == []
    assert at("F32", 2, 4) == at("F64", 4, 8) == at("BF16", 1, 2) == ["A2"]
    assert at("F64", 4, 8) == ["A2"] and "at byte 68" in run("check", "x").lines[1]


def test_hidden_names():
    for name in ("a\x1b[2J", "a\u202eb", "a\u200b", "\n", "\ue000"):
        named(name)
        assert notes() == ["A3"], name
        with_metadata({name: ""})
        assert notes() == ["A3"] and "metadata key" in run("check", "x").lines[1], name
        with_metadata({"key": name})  # a value may have several lines
        assert notes() == [], name


def test_names_like_paths():
    for name in ("../x", "a/../b", "..", "a/..", "/etc/passwd", "\\\\host\\x", "..\\x", "C:\\x", "c:/x", "a\\..\\b"):
        named(name)
        assert notes() == ["A9"], name
    for name in ("a/b", "a..b", "...", "a/.../b", "..a/b", "a:b", "ab:/c", ":/", "1:/", "a.", "x/", "", "."):
        named(name)
        assert notes() == [], name


def test_large_numbers():
    def dim(shape, end=0):
        write("x", frame('{"a":{"dtype":"U8","shape":[%s],"data_offsets":[0,%d]}}' % (shape, end), bytes(end)))
        return notes()

    assert dim("2147483647,0") == [] and dim("0,2147483648") == ["A5"] and dim("2147483648,0,1") == ["A5"]
    assert "2147483648" in run("check", "x").lines[1]


def test_two_formats():
    corpus = os.path.join(ROOT, "corpus", "valid", "is-also-%s.safetensors")
    assert notes(corpus % "zip") == ["A6"]  # by its end
    for start, words in [
        (b"\x80\x02cposix\nsystem\n", "Python pickle"),
        (b"PK\3\4", "ZIP archive"),
        (b"GGUF\3\0\0\0", "GGUF"),
        (b"\x7fELF\2\1\1", "program for Linux"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"<!DOCTYPE html>", "web page"),
        (b"#!/bin/sh\n", "script"),
    ]:
        for size in (0, 100, 20000, 70000):  # all is read at once; the data begin in or before the last bytes
            data(start + b"\xaa" * size)
            line = run("check", "x").lines[1]
            assert notes() == ["A6"] and "the data begin like " in line and words in line, (start, size, line)
        data(b"\xaa" + start)
        assert notes() == [], start
    assert notes(write("x", frame("{}" + " " * 0xFFD8FD))) == ["A6"]  # N is FF D8 FF 00
    assert notes(write("x", frame("{}" + " " * (0x8B1F - 2)))) == []  # 1F 8B, but not gzip


def end_record(size, comment=b""):
    return b"PK\5\6" + bytes(8) + size.to_bytes(4, "little") + bytes(4) + len(comment).to_bytes(2, "little") + comment


def test_zip_end():
    for before, comment in ((0, b""), (7, b""), (100000, b""), (100000, b"c" * 65535), (0, b"c" * 65535)):
        data(b"\xaa" * before + end_record(before, comment))
        assert set(notes()) == {"A6"} and "its end is that of a ZIP archive" in run("check", "x").out, before
    data(b"\xaa" + end_record(10**6))  # more members than there is space for
    assert notes() == []
    data(b"\xaa" + end_record(0) + b"\xaa" * 65536)  # further from the end than a ZIP reader searches
    assert notes() == []
    data(b"\xaa" + end_record(0)[:-1])
    assert notes() == []


def test_metadata_that_runs():
    inner = json.dumps({"a": {"_target_": "os.system"}})
    for value in (
        inner,
        json.dumps({"x": inner}),
        inner.replace("_t", "\\u005ft"),
        "___target_",
        "{'__reduce__': 1}",
        "auto_map",
        "trust_remote_code",
        "py/object",
        "!!python/name:os.system",
    ):
        with_metadata({"config": value})
        assert notes() == ["A10"] and 'in metadata key "config"' in run("check", "x").lines[1], value
    with_metadata({"a": "b", "_target_": "os.system"})
    assert notes() == ["A10"]
    for value in ("target", "_target", "target_", "_Target_", "_targe\\t_", "automap", "https://x/y"):
        with_metadata({"config": value})
        assert notes() == [], value


def test_large_metadata():
    with_metadata({"k": "v" * 999_999})
    assert notes() == []
    with_metadata({"k": "v" * 999_000, "l": "v" * 1_000})
    assert notes() == ["A11"] and "(1.00 MB)" in run("check", "x").lines[1]


def test_dangling_aliases():
    def of(pairs, names=("a.weight",)):
        model("x", [(name, tensor(i, 1)) for i, name in enumerate(names)], pairs, bytes(len(names)))
        return notes()

    assert of({"b.weight": "c.weight"}) == ["A13"] and '(metadata key "b.weight")' in run("check", "x").lines[1]
    assert of({"format": "pt", "b.weight": "a.weight", "c.bias": "d.bias"}) == ["A13"]
    for pairs in ({"b.weight": "a.weight"}, {"a.weight": "c.weight"}, {"b.weight": "c.bias"}, {"weight": "c.weight"},
                  {"b.weight": "weight"}, {"b.": "c."}, {"ss_b.weight": "c.weight"}, {"modelspec.b": "c.b"},
                  {"format": "pt"}, {"b.weight": "c.we\night"}, {"b\".weight": "c.weight"}):
        assert of(pairs) == [], pairs
    os.mkdir("m")
    model("m/a.safetensors", [("a.weight", tensor(0, 4))], {"b.weight": "c.weight"})
    assert notes("m/a.safetensors") == ["A13"]
    write("m/model.safetensors.index.json", b'{"weight_map":{"a.weight":"a.safetensors"}}')
    assert "note A13" in expect(run("check", "m"), 0).out
    write("policy", b"assay-policy 1\nfail A13\n")
    assert "refused: rule A13: " in expect(run("check", "--policy", "policy", "m"), 3).out
    kept = {"%d.weight" % i: "a.weight" for i in range(10000)}
    assert of({"ss_.weight": "no.weight", **dict(list(kept.items())[1:]), "z.weight": "no.weight"}) == ["A13"]
    assert of({**kept, "z.weight": "no.weight"}) == []  # the first 10,000 such pairs are looked at


def test_standard_input():
    """Standard input is examined like a file, so that a policy applies to it too."""
    end = end_record(0)
    write("policy", b"assay-policy 1\nfail A6\n")
    for size in (100, 65535, 65557, 65558, 4 * 65557 + 1, 10**6):
        for content in (bytes(size) + end, b"%PDF-" + bytes(size), bytes(size)):
            model("x", [("a", tensor(0, len(content)))], {"k": "v" * 70000}, content)
            with open("x", "rb") as f:
                whole = f.read()
            for path in ("x", "-"):
                words = [lib.PROGRAM, "check", "--policy", "policy", path]
                done = subprocess.run(words, input=whole, stdout=subprocess.PIPE, check=False)
                assert done.returncode == (0 if content == bytes(size) else 3), (size, content[:5], path, done.stdout)


def test_all_at_once():
    inner = '"_target_"' + "v" * 10**6
    dangling = {"b.weight": "c.weight"}
    tensors = [("../\u202e", tensor(0, 4, "F32", [1])), ("e", tensor(4, 4, "U8", [0, 2**31]))]
    text = header(tensors, {"k": inner, **dangling})
    write("x", frame(text + " " * ((1 - len(text)) % 8), b"GGUF"))
    assert notes() == ["A2", "A5", "A6", "A3", "A9", "A10", "A11", "A13"]


def test_every_shard():
    os.mkdir("m")
    model("m/a.safetensors", [("../a", tensor(0, 4))])
    model("m/b.safetensors", [("/b", tensor(0, 4))])
    write("m/model.safetensors.index.json", b'{"weight_map":{"../a":"a.safetensors"}}')
    found = {x["path"]: x for x in run("check", "--format", "jsonl", "m").jsonl() if x["verdict"] == "valid"}
    assert [n["rule"] for n in found["m/a.safetensors"]["notes"]] == ["A9"]
    assert [n["rule"] for n in found["m/b.safetensors"]["notes"]] == ["A9"]
    assert lib.run("check", "m").out.count("    note A9") == 2
