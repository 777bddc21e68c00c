"""Stage G and the table beyond what a valid file has: fewer tensors than the header's, offsets that go back, keys that
repeat what stands behind the last one, members behind the root's }.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_layout import BEGIN, fields_of, stage_g
from logic_parser import CODES
from logic_tables import TENSOR
from logic_ask import NONE, Box, holds, one
from logic_file import options
from logic_view import entry, slots, view, whole_view

ROOTS = ("empty_inside", "judged_data", "whole", "whole_broken", "judged_names", "keys_differ", "names_differ",
         "valid_whole", "broken_whole", "view_finds", "tensor_count", "pair_count", "table_before", "valid",
         "room_short", "need_says", "layout_judged", "twice", "layout_hole", "layout_empty_inside", "judged_whole",
         "entry_says", "tensor_says", "tables_judged", "tensors_kept")
RULES = "truncated", "overlap", "hole", "empty_inside"
NAMED = b'"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'


def of(text):
    return len(text).to_bytes(8, "little") + text


# ---- Data ------------------------------------------------------------------------------------------------

SPANS = (((0, 2), (1, 3), (0, 9)), ((2, 2), (0, 1), (1, 3)), ((0, 3), (2, 2), (1, 1)), ((1, 2), (1, 2), (0, 1)),
         ((0, 1), (0, 1), (0, 9)), ((0, 3), (1, 1), (0, 9)), ((1, 1), (0, 5), (0, 1)), ((0, 3), (1, 1), (0, 1)),
         ((1, 1), (0, 3), (2, 2)), ((0, 4), (1, 1), (3, 2)), ((0, 4), (1, 1), (2, 1)), ((0, 2), (2, 2), (1, 1)),
         ((0, 1), (1, 2), (2, 0)))  # only the last goes back: behind it nothing is read


def data(space):
    """Of the first n of three tensors, wherever they begin and end: the rule, the byte, and no other."""
    for spans in SPANS:
        head = of(b"{%s}" % b",".join(TENSOR % (b"%d" % k, max(x - b, 0), b, x) for k, (b, x) in enumerate(spans)))
        end = len(head)
        acsl.forget()
        acsl.points[:] = range(-1, 11)
        for n in range(4):
            for p in range(4):
                empty = any(b == x == p and any(c < p < y for c, y in spans[:n]) for b, x in spans[:n])
                holds(empty, space["empty_inside"], head, end, n, p)
            for size in {-1, 1, 3, max([0, *(x for _, x in spans[:n])])}:
                judged(space, head, end, spans[:n], size)
    acsl.points[:] = []


def judged(space, head, end, spans, size):
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
        for rule, said in zip(RULES, right):
            code = CODES[rule], end + p
            holds(said, space["judged_data"], head, end, len(spans), size, *code)
            if size > 2:
                holds(said, space["whole_broken"], head, end, 0, len(spans), size, *code)
    holds(there and sound and not empties, space["whole"], head, end, 0, len(spans), size)


def layouts(space):
    """Holes behind two tensors, empty tensors behind one that ends there, intervals that go back."""
    acsl.points[:] = range(-1, 6)
    for sides, size in ((((0, 1), (1, 2), (3, 4)), 4), (((2, 2), (0, 3), (1, 1)), 3), (((0, 1), (1, 1), (0, 3)), 3),
                        (((1, 1), (0, 3), (1, 1)), 3), (((0, 2), (1, 2), (2, 3)), 3)):
        e, n = acsl.Cells([Box(begin=b, end=x) for b, x in sides]), len(sides)
        name, offset, *fields = stage_g(sides, size)
        for rule, at in itertools.product(RULES, range(BEGIN - 1, BEGIN + 5)):
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


# ---- Names -----------------------------------------------------------------------------------------------

def named(space):
    """Keys and names that are the text behind the last one's }: they repeat nothing. Others that do."""
    some = ((b",",), (b"",)), ((b"",), (b"",)), ((b"a", b""), (b"a", b"")), ((b",", b","), ()), \
        ((b"", b""), (b"", b"")), ((), (b"", b"a", b"a")), ((b"}",), (b"",)), ((b",",), (b"a", b"a"))
    for (keys, names), behind in itertools.product(some, (0, 1)):
        members = [NAMED % name for name in names]
        metadata = [b'"__metadata__":{%s}' % b",".join(b'"%s":""' % key for key in keys)] if keys else []
        head = of(b"{%s}" % b",".join(members + metadata if behind else metadata + members))
        end, m, n = len(head), len(keys), len(names)
        acsl.forget()
        acsl.counts[:], acsl.points[:] = [m + 1, n + 1], [0, 1]
        for size in (0, 1):
            result = model.judge(head + bytes(size), end + size)
            holds(result.code == 0, space["whole"], head, end, m, n, size)
            holds(result.code == 0, space["valid_whole"], head, end + size)
            codes = [CODES[name] for name in ("metadata_key_twice", "name_twice", "hole")]
            for code, offset in itertools.product(codes, places(space, head, end, m, n)):
                right = (code, offset) == (result.code, result.offset)
                of_names = right and code in (CODES["metadata_key_twice"], CODES["name_twice"])
                holds(of_names, space["judged_names"], head, end, m, n, code, offset)
                holds(right, space["whole_broken"], head, end, m, n, size, code, offset)
                holds(right, space["broken_whole"], head, end + size, code, offset)
        if model.judge(head, end).code == 0:
            found(space, head, end, m, n)
    acsl.counts[:], acsl.points[:] = [0, 0], []


def places(space, head, end, m, n):
    """Where keys stand, and where the logic goes on behind the last."""
    said = set()
    for name, count in ("pair_key", m), ("tensor_key", n):
        for k in range(-1, count + 3):
            try:
                said.add(space[name](head, end, k))
            except acsl.Fault:
                pass
    return sorted({end, end + 1, *said})


def found(space, head, end, m, n):
    """The index of a view of that file."""
    cells = [entry(space, head, end, k) for k in range(n)]
    acsl.points[:] = range(12)
    v = view(space, head, end, cells, list(range(n)), m, 0, 3)
    holds(True, space["view_finds"], whole_view(v))
    acsl.points[:] = [0, 1]


# ---- The table -------------------------------------------------------------------------------------------

ONE = b'{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
# Members that go on behind the root's }, as if it were the opening quote of a key: how many tensors stand before it.
BEHIND = ((b'{}":%s,"b":%s}' % (ONE, ONE), 0), (b'{"a":%s}":%s,"b":%s}' % (ONE, ONE, ONE), 1),
          (b'{}":%s}' % ONE, 0), (b'{"a":%s}":%s}' % (ONE, ONE), 1))


def counts(space):
    """Whatever stands behind the }, there are as many as before it."""
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
        pairs = text.replace(ONE, b'""')
        head = of(b'{"__metadata__":%s}' % pairs)
        acsl.forget()
        acsl.counts[:] = [4, 0]
        for n in range(-1, 5):
            holds(n == count, space["pair_count"], head, len(head), n)
    one_byte = b'"shape":[1],"data_offsets":[0,1]'
    behind = ONE.replace(b'"shape":[0],"data_offsets":[0,0]', one_byte)
    head = of(b'{"a":%s}":%s}' % (behind, behind))
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [0, 2], range(4)
    for size in range(4):
        wanted = [("truncated", end)] if size == 0 else [("hole", end + 1)] if size > 1 else []
        holds(not wanted, space["valid_whole"], head, end + size)
        for rule, offset in itertools.product(RULES, range(end - 1, end + 5)):
            holds((rule, offset) in wanted, space["broken_whole"], head, end + size, CODES[rule], offset)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    acsl.forget()


def rooms(space):
    """A header that is cut has no number of tensors; too few words for more tensors than there are is no lack."""
    whole = b'{"__metadata__":{"k":"v"},"a":%s,"b":%s}' % (ONE, ONE)
    for cut in (0, 1, 2, len(whole) - 12):
        acsl.forget()
        head = (len(whole) - cut).to_bytes(8, "little") + whole + b" " * 99
        acsl.counts[:] = [3, 4]
        for entries, words, keep in itertools.product((1, 2, 3), (10, 11, 12, 13), (0, 1)):
            short = entries < 2 or words < 8 + 3 + keep
            holds(cut == 0 and short, space["room_short"], head, entries, words, keep)
        for tensors, pairs, keep in itertools.product((1, 2, 3), (0, 1, 2), (0, 1)):
            need = Box(head=8 + len(whole) - cut, tensors=tensors, pairs=pairs, entries=tensors,
                       words=4 * tensors + (3 + keep) * pairs)
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
    """A table that is right but for a shape that keeps no rule, or for offsets that go back."""
    for text, right in ((b"[0,]", False), (b"[0 1]", False), (b"[0]", True)):
        head = of(b'{"a":%s}' % ONE.replace(b"[0]", text))
        end = len(head)
        acsl.forget()
        e = entry(space, head, end, 0)
        holds(right, space["entry_says"], one(e), head, end, 0)
        t = Box(place=0, begin=end, end=end, dtype=e.shape >> 59, bits=8, rank=(e.shape >> 32) % (1 << 27),
                name=Box(at=10, end=11), dims=Box(at=e.shape % (1 << 32), left=(e.shape >> 32) % (1 << 27)))
        holds(right, space["tensor_says"], one(t), head, end)
    head = of(b'{"a":%s,"b":%s}' % (ONE.replace(b"[0]", b"[1]").replace(b"[0,0]", b"[0,1]"),
                                      ONE.replace(b"[0,0]", b"[1,0]")))
    end = len(head)
    acsl.forget()
    acsl.counts[:], acsl.points[:] = [0, 2], list(range(8))
    cells = [entry(space, head, end, k) for k in range(2)]
    names = [e.name % (1 << 32) for e in cells]
    words = acsl.Cells([0, 1, *names, *slots(space, head, end, names, space["secret"](3))])
    for keep in (0, 1):
        holds(False, space["tables_judged"], acsl.Cells(cells), words, 8, keep, head, end, 0, 2, 1, space["secret"](3))
    acsl.counts[:], acsl.points[:] = [0, 0], []


SECTIONS = (data, layouts, named, counts, rooms, unshaped)
