"""Cases: valid files."""
from cases.kit import A, body, doc, good, t

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
good(
    "white-space-everywhere", "{ \t\n\r\"a\" : { \"dtype\"\t:\n\"U8\" , \"shape\" : [ 2 , 2 ] ,\r\n"
    "\"data_offsets\" : [ 0 , 4 ] } }  ", 4)
for place, order in enumerate([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]):
    member = ['"dtype":"U8"', '"shape":[4]', '"data_offsets":[0,4]']
    good("member-order-%d" % place, '{"a":{%s}}' % ",".join(member[i] for i in order), 4)
for dtype, bits in [("BOOL", 8), ("U8", 8), ("I8", 8), ("F8_E5M2", 8), ("F8_E4M3", 8), ("F8_E8M0", 8),
                    ("F8_E4M3FNUZ", 8), ("F8_E5M2FNUZ", 8), ("F4", 4), ("F6_E2M3", 6), ("F6_E3M2", 6),
                    ("I16", 16), ("U16", 16), ("F16", 16), ("BF16", 16), ("I32", 32), ("U32", 32),
                    ("F32", 32), ("I64", 64), ("U64", 64), ("F64", 64), ("C64", 64)]:
    good("dtype-" + dtype, doc(t("a", dtype, "[2,2]", 0, bits // 2)), bits // 2)
good("scalar", doc(t("a", "F64", "[]", 0, 8)), 8)
good("dims-white-space", body(shape="[ 2\n,\t2\r]"), 4)
good("empty-tensor-alone", doc(t("a", "F32", "[0]", 0, 0)))
good("empty-tensor-F4-odd", doc(t("a", "F4", "[3,0]", 0, 0)), note="no bits are a multiple of 8 bits")
good(
    "empty-tensors-at-every-border",
    doc(t("z", "U8", "[0]", 8, 8), t("b", begin=4, end=8), t("y", "U8", "[0]", 4, 4), t("a"),
        t("x", "U8", "[0]", 0, 0), t("w", "U8", "[0]", 4, 4)), 8,
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
good("name-escaped-borders", doc(t("\\u0001\\u007f\\u0080\\ud7ff\\ue000\\uffff\\uD800\\uDC00\\uDBFF\\uDFFF")),
     4)
good("name-all-short-escapes", doc(t('\\"\\\\\\/\\b\\f\\n\\r\\t')), 4)
good(
    "name-like-keywords",
    doc(t("dtype"), t("sh\\u0061pe", begin=4, end=8), t("data_offsets", begin=8, end=12),
        t("__metadata__ ", begin=12, end=16)), 16)
good("names-that-differ-late", doc(t("model.layers.10.weight"), t("model.layers.11.weight", begin=4, end=8)),
     8)
good("names-that-differ-in-length", doc(t("a"), t("aa", begin=4, end=8), t("aaa", begin=8, end=12)), 12)
good("names-escaped-and-raw-differ", doc(t("\\\\u0061"), t("a", begin=4, end=8)), 8,
     note="\\\\u0061 is six characters")
good("name-surrogate-pair-mixed-case", doc(t("\\ud83D\\uDe00")), 4)
good("offset-odd", doc(t("a", "U8", "[1]", 0, 1), t("b", "F64", "[1]", 1, 9)), 9, note="alignment is no rule")
good("dim-zero-first", doc(t("a", "F32", "[0,3]", 0, 0)))
good("F4-two-tensors", doc(t("a", "F4", "[2]", 0, 1), t("b", "F4", "[4]", 1, 3)), 3)
good("F6-four-elements", doc(t("a", "F6_E3M2", "[2,2]", 0, 3)), 3)
good(
    "forty-tensors",
    doc(*(t("t%d" % i, "U8", "[%d]" % (i % 3), *(sum(j % 3 for j in range(i + d)) for d in (0, 1)))
          for i in range(40))), sum(i % 3 for i in range(40)))
