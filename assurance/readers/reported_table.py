"""Compare what a reader reports about a file with the table of the model.

A line is `accept JSON`, `reject why` or `skip why`. The keys of the JSON, which a reader may omit, are: tensors, a
list in any order of name, dtype, shape, begin and end (data offsets), offset (in the file), size (bytes), data
(hexadecimal); pairs, the metadata ({} if there is none). Numbers may be strings of digits.
"""
import copy
import json
import re

import gaps

KEYS = re.compile(rb'"((?:[^"\\]|\\.)*)"[ \t\r\n]*:')


def table_of(data, result):
    """Return the table of the file for gaps.py: the tensors in header order."""
    tensors = [{"name": t.name, "dtype": t.dtype, "shape": list(t.shape), "begin": t.begin, "end": t.end}
               for t in sorted(result.tensors, key=lambda tensor: tensor.place)]
    header = data[8:8 + int.from_bytes(data[:8], "little")]
    return {"tensors": tensors, "pairs": dict(result.metadata or ()), "metadata": result.metadata is not None,
            "header": header, "escaped_key": escaped_key(header), "data": data[8 + len(header):]}


def escaped_key(header):
    """Return whether the name of a tensor or the key of a pair is written with an escape."""
    return b"\\" in header and any(b"\\" in key for key in KEYS.findall(header))


def integers(shape):
    return [int(dim) for dim in shape or ()]


def same_tensor(ours, reported, table):
    begin, end = ours["begin"], ours["end"]
    want = {"begin": begin, "end": end, "offset": 8 + len(table["header"]) + begin, "size": end - begin}
    names = reported["name"], reported["dtype"], integers(reported["shape"])
    return names == (ours["name"], ours["dtype"], ours["shape"]) \
        and all(int(reported[key]) == want[key] for key in want if key in reported) \
        and ("data" not in reported or bytes.fromhex(reported["data"]) == table["data"][begin:end])


def same(table, reported):
    """Return whether the reader reports this table."""
    if "tensors" in reported:
        ours, theirs = ({tensor["name"]: tensor for tensor in side["tensors"]} for side in (table, reported))
        if len(reported["tensors"]) != len(table["tensors"]) or set(theirs) != set(ours):
            return False
        if not all(same_tensor(ours[name], theirs[name], table) for name in ours):
            return False
    return reported.get("pairs") is None or reported["pairs"] == table["pairs"]


def read_instead(known, table):
    """Return the table that a reader with these gaps reads, and the ids of those that change it."""
    changed, ids = copy.deepcopy(table), []
    for gap in known:
        if gap.reads:
            before = copy.deepcopy(changed)
            gap.reads(changed)
            ids += [gap.id] if changed != before else []
    return changed, ids


def explain(reader, table, line):
    """Return (same, skip, reject or differs; the ids of the gaps that explain it, [] if none does)."""
    known = [gap for gap in gaps.GAPS if gap.reader == reader]
    word, _, rest = line.partition(" ")
    if word == "skip":
        return "skip", []
    if word == "reject":
        return "reject", [gap.id for gap in known if gaps.explains(gap, table, rest)]
    reported = json.loads(rest)
    if same(table, reported):
        return "same", []
    instead, ids = read_instead(known, table)
    return "differs", ids if same(instead, reported) else []
