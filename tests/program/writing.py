"""Test assay canon and assay make against the canonical form, written down here once more."""

import glob
import json
import os
import pty
import random
import resource
import subprocess
import time

import lib
from calls import places, trace
from editing import content, follow, leftover, official, quoted
from lib import ROOT, Skip, build_test_c, expect, frame, model, run, sanitized, tensor, write

# The order of the official library, first to last, and the bits of an element.
DTYPES = {"U64": 64, "I64": 64, "F64": 64, "C64": 64, "F32": 32, "U32": 32, "I32": 32, "BF16": 16, "F16": 16,
          "U16": 16, "I16": 16,
          "F8_E5M2FNUZ": 8, "F8_E4M3FNUZ": 8, "F8_E8M0": 8, "F8_E4M3": 8, "F8_E5M2": 8, "I8": 8, "U8": 8,
          "F6_E3M2": 6, "F6_E2M3": 6, "F4": 4, "BOOL": 8}
ORDER = list(DTYPES)
NAMES = ["a", "b", "", "\u00e9", "\uffff", "\U0001f600", "a.b", 'q"\\', "\x01\n\x7f/", "layers.10", "layers.9",
         "z" * 300]


def size_of(dtype, shape):
    size = DTYPES[dtype]
    for dim in shape:
        size *= dim
    return size // 8


def canonical(tensors, metadata):
    """Return the canonical file. tensors: name: (dtype, shape, data)."""
    def members(text):
        return "{%s}" % ",".join(text)

    names = sorted(tensors, key=lambda name: (ORDER.index(tensors[name][0]), name))
    text, data = [], b""
    if metadata:
        text.append('"__metadata__":' + members(quoted(k) + ":" + quoted(v) for k, v in sorted(metadata.items())))
    for name in names:
        dtype, shape, part = tensors[name]
        numbers = ",".join(map(str, shape))
        text.append('%s:{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}' % (
            quoted(name), dtype, numbers, len(data), len(data) + len(part)))
        data += part
    head = members(text).encode()
    return frame(head.ljust(-(-len(head) // 8) * 8), data)


def some_file(choose):
    """Return the text of a header that is not canonical, and what is in the file."""
    tensors = {}
    for name in choose.sample(NAMES, choose.randrange(len(NAMES))):
        dtype, shape = choose.choice(ORDER), [choose.randrange(4) for _ in range(choose.randrange(4))]
        if DTYPES[dtype] < 8:
            shape.append(8)
        tensors[name] = (dtype, shape, choose.randbytes(size_of(dtype, shape)))
    metadata = {key: choose.choice(["", "v", 'x"\\\n', "\u20ac"]) for key in choose.sample(NAMES, choose.randrange(4))}
    ascii_only, space = choose.choice([True, False]), choose.choice(["", " ", "\n\t "])

    def text_of(text):
        return json.dumps(text, ensure_ascii=ascii_only)

    parts, data = [], b""
    for name, (dtype, shape, part) in tensors.items():
        one = ['"dtype":"%s"' % dtype, '"shape":[%s]' % ("," + space).join(map(str, shape)),
               '"data_offsets":[%d,%d]' % (len(data), len(data) + len(part))]
        choose.shuffle(one)
        parts.append("%s:%s{%s}" % (text_of(name), space, ",".join(one)))
        data += part
    if metadata or choose.random() < 0.3:
        parts.append('"__metadata__":{%s}' % ("," + space).join(
            text_of(k) + ":" + text_of(v) for k, v in metadata.items()))
    choose.shuffle(parts)
    return "{%s}" % ("," + space).join(parts) + " " * choose.randrange(20), data, tensors, metadata


def test_canonical_form():
    choose = random.Random(3)
    parts = moved = 0
    for _ in range(150):
        text, data, tensors, metadata = some_file(choose)
        before, wanted = frame(text, data), canonical(tensors, metadata)
        write("x", before)
        shown = expect(run("canon", "x", "-n"), 0)
        assert content("x") == before
        assert (shown.lines[0] == "the file is in canonical form") == (before == wanted), (text, shown.out)
        expect(run("canon", "x"), 0, "")
        assert content("x") == wanted, (text, content("x"), wanted)
        inode = os.stat("x").st_ino
        expect(run("canon", "x"), 0, "")  # nothing changes: nothing is written
        assert os.stat("x").st_ino == inode and run("check", "-q", "x").status == 0
        parts += " parts" in shown.lines[0]
        moved += data != wanted[-len(data):]
    assert parts > 50 and moved > 50, (parts, moved)


def test_the_corpus():
    """Each valid file keeps its tensors, and the canonical form of a canonical file is itself."""
    done = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "corpus", "valid", "**", "*.safetensors"), recursive=True)):
        if os.path.getsize(path) > 100000:
            continue
        expect(run("canon", path, "-o", "x"), 0, "")
        before, after = (run("ls", "--format", "json", name).json() for name in (path, "x"))
        pairs = [found.get("metadata") or {} for found in (before, after)]
        assert pairs[0] == pairs[1], path
        old, new = content(path), content("x")
        begins = [8 + int.from_bytes(file[:8], "little") for file in (old, new)]
        found = [{one["name"]: (one["dtype"], one["shape"], file[begin + one["data_offsets"][0]:
                                                                begin + one["data_offsets"][1]])
                  for one in table["tensors"]} for table, file, begin in zip((before, after), (old, new), begins)]
        assert found[0] == found[1] and len(old) - begins[0] == len(new) - begins[1], path
        assert new == canonical(found[0], pairs[0]), path
        expect(run("canon", "x", "-o", "y"), 0, "")
        assert content("y") == new, path
        done += 1
    assert done > 50, done


def test_the_official_library_reads_the_same():
    choose = random.Random(4)
    for _ in range(10):
        text, data, tensors, metadata = some_file(choose)
        if any(DTYPES[dtype] < 8 for dtype, _, _ in tensors.values()):
            continue  # not all versions know them
        write("x", frame(text, data))
        before = official("x")
        expect(run("canon", "x"), 0, "")
        assert official("x") == before


def test_refused_files():
    cut = model("cut", data=b"")
    before = content("cut")
    done = run("canon", cut)
    assert done.status == 1 and done.err == run("check", cut).out and content("cut") == before
    write("z", frame('{ "a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', b"abcd"))
    os.link("z", "w")
    before = content("z")
    expect(run("canon", "z"), 2, "", "hard links")
    assert content("z") == before
    expect(run("canon", "-"), 2, "", "")
    expect(run("canon", "z", "--set", "a=b"), 2, "", "unknown option")
    expect(run("canon", "z", "--reserve", "9"), 2, "", "unknown option")
    raw = run("canon", "z", "-o", "-", raw=True, stdout=open("out", "wb"))
    assert raw.status == 0 and content("out") == canonical({"a": ("U8", [4], b"abcd")}, {})


def unordered():
    """Make a file whose data are permuted; return its bytes, and those of its canonical form."""
    tensors = {"t%d" % i: (("U8", "F32")[i % 2], [400], bytes([i]) * (400, 1600)[i % 2]) for i in range(10)}
    begin, table = 0, []
    for name, (dtype, shape, part) in tensors.items():
        table.append((name, tensor(begin, begin + len(part), dtype, shape)))
        begin += len(part)
    for name in os.listdir("."):
        if name.startswith(".assay-"):
            os.remove(name)
    model("x", table, data=b"".join(part for _, _, part in tensors.values()))
    return content("x"), canonical(tensors, {})


def test_every_call_fails_or_is_the_last():
    tracer = build_test_c("fault_call")
    before, after = unordered()
    real = trace(tracer, 0, 0, "canon", "x")
    assert real.status == 0 and content("x") == after
    refused = 0
    for process, number, place in places(real):
        if real.calls[process][number - 1].name == "brk" or sanitized():
            continue
        for action in ("5", "signal 9"):
            unordered()
            status, _ = follow(tracer, place, action, ["canon", "x"])
            now = content("x")
            assert now in (before, after) and (status != 0 or now == after), (place, action)
            assert action != "5" or not leftover(), (place, action)
            refused += status == 2
    assert refused > 20 or sanitized(), refused


# ---- make ----------------------------------------------------------------------------------------------------------

def described(tensors, metadata):
    """Write a list and the files that it names; return the list."""
    os.makedirs("d/data", exist_ok=True)
    write("d/all", b"".join(part for _, _, part in tensors.values()) + b"!")
    entries, at = [], 0
    for number, (name, (dtype, shape, part)) in enumerate(tensors.items()):
        one = {"name": name, "dtype": dtype, "shape": shape}
        if number % 2:
            write("d/data/%d" % number, part)
            one["file"] = ("data/%d" if number % 4 == 1 else os.path.abspath("d/data") + "/%d") % number
        else:
            one.update(file="all", offset=at)
        entries.append(one)
        at += len(part)
    return {"tensors": entries, "metadata": metadata}


def test_make():
    choose = random.Random(5)
    for number in range(60):
        _, _, tensors, metadata = some_file(choose)
        text = json.dumps(described(tensors, metadata), ensure_ascii=number % 2 == 0, indent=number % 3 or None)
        write("d/list.json", text.encode())
        expect(run("make", "d/list.json", "-o", "x"), 0, "")
        wanted = canonical(tensors, metadata)
        assert content("x") == wanted, text
        expect(run("make", "d/list.json", "-o", "y", "-n"), 0, "file: %d bytes\n" % len(wanted))
        assert not os.path.exists("y")
    expect(run("make", "d/list.json"), 2, "", "-o is missing")
    raw = run("make", "d/list.json", "-o", "-", raw=True, stdout=open("out", "wb"))
    assert raw.status == 0 and content("out") == wanted


def test_lists_that_are_wrong():
    write("a", b"abcd")
    write("old", b"old")
    good = '{"name":"t","dtype":"U8","shape":[4],"file":"a"}'
    cases = [
        ("", "a JSON object"), ("[]", "a JSON object"), ("{}", "a string is expected"),
        ('{"metadata":{}}', "no tensors"),
        ('{"tensors":[]} x', "follows"), ('{"tensors":[],"tensors":[]}', "repeated key"), ('{"x":1}', "(byte 1)"),
        ('{"tensors":{}}', "an array"), ('{"tensors":[1]}', "an object"), ('{"tensors":[%s,]}' % good, "an object"),
        ('{"tensors":[%s' % good, "ends with ]"), ('{"tensors":[%s]' % good, "ends with }"),
        ('{"tensors":[{"name":"t"}]}', "has no dtype"), ('{"tensors":[{"name":"t","name":"u"}]}', "twice"),
        ('{"tensors":[ {"nam":"t"}]}', "perhaps offset (byte 14)"),
        ('{"tensors":[{"name":1}]}', "a string is expected"),
        (good.join(('{"tensors":[', "]}")).replace("U8", "U9"), "F32 or BF16 (byte 32)"),
        (good.join(('{"tensors":[', "]}")).replace("[4]", "[-4]"), "without sign"),
        (good.join(('{"tensors":[', "]}")).replace("[4]", "[4.0]"), "integer"),
        (good.join(('{"tensors":[', "]}")).replace("[4]", "[18446744073709551616]"), "integer"),
        (good.join(('{"tensors":[', "]}")).replace("[4]", "[4294967296,4294967296]"), 'tensor "t"'),
        (good.join(('{"tensors":[', "]}")).replace('"t"', '"__metadata__"'), "reserved"),
        (good.join(('{"tensors":[', "]}")).replace('"t"', '"\\u0000"'), "a string is broken"),
        (good.join(('{"tensors":[', "]}")).replace('"t"', '"\\ud800"'), "a string is broken"),
        (good.join(('{"tensors":[', "]}")).replace('"a"', '""'), "is empty"),
        (good.join(('{"tensors":[', "]}")).replace('"a"', '"a\\u0000"'), "a string is broken"),
        (good.join(('{"tensors":[', "]}")).replace('"a"', '"a","offset":18446744073709551615'), "offset is too large"),
        ('{"tensors":[%s,%s]}' % (good, good), 'tensor "t"'),
        ('{"tensors":[],"metadata":{"k":"v","k":"w"}}', 'key "k"'), ('{"tensors":[],"metadata":{"k":1}}', "a string"),
    ]
    for text, why in cases:
        write("l", text.encode())
        result = run("make", "l", "-o", "old")
        assert result.status == 2 and result.out == "" and why in result.err, (text, result.err)
        assert result.err.count("\n") == 1
    for text, why in ((good.replace("[4]", "[3]"), "has 4 bytes: the tensor has 3"),
                      (good.replace("[4]", "[5]"), "has 4 bytes: the tensor has 5"),
                      (good.replace('"a"', '"a","offset":1'), "has 4 bytes: the tensor has 4, from byte 1 on"),
                      (good.replace('"a"', '"none"'), "No such file"), (good.replace('"a"', '"."'), "is a folder")):
        write("l", b'{"tensors":[%s]}' % text.encode())
        expect(run("make", "l", "-o", "old"), 2, "", why)
    assert content("old") == b"old" and sorted(os.listdir(".")) == ["a", "l", "old"]
    expect(run("make", "none", "-o", "x"), 2, "", "No such file")


def test_make_with_a_limit():
    write("a", bytes(100000))
    write("l", b'{"tensors":[{"name":"t","dtype":"U8","shape":[100000],"file":"a"}]}')

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

    expect(run("make", "l", "-o", "x", preexec_fn=limit), 2, "", "can't be written: File too large")
    assert sorted(os.listdir(".")) == ["a", "l"]



def changing(path, old, new, replaced):
    """Write a file, not just now; return what makes it another version of the same size under the tracer."""
    write(path, old)
    os.utime(path, (10**9, 10**9))
    time.sleep(0.012)  # the clock of files can be that slow
    write("new", new)
    if replaced:
        return "!mv new %s; touch -d @1000000000 %s" % (path, path)
    return "!dd if=new of=%s conv=notrunc 2>/dev/null; touch -d @1000000000 %s" % (path, path)


def test_a_file_that_changes_while_it_is_copied():
    """A file that is written elsewhere is of one version of what it is made from; else the command fails."""
    tracer = build_test_c("fault_call")
    header = '{"__metadata__":{"k":"%d"},"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}}'
    versions = frame(header % 1, b"123456789"), frame(header % 2, b"abcdefghi")
    half = len(versions[0]) // 2
    tensor = b'{"name":"%s","dtype":"U8","shape":[%d],"file":"x"%s}'
    write("one", b'{"tensors":[%s]}' % tensor % (b"a", len(versions[0]), b""))
    left, right = tensor % (b"a", half, b',"offset":0'), tensor % (b"b", half, b',"offset":%d' % half)
    two = b'{"tensors":[%s,%s]}' % (left, right)
    write("two", two)
    write("spelled", two.replace(b'"x"', b'"./x"', 1))  # the same file by two paths
    edit, one, two, spelled = ["edit", "x", "--set", "z="], ["make", "one"], ["make", "two"], ["make", "spelled"]
    for words, replaced in (edit, False), (one, False), (two, False), (two, True), (spelled, False), (spelled, True):
        words = words + ["-o", "y"]
        results = []
        for version in versions:
            write("x", version)
            expect(run(*words), 0, "")
            results.append(content("y"))
        refused = 0
        for _, _, place in places(trace(tracer, 0, 0, *words)):
            if os.path.exists("y"):
                os.remove("y")
            status, said = follow(tracer, place, changing("x", *versions, replaced), words)
            if status == 0:
                assert content("y") in results, (words, place)
            else:
                assert status in (1, 2) and not os.path.exists("y"), (words, place, said)
            refused += "changed while" in said
        assert refused > 1, (words, refused)


def test_progress():
    """A line on a terminal, if a copy takes longer than a second."""
    if sanitized():
        raise Skip("the sanitizer reports that it is traced")
    tracer, chunk = build_test_c("fault_call"), 64 << 20
    text = '{"__metadata__":{"z":"1","b":"2"},"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (
        3 * chunk, 3 * chunk)
    write("x", frame(text))
    os.truncate("x", len(frame(text)) + 3 * chunk)  # a file with a hole
    real = trace(tracer, 0, 0, "canon", "x", "-o", "y")
    copied = [place for process, number, place in places(real) if real.calls[process][number - 1].result == chunk]
    assert len(copied) == 2, copied
    main, other = pty.openpty()
    with subprocess.Popen([tracer, "log", copied[1], "!sleep 1.2", lib.PROGRAM, "canon", "x", "-o", "z"], stderr=other,
                          stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(other)
        shown = lib.all_of(main)
        os.close(main)
    assert process.returncode == 0 and b" of 201.32 MB, " in shown and shown.endswith(b"\r\033[K"), shown
