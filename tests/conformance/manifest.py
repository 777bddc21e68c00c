#!/usr/bin/env python3
"""Check the corpus against the executable model of the specification and its tables.

    tests/conformance/manifest.py                      the model, the tables, the decisions
    tests/conformance/manifest.py --program ./assay    the program instead: verdict, rule, code and offset of every file
    tests/conformance/manifest.py --core COMMAND       the core instead: COMMAND reads the input of
                                           `spec/model.py --hex` and writes the same JSON
    tests/conformance/manifest.py --hex                only print that input (manifest, then options)

Exit status 1 if anything differs.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(ROOT, "corpus")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "spec"))
import model  # noqa: E402

FIELDS = ["offset", "tensor", "other", "expected", "found"]
problems = []


def problem(text, *args):
    problems.append(text % args)


def read_table(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    for number, row in enumerate(rows, 2):
        if len(row) != len(head):
            problem("%s:%d: %d cells, not %d", path, number, len(row), len(head))
    return [dict(zip(head, row)) for row in rows]


def read_file(name):
    with open(os.path.join(CORPUS, name), "rb") as f:
        return f.read()


def wanted(row):
    return [row["verdict"], row["rule"], row["name"], row["code"]] + [row[field] for field in FIELDS]


def given(answer):
    head = [answer["verdict"], answer["id"], answer["name"], answer["code"]]
    return ["" if cell is None else str(cell) for cell in head + [answer[field] for field in FIELDS]]


def question(data, options):
    """Return the line for `spec/model.py --hex`."""
    settings = dict(setting.split("=") for setting in options.split())
    size = settings.pop("file_size", str(len(data)))
    head = int(settings.pop("head", len(data)))
    return " ".join([data[:head].hex() or "-", "file_size=" + size] + ["%s=%s" % s for s in settings.items()])


def questions(rows):
    return [question(read_file(row["file"]), row.get("options", "")) for row in rows]


def compare(rows, answers, who):
    if len(answers) != len(rows):
        problem("%s gave %d answers to %d questions", who, len(answers), len(rows))
    for row, answer in zip(rows, answers):
        if wanted(row) != given(answer):
            problem("%s [%s]: the manifest has %s, %s reports %s", row["file"], row.get("options", ""),
                    " ".join(cell or "-" for cell in wanted(row)), who,
                    " ".join(cell or "-" for cell in given(answer)))


def check_model(rows):
    compare(rows, [model.judge_line(line).as_dict() for line in questions(rows)], "the model")


def check_core(rows, command):
    run = subprocess.run(shlex.split(command), input="\n".join(questions(rows)) + "\n",
                         stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        problem("%s: exit status %d", command, run.returncode)
    compare(rows, [json.loads(line) for line in run.stdout.splitlines()], "the core")


def check_program(rows, program):
    """Run `assay check --format jsonl` on every file, each named explicitly."""
    paths = [os.path.join(CORPUS, row["file"]) for row in rows]
    run = subprocess.run([*shlex.split(program), "check", "--format", "jsonl"] + paths, stdout=subprocess.PIPE,
                         text=True, check=False)
    if run.returncode != 1:
        problem("%s: exit status %d where 1 is due", program, run.returncode)
    answers = {answer["path"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    for row, path in zip(rows, paths):
        answer = answers.get(path)
        if answer is None:
            problem("%s: the program does not say anything", row["file"])
            continue
        want = [row["verdict"], row["rule"] if row["verdict"] == "invalid" else "", row["offset"]]
        got = [answer["verdict"], answer.get("rule"), answer.get("offset")]
        if want != ["" if cell is None else str(cell) for cell in got]:
            problem("%s: the manifest has %s, the program reports %s", row["file"], want, got)


def check_coverage(rows, options):
    """Check that every rule, status and row of the which-byte table has a file, and a hand-made one."""
    rules, statuses = read_table("spec/rules.tsv"), read_table("spec/statuses.tsv")
    hand = [row for row in rows if row["row"]]
    by_rule, by_row = {row["rule"] for row in hand}, {(row["row"], row["rule"]) for row in hand}
    for rule in rules:
        if rule["id"] not in by_rule:
            problem("rule %s has no hand-made file", rule["id"])
    for place in read_table("spec/bytes.tsv"):
        rule_there = [rule for row, rule in by_row if row == place["row"]]
        if not rule_there:
            problem("row %s of the which-byte table has no file", place["row"])
        mixed = place["situation"].startswith(("Several", "A fault", "Overlaps"))
        if not mixed and set(rule_there) - {place["rule"]}:
            problem("row %s is about %s, its files about %s", place["row"], place["rule"],
                    sorted(set(rule_there)))
    for status in statuses:  # no file by itself causes workspace
        if status["name"] not in {"workspace"} | {row["name"] for row in options}:
            problem("status %s has no row in options.tsv", status["id"])


def check_cases(rows):
    """Check that the cases that were tried on the reference keep its verdict and ours."""
    by_file = {os.path.basename(row["file"]): row for row in rows}
    for case in read_table("corpus/cases.tsv"):
        row = by_file.get("case-%s.safetensors" % case["id"])
        if row is None or row["reference_verdict"] != case["reference"] or row["name"] != case["name"]:
            problem("case %s is not in the manifest as it is in cases.tsv", case["id"])


def check_origins(rows):
    """Check that every file has an origin that is explained, every origin has a file, and nothing is measured for
    missing files."""
    origins, by_file = read_table("corpus/origins.tsv"), {row["file"] for row in rows}
    known, used = {row["origin"] for row in origins}, {row["origin"] for row in rows} | {"large"}
    for row in rows:
        if row["origin"] not in known:
            problem("%s: there is no origin '%s'", row["file"], row["origin"])
    for row in origins:
        if row["origin"] not in used:
            problem("origin %s has no file", row["origin"])
        if row["kind"] not in ("class", "report", "boundary", "rule", "fuzzer", "file") or \
                row["kind"] in ("class", "report") and not row["threads"]:
            problem("origin %s: a %s names a thread", row["origin"], row["kind"])
    for row in read_table("corpus/measured.tsv"):
        if row["file"] not in by_file:
            problem("corpus/measured.tsv: %s is no file", row["file"])


def read_decisions():
    """Return {id: (rules, file)} from the table of spec/decisions.md."""
    found = {}
    with open(os.path.join(ROOT, "spec", "decisions.md"), encoding="utf-8") as f:
        for line in f:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 3 and re.fullmatch(r"D[0-9]+", cells[1]):
                found[cells[1]] = (re.findall(r"[FHG][0-9]+", cells[2]), cells[-2].strip("`"))
    return found


def check_decisions(rows):
    """Check that each file that the reference accepts and assay does not has a decision that names the rule."""
    decisions, by_file = read_decisions(), {row["file"]: row for row in rows}
    for row in rows:
        stricter = row["reference_verdict"] == "accept" and row["verdict"] == "invalid"
        if stricter != bool(row["decision"]):
            problem("%s: the reference reports %s, the decision is '%s'", row["file"], row["reference_verdict"],
                    row["decision"])
        elif stricter and row["rule"] not in decisions.get(row["decision"], ([], ""))[0]:
            problem("%s: decision %s does not speak of rule %s", row["file"], row["decision"], row["rule"])
        if row["verdict"] == "valid" and row["reference_verdict"] != "accept":
            problem("%s: valid, but the reference reports %s", row["file"], row["reference_verdict"])
    for name, (rules, file) in decisions.items():
        row = by_file.get(file)
        if row is None or row["decision"] != name or row["rule"] not in rules:
            problem("decision %s: %s is not a file of the manifest that shows it", name, file)
    for rule in read_table("spec/rules.tsv"):
        for name in re.findall(r"D[0-9]+", rule["reference"]):
            if rule["id"] not in decisions.get(name, ([], ""))[0]:
                problem("rule %s refers to decision %s, which does not speak of it", rule["id"], name)


def check_made():
    for script in ("corpus/make.py", "spec/generate.py"):
        if subprocess.run([sys.executable, os.path.join(ROOT, script), "--check"],
                          check=False).returncode != 0:
            problem("%s --check failed", script)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--core")
    parser.add_argument("--hex", action="store_true")
    args = parser.parse_args()
    rows, options = read_table("corpus/manifest.tsv"), read_table("corpus/options.tsv")
    if args.hex:
        print("\n".join(questions(rows + options)))
        return 0
    if args.program:
        check_program(rows, args.program)
    elif args.core:
        check_core(rows + options, args.core)
    else:
        check_model(rows + options)
        check_coverage(rows, options)
        check_cases(rows)
        check_origins(rows)
        check_decisions(rows)
        check_made()
    for text in problems:
        print("tests/conformance/manifest.py: " + text, file=sys.stderr)
    print("%d files, %d with options: %s" %
          (len(rows), len(options), "%d problems" % len(problems) if problems else "ok"))
    print("%d passed, %d failed" % (max(0, len(rows) + len(options) - len(problems)), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
