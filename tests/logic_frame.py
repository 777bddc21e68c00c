"""The logic around the header: stage F by its numbers, memory that is next to other memory, words with room to spare.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_parser import CODES, TOP
from logic_ask import Box, constant, gives, holds, one

ROOTS = ("no_offset", "verdict_of", "header_length", "length_judged", "frame_judged", "plan_ok", "judge_output",
         "judge_workspace", "judge_apart", "judge_options", "judge_view", "pairs_ok", "judge_input", "options_right",
         "limit_header", "limit_tensors", "limit_rank", "limit_name", "limit_metadata", "seed_of", "head_judged")
HUGE = 100_000_000


class Head:
    """The first bytes of a file, so many of them: only the length is there."""

    def __init__(self, length, size):
        self.length, self.size = length, size

    def __len__(self):
        return self.size

    def __getitem__(self, part):
        return self.length.to_bytes(8, "little")


def frame(space):
    """The length byte by byte; every number of stage F at its limits."""
    constant(space, "no_offset", TOP)
    for status, offset in itertools.product((0, 1, 32), (0, 1, TOP)):
        gives(status << 64 | offset, space["verdict_of"], status, offset)
    for text in (bytes(range(1, 9)), bytes(range(250, 258 - 2)) + b"\1\2", b"\xff" * 8,
                 *(1 << 8 * k for k in range(8))):
        b = text if isinstance(text, bytes) else text.to_bytes(8, "little")
        gives(int.from_bytes(b, "little"), space["header_length"], b)
    for n in (0, 1, 2, 50, HUGE - 1, HUGE, HUGE + 1, 1 << 56):
        for head, size, most in itertools.product({0, 7, 8, 9, 7 + n, 8 + n, 9 + n}, {0, 6, 7, 8, 7 + n, 8 + n, 9 + n},
                                                  {0, n - 1, n, n + 1, TOP} - {-1}):
            args = head, size, most
            gives(judged(n, *args), space["frame_judged"], n.to_bytes(8, "little"), *args)
            if head >= 8 and size >= 8:
                gives(judged(n, *args), space["length_judged"], n, *args)


def judged(n, head, size, most):
    try:
        model.stage_f(Head(n, head), size, {**model.OPTIONS, "max_header": most})
        return 0
    except model.Stop as stop:
        name, offset = stop.fields[:2]
        return CODES[name] << 64 | (TOP if offset is None else offset)


# ---- Memory that is next to other memory -----------------------------------------------------------------

def beside(space):
    """One field next to the arrays is apart from them, one inside is not; an array that begins too early is none."""
    for size, at in itertools.product((1, 2, 3), range(-1, 6)):
        cells = [Box() for _ in range(5)]
        array, field, other = acsl.Cells(cells, 1), acsl.Cells(cells, at), acsl.Cells([0] * 4)
        apart, there = not 1 <= at < 1 + size, 0 <= at < 5
        for entry, word, counts in ((array, other, (size, 2)), (other, array, (2, size))):
            work = one(Box(entry=entry, entries=counts[0], word=word, words=counts[1]))
            plan = Box(entry=entry, entries=counts[0], word=word, words=counts[1], keep=1)
            free, more = one(Box()), one(Box())
            holds(apart and there, space["plan_ok"], plan, field)
            holds(apart, space["judge_options"], work, field)
            holds(apart, space["judge_apart"], work, field, free)
            holds(apart, space["judge_apart"], work, free, field)
            holds(apart and there, space["judge_view"], field, work, free, more, one(Box()))
            if there:
                cells[at] = Box(entry=entry, entries=counts[0], word=word, words=counts[1])
                holds(apart, space["judge_workspace"], field)
    cells = [Box() for _ in range(3)]
    for a, b in itertools.product(range(3), repeat=2):
        first, second = acsl.Cells(cells, a), acsl.Cells(cells, b)
        holds(a != b, space["judge_output"], first, second, None)
        holds(a != b, space["judge_output"], first, one(Box()), second)
        holds(a != b, space["judge_view"], first, workspace(), second, one(Box()), one(Box()))
        holds(a != b, space["judge_view"], first, workspace(), None, second, one(Box()))
        holds(a != b, space["judge_view"], first, workspace(), None, one(Box()), second)


def workspace():
    return one(Box(entry=acsl.Cells([0]), entries=1, word=acsl.Cells([0]), words=1))


def arrays_there(space):
    """An array is there from its first cell to its last, and no further."""
    for size, at, count in itertools.product((1, 3), (-1, 0, 1), range(5)):
        array, other = acsl.Cells([0] * size, at), acsl.Cells([0] * 2)
        there = not count or at >= 0 and at + count <= size
        for entry, word, counts in ((array, other, (count, 2)), (other, array, (2, count))):
            given = Box(entry=entry, entries=counts[0], word=word, words=counts[1], keep=0)
            holds(there, space["plan_ok"], given, one(Box()))
            holds(there, space["judge_workspace"], one(given))
        if at + count <= size:
            holds(there, space["judge_input"], array, count, None)
        joined = acsl.Cells([0] * 6)
        for words, entries in itertools.product(range(4), repeat=2):
            for first in range(4):
                meet = words and entries and first < entries
                given = Box(entry=joined, entries=entries, word=joined + first, words=words)
                if first + words <= 6:
                    holds(not meet, space["judge_workspace"], one(given))
                    holds(not meet, space["plan_ok"], Box(**vars(given), keep=0), one(Box()))


def pairs_kept_or_not(space):
    """Keys in front, values at the end, and room between; kept or not."""
    for size, keep, n in itertools.product(range(1, 6), (-1, 0, 1, 2), range(4)):
        for k in range(size):
            words = acsl.Cells([30 if at == k else 9 for at in range(size)])
            used = k < n or k >= size - n if keep == 1 else k < n
            fits = keep == 1 and 2 * n <= size or keep == 0 and n <= size
            holds(not (fits and used), space["pairs_ok"], words, size, keep, n, 30)


def limits_given(space):
    """Each limit is that of the options, and none without them."""
    names = ["header", "tensors", "rank", "name", "metadata"]
    fields = {"max_" + name: 11 + k for k, name in enumerate(names)}
    for name in names:
        gives(fields["max_" + name], space["limit_" + name], one(Box(**fields)))
        gives(TOP, space["limit_" + name], None)
    gives(5, space["seed_of"], one(Box(seed=5)))
    for api, relax in itertools.product(range(3), range(-1, 3)):
        holds(api == 1 and relax == 0, space["options_right"], one(Box(api=api, relax=relax)))


SECTIONS = (frame, beside, arrays_there, pairs_kept_or_not, limits_given)
