"""Test the verdicts of assay check, and their messages."""

import os
import re
import time

from lib import ROOT, check_one, expect, frame, header, model, run, tensor, write


def line(path):
    result = run("check", path)
    (only,) = result.lines
    return result.status, only


def test_valid():
    model(tensors=[("a", tensor(0, 4)), ("b", tensor(4, 8))])
    expect(run("check", "a.safetensors"), 0, "a.safetensors: valid: 2 tensors, 121 bytes\n")
    write("b", frame("{}"))
    expect(run("check", "b"), 0, "b: valid: 0 tensors, 10 bytes\n")


def test_overlap_names_both_tensors():
    write("x", frame(header([("a", tensor(0, 4)), ("b", tensor(2, 6))]), bytes(6)))
    end = os.path.getsize("x") - 6
    assert line("x") == (
        1,
        'x: invalid: rule G4 at byte %d: two tensors share a byte (tensor "b", overlaps tensor "a", '
        "expected begin 4, found begin 2): if the weights are tied (two names for one "
        "tensor), save one and tie them after loading; if you did not write the file, don't load it" % (end + 2),
    )


def test_truncated_says_how_many_bytes_are_missing():
    model("x", data=b"\0")
    status, text = line("x")
    assert status == 1 and "rule G3 at byte %d" % os.path.getsize("x") in text
    assert 'tensor "a", expected 4 bytes of data, found 1 byte' in text
    assert text.endswith("3 bytes are missing: replace the file with a complete copy"), text
    model("x", data=b"\0\0\0")
    assert line("x")[1].endswith("1 byte is missing: replace the file with a complete copy")
    write("x", frame("{}", length=3000)[:10])
    assert line("x")[1].endswith("2998 bytes (2.99 kB) are missing: replace the file with a complete copy")


def test_hole_says_where():
    write("x", frame(header([("a", tensor(0, 4))]), bytes(1004)))
    assert "1000 bytes (1.00 kB) after the last tensor: data was appended" in line("x")[1]
    write("x", frame(header([("a", tensor(0, 4)), ("b", tensor(5, 6))]), bytes(6)))
    text = line("x")[1]
    assert (
        '(tensor "b", after tensor "a", expected data offset 4, found data offset 5): 1 byte before' in text
    ), text
    write("x", frame("{}", b"1234"))
    assert "4 bytes of data, but no tensors" in line("x")[1]


def test_duplicates_are_named():
    write("x", frame('{"__metadata__":{"k":"1","\\u006b":"2"}}'))
    assert 'rule G1 at byte 33: two metadata keys are equal (key "k")' in line("x")[1]
    found = check_one("x")
    assert (found["other"], found["other_place"], found["found"], found["tensor"]) == ("k", 0, 1, None)
    one = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
    write("x", frame('{"ab":%s,"\\u0061b":%s}' % (one, one)))
    assert 'two tensors have the same name (tensor "ab"): ' in line("x")[1]
    assert check_one("x")["tensor_place"] == 1


def test_missing_members_are_listed():
    write("x", frame('{"a":{"shape":[]}}'))
    assert '(tensor "a", missing dtype and data_offsets)' in line("x")[1], line("x")
    write("x", frame('{"a":{}}'))
    assert "missing dtype, shape and data_offsets)" in line("x")[1]


def test_what_was_found():
    def found(dtype='"U8"', shape="[]", offsets="[0,1]", rest=""):
        write(
            "x",
            frame('{"a":{"dtype":%s,"shape":%s,"data_offsets":%s%s}}' % (dtype, shape, offsets, rest), b"1"),
        )
        return line("x")[1]

    assert ": valid: 1 tensor, " in found()
    assert "H17 at byte 22" in found('"q8\\u005f0"') and 'found "q8_0"' in found('"q8\\u005f0"')
    assert 'found "\\u00558"' in found('"\\u00558"')
    assert (
        "found a number)" in found("8") and "found null)" in found("null") and "found an array)" in found("[")
    )
    assert "found an object)" in found("{") and "found a boolean)" in found("false")
    assert "found a string)" in found(shape='"x"')
    assert "found 1e3)" in found(shape="[1e3]") and "found 007)" in found(shape="[007]")
    assert "found " + "9" * 40 + ")" in found(shape="[" + "9" * 5000 + "]")
    assert "expected 2 items, found 3 items)" in found(offsets="[0,1,2]") and "found 1 item)" in found(
        offsets="[0]"
    )
    assert "expected an end of at least 2, found 1)" in found(offsets="[2,1]")
    assert "expected 1 byte, found 9 bytes)" in found(offsets="[0,9]")
    assert "found 4 bits)" in found('"F4"', "[1]", "[0,0]")
    assert 'found "x")' in found(rest=',"x":1') and "found })" in found(rest=",")
    assert "found byte 0x0B)" in found(rest="\x0b")
    write("x", frame(b'{"\xff'))
    assert "found byte 0xFF)" in line("x")[1]
    write("x", frame('{"\\uD800x'))
    assert "rule H8 at byte 10" in line("x")[1] and "found \\uD800)" in line("x")[1]


def test_advice_for_every_rule():
    """Every invalid line ends in advice."""
    folder = os.path.join(ROOT, "corpus", "invalid")
    found = run("check", "--format", "jsonl", folder).jsonl()
    assert len({x["rule"] for x in found}) == 32, sorted({x["rule"] for x in found})
    for one in found:
        assert one["verdict"] == "invalid", one
        begin = "rule %s at byte %d: " % (one["rule"], one["offset"])
        assert one["message"].startswith(begin), one
        assert re.fullmatch(r"[^:(]+( \(.*\))?: [a-z0-9].{15,}", one["message"][len(begin) :]), one


def test_corpus():
    for folder, status in (("valid", 0), ("invalid", 1)):
        result = run("check", os.path.join(ROOT, "corpus", folder))
        lines = [text for text in result.lines if not text.startswith("    note A")]
        assert result.status == status and len(lines) > 20
        assert all((": %s: " % folder) in text for text in lines)


def test_sparse_terabyte():
    size = 10**12
    with open("x", "wb") as f:
        f.write(frame(header([("a", tensor(0, size))])))
        f.truncate(f.tell() + size)
    begin = time.monotonic()
    assert run("check", "x").lines[0] == "x: valid: 1 tensor, 1.00 TB"
    os.truncate("x", os.path.getsize("x") + 2**40)
    assert check_one("x")["rule"] == "G5"
    assert time.monotonic() - begin < 60  # reading all of it would take hours


def test_header_of_zeros_in_sparse_file():
    with open("x", "wb") as f:
        f.write((100_000_000).to_bytes(8, "little"))
        f.truncate(2**40)
    assert check_one("x")["rule"] == "H2"


def test_long_header_after_short_ones():
    """Memory is kept from one file to the next, and grows."""
    model("1", [("t%d" % i, tensor(i, i + 1)) for i in range(3)])
    model("2", [("t%d" % i, tensor(i, i + 1)) for i in range(20000)], {"k%d" % i: "v" for i in range(999)})
    model("3", [("t%d" % i, tensor(i, i + 1)) for i in range(5)], {"k": "v"})
    found = run("check", "--format", "jsonl", "1", "2", "3", "2", "1").jsonl()
    assert [x["tensors"] for x in found] == [3, 20000, 5, 20000, 3]
