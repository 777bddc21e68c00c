"""Test the server of the tests, tests/program/server.py: each way of being wrong, byte by byte."""

import gzip
import http.client
import json
import socket
import ssl
import time
import urllib.request

import lib
from hub import Hub
from server import Reply, Server, redirect

BODY = bytes(range(256)) * 40


def raw(server, path="/a", fields="", limit=1 << 20, wait=lib.LIMIT):
    """Return the bytes received, up to the end or the limit; "reset", if it ends so; "timeout", if nothing more
    comes."""
    got = b""
    with socket.create_connection((server.host, server.port), timeout=wait) as sock:
        try:
            sock.sendall(("GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n" % (path, fields)).encode())
            while len(got) < limit:
                data = sock.recv(65536)
                if not data:
                    return got, "end"
                got += data
        except ConnectionResetError:
            return got, "reset"
        except socket.timeout:
            return got, "timeout"
    return got, "limit"


def ask(server, path="/a", range=None, **fields):
    """Request by Python's own client; return status, header fields, body."""
    client = http.client.HTTPConnection(server.host, server.port, timeout=lib.LIMIT)
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    client.request("GET", path, headers={**fields, **({"Range": "bytes=" + range} if range else {})})
    answer = client.getresponse()
    body = answer.read()
    client.close()
    return answer.status, answer.headers, body


def put(**how):
    """Return a server with one response."""
    server = Server()
    server.put("/a", Reply(BODY, **how))
    return server


def test_ranges():
    with put(etag='"1"', modified="Mon") as s:
        for asked, first, end in (("0-7", 0, 8), ("8-99", 8, 100), ("10200-", 10200, 10240), ("-5", 10235, 10240),
                                  ("10239-99999", 10239, 10240)):
            status, headers, body = ask(s, range=asked)
            assert (status, body) == (206, BODY[first:end])
            assert headers["Content-Range"] == "bytes %d-%d/10240" % (first, end - 1)
            assert s.log[-1].headers["range"] == "bytes=" + asked and s.log[-1].sent == end - first
        status, headers, body = ask(s, range="10240-")
        assert (status, body, headers["Content-Range"]) == (416, b"", "bytes */10240")
        assert ask(s)[0] == 200 and ask(s)[2] == BODY and ask(s, range="0-1,4-5")[0] == 200
        assert ask(s, range="0-7", If_Range='"1"')[0] == 206 and ask(s, range="0-7", If_Range='"2"')[0] == 200
        assert ask(s, range="0-7", If_Match='"2"')[0] == 412 and ask(s, range="0-7", If_Match='"1"')[0] == 206
        assert ask(s, range="0-7", If_Unmodified_Since="Tue")[0] == 412
        assert s.sent > s.bodies > 3 * len(BODY)


def test_wrong_ranges():
    for how, status, told, body in (
        ({"ranges": "ignore"}, 200, None, BODY),
        ({"ranges": "refuse"}, 416, "bytes */10240", b""),
        ({"ranges": "shift"}, 206, "bytes 5-12/10240", BODY[5:13]),
        ({"ranges": "shift-hidden"}, 206, "bytes 4-11/10240", BODY[5:13]),
        ({"ranges": "more"}, 206, "bytes 4-10239/10240", BODY[4:]),
        ({"ranges": "fewer"}, 206, "bytes 4-7/10240", BODY[4:8]),
        ({"total": 77}, 206, "bytes 4-11/77", BODY[4:12]),
        ({"total": "*"}, 206, "bytes 4-11/*", BODY[4:12]),
        ({"content_range": False}, 206, None, BODY[4:12]),
        ({"content_range": "bytes 0-1/2"}, 206, "bytes 0-1/2", BODY[4:12]),
        ({"size": 99}, 206, "bytes 4-11/99", BODY[4:12]),
        ({"status": 206}, 206, None, BODY),
    ):
        with put(**how) as s:
            got = ask(s, range="4-11")
            assert (got[0], got[1]["Content-Range"], got[2]) == (status, told, body), (how, got)
    with put(ranges="multipart") as s:
        status, headers, body = ask(s, range="4-11")
        assert status == 206 and headers["Content-Type"].startswith("multipart/byteranges")
        assert BODY[4:12] in body and headers["Content-Range"] is None and int(headers["Content-Length"]) == len(body)
    with put(size=1 << 40) as s:
        assert ask(s, range="10236-10243")[2] == BODY[-4:] + bytes(4)


def test_wrong_lengths():
    for how, in_head, body in (
        ({"length": False}, None, BODY),
        ({"length": 5}, b"Content-Length: 5\r\n", BODY),
        ({"length": "-1"}, b"Content-Length: -1\r\n", BODY),
        ({"cut": 100}, b"Content-Length: 10240\r\n", BODY[:100]),
        ({"chunked": True}, b"chunked", b"2800\r\n" + BODY + b"\r\n0\r\n\r\n"),
        ({"chunked": "bad"}, b"chunked", b"xyz\r\n2800\r\n" + BODY + b"\r\n"),
        ({"chunked": "cut"}, b"chunked", b"2800\r\n" + BODY + b"\r\n"),
        ({"encoding": "gzip"}, b"Content-Encoding: gzip\r\n", gzip.compress(BODY, mtime=0)),
        ({"encoding": "gzip-hidden"}, b"Content-Length: ", gzip.compress(BODY, mtime=0)),
    ):
        with put(**how) as s:
            got, end = raw(s)
            assert end == "end" and got.partition(b"\r\n\r\n")[2] == body, how
            assert in_head in got if in_head else b"Content-Length" not in got, how
    with put(chunked=True) as s:
        assert ask(s)[2] == BODY and ask(s, range="0-7")[2] == BODY[:8]
    with put(reset=100) as s:
        got, end = raw(s)
        assert end == "reset" and not got.endswith(BODY), end
    for how in ({"endless": True}, {"encoding": "gzip-bomb"}, {"endless": True, "chunked": True}):
        with put(**how) as s:
            got, end = raw(s, limit=200000)
            assert end == "limit" and b"Content-Length" not in got, how


def test_time():
    with put(stall=100) as s:
        got, end = raw(s, wait=5)
        assert end == "timeout" and got.partition(b"\r\n\r\n")[2] == BODY[:100]
    with put(silent=True) as s:
        assert raw(s, wait=0.3) == (b"", "timeout")
    # Forty bytes have 39 pauses between them; the client does not see the one after the last.
    for how, seconds in (({"silent": 0.4}, 0.4), ({"pace": 0.01}, 39 * 0.01), ({"head_pace": 0.01}, 0.4)):
        with Server() as s:
            s.put("/a", Reply(BODY[:40], **how))
            before = time.monotonic()
            # 39 pauses between forty bytes: 0.39 seconds, and clocks may be slightly fast.
            assert ask(s)[2] == BODY[:40] and time.monotonic() - before > 0.3, how


def test_heads():
    for how, said in (
        ({"version": "HTTP/1.0"}, b"HTTP/1.0 200 OK\r\n"),
        ({"raw": b"SSH-2.0-x\r\n"}, b"SSH-2.0-x\r\n"),
        ({"status": 500, "reason": "\x1b[2J"}, b"HTTP/1.1 500 \x1b[2J\r\n"),
        ({"headers": [("X-A", "\x1b]0;\xff"), ("", "no colon")]}, b"X-A: \x1b]0;\xff\r\nno colon\r\n"),
    ):
        with put(**how) as s:
            got, end = raw(s)
            assert end == "end" and said in got, (how, got[:200])
    with put(close=True) as s:
        assert raw(s) == (b"", "end")
    for kind, twice in ((True, b"X-More: "), ("line", b"xxxxxxxx"), ("100", b"HTTP/1.1 100 Continue\r\n")):
        with put(endless_head=kind) as s:
            got, end = raw(s, limit=100000)
            assert end == "limit" and got.count(twice) > 100 and not got.endswith(BODY), kind


def test_sequences():
    with Server() as s:
        s.put("/a", Reply(status=503), Reply(status=429, headers=[("Retry-After", "1")]), Reply(BODY, etag="x"))
        got = [ask(s) for _ in range(4)]
        assert [status for status, _, _ in got] == [503, 429, 200, 200] and got[1][1]["Retry-After"] == "1"
        assert [request.status for request in s.asked("/a")] == [503, 429, 200, 200]
        s.put("/b", redirect("file:///etc/passwd"))
        assert ask(s, "/b")[1]["Location"] == "file:///etc/passwd"
        s.put_prefix("/r/", lambda request: redirect(request.path + "x"))
        assert ask(s, "/r/x")[1]["Location"] == "/r/xx" and ask(s, "/c")[0] == 404
        s.put("/t", Reply(BODY, token="t"))
        assert ask(s, "/t")[0] == 401 and ask(s, "/t", Authorization="Bearer u")[0] == 403
        assert ask(s, "/t", Authorization="Bearer t")[0] == 200
        s.clear()
        assert s.sent == 0 and s.log == []
    with put() as s:
        client = http.client.HTTPConnection(s.host, s.port)
        for _ in range(3):
            client.request("HEAD", "/a")
            answer = client.getresponse()
            assert answer.read() == b"" and answer.headers["Content-Length"] == "10240"
        assert {request.connection for request in s.log} == {0} and s.most == 1
        client.close()
        with socket.create_connection((s.host, s.port), timeout=lib.LIMIT) as sock:
            sock.sendall(b"HEAD /a HTTP/1.0\r\n\r\n")
            while sock.recv(4096):  # it ends
                pass


def test_hub():
    files = {"model.safetensors": BODY, "config.json": b"{}", "x/y.txt": b"y"}
    with Hub(files, token="secret", page=2) as hub:
        def get(path, token="secret"):
            headers = {"Authorization": "Bearer " + token} if token else {}
            request = urllib.request.Request(hub.endpoint + path, headers=headers)
            return urllib.request.urlopen(request, timeout=lib.LIMIT)

        assert get("/o/m/resolve/main/model.safetensors").read() == BODY and len(hub.cdn.log) == 1
        assert get("/o/m/resolve/%s/x/y.txt" % hub.commit).read() == b"y"
        assert hub.server.log[0].status == 302 and hub.server.log[1].status == 307
        page = get("/api/models/o/m/tree/main?recursive=true")
        names = [entry["path"] for entry in json.load(page)]
        after = page.headers["Link"].partition(">")[0].lstrip("<")
        names += [entry["path"] for entry in json.load(get(after[len(hub.endpoint) :]))]
        assert names == sorted(files)
        hub.instead["x/y.txt"] = Reply(status=503)
        for path, token, status, code in (
            ("/o/m/resolve/main/none", "secret", 404, "EntryNotFound"),
            ("/o/m/resolve/v9/config.json", "secret", 404, "RevisionNotFound"),
            ("/o/n/resolve/main/config.json", "secret", 404, "RepoNotFound"),
            ("/o/m/resolve/main/config.json", None, 401, "RepoNotFound"),
            ("/o/m/resolve/main/x/y.txt", "secret", 503, None),
        ):
            try:
                get(path, token)
                raise AssertionError(path)
            except urllib.error.HTTPError as error:
                assert (error.code, error.headers["X-Error-Code"]) == (status, code), path


def test_tls():
    with Server(tls=True) as s:
        s.put("/a", Reply(BODY))
        good = ssl.create_default_context(cafile=s.authority)
        for host in ("127.0.0.1", "localhost"):
            assert urllib.request.urlopen(s.url("/a", host), context=good).read() == BODY
        try:
            urllib.request.urlopen(s.url("/a"), context=ssl.create_default_context())
            raise AssertionError("a certificate that nobody signed")
        except urllib.error.URLError as error:
            assert isinstance(error.reason, ssl.SSLCertVerificationError)
