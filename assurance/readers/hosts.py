"""The readers that are available on this machine: how each is installed, by lock files and hashes, and the command
that runs it.

Each is a program that reads the records of ../reference/src/main.rs and prints a line for each file: see
python_reader.py.
"""
import collections
import hashlib
import os
import subprocess
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "readers")

Reader = collections.namedtuple("Reader", "name host argument version")


class Absent(Exception):
    """It is not available here."""


def run(*command, **more):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              check=False, timeout=900, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Absent(str(error)) from error
    if done.returncode != 0:
        raise Absent("%s: %s" % (" ".join(command[:4]), done.stdout.strip()[-300:]))
    return done.stdout


def copied(folder, *names):
    """Copy the files of a folder to a folder that is named by their digest."""
    said = hashlib.sha256()
    for name in names:
        with open(os.path.join(HERE, folder, name), "rb") as f:
            said.update(f.read())
    where = os.path.join(BUILD, "%s-%s" % (folder or "python", said.hexdigest()[:12]))
    os.makedirs(where, exist_ok=True)
    for name in names:
        with open(os.path.join(HERE, folder, name), "rb") as f, open(os.path.join(where, name), "wb") as copy:
            copy.write(f.read())
    return where


def python():
    where = copied("", "requirements.txt", "requirements-source.txt")
    command = os.path.join(where, "bin", "python")
    if not os.path.exists(os.path.join(where, "whole")):
        venv.create(where, with_pip=True)
        pip = [command, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
               "--no-deps"]
        run(*pip, "--only-binary=:all:", "-r", "requirements.txt", cwd=where)
        run(*pip, "--no-build-isolation", "-r", "requirements-source.txt", cwd=where)
        with open(os.path.join(where, "whole"), "w", encoding="ascii"):
            pass
    return [command, os.path.join(HERE, "python_reader.py")]


def javascript():
    where = copied("javascript", "package.json", "package-lock.json", "huggingface.mjs")
    if not os.path.exists(os.path.join(where, "node_modules")):
        run("npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", cwd=where)
    return ["node", os.path.join(where, "huggingface.mjs")]


def go():
    where = copied("go", "go.mod", "go.sum", "main.go")
    run("go", "build", "-mod=readonly", "-o", "reader", ".", cwd=where, env=dict(os.environ, CGO_ENABLED="0"))
    return [os.path.join(where, "reader")]


def rust():
    where = os.path.join(BUILD, "rust")
    manifest = os.path.join(HERE, "rust", "Cargo.toml")
    run("cargo", "fetch", "--locked", "--quiet", "--manifest-path", manifest)
    run("cargo", "build", "--release", "--locked", "--offline", "--quiet", "--manifest-path", manifest,
        "--target-dir", where)
    return [os.path.join(where, "release", "readers")]


def commands(readers, say):
    """Return {reader: command} of the available readers; say gets the reason for the others."""
    made, out = {}, {}
    for reader in readers:
        if reader.host not in made:
            try:
                made[reader.host] = reader.host()
            except Absent as why:
                made[reader.host] = None
                say("skipped: %s cannot be had here: %s" % (reader.host.__name__, why))
        if made[reader.host] is not None:
            out[reader] = made[reader.host] + reader.argument.split()
    return out
