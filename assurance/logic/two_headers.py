"""Compare the logic of two headers with the model: do they state the same tensors (T15), and the same pairs but for
those that are named (T16)?

    for section in SECTIONS: section(space)    raises Wrong

Each header differs from the first in one thing, or in how the same is written. spec/model.py states what the two
headers of each comparison share.
"""
import itertools
import re

import acsl
from descriptions import chars, opened
from questions import Box, gives, holds

ROOTS = ("shape_nth", "dims_read", "dims_alike", "tensor_alike", "tensors_alike", "text_said", "pair_alike",
         "pair_named", "pairs_unchanged")

TENSORS = (b'"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]},'
           b'"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}')
FIRST, SECOND = (b"a", b"U8", b"2,1", 0, 2), (b"b", b"U8", b"1,3", 2, 5)
TENSOR_HEADERS = [b"{%s}" % (TENSORS % (one + other)) for one, other in (
    (FIRST, SECOND), ((b"\\u0061", *FIRST[1:]), SECOND), ((b"a", b"U8", b"2 , 1", 0, 2), SECOND),
    ((b"ab", *FIRST[1:]), SECOND), ((b"", *FIRST[1:]), SECOND), ((b"a", b"I8", *FIRST[2:]), SECOND),
    ((b"a", b"U8", b"1,2", 0, 2), SECOND), ((b"a", b"U8", b"2", 0, 2), SECOND), ((b"a", b"U8", b"2,1,1", 0, 2), SECOND),
    ((b"a", b"U8", b"2,1", 3, 5), (b"b", b"U8", b"1,3", 0, 3)),
    ((b"a", b"U8", b"3,1", 0, 3), (b"b", b"U8", b"2", 3, 5)),
    ((b"a", b"U8", b"2,0", 0, 0), (b"b", b"U8", b"1,3", 0, 3)), (FIRST, (b"c", *SECOND[1:])),
    (FIRST, (b"b", b"I8", *SECOND[2:])), (FIRST, (b"b", b"U8", b"3,1", 2, 5)), (FIRST, (b"b", b"U8", b"1,4", 2, 6)),
    (FIRST, (b"b", b"U8", b"3", 2, 5)), (SECOND[:3] + (0, 3), FIRST[:3] + (3, 5)), (FIRST, (b"b", b"U8", b"1,0", 0, 0)),
    (FIRST, (b"b", b"U8", b"1,0", 2, 2)),
    *(((b"a", b"U8", dims, 0, 0), (b"b", b"U8", b"0,2,3", 0, 0)) for dims in (b"0,1", b"0,2", b"0", b"0,1,1")))]
TENSOR_HEADERS += [b"{}", b'{"a":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]}}']

PAIRS = [((b"k", b"v"), (b"l", b"w")), ((b"\\u006b", b"\\u0076"), (b"l", b"w")), ((b"l", b"w"), (b"k", b"v")),
         ((b"k", b"v"),), ((b"k", b"w"), (b"l", b"v")), ((b"", b"v"), (b"l", b"")),
         ((b"k\\n", b"v"), (b"ll", b"w")), ()]


def shapes(space, v, tensors):
    """Where the shape of each tensor is, and what has been read of it."""
    head, end = v[0].head, v[0].data_begin
    text = bytes(acsl.read(head, at) for at in range(end))
    found = [match.end() - 1 for match in re.finditer(rb'"shape":\[', text)]
    for t in tensors:
        at = found[t[5]]
        gives(at, space["shape_nth"], head, end, t[5])
        for k in range(len(t[2]) + 1):
            after = space["dims_after"](head, at + 1, end, k)
            for step, left in itertools.product((-1, 0, 1), range(len(t[2]) + 2)):
                right = step == 0 and left == len(t[2]) - k
                holds(right, space["dims_read"], Box(at=after + step, left=left), head, at, end, k)


def tensors_of_two(space):
    all_of = [opened(space, text) for text in TENSOR_HEADERS]
    acsl.counts[:] = [0, 1, 2]
    for v, tensors, _ in all_of:
        shapes(space, v, tensors)
    for (v, one, _), (w, other, _) in itertools.product(all_of, all_of):
        both = v[0].head, v[0].data_begin, w[0].head, w[0].data_begin
        places = {t[5]: t for t in one}, {t[5]: t for t in other}
        for k in set(places[0]) & set(places[1]):
            mine, others = places[0][k], places[1][k]
            holds(mine[:5] == others[:5], space["tensor_alike"], *both, k)
            for n in range(min(len(mine[2]), len(others[2])) + 1):
                holds(mine[2][:n] == others[2][:n], space["dims_alike"], *both, k, n)
        for n in range(min(len(one), len(other)) + 1):
            holds(one[:n] == other[:n], space["tensors_alike"], v, w, n)
    acsl.counts[:], acsl.points[:] = [], []
    acsl.forget()


def pairs_of_two(space):
    headers = [b'{"__metadata__":{%s}}' % b",".join(b'"%s":"%s"' % pair for pair in pairs) for pairs in PAIRS]
    all_of = [opened(space, text) for text in headers]
    acsl.counts[:] = [0, 1, 2]
    named = ["l", "k", "k\n"]
    keys = acsl.Cells([chars(key) for key in named])
    for (v, _, one), (w, _, other) in itertools.product(all_of, all_of):
        both = v[0].head, v[0].data_begin, w[0].head, w[0].data_begin
        kept = [[mine == others for others in other] + [mine[0] == key for key in named] for mine in one]
        for i, j in itertools.product(range(len(one)), range(len(other))):
            holds(one[i] == other[j], space["pair_alike"], both[0], both[1], i, both[2], both[3], j)
        for where in itertools.product(range(len(other) + len(named) + 1), repeat=len(one)):
            for n, count in itertools.product(range(len(one) + 1), (len(named), 1)):
                right = all(at < len(other) + count and kept[i][at] for i, at in enumerate(where[:n]))
                holds(right, space["pairs_unchanged"], v, w, acsl.Cells(list(where)), keys, count, n)
    for v, _, pairs in all_of:
        for (k, (key, value)), name in itertools.product(enumerate(pairs), ["", "k", "kk", "l", "k\n"]):
            head, end = v[0].head, v[0].data_begin
            holds(name == key, space["pair_named"], head, end, k, acsl.Cells([chars(name)]))
            for text, at in ((key, "pair_key"), (value, "pair_value")):
                data = text.encode()
                gives(sum((byte + 1) * 257**i for i, byte in enumerate(data)), space["text_said"], head, end,
                      space[at](head, end, k) + 1)
    acsl.counts[:], acsl.points[:] = [], []
    acsl.forget()


SECTIONS = (tensors_of_two, pairs_of_two)
