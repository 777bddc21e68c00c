"""Make every system call of the program fail once, in every way; and change the file before each of them.

Wherever it happens, in the program or in a worker, the program must report the truth about a file, or that it
could not judge it.
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
JUDGE = 1  # a worker; the program is 0
POOLED = ("check", "modelspec")  # commands that have workers

COMMANDS = [
    ["check", "-j1", "valid"],
    ["check", "-j1", "big"],
    ["check", "-j1", "valid", "invalid", "missing"],
    ["check", "-j1", "--format", "jsonl", "big", "invalid", "missing"],
    ["check", "-j1", "--format", "json", "valid", "d", "missing"],
    ["check", "-j1", "-q", "valid", "missing"],
    ["check", "-j1", "d"],
    ["check", "-j1", "--format", "jsonl", "d"],
    ["check", "-j1", "m"],
    ["check", "-j1", "--format", "jsonl", "m/model.safetensors.index.json"],
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
    ["ls", "--aliases", "valid"],
    ["modelspec", "-j1", "--format", "jsonl", "spec"],
    ["rules"],
    ["rules", "G4"],
    ["--help"],
    ["--version"],
    ["ls", "--help"],
    ["ls"],
]
CHANGED = "changed while it was being checked: try again when nothing writes to it"
WRITTEN = "assay: the output could not be written: %s\n"
STREAM = "assay: a closed standard stream can't be replaced: %s\n"
BEGIN = "assay: can't begin: "
NO_LANDLOCK = "no Landlock in this kernel,"
WHY = (
    "|not enough memory to check it|the process that checked it died.*"
    "|the process to check it could not be started.*|the sandbox can't be entered.*"
)


def setup():
    model("valid", metadata={"k": "v"})
    model("invalid", data=b"")
    model("spec", metadata={"modelspec." + key: "1.0.1" for key in ("sai_model_spec", "title", "implementation")} | {
        "modelspec.architecture": "stable-diffusion-v1/lora"})
    pairs = {"long": "v\x7f" * 4999, **{"k%d" % i: "v" for i in range(3000)}}
    model("big", [("t%d" % i, tensor(i, i + 1)) for i in range(999)], pairs)
    os.makedirs("d/sub/sub")
    model("d/a.safetensors")
    model("d/sub/sub/b.safetensors", data=b"")
    write("d/readme.txt", b"not judged")
    os.symlink("../valid", "d/link.safetensors")
    os.symlink("..", "d/up")
    os.makedirs("m")
    for name in ("a", "b"):
        model("m/%s.safetensors" % name, [(name, tensor(0, 4))])
    write("m/model.safetensors.index.json", b'{"weight_map":{"a":"a.safetensors","b":"b.safetensors"}}')


def trace(tracer, place, action, *words):
    """Run the program; before one of its calls, PROCESS:NAME:NUMBER, something happens. Return its calls, by
    process."""
    env = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}  # not when traced
    result = run("log", str(place), str(action), lib.PROGRAM, *words, program=tracer, env=env, raw="--raw" in words)
    if result.status == 77 and place == 0:
        raise Skip("programs can't be traced here")
    assert result.status in (0, 1, 2), (words, place, action, result.status, result.out, result.err)
    calls = collections.defaultdict(list)
    with open("log", encoding="ascii") as f:
        for process, name, fd, got in map(str.split, f):
            calls[int(process)].append(Call(name, int(fd), int(got)))
    return Traced(result.status, result.out, result.err, calls)


def places(traced):
    """Yield where something can happen: process, number of the call, and its name for the tracer, with its number
    of this kind."""
    for process in sorted(traced.calls):
        made = collections.Counter()
        for number, call in enumerate(traced.calls[process], 1):
            made[call.name] += 1
            yield process, number, "%d:%s:%d" % (process, call.name, made[call.name])


def reached(traced, place):
    """Return the call at that point, or None: how often a process polls is random."""
    process, name, number = place.split(":")
    alike = [call for call in traced.calls[int(process)] if call.name == name]
    return alike[int(number) - 1] if int(number) <= len(alike) else None


def traced_commands():
    """Return the tracer, and for each command the run in which nothing fails."""
    tracer = build_test_c("fault_call")
    setup()
    for words in COMMANDS:
        real = trace(tracer, 0, 0, *words)
        plain = run(*words, raw=True)
        assert real[:3] == (plain.status, plain.out, plain.err) and len(real.calls[0]) > 3, words
        assert (JUDGE in real.calls) == (words[0] in POOLED and words[-1] != "--help"), words
        yield functools.partial(trace, tracer), words, real


def records(words, out):
    """Return the record of a command with workers for each path, in order: verdict, and everything else."""
    if "--format" not in words:
        lines = [line.split(": ", 2) for line in out.splitlines()]
        return {path: (verdict, message) for path, verdict, message in lines}
    objects = json.loads(out or "[]") if "json" in words else map(json.loads, out.splitlines())
    return {found.pop("path"): (found["verdict"], found["message"]) for found in objects}


def same(left, right):
    return left[:3] == right[:3]


def check_reported(words, real, got, why):
    """Check that what could not be done is reported with the reason, and everything else is unchanged."""
    if words[0] not in POOLED:
        assert got.status == 2 and got.out == "" and got.err.count("\n") == 1, (words, got)
        assert re.search("(^assay|: error): .*(%s)\n$" % why, got.err), (words, got.err)
        return
    before, after = records(words, real.out or real.err), records(words, got.out or got.err)
    lost = {path: message for path, (verdict, message) in after.items() if before.get(path) != (verdict, message)}
    for path in [path for path in lost if lost[path].startswith("a file of this model could not be judged")]:
        assert path.endswith(".index.json") and after[path][0] == "error", (words, got)
        del lost[path]  # the record of that file states why
    assert lost, (words, got)
    for path, message in lost.items():
        assert after[path][0] == "error" and re.search("(%s)$" % why, message), (words, got)
    folders = [os.path.dirname(path) if path.endswith(".index.json") else path.rstrip("/") for path in lost]
    for path in before:
        inside = any(path.startswith(folder + "/") for folder in folders)
        assert path in after or inside, "lost: %s: %s" % (path, got)
    assert got.status == (1 if "invalid" in {verdict for verdict, _ in after.values()} else 2), (words, got)


def output_lost(words, real, got, why):
    """Check lost output: what came before it, nothing after it, and an error."""
    assert got.status == 2 and real.out.startswith(got.out), (words, got, real.out)
    assert got.err == real.err + WRITTEN % why, (words, got)


def failed(words, real, got, at, error):
    """Check a run in which one call failed: `got` instead of `real`."""
    process, number, place = at
    why = os.strerror(error)
    call = reached(got, place)
    if call is None:
        assert same(got, real), (words, place, got)
        return
    where = (words, place, call, error, got[:3])
    assert call.result == -error, where
    if process == 0 and call.name in ("write", "close") and call.fd == 1:
        output_lost(words, real, got, why)
    elif process == 0 and call.name == "write" and call.fd == 2:
        assert got.status == real.status and got.out == real.out and got.status > 0, where
    elif process == 0 and number <= 3:  # whether the standard streams are open
        assert got[:3] == (2, "", STREAM % why), where
    elif call.name in ("close", "getrandom", "poll", "wait") or (
        error == errno.EINTR and call.name in ("pread", "recv", "recvmsg", "sendmsg")
    ):
        assert same(got, real), where  # not needed, available elsewhere, or tried again
    elif words == ["--version"] and call.name == "other":
        assert got.status == 0 and got.out in (real.out, re.sub(r"Landlock .*?,", NO_LANDLOCK, real.out)), where
    elif got.err.startswith(BEGIN):
        assert got.status == 2 and got.out == "" and process == 0 and call.name == "other", where
    elif call.name in ("openat", "openat2", "pread", "getdents"):
        check_reported(words, real, got, why + WHY)
    elif call.name in ("statx", "fstatat") and call.fd != 1 and not {"d", "m"} & set(words):
        check_reported(words, real, got, why + WHY)
    elif not same(got, real):
        check_reported(words, real, got, why + WHY)


def test_every_call_fails():
    for run_with, words, real in traced_commands():
        every = words[0] not in POOLED or len(real.calls[0]) < 60  # it would take hours
        for error in (errno.EIO, errno.EINTR, errno.ENOMEM) if every and not sanitized() else (errno.EIO,):
            for process, number, place in places(real):
                call = real.calls[process][number - 1]
                if call.name == "brk" or (sanitized() and call.name == "other"):
                    continue  # cannot fail; used only by the sanitizer
                failed(words, real, run_with(place, error, *words), (process, number, place), error)


def test_calls_for_a_small_file():
    """Many small files cost eight calls each, and few messages."""
    tracer, count = build_test_c("fault_call"), 600
    os.mkdir("d")
    for i in range(count):
        os.link("d/000.safetensors", "d/%03d.safetensors" % i) if i else model("d/000.safetensors")
    runs = [trace(tracer, 0, 0, "check", "-q", "-j1", "d") for _ in range(6)]
    assert {traced.status for traced in runs} == {0}
    calls = runs[0].calls
    made = [collections.Counter(call.name for call in calls[process]) for process in (0, JUDGE)]
    for process, name, each in ((0, "openat", 1), (0, "statx", 1), (0, "close", 1), (0, "fstatat", 0),
                                (0, "openat2", 0), (JUDGE, "pread", 2), (JUDGE, "statx", 1),
                                (JUDGE, "close", 1), (JUDGE, "write", 1)):
        assert 0 <= made[process][name] - count * each < 50, (process, name, made)
    messages = [[call.name for call in traced.calls[0]].count("sendmsg") for traced in runs]
    assert min(messages) < count / 3, messages  # they are sent together, except to an idle worker: random


def test_full_disk_for_a_moment():
    """The output is refused once and would be accepted again: nothing may be missing in the middle."""
    for run_with, words, real in traced_commands():
        for process, number, place in places(real):
            call = real.calls[process][number - 1]
            if process == 0 and call.name == "write" and call.fd == 1:
                for error in (errno.ENOSPC, errno.EAGAIN):
                    got = run_with(place, error, *words)
                    if reached(got, place) is not None:
                        output_lost(words, real, got, os.strerror(error))


def test_short_reads_and_writes():
    for run_with, words, real in traced_commands():
        for process, number, place in places(real):
            if real.calls[process][number - 1].name in ("read", "pread", "write", "recv"):
                assert same(run_with(place, "short", *words), real), (words, place)
        if "big" not in words:  # a million calls
            assert same(run_with("*", "short", *words), real), words


def test_disk_full_after_any_byte():
    """A file that may not grow beyond a size accepts a part of a write."""
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


# What somebody can do to a file, as shell commands: to the open file, or to the file with its name.
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


@functools.lru_cache(None)
def contents():
    valid = frame(header([("t%d" % i, tensor(i, i + 1)) for i in range(999)]), bytes(999))
    return {"x": valid, "other": frame(b"[".ljust(len(valid) - 8), b"")}


def fresh():
    """Make a valid file and an invalid one of the same size."""
    for name, content in contents().items():
        if os.path.isdir(name) and not os.path.islink(name):
            os.rmdir(name)
        elif os.path.lexists(name):
            os.remove(name)
        os.utime(write(name, content), (10**9, 10**9))
    time.sleep(0.012)  # the clock of files can be that slow


# Calls that do not access the file: between two others, it does not matter when the file changes.
BLIND = ("other", "brk", "getrandom", "poll", "write", "wait")


def looking(traced, what):
    """Return the points before which a change of the file matters, and the last one; each run has one change."""
    for process, number, place in places(traced):
        calls = traced.calls[process]
        if what == "is emptied" or calls[number - 1].name not in BLIND or number == len(calls):
            yield process, number, place


def looks(traced):
    """Return the call that opens the file, and the first and last access to it."""
    first = traced.calls[0]
    opened = next(i for i, call in enumerate(first, 1) if call.name == "openat" and call.result >= 0)
    seen = [
        [i for i, call in enumerate(calls, 1) if call.name in ("statx", "fstatat") and call.fd == file]
        for calls, file in ((first, first[opened - 1].result), (traced.calls.get(JUDGE, []), 1))
    ]
    return opened, seen[0][0], seen[1][-1] if JUDGE in traced.calls else seen[0][-1]


def test_a_file_that_changes_before_any_call():
    """A change before the file is opened: the new file is judged. After the last access: the old file. Between
    them: neither. While the worker judges, the calls of the program can be on either side of its last access."""
    tracer = build_test_c("fault_call")
    commands = (["check", "-j1", "x"], ["check", "-j1", "--format", "jsonl", "x"], ["ls", "x"], ["meta", "x"])
    for words in commands[:1] if sanitized() else commands:
        fresh()
        real = trace(tracer, 0, 0, *words)
        opened, first, last = looks(real)
        judge = JUDGE if JUDGE in real.calls else 0
        sent = next((i for i, call in enumerate(real.calls[0], 1) if call.name == "sendmsg"), len(real.calls[0]))
        old = Traced(*run_apart(words), [])
        for what, command in {**IN_PLACE, **BY_NAME}.items():
            fresh()
            os.system(command)
            new = Traced(*run_apart(words), [])
            for process, number, place in looking(real, what):
                if sanitized() and real.calls[process][number - 1].name == "other":
                    continue
                fresh()
                got = trace(tracer, place, "!" + command, *words)
                if reached(got, place) is None:
                    assert like(got, old), (what, words, place, got[:3])
                    continue
                where = (what, words, place, real.calls[process][number - 1], got[:3])
                changed = got.status == 2 and CHANGED in got.out + got.err
                assert not changed or ("valid" not in got.out and "valid" not in got.err), where
                if process == 0 and (number <= opened or (what in IN_PLACE and number <= first)):
                    assert like(got, new), where
                elif process == 0 and number <= first:
                    assert like(got, old), where
                elif (process == judge and number <= last) or (judge and process == 0 and number <= sent):
                    assert changed, where
                elif process == 0 and judge:
                    assert changed or like(got, old), where
                else:
                    assert like(got, old), where


def run_apart(words):
    result = run(*words)
    return result.status, result.out, result.err


def like(left, right):
    """Return the record without what distinguishes a file from an identical copy."""
    which = r'"(device|inode|modified|changed)":("[0-9.]*"|[0-9]+|null)'
    return [re.sub(which, "", str(x)) for x in left[:3]] == [re.sub(which, "", str(x)) for x in right[:3]]


def test_an_index_that_changes_before_any_call():
    """The index is judged as it was, or as it is then, or not at all."""
    tracer = build_test_c("fault_call")
    index = "m/model.safetensors.index.json"
    words = ["check", "-j1", index]
    os.makedirs("m")
    model("m/a.safetensors")

    def fresh_index():
        write(index, b'{"weight_map":{"a":"a.safetensors"}}')
        os.utime(index, (10**9, 10**9))

    fresh_index()
    old, seen = trace(tracer, 0, 0, *words), 0
    for command in ("printf x >>%s", ": >%s", "printf '{\"weight_map\":{\"b\":\"a.safetensors\"}}' 1<>%s"):
        fresh_index()
        os.system(command % index)
        new = run(*words)
        assert new.status == 1, new.out
        for process, number, place in places(old):
            if sanitized() and old.calls[process][number - 1].name == "other":
                continue
            fresh_index()
            time.sleep(0.012)  # the clock of files can be that slow
            got = trace(tracer, place, "!" + command % index, *words)
            changed = got.status == 2 and CHANGED in got.out and "valid" not in got.out
            assert changed or got.out in (old.out, new.out), (command, place, got[:3])
            seen += changed
    assert seen > 5, seen


def test_every_allocation_fails():
    """One allocation fails, or one and all that follow; in the program and in the worker."""
    library = build_fault()
    setup()
    for words in COMMANDS:
        real = run(*words, raw=True)
        real = Traced(real.status, real.out, real.err, [])
        free = [*words, "--no-sandbox"] if words[0] in POOLED else words  # in a sandbox the worker can't report it
        counted = run(*free, env={**os.environ, "LD_PRELOAD": library, "FAULT": "count"}, raw=True)
        counts = re.findall(r"^([<>])(malloc|realloc) (\d+)$", counted.err, re.M)
        assert len(counts) == (4 if words[0] in POOLED else 2), (words, counted.err)
        for where, function, count in counts:
            more = 60 if where == "<" and words[0] != "rules" else 3  # the sandbox's own
            for number in range(1, int(count) + more):
                for which in ("%d", "%d+"):
                    what = "%s%s:%s:%d" % (where, function, which % number, errno.ENOMEM)
                    got = run(*words, env={**os.environ, "LD_PRELOAD": library, "FAULT": what}, raw=True)
                    safe(got.err)
                    if got.status in (-signal.SIGSYS, -signal.SIGSEGV, -signal.SIGABRT) and words[0] in ("ls", "meta"):
                        # libseccomp 2.5 omits rules, or crashes. A worker of `check` in which that happens is
                        # reported.
                        assert got.out == "" and where == "<", (words, what, got)
                        continue
                    assert got.status in (0, 1, 2), (words, what, got.status)
                    got = Traced(got.status, got.out, got.err, [])
                    if not same(got, real) and not got.err.startswith(BEGIN):
                        check_reported(words, real, got, "Cannot allocate memory" + WHY)
