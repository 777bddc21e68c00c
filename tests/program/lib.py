"""Functions that the tests of the program share: make files, run the program, check its output."""

import contextlib
import glob
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = None  # set by tests/program.py
KILLS = bool(os.environ.get("KILLS"))  # of what may happen at a system call, try kills alone
LIMIT = 180  # seconds that a run may take before it counts as hung; sanitizers and busy machines are slow


class Skip(Exception):
    pass


# Variables that influence the programs of the tests, or Python's clients: proxies, settings of the Hub and of
# libcurl, folders of users, colors, languages, what make passes on.
OBEYED = re.compile(r"(?i)(.*_proxy|HF_.*|HUGGING.*|CURL_.*|SSL_.*|XDG_.*|NO_COLOR|COLUMNS|LANG|LANGUAGE|LC_.*"
                    r"|MAKEFLAGS|MFLAGS|MAKELEVEL|FAULT)")


def settle():
    """Make the environment, the mask of new files and signals as on any other machine; background jobs of a shell
    ignore signals."""
    for name in [name for name in os.environ if OBEYED.fullmatch(name)]:
        del os.environ[name]
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


@contextlib.contextmanager
def folder():
    """Make an empty working folder for one test."""
    before, path = os.getcwd(), tempfile.mkdtemp(prefix="assay-test-")
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
        subprocess.run(["chmod", "-R", "u+rwx", path], check=False)
        shutil.rmtree(path)


class Result:
    def __init__(self, run):
        self.status, self.raw, self.raw_err = run.returncode, run.stdout, run.stderr
        self.out, self.err = (run.stdout or b"").decode(), (run.stderr or b"").decode()
        self.lines = self.out.splitlines()

    def json(self):
        return strict_json(self.out)

    def jsonl(self):
        return [strict_json(line) for line in self.out.split("\n")[:-1]]


def run(*words, program=None, **options):
    """Run the program; its output may contain nothing that a terminal obeys or hides."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    raw = options.pop("raw", False)
    limit = options.pop("timeout", LIMIT)
    done = subprocess.run(
        [program or PROGRAM, *words], stdin=subprocess.DEVNULL, timeout=limit, check=False, **options
    )
    result = Result(done)
    if not raw:
        safe(result.out)
    safe(result.err)
    assert "Sanitizer" not in result.err and "runtime error" not in result.err, result.err
    return result


def safe(text):
    import unicodedata

    for character in set(text):
        category = unicodedata.category(character)
        assert character == "\n" or category not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"), "%r in %r" % (
            character,
            text[:200],
        )
        assert category != "Zs" or character == " ", text


def strict_json(text):
    """Parse one value like any reader of JSON: no NaN, no duplicate member, no unpaired surrogate escape."""

    def once(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    def never(word):
        raise AssertionError(word)

    value = json.loads(text, object_pairs_hook=once, parse_constant=never)
    json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate has no UTF-8
    return value


def frame(header, data=b"", length=None):
    header = header if isinstance(header, bytes) else header.encode()
    return (len(header) if length is None else length).to_bytes(8, "little") + header + data


def write(name, content):
    with open(name, "wb") as f:
        f.write(content)
    return name


def tensor(begin, end, dtype="U8", shape=None):
    return {"dtype": dtype, "shape": [end - begin] if shape is None else shape, "data_offsets": [begin, end]}


def header(tensors, metadata=None):
    """Return a header. tensors: pairs of name and description, in header order."""
    members = dict(tensors)
    assert len(members) == len(tensors)
    if metadata is not None:
        members = {"__metadata__": metadata, **members}
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


def model(name="a.safetensors", tensors=(("a", tensor(0, 4)),), metadata=None, data=None):
    size = max([t["data_offsets"][1] for _, t in tensors], default=0)
    return write(name, frame(header(list(tensors), metadata), b"\0" * size if data is None else data))


def check_one(path, *words):
    """Return the JSON object for one file, and check the exit status that belongs to it."""
    result = run("check", "--format", "jsonl", *words, path)
    (found,) = result.jsonl()
    assert result.status == {"valid": 0, "invalid": 1, "error": 2}[found["verdict"]], result.status
    assert result.err == "", result.err
    return found


def written(path):
    """Return what a write to a file changes. The time of the last access is no part of it: that changes by reading."""
    status = os.stat(path)
    return status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def expect(result, status, out=None, err=None):
    """Check a run. err: a part of it; None: nothing."""
    assert result.status == status, (result.status, result.out, result.err)
    if out is not None:
        assert result.out == out, result.out
    if err is None:
        assert result.err == "", result.err
    else:
        assert err in result.err, result.err
    return result


def unprivileged():
    """Return options for run: be a user whom permissions restrict, with a copy of the program that this user may
    run."""
    if os.getuid() != 0:
        return {}
    copy = os.path.abspath(shutil.copy(PROGRAM, "program"))
    os.chmod(copy, 0o755)
    os.chmod(".", 0o755)

    def drop():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

    try:
        subprocess.run([copy, "--version"], preexec_fn=drop, stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Skip("nobody else can run a program in %s: %s" % (os.getcwd(), error)) from error
    return {"preexec_fn": drop, "program": copy}


def children(pid):
    """Return the children of the process, which some kernels do not list."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as f:
            return [int(word) for word in f.read().split()]
    except FileNotFoundError as error:
        raise Skip("no /proc/PID/task/TID/children") from error


def wait_until_idle(pid):
    """Wait until the process and its children have done all they can, and wait themselves. A busy machine makes no
    difference: a process that waits for a processor does not sleep."""
    looks, end = 0, time.monotonic() + LIMIT
    while looks < 10:
        assert time.monotonic() < end, "it does not come to rest"
        looks = looks + 1 if all(asleep(one) for one in [pid, *children(pid)]) else 0
        time.sleep(0.02)


def asleep(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii") as f:
            return f.read().rpartition(")")[2].split()[0] in "SZ"
    except FileNotFoundError:
        return True  # it has ended


def all_of(fd):
    """Read the descriptor up to its end, which is an error on a terminal."""
    said = b""
    try:
        while piece := os.read(fd, 4096):
            said += piece
    except OSError:
        pass
    return said


def build_with_core(core, *flags):
    """Build the program with another core, and without seccomp and libcurl."""
    compiler = shutil.which(os.environ.get("CC", "cc").split()[0])
    if compiler is None:
        raise Skip("no C compiler")
    source = os.path.join(ROOT, "src")
    parts = ("base", "host", "model", "notes", "modelspec", "edit", "remote", "cli")
    files = sorted(path for part in parts for path in glob.glob(os.path.join(source, part, "*.c")))
    files += [os.path.join(source, "core_text", "assay_text.c"), os.path.join(source, "core_write", "assay_write.c")]
    folders = [os.path.join(ROOT, "src", part) for part in ("core", *parts)]
    folders += [os.path.join(ROOT, name) for name in ("include", "spec")]
    subprocess.run(
        [compiler, "-std=c11", "-w", *flags, *["-I" + name for name in folders], core, *files, "-o", "stub"], check=True
    )
    return os.path.abspath("stub")


def build_test_c(name, *flags):
    """Compile tests/NAME.c; Skip if that is impossible. It is possible with glibc on x86-64, so a failure there is
    a failure."""
    compiler = shutil.which(os.environ.get("CC", "cc").split()[0])
    if compiler is None or sys.platform != "linux":
        raise Skip("no C compiler, or not Linux")
    out = os.path.abspath(name)
    command = [compiler, "-std=c11", os.path.join(ROOT, "tests", "fixtures", name + ".c"), "-o", out, *flags]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        assert platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc", done.stderr.decode()
        raise Skip("tests/%s.c can't be built here" % name)
    return out


def build_fault():
    """Build the library that makes calls of the C library fail, for LD_PRELOAD."""
    library = build_test_c("fault", "-shared", "-fPIC", "-ldl")
    env = {**os.environ, "LD_PRELOAD": library, "FAULT": "hello"}
    probe = subprocess.run(
        [PROGRAM, "--version"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
    )
    if probe.returncode != 0 or probe.stderr != b"hello\n":
        raise Skip("the program takes no preloaded library (with sanitizers or static it doesn't)")
    return library


def sandbox():
    """Return what the program reports about its sandbox."""
    return run("--version").lines[1].partition(": ")[2]


def layers():
    """Return the layers of the sandbox in the JSON output."""
    words = {"seccomp": "libseccomp", "landlock": "Landlock (version", "limits": "resource limits"}
    return [layer for layer, word in words.items() if word in sandbox()]


def actions(*every):
    """Return what is done to system calls, of these: errors only without AddressSanitizer, whose calls may not fail;
    with KILLS, kills alone."""
    if KILLS:
        return ["signal 9"]
    return [action for action in every if not (sanitized() and action.isdigit())]


def sanitized():
    """Return whether the program is built with AddressSanitizer, which makes system calls itself."""
    with open(PROGRAM, "rb") as f:
        return b"__asan_init" in f.read()
