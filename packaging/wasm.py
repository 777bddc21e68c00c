#!/usr/bin/env python3
"""Compile the interface for other languages to WebAssembly: bindings/go/assay.wasm, which a Go module must contain.

    packaging/wasm.py            make it, and assay.wasm.tsv beside it: what it was made of, and by what
    packaging/wasm.py --check    compare both with the tree

The module is dist/assay.c and dist/assay_flat.c. It imports nothing, and has no allocator: the caller grows its memory.
The same compiler makes the same bytes. With another one the check compares digests alone: of the module, and of the
tokens that it was made of, so comments may change.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import amalgamate
import tokens

MODULE = os.path.join(amalgamate.ROOT, "bindings", "go", "assay.wasm")
RECORD = MODULE + ".tsv"
COMPILER, LINKER = "clang", "wasm-ld"
# The stack comes first in memory: one that is too small is a trap. The core needs less than 1 KiB of it.
FLAGS = ["--target=wasm32", "-mcpu=mvp", "-mbulk-memory", "-std=c11", "-ffreestanding", "-nostdlib", "-Os",
         "-Wall", "-Wextra", "-Werror", "-Wl,--no-entry", "-Wl,--stack-first", "-Wl,-z,stack-size=16384",
         "-Wl,--strip-all", "-Wl,--export=__heap_base"]
SOURCES = ["assay.h", "assay_flat.h", "assay.c", "assay_flat.c"]


def functions(header):
    return re.findall(r"^[a-z]\w+ \*?(assay_flat_\w+)\(", header, re.M)


def source_digest(files):
    """Return the SHA-256 of the tokens of the sources, and of the flags."""
    words = [token.text for name in SOURCES for token in tokens.code(files[name]) if token.kind != "line"]
    return hashlib.sha256("\n".join(FLAGS + words).encode()).hexdigest()


def tools():
    """Return how compiler and linker name themselves, or None if they can't make WebAssembly here."""
    if not shutil.which(COMPILER) or not shutil.which(LINKER):
        return None
    said = [subprocess.run([tool, "--version"], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
            for tool in (COMPILER, LINKER)]
    return ", ".join(text.splitlines()[0].strip() for text in said)


def compiled(files):
    """Return the module."""
    with tempfile.TemporaryDirectory(prefix="assay-") as work:
        for name in SOURCES:
            with open(os.path.join(work, name), "w", encoding="utf-8") as f:
                f.write(files[name])
        exports = ["-Wl,--export=" + name for name in functions(files["assay_flat.h"])]
        command = [COMPILER, *FLAGS, *exports, "assay.c", "assay_flat.c", "-o", "assay.wasm"]
        subprocess.run(command, cwd=work, check=True)
        with open(os.path.join(work, "assay.wasm"), "rb") as f:
            return f.read()


def record(files, module, made_by):
    return "what\tvalue\nsources\t%s\nmodule\t%s\nmade by\t%s\n" % (
        source_digest(files), hashlib.sha256(module).hexdigest(), made_by)


def faults():
    """Return what is wrong with the module of the tree, and how much was compared."""
    files, out = amalgamate.made(), []
    with open(MODULE, "rb") as f:
        module = f.read()
    with open(RECORD, encoding="utf-8") as f:
        rows = dict(line.split("\t") for line in f.read().splitlines())
    if rows["sources"] != source_digest(files):
        out.append("bindings/go/assay.wasm was made of other sources: run make wasm")
    if rows["module"] != hashlib.sha256(module).hexdigest():
        out.append("bindings/go/assay.wasm is not the module of assay.wasm.tsv: run make wasm")
    if rows["made by"] != tools():
        return out, "digests alone: it was made by %s" % rows["made by"]
    if compiled(files) != module:
        out.append("bindings/go/assay.wasm is not what %s makes of the sources: run make wasm" % COMPILER)
    return out, "byte for byte"


def main(args):
    if args == ["--check"]:
        found, how = faults()
        print("".join("packaging/wasm.py: %s\n" % fault for fault in found), end="")
        print("assay.wasm: %s" % how)
        return 1 if found else 0
    if args:
        sys.exit("usage: packaging/wasm.py [--check]")
    made_by, files = tools(), amalgamate.made()
    if made_by is None:
        sys.exit("packaging/wasm.py: %s or %s is not installed: install clang and lld" % (COMPILER, LINKER))
    module = compiled(files)
    with open(MODULE, "wb") as f:
        f.write(module)
    with open(RECORD, "w", encoding="utf-8") as f:
        f.write(record(files, module, made_by))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
