#!/usr/bin/env python3
"""The part of a C program in README.md compiles within a function that has its variables; examples/list.c, which it
names, compiles without a warning, lists the tensors of a file, and refuses what it must; the figures of speed are those
of bench/results.json.

    tests/docs/readme.py [CC]    needs build/libassay.a
"""
import os
import re
import subprocess
import sys
import tempfile

CHECKS = 6  # the part of a program, the run, three files that it must refuse, the figures
LISTED = "corpus/valid/real/runai-test.safetensors", 10  # a file and its number of tensors
AROUND = """#include <stdio.h>
#include "assay.h"
#include "assay_text.h"
void load(FILE *file, uint64_t begin, uint64_t end);
void part(FILE *file, const uint8_t *head, uint64_t head_size, uint64_t file_size, assay_workspace memory);
void part(FILE *file, const uint8_t *head, uint64_t head_size, uint64_t file_size, assay_workspace memory)
{
%s}
"""
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Iinclude"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import report  # noqa: E402


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "cc"
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    faults = []
    blocks = re.findall(r"^```c\n(.*?)^```$", readme, re.S | re.M)
    if len(blocks) != 1 or "](examples/list.c)" not in readme:
        faults.append("README.md has %d parts of a C program, or no link to examples/list.c" % len(blocks))
    else:
        done = subprocess.run([compiler, *WARNINGS, "-fsyntax-only", "-x", "c", "-"], cwd=ROOT, check=False, text=True,
                              input=AROUND % blocks[0], capture_output=True)
        if done.returncode:
            faults.append("the part of a C program in README.md doesn't compile:\n" + done.stderr)
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "list")
        subprocess.run([compiler, *WARNINGS, "examples/list.c", "build/libassay.a", "-o", program], cwd=ROOT,
                       check=True)
        run = subprocess.run([program, LISTED[0]], cwd=ROOT, capture_output=True, text=True, check=False)
        if run.returncode != 0 or len(re.findall(r"^bytes +\d+ to +\d+, .*\] \S+$", run.stdout, re.M)) != LISTED[1]:
            faults.append("examples/list.c: exit status %d, output:\n%s" % (run.returncode, run.stdout))
        for name, status in (("corpus/invalid/W59-size-before-start-of-next.safetensors", 1), (os.devnull, 1),
                             ("no/such/file", 2)):
            path = os.path.join(ROOT, name)
            run = subprocess.run([program, path], cwd=ROOT, capture_output=True, text=True, check=False)
            if run.returncode != status:
                faults.append("%s: exit status %d, not %d" % (name, run.returncode, status))
    if not report.is_current():
        faults.append("the figures of speed in README.md are not what bench/report.py makes")
    for fault in faults:
        print("FAILED:", fault)
    print("%d passed, %d failed" % (CHECKS - len(faults), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
