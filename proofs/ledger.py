#!/usr/bin/env python3
"""Compare the ledger of statements with the tree: nothing that is proved changes its meaning unnoticed.

    proofs/ledger.py             compare the tree with proofs/ledger.tsv
    proofs/ledger.py --write     write it, after a change of meaning; explain the new meaning in the commit

The ledger has a row for every contract (of C functions and of lemmas), every definition and lemma of the logic,
the table of theorems, the list of opaque names and each list of what is trusted: a hash of its text without
comments and spacing; and one for the tokens of each unit, which dist/assay.c states too. A proof that passes does not show that a contract lost a clause; the ledger does. It reads
the text, and needs no Frama-C. proofs/parsed.py keeps what Frama-C itself reads (parsed.tsv); --write writes both.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import seal  # noqa: E402
import source  # noqa: E402
import tokens  # noqa: E402
import units  # noqa: E402

LEDGER = "proofs/ledger.tsv"
TABLES = ("proofs/theorems.tsv", "proofs/sealed", "proofs/flags")
TRUSTED = ("hypotheses", "axioms", "recursive")
CLAUSES = r"\b(?:requires|ensures|assigns|terminates|exits)\b"
# A contract, and the name of its function.
OUTER = re.compile(r"/\*@((?:(?!\*/).)*?" + CLAUSES + r"(?:(?!\*/).)*)\*/\s*((?:[^;{}()/]|/\*[^@].*?\*/)*?)\b(\w+)\s*\(", re.S)
INNER = re.compile(r"/@((?:(?!@/).)*?" + CLAUSES + r"(?:(?!@/).)*)@/\s*([^;{}()/]*?)\b(\w+)\s*\(", re.S)
LEMMA = re.compile(r"\blemma\s+(\w+)[^:]*:[^;]*;")
CONSTANT = re.compile(r"\blogic\s+[\w ]+?\b(\w+)\s*=[^;]*;")
LOOP = re.compile(r"^\s*loop\b|\bghost\b|^\s*(?:assert|check)\b")


def normal(text):
    """Return the text without comments, the @ that begin lines, and spacing."""
    text = re.sub(r"//[^\n]*", "", text)
    return " ".join(re.sub(r"^\s*@", "", text, flags=re.M).split())


def contracts(path):
    """Yield (name, text) of the contracts in a file."""
    text = source.read(path)
    for found in OUTER.finditer(re.sub(r"/\*@\s*ghost\b.*?\*/", "", text, flags=re.S)):
        if not LOOP.search(found[1]):
            yield found[3], found[1]
    for block in re.findall(r"/\*@\s*ghost\b(.*?)\*/", text, re.S):
        for found in INNER.finditer(block):
            if not LOOP.search(found[1]):
                yield found[3], found[1]


def definitions(path):
    text = re.sub(r"//[^\n]*", "", tokens.annotations(source.read(path)))
    for found in seal.DEFINITION.finditer(text):
        yield found["name"] + found["parameters"], found.group(0)
    for found in CONSTANT.finditer(text):
        yield found[1], found.group(0)
    for found in LEMMA.finditer(text):
        yield found[1], found.group(0)


def rows():
    """Return (kind, name, file, hash) of everything in the ledger."""
    out = []
    for path in source.annotated():
        out += [("contract", name, path, text) for name, text in contracts(path)]
        out += [("logic", name, path, text) for name, text in definitions(path)]
    out += [("table", os.path.basename(path), path, source.read(path)) for path in TABLES]
    out += [("trusted", block, "proofs/ASSUMPTIONS.md", "\n".join(sorted(source.listed(block)))) for block in TRUSTED]
    return sorted("\t".join((kind, " ".join(name.split()), path, hashlib.sha256(normal(text).encode()).hexdigest()[:16]))
                  for kind, name, path, text in out) + ["\t".join(("tokens", unit, unit, digest))
                                                        for unit, digest in units.digests()]


def complete():
    """Report functions with code that are missing in the ledger."""
    known = {row.split("\t")[1] for row in rows() if row.startswith("contract")}
    return ["%s: no contract of %s is found" % (path, name) for path in source.shipped()
            for name in sorted(source.functions(path) - known)]


def main(args):
    now = rows()
    if args == ["--write"]:
        with open(os.path.join(source.ROOT, LEDGER), "w", encoding="utf-8") as f:
            f.write("\n".join(["kind\tname\tfile\thash"] + now) + "\n")
        if not shutil.which("frama-c"):
            print("Frama-C is not here: run proofs/parsed.py --write where it is")
        elif subprocess.run([sys.executable, "proofs/parsed.py", "--write"], cwd=source.ROOT, check=False).returncode:
            return 1
    kept = source.read(LEDGER).splitlines()[1:]
    lost, new = sorted(set(kept) - set(now)), sorted(set(now) - set(kept))
    faults = ["not in the tree as the ledger has it: " + row for row in lost]
    faults += ["not in the ledger: " + row for row in new] + complete() + seal.faults() + units.faults(cross=True)
    for fault in faults:
        print(fault.replace("\t", "  "))
    print("%d contracts, %d definitions" % tuple(sum(row.startswith(kind) for row in now) for kind in ("contract", "logic")))
    print("%d passed, %d failed" % (len(set(kept) & set(now)), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
