#!/usr/bin/env python3
"""Test the Python package with torch: the official package's own tests under the guard, and models (make check-torch).

    bindings/python/check_torch.py [pytest arguments]
    bindings/python/check_torch.py --again [pytest arguments]   use the environment of the last run: while you work

Heavy: it installs 8 GB in build/torch, and takes about ten minutes; so it is in neither `make check` nor CI's gate. It
needs no GPU, and a Rust toolchain only where pip asks for one to read the official source distribution.

1. builds the wheel, and installs it into an empty environment with what requirements-torch.txt lists;
2. fetches the source distribution of the official package by its hash, and runs its tests four times: as they are,
   under the guard, with assay.numpy and assay.torch in place of the official modules, and with the official readers on
   files that assay wrote. Each test must end as it does in the first run;
3. runs tests_torch/: every door, every dtype, tensors that share memory, transformers, diffusers, accelerate, Ray.
"""
import os
import re
import shutil
import sys

import check
import official

HERE, ROOT = check.HERE, check.ROOT
OUT = os.path.join(ROOT, "build", "torch")
ENVIRONMENT = os.path.join(OUT, "environment")
REQUIREMENTS = os.path.join(HERE, "requirements-torch.txt")
# Tests of the official package that are not run, and why. Others skip themselves: CUDA, MPS, HPU, NPU, S3, macOS.
LEFT_OUT = {"test_tf_comparison.py": "TensorFlow is as large as torch, and reads through the same function"}
WRITERS = {"numpy.save", "numpy.save_file", "torch.save", "torch.save_file", "torch.save_model"}
# Tests of error messages that are other words in assay.torch.
OTHERWISE = {"tests.test_pt_comparison.TorchTestCase.test_bogus": "the message on what is not a tensor",
             "tests.test_pt_comparison.TorchTestCase.test_sparse": "the message on a sparse tensor"}


def official_tests(python):
    tests = official.tests(python, OUT)

    def run(name, **how):
        return official.outcomes(python, tests, os.path.join(OUT, name), LEFT_OUT, **how)

    first, status = run("as-they-are")
    check.tell(not status["hooked"] and all(kind in ("passed", "skipped") for kind, _ in first.values()),
               "the official tests as they are: %s" % official.counted(first))
    for why in sorted({text for kind, text in first.values() if kind == "skipped"}):
        print("    skipped: " + why)
    for name, why in LEFT_OUT.items():
        print("    left out: %s: %s" % (name, why))
    guarded, status = run("guarded", guarded=True)
    words, same = official.compared(first, guarded)
    check.tell(same and status["hooked"] and status["judged"] > 50, "the same under the guard: %s; %d files judged%s"
               % (official.counted(guarded), status["judged"], words))
    ended, _ = run("by-assay", change=official.by_assay)
    words, same = official.compared(first, ended, OTHERWISE)
    check.tell(same, "the same with assay.numpy and assay.torch: %s%s" % (official.counted(ended), words))
    ended, status = run("written-by-assay", written=True)
    words, same = official.compared(first, ended, OTHERWISE)
    check.tell(same and set(status["written"]) == WRITERS, "the official readers on files that assay wrote (%s): %s%s"
               % (official.words_of(status["written"]), official.counted(ended), words))
    for test, why in OTHERWISE.items():
        print("    ends otherwise: %s: %s" % (test, why))


def own_tests(python, arguments):
    work = os.path.join(OUT, "work")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "tests_torch"), work, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(os.path.join(HERE, "tests", "conftest.py"), work)
    done = check.run(python, "-m", "pytest", "-q", "-rsx", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=120",
                     *arguments, cwd=work, env=dict(os.environ, CUDA_VISIBLE_DEVICES="", HF_HUB_OFFLINE="1"))
    print(done.stdout)
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|error)", done.stdout)}
    check.tell(done.returncode == 0, "tests_torch: %s" % counts)
    return counts


def main(arguments):
    again = arguments[:1] == ["--again"]
    check.OUT = OUT
    os.makedirs(OUT, exist_ok=True)
    check.must(sys.executable, os.path.join(HERE, "prepare.py"))
    python = os.path.join(ENVIRONMENT, "bin", "python")
    if not (again and os.path.exists(python)):
        python = check.environment("environment")
        check.install(python, "--require-hashes", "-r", REQUIREMENTS)
    wheel, _ = check.built(python, "dist")
    check.install(python, "--no-index", "--no-deps", "--force-reinstall", wheel)
    if not arguments[again:]:
        official_tests(python)
    counts = own_tests(python, arguments[again:])
    print("%d passed, %d failed" % (check.passed + counts.get("passed", 0), len(check.failed) + counts.get("failed", 0)))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
