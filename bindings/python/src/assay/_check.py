"""Judging files: paths, descriptors, open files, bytes."""
import io
import os
import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, BinaryIO, Iterable, Iterator, List, Optional, Union

from . import _native, _notes, _report

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, int, bytes, bytearray, memoryview, BinaryIO]  # an int is a file descriptor


@dataclass(frozen=True)
class Limits:
    """What a caller is ready to read; None: no limit but those of the format. A file beyond a limit is not judged."""

    header_bytes: Optional[int] = None
    tensors: Optional[int] = None
    rank: Optional[int] = None
    name_bytes: Optional[int] = None
    metadata_pairs: Optional[int] = None

    def __post_init__(self) -> None:
        for name, limit in self.__dict__.items():
            if limit is not None and not 0 <= limit < 2**64:
                raise ValueError("%s: a limit is a number from 0 to 2**64 - 1, or None, not %r" % (name, limit))

    def numbers(self) -> Any:
        return _native.Limits(*(_native.NONE if limit is None else limit for limit in (
            self.header_bytes, self.tensors, self.rank, self.name_bytes, self.metadata_pairs)))


class Judged:
    """A head that was judged: its report, and the view if it is valid."""

    __slots__ = ("report", "view")

    def __init__(self, report, view=None):
        self.report, self.view = report, view

    def only_report(self):
        """Return the report. The view is of no use any more: its memory is used again."""
        if self.view is not None:
            self.view.release()
            self.view = None
        return self.report


def judge_head(head, file_bytes, limits=None, path=None):
    """Judge a file by its first bytes and its size."""
    out = _native.Out()
    head = bytes(head)
    view = _native.parse(head, file_bytes, limits and limits.numbers(), out)
    return Judged(_report.of_numbers(path, head, file_bytes, out), view)


def judge_reader(read_at, file_bytes, limits=None, path=None, find=None):
    """Judge a file of which read_at(offset, size) returns bytes, fewer at its end. The header is copied once, so that
    a file that changes meanwhile can't show two faces. find: a function of _notes, which looks for notes, or None."""
    first = read_at(0, min(8, file_bytes))
    size = 8 + int.from_bytes(first, "little")
    limited = limits and limits.header_bytes is not None and size - 8 > limits.header_bytes
    if len(first) < 8 or size > min(_native.HEAD_MAX, file_bytes) or limited:
        return judge_head(first, file_bytes, limits, path)  # the length alone decides
    head = read_at(0, size)
    if len(head) < size or head[:8] != first:
        return Judged(_report.not_judged(path, "the file became shorter while it was read" if len(head) < size else
                                         "the file changed while it was read", file_bytes=file_bytes))
    judged = judge_head(head, file_bytes, limits, path)
    if find is not None and judged.view is not None:
        try:
            judged.report.__dict__["notes"] = find(judged.view, read_at, path)
        except OSError as error:
            return Judged(_report.not_judged(path, "can't be read: %s" % (error.strerror or error),
                                             file_bytes=file_bytes))
    return judged


def reader_of(descriptor):
    """Return read_at(offset, size) for an open file."""
    if not hasattr(os, "pread"):  # Windows: the position of the descriptor changes
        return _seeked(os.fdopen(descriptor, "rb", closefd=False))

    def read_at(offset, size):
        part = os.pread(descriptor, size, offset)
        if len(part) == size:
            return part
        parts = [part]
        offset, size = offset + len(part), size - len(part)
        while part and size > 0:
            part = os.pread(descriptor, size, offset)
            if not part:
                break
            parts.append(part)
            offset, size = offset + len(part), size - len(part)
        return b"".join(parts)
    return read_at


def _seeked(file):
    def read_at(offset, size):
        file.seek(offset)
        data = file.read(size)
        while len(data) < size:
            more = file.read(size - len(data))
            if not more:
                break
            data += more
        return data
    return read_at


KINDS = [(stat.S_ISDIR, "is a folder: name the files in it"), (stat.S_ISFIFO, "is a pipe, not a file"),
         (stat.S_ISSOCK, "is a socket, not a file"), (stat.S_ISCHR, "is a device, not a file"),
         (stat.S_ISBLK, "is a device, not a file")]


def judge_descriptor(descriptor, limits=None, path=None, find=None):
    """Judge an open file. Its position does not change, but on Windows."""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = next((words for test, words in KINDS if test(status.st_mode)), None)
            if kind:
                return Judged(_report.not_judged(path, kind))
        return judge_reader(reader_of(descriptor), status.st_size, limits, path, find)
    except (OSError, OverflowError) as error:  # OverflowError: no descriptor is so large
        return Judged(_report.not_judged(path, "can't be read: %s" % (getattr(error, "strerror", None) or error)))


LEASE_SECONDS = 5
FLAGS = os.O_RDONLY
for _name in ("O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "O_NOCTTY"):
    FLAGS |= getattr(os, _name, 0)


def open_descriptor(path):
    """Open a file for reading, without waiting for a pipe. Raise OSError. A program that holds a lease on the file, as
    `assay edit --in-place` does for a moment, has LEASE_SECONDS to give it back."""
    for _ in range(LEASE_SECONDS * 100):
        try:
            return os.open(path, FLAGS)
        except BlockingIOError:
            time.sleep(0.01)
    return os.open(path, FLAGS)


def judge_path(path, limits=None, find=None):
    shown = os.fsdecode(path)
    try:
        descriptor = open_descriptor(path)
    except OSError as error:
        advice = ": addresses are judged by assay.check_url()" if ADDRESS.match(shown) else ""
        return Judged(_report.not_judged(shown, "can't be opened: %s%s" % (error.strerror, advice)))
    except ValueError as error:  # a NUL in the path
        return Judged(_report.not_judged(shown, "can't be opened: %s" % error))
    try:
        return judge_descriptor(descriptor, limits, shown, find)
    finally:
        os.close(descriptor)


def judge(source, limits=None, find=None):
    """Judge a path, an int (a file descriptor), bytes, or a binary file."""
    if isinstance(source, (str, os.PathLike)):
        return judge_path(source, limits, find)
    if isinstance(source, bool):
        raise TypeError("check() takes a path, a file descriptor, bytes, or a binary file, not bool")
    if isinstance(source, int):
        return judge_descriptor(source, limits, None, find)
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = memoryview(source).cast("B")
        return judge_reader(lambda offset, size: bytes(data[offset:offset + size]), len(data), limits, None, find)
    if isinstance(source, io.TextIOBase):
        raise TypeError("check() takes a file that is open for bytes: open(path, 'rb')")
    if hasattr(source, "seek") and hasattr(source, "read"):
        before = source.tell()
        try:
            size = source.seek(0, os.SEEK_END)
            name = getattr(source, "name", None)
            return judge_reader(_seeked(source), size, limits, name if isinstance(name, str) else None, find)
        finally:
            source.seek(before)
    raise TypeError("check() takes a path, a file descriptor, bytes, or a binary file, not %s" % type(source).__name__)


def check(source: Source, *, limits: Optional[Limits] = None, notes: bool = False) -> _report.Report:
    """Judge a safetensors file: a path, a file descriptor, bytes of the whole file, or a binary file.

    Only the header is read. Return a Report; raise nothing for a file that is invalid or can't be read. For a valid
    file, report.valid is True; report.require() raises for all others. notes=True: look for what is suspicious about a
    valid file, too; report.notes has it, and 66 kB more of the file are read.
    """
    return judge(source, limits, _notes.find if notes else None).only_report()


def check_head(head: bytes, file_bytes: int, *, limits: Optional[Limits] = None) -> _report.Report:
    """Judge a file by its first bytes, 8 + N of them, and its size, for example those of an HTTP range. If there are
    too few, the report is "not judged", rule N1, and report.expected is the number of bytes that are needed."""
    return judge_head(head, file_bytes, limits).only_report()


def check_many(sources: Iterable[Source], *, threads: Optional[int] = None, limits: Optional[Limits] = None,
               progress: bool = False, notes: bool = False) -> Iterator[_report.Report]:
    """Judge many files at a time. Yield a Report for each, in the order of the sources. progress: show a bar, if tqdm
    is installed. notes: as in check()."""
    return judge_many(list_of(sources, "paths"), threads, limits, progress, _notes.find if notes else None)


def list_of(given: Iterable[Any], what: str) -> List[Any]:
    """Return a list of what is given. One text is not a list of its letters."""
    if isinstance(given, (str, bytes)):
        raise TypeError("give a list of %s: [%r]" % (what, given))
    return list(given)


def judge_many(sources, threads=None, limits=None, progress=False, find=None):
    with ThreadPoolExecutor(threads) as pool:
        reports = pool.map(lambda source: judge(source, limits, find).only_report(), sources)
        yield from with_bar(reports, len(sources), progress)


def with_bar(steps, count, progress):
    """Return the same steps, with a bar of tqdm if that is wanted and installed."""
    if progress:
        try:
            from tqdm import tqdm
        except ImportError:
            return steps
        return tqdm(steps, total=count, unit="file")
    return steps
