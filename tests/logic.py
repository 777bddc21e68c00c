#!/usr/bin/env python3
"""Does the specification in logic (spec/file.acsl and what it includes) say what spec/model.py says?

    tests/logic.py [COUNT [SEED]]    the corpus, COUNT generated files (8,000), a quarter as many with limits
    tests/logic.py FILE...           the verdict of the logic on these files

The definitions are translated into Python as they stand and `verdict` is evaluated: the rule or status and
the offset must be the model's. On the way it is checked that nothing outside of the head is read, that / and
% have no negative operand, that every recursive function names a measure, and that at each of its recursive
calls the measure falls and is not negative. At the end, of each `? :` (but those inside an operand) both
sides must have been taken, bar those that no file can take.
"""
import csv
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "spec")]
import generate_cases  # noqa: E402
import model  # noqa: E402

START = "file.acsl"
LARGE = 65536  # bytes of head: larger files of the corpus are left out
LIMITS = ("max_header", "max_tensors", "max_rank", "max_name", "max_metadata")
NOT_LOGIC = ("usage", "workspace", "seed")  # statuses that are no matter of the bytes
# How many sides of conditions only make a definition total: what is judged before keeps every file
# from them.
TOTALITY = {"dtype_of": 1, "dtype_bits": 1, "same_text": 2, "packed_text": 1, "member_from": 1, "pair_end": 1,
            "metadata_from": 1, "key_repeats": 1, "key_twice": 1, "name_repeats": 1, "name_twice": 1,
            "largest_end": 1, "rank_above": 1, "lies_inside": 1}


# ---- Reading the definitions ---------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+)|(?P<char>'(?:\\.|[^\\'])')"
                   r"|(?P<name>\\?[A-Za-z_]\w*)|(?P<op>&&|\|\||[=!<>]=|[-+*/%<>?:()\[\],;={}]))")
DEFINITION = re.compile(r"\blogic\s+integer\s+(\w+)\s*(?:\{L\})?\s*(?:\(([^)]*)\))?\s*=", re.S)
LEVELS = [("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%")]
PYTHON = {"||": "or", "&&": "and"}


class Definition:
    def __init__(self, name, params, body, measure):
        self.name, self.params, self.body, self.measure = name, params, body, measure


def annotations(path, seen):
    """What stands in /*@ ... */ of a file and, before it, of those that it includes."""
    if path in seen:
        return ""
    seen.add(path)
    with open(os.path.join(ROOT, "spec", path), encoding="utf-8") as f:
        text = f.read()
    out = "".join(annotations(name, seen) for name in re.findall(r'^#include "(\w+\.acsl)"$', text, re.M))
    return out + "\n".join(re.findall(r"/\*@(.*?)\*/", text, re.S)) + "\n"


def definitions():
    text = annotations(START, set())
    out, at = [], 0
    for match in DEFINITION.finditer(text):
        comments = re.findall(r"^//(.*)$", text[at:match.start()], re.M)
        measure = re.search(r"Measure: (.*)$", " ".join(comments))
        at = text.index(";", match.end())
        body = Parser(re.sub(r"//[^\n]*", "", text[match.end():]))
        tree = body.expression()
        body.take(";")
        params = [p.split()[-1].lstrip("*") for p in (match.group(2) or "").split(",") if p]
        measure = Parser(measure.group(1)).expression() if measure else None
        out.append(Definition(match.group(1), params, tree, measure))
    text = re.sub(r"//[^\n]*", "", text)
    count = len(re.findall(r"\blogic\b|\baxiom|\blemma\b|\bpredicate\b|\binductive\b", text))
    if count != len(out):
        raise SystemExit("%d definitions are read, %d stand there" % (len(out), count))
    return out


class Parser:
    """Trees: ("number", n), ("name", x), ("call", f, args), ("read", x, index), ("if", c, a, b),
    ("let", x, e, body), ("chain", [operand, operator, operand ...]) for comparisons, (operator, a, b),
    ("minus", a)."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return (match.lastgroup, match.group(match.lastgroup), match.end()) if match else ("end", "", self.at)

    def take(self, wanted=None):
        kind, text, end = self.peek()
        if wanted is not None and text != wanted or kind == "end":
            raise SystemExit("%s wanted at: %s" % (wanted, self.text[self.at:self.at + 60]))
        self.at = end
        return kind, text

    def found(self, text):
        if self.peek()[1] == text:
            self.take()
            return True
        return False

    def expression(self):
        if self.found("\\let"):
            name = self.take()[1]
            self.take("=")
            value = self.expression()
            self.take(";")
            return "let", name, value, self.expression()
        tree = self.binary(0)
        if self.found("?"):
            first = self.expression()
            self.take(":")
            return "if", tree, first, self.expression()
        return tree

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        tree = self.binary(level + 1)
        if level == 2:
            chain = [tree]
            while self.peek()[1] in LEVELS[2]:
                chain += [self.take()[1], self.binary(3)]
            return ("chain", chain) if len(chain) > 1 else tree
        while self.peek()[1] in LEVELS[level]:
            tree = self.take()[1], tree, self.binary(level + 1)
        return tree

    def unary(self):
        if self.found("-"):
            return "minus", self.unary()
        if self.found("("):
            tree = self.expression()
            self.take(")")
            return tree
        kind, text = self.take()
        if kind == "number":
            return "number", int(text, 0)
        if kind == "char":
            if text[1] == "\\" and text[2] not in "\\'\"":
                raise SystemExit("not understood: " + text)
            return "number", ord(text[-2])
        if kind != "name":
            raise SystemExit("not understood: " + text)
        if self.found("("):
            args = [self.expression()]
            while self.found(","):
                args.append(self.expression())
            self.take(")")
            return "call", text, args
        if self.found("["):
            index = self.expression()
            self.take("]")
            return "read", text, index
        return "name", text


# ---- Into Python ---------------------------------------------------------------------------------------

class Fault(Exception):
    """A definition is not total, or reads what is not there."""


def read(b, at):
    if not 0 <= at < len(b):
        raise Fault("read at %d of %d" % (at, len(b)))
    return b[at]


def divide(a, b):
    if a < 0 or b <= 0:
        raise Fault("%d / %d" % (a, b))
    return a // b


def remainder(a, b):
    if a < 0 or b <= 0:
        raise Fault("%d %% %d" % (a, b))
    return a % b


def falls(name, old, new):
    if not 0 <= new < old:
        raise Fault("the measure of %s goes from %d to %d" % (name, old, new))


class Translator:
    """The source of one definition: a call of itself at the end of it becomes a round of a loop."""

    def __init__(self, definition, known):
        self.d, self.known = definition, known
        self.names, self.lines, self.recursive = set(definition.params), [], False

    def source(self):
        self.statement(self.d.body, 2)
        if self.recursive and self.d.measure is None:
            raise SystemExit(self.d.name + " names no measure")
        head = "def %s(%s):" % (self.d.name, ", ".join(self.d.params))
        return "\n".join([head, "    while True:"] + self.lines) + "\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def statement(self, tree, depth):
        if tree[0] == "let":
            self.line(depth, "%s = %s" % (tree[1], self.term(tree[2])))
            self.names.add(tree[1])
            self.statement(tree[3], depth)
        elif tree[0] == "if":
            condition = self.term(tree[1])
            for head, side, branch in (("if %s:" % condition, "is", tree[2]), ("else:", "is not", tree[3])):
                self.line(depth, head)
                self.line(depth + 1, "taken.add(%d)" % len(sides))
                sides.append("%s, where it %s so that %s" % (self.d.name, side, condition))
                self.statement(branch, depth + 1)
        elif tree[0] == "call" and tree[1] == self.d.name:
            self.line(depth, self.falls(tree[2]))
            self.line(depth, "%s = %s" % (", ".join(self.d.params), ", ".join(map(self.term, tree[2]))))
            self.line(depth, "continue")
        else:
            self.line(depth, "return " + self.term(tree))

    def falls(self, args):
        self.recursive = True
        if self.d.measure is None:
            raise SystemExit(self.d.name + " names no measure")
        after = self.term(self.d.measure, dict(zip(self.d.params, map(self.term, args))))
        return "falls(%r, %s, %s)" % (self.d.name, self.term(self.d.measure), after)

    def term(self, tree, instead=None):
        kind = tree[0]
        if kind == "number":
            return str(tree[1])
        if kind == "minus":
            return "(-%s)" % self.term(tree[1], instead)
        if kind == "name":
            if tree[1] not in self.names and tree[1] not in self.known:
                raise SystemExit("%s: no %s before it" % (self.d.name, tree[1]))
            return "(%s)" % instead[tree[1]] if instead and tree[1] in instead else \
                tree[1]
        if kind == "read":
            return "read(%s, %s)" % (tree[1], self.term(tree[2], instead))
        if kind == "if":
            return "(%s if %s else %s)" % tuple(self.term(tree[k], instead) for k in (2, 1, 3))
        if kind == "chain":
            return "(%s)" % " ".join(p if isinstance(p, str) else self.term(p, instead) for p in tree[1])
        if kind == "call":
            call = "%s(%s)" % (tree[1], ", ".join(self.term(arg, instead) for arg in tree[2]))
            if tree[1] == self.d.name:
                return "(%s, %s)[1]" % (self.falls(tree[2]), call)
            if self.known.get(tree[1]) != len(tree[2]):
                raise SystemExit("%s: no %s of %d arguments before it" % (self.d.name, tree[1], len(tree[2])))
            return call
        if kind in ("/", "%"):
            return "%s(%s, %s)" % ("divide" if kind == "/" else "remainder", self.term(tree[1], instead),
                                   self.term(tree[2], instead))
        if kind not in ("||", "&&", "+", "-", "*"):
            raise SystemExit("%s: %s inside an expression" % (self.d.name, kind))
        left, right = self.term(tree[1], instead), self.term(tree[2], instead)
        return "(%s %s %s)" % (left, PYTHON.get(kind, kind), right)


def remembered(function):
    """Results are kept until the next file: the bytes are the same."""
    def call(b, *args):
        if args not in kept:
            kept[args] = function(b, *args)
        return kept[args]
    kept = {}
    caches.append(kept)
    return call


sides, taken, caches = [], set(), []


def load():
    """The definitions as Python functions."""
    known, slow = {}, set()
    space = {"read": read, "divide": divide, "remainder": remainder, "falls": falls, "taken": taken}
    for d in definitions():
        if d.name in known:
            raise SystemExit("twice: " + d.name)
        translator = Translator(d, known)
        source = translator.source()
        exec(compile(source, d.name, "exec"), space)  # pylint: disable=exec-used
        if not d.params:
            space[d.name] = space[d.name]()
        calls = set(re.findall(r"(\w+)\(", source))
        if translator.recursive or calls & slow:
            slow.add(d.name)
        if d.name in slow:
            space[d.name] = remembered(space[d.name])
        known[d.name] = len(d.params)
    return space, known


# ---- Comparing -----------------------------------------------------------------------------------------

def verdict(space, data, file_size, options):
    """(code, offset or None) by the logic. It is not shown what lies behind 8 + N."""
    for kept in caches:
        kept.clear()
    head = data[:8 + int.from_bytes(data[:8], "little")]
    number = space["verdict"](head, len(data), file_size, *(options[name] for name in LIMITS))
    code, offset = divmod(number, 1 << 64)
    return code, None if code == 0 or offset == model.MAX_U64 else offset


def rows(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        yield from csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)


def corpus():
    """(name, data, file size, options, wanted code and offset): the manifest, then the rows with options."""
    for row in [*rows("corpus/manifest.tsv"), *rows("corpus/options.tsv")]:
        if row["name"] in NOT_LOGIC:
            continue
        with open(os.path.join(ROOT, "corpus", row["file"]), "rb") as f:
            data = f.read()
        settings = [setting.split("=") for setting in row.get("options", "").split()]
        options = {name: int(number) for name, number in settings}
        size = options.pop("file_size", len(data))
        data = data[:options.pop("head", len(data))]
        wanted = int(row["code"]), int(row["offset"]) if row["offset"] else None
        yield row["file"], data, size, options, wanted


def made(count, seed):
    for number, (data, size) in enumerate(generate_cases.files(seed, count)):
        yield "generated %d/%d" % (seed, number), data, size, {}, None
    for number, (data, size, options) in enumerate(generate_cases.cases(seed + 1, count // 4)):
        yield "generated with limits %d/%d" % (seed + 1, number), data, size, options, None


def compare(space, name, data, size, options, listed):
    """What is wrong with the logic's verdict on one file, or ""."""
    options = {**model.OPTIONS, **options}
    result = model.judge(data, size, options)
    wanted = result.code, result.offset
    if listed not in (None, wanted):
        return "%s: manifest %s, model %s" % (name, listed, wanted)
    try:
        given = verdict(space, data, size, options)
    except Fault as fault:
        return "%s: %s; model %s" % (name, fault, wanted)
    return "" if given == wanted else "%s: logic %s, model %s %s" % (name, given, wanted, data[:200].hex())


def never_taken():
    out = []
    left = [sides[k] for k in sorted(set(range(len(sides))) - taken)]
    for name in sorted({side.split(",")[0] for side in left} | set(TOTALITY)):
        mine = [side for side in left if side.startswith(name + ",")]
        if len(mine) != TOTALITY.get(name, 0):
            count = TOTALITY.get(name, 0)
            out += ["%d sides of %s are not taken, not %d: %s" % (len(mine), name, count, mine)]
    return out


def main(args):
    space, known = load()
    if args and not args[0].isdigit():
        for path in args:
            with open(path, "rb") as f:
                data = f.read()
            print(path, *verdict(space, data, len(data), model.OPTIONS))
        return 0
    count, seed = (list(map(int, args)) + [8000, 1][len(args):])[:2]
    passed, failures, large = 0, [], 0
    for case in [*corpus(), *made(count, seed)]:
        if min(len(case[1]), 8 + int.from_bytes(case[1][:8], "little")) > LARGE:
            large += 1
            continue
        text = compare(space, *case)
        passed += not text
        failures += [text] if text else []
    failures += never_taken()
    for text in failures[:20]:
        print(text)
    print("%d definitions, %d sides of conditions" % (len(known), len(sides)))
    print("%d files left out, above %d bytes" % (large, LARGE))
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
