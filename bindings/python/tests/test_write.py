"""Writing: what is written is judged, and takes the place of the old file in one step."""
import os
import struct
import subprocess
import sys

import pytest

import assay
from assay import _file

numpy = pytest.importorskip("numpy")
pytest.importorskip("safetensors")
import safetensors.numpy  # noqa: E402

import assay.numpy  # noqa: E402

ARRAYS = {"a": numpy.arange(6, dtype="float32").reshape(2, 3), "b": numpy.zeros((0, 2), "int8"),
          "c": numpy.array(7, "uint64")}


def equal(one, other):
    return list(sorted(one)) == list(sorted(other)) and all(
        one[name].dtype == other[name].dtype and one[name].shape == other[name].shape
        and one[name].tobytes() == other[name].tobytes() for name in one)


def test_round(tmp_path):
    path = tmp_path / "x.safetensors"
    assay.numpy.save_file(ARRAYS, path, {"format": "np"})
    assert assay.check(path).require().tensors == 3
    for loaded in (assay.numpy.load_file(path), assay.numpy.load(path.read_bytes()), safetensors.numpy.load_file(path)):
        assert equal(loaded, ARRAYS)
    with assay.numpy.safe_open(path, framework="np") as file:
        assert file.metadata() == {"format": "np"} and isinstance(file, safetensors.safe_open)
    assert assay.numpy.save(ARRAYS, {"format": "np"}) == path.read_bytes()
    assert os.listdir(tmp_path) == ["x.safetensors"]


def test_refused_when_read(twice, tmp_path):
    """Without the guard: the modules judge by themselves."""
    for read in (assay.numpy.load_file, lambda path: assay.numpy.load(path.read_bytes()),
                 lambda path: assay.numpy.safe_open(path, framework="np")):
        with pytest.raises(safetensors.SafetensorError, match="rule G2"):
            read(twice)
    assert "a" in safetensors.numpy.load_file(twice), "the official functions are as they were"
    assay.numpy.save_file(ARRAYS, tmp_path / "x.safetensors")
    with pytest.raises(TypeError):
        assay.numpy.load_file(tmp_path / "x.safetensors", no_such_keyword=1)


def test_order_in_memory(tmp_path):
    """The official package writes the elements in the order of the memory, and those between."""
    base = numpy.arange(12, dtype="float32").reshape(3, 4)
    arrays = {"turned": base.T, "every other": base[:, ::2], "backwards": base[::-1], "big": base.astype(">f4"),
              "fortran": numpy.asfortranarray(base)}
    wrong = safetensors.numpy.load(safetensors.numpy.save(arrays))
    assert not numpy.array_equal(wrong["turned"], arrays["turned"]), "this has been mended: copy no more"
    loaded = assay.numpy.load(assay.numpy.save(arrays))
    for name, array in arrays.items():
        assert numpy.array_equal(loaded[name], array), name
    with pytest.raises(ValueError, match='"x" is not a numpy.ndarray, but list'):
        assay.numpy.save({"x": [1]})


def test_not_valid(tmp_path):
    """What no valid file holds is refused, and the old file stays. The official package writes it."""
    path, bad = tmp_path / "x.safetensors", {"__metadata__": ARRAYS["a"]}
    path.write_bytes(b"the only copy")
    assert assay.check(safetensors.numpy.save(bad)).invalid
    for write in (lambda: assay.numpy.save_file(bad, path), lambda: assay.numpy.save(bad)):
        with pytest.raises(assay.WriteError, match='rule WR3: .*: tensor "__metadata__"'):
            write()
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"]


@pytest.mark.parametrize("kind", ["damaged", "fewer"])
def test_what_is_on_the_disk_is_judged(tmp_path, monkeypatch, kind):
    """A file that is damaged while it is written, or has other tensors, never gets the name."""
    path, write_all = tmp_path / "x.safetensors", assay._replace.write_all
    path.write_bytes(b"the only copy")
    other = {"damaged": b"\xff" * 80, "fewer": assay.save({"a": ARRAYS["a"]})}[kind]
    monkeypatch.setattr(assay._replace, "write_all", lambda descriptor, data: write_all(
        descriptor, other if bytes(data[8:9]) == b"{" else b""))
    with pytest.raises(RuntimeError, match="what was written is not what was asked for, and was removed"):
        assay.numpy.save_file(ARRAYS, path)
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"]


def test_nothing_is_lost(tmp_path, monkeypatch):
    """An error at any step leaves the old file, and no other."""
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"the only copy")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    for module, name in ((os, "replace"), (os, "fsync"), (os, "fchmod"), (assay._check, "judge_descriptor"),
                         (assay._replace, "write_all")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, fail)
            with pytest.raises(OSError, match="No space"):
                assay.numpy.save_file(ARRAYS, path)
        assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"], name
    with pytest.raises(TypeError, match="complex128"):
        assay.numpy.save_file({"a": numpy.zeros(2, "complex128")}, path)
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"]
    assay.numpy.save_file(ARRAYS, path)
    assert equal(assay.numpy.load_file(path), ARRAYS)


def test_order_of_steps(tmp_path, monkeypatch):
    """Judged, then on the disk, then the name, then the folder on the disk."""
    steps = []
    for module, name in ((assay._check, "judge_descriptor"), (os, "fsync"), (os, "replace")):
        def step(*args, name=name, old=getattr(module, name)):
            steps.append(name)
            return old(*args)
        monkeypatch.setattr(module, name, step)
    assay.numpy.save_file(ARRAYS, tmp_path / "x.safetensors")
    assert steps == ["judge_descriptor", "fsync", "replace", "fsync"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links as on Unix")
def test_mode_and_link(tmp_path):
    path = tmp_path / "x.safetensors"
    old = os.umask(0o027)
    try:
        assay.numpy.save_file(ARRAYS, path)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    link, hard = tmp_path / "link", tmp_path / "hard"
    link.symlink_to(path.name)
    os.link(path, hard)
    assay.numpy.save_file({"d": ARRAYS["a"]}, link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o604
    assert list(assay.numpy.load_file(path)) == ["d"] and equal(assay.numpy.load_file(hard), ARRAYS)


def test_what_is_no_file(tmp_path):
    with pytest.raises(OSError, match="is not a file: name a file to write"):
        assay.numpy.save_file(ARRAYS, tmp_path)
    if os.path.exists("/dev/null"):
        with pytest.raises(OSError, match="/dev/null: is not a file"):
            assay.numpy.save_file(ARRAYS, "/dev/null")
    with pytest.raises(FileNotFoundError, match="can't write a file in the folder of the new one"):
        assay.numpy.save_file(ARRAYS, tmp_path / "none" / "x")
    assert not os.listdir(tmp_path)


def test_over_the_file_that_is_mapped(tmp_path):
    """Arrays that are mapped from a file can be written to the same file."""
    path = tmp_path / "x.safetensors"
    large = {"x": numpy.arange(300000, dtype="uint32")}
    assay.numpy.save_file(large, path)
    with assay.open(path) as file:
        mapped = {name: tensor.numpy() for name, tensor in file.items()}
        assay.numpy.save_file(dict(mapped, y=ARRAYS["a"]), path)
        assert (mapped["x"] == large["x"]).all()
    assert equal(assay.numpy.load_file(path), dict(large, y=ARRAYS["a"]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no limits of the file size")
def test_full(tmp_path):
    """A disk that is full: here, a limit of the file size."""
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"the only copy")
    code = ("import resource, signal, numpy, assay.numpy\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))\n"
            "assay.numpy.save_file({'x': numpy.zeros(1000000)}, %r)" % str(path))
    run = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, universal_newlines=True, cwd=tmp_path)
    assert run.returncode == 1 and "File too large" in run.stderr
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no signals")
def test_killed(tmp_path):
    """A process that is killed before the last step leaves the old file."""
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"the only copy")
    code = ("import os, numpy, assay.numpy\nos.replace = lambda *_: os.kill(os.getpid(), 9)\n"
            "assay.numpy.save_file({'x': numpy.zeros(10)}, %r)" % str(path))
    assert subprocess.run([sys.executable, "-c", code]).returncode == -9
    assert path.read_bytes() == b"the only copy"


def test_from_threads(tmp_path):
    """The last of many writers wins, and every reader finds a whole file."""
    from concurrent.futures import ThreadPoolExecutor
    path = tmp_path / "x.safetensors"
    assay.numpy.save_file({"x": numpy.zeros(1000)}, path)

    def write(k):
        assay.numpy.save_file({"x": numpy.full(1000, float(k))}, path)
        return len(set(assay.numpy.load_file(path)["x"].tolist()))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(write, range(64))) == {1}
    assert os.listdir(tmp_path) == ["x.safetensors"]


def test_with_the_guard(tmp_path, twice):
    """The modules and the guard do not disturb each other."""
    import assay.guard
    assay.guard.install("warn")
    try:
        with pytest.raises(assay.InvalidError):
            assay.numpy.load_file(twice)
        assay.numpy.save_file(ARRAYS, tmp_path / "x.safetensors")
        judged = assay.guard.status()["judged"]
        assert equal(assay.numpy.load_file(tmp_path / "x.safetensors"), ARRAYS)
        assert assay.guard.status()["judged"] == judged, "judged once, by the module"
    finally:
        assay.guard.uninstall()


def test_without_the_official_package():
    code = "import sys; sys.modules['safetensors'] = None\ntry: import assay.numpy\nexcept ImportError as e: print(e)"
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    assert "pip install safetensors" in said


def test_what_others_write_meanwhile(tmp_path, monkeypatch):
    """What changes between the opening of a file and its replacement is not lost."""
    path = tmp_path / "x.safetensors"

    def in_place():
        with open(path, "r+b") as file:
            file.seek(-1, 2)
            file.write(b"!")
            os.utime(path, ns=(1, 1))

    def replaced():
        os.replace(tmp_path / "other", path)
    for action in (in_place, replaced):
        for change in (lambda: assay.edit_metadata(path, {"mine": "1"}), lambda: assay.Builder(path, append=True).close()):
            assay.save_file({"a": numpy.zeros(2)}, path)
            assay.save_file({"a": numpy.ones(2)}, tmp_path / "other")
            real = _file.open
            after = []

            def opened(*args, real=real, after=after, **options):
                file = real(*args, **options)
                action()
                after.append(path.read_bytes())
                return file
            with monkeypatch.context() as patch:
                patch.setattr(_file, "open", opened)
                with pytest.raises(OSError, match="changed while it was edited"):
                    change()
            assert path.read_bytes() == after[0]


def test_edit_near_the_limit(tmp_path):
    """There is no room for a block of 4096 bytes any more, but for the pair."""
    path, size = tmp_path / "x.safetensors", 99_997_985
    header = b'{"__metadata__":{"a":"' + b"x" * (size - 25) + b'"}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    assay.edit_metadata(path, {"b": "1"})
    with assay.open(path) as file:
        assert list(file.metadata) == ["a", "b"] and file.report.file_bytes <= 100_000_008
