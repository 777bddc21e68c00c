"""Make files that break two rules: every pair of rules that can occur in one file, in the order in which they can
be judged.

An ordered pair (A, B) is a family of four files, all made from one random document:

    clean     without a defect; the verdict of the model is valid
    first     with one edit; the model reports A
    second    with another edit; the model reports B
    both      with the two edits, which do not overlap; the model reports A

An edit replaces a run of header bytes, sets the header length or the file size, or changes the data size. Undoing
the first edit in `both` results in `second`: `both` also breaks B, which is not reported. Where B has a meaning in
`both`, in stages F and G, B must moreover be broken there as it is stated. Where the file size is set, the bytes
that are passed continue beyond it: nobody may read there, and the reference does not get them.

assurance/model/pairs.tsv lists the ordered pairs that are impossible, since B is judged before A, and why.
"""
import json
import os
import random
import re

import model
from generate_cases import Frame, write
from random_defects import PLANTS
from random_document import Doc

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {row["id"]: name for name, row in model.RULES.items()}
TRIES = 2000


# ---- Which pairs there are -----------------------------------------------------------------------------

def rules_of(words):
    """Return the names of the rules in this text: an id, a stage, or a range of ids."""
    found = []
    for word in words.split():
        stage, low, high = re.fullmatch(r"([FHG])([0-9]*)(?:-[FHG]([0-9]+))?", word).groups()
        found += [name for rule, name in NAMES.items() if rule[0] == stage and
                  (not low or int(low) <= int(rule[1:]) <= int(high or low))]
    return found


def impossible():
    """Return {(first, second): why} from assurance/model/pairs.tsv."""
    with open(os.path.join(HERE, "pairs.tsv"), encoding="ascii") as f:
        rows = [line.split("\t") for line in f.read().splitlines()[1:]]
    return {(a, b): why for first, second, why in rows for a in rules_of(first) for b in rules_of(second)}


IMPOSSIBLE = impossible()
PAIRS = [(a, b) for a in model.RULES for b in model.RULES if a != b and (a, b) not in IMPOSSIBLE]


# ---- Two edits of one file -----------------------------------------------------------------------------

def edit(old, new):
    """Return (begin, end, bytes): replacing these bytes of old makes new."""
    begin = len(os.path.commonprefix([old, new]))
    same = len(os.path.commonprefix([old[begin:][::-1], new[begin:][::-1]]))
    return begin, len(old) - same, new[begin:len(new) - same]


def merge(clean, first, second):
    """Return the file with the edits of both, or None if they overlap."""
    edits = sorted([edit(clean.header, first.header), edit(clean.header, second.header)])
    (begin, end, new), (later, last, other) = edits
    lengths = [side.n for side in (first, second) if side.n != len(side.header)]
    sizes = [side.file_size - 8 for side in (first, second) if side.file_size is not None]
    inside = any(low < place < high for place in lengths + sizes for low, high, _ in edits)
    if later < end or begin == later and new and other or inside or len(lengths) > 1 or len(sizes) > 1:
        return None
    both = Frame(clean.header[:begin] + new + clean.header[end:later] + other + clean.header[last:],
                 first.size + second.size - clean.size)
    for place in lengths:
        both.n = moved(place, edits, len(clean.header))
    for place in sizes:
        both.file_size = 8 + moved(place, edits, len(clean.header))
    return both


def moved(place, edits, size):
    """Return this header position after the edits; positions beyond the header do not move."""
    return place + sum(len(new) - (end - begin) for begin, end, new in edits if end <= place <= size)


# ---- The rules of the stages F and G as they are stated --------------------------------------------------

def frame_breaks(file):
    size = file.whole()
    return {"file_short": size < 8, "header_large": file.n > model.MAX_HEADER, "header_cut": 8 + file.n > size}


def whole_breaks(file):
    """Return the rules of stage G that are broken; stages F and H are clean."""
    header = model.Header(file.head(), 8 + file.n, model.OPTIONS)
    header.parse()
    tensors, full = header.tensors, [t for t in header.tensors if t.begin < t.end]
    size = file.whole() - 8 - file.n
    edges = sorted({0, size} | {edge for t in full for edge in (t.begin, t.end)})
    # The owners of the bytes between two adjacent edges.
    owners = [[t for t in full if t.begin <= low < t.end] for low in edges if low < size]
    return {
        "metadata_key_twice": len({p.key for p in header.pairs}) < len(header.pairs),
        "name_twice": len({t.name for t in tensors}) < len(tensors),
        "truncated": any(t.end > size for t in tensors),
        "overlap": any(len(owning) > 1 for owning in owners),
        "hole": any(not owning for owning in owners),
        "empty_inside": any(f.begin < t.begin < f.end for f in full for t in tensors if t.begin == t.end),
    }


def twice_metadata(file):
    """Return whether a header that was clean has two __metadata__."""
    keys = [key for key, _ in json.loads(file.header[:file.n], object_pairs_hook=list)]
    return keys.count("__metadata__") > 1


def breaks(file, said, rule):
    """Return whether this file, for which the model reports one rule, also breaks the other. What follows a fault
    in the header has no meaning: there the edit counts. It also counts for a clean header, except for a second
    __metadata__: the other edit may have removed the first one."""
    stages = model.RULES[said]["id"][0], model.RULES[rule]["id"][0]
    if stages[1] == "F":
        return frame_breaks(file)[rule]
    if stages == ("G", "G"):
        return whole_breaks(file)[rule]
    return twice_metadata(file) if (stages[0], rule) == ("G", "metadata_twice") else True


# ---- Families ------------------------------------------------------------------------------------------

def verdict(frame):
    return model.judge(frame.head(), frame.whole()).name


def attempt(rng, one, other):
    """Return four files for these two rules, in whichever order they are judged, or None if these numbers make
    none."""
    seeds = [rng.getrandbits(64) for _ in range(3)]

    def version(*seeded):
        return write(Doc(random.Random(seeds[0]), (2, 2, 3, 4)), seeded)
    first = version((rng.choice(PLANTS[one]), random.Random(seeds[1])))
    if verdict(first) != one:
        return None
    second = version((rng.choice(PLANTS[other]), random.Random(seeds[2])))
    if verdict(second) != other:
        return None
    clean = version()
    both = merge(clean, first, second)
    said = both and verdict(both)
    if said == other:
        one, other, first, second = other, one, second, first
    if said != one or not breaks(both, one, other):
        return None
    return (one, other), (clean, first, second, both)


def family(seed, index):
    """Return the four files of the next pair, as (data, file size); none if none were found. Return those of an
    impossible pair if they were found on the way."""
    pair = PAIRS[index % len(PAIRS)]
    rng = random.Random(seed << 34 | index)
    for _ in range(TRIES):
        found, files = attempt(rng, *pair) or (None, ())
        if found == pair or found in IMPOSSIBLE:
            return [(frame.head(), frame.whole()) for frame in files]
    return []
