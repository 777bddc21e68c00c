#!/usr/bin/env python3
"""Prove that mutants of the specification are equivalent to it.

    spec_equal.py [FILE...]    try those that the comparison does not detect, and write spec_equal.tsv
        --again                      prove the rows of that table again, and change nothing
        --seconds N                  for one prover on one mutant (2)

For a mutant of a definition f, WP gets `f(x) <==> mutated body` (or ==) for all x and all memory, as a `check
lemma` on which nothing else can rely. In a recursive definition the calls of f in the mutated body are of the
original f. So this states that f meets the mutant's equation; what meets it is the mutant, because its measure
decreases, which is checked (proofs/measures.py). Each is tried twice: with the opaque definitions of
proofs/sealed, as in the proof of the core, then with the positions of tensors and pairs revealed. A row of the
table is valid as long as the definitions that the mutated one uses are unchanged: their digest is in the row.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import threading
from types import SimpleNamespace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/mutation", "assurance/logic", "spec", "proofs")]
import acsl  # noqa: E402
import compare  # noqa: E402
import framac  # noqa: E402
import seal  # noqa: E402
import spec_equal_table  # noqa: E402
import spec_mutants  # noqa: E402
import spec_mutate  # noqa: E402

BUILD = os.path.join(ROOT, "build", "spec-equal")
HEAD = '#include <stdint.h>\n#include "core.h"\n#include "assay_write.h"\n'
HEAD += "".join('#include "%s"\n' % name for name in compare.STARTS)
PLACES = {"tensor_key", "tensor_name_end", "tensor_object", "tensor_begin", "tensor_finish", "tensor_name", "pair_key",
          "pair_value", "pair_name"}
STATEMENT = re.compile(r"(logic\s+integer|predicate)\s+(\w+)\s*(\{[^}]*\})?\s*(?:\(([^()]*)\))?\s*=\s*$")
PROVED = re.compile(r"^\[wp\] \[[^\]]+\] Goal (?:typed_)?(?:check_)?lemma_same_(\d+)\w* : Valid", re.M)


def lemma(mutant, number):
    """Return (the lemma or None, the mutated body)."""
    plain = spec_mutate.blank(spec_mutate.read(mutant.path))
    parser = acsl.Parser(plain)
    parser.at = mutant.in_function
    parser.expression()
    body = plain[mutant.in_function:mutant.begin] + mutant.text + plain[mutant.end:parser.at]
    kind, name, labels, parameters = STATEMENT.search(plain[:mutant.in_function]).groups("")
    if not parameters:
        return None, body
    each = [p.strip() for p in parameters.split(",")]
    call = "%s%s(%s)" % (name, labels, ", ".join(p.split()[-1].lstrip("*") for p in each))
    bound = "".join("\\forall %s; " % p for p in each)
    return "check lemma same_%d%s: %s(%s) %s\n    (%s);" % (
        number, labels, bound, call, "<==>" if kind == "predicate" else "==", body), body


def prove(mutants, seconds):
    """Return the numbers of those that are proved equivalent."""
    definitions, lemmas, proved = spec_equal_table.Definitions(), {}, set()
    framac.configure(BUILD)
    for number, mutant in enumerate(mutants):
        if mutant.function in definitions.by_name:
            text, body = lemma(mutant, number)
            if text and definitions.ends(mutant, body):
                lemmas[number] = text
    for hidden in seal.sealed(), seal.sealed() - PLACES:
        groups = collections.defaultdict(list)  # the mutated definition is revealed: separately
        for number in set(lemmas) - proved:
            mine = mutants[number].function
            groups[frozenset(hidden - {mine, re.sub(r"_\d+$", "", mine)})].append(lemmas[number])
        for unseen, texts in groups.items():
            proved |= attempt(texts, unseen, seconds)
            print("%d of %d are proved" % (len(proved), len(lemmas)), flush=True)
    return proved


def attempt(lemmas, hidden, seconds):
    """Run WP once on a file of lemmas; return the numbers of those that it proves."""
    sight, path = os.path.join(BUILD, "spec"), os.path.join(BUILD, "same.c")
    seal.show(hidden, sight)
    with open(path, "w", encoding="utf-8") as f:
        f.write(HEAD + "/*@\n%s\n*/\n" % "\n".join(lemmas))
    flags = [flag.replace("-Ispec", "-I" + sight) for flag in framac.flags(SimpleNamespace(machdep=""))]
    done = subprocess.run(["frama-c", *flags, "-wp-timeout", str(seconds), path], cwd=ROOT,
                          env=framac.environment(ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    with open(os.path.join(BUILD, "log"), "a", encoding="utf-8") as f:
        f.write(done.stdout)
    if done.returncode != 0 or "[wp] Proved goals:" not in done.stdout:
        raise SystemExit("WP does not run: %s" % done.stdout[-2000:])
    return {int(number) for number in PROVED.findall(done.stdout)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=int, default=2)
    args = parser.parse_args()
    paths = [os.path.relpath(path, ROOT) for path in args.file] or spec_mutate.spec_files()
    mutants = [m for path in spec_mutate.spec_files() for m in spec_mutate.mutants(path, spec_mutate.read(path))]
    proved_before = spec_equal_table.known()[1] if os.path.exists(os.path.join(ROOT, spec_equal_table.TABLE)) else set()
    if args.again:
        tried = [m for m in mutants if m.path in paths and m.key() in proved_before]
    else:
        memory = spec_mutants.evaluate(mutants, 60, 0)
        tried = [m for m in mutants if m.path in paths and not memory.known[m.key()][0]]
    proved = prove(tried, args.seconds)
    print("%d of %d say the same" % (len(proved), len(tried)))
    if args.again:
        left = [m for number, m in enumerate(tried) if number not in proved]
        print("\n".join("NOT PROVED %s" % str(m) for m in left))
        print("%d passed, %d failed" % (len(proved), len(left)))
        return 1 if left else 0
    keep = {tried[number].key() for number in proved} | {k for k in proved_before if k[0] not in paths}
    spec_equal_table.write([m for m in mutants if m.key() in keep])
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(1 << 20)
    threading.stack_size(1 << 29)
    result = []
    thread = threading.Thread(target=lambda: result.append(main()))
    thread.start()
    thread.join()
    sys.exit(result[0] if result else 1)
