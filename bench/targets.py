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
PER_TENSOR = ("smollm", "gpt2", "tensors-10k")  # the workloads of the target for instructions a tensor
LARGE = ["tensors-500k", "tensors-800k"]


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


def per_tensor(counts):
    values = {c.workload: c.instructions / c.tensors for c in counts if c.workload in PER_TENSOR}
    return list_of(values, "%.0f"), verdict(650 / max(values.values()))


def per_byte(counts):
    values = {c.workload: c.instructions / c.bytes for c in counts}
    return list_of(values, "%.2f"), verdict(instructions.ANY_PER_BYTE / max(values.values()))


def seconds(rows, names, limit):
    values = {name: rows.median(name, "assay") for name in names}
    measured = list_of({name: None if v is None else v / 1e9 for name, v in values.items()}, "%.3f s")
    if None in values.values():
        return measured, "not judged: a measurement is missing"
    return measured, verdict(limit * 1e9 / max(values.values()))


def lookup(rows, name, limit):
    found = rows.median(name, "assay", "find")
    return ("not measured", "not judged: a measurement is missing") if found is None else \
        ("%.0f ns" % found, verdict(limit / found))


def workspace(rows):
    """Compare the need that assay_measure reports with 56 bytes a tensor and 32 a metadata pair."""
    found = [r for (_, _, operation), r in rows.of.items() if operation == "workspace"]
    values = {r["workload"]: r["median"] / r["limit"] for r in found if r["limit"] > 0}
    if not values or any(r["median"] > 0 for r in found if r["limit"] == 0):
        return list_of(values, "%.2f"), "NOT met: memory is needed where none is allowed, or it was not measured"
    return list_of(values, "%.2f"), verdict(1 / max(values.values()))


def growth(rows):
    """Compare the time a byte at 100 MB with that at 1 MB, for the same shape of file."""
    values = {}
    for name in (w.name for w in workloads.WORKLOADS if w.kind == "attack"):
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
    found = [
        ("the crate, memory counted", "mean 20, each 14", *times(rows, "crate", "assay+memory", ORDINARY, 14, 20)),
        ("the crate, 500 and 800 thousand tensors", "each 30", *times(rows, "crate", "assay+memory", LARGE, 30)),
        ("the crate, in the order of the layers", "8", *times(rows, "crate", "assay+memory", ["layers-10k"], 8)),
        ("the crate, 800 thousand shuffled", "2.5", *times(rows, "crate", "assay+memory", ["shuffled-800k"], 2.5)),
        ("simdjson, parser and memory reused", "each 1.6", *times(rows, "simdjson", "assay", ORDINARY, 1.6)),
        ("bintensors, its own format", "each 3", *times(rows, "bintensors", "assay+memory", ORDINARY, 3)),
        ("instructions a tensor, in the writer's order", "650", *per_tensor(counts)),
        ("instructions a byte, any legal header", "45", *per_byte(counts)),
        ("any legal 100 MB", "2 s", *seconds(rows, ATTACKS, 2)),
        ("look-up, 10 thousand names", "450 ns", *lookup(rows, "tensors-10k", 450)),
        ("look-up, 800 thousand names", "4 us", *lookup(rows, "tensors-800k", 4000)),
        ("workspace, of 56 bytes a tensor, 32 a pair", "each 1", *workspace(rows)),
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
