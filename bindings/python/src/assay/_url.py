"""Judging files and models on servers: only headers and indexes are fetched."""
import collections
import dataclasses
import http.client
import re
import threading
import time
import urllib.error
import urllib.parse
from concurrent.futures import Future
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _check, _http, _model, _native, _notes, _report

FIRST = 65536  # bytes of the first request: most headers are within
INDEX_MOST = 100_000_000  # bytes of an index, and
MODEL_MOST = 4_000_000_000  # of all that is fetched of a model, in
MODEL_SECONDS = 3600
AHEAD = 8  # files of a model that are fetched at a time,
AHEAD_MOST = 10_000_000  # without heads of more bytes: such a one is fetched when it is judged
CHANGED = "the file changed between two requests"
NOT_OURS = "public_only is for https://, http:// and hf:// addresses, without fetch="
SCHEMES = ("http://", "https://", "hf://")
PROBLEMS = (_http.FetchError, OSError, ValueError, OverflowError, MemoryError, http.client.HTTPException)
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
        try:
            data, size, version = self.get(self.url, begin, end)
        except _http.FetchError as error:
            if error.missing and self.size is not None:
                raise _http.FetchError(CHANGED) from None  # it was there before
            raise
        if self.size is None:
            self.size, self.version = size, version
        elif (size, version) != (self.size, self.version):
            raise _http.FetchError(CHANGED)
        data = bytes(data[:end - begin])
        if len(data) < min(end, size) - begin:
            raise _http.FetchError("the server sent %d of %d bytes" % (begin + len(data), min(end, size)))
        return data

    def fetch(self, size: int) -> bytes:
        """Return the first `size` bytes of the file, or all that it has. Without a version they come in one answer: two
        could be of two versions."""
        if self.size is None:
            self.data = self.part(0, FIRST)
        size = min(size, self.size or 0)
        if len(self.data) < size:
            known = self.data if self.version else b""
            self.data = known + self.part(len(known), size)
        return self.data

    def fetch_head(self, limits: Optional[_check.Limits], most: int = _native.HEAD_MAX) -> None:
        """Fetch the header, unless its length alone decides, or it has more than `most` bytes."""
        start = self.fetch(8)
        length = int.from_bytes(start[:8], "little") if len(start) >= 8 else 0
        if 8 + length <= min(most, _native.HEAD_MAX) and not (
                limits and limits.header_bytes is not None and length > limits.header_bytes):
            self.fetch(8 + length)

    def read_at(self, offset: int, size: int) -> bytes:
        end = offset + size
        return self.data[offset:end] if end <= len(self.data) else self.part(offset, min(end, self.size or 0))

    def judge(self, limits: Optional[_check.Limits], shown: str, find: Any = None) -> Any:
        """Judge the file. find: looks for notes, or None."""
        self.fetch_head(limits)
        judged = _check.judge_head(self.data, self.size, limits, shown)
        if find is not None and judged.view is not None:
            judged.report.__dict__["notes"] = find(judged.view, self.read_at, shown)
        return judged


def reason_of(error: Exception) -> str:
    """Return why a file can't be fetched."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    if isinstance(error, urllib.error.URLError):
        error = error.reason if isinstance(error.reason, Exception) else error
    return _http.excerpt(str(error) or type(error).__name__, 1000)


def problem_of(error: Exception) -> _http.FetchError:
    """Return the same problem as an exception that keeps no frames, and so nothing alive."""
    return _http.FetchError(reason_of(error), getattr(error, "missing", False))


def unfetched(shown: str, error: Exception) -> _report.Report:
    return _report.not_judged(shown, "can't be fetched: %s" % reason_of(error))


def getter(fetch: Optional[Fetch], client: Any) -> Fetch:
    """Return what fetches. A FileNotFoundError of the caller's function says that there is no such file."""
    def get(url: str, begin: int, end: int) -> Tuple[bytes, int, Optional[str]]:
        if fetch is None:
            return client.range(url, begin, end)
        try:
            data, size, version = fetch(url, begin, end)
        except FileNotFoundError as error:
            raise _http.FetchError(str(error) or "there is no such file", missing=True) from None
        client.count(len(data))
        return data, size, version
    return get


def check_url(url: str, *, fetch: Optional[Fetch] = None, limits: Optional[_check.Limits] = None,
              timeout: Optional[float] = 30, token: Token = None, notes: bool = False,
              public_only: bool = False) -> _report.Report:
    """Judge a file by its address: https://, http://, hf://OWNER/MODEL[@REVISION]/PATH, or any other that fsspec knows,
    if it is installed. Only the header is fetched, in one or two requests.

    fetch: a function of (url, begin, end) that returns the bytes, the size of the file, and what identifies its version
    or None, in place of ours: for other credentials, or retries. Ours uses the proxies of the environment, as urllib
    does, and tries nothing again. Return a Report; what can't be fetched is not judged. The data that is loaded later may
    be of another version: give the loader the same one. timeout: seconds that the server may be silent, None for no limit;
    a request may take ten times as long, with all redirections. token: for the Hub alone; None for that of the Hugging
    Face tools (HF_TOKEN, or the file of `hf auth login`), False for none. notes: as in check(). public_only: refuse an
    address that is private, loopback, link-local or reserved: for addresses from strangers. Without it, only a redirection
    from a public address to such an address is refused. A proxy resolves names itself: through one, only the text of the
    address counts. Not for fetch and fsspec.
    """
    find = _notes.find_inside if notes else None
    try:
        if public_only and (fetch is not None or not url.lower().startswith(SCHEMES)):
            raise _http.FetchError(NOT_OURS)
        if fetch is None and not url.lower().startswith(SCHEMES):
            return _by_fsspec(url, limits, find)
        client, address = _http.Client(token, timeout, public_only), url
        if fetch is None and REPOSITORY.match(url):
            raise _http.FetchError("this is the address of a model: assay.check_model_url() judges it")
        if fetch is None and is_hub_address(url):
            address = client.hub_url(*_http.hub_parts(url))
        return RemoteFile(address, getter(fetch, client)).judge(limits, url, find).only_report()
    except PROBLEMS as error:
        return unfetched(url, error)


def is_hub_address(url: str) -> bool:
    return url[:5].lower() == "hf://"


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

class _Place:
    """Where the files of a model are: the folder of an address. name: the file that it names, empty for a repository.
    Only a fetch function of the caller knows what an address of this class means."""

    def __init__(self, url: str) -> None:
        self.is_repository = REPOSITORY.match(url) is not None
        if self.is_repository:
            url = url.rstrip("/") + "/"
        at = url.rfind("/") + 1
        self.base, self.name = url[:at], url[at:]

    def shown(self, name: str) -> str:
        """Return the path of a file in reports."""
        return self.base + name

    def url_of(self, name: str) -> str:
        """Return the address of a file."""
        return self.base + name

    def pin(self, commit: Optional[str]) -> None:
        """Take all other files from the commit of the index, if it is known."""


class _WebPlace(_Place):
    """A folder of a web server. What the address names is asked for as it is written there, and so is the model in one
    file that belongs to an index; names of an index are escaped. Reports show no query, which may be a signature."""

    def __init__(self, url: str) -> None:
        plain, question, query = url.partition("#")[0].partition("?")
        super().__init__(plain)
        given = [name for name in (self.name, _model.single_name(self.name)) if name is not None]
        self.escaped = {urllib.parse.unquote(name, errors="surrogateescape"): name for name in given}
        self.name = urllib.parse.unquote(self.name, errors="surrogateescape")
        self.query = question + query

    def shown(self, name: str) -> str:
        return self.base + self.escaped.get(name, name)

    def url_of(self, name: str) -> str:
        if name not in self.escaped and not _http.stays_below(name):
            raise _http.FetchError("a path leads out of the folder of the index")
        return self.base + (self.escaped[name] if name in self.escaped else urllib.parse.quote(name)) + self.query


class _HubPlace(_Place):
    """A folder of a repository of the Hub."""

    def __init__(self, url: str, client: Any) -> None:
        super().__init__(url)
        self.client, named = client, self.name or _model.HUB_NAME
        self.model, self.revision, path = _http.hub_parts(self.base + named)
        self.folder = path[:len(path) - len(named)]

    def url_of(self, name: str) -> str:
        return self.client.hub_url(self.model, self.revision, self.folder + name)

    def pin(self, commit: Optional[str]) -> None:
        self.revision = commit or self.revision


class RemoteFiles:
    """The files of a model on a server: _model.Files."""

    names: List[str] = []  # a server does not list its files

    def __init__(self, place: _Place, client: Any, get: Fetch, limits: Optional[_check.Limits], find: Any) -> None:
        self.place, self.client, self.get_part, self.limits, self.find = place, client, get, limits, find
        self.todo: Deque[str] = collections.deque()
        self.coming: "Dict[str, Future[Any]]" = {}  # files that are being fetched
        self.stopped, self.end = False, time.monotonic() + MODEL_SECONDS

    def __enter__(self) -> "RemoteFiles":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stopped = True

    def path_of(self, name: str) -> str:
        return self.place.shown(name)

    def get(self, url: str, begin: int, end: int) -> Tuple[bytes, int, Optional[str]]:
        if self.stopped or self.client.received > MODEL_MOST or time.monotonic() > self.end:
            raise _http.FetchError("the files of the model took more than 4 GB or an hour: download the model and check "
                                   "it there")
        return self.get_part(url, begin, end)

    def read(self, name: str) -> bytes:
        try:
            file = RemoteFile(self.place.url_of(name), self.get)
            file.fetch(FIRST)
            if (file.size or 0) > INDEX_MOST:
                raise _http.FetchError("the index is larger than 100 MB: download the model and check it there")
            if file.version is None:  # what comes next replaces it, and names a commit of its own
                self.client.commit = None
            data = file.fetch(file.size or 0)
        except PROBLEMS as error:
            problem = problem_of(error)
            raise (FileNotFoundError if problem.missing else OSError)(0, str(problem)) from None
        self.place.pin(self.client.commit)
        return data

    def _fetched(self, name: str) -> Union[RemoteFile, _http.FetchError]:
        try:
            file = RemoteFile(self.place.url_of(name), self.get)
            file.fetch_head(self.limits, AHEAD_MOST)
            return file
        except PROBLEMS as error:
            return problem_of(error)

    def expect(self, names: Iterable[str]) -> None:
        self.todo.extend(names)
        self._go_on()

    def _go_on(self) -> None:
        """Begin to fetch the next files."""
        while self.todo and len(self.coming) < AHEAD:
            name = self.todo.popleft()
            try:
                self.coming[name] = _begin(lambda name=name: self._fetched(name))
            except RuntimeError:  # no more threads: judge() fetches by itself
                self.todo.clear()

    def lacks(self, name: str) -> bool:
        return False  # only the server knows

    def judge_many(self, names: List[str], progress: bool) -> Iterator[_report.Report]:
        return iter(())

    def judge(self, name: str, listed: bool = False) -> Any:
        coming, shown = self.coming.pop(name, None), self.path_of(name)
        file = self._fetched(name) if coming is None else coming.result()
        self._go_on()
        try:
            if isinstance(file, RemoteFile):
                return file.judge(self.limits, shown, self.find)
        except PROBLEMS as error:
            file = problem_of(error)
        return _model.MISSING if file.missing else _check.Judged(unfetched(shown, file))


def _begin(task: Callable[[], Any]) -> "Future[Any]":
    """Run a task in a thread that does not keep the program from ending."""
    future: "Future[Any]" = Future()

    def run() -> None:
        try:
            future.set_result(task())
        except BaseException as error:  # of a fetch function of the caller
            future.set_exception(error)
    threading.Thread(target=run, daemon=True).start()
    return future


def check_model_url(url: str, *, fetch: Optional[Fetch] = None, limits: Optional[_check.Limits] = None,
                    timeout: Optional[float] = 30, token: Token = None, progress: bool = False,
                    notes: bool = False, public_only: bool = False) -> _model.ModelReport:
    """Judge a model before it is downloaded: hf://OWNER/MODEL[@REVISION], or the address of an index whose shards are
    beside it (https://, http://, hf://). Of a model on the Hub, model.safetensors.index.json is judged with its shards,
    if there is one, else model.safetensors. Only the index and the headers are fetched, eight files at a time; from the
    Hub, all of the commit that the index is of, if the Hub names it.

    Return a ModelReport, as check_model() does; raise nothing for what is invalid or can't be fetched. The files that
    are downloaded later may be others: download report.commit, or check them, too. A model of which more than 4 GB
    have to be fetched, or an hour, is not judged. fetch, timeout, token, public_only: as in check_url(); a fetch of the
    caller raises FileNotFoundError for a file that does not exist, and gets hf:// addresses as they are, without a
    commit. progress: show a bar, if tqdm is installed. notes: as in check(), at one or two more requests for each file; a server without
    ETags may answer them from another version. O(bytes of all headers and the index).
    """
    web = url.lower().startswith(("http://", "https://"))
    find, client = _notes.find_inside if notes else None, _http.Client(token, timeout, public_only)
    try:
        if public_only and fetch is not None:
            raise _http.FetchError(NOT_OURS)
        if fetch is None and not web and not is_hub_address(url):
            raise _http.FetchError("addresses of this kind need a fetch= of yours")
        place = _WebPlace(url) if web else _Place(url) if fetch is not None else _HubPlace(url, client)
    except _http.FetchError as error:
        return _model.unjudged(url, "can't be fetched: %s" % reason_of(error))
    with RemoteFiles(place, client, getter(fetch, client), limits, find) as files:
        if place.is_repository:
            report = _model.judge_repository(url, files, progress)
        else:
            report = _model.judge_named(place.name, files, progress)
        return dataclasses.replace(report, commit=client.commit)
