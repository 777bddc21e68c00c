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
    assert run()[0] == 2 and run("--help")[0] == 0 and run("--version")[1].startswith("assay ")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("check", empty)[0] == 2


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
