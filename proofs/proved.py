"""The record of what was proved, proofs/proved.tsv: for each file a digest of all that its proof depends on.

    digest(path, args)    the digest of a file as it is now; its tree must have been printed (parsed.unit)
    current(paths, args)  {file: seconds of its proof on record} where the digest on record is that of now
    write(runs, args)     replace the rows of the runs without a fault

A proof that would only repeat one on record may be left out when the time of the gate ends (prove.py --within). The
record is a file of the repository, so it is as trustworthy as whoever commits it: `make assurance` proves everything.
"""
import csv
import functools
import hashlib
import os
import subprocess
import time

import framac
import source

RECORD = os.path.join(source.ROOT, "proofs", "proved.tsv")
FIELDS = ["file", "digest", "goals", "seconds", "date"]
TOOLS = [["frama-c", "-version"], ["why3", "--version"], ["cvc4", "--version"], ["z3", "--version"]]


@functools.lru_cache()
def tools():
    """Return the versions of the tools and all flags, as text."""
    said = [subprocess.run(tool, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout for tool in TOOLS]
    with open(os.path.join(source.ROOT, "proofs", "flags"), encoding="ascii") as f:
        return "".join(said) + f.read()


def digest(path, args):
    """Return the digest of the tree of the file as Frama-C prints it, of the theorems it claims, the hypotheses that
    it may have, the flags and the tools."""
    name = os.path.basename(path)[:-2] + ("-" + args.machdep if args.machdep else "")
    with open(os.path.join(framac.build, "log", name + ".print"), encoding="utf-8") as f:
        tree = f.read()
    functions = source.functions(path)
    claims = sorted(claim for claim in source.claims() if claim[1] in functions)
    said = "%s\0%s\0%s\0%s" % (tree, claims, sorted(source.listed("hypotheses")), tools())
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def rows():
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD, encoding="ascii", newline="") as f:
        return {row["file"]: row for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}


def current(paths, args):
    known = rows()
    return {path: float(known[path]["seconds"]) for path in paths
            if path in known and known[path]["digest"] == digest(path, args)}


def write(runs, args):
    """A run that used answers that were kept says nothing about time: the seconds on record stay."""
    known = rows()
    for run in runs:
        if not run.faults and not run.skipped:
            seconds = known[run.path]["seconds"] if run.cached and run.path in known else "%.0f" % run.seconds
            known[run.path] = dict(zip(FIELDS, [run.path, digest(run.path, args), str(len(run.valid)), seconds,
                                                time.strftime("%Y-%m-%d")]))
    with open(RECORD + ".new", "w", encoding="ascii", newline="") as f:
        out = csv.DictWriter(f, FIELDS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        out.writeheader()
        out.writerows(known[path] for path in sorted(known) if os.path.exists(os.path.join(source.ROOT, path)))
    os.replace(RECORD + ".new", RECORD)
