"""Names and keys that say the same in every way; the stages F and H as one number, within each limit.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

import acsl
import model
from logic_objects import LIMITED, META, A, B
from logic_parser import TOP
from logic_ask import Box, gives, holds, one

ROOTS = ("key_repeats", "name_repeats", "keys_differ", "names_differ", "judged_names", "whole", "header_judged",
         "whole_broken", "head_judged", "head_passes")
ORDER = "max_header", "max_tensors", "max_rank", "max_name", "max_metadata"  # of the limits that header_judged takes
NAMES = b"a", b"\\u0061", b"b"
EMPTY = b'"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
GROUP = [int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")]


def repeated(space):
    """Three keys and two tensors, two keys and three tensors, of two texts: who repeats whom."""
    for pairs, names in [*itertools.product(itertools.product(NAMES, repeat=3), [(b"a", b"a"), (b"a", b"b")]),
                         *itertools.product([(b"a", b"a"), (b"b", b"a")], itertools.product(NAMES, repeat=3))]:
        metadata = b'"__metadata__":{%s}' % b",".join(b'"%s":""' % name for name in pairs)
        text = b"{%s}" % b",".join([metadata, *(EMPTY % name for name in names)])
        head = len(text).to_bytes(8, "little") + text
        end, m, n = len(head), len(pairs), len(names)
        acsl.forget()
        acsl.counts[:], acsl.points[:] = [m, n], [0, 1]
        result = model.judge(head, end)
        for kind, said in ("key", pairs), ("name", names):
            plain = [b"a" if text == b"\\u0061" else text for text in said]
            for k in range(len(said)):
                holds(plain[k] in plain[:k], space[kind + "_repeats"], head, end, k)
            for count in range(len(said) + 1):
                holds(len(set(plain[:count])) == count, space[kind + "s_differ"], head, end, count)
        holds(result.code == 0, space["whole"], head, end, m, n, 0)
        keys = [at for at in range(9, end) if head[at] == 34 and head[at + 1:at + 3] in (b'a"', b'b"', b"\\u")]
        for code, offset in itertools.product(range(57, 61), {end, *keys, *(key + 1 for key in keys)}):
            right = (code, offset) == (result.code, result.offset)
            holds(right, space["judged_names"], head, end, m, n, code, offset)
            holds(right, space["whole_broken"], head, end, m, n, 0, code, offset)
    acsl.counts[:], acsl.points[:] = [0, 0], []


def verdicts_of_heads(space):
    """Each limit just met and just missed; each size of head and file; and what breaks stage H."""
    texts = [b"{%s}" % b",".join(parts) for parts in ((), (A,), (A, B), (META, A), (META,))] + [b"{} x", b"[",
                                                                                                b'{"a":1}']
    for text in texts:
        head = len(text).to_bytes(8, "little") + text
        size = len(head)
        plans = [{}] + [{name: value} for name, values in LIMITED.items() for value in values]
        plans += [{"max_header": len(text) + step} for step in (-1, 0, 1)]
        for plan, given, file_size in itertools.product(plans, (size, size - 1, 7, 8), (size, size - 1, size + 5, 7)):
            if plan and (given, file_size) not in ((size, size), (size, size + 5), (8, size)):
                continue
            acsl.forget()
            options = {**model.OPTIONS, **plan}
            result = model.judge(head[:given], file_size, options)
            number = 0 if result.code == 0 or result.code in GROUP else \
                result.code << 64 | (TOP if result.offset is None else result.offset)
            order = [options[name] for name in ORDER]
            gives(number, space["header_judged"], head[:given], given, file_size, *order)
            asked = one(Box(api=1, relax=0, seed=0, **{name: options[name] for name in ORDER}))
            gives(number, space["head_judged"], head[:given], given, file_size, asked)
            holds(number == 0, space["head_passes"], head[:given], given, file_size, asked)


SECTIONS = (repeated, verdicts_of_heads)
