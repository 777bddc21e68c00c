"""The hand-made cases of the corpus.

Every case states what its author derived from spec/format.md. The byte that a verdict names is marked in the
header itself: ^^ stands before it (and is taken out). Other places are END (8 + N), SIZE (the file size) and
DATA + k (byte k of the data).
"""
import struct

MARK = b"^^"
END, SIZE, DATA = "end", "size", 10**9
IHD = "reject InvalidHeaderDeserialization"
UTF8 = "reject InvalidHeader"
OFFSET = "reject InvalidOffset"
BUFFER = "reject MetadataIncompleteBuffer"

CASES = []
OPTION_CASES = []  # judged with options: see option() below


class Case:
    def __init__(self, file, name, header, data, n, at, ref, decision, row, note, errors):
        raw = header if isinstance(header, bytes) else header.encode("utf-8")
        marked = raw.find(MARK)
        raw = raw.replace(MARK, b"")
        self.file, self.name, self.row, self.note = file, name, row, note
        self.decision, self.reference, self.errors = decision, ref, errors
        self.data = struct.pack("<Q", len(raw) if n is None else n) + raw + payload(data)
        end = 8 + (len(raw) if n is None else n)
        if marked >= 0:
            at = 8 + marked
        self.offset = {END: end, SIZE: len(self.data), None: ""}.get(at, at)
        if isinstance(at, int) and at >= DATA:
            self.offset = end + at - DATA

    def folder(self, verdict):
        prefix = "" if verdict == "valid" else self.row + "-" if self.row else ""
        return "%s/%s%s.safetensors" % (verdict, prefix, self.file)

    def fields(self):
        return dict(self.errors, name=self.name, offset=self.offset, reference_verdict=self.reference,
                    note=self.note, row=self.row, decision=self.decision)


def payload(data):
    return data if isinstance(data, bytes) else bytes(1 + i % 250 for i in range(data))


def bad(row, name, file, header, data=0, at=None, ref=IHD, decision="", note="", n=None, **errors):
    CASES.append(Case(file, name, header, data, n, at, ref, decision, row, note, errors))


def good(file, header, data=0, note=""):
    CASES.append(Case(file, "ok", header, data, None, None, "accept", "", "", note, {}))


def option(file, options, name, note="", **fields):
    OPTION_CASES.append(dict(fields, file=file, options=options, name=name, note=note))


def raw(row, name, file, data, at, ref, note="", **errors):
    """A file given as its bytes."""
    case = Case(file, name, b"", b"", None, at, ref, "", row, note, errors)
    case.data = data
    case.offset = len(data) if at == SIZE else at
    CASES.append(case)


def t(name, dtype="U8", shape="[4]", begin=0, end=4):
    """A tensor as a root member."""
    return '"%s":{"dtype":"%s","shape":%s,"data_offsets":[%s,%s]}' % (name, dtype, shape, begin, end)


def body(dtype='"U8"', shape="[4]", offsets="[0,4]"):
    """A header with one tensor a, its values as they are written."""
    return '{"a":{"dtype":%s,"shape":%s,"data_offsets":%s}}' % (dtype, shape, offsets)


def doc(*members):
    return "{" + ",".join(members) + "}"


A = t("a")

# ---- valid -----------------------------------------------------------------------------------------

good("empty-object", "{}")
good("empty-object-padded", "{}      ", note="the usual padding to a multiple of 8")
good("metadata-empty", '{"__metadata__":{}}')
good("metadata-empty-name-and-value", '{"__metadata__":{"":""}}')
good("metadata-keys-like-keywords", '{"__metadata__":{"__metadata__":"1","dtype":"2","sh\\u0061pe":"x"}}',
     note="keywords are free where they are no keywords")
good("metadata-last", doc(A, '"__metadata__":{"k":"v"}'), 4)
good("metadata-between", doc(A, '"__metadata__":{"k":"v"}', t("b", begin=4, end=8)), 8)
good("metadata-escaped-pair", '{"__metadata__":{"\\u006b\\n":"\\"\\\\\\/\\b\\f\\r\\t\\u00e9\\ud83d\\ude00"}}')
good("white-space-everywhere", "{ \t\n\r\"a\" : { \"dtype\"\t:\n\"U8\" , \"shape\" : [ 2 , 2 ] ,\r\n"
     "\"data_offsets\" : [ 0 , 4 ] } }  ", 4)
for place, order in enumerate([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]):
    member = ['"dtype":"U8"', '"shape":[4]', '"data_offsets":[0,4]']
    good("member-order-%d" % place, '{"a":{%s}}' % ",".join(member[i] for i in order), 4)
for dtype, bits in [("BOOL", 8), ("U8", 8), ("I8", 8), ("F8_E5M2", 8), ("F8_E4M3", 8), ("F8_E8M0", 8),
                    ("F8_E4M3FNUZ", 8), ("F8_E5M2FNUZ", 8), ("F4",
                     4), ("F6_E2M3", 6), ("F6_E3M2", 6), ("I16", 16),
                    ("U16", 16), ("F16", 16), ("BF16", 16), ("I32", 32), ("U32", 32), ("F32", 32), ("I64", 64),
                    ("U64", 64), ("F64", 64), ("C64", 64)]:
    good("dtype-" + dtype, doc(t("a", dtype, "[2,2]", 0, bits // 2)), bits // 2)
good("scalar", doc(t("a", "F64", "[]", 0, 8)), 8)
good("dims-white-space", body(shape="[ 2\n,\t2\r]"), 4)
good("empty-tensor-alone", doc(t("a", "F32", "[0]", 0, 0)))
good("empty-tensor-F4-odd", doc(t("a", "F4", "[3,0]", 0, 0)), note="no bits are a multiple of 8 bits")
good("empty-tensors-at-every-border", doc(t("z", "U8", "[0]", 8, 8), t("b", begin=4, end=8), t("y", "U8", "[0]", 4, 4),
     t("a"), t("x", "U8", "[0]", 0, 0), t("w", "U8", "[0]", 4, 4)), 8,
     note="layout order x a y w b z: at 4 the empty ones by their places")
good("reverse-order", doc(t("c", begin=8, end=12), t("b", begin=4, end=8), A), 12)
good("names-in-no-order", doc(t("b"), t("a", begin=4, end=8), t("", begin=8, end=12)), 12)
good("overflow-by-one-less", doc(t("a", "U8", "[2305843009213693951,0]", 0, 0)),
     note="(2^61 - 1) * 8 = 2^64 - 8: the largest product for 8 bits")
good("overflow-by-one-less-F4", doc(t("a", "F4", "[0,4611686018427387903]", 0, 0)), note="(2^62 - 1) * 4")
good("overflow-by-one-less-F64", doc(t("a", "F64", "[288230376151711743,0]", 0, 0)), note="(2^58 - 1) * 64")
good("rank-64", doc(t("a", shape="[" + ",".join(["1"] * 62 + ["2", "2"]) + "]")), 4)
good("name-of-300-bytes", doc(t("n" * 300)), 4)
good("name-utf8-borders", doc(t("\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff")), 4,
     note="the first and the last of every length")
good("name-escaped-borders", doc(t("\\u0001\\u007f\\u0080\\ud7ff\\ue000\\uffff\\uD800\\uDC00\\uDBFF\\uDFFF")), 4)
good("name-all-short-escapes", doc(t('\\"\\\\\\/\\b\\f\\n\\r\\t')), 4)
good("name-like-keywords", doc(t("dtype"), t("sh\\u0061pe", begin=4, end=8), t("data_offsets", begin=8, end=12),
     t("__metadata__ ", begin=12, end=16)), 16)
good("names-that-differ-late", doc(t("model.layers.10.weight"), t("model.layers.11.weight", begin=4, end=8)), 8)
good("names-that-differ-in-length", doc(t("a"), t("aa", begin=4, end=8), t("aaa", begin=8, end=12)), 12)
good("names-escaped-and-raw-differ", doc(t("\\\\u0061"),
     t("a", begin=4, end=8)), 8, note="\\\\u0061 is six characters")
good("name-surrogate-pair-mixed-case", doc(t("\\ud83D\\uDe00")), 4)
good("offset-odd", doc(t("a", "U8", "[1]", 0, 1), t("b", "F64", "[1]", 1, 9)), 9, note="alignment is no rule")
good("dim-zero-first", doc(t("a", "F32", "[0,3]", 0, 0)))
good("F4-two-tensors", doc(t("a", "F4", "[2]", 0, 1), t("b", "F4", "[4]", 1, 3)), 3)
good("F6-four-elements", doc(t("a", "F6_E3M2", "[2,2]", 0, 3)), 3)
good("forty-tensors", doc(*(t("t%d" % i, "U8", "[%d]" % (i % 3), *(sum(j % 3 for j in range(i + d)) for d in (0, 1)))
     for i in range(40))), sum(i % 3 for i in range(40)))

# ---- stage F ---------------------------------------------------------------------------------------

for size in range(8):
    raw("W1", "file_short", "%d-bytes" % size, b"\x02" * size,
        SIZE, "reject HeaderTooSmall", expected=8, found=size)
bad("W2", "header_large", "by-one", "{}", n=100000001, at=0, ref="reject HeaderTooLarge", expected=100000000,
    found=100000001)
bad("W2", "header_large", "all-ones", "{}", n=2**64 - 1, at=0, ref="reject HeaderTooLarge", expected=100000000,
    found=2**64 - 1, note="8 + N wraps")
bad("W2", "header_large", "wraps-to-7", "{}", n=2**64 - 8, at=0, ref="reject HeaderTooLarge", expected=100000000,
    found=2**64 - 8)
bad("W2", "header_large", "low-half-fits", "{}", n=2**32 + 2, at=0, ref="reject HeaderTooLarge", expected=100000000,
    found=2**32 + 2)
bad("W3", "header_cut", "by-one", "{}", n=3, at=SIZE, ref="reject InvalidHeaderLength", expected=11, found=10)
bad("W3", "header_cut", "at-the-limit", "{}", n=100000000, at=SIZE, ref="reject InvalidHeaderLength",
    expected=100000008, found=10)
bad("W3", "header_cut", "no-header", "", n=1, at=SIZE, ref="reject InvalidHeaderLength", expected=9, found=8)

# ---- stage H: the header ends early ------------------------------------------------------------------

bad("W4", "header_early", "n-is-0", "", 4, at=8)
bad("W5", "header_early", "after-brace", "{", at=END)
bad("W5", "header_early", "white-space-only-follows", "{ \n", at=END)
bad("W5", "header_early", "after-key", '{"a"', at=END,
    tensor=0, note="the name is judged at its closing quote")
bad("W5", "header_early", "after-colon", '{"a":', at=END, tensor=0)
bad("W5", "header_early", "after-tensor", "{" + A, 4, at=END)
bad("W5", "header_early", "after-comma", "{" + A + ",", 4, at=END)
bad("W5", "header_early", "before-last-brace", "{" + A + "   ", 4, at=END)
bad("W5", "header_early", "in-metadata", '{"__metadata__":{"a":"b"', at=END)
bad("W6", "header_early", "in-name", '{"abc', at=END)
bad("W6", "header_early", "after-opening-quote", '{"', at=END)
bad("W6", "header_early", "in-dtype", '{"a":{"dtype":"U8', at=END, tensor=0)
bad("W6", "header_early", "in-second-name", "{" + A + ',"b', 4, at=END)
bad("W7", "header_early", "after-backslash", '{"a\\', at=END)
bad("W7", "header_early", "after-u", '{"a\\u', at=END)
bad("W7", "header_early", "after-u00", '{"a\\u00', at=END)
bad("W7", "header_early", "after-u000", '{"a\\u000', at=END)
bad("W7", "header_early", "after-udc0", '{"a\\udc0', at=END,
    note="a low surrogate is judged on its fourth digit")
bad("W8", "header_early", "one-of-two", b'{"\xc3', at=END, ref=UTF8)
bad("W8", "header_early", "two-of-three", b'{"\xe2\x82', at=END, ref=UTF8)
bad("W8", "header_early", "three-of-four", b'{"\xf0\x9f\x98', at=END, ref=UTF8)
bad("W9", "header_early", "after-high", '{"\\ud83d', at=END)
bad("W9", "header_early", "after-high-backslash", '{"\\ud83d\\', at=END)
bad("W9", "header_early", "after-high-backslash-u", '{"\\ud83d\\u', at=END)
bad("W9", "header_early", "after-high-de0", '{"\\ud83d\\ude0', at=END)
bad("W10", "header_early", "in-dim", '{"a":{"dtype":"U8","shape":[4', 4, at=END, tensor=0)
bad("W10",
    "header_early",
    "in-offset",
    '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0',
    4,
    at=END,
     tensor=0)
bad("W10", "header_early", "after-minus", '{"a":{"shape":[-', at=END, tensor=0,
    note="the token is lexed whole before its form is judged")
bad("W10", "header_early", "after-leading-zero", '{"a":{"shape":[01', at=END, tensor=0)

# ---- stage H: between tokens -----------------------------------------------------------------------

for file, start, ref, decision in [("array", b"[]", IHD, ""), ("bom", b"\xef\xbb\xbf{}", IHD, ""),
                                   ("space", b" {}", "accept", "D1"), ("newline", b"\n{}", "accept", "D1"),
                                   ("tab", b"\t{}", "accept", "D1"), ("nul",
                                    b"\0{}", IHD, ""), ("quote", b'"{}"', IHD, ""),
                                   ("zip", b"PK\x03\x04", IHD, ""), ("bad-utf8", b"\xff{}", UTF8, "")]:
    bad("W11", "start", file, MARK + start, ref=ref, decision=decision)
bad("W12", "unexpected", "comma-first", "{^^,}")
bad("W12", "unexpected", "single-quotes", "{^^'a':{}}")
bad("W12", "unexpected", "number-key", "{^^1:{}}")
bad("W12", "unexpected", "closing-bracket", "{^^]")
bad("W12", "unexpected", "tensor-key-unquoted", '{"a":{^^dtype:"U8"}}', tensor=0)
bad("W13", "unexpected", "root-comma-brace", "{" + A + ",^^}", 4)
bad("W13", "unexpected", "tensor-comma-brace",
    '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^}}', 4, tensor=0)
bad("W13", "unexpected", "metadata-comma-brace", '{"__metadata__":{"a":"b",^^}}')
bad("W13", "unexpected", "two-commas", "{" + A + ", ^^," + t("b", begin=4, end=8) + "}", 8)
bad("W14", "unexpected", "root", '{"a" ^^{}}', tensor=0)
bad("W14", "unexpected", "metadata-keyword", '{"__metadata__"^^,{}}')
bad("W14", "unexpected", "metadata-pair", '{"__metadata__":{"a"^^"b"}}')
bad("W14", "unexpected", "member", '{"a":{"dtype"^^="U8"}}', tensor=0)
bad("W15", "unexpected", "root-no-comma", "{" + A + "^^" + t("b", begin=4, end=8) + "}", 8)
bad("W15", "unexpected", "root-bracket", "{" + A + "^^]", 4)
bad("W15", "unexpected", "member-no-comma", '{"a":{"dtype":"U8"^^"shape":[4]}}', tensor=0)
bad("W15", "unexpected", "metadata-colon", '{"__metadata__":{"a":"b"^^:"c"}}')
bad("W16", "unexpected", "dims-no-comma", body(shape="[2 ^^2]"), 4, tensor=0)
bad("W16", "unexpected", "dim-letter", body(shape="[2^^x]"), 4, tensor=0)
bad("W16", "unexpected", "dim-brace", body(shape="[2^^}"), 4, tensor=0)
bad("W16", "unexpected", "offset-no-comma", body(offsets="[0 ^^4]"), 4, tensor=0)
bad("W16", "unexpected", "offset-second-brace", body(offsets="[0,4^^}"), 4, tensor=0)
bad("W17", "unexpected", "dims", body(shape="[4,^^]"), 4, tensor=0)
bad("W17", "unexpected", "offsets", body(offsets="[0,^^]"), 4, tensor=0)
bad("W18", "unexpected", "plus", body(shape="[^^+4]"), 4, tensor=0)
bad("W18", "unexpected", "infinity", body(shape="[^^Infinity]"), 4, tensor=0)
bad("W18", "unexpected", "nan", body(shape="[^^NaN]"), 4, tensor=0)
bad("W18", "unexpected", "dot", body(offsets="[^^.5,4]"), 4, tensor=0)
bad("W18", "unexpected", "comma", body(shape="[^^,4]"), 4, tensor=0)
bad("W18", "unexpected", "no-dtype", '{"a":{"dtype":^^,"shape":[4]}}', tensor=0)
bad("W18", "unexpected", "no-tensor", '{"a":^^}', tensor=0)
bad("W18", "unexpected", "no-metadata", '{"__metadata__":^^]}')
bad("W18", "unexpected", "no-metadata-value", '{"__metadata__":{"k":^^}}')
bad("W18", "unexpected", "True", body(dtype="^^True"), tensor=0)
bad("W19", "unexpected", "nul", b"{^^\0}")
bad("W19", "unexpected", "vertical-tab", b"{^^\x0b}")
bad("W19", "unexpected", "delete", b"{^^\x7f}")
bad("W19", "unexpected", "no-break-space", "{^^\u00a0}", note="well-formed, but no JSON white space")
bad("W19", "unexpected", "byte-ff", b"{^^\xff}", ref=UTF8)
bad("W19", "unexpected", "bom-before-value", b'{"a":^^\xef\xbb\xbf{}}', tensor=0)
bad("W19", "unexpected", "cut-utf8", b"{^^\xe2\x82}", ref=UTF8, note="UTF-8 is a rule of strings alone")
for file, tail, ref, decision in [("tab", b" ^^\t", "accept", "D2"), ("lf", b"^^\n", "accept", "D2"),
                                  ("cr", b"^^\r\n", "accept", "D2"), ("nul", b"  ^^\0", IHD, ""),
                                  ("object", b"^^{}", IHD, ""), ("brace",
                                   b"^^}", IHD, ""), ("comma", b" ^^,", IHD, ""),
                                  ("byte-ff", b"^^\xff", UTF8, "")]:
    bad("W20", "trailing", file, b"{}" + tail, ref=ref, decision=decision)

# ---- stage H: strings ------------------------------------------------------------------------------

bad("W21", "control", "nul-in-name", b'{"a^^\0":{}}')
bad("W21", "control", "newline-in-metadata", '{"__metadata__":{"a":"b^^\nc"}}')
bad("W21", "control", "1f-in-dtype", '{"a":{"dtype":"U8^^\x1f"}}', tensor=0)
bad("W21", "control", "tab-in-member", '{"a":{"^^\tdtype":"U8"}}', tensor=0)
for byte in (0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF):
    bad("W22", "utf8", "%02x" % byte, b'{"a^^' + bytes([byte]) + b'\x80":{}}', ref=UTF8)
bad("W23", "utf8", "quote", b'{"a^^\xc3":{}}', ref=UTF8)
bad("W23", "utf8", "backslash", b'{"a^^\xe2\x82\\n":{}}', ref=UTF8)
bad("W23", "utf8", "lead", b'{"a^^\xf0\x9f\xc3\xa9":{}}', ref=UTF8)
bad("W23", "utf8", "second-sequence", b'{"\xc3\xa9^^\xc3\xc3\xa9":{}}', ref=UTF8)
bad("W23", "utf8", "c2-7f", b'{"^^\xc2\x7f":{}}', ref=UTF8)
bad("W23", "utf8", "fourth-byte", b'{"^^\xf4\x8f\xbf\xc0":{}}', ref=UTF8)
for file, sequence in [("e0-9f", b"\xe0\x9f\xbf"), ("f0-8f", b"\xf0\x8f\xbf\xbf"), ("ed-a0", b"\xed\xa0\x80"),
                       ("f4-90", b"\xf4\x90\x80\x80"), ("nul", b"\xe0\x80\x80")]:
    bad("W24", "utf8", file, b'{"__metadata__":{"k":"' + MARK + sequence + b'"}}', ref=UTF8)
for file, escape in [("x", "\\x41"), ("quote", "\\'"), ("upper-n", "\\N"), ("digit", "\\0"), ("upper-u", "\\U0041"),
                     ("space", "\\ ")]:
    bad("W25", "escape", file, '{"a^^%s":{}}' % escape)
bad("W25", "escape", "control", b'{"a^^\\\n":{}}',
    note="the byte after the backslash is judged as a part of the escape")
bad("W25", "escape", "utf8", b'{"a^^\\\xff":{}}', ref=UTF8)
for file, escape in [("first", "\\ug041"), ("fourth", "\\u004g"), ("quote", '\\u12"'), ("brace", "\\u{41}"),
                     ("sign", "\\u+041"), ("space", "\\u 041"), ("nul-3", "\\u000")]:
    bad("W26", "escape", file, '{"a^^%s":{}}' % escape)
bad("W26", "escape", "second-of-two", '{"\\u0041^^\\u00zz":{}}')
bad("W27", "surrogate", "dc00", '{"a^^\\udc00":{}}')
bad("W27", "surrogate", "dfff", '{"a^^\\uDFFF":{}}')
bad("W27", "surrogate", "after-pair", '{"\\ud83d\\ude00^^\\ude00":{}}')
bad("W28", "surrogate", "text", '{"^^\\ud800a":{}}')
bad("W28", "surrogate", "utf8", '{"^^\\udbff\u00e9":{}}')
bad("W28", "surrogate", "last-digit", '{"^^\\ud83d\\ude0g":{}}',
    note="not H7: the low half is judged byte by byte")
bad("W29", "surrogate", "newline", '{"^^\\ud800\\n":{}}')
bad("W29", "surrogate", "u0041", '{"^^\\ud800\\u0041":{}}')
bad("W29", "surrogate", "high-high", '{"^^\\ud800\\ud800\\udc00":{}}')
bad("W29", "surrogate", "db-second", '{"^^\\ud800\\udbff":{}}')
bad("W29", "surrogate", "nul", '{"^^\\ud800\\u0000":{}}')
bad("W29", "surrogate", "bad-escape", '{"^^\\ud800\\x":{}}')
bad("W30", "surrogate", "quote", '{"^^\\ud800":{}}')
bad("W30", "surrogate", "control", b'{"^^\\ud800\0":{}}')
bad("W30", "surrogate", "bad-utf8", b'{"^^\\ud800\xff":{}}', ref=UTF8)
bad("W30", "surrogate", "quote-in-low", '{"^^\\ud800\\u":{}}')
bad("W31", "nul", "name", doc(t("a^^\\u0000")), 4, ref="accept", decision="D6")
bad("W31", "nul", "metadata-key", '{"__metadata__":{"^^\\u0000":"x"}}', ref="accept", decision="D6")
bad("W31", "nul", "metadata-value", '{"__metadata__":{"k":"x^^\\u0000"}}', ref="accept", decision="D6")
bad("W31", "nul", "member", '{"a":{"dtype^^\\u0000":"U8"}}', tensor=0)
bad("W31", "nul", "dtype", body(dtype='"Q^^\\u0000"'), tensor=0, note="before the unknown dtype")
bad("W31", "nul", "before-control", b'{"^^\\u0000\x01":{}}')

# ---- stage H: keys ---------------------------------------------------------------------------------

bad("W32", "keyword_escaped", "metadata", '{^^"__\\u006detadata__":{}}', ref="accept", decision="D7")
bad("W32", "keyword_escaped", "metadata-not-object", '{^^"__metadata_\\u005f":1}', note="before its value")
for key, escaped in [("dtype", "d\\u0074ype"), ("shape", "\\u0073hape"),
                      ("data_offsets", "data_offset\\u0073")]:
    header = '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'.replace('"%s"' % key, '^^"%s"' % escaped)
    bad("W33", "keyword_escaped", key, header, 4, ref="accept", decision="D8", tensor=0)
bad("W34", "keyword_escaped", "u8", body(dtype='^^"\\u00558"'), 4, ref="accept", decision="D9", tensor=0)
bad("W34",
    "keyword_escaped",
    "e4m3fnuz",
    body(dtype='^^"F8_E4M3FNU\\u005A"'),
    4,
    ref="accept",
    decision="D9",
     tensor=0)
bad("W35", "keyword_escaped", "metadata", '{"__metadata__":{},^^"__metadat\\u0061__":{}}')
bad("W35", "keyword_escaped", "member", '{"a":{"dtype":"U8",^^"d\\u0074ype":"U8"}}', tensor=0)
bad("W36", "metadata_twice", "empty", '{"__metadata__":{},^^"__metadata__":{}}')
bad("W36", "metadata_twice", "after-tensors",
    doc('"__metadata__":{"a":"b"}', A, '^^"__metadata__":{"c":"d"}'), 4)
bad("W36",
    "metadata_twice",
    "no-colon",
    '{"__metadata__":{},^^"__metadata__"}',
     note="judged at the closing quote")
for file, member in [("empty-name", '"":1'), ("longer", '"dtypes":1'), ("shorter", '"shap":1'), ("upper", '"Shape":[1]'),
                     ("escaped", '"\\u0078":1')]:
    bad("W37", "member_unknown", file, '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^%s}}' % member, 4,
        ref="accept", decision="D10", tensor=0)
bad("W37", "member_unknown", "value-broken", '{"a":{^^"x":}}', tensor=0)
bad("W37", "member_unknown", "metadata-in-tensor", '{"a":{^^"__metadata__":{}}}', tensor=0)
for key in ("dtype", "shape", "data_offsets"):
    bad("W38",
    "member_twice",
    key,
    '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^"%s":7}}' % key,
    4,
     tensor=0)

# ---- stage H: values -------------------------------------------------------------------------------

for file, value, ref, decision in [("null", "null", IHD, ""), ("string", '"x"', IHD, ""), ("number", "-1", IHD, ""),
                                   ("true", "true", IHD, ""), ("array", '["U8",[4],[0,4]]', "accept", "D4")]:
    bad("W39", "type", file, '{"a":^^%s}' % value, 4, ref=ref, decision=decision, tensor=0)
for file, value, ref, decision in [("null", "null", "accept", "D3"), ("array", "[]", IHD, ""), ("string", '""', IHD, ""),
                                   ("number", "0", IHD, ""), ("false", "false", IHD, "")]:
    bad("W40", "type", file, '{"__metadata__":^^%s}' % value, ref=ref, decision=decision)
for file, value in [("null", "null"), ("number", "1"), ("object", "{}"),
                     ("array", '["x"]'), ("true", "true")]:
    bad("W41", "type", file, '{"__metadata__":{"a":"b","k":^^%s}}' % value)
for file, value, ref, decision in [("number", "8", IHD, ""), ("null", "null", IHD, ""), ("array", '["U8"]', IHD, ""),
                                   ("object", '{"U8":null}', "accept", "D5")]:
    bad("W42", "type", file, body(dtype="^^" + value), 4, ref=ref, decision=decision, tensor=0)
for file, value in [("object", "{}"), ("string", '"[4]"'), ("number", "4"), ("null", "null")]:
    bad("W43", "type", "shape-" + file, body(shape="^^" + value), 4, tensor=0)
    bad("W43", "type", "offsets-" + file, body(offsets="^^" + value), 4, tensor=0)
for file, value in [("string", '"4"'), ("null", "null"), ("true", "true"), ("false", "false"), ("array", "[4]"),
                    ("object", "{}")]:
    bad("W44", "type", "dim-" + file, body(shape="[^^%s]" % value), 4, tensor=0)
    bad("W44", "type", "offset-" + file, body(offsets="[0,^^%s]" % value), 4, tensor=0)
bad("W45", "type", "nul", '{"a":^^nul}', tensor=0)
bad("W45", "type", "t-only", '{"a":^^t', tensor=0, note="not H1: nothing behind the first byte is looked at")
bad("W45", "type", "unclosed-string", '{"a":{"dtype":"U8","shape":[^^"', tensor=0)
bad("W45", "type", "minus", '{"a":^^-', tensor=0)
bad("W45", "type", "deep", '{"a":^^' + "[" * 200, tensor=0)

# ---- stage H: numbers ------------------------------------------------------------------------------

for file, number in [("minus-zero", "-0"), ("minus", "-4"), ("fraction", "4.0"), ("exponent", "4e0"), ("upper", "4E0"),
                     ("leading-zero", "04"), ("double-zero", "00"), ("plus-inside", "4e+0")]:
    bad("W46", "number_form", "dim-" + file, body(shape="[^^%s]" % number), 4, tensor=0)
    bad("W46", "number_form", "offset-" + file, body(offsets="[0,^^%s]" % number), 4, tensor=0)
for file, number in [("lone-minus", "-"), ("two-minus", "--4"), ("range", "1-2"), ("e", "1e"), ("dots", "1.2.3"),
                     ("minus-dot", "-."), ("plus", "4+")]:
    bad("W47", "number_form", file, body(shape="[^^%s]" % number), 4, tensor=0)
bad("W47", "number_form", "then-letter", body(shape="[^^-1x]"), 4, tensor=0, note="the x is never reached")
for file, number in [("2-64", "18446744073709551616"), ("2-64-x-10", "184467440737095516150"),
                     ("wraps-to-4", "18446744073709551620"), ("21-digits", "1" + "0" * 20), ("400-digits", "9" * 400)]:
    bad("W48", "number_range", "dim-" + file, body(shape="[^^%s]" % number), 4, tensor=0)
    bad("W48", "number_range", "offset-" + file, body(offsets="[0,^^%s]" % number), 4, tensor=0)
bad("W46", "number_form", "large-leading-zero", body(shape="[^^018446744073709551616]"), 4, tensor=0)
bad("W46", "number_form", "large-fraction", body(shape="[^^18446744073709551616.0]"), 4, tensor=0)
for file, dtype in [("empty", ""), ("lower", "u8"), ("space", "U8 "), ("longer", "U88"), ("prefix", "F8_E4M3FNU"),
                    ("longest", "F8_E4M3FNUZZ"), ("very-long", "F8_E4M3FNUZ" * 9), ("escaped", "\\u0075\\u0038"),
                    ("swapped", "F8_E3M4"), ("complex", "C128")]:
    bad("W49", "dtype_unknown", file, body(dtype='^^"%s"' % dtype), 4, tensor=0)
bad("W49", "dtype_unknown", "non-ascii", body(dtype='^^"\u0424"'), 4, tensor=0)
bad("W50", "offsets_count", "empty", body(offsets="[^^]"), 4, tensor=0, expected=2, found=0)
bad("W50", "offsets_count", "white-space", body(offsets="[ ^^]"), 4, tensor=0, expected=2, found=0)
bad("W51", "offsets_count", "one", body(offsets="[0^^]"), 4, tensor=0, expected=2, found=1)
bad("W51", "offsets_count", "one-space", body(offsets="[0 ^^]"), 4, tensor=0, expected=2, found=1)
bad("W52", "offsets_count", "three", body(offsets="[0,4^^,4]"), 4, tensor=0, expected=2, found=3)
bad("W52", "offsets_count", "three-broken", body(offsets="[0,4 ^^,x]"), 4, tensor=0, expected=2, found=3)

# ---- stage H: at the tensor's closing brace --------------------------------------------------------

PRESENT = ['"dtype":"U8"', '"shape":[4]', '"data_offsets":[0,4]']
for bits in range(7):
    members = ",".join(PRESENT[i] for i in range(3) if bits >> i & 1)
    bad("W53", "member_missing", "has-%d" %
    bits, '{"a":{%s^^}}' %
     members, 4, tensor=0, expected=7, found=bits)
bad("W53", "member_missing", "in-second", doc(A, '"b":{"dtype":"U8" ^^}'), 4, tensor=1, expected=7, found=1)
for file, dtype, shape, ref in [("2-61-U8", "U8", "[2305843009213693952]", "reject ValidationOverflow"),
                                ("2-62-F4", "F4", "[4611686018427387904]", "reject ValidationOverflow"),
                                ("2-58-F64", "F64", "[288230376151711744]", "reject ValidationOverflow"),
                                ("dims-wrap-to-0", "U8", "[4294967296,4294967296]",
                                 "reject ValidationOverflow"),
                                ("dims-wrap-to-1", "F4", "[641,28777363597652447]",
                                 "reject TensorInvalidInfo"),
                                ("many-dims", "U8", "[" + ",".join(["2"] * 61) + "]",
                                 "reject ValidationOverflow"),
                                ("max-dim", "U8", "[18446744073709551615]", "reject ValidationOverflow"),
                                ("zero-last", "U8", "[4294967296,4294967296,0]", "reject ValidationOverflow")]:
    if file == "dims-wrap-to-1":
        shape, ref = "[274177,67280421310721]", "reject ValidationOverflow"  # the factors of 2^64 + 1
    bad("W54", "shape_overflow", file, '{"a":{"dtype":"%s","shape":^^%s,"data_offsets":[0,0]}}' % (dtype, shape), 0,
        ref=ref, tensor=0)
bad("W54", "shape_overflow", "zero-first", '{"a":{"dtype":"U8","shape":^^[0,4294967296,4294967296],"data_offsets":[0,0]}}',
    ref="accept", decision="D13", tensor=0)
bad("W54", "shape_overflow", "zero-last-bits", '{"a":{"dtype":"F64","shape":^^[2305843009213693952,0],"data_offsets":[0,0]}}',
    ref="accept", decision="D13", tensor=0)
for file, dtype, shape, bits in [("F4-1", "F4", "[1]", 4), ("F4-scalar", "F4", "[]", 4), ("F4-3-by-5", "F4", "[3,5]", 60),
                                 ("F6-1", "F6_E2M3", "[1]", 6), ("F6-2", "F6_E3M2", "[2]", 12), ("F6-6", "F6_E3M2", "[6]", 36)]:
    bad("W55", "shape_subbyte", file, '{"a":{"dtype":"%s","shape":^^%s,"data_offsets":[0,1]}}' % (dtype, shape), 1,
        ref="reject MisalignedSlice", tensor=0, found=bits)
bad("W56", "offsets_order", "4-0", body(offsets="^^[4,0]"), 4, ref=OFFSET, tensor=0, expected=4, found=0)
bad("W56", "offsets_order", "wrapped-size-fits", doc(A, t("b", shape="[4]", begin="^^", end="").replace(
    "[^^,]", "^^[18446744073709551612,0]")), 4, ref=OFFSET, tensor=1, expected=18446744073709551612, found=0,
    note="end - begin wraps to 4")
bad("W57", "offsets_size", "short", body(offsets="^^[0,3]"), 3, ref="reject TensorInvalidInfo", tensor=0, expected=4,
    found=3)
bad("W57", "offsets_size", "long", body(offsets="^^[0,5]"), 5, ref="reject TensorInvalidInfo", tensor=0, expected=4,
    found=5)
bad("W57", "offsets_size", "scalar", body(dtype='"F32"', shape="[]", offsets="^^[0,0]"), 0,
    ref="reject TensorInvalidInfo", tensor=0, expected=4, found=0)
bad("W57", "offsets_size", "zero-dim", body(shape="[0]", offsets="^^[0,1]"), 1, ref="reject TensorInvalidInfo", tensor=0,
    expected=0, found=1)
bad("W57", "offsets_size", "low-32-bits-fit", body(offsets="^^[0,4294967300]"), 4, ref="reject TensorInvalidInfo", tensor=0,
    expected=4, found=4294967300)
bad("W58", "shape_overflow", "overflow-before-order", body(dtype='"F4"', shape="^^[18446744073709551615]", offsets="[4,0]"),
    ref=OFFSET, tensor=0)
bad("W58", "shape_subbyte", "subbyte-before-order", body(dtype='"F4"', shape="^^[1]", offsets="[4,0]"), ref=OFFSET,
    tensor=0, found=4)
bad("W58", "shape_subbyte", "offsets-first", '{"a":{"data_offsets":[4,0],"shape":^^[1],"dtype":"F6_E2M3"}}', ref=OFFSET,
    tensor=0, found=6)
bad("W58",
    "offsets_order",
    "order-before-size",
    body(offsets="^^[9,1]"),
    4,
    ref=OFFSET,
    tensor=0,
    expected=9,
     found=1)
bad("W58", "member_missing", "missing-before-all", '{"a":{"shape":[18446744073709551615],"data_offsets":[4,0]^^}}',
    tensor=0, expected=7, found=6)
bad("W59", "member_unknown", "unknown-before-bad-byte", '{"a":{^^"x":1}\1', tensor=0)
bad("W59", "type", "type-before-trailing", '{"a":^^1}\t', tensor=0)
bad("W59", "offsets_size", "size-before-start-of-next", doc(body(offsets="^^[0,3]")[1:-1], "1"), 3, tensor=0, expected=4,
    found=3)
bad("W59", "number_range", "range-before-missing", '{"a":{"shape":[^^18446744073709551616]}}', tensor=0)

# ---- stage G ---------------------------------------------------------------------------------------

bad("W60", "metadata_key_twice", "same-bytes", '{"__metadata__":{"a":"1","b":"2",^^"a":"3"}}', ref="accept",
    decision="D11", other=0, found=2)
bad("W60", "metadata_key_twice", "escaped", '{"__metadata__":{"a":"1",^^"\\u0061":"1"}}', ref="accept", decision="D11",
    other=0, found=1)
bad("W60", "metadata_key_twice", "three-times", '{"__metadata__":{"x":"","k":"1",^^"k":"2","k":"3"}}', ref="accept",
    decision="D11", other=1, found=2)
bad("W60", "metadata_key_twice", "earliest-repeat", '{"__metadata__":{"a":"","b":"",^^"b":"","a":""}}', ref="accept",
    decision="D11", other=1, found=2)
bad("W60", "metadata_key_twice", "empty-key", '{"__metadata__":{"":"",^^"":""}}', ref="accept", decision="D11", other=0,
    found=1)
bad("W60", "metadata_key_twice", "pair-and-utf8", '{"__metadata__":{"\U0001f600":"",^^"\\ud83d\\ude00":""}}', ref="accept",
    decision="D11", other=0, found=1)
bad("W61", "name_twice", "same-body", doc(A, "^^" + A), 4, ref="accept", decision="D12", tensor=1, other=0)
bad("W61", "name_twice", "other-body", doc(t("a", "I8"), t("b", begin=4, end=8), "^^" + t("a", begin=8, end=12)), 12,
    ref=OFFSET, tensor=2, other=0)
bad("W61", "name_twice", "escaped", doc(t("a/b"), "^^" + t("a\\/b")),
    4, ref="accept", decision="D12", tensor=1, other=0)
bad("W61", "name_twice", "hex-case", doc(t("\\u00e9"), "^^" + t("\\u00E9")), 4, ref="accept", decision="D12", tensor=1,
    other=0)
bad("W61", "name_twice", "raw-and-escaped", doc(t("\u00e9"), t("b", begin=4, end=8), "^^" + t("\\u00e9")), 8,
    ref="accept", decision="D12", tensor=2, other=0)
bad("W61", "name_twice", "earliest-repeat", doc(t("a"), t("b"),
    "^^" + t("b"), t("a")), 4, ref=OFFSET, tensor=2, other=1)
bad("W61", "name_twice", "empty-name", doc(t(""), "^^" + t("")),
    4, ref="accept", decision="D12", tensor=1, other=0)
bad("W61", "name_twice", "empty-tensors", doc(t("e", shape="[0]", end=0), "^^" + t("e", shape="[0]", end=0)), 0,
    ref="accept", decision="D12", tensor=1, other=0)
TWICE = '"__metadata__":{"k":"","k":""}'
bad("W62", "metadata_key_twice", "before-name", doc(A, A, '"__metadata__":{"k":"",^^"k":""}'), 4, ref="accept",
    decision="D11", other=0, found=1)
bad("W62", "name_twice", "before-truncated", doc(A, "^^" + A), 3, ref=BUFFER, tensor=1, other=0)
bad("W62", "truncated", "before-hole", doc(t("a", begin=1, end=5)),
    4, at=SIZE, ref=OFFSET, tensor=0, expected=5, found=4)
bad("W62", "truncated", "before-overlap", doc(A, t("b", shape="[8]", end=8)), 7, at=SIZE, ref=OFFSET, tensor=1,
    expected=8, found=7)
bad("W63", "truncated", "by-one", doc(A), 3, at=SIZE, ref=BUFFER, tensor=0, expected=4, found=3)
bad("W63", "truncated", "no-data", doc(A), 0, at=SIZE, ref=BUFFER, tensor=0, expected=4, found=0)
bad("W63", "truncated", "largest-end-first-of-two", doc(A, t("c", begin=4, end=8), t("b", begin=4, end=8),
    t("e", shape="[0]", begin=8, end=8)), 6, at=SIZE, ref=OFFSET, tensor=1, expected=8, found=6)
bad("W63", "truncated", "largest-end-in-the-middle", doc(A, t("c", begin=8, end=12), t("b", begin=4, end=8)), 11, at=SIZE,
    ref=BUFFER, tensor=1, expected=12, found=11)
bad("W63", "truncated", "empty-beyond", doc(A, t("e", shape="[0]", begin=5, end=5)), 4, at=SIZE, ref=OFFSET, tensor=1,
    expected=5, found=4)
bad("W63", "truncated", "sum-beyond-64-bits", doc(t("a", shape="[2305843009213693951]",
    begin=16140901064495857664, end=18446744073709551615)), 4, at=SIZE, ref=OFFSET, tensor=0,
    expected=18446744073709551615, found=4, note="8 + N + end wraps")
bad("W64", "overlap", "same-range", doc(A, t("b")), 4, at=DATA +
     0, ref=OFFSET, tensor=1, other=0, expected=4, found=0)
bad("W64", "overlap", "by-one-byte", doc(A, t("b", begin=3, end=7)), 7, at=DATA + 3, ref=OFFSET, tensor=1, other=0,
    expected=4, found=3)
bad("W64", "overlap", "inside", doc(t("a", shape="[8]", end=8), t("b", shape="[2]", begin=2, end=4)), 8, at=DATA + 2,
    ref=OFFSET, tensor=1, other=0, expected=8, found=2)
bad("W64", "overlap", "shorter-first", doc(t("b", shape="[8]", end=8), A), 8, at=DATA + 0, ref=OFFSET, tensor=0, other=1,
    expected=4, found=0, note="same begin: layout order puts the smaller end first")
bad("W64", "overlap", "header-order-reversed", doc(t("c", begin=6, end=10), A, t("b", begin=4, end=8)), 10, at=DATA + 6,
    ref=OFFSET, tensor=0, other=2, expected=8, found=6)
bad("W65", "hole", "front", doc(t("a", begin=1, end=5)), 5,
    at=DATA + 0, ref=OFFSET, tensor=0, expected=0, found=1)
bad("W65", "hole", "between", doc(A, t("b", begin=5, end=9)), 9, at=DATA + 4, ref=OFFSET, tensor=1, other=0, expected=4,
    found=5)
bad("W65", "hole", "empty-does-not-fill", doc(A, t("e", shape="[0]", begin=5, end=5), t("b", begin=5, end=9)), 9,
    at=DATA + 4, ref=OFFSET, tensor=2, other=0, expected=4, found=5)
bad("W66", "hole", "after-last", doc(A), 5, at=DATA + 4, ref=BUFFER, other=0, expected=4, found=5)
bad("W66", "hole", "no-tensors", "{}", 1, at=DATA + 0, ref=BUFFER, expected=0, found=1)
bad("W66", "hole", "metadata-only", '{"__metadata__":{}}', 3, at=DATA + 0, ref=BUFFER, expected=0, found=3)
bad("W66", "hole", "empty-tensor-only",
    doc(t("e", shape="[0]", end=0)), 2, at=DATA + 0, ref=BUFFER, expected=0, found=2)
bad("W66", "hole", "empty-at-the-end", doc(A, t("e", shape="[0]", begin=5, end=5)), 5, at=DATA + 4, ref=OFFSET, other=0,
    expected=4, found=5)
bad("W67", "empty_inside", "middle", doc(A, t("e", shape="[0]", begin=2, end=2)), 4, at=DATA + 2, ref=OFFSET, tensor=1,
    other=0)
bad("W67", "empty_inside", "first-of-two", doc(t("f", shape="[0]", begin=6, end=6), A, t("b", begin=4, end=8),
    t("g", shape="[0]", begin=5, end=5), t("h", shape="[0]", begin=5, end=5)), 8, at=DATA + 5, ref=OFFSET, tensor=3, other=2)
bad("W67", "empty_inside", "by-one", doc(t("e", shape="[0]", begin=1, end=1), A), 4, at=DATA + 1, ref=OFFSET, tensor=0,
    other=1)
bad("W68", "hole", "hole-left-of-overlap", doc(t("a", begin=1, end=5), t("b", begin=4, end=8)), 8, at=DATA + 0, ref=OFFSET,
    tensor=0, expected=0, found=1)
bad("W68", "overlap", "overlap-left-of-hole", doc(A, t("b", begin=3, end=7)), 9, at=DATA + 3, ref=OFFSET, tensor=1,
    other=0, expected=4, found=3)
bad("W68", "hole", "hole-before-empty-inside", doc(A, t("e", shape="[0]", begin=1, end=1)), 5, at=DATA + 4, ref=OFFSET,
    other=0, expected=4, found=5)
bad("W62", "metadata_key_twice", "before-all", doc(TWICE.replace(',"k"', ',^^"k"'), A, t("b", begin=3, end=7)), 4,
    ref=OFFSET, other=0, found=1)

# ---- one file cut everywhere -----------------------------------------------------------------------

# The tensor is known from | (behind the closing quote of its name) to the next | (behind its closing brace).
CUT = ('{"__metadata__":{"\u00e9":"\\ud83d\\ude00"},"a\u20ac"|:{"dtype":"F32","shape":[2],"data_offsets":[0,8]}|, '
       '"\\n"|:{"shape":[1,2],"data_offsets":[8,10],"dtype":"U8"}|}').encode("utf-8")
CUT_HEADER = CUT.replace(b"|", b"")


def tensor_at(consumed):
    """The tensor that a pass over the first `consumed` header bytes is in."""
    seen = bars = 0
    for byte in CUT:
        if seen == consumed and byte != 0x7C:
            break
        bars += byte == 0x7C
        seen += byte != 0x7C
    return bars // 2 if bars % 2 else ""


def utf8_cut(piece):
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def cut_cases():
    whole = struct.pack("<Q", len(CUT_HEADER)) + CUT_HEADER + payload(10)
    end = 8 + len(CUT_HEADER)
    good("cut-nowhere", CUT_HEADER, 10, note="the file that the cut-* files are cut from")
    for size in range(len(whole)):
        name, ref, fields = "truncated", BUFFER, {"tensor": 1, "expected": 10, "found": size - end}
        if size < 8:
            name, ref, fields = "file_short", "reject HeaderTooSmall", {"expected": 8, "found": size}
        elif size < end:
            name, ref, fields = "header_cut", "reject InvalidHeaderLength", {"expected": end, "found": size}
        raw("", name, "cut-file/%03d" %
    size, whole[:size], SIZE, ref, note="the first %d bytes" %
     size, **fields)
    for n in range(len(CUT_HEADER)):
        data = struct.pack("<Q", n) + whole[8:]
        ref = UTF8 if utf8_cut(CUT_HEADER[:n]) else IHD
        raw("", "header_early", "cut-header/%03d" %
    n, data, 8 + n, ref, note="N = %d" %
     n, tensor=tensor_at(n))


cut_cases()

# ---- judged with options ---------------------------------------------------------------------------
# head=K: only the first K bytes are given; file_size=S: the size that is given with them.

E, W = "valid/empty-object.safetensors", "valid/cut-nowhere.safetensors"
NONE = 2**64 - 1
option(E, "", "ok")
option(E, "head=0", "need_more", expected=8, found=0)
option(E, "head=7", "need_more", expected=8, found=7)
option(E, "head=8", "need_more", expected=10, found=8)
option(E, "head=9", "need_more", expected=10, found=9)
option(E, "head=10", "ok")
option(
    E,
    "head=0 file_size=7",
    "file_short",
    offset=7,
    expected=8,
    found=7,
     note="the file size is judged first")
option(E, "head=8 file_size=9", "header_cut", offset=9, expected=10, found=9)
option(E, "file_size=1000000000000", "hole", offset=10, expected=0, found=999999999990)
option(E, "file_size=%d" % NONE, "hole", offset=10, expected=0, found=NONE - 10)
option(E, "max_header=2", "ok")
option(E, "max_header=1", "limit_header", offset=0, expected=1, found=2)
option(E, "max_header=1 file_size=9", "limit_header", offset=0, expected=1, found=2, note="before H3's size")
option(E, "max_header=1 head=8", "limit_header", offset=0,
       expected=1, found=2, note="before more bytes are asked for")
option(E, "max_tensors=0 max_rank=0 max_name=0 max_metadata=0", "ok")
option(E, "seed=12345", "ok")
option(E, "api=2", "usage")
option(E, "api=0", "usage")
option(E, "relax=1", "usage")
option(
    "invalid/W2-by-one.safetensors",
    "max_header=1",
    "header_large",
    offset=0,
    expected=100000000,
     found=100000001)
option(W, "max_tensors=2 max_rank=2 max_name=4 max_metadata=1", "ok", note="a name's limit counts raw bytes")
SECOND = 8 + CUT_HEADER.index(b'"\\n"')
FIRST = 8 + CUT_HEADER.index(b'"a')
option(W, "max_tensors=1", "limit_tensors", offset=SECOND, tensor=1, expected=1, found=2)
option(W, "max_tensors=0 max_name=0", "limit_tensors", offset=FIRST, tensor=0, expected=0, found=1)
option(W, "max_name=3", "limit_name", offset=FIRST, tensor=0, expected=3, found=4)
option(
    W,
    "max_rank=1",
    "limit_rank",
    offset=8 +
    CUT_HEADER.index(b"2],\"data_offsets\":[8"),
    tensor=1,
    expected=1,
     found=2)
option(
    W,
    "max_rank=0",
    "limit_rank",
    offset=8 +
    CUT_HEADER.index(b"2],\"data_offsets\":[0"),
    tensor=0,
    expected=0,
     found=1)
option(
    W,
    "max_metadata=0",
    "limit_metadata",
    offset=8 +
    CUT_HEADER.index(
        '"\u00e9"'.encode("utf-8")),
        expected=0,
         found=1)
option("valid/scalar.safetensors", "max_rank=0", "ok")
option("invalid/W46-dim-leading-zero.safetensors", "max_rank=0", "limit_rank", offset=8 + len('{"a":{"dtype":"U8","shape":['),
       tensor=0, expected=0, found=1, note="before the form of the number")
option("invalid/W44-dim-null.safetensors", "max_rank=0", "type", offset=8 + len('{"a":{"dtype":"U8","shape":['), tensor=0,
       note="the type comes first: no number, no dim")
option("invalid/W10-in-dim.safetensors", "max_rank=0", "header_early", offset=8 + len('{"a":{"dtype":"U8","shape":[4'),
       tensor=0, note="the token is lexed whole first")
