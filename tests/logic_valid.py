"""What a valid view is, bound by bound; a view of one pair; entries that are wrong in two parts at once.

    for section in SECTIONS: section(space)    raises Wrong
"""
import acsl
from logic_small import Long
from logic_tables import RIGHT, header
from logic_ask import NONE, Box, altered, holds, one
from logic_view import PLAIN, entry, view, views, whole_view

ROOTS = ("valid_view", "view_says", "view_finds", "entry_says", "shape_judged")
ENTRY = altered(RIGHT, name=9 | 5 << 32, shape=20 | 1 << 32 | 3 << 59)
VIEW = Box(head=bytes(40), entry=[ENTRY, ENTRY], order=[1, 0], name=[9, 10], name_slot=[1, 0, 2, 0], key=[9],
           key_slot=[1, 0], value=[20], tensors=2, pairs=1, metadata=1, data_begin=40, data_size=6, seed=0)
EMPTY = dict(tensors=0, pairs=0, entry=[], order=[], name=[], name_slot=[], key=[], key_slot=[], value=[])


def bounds(space):
    """Each number at its bound and beyond it, in each place."""
    holds(True, space["valid_view"], whole_view(VIEW))
    wrong = {"order": (2, 1), "name": (41, 40), "key": (41, 40), "value": (41, 40), "name_slot": (3, 2),
             "key_slot": (2, 1),
             "entry": (altered(ENTRY, end=7), altered(ENTRY, end=6))}
    for field, (beyond, at_most) in wrong.items():
        for k in range(len(getattr(VIEW, field))):
            for value, right in ((beyond, False), (at_most, True)):
                array = list(getattr(VIEW, field))
                array[k] = value
                holds(right, space["valid_view"], whole_view(VIEW, **{field: array}))
    for name, right in ((9 | 31 << 32, True), (9 | 32 << 32, False)):
        holds(right, space["valid_view"], whole_view(VIEW, entry=[ENTRY, altered(ENTRY, name=name)]))
    for size, right in ((9, False), (10, True), (100000007, True), (100000008, True), (100000009, False)):
        v = whole_view(VIEW, **EMPTY, data_begin=size, head=Long(size))
        holds(right, space["valid_view"], v)
    for size, right in ((NONE - 40, True), (NONE - 39, False)):
        holds(right, space["valid_view"], whole_view(VIEW, **EMPTY, data_size=size))


def one_pair(space):
    """One pair, one tensor; the length of the header is another; an entry whose name is a byte longer or shorter."""
    head = header([(0, 1)], b'"__metadata__":{"k":"v"}')
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [1, 1], list(range(8))
    cells = [entry(space, head, end, 0)]
    v = view(space, head, end, cells, [0], 1, 1, 3)
    views(space, v)
    for change in (1, -1):
        other = bytes([head[0] + change]) + head[1:]
        holds(False, space["view_says"], whole_view(v, head=other))
        name = cells[0].name % PLAIN - change + (change << 32)
        holds(False, space["entry_says"], one(altered(cells[0], name=name)), head, end, 0)
    holds(False, space["shape_judged"], b"]x", -1, 2)
    acsl.counts[:], acsl.points[:] = [0, 0], []


SECTIONS = (bounds, one_pair)
