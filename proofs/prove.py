#!/usr/bin/env python3
"""Prove the core with Frama-C WP, and report what was proved.

    proofs/prove.py [FILE...]   prove all of src/core and its callers, or only FILE; ends with a table of theorems
        --machdep NAME          for another machine (x86_32)
        --canary                instead: no function of the core may prove `ensures \\false`
        --smoke                 instead: no contract or invariant of the core is contradictory, no code is dead but
                                what DEAD lists
        --second                instead: count the goals that each prover proves alone, in two seconds
        --fresh                 discard the cache of earlier runs
        --jobs N                number of files at a time (two for each core: Frama-C often waits)
        --within SECONDS        when the time ends, leave out files whose proof would only repeat one on record
        --record                record what was proved in proofs/proved.tsv; write build/prove/trend.tsv: goals,
                                provers, seconds and lines of each file

Frama-C exits 0 with unproved goals, so the driver reads its log: every scheduled goal must be listed as valid, and
only hypotheses of the memory model that proofs/ASSUMPTIONS.md lists may cause warnings. proofs/README.md has the
rest.
"""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import framac  # noqa: E402
import parsed  # noqa: E402
import proved  # noqa: E402
import source  # noqa: E402
import units  # noqa: E402

ROOT = source.ROOT
BUILD = os.path.join(ROOT, "build", "prove")
BEGAN = time.time()
THEOREMS = [("T1", "no run-time error: memory, overflow, conversions"), ("T2", "termination"), ("T3", "frame"), ("T4", "sound: accepted is valid"),
            ("T5", "complete: valid is accepted"), ("T6", "faithful: the view says what the bytes say"),
            ("T7", "partition"), ("T8", "unique names, and lookup finds them"), ("T9", "in-bounds access"),
            ("T10", "exact error"), ("T11", "cost: stages F and H linear, few passes of the sort"),
            ("T12", "written: a made head is valid and states the plan"),
            ("T13", "size: that of the plan"), ("T14", "pieces: the data, one after another"),
            ("T15", "the same tensors: what an edit leaves as it was"),
            ("T16", "the same pairs, but for those that are named"),
            ("calls", "what the public functions ask for can be met"),
            ("rest", "invariants, asserts and results that those rest on")]

# Files in which WP generates no smoke test; only the canaries check them.
NO_SMOKE = {"src/core/dtypes.c", "proofs/lemmas/scan_steps.c", "proofs/lemmas/work_counter.c"}
# Functions with one branch that never happens, as their contracts show. tensor_matches asks whether there is a tensor at
# an index that its contract requires to be one: to be left out when the writer changes for another reason.
DEAD = {"src/core_write/assay_write.c": {"tensor_matches"}}


def theorem_of(goal, claims):
    """Return the theorem to which a goal belongs; the witness and the client belong to none."""
    if goal.startswith(("witness_", "client_")):
        return "calls"
    if "_assert_rte_" in goal or "_call_" in goal and "_requires" in goal:
        return "T1"
    for theorem, function, clause in claims:
        if goal.startswith("%s_ensures_%s" % (function, clause)):
            return theorem
    if goal.endswith(("_terminates", "_exits")) or "_loop_variant" in goal or "_decreases" in goal \
            or "_terminates_" in goal or "_exits_" in goal:
        return "T2"
    if "_assigns" in goal:
        return "T3"
    return "rest"


def judge(run, all_claims):
    """Add to run.faults what the log of one file does not show."""
    functions = source.functions(run.path)
    for goal in run.failed:
        run.faults.append("not proved: " + goal)
    for line in run.warnings:
        run.faults.append("warning: " + line)
    allowed = source.listed("hypotheses")
    for hypothesis in sorted(run.hypotheses - allowed):
        run.faults.append("hypothesis of the memory model that is not listed: " + hypothesis)
    run.used = run.hypotheses & allowed
    if run.status != 0:
        run.faults.append("frama-c ended with status %d" % run.status)
    done = len(run.valid)
    if run.total is None or run.total != (done, done + len(run.failed)):
        run.faults.append("the log names %d of %d goals, its summary states %s" % (done, done + len(run.failed), run.total))
    for function in sorted(functions | set(run.contracts)):
        missing = {"terminates", "exits", "assigns"} - run.contracts.get(function, set())
        if missing:
            run.faults.append("%s has no clause: %s" % (function, ", ".join(sorted(missing))))
    for theorem, function, clause in all_claims:
        name = "%s_ensures_%s" % (function, clause)
        if function in functions and not any(g == name or g.startswith(name + "_part") for g in run.valid):
            run.faults.append("%s: no goal %s was proved" % (theorem, name))


def prove_one(path, args, end=None):
    start = time.time()
    run = framac.proof(path, args, end)
    judge(run, source.claims())
    run.seconds = time.time() - start
    return run


def prove_each(paths, args, pool):
    """Yield the run of each file, in order: first of those whose proof is not on record. When the time ends, the others
    are stopped; one that would take longer than what is left is not begun."""
    trees = dict(zip(paths, pool.map(lambda path: parsed.unit(path, args), paths)))
    on_record, end = proved.current(paths, args) if args.within else {}, BEGAN + args.within

    def one(path):
        run = framac.Run(path)
        run.skipped = path in on_record and time.time() + on_record[path] > end
        if not run.skipped:
            try:
                run = prove_one(path, args, end if path in on_record else None)
            except subprocess.TimeoutExpired:
                run.skipped = True
        run.tree = trees[path]
        return run

    return pool.map(one, sorted(paths, key=lambda path: path in on_record))


def report(runs, claims):
    """Print the tables, and how many goals and checks passed and failed."""
    count = {theorem: [0, 0] for theorem, _ in THEOREMS}
    for run in runs:
        for goals, place in ((run.valid, 0), (run.failed, 1)):
            for goal in goals:
                count[theorem_of(goal, claims)][place] += 1
    print("\n%-6s %-52s %8s %9s" % ("", "theorem", "proved", "not"))
    for theorem, title in THEOREMS:
        print("%-6s %-52s %8d %9d" % (theorem, title, *count[theorem]))
    print("%-6s %-52s %8d %9d\n" % ("", "all goals", sum(c[0] for c in count.values()), sum(c[1] for c in count.values())))


def record(runs):
    """Record the cost of the proof: goals of each prover, seconds, and lines of annotations and of C."""
    rows = ["file\tgoals\tno prover\tCVC4\tZ3\tseconds\tslowest\tslowest goal\tannotation lines\tcode lines"]
    for run in sorted((run for run in runs if not run.skipped), key=lambda run: run.path):
        alone = run.provers["Qed"] + run.provers["CFG"]  # WP itself, without a prover
        rows.append("\t".join(map(str, [run.path, len(run.valid), alone, run.provers["CVC4"], run.provers["Z3"],
                                        round(run.seconds), "%.1f" % run.slowest[0], run.slowest[1]] + source.lines(run.path))))
    with open(os.path.join(BUILD, "trend.tsv"), "w", encoding="ascii") as f:
        f.write("\n".join(rows) + "\n")


def prove(paths, args):
    claims, faults = source.claims(), source.faults() + units.faults() + units.said_by_frama_c(args)
    whole = parsed.whole(args)
    print("%-34s %9s %7s %7s %8s %9s" % ("file", "functions", "goals", "proved", "seconds", "slowest"))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = []
        for run in prove_each(paths, args, pool):
            runs.append(run)
            if run.skipped:
                print("%-34s not again: on record with this text, these flags and tools" % run.path, flush=True)
                continue
            goals = len(run.valid) + len(run.failed)
            print("%-34s %9d %7d %7d %8.1f %7.1f s" % (run.path, len(run.contracts), goals, len(run.valid), run.seconds,
                                                       run.slowest[0]), flush=True)
            for fault in run.faults:
                print("    " + fault, flush=True)
    report(runs, claims)
    if args.record:
        record(runs)
        proved.write(runs, args)
    skipped = sum(run.skipped for run in runs)
    complete = set(paths) >= set(source.shipped())
    faults += parsed.check(whole, [run.tree for run in runs], complete)
    if complete:
        known = set().union(*(source.functions(p) for p in paths))
        faults += ["theorems.tsv: there is no function " + f for _, f, _ in claims if f not in known]
        used = set().union(*(run.used for run in runs))
        if not skipped:
            faults += ["hypothesis that is listed and not needed: " + h
                       for h in sorted(source.listed("hypotheses") - used)]
    for fault in faults:
        print("    " + fault)
    failed = len(faults) + sum(len(run.faults) for run in runs)
    print("%d goals by an answer that was kept; --fresh asks again" % sum(run.cached for run in runs))
    if skipped:
        print("%d of %d files were not proved again: without --within all are" % (skipped, len(runs)))
    print("%d passed, %d failed%s" % (sum(len(run.valid) for run in runs), failed, ", %d skipped" % skipped if skipped else ""))
    return failed


def smoke(paths, args):
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = list(pool.map(lambda p: framac.smoke(p, args), paths))
    failed = 0
    for run in runs:
        dead = {goal: goal.split("_wp_smoke_dead_code_")[0] for goal in run.failed}
        known = sorted(goal for goal, function in dead.items() if function in DEAD.get(run.path, ()))
        faults = ["smoke test failed: " + goal for goal in run.failed if goal not in known]
        if sorted(map(dead.get, known)) != sorted(DEAD.get(run.path, ())):
            faults.append("not one dead branch in each function that DEAD lists, but " + (", ".join(known) or "none"))
        if run.status != 0 or (run.smoke == 0) != (run.path in NO_SMOKE):
            faults.append("%d smoke tests ran; frama-c ended with status %d" % (run.smoke, run.status))
        for fault in faults:
            print("%s: %s" % (run.path, fault))
        failed += len(faults)
    passed = sum(run.smoke for run in runs)
    print("%d smoke tests pass: no contract is contradictory; no code is dead, but a branch in each function of DEAD (%d)"
          % (passed, sum(map(len, DEAD.values()))))
    print("%d passed, %d failed" % (passed, failed))
    return failed


def second(paths, args):
    """Count for each file the goals that need no prover, and those that both provers, or one alone, prove."""
    print("%-34s %7s %10s %7s %10s %8s" % ("file", "goals", "no prover", "both", "CVC4 alone", "Z3 alone"))
    sums, failed = [0] * 5, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, one, other in pool.map(lambda p: (p, framac.by_prover(p, args, "cvc4"), framac.by_prover(p, args, "z3")), paths):
            goals = set(one.valid) | set(one.failed)
            alone = one.provers["Qed"] + one.provers["CFG"]
            both = set(one.valid) & set(other.valid)
            row = [len(goals), alone, len(both) - alone, len(set(one.valid) - both), len(set(other.valid) - both)]
            failed += one.status != 0 or other.status != 0 or goals != set(other.valid) | set(other.failed)
            print("%-34s %7d %10d %7d %10d %8d" % (path, *row), flush=True)
            sums = [x + y for x, y in zip(sums, row)]
    print("%-34s %7d %10d %7d %10d %8d" % ("all", *sums))
    print("%d of %d goals that need a prover are proved by both, by each alone in %d s" % (
        sums[2], sums[0] - sums[1], framac.ALONE))
    print("%d passed, %d failed" % (sums[2], failed))
    return failed


def canary(paths, args):
    """Check in a copy with the postcondition `\\false` in every contract, which no caller may use, that no
    function proves it."""
    tree = os.path.join(BUILD, "canary")
    shutil.rmtree(tree, ignore_errors=True)
    source.add_canaries(tree)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = list(pool.map(lambda p: framac.canaries(p, args, tree), paths))
    passed = failed = 0
    for run in runs:
        unit = parsed.unit(run.path, args)  # also has the ghost functions
        functions = source.functions(run.path) | unit.defined
        dead = {goal.split("_check_ensures_")[0] for goal in run.failed}
        for function in sorted(functions - dead):
            print("%s: %s proves \\false" % (run.path, function))
        for fault in unit.faults:
            print(fault)
        passed, failed = passed + len(functions & dead), failed + len(functions - dead) + len(unit.faults)
    print("%d functions do not prove \\false" % passed)
    print("%d passed, %d failed" % (passed, failed))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--machdep", default="")
    parser.add_argument("--canary", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--within", type=float, default=0)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1))
    args = parser.parse_args()
    os.chdir(ROOT)
    if args.fresh:
        shutil.rmtree(BUILD, ignore_errors=True)
    framac.configure(BUILD)
    task = canary if args.canary else smoke if args.smoke else second if args.second else prove
    paths = [os.path.relpath(p) for p in args.file] or source.shipped() + source.CALLERS * (task in (prove, second))
    sys.exit(1 if task(paths, args) else 0)


if __name__ == "__main__":
    main()
