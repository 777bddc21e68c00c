"""Test assay ls."""

import os

from lib import expect, frame, header, model, run, tensor, write

NAMES = [
    "",
    "a",
    'q"\\/',
    "\b\f\n\r\t\x01\x1f\x7f\x80\x9f",
    "\u00e9\u6f22\U0001f600",
    "\u202e\u200b\ufeff\u2028",
    "\ue000\ufdd0\uffff\U0010ffff\U000e0041",
    "__metadata__x",
    "dtype",
    "\u0301",
    " lead",
    "a.b/../c",
]


def listed(path="a.safetensors", *options):
    return expect(run("ls", "--format", "json", path, *options), 0).json()


def test_table():
    model(
        "x",
        [
            ("first", tensor(0, 4, "F32", [])),
            ("second", tensor(4, 1204, "BF16", [100, 6])),
            ("third", tensor(1204, 1204, "F8_E4M3FNUZ", [0, 7])),
        ],
    )
    at = os.path.getsize("x") - 1204
    expect(
        run("ls", "x"),
        0,
        "BEGIN  BYTES  DTYPE        SHAPE    NAME\n"
        "%5d      4  F32          []       first\n"
        "%5d   1200  BF16         [100,6]  second\n"
        "%5d      0  F8_E4M3FNUZ  [0,7]    third\n"
        "3 tensors, 601 elements, 1204 bytes of data (1.20 kB), header of %d bytes\n"
        % (at, at + 4, at + 1204, at - 8),
    )
    assert run("ls", "--format", "text", "x").out == run("ls", "x").out


def test_no_tensors():
    write("x", frame("{}"))
    expect(run("ls", "x"), 0, "0 tensors, 0 elements, 0 bytes of data, header of 2 bytes\n")
    assert listed("x") == {"tensors": []}


def test_wide_shapes_move_their_own_row_only():
    model("x", [("a", tensor(0, 1)), ("b", tensor(1, 2, shape=[1] * 500))])
    lines = run("ls", "x").lines
    assert lines[1].endswith("  [1]    a") and lines[2].endswith(",1]  b") and len(lines[2]) > 1000, lines[1]


def test_layout_order():
    model("x", [("c", tensor(4, 6)), ("z", tensor(4, 4)), ("a", tensor(0, 4)), ("y", tensor(4, 4))])
    assert [t["name"] for t in listed("x")["tensors"]] == ["a", "z", "y", "c"]


def test_json():
    big = 2**64 - 1
    tensors = [
        ("a", tensor(0, 8, "F16", [2, 2])),
        ("b", tensor(8, 11, "F4", [6])),
        ("s", tensor(11, 19, "C64", [])),
        ("z", tensor(19, 19, "F64", [0, 2**57])),
    ]
    model("x", tensors, {"format": "pt"})
    assert listed("x") == {"tensors": [{"name": n, **t} for n, t in tensors], "metadata": {"format": "pt"}}
    write("x", frame('{"a":{"data_offsets":[0,0],"shape":[ 0 ,%d\n,0],"dtype":"F4"}}' % (big // 4)))
    assert listed("x")["tensors"][0]["shape"] == [0, big // 4, 0]


def test_json_keeps_names_exactly():
    tensors = [(name, tensor(i, i + 1)) for i, name in enumerate(NAMES)]
    metadata = {name: name for name in NAMES}
    for ascii_only in (False, True):
        import json

        text = json.dumps({"__metadata__": metadata, **dict(tensors)}, ensure_ascii=ascii_only)
        write("x", frame(text.replace("/", "\\/"), bytes(len(tensors))))
        found = listed("x")
        assert [t["name"] for t in found["tensors"]] == NAMES
        assert found["metadata"] == metadata and list(found["metadata"]) == NAMES


def test_table_escapes_names():
    model("x", [(name, tensor(i, i + 1)) for i, name in enumerate(NAMES)])
    shown = [text[text.index("[1]") + 7 :] for text in run("ls", "x").lines[1:-1]]
    assert shown[:4] == [
        '""',
        "a",
        'q"\\\\/',
        r"\u{8}\u{C}\u{A}\u{D}\u{9}\u{1}\u{1F}\u{7F}\u{80}\u{9F}",
    ], shown
    assert len(set(shown)) == len(NAMES)


def test_metadata_is_absent_only_if_the_header_has_none():
    write("x", frame("{}"))
    assert "metadata" not in listed("x")
    write("x", frame('{"__metadata__":{}}'))
    assert listed("x")["metadata"] == {}


def test_broken_files():
    model("x", data=b"")
    for command in (["ls"], ["ls", "--format", "json"], ["meta"]):
        expect(run(*command, "x"), 1, "", "x: invalid: rule G3 at byte ")
        expect(
            run(*command, "missing"), 2, "", "missing: error: can't be opened: No such file or directory\n"
        )


def test_many_tensors():
    count = 30000
    write("x", frame(header([("t%d" % i, tensor(i, i + 1)) for i in range(count)]), bytes(count)))
    assert len(run("ls", "x").lines) == count + 2
    assert [t["name"] for t in listed("x")["tensors"]] == ["t%d" % i for i in range(count)]
