"""Opening: tensors, their arrays, slices, metadata."""
import copy
import gc
import gzip
import io
import itertools
import json
import math
import os
import pickle
import random
import sys
import tempfile

import pytest

import assay
from conftest import header_of

numpy = pytest.importorskip("numpy")

ARRAYS = {"BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
          "U64": "uint64", "I64": "int64", "F16": "float16", "F32": "float32", "F64": "float64", "C64": "complex64"}


@pytest.mark.parametrize("access", ["map", "read"])
def test_as_the_official_package(manifest, corpus, access):
    """Names, dtypes, shapes and bytes of every valid file that it reads."""
    safetensors = pytest.importorskip("safetensors")
    count = 0
    for row in manifest:
        if row["verdict"] != "valid":
            continue
        path = os.path.join(corpus, row["file"])
        with open(path, "rb") as raw:
            right = safetensors.deserialize(raw.read())
        with assay.open(path, access=access) as file:
            found = [(name, {"dtype": t.dtype, "shape": list(t.shape), "data": bytes(t.buffer())})
                     for name, t in file.items()]
        key = lambda one: one[0]  # noqa: E731
        assert sorted(((n, t["shape"], bytes(t["data"])) for n, t in right), key=key) == sorted(
            ((n, t["shape"], t["data"]) for n, t in found), key=key), row["file"]
        count += 1
    assert count > 100


@pytest.mark.parametrize("dtype", sorted(ARRAYS))
def test_numpy(write, dtype):
    right = numpy.arange(24).reshape(2, 3, 4).astype(ARRAYS[dtype])
    path = write("n.safetensors", [("x", dtype, [2, 3, 4], 0, right.nbytes)], right.tobytes())
    with assay.open(path) as file:
        array = file["x"].numpy()
        assert array.dtype == right.dtype and (array == right).all()
        assert (numpy.asarray(file["x"]) == right).all() and (numpy.from_dlpack(file["x"]) == right).all() \
            if dtype != "BOOL" else True


def test_private_mapping(write):
    """What is written to an array changes no file."""
    path = write("p.safetensors", [("x", "U8", [4], 0, 4)], b"abcd")
    before = path.read_bytes()
    file = assay.open(path)
    array = file["x"].numpy()
    array[0] = 0
    file.close()
    assert path.read_bytes() == before and array[1] == ord("b")
    with pytest.raises(ValueError):
        file["x"].buffer()


@pytest.mark.parametrize("access", ["map", "read"])
def test_a_file_that_becomes_shorter(write, access):
    path = write("p.safetensors", [("x", "U8", [4], 0, 4)], b"abcd")
    with assay.open(path, access=access) as file:
        os.truncate(path, path.stat().st_size - 1)
        with pytest.raises(OSError, match="shorter"):
            file["x"].buffer()


@pytest.mark.parametrize("before", range(8))
def test_odd_offsets_and_empty_tensors(write, before):
    """A tensor that begins at any offset is handed out aligned."""
    values = numpy.array([1.5, -2.5], "float32")
    path = write("o.safetensors", [("a", "U8", [before], 0, before), ("b", "F32", [2], before, before + 8),
                                   ("c", "F32", [0, 3], before + 8, before + 8),
                                   ("d", "I64", [], before + 8, before + 16)],
                 b"x" * before + values.tobytes() + (7).to_bytes(8, "little"))
    with assay.open(path) as file:
        assert (file["b"].numpy() == values).all() and file["b"].numpy().flags.aligned
        assert file["c"].numpy().shape == (0, 3) and file["c"].size == 0
        assert file["d"].shape == () and file["d"].numpy() == 7
        with pytest.raises(TypeError):
            len(file["d"])


def test_types_that_numpy_has_not(write):
    path = write("f.safetensors", [("b", "BF16", [2], 0, 4), ("f", "F4", [4], 4, 6), ("e", "F8_E4M3", [2], 6, 8)],
                 b"\x80\x3f\x00\x40" + b"\x12\x34" + b"\x38\x40")
    with assay.open(path) as file:
        with pytest.raises(TypeError, match="buffer"):
            file["f"].numpy()
        assert bytes(file["f"].buffer()) == b"\x12\x34"
        pytest.importorskip("ml_dtypes")
        assert [float(x) for x in file["b"].numpy()] == [1, 2] and [float(x) for x in file["e"].numpy()] == [1, 2]


@pytest.mark.parametrize("access", ["map", "read"])
def test_slices(write, access):
    """All slices of a small tensor with steps to 3, against NumPy."""
    right = numpy.arange(4 * 3 * 5, dtype="uint16").reshape(4, 3, 5)
    path = write("s.safetensors", [("x", "U16", [4, 3, 5], 0, 120)], right.tobytes())
    one = [slice(None), 1, slice(1, 3), slice(0, 9, 2), slice(2, 1), -1, slice(-2, None), slice(0, 5, 3)]
    with assay.open(path, access=access) as file:
        for key in itertools.product(one, one, one):
            key = tuple(k if not isinstance(k, int) or -d <= k < d else 0 for k, d in zip(key, (4, 3, 5)))
            found = file["x"][key]
            assert found.shape == right[key].shape and (found == right[key]).all(), key
        assert (file["x"][..., 1] == right[..., 1]).all() and (file["x"][2] == right[2]).all()
        for key in (4, (0, 3), (0, 0, 0, 0)):
            with pytest.raises(IndexError):
                file["x"][key]


def random_key(rng, shape):
    """Return an index that NumPy takes for this shape: integers, slices with steps, perhaps fewer than the dims or ...."""
    def one(dim):
        if dim and rng.random() < 0.3:
            return rng.randrange(-dim, dim)
        ends = [None, *range(-dim - 2, dim + 3)]
        return slice(rng.choice(ends), rng.choice(ends), rng.choice([None, 1, 1, 2, 3, 7]))
    keys = [one(dim) for dim in shape]
    if rng.random() < 0.3:
        begin, end = sorted(rng.randrange(len(shape) + 1) for _ in range(2))
        keys[begin:end] = [Ellipsis]
    elif rng.random() < 0.3:
        del keys[rng.randrange(len(shape) + 1):]
    return tuple(keys)


@pytest.mark.parametrize("dtype", sorted(ARRAYS))
def test_random_slices(write, dtype):
    """Slices of tensors of up to five dims, of which some may be empty, against NumPy; mapped, read, and of bytes."""
    rng = random.Random(dtype)
    shapes = [tuple(rng.choice([0, 1, 2, 3, 3, 4, 5, 7]) for _ in range(rng.randrange(6))) for _ in range(12)]
    values = [numpy.frombuffer(rng.randbytes(math.prod(s) * numpy.dtype(ARRAYS[dtype]).itemsize), "uint8") % 2
              for s in shapes]
    arrays = [v.view(ARRAYS[dtype]).reshape(s) for v, s in zip(values, shapes)]
    tensors, end = [], 0
    for k, array in enumerate(arrays):
        tensors.append(("t%d" % k, dtype, array.shape, end, end + array.nbytes))
        end += array.nbytes
    path = write("random.safetensors", tensors, b"".join(array.tobytes() for array in arrays))
    with assay.open(path) as mapped, assay.open(path, access="read") as read, assay.open(path.read_bytes()) as given:
        for k, array in enumerate(arrays):
            for _ in range(30):
                key = random_key(rng, array.shape)
                right = array[key]
                for file in (mapped, read, given):
                    found = file["t%d" % k][key]
                    assert found.shape == right.shape and found.dtype == right.dtype, (array.shape, key)
                    assert found.tobytes() == right.tobytes(), (array.shape, key)


def test_what_is_no_index(write):
    path = write("s.safetensors", [("x", "U16", [2, 2], 0, 8)], bytes(8))
    with assay.open(path, access="read") as file:
        for key in (None, True, "x", 1.0, [0, 1], (0, None), (Ellipsis, Ellipsis), slice(None, None, -1)):
            with pytest.raises(IndexError):
                file["x"][key]


def test_metadata_and_names(write):
    metadata = {"k\u00e9y": "v\u00e4l \U0001f600", "": "empty", "quote": '"\\\n'}
    path = write("m.safetensors", [("a/\u00e9\"\\", "U8", [1], 0, 1), ("", "U8", [1], 1, 2)], b"xy", metadata)
    with assay.open(path) as file:
        assert file.metadata == metadata and list(file.metadata) == list(metadata)
        assert set(file) == {"a/\u00e9\"\\", ""} and len(file) == 2 and "none" not in file
        assert [file._view.find(name).numbers()[0] for name in ("a/\u00e9\"\\", "")] == [0, 1]
        with pytest.raises(KeyError):
            file["none"]
    with assay.open(header_of([])) as file:
        assert file.metadata is None and not list(file)
    with assay.open(header_of([], {})) as file:
        assert file.metadata == {}


def test_names_that_are_not_ascii(write):
    """Without an escape, in a few names and in many."""
    for count in (1, 100):
        names = ["t%d" % k for k in range(count)] + ["\u6c34"]
        text = json.dumps({name: {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for name in names},
                          ensure_ascii=False).encode()
        with assay.open(len(text).to_bytes(8, "little") + text) as file:
            assert set(file) == set(names) and file["\u6c34"].name == "\u6c34"


def test_one_and_all(write):
    """A tensor that is looked up alone is the same as in the table of all."""
    path = write("x.safetensors", [("b", "F32", [2, 3], 0, 24), ("a", "U8", [4], 24, 28)], bytes(28))
    with assay.open(path) as one, assay.open(path) as all_of_it:
        for name, tensor in all_of_it.items():
            for field in ("name", "dtype", "shape", "begin", "end", "index"):
                assert getattr(one[name], field) == getattr(tensor, field)
        assert list(one) == list(all_of_it) == ["b", "a"] and one.get("none") is None and 7 not in one


def test_sources(write):
    path = write("a.safetensors", [("a", "U8", [3], 0, 3)], b"abc")
    with open(path, "rb") as raw:
        for source in (path, str(path), raw, raw.fileno(), io.BytesIO(path.read_bytes()), path.read_bytes()):
            with assay.open(source) as file:
                assert bytes(file["a"].buffer()) == b"abc"


def test_refused(twice, tmp_path):
    with pytest.raises(assay.InvalidError):
        assay.open(twice)
    with pytest.raises(assay.NotJudgedError):
        assay.open(tmp_path / "none")
    with pytest.raises(ValueError):
        assay.open(twice, access="copy")


def test_repr(write):
    path = write("r.safetensors", [("<i>\x1b\u202e", "F32", [2, 1], 0, 8)], bytes(8))
    with assay.open(path) as file:
        assert "\x1b" not in repr(file) and "\u202e" not in repr(file) and "[2, 1]" in repr(file)
        assert "<i>" not in file._repr_html_() and "&lt;i&gt;" in file._repr_html_()
        assert repr(file["<i>\x1b\u202e"]).isprintable()


def test_arenas_are_used_again_by_verdicts_alone(write):
    """A file that is gone gives no arena back: in a cycle of garbage, it can still be used."""
    def opened(name):
        return assay.open(write(name + ".safetensors", [(name, "U8", [1], 0, 1)], b"x"))

    first, second = opened("first"), opened("second")
    address = second._view._arena.address
    assert first._view._arena.address != address

    class Saves:
        def __del__(self):
            saved.append(self.file)

    saved, cycle = [], Saves()
    cycle.file, cycle.cycle = second, cycle
    del second, cycle
    gc.collect()
    path = write("check.safetensors", [("other", "U8", [1], 0, 1)], b"x")
    assert not assay.check(b"8").valid and assay.check(path).valid and assay.check(path).valid
    third = opened("third")
    files = [first, *saved, third]
    assert len({file._view._arena.address for file in files}) == 3
    assert [list(file) for file in files] == [["first"], ["second"], ["third"]]
    assert [tensor.shape for file in files for tensor in file.values()] == [(1,)] * 3


def test_verdicts_use_an_arena_again(write):
    path = write("check.safetensors", [("other", "U8", [1], 0, 1)], b"x")
    sizes = {size: len(row) for size, row in assay._native._spare.items()}
    for _ in range(10):
        assert assay.check(path).valid
    spare = {size: list(row) for size, row in assay._native._spare.items()}
    assert sum(map(len, spare.values())) <= sum(sizes.values()) + 1
    assert assay.check(path).valid and [a for row in spare.values() for a in row] == [
        a for row in assay._native._spare.values() for a in row]


def test_an_open_file_is_not_copied(write):
    with assay.open(write("copied.safetensors", [("a", "U8", [1], 0, 1)], b"x")) as file:
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="can't be copied"):
                copied(file)
        with pytest.raises(TypeError, match="can't be copied"):
            copy.deepcopy(file._view)


def test_aliases(write):
    """Names that share the storage of a tensor: what the official package records when it saves tied weights."""
    kept = ("wte.weight", "U8", [4], 0, 4)
    path = write("tied.safetensors", [kept], b"abcd", {
        "format": "wte.weight", "lm_head.weight": "wte.weight", "wte.weight": "wte.weight", "ss_x": "wte.weight",
        "sshs_y": "wte.weight", "modelspec.z": "wte.weight", "other": "none", "chain": "lm_head.weight"})
    with assay.open(path) as file:
        assert file.aliases == {"lm_head.weight": "wte.weight"}
        assert "lm_head.weight" not in file and list(file) == ["wte.weight"]
        with pytest.raises(KeyError):
            file["lm_head.weight"]  # it may be a part, or a transpose
        assert bytes(file[file.aliases["lm_head.weight"]].buffer()) == b"abcd"
        with pytest.raises(TypeError):
            file.aliases["x"] = "y"
    with assay.open(write("none.safetensors", [kept], b"abcd")) as file:
        assert file.aliases == {}


def test_aliases_of_save_model(tmp_path):
    torch = pytest.importorskip("torch")
    save_model = pytest.importorskip("safetensors.torch").save_model
    model = torch.nn.ModuleDict({"a": torch.nn.Linear(2, 2, bias=False), "b": torch.nn.Linear(2, 2, bias=False)})
    model["b"].weight = model["a"].weight
    save_model(model, str(tmp_path / "m.safetensors"))
    with assay.open(tmp_path / "m.safetensors") as file:
        assert list(file) == ["a.weight"] and file.aliases == {"b.weight": "a.weight"}


def test_file_objects(write):
    """The bytes that are judged are those that the object reads."""
    path = write("x.safetensors", [("a", "U8", [3], 0, 3)], b"abc")
    data = path.read_bytes()
    with tempfile.TemporaryFile() as file, tempfile.NamedTemporaryFile() as named:
        for one in (file, named):
            one.write(data)  # not flushed
            with assay.open(one) as found:
                assert bytes(found["a"].buffer()) == b"abc" and found._descriptor is not None
    with gzip.open(path.parent / "x.gz", "wb") as packed:
        packed.write(data)
    with gzip.open(path.parent / "x.gz") as packed, assay.open(packed) as found:
        assert bytes(found["a"].buffer()) == b"abc"
    with open(path, encoding="latin-1") as text, pytest.raises(TypeError, match="open for bytes"):
        assay.open(text)


def test_what_can_not_be_opened():
    for source in ("a\0b", "\ud800", 2**40, 10**6):
        with pytest.raises(assay.NotJudgedError, match="can't be opened"):
            assay.open(source)
        assert isinstance(source, str) or assay.check(source).verdict is assay.Verdict.NOT_JUDGED


def test_emptied(write):
    """A file that became empty before it is mapped."""
    path = write("x.safetensors", [("a", "U8", [3], 0, 3)], b"abc")
    with assay.open(path) as file:
        os.truncate(path, 0)
        with pytest.raises(OSError, match="became shorter"):
            file["a"].buffer()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of the memory of Linux")
def test_larger_than_the_memory(tmp_path):
    size, path = 1 << 42, tmp_path / "x.safetensors"
    header = header_of([("a", "U8", [size], 0, size)])
    with open(path, "wb") as file:
        file.write(header)
        try:
            file.truncate(len(header) + size)
        except OSError:
            pytest.skip("the file system has no files of that size")
    with assay.open(path) as file:
        assert bytes(file["a"].buffer()[-3:]) == b"\0\0\0"
