#!/usr/bin/env python3
"""Keep the record of all evidence, and make docs/assurance.md from it.

    assurance/evidence.py page          write docs/assurance.md (`make assurance-page`)
    assurance/evidence.py check         is the page current? Fails on stale evidence that `make check` produces
    assurance/evidence.py take FOLDER   record the results in build/check, build/ci or build/assurance
    evidence.py run [ID...]   produce what is stale, one kind after the other, and record it: `make assurance`;
                                        stop it at any time, it continues with what is still stale

evidence.tsv lists the kinds of evidence: what each shows, the command, and the subjects it is evidence of. results.tsv
holds the last result of each kind, with the digests of its subjects at that time. Evidence is current while the digests
are those of the tree; then its row on the page is green. A run that failed is never recorded.
"""
import csv
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "assurance")
PAGE = os.path.join(ROOT, "docs", "assurance.md")
KINDS, RESULTS = os.path.join(HERE, "evidence.tsv"), os.path.join(HERE, "results.tsv")
FIELDS = ["id", "count", "digest", "date", "seconds"]
TOTAL = re.compile(r"^(?:.*?: )?(\d+) passed, (\d+) failed(?:, \d+ skipped)?$", re.M)
WHERE = {"check": "`make check`", "ci": "the gate, `.ci/run`", "assurance": "`make assurance`"}

# What evidence is of: the files whose bytes count. Of "code", comments and annotations do not count.
SUBJECTS = {
    "code": ["src/core/*.[ch]", "include/*.h"],
    "proof": ["src/core/*.[ch]", "include/*.h", "spec/*.acsl", "spec/theorems.md", "proofs/flags", "proofs/sealed",
              "proofs/theorems.tsv", "proofs/witness.c"],
    "spec": ["spec/*.acsl", "spec/*.tsv", "spec/format.md", "spec/decisions.md", "spec/model.py"],
    "corpus": ["corpus/manifest.tsv", "corpus/options.tsv"],
}
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')', re.S)


def subject_digest(name):
    """A digest of the subject as it is in the tree."""
    digest = hashlib.sha256()
    for pattern in SUBJECTS[name]:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if name == "code":
                text = " ".join(COMMENT.sub(lambda m: m.group(1) or " ", text).split())
            digest.update(("%s\0%s\0" % (os.path.relpath(path, ROOT), text)).encode())
    return digest.hexdigest()[:8]


def digests():
    return {name: subject_digest(name) for name in SUBJECTS}


def digest_of(kind, now):
    """The digests of a kind's subjects, in one word."""
    return "-".join(now[name] for name in kind["of"].split())


def rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def results():
    return {row["id"]: row for row in rows(RESULTS)}


def record(found):
    """Add results, each in the place of the last one of its kind."""
    all_results = {**results(), **found}
    with open(RESULTS, "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, FIELDS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        out.writeheader()
        out.writerows(all_results[kind["id"]] for kind in rows(KINDS) if kind["id"] in all_results)


def result(kind, text, now, seconds):
    """The result in the output of a run that ended well; None: it failed, or counted nothing."""
    totals = [tuple(map(int, pair)) for pair in TOTAL.findall(text)]
    if not totals or any(failed for _, failed in totals) or not sum(passed for passed, _ in totals):
        return None
    return {"id": kind["id"], "count": str(sum(passed for passed, _ in totals)), "digest": digest_of(kind, now),
            "date": time.strftime("%Y-%m-%d"), "seconds": "%d" % seconds}


def take(folder):
    """Record what the logs of a run hold, if the tree is still the one that it ran on."""
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
        run = json.load(f)
    now, found = digests(), {}
    for kind in rows(KINDS):
        step = run["steps"].get(kind["id"])
        log = os.path.join(folder, kind["id"] + ".log")
        if step is None or step["status"] != 0 or not os.path.exists(log):
            continue
        if digest_of(kind, run["digests"]) != digest_of(kind, now):
            print("not taken, the tree has changed since: " + kind["id"])
            continue
        with open(log, encoding="utf-8", errors="replace") as f:
            said = result(kind, f.read(), now, step["seconds"])
        if said:
            found[kind["id"]] = said
    record(found)
    print("%d results taken" % len(found))
    return 0 if found else 1


def is_current(kind, now, known):
    return kind["id"] in known and known[kind["id"]]["digest"] == digest_of(kind, now)


def run(names):
    """Produce what is stale."""
    folder = os.path.join(ROOT, "build", "assurance")
    os.makedirs(folder, exist_ok=True)
    failed = []
    for kind in rows(KINDS):
        now = digests()
        wanted = kind["id"] in names if names else kind["runs"] != "check" and not is_current(kind, now, results())
        if not wanted:
            continue
        print("== %s: %s" % (kind["id"], kind["command"]), flush=True)
        log, began = os.path.join(folder, kind["id"] + ".log"), time.time()
        with open(log, "w", encoding="utf-8") as f:
            status = subprocess.run(kind["command"], shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=f,
                                    stderr=subprocess.STDOUT, check=False).returncode
        with open(log, encoding="utf-8", errors="replace") as f:
            said = result(kind, f.read(), now, time.time() - began) if status == 0 and digests() == now else None
        if said:
            record({kind["id"]: said})
            print("   %s %s after %s s" % (said["count"], kind["figure"], said["seconds"]), flush=True)
        else:
            failed.append(kind["id"])
            print("   FAILED with status %d: build/assurance/%s.log" % (status, kind["id"]), flush=True)
    write_page()
    print("%d failed%s" % (len(failed), ": " + ", ".join(failed) if failed else ""))
    return 1 if failed else 0


# ---- The page --------------------------------------------------------------------------------------------------------

def page_row(kind, now, known):
    row = known.get(kind["id"])
    state = "not run yet" if row is None else "current" if is_current(kind, now, known) else "**stale**"
    figure = "-" if row is None else "%s %s" % (format(int(row["count"]), ","), kind["figure"])
    mark = {"current": "🟢", "**stale**": "🔴"}.get(state, "⚪")
    command = kind["command"] if kind["command"].startswith("make ") else "make check"
    return "| %s %s | %s | %s | `%s` | %s | %s |" % (mark, kind["id"], kind["shows"], figure, command, state,
                                                 row["digest"] if row else "-")


def page():
    now, known, kinds = digests(), results(), rows(KINDS)
    stale = [kind["id"] for kind in kinds if kind["id"] in known and not is_current(kind, now, known)]
    absent = [kind["id"] for kind in kinds if kind["id"] not in known]
    lines = ["# Assurance: the evidence, and what it is of", "",
             "Made by `make assurance-page`: do not edit. Each row is one kind of evidence. It is *current* while the digest in",
             "its row is that of the tree; *stale* evidence is of an older core or specification.", "",
             "**Stale:** %s." % (", ".join(stale) or "nothing"), "", "**Not run yet:** %s." % (", ".join(absent) or "nothing"), "",
             "Digests of this tree: " + ", ".join("%s `%s`" % pair for pair in now.items()) + ".", ""]
    for group in dict.fromkeys(kind["group"] for kind in kinds):
        lines += ["## " + group[0].upper() + group[1:], "", "| evidence | shows | figure | command | state | digest |",
                  "| --- | --- | ---: | --- | --- | --- |"]
        lines += [page_row(kind, now, known) for kind in kinds if kind["group"] == group] + [""]
    return "\n".join(lines)


def write_page():
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page())


def check():
    """Faults: the page is another than the record makes, or evidence of `make check` is stale."""
    now, known = digests(), results()
    faults = ["%s is stale: make check, then assurance/evidence.py take build/check" % kind["id"]
              for kind in rows(KINDS) if kind["runs"] == "check" and not is_current(kind, now, known)]
    with open(PAGE, encoding="utf-8") as f:
        if f.read() != page():
            faults.append("docs/assurance.md is not what assurance/results.tsv makes: make assurance-page")
    for fault in faults:
        print("FAILED:", fault)
    print("%d passed, %d failed" % (len(rows(KINDS)) + 1 - len(faults), len(faults)))
    return 1 if faults else 0


def main(args):
    if args[:1] == ["run"]:
        return run(args[1:])
    if args[:1] == ["take"] and len(args) == 2:
        return take(args[1])
    if args == ["page"]:
        return write_page() or 0
    if args == ["check"]:
        return check()
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
