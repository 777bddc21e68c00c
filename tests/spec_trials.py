"""The comparison of logic and model (tests/logic.py) as mutants of the logic meet it: all at once, file by file.

    Trials().run(mutants, cases) yields (mutant, how it was killed or "", the file that shows it)

A definition is called with the same arguments in many files, and most mutants give another result at one of the
first. So each file is compared once with the logic as it stands, all calls are kept, and each mutant of a
definition is asked what it says at those calls, where the definitions that it calls, itself too, are as they
stand. As long as it says the same, the whole comparison would say the same. If it says something else, the file is
compared with the mutant in its place: only what fails then is a kill.
"""
import collections
import re
import time

import acsl
import logic
import logic_view
import measures
import model
import spec_mutate

CRASH = "crash: "  # no other answer, but none: it reads what is not there, does not end, ...
WITHOUT = "no file: "
ROUNDS = 20  # times as many calls as the logic as it stands: then it does not end


OPEN = "not tried to the end"
LONG = 8000  # no definition has as many characters
# Files of a verdict where a mutant says something else and the comparison does not: from then on one of so many.
OFTEN = 8


class Endless(acsl.Fault):
    """Many more calls than without the mutant."""


class OneStep(acsl.Translator):
    """A definition whose calls of itself are calls of the definition as it stands."""

    def statement(self, tree, depth):
        if tree[0] == "call" and tree[1] == self.d.name:
            self.line(depth, self.falls(tree[2]))
            self.line(depth, "return %s(%s)" % (self.d.name, ", ".join(map(self.term, tree[2]))))
        else:
            super().statement(tree, depth)


def hooked(source, name, params):
    """With a call of hook_() in each round."""
    head = "    while True:\n"
    return source.replace(head, head + "        hook_(%r, (%s))\n" % (name, "".join(p + ", " for p in params)), 1)


class Trial:
    """A mutant, as a definition of its own."""

    def __init__(self, trials, mutant):
        self.mutant, self.trials, self.masked = mutant, trials, collections.Counter()
        old, text = trials.definition[mutant.function], trials.text(mutant.path)
        text = text[mutant.in_function:mutant.begin] + mutant.text + text[mutant.end:mutant.end + LONG]
        body = acsl.renamed(acsl.Parser(text).expression(), trials.twice)
        self.definition = acsl.Definition(old.name, old.params, body, old.measure)
        known = {**trials.known_before[old.name], old.name: len(old.params)}
        self.known = known
        source = OneStep(self.definition, known, False).source().replace("def %s(" % old.name, "def one_step(", 1)
        space = trials.space
        exec(compile(source, old.name, "exec"), space)  # pylint: disable=exec-used
        self.step = space.pop("one_step")

    def differs(self, args, value):
        try:
            return self.step(*args) != value
        except Exception:  # pylint: disable=broad-except
            return True

    def killed(self, case, calls):
        """What the comparison of this file says with the mutant in its place, or ""."""
        space, name = self.trials.space, self.definition.name
        acsl.forget()
        old = space[name]
        source = hooked(acsl.Translator(self.definition, self.known, False).source(), name, self.definition.params)
        exec(compile(source, name, "exec"), space)  # pylint: disable=exec-used
        if not self.definition.params:
            space[name] = space[name]()
        elif name in self.trials.slow:
            space[name] = acsl.remembered(space[name])
        self.trials.left = calls
        space["hook_"] = self.trials.tick
        try:
            return compared(space, case)
        except acsl.Undecided:
            return ""
        except logic_view.Wrong as wrong:
            return str(wrong)
        except Exception as error:  # pylint: disable=broad-except
            return CRASH + str(error)
        finally:
            if name in self.trials.slow:
                acsl.caches.pop()
            space[name], space["hook_"] = old, ignore
            acsl.forget()


def ignore(name, args):
    pass


def compared(space, case):
    """What is wrong with one file, or without a file."""
    if callable(case):
        case(space)
        return ""
    return logic.compare_stages(space, *case)[0]


class Trials:
    def __init__(self):
        roots = list(logic.ROOTS) + list(spec_mutate.named_codes())
        found = acsl.reached(acsl.definitions(logic.STARTS), roots)
        self.definition = {d.name: d for d in acsl.reached(found, logic.ROOTS)}
        names = [name for name, _ in spec_mutate.pointers()]
        self.twice = {name for name in names if names.count(name) > 1}
        self.space, known = acsl.load(logic.STARTS, roots)
        self.known_before, before = {}, {}
        for d in found:
            self.known_before[d.name] = dict(before)
            before[d.name] = known[d.name]
        self.slow, self.left, self.recorded, self.texts = set(), 0, None, {}
        self.space["hook_"] = ignore
        self.hook(found)

    def hook(self, found):
        """Every definition once more, with the call that keeps its arguments."""
        for d in found:
            if not d.params:
                continue
            source = hooked(acsl.Translator(d, {**self.known_before[d.name], d.name: len(d.params)}).source(),
                            d.name, d.params)
            calls = set(re.findall(r"(\w+)\(", source.split("\n", 1)[1]))
            exec(compile(source, d.name, "exec"), self.space)  # pylint: disable=exec-used
            if (calls & (self.slow | {d.name}) or "continue" in source) and d.params[0] in ("b", "head"):
                self.slow.add(d.name)
                self.space[d.name] = acsl.remembered(self.space[d.name])

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = spec_mutate.blank(spec_mutate.read(path))
        return self.texts[path]

    def record(self, name, args):
        self.recorded[name].add(args)

    def tick(self, name, args):  # pylint: disable=unused-argument
        self.left -= 1
        if self.left < 0:
            raise Endless("it does not end")

    def calls(self, case):
        """{definition: the arguments it is called with} in this file."""
        self.recorded = collections.defaultdict(set)
        self.space["hook_"] = self.record
        acsl.forget()
        text = compared(self.space, case)
        self.space["hook_"] = ignore
        if text:
            raise SystemExit("without a mutant: " + text)
        return self.recorded

    @staticmethod
    def given(cases):
        yield from ((WITHOUT + section.__name__, section) for section in logic.SECTIONS)
        for name, data, size, options, _ in cases:
            if min(len(data), 8 + int.from_bytes(data[:8], "little")) <= logic.LARGE:
                options = {**model.OPTIONS, **options}
                yield name, (data, size, options, model.judge(data, size, options))

    def run(self, mutants, cases, until=float("inf")):
        """(mutant, what is said with it, the file) of each that is killed; then the others."""
        living, constants, unread = collections.defaultdict(list), [], []
        for mutant in mutants:
            try:
                trial = Trial(self, mutant)
            except (acsl.Unreadable, SyntaxError) as error:
                yield mutant, "not read: %s" % error, ""
                continue
            (living[mutant.function] if trial.definition.params else constants).append(trial)
        for name, case in self.given(cases):
            if time.time() > until:
                break
            found = self.calls(case)
            limit = ROUNDS * sum(map(len, found.values())) + 10000
            for trial in list(constants):
                text = trial.killed(case, limit) if self.concerns(trial, case) else ""
                if text:
                    constants.remove(trial)
                    yield trial.mutant, text, name
            for function, calls in found.items():
                for trial in list(living[function]):
                    text = self.tried(trial, calls, case, limit)
                    if text:
                        living[function].remove(trial)
                        yield trial.mutant, text, name
        for trial in constants + [t for name in sorted(living) for t in living[name]]:
            if time.time() > until:
                yield trial.mutant, OPEN, ""
            elif measures.falls(trial.definition) is False:
                yield trial.mutant, CRASH + "its measure need not fall", "proofs/measures.py"
            else:
                yield trial.mutant, "", ""

    def concerns(self, trial, case):
        """A file that has the verdict whose number this is; of other numbers some files."""
        name = trial.definition.name
        if callable(case) or name[:2] in ("E_", "N_"):
            return callable(case) or case[3].code == self.space[name]
        trial.masked[case[3].code] += 1
        return case[3].code == 0 and trial.masked[0] < OFTEN * OFTEN

    def tried(self, trial, calls, case, limit):
        old, head = self.space[trial.definition.name], None
        for args in calls:
            if args and args[0] is not head:  # what is remembered is of one head
                head = args[0]
                acsl.forget()
            try:
                value = old(*args)
            except acsl.Fault:  # asked of what is altered: it has no answer
                continue
            if trial.differs(args, value):
                code = case if callable(case) else case[3].code
                trial.masked[code] += 1
                often = trial.masked[code] > OFTEN and trial.masked[code] % OFTEN
                return "" if often else trial.killed(case, limit)
        return ""
