"""`safetensors.numpy`, judged: change the import, and every file that is read or written is judged by assay.

    from assay.numpy import load, load_file, safe_open, save, save_file

The official package reads, and assay writes: canonical files, by assay.save and assay.save_file. A file that is not
valid is refused by a SafetensorError. What is written takes the place of an old file only when it is valid and on the
disk. Arrays that are not contiguous are copied first: the official package writes the wrong elements of them.
"""
from os import PathLike
from typing import Any, Dict, Optional, Union

import numpy

from . import _official, _write
from ._official import safe_open
from ._report import printable

import safetensors.numpy as _numpy  # isort: skip  (after _official, which says what to install)

__all__ = ["load", "load_file", "safe_open", "save", "save_file"]


def load(data: bytes) -> Dict[str, numpy.ndarray]:
    """Return the arrays in the bytes of a file."""
    return _official.load(_numpy.load, data)


def load_file(filename: Union[str, "PathLike[str]"], **options: Any) -> Dict[str, numpy.ndarray]:
    """Return the arrays in a file. options: those of the official function, such as backend="pread"."""
    return _official.load_file(filename, "np", **options)


def save(tensor_dict: Dict[str, numpy.ndarray], metadata: Optional[Dict[str, str]] = None) -> bytes:
    """Return the bytes of a file with these arrays. Raise assay.WriteError if no valid file holds them."""
    return _write.save(_arrays(tensor_dict), metadata)


def save_file(tensor_dict: Dict[str, numpy.ndarray], filename: Union[str, "PathLike[str]"],
              metadata: Optional[Dict[str, str]] = None) -> None:
    """Write arrays to a file, which is replaced in one step. Raise assay.WriteError if no valid file holds them."""
    _write.save_file(_arrays(tensor_dict), filename, metadata, force=True)


def _arrays(arrays):
    for name, array in arrays.items():
        if not isinstance(array, numpy.ndarray):
            raise ValueError('"%s" is not a numpy.ndarray, but %s' % (printable(str(name)), type(array).__name__))
    return arrays
