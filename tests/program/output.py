"""Test output that fails: nothing is lost silently."""

import os
import signal
import subprocess
import sys

from lib import LIMIT, PROGRAM, Skip, model, run, tensor, write, frame
import lib

CALLS = [
    ["check", "x"],
    ["check", "--format", "json", "x"],
    ["ls", "x"],
    ["ls", "--format", "json", "x"],
    ["meta", "x"],
    ["meta", "x", "k"],
    ["meta", "--raw", "x", "k"],
    ["rules"],
    ["rules", "G1"],
    ["--help"],
    ["--version"],
    ["check", "--help"],
]


def shell(script, *words):
    done = subprocess.run(
        ["sh", "-c", script, "sh", lib.PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=LIMIT,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def setup():
    model("x", metadata={"k": "v"})


def test_full_disk():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    setup()
    for words in CALLS:
        status, _, err = shell('exec "$@" >/dev/full', *words)
        assert status == 2 and "the output could not be written: No space left" in err, (words, status, err)
    status, _, err = shell('exec "$@" >/dev/full', "check", "-q", "x")
    assert status == 0 and err == ""


def test_full_disk_in_the_middle():
    """More than a buffer full: the error comes while writing, not when closing."""
    write(
        "x",
        frame(
            lib.header([("t%d" % i, tensor(i, i + 1)) for i in range(9999)], {"k" * 9999: "v" * 99999}),
            bytes(9999),
        ),
    )
    for words in (
        ["ls", "x"],
        ["ls", "--format", "json", "x"],
        ["meta", "x"],
        ["check", "--format", "json"] + ["x"] * 999,
    ):
        status, _, err = shell('exec "$@" >/dev/full', *words)
        assert status == 2 and "could not be written" in err, (words, status, err)


def test_closed_output():
    setup()
    for words in CALLS:
        status, _, err = shell('exec "$@" >&-', *words)
        assert status == 2 and "the output could not be written" in err, (words, status, err)
    with open("x", "rb") as f:
        before = f.read()
    status, _, err = shell('exec "$@" >&-', "check", "-q", "x")
    assert status == 0 and err == "", err  # no output, nothing lost
    shell('exec "$@" >&- 2>&- <&-', "check", "x")
    with open("x", "rb") as f:
        assert f.read() == before


def test_closed_input_and_errors():
    setup()
    status, out, _ = shell('exec "$@" <&- 2>&-', "check", "x", "missing")
    assert status == 2 and out.startswith("x: valid: ") and "missing: error: " in out
    status, out, _ = shell('exec "$@" 2>&-', "ls", "missing")
    assert status == 2 and out == ""
    for words in (["check", "-"], ["check", "--fd", "0"], ["check", "--files0-from", "-"]):
        status, out, err = shell('exec "$@" <&-', *words)
        assert status == 2 and ": error: can't be read: Bad file descriptor\n" in out + err, (words, status, out)


def test_reader_that_goes_away():
    setup()
    process = subprocess.Popen(
        [lib.PROGRAM, "check", *["x"] * 20000],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        restore_signals=True,
    )
    assert process.stdout.readline().startswith(b"x: valid")
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(LIMIT) == -signal.SIGPIPE and err == b"", (process.returncode, err)


def test_reader_that_goes_away_while_signals_are_ignored():
    setup()
    process = subprocess.Popen(
        [lib.PROGRAM, "check", *["x"] * 20000],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        restore_signals=False,
        preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN),
    )
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(LIMIT) == 2 and b"could not be written" in err, err


def test_nothing_depends_on_the_locale():
    model("x", [("caf\u00e9\u6f22", tensor(0, 4))])
    outs = {
        run("ls", "x", env={**os.environ, "LC_ALL": name}).out
        for name in ("C", "POSIX", "C.UTF-8", "tr_TR.UTF-8")
    }
    assert len(outs) == 1 and "caf\u00e9\u6f22" in outs.pop()


def test_same_output_every_time():
    model("x", [("t%d" % i, tensor(i, i + 1)) for i in range(500)], {"k%d" % i: "v" for i in range(500)})
    assert len({run("ls", "--format", "json", "x").out for _ in range(5)}) == 1


def test_standard_input_is_left_alone():
    setup()
    done = subprocess.run(
        [lib.PROGRAM, "check", "/dev/stdin"], input=b"x" * 100, stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 2 and b"is a named pipe (FIFO), not a file" in done.stdout, done.stdout
    with open("x", "rb") as f:
        done = subprocess.run(
            [lib.PROGRAM, "check", "/dev/stdin"], stdin=f, stdout=subprocess.PIPE, check=False
        )
        assert f.tell() == 0
    assert done.returncode == 0 and sys.platform == "linux", done.stdout
