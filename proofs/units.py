"""Check that the proved text is the compiled text. No goal can show this: Frama-C reads each file of the core
separately and with annotations; the compiler reads all of them as one unit and without.

    proofs/units.py  check all; tests/run.py ledger runs it with the ledger
    digests()        the digest of each unit's tokens: rows of the ledger, in the head of dist/assay.c
    faults(cross)    different flags, different tokens, files that nobody reads, forms that are refused (tokens.py);
                     cross: a compiler of TARGETS that is not installed is a fault

The compiler's command is that of the Makefile. Frama-C's is in proofs/flags, and said_by_frama_c() compares it
with the command that Frama-C reports. The tokens of both commands must be the same, in each file and in the unit.
"""
import collections
import concurrent.futures
import functools
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import framac
import source
import tokens

# name, compiler, width of long: the targets for which the object is claimed to be the proved one.
TARGETS = [("x86-64", "gcc", 64), ("x86-64", "clang", 64), ("i686", "i686-linux-gnu-gcc", 32),
           ("s390x", "s390x-linux-gnu-gcc", 64)]
MEANING = ["-std=c11", "-ffreestanding", "-Iinclude", "-Isrc/core"]  # of COREREAD, in both commands
HARMLESS = re.compile(r"-W\w[\w=-]*$|-O[0-3s]$")  # other flags that the compiler command may have
SEARCHED = ["include", "src/core", "src/core_text", "src/core_write"]  # for the files that the units include
UNITS = [source.UNIT, source.TEXT]  # what dist/assay.c is made of
ALL = UNITS + [source.WRITE]
MARKER = re.compile(r'# \d+ "([^"]*)"')
DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b((?:\\\n|[^\n])*)", re.M)
COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')|/\*.*?\*/|//[^\n]*""", re.S)
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$")
FOLDERS = {"src/core": r"\w+\.[ch]", "proofs/lemmas": r"(?:\w+\.[ch]|README\.md)", "src/core_text": r"\w+\.[ch]",
           "src/core_write": r"\w+\.[ch]", "include": r"\w+\.h", "spec": r"\w+\.(?:acsl|tsv|md|py)"}
# Words that no macro may add to an annotation: the checks of source.py would not read them.
ACSL = re.compile(r"\\(?!\n)|##|@|\b(?:admit|axiom\w*|inductive|assert|check|lemma|ghost|loop|invariant|variant|"
                  r"requires|ensures|assigns|terminates|exits|decreases|behavior|assumes|logic|predicate|global|import|include)\b")


def object_of(unit):
    """Return the object that the Makefile makes of a unit."""
    return "build/" + unit[len("src/"):-1] + "o"


@functools.lru_cache()
def shipped(unit=source.UNIT):
    """Return the Makefile's command for the core, or the unit beside it, without flags of the user."""
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    said = subprocess.run(["make", "-s", "-n", "-B", object_of(unit)], cwd=source.ROOT, env=clean, check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    lines = [shlex.split(line) for line in said.splitlines() if unit in line]
    if len(lines) != 1:
        raise SystemExit("the Makefile compiles %s %d times" % (unit, len(lines)))
    return lines[0]


def proved(bits=64):
    """Return the preprocessor command of proofs/flags, with what Frama-C adds to it for a machine with that many
    bits."""
    flags = [flag for line in source.read("proofs/flags").splitlines() for flag in shlex.split(line, comments=True)]
    found = [shlex.split(flag.split("=", 1)[1]) for flag in flags if flag.startswith("-cpp-command=")]
    machine, more = ("X86_64", []) if bits == 64 else ("X86_32", ["-D_GCC_MAX_ALIGN_T"])
    return found[0] + ["-D__FRAMAC__", "-D__FC_MACHDEP_" + machine, "-dD", "-m%d" % bits] + more if len(found) == 1 else []


def said_by_frama_c(args):
    """Compare the command that Frama-C runs with proved(); report a difference."""
    bits = 32 if args.machdep == "x86_32" else 64
    command = ["frama-c"] + framac.flags(args) + ["-print-cpp-commands", source.UNIT]
    said = subprocess.run(command, cwd=source.ROOT, env=framac.environment(source.ROOT), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False).stdout
    line = [shlex.split(line) for line in said.splitlines() if "-D__FRAMAC__" in line]
    want = proved(bits) + [os.path.join(source.ROOT, source.UNIT), "-o"]
    good = len(line) == 1 and line[0][:-1] == want and args.machdep in ("", "x86_32")
    return [] if good else ["Frama-C reads the core by another command than units.py compares: " + said.strip()]


def flags():
    """Report flags of the two commands that could make them differ, or that are unknown."""
    seen, out = proved(), []
    for unit in ALL:
        meant = [flag for flag in shipped(unit)[1:] if not HARMLESS.match(flag)]
        if meant != MEANING + ["-c", "-o", object_of(unit), unit]:
            out.append("the Makefile compiles %s with other flags than the proof: %s" % (unit, " ".join(meant)))
    if seen[:len(MEANING) + 1] != ["gcc"] + MEANING or seen[len(MEANING) + 1:-4] != ["-E", "-C", "-Iproofs/lemmas", "-Ispec"]:
        out.append("proofs/flags reads the core with other flags than the Makefile: %s" % " ".join(seen))
    return out


def stream(command, path):
    """Return [(file, token)] of the preprocessor output, without annotations and comments."""
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    run = subprocess.run(command + [path], cwd=source.ROOT, env=dict(clean, LC_ALL="C"), stdout=subprocess.PIPE,
                         check=True, universal_newlines=True)
    out, place = [], ""
    for line in COMMENT.sub(lambda found: found[1] or " ", run.stdout).split("\n"):
        marker = MARKER.match(line)
        if marker:
            place = marker.group(1)
        elif line.startswith("#") and not line.startswith("#pragma"):
            continue
        else:
            out += [(place, found.group(0)) for found in tokens.LEXEME.finditer(line) if found.lastgroup != "space"]
    return out


def files_of(found):
    """Return {file: its tokens} of a stream, for our own files."""
    out = collections.defaultdict(list)
    for place, token in found:
        if not place.startswith(("/", "<")):
            out[place].append(token)
    return out


def preprocessed(text, folders):
    """Return the tokens of C after the preprocessor with empty system headers: the same on every machine."""
    with tempfile.TemporaryDirectory() as empty:
        for name in tokens.HEADERS:
            open(os.path.join(empty, name), "w", encoding="utf-8").close()
        run = subprocess.run(["gcc", "-std=c11", "-E", "-P", "-nostdinc", "-I" + empty, *("-I" + f for f in folders),
                              "-x", "c", "-"], cwd=source.ROOT, input=text, stdout=subprocess.PIPE, check=True,
                             universal_newlines=True)
    return [t.text for t in tokens.lex(run.stdout) if t.kind not in ("line", "comment")]


def unit_tokens(more=source.TEXT):
    """Return the tokens of the core and of a unit beside it; of the second only those that the first does not have."""
    names = [source.UNIT, more]
    core, text, both, shared = (preprocessed("".join('#include "%s"\n' % name for name in some), SEARCHED)
                                for some in (names[:1], names[1:], names, ["contracts.h"]))
    if both[:len(core)] != core or text != shared + both[len(core):]:
        raise SystemExit("a macro of %s reaches into %s" % tuple(names))
    return core, both[len(core):]


def digests():
    """Return (unit, SHA-256 of its tokens)."""
    each = list(unit_tokens()) + [unit_tokens(source.WRITE)[1]]
    return [(unit, hashlib.sha256("\n".join(words).encode()).hexdigest()) for unit, words in zip(ALL, each)]


def value(token, long):
    """Return a number as its value, sign and width, since UINT64_C differs between machines; any other token
    unchanged."""
    found = NUMBER.match(token)
    if not found:
        return token
    suffix = found[2].upper()
    width = 64 if suffix.count("L") == 2 or suffix.count("L") == 1 and long == 64 else 32
    number = int(found[1], 0)
    return number, "U" in suffix, width if number < 1 << (32 - ("U" not in suffix)) else 64


def unlike(one, other, long=64):
    """Return the files in which two readings differ."""
    return sorted(path for path in set(one) | set(other) if one.get(path) != other.get(path) and
                  [value(t, 64) for t in one.get(path, [])] != [value(t, long) for t in other.get(path, [])])


def tokens_differ(cross):
    """Report where the two commands read different tokens: in a file, in the unit, for a machine."""
    built, seen, out = shipped()[:-4] + ["-E"], proved(), []
    unit = files_of(stream(built, source.UNIT))

    def compare(path):
        alone, proof = stream(built, path), stream(seen, path)
        mine, theirs = files_of(alone), files_of(proof)
        found = ["%s: %s is other C for the prover than for the compiler" % (path, name)
                 for name in unlike(mine, theirs)]
        if not found and alone != proof:
            found.append("%s: the compiler and the prover read other headers" % path)
        return found + ["%s: %s is other C in %s: a macro of another file reaches into it" % (path, name, source.UNIT)
                        for name in unlike({n: mine[n] for n in mine if n in unit}, {n: unit[n] for n in mine if n in unit})
                        if path not in source.BESIDE]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(compare, source.files() + source.BESIDE):
            out += found
    for path in ALL:
        mine, theirs = files_of(stream(built, path)), files_of(stream(proved(32), path))
        out += ["%s: other C for the prover of a 32-bit machine" % name for name in unlike(mine, theirs, 32)]
    for target, compiler, long in TARGETS:
        if shutil.which(compiler):
            for path in ALL:
                mine, other = files_of(stream(built, path)), files_of(stream([compiler] + built[1:], path))
                out += ["%s: other C for %s on %s" % (name, compiler, target) for name in unlike(mine, other, long)]
        elif cross:
            out.append("%s is not here: the tokens for %s are not compared" % (compiler, target))
    return out


def read_by_frama_c():
    """Return our files that Frama-C's command reads for the units and the witness, and the headers that are not
    ours."""
    ours, others = set(), set()
    for path in [source.UNIT, source.WHOLE] + source.BESIDE:
        said = subprocess.run(proved() + ["-H", path], cwd=source.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=True, universal_newlines=True).stderr
        ours.add(path)
        for name in re.findall(r"^\.+ (.*)$", said, re.M):
            (others if os.path.isabs(name) else ours).add(os.path.normpath(name))
    return ours, others


def strays():
    """Report files of a kind that no check reads, folders and links."""
    out = []
    for folder, names in FOLDERS.items():
        for entry in os.scandir(os.path.join(source.ROOT, folder)):
            if entry.name == "__pycache__" and folder == "spec":
                continue
            if entry.is_symlink() or not entry.is_file() or not re.match(names + "$", entry.name):
                out.append("%s/%s: what is this? no check reads it" % (folder, entry.name))
    return sorted(out)


def unread():
    """Report files that the core does not include, and files that it includes from elsewhere."""
    ours, others = read_by_frama_c()
    out = ["%s has the name of a header of the compiler" % path for path in source.annotated()
           if os.path.basename(path) in tokens.HEADERS]
    out += ["%s: the core does not include it" % path for path in source.annotated() if path not in ours]
    out += ["%s: the core includes it, and no check reads it" % path
            for path in sorted(ours - set(source.annotated()))]
    out += ["%s: a header of somebody else" % path for path in sorted(others)
            if not re.match(r"std(?:int|int-gcc|int-wrap|def|bool)\.h$", os.path.basename(path))]
    return out


def macros():
    """Report macros that could add to an annotation what the checks of the text do not read, and contracts of one
    line."""
    out = []
    for path in source.annotated():
        text = source.read(path)
        for body in DEFINE.findall(re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)):
            out += ["%s: a macro holds %s" % (path, word.strip()) for word in ACSL.findall(body)]
        out += ["%s: a contract of one line, which the ledger does not keep: %s" % (path, line) for line in
                re.findall(r"//@\s*(?:requires|ensures|assigns|terminates|exits)\b.*", text)]
        out += ["%s: a definition of one line, which the tests of the logic do not read" % path for token in tokens.lex(text)
                if path.endswith(".acsl") and tokens.is_annotation(token) and token.text.startswith("//")]
    return out


def faults(cross=False):
    out = strays() + [said for path in source.annotated() for said in tokens.refused(path)] + macros() + flags()
    return out or unread() or tokens_differ(cross)  # what is refused may not even be readable


def main():
    found = faults(cross=True)
    print("\n".join(found + ["%d files, %d faults" % (len(source.annotated()), len(found))]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
