"""Cases: files that are also, or only, something else: by their first bytes, their last bytes, and inside."""
import struct

from cases.kit import A, DATA, MARK, MEASURED, SIZE, body, doc, good, measured, raw, t

PICKLE = b"\x80\x02cbuiltins\nprint\nX\x02\x00\x00\x00hi\x85R."
PICKLE_0 = b"cbuiltins\nprint\n(S'hi'\ntR."
PICKLE_4 = b"\x80\x04\x95\x1b\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x8c\x05print\x93\x8c\x02hi\x85R."
NAME, CONTENT, CRC = b"x", b"hi", 0xD8932AAC


def zip_archive(at=0):
    """Return a ZIP archive with one stored member, for a file in which it begins at this byte."""
    sizes = struct.pack("<III", CRC, len(CONTENT), len(CONTENT))
    local = b"PK\x03\x04" + struct.pack("<HHHHH", 20, 0, 0, 0, 0x21) + sizes + struct.pack("<HH", len(NAME), 0) + NAME
    entry = b"PK\x01\x02" + struct.pack("<HHHHHH", 20, 20, 0, 0, 0, 0x21) + sizes + \
        struct.pack("<HHHHHII", len(NAME), 0, 0, 0, 0, 0, at) + NAME
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), at + len(local + CONTENT), 0)
    return local + CONTENT + entry + end


GGUF = b"GGUF" + struct.pack("<IQQ", 3, 0, 0)
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHI", 2, 62, 1)
HTML = b"<!DOCTYPE html><script>alert(1)</script>"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0123456789abcdef" * 4 + b"\nsize 548105171\n"
# What files with the name of a model often are.
WHOLE = {
    "pickle-0": PICKLE_0, "pickle-2": PICKLE, "pickle-4": PICKLE_4, "zip": zip_archive(), "gguf": GGUF, "elf": ELF,
    "html": HTML,
    "lfs-pointer": POINTER, "lfs-pointer-crlf": POINTER.replace(b"\n", b"\r\n"),
    "gzip": b"\x1f\x8b\x08" + bytes(7) + b"\x03\x00",
    "zstd": b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00", "xz": b"\xfd7zXZ\x00\x00\x04", "bzip2": b"BZh91AY&SY",
    "7z": b"7z\xbc\xaf\x27\x1c\x00\x04\x00", "rar": b"Rar!\x1a\x07\x01\x00\x00", "png": b"\x89PNG\r\n\x1a\n\x00",
    "pdf": b"%PDF-1.7\n%\xe2\xe3\n", "windows-program": b"MZ\x90\x00\x03\x00\x00\x00\x04",
    "mach-o": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01\x03",
    "java-class": b"\xca\xfe\xba\xbe\x00\x00\x00\x41\x00", "hdf5": b"\x89HDF\r\n\x1a\n\x00",
    "npy": b"\x93NUMPY\x01\x00\x76\x00",
    "onnx": b"\x08\x07\x12\x07pytorch", "tflite": b"\x1c\x00\x00\x00TFL3\x14", "shell": b"#!/bin/sh\nid\n",
    "json": b'{"a":{"dtype":"U8"}}',
    "not-found": b"Entry not found", "access-denied": b'{"error":"Access to model x is restricted."}',
    "xml": b'<?xml version="1.0"?>',
    "zeros": bytes(64), "ones": b"\xff" * 64, "utf-16": "{}".encode("utf-16") + bytes(4), "spaces": b" " * 16,
    "header-alone": body().encode(), "length-big-endian": struct.pack(">Q", 2) + b"{}",
    "length-32-bit": struct.pack("<I", 2) + b"{}  ",
    "length-as-text": b"00000002{}", "shifted-by-one": b"\x00" + struct.pack("<Q", 2) + b"{}",
}


def member(name):
    """Return the beginning of a ZIP archive up to the name of its first member."""
    return b"PK\x03\x04" + struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, 0, 2, 2, len(name), 0) + name + b"hi"


# Kinds that the program distinguishes: src/notes/file_kind.c. The verdict of the reference on them follows from the
# header length.
KINDS = {
    "pytorch": member(b"archive/data.pkl"), "npz": member(b"weight.npy"), "keras": member(b"metadata.json"),
    "zip-empty": b"PK\x05\x06" + bytes(18),
    "pytorch-legacy": b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.",
    "ggml": b"tjgg\x03\x00\x00\x00\x00\x7d\x00\x00", "tensorflow": b"\x08\x01\x12\x92\x08\x0a\x07\x0a\x05",
    "arrow": b"ARROW1\x00\x00\xff\xff\xff\xff", "parquet": b"PAR1\x15\x04\x15\x10", "sqlite": b"SQLite format 3\x00",
    "msgpack": b"\x82\xa6params\x81\xa6kernel\xc0\xa4step\x01",
    "tar": b"model/weights".ljust(257, b"\x00") + b"ustar\x0000".ljust(255, b"\x00"),
    "lz4": b"\x04\x22\x4d\x18\x64\x40\xa7\x00", "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "http": b"HTTP/1.1 403 Forbidden\r\n\r\n", "index": b'{"metadata":{},"weight_map":{"a":"b"}}',
}


def whole():
    for file, data in KINDS.items():
        n = int.from_bytes(data[:8], "little")
        assert n > 10**8
        raw("W2", "header_large", "is-" + file, data, 0, "reject HeaderTooLarge", origin="not-a-model", expected=10**8,
            found=n)
    for file, data in WHOLE.items():
        n = int.from_bytes(data[:8], "little")
        origin = "lfs-pointer" if file.startswith("lfs") else "not-a-model"
        if n == 0:
            raw("W4", "header_early", "is-" + file, data, 8, MEASURED, origin=origin)
        elif n > 10**8:
            raw("W2", "header_large", "is-" + file, data, 0, MEASURED, origin=origin, expected=10**8, found=n)
        else:
            raw("W3", "header_cut", "is-" + file, data, SIZE, MEASURED, origin=origin, expected=8 + n, found=len(data))


def tails():
    """Bytes after a valid model that belong to no tensor: after the data and after the JSON."""
    size = 8 + len(doc(A)) + 4
    second = struct.pack("<Q", 2) + b"{}"
    for file, tail in [("pickle", PICKLE), ("zip", zip_archive(size)), ("gguf", GGUF), ("elf", ELF), ("html", HTML),
                       ("newline", b"\n"), ("zeros", bytes(8)), ("model", second), ("lfs-pointer", POINTER), ("padding",
                       b" " * 4)]:
        measured("W66", "hole", "then-" + file, doc(A), b"abcd" + tail, at=DATA + 4, origin="polyglot", other=0,
            expected=4, found=4 + len(tail))
        measured("W20", "trailing", "then-" + file,
            doc(A).encode() + MARK + tail.lstrip(b" ") + b"\x00" * (not tail.strip(b" ")),
            b"abcd", origin="polyglot", decision="D2" if file == "newline" else "")
        good_tail = b"abcd" + tail
        good("is-also-" + file, doc(t("a", shape="[%d]" % len(good_tail), end=len(good_tail))), good_tail,
            origin="polyglot",
             note="in a tensor: no byte is uncovered, and that is all that is claimed")


def heads():
    """Bytes between the header and the first tensor; and in the header, where the grammar allows none."""
    for file, head in [("pickle", PICKLE), ("zip", zip_archive()), ("gguf", GGUF), ("elf", ELF), ("html", HTML)]:
        header = doc(t("a", begin=len(head), end=len(head) + 4))
        measured("W65", "hole", "first-" + file, header, head + b"abcd", at=DATA + 0, origin="polyglot", tensor=0,
            expected=0, found=len(head))
        measured("W11", "start", "header-" + file, MARK + head + b"{}", origin="polyglot")
    for file, text in [("html", "<script>alert(1)</script>"), ("shell", "$(id)"), ("terminal", "\\u001b[2J"),
                       ("path", "../../etc/passwd"), ("absolute-path", "/etc/passwd"), ("backslashes", "..\\\\..\\\\x"),
                       ("format", "%s%n"), ("bidi", "\u202egnp.exe"), ("prototype", "__proto__"), ("formula", "=1+1")]:
        good("name-is-" + file, doc(t(text)), 4, origin="name-as-path", note="names are a stranger's words")
        good("metadata-is-" + file, '{"__metadata__":{"%s":"%s"}}' % (text, text), origin="name-as-path")
    for file, n in [("pickle", 0x0280), ("zlib", 0x0178), ("shell", 0x2123)]:
        good("length-reads-as-" + file, "{}" + " " * (n - 2), origin="length-as-magic",
             note="the first bytes of N are the mark of another format")


whole()
tails()
heads()
