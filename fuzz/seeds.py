#!/usr/bin/env python3
"""Make the first inputs of every harness from corpus/, and the dictionary from the tables of spec/.

    fuzz/seeds.py OUT         write OUT/HARNESS/*; fuzz/harness_HARNESS.c describes the inputs of a harness
    fuzz/seeds.py --zip OUT   write OUT/HARNESS_seed_corpus.zip and OUT/HARNESS.dict, for OSS-Fuzz
    fuzz/seeds.py --longest HARNESS   print the maximum size of an input
    fuzz/seeds.py --dict      write fuzz/assay.dict (--check: compare it)
"""
import json
import os
import random
import shutil
import struct
import sys
import zipfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HARNESSES = ["parse", "header", "structure", "large", "access", "decode", "flat", "index", "remote", "edit",
             "write", "program"]
if os.path.exists(os.path.join(ROOT, "build", "differential", "libreference.a")):  # see fuzz/differential/build.sh
    HARNESSES.append("differential")
DICTIONARY = os.path.join(ROOT, "fuzz", "assay.dict")
NONE = 2**64 - 1
MOST = 8192  # bytes of a seed
LONGEST = {"structure": 65536}  # bytes of an input; only its mutator makes hundreds of tensors, and rarely
USUAL = 4096  # for the others


def table(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().split("\n") if line]
    return [dict(zip(head, row)) for row in rows]


def corpus():
    """Yield name and bytes of every file of the manifest that is not long."""
    for row in table("corpus/manifest.tsv"):
        with open(os.path.join(ROOT, "corpus", row["file"]), "rb") as f:
            data = f.read()
        if len(data) <= MOST:
            yield row["file"].replace("/", "-").replace(".safetensors", ""), data
    texts = {**{"nearly-%d" % k: text for k, text in enumerate(NEARLY)}, "valid-characters": characters()}
    for name, text in texts.items():
        yield name, len(text).to_bytes(8, "little") + text


# Names that differ from those of the format after their first eight bytes, or in a character that is not a byte.
NEARLY = [b'{"a":{"dtype":"F9_E4M3FNUZ"}}', b'{"a":{"dtype\xc3\xa9":"U8"}}', b'{"a":{"shape\\u00e9":[]}}',
          b'{"a":{"data_offsets_":[]}}']


def characters():
    """Return a valid header: tensor names at the boundaries of UTF-8 lengths, metadata keys with these as escapes."""
    codes = [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    keys = ",".join('"%s":"%s"' % (json.dumps(chr(code))[1:-1], chr(code)) for code in codes)
    tensors = ",".join('"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % chr(code) for code in codes)
    return ('{"__metadata__":{%s},%s}' % (keys, tensors)).encode()


def split(data):
    """Return the head and the size of what follows it."""
    n = struct.unpack("<Q", data[:8].ljust(8, b"\0"))[0]
    end = min(8 + n, len(data))
    return data[:end], len(data) - end


def parse(data):
    return data


def header(data, file_size=None, head=NONE, **options):
    """Make an input of fuzz/harness_header.c: the head, then the options."""
    part = data if head == NONE else data[:head]
    limits = [min(options.get("max_" + name, 0xFFFF), 0xFFFF) for name in ("tensors", "rank", "name", "metadata")]
    size = len(data) if file_size is None else file_size
    flags = options.get("flags", 4 if options.get("relax") else 0)
    return part + struct.pack("<QQHHHHHBB", size, options.get("max_header", NONE), *limits, 0,
                              flags, options.get("api", 1))


def structure(data):
    head, size = split(data)
    return head + struct.pack("<Q", size)


def large(data, piece=None, place=0, more=0, scale=48):
    """Make an input of fuzz/harness_large.c: mostly 64 KiB of a piece at a position that depend on the bytes."""
    some = zlib.crc32(data)
    if piece is None:
        piece, place, more, scale = some % 6, some // 6 % 16, some // 96 % 4096, 0
    return structure(data) + struct.pack("<BBHB", piece, place, more, scale)


# A file, and a position for each piece: white space, a long name, a long value, dims, pairs, tensors.
TWO = b'{"__metadata__":{"k":"v"},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
TWO = len(TWO).to_bytes(8, "little") + TWO + b"1"
PLACES = [0, 6, 4, 2, 1, 0]


CALLS = bytes(range(12)) + bytes(b for k in range(12) for b in (k, 0, 1, 0, 2, 1, 1, 0, 1, 3, 2))


# Tampered slices (fuzz/harness_access.c, call 9) of a tensor of rank 2: a field of the tensor or of the slice, and
# its new value: a small number, a very large one, an exact one.
TOP = (255, 255, 255, 255, 255, 255, 255, 255, 255)
NEAR = [(0,), (1,), (7,), (230,), (255, 0, 0, 0, 0, 0, 0, 0, 128), (*TOP[:8], 127)]
SLICE = (9, 0, 1, 0, 3, 1, 0, 1, 1)
FORGED = [bytes(b for which in range(8) for near in NEAR for b in (9, 0, 1, 0, 3, step, 0, 1, 1, 6, 1, which, *near))
          for step in (1, 2)]
FORGED.append(bytes(b for which in range(6) for near in NEAR for b in (*SLICE, which, *near, 0)))
# A step beyond 2^64: bits, first, span and jump of its first axis.
FORGED.append(bytes([*SLICE, 6, 4, 1, *TOP, 3, *TOP[:8], 192, 4, *TOP, 5, *TOP[:8], 127]))
# A tensor whose offsets, read as its dims, have a product that is too large; it is the second in layout order.
HUGE = (b'{"b":{"data_offsets":[1152921504606846976,1729382256910270464],"dtype":"U8","shape":[288230376151711744,2]},'
        b'"a":{"data_offsets":[0,1152921504606846976],"dtype":"U8","shape":[1152921504606846976]}}')
# Two dims of 1, of which the slice has one.
ONES = b'{"a":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]}}'
FEWER_AXES = bytes([8, 0, 255, 0, 1, 1])
READ_OFFSETS = bytes([9, 1, *SLICE[2:], 3, 8 + HUGE.index(b"[") + 1, 0])


def access(data, calls=CALLS):
    return split(data)[0] + calls


def decode(data):
    """Make an input of fuzz/harness_decode.c: a text and dims that begin after a quote and a bracket."""
    head = split(data)[0].ljust(10, b" ")
    at, dims = head.find(b'"') + 1, head.find(b"[") + 1
    end = head.find(b'"', at)
    front = struct.pack("<HHHB", at if len(head) % 2 else dims, max(end, 0), 4, 4)
    return front + head[at:at + 4].ljust(4, b"a") + head


def flat(data):
    """Make an input of fuzz/harness_flat.c: a slice of the first row, with steps of 2, and the file."""
    numbers = [0, 2, 2, 0] + [2, 0, 4, 2] * 9
    return bytes([40]) + b"".join(number.to_bytes(8, "little") for number in numbers) + data


# Steps of fuzz/harness_edit.c: kind, key, value.
SET, DELETE, RENAME, CLEAR = (bytes([kind]) for kind in range(4))
STEPS = [b"\0", b"\x01" + SET + b"\x01k\x01v", b"\x02" + SET + b"\x06format\x02\"\n" + RENAME + b"\x06format\x01k",
         b"\x01" + CLEAR + b"\0\0", b"\x02" + CLEAR + b"\0\0" + SET + b"\x01k\0",
         b"\x02" + SET + b"\x01a\x01b" + DELETE + b"\x01a\0"]


def edit(data):
    """Make an input of fuzz/harness_edit.c, with steps that depend on the bytes."""
    head, size = split(data)
    some = zlib.crc32(data)
    return STEPS[some % len(STEPS)] + bytes([size & 255, some >> 8 & 1, some >> 16 & 7]) + head[8:]


DTYPES = [row["name"] for row in table("spec/dtypes.tsv")]


def described_text(text):
    """Return a text of an input of fuzz/harness_write.c: a length up to 40, and the bytes; 255: the reserved name."""
    data = text.encode("utf-8", "surrogatepass")[:40]
    return b"\xff" if data == b"__metadata__" else bytes([len(data)]) + data


def pairs_of(value):
    """Return the members of a JSON object, read by object_pairs_hook; none of another value."""
    return [pair for pair in value if isinstance(pair, tuple)] if isinstance(value, list) else []


def write(data):
    """Make an input of fuzz/harness_write.c: a description of what a header has, if it can be read; with options and
    defects that depend on the bytes."""
    some, head = zlib.crc32(data), split(data)[0][8:]
    try:
        root = json.loads(head.decode("utf-8", "surrogateescape"), object_pairs_hook=list)
    except (ValueError, RecursionError):
        root = []
    tensors, metadata = [], []
    for name, value in pairs_of(root):
        if name == "__metadata__":
            metadata += [described_text(key) + described_text(text) for key, text in pairs_of(value)
                         if isinstance(text, str)]
        elif pairs_of(value):
            member = dict(pairs_of(value))
            shape = member.get("shape")
            dims = [dim for dim in shape if isinstance(dim, int)][:4] if isinstance(shape, list) else []
            dtype = DTYPES.index(member["dtype"]) + 1 if member.get("dtype") in DTYPES else 0
            tensors.append(described_text(name) + bytes([dtype, len(dims)]) + b"".join(map(described_dim, dims)))
    front = bytes([some % 4 if some >> 8 & 1 else 0, 0 if some >> 9 & 3 else some >> 16 & 255, len(tensors[:32]),
                   len(metadata[:16])])
    return front + b"".join(tensors[:32] + metadata[:16])


def described_dim(dim):
    return bytes([dim]) if 0 <= dim < 255 else b"\xff" + struct.pack("<Q", dim & NONE)


MAKE = {"parse": parse, "header": header, "structure": structure, "large": large, "access": access, "decode": decode,
        "edit": edit, "write": write, "flat": flat, "program": parse, "differential": parse}


def indexes():
    """Yield indexes of models, valid and broken, from tests/conformance/index_check.py."""
    sys.path.insert(0, os.path.join(ROOT, "tests", "conformance"))
    import index_check  # pylint: disable=import-outside-toplevel
    r = random.Random(1)
    for k in range(150):
        data = index_check.document(r)
        yield "index-%03d" % k, data if k % 3 else index_check.broken(r, data)
    for k, path in enumerate(index_check.BAD_PATHS):
        yield "index-path-%02d" % k, json.dumps({"weight_map": {"a": "a.safetensors", "b": path}}).encode()


# Heads of responses, one line each, and addresses, with the path of a shard and the Hub's endpoint:
# fuzz/harness_remote.c.
FINE = ["HTTP/1.1 206 x", "Content-Length: 8", "Content-Range: bytes 0-7/99"]
DATES = ["Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT", "Date: Sat, 21 Nov 2026 10:00:01 GMT"]
ANSWERS = [[*FINE, 'ETag: "1"'], [*FINE, 'ETag: W/"1"', *DATES], [*FINE, *reversed(DATES)],
           ["HTTP/1.0 200 OK", FINE[1]], ["HTTP/1.1 100 Continue", "", *FINE, 'ETag: "\x01"'],
           [*FINE, "Last-Modified: Sat,\x0121 Nov 2026 10:00:00 GMT", DATES[1]],
           ["HTTP/2 200", "content-encoding: identity", "TRANSFER-ENCODING: chunked", "Content-Length: 1", FINE[1]],
           ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 18446744073709551616"],
           [DATES[0], 'ETag: "%s"' % ("x" * 254), 'ETag: "%s"' % ("x" * 253), "X-Repo-Commit: " + "0" * 65],
           ["HTTP/1.1 401 x", "X-Error-Message: Access to this resource is disabled.", "x-error-code: GatedRepo",
            "X-Error-Code: RepoNotFound", "X-Error-Code: x",
            "X-Error-Message: Invalid credentials in Authorization header"],
           ["HTTP/1.1 404 x", "X-Error-Code: EntryNotFound"], ["HTTP/1.1 404 x", "X-Error-Code: RevisionNotFound"],
           ["HTTP/1.1 403 x", "X-Error-Code: DisabledRepo"], ["HTTP/1.1 403 x", "X-Error-Code: GatedRepo1"],
           ["HTTP/1.1 206 x", "Content-Range: bytes */99", "X-Repo-Commit: " + "0123456789abcdef" * 4],
           ["HTTP/1.1 206 x", "Content-Range: bytes 0-7/*", "X-Repo-Commit: " + "0f" * 20],
           ["HTTP/1.1 206 x", "Content-Range: bytes 0-7/18446744073709551615", "Content-Range: bytes 0-7/9"],
           ["HTTP/1.1 200 OK", "Content-Length: 9223372036854775807", "Transfer-Encoding: gzip, chunked"]]
ADDRESSES = ["https://example.org/m/model.safetensors", "HTTP://a:1/m%20n/a%20b.safetensors.index.json?k=v&l=%20#part",
             "http://me:secret@a/x", "https://a?b", "http://a#b", "hf://o/m", "hf://o/m/", "hf://o/m@refs/pr/1",
             "hf://o/m@v1.0/x y.safetensors", "HF://o/m@refs%2Fpr%2F1/model.safetensors.index.json", "hf://o/m/../x",
             "hf://o/m/d/model.safetensors.index.fp16.json", "hf://o/m@a..b/x.safetensors.index.json",
             "hf://o/m@refs/pr", "./https://x/y"]
PATHS = ["a b/\u00fc.safetensors", "../x.safetensors", ""]
ENDPOINTS = ["https://huggingface.co", "http://127.0.0.1:1/hub", "huggingface.co", "http://a?b"]


def remotes():
    for k, lines in enumerate(ANSWERS):
        yield "answer-%02d" % k, bytes(9) + b"\7\0\0\0" + "\r\n".join([*lines, "", ""]).encode()
    for k, address in enumerate(ADDRESSES):
        for i, path in enumerate(PATHS):
            yield "address-%02d-%d" % (k, i), "\0".join(["\1\3\1"[i] + address, path, ENDPOINTS[k % 4]]).encode()
    for k in range(3):  # as long as a URL may be, and longer: an escape has three bytes
        yield "address-long-%d" % k, b"\1hf://o/m/" + b"x" * k + b"%" * 3000 + b"\0\0https://huggingface.co"


def seeds(harness):
    if harness in ("index", "remote"):
        yield from indexes() if harness == "index" else remotes()
        return
    for name, data in corpus():
        if harness != "access" or name.startswith("valid"):
            yield name, MAKE[harness](data)
    for k, calls in enumerate(FORGED if harness == "access" else []):
        with open(os.path.join(ROOT, "corpus", "valid", "real", "runai-test.safetensors"), "rb") as f:
            yield "forged-%d" % k, access(f.read(), calls)
    if harness == "access":
        yield "slice-fewer-axes", access(len(ONES).to_bytes(8, "little") + ONES, FEWER_AXES)
        yield "forged-huge", access(len(HUGE).to_bytes(8, "little") + HUGE, READ_OFFSETS)
    for k, row in enumerate(table("corpus/options.tsv") if harness == "header" else []):
        with open(os.path.join(ROOT, "corpus", row["file"]), "rb") as f:
            data = f.read()
        options = {name: int(number) for name, number in (word.split("=") for word in row["options"].split())}
        if len(data) <= MOST:
            yield "options-%03d" % k, header(data, **options)
    for k, options in enumerate(WIDE if harness == "header" else []):
        with open(os.path.join(ROOT, "corpus", "valid", "cut-nowhere.safetensors"), "rb") as f:
            yield "wide-%d" % k, header(f.read(), **options)
    for piece, place in enumerate(PLACES if harness == "large" else []):
        for name, scale in ("1-mib", 60), ("most", 63):
            yield "%s-%d" % (name, piece), large(TWO, piece, place, 0xFFFF, scale)


# Options that differ from their low 32 bits: limits of 2^32, relax of 2^32, api of 1 + 2^32 (flags of
# fuzz/harness_header.c).
WIDE = [{"max_" + name: 0xFF01} for name in ("tensors", "rank", "name", "metadata")] + [{"flags": 8}, {"flags": 16}]


def longest(harness):
    return LONGEST.get(harness, USUAL)


def dictionary():
    words = ["{", "}", "[", "]", ":", ",", "{}", "[]", '""', "[0,0]", "null", "true", "1e0", "-0",
             "18446744073709551615", "18446744073709551616", "2305843009213693951", "4294967296",
             "\\u0000", "\\ud83d\\ude00", "\\udc00", "\\ud800", "\\u00e9", "\u00e9", "\U0001F600", "\ufeff", "\u202e",
             '\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t",
             "__metadata__", "dtype", "shape", "data_offsets", "weight_map", "metadata", "total_size", ".safetensors",
             "..",
             '"weight_map":{"a":"b.safetensors"}', '"metadata":{"total_size":0}', "-00001-of-00002.safetensors",
             '"__metadata__":{"a":"b"}', '"dtype":"U8"',
             '"shape":[1]', '"data_offsets":[0,1]', '"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}']
    words += ['"%s"' % row["name"] for row in table("spec/dtypes.tsv")]
    raw = [word.encode() for word in words]
    raw += [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x1f", b"\x7f"]
    raw += [struct.pack("<Q", n) for n in (0, 2, 100_000_000, 100_000_001, 2**32, 2**63, 2**64 - 1)]
    lines = ["# Words of the format. Made by fuzz/seeds.py --dict from spec/: do not edit."]
    for word in raw:
        plain = (chr(b) if 32 <= b < 127 and b not in b'"\\' else "\\x%02X" % b for b in word)
        lines.append('"%s"' % "".join(plain))
    return "\n".join(lines) + "\n"


def main(args):
    if args[0] == "--longest":
        print(longest(args[1]))
        return 0
    if args == ["--dict"]:
        with open(DICTIONARY, "w", encoding="ascii") as f:
            f.write(dictionary())
        return 0
    if args == ["--dict", "--check"]:
        with open(DICTIONARY, encoding="ascii") as f:
            same = f.read() == dictionary()
        print("fuzz/assay.dict is %swhat fuzz/seeds.py makes" % ("" if same else "not "))
        return 0 if same else 1
    out = args[-1]
    for harness in HARNESSES:
        if args[0] == "--zip":
            with zipfile.ZipFile(os.path.join(out, harness + "_seed_corpus.zip"), "w", zipfile.ZIP_DEFLATED) as z:
                for name, data in seeds(harness):
                    z.writestr(name, data)
            shutil.copy(DICTIONARY, os.path.join(out, harness + ".dict"))
            continue
        folder = os.path.join(out, harness)
        os.makedirs(folder, exist_ok=True)
        for name, data in seeds(harness):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
    return 0


if __name__ == "__main__":
    if not sys.argv[1:] or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__.strip())
    sys.exit(main(sys.argv[1:]))
