"""Models of several files."""
import json
import os
import subprocess
import time
from random import Random

import pytest

import assay
from assay import __main__, _model
from conftest import header_of


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


def test_the_model_in_one_file(model, write):
    """M29 and M30: what a loader may take in place of the index."""
    folder = model({ONE: ["a", "b"], TWO: ["c"]})
    write("model.safetensors", [("a", "U8", [1], 0, 1), ("b", "U8", [1], 1, 2), ("c", "U8", [1], 2, 3)], b"xyz")
    report = assay.check_model(folder)
    assert report.valid and rules(report) == ["M30"] and len(report.files) == 3
    index = assay.check_model(folder / "model.safetensors.index.json")
    assert (index.valid, rules(index), len(index.files)) == (True, ["M30"], 3)
    write("model.safetensors", [("a", "U8", [1], 0, 1), ("b", "I8", [1], 1, 2), ("d", "U8", [1, 1], 2, 3)], b"xyz")
    report = assay.check_model(folder)
    finding, = report.findings
    assert report.invalid and (finding.rule, finding.tensor, finding.count, finding.expected, finding.found) == (
        "M29", "b", 3, 3, 3) and os.path.basename(finding.other_path) == ONE
    write("model.safetensors", [("a", "U8", [1], 0, 1), ("b", "U8", [1], 1, 2), ("c", "U8", [1], 2, 3),
                                ("d", "U8", [1], 3, 4)], b"wxyz")
    finding, = assay.check_model(folder).findings
    assert (finding.rule, finding.tensor, finding.count, finding.other_path) == ("M29", "d", 1, None)
    (folder / TWO).write_bytes(b"")  # a shard that is invalid: "d" may be in it
    report = assay.check_model(folder)
    assert report.invalid and report.findings == []
    write("model.safetensors", [("a", "U8", [1, 1], 0, 1), ("b", "U8", [1], 1, 2)], b"xy")
    finding, = assay.check_model(folder).findings
    assert (finding.rule, finding.tensor, finding.count, finding.expected) == ("M29", "a", 1, None)


def test_variants(model, write):
    """The file of a variant belongs to the index of that variant; an index that names the one file is one model."""
    folder = model({ONE: ["a"], TWO: ["b"]})
    os.rename(folder / "model.safetensors.index.json", folder / "model.safetensors.index.fp16.json")
    write("model.fp16.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    assert rules(assay.check_model(folder)) == ["M29"]
    os.remove(folder / "model.fp16.safetensors")
    write("model.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    assert rules(assay.check_model(folder)) == ["M27"]
    model({"model.safetensors": ["a"]})
    assert rules(assay.check_model(folder)) == []


def test_two_indexes(model, write):
    """What one index names is not beside the other."""
    folder = model({ONE: ["a"], TWO: ["b"]})
    os.rename(folder / "model.safetensors.index.json", folder / "first.safetensors.index.json")
    model({"model-00001-of-00001.safetensors": ["a"]})
    report = assay.check_model(folder)
    assert report.valid and report.findings == [] and len(report.files) == 3 and "2 indexes" in str(report)
    for k in range(4):
        (folder / ("%d.safetensors.index.json" % k)).write_bytes((folder / "first.safetensors.index.json").read_bytes())
    report = assay.check_model(folder)  # ONE and TWO are named by five indexes: the work is bounded
    assert report.verdict is assay.Verdict.NOT_JUDGED and "more than 4 indexes name" in str(report)
    assert len(report.files) == 4 * 2 + 1 and len(report.indexes) == 6


@pytest.mark.parametrize("names, missing, counts", [
    (["1-of-3", "3-of-3"], "2-of-3", (3, 2)), (["01-of-3", "2-of-3"], "03-of-3", (3, 2)), (["0-of-2"], "1-of-2", (2, 1)),
    (["0-of-2", "1-of-2"], None, None), (["0-of-2", "1-of-2", "2-of-2"], None, None), (["0-of-2", "2-of-2"], "1-of-2", (3, 2)),
    (["1-of-1"], None, None), (["5-of-2"], "1-of-2", (2, 0)), (["1-of-0"], None, None),
    (["1-of-99999999999999999999"], "2-of-99999999999999999999", (10**18, 1))])
def test_numbered(write, names, missing, counts):
    """M31: a set of numbered files without an index."""
    for name in names:
        path = write("part-%s.safetensors" % name, [("a" + name, "U8", [1], 0, 1)], b"x")
    report = assay.check_model(path.parent)
    found = [(os.path.basename(finding.path), finding.expected, finding.found) for finding in report.findings]
    assert found == ([] if missing is None else [("part-%s.safetensors" % missing, *counts)])
    assert report.valid == (missing is None) and all(finding.rule == "M31" for finding in report.findings)


def test_folders_below(model, tmp_path, write):
    """A model of several folders, as diffusers writes it."""
    model({ONE: ["a"], TWO: ["b"]})
    (tmp_path / "unet" / "deep").mkdir(parents=True)
    for name in ("unet/diffusion.safetensors", "unet/deep/part-1-of-2.safetensors"):
        write(name, [("a", "U8", [1], 0, 1)], b"x")
    report = assay.check_model(tmp_path)
    assert report.invalid and rules(report) == ["M31"] and len(report.files) == 4 and "4 files in 3 folders" in str(report)
    write("unet/deep/part-2-of-2.safetensors", [], b"")
    assert assay.check_model(tmp_path).valid
    write("unet/diffusion.safetensors", [("a", "U8", [1], 0, 1)], b"")
    assert assay.check_model(tmp_path).invalid
    assert assay.check_model(tmp_path / "unet" / "deep").valid
    assert assay.check_model(tmp_path / "unet" / "diffusion.safetensors").invalid


def test_a_folder_that_cannot_be_read(model, tmp_path, monkeypatch):
    """It may hold files: nothing below it was judged."""
    model({ONE: ["a"], TWO: ["b"]})
    (tmp_path / "closed").mkdir()
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)
    monkeypatch.setattr(os, "scandir", scandir)
    report = assay.check_model(tmp_path)
    assert report.verdict is assay.Verdict.NOT_JUDGED and "closed: not judged: can't be read: Permission denied" in str(report)


@pytest.mark.skipif(os.name == "nt", reason="paths of 260 characters")
def test_a_deep_tree(tmp_path):
    """Deeper than Python's recursion limit, and than a path may be long."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("dir", dir_fd=here)
        below = os.open("dir", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        report = assay.check_model(tmp_path)
    finally:  # pytest can't remove it
        subprocess.run(["rm", "-rf", tmp_path / "dir"], check=True)
    assert report.verdict is assay.Verdict.NOT_JUDGED and "File name too long" in str(report)


NAMES = ["model.safetensors", "model.fp16.safetensors", ONE, TWO, "model-00003-of-00003.safetensors", "x-0-of-2.safetensors",
         "x-1-of-2.safetensors", "x-2-of-2.safetensors", "sub/model-1-of-1.safetensors", "sub/model.safetensors"]
INDEXES = ["model.safetensors.index.json", "model.safetensors.index.fp16.json", "sub/model.safetensors.index.json", ".safetensors.index.json"]


def some_file(random, path, outside):
    """Make a file: nearly always a good one."""
    kind = random.random()
    if kind < 0.03:
        os.symlink(random.choice(["none", path.name]), path)  # a link to nothing, or to itself
    elif kind < 0.05:
        os.mkfifo(path)
    elif kind < 0.08:
        os.symlink(outside, path)
    elif kind < 0.1:
        path.mkdir()
    else:
        tensors = [(t, random.choice(["U8", "U8", "U8", "I8"]), [1]) for t in random.sample("abc", random.randrange(1, 4))]
        head = header_of([(*tensor, k, k + 1) for k, tensor in enumerate(tensors)])
        path.write_bytes(head + bytes(len(tensors) - (random.random() < 0.06)))


def some_index(random, root, name):
    where = [n for n in NAMES if "/" not in n or name.startswith(".")] if "/" not in name else ["model-1-of-1.safetensors"]
    there = [n for n in where if os.path.lexists(root / n)] if random.random() < 0.7 else where
    index = {t: random.choice(there or where) for t in random.sample("abc", random.randrange(0, 4))}
    text = json.dumps({"weight_map": index, "metadata": {"total_size": random.randrange(4)}})
    (root / name).write_text("[]" if random.random() < 0.05 else text)


def records_of(text):
    """Return [(path, verdict, its rule unless it is an index, rules of notes)] of a report in JSON. A shard in a folder
    below is reported there too."""
    return sorted((one["path"], one["verdict"], None if one["path"].endswith(".json") else one["rule"] or "",
                   [f["rule"] for f in one["findings"] if f["rule"] in ("M27", "M28", "M30", "M33")])
                  for one in json.loads(text))


@pytest.mark.skipif(not os.environ.get("PROGRAM"), reason="PROGRAM is not set: the program assay")
def test_as_the_program(tmp_path, capsys):
    """Folders and indexes at random, with links, pipes and folders in the place of files: what the program says of each
    path, what `python -m assay check` says, and the verdict of check_model are the same."""
    random, rules_found = Random(1), set()
    (tmp_path / "outside").write_bytes(header_of([("a", "U8", [1], 0, 1)]) + b"x")
    for round_ in range(500):
        root = tmp_path / str(round_)
        (root / "sub").mkdir(parents=True)
        for name in random.sample(NAMES, random.randrange(1, 6)):
            some_file(random, root / name, tmp_path / "outside")
        indexes = random.sample(INDEXES, random.choice([0, 1, 1, 1, 2, 3]))
        for name in indexes:
            some_index(random, root, name)
        named = root / random.choice(indexes) if indexes and random.random() < 0.3 else root
        done = subprocess.run([os.environ["PROGRAM"], "check", "--format", "json", str(named)], stdout=subprocess.PIPE,
                              check=False, timeout=60)
        report = assay.check_model(named)
        assert report.verdict == done.returncode, (round_, str(report))
        assert __main__.main(["check", "--format", "json", str(named)]) == done.returncode, (round_, str(report))
        ours, theirs = records_of(capsys.readouterr().out), records_of(done.stdout)
        assert ours == theirs, (round_, str(named))
        rules_found |= {finding.rule for finding in report.findings} | {one.rule for one in report.files}
    assert rules_found >= {"M20", "M21", "M22", "M23", "M24", "M25", "M26", "M27", "M28", "M29", "M30", "M31", "M32", "M3", "G3"}


def test_the_file_of_a_named_index(model, tmp_path):
    """What a loader may take in place of the index is judged, whatever it is; a loop or a pipe is not "not there"."""
    folder, outside = model({ONE: ["a"], TWO: ["b"]}), tmp_path.parent / (tmp_path.name + "-outside")
    single = folder / "model.safetensors"
    outside.write_bytes((folder / ONE).read_bytes())
    for make, verdict, says in (
            (lambda: os.symlink("model.safetensors", single), assay.Verdict.NOT_JUDGED, "symbolic links"),
            (lambda: os.mkfifo(single), assay.Verdict.NOT_JUDGED, "is a pipe"),
            (lambda: os.symlink(outside, single), assay.Verdict.NOT_JUDGED, "leads out of the folder"),
            (lambda: os.symlink("none", single), assay.Verdict.VALID, "2 tensors in 2 shards")):
        make()
        report = assay.check_model(folder / "model.safetensors.index.json")
        assert report.verdict is verdict and says in str(report), str(report)
        os.remove(single)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
def test_shards_that_can_not_be_opened(model, tmp_path):
    """They are not missing; and no chain of links is too long for Python."""
    folder = model({ONE: ["a"]}, {ONE: ["a"], TWO: ["b"]})
    os.symlink(TWO, folder / TWO)
    report = assay.check_model(folder)
    assert report.verdict is assay.Verdict.NOT_JUDGED and rules(report) == []
    os.remove(folder / TWO)
    for k in range(1500):
        os.symlink("l%d" % (k + 1) if k < 1499 else ONE, folder / (TWO if k == 0 else "l%d" % k))
    assert assay.check_model(folder).verdict is assay.Verdict.NOT_JUDGED
    for name in os.listdir(folder):
        os.remove(folder / name)
    report = assay.check_model(model({ONE: ["a"]}, {ONE: ["a"], 400 * "x" + ".safetensors": ["b"]}))
    assert rules(report) == [] and report.verdict is assay.Verdict.NOT_JUDGED


def test_one_file(write, tmp_path):
    """A file is judged by its content, whatever its name."""
    for name in ("x.safetensors", "X.SAFETENSORS", "x.sft", "x.bin"):
        path = write(name, [("a", "U8", [1], 0, 1)], b"x")
        report = assay.check_model(path)
        assert report.valid and report.path == str(path) and report.message == "1 tensor, %d bytes" % path.stat().st_size
    for name, why in (("X.SAFETENSORS", "where the file system ignores case, loaders do too"),
                      ("x.sft", "ComfyUI takes it")):
        path = write(name, [("a", "U8", [1], 0, 1)], b"")
        assert assay.check_model(tmp_path).invalid, why
        path.unlink()
    assert assay.check_model(tmp_path).valid


def test_no_memory(model, monkeypatch):
    def index(*_):
        raise MemoryError
    folder = model({ONE: ["a"], TWO: ["b"]})
    monkeypatch.setattr(_model._native, "Index", index)
    report = assay.check_model(folder)
    assert report.verdict is assay.Verdict.NOT_JUDGED and "not enough memory" in str(report)


def test_many_indexes_of_many_shards(model):
    """A file is judged for four indexes at most, and the others cost no more than to be read."""
    folder, seconds = model({ONE: ["a"]}), []
    shards = {"%d.safetensors" % k: ["a%d" % k] for k in range(2000)}
    text = json.dumps({"weight_map": {t: shard for shard, tensors in shards.items() for t in tensors}})
    for shard, tensors in shards.items():
        (folder / shard).write_bytes(header_of([(tensors[0], "U8", [1], 0, 1)]) + b"x")
    for indexes in (range(4), range(4, 9)):
        for k in indexes:
            (folder / ("i%d.safetensors.index.json" % k)).write_text(text)
        begun = time.process_time()
        report = assay.check_model(folder)
        seconds.append(time.process_time() - begun)
    assert report.verdict is assay.Verdict.NOT_JUDGED and seconds[1] < 3 * seconds[0], seconds


def test_a_file_with_two_verdicts(tmp_path):
    """A file that changed between two indexes that name it: the worse one counts."""
    path = str(tmp_path / "x.safetensors")
    bad, good = (assay.Report(path, verdict, message="") for verdict in (assay.Verdict.INVALID, assay.Verdict.VALID))
    for files in ([bad, good], [good, bad]):
        assert [one.verdict for one, _ in __main__.of_model(_model.ModelReport("x", bad.verdict, "", files))] == [bad.verdict]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
def test_a_folder_of_a_snapshot(model, tmp_path, tmp_path_factory):
    """A model of diffusers in the cache: folders of a snapshot whose files are links into its blobs, and no other's."""
    folder, cache = model({ONE: ["a"], TWO: ["b"]}), tmp_path_factory.mktemp("hub")
    here = cache / "snapshots" / "1" / "unet"
    os.makedirs(here)
    (cache / "blobs").mkdir()
    for name in (ONE, TWO, "model.safetensors.index.json"):
        os.rename(folder / name, cache / "blobs" / name)
        os.symlink("../../../blobs/" + name, here / name)
    assert assay.check_model(here).valid and assay.check_model(here.parent).valid
    (cache / "other" / "blobs").mkdir(parents=True)
    os.rename(cache / "blobs" / TWO, cache / "other" / "blobs" / TWO)
    os.remove(here / TWO)
    os.symlink(cache / "other" / "blobs" / TWO, here / TWO)
    assert rules(assay.check_model(here)) == ["M21"]
    assert assay.check_model("a\0b").verdict is assay.Verdict.NOT_JUDGED
