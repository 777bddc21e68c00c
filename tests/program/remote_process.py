"""Test assay check on addresses: how many at once, which process talks to servers, and a build without libcurl."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time

import lib
from lib import Skip, run
from remote import SLOW, check, environment, small, supported
from server import Reply, Server


def test_connections_are_bounded():
    supported()
    with Server() as server:
        server.put_prefix("/", Reply(small(), silent=0.1))
        urls = [server.url("/%d" % i) for i in range(20)]
        for jobs in (1, 3, 16):
            server.clear()
            start = time.monotonic()
            records, result = check(*urls, jobs=jobs)
            assert result.status == 0 and [record["path"] for record in records] == urls
            print("    -j %d: %d connections at once, %.1f s" % (jobs, server.most, time.monotonic() - start))
            assert server.most <= jobs and len(server.log) == 20, (jobs, server.most)
        lib.write("list", b"".join(url.encode() + b"\0" for url in urls))
        assert len(run("check", "--files0-from", "list", env=environment()).lines) == 20


def speaks(pid):
    """Return whether the process has an internet socket."""
    with open("/proc/%d/net/tcp" % pid, encoding="ascii") as f:
        inodes = {line.split()[9] for line in f.readlines()[1:]}
    return bool(inodes & {link[8:-1] for link in links(pid) if link.startswith("socket:[")})


def links(pid):
    """Return what the process has open; it can be closed meanwhile."""
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            yield os.readlink("/proc/%d/fd/%s" % (pid, fd))
        except FileNotFoundError:
            pass


def wait_until_asked(server, count, program):
    """Wait until that many requests have come, and the program has done all it can with the responses."""
    end = time.monotonic() + lib.LIMIT
    while len(server.log) < count:
        assert program.poll() is None and time.monotonic() < end, "%d requests" % len(server.log)
        time.sleep(0.02)
    lib.wait_until_idle(program.pid)


@contextlib.contextmanager
def ended(program):
    """Whatever happens, the program does not outlive the test."""
    try:
        yield
    finally:
        program.kill()
        program.communicate(timeout=lib.LIMIT)


def start_check(*words, **env):
    return subprocess.Popen([lib.PROGRAM, "check", *words], env=environment(**env), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def test_only_one_process_speaks_with_servers():
    supported()
    with Server() as server:
        server.put("/slow", Reply(small(), silent=True))
        server.put("/fine", Reply(small()))
        program = start_check("-j", "3", server.url("/fine"), server.url("/slow"), "/dev/null", server.url("/fine"))
        with ended(program):
            wait_until_asked(server, 3, program)
            found = [pid for pid in lib.children(program.pid) if speaks(pid)]
            assert len(found) == 1 and not speaks(program.pid), found
            with open("/proc/%d/status" % found[0], encoding="ascii") as f:
                held = f.read()
            os.kill(found[0], signal.SIGKILL)
            out, err = program.communicate(timeout=lib.LIMIT)
        lines = out.decode().splitlines()
        assert lib.sanitized() or "NoNewPrivs:\t1" in held, held
        assert "seccomp" not in lib.layers() or "Seccomp:\t2" in held, held
        assert "valid" in lines[0] and "died" in lines[1] and "valid" in lines[3], (lines, err)
        assert program.returncode == 2 and len(lines) == 4, lines


def test_names_are_resolved():
    """Names are resolved by the system, in a thread of the process that fetches: a name of this machine, since
    libcurl knows localhost."""
    supported()
    name = socket.gethostname()
    try:
        with socket.create_server((socket.gethostbyname(name), 0)):
            pass
    except OSError as error:
        raise Skip("the name of this machine is not its own: %s" % error) from error
    with Server(host=socket.gethostbyname(name)) as server:
        server.put("/x", Reply(small()))
        record = check(server.url("/x", host=name))[0][0]
        assert record["verdict"] == "valid" and server.log[0].headers["host"].startswith(name), record


def test_an_interrupt_ends_it():
    supported()
    with Server() as server:
        server.put("/slow", Reply(small(), silent=True))
        server.put("/fine", Reply(small()))
        program = start_check(server.url("/fine"), server.url("/slow"))
        with ended(program):
            wait_until_asked(server, 2, program)
            program.send_signal(signal.SIGINT)
            start = time.monotonic()
            out, _ = program.communicate(timeout=lib.LIMIT)
        assert program.returncode == -signal.SIGINT and time.monotonic() - start < SLOW, program.returncode
        assert len(out.decode().splitlines()) == 1, out


def test_without_libcurl():
    """The program is built without libcurl, and its message states how to get it."""
    if shutil.which("make") is None or shutil.which("cc") is None:
        raise Skip("no compiler")
    made = subprocess.run(["make", "-s", "-C", lib.ROOT, "CURL=no", "B=" + os.getcwd() + "/b", "CFLAGS=-O0"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert made.returncode == 0, made.stdout
    lib.write("a.safetensors", small())
    program = os.path.join(os.getcwd(), "b", "assay")
    assert "addresses: none: built without libcurl" in run("--version", program=program).out
    assert b"curl" not in subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=False).stdout
    result = run("check", "https://127.0.0.1:1/x", "a.safetensors", "hf://o/m", program=program)
    assert result.status == 2 and "a.safetensors: valid" in result.lines[1], result.out
    for line in (result.lines[0], result.lines[2]):
        assert "libcurl4-openssl-dev" in line and "make clean all" in line, line
    assert "libcurl4-openssl-dev" in run("ls", "https://127.0.0.1:1/x", program=program).out
    assert "libcurl4-openssl-dev" in run("meta", "https://127.0.0.1:1/x", program=program).err
