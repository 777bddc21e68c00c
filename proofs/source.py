"""What the proof driver reads from the sources themselves: files, functions, annotations."""
import glob
import os
import re
import shutil
import subprocess

import seal

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNIT = "src/core/assay.c"
WITNESS = "proofs/witness.c"  # calls that are proved beside the core
# The functions whose postconditions spec/theorems.md names: a theorem can't lose one unseen.
STATED = {("T4", "assay_parse"), ("T4", "assay_validate"), ("T5", "assay_parse"), ("T5", "assay_validate"),
          ("T6", "assay_parse"), ("T6", "assay_tensor_at"), ("T6", "assay_find"), ("T6", "assay_metadata_at"),
          ("T6", "assay_dim_next"), ("T6", "assay_text_next"), ("T6", "assay_text_compare"),
          ("T7", "assay_layout"), ("T7", "assay_parse"), ("T7", "assay_validate"), ("T8", "assay_parse"),
          ("T8", "assay_index"), ("T8", "assay_index_find"), ("T8", "assay_find"), ("T8", "assay_metadata_find"),
          ("T9", "assay_tensor_at"), ("T9", "assay_find"), ("T9", "assay_data"), ("T9", "assay_slice_begin"),
          ("T9", "assay_slice_next"), ("T10", "assay_measure"), ("T10", "assay_parse"), ("T10", "assay_validate")}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def files():
    """The core's files, but for the unit that only includes them; the longest first, so that they end together."""
    found = [os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "src/core/*.c"))]
    return sorted(set(found) - {UNIT}, key=lambda p: (-len(read(p)), p))


def annotated():
    """Every file with annotations."""
    patterns = ["src/core/*.[ch]", "include/*.h", "spec/*.acsl", WITNESS]
    return sorted(os.path.relpath(p, ROOT) for q in patterns for p in glob.glob(os.path.join(ROOT, q)))


def listed(block):
    """The lines of the fenced block of that name in ASSUMPTIONS.md."""
    found = re.search(r"^```%s\n(.*?)^```" % block, read("proofs/ASSUMPTIONS.md"), re.M | re.S)
    if not found:
        raise SystemExit("proofs/ASSUMPTIONS.md has no block " + block)
    return {line.strip() for line in found.group(1).splitlines() if line.strip()}


def claims():
    """(theorem, function, clause): the named postconditions that the theorems T7 and T9 consist of."""
    found = [tuple(line.split("\t")) for line in read("proofs/theorems.tsv").splitlines()[1:]]
    stated = {(theorem, function) for theorem, function, _ in found}
    lost = sorted(STATED - stated)
    if lost:
        raise SystemExit("proofs/theorems.tsv has no row for " + ", ".join("%s %s" % pair for pair in lost))
    return found


def functions(path):
    """The functions that a file defines, by the compiler's account."""
    out = os.path.join(ROOT, "build", "prove", "nm-%s.o" % os.path.basename(path))
    os.makedirs(os.path.dirname(out), exist_ok=True)
    subprocess.run(["cc", "-std=c11", "-O0", "-ffreestanding", "-Iinclude", "-Isrc/core", "-Ispec", "-c", "-o", out, path],
                   cwd=ROOT, check=True)
    names = subprocess.run(["nm", "--defined-only", out], check=True, stdout=subprocess.PIPE, universal_newlines=True)
    return {line.split()[2] for line in names.stdout.splitlines() if line.split()[1] in "tT"}


def ghosts(path):
    """The lemma functions that a file defines, wherever their contracts stand."""
    blocks = re.findall(r"/\*@\s*ghost\b(.*?)\*/", read(path), re.S)
    return {name for block in blocks for name in re.findall(r"\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*\{",
                                                            re.sub(r"/@.*?@/", "", block, flags=re.S))
            if name not in ("while", "for", "if")}


def bodiless():
    """The lemma functions that are declared and nowhere defined: their contracts would be believed."""
    blocks = [block for path in annotated() for block in re.findall(r"/\*@\s*ghost\b(.*?)\*/", read(path), re.S)]
    head = r"\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*"
    declared = {name for block in blocks for name in re.findall(r"@/\s*[\w\s*]*?" + head + ";", block)}
    return declared - {name for block in blocks for name in re.findall(head + r"\{", block)}


def lemma_calls():
    """For each lemma function, the lemma functions that its body calls."""
    blocks = [without_comments(block) for path in annotated()
              for block in re.findall(r"/\*@\s*ghost\b(.*?)\*/", read(path), re.S)]
    bodies = {}
    for block in blocks:
        block = re.sub(r"/@.*?@/", "", block, flags=re.S)
        for found in re.finditer(r"\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*\{", block):
            if found[1] not in ("while", "for", "if"):
                depth, at = 1, found.end()
                while depth:
                    depth, at = depth + {"{": 1, "}": -1}.get(block[at], 0), at + 1
                bodies[found[1]] = set(re.findall(r"\b(\w+)\s*\(", block[found.end():at]))
    return {name: called & set(bodies) for name, called in bodies.items()}


def circular():
    """The lemma functions that use themselves, however far round: a proof of such a lemma assumes what it shows, and each
    file sees only a part of the circle."""
    calls = lemma_calls()
    for _ in calls:
        calls = {name: called.union(*(calls[c] for c in called)) for name, called in calls.items()}
    return {name for name in calls if name in calls[name]}


def included(path):
    """The headers of the core that a file sees, however far down."""
    names = set(re.findall(r'^#include "(\w+\.h)"', read(path), re.M))
    inner = [os.path.join("src/core", name) for name in names if os.path.exists(os.path.join(ROOT, "src/core", name))]
    return names.union(*map(included, inner))


def unseen():
    """The functions that a header promises something of and that are proved in a file which does not see the promise."""
    out = []
    for header in (path for path in annotated() if path.endswith(".h")):
        text = re.sub(r"(?<!/)/@.*?@/", "", read(header), flags=re.S)
        text = re.sub(r"/\*@\s*ghost\s*\(.*?\*/|/\*(?!@\s*ghost).*?\*/", "", text, flags=re.S)
        for name in set(re.findall(r"^[\w ]+?[\s*](\w+)\([^;{]*\)\s*;", text, re.M)):
            body = re.compile(r"^[\w ]+?[\s*]%s\((?:[^;{}()]|\([^()]*\))*\)(?:\s*/\*@ ghost.*?\*/)?\s*\{" % name, re.M)
            homes = [path for path in files() if body.search(re.sub(r"(?<!/)/@.*?@/", "", read(path), flags=re.S))]
            if len(homes) != 1 or os.path.basename(header) not in included(homes[0]):
                out.append("%s of %s is proved in: %s" % (name, header, homes))
    return out


def annotations(text):
    return "\n".join(re.findall(r"/\*@.*?\*/|//@[^\n]*", text, re.S))


def lines(path):
    """How many lines of annotation and of C a file has, without blank ones and comments."""
    text = read(path)
    inside = annotations(text)
    outside = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return [sum(bool(line.strip()) for line in part.splitlines()) for part in (inside, outside)]


def without_comments(annotation):
    return re.sub(r"//[^@\n][^\n]*", "", annotation)


def recursive(text):
    """The names of logic functions and predicates that are defined by themselves, however far round."""
    body = {}
    for found in re.finditer(r"\b(?:logic\s+[\w *]+?|predicate)\s*\b(\w+)\s*(?:\{[^}]*\}\s*)?(?:\([^)]*\))?\s*="
                             r"((?:\s*(?:[^;]*?\\(?:let|forall|exists)\b[^;]*;)*)[^;]*);", text):
        body[found.group(1)] = set(re.findall(r"\w+", found.group(2)))
    calls = {name: words & set(body) for name, words in body.items()}
    for _ in body:
        calls = {name: called.union(*(calls[c] for c in called)) for name, called in calls.items()}
    return {name for name in calls if name in calls[name]}


def faults():
    """What no log can show: assumptions that are not listed, files that no run covers."""
    out, logic, allowed = seal.faults(), "", {kind: listed(kind) for kind in ("axioms", "recursive")}
    for path in annotated():
        text = without_comments(annotations(read(path)))
        logic += text + "\n"
        out += ["%s: axiom %s is not listed" % (path, name) for name in re.findall(r"\baxiom\s+(\w+)", text)
                if name not in allowed["axioms"]]
        out += ["%s: %s" % (path, word) for word in re.findall(r"\badmit\b|\binductive\b|\bassert\s+\\false", text)]
    measured = {line.split(":")[0] for line in allowed["recursive"]}
    out += ["logic %s is recursive and not listed with its measure" % name for name in sorted(recursive(logic) - measured)]
    out += ["ghost function %s has no body: that is an axiom" % name for name in sorted(bodiless())]
    out += ["ghost function %s rests on itself" % name for name in sorted(circular())]
    names = [name for path in annotated() for name in ghosts(path)]
    out += ["two ghost functions have the name " + name for name in sorted({n for n in names if names.count(n) > 1})]
    out += unseen()
    unit = set(re.findall(r'^#include "(\w+\.c)"', read(UNIT), re.M))
    parts = {os.path.basename(path) for path in files()}
    out += ["%s does not include %s" % (UNIT, name) for name in sorted(parts - unit)]
    if re.sub(r'/\*.*?\*/|#include "\w+\.[ch]"|\s', "", read(UNIT), flags=re.S):
        out.append("%s holds more than includes: no run proves that" % UNIT)
    return out


# Contracts of C functions, which may lack ensures, and of ghost functions within ghost code.
CONTRACT = re.compile(r"/\*@(?:(?!\*/).)*?\bassigns\b(?:(?!\*/).)*?\*/", re.S)

GHOST_CONTRACT = re.compile(r"/@(?:(?!@/).)*?\bassigns\b(?:(?!@/).)*?@/", re.S)


def plant(found):
    """A contract with a canary: before its behaviours, or at its end."""
    whole = found.group(0)
    if re.search(r"\bloop\b|\bghost\b", whole):
        return GHOST_CONTRACT.sub(plant, whole) if "ghost" in whole else whole
    end = re.search(r"\bbehavior\s+\w+\s*:|\b(?:complete|disjoint)\s+behaviors\b|@?\*/|@/", whole).start()
    return whole[:end] + "check ensures canary: \\false;\n" + whole[end:]


def plant_canaries(tree):
    """A copy of the sources where every contract of a C function ends with a promise of \\false that only this
    function must keep and no caller may use."""
    for path in annotated():
        os.makedirs(os.path.join(tree, os.path.dirname(path)), exist_ok=True)
        if path.startswith("spec/"):
            shutil.copy(os.path.join(ROOT, path), os.path.join(tree, path))
        else:
            with open(os.path.join(tree, path), "w", encoding="utf-8") as f:
                f.write(CONTRACT.sub(plant, read(path)))
