"""The logic at its edges: what mutants of it (make mutants-spec) have shown that no file and no small array asks.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import logic_file
import logic_view
import model
from logic_small import SAME
from logic_ask import Box, altered, constant, equal, gives, holds
from logic_view import character, entry

DTYPES = model.read_table("dtypes.tsv")
NUMBERS = {**{"E_" + name.upper(): row for name, row in model.RULES.items()},
           **{"N_" + name.upper(): row for name, row in model.STATUSES.items()},
           **{"DT_" + row["name"]: row for row in DTYPES}}
WORDS = {name: name.lower().encode() for name in ("DTYPE", "SHAPE", "DATA_OFFSETS")}
WORDS["METADATA"] = b"__metadata__"
ROOTS = ("layout_order", "distinct_4", "dtype_of", "dtype_bits", "root_within", "member_within", "root_end",
         "root_member_end", "tensor_keys", "table_before", "tensors_kept", "pairs_kept", *NUMBERS,
         *("WORD_%s_%s" % (name, half) for name in WORDS for half in ("LO", "HI")))


def codes(space):
    """The numbers of rules, statuses and dtypes, and the words that the logic knows."""
    for name, row in NUMBERS.items():
        constant(space, name, int(row["code"]))
    for name, text in WORDS.items():
        for half, part in ("LO", text[:8]), ("HI", text[8:]):
            constant(space, "WORD_%s_%s" % (name, half), int.from_bytes(part, "little"))
    known = {tuple(int.from_bytes(part, "little") for part in (name[:8], name[8:])): int(row["code"])
             for row in DTYPES for name in [row["name"].encode()]}
    for lo, hi in known:
        for word in itertools.product((lo - 1, lo, lo + 1), {hi, hi + 1, hi - 1, 0, 0x5A554E} - {-1}):
            gives(known.get(word, 0), space["dtype_of"], *word)
    bits = {int(row["code"]): int(row["bits"]) for row in DTYPES}
    for dtype in range(-1, 40):
        gives(bits.get(dtype, 0), space["dtype_bits"], dtype)


def orders(space):
    """Two tensors, and each way to name two of three places."""
    for second in (0, 1, 2):
        e = acsl.Cells([Box(begin=0, end=1), Box(begin=second, end=2), Box(begin=0, end=1)])
        rank = [(e[i].begin, e[i].end, i) for i in range(3)]
        for n in range(4):
            for a in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 0, 1), (0, 1, 1),
                      (2, 2, 2)):
                right = sorted(a[:n]) == list(range(n)) and all(rank[x] < rank[y] for x, y in zip(a[:n], a[1:n]))
                holds(right, space["layout_order"], e, acsl.Cells(list(a)), n)


def texts(space):
    """Three texts of which two may say the same, one of them by an escape."""
    acsl.forget()
    head = b'01234567"aa"\\u0061"b"'
    for key in itertools.product((9, 10, 12, 19), repeat=3):
        said = [head[at:head.index(b'"', at)].replace(b"\\u0061", b"a") for at in key]
        for n in range(4):
            holds(len(set(said[:n])) == n, space["distinct_4"], head, len(head), acsl.Cells(list(key)), n)


# ---- A header, key by key --------------------------------------------------------------------------------

TENSOR = b'"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}'
ONE, TWO, BACK = TENSOR % (b"a", 1, 0, 1), TENSOR % (b"bc", 1, 1, 2), TENSOR % (b"d", 1, 1, 0)
PAIRS = b'"__metadata__":{"k":"v","l":"w"}'
ROOT_KEYS = (), (ONE,), (PAIRS,), (PAIRS, ONE, TWO), (ONE, PAIRS, TWO), (ONE, TWO, PAIRS), (ONE, BACK)
LIMITS = {"max_tensors": 2, "max_rank": 1, "max_name": 2, "max_metadata": 2}


def headers():
    """(the head, where its root keys and its } stand, the members)"""
    for members in ROOT_KEYS:
        at, places = 9, []
        for member in members:
            places.append(at)
            at += len(member) + 1
        text = b"{%s}" % b",".join(members)
        acsl.forget()
        yield len(text).to_bytes(8, "little") + text, [*places, 8 + len(text) - 1], members


def keys(space):
    """The root from each of its keys on, within limits that are just met and just not; and what stands before."""
    for head, places, members in headers():
        end = len(head)
        plans = [Box(**{**LIMITS, name: LIMITS[name] + step}) for name in LIMITS for step in (0, -1)]
        for plan, key, seen, count, stop in itertools.product(plans, places, (0, 1), (0, 1, 2), (end, end - 1)):
            limits = [getattr(plan, name) for name in LIMITS]
            args = head, key, stop, seen, count
            for name, of in ("root_within", "root_end"), ("member_within", "root_member_end"):
                if head[key] == ord('"') and key < stop or name == "root_within":
                    gives(space[of](*args, *limits), space[name], *args, plan)
        for at, key in enumerate(places if BACK not in members else ()):
            before = len([member for member in members[:at] if member != PAIRS])
            for n, metadata, m in itertools.product(range(len(members) + 2), (0, 1), range(4)):
                met = m == 2 and PAIRS in members if metadata else m == 0 and PAIRS not in members[:at]
                holds(n == before and met, space["table_before"], head, end, key, n, metadata, m)
        for n in range(4 if BACK not in members else 0):
            holds(n <= len([member for member in members if member != PAIRS]), space["tensor_keys"], head, end, n)


def kept(space):
    """Entries and words of each room, right and wrong."""
    for head, _, members in headers():
        end, tensors = len(head), [member for member in members if member != PAIRS]
        cells = [entry(space, head, end, k) for k in range(len(tensors))]
        for room, n in itertools.product(range(4), range(len(tensors) + 1)):
            right = BACK not in tensors[:n]
            holds(n > room or right, space["tensors_kept"], acsl.Cells(cells), room, head, end, n)
            for k in range(n):
                wrong = cells[:k] + [altered(cells[k], end=cells[k].end + 2)] + cells[k + 1:]
                holds(n > room, space["tensors_kept"], acsl.Cells(wrong), room, head, end, n)
        if PAIRS in members:
            at = head.index(PAIRS)
            first = [at + PAIRS.index(quoted) + 1 for quoted in (b'"k"', b'"l"')]
            last = [at + PAIRS.index(quoted) + 1 for quoted in (b'"v"', b'"w"')]
            for room, keep, m in itertools.product(range(7), (0, 1, 2), range(3)):
                whole = [*first[:m], *[99] * (room - 2 * m), *last[:m][::-1]]
                fits = keep < 2 and (1 + keep) * m <= room
                words = whole if len(whole) == room else (first[:m] + [99] * room)[:room]
                holds(True, space["pairs_kept"], acsl.Cells(words), room, keep, head, end, m)
                for k, step in itertools.product(range(room), (1, -1)):
                    used = k < m or keep and k >= room - m
                    wrong = words[:k] + [words[k] + step] + words[k + 1:]
                    holds(not (fits and used), space["pairs_kept"], acsl.Cells(wrong), room, keep, head, end, m)
    acsl.forget()
    head = (2).to_bytes(8, "little") + b"{}"  # what is behind its } is no key
    holds(False, space["pairs_kept"], acsl.Cells([10]), 1, 0, head, 10, 1)
    holds(True, space["pairs_kept"], acsl.Cells([10]), 0, 0, head, 10, 1)


# ---- Words and characters --------------------------------------------------------------------------------

ROOTS += ("has_escape", "word_of", "is_metadata", "dtype_named", "member_named", "packed_text")


def words(space):
    """Texts from each place to each, as packed words: keywords and dtypes, plain and escaped, too long, not ASCII."""
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


# ---- Whole files, and shapes -----------------------------------------------------------------------------

ROOTS += ("nonzero", "elements", "dim_nth", "dim_nth_there", "axis_fits", "axes_fit", "nonzero_small")
WIDE = b'"%s":{"data_offsets":[%d,%d],"shape": [2 , %d],"dtype":"F4"}'
FILES = {"plain": ONE, "behind": b",".join((PAIRS, TENSOR % (b"b", 1, 1, 2), ONE)),
         "among": b",".join((ONE, PAIRS, TENSOR % (b"\\n", 0, 1, 1))), "empty": b"",
         "pairs": PAIRS, "wide": b",".join((WIDE % (b"c", 0, 2, 2), WIDE % (b"d", 3, 4, 1), TENSOR % (b"e", 1, 2, 3)))}


def whole(name):
    """All that is asked of a valid file (tests/logic_file.py), of one of these."""
    def section(space):
        acsl.forget()
        head = (len(FILES[name]) + 2).to_bytes(8, "little") + b"{%s}" % FILES[name]
        end, size = len(head), {"plain": 1, "behind": 2, "among": 1, "wide": 4}.get(name, 0)
        settings = {**model.OPTIONS, "seed": 7 << 40 | 5}
        result = model.judge(head + bytes(size), end + size, settings)
        m, n = len(result.metadata or ()), len(result.tensors)
        acsl.counts[:] = [m, n]
        acsl.points[:] = sorted({0, size, *(x for t in result.tensors for x in (t.begin, t.end))})
        equal(result.code, 0, "the code of " + name)
        logic_view.texts(space, head, end)
        logic_file.judgement(space, head, end + size, settings, result)
        cells = [entry(space, head, end, k) for k in range(n)]
        order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
        logic_file.file(space, head, end, m, n, size, result, settings["seed"], [])
        logic_file.accepted(space, head, end, cells, order, m, size, settings["seed"])
        acsl.counts[:], acsl.points[:] = [0, 0], []
        acsl.forget()
    section.__name__ = "whole_" + name
    return section


def shapes(space):
    """Dims up to a limit, read to an end that may cut them: how many, their products, which axes fit."""
    big = (1 << 64) - 1
    for dims in ((2, 3), (0, 5), (5, 0, 7), (big, 1), (big, 2), (1 << 32, 1 << 32, 0), (3,), (12, 34), ()):
        text = b"[" + b" ,".join(b"%d" % dim for dim in dims)
        for cut, tail in itertools.product((-1, 0, 1), (b"]]", b"99")):
            acsl.forget()
            b, end = b"0" * 8 + text + tail, 8 + len(text) - cut
            read = [int(part) for part in b[9:end].replace(b"]", b" ").split(b",") if part.strip()]
            product = filled = 1
            made = [1]
            for k, dim in enumerate(read):
                gives(product, space["elements"], b, 9, end, k)
                gives(filled, space["nonzero"], b, 9, end, k)
                there = dim <= big and not (k == len(read) - 1 and b[end - 1:end].isdigit())  # the end cuts no number
                holds(there, space["dim_nth_there"], b, 9, end, k)
                gives(dim, space["dim_nth"], b, 9, end, k)
                for stop in {0, dim - 1, dim, dim + 1} - {-1}:
                    for start, step in itertools.product({0, stop, stop + 1}, (0, 1, 2)):
                        axis = acsl.Cells([Box(start=0, stop=0, step=1)] * k + [Box(start=start, stop=stop, step=step)])
                        fits = there and step >= 1 and start <= stop <= dim
                        holds(fits, space["axis_fits"], b, 9, end, axis, k)
                        holds(fits, space["axes_fit"], b, 9, end, axis, k + 1)
                product, filled = product * dim, filled * (dim or 1)
                made.append(filled)
                gives(filled, space["nonzero"], b, 9, end, k + 1)
                holds(max(made) <= big, space["nonzero_small"], b, 9, end, k + 1)
            holds(False, space["dim_nth_there"], b, 9, end, len(read))


ROOTS += ("whole_broken", "broken_whole", "judged_names", "judged_data", "whole", "valid_whole")
SPANS = (0, 1), (0, 2), (1, 2), (1, 1), (2, 3), (0, 0)
TWICE = b'"__metadata__":{"k":"","\\u006b":"","l":""}', b'"__metadata__":{"k":"","l":"","l":""}'


def broken(space):
    """Stage G of two tensors wherever they lie, and of names and keys that say the same: the rule, the byte, and no
    other."""
    made = [(TENSOR % (b"a", y - x, x, y), TENSOR % (b"b", z - w, w, z)) for (x, y), (w, z) in
            itertools.product(SPANS, repeat=2)]
    made += [(ONE, TENSOR % (name, 1, 1, 2), TWO) for name in (b"a", b"\\u0061", b"bc", b"c")]
    made += [(*before, pairs, *after) for pairs in (*TWICE, PAIRS) for before, after in (((), ()), ((ONE,), (ONE,)))]
    made += [(TENSOR % (b"a", 3, 0, 3), TENSOR % (b"b", 0, 2, 2), TENSOR % (b"c", 0, 1, 1))]
    codes_of = [int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")]
    for members, size in itertools.product(made, (2, 3)):
        text = b"{%s}" % b",".join(members)
        head = len(text).to_bytes(8, "little") + text
        acsl.forget()
        end, n = len(head), len([member for member in members if b"dtype" in member])
        m = head.count(b'":""') + 2 * (PAIRS in members)
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


ROOTS += ("tables_judged", "axes_some", "axes_ready", "axes_measured", "run_inside", "shape_fits", "slice_fits",
          "entry_same", "entries_same", "axes_kept", "need_same", "view_same", "words_same")


def rooms(space):
    """What stage G leaves: with values and without, with room to spare, and of entries that are not the header's."""
    for name in ("behind", "wide", "pairs"):
        acsl.forget()
        head = (len(FILES[name]) + 2).to_bytes(8, "little") + b"{%s}" % FILES[name]
        end, size = len(head), {"behind": 2, "wide": 4}.get(name, 0)
        m, n = 2 * (PAIRS in FILES[name]), FILES[name].count(b"dtype")
        acsl.counts[:], acsl.points[:] = [m, n], list(range(12))
        cells = [entry(space, head, end, k) for k in range(n)]
        order = sorted(range(n), key=lambda k: (cells[k].begin, cells[k].end, k))
        v = logic_view.view(space, head, end, cells, order, m, size, 3)
        front, last = v.key + v.key_slot + v.order + v.name + v.name_slot, v.value
        for keep, spare in itertools.product((0, 1, 2), (0, 1, 3)):
            for values in ([*last], [x + 1 for x in last], [8] * m, [*last[:-1], end], [end, *last[1:]]):
                words = front + [99] * spare + values[:m]
                right = keep != 1 or values[:m] == last
                holds(right, space["tables_judged"], acsl.Cells(cells), acsl.Cells(words), len(words), keep, head, end,
                      m, n, size, space["secret"](3))
        args = len(front + last), 1, head, end
        words = acsl.Cells(front + last)
        for k, fields in itertools.product(range(n), ({"begin": 1}, {"end": 1}, {"name": 1}, {"shape": 1 << 59})):
            other = altered(cells[k], **{field: getattr(cells[k], field) + step for field, step in fields.items()})
            holds(False, space["tables_judged"], acsl.Cells(cells[:k] + [other] + cells[k + 1:]), words, *args, m, n,
                  size, space["secret"](3))
        for wrong in ((m, n, size + 1), (m, n + (n == 0), size - 1), (m + 1, n, size), (m, n + 1, size),
                      (m - 1, n, size)):
            holds(False, space["tables_judged"], acsl.Cells(cells), words, *args, *wrong, space["secret"](3))
        holds(False, space["tables_judged"], acsl.Cells(cells), words, *args, m, n, size, space["secret"](4))
    acsl.counts[:], acsl.points[:] = [0, 0], []


def axes_again(space):
    """Two axes of which one is not ready; steps above 1; tensors as large as can be."""
    good = Box(start=0, stop=2, step=1, dim=2)
    for other, some, ready in ((good, True, True), (altered(good, step=2), True, True),
                               (altered(good, step=0), True, False),
                               (altered(good, stop=0), False, False), (altered(good, stop=3), True, False)):
        for pair in ([good, other], [other, good]):
            holds(some, space["axes_some"], acsl.Cells(pair), 2)
            holds(ready, space["axes_ready"], acsl.Cells(pair), 2)
    big = (1 << 61) - 1
    for dims in ((2, 3), (big,), (1, big), (1 << 32, 1 << 32), (0, 2)):
        acsl.forget()
        b = b"01234567[%s]" % b",".join(b"%d" % dim for dim in dims)
        axis = [Box(start=0, stop=dim, step=1, dim=dim) for dim in dims]
        holds(True, space["axes_measured"], b, 9, len(b), acsl.Cells(axis), len(dims))
        made = filled = 1
        for k, dim in enumerate(dims):
            wrong = axis[:k] + [altered(axis[k], dim=dim + 1)] + axis[k + 1:]
            holds(False, space["axes_measured"], b, 9, len(b), acsl.Cells(wrong), len(dims))
            made, filled = made * dim, filled * (dim or 1)
        n = len(dims)
        for bits, left in itertools.product((0, 1, 7, 8, 9), (n - 1, n, n + 1)):
            for size in {made * bits, made * bits + 1}:
                right = n <= left and filled < 1 << 64 and filled * bits < 1 << 64 and size == made * bits
                holds(right, space["shape_fits"], b, 9, left, len(b), acsl.Cells(axis), n, bits, size)
        for begin, bits in itertools.product((0, 1 << 61), (0, 4, 8)):
            for end in {begin + made * bits // 8, begin + made * bits // 8 + 1, begin + made, begin - 1}:
                tensor = Box(rank=n, bits=bits, begin=begin, end=end, dims=Box(at=9, left=n))
                right = bits >= 1 and 8 * (end - begin) == made * bits and filled * bits < 1 << 64
                holds(right, space["slice_fits"], b, len(b), acsl.Cells([tensor]), acsl.Cells(axis), n)
    for skip in (7, 8, 9):
        run = acsl.Cells([Box(byte=10, skip=skip, bits=1)])
        holds(skip < 8, space["run_inside"], run, acsl.Cells([Box(begin=10, bits=64)]))


def less(space):
    """What is less than it was is not as it was."""
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


SECTIONS = (codes, orders, texts, keys, kept, words, shapes, axes_again, less, broken, *map(whole, FILES), rooms)
