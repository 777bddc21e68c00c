#!/usr/bin/env python3
"""What was asked of the readers over time: batches.tsv, a row a batch and a reader, and what it adds up to.

    tests/readers/batches.py             the sums as a table of Markdown, which fuzz/REPORT.md has too
    tests/readers/batches.py --stands    do they still stand: this core, these readers and versions, all explained?

A batch is so many files of valid_files.py from one seed, no two batches from the same; check.py --record adds one.
"""
import collections
import csv
import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "batches.tsv")
# files: those that assay accepts, different: no two of them the same; explained: by the gaps, of which each says how
# often; skipped: too large for the reader to be asked here.
COLUMNS = ["seed", "core", "files", "different", "reader", "version", "same", "explained", "skipped", "unknown", "gaps"]
NUMBERS = ["seed", "files", "different", "same", "explained", "skipped", "unknown"]
WANTED = 1_000_000


@functools.lru_cache(None)
def core():
    sys.path.insert(0, os.path.join(ROOT, "tests"))
    import mutate
    return mutate.core_digest()


def rows():
    if not os.path.exists(TABLE):
        return []
    with open(TABLE, encoding="ascii") as f:
        read = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [{**row, **{name: int(row[name]) for name in NUMBERS}} for row in read]


def next_seed():
    return max((row["seed"] for row in rows()), default=100) + 1


def add(seed, seen, readers, gaps, unknown):
    """Adds the rows of a batch; seen is what check.py counts, unknown the names of those who did what no gap explains."""
    known, fresh = rows(), not os.path.exists(TABLE)
    if any(row["seed"] == seed for row in known):
        raise SystemExit("%s has a batch from seed %d already" % (TABLE, seed))
    one = {"seed": seed, "core": core(), "files": seen["", "files"], "different": seen["", "different"]}
    with open(TABLE, "a", encoding="ascii") as f:
        if fresh:
            f.write("\t".join(COLUMNS) + "\n")
        for reader in readers:
            count = {what: seen[reader.name, what] for what in ("same", "reject", "differs", "skip")}
            ids = ["%s:%d" % (gap.id, seen[reader.name, gap.id]) for gap in gaps if seen[reader.name, gap.id]]
            row = {**one, "reader": reader.name, "version": reader.version, "same": count["same"],
                   "explained": count["reject"] + count["differs"] - unknown.count(reader.name),
                   "skipped": count["skip"], "unknown": unknown.count(reader.name), "gaps": " ".join(ids)}
            f.write("\t".join(str(row[name]) for name in COLUMNS) + "\n")


def sums(of):
    """{(reader, version): counts}, in the order of the table."""
    out = {}
    for row in of:
        total = out.setdefault((row["reader"], row["version"]), collections.Counter())
        total.update({name: row[name] for name in ("files", "same", "explained", "skipped", "unknown")})
        total.update({name: int(count) for name, count in (gap.split(":") for gap in row["gaps"].split())})
    return out


def markdown(of):
    each = {row["seed"]: row for row in of}.values()
    reached = of and min(total["files"] - total["skipped"] for total in sums(of).values()) >= WANTED
    out = ["Wanted: %s files that each is asked about: %s." % (format(WANTED, ","), "reached" if reached else "not reached yet"), "",
           "%s files that assay accepts, in %d batches, %s of them different (within a batch), by %d readers:" % (
        format(sum(row["files"] for row in each), ","), len(each),
        format(sum(row["different"] for row in each), ","), len(sums(of))), "",
        "| reader | version | read the same | otherwise, by a gap | not asked: too large | not explained | gaps |",
        "| --- | --- | --- | --- | --- | --- | --- |"]
    for (reader, version), total in sums(of).items():
        gaps = ["%s %s" % (name, format(total[name], ",")) for name in sorted(total, key=gap_number) if name[0] == "R"]
        counts = [format(total[name], ",") for name in ("same", "explained", "skipped", "unknown")]
        out.append("| %s | %s | %s | %s |" % (reader, version, " | ".join(counts), ", ".join(gaps)))
    return out


def gap_number(name):
    return int(name[1:]) if name[1:].isdigit() else 0


def troubles(of, readers):
    """Why the record does not stand."""
    for row in of:
        if row["core"] != core():
            yield "the batch from seed %d is of another core" % row["seed"]
        if row["same"] + row["explained"] + row["skipped"] + row["unknown"] != row["files"]:
            yield "seed %d, %s: the counts do not add up" % (row["seed"], row["reader"])
    found = sums(of)
    wanted = {(reader.name, reader.version) for reader in readers}
    yield from ("%s %s is no reader here" % pair for pair in sorted(set(found) - wanted))
    files = sum({row["seed"]: row["files"] for row in of}.values())
    for pair in sorted(wanted):
        total = found.get(pair, collections.Counter())
        if not 0 < total["files"] == files:
            yield "%s %s: asked about %d files of %d" % (*pair, total["files"], files)
        if total["unknown"]:
            yield "%s %s: %d files that no gap explains" % (*pair, total["unknown"])


def main(args):
    if args == ["--stands"]:
        sys.path.insert(0, HERE)
        import check
        wrong = sorted(set(troubles(rows(), check.READERS)))
        print("\n".join(wrong))
        print("%d passed, %d failed" % (max(0, len(check.READERS) - len(wrong)), len(wrong)))
        return 1 if wrong else 0
    print("\n".join(markdown(rows())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
