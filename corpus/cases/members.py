"""Cases: keys, values, numbers, and checks at the end of a tensor."""
from cases.kit import A, IHD, OFFSET, bad, body, doc, t

# ---- stage H: keys ---------------------------------------------------------------------------------

bad("W32", "keyword_escaped", "metadata", '{^^"__\\u006detadata__":{}}', ref="accept", decision="D7")
bad("W32", "keyword_escaped", "metadata-not-object", '{^^"__metadata_\\u005f":1}', note="before its value")
for key, escaped in [("dtype", "d\\u0074ype"), ("shape", "\\u0073hape"),
                     ("data_offsets", "data_offset\\u0073")]:
    header = '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'.replace('"%s"' % key, '^^"%s"' % escaped)
    bad("W33", "keyword_escaped", key, header, 4, ref="accept", decision="D8", tensor=0)
bad("W34", "keyword_escaped", "u8", body(dtype='^^"\\u00558"'), 4, ref="accept", decision="D9", tensor=0)
bad("W34", "keyword_escaped", "e4m3fnuz", body(dtype='^^"F8_E4M3FNU\\u005A"'), 4, ref="accept", decision="D9",
    tensor=0)
bad("W35", "keyword_escaped", "metadata", '{"__metadata__":{},^^"__metadat\\u0061__":{}}')
bad("W35", "keyword_escaped", "member", '{"a":{"dtype":"U8",^^"d\\u0074ype":"U8"}}', tensor=0)
bad("W36", "metadata_twice", "empty", '{"__metadata__":{},^^"__metadata__":{}}')
bad("W36", "metadata_twice", "after-tensors", doc('"__metadata__":{"a":"b"}', A,
                                                  '^^"__metadata__":{"c":"d"}'), 4)
bad("W36", "metadata_twice", "no-colon", '{"__metadata__":{},^^"__metadata__"}',
    note="judged at the closing quote")
for file, member in [("empty-name", '"":1'), ("longer", '"dtypes":1'), ("shorter", '"shap":1'),
                     ("upper", '"Shape":[1]'), ("escaped", '"\\u0078":1')]:
    bad("W37", "member_unknown", file, '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^%s}}' % member,
        4, ref="accept", decision="D10", tensor=0)
bad("W37", "member_unknown", "value-broken", '{"a":{^^"x":}}', tensor=0)
bad("W37", "member_unknown", "metadata-in-tensor", '{"a":{^^"__metadata__":{}}}', tensor=0)
for key in ("dtype", "shape", "data_offsets"):
    bad("W38", "member_twice", key, '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^"%s":7}}' % key, 4,
        tensor=0)

# ---- stage H: values -------------------------------------------------------------------------------

for file, value, ref, decision in [("null", "null", IHD, ""), ("string", '"x"', IHD, ""),
                                   ("number", "-1", IHD, ""), ("true", "true", IHD, ""),
                                   ("array", '["U8",[4],[0,4]]', "accept", "D4")]:
    bad("W39", "type", file, '{"a":^^%s}' % value, 4, ref=ref, decision=decision, tensor=0)
for file, value, ref, decision in [("null", "null", "accept", "D3"), ("array", "[]", IHD, ""),
                                   ("string", '""', IHD, ""), ("number", "0", IHD, ""),
                                   ("false", "false", IHD, "")]:
    bad("W40", "type", file, '{"__metadata__":^^%s}' % value, ref=ref, decision=decision)
for file, value in [("null", "null"), ("number", "1"), ("object", "{}"), ("array", '["x"]'),
                    ("true", "true")]:
    bad("W41", "type", file, '{"__metadata__":{"a":"b","k":^^%s}}' % value)
for file, value, ref, decision in [("number", "8", IHD, ""), ("null", "null", IHD, ""),
                                   ("array", '["U8"]', IHD, ""), ("object", '{"U8":null}', "accept", "D5")]:
    bad("W42", "type", file, body(dtype="^^" + value), 4, ref=ref, decision=decision, tensor=0)
for file, value in [("object", "{}"), ("string", '"[4]"'), ("number", "4"), ("null", "null")]:
    bad("W43", "type", "shape-" + file, body(shape="^^" + value), 4, tensor=0)
    bad("W43", "type", "offsets-" + file, body(offsets="^^" + value), 4, tensor=0)
for file, value in [("string", '"4"'), ("null", "null"), ("true", "true"), ("false", "false"),
                    ("array", "[4]"), ("object", "{}")]:
    bad("W44", "type", "dim-" + file, body(shape="[^^%s]" % value), 4, tensor=0)
    bad("W44", "type", "offset-" + file, body(offsets="[0,^^%s]" % value), 4, tensor=0)
bad("W45", "type", "nul", '{"a":^^nul}', tensor=0)
bad("W45", "type", "t-only", '{"a":^^t', tensor=0, note="not H1: nothing behind the first byte is looked at")
bad("W45", "type", "unclosed-string", '{"a":{"dtype":"U8","shape":[^^"', tensor=0)
bad("W45", "type", "minus", '{"a":^^-', tensor=0)
bad("W45", "type", "deep", '{"a":^^' + "[" * 200, tensor=0)

# ---- stage H: numbers ------------------------------------------------------------------------------

for file, number in [("minus-zero", "-0"), ("minus", "-4"), ("fraction", "4.0"), ("exponent", "4e0"),
                     ("upper", "4E0"), ("leading-zero", "04"), ("double-zero", "00"),
                     ("plus-inside", "4e+0")]:
    bad("W46", "number_form", "dim-" + file, body(shape="[^^%s]" % number), 4, tensor=0)
    bad("W46", "number_form", "offset-" + file, body(offsets="[0,^^%s]" % number), 4, tensor=0)
for file, number in [("lone-minus", "-"), ("two-minus", "--4"), ("range", "1-2"), ("e", "1e"),
                     ("dots", "1.2.3"), ("minus-dot", "-."), ("plus", "4+")]:
    bad("W47", "number_form", file, body(shape="[^^%s]" % number), 4, tensor=0)
bad("W47", "number_form", "then-letter", body(shape="[^^-1x]"), 4, tensor=0, note="the x is never reached")
for file, number in [("2-64", "18446744073709551616"), ("2-64-x-10", "184467440737095516150"),
                     ("wraps-to-4", "18446744073709551620"), ("21-digits", "1" + "0" * 20),
                     ("400-digits", "9" * 400)]:
    bad("W48", "number_range", "dim-" + file, body(shape="[^^%s]" % number), 4, tensor=0)
    bad("W48", "number_range", "offset-" + file, body(offsets="[0,^^%s]" % number), 4, tensor=0)
bad("W46", "number_form", "large-leading-zero", body(shape="[^^018446744073709551616]"), 4, tensor=0)
bad("W46", "number_form", "large-fraction", body(shape="[^^18446744073709551616.0]"), 4, tensor=0)
for file, dtype in [("empty", ""), ("lower", "u8"), ("space", "U8 "), ("longer", "U88"),
                    ("prefix", "F8_E4M3FNU"), ("longest", "F8_E4M3FNUZZ"), ("very-long", "F8_E4M3FNUZ" * 9),
                    ("escaped", "\\u0075\\u0038"), ("swapped", "F8_E3M4"), ("complex", "C128")]:
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
    bad("W53", "member_missing", "has-%d" % bits, '{"a":{%s^^}}' % members, 4, tensor=0, expected=7,
        found=bits)
bad("W53", "member_missing", "in-second", doc(A, '"b":{"dtype":"U8" ^^}'), 4, tensor=1, expected=7, found=1)
for file, dtype, shape, ref in [
    ("2-61-U8", "U8", "[2305843009213693952]", "reject ValidationOverflow"),
    ("2-62-F4", "F4", "[4611686018427387904]", "reject ValidationOverflow"),
    ("2-58-F64", "F64", "[288230376151711744]", "reject ValidationOverflow"),
    ("dims-wrap-to-0", "U8", "[4294967296,4294967296]", "reject ValidationOverflow"),
    ("dims-wrap-to-1", "F4", "[641,28777363597652447]", "reject TensorInvalidInfo"),
    ("many-dims", "U8", "[" + ",".join(["2"] * 61) + "]", "reject ValidationOverflow"),
    ("max-dim", "U8", "[18446744073709551615]", "reject ValidationOverflow"),
    ("zero-last", "U8", "[4294967296,4294967296,0]", "reject ValidationOverflow")
]:
    if file == "dims-wrap-to-1":
        shape, ref = "[274177,67280421310721]", "reject ValidationOverflow"  # the factors of 2^64 + 1
    bad("W54", "shape_overflow", file,
        '{"a":{"dtype":"%s","shape":^^%s,"data_offsets":[0,0]}}' % (dtype, shape), 0, ref=ref, tensor=0)
bad("W54", "shape_overflow", "zero-first",
    '{"a":{"dtype":"U8","shape":^^[0,4294967296,4294967296],"data_offsets":[0,0]}}', ref="accept",
    decision="D13", tensor=0)
bad("W54", "shape_overflow", "zero-last-bits",
    '{"a":{"dtype":"F64","shape":^^[2305843009213693952,0],"data_offsets":[0,0]}}', ref="accept",
    decision="D13", tensor=0)
for file, dtype, shape, bits in [("F4-1", "F4", "[1]", 4), ("F4-scalar", "F4", "[]", 4),
                                 ("F4-3-by-5", "F4", "[3,5]", 60), ("F6-1", "F6_E2M3", "[1]", 6),
                                 ("F6-2", "F6_E3M2", "[2]", 12), ("F6-6", "F6_E3M2", "[6]", 36)]:
    bad("W55", "shape_subbyte", file,
        '{"a":{"dtype":"%s","shape":^^%s,"data_offsets":[0,1]}}' % (dtype, shape), 1,
        ref="reject MisalignedSlice", tensor=0, found=bits)
bad("W56", "offsets_order", "4-0", body(offsets="^^[4,0]"), 4, ref=OFFSET, tensor=0, expected=4, found=0)
bad("W56", "offsets_order", "wrapped-size-fits",
    doc(A,
        t("b", shape="[4]", begin="^^", end="").replace("[^^,]", "^^[18446744073709551612,0]")), 4,
    ref=OFFSET, tensor=1, expected=18446744073709551612, found=0, note="end - begin wraps to 4")
bad("W57", "offsets_size", "short", body(offsets="^^[0,3]"), 3, ref="reject TensorInvalidInfo", tensor=0,
    expected=4, found=3)
bad("W57", "offsets_size", "long", body(offsets="^^[0,5]"), 5, ref="reject TensorInvalidInfo", tensor=0,
    expected=4, found=5)
bad("W57", "offsets_size", "scalar", body(dtype='"F32"', shape="[]", offsets="^^[0,0]"), 0,
    ref="reject TensorInvalidInfo", tensor=0, expected=4, found=0)
bad("W57", "offsets_size", "zero-dim", body(shape="[0]", offsets="^^[0,1]"), 1,
    ref="reject TensorInvalidInfo", tensor=0, expected=0, found=1)
bad("W57", "offsets_size", "low-32-bits-fit", body(offsets="^^[0,4294967300]"), 4,
    ref="reject TensorInvalidInfo", tensor=0, expected=4, found=4294967300)
bad("W58", "shape_overflow", "overflow-before-order",
    body(dtype='"F4"', shape="^^[18446744073709551615]", offsets="[4,0]"), ref=OFFSET, tensor=0)
bad("W58", "shape_subbyte", "subbyte-before-order", body(dtype='"F4"', shape="^^[1]", offsets="[4,0]"),
    ref=OFFSET, tensor=0, found=4)
bad("W58", "shape_subbyte", "offsets-first", '{"a":{"data_offsets":[4,0],"shape":^^[1],"dtype":"F6_E2M3"}}',
    ref=OFFSET, tensor=0, found=6)
bad("W58", "offsets_order", "order-before-size", body(offsets="^^[9,1]"), 4, ref=OFFSET, tensor=0, expected=9,
    found=1)
bad("W58", "member_missing", "missing-before-all",
    '{"a":{"shape":[18446744073709551615],"data_offsets":[4,0]^^}}', tensor=0, expected=7, found=6)
bad("W59", "member_unknown", "unknown-before-bad-byte", '{"a":{^^"x":1}\1', tensor=0)
bad("W59", "type", "type-before-trailing", '{"a":^^1}\t', tensor=0)
bad("W59", "offsets_size", "size-before-start-of-next", doc(body(offsets="^^[0,3]")[1:-1], "1"), 3, tensor=0,
    expected=4, found=3)
bad("W59", "number_range", "range-before-missing", '{"a":{"shape":[^^18446744073709551616]}}', tensor=0)
