"""Mutants of the specification in logic: each position of a definition that could be slightly wrong.

    mutants(path, text) yields mutate.Mutant, whose function is the definition that it is in
    of_text(text, ...)  yields (kind, begin, end, text) of one expression, for the clauses of contracts too

Changes: relations, arithmetic, constants and characters by one, the named rule or status, conditions of ?:
(negated, and one side for the whole), conjuncts, disjuncts and premises (left out), && || ==> (one for another),
bounds of quantifiers and \\forall \\exists, indices and integer arguments by one.
"""
import collections
import glob
import os
import re

import acsl
import mutate

ROOT = acsl.ROOT
KINDS = ["relation", "arithmetic", "constant", "code", "negated", "side", "dropped", "connective", "quantifier",
         "bound", "index", "argument"]
CONNECTIVES = {"&&": ("||", "==>"), "||": ("&&",), "==>": ("&&", "||"), "<==>": ("==>",)}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def spec_files():
    return sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "spec/*.acsl")))


def blank(text):
    """Return the text with comments blanked, so that positions do not change."""
    return re.sub(r"//[^\n]*", lambda found: " " * len(found.group(0)), text)


class Parser(acsl.Parser):
    """Remembers the position of each tree and each token."""

    def __init__(self, text, at=0):
        super().__init__(text)
        self.at, self.nodes, self.tokens = at, [], []

    def take(self, wanted=None):
        kind, text = super().take(wanted)
        self.tokens.append((kind, text, self.at - len(text), self.at))
        return kind, text

    def made(self, tree, begin):
        begin = re.compile(r"\s*").match(self.text, begin).end()
        self.nodes.append((tree, begin, self.at))
        return tree

    def kept(self, parse, *args):
        begin = self.at
        return self.made(parse(*args), begin)

    def expression(self):
        return self.kept(super().expression)

    def binary(self, level):
        return self.kept(super().binary, level)

    def unary(self):
        return self.kept(super().unary)


class Place:
    """The trees of one text and their positions; of the same tree in brackets, the larger one."""

    def __init__(self, text, parser):
        self.text, self.tokens, self.span = text, parser.tokens, {}
        for tree, begin, end in parser.nodes:
            low, high = self.span.get(id(tree), (begin, end))
            self.span[id(tree)] = min(low, begin), max(high, end)
        self.trees = list({id(tree): tree for tree, _, _ in parser.nodes if isinstance(tree, tuple)}.values())

    def of(self, tree):
        begin, end = self.span[id(tree)]
        return self.text[begin:end]


def definitions(text):
    """Return (name, parameters, position of the body) of a file's definitions."""
    for block in re.finditer(r"/\*@(.*?)\*/", text, re.S):
        plain = blank(block.group(1))
        for found in acsl.DEFINITION.finditer(plain):
            yield found.group(1), found.group(2) or "", block.start(1) + found.end()


def pointers():
    """Return for each name of a definition and number of parameters which parameters are addresses."""
    out = {}
    for path in spec_files():
        for name, parameters, _ in definitions(read(path)):
            each = [p for p in parameters.split(",") if p.strip()]
            out[name, len(each)] = ["*" in p or "assay_" in p for p in each]
    return out


def named_codes():
    """Return for each rule, status, dtype and word the next one in the list."""
    out = {}
    for prefix in "NE":
        names = re.findall(r"logic integer (%s_\w+) =" % prefix, read("spec/codes.acsl"))
        out.update(zip(names, names[1:] + names[:1]))
    return out


# ---- Kinds of mutants: each yields (kind, begin, end, text) ----------------------------------------------

def of_tokens(place, codes):
    for i, (kind, text, begin, end) in enumerate(place.tokens):
        before = place.tokens[i - 1] if i else ("op", "", 0, 0)
        if kind in ("number", "char"):
            yield from (("constant", begin, end, new) for new in mutate.near(kind, text))
        elif kind == "name" and text in codes:
            yield "code", begin, end, codes[text]
        elif text == "+" and re.match(r"\s*\([^()]*\.\.", place.text[end:]):
            pass  # an address and a range
        elif text in mutate.ARITHMETIC and (before[0] != "op" or before[1] in (")", "]")):
            yield from (("arithmetic", begin, end, new) for new in mutate.ARITHMETIC[text])
        elif text in ("-", "!"):
            yield "arithmetic" if text == "-" else "dropped", begin, end, ""


def of_chain(place, tree):
    """Mutate a < b <= c: change each relation, leave out each end. Mixed directions are written as a conjunction."""
    parts = tree[1]
    begin, end = place.span[id(tree)]
    words = [part if isinstance(part, str) else place.of(part) for part in parts]
    inside = place.text[begin:end]
    opened = inside.startswith("(") and parts[0] is not None and place.span[id(parts[0])][0] > begin
    for k in range(1, len(words), 2):
        for new in mutate.RELATIONS:
            if new != words[k]:
                changed = words[:k] + [new] + words[k + 1:]
                pairs = [" ".join(changed[j:j + 3]) for j in range(0, len(changed) - 2, 2)]
                yield "relation", begin, end, "(%s)" % " && ".join(pairs) if len(pairs) > 1 or opened else pairs[0]
    if len(words) > 3:
        yield "dropped", begin, end, "(%s)" % " ".join(words[2:])
        yield "dropped", begin, end, "(%s)" % " ".join(words[:-2])


def of_tree(place, tree, addresses):
    begin, end = place.span.get(id(tree), (0, 0))
    kind = tree[0]
    if kind == "chain":
        yield from of_chain(place, tree)
    elif kind == "if":
        first, last = place.span[id(tree[1])]
        yield "negated", first, last, "!(%s)" % place.text[first:last]
        yield from (("side", begin, end, "(%s)" % place.of(side)) for side in tree[2:])
    elif kind in CONNECTIVES:
        left, right = place.of(tree[1]), place.of(tree[2])
        for new in CONNECTIVES[kind]:
            yield "connective", begin, end, "((%s) %s (%s))" % (left, new, right)
        if kind == "<==>":
            yield "connective", begin, end, "((%s) ==> (%s))" % (right, left)
        elif kind != "==>":
            yield "dropped", begin, end, "(%s)" % left
        if kind != "<==>":
            yield "dropped", begin, end, "(%s)" % right
    elif kind in ("forall", "exists"):
        yield from of_quantifier(place, tree, begin, end)
    elif kind == "read":
        first, last = place.span.get(id(tree[2]), (0, 0))  # of -> it is not written
        if last and tree[2][0] != "number":
            yield from (("index", first, last, "(%s) %s 1" % (place.text[first:last], sign)) for sign in "+-")
    elif kind == "call" and tree[1][0] != "\\":
        known = addresses.get((tree[1], len(tree[2])), [False] * len(tree[2]))
        for arg, address in zip(tree[2], known):
            first, last = place.span[id(arg)]
            if not address and arg[0] != "number":
                yield from (("argument", first, last, "(%s) %s 1" % (place.text[first:last], sign)) for sign in "+-")


def of_quantifier(place, tree, begin, end):
    kind, names, body = tree
    other = {"forall": "exists", "exists": "forall"}[kind]
    head = "integer %s; " % ", ".join(names)
    if kind == "forall" and body[0] == "==>":
        parts = "(%s) && (%s)" % (place.of(body[1]), place.of(body[2]))
        yield "quantifier", begin, end, "(\\%s %s%s)" % (other, head, parts)
    elif kind == "exists" and body[0] == "&&":
        first = body
        while first[0] == "&&":
            first = first[1]
        rest = place.text[place.span[id(first)][1]:place.span[id(body)][1]].lstrip().removeprefix("&&")
        yield "quantifier", begin, end, "(\\%s %s(%s) ==> (%s))" % (other, head, place.of(first), rest)
    else:
        yield "quantifier", begin, end, "(\\%s %s%s)" % (other, head, place.of(body))
    yield from of_bounds(place, body, set(names))


def of_bounds(place, tree, names):
    """Mutate the ends of the ranges a <= x < b."""
    if tree[0] in ("&&", "==>"):
        yield from of_bounds(place, tree[1], names)
        if tree[0] == "&&":
            yield from of_bounds(place, tree[2], names)
    elif tree[0] == "chain" and any(part[0] == "name" and part[1] in names for part in tree[1][::2]):
        for part in (tree[1][0], tree[1][-1]):
            first, last = place.span[id(part)]
            if not (part[0] == "name" and part[1] in names) and part[0] != "number":
                yield from (("bound", first, last, "(%s %s 1)" % (place.text[first:last], sign)) for sign in "+-")


# ---- All of them -----------------------------------------------------------------------------------------

def of_text(parser, codes, addresses):
    """Yield every change of what the parser has read, once."""
    place, seen = Place(parser.text, parser), set()
    found = list(of_tokens(place, codes))
    for tree in place.trees:
        found += of_tree(place, tree, addresses)
    for kind, begin, end, text in sorted(found, key=lambda m: (m[1], m[2], KINDS.index(m[0]))):
        if parser.text[begin:end] != text and (begin, end, text) not in seen:
            seen.add((begin, end, text))
            yield kind, begin, end, text


def mutants(path, source):
    """Yield every mutant of a file of spec/."""
    codes, addresses, plain = named_codes(), pointers(), blank(source)
    names = [name for name, _ in addresses]
    for name, parameters, at in definitions(source):
        parser, numbers = Parser(plain, at), collections.Counter()
        parser.expression()
        where = name if names.count(name) == 1 else "%s_%d" % (name, parameters.count(",") + 1)
        for kind, begin, end, text in of_text(parser, codes, addresses):
            before, after = mutate.lines_of(source, begin, end, text)
            numbers[before, after] += 1
            yield mutate.Mutant(path, where, kind, begin, end, text, before, after, numbers[before, after], at)
