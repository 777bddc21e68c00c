#!/usr/bin/env python3
"""Check that user-facing text uses the words of the project. Each pattern of words.tsv is a word to avoid, as far
as it can be found without understanding the sentence. words_guarded.txt lists the texts that were rewritten and
must stay free of them.

    tests/docs/words.py            the texts of words_guarded.txt, in which no line may match
    tests/docs/words.py --all      all user-facing texts: what is left to rewrite

A text is a file. `help` means --help of the program and of its commands. Of a C file only the strings count. In
Markdown, code between backticks, code blocks and the addresses of links do not count.
"""
import csv
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "docs")
USER_FACING = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "man/assay.1", "spec/help.tsv",
               "src/cli/*.c", "*/README.md", "help"]
STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
NOT_PROSE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)\n]*\)|^    .*$|https?://\S+", re.S | re.M)


def patterns():
    with open(os.path.join(HERE, "words.tsv"), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(re.compile(row["pattern"], re.I), row) for row in rows]


def guarded():
    with open(os.path.join(HERE, "words_guarded.txt"), encoding="utf-8") as f:
        return [line.strip() for line in f if line.strip() and not line.startswith("#")]


def blank(match):
    """Return spaces in place of a match, keeping lines."""
    return re.sub(r"[^\n]", " ", match.group(0))


def strings_alone(match):
    return match.group(1) if match.group(1) is not None else blank(match)


def text_of(name):
    """Return what a user reads of this text, with its line numbers."""
    if name == "help":
        program = os.path.join(ROOT, "build", "assay")
        commands = ([], ["check"], ["ls"], ["meta"], ["modelspec"], ["rules"])
        calls = [[program, *command, "--help"] for command in commands]
        return "".join(subprocess.run(call, stdout=subprocess.PIPE, check=True, text=True).stdout for call in calls)
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        text = f.read()
    if name.endswith(".c"):
        out, last = [], 0
        for match in STRING.finditer(text):
            out += [re.sub(r"[^\n]", " ", text[last:match.start()]), strings_alone(match)]
            last = match.end()
        return "".join(out)
    return NOT_PROSE.sub(blank, text) if name.endswith(".md") else text


def faults(name):
    """Yield (line, what was found, what to write instead)."""
    text = text_of(name)
    for pattern, row in patterns():
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match.group(0).split()), row["instead"]


def main(args):
    names = guarded()
    if args == ["--all"]:
        names = [name for each in USER_FACING for name in (["help"] if each == "help" else sorted(
            os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, each))))]
    failed = 0
    for name in dict.fromkeys(names):
        found = sorted(faults(name))
        failed += bool(found)
        for line, word, instead in found:
            print("FAILED: %s:%d: \"%s\": write: %s" % (name, line, word, instead))
    print("%d passed, %d failed" % (len(names) - failed, failed))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
