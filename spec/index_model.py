#!/usr/bin/env python3
"""An executable model of spec/index.md in Python.

It is written from the prose alone and shares nothing with src/model, so that the two can be compared.

    spec/index_model.py FILE...     one JSON line an index

    read_index(data) -> Index or Broken
    findings(index, shards) -> the findings for an index and its shards
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def read_table(name):
    with open(os.path.join(HERE, name), encoding="ascii") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


RULES = {row["name"]: row for row in read_table("model_rules.tsv")}
SPACE = b" \t\n\r"
NUMBER_BYTES = re.compile(rb"[0-9+\-.eE]*")
NUMBER = re.compile(rb"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?([0-9]+))?")
BYTES = re.compile(rb"([0-9]+)(\.0*)?")  # a total_size that is a number of bytes
VALUE_STARTS = b'"{[-0123456789tfn'
HEX = b"0123456789abcdefABCDEF"
ESCAPES = dict(zip(b'"\\/bfnrt', '"\\/\b\f\n\r\t'))
SUFFIX = ".safetensors"
SHARD = re.compile(r"(.+)-([0-9]+)-of-([0-9]+)\.safetensors", re.S)
ANY, MAP, METADATA, PATH, TOTAL = "any", "map", "metadata", "path", "total"


class Broken(Exception):
    """The first rule that is broken. tensor: the key of weight_map that the pass is at."""

    def __init__(self, name, offset, tensor=None, expected=None, found=None):
        Exception.__init__(self, name)
        self.name, self.offset, self.tensor, self.expected, self.found = name, offset, tensor, expected, found
        self.code, self.id = int(RULES[name]["code"]), RULES[name]["id"]


class Index:
    """total: None, a number of bytes, or "other"; tensors: [(name, path, offset)] in the order of the index."""

    def __init__(self):
        self.total, self.total_at, self.tensors = None, None, []

    def paths(self):
        return sorted({path for _, path, _ in self.tensors}, key=str.encode)


def read_index(data):
    """Return the index, or the rule that it breaks."""
    try:
        return Pass(data).read()
    except Broken as broken:
        return broken


class Pass:
    def __init__(self, data):
        self.data, self.at, self.tensor, self.index = data, 0, None, Index()

    def fail(self, name, offset, **more):
        raise Broken(name, offset, self.tensor, **more)

    def byte(self, at=None):
        """Return the byte at this position, or stop at the end of the file."""
        at = self.at if at is None else at
        if at >= len(self.data):
            self.fail("index_early", len(self.data))
        return self.data[at]

    def space(self):
        while self.at < len(self.data) and self.data[self.at] in SPACE:
            self.at += 1

    def expect(self, allowed):
        """Skip white space. Return the next byte, which must be one of these."""
        self.space()
        byte = self.byte()
        if byte not in allowed:
            self.fail("index_unexpected", self.at)
        self.at += 1
        return byte

    def read(self):
        if len(self.data) > 1_000_000_000:
            self.fail("index_large", 0, expected=1_000_000_000, found=len(self.data))
        self.space()
        if self.byte() != 0x7B:
            self.fail("index_start", self.at)
        self.values()
        self.space()
        if self.at < len(self.data):
            self.fail("index_trailing", self.at)
        return self.index

    def values(self):
        """Read the root. The stack holds the open objects and arrays, each with its role, bracket and keys."""
        stack = [(ANY, self.byte(), {})]
        self.at += 1
        fresh, has_map = True, False  # fresh: the last token is an opening bracket
        while stack:
            role, bracket, keys = stack[-1]
            close = b"}" if bracket == 0x7B else b"]"
            self.space()
            if self.byte() == close[0]:
                if len(stack) == 1 and not has_map:
                    self.fail("index_no_map", self.at)
                if len(stack) == 1 and not self.index.tensors:
                    self.fail("index_empty", self.at)
                self.at += 1
                stack.pop()
                fresh = False
                continue
            if not fresh:
                self.expect(b"," + close)  # the end was seen above
            wanted = self.key(role, len(stack), keys) if bracket == 0x7B else ANY
            has_map = has_map or wanted == MAP
            fresh = self.value(wanted, stack)
            if not fresh:
                self.tensor = None

    def key(self, role, depth, keys):
        """Read a key and its colon. Return what its value must be."""
        begin = self.expect(b'"') and self.at - 1
        self.at = begin
        text = self.string()
        wanted = ANY
        if depth == 1:
            wanted = {"weight_map": MAP, "metadata": METADATA}.get(text, ANY)
        elif role == MAP:
            wanted, self.tensor = PATH, text
        elif role == METADATA and text == "total_size":
            wanted = TOTAL
        if text in keys:
            self.fail("index_key_twice", begin, found=keys[text])
        keys[text] = begin
        if role == MAP:
            self.tensor_at = begin
        self.expect(b":")
        return wanted

    def value(self, wanted, stack):
        """Read a scalar, or open an object or array: True."""
        self.space()
        byte = self.byte()
        if byte not in VALUE_STARTS:
            self.fail("index_unexpected", self.at)
        if (wanted in (MAP, METADATA) and byte != 0x7B) or (wanted == PATH and byte != 0x22):
            self.fail("index_type", self.at)
        begin = self.at
        if wanted == TOTAL:
            self.index.total, self.index.total_at = "other", begin
        if byte in b"{[":
            if len(stack) == 64:
                self.fail("index_depth", begin, expected=64, found=65)
            stack.append((wanted, byte, {}))
            self.at += 1
            return True
        if byte == 0x22:
            text = self.string()
            if wanted == PATH:
                self.path(text, begin)
        elif byte in b"tfn":
            for wanted_byte in {0x74: b"true", 0x66: b"false", 0x6E: b"null"}[byte]:
                if self.byte() != wanted_byte:
                    self.fail("index_unexpected", self.at)
                self.at += 1
        else:
            number = self.number()
            total = BYTES.fullmatch(number)
            if wanted == TOTAL and total and int(total[1]) < 2**64:
                self.index.total = int(total[1])
        return False

    def number(self):
        begin, run = self.at, NUMBER_BYTES.match(self.data, self.at)[0]
        self.at += len(run)
        self.byte()
        form = NUMBER.fullmatch(run)
        if not form:
            self.fail("index_number", begin)
        if len(run) > 100 or int(form[4] or 0) > 200:
            self.fail("index_number_range", begin)
        return run

    # ---- Strings: "Strings" in format.md

    def string(self):
        self.at += 1
        out = []
        while self.byte() != 0x22:
            byte = self.data[self.at]
            if byte < 0x20:
                self.fail("index_control", self.at)
            out.append(self.escape() if byte == 0x5C else self.character())
        self.at += 1
        return "".join(out)

    def character(self):
        """One code point of UTF-8, by trying: the longest prefix that can still be continued is what was read."""
        begin, lead = self.at, self.data[self.at]
        length = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if 0x80 <= lead < 0xC2 or lead > 0xF4:
            self.fail("index_utf8", begin)
        for more in range(1, length):
            follower = self.byte(begin + more)
            low, high = 0x80, 0xBF
            if more == 1:
                low = {0xE0: 0xA0, 0xF0: 0x90}.get(lead, low)
                high = {0xED: 0x9F, 0xF4: 0x8F}.get(lead, high)
            if not low <= follower <= high:
                self.fail("index_utf8", begin)
        self.at += length
        return self.data[begin:self.at].decode("utf-8")

    def escape(self):
        begin = self.at
        letter = self.byte(begin + 1)
        if letter in ESCAPES:
            self.at += 2
            return ESCAPES[letter]
        if letter != 0x75:
            self.fail("index_escape", begin)
        for k in range(4):
            if self.byte(begin + 2 + k) not in HEX:
                self.fail("index_escape", begin)
        code = int(self.data[begin + 2:begin + 6], 16)
        if code == 0:
            self.fail("index_nul", begin)
        if 0xDC00 <= code <= 0xDFFF:
            self.fail("index_surrogate", begin)
        self.at += 6
        if not 0xD800 <= code <= 0xDBFF:
            return chr(code)
        for k, allowed in enumerate((b"\\", b"u", b"dD", b"cCdDeEfF", HEX, HEX)):
            if self.byte(begin + 6 + k) not in allowed:
                self.fail("index_surrogate", begin)
        self.at += 6
        low = int(self.data[begin + 8:begin + 12], 16)
        return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00)

    def path(self, text, begin):
        raw = text.encode()
        unsafe = any(c < 0x20 or c == 0x7F or c in b"\\:" for c in raw)
        if unsafe or len(raw) > 1024 or any(part in ("", ".", "..") for part in text.split("/")):
            self.fail("shard_path", begin)
        if not text.endswith(SUFFIX):
            self.fail("shard_suffix", begin)
        shards = self.__dict__.setdefault("shards", set())
        shards.add(text)
        if len(shards) > 65535:
            self.fail("shards_many", begin, expected=65535, found=65536)
        self.index.tensors.append((self.tensor, text, self.tensor_at))


# ---- An index and its shards -------------------------------------------------------------------

MISSING, OUTSIDE, UNJUDGED = "missing", "outside", "unjudged"


def finding(name, path, **more):
    return {"rule": RULES[name]["id"], "rule_name": name, "path": path, "offset": None, "tensor": None, "count": None,
            "other": None, "expected": None, "found": None, "pair": False, **more}


def findings(index, shards):
    """Return a list of findings, in no order. shards: {path of the index: {name: bytes} of a valid shard in layout
    order, or MISSING, OUTSIDE or UNJUDGED}."""
    where = {name: (path, at, k) for k, (name, path, at) in enumerate(index.tensors)}
    out = []
    for path in index.paths():
        mine = [(name, at) for name, of, at in index.tensors if of == path]
        if shards[path] in (MISSING, OUTSIDE):
            name = "shard_" + shards[path]
            out.append(finding(name, path, offset=mine[0][1], tensor=mine[0][0], count=len(mine)))
        elif shards[path] != UNJUDGED:
            out += of_shard(path, mine, shards, where)
    if not out and UNJUDGED not in shards.values():
        total = sum(sum(held.values()) for held in shards.values())
        if index.total is not None and index.total != total:
            found = None if index.total == "other" else index.total
            out.append(finding("total_size", None, offset=index.total_at, expected=total, found=found))
    return out + same_but_case(index)


def fold(path):
    return "".join(chr(ord(c) | 0x20) if "A" <= c <= "Z" else c for c in path)


def same_but_case(index):
    """Return the paths that differ only in the case of A to Z, each with the first such path."""
    out, seen = [], {}
    for path in index.paths():
        first = seen.setdefault(fold(path), path)
        if first != path:
            name, _, at = next(one for one in index.tensors if one[1] == path)
            out.append(finding("path_case", path, offset=at, tensor=name, other=first))
    return out


def single_path(index):
    """Return the name of the file that contains the whole model of this index."""
    stem, variant = index[:-len("json")].split(".safetensors.index.", 1)
    return stem + ("." if variant else "") + variant[:-1] + SUFFIX


def single(shards, held):
    """Compare the shards with the file that contains the whole model. Return (rule, first tensor, its shard, how many
    differ, tensors of the shards, tensors of the file), or None. shards: [(path, {name: (dtype, shape)}, or None if it
    was not compared)] in the order of their paths; held: the tensors of the file; both in layout order."""
    whole = all(tensors is not None for _, tensors in shards)
    pairs = [(path, name, what) for path, tensors in shards for name, what in (tensors or {}).items()]
    differ = [(name, path) for path, name, what in pairs if held.get(name) != what]
    known = {name for _, name, _ in pairs}
    differ += [(name, None) for name in held if whole and name not in known]
    if differ:
        return ("single_differs", *differ[0], len(differ), len(pairs) if whole else None, len(held))
    return ("single_beside", None, None, None, None, None) if whole else None


def parts_missing(indexes, names):
    """Return {path of the first missing file: (required, existing)} of the numbered sets that no index names."""
    stems, sets = set(), {}
    for index in indexes:
        stems |= {SHARD.fullmatch(path)[1] for path in index.paths() if SHARD.fullmatch(path)}
    for name in sorted(names, key=str.encode):
        form = SHARD.fullmatch(name)
        if form and form[1] not in stems:
            sets.setdefault((form[1], int(form[3])), []).append((int(form[2]), name, form))
    out = {}
    for (stem, count), files in sets.items():
        numbers = {number for number, _, _ in files}
        first = 0 if 0 in numbers else 1
        wanted = range(first, count + 1 if first == 1 or count in numbers else count)
        lacking = [number for number in wanted if number not in numbers]
        if lacking:
            form = min(files)[2]
            path = "%s-%0*d-of-%s%s" % (stem, len(form[2]), lacking[0], form[3], SUFFIX)
            out[path] = ("part_missing", len(wanted), len(numbers & set(wanted)))
    return out


def all_in(path, shards, where):
    """Return the one shard to which the index assigns all tensors of this file, or None."""
    places = {where[name][0] if name in where else None for name in shards[path]}
    return places.pop() if len(places) == 1 and None not in places else None


def is_swapped(path, shards, where):
    return not isinstance(shards[path], str) and all(where.get(name, (None,))[0] != path for name in shards[path])


def of_shard(path, mine, shards, where):
    """Yield the findings about a valid shard."""
    held = shards[path]
    if is_swapped(path, shards, where):
        other = all_in(path, shards, where)
        pair = other is not None and is_swapped(other, shards, where) and all_in(other, shards, where) == path
        return [finding("shard_swapped", path, offset=mine[0][1], tensor=mine[0][0], count=len(mine), other=other,
                        expected=len(mine), found=len(held), pair=pair)]
    out = []
    lacks = [(name, at) for name, at in mine if name not in held]
    if lacks:
        out.append(finding("tensor_missing", path, offset=lacks[0][1], tensor=lacks[0][0], count=len(lacks)))
    unlisted = [name for name in held if name not in where]
    if unlisted:
        out.append(finding("tensor_unlisted", path, tensor=unlisted[0], count=len(unlisted)))
    strange = sorted((where[name][2], name) for name in held if name in where and where[name][0] != path)
    if strange:
        name = strange[0][1]
        out.append(finding("tensor_elsewhere", path, offset=where[name][1], tensor=name, count=len(strange),
                           other=where[name][0]))
    return out


def beside(indexes, name):
    """Return the rule for a *.safetensors file in the folder, or None if an index names it."""
    paths = [path for index in indexes for path in index.paths()]
    if name in paths:
        return None
    mine = SHARD.fullmatch(name)
    for path in paths:
        other = SHARD.fullmatch(path)
        if mine and other and mine[1] == other[1]:
            return "shard_extra"
    return "file_beside"


def as_dict(result):
    """Return the dict that tests/conformance/index_driver.c prints as JSON."""
    def as_hex(text):
        return text.encode().hex()

    if isinstance(result, Broken):
        return {"code": result.code, "offset": result.offset, "expected": result.expected, "found": result.found,
                "tensor": None if result.tensor is None else as_hex(result.tensor)}
    shards = list(dict.fromkeys(path for _, path, _ in result.tensors))
    number = {path: k for k, path in enumerate(shards)}
    return {"code": 0, "offset": None, "expected": None, "found": None, "tensor": None, "total": result.total,
            "tensors": [[as_hex(name), number[path]] for name, path, _ in result.tensors],
            "shards": [as_hex(path) for path in shards], "order": [number[path] for path in result.paths()]}


def main(paths):
    for path in paths:
        with open(path, "rb") as f:
            print(json.dumps(as_dict(read_index(f.read())), separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
