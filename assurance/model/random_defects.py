"""Defects for random documents: PLANTS[rule] are the functions that try to break that rule.

No function breaks its rule for certain: the model determines what a file breaks. Each edits one ground, in this
order: DOC, the document before it is written; TOKENS, the tokens of its header; HEADER, its bytes; FRAME, the
header length and the file size. A defect draws from the random numbers that are passed and edits one position, so
that random_pairs.py can put two into one file.
"""
import collections

import model
from random_document import Tensor, quoted, respell, text

UNKNOWN = [b"", b"dtypes", b"Shape", b"shapf", b"offsets", b"data_offset", b"data_offsetx", b"eata_offsets", b"x",
           b"__metadata__", b"\xc3\xa9", b"\\u0078"]
OTHER_VALUES = [b"null", b"true", b"false", b"nul", b'"x"', b"1", b"[]", b"{}", b"[[1]]", b"-1",
                b'{"F32":null}', b'["F32",[1],[0,4]]']
NOT_NUMBERS = [b"-1", b"01", b"1.0", b"1e3", b"-", b"1E+2", b"00", b"-0", b"1-2", b"0.5e-7"]
LARGE = [2**64, 2**64 + 1, 2**65, 10**20 - 1, 10**20, 10**40 - 1]
NOT_DTYPES = [b"", b"f32", b"F32 ", b"F8", b"C128", b"U4", b"F8_E4M3FN", b"BOOLEAN", b"F8_E4M3FNUZZ", b"\xd0\xa432"]
BAD_UTF8 = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe0\x9f\xbf", b"\xe2\x82", b"\xed\xa0\x80",
            b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xf0\x9f\x98"]
BAD_ESCAPES = [b"\\x41", b"\\'", b"\\u12", b"\\uzzzz", b"\\u00g0", b"\\U0041", b"\\ ", b"\\0", b"\\u{41}"]
BAD_PAIRS = [b"\\ud800", b"\\udc00", b"\\udfffx", b"\\ud800\\ud800", b"\\udbff\\n", b"\\ud83d\\u0041",
             b"\\ud83d\\ude0", b"\\ud83dx", b"\\ud800\xff", b"\\ud83d\\u0000"]
JUNK = [b",", b"]", b"}", b":", b"x", b"+1", b"\0", b"\x7f", b"\xc2\xa0", b"\xff", b"'", b"[", b"{", b"1",
        b'"', b"/*x*/", b"NaN"]
TAILS = [b"\n", b"\t", b"\r", b"\0", b"{}", b"}", b",", b"\xa0", b"x"]
STARTS = [b" ", b"\n", b"\xef\xbb\xbf", b"[", b"\0", b'"', b"}", b"\x80"]

GROUNDS = DOC, TOKENS, HEADER, FRAME = range(4)
PLANTS = collections.defaultdict(list)


def breaks(rule, ground):
    def register(defect):
        defect.ground = ground
        PLANTS[rule].append(defect)
        return defect
    return register


def a_byte(rng):
    return bytes([rng.randrange(256)])


# ---- defects of the document ---------------------------------------------------------------------------

@breaks("metadata_key_twice", DOC)
def metadata_key_twice(rng, doc):
    pairs = doc.pairs = doc.pairs or [(text(rng), b"")]
    pairs.insert(rng.randrange(len(pairs) + 1), (respell(rng, rng.choice(pairs)[0]), text(rng)))


@breaks("name_twice", DOC)
def name_twice(rng, doc):
    twin = doc.tensor(rng)
    end = doc.size + twin.end - twin.begin
    doc.tensors.insert(doc.somewhere(rng), Tensor(respell(rng, twin.name), twin.dtype, twin.shape, doc.size, end))
    doc.size = end


@breaks("truncated", DOC)
def truncated(rng, doc):
    doc.full(rng)
    doc.size -= rng.choice((1, 1, 2, doc.size))


@breaks("overlap", DOC)
def overlap(rng, doc):
    first = doc.full(rng)
    at = rng.choice((first.begin, first.end - 2))
    doc.tensors.insert(doc.somewhere(rng), Tensor(b"over", b"U8", [2], at, at + 2))


@breaks("overlap", DOC)
def moved_back(rng, doc):
    """A tensor and all after it begin a byte too early."""
    move(doc, max(1, doc.full(rng).begin), -1)


def move(doc, begin, by):
    """Move the tensors that begin at this byte or later, if none would begin before the data."""
    moved = [tensor for tensor in doc.tensors if tensor.begin >= begin]
    if begin + by >= 0:
        for tensor in moved:
            tensor.begin, tensor.end = tensor.begin + by, tensor.end + by
        doc.size += by


@breaks("hole", DOC)
def data_behind(rng, doc):
    doc.size += rng.choice((1, 2, 8, 1000))


@breaks("hole", DOC)
def moved_on(rng, doc):
    move(doc, doc.tensor(rng).begin, rng.choice((1, 2, 8, 1000)))


@breaks("hole", DOC)
def taken_out(rng, doc):
    """A tensor is missing, and its data remain."""
    doc.tensors.remove(doc.full(rng))


@breaks("empty_inside", DOC)
def empty_inside(rng, doc):
    around = doc.full(rng)
    at = rng.choice((around.begin + 1, around.end - 1))
    doc.tensors.insert(doc.somewhere(rng), Tensor(b"empty", b"F32", [2, 0], at, at))


@breaks("shape_overflow", DOC)
def shape_overflow(rng, doc):
    tensor = doc.tensor(rng)
    over = 2**64 // model.BITS[tensor.dtype.decode()] + 1
    tensor.shape = rng.choice(([over], [over, 0], [0, 2**32, 2**32], [2**32, 2**32], [2**64 - 1], [2] * 66,
                               [274177, 67280421310721]))


@breaks("shape_overflow", DOC)
def empty_overflow(rng, doc):
    """An empty tensor of too many elements (D13)."""
    shape = rng.choice(([0, 2**32, 2**32], [2**61, 0], [2**32, 2**31, 0], [2**63, 0, 2]))
    doc.tensors.insert(doc.somewhere(rng), Tensor(b"many", b"F64", shape, doc.size, doc.size))


@breaks("shape_subbyte", DOC)
def shape_subbyte(rng, doc):
    tensor = doc.tensor(rng)
    tensor.dtype, tensor.shape = rng.choice(((b"F4", [1]), (b"F4", [3, 5]), (b"F6_E2M3", [2]), (b"F6_E3M2", []),
                                             (b"F6_E3M2", [3])))


@breaks("offsets_order", DOC)
def offsets_order(rng, doc):
    tensor = doc.full(rng)
    tensor.begin, tensor.end = tensor.end, tensor.begin


@breaks("offsets_size", DOC)
def offsets_size(rng, doc):
    doc.tensor(rng).end += rng.choice((1, 2, 4, 2**32))


@breaks("member_missing", DOC)
def member_missing(rng, doc):
    members = doc.tensor(rng).members
    for _ in range(rng.choice((1, 1, 2, 3))):
        if members:
            members.pop(rng.randrange(len(members)))


@breaks("member_twice", DOC)
def member_twice(rng, doc):
    members = doc.tensor(rng).members
    if members:
        members.insert(rng.randrange(1, len(members) + 1), rng.choice(members))


@breaks("metadata_twice", DOC)
def metadata_twice(rng, doc):
    doc.pairs = doc.pairs or []
    doc.second_metadata = doc.somewhere(rng)


@breaks("type", DOC)
def other_spelling(rng, doc):
    """What the reference accepts as metadata (D3), a tensor (D4), a dtype (D5)."""
    kind = rng.randrange(3)
    if kind == 0:
        doc.pairs, doc.null_metadata = [], True
    else:
        tensor = doc.tensor(rng)
        tensor.listed, tensor.spelled = kind == 1, kind == 2


# ---- defects of the tokens ---------------------------------------------------------------------------

def pick(rng, tokens, *roles):
    """Return the index of a random token with such a role, or None."""
    places = [place for place, token in enumerate(tokens) if token[0] in roles]
    return rng.choice(places) if places else None


def replace(rng, tokens, roles, other):
    place = pick(rng, tokens, *roles)
    if place is not None:
        tokens[place] = ["?", other]


@breaks("keyword_escaped", TOKENS)
def keyword_escaped(rng, tokens):
    place = pick(rng, tokens, "metadata", "member", "dtype")
    if place is not None:
        word = tokens[place][1][1:-1]
        at = rng.randrange(len(word))
        tokens[place] = quoted("?", word[:at] + b"\\u%04x" % word[at] + word[at + 1:])


@breaks("member_unknown", TOKENS)
def member_unknown(rng, tokens):
    place = pick(rng, tokens, "member")
    if place is not None:
        member = quoted("?", rng.choice(UNKNOWN))
        with_value = [member, [":", b":"], ["?", b"1"], [",", b","]]
        tokens[place:place + rng.randrange(2)] = rng.choice(([member], with_value))


@breaks("type", TOKENS)
def wrong_type(rng, tokens):
    role = rng.choice(("pairs", "value", "tensor", "dtype", "array", "number"))
    replace(rng, tokens, [role], rng.choice(OTHER_VALUES))


@breaks("number_form", TOKENS)
def number_form(rng, tokens):
    some = bytes(rng.choice(b"0123456789+-.eE") for _ in range(rng.choice((1, 2, 3, 5, 25))))
    replace(rng, tokens, ["number"], rng.choice(NOT_NUMBERS + [some]))


@breaks("number_range", TOKENS)
def number_range(rng, tokens):
    replace(rng, tokens, ["number"], b"%d" % rng.choice(LARGE + [2**64 + rng.getrandbits(rng.randrange(1, 70))]))


@breaks("dtype_unknown", TOKENS)
def dtype_unknown(rng, tokens):
    replace(rng, tokens, ["dtype"], b'"%s"' % rng.choice(NOT_DTYPES))


@breaks("offsets_count", TOKENS)
def offsets_count(rng, tokens):
    places = [place for place, token in enumerate(tokens) if token == quoted("member", b"data_offsets")]
    if places:
        at = rng.choice(places) + 2  # the [ of [ begin , end ]
        both, zero = tokens[at + 1:at + 4], ["number", b"0"]
        tokens[at + 1:at + 4] = rng.choice(([], [zero], both + [[",", b","], zero]))


@breaks("unexpected", TOKENS)
def unexpected(rng, tokens):
    place = rng.randrange(1, len(tokens))
    kind = rng.randrange(3)
    junk = ["?", rng.choice(JUNK + [a_byte(rng)])]
    tokens[place:place + (kind > 0)] = [junk] if kind < 2 else []


@breaks("trailing", TOKENS)
def closed_early(rng, tokens):
    """A } after a member of the root that is not the last: the comma after it is already outside."""
    places = [k for k in range(1, len(tokens) - 1) if tokens[k][0] == "," and tokens[k + 1][0] in ("metadata", "name")]
    if places:
        tokens.insert(rng.choice(places), ["?", b"}"])


def in_string(rule, bad):
    """Put one of these bytes, or bytes that this function draws, into a string."""
    @breaks(rule, TOKENS)
    def defect(rng, tokens):
        place = pick(rng, tokens, "metadata", "key", "value", "name", "member", "dtype")
        if place is not None:
            word = tokens[place][1]
            at = rng.choice((1, len(word) - 1, rng.randrange(1, len(word))))
            tokens[place] = ["?", word[:at] + (bad(rng) if callable(bad) else rng.choice(bad)) + word[at:]]


def any_escape(rng):
    digits = bytes(rng.choice(b"0123456789abcdefABCDEFg/:@G`") for _ in range(4))
    return b"\\" + (a_byte(rng) if rng.random() < 0.5 else b"u" + digits)


def any_pair(rng):
    return b"\\uD%X%02x\\u%04X" % (rng.randrange(8, 12), rng.randrange(256), rng.getrandbits(16))


in_string("control", lambda rng: bytes([rng.randrange(0x20)]))
in_string("utf8", BAD_UTF8)
in_string("utf8", lambda rng: bytes(rng.randrange(0x80, 0x100) for _ in range(rng.randrange(1, 5))))
in_string("escape", BAD_ESCAPES)
in_string("escape", any_escape)
in_string("surrogate", BAD_PAIRS)
in_string("surrogate", lambda rng: b"\\u%04x" % rng.randrange(0xD800, 0xE000))
in_string("surrogate", any_pair)
in_string("nul", [b"\\u0000", b"x\\u0000"])


# ---- defects of the bytes ------------------------------------------------------------------------------

@breaks("start", HEADER)
def start(rng, header):
    header[:rng.randrange(2)] = rng.choice(STARTS + [a_byte(rng)])


@breaks("trailing", HEADER)
def trailing(rng, header):
    header += b" " * rng.randrange(3) + rng.choice(TAILS + [a_byte(rng)]) + b" " * rng.randrange(2)


@breaks("header_early", HEADER)
def cut_short(rng, header):
    del header[rng.randrange(len(header) + 1):]


def mutate(rng, header):
    """No defect of a specific rule: insert, change and remove bytes."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(header) + 1)
        new = rng.choice((b"", a_byte(rng), header[at:at + 5], b"\\", b'"'))
        header[at:at + rng.randrange(3)] = new


mutate.ground = HEADER


# ---- defects of the frame --------------------------------------------------------------------------------

@breaks("header_early", FRAME)
def header_early(rng, frame):
    frame.n = rng.choice((0, rng.randrange(len(frame.header) + 1), rng.randrange(len(frame.header) + 1)))


@breaks("header_large", FRAME)
def header_large(rng, frame):
    n = frame.n % 2**32
    wraps = [2**32 + n, 2**64 - 8, 2**64 - 8 + n % 8]  # in 32 bits, or as 8 + N
    frame.n = rng.choice(wraps + [100000001, 2**63, 2**64 - 1, rng.getrandbits(64)])


@breaks("header_cut", FRAME)
def header_cut(rng, frame):
    n = min(frame.n, 2**32)
    frame.n = min(rng.choice((n + frame.size + 1, 100000000, n + frame.size + 9)), 2**64 - 1)


@breaks("header_cut", FRAME)
def file_cut(rng, frame):
    """The file ends inside the header."""
    frame.file_size = rng.randrange(8, 8 + max(1, min(frame.n, len(frame.header))))


@breaks("file_short", FRAME)
def file_short(rng, frame):
    frame.file_size = rng.randrange(8)
