"""Read files, functions and annotations from the sources, for the proof driver."""
import glob
import os
import re
import shutil
import subprocess

import seal
import tokens

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNIT = "src/core/assay.c"
WHOLE = "proofs/unit.c"  # the unit with all lemmas: what is proved of the core, in one
TEXT = "src/core_text/assay_text.c"  # a unit of its own, which ships beside the core
WRITE = "src/core_write/assay_write.c"  # another one
WITNESS = "proofs/witness.c"  # calls that are proved beside the core
CLIENT = "proofs/client.c"  # a program that uses its results
CALLERS = [WITNESS, CLIENT]
BESIDE = [TEXT, WRITE] + CALLERS  # what is proved and is no part of the core's unit
# The functions whose postconditions spec/theorems.md names: a theorem can't lose one unnoticed.
STATED = {("T4", "assay_parse"), ("T4", "assay_validate"), ("T5", "assay_parse"), ("T5", "assay_validate"),
          ("T6", "assay_parse"), ("T6", "assay_tensor_at"), ("T6", "assay_tensor_find"), ("T6", "assay_metadata_at"),
          ("T6", "assay_dim_next"), ("T6", "assay_text_next"), ("T6", "assay_text_compare"),
          ("T7", "assay_layout"), ("T7", "assay_parse"), ("T7", "assay_validate"), ("T8", "assay_parse"),
          ("T8", "assay_names_sort"), ("T8", "assay_text_find"), ("T8", "assay_tensor_find"), ("T8", "assay_metadata_find"),
          ("T9", "assay_tensor_at"), ("T9", "assay_tensor_find"), ("T9", "assay_tensor_data"), ("T9", "assay_slice_begin"),
          ("T9", "assay_slice_next"), ("T10", "assay_measure"), ("T10", "assay_parse"), ("T10", "assay_validate"), ("T11", "assay_measure"), ("T11", "assay_scan"), ("T11", "assay_sort"),
          ("T12", "assay_head_make"),
          ("T12", "assay_view_matches"), ("T13", "assay_head_write"), ("T13", "assay_head_make"), ("T14", "assay_head_make"),
          ("T14", "assay_view_matches"), ("T14", "assay_piece_next"),
          ("T15", "assay_same_tensors"), ("T15", "assay_text_next"),
          ("T16", "assay_pairs_kept")}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def files():
    """Return the files of the core, except the unit that includes them, and those of the lemmas; the longest first, so
    that they end together."""
    found = [os.path.relpath(p, ROOT) for q in ("src/core/*.c", "proofs/lemmas/*.c") for p in glob.glob(os.path.join(ROOT, q))]
    return sorted(set(found) - {UNIT}, key=lambda p: (-len(read(p)), p))


def shipped():
    """Return the files that are proved: those of the core, the lemmas and the units beside it."""
    return files() + [TEXT, WRITE]


FLAT = "include/assay_flat.h"  # not proved


def annotated():
    """Return every file with annotations."""
    patterns = ["src/core/*.[ch]", "src/core_text/*.[ch]", "src/core_write/*.[ch]", "include/*.h", "spec/*.acsl", "proofs/lemmas/*.[ch]",
                WHOLE] + CALLERS
    found = {os.path.relpath(p, ROOT) for q in patterns for p in glob.glob(os.path.join(ROOT, q))}
    return sorted(found - {FLAT})


def listed(block):
    """Return the lines of the fenced block of that name in ASSUMPTIONS.md."""
    found = re.search(r"^```%s\n(.*?)^```" % block, read("proofs/ASSUMPTIONS.md"), re.M | re.S)
    if not found:
        raise SystemExit("proofs/ASSUMPTIONS.md has no block " + block)
    return {line.strip() for line in found.group(1).splitlines() if line.strip()}


def claims():
    """Return (theorem, function, clause): the named postconditions that the theorems consist of."""
    found = [tuple(line.split("\t")) for line in read("proofs/theorems.tsv").splitlines()[1:]]
    stated = {(theorem, function) for theorem, function, _ in found}
    lost = sorted(STATED - stated)
    if lost:
        raise SystemExit("proofs/theorems.tsv has no row for " + ", ".join("%s %s" % pair for pair in lost))
    return found


def functions(path):
    """Return the functions that a file defines, according to the compiler."""
    out = os.path.join(ROOT, "build", "prove", "nm-%s.o" % os.path.basename(path))
    os.makedirs(os.path.dirname(out), exist_ok=True)
    subprocess.run(["cc", "-std=c11", "-O0", "-ffreestanding", "-fkeep-static-functions", "-w", "-Iinclude", "-Isrc/core", "-Ispec", "-c", "-o", out, path],
                   cwd=ROOT, check=True)
    names = subprocess.run(["nm", "--defined-only", out], check=True, stdout=subprocess.PIPE, universal_newlines=True)
    return {line.split()[2] for line in names.stdout.splitlines() if line.split()[1] in "tT"}


def lines(path):
    """Return the number of lines of annotations and of C in a file, without blank lines and comments."""
    text = read(path)
    return [sum(bool(line.strip()) for line in part.splitlines())
            for part in (tokens.annotations(text), tokens.without_comments(text))]


def faults():
    """Report what no log can show: files that no run covers. parsed.py checks what Frama-C has read; this first
    look at the text names the file."""
    out, allowed = seal.faults(), listed("axioms")
    for path in annotated():
        words = [t.text for a in tokens.lex(read(path)) if tokens.is_annotation(a) for t in tokens.inner(a)]
        out += ["%s: axiom %s is not listed" % (path, name) for word, name in zip(words, words[1:]) if word == "axiom"
                and name not in allowed]
        out += ["%s: %s" % (path, word) for word in words if word in ("admit", "inductive")]
    for unit, parts in ((UNIT, [p for p in files() if p.startswith("src/core/")]),
                        (WHOLE, [UNIT] + [p for p in files() if not p.startswith("src/core/")])):
        included = re.findall(r'^#include "(\w+\.c)"', read(unit), re.M)
        out += ["%s does not include %s" % (unit, name) for name in
                sorted({os.path.basename(path) for path in parts} - set(included))]
        if re.sub(r'/\*.*?\*/|#include "\w+\.[ch]"|\s', "", read(unit), flags=re.S):
            out.append("%s holds more than includes: no run proves that" % unit)
    return out


# Contracts of C functions, which may lack ensures, and of ghost functions within ghost code.
CONTRACT = re.compile(r"/\*@(?:(?!\*/).)*?\bassigns\b(?:(?!\*/).)*?\*/", re.S)

GHOST_CONTRACT = re.compile(r"/@(?:(?!@/).)*?\bassigns\b(?:(?!@/).)*?@/", re.S)


def with_canary(found):
    """Return a contract with a canary: before its behaviors, or at its end."""
    whole = found.group(0)
    if re.search(r"\bloop\b|\bghost\b", whole):
        return GHOST_CONTRACT.sub(with_canary, whole) if "ghost" in whole else whole
    end = re.search(r"\bbehavior\s+\w+\s*:|\b(?:complete|disjoint)\s+behaviors\b|@?\*/|@/", whole).start()
    return whole[:end] + "check ensures canary: \\false;\n" + whole[end:]


def add_canaries(tree):
    """Copy the sources, and add to the contract of every C function a postcondition \\false that only this
    function must prove and no caller may use."""
    for path in annotated():
        os.makedirs(os.path.join(tree, os.path.dirname(path)), exist_ok=True)
        if path.startswith("spec/"):
            shutil.copy(os.path.join(ROOT, path), os.path.join(tree, path))
        else:
            with open(os.path.join(tree, path), "w", encoding="utf-8") as f:
                f.write(CONTRACT.sub(with_canary, read(path)))
