"""Test demo.sh: it shows attacks, leaves nothing on the disk, and fails when a verdict is wrong."""

import os
import re
import shutil
import subprocess

import lib
from lib import ROOT, Skip

CC = os.environ.get("CC", "cc")


def demo(program):
    if shutil.which(CC.split()[0]) is None:
        raise Skip("no C compiler")
    os.makedirs("temporary", exist_ok=True)
    done = subprocess.run(
        ["sh", os.path.join(ROOT, "demo.sh"), os.path.abspath(program)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=lib.LIMIT,
        check=False,
        env={**os.environ, "TMPDIR": os.path.abspath("temporary"), "CC": CC},
    )
    assert os.listdir("temporary") == []
    return done.returncode, done.stdout.decode()


def wrapper(script):
    """Make a program that differs slightly from assay."""
    with open("wrapper", "w", encoding="ascii") as f:
        f.write("#!/bin/sh\nassay='%s'\n%s\n" % (lib.PROGRAM, script))
    os.chmod("wrapper", 0o755)
    return "wrapper"


def test_demo():
    status, out = demo(lib.PROGRAM)
    assert status == 0 and "UNEXPECTED" not in out, out
    assert "291 tensors, 16.06 GB" in out and "8030261248 elements, 16060522496 bytes" in out
    assert "rule G3" in out and "3 bytes are missing: replace the file" in " ".join(out.split())  # it wraps lines
    assert len(set(re.findall("rule ([FHG][0-9]+) ", out))) >= 10
    assert len(out.splitlines()) < 75 and max(map(len, out.splitlines())) <= 100
    lib.safe(out)


def test_demo_notices_wrong_verdicts():
    for script in (
        "echo x: valid: 0 tensors, 10 bytes",
        "echo 'x: invalid: rule G4 at byte 0: '; exit 1",
        "exit 1",
        "",
        '"$assay" "$@" | sed s/G3/G4/; exit 1',
        '"$assay" "$@"; exit 0',
        '"$assay" "$@"; kill -9 $$',
    ):
        status, out = demo(wrapper(script))
        assert status != 0 and "UNEXPECTED" in out, (script, out)
