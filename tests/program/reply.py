"""The responses of tests/program/server.py: correct, or wrong in a chosen way.

    Reply(body, etag='"1"')                  honours ranges
    Reply(body, ranges="ignore", cut=100)    200 and the whole, of which 100 bytes come

The ways can be combined as far as that makes sense. raw= sends any other bytes.
"""

import base64
import gzip
import itertools
import zlib
from http.client import responses

BLOCK = 16384
BOUNDARY = "THIS_STRING_SEPARATES"
HOW = {
    "status": None,  # None: 200, 206, 416 or 412, as appropriate. A number: that, with all of the body
    "reason": None,  # of the status line; control characters allowed
    "version": "HTTP/1.1",  # HTTP/1.0 closes
    "headers": (),  # more (name, value), sent unchanged; without a name the value is a line
    "etag": None,
    "modified": None,  # Last-Modified
    "size": None,  # the size of the file: zeros follow the body
    "ranges": "honour",  # ignore, refuse, multipart, shift, shift-hidden, more, fewer: see `choose`
    "total": None,  # in Content-Range, instead of the size
    "content_range": None,  # a str instead of it; False: none
    "length": None,  # Content-Length: a number or str instead of it; False: none, the close ends the body
    "chunked": False,  # True, or bad, cut, huge: see `chunks`
    "encoding": None,  # gzip; gzip-hidden: not declared; gzip-bomb: zeros for ever
    "cut": None,  # close after that many bytes of the body
    "reset": None,  # the same with a reset
    "stall": None,  # send nothing after that many bytes, stay open
    "silent": False,  # True: send nothing. A number: wait that many seconds first
    "close": False,  # before the status line
    "pace": None,  # seconds between two bytes of the body
    "head_pace": None,  # the same for the head
    "endless": False,  # zeros after the body for ever
    "endless_head": False,  # True: fields; line: one field; 100: 100 Continue; for ever
    "raw": None,  # bytes instead of everything
    "keep": True,  # False: close after the response
    "token": None,  # 401 without it as a bearer, 403 with another
}


class Reply:
    def __init__(self, body=b"", **how):
        assert set(how) <= set(HOW), set(how) - set(HOW)
        self.body = body
        for name, value in {**HOW, **how}.items():
            setattr(self, name, value)

    def with_(self, **how):
        """Return this reply with some changes."""
        return Reply(**{**vars(self), **how})


def redirect(to, status=302, **how):
    return Reply(b"moved", status=status, headers=[("Location", to), *how.pop("headers", ())], **how)


class Answer:
    """Status, header fields, blocks of the body, and whether the connection can continue."""

    def __init__(self, status, fields, blocks, keep):
        self.status, self.fields, self.blocks, self.keep = status, fields, blocks, keep


def pieces(reply, first, end):
    """Yield the file's bytes first .. end in blocks: the body's, then zeros."""
    while first < end:
        block = reply.body[first : min(end, first + BLOCK)] or bytes(min(end - first, BLOCK))
        first += len(block)
        yield block


def bomb():
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    while True:
        yield packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)


def chunks(blocks, kind):
    """Yield the blocks in the chunked coding; bad: an invalid length, cut: no last block, huge: 2^64 - 1 bytes are
    announced."""
    if kind in ("bad", "huge"):
        yield b"xyz\r\n" if kind == "bad" else b"FFFFFFFFFFFFFFFF\r\n"
    for block in blocks:
        yield b"%x\r\n%s\r\n" % (len(block), block) if block else b""
    if kind is True:
        yield b"0\r\n\r\n"


def stale(reply, request):
    """Return whether a condition of the request fails."""
    headers = request.headers
    wrong = "if-match" in headers and headers["if-match"] not in ("*", reply.etag)
    return wrong or ("if-unmodified-since" in headers and headers["if-unmodified-since"] != reply.modified)


def choose(reply, request, size):
    """Return the status, the bytes first .. end that are sent, and the text of Content-Range."""
    if reply.status is not None:
        return reply.status, 0, size, None
    if stale(reply, request):
        return 412, 0, 0, None
    condition = request.headers.get("if-range")
    unfit = condition is not None and condition not in (reply.etag, reply.modified)
    if request.range is None or unfit or reply.ranges == "ignore":
        return 200, 0, size, None
    first, last = request.range
    if first is None:
        first, last = max(0, size - last), None
    end = size if last is None else min(last + 1, size)
    if first >= size or reply.ranges == "refuse":
        return 416, 0, 0, None
    asked = first, end
    if reply.ranges in ("shift", "shift-hidden"):  # a byte too late
        first, end = first + 1, min(end + 1, size)
    elif reply.ranges == "more":  # everything to the end of the file
        end = size
    elif reply.ranges == "fewer":
        end = first + max(1, (end - first) // 2)
    return 206, first, end, asked if reply.ranges == "shift-hidden" else (first, end)


def content_range(reply, status, told, size):
    total = size if reply.total is None else reply.total
    if reply.content_range is not None:
        return reply.content_range or None
    if status == 416:
        return "bytes */%s" % total
    return None if told is None else "bytes %d-%d/%s" % (told[0], told[1] - 1, total)


def denied(reply, request):
    given = request.headers.get("authorization")
    if reply.token is None or given == "Bearer " + reply.token:
        return None
    if given == "Basic " + base64.b64encode(("user:" + reply.token).encode()).decode():
        return None
    code = [("X-Error-Code", "GatedRepo" if given else "RepoNotFound"), ("WWW-Authenticate", "Bearer")]
    return Reply(b"no", status=403 if given else 401, headers=code)


def encoded(reply):
    """Return the reply with its body in its encoding."""
    if reply.encoding in ("gzip", "gzip-hidden"):
        return reply.with_(body=gzip.compress(reply.body, mtime=0), size=None)
    return reply


def multipart(first, end, size, blocks):
    part = "--%s\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes %d-%d/%d\r\n\r\n"
    start, stop = (part % (BOUNDARY, first, end - 1, size)).encode(), ("\r\n--%s--\r\n" % BOUNDARY).encode()
    return itertools.chain([start], blocks, [stop]), len(start) + end - first + len(stop)


def describe(reply, status, told, size, length):
    """Return the header fields."""
    fields = [("Content-Type", "application/octet-stream")]
    if status == 206 and reply.ranges == "multipart":
        fields = [("Content-Type", "multipart/byteranges; boundary=" + BOUNDARY)]
    else:
        fields += [("Content-Range", content_range(reply, status, told, size))]
    fields += [("Accept-Ranges", None if reply.ranges == "ignore" else "bytes")]
    fields += [("ETag", reply.etag), ("Last-Modified", reply.modified)]
    fields += [("Content-Encoding", "gzip" if reply.encoding in ("gzip", "gzip-bomb") else None)]
    fields += [("Transfer-Encoding", "chunked" if reply.chunked else None)]
    unsized = reply.chunked or reply.endless or reply.encoding == "gzip-bomb" or reply.length is False
    told_length = reply.length if reply.length not in (None, False) else None if unsized else length
    fields += [("Content-Length", told_length)]
    return [(name, value) for name, value in fields if value is not None] + list(reply.headers)


def compose(reply, request):
    reply = encoded(denied(reply, request) or reply)
    size = len(reply.body) if reply.size is None else reply.size
    status, first, end, told = choose(reply, request, size)
    blocks, length = pieces(reply, first, end), end - first
    if status == 206 and reply.ranges == "multipart":
        blocks, length = multipart(first, end, size, blocks)
    if reply.encoding == "gzip-bomb":
        blocks = bomb()
    if reply.endless:
        blocks = itertools.chain(blocks, itertools.repeat(bytes(BLOCK)))
    if reply.chunked:
        blocks = chunks(blocks, reply.chunked)
    if request.method == "HEAD":
        blocks = ()
    whole = reply.chunked in (False, True) and reply.length is None and not reply.endless
    keep = reply.keep and whole and reply.version == "HTTP/1.1" and reply.encoding != "gzip-bomb"
    fields = describe(reply, status, told, size, length)
    return Answer(status, fields + ([] if keep else [("Connection", "close")]), blocks, keep)


def status_line(reply, status):
    reason = responses.get(status, "") if reply.reason is None else reply.reason
    reason = reason.encode("latin-1") if isinstance(reason, str) else reason
    return b"%s %d %s\r\n" % (reply.version.encode(), status, reason)


def lines(fields):
    """Return header fields as they are sent."""
    return b"".join((("%s: %s" % field if field[0] else field[1]) + "\r\n").encode("latin-1") for field in fields)
