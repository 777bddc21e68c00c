"""Mutants of C code: each position of a file that could be slightly wrong, and the replacement text.

    mutants(path, text) yields Mutant; Mutant.apply(text) is the mutated file.

Comments (and so annotations) and preprocessor lines are not changed, except the bodies of #define. A mutant is
named by its lines before and after, so its name survives edits elsewhere.
"""
import collections
import glob
import hashlib
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIES = re.compile(r'#(include [<"][^>"]+[>"]|ifndef \w+_H #define \w+_H|ifdef __FRAMAC__|endif)')  # of files
TOKEN = re.compile(r"(?P<skip>\s+|/\*.*?\*/|//[^\n]*)|(?P<directive>(?m:^)[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)"
                   r"|(?P<string>\"(?:\\.|[^\"\\])*\")|(?P<char>'(?:\\.|[^'\\])+')|(?P<number>\d\w*)"
                   r"|(?P<name>[A-Za-z_]\w*)|(?P<op>\+\+|--|->|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|[^\s\w])", re.S)
DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?[ \t]+(\S.*)", re.S)
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)(\w*)$")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}

RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
ARITHMETIC = {"+": ("-", "*"), "-": ("+", "*"), "*": ("+", "/"), "/": ("*", "%"), "%": ("/", "*"),
              "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("+=", "="), "/=": ("*=", "="), "++": ("--",), "--": ("++",)}
KINDS = ["relation", "arithmetic", "constant", "negated", "statement", "check", "return", "index", "bound", "and-or"]
HEADS = {"if", "for", "while", "switch"}


class Mutant(collections.namedtuple("Mutant", "path function kind begin end text before after number in_function")):
    """text replaces the characters from begin to end; before and after are the lines it changes, number
    distinguishes equal ones."""

    def apply(self, source):
        return source[:self.begin] + self.text + source[self.end:]

    def key(self):
        return self.path, self.function, self.before, self.after, self.number

    def __str__(self):
        return "%s %s: %s -> %s%s" % (self.path, self.function, self.before, self.after,
                                      " (%d)" % self.number if self.number > 1 else "")


Token = collections.namedtuple("Token", "kind text begin end")


def tokens(text, at=0, end=None):
    """Return the tokens of C that the tool may change."""
    out, end = [], len(text) if end is None else end
    while at < end:
        match = TOKEN.match(text, at, end)
        if match.lastgroup != "skip":
            out.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
        at = match.end()
    return out


def code(text):
    """Return only the code, squeezed: two texts with the same code compile to the same."""
    return " ".join(token.text if token.kind != "directive" else " ".join(COMMENT.sub(" ", token.text).split())
                    for token in tokens(text))


def core_digest(folders=("core",)):
    """Return the hash, in twelve digits, of the code of the core, or of these folders of src/, for which results are
    valid. Of headers the words count, not their order: a declaration may move from one to another."""
    paths = glob.glob(os.path.join(ROOT, "include", "*.h"))
    for folder in folders:
        paths += glob.glob(os.path.join(ROOT, "src", folder, "*.[ch]"))
    units, headers = [], []
    for path in sorted(paths):
        with open(path, encoding="utf-8") as f:
            text = code(f.read())
        if path.endswith(".c"):
            units.append(text)
        else:
            headers += TIES.sub(" ", text).split()
    return hashlib.sha256("\0".join(units + sorted(headers)).encode()).hexdigest()[:12]


class Part:
    """The tokens of one function, table or macro body, and their brackets."""

    def __init__(self, name, returns, found):
        self.name, self.returns, self.tokens = name, returns, found
        self.texts = [token.text for token in found]
        self.match, stack = {}, []
        for i, text in enumerate(self.texts):
            if text in OPEN:
                stack.append(i)
            elif text in CLOSE and stack:
                self.match[i] = stack.pop()
                self.match[self.match[i]] = i

    def left(self, i, stops):
        """Return the position of the operand before token i: after one of stops or an open bracket."""
        while i > 0:
            text = self.texts[i - 1]
            if text in CLOSE:
                if text == "}" or text == ")" and self.headed(i - 1):
                    return i
                i = self.match[i - 1]
            elif text in OPEN or text in stops:
                return i
            else:
                i -= 1
        return i

    def right(self, i, stops):
        """Return the position after the operand that begins with token i."""
        while i < len(self.texts):
            if self.texts[i] in OPEN:
                i = self.match[i] + 1
            elif self.texts[i] in CLOSE or self.texts[i] in stops:
                return i
            else:
                i += 1
        return i

    def headed(self, close):
        """Return whether this bracket closes the condition of an if or a loop."""
        return self.match[close] > 0 and self.texts[self.match[close] - 1] in HEADS

    def span(self, i, j):
        return self.tokens[i].begin, self.tokens[j - 1].end


# ---- Parts of a file -----------------------------------------------------------------------------------

def parts(text):
    """Return the functions, the tables and the macros with a body."""
    found = tokens(text)
    for token in found:
        define = DEFINE.match(token.text) if token.kind == "directive" else None
        if define:
            yield Part(define.group(1), None, tokens(text, token.begin + define.start(3), token.end))
    whole = Part("", None, [token for token in found if token.kind != "directive"])
    i = start = 0
    while i < len(whole.texts):
        if whole.texts[i] == "{":
            end = whole.match[i] + 1
            if whole.texts[i - 1] == ")":
                name = whole.match[i - 1] - 1
                yield Part(whole.texts[name], whole.texts[start:name], whole.tokens[i:end])
            elif whole.texts[i - 1] == "=":
                name = next(k for k in range(start, i) if whole.texts[k + 1] in "[=")
                yield Part(whole.texts[name], None, whole.tokens[i:end])
            i = end
        else:
            i += 1
        if whole.texts[i - 1] in (";", "}"):
            start = i


# ---- Kinds of mutants: each yields (kind, begin, end, text) ----------------------------------------------

def of_tokens(part, codes):
    for i, (kind, text, begin, end) in enumerate(part.tokens):
        if kind == "op":
            before = part.tokens[i - 1] if i else None
            yield from ((name, begin, end, new) for name, new in of_operator(part, i, text, before))
        elif kind in ("number", "char"):
            yield from (("constant", begin, end, new) for new in near(kind, text))
        elif kind == "name" and (text in codes or re.fullmatch(r"[A-Z][A-Z0-9_]+", text)):
            if text in codes:
                yield "constant", begin, end, codes[text]
            elif text != "NULL" and part.texts[i + 1:i + 2] != ["("]:
                yield "constant", begin, end, "(%s + 1)" % text
                yield "constant", begin, end, "(%s - 1)" % text
        elif text in ("true", "false"):
            kind = "return" if i and part.texts[i - 1] == "return" else "constant"
            yield kind, begin, end, "false" if text == "true" else "true"


def of_operator(part, i, text, before):
    if text in RELATIONS:
        yield from (("relation", new) for new in RELATIONS if new != text)
    elif text in ("&&", "||"):
        yield "and-or", "&&" if text == "||" else "||"
    elif text in ARITHMETIC and (text not in "*-+" or is_binary(part, i, before)):
        yield from (("arithmetic", new) for new in ARITHMETIC[text])


def is_binary(part, i, before):
    """Return whether this * - + is an operator between two operands. A * after the name of a type is not."""
    if before is None or before.kind == "op" and before.text not in (")", "]"):
        return False
    if re.fullmatch(r"\w+_t|const|return|bool|assay_(axis|comparison|counts|dims|draft|entry|error|found|heads|input|"
                    r"items|need|options|plan|repeat|result|run|slice|sort_item|tensor|texts?|view|word|workspace)",
                    before.text):
        return False
    if before.text == ")":  # after a cast
        inside = part.texts[part.match[i - 1] + 1:i - 1]
        return not (inside and re.fullmatch(r"\w+_t|assay_\w+", inside[-1]) and inside[0] in (inside[-1], "const"))
    return True


def near(kind, text):
    """Return a constant plus and minus one."""
    if kind == "char":
        return "(%s + 1)" % text, "(%s - 1)" % text
    digits, suffix = NUMBER.match(text).groups()
    value, form = int(digits, 0), "0x%x%s" if digits[:2] in ("0x", "0X") else "%d%s"
    return form % (value + 1, suffix), form % (value - 1, suffix) if value else "(0%s - 1)" % suffix


def of_conditions(part, source):
    """Mutate conditions of if, loops and ? : and the operands of && and ||."""
    conditions = set()
    for i, text in enumerate(part.texts):
        if text in ("if", "while"):
            conditions.add((i + 2, part.match[i + 1], text))
        elif text == "for":
            first = part.right(i + 2, {";"})
            conditions.add((first + 1, part.right(first + 1, {";"}), text))
        elif text == "?":
            conditions.add((part.left(i, {",", ";", "=", "return", "?", ":", "else"}), i, text))
        elif text in ("&&", "||"):
            yield from of_operands(part, source, i)
    for i, j, text in conditions:
        if i == j:
            continue
        begin, end = part.span(i, j)
        yield "negated", begin, end, "!(%s)" % source[begin:end]
        yield "check", begin, end, "0"
        if text in ("if", "?"):
            yield "check", begin, end, "1"
        else:
            yield from of_bounds(part, source, i, j)


def of_operands(part, source, i):
    """Negate each operand, and leave it out."""
    stops = {",", ";", "=", "return", "?", ":", "||", "else"} | ({"&&"} if part.texts[i] == "&&" else set())
    for first, last in (part.left(i, stops), i), (i + 1, part.right(i + 1, stops)):
        begin, end = part.span(first, last)
        yield "negated", begin, end, "!(%s)" % source[begin:end]
        yield "check", begin, end, "1" if part.texts[i] == "&&" else "0"


def of_bounds(part, source, i, j):
    for k in range(i, j):
        if part.texts[k] in RELATIONS:
            last = part.right(k + 1, {"&&", "||", ";"})
            begin, end = part.span(k + 1, last)
            if last > k + 2 or part.tokens[k + 1].kind == "name":
                yield "bound", begin, end, "(%s + 1)" % source[begin:end]
                yield "bound", begin, end, "(%s - 1)" % source[begin:end]


def of_indices(part, source):
    for i, text in enumerate(part.texts):
        if text == "[" and i and part.match[i] > i + 1:
            begin, end = part.span(i + 1, part.match[i])
            if part.match[i] > i + 2 or part.tokens[i + 1].kind != "number":
                yield "index", begin, end, "(%s) + 1" % source[begin:end]
                yield "index", begin, end, "(%s) - 1" % source[begin:end]


def of_statements(part, source):
    """Leave out statements, and change results."""
    for i, text in enumerate(part.texts):
        if text != ";" or in_brackets(part, i):
            continue
        first = start_of(part, i)
        if first == i:
            continue
        begin, end = part.span(first, i + 1)
        last_return = part.texts[first] == "return" and i + 2 == len(part.texts)
        if not is_declaration(part, first) and not last_return:
            yield "statement", begin, end, ";"
        if part.texts[first] == "return" and first + 1 < i:
            begin, end = part.span(first + 1, i)
            yield from (("return", begin, end, new) for new in other_results(part, source[begin:end], first + 1, i))


def in_brackets(part, i):
    """Return whether this ; is in the head of a for."""
    at = part.left(i, set())
    while part.texts[at - 1] not in OPEN and at > 0:
        at = part.left(part.match[at - 1] if part.texts[at - 1] in CLOSE else at - 1, set())
    return at > 0 and part.texts[at - 1] == "("


def start_of(part, i):
    """Return the first token of the statement that ends with the ; at i, without a label."""
    at = part.left(i, {";", "else"})
    labels = [k for k in range(at, i) if part.texts[k] == ":" and "?" not in part.texts[at:k]]
    return labels[-1] + 1 if labels else at


def is_declaration(part, i):
    text, after = part.texts[i], part.tokens[i + 1]
    return text == "const" or part.tokens[i].kind == "name" and text != "return" and (
        after.kind == "name" or after.text == "*" and re.fullmatch(r"\w+_t|assay_\w+", text) is not None)


def other_results(part, text, i, j):
    if j == i + 1 and (part.tokens[i].kind in ("number", "char") or re.fullmatch(r"true|false|[A-Z][A-Z0-9_]+", text)):
        return  # a constant: it is changed as such
    if "bool" in part.returns:
        yield "!(%s)" % text
    else:
        yield "0"
        yield "(%s) + 1" % text


# ---- All of them -----------------------------------------------------------------------------------------

def lines_of(source, begin, end, text):
    """Return the changed lines, before and after, without comments and squeezed."""
    first = source.rfind("\n", 0, begin) + 1
    last = source.find("\n", end)
    last = len(source) if last < 0 else last
    return tuple(" ".join(COMMENT.sub(" ", lines).split())
                 for lines in (source[first:last], source[first:begin] + text + source[end:last]))


def mutants(path, source, codes):
    """Yield every mutant of a file once; codes: for a named code the one that replaces it."""
    for part in parts(source):
        found, seen, numbers = [], set(), collections.Counter()
        found += of_tokens(part, codes)
        if part.returns is not None:
            found += [*of_conditions(part, source), *of_indices(part, source), *of_statements(part, source)]
        for kind, begin, end, text in sorted(found, key=lambda m: (m[1], m[2], KINDS.index(m[0]))):
            if source[begin:end] != text and (begin, end, text) not in seen:
                seen.add((begin, end, text))
                before, after = lines_of(source, begin, end, text)
                numbers[before, after] += 1
                yield Mutant(path, part.name, kind, begin, end, text, before, after, numbers[before, after],
                             part.returns is not None)
