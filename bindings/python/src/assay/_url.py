"""Judging files and models on servers: only headers and indexes are fetched."""
import collections
import http.client
import re
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple, Union

from . import _check, _http, _model, _native, _notes, _report

FIRST = 65536  # bytes of the first request: most headers are within
INDEX_MOST = 100_000_000  # bytes of an index, and
MODEL_MOST = 4_000_000_000  # of all that is fetched of a model, in
MODEL_SECONDS = 3600
AHEAD = 8  # files of a model that are fetched at a time
SCHEMES = ("http://", "https://", "hf://")
PROBLEMS = (_http.FetchError, OSError, ValueError, http.client.HTTPException)
REPOSITORY = re.compile(r"hf://[^/]+/[^/@]+(?:@(?:refs/[^/]+/[^/]+|[^/]+))?/?\Z", re.S | re.I)

Fetch = Callable[[str, int, int], Tuple[bytes, int, Optional[str]]]
Token = Union[str, bool, None]


class RemoteFile:
    """A file on a server, of which parts are fetched, all of one version."""

    def __init__(self, url: str, get: Fetch) -> None:
        self.url, self.get = url, get
        self.data = b""  # from its beginning on
        self.size: Optional[int] = None
        self.version: Optional[str] = None

    def part(self, begin: int, end: int) -> bytes:
        """Fetch bytes begin .. end - 1, fewer at the end of the file."""
        data, size, version = self.get(self.url, begin, end)
        if self.size is None:
            self.size, self.version = size, version
        elif (size, version) != (self.size, self.version):
            raise _http.FetchError("the file changed between two requests")
        data = data[:end - begin]
        if len(data) < min(end, size) - begin:
            raise _http.FetchError("the server sent %d of %d bytes" % (begin + len(data), min(end, size)))
        return data

    def begin(self) -> None:
        """Fetch the first bytes."""
        self.data = self.part(0, FIRST)

    def grow(self, size: int) -> bytes:
        """Return the first bytes of the file: so many, or all. Without a version they come in one answer: two could be of
        two versions."""
        size = min(size, self.size or 0)
        if len(self.data) < size:
            known = self.data if self.version else b""
            self.data = known + self.part(len(known), size)
        return self.data

    def fetch_head(self, limits: Optional[_check.Limits]) -> None:
        """Fetch the header, unless its length alone decides."""
        self.begin()
        length = int.from_bytes(self.data[:8], "little") if len(self.data) >= 8 else 0
        if length <= _native.HEAD_MAX - 8 and not (
                limits and limits.header_bytes is not None and length > limits.header_bytes):
            self.grow(8 + length)

    def read_at(self, offset: int, size: int) -> bytes:
        end = offset + size
        return self.data[offset:end] if end <= len(self.data) else self.part(offset, min(end, self.size or 0))

    def judge(self, limits: Optional[_check.Limits], shown: str, find: Any = None) -> Any:
        """Judge what was fetched by fetch_head(). find: looks for notes, or None."""
        judged = _check.judge_head(self.data, self.size, limits, shown)
        if find is not None and judged.view is not None:
            judged.report.__dict__["notes"] = find(judged.view, self.read_at, shown)
        return judged


def reason_of(error: Exception) -> str:
    """Return why a file can't be fetched."""
    return _report.printable(str(getattr(error, "reason", None) or str(error) or type(error).__name__))


def unfetched(shown: str, error: Exception) -> _report.Report:
    return _report.not_judged(shown, "can't be fetched: %s" % reason_of(error))


def check_url(url: str, *, fetch: Optional[Fetch] = None, limits: Optional[_check.Limits] = None,
              timeout: Optional[float] = 30, token: Token = None, notes: bool = False) -> _report.Report:
    """Judge a file by its address: https://, http://, hf://OWNER/MODEL[@REVISION]/PATH, or any other that fsspec knows,
    if it is installed. Only the header is fetched, in one or two requests.

    fetch: a function of (url, begin, end) that returns the bytes, the size of the file, and what identifies its version
    or None, in place of ours: for credentials, proxies, retries. Return a Report; what can't be fetched is not judged.
    The data that is loaded later may be of another version: give the loader the same one. timeout: seconds that the
    server may be silent, None for no limit; an answer may take ten times as long. token: for the Hub alone; None for
    that of the Hugging Face tools (HF_TOKEN, or the file of `hf auth login`), False for none. notes: as in check().
    """
    find = _notes.find_inside if notes else None
    try:
        if fetch is None and not url.lower().startswith(SCHEMES):
            return _by_fsspec(url, limits, find)
        hub = _http.Hub(token)
        if fetch is None and REPOSITORY.match(url):
            raise _http.FetchError("this is the address of a model: assay.check_model_url() judges it")
        file = RemoteFile(hub.url_of(url) if fetch is None and url[:5].lower() == "hf://" else url,
                          fetch or (lambda a, begin, end: _http.http_range(a, begin, end, hub, timeout)))
        file.fetch_head(limits)
        return file.judge(limits, url, find).only_report()
    except PROBLEMS as error:
        return unfetched(url, error)


def _by_fsspec(url, limits, find):
    try:
        import fsspec
    except ImportError:
        return _report.not_judged(url, "can't be fetched: install fsspec for addresses of this kind")
    try:
        with fsspec.open(url, "rb") as file:
            return _check.judge_reader(_check._seeked(file), file.seek(0, 2), limits, url, find).only_report()
    except Exception as error:  # of whatever library fsspec calls
        return unfetched(url, error)


# ---- Models ----------------------------------------------------------------------------------------------------------

class RemoteFiles:
    """The files of a model on a server, in the place of those of a folder: see _model.LocalFiles."""

    names: List[str] = []  # a server does not list its files

    def __init__(self, base: str, query: str, fetch: Optional[Fetch], hub: Any, limits: Optional[_check.Limits],
                 timeout: Optional[float], find: Any) -> None:
        self.base, self.query, self.fetch, self.hub = base, query, fetch, hub
        self.limits, self.timeout, self.find = limits, timeout, find
        self.revision: Optional[str] = None  # the commit of the index: the shards come from the same
        self.todo: Deque[str] = collections.deque()
        self.coming: Dict[str, Any] = {}  # files that are being fetched
        self.pool = ThreadPoolExecutor(AHEAD)
        self.lock, self.bytes, self.end = threading.Lock(), 0, time.monotonic() + MODEL_SECONDS

    def __enter__(self) -> "RemoteFiles":
        return self

    def __exit__(self, *_: Any) -> None:
        self.todo.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def path_of(self, name: str) -> str:
        return self.base + name

    def get(self, url: str, begin: int, end: int) -> Tuple[bytes, int, Optional[str]]:
        if self.bytes > MODEL_MOST or time.monotonic() > self.end:
            raise _http.FetchError("the files of the model took more than 4 GB or an hour: download the model and check "
                                   "it there")
        if self.fetch is not None:
            data, size, version = self.fetch(url, begin, end)
        else:
            data, size, version = _http.http_range(url, begin, end, self.hub, self.timeout)
        with self.lock:
            self.bytes += len(data)
        return data, size, version

    def file(self, name: str) -> RemoteFile:
        if self.base[:5].lower() == "hf://":
            url = self.path_of(name)
            url = self.hub.url_of(url, self.revision) if self.fetch is None else url
        else:
            if not _http.stays_below(name):
                raise _http.FetchError("a path leads out of the folder of the index")
            url = self.base + urllib.parse.quote(name) + self.query
        return RemoteFile(url, self.get)

    def read(self, name: str) -> bytes:
        """Return the bytes of an index. Raise FileNotFoundError if there is none, OSError if it can't be fetched."""
        try:
            file = self.file(name)
            file.begin()
            if (file.size or 0) > INDEX_MOST:
                raise _http.FetchError("the index is larger than 100 MB: download the model and check it there")
            data = file.grow(file.size or 0)
        except PROBLEMS as error:
            kind = FileNotFoundError if is_missing(error) else OSError
            raise kind(0, reason_of(error)) from None
        self.revision = self.hub.commit
        return data

    def _fetched(self, name: str) -> Union[RemoteFile, Exception]:
        try:
            file = self.file(name)
            file.fetch_head(self.limits)
            return file
        except PROBLEMS as error:
            return error

    def expect(self, names: Any) -> None:
        """Begin to fetch the files that are judged next, in their order."""
        self.todo.extend(names)
        self._go_on()

    def _go_on(self) -> None:
        while self.todo and len(self.coming) < AHEAD:
            name = self.todo.popleft()
            self.coming[name] = self.pool.submit(self._fetched, name)

    def lacks(self, _: str) -> bool:
        return False  # only the server knows

    def judge(self, name: str, listed: bool = False) -> Any:
        coming = self.coming.pop(name, None)
        file = self._fetched(name) if coming is None else coming.result()
        self._go_on()
        shown = self.path_of(name)
        try:
            if isinstance(file, Exception):
                raise file
            return file.judge(self.limits, shown, self.find)
        except PROBLEMS as error:
            if is_missing(error):
                return _model.MISSING
            return _check.Judged(unfetched(shown, error))


def is_missing(error: Exception) -> bool:
    return getattr(error, "missing", False) or isinstance(error, FileNotFoundError)


def check_model_url(url: str, *, fetch: Optional[Fetch] = None, limits: Optional[_check.Limits] = None,
                    timeout: Optional[float] = 30, token: Token = None, progress: bool = False,
                    notes: bool = False) -> _model.ModelReport:
    """Judge a model before it is downloaded: hf://OWNER/MODEL[@REVISION], or the address of an index whose shards are
    beside it (https://, http://, hf://). Of a model on the Hub, model.safetensors.index.json is judged with its shards,
    if there is one, else model.safetensors. Only the index and the headers are fetched, eight files at a time, all of
    the commit that the index is of.

    Return a ModelReport, as check_model() does; raise nothing for what is invalid or can't be fetched. The files that
    are downloaded later may be others: check them, too, or download the same commit. A model of which more than 4 GB
    have to be fetched, or an hour, is not judged. fetch, timeout, token: as in check_url(); a fetch of the caller raises
    FileNotFoundError for a file that does not exist, and gets hf:// addresses as they are. notes: as in check(), at one
    or two more requests for each file. O(bytes of all headers and the index).
    """
    base, name, query = _split(url)
    find = _notes.find_inside if notes else None
    if fetch is None and not url.lower().startswith(SCHEMES):
        return _model.unjudged(url, "addresses of this kind need a fetch= of yours")
    with RemoteFiles(base, query, fetch, _http.Hub(token), limits, timeout, find) as files:
        if name == "":
            return _model.judge_repository(url, files, progress)
        return _model.judge_named(url, name, files, progress)


def _split(url: str) -> Tuple[str, str, str]:
    """Return the folder of an address with its slash, the name of the file, which is empty for a repository, and the
    query."""
    if REPOSITORY.match(url):
        return url.rstrip("/") + "/", "", ""
    hub = url[:5].lower() == "hf://"
    plain, question, query = (url, "", "") if hub else url.partition("#")[0].partition("?")
    base, slash, name = plain.rpartition("/")
    return base + slash, name if hub else urllib.parse.unquote(name), question + query
