"""Compare the logic of texts and tokens with the model: numbers, bytes, UTF-8, escapes, strings.

    for section in SECTIONS: section(space)    raises Wrong

At each offset of small texts each definition is compared with the parser of spec/model.py or with Python's own
functions.
"""
import itertools
import json
import re

import acsl
import model
from questions import constant, gives, holds

ROOTS = ("bytes_value", "character", "spells", "text_end", "value_order", "words_for", "string_end",
         "utf8_end", "utf8_step", "escape_end", "hex_step", "hex_end", "hex_code", "low_step", "low_end",
         "unit_end", "number_end", "digits_end", "digits_value", "is_plain", "integer_value", "integer_end",
         "space_end", "next_byte", "value_at", "first_key", "next_key", "key_value", "dtype_end", "stop",
         "early", "utf8_width", "utf8_byte", "unit", "escape_value", "escape", "utf8_value", "utf8", "digit",
         "digits", "text_value", "judged_whole", "number_byte", "hex_byte", "went_on", "lands", "lands_on",
         "head_ok", "word_length", "unlimited", "unless_stopped", "utf8_tails", "utf8_second_low",
         "utf8_second_high", "utf8_tail", "hex_value", "escape_code", "is_digit", "is_number_byte",
         "value_kind", "low_surrogate_byte", "char_end", "value_first", "value_rest", "value_after",
         "value_byte", "same_bytes", "common_bytes", "text_less")


# ---- What the specification's functions compute, in Python ----------------------------------------------------------

ESCAPE = re.compile(rb'\\(?:["\\/bfnrt]|u(?!0000)(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
                    rb'|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})')


def character(head, at, end):
    """Return the character at a position, and where the next one begins."""
    if head[at] == 0x5C:
        found = ESCAPE.match(head, at, end)
        return (ord(json.loads('"%s"' % found.group().decode())), found.end()) if found else (0xFFFD, at + 1)
    for width in (1, 2, 3, 4):
        try:
            return ord(head[at:min(at + width, end)].decode("utf-8")), at + width
        except (UnicodeDecodeError, TypeError):
            pass
    return 0xFFFD, at + 1


def texts_of_head(space, head, end):
    """Every position of a small head, whatever its bytes are."""
    for at in range(8, min(end, 72)):
        code, after = character(head, at, end)
        if head[at] < 0x80 or code != 0xFFFD:
            gives(code << 32 | after, space["character"], head, at, end)
        found = re.compile(rb'(?:\\.|[^"\\])*', re.S).match(head, at, end)
        close = found.end() + 1 if head[found.end():found.end() + 1] == b"\\" else found.end()
        gives(min(close, end), space["text_end"], head, at, end)


def said(space, names):
    """Texts by their bytes: value, order."""
    values = []
    for data in names:
        value = 0
        for byte in reversed(data):
            value = 1 + byte + 257 * value
        values.append(value)
        gives(value, space["bytes_value"], data, 0, len(data))
        for at, char in enumerate(data.decode()[:8]):
            spelled = char.encode()
            for size in (len(spelled), len(spelled) + 1):
                holds(True, space["spells"], spelled + b"a", 0, size, ord(char))
            holds(False, space["spells"], spelled + b"a", 0, len(spelled) - 1, ord(char))
            for k in range(len(spelled)):
                other = bytearray(spelled + b"a")
                other[k] ^= 1
                holds(False, space["spells"], bytes(other), 0, len(spelled) + 1, ord(char))
    for a, x in zip(names, values):
        for b, y in zip(names, values):
            gives((a > b) - (a < b), space["value_order"], x, y)


def text(space, head, at, end):
    value, out = space["text_value"](head, at, end), bytearray()
    while value > 0:
        value, digit = divmod(value, 257)
        out.append(digit - 1)
    return bytes(out)


# ---- Strings, numbers and tokens, beside the model's parser ---------------------------------------------------------

CODES = {row["name"]: int(row["code"]) for row in [*model.RULES.values(), *model.STATUSES.values()]}
KINDS = {"string": 34, "object": 123, "array": 91, "integer": 48}
TOP = (1 << 64) - 1


class Reader(model.Header):
    """The model's parser, from any position on; it notes where the items of arrays begin. inside: the first byte
    of a value has been judged."""

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
        """Like members(), from a key or the } on."""
        while self.byte() == 34:
            yield self.string()
            if self.expect(b",}") == 0x2C:
                self.expect(b'"')
            self.at -= 1
        self.at += 1


def stopped(name, offset):
    return CODES[name] << 32 | offset


def step(run):
    """Return the end, or the stop."""
    try:
        return run()
    except model.Stop as stop:
        return stopped(*stop.fields[:2])


def places(texts):
    """Each text with what may follow it, where its header ends at its end or inside it: every position, the end
    and beyond."""
    for text in texts:
        b = text + b'"0]}'
        for end in {len(text), len(text) + 2, max(len(text) - 1, 1)}:
            acsl.forget()
            for at in range(end + 2):
                yield b, at, end


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

        def after(name, begin, *args):
            reader = Reader(b, end, begin)
            getattr(reader, name)(*args)
            return reader.at
        gives(step(string), space["string_end"], b, at, end)
        if b[at] >= 0x80:
            gives(step(lambda: after("utf8", at)), space["utf8_end"], b, at, end)
        gives(step(lambda: after("escape", at)), space["escape_end"], b, at, end)
        gives(step(lambda: after("four_digits", at + 2, at)), space["hex_end"], b, at, end)
        gives(step(lambda: after("low_surrogate", at + 6, at)), space["low_end"], b, at, end)
        parts(space, b, at, end)
        if re.match(rb"\\u[0-9a-fA-F]{4}", b[at:end]):
            gives(int(b[at + 2:at + 6], 16), space["hex_code"], b, at)
            gives(step(lambda: after("escape", at)), space["unit_end"], b, at, end)


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


# ---- Code points, unescaped text -----------------------------------------------------------------------------------

POINTS = (1, 0x41, 0x7E, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0x7FE, 0x7FF, 0x800, 0x801, 0xFFF, 0x1000, 0x103F, 0xD7FF,
          0xE000,
          0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10001, 0x1003F, 0x10FFF, 0x11000, 0x3FFFF, 0x40000, 0x10FFFE, 0x10FFFF)


def value_of(data):
    value = 0
    for byte in reversed(data):
        value = 1 + byte + 257 * value
    return value


def code_points(space):
    """UTF-8 of code points: width, bytes, position, digits."""
    for code in POINTS:
        data = chr(code).encode()
        gives(len(data), space["utf8_width"], code)
        for k, byte in enumerate(data):
            gives(byte, space["utf8_byte"], code, k)
        for rest in (0, 5):
            gives(value_of(data) + rest * 257**len(data), space["digits"], code, rest)
        for before, after in itertools.product((b"", b"x"), (b"", b"y")):
            b, at = before + data + after + b"zzzz", len(before)
            for size in range(at, at + len(data) + 3):
                holds(size - at >= len(data), space["spells"], b, at, size, code)
            for k, change in itertools.product(range(len(data)), (1, 0x40)):
                wrong = bytearray(b)
                wrong[at + k] ^= change
                holds(False, space["spells"], bytes(wrong), at, at + len(data) + 1, code)
        gives(code << 32 | 9, space["unit"], code, 9)
    for byte, rest in itertools.product((0, 1, 255), (0, 1, 257)):
        gives(1 + byte + 257 * rest, space["digit"], byte, rest)


TEXTS = STRINGS + (b'a\\"b\\\\"c', b"\\\\\\\\", b'\\"', b"ab\\", b'\\u0022"', b"\\ud83d\\ude00\"",
                   b"\xf0\x90\x80\x80\"", b"")


def unescaped(space):
    """Each character and each text of small bytes, cut and whole."""
    for b, at, end in places(TEXTS):
        if at >= end:
            gives(0, space["text_value"], b, at, end)
            gives(end, space["text_end"], b, at, end)
            continue
        code, after = character(b, at, end)
        gives(code << 32 | after, space["character"], b, at, end)
        if b[at] == 0x5C:
            gives(code << 32 | after, space["escape"], b, at, end)
            if after > at + 1:
                gives(code, space["escape_value"], b, at)
        elif b[at] >= 0x80:
            gives(code << 32 | after, space["utf8"], b, at, end)
            if after > at + 1:
                gives(code, space["utf8_value"], b, at)
        close = at
        while close < end and b[close] != 34:
            close += 2 if b[close] == 0x5C and close + 1 < end else 1
        gives(min(close, end), space["text_end"], b, at, end)
        said, place = bytearray(), at
        while place < end and b[place] != 34:
            code, after = character(b, place, end)
            said += chr(code).encode() if b[place] == 0x5C else b[place:place + 1]
            place = after if b[place] == 0x5C else place + 1
        gives(value_of(said), space["text_value"], b, at, end)
        gives(value_of(b[at:end]), space["bytes_value"], b, at, end)


def compared(space):
    """Texts as numbers: the order of two."""
    known = (b"", b"\0", b"a", b"b", b"ab", b"aa", b"\xff", b"\xff\0", b"\0\xff", b"a\xff", b"b\0", b"aab", b"aaa")
    for a, b in itertools.product(known, repeat=2):
        gives((a > b) - (a < b), space["value_order"], value_of(a), value_of(b))
    gives(0, space["value_order"], -1, 0)
    gives(-1, space["value_order"], -1, 1)
    gives(1, space["value_order"], 1, -1)
    gives(0, space["value_order"], -1, -1)


def shared(a, b):
    """Return how many bytes two texts share at their beginnings."""
    return next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def bytes_of_values(space):
    """The bytes of a value, and where two texts part."""
    acsl.forget()
    known = (b"", b"\0", b"a", b"b", b"ab", b"aa", b"\xff", b"\xff\0", b"\0\xff", b"a\xff", b"b\0", b"aab", b"aaa")
    for data in known:
        value = value_of(data)
        gives(data[0] if data else -1, space["value_first"], value)
        gives(value_of(data[1:]), space["value_rest"], value)
        for k in range(-1, 6):
            gives(value_of(data[max(k, 0):]), space["value_after"], value, k)
            gives([*data, *[-1] * 9][max(k, 0)], space["value_byte"], value, k)
    for value in (-1, -257):
        gives(-1, space["value_first"], value)
        gives(0, space["value_rest"], value)
    for a, b in itertools.product(known, repeat=2):
        v, w, same = value_of(a), value_of(b), shared(a, b)
        holds(a < b, space["text_less"], v, w)
        for k in range(-1, 5):
            holds(0 <= k <= same, space["same_bytes"], v, w, k)
            holds(k == same, space["common_bytes"], v, w, k)


# ---- Numbers and bytes, one by one ----------------------------------------------------------------------------------

def numbers_and_bounds(space):
    passed = {0} | {int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")}
    for code in range(70):
        holds(code in passed, space["judged_whole"], code)
    for byte in range(256):
        holds(chr(byte) in "0123456789+-.eE", space["number_byte"], byte)
        holds(chr(byte) in "0123456789abcdefABCDEF", space["hex_byte"], byte)
    for n, m in ((0, 0), (1, 0), (0, 1), (5, 7)):
        for keep in (0, 1, 2):
            gives(6 * n + (8 if keep == 1 else 7) * m, space["words_for"], n, m, keep)
    gives(0, space["word_length"], 0)
    gives(0, space["word_length"], -1)
    for k in range(12):
        for word in (256**k, 256**(k + 1) - 1):
            gives(k + 1, space["word_length"], word)


def steps(space):
    stop = 1 << 32
    constant(space, "unlimited", TOP)
    for step in (-1, 0, 1, 4, 5, 6, 7, stop - 1, stop, stop + 1):
        holds(0 <= step < stop, space["went_on"], step)
        gives(3 if step < stop else step, space["unless_stopped"], step, 3)
        for low, high in ((5, 5), (5, 6), (4, 6), (6, 7), (0, stop)):
            holds(not 0 <= step < stop or low <= step <= high, space["lands"], step, low, high)
            holds(not 0 <= step < stop or low <= step < high, space["lands_on"], step, low, high)
    for size in (0, 1, 9):
        for end in (-1, 0, 1, 8, 9, 10):
            holds(0 <= end <= size, space["head_ok"], bytes(size), end)
    for end in (100000008, 100000009):
        holds(end == 100000008, space["head_ok"], Long(end), end)


def bytes_alone(space):
    escapes = dict(zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t'))
    for c in range(-1, 257):
        char = chr(max(c, 0))
        tails = 1 if 0xC2 <= c <= 0xDF else 2 if 0xE0 <= c <= 0xEF else 3 if 0xF0 <= c <= 0xF4 else 0
        gives(tails, space["utf8_tails"], c)
        low, high = {0xE0: 0xA0, 0xF0: 0x90}.get(c, 0x80), {0xED: 0x9F, 0xF4: 0x8F}.get(c, 0xBF)
        gives(low, space["utf8_second_low"], c)
        gives(high, space["utf8_second_high"], c)
        for k, byte in itertools.product((1, 2, 3), (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)):
            right = low <= byte <= high if k == 1 else 0x80 <= byte <= 0xBF
            gives(int(right), space["utf8_tail"], c, k, byte)
        digit = int(char, 16) if char in "0123456789abcdefABCDEF" and c >= 0 else -1
        gives(digit, space["hex_value"], c)
        gives(escapes.get(c, 0), space["escape_code"], c)
        gives(int(48 <= c <= 57), space["is_digit"], c)
        gives(int(c >= 0 and char in "0123456789+-.eE"), space["is_number_byte"], c)
        kind = c if c in (34, 91, 123) else 48 if 48 <= c <= 57 or c == 45 else 110 if c in (110, 116, 102) else 0
        gives(kind, space["value_kind"], c)
        for k in range(6):
            right = (c == 92, c == 117, c in (68, 100), digit >= 12, digit >= 0, digit >= 0)[k]
            gives(int(right), space["low_surrogate_byte"], k, c)


SECOND = (0x00, 0x1F, 0x20, 0x22, 0x2F, 0x30, 0x39, 0x3A, 0x41, 0x5C, 0x62, 0x75, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
          0xBF, 0xC0, 0xFF)
UNITS = (b"0000", b"0001", b"000g", b"00G0", b"D7ff", b"D800", b"dBFF", b"DC00", b"dfff", b"E000", b"FFFF", b":000",
         b"0/00")


def characters(space):
    """Where a character ends, in the middle and at the end of the header, whole and cut."""
    texts = [bytes((first, second)) + tail for first in range(256) for second in SECOND
             for tail in ((b"", b"\x80\x80", b"\xBF\x7F") if first >= 0xC0 and second >= 0x7F else (b"\x80",))]
    units = [b"\\u" + one + rest + other for one in UNITS for rest in (b"", b"\\u", b"\\U", b"/u", b"\\")
             for other in (UNITS if rest == b"\\u" else (b"DC00",))]
    for text in texts + units + [unit[:k] for unit in units[::3] for k in range(1, len(unit))]:
        code, end = character(text, 0, len(text))
        stopped = text[0] < 0x20 or code == 0xFFFD and end == 1
        why = code_of(text) if stopped else None
        stop = why << 32 | (len(text) if why == EARLY else 0) if stopped else end
        gives(stop, space["char_end"], text, 0, len(text))


EARLY, CONTROL, UTF8, ESCAPED, SURROGATE, NUL = 35, 39, 40, 41, 42, 43


def code_of(text):
    """Return why a text does not begin with a character: the first impossible byte, or its end."""
    if text[0] < 0x20:
        return CONTROL
    if text[0] >= 0x80:
        for width in range(1, len(text) + 1):
            try:
                text[:width].decode("utf-8")
            except UnicodeDecodeError as error:
                if error.reason != "unexpected end of data":
                    return UTF8
        return EARLY
    if re.fullmatch(rb"\\(?:u[0-9a-fA-F]{0,3})?", text):
        return EARLY
    unit = re.match(rb"\\u([0-9a-fA-F]{4})", text)
    if not unit:
        return ESCAPED
    number = int(unit.group(1), 16)
    if number == 0:
        return NUL
    low = rb"\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]{0,1})?)?)?"
    return EARLY if number < 0xDC00 and re.fullmatch(low, text[6:]) or len(text) == 6 and number < 0xDC00 else SURROGATE


class Long:
    """Many bytes."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


# ---- The first and the last character of each width ---------------------------------------------------------------

WIDE_CHARACTERS = tuple(chr(code).encode() for code in (0x7FF, 0x80, 0xFFFF, 0x800, 0x10000, 0x40000, 0xFFFFF,
                                                        0x10FFFF)) + \
    (b"\\ud800\\udc00", b"\\udbff\\udfff", b"\\ud7ff", b"\\ue000", b"\\uD800\\uDC01")


def wide_characters(space):
    """The first and the last of each width."""
    for b, at, end in places(WIDE_CHARACTERS):
        if at < end and b[at] in b"\\" or at < end and b[at] >= 0x80:
            code, after = character(b, at, end)
            name = "escape" if b[at] == 0x5C else "utf8"
            gives(code << 32 | after, space[name], b, at, end)
            if after > at + 1:
                gives(code, space[name + "_value"], b, at)


# ---- What is cut short ----------------------------------------------------------------------------------------------

def dtypes_cut(space):
    """A dtype without its quote."""
    for b, wanted in ((b'""', stopped("dtype_unknown", 0)), (b'"\x01"', stopped("control", 1)),
                      (b'"U8"', 4), (b'"\\"', None)):
        if wanted is not None:
            gives(wanted, space["dtype_end"], b, 0, len(b))


def cut_short(space):
    """Characters and values of texts after whose end nothing exists."""
    for text in STRINGS + TEXTS + WIDE_CHARACTERS:
        for end in range(1, len(text) + 1):
            acsl.forget()
            for at in range(end):
                b = text[:end]
                code, after = character(b, at, end)
                if b[at] in b"\\" or b[at] >= 0x80:
                    gives(code << 32 | after, space["escape" if b[at] == 0x5C else "utf8"], b, at, end)
                gives(code << 32 | after, space["character"], b, at, end)
    for text in TOKENS:
        for end in range(1, len(text) + 1):
            acsl.forget()
            for at, (name, kind) in itertools.product(range(end + 1), KINDS.items()):
                b = text[:end]
                gives(step(lambda: Reader(b, end, at).value(name)), space["value_at"], b, at, end, kind)


SECTIONS = (strings, numbers, tokens, code_points, unescaped, compared, bytes_of_values, numbers_and_bounds, steps,
            bytes_alone, characters, wide_characters, dtypes_cut, cut_short)
