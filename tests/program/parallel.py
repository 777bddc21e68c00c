"""Test assay check on many files: several at a time, in order, with bounded memory; and the sources of file names."""

import array
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import termios
import time

import lib
from lib import ROOT, Skip, build_with_core, expect, frame, header, model, run, sanitized, tensor, write


def many(count, folder="d"):
    """Make valid and invalid files, some of them slow, in no order."""
    os.makedirs(folder, exist_ok=True)
    big = model("big", [("t%d" % k, tensor(k, k + 1)) for k in range(20000)])
    small, bad = model("small"), model("bad", data=b"")
    for i in range(count):
        os.link(big if i % 97 == 0 else bad if i % 5 == 0 else small, "%s/%05d.safetensors" % (folder, i))


def test_same_output_however_many_judge():
    many(700)
    for words in ([], ["--format", "json"], ["--format", "jsonl"], ["-q"]):
        outs = {run("check", *words, "-j", str(jobs), "d", "missing").raw for jobs in (1, 2, 3, 8, 64)}
        assert len(outs) == 1, words
    lines = run("check", "-j8", "d").lines
    assert [line.split(":")[0] for line in lines] == ["d/%05d.safetensors" % i for i in range(700)]


def test_long_records_are_whole_and_in_order():
    """Records longer than the buffer wait for their turn."""
    names = []
    for i in range(12):
        name = ("%x" % i) * (10 if i % 3 else 900_000)
        names.append(write("%d" % i, frame(header([(name, tensor(0, 4)), (name + "2", tensor(2, 4))]), bytes(4))))
    big = model("first", [("t%d" % k, tensor(k, k + 1)) for k in range(30000)])
    for jobs in ("1", "2", "8"):
        found = run("check", "--format", "jsonl", "-j", jobs, big, *names).jsonl()
        assert [x["path"] for x in found] == [big, *names]
        for i, one in enumerate(found[1:]):
            assert one["tensor"] == ("%x" % i) * (10 if i % 3 else 900_000) + "2", i


def test_few_descriptors():
    """Ten times as many files as may be open."""
    many(300)
    others = [os.open("small", os.O_RDONLY) for _ in range(21)]  # inherited descriptors
    for most, inherited in ((16, []), (40, others[1:]), (40, others)):

        def limit(most=most):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

        result = run("check", "-j8", "d", preexec_fn=limit, pass_fds=inherited)
        assert result.out == run("check", "-j1", "d").out, most
    for fd in others:
        os.close(fd)


def test_descriptors_run_out():
    """Once all workers run, few descriptors are left: a file that can't be opened waits until others are closed."""
    many(300)
    process = subprocess.Popen([lib.PROGRAM, "check", "-j2", "--files0-from=-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, bufsize=0)
    process.stdin.write(b"small\0")
    lib.wait_until_idle(process.pid)
    most = max(map(int, os.listdir("/proc/%d/fd" % process.pid))) + 6
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (most, most))
    said = process.communicate(b"d\0")[0].decode()
    assert said.partition("\n")[2] == run("check", "-j1", "d").out, said


def test_descriptors_for_a_model():
    """The descriptors that are left when many slow files are open suffice for the shards that a worker requests."""
    slow = model("slow", [("t%d" % k, tensor(k, k + 1)) for k in range(20000)])
    for part in ("m", "n"):
        os.mkdir(part)
    names = {"t%d" % k: "%02d.safetensors" % k for k in range(40)}
    for name, shard in names.items():
        model("m/" + shard, [(name, tensor(0, 4))])
    for k in range(100):
        os.link(slow, "n/%03d.safetensors" % k)
    write("m/model.safetensors.index.json", json.dumps({"weight_map": names}).encode())

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    for jobs in ("2", "30"):
        result = expect(run("check", "-j", jobs, "m", "n", preexec_fn=limit), 0)
        assert len(result.lines) == 141, result.out


def peak(program, folder):
    """Return the peak memory of the program itself, without its workers, in kB. It is measured when all files of
    the folder are judged and the program waits for standard input. After its end, the system reports the larger
    memory of its parent, Python."""
    process = subprocess.Popen([program, "check", "-q", "-j2", folder, "-"], stdin=subprocess.PIPE)
    lib.wait_until_idle(process.pid)
    with open("/proc/%d/status" % process.pid, encoding="ascii") as f:
        most = int(re.search(r"^VmHWM:\s*(\d+) kB$", f.read(), re.M).group(1))
    process.communicate(b"\2\0\0\0\0\0\0\0{}", timeout=lib.LIMIT)
    assert process.returncode == 0
    return most


def test_memory_does_not_grow():
    if sanitized():
        raise Skip("a sanitizer takes memory of its own")
    bare = build_with_core(os.path.join(ROOT, "src", "core", "assay.c"), "-O1", "-DHOST_CHUNK=512")
    small = model("small")
    for count in (2000, 30000):
        os.mkdir("%d" % count)
        for i in range(count):
            os.link(small, "%d/%s%05d.safetensors" % (count, "n" * 150, i))
    low, high = (peak(bare, "%d" % count) for count in (2000, 30000))
    print("    %d kB for 2,000 files, %d kB for 30,000" % (low, high))
    assert high < low + 1500, (low, high)  # their names take 5 MB; many processors make the count inexact


def test_names_of_a_directory_come_in_chunks():
    """A program that keeps four names at a time prints the same as one that keeps all."""
    small = build_with_core(os.path.join(ROOT, "src", "core", "assay.c"), "-DHOST_CHUNK=4")
    for i in range(23):
        os.makedirs("d/%02d" % i)
        model("d/%02d.safetensors" % i)
        model("d/%02d0.safetensors" % i)
        model("d/%02d/x.safetensors" % i)
        model("d/%02d-.safetensors" % i)
    for i in range(9):
        os.makedirs("d/sub/%d.safetensors" % i)
        model("d/sub/%d.safetensors/%d.safetensors" % (i, i))
    whole = run("check", "d")
    assert len(whole.lines) == 23 * 4 + 9
    assert run("check", "d", program=small).out == whole.out
    paths = [line.split(":")[0] for line in whole.lines]
    assert paths == sorted(paths)


def given(result):
    return [line.split(":")[0] for line in result.lines]


def test_include_and_exclude():
    for path in ("a.safetensors", "b.bin", "sub/a.safetensors", "sub/c.safetensors", "sub/deep/a.bin",
                 "old/a.safetensors", ".hidden/h.safetensors"):
        os.makedirs(os.path.dirname("d/" + path), exist_ok=True)
        model("d/" + path)
    every = [".hidden/h.safetensors", "a.safetensors", "old/a.safetensors", "sub/a.safetensors", "sub/c.safetensors"]

    def chosen(*words):
        return [path[2:] for path in given(run("check", *words, "d"))]

    assert chosen() == every
    assert chosen("--exclude", "a.*") == [".hidden/h.safetensors", "sub/c.safetensors"]
    assert chosen("--exclude", "old") == chosen("--exclude=old/") == [p for p in every if "old" not in p]
    assert chosen("--exclude", "a.safetensors/") == every  # a directory of that name
    assert chosen("--exclude", "sub/a*") == [p for p in every if p != "sub/a.safetensors"]
    assert chosen("--exclude", "/sub/a*") == [p for p in every if p != "sub/a.safetensors"]
    assert chosen("--exclude", "/a.safetensors") == [p for p in every if p != "a.safetensors"]
    assert chosen("--exclude", "*/a.safetensors") == [".hidden/h.safetensors", "a.safetensors", "sub/c.safetensors"]
    assert chosen("--include", "*.bin") == ["b.bin", "sub/deep/a.bin"]
    assert chosen("--include", "*.bin", "--include=c.*") == ["b.bin", "sub/c.safetensors", "sub/deep/a.bin"]
    assert chosen("--include", "*.bin", "--exclude", "deep/") == ["b.bin"]
    assert chosen("--include", "sub/*") == ["sub/a.safetensors", "sub/c.safetensors"]
    everything = sorted([*every, "b.bin", "sub/deep/a.bin"])
    for words, left in (  # ** is any number of directories, as in a .gitignore
        (["--include", "sub/**"], ["sub/a.safetensors", "sub/c.safetensors", "sub/deep/a.bin"]),
        (["--include", "**/a.*"], [p for p in everything if "/a." in "/" + p]), (["--include", "**"], everything),
        (["--include", "**/deep/**/*.bin"], ["sub/deep/a.bin"]), (["--include", "sub/**/*.bin"], ["sub/deep/a.bin"]),
        (["--include", "/**/deep/a*"], ["sub/deep/a.bin"]), (["--include", "**/**/**/a.bin"], ["sub/deep/a.bin"]),
        (["--include", "**/*", "--exclude", "**/deep/"], [p for p in everything if "deep" not in p]),
        (["--include", "**/*", "--exclude", "sub/**/"], [p for p in everything if "deep" not in p]),
        (["--exclude", "sub/**"], [p for p in every if "sub" not in p]), (["--exclude", "**/sub/c.*/**"], every),
        (["--exclude", "**/x/**/y"], every), (["--exclude", "a**s"], [p for p in every if "a.safet" not in p]),
        (["--exclude", "sub/a**"], [p for p in every if p != "sub/a.safetensors"]), (["--exclude", "a//**"], every),
    ):
        assert chosen(*words) == left, (words, chosen(*words))
    expect(run("check", "--include", "x", "d"), 2,
           "d: error: --include and --exclude leave no file to check in this folder\n")
    expect(run("check", "-q", "--exclude", "b*", "d/b.bin"), 0)  # what is named explicitly is judged


def test_one_file_system():
    for name in ("d/here/a.safetensors", "d/there/hidden.safetensors"):
        os.makedirs(os.path.dirname(name))
        model(name)
    inside = "mount -t tmpfs none d/there && cp d/here/a.safetensors d/there/b.safetensors && exec \"$@\""
    command = ["unshare", "-m", "sh", "-c", inside, "sh", lib.PROGRAM, "check"]
    try:
        seen = [subprocess.run([*command, *words, "d"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
                for words in ([], ["-x"], ["--one-file-system"])]
    except FileNotFoundError as error:
        raise Skip("no unshare") from error
    if seen[0].returncode != 0:
        raise Skip("nothing can be mounted here")
    paths = [[line.split(":")[0] for line in one.stdout.decode().splitlines()] for one in seen]
    assert paths == [["d/here/a.safetensors", "d/there/b.safetensors"]] + 2 * [["d/here/a.safetensors"]], paths


def lists(names, *words, end=True):
    write("list", b"\0".join(name.encode() for name in names) + (b"\0" if end else b""))
    return run("check", "--files0-from", "list", *words)


def test_files_from_a_list():
    os.makedirs("d/e")
    names = [model("a"), model("b\nc"), model("-x"), "missing", ""]
    model("d/e/x.safetensors")
    for end in (True, False):
        result = lists([*names[:4], "d"], end=end)
        assert given(result) == ["a", r"b\u{A}c", "-x", "missing", "d/e/x.safetensors"] and result.status == 2
    assert ": error: can't be opened: No such file" in lists(names).lines[-1]
    expect(lists([], end=False), 2, "list: error: this list names no file\n")
    expect(run("check", "--files0-from", "d"), 2, "d: error: can't be read: Is a directory\n")
    write("list", b"a\0-x\0")
    with open("list", "rb") as f:
        done = subprocess.run([lib.PROGRAM, "check", "--files0-from=-"], stdin=f, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0 and done.stdout.count(b": valid: ") == 2
    done = subprocess.run([lib.PROGRAM, "check", "--files0-from=-"], input=b"-\0a\0", stdout=subprocess.PIPE,
                          check=False)
    assert done.returncode == 2 and done.stdout.startswith(b"-: error: can't be read") and b"a: valid" in done.stdout


def test_a_long_list():
    """Names cross the boundaries of reads; a name that no system has does not use up the memory."""
    names = ["%05d" % k + "x" * (k % 40) for k in range(6000)]
    assert given(lists(names)) == names and given(lists(names, end=False)) == names
    wanted = ["x" * 65535 + ": error: can't be opened: File name too long"]
    assert lists(["x" * 65535]).lines == wanted == lists(["x" * 65535], end=False).lines
    model("a")
    for end in (True, False):
        result = lists(["a", "x" * 65536, "a"], end=end)
        assert result.lines == ["a: valid: 1 tensor, 65 bytes", "list: error: can't be read: File name too long"], end
    slow = "import sys,time\nfor c in %r: sys.stdout.write(c), sys.stdout.flush(), time.sleep(0.05)" % "a\0missing\0a"
    pipe = subprocess.Popen(["python3", "-c", slow], stdout=subprocess.PIPE)
    done = subprocess.run([lib.PROGRAM, "check", "--files0-from=-"], stdin=pipe.stdout, stdout=subprocess.PIPE,
                          check=False)
    pipe.stdout.close()
    assert pipe.wait() == 0 and [x.split(b":")[0] for x in done.stdout.splitlines()] == [b"a", b"missing", b"a"]


def from_pipe(content, *words):
    done = subprocess.run([lib.PROGRAM, *words, "-"], input=content, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_standard_input():
    """A stream is judged like a file with the same bytes."""
    wide = [("t%d" % k, tensor(k, k + 1)) for k in range(3000)]
    model("big", wide)
    for content in (b"", b"1234567", frame("{}"), frame("{}", b"x"), frame("{}", length=3000),
                    frame("{}", length=2**64 - 1), open("big", "rb").read(), open("big", "rb").read()[:-1],
                    open("big", "rb").read() + bytes(10**6),
                    frame(header([("a", tensor(0, 10**7))]), bytes(10**7)),
                    frame(header([("a", tensor(0, 20_000_001))]), bytes(20_000_000)),
                    frame(header([("a", tensor(0, 20_000_001))]), bytes(20_000_001)), b"PK\3\4" + bytes(10**6)):
        write("file", content)
        wanted = run("check", "file")
        assert from_pipe(content, "check") == (wanted.status, wanted.out.replace("file: ", "-: ", 1), ""), content[:20]
    status, out, _ = from_pipe(open("big", "rb").read(), "ls", "--format", "json")
    assert status == 0 and out == run("ls", "--format", "json", "big").out
    with open("big", "rb") as f:
        f.seek(100)
        done = subprocess.run([lib.PROGRAM, "check", "-"], stdin=f, stdout=subprocess.PIPE, check=False)
        assert done.returncode == 0 and f.tell() == 100
    model("-")
    expect(run("check", "./-"), 0, "./-: valid: 1 tensor, 65 bytes\n")
    expect(run("check", "-", "./-"), 1)  # standard input is /dev/null: an empty file


def left_in_the_pipe(content, *words):
    """Run the program on a pipe that stays open; return its result, and the bytes that it did not read."""
    ours, theirs = os.pipe()
    try:
        os.write(theirs, content)
        done = subprocess.run([lib.PROGRAM, *words], stdin=ours, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=lib.LIMIT, check=False)
        left = array.array("i", [0])
        fcntl.ioctl(theirs, termios.FIONREAD, left)
        return done.returncode, (done.stdout + done.stderr).decode(), left[0]
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_stream_is_read_no_further():
    """The first 8 bytes decide, or the header: the program does not wait for the rest, and reads hardly any of it."""
    rest = b"y\n" * 20_000
    long = frame(header([("n" * 12_000, tensor(0, 4))])[:-1] + "]")
    twice = '{"a":%s,"a":%s}' % tuple(json.dumps(tensor(*ends)) for ends in ((0, 4), (3, 9)))
    keys = '{"__metadata__":{"k":"v","k":"w"}}'
    for content, rule in ((b"y\n" * 4, "F2"), (bytes(8), "H1"), (frame("{x"), "H3"), (long, "H3"), (frame(keys), "G1"),
                          (frame(twice), "G2")):
        for more in (b"", rest):
            status, said, left = left_in_the_pipe(content + more, "check", "-")
            assert status == 1 and said.startswith("-: invalid: rule %s at byte " % rule), (rule, said)
            assert left >= len(more) - 8192, (rule, left)
            assert left_in_the_pipe(content + more, "check", "--fd", "0")[0] == 1
            for words in (["ls", "-"], ["meta", "-"]):
                assert left_in_the_pipe(content + more, *words)[:2] == (1, said), words
    found = lib.strict_json(left_in_the_pipe(frame(twice), "check", "--format", "jsonl", "-")[1])
    assert [one["rule"] for one in found["further"]] == ["G4"] and found["file_bytes"] is None, found
    process = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    done = subprocess.run([lib.PROGRAM, "check", "--format", "jsonl", "-"], stdin=process.stdout, timeout=lib.LIMIT,
                          stdout=subprocess.PIPE, check=False)
    process.stdout.close()
    assert process.wait(lib.LIMIT) == -signal.SIGPIPE
    found = lib.strict_json(done.stdout.decode())
    assert (found["rule"], found["kind"], found["file_bytes"], found["device"]) == ("F2", "text", None, None), found


def test_a_stream_without_an_end():
    """The stream continues after the last tensor: that is certain at some point, and the number of bytes is not
    reported as exact."""
    write("hole", frame(header([("a", tensor(0, 20_000_000))]), bytes(20_000_000)))
    write("overlap", frame(header([("a", tensor(0, 4)), ("b", tensor(2, 4))]), bytes(4)))
    write("empty", frame("{}"))
    for name, rule, least in (("hole", "G5", 2**25 - 20_000_000), ("overlap", "G4", 2**24 - 4), ("empty", "G5", 2**24)):
        process = subprocess.Popen(["sh", "-c", "cat %s; exec yes" % name], stdout=subprocess.PIPE)
        done = subprocess.run([lib.PROGRAM, "check", "--format", "jsonl", "-"], stdin=process.stdout,
                              timeout=lib.LIMIT, stdout=subprocess.PIPE, check=False)
        process.stdout.close()
        assert process.wait(lib.LIMIT) == -signal.SIGPIPE
        found = lib.strict_json(done.stdout.decode())
        assert (done.returncode, found["rule"], found["file_bytes"]) == (1, rule, None), found
        (last,) = found["further"] or [found]
        assert last["rule"] == "G5" and ": at least %d bytes (" % least in last["message"], found


def test_a_stream_comes_once():
    content = frame("{}") + bytes(3)
    result = from_pipe(content, "check", "-")
    status, out, _ = from_pipe(content, "check", "-j4", "-", "-")
    again = "-: error: is a stream, which can be read once, and was read already: name it once\n"
    assert status == result[0] == 1 and out == result[1] + again, out
    with open(model("a"), "rb") as f:  # a file is no stream
        done = subprocess.run([lib.PROGRAM, "check", "-", "-"], stdin=f, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0 and done.stdout == 2 * b"-: valid: 1 tensor, 65 bytes\n"


def test_standard_input_in_parts():
    """However few bytes the writer sends at a time, also within the header length."""
    path = model("big", [("t%d" % k, tensor(k, k + 1)) for k in range(3000)])
    with open(path, "rb") as f:
        content = f.read()
    for parts in ((1, 7), (7, 1), (8, 0), (5, 20)):
        process = subprocess.Popen([lib.PROGRAM, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   bufsize=0)
        for part in (content[: parts[0]], content[parts[0] : sum(parts)], content[sum(parts) :]):
            process.stdin.write(part)
            if part:
                wait_until_read(process.stdin)
        out, _ = process.communicate(timeout=lib.LIMIT)
        assert process.returncode == 0 and out.startswith(b"-: valid: 3000 tensors, "), (parts, out)


def test_other_files_while_a_stream_is_waited_for():
    """A stream is judged by a separate process: the others continue, and their records come after its record."""
    many(300)
    process = subprocess.Popen([lib.PROGRAM, "check", "-j2", "-", "d"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lib.wait_until_idle(process.pid)
    assert len(lib.children(process.pid)) == 2
    with open("small", "rb") as f:
        said = process.communicate(f.read(), timeout=lib.LIMIT)[0].decode()
    assert said == "-: valid: 1 tensor, 65 bytes\n" + run("check", "-j1", "d").out, said


def wait_until_read(pipe):
    """Wait until the reader has read everything that was written."""
    left, end = array.array("i", [1]), time.monotonic() + lib.LIMIT
    while left[0] > 0 and time.monotonic() < end:
        fcntl.ioctl(pipe, termios.FIONREAD, left)
        time.sleep(0.001)


def test_interrupted():
    """What was written is complete, and the waiting parent sees the signal. Each format, as soon as there is
    output."""
    many(3000)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for words in ([], ["--format", "jsonl"], ["--format", "json"]):
            process = subprocess.Popen([lib.PROGRAM, "check", "-j2", *words, *["d"] * 20], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, bufsize=0)
            first = process.stdout.read(100)
            process.send_signal(number)
            out, err = process.communicate(timeout=lib.LIMIT)
            out = (first + out).decode()
            assert process.returncode == -number and err == b"", (number, words, process.returncode, err)
            if words == ["--format", "json"]:
                found = [x["path"] for x in lib.strict_json(out)]
            elif words:
                found = [lib.strict_json(line)["path"] for line in out.splitlines()]
            else:
                assert all(re.fullmatch(r"d/\d{5}\.safetensors: (in)?valid: .*", line) for line in out.splitlines())
                found = [line.split(":")[0] for line in out.splitlines()]
            assert out.endswith("\n") and 0 < len(found) < 60000
            assert found == (["d/%05d.safetensors" % i for i in range(3000)] * 20)[: len(found)]


def test_no_process_is_left():
    many(300)
    lib.children(os.getpid())
    for number in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen([lib.PROGRAM, "check", "-j4", *["d"] * 50], stdout=subprocess.PIPE)
        process.stdout.read(50)
        children = lib.children(process.pid)
        process.send_signal(number)
        wait_for(process)
        assert len(children) == 4, children
        end = time.monotonic() + 60
        while any(alive(pid) for pid in children) and time.monotonic() < end:
            time.sleep(0.01)
        left = [pid for pid in children if alive(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert not left, left


def wait_for(process):
    """Wait for the end of the program, whoever else still has its standard output open."""
    end = time.monotonic() + lib.LIMIT
    os.set_blocking(process.stdout.fileno(), False)
    while process.poll() is None and time.monotonic() < end:
        process.stdout.read()
        time.sleep(0.01)
    process.stdout.close()
    assert process.returncode is not None


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def at_terminal(*words, seconds=lib.LIMIT, **env):
    """Run the program with standard error on a terminal; return its output there and on standard output. The
    warning of a program without seccomp (one with sanitizers) is left out."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([lib.PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                               env={**os.environ, "TERM": "xterm", **env})
    os.close(theirs)
    fcntl.fcntl(process.stdout, fcntl.F_SETFL, os.O_NONBLOCK)
    said, out, end = b"", b"", time.monotonic() + seconds
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        assert time.monotonic() < end
        ready = select.select([ours, process.stdout], [], [], 0.1)[0]
        try:
            said += os.read(ours, 4096) if ours in ready else b""
            out += (process.stdout.read() or b"") if process.stdout in ready else b""
        except OSError:
            break
    out += process.stdout.read() or b""
    process.stdout.close()
    process.wait()
    os.close(ours)
    untold = b"assay: the sandbox is incomplete: %s\r\n" % lib.sandbox().encode()
    untold = b"" if "libseccomp" in lib.sandbox() else untold
    assert said.startswith(untold), said
    return said[len(untold):].decode(), out.decode()


def test_progress():
    many(3000)
    words = ["check", "-j2", *["d"] * (3 if sanitized() else 20)]
    said, out = at_terminal(*words)
    shown = re.findall(r"\r(\d+) of (\d+) files, (\d+) a second(?:, (?:\d+ h )?(?:\d+ min ?)?(?:\d+ s)? left)?\x1b\[K",
                       said)
    if not said:
        raise Skip("it was too fast to be seen")
    assert shown and said.endswith("\r\x1b[K"), said[:300]
    assert {total for _, total, _ in shown} == {str(3000 * (len(words) - 2))}, shown
    assert [int(done) for done, _, _ in shown] == sorted(int(done) for done, _, _ in shown)
    assert out == run(*words).out  # and none of it where nobody looks
    assert at_terminal("check", "-j2", *["d"] * 8, TERM="dumb")[0] == ""
    assert at_terminal("check", "-q", "small")[0] == ""
