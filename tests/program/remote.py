"""Test assay check on addresses, with servers on the loopback device. Each misbehaviour ends in the right verdict
or a clear error, at a bounded cost, which is printed."""

import os
import time

import lib
from lib import Skip, frame, header, run, tensor
from server import Reply, Server, redirect

FIRST = 49152  # src/remote/fetch_limits.h: REMOTE_FIRST ...
SLOW = 15  # REMOTE_SLOW_SECONDS
HEADS = 2048  # more than the heads of a few responses have
NEAR = 300000  # what a server sends before it notices that nobody reads: buffers of both systems
BUSY = 10  # more seconds for a busy or slow machine: fewer than SLOW, so that an extra stall is detected


def supported():
    if "libcurl" not in run("--version").out.partition("addresses: ")[2].partition("none")[0]:
        raise Skip("built without libcurl")


def small(data=None, name="a"):
    """Return a file of a few bytes."""
    return frame(header([(name, tensor(0, 4))]), b"\0\0\0\0" if data is None else data)


def large(count=900, size=1 << 33, first=0):
    """Return the head of a file whose header is longer than the first request, and the size of the file."""
    step = size // count
    rows = [("model.layers.%d.mlp.weight" % i, tensor(i * step, (i + 1) * step)) for i in range(count)]
    body = frame(header(rows[first:] + rows[:first]))
    assert FIRST < len(body) < 2 * FIRST, len(body)
    return body, len(body) + count * step


BODY, SIZE = large()
OTHER = large(first=450)[0]  # the beginning of one and the end of the other have duplicate names
assert len(OTHER) == len(BODY)
RANGE = "byte ranges contradict each other"
VALID = "900 tensors, "


def environment(**more):
    """Return an environment without the user's files of the Hub; lib.settle has removed the variables."""
    return {**os.environ, "HOME": os.getcwd(), **more}


def check(*urls, jobs=8, **env):
    """Return the records, in order, and the run."""
    result = run("check", "--format", "jsonl", "-j", str(jobs), *urls, env=environment(**env))
    records = result.jsonl()
    return records, result


# ---- Every way of being wrong: its answers, then what is said, the most bytes, requests and seconds

def good(**how):
    return Reply(BODY, size=SIZE, **how)


def changing(same=False, **how):
    """Return another file of the same size from the second request on. same: its state is reported as unchanged."""
    later = {} if same else {k: v for k, v in {"etag": '"12"', "modified": NEXT}.items() if k in how}
    return [good(**how), Reply(OTHER, size=SIZE, **{**how, **later})]


def cut_once(at, **how):
    return [good(cut=at, **how), good(**how)]


NO_ETAG = "no ETag, no date: the second request fetches all of it again"
GONE = "only Last-Modified"
DAY = "Sat, 21 Nov 2026 10:00:00 GMT"
NEXT = "Sat, 21 Nov 2026 10:00:01 GMT"
NOW = [("Date", NEXT)]
ALL = len(BODY) + HEADS
WAYS = [
    # name, responses, message, bytes fetched, requests, seconds
    ("good", [good(etag='"1"')], VALID, ALL, 2, 3),
    (GONE, [good(modified=DAY, headers=NOW)], VALID, ALL, 2, 3),
    (NO_ETAG, [good()], VALID, ALL + FIRST, 2, 3),
    ("only a weak ETag", [good(etag='W/"1"')], VALID, ALL + FIRST, 2, 3),
    ("small", [Reply(small())], "1 tensor, ", HEADS, 1, 3),
    ("small, invalid", [Reply(small(b"\0" * 3))], "rule G3", HEADS, 1, 3),
    ("small, long data", [Reply(small(), size=1 << 40)], "rule G5", FIRST + HEADS, 1, 3),
    ("empty", [Reply(b"")], "rule F1", HEADS, 1, 3),
    ("empty, ranges ignored", [Reply(b"", ranges="ignore")], "rule F1", HEADS, 1, 3),
    ("seven bytes", [Reply(b"\x01" * 7)], "rule F1", HEADS, 1, 3),
    ("another kind", [Reply(b"\x80\x04\x95" + bytes(90000))], "pickle", FIRST + HEADS, 1, 3),
    ("header of 2^62", [Reply(b"\0" * 7 + b"\x40", size=1 << 62)], "rule F2", FIRST + HEADS, 1, 3),
    ("header of 99 MB, not there", [Reply(b"\0\xe0\xf5\x05" + bytes(96))], "rule F3", HEADS, 1, 3),
    ("ranges ignored", [good(ranges="ignore")], VALID, ALL + 16384, 1, 3),
    ("ranges ignored, no length", [good(ranges="ignore", length=False)], "does not report the size of the file",
     HEADS + 16384, 1, 3),
    ("ranges ignored, chunked", [good(ranges="ignore", chunked=True)], "does not report the size of the file",
     HEADS + 16384, 1, 3),
    ("ranges refused", [good(ranges="refuse")], "does not send part of the file", HEADS, 1, 3),
    ("multipart", [good(ranges="multipart")], RANGE, HEADS + 16384, 1, 3),
    ("a byte later, declared", [good(ranges="shift")], RANGE, HEADS + 16384, 1, 3),
    ("a byte later, to the end", [Reply(small(), ranges="shift")], RANGE, HEADS, 1, 3),
    ("a byte later, hidden", [good(ranges="shift-hidden", etag='"1"')], "invalid", 2 * ALL, 2, 3),
    ("more than requested", [good(ranges="more")], RANGE, HEADS + 16384, 1, 3),
    ("fewer than requested", [good(ranges="fewer", etag='"1"')], VALID, ALL + 20 * 512, 22, 3),
    ("fewer, no ETag", [good(ranges="fewer")], "too many pieces", 60 * ALL, 40, 5),
    ("total too large", [Reply(small(), total=1 << 30, etag='"1"')], "changed", 20 * HEADS, 12, 5),
    ("total of 2^64 - 1", [good(total=(1 << 64) - 1)], "impossible file size", HEADS + 16384, 1, 3),
    ("total of 2^64", [good(total=1 << 64)], RANGE, HEADS + 16384, 1, 3),
    ("total below the range", [good(total=100)], RANGE, HEADS + 16384, 1, 3),
    ("total unknown", [good(total="*")], "does not report the size of the file", HEADS + 16384, 1, 3),
    ("total changes", [good(etag='"1"'), good(etag='"1"', total=SIZE + 1)], "rule G5", 3 * ALL, 4, 5),
    ("no Content-Range", [good(content_range=False)], RANGE + "|does not report the size", HEADS + 16384, 1, 3),
    ("a range turned round", [good(content_range="bytes 9-0/77")], RANGE, HEADS + 16384, 1, 3),
    ("a range of words", [good(content_range="bytes all/some")], RANGE, HEADS + 16384, 1, 3),
    ("a range twice", [good(headers=[("Content-Range", "bytes 0-1/2")])], RANGE, HEADS + 16384, 1, 3),
    ("length too large", [good(length=FIRST + 9)], "a different number of bytes", HEADS + 16384, 1, 3),
    ("length too small", [good(length=9)], "a different number of bytes", HEADS + 16384, 1, 3),
    ("length twice", [good(ranges="ignore", headers=[("Content-Length", "77")])], "a different number|not valid HTTP",
     HEADS + 16384, 1, 3),
    ("length of words", [good(ranges="ignore", length="many")], "a different number|not valid HTTP",
     HEADS + 16384, 1, 3),
    ("length of 2^63", [good(ranges="ignore", length=1 << 63)], "impossible file size|not valid HTTP",
     HEADS + 16384, 1, 3),
    ("length below 0", [good(ranges="ignore", length="-1")], "a different number|not valid HTTP", HEADS + 16384, 1, 3),
    ("endless", [good(endless=True, ranges="ignore")], "does not report the size of the file", HEADS + 16384, 1, 3),
    ("endless range", [good(endless=True, etag='"1"')], "a different number of bytes", ALL + 16384, 2, 3),
    ("endless, declared", [good(endless=True, ranges="ignore", length=SIZE)], VALID, ALL + 16384, 1, 3),
    ("cut once", cut_once(1000, etag='"1"'), VALID, ALL + HEADS, 3, 5),
    ("cut once, no ETag", cut_once(1000), VALID, ALL + FIRST + HEADS, 3, 5),
    ("cut always", [good(cut=1000, etag='"1"')], "connection broke|too many pieces", ALL + 40 * HEADS, 40, 60),
    ("cut before the body", [good(cut=0, etag='"1"')], "connection broke", 5 * HEADS, 5, 12),
    ("reset once", [good(reset=1000, etag='"1"'), good(etag='"1"')], VALID, ALL + HEADS, 3, 5),
    ("reset always", [good(reset=0)], "connection broke", 5 * HEADS, 5, 12),
    ("closed before the answer", [good(close=True)], "connection broke", 5 * HEADS, 5, 12),
    ("chunked range", [good(chunked=True, etag='"1"')], VALID, ALL, 2, 3),
    ("chunks of words", [good(chunked="bad")], "not valid HTTP|connection broke", 6 * ALL, 6, 12),
    ("chunks cut", [good(chunked="cut", etag='"1"')], VALID, ALL, 2, 3),
    ("a chunk of 2^64 - 1", [good(chunked="huge", etag='"1"')], "a different number|not valid HTTP|connection broke",
     2 * ALL, 6, 12),
    ("silent", [good(silent=True)], "too slow", 1, 2, 2 * SLOW + 3),
    ("a stall", [good(stall=1000)], "too slow", ALL, 2, 2 * SLOW + 3),
    ("a byte now and then", [good(pace=0.2, etag='"1"')], "too slow", ALL, 3, 3 * SLOW + 3),
    ("a head byte now and then", [good(head_pace=0.2)], "too slow", HEADS, 2, 2 * SLOW + 3),
    ("slow to begin", [good(silent=3, etag='"1"')], VALID, ALL, 2, 10),
    ("endless head", [good(endless_head=True)], "too many or too long header", 1 << 17, 1, 5),
    ("endless field", [good(endless_head="line")], "too many or too long header", 1 << 17, 1, 5),
    ("endless 100", [good(endless_head="100")], "too many or too long header", 1 << 17, 1, 5),
    ("gzip", [good(encoding="gzip")], "compressed", HEADS + 16384, 1, 3),
    ("gzip, not declared", [Reply(BODY, encoding="gzip-hidden")], "gzip", FIRST + HEADS, 1, 3),
    ("gzip bomb", [good(encoding="gzip-bomb")], "compressed", HEADS + 16384, 1, 3),
    ("an encoding of the transfer", [good(headers=[("Transfer-Encoding", "gzip, chunked")])],
     "compressed|not valid HTTP|connection broke", HEADS + 16384, 6, 12),
    ("no HTTP", [good(raw=b"SSH-2.0-OpenSSH_9.2\r\n")], "not valid HTTP", HEADS, 1, 3),
    ("a status of words", [good(raw=b"HTTP/1.1 fine\r\n\r\n")], "not valid HTTP|did not send", HEADS, 1, 3),
    ("control bytes", [good(status=500, reason="\x1b]0;x\x07\x1b[31m")], "busy (status 500)", 5 * 4 * 16384, 5, 12),
    ("changes, ETag", changing(etag='"1"'), VALID, 3 * ALL, 4, 5),
    ("changes, date", changing(modified=DAY, headers=NOW), VALID, 3 * ALL, 4, 5),
    ("changes within the second", changing(modified=NEXT, same=True, headers=NOW), VALID, 3 * ALL, 4, 5),
    ("changes, no date of the answer", changing(modified=DAY, same=True), VALID, 3 * ALL, 4, 5),
    ("changes, neither", changing(), VALID, 3 * ALL, 3, 5),
    ("changes, If-Range ignored", [good(etag='"1"'), Reply(OTHER, size=SIZE, etag='"1"', headers=[("ETag", '"2"')])],
     VALID, 4 * ALL, 5, 5),
    ("missing", [Reply(b"no", status=404)], "no such file", HEADS, 1, 3),
    ("missing, endless page", [Reply(b"no", status=404, endless=True)], "no such file", 4 * 16384, 1, 3),
    ("forbidden", [Reply(b"no", status=403)], "denies access", HEADS, 1, 3),
    ("teapot", [Reply(b"no", status=418)], "did not send the file (status 418)", HEADS, 1, 3),
    ("no content", [Reply(b"", status=204)], "did not send the file (status 204)", HEADS, 1, 3),
    ("busy, then fine", [Reply(status=503), Reply(status=429, headers=[("Retry-After", "1")]), good(etag='"1"')], VALID,
     ALL + HEADS, 4, 6),
    ("busy always", [Reply(status=502)], "busy (status 502)", 5 * HEADS, 5, 12),
    ("busy for an hour", [Reply(status=429, headers=[("Retry-After", "3600")])], "asks for a retry in 3600 seconds",
     HEADS, 1, 3),
    ("busy for ever", [Reply(status=429, headers=[("Retry-After", "9" * 30)])], "busy", 5 * HEADS, 5, 12),
]


def judged(way, record, server, path):
    """Print the cost of a case, and return its faults."""
    name, _, message, most, requests, seconds = way
    cost, sent = record["fetched"] or {"bytes": 0, "requests": 0, "seconds": 0}, server.asked(path)
    print("    %-38s %-7s %8d bytes, %8d sent, %2d requests, %5.1f s" % (
        name, record["verdict"], cost["bytes"], sum(one.sent for one in sent), cost["requests"], cost["seconds"]))
    told = record["verdict"] + " " + record["message"]
    wrong = [] if any(word in told for word in message.split("|")) else ["verdict"]
    wrong += ["bytes"] * (cost["bytes"] > most) + ["requests"] * (not 1 <= cost["requests"] <= requests)
    wrong += ["seconds"] * (cost["seconds"] > seconds + BUSY)
    wrong += ["log"] * (len(sent) > 3 * requests)  # libcurl repeats some
    wrong += ["sent"] * (sum(one.sent for one in sent) > most + NEAR * len(sent))
    wrong += ["encoding"] * any(one.headers.get("accept-encoding") != "identity" for one in sent)
    wrong += ["token"] * any("authorization" in one.headers for one in sent)
    return [(name, wrong, record["message"], cost)] if wrong else []


def test_every_way_of_being_wrong():
    supported()
    with Server() as server:
        urls = []
        for i, (_, answers, *_) in enumerate(WAYS):
            server.put("/%d.safetensors" % i, *answers)
            urls.append(server.url("/%d.safetensors" % i))
        start = time.monotonic()
        records, result = check(*urls, jobs=64)
        print("    all: %.1f s" % (time.monotonic() - start))
        assert result.status == 1 and result.err == "" and len(records) == len(WAYS), (result.status, result.err)
        wrong = [w for i, way in enumerate(WAYS) for w in judged(way, records[i], server, "/%d.safetensors" % i)]
        assert not wrong, wrong
        assert server.most <= 64 + 64, server.most


# ---- Where an address leads

def chain(server, count):
    """Return the address of that many redirections, with a file at their end."""
    for i in range(count):
        server.put("/r%d" % i, redirect("/r%d" % (i + 1)))
    server.put("/r%d" % count, Reply(small()))
    return server.url("/r0")


def test_redirections():
    supported()
    with Server() as server, Server(tls=True) as safe:
        where = {
            "/to": (server.url("/fine", host="localhost"), "valid"),
            "/query": ("/fine?a=b&c=%20#part", "valid"),
            "/loop": ("/loop", "more than 10"),
            "/file": ("file:///etc/passwd", "an address that is refused"),
            "/gopher": ("gopher://127.0.0.1:%d/_x" % server.port, "an address that is refused"),
            "/data": ("data:text/plain,x", "an address that is refused"),
            "/password": ("http://me:secret@127.0.0.1:%d/fine" % server.port, "an address that is refused"),
            "/nowhere": ("http://", "an address that is refused"),
            "/control": ("http://127.0.0.1:%d/\x1b[31mx" % server.port, "error"),
            "/long": ("/" + "x" * 20000, "error"),
        }
        server.put("/fine", Reply(small()))
        for path, (to, _) in where.items():
            server.put(path, redirect(to))
        server.put("/none", Reply(status=302))
        safe.put("/down", redirect(server.url("/fine")))
        safe.put("/up", Reply(small()))
        server.put("/up", redirect(safe.url("/up")))
        urls = [server.url(path) for path in where] + [server.url("/none"), server.url("/up"), safe.url("/down")]
        said = [said for _, said in where.values()] + ["an address that is refused", "valid", "from https to http"]
        before = len(server.asked("/fine"))
        records, _ = check(*urls, CURL_CA_BUNDLE=safe.authority)
        for record, words in zip(records, said):
            assert words in record["verdict"] + " " + record["message"], (record["path"], record["message"])
            assert record["fetched"]["requests"] <= 11 and record["fetched"]["bytes"] < 32768, record
        assert len(server.asked("/fine")) == before + 2, "one from each of the two that are fine"
        assert check(chain(server, 10))[0][0]["verdict"] == "valid"
        server.put_prefix("/x", lambda request: redirect(request.path + "x"))
        assert "more than 10" in check(server.url("/x"))[0][0]["message"]


def test_addresses():
    supported()
    for address, words in (
        ("http://me:secret@127.0.0.1:1/x", "a user name or password"),
        ("https://me@127.0.0.1:1/x", "a user name or password"),
        ("http://", "not an address"),
        ("http:///x", "not an address"),
        ("https://\u00fc.example/\u00fc", "not an address"),
        ("http://127.0.0.1:1/a b", "not an address"),
        ("http://127.0.0.1:1/" + "x" * 9000, "not an address"),
        ("http://127.0.0.1:99999/x", "not an address"),
        ("http://[::1/x", "not an address"),
        ("hf://", "not an address"),
        ("hf://model", "not an address"),
        ("hf://o/m/../../x", "not an address"),
        ("hf://o/m//x", "not an address"),
        ("hf://o/m@/x", "not an address"),
        ("hf://o\\/m/x", "not an address"),
        ("hf://.o/m/x", "not an address"),
    ):
        result = run("check", "--format", "jsonl", address, env=environment())
        record = result.jsonl()[0]
        assert (result.status, record["verdict"]) == (2, "error") and words in record["message"], (address, record)
        assert "secret" not in record["message"], record
    for path in ("http:/x", "./https://x/y"):
        assert "can't be opened" in run("check", path).out, path
    for path in ("ftp://127.0.0.1/x", "file:///etc/passwd"):
        assert "addresses of this kind are not supported" in run("check", path).out, path


def test_edit_names_what_to_do_instead():
    with Server() as server:
        server.put_prefix("/", Reply(small()))
        for address in (server.url("/x"), "https://127.0.0.1:1/x", "hf://o/m", "HF://o/m@main/x.safetensors"):
            result = run("edit", "--clear", address, env=environment(HF_ENDPOINT=server.url("")))
            assert (result.status, result.out) == (2, ""), (result.status, result.out)
            assert result.err.startswith(address + ": error: this command can't read a remote file"), result.err
            assert "`assay meta ADDRESS`" in result.err and "download" in result.err, result.err
        assert server.log == [], "nothing is requested"


def test_certificates_are_checked():
    supported()
    with Server(tls=True) as server:
        server.put("/a", Reply(small()))
        url = server.url("/a")
        lib.write(".curlrc", b"insecure\n")
        record = check(url, CURL_HOME=os.getcwd())[0][0]
        assert record["verdict"] == "error" and "can't be trusted" in record["message"], record
        assert check(url, CURL_CA_BUNDLE=server.authority)[0][0]["verdict"] == "valid"
        assert check(url, SSL_CERT_FILE=server.authority)[0][0]["verdict"] == "valid"
        assert "can't be trusted" in check(url, CURL_CA_BUNDLE="missing.pem")[0][0]["message"]
        other = "https://127.0.0.2:%d/a" % server.port  # no name of the certificate
        assert check(other, CURL_CA_BUNDLE=server.authority)[0][0]["verdict"] == "error"
        for option in ("-k", "--insecure"):
            assert run("check", option, url).status == 2
        assert not [one for one in server.log if one.path != "/a"]


def test_proxies():
    supported()
    with Server() as proxy:
        proxy.put("/far.safetensors", Reply(small()))
        where = "http://127.0.0.1:%d" % proxy.port
        record = check("http://model.invalid/far.safetensors", http_proxy=where)[0][0]
        assert record["verdict"] == "valid" and proxy.log[0].target.startswith("http://model.invalid/"), record
        assert check(proxy.url("/far.safetensors"), http_proxy="http://127.0.0.1:1", no_proxy="127.0.0.1")[0][0][
            "verdict"] == "valid"
        record = check("https://model.invalid/x", https_proxy=where)[0][0]  # CONNECT is answered by 404
        assert record["verdict"] == "error" and record["fetched"]["requests"] <= 5, record


def test_sarif_has_the_address():
    supported()
    with Server() as server:
        server.put_prefix("/", Reply(small(b"")))
        url = server.url("/a%20b.safetensors?x=%3A&y=[1]")
        log = lib.run("check", "--format", "sarif", url, "c:d", env=environment()).json()
        (result,), (invocation,) = log["runs"][0]["results"], log["runs"][0]["invocations"]
        (place,) = result["locations"]
        assert place["logicalLocations"][0] == {"kind": "resource", "fullyQualifiedName": url}, place
        assert "physicalLocation" not in place and result["properties"]["byteOffset"] > 0, result
        (notice,) = invocation["toolExecutionNotifications"]
        assert notice["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "c%3Ad"}, notice
