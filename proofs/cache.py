"""What the provers answered before, by file (WP's cache), and when that may be used again.

    directory(build, name)   where the answers for a file are: its path holds a digest of the tools and the flags
    opened(build, name)      the same; emptied first unless its entries are those of the last run that ended
    closed(path)             keep a digest of the entries

WP names an entry by the obligation and by the prover's name and version, not by the prover itself. So an entry is used
only with the tools and flags that made it, and only if nothing has changed since. Against somebody who may write here
that is no defence: he can write the digest too. `--fresh` forgets everything; `.ci/run` uses it.
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
    """The files that a prover's answer depends on: programs, their libraries, Frama-C's plug-ins, the libraries of
    WP and Why3, our flags and the configuration of Why3."""
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
    """The digest of the tools and the flags."""
    said = "".join("%s %s\n" % (os.path.basename(path), content(path)) for path in parts(build))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def entries(path):
    """The digest of the entries, their names with them."""
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
    os.makedirs(path, exist_ok=True)
    return path


def closed(path):
    with open(os.path.join(path, DIGEST), "w", encoding="ascii") as f:
        f.write(entries(path) + "\n")
