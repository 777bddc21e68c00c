"""python -m assay."""
import json
import os
import subprocess
import sys


def run(*args):
    done = subprocess.run([sys.executable, "-m", "assay", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    return done.returncode, done.stdout, done.stderr


def test_check(write, twice, tmp_path):
    good = write("good.safetensors", [("x", "U8", [1], 0, 1)], b"x")
    assert run("check", good) == (0, "%s: valid: 1 tensor, %d bytes\n" % (good, good.stat().st_size), "")
    status, out, _ = run("check", tmp_path)
    assert status == 1 and "rule G2 at byte 61" in out and out.count("\n") == 2
    assert run("check", tmp_path / "none")[0] == 2 and run("check", "-q", good)[1] == ""
    status, out, _ = run("check", "--format", "json", tmp_path)
    assert status == 1 and [one["verdict"] for one in json.loads(out)] == ["valid", "invalid"]
    status, out, _ = run("check", "--public-only", "http://127.0.0.1:1/x")
    assert status == 2 and "public_only is set" in out
    assert run()[0] == 2 and run("--help")[0] == 0 and run("--version")[1].startswith("assay ")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("check", empty)[0] == 2


def test_check_of_models(write, tmp_path):
    """A file that does not fit its index is never called valid."""
    for name in ("model-1-of-2.safetensors", "unet/x.safetensors"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(name, [("a", "U8", [1], 0, 1)], b"x")
    index = tmp_path / "model.safetensors.index.json"
    for shard, rule in (("model-1-of-2.safetensors", None), ("model-2-of-2.safetensors", "M20")):
        index.write_text(json.dumps({"weight_map": {"a": "model-1-of-2.safetensors", "b": shard}}))
        for path in (tmp_path, index):
            status, out, _ = run("check", path)
            assert status == 1 and (rule or "M23") in out and ("unet" in out) == (path == tmp_path), out
            if rule is None:
                assert "model-1-of-2.safetensors: invalid: rule M23" in out and "1-of-2.safetensors: valid" not in out
    records = {record["path"]: record for record in json.loads(run("check", "--format", "json", tmp_path)[1])}
    assert records[str(tmp_path / "model-2-of-2.safetensors")]["rule"] == "M20" and len(records) == 4
    assert records[str(index)]["verdict"] == "invalid"
    index.write_text(json.dumps({"weight_map": {"a": "model-1-of-2.safetensors"}}))
    (tmp_path / "unet" / "x.safetensors").rename(tmp_path / "other.safetensors")
    status, out, _ = run("check", tmp_path)
    assert status == 0 and "other.safetensors: valid" in out and "\n    note: rule M27" in out
    if os.environ.get("PROGRAM"):
        program = subprocess.run([os.environ["PROGRAM"], "check", "--format", "json", str(tmp_path)],
                                 stdout=subprocess.PIPE, check=True)
        records = {record["path"]: record for record in json.loads(run("check", "--format", "json", tmp_path)[1])}
        theirs = {record["path"]: record for record in json.loads(program.stdout)}
        assert {path: (one["verdict"], one["rule"], [f["rule"] for f in one["findings"]]) for path, one in records.items()} == {
            path: (one["verdict"], one["rule"], [f["rule"] for f in one["findings"]]) for path, one in theirs.items()}
    for name in ("y", "z"):  # two indexes, each with a note of its own
        write(name + ".safetensors", [("a", "U8", [1], 0, 1)], b"x")
        (tmp_path / (name + ".safetensors.index.json")).write_text(
            json.dumps({"weight_map": {"a": name + ".safetensors"}, "metadata": {"total_size": 99}}))
    status, out, _ = run("check", tmp_path)
    assert status == 0 and out.count("note: rule M28") == 2


def test_ls_and_meta(write, twice):
    good = write("good.safetensors", [("x\x1b", "U8", [1, 1], 0, 1)], b"x", {"key": "value\x1b"})
    status, out, _ = run("ls", good)
    assert status == 0 and "[1, 1] x\\x1b" in out and "\x1b" not in out
    assert json.loads(run("ls", "--format", "json", good)[1]) == {
        "tensors": [{"name": "x\x1b", "dtype": "U8", "shape": [1, 1], "data_offsets": [0, 1]}],
        "metadata": {"key": "value\x1b"}}
    assert run("meta", good) == (0, "key: value\\x1b\n", "")
    assert run("meta", good, "key")[1] == "value\\x1b\n" and run("meta", good, "none")[0] == 1
    tied = write("tied.safetensors", [("a", "U8", [1], 0, 1)], b"x", {"b": "a", "c": "d"})
    assert json.loads(run("ls", "--format", "json", tied)[1])["aliases"] == [{"name": "b", "tensor": "a"}]
    pairs = {"x.weight": "y.weight", "a.b": "c.c", "plain": "plain2", "modelspec.weight": "y.weight", "ss_.w": "b.w",
             "w.": "v.", "t.weight": "y.weight", "u.weight": "t.weight", "same": "same", "\u00e9.w": "\n.w", "z.w": "w"}
    loose = write("loose.safetensors", [("t.weight", "U8", [1], 0, 1)], b"x", pairs)
    found = json.loads(run("ls", "--format", "json", loose)[1])
    assert found["dangling_aliases"] == [{"name": "x.weight", "tensor": "y.weight"}, {"name": "\u00e9.w", "tensor": "\n.w"}]
    assert found["aliases"] == [{"name": "u.weight", "tensor": "t.weight"}]
    if os.environ.get("PROGRAM"):
        done = subprocess.run([os.environ["PROGRAM"], "ls", "--format", "json", str(loose)], stdout=subprocess.PIPE,
                              check=True)
        program = json.loads(done.stdout)
        assert all(found[word] == program[word] for word in found)
    assert run("ls", twice)[0] == 1 and "G2" in run("ls", twice)[2]


def test_output_that_fails(write):
    """No verdict was given: the status says neither valid nor invalid."""
    good = write("good.safetensors", [("\u00e9", "U8", [1], 0, 1)], b"x")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, "-m", "assay", "check", str(good)], stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 2 and done.stderr.startswith(b"assay: ") and b"Traceback" not in done.stderr
    done = subprocess.run([sys.executable, "-m", "assay", "ls", str(good)], stdout=subprocess.PIPE,
                          env=dict(os.environ, PYTHONIOENCODING="ascii"))
    assert done.returncode == 0 and b"\\xe9" in done.stdout
