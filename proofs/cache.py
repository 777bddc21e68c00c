"""The cache of prover answers (WP's cache), by file, and when it may be used.

    directory(build, name)   the folder of a file's answers; its path contains a digest of tools and flags
    opened(build, name)      the same; emptied first if its entries differ from those that the last run left, and
                             without those of a prover that stopped with an error, which is no answer
    closed(path)             store a digest of the entries

WP names an entry by the obligation and by the name and version of the prover, not by the prover itself. So an
entry is used only with the tools and flags that made it, and only if nothing has changed since. This is no defence
against somebody who can write here: they can write the digest too. `--fresh` discards everything; `.ci/run` uses
it.
"""
import functools
import glob
import hashlib
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = ["frama-c", "why3", "z3", "cvc4", "gcc"]
DIGEST = "entries.sha256"


def content(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def parts(build):
    """Return the files on which a prover's answer depends: programs, their libraries, Frama-C's plug-ins, the
    libraries of WP and Why3, our flags and the configuration of Why3."""
    found = [os.path.realpath(shutil.which(tool)) for tool in TOOLS if shutil.which(tool)]
    for tool in list(found):
        said = subprocess.run(["ldd", tool], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                              universal_newlines=True).stdout
        found += [os.path.realpath(path) for path in re.findall(r"(/\S+)", said) if os.path.exists(path)]
    said = subprocess.run(["frama-c", "-print-plugin-path"], stdout=subprocess.PIPE, check=True, universal_newlines=True)
    share = subprocess.run(["frama-c", "-print-share-path"], stdout=subprocess.PIPE, check=True, universal_newlines=True)
    found += glob.glob(os.path.join(said.stdout.strip(), "**", "*.cmxs"), recursive=True)
    for folder in os.path.join(share.stdout.strip(), "wp"), "/usr/share/why3":
        found += [path for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True) if os.path.isfile(path)]
    found += [os.path.join(ROOT, "proofs", "flags"), os.path.join(build, "why3.conf")]
    return sorted(set(path for path in found if os.path.isfile(path)))


@functools.lru_cache()
def key(build):
    """Return the digest of the tools and flags."""
    said = "".join("%s %s\n" % (os.path.basename(path), content(path)) for path in parts(build))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def entries(path):
    """Return the digest of the entries and their names."""
    found = sorted(p for p in glob.glob(os.path.join(path, "**", "*"), recursive=True) if os.path.isfile(p))
    said = "".join("%s %s\n" % (os.path.relpath(p, path), content(p)) for p in found if os.path.basename(p) != DIGEST)
    return hashlib.sha256(said.encode()).hexdigest()


def directory(build, name):
    return os.path.join(build, "session", key(build), name)


def opened(build, name):
    path = directory(build, name)
    if os.path.isdir(path):
        try:
            with open(os.path.join(path, DIGEST), encoding="ascii") as f:
                good = f.read().strip() == entries(path)
        except OSError:
            good = False
        if not good:
            print("%s: the cache is not as its last run left it: forgotten" % name, flush=True)
            shutil.rmtree(path)
    for entry in glob.glob(os.path.join(path, "cache", "*.json")):
        with open(entry, encoding="utf-8") as f:
            failed = '"failed"' in f.read()
        if failed:
            os.remove(entry)
    os.makedirs(path, exist_ok=True)
    return path


def closed(path):
    with open(os.path.join(path, DIGEST), "w", encoding="ascii") as f:
        f.write(entries(path) + "\n")
