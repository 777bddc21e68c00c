"""Fetching parts of files by HTTP, and the user's settings for the Hugging Face Hub."""
import functools
import http.client
import io
import os
import re
import socket
import stat
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from . import _addresses, _check, _report

BLOCK = 65536  # bytes of one read
WAITS = 10  # times the timeout: as long as a request may take, with all redirections
REDIRECTIONS = 10
EXCERPT = 200  # characters of what a server says
HUB = "https://huggingface.co"
HUB_ADDRESS = re.compile(r"hf://(\w[\w.-]*/\w[\w.-]*)(?:@(refs/[^/]+/[^/]+|[^/]+))?/(.+)\Z", re.S | re.A | re.I)
CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18})\Z")
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?\Z")
TOKEN = re.compile(r"[!-~]{1,511}\Z")
ADDRESS = re.compile(r"https?://((?:(?![\[\]@/?#\\:])[!-~])+|\[[0-9a-f:.]+\])(?::([0-9]*))?(?:[/?#][!-~]*)?\Z", re.A | re.I)
CHUNK = re.compile(rb"[0-9A-Fa-f]{1,15}\Z")
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


def excerpt(text, most=EXCERPT):
    """Return what a server says as it can be shown."""
    return _report.printable(text[:most]) + "..." * (len(text) > most)


# ---- The Hub ---------------------------------------------------------------------------------------------------------

def hub_parts(address):
    """Return OWNER/MODEL, the revision and the path of hf://OWNER/MODEL[@REVISION]/PATH."""
    found = HUB_ADDRESS.match(address)
    model, revision, path = found.groups() if found else (None, None, "")
    revision = urllib.parse.unquote(revision or "main")
    if not stays_below(revision) or not stays_below(path):
        raise FetchError("not the address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH")
    return model, revision, path


def stays_below(path):
    """Whether no component of a path is empty, . or .."""
    return not any(part in ("", ".", "..") for part in path.split("/"))


def origin(url):
    """Return scheme, host and port of an address as it is connected to, or None if it is malformed."""
    found = ADDRESS.match(url)
    if found is None:
        return None
    scheme = url.partition(":")[0].lower()
    return scheme, found[1].lower(), int(found[2]) if found[2] else {"http": 80, "https": 443}[scheme]


def as_sent(url):
    """Return an address as it is sent to a proxy: nothing in it can be mistaken for a user name before another host."""
    return re.sub(r"\A(https?://[^/?]*)\?", r"\1/?", url.partition("#")[0], flags=re.I)


def _implicit_token():
    """Return the token that the Hugging Face tools use, without the white space around it, or None."""
    if os.environ.get("HF_HUB_DISABLE_IMPLICIT_TOKEN", "").upper() in ("1", "ON", "YES", "TRUE"):
        return None
    token = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN")
    if not token:
        name, below = next(((name, below) for name, below in TOKEN_FILES if os.environ.get(name)), (None, ()))
        path = os.path.join(os.environ[name], *below) if name else "~/.cache/huggingface/token"
        try:
            descriptor = _check.open_descriptor(os.path.expanduser(os.path.expandvars(path)))
            with os.fdopen(descriptor, encoding="utf-8") as file:
                token = file.read(1024) if stat.S_ISREG(os.fstat(descriptor).st_mode) else ""
        except (OSError, ValueError):
            return None
    return token.strip(" \t\r\n") or None


class Client:
    """What fetches, for one judgement, in several threads. token: that of the user for the Hub, which no other server gets:
    None or True for the one that the Hugging Face tools use, False for none. public_only: connect to public addresses
    alone. commit: that of the Hub's last answer that named one. received: bytes of all answers."""

    def __init__(self, token=None, timeout=30, public_only=False):
        self.endpoint = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        self.timeout, self.given, self.public_only = timeout, token, public_only
        self.lock, self.commit, self.received = threading.Lock(), None, 0

    def hub_url(self, model, revision, path):
        """Return the address of a file on the Hub."""
        if origin(self.endpoint) is None or re.search("[?#]", self.endpoint):
            raise FetchError("HF_ENDPOINT is not the address of a Hub: https://HOST")
        return "%s/%s/resolve/%s/%s" % (self.endpoint, model, urllib.parse.quote(revision, safe=""),
                                        urllib.parse.quote(path))

    def is_hub(self, url):
        """Whether an address is of the Hub: of its scheme, host and port."""
        found = origin(url)
        return found is not None and found == origin(self.endpoint)

    @functools.cached_property
    def token(self):
        """The token, or None."""
        token = _implicit_token() if self.given in (None, True) else self.given or None
        if token is not None and not (isinstance(token, str) and TOKEN.match(token)):
            raise FetchError("the token for the Hub can't be sent: it has a character that a token never has, or more than "
                             "511 bytes")
        return token

    @functools.cached_property
    def opener(self):
        """What sends requests, by the proxies of the environment. All share the certificates, which are slow to load."""
        handlers = [_Redirects, _Http]
        if hasattr(urllib.request, "HTTPSHandler"):  # this Python has TLS
            handlers.append(_https_handler())
        return urllib.request.build_opener(*handlers)

    def count(self, number):
        with self.lock:
            self.received += number

    def heard(self, trusted, headers):
        """Note the commit that an answer of the Hub is of."""
        commit = headers.get("X-Repo-Commit", "")
        if trusted and COMMIT.match(commit):
            self.commit = commit

    def refusal(self, error, trusted):
        """Return the FetchError for an answer with an error status."""
        code = error.headers.get("X-Error-Code") if error.headers and trusted else None
        if code in REFUSALS:
            return FetchError(REFUSALS[code][self.token is not None])
        if error.code in (404, 410):
            return FetchError("there is no such file on the server (status %d)" % error.code, missing=True)
        return FetchError("the server answers with status %d" % error.code)

    def range(self, url, begin, end):
        """Fetch bytes begin .. end - 1 of a file, fewer at its end; return them, its size, and what identifies its
        version."""
        request = urllib.request.Request(as_sent(url), headers={"Range": "bytes=%d-%d" % (begin, end - 1), "User-Agent": "assay",
                                                       "Accept-Encoding": "identity"})
        exchange = _Exchange(self)
        exchange.add(request)
        with self.lock:
            opener = self.opener
        try:
            with opener.open(request, timeout=self.timeout) as response:
                self.heard(exchange.trusted, response.headers)
                size, version = _size_of(response, begin), _one(response.headers, "ETag") or ""
                return _read(response, min(end, size) - begin), size, version if version.startswith('"') else None
        except urllib.error.HTTPError as error:
            with error:
                found = CONTENT_RANGE.match(error.headers.get("Content-Range", "") if error.headers else "")
                if error.code == 416 and found and int(found[3]) == 0:
                    return b"", 0, None
                raise self.refusal(error, exchange.trusted) from None


# ---- Requests --------------------------------------------------------------------------------------------------------

_now = time.monotonic


class _Exchange:
    """The requests for one part of a file: the first, and those to which redirections lead. trusted: the last one is of the
    Hub, and so were all before it. Then it has the token; a redirection does not take it along. public: one of them was to a public address."""

    def __init__(self, client):
        self.client, self.requests, self.trusted, self.public = client, 0, True, False
        self.end = None if client.timeout is None else _now() + WAITS * client.timeout

    def add(self, request):
        """Prepare the next request."""
        self.requests += 1
        if self.requests > 1 + REDIRECTIONS:
            raise FetchError("the server redirects more than %d times" % REDIRECTIONS)
        if "@" in urllib.parse.urlsplit(request.full_url).netloc:
            raise FetchError("an address with a user name or password is refused")
        if origin(request.full_url) is None and self.requests > 1:
            raise FetchError("the server redirects to what is no address")
        if origin(request.full_url) is None:
            raise FetchError("not an address: https://HOST/PATH, with spaces and what is beyond ASCII as %XX")
        request.exchange, request.named_host = self, request.host
        self.trusted = self.trusted and self.client.is_hub(request.full_url)
        if self.trusted and self.client.token is not None:
            request.add_unredirected_header("Authorization", "Bearer " + self.client.token)

    def allows(self, public):
        """Whether the next request may go to such an address: to one that is not public only if all may, and if no
        public one has redirected there."""
        return public or not self.client.public_only and not self.public

    def judge_text(self, request):
        """Judge the text of an address; return whether the request goes to a proxy, which alone resolves names then."""
        to_proxy = request.host != request.named_host  # urllib has put its host there
        host = urllib.parse.urlsplit(request.full_url).hostname
        public = _addresses.may_be_public(host) if to_proxy else _addresses.is_public_text(host) is not False
        if not self.allows(public):
            raise FetchError(("the server redirects to an address that is %s" if self.public else
                              "the address is %s, and public_only is set") % _addresses.REFUSED)
        self.public = self.public or to_proxy and public
        return to_proxy

    def left(self):
        """Return for how many seconds a server may be silent now, or None for no limit."""
        silent = self.client.timeout
        if self.end is None:
            return silent
        left = self.end - _now()
        if left <= 0:
            raise FetchError("the server took more than %g seconds" % (WAITS * silent))
        return min(left, silent)

    def connected(self, to_proxy, address, *_):
        """Return a socket that is connected to a host. What goes wrong tells nothing about names of one's own network."""
        try:
            return self.reached(to_proxy, address)
        except OSError:
            if to_proxy or self.allows(False):
                raise
            raise FetchError(("the server redirects to another one, which can't be reached, or whose address is %s"
                              if self.public else "the server can't be reached, or its address is %s, and public_only is "
                              "set") % _addresses.REFUSED) from None

    def reached(self, to_proxy, address):
        """Connect to the first of a host's addresses that is allowed and answers."""
        problem = OSError("the host has no address")
        for family, kind, protocol, _name, place in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
            public, sock = not to_proxy and _addresses.is_public(place[0]), None
            if not to_proxy and not self.allows(public):
                continue
            try:
                sock = socket.socket(family, kind, protocol)
                sock.settimeout(self.left())
                sock.connect(place)
                self.public = self.public or public
                return sock
            except (OSError, OverflowError, ValueError, FetchError) as error:
                if sock is not None:
                    sock.close()
                if not isinstance(error, OSError):
                    raise
                problem = error
        raise problem


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect from https to anything else, nor to anything but http or https."""

    max_repeats = max_redirections = 2 * REDIRECTIONS  # _Exchange counts them
    http_error_308 = urllib.request.HTTPRedirectHandler.http_error_302  # which it lacks before Python 3.11

    def redirect_request(self, request, response, code, message, headers, address):
        to = urllib.parse.urlsplit(address).scheme
        if to != "https" and (to != "http" or urllib.parse.urlsplit(request.full_url).scheme == "https"):
            raise FetchError("the server redirects to %s" % excerpt(address))
        request.exchange.client.heard(request.exchange.trusted, headers)
        response.close()  # else all of its body would be read
        again = super().redirect_request(request, response, 302, message, headers, as_sent(address))
        again.remove_header("Proxy-authorization")  # it may go to no proxy, or to another
        request.exchange.add(again)
        return again


class _Until(io.RawIOBase):
    """Bytes of a socket, until the time of an exchange is over."""

    def __init__(self, raw, sock, exchange):
        super().__init__()
        self.raw, self.sock, self.exchange = raw, sock, exchange

    def readable(self):
        return True

    def readinto(self, buffer):
        try:
            self.sock.settimeout(self.exchange.left())
            count = self.raw.readinto(buffer)
        except socket.timeout:
            self.exchange.left()  # raises, if all of the time is over
            raise
        self.exchange.client.count(count or 0)
        return count

    def close(self):
        self.raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer of which header and bytes come before the time of an exchange is over."""

    def __init__(self, sock, *args, exchange, **kwargs):
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Until(self.fp.detach(), sock, exchange))

    def _read_next_chunk_size(self):
        """http.client takes -5, 0x5 and 1_0 for sizes."""
        line = self.fp.readline(BLOCK)
        digits = line.partition(b";")[0].strip(b" \t\r\n")
        if not CHUNK.match(digits):
            raise FetchError("the server sends malformed chunks")
        return int(digits, 16)


def _guarded(connection_class, request):
    """Return what makes the connection of a request: in time, to an allowed address."""
    exchange = request.exchange
    to_proxy = exchange.judge_text(request)

    def connect(*args, **kwargs):
        connection = connection_class(*args, **kwargs)
        if not hasattr(connection, "_create_connection"):
            raise FetchError("the http.client of this Python takes no addresses from outside: use fetch=")
        connection.response_class = functools.partial(_Response, exchange=exchange)
        connection._create_connection = functools.partial(exchange.connected, to_proxy)
        return connection
    return connect


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request):
        return self.do_open(_guarded(http.client.HTTPConnection, request), request)


def _https_handler():
    """Return a handler with the certificates of the system: ssl is imported only here."""
    import ssl
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])

    class Https(urllib.request.HTTPSHandler):
        def https_open(self, request):
            return self.do_open(_guarded(http.client.HTTPSConnection, request), request, context=context)
    return Https(context=context)


def _one(headers, name):
    """Return a field of an answer, or None if there is none. Two contradict each other."""
    values = headers.get_all(name, [])
    if len(values) > 1:
        raise FetchError("the server sends %s twice" % name)
    return values[0].strip() if values else None


def _size_of(response, begin):
    """Return the size of a file, if the answer has its bytes from begin on."""
    headers = response.headers
    if (_one(headers, "Content-Type") or "").lower().startswith("multipart/"):
        raise FetchError("the server sent several parts, not the one that was asked for")
    if headers.defects:
        raise FetchError("the server's header is malformed")
    if (_one(headers, "Content-Encoding") or "identity").lower() != "identity":
        raise FetchError("the server sent the file in another encoding, which was not asked for")
    length, coding = _one(headers, "Content-Length"), _one(headers, "Transfer-Encoding")
    if coding is not None and not response.chunked:  # "chunked" alone
        raise FetchError("the server sent the file in another transfer encoding")
    if coding is not None or length is not None and not re.match(r"[0-9]{1,18}\Z", length):
        length = None  # HTTP says to ignore it
    if response.status == 200 and begin == 0 and length is not None:
        return int(length)  # the whole file: no more than its beginning is read
    if response.status != 206:
        raise FetchError("the server sends no ranges (status %d)" % response.status)
    said = _one(headers, "Content-Range") or ""
    found = CONTENT_RANGE.match(said)
    first, last, size = (int(number or -1) for number in found.groups()) if found else (-1, -1, -1)
    if not first == begin <= last < size or length is not None and int(length) != last + 1 - first:
        raise FetchError("the server sent another range than that asked for: %s" % excerpt(said))
    return size


def _read(response, size):
    data = bytearray()
    while len(data) < size:
        part = response.read1(min(size - len(data), BLOCK))
        if not part:
            raise FetchError("the server sent %d of %d bytes" % (len(data), size))
        data += part
    return bytes(data[:size])
