"""The logic beside the grammar, on all small arrays: what is said of places, slots, intervals, axes, and of two states.

    for section in SECTIONS: section(space)    raises Wrong

Each predicate is compared with the same in Python, over arrays of a few small numbers.
"""
import itertools
import re
from types import SimpleNamespace

import acsl
import model
from logic_ask import Box, altered, constant, gives, holds, one
from logic_view import character

ROOTS = ("words_for", "judged_whole", "number_byte", "hex_byte", "went_on", "lands", "lands_on", "head_ok",
         "places", "among", "distinct_2", "permutation", "words_below", "keys_inside", "slots_name", "texts_ok",
         "visited", "on_way", "placed", "stored_4", "covered", "twice", "once_below", "begins_inside",
         "empty_within", "filled", "intervals", "layout_fits", "partition", "tensor_has", "layout_before",
         "layout_ascends", "axis_fits", "axes_fit", "axes_measured", "axis_some", "axes_some", "axes_ready",
         "axes_whole", "times", "ratio", "axis_rows", "slice_rows", "axis_next", "first_next", "axes_walked",
         "axes_laid", "axes_kept", "shape_fits", "slice_fits", "run_inside", "need_same", "view_same", "entry_same",
         "entries_same", "words_same", "hash_secret", "counted", "plan_ok", "judge_input", "judge_output",
         "judge_workspace", "judge_apart", "judge_options", "judge_view", "word_length", "distinct_5", "absent",
         "pairs_ok", "hash_home", "unlimited", "unless_stopped",
         "utf8_tails", "utf8_second_low", "utf8_second_high", "utf8_tail", "hex_value", "escape_code", "is_digit",
         "is_number_byte", "value_kind", "low_surrogate_byte", "char_end")
TOP = (1 << 64) - 1


def numbers(space):
    passed = {0, 4} | {int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")}
    for code in range(70):
        holds(code in passed, space["judged_whole"], code)
    for byte in range(256):
        holds(chr(byte) in "0123456789+-.eE", space["number_byte"], byte)
        holds(chr(byte) in "0123456789abcdefABCDEF", space["hex_byte"], byte)
    for n, m in ((0, 0), (1, 0), (0, 1), (5, 7)):
        for keep in (0, 1, 2):
            gives(4 * n + (4 if keep == 1 else 3) * m, space["words_for"], n, m, keep)
    gives(0, space["word_length"], 0)
    gives(0, space["word_length"], -1)
    for k in range(12):
        for word in (256**k, 256**(k + 1) - 1):
            gives(k + 1, space["word_length"], word)
    for first in (-1, 0, (1 << 29) - 1, 1 << 29):
        for second in (0, (1 << 29) - 1, 1 << 29):
            secret = first << 32 | second
            holds(0 <= first < 1 << 29 and second < 1 << 29, space["hash_secret"], secret)


def steps(space):
    stop = 1 << 32
    constant(space, "unlimited", TOP)
    for step in (-1, 0, 1, 4, 5, 6, 7, stop - 1, stop, stop + 1):
        holds(0 <= step < stop, space["went_on"], step)
        gives(3 if step < stop else step, space["unless_stopped"], step, 3)
        for low, high in ((5, 5), (5, 6), (4, 6), (6, 7), (0, stop)):
            holds(not 0 <= step < stop or low <= step <= high, space["lands"], step, low, high)
            holds(not 0 <= step < stop or low <= step < high, space["lands_on"], step, low, high)
    for size in (0, 1, 9):
        for end in (-1, 0, 1, 8, 9, 10):
            holds(0 <= end <= size, space["head_ok"], bytes(size), end)
    for end in (100000008, 100000009):
        holds(end == 100000008, space["head_ok"], Long(end), end)


def bytes_alone(space):
    escapes = dict(zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t'))
    for c in range(-1, 257):
        char = chr(max(c, 0))
        tails = 1 if 0xC2 <= c <= 0xDF else 2 if 0xE0 <= c <= 0xEF else 3 if 0xF0 <= c <= 0xF4 else 0
        gives(tails, space["utf8_tails"], c)
        low, high = {0xE0: 0xA0, 0xF0: 0x90}.get(c, 0x80), {0xED: 0x9F, 0xF4: 0x8F}.get(c, 0xBF)
        gives(low, space["utf8_second_low"], c)
        gives(high, space["utf8_second_high"], c)
        for k, byte in itertools.product((1, 2, 3), (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)):
            right = low <= byte <= high if k == 1 else 0x80 <= byte <= 0xBF
            gives(int(right), space["utf8_tail"], c, k, byte)
        digit = int(char, 16) if char in "0123456789abcdefABCDEF" and c >= 0 else -1
        gives(digit, space["hex_value"], c)
        gives(escapes.get(c, 0), space["escape_code"], c)
        gives(int(48 <= c <= 57), space["is_digit"], c)
        gives(int(c >= 0 and char in "0123456789+-.eE"), space["is_number_byte"], c)
        kind = c if c in (34, 91, 123) else 48 if 48 <= c <= 57 or c == 45 else 110 if c in (110, 116, 102) else 0
        gives(kind, space["value_kind"], c)
        for k in range(6):
            right = (c == 92, c == 117, c in (68, 100), digit >= 12, digit >= 0, digit >= 0)[k]
            gives(int(right), space["low_surrogate_byte"], k, c)


SECOND = (0x00, 0x1F, 0x20, 0x22, 0x2F, 0x30, 0x39, 0x3A, 0x41, 0x5C, 0x62, 0x75, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
          0xBF, 0xC0, 0xFF)
UNITS = (b"0000", b"0001", b"000g", b"00G0", b"D7ff", b"D800", b"dBFF", b"DC00", b"dfff", b"E000", b"FFFF", b":000",
         b"0/00")


def characters(space):
    """Where a character ends, in the middle and at the end of the header, whole and cut."""
    texts = [bytes((first, second)) + tail for first in range(256) for second in SECOND
             for tail in ((b"", b"\x80\x80", b"\xBF\x7F") if first >= 0xC0 and second >= 0x7F else (b"\x80",))]
    units = [b"\\u" + one + rest + other for one in UNITS for rest in (b"", b"\\u", b"\\U", b"/u", b"\\")
             for other in (UNITS if rest == b"\\u" else (b"DC00",))]
    for text in texts + units + [unit[:k] for unit in units[::3] for k in range(1, len(unit))]:
        code, end = character(text, 0, len(text))
        stopped = text[0] < 0x20 or code == 0xFFFD and end == 1
        why = code_of(text) if stopped else None
        stop = why << 32 | (len(text) if why == EARLY else 0) if stopped else end
        gives(stop, space["char_end"], text, 0, len(text))


EARLY, CONTROL, UTF8, ESCAPED, SURROGATE, NUL = 35, 39, 40, 41, 42, 43


def code_of(text):
    """Why a text does not begin with a character: the first byte that can't be, or its end."""
    if text[0] < 0x20:
        return CONTROL
    if text[0] >= 0x80:
        for width in range(1, len(text) + 1):
            try:
                text[:width].decode("utf-8")
            except UnicodeDecodeError as error:
                if error.reason != "unexpected end of data":
                    return UTF8
        return EARLY
    if re.fullmatch(rb"\\(?:u[0-9a-fA-F]{0,3})?", text):
        return EARLY
    unit = re.match(rb"\\u([0-9a-fA-F]{4})", text)
    if not unit:
        return ESCAPED
    number = int(unit.group(1), 16)
    if number == 0:
        return NUL
    low = rb"\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]{0,1})?)?)?"
    return EARLY if number < 0xDC00 and re.fullmatch(low, text[6:]) or len(text) == 6 and number < 0xDC00 else SURROGATE


class Long:
    """Many bytes."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


def arrays(space):
    """Of a[lo .. hi), over all small arrays."""
    for a in itertools.product(range(4), repeat=3):
        cells = acsl.Cells(list(a))
        for n in range(4):
            holds(len(set(a[:n])) == n, space["distinct_2"], cells, n)
            holds(sorted(a[:n]) == list(range(n)), space["permutation"], cells, n)
            for limit in range(5):
                holds(all(x < limit for x in a[:n]), space["words_below"], cells, n, limit)
                holds(all(x <= limit for x in a[:n]), space["keys_inside"], cells, n, limit)
    for a in itertools.product(range(3), repeat=3):
        for lo, hi, n in itertools.product(range(4), range(4), range(4)):
            holds(all(x < n for x in a[lo:hi]), space["places"], acsl.Cells(list(a)), lo, hi, n)
            holds(n in a[lo:hi], space["among"], acsl.Cells(list(a)), lo, hi, n)
    for a in itertools.product((8, 9, 10, 11), repeat=2):
        for lo, hi, end in itertools.product(range(3), range(3), (10, 11)):
            holds(all(9 <= x < end for x in a[lo:hi]), space["texts_ok"], acsl.Cells(list(a)), lo, hi, end)
    for slot in itertools.product((0, 1, 2, 3, 1 << 24, (1 << 24) + 1), repeat=2):
        for size, n in itertools.product(range(3), range(3)):
            right = all(x == 0 or 0 <= x % (1 << 24) - 1 < n for x in slot[:size])
            holds(right, space["slots_name"], acsl.Cells(list(slot)), size, n)


def tables(space):
    """The index: ways round a table, and what stands on them."""
    for size in (1, 2, 3, 5):
        for home, p, q in itertools.product(range(size), repeat=3):
            way = [(home + d) % size for d in range((p - home) % size + 1)]
            holds(q in way, space["on_way"], home, p, q)
            for count in range(size + 1):
                holds((q - home) % size < count, space["visited"], home, count, size, q)
    acsl.points[:] = range(4)
    for hash_ in (5, 1 << 30, (3 << 29) + 7):
        tag = (hash_ % 256) << 24
        for slot in itertools.product((0, tag | 1, tag | 2, (tag ^ 1 << 24) | 1), repeat=3):
            home = hash_ * 3 >> 31
            at = [p for p in range(3) if slot[p] == tag | 1
                  and all(slot[(home + d) % 3] for d in range((p - home) % 3 + 1))]
            holds(bool(at), space["stored_4"], acsl.Cells(list(slot)), 3, 0, hash_)
            for p in range(-1, 4):
                holds(p in at, space["placed"], acsl.Cells(list(slot)), 3, 0, hash_, p)
    for far in (255, 256, 257):  # slots from its home on
        slot = [1 << 24 | 2] * 600
        slot[far] = 1
        holds(far < 256, space["placed"], acsl.Cells(slot), 600, 0, 0, far)
    head = b'01234567"aa"\\u0061"b"'
    for key in itertools.product((9, 10, 12, 19), repeat=2):
        said = [head[at:head.index(b'"', at)].replace(b"\\u0061", b"a") for at in key]
        for n in range(3):
            holds(len(set(said[:n])) == n, space["distinct_5"], head, len(head), acsl.Cells(list(key)), n) \
                if "distinct_5" in space else None
            for text, value in ((b"a", 98), (b"b", 99), (b"aa", 98 + 257 * 98)):
                holds(text not in said[:n], space["absent"], head, len(head), acsl.Cells(list(key)), n, value)


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


HEAD = b"01234567[2,0,3]"
DIMS = (2, 0, 3)


def axes(space):
    for start, stop, step, dim in itertools.product(range(3), range(4), range(2), range(4)):
        a = one(Box(start=start, stop=stop, step=step, dim=dim))
        holds(start < stop, space["axis_some"], a, 0)
        holds(start < stop, space["axes_some"], a, 1)
        holds(start < stop <= dim and step >= 1, space["axes_ready"], a, 1)
        holds(dim == 2, space["axes_measured"], HEAD, 9, len(HEAD), a, 1)
        fits = step >= 1 and start <= stop <= 2
        holds(fits, space["axis_fits"], HEAD, 9, len(HEAD), a, 0)
        holds(fits, space["axes_fit"], HEAD, 9, len(HEAD), a, 1)
    right = [Box(start=0, stop=dim, step=1, dim=dim) for dim in DIMS] + [Box(start=0, stop=0, step=1, dim=0)]
    for n in range(5):
        holds(n <= 3, space["axes_fit"], HEAD, 9, len(HEAD), acsl.Cells(right), n)
        for k in range(min(n, 3)):
            wrong = right[:k] + [altered(right[k], stop=right[k].stop + 1, dim=9)] + right[k + 1:]
            holds(False, space["axes_fit"], HEAD, 9, len(HEAD), acsl.Cells(wrong), n)
            holds(False, space["axes_measured"], HEAD, 9, len(HEAD), acsl.Cells(wrong), n)


def slices(space):
    end = len(HEAD)
    axis = acsl.Cells([Box(start=0, stop=dim, step=1, dim=dim) for dim in DIMS])
    for n, left, bits, size in itertools.product(range(4), range(5), (1, 4, 8), (0, 2, 8, 16, 48)):
        made = (1, 2, 0, 0)[n] * bits
        holds(n <= left and made == size, space["shape_fits"], HEAD, 9, left, end, axis, n, bits, size)
    for bits in ((1 << 62) + (1 << 61), 1 << 63, (1 << 64) - 1):
        holds(6 * bits < 1 << 64 or False, space["shape_fits"], HEAD, 9, 3, end, axis, 3, bits, 0)
    tensor = Box(rank=3, bits=8, begin=5, end=5, dims=SimpleNamespace(at=9, left=3))
    short, later = SimpleNamespace(at=9, left=2), SimpleNamespace(at=10, left=3)
    for fields in ({}, {"bits": 1}, {"rank": 2}, {"rank": 4}, {"bits": 0}, {"begin": 6}, {"end": 6}, {"end": 4},
                   {"begin": 0, "end": 1}, {"dims": short}, {"dims": later}):
        right = fields in ({}, {"bits": 1})
        holds(right, space["slice_fits"], HEAD, end, one(altered(tensor, **fields)), axis, 3)
    tensor = Box(rank=1, bits=8, begin=5, end=7, dims=SimpleNamespace(at=9, left=3))
    for fields, right in (({}, True), ({"end": 6}, False), ({"end": 8}, False), ({"bits": 7}, False)):
        holds(right, space["slice_fits"], HEAD, end, one(altered(tensor, **fields)), axis, 1)
    for byte, skip, bits, size in itertools.product((9, 10, 11), (0, 1, 7, 8), (0, 1, 2, 8), (0, 1, 8, 9, 16)):
        right = byte >= 10 and skip < 8 and bits >= 1 and 8 * (byte - 10) + skip + bits <= size
        holds(right, space["run_inside"], one(Box(byte=byte, skip=skip, bits=bits)), one(Box(begin=10, bits=size)))


def rows(space):
    """Slices of whole rows."""
    for all_, n, each, d in itertools.product(range(-1, 7), range(4), range(4), range(4)):
        holds(all_ == n * each, space["times"], all_, n, each)
        holds(all_ * d == n * each, space["ratio"], all_, each, n, d)
    sides = [Box(start=start, stop=stop, step=step, dim=dim)
             for start, stop, step, dim in itertools.product((0, 1), (0, 1, 2, 3), (1, 2), (1, 2, 3))]
    whole = [a.start == 0 and a.stop == a.dim and 1 in (a.step, a.dim) for a in sides]
    for (a, x), (b, y) in itertools.product(zip(sides, whole), repeat=2):
        for k, right in ((0, x and y), (1, y), (2, True)):
            holds(right, space["axes_whole"], acsl.Cells([a, b]), k, 2)
        holds(x, space["axes_whole"], acsl.Cells([a, b]), 0, 1)
    for a in sides:
        for row, first, run, walked in itertools.product((1, 8), (0, 1, 7, 8), (0, 1, 8, 16, 24), (0, 1)):
            right = first == a.start * row and (a.step != 1 or (run == (a.stop - a.start) * row and walked == 0))
            holds(right, space["axis_rows"], one(a), 0, row, first, run, walked)
            right = first == a.start * row and (a.step != 1 or (run == (a.stop - a.start) * row and walked == 1))
            holds(right, space["axis_rows"], acsl.Cells([sides[-1], a]), 1, row, first, run, walked)
            bits = a.dim * row
            right = walked == 0 and first == a.start * row and run == (a.stop - a.start) * row
            holds(right, space["slice_rows"], one(Box(axes=walked, first=first, run=run, bits=bits)), one(a))


def walked(axes, first):
    """Which axis takes its next element, and where the run begins then."""
    for k in reversed(range(len(axes))):
        if axes[k].gone + axes[k].jump < axes[k].span and first + axes[k].jump <= TOP:
            return k, first + axes[k].jump
        first -= axes[k].gone
        if first < 0:
            break
    return -1, -1


def walks(space):
    """From one run of a slice to the next."""
    sides = [Box(gone=gone, jump=jump, span=span) for gone, jump, span in itertools.product((0, 2), (1, 2), (2, 3, 5))]
    for n in range(4):
        for axes in itertools.islice(itertools.product(sides, repeat=n), 0, None, (1, 1, 1, 7)[n]):
            for first in (0, 1, 2, 3, 7, TOP - 2, TOP - 1, TOP):
                k, begin = walked(axes, first)
                old = list(axes)
                gives(k, space["axis_next"], acsl.Cells(old), n, first)
                gives(begin, space["first_next"], acsl.Cells(old), n, first)
                new = [altered(a, gone=a.gone if j < k else a.gone + a.jump if j == k else 0)
                       for j, a in enumerate(axes)]
                holds(True, space["axes_walked"], acsl.Cells(new, 0, old), n, first)
                for j in range(n):
                    wrong = new[:j] + [altered(new[j], gone=new[j].gone + 1)] + new[j + 1:]
                    holds(k < 0, space["axes_walked"], acsl.Cells(wrong, 0, old), n, first)


SAME = {"need_same": ("tensors", "pairs", "entries", "words"),
        "view_same": ("tensors", "pairs", "metadata", "data_begin", "data_size", "seed"),
        "entry_same": ("begin", "end", "name", "shape"), "entries_same": ("begin", "end", "name", "shape"),
        "axes_kept": ("start", "stop", "step"), "axes_laid": ("dim", "span", "jump")}


def states(space):
    """What is as it was."""
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


def memory(space):
    """What may be read and written, and lies apart."""
    entry, word = acsl.Cells([0] * 3), acsl.Cells([0] * 5)
    work = one(Box(entry=entry, entries=3, word=word, words=5))
    need, error, view, options = (one(Box()) for _ in range(4))
    for size in (0, 4, 5):
        holds(size <= 4, space["judge_input"], bytes(4), size, None)
        holds(size <= 4, space["judge_input"], bytes(4), size, options)
    holds(False, space["judge_input"], bytes(4), 4, acsl.Cells([]))
    none = acsl.Cells([])
    for a, b, c in itertools.product((need, error, options, none), repeat=3):
        holds(none not in (a, b) and len({a, b, c}) == 3, space["judge_output"], a, b, c)
    holds(True, space["judge_output"], need, error, None)
    for entries, words in itertools.product((0, 2, 3, 4), (0, 4, 5, 6)):
        given = one(Box(entry=entry, entries=entries, word=word, words=words))
        holds(entries <= 3 and words <= 5, space["judge_workspace"], given)
        found = one(Box())
        plan = Box(entry=entry, entries=entries, word=word, words=words, keep=1)
        holds(entries <= 3 and words <= 5, space["plan_ok"], plan, found)
    for keep, right in ((0, True), (1, True), (2, False)):
        holds(right, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5, keep=keep), need)
    parts = [work, entry, entry + 2, word, word + 4]
    both = one(Box(entry=entry, entries=3, word=entry, words=1))
    holds(False, space["judge_workspace"], both)
    itself = Box(entries=1, word=word, words=5)
    itself.entry = one(itself)
    holds(False, space["judge_workspace"], itself.entry)
    for part in parts:
        holds(False, space["judge_apart"], work, part, error)
        holds(False, space["judge_apart"], work, need, part)
        holds(False, space["judge_view"], part, work, options, need, error)
    for part in parts[1:]:
        holds(False, space["judge_options"], work, part)
        holds(False, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5, keep=1), part)
    for part in (options, need, error, none):
        holds(False, space["judge_view"], part, work, options, need, error)
    holds(False, space["plan_ok"], Box(entry=entry, entries=3, word=word, words=5, keep=1), none)
    holds(True, space["judge_apart"], work, need, error)
    holds(True, space["judge_options"], work, options)
    holds(True, space["judge_options"], work, work)
    holds(True, space["judge_view"], view, work, options, need, error)
    for metadata, tensors, pairs, at in itertools.product((0, 1, 2), (0, 1, 2), (0, 1, 2), (5, 6, 7, 12)):
        right = metadata <= 1 and 6 * tensors <= at and 6 * pairs <= at
        holds(right, space["counted"], one(Box(metadata=metadata, tensors=tensors, pairs=pairs)), at)
    for words in itertools.product((8, 9, 19, 20), repeat=2):
        for n, keep in itertools.product(range(4), (0, 1)):
            front, room = words[:n], 2 * n <= 2 if keep else n <= 2
            used = [*front, *(words[2 - n:] if keep and n else ())]
            right = not room or all(9 <= x < 20 for x in used)
            holds(right, space["pairs_ok"], acsl.Cells(list(words)), 2, keep, n, 20)


SECTIONS = (numbers, steps, bytes_alone, characters, arrays, tables, intervals, axes, slices, rows, walks, states,
            memory)
