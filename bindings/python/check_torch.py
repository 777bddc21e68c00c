#!/usr/bin/env python3
"""Test the Python package with torch: the official package's own tests under the guard, and models (make check-torch).

    bindings/python/check_torch.py [pytest arguments]
    bindings/python/check_torch.py --again [pytest arguments]   use the environment of the last run: while you work

Heavy: it installs 8 GB in build/torch, and takes about ten minutes; so it is in neither `make check` nor CI's gate. It
needs no GPU, and a Rust toolchain only where pip asks for one to read the official source distribution.

1. builds the wheel, and installs it into an empty environment with what requirements-torch.txt lists;
2. fetches the source distribution of the official package by its hash, and runs its tests three times: as they are,
   under the guard, and with assay.numpy and assay.torch in place of the official modules. Each test must end as it
   does in the first run;
3. runs tests_torch/: every door, every dtype, tensors that share memory, transformers, diffusers, accelerate, Ray.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

import check

HERE, ROOT = check.HERE, check.ROOT
OUT = os.path.join(ROOT, "build", "torch")
ENVIRONMENT = os.path.join(OUT, "environment")
REQUIREMENTS = os.path.join(HERE, "requirements-torch.txt")
OFFICIAL = "0.8.0"
OFFICIAL_HASH = "fabaf3e0f18a6618d9b36560682562157f77c2b71fcffc7b432be2baed9d753d"
# Tests of the official package that are not run, and why. Others skip themselves: CUDA, MPS, HPU, NPU, S3, macOS.
LEFT_OUT = {"test_tf_comparison.py": "TensorFlow is as large as torch, and reads through the same function"}
# Tests of error messages that are other words in assay.torch.
OTHERWISE = {"tests.test_pt_comparison.TorchTestCase.test_bogus": "the message on what is not a tensor",
             "tests.test_pt_comparison.TorchTestCase.test_sparse": "the message on a sparse tensor"}
PLUGIN = """
import json, sys

def pytest_sessionfinish(session):
    guard = sys.modules.get("assay.guard")
    with open("status.json", "w") as file:
        json.dump(guard.status() if guard else {"hooked": False, "judged": 0}, file)
"""


def official_tests():
    """Return the folder of the official package's tests, fetched once."""
    folder = os.path.join(OUT, "official")
    archive = os.path.join(folder, "safetensors-%s.tar.gz" % OFFICIAL)
    if not os.path.exists(archive):
        os.makedirs(folder, exist_ok=True)
        wanted = os.path.join(folder, "requirements.txt")
        with open(wanted, "w", encoding="utf-8") as file:
            file.write("safetensors==%s --hash=sha256:%s\n" % (OFFICIAL, OFFICIAL_HASH))
        check.must(os.path.join(ENVIRONMENT, "bin", "python"), "-m", "pip", "download", "-q", "--no-deps", "--no-binary",
                   "safetensors", "--require-hashes", "-d", folder, "-r", wanted)
    with open(archive, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != OFFICIAL_HASH:
            raise SystemExit("%s is not the file that was asked for: remove it, and run this again" % archive)
    tests = os.path.join(folder, "tests")
    shutil.rmtree(tests, ignore_errors=True)
    prefix = "safetensors-%s/bindings/python/tests/" % OFFICIAL
    with tarfile.open(archive) as source:
        for member in source.getmembers():
            if member.isfile() and member.name.startswith(prefix) and ".." not in member.name:
                path = os.path.join(tests, member.name[len(prefix):])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(source.extractfile(member).read())
    return tests


def by_assay(text):
    """Return a test of the official package with its imports from assay, where assay has the names."""
    def replaced(found):
        public = {"load", "load_file", "load_model", "save", "save_file", "save_model"}
        names = [name.strip() for name in found[2].strip("()").replace("\n", " ").split(",") if name.strip()]
        ours = [name for name in names if name.split(" ")[0] in public]
        theirs = [name for name in names if name not in ours]
        lines = ["from %s.%s import %s" % (package, found[1], ", ".join(chosen))
                 for package, chosen in (("assay", ours), ("safetensors", theirs)) if chosen]
        return "\n".join(lines)
    return re.sub(r"^from safetensors\.(numpy|torch) import (\([^)]*\)|.*)$", replaced, text, flags=re.M)


def outcomes(python, tests, name, guarded=False, change=None):
    """Run the official tests in a copy of their folder. Return {test: how it ended}, and the state of the guard."""
    work = os.path.join(OUT, name)
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(tests, os.path.join(work, "tests"))
    for file in os.listdir(os.path.join(work, "tests")) if change else []:
        path = os.path.join(work, "tests", file)
        if file.endswith(".py"):
            with open(path, encoding="utf-8") as source:
                text = source.read()
            with open(path, "w", encoding="utf-8") as target:
                target.write(change(text))
    with open(os.path.join(work, "status_plugin.py"), "w", encoding="utf-8") as file:
        file.write(PLUGIN)
    ignored = ["--ignore=tests/" + file for file in LEFT_OUT]
    run = check.run(python, *(["-m", "assay.guard"] if guarded else []), "-m", "pytest", "-q", "-p", "no:cacheprovider",
                    "-p", "status_plugin", "--junitxml=result.xml", *ignored, "tests", cwd=work,
                    env=dict(os.environ, CUDA_VISIBLE_DEVICES="", PYTHONPATH=work))
    try:
        with open(os.path.join(work, "status.json"), encoding="utf-8") as file:
            status = json.load(file)
        cases = xml.etree.ElementTree.parse(os.path.join(work, "result.xml")).iter("testcase")
    except OSError:
        raise SystemExit("the official tests did not run:\n" + run.stdout[-3000:]) from None
    ended = {}
    for case in cases:
        parts = [(part.tag, part.get("message", "") if part.tag == "skipped" else part.text or "") for part in case
                 if part.tag in ("failure", "error", "skipped")]
        ended["%s.%s" % (case.get("classname"), case.get("name"))] = parts[0] if parts else ("passed", "")
    return ended, status


def compared(first, other, otherwise=()):
    """Tell in which tests two runs differ."""
    lines = ["%s: %s, then %s %s" % (test, first.get(test, ["not run"])[0], *other.get(test, ["not run", ""])[:2])
             for test in sorted(set(first) | set(other)) if test not in otherwise
             and first.get(test, ["none"])[0] != other.get(test, ["none"])[0]]
    return "".join("\n    " + line[-1500:] for line in lines), not lines


def counted(ended):
    counts = {}
    for kind, _ in ended.values():
        counts[kind] = counts.get(kind, 0) + 1
    return ", ".join("%d %s" % (number, kind) for kind, number in sorted(counts.items()))


def official(python):
    tests = official_tests()
    first, status = outcomes(python, tests, "as-they-are")
    check.tell(not status["hooked"] and all(kind in ("passed", "skipped") for kind, _ in first.values()),
               "the official tests as they are: %s" % counted(first))
    for why in sorted({text for kind, text in first.values() if kind == "skipped"}):
        print("    skipped: " + why)
    for name, why in LEFT_OUT.items():
        print("    left out: %s: %s" % (name, why))
    guarded, status = outcomes(python, tests, "guarded", guarded=True)
    words, same = compared(first, guarded)
    check.tell(same and status["hooked"] and status["judged"] > 50, "the same under the guard: %s; %d files judged%s"
               % (counted(guarded), status["judged"], words))
    replaced, _ = outcomes(python, tests, "by-assay", change=by_assay)
    words, same = compared(first, replaced, OTHERWISE)
    check.tell(same, "the same with assay.numpy and assay.torch: %s%s" % (counted(replaced), words))
    for test, why in OTHERWISE.items():
        print("    not compared: %s: %s" % (test, why))


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
        official(python)
    counts = own_tests(python, arguments[again:])
    print("%d passed, %d failed" % (check.passed + counts.get("passed", 0), len(check.failed) + counts.get("failed", 0)))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
