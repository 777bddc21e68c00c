"""Check what Frama-C has read from the sources: the annotations and functions of its own tree, which it prints
(-print).

    unit(path, args)      the tree of one file, as its proof sees it
    check(whole, units, complete)   what no tree may contain, where two trees differ, where one differs from the ledger
    proofs/parsed.py [FILE...]   compare the core as one, and these files or all, with proofs/parsed.tsv
    proofs/parsed.py --write     write it: the hash of every contract and definition as Frama-C prints it

However a text is hidden, if Frama-C has read it as an annotation, it is in the tree.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import framac  # noqa: E402
import seal  # noqa: E402
import source  # noqa: E402
import tokens  # noqa: E402

LEDGER = "proofs/parsed.tsv"
CLAUSES = {"requires", "ensures", "assigns", "terminates", "exits"}
LOOP = {"invariant", "assigns", "variant"}
BINDERS = {"let", "forall", "exists", "lambda"}
NO_CALL = {"if", "while", "for", "switch", "return", "sizeof"}
# Forms of C that give a compiler information which Frama-C does not print elsewhere.
FORBIDDEN = {"__attribute__", "__asm__", "asm", "volatile", "__extension__", "_Noreturn", "_Alignas", "__declspec"}


class Unit:
    """One tree. rows: {(kind, name): text} of what the ledger keeps."""

    def __init__(self, path, machdep=""):
        self.path, self.rows, self.faults = path, {}, []
        # A type of 64 bits has two names on one machine and one on another.
        self.wide = re.compile(r"(?<=[0-9a-f])ULL\b|(?<=unsigned )long long\b" if machdep == "x86_32" else
                               r"(?<=[0-9a-f])ULL?\b|(?<=unsigned )long(?: long)?\b")
        self.declared, self.defined, self.ghosts, self.calls = set(), set(), set(), collections.defaultdict(set)

    def keep(self, kind, name, text):
        """Add a row; a repeated declaration must have the same text."""
        text = self.wide.sub("@64", text)  # no number contains an @
        if self.rows.setdefault((kind, name), text) != text:
            self.faults.append("%s: Frama-C has taken two of %s %s" % (self.path, kind, name))


def printed(path, args, tree=source.ROOT, hidden=None):
    """Return what frama-c prints for a file, or None, and its messages."""
    name = os.path.basename(path)[:-2] + ("-" + args.machdep if args.machdep else "")
    name += "" if hidden is None else "-whole"
    sight, out = os.path.join(framac.build, "spec", name), os.path.join(framac.build, "log", name + ".print")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    if hidden is None:
        seal.write(path, sight, tree)
    else:
        seal.show(hidden, sight, tree)
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run(framac.reading(sight, args) + [path, "-no-unicode", "-print", "-ocode", out], cwd=tree,
                          env=framac.environment(tree), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    if done.returncode or not os.path.exists(out) or framac.VOID.search(done.stdout):
        return None, done.stdout
    with open(out, encoding="utf-8") as f:
        return f.read(), done.stdout


def flat(text, ghost=False):
    """Yield (text, ghost, None) for each token of C and of ghost code, ("", ghost, tokens) for each annotation in
    it."""
    for token in tokens.lex(text):
        if tokens.is_annotation(token):
            body = token.text[3:-2].strip()
            if re.match(r"ghost\b", body):
                yield from flat(body[5:].replace("/@", "/*@").replace("@/", "*/"), True)
            else:
                yield "", ghost, [t.text for t in tokens.lex(body) if t.kind not in ("line", "comment")]
        elif token.kind != "comment" and not (token.kind == "line" or token.text == "#"):
            yield token.text, ghost, None


def clauses(words):
    """Return the clauses of an annotation, split at the semicolons that end one."""
    out, bound, last = [[]], 0, ""
    for word in words:
        if word == ";" and bound == 0:
            out.append([])
        else:
            bound += (last == "\\" and word in BINDERS) - (word == ";")
            out[-1].append(word)
        last = word
    return [clause for clause in out if clause]


def allowed(words, where):
    """Check that each clause of a contract or of an annotation in code is one that is proved; report others."""
    for clause in clauses(words):
        head = clause[:2]
        after = head[1] if head[1:] else ""
        if where == "contract":
            good = head[0] in CLAUSES or head[0] == "check" and after in CLAUSES
        else:
            good = head[0] in ("assert", "check") or head[0] == "loop" and after in LOOP
        if not good:
            yield "%s: %s" % (where, " ".join(clause[:8]))


def opaque(words):
    """Return the name of the definition that an axiomatic of proofs/seal.py declares, or None if it is another
    one."""
    found = re.match(r"axiomatic Sealed_(\w+) \{ (?:logic integer|predicate) (\w+) (?:\{ \w+ \} )?\([^()]*\)"
                     r"(?: reads [\w*()+.,\[\] ]+)? ; \}$", " ".join(words))
    return found[1] if found and found[1] == found[2] else None


def global_annotation(unit, words):
    text = " ".join(words)
    named = re.match(r"(?:logic integer|predicate) (\w+ (?:\{ [\w, ]+ \} )?(?:\([^()]*\) )?)= ", text)
    if named and len(clauses(words)) == 1:  # two definitions may have one name, with different parameters
        unit.keep("logic", named[1].strip(), text)
    elif opaque(words) in seal.sealed():
        unit.keep("opaque", opaque(words), text)
    elif words[0] == "lemma":
        unit.keep("lemma", words[1], text)
    else:
        unit.faults.append("%s: Frama-C has taken an annotation that is not allowed: %s" % (unit.path, text[:120]))


def declaration(unit, head, contract, ghost, body):
    """Return one declaration or definition of C or of ghost code, without its body."""
    words = [word for word in head if word not in ("static", "inline", "extern")]
    if "(" not in words or words[0] == "typedef" or "=" in words[:words.index("(")]:
        if contract is not None:
            unit.faults.append("%s: a contract of nothing: %s" % (unit.path, " ".join(head)[:80]))
        return
    name = words[words.index("(") - 1]
    unit.declared.add(name)
    if ghost:
        unit.ghosts.add(name)
    if body is not None:
        unit.defined.add(name)
        unit.calls[name] |= {word for word, after in zip(body, body[1:] + [""])
                             if after == "(" and word not in NO_CALL and re.match(r"[A-Za-z_]\w*$", word)}
    if contract is not None:
        unit.faults += ["%s: %s: an annotation that is not allowed in a %s" % (unit.path, name, said)
                        for said in allowed(contract, "contract")]
        unit.keep("contract", name, " ".join(words + ["|"] + contract))


def read(unit, text):
    """Sort what Frama-C prints into the fields of the unit."""
    head, body, contract, depth, function = [], None, None, 0, False
    last = ""
    for word, ghost, annotation in flat(text):
        if word in FORBIDDEN or (last, word) == ("[", "static"):
            unit.faults.append("%s: Frama-C has taken %s" % (unit.path, word))
        last = word or last
        if annotation is not None:
            if depth:
                unit.faults += ["%s: an annotation that is not allowed in %s" % (unit.path, said)
                                for said in allowed(annotation, "code")]
            elif head:
                unit.faults.append("%s: an annotation within a declaration: %s" % (unit.path, " ".join(annotation)[:80]))
            elif annotation and (annotation[0] in CLAUSES or contract is None and annotation[0] in
                                 ("behavior", "admit", "check", "decreases", "allocates", "frees")):
                contract = annotation
            elif annotation:
                global_annotation(unit, annotation)
        elif word == "{":
            function = function or depth == 0 and ")" in head and "=" not in head
            depth, body = depth + 1, (body or []) if function else body
        elif word == "}":
            depth -= 1
            if depth == 0 and function:
                declaration(unit, head, contract, ghost, body)
                head, body, contract, function = [], None, None, False
        elif depth and function:
            body.append(word)
        elif depth == 0 and word == ";":
            if head:
                declaration(unit, head, contract, ghost, None)
                head, contract = [], None
        elif depth == 0:
            head.append(word)
    if depth or head:
        unit.faults.append("%s: what Frama-C prints is not understood: %s" % (unit.path, " ".join(head)[:80]))
    return unit


def unit(path, args, tree=source.ROOT, hidden=None):
    """Return the tree of a file as its proof sees it (hidden: with these opaque names instead)."""
    out = Unit(path, args.machdep)
    text, said = printed(path, args, tree, hidden)
    if text is None:
        last = [line.strip() for line in said.splitlines() if framac.VOID.search(line)] or said.splitlines()[-1:]
        out.faults.append("%s: Frama-C does not read it without a warning: %s" % (path, " ".join(last)[:300]))
        return out
    return read(out, text)


def whole(args):
    """Return the tree of the core as one unit, with nothing opaque."""
    return unit(source.WHOLE, args, hidden=set())


def digest(text):
    return hashlib.sha256(re.sub(r"__anon(\w+?)_\d+", r"__anon\1", text).encode()).hexdigest()[:16]


def rows(units):
    return {"\t".join((kind, name, digest(text))) for one in units for (kind, name), text in one.rows.items()}


def kept():
    """Return the rows of the ledger."""
    return set(source.read(LEDGER).splitlines()[1:])


def unlisted(one, known):
    """Return what the tree contains and the ledger does not."""
    return ["%s: Frama-C has taken what the ledger does not have: %s" % (one.path, row.replace("\t", " "))
            for row in sorted(rows([one]) - known)]


def closure(calls):
    """Return for each name everything that it calls, directly or indirectly."""
    more = {}
    while more != calls:
        more, calls = calls, {name: called.union(*(calls[c] for c in called)) for name, called in calls.items()}
    return calls


def circles(one):
    """Return C and ghost functions whose proof depends on itself: it assumes its own contract, and each file sees
    only a part of the circle."""
    below = closure({name: one.calls[name] & one.defined for name in one.defined})
    return ["%s function %s rests on itself" % ("ghost" if name in one.ghosts else "the", name)
            for name in sorted(below) if name in below[name]]


def endless(one):
    """Return the names of logic functions and predicates that are defined by themselves, directly or indirectly."""
    body = collections.defaultdict(set)
    for (kind, _), text in one.rows.items():
        if kind == "logic":
            head, _, said = text.partition("= ")
            body[re.match(r"(?:logic integer|predicate) (\w+)", head)[1]] |= set(re.findall(r"\w+", said))
    return {name for name, called in closure({name: words & set(body) for name, words in body.items()}).items()
            if name in called}


def incomplete(one):
    """Return functions whose code is in a tree and that lack a clause, or have a trivial one."""
    out = []
    for name in sorted(one.defined):
        text = one.rows.get(("contract", name))
        if text is None:
            out.append("%s: Frama-C has no contract of it" % name)
            continue
        found = [" ".join(clause[:2]) for clause in clauses(text.split(" | ", 1)[1].split(" "))]
        found += [" ".join(clause) for clause in clauses(text.split(" | ", 1)[1].split(" "))]
        lost = [word for word in ("terminates \\ true", "exits \\ false") if word not in found]
        lost += ["assigns"] * (not any(said.startswith("assigns ") for said in found))
        out += ["%s: Frama-C has no clause %s of it" % (name, word.replace("\\ ", "\\")) for word in lost]
    return out


def faults(one):
    """Report faults of the tree of the whole core."""
    out = one.faults + circles(one) + incomplete(one)
    measured = {line.split(":")[0] for line in source.listed("recursive")}
    out += ["logic %s is recursive and not listed with its measure" % name for name in sorted(endless(one) - measured)]
    out += ["%s function %s has no body: its contract would be an axiom" %
            ("ghost" if name in one.ghosts else "the", name) for name in sorted(one.declared - one.defined)]
    return out


def beside(each, one):
    """Report faults of a file that is no part of the core's unit: what calls itself, and what has no body anywhere."""
    if each.path not in source.BESIDE:
        return []
    bodies = each.defined | one.defined | source.functions(source.TEXT) | source.functions(source.WRITE)
    return circles(each) + ["%s: the function %s has no body: its contract would be an axiom" % (each.path, name)
                            for name in sorted(each.declared - bodies)]


def wrong(one, units):
    """Report faults of the tree of the whole core and of its files, and differences between them."""
    told = faults(one) + [fault for each in units for fault in each.faults + incomplete(each) + beside(each, one)]
    names = collections.Counter(row.rsplit("\t", 1)[0] for row in rows([one] + units))
    return told + ["Frama-C takes %s differently in different files" % name.replace("\t", " ")
                   for name in sorted(names) if names[name] > 1]


def check(one, units, complete):
    """Return all that prove.py and this script report about the trees: wrong(), and differences from the ledger.
    complete: units are all files, so that a row of the ledger that no tree contains is a fault."""
    known, now = kept(), rows([one] + units)
    lost = sorted(known - now) if complete else []
    return wrong(one, units) + ["not taken by Frama-C as the ledger has it: " + row.replace("\t", " ") for row in lost] + \
        [fault for each in [one] + units for fault in unlisted(each, known)]


def main(paths):
    args, write = argparse.Namespace(machdep=""), paths == ["--write"]
    every = write or not paths
    os.chdir(source.ROOT)
    framac.configure(os.path.join(source.ROOT, "build", "prove"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        one, units = whole(args), list(pool.map(lambda path: unit(path, args), sorted(source.shipped()) + source.CALLERS
                                                if every else paths))
    now = rows([one] + units)
    if write and not wrong(one, units):
        with open(os.path.join(source.ROOT, LEDGER), "w", encoding="utf-8") as f:
            f.write("\n".join(["kind\tname\thash"] + sorted(now)) + "\n")
    told = check(one, units, every)
    print("\n".join(told + ["%d passed, %d failed" % (len(now & kept()), len(told))]))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
