"""The logic beside the grammar, on what a file says: texts, dims, entries, layout, view.

    texts(space, head, end), layout(space, ...), views(space, ...) raise Wrong

Of each predicate it is asked that it holds of what the model says, and that it does not hold when one field is altered.
"""
import json
import re

import acsl
from logic_ask import NONE, Box, Wrong, altered, gives, holds, one

ROOTS = ("tensor_says", "text_behind", "broken_whole", "bytes_value", "character", "counts_say", "dim_nth",
         "dim_nth_there", "dim_number", "dim_there", "dims_after", "dims_met", "dims_stand", "elements",
         "entries_ok", "entries_say", "entry_ok", "entry_says", "fingerprint", "found_says",
         "head_judged", "in_data", "in_header", "intervals", "layout_empty_inside", "layout_hole",
         "layout_judged", "layout_order", "layout_overlap", "layout_truncated", "need_exact", "need_says",
         "nonzero", "nonzero_small", "options_right", "partition", "room_short", "secret", "seed_of",
         "shape_judged", "spells", "stored_3", "tables_judged", "text_end", "unpacked", "valid", "valid_entry",
         "valid_view", "value_order", "view_finds", "view_says", "whole_broken", "words_for")


PLAIN = 1 << 63  # marks the name of an entry that has no escape

# ---- Texts -----------------------------------------------------------------------------------------------

ESCAPE = re.compile(rb'\\(?:["\\/bfnrt]|u(?!0000)(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
                    rb'|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})')


def character(head, at, end):
    """The character at a place, and where the next one begins."""
    if head[at] == 0x5C:
        found = ESCAPE.match(head, at, end)
        return (ord(json.loads('"%s"' % found.group().decode())), found.end()) if found else (0xFFFD, at + 1)
    for width in (1, 2, 3, 4):
        try:
            return ord(head[at:min(at + width, end)].decode("utf-8")), at + width
        except (UnicodeDecodeError, TypeError):
            pass
    return 0xFFFD, at + 1


def fold(x):
    return x % (1 << 32) + (x >> 32) * 5


def hash_step(value, key, group):
    return fold((value + (group >> 32)) * (key >> 32) + group % (1 << 32) * (key % (1 << 32)))


def hash_finish(value):
    x = fold(fold(value))
    return fold(fold(fold(fold(fold(x * x))) * x)) % (1 << 31)


def fingerprint(data, key):
    """The hash of bytes: a polynomial modulo 2^32 - 5, eight bytes a step, then its cube."""
    value, data = 1, bytes(data) + b"\1"
    for k in range(0, len(data), 8):
        value = hash_step(value, key, int.from_bytes(data[k:k + 8], "little"))
    return hash_finish(value)


def mix(x):
    for _ in range(3):
        y = (x * 2654435769 + 2246822519) % (1 << 32)
        x = (y + (y >> 16) * 40503 + (y >> 15)) % (1 << 32)
    return x


def secret(seed):
    low = mix(seed % (1 << 32) + 1)
    first = mix(low + (seed >> 32))
    second = mix(mix(first + 3266489917) + low)
    return (1 << 28) + (first >> 4) << 32 | (1 << 28) + (second >> 4)


def texts(space, head, end):
    """At every place of a small head, whatever stands there."""
    for at in range(8, min(end, 72)):
        code, behind = character(head, at, end)
        if head[at] < 0x80 or code != 0xFFFD:
            gives(code << 32 | behind, space["character"], head, at, end)
        found = re.compile(rb'(?:\\.|[^"\\])*', re.S).match(head, at, end)
        close = found.end() + 1 if head[found.end():found.end() + 1] == b"\\" else found.end()
        gives(min(close, end), space["text_end"], head, at, end)


def said(space, names, seed):
    """Of texts by their bytes: value, order, hash."""
    key = secret(seed)
    gives(key, space["secret"], seed)
    values = []
    for data in names:
        value = 0
        for byte in reversed(data):
            value = 1 + byte + 257 * value
        values.append(value)
        gives(value, space["bytes_value"], data, 0, len(data))
        gives(fingerprint(data, key), space["fingerprint"], value, key)
        for at, char in enumerate(data.decode()[:8]):
            spelled = char.encode()
            for size in (len(spelled), len(spelled) + 1):
                holds(True, space["spells"], spelled + b"a", 0, size, ord(char))
            holds(False, space["spells"], spelled + b"a", 0, len(spelled) - 1, ord(char))
            for k in range(len(spelled)):
                other = bytearray(spelled + b"a")
                other[k] ^= 1
                holds(False, space["spells"], bytes(other), 0, len(spelled) + 1, ord(char))
    for a, x in zip(names, values):
        for b, y in zip(names, values):
            gives((a > b) - (a < b), space["value_order"], x, y)


# ---- Dims ------------------------------------------------------------------------------------------------

def shapes(space, head, end, bracket, dims):
    """What a cursor meets behind the [ of a shape."""
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


# ---- Entries ---------------------------------------------------------------------------------------------

def entry(space, head, end, k):
    """Tensor k as the table has it, a plain name marked: by the logic, which has been compared with the model."""
    name, place = space["tensor_key"](head, end, k) + 1, space["tensor_object"](head, end, k)
    length, shape = space["tensor_name_end"](head, end, k) - name, space["object_shape"](head, place, end)
    rank, dtype = space["object_rank"](head, place, end), space["object_dtype"](head, place, end)
    flag = 0 if b"\\" in head[name:name + length] else PLAIN
    return Box(begin=space["tensor_begin"](head, end, k), end=space["tensor_finish"](head, end, k),
               name=name | length << 32 | flag, shape=shape + 1 | rank << 32 | dtype << 59)


def entries(space, head, end, cells, size):
    for k, e in enumerate(cells):
        holds(True, space["entry_says"], one(e), head, end, k)
        holds(True, space["entry_says"], one(altered(e, name=e.name % PLAIN)), head, end, k)
        holds(e.name >= PLAIN, space["entry_says"], one(altered(e, name=e.name % PLAIN | PLAIN)), head, end, k)
        for field, steps in {"begin": [1], "end": [1], "name": [1, 1 << 32], "shape": [1, 1 << 32, 1 << 59]}.items():
            for step in steps:
                for sign in (1, -1):
                    other = altered(e, **{field: getattr(e, field) + sign * step})
                    holds(False, space["entry_says"], one(other), head, end, k)
                    if k == len(cells) - 1:
                        holds(False, space["entries_say"], acsl.Cells([*cells[:k], other]), head, end, k + 1)
    n = len(cells)
    holds(True, space["entries_say"], acsl.Cells(cells), head, end, n)
    for fields, inside, kept in edges(end, size) if n else ():
        e = Box(**fields)
        holds(kept, space["entry_ok"], one(e), end)
        holds(inside, space["valid_entry"], one(e), end, size)
        holds(kept, space["entries_ok"], acsl.Cells([*cells[:-1], e]), n, end)


def edges(end, size):
    """Entries at a limit and beyond it: (fields, is it one of a view, is it one that a scan keeps)."""
    right = {"begin": 0, "end": size, "name": 9, "shape": 20 | 1 << 59}
    yield right, True, True
    yield {**right, "begin": size}, True, True
    yield {**right, "begin": size + 1}, False, False
    yield {**right, "end": size + 1}, False, True
    yield {**right, "name": 8}, True, False
    yield {**right, "name": 9 | (end - 10) << 32}, True, True
    yield {**right, "name": 9 | (end - 9) << 32}, True, False
    yield {**right, "name": 9 | (end - 8) << 32}, False, False
    yield {**right, "shape": end | 1 << 59}, True, True
    yield {**right, "shape": end + 1 | 1 << 59}, False, False
    yield {**right, "shape": 20 | 0 << 59}, False, False
    yield {**right, "shape": 20 | 22 << 59}, True, True
    yield {**right, "shape": 20 | 23 << 59}, False, False
    yield {**right, "shape": 20 | (1 << 27) - 1 << 32 | 1 << 59}, True, True


# ---- Layout ----------------------------------------------------------------------------------------------

def layout(space, cells, order, end, size, result, group):
    """Stage G of the entries: as of the bytes, and who is named in the error."""
    n, e = len(cells), acsl.Cells(cells)
    holds(True, space["intervals"], e, n)
    near = {result.offset + d for d in (-1, 0, 1)} if result.offset else set()
    for code in group:
        for offset in {end, end + 1, end + size} | near:
            right = (code, offset) == (result.code, result.offset)
            holds(right, space["layout_judged"], e, n, end, size, code, offset)
    holds(result.code == 0, space["partition"], e, n, size)
    holds(True, space["layout_order"], e, acsl.Cells(order), n)
    for wrong in swapped(order):
        holds(False, space["layout_order"], e, acsl.Cells(wrong), n)
    if n:
        last = altered(cells[-1], begin=cells[-1].end + 1)
        holds(False, space["intervals"], acsl.Cells([*cells[:-1], last]), n)
    if result.name in ("truncated", "overlap", "hole", "empty_inside"):
        named(space, e, n, size, result, (result.offset or 0) - end)


def named(space, e, n, size, result, at):
    places = {"truncated": (size,), "overlap": (at,), "hole": (size, at), "empty_inside": (at,)}[result.name]
    fields = [NONE if x is None else x for x in (result.tensor, result.other, result.expected, result.found)]
    predicate = space["layout_" + result.name]
    holds(True, predicate, e, n, *places, *fields)
    for k in range(4):
        for step in (1, -1):
            wrong = fields[:k] + [fields[k] + step] + fields[k + 1:]
            holds(False, predicate, e, n, *places, *wrong)


def swapped(order):
    """Wrong orders of the same length: neighbours exchanged, a place twice, one that there is not."""
    for k in range(len(order) - 1):
        yield order[:k] + [order[k + 1], order[k]] + order[k + 2:]
        yield order[:k] + [order[k + 1]] + order[k + 1:]
    for k in range(len(order)):
        yield order[:k] + [len(order)] + order[k + 1:]


# ---- The view --------------------------------------------------------------------------------------------

def slots(space, head, end, keys, key):
    """An index of the texts at these places, as the core builds it."""
    size = 2 * len(keys)
    out = [0] * size
    for k, at in enumerate(keys):
        value = fingerprint(text(space, head, at, end), key)
        p = value * size >> 31
        while out[p]:
            p = (p + 1) % size
        out[p] = (value % 256) << 24 | k + 1
    return out


def text(space, head, at, end):
    value, out = space["text_value"](head, at, end), bytearray()
    while value > 0:
        value, digit = divmod(value, 257)
        out.append(digit - 1)
    return bytes(out)


def view(space, head, end, cells, order, m, size, seed):
    """The view of a valid file."""
    n, key = len(cells), space["secret"](seed)
    names = [space["tensor_key"](head, end, k) + 1 for k in range(n)]
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in reversed(range(m))]
    return Box(head=head, entry=cells, order=order, name=names, name_slot=slots(space, head, end, names, key), key=keys,
               key_slot=slots(space, head, end, keys, key), value=values, tensors=n, pairs=m,
               metadata=int(head[space["metadata_key"](head, end)] == 0x22), data_begin=end, data_size=size, seed=seed)


ARRAYS = ("entry", "order", "name", "name_slot", "key", "key_slot", "value")


def whole_view(v, **fields):
    """As the logic reads it: its arrays behind pointers."""
    record = altered(v, **fields)
    return one(altered(record, **{name: acsl.Cells(getattr(record, name)) for name in ARRAYS}))


def views(space, v):
    """The view says what the header says, and no other does."""
    for name in ("view_says", "view_finds", "valid_view"):
        holds(True, space[name], whole_view(v))
    for field in ("tensors", "pairs", "metadata"):
        for step in (1, -1):
            holds(False, space["view_says"], whole_view(v, **{field: getattr(v, field) + step}))
    for name in ("order", "name", "key", "value"):
        for k in range(len(getattr(v, name))):
            for step in (1, -1):
                other = list(getattr(v, name))
                other[k] += step
                holds(False, space["view_says"], whole_view(v, **{name: other}))
    for name, count in (("name", v.tensors), ("key", v.pairs)):
        wrong_slots(space, v, name, getattr(v, name + "_slot"), count)
        for k in range(count):
            other = list(getattr(v, name))
            other[k] = v.data_begin + 1
            holds(False, space["valid_view"], whole_view(v, **{name: other}))
            other[k] = v.data_begin
            holds(True, space["valid_view"], whole_view(v, **{name: other}))
    for fields, right in limits(v):
        holds(right, space["valid_view"], whole_view(v, **fields))


def wrong_slots(space, v, name, right, count):
    for k, slot in enumerate(right):
        if slot:
            for wrong in (0, slot ^ 1 << 24, slot + 1):
                other = right[:k] + [wrong] + right[k + 1:]
                holds(False, space["view_finds"], whole_view(v, **{name + "_slot": other}))
        for wrong, valid in ((0, True), (count, True), (count + 1, False), (1 << 24, False)):
            other = right[:k] + [wrong] + right[k + 1:]
            holds(valid, space["valid_view"], whole_view(v, **{name + "_slot": other}))


def limits(v):
    yield {"data_begin": 9, "head": v.head}, False
    yield {"data_size": NONE - v.data_begin}, True
    yield {"data_size": NONE - v.data_begin + 1}, False
    yield {"order": [v.tensors] + v.order[1:]}, not v.tensors
    yield {"value": [v.data_begin + 1] + v.value[1:]}, not v.pairs
    yield {"value": [v.data_begin] + v.value[1:]}, True
    yield {"data_begin": v.data_begin + 1}, False  # the head is shorter
    for name in ARRAYS:
        if getattr(v, name):
            yield {name: getattr(v, name)[:-1]}, False


def tensor(space, v, k):
    """What is handed out of tensor k."""
    e, v_ = v.entry[k], whole_view(v)
    t = Box(place=k, begin=v.data_begin + e.begin, end=v.data_begin + e.end, dtype=e.shape >> 59,
            bits=space["dtype_bits"](e.shape >> 59), rank=(e.shape >> 32) % (1 << 27),
            name=Box(at=e.name % (1 << 32), end=e.name % (1 << 32) + (e.name >> 32) % (1 << 31)),
            dims=Box(at=e.shape % (1 << 32), left=(e.shape >> 32) % (1 << 27)))
    holds(True, space["unpacked"], one(t), one(e), v.data_begin)
    holds(True, space["tensor_says"], one(t), v.head, v.data_begin)
    for step in (0, 1, -1):
        for wrong in ({"at": t.name.at + step}, {"end": t.name.end + step}):
            holds(not step, space["text_behind"], one(altered(t.name, **wrong)), v.head, v.data_begin, t.name.at - 1)
    for step in (1, -1):
        wrong = [altered(t, **{name: getattr(t, name) + step}) for name in ("begin", "end", "dtype", "bits", "rank")]
        wrong += [altered(t, **{part: altered(getattr(t, part), **{name: getattr(getattr(t, part), name) + step})})
                  for part, name in (("name", "at"), ("name", "end"), ("dims", "at"), ("dims", "left"))]
        for other in wrong:
            holds(False, space["unpacked"], one(other), one(e), v.data_begin)
            holds(False, space["tensor_says"], one(other), v.head, v.data_begin)
    last = v.data_begin + v.data_size
    first = v.data_begin
    for begin, end, inside in ((first, last, True), (first - 1, last, False), (first, last + 1, False),
                               (last, last, True), (last, last - 1, False)):
        holds(inside, space["in_data"], one(altered(t, begin=begin, end=end)), v_)
    for at, end, inside in ((9, v.data_begin, True), (9, v.data_begin + 1, False), (9, 9, True), (10, 9, False)):
        holds(inside, space["in_header"], one(Box(at=at, end=end)), v_)
