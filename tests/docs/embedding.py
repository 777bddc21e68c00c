#!/usr/bin/env python3
"""Check the C code of docs/embedding.md: the programs are examples/list.c and examples/save.c, compile without a
warning and print what the page shows; the snippets compile and run on files of the corpus.

    tests/docs/embedding.py [CC]    requires build/libassay.a and build/assay
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/embedding.md"
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Iinclude"]
SHOWN = "corpus/valid/real/runai-test.safetensors"
# Files that the program must refuse, with its exit status.
REFUSED = [("corpus/invalid/W59-size-before-start-of-next.safetensors", 1), (os.devnull, 1), ("no/such/file", 2)]
SNIPPETS = 8
# A program around the snippets: each is the body of a function that gets a view of the file.
AROUND = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assay_text.h"
static uint64_t used;
static int wrong;
static void use_number(uint64_t number) { used += number %% 7 + 1; }
static void use_text(const char *text, const char *expected) { wrong += strcmp(text, expected) != 0; }
static void use_words(const char *one, const char *other) { used += strlen(one) + strlen(other); }
static void use_bytes(uint64_t begin, uint64_t end, uint64_t dtype) { used += end - begin + dtype; }
%(functions)s
int main(int argc, char **argv)
{
    static uint8_t file[1 << 16];
    static assay_entry entry[1000];
    static uint32_t word[1000];
    FILE *in = fopen(argv[argc - 1], "rb");
    uint64_t size = in == NULL ? 0 : fread(file, 1, sizeof file, in);
    assay_input input = {file, size, size};
    assay_workspace workspace = {entry, 1000, word, 1000};
    assay_result result;
    if (in == NULL || assay_parse(&input, NULL, &workspace, &result) != ASSAY_OK)
        return 1;
    use_number(size);
%(calls)s
    printf("%%d\\n", used > 1);
    return wrong;
}
"""


def around(snippets):
    functions = ["static void snippet_%d(assay_view view, const uint8_t *file, uint64_t file_size)\n{\n"
                 "    (void)view, (void)file, (void)file_size;\n%s}\n" % pair for pair in enumerate(snippets)]
    calls = ["    snippet_%d(result.view, file, size);" % k for k in range(len(snippets))]
    return AROUND % {"functions": "".join(functions), "calls": "\n".join(calls)}


def build(compiler, source, program):
    done = subprocess.run([compiler, *FLAGS, source, "build/libassay.a", "-o", program], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def run(program, path):
    return subprocess.run([program, path], cwd=ROOT, capture_output=True, text=True, check=False)


def program_faults(compiler, page, blocks, program):
    with open(os.path.join(ROOT, "examples/list.c"), encoding="utf-8") as f:
        if blocks[0] != f.read():
            yield "the first C program of %s is not examples/list.c" % PAGE
    failed = build(compiler, "examples/list.c", program)
    if failed:
        yield "examples/list.c: " + failed
        return
    shown = re.search(r"^\$ \./list %s\n(.*?)^```$" % re.escape(SHOWN), page, re.S | re.M)
    result = run(program, SHOWN)
    if shown is None or (result.returncode, result.stdout) != (0, shown.group(1)):
        yield "%s shows another run than: exit status %d and\n%s" % (PAGE, result.returncode, result.stdout)
    for path, status in REFUSED:
        result = run(program, path)
        if result.returncode != status:
            yield "%s: exit status %d, not %d" % (path, result.returncode, status)


def save_faults(compiler, page, block, work):
    with open(os.path.join(ROOT, "examples/save.c"), encoding="utf-8") as f:
        if block != f.read():
            yield "the second C program of %s is not examples/save.c" % PAGE
    program, made = os.path.join(work, "save"), os.path.join(work, "new.safetensors")
    failed = build(compiler, "examples/save.c", program)
    if failed:
        yield "examples/save.c: " + failed
        return
    with open(made, "wb") as f:
        status = subprocess.run([program], stdout=f, check=False).returncode
    shown = re.search(r"^\$ build/assay ls new\.safetensors\n(.*?)^```$", page, re.S | re.M)
    listed = subprocess.run(["build/assay", "ls", made], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if status != 0 or shown is None or listed != shown.group(1):
        yield "%s shows another file than: exit status %d and\n%s" % (PAGE, status, listed)
    with open("/dev/full", "wb") as f:
        if subprocess.run([program], stdout=f, check=False).returncode != 2:
            yield "examples/save.c does not report that nothing can be written"


def snippet_faults(compiler, snippets, program):
    if len(snippets) < SNIPPETS:
        yield "%s has %d snippets, fewer than %d" % (PAGE, len(snippets), SNIPPETS)
    source = program + "-snippets.c"
    with open(source, "w", encoding="utf-8") as f:
        f.write(around(snippets))
    failed = build(compiler, source, program + "-snippets")
    if failed:
        yield "the snippets of %s: %s" % (PAGE, failed)
        return
    for path in (SHOWN, "corpus/valid/metadata-between.safetensors"):
        result = run(program + "-snippets", path)
        if (result.returncode, result.stdout) != (0, "1\n"):
            yield "the snippets on %s: exit status %d: %s" % (path, result.returncode, result.stdout)


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "cc"
    with open(os.path.join(ROOT, PAGE), encoding="utf-8") as f:
        page = f.read()
    blocks = re.findall(r"^```c\n(.*?)^```$", page, re.S | re.M)
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "list")
        faults = list(program_faults(compiler, page, blocks, program))
        saves = [block for block in blocks if "assay_write.h" in block]
        faults += list(save_faults(compiler, page, saves[0] if saves else "", work))
        faults += list(snippet_faults(compiler, [block for block in blocks[1:] if block not in saves], program))
    for fault in faults:
        print("FAILED:", fault)
    checks = 3 + len(REFUSED) + 4 + 2 + len(blocks[2:])
    print("%d passed, %d failed" % (checks - len(faults), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
