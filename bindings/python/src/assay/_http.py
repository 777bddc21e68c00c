"""Fetching parts of files by HTTP, and the user's settings for the Hugging Face Hub."""
import http.client
import io
import os
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request

from . import _report

BLOCK = 65536  # bytes of one read
WAITS = 10  # times the timeout: as long as one answer may take
HUB = "https://huggingface.co"
HUB_ADDRESS = re.compile(r"hf://(\w[\w.-]*/\w[\w.-]*)(?:@(refs/[^/]+/[^/]+|[^/]+))?/(.+)\Z", re.S | re.A | re.I)
CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,19})-(\d{1,19})|\*)/(\d{1,19})\Z")
COMMIT = re.compile(r"[0-9a-f]{40}\Z")
TOKEN = re.compile(r"[!-~]{1,511}\Z")
TOKEN_FILES = [("HF_TOKEN_PATH", ()), ("HF_HOME", ("token",)), ("XDG_CACHE_HOME", ("huggingface", "token")),
               ("HOME", (".cache", "huggingface", "token"))]  # the first that is set, as for huggingface_hub
LOGIN = "set HF_TOKEN, or use `hf auth login`"
REFUSALS = {  # by the X-Error-Code of the Hub: what it says to a request without a token, and with one
    "RepoNotFound": ("the Hub has no such repository, or it is private: check OWNER/MODEL; if it is private, " + LOGIN,
                     "the Hub has no such repository, or the token may not read it: check OWNER/MODEL, and whose token "
                     "it is"),
    "RevisionNotFound": ("the repository has no such branch, tag or commit: check what follows @ in the address",) * 2,
    "GatedRepo": ("the repository is gated: accept its terms on its page of the Hub, then " + LOGIN,
                  "the repository is gated, and the token may not read it: accept its terms on its page of the Hub, with "
                  "the account of the token"),
    "DisabledRepo": ("the Hub has disabled the repository",) * 2,
}


class FetchError(Exception):
    """What a server has sent is not the part of the file that was asked for. missing: it has no such file."""

    def __init__(self, message, missing=False):
        super().__init__(message)
        self.missing = missing


# ---- The Hub ---------------------------------------------------------------------------------------------------------

class Hub:
    """Where the Hub is, and the user's token for it, which no other server gets. token: None for the one that the Hugging
    Face tools use, False for none. commit: the one that the last answer of the Hub was of."""

    def __init__(self, token=None):
        self.endpoint = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        self.given, self.commit = token, None

    def url_of(self, address, revision=None):
        """Return the https address of hf://OWNER/MODEL[@REVISION]/PATH. revision: one in place of that."""
        found = HUB_ADDRESS.match(address)
        model, named, path = found.groups() if found else (None, None, "")
        revision = revision or urllib.parse.unquote(named or "main")
        if not stays_below(revision) or not stays_below(path):
            raise FetchError("not the address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH")
        if not re.match(r"https?://[^/?#\\]+[^?#\\]*\Z", self.endpoint, re.I):
            raise FetchError("HF_ENDPOINT is not the address of a Hub: https://HOST")
        return "%s/%s/resolve/%s/%s" % (self.endpoint, model, urllib.parse.quote(revision, safe=""),
                                        urllib.parse.quote(path))

    def has(self, url):
        """Whether an address is of the Hub: of its scheme, host and port."""
        return origin(url) is not None and origin(url) == origin(self.endpoint)

    def token(self):
        """Return the token, or None."""
        token = _implicit_token() if self.given is None else self.given or None
        if token is not None and not (isinstance(token, str) and TOKEN.match(token)):
            raise FetchError("the token for the Hub can't be sent: it has a character that a token never has, or more than "
                             "511 bytes")
        return token

    def heard(self, url, headers):
        """Note the commit that an answer of the Hub is of."""
        commit = headers.get("X-Repo-Commit", "")
        if self.has(url) and COMMIT.match(commit):
            self.commit = commit

    def refusal(self, error):
        """Return the FetchError for an answer with an error status."""
        code = error.headers.get("X-Error-Code") if error.headers and self.has(error.geturl()) else None
        if code in REFUSALS:
            return FetchError(REFUSALS[code][self.token() is not None])
        if error.code in (404, 410):
            return FetchError("there is no such file on the server (status %d)" % error.code, missing=True)
        return FetchError("the server answers with status %d" % error.code)


def origin(url):
    """Return scheme, host and port of an address, or None if it has none."""
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None


def stays_below(path):
    """Whether no component of a path is empty, . or .."""
    return not any(part in ("", ".", "..") for part in path.split("/"))


def _implicit_token():
    """Return the token that the Hugging Face tools use, without the white space around it, or None."""
    if os.environ.get("HF_HUB_DISABLE_IMPLICIT_TOKEN", "").upper() in ("1", "ON", "YES", "TRUE"):
        return None
    token = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN")
    if not token:
        name, below = next(((name, below) for name, below in TOKEN_FILES if os.environ.get(name)), (None, ()))
        path = os.path.join(os.environ[name], *below) if name else os.path.expanduser("~/.cache/huggingface/token")
        try:
            with open(path, encoding="utf-8") as file:
                token = file.read(1024)
        except (OSError, ValueError):
            return None
    return token.strip(" \t\r\n") or None


# ---- Requests --------------------------------------------------------------------------------------------------------

class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect from https to anything else, nor to anything but http. The token goes with it within the Hub
    alone."""

    def redirect_request(self, request, response, code, message, headers, address):
        to = urllib.parse.urlsplit(address).scheme
        if to != "https" and (to != "http" or urllib.parse.urlsplit(request.full_url).scheme == "https"):
            raise FetchError("the server redirects to %s" % _report.printable(address))
        again = super().redirect_request(request, response, code, message, headers, address)
        if again is not None:
            request.hub.heard(request.full_url, headers)
            _add_token(again, request.hub)
        return again


def _add_token(request, hub):
    """Add the token to a request to the Hub, so that no other server gets it with a redirection."""
    request.hub = hub
    token = hub.token() if hub.has(request.full_url) else None
    if token is not None:
        request.add_unredirected_header("Authorization", "Bearer " + token)


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


def http_range(url, begin, end, hub, timeout=30):
    """Fetch bytes begin .. end - 1 of a file, fewer at its end; return them, its size, and what identifies its
    version."""
    request = urllib.request.Request(url, headers={"Range": "bytes=%d-%d" % (begin, end - 1), "User-Agent": "assay",
                                                   "Accept-Encoding": "identity"})
    _add_token(request, hub)
    try:
        with _opener.open(request, timeout=timeout) as response:
            said, version = response.headers.get("Content-Range", ""), response.headers.get("ETag")
            version = None if (version or "W/").startswith("W/") else version  # weak: the bytes may differ
            hub.heard(response.geturl(), response.headers)
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
        raise hub.refusal(error) from None


def _one_length(headers):
    """Return the Content-Length, or None if there is none, or more than one, or one that HTTP says to ignore."""
    lengths = headers.get_all("Content-Length", [])
    if headers.get("Transfer-Encoding") is not None or len(lengths) != 1 or not re.match(r"[0-9]{1,19}\Z", lengths[0]):
        return None
    return int(lengths[0])


def _read(response, size):
    data = bytearray()
    while len(data) < size:
        part = response.read1(min(size - len(data), BLOCK))
        if not part:
            raise FetchError("the server sent %d of %d bytes" % (len(data), size))
        data += part
    return bytes(data)
