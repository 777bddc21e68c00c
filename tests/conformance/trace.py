#!/usr/bin/env python3
"""Check that every rule and status has everything that belongs to it (`make trace`).

A rule of spec/rules.tsv has: its code in include/assay_codes.h, its number in the logic (spec/codes.acsl), a
definition of the logic that uses it (in another spec/*.acsl), the code in src/core that decides it, its row and
its "which byte" rows in spec/format.md, a hand-made file in the corpus, and a test that causes it. A status of
spec/statuses.tsv has the same, with a line of corpus/options.tsv instead of a file. A rule of spec/model_rules.tsv
has: the code in src/model or src/cli that decides it, its rows in spec/index.md, its use in spec/index_model.py,
and a test that causes it. Each defect of the official writer in spec/canonical.md has tests. The generated files must
be what their scripts make.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/model", "spec")]
import generate_cases  # noqa: E402
import model  # noqa: E402

# Statuses that no file causes by itself, with the test that does.
BY_TEST = {"workspace": "tests/conformance/driver.c"}
# Statuses that the logic does not mention, since they do not depend on the bytes.
NOT_LOGIC = ("workspace", "usage")
findings = []
checked = 0


def text_of(*patterns):
    out = ""
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as f:
                out += f.read() + "\n"
    return out


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def table(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def want(holds, who, what):
    global checked
    checked += 1
    if not holds:
        findings.append("%s lacks %s" % (who, what))


def word(name, text):
    return re.search(r"\b%s\b" % re.escape(name), text) is not None


def generated():
    """Return the rules that the first files of assurance/model/model_check.py break."""
    cases = [case + ({},) for case in generate_cases.files(1, 3000)] + list(generate_cases.cases(1, 500))
    return {model.judge(*case).name for case in cases}


def said_in_logic():
    """Return the includes of spec/file.acsl except codes.acsl, without comments."""
    out, left, seen = "", ["file.acsl"], {"codes.acsl"}
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            text = text_of("spec/" + name)
            left += re.findall(r'^#include "(\w+\.acsl)"$', text, re.M)
            annotations = "\n".join(re.findall(r"/\*@(.*?)\*/", text, flags=re.S))
            out += re.sub(r"//[^\n]*", "", annotations)
    return out


def check_rows(rows, prefix, logic_prefix, texts):
    for row in rows:
        who, upper = "%s %s" % (row["id"], row["name"]), row["name"].upper()
        constant, number = prefix + upper, row["code"]
        want(re.search(r"^\s*%s = %s\b" % (constant, number), texts["codes"], re.M), who, "its code in assay_codes.h")
        want(re.search(r"\blogic integer %s%s = %s;" % (logic_prefix, upper, number), texts["logic"]), who,
             "its number in the logic")
        if row["name"] not in NOT_LOGIC:
            want(word(logic_prefix + upper, texts["stages"]), who, "a definition in the logic")
        want(word(constant, texts["core"]), who, "a place in src/core that decides it")
        want(re.search(r"^\| %s \| %s \|" % (row["id"], number), texts["format"], re.M), who,
             "its row in spec/format.md")
        want(row["name"] in texts["made"] or word(constant, texts["tests"]), who, "a test that makes it happen")


def check_model_rules(rows):
    """Check the rules for models in several files."""
    code = without_comments(text_of("src/model/*.c", "src/cli/model_folder.c", "src/cli/numbered_files.c"))
    page, said = text_of("spec/index.md"), text_of("spec/index_model.py")
    tests = text_of("tests/program/models.py", "tests/program/one_file.py", "tests/conformance/index_check.py")
    for row in rows:
        who = "%s %s" % (row["id"], row["name"])
        want(word("MODEL_" + row["name"].upper(), code), who, "a place in src/model that decides it")
        want(len(re.findall(r"^\| %s \|" % row["id"], page, re.M)) == 2, who, "its two rows in spec/index.md")
        want(row["name"] in said or row["name"] in ("shard_missing", "shard_outside"), who,
             "a place in spec/index_model.py")
        want('"%s"' % row["name"] in tests or row["name"].startswith("index_"), who, "a test that makes it happen")


def check_defects():
    """Check that each of the nine defects in spec/canonical.md names tests, which exist."""
    rows = text_of("spec/canonical.md").split("<!-- defects: begin -->")[1].split("<!-- defects: end -->")[0]
    for number in range(1, 10):
        row = re.search(r"^\| B%d \|.*\|([^|]+)\|$" % number, rows, re.M)
        tests = re.findall(r"`(\S+\.\w+) (\w+)`", row[1]) if row else []
        want(tests, "B%d of spec/canonical.md" % number, "a test")
        for name, test in tests:
            text = text_of("tests/unit/" + name, "tests/program/" + name, "bindings/python/tests/" + name)
            want(re.search(r"^(?:START_TEST\(|def )%s\b" % test, text, re.M), "B%d" % number, "the test %s of %s" % (
                test, name))


def main():
    texts = {
        "codes": text_of("include/assay_codes.h"),
        "logic": text_of("spec/*.acsl"),
        "stages": said_in_logic(),
        "core": without_comments(text_of("src/core/*.[ch]")),
        "format": text_of("spec/format.md"),
        "tests": text_of("tests/unit/*.c", "tests/conformance/driver.c"),
        "made": generated(),
    }
    rules, statuses = table("spec/rules.tsv"), table("spec/statuses.tsv")
    check_model_rules(table("spec/model_rules.tsv"))
    check_defects()
    check_rows(rules, "ASSAY_E_", "E_", texts)
    check_rows(statuses, "ASSAY_", "N_", texts)
    manifest, places, options = table("corpus/manifest.tsv"), table("spec/bytes.tsv"), table("corpus/options.tsv")
    for rule in rules:
        files = [row["file"] for row in manifest if row["rule"] == rule["id"] and row["row"]]
        want(any(os.path.exists(os.path.join(ROOT, "corpus", f)) for f in files), rule["id"], "a file in the corpus")
        mine = [row["row"] for row in places if row["rule"] == rule["id"]]
        want(mine, rule["id"], "a row in spec/bytes.tsv")
    for place in places:
        want(re.search(r"^\| %s \|" % place["row"], texts["format"], re.M), place["row"], "its row in spec/format.md")
        want(any(row["row"] == place["row"] for row in manifest), place["row"], "a file in the corpus")
    for status in statuses:
        if status["name"] in BY_TEST:
            want(word("ASSAY_" + status["name"].upper(), text_of(BY_TEST[status["name"]])), status["id"],
                 "its test in " + BY_TEST[status["name"]])
        else:
            want(any(row["name"] == status["name"] for row in options), status["id"], "a line in corpus/options.tsv")
    for command in (["spec/generate.py", "--check"], ["corpus/make.py", "--check"]):
        done = subprocess.run([sys.executable] + command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, check=False)
        want(done.returncode == 0, command[0], "agreement with what is committed:\n" + done.stdout)
    for text in findings:
        print(text)
    print("%d rules, %d statuses, %d places" % (len(rules), len(statuses), len(places)))
    print("%d passed, %d failed" % (checked - len(findings), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
