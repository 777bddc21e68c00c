"""Make definitions of the specification opaque.

Provers apply every definition that they see, and a recursive one without end. So the definitions in proofs/sealed
are revealed only to files that ask for them by a comment, `Unfolds: NAME, NAME.` In other files the name is a
function of its arguments and of the bytes that it reads, about which only contracts are known. What is proved
about a function without its definition also holds with it.
"""
import glob
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFINITION = re.compile(r"\b(?P<kind>logic\s+integer|predicate)\s+(?P<name>\w+)(?P<labels>\{[\w, ]*\})?"
                        r"(?P<parameters>\([^)]*\))\s*=(?P<body>(?:[^;]*?\\(?:let|forall|exists)\b[^;]*;)*[^;]*;)")
# The list of a file. Anything else after the word could end it before its last name.
UNFOLDS = re.compile(r"/\* Unfolds:((?:[\s*]*\w+,)*[\s*]*\w+)\. \*/")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def sealed():
    """Return the names in proofs/sealed."""
    return {line.strip() for line in re.sub(r"#.*", "", read("proofs/sealed")).splitlines() if line.strip()}


def unfolded(path):
    """Return the names that a file reveals."""
    return {name for names in UNFOLDS.findall(read(path)) for name in re.findall(r"\w+", names)}


def declaration(found):
    """Return a definition without its body: its name, its parameters and the memory that it may read."""
    bytes_read = re.findall(r"\*\s*(\w+)", found["parameters"])
    reads = " reads " + ", ".join(name + "[..]" for name in bytes_read) if bytes_read else ""
    return "axiomatic Sealed_%s { %s %s%s%s%s; }" % (found["name"], found["kind"], found["name"], found["labels"] or "",
                                                     found["parameters"], reads)


def write(path, directory, tree=ROOT):
    """Write the specification, as the proof of the file sees it, into the folder."""
    show(sealed() - unfolded(path), directory, tree)


def show(hidden, directory, tree=ROOT):
    """Return the specification without the bodies of these definitions."""
    shutil.rmtree(directory, ignore_errors=True)  # a file left there would be found before the compiler's own
    os.makedirs(directory)
    for source in glob.glob(os.path.join(tree, "spec", "*.acsl")):
        with open(source, encoding="utf-8") as f:
            text = f.read()
        text = DEFINITION.sub(lambda found: declaration(found) if found["name"] in hidden else found.group(0), text)
        with open(os.path.join(directory, os.path.basename(source)), "w", encoding="utf-8") as f:
            f.write(text)


# What an opaque definition may contain: arithmetic, other definitions, and the bytes of its pointers. It may read
# nothing else from memory: its `reads` clause would then name less than it reads.
SCALAR = re.compile(r"(?:integer|uint(?:8|32|64)_t)\s+\w+$|uint(?:8|32|64)_t\s*\*\s*\w+$")
OTHER = re.compile(r"->|\b[A-Za-z_]\w*\s*\.\s*[A-Za-z_]|[\])]\s*\.(?!\.)"  # a field
                   r"|\(\s*(?:struct\s+)?\w+\s*\*+\s*\)|(?<!&)&(?!&)"  # a cast, an address
                   r"|\\(?!let\b|forall\b|exists\b|true\b|false\b)\w+")  # \at, \valid


def definitions():
    """Return {name: [(parameters, labels, body)]} of the specification, without comments."""
    out = {}
    patterns = ("spec/*.acsl", "include/*.h", "src/core/*.[ch]", "src/core_text/*.[ch]", "src/core_write/*.[ch]", "proofs/lemmas/*.[ch]")
    for path in [p for q in patterns for p in sorted(glob.glob(os.path.join(ROOT, q)))]:
        for found in DEFINITION.finditer(re.sub(r"//[^\n]*", "", read(path))):
            out.setdefault(found["name"], []).append((found["parameters"], found["labels"] or "", found["body"]))
    return out


def unsound(hidden):
    """Return why a definition may not be opaque: it, or one that it uses, reads what its declaration would not
    name."""
    known, out, left, seen = definitions(), set(), [(name, name) for name in hidden], set()
    while left:
        name, root = left.pop()
        said = "%s must not be sealed: %s " % (root, name)
        for parameters, labels, body in known.get(name, []):
            for parameter in filter(None, (p.strip() for p in " ".join(parameters.split())[1:-1].split(","))):
                if not SCALAR.match(parameter):
                    out.add(said + "has the parameter %s, through which it may read more than its bytes" % parameter)
            other = OTHER.search(re.sub(r"'(?:\\.|[^'\\])'", "0", body))
            if other:
                out.add(said + "reads memory in another way than a[i]: " + other.group(0))
            if "," in labels:
                out.add(said + "reads two states")
            more = {(word, root) for word in set(re.findall(r"\w+", body)) & set(known)} - seen
            left, seen = left + sorted(more), seen | more
    return sorted(out)


def faults():
    """Report names that are opaque or revealed, and are not defined exactly once."""
    count = {}
    for source in glob.glob(os.path.join(ROOT, "spec", "*.acsl")):
        for found in DEFINITION.finditer(read(source)):
            count[found["name"]] = count.get(found["name"], 0) + 1
    out = ["proofs/sealed: %s is defined %d times" % (name, count.get(name, 0)) for name in sorted(sealed())
           if count.get(name, 0) != 1]
    out += unsound(sealed())
    for source in sorted(glob.glob(os.path.join(ROOT, "src/core*/*.[ch]")) + glob.glob(os.path.join(ROOT, "proofs/lemmas/*.[ch]"))):
        if len(UNFOLDS.findall(read(source))) != read(source).count("Unfolds:"):
            out.append("%s: write `/* Unfolds: NAME, NAME. */`: names, commas, one period at the end"
                       % os.path.relpath(source, ROOT))
        out += ["%s unfolds %s, which is not sealed" % (os.path.relpath(source, ROOT), name)
                for name in sorted(unfolded(source) - sealed())]
    return out


if __name__ == "__main__":
    wrong = faults()
    print("\n".join(wrong + ["%d sealed, %d faults" % (len(sealed()), len(wrong))]))
    sys.exit(1 if wrong else 0)
