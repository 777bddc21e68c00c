"""Compare the logic of the bytes of a tensor's members with Python: a dtype in eight bytes, an item, a shape.

    for section in SECTIONS: section(space)    raises Wrong

A header is read faster where a tensor repeats bytes of the one before. These predicates state what such bytes mean.
Regular expressions and Python's integers state the same.
"""
import itertools
import json
import re

import acsl
import model
from questions import gives, holds
from tensors_and_header import ARRAYS
from texts_and_tokens import TOP, places, stopped

ROOTS = ("byte_of", "low_bytes", "names_dtype", "item_text", "elements_product", "shape_text")
SIZES = {len(name) for name in model.BITS if len(name) < 8}  # a name that a quote follows in eight bytes


# ---- Dtypes ---------------------------------------------------------------------------------------------------------

def bytes_of_numbers(space):
    for data in (bytes(range(1, 9)), bytes(range(255, 247, -1)), bytes(8), b"\xff" * 8, b"\0\0\0\xff\0\0\0\1"):
        number = int.from_bytes(data, "little")
        for k, byte in enumerate(data):
            gives(byte, space["byte_of"], number, 256**k)
        for size in SIZES:
            gives(int.from_bytes(data[:size], "little"), space["low_bytes"], number, size)


def vanishing(begin):
    """Yield eight bytes that begin so, and whose quotient by a number beside a power of 256 has a byte 0, if there
    are any: a byte must be taken from the right position."""
    for unit in (256**k + step for k in range(1, 7) for step in (-1, 1)):
        for count in range(1, 2000):
            data = (begin + (count * 0x9E3779B97F4A7C15 % (1 << 64)).to_bytes(8, "little"))[:8]
            if int.from_bytes(data, "little") // unit % 256 == 0:
                yield data
                break


def eights():
    """Yield eight bytes that begin with a dtype, or nearly."""
    for name in ("U8", "I16", "BOOL"):
        yield from vanishing(name.encode() + b'"')
    for name in ["", "U9", "V8", "F1", "X", *model.BITS]:
        data = name.encode()
        for after in (b'"', b"\0", b"!", b"#", b"8", b'\0"', b'\0\0\0"', b'9"'):
            for filler in (b"\0", b'"', b"\xff"):
                yield (data + after + filler * 8)[:8]
        yield (b'"' + data + b"\0" * 8)[:8]
        yield (data[:1] + b"\0" + data[1:] + b'"' + b"\0" * 8)[:8]
        for k in range(min(len(data), 8)):
            yield (data[:k] + bytes([data[k] + 1]) + data[k + 1:] + b'",  "sh')[:8]


def dtypes_named(space):
    names = dict(enumerate(model.BITS, 1))
    for data in dict.fromkeys(eights()):
        number = int.from_bytes(data, "little")
        close = data.find(b'"')
        near = [k for k, name in names.items() if data.startswith(name.encode())]
        for dtype, size in itertools.product({0, 1, 22, 23, *near, *(k + 1 for k in near)}, {*range(9), close}):
            right = names.get(dtype, "").encode() + b'"' == data[:close + 1] and 0 < close == size
            holds(right, space["names_dtype"], number, size, dtype)


# ---- Items and shapes -----------------------------------------------------------------------------------------------

BLANK, NUMBER = rb"[ \t\n\r]*", rb"(?:0|[1-9][0-9]*)"
ITEM = re.compile(rb"%s(%s)%s(?=[],])" % (BLANK, NUMBER, BLANK))
SHAPE = re.compile(rb"%s(?:%s%s(?:,%s%s%s)*)?\]" % (BLANK, NUMBER, BLANK, BLANK, NUMBER, BLANK))
TEXTS = (*ARRAYS, b"1]", b"]", b" ]", b"1,2]", b"0]", b"x[1,2]", b"[18446744073709551616]", b"[18446744073709551615]",
         b"[2,9223372036854775808]", b"[3,6148914691236517205]", b"[0,18446744073709551616]", b"[12 , 34\n]", b"[01]",
         b"[1[2]", b"[1}2]", b"[1,2,,3]", b"[4294967296,4294967296]", b"[1\\]", b"[1^]", b"[7+]", b"[7-]", b"[7.",
         b"[7", b"[1]2]")


def stops_as_sizes(at, end):
    """Return the sizes with which a stop would be the end of what begins at a position."""
    names = "header_early", "unexpected", "number_form"
    return {stopped(name, p) - at for name, p in itertools.product(names, (at, at + 1, end))}


def items(space):
    for b, at, end in places(TEXTS):
        found = ITEM.match(b, at, end)
        if found and int(found.group(1)) <= TOP:
            right, value = len(found.group()), int(found.group(1))
        else:
            right, value = None, 0
        sizes = {*range(-1, end - at + 3), *stops_as_sizes(at, end)}
        for size, other in itertools.product(sizes, {value, value + 1, max(value - 1, 0)}):
            holds(size == right and other == value, space["item_text"], b, at, size, end, other)


def shapes(space):
    """These bytes follow a [, which is not read."""
    for elements in (0, 1, 2, 3, TOP):
        gives(elements or 1 << 64, space["elements_product"], elements)
    for b, at, end in places(TEXTS):
        found = SHAPE.match(b, at, end) if at else None
        dims = json.loads(b"[" + found.group()) if found else []
        right, product = len(found.group()) if found and max([0, *dims]) <= TOP else None, 1
        for dim in dims:
            product *= dim or 1
        wanted = (len(dims), product if product <= TOP else 0, int(0 in dims))
        for size in {*range(-1, end - at + 3), *stops_as_sizes(at, end)}:
            holds(size == right, space["shape_text"], b, at, size, end, *wanted)
        for k, step in itertools.product(range(3), (1, -1)) if right else ():
            wrong = [*wanted[:k], wanted[k] + step, *wanted[k + 1:]]
            if wrong[k] >= 0:
                holds(False, space["shape_text"], b, at, right, end, *wrong)
    acsl.forget()


SECTIONS = (bytes_of_numbers, dtypes_named, items, shapes)
