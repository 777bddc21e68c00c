#!/usr/bin/env python3
"""Print the matrix of the corpus: rule x boundary x position, with the number of files in each cell.

    tests/conformance/matrix.py            print it
    tests/conformance/matrix.py --check    report its faults, and its size

Both axes are computed from the bytes of the files, not from what their authors stated. The positions are those of
places.py. The boundaries of a rule are the ways to break it; those that begin with "right" are files that are just
inside the rule (boundaries.py). corpus/empty.tsv states why a cell is empty: rules, boundaries and positions with
a reason; "*" means all, "not a; b" all but those. Faults are an empty cell without a reason, a reason for a cell
that is not empty or does not exist, a file that fits no boundary of its rule, and a rule without cells.
"""
import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boundaries  # noqa: E402
import manifest  # noqa: E402
from places import PLACES  # noqa: E402


def cells(rows):
    """Return ({(rule, boundary, position): files}, faults)."""
    found, wrong = collections.Counter(), []
    for row in rows:
        seen = boundaries.Seen(row, manifest.read_file(row["file"]))
        mine = set()
        if row["verdict"] == "invalid":
            mine = {(row["rule"], name, seen.place) for name, holds in boundaries.WRONG.get(row["rule"], {}).items() if
                    holds(seen)}
            if not mine:
                wrong.append("%s is at no boundary of %s" % (row["file"], row["rule"]))
        for rule, named in boundaries.RIGHT.items():
            mine |= {(rule, name, place) for name, places in named.items() for place in places(seen)}
        found.update(mine)
    return found, wrong


def chosen(text, names, known=()):
    if text == "*":
        return list(names)
    listed = text.removeprefix("not ").split("; ")
    unknown = set(listed) - set(names) - set(known)
    if unknown:
        raise SystemExit("corpus/empty.tsv: there is no %s" % "; ".join(sorted(unknown)))
    return [name for name in names if (name in listed) != text.startswith("not ")]


def explained(rules):
    """Return {cell: reason} and the faults of corpus/empty.tsv itself."""
    out = {}
    for row in manifest.read_table("corpus/empty.tsv"):
        named = chosen(row["rule"], rules)
        for rule in named:
            for boundary in chosen(row["boundary"], rules[rule], sum((rules[other] for other in named), [])):
                for place in chosen(row["place"], PLACES):
                    out.setdefault((rule, boundary, place), []).append(row)
    return out


def check(found, rules):
    """Report empty cells without a reason, and reasons without an empty cell."""
    wrong, useful, reasons = [], set(), explained(rules)
    for rule, named in rules.items():
        if not named:
            wrong.append("rule %s has no cells" % rule)
        for cell in ((rule, boundary, place) for boundary in named for place in PLACES):
            why = reasons.get(cell, [])
            if not found[cell] and not why:
                wrong.append("%s: no file, and no reason" % ", ".join(cell))
            useful.update(id(row) for row in why if not found[cell])
            wrong += ["%s: %d files, in spite of: %s" % (", ".join(cell), found[cell], row["reason"]) for row in why if
                      found[cell]]
    unused = {id(row): row for rows in reasons.values() for row in rows if id(row) not in useful}
    return wrong + ["%(rule)s, %(boundary)s, %(place)s: explains no empty cell" % row for row in unused.values()]


def show(found, rules):
    for rule, named in rules.items():
        places = [place for place in PLACES if any(found[rule, boundary, place] for boundary in named)]
        if not places:
            continue
        print("\n%-34s %s" % (rule, "  ".join(places)))
        for boundary in named:
            print("  %-32s %s" % (boundary, "  ".join(
                str(found[rule, boundary, place] or ".").rjust(len(place)) for place in places)))


def main(args):
    rows = manifest.read_table("corpus/manifest.tsv")
    rules = {row["id"]: boundaries.names(row["id"]) for row in manifest.read_table("spec/rules.tsv")}
    rules["numbers"] = boundaries.names("numbers")
    found, wrong = cells(rows)
    wrong += check(found, rules)
    if args != ["--check"]:
        show(found, rules)
    for text in wrong:
        print(text)
    full, every = sum(found[cell] > 0 for cell in found), sum(map(len, rules.values())) * len(PLACES)
    print("%d files, %d rules, %d cells of %d have files" % (len(rows), len(rules) - 1, full, every))
    print("%d passed, %d failed" % (every - len(wrong) if not wrong else full, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
