"""Dims, texts, slices and keys where the end of the header cuts them, and numbers at their last value.

    for section in SECTIONS: section(space)    raises Wrong

Each is read to each end of a small array, of which more stands behind it; a Python of its own says what is read.
"""
import itertools
import re

import acsl
from logic_beyond import of
from logic_edges import LIMITS
from logic_parser import stopped
from logic_ask import Box, altered, gives, holds, one
from logic_view import fingerprint, hash_finish, slots

ROOTS = ("dim_start", "dim_stop", "dim_number", "dim_there", "dims_after", "dim_nth", "dim_nth_there", "elements",
         "nonzero", "nonzero_small", "axes_measured", "axes_fit", "shape_fits", "slice_fits", "dim_met", "dims_met",
         "indexed", "distinct_4", "absent", "dtype_end", "hash_finish", "member_within", "root_member_end",
         "pairs_kept", "tables_judged", "axes_whole", "axis_rows", "axes_walked", "table_before")
TOP = (1 << 64) - 1

# ---- Dims ------------------------------------------------------------------------------------------------

TEXTS = b"[12,3]]", b"[1 2 ]", b"[,2,7]", b"[0, 25]", b"[1,,2]", b"[3,]", b"[1, 2 ,34", b"[-1,5]", b"[7  8", b"[,, 4,"


class Dims:
    """What a cursor reads from `at` on."""

    def __init__(self, b, at, end):
        self.at, self.start, self.value, self.there = [at], [], [], []
        for _ in range(5):
            at = self.at[-1]
            start = at + len(re.match(rb"[ ]*(,[ ]*)?", b[at:end]).group()) if at < end else at
            number = re.match(rb"[-0-9+.eE]*", b[start:end]).group() if start < end else b""
            value = 0
            for byte in number:
                value = 10 * value + byte - 48
            self.start.append(start)
            self.value.append(value)
            plain = re.fullmatch(rb"0|[1-9][0-9]*", number)
            self.there.append(bool(plain) and value <= TOP and start + len(number) < end)
            self.at.append(start + len(number))


def dims(space):
    """One by one and their products, as many as there are and more."""
    for b in TEXTS:
        for at, end in itertools.product(range(4), range(1, len(b) + 1)):
            acsl.forget()
            read, product, filled = Dims(b, at, end), 1, 1
            gives(read.start[0], space["dim_start"], b, at, end)
            gives(read.at[1], space["dim_stop"], b, at, end)
            gives(read.value[0], space["dim_number"], b, at, end)
            holds(read.there[0], space["dim_there"], b, at, end)
            for k in range(4):
                gives(read.at[k], space["dims_after"], b, at, end, k)
                gives(read.value[k], space["dim_nth"], b, at, end, k)
                holds(read.there[k], space["dim_nth_there"], b, at, end, k)
                gives(product, space["elements"], b, at, end, k)
                gives(filled, space["nonzero"], b, at, end, k)
                product, filled = product * read.value[k], filled * max(read.value[k], 1)
                axes = [Box(dim=value) for value in read.value[:k + 1]]
                holds(True, space["axes_measured"], b, at, end, acsl.Cells(axes), k + 1)
                wrong = [*axes[:k], Box(dim=read.value[k] + 1)]
                holds(False, space["axes_measured"], b, at, end, acsl.Cells(wrong), k + 1)
    for at in (1, 2, 3):
        gives(at, space["dim_start"], b",,,,,", at, at - 1)
    for b, rank in ((b"[2 3]", 1), (b"[,2]", 1), (b"[1,]", 2), (b"[1,,2]", 3)):
        for k in range(rank):
            right = k == 0 and b[1:2].isdigit()
            holds(right, space["dim_met"], b, 0, len(b), k)
        holds(b == b"[2 3]", space["dims_met"], b, 0, len(b))
    holds(False, space["dim_met"], b"[2 3]", 0, 5, 1)


def slices(space):
    """Shapes whose last dim is cut, of more dims than axes, whose last axis does not fit, whose product is the last."""
    for b, n, left, bits in ((b"[2,3]]", 2, 2, 8), (b"[2]]", 1, 1, 1), (b"[5,%d]" % TOP, 1, 2, 8),
                             (b"[2,%d]" % (1 << 63), 1, 2, 1), (b"[%d]" % TOP, 1, 1, 1),
                             (b"[%d]" % (TOP // 3), 1, 1, 3), (b"[%d]" % TOP, 1, 1, 2)):
        for end in range(2, len(b) + 1):
            acsl.forget()
            read = Dims(b, 1, end)
            product, filled = 1, [1]
            for value in read.value[:n]:
                product, filled = product * value, filled + [filled[-1] * max(value, 1)]
            there = all(read.there[:n]) and max(filled) * bits <= TOP and n <= left
            axes = [Box(start=0, stop=min(value, 2), step=1) for value in read.value[:n]]
            for k in range(n + 1):
                wrong = axes[:k] + [altered(axis, start=3) for axis in axes[k:k + 1]] + axes[k + 1:]
                fits, size = there and k == n, product * bits
                holds(fits, space["shape_fits"], b, 1, left, end, acsl.Cells(wrong), n, bits, size)
                t = Box(rank=n, bits=bits, begin=7, end=7 + size // 8, dims=Box(at=1, left=left))
                holds(fits and size % 8 == 0, space["slice_fits"], b, end, one(t), acsl.Cells(wrong), n)


def axes(space):
    """Steps of 0, dims of 0; what has gone less than it should."""
    for start, stop, step, dim in itertools.product((0, 1), (0, 1, 2), (0, 1, 2), (0, 1, 2)):
        a = one(Box(start=start, stop=stop, step=step, dim=dim))
        holds(start == 0 and stop == dim and (step == 1 or dim == 1), space["axes_whole"], a, 0, 1)
        for run, walked in itertools.product((0, 8, 9), (0, 1)):
            right = step != 1 or run == 8 * (stop - start) and walked == 0
            holds(right, space["axis_rows"], a, 0, 8, 8 * start, run, walked)
    old = [Box(gone=2, jump=1, span=5), Box(gone=4, jump=1, span=5), Box(gone=4, jump=1, span=5)]
    for gone in itertools.product((1, 2, 3, 4), (3, 4, 5), (0, 1)):
        new = [altered(a, gone=x) for a, x in zip(old, gone)]
        holds(gone == (2, 5, 0), space["axes_walked"], acsl.Cells(new, 0, [old[0], altered(old[1], gone=4, span=6),
                                                                         old[2]]), 3, 20)


# ---- Texts -----------------------------------------------------------------------------------------------

def texts(space):
    """Keys whose text is cut: what they say is what stands before the end."""
    head = b'01234567"ab"a"\\n"ac"'
    key = space["secret"](3)
    for at in itertools.permutations((9, 12, 17)):  # "a" is said by two
        for count in range(4):
            right = count < 2 or count == 2 and 9 in at[:2]
            holds(right, space["distinct_4"], head, 18, acsl.Cells(list(at)), count)
    for end in range(14, len(head) + 1):
        for at in itertools.product((9, 12, 14, 17), repeat=2):
            acsl.forget()
            acsl.points[:] = range(6)
            said = [re.match(rb'[^"]*', head[x:end]).group().replace(b"\\n", b"\n") for x in at]
            if b"\\" in said or any(x >= end for x in at):
                continue
            holds(said[0] != said[1], space["distinct_4"], head, end, acsl.Cells(list(at)), 2)
            for text in (b"", b"a", b"ab", b"ac", b"\n"):
                value = 0
                for byte in reversed(text):
                    value = 1 + byte + 257 * value
                holds(text not in said, space["absent"], head, end, acsl.Cells(list(at)), 2, value)
            if said[0] != said[1]:
                cells = [0] * 4
                for k, text in enumerate(said):
                    hashed = fingerprint(text, key)
                    p = hashed * 4 >> 31
                    while cells[p]:
                        p = (p + 1) % 4
                    cells[p] = (hashed % 256) << 24 | k + 1
                holds(True, space["indexed"], head, end, acsl.Cells(list(at)), 2, acsl.Cells(cells), 4, key)
    acsl.points[:] = []
    for b, wanted in ((b'""', stopped("dtype_unknown", 0)), (b'"\x01"', stopped("control", 1)),
                      (b'"U8"', 4), (b'"\\"', None)):
        if wanted is not None:
            gives(wanted, space["dtype_end"], b, 0, len(b))
    for value in (0, 1, (1 << 31) - 1, 1 << 31, 1 << 62, 1 << 100, 3 ** 400):
        gives(hash_finish(value), space["hash_finish"], value)


# ---- The header ------------------------------------------------------------------------------------------

ONE = b'"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'


def members(space):
    """A member of the root, to each end."""
    b = of(b"{%s}" % ONE)
    plan = Box(**LIMITS)
    limits = [getattr(plan, name) for name in LIMITS]
    for end in range(10, len(b) + 1):
        acsl.forget()
        whole = space["root_member_end"](b, 9, len(b), 0, 0, *limits)
        gives(whole if whole <= end else stopped("header_early", end), space["member_within"], b, 9, end, 0, 0, plan)


def metadata(space):
    """What is kept of metadata that is cut: keys and values begin before the end, or keys at it."""
    text, secret = b'{"__metadata__":{"k":"v"}', space["secret"](3)
    first, value = text.index(b'"k') + 9, text.index(b'"v') + 9
    for length in range(first - 8, len(text) + 1):
        acsl.forget()
        acsl.points[:], acsl.counts[:] = range(4), [1, 0]
        head = of(text[:length]) + text[length:] + b" " * 9
        end = 8 + length
        holds(first < end, space["pairs_kept"], acsl.Cells([first]), 1, 0, head, end, 1)
        front = [first, *slots(space, head, end, [first], secret)]
        for keep in (0, 1):
            words = front + [value] * keep
            right = keep == 0 or value < end
            args = len(words), keep, head, end, 1, 0, 0, secret
            holds(right, space["tables_judged"], acsl.Cells([]), acsl.Cells(words), *args)
    acsl.points[:], acsl.counts[:] = [], [0, 0]
    head = of(b'{"__metadata__":{}}":%s,%s}' % (ONE[4:], ONE))  # it goes on behind the root's }
    acsl.forget()
    key = head.rindex(b'"a"')
    for n in range(3):
        holds(False, space["table_before"], head, len(head), key, n, 1, 0)
        holds(n == 0, space["table_before"], head, len(head), 9, n, 1, 0)


SECTIONS = (dims, slices, axes, texts, members, metadata)
