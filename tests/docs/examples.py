#!/usr/bin/env python3
"""Test examples/remote_curl.c and examples/remote_socket.c with ASan and UBSan, against a server that misbehaves
on demand.

    tests/docs/examples.py [CC]    requires build/asan/libassay.a; reports if pkg-config knows no libcurl

Each misbehaviour of the server must end in the right verdict or message, in bounded time, and the server must not
have sent more than the bound. The files of the corpus must get the verdicts of the manifest.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "program"))
import lib  # noqa: E402
from server import Reply, Server, redirect  # noqa: E402

SECONDS = 8  # REMOTE_SECONDS of the programs; 60 by default
BUSY = 20  # more seconds for a busy or slow machine
GUESS = 65536
BUFFERS = 1 << 20  # bytes that the system accepts from a server though nobody reads them
FLAGS = "-std=c11 -g -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsanitize=address,undefined".split()
SMALL = lib.frame(lib.header([("a", lib.tensor(0, 4))]), b"\0" * 4)
LARGE = lib.frame(lib.header([("tensor.%d" % k, lib.tensor(4 * k, 4 * k + 4)) for k in range(4000)]), b"\0" * 16000)
BROKEN = SMALL[:-1]
OTHER = lib.frame(lib.header([("tensor.%d" % k, lib.tensor(4 * k, 4 * k + 4)) for k in range(3000)]), b"\0" * 12000)
NEVER = {"endless": True, "length": 10**12}

NOT_GIVEN, RANGE = "did not send the file", "a different range, or none"
SIZE, SHORT = "does not report the size of the file", "too early"
# The response of the server; exit status and a part of the message: of both programs, or of the one with curl and of
# the other.
CASES = [
    ("small", [Reply(SMALL)], 0, "valid: 1 tensors, file of %d bytes" % len(SMALL)),
    ("large", [Reply(LARGE)], 0, "valid: 4000 tensors, file of %d bytes" % len(LARGE)),
    ("broken", [Reply(BROKEN)], 1, "invalid: status 60 at byte %d" % len(BROKEN)),
    ("empty", [Reply(b"")], 1, "invalid: status 32 at byte 0"),
    ("empty, ranges ignored", [Reply(b"", ranges="ignore")], 1, "invalid: status 32 at byte 0"),
    ("a terabyte", [Reply(SMALL, size=1 << 40)], 1, "invalid: status 62"),
    ("ranges ignored", [Reply(LARGE, ranges="ignore", size=1 << 40)], 1, "invalid: status 62"),
    ("ranges refused", [Reply(SMALL, ranges="refuse")], 2, "HTTP status 416"),
    ("multipart", [Reply(SMALL, ranges="multipart")], 2, SIZE),
    ("shift", [Reply(SMALL, ranges="shift")], 2, RANGE),
    ("shift, hidden", [Reply(SMALL, ranges="shift-hidden")], 2, SHORT),
    ("more than requested", [Reply(LARGE, ranges="more")], 0, "valid: 4000 tensors"),
    ("fewer than requested", [Reply(LARGE, ranges="fewer")], 2, SHORT),
    ("total too small", [Reply(SMALL, total=len(SMALL) - 1)], 2, RANGE),
    ("total too large", [Reply(LARGE, total=len(LARGE) + 1)], 1, "invalid: status 62"),
    ("total not stated", [Reply(SMALL, total="*")], 2, RANGE),
    ("total no number", [Reply(SMALL, total="-1")], 2, RANGE),
    ("total above 2^64", [Reply(SMALL, total=1 << 64)], 2, RANGE),
    ("no Content-Range", [Reply(SMALL, content_range=False)], 2, SIZE),
    ("206 unasked", [Reply(SMALL, status=206, content_range="bytes 8-9/10")], 2, RANGE),
    ("no length", [Reply(SMALL, ranges="ignore", length=False)], 2, SIZE),
    ("length no number", [Reply(SMALL, ranges="ignore", length="-1")], 2, ("", "length that is none")),
    ("length too small", [Reply(SMALL, ranges="ignore", length=7)], 1, "invalid: status 32 at byte 7"),
    ("length too large", [Reply(SMALL, ranges="ignore", length=99999)], 2, ("partial file|transferred", SHORT)),
    ("two lengths", [Reply(SMALL, headers=[("Content-Range", "bytes 0-64/66")])], 2, "two lengths"),
    ("chunked", [Reply(SMALL, chunked=True)], (0, 2), ("valid: 1 tensors", "chunks")),
    ("chunked, no number", [Reply(SMALL, chunked="bad")], 2, ("", "chunks")),
    ("chunked, cut", [Reply(LARGE, chunked="cut", ranges="ignore")], 2, (SIZE, "chunks")),
    ("chunked, huge", [Reply(SMALL, chunked="huge")], 2, ("", "chunks")),
    ("gzip", [Reply(SMALL, encoding="gzip")], 2, "encodes the file"),
    ("gzip, hidden", [Reply(LARGE, encoding="gzip-hidden")], 1, "invalid: status 34"),
    ("gzip, endless", [Reply(SMALL, encoding="gzip-bomb")], 2, "encodes the file"),
    ("cut", [Reply(LARGE, cut=100)], 2, ("partial file|transferred", SHORT)),
    ("cut after the head", [Reply(LARGE, cut=GUESS), Reply(LARGE, cut=len(LARGE) - 16000)], 0, "valid: 4000 tensors"),
    ("reset", [Reply(LARGE, reset=100)], 2, ""),
    ("reset at once", [Reply(LARGE, reset=0)], 2, ""),
    ("closed before the status", [Reply(close=True)], 2, ("", "ends the connection")),
    ("endless", [Reply(SMALL, **NEVER, ranges="ignore")], 1, "invalid: status 62"),
    ("endless, no length", [Reply(SMALL, endless=True, ranges="ignore")], 2, SIZE),
    ("silent", [Reply(silent=True)], 2, ("imeout", "too slow")),
    ("stalled", [Reply(LARGE, stall=1000)], 2, ("imeout", "too slow")),
    ("a byte a time", [Reply(SMALL, pace=0.2)], 2, ("imeout", "too slow")),
    ("slow head", [Reply(SMALL, head_pace=0.2)], 2, ("imeout", "too slow")),
    ("endless fields", [Reply(SMALL, endless_head=True)], 2, "fields do not end"),
    ("endless field", [Reply(SMALL, endless_head="line")], 2, ""),
    ("endless continue", [Reply(SMALL, endless_head="100")], 2, NOT_GIVEN),
    ("HTTP/1.0", [Reply(SMALL, version="HTTP/1.0")], 0, "valid: 1 tensors"),
    ("no HTTP", [Reply(raw=b"SSH-2.0-x\r\n")], 2, ""),
    ("no HTTP, zeros", [Reply(raw=b"\0" * 200000)], 2, ""),
    ("control characters", [Reply(status=500, reason="\x1b[2J", headers=[("X", "\x1b[2J")])], 2, NOT_GIVEN),
    ("no field", [Reply(SMALL, headers=[("", "x")])], (2, 0), ("eird server reply", "valid: 1 tensors")),
    ("not found", [Reply(b"no", status=404)], 2, "HTTP status 404"),
    ("not found, endless", [Reply(b"no", status=404, **NEVER)], 2, "HTTP status 404"),
    ("changes", [Reply(LARGE), Reply(OTHER)], 0, "valid: 3000 tensors"),
    ("changes to a smaller one", [Reply(LARGE), Reply(SMALL)], 0, "valid: 1 tensors"),
    ("changes for ever", [Reply(lib.frame(b"", length=GUESS << k), size=1 << 40) for k in range(8)], 2, "changes all"),
    ("redirect", [redirect("/small?of=1")], (0, 2), ("valid: 1 tensors", "HTTP status 302")),
    ("redirect to itself", [redirect("/case")], 2, ("redirects for ever", "HTTP status 302")),
    ("redirect to a file", [redirect("file:///etc/passwd")], 2, ("nsupported protocol", "HTTP status 302")),
    ("redirect to FTP", [redirect("ftp://127.0.0.1/")], 2, ("nsupported protocol", "HTTP status 302")),
    ("redirect, endless", [redirect("/small", **NEVER)], 2, "HTTP status 302"),
]


def build(compiler, work):
    """Return {name: program} of the programs that can be built."""
    programs, seconds = {}, "-DREMOTE_SECONDS=%d" % SECONDS
    words = ["pkg-config", "--cflags", "--libs", "libcurl"]
    found = subprocess.run(words, stdout=subprocess.PIPE, check=False, text=True)
    for name, flags in (("curl", found.stdout.split() if found.returncode == 0 else None), ("socket", [])):
        if flags is None:
            print("skipped: examples/remote_curl.c: pkg-config knows no libcurl")
            continue
        out = programs[name] = os.path.join(work, name)
        source = "examples/remote_%s.c" % name
        subprocess.run([compiler, *FLAGS, seconds, "-Iinclude", source, "build/asan/libassay.a", *flags, "-o", out],
                       cwd=ROOT, check=True)
    return programs


def run(program, url):
    before = time.monotonic()
    try:
        done = subprocess.run([program, url], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=lib.LIMIT,
                              stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        return None, "nothing: it did not end", lib.LIMIT
    lib.safe(done.stdout.decode())
    return done.returncode, done.stdout.decode(), time.monotonic() - before


def check(which, program, name, answers, status, said):
    """Return what is wrong with the end of a program; None: nothing."""
    status, said = (value if isinstance(value, tuple) else (value, value) for value in (status, said))
    status, said = status[which], said[which]
    with Server() as server:
        server.put("/small", Reply(SMALL))
        server.put("/case", *answers)
        ended, out, seconds = run(program, server.url("/case"))
        most = 4 * GUESS + len(LARGE)
        if ended != status or not any(piece in out for piece in said.split("|")) or out.count("\n") != 1:
            return "exit status %s, and the message: %s" % (ended, out.strip())
        came = int((re.findall(r"(\d+) bytes came", out) or [0])[0])
        if came > most or server.sent > most + BUFFERS or len(server.log) > 8:
            return "%d requests, %d bytes, reported as %d" % (len(server.log), server.sent, came)
        if name in ("small", "large") and came != server.sent:
            return "the program reports %d bytes, the server sent %d" % (came, server.sent)
        return "%.1f s" % seconds if seconds > 3 * SECONDS + BUSY else None


def corpus(program):
    """Check verdict and byte of every fiftieth file of the corpus."""
    with open(os.path.join(ROOT, "corpus", "manifest.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f.read().splitlines()[1::50]]
    faults = []
    with Server() as server:
        for row in rows:
            with open(os.path.join(ROOT, "corpus", row[0]), "rb") as f:
                server.put("/x", Reply(f.read()))
            status, out, _ = run(program, server.url("/x"))
            due = (0, "valid: ") if row[1] == "valid" else (1, "invalid: status %s at byte %s," % (row[2], row[5]))
            if status != due[0] or not out.startswith(due[1]):
                faults.append("%s: %s" % (row[0], out.strip()))
    return len(rows), faults


def certificate(program):
    """Check that a server with an unsigned certificate is not trusted."""
    try:
        with Server(tls=True) as server:
            server.put("/x", Reply(SMALL))
            status, out, _ = run(program, server.url("/x"))
            wrong = status != 2 or "certificate" not in out or server.log
            return ["a certificate that nobody signed: " + out.strip()] if wrong else []
    except lib.Skip as reason:
        print("skipped: the certificate: %s" % reason)
        return None


def main():
    passed, faults = 0, []
    lib.settle()
    with tempfile.TemporaryDirectory() as work:
        programs = build(sys.argv[1] if len(sys.argv) > 1 else "cc", work)
        for name, program in programs.items():
            which = ("curl", "socket").index(name)
            with concurrent.futures.ThreadPoolExecutor(4) as pool:  # most of them mainly wait
                for case, wrong in zip(CASES, pool.map(lambda case: check(which, program, *case), CASES)):
                    passed += wrong is None
                    faults += [] if wrong is None else ["%s: %s: %s" % (name, case[0], wrong)]
            count, wrong = corpus(program)
            passed += count - len(wrong)
            faults += ["%s: %s" % (name, one) for one in wrong]
            wrong = certificate(program) if name == "curl" else None
            passed += wrong == []
            faults += ["curl: " + one for one in wrong or []]
    for fault in faults:
        print("FAILED: " + fault)
    print("%d passed, %d failed" % (passed, len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
