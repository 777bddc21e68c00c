"""The logic beside the grammar, on a whole file: the judgement, what it needs, all that is said of a valid one.

    judgement(space, ...), file(space, ...) raise Wrong

Of each predicate it is asked that it holds of what the model says, and that it does not hold when one field is altered.
"""
import zlib

import acsl
from logic_ask import NONE, Box, altered, gives, holds, one
from logic_view import entries, entry, layout, said, shapes, tensor, view, views

FEW, SOME = 3, 16  # views are altered of files with so few tensors and pairs, one of so many


# ---- The judgement ---------------------------------------------------------------------------------------

def options(settings):
    return Box(api=settings["api"], relax=settings["relax"], seed=settings["seed"],
               **{name: value for name, value in settings.items() if name.startswith("max_")})


def judgement(space, data, file_size, settings, result):
    """The verdict, of the file and of the caller's options."""
    o = one(options(settings))
    right = settings["api"] == 1 and settings["relax"] == 0
    holds(right, space["options_right"], o)
    holds(True, space["options_right"], None)
    gives(settings["seed"], space["seed_of"], o)
    gives(0, space["seed_of"], None)
    holds(result.code == 0, space["valid"], data, len(data), file_size, o)
    for wrong in ({"api": 0}, {"api": 2}, {"relax": 1}):
        holds(False, space["options_right"], one(options({**settings, **wrong})))
        holds(False, space["valid"], data, len(data), file_size, one(options({**settings, **wrong})))
    unlimited = space["header_judged"](data, len(data), file_size, *[NONE] * 5)
    gives(unlimited, space["head_judged"], data, len(data), file_size, None)


def needs(space, head, end, n, m):
    for keep in (0, 1):
        words = 4 * n + (4 if keep else 3) * m
        need = Box(head=end, tensors=n, pairs=m, entries=n, words=words)
        holds(True, space["need_says"], one(need), head, keep)
        for field in vars(need):
            for step in (1, -1):
                holds(False, space["need_says"], one(altered(need, **{field: getattr(need, field) + step})), head, keep)
        for entries_given, words_given, short in ((n, words, False), (n - 1, words, True), (n, words - 1, True),
                                                  (n + 1, words + 1, False)):
            holds(short, space["room_short"], head, entries_given, words_given, keep)
    for size, count, right in ((10, 0, True), (9, 0, False), (100000008, 0, True), (100000009, 0, False), (12, 2, True),
                               (12, 3, False)):
        for field in ("tensors", "pairs"):
            need = Box(**{"head": size, "tensors": 0, "pairs": 0, "entries": 0, "words": 0, field: count})
            need.entries, need.words = need.tensors, 4 * (need.tensors + need.pairs)
            holds(right, space["need_exact"], one(need), 1)


def workspace(space, v):
    """What stage G leaves in the caller's memory: words behind each other, the values at the end."""
    m, n, end = v.pairs, v.tensors, v.data_begin
    words = v.key + v.key_slot + v.order + v.name + v.name_slot + v.value
    args = len(words), 1, v.head, end, m, n, v.data_size, space["secret"](v.seed)
    holds(True, space["tables_judged"], acsl.Cells(v.entry), acsl.Cells(words), *args)
    for k, number in enumerate(words):
        for wrong in {number + 1, number - 1, 1 << 31}:
            if number or wrong != -1:
                other = words[:k] + [wrong] + words[k + 1:]
                if number or not m <= k < 3 * m and not k >= 3 * m + 2 * n:  # an empty slot may name a key
                    holds(False, space["tables_judged"], acsl.Cells(v.entry), acsl.Cells(other), *args)
    found = Box(tensors=n, pairs=m, metadata=v.metadata)
    plan = Box(entry=acsl.Cells(v.entry), entries=n, word=acsl.Cells(words), words=len(words), keep=1)
    holds(True, space["found_says"], plan, one(found), v.head, end)
    holds(True, space["stored_3"], plan, one(found), end)
    for wrong in ({"tensors": n + 1}, {"tensors": n - 1}, {"pairs": m + 1}, {"pairs": m - 1},
                  {"metadata": 1 - v.metadata}):
        other = altered(found, **wrong)
        holds(False, space["counts_say"], one(other), v.head, end)
        holds(False, space["found_says"], plan, one(other), v.head, end)


# ---- A file ----------------------------------------------------------------------------------------------

def file(space, head, end, m, n, size, result, seed, group):
    """Of a header that passed the stages F and H."""
    cells = [entry(space, head, end, k) for k in range(n)]
    order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
    if result.name not in ("metadata_key_twice", "name_twice"):
        layout(space, cells, order, end, size, result, group)
    if result.code == 0:
        found = [t.name for t in result.tensors] + [text for pair in result.metadata or () for text in pair]
        said(space, [b"", *(text.encode() for text in found[:6])], seed)
        for t in result.tensors:
            place = space["tensor_object"](head, end, t.place)
            shapes(space, head, end, space["object_shape"](head, place, end), list(t.shape))
        if max(m, n) <= FEW and zlib.crc32(head) % SOME == 0:
            accepted(space, head, end, cells, order, m, size, seed)


def accepted(space, head, end, cells, order, m, size, seed):
    """All that is said of a file that is valid."""
    acsl.points[:] = sorted({*acsl.points, *range(2 * max(m, len(cells)) + 2)})
    v = view(space, head, end, cells, order, m, size, seed)
    entries(space, head, end, cells, size)
    views(space, v)
    for k in range(len(cells)):
        tensor(space, v, k)
    needs(space, head, end, len(cells), m)
    workspace(space, v)
