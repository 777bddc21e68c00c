"""Run the proof on mutants: prove the functions that a mutant touches, until a goal is not proved.

    proofs = Proofs(); proofs.move("-0"); proofs.run(mutant) -> Outcome

The time limit of a prover is measured on the original function: LIMITS has the times, and each goal of the
function needs at most a quarter of the chosen one. So no goal fails only for lack of time. If a goal needs more
than a quarter even of the longest time, its failure does not count.
"""
import argparse
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
LIMITS = (2, 8, 30)  # the last is that of proofs/flags


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
        for folder in ("src/core", "include", "spec", "proofs/lemmas"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(self.tree, folder))

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

    def prove(self, part, functions, limit, cache="replay", but=()):
        """Return (seconds of each goal that is proved, the first that is not, or why the text is refused). A goal
        of `but` may fail."""
        path, sight = "src/core/%s.c" % part, os.path.join(self.tree, "seen", part)
        seal.write(path, sight, self.tree)
        command = ["frama-c", *(flag.replace("-Ispec", "-I" + sight) for flag in self.flags),
                   "-wp-session", framac.cache.directory(framac.build, part), "-wp-cache", cache,
                   "-wp-timeout", str(limit), "-wp-fct", ",".join(functions), path]
        run = subprocess.Popen(command, cwd=self.tree, env=framac.environment(self.tree), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                               start_new_session=True)
        times, failed, lines = {}, "", []
        for line in run.stdout:
            lines.append(line)
            if framac.GOAL.search(line):
                times[framac.GOAL.search(line).group(2)] = seconds(line)
            elif framac.FAILED.search(line) and not failed:
                goal = next(filter(None, framac.FAILED.search(line).groups()))
                failed = "" if goal in but else goal
                if failed:
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

    def baseline(self, part, function):
        """Return how long the goals of the original function take."""
        name = os.path.join(BUILD, "prove", "times", "%s-%s-%s.json" %
                            (part, function, digest(self.shared, read("src/core/%s.c" % part))))
        if not os.path.exists(name):
            times, failed = self.prove(part, [function], LIMITS[-1], "update")
            if failed:
                raise SystemExit("%s as it is: %s" % (function, failed))
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "w", encoding="ascii") as f:
                json.dump(times, f)
        with open(name, encoding="ascii") as f:
            return json.load(f)

    def run(self, mutant):
        """Return whether a goal of what the mutant touches is no longer proved; witness: that goal."""
        touched = self.touched(mutant)
        times = [{goal: took for function in functions for goal, took in self.baseline(part, function).items()}
                 for part, functions in touched]
        with open(os.path.join(self.tree, mutant.path), "w", encoding="utf-8") as f:
            f.write(mutant.apply(read(mutant.path)))
        try:
            for (part, functions), known in zip(touched, times):
                enough = [limit for limit in LIMITS if max(known.values()) <= limit / 4] + [LIMITS[-1]]
                slow = {goal for goal in known if known[goal] > LIMITS[-1] / 4}
                failed = self.prove(part, functions, enough[0], but=slow)[1]
                if failed:
                    return Outcome("killed", failed)
            return Outcome("survived")
        finally:
            shutil.copy(os.path.join(ROOT, mutant.path), os.path.join(self.tree, mutant.path))
