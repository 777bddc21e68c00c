"""Run the proof on mutants and seeded faults: prove the functions that they touch, until a goal is not proved.

    proofs = Proofs(); proofs.move("-0"); proofs.run(mutant) -> Outcome
    proofs.change(path, text, {file: functions}) -> the goal that is not proved then

The time limit of a prover is measured on the original function: LIMITS has the times, and each goal of the
function needs at most a quarter of the chosen one. So no goal fails only for lack of time. Goals that need more than
a quarter even of the longest time are asked last, with LAST.
"""
import argparse
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/mutation", "proofs")]
import framac  # noqa: E402
import mutate  # noqa: E402
import seal  # noqa: E402
import source  # noqa: E402
from mutant_tests import BUILD, PARTS, Outcome, digest, read  # noqa: E402

TREE = os.path.join(BUILD, "prove-tree")
LIMITS = (2, 8, 30)
LAST = 120  # four times the longest


def seconds(line):
    """Return the seconds of the prover of a valid goal; Qed alone takes almost none."""
    found = re.findall(r"\((\d+(?:\.\d+)?)(m?)s\)", line)
    return float(found[-1][0]) / (1000 if found[-1][1] else 1) if found else 0.0


def regions(text):
    """Return {function: its text with everything before it since the last function, including its contract}."""
    out, at = {}, 0
    for part in mutate.parts(text):
        if part.returns is not None:
            out[part.name] = text[at:part.tokens[-1].end]
            at = part.tokens[-1].end
    return out


class Proofs:
    """A copy of the core in which functions are proved."""

    def __init__(self):
        self.statements, self.tree = {}, ""
        framac.configure(os.path.join(BUILD, "prove"))
        self.flags = framac.flags(argparse.Namespace(machdep=""))
        shared = [p for p in source.annotated() if not p.endswith(".c")]
        self.shared = digest(" ".join(self.flags), repr(LIMITS), read("proofs/sealed"), *map(read, shared))
        self.regions = {name: regions(read("src/core/%s.c" % name)) for name in PARTS}
        self.hypotheses = source.listed("hypotheses")

    def move(self, name):
        """Make the copy. Each process needs one of its own."""
        self.tree = TREE + name
        shutil.rmtree(self.tree, ignore_errors=True)
        for folder in ("src/core", "src/core_text", "src/core_write", "include", "spec", "proofs/lemmas"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(self.tree, folder))
        for path in source.CALLERS:
            shutil.copy(os.path.join(ROOT, path), os.path.join(self.tree, path))

    def statement(self, mutant):
        """Return the hash of all that the proof of this mutant depends on."""
        place = mutant.path, mutant.function
        if place not in self.statements:
            parts = [name for name, _ in self.touched(mutant)]
            self.statements[place] = digest(self.shared, *(read("src/core/%s.c" % name) for name in parts))
        return self.statements[place]

    def touched(self, mutant):
        """Return [(part, functions)] that a mutant changes: its function, or those that use its macro or table."""
        name = os.path.basename(mutant.path)[:-2]
        if mutant.in_function and name in PARTS:
            return [(name, [mutant.function])]
        if mutant.in_function:  # of a header: in the first file that includes it
            return [(part, [mutant.function]) for part in PARTS
                    if '#include "%s.h"' % name in read("src/core/%s.c" % part)][:1]
        names, found = {mutant.function}, None
        while found != names:  # macros that use macros
            found = set(names)
            for path in source.annotated():
                for macro, body in re.findall(r"^#define (\w+)[( ](.*)$", read(path), re.M):
                    if names & set(re.findall(r"\w+", body)):
                        names.add(macro)
        out = [(part, [f for f, text in self.regions[part].items() if names & set(re.findall(r"\w+", text))])
               for part in ([name] if name in PARTS else PARTS)]
        return [(part, functions) for part, functions in out if functions]

    def prove(self, path, functions, limit, cache="replay", but=(), goal="", whole=False):
        """Return (seconds of each goal that is proved, the first that is not, or why the text is refused). A goal
        of `but` may fail, and so may one whose name does not begin with `goal`. functions: empty for all. whole: go on
        after the first goal that is not proved."""
        part = os.path.basename(path)[:-2]
        sight = os.path.join(self.tree, "seen", part)
        seal.write(path, sight, self.tree)
        command = ["frama-c", *(flag.replace("-Ispec", "-I" + sight) for flag in self.flags),
                   "-wp-session", framac.cache.directory(framac.build, part), "-wp-cache", cache,
                   "-wp-timeout", str(limit), *(["-wp-fct", ",".join(functions)] if functions else []), path]
        run = subprocess.Popen(command, cwd=self.tree, env=framac.environment(self.tree), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                               start_new_session=True)
        times, failed, lines = {}, "", []
        for line in run.stdout:
            lines.append(line)
            if framac.GOAL.search(line):
                times[framac.GOAL.search(line).group(2)] = seconds(line)
            elif framac.FAILED.search(line) and not failed:
                left = next(filter(None, framac.FAILED.search(line).groups()))
                failed = left if left not in but and left.startswith(goal) else failed
                if failed and not whole:
                    break
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = run.wait()
        return times, failed or self.refused(part, status, lines)

    def refused(self, part, status, lines):
        """Return why the log shows no proof even without an open goal: what proofs/prove.py refuses."""
        run = framac.Run(part)
        framac.read(run, [line.rstrip("\n") for line in lines])
        if run.warnings:
            return "refused: " + run.warnings[0]
        if run.hypotheses - self.hypotheses:
            return "refused: new hypothesis " + sorted(run.hypotheses - self.hypotheses)[0]
        return "refused: status %d" % status if run.total is None or status else ""

    def baseline(self, path, function=""):
        """Return how long the goals of the original function, or of all of the file, take."""
        name = os.path.join(BUILD, "prove", "times", "%s-%s-%s.json" %
                            (os.path.basename(path)[:-2], function or "all", digest(self.shared, read(path))))
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "a+", encoding="ascii") as f:
            fcntl.flock(f, fcntl.LOCK_EX)  # another process may be at it
            f.seek(0)
            known = f.read()
            if not known:
                known = json.dumps(self.measured(path, [function] if function else []))
                f.write(known)
        return json.loads(known)

    def measured(self, path, functions):
        """Return how long the goals take: first with little time, since often one prover finds at once what the other
        never finds. What was proved then is proved from the cache."""
        for limit in LIMITS[1:]:
            times, failed = self.prove(path, functions, limit, "update", whole=limit < LIMITS[-1])
            if not failed:
                return times
        raise SystemExit("%s %s as it is: %s" % (path, " ".join(functions), failed))

    def run(self, mutant):
        """Return whether a goal of what the mutant touches is no longer proved; witness: that goal."""
        touched = {"src/core/%s.c" % part: functions for part, functions in self.touched(mutant)}
        failed = self.change(mutant.path, mutant.apply(read(mutant.path)), touched)
        return Outcome("killed", failed) if failed else Outcome("survived")

    def change(self, changed, text, proved, goal=""):
        """Return the first goal that is not proved with another text of the file `changed`, or "". proved: {file: its
        functions, or [""] for all}; goal: how the name of the goal begins."""
        times = [{name: took for function in functions for name, took in self.baseline(path, function).items()}
                 for path, functions in proved.items()]
        with open(os.path.join(self.tree, changed), "w", encoding="utf-8") as f:
            f.write(text)
        try:
            for (path, functions), known in zip(proved.items(), times):
                enough = [limit for limit in LIMITS if max(known.values()) <= limit / 4] + [LIMITS[-1]]
                slow = {name for name in known if known[name] > LIMITS[-1] / 4}
                functions = list(filter(None, functions))
                failed = self.prove(path, functions, enough[0], but=slow, goal=goal)[1]
                if slow and not failed:
                    failed = self.prove(path, functions, LAST, goal=goal)[1]
                if failed:
                    return failed
            return ""
        finally:
            shutil.copy(os.path.join(ROOT, changed), os.path.join(self.tree, changed))
