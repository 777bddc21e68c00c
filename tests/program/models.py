"""assay check: models of several files, by their index."""

import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

import lib
from lib import ROOT, expect, frame, header, model, run, tensor, write

sys.path.insert(0, os.path.join(ROOT, "spec"))
import index_model  # noqa: E402

INDEX = "model.safetensors.index.json"
RULES = index_model.RULES


def shard(path, tensors):
    """tensors: {name: bytes}."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    at, rows = 0, []
    for name, size in tensors.items():
        rows.append((name, tensor(at, at + size)))
        at += size
    return write(path, frame(header(rows), b"\0" * at))


def name_of(k, count):
    return "model-%05d-of-%05d.safetensors" % (k, count)


def layout(count, each=3):
    """{path: {name: bytes}} of a model of so many shards."""
    return {name_of(k, count): {"t%d.%d" % (k, i): 8 + i for i in range(each)} for k in range(1, count + 1)}


def index_of(shards, **metadata):
    total = sum(sum(tensors.values()) for tensors in shards.values())
    places = {name: path for path, tensors in shards.items() for name in tensors}
    return {"metadata": {"total_size": total, **metadata}, "weight_map": dict(sorted(places.items()))}


def make(folder, shards, index=None):
    """The model as it should be."""
    for path, tensors in shards.items():
        shard(os.path.join(folder, path), tensors)
    write(os.path.join(folder, INDEX), (json.dumps(index or index_of(shards), indent=2) + "\n").encode())


def records(*paths, **options):
    result = run("check", "--format", "jsonl", *paths, **options)
    found = result.jsonl()
    assert result.err == "", result.err
    verdicts = [x["verdict"] for x in found]
    wanted = 1 if "invalid" in verdicts else 2 if "error" in verdicts else 0
    assert result.status == wanted, (result.status, wanted)
    assert run("check", *paths, **options).status == wanted
    one_verdict_each(found)
    return found


def one_verdict_each(found):
    """A path has one record, with the worst of its verdicts; an index is as bad as the files that do not fit it."""
    known = {}
    folders = {os.path.dirname(x["path"]) for x in found if x["path"].endswith("index.json")}
    for x in found:  # a shard in a folder below is a file of that folder too
        assert x["path"] not in known or folders - {os.path.dirname(x["path"])}, x
        known.setdefault(x["path"], x)
    worse = ["note", "valid", "refused", "error", "invalid"]
    for x in found:
        for finding in x["findings"]:
            assert worse.index(finding["verdict"]) <= worse.index(x["verdict"]), x
            index = known.get(finding["index"])
            assert index is None or finding["verdict"] != "invalid" or index["verdict"] == "invalid", (x, index)


def split(found):
    """All that the records state: what is wrong with each path by itself, then its findings."""
    said = []
    for x in found:
        by_its_files = x.get("other_path") is not None and x["index"] is None
        if not by_its_files and not any(x["message"] == finding["message"] for finding in x["findings"]):
            said.append(x)
        said += [{**finding, "path": x["path"]} for finding in x["findings"]]
    return said


def wrong(*paths, **options):
    """All that is stated and is not "valid"."""
    return [x for x in split(records(*paths, **options)) if x["verdict"] != "valid"]


def broken(*paths):
    """(rule, path) of all that is not valid."""
    return [(x["rule_name"], x["path"]) for x in wrong(*paths)]


def offset_of(folder, name):
    """Where a key stands in the index."""
    with open(os.path.join(folder, INDEX), "rb") as f:
        return f.read().index(json.dumps(name).encode() + b":")


def test_a_model():
    make("m", layout(3))
    write("m/config.json", b"{}")
    result = run("check", "m")
    expect(
        result,
        0,
        "m/model.safetensors.index.json: valid: index of 9 tensors in 3 shards\n"
        + "".join("m/%s: valid: 3 tensors, %d bytes\n" % (name, os.path.getsize("m/" + name)) for name in layout(3)),
    )
    assert run("check", "m/").out == result.out and run("check", "m/" + INDEX).out == result.out
    first = records("m")[0]
    assert (first["tensors"], first["shards"], first["code"]) == (9, 3, 0), first
    assert first["file_bytes"] == os.path.getsize("m/" + INDEX)
    os.chdir("m")
    assert records(INDEX)[1]["path"] == name_of(1, 3)
    assert [x["path"] for x in records(".")][0] == "./" + INDEX
    expect(run("check", "-q", "."), 0, "")


def test_one_swapped_one_missing_one_truncated():
    shards = layout(100)
    make("m", shards)
    names = list(shards)
    shutil.copy("m/" + names[7], "m/" + names[41])  # instead of its own
    os.remove("m/" + names[60])
    with open("m/" + names[80], "r+b") as f:
        f.truncate(os.path.getsize("m/" + names[80]) - 1)
    found = records("m")
    assert [x["path"] for x in found] == ["m/" + INDEX, *("m/" + name for name in names)]
    model, *files = [x for x in found if x["verdict"] != "valid"]
    assert (model["verdict"], model["rule_name"], model["count"]) == ("invalid", "shard_missing", 3), model
    assert model["other_path"] == "m/" + names[60] and model["findings"] == [] and model["shards"] == 100, model
    assert [(x["verdict"], x["rule_name"], x["path"]) for x in files] == [
        ("invalid", "shard_swapped", "m/" + names[41]),
        ("invalid", "shard_missing", "m/" + names[60]),
        ("invalid", "truncated", "m/" + names[80]),
    ], files
    swapped, missing, _ = files
    assert missing["index"] == swapped["index"] == "m/" + INDEX
    assert missing["count"] == 3 and missing["tensor"] == "t61.0"
    assert missing["index_offset"] == offset_of("m", "t61.0") and missing["offset"] is None
    assert swapped["other_path"] == "m/" + names[7] and (swapped["expected"], swapped["found"]) == (3, 3)
    for x in (model, swapped, missing):
        print_of_it = [line for line in run("check", "m").lines if line.startswith(x["path"] + ": invalid: ")]
        assert len(print_of_it) == 1 and print_of_it[0].endswith(x["message"]), print_of_it


def test_two_swapped_with_each_other():
    shards = layout(4)
    make("m", shards)
    one, two = "m/" + name_of(2, 4), "m/" + name_of(3, 4)
    os.rename(one, "m/x")
    os.rename(two, one)
    os.rename("m/x", two)
    assert broken("m") == [("shard_swapped", one), ("shard_swapped", two)]
    for what, other in zip(wrong("m"), (two, one)):
        assert what["other_path"] == other and "swapped with" in what["message"]


def test_a_shard_of_another_model():
    shards = layout(3)
    make("m", shards)
    shard("m/" + name_of(2, 3), {"other": 4, "t1.0": 4})
    assert broken("m") == [("shard_swapped", "m/" + name_of(2, 3))]
    shard("m/" + name_of(2, 3), {})
    assert broken("m") == [("shard_swapped", "m/" + name_of(2, 3))]


def test_tensors_missing_unlisted_elsewhere():
    shards = layout(3)
    make("m", shards)
    path = "m/" + name_of(2, 3)
    shard(path, {"t2.0": 8, "t2.2": 10})
    assert broken("m") == [("tensor_missing", path)]
    (what,) = [x for x in wrong("m") if x["verdict"] == "invalid"]
    assert (what["tensor"], what["count"], what["index_offset"]) == ("t2.1", 1, offset_of("m", "t2.1"))
    shard(path, {"t2.0": 8, "é": 1, "new": 1, "t2.1": 9, "t2.2": 10})
    assert broken("m") == [("tensor_unlisted", path)]
    (what,) = [x for x in wrong("m") if x["verdict"] == "invalid"]
    assert (what["tensor"], what["count"], what["index_offset"]) == ("é", 2, None)
    shard(path, {**shards[name_of(2, 3)], "t3.1": 9})
    assert broken("m") == [("tensor_elsewhere", path)]
    (what,) = [x for x in wrong("m") if x["verdict"] == "invalid"]
    assert (what["tensor"], what["other_path"]) == ("t3.1", "m/" + name_of(3, 3))
    shard(path, {"t2.0": 8, "t3.1": 9, "x": 1})
    assert broken("m") == [("tensor_unlisted", path), ("tensor_missing", path), ("tensor_elsewhere", path)]


def test_large_findings():
    """A finding with a long name is not held back, and is the verdict all the same."""
    shards = layout(2)
    make("m", shards)
    path, long = "m/" + name_of(2, 2), "n" * 100_000
    shard(path, {**shards[name_of(2, 2)], long: 1})
    found = records("m")
    assert sorted((x["path"], x["verdict"]) for x in found) == [
        ("m/" + name_of(1, 2), "valid"), (path, "invalid"), ("m/" + INDEX, "invalid")], found
    (what,) = [x for x in found if x["path"] == path]
    assert (what["rule_name"], what["tensor"], len(what["findings"])) == ("tensor_unlisted", long, 1)
    make("m", {name_of(1, 2): {long: 1}, name_of(2, 2): {"b": 1}})
    write(path, frame(header([(long, tensor(0, 2)), ("b", tensor(1, 2))]), bytes(2)))
    assert broken("m") == [("overlap", path)] and records("m")[1]["rule_name"] == "overlap"


def test_a_large_record_beside_a_model():
    """A note on a file whose record was written as invalid makes no second record."""
    make("m", layout(2))
    write("m/x.safetensors", frame(header([("n" * 100_000, tensor(0, 2)), ("b", tensor(1, 2))]), bytes(2)))
    for kind in ("jsonl", "sarif", "junit", "text"):
        expect(run("check", "--format", kind, "m"), 1)
    (what,) = [x for x in records("m") if x["path"] == "m/x.safetensors"]
    assert what["rule_name"] == "overlap"


def test_findings_after_a_large_one():
    """What is found about a shard whose record is written already is in the record of its index."""
    shards = layout(2, 4)
    make("m", shards)
    path, first = "m/" + name_of(2, 2), next(iter(shards[name_of(2, 2)]))
    shard(path, {first: shards[name_of(2, 2)][first], "n" * 100_000: 1})
    found = {x["path"]: x for x in records("m")}
    assert [x["verdict"] for x in found.values()].count("invalid") == 2, found
    assert found[path]["rule_name"] == "tensor_unlisted"
    (what,) = found["m/" + INDEX]["findings"]
    assert (what["rule_name"], what["count"], what["tensor"]) == ("tensor_missing", 3, None)
    assert "(3 tensors, index" in what["message"]


def test_names_are_compared_unescaped():
    shards = {"a.safetensors": {"é\n😀": 4, "b/c": 4}}
    shard("m/a.safetensors", {})
    text = '{"\\u00e9\\n\\ud83d\\ude00":%s,"b/c":%s}' % tuple(json.dumps(tensor(4 * k, 4 * k + 4)) for k in (0, 1))
    write("m/a.safetensors", frame(text, b"\0" * 8))
    write("m/" + INDEX,
          '{"weight_map":{"é\\u000A\\uD83D\\uDE00":"\\u0061.safetensors","b\\/c":"a.safetensors"}}'.encode())
    assert broken("m") == []
    write("m/" + INDEX, '{"weight_map":{"é":"a.safetensors","\\u00e9":"a.safetensors"}}'.encode())
    (what,) = [x for x in wrong("m") if x["verdict"] == "invalid"]
    assert (what["rule_name"], what["offset"], what["found"], what["tensor"]) == ("index_key_twice", 36, 15, "é"), what
    assert shards


def test_files_beside():
    make("m", layout(2))
    shard("m/consolidated.safetensors", {"x": 4})
    shard("m/adapter_model.safetensors", {"y": 4})
    found = records("m")
    assert [(x["verdict"], x["path"], [y["rule_name"] for y in x["findings"]]) for x in found[3:]] == [
        ("valid", "m/adapter_model.safetensors", ["file_beside"]),
        ("valid", "m/consolidated.safetensors", ["file_beside"]),
    ], found[3:]
    assert [line.split(":")[0] for line in run("check", "m").lines[3:]] == [
        "m/adapter_model.safetensors", "    note M27", "m/consolidated.safetensors", "    note M27"]
    expect(run("check", "-q", "m"), 0, "")
    assert records("m/" + INDEX)[-1]["path"].endswith("00002.safetensors")  # of a named index: its shards alone
    shard("m/model-00001-of-00003.safetensors", {"t1.0": 8})
    assert ("shard_extra", "m/model-00001-of-00003.safetensors") in broken("m")
    assert run("check", "m").status == 1
    shard("m/other-00001-of-00003.safetensors", {"t1.0": 8})
    assert ("file_beside", "m/other-00001-of-00003.safetensors") in broken("m")


def test_many_files_beside_are_told_soon():
    """Shards and files that are called alike but for a little: none is compared with all others."""
    many = 3000
    shards = {"%d-1-of-2.safetensors" % k: {"t%d" % k: 1} for k in range(many)}
    os.mkdir("m")
    write("m/" + INDEX, json.dumps(index_of(shards)).encode())
    for k in range(many):
        for name in ("%d-2-of-2.safetensors" % k, "%d-3-of-2-1-of-2.safetensors" % k):
            write("m/" + name, b"")
    rules = [x["rule_name"] for x in wrong("m")]
    assert [rules.count(name) for name in ("shard_missing", "shard_extra", "file_beside")] == [many] * 3, len(rules)


def test_total_size():
    shards = layout(2)
    make("m", shards)
    right = index_of(shards)["metadata"]["total_size"]
    files = sum(os.path.getsize("m/" + path) for path in shards)
    for total, good in ((right, True), (float(right), True), (right + 1, False), (files, False), (right - 0.5, False),
                        (str(right), False), (None, False), (-right, False), (2**64 + right, False), (0, False)):
        index = index_of(shards)
        index["metadata"]["total_size"] = total
        make("m", shards, index)
        assert broken("m") == ([] if good else [("total_size", "m/" + INDEX)]), total
        if not good:
            (what,) = wrong("m")
            assert (what["verdict"], what["expected"]) == ("note", right), what
            assert what["found"] == (total if isinstance(total, int) and 0 <= total < 2**64 else None), what
            assert ("sum of the files' sizes" in what["message"]) == (total == files), what
        assert run("check", "-q", "m").status == 0
    for metadata in ({}, {"format": "pt", "a": [1.5, {"b": [None, True, "x"]}, -1e-7]}):
        make("m", shards, {"metadata": metadata, "weight_map": index_of(shards)["weight_map"],
                           "more": {"weight_map": 1}})
        assert broken("m") == []
    make("m", shards, {"weight_map": index_of(shards)["weight_map"]})
    assert broken("m") == []


def test_a_shard_that_can_not_be_judged_is_told_once():
    shards = layout(3)
    make("m", shards)
    os.remove("m/" + name_of(2, 3))
    os.mkdir("m/" + name_of(2, 3))
    assert broken("m/" + INDEX) == [(None, "m/" + name_of(2, 3))]
    write("m/" + name_of(3, 3), b"")
    assert broken("m/" + INDEX) == [(None, "m/" + name_of(2, 3)), ("file_short", "m/" + name_of(3, 3))]


def test_links():
    shards = layout(2)
    make("hub/models--x--y/blobs/real", shards)
    base = "hub/models--x--y/"
    os.makedirs(base + "snapshots/0123/sub")
    for k, path in enumerate([*shards, INDEX]):
        os.rename(base + "blobs/real/" + path, base + "blobs/%064x" % k)
        os.symlink("../../blobs/%064x" % k, base + "snapshots/0123/" + path)
    os.rmdir(base + "blobs/real")
    snapshot = base + "snapshots/0123/"
    assert broken("hub") == [] and len(records("hub")) == 3
    assert broken(snapshot + INDEX) == []
    os.symlink("hub/models--x--y/snapshots/0123", "linked")
    assert broken("linked") == []
    one, two = snapshot + name_of(1, 2), snapshot + name_of(2, 2)
    os.remove(two)
    os.symlink("../../blobs/none", two)
    assert broken(snapshot) == [("shard_missing", two)]
    neighbour = "hub/models--x--z/blobs/x"
    places = ("outside.safetensors", base + "outside", base + "blobs/deep/er", base + "snapshots/other/blobs/x",
              neighbour)
    for target in ("../../../../outside.safetensors", os.path.abspath("outside.safetensors"), "../../outside",
                   "../../blobs/deep/er", "../other/blobs/x", "../../../../" + neighbour):
        for place in places:
            shard(place, shards[name_of(2, 2)])
        os.remove(two)
        os.symlink(target, two)
        found = broken(snapshot)
        assert found == [("shard_outside", two)], (target, found)
    os.remove(two)
    os.symlink(name_of(1, 2), two)
    assert broken(snapshot) == [("shard_swapped", two)]
    os.remove(two)
    os.symlink("sub/real", two)
    shard(snapshot + "sub/real", shards[name_of(2, 2)])
    assert broken(snapshot) == []
    assert one


def test_linked_folders():
    shards = {"sub/a.safetensors": {"a": 4}, "b.safetensors": {"b": 4}}
    make("m", shards)
    assert broken("m") == []
    os.rename("m/sub", "elsewhere")
    os.symlink("../elsewhere", "m/sub")
    assert broken("m") == [("shard_outside", "m/sub/a.safetensors")]


def test_two_indexes():
    both = layout(2)
    make("m", both)
    half = {"model.fp16-%05d-of-00002.safetensors" % k: {"t%d" % k: 4} for k in (1, 2)}
    for path, tensors in half.items():
        shard("m/" + path, tensors)
    half[name_of(1, 2)] = both[name_of(1, 2)]  # named by both, told once
    write("m/model.safetensors.index.fp16.json", json.dumps(index_of(half)).encode())
    found = records("m")
    assert [x["path"][2:] for x in found] == [
        "model.safetensors.index.fp16.json",
        name_of(1, 2),
        "model.fp16-00001-of-00002.safetensors",
        "model.fp16-00002-of-00002.safetensors",
        INDEX,
        name_of(2, 2),
    ], found
    assert broken("m") == []


def test_folders_below():
    make("d/m", layout(2))
    make("d/m/n", layout(1))
    shard("d/m/sub/x.safetensors", {"a": 1})
    shard("d/a.safetensors", {"a": 1})
    shard("d/z.safetensors", {"a": 1})
    assert [x["path"] for x in records("d")] == [
        "d/a.safetensors",
        "d/m/" + INDEX,
        "d/m/" + name_of(1, 2),
        "d/m/" + name_of(2, 2),
        "d/m/n/" + INDEX,
        "d/m/n/" + name_of(1, 1),
        "d/m/sub/x.safetensors",
        "d/z.safetensors",
    ]


def test_an_index_that_is_none():
    make("m", layout(2))
    write("m/" + INDEX, b'{"weight_map":{}')
    assert [x["verdict"] for x in records("m")] == ["invalid", "valid", "valid"]
    for content, rule, words in (
        (b"", "index_early", "an empty file"),
        (b"\xef\xbb\xbf{}", "index_start", "byte order mark"),
        ('{"weight_map":{}}'.encode("utf-16"), "index_start", "UTF-16"),
        (b"<!DOCTYPE html>\n<html></html>", "index_start", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "index_start", "Git LFS pointer"),
        (b"[]", "index_start", "found ["),
        (b"{} x", "index_no_map", "no weight_map"),
        (b'{"weight_map":{}}', "index_empty", "names no tensor"),
        (b'{"weight_map":{"a":"x.safetensors"}} \0', "index_trailing", "found byte 0x00"),
        (b'{"weight_map":{"a":"../x.safetensors"}}', "shard_path", '(tensor "a")'),
        (b'{"weight_map":{"a":"\\u002e./x.safetensors"}}', "shard_path", '(tensor "a")'),
        (b'{"weight_map":{"a":"x.bin"}}', "shard_suffix", "unpickle"),
        (b'{"weight_map":{"a":"https://x/y.safetensors"}}', "shard_path", "read files outside the model"),
        (b'{"weight_map":{"a":1}}', "index_type", '(tensor "a")'),
        (b'{"weight_map":{"\xe2\x80\xae":"x"}}', "shard_suffix", "\\u{202E}"),
    ):
        write("m/" + INDEX, content)
        what = records("m/" + INDEX)
        assert len(what) == 1 and what[0]["rule_name"] == rule and words in what[0]["message"], what


def test_what_is_no_file():
    make("m", layout(1))
    os.remove("m/" + INDEX)
    assert records("m/" + INDEX)[0]["message"] == "can't be opened: No such file or directory"
    os.mkdir("m/" + INDEX)
    assert records("m/" + INDEX)[0]["message"] == "is a folder, not a file"
    os.rmdir("m/" + INDEX)
    os.mkfifo("m/" + INDEX)
    assert [x["message"] for x in records("m")] == ["is a named pipe (FIFO), not a file",
                                                    records("m/" + name_of(1, 1))[0]["message"]]


def test_every_rule_is_listed():
    listed = [line.split()[2] for line in run("rules").lines if re.match("M[0-9]", line)]
    assert listed == list(RULES)
    for rule in RULES.values():
        told = run("rules", rule["id"]).out
        assert rule["statement"] in told and rule["severity"] in told and rule["advice"] in told, told


def hostile(name, *chunks):
    """A large index, in pieces; what is said of it, and the largest size of the process."""
    with open(name, "wb") as f:
        for chunk in chunks:
            f.write(chunk)
    return records(name)[0]


def test_hostile_indexes():
    name = "x.safetensors.index.json"
    what = hostile(name, b'{"a":' * 1_000_000)
    assert (what["rule_name"], what["offset"], what["expected"], what["found"]) == ("index_depth", 64 * 5, 64, 65), what
    assert hostile(name, b"[" * 1_000_000)["rule_name"] == "index_start"
    assert hostile(name, b'{"a":', b"9" * 10_000_000, b"}")["rule_name"] == "index_number_range"
    assert hostile(name, b'{"a":1e999}')["rule_name"] == "index_number_range"
    assert hostile(name, b'{"weight_map":{"a":"0.safetensors"},"a":1e-200}')["shards"] == 1
    assert hostile(name, b'{"', b"\\u0061" * 3_000_000, b'":0}')["rule_name"] == "index_no_map"
    assert hostile(name, b'{"', b"\xf0\x9f\x98\x80" * 3_000_000)["rule_name"] == "index_early"
    many = b",".join(b'"%d":"%d.safetensors"' % (k, k) for k in range(65535))
    write("65534.safetensors", b"")  # else there is nothing but missing shards
    assert hostile(name, b'{"weight_map":{', many, b"}}")["shards"] == 65535
    what = hostile(name, b'{"weight_map":{', many, b',"x":"x.safetensors"}}')
    told = [what[member] for member in ("rule_name", "tensor", "expected", "found")]
    assert told == ["shards_many", "x", 65535, 65536], what
    with open(name, "wb") as f:
        f.truncate(1_000_000_001)
    what = records(name)[0]
    assert (what["rule_name"], what["expected"], what["found"]) == ("index_large", 1_000_000_000, 1_000_000_001), what


def test_memory_for_an_index_is_linear():
    """Keys in every place where one can be: six times the file is enough, and what there is too little for is told."""
    if lib.sanitized():
        raise lib.Skip("a sanitizer takes memory of its own")
    name = "x.safetensors.index.json"
    size = 4_000_000
    write(name, b'{"weight_map":{"a":"0.safetensors"},"a":[' + b",".join([b'{"":1}'] * (size // 7)) + b"]}")

    def limited(most):
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))}

    assert records(name, **limited(7 * size + 12_000_000))[0]["shards"] == 1
    assert records(name, **limited(2 * size))[0]["message"] == "not enough memory to check it"
    write(name, b'{"weight_map":{"a":"0.safetensors"},"a":"' + b":" * size + b'"}')  # colons that are none
    assert records(name, **limited(7 * size + 12_000_000))[0]["shards"] == 1


# ---- Against the model, at random ---------------------------------------------------------------------------


def random_model(r):
    """A small model, and what is really in its files: {path: {name: bytes} or what is wrong with it}."""
    count = r.randrange(1, 5)
    shards = layout(count, r.randrange(1, 4))
    if r.random() < 0.3:
        shards = {path.replace("model", "é/m", 1) if r.random() < 0.5 else path: held for path, held in shards.items()}
    index = index_of(shards)
    if r.random() < 0.2:
        index["metadata"]["total_size"] += r.choice([-1, 1])
    real = {path: dict(held) for path, held in shards.items()}
    names = [name for held in shards.values() for name in held] + ["new", "weight_map", "ñ"]
    for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
        one, two = r.choice(list(real)), r.choice(list(real))
        kind = r.randrange(7)
        if kind == 0:
            real[one] = r.choice([index_model.MISSING, index_model.OUTSIDE, index_model.UNJUDGED])
        elif kind == 1:
            real[one], real[two] = real[two], real[one]
        elif kind == 2:
            real[one] = real[two]
        elif not isinstance(real[one], str):
            held = dict(real[one])
            if kind == 3 and held:
                held.pop(r.choice(list(held)))
            elif kind == 4:
                held[r.choice(names)] = 5
            elif kind == 5:
                held = {name: 5 for name in r.sample(names, r.randrange(4))}
            real[one] = held
    return index, real


def put(folder, index, real):
    os.makedirs(folder)
    write(os.path.join(folder, INDEX), json.dumps(index).encode())
    for path, held in real.items():
        place = os.path.join(folder, path)
        if held == index_model.UNJUDGED:
            os.makedirs(place)
        elif held == index_model.OUTSIDE:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.symlink("/dev/null", place)
        elif held != index_model.MISSING:
            shard(place, held)


def test_findings_are_those_of_the_model():
    r = random.Random(5)
    seen = set()
    for k in range(300):
        index, real = random_model(r)
        folder = "m%d" % k
        put(folder, index, real)
        with open(os.path.join(folder, INDEX), "rb") as f:
            read = index_model.read_index(f.read())
        wanted = index_model.findings(read, real)
        found = [x for x in wrong(folder + "/" + INDEX) if (x["rule"] or "").startswith("M")]

        def below(path):
            return None if path is None or path == folder + "/" + INDEX else path[len(folder) + 1:]

        got = [
            (x["rule_name"], below(x["path"]), x["offset"] if below(x["path"]) is None else x["index_offset"],
             x["tensor"], x["count"], below(x["other_path"]), x["expected"], x["found"], "swapped with" in x["message"])
            for x in found
        ]
        want = [tuple(x[key] for key in ("rule_name", "path", "offset", "tensor", "count", "other", "expected", "found",
                                         "pair")) for x in wanted]
        assert sorted(got, key=repr) == sorted(want, key=repr), (index, real, got, want)
        seen |= {x["rule_name"] for x in wanted}
    assert seen >= {"shard_missing", "shard_outside", "shard_swapped", "tensor_missing", "tensor_unlisted",
                    "tensor_elsewhere", "total_size"}, seen


def many_shards(folder, data, cache=None):
    """A model of many shards; cache: each is a link into that folder."""
    names = {"t%d" % k: "model-%05d-of-03000.safetensors" % k for k in range(3000)}
    for part in (folder, cache or folder):
        os.makedirs(part, exist_ok=True)
    for name, path in names.items():
        model("%s/%s" % (cache or folder, path), [(name, tensor(0, 4))], data=data)
        if cache is not None:
            os.symlink("../../blobs/" + path, "%s/%s" % (folder, path))
    write("%s/%s" % (folder, INDEX), json.dumps({"weight_map": names}).encode())


def judged_while_it_is_replaced(folder, other, part):
    """Replace the folder when this part of the time that it takes has passed."""
    words = [lib.PROGRAM, "check", "-j1", os.path.dirname(folder)]
    begin = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, timeout=lib.LIMIT, check=True)
    took = time.monotonic() - begin
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    time.sleep(part * took)
    os.rename(folder, "moved")
    os.symlink(os.path.abspath(other), folder)
    out = process.communicate(timeout=lib.LIMIT)[0].decode()
    os.remove(folder)
    os.rename("moved", folder)
    return process.returncode, out


def test_a_link_in_the_place_of_a_folder_that_is_judged():
    """Its shards are those of the folder that was found, wherever its path leads by now."""
    many_shards("d/m", None)
    many_shards("other", b"")
    judged = 0
    for part in (0.3, 0.5, 0.7):
        status, out = judged_while_it_is_replaced("d/m", "other", part)
        if status == 2 and out == "d/m/: error: can't be opened: No such file or directory\n":
            continue  # on a busy machine it is replaced before it is opened
        judged += 1
        assert len(out.splitlines()) == 3001 and ": invalid: " not in out, out[-300:]
        assert status == 0 or not beneath() and status == 2 and ": error: changed while" in out, (status, out[-300:])
    assert judged > 0


def beneath():
    """Has the system openat2?"""
    return os.path.exists("/proc/self") and tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (5, 6)


def test_a_link_in_the_place_of_a_snapshot_that_is_judged():
    many_shards("d/snapshots/m", None, "d/blobs")
    many_shards("e/snapshots/m", b"", "e/blobs")
    for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        status, out = judged_while_it_is_replaced("d/snapshots/m", "e/snapshots/m", part)
        assert len(out.splitlines()) == 3001 and ": invalid: " not in out, out[-300:]
        if status == 2:
            break
    assert status == 2 and ": error: changed while" in out, out[-300:]
