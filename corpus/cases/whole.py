"""Cases: stage G."""
from cases.kit import A, BUFFER, DATA, OFFSET, SIZE, bad, doc, t

# ---- stage G ---------------------------------------------------------------------------------------

bad("W60", "metadata_key_twice", "same-bytes", '{"__metadata__":{"a":"1","b":"2",^^"a":"3"}}', ref="accept",
    decision="D11", other=0, found=2)
bad("W60", "metadata_key_twice", "escaped", '{"__metadata__":{"a":"1",^^"\\u0061":"1"}}', ref="accept",
    decision="D11", other=0, found=1)
bad("W60", "metadata_key_twice", "three-times", '{"__metadata__":{"x":"","k":"1",^^"k":"2","k":"3"}}',
    ref="accept", decision="D11", other=1, found=2)
bad("W60", "metadata_key_twice", "earliest-repeat", '{"__metadata__":{"a":"","b":"",^^"b":"","a":""}}',
    ref="accept", decision="D11", other=1, found=2)
bad("W60", "metadata_key_twice", "empty-key", '{"__metadata__":{"":"",^^"":""}}', ref="accept",
    decision="D11", other=0, found=1)
bad("W60", "metadata_key_twice", "pair-and-utf8", '{"__metadata__":{"\U0001f600":"",^^"\\ud83d\\ude00":""}}',
    ref="accept", decision="D11", other=0, found=1)
bad("W61", "name_twice", "same-body", doc(A, "^^" + A), 4, ref="accept", decision="D12", tensor=1, other=0)
bad("W61", "name_twice", "other-body",
    doc(t("a", "I8"), t("b", begin=4, end=8), "^^" + t("a", begin=8, end=12)), 12, ref=OFFSET, tensor=2,
    other=0)
bad("W61", "name_twice", "escaped", doc(t("a/b"), "^^" + t("a\\/b")), 4, ref="accept", decision="D12",
    tensor=1, other=0)
bad("W61", "name_twice", "hex-case", doc(t("\\u00e9"), "^^" + t("\\u00E9")), 4, ref="accept", decision="D12",
    tensor=1, other=0)
bad("W61", "name_twice", "raw-and-escaped", doc(t("\u00e9"), t("b", begin=4, end=8), "^^" + t("\\u00e9")), 8,
    ref="accept", decision="D12", tensor=2, other=0)
bad("W61", "name_twice", "earliest-repeat", doc(t("a"), t("b"), "^^" + t("b"), t("a")), 4, ref=OFFSET,
    tensor=2, other=1)
bad("W61", "name_twice", "empty-name", doc(t(""), "^^" + t("")), 4, ref="accept", decision="D12", tensor=1,
    other=0)
bad("W61", "name_twice", "empty-tensors", doc(t("e", shape="[0]", end=0), "^^" + t("e", shape="[0]", end=0)),
    0, ref="accept", decision="D12", tensor=1, other=0)
TWICE = '"__metadata__":{"k":"","k":""}'
bad("W62", "metadata_key_twice", "before-name", doc(A, A, '"__metadata__":{"k":"",^^"k":""}'), 4,
    ref="accept", decision="D11", other=0, found=1)
bad("W62", "name_twice", "before-truncated", doc(A, "^^" + A), 3, ref=BUFFER, tensor=1, other=0)
bad("W62", "truncated", "before-hole", doc(t("a", begin=1, end=5)), 4, at=SIZE, ref=OFFSET, tensor=0,
    expected=5, found=4)
bad("W62", "truncated", "before-overlap", doc(A, t("b", shape="[8]", end=8)), 7, at=SIZE, ref=OFFSET,
    tensor=1, expected=8, found=7)
bad("W63", "truncated", "by-one", doc(A), 3, at=SIZE, ref=BUFFER, tensor=0, expected=4, found=3)
bad("W63", "truncated", "no-data", doc(A), 0, at=SIZE, ref=BUFFER, tensor=0, expected=4, found=0)
bad("W63", "truncated", "largest-end-first-of-two",
    doc(A, t("c", begin=4, end=8), t("b", begin=4, end=8), t("e", shape="[0]", begin=8, end=8)), 6, at=SIZE,
    ref=OFFSET, tensor=1, expected=8, found=6)
bad("W63", "truncated", "largest-end-in-the-middle", doc(A, t("c", begin=8, end=12), t("b", begin=4, end=8)),
    11, at=SIZE, ref=BUFFER, tensor=1, expected=12, found=11)
bad("W63", "truncated", "empty-beyond", doc(A, t("e", shape="[0]", begin=5, end=5)), 4, at=SIZE, ref=OFFSET,
    tensor=1, expected=5, found=4)
bad("W63", "truncated", "sum-beyond-64-bits",
    doc(t("a", shape="[2305843009213693951]", begin=16140901064495857664, end=18446744073709551615)), 4,
    at=SIZE, ref=OFFSET, tensor=0, expected=18446744073709551615, found=4, note="8 + N + end wraps")
bad("W64", "overlap", "same-range", doc(A, t("b")), 4, at=DATA + 0, ref=OFFSET, tensor=1, other=0, expected=4,
    found=0)
bad("W64", "overlap", "by-one-byte", doc(A, t("b", begin=3, end=7)), 7, at=DATA + 3, ref=OFFSET, tensor=1,
    other=0, expected=4, found=3)
bad("W64", "overlap", "inside", doc(t("a", shape="[8]", end=8), t("b", shape="[2]", begin=2, end=4)), 8,
    at=DATA + 2, ref=OFFSET, tensor=1, other=0, expected=8, found=2)
bad("W64", "overlap", "shorter-first", doc(t("b", shape="[8]", end=8), A), 8, at=DATA + 0, ref=OFFSET,
    tensor=0, other=1, expected=4, found=0, note="same begin: layout order puts the smaller end first")
bad("W64", "overlap", "header-order-reversed", doc(t("c", begin=6, end=10), A, t("b", begin=4, end=8)), 10,
    at=DATA + 6, ref=OFFSET, tensor=0, other=2, expected=8, found=6)
bad("W65", "hole", "front", doc(t("a", begin=1, end=5)), 5, at=DATA + 0, ref=OFFSET, tensor=0, expected=0,
    found=1)
bad("W65", "hole", "between", doc(A, t("b", begin=5, end=9)), 9, at=DATA + 4, ref=OFFSET, tensor=1, other=0,
    expected=4, found=5)
bad("W65", "hole", "empty-does-not-fill", doc(A, t("e", shape="[0]", begin=5, end=5), t("b", begin=5, end=9)),
    9, at=DATA + 4, ref=OFFSET, tensor=2, other=0, expected=4, found=5)
bad("W66", "hole", "after-last", doc(A), 5, at=DATA + 4, ref=BUFFER, other=0, expected=4, found=5)
bad("W66", "hole", "no-tensors", "{}", 1, at=DATA + 0, ref=BUFFER, expected=0, found=1)
bad("W66", "hole", "metadata-only", '{"__metadata__":{}}', 3, at=DATA + 0, ref=BUFFER, expected=0, found=3)
bad("W66", "hole", "empty-tensor-only", doc(t("e", shape="[0]", end=0)), 2, at=DATA + 0, ref=BUFFER,
    expected=0, found=2)
bad("W66", "hole", "empty-at-the-end", doc(A, t("e", shape="[0]", begin=5, end=5)), 5, at=DATA + 4,
    ref=OFFSET, other=0, expected=4, found=5)
bad("W67", "empty_inside", "middle", doc(A, t("e", shape="[0]", begin=2, end=2)), 4, at=DATA + 2, ref=OFFSET,
    tensor=1, other=0)
bad(
    "W67", "empty_inside", "first-of-two",
    doc(t("f", shape="[0]", begin=6, end=6), A, t("b", begin=4, end=8), t("g", shape="[0]", begin=5, end=5),
        t("h", shape="[0]", begin=5, end=5)), 8, at=DATA + 5, ref=OFFSET, tensor=3, other=2)
bad("W67", "empty_inside", "by-one", doc(t("e", shape="[0]", begin=1, end=1), A), 4, at=DATA + 1, ref=OFFSET,
    tensor=0, other=1)
bad("W68", "hole", "hole-left-of-overlap", doc(t("a", begin=1, end=5), t("b", begin=4, end=8)), 8,
    at=DATA + 0, ref=OFFSET, tensor=0, expected=0, found=1)
bad("W68", "overlap", "overlap-left-of-hole", doc(A, t("b", begin=3, end=7)), 9, at=DATA + 3, ref=OFFSET,
    tensor=1, other=0, expected=4, found=3)
bad("W68", "hole", "hole-before-empty-inside", doc(A, t("e", shape="[0]", begin=1, end=1)), 5, at=DATA + 4,
    ref=OFFSET, other=0, expected=4, found=5)
bad("W62", "metadata_key_twice", "before-all", doc(TWICE.replace(',"k"', ',^^"k"'), A,
                                                   t("b", begin=3, end=7)), 4, ref=OFFSET, other=0, found=1)
