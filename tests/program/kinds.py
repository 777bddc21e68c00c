"""Test the kinds of files that are not safetensors: each has a row of src/notes/file_kind.c, a corpus file and a
sentence."""

import os
import re

from lib import ROOT, check_one, frame, header, run, tensor, write

# Kind, file of corpus/invalid that shows it, a part of the sentence.
KINDS = [
    ("pytorch_zip", "W2-is-pytorch", "PyTorch checkpoint"),
    ("npz", "W2-is-npz", "NumPy archive"),
    ("keras", "W2-is-keras", "Keras model"),
    ("zip", "W2-is-zip", "ZIP archive"),
    ("zip_empty", "W2-is-zip-empty", "empty ZIP archive"),
    ("pytorch_legacy", "W2-is-pytorch-legacy", "old PyTorch checkpoint"),
    ("pickle", "W2-is-pickle-2", "loading it can run code from its author"),
    ("pickle", "W2-is-pickle-4", "Python pickle"),
    ("pickle_old", "W2-is-pickle-0", "Python pickle"),
    ("gguf", "W2-is-gguf", "GGUF file"),
    ("ggml", "W2-is-ggml", "GGML file"),
    ("hdf5", "W2-is-hdf5", "HDF5 file"),
    ("npy", "W2-is-npy", "NumPy array"),
    ("tflite", "W2-is-tflite", "TensorFlow Lite"),
    ("onnx", "W2-is-onnx", "ONNX model"),
    ("tensorflow", "W2-is-tensorflow", "SavedModel"),
    ("arrow", "W2-is-arrow", "Arrow file"),
    ("parquet", "W2-is-parquet", "Parquet file"),
    ("sqlite", "W2-is-sqlite", "SQLite database"),
    ("msgpack", "W2-is-msgpack", "MessagePack"),
    ("tar", "W2-is-tar", "tar archive: unpack it first"),
    ("gzip", "W3-is-gzip", "gzip: unpack it first"),
    ("zstd", "W2-is-zstd", "Zstandard: unpack it first"),
    ("xz", "W2-is-xz", "xz: unpack it first"),
    ("bzip2", "W2-is-bzip2", "bzip2: unpack it first"),
    ("lz4", "W2-is-lz4", "LZ4: unpack it first"),
    ("7z", "W2-is-7z", "7-Zip archive"),
    ("rar", "W2-is-rar", "RAR archive"),
    ("elf", "W2-is-elf", "program for Linux"),
    ("pe", "W2-is-windows-program", "program for Windows"),
    ("mach_o", "W2-is-mach-o", "program for macOS"),
    ("java", "W2-is-java-class", "Java class"),
    ("script", "W2-is-shell", "script"),
    ("pdf", "W2-is-pdf", "PDF document"),
    ("png", "W2-is-png", "PNG picture"),
    ("jpeg", "W2-is-jpeg", "JPEG picture"),
    ("lfs_pointer", "W2-is-lfs-pointer", "git lfs pull"),
    ("lfs_pointer", "W2-is-lfs-pointer-crlf", "git lfs pull"),
    ("http", "W2-is-http", "HTTP response with its header"),
    ("html", "W2-is-html", "web page"),
    ("xml", "W2-is-xml", "XML document"),
    ("json_error", "W2-is-access-denied", "error message in JSON"),
    ("json_index", "W2-is-index", "index of a model"),
    ("header_alone", "W2-is-header-alone", "without the 8 bytes of its length"),
    ("json", "W2-is-json", "a model's configuration"),
    ("length_big_endian", "W2-is-length-big-endian", "with a big-endian header length"),
    ("length_32_bit", "W2-is-length-32-bit", "4 bytes instead of 8"),
    ("zeros", "W4-is-zeros", "begins with zeros"),
    ("utf_16", "W2-is-utf-16", "UTF-16"),
    ("text", "W2-is-not-found", "plain text, perhaps an error message"),
    ("empty", "W1-0-bytes", "an empty file"),
    (None, "W2-is-ones", "not a safetensors file, or its first bytes are damaged"),
    (None, "W2-n-at-2-63", "not a safetensors file"),
]


def sentence(path):
    """Return what follows rule and byte."""
    (line,) = run("check", path).lines
    assert ": invalid: rule " in line, line
    return re.sub(r"^.*?: rule [A-Z0-9]+ at byte [0-9]+: [^:(]+( \(.*?\))?: ", "", line)


def test_kinds():
    for name, file, words in KINDS:
        path = os.path.join(ROOT, "corpus", "invalid", file + ".safetensors")
        found, text = check_one(path), sentence(path)
        assert found["kind"] == name, (file, found["kind"])
        assert words in text and (name is None or text.startswith("this is ")), (file, text)
        assert name is None or re.search(": [a-z].{20,}$", text), text  # and advice
        assert name is None or "expected" not in found["message"], found  # no numbers that the file does not contain


def test_every_kind_has_its_file():
    with open(os.path.join(ROOT, "src", "notes", "file_kind.c"), encoding="utf-8") as f:
        rows = re.findall(r'^(?:static const file_kind empty = |    )\{"(\w+)", "', f.read(), re.M)
    assert len(rows) > 40 and len(set(rows)) == len(rows)
    assert {name for name, _, _ in KINDS if name} == set(rows), set(rows) ^ {name for name, _, _ in KINDS}


def test_variants():
    for content, name in [
        (b"\n <HTML><head>", "html"),
        (b"\xef\xbb\xbf<!doctype html>", "html"),
        (b"<Error><Code>AccessDenied</Code></Error>", "xml"),
        (b"\x80\2}q\0." + bytes(9), "pickle"),
        (b"\x80\2\0q\0." + b"\xff" * 9, None),  # 0 is no instruction
        (b"}q\0(X\1\0\0\0a", "pickle_old"),
        (b"cposix\nsystem\n(S'id'\ntR.", "pickle_old"),
        (b"conversion of the model\nhas failed\n", "text"),
        (b"lmgg\1\0\0\0" + bytes(9), "ggml"),
        (b"trgg\1\0\0\0" + bytes(9), None),
        (b"MZ is how this text begins", "text"),
        (b'{"detail": "Not authenticated"}', "json_error"),
        (b'{\n  "weight_map": {}}', "json_index"),
        (b"\xde\0\1\xa1a\xc0" + bytes(9), "msgpack"),
        (b"\x81\xa1\1\xc0" + b"\xff" * 9, None),  # a key without letters
        (b"\xff" * 257 + b"ustar" + bytes(20), "tar"),
        (b"PK\3\4", "zip"),  # and no more
        (b"PK", None),
    ]:
        write("x", content)
        assert check_one("x")["kind"] == name, (content, check_one("x")["kind"])


def test_what_is_safetensors_but_broken_is_nothing_else():
    write("x", frame(header([("PK\\u0003", tensor(0, 4))]), b"PK\3\4PK\3\4"))
    assert check_one("x")["kind"] is None and "ZIP" not in run("check", "x").out
    # Header lengths that begin like a pickle, a gzip file or a JPEG picture, and a file that is cut.
    for length in (0x0280, 0x280280, 0x088B1F, 0xFFD8FF):
        text = header([("a", tensor(0, 4))])
        write("x", frame(text + " " * (length - len(text))))
        found = check_one("x")
        assert found["rule"] == "G3" and found["kind"] is None, found
        with open("x", "r+b") as f:
            f.truncate(length // 2)
        found = check_one("x")
        assert found["rule"] == "F3" and found["kind"] is None, found
        assert found["message"].endswith("missing: replace the file with a complete copy"), found


def test_an_index_that_is_something_else():
    write("m.safetensors.index.json", b"<!DOCTYPE html><p>Sign in</p>")
    (line,) = run("check", "m.safetensors.index.json").lines
    assert line.endswith("this is a web page, perhaps an error or a login form: it is not the model: look at it with a "
                         "text viewer, then get the file again"), line
