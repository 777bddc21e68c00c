#!/usr/bin/env python3
"""Run other tools on every file of the corpus, and write the table of README.md.

    bench/scanners.py             run all, write bench/scanners.tsv and the table of README.md (`make bench-scanners`)
    bench/scanners.py --check     compare the table of README.md with bench/scanners.tsv; run nothing
    bench/scanners.py --ask NAME  internal: run one tool, print a line a file

Each tool is installed from bench/scanners/requirements.txt into build/scanners and called through its Python interface,
with its defaults. Its answer for a file is one of:

    passed    it found nothing to report
    reported  it found something, or refused to load the file
    skipped   it did not look at the file
    error     it ended with an error instead of an answer
"""
import argparse
import collections
import csv
import hashlib
import logging
import os
import re
import subprocess
import sys
import time
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(ROOT, "corpus")
LOCK = os.path.join(ROOT, "bench", "scanners", "requirements.txt")
TABLE = os.path.join(ROOT, "bench", "scanners.tsv")
ANSWERS = ["passed", "reported", "skipped", "error"]
MARKS = "<!-- scanners -->", "<!-- /scanners -->"


def manifest():
    with open(os.path.join(CORPUS, "manifest.tsv"), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def digest():
    with open(os.path.join(CORPUS, "manifest.tsv"), "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:12]


# ---- The tools: each function returns the function that judges a file ------------------------------------------------

def modelscan():
    from modelscan.modelscan import ModelScan

    def ask(path):
        result = ModelScan().scan(path)
        if result["issues"] or result["errors"]:
            return "reported"
        return "skipped" if result["summary"]["skipped"]["total_skipped"] else "passed"
    return ask


def picklescan():
    from picklescan.scanner import scan_file_path

    def ask(path):
        result = scan_file_path(path)
        if result.infected_files or result.issues_count:
            return "reported"
        return "error" if result.scan_err else "passed"
    return ask


def modelaudit():
    from modelaudit.core import determine_exit_code, scan_model_directory_or_file
    return lambda path: {0: "passed", 1: "reported", 2: "error"}[determine_exit_code(scan_model_directory_or_file(path))]


def modelvet():
    import modelvet as tool

    def ask(path):
        with open(path, "rb") as f:
            return "passed" if tool.verify_safetensors(f.read()).accepted else "reported"
    return ask


def safetensors():
    from safetensors import SafetensorError, safe_open

    def ask(path):
        try:
            with safe_open(path, "numpy") as file:
                file.keys()
            return "passed"
        except SafetensorError:
            return "reported"
    return ask


def assay():
    program = os.path.join(ROOT, "build", "assay")

    def ask(path):
        status = subprocess.run([program, "check", "-q", path], check=False, stderr=subprocess.DEVNULL).returncode
        return {0: "passed", 1: "reported"}.get(status, "error")
    return ask


TOOLS = [modelscan, picklescan, modelaudit, modelvet, safetensors, assay]


def ask_all(tool):
    """In a process of its own: one line for each file of the corpus."""
    logging.disable(logging.CRITICAL)
    ask = tool()
    for row in manifest():
        try:
            answer = ask(os.path.join(CORPUS, row["file"]))
        except Exception:  # whatever a tool raises is not an answer
            answer = "error"
        print("ANSWER\t%s\t%s" % (row["file"], answer), flush=True)


# ---- Asking them -----------------------------------------------------------------------------------------------------

def install():
    """The tools in a virtual environment whose name is the digest of the lock file; its Python."""
    with open(LOCK, "rb") as f:
        where = os.path.join(ROOT, "build", "scanners", hashlib.sha256(f.read()).hexdigest()[:12])
    python, done = os.path.join(where, "bin", "python"), os.path.join(where, "complete")
    if not os.path.exists(done):
        venv.create(where, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
        with open(LOCK, encoding="utf-8") as f:
            rows = re.findall(r"^[\w.-]+==.*\\\n.*\n", f.read(), re.M)
        for name, chosen in (("wheels", [r for r in rows if not r.startswith("modelvet==")]),
                             ("source", [r for r in rows if r.startswith("modelvet==")])):
            part = os.path.join(where, name + ".txt")
            with open(part, "w", encoding="utf-8") as f:
                f.writelines(chosen)
            subprocess.run(pip + (["--no-build-isolation"] if name == "source" else []) + ["-r", part], check=True)
        with open(done, "w", encoding="ascii"):
            pass
    return python


def version(tool):
    if tool is assay:
        return "this tree"
    with open(LOCK, encoding="utf-8") as f:
        return re.search(r"^%s==(\S+)" % tool.__name__, f.read(), re.M).group(1)


def measure(python, tool):
    """A row of bench/scanners.tsv."""
    # They are not to report home what they are asked here.
    quiet = dict(os.environ, PROMPTFOO_DISABLE_TELEMETRY="1", NO_ANALYTICS="1", DO_NOT_TRACK="1", CI="1")
    began = time.time()
    out = subprocess.run([sys.executable if tool is assay else python, __file__, "--ask", tool.__name__], env=quiet,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False,
                         cwd=os.path.join(ROOT, "build")).stdout
    answers = dict(line.split("\t")[1:] for line in out.splitlines() if line.startswith("ANSWER\t"))
    count = collections.Counter((row["verdict"], answers.get(row["file"], "error")) for row in manifest())
    print("%-12s %4d files in %.0f s" % (tool.__name__, len(answers), time.time() - began), flush=True)
    row = {"tool": tool.__name__, "version": version(tool), "corpus": digest()}
    row.update({"%s_%s" % key: count[key] for key in ((v, a) for v in ("invalid", "valid") for a in ANSWERS)})
    return row


def write(rows):
    with open(TABLE, "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, list(rows[0]), delimiter="\t", lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def read():
    with open(TABLE, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t"))


# ---- The table in README.md ------------------------------------------------------------------------------------------

WHAT = {
    "modelscan": "unsafe code in pickles, Keras, SavedModel; skips `.safetensors`",
    "picklescan": "unsafe imports in pickles",
    "modelaudit": "many formats, by heuristics",
    "modelvet": "structure of safetensors and GGUF; not proved, at most 8,192 tensors",
    "safetensors": "the official package: loads files",
    "assay": "structure of safetensors, proved; models with an index; files on servers",
}


def table(rows):
    invalid = sum(int(rows[0]["invalid_" + answer]) for answer in ANSWERS)
    valid = sum(int(rows[0]["valid_" + answer]) for answer in ANSWERS)
    lines = ["| tool | looks for | passes, of %s invalid files | flags, of %d valid files |"
             % (format(invalid, ","), valid), "| --- | --- | ---: | ---: |"]
    for row in rows:
        passes = int(row["invalid_passed"]) + int(row["invalid_skipped"])
        objects = int(row["valid_reported"]) + int(row["valid_error"])
        name = row["tool"] if row["tool"] == "assay" else "%s %s" % (row["tool"], row["version"])
        lines.append("| %s | %s | %s | %d |" % (name, WHAT[row["tool"]], format(passes, ","), objects))
    return "\n".join(lines) + "\n"


def readme():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        return f.read()


def with_table(text, rows):
    begin, end = (text.index(mark) for mark in MARKS)
    return text[:begin] + MARKS[0] + "\n" + table(rows) + text[end:]


def stands():
    """Faults of what is committed."""
    rows, out = read(), []
    if {row["corpus"] for row in rows} != {digest()}:
        out.append("bench/scanners.tsv is of another corpus: make bench-scanners")
    if readme() != with_table(readme(), rows):
        out.append("README.md does not hold the table of bench/scanners.tsv: make bench-scanners")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--ask", metavar="NAME")
    args = parser.parse_args()
    if args.ask:
        ask_all({tool.__name__: tool for tool in TOOLS}[args.ask])
        return 0
    if not args.check:
        rows = [measure(python, tool) for python in [install()] for tool in TOOLS]
        write(rows)
        text = with_table(readme(), rows)
        with open(os.path.join(ROOT, "README.md"), "w", encoding="utf-8") as f:
            f.write(text)
    faults = stands()
    for fault in faults:
        print("FAILED:", fault)
    print("%d passed, %d failed" % (2 - len(faults), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
