"""The mutants of the specification that are proved to be equivalent: spec_equal.tsv, which spec_equal.py writes."""
import csv
import hashlib
import os

import acsl
import compare
import measures
import spec_mutate

ROOT = acsl.ROOT
TABLE = "assurance/mutation/spec_equal.tsv"
FIELDS = ["file", "definition", "number", "before", "after", "rests on"]


class Definitions:
    """The original definitions, and those that each uses."""

    def __init__(self):
        self.by_name, self.below, self.digests = {}, {}, {}
        for d in acsl.definitions(compare.STARTS):
            calls = acsl.called(d.body) & set(self.below)
            self.by_name[d.name], self.below[d.name] = d, {d.name}.union(*(self.below[name] for name in calls))
        names = [name for name, _ in spec_mutate.pointers()]
        self.twice = {name for name in names if names.count(name) > 1}

    def stamp(self, name):
        """Return a digest of the definitions that this one uses."""
        if name not in self.digests:
            each = [(d.name, d.params, d.body) for d in self.by_name.values() if d.name in self.below.get(name, ())]
            self.digests[name] = hashlib.sha256(repr(each).encode()).hexdigest()[:12]
        return self.digests[name]

    def ends(self, mutant, body):
        """Return whether the recursion of the mutant, if any, has a decreasing measure."""
        old = self.by_name[mutant.function]
        tree = acsl.renamed(acsl.Parser(body).expression(), self.twice)
        return old.name not in acsl.called(tree) or \
            measures.falls(acsl.Definition(old.name, old.params, tree, old.measure)) is not False


def key(row):
    return row["file"], row["definition"], row["before"], row["after"], int(row["number"])


def known():
    """Return the mutants that the table lists as proved, for unchanged definitions."""
    definitions = Definitions()
    with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {key(row) for row in rows if row["rests on"] == definitions.stamp(row["definition"])}, \
        {key(row) for row in rows}


def write(mutants):
    definitions = Definitions()
    with open(os.path.join(ROOT, TABLE), "w", encoding="utf-8") as f:
        f.write("\t".join(FIELDS) + "\n")
        for m in mutants:
            f.write("\t".join([m.path, m.function, str(m.number), m.before, m.after,
                               definitions.stamp(m.function)]) + "\n")
