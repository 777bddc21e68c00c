"""Appending in place, with the journal of `assay edit --in-place`: a crash at any moment leaves the old file, the new one,
or one that is refused and that recover() or `assay edit --recover` repairs.

The journal is described in src/cli/edit_journal.h. While data are appended, it has the old head alone; in the end it
has both heads. From the first byte of data on, until the new head is complete, the header length is one that every
reader refuses: those too that ignore bytes after the data.
"""
import contextlib
import os
import struct
import zlib

from . import _check, _replace, _report

MAGIC = b"assay-journal-1\n"
NUMBERS = struct.Struct("<6Q")  # old and new size of the file, of the head; inode; segments
BEFORE = 72
UNFINISHED = b"\xff" * 8  # a header length that every reader refuses
SIZE_MAX = (1 << 63) - 1  # the new size while it is not known


def _lock(descriptor, path):
    """Keep other processes from appending to the file or recovering it, until the descriptor is closed."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError("%s: another process appends to it: wait until that ends" % _report.printable(path)) from None
    except OSError:
        pass  # a file system without locks


def _write_journal(path, sizes, heads, inode):
    """Write the journal, in the place of one that is there. It is on the disk afterwards."""
    begin = MAGIC + NUMBERS.pack(*sizes, len(heads[0]), len(heads[1]), inode, 0)
    rest = heads[0] + heads[1]
    with _replace.replaced(_replace.journal_of(path), 0o600, force=True) as draft:
        _replace.write_all(draft.descriptor(), begin + struct.pack("<Q", zlib.crc32(rest, zlib.crc32(begin))) + rest)


def _remove_journal(path):
    os.unlink(_replace.journal_of(path))
    _replace.sync_folder(os.path.dirname(path))


def _put(descriptor, offset, data):
    os.lseek(descriptor, offset, os.SEEK_SET)
    _replace.write_all(descriptor, data)


def _put_synced(descriptor, offset, data):
    _put(descriptor, offset, data)
    os.fsync(descriptor)


def _put_head(descriptor, head, size):
    """Write a head. Before its length is there, the file gets its size, and has a length that no reader accepts."""
    _put_synced(descriptor, 0, UNFINISHED)
    os.ftruncate(descriptor, size)
    _put_synced(descriptor, 8, head[8:])
    _put_synced(descriptor, 0, head[:8])


class Appended:
    """A file to which data are appended in place. Call finish() or undo() in the end."""

    def __init__(self, path, head, size):
        """head, size: those of the file, which is valid."""
        self.path, self._head, self._size, self._marked = path, head, size, False
        if os.stat(path).st_nlink > 1:
            raise OSError("%s: has other names (hard links), which would change too" % _report.printable(path))
        self._descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
                                   | getattr(os, "O_NOFOLLOW", 0))
        try:
            _lock(self._descriptor, path)
            _replace.require_none(path)
            now = os.fstat(self._descriptor)
            if now.st_size != size or os.read(self._descriptor, len(head)) != head:
                raise OSError("%s: changed in the meantime" % _report.printable(path))
            self._inode = now.st_ino
            _write_journal(path, (size, SIZE_MAX), (head, b""), self._inode)
        except BaseException:
            os.close(self._descriptor)
            raise

    def write(self, data):
        if not self._marked:
            _put_synced(self._descriptor, 0, UNFINISHED)
            os.lseek(self._descriptor, 0, os.SEEK_END)
            self._marked = True
        _replace.write_all(self._descriptor, data)

    def finish(self, head, size):
        """Write the new head, which is as long as the old one. size: of the file."""
        if len(head) != len(self._head) or os.fstat(self._descriptor).st_size != size:
            raise RuntimeError("assay: the head is not that of the file")
        os.fsync(self._descriptor)
        _write_journal(self.path, (self._size, size), (self._head, head), self._inode)
        _put_head(self._descriptor, head, size)
        self._head = None  # the new file is complete: nothing is undone from here on
        _remove_journal(self.path)
        self._close()

    def undo(self):
        """Restore the old file, unless the new one is complete."""
        try:
            if self._head is not None:
                _put_head(self._descriptor, self._head, self._size)
                _remove_journal(self.path)
        finally:
            self._close()

    def _close(self):
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


# ---- Recovery --------------------------------------------------------------------------------------------------------

def recover(filename: _check.Path) -> None:
    """Repair a file by its journal, after an edit or append in place that did not end: restore the old file, unless the
    new one is complete. Raise OSError if there is no journal, or it does not fit the file."""
    path = os.path.realpath(os.fsdecode(filename))
    _read_journal(path)  # without one there may be no file either
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, descriptor)
        _lock(descriptor, path)
        sizes, heads, inode = _read_journal(path)
        now = os.fstat(descriptor)
        if now.st_ino != inode or not sizes[0] <= now.st_size <= sizes[1]:
            raise OSError("%s: its journal is about another file: remove it, if the file was replaced" % _report.printable(path))
        found = os.read(descriptor, len(heads[0]))
        if not (found == heads[1] and now.st_size == sizes[1]) and not (found == heads[0] and now.st_size == sizes[0]):
            new = heads[1] or heads[0]
            if len(found) != len(new) or not all(byte in (old, new[at], 255 if at < 8 else old)
                                                 for at, (byte, old) in enumerate(zip(found, heads[0]))):
                raise OSError("%s: its header is neither of those in the journal" % _report.printable(path))
            _put_head(descriptor, heads[0], sizes[0])
        os.fsync(descriptor)
        _remove_journal(path)


def _read_journal(path):
    """Return both sizes, both heads and the inode."""
    name = _report.printable(path)
    try:
        with open(_replace.journal_of(path), "rb") as file:
            text = file.read()
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "there is no journal of an edit: nothing has to be recovered", path) from None
    if len(text) < BEFORE or text[:16] != MAGIC:
        raise OSError("%s: its journal is not one of assay" % name)
    old_size, new_size, old_head, new_head, inode, segments = NUMBERS.unpack_from(text, 16)
    if struct.unpack_from("<Q", text, 64)[0] != zlib.crc32(text[BEFORE:], zlib.crc32(text[:64])):
        raise OSError("%s: its journal is damaged" % name)
    if segments or new_head > old_head:
        raise OSError("%s: blocks were inserted: run `assay edit --recover` on it" % name)
    heads = text[BEFORE:BEFORE + old_head], text[BEFORE + old_head:]
    if len(heads[0]) != old_head or len(heads[1]) != new_head or new_head not in (0, old_head):
        raise OSError("%s: its journal is damaged" % name)
    for head, size in zip(heads, (old_size, new_size)):
        if head and not _check.judge_head(head, size).report.valid:
            raise OSError("%s: a header in its journal is not valid" % name)
    return (old_size, new_size), heads, inode
