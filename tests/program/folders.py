"""Test assay check on folders, links, and what is not a regular file."""

import os
import shutil
import socket
import time

from lib import expect, frame, model, run, unprivileged, write


def make(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return model(path)


def verdicts(*words, **options):
    result = run("check", "--format", "jsonl", *words, **options)
    return {x["path"]: x["verdict"] for x in result.jsonl()}, result


def paths(*words):
    return list(verdicts(*words)[0])


def test_recursive_and_sorted():
    wanted = [
        "d/.hidden.safetensors",
        "d/a b.safetensors",
        "d/a.safetensors",
        "d/a/z.safetensors",
        "d/a0.safetensors",
        "d/b.safetensors/in.safetensors",
        "d/c/d/e/f/g.safetensors",
        "d/.cache/x.safetensors",
        "d/Z.safetensors",
        "d/x.SAFETENSORS",  # some loaders take it
        "d/y.SafeTensors",
        "d/z.sft",  # ComfyUI takes it
        "d/z.Sft",
    ]
    for path in reversed(wanted):
        make(path)
    for other in (
        "d/x.bin",
        "d/x.safetensors.tmp",
        "d/c/safetensors",
        "d/c/sft",
        "d/x.sft.tmp",
        "d/index.safetensors.json",
    ):
        write(other, b"not judged")
    for spelling in ("d", "d/"):
        assert paths(spelling) == sorted(wanted, key=str.encode), paths(spelling)
    here = os.getcwd()
    assert paths(here) == [here + "/" + path for path in sorted(wanted, key=str.encode)]
    assert paths(".") == ["./" + path for path in sorted(wanted, key=str.encode)]


def test_order_of_paths_is_the_users():
    make("d/x.safetensors")
    model("b")
    model("a")
    assert [x.split(":")[0] for x in run("check", "b", "d", "a", "b").lines] == [
        "b",
        "d/x.safetensors",
        "a",
        "b",
    ]


def test_named_outright_whatever_its_name():
    model("x.bin")
    expect(run("check", "-q", "x.bin"), 0, "")


def test_nothing_to_judge():
    os.makedirs("d/e")
    write("d/x.bin", b"")
    expect(run("check", "d"), 2, "d: error: there is no *.safetensors or *.sft file in this folder or below it\n")
    model("x")
    expect(run("check", "-q", "d", "x"), 2, "", "d: error: ")


def test_links():
    make("blobs/0123")
    make("elsewhere/far.safetensors")
    os.makedirs("snapshots/1")
    os.symlink("../../blobs/0123", "snapshots/1/model.safetensors")
    os.symlink("../elsewhere", "snapshots/dir")
    os.symlink("../elsewhere", "snapshots/dir.safetensors")
    os.symlink("..", "snapshots/1/loop")
    os.symlink("self", "snapshots/1/self")
    found, result = verdicts("snapshots")
    assert found == {"snapshots/1/model.safetensors": "valid"} and result.status == 0
    os.symlink("snapshots/1", "named")
    assert paths("named") == ["named/model.safetensors"]
    assert paths("snapshots/1/model.safetensors") == ["snapshots/1/model.safetensors"]
    os.symlink("nowhere", "snapshots/dangling.safetensors")
    os.symlink("self.safetensors", "snapshots/self.safetensors")
    found, result = verdicts("snapshots")
    assert found["snapshots/dangling.safetensors"] == found["snapshots/self.safetensors"] == "error"
    assert result.status == 2


def test_special_files():
    os.mkdir("d")
    os.mkfifo("d/fifo.safetensors")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("d/socket.safetensors")
    os.symlink("/dev/zero", "d/zero.safetensors")
    os.symlink("/dev/tty", "d/tty.safetensors")
    begin = time.monotonic()
    expect(
        run("check", "d"),
        2,
        "d/fifo.safetensors: error: is a named pipe (FIFO), not a file\n"
        "d/socket.safetensors: error: is a socket, not a file\n"
        "d/tty.safetensors: error: is a device, not a file\n"
        "d/zero.safetensors: error: is a device, not a file\n",
    )
    expect(run("check", "/dev/null", "d/fifo.safetensors"), 2)
    for command in ("ls", "meta"):
        expect(run(command, "d/fifo.safetensors"), 2, "", "is a named pipe (FIFO), not a file")
        expect(run(command, "/dev/zero"), 2, "", "is a device, not a file")
    assert time.monotonic() - begin < 90
    listener.close()


def test_missing():
    expect(run("check", "no/such"), 2, "no/such: error: can't be opened: No such file or directory\n")
    write("file", b"")
    for path in ("s3://bucket/x", "file:///x", "FTP+x-1.0://x"):
        expect(run("check", path), 2, path + ": error: there is no such file, and addresses of this kind are not "
               "supported: download it, or use an address that begins with https://, http:// or hf://\n")
    for path in ("s:/x", "a b://x", "1s://x"):
        expect(run("check", path), 2, path + ": error: can't be opened: No such file or directory\n")
    expect(run("ls", "s3://x"), 2, "", "addresses of this kind")
    expect(run("check", "file/x"), 2, "file/x: error: can't be opened: Not a directory\n")
    expect(run("check", ""), 2, ": error: can't be opened: No such file or directory\n")
    expect(run("check", "n" * 300), 2, "n" * 300 + ": error: can't be opened: File name too long\n")


def test_unreadable():
    make("d/a.safetensors")
    make("d/closed/b.safetensors")
    make("d/noname/c.safetensors")
    make("d/z.safetensors")
    options = unprivileged()
    make("d/noname/sub/lost.safetensors")
    os.chmod("d/a.safetensors", 0)
    os.chmod("d/closed", 0)
    os.chmod("d/noname", 0o444)
    expect(
        run("check", "d", **options),
        2,
        "d/a.safetensors: error: can't be opened: Permission denied\n"
        "d/closed/: error: can't be opened: Permission denied\n"
        "d/noname/: error: can't be read: Permission denied\n"
        "d/noname/c.safetensors: error: can't be opened: Permission denied\n"
        "d/z.safetensors: valid: 1 tensor, 65 bytes\n",
    )
    os.chmod("d", 0)
    expect(run("check", "d", **options), 2, "d/: error: can't be opened: Permission denied\n")


def test_deep_tree():
    """A path longer than the system accepts is reported and ends the walk; files and stack do not run out. Where files
    are opened one part of the path after the other, there is no such path."""
    name, depth, here = "n" * 200, 30, os.getcwd()
    for _ in range(depth):
        os.mkdir(name)
        os.chdir(name)
        model("x.safetensors")
    os.chdir(here)
    found, result = verdicts(name)
    valid, errors = (list(found.values()).count(verdict) for verdict in ("valid", "error"))
    assert (result.status, valid, errors) in [(0, depth, 0), *((2, found, 1) for found in range(16, depth))]
    for _ in range(depth - 1):  # shutil can't remove it at once either
        os.chdir(name)
    for _ in range(depth - 1):
        shutil.rmtree(name)
        os.chdir("..")
    assert os.getcwd() == here


def test_ten_thousand_files():
    os.mkdir("d")
    content = frame("{}")
    for i in range(10000):
        write("d/%05d.safetensors" % i, content)
    begin = time.monotonic()
    assert len(run("check", "d").lines) == 10000
    assert time.monotonic() - begin < 90


def test_grows_while_listed_does_not_matter():
    make("d/a.safetensors")
    assert run("check", "d", "d", "d").out.count("valid") == 3
