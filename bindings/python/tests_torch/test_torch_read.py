"""assay.open against the official reader, for every dtype."""
import os
import sys

import numpy
import pytest
import safetensors.torch
import torch

import assay

sys.path.insert(0, os.path.dirname(__file__))

BITS = {"BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64, "F16": 16,
        "BF16": 16, "F32": 32, "F64": 64, "C64": 64, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8,
        "F8_E5M2FNUZ": 8}
SHAPES = [(4, 6), (24,), (2, 3, 4, 1), (1,)]


def raw(tensor):
    """Return the bytes of a tensor, whatever its dtype."""
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def sample(dtype, count):
    data = numpy.random.default_rng(count).integers(0, 256, count * BITS[dtype] // 8, "uint8")
    return (data % 2 if dtype == "BOOL" else data).tobytes()


@pytest.mark.parametrize("access", ["map", "read"])
@pytest.mark.parametrize("odd", [0, 1, 3])
@pytest.mark.parametrize("dtype", sorted(BITS))
def test_dtypes(write, dtype, odd, access):
    """The same dtype, shape and bytes as the official reader, at any offset. It has no F8_E8M0 in load()."""
    tensors, data = [("lead", "U8", (odd,), 0, odd)], b"\x01" * odd
    for k, shape in enumerate(SHAPES + [(), (0,), (3, 0)]):
        content = sample(dtype, int(numpy.prod(shape)))
        tensors.append(("t%d" % k, dtype, shape, len(data), len(data) + len(content)))
        data += content
    path = write("x.safetensors", tensors, data)
    with safetensors.safe_open(path, framework="pt") as theirs, assay.open(path, access=access) as ours:
        assert sorted(ours) == theirs.keys()
        for name in ours:
            try:
                expected = theirs.get_tensor(name)
            except Exception as error:  # of the official package; its words are shown by -rx
                pytest.xfail("the official package: %s" % error)
            mine = ours[name].torch()
            assert (mine.dtype, tuple(mine.shape), raw(mine)) == (expected.dtype, tuple(expected.shape), raw(expected))
            assert tuple(ours[name].shape) == tuple(expected.shape)


@pytest.mark.parametrize("dtype", ["U8", "I16", "F16", "F32", "F64", "C64", "I64", "BOOL", "U32"])
def test_dlpack(write, dtype):
    path = write("x.safetensors", [("a", dtype, (4, 6), 0, 3 * BITS[dtype])], sample(dtype, 24))
    with assay.open(path) as ours:
        for tensor in (torch.from_dlpack(ours["a"]), torch.as_tensor(numpy.from_dlpack(ours["a"]))):
            assert raw(tensor) == sample(dtype, 24) and tuple(tensor.shape) == (4, 6)
            assert tensor.dtype == ours["a"].torch().dtype
        assert ours["a"].__dlpack_device__() == (1, 0)


def test_no_copy(write):
    path = write("x.safetensors", [("a", "F32", (1024,), 0, 4096)], bytes(4096), {"pad": "x" * 5})
    content = path.read_bytes()
    with assay.open(path) as ours:
        first, second = ours["a"].torch(), ours["a"].torch()
        if ours["a"].begin % 4 == 0:
            assert first.data_ptr() == second.data_ptr(), "both are the mapping"
        first[0] = 7
    assert second[0] == first[0] and path.read_bytes() == content, "private: the file does not change"


def test_slices(write):
    rows = numpy.arange(60, dtype="float32").reshape(5, 12)
    path = write("x.safetensors", [("a", "F32", (5, 12), 0, 240)], rows.tobytes())
    with safetensors.safe_open(path, framework="pt") as theirs, assay.open(path, access="read") as ours:
        for key in (numpy.s_[1:3], numpy.s_[:, 2:5], numpy.s_[4], numpy.s_[..., 7], numpy.s_[1:4, 3:4]):
            assert numpy.array_equal(ours["a"][key], theirs.get_slice("a")[key].numpy())


def test_types_that_torch_lacks(write):
    path = write("x.safetensors", [("a", "F6_E2M3", (4,), 0, 3)], bytes(3))
    with assay.open(path) as ours:
        with pytest.raises(TypeError, match="torch has no type for F6_E2M3: use .buffer"):
            ours["a"].torch()
