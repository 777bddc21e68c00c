"""Test failures of the system, and files that change while the program reads them."""

import errno
import fcntl
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import threading
import time

import calls
import lib
from reports import FILE_MEMBERS
from lib import Skip, build_fault, expect, frame, header, model, run, tensor, unprivileged, write

ENOMEM, EIO, EINTR, EMFILE, ENOSYS = errno.ENOMEM, errno.EIO, errno.EINTR, errno.EMFILE, errno.ENOSYS


def fault(library, what, *words):
    result = run(*words, env={**os.environ, "LD_PRELOAD": library, "FAULT": what})
    assert result.status in (0, 1, 2), (what, result.status, result.err)
    return result


def big(path="x"):
    """Make a header longer than the first read."""
    return model(path, [("t%d" % i, tensor(i, i + 1)) for i in range(999)], {"k": "v"})


def test_what_no_command_can_judge():
    """Real failures, each with the message and exit status of every command."""
    options = unprivileged()
    write("file", b"")
    os.chmod(model("closed"), 0)
    os.mkdir("shut")
    model("shut/x")
    os.chmod("shut", 0)
    os.symlink("loop", "loop")
    os.symlink("there", "back")
    os.symlink("back", "there")
    os.symlink("nowhere", "dangling")
    os.mkfifo("fifo")
    whys = {
        "missing": "can't be opened: No such file or directory",
        "dangling": "can't be opened: No such file or directory",
        "file/x": "can't be opened: Not a directory",
        "n" * 300: "can't be opened: File name too long",
        "closed": "can't be opened: Permission denied",
        "shut/x": "can't be opened: Permission denied",
        "loop": "can't be opened: Too many levels of symbolic links",
        "back": "can't be opened: Too many levels of symbolic links",
        "fifo": "is a named pipe (FIFO), not a file",
        "/dev/null": "is a device, not a file",
    }
    if os.path.exists("/proc/self/mem"):
        whys["/proc/self/mem"] = "can't be read: Input/output error"  # nothing is mapped at its beginning
    for path, why in whys.items():
        line = "%s: error: %s\n" % (path, why)
        for words in (["ls"], ["ls", "--format", "json"], ["meta"]):
            expect(run(*words, path, **options), 2, "", line)
        for words in (["meta", path, "k"], ["meta", "--raw", path, "k"]):
            expect(run(*words, **options), 2, "", line)
        expect(run("check", path, **options), 2, line)
        expect(run("check", "-q", path, **options), 2, "", line)
        result = expect(run("check", "--format", "json", path, **options), 2)
        (found,) = result.json()
        (line,) = run("check", "--format", "jsonl", path, **options).jsonl()
        assert line == found or path.startswith("/proc")  # which each process has separately
        known = {key: value for key, value in found.items() if value is not None and key not in FILE_MEMBERS}
        assert known == {"path": path, "verdict": "error", "message": why}, found


def test_read_errors():
    library = build_fault()
    big()
    for count in (1, 2, 3, 4):  # two to read it, two to check that it is unchanged
        expect(
            fault(library, "pread:%d:%d" % (count, EIO), "check", "x"),
            2,
            "x: error: can't be read: Input/output error\n",
        )
        expect(fault(library, "pread:%d:%d" % (count, EINTR), "check", "x"), 0)


def test_a_write_between_two_reads():
    """A writer who hides its traces: the parts that were read belong to different states of the file."""
    library = build_fault()
    big()
    size = os.path.getsize("x")
    for offset in (8, 9, size - 1):  # in what has been read, and in the data, which only the times show
        big()
        expect(
            fault(library, "write:x:%d" % offset, "check", "--no-sandbox", "x"),
            2,
            "x: error: changed while it was being checked: try again when nothing writes to it\n",
        )
    for count in (3, 4):  # no trace in the times
        result = fault(library, "flip:%d:0" % count, "check", "x")
        expect(result, 2, "x: error: changed while it was being checked: try again when nothing writes to it\n")
    expect(run("check", "x"), 0)
    model("x")  # read at once, and checked at once again
    expect(fault(library, "flip:2:0", "check", "x"), 2, "x: error: " + calls.CHANGED + "\n")


def test_a_file_that_hides_its_size():
    if not os.path.exists("/proc/self/maps"):
        raise Skip("no /proc")
    expect(run("check", "/proc/self/maps"), 2)


def test_short_reads():
    library = build_fault()
    big()
    expect(fault(library, "short", "check", "x"), 0)
    expect(fault(library, "short", "ls", "x"), 0, run("ls", "x").out)


def test_open_errors():
    library = build_fault()
    os.mkdir("d")
    model("d/a.safetensors")
    model("d/b.safetensors")
    expect(
        fault(library, "open:1:%d" % EMFILE, "check", "d/a.safetensors", "d/b.safetensors"),
        2,
        "d/a.safetensors: error: can't be opened: Too many open files\n"
        "d/b.safetensors: valid: 1 tensor, 65 bytes\n",
    )
    expect(
        fault(library, "open:1:%d" % EMFILE, "check", "d"),
        2,
        "d/: error: can't be opened: Too many open files\n",
    )
    expect(
        fault(library, "fdopendir:1:%d" % ENOMEM, "check", "d"),
        2,
        "d/: error: can't be opened: Cannot allocate memory\n",
    )
    result = expect(fault(library, "readdir:4:%d" % EIO, "check", "d"), 2)
    assert result.lines[0] == "d/: error: can't be read: Input/output error" and "valid" in "".join(
        result.lines[1:]
    )


def test_no_random_numbers():
    library = build_fault()
    model("x")
    os.mkdir("d")
    model("d/model-00001-of-00001.safetensors")
    write("d/model.safetensors.index.json", b'{"weight_map": {"a": "model-00001-of-00001.safetensors"}}')
    whole = run("check", "x", "d").out
    expect(fault(library, "getrandom:1:%d" % ENOSYS, "check", "x", "d"), 0, whole)
    expect(fault(library, "getrandom:1:%d" % EINTR, "check", "x", "d"), 0, whole)
    why = "error: the system provides no random numbers, which the check of a model with an index needs"
    both = "getrandom:%d:%d,>open:1:%d" % (1, ENOSYS, EMFILE)
    expect(fault(library, both, "check", "x", "d"), 2, "x: valid: 1 tensor, 65 bytes\nd/: %s\n" % why)


def test_core_that_judges_nothing():
    """What no file causes: the core is replaced by one that returns it."""
    with_core = lib.build_with_core(os.path.join(lib.ROOT, "tests", "fixtures", "core_stub.c"))
    model("x")

    def says(answer):
        env = {**os.environ, "ANSWER": str(answer)}
        result = run("check", "x", program=with_core, env=env)
        (found,) = run("check", "--format", "jsonl", "x", program=with_core, env=env).jsonl()
        assert found["code"] == answer and result.status == (2 if answer else 0), (
            found,
            result.status,
        )
        assert found["message"] in result.out and found["tensor"] is found["other"] is None
        return found, result.err

    found, err = says(2)
    assert (found["rule"], found["rule_name"], found["offset"]) == ("N2", "workspace", None)
    assert err.count("judged") == 1, err  # a core that requires the memory that it has is not called again
    assert says(0)[1].count("judged") == 1
    assert says(1)[0]["rule"] == "N1" and says(3)[0]["rule"] == "N3"


def test_memory_runs_out():
    """Whichever allocation fails, in the program or in a worker: the file is reported as not judged, and the
    others are judged."""
    library = build_fault()
    os.mkdir("d")
    big("d/a.safetensors")
    model(
        "d/b.safetensors", [("t%d" % i, tensor(i, i + 1)) for i in range(2999)]
    )  # needs more than the first
    failed = set()
    for where, function in itertools.product("<>", ("malloc", "realloc")):
        for count in range(1, 40):
            result = fault(library, "%s%s:%d:%d" % (where, function, count, ENOMEM), "check", "-j1", "d")
            errors = [text for text in result.lines if ": error: " in text]
            begun = not result.err.startswith("assay: can't begin: Cannot allocate memory")
            assert result.status == (2 if errors or not begun else 0), (where, function, count, result.out)
            for text in errors:
                failed.add(text.partition(":")[0])
                assert re.search(
                    "not enough memory|Cannot allocate memory|checked it died|sandbox can't be entered"
                    "|the process to check it could not be started", text), text
    assert failed >= {"d/", "d/a.safetensors", "d/b.safetensors"}, failed


def test_memory_runs_out_for_records():
    """No record of a model loses a part, or its path, if there is no memory to hold it back."""
    library = build_fault()
    os.mkdir("m")
    shards = {"s%02d.safetensors" % i: "t%d" % i for i in range(60)}
    for path, name in shards.items():
        model("m/" + path, [(name, tensor(0, 4))])
    write("m/x.safetensors.index.json", json.dumps({"weight_map": {n: p for p, n in shards.items()}}).encode())
    paths = {"m/" + path for path in [*shards, "x.safetensors.index.json"]}
    failed = 0
    for function, count in itertools.product(("malloc", "realloc"), range(1, 60)):
        what = ">%s:%d:%d" % (function, count, ENOMEM)
        result = fault(library, what, "check", "--no-sandbox", "--format", "json", "m")
        found = {x["path"]: x["verdict"] for x in json.loads(result.out)}
        failed += result.status
        assert (set(found) == paths) if result.status == 0 else "error" in found.values(), (what, found)
    assert failed > 0


def test_little_memory():
    """A header of 90 MB in 40 MB of address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))

    if (
        subprocess.run(
            [lib.PROGRAM, "--version"],
            preexec_fn=limit,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        ).returncode
        != 0
    ):
        raise Skip("the program doesn't start in 40 MB (sanitizers)")
    write("x", frame(header([("n" * 90_000_000, tensor(0, 4))]), bytes(4)))
    model("y")
    expect(
        run("check", "x", "y", preexec_fn=limit),
        2,
        "x: error: not enough memory to check it\ny: valid: 1 tensor, 65 bytes\n",
    )
    expect(run("check", "x"), 0)


def test_file_changes_size():
    library = build_fault()
    for size in (0, 9000, 10**6):
        big()
        expect(
            fault(library, "change:x:%d" % size, "check", "--no-sandbox", "x"),
            2,
            "x: error: changed while it was being checked: try again when nothing writes to it\n",
        )


def test_file_turns_into_something_else():
    """The file changes between the check of its kind and the opening."""
    library = build_fault()
    model("x")
    os.mkfifo("fifo")
    expect(fault(library, "swap:x:fifo", "check", "x"), 2, "x: error: is a named pipe (FIFO), not a file\n")
    os.remove("moved")
    os.makedirs("d/e")
    model("d/e/inside.safetensors")
    os.mkdir("far")
    model("far/outside.safetensors")
    os.symlink("../far", "link")
    result = expect(fault(library, "swap:d/e:link", "check", "d"), 2)
    assert "outside" not in result.out and "d/e/: error: can't be opened: " in result.out, result.out


def test_too_many_descriptors_on_their_way():
    """The limit of a user for descriptors in transit: the program retries for a while."""
    library = build_fault()
    names = [model("%d" % i) for i in range(9)]
    model("0", [("t%d" % i, tensor(i, i + 1)) for i in range(20000)])  # the worker is at it when the next is sent
    expect(fault(library, "sendmsg:2:%d" % errno.ETOOMANYREFS, "check", "-j1", *names), 0, run("check", *names).out)
    expect(fault(library, "sendmsg:1+:%d" % errno.ETOOMANYREFS, "check", "0"), 2,
           "0: error: the process to check it could not be started: Too many references: cannot splice\n")


def test_a_link_in_the_place_of_a_file():
    """A file that was found in its directory is a link to a FIFO when it is opened. It is not opened, because that
    would release a writer who waits for a reader."""
    library = build_fault()
    os.mkdir("d")
    model("d/a.safetensors")
    os.mkfifo("fifo")
    os.symlink("../fifo", "link")
    with subprocess.Popen(["sh", "-c", "exec 3>fifo"]) as writer:
        time.sleep(0.3)  # until it waits there
        result = fault(library, "swap:d/a.safetensors:link", "check", "d")
        expect(result, 2, "d/a.safetensors: error: is a named pipe (FIFO), not a file\n")
        try:
            writer.wait(0.2)
        except subprocess.TimeoutExpired:
            writer.kill()
        assert writer.wait() == -signal.SIGKILL, "the FIFO was opened"


def test_a_lease():
    """A program that holds a lease on a file has a moment to give it back, wherever the file was found."""
    os.mkdir("d")
    model("d/a.safetensors")
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)
    with open("d/a.safetensors", "r+b") as held:
        def take(kind):
            fcntl.fcntl(held, fcntl.F_SETLEASE, kind)
        try:
            write("l", b'{"tensors":[{"name":"t","dtype":"U8","shape":[%d],"file":"d/a.safetensors"}]}' %
                  os.path.getsize("d/a.safetensors"))
            for words in (["check", "d"], ["check", "d/a.safetensors"], ["make", "l", "-o", "y"]):
                try:
                    take(fcntl.F_WRLCK)
                except (OSError, AttributeError) as error:
                    raise Skip("this file system has no leases: %s" % error) from error
                timer = threading.Timer(0.3, take, [fcntl.F_UNLCK])
                timer.start()
                result = run(*words)
                timer.join()
                assert result.status == 0, result
        finally:
            signal.signal(signal.SIGIO, before)


def test_file_is_written_to():
    """Same size, other time: a writer that never stops, and a header that takes long to read and judge."""
    write("x", frame(header([("n" * 30_000_000, tensor(0, 4))]), bytes(4)))
    done = threading.Event()

    def touch():
        moment = 10**9
        while not done.is_set():
            moment += 1
            os.utime("x", ns=(moment, moment))

    writer = threading.Thread(target=touch)
    writer.start()
    try:
        expect(
            run("check", "x"),
            2,
            "x: error: changed while it was being checked: try again when nothing writes to it\n",
        )
    finally:
        done.set()
        writer.join()


def test_file_shorter_than_it_says():
    """Files of /sys report a size of one page."""
    path = "/sys/kernel/mm/transparent_hugepage/enabled"
    if not os.path.exists(path) or os.path.getsize(path) < 4096:
        raise Skip("no such file here")
    result = expect(run("check", path), 2)
    assert "changed while it was being checked" in result.out
