#!/usr/bin/env python3
"""Keep the record of the files that readers have judged: batches.tsv, a row for each reader and range of seeds,
and its sums.

    assurance/readers/batches.py             print the sums as a table of Markdown

A batch is a number of files of valid_files.py from one seed; no two batches have the same seed. check.py --record
adds one. Batches with the same size and core and consecutive seeds share a row. The answer of a reader to a file
does not depend on the core, but whether a core accepts the file may: check.py --again makes the files of all
batches again, judges them by the core that is built now, and writes again.tsv, with the digest of that core.
"""
import collections
import csv
import functools
import itertools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import valid_files  # noqa: E402
TABLE = os.path.join(HERE, "batches.tsv")
AGAIN = os.path.join(HERE, "again.tsv")
# seeds: first-last; core: that accepted the files; files: their number; reasons: "fit" if a rejection is explained
# only by a gap that its reason fits, "not asked" if any gap of the file explained it; explained: the gaps, with the
# number of each; skipped: too large for the reader.
COLUMNS = ["seeds", "core", "files", "reasons", "reader", "version", "same", "explained", "skipped", "unknown", "gaps"]
NUMBERS = ["files", "same", "explained", "skipped", "unknown"]
WANTED = 1_000_000


@functools.lru_cache(None)
def core():
    sys.path.insert(0, os.path.join(ROOT, "assurance", "mutation"))
    import mutate
    return mutate.core_digest()


def table(path, numbers):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as f:
        read = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [{**row, **{name: int(row[name]) for name in numbers}} for row in read]


def rows():
    return table(TABLE, NUMBERS)


def seeds_of(row):
    """Return the seeds of a row: "7-9" is 7, 8 and 9."""
    first, _, last = row["seeds"].partition("-")
    return range(int(first), int(last or first) + 1)


def next_seed():
    return max((seed for row in rows() for seed in seeds_of(row)), default=100) + 1


def joined(some):
    """Return the rows, joining those whose batches have the same size and consecutive seeds."""
    out, last = [], {}
    for row in some:
        key = row["core"], row["reasons"], row["reader"], row["version"], row["files"] // len(seeds_of(row))
        if key in last and seeds_of(last[key])[-1] + 1 == seeds_of(row)[0]:
            one, gaps = last[key], collections.Counter()
            for of in one, row:
                gaps.update({name: int(count) for name, count in (gap.split(":") for gap in of["gaps"].split())})
            one.update({name: one[name] + row[name] for name in NUMBERS})
            one["seeds"] = "%d-%d" % (seeds_of(one)[0], seeds_of(row)[-1])
            one["gaps"] = " ".join("%s:%d" % pair for pair in gaps.items())
        else:
            last[key] = dict(row)
            out.append(last[key])
    return out


def write(some):
    with open(TABLE, "w", encoding="ascii") as f:
        f.write("\t".join(COLUMNS) + "\n")
        f.writelines("\t".join(str(row[name]) for name in COLUMNS) + "\n"
                     for row in joined(sorted(some, key=lambda row: seeds_of(row)[0])))


def add(seed, seen, readers, gaps, unknown):
    """Add the rows of a batch; seen is what check.py counts, unknown names readers with unexplained differences."""
    known = rows()
    if any(seed in seeds_of(row) for row in known):
        raise SystemExit("%s has a batch from seed %d already" % (TABLE, seed))
    one = {"seeds": str(seed), "core": core(), "files": seen["", "files"], "reasons": "fit"}
    for reader in readers:
        count = {what: seen[reader.name, what] for what in ("same", "reject", "differs", "skip")}
        ids = ["%s:%d" % (gap.id, seen[reader.name, gap.id]) for gap in gaps if seen[reader.name, gap.id]]
        known.append({**one, "reader": reader.name, "version": reader.version, "same": count["same"],
                      "explained": count["reject"] + count["differs"] - unknown.count(reader.name),
                      "skipped": count["skip"], "unknown": unknown.count(reader.name), "gaps": " ".join(ids)})
    write(known)


def sums(of):
    """Return {(reader, version): counts}, in the order of the table."""
    out = {}
    for row in of:
        total = out.setdefault((row["reader"], row["version"]), collections.Counter())
        total.update({name: row[name] for name in ("files", "same", "explained", "skipped", "unknown")})
        total.update({name: int(count) for name, count in (gap.split(":") for gap in row["gaps"].split())})
    return out


# ---- Made again --------------------------------------------------------------------------------------------

def files_of(seed, count):
    """Return the files of a batch."""
    return list(itertools.islice(valid_files.files(seed, 2 * count), count))


def seeds(of):
    """Return [(seed, files)], in order."""
    return sorted({(seed, row["files"] // len(seeds_of(row))) for row in of for seed in seeds_of(row)})


def again_write(each, different):
    row = [core(), len(each), sum(files for _, files in each), different]
    with open(AGAIN, "w", encoding="ascii") as f:
        f.write("core\tbatches\tfiles\tdifferent\n" + "\t".join(map(str, row)) + "\n")


def again():
    """Return the last repetition: the core that accepted the files; the number of batches, from the first; their
    files; how many of these are different."""
    return table(AGAIN, ["batches", "files", "different"])[0]


# ---- Messages --------------------------------------------------------------------------------------------

def number(count):
    return format(count, ",")


def files_in(of):
    return sum(files for _, files in seeds(of))


def markdown(of):
    reached = of and min(total["files"] - total["skipped"] for total in sums(of).values()) >= WANTED
    fit, made = files_in([row for row in of if row["reasons"] == "fit"]), again()
    out = ["Target: %s files for each reader: %s." % (number(WANTED), "reached" if reached else "not reached"),
           "",
           "%s files that assay accepts, in %d batches, by %d readers. Of the %s files of the first %d batches" % (
               number(files_in(of)), len(seeds(of)), len(sums(of)), number(made["files"]), made["batches"]),
           "%s differ from each other (`assurance/readers/check.py --again`). A rejection counts for the gap whose" % (
               number(made["different"])),
           "reason the reader gave, and is not explained without one: in batches with %s files. In the" % number(fit),
           "earlier ones, with %s, it counts for each gap that the file has, whatever the reader reported." % (
               number(files_in(of) - fit)), "",
           "| reader | version | read the same | differently, by a gap | not tried: too large | not explained | gaps |",
           "| --- | --- | --- | --- | --- | --- | --- |"]
    for (reader, version), total in sums(of).items():
        gaps = ["%s %s" % (name, number(total[name])) for name in sorted(total, key=gap_number) if name[0] == "R"]
        counts = [number(total[name]) for name in ("same", "explained", "skipped", "unknown")]
        out.append("| %s | %s | %s | %s |" % (reader, version, " | ".join(counts), ", ".join(gaps)))
    return out


def gap_number(name):
    return int(name[1:]) if name[1:].isdigit() else 0


def troubles(of, readers):
    """Report why the record is not current."""
    known = seeds(of)[:again()["batches"]]
    if sum(files for _, files in known) != again()["files"]:
        yield "again.tsv: its batches have %d files" % sum(files for _, files in known)
    judged = {seed for seed, _ in known} if again()["core"] == core() else set()
    for row in of:
        if row["core"] != core() and not judged.issuperset(seeds_of(row)):
            yield "the batches from seeds %s are of another core: check.py --again" % row["seeds"]
        if row["same"] + row["explained"] + row["skipped"] + row["unknown"] != row["files"]:
            yield "seeds %s, %s: the counts do not add up" % (row["seeds"], row["reader"])
    found = sums(of)
    wanted = {(reader.name, reader.version) for reader in readers}
    yield from ("%s %s is no reader here" % pair for pair in sorted(set(found) - wanted))
    for pair in sorted(wanted):
        total = found.get(pair, collections.Counter())
        if not 0 < total["files"] == files_in(of):
            yield "%s %s: tried on %d files of %d" % (*pair, total["files"], files_in(of))
        if total["unknown"]:
            yield "%s %s: %d files that no gap explains" % (*pair, total["unknown"])


def main():
    print("\n".join(markdown(rows())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
