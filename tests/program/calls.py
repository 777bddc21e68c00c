"""Every system call of the program fails once, in every way; and before every one of them the file changes.

Whichever it is: what the program then says of a file is the truth, or that it could not judge it.
"""

import collections
import errno
import functools
import json
import os
import re
import resource
import signal
import time

import lib
from lib import Skip, build_fault, build_test_c, frame, header, model, run, safe, sanitized, tensor, write

Traced = collections.namedtuple("Traced", "status out err calls")
Call = collections.namedtuple("Call", "name fd result")

COMMANDS = [
    ["check", "valid"],
    ["check", "big"],
    ["check", "valid", "invalid", "missing"],
    ["check", "--format", "jsonl", "big", "invalid", "missing"],
    ["check", "--format", "json", "valid", "d", "missing"],
    ["check", "-q", "valid", "missing"],
    ["check", "d"],
    ["check", "--format", "jsonl", "d"],
    ["ls", "valid"],
    ["ls", "big"],
    ["ls", "--format", "json", "big"],
    ["ls", "invalid"],
    ["meta", "valid"],
    ["meta", "big"],
    ["meta", "valid", "k"],
    ["meta", "--raw", "valid", "k"],
    ["meta", "valid", "no such key"],
    ["meta", "missing"],
    ["rules"],
    ["rules", "G4"],
    ["--help"],
    ["--version"],
    ["ls", "--help"],
    ["ls"],
]
CHANGED = "changed while it was being judged: try again when nobody writes to it"
WRITTEN = "assay: the output could not be written: %s\n"
STREAM = "assay: a closed standard stream can't be replaced: %s\n"


def setup():
    model("valid", metadata={"k": "v"})
    model("invalid", data=b"")
    pairs = {"long": "v" * 9999, **{"k%d" % i: "v" for i in range(3000)}}
    model("big", [("t%d" % i, tensor(i, i + 1)) for i in range(999)], pairs)
    os.makedirs("d/sub/sub")
    model("d/a.safetensors")
    model("d/sub/sub/b.safetensors", data=b"")
    write("d/readme.txt", b"not judged")
    os.symlink("../valid", "d/link.safetensors")
    os.symlink("..", "d/up")


def trace(tracer, number, action, *words):
    """Runs the program; before its number-th call something happens."""
    env = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}  # not when traced
    result = run("log", str(number), str(action), lib.PROGRAM, *words, program=tracer, env=env, raw="--raw" in words)
    if result.status == 77:
        raise Skip("programs can't be traced here")
    assert result.status in (0, 1, 2), (words, number, action, result.status, result.out, result.err)
    with open("log", encoding="ascii") as f:
        calls = [Call(name, int(fd), int(got)) for name, fd, got in map(str.split, f)]
    return Traced(result.status, result.out, result.err, calls)


def traced_commands():
    """The tracer, and for each command the run in which nothing fails."""
    tracer = build_test_c("fault_call")
    setup()
    for words in COMMANDS:
        real = trace(tracer, 0, 0, *words)
        plain = run(*words, raw=True)
        assert real[:3] == (plain.status, plain.out, plain.err) and len(real.calls) > 3, words
        yield functools.partial(trace, tracer), words, real


def records(words, out):
    """What `check` said of each path, in its order: verdict, and all else."""
    if "--format" not in words:
        lines = [line.split(": ", 2) for line in out.splitlines()]
        return {path: (verdict, message) for path, verdict, message in lines}
    objects = json.loads(out or "[]") if "json" in words else map(json.loads, out.splitlines())
    return {found.pop("path"): (found["verdict"], found["message"]) for found in objects}


def same(left, right):
    return left[:3] == right[:3]


def told(words, real, got, why):
    """What could not be done is told, and why; all the rest is as it was."""
    if words[0] != "check":
        assert got.status == 2 and got.out == "" and got.err.count("\n") == 1, (words, got)
        assert re.search("(^assay|: error): .*(%s)\n$" % why, got.err), (words, got.err)
        return
    before, after = records(words, real.out or real.err), records(words, got.out or got.err)
    lost = {path: message for path, (verdict, message) in after.items() if before.get(path) != (verdict, message)}
    assert lost, (words, got)
    for path, message in lost.items():
        assert after[path][0] == "error" and re.search("(%s)$" % why, message), (words, got)
    for path in before:
        inside = any(path.startswith(upper.rstrip("/") + "/") for upper in lost)
        assert path in after or inside, "lost: %s: %s" % (path, got)
    assert got.status == (1 if "invalid" in {verdict for verdict, _ in after.values()} else 2), (words, got)


def output_lost(words, real, got, why):
    """Output that was not taken: what came before it, nothing behind it, and an error."""
    assert got.status == 2 and real.out.startswith(got.out), (words, got, real.out)
    assert got.err == real.err + WRITTEN % why, (words, got)


def test_every_call_fails():
    for run_with, words, real in traced_commands():
        for error in (errno.EIO,) if sanitized() else (errno.EIO, errno.EINTR, errno.ENOMEM):
            for number, call in enumerate(real.calls, 1):
                if call.name == "brk" or (sanitized() and call.name == "other"):
                    continue  # has no errors; is the sanitizer's own
                got, why = run_with(number, error, *words), os.strerror(error)
                assert got.calls[number - 1].result == -error, (words, number, got.calls)
                if call.name in ("write", "close") and call.fd == 1:
                    output_lost(words, real, got, why)
                elif call.name == "write" and call.fd == 2:
                    assert got.status == real.status and got.out == real.out and got.status > 0, (words, got)
                elif call.name in ("close", "getrandom") or (call.name == "pread" and error == errno.EINTR):
                    assert same(got, real), (words, call, got)  # not needed, had elsewhere, or tried again
                elif number <= 3:  # are the standard streams open?
                    assert got[:3] == (2, "", STREAM % why), (words, got)
                elif call.name in ("openat", "pread", "getdents", "fcntl"):
                    told(words, real, got, why)
                elif call.name in ("fstat", "fstatat") and call.fd != 1 and "d" not in words:
                    told(words, real, got, why)
                elif not same(got, real):
                    told(words, real, got, why + "|there is not enough memory to judge it")


def test_full_disk_for_a_moment():
    """The output is refused once and would be taken again: nothing may be missing in the middle."""
    for run_with, words, real in traced_commands():
        for number, call in enumerate(real.calls, 1):
            if call.name == "write" and call.fd == 1:
                for error in (errno.ENOSPC, errno.EAGAIN):
                    output_lost(words, real, run_with(number, error, *words), os.strerror(error))


def test_short_reads_and_writes():
    for run_with, words, real in traced_commands():
        for number, call in enumerate(real.calls, 1):
            if call.name in ("read", "pread", "write"):
                assert same(run_with(number, "short", *words), real), (words, number)
        if "big" not in words:  # a million calls
            assert same(run_with("*", "short", *words), real), words


def test_disk_full_after_any_byte():
    """A file that may not grow beyond a size takes a part of a write."""
    setup()
    for words in COMMANDS:
        real = run(*words, raw=True)
        if real.out == "":
            continue
        for size in {0, 1, len(real.raw) // 2, 4095, 4096, 4097, len(real.raw) - 1} & set(range(len(real.raw))):

            def limit(size=size):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            with open("out", "wb") as f:
                got = run(*words, stdout=f, preexec_fn=limit)
            with open("out", "rb") as f:
                assert f.read() == real.raw[:size], (words, size)
            assert got.status == 2 and got.err == WRITTEN % os.strerror(errno.EFBIG), (words, size, got.err)


# What somebody may do to a file, as a shell does it: to the file that is open, or to what has its name.
IN_PLACE = {
    "shrinks": "truncate -s -1 x",
    "grows": "printf y >>x",
    "is emptied": ": >x",
    "is rewritten, and the time set back": "cat other >x; touch -d @1000000000 x",
}
BY_NAME = {
    "is replaced": "mv other x",
    "is removed": "rm x",
    "is now a FIFO": "rm x; mkfifo x",
    "is now a directory": "rm x; mkdir x",
    "is now a link to itself": "rm x; ln -s x x",
}


def fresh():
    """A valid file and another, invalid one of the same size."""
    for name in ("x", "other"):
        os.system("rm -rf " + name)
    size = os.path.getsize(model("x", [("t%d" % i, tensor(i, i + 1)) for i in range(999)]))
    write("other", frame(b"[".ljust(size - 8), b""))
    for name in ("x", "other"):
        os.utime(name, (10**9, 10**9))
    time.sleep(0.012)  # the clock of files may be as slow as that


def test_a_file_that_changes_before_any_call():
    """Before it is opened, it is the new file that is judged; behind the last look at it, the old; between, neither."""
    tracer = build_test_c("fault_call")
    commands = (["check", "x"], ["check", "--format", "jsonl", "x"], ["ls", "x"], ["meta", "x"])
    for words in commands[:1] if sanitized() else commands:
        fresh()
        old = trace(tracer, 0, 0, *words)
        opened = next(i for i, call in enumerate(old.calls, 1) if call.name == "openat")
        file = old.calls[opened - 1].result
        looks = [i for i, call in enumerate(old.calls, 1) if call.name in ("fstat", "fstatat") and call.fd == file]
        for what, command in {**IN_PLACE, **BY_NAME}.items():
            fresh()
            os.system(command)
            new = run(*words)
            new = Traced(new.status, new.out, new.err, [])
            for number in range(1, len(old.calls) + 1):
                if sanitized() and old.calls[number - 1].name == "other":
                    continue
                fresh()
                got = trace(tracer, number, "!" + command, *words)
                where = (what, words, number, old.calls[number - 1], got[:3])
                if number <= opened or (what in IN_PLACE and number <= looks[0]):
                    assert same(got, new), where
                elif looks[0] < number <= looks[-1]:
                    assert got.status == 2 and CHANGED in got.out + got.err, where
                    assert "valid" not in got.out and "valid" not in got.err, where
                else:
                    assert same(got, old), where


def test_every_allocation_fails():
    """One of them, or that one and all that follow."""
    library = build_fault()
    setup()
    for words in COMMANDS:
        real = run(*words, raw=True)
        real = Traced(real.status, real.out, real.err, [])
        counted = run(*words, env={**os.environ, "LD_PRELOAD": library, "FAULT": "count"}, raw=True)
        counts = dict(re.findall(r"^(malloc|realloc) (\d+)$", counted.err, re.M))
        for function in ("malloc", "realloc"):
            for number in range(1, int(counts[function]) + 1):
                for which in ("%d", "%d+"):
                    what = "%s:%s:%d" % (function, which % number, errno.ENOMEM)
                    got = run(*words, env={**os.environ, "LD_PRELOAD": library, "FAULT": what}, raw=True)
                    safe(got.err)
                    assert got.status in (0, 1, 2), (words, what, got.status)
                    got = Traced(got.status, got.out, got.err, [])
                    if not same(got, real):
                        told(words, real, got, "there is not enough memory to judge it|Cannot allocate memory")
