"""assay check: a model that is there twice, as an index with its shards and in one file; numbered files without an
index; shards whose paths differ by case; and many indexes that name the same files."""

import json
import os
import random
import resource
import shutil
import sys

import lib
import models
from hub import Hub
from lib import ROOT, check_one, expect, frame, header, run, tensor, unprivileged, write
from models import INDEX, broken, index_of, layout, make, name_of, records, shard, split, wrong
from remote import check, small, supported
from remote_models import bytes_of, serve
from reply import Reply
from server import Server

sys.path.insert(0, os.path.join(ROOT, "spec"))
import index_model  # noqa: E402

ONE = "model.safetensors"


def in_one(shards):
    """The same tensors in one file."""
    return {name: size for tensors in shards.values() for name, size in tensors.items()}


def rules(*paths):
    return [(x["rule_name"], x["path"]) for x in wrong(*paths) if x["rule"] and x["rule"].startswith("M")]


# ---- The model in one file ------------------------------------------------------------------------------------


def test_both_are_judged_and_compared():
    shards = layout(3)
    make("m", shards)
    shard("m/" + ONE, in_one(shards))
    for path in ("m", "m/", "m/" + INDEX):
        found = records(path)
        base = "m/"
        assert [(x["verdict"], x["path"], x["rule_name"]) for x in found] == [
            ("valid", base + INDEX, None),
            ("valid", base + ONE, None),
            *(("valid", base + name, None) for name in shards),
        ], found
        (note,) = found[1]["findings"]
        assert (note["verdict"], note["rule_name"], note["index"]) == ("note", "single_beside", base + INDEX), note
        assert "the data was not compared" in note["message"], note
    write("policy", b"assay-policy 1\nfail single_beside\n")
    expect(run("check", "-q", "--policy", "policy", "m"), 3, "")
    shard("m/" + ONE, {"evil": 4})
    for path in ("m", "m/" + INDEX):
        (what,) = [x for x in wrong(path) if x["verdict"] == "invalid"]
        assert records(path)[0]["verdict"] == "invalid", what
        assert (what["rule_name"], what["path"]) == ("single_differs", "m/" + ONE), what
        assert (what["tensor"], what["count"], what["expected"], what["found"]) == ("t1.0", 10, 9, 1), what
        assert what["other_path"] == "m/" + name_of(1, 3) and what["index"] == "m/" + INDEX, what
        assert run("check", "-q", path).status == 1
    write("m/" + ONE, b"broken")
    assert broken("m") == broken("m/" + INDEX) == [("file_short", "m/" + ONE)]
    os.remove("m/" + ONE)
    os.symlink("../elsewhere", "m/" + ONE)
    shard("elsewhere", {"evil": 4})
    assert ("single_differs", "m/" + ONE) in broken("m")  # as a loader does, by the link
    assert run("check", "-q", "m/" + INDEX).status == 2  # ... but for who names the index it leads out


def test_what_makes_tables_equal():
    base = {"é\n😀": ("F32", [2, 3]), "b/c": ("F16", [4]), "e": ("U8", [0]), "s": ("I64", [])}
    width = {"F32": 4, "F16": 2, "U8": 1, "I64": 8, "I32": 4, "BF16": 2}

    def put(path, tensors, escaped=False):
        at, rows = 0, []
        for name, (dtype, shape) in tensors.items():
            size = width[dtype]
            for dim in shape:
                size *= dim
            rows.append((name, {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}))
            at += size
        text = json.dumps(dict(rows), ensure_ascii=escaped)
        write(path, frame(text, b"\0" * at))

    os.mkdir("m")
    for k, name in enumerate(base):
        put("m/%d.safetensors" % k, {name: base[name]})
    places = {name: "%d.safetensors" % k for k, name in enumerate(base)}
    write("m/" + INDEX, json.dumps({"weight_map": places}).encode())
    for held, same in (
        (base, True),
        (dict(reversed(base.items())), True),
        ({**base, "b/c": ("BF16", [4])}, False),
        ({**base, "b/c": ("F16", [2, 2])}, False),
        ({**base, "b/c": ("F16", [4, 1])}, False),
        ({**base, "b/c": ("F16", [3])}, False),
        ({**base, "b/c": ("F16", [5])}, False),
        ({**base, "s": ("I64", [1])}, False),
        ({**base, "e": ("U8", [0, 7])}, False),
        ({**base, "é\n😀": ("F32", [3, 2])}, False),
        ({**base, "more": ("U8", [0])}, False),
        ({name: what for name, what in base.items() if name != "e"}, False),
        ({}, False),
    ):
        for escaped in (False, True):
            put("m/" + ONE, held, escaped)
            wanted = "single_beside" if same else "single_differs"
            assert rules("m") == [(wanted, "m/" + ONE)], (held, records("m"))


def test_only_what_is_known_is_said():
    shards = layout(3)
    make("m", shards)
    one, two = "m/" + name_of(1, 3), "m/" + name_of(2, 3)
    shard("m/" + ONE, {**in_one(shards), "more": 4})
    assert broken("m") == [("single_differs", "m/" + ONE)]
    os.remove(two)  # what it held is not known: it could be what the file has more
    assert broken("m") == [("shard_missing", two)]
    write(two, b"")
    assert broken("m") == [("file_short", two)]
    shard(one, {**shards[name_of(1, 3)], "t1.1": 5})
    (what,) = [x for x in wrong("m") if x["rule_name"] == "single_differs"]
    assert (what["tensor"], what["count"], what["expected"], what["found"]) == ("t1.1", 1, None, 10), what
    write("m/" + INDEX, b"{")
    assert rules("m") == [("index_early", "m/" + INDEX)]


def test_names_of_one_variant():
    shards = layout(2)
    for index, single in (
        ("model.safetensors.index.json", "model.safetensors"),
        ("model.safetensors.index.fp16.json", "model.fp16.safetensors"),
        ("model.fp16.safetensors.index.json", "model.fp16.safetensors"),
        ("model.safetensors.index.a.b.json", "model.a.b.safetensors"),
        ("x.safetensors.index.json", "x.safetensors"),
        ("diffusion_pytorch_model.safetensors.index.json", "diffusion_pytorch_model.safetensors"),
        ("consolidated.safetensors.index.json", "consolidated.safetensors"),
    ):
        assert index_model.single_path(index) == single
        make("m", shards)
        os.rename("m/" + INDEX, "m/" + index)
        shard("m/" + single, {"x": 1})
        shard("m/other.safetensors", {"x": 1})
        shard("m/model.fp32.safetensors", {"x": 1})
        assert broken("m") == [("single_differs", "m/" + single), ("file_beside", "m/model.fp32.safetensors"),
                               ("file_beside", "m/other.safetensors")], broken("m")
        assert broken("m/" + index) == [("single_differs", "m/" + single)]
        found = check_one("m/" + single)
        assert [note["rule"] for note in found["notes"]] == ["A12"], found
        assert check_one("m/other.safetensors")["notes"] == []
        shutil.rmtree("m")


def test_variants_of_three_parts():
    """A name of many dots costs four looks: variants of more parts are not looked for."""
    os.mkdir("m")
    for name, found in (("m.a.b.c", "m.safetensors.index.a.b.c.json"),
                        ("m.a.b.c.d", "m.safetensors.index.a.b.c.d.json"),
                        ("m" + ".x" * 60, "m" + ".x" * 57 + ".safetensors.index.x.x.x.json"),
                        ("m" + ".y" * 60, "m" + ".y" * 56 + ".safetensors.index.y.y.y.y.json")):
        shard("m/%s.safetensors" % name, {"x": 1})
        write("m/" + found, b"")
        notes = [note["rule"] for note in check_one("m/%s.safetensors" % name)["notes"]]
        assert notes == (["A12"] if found.count(".a.b.c.j") + found.count("s.index.x") else []), (name, notes)


def test_the_one_file_alone():
    make("m", layout(2))
    shard("m/" + ONE, {"x": 1})
    result = run("check", "m/" + ONE)
    assert result.status == 0 and len(result.lines) == 2 and "note A12: an index of the same model" in result.lines[1]
    assert "pass the folder or the index" in result.lines[1] and run("check", "-q", "m/" + ONE).out == ""
    write("policy", b"assay-policy 1\nfail index_beside\n")
    expect(run("check", "-q", "--policy", "policy", "m/" + ONE), 3, "")
    (line,) = expect(run("check", "--policy", "policy", "m/" + ONE), 3).lines  # a note without details
    assert ": refused: rule A12: an index of the same model is in the same folder: " in line, line
    write("list", ("m/" + ONE).encode() + b"\0")
    assert "note A12" in run("check", "--files0-from", "list").out
    assert "note A12" in run("check", "--include", ONE, "m").out  # the index was not chosen
    write("fails", b"assay-policy 1\nfail A12 M30\n")
    for choice in (("--include", "*.safetensors"), ("--exclude", "*.json")):  # numbered files make it a model's folder
        result = run("check", *choice, "m")
        assert result.status == 0 and result.out.count("note A12") == 1, result.out
        expect(run("check", "-q", "--policy", "fails", *choice, "m"), 3, "")
    assert "A12" not in run("check", "m").out
    os.rename("m/" + INDEX, "index")
    write("m/" + INDEX, b"{")
    assert "A12" not in run("check", "m").out  # the index has a verdict of its own
    os.remove("m/" + INDEX)
    os.mkdir("m/" + INDEX)
    assert check_one("m/" + ONE)["notes"] == []


def test_an_index_that_names_the_one_file():
    make("m", {ONE: {"a": 1}})
    assert rules("m") == [] and len(records("m")) == 2
    shards = {ONE: {"a": 1}, "b.safetensors": {"b": 1}}
    make("m", shards)
    assert rules("m") == [("single_differs", "m/" + ONE)] and len(records("m")) == 3


def test_against_the_model_at_random():
    r = random.Random(7)
    seen = set()
    for k in range(150):
        shards = layout(r.randrange(1, 4), r.randrange(1, 4))
        index = index_of(shards)
        held = dict(r.sample(list(in_one(shards).items()), len(in_one(shards))))
        for _ in range(r.choice([0, 0, 1, 2])):
            kind = r.randrange(3)
            name = r.choice(list(held) or ["x"])
            if kind == 0:
                held.pop(name, None)
            else:
                held[name if kind == 1 else "new"] = 77
        folder = "m%d" % k
        make(folder, shards, index)
        shard(folder + "/" + ONE, held)
        gone = r.choice(list(shards)) if r.random() < 0.2 else None
        if gone is not None:
            os.remove(os.path.join(folder, gone))

        def table(tensors):
            return {name: ("U8", (size,)) for name, size in tensors.items()}

        wanted = index_model.single([(path, None if path == gone else table(shards[path])) for path in sorted(shards)],
                                    table(held))
        found = [x for x in wrong(folder) if (x["rule_name"] or "").startswith("single_")]
        got = [(x["rule_name"], x["tensor"], x["other_path"] and x["other_path"][len(folder) + 1:], x["count"],
                x["expected"], x["found"]) for x in found]
        assert got == ([] if wanted is None else [wanted]), (shards, held, gone, got, wanted)
        seen.add(wanted and wanted[0])
    assert seen == {None, "single_differs", "single_beside"}, seen


# ---- On servers -----------------------------------------------------------------------------------------------


def test_the_hub_is_asked_for_both():
    supported()
    shards = layout(3)
    make("m", shards)
    files = bytes_of("m")
    with Hub(files) as hub:
        env = {"HF_ENDPOINT": hub.endpoint}
        records_, result = check("hf://o/m", **env)
        assert result.status == 0 and len(records_) == 4, result.out
        assert len([one for one in hub.server.log if one.path.endswith("/" + ONE)]) == 1, hub.server.log
        for body, status, rule in ((frame(header([("evil", tensor(0, 4))]), b"\0" * 4), 1, "single_differs"),
                                   (b"<html>no</html>", 1, None), (None, 0, "single_beside")):
            if body is None:
                shard("m/" + ONE, in_one(shards))
                body = bytes_of("m")[ONE]
            hub.files[ONE] = body
            for address in ("hf://o/m", "hf://o/m@main", "hf://o/m/" + INDEX):
                hub.server.clear()
                records_, result = check(address, **env)
                assert result.status == status and len(records_) == 5, (address, result.out)
                assert records_[1]["path"].endswith("/" + ONE) and records_[1]["fetched"]["requests"] > 0
                assert rule in [x["rule_name"] for x in split(records_)], (rule, result.out)
                assert all(hub.commit in one.path for one in hub.server.log if one.path.endswith("/" + ONE))
        (alone,), result = check("hf://o/m/" + ONE, **env)
        assert result.status == 0 and [note["rule"] for note in alone["notes"]] == ["A12"], alone
        write("policy", b"assay-policy 1\nfail A12\n")
        for status in (400, 403, 501):
            hub.instead[INDEX] = Reply(b"no", status=status)
            (alone,), result = check("hf://o/m/" + ONE, **env)
            assert result.status == 0 and [note["rule"] for note in alone["notes"]] == ["A12"], alone
            assert alone["notes"][0]["message"].startswith("it is unknown whether an index of the same model"), alone
            (alone,), result = check("--policy", "policy", "hf://o/m/" + ONE, **env)
            assert result.status == 3 and "it is unknown whether an index" in alone["message"], alone
        del hub.instead[INDEX]
        del hub.files[INDEX]
        assert check("hf://o/m/" + ONE, **env)[0][0]["notes"] == []
        expect(run("check", "-q", "--policy", "policy", "hf://o/m/" + ONE, env={**os.environ, **env}), 0, "")
        records_, result = check("hf://o/m", **env)
        assert len(records_) == 1 and records_[0]["verdict"] == "valid", result.out


def test_an_address_of_an_index():
    supported()
    shards = layout(2)
    make("m", shards)
    with Server() as server:
        serve(server, bytes_of("m"))
        url = server.url("/m/" + INDEX)
        records_, result = check(url)
        assert result.status == 0 and len(records_) == 3
        server.put("/m/" + ONE, Reply(small()))
        records_, result = check(url)
        assert result.status == 1 and "single_differs" in [x["rule_name"] for x in records_], result.out
        server.put("/m/" + ONE, Reply(b"no", status=403))
        records_, result = check(url)
        assert result.status == 2 and [x["verdict"] for x in records_] == ["valid", "error", "valid", "valid"]
        index = json.dumps({"weight_map": {"a": "a%20b.safetensors"}}).encode()
        server.put("/m/a%20b.safetensors.index.json", Reply(index))
        server.put("/m/a%2520b.safetensors", Reply(small()))
        server.put("/m/a%20b.safetensors", Reply(small(name="evil")))
        records_, result = check(server.url("/m/a%20b.safetensors.index.json"))
        assert result.status == 1 and [x["verdict"] for x in records_] == ["invalid", "invalid", "valid"], result.out
        assert records_[1]["path"] == server.url("/m/") + "a b.safetensors", result.out


# ---- Numbered files without an index --------------------------------------------------------------------------


def parts(folder, names):
    os.mkdir(folder)
    for name in names:
        shard(os.path.join(folder, name), {"t": 1})


def test_numbered_files():
    for k, (numbers, form, wanted) in enumerate((
        ((1, 2, 3), "m-%05d-of-00003", None),
        ((1, 3), "m-%05d-of-00003", ("m-00002-of-00003", 3, 2)),
        ((2, 3), "m-%05d-of-00003", ("m-00001-of-00003", 3, 2)),
        ((1, 2), "m-%05d-of-00003", ("m-00003-of-00003", 3, 2)),
        ((0, 1, 2), "m-%05d-of-00003", None),
        ((0, 1, 2), "m-%05d-of-00002", None),  # as in openai/gpt-oss-20b
        ((0, 2), "m-%05d-of-00002", ("m-00001-of-00002", 3, 2)),
        ((1, 2), "m-%d-of-2", None),
        ((9, 10), "m-%d-of-10", ("m-1-of-10", 10, 2)),
        ((1,), "m-%d-of-1", None),
        ((1,), "m-%d-of-0", None),
        ((1,), "m-%05d-of-99999999999999999999999", ("m-00002-of-99999999999999999999999", 10**18, 1)),
        ((1,), "m-%d", None),
    )):
        folder = "d%d" % k
        names = [form % number + ".safetensors" for number in numbers]
        parts(folder, names)
        found = [x for x in records(folder) if x["rule_name"] == "part_missing"]
        got = [(x["path"], x["expected"], x["found"], x["verdict"], x["index"]) for x in found]
        path = wanted and folder + "/" + wanted[0] + ".safetensors"
        assert got == ([] if wanted is None else [(path, *wanted[1:], "invalid", None)]), (names, got)
        said = {} if "9999" in form else index_model.parts_missing([], names)  # which counts that far
        assert "9999" in form or [(x["path"], x["rule_name"], x["expected"], x["found"]) for x in found] == [
            (folder + "/" + path, *row) for path, row in said.items()]
    assert run("check", "-q", "d1").status == 1 and run("check", "-q", "d0").status == 0
    assert run("check", "-q", "d1/m-00001-of-00003.safetensors").status == 0  # alone


def test_several_sets():
    parts("d", ["a-1-of-2.safetensors", "a-2-of-2.safetensors", "a-1-of-3.safetensors", "a-03-of-3.safetensors",
                "b-1-of-2.safetensors", "b-1-of-2-1-of-1.safetensors", "x.safetensors"])
    os.mkdir("d/sub")
    shard("d/sub/b-2-of-2.safetensors", {"t": 1})
    assert [x["path"] for x in records("d") if x["verdict"] == "invalid"] == [
        "d/a-2-of-3.safetensors", "d/b-2-of-2.safetensors", "d/sub/b-1-of-2.safetensors"], records("d")
    assert run("check", "-q", "--exclude", "a-2-of-2*", "--exclude", "sub", "--exclude", "b-*", "--exclude",
               "a-*-of-3*", "d").status == 0  # it is there, though not chosen
    make("m", layout(3))
    shard("m/other-1-of-2.safetensors", {"t": 1})
    shard("m/model-00004-of-00009.safetensors", {"t": 1})
    assert broken("m") == [("shard_extra", "m/model-00004-of-00009.safetensors"),
                           ("file_beside", "m/other-1-of-2.safetensors"),
                           ("part_missing", "m/other-2-of-2.safetensors")]
    assert broken("m/" + INDEX) == []


def test_many_numbered_files():
    """Thousands of sets, and a set of thousands: what is missing of each is reported once."""
    os.mkdir("d")
    for k in range(3000):
        write("d/%d-%d-of-7.safetensors" % (k // 3, k % 3), b"")
        write("d/m-%d-of-3000.safetensors" % (k + 1), b"")
    found = [x["rule_name"] for x in records("d")]
    assert found.count("part_missing") == 1000 and found.count("file_short") == 6000
    for count in (61, 62, 100, 127, 128):  # sorted in the sandbox, where some sorts of C libraries make system calls
        folder = "d%d" % count
        os.mkdir(folder)
        for k in range(1, count + 1):
            write("%s/m-%d-of-%d.safetensors" % (folder, k, count), frame("{}"))
        expect(run("check", "-q", folder), 0, "")


def test_a_search_ends():
    """COUNT is a stranger's number: what it costs is bounded by the files that are there."""
    end = "-of-99999999999999999.safetensors"
    stem = "s" * (255 - len("-9" + end))
    parts("long", ["%s-%d%s" % (stem, k, end) for k in range(1, 10)])
    (missing,) = [x for x in records("long", timeout=20) if x["rule_name"]]
    assert (missing["rule"], missing["path"], missing["found"]) == ("M31", "long/%s-10%s" % (stem, end), 9), missing
    parts("m", ["m-1" + end, "m-2" + end])
    os.symlink("m-3" + end, "m/m-3" + end)
    result = run("check", "--exclude", "m-3*", "m", timeout=20)
    assert result.status == 2 and len(result.lines) == 3, result.out
    assert result.lines[2] == ("m/m-3" + end + ": error: it belongs to a numbered set, and can't be looked for: "
                               "Too many levels of symbolic links"), result.out
    parts("closed", ["m-1" + end, "m-2" + end])
    options = unprivileged()
    os.chmod("closed", 0o444)
    result = run("check", "closed", timeout=20, **options)
    os.chmod("closed", 0o755)
    assert result.status == 2 and len(result.lines) == 3, result.out
    assert result.lines[2].endswith("can't be looked for: Permission denied"), result.out


def test_a_search_is_bounded():
    """65,535 questions, and one for each file that was chosen."""
    os.mkdir("d")
    form = "d/m-%06d-of-070000.safetensors"
    shard(form % 1, {"t": 1})
    for k in range(2, 65538):
        write(form % k, b"")
    chosen = ("check", "--include", "m-000001*", "d")
    result = run(*chosen, timeout=300)
    assert result.status == 2 and [line.split(": ")[:2] for line in result.lines] == [
        [form % 1, "valid"], [form % 65538, "error"]], result.out
    assert "more than 65,535 files that were not chosen" in result.lines[1], result.out
    os.remove(form % 65537)
    result = run(*chosen, timeout=300)
    assert result.status == 1 and result.lines[1].startswith(form % 65537 + ": invalid: rule M31: "), result.out


# ---- Case -----------------------------------------------------------------------------------------------------


def test_paths_that_differ_by_case():
    make("m", {"a.safetensors": {"a": 1}, "A.safetensors": {"b": 1}, "sub/É.safetensors": {"c": 1},
               "sub/é.safetensors": {"d": 1}, "Sub/x.safetensors": {"e": 1}, "sub/X.safetensors": {"f": 1}})
    found = wrong("m")
    assert {x["verdict"] for x in records("m")} == {"valid"}, found
    assert [(x["verdict"], x["rule_name"], x["path"], x["other_path"], x["tensor"]) for x in found] == [
        ("note", "path_case", "m/a.safetensors", "m/A.safetensors", "a"),
        ("note", "path_case", "m/sub/X.safetensors", "m/Sub/x.safetensors", "f"),
    ], found
    with open("m/" + INDEX, "rb") as f:
        said = index_model.same_but_case(index_model.read_index(f.read()))
    assert [(x["path"], x["other"], x["offset"]) for x in said] == [
        (x["path"][2:], x["other_path"][2:], x["index_offset"]) for x in found]
    write("policy", b"assay-policy 1\nfail M33\n")
    expect(run("check", "-q", "--policy", "policy", "m"), 3, "")


# ---- Many indexes ---------------------------------------------------------------------------------------------


def many_indexes(folder, indexes, shards, each):
    held = {"m-%d.safetensors" % k: {"layer.%d.tensor.%d" % (k, i): 1 for i in range(each)} for k in range(shards)}
    make(folder, held)
    os.remove(folder + "/" + INDEX)
    text = json.dumps({"weight_map": {min(tensors): path for path, tensors in held.items()}}).encode()
    for k in range(indexes):
        write(folder + "/%02d.safetensors.index.json" % k, text)


def test_a_file_is_judged_for_four_indexes():
    many_indexes("m", 6, 2, 3)
    found = records("m")
    errors = [x for x in found if x["verdict"] == "error"]
    assert [x["path"] for x in errors] == ["m/%02d.safetensors.index.json" % k for k in (4, 5)], errors
    assert all(x["other_path"] == "m/m-0.safetensors" and "more than 4 indexes" in x["message"] for x in errors), errors
    assert [x["rule_name"] for x in split(found)].count("tensor_unlisted") == 8  # four times two
    (what,) = [x for x in found if x["path"] == "m/m-1.safetensors"]
    assert what["verdict"] == "invalid" and len({x["index"] for x in what["findings"]}) == 4, what
    for k in (4, 5):
        os.remove("m/%02d.safetensors.index.json" % k)
    assert "error" not in [x["verdict"] for x in records("m")]


def seconds_of(path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("check", "-q", path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def test_many_indexes_cost_little_more():
    """Each shard is parsed and looked through a few times, not once for each index."""
    many_indexes("few", 1, 20, 8000)
    many_indexes("many", 60, 20, 8000)
    few, many = (min(seconds_of(path) for _ in range(3)) for path in ("few", "many"))
    assert many < 8 * few + 0.2, (few, many)
