"""Compare the logic of errors, of lists of texts and of cursors with their meaning, for headers that are given by
their contents.

    for section in SECTIONS: section(space)    raises Wrong

A header is a Box with the positions, names and data offsets of its tensors and pairs. SAYS replaces the definitions
that read them from bytes. With an end that is not the header's, they have no value. They have values for an element
before the first and one after the last, so that each end of a range matters. A definition that joins others is
checked with all of them true, and with each of them false.
"""
import itertools

import acsl
import model
from questions import Box, NONE, altered, gives, holds, in_place, one
from texts_and_tokens import CODES, shared, value_of
from layout_and_file import AROUND, FRAME, LAYOUTS, WHOLE, empty_inside, hole, overlap, truncated
from tensors_and_header import TENSOR_A, of

ROOTS = ("input_valid", "frame_stops", "header_stops", "other_text", "error_named", "error_among", "error_clear",
         "fields_set", "value_first", "value_rest", "value_after", "head_needed", "words_say", "tables_judged",
         "names_fields", "data_truncated", "data_overlap", "data_hole", "data_empty_inside", "data_fields",
         "options_fields", "stage_fields", "whole_fields", "error_of_whole", "listed_at", "listed_value",
         "listed_before", "listed_upto", "listed_common", "listed_same", "listed_differ", "listed_order",
         "names_order", "cursor_value", "cursor_ok", "listed_cursor")


# ---- A header by its contents ---------------------------------------------------------------------------------------

END = 50


def saying(name):
    """Return a function of a header, an end and an index, which reads this field of the header."""
    def said(b, end, k):
        if end != b.end or k not in getattr(b, name):
            raise acsl.Fault("%s %s to %s" % (name, k, end))
        return getattr(b, name)[k]
    return said


SAYS = {name: saying(name) for name in ("pair_key", "pair_name", "tensor_key", "tensor_name", "tensor_begin",
                                        "tensor_finish")}


def states(b, *fact):
    """Return whether the header states this fact."""
    return fact in b.stated


def all_of(space, name, make):
    """Check that a definition holds if and only if all of its parts do, each for its own arguments. make() returns the
    arguments and the parts."""
    for left_out in (None, *range(len(make()[1]))):
        args, parts = make()
        facts = [part for k, part in enumerate(parts) if k != left_out]
        functions = {part[0]: lambda *given, part=part[0], facts=facts: (part, *given) in facts for part in parts}
        with in_place(space, functions):
            holds(left_out is None, space[name], *args)


# ---- Errors of the data section -------------------------------------------------------------------------------------

MORE = (((0, 1), (0, 2), (1, 3)), ((1, 3), (1, 3), (0, 3)), ((0, 3), (1, 3), (1, 3)), ((1, 2), (1, 3), (0, 3)),
        ((0, 1), (1, 2), (3, 4)), ((3, 4), (2, 3), (0, 1)), ((1, 1), (1, 1), (0, 3)), ((0, 1), (1, 1), (0, 3)),
        ((1, 3), (1, 2), (0, 3)), ((0, 1), (2, 2), (3, 4)), ((1, 2), (2, 3), (0, 0)))
BACK = (((0, 1), (2, 1), (2, 3)), ((0, 3), (2, 1), (2, 2)), ((0, 1), (3, 2), (0, 0)), ((3, 4), (2, 1), (4, 4)),
        ((1, 0), (1, 1), (0, 3)), ((2, 1), (1, 1), (0, 3)))  # one ends before it begins
OUTSIDE = (AROUND, ((0, 9), (0, 9)), ((1, 1), (0, 2)))
BEYOND = NONE + 1


def arrangements():
    """Yield the data offsets of tensors, of one before the first and one after the last, and their number."""
    for k, sides in enumerate((*LAYOUTS, *MORE, *BACK)):
        yield sides, OUTSIDE[k % 2], 3
    for k, sides in enumerate((*LAYOUTS[:3], MORE[2], MORE[6], MORE[7])):
        yield sides, OUTSIDE[2 - k % 2], 3
    yield ((0, 1), (0, 0), (1, 1)), ((1, 2), (2, 4)), 3
    yield ((0, 3), (0, 0), (2, 2)), ((1, 2), (1, 1)), 3
    yield LAYOUTS[0], AROUND, 2
    yield LAYOUTS[4], AROUND, 2
    yield BACK[0], AROUND, 0


def tensors_at(spans):
    """Return a header whose tensors have these data offsets."""
    return Box(end=END, tensor_begin={k: begin for k, (begin, _) in spans.items()},
               tensor_finish={k: end for k, (_, end) in spans.items()})


def numbers_of(spans, p, tensor, other):
    """Return values of `expected` and `found`: those of each rule, and others nearby."""
    begin, end = spans.get(tensor, (p, p))
    last = spans.get(other, (p, p))[1]
    return {(end, p), (last, begin), (last, p), (p, begin), (p, p), (p, p + 1), (NONE, NONE), (NONE, 0), (0, NONE),
            (NONE, BEYOND), (BEYOND, NONE), (end + 1, p), (end - 1, p), (p, begin + 1), (last, begin + 1),
            (last, begin - 1), (p - 1, begin)}


def errors_of_data(space):
    """Every tensor as `tensor` and `other`, numbers nearby."""
    names = (*range(-1, 4), NONE, BEYOND)
    with in_place(space, SAYS):
        for sides, around, n in arrangements():
            spans, mine = dict(enumerate((around[0], *sides, around[1]), -1)), sides[:n]
            b = tensors_at(spans)
            for p, tensor, other in itertools.product(range(-1, 4), names, names):
                for expected, found in numbers_of(spans, p, tensor, other):
                    fields = tensor, other, expected, found
                    holds(truncated(mine, p, *fields), space["data_truncated"], b, END, n, p, *fields)
                    holds(overlap(mine, p, *fields), space["data_overlap"], b, END, n, p, *fields)
                    for size in {found, 3} - {NONE, BEYOND}:
                        holds(hole(mine, size, p, *fields), space["data_hole"], b, END, n, size, p, *fields)
                    holds(empty_inside(mine, p, *fields), space["data_empty_inside"], b, END, n, p, *fields)


def errors_of_stage(space):
    """The status selects the rule whose fields are checked, and each predicate gets its arguments."""
    rules = {"truncated": (3, 9, 5, 6, 7, 8), "overlap": (3, 4, 5, 6, 7, 8), "hole": (3, 9, 4, 5, 6, 7, 8),
             "empty_inside": (3, 4, 5, 6, 7, 8)}

    def fact(name):
        return lambda b, *given: states(b, name, *given)
    with in_place(space, {"data_" + name: fact(name) for name in rules}):
        for status, holding in itertools.product(range(59, 65), itertools.product((False, True), repeat=4)):
            facts = [(name, END, *args) for (name, args), held in zip(rules.items(), holding) if held]
            named = [held for name, held in zip(rules, holding) if CODES[name] == status]
            holds(all(named), space["data_fields"], Box(stated=facts), END, 3, 9, status, 4, 5, 6, 7, 8)

    def stage():
        b = Box()
        return (b, 20, 3, 9, 60, 24, 5, 6, 7, 8), (("names_fields", b, 20, 60, 24, 5, 6, 7, 8),
                                                   ("data_fields", b, 20, 3, 9, 60, 4, 5, 6, 7, 8))
    all_of(space, "stage_fields", stage)
    functions = {"header_length": lambda b: b.length, "tensor_count": lambda b, *given: states(b, *given),
                 "stage_fields": lambda b, *given: states(b, *given)}
    acsl.counts[:] = [0, 4]
    with in_place(space, functions):
        for counts, staged in itertools.product(itertools.chain.from_iterable(
                itertools.combinations(range(4), k) for k in range(3)), range(-1, 5)):
            b = Box(length=12, stated=[*((20, n) for n in counts), (20, staged, 9, 60, 24, 5, 6, 7, 8)])
            holds(staged in counts, space["whole_fields"], b, 29, 60, 24, 5, 6, 7, 8)
            error = one(Box(status=60, offset=24, tensor=5, other=6, expected=7, found=8))
            holds(staged in counts, space["error_of_whole"], error, b, 29)
    acsl.counts[:] = [0, 0]


# ---- Errors of names and keys ---------------------------------------------------------------------------------------

def unset_or_not(fields):
    """Yield the fields, and the fields with one that is not set changed, and whether they are the same."""
    yield fields, True
    for i, number in enumerate(fields):
        for change in (-1, 1, -3) if number == NONE else ():
            yield (*fields[:i], number + change, *fields[i + 1:]), False


def errors_of_names(space):
    """The first name or key that repeats an earlier one; other statuses state nothing."""
    key, name = CODES["metadata_key_twice"], CODES["name_twice"]
    for names in itertools.product(range(2), repeat=5):
        every = dict(enumerate(names, -1))
        at = {k: 10 * k + 20 for k in every}
        inside = names[1:-1]
        twice = [(inside.index(inside[k]), k) for k in range(3) if inside[k] in inside[:k]][:1]
        for status, kind, free in ((key, "pair", "tensor"), (name, "tensor", "pair")):
            b = Box(end=END, **{kind + "_key": at, kind + "_name": every, free + "_key": {}, free + "_name": {}})
            with in_place(space, SAYS):
                for other, k, step in itertools.product(range(-1, 4), range(-1, 4), (-1, 0, 1)):
                    for fields, same in unset_or_not((NONE, k, NONE) if status == key else (k, NONE, NONE)):
                        tensor, found, expected = fields
                        right = same and step == 0 and (other, k) in twice
                        holds(right, space["names_fields"], b, END, status, at[k] + step, tensor, other, expected,
                              found)
    nobody = Box(end=END, **{field: {} for field in SAYS})
    with in_place(space, SAYS):
        for status in (0, key - 1, name + 1):
            holds(True, space["names_fields"], nobody, END, status, 0, 0, 0, 0, 0)


TEXT_ENDS = {"text_end": lambda b, at, end: at + 3 + 100 * (end != b.end),
             "tensor_text": lambda b, *given: states(b, *given)}


def texts_of_errors(space):
    """The texts of an error are those of its tensors, or of a pair."""
    twice = CODES["metadata_key_twice"]
    with in_place(space, {**SAYS, **TEXT_ENDS}):
        for status, other, at in itertools.product((0, twice - 1, twice, twice + 1), (0, 1, 2, NONE, BEYOND),
                                                   range(18, 45)):
            for stop in (at + 2, at + 3, at + 4):
                b = Box(end=END, pair_key={0: 20, 1: 30, BEYOND: 40}, stated=[(END, other, 19, 22)])
                named = b.pair_key.get(other, -1)
                right = (at, stop) == (named + 1, named + 4) if status == twice and other != NONE else \
                    (at, stop) == (19, 22)
                holds(right, space["other_text"], b, END, status, other, at, stop)

    def named():
        b = Box()
        error = Box(status=7, tensor=1, name=Box(at=2, end=3), other=4, other_name=Box(at=5, end=6))
        return (one(error), b, END), (("tensor_text", b, END, 1, 2, 3), ("other_text", b, END, 7, 4, 5, 6))
    all_of(space, "error_named", named)
    numbers = (*range(5), NONE - 1, NONE)
    for status, tensor, other, n, m in itertools.product((twice - 1, twice, twice + 1), numbers, numbers, range(4),
                                                         range(4)):
        others = {*range(m)} if status == twice else {NONE, *range(n)}
        right = tensor in {NONE, *range(n)} and other in others
        holds(right, space["error_among"], one(Box(status=status, tensor=tensor, other=other)), n, m)
    text = Box(at=0, end=0)
    clear = Box(status=0, offset=NONE, tensor=NONE, other=NONE, expected=NONE, found=NONE, has=0, name=text,
                other_name=text)
    rows = {int(row["code"]): row for row in [*model.RULES.values(), *model.STATUSES.values()]}
    for status in range(256):  # of a number that is no status the last six bits decide (assay_error_has)
        row = rows.get(status & 63, {})
        has = sum(bit for field, bit in (("offset", 1), ("expected", 8), ("found", 16)) if row.get(field))
        gives(has, space["fields_set"], status)
        holds(status == 0, space["error_clear"], one(altered(clear, status=status, has=has)))


# ---- Verdicts on what the caller gives ------------------------------------------------------------------------------

def stages_of_inputs(space):
    """The stage that stops an input is the model's, for headers that are right, wrong and cut, with each length at its
    limit."""
    none = dict.fromkeys(("max_header", "max_tensors", "max_rank", "max_name", "max_metadata"), NONE)
    for text in b"{%s}" % TENSOR_A, b'{"a":1}', b"{}":
        acsl.forget()
        acsl.counts[:], acsl.points[:] = [0, 1], list(range(4))
        head, n = of(text), len(text)
        for size, file_size in itertools.product((7, 8, n + 7, n + 8, n + 9), (7, 8, n + 7, n + 8, n + 9, n + 10)):
            given = one(Box(head=head + b" ", head_size=size, file_size=file_size))
            for most, api in ((NONE, 1), (n, 1), (n - 1, 1), (n - 1, 2), (NONE, 2)):
                settings = {**none, "api": api, "relax": 0, "max_header": most}
                result = model.judge((head + b" ")[:size], file_size, settings)
                o = one(Box(**settings))
                holds(result.code == 0, space["input_valid"], given, o)
                framed = result.name in FRAME
                holds(framed, space["frame_stops"], given, o)
                right = not framed and result.name not in ("usage", "ok", *WHOLE)
                holds(right, space["header_stops"], given, o)
        sizes = 7, 8, n + 7, n + 8, n + 9
        for size, needed, file_size in itertools.product(range(n + 12), sizes, sizes):
            wanted = 8 if size < 8 else n + 8
            right = size < needed == wanted <= file_size
            given = one(Box(head=head, head_size=size, file_size=file_size))
            holds(right, space["head_needed"], one(Box(need=Box(head=needed))), given)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    acsl.forget()


def limits_of_errors(space):
    """Each limit of the fields of an error of the header is the caller's, and the end is that of the header."""
    names = ("max_tensors", "max_rank", "max_name", "max_metadata")
    functions = {"header_length": lambda b: b.length, "header_fields": lambda b, *given: b.said.get(given, 0)}
    with in_place(space, functions):
        b = Box(length=12, said={(20, 2, 3, 4, 5): 7, (20, NONE, NONE, NONE, NONE): 8})
        gives(7, space["options_fields"], b, one(Box(**dict(zip(names, range(2, 6))))))
        gives(8, space["options_fields"], b, None)


def tables_of_workspace(space):
    """Each part of what stage G leaves in a workspace."""
    def said():
        b, word, m, n = Box(), acsl.Cells([0] * 40), 2, 3
        return (word, m, n, b, END), (("keys_say", word, b, END, m), ("names_order", b, END, 0, word + 2, m),
                                      ("names_order", b, END, 1, word + 14, n), ("order_says", word + 17, b, END, n))

    def judged(keep):
        b, entry, word, words, m, n, size = Box(), acsl.Cells([0]), acsl.Cells([0] * 40), 36, 2, 3, 7
        parts = [("entries_ok", entry, n, END), ("entries_say", entry, b, END, n), ("partition", entry, n, size),
                 ("words_judged", word, m, n, END), ("words_say", word, m, n, b, END)]
        kept = [("texts_ok", word, words - m, words, END), ("values_say", word, words, b, END, m)]
        return (entry, word, words, keep, b, END, m, n, size), parts + kept * (keep == 1)
    all_of(space, "words_say", said)
    for keep in (0, 1):
        all_of(space, "tables_judged", lambda keep=keep: judged(keep))


# ---- Lists of texts -------------------------------------------------------------------------------------------------

LISTS = ((b"a", b"ab", b"a", b"b"), (b"b", b"a", b"", b"ab"), (b"ab", b"ab", b"ab", b"\xff"), (b"", b"b", b"a", b"a"),
         (b"a", b"\xff", b"b", b""))
VALUES = {"listed_value": lambda b, end, listed, i: saying("texts")(b, end, (listed, i))}


def texts_listed(space):
    """The position and the value of a text."""
    with in_place(space, SAYS):
        for k in range(4):
            b = Box(end=END, pair_key={i: 7 + i for i in range(4)}, tensor_key={i: 27 + i for i in range(4)})
            for listed, first in ((0, 8), (1, 28)):
                gives(first + k, space["listed_at"], b, END, listed, k)
    for listed in (0, 1):
        functions = {"listed_at": lambda b, end, listed, i: saying("at")(b, end, (listed, i)),
                     "text_value": lambda b, at, end: saying("value")(b, end, at)}
        with in_place(space, functions):
            b = Box(end=END, at={(0, 3): 9, (1, 3): 19}, value={9: 100, 19: 200})
            gives((100, 200)[listed], space["listed_value"], b, END, listed, 3)
    with in_place(space, VALUES):
        for texts, listed in itertools.product(LISTS, (0, 1)):
            b = Box(end=END, texts={(listed, k): value_of(text) for k, text in enumerate(texts, -1)})
            order_of_texts(space, b, listed, texts)

    def ordered():
        b, place = Box(), acsl.Cells([0] * 9)
        return (b, END, 1, place, 5), (("block", place, 0, 5), ("listed_order", b, END, 1, place, 5))
    all_of(space, "names_order", ordered)


def digits_of_values(space):
    """Every number from 1 on has one first byte and one rest, whether it is the value of a text or not."""
    for first, rest in itertools.product(range(257), range(4)):
        value = 1 + first + 257 * rest
        gives(first, space["value_first"], value)
        gives(rest, space["value_rest"], value)
        for count in range(4):
            gives((value, rest, 0, 0)[count], space["value_after"], value, count)


def order_of_texts(space, b, listed, texts):
    """The order of each two of a list, what they share, and each arrangement. The first text precedes the list."""
    ranks = {k: (text, k) for k, text in enumerate(texts, -1)}
    for i, j in itertools.product(ranks, repeat=2):
        holds(ranks[i] < ranks[j], space["listed_before"], b, END, listed, i, j)
        holds(ranks[i] <= ranks[j], space["listed_upto"], b, END, listed, i, j)
        for k in range(-1, 4):
            most = shared(ranks[i][0], ranks[j][0])
            holds(0 <= k <= most, space["listed_same"], b, END, listed, i, j, k)
            holds(k == most, space["listed_common"], b, END, listed, i, j, k)
    for n in range(4):
        holds(len({*texts[1:n + 1]}) == n, space["listed_differ"], b, END, listed, n)
        for place in itertools.product(range(3), repeat=n):
            right = all(ranks[x] < ranks[y] for x, y in zip(place, place[1:]))
            holds(right, space["listed_order"], b, END, listed, acsl.Cells(list(place)), n)


# ---- Cursors --------------------------------------------------------------------------------------------------------

ESCAPES = {b"\\n": 1, b"\\u007f": 1, b"\\u0080": 2, b"\\u00e9": 2, b"\\u07ff": 2, b"\\u0800": 3, b"\\uffff": 3,
           b"\\ud800\\udc00": 4, b"\\udbff\\udfff": 4}
UNKNOWN = 3  # bytes of the character that an escape which is none becomes


def cursors(space):
    """A cursor within an escape, at each of its bytes and one further; what looks like an escape; the end."""
    for escape, width in ESCAPES.items():
        for before in (b"", b"x", b"x" * 40):
            for end in range(len(before), len(before + escape) + 2):
                b = before + escape + b'""'
                acsl.forget()
                most = width if end >= len(before + escape) else UNKNOWN
                for at in {len(before), len(before + escape), max(len(before) - 1, 0), end, end + 1}:
                    for byte in range(4):
                        there = at < end and at == len(before) and byte < most
                        right = at <= end and (byte == 0 or there)
                        holds(right, space["cursor_ok"], b, 4 * at + byte, end)
    for first in b"A[]a":
        for byte in range(4):
            b = bytes([first]) + b'u00e9"'
            holds(byte == 0, space["cursor_ok"], b, byte, 6)
    with in_place(space, {"text_value": lambda b, at, end: saying("text")(b, end, at)}):
        b = Box(end=END, text={9: value_of(b"abcde"), 10: 0})
        for byte in range(4):
            gives(value_of(b"abcde"[byte:]), space["cursor_value"], b, 4 * 9 + byte, END)
            gives(0, space["cursor_value"], b, 4 * 10 + byte, END)


def cursors_listed(space):
    """A cursor is at byte k of a text if it is a cursor and the rest of the text is the same."""
    functions = {"cursor_ok": lambda b, cursor, end: saying("right")(b, end, cursor),
                 "cursor_value": lambda b, cursor, end: saying("rest")(b, end, cursor), **VALUES}
    text = b"abcab"
    with in_place(space, functions):
        for right, rest in itertools.product((False, True), (b"", b"b", b"ab", b"bcab", text)):
            b = Box(end=END, right={}, rest={}, texts={(1, 2): value_of(text)})
            for cursor in range(7):
                b.right[cursor], b.rest[cursor] = right, value_of(rest)
                for k in range(-1, 8):
                    wanted = right and 0 <= k <= cursor and text[k:] == rest
                    holds(wanted, space["listed_cursor"], b, END, 1, 2, k, cursor)


SECTIONS = (errors_of_data, errors_of_stage, errors_of_names, texts_of_errors, stages_of_inputs, limits_of_errors,
            tables_of_workspace, texts_listed, digits_of_values, cursors, cursors_listed)
