"""The logic of the table and the view, definition by definition: entries, words, orders, dims.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_objects import META
from logic_parser import ARRAYS, CODES, Reader, places, step
from logic_view import ARRAYS as POINTERS
from logic_ask import Box, altered, gives, holds, one
from logic_view import entry

ROOTS = ("entry_name", "entry_name_end", "packed_end", "text_plain", "entry_shape", "entry_rank", "entry_dtype",
         "entry_ok", "entries_ok",
         "valid_entry", "valid_entries", "entries_say", "keys_say", "names_say", "values_say", "texts_ok",
         "words_below",
         "tensor_before", "order_says", "readable_view", "dim_start", "dim_stop", "dim_number", "dim_there",
         "dims_after",
         "dim_met", "dims_met", "dims_stand", "unpacked", "in_data", "in_header", "text_behind", "shape_judged",
         "keys_inside", "slots_name", "pairs_say", "tensors_kept", "table_before", "tensor_keys", "need_exact",
         "pairs_kept", "counts_say", "need_says", "room_short", "words_for", "holds", "held", "shared", "sound_below",
         "data_there", "empty_inside", "key_repeats", "name_repeats", "keys_differ", "names_differ", "judged_names",
         "judged_data", "header_judged")
TENSOR = b'"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}'


def header(spans, pairs=b""):
    """A head of tensors that lie there."""
    members = [TENSOR % (b"%d" % k, e - b, b, e) for k, (b, e) in enumerate(spans)]
    text = b"{%s}" % b",".join(members + ([pairs] if pairs else []))
    return len(text).to_bytes(8, "little") + text


# ---- Entries and words -----------------------------------------------------------------------------------

def fields(space):
    """An entry unpacked: each part alone, small and as large as can be."""
    halves = (0, 1, 9, (1 << 32) - 1)
    for low, high, flag in itertools.product(halves, (0, 1, 9, (1 << 31) - 1), (0, 1 << 63)):
        e = one(Box(name=low | high << 32 | flag, shape=0))
        gives(low, space["entry_name"], e)
        gives(low + high, space["entry_name_end"], e)
        gives(low + high, space["packed_end"], low | high << 32 | flag)
    for low, rank, dtype in itertools.product(halves, (0, 1, 5, (1 << 27) - 1), (0, 1, 22, 31)):
        e = one(Box(name=0, shape=low | rank << 32 | dtype << 59))
        gives(low, space["entry_shape"], e)
        gives(rank, space["entry_rank"], e)
        gives(dtype, space["entry_dtype"], e)


def plain(space):
    """Every text of three bytes, from each to each."""
    for text, at, close in itertools.product(itertools.product(b'a!"\\', repeat=3), range(3), range(3)):
        right = text[close] == ord('"') and not set(text[at:close]) & set(b'"\\')
        holds(right, space["text_plain"], bytes(text), at, close)


RIGHT = Box(begin=2, end=4, name=9 | 5 << 32, shape=20 | 1 << 32 | 3 << 59)


def entry_limits(space):
    """Each bound of an entry, met and missed; each place of an array, right and wrong."""
    cases = [({}, True, True), ({"begin": 4}, True, True), ({"begin": 5}, False, False),
             ({"name": 8 | 5 << 32}, False, True), ({"name": 9 | 20 << 32}, True, True),
             ({"name": 9 | 21 << 32}, False, True), ({"name": 9 | 22 << 32}, False, False),
             ({"name": 9 | 20 << 32 | 1 << 63}, True, True), ({"name": 9 | 22 << 32 | 1 << 63}, False, False),
             ({"shape": 30 | 3 << 59}, True, True), ({"shape": 31 | 3 << 59}, False, False),
             ({"shape": 20}, False, False), ({"shape": 20 | 1 << 59}, True, True), ({"shape": 20 | 22 << 59}, True,
                                                                                    True),
             ({"shape": 20 | 23 << 59}, False, False), ({"end": 6}, True, True), ({"end": 7}, True, False)]
    for change, kept, inside in cases:
        e = altered(RIGHT, **change)
        holds(kept, space["entry_ok"], one(e), 30)
        holds(inside, space["valid_entry"], one(e), 30, 6)
        for n, at in itertools.product(range(4), range(3)):
            cells = acsl.Cells([e if k == at else RIGHT for k in range(3)])
            holds(kept or at >= n, space["entries_ok"], cells, n, 30)
            holds(inside or at >= n, space["valid_entries"], cells, n, 30, 6)
    for n in range(4):
        holds(True, space["entries_ok"], acsl.Cells([RIGHT] * n), n, 30)
        holds(True, space["valid_entries"], acsl.Cells([RIGHT] * n), n, 30, 6)


def words(space):
    """Arrays of words as the header has them, right and wrong at each place, and no longer than they are said to be."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, m, n = len(head), 2, 3
    acsl.forget()
    cells = [entry(space, head, end, k) for k in range(n)]
    names = [space["tensor_key"](head, end, k) + 1 for k in range(n)]
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in range(m)]
    for count in range(n + 1):
        holds(True, space["entries_say"], acsl.Cells(cells[:count]), head, end, count)
        holds(True, space["names_say"], acsl.Cells(names[:count]), head, end, count)
        for k, change in itertools.product(range(n), (1, -1)):
            wrong = names[:k] + [names[k] + change] + names[k + 1:]
            holds(k >= count, space["names_say"], acsl.Cells(wrong), head, end, count)
            other = cells[:k] + [altered(cells[k], end=cells[k].end + change)] + cells[k + 1:]
            holds(k >= count, space["entries_say"], acsl.Cells(other), head, end, count)
            holds(k >= count or count > 2, space["tensors_kept"], acsl.Cells(other), 2, head, end, count)
    for count, spare in itertools.product(range(m + 1), (0, 1, 2)):
        holds(True, space["keys_say"], acsl.Cells(keys[:count]), head, end, count)
        stop = count + spare
        array = [7] * spare + values[:count][::-1]
        holds(True, space["values_say"], acsl.Cells(array), stop, head, end, count)
        for k, change in itertools.product(range(m), (1, -1)):
            wrong = keys[:k] + [keys[k] + change] + keys[k + 1:]
            holds(k >= count, space["keys_say"], acsl.Cells(wrong), head, end, count)
            if k < count:
                wrong = array[:stop - 1 - k] + [array[stop - 1 - k] + change] + array[stop - k:]
                holds(False, space["values_say"], acsl.Cells(wrong), stop, head, end, count)
        for keep in (-1, 0, 1, 2):
            room = (2 if keep == 1 else 1) * count + spare
            full = keys[:count] + [7] * spare + (values[:count][::-1] if keep == 1 else [])
            for name in ("pairs_say", "pairs_kept"):
                holds(True, space[name], acsl.Cells(full), room, keep, head, end, count)
                for k in range(room):
                    used = keep in (0, 1) and (k < count or keep == 1 and k >= room - count)
                    wrong = full[:k] + [full[k] + 1] + full[k + 1:]
                    holds(not used, space[name], acsl.Cells(wrong), room, keep, head, end, count)
    for low, high, at, value in itertools.product(range(4), range(4), range(3), (8, 9, 29, 30)):
        cells = acsl.Cells([value if k == at else 9 for k in range(3)])
        if high <= 3:
            holds(not low <= at < high or 9 <= value < 30, space["texts_ok"], cells, low, high, 30)
            holds(at >= high or value < 30, space["words_below"], cells, high, 30)
            holds(at >= high or value <= 29, space["keys_inside"], cells, high, 29)


# ---- Orders ----------------------------------------------------------------------------------------------

def befores(space):
    """Tensors with the same begin, the same end, both: who comes first, and every order of three."""
    for spans in (((0, 2), (0, 1), (0, 1)), ((1, 1), (0, 1), (0, 2)), ((2, 3), (0, 2), (0, 2)), ((0, 1), (1, 1), (1,
                                                                                                                  2))):
        head = header(spans)
        end, rank = len(head), [(*span, k) for k, span in enumerate(spans)]
        acsl.forget()
        for i, j in itertools.product(range(3), repeat=2):
            holds(rank[i] < rank[j], space["tensor_before"], head, end, i, j)
        for a in itertools.product(range(4), repeat=3):
            for n in range(4):
                right = sorted(a[:n]) == list(range(n)) and all(rank[x] < rank[y] for x, y in zip(a[:n], a[1:n]))
                holds(right, space["order_says"], acsl.Cells(list(a[:n])), head, end, n)


def bytes_held(space):
    """The data section by its bytes."""
    acsl.points[:] = range(-1, 6)
    for spans in (((0, 2), (1, 3), (2, 2)), ((0, 1), (1, 3), (2, 2)), ((1, 2), (0, 1), (0, 0)), ((0, 3), (3, 3), (1,
                                                                                                                  1)),
                  ((2, 3), (2, 2), (0, 2))):
        head = header(spans)
        end = len(head)
        acsl.forget()
        for n in range(4):
            mine = spans[:n]
            inside = [[b <= p < x for b, x in mine] for p in range(-1, 5)]
            for p in range(-1, 5):
                row = inside[p + 1]
                holds(any(row), space["held"], head, end, n, p)
                holds(sum(row) > 1, space["shared"], head, end, n, p)
                holds(all(sum(inside[q + 1]) == 1 for q in range(p)), space["sound_below"], head, end, n, p)
                holds(all(x <= p for _, x in mine), space["data_there"], head, end, n, p)
                empty = any(b == x == p and any(c < p < y for c, y in mine) for b, x in mine)
                holds(empty, space["empty_inside"], head, end, n, p)
                for i in range(n):
                    holds(row[i], space["holds"], head, end, i, p)
            data_judged(space, head, end, mine)
    acsl.points[:] = []


def data_judged(space, head, end, spans):
    """What stage G says of these tensors and any size of data: each rule at each byte, and that none is broken."""
    def held(p):
        return sum(b <= p < x for b, x in spans)

    def empty(p):
        return any(b == x == p and any(c < p < y for c, y in spans) for b, x in spans)

    for size in range(5):
        there, sound = all(x <= size for _, x in spans), all(held(q) == 1 for q in range(size))
        for p in range(-2, 7):
            first = there and 0 <= p < size and all(held(q) == 1 for q in range(p))
            right = {"truncated": not there and p == size, "overlap": first and held(p) > 1,
                     "hole": first and held(p) == 0,
                     "empty_inside": there and sound and empty(p) and not any(map(empty, range(-2, p)))}
            for name, said in right.items():
                holds(said, space["judged_data"], head, end, len(spans), size, CODES[name], end + p)
            for code in (CODES["truncated"] - 1, CODES["empty_inside"] + 1):
                holds(False, space["judged_data"], head, end, len(spans), size, code, end + p)
        holds(there and sound and not any(map(empty, range(-2, 7))), space["whole"], head, end, 0, len(spans), size)


# ---- Dims ------------------------------------------------------------------------------------------------

def dims(space):
    """What a cursor meets, from every place of small arrays."""
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
            cursor(space, b, at, end)
        close = step(lambda: Reader(b, end, at).shape() and 0) if at < end and b[at] == 91 else 1
        if at >= end or b[at] == 91:
            holds(at < end and close == 0, space["shape_judged"], b, at, end)
    holds(False, space["shape_judged"], b"[]", -1, 2)


def cursor(space, b, at, end):
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


# ---- The view --------------------------------------------------------------------------------------------

def readable(space):
    """Each array is there from its first cell to its last."""
    sizes = dict(entry=2, order=2, name=2, name_slot=4, key=1, key_slot=2, value=1, head=10)
    for field, size in sizes.items():
        for there, at in ((size, 0), (size - 1, 0), (size, -1), (size + 1, 0)):
            cells = {name: acsl.Cells([0] * count) for name, count in sizes.items()}
            cells[field] = acsl.Cells([0] * there, at)
            v = Box(tensors=2, pairs=1, data_begin=10, **cells)
            holds(at == 0 and there >= size, space["readable_view"], one(v))
    holds(False, space["readable_view"], acsl.Cells([]))
    none = {name: acsl.Cells([]) for name in (*POINTERS, "head")}
    holds(True, space["readable_view"], one(Box(tensors=0, pairs=0, data_begin=0, **none)))


def needs(space):
    """How much room a header takes, each number at its limit."""
    for head, tensors, pairs, entries, extra, keep in itertools.product(
            (9, 10, 11, 12, 13, 100000008, 100000009), (0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2), (-1, 0, 1), (0, 1)):
        count = 4 * tensors + (4 if keep else 3) * pairs
        need = Box(head=head, tensors=tensors, pairs=pairs, entries=entries, words=count + extra)
        right = 10 <= head <= 100000008 and 6 * max(tensors, pairs) <= head and entries == tensors and extra == 0
        if count + extra >= 0:
            holds(right, space["need_exact"], one(need), keep)


SECTIONS = (fields, plain, entry_limits, words, befores, bytes_held, dims, readable, needs)
