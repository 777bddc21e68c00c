#!/usr/bin/env python3
"""Make the files that are too large to be kept: headers that are meant to cost time and memory.

    corpus/large.py DIR [BYTES [NAME...]]    headers of about BYTES bytes (100,000,000, the maximum)

DIR gets the files and a manifest.tsv, so that `corpus/run.py --corpus DIR --timeout 100 PROGRAM` works there. A
reader should need time and memory in proportion to the header, and no stack. The verdicts hold for every size from
2,000 bytes on.
"""
import itertools
import os
import struct
import sys

import make

LIMIT = 100_000_000
PIECE = 1 << 16
CASES = {}


def case(name, offset=None, reference="accept", data=0, **errors):
    """Register a generator of header pieces: case(rule, offset)(function of the header size)."""
    def register(function):
        CASES[function.__name__.replace("_", "-")] = (name, offset, reference, data, errors, function)
        return function
    return register


def many(text, size):
    """Yield the text in large pieces, repeated to at most this many bytes."""
    count = max(size, 0) // len(text)
    each = max(PIECE // len(text), 1)
    for _ in range(count // each):
        yield text * each
    yield text * (count % each)


def numbered(form, size):
    """Yield form % 0, form % 1 ... with commas between them, at most this many bytes."""
    left = size
    for k in itertools.count():
        text = form(k) if k == 0 else b"," + form(k)
        left -= len(text)
        if left < 0:
            return
        yield text


def tensor(name, shape, begin, end):
    return b'"%s":{"dtype":"U8","shape":[%s],"data_offsets":[%d,%d]}' % (name, shape, begin, end)


def around(before, middle, after):
    yield before
    yield from middle
    yield after


REJECT, NOT_UTF8, OFFSET = "reject InvalidHeaderDeserialization", "reject InvalidHeader", "reject InvalidOffset"
EMPTY = b'":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'


@case("ok")
def spaces_behind(size):
    return around(b"{}", many(b" ", size - 2), b"")


@case("ok")
def spaces_inside(size):
    return around(b"{", many(b"\t\r\n ", size - 2), b"}")


@case("start", 8)
def spaces_before(size):
    return around(b"", many(b" ", size - 2), b"{}")


@case("trailing", 10, REJECT)
def zeros_behind(size):
    return around(b"{}", many(b"\0", size - 2), b"")


@case("type", 13, REJECT, tensor=0)
def arrays_in_arrays(size):
    return around(b'{"a":', many(b"[", size - 5), b"")


@case("type", 13, REJECT, tensor=0)
def arrays_in_arrays_closed(size):
    return around(b'{"a":', itertools.chain(many(b"[", size // 2 - 3), many(b"]", size // 2 - 3)), b"}")


@case("member_unknown", 14, REJECT, tensor=0)
def objects_in_objects(size):
    return around(b'{"a":{', many(b'"x":{', size - 6), b"")


@case("ok")
def one_name(size):
    return around(b'{"', many(b"n", size - len(EMPTY) - 2), EMPTY)


@case("ok")
def one_name_escaped(size):
    return around(b'{"', many(b"\\u0061", size - len(EMPTY) - 2), EMPTY)


@case("ok")
def one_name_of_pairs(size):
    return around(b'{"', many(b"\\ud83d\\ude00", size - len(EMPTY) - 2), EMPTY)


@case("ok")
def one_metadata_value(size):
    return around(b'{"__metadata__":{"k":"', many("\U0010ffff".encode(), size - 26), b'"}}')


@case("header_early", "END", REJECT)
def open_string(size):
    return around(b'{"', many(b"a", size - 2), b"")


@case("header_early", "END", REJECT)
def open_escapes(size):
    return around(b'{"', many(b"\\\\", size - 3), b"")


@case("ok")
def many_tensors(size):
    return around(b"{", numbered(lambda k: tensor(b"%d" % k, b"0", 0, 0), size - 2), b"}")


@case("name_twice", "LAST", tensor="COUNT", other=0)
def last_name_twice(size):
    twice = b"," + tensor(b"0", b"0", 0, 0)
    return around(b"{", numbered(lambda k: tensor(b"%d" % k, b"0", 0, 0), size - 2 - len(twice)), twice + b"}")


@case("ok")
def names_that_differ_late(size):
    width = min(1000, size // 10)
    return around(b"{", numbered(lambda k: tensor(b"n" * width + b"%08d" % k, b"0", 0, 0), size - 2), b"}")


@case("ok")
def many_pairs(size):
    return around(b'{"__metadata__":{', numbered(lambda k: b'"%x":""' % k, size - 19), b"}}")


@case("hole", "DATA", "reject MetadataIncompleteBuffer", data=1, expected=0, found=1)
def many_pairs_and_a_byte(size):
    return around(b'{"__metadata__":{', numbered(lambda k: b'"%x":""' % k, size - 19), b"}}")


@case("ok", data=1)
def many_dims(size):
    return around(b'{"a":{"dtype":"U8","shape":[1', many(b",1", size - 54), b'],"data_offsets":[0,1]}}')


@case("ok")
def many_dims_of_0(size):
    return around(b'{"a":{"dtype":"U8","shape":[0', many(b",0", size - 54), b'],"data_offsets":[0,0]}}')


@case("shape_overflow", 35, "reject ValidationOverflow", tensor=0)
def many_dims_of_2(size):
    return around(b'{"a":{"dtype":"U8","shape":[2', many(b",2", size - 54), b'],"data_offsets":[0,0]}}')


@case("number_range", 36, REJECT, tensor=0)
def one_number(size):
    return around(b'{"a":{"dtype":"U8","shape":[', many(b"9", size - 53), b'],"data_offsets":[0,0]}}')


@case("number_form", 36, REJECT, tensor=0)
def one_number_of_zeros(size):
    return around(b'{"a":{"dtype":"U8","shape":[', many(b"0", size - 53), b'],"data_offsets":[0,0]}}')


@case("offsets_count", 58, REJECT, tensor=0, expected=2, found=3)
def many_offsets(size):
    return around(b'{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0', many(b",0", size - 53), b"]}}")


@case("overlap", "DATA", OFFSET, data=1, tensor=1, other=0, expected=1, found=0)
def all_on_one_byte(size):
    return around(b"{", numbered(lambda k: tensor(b"%d" % k, b"1", 0, 1), size - 2), b"}")


@case("hole", "DATA+1", OFFSET, data="2*COUNT+1", tensor=1, other=0, expected=1, found=2)
def every_other_byte(size):
    return around(b"{", numbered(lambda k: tensor(b"%d" % k, b"1", 2 * k, 2 * k + 1), size - 2), b"}")


@case("ok", data="COUNT+1")
def downwards(size):
    """Tensors of one byte each, the last one first."""
    count = sum(1 for _ in numbered(lambda k: tensor(b"%d" % k, b"1", size, size), size - 2))
    tensors = numbered(lambda k: tensor(b"%d" % k, b"1", count - 1 - k, count - k), size)
    return around(b"{", itertools.islice(tensors, count), b"}")


@case("ok", data=1 << 40)
def a_terabyte_of_nothing(size):
    """A sparse file: almost nothing on the disk, a terabyte for a reader that loads it."""
    del size
    return [tensor(b"a", b"1099511627776", 0, 1 << 40).join((b"{", b"}"))]


def write(path, name, size):
    """Write the file; return its line of the manifest."""
    rule, offset, reference, data, errors, pieces = CASES[name]
    count, last, end = 0, 0, 8
    with open(path, "wb") as f:
        f.write(bytes(8))
        for piece in pieces(size):
            last, end = end, end + len(piece)  # f.tell() for each would take longer than everything else
            count += piece.count(b'"shape"')
            f.write(piece)
        f.seek(0)
        f.write(struct.pack("<Q", end - 8))
        count -= 1  # the index of the last tensor
        data = {"COUNT+1": count + 1, "2*COUNT+1": 2 * count + 1}.get(data, data)
        f.truncate(end + data)
    errors = {field: count if value == "COUNT" else value for field, value in errors.items()}
    places = {None: "", "END": end, "DATA": end, "DATA+1": end + 1, "LAST": last + 1}
    return make.manifest_row(os.path.basename(path), dict(errors, name=rule, offset=places.get(offset, offset),
                                                          reference_verdict=reference, note=name, origin="large"))


def main(args):
    if not args:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder, size = args[0], int((args + [LIMIT])[1])
    os.makedirs(folder, exist_ok=True)
    rows = [write(os.path.join(folder, name + ".safetensors"), name, size) for name in args[2:] or CASES]
    with open(os.path.join(folder, "manifest.tsv"), "wb") as f:
        f.write(make.table(make.COLUMNS, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
