"""Make headers from recipes: the inputs of `make bench-worst` (worst.py).

A recipe is a dict that JSON can hold. It describes a few members, each a tensor or a metadata pair; they are written
in turns until the header has the requested size. A recipe covers everything in which legal headers can differ: the
spelling and length of strings, white space, the order of members and offsets, dtypes and dims. It can add one fault,
for inputs that are not legal. Most recipes make a legal header by construction: the sizes of the tensors follow from
their shapes, and the offsets from the sizes.
"""
import collections
import itertools
import json
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
FOUND = os.path.join(HERE, "worst.json")
DTYPES = {"U8": 8, "F32": 32, "BF16": 16, "F64": 64, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4, "F6_E2M3": 6, "C64": 64,
          "BOOL": 8, "F8_E5M2FNUZ": 8}
MEMBERS = list(itertools.permutations(("dtype", "shape", "data_offsets")))
ATOMS = ["n", "a", "_", "/", "\\u0061", "\\u00e9", "\\u20AC", "\\ud83d\\ude00", "\u00e9", "\u6c34", "\U0001f600",
         "\x7f", "\\n", "\\\"", "\\\\", "\\/", "dtype", "shape", "__metadata_", "data_offsets", "layers."]
PLAIN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
DIGITS = {"decimal": list(PLAIN[:10]), "plain": list(PLAIN), "escaped": ["\\u%04x" % ord(c) for c in PLAIN],
          "last escaped": list(PLAIN), "2 bytes": [chr(0xE0 + k) for k in range(24)],
          "3 bytes": [chr(0x4E00 + k) for k in range(64)], "4 bytes": [chr(0x1F600 + k) for k in range(64)],
          "pairs": ["\\ud83d\\ude%02x" % k for k in range(64)], "short escapes": ["\\n", "\\t", "\\b", "\\f", "\\r"]}
TIMES = [0, 0, 0, 1, 1, 2, 3, 4, 6, 8, 12, 16, 32, 90, 250, 1000, 10 ** 9]
GAPS = ["", "", "", "", " ", "  ", "\n", "\t", "\r\n", " " * 7, " " * 40]
NAME_ORDERS = ("as is", "backwards", "shuffled", "two halves", "bits reversed")
ORDERS = (*NAME_ORDERS, "all at one place")
FAULTS = ("byte", "cut", "twice", "data more", "data less")
DIMS = [0, 1, 1, 1, 2, 3, 7, 8, 64, 1000, 4096, 50257, 10 ** 9, 2 ** 32, 10 ** 15, 2 ** 63, 2 ** 64 - 1]
LARGEST, DATA = 10 ** 8, 2 ** 43  # bytes of a header; of data that a sparse file can have, also at that size
GAP_COUNT = {"tensor": 9, "pair": 4}  # positions between tokens where white space is allowed


def found():
    """Return {question: recipes} of bench/worst.json, the worst first."""
    recipes = collections.defaultdict(list)
    if os.path.exists(FOUND):
        with open(FOUND, encoding="utf-8") as f:
            for row in json.load(f):
                recipes[row["question"]].append(row["recipe"])
    return recipes


# ---- Strings ----------------------------------------------------------------------------------------------

def spelled(number, digits):
    """Return a number in the digits of an alphabet: a different text for each number."""
    symbols, text = DIGITS[digits], []
    while True:
        text.append(symbols[number % len(symbols)])
        number //= len(symbols)
        if number == 0:
            break
    if digits == "last escaped":
        text[0] = "\\u%04x" % ord(text[0])
    return "".join(reversed(text))


def repeated(text, room):
    """Return the atoms of a text, repeated as its recipe requires and room allows."""
    unit = "".join(text["atoms"])
    return unit * min(text["times"], max(room, 0) // max(len(unit.encode()), 1))


def string(text, number, fixed):
    counter = spelled(number, text["digits"]) if text["digits"] else ""
    return fixed + counter if text["number_last"] else counter + fixed


# ---- Headers ----------------------------------------------------------------------------------------------

def data_bytes(record, repetitions):
    """Return the size of a tensor whose dims are repeated; None if it is not whole bytes, or exceeds any file."""
    bits = DTYPES[record["dtype"]] if 0 not in record["dims"] or repetitions == 0 else 0
    for dim in record["dims"]:
        if bits > 0 and dim > 1:
            bits *= dim ** min(repetitions, 64)
    return bits // 8 if bits % 8 == 0 and bits < 2 ** 66 else None


def arranged(count, order):
    """Return the numbers below count in that order."""
    places = list(range(count))
    if order == "backwards":
        places.reverse()
    elif order == "shuffled":
        random.Random(1).shuffle(places)
    elif order == "two halves":
        places = [k for pair in itertools.zip_longest(places[:count // 2], places[count // 2:]) for k in pair
                  if k is not None]
    elif order == "bits reversed":
        places.sort(key=lambda k: int("{:032b}".format(k)[::-1], 2))
    return places


def positions(recipe, sizes):
    """Return the offsets of the tensors in the order of the recipe, and the size of the data section."""
    count, order = len(sizes), recipe["order"]
    begins, at = [0] * count, recipe["first"]
    for place in arranged(count, order):
        begins[place] = at
        at += 0 if order == "all at one place" else sizes[place]
    return begins, max([at] + [b + s for b, s in zip(begins, sizes)])


def forms(recipe, room):
    """Return for each record its text, split where a name and two offsets belong, and what does not depend on them."""
    made = []
    for record in recipe["records"]:
        gaps = record["gaps"]
        if record["kind"] == "pair":
            key, value = repeated(record["key"], room // 2), repeated(record["value"], room)
            rest = '"%s:%s"%s"%s' % (gaps[1], gaps[2], value, gaps[3])
            made.append((record, gaps[0] + '"', key, rest, "", 0))
            continue
        unit = ",".join(gaps[8] + str(dim) + gaps[8] for dim in record["dims"])
        rank = min(record["times"], room // (len(unit) + 1)) if unit else 0
        values = {"dtype": '"%s"' % record["dtype"], "shape": "[%s]" % ",".join([unit] * rank),
                  "data_offsets": "[%s%%d%s,%s%%d%s]" % tuple(gaps[8:] * 4)}
        members = (gaps[7] + ",").join(gaps[4] + '"%s"%s:%s%s' % (m, gaps[5], gaps[6], values[m])
                                       for m in MEMBERS[record["members"]])
        rest = '"%s:%s{%s%s}%s' % (gaps[1], gaps[2], members, gaps[7], gaps[3])
        before, after = rest.split("%d", 1)
        between, after = after.split("%d", 1)
        made.append((record, gaps[0] + '"', repeated(record["name"], room), (before, between, after), None,
                     data_bytes(record, rank)))
    return made


def text_of(number, form, begin):
    record, start, fixed, rest, _, size = form
    if record["kind"] == "pair":
        return start + string(record["key"], number, fixed) + rest
    before, between, after = rest
    name = string(record["name"], number, fixed)
    return "%s%s%s%d%s%d%s" % (start, name, before, begin, between, begin + size, after)


def members_of(recipe, forms_made, room, most):
    """Return [(form, number)] in turns until the room is used, with at least one. Each number in a name counts as
    much as the longest can, so that there is room for all."""
    numbers, chosen, at = {"pair": 0, "tensor": 0}, [], recipe["first"]
    last = [room // (8 if form[0]["kind"] == "pair" else 50) for form in forms_made]
    lengths = [len(text_of(number, form, 0).encode()) + 1 for number, form in zip(last, forms_made)]
    while True:
        for form, length in zip(forms_made, lengths):
            room -= length + 2 * len(str(at)) - 2 if form[0]["kind"] == "tensor" else length
            if chosen and (room < 0 or len(chosen) >= most):
                return chosen
            chosen.append((form, numbers[form[0]["kind"]]))
            numbers[form[0]["kind"]] += 1
            at += form[5]


def renamed(recipe, chosen):
    """Return [(form, number)] with the numbers in the order of the recipe. Members of one kind have the numbers from 0
    on."""
    for kind in GAP_COUNT:
        places = [at for at, (form, _) in enumerate(chosen) if form[0]["kind"] == kind]
        for at, number in zip(places, arranged(len(places), recipe.get("names", "as is"))):
            chosen[at] = chosen[at][0], number
    return chosen


def build(recipe, size):
    """Return (header of about `size` bytes, bytes of data, kind); None if no header fits the recipe."""
    spaces = size * recipe["space"] // 100
    made = forms(recipe, size - spaces - 180)
    if not made or any(form[5] is None for form in made):
        return None
    chosen = renamed(recipe, members_of(recipe, made, size - spaces - 60, size // 6))
    kind = kind_of([(form, sum(f is form for f, _ in chosen)) for form in made], spaces)
    tensors = [(form, number) for form, number in chosen if form[0]["kind"] == "tensor"]
    pairs = [(form, number) for form, number in chosen if form[0]["kind"] == "pair"]
    begins, data = positions(recipe, [form[5] for form, _ in tensors])
    if (data - recipe["first"]) * max(LARGEST // size, 1) + recipe["first"] > DATA:
        return None
    members = [text_of(number, form, begin) for (form, number), begin in zip(tensors, begins)]
    if recipe["first"]:
        members.insert(0, '"first":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}' % ((recipe["first"],) * 2))
    if pairs:
        members.insert(len(members) if recipe["metadata_last"] else 0, '"__metadata__":{%s}' % ",".join(
            text_of(number, form, 0) for form, number in pairs))
    return (*broken(recipe["fault"], members, spaces, data), kind)


def broken(fault, members, spaces, data):
    """Return the header's bytes, with the fault if there is one, and the size of the data section."""
    kind, place, byte = fault or ("", 0, 0)
    if kind == "twice":
        members = members + members[-1:]
    header = ("{" + " " * spaces + ",".join(members) + "}").encode()
    if kind == "cut":
        header = header[:max(2, len(header) * place // 100)]
    if kind == "byte":
        at = min(len(header) - 1, len(header) * place // 100)
        header = header[:at] + bytes([byte]) + header[at + 1:]
    return header, data + {"data more": 1, "data less": -1}.get(kind, 0) * (data > 0)


def kind_of(members, spaces):
    """Return what most of a header consists of. members: [(form, count)]."""
    bytes_of = collections.Counter({"white space": spaces})
    for (record, start, fixed, after, _, _), count in members:
        name, rest = len(fixed.encode()) + 3, len(start) + len("".join(after).encode())
        gaps = len("".join(record["gaps"][:8]))
        bytes_of["white space"] += count * gaps
        if record["kind"] == "pair":
            bytes_of["long metadata keys" if name > 20 else "metadata pairs"] += count * (name + 7)
            bytes_of["metadata values"] += count * (rest - gaps - 7)
        else:
            dims = sum(part.count(",") for part in after) - 3
            dims_bytes = rest - gaps - 46 if dims > 8 else 0
            bytes_of["dims"] += count * dims_bytes
            bytes_of[("escaped names" if "\\" in fixed else "long names") if name > 60 else "tensors"] += count * name
            bytes_of["tensors"] += count * (rest - gaps - dims_bytes)
    return max(sorted(bytes_of), key=bytes_of.get)


# ---- Mutation ---------------------------------------------------------------------------------------------

def new_text(chance):
    return {"atoms": [chance.choice(ATOMS) for _ in range(chance.choice((0, 1, 1, 2)))], "times": chance.choice(TIMES),
            "digits": chance.choice(list(DIGITS)), "number_last": chance.random() < 0.7}


def new_record(chance):
    if chance.random() < 0.3:
        value = new_text(chance)
        value["digits"] = ""
        return {"kind": "pair", "key": new_text(chance), "value": value, "gaps": [""] * GAP_COUNT["pair"]}
    return {"kind": "tensor", "name": new_text(chance), "members": chance.randrange(6),
            "dtype": chance.choice(list(DTYPES)), "times": 1,
            "dims": [chance.choice(DIMS) for _ in range(chance.choice((0, 1, 1, 2)))],
            "gaps": [""] * GAP_COUNT["tensor"]}


def text(atoms, times=10 ** 9, digits="decimal", number_last=True):
    return {"atoms": atoms, "times": times, "digits": digits, "number_last": number_last}


def tensor(name, dims=(0,), times=1):
    return {"kind": "tensor", "name": name, "members": 0, "dtype": "U8", "dims": list(dims), "times": times,
            "gaps": [""] * GAP_COUNT["tensor"]}


def pair(key, value):
    return {"kind": "pair", "key": key, "value": value, "gaps": [""] * GAP_COUNT["pair"]}


def of(record, **more):
    """Return a recipe with this one member."""
    return dict({"records": [record], "order": "as is", "first": 0, "space": 0, "metadata_last": False,
                 "names": "as is", "fault": None}, **more)


def new(chance):
    return of(new_record(chance))


def change_text(text, chance):
    what = chance.randrange(4)
    if what == 0:
        text["times"] = chance.choice(TIMES)
    elif what == 1 and text["digits"]:
        text["digits"] = chance.choice(list(DIGITS))
    elif what == 2:
        text["number_last"] = not text["number_last"]
    else:
        text["atoms"] = (text["atoms"] + [chance.choice(ATOMS)])[chance.randrange(2):][:6]


def change_record(record, chance):
    what = chance.randrange(6)
    if what == 0:
        record["gaps"][chance.randrange(len(record["gaps"]))] = chance.choice(GAPS)
    elif what == 1 and any(record["gaps"]):
        record["gaps"] = [""] * len(record["gaps"])
    elif record["kind"] == "pair":
        change_text(record[chance.choice(("key", "value"))], chance)
    elif what == 2:
        record["members"] = chance.randrange(6)
    elif what == 3:
        record["dtype"] = chance.choice(list(DTYPES))
    elif what == 4:
        record["dims"] = (record["dims"] + [chance.choice(DIMS)])[chance.randrange(2):][:6]
        record["times"] = chance.choice((1, 1, 1, 2, 8, 10 ** 9))
    else:
        change_text(record["name"], chance)


def change(recipe, chance, legal):
    """Make a small change to a recipe, in place."""
    what = chance.randrange(12)
    records = recipe["records"]
    if what == 0 and len(records) < 4:
        records.insert(chance.randrange(len(records) + 1), new_record(chance))
    elif what == 1 and len(records) > 1:
        records.pop(chance.randrange(len(records)))
    elif what == 2:
        recipe["order"] = chance.choice(ORDERS)
    elif what == 3:
        recipe["first"] = chance.choice((0, 0, 9, 10 ** 5, 10 ** 9, 10 ** 12))
    elif what == 4:
        recipe["metadata_last"] = not recipe["metadata_last"]
        recipe["space"] = chance.choice((0, 0, 0, 10, 90))
    elif what == 5 and not legal:
        recipe["fault"] = chance.choice((None, [chance.choice(FAULTS), chance.randrange(101), chance.randrange(256)]))
    elif what == 6:
        recipe["names"] = chance.choice(NAME_ORDERS)
    else:
        change_record(chance.choice(records), chance)
