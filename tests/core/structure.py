#!/usr/bin/env python3
"""Is the source as docs/architecture.md draws it? Each finding is one line:

- a folder of src/ includes headers of the folders that it may call, and of no other;
- no two files of a folder call each other, directly or by way of others: by the symbols of the objects that were built;
- a file's base name is used once in the tree (x.c and x.h are one);
- docs/architecture.md names no file that does not exist.

    tests/core/structure.py [ROOT [OBJECTS]]    ROOT: another tree to check; OBJECTS: where it was built, build/
"""
import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", ".."))
OBJECTS = os.path.join(ROOT, sys.argv[2] if len(sys.argv) > 2 else "build")
# Each folder and those whose headers it may include, beside its own and include/; core_text and core_write: the
# contracts of the core.
MAY_CALL = {"core": [], "core_text": ["core"], "core_write": ["core"], "base": [], "model": ["base"], "notes": ["base"],
            "modelspec": [], "flat": ["base", "edit", "model", "notes"], "host": ["base"], "remote": ["base", "host"],
            "edit": ["base"], "cli": ["base", "model", "notes", "modelspec", "edit", "host", "remote"]}
NAMED = ["include/*.h", "src/*/*.[ch]", "fuzz/**/*.[ch]", "tests/unit/*.[ch]", "tests/conformance/*.[ch]",
         "bench/**/*.[ch]", "examples/*.[ch]", "proofs/*.[ch]"]
SAME = {"assay", "assay_text", "assay_write"}  # include/NAME.h is the interface of src/core/assay.c, src/core_*/NAME.c
findings = []


def files(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern), recursive=True))


def check_includes():
    """Report headers of folders that a folder may not call; return how many includes were looked at."""
    home = {os.path.basename(path): path.split("/")[1] for path in files("src/*/*.h")}
    seen = 0
    for path in files("src/*/*.[ch]"):
        folder = path.split("/")[1]
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            included = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', f.read(), re.M)
        for name in included:
            target = home.get(os.path.basename(name))
            seen += 1
            if target not in (None, folder) and target not in MAY_CALL.get(folder, []):
                findings.append("%s: includes %s of src/%s" % (path, name, target))
    return seen


def symbols(path):
    """Return the global symbols that an object defines, and those that it uses."""
    lines = subprocess.run(["nm", "-g", path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    pairs = [line.split()[-2:] for line in lines if line.strip()]
    return {name for kind, name in pairs if kind not in "Uvw"}, {name for kind, name in pairs if kind == "U"}


def check_circles():
    """Report sets of files that call each other; return how many objects were looked at."""
    paths = [path for folder in MAY_CALL if folder != "core" for path in files("src/%s/*.c" % folder)]
    owner, used = {}, {}
    for path in paths:
        built = os.path.join(OBJECTS, path[len("src/"):-1] + "o")
        if not os.path.exists(built):
            findings.append("%s: %s is not built" % (path, os.path.relpath(built, ROOT)))
            continue
        defined, used[path] = symbols(built)
        owner.update(dict.fromkeys(defined, path))
    calls = {path: {owner[name] for name in names if name in owner} - {path} for path, names in used.items()}
    reached = {}
    for path in calls:
        todo, reached[path] = list(calls[path]), set()
        while todo:
            one = todo.pop()
            if one not in reached[path]:
                reached[path].add(one)
                todo += calls[one]
    for path in sorted(calls):
        circle = sorted(other for other in reached[path] if path in reached[other])
        if circle and circle[0] == path:
            findings.append("a circle: " + ", ".join(circle))
    return len(calls)


def check_names():
    """Report base names that stand for two things; return how many there are."""
    homes = collections.defaultdict(set)
    for pattern in NAMED:
        for path in files(pattern):
            homes[os.path.splitext(os.path.basename(path))[0]].add(os.path.dirname(path))
    for name, where in sorted(homes.items()):
        if len(where) > 1 and name not in SAME:
            findings.append("%s: a file of this name is in each of %s" % (name, ", ".join(sorted(where))))
    return len(homes)


def check_page():
    """Report files that docs/architecture.md names and that do not exist; return how many it names."""
    with open(os.path.join(ROOT, "docs/architecture.md"), encoding="utf-8") as f:
        named = set(re.findall(r"`([\w./]+\.(?:c|h|py|tsv|md))`", f.read()))
    homes = {os.path.basename(path) for path in files("src/*/*.[ch]")}
    for name in sorted(named):
        there = name in homes if "/" not in name else any(
            os.path.exists(os.path.join(ROOT, begin, name)) for begin in ("", "src"))
        if not there and not os.path.exists(os.path.join(ROOT, "spec", name)):
            findings.append("docs/architecture.md: %s is in no folder" % name)
    return len(named)


def main():
    seen = [check_includes(), check_circles(), check_names(), check_page()]
    for finding in findings:
        print("FAILED: " + finding)
    print("%d includes, %d objects, %d base names, %d names on the page" % tuple(seen))
    print("%d passed, %d failed" % (sum(seen) - len(findings), len(findings)))
    return 1 if findings or 0 in seen else 0


if __name__ == "__main__":
    sys.exit(main())
