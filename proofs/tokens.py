"""Read C source as a compiler does (C11 5.1.1.2, phases 1 to 3), and refuse forms that the core may not use.

    lex(text)         the tokens of a file
    refused(path)     what no proved file may contain, one message each

A check of text can differ from Frama-C and the compiler, which read tokens: in a comment that a spliced line
opens, in a directive written with digraphs, in a word that a macro makes. So those forms are refused, and the
checks read tokens.
"""
import collections
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# kind: word, number, string, char, op, comment, line (the end of one), other. spliced: a line ends within the token.
Token = collections.namedtuple("Token", "kind text number begin end spliced")

SPLICE = re.compile(r"\\[ \t\v\f\r]*\n")
LEXEME = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)
    |(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
    |(?P<char>[uUL]?'(?:[^'\\\n]|\\.)+')
    |(?P<number>\.?[0-9](?:[eEpP][-+]|[0-9A-Za-z_.])*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<op>%:%:|<<=|>>=|\.\.\.|<:|:>|<%|%>|%:|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#
        |[-+*/%=<>!~&|^?:;,.()\[\]{}\#])
    |(?P<line>\n)|(?P<space>[ \t\v\f\r]+)|(?P<other>.)""", re.S | re.X)
TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
DIGRAPHS = {"<:", ":>", "<%", "%>", "%:", "%:%:"}
CONSTANT = re.compile(r"""'(?:[^'\\]|\\['"?\\abfnrtv0])'$""")  # characters that are negative on no machine
RESERVED = {"__FRAMAC__", "__cplusplus"}  # in an #ifdef, and nowhere else
HEADERS = {"stdint.h", "stddef.h", "stdbool.h"}  # the compiler's own, which a freestanding one has
LINKAGE = ('extern "C" {', "}")  # the only lines of C++
KEYWORDS = {"asm", "typeof", "noreturn", "alignas", "thread_local", "static_assert", "max_align_t"}


def lex(text):
    """Return the tokens of C, including comments and line ends; offsets are those of the original text."""
    bare, place, at = [], [], 0
    for splice in SPLICE.finditer(text):
        bare.append(text[at:splice.start()])
        place.extend(range(at, splice.start()))
        at = splice.end()
    bare.append(text[at:])
    place.extend(range(at, len(text) + 1))
    bare, out, number, counted = "".join(bare), [], 1, 0
    for found in LEXEME.finditer(bare):
        begin, end = place[found.start()], place[found.end() - 1] + 1
        number, counted = number + text.count("\n", counted, begin), begin
        if found.lastgroup != "space":
            out.append(Token(found.lastgroup, found.group(0), number, begin, end, end - begin != len(found.group(0))))
    return out


def is_annotation(token):
    return token.kind == "comment" and token.text[2:3] == "@"


def inner(token):
    """Return the tokens within an annotation: of its logic and ghost code, without comments."""
    body = token.text[3:-2] if token.text.startswith("/*") else token.text[3:]
    shift = token.begin + 3
    return [t._replace(number=token.number + t.number - 1, begin=t.begin + shift, end=t.end + shift)
            for t in lex(body) if not (t.kind == "comment" and not is_annotation(t))]


def code(text):
    """Return only the tokens of C, without comments and annotations."""
    return [t for t in lex(text) if t.kind != "comment"]


def annotations(text):
    """Return the text of all annotations in their normal form; refused() allows no other form."""
    return "\n".join(t.text for t in lex(text) if is_annotation(t))


def without_comments(text):
    """Return the text with a space for each comment and annotation, keeping lines."""
    out, at = [], 0
    for token in lex(text):
        if token.kind == "comment":
            out += [text[at:token.begin], " ", "\n" * text.count("\n", token.begin, token.end)]
            at = token.end
    return "".join(out) + text[at:]


def directives(text):
    """Yield (directive, its tokens without the `#`) for every directive, and other tokens as (None, tokens)."""
    line, out = [], []
    for token in code(text) + [Token("line", "\n", 0, 0, 0, False)]:
        if token.kind != "line":
            line.append(token)
        elif line:
            first = line[0].text in ("#", "%:")
            word = line[1].text if first and len(line) > 1 else ""
            out.append((word if first else None, line[1:] if first else line))
            line = []
    return out


def characters(text):
    """Report bytes and forms that a reader may misread."""
    for number, line in enumerate(text.split("\n"), 1):
        for byte in sorted(set(re.findall(r"[^\x20-\x7e]", line))):
            yield number, "byte 0x%02x" % ord(byte)
        for form in TRIGRAPH.findall(line):
            yield number, "trigraph " + form
    if not text.endswith("\n"):
        yield text.count("\n") + 1, "no line end at the end of the file"


def splices(text, tokens):
    """Report splices anywhere but between two tokens of the definition of a macro."""
    macros = [(t[0].begin, t[-1].end) for word, t in directives(text) if word == "define" and t]
    for splice in SPLICE.finditer(text):
        inside = any(t.begin < splice.end() and splice.start() < t.end for t in tokens if t.kind != "line")
        if inside or not any(begin <= splice.start() < end for begin, end in macros):
            yield text.count("\n", 0, splice.start()) + 1, "splice outside the tokens of a macro"


def words(tokens):
    """Report identifiers and operators that the core does not use, in C, directives and annotations alike."""
    last = None  # the token before; neither a comment nor a line end, nor the @ that begins a line in an annotation
    for token in tokens:
        if is_annotation(token):
            yield from words(inner(token))
            yield from ((t.number, "an annotation holds a directive") for t in inner(token) if t.text in ("#", "%:"))
        if token.kind in ("comment", "line") or token.text == "@":
            continue
        if token.kind == "word" and token.text not in RESERVED and ("__" in token.text or token.text[0] == "_"):
            yield token.number, "reserved identifier " + token.text
        elif token.kind == "word" and token.text in KEYWORDS:
            yield token.number, "keyword " + token.text
        elif token.kind == "char" and not CONSTANT.match(token.text):
            yield token.number, "character constant " + token.text
        elif token.text in DIGRAPHS:
            yield token.number, "digraph " + token.text
        elif token.text in ("##", "...") or token.text == last == "[" or (last, token.text) == ("[", "static") \
                or (last, token.text) == ("(", "{"):
            yield token.number, "%s%s" % (last + " " if token.text not in ("##", "...") else "", token.text)
        last = token.text


def stray(tokens):
    """Report characters that are no token of C outside an annotation, comments that do not end, and comments in
    comments."""
    for token, after in zip(tokens, tokens[1:] + [None]):
        if token.kind == "other":
            yield token.number, "character " + token.text
        if token.text == "/" and after is not None and after.text[:1] in ("*", "/") and after.begin == token.end:
            yield token.number, "a comment that does not end"
        if token.kind == "comment" and token.text.startswith("/*") and "/*" in token.text[2:]:
            yield token.number, "a comment within a comment"


def conditions(text, logic, lemmas=False):
    """Check conditions, macros and includes: one guard, `#ifdef __FRAMAC__` around includes of specification,
    `#ifdef __cplusplus` around linkage."""
    lines, opened = directives(text), []
    guard = [word for word, _ in lines[:2]] == ["ifndef", "define"]
    for at, (word, tokens) in enumerate(lines):
        number, rest = tokens[0].number if tokens else 0, [t.text for t in tokens[1:]]
        if word is None:
            said = text[tokens[0].begin:tokens[-1].end]
            if logic:
                yield number, "holds more than annotations: " + said.split("\n")[0]
            elif "__FRAMAC__" in opened:
                yield number, "code that only Frama-C sees"
            elif "__cplusplus" in opened and said not in LINKAGE:
                yield number, "code that only C++ sees"
            for token in tokens:
                if token.text in RESERVED:
                    yield number, "%s outside of #ifdef" % token.text
        elif word == "ifdef" and not logic and len(rest) == 1 and rest[0] in RESERVED and set(opened) <= {"guard"}:
            opened.append(rest[0])
        elif word == "ifndef" and at == 0 and guard and len(rest) == 1 and [t.text for t in lines[1][1][1:]] == rest:
            opened.append("guard")
        elif word == "endif" and opened and not rest:
            if opened.pop() == "guard" and at != len(lines) - 1:
                yield number, "something after the guard"
        elif word == "define" and rest and not set(opened) & RESERVED and not set(rest) & RESERVED:
            if logic and at != 1:
                yield number, "holds more than annotations: #define " + rest[0]
        elif word == "include":
            yield from include(number, "".join(rest), tokens, logic or "__FRAMAC__" in opened, lemmas)
        else:
            yield number, "preprocessor directive #" + " ".join([word] + rest)
    for name in opened:
        yield 0, "a condition that does not end: " + name


def lemma_headers():
    """Return the names of the headers of lemmas."""
    return {os.path.basename(path) for path in glob.glob(os.path.join(ROOT, "proofs", "lemmas", "*.h"))}


def include(number, name, tokens, proof, lemmas):
    """Check an include: of one of the three headers, of a file beside this one, or, only for Frama-C, of
    specification."""
    system = name.startswith("<") and name.endswith(">") and name[1:-1] in HEADERS
    own = len(tokens) == 2 and re.match(r'"\w+\.(?:[ch]|acsl)"$', name)
    if not system and not own:
        yield number, "include of " + name
    if not lemmas and proof != (name.endswith('.acsl"') or name.strip('"') in lemma_headers()):
        yield number, "only specification and lemmas may be included for Frama-C only"


def refused(path, root=ROOT):
    """Return what the file may not contain, as path:line: text."""
    with open(os.path.join(root, path), encoding="latin-1", newline="") as f:
        text = f.read()
    tokens = lex(text)
    found = list(characters(text)) + list(splices(text, tokens)) + list(words(tokens)) + list(stray(tokens))
    lemmas = path.startswith("proofs/lemmas/")
    found += list(conditions(text, path.endswith(".acsl") or lemmas, lemmas))
    return ["%s:%d: %s" % (path, number, what) for number, what in sorted(set(found))]
