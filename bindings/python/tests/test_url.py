"""Addresses, from a server on this machine."""
import http.client
import http.server
import ipaddress
import os
import re
import socket
import threading
import time

import pytest

import assay
from assay import _addresses, _http, _url
from conftest import header_of

SERVERS = os.environ.get("SERVERS", "")  # of the program's tests


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends `files`, in the way that the first part of the path names."""

    files, requests, paths, passwords = {}, [], [], []

    def do_GET(self):
        self.paths.append(self.path)
        self.passwords.append(self.headers["Proxy-Authorization"])
        if not self.path.startswith("/"):  # for a proxy
            way = self.path.split("/")[-2]
            return self.answer("range" if way != "inward" else way, self.path.split("//")[1])
        return self.answer(*self.path.split("/", 2)[1:])

    def answer(self, way, name):
        if way == "chain":
            first, _, rest = name.partition("|")
            self.send_response(302)
            self.send_header("Location", first + ("chain/" + rest if rest.count("|") else rest[1:]) if rest else first)
            self.end_headers()
            return None
        data = self.files.get(name)
        if data is None:
            return self.send_error(404)
        asked = re.match(r"bytes=(\d+)-(\d+)", self.headers["Range"])
        begin, end = int(asked[1]), min(int(asked[2]) + 1, len(data))
        self.requests.append((begin, end))
        if way in ("redirect", "elsewhere", "inward"):
            self.send_response(302)
            self.send_header("Location", {"redirect": "/range/", "elsewhere": "ftp://127.0.0.1/", "inward":
                                          "http://127.0.0.1:%d/range/" % self.server.server_port}[way]
                             + (name if way != "inward" else "small"))
            self.end_headers()
            return None
        if begin >= len(data):
            self.send_response(416)
            self.send_header("Content-Range", "bytes */%d" % len(data))
            self.end_headers()
            return None
        if way in ("whole", "tagged"):
            self.send_response(200)
            if way == "tagged":
                self.send_header("ETag", '"1"')
            begin, end = 0, len(data)
        else:
            self.send_response(206)
            shown = begin + 1 if way == "other" else begin
            self.send_header("Content-Range", "bytes %d-%d/%d" % (shown, end - 1, len(data) + (way == "larger" and begin)))
            self.send_header("ETag", '"%s"' % (begin if way == "changes" else 1))
        body = data[begin:end]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:-1] if way == "short" else body)
        return None

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    server = http.server.ThreadingHTTPServer(("", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    small = header_of([("a", "U8", [3], 0, 3)]) + b"abc"
    many = [("tensor.number.%d" % k, "U8", [1], k, k + 1) for k in range(2000)]
    Handler.files = {"small": small, "large": header_of(many) + bytes(2000), "empty": b"", "cut": small[:-1],
                     "page": b"<html>not found</html>"}
    yield "http://127.0.0.1:%d/" % server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_ways(server):
    for name in ("small", "large"):
        right = assay.check(Handler.files[name])
        for way in ("range", "redirect", "whole"):
            report = assay.check_url(server + way + "/" + name)
            assert report.valid and (report.tensors, report.file_bytes) == (right.tensors, right.file_bytes)
    assert assay.check_url(server + "range/large", timeout=None).valid
    Handler.requests.clear()
    assert assay.check_url(server + "range/large").valid
    assert [begin for begin, _ in Handler.requests] == [0, _url.FIRST] and Handler.requests[1][1] < len(Handler.files["large"])


def test_not_judged(server):
    for way in ("other/small", "short/small", "tagged/large", "changes/large", "larger/large", "range/none"):
        report = assay.check_url(server + way)
        assert report.verdict is assay.Verdict.NOT_JUDGED, way
    for url in ("http://127.0.0.1:1/x", "hf://model.safetensors", "nothing://x", "http://[", "http://127.0.0.1:abc/x",
                "https://exa mple/x", "http://127.0.0.1/\n"):
        assert assay.check_url(url).verdict is assay.Verdict.NOT_JUDGED


def test_redirect_to_another_scheme(server):
    assert "redirects to ftp://" in assay.check_url(server + "elsewhere/small").message


# ---- Public addresses ------------------------------------------------------------------------------------------------

@pytest.fixture
def outside(server, monkeypatch):
    """The server at an address that counts as public."""
    monkeypatch.setattr(_addresses, "is_public", lambda address: address == "127.0.0.2")
    return server.replace("127.0.0.1", "127.0.0.2")


def test_public_only(server, outside):
    for url in (server, server.replace("127.0.0.1", "localhost"), server.replace("127.0.0.1", "0x7f.1")):
        report = assay.check_url(url + "range/small", public_only=True)
        assert report.verdict is assay.Verdict.NOT_JUDGED and "not public" in report.message, url
        assert "not public" in assay.check_model_url(url + "range/small", public_only=True).message
        assert assay.check_url(url + "range/small").valid
    assert assay.check_url(outside + "redirect/small", public_only=True).valid


def test_public_only_is_for_our_requests():
    def fetch(url, begin, end):
        raise AssertionError("fetched")
    for report in (assay.check_url("https://a.b/c", fetch=fetch, public_only=True),
                   assay.check_model_url("https://a.b/c", fetch=fetch, public_only=True),
                   assay.check_url("memory://c", public_only=True)):
        assert report.verdict is assay.Verdict.NOT_JUDGED and "public_only is for" in report.message


def test_redirect_inward(server, outside):
    """However many redirections are in between."""
    def to(*urls):
        return "%schain/%s" % (urls[0], "|".join(urls[1:] + ("/range/small",)))
    refused = "redirects to an address that is not public"
    assert refused in assay.check_url(outside + "inward/small").message
    assert refused in assay.check_url(to(outside, outside, server)).message
    assert refused in assay.check_url(to(server, outside, server)).message
    for chain in ((server, server), (server, outside), (outside, outside, outside)):
        assert assay.check_url(to(*chain)).valid, chain


def test_one_message_for_names_of_ones_own(server, outside, monkeypatch):
    """Whoever chooses the address does not learn which names a network has."""
    known = {"own.test": ["127.0.0.1"], "both.test": ["127.0.0.1", "127.0.0.2"], "down.test": ["127.0.0.2"]}

    def resolved(host, port, *rest, **more):
        if host not in known:
            return original(host, port, *rest, **more)
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)) for address in known[host]]

    original = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    port = server.split(":")[2]
    urls = ["http://own.test:%srange/small" % port, "http://down.test:1/x", "http://nx.invalid/x"]
    said = {assay.check_url(url, public_only=True).message for url in urls}
    assert len(said) == 1 and "can't be reached, or its address is not public" in said.pop()
    said = {assay.check_url(outside + "chain/" + url).message for url in urls}
    assert len(said) == 1 and "redirects to another one, which can't be reached" in said.pop()
    assert "refused" in assay.check_url("http://down.test:1/x").message
    for more in ({}, {"public_only": True}):
        assert assay.check_url("http://both.test:%srange/small" % port, **more).valid


def test_https_and_public_only(server, monkeypatch):
    """It is refused before TLS begins; through a proxy, too."""
    assert "the address is not public" in assay.check_url(server.replace("http", "https") + "x", public_only=True).message
    monkeypatch.setenv("https_proxy", server)
    assert "the address is not public" in assay.check_url("https://10.0.0.1/x", public_only=True).message
    assert "Tunnel connection failed" in assay.check_url("https://a.b/x", public_only=True).message


def test_another_http_client(server, monkeypatch):
    """Where it has no place for our choice of the address, nothing is sent."""
    class Other(http.client.HTTPConnection):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            del self._create_connection

    monkeypatch.setattr(http.client, "HTTPConnection", Other)
    Handler.requests.clear()
    assert "takes no addresses from outside" in assay.check_url(server + "range/small").message and not Handler.requests


def test_proxy_and_public_only(server, monkeypatch):
    monkeypatch.setenv("http_proxy", server)
    monkeypatch.setenv("no_proxy", "127.0.0.3")
    monkeypatch.setitem(Handler.files, "a.b/range/small", Handler.files["small"])  # all of the address is in the path
    Handler.requests.clear()
    for host in ("10.0.0.1", "localhost", "printer", "a.internal", "0x7f.1", "[::1]", "127.0.0.3"):
        assert "not public" in assay.check_url("http://%s/range/small" % host, public_only=True).message, host
    assert not Handler.requests
    for host in ("a.b", "A.B", "a.b."):
        monkeypatch.setitem(Handler.files, host + "/range/small", Handler.files["small"])
        assert assay.check_url("http://%s/range/small" % host, public_only=True).valid
        assert assay.check_url("http://%s/range/small" % host).valid


def test_proxy_and_redirections(server, monkeypatch):
    """A redirection from a public name is judged as one from a public address; the proxy's password stays with the proxy."""
    monkeypatch.setenv("http_proxy", server.replace("//", "//user:secret@"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setitem(Handler.files, "a.b/inward/small", Handler.files["small"])
    monkeypatch.setitem(Handler.files, "a/inward/small", Handler.files["small"])
    assert "redirects to an address that is not public" in assay.check_url("http://a.b/inward/small").message
    Handler.passwords.clear()
    assert assay.check_url("http://a/inward/small").valid
    assert [password is None for password in Handler.passwords] == [False, True]


def test_what_a_proxy_gets(server, monkeypatch):
    monkeypatch.setenv("http_proxy", server)
    for url in ("http://a.b?@10.0.0.1/range/small", "http://a.b#@10.0.0.1/range/small", "HTTP://a.b?x#y"):
        Handler.paths.clear()
        assay.check_url(url)
        assert len(Handler.paths) == 1 and re.match(r"http://a\.b(/|\Z)", Handler.paths[0], re.I), Handler.paths


def test_hosts():
    """As for the program (tests/unit/test_ip_range.c)."""
    public = "a.b a.b. A.B huggingface.co x_y.z 8.8.8.8 08.8.8.8 2606:4700::1 256.1.1.1 notlocalhost.com xinternal.com a.localx"
    own = ("a localhost LOCALHOST localhost. a.localhost a.LOCAL a.local a.internal. home.arpa a.home.arpa 127.0.0.1 "
           "127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.1. ::1 ::ffff:10.0.0.1 fe80::1%1 a.b.. a..b a%2eb é.com .").split()
    for host in public.split():
        assert _addresses.may_be_public(host), host
    for host in own + ["", "0x" + "0" * 70 + "7f.1", "0" * 70 + "177.0.0.1", "a." * 130 + "b", "a.b\0", "a b.c"]:
        assert not _addresses.may_be_public(host), host


def test_public_addresses():
    """Their first and last, and the neighbours, as for the program."""
    if not SERVERS:
        pytest.skip("SERVERS is not set: the folder of the program's tests, beside its source")
    with open(os.path.join(SERVERS, "..", "..", "src", "remote", "ip_range.c"), encoding="utf-8") as f:
        networks = [ipaddress.ip_network(text) for text in re.findall(r"/\* ([0-9a-f.:]+/\d+):", f.read())]
    assert len(networks) == 22
    inner = [network for network in networks if str(network) not in ("2000::/3", "::ffff:0.0.0.0/96", "64:ff9b::/96",
                                                                     "::ffff:0:0/96", "2002::/16")]
    for network in inner:
        assert not _addresses.is_public(str(network[0])) and not _addresses.is_public(str(network[-1])), network
    around = {ip + step for network in inner for ip, step in ((network[0], -1), (network[-1], 1))
              if 0 < int(ip) + step < 2**ip.max_prefixlen}
    public = {str(ip) for ip in around if _addresses.is_public(str(ip))}
    assert public == {str(ip) for ip in around if not any(ip in network for network in inner)
                      and (ip.version == 4 or ip in ipaddress.ip_network("2000::/3"))} and len(public) > 20
    for text, expected in (("::ffff:10.0.0.1", False), ("::ffff:8.8.8.8", True), ("64:ff9b::a00:1", False),
                           ("64:ff9b::808:808", True), ("2002:a00:808::", False), ("2002:808:808::1", True), ("::1", False),
                           ("fe80::1%eth0", False), ("fc00::1", False), ("2606:4700::1", True)):
        assert _addresses.is_public(text) == expected, text
    assert not _addresses.is_public(bytes(16))  # of a Python without IPv6


def test_invalid(server):
    assert [assay.check_url(server + "range/" + name).rule for name in ("empty", "cut", "page")] == ["F1", "G3", "F2"]


def test_limits(server):
    Handler.requests.clear()
    report = assay.check_url(server + "range/large", limits=assay.Limits(header_bytes=1000))
    assert report.rule == "N5" and len(Handler.requests) == 1


def test_fetch_of_the_caller():
    data = header_of([("a", "U8", [1], 0, 1)]) + b"x"
    seen = []

    def fetch(url, begin, end):
        seen.append((url, begin, end))
        return data[begin:end], len(data), "1"

    assert assay.check_url("s3://bucket/x", fetch=fetch).valid and seen == [("s3://bucket/x", 0, _url.FIRST)]


def test_hub_addresses():
    def url_of(address):
        return _http.Client().hub_url(*_http.hub_parts(address))
    assert url_of("hf://o/m/a b.safetensors") == "https://huggingface.co/o/m/resolve/main/a%20b.safetensors"
    assert url_of("hf://o/m@refs%2Fpr%2F1/x") == "https://huggingface.co/o/m/resolve/refs%2Fpr%2F1/x"
    assert url_of("hf://o/m@refs/pr/1/x") == "https://huggingface.co/o/m/resolve/refs%2Fpr%2F1/x"
    assert url_of("hf://o/m@v1/d/x") == "https://huggingface.co/o/m/resolve/v1/d/x"
    for address in ("hf://o/m", "hf://o/m@v1", "hf://o/m@refs/pr/1"):
        assert "the address of a model" in assay.check_url(address).message
    for address in ("hf://o", "hf://o/m/../../other/x", "hf://o/../x", "hf://../m/x", "hf://o/m?a/x", "hf://o/m@a%2F../x",
                    "hf://o/m@/x", "hf://o/m/a//x", "hf://o/m@../x"):
        report = assay.check_url(address)
        assert report.verdict is assay.Verdict.NOT_JUDGED and "not the address of a file on the Hub" in report.message


SMALL = header_of([("a", "U8", [3], 0, 3)]) + b"abc"
RANGE = b"Content-Range: bytes 0-%d/%d\r\n" % (len(SMALL) - 1, len(SMALL))
LENGTH = b"Content-Length: %d\r\n" % len(SMALL)
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(SMALL) + SMALL + b"\r\n0\r\n\r\n"
ODD = {
    "it is well": (b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b"\r\n" + SMALL, "valid"),
    "no HTTP": (b"GARBAGE\r\n\r\n", "GARBAGE"),
    "nothing": (b"", "without response"),
    "many fields": (b"HTTP/1.1 200 OK\r\n" + 200 * b"a: b\r\n" + b"\r\n", "100 headers"),
    "a long line": (b"HTTP/1.1 200 " + 70000 * b"x" + b"\r\n\r\n", "65536 bytes"),
    "a broken chunk": (b"HTTP/1.1 206 X\r\n" + RANGE + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", "can't be fetched"),
    "a redirect to no port": (b"HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:abc/\r\nContent-Length: 0\r\n\r\n", "no address"),
    "a line that is no field": (b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b"garbage\r\nContent-Encoding: gzip\r\n\r\n" + SMALL,
                                "malformed"),
    "a space before the colon": (b"HTTP/1.1 206 X\r\n" + RANGE + CHUNKED.replace(b":", b" :", 1), "malformed"),
    "chunks that are none": (b"HTTP/1.1 206 X\r\n" + RANGE + CHUNKED.replace(b"chunked\r", b"chunked \r"), "transfer encoding"),
    "a negative chunk": (b"HTTP/1.1 206 X\r\n" + RANGE + CHUNKED.replace(b"\r\n\r\n", b"\r\n\r\n-5\r\n", 1), "malformed chunks"),
    "two ETags": (b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b'ETag: "1"\r\nETag: "2"\r\n\r\n' + SMALL, "ETag twice"),
    "chunks and a length": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + LENGTH + b"\r\n%x\r\n" % (len(SMALL) + 5)
                            + SMALL + b"zzzzz\r\n0\r\n\r\n", "no ranges"),
    "two lengths": (b"HTTP/1.1 200 OK\r\n" + LENGTH + b"Content-Length: 9999\r\n\r\n" + SMALL, "Content-Length twice"),
    "a range that ends too late": (b"HTTP/1.1 206 X\r\n" + RANGE.replace(b"-%d/" % (len(SMALL) - 1), b"-%d/" % len(SMALL))
                                   + CHUNKED, "another range"),
    "another place": (b"HTTP/1.1 206 X\r\n" + RANGE.replace(b"0-", b"1-") + CHUNKED, "another range"),
    "a range of one byte": (b"HTTP/1.1 206 X\r\nContent-Range: bytes 0-0/%d\r\n" % len(SMALL) + LENGTH + b"\r\n" + SMALL,
                            "another range"),
    "two ranges": (b"HTTP/1.1 206 X\r\n" + RANGE + RANGE.replace(b"0-", b"1-") + LENGTH + b"\r\n" + SMALL, "twice"),
    "compressed on its way": (b"HTTP/1.1 206 X\r\n" + RANGE + b"Transfer-Encoding: gzip\r\n\r\n" + SMALL, "transfer encoding"),
    "two encodings": (b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b"Content-Encoding: identity\r\nContent-Encoding: gzip\r\n\r\n"
                      + SMALL, "twice"),
    "parts": (b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b"Content-Type: Multipart/byteranges; boundary=x\r\n\r\n" + SMALL,
              "several parts"),
    "a long range": (b"HTTP/1.1 206 X\r\nContent-Range: " + 60000 * b"\x80" + b"\r\n" + LENGTH + b"\r\n" + SMALL, "x80..."),
    "compressed": (b"HTTP/1.1 206 X\r\nContent-Encoding: gzip\r\n" + RANGE + LENGTH + b"\r\n" + SMALL, "another encoding"),
}


@pytest.mark.parametrize("what", sorted(ODD))
def test_odd_answers(what):
    """Whatever a server says, the result is a report; what HTTP says to ignore is not believed."""
    answer, says = ODD[what]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def serve():
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)
        thread = threading.Thread(target=serve)
        thread.start()
        report = assay.check_url("http://127.0.0.1:%d/x" % listening.getsockname()[1], timeout=5)
        thread.join()
    assert report.valid == (what == "it is well") and says in str(report), report
    assert report.valid or report.verdict is assay.Verdict.NOT_JUDGED
    assert len(str(report)) < 1000


@pytest.mark.parametrize("begin", [0, 7, None])
def test_a_slow_server(monkeypatch, begin):
    """One byte after the other, each in time: those of the file, of the header, or of what is no line of it yet."""
    monkeypatch.setattr(_http, "WAITS", 1)
    answer = b"HTTP/1.1 206 X\r\n" + RANGE + LENGTH + b"\r\n"
    begin = len(answer) if begin is None else begin
    answer += SMALL
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def serve():
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer[:begin])
                try:
                    for k in range(begin, len(answer)):
                        connection.sendall(answer[k:k + 1])
                        time.sleep(0.05)
                except OSError:
                    pass
        thread = threading.Thread(target=serve)
        thread.start()
        report = assay.check_url("http://127.0.0.1:%d/x" % listening.getsockname()[1], timeout=0.4)
        thread.join()
    assert "took more than 0.4 seconds" in str(report)
