#!/usr/bin/env python3
"""Print where a rule is: its text, code, logic, the function that decides it, its proof, tests and corpus files.

    make rule ID=G4                        by id, name (overlap) or code (61)
    tests/conformance/rule.py G4           the same
    tests/conformance/rule.py --check      every rule and status has a line of each kind that its table has
"""
import collections
import csv
import functools
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A table: its file, the prefixes of its constants in C and in the logic, the page, the folders of its code, and the
# kinds of lines that each of its rows must have.
Table = collections.namedtuple("Table", "path constant logic pages code kinds")
TABLES = [
    Table("spec/rules.tsv", "ASSAY_E_", "E_", ["spec/format.md"], ("src/core/*.[ch]",),
          ("text", "constant", "logic", "code", "proof", "corpus")),
    Table("spec/statuses.tsv", "ASSAY_", "N_", ["spec/format.md"], ("src/core/*.[ch]",), ("text", "constant", "code")),
    Table("spec/model_rules.tsv", "MODEL_", None, ["spec/index.md"], ("src/model/*.c", "src/cli/*.c"),
          ("text", "constant", "code", "test")),
    Table("spec/note_rules.tsv", "NOTE_", None, ["docs/cli.md"], ("src/notes/*.c", "src/cli/*.c"),
          ("text", "constant", "code", "test")),
    Table("spec/program_rules.tsv", "RULE_", None, ["spec/policy.md", "docs/cli.md"], ("src/cli/*.c",),
          ("text", "constant", "code", "test")),
]
CONSTANTS = ["include/assay_codes.h", "src/model/model_rules.h", "src/notes/note_rules.h", "src/cli/program_rules.h"]
TESTS = ["tests/unit/*.c", "tests/conformance/*.py", "tests/conformance/*.tsv", "tests/program/*.py"]
NOT_TESTS = ("tests/conformance/trace.py", "tests/conformance/rule.py")
FUNCTION = re.compile(r"^(?!static inline$)\w[\w\s*]*?\b(\w+)\([^;]*$")


@functools.lru_cache(maxsize=None)
def lines(*patterns):
    """Return (path, line number, line) of all files that match."""
    out = []
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as f:
                out += [(os.path.relpath(path, ROOT), n, line) for n, line in enumerate(f.read().splitlines(), 1)]
    return out


def rows(table):
    with open(os.path.join(ROOT, table.path), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


@functools.lru_cache(maxsize=None)
def code_lines(patterns):
    """Return (path, line number, function, code) of each line of C, its annotations and comments left out."""
    path, function, inside, out = None, "", False, []
    for where, number, line in lines(*patterns):
        if where != path:
            path, function, inside = where, "", False
        starts, ends = line.find("/*"), line.find("*/")
        text = line if not inside else line[ends + 2:] if ends >= 0 else ""
        text = re.sub(r"/\*.*?(\*/|$)|//.*", "", text)
        inside = ends < starts if starts >= 0 else inside and ends < 0
        if text.startswith("}"):
            function = ""
        found = FUNCTION.match(text)
        if found and not text.startswith(("#", "typedef")):
            function = found.group(1)
        out.append((where, number, function, text))
    return out


def find(table, row):
    """Return the lines of a rule: kind -> list of texts."""
    out = collections.defaultdict(list)
    upper = row["name"].upper()
    constant = table.constant + upper if table.constant else "no_constant"
    name = r"\b%s\b|\"%s\"" % (constant, row["name"])  # or its string
    for path, number, line in lines(*table.pages):
        if line.startswith("| %s |" % row["id"]):
            out["text"].append("%s:%d" % (path, number))
        elif re.search(r"\b%s\b" % row["id"], line) and not line.startswith("|"):
            out["prose"].append("%s:%d: %s" % (path, number, line.strip()))
    for path, number, line in lines("spec/bytes.tsv"):
        cells = line.split("\t")
        if cells[1:2] == [row["id"]]:
            out["which byte"].append("%s:%d: %s, at %s" % (path, number, cells[2], cells[3] if len(cells) > 3 else "-"))
    for path, number, line in lines(*CONSTANTS):
        if re.match(r"\s*(#define\s+)?%s\b" % constant, line):
            out["constant"].append("%s:%d: %s" % (path, number, constant))
    if table.logic:
        for path, number, line in lines("spec/*.acsl"):
            if path != "spec/codes.acsl" and re.search(r"\b%s%s\b" % (table.logic, upper), line):
                out["logic"].append("%s:%d: %s" % (path, number, line.strip()))
    decided = collections.OrderedDict()
    for path, number, function, code in code_lines(table.code):
        if path not in CONSTANTS and "rules_table" not in path and re.search(name, code):
            decided.setdefault(path, []).append("%s:%d %s" % (path, number, function))
    for path, number, line in lines(*table.code):  # the rules that the first comment of a file names
        if number <= 8 and path not in decided and re.search(r"\b%s\b" % row["name"], line) and line.startswith(
                ("/*", " *")):
            decided[path] = ["%s:%d" % (path, number)]
    for path, number, line in lines("spec/model.py", "spec/index_model.py"):
        if '"%s"' % row["name"] in line:
            out["model"].append("%s:%d" % (path, number))
    for path, places in decided.items():
        out["code"] += places
        if path.startswith("src/core/") and path.endswith(".c"):
            out["proof"].append("make prove FILE=%s" % path)
    with open(os.path.join(ROOT, "corpus/manifest.tsv"), encoding="utf-8", newline="") as f:
        files = [each["file"] for each in csv.DictReader(f, delimiter="\t") if each["rule"] == row["id"]]
    if files:
        out["corpus"] = ["corpus/" + name for name in files[:3]]
        if len(files) > 3:
            out["corpus"].append("and %d more: grep -P '\\t%s\\t' corpus/manifest.tsv" % (len(files) - 3, row["id"]))
    word = re.compile(r"\b%s\b|[\"'\t]%s[\"'\t]|^%s\t|[\"']%s[\"']" % (constant, row["name"], row["id"], row["id"]))
    for path, number, line in lines(*TESTS):
        if path not in NOT_TESTS and word.search(line):
            out["test"].append("%s:%d" % (path, number))
    if len(out["test"]) > 6:
        out["test"] = out["test"][:5] + ["and %d more: git grep -nE '%s|%s' tests" % (
            len(out["test"]) - 5, constant if table.constant else row["id"], row["name"])]
    if files:
        out["test"].append("python3 tests/run.py core program   (checks the corpus)")
    return out


def show(table, row):
    print("%s %s (code %s): %s" % (row["id"], row["name"], row["code"], row["title"]))
    print("  %-11s %s" % ("table", table.path))
    found = find(table, row)
    if not table.logic:
        found["logic"] = ["none: the core does not decide this rule, and it is not proved"]
    if not found["corpus"]:
        found["corpus"] = ["none with this verdict: see the tests"]
    for kind in ("text", "prose", "which byte", "constant", "logic", "model", "code", "proof", "corpus", "test"):
        for number, text in enumerate(found[kind]):
            print("  %-11s %s" % (kind if number == 0 else "", text))
    print("  %-11s assay rules %s" % ("user sees", row["id"]))


def check():
    passed, failed = 0, 0
    for table in TABLES:
        for row in rows(table):
            found = find(table, row)
            for kind in table.kinds:
                fine = bool(found[kind])
                passed, failed = passed + fine, failed + (not fine)
                if not fine:
                    print("FAILED: %s %s: no line of the kind \"%s\"" % (row["id"], row["name"], kind))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


def main(args):
    if args == ["--check"]:
        return check()
    if len(args) != 1 or args[0].startswith("-") or not args[0]:
        print("usage: make rule ID=G4, or tests/conformance/rule.py ID|NAME|CODE|--check", file=sys.stderr)
        return 2
    for table in TABLES:
        for row in rows(table):
            if args[0].lower() in (row["id"].lower(), row["name"], row["code"]):
                show(table, row)
                return 0
    print("no rule has the id, name or code %r: `assay rules` lists them" % args[0], file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
