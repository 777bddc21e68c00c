"""Test assay ls --aliases and ls --summary: names that share the storage of a tensor, and totals of each dtype."""

import json
import os
import re
import shutil
import time

from hub import Hub
from lib import ROOT, expect, frame, header, model, run, tensor, write
from remote import environment, supported
from server import Reply, Server

KEPT = "model.embed_tokens.weight"


def listed(*options):
    return expect(run("ls", "--format", "json", "x", *options), 0).json().get("aliases")


def printed(*options):
    """Return the pairs of the lines, read as a script may read them."""
    lines = expect(run("ls", "--aliases", *options, "x"), 0).lines
    before = next(i for i, line in enumerate(lines) if re.match("[0-9]+ tensors?, ", line)) + 1
    return lines[before:]


def tied(metadata, names=(KEPT,)):
    model("x", [(name, tensor(i, i + 1)) for i, name in enumerate(names)], metadata)


def test_an_alias():
    tied({"format": "pt", "lm_head.weight": KEPT, "other": "none"})
    assert printed() == ['"lm_head.weight" -> "%s"' % KEPT]
    assert listed() == listed("--aliases") == [{"name": "lm_head.weight", "tensor": KEPT}]
    assert run("ls", "x").out + printed()[0] + "\n" == run("ls", "--aliases", "x").out
    tied({"b": KEPT, "a": KEPT, "c": "a"})  # a chain is none: a is no tensor
    assert listed() == [{"name": "b", "tensor": KEPT}, {"name": "a", "tensor": KEPT}]


def test_a_real_one():
    """A file that save_model of the safetensors package wrote."""
    path = os.path.join(ROOT, "corpus", "valid", "written", "python-shared-tensors.safetensors")
    (alias,) = expect(run("ls", "--format", "json", path), 0).json()["aliases"]
    assert alias == {"name": "decoder.embed.weight", "tensor": "encoder.embed.weight"}


def test_what_is_no_alias():
    for key in ("format", "modelspec.title", "ss_base", "sshs_hash"):
        tied({key: KEPT})
        assert listed() is None and printed() == [], key
    for key in ("formats", "modelspec", "ss", "sshs", "Format", "", "x.ss_y"):
        tied({key: KEPT})
        assert listed() == [{"name": key, "tensor": KEPT}], key
    tied({KEPT: KEPT, "a": "b"}, (KEPT, "a", "b"))  # the keys are tensors
    assert listed() is None
    for value in (KEPT + "x", KEPT[:-1], KEPT.upper(), "", " " + KEPT):
        tied({"lm_head.weight": value})
        assert listed() is None, value
    tied(None)
    assert listed() is None and printed() == []


def test_escapes_in_the_header():
    """Names are compared as what they mean, not as they are written."""
    escaped = "".join("\\u%04x" % ord(c) for c in KEPT)
    for text in (
        '{"__metadata__":{"h\\u0065ad":"%s"},"%s":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}' % (escaped, KEPT),
        '{"__metadata__":{"head":"%s"},"%s":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}' % (KEPT, escaped),
    ):
        write("x", frame(text, b"\0"))
        assert listed() == [{"name": "head", "tensor": KEPT}], text
    write("x", frame('{"__metadata__":{"f\\u006frmat":"a","s\\u0073_x":"a"},"a":%s}' % json.dumps(tensor(0, 1)), b"\0"))
    assert listed() is None
    for name in ("\u00e9", "\U0001f600\n", 'q"\\/'):
        for ascii_only in (False, True):
            text = json.dumps({"__metadata__": {"k": name}, name: tensor(0, 1)}, ensure_ascii=ascii_only)
            write("x", frame(text, b"\0"))
            assert listed() == [{"name": "k", "tensor": name}], text


def test_lines_can_be_read():
    """No name can look like the end of another, and none reaches the terminal."""
    for name in ('a" -> "b', "a -> b", "\x1b[2J", "a\\", 'x"', "\n::error::", "\u202e"):
        tied({"k" + name: name}, (name,))
        (line,) = printed()
        found = re.fullmatch(r'"((?:[^"\\]|\\.)*)" -> "((?:[^"\\]|\\.)*)"', line)
        assert found and found[1] == "k" + found[2], line
        assert listed() == [{"name": "k" + name, "tensor": name}]
        tied({"k" + name + ".w": "x" + name + ".w"}, ("a",))
        (line,) = printed()
        found = re.fullmatch(r'"((?:[^"\\]|\\.)*)" -> "((?:[^"\\]|\\.)*)": no such tensor', line)
        assert found and found[1] == "k" + found[2][1:], line


def test_summary():
    tensors = [("a", tensor(0, 8, "F32", [2])), ("b", tensor(8, 12, "F32", [])), ("c", tensor(12, 15, "F4", [6])),
               ("d", tensor(15, 15, "U8", [0]))]
    model("x", tensors, {"e": "a"})
    lines = run("ls", "--summary", "x").lines
    assert lines[:4] == [
        "DTYPE        TENSORS  ELEMENTS  BYTES",
        "U8                 1         0      0",
        "F4                 1         6      3",
        "F32                2         3     12",
    ], lines
    assert lines[4:] == run("ls", "x").lines[-1:] and lines[4].startswith("4 tensors, 9 elements, 15 bytes of data")
    assert run("ls", "--summary", "--aliases", "x").lines[5:] == ['"e" -> "a"']
    expect(run("ls", "--summary", "--format", "json", "x"), 2, "", "--summary and --format json can't be combined")
    write("x", frame("{}"))
    expect(run("ls", "--summary", "x"), 0, "0 tensors, 0 elements, 0 bytes of data, header of 2 bytes\n")
    most = 2**63 - 200  # elements of half a byte: their number is below 2^64
    text = '{"a":{"dtype":"F4","shape":[%d],"data_offsets":[0,%d]}}' % (2 * most, most)
    with open("x", "wb") as f:
        f.write(frame(text))
        try:
            f.truncate(8 + len(text) + most)
        except OSError:
            return
    assert "%d  %d" % (2 * most, most) in run("ls", "--summary", "x").out


def test_cost():
    """No file chooses a slow case: long names, many pairs, escapes everywhere."""
    long = "a" * 4_000_000
    names = [long + "%03d" % i for i in range(5)]
    metadata = {"k%d" % i: names[i % 5][: 4_000_000 - i] for i in range(5)}
    tied({**metadata, "hit": names[4]}, names)
    begin = time.monotonic()
    assert listed() == [{"name": "hit", "tensor": names[4]}]
    assert time.monotonic() - begin < 20
    count = 100_000
    metadata = {"m.%d" % i: "t.%d" % i for i in range(count)}
    text = header([("t.%d" % i, tensor(i, i + 1)) for i in range(count)], metadata)
    write("x", frame(text.replace("t.", "\\u0074."), bytes(count)))
    begin = time.monotonic()
    assert len(listed()) == len(printed()) == count
    assert time.monotonic() - begin < 20


INDEX = "m/model.safetensors.index.json"


def sharded(*shards):
    """Write a model. shards: names of tensors, and metadata."""
    shutil.rmtree("m", ignore_errors=True)
    os.mkdir("m")
    weight_map = {}
    for number, (names, metadata) in enumerate(shards, 1):
        name = "s-%05d-of-%05d.safetensors" % (number, len(shards))
        model("m/" + name, [(tensor_name, tensor(i, i + 1)) for i, tensor_name in enumerate(names)], metadata)
        weight_map.update(dict.fromkeys(names, name))
    write(INDEX, json.dumps({"weight_map": weight_map}).encode())


def of_model(path="m"):
    """Return the aliases of the model, and check that text and JSON have the same."""
    records = {record["path"]: record for record in expect(run("ls", "--format", "json", path), 0).json()}
    assert all("aliases" not in record for name, record in records.items() if "-of-" in name), records
    found = [(one["name"], one["tensor"]) for one in records[INDEX]["aliases"]]
    lines = expect(run("ls", "--aliases", path), 0).lines
    shown = [line for line in lines if " -> " in line]
    assert shown == ['"%s" -> "%s"' % pair for pair in found], (shown, found)
    assert not shown or lines[lines.index(shown[0]) - 1] == INDEX + ":"
    return found


def test_across_shards():
    """The pair and the tensor may be in different files, and a name that any file holds is no alias."""
    sharded((["b", "c"], {"head": KEPT, "format": "pt", "x": "c"}), ([KEPT], {"tail": "b", "c": KEPT, "none": "no"}))
    assert of_model() == of_model(INDEX) == [("head", KEPT), ("x", "c"), ("tail", "b")]
    (record,) = [r for r in run("ls", "--format", "json", "m").json() if r["path"].startswith("m/s-00002")]
    assert [t["name"] for t in record["tensors"]] == [KEPT] and record["metadata"]["none"] == "no"
    sharded((["a"], {"head": KEPT}), ([KEPT], {"head": KEPT}), (["b"], {"head": "b"}))
    assert of_model() == [("head", KEPT), ("head", "b")]  # each once
    sharded((["a"], None), (["b"], {}))
    assert of_model() == []
    sharded((["a"], {"ss_x": "b", "k\n\"": "b"}), (["b"], {"modelspec.y": "a"}))
    lines = [line for line in run("ls", "--aliases", "m").lines if " -> " in line]
    assert lines == ['"k\\u{A}\\"" -> "b"'], lines


def test_dangling():
    """A pair that looks like an alias, whose tensor is in no file of the model."""
    model("x", [("a.w", tensor(0, 1))], {"b.w": "a.w", "c.w": "d.w", "e.w": "f.v", "g.\u00e9": "h.\u00e9", "i.w": "no"})
    assert run("ls", "--aliases", "x").lines[-3:] == ['"b.w" -> "a.w"', '"c.w" -> "d.w": no such tensor',
                                                    '"g.\u00e9" -> "h.\u00e9": no such tensor']
    found = run("ls", "--format", "json", "x").json()
    assert found["aliases"] == [{"name": "b.w", "tensor": "a.w"}]
    assert found["dangling_aliases"] == [{"name": "c.w", "tensor": "d.w"}, {"name": "g.\u00e9", "tensor": "h.\u00e9"}]
    sharded((["a.w"], {"c.w": "b.w", "d.w": "e.w"}), (["b.w"], {"d.w": "e.w", "f.x": "g.x", "h.x": "g.w"}))
    (record,) = [r for r in expect(run("ls", "--format", "json", "m"), 0).json() if r["path"] == INDEX]
    assert record["aliases"] == [{"name": "c.w", "tensor": "b.w"}]
    assert record["dangling_aliases"] == [{"name": "d.w", "tensor": "e.w"}, {"name": "f.x", "tensor": "g.x"}]
    assert [line for line in run("ls", "--aliases", "m").lines if "->" in line or line == INDEX + ":"] == [
        INDEX + ":", '"c.w" -> "b.w"', '"d.w" -> "e.w": no such tensor', '"f.x" -> "g.x": no such tensor']
    sharded((["a.w"], {"f.x": "g.x"}), (["b.w"], None))
    assert run("ls", "--aliases", "m").lines[-2:] == [INDEX + ":", '"f.x" -> "g.x": no such tensor']


def test_summary_of_a_model():
    sharded((["a", "b"], {"x": "c"}), (["c"], None))
    model("m/alone.safetensors", [("z", tensor(0, 8, "F32", [2]))], {"k": "z"})
    assert expect(run("ls", "--summary", "--aliases", "m"), 0).lines == [
        INDEX + ":",
        "DTYPE        TENSORS  ELEMENTS  BYTES",
        "U8                 3         3      3",
        "3 tensors, 3 elements, 3 bytes of data, 2 files",
        '"x" -> "c"',
        "m/alone.safetensors:",
        "DTYPE        TENSORS  ELEMENTS  BYTES",
        "F32                1         2      8",
        run("ls", "m/alone.safetensors").lines[-1],
        '"k" -> "z"',
    ]


def test_models_that_are_wrong():
    sharded((["a"], None), (["b"], None))
    os.remove("m/s-00002-of-00002.safetensors")
    for words in (["ls"], ["ls", "--summary"], ["ls", "--aliases"]):
        result = run(*words, "m")
        assert result.status == 1 and "rule M20: a shard is missing" in result.out, result.out
    records = run("ls", "--format", "json", "m").json()
    assert {"invalid", None} == {record.get("verdict") for record in records}
    write("m/s-00002-of-00002.safetensors", b"\0" * 9)
    result = run("ls", "m")
    assert result.status == 1 and "m/s-00002-of-00002.safetensors: invalid: rule " in result.out
    os.mkdir("none")
    assert "no *.safetensors or *.sft file" in expect(run("ls", "none"), 2).out
    missing = "no.safetensors.index.json"
    assert expect(run("ls", missing), 2).out.startswith(missing + ": error: can't be opened")
    sharded((["a"], None))
    assert run("ls", "--no-sandbox", "m").out == run("ls", "m").out


def test_metadata():
    """meta of a folder or an index: the pairs of each file, or one value. None can look like a path or a verdict."""
    sharded((["a"], {"k": "1\n", "x": INDEX + ":"}), (["b"], {" k": "##[2]", "k": "m/x: invalid: rule G3"}),
            (["c"], None))
    model("m/alone.safetensors", [("z", tensor(0, 1))], {"k": "\u202e"})
    path = "m/s-0000%d-of-00003.safetensors:"
    first = [path % 1, "    k: 1\\u{A}", "    x: %s:" % INDEX]
    shards = [*first, path % 2, "    \\u{20}k: \\u{23}#[2]", "    k: m/x: invalid: rule G3", path % 3]
    alone = ["m/alone.safetensors:", "    k: \\u{202E}"]
    assert expect(run("meta", INDEX), 0).lines == shards
    assert expect(run("meta", "m"), 0).lines == shards + alone
    assert expect(run("meta", INDEX, "k"), 0).lines == [
        path % 1, "    1\\u{A}", path % 2, "    m/x: invalid: rule G3"]
    lacking = 'm/alone.safetensors: the metadata have no key " k"\n'
    assert expect(run("meta", "m", " k"), 1, err=lacking).lines == [path % 2, "    \\u{23}#[2]"]
    assert expect(run("meta", "m", "k"), 0).lines[-2:] == alone[:1] + ["    \\u{202E}"]
    expect(run("meta", INDEX, "no\n"), 1, "", INDEX + ': the metadata have no key "no\\u{A}"\n')
    for name in (INDEX, "m"):
        expect(run("meta", "--raw", name, "k"), 2, "",
               '--raw takes one local file: name a file of the folder, or download it first: "%s"\n' % name)
    assert run("meta", "--no-sandbox", "m").out == run("meta", "m").out


def test_metadata_of_what_is_wrong():
    sharded((["a"], {"k": "1"}), (["b"], {"x": ""}))
    os.remove("m/s-00002-of-00002.safetensors")
    result = expect(run("meta", INDEX, "x"), 1, "", "rule M20: a shard is missing")
    assert "no key" not in result.err, "the other file may have it"
    assert expect(run("meta", INDEX, "k"), 1, err="rule M20").lines == ["m/s-00001-of-00002.safetensors:", "    1"]
    write("m/s-00002-of-00002.safetensors", b"\0" * 9)
    assert "s-00002" not in expect(run("meta", INDEX), 1, err="m/s-00002-of-00002.safetensors: invalid: rule ").out
    os.mkdir("empty")
    expect(run("meta", "empty"), 2, "", "empty: error: there is no *.safetensors or *.sft file")
    expect(run("meta", "no.safetensors.index.json"), 2, "", "no.safetensors.index.json: error: can't be opened")


def test_addresses():
    """Of a file or a model on a server, only headers are fetched; all else is as if it were here."""
    supported()
    sharded((["b", "c"], {"head": KEPT}), ([KEPT], {"tail": "b"}))
    files = {}
    for name in os.listdir("m"):
        with open(os.path.join("m", name), "rb") as f:
            files[name] = f.read()
    here = {words: run("ls", *words, INDEX).out for words in ((), ("--summary", "--aliases"), ("--format", "json"))}
    with Hub(files) as hub:
        env = environment(HF_ENDPOINT=hub.endpoint)
        for words, out in here.items():
            there = expect(run("ls", *words, "hf://o/m", env=env), 0).out
            assert there == out.replace("m/s-0", "hf://o/m/s-0").replace(INDEX, "hf://o/" + INDEX), there
        assert run("ls", "--public-only", "hf://o/m", env=env).status == 2
        missing = run("ls", "hf://o/m/none.safetensors", env=env)
        assert missing.status == 2 and "none.safetensors: error: " in missing.out, missing.out
        there = expect(run("meta", "hf://o/m", env=env), 0).out
        assert there == run("meta", INDEX).out.replace("m/s-0", "hf://o/m/s-0")
    with Server() as server:
        shard = sorted(files)[1]
        server.put("/x", Reply(files[shard]))
        assert expect(run("meta", server.url("/x"), "head", env=environment()), 0).out == KEPT + "\n"
        assert expect(run("meta", server.url("/x"), env=environment()), 0).lines == [server.url("/x") + ":"] + \
            ["    " + line for line in run("meta", "m/" + shard).lines]
        expect(run("meta", server.url("/x"), "no", env=environment()), 1, "",
               server.url("/x") + ': the metadata have no key "no"\n')
        expect(run("meta", "--raw", server.url("/x"), "head", env=environment()), 2, "", "--raw takes one local file")
        expect(run("meta", "--public-only", server.url("/x"), "head", env=environment()), 2, "", ": error: ")
        lines = expect(run("ls", server.url("/x"), env=environment()), 0).lines
        assert lines == [server.url("/x") + ":"] + run("ls", "m/" + shard).lines
