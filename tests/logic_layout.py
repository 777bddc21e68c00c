"""The layout of up to three tensors, wherever they lie: who breaks which rule, beside spec/model.py's stage G.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_parser import CODES
from logic_ask import Box, gives, holds

ROOTS = ("layout_rank", "layout_before", "layout_judged", "layout_truncated", "layout_overlap", "layout_hole",
         "layout_empty_inside", "intervals", "layout_fits", "covered", "twice", "once_below", "empty_within", "filled",
         "tensor_has", "begins_inside", "partition", "layout_order", "layout_ascends")
NONE = model.MAX_U64
SIDES = [(b, e) for b in range(4) for e in range(b, 4)]
GROUP = ("truncated", "overlap", "hole", "empty_inside")
BEGIN = 10  # where the data begins


def ranks(space):
    """Begin, then end, then place, each as large as can be."""
    edges = (0, 1, 2, NONE - 1, NONE)
    for a, b in itertools.product(itertools.product(edges, repeat=2), repeat=2):
        e = acsl.Cells([Box(begin=x, end=y) for x, y in (a, b, a)])
        for i, (begin, end) in enumerate((a, b, a)):
            gives(((begin << 64) + end << 32) + i, space["layout_rank"], e, i)
        for i, j in itertools.product(range(3), repeat=2):
            holds(((a, b, a)[i], i) < ((a, b, a)[j], j), space["layout_before"], e, i, j)


def chosen():
    for n in range(3):
        yield from itertools.product(SIDES, repeat=n)
    yield from itertools.islice(itertools.product(SIDES, repeat=3), 0, None, 23)
    yield (0, 3), (0, 2), (0, 1)
    yield (2, 3), (1, 2), (0, 1), (1, 1)
    yield (0, 3), (1, 1), (2, 2), (1, 1)


def stage_g(sides, size):
    """The model's verdict: name, offset, tensor, other, expected, found."""
    tensors = [model.Tensor(str(k), "U8", (e - b,), b, e, k, 0) for k, (b, e) in enumerate(sides)]
    try:
        model.stage_g(tensors, [], BEGIN, BEGIN + size)
        return "ok", None, None, None, None, None
    except model.Stop as stop:
        return stop.fields


def verdicts(space):
    """Stage G of the entries: the rule, the byte, and nothing else; the fields of the error, and no others."""
    acsl.points[:] = range(-1, 6)
    for sides in chosen():
        e, n = acsl.Cells([Box(begin=b, end=x) for b, x in sides]), len(sides)
        for size in range(4):
            name, offset, *fields = stage_g(sides, size)
            for rule, at in itertools.product(GROUP, range(BEGIN - 1, BEGIN + 5)):
                holds((rule, at) == (name, offset), space["layout_judged"], e, n, BEGIN, size, CODES[rule], at)
            holds(name == "ok", space["partition"], e, n, size)
            if name != "ok":
                fields_of(space, e, n, size, name, offset - BEGIN, [NONE if x is None else x for x in fields])
    acsl.points[:] = []


def fields_of(space, e, n, size, name, at, fields):
    places = {"truncated": (size,), "overlap": (at,), "hole": (size, at), "empty_inside": (at,)}[name]
    predicate = space["layout_" + name]
    holds(True, predicate, e, n, *places, *fields)
    for k in range(4):
        for value in {*range(5), NONE, NONE - 1, fields[k] + 1, fields[k] - 1} - {fields[k], -1}:
            holds(False, predicate, e, n, *places, *fields[:k], value, *fields[k + 1:])
    for k in range(len(places)):
        if not (name == "hole" and k == 0):
            for value in {places[k] + 1, places[k] - 1}:
                holds(False, predicate, e, n, *places[:k], value, *places[k + 1:], *fields)
    if name == "hole" and fields[0] == NONE:
        holds(False, predicate, e, n, size + 1, at, *fields)
    for tensor, other in itertools.product(range(n), repeat=2):  # right in itself, and another's
        if (tensor, other) != tuple(fields[:2]):
            wrong = [tensor, other if fields[1] != NONE else NONE, *fields[2:]]
            if wrong != fields:
                holds(False, predicate, e, n, *places, *wrong)


def pieces(space):
    """What the verdicts are made of, of each count of the tensors, where no more is there to be read."""
    acsl.points[:] = range(-1, 6)
    for sides in itertools.islice(chosen(), 0, None, 3):
        for n in range(len(sides) + 1):
            mine = sides[:n]
            e = acsl.Cells([Box(begin=b, end=x) for b, x in mine])
            inside = [[b <= p < x for b, x in mine] for p in range(-1, 5)]
            for p in range(-1, 5):
                row = inside[p + 1]
                holds(any(row), space["covered"], e, n, p)
                holds(sum(row) > 1, space["twice"], e, n, p)
                holds(all(sum(inside[q + 1]) == 1 for q in range(p)), space["once_below"], e, n, p)
                holds(all(x <= p for _, x in mine), space["layout_fits"], e, n, p)
                empty = any(b == x == p and any(c < p < y for c, y in mine) for b, x in mine)
                holds(empty, space["empty_within"], e, n, p)
                for i in range(n):
                    holds(row[i], space["tensor_has"], e, i, p)
            for i in range(n):
                holds(mine[i][0] < mine[i][1], space["filled"], e, i)
            holds(True, space["intervals"], e, n)
            for k in range(n):
                wrong = acsl.Cells([Box(begin=b + 5 * (i == k), end=x) for i, (b, x) in enumerate(mine)])
                holds(False, space["intervals"], wrong, n)
    acsl.points[:] = []


SECTIONS = (ranks, verdicts, pieces)
