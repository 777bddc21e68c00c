#!/usr/bin/env python3
"""Make dist/assay.c and dist/assay.h: the core and its texts as two files, without annotations; and beside them
assay_write.h and assay_write.c, the writer, and assay_flat.h, assay_flat.c, assay_index.c, assay_notes.c,
assay_flat_write.c and assay_flat_edit.c, the interface for other languages.

    packaging/amalgamate.py [FOLDER]       write them to FOLDER, by default dist/
    packaging/amalgamate.py --check [FOLDER]  compare what is there with the tree: its tokens, and what gcc and clang
                                           make of it

A compiler reads exactly the tokens that are proved: those of src/core/assay.c, then those of
src/core_text/assay_text.c; in dist/assay_write.c, those of src/core_write/assay_write.c. Their digests are in proofs/ledger.tsv and in the heads of these files.
proofs/units.py computes them.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "proofs"))
import tokens  # noqa: E402
import units  # noqa: E402

PUBLIC = ["assay.h", "assay_codes.h", "assay_text.h"]  # dist/assay.h is made of these
BESIDE = PUBLIC + ["assay_flat.h", "assay_index.h", "assay_notes.h", "assay_write.h", "assay_flat_write.h",
                   "assay_flat_edit.h"]
INCLUDE = re.compile(r'#include "(\w+\.h|\w+\.c)"')
PROVER = re.compile(r"^#ifdef __FRAMAC__\n.*?^#endif\n", re.M | re.S)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\n", re.M | re.S)
HEAD = """/* assay.c: the core of assay %s in one file. Made by `make dist`; do not edit.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compile it with any C compiler from C99 on, and include assay.h. It needs no library, no allocation and no system:
 * -ffreestanding works. assay-%s.tar.gz of the same release has it with its licence, an SBOM, build files for CMake
 * and Meson, and an example. The annotated sources, the proofs and the tests are in the repository of assay.
 *
 * The tokens of this file are those that Frama-C has proved, of two units one after the other. SHA-256 of each, as in
 * proofs/ledger.tsv:
%s */
"""


# What assay_flat.c, assay_index.c, assay_notes.c and assay_flat_edit.c are made of. All but the first need a C library:
# their headers have the lists.
FLAT = ["src/flat/flat.c"]
INDEX = ["src/base/keyed_hash.c", "src/base/unescaped_text.c", "src/base/utf8_codec.c", "src/model/json_reader.c",
         "src/model/index_tables.c", "src/model/model_index.c", "src/model/shard_match.c", "src/flat/flat_index.c"]
NOTES = ["src/base/hidden_text.c", "src/base/tensor_alias.c", "src/notes/file_kind.c", "src/notes/note_search.c",
         "src/flat/flat_notes.c"]
FLAT_WRITE = ["src/flat/flat_write.c"]
FLAT_EDIT = ["src/base/keyed_hash.c", "src/base/unescaped_text.c", "src/base/utf8_codec.c", "src/edit/edit_text.c",
             "src/edit/edit_pairs.c", "src/edit/edit_head.c", "src/edit/edit_certificate.c", "src/flat/flat_edit.c"]
MORE = ["src/base", "src/edit", "src/model", "src/notes", "src/flat", "src/core_write"]


def found(name):
    for folder in units.SEARCHED + MORE:
        if os.path.exists(os.path.join(ROOT, folder, name)):
            return os.path.join(folder, name)
    raise SystemExit("packaging/amalgamate.py: no file %s in %s" % (name, ", ".join(units.SEARCHED)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def without_annotations(text):
    """Return C without annotations, and without the lines and spaces that only they took."""
    out, at = "", 0
    for token in tokens.lex(text):
        if tokens.is_annotation(token):
            out += text[at:token.begin]
            at = token.end
            line = out[out.rfind("\n") + 1:]
            rest = text[at:].lstrip(" ")
            if rest[:1] == ";":
                out, at = out.rstrip(), len(text) - len(rest)
            elif line.strip() == "" and rest[:1] == "\n":
                out, at = out[:len(out) - len(line)], len(text) - len(rest) + 1
    out = re.sub(r"/\* Unfolds:.*?\*/\n", "", out + text[at:], flags=re.S)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+$", "", out, flags=re.M)).strip() + "\n"


def flat(path, seen):
    """Return the file with what it includes, each file once; system headers and public ones left out."""
    text = PROVER.sub("", without_annotations(read(path)))
    guard = GUARD.search(text)
    if guard:
        text = text[:guard.start()] + guard[2].strip("\n") + "\n" + text[guard.end():]

    def included(line):
        name = line[1]
        if name in BESIDE or name in seen:
            return ""
        seen.add(name)
        return flat(found(name), seen).strip("\n")

    return INCLUDE.sub(included, re.sub(r"#include <\w+\.h>\n", "", text))


def version():
    return re.search(r'#define ASSAY_VERSION "(.*)"', read("include/assay_text.h"))[1]


def header():
    """Return assay.h with the other public headers in it."""
    text, codes, more = (read("include/" + name) for name in PUBLIC)
    codes = GUARD.sub(lambda guard: guard[2].strip("\n") + "\n", codes)
    text = re.sub(r'#include "assay_codes.h".*\n', lambda _: codes, text)
    if re.search(r'#include "', text):
        raise SystemExit("packaging/amalgamate.py: include/assay.h includes more than assay_codes.h")
    return text + "\n" + re.sub(r'#include "assay.h"\n\n', "", more)


def source():
    """Return assay.c."""
    seen = set()
    parts = [flat(path, seen) for path in units.UNITS]
    rows = "".join(" *     %s\n *         %s\n" % row for row in units.digests()[:len(units.UNITS)])
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(parts))
    return HEAD % (version(), version(), rows) + '#include "assay.h"\n\n' + body


def writer():
    """Return assay_write.c: what it has beyond the public headers is proved token by token."""
    about = "assay_write.c: the writer: a proved unit beside assay.c. SHA-256 of its tokens, as in proofs/ledger.tsv:\n" \
            " *     %s\n *         %s\n *" % units.digests()[-1]
    return joined([units.source.WRITE], about, ["assay_write.h"], {"contracts.h"})


def joined(paths, about, first, there=(), prefix="assay_internal_"):
    """Return files as one that first includes public headers. there: files that are left out. prefix: of the functions
    of several files: no other unit that is linked with this one may have the same."""
    seen = set(there)
    system = sorted({line for path in paths for line in re.findall(r"#include <\w+\.h>", read(path))})
    body = "\n".join(flat(path, seen) for path in paths)
    names = sorted(set(re.findall(r"^(?!static|typedef|return)\w[\w *]*?\b(?!assay_)([a-z]\w*)\([^;{]*\)\n\{", body, re.M)))
    return "/* %s Made by `make dist`; do not edit. */\n%s\n\n%s%s" % (
        about, "\n".join(['#include "%s"' % name for name in first] + system),
        "".join("#define %s %s%s\n" % (name, prefix, name) for name in names) + "\n" * bool(names),
        re.sub(r"\n{3,}", "\n\n", body))


def made():
    """Return {name: text} of the files."""
    flat_header = read("include/assay_flat.h").replace('#include "assay_text.h"\n', "")
    return {"assay.c": source(), "assay.h": header(), "assay_flat.h": flat_header,
            "assay_flat.c": joined(FLAT, "assay_flat.c: the library for callers without C structures.", ["assay_flat.h"]),
            "assay_write.c": writer(), "assay_write.h": read("include/assay_write.h"),
            "assay_index.c": joined(INDEX, "assay_index.c: the same for models of several files.", ["assay_index.h"]),
            "assay_index.h": read("src/flat/assay_index.h"),
            "assay_notes.c": joined(NOTES, "assay_notes.c: the same for notes on valid files.", ["assay_notes.h"]),
            "assay_notes.h": read("src/flat/assay_notes.h"),
            "assay_flat_write.c": joined(FLAT_WRITE, "assay_flat_write.c: the writer for callers without C structures.",
                                         ["assay_flat_write.h", "assay_write.h"]),
            "assay_flat_write.h": read("src/flat/assay_flat_write.h"),
            "assay_flat_edit.c": joined(FLAT_EDIT, "assay_flat_edit.c: edits of metadata, without C structures.",
                                        ["assay_flat_edit.h", "assay_write.h"], prefix="assay_edit_internal_"),
            "assay_flat_edit.h": read("src/flat/assay_flat_edit.h")}


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in made().items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


def compiled(compiler, text, folders):
    """Return the machine code and the constants that a compiler makes of a text."""
    with tempfile.TemporaryDirectory() as work:
        target = os.path.join(work, "unit.o")
        subprocess.run([compiler, "-std=c11", "-ffreestanding", "-O2", *("-I" + f for f in folders), "-c", "-o", target,
                        "-x", "c", "-"], cwd=ROOT, input=text, check=True, universal_newlines=True)
        return subprocess.run(["objdump", "-s", "-r", target], stdout=subprocess.PIPE, check=True,
                              universal_newlines=True).stdout.split("\n", 3)[3]


def proved():
    """Return the tokens of the units with the declarations of both public headers first, as dist/assay.h has them."""
    core, text = units.unit_tokens()
    first, both = (units.preprocessed('#include "%s"\n' % name, units.SEARCHED) for name in ("assay.h", "assay_text.h"))
    words = both[len(first):]
    if core[:len(first)] != first or text[:len(words)] != words:
        raise SystemExit("packaging/amalgamate.py: the units do not begin with the public headers")
    return both + core[len(first):] + text[len(words):]


def proved_writer(folder):
    """Return the tokens of the writer with those of the public headers in a folder."""
    core, both, there = (units.preprocessed('#include "%s"\n' % name, folders) for name, folders in (
        ("assay.h", units.SEARCHED), ("assay_write.h", units.SEARCHED), ("assay_write.h", [folder])))
    words, public = units.unit_tokens(units.source.WRITE)[1], both[len(core):]
    if words[:len(public)] != public:
        raise SystemExit("packaging/amalgamate.py: the writer does not begin with its public header")
    return there + words[len(public):]


def faults(folder):
    """Report how the files in a folder differ from what is proved."""
    out = []
    with open(os.path.join(folder, "assay.c"), encoding="utf-8") as f:
        text = f.read()
    want, there = proved(), units.preprocessed(text, [folder])
    if there != want:
        k = next((k for k, pair in enumerate(zip(there, want)) if len(set(pair)) > 1), min(len(there), len(want)))
        out.append("assay.c: token %d is not the proved one: %s ... in place of %s ..." % (
            k, " ".join(there[k:k + 8]), " ".join(want[k:k + 8])))
    with open(os.path.join(folder, "assay_write.c"), encoding="utf-8") as f:
        written = f.read()
    if units.preprocessed(written, [folder]) != proved_writer(folder):
        out.append("assay_write.c: its tokens are not the proved ones")
    for unit, number in units.digests():
        if number not in (written if unit == units.source.WRITE else text):
            out.append("the file of %s does not state its digest: %s" % (unit, number))
        if not re.search(r"^tokens\t%s\t%s\t%s$" % (unit, unit, number), read("proofs/ledger.tsv"), re.M):
            out.append("proofs/ledger.tsv does not have the digest of %s: %s" % (unit, number))
    if tokens.annotations(text) or tokens.annotations(written):
        out.append("assay.c or assay_write.c has annotations")
    both = "".join('#include "%s"\n' % unit for unit in units.UNITS)
    for compiler in "gcc", "clang":
        if not shutil.which(compiler):
            out.append("%s is not here: its code is not compared" % compiler)
        elif compiled(compiler, text, [folder]) != compiled(compiler, both, units.SEARCHED):
            out.append("%s makes other code of assay.c than of the proved units" % compiler)
    return out


def main(args):
    check = args[:1] == ["--check"]
    folder = os.path.abspath((args[1:] if check else args)[0] if args[check:] else os.path.join(ROOT, "dist"))
    if not check:
        write(folder)
        return 0
    found_faults = faults(folder)
    print("\n".join(found_faults) or "assay.c: %d tokens, all proved; the same code by gcc and clang" % len(proved()))
    print("%d passed, %d failed" % (0 if found_faults else 6, len(found_faults)))
    return 1 if found_faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
