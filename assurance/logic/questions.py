"""Questions about a definition of the logic, and their answers: put at once, or collected to be put again."""
import contextlib
from types import SimpleNamespace

import acsl

NONE = (1 << 64) - 1  # a field of the error that does not apply
Fields = SimpleNamespace


class Box(Fields):
    """A structure: equal only to itself."""
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class Wrong(Exception):
    """A predicate has a wrong value."""


given = {}  # functions in the place of definitions, for the questions that are put now


@contextlib.contextmanager
def replaced(space, functions):
    """Put these functions in the place of definitions for a while."""
    definitions = {name: space[name] for name in functions}
    space.update(functions)
    try:
        yield
    finally:
        space.update(definitions)


@contextlib.contextmanager
def in_place(space, functions):
    """Put questions with these functions in the place of definitions, now and whenever they are put again."""
    given.update(functions)
    try:
        with replaced(space, functions):
            yield
    finally:
        given.clear()


class Check:
    """A question about one definition and its answer, to be put again to a mutant (../mutation/spec_trials.py)."""

    def __init__(self, test, wanted, name, args):
        self.test, self.wanted, self.name, self.args = test, wanted, name, args
        self.points, self.counts, self.answered = acsl.points[:], acsl.counts[:], False
        self.given = dict(given)

    def ask(self, space):
        """Ask again. If there was an answer once, there must be one."""
        acsl.points[:], acsl.counts[:] = self.points, self.counts
        with replaced(space, self.given):
            self.answered = self.test(self.wanted, space[self.name], *self.args, total=self.answered)


listeners = []  # of a run of the checks that is to be repeated: the last is called with each


def is_holding(wanted, predicate, *args, total=False):
    """Return whether there was an answer."""
    try:
        said = predicate(*args)
    except acsl.Fault:
        if not wanted and not total:
            return False
        raise
    if bool(said) != wanted:
        raise Wrong("%s is %s of %s" % (predicate.__name__, said, args[1:]))
    return True


def is_giving(wanted, function, *args, total=False):  # pylint: disable=unused-argument
    said = function(*args)
    if said != wanted:
        raise Wrong("%s returns %s for %s, not %s" % (function.__name__, said, args[1:], wanted))
    return True


def is_number(wanted, said, total=False):  # pylint: disable=unused-argument
    if said != wanted:
        raise Wrong("%s is the value of %s" % (said, wanted))
    return True


def holds(wanted, predicate, *args):
    """Check that the predicate holds for these arguments exactly if it is expected to; without an answer it does
    not hold."""
    if listeners:
        listeners[-1](Check(is_holding, wanted, predicate.__name__, args))
    else:
        is_holding(wanted, predicate, *args)


def gives(wanted, function, *args):
    if listeners:
        listeners[-1](Check(is_giving, wanted, function.__name__, args))
    else:
        is_giving(wanted, function, *args)


def constant(space, name, wanted):
    """Check a constant."""
    if listeners:
        listeners[-1](Check(is_number, wanted, name, ()))
    else:
        is_number(wanted, space[name])


def equal(one, other, what):
    if one != other:
        raise Wrong("%s: logic %s, not %s" % (what, one, other))


def altered(record, **fields):
    return Box(**{**vars(record), **fields})


def one(record):
    return acsl.Cells([record])
