"""The caller's memory, what is apart from what; the workspace's words; the index, slot by slot of long tables; long
views.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
from logic_beyond import of
from logic_tables import RIGHT
from logic_valid import VIEW
from logic_ask import Box, altered, gives, holds, one
from logic_view import slots, whole_view

ROOTS = ("judge_bytes", "judge_memory", "judge_workspace", "words_judged", "words_say", "stored_3", "placed",
         "hash_home", "valid_view")


def memory(space):
    """Something that is written at each place of the head and around it; a workspace in front of its own entries."""
    for size, written in itertools.product(range(4), range(6)):
        cells, away = [Box() for _ in range(6)], one(Box())
        head, there = acsl.Cells(cells, 1), acsl.Cells(cells, written)
        right = not 1 <= written < 1 + size
        holds(right, space["judge_bytes"], head, size, there, away)
        holds(right, space["judge_bytes"], head, size, away, there)
        for count in range(3):
            apart = all(not 1 <= at < 1 + size for at in range(written, written + count)) or not size
            for fields in ({"entry": there, "entries": count, "word": away, "words": 1},
                           {"entry": away, "entries": 1, "word": there, "words": count}):
                holds(apart, space["judge_memory"], head, size, one(Box(**fields)))
    word = acsl.Cells([0] * 2)
    for own, first in itertools.product(range(4), range(4)):
        cells = [Box() for _ in range(4)]
        cells[own] = Box(entry=acsl.Cells(cells, first), entries=2, word=word, words=2)
        there = first + 2 <= len(cells)
        right = there and not first <= own < first + 2
        holds(right, space["judge_workspace"], acsl.Cells(cells, own))
    holds(False, space["judge_workspace"], acsl.Cells([]))


def words(space):
    """Keys and names that begin at the end; a place that there is not; a key that is found, but elsewhere."""
    for m, n in itertools.product((0, 1, 2), repeat=2):
        right = [9] * m + [0] * 2 * m + [0] * n + [9] * n + [0] * 2 * n
        for k, word in itertools.product(range(len(right)), (0, 1, 2, 29, 30, 31)):
            wrong = right[:k] + [word] + right[k + 1:]
            slot = m <= k < 3 * m or k >= 3 * m + 2 * n
            count = m if k < 3 * m else n
            inside = word <= count if slot else word < n if 3 * m <= k < 3 * m + n else word <= 30
            holds(inside, space["words_judged"], acsl.Cells(wrong), m, n, 30)
    for names in ((b"k",), (b"k", b"l"), (b"k", b"l", b"m"), (b"a", b"b", b"c", b"d", b"e")):
        head = of(b'{"__metadata__":{%s}}' % b",".join(b'"%s":"%s"' % (name, name) for name in names))
        end, m, secret = len(head), len(names), space["secret"](5)
        acsl.forget()
        acsl.points[:] = range(4 * m)
        keys = [head.index(b'"%s":' % name) + 1 for name in names]
        index = slots(space, head, end, keys, secret)
        holds(True, space["words_say"], acsl.Cells(keys + index), m, 0, head, end, secret)
        for k in range(m):
            wrong = keys[:k] + [keys[k] + 4] + keys[k + 1:]  # its value says the same
            holds(False, space["words_say"], acsl.Cells(wrong + index), m, 0, head, end, secret)
    acsl.points[:] = []
    found, none = one(Box(tensors=1, pairs=0)), acsl.Cells([])
    for shape, name in itertools.product((28, 29, 30, 31), (27, 28, 29, 30)):
        e = altered(RIGHT, shape=shape | 3 << 59, name=9 | (name - 9) << 32)
        plan = Box(entry=one(e), entries=1, word=none, words=0, keep=0)
        holds(shape <= 30 and name < 30, space["stored_3"], plan, found, 30)


def index(space):
    """A slot as far from its home as it may be, and further; behind the last slot it goes on at the first."""
    last = (1 << 31) - 1
    for size in (255, 256, 257, 258, 600):
        for hash_ in (0, last, *((7 * (1 << 31) + step) // size for step in (-1, 0, size))):
            home = hash_ * size >> 31
            gives(home, space["hash_home"], hash_, size)
            for far in {0, 1, 254, 255, 256, size - 1} - {size}:
                p = (home + far) % size
                if far < size:
                    slot = [0] * size
                    for step in range(far):
                        slot[(home + step) % size] = 9
                    slot[p] = (hash_ % 256) << 24 | 1
                    holds(far < 256, space["placed"], acsl.Cells(slot), size, 0, hash_, p)
    holds(True, space["placed"], acsl.Cells([5 << 24]), 1, -1, 5, 0)  # an empty slot's place, with a tag


class Same:
    """An array of many cells that are all the same."""

    def __init__(self, count, value):
        self.count, self.value = count, value

    def __len__(self):
        return self.count

    def __getitem__(self, at):
        return self.value


def views(space):
    """As many tensors, as many pairs as there may be, and more."""
    for count in (2, *range(16777212, 16777218)):
        for fields, many in (({"tensors": count}, {"order": 1, "name": 9, "name_slot": 2, "entry": VIEW.entry[0]}),
                             ({"pairs": count}, {"key": 9, "value": 20, "key_slot": 2})):
            arrays = {name: Same(2 * count if "slot" in name else count, value) for name, value in many.items()}
            holds(count < 16777215, space["valid_view"], whole_view(VIEW, **fields, **arrays))


SECTIONS = (memory, words, index, views)
