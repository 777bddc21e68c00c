"""Make random valid documents, before they are written: the input of random_defects.py."""
import json
import os
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "spec"))
import model  # noqa: E402

DTYPES = list(model.BITS)
MEMBERS = [b"dtype", b"shape", b"data_offsets"]
SPACES = [b"", b" ", b"\n", b"\t", b"\r\n", b"   "]
PLAIN = ["model", "layers", "0", "11", "weight", "bias", "attn", "q_proj", "", "a", "b", "x"]
ODD = ["dtype", "é", "ß", "層", "\U0001f600", "\x7f", "\u0080", "\u07ff", "\u0800", "\uffff", "\U0010ffff",
       '"', "\\", "/", "\n", "\x01", "__metadata_x", "__netadata__", "__metadata___"]
SHORT = {'"': b'\\"', "\\": b"\\\\", "\n": b"\\n", "/": b"\\/", "\t": b"\\t"}


def text(rng):
    """Return the raw bytes between the quotes of a random string."""
    count = rng.choice((1, 1, 2, 3, 4))
    pieces = [rng.choice(PLAIN if rng.random() < 0.7 else ODD) for _ in range(count)]
    return raw(rng, ".".join(pieces), 0.05)


def raw(rng, plain, share):
    """Return a spelling of this text; about this share of its characters is escaped."""
    out = []
    for char in plain:
        if char in SHORT and char != "/" or char == "/" and rng.random() < 0.5:
            out.append(SHORT[char])
        elif char < " " or rng.random() < share:
            units = char.encode("utf-16-be")
            spelled = "".join("\\u%02x%02x" % (units[i], units[i + 1]) for i in range(0, len(units), 2))
            out.append(spelled.replace("a", "A").encode() if rng.random() < 0.5 else spelled.encode())
        else:
            out.append(char.encode("utf-8"))
    return b"".join(out)


def respell(rng, spelled):
    """Return another spelling of the same text."""
    return raw(rng, json.loads(b'"' + spelled + b'"'), rng.choice((0, 0.3, 1)))


class Tensor:
    def __init__(self, name, dtype, shape, begin, end):
        self.name, self.dtype, self.shape, self.begin, self.end = name, dtype, shape, begin, end
        self.members = MEMBERS[:]
        self.listed = self.spelled = False  # written as an array of its values (D4); its dtype as an object (D5)


class Doc:
    """A valid file, before it is written."""

    def __init__(self, rng, counts=(0, 1, 1, 2, 2, 3, 5)):
        self.tensors, self.pairs = [], None
        at = 0
        for place in range(rng.choice(counts)):
            size, dtype, shape = random_shape(rng)
            name = text(rng) + (b"~%d" % place if place else b"")
            self.tensors.append(Tensor(name, dtype, shape, at, at + size))
            at += size
        self.size = at
        if rng.random() < 0.35:
            rng.shuffle(self.tensors)
        for tensor in self.tensors:
            if rng.random() < 0.3:
                rng.shuffle(tensor.members)
        if rng.random() < 0.4:
            self.pairs = [(text(rng) + b"=%d" % i, text(rng)) for i in range(rng.choice((0, 1, 1, 2, 3)))]
        self.metadata = self.somewhere(rng) if rng.random() < 0.67 else 0
        self.second_metadata, self.null_metadata = None, False
        self.airy, self.padding = rng.getrandbits(32) if rng.random() < 0.25 else 0, b" " * rng.choice((0, 0, 0, 1, 7))

    def somewhere(self, rng):
        """Return a position between the tensors, or before or after them."""
        return rng.randrange(len(self.tensors) + 1)

    def full(self, rng):
        """Return a tensor with at least 2 bytes; one is added if necessary."""
        found = [t for t in self.tensors if t.end - t.begin >= 2]
        if found:
            return rng.choice(found)
        self.tensors.append(Tensor(b"full", b"F32", [2], self.size, self.size + 8))
        self.size += 8
        return self.tensors[-1]

    def tensor(self, rng):
        return rng.choice(self.tensors) if self.tensors else self.full(rng)

    def tokens(self):
        """Return [[role, bytes]]: the header without white space."""
        out = [["{", b"{"]]
        for place in range(len(self.tensors) + 1):
            if place == self.metadata and self.pairs is not None:
                write_metadata(out, self.pairs, self.null_metadata)
            if place == self.second_metadata:
                write_metadata(out, [], False)
            if place < len(self.tensors):
                write_tensor(out, self.tensors[place])
        if out[-1][0] == ",":
            out.pop()
        out.append(["}", b"}"])
        return out

    def header(self, tokens):
        """Return the tokens as bytes. The white space after a token depends on it and the one before: edits change
        no other."""
        if not self.airy:
            return b"".join(token for _, token in tokens) + self.padding
        out, before = [], b""
        for _, token in tokens[:-1]:
            out += [token, SPACES[zlib.crc32(before + token, self.airy) % len(SPACES)]]
            before = token
        return b"".join(out + [token for _, token in tokens[-1:]]) + self.padding


def random_shape(rng):
    """Return (bytes, dtype, shape)."""
    dtype = rng.choice(DTYPES)
    bits = model.BITS[dtype]
    shape = [rng.choice((0, 1, 1, 1, 2, 2, 3, 4)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    if bits < 8:
        shape.append(8 // bits * rng.choice((2, 4)) if bits == 4 else 4)
    if rng.random() < 0.03:  # the largest products that fit, made empty
        shape = [0, (2**64 - 1) // bits - rng.randrange(2)]
        rng.shuffle(shape)
    if rng.random() < 0.02:
        shape = [rng.choice((2**20, 2**31, 2**32 + 1) * 3 + (2**40, 2**58 // bits)) * 8]
    count = bits
    for dim in shape:
        count *= dim
    return count // 8, dtype.encode(), shape


def quoted(role, spelled):
    return [role, b'"' + spelled + b'"']


def write_metadata(out, pairs, null):
    out += [quoted("metadata", b"__metadata__"), [":", b":"]]
    if null:
        out.append(["pairs", b"null"])
    else:
        out.append(["pairs", b"{"])
        for key, value in pairs:
            out += [quoted("key", key), [":", b":"], quoted("value", value), [",", b","]]
        end(out, b"}")
    out.append([",", b","])


def end(out, bracket):
    """Close an object or array; remove the comma after its last item."""
    if out[-1][0] == ",":
        out.pop()
    out.append([bracket.decode(), bracket])


def write_tensor(out, tensor):
    out += [quoted("name", tensor.name), [":", b":"], ["tensor", b"[" if tensor.listed else b"{"]]
    for member in MEMBERS if tensor.listed else tensor.members:
        if not tensor.listed:
            out += [quoted("member", member), [":", b":"]]
        if member == b"dtype":
            out.append(["dtype", b'{"%s":null}' % tensor.dtype] if tensor.spelled else quoted("dtype", tensor.dtype))
        else:
            out.append(["array", b"["])
            for number in tensor.shape if member == b"shape" else (tensor.begin, tensor.end):
                out += [["number", b"%d" % number], [",", b","]]
            end(out, b"]")
        out.append([",", b","])
    end(out, b"]" if tensor.listed else b"}")
    out.append([",", b","])
