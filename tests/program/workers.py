"""Test what a worker has, hears and outlives: it is examined while it waits for its next file."""

import contextlib
import os
import signal
import socket
import subprocess
import time

import lib
from lib import build_fault, model
from remote import SLOW, environment, small, supported
from remote_process import wait_until_asked
from server import Reply, Server

JOBS = 3


@contextlib.contextmanager
def waiting(*words, env=None, extra=()):
    """Start the program and its workers, each of which has judged some files; they wait for the list to continue."""
    names = [model("%02d" % i, [("t%d" % k, lib.tensor(k, k + 1)) for k in range(3000)]) for i in range(4 * JOBS)]
    process = subprocess.Popen([lib.PROGRAM, "check", "-j%d" % JOBS, *words, "--files0-from=-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=extra,
                               env={**os.environ, **(env or {})})
    held = []
    try:
        process.stdin.write("".join(name + "\0" for name in names).encode())
        process.stdin.flush()
        lib.wait_until_idle(process.pid)
        workers = lib.children(process.pid)
        held = hold(workers)
        assert len(workers) == JOBS, workers
        yield process, workers
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        end(held)


def hold(pids):
    """Return a descriptor of each living process. It never refers to another process that gets the same id later."""
    held = []
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            held.append(os.pidfd_open(pid))
    return held


def end(held):
    """End those of these processes that are left, whatever a test has found."""
    for fd in held:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(fd, signal.SIGKILL)
        os.close(fd)


def open_files(pid):
    """Return what each descriptor of the process is."""
    folder = "/proc/%d/fd" % pid
    return {int(fd): os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder)}


def go_on(process):
    """Return the rest of the output, after two more files and the end of the list."""
    out, err = process.communicate(b"00\0" + b"01\0", timeout=lib.LIMIT)
    return out.decode(), err.decode()


def is_gone(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii") as f:
            return f.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def left(workers, seconds):
    """Return the processes that still exist after some time."""
    until = time.monotonic() + seconds
    while not all(is_gone(pid) for pid in workers) and time.monotonic() < until:
        time.sleep(0.02)
    return [pid for pid in workers if not is_gone(pid)]


def old_kernel():
    """Return an environment in which the kernel has no close_range."""
    return {"LD_PRELOAD": build_fault(), "FAULT": "old"}


def mute_kernel():
    """Return an environment in which the kernel does not tell a process that its parent has died."""
    return {"LD_PRELOAD": build_fault(), "FAULT": "no signal"}


def test_descriptors_of_a_worker():
    """A socket as 0 and standard error: nothing that the program has open or has inherited."""
    others = [os.open("/dev/null", os.O_RDONLY) for _ in range(3)]
    others.append(os.dup2(others[0], 300))
    others += [one.detach() for one in socket.socketpair()]
    try:
        for words, env in (([], None), (["--no-sandbox"], None), ([], old_kernel())):
            with waiting(*words, env=env, extra=others) as (process, workers):
                ours = open_files(process.pid)
                assert set(others) < set(ours), ours
                for pid in workers:
                    seen = open_files(pid)
                    assert set(seen) == {0, 2} and seen[0].startswith("socket:"), (words, env, seen)
                    assert seen[2] == ours[2] and seen[0] not in ours.values(), (words, env, seen, ours)
                assert go_on(process)[0].count(": valid: ") == 4 * JOBS + 2
    finally:
        for fd in others:
            os.close(fd)


def test_a_hangup_is_not_for_workers():
    """Nor any other signal of a user: only the program gets them. Waiting workers continue, and no file is lost."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        for words in ([], ["--no-sandbox"]):
            with waiting(*words) as (process, workers):
                for pid in workers:
                    os.kill(pid, number)
                lib.wait_until_idle(process.pid)
                assert not any(is_gone(pid) for pid in workers), (number, words)
                out, err = go_on(process)
                assert out.count(": valid: ") == 4 * JOBS + 2 and err == "", (number, words, out, err)
                assert process.returncode == 0, process.returncode


def test_the_death_of_the_program():
    """The kernel notifies its workers; where it does not, the end of their sockets does: they stop."""
    for env in ({}, mute_kernel()):
        for words in ([], ["--no-sandbox"]):
            with waiting(*words, env=env) as (process, workers):
                process.kill()
                assert not left(workers, 10), (env, words)


def test_the_death_of_a_program_at_work():
    """The same for workers that have files to judge: nobody is left to read the results."""
    path = model("x", [("t%d" % k, lib.tensor(k, k + 1)) for k in range(3000)])
    for env in ({}, mute_kernel()):
        process = subprocess.Popen([lib.PROGRAM, "check", "-j%d" % JOBS, *[path] * 20000], stdout=subprocess.PIPE,
                                   env={**os.environ, **env})
        process.stdout.read(100)
        workers = lib.children(process.pid)
        held = hold(workers)
        try:
            process.kill()
            process.wait()
            assert len(workers) == JOBS and not left(workers, 30), (env, workers)
        finally:
            process.stdout.close()
            end(held)


def seconds_of(pid):
    """Return the processor time that it took."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        return int(f.read().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")


def test_the_death_of_a_program_whose_worker_hears_nothing():
    """A worker that never reads its socket again: the kernel ends it."""
    model("x")
    for words in ([], ["--no-sandbox"]):
        process = subprocess.Popen([lib.PROGRAM, "check", *words, "x"], stdout=subprocess.DEVNULL,
                                   env={**os.environ, "LD_PRELOAD": build_fault(), "FAULT": "spin:1:0"})
        workers, held = [], []
        try:
            until = time.monotonic() + lib.LIMIT
            while not workers or seconds_of(workers[0]) < 0.2:
                assert time.monotonic() < until and process.poll() is None
                if not workers:
                    workers = lib.children(process.pid)
                    held = hold(workers)
                time.sleep(0.02)
            process.kill()
            process.wait()
            assert not left(workers, 30), words
        finally:
            process.kill()
            process.wait()
            end(held)


def test_the_death_of_a_program_that_fetches():
    """The process that talks to servers ends, too, while a server lets it wait."""
    supported()
    with Server() as server:
        server.put("/slow", Reply(small(), silent=True))
        for env in ({}, mute_kernel()):
            server.clear()
            process = subprocess.Popen([lib.PROGRAM, "check", server.url("/slow")], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=environment(**env))
            held = []
            try:
                wait_until_asked(server, 1, process)
                processes = lib.children(process.pid)
                held = hold(processes)
                process.kill()
                process.wait()
                assert len(processes) == 2 and not left(processes, SLOW - 5), (env, processes)  # then it gives up
            finally:
                process.kill()
                process.wait()
                end(held)
