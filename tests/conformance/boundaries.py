"""The boundaries of every rule, for matrix.py: which bytes of a file show the boundary that it tests.

WRONG[rule][name](seen): whether a file that breaks the rule breaks it in this way. RIGHT[rule][name](seen): the
positions at which a file is just inside the rule; "numbers" are the limits of the types that readers use for
numbers.
"""
import functools
import json
import re

import manifest
from manifest import model
from places import Walk, open_at_end

LIMIT, U64 = 10**8, 2**64
STRINGS = ("root key", "metadata key", "metadata value", "tensor key", "dtype")
WHITE = b" \t\n\r"
DTYPES = [row["name"] for row in manifest.read_table("spec/dtypes.tsv")]


class Seen:
    """A file with its line of the manifest: the byte and token of the verdict, and their position."""

    def __init__(self, row, data):
        self.row, self.data, self.size = row, data, len(data)
        self.n = int.from_bytes(data[:8], "little")
        self.header = data[8:8 + self.n]
        self.frame = len(data) < 8 or self.n > LIMIT or 8 + self.n > len(data)
        self.walk = None if self.frame else Walk(self.header)
        self.tokens = [] if self.frame else self.walk.tokens
        self.at = int(row["offset"]) - 8 if row["offset"] else None
        self.token = None if self.frame or self.at is None or self.at > self.n else self.walk.at(self.at)
        fixed = {"F1": "frame", "F2": "frame", "F3": "frame", "H2": "root", "G3": "data", "G4": "data", "G5": "data",
            "G6": "data"}
        self.place = fixed.get(row["rule"], self.token.place if self.token else "")

    @property
    def byte(self):
        return self.header[self.at:self.at + 1]

    def text(self):
        """Return the token that begins at the byte of the verdict."""
        return self.token.text[self.at - self.token.start:]

    def number(self, field):
        return int(self.row[field]) if self.row[field] else None

    @functools.cached_property
    def result(self):
        return model.judge(self.data)

    @functools.cached_property
    def tensor(self):
        """Return the tensor whose brackets or brace the verdict names, as JSON: what precedes its closing brace."""
        root = json.loads(self.header, object_pairs_hook=list)
        return dict([body for name, body in root if name != "__metadata__"][self.number("tensor")])

    def elements(self):
        """Return the product of the nonzero dims."""
        return functools.reduce(lambda a, b: a * b, [d for d in self.tensor_of_text()["shape"] if d], 1)

    def tensor_of_text(self):
        """Return the tensor that closes first at or after the byte; the header may be broken after it."""
        before = self.header[:self.at]
        begin = before.rindex(b"{") if b"{" in before else 0
        return json.loads(self.header[begin:self.header.index(b"}", self.at) + 1])


def is_in(*words):
    return lambda s: any(s.text().startswith(word) for word in words)


def matches(pattern):
    compiled = re.compile(pattern, re.S)
    return lambda s: compiled.match(s.text()) is not None


def found_is(number):
    return lambda s: s.number("found") == number


def byte_class(*, white=False, control=False, high=False, text=False):
    def holds(s):
        c = s.byte[0]
        kind = "white" if s.byte in WHITE else "control" if c < 0x20 or c == 0x7F else "high" if c >= 0x80 else "text"
        return {"white": white, "control": control, "high": high, "text": text}[kind]
    return holds


def first_byte(members):
    return lambda s: s.byte != b"" and s.byte in members


def bits_of(s):
    return model.BITS[s.tensor_of_text()["dtype"]]


def size_wrong(holds):
    return lambda s: holds(s.number("expected"), s.number("found"))


def ends_in(pattern):
    return lambda s: s.token.text[:1] == b'"' and open_at_end(s.token.text) and re.search(pattern, s.token.text,
        re.S) is not None


IN_ESCAPE, IN_PAIR = rb"\\(u[0-9a-fA-F]{0,3})?$", rb"\\u[dD][89abAB][0-9a-fA-F]{2}(\\(u[0-9a-fA-F]{0,3})?)?$"


def in_utf8(text):
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(text) and error.reason == "unexpected end of data"
    return False


def string_open(s):
    return s.token.text[:1] == b'"' and open_at_end(s.token.text)


def in_text(s):
    return string_open(s) and not re.search(IN_ESCAPE, s.token.text) and not re.search(IN_PAIR, s.token.text) and \
        not in_utf8(s.token.text)


def layout(holds):
    """Return for G4 to G6 the tensor of the verdict and the other one, as (begin, end), or None."""
    def answer(s):
        root = json.loads(s.header, object_pairs_hook=list)
        spans = [dict(body)["data_offsets"] for name, body in root if name != "__metadata__"]
        one, other = (spans[k] if k is not None else None for k in (s.number("tensor"), s.number("other")))
        return holds(s, one, other)
    return answer


def keys_differ(same_bytes):
    def holds(s):
        key = s.token.text
        before = [t.text for t in s.tokens if t.place == s.token.place and t.start < s.token.start]
        return (key in before) == same_bytes
    return holds


WRONG = {
    "F1": {**{"%d bytes" % k: lambda s, k=k: s.size == k for k in range(8)}},
    "F2": {"first wrong": lambda s: s.n == LIMIT + 1,
    "low 32 bits fit": lambda s: s.n >= 2**32 and s.n % 2**32 <= LIMIT,
           "31 bits": lambda s: LIMIT + 1 < s.n < 2**31, "32 bits": lambda s: 2**31 <= s.n < 2**32,
           "63 bits": lambda s: 2**32 <= s.n < 2**63, "64 bits": lambda s: 2**63 <= s.n < U64 - 8,
           "8 + N wraps": lambda s: s.n >= U64 - 8},
    "F3": {"by one": lambda s: 8 + s.n == s.size + 1, "no header": lambda s: s.size == 8,
    "N is the file size": lambda s: s.n ==
           s.size, "further": lambda s: 8 + s.n > s.size + 1 and s.n < LIMIT, "the largest N": lambda s: s.n == LIMIT},
    "H1": {"no header": lambda s: s.n == 0, "between tokens": lambda s: s.n > 0 and not open_at_end(s.token.text),
           "in a string": in_text, "in an escape": lambda s: ends_in(IN_ESCAPE)(s) and not ends_in(IN_PAIR)(s),
           "in a pair": ends_in(IN_PAIR), "in UTF-8": lambda s: string_open(s) and in_utf8(s.token.text),
           "in a number": lambda s: s.token.text[:1] != b'"' and open_at_end(s.token.text)},
    "H2": {"white space": byte_class(white=True), "another JSON value": first_byte(b'["0123456789-tfn'),
           "byte order mark": lambda s: s.header.startswith(b"\xef\xbb\xbf"), "control": byte_class(control=True),
           "other text": lambda s: byte_class(text=True)(s) and s.byte not in b'["0123456789-tfn',
           "0x80 and above": byte_class(high=True)},
    "H3": {**{"wanted " + w: lambda s, w=w: s.token.wanted == w for w in
              ("key or }", "key", ":", ", or }", ", or ]", "value", "value or ]")},
           "control": byte_class(control=True), "0x80 and above": byte_class(high=True)},
    "H4": {"white space": byte_class(white=True), "control": byte_class(control=True), "text": byte_class(text=True),
           "0x80 and above": byte_class(high=True), "first byte": lambda s: s.header[:s.at].endswith(b"}"),
           "behind spaces": lambda s: s.header[:s.at].endswith(b" "), "last byte": lambda s: s.at == s.n - 1},
    "H5": {"00": first_byte(b"\0"), "white space": first_byte(b"\t\n\r"), "1f": first_byte(b"\x1f"),
           "another": lambda s: s.byte not in b"\0\t\n\r\x1f"},
    "H6": {"no lead": matches(rb"[\x80-\xc1\xf5-\xff]"),
    "overlong": matches(rb"\xe0[\x80-\x9f]|\xf0[\x80-\x8f]|[\xc0\xc1][\x80-\xbf]"),
           "surrogate": matches(rb"\xed[\xa0-\xbf]"), "above U+10FFFF": matches(rb"\xf4[\x90-\xbf]|[\xf5-\xf7]"),
           **{"%s of %s" % (there, due): matches(rb"[%s][\x80-\xbf]{%d}[^\x80-\xbf]" % (lead, k)) for there, k, due,
           lead in
              [("one", 0, "two", b"\xc2-\xdf"), ("one", 0, "three", b"\xe0-\xef"), ("two", 1, "three", b"\xe1-\xec"),
               ("one", 0, "four", b"\xf0-\xf4"), ("two", 1, "four", b"\xf0-\xf4"), ("three", 2, "four",
               b"\xf0-\xf4")]}},
    "H7": {"no escape letter": matches(rb"\\[^u]"), "u and no digit": matches(rb"\\u[^0-9a-fA-F]"),
           "u and one to three digits": matches(rb"\\u[0-9a-fA-F]{1,3}[^0-9a-fA-F]")},
    "H8": {"first low": matches(rb"\\u[dD][cC]00"), "last low": matches(rb"\\u[dD][fF]{3}"), "another low": matches(
           rb"\\u[dD](?![cC]00|[fF]{3})[c-fC-F]"), "high and text": matches(rb"\\u[dD][89abAB]..[^\\\"]"),
           "high and the end": matches(rb"\\u[dD][89abAB]..\""),
           "high and an escape": matches(rb"\\u[dD][89abAB]..\\[^u]"),
           "high and a broken low": matches(rb"\\u[dD][89abAB]..\\u(?![0-9a-fA-F]{4})"),
           "high and another u": matches(rb"\\u[dD][89abAB]..\\u(?=[0-9a-fA-F]{4})(?![dD])"),
           "high and high": matches(rb"\\u[dD][89abAB]..\\u[dD][89abAB]")},
    "H9": {"u0000": is_in(b"\\u0000")},
    "H10": {"one escape": lambda s: s.text().count(b"\\u") == 1, "all escaped": matches(rb'"(\\u[0-9a-fA-F]{4})+"')},
    "H11": {"with a value": lambda s: s.header[s.token.end:s.token.end + 1] == b":",
            "with none": lambda s: s.header[s.token.end:s.token.end + 1] != b":"},
    "H12": {"empty": is_in(b'""'), "begins like one": matches(rb'"(dtyp|shap|data_offset)"|"(d|s)"'),
            "goes on": matches(rb'"(dtype|shape|data_offsets).+"'),
            "in capitals": matches(rb'"(?i:dtype|shape|data_offsets)"'),
            "escaped": matches(rb'"[^"]*\\'),
            "another": matches(rb'"(?!(?i:dtype|shape|data_offsets|dtyp|shap|data_offset))[^"\\]+"')},
    "H13": {"dtype": is_in(b'"dtype"'), "shape": is_in(b'"shape"'), "data_offsets": is_in(b'"data_offsets"')},
    "H14": {"object": first_byte(b"{"), "array": first_byte(b"["), "string": first_byte(b'"'),
            "number": first_byte(b"-0123456789"), "true": first_byte(b"t"), "false": first_byte(b"f"),
            "null": first_byte(b"n")},
    "H15": {"minus": matches(rb"-[0-9]+$"), "leading zero": matches(rb"0[0-9]"),
    "fraction": matches(rb"[0-9]+\.[0-9]+$"),
            "exponent": matches(rb"[0-9]+[eE][-+]?[0-9]+$"), "no number": lambda s: re.fullmatch(
                rb"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?", s.text()) is None},
    "H16": {"2^64": is_in(b"18446744073709551616"), "2^64 + 1": is_in(b"18446744073709551617"),
            "20 digits": matches(rb"[0-9]{20}$"), "21 digits": matches(rb"[0-9]{21}$"),
            "more digits": matches(rb"[0-9]{22}"),
            "small modulo 2^64": lambda s: int(s.text()) % U64 <= 4},
    "H17": {"empty": is_in(b'""'), "begins like one": matches(rb'"(F8_E4M3FNU|F|U|F8_E4M|BOO)"|"F8"'),
    "goes on": matches(
            rb'"(%s) ?.+"' % "|".join(DTYPES).encode()), "lower case": matches(rb'"[a-z]'),
            "not ASCII": matches(rb'"[^"]*[\x80-\xff]'),
            "escaped": matches(rb'"[^"]*\\'), "another": matches(rb'"[ A-Z][A-Z0-9_ a-z]*"')},
    "H18": {"none": found_is(0), "one": found_is(1), "three": found_is(3)},
    "H19": {"has %d of 7" % k: found_is(k) for k in range(7)},
    "H20": {**{"first wrong, %d bits" % w: lambda s, w=w: bits_of(s) == w and s.elements() == -(-U64 // w) for w in
               (4, 6, 8, 16, 32, 64)},
            "elements fit, bits do not": lambda s: s.elements() < U64,
            "elements do not fit": lambda s: s.elements() >= U64,
            "elements wrap to a few": lambda s: s.elements() >= U64 and s.elements() % U64 <= 4,
            "bits wrap to a few": lambda s: s.elements() * bits_of(s) % U64 <= 64,
            "with a zero": lambda s: 0 in s.tensor_of_text()["shape"]},
    "H21": {**{"%s, %d bits over" % (d, r): lambda s, d=d,
    r=r: s.tensor_of_text()["dtype"] == d and s.number("found") % 8 == r
               for d, r in [("F4", 4)] + [(d, r) for d in ("F6_E2M3", "F6_E3M2") for r in (2, 4, 6)]},
            "scalar": lambda s: s.tensor_of_text()["shape"] == [], "largest": lambda s: s.number("found") == U64 - 4},
    "H22": {"by one": size_wrong(lambda begin, end: begin == end + 1), "further": size_wrong(lambda begin,
    end: end + 1 < begin <
            2**63), "64 bits": size_wrong(lambda begin, end: begin >= 2**63), "end is 0": size_wrong(lambda begin,
            end: end == 0),
            "end - begin wraps to the size": lambda s: (s.number("found") - s.number("expected")) % U64 <= 4},
    "H23": {"one less": size_wrong(lambda e, f: f == e - 1), "one more": size_wrong(lambda e, f: f == e + 1),
            "empty range": size_wrong(lambda e, f: f == 0 < e), "empty shape": size_wrong(lambda e, f: e == 0 < f),
            "range too small": size_wrong(lambda e, f: f < e - 1), "range too large": size_wrong(lambda e,
            f: f > e + 1),
            "low 32 bits agree": size_wrong(lambda e, f: e != f and (e - f) % 2**32 == 0)},
    "G1": {"same bytes": keys_differ(True), "in disguise": keys_differ(False)},
    "G2": {"same bytes": keys_differ(True), "in disguise": keys_differ(False)},
    "G3": {"by one": size_wrong(lambda e, f: f == e - 1), "no data": size_wrong(lambda e, f: f == 0),
    "further": size_wrong(
           lambda e, f: f < e - 1), "63 bits": size_wrong(lambda e, f: 2**32 < e < 2**63), "64 bits": size_wrong(
           lambda e, f: e >= 2**63), "empty tensor beyond": layout(lambda s, one, other: one[0] == one[1])},
    "G4": {"equal": layout(lambda s, one, other: one == other), "same begin": layout(lambda s, one,
    other: one[0] == other[0] and
           one != other), "same end": layout(lambda s, one, other: one[1] == other[1] and one != other),
           "inside": layout(
           lambda s, one, other: other[0] < one[0] and one[1] < other[1]), "part": layout(lambda s, one,
           other: other[0] < one[0] <
           other[1] < one[1]), "one byte": layout(lambda s, one, other: min(one[1], other[1]) - one[0] == 1)},
    "G5": {"at the front": layout(lambda s, one, other: one and not other), "between": layout(lambda s, one,
    other: one and other),
           "behind": layout(lambda s, one, other: other and not one), "no tensor has data": layout(lambda s, one,
           other: not one and
           not other), "one byte": size_wrong(lambda e, f: f == e + 1), "more": size_wrong(lambda e, f: f > e + 1)},
    "G6": {"first byte": layout(lambda s, one, other: one[0] == other[0] + 1), "in the middle": layout(
           lambda s, one, other: other[0] + 1 < one[0] < other[1] - 1), "last byte": layout(lambda s, one,
           other: one[0] ==
           other[1] - 1)},
}


# ---- Just inside -------------------------------------------------------------------------------------


def tokens_with(holds, valid=True):
    """Return the positions of the tokens for which this holds, in a valid file."""
    return lambda s: {t.place for t in s.tokens if (s.row["verdict"] == "valid" or not valid) and holds(s, t)}


def strings_with(*parts):
    return tokens_with(lambda s, t: t.place in STRINGS and all(part in t.text for part in parts))


def numbers_with(number):
    return tokens_with(lambda s, t: t.text == b"%d" % number, valid=False)


def any_tensor(place, holds):
    return lambda s: {place} if s.row["verdict"] == "valid" and any(holds(t) for t in s.result.tensors) else set()


def two_tensors(place, holds):
    def answer(s):
        tensors = s.result.tensors if s.row["verdict"] == "valid" else []
        return {place} if any(holds(a, b) for a in tensors for b in tensors if a is not b) else set()
    return answer


def two_keys(holds):
    def answer(s):
        keys = [key for key, _ in s.result.metadata or []] if s.row["verdict"] == "valid" else []
        return {"metadata key"} if any(holds(a, b) for a in keys for b in keys if a != b) else set()
    return answer


def frame_if(holds):
    return lambda s: {"frame"} if holds(s) else set()


def bits(tensor):
    return model.BITS[tensor.dtype]


def edge_of_product(width):
    def holds(t):
        product = functools.reduce(lambda a, b: a * b, [d for d in t.shape if d], 1)
        return bits(t) == width and U64 - width <= product * width < U64
    return any_tensor("shape", holds)


def order_of_members(order):
    keys = [b'"%s"' % name.encode() for name in order]
    def answer(s):
        mine = [t.text for t in s.tokens if t.place == "tensor key"]
        return {"tensor"} if s.row["verdict"] == "valid" and mine == keys else set()
    return answer


def header_ends_with(byte):
    return lambda s: {"tail"} if s.row["verdict"] == "valid" and s.header.endswith(byte) else set()


def white_before(byte):
    return tokens_with(lambda s, t: t.start > 0 and s.header[t.start - 1:t.start] == byte and t.place != "tail")


ORDERS = [("dtype", "shape", "data_offsets"), ("dtype", "data_offsets", "shape"), ("shape", "dtype", "data_offsets"),
          ("shape", "data_offsets", "dtype"), ("data_offsets", "dtype", "shape"), ("data_offsets", "shape", "dtype")]
BORDERS = {"2^%d%s" % (power, name): 2**power + step for power in (31, 32, 53, 63, 64) for name, step in
           ((" - 1", -1), ("", 0), (" + 1", 1))}
RIGHT = {
    "F1": {"right: 8 bytes": frame_if(lambda s: s.size == 8)},
    "F2": {"right: the largest N": frame_if(lambda s: s.size >= 8 and s.n == LIMIT)},
    "F3": {"right: ends with the header": frame_if(lambda s: not s.frame and s.n > 0 and 8 + s.n == s.size)},
    "H1": {"right: ends with }": header_ends_with(b"}")},
    "H3": {**{"right: white space %02x" % c: white_before(bytes([c])) for c in WHITE}},
    "H4": {"right: spaces": header_ends_with(b" ")},
    "H5": {"right: 20": strings_with(b" "), "right: 7f": strings_with(b"\x7f")},
    "H6": {"right: first and last": strings_with(b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf",
    b"\xee\x80\x80",
                                                 b"\xef\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf")},
    "H7": {"right: every short one": strings_with(*(b"\\" + bytes([c]) for c in b'"\\/bfnrt'))},
    "H8": {"right: first and last pair": strings_with(b"\\ud800\\udc00", b"\\uDBFF\\uDFFF"),
           "right: neighbours": strings_with(b"\\uD7FF", b"\\uE000")},
    "H9": {"right: u0001": strings_with(b"\\u0001")},
    "H10": {"right: where it is no keyword": tokens_with(lambda s, t: t.text == b'"sh\\u0061pe"')},
    "H11": {"right: as a metadata key": tokens_with(lambda s,
    t: t.place == "metadata key" and t.text == b'"__metadata__"')},
    "H15": {"right: 0": tokens_with(lambda s, t: t.text == b"0")},
    "H16": {"right: 2^64 - 1 is read": numbers_with(U64 - 1)},
    "H17": {"right: " + name: tokens_with(lambda s, t,
    name=name: t.place == "dtype" and t.text == b'"%s"' % name.encode()) for
            name in DTYPES},
    "H19": {"right: " + " ".join(order): order_of_members(order) for order in ORDERS},
    "H20": {"right: last, %d bits" % w: edge_of_product(w) for w in (4, 6, 8, 16, 32, 64)},
    "H21": {"right: %s" % d: any_tensor("shape", lambda t, d=d: t.dtype == d and t.end > t.begin) for d in
            ("F4", "F6_E2M3", "F6_E3M2")},
    "H22": {"right: empty": any_tensor("offsets", lambda t: t.begin == t.end)},
    "G1": {"right: case": two_keys(lambda a, b: a.lower() == b.lower()), "right: a prefix": two_keys(lambda a,
    b: a.startswith(b))},
    "G2": {"right: case": two_tensors("root key", lambda a, b: a.name.lower() == b.name.lower()),
           "right: a prefix": two_tensors("root key", lambda a, b: a.name.startswith(b.name)),
           "right: as a metadata key": lambda s: {"root key"} if s.row["verdict"] == "valid" and {t.name for t in
           s.result.tensors} & {key for key, _ in s.result.metadata or []} else set()},
    "G4": {"right: they meet": two_tensors("data", lambda a, b: a.begin < a.end == b.begin < b.end)},
    "G6": {"right: at the begin": two_tensors("data", lambda a, b: a.begin == a.end == b.begin < b.end),
           "right: at the end": two_tensors("data", lambda a, b: a.begin == a.end == b.end > b.begin)},
    "numbers": {name: lambda s, v=v: numbers_with(v)(s) | frame_if(lambda s: s.size >= 8 and s.n == v)(s) for name, v in
                BORDERS.items()},
}


def names(rule):
    return [*WRONG.get(rule, {}), *RIGHT.get(rule, {})]
