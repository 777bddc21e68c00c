"""Defects to put into random documents. None is sure to break the rule that it is named after: the model says
what a file breaks."""
import model
from random_document import Tensor, quoted, respell, text

UNKNOWN = [b"", b"dtypes", b"Shape", b"offsets", b"data_offset", b"x", b"__metadata__",
           b"\xc3\xa9", b"\\u0078"]
OTHER_VALUES = [b"null", b"true", b"false", b"nul", b'"x"', b"1", b"[]", b"{}", b"[[1]]", b"-1",
                b'{"F32":null}', b'["F32",[1],[0,4]]']
NOT_NUMBERS = [b"-1", b"01", b"1.0", b"1e3", b"-", b"1E+2", b"00", b"-0", b"1-2", b"0.5e-7"]
LARGE = [b"18446744073709551616", b"99999999999999999999", b"100000000000000000000", b"9" * 40]
NOT_DTYPES = [b"", b"f32", b"F32 ", b"F8", b"C128", b"U4", b"F8_E4M3FN", b"BOOLEAN", b"F8_E4M3FNUZZ",
              b"\xd0\xa432"]
BAD_UTF8 = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe0\x9f\xbf", b"\xe2\x82",
            b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff",
            b"\xf0\x9f\x98"]
BAD_ESCAPES = [b"\\x41", b"\\'", b"\\u12", b"\\uzzzz", b"\\u00g0", b"\\U0041", b"\\ ", b"\\0", b"\\u{41}"]
BAD_PAIRS = [b"\\ud800", b"\\udc00", b"\\udfffx", b"\\ud800\\ud800", b"\\udbff\\n", b"\\ud83d\\u0041",
             b"\\ud83d\\ude0", b"\\ud83dx", b"\\ud800\xff", b"\\ud83d\\u0000"]
JUNK = [b",", b"]", b"}", b":", b"x", b"+1", b"\0", b"\x7f", b"\xc2\xa0", b"\xff", b"'", b"[", b"{", b"1",
        b'"', b"/*x*/", b"NaN"]
TAILS = [b"\n", b"\t", b"\0", b"{}", b"}", b",", b"\xa0", b"x"]


# ---- defects of the document ---------------------------------------------------------------------------

def metadata_key_twice(rng, doc):
    pairs = doc.pairs = doc.pairs or [(text(rng), b"")]
    pairs.insert(rng.randrange(len(pairs) + 1), (respell(rng, rng.choice(pairs)[0]), text(rng)))


def name_twice(rng, doc):
    twin = doc.tensor()
    size = twin.end - twin.begin
    doc.tensors.insert(rng.randrange(len(doc.tensors) + 1),
                       Tensor(respell(rng, twin.name), twin.dtype, twin.shape, doc.size, doc.size + size))
    doc.size += size


def truncated(rng, doc):
    doc.full()
    doc.size -= rng.choice((1, 1, 2, doc.size))


def overlap(rng, doc):
    first = doc.full()
    second = Tensor(b"over", b"U8", [2], first.begin, first.begin + 2)
    doc.tensors.insert(rng.randrange(len(doc.tensors) + 1), second)
    if rng.random() < 0.5:
        move(doc.tensors, first, -1)


def move(tensors, but, by):
    for tensor in tensors:
        if tensor is not but and tensor.begin + by >= 0:
            tensor.begin, tensor.end = tensor.begin + by, tensor.end + by


def hole(rng, doc):
    kind = rng.randrange(3)
    by = rng.choice((1, 2, 8, 1000))
    doc.size += by
    if kind == 1:
        move(doc.tensors, None, by)
    elif kind == 2:
        at = doc.full().end
        move([t for t in doc.tensors if t.begin >= at], None, by)


def empty_inside(rng, doc):
    around = doc.full()
    at = rng.choice((around.begin + 1, around.end - 1))
    doc.tensors.insert(rng.randrange(len(doc.tensors) + 1), Tensor(b"empty", b"F32", [2, 0], at, at))


def shape_overflow(rng, doc):
    tensor = doc.tensor()
    bits = model.BITS[tensor.dtype.decode()]
    over = 2**64 // bits + 1
    tensor.shape = rng.choice(([over], [over, 0], [0, 2**32, 2**32], [2**32, 2**32], [2**64 - 1], [2] * 66,
                               [274177, 67280421310721]))


def shape_subbyte(rng, doc):
    tensor = doc.tensor()
    tensor.dtype, tensor.shape = rng.choice(((b"F4", [1]), (b"F4", [3, 5]), (b"F6_E2M3", [2]),
                                             (b"F6_E3M2", []), (b"F6_E3M2", [3])))


def offsets_order(rng, doc):
    tensor = doc.full()
    tensor.begin, tensor.end = tensor.end, tensor.begin


def offsets_size(rng, doc):
    doc.tensor().end += rng.choice((1, 2, 4, 2**32))


def member_missing(rng, doc):
    members = doc.tensor().members
    for _ in range(rng.choice((1, 1, 2, 3))):
        if members:
            members.pop(rng.randrange(len(members)))


def member_twice(rng, doc):
    members = doc.tensor().members
    if members:
        members.insert(rng.randrange(1, len(members) + 1), rng.choice(members))


def metadata_twice(rng, doc):
    doc.pairs = doc.pairs or []
    doc.second_metadata = True


# ---- defects of the tokens ---------------------------------------------------------------------------

def pick(rng, tokens, *roles):
    """The place of a random token with such a role, or None."""
    places = [place for place, token in enumerate(tokens) if token[0] in roles]
    return rng.choice(places) if places else None


def replace(rng, tokens, roles, others):
    place = pick(rng, tokens, *roles)
    if place is not None:
        tokens[place] = ["?", rng.choice(others)]


def keyword_escaped(rng, tokens):
    place = pick(rng, tokens, "metadata", "member", "dtype")
    if place is not None:
        word = tokens[place][1][1:-1]
        at = rng.randrange(len(word))
        tokens[place] = quoted("?", word[:at] + b"\\u%04x" % word[at] + word[at + 1:])


def member_unknown(rng, tokens):
    place = pick(rng, tokens, "member")
    if place is not None:
        member = quoted("?", rng.choice(UNKNOWN))
        with_value = [member, [":", b":"], ["?", b"1"], [",", b","]]
        tokens[place:place + rng.randrange(2)] = rng.choice(([member], with_value))


def wrong_type(rng, tokens):
    replace(rng, tokens, [rng.choice(("pairs", "value", "tensor", "dtype", "array", "number"))], OTHER_VALUES)


def number_form(rng, tokens):
    replace(rng, tokens, ["number"], NOT_NUMBERS)


def number_range(rng, tokens):
    replace(rng, tokens, ["number"], LARGE)


def dtype_unknown(rng, tokens):
    replace(rng, tokens, ["dtype"], [b'"%s"' % word for word in NOT_DTYPES])


def offsets_count(rng, tokens):
    places = [place for place, token in enumerate(tokens) if token == quoted("member", b"data_offsets")]
    if places:
        at = rng.choice(places) + 2  # the [ of [ begin , end ]
        both, zero = tokens[at + 1:at + 4], ["number", b"0"]
        tokens[at + 1:at + 4] = rng.choice(([], [zero], both + [[",", b","], zero]))


def unexpected(rng, tokens):
    place = rng.randrange(1, len(tokens))
    kind = rng.randrange(3)
    if kind == 0:
        tokens.insert(place, ["?", rng.choice(JUNK)])
    elif kind == 1:
        tokens[place] = ["?", rng.choice(JUNK)]
    else:
        del tokens[place]


def in_string(bad):
    def defect(rng, tokens):
        place = pick(rng, tokens, "metadata", "key", "value", "name", "member", "dtype")
        if place is not None:
            word = tokens[place][1]
            at = rng.choice((1, len(word) - 1, rng.randrange(1, len(word))))
            tokens[place] = ["?", word[:at] + rng.choice(bad) + word[at:]]
    return defect


# ---- defects of the bytes ------------------------------------------------------------------------------

def start(rng, header):
    return rng.choice((b" ", b"\n", b"\xef\xbb\xbf", b"[", b"\0", b'"', b"}", b"\x80")) + header


def trailing(rng, header):
    return header + b" " * rng.randrange(3) + rng.choice(TAILS) + b" " * rng.randrange(2)


def mutate(rng, header):
    out = bytearray(header)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(out) + 1)
        new = rng.choice((b"", bytes([rng.randrange(256)]), bytes(out[at:at + 5]), b"\\", b'"'))
        out[at:at + rng.randrange(3)] = new
    return bytes(out)


# ---- defects of the frame: (n, header, data size) -> (n, header, data size) ------------------------------

def header_early(rng, n, header, size):
    cut = rng.randrange(len(header) + 1)
    return cut, header, size


def header_large(rng, n, header, size):
    return rng.choice((100000001, 2**32 + n, 2**63, 2**64 - 1, 2**64 - 8, 2**64 - 8 + n % 8)), header, size


def header_cut(rng, n, header, size):
    return min(rng.choice((n + size + 1, 100000000, n + size + 9)), 2**64 - 1), header, size


STAGE_G = [metadata_key_twice, name_twice, truncated, overlap, hole, empty_inside]
DOC = STAGE_G + [shape_overflow, shape_subbyte, offsets_order, offsets_size, member_missing, member_twice,
                 metadata_twice]
TOKENS = [keyword_escaped, member_unknown, wrong_type, number_form, number_range, dtype_unknown,
          offsets_count, unexpected, in_string([b"\0", b"\n", b"\x1f", b"\t"]), in_string(BAD_UTF8),
          in_string(BAD_ESCAPES), in_string(BAD_PAIRS), in_string([b"\\u0000", b"x\\u0000"])]
BYTES = [start, trailing, mutate]
FRAME = [header_early, header_large, header_cut]
FILE_SHORT = "file_short"
# Stage G is judged last, so its defects are the ones that other defects hide: they get more than their share.
DEFECTS = STAGE_G + DOC + TOKENS + BYTES + FRAME + [FILE_SHORT]
