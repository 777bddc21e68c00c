#!/usr/bin/env python3
"""Check that the core keeps to its subset of C: the list of bans below, and proofs/tokens.py. Each finding is one
line. Check that each loop of the core counts its iterations, on which theorem T11 rests. Also check the size limits of
all code: lines of at most COLUMNS, functions and files of src.

    tests/core/subset.py [ROOT]    ROOT: another tree to check
"""
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "proofs"))
import tokens  # noqa: E402

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", ".."))
WORDS = {
    "no allocation": "malloc calloc realloc free alloca",
    "no jump that is not structured": "goto setjmp longjmp",
    "no object with two meanings": "union",
    "no numbers but unsigned ones of a stated width": "char short long signed unsigned float double __int128 "
                                                     "int8_t int16_t int32_t int64_t intptr_t uintptr_t ptrdiff_t",
    "nothing that the prover does not see": "asm __asm__ volatile register extern _Generic _Atomic restrict "
                                            "__builtin_expect",
    "no arithmetic on the width of the machine": "size_t",
}
# What the compilers themselves can find.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wvla", "-Walloca",
            "-Wcast-qual", "-Wcast-align=strict", "-Wpointer-arith", "-Wmissing-prototypes", "-Wstrict-prototypes",
            "-Wundef", "-Wswitch-enum", "-Wimplicit-fallthrough=5", "-Wwrite-strings",
            "-Wunused-macros",
            "-Werror"]
UNITS = ["src/core/assay.c", "src/core_text/assay_text.c", "src/core_write/assay_write.c"]
FUNCTION_LINES, CORE_LINES, COLUMNS = 40, 1770, 120
FILE_LINES, PROGRAM_FILE_LINES = 400, 600  # of the core, whose files are proved one by one; of the program
# Made from spec/*.tsv; and the contracts of public functions, which declare again what include/ declares.
TABLES = ["src/core/words.h", "src/core/dtypes.c", "src/core/dtypes.h", "src/core/contracts.h",
          "src/core/text_contracts.h", "src/core/write_contracts.h"]
TEXT = ["include/assay_text.h", "include/assay_flat.h", "src/core/text_contracts.h", "src/core_text/assay_text.c",
        "src/core_text/code_words.h"]
TEXT_WORDS = {"char"}  # a unit that writes text may use this word
MADE = ["src/cli/rules_table.c", "src/core_text/code_words.h",
        "src/core_write/write_words.h"]  # generated, and may be long
PROGRAM = ["src/base", "src/host", "src/model", "src/notes", "src/modelspec", "src/edit", "src/remote", "src/cli"]
CODE = ["src", "include", "tests", "assurance", "fuzz", "examples"]
TIES = re.compile(r"#(include\b|endif|ifndef \w+_H$|define \w+_H$)")
findings = []


def find(path, line, text):
    findings.append("%s:%d: %s" % (path, line, text))


def code_of(text):
    """Return the text without comments and string literals, keeping lines."""
    out, at = [], 0
    for token in tokens.lex(text):
        if token.kind in ("comment", "string", "char"):
            out += [text[at:token.begin], re.sub(r"[^\n]", " ", text[token.begin:token.end])]
            at = token.end
    return "".join(out) + text[at:]


def without_annotations(text):
    """Return the lines of the text; None for a line that contains only annotations."""
    marked = re.sub(r"/\*@.*?\*/|//@[^\n]*", lambda m: re.sub(r"[^\n]", "\0", m.group(0)), text, flags=re.S)
    return [None if "\0" in line and not line.strip(" \0") else line for line in marked.splitlines()]


COUNTERS = {"assay_work": "assay_spend", "assay_passes": "assay_pass"}
SPEND = "//@ ghost assay_spend();"  # in each iteration of each loop (proofs/lemmas/work_counter.h)


def after(words, at, opening, closing):
    """Return the index after the bracket that closes the one at words[at]; None if words[at] is none."""
    if at >= len(words) or words[at].text != opening:
        return None
    depth = 0
    while at < len(words):
        depth += (words[at].text == opening) - (words[at].text == closing)
        at += 1
        if depth == 0:
            break
    return at


def loop_bodies(words):
    """Yield (line, first token in the body, or None if the body has no braces) for every loop; words: tokens of C and
    annotations."""
    tails = set()  # `while` after the body of a `do`
    for at, word in enumerate(words):
        if word.text not in ("do", "while", "for") or at in tails:
            continue
        body = at + 1 if word.text == "do" else after(words, at + 1, "(", ")")
        end = after(words, body, "{", "}")
        if word.text == "do" and end is not None:
            tails.add(end)
            if [w.text for w in words[end:end + 4]] == ["while", "(", "0", ")"]:
                continue  # a macro that is one statement
        yield word.number, words[body + 1] if end is not None else None


def check_loops(path, text):
    """Check that the first statement of each loop counts the iteration, and that nothing else does. Return the number
    of loops."""
    words = [t for t in tokens.lex(text) if t.kind != "line" and (t.kind != "comment" or tokens.is_annotation(t))]
    bodies = list(loop_bodies(words))
    for number, first in bodies:
        if first is None or first.text != SPEND:
            find(path, number, "a loop that does not begin with " + SPEND)
    ghost = [t.text for a in words if tokens.is_annotation(a) and re.match(r"/[/*]@\s*ghost\b", a.text)
             for t in tokens.inner(a)]
    if ghost.count("assay_spend") != len(bodies):
        find(path, 1, "assay_spend: only the first statement of a loop may call it")
    for counter, function in COUNTERS.items():
        if counter in ghost:
            find(path, 1, "%s: only %s may change it" % (counter, function))
    return len(bodies)


LINKAGE = ("#ifdef __cplusplus\nextern \"C\" {\n#endif\n", "#ifdef __cplusplus\n}\n#endif\n")


def without_linkage(text):
    """Return the text without the two exact blocks for C++ linkage, keeping lines."""
    for block in LINKAGE:
        text = text.replace(block, "\n" * block.count("\n"), 1)
    return text


def check_words(path, code):
    banned = {word: reason for reason, words in WORDS.items() for word in words.split()
              if path not in TEXT or word not in TEXT_WORDS}
    for number, line in enumerate(code.splitlines(), 1):
        for word in re.findall(r"\b[A-Za-z_]\w*\b", line):
            if word in banned:
                find(path, number, "%s: %s" % (word, banned[word]))
        if path not in TEXT and re.search(r"\bint\b", line) \
                and not re.match(r"(static )?int \w+\(|\s+int \w+ = \w+\(", line):
            find(path, number, "int: only as the result of a comparison")
        if re.match(r"\s+static\b", line):
            find(path, number, "static inside a function")
        if re.match(r"\w", line) and re.search(r"=|^[^(]*\w+(\[\w*\])?;", line) \
                and not re.match(r"#|typedef|enum|struct", line) and "(" not in line \
                and not re.search(r"\bconst\b", line) and line.rstrip().endswith((";", "{")):
            find(path, number, "an object that may change at file scope")
        if re.search(r"\(\s*(const\s+)?\w+\s*(const\s*)?\*[\s*]*\)", line):
            find(path, number, "a cast between pointers")
        if re.search(r"\(\s*\*\s*\w+\s*\)\s*\(", line):
            find(path, number, "a pointer to a function")
        for operand in re.findall(r"[/%]=?\s*([^\s;]+)", line if not line.lstrip().startswith("#include") else ""):
            if not re.match(r"\(?\(?([0-9]|[A-Z][A-Z0-9_]*\b|UINT64_C)", operand):
                find(path, number, "division by a variable: " + operand)


def check_columns(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > COLUMNS:
            find(path, number, "%d columns" % len(line))


def check_sizes(path, text, code):
    """Check the length of functions and of the file, without annotations. Return the number of lines of C, not
    counting braces, includes and guards."""
    lines, start, bare = code.splitlines(), None, without_annotations(text)
    for number, line in enumerate(lines, 1):
        if line == "{" or re.match(r"\w.*\)\s*\{$", line):
            start = number
        elif line == "}" and start is not None:
            size = sum(1 for line in bare[start - 1:number] if line is not None)
            if size > FUNCTION_LINES and path not in MADE:
                find(path, start, "a function of %d lines" % size)
            start = None
    size = sum(1 for line in bare if line is not None)
    most = PROGRAM_FILE_LINES if os.path.dirname(path) in PROGRAM else FILE_LINES
    if size > most and path not in MADE:
        find(path, 1, "a file of %d lines" % size)
    return sum(1 for line in lines if line.strip(" {};") and not TIES.match(line))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def check_measures():
    """Check the lines of all code, and the functions and files of the program. Return the number of files."""
    paths = [os.path.relpath(path, ROOT) for part in CODE
             for path in sorted(glob.glob(os.path.join(ROOT, part, "**", "*.*"), recursive=True))]
    paths = [path for path in paths if path.endswith((".c", ".h", ".py", ".sh"))]
    for path in paths:
        text = read(path)
        check_columns(path, text)
        if os.path.dirname(path) in PROGRAM:
            check_sizes(path, text, code_of(text))
    return len(paths)


def check_lemmas():
    """Check that no lemma but assay_spend changes the counter of the work."""
    for name in sorted(glob.glob(ROOT + "/proofs/lemmas/*.[ch]")):
        path = os.path.relpath(name, ROOT)
        for counter, function in COUNTERS.items() if not path.startswith("proofs/lemmas/work_counter.") else ():
            if re.search(r"\b(%s|%s)\b" % (counter, function), read(path)):
                find(path, 1, "%s: only %s may change it" % (counter, function))


def compile_core(compiler, more, name, unit="src/core/assay.c"):
    out = os.path.join(ROOT, "build", "subset")
    os.makedirs(out, exist_ok=True)
    done = subprocess.run([compiler, "-std=c11", "-ffreestanding", "-Iinclude", "-Isrc/core", "-Ispec", "-c", "-o",
                           os.path.join(out, name + ".o")] + more + [unit], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    if done.returncode != 0:
        findings.append("%s:\n%s" % (compiler, done.stdout))
    return os.path.join(out, name)


def check_calls():
    """Check that there is no recursion and no call through a pointer, with gcc's call graph of the unoptimized
    code."""
    edges = []
    for unit in UNITS:
        with open(compile_core("gcc", ["-O0", "-fcallgraph-info"], "calls", unit) + ".ci", encoding="utf-8") as f:
            edges += re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', f.read())
    calls = {}
    for source, target in edges:
        calls.setdefault(source, set()).add(target)
        if "__indirect_call" in target:
            findings.append("%s calls through a pointer" % source)
    below = {name: set(targets) for name, targets in calls.items()}
    for _ in below:
        below = {name: seen.union(*(below.get(t, set()) for t in seen)) for name, seen in below.items()}
    findings.extend("%s is recursive" % name for name in sorted(below) if name in below[name])
    return len(edges)


def main():
    total, loops, files = 0, 0, sorted(glob.glob(ROOT + "/src/core*/*.[ch]") + glob.glob(ROOT + "/include/*.h"))
    for name in files:
        path = os.path.relpath(name, ROOT)
        with open(name, encoding="latin-1") as f:  # tokens.py refuses bytes that are not ASCII
            text = without_linkage(f.read())
        code = code_of(text)
        findings.extend(tokens.refused(path, ROOT))
        check_words(path, code)
        lines = check_sizes(path, text, code)
        if path.startswith("src/core/"):
            loops += check_loops(path, text)
            total += lines if path not in TABLES else 0
    if total > CORE_LINES:
        findings.append("the core has %d lines of C, more than %d" % (total, CORE_LINES))
    check_lemmas()
    for unit in UNITS:
        compile_core("gcc", WARNINGS, "gcc", unit)
        clang = [w for w in WARNINGS if w != "-Wimplicit-fallthrough=5" and "strict" not in w]
        compile_core("clang", clang, "clang", unit)
    edges, measured = check_calls(), check_measures()
    for text in findings:
        print(text)
    print("%d files, %d lines of C in the core without its tables, %d calls" % (len(files), total, edges))
    print("%d loops of the core count their iterations" % loops)
    print("%d files with their measures" % measured)
    print("%d passed, %d failed" % (len(files), len(findings)))
    return 1 if findings or edges == 0 or measured < 200 or loops < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
