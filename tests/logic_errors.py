"""The fields of stage G's errors and the parts of a scan's result, of any arguments, right or wrong.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_layout import BEGIN, stage_g
from logic_objects import META
from logic_parser import CODES
from logic_tables import header
from logic_ask import Box, altered, holds, one
from logic_view import entry

ROOTS = ("layout_truncated", "layout_overlap", "layout_hole", "layout_empty_inside", "layout_judged", "layout_fits",
         "stored_3", "found_says", "counts_say", "table_before", "tensors_kept", "pairs_kept", "shape_fits",
         "slice_fits",
         "nonzero_small", "filled")
NONE = model.MAX_U64
LAYOUTS = (((0, 1), (0, 2), (1, 2)), ((0, 3), (1, 2), (1, 1)), ((1, 3), (2, 2), (2, 2)), ((0, 1), (2, 3), (1, 1)),
           ((0, 3), (1, 3), (2, 3)), ((2, 3), (0, 2), (1, 3)), ((2, 2), (1, 3), (0, 1)), ((1, 2), (3, 3), (0, 1)))
AROUND = (1, 2), (3, 3)  # what stands before the first tensor and behind the last


def truncated(sides, size, tensor, other, expected, found):
    ends = [e for _, e in sides]
    return 0 <= tensor < len(ends) and tensor == ends.index(max(ends)) and \
        (other, expected, found) == (NONE, ends[tensor], size)


def overlap(sides, p, tensor, other, expected, found):
    there = sorted((b, e, i) for i, (b, e) in enumerate(sides) if b <= p < e)
    return len(there) > 1 and [x[2] for x in there[:2]] == [other, tensor] and \
        (expected, found) == (sides[other][1], p) and sides[tensor][0] == p


def hole(sides, size, p, tensor, other, expected, found):
    full = [(b, e, i) for i, (b, e) in enumerate(sides) if b < e]
    behind = sorted(x for x in full if x[1] > p)
    right = found == size and not behind if tensor == NONE else \
        bool(behind) and behind[0][2] == tensor and behind[0][0] == found
    ends = other == NONE and p == 0 or any(x[2] == other and x[1] == p for x in full)
    return expected == p < found and right and ends


def empty_inside(sides, p, tensor, other, expected, found):
    there = [i for i, side in enumerate(sides) if side == (p, p)]
    return bool(there) and there[0] == tensor and 0 <= other < len(sides) and \
        sides[other][0] < p < sides[other][1] and expected == found == NONE


def errors(space):
    """Every tensor named, every number near."""
    for sides in LAYOUTS:
        e = acsl.Cells([Box(begin=b, end=x) for b, x in (AROUND[0], *sides, AROUND[1])], 1)
        for n, p, tensor, other in itertools.product((2, 3), range(-1, 4), (*range(-1, 4), NONE), (*range(-1, 4),
                                                                                                   NONE)):
            if n < 3 and (3 in (tensor, other) or sides != LAYOUTS[0]):
                continue
            mine = sides[:n]
            named = {i: (AROUND[0], *sides, AROUND[1])[i + 1] if i != NONE else (p, p) for i in (tensor, other)}
            begin, end, last = named[tensor][0], named[tensor][1], named[other][1]
            for expected, found in ((end, p), (last, begin), (last, p), (p, begin), (p, p), (p, p + 1), (NONE, NONE),
                                    (NONE, 0), (0, NONE)):
                if min(expected, found) < 0:
                    continue
                fields = tensor, other, expected, found
                holds(truncated(mine, p, *fields), space["layout_truncated"], e, n, p, *fields)
                holds(overlap(mine, p, *fields), space["layout_overlap"], e, n, p, *fields)
                for size in {found, p, 3} - {NONE}:
                    holds(hole(mine, size, p, *fields), space["layout_hole"], e, n, size, p, *fields)
                holds(empty_inside(mine, p, *fields), space["layout_empty_inside"], e, n, p, *fields)


def codes_around(space):
    """Other codes than stage G's say nothing of a layout; an entry that ends before it begins has no byte."""
    acsl.points[:] = range(-1, 6)
    for sides in LAYOUTS:
        e = acsl.Cells([Box(begin=b, end=x) for b, x in sides])
        for n, size in itertools.product((2, 3), range(4)):
            name, offset = stage_g(sides[:n], size)[:2]
            for code, at in itertools.product(range(CODES["truncated"] - 1, CODES["empty_inside"] + 2), range(9, 16)):
                right = name != "ok" and (code, at) == (CODES[name], offset)
                holds(right, space["layout_judged"], e, n, BEGIN, size, code, at)
    for begin, end in itertools.product(range(3), repeat=2):
        holds(begin < end, space["filled"], one(Box(begin=begin, end=end)), 0)
    acsl.points[:] = []


def scans(space):
    """What a scan has left: counts, entries, words, as far as there is room; right and wrong in each place."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, n, m = len(head), 3, 2
    acsl.forget()
    acsl.counts[:] = [m, n]
    cells = [entry(space, head, end, k) for k in range(n)]
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in range(m)]
    found = Box(tensors=n, pairs=m, metadata=1)
    for entries, keep, spare in itertools.product((2, 3, 4), (0, 1), (-1, 0, 1)):
        room = (1 + keep) * m + spare
        words = (keys + [9] * spare + values[::-1] * keep)[:room] if spare >= 0 else [9] * room
        plan = Box(entry=acsl.Cells(cells), entries=entries, word=acsl.Cells(words), words=room, keep=keep)
        holds(True, space["found_says"], plan, one(found), head, end)
        holds(True, space["stored_3"], plan, one(found), end)
        for k, wrong in itertools.product(range(n), ({"end": 9}, {"begin": 9}, {"name": 8},
                                                     {"shape": end + 1 | 1 << 59})):
            other = Box(**{**vars(plan), "entry": acsl.Cells(cells[:k] + [altered(cells[k], **wrong)] + cells[k + 1:])})
            holds(entries < n, space["found_says"], other, one(found), head, end)
            holds(entries < n or "end" in wrong, space["stored_3"], other, one(found), end)
        for k, wrong in itertools.product(range(room), (8, end, end - 1)):
            other = Box(**{**vars(plan), "word": acsl.Cells(words[:k] + [wrong] + words[k + 1:])})
            used = spare >= 0 and (k < m or keep and k >= room - m)
            holds(not used, space["found_says"], other, one(found), head, end)
            holds(not used or wrong == end - 1, space["stored_3"], other, one(found), end)
        for wrong in ({"tensors": 2}, {"tensors": 4}, {"pairs": 1}, {"pairs": 3}, {"metadata": 0}, {"metadata": 2}):
            holds(False, space["counts_say"], one(altered(found, **wrong)), head, end)
            holds(False, space["found_says"], plan, one(altered(found, **wrong)), head, end)
    for name in ("tensors_kept",):
        for low, count in itertools.product(range(5), range(4)):
            for k in range(count):
                wrong = cells[:k] + [altered(cells[k], name=8)] + cells[k + 1:]
                holds(count > low, space[name], acsl.Cells(wrong), low, head, end, count)
    acsl.counts[:] = [0, 0]


SECTIONS = (errors, codes_around, scans)
