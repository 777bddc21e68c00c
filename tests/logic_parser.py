"""The grammar in logic, from bytes to arrays, at every place of small texts, beside the parser of spec/model.py.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools
import re

import acsl
import model
from logic_ask import gives

ROOTS = ("string_end", "utf8_end", "utf8_step", "escape_end", "hex_step", "hex_end", "hex_code", "low_step",
         "low_end", "unit_end", "number_end", "digits_end", "digits_value", "is_plain", "integer_value",
         "integer_end", "space_end", "next_byte", "value_at", "first_key", "next_key", "key_value", "dtype_judged",
         "dtype_end", "item_end", "item_value", "dims_end", "shape_end", "times_dim", "dims_product", "dims_zero",
         "dims_count", "shape_product", "shape_zero", "shape_rank", "dim_at", "offsets_rest", "offsets_end",
         "offsets_begin", "offsets_finish", "size_judged", "stop", "early")
CODES = {row["name"]: int(row["code"]) for row in [*model.RULES.values(), *model.STATUSES.values()]}
KINDS = {"string": 34, "object": 123, "array": 91, "integer": 48}
TOP = (1 << 64) - 1


class Reader(model.Header):
    """The model's parser, from any place on; it notes where the items of arrays begin. inside: the first byte of a
    value has been judged."""

    def __init__(self, b, end, at, **limits):
        super().__init__(b, end, {**model.OPTIONS, **limits})
        self.at, self.inside, self.items = at, False, []

    def value(self, kind):
        return self.at if self.inside else super().value(kind)

    def integer(self, dim=0):
        self.space()
        self.items.append(self.at)
        return super().integer(dim)

    def keys(self):
        """As members(), from a key or the } on."""
        while self.byte() == 34:
            yield self.string()
            if self.expect(b",}") == 0x2C:
                self.expect(b'"')
            self.at -= 1
        self.at += 1


def stopped(name, offset):
    return CODES[name] << 32 | offset


def step(run):
    """Where it ends, or the stop."""
    try:
        return run()
    except model.Stop as stop:
        return stopped(*stop.fields[:2])


def places(texts):
    """Each text with what may stand behind it, where its header ends at its end or inside it: every place, the end and
    beyond."""
    for text in texts:
        b = text + b'"0]}'
        for end in {len(text), len(text) + 2, max(len(text) - 1, 1)}:
            acsl.forget()
            for at in range(end + 2):
                yield b, at, end


# ---- Strings ---------------------------------------------------------------------------------------------

STRINGS = (b'ab"c', b'\\"a\\\\"', b"\\u0041b", b"\\u00e9\\n", b"\\ud83d\\uDe00x", b"\\ud83dx", b"\\udc00", b"\\u0000",
           b"\xc3\xa9\"", b"\xe2\x82\xac\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3\"", b"\x1f",
           b"\\x", b"\\u00g0", b"\\uD8ff\\uDC0g", b"\\uDBFF\\t", b"\xe2\x82", b"\xff", b"\\u0fff\\u0f0f\\uf000",
           b"\\uD8ff\\uDCg0")


def strings(space):
    for b, at, end in places(STRINGS):
        if at >= end:
            gives(stopped("header_early", end), space["string_end"], b, at, end)
            continue

        def string():
            reader = Reader(b, end, at - 1)
            reader.string()
            return reader.at - 1

        def behind(name, begin, *args):
            reader = Reader(b, end, begin)
            getattr(reader, name)(*args)
            return reader.at
        gives(step(string), space["string_end"], b, at, end)
        if b[at] >= 0x80:
            gives(step(lambda: behind("utf8", at)), space["utf8_end"], b, at, end)
        gives(step(lambda: behind("escape", at)), space["escape_end"], b, at, end)
        gives(step(lambda: behind("four_digits", at + 2, at)), space["hex_end"], b, at, end)
        gives(step(lambda: behind("low_surrogate", at + 6, at)), space["low_end"], b, at, end)
        parts(space, b, at, end)
        if re.match(rb"\\u[0-9a-fA-F]{4}", b[at:end]):
            gives(int(b[at + 2:at + 6], 16), space["hex_code"], b, at)
            gives(step(lambda: behind("escape", at)), space["unit_end"], b, at, end)


def parts(space, b, at, end):
    """Byte by byte."""
    early = stopped("header_early", end)
    for k in range(6):
        for name, first, count, rule in (("hex_step", 2, 4, "escape"), ("low_step", 6, 6, "surrogate")):
            if k < count and at + first + k < len(b):
                c = chr(b[at + first + k])
                right = c in ("0123456789abcdefABCDEF" if name == "hex_step" or k > 3 else
                              ("\\", "u", "dD", "cdefCDEF")[k])
                wanted = early if at + first + k >= end else at + first + k + 1 if right else stopped(rule, at)
                gives(wanted, space[name], b, at, end, k)
    tails = len(model.utf8_followers(b[at]) or ())
    for k in (1, 2, 3):
        if k > tails:
            gives(at + tails + 1, space["utf8_step"], b, at, end, k)
        else:
            low, high = model.utf8_followers(b[at])[k - 1]
            wanted = early if at + k >= end else at + k + 1 if low <= b[at + k] <= high else stopped("utf8", at)
            gives(wanted, space["utf8_step"], b, at, end, k)


# ---- Numbers and tokens ----------------------------------------------------------------------------------

NUMBERS = (b"0,", b"12 ]", b"-1", b"1.5e3,", b"01 ", b"18446744073709551615,", b"18446744073709551616]", b"123", b"00",
           b"1+", b"9E/", b":0", b"1-", b"20")


def numbers(space):
    for b, at, end in places(NUMBERS):
        close, last = at, at
        while close < end and chr(b[close]) in "0123456789+-.eE":
            close += 1
        while last < end and chr(b[last]) in "0123456789":
            last += 1
        gives(close, space["number_end"], b, at, end)
        gives(last, space["digits_end"], b, at, end)
        for stop in range(last + 1):
            if stop <= at or b[at:stop].isdigit():
                gives(int(b[at:stop] or b"0"), space["digits_value"], b, at, stop)
        for beyond in (-1, 0, 1, 2):
            reader = Reader(b, end, at, max_rank=0)
            reader.inside = True

            def integer():
                model.Header.integer(reader, beyond if beyond == 1 else 0)
                return reader.at
            if at < close:
                gives(step(integer), space["integer_end"], b, at, end, beyond)
            elif at >= end:
                gives(stopped("header_early", end), space["integer_end"], b, at, end, beyond)
        if at < close:
            plain = model.INTEGER.fullmatch(b[at:close])
            gives(int(bool(plain)), space["is_plain"], b, at, end)
            if plain:
                gives(int(b[at:close]), space["integer_value"], b, at, end)


TOKENS = (b' \t\n\r, "', b"\x0b,", b':{"', b" : 1", b'},"', b", 'x", b",}", b"t[-", b":n", b'"!#', b"  ", b", ",
          b': ["',
          b"=::", b"|}~", b"-{z", b"a ,/:", b':"a"', b';"', b'9"', b"a,!", b"a,#")


def tokens(space):
    for b, at, end in places(TOKENS):
        def taken(*wanted):
            reader = Reader(b, end, at)
            for some in wanted:
                if reader.expect(some) == 0x7D:
                    break
            return reader.at - 1
        blank = at
        while blank < end and b[blank] in b" \t\n\r":
            blank += 1
        gives(blank, space["space_end"], b, at, end)
        for x, y in ((",", "}"), ('"', '"'), (":", ":"), ('"', "}"), (",", "]"), ("x", ":"), ("!", "#")):
            wanted = step(lambda: taken(bytes([ord(x), ord(y)])))
            gives(wanted, space["next_byte"], b, at, end, ord(x), ord(y))
        gives(step(lambda: taken(b'"}')), space["first_key"], b, at, end)
        gives(step(lambda: taken(b",}", b'"')), space["next_key"], b, at, end)
        for name, kind in KINDS.items():
            gives(step(lambda: Reader(b, end, at).value(name)), space["value_at"], b, at, end, kind)

            def valued():
                reader = Reader(b, end, at)
                reader.expect(b":")
                return reader.value(name)
            gives(step(valued), space["key_value"], b, at - 1, end, kind)
    for c in range(256):
        b = bytes([c, c, 34])
        gives(1 if c in b" \t\n\r" else 0, space["space_end"], b, 0, 1)
        wanted = stopped("header_early", 1) if c in b" \t\n\r" else 0 if c in b",}" else stopped("unexpected", 0)
        gives(wanted, space["next_byte"], b, 0, 1, 44, 125)
        for name, kind in KINDS.items():
            gives(step(lambda: Reader(b, 1, 0).value(name)), space["value_at"], b, 0, 1, kind)
    for code, offset in itertools.product((0, 1, 35, 36), (0, 1, 9)):
        gives(code << 32 | offset, space["stop"], code, offset)
        gives(35 << 32 | offset, space["early"], offset)


# ---- Arrays ----------------------------------------------------------------------------------------------

ARRAYS = (b"[]", b"[ ]", b"[1]", b"[ 2 , 3 ]", b"[0,5]", b"[1,2,3]", b"[18446744073709551615,2]", b"[5,0 , 7]",
          b"[4294967296,4294967296,0]", b"[4294967296,4294967295]", b"[1,", b"[1,]", b"[,1]", b"[1 2]", b'["a"]',
          b"[-1]",
          b"[1.]", b"[1}", b"[ ", b"[7,1,2,3,4]", b"[2147483648,8589934592,1]", b"[9,8;", b"[{", b"[^]", b"[1^")


def arrays(space):
    for b, at, end in places(ARRAYS):
        for beyond in (0, 1, 2):
            def item():
                reader = Reader(b, end, at, max_rank=0)
                reader.integer(beyond if beyond == 1 else 0)
                reader.expect(b",]")
                return reader.at - 1
            gives(step(item), space["item_end"], b, at, end, beyond)
        for count, most in itertools.product((1, 2, 3), (0, 1, 2, 3, TOP)):
            def dims():
                reader, number = Reader(b, end, at, max_rank=most), count
                reader.integer(number)
                while reader.expect(b",]") == 0x2C:
                    number += 1
                    reader.integer(number)
                return reader.at
            gives(step(dims), space["dims_end"], b, at, end, count, most)
        def rest():
            reader = Reader(b, end, at)
            reader.integer()
            if reader.expect(b",]") == 0x2C:
                reader.stop("offsets_count", reader.at - 1)
            return reader.at
        gives(step(rest), space["offsets_rest"], b, at, end)
        if at < end and b[at] == 91:
            for most in (0, 1, 2, 3, TOP):
                shape(space, b, at, end, most)
            offsets(space, b, at, end)


def shape(space, b, at, end, most):
    reader = Reader(b, end, at, max_rank=most)

    def run():
        dims.extend(reader.shape()[0])
        return reader.at
    dims = []
    close = step(run)
    gives(close, space["shape_end"], b, at, end, most)
    if close > end or most != TOP:
        return
    gives(product_of(dims, 1), space["shape_product"], b, at, end)
    gives(int(0 in dims), space["shape_zero"], b, at, end)
    gives(len(dims), space["shape_rank"], b, at, end)
    for k, (dim, place) in enumerate(zip(dims, reader.items)):
        gives(place, space["dim_at"], b, at, end, k)
        for begin in (place, place - 1 if b[place - 1] == 32 else place):
            gives(dim, space["item_value"], b, begin, end)
            for product in (1, 2, 1 << 63, TOP, 1 << 64):
                gives(product_of(dims[k:], product), space["dims_product"], b, begin, end, product)
            gives(int(0 in dims[k:]), space["dims_zero"], b, begin, end)
            gives(len(dims) - k, space["dims_count"], b, begin, end)


def product_of(dims, product):
    for dim in dims:
        product = min(product * (dim or 1), 1 << 64)
    return product


def offsets(space, b, at, end):
    reader, found = Reader(b, end, at), []

    def run():
        found.extend(reader.offsets())
        return reader.at
    close = step(run)
    gives(close, space["offsets_end"], b, at, end)
    if close <= end:
        gives(found[0], space["offsets_begin"], b, at, end)
        gives(found[1], space["offsets_finish"], b, at, end)


def sizes(space):
    """What a tensor's numbers must be."""
    for product, dim in itertools.product((1, 2, 3, 1 << 32, 1 << 63, TOP, 1 << 64), (0, 1, 2, 3, 1 << 32, 1 << 63,
                                                                                      TOP)):
        gives(product_of([dim], product), space["times_dim"], product, dim)
    for product, bits in ((TOP - 7, TOP - 7), (1 << 64, 0), (TOP, 0), (TOP, TOP), (12, 12), (12, 0), (16, 16), (8, 0),
                          (0, 0), (15, 15), (9, 9), (1, 1), (1 << 64, 1 << 64), (8, 8)):
        for begin, finish in ((0, 0), (0, bits // 8), (5, 5 + bits // 8), (5, 4 + bits // 8), (5, 6 + bits // 8), (1,
                                                                                                                   0),
                              (6, 4), (7, 7), (5, 5 - bits // 8)):
            wanted = stopped("shape_overflow", 20) if product > TOP else stopped("shape_subbyte", 20) if bits % 8 else \
                stopped("offsets_order", 30) if begin > finish else \
                stopped("offsets_size", 30) if 8 * (finish - begin) != bits else 41
            gives(wanted, space["size_judged"], 40, 20, 30, product, bits, begin, finish)


SECTIONS = (strings, numbers, tokens, arrays, sizes)
