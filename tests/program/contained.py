"""Test the sandbox of a worker, and which file was judged."""

import errno
import os
import re
import resource
import shutil
import signal
import subprocess

import lib
from lib import Skip, build_fault, build_with_core, check_one, expect, layers, model, run, sandbox, sanitized
from lib import tensor, write

DEADLY = """open openat2 create unlink rename chmod stat access socket connect fork clone execve kill ptrace mprotect
    map_exec map_file write_other read_other dup prctl setrlimit ioctl sendmsg io_uring write_file
    map_over map_below unmap unmap_below move_away move_over make_writable
    stat_path stat_folder stat_file stat_flags old_stat""".split()
NEEDED = ["read", "read_stream", "look", "memory", "close", "nothing"]
FAILS = ["fill"]  # nothing can be written to the empty path
# The process that fetches: what is forbidden, and which actions of libraries show that the rest is allowed.
FORBIDDEN = """execve fork clone ptrace kill signal read_parent unshare mount bpf userfaultfd keyctl io_uring packet
    type listen create open_write open_create unlink rename chmod""".split()
LEFT = "open stat access socket dup map_exec thread memory_file signal_self prctl".split()
# Calls that the filter of a worker allows with any arguments; and those that it allows only for some descriptors. 335
# and 336 are uretprobe and uprobe of x86-64, which newer kernels hide from every filter: they kill a process that
# nobody traces.
HARMLESS = set("pread64 close fstat brk exit exit_group rt_sigreturn".split())
ON = {"worker": {0: {"write", "writev", "recvfrom", "recvmsg"}, 1: {"read"}},  # a stream is 1: sandbox.h
      "program": {0: {"read"}, 1: {"write", "writev"}, 2: {"write", "writev"}}}
HIDDEN = {"335", "336"}
# The process that writes: what it may do in its folder, what the filter refuses, and what Landlock refuses elsewhere.
HERE = "make_here rename_here remove_here shorten_here read_there clone_range insert_range".split()
REFUSED = """execve fork clone clone3 ptrace kill signal socket connect mprotect map_exec map_file dup prctl setrlimit
    sendmsg io_uring make_folder make_link punch zero allocate chmod mount bpf type unshare move_over
    map_over""".split()
ELSEWHERE = {"open_write": errno.EACCES, "create": errno.EACCES, "unlink": errno.EACCES, "rename": errno.EACCES,
             "move_out": errno.EXDEV, "move_in": errno.EXDEV}
FOR_WRITING = """read readv write writev pwrite64 lseek open openat openat2 stat lstat statx newfstatat statfs fstatfs
    readlink readlinkat access faccessat faccessat2 getcwd copy_file_range ftruncate fsync fdatasync fchown fchmod
    fgetxattr fsetxattr fremovexattr rename renameat renameat2 unlink unlinkat fcntl rt_sigaction rt_sigprocmask
    restart_syscall clock_gettime gettimeofday time nanosleep clock_nanosleep getrandom getpid gettid futex""".split()
HIGH = 1 << 32  # the kernel uses the low 32 bits of a descriptor
FORBIDS = "the process that checked it died: it made a system call that the sandbox forbids"
HOST = os.path.join(lib.ROOT, "src", "host")


def build(*flags):
    """Build tests/fixtures/forbidden.c with the program's own sandbox."""
    compiler = shutil.which(os.environ.get("CC", "cc").split()[0])
    if compiler is None or not os.path.exists("/proc/self/status"):
        raise Skip("no C compiler, or not Linux")
    names = ("sandbox", "seccomp_filter", "landlock", "open_file", "open_beneath", "stream", "file_ranges")
    parts = [os.path.join(HOST, name + ".c") for name in names]
    folders = [os.path.join(lib.ROOT, name) for name in ("include", "src/host")]
    test = os.path.join(lib.ROOT, "tests", "fixtures", "forbidden.c")
    subprocess.run([compiler, "-std=c11", "-w", *["-I" + f for f in folders], test, *parts, "-o", "forbidden", *flags],
                   check=True)
    write("there", b"there")


def outcome(kind, call):
    return subprocess.run(["./forbidden", kind, call], stdin=subprocess.DEVNULL, check=False).returncode


def test_a_forbidden_call_dies():
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "libseccomp"], stdout=subprocess.PIPE, check=False)
    if found.returncode != 0:
        raise Skip("no libseccomp")
    build("-DASSAY_SECCOMP", *found.stdout.decode().split())
    for kind in ("worker", "program"):
        for call in DEADLY:
            assert outcome(kind, call) == -signal.SIGSYS, (kind, call, outcome(kind, call))
        for call in NEEDED + FAILS:
            assert outcome(kind, call) == 0, (kind, call, outcome(kind, call))
    assert os.path.exists("there") and not os.path.exists("made")
    assert outcome("worker", "answer") == 0 and outcome("worker", "say") == -signal.SIGSYS
    assert outcome("program", "say") == 0 and outcome("program", "answer") == -signal.SIGSYS


def with_seccomp():
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "libseccomp"], stdout=subprocess.PIPE, check=False)
    if found.returncode != 0 or os.uname().machine != "x86_64":
        raise Skip("no libseccomp, or a machine whose calls have other numbers")
    build("-DASSAY_SECCOMP", *found.stdout.decode().split())


def test_no_other_call_is_allowed():
    """Make all calls by number, with an allowed descriptor and with others."""
    with_seccomp()
    for kind in ON:
        for number in (0, 1, 2, -1, HIGH + 3):
            done = subprocess.run(["./forbidden", kind, "calls", str(number)], stdin=subprocess.DEVNULL, check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            seen = set(done.stdout.decode().split()) - HIDDEN
            wanted = HARMLESS | ON[kind].get(number % HIGH, set())
            wanted |= {"madvise"} if 0 <= number < 100 else set()  # see ADVICE_POISON in seccomp_filter.c
            wanted |= {"munmap"} if not 0 <= number < 100 else set()  # above the empty path
            assert seen == wanted, (kind, number, seen ^ wanted)
        assert outcome(kind, "old_entry") in (-signal.SIGSYS, -signal.SIGSEGV), kind


def raw(kind, call, *words):
    """Return 0 or 1: the call was made, and succeeded or failed; None: it killed the process."""
    status = subprocess.run(["./forbidden", kind, "raw", call, *map(str, words)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    assert status in (0, 1, -signal.SIGSYS), (kind, call, words, status)
    return None if status < 0 else status


def test_allowed_calls_with_wrong_descriptors():
    """Allowed calls are allowed only for the right descriptor and kind of memory; harmless ones are allowed."""
    with_seccomp()
    for kind in ON:
        for call in ("read", "write", "writev", "recvfrom", "recvmsg"):
            for fd in (0, 1, 2, 3, 4, 99, "file", "pair", -1, HIGH, HIGH + 1, HIGH + 2, HIGH + 3, -HIGH, 1 << 63):
                waits = {"recvfrom": (0, 0x40), "recvmsg": (0x40,)}  # not: MSG_DONTWAIT
                words = (fd, "page", *waits.get(call, (0,)))
                made = isinstance(fd, int) and call in ON[kind].get(fd % HIGH, ())
                assert (raw(kind, call, *words) is not None) == made, (kind, call, fd)
        for fd, of_file in (("file", True), ("pair", False), (0, kind == "program"), (99, False), (-1, False)):
            assert (raw(kind, "pread64", fd, "page", 1, 0) == 0) == of_file, (kind, fd)  # 0 is a socket, or /dev/null
            assert raw(kind, "close", fd) == (1 if fd in (99, -1) else 0), (kind, fd)
        for call in ("readv", "sendto", "pwrite64", "fcntl", "lseek"):
            for fd in (0, 1, 2, "file", "pair", -1):
                assert raw(kind, call, fd, "page", 1, 0) is None, (kind, call, fd)
        private, anonymous = 0x02, 0x22
        for protection in (0, 1, 2, 3, 4, 5, 6, 7, 8, 1 << 24, 1 << 25, 1 << 31):
            for fd in (-1, HIGH - 1, 0, 2, "file", HIGH, HIGH + 3, "pair"):
                nothing = raw(kind, "mmap", 0, 4096, protection, anonymous, fd, 0)
                plain = protection < 4 and fd in (-1, HIGH - 1)
                assert nothing == (0 if plain else None), (kind, protection, fd, nothing)
                if plain:
                    assert raw(kind, "mmap", 0, 4096, protection, private, fd, 0) == 1, (kind, protection, fd)
        for advice in (0, 4, 8, 14, 99, 100, 101, 102, HIGH + 4, HIGH + 100, -1):  # of no byte
            assert (raw(kind, "madvise", "page", 0, advice) is None) == (not 0 <= advice < 100), (kind, advice)


def test_what_the_process_that_fetches_may_not_do():
    """A process that a server has taken over gets EPERM from the filter, or EACCES where only Landlock stops it."""
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "libseccomp"], stdout=subprocess.PIPE, check=False)
    if found.returncode != 0:
        raise Skip("no libseccomp")
    build("-DASSAY_SECCOMP", "-pthread", *found.stdout.decode().split())
    for call in FORBIDDEN:
        assert outcome("server", call) == errno.EPERM, (call, outcome("server", call))
    for call in ("clone3", "openat2", "chmod_new"):
        assert outcome("server", call) == errno.ENOSYS, (call, outcome("server", call))
    for call in NEEDED + LEFT:
        assert outcome("server", call) == 0, (call, outcome("server", call))
    assert os.path.exists("there") and not os.path.exists("made")


def folder_to_write():
    os.makedirs("here", exist_ok=True)
    for name in ("old", "other"):
        write("here/" + name, b"there")
    for name in ("here/made", "here/new", "made"):
        if os.path.exists(name):
            os.remove(name)


def test_what_the_process_that_writes_may_do():
    """It changes files of one folder alone, and what the filter does not list fails."""
    with_seccomp()
    for call in HERE:
        folder_to_write()
        assert outcome("writer", call) == 0, (call, outcome("writer", call))
    for call in REFUSED:
        folder_to_write()
        assert outcome("writer", call) == errno.EPERM, (call, outcome("writer", call))
    if "landlock" not in layers():
        raise Skip("no Landlock in this kernel")
    for call, why in ELSEWHERE.items():
        folder_to_write()
        assert outcome("writer", call) in (why, errno.EACCES), (call, outcome("writer", call))
    assert os.path.exists("there") and not os.path.exists("made") and not os.path.exists("moved")


def test_calls_of_the_process_that_writes():
    """All calls by number; all requests of ioctl, and all modes of fallocate."""
    with_seccomp()
    folder_to_write()

    def seen(what, number):
        done = subprocess.run(["./forbidden", "writer", what, str(number)], stdin=subprocess.DEVNULL, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode().split()

    names = {name for name in FOR_WRITING} | HARMLESS
    with open("numbers.c", "w", encoding="ascii") as f:
        f.write("#include <stdio.h>\n#include <sys/syscall.h>\nint main(void) {\n%s}\n" % "".join(
            'printf("%s %%d\\n", SYS_%s);\n' % (name, name) for name in sorted(names)))
    subprocess.run([os.environ.get("CC", "cc").split()[0], "numbers.c", "-o", "numbers"], check=True)
    lines = subprocess.run(["./numbers"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[:-1]
    number_of = {line.split()[1]: line.split()[0] for line in lines}
    for number in (-1, HIGH - 1):  # no descriptor, and as an address EFAULT
        found = {number_of.get(one, one) for one in seen("calls", number)} - HIDDEN
        above = {"munmap"} if number == -1 else set()  # as an address: see allow_memory in seccomp_filter.c
        assert found == names | above, (number, found ^ names)
    clone, terminal = "0x4020940d", "0x5401"
    for fd in (-1, 99):
        assert seen("ioctls", fd) == [terminal, clone] * 3, (fd, seen("ioctls", fd))
        assert seen("modes", fd) == ["0x8", "0x20"] * 3, (fd, seen("modes", fd))


def test_landlock_and_limits_without_seccomp():
    """The second layer, where the first is missing."""
    if "landlock" not in layers():
        raise Skip("no Landlock in this kernel")
    build()
    signals = [] if re.search(r"\(version [1-5]\)", sandbox()) else ["kill"]  # Landlock restricts these since version 6
    for call in ["open", "create", "unlink", "rename", "execve", "write_file", *signals]:
        died = -signal.SIGXFSZ if call == "write_file" else 1
        assert outcome("worker", call) == died, (call, outcome("worker", call))
    for call in NEEDED:
        assert outcome("worker", call) == 0, call


def test_the_judge_dies_and_nothing_else():
    """Whichever file makes the worker do what is forbidden is reported, and all others are judged."""
    library = build_fault()
    if "seccomp" not in layers():
        raise Skip("built without seccomp")
    names = [model("%d" % i, [("t%d" % k, tensor(k, k + 1)) for k in range(i)]) for i in range(12)]
    env = {**os.environ, "LD_PRELOAD": library}
    for number in (1, 3, 5):  # a small file takes two reads
        for jobs in ("1", "2", "4"):
            result = run("check", "-j", jobs, *names, env={**env, "FAULT": "forbid:%d:0" % number})
            lines = dict(line.split(": ", 1) for line in result.lines)
            assert list(lines) == names and result.status == 2, result.out
            bad = [name for name in names if not lines[name].startswith("valid: ")]
            assert bad and all(lines[name].startswith("error: " + FORBIDS) for name in bad), result.out
            assert number == 1 or len(bad) < len(names), (number, jobs, result.out)
    expect(run("check", "--no-sandbox", "-j1", *names, env={**env, "FAULT": "forbid:1:0"}), 0)
    result = run("ls", "3", env={**env, "FAULT": "forbid:1:0"}, raw=True)
    assert result.status == -signal.SIGSYS and result.out == ""


def test_no_other_file_is_blamed():
    """A worker that is dead before its next file is sent died of its current file, not of the previous one."""
    library = build_fault()
    if "seccomp" not in layers():
        raise Skip("built without seccomp")
    names = [model("%d" % i) for i in range(9)]
    for number, every in ((1, 1), (3, 2), (5, 3)):  # it does what is forbidden in the first, second, third file
        env = {**os.environ, "LD_PRELOAD": library, "FAULT": "forbid:%d:0" % number, "SLOW": "1"}
        lines = run("check", "-j1", *names, env=env).lines
        assert len(lines) == len(names), lines
        for i, line in enumerate(lines):
            dies = i % every == every - 1
            assert line.startswith("%d: %s" % (i, "error: " + FORBIDS if dies else "valid: ")), (number, lines)


def test_a_judge_that_ends_between_two_files():
    """A worker has reported the first file, and is gone when the second is sent: another worker judges that."""
    library = build_fault()
    names = [model("%d" % i) for i in range(4)]
    for words in ([], ["--no-sandbox"]):
        env = {**os.environ, "LD_PRELOAD": library, "FAULT": ">recvmsg:2:%d" % errno.EIO, "SLOW": "first"}
        lines = run("check", "-j1", *words, *names, env=env, timeout=20).lines
        assert [line.split(": ")[:2] for line in lines] == [[name, "valid"] for name in names], lines


def test_a_judge_that_is_killed():
    library = build_fault()
    names = [model("%d" % i) for i in range(9)]
    for number, words in ((signal.SIGKILL, ": it was killed, perhaps because the system ran out of memory"),
                          (signal.SIGXCPU, "too much time"), (signal.SIGSEGV, "because of a bug in assay")):
        env = {**os.environ, "LD_PRELOAD": library, "FAULT": "die:4:%d" % number}
        result = run("check", "--no-sandbox", "-j2", "--format", "jsonl", *names, env=env)
        found = result.jsonl()
        assert [x["path"] for x in found] == names and result.status == 2
        bad = [x for x in found if x["verdict"] != "valid"]
        assert 1 <= len(bad) < len(names) and all(words in x["message"] and x["verdict"] == "error" for x in bad), bad
        assert all(x["sandbox"] is None and x["inode"] is None for x in bad)


def test_a_judge_that_lies():
    """A worker that a file has taken over reports nothing that a terminal obeys, and requests no file."""
    library = build_fault()
    names = [model("%d" % i) for i in range(9)]
    lies = [b"\x1b]0;x\7", b"\x1b[8m", b"\x1b[31;5m", b"\x1b[\0v", b"\xc2\x9b31m", b"\x9b31m", b"\xc3\0v",
            b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\xff", b"\r", b"\b", b"\x7f",
            b"\0x", b"\0.", b"\0v\0\x80\0.", b"\0?f1\0", b"\0?s/etc/passwd\0"]
    died = "error: the process that checked it died before it finished"
    for lie in lies:
        for color in ("always", "never"):
            env = {**os.environ, "LD_PRELOAD": library, "FAULT": "lie:3:0", "LIE": lie.hex()}
            result = run("check", "-j1", "--color", color, *names, env=env, raw=True)
            said = result.out.replace("\x1b[32m", "").replace("\x1b[33m", "").replace("\x1b[0m", "")
            lib.safe(said)
            lines = dict(line.split(": ", 1) for line in said.splitlines())
            assert list(lines) == names and result.status == 2, (lie, said)
            for i, name in enumerate(names):
                assert lines[name].startswith(died if i % 2 else "valid: "), said


def test_a_judge_that_hears_nothing():
    library = build_fault()
    names = [model("%d" % i) for i in range(4)]
    result = run("check", "-j1", *names, env={**os.environ, "LD_PRELOAD": library, "FAULT": "deaf:3:0"})
    assert [line.split(": ")[1] for line in result.lines] == ["valid", "error", "valid", "error"] and result.status == 2


def test_nothing_is_judged_outside():
    """A sandbox that cannot be entered is an error, unless the user disables it."""
    library = build_fault()
    if "seccomp" not in layers():
        raise Skip("built without seccomp")
    model("x")
    env = {**os.environ, "LD_PRELOAD": library, "FAULT": "no seccomp"}
    result = expect(run("check", "x", env=env), 2)
    assert "x: error: the sandbox can't be entered" in result.out and "--no-sandbox" in result.out
    expect(run("ls", "x", env=env), 2, "", "the sandbox can't be entered")
    for command in ("check", "ls"):
        expect(run(command, "--no-sandbox", "x", env=env), 0)


def test_a_process_that_cannot_be_started():
    library = build_fault()
    names = [model("%d" % i) for i in range(9)]
    env = {**os.environ, "LD_PRELOAD": library}
    result = expect(run("check", *names, env={**env, "FAULT": "fork:1+:%d" % errno.EAGAIN}), 2)
    why = "error: the process to check it could not be started: Resource temporarily unavailable"
    assert result.lines == ["%s: %s" % (name, why) for name in names]
    expect(run("check", "-j4", *names, env={**env, "FAULT": "fork:2+:%d" % errno.EAGAIN}), 0)


def test_json_says_what_held_the_judge():
    model("x")
    assert check_one("x")["sandbox"] == layers()
    assert check_one("x", "--no-sandbox")["sandbox"] == []
    assert check_one("missing")["sandbox"] is None
    if not sanitized():
        assert "limits" in layers() and ("seccomp" in layers()) == ("libseccomp" in sandbox())


def test_a_build_without_seccomp():
    bare = build_with_core(os.path.join(lib.ROOT, "src", "core", "assay.c"))
    model("x")
    out = expect(run("--version", program=bare), 0).out
    assert "built without seccomp" in out
    (found,) = run("check", "--format", "jsonl", "x", program=bare).jsonl()
    assert "seccomp" not in found["sandbox"] and found["verdict"] == "valid"
    expect(run("check", "x", program=bare), 0)  # no message where nobody reads it


def test_descriptor():
    """The file that the caller has opened is judged, whatever becomes of its name."""
    path = model("x")
    with open(path, "rb") as f:
        seen = os.fstat(f.fileno())
        os.rename(model("y", data=b""), "x")
        fd = f.fileno()
        (found,) = expect(run("check", "--format", "jsonl", "--fd", str(fd), pass_fds=[fd]), 0).jsonl()
        assert (found["path"], found["verdict"], found["inode"]) == ("/dev/fd/%d" % fd, "valid", seen.st_ino)
        assert f.tell() == 0
        f.seek(7)
        expect(run("check", "-q", "--fd=%d" % fd, pass_fds=[fd]), 0, "")
    expect(run("check", "--fd", "99"), 2, "/dev/fd/99: error: can't be opened: Bad file descriptor\n")
    folder = os.open(".", os.O_RDONLY)
    expect(run("check", "--fd", str(folder), pass_fds=[folder]), 2,
           "/dev/fd/%d: error: is a folder, not a file\n" % folder)
    only = os.open(model("z"), os.O_WRONLY)
    expect(run("check", "--fd", str(only), pass_fds=[only]), 2,
           "/dev/fd/%d: error: can't be read: Bad file descriptor\n" % only)


def test_a_kernel_without_openat2():
    library = build_fault()
    os.makedirs("d/e/f")
    for name in ("d/a.safetensors", "d/e/b.safetensors", "d/e/f/c.safetensors"):
        model(name)
    os.symlink("../../a.safetensors", "d/e/f/link.safetensors")
    old = {"env": {**os.environ, "LD_PRELOAD": library, "FAULT": "old"}}
    assert run("check", "d", **old).out == run("check", "d").out
    os.makedirs("far")
    model("far/outside.safetensors")
    os.symlink("../../far", "link")
    for fault in ("swap:d/e/f:link", "old,swap:d/e/f:link"):
        for name in ("moved", "d/e/f"):
            if os.path.islink(name):
                os.rename(name, "link")
        if os.path.isdir("moved"):
            os.rename("moved", "d/e/f")
        result = run("check", "d", env={**os.environ, "LD_PRELOAD": library, "FAULT": fault})
        assert result.status == 2 and "d/e/f/: error: can't be opened: " in result.out, (fault, result.out)
        assert "outside" not in result.out


def test_limits_of_the_user_stay():
    """The sandbox lowers limits, and raises none."""
    model("x")

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 30))

    expect(run("check", "x", preexec_fn=limit), 0)
