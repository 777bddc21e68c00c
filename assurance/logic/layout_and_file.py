"""Compare the logic of the layout and of the whole file with the model: order, holes, overlaps, the judgement and
its need.

    judgement(space, ...), file_says(space, ...), for section in SECTIONS: section(space)    raise Wrong

Up to three tensors lie in every way, compared with stage G of spec/model.py. Each predicate must hold for what the
model reports, and must not hold when one field is altered.
"""
import itertools
import zlib

import acsl
import model
from questions import Box, NONE, altered, equal, gives, holds, one
from texts_and_tokens import CODES, said, texts_of_head
from tensors_and_header import EMPTY_TENSOR, META, RULES_OF_G, TENSOR_A, TENSOR_AT, TENSOR_BC, TWO_PAIRS, header, of
from entries_and_view import EMPTY_OBJECT, entries, entry, kind_of_word, tensor, view, views, whole_view, words_of
from dims_and_slices import shapes_of_tensor

ROOTS = ("error_clear", "error_empty", "error_of_frame", "error_of_header", "options_fields", "error_of_whole",
         "broken_whole", "counts_say", "found_says", "intervals", "layout_empty_inside", "layout_hole",
         "layout_judged", "layout_order", "layout_overlap", "layout_truncated", "need_says", "partition",
         "room_short", "valid", "tensor_before", "order_says", "holds", "held", "shared", "sound_below", "data_there",
         "judged_data", "layout_rank", "layout_before", "layout_fits", "covered", "twice", "once_below",
         "empty_within", "filled", "tensor_has", "begins_inside", "layout_ascends", "valid_whole", "tensor_judged",
         "object_begin", "object_finish", "tensor_name", "key_repeats", "name_repeats", "keys_differ", "names_differ",
         "limit_header", "limit_rank", "limit_metadata", "error_named", "error_among", "found_named")


# ---- The layout of any file -----------------------------------------------------------------------------------------

def layout(space, cells, order, end, size, result, group):
    """Stage G of the entries: as of the bytes, and which tensors the error names."""
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
    """Yield wrong orders of the same length: neighbours exchanged, an element twice, one that does not exist."""
    for k in range(len(order) - 1):
        yield order[:k] + [order[k + 1], order[k]] + order[k + 2:]
        yield order[:k] + [order[k + 1]] + order[k + 1:]
    for k in range(len(order)):
        yield order[:k] + [len(order)] + order[k + 1:]


# ---- Bytes that tensors hold ----------------------------------------------------------------------------------------

def befores(space):
    """Tensors with the same begin, the same end, or both: the order of two, and every order of three."""
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
    """Stage G of these tensors with any size of data: each rule at each byte, and that none is broken."""
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


# ---- Memory, words and options around the judgement -----------------------------------------------------------------

def beside(size, at, is_word):
    """Return cells, a field at one of them, and a workspace of which one array begins at the second. They are made anew
    for each question, which is asked again later."""
    cells = [Box() for _ in range(5)]
    array, other = acsl.Cells(cells, 1), acsl.Cells([0] * 4)
    given = {"entry": array, "entries": size, "word": other, "words": 2}
    if is_word:
        given = {"entry": other, "entries": 2, "word": array, "words": size}
    return cells, acsl.Cells(cells, at), given


def memory_beside(space):
    """A field next to the arrays is separate from them, one inside is not; an array that begins too early is
    invalid."""
    for size, at, is_word in itertools.product((1, 2, 3), range(-1, 6), (False, True)):
        apart, there = not 1 <= at < 1 + size, 0 <= at < 5
        _, field, given = beside(size, at, is_word)
        holds(apart and there, space["plan_ok"], Box(**given), field)
        holds(apart, space["judge_room"], one(Box(**given)), field)
        holds(apart, space["judge_memory"], one(Box(head=acsl.Cells([]), head_size=0)), field, one(Box(**given)))
        if there:
            cells, field, given = beside(size, at, is_word)
            cells[at] = Box(**given)
            holds(apart, space["judge_workspace"], field)
            cells, field, given = beside(size, at, is_word)
            cells[at] = Box(head=acsl.Cells([]), head_size=0)
            holds(apart, space["judge_memory"], field, None, one(Box(**given)))
    for a, b in itertools.product(range(3), repeat=2):
        cells = [Box() for _ in range(3)]
        first, second = acsl.Cells(cells, a), acsl.Cells(cells, b)
        cells[b] = Box(head=acsl.Cells([]), head_size=0)
        holds(a != b, space["judge_result"], first, second, None)
        holds(a != b, space["judge_result"], first, one(cells[b]), second)


def arrays_there(space):
    """An array exists from its first cell to its last, and no further."""
    for size, at, count in itertools.product((1, 3), (-1, 0, 1), range(5)):
        array, other = acsl.Cells([0] * size, at), acsl.Cells([0] * 2)
        there = not count or at >= 0 and at + count <= size
        for entry, word, counts in ((array, other, (count, 2)), (other, array, (2, count))):
            given = Box(entry=entry, entries=counts[0], word=word, words=counts[1])
            holds(there, space["plan_ok"], given, one(Box()))
            holds(there, space["judge_workspace"], one(given))
        if at + count <= size:
            holds(there, space["judge_input"], one(Box(head=array, head_size=count)), None)
        joined = acsl.Cells([0] * 6)
        for words, entries in itertools.product(range(4), repeat=2):
            for first in range(4):
                meet = words and entries and first < entries
                given = Box(entry=joined, entries=entries, word=joined + first, words=words)
                if first + words <= 6:
                    holds(not meet, space["judge_workspace"], one(given))
                    holds(not meet, space["plan_ok"], given, one(Box()))


def pairs_kept_or_not(space):
    """Keys at the beginning, values at the end, and space between."""
    for size, n in itertools.product(range(1, 6), range(4)):
        for k in range(size):
            words = acsl.Cells([30 if at == k else 9 for at in range(size)])
            holds(2 * n > size or n <= k < size - n, space["pairs_ok"], words, size, n, 30)


# ---- Up to three tensors, beside stage G of the model ---------------------------------------------------------------

SIDES = [(b, e) for b in range(4) for e in range(b, 4)]
BEGIN = 10  # where the data begins


def ranks_of_tensors(space):
    """Begin, then end, then index, each at its maximum."""
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
    """Return the model's verdict: name, offset, tensor, other, expected, found."""
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
            for rule, at in itertools.product(RULES_OF_G, range(BEGIN - 1, BEGIN + 5)):
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
    for tensor, other in itertools.product(range(n), repeat=2):  # right in itself, but of another
        if (tensor, other) != tuple(fields[:2]):
            wrong = [tensor, other if fields[1] != NONE else NONE, *fields[2:]]
            if wrong != fields:
                holds(False, predicate, e, n, *places, *wrong)


def pieces_of_layout(space):
    """The parts of the verdicts, for each number of tensors, where nothing more can be read."""
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


# ---- The fields of errors; what a scan leaves -----------------------------------------------------------------------

LAYOUTS = (((0, 1), (0, 2), (1, 2)), ((0, 3), (1, 2), (1, 1)), ((1, 3), (2, 2), (2, 2)), ((0, 1), (2, 3), (1, 1)),
           ((0, 3), (1, 3), (2, 3)), ((2, 3), (0, 2), (1, 3)), ((2, 2), (1, 3), (0, 1)), ((1, 2), (3, 3), (0, 1)))
AROUND = (1, 2), (3, 3)  # what precedes the first tensor and follows the last


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
    after = sorted(x for x in full if x[1] > p)
    right = found == size and not after if tensor == NONE else \
        bool(after) and after[0][2] == tensor and after[0][0] == found
    ends = other == NONE and p == 0 or any(x[2] == other and x[1] == p for x in full)
    return expected == p < found and right and ends


def empty_inside(sides, p, tensor, other, expected, found):
    there = [i for i, side in enumerate(sides) if side == (p, p)]
    return bool(there) and there[0] == tensor and 0 <= other < len(sides) and \
        sides[other][0] < p < sides[other][1] and expected == found == NONE


def errors_of_layout(space):
    """Every tensor named, every number nearby."""
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
    """Codes outside stage G state nothing about a layout; an entry that ends before it begins has no byte."""
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


def scan_results(space):
    """The results of a scan: counts, entries, words, as far as there is space; right and wrong at each position."""
    head = header([(0, 1), (1, 2), (2, 2)], META)
    end, n, m = len(head), 3, 2
    acsl.forget()
    acsl.counts[:] = [m, n]
    cells = [entry(space, head, end, k) for k in range(n)]
    keys = [space["pair_key"](head, end, k) + 1 for k in range(m)]
    values = [space["pair_value"](head, end, k) + 1 for k in range(m)]
    found = Box(tensors=n, pairs=m, metadata=1)
    for entries, spare in itertools.product((2, 3, 4), (-1, 0, 1)):
        room = 2 * m + spare
        words = keys + [9] * spare + values[::-1] if spare >= 0 else [9] * room
        plan = Box(entry=acsl.Cells(cells), entries=entries, word=acsl.Cells(words), words=room)
        holds(True, space["found_says"], plan, one(found), head, end)
        holds(True, space["stored"], plan, one(found), end)
        for k, wrong in itertools.product(range(n), ({"end": 9}, {"begin": 9}, {"name": 8},
                                                     {"shape": end + 1 | 1 << 59})):
            other = Box(**{**vars(plan), "entry": acsl.Cells(cells[:k] + [altered(cells[k], **wrong)] + cells[k + 1:])})
            holds(entries < n, space["found_says"], other, one(found), head, end)
            holds(entries < n or "end" in wrong, space["stored"], other, one(found), end)
        for k, wrong in itertools.product(range(room), (8, end, end - 1)):
            other = Box(**{**vars(plan), "word": acsl.Cells(words[:k] + [wrong] + words[k + 1:])})
            used = spare >= 0 and (k < m or k >= room - m)
            holds(not used, space["found_says"], other, one(found), head, end)
            holds(not used or wrong == end - 1, space["stored"], other, one(found), end)
        for wrong in ({"tensors": 2}, {"tensors": 4}, {"pairs": 1}, {"pairs": 3}, {"metadata": 0}, {"metadata": 2}):
            holds(False, space["counts_say"], one(altered(found, **wrong)), head, end)
            holds(False, space["found_says"], plan, one(altered(found, **wrong)), head, end)
    for name in ("tensors_kept",):
        for low, count in itertools.product(range(5), range(4)):
            for k in range(count):
                wrong = cells[:k] + [altered(cells[k], name=8)] + cells[k + 1:]
                holds(count > low, space[name], acsl.Cells(wrong), low, head, end, count)
    acsl.counts[:] = [0, 0]


# ---- A whole file ---------------------------------------------------------------------------------------------------

FEW, SOME = 3, 16  # views are altered for files with so few tensors and pairs, one of that many


def options(settings):
    return Box(api=settings["api"], relax=settings["relax"],
               **{name: value for name, value in settings.items() if name.startswith("max_")})


def judgement(space, data, file_size, settings, result):
    """The verdict, for the file and the caller's options."""
    o = one(options(settings))
    right = settings["api"] == 1 and settings["relax"] == 0
    holds(right, space["options_right"], o)
    holds(True, space["options_right"], None)
    holds(result.code == 0, space["valid"], data, len(data), file_size, o)
    for wrong in ({"api": 0}, {"api": 2}, {"relax": 1}):
        holds(False, space["options_right"], one(options({**settings, **wrong})))
        holds(False, space["valid"], data, len(data), file_size, one(options({**settings, **wrong})))
    error_fields(space, data, file_size, settings, result)
    unlimited = space["header_judged"](data, len(data), file_size, *[NONE] * 5)
    gives(unlimited, space["head_judged"], data, len(data), file_size, None)


FRAME = ("file_short", "header_large", "header_cut", "limit_header", "need_more")
WHOLE = ("metadata_key_twice", "name_twice", "truncated", "overlap", "hole", "empty_inside")


def error_fields(space, data, file_size, settings, result):
    """The fields of the error are the model's after the stages F and G, and no others."""
    error = Box(status=result.code, **{field: NONE if getattr(result, field) is None else getattr(result, field)
                                       for field in ("offset", "tensor", "other", "expected", "found")})
    if result.name in FRAME:
        question = space["error_of_frame"], data, len(data), file_size, settings["max_header"]
    elif result.name in WHOLE:
        question = space["error_of_whole"], data, file_size
    elif result.offset is None:
        if result.code == 0:
            gives((1 << 192) - 1, space["options_fields"], data, one(options(settings)))
            for k in range(min(len(result.tensors), FEW)):
                at = space["tensor_object"](data, len(data), k)
                gives((1 << 128) - 1, space["object_fields"], data, at, len(data), NONE)
        return
    else:
        question = space["error_of_header"], space["options_fields"](data, one(options(settings)))
    texts_of_error(space, data, error, result.texts)
    predicate, *args = question
    holds(True, predicate, one(error), *args)
    for field in ("tensor", "other", "expected", "found"):
        number = getattr(error, field)
        for wrong in {number + 1, number - 1, 0} - {number, NONE + 1, -1}:
            holds(False, predicate, one(altered(error, **{field: wrong})), *args)


def texts_of_error(space, data, error, texts):
    """The texts of an error are the model's, and no others."""
    end = 8 + int.from_bytes(data[:8], "little")
    right = [text or (0, 0) for text in texts]
    for which, field in enumerate(("name", "other_name")):
        for first, last in ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)):
            named = list(right)
            named[which] = right[which][0] + first, right[which][1] + last
            boxes = {name: Box(at=at, end=stop) for name, (at, stop) in zip(("name", "other_name"), named)}
            holds(first == last == 0, space["error_named"], one(altered(error, **boxes)), data, end)
            found = Box(tensor=error.tensor, name=named[0][0], name_end=named[0][1])
            if which == 0:
                holds(first == last == 0, space["found_named"], one(found), data, end)
    tensors, pairs = error.tensor, error.other if error.status == CODES["metadata_key_twice"] else NONE
    others = NONE if pairs != NONE else error.other
    most = [1 + max([-1] + [k for k in row if k != NONE]) for row in ((tensors, others), (pairs,))]
    holds(True, space["error_among"], one(error), *most)
    for which in (0, 1):
        if most[which] > 0:
            holds(False, space["error_among"], one(error), *(n - (k == which) for k, n in enumerate(most)))


def errors_of_none(space):
    """An error that is clear, or empty, and one that differs by one field."""
    text = Box(at=0, end=0)
    clear = Box(status=0, offset=NONE, tensor=NONE, other=NONE, expected=NONE, found=NONE, has=0, name=text,
                other_name=text)
    holds(True, space["error_clear"], one(clear))
    holds(True, space["error_empty"], one(clear))
    for field in ("offset", "tensor", "other", "expected", "found"):
        for wrong in (0, NONE - 1):
            holds(False, space["error_empty"], one(altered(clear, **{field: wrong})))
            holds(False, space["error_clear"], one(altered(clear, **{field: wrong})))
    for wrong in ({"status": 1}, {"has": 1}, {"name": Box(at=0, end=1)}, {"other_name": Box(at=1, end=1)}):
        holds(False, space["error_clear"], one(altered(clear, **wrong)))


def needs_of_file(space, head, end, n, m):
    for keep in (0, 1):
        words = 6 * n + (8 if keep else 7) * m
        need = Box(head=end, tensors=n, pairs=m, entries=n, words=words)
        holds(True, space["need_says"], one(need), head, keep)
        holds(True, space["need_bounded"], one(need))
        for field in vars(need):
            for step in (1, -1):
                holds(False, space["need_says"], one(altered(need, **{field: getattr(need, field) + step})), head, keep)
        for entries_given, words_given, short in ((n, words, False), (n - 1, words, True), (n, words - 1, True),
                                                  (n + 1, words + 1, False)):
            holds(short, space["room_short"], head, entries_given, words_given, keep)
    for size, tensors, pairs, right in ((10, 0, 0, True), (9, 0, 0, False), (100000008, 0, 0, True),
                                        (100000009, 0, 0, False), (40, 1, 0, True), (39, 1, 0, False), (14, 0, 1, True),
                                        (13, 0, 1, False), (46, 1, 1, True), (45, 1, 1, False)):
        need = Box(head=size, tensors=tensors, pairs=pairs, entries=tensors, words=6 * tensors + 8 * pairs)
        holds(right, space["need_exact"], one(need), 1)


def workspace_of_view(space, v):
    """What stage G leaves in the caller's memory: words in sequence, the values at the end."""
    m, n, end = v.pairs, v.tensors, v.data_begin
    words = words_of(v) + v.value
    args = len(words), 1, v.head, end, m, n, v.data_size
    holds(True, space["tables_judged"], acsl.Cells(v.entry), acsl.Cells(words), *args)
    for k, number in enumerate(words):
        used = kind_of_word(k, m, n, end)[0] or k >= len(words) - m
        for wrong in {number + 1, max(number - 1, 0), 1 << 31} - {number}:
            other = words[:k] + [wrong] + words[k + 1:]
            holds(not used, space["tables_judged"], acsl.Cells(v.entry), acsl.Cells(other), *args)
    found = Box(tensors=n, pairs=m, metadata=v.metadata)
    plan = Box(entry=acsl.Cells(v.entry), entries=n, word=acsl.Cells(words), words=len(words))
    holds(True, space["found_says"], plan, one(found), v.head, end)
    holds(True, space["stored"], plan, one(found), end)
    for wrong in ({"tensors": n + 1}, {"tensors": n - 1}, {"pairs": m + 1}, {"pairs": m - 1},
                  {"metadata": 1 - v.metadata}):
        other = altered(found, **wrong)
        holds(False, space["counts_say"], one(other), v.head, end)
        holds(False, space["found_says"], plan, one(other), v.head, end)


def file_says(space, head, end, m, n, size, result, group):
    """Predicates about a header that has passed stages F and H."""
    cells = [entry(space, head, end, k) for k in range(n)]
    order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
    if result.name not in ("metadata_key_twice", "name_twice"):
        layout(space, cells, order, end, size, result, group)
    if result.code == 0:
        found = [t.name for t in result.tensors] + [text for pair in result.metadata or () for text in pair]
        said(space, [b"", *(text.encode() for text in found[:6])])
        for t in result.tensors:
            place = space["tensor_object"](head, end, t.place)
            shapes_of_tensor(space, head, end, space["object_shape"](head, place, end), list(t.shape))
        if max(m, n) <= FEW and zlib.crc32(head) % SOME == 0:
            accepted(space, head, end, cells, order, m, size)


def accepted(space, head, end, cells, order, m, size):
    """All predicates about a valid file."""
    acsl.points[:] = sorted({*acsl.points, *range(2 * max(m, len(cells)) + 2)})
    v = view(space, head, end, cells, order, m, size)
    entries(space, head, end, cells, size)
    views(space, v)
    for k in range(len(cells)):
        tensor(space, v, k)
    needs_of_file(space, head, end, len(cells), m)
    workspace_of_view(space, v)


# ---- Intervals ------------------------------------------------------------------------------------------------------

def intervals(space):
    """Up to three tensors in a data section of up to three bytes."""
    acsl.points[:] = range(-1, 5)
    sides = [(b, e) for b in range(3) for e in range(4)]
    for n in range(4):
        for chosen in itertools.islice(itertools.product(sides, repeat=n), 0, None, (1, 1, 1, 29)[n]):
            e = acsl.Cells([Box(begin=b, end=x) for b, x in chosen])
            inside = [[b <= p < x for b, x in chosen] for p in range(4)]
            holds(all(b <= x for b, x in chosen), space["intervals"], e, n)
            for p in range(4):
                holds(any(inside[p]), space["covered"], e, n, p)
                holds(sum(inside[p]) > 1, space["twice"], e, n, p)
                holds(all(sum(row) == 1 for row in inside[:p]), space["once_below"], e, n, p)
                empty = any(b == x == p and any(c < p < y for c, y in chosen) for b, x in chosen)
                holds(empty, space["empty_within"], e, n, p)
                fits = all(x <= p for _, x in chosen)
                holds(fits, space["layout_fits"], e, n, p)
                strict = not any(c < b < y for b, _ in chosen for c, y in chosen)
                parted = fits and all(any(row) for row in inside[:p]) and all(sum(row) < 2 for row in inside) and strict
                holds(parted, space["partition"], e, n, p)
            for i, j in itertools.product(range(n), repeat=2):
                holds(chosen[i] + (i,) < chosen[j] + (j,), space["layout_before"], e, i, j)
                holds(chosen[j][0] < chosen[i][0] < chosen[j][1], space["begins_inside"], e, i, j)
            for a in itertools.product(range(n), repeat=n):
                ranks = [chosen[i] + (i,) for i in a]
                for lo, hi in itertools.product(range(len(a) + 1), repeat=2):
                    right = all(x < y for k, x in enumerate(ranks[lo:hi]) for y in ranks[lo:hi][k + 1:])
                    holds(right, space["layout_ascends"], e, acsl.Cells(list(a)), lo, hi)


# ---- Orders, whole files, files that break stage G ------------------------------------------------------------------

def orders_of_two(space):
    """Two tensors, and each way to name two of three elements."""
    for second in (0, 1, 2):
        e = acsl.Cells([Box(begin=0, end=1), Box(begin=second, end=2), Box(begin=0, end=1)])
        rank = [(e[i].begin, e[i].end, i) for i in range(3)]
        for n in range(4):
            for a in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 0, 1), (0, 1, 1),
                      (2, 2, 2)):
                right = sorted(a[:n]) == list(range(n)) and all(rank[x] < rank[y] for x, y in zip(a[:n], a[1:n]))
                holds(right, space["layout_order"], e, acsl.Cells(list(a)), n)


WIDE_TENSOR = b'"%s":{"data_offsets":[%d,%d],"shape": [2 , %d],"dtype":"F4"}'
FILES = {"plain": TENSOR_A, "after": b",".join((TWO_PAIRS, TENSOR_AT % (b"b", 1, 1, 2), TENSOR_A)),
         "among": b",".join((TENSOR_A, TWO_PAIRS, TENSOR_AT % (b"\\n", 0, 1, 1))), "empty": b"",
         "pairs": TWO_PAIRS, "wide": b",".join((WIDE_TENSOR % (b"c", 0, 2, 2),
                                                        WIDE_TENSOR % (b"d", 3, 4, 1), TENSOR_AT % (b"e", 1, 2, 3)))}


def whole_file(name):
    """All questions about a valid file (file_says), for one of these."""
    def section(space):
        acsl.forget()
        head = (len(FILES[name]) + 2).to_bytes(8, "little") + b"{%s}" % FILES[name]
        end, size = len(head), {"plain": 1, "after": 2, "among": 1, "wide": 4}.get(name, 0)
        settings = dict(model.OPTIONS)
        result = model.judge(head + bytes(size), end + size, settings)
        m, n = len(result.metadata or ()), len(result.tensors)
        acsl.counts[:] = [m, n]
        acsl.points[:] = sorted({0, size, *(x for t in result.tensors for x in (t.begin, t.end))})
        equal(result.code, 0, "the code of " + name)
        texts_of_head(space, head, end)
        judgement(space, head, end + size, settings, result)
        cells = [entry(space, head, end, k) for k in range(n)]
        order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
        file_says(space, head, end, m, n, size, result, [])
        accepted(space, head, end, cells, order, m, size)
        acsl.counts[:], acsl.points[:] = [0, 0], []
        acsl.forget()
    section.__name__ = "whole_" + name
    return section


SPANS_OF_TWO = (0, 1), (0, 2), (1, 2), (1, 1), (2, 3), (0, 0)
TWICE = b'"__metadata__":{"k":"","\\u006b":"","l":""}', b'"__metadata__":{"k":"","l":"","l":""}'


def broken(space):
    """Stage G of two tensors at all positions, and of equal names and keys: the rule, the byte, and no other."""
    made = [(TENSOR_AT % (b"a", y - x, x, y), TENSOR_AT % (b"b", z - w, w, z)) for (x, y), (w, z) in
            itertools.product(SPANS_OF_TWO, repeat=2)]
    made += [(TENSOR_A, TENSOR_AT % (name, 1, 1, 2), TENSOR_BC) for name in (b"a", b"\\u0061", b"bc", b"c")]
    made += [(*before, pairs, *after) for pairs in (*TWICE, TWO_PAIRS)
             for before, after in (((), ()), ((TENSOR_A,), (TENSOR_A,)))]
    made += [(TENSOR_AT % (b"a", 3, 0, 3), TENSOR_AT % (b"b", 0, 2, 2), TENSOR_AT % (b"c", 0, 1, 1))]
    codes_of = [int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")]
    for members, size in itertools.product(made, (2, 3)):
        text = b"{%s}" % b",".join(members)
        head = len(text).to_bytes(8, "little") + text
        acsl.forget()
        end, n = len(head), len([member for member in members if b"dtype" in member])
        m = head.count(b'":""') + 2 * (TWO_PAIRS in members)
        result = model.judge(head + bytes(size), end + size, model.OPTIONS)
        acsl.counts[:], acsl.points[:] = [m, n], list(range(5))
        holds(result.code == 0, space["whole"], head, end, m, n, size)
        holds(result.code == 0, space["valid_whole"], head, end + size)
        for code in codes_of:
            for offset in {end - 1, end, end + 1, end + 2, end + size, *([result.offset] if result.offset else [])}:
                right = (code, offset) == (result.code, result.offset)
                holds(right, space["whole_broken"], head, end, m, n, size, code, offset)
                holds(right, space["broken_whole"], head, end + size, code, offset)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    acsl.forget()


def rooms_of_tables(space):
    """What stage G leaves: with values and without, with spare space, and for entries of another header."""
    for name in ("after", "wide", "pairs"):
        acsl.forget()
        head = (len(FILES[name]) + 2).to_bytes(8, "little") + b"{%s}" % FILES[name]
        end, size = len(head), {"after": 2, "wide": 4}.get(name, 0)
        m, n = 2 * (TWO_PAIRS in FILES[name]), FILES[name].count(b"dtype")
        acsl.counts[:], acsl.points[:] = [m, n], list(range(12))
        cells = [entry(space, head, end, k) for k in range(n)]
        order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
        v = view(space, head, end, cells, order, m, size)
        front, last = words_of(v), v.value
        for keep, spare in itertools.product((0, 1, 2), (0, 1, 3)):
            for values in ([*last], [x + 1 for x in last], [8] * m, [*last[:-1], end], [end, *last[1:]]):
                words = front + [99] * spare + values[:m]
                right = keep != 1 or values[:m] == last
                holds(right, space["tables_judged"], acsl.Cells(cells), acsl.Cells(words), len(words), keep, head, end,
                      m, n, size)
        args = len(front + last), 1, head, end
        words = acsl.Cells(front + last)
        for k, fields in itertools.product(range(n), ({"begin": 1}, {"end": 1}, {"name": 1}, {"shape": 1 << 59})):
            other = altered(cells[k], **{field: getattr(cells[k], field) + step for field, step in fields.items()})
            holds(False, space["tables_judged"], acsl.Cells(cells[:k] + [other] + cells[k + 1:]), words, *args, m, n,
                  size)
        for wrong in ((m, n, size + 1), (m, n + (n == 0), size - 1), (m + 1, n, size), (m, n + 1, size),
                      (m - 1, n, size)):
            holds(False, space["tables_judged"], acsl.Cells(cells), words, *args, *wrong)
    acsl.counts[:], acsl.points[:] = [0, 0], []


# ---- Layouts that no header has -------------------------------------------------------------------------------------

SPANS_BACK = (((0, 2), (1, 3), (0, 9)), ((2, 2), (0, 1), (1, 3)), ((0, 3), (2, 2), (1, 1)), ((1, 2), (1, 2), (0, 1)),
         ((0, 1), (0, 1), (0, 9)), ((0, 3), (1, 1), (0, 9)), ((1, 1), (0, 5), (0, 1)), ((0, 3), (1, 1), (0, 1)),
         ((1, 1), (0, 3), (2, 2)), ((0, 4), (1, 1), (3, 2)), ((0, 4), (1, 1), (2, 1)), ((0, 2), (2, 2), (1, 1)),
         ((0, 1), (1, 2), (2, 0)))  # only the last goes back: nothing is read after it


def data_of_tensors(space):
    """The first n of three tensors, wherever they begin and end: the rule, the byte, and no other."""
    for spans in SPANS_BACK:
        head = of(b"{%s}" % b",".join(TENSOR_AT % (b"%d" % k, max(x - b, 0), b, x) for k, (b, x) in enumerate(spans)))
        end = len(head)
        acsl.forget()
        acsl.points[:] = range(-1, 11)
        for n in range(4):
            for p in range(4):
                empty = any(b == x == p and any(c < p < y for c, y in spans[:n]) for b, x in spans[:n])
                holds(empty, space["empty_inside"], head, end, n, p)
            for size in {-1, 1, 3, max([0, *(x for _, x in spans[:n])])}:
                judged_data_of(space, head, end, spans[:n], size)
    acsl.points[:] = []


def judged_data_of(space, head, end, spans, size):
    def held(p):
        return sum(b <= p < x for b, x in spans)

    def empty(p):
        return any(b == x == p and any(c < p < y for c, y in spans) for b, x in spans)

    there, sound = all(x <= size for _, x in spans), all(held(q) == 1 for q in range(size))
    empties = [p for p in acsl.points if empty(p)]
    for p in {-1, 0, 1, 2, size}:
        first = there and 0 <= p < size and all(held(q) == 1 for q in range(p))
        right = not there and p == size, first and held(p) > 1, first and held(p) == 0, \
            there and sound and empties[:1] == [p]
        for rule, said in zip(RULES_OF_G, right):
            code = CODES[rule], end + p
            holds(said, space["judged_data"], head, end, len(spans), size, *code)
            if size > 2:
                holds(said, space["whole_broken"], head, end, 0, len(spans), size, *code)
    holds(there and sound and not empties, space["whole"], head, end, 0, len(spans), size)


def layouts_back(space):
    """Holes after two tensors, empty tensors after one that ends there, intervals that go back."""
    acsl.points[:] = range(-1, 6)
    for sides, size in ((((0, 1), (1, 2), (3, 4)), 4), (((2, 2), (0, 3), (1, 1)), 3), (((0, 1), (1, 1), (0, 3)), 3),
                        (((1, 1), (0, 3), (1, 1)), 3), (((0, 2), (1, 2), (2, 3)), 3)):
        e, n = acsl.Cells([Box(begin=b, end=x) for b, x in sides]), len(sides)
        name, offset, *fields = stage_g(sides, size)
        for rule, at in itertools.product(RULES_OF_G, range(BEGIN - 1, BEGIN + 5)):
            holds((rule, at) == (name, offset), space["layout_judged"], e, n, BEGIN, size, CODES[rule], at)
        fields_of(space, e, n, size, name, offset - BEGIN, [NONE if x is None else x for x in fields])
    for k, sides in enumerate((((0, 1), (1, 2), (1, 2)), ((1, 2), (0, 1), (1, 2)), ((1, 2), (1, 2), (0, 1)))):
        e = acsl.Cells([Box(begin=b, end=x) for b, x in sides])
        for p, n in itertools.product(range(3), range(4)):
            holds(p == 1 and (n == 3 or n == 2 and k == 2), space["twice"], e, n, p)
    for first, right in (((0, 2), True), ((3, 2), True), ((2, 1), True), ((2, 2), False), ((2, 3), True)):
        e = acsl.Cells([Box(begin=b, end=x) for b, x in (first, (2, 2), (1, 3))])
        holds(right, space["layout_empty_inside"], e, 3, 2, 1, 2, NONE, NONE)
    acsl.points[:] = []


def names_judged(space):
    """Keys and names that are the text after the last one's }: they repeat nothing. Others that do."""
    some = ((b",",), (b"",)), ((b"",), (b"",)), ((b"a", b""), (b"a", b"")), ((b",", b","), ()), \
        ((b"", b""), (b"", b"")), ((), (b"", b"a", b"a")), ((b"}",), (b"",)), ((b",",), (b"a", b"a"))
    for (keys, names), after in itertools.product(some, (0, 1)):
        members = [EMPTY_TENSOR % name for name in names]
        metadata = [b'"__metadata__":{%s}' % b",".join(b'"%s":""' % key for key in keys)] if keys else []
        head = of(b"{%s}" % b",".join(members + metadata if after else metadata + members))
        end, m, n = len(head), len(keys), len(names)
        acsl.forget()
        acsl.counts[:], acsl.points[:] = [m + 1, n + 1], [0, 1]
        for size in (0, 1):
            result = model.judge(head + bytes(size), end + size)
            holds(result.code == 0, space["whole"], head, end, m, n, size)
            holds(result.code == 0, space["valid_whole"], head, end + size)
            codes = [CODES[name] for name in ("metadata_key_twice", "name_twice", "hole")]
            for code, offset in itertools.product(codes, offsets_near(space, head, end, m, n)):
                right = (code, offset) == (result.code, result.offset)
                of_names = right and code in (CODES["metadata_key_twice"], CODES["name_twice"])
                holds(of_names, space["judged_names"], head, end, m, n, code, offset)
                holds(right, space["whole_broken"], head, end, m, n, size, code, offset)
                holds(right, space["broken_whole"], head, end + size, code, offset)
        if model.judge(head, end).code == 0:
            found_by_scan(space, head, end, m, n)
    acsl.counts[:], acsl.points[:] = [0, 0], []


def offsets_near(space, head, end, m, n):
    """The positions of keys, and where the logic continues after the last."""
    said = set()
    for name, count in ("pair_key", m), ("tensor_key", n):
        for k in range(-1, count + 3):
            try:
                said.add(space[name](head, end, k))
            except acsl.Fault:
                pass
    return sorted({end, end + 1, *said})


def found_by_scan(space, head, end, m, n):
    """Return the index of a view of that file."""
    cells = [entry(space, head, end, k) for k in range(n)]
    acsl.points[:] = range(12)
    v = view(space, head, end, cells, list(range(n)), m, 0)
    holds(True, space["view_finds"], whole_view(v))
    acsl.points[:] = [0, 1]


# Members that continue after the root's }, as if it were the opening quote of a key, with the number of tensors
# before it.
BEHIND = ((b'{}":%s,"b":%s}' % (EMPTY_OBJECT, EMPTY_OBJECT), 0), (b'{"a":%s}":%s,"b":%s}' % ((EMPTY_OBJECT,) * 3), 1),
          (b'{}":%s}' % EMPTY_OBJECT, 0), (b'{"a":%s}":%s}' % (EMPTY_OBJECT, EMPTY_OBJECT), 1))


def counts_behind(space):
    """Whatever follows the }, the count is that before it."""
    for text, count in BEHIND:
        head = of(text)
        end = len(head)
        acsl.forget()
        acsl.counts[:] = [0, 4]
        for n in range(-1, 5):
            holds(n == count, space["tensor_count"], head, end, n)
        closing = 8 + text.index(b'}"')
        quotes = [at for at in range(closing + 1, end) if head[at] == 34]
        for key, n in itertools.product((9, closing, *quotes), range(5)):
            right = n == 0 if key == 9 else key == closing and n == count
            holds(right, space["table_before"], head, end, key, n, 0, 0)
    for text, count in BEHIND:
        pairs = text.replace(EMPTY_OBJECT, b'""')
        head = of(b'{"__metadata__":%s}' % pairs)
        acsl.forget()
        acsl.counts[:] = [4, 0]
        for n in range(-1, 5):
            holds(n == count, space["pair_count"], head, len(head), n)
    one_byte = b'"shape":[1],"data_offsets":[0,1]'
    after = EMPTY_OBJECT.replace(b'"shape":[0],"data_offsets":[0,0]', one_byte)
    head = of(b'{"a":%s}":%s}' % (after, after))
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [0, 2], range(4)
    for size in range(4):
        wanted = [("truncated", end)] if size == 0 else [("hole", end + 1)] if size > 1 else []
        holds(not wanted, space["valid_whole"], head, end + size)
        for rule, offset in itertools.product(RULES_OF_G, range(end - 1, end + 5)):
            holds((rule, offset) in wanted, space["broken_whole"], head, end + size, CODES[rule], offset)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    acsl.forget()


def rooms_of_layout(space):
    """A header that is cut has no number of tensors; too few words for more tensors than exist is no shortage."""
    whole = b'{"__metadata__":{"k":"v"},"a":%s,"b":%s}' % (EMPTY_OBJECT, EMPTY_OBJECT)
    for cut in (0, 1, 2, len(whole) - 12):
        acsl.forget()
        head = (len(whole) - cut).to_bytes(8, "little") + whole + b" " * 99
        acsl.counts[:] = [3, 4]
        for entries, words, keep in itertools.product((1, 2, 3), (18, 19, 20, 21), (0, 1)):
            short = entries < 2 or words < 12 + 7 + keep
            holds(cut == 0 and short, space["room_short"], head, entries, words, keep)
        for tensors, pairs, keep in itertools.product((1, 2, 3), (0, 1, 2), (0, 1)):
            need = Box(head=8 + len(whole) - cut, tensors=tensors, pairs=pairs, entries=tensors,
                       words=6 * tensors + (7 + keep) * pairs)
            holds(cut == 0 and (tensors, pairs) == (2, 1), space["need_says"], one(need), head, keep)
    acsl.counts[:] = [0, 0]
    acsl.forget()
    for status in (-1, 0, 1):
        holds(status == 0, space["judged_whole"], status)
    head = of(b"{}")
    for size in (8, 9, 10, 11):
        result = model.judge(head, size)
        for o in None, one(options(model.OPTIONS)):
            holds(result.code == 0, space["valid"], head, len(head), size, o)


def unshaped(space):
    """A table that is right except for a shape that breaks a rule, or for offsets that go back."""
    for text, right in ((b"[0,]", False), (b"[0 1]", False), (b"[0]", True)):
        head = of(b'{"a":%s}' % EMPTY_OBJECT.replace(b"[0]", text))
        end = len(head)
        acsl.forget()
        e = entry(space, head, end, 0)
        holds(right, space["entry_says"], one(e), head, end, 0)
        t = Box(index=0, begin=end, end=end, dtype=e.shape >> 59, bits=8, rank=(e.shape >> 32) % (1 << 27),
                name=Box(at=10, end=11), dims=Box(at=e.shape % (1 << 32), left=(e.shape >> 32) % (1 << 27)))
        holds(right, space["tensor_says"], one(t), head, end)
    head = of(b'{"a":%s,"b":%s}' % (EMPTY_OBJECT.replace(b"[0]", b"[1]").replace(b"[0,0]", b"[0,1]"),
                                      EMPTY_OBJECT.replace(b"[0,0]", b"[1,0]")))
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [0, 2], list(range(8))
    cells = [entry(space, head, end, k) for k in range(2)]
    words = acsl.Cells([0, 1, 0, 1, *[5] * 8])
    for keep in (0, 1):
        holds(False, space["tables_judged"], acsl.Cells(cells), words, 12, keep, head, end, 0, 2, 1)
    acsl.counts[:], acsl.points[:] = [0, 0], []


SECTIONS = (errors_of_none,
            befores, bytes_held, memory_beside, arrays_there, pairs_kept_or_not, ranks_of_tensors, verdicts,
            pieces_of_layout, errors_of_layout, codes_around, scan_results, intervals, orders_of_two, broken,
            *map(whole_file, FILES), rooms_of_tables, data_of_tensors, layouts_back, names_judged, counts_behind,
            rooms_of_layout, unshaped)
