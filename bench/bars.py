"""The bars: what assay has to reach, each with what was measured and whether that is enough.

In a quick run the bars of large files are measured on smaller ones and said to be so: only a full run can judge them.
"""
import collections
import math

import instructions
import workloads

Bar = collections.namedtuple("Bar", "name bar measured verdict")

ORDINARY = [w.name for w in workloads.WORKLOADS if w.kind == "ordinary"]
ATTACKS = [w.name for w in workloads.WORKLOADS if w.kind == "attack"]
SMALL = " (1 MB)"  # behind the name of an attack: the same shape, a megabyte
KNOWN = [w.name for w in workloads.WORKLOADS if w.seed == workloads.KNOWN_SEED]


def verdict(good):
    return "met" if good else "NOT met"


class Rows:
    def __init__(self, rows):
        self.of = {(r["workload"], r["reader"], r["operation"]): r for r in rows if r["median"] is not None}

    def median(self, workload, reader, operation="parse"):
        found = self.of.get((workload, reader, operation))
        return None if found is None else found["median"]

    def ratio(self, workload, peer, ours):
        theirs, mine = self.median(workload, peer), self.median(workload, ours)
        return None if theirs is None or mine is None else theirs / mine


def list_of(values, form):
    return ", ".join("%s %s" % (k, "not measured" if v is None else form % v) for k, v in values.items())


def times(rows, peer, ours, names, least, mean=None):
    """So many times as fast as a peer, on each and in the geometric mean."""
    ratios = {name: rows.ratio(name, peer, ours) for name in names}
    measured = list_of(ratios, "%.2f")
    if None in ratios.values():
        return measured, "not judged: not all was measured"
    if mean is not None:
        average = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        measured = "mean %.2f: %s" % (average, measured)
        return measured, verdict(average >= mean and min(ratios.values()) >= least)
    return measured, verdict(min(ratios.values()) >= least)


def per_byte(counts, ordinary):
    if ordinary:
        counts = [c for c in counts if c.kind == "ordinary"]
        values = {c.workload: (c.instructions - instructions.PER_TENSOR * c.tensors) / c.bytes for c in counts}
    else:
        values = {c.workload: c.instructions / c.bytes for c in counts}
    limit = instructions.PER_BYTE if ordinary else instructions.ANY_PER_BYTE
    return list_of(values, "%.2f"), verdict(max(values.values()) <= limit)


def seconds(rows, names, limit):
    values = {name: rows.median(name, "assay") for name in names}
    measured = list_of({name: None if v is None else v / 1e9 for name, v in values.items()}, "%.3f s")
    return measured, verdict(None not in values.values() and max(values.values()) <= limit * 1e9)


def workspace(rows):
    """What assay_measure asks for, against 48 bytes a tensor and 16 a metadata pair."""
    found = [r for (_, _, operation), r in rows.of.items() if operation == "workspace"]
    values = {r["workload"]: r["median"] / r["limit"] for r in found if r["limit"] > 0}
    good = values and all(r["median"] <= r["limit"] for r in found)
    return list_of(values, "%.2f"), verdict(good)


def growth(rows):
    """Time a byte at 100 MB against that at 1 MB, the same shape of file."""
    values = {}
    for name in (w.name for w in workloads.WORKLOADS if w.kind == "attack" and w.name not in KNOWN):
        large, small = (rows.of.get((name + suffix, "assay", "parse")) for suffix in ("", SMALL))
        if large is None or small is None:
            return "nothing", "not judged: the large ones were not measured"
        values[name] = large["median"] / large["bytes"] / (small["median"] / small["bytes"])
    return list_of(values, "%.2f"), verdict(max(values.values()) <= 1.5)


def files(rows):
    mine, theirs = (rows.median("small files", reader, "2 processes") for reader in ("assay", "python"))
    measured = "%.0f files a second without a sandbox, which the program does not have yet" % mine
    other = "the package was not measured" if theirs is None else "%.1f" % (mine / theirs)
    return measured, other, verdict(theirs is not None and mine >= 20 * theirs)


def judge(rows, counts, full):
    rows = Rows(rows)
    unknown = [name for name in ATTACKS if name not in KNOWN]
    measured, ratio, many = files(rows)
    found = [
        ("the crate, memory counted", "mean 20, each 10", *times(rows, "crate", "assay+memory", ORDINARY, 10, 20)),
        ("the crate, 800 thousand shuffled", "8", *times(rows, "crate", "assay+memory", ["shuffled-800k"], 8)),
        ("simdjson, parser and memory given", "each 2", *times(rows, "simdjson", "assay", ORDINARY, 2)),
        ("bintensors, its own format", "each 3", *times(rows, "bintensors", "assay+memory", ORDINARY, 3)),
        ("instructions a byte, less 150 a tensor", "6", *per_byte(counts, True)),
        ("instructions a byte, any legal header", "25", *per_byte(counts, False)),
        ("any legal 100 MB, seed unknown", "1 s", *seconds(rows, unknown, 1)),
        ("known seed: slow or not judged", "4 s", *seconds(rows, KNOWN, 4)),
        ("workspace, of 48 bytes a tensor, 16 a pair", "each 1", *workspace(rows)),
        ("cost a byte, 100 MB against 1 MB", "1.5", *growth(rows)),
        ("small files, two cores, sandbox on", "10,000 a second", measured, "NOT met: there is no sandbox yet"),
        ("small files, the Python package", "20", ratio, many),
    ]

    def judged(name, good):
        if full or "instructions" in name:
            return good
        only_full = "100 MB" in name or "seed" in name
        return "not judged: the files are of 1 MB" if only_full else good + " (quick: smaller files)"
    return [Bar(name, bar, said, judged(name, good)) for name, bar, said, good in found]


def show(judged):
    for bar in judged:
        print("%-44s bar %-18s %s\n    %s" % (bar.name, bar.bar + ":", bar.verdict, bar.measured))
