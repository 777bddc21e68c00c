"""What assay.numpy and assay.torch share: the official package reads, assay judges."""
from . import _check, _report, guard

try:
    safe_open = guard.guard_open(guard.official("safe_open"), _report.Report.require)
except ImportError as error:
    raise ImportError("assay.numpy and assay.torch read through the official package: "
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
