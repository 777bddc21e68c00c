"""The grammar in logic, from tensors to the header, key by key, beside the parser of spec/model.py; and what the table
says of a header that keeps the rules.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools
import re

import acsl
import model
from logic_parser import TOP, Reader, product_of, step, stopped
from logic_ask import gives, holds

ROOTS = ("member_judged", "member_value", "member_at", "member_end", "dtype_at", "tensor_judged", "members_end",
         "tensor_end", "member_from", "object_member", "pair_end", "pair_judged", "pairs_end", "root_key_judged",
         "root_value_end", "root_member_end", "root_end", "trailing_end", "header_end", "root_next", "tensor_from",
         "metadata_from", "object_dtype", "object_shape", "object_rank", "object_begin", "object_finish",
         "tensor_key", "tensor_name_end", "tensor_object", "tensor_name", "tensor_begin", "tensor_finish",
         "metadata_key", "pair_key", "pair_value", "pair_name", "tensor_count", "pair_count")
MEMBERS = {1: "dtype", 2: "shape", 4: "data_offsets"}


# ---- Tensors ---------------------------------------------------------------------------------------------

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
    """The }, and what the tensor says."""
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
    """A tensor and a header, cut everywhere."""
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
    """Key by key, whatever has been found before; value by value."""
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
    """A key, or what is taken for one."""
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


# ---- The root --------------------------------------------------------------------------------------------

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
    """No limit, and each alone."""
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


def root(reader, seen, count):
    reader.has_metadata, reader.tensors = bool(seen), [None] * count
    for key in reader.keys():
        reader.root_member(key)
    return reader.at


def from_root(space, b, at, end, limit, order):
    """From a quote on that may be a key's, or from a }."""
    for seen, count in ((0, 0), (1, 1), (0, 1), (1, 0), (0, 2)):
        gives(step(lambda: root(Reader(b, end, at, **limit), seen, count)), space["root_end"], b, at, end, seen, count,
              *order)
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
    """Of a header that keeps the rules: from key to key."""
    for text in ROOTS_OF:
        b = b"01234567" + text + b' "0]}'
        end = 8 + len(text)
        acsl.forget()
        header = Reader(b, end, 8)
        if step(lambda: header.parse() or 0):
            continue
        table(space, b, end, header)
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
    """Behind a string."""
    reader = Reader(b, end, at)
    reader.string()
    return reader.at


def behind_colon(b, end, at):
    reader = Reader(b, end, at)
    reader.expect(b":")
    return reader.space() and reader.at


def value_of(text):
    value = 0
    for byte in reversed(text.encode()):
        value = 1 + byte + 257 * value
    return value


def table(space, b, end, header):
    """What it says, one by one, and how many there are."""
    last = b[:end].rindex(b"}")
    for k, t in enumerate(header.tensors):
        behind = quoted(b, end, t.name_at)
        for name, wanted in (("key", t.name_at), ("name_end", behind - 1), ("object", behind_colon(b, end, behind)),
                             ("name", value_of(t.name)), ("begin", t.begin), ("finish", t.end)):
            gives(wanted, space["tensor_" + name], b, end, k)
    gives(last, space["tensor_key"], b, end, len(header.tensors))
    gives(header.tensors[0].name_at if header.tensors else last, space["tensor_key"], b, end, -1)
    found = re.search(rb'"__metadata__"', b[:end])
    gives(found.start() if found else last, space["metadata_key"], b, end)
    for k, pair in enumerate(header.pairs):
        gives(pair.key_at, space["pair_key"], b, end, k)
        gives(behind_colon(b, end, quoted(b, end, pair.key_at)), space["pair_value"], b, end, k)
        gives(value_of(pair.key), space["pair_name"], b, end, k)
    gives(b.index(b"}", found.start()) if found else last, space["pair_key"], b, end, len(header.pairs))
    for n in range(-1, 6):
        holds(n == len(header.tensors), space["tensor_count"], b, end, n)
        holds(n == len(header.pairs), space["pair_count"], b, end, n)


SECTIONS = (tensors, roots, chains)
