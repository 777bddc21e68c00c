#!/usr/bin/env python3
"""The C program in README.md is examples/list.c, compiles without a warning, and prints what README.md shows; its
figures of performance are those of bench/results.json.

    tests/docs/readme.py [CC]    needs build/libassay.a
"""
import os
import re
import subprocess
import sys
import tempfile

CHECKS = 6  # the text, the run, three files that it must refuse, the figures
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import report  # noqa: E402


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "cc"
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    with open(os.path.join(ROOT, "examples/list.c"), encoding="utf-8") as f:
        source = f.read()
    faults = []
    blocks = re.findall(r"^```c\n(.*?)^```$", readme, re.S | re.M)
    if blocks != [source]:
        faults.append("the C program in README.md is not examples/list.c")
    shown = re.search(r"&& \./list (\S+)\n((?:    .*\n)+)", readme)
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "list")
        subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Iinclude",
                        "examples/list.c", "build/libassay.a", "-o", program], cwd=ROOT, check=True)
        if shown is None:
            faults.append("README.md shows no run of the program")
        else:
            expected = "".join(line[4:] + "\n" for line in shown.group(2).splitlines())
            run = subprocess.run([program, shown.group(1)], cwd=ROOT, capture_output=True, text=True, check=False)
            if (run.returncode, run.stdout) != (0, expected):
                faults.append("it ends with %d and prints\n%s" % (run.returncode, run.stdout))
        for name, status in (("corpus/invalid/W59-size-before-start-of-next.safetensors", 1), (os.devnull, 1),
                             ("no/such/file", 2)):
            path = os.path.join(ROOT, name)
            run = subprocess.run([program, path], cwd=ROOT, capture_output=True, text=True, check=False)
            if run.returncode != status:
                faults.append("%s: exit status %d, not %d" % (name, run.returncode, status))
    if not report.stands():
        faults.append("the section Performance of README.md is not what bench/report.py makes")
    for fault in faults:
        print("FAILED:", fault)
    print("%d passed, %d failed" % (CHECKS - len(faults), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
