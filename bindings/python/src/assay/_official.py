"""What assay.numpy and assay.torch share: the official package reads and writes, assay judges."""
import dataclasses
import os
import secrets

from . import _check, _report, guard

try:
    safe_open = guard.guard_open(guard.official("safe_open"), _report.Report.require)
except ImportError as error:
    raise ImportError("assay.numpy and assay.torch read and write through the official package: "
                      "pip install safetensors") from error


def load(official, data):
    """Judge bytes, and return what the official `load` makes of them."""
    _check.judge(memoryview(data).cast("B")).report.require()
    return official(data)


def load_file(filename, framework, **options):
    """Judge a file, and return all its tensors, read by the official package from the same open file."""
    with safe_open(filename, framework=framework, **options) as file:
        if hasattr(file, "get_tensors"):
            return file.get_tensors()
        return {name: file.get_tensor(name) for name in file.keys()}


def save(official, tensors, metadata):
    """Return the bytes that the official `save` makes, judged."""
    data = official(tensors, metadata=metadata)
    _accept(_check.judge(data), None, tensors)
    return data


def save_file(official, tensors, filename, metadata):
    """Write a file by the official `save_file`, judge it, and only then give it the name.

    It is written beside the old file, under another name, and takes its place in one step: whatever happens, there is
    the old file or the new one, whole. It is on the disk when this function returns. The mode of the old file is kept;
    a symbolic link stays, and what it points to is replaced. Other hard links to the old file keep its content.
    """
    path = os.path.realpath(os.fsdecode(filename))
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError("%s: is not a file: name a file to write" % _report.printable(path))
    folder, name = os.path.split(path)
    beside = os.path.join(folder, ".%s.%s.tmp" % (name[:200], secrets.token_hex(6)))
    mode = _reserve(beside, path)
    try:
        official(tensors, beside, metadata=metadata)
        descriptor = os.open(beside, os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
                             | getattr(os, "O_NOFOLLOW", 0))
        try:
            _accept(_check.judge_descriptor(descriptor, None, path), path, tensors)
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(beside, path)
    except BaseException:
        try:
            os.unlink(beside)
        except OSError:
            pass  # it was never written, or the folder is gone
        raise
    _sync_folder(folder)


def _reserve(beside, path):
    """Make the file that is written to; return the mode that it gets in the end."""
    try:
        descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise type(error)(error.errno, "can't write a file in the folder of the new one: %s" % error.strerror,
                          path) from None
    try:
        return (os.stat(path) if os.path.exists(path) else os.fstat(descriptor)).st_mode & 0o7777
    finally:
        os.close(descriptor)


def _sync_folder(folder):
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


def _accept(judged, path, tensors):
    """Raise unless what was written is valid and has exactly these tensors."""
    report = judged.report
    if not report.valid:
        report = dataclasses.replace(report, path=path, message="what was written is not valid, and was removed: "
                                     + report.message)
    report.require()
    if set(judged.view.names()) != set(tensors):
        raise RuntimeError("what was written does not have the names that were asked for, and was removed")
