#!/usr/bin/env python3
"""Keep the record of all evidence, and make docs/assurance.md from it.

    assurance/evidence.py page          write docs/assurance.md (`make assurance-page`)
    assurance/evidence.py check         is the page current? Fails on stale evidence that `make check` produces
    assurance/evidence.py take FOLDER   record the results in build/check or build/ci (`make assurance-take`)
    assurance/evidence.py run [ID...]   produce what is stale, one kind after the other, and record it (`make
                                        assurance`): stop it at any time, it continues with what is still stale
    assurance/evidence.py begin FOLDER  start FOLDER/run.json; then for each step: step FOLDER NAME STATUS SECONDS

evidence.tsv lists the kinds of evidence: what each shows, the command, and the subjects it is evidence of. results.tsv
holds the last result of each kind, with the digests of its subjects at that time. Evidence is current while the digests
are those of the tree; then its row on the page is green. A run that failed is never recorded, and neither is a run
during which one of its subjects changed.
"""
import csv
import glob
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), to) for to in ("mutation", "../proofs")]
import mutate  # noqa: E402
import tokens  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.environ.get("ASSAY_EVIDENCE_TREE", ROOT)  # evidence_test.py has a small one
HERE = os.path.join(ROOT, "assurance")
PAGE = os.path.join(ROOT, "docs", "assurance.md")
KINDS, RESULTS = os.path.join(HERE, "evidence.tsv"), os.path.join(HERE, "results.tsv")
FIELDS = ["id", "count", "digest", "date", "seconds", "note"]
TOTAL = re.compile(r"^(?:.*?: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
WHERE = {"check": "make check", "ci": ".ci/run", "assurance": "make assurance"}
PATH = re.compile(r"`(?:[\w.-]+/)+[\w.-]+`")
REPORT_EVERY = 60  # seconds between two lines of progress

# What evidence is of: the files whose content counts. Of "code" the tokens count: no comment, so no annotation. Of
# "proof" they count too, with the comments that are annotations or unfold definitions (seal.py). In prose a path
# between backticks doesn't count: a file may move.
SUBJECTS = {
    "code": ["src/core/*.[ch]", "src/core_text/*.[ch]", "src/core_write/*.[ch]", "include/*.h"],
    "proof": ["src/core/*.[ch]", "src/core_text/*.[ch]", "src/core_write/*.[ch]", "include/*.h", "spec/*.acsl",
              "spec/theorems.md", "proofs/lemmas/*.[ch]", "proofs/flags", "proofs/sealed", "proofs/theorems.tsv",
              "proofs/witness.c", "proofs/client.c"],
    "spec": ["spec/*.acsl", "spec/bytes.tsv", "spec/dtypes.tsv", "spec/rules.tsv", "spec/statuses.tsv",
             "spec/format.md", "spec/decisions.md", "spec/model.py"],
    "models": ["spec/index.md", "spec/index_model.py", "spec/model_rules.tsv"],
    "writing": ["src/edit/*.[ch]", "src/host/*.[ch]", "src/cli/edit_*.[ch]", "src/cli/write_*.[ch]",
                "assurance/disks/*", "tests/program/editing*.py", "tests/program/insertion.py",
                "tests/program/sharing.py"],
    "corpus": ["corpus/manifest.tsv", "corpus/options.tsv"],
}


# ---- Digests ---------------------------------------------------------------------------------------------------------

def proved(text):
    """Return what Frama-C and seal.py read of a C file."""
    found = [token.text for token in tokens.lex(text)
             if token.kind != "comment" or tokens.is_annotation(token) or "Unfolds:" in token.text]
    return " ".join(text for before, text in zip(["\n"] + found, found) if (before, text) != ("\n", "\n"))


def subject_digest(name):
    """Return a digest of the subject as it is in the tree."""
    digest = hashlib.sha256()
    for pattern in SUBJECTS[name]:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if name == "code":
                text = mutate.code(text)
            elif name == "proof" and path.endswith((".c", ".h")):
                text = proved(text)
            if path.endswith(".md"):
                text = PATH.sub("``", text)
            digest.update(("%s\0%s\0" % (os.path.relpath(path, ROOT), text)).encode())
    return digest.hexdigest()[:8]


def digests():
    """Return the digest of each subject."""
    return {name: subject_digest(name) for name in SUBJECTS}


def digest_of(kind, now):
    """Return the digests of a kind's subjects in one word."""
    return "-".join(now[name] for name in kind["of"].split())


# ---- The record ------------------------------------------------------------------------------------------------------

def rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def results():
    return {row["id"]: row for row in rows(RESULTS)}


def record(found):
    """Replace the last result of each kind that was found."""
    all_results = {**results(), **found}
    with open(RESULTS + ".new", "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, FIELDS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        out.writeheader()
        out.writerows(all_results[kind["id"]] for kind in rows(KINDS) if kind["id"] in all_results)
    os.replace(RESULTS + ".new", RESULTS)


def result(kind, text, now, seconds):
    """Return the result in the output of a run that ended well. None: something failed, or nothing was counted."""
    totals = [tuple(int(number or 0) for number in total) for total in TOTAL.findall(text)]
    if not totals or any(failed for _, failed, _ in totals) or not sum(passed for passed, _, _ in totals):
        return None
    if kind["group"] == "proof" and any(skipped for _, _, skipped in totals):
        return None  # a part of a proof is no proof
    return {"id": kind["id"], "count": str(sum(passed for passed, _, _ in totals)), "digest": digest_of(kind, now),
            "date": time.strftime("%Y-%m-%d"), "seconds": "%d" % seconds, "note": ""}


def is_current(kind, now, known):
    return kind["id"] in known and known[kind["id"]]["digest"] == digest_of(kind, now)


# ---- Runs of `make check` and .ci/run --------------------------------------------------------------------------------

def load_run(folder):
    path = os.path.join(folder, "run.json")
    if not os.path.exists(path):
        return {"steps": {}}
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def save_run(folder, run):
    path = os.path.join(folder, "run.json")
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump(run, f, indent=1)
        f.write("\n")
    os.replace(path + ".new", path)


def begin(folder):
    """Note the digests at the beginning of a run. Steps of other digests are forgotten."""
    now = digests()
    steps = {name: step for name, step in load_run(folder)["steps"].items() if step["digests"] == now}
    save_run(folder, {"digests": now, "steps": steps})


def step_done(folder, name, status, seconds):
    """Note the status of a step and how long it took."""
    run = load_run(folder)
    run["steps"][name] = {"status": int(status), "seconds": round(float(seconds)), "digests": run["digests"]}
    save_run(folder, run)


def take(folder):
    """Record what the logs of a run hold, where the tree is still the one that it ran on."""
    steps, now, found, left = load_run(folder)["steps"], digests(), {}, []
    for kind in rows(KINDS):
        step, log = steps.get(kind["id"]), os.path.join(folder, kind["id"] + ".log")
        if step is None or not os.path.exists(log):
            continue
        if digest_of(kind, step["digests"]) != digest_of(kind, now):
            left.append(kind["id"] + " (the tree has changed since)")
            continue
        with open(log, encoding="utf-8", errors="replace") as f:
            taken = result(kind, f.read(), now, step["seconds"]) if step["status"] == 0 else None
        if taken:
            found[kind["id"]] = taken
        else:
            left.append(kind["id"] + " (no success with a count)")
    record(found)
    write_page()
    print("%d results taken from %s" % (len(found), folder))
    for name in left:
        print("not taken: " + name)
    return 0 if found and not left else 1


# ---- `make assurance` ------------------------------------------------------------------------------------------------

def last_line(log):
    with open(log, encoding="utf-8", errors="replace") as f:
        return (f.read().splitlines() or [""])[-1][:90]


def command_status(command, log):
    """Run a command with its output in the log. Print the last line of the log once a minute."""
    began = shown = time.time()
    with open(log, "w", encoding="utf-8") as f:
        process = subprocess.Popen(command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=f,
                                   stderr=subprocess.STDOUT, start_new_session=True)
    try:
        while process.poll() is None:
            time.sleep(0.2)
            if time.time() - shown >= REPORT_EVERY:
                shown = time.time()
                print("   %3d min: %s" % ((shown - began) / 60, last_line(log)), flush=True)
    finally:
        if process.poll() is None:  # stopped by the user: end what was started, too
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return process.returncode


def run(names):
    """Produce what is stale, or the kinds with these names."""
    kinds = rows(KINDS)
    unknown = set(names) - {kind["id"] for kind in kinds}
    if unknown:
        sys.exit("assurance/evidence.py: %s: no such kind of evidence: see assurance/evidence.tsv" % sorted(unknown)[0])
    folder, failed, now, known = os.path.join(ROOT, "build", "assurance"), [], digests(), results()
    os.makedirs(folder, exist_ok=True)
    chosen = [kind for kind in kinds if (kind["id"] in names if names else kind["runs"] == "assurance")]
    left = [kind for kind in chosen if names or not is_current(kind, now, known)]
    print("%d kinds of evidence, %d are current" % (len(chosen), len(chosen) - len(left)), flush=True)
    for number, kind in enumerate(left, 1):
        now = digests()
        print("== %d of %d, %s: %s" % (number, len(left), kind["id"], kind["command"]), flush=True)
        log, began = os.path.join(folder, kind["id"] + ".log"), time.time()
        status = command_status(kind["command"], log)
        with open(log, encoding="utf-8", errors="replace") as f:
            done = result(kind, f.read(), now, time.time() - began) if status == 0 else None
        if done and digest_of(kind, digests()) == done["digest"]:
            record({kind["id"]: done})
            write_page()
            print("   %s %s after %s s" % (done["count"], kind["figure"], done["seconds"]), flush=True)
            continue
        failed.append(kind["id"])
        why = "the tree has changed meanwhile" if done else "exit status %d, or no success with a count" % status
        print("   FAILED: %s: build/assurance/%s.log" % (why, kind["id"]), flush=True)
    print("%d passed, %d failed%s" % (len(left) - len(failed), len(failed), ": " + ", ".join(failed) if failed else ""))
    return 1 if failed else 0


# ---- The page --------------------------------------------------------------------------------------------------------

def page_row(kind, now, known):
    row = known.get(kind["id"])
    state = "not run yet" if row is None else "current" if is_current(kind, now, known) else "**stale**"
    figure = "-" if row is None else "%s %s" % (format(int(row["count"]), ","), kind["figure"])
    if row and row["note"]:
        figure += " (%s)" % row["note"]
    mark = {"current": "🟢", "**stale**": "🔴"}.get(state, "⚪")
    cells = [mark + " " + kind["id"], kind["shows"], figure, "`%s`" % kind["command"], WHERE[kind["runs"]], state,
             row["digest"] if row else "-"]
    return "| %s |" % " | ".join(cells)


def page():
    now, known, kinds = digests(), results(), rows(KINDS)
    stale = [kind["id"] for kind in kinds if kind["id"] in known and not is_current(kind, now, known)]
    absent = [kind["id"] for kind in kinds if kind["id"] not in known]
    lines = ["# Assurance: the evidence, and what it is of", "",
             "Made by `make assurance-page`: do not edit. Each row is one kind of evidence. It is *current* while what",
             "its digest is of is unchanged: the core, the proof, the specification, the corpus, or (`disks`) the",
             "files that write; else it is *stale*. The rest of the program and the tests are not in these digests, so",
             "a test can be newer than a row: `make seeded-faults` begins with how many faults are on record with the",
             "tests as they are. Text in brackets is a note on the run.", "",
             "**Stale:** %s." % (", ".join(stale) or "nothing"), "",
             "**Not run yet:** %s." % (", ".join(absent) or "nothing"), "",
             "Digests of this tree: " + ", ".join("%s `%s`" % pair for pair in now.items()) + ".", ""]
    for group in dict.fromkeys(kind["group"] for kind in kinds):
        lines += ["## " + group[0].upper() + group[1:], "",
                  "| evidence | shows | figure | command | part of | state | digest |",
                  "| --- | --- | ---: | --- | --- | --- | --- |"]
        lines += [page_row(kind, now, known) for kind in kinds if kind["group"] == group] + [""]
    return "\n".join(lines)


def write_page():
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page())


def faults():
    """Yield what is wrong: evidence of `make check` that is stale or absent; another page than the record makes."""
    now, known = digests(), results()
    for kind in rows(KINDS):
        if kind["runs"] == "check" and not is_current(kind, now, known):
            yield "%s is %s: run make check, then make assurance-take" % (
                kind["id"], "stale" if kind["id"] in known else "not recorded")
    with open(PAGE, encoding="utf-8") as f:
        if f.read() != page():
            yield "docs/assurance.md is not what assurance/results.tsv and the tree make: make assurance-page"


def check():
    found = list(faults())
    for fault in found:
        print("FAILED:", fault)
    kinds = [kind for kind in rows(KINDS) if kind["runs"] == "check"]
    print("%d passed, %d failed" % (len(kinds) + 1 - len(found), len(found)))
    return 1 if found else 0


def main(args):
    if args[:1] == ["run"]:
        return run(args[1:])
    if args[:1] == ["take"] and len(args) == 2:
        return take(args[1])
    if args[:1] == ["begin"] and len(args) == 2:
        return begin(args[1]) or 0
    if args[:1] == ["step"] and len(args) == 5:
        return step_done(*args[1:]) or 0
    if args == ["page"]:
        return write_page() or 0
    if args == ["check"]:
        return check()
    sys.exit(__doc__)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nstopped: the same command continues")
        sys.exit(130)
