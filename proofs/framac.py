"""Run Frama-C and read its logs."""
import collections
import csv
import os
import re
import shlex
import subprocess
import time

import cache
import seal
import source

CACHED = re.compile(r"\(cached\)\s*$")
GOAL = re.compile(r"^\[wp\] \[(?!Failed|Passed)([^\]]+)\] Goal (?:typed_)?(\w+) : Valid")
# How long the prover took for a goal: the last time on its line.
TOOK = re.compile(r"\((?:(\d+)')?([0-9.]+)(ms|s|)\)(?: \(\d+\))?(?: \(cached\))?\s*$")
FAILED = re.compile(r"^\[wp\] \[Failed\] Goal (?:typed_)?(\w+)|^\[wp\] \[[^\]]*\] Goal (?:typed_)?(\w+) : (?!Valid)")
# A smoke test passes if a prover can't show a contradiction between the assumptions at some point.
PASSED_SMOKE = re.compile(r"^\[wp\] \[Passed\] Smoke-test")
FAILED_SMOKE = re.compile(r"^\[wp\] \[Failed\] Smoke-test (?:typed_)?(\w+)")
TOTAL = re.compile(r"^\[wp\] Proved goals:\s+(\d+) / (\d+)")
HYPOTHESIS = re.compile(r"Memory model hypotheses for function '(\w+)':")
# Any of these words in the log makes the run invalid.
VOID = re.compile(r"Warning|Missing |not yet supported|skipped|might be unsound|User Error|Ignoring|Degenerated|"
                  r"Failed smoke-test|aborted|Unexpected error|[Nn]o code nor|[Nn]either code nor")
FIRST = ["-wp-timeout", "8"]  # seconds for one prover on one goal at the first attempt
ALONE = 2  # seconds in which a prover proves a goal alone: with more, the table of both takes hours
build = ""


class Run:
    """What the log of one file contains."""

    def __init__(self, path):
        self.path, self.status, self.total, self.smoke, self.seconds, self.cached = path, 0, None, 0, 0.0, 0
        self.valid, self.failed, self.warnings, self.faults = [], [], [], []
        self.hypotheses, self.used, self.contracts, self.tree, self.skipped = set(), set(), {}, None, False
        self.proved_by, self.slowest = {}, (0.0, "")  # the prover of each goal; seconds, goal

    @property
    def provers(self):
        """Return how many goals each prover proved."""
        return collections.Counter(self.proved_by.values())


def configure(directory):
    """Set the folder of all output, with an own configuration of Why3, so that the user's does not matter."""
    global build
    build = directory
    os.makedirs(build, exist_ok=True)
    kept = os.path.join(build, "why3.conf")
    new = "%s.%d" % (kept, os.getpid())  # always new: an old one could name other provers
    os.environ.update(WHY3CONFIG=new, HOME=build)
    subprocess.run(["why3", "config", "detect"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.replace(new, kept)
    os.environ["WHY3CONFIG"] = kept


def flags(args):
    out = []
    with open(os.path.join(source.ROOT, "proofs", "flags"), encoding="ascii") as f:
        for line in f:
            out += shlex.split(line, comments=True)
    if args.machdep:
        out[out.index("-machdep") + 1] = args.machdep
    if args.machdep == "x86_32":  # gcc's <stddef.h>, but not the core, has a type of 128 bits that Frama-C lacks
        out.insert(0, "-cpp-extra-args=-D_GCC_MAX_ALIGN_T")
    return out


def environment(tree):
    """Return the environment of a run, without variables that could influence a preprocessor or Frama-C. Frama-C
    trusts PWD more than its current directory."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "HOME", "WHY3CONFIG") if name in os.environ}
    return dict(kept, LC_ALL="C", PWD=tree)


def reading(sight, args):
    """Return the beginning of the command, which defines how sources are read. sight: the folder of the
    specification."""
    found = [flag.replace("-Ispec", "-I" + sight) for flag in flags(args)]
    return ["frama-c"] + found[:found.index("-machdep") + 2]


def call(path, args, kind, more, after=(), tree=source.ROOT, end=None, prover=""):
    """Run Frama-C once; return (status, lines of the log). The cache makes a repetition fast: an unchanged goal is
    not proved again. end: when subprocess.TimeoutExpired is raised. prover: the only one that is used (Frama-C adds a
    second -wp-prover to the first)."""
    name = os.path.basename(path)[:-2] + ("-" + args.machdep if args.machdep else "")
    sight = os.path.join(build, "spec", name)
    seal.write(path, sight, tree)
    session = cache.opened(build, name)
    command = ["frama-c"] + [f.replace("-Ispec", "-I" + sight) for f in flags(args)]
    if prover:
        command[command.index("-wp-prover") + 1] = prover
    command += ["-wp-session", session, "-wp-cache", "update"] + list(more) + [path] + list(after)
    done = subprocess.run(command, cwd=tree, env=environment(tree), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False,
                          timeout=end and max(0, end - time.time()))
    cache.closed(session)
    log = os.path.join(build, "log", "%s.%s.log" % (name, kind))
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "w", encoding="utf-8") as f:
        f.write(" ".join(map(shlex.quote, command)) + "\n" + done.stdout)
    return done.returncode, done.stdout.splitlines()


def seconds_of(line):
    """Return how long the prover took, or 0 for a goal that WP proved itself."""
    found = TOOK.search(line)
    if not found or GOAL.search(line).group(1) in ("Qed", "CFG"):
        return 0.0
    return 60 * int(found[1] or 0) + float(found[2]) / (1000 if found[3] == "ms" else 1)


def read(run, lines):
    """Sort the lines of a log into the fields of run."""
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if GOAL.search(line):
            run.valid.append(GOAL.search(line).group(2))
            run.cached += CACHED.search(line) is not None
            run.proved_by[GOAL.search(line).group(2)] = GOAL.search(line).group(1).split()[0]
            run.slowest = max(run.slowest, (seconds_of(line), GOAL.search(line).group(2)))
        elif FAILED.search(line):
            run.failed.append(next(filter(None, FAILED.search(line).groups())))
        elif TOTAL.search(line):
            run.total = tuple(map(int, TOTAL.search(line).groups()))
        elif "Warning:" in line and at < len(lines) and HYPOTHESIS.search(lines[at]):
            at = read_hypotheses(run, lines, at)
        elif VOID.search(line):
            run.warnings.append(line.strip() + (" " + lines[at].strip() if line.rstrip().endswith(":") else ""))


def read_hypotheses(run, lines, at):
    """Read the hypotheses that begin at lines[at], as `function: hypothesis`; return the line after them."""
    function, text, at = HYPOTHESIS.search(lines[at]).group(1), "", at + 1
    while at < len(lines) and "*/" not in lines[at]:
        text, at = text + " " + lines[at].strip(), at + 1
    for clause in re.split(r"\brequires\b", text)[1:]:
        run.hypotheses.add("%s: %s" % (function, " ".join(clause.split()).rstrip("; ")))
    return at + 2  # the end of the comment, and the function's prototype


def read_contracts(run, path):
    """Read which clauses the functions of the file have, from Frama-C's own list of properties."""
    words = {"termination clause": "terminates", "assigns clause": "assigns"}
    mine = {g.rsplit("_", 1)[0] for g in run.valid + run.failed if g.endswith(("_terminates", "_exits"))}
    mine |= {re.sub(r"_(terminates|exits|assigns|ensures|assert_rte|loop)(_.*)?$", "", g) for g in run.valid + run.failed}
    with open(path, encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
            function, kind, text = row["function"], row["property kind"], row["property"]
            if function in mine:
                clauses = run.contracts.setdefault(function, set())
                if kind == "postcondition":
                    clauses.add("exits" if text == "\\false" else "ensures")
                elif kind in words and (words[kind] != "terminates" or text == "\\true"):
                    clauses.add(words[kind])


def proof(path, args, end=None):
    """Prove one file until end: first with little time for each goal, since most need none, and often one prover finds at
    once what the other never finds; then, if goals are left, their functions again with all the time. Proved goals
    come from the cache."""
    table = os.path.join(build, "log", os.path.basename(path) + args.machdep + ".csv")
    os.makedirs(os.path.dirname(table), exist_ok=True)
    if os.path.exists(table):
        os.remove(table)
    run = Run(path)
    run.status, lines = call(path, args, "proof", FIRST, ["-then", "-report-csv", table], end=end)
    read(run, lines)
    if os.path.exists(table):
        read_contracts(run, table)
    if run.status == 0 and run.failed:
        again = Run(path)
        left = sorted({function_of(goal, run.contracts) for goal in run.failed})
        again.status, lines = call(path, args, "again", ["-wp-fct", ",".join(left)] if all(left) else [], end=end)
        read(again, lines)
        merge(run, again)
    return run


def function_of(goal, functions):
    """Return the function that a goal belongs to: the longest whose name the goal begins with, or "" for a lemma."""
    return max((f for f in functions if goal.startswith(f + "_")), key=len, default="")


def merge(run, again):
    """Move the goals of run that were left to those that are proved, if again, a run of the same file, proved them.
    Whatever is wrong with the second log counts like what is wrong with the first."""
    proved = [goal for goal in run.failed if goal in again.proved_by]
    run.warnings += ["left by the second run alone: " + goal for goal in again.failed if goal not in run.failed]
    if again.total != (len(again.valid), len(again.valid) + len(again.failed)):
        run.warnings.append("the second log names %d of %s goals" % (len(again.valid) + len(again.failed), again.total))
    run.failed = [goal for goal in run.failed if goal not in proved]
    run.valid += proved
    run.total = run.total and (run.total[0] + len(proved), run.total[1])
    run.status, run.warnings, run.hypotheses = again.status, run.warnings + again.warnings, run.hypotheses | again.hypotheses
    run.proved_by.update((goal, again.proved_by[goal]) for goal in proved)
    run.slowest = max(run.slowest, again.slowest)


def by_prover(path, args, prover):
    """Return the goals that WP itself or this prover alone proves in ALONE seconds."""
    run = Run(path)
    run.status, lines = call(path, args, "second-" + prover, ["-wp-timeout", str(ALONE)], prover=prover)
    read(run, lines)
    if any(name not in ("Qed", "CFG") and not name.lower().startswith(prover) for name in run.provers):
        run.status = "another prover was used"
    return run


def smoke(path, args):
    """Run only smoke tests: one prover and one second for each, since a contradiction is found at once or not at
    all."""
    run = Run(path)
    kinds = ["requires", "ensures", "assigns", "exits", "terminates", "rte", "invariant", "variant", "check", "lemma",
             "assert"]
    run.status, lines = call(path, args, "smoke", ["-wp-smoke-tests", "-wp-smoke-timeout", "1",
                                                   "-wp-prop=" + ",".join("-@" + kind for kind in kinds)], prover="z3")
    for line in lines:
        if PASSED_SMOKE.search(line):
            run.smoke += 1
        elif FAILED_SMOKE.search(line):
            run.failed.append(FAILED_SMOKE.search(line).group(1))
    return run


def canaries(path, args, tree):
    run = Run(path)
    run.status, lines = call(path, args, "canary", ["-wp-prop=canary", "-wp-timeout", "2"], tree=tree)
    read(run, lines)
    return run
