"""The official package's own tests, as check.py and check_torch.py run them: as they are, under the guard, with the
modules of assay in place of the official ones, and with the official readers on files that assay has written."""
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree

VERSION = "0.8.0"
HASH = "fabaf3e0f18a6618d9b36560682562157f77c2b71fcffc7b432be2baed9d753d"
# Read by pytest before the tests: it counts the files that the guard judges and those that assay writes.
PLUGIN = """
import json, sys

def pytest_sessionfinish(session):
    guard = sys.modules.get("assay.guard")
    status = guard.status() if guard else {"hooked": False, "judged": 0}
    writers = sys.modules.get("writers_plugin")
    with open("status.json", "w") as file:
        json.dump(dict(status, written=writers.written if writers else {}), file)
"""
# The same, for the writers: every module of the official package that writes, flax among them, calls these functions.
WRITERS = """
import importlib

written = {}

def counted(name, write):
    def function(*arguments, **options):
        written[name] = written.get(name, 0) + 1
        return write(*arguments, **options)
    return function

for framework, names in (("numpy", ("save", "save_file")), ("torch", ("save", "save_file", "save_model"))):
    if importlib.util.find_spec(framework) is not None:
        theirs, ours = (importlib.import_module(package + "." + framework) for package in ("safetensors", "assay"))
        for name in names:
            setattr(theirs, name, counted(framework + "." + name, getattr(ours, name)))
"""


def tests(python, out):
    """Return the folder of the official package's tests, fetched once to the folder `out` by this Python."""
    folder = os.path.join(out, "official")
    archive = os.path.join(folder, "safetensors-%s.tar.gz" % VERSION)
    if not os.path.exists(archive):
        os.makedirs(folder, exist_ok=True)
        wanted = os.path.join(folder, "requirements.txt")
        with open(wanted, "w", encoding="utf-8") as file:
            file.write("safetensors==%s --hash=sha256:%s\n" % (VERSION, HASH))
        done = subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "safetensors",
                               "--require-hashes", "-d", folder, "-r", wanted], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, check=False)
        if done.returncode != 0:
            raise SystemExit("the official source distribution can't be fetched:\n" + done.stdout)
    with open(archive, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != HASH:
            raise SystemExit("%s is not the file that was asked for: remove it, and run this again" % archive)
    unpacked = os.path.join(folder, "tests")
    shutil.rmtree(unpacked, ignore_errors=True)
    prefix = "safetensors-%s/bindings/python/tests/" % VERSION
    with tarfile.open(archive) as source:
        for member in source.getmembers():
            if member.isfile() and member.name.startswith(prefix) and ".." not in member.name:
                path = os.path.join(unpacked, member.name[len(prefix):])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(source.extractfile(member).read())
    return unpacked


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


def without_torch(text):
    """Return a test of the official package without its imports of torch, and without what uses them."""
    tree, lines = ast.parse(text), text.split("\n")
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))
               and "torch" in (getattr(node, "module", None) or node.names[0].name)]
    names = {name.asname or name.name for node in imports for name in node.names}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
            and any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))]
    for node in imports + uses:
        lines[node.lineno - 1:node.end_lineno] = [" " * node.col_offset + "pass"] + [""] * (node.end_lineno - node.lineno)
    return "\n".join(lines)


def changed(folder, change):
    """Rewrite the tests in a folder."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".py"):
            with open(path, encoding="utf-8") as source:
                text = source.read()
            with open(path, "w", encoding="utf-8") as target:
                target.write(change(text))


def outcomes(python, unpacked, work, left_out, *, guarded=False, change=None, written=False):
    """Run the official tests in a copy of their folder, without the files and tests in left_out. guarded: under the
    guard; change: a function that changes their text; written: by assay's writers. Return {test: how it ended}, and how many files the
    guard judged and assay wrote."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(unpacked, os.path.join(work, "tests"))
    if change:
        changed(os.path.join(work, "tests"), change)
    for name, text in (("status_plugin", PLUGIN), ("writers_plugin", WRITERS)):
        with open(os.path.join(work, name + ".py"), "w", encoding="utf-8") as file:
            file.write(text)
    command = [python, *(["-m", "assay.guard"] if guarded else []), "-m", "pytest", "-q", "-p", "no:cacheprovider",
               "-p", "status_plugin", *(["-p", "writers_plugin"] if written else []), "--junitxml=result.xml",
               *("--%s=tests/%s" % ("deselect" if "::" in name else "ignore", name) for name in left_out), "tests"]
    run = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                         check=False, env=dict(os.environ, CUDA_VISIBLE_DEVICES="", PYTHONPATH=os.pathsep.join(
                             [work, *filter(None, [os.environ.get("PYTHONPATH")])])))
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
    """Tell in which tests two runs differ, except in those of otherwise, which must differ."""
    lines = ["%s: %s, then %s %s" % (test, first.get(test, ["not run"])[0], *other.get(test, ["not run", ""])[:2])
             for test in sorted(set(first) | set(other)) if test not in otherwise
             and first.get(test, ["none"])[0] != other.get(test, ["none"])[0]]
    lines += ["%s: it does not differ: remove it from the list" % test for test in otherwise
              if first.get(test, ["none"])[0] == other.get(test, ["none"])[0]]
    return "".join("\n    " + line[-1500:] for line in lines), not lines


def counted(ended):
    counts = {}
    for kind, _ in ended.values():
        counts[kind] = counts.get(kind, 0) + 1
    return ", ".join("%d %s" % (number, kind) for kind, number in sorted(counts.items()))


def words_of(written):
    return ", ".join("%d by %s" % (number, name) for name, number in sorted(written.items()))
