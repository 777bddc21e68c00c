"""What mutants of texts, dims and views have shown that no other question asks.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
from logic_objects import META
from logic_parser import places
from logic_tables import header
from logic_text import value_of
from logic_ask import Box, altered, gives, holds, one
from logic_view import character, entry, fingerprint, view, views, whole_view

ROOTS = ("utf8_value", "escape_value", "utf8", "escape", "hash_secret", "fingerprint", "value_order",
         "placed",
         "dim_start", "view_says", "view_finds", "valid_view", "secret", "in_data", "text_behind", "judged_whole",
         "words_judged", "words_say", "tables_judged")
WIDE = tuple(chr(code).encode() for code in (0x7FF, 0x80, 0xFFFF, 0x800, 0x10000, 0x40000, 0xFFFFF, 0x10FFFF)) + \
    (b"\\ud800\\udc00", b"\\udbff\\udfff", b"\\ud7ff", b"\\ue000", b"\\uD800\\uDC01")


EMPTY = b'{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'


def wide_characters(space):
    """The first and the last of each width."""
    for b, at, end in places(WIDE):
        if at < end and b[at] in b"\\" or at < end and b[at] >= 0x80:
            code, behind = character(b, at, end)
            name = "escape" if b[at] == 0x5C else "utf8"
            gives(code << 32 | behind, space[name], b, at, end)
            if behind > at + 1:
                gives(code, space[name + "_value"], b, at)


def hashes_again(space):
    """Numbers that are no seed's; a slot whose place is the last."""
    for first, second in ((5, 3), (5, (1 << 32) - 1), (0, 0), ((1 << 32) - 1, 1)):
        for data in (b"a", b"ab", "a\u00e9\u20ac\U0001F600".encode()):
            key = first << 32 | second
            gives(fingerprint(data, key), space["fingerprint"], value_of(data), key)
    for key in (-1, 0, 1, (1 << 61) - 1, (1 << 61) + 5, (1 << 61) - (1 << 32), 1 << 29, (1 << 29) - 1):
        holds(0 <= key and key >> 32 < 1 << 29 and key % (1 << 32) < 1 << 29, space["hash_secret"], key)
    gives(0, space["value_order"], 0, -1)
    last = (1 << 24) - 2
    for tag, hash_ in itertools.product((0, 5), (5, 0)):
        holds(tag == hash_, space["placed"], acsl.Cells([tag << 24 | last + 1]), 1, last, hash_, 0)


def cut_dims(space):
    """White space behind the end is none."""
    for b, end in ((b"[1,  x", 3), (b"[1,  x", 4), (b"[1  ,2]", 2), (b"  ,3 ", 1), (b"1,", 2), (b", ", 1)):
        for at in range(end + 1):
            start = at
            while start < end and b[start] in b" ":
                start += 1
            if start < end and b[start] == 44:
                start += 1
                while start < end and b[start] in b" ":
                    start += 1
            gives(start, space["dim_start"], b, at, end)
    for at, text in ((0, b'""a"'), (0, b'"a"'), (0, b'"\\""')):
        close = text.index(b'"', 1) if text[1:2] != b"\\" else 3
        for begin, end in itertools.product((0, 1, 2), range(5)):
            t = one(Box(at=begin, end=end))
            holds((begin, end) == (1, close), space["text_behind"], t, text, len(text), at)


def views_again(space):
    """A view of three tensors and two pairs; views whose names, whose keys, whose last entry say something else."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, m, n, size = len(head), 2, 3, 2
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [m, n], list(range(14))
    cells = [entry(space, head, end, k) for k in range(n)]
    v = view(space, head, end, cells, [0, 1, 2], m, size, 3)
    views(space, v)
    for k in range(n):
        wrong = v.entry[:k] + [altered(v.entry[k], end=v.entry[k].end + 1)] + v.entry[k + 1:]
        holds(False, space["view_says"], whole_view(v, entry=wrong))
    other = bytes([head[0] + 1]) + head[1:]
    holds(False, space["view_says"], whole_view(v, head=other))
    t = Box(begin=end, end=end)
    for begin, finish in itertools.product(range(end - 1, end + 4), repeat=2):
        holds(end <= begin <= finish <= end + 2, space["in_data"], one(altered(t, begin=begin, end=finish)),
              whole_view(v))
    words = v.key + v.key_slot + v.order + v.name + v.name_slot
    holds(True, space["words_judged"], acsl.Cells(words), m, n, end)
    holds(True, space["words_say"], acsl.Cells(words), m, n, head, end, space["secret"](3))
    for k in range(len(words)):
        slot = m <= k < 3 * m or k >= 3 * m + 2 * n
        for wrong in (end + 1, 1 << 24, n + 1 if k >= 3 * m else m + 1):
            wrong_words = acsl.Cells(words[:k] + [wrong] + words[k + 1:])
            right = slot and 0 <= wrong % (1 << 24) - 1 < (n if k >= 3 * m else m)
            if wrong > end or slot or k // m > 2:
                inside = right if slot else wrong < n if 3 * m <= k < 3 * m + n else wrong <= end
                holds(inside, space["words_judged"], wrong_words, m, n, end)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    for text in (b'{"a":%s,"\\u0061":%s}' % (EMPTY, EMPTY), b'{"__metadata__":{"k":"","\\u006b":""}}'):
        twice(space, len(text).to_bytes(8, "little") + text)
    acsl.forget()


def twice(space, head):
    """Names or keys that say the same: every other thing is right."""
    acsl.forget()
    end = len(head)
    m, n = head.count(b':""'), head.count(b"dtype")
    acsl.counts[:], acsl.points[:] = [m, n], list(range(8))
    cells = [entry(space, head, end, k) for k in range(n)]
    v = view(space, head, end, cells, list(range(n)), m, 0, 3)
    holds(True, space["view_says"], whole_view(v))
    holds(False, space["view_finds"], whole_view(v))


SECTIONS = (wide_characters, hashes_again, cut_dims, views_again)
