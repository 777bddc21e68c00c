"""Translate mutants of the specification in logic to Python: quantifiers that may have lost an end of their range,
and definitions of which one step is taken.

A variable that lacks an end of its range runs over a window of values. A witness in the window decides. If there
is none, the question is undecided, but while `everything` is not empty the window counts as everything.
"""
import acsl

everything = []  # not empty while the values that are tried count as everything


def sought(kind, values, complete, holds):
    """A quantifier over these values: a witness decides; if there is none, that these were all decides."""
    complete = complete or bool(everything)
    for at in values:
        try:
            if bool(holds(at)) != (kind == "forall"):
                return kind == "exists"
        except acsl.Undecided:
            complete = False
    if not complete:
        raise acsl.Undecided
    return kind == "forall"


def window(low, high):
    """Return some values of a variable that lacks an end of its range."""
    low = min(-2, (high or 0) - 12) if low is None else low
    return range(low, max(0, low) + 12 if high is None else high)


class Altered(acsl.Translator):
    """The source of a mutant, whose quantifiers may have lost their ranges."""

    def quantified(self, tree):
        """A \\forall without a premise is about everything."""
        if tree[0] == "exists" or tree[2][0] == "==>":
            return super().quantified(tree)
        outer, self.names = self.names, self.names | set(tree[1])
        body = self.term(tree[2])
        ranges = [self.range_of(name, None, None) if name == acsl.OF_BITS else
                  (name, None, None, acsl.AMONG.get(name)) for name in tree[1]]
        self.names = outer
        return self.windows("forall", ranges, body)

    def windows(self, kind, ranges, body):
        for name, low, high, many in reversed(ranges):
            whole = many or None not in (low, high)
            values = "span(%s, %s, %s)" % (low, high, many) if whole else "window(%s, %s)" % (low, high)
            body = "sought(%r, %s, %s, lambda %s: %s)" % (kind, values, bool(whole), name, body)
        return body

    def bounds(self, tree, name, bound):
        """Also accept x == a: from a to a."""
        if tree[0] == "chain" and tree[1][1::2] == ["=="] and ("name", name) in tree[1]:
            other = tree[1][2 if tree[1][0] == ("name", name) else 0]
            if not (other[0] == "name" and other[1] in bound):
                return self.term(other), self.term(other) + " + 1"
        return super().bounds(tree, name, bound)


class OneStep(Altered):
    """A definition whose recursive calls call the original definition."""

    def statement(self, tree, depth):
        if tree[0] == "call" and tree[1] == self.d.name:
            self.line(depth, self.falls(tree[2]))
            self.line(depth, "return %s(%s)" % (self.d.name, ", ".join(map(self.term, tree[2]))))
        else:
            super().statement(tree, depth)
