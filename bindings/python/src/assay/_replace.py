"""Files that take their name in one step: the old file or the new one is there, whole, whatever happens."""
import contextlib
import errno
import os
import secrets

from . import _report

COPY_MOST = 1 << 24  # bytes that are copied at once
BLOCK_MOST = 1 << 16  # bytes: no file system has larger blocks that can be shared
_ACCESS_LIST = "system.posix_acl_access"
_NO_LIST = (getattr(errno, "ENODATA", None), errno.EOPNOTSUPP, errno.ENOSYS)  # there is none, or can't be


class Draft:
    """A file that is being written beside the one that it replaces. path: the name that it gets; beside: its name
    until then."""

    def __init__(self, path, beside):
        self.path, self.beside, self._descriptor = path, beside, None

    def descriptor(self):
        """Return a descriptor of the file, open for reading and writing until the file gets its name."""
        if self._descriptor is None:
            self._descriptor = os.open(self.beside, os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
                                       | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
        return self._descriptor

    def close(self):
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_blob(path):
    """Return whether a file is one of those that a hub cache keeps for several names."""
    folder = os.path.dirname(path)
    return os.path.basename(folder) == "blobs" and "--" in os.path.basename(os.path.dirname(folder))


def journal_of(path):
    """Return the name of the journal that an edit or append in place of this file has."""
    return path + ".assay-journal"


def require_none(path):
    """Raise if an edit in place of this file did not end."""
    if os.path.lexists(journal_of(path)):
        raise OSError("%s: an edit in place did not end: call assay.recover on it first, or remove the journal if the "
                      "file was replaced" % _report.printable(path))


@contextlib.contextmanager
def replaced(filename, most=0o666, force=False):
    """Give a Draft, which takes the place of the file of that name when the block ends without an exception.

    It is written beside the old file and takes its place in one step. It is on the disk when the block has ended. The
    mode and, where the system permits it, owner and group of the old file are kept; where there is none, the file gets
    at most the rights of `most`, less the umask. A symbolic link stays, and what it points to is replaced; a blob of a
    hub cache is not. force: replace a file that has other names (hard links), too; those keep the old content.
    """
    path = os.path.realpath(os.fsdecode(filename))
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError("%s: is not a file: name a file to write" % _report.printable(path))
    if os.path.exists(path) and is_blob(path):
        raise OSError("%s: is a file of a hub cache, whose name is the hash of its bytes: write another file"
                      % _report.printable(path))
    if not force and os.path.exists(path) and os.stat(path).st_nlink > 1:
        raise OSError("%s: has other names (hard links), which would keep the old content: pass force=True to replace "
                      "it" % _report.printable(path))
    require_none(path)
    folder = os.path.dirname(path)
    draft = Draft(path, os.path.join(folder, ".assay-%s.tmp" % secrets.token_hex(8)))
    mode = _reserve(draft.beside, path, most)
    try:
        yield draft
        descriptor = draft.descriptor()
        _keep_access(path, descriptor)
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode & ~_lost(path, descriptor))
        os.fsync(descriptor)
        draft.close()
        os.replace(draft.beside, path)
    except BaseException:
        draft.close()
        with contextlib.suppress(OSError):  # it was never written, or the folder is gone
            os.unlink(draft.beside)
        raise
    sync_folder(folder)


def _lost(path, descriptor):
    """Give the new file owner and group of the old one. Return the rights that it must not get, because it has
    others."""
    lost = 0
    if os.path.exists(path):
        old, new = os.stat(path), os.fstat(descriptor)
        for same, owner, group, rights in ((old.st_gid == new.st_gid, -1, old.st_gid, 0o2070),
                                           (old.st_uid == new.st_uid, old.st_uid, -1, 0o4000)):
            try:
                if not same:
                    os.fchown(descriptor, owner, group)
            except OSError:
                lost |= rights
    return lost


def _reserve(beside, path, most):
    """Make the file that is written to; return the mode that it gets in the end. Until then nobody else may open it, if
    it replaces a file."""
    first = 0o600 if os.path.exists(path) else most | 0o600  # it is opened again to be written
    try:
        descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), first)
    except OSError as error:
        raise type(error)(error.errno, "can't write a file in the folder of the new one: %s" % error.strerror,
                          path) from None
    try:
        return os.stat(path).st_mode & 0o7777 if os.path.exists(path) else os.fstat(descriptor).st_mode & most
    finally:
        os.close(descriptor)


def _keep_access(path, descriptor):
    """Give the new file the access control list of the old one, or none if that has none: it may have one from the
    folder. Without that, the mode would mean something else."""
    if not hasattr(os, "setxattr") or not os.path.exists(path):
        return
    try:
        try:
            listed = os.getxattr(path, _ACCESS_LIST)
        except OSError as error:
            if error.errno not in _NO_LIST:
                raise
            os.removexattr(descriptor, _ACCESS_LIST)
        else:
            os.setxattr(descriptor, _ACCESS_LIST, listed)
    except OSError as error:
        if error.errno not in _NO_LIST:
            raise


def sync_folder(folder):
    """Write the new entry of a folder to the disk, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # a file system that has no such thing
    finally:
        os.close(descriptor)


def write_all(descriptor, data):
    """Write all bytes of a buffer at the position of a descriptor."""
    data = memoryview(data).cast("B") if len(data) else b""
    while len(data):
        data = data[os.write(descriptor, data[:COPY_MOST]):]


def copy_rest(source, offset, size, target):
    """Copy size bytes from an offset of one descriptor to the position of another, within the file system if it can
    (then blocks may be shared). Raise OSError if there are fewer."""
    while size:
        most = BLOCK_MOST - offset % BLOCK_MOST if offset % BLOCK_MOST else 1 << 30  # then from a block on
        count = _copied(source, offset, min(size, most), target)
        if count == 0:
            raise OSError("the file became shorter while it was copied")
        offset, size = offset + count, size - count


def _copied(source, offset, size, target):
    if hasattr(os, "copy_file_range"):
        try:
            return os.copy_file_range(source, target, size, offset)
        except OSError:
            pass  # not between these two files
    if hasattr(os, "pread"):
        data = os.pread(source, min(size, COPY_MOST), offset)
    else:
        os.lseek(source, offset, os.SEEK_SET)
        data = os.read(source, min(size, COPY_MOST))
    write_all(target, data)
    return len(data)
