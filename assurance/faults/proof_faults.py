#!/usr/bin/env python3
"""Check that the proof can fail: seed the faults of proofs/faults.tsv, one at a time, in copies of the sources.

    assurance/faults/proof_faults.py [NAME...]   all faults, or those whose names begin so
    --again     also those that seen.tsv records

A row is: name; the file that is proved; its function that is (empty: all); the file that the fault is in; the
original text, which occurs once; the replacement (\\n is a line end); how the name of a goal begins that must not be
proved then (empty: any), or `holds`: the proof lets the fault through, see proofs/ASSUMPTIONS.md.
"""
import argparse
import hashlib
import multiprocessing
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance", "assurance/mutation")]
import evidence  # noqa: E402
import mutant_proofs  # noqa: E402
import seeded  # noqa: E402
from seen import Record  # noqa: E402


def begin(proofs, numbers):
    """Of each process: make a copy of the sources."""
    begin.proofs = proofs
    proofs.move("-fault-%d" % numbers.get())


def work(row):
    """Seed the fault; return whether the proof states what the row says, a line about that, and seconds."""
    name, proved, function, path, old, new, goal = row
    text, old, began = mutant_proofs.read(path), seeded.breaks(old), time.time()
    if text.count(old) != 1:
        return row, False, "%s holds %d times: %s" % (path, text.count(old), old), 0
    changed = text.replace(old, seeded.breaks(new))
    failed = begin.proofs.change(path, changed, {proved: [function]}, "" if goal == "holds" else goal)
    fits = not failed if goal == "holds" else failed != "" and not failed.startswith("refused: ")
    held = "holds" if goal in ("", "holds") else "no goal %s... fails" % goal
    return row, fits, failed or held, time.time() - began


def main(args):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args(args)
    chosen = [row for row in seeded.rows(seeded.PROOF) if not asked.names or row[0].startswith(tuple(asked.names))]
    proof, record = evidence.subject_digest("proof"), Record(seeded.names())
    key = {row[0]: hashlib.sha256("\t".join([proof, *row]).encode()).hexdigest()[:16] for row in chosen}
    known = set() if asked.again else record.known()
    todo = [row for row in chosen if (row[0], key[row[0]]) not in known]
    passed = len(chosen) - len(todo)
    print("%d faults, %d of them on record" % (len(chosen), passed), flush=True)
    numbers = multiprocessing.get_context("fork").Queue()
    for number in range(os.cpu_count()):
        numbers.put(number)
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), begin, (mutant_proofs.Proofs(), numbers)) as pool:
        for done, (row, fits, said, seconds) in enumerate(pool.imap_unordered(work, todo), 1):
            print("%4d/%d %-6s %-32s %s" % (done, len(todo), "seen" if fits else "MISSED", row[0], said), flush=True)
            if fits:
                record.add(row[0], key[row[0]], seconds)
                passed += 1
    print("%d passed, %d failed" % (passed, len(chosen) - passed))
    return 0 if chosen and passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
