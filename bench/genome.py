"""Headers grown from a few genes: what `make bench-worst` searches through (worst.py).

A genome is a dict that JSON can hold: some members, each tensor or metadata pair, which are written in turns until the
header is as large as is asked. Everything that a legal header can differ in is a gene: how strings are spelled and how
long they are, where white space stands, in which order members and offsets come, dtypes and dims; and one fault, for
inputs that are not legal. Most genomes make a legal header by construction: the sizes of the tensors follow from their
shapes, and the offsets from the sizes.
"""
import collections
import itertools
import json
import os
import random
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
FOUND = os.path.join(HERE, "worst.json")
COLLIDE = os.path.join(os.path.dirname(HERE), "build", "bench", "collide")
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
ORDERS = ("as is", "backwards", "shuffled", "two halves", "bits reversed", "all at one place")
FAULTS = ("byte", "cut", "twice", "data more", "data less")
DIMS = [0, 1, 1, 1, 2, 3, 7, 8, 64, 1000, 4096, 50257, 10 ** 9, 2 ** 32, 10 ** 15, 2 ** 63, 2 ** 64 - 1]
LARGEST, DATA = 10 ** 8, 2 ** 43  # bytes of a header; of data that a file with holes can have, at that size too
PLACES = {"tensor": 9, "pair": 4}  # where white space may stand: between tokens


def found():
    """{question: genomes}, the worst first, of bench/worst.json."""
    genomes = collections.defaultdict(list)
    if os.path.exists(FOUND):
        with open(FOUND, encoding="utf-8") as f:
            for row in json.load(f):
                genomes[row["question"]].append(row["genome"])
    return genomes


# ---- Strings ----------------------------------------------------------------------------------------------

def spelled(number, digits):
    """A number in the digits of an alphabet: another text for every number."""
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
    """The atoms of a text gene, so often as it says and there is room."""
    unit = "".join(text["atoms"])
    return unit * min(text["times"], max(room, 0) // max(len(unit.encode()), 1))


def string(text, number, fixed, names):
    counter = names[number] if names is not None else spelled(number, text["digits"]) if text["digits"] else ""
    return fixed + counter if text["behind"] else counter + fixed


def colliding(count, tags, seed, prefix=""):
    """Names that walk as far along the index as they may: collide.c."""
    done = subprocess.run([COLLIDE, str(seed), str(count), str(tags), prefix], stdout=subprocess.PIPE, check=False)
    return done.stdout.decode().split()


# ---- Headers ----------------------------------------------------------------------------------------------

def data_bytes(record, repetitions):
    """The size of a tensor whose dims come so often; None: not whole bytes, or more than a file can have."""
    bits = DTYPES[record["dtype"]] if 0 not in record["dims"] or repetitions == 0 else 0
    for dim in record["dims"]:
        if bits > 0 and dim > 1:
            bits *= dim ** min(repetitions, 64)
    return bits // 8 if bits % 8 == 0 and bits < 2 ** 66 else None


def positions(genome, sizes):
    """The offsets of the tensors, which lie in the order that the genome says."""
    count, order = len(sizes), genome["order"]
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
    begins, at = [0] * count, genome["first"]
    for place in places:
        begins[place] = at
        at += 0 if order == "all at one place" else sizes[place]
    return begins, max([at] + [b + s for b, s in zip(begins, sizes)])


def forms(genome, room):
    """For each record its text, cut where a name and two offsets go, and what is known before those are."""
    made = []
    for record in genome["records"]:
        gaps = record["gaps"]
        if record["kind"] == "pair":
            key, value = repeated(record["key"], room // 2), repeated(record["value"], room)
            behind = '"%s:%s"%s"%s' % (gaps[1], gaps[2], value, gaps[3])
            made.append((record, gaps[0] + '"', key, behind, "", 0))
            continue
        unit = ",".join(gaps[8] + str(dim) + gaps[8] for dim in record["dims"])
        rank = min(record["times"], room // (len(unit) + 1)) if unit else 0
        values = {"dtype": '"%s"' % record["dtype"], "shape": "[%s]" % ",".join([unit] * rank),
                  "data_offsets": "[%s%%d%s,%s%%d%s]" % tuple(gaps[8:] * 4)}
        members = (gaps[7] + ",").join(gaps[4] + '"%s"%s:%s%s' % (m, gaps[5], gaps[6], values[m])
                                       for m in MEMBERS[record["members"]])
        behind = '"%s:%s{%s%s}%s' % (gaps[1], gaps[2], members, gaps[7], gaps[3])
        before, after = behind.split("%d", 1)
        between, after = after.split("%d", 1)
        made.append((record, gaps[0] + '"', repeated(record["name"], room), (before, between, after), None,
                     data_bytes(record, rank)))
    return made


def text_of(number, form, begin, names):
    record, start, fixed, behind, _, size = form
    if record["kind"] == "pair":
        return start + string(record["key"], number, fixed, names) + behind
    before, between, after = behind
    name = string(record["name"], number, fixed, names)
    return "%s%s%s%d%s%d%s" % (start, name, before, begin, between, begin + size, after)


def members_of(genome, forms_made, room, most):
    """[(form, number)] in turns until the room is used, the first one in any case. A number in a name counts as long as
    the last may be, so that there is room for all."""
    numbers, chosen, at = {"pair": 0, "tensor": 0}, [], genome["first"]
    among = 3 * 256 // genome["tags"] if genome["tags"] else 1  # one in so many is taken (collide.c)
    last = [room * among // (8 if form[0]["kind"] == "pair" else 50) for form in forms_made]
    lengths = [len(text_of(number, form, 0, None).encode()) + 1 for number, form in zip(last, forms_made)]
    while True:
        for form, length in zip(forms_made, lengths):
            room -= length + 2 * len(str(at)) - 2 if form[0]["kind"] == "tensor" else length
            if chosen and (room < 0 or len(chosen) >= most):
                return chosen
            chosen.append((form, numbers[form[0]["kind"]]))
            numbers[form[0]["kind"]] += 1
            at += form[5]


def build(genome, size, seed=None):
    """(header of about `size` bytes, bytes of data, kind); None if the genes fit no header. seed: one that the author
    knows, which the gene `tags` wants."""
    spaces = size * genome["space"] // 100
    made = forms(genome, size - spaces - 180)
    if not made or any(form[5] is None for form in made):
        return None
    chosen = members_of(genome, made, size - spaces - 60, size // 6)
    kind = kind_of([(form, sum(f is form for f, _ in chosen)) for form in made], spaces)
    tensors = [(form, number) for form, number in chosen if form[0]["kind"] == "tensor"]
    pairs = [(form, number) for form, number in chosen if form[0]["kind"] == "pair"]
    begins, data = positions(genome, [form[5] for form, _ in tensors])
    names = [known_names(genome, len(members), seed) for members in (tensors, pairs)]
    if (data - genome["first"]) * max(LARGEST // size, 1) + genome["first"] > DATA or [] in names:
        return None
    members = [text_of(number, form, begin, names[0]) for (form, number), begin in zip(tensors, begins)]
    if genome["first"]:
        members.insert(0, '"first":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}' % ((genome["first"],) * 2))
    if pairs:
        members.insert(len(members) if genome["metadata_last"] else 0, '"__metadata__":{%s}' % ",".join(
            text_of(number, form, 0, names[1]) for form, number in pairs))
    return (*broken(genome["fault"], members, spaces, data), kind)


def known_names(genome, count, seed):
    """Names that collide; None: the seed is not known, or there are too few for it to matter; []: there are no such."""
    return colliding(count, genome["tags"], seed) if genome["tags"] and seed is not None and count >= 600 else None


def broken(fault, members, spaces, data):
    """The header's bytes, with the fault if there is one."""
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
    """Of what a header is made, for the most part. members: [(form, how many)]."""
    bytes_of = collections.Counter({"white space": spaces})
    for (record, start, fixed, behind, _, _), count in members:
        name, rest = len(fixed.encode()) + 3, len(start) + len("".join(behind).encode())
        gaps = len("".join(record["gaps"][:8]))
        bytes_of["white space"] += count * gaps
        if record["kind"] == "pair":
            bytes_of["long metadata keys" if name > 20 else "metadata pairs"] += count * (name + 7)
            bytes_of["metadata values"] += count * (rest - gaps - 7)
        else:
            dims = behind[0].count(",") + behind[1].count(",") + behind[2].count(",") - 3
            dims_bytes = rest - gaps - 46 if dims > 8 else 0
            bytes_of["dims"] += count * dims_bytes
            bytes_of[("escaped names" if "\\" in fixed else "long names") if name > 60 else "tensors"] += count * name
            bytes_of["tensors"] += count * (rest - gaps - dims_bytes)
    return max(sorted(bytes_of), key=bytes_of.get)


# ---- Mutation ---------------------------------------------------------------------------------------------

def new_text(chance):
    return {"atoms": [chance.choice(ATOMS) for _ in range(chance.choice((0, 1, 1, 2)))], "times": chance.choice(TIMES),
            "digits": chance.choice(list(DIGITS)), "behind": chance.random() < 0.7}


def new_record(chance):
    if chance.random() < 0.3:
        value = new_text(chance)
        value["digits"] = ""
        return {"kind": "pair", "key": new_text(chance), "value": value, "gaps": [""] * PLACES["pair"]}
    return {"kind": "tensor", "name": new_text(chance), "members": chance.randrange(6),
            "dtype": chance.choice(list(DTYPES)), "times": 1,
            "dims": [chance.choice(DIMS) for _ in range(chance.choice((0, 1, 1, 2)))], "gaps": [""] * PLACES["tensor"]}


def text(atoms, times=10 ** 9, digits="decimal", behind=True):
    return {"atoms": atoms, "times": times, "digits": digits, "behind": behind}


def tensor(name, dims=(0,), times=1):
    return {"kind": "tensor", "name": name, "members": 0, "dtype": "U8", "dims": list(dims), "times": times,
            "gaps": [""] * PLACES["tensor"]}


def pair(key, value):
    return {"kind": "pair", "key": key, "value": value, "gaps": [""] * PLACES["pair"]}


def of(record, **more):
    """A genome with this one member."""
    return dict({"records": [record], "order": "as is", "first": 0, "space": 0, "metadata_last": False, "tags": 0,
                 "fault": None}, **more)


def new(chance):
    return of(new_record(chance))


def change_text(text, chance):
    what = chance.randrange(4)
    if what == 0:
        text["times"] = chance.choice(TIMES)
    elif what == 1 and text["digits"]:
        text["digits"] = chance.choice(list(DIGITS))
    elif what == 2:
        text["behind"] = not text["behind"]
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


def change(genome, chance, legal, tags):
    """Changes a genome in place, a little."""
    what = chance.randrange(12)
    records = genome["records"]
    if what == 0 and len(records) < 4:
        records.insert(chance.randrange(len(records) + 1), new_record(chance))
    elif what == 1 and len(records) > 1:
        records.pop(chance.randrange(len(records)))
    elif what == 2:
        genome["order"] = chance.choice(ORDERS)
    elif what == 3:
        genome["first"] = chance.choice((0, 0, 9, 10 ** 5, 10 ** 9, 10 ** 12))
    elif what == 4:
        genome["metadata_last"] = not genome["metadata_last"]
        genome["space"] = chance.choice((0, 0, 0, 10, 90))
    elif what == 5 and not legal:
        genome["fault"] = chance.choice((None, [chance.choice(FAULTS), chance.randrange(101), chance.randrange(256)]))
    elif what == 6 and tags:
        genome["tags"] = chance.choice((0, 256, 128, 64, 48, 32, 16, 8, 4, 1))
    else:
        change_record(chance.choice(records), chance)
