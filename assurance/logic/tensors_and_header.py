"""Compare the logic of tensors and of the header with the model: arrays, dims, members, objects, root, metadata,
frame, limits.

    for section in SECTIONS: section(space)    raises Wrong

Key by key, at each offset, each definition is compared with the parser of spec/model.py; then with limits, and
with repeated names.
"""
import itertools
import re

import acsl
import model
from questions import Box, constant, gives, holds, one
from texts_and_tokens import CODES, Reader, TOP, places, step, stopped, value_of

ROOTS = ("head_judged", "options_right", "whole_broken", "dtype_judged", "item_end", "item_value",
         "dims_end", "shape_end", "times_dim", "dims_product", "dims_zero", "dims_count", "shape_product",
         "shape_zero", "shape_rank", "dim_at", "offsets_rest", "offsets_end", "offsets_begin", "offsets_finish",
         "size_judged", "member_judged", "member_value", "member_at", "member_end", "dtype_at", "members_end",
         "tensor_end", "member_from", "object_member", "pair_end", "pair_judged", "pairs_end", "root_key_judged",
         "root_value_end", "root_member_end", "root_end", "trailing_end", "header_end", "root_next", "tensor_from",
         "metadata_from", "tensor_key", "metadata_key", "pair_key", "pair_value", "pair_name", "tensor_count",
         "pair_count", "judged_names", "whole", "header_judged", "head_passes", "table_before", "tensor_keys",
         "empty_inside", "no_offset", "verdict_of", "header_length", "length_judged", "frame_judged", "limit_tensors",
         "limit_name", "dtype_of", "dtype_bits", "root_within", "member_within")


# ---- Arrays of dims and offsets -------------------------------------------------------------------------------------

ARRAYS = (b"[]", b"[ ]", b"[1]", b"[ 2 , 3 ]", b"[0,5]", b"[1,2,3]", b"[18446744073709551615,2]", b"[5,0 , 7]",
          b"[4294967296,4294967296,0]", b"[4294967296,4294967295]", b"[1,", b"[1,]", b"[,1]", b"[1 2]", b'["a"]',
          b"[-1]",
          b"[1.]", b"[1}", b"[ ", b"[7,1,2,3,4]", b"[2147483648,8589934592,1]", b"[9,8;", b"[{", b"[^]", b"[1^")


def arrays(space):
    for b, at, end in places(ARRAYS):
        for beyond in (0, 1, 2):
            def item():
                reader = Reader(b, end, at, max_rank=0)
                reader.integer(beyond if beyond == 1 else 0)
                reader.expect(b",]")
                return reader.at - 1
            gives(step(item), space["item_end"], b, at, end, beyond)
        for count, most in itertools.product((1, 2, 3), (0, 1, 2, 3, TOP)):
            def dims():
                reader, number = Reader(b, end, at, max_rank=most), count
                reader.integer(number)
                while reader.expect(b",]") == 0x2C:
                    number += 1
                    reader.integer(number)
                return reader.at
            gives(step(dims), space["dims_end"], b, at, end, count, most)
        def rest():
            reader = Reader(b, end, at)
            reader.integer()
            if reader.expect(b",]") == 0x2C:
                reader.stop("offsets_count", reader.at - 1)
            return reader.at
        gives(step(rest), space["offsets_rest"], b, at, end)
        if at < end and b[at] == 91:
            for most in (0, 1, 2, 3, TOP):
                shape(space, b, at, end, most)
            offsets(space, b, at, end)


def shape(space, b, at, end, most):
    reader = Reader(b, end, at, max_rank=most)

    def run():
        dims.extend(reader.shape()[0])
        return reader.at
    dims = []
    close = step(run)
    gives(close, space["shape_end"], b, at, end, most)
    if close > end or most != TOP:
        return
    gives(product_of(dims, 1), space["shape_product"], b, at, end)
    gives(int(0 in dims), space["shape_zero"], b, at, end)
    gives(len(dims), space["shape_rank"], b, at, end)
    for k, (dim, place) in enumerate(zip(dims, reader.items)):
        gives(place, space["dim_at"], b, at, end, k)
        for begin in (place, place - 1 if b[place - 1] == 32 else place):
            gives(dim, space["item_value"], b, begin, end)
            for product in (1, 2, 1 << 63, TOP, 1 << 64):
                gives(product_of(dims[k:], product), space["dims_product"], b, begin, end, product)
            gives(int(0 in dims[k:]), space["dims_zero"], b, begin, end)
            gives(len(dims) - k, space["dims_count"], b, begin, end)


def product_of(dims, product):
    for dim in dims:
        product = min(product * (dim or 1), 1 << 64)
    return product


def offsets(space, b, at, end):
    reader, found = Reader(b, end, at), []

    def run():
        found.extend(reader.offsets())
        return reader.at
    close = step(run)
    gives(close, space["offsets_end"], b, at, end)
    if close <= end:
        gives(found[0], space["offsets_begin"], b, at, end)
        gives(found[1], space["offsets_finish"], b, at, end)


def sizes(space):
    """The conditions on the numbers of a tensor."""
    for product, dim in itertools.product((1, 2, 3, 1 << 32, 1 << 63, TOP, 1 << 64), (0, 1, 2, 3, 1 << 32, 1 << 63,
                                                                                      TOP)):
        gives(product_of([dim], product), space["times_dim"], product, dim)
    for product, bits in ((TOP - 7, TOP - 7), (1 << 64, 0), (TOP, 0), (TOP, TOP), (12, 12), (12, 0), (16, 16), (8, 0),
                          (0, 0), (15, 15), (9, 9), (1, 1), (1 << 64, 1 << 64), (8, 8)):
        for begin, finish in ((0, 0), (0, bits // 8), (5, 5 + bits // 8), (5, 4 + bits // 8), (5, 6 + bits // 8), (1,
                                                                                                                   0),
                              (6, 4), (7, 7), (5, 5 - bits // 8)):
            wanted = stopped("shape_overflow", 20) if product > TOP else stopped("shape_subbyte", 20) if bits % 8 else \
                stopped("offsets_order", 30) if begin > finish else \
                stopped("offsets_size", 30) if 8 * (finish - begin) != bits else 41
            gives(wanted, space["size_judged"], 40, 20, 30, product, bits, begin, finish)


# ---- Members, tensors, root and metadata, beside the model's parser -------------------------------------------------

MEMBERS = {1: "dtype", 2: "shape", 4: "data_offsets"}
DTYPE, SHAPE, OFFSETS = b'"dtype":"U8"', b'"shape":[2 ,3]', b'"data_offsets":[1,7]'
OBJECTS = [b"{%s}" % b",".join(parts) for parts in itertools.permutations((DTYPE, SHAPE, OFFSETS))]
OBJECTS += [b"{%s}" % b" , ".join(parts) for count in range(3) for parts in
            itertools.permutations((DTYPE, SHAPE, OFFSETS), count)]
OBJECTS += [OBJECTS[0].replace(*pair) for pair in (
    (b"U8", b"F4"), (b"U8", b"BOOL"), (b"U8", b"U9"), (b'"U8"', b'"\\u00558"'), (b'"U8"', b"8"), (b'"U8"', b'"U8'),
    (b"[2 ,3]", b"[0,3]"), (b"[2 ,3]", b"[]"), (b"[2 ,3]", b"[6"), (b"[2 ,3]", b"[2 x"),
    (b"2 ,3", b"4294967296,4294967296"), (b"[1,7]", b"[7,1]"), (b"[1,7]", b"[1,6]"), (b"[1,7]", b"[1]"),
    (b"[1,7]", b"[]"), (b"[1,7]", b"[1,7,8]"),
    (b"[1,7]", b"[5,5]"), (b"[1,7]", b"{}"), (b"dtype", b"dtypf"), (b"dtype", b"d\\u0074ype"), (b"shape", b"dtype"),
    (b"dtype", b"shape"), (b"data_offsets", b"shape"), (b"shape", b"data_offsets"), (b":", b" : "), (b":", b"="),
    (b"{", b"{ "), (b"}", b" }"), (b"}", b",}"), (b",", b";"), (b'"shape', b'"sha\x01pe'), (b"{", b"x"),
    (b'"dtype"', b'"'), (b"[2 ,3]", b"[1,1,1,6]"), (b"dtype", b"\\u0064type"), (b"dtype", b"d\\u0074yp"),
    (b'"U8"', b'"\\n"'), (b'"U8"', b'""'), (b'"U8"', b'"\\""'), (b"dtype", b"\\n"),
    (b"[2 ,3]", b"[2305843009213693952]"), (b"[2 ,3]", b"[2305843009213693951]"))]
OBJECTS += [OBJECTS[0].replace(b"[2 ,3]", b"[0,3]").replace(b"[1,7]", pair) for pair in (b"[5,5]", b"[1,4]", b"[1,2]")]


def members(space, key, reader, found):
    """Where the model finds the value of the member whose key it has read."""
    if key.text in MEMBERS.values() and key.escaped:
        reader.stop("keyword_escaped", key.at)
    if key.text not in MEMBERS.values():
        reader.stop("member_unknown", key.at)
    number = model.MEMBERS[key.text]
    if found.get(number):
        reader.stop("member_twice", key.at)
    reader.expect(b":")
    reader.value("string" if number == 1 else "array")
    return number


def finished(reader, found):
    """The }, and the content of the tensor."""
    at = reader.at - 1
    if 0 in [found.get(number, 0) for number in MEMBERS]:
        return stopped("member_missing", at)
    again = [Reader(reader.data, reader.end, found[number]) for number in MEMBERS]
    dims, (begin, finish) = again[1].shape()[0], again[2].offsets()[:2]
    product = product_of(dims, 1) * model.BITS[again[0].dtype()]
    if product > TOP:
        return stopped("shape_overflow", found[2])
    bits = 0 if 0 in dims else product
    if bits % 8:
        return stopped("shape_subbyte", found[2])
    if begin > finish:
        return stopped("offsets_order", found[4])
    return at + 1 if finish - begin == bits // 8 else stopped("offsets_size", found[4])


def tensor_from(space, b, key, end, most, found):
    """The members from a key on, if those that are found have been."""
    reader, found = Reader(b, end, key, max_rank=most), dict(found)

    def run():
        for token in reader.keys():
            number = members(space, token, reader, found)
            found[number] = reader.at
            getattr(reader, ("", "dtype", "shape", "", "offsets")[number])()
        return finished(reader, found)
    return step(run), found


def tensors(space):
    for text in OBJECTS:
        b = b"01234567" + text + b',"0]}'
        for end, most in itertools.product({8 + len(text) + 2, 8 + len(text), 4 + len(text)}, (TOP, 2, 1)):
            acsl.forget()
            reader = Reader(b, end, 8, max_rank=most)

            def whole():
                reader.tensor_object(model.Token("", 8, 0, False))
                return reader.at
            if text[:1] == b"{":
                gives(step(whole), space["tensor_end"], b, 8, end, most)
                inside(space, b, end, most)
    cuts(space)


def cuts(space):
    """A tensor and a header, cut at every byte."""
    for text in (OBJECTS[0], OBJECTS[3], OBJECTS[5]):
        b = b"01234567" + text
        for end in range(9, len(b)):
            def whole():
                reader = Reader(b, end, 8)
                reader.tensor_object(model.Token("", 8, 0, False))
                return reader.at
            gives(step(whole), space["tensor_end"], b, 8, end, TOP)
    for text in (ROOTS_OF[8], ROOTS_OF[6], b'{"__metadata__":{}}'):
        b = b"01234567" + text + b" "
        for end in range(8, len(b)):
            def parsed():
                Reader(b, end, 8).parse()
                return end
            gives(step(parsed), space["header_end"], b, end, TOP, TOP, TOP, TOP)
            if b[9:24] == b'"__metadata__" ' and end > 26:
                pairs(space, b, 26, end)
    for stop in (stopped("type", 9), stopped("header_early", 20)):
        gives(stop, space["pairs_end"], b, stop, end, 1, TOP)
        gives(stop, space["root_end"], b, stop, end, 0, 0, TOP, TOP, TOP, TOP)


def inside(space, b, end, most):
    """Key by key, whatever was found before; value by value."""
    _, values = tensor_from(space, b, step(lambda: first(b, end, 9)), end, most, {}) if first_there(b, end) else (0, {})
    for at in range(9, end):
        if b[at] == 34 and b[at - 1] in b'{, ':
            keys(space, b, at, end, most, values)
    for number, at in values.items():
        reader = Reader(b, end, at, max_rank=most)

        def run():
            getattr(reader, ("", "dtype", "shape", "", "offsets")[number])()
            return reader.at
        gives(step(run), space["member_end"], b, at, end, number, most)
        if number == 1:
            dtypes(space, b, at, end)
    done, found = tensor_from(space, b, 9 if b[9] in b'"}' else 10, end, most, {})
    if done <= end and most == TOP:
        for number, at in found.items():
            gives(at, space["object_member"], b, 8, end, number)
        dims, (begin, finish) = Reader(b, end, found[2]).shape()[0], Reader(b, end, found[4]).offsets()[:2]
        dtype = list(model.BITS).index(Reader(b, end, found[1]).dtype()) + 1
        for part, wanted in dict(dtype=dtype, shape=found[2], rank=len(dims), begin=begin, finish=finish).items():
            gives(wanted, space["object_" + part], b, 8, end)


def first(b, end, at):
    reader = Reader(b, end, at)
    reader.expect(b'"}')
    return reader.at - 1


def first_there(b, end):
    return step(lambda: first(b, end, 9)) < end


def dtypes(space, b, at, end):
    def run():
        reader = Reader(b, end, at)
        reader.dtype()
        return reader.at
    gives(step(run), space["dtype_end"], b, at, end)
    close = re.compile(rb'[^"]*').match(b, at + 1).end()
    if close < end:
        gives(step(run), space["dtype_judged"], b, at, close)
        name = Reader(b, end, at).string().text
        gives(list(model.BITS).index(name) + 1 if name in model.BITS else 0, space["dtype_at"], b, at, end)


def keys(space, b, at, end, most, values):
    """A key, or what is read as one."""
    close = step(lambda: Reader(b, end, at).string().size + at + 1)
    for d, s, o in itertools.product((0, 70), repeat=3) if most == TOP else ():
        reader, before = Reader(b, end, at), {1: d, 2: s, 4: o}

        def run():
            members(space, reader.string(), reader, before)
            return reader.at
        gives(step(run), space["member_value"], b, at, end, d, s, o)
        if close < end:
            token = Reader(b, end, at).string()
            wanted = stopped("keyword_escaped", at) if token.text in model.MEMBERS and token.escaped else \
                stopped("member_unknown", at) if token.text not in model.MEMBERS else \
                stopped("member_twice", at) if before[model.MEMBERS[token.text]] else close
            gives(wanted, space["member_judged"], b, at, close, d, s, o)
            gives(model.MEMBERS.get(token.text, 0), space["member_at"], b, at, end)
    for names in itertools.chain.from_iterable(itertools.combinations(values, n) for n in range(4)):
        before = {name: values[name] for name in names}
        if all(tensor_value_right(b, end, number, place) for number, place in before.items()):
            wanted, found = tensor_from(space, b, at, end, most, before)
            gives(wanted, space["members_end"], b, at, end, most, *(before.get(number, 0) for number in MEMBERS))
            if wanted <= end and most == TOP and not before:
                for number in MEMBERS:
                    gives(found[number], space["member_from"], b, at, end, number)


def tensor_value_right(b, end, number, place):
    reader = Reader(b, end, place)
    return step(lambda: getattr(reader, ("", "dtype", "shape", "", "offsets")[number])() and 0) == 0


TENSOR = b'"%s":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]}'
A, B = TENSOR % b"a", TENSOR % b"b\\n"
C, D = A.replace(b"[2,3]", b"[6]"), TENSOR % b'\\"a'
META = b'"__metadata__" :{"k":"v", "":""}'
ROOTS_OF = [b"{%s}" % b",".join(parts) for count in range(4) for parts in itertools.permutations((A, B, META), count)]
ROOTS_OF += [b"{%s}" % b" , ".join(parts) for parts in ((META, META), (A, META, A), (META, A, META))]
ROOTS_OF += [ROOTS_OF[-2].replace(*pair) for pair in (
    (b"__metadata__", b"__m\\u0065tadata__"), (b"__metadata__", b"\\u005f_metadata__"), (b'"k"', b'"k'),
    (b'"k":', b'"k"'), (b'"v"', b"1"), (b'"v"', b'"v'), (b'"",', b","), (b":{", b":["), (b":{", b" {"),
    (b'{"k', b'{ "k'), (b'"v",', b'"v";'), (b'""}', b'""'),
    (b'{"k":"v", "":""}', b"{}"), (b'"a"', b'"\\u00e9"'), (b'"a"', b'"a\x02"'), (b'"k"', b'"\\ud800"'),
    (b'"v"', b'"\xc3"'))]
ROOTS_OF += [b"{} ", b"{}  \n", b"{}x", b" {}", b"[]", b"", b"{", b"{ }", b'{"a":1}', b'{"":"', b'{"__metadata__":"k"}']
ROOTS_OF += [b"}x", b"~}", b"{%s,%s,%s}" % (D, META, A), b"{%s,%s,%s}" % (META, TENSOR % b"", D), b"{%s,%s}" % (C, B),
             b"{%s,%s}" % (C, META)]
LIMITED_TEXTS = ROOTS_OF[0], ROOTS_OF[4], ROOTS_OF[8], ROOTS_OF[14], *ROOTS_OF[-2:]
LIMITED = {"max_tensors": (TOP, 2, 1, 0), "max_rank": (TOP, 2, 1), "max_name": (TOP, 3, 1, 0),
           "max_metadata": (TOP, 2, 1, 0)}


def limits():
    """No limit, and each limit separately."""
    yield {name: TOP for name in LIMITED}
    for name, values in LIMITED.items():
        for value in values[1:]:
            yield {**{other: TOP for other in LIMITED}, name: value}


def roots(space):
    for text in ROOTS_OF:
        b = b"01234567" + text + b' "0]}'
        for end in sorted({8 + len(text), 9 + len(text), max(8, 3 + len(text))}):
            acsl.forget()
            starts = [at for at in range(9, end) if b[at] == 34 and b[at - 1] in b'{, ' or b[at] == 125]
            for limit in limits() if text in LIMITED_TEXTS else [{name: TOP for name in LIMITED}]:
                def whole():
                    Reader(b, end, 8, **limit).parse()
                    return end
                order = [limit[name] for name in LIMITED]
                gives(step(whole), space["header_end"], b, end, *order)
                for at in starts[:8]:
                    from_root(space, b, at, end, limit, order)
            for at in range(8, end + 2):
                trailing = [k for k in range(at, end) if b[k] != 32]
                gives(stopped("trailing", trailing[0]) if trailing else end, space["trailing_end"], b, at, end)
            for at in starts if META[:10] in text else ():
                pairs(space, b, at, end)


def root_expected(reader, seen, count):
    reader.has_metadata, reader.tensors = bool(seen), [None] * count
    for key in reader.keys():
        reader.root_member(key)
    return reader.at


def from_root(space, b, at, end, limit, order):
    """From a quote that may begin a key, or from a }."""
    for seen, count in ((0, 0), (1, 1), (0, 1), (1, 0), (0, 2)):
        gives(step(lambda: root_expected(Reader(b, end, at, **limit), seen, count)), space["root_end"], b, at, end,
              seen, count, *order)
        if b[at] == 34:
            def member():
                reader = Reader(b, end, at, **limit)
                reader.has_metadata, reader.tensors = bool(seen), [None] * count
                reader.root_member(reader.string())
                return reader.at
            wanted = step(member)
            gives(wanted, space["root_member_end"], b, at, end, seen, count, *order)
            key_of_root(space, b, at, end, seen, count, limit)


def key_of_root(space, b, at, end, seen, count, limit):
    reader = Reader(b, end, at)
    if step(lambda: reader.string() and 0):
        return
    token, close = Reader(b, end, at).string(), reader.at - 1
    if token.text == "__metadata__":
        wanted = stopped("keyword_escaped", at) if token.escaped else stopped("metadata_twice", at) if seen else close
    else:
        wanted = stopped("limit_tensors", at) if count + 1 > limit["max_tensors"] else \
            stopped("limit_name", at) if token.size > limit["max_name"] else close
    gives(wanted, space["root_key_judged"], b, at, close, seen, count, limit["max_tensors"], limit["max_name"])
    for metadata in (0, 1, 2):
        def value():
            reader = Reader(b, end, close + 1, max_rank=limit["max_rank"], max_metadata=limit["max_metadata"])
            reader.expect(b":")
            reader.value("object")
            if metadata == 1:
                for key in reader.members():
                    reader.pair(key)
            else:
                reader.tensor_object(token)
            return reader.at
        gives(step(value), space["root_value_end"], b, close, end, metadata, limit["max_rank"], limit["max_metadata"])


def pairs(space, b, at, end):
    """Pairs of the metadata, from a quote or a } on."""
    for count, most in itertools.product((1, 2, 3), (0, 1, 2, TOP)):
        def run(whole):
            reader = Reader(b, end, at, max_metadata=most)
            reader.pairs = [None] * (count - 1)
            if whole:
                for key in reader.keys():
                    reader.pair(key)
            else:
                reader.pair(reader.string())
            return reader.at
        gives(step(lambda: run(True)), space["pairs_end"], b, at, end, count, most)
        if b[at] == 34:
            gives(step(lambda: run(False)), space["pair_judged"], b, at, end, count, most)
            if most == TOP:
                gives(step(lambda: run(False)), space["pair_end"], b, at, end)


def chains(space):
    """From key to key of a header that keeps the rules."""
    for text in ROOTS_OF:
        b = b"01234567" + text + b' "0]}'
        end = 8 + len(text)
        acsl.forget()
        header = Reader(b, end, 8)
        if step(lambda: header.parse() or 0):
            continue
        table_of_header(space, b, end, header)
        reader, places_of, names = Reader(b, end, 8), [], []
        for key in reader.members():
            places_of.append(key.at)
            names.append(key.text)
            reader.root_member(key)
        places_of.append(reader.at - 1)
        for k, place in enumerate(places_of):
            later = list(zip(places_of[k:-1], names[k:]))
            for wanted, name in (False, "tensor_from"), (True, "metadata_from"):
                found = [at for at, text_ in later if (text_ == "__metadata__") == wanted]
                gives((found + places_of[-1:])[0], space[name], b, place, end)
            if k + 1 < len(places_of):
                gives(places_of[k + 1], space["root_next"], b, place, end)


def quoted(b, end, at):
    """After a string."""
    reader = Reader(b, end, at)
    reader.string()
    return reader.at


def after_colon(b, end, at):
    reader = Reader(b, end, at)
    reader.expect(b":")
    return reader.space() and reader.at


def table_of_header(space, b, end, header):
    """The content of a table, one by one, and its size."""
    last = b[:end].rindex(b"}")
    for k, t in enumerate(header.tensors):
        after = quoted(b, end, t.name_at)
        for name, wanted in (("key", t.name_at), ("name_end", after - 1), ("object", after_colon(b, end, after)),
                             ("name", value_of(t.name.encode())), ("begin", t.begin), ("finish", t.end)):
            gives(wanted, space["tensor_" + name], b, end, k)
    gives(last, space["tensor_key"], b, end, len(header.tensors))
    gives(header.tensors[0].name_at if header.tensors else last, space["tensor_key"], b, end, -1)
    found = re.search(rb'"__metadata__"', b[:end])
    gives(found.start() if found else last, space["metadata_key"], b, end)
    for k, pair in enumerate(header.pairs):
        gives(pair.key_at, space["pair_key"], b, end, k)
        gives(after_colon(b, end, quoted(b, end, pair.key_at)), space["pair_value"], b, end, k)
        gives(value_of(pair.key.encode()), space["pair_name"], b, end, k)
    gives(b.index(b"}", found.start()) if found else last, space["pair_key"], b, end, len(header.pairs))
    for n in range(-1, 6):
        holds(n == len(header.tensors), space["tensor_count"], b, end, n)
        holds(n == len(header.pairs), space["pair_count"], b, end, n)


# ---- Names and keys that repeat -------------------------------------------------------------------------------------

LIMIT_ORDER = "max_header", "max_tensors", "max_rank", "max_name", "max_metadata"  # of header_judged
NAMES = b"a", b"\\u0061", b"b"
EMPTY_TENSOR = b'"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
CODES_OF_G = [int(row["code"]) for row in model.RULES.values() if row["id"].startswith("G")]


def names_repeated(space):
    """Three keys and two tensors, two keys and three tensors, with two texts: which repeats which."""
    for pairs, names in [*itertools.product(itertools.product(NAMES, repeat=3), [(b"a", b"a"), (b"a", b"b")]),
                         *itertools.product([(b"a", b"a"), (b"b", b"a")], itertools.product(NAMES, repeat=3))]:
        metadata = b'"__metadata__":{%s}' % b",".join(b'"%s":""' % name for name in pairs)
        text = b"{%s}" % b",".join([metadata, *(EMPTY_TENSOR % name for name in names)])
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
    """Each limit just met and just exceeded; each size of head and file; and violations of stage H."""
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
            number = 0 if result.code == 0 or result.code in CODES_OF_G else \
                result.code << 64 | (TOP if result.offset is None else result.offset)
            order = [options[name] for name in LIMIT_ORDER]
            gives(number, space["header_judged"], head[:given], given, file_size, *order)
            asked = one(Box(api=1, relax=0, **{name: options[name] for name in LIMIT_ORDER}))
            gives(number, space["head_judged"], head[:given], given, file_size, asked)
            holds(number == 0, space["head_passes"], head[:given], given, file_size, asked)


# ---- Headers to compare with ----------------------------------------------------------------------------------------

def header(spans, pairs=b""):
    """Return a head of tensors at these positions."""
    members = [TENSOR_AT % (b"%d" % k, e - b, b, e) for k, (b, e) in enumerate(spans)]
    text = b"{%s}" % b",".join(members + ([pairs] if pairs else []))
    return len(text).to_bytes(8, "little") + text


# ---- Stage F, and limits --------------------------------------------------------------------------------------------

HUGE = 100_000_000


class Head:
    """The first bytes of a file, of which only the length exists."""

    def __init__(self, length, size):
        self.length, self.size = length, size

    def __len__(self):
        return self.size

    def __getitem__(self, part):
        return self.length.to_bytes(8, "little")


def frame_of_head(space):
    """The length byte by byte; every number of stage F at its limits."""
    constant(space, "no_offset", TOP)
    for status, offset in itertools.product((0, 1, 32), (0, 1, TOP)):
        gives(status << 64 | offset, space["verdict_of"], status, offset)
    for text in (bytes(range(1, 9)), bytes(range(250, 258 - 2)) + b"\1\2", b"\xff" * 8,
                 *(1 << 8 * k for k in range(8))):
        b = text if isinstance(text, bytes) else text.to_bytes(8, "little")
        gives(int.from_bytes(b, "little"), space["header_length"], b)
    for n in (0, 1, 2, 50, HUGE - 1, HUGE, HUGE + 1, 1 << 56):
        for head, size, most in itertools.product({0, 7, 8, 9, 7 + n, 8 + n, 9 + n}, {0, 6, 7, 8, 7 + n, 8 + n, 9 + n},
                                                  {0, n - 1, n, n + 1, TOP} - {-1}):
            args = head, size, most
            gives(frame_expected(n, *args), space["frame_judged"], n.to_bytes(8, "little"), *args)
            if head >= 8 and size >= 8:
                gives(frame_expected(n, *args), space["length_judged"], n, *args)


def frame_expected(n, head, size, most):
    try:
        model.stage_f(Head(n, head), size, {**model.OPTIONS, "max_header": most})
        return 0
    except model.Stop as stop:
        name, offset = stop.fields[:2]
        return CODES[name] << 64 | (TOP if offset is None else offset)


def limits_given(space):
    """Each limit is that of the options, and none without them."""
    names = ["header", "tensors", "rank", "name", "metadata"]
    fields = {"max_" + name: 11 + k for k, name in enumerate(names)}
    for name in names:
        gives(fields["max_" + name], space["limit_" + name], one(Box(**fields)))
        gives(TOP, space["limit_" + name], None)
    for api, relax in itertools.product(range(3), range(-1, 3)):
        holds(api == 1 and relax == 0, space["options_right"], one(Box(api=api, relax=relax)))


# ---- Rules ----------------------------------------------------------------------------------------------------------

RULES_OF_G = ("truncated", "overlap", "hole", "empty_inside")


# ---- Numbers of the codes; a header, key by key ---------------------------------------------------------------------

DTYPES = model.read_table("dtypes.tsv")
NAMED_NUMBERS = {**{"E_" + name.upper(): row for name, row in model.RULES.items()},
           **{"N_" + name.upper(): row for name, row in model.STATUSES.items()},
           **{"DT_" + row["name"]: row for row in DTYPES}}
WORDS = {name: name.lower().encode() for name in ("DTYPE", "SHAPE", "DATA_OFFSETS")}
WORDS["METADATA"] = b"__metadata__"
ROOTS += (*NAMED_NUMBERS, *("WORD_%s_%s" % (name, half) for name in WORDS for half in ("LO", "HI")))


def codes(space):
    """The numbers of rules, statuses and dtypes, and the words that the logic knows."""
    for name, row in NAMED_NUMBERS.items():
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


TENSOR_AT = b'"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}'
TENSOR_A, TENSOR_BC, TENSOR_BACK = (TENSOR_AT % one for one in ((b"a", 1, 0, 1), (b"bc", 1, 1, 2), (b"d", 1, 1, 0)))
TWO_PAIRS = b'"__metadata__":{"k":"v","l":"w"}'
ROOT_KEYS = (), (TENSOR_A,), (TWO_PAIRS,), (TWO_PAIRS, TENSOR_A, TENSOR_BC), (TENSOR_A, TWO_PAIRS, TENSOR_BC), \
    (TENSOR_A, TENSOR_BC, TWO_PAIRS), (TENSOR_A, TENSOR_BACK)
LIMITS_SMALL = {"max_tensors": 2, "max_rank": 1, "max_name": 2, "max_metadata": 2}


def headers():
    """Yield (the head, the positions of its root keys and its }, the members)."""
    for members in ROOT_KEYS:
        at, places = 9, []
        for member in members:
            places.append(at)
            at += len(member) + 1
        text = b"{%s}" % b",".join(members)
        acsl.forget()
        yield len(text).to_bytes(8, "little") + text, [*places, 8 + len(text) - 1], members


def root_keys(space):
    """The root from each of its keys on, with limits just met and just exceeded; and what comes before."""
    for head, places, members in headers():
        end = len(head)
        plans = [Box(**{**LIMITS_SMALL, name: LIMITS_SMALL[name] + step}) for name in LIMITS_SMALL for step in (0, -1)]
        for plan, key, seen, count, stop in itertools.product(plans, places, (0, 1), (0, 1, 2), (end, end - 1)):
            limits = [getattr(plan, name) for name in LIMITS_SMALL]
            args = head, key, stop, seen, count
            for name, of in ("root_within", "root_end"), ("member_within", "root_member_end"):
                if head[key] == ord('"') and key < stop or name == "root_within":
                    gives(space[of](*args, *limits), space[name], *args, plan)
        for at, key in enumerate(places if TENSOR_BACK not in members else ()):
            before = len([member for member in members[:at] if member != TWO_PAIRS])
            for n, metadata, m in itertools.product(range(len(members) + 2), (0, 1), range(4)):
                met = m == 2 and TWO_PAIRS in members if metadata else m == 0 and TWO_PAIRS not in members[:at]
                holds(n == before and met, space["table_before"], head, end, key, n, metadata, m)
        for n in range(4 if TENSOR_BACK not in members else 0):
            holds(n <= len([member for member in members if member != TWO_PAIRS]), space["tensor_keys"], head, end, n)


# ---- What follows the last member -----------------------------------------------------------------------------------

def of(text):
    return len(text).to_bytes(8, "little") + text


# ---- Members that are cut short -------------------------------------------------------------------------------------

FIRST_TENSOR = b'"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'


def members_cut(space):
    """A member of the root, cut at each byte."""
    b = of(b"{%s}" % FIRST_TENSOR)
    plan = Box(**LIMITS_SMALL)
    limits = [getattr(plan, name) for name in LIMITS_SMALL]
    for end in range(10, len(b) + 1):
        acsl.forget()
        whole = space["root_member_end"](b, 9, len(b), 0, 0, *limits)
        gives(whole if whole <= end else stopped("header_early", end), space["member_within"], b, 9, end, 0, 0, plan)


SECTIONS = (arrays, sizes, tensors, roots, chains, names_repeated, verdicts_of_heads, frame_of_head, limits_given,
            codes, root_keys, members_cut)
