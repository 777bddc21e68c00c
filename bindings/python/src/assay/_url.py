"""Judging files on servers: only the header is fetched."""
import http.client
import io
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Callable, Optional, Tuple

from . import _check, _native, _report

FIRST = 65536  # bytes of the first request: most headers are within
WAITS = 10  # times the timeout: as long as one answer may take
HUB = "https://huggingface.co"
HUB_ADDRESS = re.compile(r"hf://(\w[\w.-]*/\w[\w.-]*)(?:@(refs/[^/]+/[^/]+|[^/]+))?/(.+)\Z", re.S | re.A | re.I)
CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,19})-(\d{1,19})|\*)/(\d{1,19})\Z")


class FetchError(Exception):
    """What a server has sent is not the part of the file that was asked for."""


def hub_url(address):
    """Return the https address of hf://OWNER/MODEL[@REVISION]/PATH."""
    found = HUB_ADDRESS.match(address)
    model, revision, path = found.groups() if found else (None, None, "")
    revision = urllib.parse.unquote(revision or "main")
    if any(part in ("", ".", "..") for part in (*revision.split("/"), *path.split("/"))):
        raise FetchError("not the address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH")
    return "%s/%s/resolve/%s/%s" % (HUB, model, urllib.parse.quote(revision, safe=""), urllib.parse.quote(path))


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect from https to anything else, nor to anything but http."""

    def redirect_request(self, request, response, code, message, headers, address):
        to = urllib.parse.urlsplit(address).scheme
        if to != "https" and (to != "http" or urllib.parse.urlsplit(request.full_url).scheme == "https"):
            raise FetchError("the server redirects to %s" % _report.printable(address))
        return super().redirect_request(request, response, code, message, headers, address)


class _Until(io.RawIOBase):
    """Bytes of a socket, until the time is over."""

    def __init__(self, raw, sock):
        super().__init__()
        self.raw, self.sock, self.silent = raw, sock, sock.gettimeout()
        self.end = None if self.silent is None else time.monotonic() + WAITS * self.silent

    def readable(self):
        return True

    def readinto(self, buffer):
        if self.end is None:
            return self.raw.readinto(buffer)
        left = self.end - time.monotonic()
        try:
            if left > 0:
                self.sock.settimeout(min(left, self.silent))
                return self.raw.readinto(buffer)
        except socket.timeout:
            if left > self.silent:
                raise
        raise FetchError("the server took more than %g seconds" % (WAITS * self.silent))

    def close(self):
        self.raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer whose header and bytes together may take WAITS times the timeout."""

    def __init__(self, sock, *args, **kwargs):
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Until(self.fp.detach(), sock))


def _timed(connection_class):
    def connect(*args, **kwargs):
        connection = connection_class(*args, **kwargs)
        connection.response_class = _Response
        return connection
    return connect


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request):
        return self.do_open(_timed(http.client.HTTPConnection), request)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, request):
        return self.do_open(_timed(http.client.HTTPSConnection), request)


_opener = urllib.request.build_opener(_Redirects, _Http, _Https)


def http_range(url, begin, end, timeout=30):
    """Fetch bytes begin .. end - 1 of a file, fewer at its end; return them, its size, and what identifies its
    version."""
    request = urllib.request.Request(url, headers={"Range": "bytes=%d-%d" % (begin, end - 1), "User-Agent": "assay",
                                                   "Accept-Encoding": "identity"})
    try:
        with _opener.open(request, timeout=timeout) as response:
            said, version = response.headers.get("Content-Range", ""), response.headers.get("ETag")
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise FetchError("the server sent the file in another encoding, which was not asked for")
            if response.status == 206:
                found = CONTENT_RANGE.match(said)
                if not found or found[1] is None or int(found[1]) != begin:
                    raise FetchError("the server sent another range than that asked for: %s" % _report.printable(said))
                size = int(found[3])
            elif response.status == 200 and begin == 0 and _one_length(response.headers) is not None:
                size = _one_length(response.headers)  # the whole file: read no more than its beginning
            else:
                raise FetchError("the server sends no ranges (status %d)" % response.status)
            return _read(response, min(end, size) - begin), size, version
    except urllib.error.HTTPError as error:
        found = CONTENT_RANGE.match(error.headers.get("Content-Range", "") if error.headers else "")
        if error.code == 416 and found and int(found[3]) == 0:
            return b"", 0, None
        raise FetchError("the server answers with status %d" % error.code) from None


def _one_length(headers):
    """Return the Content-Length, or None if there is none, or more than one, or one that HTTP says to ignore."""
    lengths = headers.get_all("Content-Length", [])
    if headers.get("Transfer-Encoding") is not None or len(lengths) != 1 or not re.match(r"[0-9]{1,19}\Z", lengths[0]):
        return None
    return int(lengths[0])


def _read(response, size):
    data = bytearray()
    while len(data) < size:
        part = response.read1(min(size - len(data), FIRST))
        if not part:
            raise FetchError("the server sent %d of %d bytes" % (len(data), size))
        data += part
    return bytes(data)


Fetch = Callable[[str, int, int], Tuple[bytes, int, Optional[str]]]


def check_url(url: str, *, fetch: Optional[Fetch] = None, limits: Optional[_check.Limits] = None,
              timeout: Optional[float] = 30) -> _report.Report:
    """Judge a file by its address: https://, http://, hf://OWNER/MODEL[@REVISION]/PATH, or any other that fsspec knows,
    if it is installed. Only the header is fetched, in one or two requests.

    fetch: a function of (url, begin, end) that returns the bytes, the size of the file, and what identifies its version
    or None, in place of ours: for credentials, proxies, retries. Return a Report; what can't be fetched is not judged.
    The data that is loaded later may be of another version: give the loader the same one. timeout: seconds that the
    server may be silent, None for no limit; an answer may take ten times as long.
    """
    scheme = url.split(":", 1)[0].lower()
    try:
        address = hub_url(url) if scheme == "hf" and fetch is None else url
        if fetch is None and scheme not in ("http", "https", "hf"):
            return _by_fsspec(url, limits)
        get = fetch or (lambda a, begin, end: http_range(a, begin, end, timeout))
        head, size, version = get(address, 0, FIRST)
        head = head[:FIRST]
        length = int.from_bytes(head[:8], "little") if len(head) >= 8 else 0
        need = min(8 + length, size)
        if len(head) < need and length <= _native.HEAD_MAX - 8 and not (
                limits and limits.header_bytes is not None and length > limits.header_bytes):
            rest, again, other = get(address, len(head), need)
            if again != size or other != version:
                raise FetchError("the file changed between two requests")
            head += rest[:need - len(head)]
            if len(head) < need:
                raise FetchError("the server sent %d of %d bytes" % (len(head), need))
    except (FetchError, OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        return _report.not_judged(url, "can't be fetched: %s" % _report.printable(str(reason)))
    return _check.judge_head(head, size, limits, url).only_report()


def _by_fsspec(url, limits):
    try:
        import fsspec
    except ImportError:
        return _report.not_judged(url, "can't be fetched: install fsspec for addresses of this kind")
    try:
        with fsspec.open(url, "rb") as file:
            judged = _check.judge_reader(_check._seeked(file), file.seek(0, 2), limits, url)
            return judged.report
    except Exception as error:  # of whatever library fsspec calls
        return _report.not_judged(url, "can't be fetched: %s" % _report.printable(str(error)))
