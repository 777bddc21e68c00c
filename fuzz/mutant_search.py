#!/usr/bin/env python3
"""Check whether fuzzing alone finds faults: a hundred random mutants of the core (assurance/mutation/mutate.py),
without proof and tests.

    fuzz/mutant_search.py [--seed N] [--count N] [--limit SECONDS] [--scarce] [--only PATTERN]

A mutant counts if it is a different program: it builds, compiles to other code, and is listed as equivalent
neither in assurance/mutation/mutants.tsv nor in fuzz/mutants_equivalent.tsv. The latter lists mutants that only
tests of a part of the core can notice, because no call of include/assay.h distinguishes them. The harnesses are
built with the mutant, for libFuzzer with ASan and UBSan. First each harness runs its seeds, which fuzz/seeds.py
makes from corpus/; then they fuzz in turns, for five minutes of processor time in total. A mutant is found by the
first message of an oracle or a sanitizer, or a call that does not end; nothing else counts. --scarce: the seeds
are only two small valid files. --limit 0: only run the seeds.

Each result is a row of build/fuzz/mutants-CORE.tsv; fuzz/report.py makes a table of it. A mutant that was found is
not run again, and one that was not found only with another fuzzer; `fuzzer` is a hash of the harnesses, oracles,
mutator and seeds.
"""
import argparse
import csv
import functools
import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys

import seeds

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "assurance", "mutation"))
import mutants  # noqa: E402
import mutant_tests  # noqa: E402
import mutate  # noqa: E402

TABLE = os.path.join(ROOT, "build", "fuzz", "mutants-%s.tsv" % mutate.core_digest())
SAME = os.path.join(ROOT, "fuzz", "mutants_equivalent.tsv")
COLUMNS = ["fuzzer", "seeds", "file", "function", "number", "from", "to", "found", "harness", "seconds", "said"]
BASE = os.path.join(ROOT, "build", "fuzz", "mutants")
TREE = os.path.join(BASE, "tree")  # a copy of what the harnesses consist of
BIN = os.path.join(BASE, "bin")
CORE = os.path.join(BIN, "seen", "src", "core", "assay.o")
HARNESSES = ["parse", "access", "header", "decode", "structure", "program", "large"]
# The duration of the turn of each harness, in seconds.
TURNS = [("structure", 20), ("access", 20), ("header", 15), ("decode", 10), ("parse", 10), ("program", 10),
         ("large", 20)]
COMPILERS = [["gcc", "-O1"], ["gcc", "-O2"], ["clang", "-O2"]]  # one of them may compile two texts to the same code
SAID = re.compile(r"^oracle: .*|AddressSanitizer: [\w-]+|runtime error: .*|ERROR: libFuzzer: .*", re.M)


def scarce():
    """Yield two small valid files: one without tensors; one with a tensor and a metadata pair."""
    small = b'{"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}'
    for name, text, data in ("empty", b"{}", b""), ("small", small, b"12345678"):
        yield name, len(text).to_bytes(8, "little") + text + data


@functools.lru_cache()
def fuzzer():
    """Return a hash of all that decides what the fuzzers do: harnesses, oracles, mutator, seeds."""
    made_of = ".c", ".h", "Makefile", "assay.dict", "seeds.py", "manifest.tsv"
    paths = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "fuzz", "corpus"], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE, universal_newlines=True).stdout.split()
    sha = hashlib.sha256()
    for path in sorted(p for p in paths if p.endswith(made_of)):
        with open(os.path.join(ROOT, path), "rb") as f:
            sha.update(f.read())
    return sha.hexdigest()[:10]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- The tree ------------------------------------------------------------------------------------------

def make(*words):
    """Build the harnesses of the tree; False: the build failed."""
    command = ["make", "-s", "-f", "fuzz/Makefile", "ENGINE=libfuzzer", "REFERENCE=", "OUT=" + BIN, *words]
    return subprocess.run(command, cwd=TREE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def forget_core():
    if os.path.exists(CORE):
        os.remove(CORE)


def prepare(few):
    fuzzer()  # at this time
    shutil.rmtree(TREE, ignore_errors=True)
    for name in ("src", "include", "spec", "fuzz"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(TREE, name))
    forget_core()
    if not make("headers=", *(os.path.join(BIN, harness) for harness in HARNESSES)):
        sys.exit("the harnesses can't be built: fuzz/run.py shows why")
    for harness in HARNESSES:
        folder = os.path.join(BASE, "seeds", harness)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, data in ((n, seeds.MAKE[harness](d)) for n, d in scarce()) if few else seeds.seeds(harness):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)


def objects():
    """Return hashes of the core as compiled by several compilers; None: it does not build."""
    out, hashes = os.path.join(BASE, "core.o"), []
    for compiler in COMPILERS:
        command = "-std=c11 -w -ffreestanding -Iinclude -Isrc/core -c src/core/assay.c -o".split() + [out]
        if subprocess.run(compiler + command, cwd=TREE, stderr=subprocess.DEVNULL, check=False).returncode:
            return None
        with open(out, "rb") as f:
            hashes.append(hashlib.sha256(f.read()).hexdigest())
    return hashes


class Seeded:
    """The tree with a mutant in it; only the core needs to be built again."""

    def __init__(self, mutant):
        self.path, self.mutant = os.path.join(TREE, mutant.path), mutant

    def __enter__(self):
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(self.mutant.apply(mutant_tests.read(self.mutant.path)))
        forget_core()

    def __exit__(self, *_):
        shutil.copy(os.path.join(ROOT, self.mutant.path), self.path)


# ---- One mutant ----------------------------------------------------------------------------------------

def speaks(harness, words, yields=0):
    """Run a harness; return the message of an oracle or a sanitizer, or ""."""
    command = [os.path.join(BIN, harness), "-dict=" + seeds.DICTIONARY, "-timeout=60", "-rss_limit_mb=4096",
               "-max_len=%d" % seeds.longest(harness), "-artifact_prefix=" + os.path.join(BASE, "found-"), *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=BASE,
                          check=False, preexec_fn=lambda: os.nice(yields))
    said = SAID.search(done.stdout.decode("utf-8", "replace"))
    return "" if done.returncode == 0 else said.group() if said else "exit status %d" % done.returncode


def replay():
    """Run the seeds of each harness, which is linked when it is its turn; return (harness, message)."""
    for harness in HARNESSES:
        if not make("headers=", os.path.join(BIN, harness)):
            return "", "no build"
        said = speaks(harness, ["-runs=0", os.path.join(BASE, "seeds", harness)])
        if said:
            return harness, said
    return "", ""


def search(limit, number):
    """Run all harnesses in turns, until the processor time is used or one reports something."""
    own, start = os.path.join(BASE, "corpus"), processor()
    shutil.rmtree(own, ignore_errors=True)
    for turn in range(1000 if limit else 0):
        harness, seconds = TURNS[turn % len(TURNS)]
        folder = os.path.join(own, harness)
        os.makedirs(folder, exist_ok=True)
        said = speaks(harness, ["-max_total_time=%d" % seconds, "-seed=%d" % (1000 * number + turn + 1), folder,
                                os.path.join(BASE, "seeds", harness)], 10)
        if said or processor() - start > limit:
            return harness, said
    return "", ""


# ---- The sample ----------------------------------------------------------------------------------------

def table(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def write(rows):
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write("\t".join(COLUMNS) + "\n")
        f.writelines("\t".join(row[name] for name in COLUMNS) + "\n" for row in rows)


def key(row):
    return row["seeds"], row["file"], row["function"], row["from"], row["to"], row["number"]


def sample(seed):
    """Return the mutants that may be different programs, in random order."""
    excuses = mutants.Excuses()
    same = {(row["file"], row["function"], row["from"], row["to"], int(row["number"])) for row in table(SAME)}
    chosen = mutants.all_mutants(mutants.core_files())
    random.Random(seed).shuffle(chosen)
    return [m for m in chosen if excuses.verdict(m) != "equivalent" and m.key() not in same]


def trial(mutant, number, args, plain):
    """Return a row of the table, or None: the mutant is no different program."""
    with Seeded(mutant):
        start, found = processor(), "seed"
        harness, said = replay()
        if said == "no build":
            return None
        if not said:
            made = objects()
            if made is None or any(a == b for a, b in zip(made, plain)):
                return None
            harness, said = search(args.limit, number)
            found = "mutation" if said else "no"
        seconds = processor() - start
    return {"fuzzer": fuzzer(), "found": found, "harness": harness if said else "", "seconds": "%.1f" % seconds,
            "said": " ".join(said.split())[:100]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--scarce", action="store_true")
    parser.add_argument("--only", default="", help="of those that are not found yet, only these are tried")
    args = parser.parse_args()
    print("%d mutants, seed %d" % (args.count, args.seed), flush=True)
    prepare(args.scarce)
    plain, rows, tried, missed = objects(), {key(row): row for row in table(TABLE)}, 0, 0
    for number, mutant in enumerate(sample(args.seed)):
        if tried == args.count:
            break
        named = {"seeds": "scarce" if args.scarce else "corpus", "file": mutant.path, "function": mutant.function,
                 "number": str(mutant.number), "from": mutant.before, "to": mutant.after}
        row = rows.get(key(named))
        if row is None or row["found"] == "no" and (float(row["seconds"]) < args.limit or row["fuzzer"] != fuzzer()):
            if not re.search(args.only, str(mutant)):
                continue
            row = trial(mutant, number, args, plain)
            if row is None:
                continue
            row = rows[key(named)] = {**named, **row}
            write(rows.values())
        tried += 1
        missed += row["found"] == "no"
        print("%-8s %-9s %6s s  %s: %s" % (row["found"], row["harness"], row["seconds"], mutant, row["said"]),
              flush=True)
    enough = tried == args.count and 20 * missed <= tried
    print("%d found, %d not found, of which one of 20 may be" % (tried - missed, missed))
    print("%d passed, %d failed" % (tried - missed, 0 if enough else max(missed, 1)))
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
