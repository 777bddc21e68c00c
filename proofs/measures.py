#!/usr/bin/env python3
"""Check that every recursive definition of the logic ends: Z3 shows that its measure decreases, and never below 0,
at each recursive call.

    proofs/measures.py

The measure is in the comment of a definition and in proofs/ASSUMPTIONS.md. Nothing is assumed about other
definitions or the file: the conditions on the path to the call must suffice, whatever the arguments are.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/logic", "proofs")]
import acsl  # noqa: E402
import source  # noqa: E402

STARTS = ["scan.acsl", "judge.acsl", "slice.acsl", "write.acsl"]
WORDS = {"&&": "and", "||": "or", "==>": "=>", "<==>": "=", "/": "quotient", "%": "rest"}
# ACSL's division, which truncates towards 0.
HEAD = """(define-fun whole ((a Int) (b Int)) Int (div (abs a) (abs b)))
(define-fun quotient ((a Int) (b Int)) Int (ite (= (>= a 0) (> b 0)) (whole a b) (- (whole a b))))
(define-fun rest ((a Int) (b Int)) Int (- a (* b (quotient a b))))
"""


class Formula:
    """Trees of one definition in the language of Z3; the functions that they call are arbitrary."""

    def __init__(self):
        self.declared = {}

    def any(self, name, args):
        self.declared[name + "_%d" % len(args)] = len(args)
        return "(%s_%d %s)" % (name, len(args), " ".join(args)) if args else name + "_0"

    def term(self, tree, env):
        kind = tree[0]
        if kind == "number":
            return str(tree[1])
        if kind == "name":
            return env[tree[1]] if tree[1] in env else self.any(tree[1], [])
        if kind == "let":
            return self.term(tree[3], {**env, tree[1]: self.term(tree[2], env)})
        if kind == "call":
            return self.any(tree[1], [self.term(arg, env) for arg in tree[2]])
        if kind == "read":
            return self.any("bytes", [self.term(tree[2], env)])
        if kind == "field":
            return self.any(tree[2], [self.term(tree[1], env)])
        if kind == "if":
            return "(ite %s)" % " ".join(self.term(part, env) for part in tree[1:])
        if kind == "chain":
            return self.chain([part if isinstance(part, str) else self.term(part, env) for part in tree[1]])
        if kind in ("minus", "not"):
            return "(%s %s)" % ("-" if kind == "minus" else "not", self.term(tree[1], env))
        return "(%s %s %s)" % (WORDS.get(kind, kind), self.term(tree[1], env), self.term(tree[2], env))

    @staticmethod
    def chain(parts):
        links = ["(%s %s %s)" % ({"==": "=", "!=": "distinct"}.get(parts[k], parts[k]), parts[k - 1], parts[k + 1])
                 for k in range(1, len(parts), 2)]
        return "(and %s)" % " ".join(links)

    def calls(self, tree, name, env, path):
        """Return (arguments, conditions) of each recursive call in the body of the function."""
        if tree[0] == "let":
            yield from self.calls(tree[2], name, env, path)
            yield from self.calls(tree[3], name, {**env, tree[1]: self.term(tree[2], env)}, path)
        elif tree[0] == "if":
            yield from self.calls(tree[1], name, env, path)
            condition = self.term(tree[1], env)
            yield from self.calls(tree[2], name, env, path + [condition])
            yield from self.calls(tree[3], name, env, path + ["(not %s)" % condition])
        else:
            if tree[:2] == ("call", name):
                yield [self.term(arg, env) for arg in tree[2]], path
            for part in tree[1:]:
                for inner in part if isinstance(part, list) else [part]:
                    if isinstance(inner, tuple):
                        yield from self.calls(inner, name, env, path)


def question(d):
    """Return the formula for which Z3 must find no model; None if the definition is not recursive."""
    if d.name not in acsl.called(d.body):
        return None
    formula = Formula()
    env = {name: "x_" + name for name in d.params}
    found = list(formula.calls(d.body, d.name, env, []))
    if d.measure is None:
        return "(assert true)"
    old, wrong = formula.term(d.measure, env), []
    for args, path in found:
        new = formula.term(d.measure, dict(zip(d.params, args)))
        wrong.append("(and true %s (not (and (<= 0 %s) (< %s %s))))" % (" ".join(path), new, new, old))
    lines = ["(declare-const %s Int)" % name for name in env.values()]
    lines += ["(declare-fun %s (%s) Int)" % (name, " ".join(["Int"] * n)) for name, n in formula.declared.items()]
    return "\n".join(lines + ["(assert (or %s))" % " ".join(wrong)])


def falls(d):
    """Return whether the measure decreases; None if the definition is not recursive."""
    asked = question(d)
    if asked is None:
        return None
    done = subprocess.run(["z3", "-T:20", "-in"], input=HEAD + asked + "\n(check-sat)\n", stdout=subprocess.PIPE,
                          universal_newlines=True, check=False)
    return done.stdout.strip() == "unsat"


def faults(result):
    """Return the definitions whose measure need not decrease, and those missing in the list of
    proofs/ASSUMPTIONS.md."""
    listed = {line.split(":")[0] for line in source.listed("recursive")}
    recursive = {name for name, good in result.items() if good is not None}
    unlike = "%s: is it recursive? its definition and proofs/ASSUMPTIONS.md disagree"
    return ["the measure of %s need not fall" % name for name in sorted(recursive) if not result[name]] + \
        [unlike % name for name in sorted(listed ^ recursive)]


def main():
    if not shutil.which("z3"):
        print("z3 is needed")
        return 77
    result = {d.name: falls(d) for d in acsl.definitions(STARTS)}
    problems = faults(result)
    print("\n".join(problems + ["%d passed, %d failed" % (sum(good is True for good in result.values()), len(problems))]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
