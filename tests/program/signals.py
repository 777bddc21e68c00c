"""Test signals and limits: whatever ends or hinders the program, its output has complete records, it reports the
reason, and nothing is left of it."""

import contextlib
import os
import resource
import signal
import stat
import subprocess
import time

import lib
from lib import Skip, expect, frame, header, model, run, sanitized, tensor, write
from machine import leftovers
from parallel import alive, many

WISHES = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
QUIT = b"assay: stopped by SIGQUIT\n"


@contextlib.contextmanager
def started(*words, **options):
    """Start the program as the leader of a process group. The group is ended if the test fails."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    process = subprocess.Popen([lib.PROGRAM, *words], start_new_session=True, bufsize=0, **options)
    try:
        yield process
    finally:
        if process.poll() is None:  # otherwise its id could already belong to another group
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def in_a_record(*words):
    """The program has begun a record that is longer than all buffers between its worker and us, and waits for us."""
    name = "n" * 3_000_000
    write("x", frame(header([(name, tensor(0, 4)), (name[:-1] + "m", tensor(2, 4))]), bytes(4)))
    with started("check", "--format", "jsonl", *words, "x", "x", "x") as process:
        process.first = process.stdout.read(100)
        lib.wait_until_idle(process.pid)
        yield process


def rest_is_whole(process):
    out, err = process.communicate(timeout=lib.LIMIT)
    lines = (process.first + out).decode().split("\n")
    assert lines.pop() == "" and 0 < len(lines) <= 3, [line[:99] for line in lines]
    for line in lines:
        assert lib.strict_json(line)["rule"] == "G4", line[:300]
    return len(lines), err


def test_signal_to_the_group():
    """As from `kill -- -PGID`, a service manager or a terminal: the workers finish their current files."""
    for number in WISHES:
        with in_a_record() as process:
            os.killpg(process.pid, number)
            records, err = rest_is_whole(process)
            assert process.returncode == -number and err == b"" and records == 1, (number, process.returncode, err)


def test_signal_to_the_judges_alone():
    """Signals that are not for workers do not end them."""
    for number in (*WISHES, signal.SIGQUIT):
        with in_a_record("-j2") as process:
            judges = lib.children(process.pid)
            assert judges
            for pid in judges:
                os.kill(pid, number)
            records, err = rest_is_whole(process)
            assert (process.returncode, records, err) == (1, 3, b""), (number, process.returncode, records, err)


def test_another_signal_is_no_fault_of_assay():
    """The record that the signal cuts is the last one."""
    with in_a_record("-j2") as process:
        for judge in lib.children(process.pid):
            os.kill(judge, signal.SIGUSR1)
        out, err = (piece.decode() for piece in process.communicate(timeout=lib.LIMIT))
        assert "\n" not in out and '"path"' not in out, out[-300:]
        wanted = "x: error: the process that checked it died: it was ended by a signal: try again\n"
        assert process.returncode == 2 and err == wanted, (process.returncode, err)
    with started("check", "-o", "out", "-", stdin=subprocess.PIPE) as process:
        lib.wait_until_idle(process.pid)
        (judge,) = lib.children(process.pid)
        os.kill(judge, signal.SIGUSR1)
        assert process.wait(lib.LIMIT) == 2
        with open("out", encoding="utf-8") as f:
            assert f.read() == "-" + wanted[1:]


def test_two_signals_at_once():
    """`timeout` sends its signal to the process and to its group. Both arrive before the program continues."""
    for first, second in ((signal.SIGTERM, signal.SIGHUP), (signal.SIGINT, signal.SIGTERM)):
        with in_a_record() as process:
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            process.send_signal(first)
            os.killpg(process.pid, second)
            os.killpg(process.pid, signal.SIGCONT)
            records, err = rest_is_whole(process)
            assert process.returncode in (-first, -second) and err == b"" and records == 1, (process.returncode, err)


def test_second_signal():
    """A later signal ends the program at once, whatever it waits for, and no process is left."""
    for number in (*WISHES, signal.SIGQUIT):
        with in_a_record() as process:
            judges = lib.children(process.pid)
            process.send_signal(number)
            lib.wait_until_idle(process.pid)
            assert process.poll() is None, "it did not finish its record"
            time.sleep(1.0)
            process.send_signal(number)
            assert process.wait(lib.LIMIT) == (2 if number == signal.SIGQUIT else -number), process.returncode
            end = time.monotonic() + lib.LIMIT
            while any(alive(pid) for pid in judges) and time.monotonic() < end:
                time.sleep(0.01)
            assert judges and not any(alive(pid) for pid in judges)


def waiting(where):
    """Wait until the new file of --output exists, and the program waits."""
    end = time.monotonic() + lib.LIMIT
    while not leftovers() and time.monotonic() < end:
        time.sleep(0.01)
    lib.wait_until_idle(where.pid)
    assert leftovers(), "no file of --output was begun"


def test_second_signal_removes_the_output():
    write("out", b"old")
    os.mkfifo("policy")
    for number in (*WISHES, signal.SIGQUIT):
        with started("check", "-o", "out", "--policy", "policy", "out") as process:
            waiting(process)
            process.send_signal(number)
            lib.wait_until_idle(process.pid)
            time.sleep(1.0)
            process.send_signal(number)
            process.wait(lib.LIMIT)
        with open("out", "rb") as f:
            assert f.read() == b"old" and leftovers() == [], (number, leftovers())


def test_what_ends_the_program_removes_the_output():
    """Also signals that users do not send. Where a sanitizer catches the signal, it may do so."""
    write("out", b"old")
    os.mkfifo("list")
    model("a")
    numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGPIPE, signal.SIGXCPU, signal.SIGTRAP]
    # musl reserves the first real-time signal of glibc: nobody can catch it there
    numbers += [signal.SIGVTALRM, signal.SIGPROF, signal.SIGRTMIN + 1, signal.SIGRTMIN + 3, signal.SIGRTMAX]
    numbers += [getattr(signal, name) for name in ("SIGPOLL", "SIGPWR", "SIGSTKFLT") if hasattr(signal, name)]
    numbers += [] if sanitized() else [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS]
    for number in numbers:
        with started("check", "-o", "out", "--files0-from", "list") as process:
            waiting(process)
            with open("list", "wb") as f:
                f.write(b"a\0")
                f.flush()
                lib.wait_until_idle(process.pid)
                judges = lib.children(process.pid)
                if number == signal.SIGUSR1:  # a worker that dies of it removes nothing
                    os.kill(judges[0], number)
                    lib.wait_until_idle(process.pid)
                    assert leftovers()
                process.send_signal(number)
                assert process.wait(lib.LIMIT) == -number, (number, process.returncode)
        with open("out", "rb") as f:
            assert f.read() == b"old" and leftovers() == [] and judges, (number, leftovers())


def test_quit():
    """SIGQUIT is Ctrl-\\: no core file, which would contain parts of the judged file."""
    many(3000)
    with in_a_record() as process:
        os.killpg(process.pid, signal.SIGQUIT)
        assert rest_is_whole(process) == (1, QUIT) and process.returncode == 2, process.returncode
    for name in os.listdir("d"):
        os.truncate("d/" + name, 9)  # a valid file has no results
    with started("check", "--format", "sarif", "-j2", *["d"] * 20) as process:
        first = process.stdout.read(100)
        os.killpg(process.pid, signal.SIGQUIT)
        out, err = process.communicate(timeout=lib.LIMIT)
        (one,) = lib.strict_json((first + out).decode())["runs"]
        (invocation,) = one["invocations"]
        assert (invocation["executionSuccessful"], invocation["exitCode"], err) == (False, 2, QUIT), (invocation, err)
        assert process.returncode == 2, process.returncode
    for words in (["check", "-"], ["ls", "-"], ["meta", "-"], ["check", "-o", "out", "-"]):
        with started(*words, stdin=subprocess.PIPE) as process:
            lib.wait_until_idle(process.pid)
            os.killpg(process.pid, signal.SIGQUIT)
            assert process.wait(lib.LIMIT) == 2, (words, process.returncode)
            assert process.stdout.read() == b"" and process.stderr.read() == QUIT, words
    assert leftovers() == [] and not os.path.exists("out")
    assert not [name for name in os.listdir(".") if name.startswith("core")]


def test_a_stream_that_is_waited_for():
    """One signal is enough."""
    for number in WISHES:
        with started("check", "-", stdin=subprocess.PIPE) as process:
            lib.wait_until_idle(process.pid)
            judges = lib.children(process.pid)
            process.send_signal(number)
            assert process.wait(lib.LIMIT) == -number, (number, process.returncode)
            assert process.stdout.read() == b"" and not any(alive(pid) for pid in judges)


def limited(which, most):
    return {"preexec_fn": lambda: resource.setrlimit(which, (most, most))}


def test_limit_on_files():
    """`ulimit -f`: a write beyond it fails, and the signal that comes with it ends nothing."""
    files = [model("%03d" % i, data=b"") for i in range(500)]
    limit = limited(resource.RLIMIT_FSIZE, 4096)
    write("out", b"old")
    for words in (["check", *files], ["check", "--format", "json", *files], ["rules"]):
        with open("part", "wb") as f:
            done = run(*words, stdout=f, **limit)
        assert (done.status, done.err) == (2, "assay: the output could not be written: File too large\n"), done.err
        done = run(*words, "-o", "out", **limit)
        assert (done.status, done.err) == (2, 'assay: the output can\'t be written: "out": File too large\n'), done.err
        with open("out", "rb") as f:
            assert f.read() == b"old" and leftovers() == []
    model("000")
    with open("000", "rb") as f:
        done = subprocess.run([lib.PROGRAM, "check", "-"], input=f.read(), stdout=subprocess.PIPE, check=False,
                              **limited(resource.RLIMIT_FSIZE, 0))
    assert (done.returncode, done.stdout) == (0, b"-: valid: 1 tensor, 65 bytes\n"), done


def test_small_stack():
    if sanitized():
        raise Skip("a sanitizer takes stack of its own")
    model("x")

    def within(kilobytes, hard, *words):
        script = "ulimit %s %d; shift 0; exec \"$@\"" % ("-s" if hard else "-S -s", kilobytes)
        done = subprocess.run(["sh", "-c", script, "sh", lib.PROGRAM, *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    why = "assay: the stack is too small: %d KiB (assay requires 256 KiB): ulimit -s 256\n"
    for kilobytes in (64, 24):
        for words in (["check", "x"], ["check", "-o", "out", "x"], ["ls", "x"], ["meta", "x"], ["rules"]):
            found = within(kilobytes, True, *words)
            assert found == (2, "", why % kilobytes), (kilobytes, words, found)
    for words in (["check", "x"], ["check", "-j3", "x", "x", "x"], ["ls", "x"]):
        wanted = run(*words).out
        assert within(256, True, *words) == (0, wanted, ""), within(256, True, *words)
        assert within(64, False, *words) == (0, wanted, ""), within(64, False, *words)


def test_largest_file():
    """Files of 2^63 - 1 bytes, the largest offset, and of one byte less. No disk here may hold one."""
    size = 2**63 - 1
    cuts = [(size - 608) * k // 5 for k in range(6)]
    text = header([("t%d" % k, tensor(*cuts[k : k + 2])) for k in range(5)]).ljust(600)
    for folder in (".", "/dev/shm"):
        path = os.path.join(folder, "assay-test-%d" % os.getpid())
        try:
            with open(path, "wb") as f:
                f.write(frame(text))
                f.truncate(size)
            expect(run("check", "-q", path), 0)
            (found,) = run("check", "--format", "jsonl", path).jsonl()
            assert found["verdict"] == "valid" and found["file_bytes"] == size, found
            assert run("ls", path).status == 0
            os.truncate(path, size - 1)
            (found,) = run("check", "--format", "jsonl", path).jsonl()
            assert found["rule"] == "G3" and found["file_bytes"] == size - 1, found
            return
        except OSError:
            pass
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
    raise Skip("no file system here holds a file of 2^63 - 1 bytes")


def test_output_to_standard_output():
    model("a")
    wanted = run("check", "--format", "json", "a").out
    for words in (["-o", "-"], ["-o-"], ["--output", "-"], ["--output=-"]):
        assert expect(run("check", "--format", "json", *words, "a"), 0).out == wanted, words
        assert expect(run("rules", *words), 0).out == run("rules").out
    assert not os.path.exists("-")
    expect(run("check", "--format", "json", "-o", "./-", "a"), 0, "")
    with open("-", encoding="utf-8") as f:
        assert f.read() == wanted and stat.S_ISREG(os.stat("-").st_mode)
