"""assay's own writer: save, save_file, Builder, edit_metadata."""
import json
import os
import random
import re
import stat
import struct
import subprocess
import sys
import weakref

import pytest

import assay
from assay import _write

numpy = pytest.importorskip("numpy")
DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64", "int64",
          "float64", "complex64"]
TEXTS = ["a", "b.weight", "model.layers.0.mlp", "", "\u00e9", "\U0001f600", 'q"uote', "back\\slash", "new\nline", "\x01", "\x7f",
         "a/b", "\u2028", "model.layers.10.mlp", "model.layers.2.mlp"]


def generated(seed):
    """Return arrays and metadata."""
    pick = random.Random(seed)
    arrays = {}
    for _ in range(pick.choice((0, 1, 2, 5, 20))):
        shape = [pick.choice((0, 1, 2, 3)) for _ in range(pick.randrange(4))]
        name = "".join(pick.choice(TEXTS) for _ in range(pick.randrange(4)))
        count = int(numpy.prod(shape, dtype="int64"))
        values = [pick.randrange(100) for _ in range(count)]
        arrays[name] = numpy.array(values).astype(pick.choice(DTYPES)).reshape(shape)
    pairs = {"".join(pick.choice(TEXTS) for _ in range(2)): pick.choice(TEXTS) for _ in range(pick.choice((0, 1, 1, 3)))}
    return arrays, pick.choice((None, pairs))


def members(data):
    """Return the raw text of each member of the header, by an oracle that knows nothing of assay: json. {name: text}"""
    size = struct.unpack_from("<Q", data)[0]
    text = data[8:8 + size].decode()
    at, found, decoder = text.index("{") + 1, {}, json.JSONDecoder()

    def space(at):
        while text[at] in " \t\r\n":
            at += 1
        return at

    at = space(at)
    while text[at] != "}":
        name, at = decoder.raw_decode(text, at)
        begin = space(space(at) + 1)
        _, at = decoder.raw_decode(text, begin)
        found[name] = text[begin:at]
        at = space(at)
        if text[at] == ",":
            at = space(at + 1)
    return found


# ---- save ------------------------------------------------------------------------------------------------------------

def test_as_the_official_writer():
    """The same bytes where its order is determined, else the same table; and every reader reads the same arrays."""
    official = pytest.importorskip("safetensors.numpy")
    same = 0
    for seed in range(400):
        arrays, metadata = generated(seed)
        data = assay.save(arrays, metadata)
        assert assay.check(data).require().tensors == len(arrays)
        loaded = official.load(data)
        assert sorted(loaded) == sorted(arrays)
        for name, array in arrays.items():
            assert loaded[name].dtype == array.dtype and loaded[name].tobytes() == array.tobytes()
        with assay.open(data) as file:
            assert file.metadata == metadata
        if len(metadata or {}) <= 1 and (arrays or metadata is None or metadata):
            assert data == official.save(arrays, metadata), seed
            same += 1
    assert same > 150


def test_canonical_again():
    """To write what was read gives the same bytes."""
    for seed in range(100):
        arrays, metadata = generated(seed)
        data = assay.save(arrays, metadata)
        with assay.open(data) as file:
            assert assay.save(file, file.metadata) == data


def test_orders_in_memory():
    base = numpy.arange(24, dtype="float32").reshape(4, 6)
    arrays = {"turned": base.T, "part": base[1:3, ::2], "backwards": base[::-1], "big": base.astype(">f4"),
              "scalar": numpy.array(3, "float32"), "fortran": numpy.asfortranarray(base)}
    with assay.open(assay.save(arrays)) as file:
        for name, array in arrays.items():
            assert numpy.array_equal(file[name].numpy(), array) and file[name].shape == array.shape, name


def test_bytes_and_other_dtypes():
    new = {"f4": assay.New("F4", (3, 2), b"abc"), "f6": assay.New("F6_E2M3", (4,), bytearray(b"abc")),
           "bf16": assay.New("BF16", (1,), memoryview(b"ab")), "none": assay.New("U8", (0, 2**40), b"")}
    with assay.open(assay.save(new)) as file:
        for name, one in new.items():
            assert (file[name].dtype, file[name].shape, bytes(file[name].buffer())) == (one.dtype, one.shape, bytes(one.data))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = numpy.array([1, 2], ml_dtypes.bfloat16)
    with assay.open(assay.save({"x": array})) as file:
        assert file["x"].dtype == "BF16" and (file["x"].numpy() == array).all()


@pytest.mark.parametrize("tensors, metadata, error, text", [
    ({"__metadata__": b"x"}, None, assay.WriteError, 'rule WR3: .*: tensor "__metadata__"'),
    ({"a\0": b"x"}, None, assay.WriteError, r'rule WR2: .*: tensor "a\\x00"'),
    ({"\ud800": b"x"}, None, assay.WriteError, r'rule WR1: .*: tensor "\\ud800"'),
    ({"a": b"x"}, {"k": "\0"}, assay.WriteError, 'rule WR2: .*: metadata key "k"'),
    ({"a": b"x"}, {"k": "\udfff"}, assay.WriteError, 'rule WR1: .*: metadata key "k"'),
    ({"a": assay.New("U8", (2,), b"x")}, None, assay.WriteError, "require 16 bits, and the data have 8"),
    ({"a": assay.New("F4", (3,), b"xx")}, None, assay.WriteError, "require 12 bits"),
    ({"a": assay.New("F99", (1,), b"x")}, None, assay.WriteError, "there is no dtype F99"),
    ({"a": assay.New("U8", (0, 2**64), b"")}, None, assay.WriteError, r"integers from 0 to 2\^64 - 1"),
    ({"a": assay.New("U8", (0, -1), b"")}, None, assay.WriteError, r"integers from 0 to 2\^64 - 1"),
    ({"a": [1]}, None, TypeError, "is required, not list"),
    ({"a": numpy.zeros(1, "complex128")}, None, TypeError, "no dtype for complex128"),
    ({1: b"x"}, None, TypeError, "a name is a string, not int"),
    ({"a": b"x"}, {"k": 1}, TypeError, "metadata are strings by strings, not int by str"),
])
def test_refused(tensors, metadata, error, text, tmp_path):
    """Nothing is written, and the message has no character that a terminal obeys."""
    tensors = {name: assay.New("U8", (1,), one) if isinstance(one, bytes) else one for name, one in tensors.items()}
    path = tmp_path / "x"
    path.write_bytes(b"the only copy")
    for write in (lambda: assay.save(tensors, metadata), lambda: assay.save_file(tensors, path, metadata)):
        with pytest.raises(error, match=text) as found:
            write()
        assert str(found.value).isprintable()
    assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x"]


def test_options(tmp_path):
    path = tmp_path / "x"
    assay.save_file({"a": numpy.zeros(3)}, path, align=4096, reserve=5000)
    report = assay.check(path).require()
    assert report.header_bytes == 8192 - 8
    with pytest.raises(assay.WriteError, match="rule N3"):
        assay.save({}, align=3)


def test_described_wrongly(monkeypatch):
    """The library states where the data of each tensor go: it is compared with what there is."""
    make = _write.make_head
    monkeypatch.setattr(_write, "make_head", lambda *a, **k: (make(*a, **k)[0], [(0, 0, 5)]))
    with pytest.raises(RuntimeError, match="does not describe the data"):
        assay.save({"a": numpy.zeros(3)})


def test_from_the_memory(tmp_path, monkeypatch):
    """What is contiguous is not copied; of the copies of others there is one at a time."""
    alive, most, copied = [], [], numpy.ascontiguousarray

    class Copy(numpy.ndarray):
        pass

    def copy(array):
        if array.flags.c_contiguous:
            return copied(array)
        made = numpy.array(array, order="C").view(Copy)
        alive.append(weakref.ref(made))
        most.append(sum(one() is not None for one in alive))
        return made

    base = numpy.arange(24, dtype="float32").reshape(4, 6)
    arrays = {"straight": base, "a": base.T, "b": base[:, ::2], "c": base[::-1]}
    seen, write_all = [], assay._replace.write_all
    monkeypatch.setattr(numpy, "ascontiguousarray", copy)
    monkeypatch.setattr(assay._replace, "write_all", lambda descriptor, data: (
        seen.append(numpy.frombuffer(data, "u1").ctypes.data), write_all(descriptor, data)))
    assay.save_file(arrays, tmp_path / "x")
    assert most == [1, 1, 1] and base.ctypes.data in seen
    del most[:]
    data = assay.save(arrays)
    assert most == [1, 1, 1] and data == (tmp_path / "x").read_bytes()


def test_on_a_machine_of_the_other_byte_order(monkeypatch):
    """Elements of the machine's order are written in that of the format."""
    array = numpy.arange(3, dtype="uint32")
    wanted = assay.save({"x": array.byteswap()})
    monkeypatch.setattr(_write.sys, "byteorder", "big")
    assert assay.save({"x": array}) == wanted


# ---- Arrays of the same memory ---------------------------------------------------------------------------------------

def test_share(tmp_path):
    """What is the same memory is written once, under the first name; the others are aliases."""
    path, base = tmp_path / "x", numpy.arange(24, dtype="float32").reshape(4, 6)
    arrays = {"lm_head.weight": base, "embed.weight": base, "flat": base.reshape(-1), "copy": base.copy(),
              "none": base[:0], "none too": base[:0], "part": numpy.arange(9)[::2], "format": (one := numpy.ones(3)),
              "a": one, "scalar": numpy.array(3), "new": assay.New("U8", (1,), b"x")}
    arrays["the same part"] = arrays["part"]
    plain = assay.save(arrays)
    with assay.open(plain) as file:
        assert len(file) == len(arrays) and not file.aliases, "without the option, each is written"
    for share in (lambda metadata: assay.save_file(arrays, path, metadata, share=True),
                  lambda metadata: path.write_bytes(assay.save(arrays, metadata, share=True))):
        share({"k": "v"})
        with assay.open(path) as file:
            assert file.aliases == {"flat": "embed.weight", "lm_head.weight": "embed.weight", "the same part": "part",
                                    "a": "format"}
            assert file.metadata == {"k": "v", **file.aliases} and set(file) | set(file.aliases) == set(arrays)
            for name in arrays:
                if name != "new":
                    read = file[file.aliases.get(name, name)].numpy()
                    assert read.reshape(arrays[name].shape).tobytes() == arrays[name].tobytes()
    assert assay.save({"a": base}, share=True) == assay.save({"a": base}), "nothing is shared: nothing changes"
    assert assay.save({"a": one, "b": one}, {"b": "a"}, share=True) == assay.save({"a": one}, {"b": "a"})


def test_share_refused(tmp_path, monkeypatch):
    """What an alias would not describe is an error that names both."""
    base = numpy.arange(24, dtype="float32").reshape(4, 6)
    for other in (base[:2], base[1:], base.T, base[::-1], base[:, 1:3], base.view("int32"), base.view(">f4")):
        with pytest.raises(assay.WriteError, match='tensors "[ab]" and "[ab]" share a part'):
            assay.save_file({"a": base, "b": other}, tmp_path / "x", share=True)
        assay.save({"a": base, "b": other})
    with pytest.raises(assay.WriteError, match='tensors "all" and "z" share'):  # a short one between them
        assay.save({"all": numpy.concatenate([base, base])[:0], "z": base[3:], "all": base, "b": base[1:1]}, share=True)
    for names, metadata in (("ab", {"b": "else"}), (("format", "ss_x"), None), (("__metadata__", "format"), None)):
        with pytest.raises(assay.WriteError, match='is the same memory as .* key has another meaning'):
            assay.save(dict.fromkeys(names, base), metadata, share=True)
    with pytest.raises(assay.WriteError, match="rule WR3"):
        assay.save({"__metadata__": base, "a": base}, share=True)
    with pytest.raises(TypeError, match="a name is a string"):
        assay.save({1: base, "a": base}, share=True)
    assert not os.listdir(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", type("torch", (), {"Tensor": assay.New}))
    with pytest.raises(TypeError, match="use assay.torch.save_model"):
        assay.save({"a": assay.New("U8", (1,), b"x")}, share=True)


# ---- Builder ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("reserve", [0, 100, 65536])
def test_builder(tmp_path, reserve):
    """In the order of the calls, whether the header has room or not."""
    path = tmp_path / "x"
    arrays = {"z": numpy.arange(5, dtype="int64"), "a": numpy.zeros((0, 3), "float16"), "m": numpy.ones(3, "uint8")}
    with assay.Builder(path, {"k": "v"}, reserve=reserve) as builder:
        for name, array in arrays.items():
            builder.add(name, array)
            assert not path.exists() and name in builder
            [draft] = tmp_path.iterdir()
            assert assay.check(draft).rule in ("F1", "F2"), "every reader refuses it until it is finished"
        builder.metadata["more"] = "x"
        assert len(builder) == 3
    assert os.listdir(tmp_path) == ["x"]
    with assay.open(path) as file:
        assert file.metadata == {"k": "v", "more": "x"}
        assert {name: tensor.numpy().tolist() for name, tensor in file.items()} == {
            name: array.tolist() for name, array in arrays.items()}
        assert [name for name in file if file[name].nbytes] == ["z", "m"]
    with assay.Builder(path, {"k": "w"}, append=True, reserve=reserve) as builder:
        with pytest.raises(assay.WriteError, match='the same name: "z"'):
            builder.add("z", arrays["z"])
        builder.add("new", arrays["m"])
    with assay.open(path) as file:
        assert sorted(file) == ["a", "m", "new", "z"] and file.metadata == {"k": "w", "more": "x"}
        assert file["z"].numpy().tolist() == arrays["z"].tolist() and file["new"].numpy().tolist() == [1, 1, 1]
    assert os.listdir(tmp_path) == ["x"]


def test_builder_many(tmp_path):
    """More tensors than the reserved header holds, thrice appended."""
    path, want = tmp_path / "x", {}
    for turn in range(3):
        with assay.Builder(path, append=turn > 0, reserve=1000) as builder:
            for k in range(50):
                want["%d.%d" % (turn, k)] = k
                builder.add("%d.%d" % (turn, k), numpy.full(2, k, "int32"))
    with assay.open(path) as file:
        assert {name: int(tensor.numpy()[1]) for name, tensor in file.items()} == want


@pytest.mark.parametrize("reserve", [0, 65536])
def test_builder_fails(tmp_path, monkeypatch, reserve):
    """Whatever fails, the old file stays, and no other."""
    path = tmp_path / "x"
    path.write_bytes(b"the only copy")

    def unchanged():
        assert path.read_bytes() == b"the only copy" and os.listdir(tmp_path) == ["x"]

    with pytest.raises(KeyError):
        with assay.Builder(path, reserve=reserve) as builder:
            builder.add("a", numpy.zeros(3))
            raise KeyError
    unchanged()
    with pytest.raises(ValueError, match="closed"):
        builder.add("b", numpy.zeros(3))
    with pytest.raises(assay.WriteError, match="rule WR3"):
        with assay.Builder(path, reserve=reserve) as builder:
            builder.add("__metadata__", numpy.zeros(3))
    unchanged()
    with pytest.raises(assay.AssayError):
        assay.Builder(path, append=True)  # what is there is no safetensors file
    unchanged()
    with pytest.raises(TypeError):
        with assay.Builder(path, {"k": 1}, reserve=reserve) as builder:
            builder.add("a", numpy.zeros(3))
    unchanged()

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    for module, name in ((os, "replace"), (os, "fsync"), (os, "fchmod"), (os, "ftruncate"), (os, "write"),
                         (assay._check, "judge_descriptor")):
        if name == "ftruncate" and reserve == 0:
            continue  # the file is written again
        with monkeypatch.context() as patch:
            with pytest.raises(OSError, match="No space"):
                with assay.Builder(path, reserve=reserve) as builder:
                    builder.add("a", numpy.zeros(3))
                    patch.setattr(module, name, fail)
        unchanged()
    builder = assay.Builder(path)
    builder.add("a", numpy.zeros(3))
    del builder  # without close()
    unchanged()
    with pytest.raises(ValueError, match="reserve is a number"):
        assay.Builder(path, reserve=10**9)
    unchanged()


# ---- Appending in place ----------------------------------------------------------------------------------------------

def append(path, in_place=True, tensors=True, **options):
    with assay.Builder(path, {"new": "pair"}, append=True, in_place=in_place, **options) as builder:
        if not tensors:
            return
        builder.add("b", assay.New("I32", (1000,), bytes((7, 0, 0, 0)) * 1000))
        builder.add("c", assay.New("I8", (0,), b""))
        builder.add("d", assay.New("U8", (3,), bytes((9, 9, 9))))


def begun(path):
    """Make the file, with the same inode each time; return its bytes."""
    if not path.exists():
        path.touch()
    text = assay.save({"a": numpy.arange(500)}, {"k": "v"}, reserve=1000)
    path.write_bytes(text)
    return text


def test_append_in_place(tmp_path):
    path = tmp_path / "x"
    before = begun(path)
    inode = path.stat().st_ino
    append(path)
    assert os.listdir(tmp_path) == ["x"] and path.stat().st_ino == inode
    now = path.read_bytes()
    begin = 8 + struct.unpack("<Q", before[:8])[0]
    assert now[begin:len(before)] == before[begin:] and now[:8] == before[:8]
    with assay.open(path) as file:
        assert list(file.items())[0][0] == "a" and sorted(file) == ["a", "b", "c", "d"]
        assert file["b"].numpy().tolist() == [7] * 1000 and file["d"].numpy().tolist() == [9] * 3
        assert file["a"].numpy().tolist() == list(range(500)) and file.metadata == {"k": "v", "new": "pair"}


def test_append_in_place_without_room(tmp_path):
    """What has no room is refused before it is written; the rest of the block goes on."""
    path = tmp_path / "x"
    begun(path)
    with assay.Builder(path, append=True, in_place=True) as builder:
        for number in range(100):
            size = path.stat().st_size
            try:
                builder.add("tensor %d" % number, numpy.zeros(3))
            except assay.WriteError as error:
                assert "no room for it" in str(error) and path.stat().st_size == size and number > 5
                break
    with assay.open(path) as file:
        assert len(file) == number + 1
        text = bytes(file._view.head)
    assert len(text) == 1008 and len(text.rstrip(b" ")) > 1008 - 90, "the header is used up"
    now = path.read_bytes()
    with pytest.raises(assay.WriteError, match="no room for the metadata"):
        with assay.Builder(path, {"k": "v" * 2000}, append=True, in_place=True) as builder:
            pass
    assert path.read_bytes() == now and os.listdir(tmp_path) == ["x"]
    with pytest.raises(ValueError, match="requires append"):
        assay.Builder(path, in_place=True)
    os.link(path, tmp_path / "y")
    with pytest.raises(OSError, match="other names"):
        assay.Builder(path, append=True, in_place=True)
    assert path.read_bytes() == now and sorted(os.listdir(tmp_path)) == ["x", "y"]


def test_append_in_place_fails(tmp_path, monkeypatch):
    """Whatever raises, the old file is restored."""
    path = tmp_path / "x"
    before = begun(path)
    with pytest.raises(KeyError):
        with assay.Builder(path, append=True, in_place=True) as builder:
            builder.add("b", numpy.zeros(3))
            assert assay.check(path).rule == "G3" or not assay.check(path).valid
            raise KeyError
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x"]
    builder = assay.Builder(path, append=True, in_place=True)
    builder.add("b", numpy.zeros(3))
    with pytest.raises(OSError, match="did not end"):
        assay.Builder(path, append=True, in_place=True)
    del builder  # without close()
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x"]


def refused(path):
    """Return whether every reader refuses a file: assay, the official package, and one that ignores what is after the
    data."""
    official, data = pytest.importorskip("safetensors.numpy"), path.read_bytes()
    try:
        json.loads(data[8:8 + struct.unpack_from("<Q", data)[0]])
        return False
    except ValueError:
        pass
    with pytest.raises(Exception, match="[Hh]eader"):
        official.load(data)
    return assay.check(path).invalid


def test_append_in_place_is_refused_meanwhile(tmp_path):
    path = tmp_path / "x"
    begun(path)
    with assay.Builder(path, append=True, in_place=True) as builder:
        assert assay.check(path).valid, "nothing has changed"
        for name in "bc":
            builder.add(name, numpy.zeros(3))
            assert refused(path)
    assert assay.check(path).valid and "c" in assay.open(path)


def test_recover_refuses(tmp_path):
    path = tmp_path / "x"
    begun(path)
    with pytest.raises(FileNotFoundError, match="nothing has to be recovered"):
        assay.recover(path)
    before = begun(path)
    append(path)
    after = path.read_bytes()
    path.write_bytes(b"\xff" * 8 + after[8:500] + before[500:1008] + after[1008:])
    assay._append._write_journal(str(path), (len(before), len(after)), (before[:1008], after[:1008]), path.stat().st_ino)
    journal = tmp_path / "x.assay-journal"
    good, now = journal.read_bytes(), path.read_bytes()
    for text, why in ((b"", "not one of assay"), (b"X" + good[1:], "not one of assay"), (good[:-1], "damaged"),
                      (good[:80] + b"?" + good[81:], "damaged")):
        journal.write_bytes(text)
        with pytest.raises(OSError, match=why):
            assay.recover(path)
        assert path.read_bytes() == now
    journal.write_bytes(good)
    path.write_bytes(now[:300] + b"?" + now[301:])
    with pytest.raises(OSError, match="neither of those"):
        assay.recover(path)
    path.write_bytes(now[:-99999] + now[:9])
    with pytest.raises(OSError, match="about another file"):
        assay.recover(path)
    path.write_bytes(now)
    assay.recover(path)
    assert path.read_bytes() == begun(path) and not journal.exists()


# ---- Killed at each call ---------------------------------------------------------------------------------------------

def calls_of_the_system():
    """Return the names of all functions of os that the writers call."""
    found = set()
    for module in (assay._append, assay._check, assay._file, assay._replace, _write):
        with open(module.__file__, encoding="utf-8") as file:
            found.update(re.findall(r"\bos\.(\w+)\(", file.read()))
    return sorted(name for name in found if hasattr(os, name))


def killed(action, last, half=False):
    """Run an action in a process that ends at its call number `last` of the system; half: in the middle of its write
    number `last`. Return whether it came to its end before."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 9)
        return status == 0
    status, end, calls = 3, os._exit, 0
    try:
        def ending(name, call):
            def instead(*words, **more):
                nonlocal calls
                calls += not half or name in ("write", "copy_file_range")
                if calls == last:
                    if half and name == "write":  # of a length and its like, nothing
                        call(words[0], words[1][:len(words[1]) // 20])
                    elif half and name == "copy_file_range":
                        call(words[0], words[1], words[2] // 3, *words[3:])
                    end(9)
                return call(*words, **more)
            return instead

        for name in calls_of_the_system():
            setattr(os, name, ending(name, getattr(os, name)))
        action()
        status = 0
    finally:
        end(status)


def state(path):
    """Return the bytes of a file and of its journal, None for what is not there."""
    found = (path, path.with_name(path.name + ".assay-journal"))
    return [one.read_bytes() if one.exists() else None for one in found]


def restore(path, text, journal=None):
    """Make that state again, in the same file."""
    for one, data in ((path, text), (path.with_name(path.name + ".assay-journal"), journal)):
        if data is not None:
            one.write_bytes(data)
        elif one.exists():
            one.unlink()
    for one in path.parent.iterdir():
        if one.name.endswith(".tmp"):
            one.unlink()


def leftovers(path):
    return [one for one in path.parent.iterdir() if one.name.endswith(".tmp")]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("tensors", [True, False])
def test_append_in_place_is_killed(tmp_path, tensors, half):
    """At each call, or in the middle of each write: the file is the old or the new one, or every reader refuses it and
    it is repaired; also if recover() is killed at any of its calls, and then repeated; and by the program."""
    path, program, seen = tmp_path / "x", os.environ.get("PROGRAM"), {}
    before = begun(path)
    append(path, tensors=tensors)
    after = path.read_bytes()

    def is_safe(now, journal):
        return now in (before, after) or journal and now[:8] == b"\xff" * 8 and refused(path)

    for last in range(1, 1000):
        restore(path, before)
        if killed(lambda: append(path, tensors=tensors), last, half):
            break
        now, journal = state(path)
        seen.setdefault((now, journal), last)
        assert is_safe(now, journal), last
        if journal:
            assay.recover(path)
        assert state(path) == [after if now == after else before, None], last
    assert last > (5 if half else 60) and path.read_bytes() == after
    broken = [one for one in seen if one[1]]
    assert len(broken) >= (4 if half else 7 if tensors else 5)
    for now, journal in broken:
        for again in range(1, 1000):
            restore(path, now, journal)
            if killed(lambda: assay.recover(path), again, half):
                break
            found, left = state(path)
            assert is_safe(found, left), (seen[now, journal], again)
            if left:
                assay.recover(path)
            assert state(path) == [after if now == after else before, None]
        if program:
            restore(path, now, journal)
            subprocess.run([program, "edit", "--recover", str(path)], check=True)
            assert state(path) == [after if now == after else before, None]


def build(path):
    with assay.Builder(path) as builder:
        builder.add("b", numpy.arange(700))
        builder.add("c", numpy.zeros(3))


COPIES = {  # what is written beside the old file
    "append": lambda path: append(path, in_place=False),
    "append moved": lambda path: append(path, in_place=False, reserve=0),
    "new": build,
    "save": lambda path: assay.save_file({"b": numpy.arange(700)}, path, {"k": "v"}),
    "edit": lambda path: assay.edit_metadata(path, {"k": "w" * 2000}),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("name, old", [*((name, True) for name in COPIES), ("new", False), ("save", False)])
def test_copies_are_killed(tmp_path, name, old, half):
    """At each call, or in the middle of each write: the old file is there, or the new one. What else is left has another
    name, and is refused until it is complete."""
    path, seen = tmp_path / "x", set()
    text = begun(path)
    text = text if name != "append moved" else assay.save({"a": numpy.arange(500)}, {"k": "v"})
    before = text if old else None
    restore(path, before)
    COPIES[name](path)
    after = path.read_bytes()
    for last in range(1, 1000):
        restore(path, before)
        if killed(lambda: COPIES[name](path), last, half):
            break
        now, journal = state(path)
        assert now in (before, after) and journal is None, last
        seen.add(now)
        for one in leftovers(path):
            assert not assay.check(one).valid or one.read_bytes() == after, last
    assert last > (1 if half else 20) and state(path) == [after, None] and not leftovers(path)
    assert seen == {before} if half else {before, after}


# ---- edit_metadata ---------------------------------------------------------------------------------------------------

SHAPES = [  # headers with __metadata__ in each position; %s is the member
    "{%s}", '{%s,"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}', '{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},%s}',
    ' {\n "a" : { "shape":[2] , "dtype":"U8","data_offsets":[0,2]} ,\n\t %s \n, "b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}\n}  ',
    '{"a\\"__metadata__":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},%s}',
    '{"x\\"__metadata__\\":{":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},%s}']
MEMBERS = ['"__metadata__":{}', '"__metadata__" : { "k" : "v" }', '"__metadata__":{"k":"v","\\u0061b":"\\n\\/","__metadata__":"__metadata__"}',
           '"__metadata__":{"}":"{\\"}","k":"\\"__metadata__\\":{"}']


def file_of(header, data=b"xy"):
    text = header.lstrip(" ")
    return struct.pack("<Q", len(text)) + text.encode() + (data if '"a' in text or '"x' in text else b"")


@pytest.mark.parametrize("shape", range(len(SHAPES)))
@pytest.mark.parametrize("member", range(len(MEMBERS)))
def test_edits(tmp_path, shape, member):
    """Against json: the text of each tensor stays byte by byte, the pairs are those that were asked for, in order."""
    path = tmp_path / "x"
    before = file_of(SHAPES[shape] % MEMBERS[member])
    assert assay.check(before).valid, before
    old = json.loads(members(before)["__metadata__"])
    texts = {name: text for name, text in members(before).items() if name != "__metadata__"}
    for options, want in (
            (dict(set={"new": "\u00e9\n\""}), {**old, "new": "\u00e9\n\""}), (dict(clear=True), {}),
            (dict(clear=True, set={"z": "", "a": "b"}), {"z": "", "a": "b"}),
            (dict(set={next(iter(old), "k"): "other" * 2000}), {**old, next(iter(old), "k"): "other" * 2000}),
            (dict(delete=list(old)[:1]), dict(list(old.items())[1:])),
            (dict(rename={k: k + "2" for k in list(old)[:2]}), {k + "2" * (n < 2): v for n, (k, v) in enumerate(old.items())}),
            (dict(), old)):
        path.write_bytes(before)
        assay.edit_metadata(path, **options)
        after = path.read_bytes()
        assert assay.check(after).valid
        found = members(after)
        assert list(json.loads(found.pop("__metadata__", "{}")).items()) == list(want.items())
        assert found == texts and list(found) == list(texts)
        assert after.endswith(b"xy") == before.endswith(b"xy")
        size = struct.unpack_from("<Q", after)[0]
        assert (size - struct.unpack_from("<Q", before)[0]) % 4096 == 0
        assert ("__metadata__" in members(after)) == (options.get("clear") is None or "set" in options)


def test_edits_generated(tmp_path):
    """Edits of what the writer writes; each pair that stays keeps its text."""
    pick, path = random.Random(1), tmp_path / "x"
    for seed in range(150):
        arrays, metadata = generated(seed)
        assay.save_file(arrays, path, metadata)
        before, keys = path.read_bytes(), list(metadata or {})
        pick.shuffle(keys)
        new = {pick.choice(TEXTS): pick.choice(TEXTS) for _ in range(3)}
        delete, rename = keys[:1], {key: key + "!" for key in keys[1:2]}
        if any(key in new for key in (*delete, *rename)):
            continue
        assay.edit_metadata(path, new, delete=delete, rename=rename, output=tmp_path / "y")
        assert path.read_bytes() == before
        with assay.open(tmp_path / "y") as file:
            want = {rename.get(key, key): value for key, value in sorted(
                (metadata or {}).items(), key=lambda pair: pair[0].encode()) if key not in delete}
            assert file.metadata == {**want, **new}
            assert {name: tensor.numpy().tobytes() for name, tensor in file.items()} == {
                name: array.tobytes() for name, array in arrays.items()}


def test_edits_refused(tmp_path, twice):
    path = tmp_path / "x"
    assay.save_file({"a": numpy.zeros(2)}, path, {"k": "v", "l": "w"})
    before = path.read_bytes()
    for options, error in ((dict(delete=["none"]), KeyError), (dict(rename={"none": "x"}), KeyError),
                           (dict(rename={"k": "l"}), assay.WriteError), (dict(set={"n": "\0"}), assay.WriteError),
                           (dict(set={"n": 1}), TypeError), (dict(delete=["k", "k"]), KeyError),
                           (dict(set={"n": "x" * 100_000_000}), assay.WriteError)):
        with pytest.raises(error):
            assay.edit_metadata(path, **options)
        assert path.read_bytes() == before
    with pytest.raises(assay.InvalidError, match="rule G2"):
        assay.edit_metadata(twice, {"k": "v"})
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


@pytest.mark.skipif(os.name == "nt", reason="links as on Unix")
def test_hub_cache(tmp_path):
    """A blob is known by the hash of its bytes: it is not changed under that name."""
    blob = tmp_path / "models--a--b" / "blobs" / "0123"
    blob.parent.mkdir(parents=True)
    assay.save_file({"a": numpy.zeros(2)}, blob)
    link = tmp_path / "x.safetensors"
    link.symlink_to(blob)
    before = blob.read_bytes()
    with pytest.raises(OSError, match="is a file of a hub cache"):
        assay.edit_metadata(link, {"k": "v"})
    for write in (lambda: assay.save_file({}, link), lambda: assay.Builder(link), lambda: assay.Builder(link, append=True)):
        with pytest.raises(OSError, match="is a file of a hub cache"):
            write()
    assay.edit_metadata(link, {"k": "v"}, output=tmp_path / "y")
    assert blob.read_bytes() == before and assay.open(tmp_path / "y").metadata == {"k": "v"}


@pytest.mark.skipif(os.name == "nt", reason="modes and groups as on Unix")
def test_rights(tmp_path, monkeypatch):
    """A new file has no right that the one it comes from, or that it replaces, lacks."""
    path, other = tmp_path / "x", tmp_path / "y"
    assay.save_file({"a": numpy.zeros(2)}, path)
    for mode in (0o600, 0o400):
        os.chmod(path, mode)
        assay.edit_metadata(path, {"k": "v"}, output=other)
        assert stat.S_IMODE(os.stat(other).st_mode) == mode
        os.unlink(other)
    os.chmod(path, 0o600)
    if os.getuid() != 0:
        return
    os.chown(path, 1234, 4321)
    os.chmod(path, 0o664)
    for write in (lambda: assay.save_file({"a": numpy.zeros(2)}, path), lambda: assay.edit_metadata(path, {"k": "w"})):
        write()
        found = os.stat(path)
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 4321, 0o664)

    def fails(*_):
        raise PermissionError("not a member of this group")

    monkeypatch.setattr(os, "fchown", fails)
    assay.save_file({"a": numpy.zeros(2)}, path)
    assert os.stat(path).st_uid != 1234 and os.stat(path).st_gid != 4321 and stat.S_IMODE(os.stat(path).st_mode) == 0o604


def test_long_name(tmp_path):
    path = tmp_path / ("\u6a21" * 80 + ".st")  # 243 bytes in UTF-8
    assay.save_file({"a": numpy.zeros(2)}, path)
    assert assay.check(path).valid


def test_builder_without_tensors(tmp_path):
    path = tmp_path / "x"
    for metadata, reserve in ((None, 0), ({"k": "v" * 100_000}, 0), ({"k": "v"}, 1000)):
        with assay.Builder(path, metadata, reserve=reserve):
            pass
        with assay.open(path) as file:
            assert list(file) == [] and file.metadata == metadata


def test_append_to_a_file_that_changes(tmp_path):
    path = tmp_path / "x"
    assay.save_file({"a": numpy.zeros(2)}, path)
    builder = assay.Builder(path, append=True)
    builder.add("b", numpy.ones(2))
    assay.save_file({"c": numpy.zeros(3)}, path)
    with pytest.raises(OSError, match="changed while tensors were appended"):
        builder.close()
    assert list(assay.open(path)) == ["c"] and os.listdir(tmp_path) == ["x"]


def test_writers_and_a_journal(tmp_path):
    """While an append in place goes on, or after it was interrupted, no other writer touches the file."""
    path = tmp_path / "x"
    begun(path)
    builder = assay.Builder(path, append=True, in_place=True)
    if os.name != "nt":
        with pytest.raises(OSError, match="another process appends to it"):
            assay.recover(path)
    for write in (lambda: assay.save_file({}, path), lambda: assay.edit_metadata(path, {"k": "v"}),
                  lambda: assay.Builder(path), lambda: assay.Builder(path, append=True, in_place=True)):
        with pytest.raises(OSError, match="did not end"):
            write()
    builder.add("new", numpy.ones(2, "u1"))
    builder.close()
    assert "new" in assay.open(path) and os.listdir(tmp_path) == ["x"]


def test_append_in_place_after_an_odd_header(tmp_path):
    path = tmp_path / "x"
    path.write_bytes((3).to_bytes(8, "little") + b"{} ")
    with pytest.raises(assay.WriteError, match="multiple of 8"):
        assay.Builder(path, append=True, in_place=True)
    assert os.listdir(tmp_path) == ["x"]


def test_an_edit_that_changes_more(tmp_path, monkeypatch):
    """The certificate: were the edit wrong, nothing would be written."""
    path = tmp_path / "x"
    assay.save_file({"a": numpy.zeros(2, "f4"), "b": numpy.zeros(2, "f4")}, path, {"k": "v"})
    before, sized = path.read_bytes(), _write._sized
    for old, new in ((b'"a"', b'"c"'), (b'"F32"', b'"I32"'), (b'"v"', b'"w"'), (b"[2]", b"[1,2]")):
        with monkeypatch.context() as patch:
            patch.setattr(_write, "_sized", lambda body, size, o=old, n=new: sized(body.replace(o, n, 1), size))
            with pytest.raises(RuntimeError, match="would have changed something else"):
                assay.edit_metadata(path, {"n": "x"})
        assert path.read_bytes() == before


def test_an_edit_that_changes_text(tmp_path, monkeypatch):
    """Its other half: the same tensors and pairs, in another text."""
    path = tmp_path / "x"
    assay.save_file({"a}": numpy.zeros(2, "f4"), "b": numpy.zeros(2, "f4")}, path, {"k": "v"})
    before, sized = path.read_bytes(), _write._sized
    for old, new in ((b'"a}"', b'"\\u0061}"'), (b'"dtype":"F32"', b'"dtype": "F32"'), (b"[2]", b"[2 ]"),
                     (b"[8,16]}", b"[8,16] }"), (b'"b":', b'"\\u0062":'), (b'"b":', b'"b" :'), (b'"k"', b'"\\u006b"'), (b'"v"', b'"\\u0076"')):
        with monkeypatch.context() as patch:
            patch.setattr(_write, "_sized", lambda body, size, o=old, n=new: sized(body.replace(o, n, 1), size))
            with pytest.raises(RuntimeError, match="would have changed something else"):
                assay.edit_metadata(path, {"n": "x"})
        assert path.read_bytes() == before


@pytest.mark.parametrize("shape", range(1, len(SHAPES)))
@pytest.mark.parametrize("value", ["null", " \n null "])
def test_null_is_repaired(tmp_path, shape, value):
    """The one invalid file that is edited: what a tool that removes metadata writes."""
    path = tmp_path / "x"
    before = file_of(SHAPES[shape] % ('"__metadata__":' + value))
    path.write_bytes(before)
    with pytest.raises(assay.InvalidError, match="rule H14"):
        assay.edit_metadata(path, {"k": "v"})
    assert path.read_bytes() == before
    want = {name: text for name, text in members(before).items() if name != "__metadata__"}
    for options, pairs in (({}, None), ({"set": {"k": "v"}}, {"k": "v"})):
        path.write_bytes(before)
        assay.edit_metadata(path, clear=True, **options)
        found = members(path.read_bytes())
        with assay.open(path) as file:
            assert file.metadata == pairs
        found.pop("__metadata__", None)
        assert found == want and path.read_bytes().endswith(b"xy")


@pytest.mark.parametrize("header", [
    '{"a":null}', '{"__metadata__":{"k":null},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}', '{"__metadata__":1}',
    '{"__metadata__":null,"a":null}', '{"__metadata__":null,"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}',
    '{"__metadata__":"null"}', '{"a":{"dtype":null,"shape":[2],"data_offsets":[0,2]}}'])
def test_no_other_null_is_repaired(tmp_path, header):
    path = tmp_path / "x"
    path.write_bytes(file_of(header))
    with pytest.raises(assay.InvalidError):
        assay.edit_metadata(path, clear=True)
    assert path.read_bytes() == file_of(header) and os.listdir(tmp_path) == ["x"]


@pytest.mark.skipif(os.name == "nt", reason="links as on Unix")
def test_other_names(tmp_path):
    """A file with other names (hard links) is replaced only if that is asked for; then those keep the old one."""
    path, other = tmp_path / "x", tmp_path / "y"

    def build(append, force):
        with assay.Builder(path, append=append, force=force, reserve=0) as builder:
            builder.add("b", numpy.zeros(9))

    for write in (lambda force: assay.edit_metadata(path, {"k": "v"}, force=force), lambda force: build(False, force),
                  lambda force: assay.save_file({}, path, force=force), lambda force: build(True, force)):
        assay.save_file({"a": numpy.zeros(2)}, path)
        os.link(path, other)
        before = path.read_bytes()
        with pytest.raises(OSError, match=r"has other names \(hard links\), .*: pass force=True"):
            write(False)
        assert path.read_bytes() == before
        write(True)
        assert path.read_bytes() != before == other.read_bytes() and assay.check(path).valid
        assert sorted(os.listdir(tmp_path)) == ["x", "y"]
        other.unlink()


@pytest.mark.parametrize("name", ["copy_file_range", "pread", None])
def test_copies(tmp_path, monkeypatch, name):
    """Data of several pieces, copied by the system, or read and written where it can't."""
    path, data = tmp_path / "x", numpy.arange(9_000_000, dtype="uint32")
    assay.save_file({"a": data}, path)
    if name:
        monkeypatch.delattr(os, name, raising=False)
        monkeypatch.delattr(os, "copy_file_range", raising=False)
    assay.edit_metadata(path, {"new": "x"})
    with assay.open(path, access="read") as file:
        assert (file["a"].numpy() == data).all() and file.metadata == {"new": "x"}
        os.truncate(path, os.path.getsize(path) - 1)
        with pytest.raises(OSError, match="became shorter while it was copied"):
            assay._replace.copy_rest(file._descriptor, 0, 10**8, os.open(os.devnull, os.O_WRONLY))


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_nobody_opens_what_replaces_a_private_file(tmp_path):
    path = tmp_path / "private.safetensors"
    assay.save_file({"a": assay.New("U8", (1,), b"x")}, path)
    path.chmod(0o600)
    with assay.Builder(path) as builder:
        builder.add("a", assay.New("U8", (1,), b"y"))
        assert [file.stat().st_mode & 0o777 for file in tmp_path.iterdir()] == [0o600, 0o600]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_changes_while_it_is_edited(tmp_path, monkeypatch):
    path = tmp_path / "x.safetensors"
    assay.save_file({"a": assay.New("U8", (4,), b"abcd")}, path)
    real = _write._replace.copy_rest

    def copy(*arguments):
        real(*arguments)
        with open(path, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"!")

    monkeypatch.setattr(_write._replace, "copy_rest", copy)
    with pytest.raises(OSError, match="changed while it was edited"):
        assay.edit_metadata(path, {"k": "v"})
    assert path.read_bytes()[-4:] == b"abc!" and os.listdir(tmp_path) == [path.name]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="access control lists of Linux")
def test_access_list(tmp_path):
    """The list of the old file is kept, and the folder gives none to a file that had none."""
    def listed(user):
        entries = [(1, 6, -1), (2, 4, user), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
        return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry[:2], entry[2] & 0xffffffff)
                                               for entry in entries)

    path, access = tmp_path / "x.safetensors", "system.posix_acl_access"
    assay.save_file({"a": assay.New("U8", (1,), b"x")}, path)
    path.chmod(0o640)
    try:
        os.setxattr(tmp_path, "system.posix_acl_default", listed(12345))
    except OSError as error:
        pytest.skip("no access control lists here: %s" % error)
    assay.edit_metadata(path, {"k": "v"})
    assert access not in os.listxattr(path) and path.stat().st_mode & 0o777 == 0o640
    os.setxattr(path, access, listed(54321))
    assay.edit_metadata(path, {"k": "w"})
    assert os.getxattr(path, access) == listed(54321)
