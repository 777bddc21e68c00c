"""Compare logic and model (assurance/logic/compare.py) for mutants of the logic, question by question.

    Trials().run(mutants, cases) yields (mutant, how it was killed or "", where)

Each question of the comparison (a Check of ../logic/questions.py, or a whole file) is put to the original logic,
and all calls on the way to the answer are kept. Each mutant of a definition is evaluated at those calls, where the
definitions that it calls, including itself, are the original ones. As long as the results are the same, the whole
comparison would have the same result. If a result differs, the question is put again with the mutant in place of
the definition: only a different answer is a kill.
"""
import collections
import re
import time

import acsl
import compare
import questions
from questions import replaced
import measures
import model
import spec_mutate
from spec_altered import Altered, OneStep, everything, sought, window

CRASH = "crash: "  # no answer: it reads what does not exist, does not end, ...
WINDOW = "in a window: "  # another answer if a quantifier that lost its range is about the values that are tried
WITHOUT = "no file: "
OPEN = "not tried to the end"
ROUNDS = 20  # times the calls of the original logic: then it does not end
LONG = 8000  # no definition has as many characters
KEPT = 3  # at most that many of the questions that lead to the same call
BATCH = 30000  # calls are kept before the mutants are evaluated at them
TRIES = 60  # questions of a batch are put again for one mutant
FILES = 24  # whole files of one verdict are put again for one mutant; then one of that many more
FAULT = object()  # there is no answer


class Endless(acsl.Fault):
    """Many more calls than without the mutant."""


def hooked(source, name, params):
    """Return the source with a call of hook_() in each round."""
    head = "    while True:\n"
    return source.replace(head, head + "        hook_(%r, (%s))\n" % (name, "".join(p + ", " for p in params)), 1)


def ignore(name, args):
    pass


class File:
    """The question about a whole file: does the logic agree with the model in everything?"""
    name, answered, given = "", True, {}

    def __init__(self, case):
        self.case, self.code = case, case[3].code
        self.points, self.counts, self.limit = [], [], 0

    def ask(self, space):
        text = compare.compare_stages(space, *self.case)[0]
        if text:
            raise questions.Wrong(text)


class Trial:
    """A mutant, as a separate definition."""

    def __init__(self, trials, mutant):
        self.mutant, self.trials, self.masked, self.whole = mutant, trials, collections.Counter(), None
        self.guessed = None  # the message, and where, if a window counts as everything
        old, text = trials.definition[mutant.function], trials.text(mutant.path)
        text = text[mutant.in_function:mutant.begin] + mutant.text + text[mutant.end:mutant.end + LONG]
        body = acsl.renamed(acsl.Parser(text).expression(), trials.twice)
        self.definition = acsl.Definition(old.name, old.params, body, old.measure)
        self.known = {**trials.known_before[old.name], old.name: len(old.params)}
        source = OneStep(self.definition, self.known, False).source()
        self.step = self.compiled(source.replace("def %s(" % old.name, "def one_step(", 1), "one_step")

    def compiled(self, source, name):
        space = self.trials.space
        old = space.get(name)
        exec(compile(source, name, "exec"), space)  # pylint: disable=exec-used
        made, space[name] = space[name], old
        return made

    def differs(self, args, value):
        try:
            return self.step(*args) != value
        except acsl.Fault:
            return value is not FAULT
        except Exception:  # pylint: disable=broad-except
            return True

    def killed(self, question):
        """Return what is wrong with the answer with the mutant, or "". Without an answer for lack of a witness:
        what would be wrong if there is none."""
        text = self.asked(question)
        if text is not None:
            return text
        everything.append(True)
        text = self.asked(question)
        everything.clear()
        if text and not text.startswith(CRASH):
            self.guessed = self.guessed or (WINDOW + text, self.trials.place)
        return ""

    def asked(self, question):
        """Return what is wrong with the answer, "", or None if it is undecided."""
        space, name = self.trials.space, self.definition.name
        if self.whole is None:
            source = Altered(self.definition, self.known, False).source()
            self.whole = self.compiled(hooked(source, name, self.definition.params), name)
        acsl.forget()
        old, self.trials.left, heard = space[name], question.limit, questions.listeners[:]
        answered = question.answered  # by the original logic
        questions.listeners.clear()
        space["hook_"] = self.trials.tick
        try:
            space[name] = self.whole if self.definition.params else self.whole()
            if name in self.trials.slow:
                space[name] = acsl.remembered(self.whole)
            question.ask(space)
            return ""
        except acsl.Undecided:
            return None
        except questions.Wrong as wrong:
            return str(wrong)
        except Exception as error:  # pylint: disable=broad-except
            return CRASH + str(error)
        finally:
            if space[name] not in (old, self.whole) and self.definition.params:
                acsl.caches.pop()
            space[name], space["hook_"], question.answered = old, ignore, answered
            questions.listeners[:] = heard
            acsl.forget()


class Trials:
    def __init__(self):
        roots = list(compare.ROOTS) + list(spec_mutate.named_codes())
        found = acsl.reached(acsl.definitions(compare.STARTS), roots)
        self.definition = {d.name: d for d in acsl.reached(found, compare.ROOTS)}
        names = [name for name, _ in spec_mutate.pointers()]
        self.twice = {name for name in names if names.count(name) > 1}
        self.space, known = acsl.load(compare.STARTS, roots)
        self.known_before, before = {}, {}
        for d in found:
            self.known_before[d.name] = dict(before)
            before[d.name] = known[d.name]
        self.slow, self.left, self.texts = set(), 0, {}
        self.living, self.dead, self.place = collections.defaultdict(list), [], ""
        self.recorded, self.question, self.file, self.count, self.size = {}, None, None, 0, 0
        self.space.update(hook_=ignore, sought=sought, window=window)
        self.below = {}  # for each definition those that it uses, including itself
        for d in found:
            calls = acsl.called(d.body) & set(self.below)
            self.below[d.name] = {d.name}.union(*(self.below[name] for name in calls))
        self.hook(found)
        self.defined = dict(self.space)

    def hook(self, found):
        """Define everything again, with the call that keeps its arguments."""
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

    # ---- The calls on the way to an answer

    def record(self, name, args):
        self.count += 1
        if self.question and self.living.get(name):
            kept = self.recorded.setdefault(name, {}).setdefault(args, [])
            if self.question.name == name:
                kept.insert(0, self.question)
            elif len(kept) < KEPT and self.question not in kept:
                kept.append(self.question)

    def tick(self, name, args):  # pylint: disable=unused-argument
        self.left -= 1
        if self.left < 0:
            raise Endless("it does not end")

    def heard(self, check):
        """Put a question to the original logic, unless no living mutant can change the answer."""
        if not self.file and not any(self.living.get(name) for name in self.below[check.name]):
            return
        outer, before, self.question, self.count = self.question, self.count, check, 0
        if not self.file:
            acsl.forget()
        self.recorded.setdefault(check.name, {})
        try:
            check.ask(self.space)
        except (acsl.Fault, questions.Wrong) as wrong:
            raise SystemExit("without a mutant: %s: %s" % (self.place, wrong)) from wrong
        if not check.args:
            self.constants(check)
        remembered = before if self.file else 0  # in a file, results of earlier questions are remembered
        check.limit = ROUNDS * (remembered + self.count) + 10000
        self.size += self.count
        self.question, self.count = outer, before + self.count
        if self.size > BATCH and not self.file:
            self.tried()

    def constants(self, question):
        for trial in list(self.living.get(question.name, ())):
            question.limit = 10000
            self.judged(trial, trial.killed(question))
        self.space["hook_"] = self.record

    # ---- The mutants at those calls

    def judged(self, trial, text):
        if text:
            self.living[trial.mutant.function].remove(trial)
            self.dead.append((trial.mutant, text, self.place))

    def tried(self):
        """Evaluate every mutant at the calls that are kept: in the middle of a section, too, where functions are in the
        place of definitions for the next question."""
        points, counts = acsl.points[:], acsl.counts[:]
        self.space["hook_"], found = ignore, self.recorded
        self.recorded, self.size = {}, 0
        with replaced(self.space, {name: self.defined[name] for name in questions.given}):
            for function, calls in found.items():
                if self.living.get(function):
                    values = self.values(function, calls)
                    for trial in list(self.living[function]):
                        self.judged(trial, self.tried_at(trial, values))
        acsl.forget()
        acsl.points[:], acsl.counts[:] = points, counts
        self.space["hook_"] = self.record

    def values(self, function, calls):
        """Return (arguments, value of the definition, the questions), those about the definition itself first."""
        out = []
        for args, questions in calls.items():
            self.stand(questions[0])
            try:
                with replaced(self.space, questions[0].given):
                    out.append((args, self.space[function](*args), questions))
            except acsl.Fault:
                out.append((args, FAULT, questions))
        return sorted(out, key=lambda item: item[2][0].name != function)

    @staticmethod
    def stand(question):
        """Set the values of quantifiers without a range for this question."""
        if (acsl.points, acsl.counts) != (question.points, question.counts):
            acsl.points[:], acsl.counts[:] = question.points, question.counts
            acsl.forget()

    def tried_at(self, trial, values):
        asked = set()
        for args, value, questions in values:
            self.stand(questions[0])
            with replaced(self.space, questions[0].given):
                same = not trial.differs(args, value)
            if same:
                continue
            for question in questions + ([self.file] if self.file else []):
                if question not in asked and self.worth(trial, question):
                    asked.add(question)
                    text = trial.killed(question)
                    if text:
                        return text
            if len(asked) > TRIES:
                break
        return ""

    @staticmethod
    def worth(trial, question):
        """Return which of the whole files that do not show a mutant are tried."""
        if question.name:
            return True
        trial.masked[question.code] += 1
        return trial.masked[question.code] <= FILES or trial.masked[question.code] % FILES == 0

    # ---- All

    def section(self, name, section):
        self.place, self.file, self.question = name, None, None
        self.run_one(lambda: section(self.space))

    def whole(self, name, case):
        self.place, self.file, self.count = name, File(case), 0
        self.question = self.file
        self.run_one(lambda: self.file.ask(self.space))
        for trial in [t for trials in list(self.living.values()) for t in trials if not t.definition.params]:
            if trial.definition.name[:2] not in ("E_", "N_") or case[3].code == self.space[trial.definition.name]:
                self.judged(trial, trial.killed(self.file) if self.worth(trial, self.file) else "")

    def run_one(self, ask):
        acsl.forget()
        self.recorded, self.size = {}, 0
        self.space["hook_"] = self.record
        questions.listeners.append(self.heard)
        try:
            ask()
        except (acsl.Fault, questions.Wrong) as wrong:
            raise SystemExit("without a mutant: %s: %s" % (self.place, wrong)) from wrong
        finally:
            questions.listeners.pop()
        if self.file:
            self.file.points, self.file.counts = acsl.points[:], acsl.counts[:]
            self.file.limit = ROUNDS * self.count + 10000
        self.tried()
        self.space["hook_"] = ignore

    def asked(self, cases):
        for section in compare.SECTIONS:
            yield lambda section=section: self.section(WITHOUT + section.__name__, section)
        for name, data, size, options, _ in cases:
            if min(len(data), 8 + int.from_bytes(data[:8], "little")) <= compare.LARGE:
                options = {**model.OPTIONS, **options}
                case = data, size, options, model.judge(data, size, options)
                yield lambda name=name, case=case: self.whole(name, case)

    def run(self, mutants, cases, until=float("inf")):
        """Yield (mutant, message, where) of each that is killed; then the others."""
        for mutant in mutants:
            try:
                self.living[mutant.function].append(Trial(self, mutant))
            except (acsl.Unreadable, SyntaxError) as error:
                yield mutant, "not read: %s" % error, ""
        for ask in self.asked(cases):
            if time.time() > until or not any(self.living.values()):
                break
            ask()
            yield from self.dead
            self.dead = []
        for trial in [t for name in sorted(self.living) for t in self.living[name]]:
            if time.time() > until:
                yield trial.mutant, OPEN, ""
            elif measures.falls(trial.definition) is False:
                yield trial.mutant, CRASH + "its measure need not fall", "proofs/measures.py"
            elif trial.guessed:
                yield (trial.mutant, *trial.guessed)
            else:
                yield trial.mutant, "", ""
