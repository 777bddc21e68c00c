"""assay.torch: tensors that share memory, and what is written of them."""
import os
import random
import weakref

import numpy
import pytest
import safetensors.torch
import torch

import assay
import assay.torch
from assay.torch import load_file, load_model, save, save_file, save_model


def groups(**tensors):
    return [sorted(extent[3] for extent in group) for group in assay.torch._shared(tensors)]


def duplicates(preferred=(), **tensors):
    return assay.torch._duplicates(tensors, preferred)


class Holder(torch.nn.Module):
    """A model with these buffers."""

    def __init__(self, **tensors):
        super().__init__()
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)


def test_groups():
    a = torch.arange(100.0)
    assert groups(a=a, b=a) == [["a", "b"]]
    assert groups(a=a, b=a.clone()) == []
    assert groups(a=a[:50], b=a[50:]) == [], "one storage, but no byte in common"
    assert groups(a=a[:51], b=a[50:]) == [["a", "b"]]
    assert groups(a=a, b=a[:0], c=torch.zeros(0)) == [], "no bytes"
    assert groups(a=a, b=a.view(10, 10).t()) == [["a", "b"]]
    assert groups(a=a, b=a.view(torch.int32)) == [["a", "b"]], "of another dtype"
    assert groups(a=a, b=a.expand(3, 100)) == [["a", "b"]]
    assert groups(a=torch.zeros(2, device="meta"), b=torch.zeros(2, device="meta")) == []
    bare = a.numpy()
    assert groups(a=torch.from_numpy(bare), b=torch.from_numpy(bare[10:])) == [["a", "b"]], "two storages, one memory"


def test_the_grouping_of_the_official_package():
    """A part that comes after a shorter one, in a long tensor."""
    a = torch.arange(100.0)
    tensors = {"a": a, "b": a[0:10], "c": a[50:60], "d": a[70:80]}
    official = safetensors.torch._find_shared_tensors(tensors)
    assert len(official) == 2, "this has been mended: shorten docs"
    assert groups(**tensors) == [["a", "b", "c", "d"]]
    assert duplicates(**tensors) == {"a": ["b", "c", "d"]}
    with pytest.raises(RuntimeError):
        safetensors.torch._remove_duplicate_names(tensors)


def test_the_name_that_is_kept():
    a = torch.arange(12.0)
    assert duplicates(b=a, a=a, c=a[:3]) == {"a": ["b", "c"]}, "the first name that has all of it"
    assert duplicates(a=a[:3], b=a) == {"b": ["a"]}
    assert duplicates(preferred=["b"], a=a, b=a) == {"b": ["a"]}
    assert duplicates(preferred=["c"], a=a, b=a, c=a[:3]) == {"a": ["b", "c"]}, "c has not all of it"
    assert duplicates(x=a[:6], y=a[4:]) == {None: ["x", "y"]}
    assert duplicates(a=a[:6], b=a[2:4]) == {"a": ["b"]}, "all of what is shared, though not all of the storage"
    # As many elements as the storage, but one of them twelve times.
    assert duplicates(a=a.as_strided((12,), (0,)), b=a) == {"b": ["a"]}
    assert duplicates(a=a[::11], b=a) == {"b": ["a"]}, "a reaches as far as b, with holes"
    assert duplicates(a=a.view(3, 4)[:, :2], b=a.view(3, 4)[:, 1:]) == {None: ["a", "b"]}


MODELS = {
    "tied": lambda x: dict(a=x, b=x, c=x[:3]),
    "transposed": lambda x: dict(a=x.view(10, 10), b=x.view(10, 10).t()),
    "parts in a row": lambda x: dict(z=x, b=x[0:10], c=x[50:60], d=x[70:80]),
    "other dtype": lambda x: dict(a=x.view(torch.int32), b=x),
    "separate parts": lambda x: dict(a=x[:50], b=x[50:]),
    "two ends": lambda x: dict(a=x[::99], b=x),
    "a part alone": lambda x: dict(a=x[3:7]),
    "expanded": lambda x: dict(a=x[:5].expand(4, 5)),
    "columns": lambda x: dict(a=x.view(10, 10)[:, 3:7]),
    "scalar and empty": lambda x: dict(a=x[0], b=x[:0], c=torch.zeros(0, 4)),
}


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_models(kind, tmp_path):
    """What a model has after a round is what it had."""
    path = tmp_path / "x.safetensors"
    model = Holder(**MODELS[kind](torch.arange(100.0)))
    given = {"note": "mine"}
    save_model(model, path, given)
    assert given == {"note": "mine"}
    assert assay.check(path).require().tensors <= len(model.state_dict())
    other = Holder(**MODELS[kind](torch.full((100,), -1.0)))
    if kind == "expanded":  # torch can't write to it
        other = Holder(a=torch.zeros(4, 5))
    assert load_model(other, path) == ([], [])
    for name, tensor in model.state_dict().items():
        assert torch.equal(other.state_dict()[name], tensor), name


def test_as_the_official_package(tmp_path):
    """Files of the official package, and files for it, where it can handle the model."""
    x = torch.arange(100.0)
    for make in (MODELS["tied"], lambda x: dict(a=x, b=x), lambda x: dict(m=x, k=x.view(10, 10))):
        one, other = tmp_path / "one", tmp_path / "other"
        save_model(Holder(**make(x)), one)
        safetensors.torch.save_model(Holder(**make(x)), str(other))
        with assay.open(one) as a, assay.open(other) as b:
            assert list(a) == list(b) and a.metadata == b.metadata
        for path, load in ((one, safetensors.torch.load_model), (other, load_model)):
            model = Holder(**make(torch.zeros(100)))
            load(model, str(path))
            assert torch.equal(model.state_dict()[list(make(x))[0]].view(-1), x)


DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "float16", "bfloat16", "uint32", "int32", "float32", "uint64", "int64",
          "float64", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e4m3fnuz", "float8_e5m2fnuz",
          "float4_e2m1fn_x2"]
BYTES = torch.arange(96, dtype=torch.uint8)


def generated(seed):
    """Return tensors of several dtypes and shapes, and at most one metadata pair: then the official order is not random."""
    pick = random.Random(seed)
    tensors = {}
    for k in range(pick.choice((0, 1, 2, 5, 20))):
        dtype = getattr(torch, pick.choice(DTYPES))
        data = (BYTES % 2 if dtype == torch.bool else BYTES).clone()[:8 * pick.choice((0, 1, 3, 4, 12))].view(dtype)
        count = data.numel()
        shape = pick.choice([(count,), (1, count), (count, 1, 1), (2, -1) if count and count % 2 == 0 else (count,)])
        tensors[pick.choice(("layer.%d" % k, "\u00e9%d" % k, 'q"%d' % k, "b%d\n" % k))] = data.reshape(shape)
    return tensors, pick.choice((None, None if not tensors else {}, {"format": "pt"}, {"\t": "\u2028"}))


def test_the_bytes_of_the_official_package(tmp_path):
    """Where its order is not random."""
    path, other, kinds = tmp_path / "x", tmp_path / "y", set()
    for seed in range(300):
        tensors, metadata = generated(seed)
        wanted = safetensors.torch.save(tensors, metadata)
        assert save(tensors, metadata) == wanted, seed
        save_file(tensors, path, metadata)
        safetensors.torch.save_file(tensors, str(other), metadata)
        assert path.read_bytes() == other.read_bytes() == wanted, seed
        kinds.update(str(tensor.dtype)[6:] for tensor in tensors.values())
    assert kinds == set(DTYPES)


def test_from_the_memory_of_the_tensors(tmp_path, monkeypatch):
    """What is contiguous is not copied; of the copies of others there is one at a time."""
    path, seen, write_all = tmp_path / "x", [], assay._replace.write_all
    monkeypatch.setattr(assay._replace, "write_all", lambda descriptor, data: (
        seen.append(numpy.frombuffer(data, "u1").ctypes.data), write_all(descriptor, data)))
    tensors = {"a": torch.arange(100.0), "b": torch.arange(6, dtype=torch.bfloat16).view(2, 3),
               "c": torch.ones(5, dtype=torch.complex64), "d": torch.ones(2, 3, dtype=torch.bool)}
    save_file(tensors, path)
    assert sorted(seen[1:]) == sorted(tensor.data_ptr() for tensor in tensors.values())
    alive, most, contiguous = weakref.WeakSet(), [], torch.Tensor.contiguous

    def copy(tensor):
        made = contiguous(tensor)
        if not tensor.is_contiguous():
            alive.add(made)
            most.append(len(alive))
        return made

    monkeypatch.setattr(torch.Tensor, "contiguous", copy)
    turned = {name: torch.arange(12.0).view(3, 4).t() for name in "abc"}
    save_model(Holder(**turned), path)
    assert most == [1, 1, 1]
    assert all(torch.equal(load_file(path)[name], turned[name]) for name in turned)


def test_on_a_machine_of_the_other_byte_order(monkeypatch):
    """Elements of the machine's order are written in that of the format."""
    swapped = {"x": torch.from_numpy(numpy.arange(6, dtype="uint32").byteswap()), "y": torch.arange(3, dtype=torch.uint8),
               "z": torch.view_as_complex(torch.from_numpy(numpy.arange(6, dtype="float32").byteswap().reshape(3, 2)))}
    wanted = save(swapped)
    monkeypatch.setattr(assay._write.sys, "byteorder", "big")
    assert save({"x": torch.from_numpy(numpy.arange(6, dtype="uint32")), "y": swapped["y"], "z": torch.view_as_complex(
        torch.arange(6, dtype=torch.float32).reshape(3, 2))}) == wanted


def test_nothing_is_lost(tmp_path, monkeypatch):
    """An error at any step leaves the old file, and no other."""
    path = tmp_path / "x"
    path.write_bytes(b"the only copy")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    for module, name in ((os, "replace"), (os, "fsync"), (os, "write"), (assay._check, "judge_descriptor"),
                         (assay._write, "_bytes_of_torch")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, fail)
            with pytest.raises(OSError, match="No space"):
                save_file({"a": torch.zeros(3)}, path)
        assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x"], name


def test_missing_and_unexpected(tmp_path):
    path = tmp_path / "x.safetensors"
    x = torch.arange(4.0)
    save_file({"b": x, "d": x.clone()}, path)
    tied = torch.zeros(4)
    assert load_model(Holder(a=tied, b=tied, c=torch.zeros(1)), path, strict=False) == (["c"], ["d"])
    assert torch.equal(tied, x), "by the name that the file has"
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "c"\n.*Unexpected key\(s\) .*: "d"'):
        load_model(Holder(a=tied, b=tied, c=torch.zeros(1)), path)
    save_file({"a": x, "b": x + 1}, path)
    with pytest.raises(RuntimeError, match='Unexpected key.*: "b"'):
        load_model(Holder(a=tied, b=tied), path)


def test_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"the only copy")
    x = torch.arange(12.0).view(3, 4)
    for tensors, error, words in (
            ({"a": x, "b": x[0]}, RuntimeError, 'share memory: "a", "b": use save_model'),
            ({"a": x.t()}, ValueError, '"a" is not contiguous'),
            ({"a": x.to_sparse()}, ValueError, '"a" is sparse'),
            ({"a": [1]}, ValueError, '"a" is not a torch.Tensor, but list'),
            ([x], ValueError, "a dict of tensors"),
            ({"__metadata__": x}, assay.WriteError, 'rule WR3: .*: tensor "__metadata__"'),
            ({"a": torch.zeros(2, dtype=torch.complex128)}, TypeError, "no dtype for torch.complex128")):
        with pytest.raises(error, match=words):
            save_file(tensors, path)
    with pytest.raises(RuntimeError, match='none has all of it: "a", "b": give each memory of its own by .clone'):
        save_model(Holder(a=x[:2], b=x[1:]), path)
    with pytest.raises(ValueError, match="or use save_model"):
        save_model(Holder(a=x.t()), path, force_contiguous=False)
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x.safetensors"]


def test_views_of_complex_numbers():
    x = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64)
    wrong = safetensors.torch.load(safetensors.torch.save({"x": x.conj()}))["x"]
    assert not torch.equal(wrong, x.conj()), "this has been mended: shorten docs"
    assert torch.equal(assay.torch.load(save({"x": x.conj()}))["x"], x.conj())
    negative = torch._neg_view(torch.tensor([1.0, -2.0]))
    assert negative.is_neg()
    assert torch.equal(assay.torch.load(save({"x": negative}))["x"], torch.tensor([-1.0, 2.0]))


def test_over_the_file_that_is_mapped(tmp_path):
    path = tmp_path / "x.safetensors"
    save_file({"x": torch.arange(300000)}, path)
    loaded = load_file(path)
    save_file(dict(loaded, y=torch.zeros(3)), path)
    assert torch.equal(loaded["x"], torch.arange(300000)) and torch.equal(load_file(path)["x"], loaded["x"])
    assert set(load_file(path, backend="pread")) == {"x", "y"}


def test_modules_and_layers(tmp_path):
    """Tied weights of real layers, through every parameter of a step of training."""
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Embedding(7, 4)
            self.head = torch.nn.Linear(4, 7, bias=False)
            self.head.weight = self.embed.weight

    one, other = Tied(), Tied()
    save_model(one, tmp_path / "x")
    with assay.open(tmp_path / "x") as file:
        assert list(file) == ["embed.weight"] and file.metadata == {"head.weight": "embed.weight"}
    load_model(other, tmp_path / "x")
    assert torch.equal(other.head.weight, one.embed.weight)
    assert other.head.weight.data_ptr() == other.embed.weight.data_ptr()
