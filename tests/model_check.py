#!/usr/bin/env python3
"""The model against the core on generated files: verdict, rule, offset, every error field, the whole table and metadata.

    tests/model_check.py [COUNT [SEED]]    COUNT files (100,000) and a tenth as many again with small limits

Every rule must break in at least 1 % of the files. The core runs in tests/driver.c, plain and with sanitizers, which also
checks there that measure, validate and parse agree and what happens when the workspace is too small.
"""
import collections
import json
import multiprocessing
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, "build", "check")
DRIVERS = ["build/tests/driver", "build/tests/driver-asan"]
CHUNK = 5000
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "spec")]
import generate_cases  # noqa: E402
import model  # noqa: E402


def line_of(data, file_size, options):
    return " ".join([data.hex() or "-", "file_size=%d" % file_size] + ["%s=%d" % item for item in options.items()])


def answers(driver, lines, name):
    path = os.path.join(OUT, name)
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    with open(path, encoding="ascii") as f:
        done = subprocess.run([os.path.join(ROOT, driver)], stdin=f, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False)
    os.remove(path)
    return done


def chunk(job):
    """Compare one chunk; (verdicts counted, differences)."""
    seed, count, with_limits = job
    made = list(generate_cases.cases(seed, count)) if with_limits else \
        [case + ({},) for case in generate_cases.files(seed, count)]
    lines = [line_of(*case) for case in made]
    wanted = [json.loads(json.dumps(model.judge(*case).as_dict())) for case in made]
    seen, differences = collections.Counter(w["name"] for w in wanted), []
    for driver in DRIVERS:
        done = answers(driver, lines, "cases-%d-%d" % (seed, with_limits))
        given = [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []
        if done.returncode != 0:
            differences.append("%s: exit status %d: %s" % (driver, done.returncode, done.stderr[:2000]))
            number = done.stdout.count("\n")
            differences.append("on: " + lines[min(number, len(lines) - 1)])
        for line, want, got in zip(lines, wanted, given):
            if want != got:
                differences.append("%s\n  model: %s\n  core:  %s (%s)" % (line, json.dumps(want), json.dumps(got), driver))
    return seen, count, differences


def main(args):
    count = int(args[0]) if args else 100_000
    seed = int(args[1]) if len(args) > 1 else 1
    jobs = [(seed + k, min(CHUNK, count - k * CHUNK), False) for k in range((count + CHUNK - 1) // CHUNK)]
    jobs += [(seed + k, min(CHUNK, (count + 9) // 10 - k * CHUNK), True) for k in range((count // 10 + CHUNK - 1) // CHUNK)]
    os.makedirs(OUT, exist_ok=True)
    seen, limited, files, failed = collections.Counter(), collections.Counter(), 0, 0
    with multiprocessing.Pool(2) as pool:
        for (_, _, with_limits), (names, number, differences) in zip(jobs, pool.imap(chunk, jobs)):
            (limited if with_limits else seen).update(names)
            files += number
            failed += len(differences)
            for text in differences[:3]:
                print(text[:3000])
    for name in model.RULES:
        if seen[name] * 100 < count:
            print("rule %s: only %d of %d files break it" % (name, seen[name], count))
            failed += 1
    for name in ("limit_header", "limit_tensors", "limit_rank", "limit_name", "limit_metadata"):
        if limited[name] * 100 < sum(limited.values()):
            print("status %s: only %d of %d files" % (name, limited[name], sum(limited.values())))
            failed += 1
    print("%d files, %d valid; the rarest rules: %s" % (
        files, seen["ok"], ", ".join("%s %d" % item for item in seen.most_common()[:-4:-1])))
    print("%d passed, %d failed" % (files, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
