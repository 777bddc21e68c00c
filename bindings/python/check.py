#!/usr/bin/env python3
"""Build the Python package, and test it from its artefacts in empty environments.

    bindings/python/check.py [pytest arguments]
    bindings/python/check.py --tree [pytest arguments]   the tests alone, against this tree: while you work
    bindings/python/check.py --official                  the official package's tests alone, against this tree
    bindings/python/check.py --fuzz [SECONDS]            Atheris alone, against this tree; 60 by default

1. builds the source distribution, and from it the wheel, twice: the same bytes;
2. compares what is in both with contents.txt;
3. installs the wheel into an empty environment and runs the tests against it, outside this tree; runs the examples of
   README.md; runs the official package's tests of its readers on files that assay wrote;
4. installs the source distribution into another, where a C compiler is the only tool, and runs the tests again;
5. compares corpus and generated files with the model under every other Python here: pypy3, python3.9 to python3.15,
   those of pyenv;
6. runs docs/python.ipynb, and compares what it shows;
7. fuzzes the wheel for a minute.
Everything is in build/python. Needs the network for the packages in requirements-*.txt.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile

import official

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(ROOT, "build", "python")
OTHERS = ["pypy3"] + ["python3.%d%s" % (minor, kind) for minor in range(9, 16) for kind in ("", "t")]
# What a C compiler consists of. Everything else that a build needs must come with the package.
COMPILER = ["cc", "gcc", "as", "ld", "ar", "ranlib", "strip"]
GENERATED = 2000  # files that other Pythons compare with the model
FUZZ_SECONDS = 60
# The official package's tests that are not run here, for lack of torch or fsspec; of other files, what uses torch is left
# out. check_torch.py runs all. OTHERWISE: tests that end otherwise on files that assay wrote, and why.
LEFT_OUT = ["test_%s.py" % name for name in ("flax_comparison", "mlx_comparison", "multithreaded", "paddle_comparison",
                                             "pread_backend", "pt_comparison", "pt_model", "tf_comparison")]
LEFT_OUT += ["test_handle.py::ReadmeTestCase::test_fsspec"]
OTHERWISE = {}
passed, failed = 0, []


def tell(good, what):
    global passed
    print(("ok: " if good else "FAILED: ") + what, flush=True)
    if good:
        passed += 1
    else:
        failed.append(what)


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          check=False, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        raise SystemExit("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def environment(name):
    """Make an empty environment; return its Python."""
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    return os.path.join(folder, "bin", "python")


def install(python, *what):
    must(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *what)


def built(python, name):
    """Build both artefacts; return their paths."""
    target = os.path.join(OUT, name)
    shutil.rmtree(target, ignore_errors=True)
    clean = dict(os.environ, SOURCE_DATE_EPOCH="1767225600", CFLAGS="-ffile-prefix-map=%s=." % ROOT)
    must(python, "-m", "build", "-q", "--no-isolation", "-o", target, HERE, env=clean)
    paths = [os.path.join(target, file) for file in sorted(os.listdir(target))]
    return [p for p in paths if p.endswith(".whl")][0], [p for p in paths if p.endswith(".tar.gz")][0]


def contents(wheel, source):
    """Return the names in both, without version and platform."""
    with zipfile.ZipFile(wheel) as archive:
        names = ["wheel " + name for name in archive.namelist()]
    with tarfile.open(source) as archive:
        names += ["sdist " + name for name in archive.getnames()]
    return sorted(re.sub(r"assay_safetensors-[^/]+?(\.dist-info)?/", r"assay_safetensors\1/", name) for name in names)


def same(one, other):
    with open(one, "rb") as a, open(other, "rb") as b:
        return a.read() == b.read()


def work_folder():
    """Return a copy of the tests outside the tree."""
    work = os.path.join(OUT, "work")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "tests"), work, ignore=shutil.ignore_patterns("__pycache__"))
    return work


def settings(**more):
    return dict(os.environ, CORPUS=os.path.join(ROOT, "corpus"), PROGRAM=os.path.join(ROOT, "build", "assay"),
                SERVERS=os.path.join(ROOT, "tests", "program"), PYTHONDONTWRITEBYTECODE="1", **more)


def tests(python, arguments=(), **more):
    """Run the tests from a copy outside the tree."""
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, cwd=work_folder(),
               env=settings(**more))
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|error)", done.stdout)}
    return done, counts


def fuzz(python, seconds):
    """Run Atheris; return how it ended, and how many inputs it has tried."""
    found = os.path.join(OUT, "fuzz")
    os.makedirs(found, exist_ok=True)
    corpus = os.path.join(ROOT, "corpus")
    done = run(python, "fuzz_model.py", "-max_total_time=%d" % seconds, "-max_len=2000", "-timeout=30", "-verbosity=1",
               "-dict=" + os.path.join(ROOT, "fuzz", "assay.dict"), "-artifact_prefix=%s/found-" % OUT, found,
               os.path.join(corpus, "valid"), os.path.join(corpus, "invalid"), cwd=work_folder(), env=settings())
    count = re.search(r"Done (\d+) runs", done.stdout)
    return done, int(count[1]) if count else 0


def fuzz_environment():
    """Return a Python with Atheris, or None if there is none for this Python."""
    python = environment("atheris")
    done = run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:",
               "--require-hashes", "-r", os.path.join(HERE, "requirements-fuzz.txt"))
    return python if done.returncode == 0 else None


def other_pythons():
    """Return the other Pythons that start here."""
    names = OTHERS + sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3")))
    new = "import sys; assert sys.version_info >= (3, 9)"
    return [name for name in names if shutil.which(name) and run(name, "-c", new).returncode == 0]


def compiler_alone():
    """Return a PATH that has a C compiler and nothing else."""
    folder = os.path.join(OUT, "compiler")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in COMPILER:
        if shutil.which(name):
            os.symlink(shutil.which(name), os.path.join(folder, name))
    return folder


def tree_library():
    """Put the package of this tree, with the library that it makes, before all others."""
    tree = os.path.join(OUT, "tree")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "src"), tree)
    native = [os.path.join(HERE, "native", name) for name in ("assay.c", "assay_flat.c", "assay_index.c",
                                                              "assay_notes.c", "assay_write.c",
                                                              "assay_flat_write.c")]
    must("cc", "-O2", "-shared", "-fPIC", "-o", os.path.join(tree, "assay", "_assay.so"), *native)
    os.environ["PYTHONPATH"] = tree


def tree_python():
    """Return a Python that imports the package of the tree, and has what the tests need."""
    python = os.path.join(OUT, "wheel", "bin", "python")
    if not os.path.exists(python):
        python = environment("wheel")
        install(python, "--require-hashes", "-r", os.path.join(HERE, "requirements-test.txt"))
    tree_library()
    return python


def in_tree(arguments):
    """Run the tests against the tree."""
    python = tree_python()
    done, counts = tests(python, arguments)
    print(done.stdout)
    print("%d passed, %d failed" % (counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0)))
    return done.returncode


def fuzz_tree(seconds):
    python = os.path.join(OUT, "atheris", "bin", "python")
    if not os.path.exists(python):
        python = fuzz_environment()
    if python is None:
        print("Atheris can't be installed for %s: Python 3.11 to 3.13 on x86-64 Linux can have it" % sys.executable)
        return 77
    tree_library()
    done, count = fuzz(python, seconds)
    print(done.stdout[-4000:])
    print("%d inputs" % count)
    return done.returncode


def examples(python):
    """Run the examples of README.md on a real file."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    work = os.path.join(OUT, "readme")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    program = ("import numpy, safetensors.numpy\nsafetensors.numpy.save_file({'lm_head.weight': numpy.zeros((30, 4), "
               "'float32')}, 'model.safetensors')\n" + "\n".join(blocks) + "\nassert weights.shape == (30, 4) and "
               "rows.shape == (10, 4) and assay.guard.status()['hooked']\n")
    return run(python, "-c", program, cwd=work)


def check_official(python):
    """Run the official package's tests as they are, and with the official readers on files that assay wrote. Return
    whether they end in the same way."""
    unpacked = official.tests(python, OUT)
    (first, _), (ended, status) = (
        official.outcomes(python, unpacked, os.path.join(OUT, "official-" + name), LEFT_OUT,
                          change=official.without_torch, written=written)
        for name, written in (("as-they-are", False), ("written-by-assay", True)))
    words, same = official.compared(first, ended, OTHERWISE)
    good = same and set(status["written"]) == {"numpy.save", "numpy.save_file"} and all(
        kind in ("passed", "skipped") for kind, _ in first.values())
    tell(good, "the official tests on files that assay wrote (%s): %s%s"
         % (official.words_of(status["written"]), official.counted(ended), words))
    for test, why in OTHERWISE.items():
        print("    ends otherwise: %s: %s" % (test, why))
    return good


def check_source(source, arguments):
    """Install the source distribution where there is a C compiler alone; run the tests against it."""
    python = environment("sdist")
    path = compiler_alone()
    tell(not any(shutil.which(name, path=path) for name in ("cmake", "ninja", "make", "sh", "python3")),
         "the source distribution is built with these tools: %s" % ", ".join(sorted(os.listdir(path))))
    must(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", source, env=dict(os.environ, PATH=path))
    listed = must(python, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check").split()
    more = [name for name in listed if not re.match("pip|setuptools|wheel|assay", name)]
    tell(not more, "no run-time dependency: %s" % listed)
    done = run(python, "-m", "assay", "check", "-q", os.path.join(ROOT, "corpus", "valid"))
    tell(done.returncode == 0 and not done.stdout, "the valid files of the corpus, from the source distribution")
    install(python, "--require-hashes", "-r", os.path.join(HERE, "requirements-test.txt"))
    done, counts = tests(python, arguments, CALLS="10000", FILES="5000")
    tell(done.returncode == 0, "the tests, from the source distribution: %s" % counts
         + ("" if done.returncode == 0 else "\n" + done.stdout[-4000:]))


def check_notebook(wheel):
    """Run docs/python.ipynb, and compare what it shows."""
    python = environment("notebook")
    install(python, "--require-hashes", "-r", os.path.join(HERE, "requirements-notebook.txt"))
    install(python, "--no-index", wheel)
    done = run(python, os.path.join(HERE, "notebook.py"), os.path.join(ROOT, "docs", "python.ipynb"))
    lines = [line for line in done.stdout.splitlines() if "IPKernelApp" not in line]
    tell(done.returncode == 0, "docs/python.ipynb: " + "\n".join(lines)[-3000:])


def check_others(wheel):
    """Compare with the model under every other Python that is here."""
    unpacked = os.path.join(OUT, "unpacked")
    shutil.rmtree(unpacked, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    for name in other_pythons():
        done = run(name, "against_model.py", str(GENERATED), cwd=work_folder(), env=settings(PYTHONPATH=unpacked))
        tell(done.returncode == 0, done.stdout.strip()[-2000:] if done.stdout else name)


def main(arguments):
    os.makedirs(OUT, exist_ok=True)
    must(sys.executable, os.path.join(HERE, "prepare.py"))
    must("make", "-s", "build/assay", cwd=ROOT)  # the notes are compared with those of the program
    if arguments[:1] == ["--tree"]:
        return in_tree(arguments[1:])
    if arguments[:1] == ["--official"]:
        return 0 if check_official(tree_python()) else 1
    if arguments[:1] == ["--fuzz"]:
        return fuzz_tree(int(arguments[1]) if arguments[1:] else FUZZ_SECONDS)
    python = environment("wheel")
    install(python, "--require-hashes", "-r", os.path.join(HERE, "requirements-test.txt"))
    wheel, source = built(python, "dist")
    again = built(python, "dist-again")
    tell(same(wheel, again[0]) and same(source, again[1]), "two builds are the same")
    with open(os.path.join(HERE, "contents.txt"), encoding="utf-8") as file:
        want = file.read().split("\n")[:-1]
    found = contents(wheel, source)
    tell(want == found, "the artefacts hold what contents.txt lists" + "".join(
        "\n    %s %s" % pair for pair in [("missing:", n) for n in want if n not in found]
        + [("not listed:", n) for n in found if n not in want]))
    install(python, "--no-index", wheel)
    done, counts = tests(python, arguments)
    print(done.stdout)
    tell(done.returncode == 0, "the tests, from the wheel: %s" % counts)
    done = examples(python)
    tell(done.returncode == 0, "the examples of README.md" + ("" if done.returncode == 0 else "\n" + done.stdout))
    check_official(python)
    check_source(source, arguments)
    check_notebook(wheel)
    check_others(wheel)
    atheris = fuzz_environment()
    if atheris is None:
        print("skipped: Atheris can't be installed for this Python")
    else:
        install(atheris, "--no-index", wheel)
        done, count = fuzz(atheris, FUZZ_SECONDS)
        good = done.returncode == 0 and count > 1000
        tell(good, "Atheris: %d inputs in %d s" % (count, FUZZ_SECONDS) + ("" if good else "\n" + done.stdout[-4000:]))
    print("\n".join("FAILED: " + what for what in failed))
    print("%d passed, %d failed" % (passed + counts.get("passed", 0), len(failed) + counts.get("failed", 0)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
