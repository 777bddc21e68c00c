#!/usr/bin/env python3
"""An executable model of spec/format.md in Python.

It is written from the prose alone and shares nothing with the C core, so that the two can be compared.
It is written to be obvious, not fast.

    spec/model.py FILE...      one JSON line a file
    spec/model.py --hex        the same for lines of stdin: hex bytes [name=value...], where the names are
                               file_size and the options below ("-" means no bytes)

    judge(data, file_size, options) -> Result. data: the first bytes of the file, at least its head; file_size: the
    size of the whole file.
"""
import collections
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_HEADER = 100_000_000
MAX_U64 = 2**64 - 1
OPTIONS = {"api": 1, "relax": 0, "max_header": MAX_U64, "max_tensors": MAX_U64, "max_rank": MAX_U64,
           "max_name": MAX_U64, "max_metadata": MAX_U64}


def read_table(name):
    with open(os.path.join(HERE, name), encoding="ascii") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


RULES = {row["name"]: row for row in read_table("rules.tsv")}
STATUSES = {row["name"]: row for row in read_table("statuses.tsv")}
BITS = {row["name"]: int(row["bits"]) for row in read_table("dtypes.tsv")}

# A tensor: begin and end are data offsets, place is its index in the header, name_at is a file offset.
Tensor = collections.namedtuple("Tensor", "name dtype shape begin end place name_at")
Pair = collections.namedtuple("Pair", "key value key_at")


class Result:
    """verdict is "valid", "invalid" or "not judged"; name, id and code are those of the rule or status (or
    "ok", "", 0). An error field that has nothing to say is None, as are tensors and metadata if not valid;
    tensors are in layout order; metadata is also None if the file has no __metadata__. texts are those of `tensor` and
    `other`: the file offsets of the first byte after the opening quote and of the closing one, or None."""

    def __init__(self, name="ok", offset=None, tensor=None, other=None, expected=None, found=None,
                 tensors=None, metadata=None, texts=(None, None)):
        row = RULES.get(name) or STATUSES.get(name) or {"id": "", "code": "0"}
        self.verdict = "invalid" if name in RULES else "not judged" if name in STATUSES else "valid"
        self.name, self.id, self.code = name, row["id"], int(row["code"])
        self.offset, self.tensor, self.other = offset, tensor, other
        self.expected, self.found = expected, found
        self.tensors, self.metadata, self.texts = tensors, metadata, texts

    def error(self):
        return self.code, self.offset, self.tensor, self.other, self.expected, self.found

    def as_dict(self):
        out = {k: getattr(self, k) for k in
               ("verdict", "id", "name", "code", "offset", "tensor", "other", "expected", "found")}
        if self.verdict == "valid":
            out["tensors"] = [{"name": t.name, "dtype": t.dtype, "shape": t.shape, "begin": t.begin,
                               "end": t.end, "place": t.place} for t in self.tensors]
            out["metadata"] = self.metadata
        return out


class Stop(Exception):
    """The first rule that is broken, or the reason why the file is not judged."""

    def __init__(self, name, offset=None, tensor=None, other=None, expected=None, found=None):
        Exception.__init__(self, name)
        self.fields, self.texts = (name, offset, tensor, other, expected, found), (None, None)


def judge(data, file_size=None, options=None):
    try:
        return judge_stages(data, len(data) if file_size is None else file_size,
                            {**OPTIONS, **(options or {})})
    except Stop as stop:
        return Result(*stop.fields, texts=stop.texts)


def judge_stages(data, file_size, options):
    if options["api"] != 1 or options["relax"] != 0:
        raise Stop("usage")
    data_begin = stage_f(data, file_size, options)
    header = Header(data, data_begin, options)
    try:
        header.parse()
        tensors = stage_g(header.tensors, header.pairs, data_begin, file_size)
    except Stop as stop:
        stop.texts = header.texts_of(*stop.fields[:4])
        raise
    pairs = [(pair.key, pair.value) for pair in header.pairs] if header.has_metadata else None
    return Result(tensors=tensors, metadata=pairs)


# ---- Stage F: the frame ------------------------------------------------------------------------------

def stage_f(data, file_size, options):
    """Check stage F. Return the file offset where the header ends and the data begins."""
    if file_size < 8:
        raise Stop("file_short", offset=file_size, expected=8, found=file_size)
    if len(data) < 8:
        raise Stop("need_more", expected=8, found=len(data))
    n = int.from_bytes(data[:8], "little")
    if n > MAX_HEADER:
        raise Stop("header_large", offset=0, expected=MAX_HEADER, found=n)
    if n > options["max_header"]:
        raise Stop("limit_header", offset=0, expected=options["max_header"], found=n)
    if 8 + n > file_size:
        raise Stop("header_cut", offset=file_size, expected=8 + n, found=file_size)
    if len(data) < 8 + n:
        raise Stop("need_more", expected=8 + n, found=len(data))
    return 8 + n


# ---- Stage H: the header, left to right --------------------------------------------------------------

SPACE = b" \t\n\r"
PLAIN = re.compile(rb"[^\x00-\x1f\"\\\x80-\xff]*")  # unescaped ASCII in a string
NUMBER = re.compile(rb"[0-9+\-.eE]*")
INTEGER = re.compile(rb"0|[1-9][0-9]*")
VALUE_STARTS = b'"{[-0123456789tfn'  # the first bytes of JSON's values
HEX = b"0123456789abcdefABCDEF"
ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x62: "\b", 0x66: "\f", 0x6E: "\n", 0x72: "\r", 0x74: "\t"}
MEMBERS = {"dtype": 1, "shape": 2, "data_offsets": 4}
FIRST_BYTE = {"string": b'"', "object": b"{", "array": b"[", "integer": b"-0123456789"}


def utf8_followers(lead):
    """Return the ranges of the bytes after this lead byte (RFC 3629), or None if it is no lead byte."""
    rest = (0x80, 0xBF)
    if 0xC2 <= lead <= 0xDF:
        return [rest]
    if 0xE0 <= lead <= 0xEF:
        return [{0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F)}.get(lead, rest), rest]
    if 0xF0 <= lead <= 0xF4:
        return [{0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}.get(lead, rest), rest, rest]
    return None


# A string token: its text, the offset of its opening quote, its raw bytes between the quotes, whether it has escapes.
Token = collections.namedtuple("Token", "text at size escaped")


class Header:
    def __init__(self, data, end, options):
        self.data, self.end, self.options = data, end, options
        self.at = 8  # the file offset of the pass
        self.tensor = None  # the index of the tensor that the pass is in
        self.tensors, self.pairs, self.has_metadata = [], [], False
        self.name_tokens, self.pair_tokens = [], []  # of all tensors and pairs that have been met

    def texts_of(self, name, offset, tensor, other):
        """Return the texts of an error."""
        others = self.pair_tokens if name == "metadata_key_twice" else self.name_tokens
        tokens = [None if k is None else row[k] for k, row in ((tensor, self.name_tokens), (other, others))]
        return tuple(token and (token.at + 1, token.at + 1 + token.size) for token in tokens)

    def stop(self, name, offset, **fields):
        raise Stop(name, offset, tensor=self.tensor, **fields)

    def byte(self):
        """Return the byte at the position of the pass."""
        if self.at >= self.end:
            self.stop("header_early", self.end)
        return self.data[self.at]

    def space(self):
        """Skip white space. Return the next byte."""
        while self.byte() in SPACE:
            self.at += 1
        return self.data[self.at]

    def expect(self, wanted):
        """Skip white space and take the next byte, which must be one of these."""
        byte = self.space()
        if byte not in wanted:
            self.stop("unexpected", self.at)
        self.at += 1
        return byte

    def value(self, kind):
        """Skip white space. Require a value of this kind, and return its offset."""
        byte = self.space()
        if byte not in FIRST_BYTE[kind]:
            self.stop("type" if byte in VALUE_STARTS else "unexpected", self.at)
        return self.at

    def parse(self):
        if self.byte() != 0x7B:
            self.stop("start", 8)
        for key in self.members():
            self.root_member(key)
        for at in range(self.at, self.end):
            if self.data[at] != 0x20:
                self.stop("trailing", at)

    def members(self):
        """Yield the keys of an object. The caller reads the colon and the value."""
        self.at += 1  # the {
        if self.expect(b'"}') == 0x7D:
            return
        while True:
            self.at -= 1
            yield self.string()
            if self.expect(b",}") == 0x7D:
                return
            self.expect(b'"')

    def root_member(self, key):
        if key.text == "__metadata__":
            if key.escaped:
                self.stop("keyword_escaped", key.at)
            if self.has_metadata:
                self.stop("metadata_twice", key.at)
            self.has_metadata = True
            self.expect(b":")
            self.value("object")
            for pair in self.members():
                self.pair(pair)
            return
        self.tensor = len(self.tensors)
        self.name_tokens.append(key)
        if self.tensor + 1 > self.options["max_tensors"]:
            self.stop("limit_tensors", key.at, expected=self.options["max_tensors"], found=self.tensor + 1)
        if key.size > self.options["max_name"]:
            self.stop("limit_name", key.at, expected=self.options["max_name"], found=key.size)
        self.expect(b":")
        self.value("object")
        self.tensors.append(self.tensor_object(key))
        self.tensor = None

    def pair(self, key):
        self.pair_tokens.append(key)
        count = len(self.pairs) + 1
        if count > self.options["max_metadata"]:
            self.stop("limit_metadata", key.at, expected=self.options["max_metadata"], found=count)
        self.expect(b":")
        self.value("string")
        self.pairs.append(Pair(key.text, self.string().text, key.at))

    def tensor_object(self, name):
        seen = {}
        for key in self.members():
            if key.text in MEMBERS and key.escaped:
                self.stop("keyword_escaped", key.at)
            if key.text not in MEMBERS:
                self.stop("member_unknown", key.at)
            if key.text in seen:
                self.stop("member_twice", key.at)
            self.expect(b":")
            seen[key.text] = {"dtype": self.dtype, "shape": self.shape,
                "data_offsets": self.offsets}[key.text]()
        if len(seen) < 3:
            self.stop("member_missing", self.at - 1, expected=7, found=sum(MEMBERS[key] for key in seen))
        dtype, (shape, shape_at), (begin, end,
                offsets_at) = seen["dtype"], seen["shape"], seen["data_offsets"]
        bits = BITS[dtype]
        for dim in shape:
            if dim != 0:
                bits *= dim
            if bits >= 2**64:
                self.stop("shape_overflow", shape_at)
        if 0 in shape:
            bits = 0
        if bits % 8 != 0:
            self.stop("shape_subbyte", shape_at, found=bits)
        if begin > end:
            self.stop("offsets_order", offsets_at, expected=begin, found=end)
        if end - begin != bits // 8:
            self.stop("offsets_size", offsets_at, expected=bits // 8, found=end - begin)
        return Tensor(name.text, dtype, shape, begin, end, self.tensor, name.at)

    def dtype(self):
        self.value("string")
        token = self.string()
        if token.text not in BITS:
            self.stop("dtype_unknown", token.at)
        if token.escaped:
            self.stop("keyword_escaped", token.at)
        return token.text

    def shape(self):
        at = self.value("array")
        self.at += 1
        dims = []
        if self.space() == 0x5D:
            self.at += 1
            return dims, at
        while True:
            dims.append(self.integer(dim=len(dims) + 1))
            if self.expect(b",]") == 0x5D:
                return dims, at

    def offsets(self):
        at = self.value("array")
        self.at += 1
        if self.space() == 0x5D:
            self.stop("offsets_count", self.at, expected=2, found=0)
        begin = self.integer()
        if self.expect(b",]") == 0x5D:
            self.stop("offsets_count", self.at - 1, expected=2, found=1)
        end = self.integer()
        if self.expect(b",]") == 0x2C:
            self.stop("offsets_count", self.at - 1, expected=2, found=3)
        return begin, end, at

    def integer(self, dim=0):
        """Read an integer. dim: its number from 1 if it is a dim."""
        at = self.value("integer")
        self.at = NUMBER.match(self.data, at, self.end).end()
        self.byte()  # a number that touches the end of the header may be cut
        digits = self.data[at:self.at]
        if dim > self.options["max_rank"]:
            self.stop("limit_rank", at, expected=self.options["max_rank"], found=dim)
        if not INTEGER.fullmatch(digits):
            self.stop("number_form", at)
        if len(digits) > 20 or int(digits) > MAX_U64:
            self.stop("number_range", at)
        return int(digits)

    # ---- strings

    def string(self):
        """Read the string whose opening quote is at the position of the pass."""
        opening = self.at
        self.at += 1
        pieces, escaped = [], False
        while True:
            plain = self.at
            self.at = PLAIN.match(self.data, plain, self.end).end()
            pieces.append(self.data[plain:self.at].decode("ascii"))
            byte = self.byte()
            if byte == 0x22:
                self.at += 1
                return Token("".join(pieces), opening, self.at - opening - 2, escaped)
            if byte < 0x20:
                self.stop("control", self.at)
            if byte == 0x5C:
                escaped = True
                pieces.append(self.escape())
            else:
                pieces.append(self.utf8())

    def utf8(self):
        lead = self.at
        followers = utf8_followers(self.byte())
        if followers is None:
            self.stop("utf8", lead)
        self.at += 1
        for low, high in followers:
            if not low <= self.byte() <= high:
                self.stop("utf8", lead)
            self.at += 1
        return self.data[lead:self.at].decode("utf-8")

    def escape(self):
        backslash = self.at
        self.at += 1
        byte = self.byte()
        self.at += 1
        if byte in ESCAPES:
            return ESCAPES[byte]
        if byte != 0x75:
            self.stop("escape", backslash)
        unit = self.four_digits(backslash)
        if unit == 0:
            self.stop("nul", backslash)
        if 0xDC00 <= unit <= 0xDFFF:
            self.stop("surrogate", backslash)
        if 0xD800 <= unit <= 0xDBFF:
            return chr(0x10000 + (unit - 0xD800) * 0x400 + self.low_surrogate(backslash) - 0xDC00)
        return chr(unit)

    def four_digits(self, backslash):
        for _ in range(4):
            if self.byte() not in HEX:
                self.stop("escape", backslash)
            self.at += 1
        return int(self.data[self.at - 4:self.at], 16)

    def low_surrogate(self, backslash):
        for wanted in (b"\\", b"u", b"dD", b"cdefCDEF", HEX, HEX):
            if self.byte() not in wanted:
                self.stop("surrogate", backslash)
            self.at += 1
        return int(self.data[self.at - 4:self.at], 16)


# ---- Stage G: the whole file -------------------------------------------------------------------------

def stage_g(tensors, pairs, data_begin, file_size):
    """Check stage G. Return the tensors in layout order."""
    data_size = file_size - data_begin
    first = {}
    for place, pair in enumerate(pairs):
        if pair.key in first:
            raise Stop("metadata_key_twice", pair.key_at, other=first[pair.key], found=place)
        first[pair.key] = place
    first = {}
    for tensor in tensors:
        if tensor.name in first:
            raise Stop("name_twice", tensor.name_at, tensor=tensor.place, other=first[tensor.name])
        first[tensor.name] = tensor.place
    if tensors:
        last = max(tensors, key=lambda t: t.end)  # the first in the header if there are several
        if last.end > data_size:
            raise Stop("truncated", file_size, tensor=last.place, expected=last.end, found=data_size)
    layout = sorted(tensors, key=lambda t: (t.begin, t.end, t.place))
    full = [t for t in layout if t.begin < t.end]
    position, last = 0, None  # the data bytes below position are covered, the last of them by tensor last
    for t in full:
        if t.begin > position:
            raise Stop("hole", data_begin + position, t.place, last, expected=position, found=t.begin)
        if t.begin < position:
            raise Stop("overlap", data_begin + t.begin, t.place, last, expected=position, found=t.begin)
        position, last = t.end, t.place
    if position < data_size:
        raise Stop("hole", data_begin + position, None, last, expected=position, found=data_size)
    around = 0  # full[around] is the first full tensor that ends beyond the empty tensor's begin
    for t in layout:
        if t.begin == t.end:
            while around < len(full) and full[around].end <= t.begin:
                around += 1
            if around < len(full) and full[around].begin < t.begin:
                raise Stop("empty_inside", data_begin + t.begin, t.place, full[around].place)
    return layout


# ---- The program -------------------------------------------------------------------------------------

def judge_file(path):
    size = os.stat(path).st_size
    with open(path, "rb") as f:
        head = f.read(8)
        n = int.from_bytes(head, "little")
        if len(head) == 8 and n <= MAX_HEADER:
            head += f.read(n)
    return judge(head, size)


def judge_line(line):
    hexes, *settings = line.split()
    options = {name: int(number) for name, number in (s.split("=") for s in settings)}
    data = bytes.fromhex("" if hexes == "-" else hexes)
    return judge(data, options.pop("file_size", len(data)), options)


def main(args):
    if not args or args[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 2
    if args == ["--hex"]:
        results = (judge_line(line) for line in sys.stdin if line.strip())
    else:
        results = ({"file": path, **judge_file(path).as_dict()} for path in args)
    for result in results:
        print(json.dumps(result if isinstance(result, dict) else result.as_dict()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
