"""Models of several files."""
import json
import os

import pytest

import assay


@pytest.fixture
def model(tmp_path, write):
    """Return a function that writes a model: {shard: [tensor]}, and an index, of the same or of another map."""
    def model(shards, named=None, metadata=None):
        for shard, tensors in shards.items():
            write(shard, [(t, "U8", [1], k, k + 1) for k, t in enumerate(tensors)], bytes(len(tensors)))
        named = shards if named is None else named
        index = {"weight_map": {t: shard for shard, tensors in named.items() for t in tensors}}
        if metadata is not None:
            index["metadata"] = metadata
        (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
        return tmp_path
    return model


ONE, TWO = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def rules(report):
    return [finding.rule for finding in report.findings]


def test_valid(model):
    report = assay.check_model(model({ONE: ["a", "b"], TWO: ["c"]}, metadata={"total_size": 3}))
    assert report.valid and not report.findings and len(report.files) == 2 and report.require() is report
    assert "3 tensors in 2 shards" in str(report)
    with pytest.raises(TypeError):
        bool(report)


def test_findings(model, tmp_path):
    cases = [
        ({ONE: ["a"], TWO: ["b"]}, {ONE: ["a"], TWO: ["b", "c"]}, ["M23"]),
        ({ONE: ["a", "x"], TWO: ["b"]}, {ONE: ["a"], TWO: ["b"]}, ["M24"]),
        ({ONE: ["a", "b"], TWO: ["b"]}, {ONE: ["a"], TWO: ["b"]}, ["M25"]),
        ({ONE: ["b"], TWO: ["a"]}, {ONE: ["a"], TWO: ["b"]}, ["M22", "M22"]),
        ({ONE: ["a"]}, {ONE: ["a"], TWO: ["b"]}, ["M20"]),
    ]
    for shards, named, want in cases:
        for name in (ONE, TWO):
            if os.path.exists(tmp_path / name):
                os.remove(tmp_path / name)
        report = assay.check_model(model(shards, named))
        assert report.invalid and rules(report) == want, want
        with pytest.raises(assay.InvalidError):
            report.require()
    swapped = assay.check_model(model({ONE: ["b"], TWO: ["a"]}, {ONE: ["a"], TWO: ["b"]})).findings[0]
    assert os.path.basename(swapped.path) == ONE and os.path.basename(swapped.other_path) == TWO and swapped.tensor == "a"


def test_notes_and_others(model, write):
    folder = model({ONE: ["a"], TWO: ["b"]}, metadata={"total_size": 5})
    report = assay.check_model(folder)
    assert report.valid and rules(report) == ["M28"] and report.findings[0].severity == "note"
    write("adapter.safetensors", [], b"")
    assert rules(assay.check_model(folder)) == ["M28", "M27"]
    write("model-00003-of-00003.safetensors", [], b"")
    report = assay.check_model(folder)
    assert report.invalid and "M26" in rules(report)


def test_bad_shard(model, tmp_path):
    folder = model({ONE: ["a"], TWO: ["b"]})
    (tmp_path / TWO).write_bytes((tmp_path / TWO).read_bytes()[:-1])
    report = assay.check_model(folder)
    assert report.invalid and [r.rule for r in report.files] == [None, "G3"] and "G3" in str(report)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
def test_links(model, tmp_path, tmp_path_factory):
    folder = model({ONE: ["a"], TWO: ["b"]})
    outside = tmp_path_factory.mktemp("outside") / "x.safetensors"
    os.rename(tmp_path / TWO, outside)
    os.symlink(outside, tmp_path / TWO)
    assert rules(assay.check_model(folder)) == ["M21"]
    os.remove(tmp_path / TWO)
    os.symlink("none", tmp_path / TWO)
    assert rules(assay.check_model(folder)) == ["M20"]
    # A snapshot of the Hugging Face cache.
    cache = tmp_path_factory.mktemp("hub")
    (cache / "blobs").mkdir()
    os.makedirs(cache / "snapshots" / "1")
    for name in (ONE, "model.safetensors.index.json"):
        os.rename(tmp_path / name, cache / "blobs" / name)
        os.symlink("../../blobs/" + name, cache / "snapshots" / "1" / name)
    os.rename(outside, cache / "snapshots" / "1" / TWO)
    assert assay.check_model(cache / "snapshots" / "1").valid


@pytest.mark.parametrize("text, rule", [(b"{}", "M16"), (b"", "M2"), (b"\xef\xbb\xbf{}", "M3"), (b'{"weight_map":{}}', "M32"),
                                        (b'{"weight_map":{"a":"../x.safetensors"}}', "M17"),
                                        (b'{"weight_map":{"a":"x.bin"}}', "M18"),
                                        (b'{"weight_map":{"a":"x.safetensors","a":"x.safetensors"}}', "M14")])
def test_bad_index(tmp_path, text, rule):
    path = tmp_path / "model.safetensors.index.json"
    path.write_bytes(text)
    report = assay.check_model(path)
    assert report.invalid and rules(report) == [rule]


def test_no_index(write, tmp_path):
    assert assay.check_model(tmp_path).verdict is assay.Verdict.NOT_JUDGED
    assert assay.check_model(tmp_path / "none").verdict is assay.Verdict.NOT_JUDGED
    write("a.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    assert assay.check_model(tmp_path).valid
    write("b.safetensors", [("a", "U8", [1], 0, 1)], b"")
    assert assay.check_model(tmp_path).invalid


def test_hostile_names(model):
    report = assay.check_model(model({ONE: ["a"], TWO: ["b"]}, {ONE: ["a", "\x1b\u202e"], TWO: ["b"]}))
    assert report.findings[0].tensor == "\x1b\u202e" and all(line.isprintable() for line in str(report).split("\n"))
