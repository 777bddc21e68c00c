"""Compare the logic of the writer with the model: what a caller describes, and whether a view states exactly that.

    for section in SECTIONS: section(space)    raises Wrong

The tables of small headers, read by spec/model.py, are the descriptions that their views state. Each of them must be
stated, and none in which one name, dtype, dim, key, value, number or element of the order is another.
"""
import itertools
import re

import acsl
import model
from entries_and_view import entry, view, whole_view
from questions import Box, altered, gives, holds, one
from tensors_and_header import DTYPES, of

ROOTS = ("new_tensor_readable", "new_pair_readable", "few_described", "readable_description", "given_description",
         "same_description", "same_tensors", "same_pairs", "order_below", "described_product", "described_empty",
         "described_size", "tensor_described", "text_described", "pair_described", "tensors_described",
         "pairs_described", "sizes_described", "laid_end", "laid_on", "view_described")

MOST = 16777215  # tensors or pairs of a description
CODES = {row["name"]: int(row["code"]) for row in DTYPES}


# ---- Descriptions ---------------------------------------------------------------------------------------------------

def chars(text):
    data = text.encode("utf-8")
    return Box(byte=acsl.Cells(list(data)), size=len(data))


def new_tensor(name, dtype, dims):
    return Box(name=chars(name), dtype=dtype, dim=acsl.Cells(list(dims)), rank=len(dims))


def new_pair(key, value):
    return Box(key=chars(key), value=chars(value))


def described(tensors, pairs):
    """Return a description as the logic reads it."""
    return one(Box(tensor=acsl.Cells(list(tensors)), tensors=len(tensors), pair=acsl.Cells(list(pairs)),
                   pairs=len(pairs)))


def readable(space):
    """Each array exists from its first cell to its last, and what each element points to."""
    for there, size, rank in itertools.product(range(3), range(3), range(3)):
        t = Box(name=Box(byte=acsl.Cells([97] * there), size=size), dim=acsl.Cells([1] * 1), rank=rank, dtype=1)
        right = size <= there and rank <= 1
        holds(right, space["new_tensor_readable"], one(t))
        for key, value in ((size, 0), (0, size)):
            p = Box(key=Box(byte=acsl.Cells([97] * there), size=key),
                    value=Box(byte=acsl.Cells([97] * there), size=value))
            holds(size <= there, space["new_pair_readable"], one(p))
            holds(size <= there, space["readable_description"], described([], [p]))
            holds(size <= there, space["readable_description"], described([], [new_pair("", ""), p]))
        holds(right, space["readable_description"], described([t], []))
        holds(right, space["given_description"], described([new_tensor("", 1, []), t], []))
    d = described([new_tensor("a", 1, [2])], [new_pair("k", "v")])
    holds(True, space["readable_description"], d)
    holds(False, space["readable_description"], acsl.Cells([]))
    holds(False, space["given_description"], acsl.Cells([]))
    for field in ("tensors", "pairs"):
        holds(False, space["readable_description"], one(altered(d[0], **{field: 2})))
        for count in (MOST, MOST + 1, (1 << 64) - 1):
            many = one(altered(d[0], **{field: count}))
            holds(count <= MOST, space["few_described"], many)
            holds(count > MOST, space["given_description"], many)  # of too many, none is read
    holds(True, space["few_described"], d)


SAME = {"same_description": (("tensors",), ("pairs",), ("tensor",), ("pair",)),
        "same_tensors": (("name", "byte"), ("name", "size"), ("dim",), ("rank",)),
        "same_pairs": (("key", "byte"), ("key", "size"), ("value", "byte"), ("value", "size"))}


def changed(record, path, value):
    if len(path) == 1:
        return altered(record, **{path[0]: value})
    return altered(record, **{path[0]: altered(getattr(record, path[0]), **{path[1]: value})})


def same(space):
    """What has another count or points elsewhere is not what it was."""
    old = {"same_description": Box(tensors=2, pairs=1, tensor=acsl.Cells([0]), pair=acsl.Cells([0])),
           "same_tensors": new_tensor("a", 1, [2]), "same_pairs": new_pair("k", "v")}
    for name, paths in SAME.items():
        record = old[name]
        more = [] if name == "same_description" else [3]
        for place in range(3 if more else 1):
            before = [record] * (3 if more else 1)
            holds(True, space[name], acsl.Cells(list(before), 0, before), *more)
            for path, value in itertools.product(paths, (acsl.Cells([1]), 7)):
                after = before[:place] + [changed(record, path, value)] + before[place + 1:]
                holds(False, space[name], acsl.Cells(after, 0, before), *more)
                if more:
                    holds(True, space[name], acsl.Cells(after, 0, before), place)
                    holds(False, space[name], acsl.Cells(after, 0, before), place + 1)


def orders(space):
    d = described([new_tensor("a", 1, []), new_tensor("b", 1, [])], [new_pair("k", "v")])
    for order in itertools.product(range(4), range(4), range(3)):
        holds(order[0] < 2 and order[1] < 2 and order[2] < 1, space["order_below"], d, acsl.Cells(list(order)))


# ---- Sizes ----------------------------------------------------------------------------------------------------------

def sizes(space):
    """Products of dims, and the bytes of every dtype."""
    for rank in range(4):
        for dims in itertools.product((0, 1, 2, 3, 8, (1 << 64) - 1), repeat=rank):
            product = 1
            for k in range(rank + 1):
                gives(product, space["described_product"], acsl.Cells(list(dims)), k)
                holds(0 in dims[:k], space["described_empty"], acsl.Cells(list(dims)), k)
                product *= (dims[k] or 1) if k < rank else 1
            for row in DTYPES:
                bits, t = int(row["bits"]), one(new_tensor("a", int(row["code"]), dims))
                for size in {0, 1, product * bits // 8, product * bits // 8 + 1, max(product * bits // 8 - 1, 0)}:
                    right = size == 0 if 0 in dims else 8 * size == product * bits
                    holds(right, space["described_size"], t, size)


# ---- Views ----------------------------------------------------------------------------------------------------------

HEADERS = (b"{}", b'{"__metadata__":{}}', b'{"__metadata__":{"k":"v","l\\u00e9":"w\\n"}}',
           b'{"a":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]}}',
           b'{"__metadata__":{"":"x","k":""},"b":{"dtype":"F16","shape":[],"data_offsets":[0,2]},'
           b'"a\\"\xc3\xa9":{"dtype":"U8","shape":[3],"data_offsets":[2,5]},'
           b'"":{"dtype":"F4","shape":[0,3],"data_offsets":[5,5]}}',
           b'{"c":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},'
           b'"d":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}')


def tables(head, size):
    """Return the tensors of a head in layout order and its pairs, by the model."""
    result = model.judge(head, len(head) + size, model.OPTIONS)
    return [(t.name, CODES[t.dtype], list(t.shape), t.begin, t.end, t.place) for t in result.tensors], [
        tuple(pair) for pair in result.metadata or ()]


def opened(space, text):
    """Return the view of a header, its tensors and its pairs."""
    head = of(text)
    end, size = len(head), max([0, *map(int, re.findall(rb",(\d+)\]}", head))])
    acsl.forget()
    tensors, pairs = tables(head, size)
    acsl.counts[:], acsl.points[:] = [len(pairs), len(tensors)], list(range(8))
    cells = [entry(space, head, end, k) for k in range(len(tensors))]
    return whole_view(view(space, head, end, cells, [t[5] for t in tensors], len(pairs), size)), tensors, pairs


def views(space):
    for text in HEADERS:
        v, tensors, pairs = opened(space, text)
        for order_of_tensors in itertools.permutations(range(len(tensors))):
            for order_of_pairs in itertools.permutations(range(len(pairs))):
                stated(space, v, tensors, pairs, order_of_tensors, order_of_pairs)
    acsl.counts[:], acsl.points[:] = [0, 0], []
    acsl.forget()


def stated(space, v, tensors, pairs, order, pair_order):
    """The caller has given the tensors in another order than that of the view: order[k] is where tensor k is."""
    given = [None] * len(tensors)
    for k, place in enumerate(order):
        given[place] = new_tensor(*tensors[k][:3])
    given_pairs = [None] * len(pairs)
    for k, place in enumerate(pair_order):
        given_pairs[place] = new_pair(*pairs[k])
    cells = acsl.Cells([*order, *pair_order])
    d, n, m = described(given, given_pairs), len(tensors), len(pairs)
    holds(True, space["view_described"], v, d, cells)
    holds(True, space["sizes_described"], v, d, cells, n)
    holds(True, space["laid_on"], v, n)
    for k in range(n + 1):
        gives(tensors[k - 1][4] if k else 0, space["laid_end"], v, k)
    for field in ("tensors", "pairs"):
        for step in (1, -1):
            holds(False, space["view_described"], v, one(altered(d[0], **{field: getattr(d[0], field) + step})), cells)
    for k in range(n + m):
        for wrong in set(range(max(n, m) + 2)) - {cells[k]}:
            other = acsl.Cells([*cells.cells[:k], wrong, *cells.cells[k + 1:]])
            holds(False, space["view_described"], v, d, other)
            if k < n:
                holds(True, space["tensors_described"], v, d, other, k)
            else:
                holds(True, space["pairs_described"], v, d, other + n, k - n)
    for k in range(n):
        tensor_stated(space, v, d, cells, k, order[k])
    for k in range(m):
        pair_stated(space, v, d, cells, k, pair_order[k], n)


def wrong_texts(text):
    yield text + "x"
    if text:
        yield text[:-1]
        yield text[:-1] + chr(ord(text[-1]) ^ 1)


def tensor_stated(space, v, d, cells, k, place):
    t = d[0].tensor[place]
    name = bytes(t.name.byte.cells).decode("utf-8")
    index = v[0].order[k]
    holds(True, space["tensor_described"], v[0].head, v[0].data_begin, index, one(t))
    wrong = [altered(t, name=chars(text)) for text in wrong_texts(name)]
    wrong += [altered(t, dtype=t.dtype + step) for step in (1, -1)]
    wrong += [altered(t, rank=t.rank + 1, dim=acsl.Cells([*t.dim.cells, 1]))]
    wrong += [altered(t, rank=t.rank - 1)] if t.rank else []
    for i, step in itertools.product(range(t.rank), (1, -1)):
        dims = list(t.dim.cells)
        dims[i] += step
        wrong.append(altered(t, dim=acsl.Cells(dims)))
    for other in wrong:
        holds(False, space["tensor_described"], v[0].head, v[0].data_begin, index, one(other))
        tensors = list(d[0].tensor.cells)
        tensors[place] = other
        holds(False, space["view_described"], v, one(altered(d[0], tensor=acsl.Cells(tensors))), cells)


def pair_stated(space, v, d, cells, k, place, n):
    p, head, end = d[0].pair[place], v[0].head, v[0].data_begin
    holds(True, space["pair_described"], head, end, k, one(p))
    for field, at in (("key", space["pair_key"](head, end, k)), ("value", space["pair_value"](head, end, k))):
        part = getattr(p, field)
        holds(True, space["text_described"], head, end, at + 1, part.byte, part.size)
        for text in wrong_texts(bytes(part.byte.cells).decode("utf-8")):
            wrong = chars(text)
            other = altered(p, **{field: wrong})
            holds(False, space["text_described"], head, end, at + 1, wrong.byte, wrong.size)
            holds(False, space["pair_described"], head, end, k, one(other))
            pairs = list(d[0].pair.cells)
            pairs[place] = other
            changed_pairs = one(altered(d[0], pair=acsl.Cells(pairs)))
            holds(False, space["view_described"], v, changed_pairs, cells)
            holds(False, space["pairs_described"], v, changed_pairs, cells + n, k + 1)


def gaps(space):
    """Data that do not begin where those before end, or are of another size than described."""
    for spans in itertools.product(((0, 1), (0, 2), (1, 2), (1, 3)), repeat=2):
        members = b",".join(b'"%d":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}' % (k, e - b, b, e)
                            for k, (b, e) in enumerate(spans))
        head = of(b"{%s}" % members)
        end = len(head)
        acsl.forget()
        cells = [entry(space, head, end, k) for k in range(2)]
        v = whole_view(view(space, head, end, cells, [0, 1], 0, 3))
        for k in range(3):
            right = all(b == (spans[i - 1][1] if i else 0) for i, (b, _) in enumerate(spans[:k]))
            holds(right, space["laid_on"], v, k)
            gives(spans[k - 1][1] if k else 0, space["laid_end"], v, k)
        for dims in itertools.product(range(1, 4), repeat=2):
            d = described([new_tensor(str(k), CODES["U8"], [dim]) for k, dim in enumerate(dims)], [])
            for k in range(3):
                right = all(e - b == dim for (b, e), dim in list(zip(spans, dims))[:k])
                holds(right, space["sizes_described"], v, d, acsl.Cells([0, 1]), k)
    acsl.forget()


SECTIONS = (readable, same, orders, sizes, views, gaps)
