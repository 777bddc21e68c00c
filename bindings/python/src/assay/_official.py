"""What assay.numpy and assay.torch share: the official package reads and writes, assay judges."""
import dataclasses

from . import _check, _replace, _report, guard

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
    with _replace.replaced(filename) as draft:
        official(tensors, draft.beside, metadata=metadata)
        _accept(_check.judge_descriptor(draft.descriptor(), None, draft.path), draft.path, tensors)


def _accept(judged, path, tensors):
    """Raise unless what was written is valid and has exactly these tensors."""
    report = judged.report
    if not report.valid:
        report = dataclasses.replace(report, path=path, message="what was written is not valid, and was removed: "
                                     + report.message)
    report.require()
    if set(judged.view.names()) != set(tensors):
        raise RuntimeError("what was written does not have the names that were asked for, and was removed")
