"""docs/tour.md: every command on it prints what stands there; ... stands for anything on a line. As a program:

    tests/program/tour.py PROGRAM    writes what the commands print into the page
"""

import os
import re
import subprocess
import sys

import lib

PAGE = os.path.join(lib.ROOT, "docs", "tour.md")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
VARIES = r"/[^ :]*/tmp\.[^/]*/"  # a directory of its own


def page():
    with open(PAGE, encoding="utf-8") as f:
        return f.read()


def commands(block):
    """Pairs of a command and what it prints."""
    return [part.split("\n", 1) for part in re.split(r"^\$ ", block, flags=re.M)[1:]]


def prepare():
    os.symlink(os.path.join(lib.ROOT, "corpus"), "corpus")
    os.symlink(os.path.join(lib.ROOT, "examples"), "examples")
    os.mkdir("bin")
    os.symlink(lib.PROGRAM, "bin/assay")


def said(command):
    env = {**os.environ, "PATH": os.path.abspath("bin") + ":" + os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env,
        timeout=lib.LIMIT, check=False,
    )
    lib.safe(done.stdout.decode())
    return done.stdout.decode()


def like(wanted):
    return re.compile(".*".join(map(re.escape, wanted.split("..."))))


def test_tour():
    prepare()
    seen = 0
    for block in BLOCK.findall(page()):
        for command, wanted in commands(block):
            assert like(wanted).fullmatch(said(command)), (command, said(command))
            seen += 1
    assert seen >= 20


def test_nothing_is_left_out():
    """What stands on the page like a command is in a block that is run."""
    assert page().count("\n$ ") == sum(len(commands(block)) for block in BLOCK.findall(page()))
    assert not re.search(r"^    \$ ", page(), re.M)


def write():
    lib.PROGRAM = os.path.abspath(sys.argv[1])

    def fill(block):
        out = ""
        for command, _ in commands(block.group(1)):
            out += "$ %s\n%s" % (command, re.sub(VARIES, ".../", said(command)))
        return "```console\n%s```" % out

    with lib.folder():
        prepare()
        text = BLOCK.sub(fill, page())
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    write()
