"""Compare the logic of entries and of the view with the model: packed entries, words, orders, what is kept
between calls.

    views(space, ...), entries(space, ...), for section in SECTIONS: section(space)    raise Wrong

Each predicate must hold for what the model reports, and must not hold when one field is altered.
"""
import itertools

import acsl
import model
from questions import Box, NONE, altered, equal, gives, holds, in_place, one
from texts_and_tokens import Long, character, shared, text
from tensors_and_header import DTYPES, FIRST_TENSOR, META, TENSOR_BACK, TWO_PAIRS, WORDS, header, headers, of

ROOTS = ("tensor_says", "text_behind", "entries_ok", "entries_say", "entry_ok", "entry_says", "in_data",
         "in_header", "need_exact", "need_bounded", "bound_met", "shape_judged", "stored", "tables_judged", "unpacked",
         "valid_entry", "valid_view", "view_finds", "view_says", "view_fields", "view_kept", "word_apart",
         "object_dtype", "object_shape", "object_rank",
         "tensor_name_end", "tensor_object", "tensor_begin", "tensor_finish", "entry_name", "entry_name_end",
         "packed_end", "text_plain", "entry_shape", "entry_rank", "entry_dtype", "valid_entries", "keys_say",
         "values_say", "texts_ok", "words_below", "readable_view", "keys_inside", "pairs_say", "tensors_kept",
         "pairs_kept", "plan_ok", "judge_result", "judge_workspace", "judge_room", "counts_right", "view_over",
         "input_same", "workspace_same", "head_needed", "fields_set", "has_right", "error_texts", "error_right",
         "shape_of", "dims_say", "input_judged", "input_passes", "input_valid", "frame_stops", "header_stops",
         "pairs_ok",
         "judge_input", "places", "among", "permutation", "order_fewer", "axes_laid", "axes_kept",
         "need_same", "entry_same", "entries_same", "words_same", "counted", "has_escape",
         "word_of", "is_metadata", "dtype_named", "member_named", "packed_text", "words_judged", "words_say",
         "judge_memory", "distinct", "listed_at", "listed_value", "listed_before",
         "listed_common", "listed_same", "listed_differ", "block", "listed_order", "names_order",
         "cursor_value", "cursor_ok", "listed_cursor")


# ---- Entries and view of any file -----------------------------------------------------------------------------------

PLAIN = 1 << 63  # marks the name of an entry without escapes


def entry(space, head, end, k):
    """Return tensor k as the table has it, with a plain name marked, by the logic, which has been compared with
    the model."""
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
    """Yield entries at a limit and beyond it: (fields, whether a view may have it, whether a scan keeps it)."""
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


def texts_of(space, head, end, count, listed):
    """Return the unescaped texts of a list: the keys (0) or the names (1)."""
    return [text(space, head, space["listed_at"](head, end, listed, k), end) for k in range(count)]


def sorted_places(texts):
    return sorted(range(len(texts)), key=lambda k: (texts[k], k))


def view(space, head, end, cells, order, m, size):
    """Return the view of a valid file."""
    n = len(cells)
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in reversed(range(m))]
    return Box(head=head, entry=cells, order=order, by_name=sorted_places(texts_of(space, head, end, n, 1)), key=keys,
               by_key=sorted_places(texts_of(space, head, end, m, 0)), value=values, tensors=n, pairs=m,
               metadata=int(head[space["metadata_key"](head, end)] == 0x22), data_begin=end, data_size=size)


def words_of(v):
    """Return the words that stage G leaves: keys, the order of keys, room; the order of names, layout order, room."""
    return v.key + v.by_key + [5] * 5 * v.pairs + v.by_name + v.order + [5] * 4 * v.tensors


ARRAYS = ("entry", "order", "by_name", "key", "by_key", "value")


def whole_view(v, **fields):
    """Return the view as the logic reads it: arrays become pointers."""
    record = altered(v, **fields)
    return one(altered(record, **{name: acsl.Cells(getattr(record, name)) for name in ARRAYS}))


def views(space, v):
    """The view of the header satisfies the predicates, and no altered one does."""
    for name in ("view_says", "view_finds", "valid_view"):
        holds(True, space[name], whole_view(v))
    for field in ("tensors", "pairs", "metadata"):
        for step in (1, -1):
            holds(False, space["view_says"], whole_view(v, **{field: getattr(v, field) + step}))
    for name in ("order", "key", "value"):
        for k in range(len(getattr(v, name))):
            for step in (1, -1):
                other = list(getattr(v, name))
                other[k] += step
                holds(False, space["view_says"], whole_view(v, **{name: other}))
    for name, count in (("by_name", v.tensors), ("by_key", v.pairs)):
        right = getattr(v, name)
        for k, wrong in itertools.product(range(count), range(-1, count + 2)):
            other = right[:k] + [wrong] + right[k + 1:]
            holds(other == right, space["view_finds"], whole_view(v, **{name: other}))
            if wrong >= 0:
                holds(wrong < count, space["valid_view"], whole_view(v, **{name: other}))
        for other in itertools.permutations(right) if count <= 3 else ():
            holds(list(other) == right, space["view_finds"], whole_view(v, **{name: list(other)}))
    for k in range(v.pairs):
        for at in (0, 1):
            other = v.key[:k] + [v.data_begin + at] + v.key[k + 1:]
            holds(at == 0, space["valid_view"], whole_view(v, key=other))
    for fields, right in limits(v):
        holds(right, space["valid_view"], whole_view(v, **fields))


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
    """What is returned for tensor k."""
    e, v_ = v.entry[k], whole_view(v)
    t = Box(index=k, begin=v.data_begin + e.begin, end=v.data_begin + e.end, dtype=e.shape >> 59,
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


# ---- Entries and words, one by one ----------------------------------------------------------------------------------

def fields_of_entry(space):
    """An entry unpacked: each part separately, small and at its maximum."""
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


def names_plain(space):
    """Every text of three bytes, between all positions."""
    for text, at, close in itertools.product(itertools.product(b'a!"\\', repeat=3), range(3), range(3)):
        right = text[close] == ord('"') and not set(text[at:close]) & set(b'"\\')
        holds(right, space["text_plain"], bytes(text), at, close)


RIGHT = Box(begin=2, end=4, name=9 | 5 << 32, shape=20 | 1 << 32 | 3 << 59)


def entry_limits(space):
    """Each bound of an entry, met and exceeded; each element of an array, right and wrong."""
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


def words_of_view(space):
    """Arrays of words as the header has them, right and wrong at each element, and no longer than stated."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, m, n = len(head), 2, 3
    acsl.forget()
    cells = [entry(space, head, end, k) for k in range(n)]
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in range(m)]
    for count in range(n + 1):
        holds(True, space["entries_say"], acsl.Cells(cells[:count]), head, end, count)
        for k, change in itertools.product(range(n), (1, -1)):
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
        room = 2 * count + spare
        full = keys[:count] + array
        for name in ("pairs_say", "pairs_kept"):
            holds(True, space[name], acsl.Cells(full), room, head, end, count)
            for k in range(room):
                wrong = full[:k] + [full[k] + 1] + full[k + 1:]
                holds(count <= k < room - count, space[name], acsl.Cells(wrong), room, head, end, count)
            if count:
                holds(True, space[name], acsl.Cells([7] * room), 2 * count - 1, head, end, count)
    for low, high, at, value in itertools.product(range(4), range(4), range(3), (8, 9, 29, 30)):
        cells = acsl.Cells([value if k == at else 9 for k in range(3)])
        if high <= 3:
            holds(not low <= at < high or 9 <= value < 30, space["texts_ok"], cells, low, high, 30)
            holds(at >= high or value < 30, space["words_below"], cells, high, 30)
            holds(at >= high or value <= 29, space["keys_inside"], cells, high, 29)


def readable(space):
    """Each array exists from its first cell to its last."""
    sizes = dict(entry=2, order=2, by_name=2, key=1, by_key=1, value=1, head=10)
    for field, size in sizes.items():
        for there, at in ((size, 0), (size - 1, 0), (size, -1), (size + 1, 0)):
            cells = {name: acsl.Cells([0] * count) for name, count in sizes.items()}
            cells[field] = acsl.Cells([0] * there, at)
            v = Box(tensors=2, pairs=1, data_begin=10, **cells)
            holds(at == 0 and there >= size, space["readable_view"], one(v))
    holds(False, space["readable_view"], acsl.Cells([]))
    none = {name: acsl.Cells([]) for name in (*ARRAYS, "head")}
    holds(True, space["readable_view"], one(Box(tensors=0, pairs=0, data_begin=0, **none)))


def needs_of_header(space):
    """How much space a header needs, each number at its limit."""
    for head, tensors, pairs, entries, extra, keep in itertools.product(
            (9, 10, 13, 14, 19, 20, 39, 40, 45, 46, 100000008, 100000009), (0, 1, 2), (0, 1, 2), (0, 1, 2), (-1, 0, 1),
            (0, 1)):
        count = 6 * tensors + (8 if keep else 7) * pairs
        need = Box(head=head, tensors=tensors, pairs=pairs, entries=entries, words=count + extra)
        right = 10 <= head <= 100000008 and 8 + 32 * tensors + 6 * pairs <= head and entries == tensors and extra == 0
        if count + extra >= 0:
            holds(right, space["need_exact"], one(need), keep)
    for length in (0, 2, 3, 31, 32, 33, 95, 96, 99999999, 100000000):
        entries, words = length // 32, length + length // 3
        for step in (-1, 0, 1):
            holds(step >= 0, space["bound_met"], entries + step, words, length)
            holds(step >= 0, space["bound_met"], entries, words + step, length)
        bound = Box(head=8 + length, tensors=entries, pairs=length // 4, entries=entries, words=words)
        for field in ("tensors", "pairs", "entries", "words"):
            for step in (-1, 0, 1):
                given = altered(bound, **{field: getattr(bound, field) + step})
                holds(step <= 0, space["need_bounded"], one(given))


# ---- Arrays, tables, two states, memory -----------------------------------------------------------------------------

def arrays_of_numbers(space):
    """Predicates on a[lo .. hi), over all small arrays."""
    for a in itertools.product(range(4), repeat=3):
        cells = acsl.Cells(list(a))
        for n in range(4):
            for limit in range(6):
                gives(len([x for x in a[:n] if x < limit]), space["order_fewer"], cells, n, limit)
            holds(len(set(a[:n])) == n, space["distinct"], cells, n)
            holds(sorted(a[:n]) == list(range(n)), space["permutation"], cells, n)
            for limit in range(5):
                holds(all(x < limit for x in a[:n]), space["words_below"], cells, n, limit)
                holds(all(x <= limit for x in a[:n]), space["keys_inside"], cells, n, limit)
    for a in itertools.product(range(3), repeat=3):
        for lo, hi, n in itertools.product(range(4), range(4), range(4)):
            holds(all(x < n for x in a[lo:hi]), space["places"], acsl.Cells(list(a)), lo, hi, n)
            holds(n in a[lo:hi], space["among"], acsl.Cells(list(a)), lo, hi, n)
            holds(lo >= hi or sorted(a[lo:hi]) == list(range(lo, hi)), space["block"], acsl.Cells(list(a)), lo, hi) \
                if hi < 4 else None
    for a in itertools.product((8, 9, 10, 11), repeat=2):
        for lo, hi, end in itertools.product(range(3), range(3), (10, 11)):
            holds(all(9 <= x < end for x in a[lo:hi]), space["texts_ok"], acsl.Cells(list(a)), lo, hi, end)


LISTED = (b'{"__metadata__":{"b":"","\\u0061":"","ab":"","\xc3\xa9":"","\\ud83d\\ude00x":"","":""},%s}' % b",".join(
    b'"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % name
    for name in (b"\\u00e9b", b"ab\\n", b"ab", b"\\/", b"\xf0\x9f\x98\x80", b"aB", b"\xc3\xa9", b"\\u0061b")),
          b'{"__metadata__":{"b":"","\\u0062":"","a":"","b":""},"x":%s,"\\u0078":%s,"xy":%s}' % (
              (b'{"dtype":"U8","shape":[0],"data_offsets":[0,0]}',) * 3))


def lists_of_texts(space):
    """Keys and names: their order, what they share, where each of their bytes is."""
    for whole in LISTED:
        head = of(whole)
        end = len(head)
        acsl.forget()
        for listed, count in ((0, whole.split(b"}")[0].count(b'":"')), (1, whole.count(b"dtype"))):
            texts = texts_of(space, head, end, count, listed)
            for k, said in enumerate(texts):
                at = space["pair_key" if listed == 0 else "tensor_key"](head, end, k) + 1
                gives(at, space["listed_at"], head, end, listed, k)
                gives(space["text_value"](head, at, end), space["listed_value"], head, end, listed, k)
                cursors_of(space, head, end, listed, k, said)
            for i, j in itertools.product(range(count), repeat=2):
                a, b = texts[i], texts[j]
                holds((a, i) < (b, j), space["listed_before"], head, end, listed, i, j)
                for k in range(-1, 5):
                    holds(0 <= k <= shared(a, b), space["listed_same"], head, end, listed, i, j, k)
                    holds(k == shared(a, b), space["listed_common"], head, end, listed, i, j, k)
            right = sorted_places(texts)
            for n in range(count + 1):
                holds(len(set(texts[:n])) == n, space["listed_differ"], head, end, listed, n)
                among = sorted_places(texts[:n])
                holds(True, space["names_order"], head, end, listed, acsl.Cells(among), n)
                for k, wrong in itertools.product(range(n), range(count)):
                    other = among[:k] + [wrong] + among[k + 1:]
                    holds(other == among, space["names_order"], head, end, listed, acsl.Cells(other), n)
                    ordered = all((texts[x], x) < (texts[y], y) for x, y in zip(other, other[1:]))
                    holds(ordered, space["listed_order"], head, end, listed, acsl.Cells(other), n)
            for k in range(count - 1):
                other = right[:k] + [right[k + 1], right[k]] + right[k + 2:]
                holds(False, space["listed_order"], head, end, listed, acsl.Cells(other), count)
                holds(False, space["names_order"], head, end, listed, acsl.Cells(other), count)


def cursors_of(space, head, end, listed, k, said):
    """Each cursor from a text's quote to its closing one: those at its bytes, and the others."""
    first = space["listed_at"](head, end, listed, k)
    close = space["text_end"](head, first, end)
    places, at = [], first
    while at < close:
        code, after = character(head, at, end) if head[at] == 0x5C else (0, at + 1)
        places += [4 * at + byte for byte in range(len(chr(code).encode()))]
        at = after
    places.append(4 * close)
    equal(len(places), len(said) + 1, "the bytes of a text")
    for byte, cursor in enumerate(places):
        holds(True, space["cursor_ok"], head, cursor, end)
        tail = 0
        for x in reversed(said[byte:]):
            tail = 1 + x + 257 * tail
        gives(tail, space["cursor_value"], head, cursor, end)
        holds(True, space["listed_cursor"], head, end, listed, k, byte, cursor)
        for wrong in (byte - 1, byte + 1):
            if byte < len(said) or wrong < byte:
                holds(False, space["listed_cursor"], head, end, listed, k, wrong, cursor)
    for cursor in range(4 * first, 4 * close + 1):
        if cursor % 4 and cursor not in places and cursor // 4 * 4 in places:
            holds(False, space["cursor_ok"], head, cursor, end)
    for cursor, right in ((4 * end, True), (4 * end + 1, False), (4 * end + 4, False)):
        holds(right, space["cursor_ok"], head, cursor, end)


SAME = {"need_same": ("tensors", "pairs", "entries", "words"),
        "input_same": ("head", "head_size", "file_size"), "workspace_same": ("entry", "entries", "word", "words"),
        "entry_same": ("begin", "end", "name", "shape"), "entries_same": ("begin", "end", "name", "shape"),
        "view_fields": ("tensors", "pairs", "metadata", "data_begin", "data_size"),
        "axes_kept": ("start", "stop", "step"), "axes_laid": ("dim", "span", "jump")}


def states_kept(space):
    """Predicates that state that something is unchanged."""
    for name, fields in SAME.items():
        old = Box(**{field: 5 for field in fields}, other=1)
        many = name in ("entries_same", "axes_kept", "axes_laid")
        holds(True, space[name], acsl.Cells([altered(old, other=2)], 0, [old]), *([1] if many else []))
        for field in fields:
            new = altered(old, **{field: 6})
            holds(False, space[name], acsl.Cells([new], 0, [old]), *([1] if many else []))
            if many:
                for n in range(4):
                    holds(n < 3, space[name], acsl.Cells([old, old, new], 0, [old] * 3), n)
    for k, low, high in itertools.product(range(4), repeat=3):
        new = [0, 0, 0, 0]
        new[k] = 1
        holds(not low <= k < high, space["words_same"], acsl.Cells(new, 0, [0] * 4), low, high)


def memory_of_the_caller(space):
    """What may be read and written, and is separate."""
    entry, word = acsl.Cells([0] * 3), acsl.Cells([0] * 5)
    work = one(Box(entry=entry, entries=3, word=word, words=5))
    result, options = one(Box()), one(Box())
    head, none = acsl.Cells([0] * 4), acsl.Cells([])
    call = one(Box(head=head, head_size=4, file_size=9))
    for size in (0, 4, 5):
        for chosen in (None, options):
            holds(size <= 4, space["judge_input"], one(Box(head=bytes(4), head_size=size)), chosen)
    holds(False, space["judge_input"], one(Box(head=bytes(4), head_size=4)), none)
    holds(False, space["judge_input"], none, options)
    for chosen in (None, options):
        holds(True, space["judge_result"], result, call, chosen)
    for part in (call, options, head, head + 3, none):
        holds(False, space["judge_result"], part, call, options)
    for entries, words in itertools.product((0, 2, 3, 4), (0, 4, 5, 6)):
        given = one(Box(entry=entry, entries=entries, word=word, words=words))
        holds(entries <= 3 and words <= 5, space["judge_workspace"], given)
        found = one(Box())
        plan = Box(entry=entry, entries=entries, word=word, words=words)
        holds(entries <= 3 and words <= 5, space["plan_ok"], plan, found)
    holds(True, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5), result)
    parts = [work, entry, entry + 2, word, word + 4]
    both = one(Box(entry=entry, entries=3, word=entry, words=1))
    holds(False, space["judge_workspace"], both)
    itself = Box(entries=1, word=word, words=5)
    itself.entry = one(itself)
    holds(False, space["judge_workspace"], itself.entry)
    for part in parts:
        holds(False, space["judge_room"], work, part)
    for part in parts[1:]:
        holds(False, space["judge_memory"], call, part, work)
        holds(False, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5), part)
    holds(False, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5), none)
    holds(True, space["judge_room"], work, result)
    holds(True, space["judge_memory"], call, options, work)
    holds(True, space["judge_memory"], call, work, work)
    for metadata, tensors, pairs, spare in itertools.product((0, 1, 2), (0, 1, 2), (0, 1, 2), (-1, 0, 1)):
        found = one(Box(metadata=metadata, tensors=tensors, pairs=pairs))
        holds(metadata <= 1 and spare >= 0, space["counted"], found, 8 + 32 * tensors + 6 * pairs + spare)
    for words in itertools.product((8, 9, 19, 20), repeat=2):
        for n in range(4):
            used = [*words[:n], *(words[2 - n:] if n else ())]
            right = 2 * n > 2 or all(9 <= x < 20 for x in used)
            holds(right, space["pairs_ok"], acsl.Cells(list(words)), 2, n, 20)


# ---- Entries, words and states that differ by one -------------------------------------------------------------------

def entries_kept(space):
    """Entries and words of each size, right and wrong."""
    for head, _, members in headers():
        end, tensors = len(head), [member for member in members if member != TWO_PAIRS]
        cells = [entry(space, head, end, k) for k in range(len(tensors))]
        for room, n in itertools.product(range(4), range(len(tensors) + 1)):
            right = TENSOR_BACK not in tensors[:n]
            holds(n > room or right, space["tensors_kept"], acsl.Cells(cells), room, head, end, n)
            for k in range(n):
                wrong = cells[:k] + [altered(cells[k], end=cells[k].end + 2)] + cells[k + 1:]
                holds(n > room, space["tensors_kept"], acsl.Cells(wrong), room, head, end, n)
        if TWO_PAIRS in members:
            at = head.index(TWO_PAIRS)
            first = [at + TWO_PAIRS.index(quoted) + 1 for quoted in (b'"k"', b'"l"')]
            last = [at + TWO_PAIRS.index(quoted) + 1 for quoted in (b'"v"', b'"w"')]
            for room, m in itertools.product(range(7), range(3)):
                whole = [*first[:m], *[99] * (room - 2 * m), *last[:m][::-1]]
                fits = 2 * m <= room
                words = whole if fits else [99] * room
                holds(True, space["pairs_kept"], acsl.Cells(words), room, head, end, m)
                for k, step in itertools.product(range(room), (1, -1)):
                    used = k < m or k >= room - m
                    wrong = words[:k] + [words[k] + step] + words[k + 1:]
                    holds(not (fits and used), space["pairs_kept"], acsl.Cells(wrong), room, head, end, m)
    acsl.forget()
    head = (2).to_bytes(8, "little") + b"{}"  # what follows its } is no key
    holds(False, space["pairs_kept"], acsl.Cells([10, 10]), 2, head, 10, 1)
    holds(True, space["pairs_kept"], acsl.Cells([10, 10]), 1, head, 10, 1)


def words_of_keys(space):
    """Texts between all positions, as packed words: keywords and dtypes, plain and escaped, too long, not ASCII."""
    plain = [*WORDS.values(), *(row["name"].encode() for row in DTYPES), b"", b"zzzzzzzzzzzz", b"abcdefghijkl"]
    plain += [b"abcdefghijklm", b"data_offsett", b"U\x00", b"\x7f", b"a\x80", b"\xc2\x80b", b"\\u0041\\u007f",
              b"\\u0080\\"]
    plain += [b"\\u%04x%s" % (text[0], text[1:]) for text in (b"U8", b"F8_E4M3FNUZ", b"dtype", b"__metadata__")]
    plain += [b"U\\u0038", b"shap\\u0065", b"data_offset\\u0073", b"F8_E5M2FNU\\u005a", b"__metadata_\\u005f"]
    codes_of = {row["name"].encode(): int(row["code"]) for row in DTYPES}
    for text, around in itertools.product(plain, (b"aa", b"\\\xff")):
        acsl.forget()
        b, whole = around[:1] + text + around[1:], len(text) + 1
        for at, end in {(1, whole), (0, whole), (1, whole + 1), (1, whole - 1), (2, whole), (whole, whole), (2, 1)}:
            said, place = bytearray(), at
            while place < end and len(said) < 13 and said[-1:] != b"\xff":
                code, place = character(b, place, end)
                said.append(code if code < 128 else 255)
            wrong = len(said) == 13 or said[-1:] == b"\xff"
            number = -1 if wrong else int.from_bytes(said, "little")
            name = b"" if wrong else bytes(said)
            gives(number, space["word_of"], b, at, end)
            if len(said) < 12:
                gives(-1 if wrong else 7 + 256 * number, space["packed_text"], b, at, end, 256, 7)
            gives(int(b"\\" in b[at:end]), space["has_escape"], b, at, end)
            gives(int(name == b"__metadata__"), space["is_metadata"], b, at, end)
            gives(codes_of.get(name, 0), space["dtype_named"], b, at, end)
            member = {b"dtype": 1, b"shape": 2, b"data_offsets": 4}.get(name, 0)
            gives(member, space["member_named"], b, at, end)


def states_less(space):
    """What has become less is not unchanged."""
    for name, fields in SAME.items():
        old = Box(**{field: 5 for field in fields})
        for field, value in itertools.product(fields, (4, 6)):
            new = altered(old, **{field: value})
            many = name in ("entries_same", "axes_kept", "axes_laid")
            holds(False, space[name], acsl.Cells([new], 0, [old]), *([1] if many else []))
    for k, low, high, value in itertools.product(range(4), range(4), range(5), (-1, 1)):
        words = [0] * 4
        words[k] = value
        holds(not low <= k < high, space["words_same"], acsl.Cells(words, 0, [0] * 4), low, high)


# ---- What a valid view is -------------------------------------------------------------------------------------------

ENTRY_OF_VIEW = altered(RIGHT, name=9 | 5 << 32, shape=20 | 1 << 32 | 3 << 59)
VIEW = Box(head=bytes(40), entry=[ENTRY_OF_VIEW, ENTRY_OF_VIEW], order=[1, 0], by_name=[0, 1],
           key=[9], by_key=[0], value=[20], tensors=2, pairs=1, metadata=1, data_begin=40,
           data_size=6)
EMPTY_VIEW = dict(tensors=0, pairs=0, entry=[], order=[], by_name=[], key=[], by_key=[], value=[])


def views_kept(space):
    """A view is kept if its numbers are the same, and each of the three predicates that held still holds."""
    names = ("valid_view", "view_says", "view_finds")
    for known in itertools.product((False, True), repeat=6):
        numbers = Box(tensors=2, pairs=1, metadata=1, data_begin=40, data_size=6)
        right = all(new or not old for new, old in zip(known[:3], known[3:]))
        with in_place(space, {name: lambda v, new=new, old=old: old if acsl.state == ["old"] else new
                              for name, new, old in zip(names, known[:3], known[3:])}):
            holds(right, space["view_kept"], acsl.Cells([numbers], 0, [numbers]))
            holds(False, space["view_kept"], acsl.Cells([altered(numbers, pairs=2)], 0, [numbers]))
    for name in ("order", "by_name", "key", "by_key", "value"):
        cells = {other: acsl.Cells([0, 0, 0]) for other in ("order", "by_name", "key", "by_key", "value")}
        many = 2 if name in ("order", "by_name") else 1
        view = one(Box(tensors=2, pairs=1, **cells))
        for at in range(3):
            holds(at >= many, space["word_apart"], cells[name] + at, view)


def bounds_of_view(space):
    """Each number at its bound and beyond it, at each position."""
    holds(True, space["valid_view"], whole_view(VIEW))
    wrong = {"order": (2, 1), "by_name": (2, 1), "by_key": (1, 0), "key": (41, 40), "value": (41, 40),
             "entry": (altered(ENTRY_OF_VIEW, end=7), altered(ENTRY_OF_VIEW, end=6))}
    for field, (beyond, at_most) in wrong.items():
        for k in range(len(getattr(VIEW, field))):
            for value, right in ((beyond, False), (at_most, True)):
                array = list(getattr(VIEW, field))
                array[k] = value
                holds(right, space["valid_view"], whole_view(VIEW, **{field: array}))
    for name, right in ((9 | 31 << 32, True), (9 | 32 << 32, False)):
        holds(right, space["valid_view"], whole_view(VIEW, entry=[ENTRY_OF_VIEW, altered(ENTRY_OF_VIEW, name=name)]))
    for size, right in ((9, False), (10, True), (100000007, True), (100000008, True), (100000009, False)):
        v = whole_view(VIEW, **EMPTY_VIEW, data_begin=size, head=Long(size))
        holds(right, space["valid_view"], v)
    for size, right in ((NONE - 40, True), (NONE - 39, False)):
        holds(right, space["valid_view"], whole_view(VIEW, **EMPTY_VIEW, data_size=size))


def one_pair(space):
    """One pair, one tensor; another header length; an entry whose name is a byte longer or shorter."""
    head = header([(0, 1)], b'"__metadata__":{"k":"v"}')
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [1, 1], list(range(8))
    cells = [entry(space, head, end, 0)]
    v = view(space, head, end, cells, [0], 1, 1)
    views(space, v)
    for change in (1, -1):
        other = bytes([head[0] + change]) + head[1:]
        holds(False, space["view_says"], whole_view(v, head=other))
        name = cells[0].name % PLAIN - change + (change << 32)
        holds(False, space["entry_says"], one(altered(cells[0], name=name)), head, end, 0)
    holds(False, space["shape_judged"], b"]x", -1, 2)
    acsl.counts[:], acsl.points[:] = [0, 0], []


# ---- Views whose parts disagree -------------------------------------------------------------------------------------

EMPTY_OBJECT = b'{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'


def views_again(space):
    """A view of three tensors and two pairs; views with other names, other keys, another last entry."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, m, n, size = len(head), 2, 3, 2
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [m, n], list(range(14))
    cells = [entry(space, head, end, k) for k in range(n)]
    v = view(space, head, end, cells, [0, 1, 2], m, size)
    views(space, v)
    for k in range(n):
        wrong = v.entry[:k] + [altered(v.entry[k], end=v.entry[k].end + 1)] + v.entry[k + 1:]
        holds(False, space["view_says"], whole_view(v, entry=wrong))
    other = bytes([head[0] + 1]) + head[1:]
    holds(False, space["view_says"], whole_view(v, head=other))
    t = Box(begin=end, end=end)
    for begin, finish in itertools.product(range(end - 1, end + 4), repeat=2):
        holds(end <= begin <= finish <= end + 2, space["in_data"], one(altered(t, begin=begin, end=finish)),
              whole_view(v))
    words = words_of(v)
    holds(True, space["words_judged"], acsl.Cells(words), m, n, end)
    holds(True, space["words_say"], acsl.Cells(words), m, n, head, end)
    for k in range(len(words)):
        used, most = kind_of_word(k, m, n, end)
        for wrong in (0, m - 1, m, n - 1, n, end, end + 1, 1 << 24):
            other = acsl.Cells(words[:k] + [wrong] + words[k + 1:])
            holds(not used or wrong <= most, space["words_judged"], other, m, n, end)
            holds(not used or wrong == words[k], space["words_say"], other, m, n, head, end)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    for text in (b'{"a":%s,"\\u0061":%s}' % (EMPTY_OBJECT, EMPTY_OBJECT), b'{"__metadata__":{"k":"","\\u006b":""}}'):
        names_twice(space, len(text).to_bytes(8, "little") + text)
    acsl.forget()


def kind_of_word(k, m, n, end):
    """Return whether the view has a word of those that stage G leaves, and the largest that it may be."""
    if k < 2 * m:
        return True, end if k < m else m - 1
    return 7 * m <= k < 7 * m + 2 * n, n - 1


def names_twice(space, head):
    """Equal names or keys: everything else is right."""
    acsl.forget()
    end = len(head)
    m, n = head.count(b':""'), head.count(b"dtype")
    acsl.counts[:], acsl.points[:] = [m, n], list(range(8))
    cells = [entry(space, head, end, k) for k in range(n)]
    v = view(space, head, end, cells, list(range(n)), m, 0)
    holds(True, space["view_says"], whole_view(v))
    holds(False, space["view_finds"], whole_view(v))


# ---- Metadata that is cut short -------------------------------------------------------------------------------------

def metadata_cut(space):
    """What is kept of metadata that is cut: keys and values begin before the end, or keys at it."""
    text = b'{"__metadata__":{"k":"v"}'
    first, value = text.index(b'"k') + 9, text.index(b'"v') + 9
    for length in range(first - 8, len(text) + 1):
        acsl.forget()
        acsl.points[:], acsl.counts[:] = range(4), [1, 0]
        head = of(text[:length]) + text[length:] + b" " * 9
        end = 8 + length
        holds(value < end, space["pairs_kept"], acsl.Cells([first, value]), 2, head, end, 1)
        front = [first, 0, *[5] * 5]
        for keep in (0, 1):
            words = front + [value] * keep
            right = keep == 0 or value < end
            args = len(words), keep, head, end, 1, 0, 0
            holds(right, space["tables_judged"], acsl.Cells([]), acsl.Cells(words), *args)
    acsl.points[:], acsl.counts[:] = [], [0, 0]
    head = of(b'{"__metadata__":{}}":%s,%s}' % (FIRST_TENSOR[4:], FIRST_TENSOR))  # it continues after the root's }
    acsl.forget()
    key = head.rindex(b'"a"')
    for n in range(3):
        holds(False, space["table_before"], head, len(head), key, n, 1, 0)
        holds(n == 0, space["table_before"], head, len(head), 9, n, 1, 0)


# ---- Errors, counts and the view over a workspace --------------------------------------------------------------------

def errors(space):
    """Which fields each status sets, as the columns of the tables say; where the texts of an error are."""
    columns = {int(row["code"]): row for row in [*model.RULES.values(), *model.STATUSES.values()]}
    for status in range(64):
        row = columns.get(status, {})
        bits = sum(bit for field, bit in (("offset", 1), ("expected", 8), ("found", 16)) if row.get(field))
        gives(bits, space["fields_set"], status)
        for tensor, other, more in ((NONE, NONE, 0), (3, NONE, 2), (NONE, 0, 4), (NONE - 1, 7, 6)):
            for has in {bits + more, bits + more + 1, more, bits}:
                error = Box(status=status, tensor=tensor, other=other, has=has, name=Box(at=0, end=0),
                            other_name=Box(at=0, end=0))
                holds(has == bits + more, space["has_right"], one(error))
                holds(has == bits + more, space["error_right"], one(error), 0)
    for at, end, low, high in itertools.product(range(4), repeat=4):
        error = Box(status=0, tensor=NONE, other=NONE, has=0, name=Box(at=at, end=end),
                    other_name=Box(at=low, end=high))
        right = at <= end <= 2 and low <= high <= 2
        holds(right, space["error_texts"], one(error), 2)
        holds(right, space["error_right"], one(error), 2)


def counts_and_views(space):
    """The counts of two headers, and each of their fields altered; a view over a workspace."""
    for body, tensors, pairs, metadata in ((b'{"__metadata__":{"k":"v"},%s}' % FIRST_TENSOR, 1, 1, 1),
                                           (b'{%s}' % FIRST_TENSOR, 1, 0, 0), (b'{"__metadata__":{}}', 0, 0, 1)):
        head = of(body)
        acsl.forget()
        right = Box(end=len(head), tensors=tensors, pairs=pairs, metadata=metadata)
        holds(True, space["counts_right"], right, head)
        for field in ("end", "tensors", "pairs", "metadata"):
            for step in (-1, 1):
                wrong = altered(right, **{field: getattr(right, field) + step})
                if min(vars(wrong).values()) >= 0:
                    holds(False, space["counts_right"], wrong, head)
    head, entry, word = acsl.Cells([0] * 40), acsl.Cells([Box()] * 3), acsl.Cells([0] * 30)
    counts, work = Box(end=40, tensors=2, pairs=1, metadata=1), one(Box(entry=entry, entries=3, word=word, words=22))
    view = Box(head=head, data_begin=40, data_size=6, tensors=2, pairs=1, metadata=1, entry=entry, by_name=word + 7,
               order=word + 9, key=word, by_key=word + 1, value=word + 21)
    holds(True, space["view_over"], one(view), head, counts, 6, work)
    for field, value in vars(view).items():
        holds(False, space["view_over"], one(altered(view, **{field: value + 1})), head, counts, 6, work)


def calls_of_the_judgement(space):
    """What an input says is what its members say; how many bytes of the head are needed."""
    none = dict.fromkeys(("max_header", "max_tensors", "max_rank", "max_name", "max_metadata"), NONE)
    limits, other = one(Box(api=1, relax=0, **none)), one(Box(api=2, relax=0, **none))
    for text in b'{%s}' % FIRST_TENSOR, b'{"a":1}':
        acsl.forget()
        calls_of_a_head(space, of(text), limits, other)


def calls_of_a_head(space, head, limits, other):
    sizes, file_sizes = (0, 7, 8, len(head) - 1, len(head)), (7, len(head) - 1, len(head), len(head) + 4)
    for size, file_size in itertools.product(sizes, file_sizes):
        given = one(Box(head=head, head_size=size, file_size=file_size))
        for options in (None, limits, other):
            judged = space["head_judged"](head, size, file_size, options)
            gives(judged, space["input_judged"], given, options)
            holds(judged == 0 and options is not other, space["input_passes"], given, options)
            holds(bool(space["valid"](head, size, file_size, options)), space["input_valid"], given, options)
            framed = space["frame_judged"](head, size, file_size, NONE)
            holds(framed != 0 and options is not other, space["frame_stops"], given, options)
            holds(framed == 0 != judged and options is not other, space["header_stops"], given, options)
        for needed in (7, 8, len(head) - 1, len(head), len(head) + 1):
            wanted = 8 if size < 8 else len(head)
            right = size < needed == wanted <= file_size
            holds(right, space["head_needed"], one(Box(need=Box(head=needed))), given)


# ---- Memory that overlaps, long tables ------------------------------------------------------------------------------

def memory_apart(space):
    """Writes at each position of the head and around it; a workspace before its own entries."""
    for size, written in itertools.product(range(4), range(6)):
        cells, away = [Box() for _ in range(6)], one(Box())
        head, there = acsl.Cells(cells, 1), acsl.Cells(cells, written)
        right = not 1 <= written < 1 + size
        given = one(Box(head=head, head_size=size))
        holds(right and written < 6, space["judge_result"], there, given, away)
        for count in range(3):
            apart = all(not 1 <= at < 1 + size for at in range(written, written + count)) or not size
            for fields in ({"entry": there, "entries": count, "word": away, "words": 1},
                           {"entry": away, "entries": 1, "word": there, "words": count}):
                holds(apart, space["judge_memory"], given, None, one(Box(**fields)))
    word = acsl.Cells([0] * 2)
    for own, first in itertools.product(range(4), range(4)):
        cells = [Box() for _ in range(4)]
        cells[own] = Box(entry=acsl.Cells(cells, first), entries=2, word=word, words=2)
        there = first + 2 <= len(cells)
        right = there and not first <= own < first + 2
        holds(right, space["judge_workspace"], acsl.Cells(cells, own))
    holds(False, space["judge_workspace"], acsl.Cells([]))


def words_at_end(space):
    """Keys that begin at the end; an element that does not exist; a key that is elsewhere."""
    for m, n in itertools.product((0, 1, 2), repeat=2):
        right = [9] * m + [0] * m + [31] * 5 * m + [0] * 2 * n + [31] * 4 * n
        for k, word in itertools.product(range(len(right)), (0, 1, 2, 29, 30, 31)):
            wrong = right[:k] + [word] + right[k + 1:]
            used, most = kind_of_word(k, m, n, 30)
            holds(not used or word <= most, space["words_judged"], acsl.Cells(wrong), m, n, 30)
    for names in ((b"k",), (b"k", b"l"), (b"m", b"l", b"k"), (b"e", b"a", b"b", b"c", b"d")):
        head = of(b'{"__metadata__":{%s}}' % b",".join(b'"%s":"%s"' % (name, name) for name in names))
        end, m = len(head), len(names)
        acsl.forget()
        keys = [head.index(b'"%s":' % name) + 1 for name in names]
        rest = sorted_places(names) + [5] * 5 * m
        holds(True, space["words_say"], acsl.Cells(keys + rest), m, 0, head, end)
        for k in range(m):
            wrong = keys[:k] + [keys[k] + 4] + keys[k + 1:]  # its value is equal
            holds(False, space["words_say"], acsl.Cells(wrong + rest), m, 0, head, end)
    acsl.points[:] = []
    found, none = one(Box(tensors=1, pairs=0)), acsl.Cells([])
    for shape, name in itertools.product((28, 29, 30, 31), (27, 28, 29, 30)):
        e = altered(RIGHT, shape=shape | 3 << 59, name=9 | (name - 9) << 32)
        plan = Box(entry=one(e), entries=1, word=none, words=0)
        holds(shape <= 30 and name < 30, space["stored"], plan, found, 30)


class Same:
    """An array of many cells that are all equal."""

    def __init__(self, count, value):
        self.count, self.value = count, value

    def __len__(self):
        return self.count

    def __getitem__(self, at):
        return self.value


def views_long(space):
    """The maximum numbers of tensors and pairs, and more."""
    for count in (2, *range(16777212, 16777218)):
        for fields, many in (({"tensors": count}, {"order": 1, "by_name": 1, "entry": VIEW.entry[0]}),
                             ({"pairs": count}, {"key": 9, "value": 20, "by_key": 1})):
            arrays = {name: Same(count, value) for name, value in many.items()}
            holds(count < 16777215, space["valid_view"], whole_view(VIEW, **fields, **arrays))


SECTIONS = (fields_of_entry, names_plain, entry_limits, words_of_view, readable, needs_of_header,
            arrays_of_numbers, lists_of_texts, states_kept, memory_of_the_caller, entries_kept, words_of_keys,
            states_less, views_kept, bounds_of_view, one_pair, views_again, metadata_cut, memory_apart, words_at_end,
            views_long, errors, counts_and_views, calls_of_the_judgement)
