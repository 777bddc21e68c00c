"""The performance targets of assay, each with the measured value and a verdict.

A quick run measures the targets of large files on smaller files and marks them so: only a full run can judge them.
"""
import collections
import math

import instructions
import workloads

Target = collections.namedtuple("Target", "name target measured verdict")

ORDINARY = [w.name for w in workloads.WORKLOADS if w.kind == "ordinary"]
ATTACKS = [w.name for w in workloads.WORKLOADS if w.kind == "attack"]
SMALL = " (1 MB)"  # suffix of an attack: the same shape, a megabyte
KNOWN = [w.name for w in workloads.WORKLOADS if w.seed == workloads.KNOWN_SEED]


def verdict(share):
    """Return the verdict on a measured value divided by its target; 1 or more is enough."""
    return "met, %.2f times the target" % share if share >= 1 else "NOT met: %.2f of the target" % share


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
    """Compare assay with a peer: the factor for each workload, and the geometric mean."""
    ratios = {name: rows.ratio(name, peer, ours) for name in names}
    measured = list_of(ratios, "%.2f")
    if None in ratios.values():
        return measured, "not judged: a measurement is missing"
    if mean is not None:
        average = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        measured = "mean %.2f: %s" % (average, measured)
        return measured, verdict(min(average / mean, min(ratios.values()) / least))
    return measured, verdict(min(ratios.values()) / least)


def per_byte_ordinary(counts):
    values = {c.workload: (c.instructions - instructions.PER_TENSOR * c.tensors) / c.bytes
              for c in counts if c.kind == "ordinary"}
    return list_of(values, "%.2f"), verdict(instructions.PER_BYTE / max(values.values()))


def per_byte(counts, known):
    values = {c.workload: c.instructions / c.bytes for c in counts if (c.workload in KNOWN) == known}
    return list_of(values, "%.2f"), verdict(instructions.ANY_PER_BYTE / max(values.values()))


def seconds(rows, names, limit):
    values = {name: rows.median(name, "assay") for name in names}
    measured = list_of({name: None if v is None else v / 1e9 for name, v in values.items()}, "%.3f s")
    if None in values.values():
        return measured, "not judged: a measurement is missing"
    return measured, verdict(limit * 1e9 / max(values.values()))


def workspace(rows):
    """Compare the need that assay_measure reports with 48 bytes a tensor and 16 a metadata pair."""
    found = [r for (_, _, operation), r in rows.of.items() if operation == "workspace"]
    values = {r["workload"]: r["median"] / r["limit"] for r in found if r["limit"] > 0}
    if not values or any(r["median"] > 0 for r in found if r["limit"] == 0):
        return list_of(values, "%.2f"), "NOT met: memory is needed where none is allowed, or it was not measured"
    return list_of(values, "%.2f"), verdict(1 / max(values.values()))


def growth(rows):
    """Compare the time a byte at 100 MB with that at 1 MB, for the same shape of file."""
    values = {}
    for name in (w.name for w in workloads.WORKLOADS if w.kind == "attack" and w.name not in KNOWN):
        large, small = (rows.of.get((name + suffix, "assay", "parse")) for suffix in ("", SMALL))
        if large is None or small is None:
            return "nothing", "not judged: the large ones were not measured"
        values[name] = large["median"] / large["bytes"] / (small["median"] / small["bytes"])
    return list_of(values, "%.2f"), verdict(1.5 / max(values.values()))


def sandboxed(rows):
    mine, bare = (rows.median("small files", reader, "2 processes") for reader in ("assay", "assay, no sandbox"))
    return "%.0f a second; without a sandbox %.0f" % (mine, bare), verdict(mine / 10_000)


def files(rows, operation):
    mine = rows.median("small files", "assay", "2 processes")
    theirs = rows.median("small files", "python", operation)
    if theirs is None:
        return "the package was not measured", "not judged: the package is not installed"
    floor = rows.median("small files", "system", "2 running")
    return ("%.2f (%.0f a second against %.0f; only opening and reading: %.0f)"
            % (mine / theirs, mine, theirs, floor)), verdict(mine / theirs / 20)


def judge(rows, counts, full):
    rows = Rows(rows)
    unknown = [name for name in ATTACKS if name not in KNOWN]
    found = [
        ("the crate, memory counted", "mean 20, each 10", *times(rows, "crate", "assay+memory", ORDINARY, 10, 20)),
        ("the crate, 800 thousand shuffled", "8", *times(rows, "crate", "assay+memory", ["shuffled-800k"], 8)),
        ("simdjson, parser and memory reused", "each 2", *times(rows, "simdjson", "assay", ORDINARY, 2)),
        ("bintensors, its own format", "each 3", *times(rows, "bintensors", "assay+memory", ORDINARY, 3)),
        ("instructions a byte, less 150 a tensor", "6", *per_byte_ordinary(counts)),
        ("instructions a byte, any legal header", "25", *per_byte(counts, False)),
        ("instructions a byte, seed known", "-", per_byte(counts, True)[0], "no target but that of time"),
        ("any legal 100 MB, seed unknown", "1 s", *seconds(rows, unknown, 1)),
        ("any 100 MB, seed known", "4 s", *seconds(rows, KNOWN, 4)),
        ("workspace, of 48 bytes a tensor, 16 a pair", "each 1", *workspace(rows)),
        ("cost a byte, 100 MB against 1 MB", "1.5", *growth(rows)),
        ("small files, two cores, sandbox on", "10,000 a second", *sandboxed(rows)),
        ("small files, the package from its start", "20", *files(rows, "2 processes")),
        ("small files, the package already running", "20", *files(rows, "2 running")),
    ]

    def judged(name, good):
        if full or "instructions" in name:
            return good
        return "not judged: the files are of 1 MB" if "100 MB" in name else good + " (quick: smaller files)"
    return [Target(name, target, said, judged(name, good)) for name, target, said, good in found]


def show(judged):
    for target in judged:
        print("%-44s target %-18s %s\n    %s" % (target.name, target.target + ":", target.verdict, target.measured))
