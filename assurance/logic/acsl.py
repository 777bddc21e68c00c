"""Translate the specification in logic, spec/*.acsl, to Python functions: the definitions themselves are
evaluated.

The evaluation checks that nothing outside the head is read, that / and % have no negative operand, that every
recursive function names a measure, and that at each recursive call the measure decreases and is not negative.
"""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# ---- Reading the definitions ---------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+)|(?P<char>'(?:\\.|[^\\'])')"
                   r"|(?P<name>\\?[A-Za-z_]\w*)"
                   r"|(?P<op><==>|==>|->|&&|\|\||>>|[=!<>]=|\.\.|[-+*/%<>?:()\[\],;={}!.&]))")
DEFINITION = re.compile(r"\b(?:logic\s+integer|predicate)\s+(\w+)\s*(?:\{[\w, ]*\})?\s*(?:\(([^)]*)\))?\s*=", re.S)
LEVELS = [("<==>",), ("==>",), ("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), (">>",), ("+", "-"),
          ("*", "/", "%")]
RELATION = 4  # of those levels
PYTHON = {"||": "or", "&&": "and"}
# Names of variables without a range that run over the bytes of the data section, or over counts.
AMONG = {"p": "points", "q": "points", "b": "points", "m": "range(counts[0] + 1)", "n": "range(counts[1] + 1)"}
OF_TEXTS = "k"  # without a range, in a predicate of the values v and w, it runs over their bytes
OF_BITS = "x"  # without an end of its range, in a predicate of the slice s, it runs over its bits and beyond
FEW = 64  # up to that many values, all are tried
MANY = 1 << 20  # of more, the first and the last: only arrays whose cells are all equal are as long


class Unreadable(Exception):
    """The specification is written in a way that this program does not understand."""


class Definition:
    def __init__(self, name, params, body, measure):
        self.name, self.params, self.body, self.measure = name, params, body, measure


def annotations(path, seen):
    """Return the content of /*@ ... */ of the included files and then of the file itself."""
    if path in seen:
        return ""
    seen.add(path)
    with open(os.path.join(ROOT, "spec", path), encoding="utf-8") as f:
        text = f.read()
    out = "".join(annotations(name, seen) for name in re.findall(r'^#include "(\w+\.acsl)"$', text, re.M))
    return out + "\n".join(re.findall(r"/\*@(.*?)\*/", text, re.S)) + "\n"


def definitions(starts):
    seen = set()
    text = "".join(annotations(start, seen) for start in starts)
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
        raise Unreadable("%d definitions are read, there are %d" % (len(out), count))
    names = [d.name for d in out]
    twice = {name for name in names if names.count(name) > 1}
    for d in out:
        d.name, d.body = single(d.name, d.params, twice), renamed(d.body, twice)
    return out


def single(name, params, twice):
    """Of several definitions of a name, with different parameters: make a name for each."""
    return "%s_%d" % (name, len(params)) if name in twice else name


def renamed(tree, twice):
    if not isinstance(tree, (tuple, list)):
        return tree
    parts = [renamed(part, twice) for part in tree]
    if parts[:1] == ["call"]:
        parts[1] = single(parts[1], parts[2], twice)
    return parts if isinstance(tree, list) else tuple(parts)


class Parser:
    """Trees: ("number", n), ("name", x), ("call", f, args), ("read", a, index), ("field", a, x), ("range", a, b),
    ("if", c, a, b), ("let", x, e, body), ("chain", [operand, operator, operand ...]) for comparisons, (operator, a, b),
    ("minus", a), ("not", a), ("address", a), ("forall", [x ...], body), ("exists", [x ...], body)."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return (match.lastgroup, match.group(match.lastgroup), match.end()) if match else ("end", "", self.at)

    def take(self, wanted=None):
        kind, text, end = self.peek()
        if wanted is not None and text != wanted or kind == "end":
            raise Unreadable("%s expected at: %s" % (wanted, self.text[self.at:self.at + 60]))
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
        if self.peek()[1] in ("\\forall", "\\exists"):
            kind = self.take()[1][1:]
            self.take("integer")
            names = [self.take()[1]]
            while self.found(","):
                names.append(self.take()[1])
            self.take(";")
            return kind, names, self.expression()
        tree = self.binary(0)
        if self.found("?"):
            first = self.expression()
            self.take(":")
            return "if", tree, first, self.expression()
        return tree

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        if self.peek()[1] in ("\\forall", "\\exists"):  # after an operator: as far as possible
            return self.expression()
        begin = self.at
        tree = self.binary(level + 1)
        if level == RELATION:
            chain = [tree]
            while self.peek()[1] in LEVELS[level]:
                chain += [self.take()[1], self.binary(level + 1)]
            return ("chain", chain) if len(chain) > 1 else tree
        while self.peek()[1] in LEVELS[level]:
            operator = self.take()[1]
            tree = self.made((operator, tree, self.binary(level if operator == "==>" else level + 1)), begin)
        return tree

    def made(self, tree, begin):  # pylint: disable=unused-argument,no-self-use
        """For those who need the position of a tree (assurance/mutation/spec_mutate.py)."""
        return tree

    def unary(self):
        if self.found("-"):
            return "minus", self.unary()
        if self.found("!"):
            return "not", self.unary()
        if self.found("&"):
            return "address", self.unary()
        tree = self.primary()
        while self.peek()[1] in ("[", "->", "."):
            if self.found("["):
                tree = "read", tree, self.expression()
                self.take("]")
            else:
                tree = "field", tree if self.take()[1] == "." else ("read", tree, ("number", 0)), self.take()[1]
        return tree

    def primary(self):
        if self.found("("):
            tree = self.expression()
            if self.found(".."):
                tree = "range", tree, self.expression()
            self.take(")")
            return tree
        kind, text = self.take()
        if kind == "number":
            return "number", int(text, 0)
        if kind == "char":
            if text[1] == "\\" and text[2] not in "\\'\"":
                raise Unreadable("not understood: " + text)
            return "number", ord(text[-2])
        if kind != "name":
            raise Unreadable("not understood: " + text)
        labels = []
        if self.found("{"):  # of one state, or of both, as in the definition
            labels = [self.take()[1]]
            while self.found(","):
                labels.append(self.take()[1])
            self.take("}")
        if self.found("("):
            args = [self.expression()]
            while self.found(","):
                args.append(self.expression())
            self.take(")")
            called = "call", text, args
            return ("call", "\\at", [called, ("name", labels[0])]) if len(labels) == 1 else called
        return "name", text


# ---- Into Python ---------------------------------------------------------------------------------------

class Fault(Exception):
    """A definition is not total, or reads what does not exist."""


def read(b, at):
    if b is None or not 0 <= at < len(b):
        raise Fault("read at %d of %s" % (at, None if b is None else len(b)))
    return b[at]


class Cells:
    """The cells that a pointer points to."""

    def __init__(self, cells, at=0, old=None):
        self.cells, self.at, self.old = cells, at, cells if old is None else old

    def __len__(self):
        return len(self.cells) - self.at

    def __getitem__(self, at):
        if self.at + at < 0:
            raise Fault("read before the begin")
        return (self.old if state == ["old"] else self.cells)[self.at + at]

    def __add__(self, count):
        return Cells(self.cells, self.at + count, self.old)

    def __eq__(self, other):
        return isinstance(other, Cells) and self.cells is other.cells and self.at == other.at

    def __hash__(self):
        return hash((id(self.cells), self.at))


state = []  # ["old"] while the argument of \at(..., K) is read


def at_label(label, term):
    """\\at: K and L1 are the first label of a predicate, L and L2 the second."""
    state[:] = ["old"] if label in ("K", "L1") else []
    try:
        return term()
    finally:
        state.clear()


def separated(*places):
    """Return whether no two of the ranges (address, first, last) have a cell in common."""
    found = [(id(base.cells), base.at + low, base.at + high) for base, low, high in places if base is not None]
    return all(a[0] != b[0] or a[2] < a[1] or b[2] < b[1] or a[2] < b[1] or b[2] < a[1]
               for k, a in enumerate(found) for b in found[:k])


def readable(b, low=0, high=0):
    """\\valid and \\valid_read, of an address or of a range of them."""
    return high < low or b is not None and 0 <= getattr(b, "at", 0) + low and high < len(b)


def divide(a, b):
    if a < 0 or b <= 0:
        raise Fault("%d / %d" % (a, b))
    return a // b


def remainder(a, b):
    if a < 0 or b <= 0:
        raise Fault("%d %% %d" % (a, b))
    return a % b


def span(low, high, among):
    """Return the values of a quantified variable: from low to below high; of bytes, one of each run of bytes that
    all predicates treat alike: `among` has the positions where that can change."""
    if among is None and high - low > MANY:
        return low, low + 1, high - 2, high - 1
    if among is None or None not in (low, high) and high - low <= FEW:
        return range(low, high)
    if isinstance(among, range):
        return among
    near = {at + d for at in among + [x for x in (low, high) if x is not None] for d in (-1, 0, 1)}
    return sorted(at for at in near if (low is None or low <= at) and (high is None or at < high))


def falls(name, old, new):
    if not 0 <= new < old:
        raise Fault("the measure of %s goes from %d to %d" % (name, old, new))


def bytes_of(v, w):
    """Return the positions of the bytes of the shorter of two values, and of its end."""
    count = 0
    while v > 0 and w > 0:
        v, w, count = v // 257, w // 257, count + 1
    return range(count + 1)


class Undecided(Exception):
    """A quantifier without a range has no witness among the values that were tried."""


def window(kind, low, high, holds):
    """Evaluate a quantifier that lacks an end of its range over some values; return the answer if one of them
    decides."""
    low = min(-2, (high or 0) - 12) if low is None else low
    high = max(0, low) + 12 if high is None else high
    if any(holds(at) != (kind == "forall") for at in range(low, high)):
        return kind == "exists"
    raise Undecided


class Translator:
    """The source of one definition: a recursive call at its end becomes a turn of a loop."""

    def __init__(self, definition, known, strict=True):
        self.d, self.known, self.strict = definition, known, strict
        self.names, self.lines, self.recursive = set(definition.params), [], False

    def source(self):
        self.statement(self.d.body, 2)
        if self.recursive and self.d.measure is None:
            raise Unreadable(self.d.name + " names no measure")
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
            raise Unreadable(self.d.name + " names no measure")
        after = self.term(self.d.measure, dict(zip(self.d.params, map(self.term, args))))
        return "falls(%r, %s, %s)" % (self.d.name, self.term(self.d.measure), after)

    def term(self, tree, instead=None):
        kind = tree[0]
        if kind == "number":
            return str(tree[1])
        if kind == "minus":
            return "(-%s)" % self.term(tree[1], instead)
        if kind == "name" and tree[1] not in ("\\null", "UINT64_MAX"):
            if tree[1] not in self.names and tree[1] not in self.known:
                raise Unreadable("%s: no %s before it" % (self.d.name, tree[1]))
            return "(%s)" % instead[tree[1]] if instead and tree[1] in instead else \
                tree[1]
        if tree in (("name", "\\null"), ("name", "UINT64_MAX")):
            return {"\\null": "None", "UINT64_MAX": str((1 << 64) - 1)}[tree[1]]
        if kind == "address":
            return "Cells([%s])" % self.term(tree[1], instead)
        if kind == "field":
            return "%s.%s" % (self.term(tree[1], instead), tree[2])
        if kind == "call" and tree[1] in ("\\valid", "\\valid_read"):
            return "readable(%s)" % self.place(tree[2][0], instead)
        if kind == "call" and tree[1] == "\\separated":
            return "separated(%s)" % ", ".join("(%s)" % self.place(part, instead, ("0", "0")) for part in tree[2])
        if kind == "call" and tree[1] == "\\at":
            return "at_label(%r, lambda: %s)" % (tree[2][1][1], self.term(tree[2][0], instead))
        if kind == "read":
            return "read(%s, %s)" % (self.term(tree[1], instead), self.term(tree[2], instead))
        if kind == "if":
            return "(%s if %s else %s)" % tuple(self.term(tree[k], instead) for k in (2, 1, 3))
        if kind == "chain":
            return "(%s)" % " ".join(p if isinstance(p, str) else self.term(p, instead) for p in tree[1])
        if kind == "call":
            call = "%s(%s)" % (tree[1], ", ".join(self.term(arg, instead) for arg in tree[2]))
            if tree[1] == self.d.name:
                return "(%s, %s)[1]" % (self.falls(tree[2]), call)
            if self.known.get(tree[1]) != len(tree[2]):
                raise Unreadable("%s: no %s of %d arguments before it" % (self.d.name, tree[1], len(tree[2])))
            return call
        if kind in ("/", "%"):
            return "%s(%s, %s)" % ("divide" if kind == "/" else "remainder", self.term(tree[1], instead),
                                   self.term(tree[2], instead))
        if kind == "not":
            return "(not %s)" % self.term(tree[1], instead)
        if kind in ("forall", "exists"):
            return self.quantified(tree)
        if kind == "==>":
            return "(not %s or %s)" % (self.term(tree[1], instead), self.term(tree[2], instead))
        if kind == "<==>":
            return "(bool(%s) == bool(%s))" % (self.term(tree[1], instead), self.term(tree[2], instead))
        if kind not in ("||", "&&", "+", "-", "*", ">>"):
            raise Unreadable("%s: %s inside an expression" % (self.d.name, kind))
        left, right = self.term(tree[1], instead), self.term(tree[2], instead)
        return "(%s %s %s)" % (left, PYTHON.get(kind, kind), right)


    def place(self, tree, instead, alone=()):
        """Return an address, and the range of cells if one is named."""
        if tree[0] == "+" and tree[2][0] == "range":
            return ", ".join(self.term(part, instead) for part in (tree[1], *tree[2][1:]))
        return ", ".join([self.term(tree, instead), *alone])

    def quantified(self, tree):
        """Return all(...) or any(...) over the ranges that the premise, or the whole, names."""
        names, outer = tree[1], set(self.names)
        self.names |= set(names)
        premise = tree[2][1] if tree[0] == "forall" and tree[2][0] == "==>" else tree[2]
        ranges = [self.range_of(name, *self.bounds(premise, name, set(names))) for name in names]
        body = self.term(tree[2])
        self.names = outer
        for name, low, high, many in ranges:
            if not many and None in (low, high):
                if self.strict:
                    raise Unreadable("%s: no range of %s" % (self.d.name, name))
                return self.windows(tree[0], ranges, body)
        rounds = "".join(" for %s in span(%s, %s, %s)" % (name, low, high, many)
                         for name, low, high, many in ranges)
        return "%s(%s%s)" % ("all" if tree[0] == "forall" else "any", body, rounds)

    def range_of(self, name, low, high):
        if name == OF_TEXTS and low is None and high is None and {"v", "w"} <= self.names:
            return name, low, high, "bytes_of(v, w)"
        if name == OF_BITS and None in (low, high) and "s" in self.names:
            return name, None, None, "range(-1, read(s, 0).bits + 2)"
        return name, low, high, AMONG.get(name)

    def windows(self, kind, ranges, body):
        for name, low, high, _ in reversed(ranges):
            body = "window(%r, %s, %s, lambda %s: %s)" % (kind, low, high, name, body)
        return body

    def bounds(self, tree, name, bound):
        """Return where a variable begins and ends, from the chains of a conjunction: a <= name < b."""
        if tree[0] == "&&":
            first, second = self.bounds(tree[1], name, bound), self.bounds(tree[2], name, bound)
            return first[0] or second[0], first[1] or second[1]
        if tree[0] != "chain" or ("name", name) not in tree[1]:
            return None, None
        chain, at = tree[1], tree[1].index(("name", name))
        free = [k for k in range(0, len(chain), 2) if not (chain[k][0] == "name" and chain[k][1] in bound)]
        if not all(chain[k] in ("<", "<=") for k in range(1, len(chain), 2)):
            return None, None
        low, high = [k for k in free if k < at][-1:], [k for k in free if k > at][:1]
        return self.term(chain[low[0]]) if low else None, self.term(chain[high[0]]) + " + 1" if high else None


def remembered(function):
    """Results are kept until the next file."""
    def call(*args):
        if args not in kept:
            kept[args] = function(*args)
        return kept[args]
    call.__name__, kept = function.__name__, {}
    caches.append(kept)
    return call


sides, taken, caches, points, counts = [], set(), [], [], []


def called(tree):
    """Return the names that a tree calls or reads."""
    if isinstance(tree, (tuple, list)):
        return set().union({tree[1]} if tree[:1] in (("call",), ("name",)) else set(), *map(called, tree))
    return set()


def reached(found, roots):
    """Return the definitions that the roots use, in their order."""
    calls = {d.name: called(d.body) for d in found}
    names, more = set(), set(roots)
    while more:
        names |= more
        more = set().union(*(calls.get(name, set()) for name in more)) - names
    return [d for d in found if d.name in names]


def load(starts, roots):
    """Return the definitions that the roots use, as Python functions."""
    known, slow = {}, set()
    space = {"read": read, "divide": divide, "remainder": remainder, "falls": falls, "taken": taken, "span": span,
             "points": points, "counts": counts, "window": window, "bytes_of": bytes_of,
             "Cells": Cells, "readable": readable, "separated": separated, "at_label": at_label}
    for d in reached(definitions(starts), roots):
        if d.name in known:
            raise Unreadable("twice: " + d.name)
        known[d.name] = len(d.params)
        translator = Translator(d, known)
        source = translator.source()
        exec(compile(source, d.name, "exec"), space)  # pylint: disable=exec-used
        if not d.params:
            space[d.name] = space[d.name]()
        calls = set(re.findall(r"(\w+)\(", source))
        if translator.recursive or calls & slow:
            slow.add(d.name)
        if d.name in slow and d.params[0] in ("b", "head", "v"):
            space[d.name] = remembered(space[d.name])
    return space, known


def forget():
    """Forget results: another file begins."""
    for kept in caches:
        kept.clear()
