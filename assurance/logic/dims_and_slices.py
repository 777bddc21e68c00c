"""Compare the logic of dims and slices with Python: axes, rows, the walk over a slice, and arrays that are cut.

    for section in SECTIONS: section(space)    raises Wrong

Each predicate is compared with the same in Python, over small arrays and at the largest numbers.
"""
import itertools
import math
import re
from types import SimpleNamespace

import acsl
from questions import Box, altered, gives, holds, in_place, one
from texts_and_tokens import Reader, TOP, places, step
from tensors_and_header import ARRAYS

ROOTS = ("dim_nth", "dim_nth_there", "dim_number", "dim_there", "dims_after", "dims_met", "dims_stand", "elements",
         "nonzero", "nonzero_small", "dim_start", "dim_stop", "dim_met", "shape_fits", "slice_fits", "axis_fits",
         "axes_fit", "axes_measured", "axis_some", "axes_some", "axes_ready", "axes_whole", "times", "ratio",
         "axis_rows", "slice_rows", "axis_next", "first_next", "axes_walked", "run_inside", "bit_taken", "walk_takes",
         "slice_walks", "row_bits", "rows_each", "row_index", "bit_index", "index_taken", "axis_takes", "start_bits",
         "starts_from", "gone_from", "walk_low", "index_reached", "axis_reaches", "laid_out", "axis_laid", "axis_walks",
         "axes_walk", "run_taken", "walk_starts", "walk_goes", "walk_next", "axes_reach", "adjacent", "run_laid",
         "axes_still", "axis_set", "slice_begun")


# ---- Dims of any file -----------------------------------------------------------------------------------------------

def shapes_of_tensor(space, head, end, bracket, dims):
    """What a cursor reads after the [ of a shape."""
    product = filled = 1
    for k, dim in enumerate([*dims, None]):
        at = space["dims_after"](head, bracket + 1, end, k)
        gives(product, space["elements"], head, bracket + 1, end, k)
        gives(filled, space["nonzero"], head, bracket + 1, end, k)
        holds(dim is not None, space["dim_there"], head, at, end)
        holds(dim is not None, space["dim_nth_there"], head, bracket + 1, end, k)
        for change in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            cursor = Box(at=at + change[0], left=len(dims) - k + change[1])
            holds(change == (0, 0), space["dims_stand"], one(cursor), head, bracket, end, k)
        if dim is not None:
            gives(dim, space["dim_number"], head, at, end)
            gives(dim, space["dim_nth"], head, bracket + 1, end, k)
            product, filled = product * dim, filled * (dim or 1)
    holds(True, space["shape_judged"], head, bracket, end)
    holds(True, space["dims_met"], head, bracket, end)
    holds(False, space["dims_met"], head, bracket, bracket + 2) if dims else None
    for at in (-1, end, end + 1):
        holds(False, space["shape_judged"], head, at, end)
    holds(filled < 1 << 64, space["nonzero_small"], head, bracket + 1, end, len(dims))


# ---- Dims, one by one -----------------------------------------------------------------------------------------------

def dims_read(space):
    """What a cursor reads, from every position of small arrays."""
    for b, at, end in places(ARRAYS):
        blank = at
        while blank < end and b[blank] in b" \t\n\r":
            blank += 1
        start = blank
        if blank < end and b[blank] == 44:
            start += 1
            while start < end and b[start] in b" \t\n\r":
                start += 1
        gives(start, space["dim_start"], b, at, end)
        stop = start
        while stop < end and chr(b[stop]) in "0123456789+-.eE":
            stop += 1
        gives(stop, space["dim_stop"], b, at, end)
        gives(at, space["dims_after"], b, at, end, 0)
        gives(at, space["dims_after"], b, at, end, -1)
        gives(stop, space["dims_after"], b, at, end, 1)

        def number():
            reader = Reader(b, end, start)
            found.append(reader.integer())
            return reader.at
        found = []
        there = at < end and start < end and b[start] in b"-0123456789" and step(number) <= end
        holds(there, space["dim_there"], b, at, end)
        if there:
            gives(found[0], space["dim_number"], b, at, end)
        if at < end and b[at] == 91:
            dims_cursor(space, b, at, end)
        close = step(lambda: Reader(b, end, at).shape() and 0) if at < end and b[at] == 91 else 1
        if at >= end or b[at] == 91:
            holds(at < end and close == 0, space["shape_judged"], b, at, end)
    holds(False, space["shape_judged"], b"[]", -1, 2)


def dims_cursor(space, b, at, end):
    reader = Reader(b, end, at)
    if step(lambda: reader.shape() and 0):
        return
    read, items = Reader(b, end, at).shape()[0], reader.items
    holds(True, space["dims_met"], b, at, end)
    ends = [at + 1] + [item + len(str(dim)) for item, dim in zip(items, read)]
    for k, place in enumerate(ends):
        gives(place, space["dims_after"], b, at + 1, end, k)
        for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            d = one(Box(at=place + x, left=len(read) - k + y))
            holds((x, y) == (0, 0), space["dims_stand"], d, b, at, end, k)
        holds(k < len(read), space["dim_met"], b, at, end, k)


# ---- Axes, slices, rows, walks --------------------------------------------------------------------------------------

SHAPED = b"01234567[2,0,3]"
SHAPED_DIMS = (2, 0, 3)


def axes_of_a_tensor(space):
    for start, stop, step, dim in itertools.product(range(3), range(4), range(2), range(4)):
        a = one(Box(start=start, stop=stop, step=step, dim=dim))
        holds(start < stop, space["axis_some"], a, 0)
        holds(start < stop, space["axes_some"], a, 1)
        holds(start < stop <= dim and step >= 1, space["axes_ready"], a, 1)
        holds(dim == 2, space["axes_measured"], SHAPED, 9, len(SHAPED), a, 1)
        fits = step >= 1 and start <= stop <= 2
        holds(fits, space["axis_fits"], SHAPED, 9, len(SHAPED), a, 0)
        holds(fits, space["axes_fit"], SHAPED, 9, len(SHAPED), a, 1)
    right = [Box(start=0, stop=dim, step=1, dim=dim) for dim in SHAPED_DIMS] + [Box(start=0, stop=0, step=1, dim=0)]
    for n in range(5):
        holds(n <= 3, space["axes_fit"], SHAPED, 9, len(SHAPED), acsl.Cells(right), n)
        for k in range(min(n, 3)):
            wrong = right[:k] + [altered(right[k], stop=right[k].stop + 1, dim=9)] + right[k + 1:]
            holds(False, space["axes_fit"], SHAPED, 9, len(SHAPED), acsl.Cells(wrong), n)
            holds(False, space["axes_measured"], SHAPED, 9, len(SHAPED), acsl.Cells(wrong), n)


def slices_of_a_tensor(space):
    end = len(SHAPED)
    axis = acsl.Cells([Box(start=0, stop=dim, step=1, dim=dim) for dim in SHAPED_DIMS])
    for n, left, bits, size in itertools.product(range(4), range(5), (1, 4, 8), (0, 2, 8, 16, 48)):
        made = (1, 2, 0, 0)[n] * bits
        holds(n <= left and made == size, space["shape_fits"], SHAPED, 9, left, end, axis, n, bits, size)
    for bits in ((1 << 62) + (1 << 61), 1 << 63, (1 << 64) - 1):
        holds(6 * bits < 1 << 64 or False, space["shape_fits"], SHAPED, 9, 3, end, axis, 3, bits, 0)
    tensor = Box(rank=3, bits=8, begin=5, end=5, dims=SimpleNamespace(at=9, left=3))
    short, later = SimpleNamespace(at=9, left=2), SimpleNamespace(at=10, left=3)
    for fields in ({}, {"bits": 1}, {"rank": 2}, {"rank": 4}, {"bits": 0}, {"begin": 6}, {"end": 6}, {"end": 4},
                   {"begin": 0, "end": 1}, {"dims": short}, {"dims": later}):
        right = fields in ({}, {"bits": 1})
        holds(right, space["slice_fits"], SHAPED, end, one(altered(tensor, **fields)), axis, 3)
    tensor = Box(rank=1, bits=8, begin=5, end=7, dims=SimpleNamespace(at=9, left=3))
    for fields, right in (({}, True), ({"end": 6}, False), ({"end": 8}, False), ({"bits": 7}, False)):
        holds(right, space["slice_fits"], SHAPED, end, one(altered(tensor, **fields)), axis, 1)
    for byte, skip, bits, size in itertools.product((9, 10, 11), (0, 1, 7, 8), (0, 1, 2, 8), (0, 1, 8, 9, 16)):
        right = byte >= 10 and skip < 8 and bits >= 1 and 8 * (byte - 10) + skip + bits <= size
        holds(right, space["run_inside"], one(Box(byte=byte, skip=skip, bits=bits)), one(Box(begin=10, bits=size)))


def rows(space):
    """Slices of whole rows."""
    for all_, n, each, d in itertools.product(range(-1, 7), range(4), range(4), range(4)):
        holds(all_ == n * each, space["times"], all_, n, each)
        holds(all_ * d == n * each, space["ratio"], all_, each, n, d)
    sides = [Box(start=start, stop=stop, step=step, dim=dim)
             for start, stop, step, dim in itertools.product((0, 1), (0, 1, 2, 3), (1, 2), (1, 2, 3))]
    whole = [a.start == 0 and a.stop == a.dim and 1 in (a.step, a.dim) for a in sides]
    for (a, x), (b, y) in itertools.product(zip(sides, whole), repeat=2):
        for k, right in ((0, x and y), (1, y), (2, True)):
            holds(right, space["axes_whole"], acsl.Cells([a, b]), k, 2)
        holds(x, space["axes_whole"], acsl.Cells([a, b]), 0, 1)
    for a in sides:
        for row, first, run, walked in itertools.product((1, 8), (0, 1, 7, 8), (0, 1, 8, 16, 24), (0, 1)):
            right = first == a.start * row and (a.step != 1 or (run == (a.stop - a.start) * row and walked == 0))
            holds(right, space["axis_rows"], one(a), 0, row, first, run, walked)
            right = first == a.start * row and (a.step != 1 or (run == (a.stop - a.start) * row and walked == 1))
            holds(right, space["axis_rows"], acsl.Cells([sides[-1], a]), 1, row, first, run, walked)
            bits = a.dim * row
            right = walked == 0 and first == a.start * row and run == (a.stop - a.start) * row
            holds(right, space["slice_rows"], one(Box(axes=walked, first=first, run=run, bits=bits)), one(a))


def walked(axes, first):
    """Return which axis takes its next element, and where the run then begins."""
    for k in reversed(range(len(axes))):
        if axes[k].gone + axes[k].jump < axes[k].span and first + axes[k].jump <= TOP:
            return k, first + axes[k].jump
        first -= axes[k].gone
        if first < 0:
            break
    return -1, -1


def walks(space):
    """From one run of a slice to the next."""
    sides = [Box(gone=gone, jump=jump, span=span) for gone, jump, span in itertools.product((0, 2), (1, 2), (2, 3, 5))]
    for n in range(4):
        for axes in itertools.islice(itertools.product(sides, repeat=n), 0, None, (1, 1, 1, 7)[n]):
            for first in (0, 1, 2, 3, 7, TOP - 2, TOP - 1, TOP):
                k, begin = walked(axes, first)
                old = list(axes)
                gives(k, space["axis_next"], acsl.Cells(old), n, first)
                gives(begin, space["first_next"], acsl.Cells(old), n, first)
                new = [altered(a, gone=a.gone if j < k else a.gone + a.jump if j == k else 0)
                       for j, a in enumerate(axes)]
                holds(True, space["axes_walked"], acsl.Cells(new, 0, old), n, first)
                for j in range(n):
                    wrong = new[:j] + [altered(new[j], gone=new[j].gone + 1)] + new[j + 1:]
                    holds(k < 0, space["axes_walked"], acsl.Cells(wrong, 0, old), n, first)


def bits_of_a_slice(space):
    """Which bits a slice takes, and the walk over its first axis, whose runs are rows of the second."""
    for dims, bits in itertools.product(itertools.product((1, 2, 3), (1, 2, 4)), (1, 4)):
        for start, step in itertools.product(range(dims[0]), (1, 2, 3)):
            acsl.forget()
            row, size, width = dims[1] * bits, dims[0] * dims[1] * bits, dims[0] - start
            a = Box(start=start, stop=dims[0], step=step, dim=dims[0], span=width * row, gone=0,
                    jump=step * row if step < width else width * row)
            b = Box(start=dims[1] // 2, stop=dims[1], step=1, dim=dims[1])
            low, run = b.start * bits, (b.stop - b.start) * bits
            axes, slice_ = acsl.Cells([a, b]), one(Box(axes=1, first=start * row + low, run=run, bits=size))
            holds(True, space["slice_walks"], slice_, axes)
            for x in range(-1, size + 1):
                right = 0 <= x < size and x // row in range(start, dims[0], step) and x % row >= low
                holds(right, space["bit_taken"], axes, 2, size, x)
                holds(right, space["walk_takes"], slice_, axes, x)
            for change in ({"span": a.span + 1}, {"jump": a.jump + 1}, {"gone": 1 if row > 1 else step + 3},
                           {"dim": 7}):
                holds(False, space["slice_walks"], slice_, acsl.Cells([altered(a, **change), b]))
            wrong = Box(axes=1, first=start * row + low, run=run + 1, bits=size)
            holds(False, space["slice_walks"], one(wrong), axes)


# ---- Shapes at the largest numbers ----------------------------------------------------------------------------------

def shapes_measured(space):
    """Dims up to a limit, read to an end that may cut them: their number, their products, which axes fit."""
    big = (1 << 64) - 1
    for dims in ((2, 3), (0, 5), (5, 0, 7), (big, 1), (big, 2), (1 << 32, 1 << 32, 0), (3,), (12, 34), ()):
        text = b"[" + b" ,".join(b"%d" % dim for dim in dims)
        for cut, tail in itertools.product((-1, 0, 1), (b"]]", b"99")):
            acsl.forget()
            b, end = b"0" * 8 + text + tail, 8 + len(text) - cut
            read = [int(part) for part in b[9:end].replace(b"]", b" ").split(b",") if part.strip()]
            product = filled = 1
            made = [1]
            for k, dim in enumerate(read):
                gives(product, space["elements"], b, 9, end, k)
                gives(filled, space["nonzero"], b, 9, end, k)
                there = dim <= big and not (k == len(read) - 1 and b[end - 1:end].isdigit())  # the end cuts no number
                holds(there, space["dim_nth_there"], b, 9, end, k)
                gives(dim, space["dim_nth"], b, 9, end, k)
                for stop in {0, dim - 1, dim, dim + 1} - {-1}:
                    for start, step in itertools.product({0, stop, stop + 1}, (0, 1, 2)):
                        axis = acsl.Cells([Box(start=0, stop=0, step=1)] * k + [Box(start=start, stop=stop, step=step)])
                        fits = there and step >= 1 and start <= stop <= dim
                        holds(fits, space["axis_fits"], b, 9, end, axis, k)
                        holds(fits, space["axes_fit"], b, 9, end, axis, k + 1)
                product, filled = product * dim, filled * (dim or 1)
                made.append(filled)
                gives(filled, space["nonzero"], b, 9, end, k + 1)
                holds(max(made) <= big, space["nonzero_small"], b, 9, end, k + 1)
            holds(False, space["dim_nth_there"], b, 9, end, len(read))


def axes_again(space):
    """Two axes of which one is not ready; steps above 1; the largest tensors."""
    good = Box(start=0, stop=2, step=1, dim=2)
    for other, some, ready in ((good, True, True), (altered(good, step=2), True, True),
                               (altered(good, step=0), True, False),
                               (altered(good, stop=0), False, False), (altered(good, stop=3), True, False)):
        for pair in ([good, other], [other, good]):
            holds(some, space["axes_some"], acsl.Cells(pair), 2)
            holds(ready, space["axes_ready"], acsl.Cells(pair), 2)
    big = (1 << 61) - 1
    for dims in ((2, 3), (big,), (1, big), (1 << 32, 1 << 32), (0, 2)):
        acsl.forget()
        b = b"01234567[%s]" % b",".join(b"%d" % dim for dim in dims)
        axis = [Box(start=0, stop=dim, step=1, dim=dim) for dim in dims]
        holds(True, space["axes_measured"], b, 9, len(b), acsl.Cells(axis), len(dims))
        made = filled = 1
        for k, dim in enumerate(dims):
            wrong = axis[:k] + [altered(axis[k], dim=dim + 1)] + axis[k + 1:]
            holds(False, space["axes_measured"], b, 9, len(b), acsl.Cells(wrong), len(dims))
            made, filled = made * dim, filled * (dim or 1)
        n = len(dims)
        for bits, left in itertools.product((0, 1, 7, 8, 9), (n - 1, n, n + 1)):
            for size in {made * bits, made * bits + 1}:
                right = n <= left and filled < 1 << 64 and filled * bits < 1 << 64 and size == made * bits
                holds(right, space["shape_fits"], b, 9, left, len(b), acsl.Cells(axis), n, bits, size)
        for begin, bits in itertools.product((0, 1 << 61), (0, 4, 8)):
            for end in {begin + made * bits // 8, begin + made * bits // 8 + 1, begin + made, begin - 1}:
                tensor = Box(rank=n, bits=bits, begin=begin, end=end, dims=Box(at=9, left=n))
                right = bits >= 1 and 8 * (end - begin) == made * bits and filled * bits < 1 << 64
                holds(right, space["slice_fits"], b, len(b), acsl.Cells([tensor]), acsl.Cells(axis), n)
    for skip in (7, 8, 9):
        run = acsl.Cells([Box(byte=10, skip=skip, bits=1)])
        holds(skip < 8, space["run_inside"], run, acsl.Cells([Box(begin=10, bits=64)]))


# ---- Space after the end --------------------------------------------------------------------------------------------

def dims_and_space(space):
    """White space after the end is not counted."""
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


# ---- Dims and slices that are cut short -----------------------------------------------------------------------------

ARRAYS_CUT = (b"[12,3]]", b"[1 2 ]", b"[,2,7]", b"[0, 25]", b"[1,,2]", b"[3,]", b"[1, 2 ,34", b"[-1,5]", b"[7  8",
              b"[,, 4,")


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


def dims_cut(space):
    """Dims one by one, and their products, up to their number and beyond."""
    for b in ARRAYS_CUT:
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


def slices_cut(space):
    """Shapes whose last dim is cut, with more dims than axes, whose last axis does not fit, whose product is the
    largest."""
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


def axes_cut(space):
    """Steps of 0, dims of 0; fewer elements passed than possible."""
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


# ---- Rows, and the index of a bit -----------------------------------------------------------------------------------

def rows_of(axes, size):
    """Return the bits of a row when 0, 1, ... axes have divided."""
    return [size // math.prod(a.dim for a in axes[:k]) for k in range(len(axes) + 1)]


def rows_divided(space):
    """Rows of axes, whether or not they divide without rest; sums of what the axes have gone and begin with."""
    for dims in ((), (1,), (2,), (3,), (1, 2), (2, 3), (4, 1), (2, 2, 2), (1 << 32, 1 << 31), (TOP, 1)):
        axes = [Box(dim=dim, start=k + 2, gone=5 * k + 1) for k, dim in enumerate(dims)]
        whole, n = math.prod(dims), len(dims)
        for size in {*range(14), whole - 1, whole, whole + 1, 2 * whole, TOP}:
            rows_, cells = rows_of(axes, size), acsl.Cells(axes)
            for k in range(n + 1):
                gives(rows_[k], space["row_bits"], cells, k, size)
                left = size % math.prod(dims[:k])
                holds(not k or size > 0 and left == 0, space["rows_each"], cells, k, size)
                gives(sum(a.start * row for a, row in zip(axes[k:], rows_[k + 1:])), space["starts_from"], cells, k, n,
                      size)
                gives(sum(a.gone for a in axes[k:]), space["gone_from"], cells, k, n)
                for first in (100, TOP):
                    low = first - sum(a.start * row + a.gone for a, row in zip(axes[:k], rows_[1:]))
                    gives(low, space["walk_low"], one(Box(first=first, axes=k, bits=size)), cells)
            for k in range(n):
                gives(axes[k].start * rows_[k + 1], space["start_bits"], cells, k, size)
            gives(size, space["row_bits"], cells, -1, size)
            gives(0, space["starts_from"], cells, n + 1, n, size)
            gives(0, space["gone_from"], cells, n + 1, n)
            holds(True, space["rows_each"], cells, -1, size)


def bits_numbered(space):
    """The index of each bit on each axis, as the elements follow one another; rows of which the last is short."""
    for row, all_ in itertools.product(range(1, 5), range(1, 8)):
        numbered = [index for index in range(all_) for _ in range(row)][:all_]
        for block in range(3):
            for x, index in enumerate(numbered):
                gives(index, space["row_index"], block * all_ + x, all_, row)
    for dims, size in itertools.product(((2,), (2, 2), (1, 3), (3, 2)), range(6, 12)):  # with a rest, or none
        axes = [Box(dim=dim, start=dim - 1, stop=dim + 1, step=1, gone=0) for dim in dims]
        rows_, taken = rows_of(axes, size), set(range(size))
        for k, a in enumerate(axes):
            numbered = [index for index in range(size) for _ in range(rows_[k + 1])][:rows_[k]] * (2 * size)
            for x, index in enumerate(numbered[:2 * size]):
                gives(index, space["bit_index"], acsl.Cells(axes), k, size, x)
            taken -= {x for x, index in enumerate(numbered) if index not in range(a.start, a.stop)}
            for gone in range(size):
                holds(gone in (0, rows_[k + 1]), space["axis_reaches"], acsl.Cells(axes), k, size, gone)
        row = rows_[-1]
        slice_ = one(Box(axes=len(dims), bits=size, run=row - 1,
                         first=1 + sum(a.start * below for a, below in zip(axes, rows_[1:]))))
        for x in range(size):
            holds(x in taken, space["bit_taken"], acsl.Cells(axes), len(dims), size, x)
            holds(x in taken and x % row >= 1, space["walk_takes"], slice_, acsl.Cells(axes), x)
        for jump in range(size):
            reaching = [altered(a, jump=jump, span=jump + 1) for a in axes]
            right = all(jump in (0, below) for below in rows_[1:])
            holds(right, space["axes_reach"], acsl.Cells(reaching), len(dims), size)
    for dims, bits in (((3,), 1), ((2, 3), 1), ((2, 3), 4), ((2, 1, 2), 3), ((2, 2, 3), 1)):
        axes, size = acsl.Cells([Box(dim=dim) for dim in dims]), math.prod(dims) * bits
        for element, indices in enumerate(itertools.product(*map(range, dims))):
            for x, (k, index) in itertools.product(range(element * bits, (element + 1) * bits), enumerate(indices)):
                gives(index, space["bit_index"], axes, k, size, x)


def indices_of_an_axis(space):
    """Which indices an axis takes, how far it can have gone, how it is laid out, whether it takes what is adjacent."""
    for base in (0, 1, (1 << 64) - 8):
        for start, stop, step in itertools.product(range(base, base + 4), range(base, base + 5), (1, 2, 3, 7)):
            taken = range(start, stop, step)
            for i in range(base - 1, base + 6):
                holds(i in taken, space["index_taken"], start, stop, step, i)
                axes = acsl.Cells([Box(), Box(start=start, stop=stop, step=step)])
                holds(i in taken, space["axis_takes"], axes, 1, i)
            for row in (1, 2, 3, 1 << 40):
                reached = [(i - start) * row for i in taken]
                for gone in {0, 1, 2, 3, 4, 5, 6, row - 1, row + 1, 2 * row, *reached, 4 * row}:
                    holds(gone in reached, space["index_reached"], start, stop, step, row, gone)
                if taken and base == 0:
                    near = step == 1 or len(taken) == 1  # its elements are adjacent
                    for bits in range(13):
                        holds(near and bits == len(taken) * row, space["adjacent"], start, stop, step, row, bits)
    for width, row in itertools.product(range(1, 4), (1, 2)):
        holds(False, space["adjacent"], 1, 1 + width, 0, row, width * row)
    rows_ = (-1, 0, 1, 2, 1 << 60)
    for start, stop, step, dim, row in itertools.product((0, 1, 2), range(4), range(4), range(4), rows_):
        axis = Box(start=start, stop=stop, step=step, dim=dim)
        prepared(axis, row)
        for span, jump, all_ in itertools.product((-1, 0, 1), (-1, 0, 1), (0, 1)):
            other = altered(axis, span=axis.span + span, jump=axis.jump + jump)
            holds(laid(other, dim * row + all_, row), space["laid_out"], start, stop, step, dim, other.span, other.jump,
                  dim * row + all_, row)


# ---- Walks, run by run ----------------------------------------------------------------------------------------------

def prepared(axis, row):
    """Set the bits of all elements that an axis passes, and from one that it takes to the next: none, then all."""
    taken = range(axis.start, axis.stop, max(axis.step, 1))
    axis.span = (axis.stop - axis.start) * row
    axis.jump = (taken[1] - taken[0]) * row if len(taken) > 1 else axis.span


def laid(axis, all_, row):
    right = altered(axis)
    prepared(right, row)
    return row >= 1 and all_ == axis.dim * row and 0 <= axis.start < axis.stop <= axis.dim and axis.step >= 1 and \
        (axis.span, axis.jump) == (right.span, right.jump)


class Walk:
    """What is true of a slice and its axes at some run."""

    def __init__(self, slice_, axes):
        self.slice, self.axes, self.rows = slice_, axes[:slice_.axes], rows_of(axes, slice_.bits)
        row = self.rows[slice_.axes]
        self.low = slice_.first - sum(a.start * below + a.gone for a, below in zip(self.axes, self.rows[1:]))
        self.end = slice_.first + slice_.run
        offsets = range(max(self.low, 0), min(self.low + slice_.run, row))
        self.bits = bits_at(self.axes, self.rows, offsets)
        self.laid = all(laid(a, *self.rows[k:k + 2]) for k, a in enumerate(self.axes))
        reached = [[(i - a.start) * below for i in range(a.start, a.stop, a.step)]
                   for a, below in zip(self.axes, self.rows[1:])]
        self.placed = all(a.gone in each for a, each in zip(self.axes, reached))
        self.reaching = all(0 in each and (a.gone + a.jump >= a.span or a.gone + a.jump in each)
                            for a, each in zip(self.axes, reached))
        self.walking = self.laid and self.placed and slice_.run >= 1 and self.low >= 0 and self.low + slice_.run <= row
        self.later = [x for x in self.bits if x >= self.end]

    def goes(self, then):
        """Return whether a walk is next at a run, or at its end, if `then` is what is true there."""
        if then.slice.run < 1:
            return not self.later
        return then.walking and self.end <= then.slice.first <= min(self.later, default=TOP) and then.bits == self.bits


def bits_at(axes, rows_, offsets):
    """Return the bits at these offsets of each row that the axes take."""
    taken = [range(a.start, min(a.stop, a.dim), a.step) for a in axes]
    return {sum(i * row for i, row in zip(indices, rows_[1:])) + offset
            for indices in itertools.product(*taken) for offset in offsets}


def slices():
    """Yield the axes of small slices and the bits of their tensors."""
    for dims, bits, each in (((), 3, 1), ((1,), 1, 1), ((3,), 1, 1), ((4,), 2, 5), ((2, 3), 1, 11), ((3, 2), 2, 37),
                             ((3, 1, 2), 1, 61), ((2, 2, 2), 1, 79), ((2, 2, 3), 1, 223)):
        sides = [[(start, stop, step) for start, stop, step in itertools.product(range(dim), range(dim + 1), (1, 2, 3))
                  if start < stop or (start, stop, step) == (1, 1, 2)] for dim in dims]
        for chosen in itertools.islice(itertools.product(*sides), 0, None, each):
            axes = [Box(start=start, stop=stop, step=step, dim=dim, gone=0)
                    for dim, (start, stop, step) in zip(dims, chosen)]
            size = math.prod(dims) * bits
            for a, row in zip(axes, rows_of(axes, size)[1:]):
                prepared(a, row)
            yield axes, size


def runs(axes, size):
    """Yield how a slice is walked, for each number of axes whose rows hold one run: slice and axes at each run."""
    rows_ = rows_of(axes, size)
    bits = bits_at(axes, rows_, range(rows_[-1]))
    for m in range(len(axes) + 1):
        offsets = {x % rows_[m] for x in bits}
        if offsets and len(offsets) == max(offsets) - min(offsets) + 1:
            states = []
            for indices in itertools.product(*(range(a.start, a.stop, a.step) for a in axes[:m])):
                gone = [(i - a.start) * row for i, a, row in zip(indices, axes, rows_[1:])] + [0] * (len(axes) - m)
                first = sum(i * row for i, row in zip(indices, rows_[1:])) + min(offsets)
                states.append((Box(axes=m, first=first, run=len(offsets), bits=size),
                               [altered(a, gone=x) for a, x in zip(axes, gone)]))
            yield states


def changes(slice_, axes):
    """Yield what is near a run of a walk, itself first."""
    yield slice_, axes
    yield altered(slice_, first=slice_.bits + 1, run=0), axes
    for field, change in itertools.product(("first", "run"), (-1, 1)):
        yield altered(slice_, **{field: max(0, vars(slice_)[field] + change)}), axes
    for k, field, change in itertools.product(range(len(axes)), ("start", "stop", "step", "span", "jump", "gone"),
                                              (-1, 1)):
        value = vars(axes[k])[field] + change
        if value >= (field == "step"):
            yield slice_, axes[:k] + [altered(axes[k], **{field: value})] + axes[k + 1:]


def walks_begun(space):
    """A slice at its first run, and what is near; one that takes nothing; which axes are in its runs."""
    for axes, size in slices():
        acsl.forget()
        n, rows_, cells = len(axes), rows_of(axes, size), acsl.Cells(axes)
        bits = bits_at(axes, rows_, range(rows_[-1]))
        for x in range(-1, size + 2):
            holds(x in bits, space["bit_taken"], cells, n, size, x)
        for run, m in itertools.product((0, 1), range(n + 1)):
            walk = Walk(Box(axes=m, first=0, run=run, bits=size), axes)
            right = walk.walking and walk.bits == bits and min(bits) == 0 if run else not bits
            holds(right, space["slice_begun"], one(walk.slice), cells, n)
        for m in range(n + 1):
            offsets = {x % rows_[m] for x in bits}
            tail = all(len(range(a.start, a.stop, a.step)) == a.dim for a in axes[m + 1:])
            tail = tail and len(offsets) == max(offsets, default=-1) - min(offsets, default=0) + 1
            for run in {0, 1, len(offsets) - 1, len(offsets), len(offsets) + 1} if bits else ():
                holds(tail and run == len(offsets), space["run_laid"], cells, m, n, size, run)


def walks_on(space):
    """Each run of each small walk, and what is near."""
    for axes, size in slices():
        for states in runs(axes, size):
            n = len(axes)
            for place, (slice_, at) in enumerate(states):
                acsl.forget()
                ends = place < 2 or place == len(states) - 1
                for number, (s, a) in enumerate(changes(slice_, at) if ends else [(slice_, at)]):
                    at_a_run(space, s, a, number)
                    right = Walk(s, a)
                    there = right.walking and min(right.bits) >= s.first and right.bits == bits_at(
                        a, right.rows, range(right.rows[-1]))
                    holds(there, space["slice_begun"], one(s), acsl.Cells(a), n)
                ended = altered(slice_, run=0), at
                for then in [*states[place:place + 3:2], ended, *changes(*[*states[place + 1:], ended][0])]:
                    right = Walk(slice_, at).goes(Walk(*then))
                    cells = acsl.Cells([then[0]], 0, [slice_]), acsl.Cells(list(then[1]), 0, at)
                    holds(right, space["walk_goes"], *cells)


def at_a_run(space, s, a, number):
    """Ask about one run, or what is near."""
    walk, cells, slice_ = Walk(s, a), acsl.Cells(a), one(s)
    holds(walk.walking, space["slice_walks"], slice_, cells)
    holds(walk.laid and walk.placed, space["axes_walk"], cells, s.axes, s.bits)
    holds(walk.laid and not any(each.gone for each in walk.axes), space["axes_still"], cells, s.axes, s.bits)
    holds(walk.reaching, space["axes_reach"], cells, s.axes, s.bits)
    holds(walk.end <= s.bits and walk.bits.issuperset(range(s.first, walk.end)), space["run_taken"], slice_, cells)
    holds(all(x >= s.first for x in walk.bits), space["walk_starts"], slice_, cells)
    if number == 0:
        for x in range(-1, s.bits + 2):
            holds(x in walk.bits, space["walk_takes"], slice_, cells, x)
    followed(space, walk, slice_, a, number)


def followed(space, walk, slice_, a, number):
    """What follows for the axis that is next and where the run then begins: as they are, and if they were others."""
    m, s = slice_[0].axes, slice_[0]
    k, begin = walked(a[:m], s.first)

    def follows(j, begin):
        if j >= 0:
            beyond = sum(each.gone for each in a[j + 1:m])
            if j >= m or a[j].gone + a[j].jump >= a[j].span or not walk.end <= begin == s.first - beyond + a[j].jump:
                return False
        return not walk.later or j >= 0 and begin <= min(walk.later)
    holds(follows(k, begin), space["walk_next"], slice_, acsl.Cells(a))
    # Others only at a run itself and, after the last one, at some of what is near.
    for j in {-1, 0, k, k + 1, m - 1, m, m + 1} if number % 9 == 0 and (number == 0 or not walk.later) else ():
        right = s.first - sum(each.gone for each in a[max(j, 0) + 1:m]) + (a[j].jump if 0 <= j < len(a) else 0)
        for at in {begin, right - 1, right, right + 1}:
            with in_place(space, {"axis_next": lambda *args, j=j: j, "first_next": lambda *args, at=at: at}):
                holds(follows(j, at), space["walk_next"], slice_, acsl.Cells(list(a)))  # arguments of its own


def axes_of_a_walk(space):
    """Each axis of a walk: laid out, as it was laid out for the rows of an earlier moment, or not."""
    for dims, bits in (((3,), 2), ((2, 3), 1), ((3, 2), 4)):
        size = math.prod(dims) * bits
        for k, dim in enumerate(dims):
            row = rows_of([Box(dim=x) for x in dims], size)[k + 1]
            for start, stop, step in itertools.product(range(dim), range(dim + 1), (1, 2, 3)):
                right = Box(start=start, stop=stop, step=step, dim=dim, gone=0)
                prepared(right, row)
                for field, change in [("gone", 0), *itertools.product(vars(right), (-1, 1))]:
                    axis = altered(right, **{field: vars(right)[field] + change})
                    an_axis(space, dims, k, axis, size)


def an_axis(space, dims, k, axis, size):
    others = [Box(start=0, stop=dim, step=1, dim=dim, gone=0) for dim in dims]
    axes = others[:k] + [axis] + others[k + 1:]
    rows_, cells = rows_of(others, size), acsl.Cells(axes)
    right = laid(axis, *rows_[k:k + 2])
    if axis.dim == dims[k]:
        holds(right, space["axis_laid"], cells, k, size)
        reached = [(i - axis.start) * rows_[k + 1] for i in range(axis.start, axis.stop, max(1, axis.step))]
        for gone in range(max(0, axis.gone), size + 1) if axis.step and axis.start >= 0 else ():
            holds(gone in reached, space["axis_reaches"], cells, k, size, gone)
        holds(right and axis.gone in reached, space["axis_walks"], cells, k, size)
    elif axis.dim:
        holds(False, space["axis_laid"], cells, k, size)
    nothing = [Box(start=9, stop=9, step=9, dim=dim, gone=9, span=9, jump=9) for dim in dims]
    holds(right and axis.gone == 0, space["axis_set"], acsl.Cells(axes, 0, nothing), k, size)
    if k:  # axes before it may be others by then
        axes = [altered(other, dim=5) for other in others[:k]] + axes[k:]
        holds(right and axis.gone == 0, space["axis_set"], acsl.Cells(axes, 0, nothing), k, size)


SECTIONS = (dims_read, axes_of_a_tensor, slices_of_a_tensor, rows, walks, bits_of_a_slice, shapes_measured, axes_again,
            dims_and_space, dims_cut, slices_cut, axes_cut, rows_divided, bits_numbered, indices_of_an_axis,
            walks_begun, walks_on, axes_of_a_walk)
