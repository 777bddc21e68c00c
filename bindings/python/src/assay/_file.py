"""Opening a valid file: a mapping of its tensors."""
import errno
import io
import math
import mmap
import os
import platform
import sys
import tempfile
import types
from collections.abc import ItemsView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple

from . import _check, _native, _notes, _report, _show

if TYPE_CHECKING:
    from numpy import ndarray
    from torch import Tensor as TorchTensor

# dtype: its type in NumPy; in ml_dtypes, if NumPy has none; in torch.
TYPES = {
    "BOOL": ("bool", None, "bool"), "U8": ("uint8", None, "uint8"), "I8": ("int8", None, "int8"),
    "U16": ("uint16", None, "uint16"), "I16": ("int16", None, "int16"), "U32": ("uint32", None, "uint32"),
    "I32": ("int32", None, "int32"), "U64": ("uint64", None, "uint64"), "I64": ("int64", None, "int64"),
    "F16": ("float16", None, "float16"), "F32": ("float32", None, "float32"), "F64": ("float64", None, "float64"),
    "C64": ("complex64", None, "complex64"), "BF16": (None, "bfloat16", "bfloat16"),
    "F8_E4M3": (None, "float8_e4m3fn", "float8_e4m3fn"), "F8_E5M2": (None, "float8_e5m2", "float8_e5m2"),
    "F8_E8M0": (None, "float8_e8m0fnu", "float8_e8m0fnu"),
    "F8_E4M3FNUZ": (None, "float8_e4m3fnuz", "float8_e4m3fnuz"),
    "F8_E5M2FNUZ": (None, "float8_e5m2fnuz", "float8_e5m2fnuz"),
}


# Keys of the metadata, or their beginnings, that have a meaning of their own: they name no tensor.
KNOWN_KEY, KNOWN_KEYS = "format", ("modelspec.", "ss_", "sshs_")


def may_be_alias(key):
    """Return whether a metadata key can be the name of a tensor that the file does not hold."""
    return key != KNOWN_KEY and not key.startswith(KNOWN_KEYS)


def open(source: _check.Source, *, access: str = "map", limits: Optional[_check.Limits] = None) -> "File":
    """Judge a file and open it: a path, a file descriptor, bytes, or a binary file. Raise InvalidError or
    NotJudgedError (an OSError of the system is a NotJudgedError too).

    The result is a mapping from names to tensors, in the order of their bytes in the file. access "map" maps the file
    privately: nothing is copied, and what is written to a tensor changes no file; while it is in use, the file must not
    become shorter. access "read" reads each tensor when it is asked for.
    """
    if access not in ("map", "read"):
        raise ValueError('access is "map" or "read", not %r' % (access,))
    if isinstance(source, (str, os.PathLike)):
        path = os.fsdecode(source)
        try:
            descriptor = _check.open_descriptor(source)
        except (OSError, ValueError) as error:  # ValueError: a NUL, or half a surrogate pair
            _not_opened(path, error)
        return _opened(descriptor, path, access, limits)
    if isinstance(source, int) and not isinstance(source, bool):
        try:
            descriptor = os.dup(source)
        except (OSError, OverflowError) as error:
            _not_opened(None, error)
        return _opened(descriptor, None, access, limits)
    if isinstance(source, io.TextIOBase):
        raise TypeError("open() takes a file that is open for bytes: open(path, 'rb')")
    descriptor = _descriptor_of(source)
    if descriptor is not None:
        name = getattr(source, "name", None)
        return _opened(os.dup(descriptor), name if isinstance(name, str) else None, access, limits)
    if hasattr(source, "read"):
        source.seek(0)
        source = source.read()
    data = memoryview(source).cast("B")
    judged = _check.judge(data, limits)
    judged.report.require()
    return File(judged, data=data)


def _not_opened(path, error):
    _report.not_judged(path, "can't be opened: %s" % (getattr(error, "strerror", None) or error)).require()


def _descriptor_of(source):
    """Return the descriptor of a file object whose bytes are those of the system's file, or None: those of gzip.open()
    are others. What is still in its buffer is written first."""
    file = source.file if isinstance(source, tempfile._TemporaryFileWrapper) else source
    raw = getattr(file, "raw", file)
    if not isinstance(raw, io.FileIO) or not isinstance(file, (io.FileIO, io.BufferedReader, io.BufferedRandom)):
        return None
    file.flush()
    return file.fileno()


def _opened(descriptor, path, access, limits):
    try:
        judged = _check.judge_descriptor(descriptor, limits, path)
        judged.report.require()
        return File(judged, descriptor=descriptor, access=access)
    except BaseException:
        os.close(descriptor)
        raise


# The machines on which Linux has this number for MAP_NORESERVE, which Python has from 3.13 on.
_MACHINES = ("x86_64", "i686", "aarch64", "armv7l", "armv8l", "riscv64", "s390x", "loongarch64")
_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" and platform.machine() in _MACHINES else 0)


def _mapped(descriptor):
    """Map a file privately, so that it can be written to; also if it is larger than the memory."""
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    except OSError as error:
        if error.errno != errno.ENOMEM or not _NO_RESERVE:
            raise
    return mmap.mmap(descriptor, 0, flags=mmap.MAP_PRIVATE | _NO_RESERVE, prot=mmap.PROT_READ | mmap.PROT_WRITE)


class File(Mapping[str, "Tensor"]):
    """The tensors of a valid file by their names, in the order of their bytes. report: the Report; metadata: a dict of
    strings, None if the header has no __metadata__; aliases: a mapping from names to names of tensors."""

    def __reduce__(self):
        raise TypeError("an open file can't be copied: open it again")

    __copy__ = __reduce__

    report: _report.Report

    def __init__(self, judged: Any, data: Any = None, descriptor: Optional[int] = None, access: str = "map") -> None:
        self.report, self._view, self._data, self._descriptor = judged.report, judged.view, data, descriptor
        self._access, self._closed = access, False
        self._all_rows = self._names = self._tensors = None
        self._metadata = NotImplemented
        self._aliases = None

    @property
    def metadata(self) -> Optional[Dict[str, str]]:
        if self._metadata is NotImplemented:
            self._metadata = self._view.pairs()
        return self._metadata

    @property
    def aliases(self) -> Mapping[str, str]:
        """{name: name of a tensor}: names that the file does not hold, of which the metadata record that they shared
        the storage of a tensor that it holds. Which part of it, and in which shape, is not recorded, so file[name]
        raises KeyError; where a loader knows that both are the same, file[file.aliases[name]] is the tensor."""
        if self._aliases is None:
            find = self._view.find
            self._aliases = types.MappingProxyType(
                {key: value for key, value in (self.metadata or {}).items()
                 if may_be_alias(key) and find(value) is not None
                 and find(key) is None})
        return self._aliases

    def _rows(self):
        if self._all_rows is None:
            self._all_rows = self._view.rows()
        return self._all_rows

    def _list(self):
        """Return the names. They are decoded once, and no tensor is made for that."""
        if self._names is None:
            self._names = self._view.names(self._rows())
        return self._names

    def _table(self):
        """Return {name: (dtype, shape, begin, end, index)}. It holds no Tensor, which holds this file: nobody would
        close the file that is dropped without close() before the garbage collector comes by."""
        if self._tensors is None:
            self._tensors = self._view.table(self._rows(), self._list())
        return self._tensors

    def __getitem__(self, name: str) -> "Tensor":
        if self._tensors is not None:
            return Tensor(self, name, *self._tensors[name])
        row = self._view.find(name) if isinstance(name, str) else None
        if row is None:
            raise KeyError(name)
        numbers = row.numbers()
        begin, end, dtype, rank, index = (numbers[column] for column in _native.COLUMNS)
        return Tensor(self, name, dtype, tuple(self._view.dims(row, 1, rank)), begin, end, index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._list())

    def __len__(self) -> int:
        return self.report.tensors or 0

    def items(self) -> ItemsView[str, "Tensor"]:
        self._table()  # of all at once
        return super().items()

    def values(self) -> ValuesView["Tensor"]:
        self._table()
        return super().values()

    def notes(self) -> Tuple[_notes.Note, ...]:
        """Return what is suspicious about the file: a tuple of Note, as in check(..., notes=True). Raise OSError if the
        first bytes of the data or the last of the file can't be read."""
        if self._closed:
            raise ValueError("the file is closed")
        if self.report.notes is not None:
            return self.report.notes
        if self._descriptor is not None:
            read_at = _check.reader_of(self._descriptor)
        else:
            read_at = lambda offset, size: bytes(self.bytes_at(offset, offset + size))  # noqa: E731
        return _notes.find(self._view, read_at, self.report.path)

    def bytes_at(self, begin: int, end: int) -> memoryview:
        """Return bytes of the file as a memoryview: writable and private if the file is mapped."""
        if self._closed:
            raise ValueError("the file is closed")
        if self._data is None and self._access == "map":
            if os.fstat(self._descriptor).st_size == 0:
                raise OSError("the file became shorter after it was judged")
            self._data = memoryview(_mapped(self._descriptor))
        if self._data is not None:
            data = self._data[begin:end]
        else:
            data = memoryview(bytearray(_check.reader_of(self._descriptor)(begin, end - begin)))
        if len(data) < end - begin:
            raise OSError("the file became shorter after it was judged")
        return data

    def close(self) -> None:
        """Close the file. Tensors that were made of it stay usable: the mapping ends with the last of them."""
        if self._descriptor is not None and not self._closed:
            os.close(self._descriptor)
        self._closed, self._data = True, None

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self):
        if not getattr(self, "_closed", True):
            self.close()

    def __repr__(self):
        lines = ["<assay.File %s: %s>" % (_report.printable(self.report.path or "of bytes"), self.report.message)]
        tensors = list(self.values())
        shown = [(_report.printable(t.name), t.dtype, str(list(t.shape)), _show.size_text(t.nbytes))
                 for t in tensors[:_show.ROWS]]
        widths = [min(60, max((len(row[k]) for row in shown), default=0)) for k in range(4)]
        lines += ["  %-*s  %-*s  %-*s  %*s" % tuple(x for pair in zip(widths, row) for x in pair) for row in shown]
        if len(tensors) > len(shown):
            lines.append("  ... %d more" % (len(tensors) - len(shown)))
        return "\n".join(lines)

    def _repr_html_(self):
        return _show.file_html(self)


class Tensor:
    """One tensor of a file: its name, dtype ("F32"), shape, and from which byte of the file to which it is."""

    __slots__ = ("file", "name", "dtype", "shape", "begin", "end", "index")
    file: File
    name: str
    dtype: str
    shape: Tuple[int, ...]
    begin: int
    end: int
    index: int  # in the header

    def __init__(self, file: File, name: str, dtype: int, shape: Tuple[int, ...], begin: int, end: int,
                 index: int) -> None:
        self.file, self.name, self.shape, self.begin, self.end, self.index = file, name, shape, begin, end, index
        self.dtype = _dtypes.get(dtype) or dtype_name(dtype)

    @property
    def nbytes(self) -> int:
        return self.end - self.begin

    @property
    def size(self) -> int:
        """Count of the elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def buffer(self) -> memoryview:
        """Return the bytes as a memoryview: little-endian elements in row-major order."""
        return self.file.bytes_at(self.begin, self.end)

    def numpy(self) -> "ndarray[Any, Any]":
        """Return a NumPy array. Of a mapped file nothing is copied if the tensor is aligned to its elements and the
        machine is little-endian. BF16 and the types of 8 bits need ml_dtypes; F4 and F6 have no type in NumPy."""
        import numpy
        dtype = self._numpy_dtype()
        if self.nbytes == 0:
            return numpy.empty(self.shape, dtype)
        array = numpy.frombuffer(self.buffer(), dtype)
        if not array.flags.aligned:
            array = array.copy()
        array = array.reshape(self.shape)
        return array if sys.byteorder == "little" else array.byteswap()

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "ndarray[Any, Any]":
        array = self.numpy()
        if dtype is not None and dtype != array.dtype:
            if copy is False:
                raise ValueError("a tensor of another dtype can't be had without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def torch(self, device: Any = "cpu") -> "TorchTensor":
        """Return a torch.Tensor: on the CPU without a copy, if the tensor is aligned to its elements."""
        import torch
        name = TYPES.get(self.dtype, (None, None, None))[2]
        if name is None or not hasattr(torch, name):
            raise TypeError("torch has no type for %s: use .buffer() for the bytes" % self.dtype)
        dtype = getattr(torch, name)
        if self.nbytes == 0:
            return torch.empty(self.shape, dtype=dtype, device=device)
        data = self.buffer()
        if data.readonly:
            data = memoryview(bytearray(data))
        tensor = torch.frombuffer(data, dtype=torch.uint8)
        if tensor.data_ptr() % dtype.itemsize:
            tensor = tensor.clone()
        tensor = tensor.view(dtype).reshape(self.shape)
        return tensor if device == "cpu" else tensor.to(device)

    def jax(self) -> Any:
        """Return a jax.Array, a copy."""
        import jax.numpy
        return jax.numpy.asarray(self.numpy())

    def mlx(self) -> Any:
        """Return an mlx.core.array, a copy."""
        import mlx.core
        return mlx.core.array(self.numpy())

    def __dlpack__(self, **options: Any) -> Any:
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 1, 0  # the CPU

    def __getitem__(self, key: Any) -> "ndarray[Any, Any]":
        """Return a part as a NumPy array: integers, slices with positive steps, and `...`, as in NumPy. Only its bytes
        are read."""
        return self._part(key) if self.file._data is None and self.file._access == "read" else self.numpy()[key]

    def _part(self, key):
        import numpy
        axes, shape = axes_of(key, self.shape)
        row, dtype = self.file._view.find(self.name), self._numpy_dtype()
        data = bytearray()
        for byte, skip, bits in self.file._view.runs(row, axes):
            if skip or bits % 8:
                raise TypeError("a part of %s does not begin and end at bytes" % self.dtype)
            data += self.file.bytes_at(byte, byte + bits // 8)
        array = numpy.frombuffer(data, dtype) if data else numpy.empty(0, dtype)
        return array.reshape(shape) if sys.byteorder == "little" else array.byteswap().reshape(shape)

    def _numpy_dtype(self):
        return _numpy_dtypes.get(self.dtype) or _numpy_dtypes.setdefault(self.dtype, numpy_dtype(self.dtype))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __repr__(self):
        return '<assay.Tensor "%s" %s %s, %s>' % (_report.printable(self.name), self.dtype, list(self.shape),
                                                  _show.size_text(self.nbytes))

    def _repr_html_(self):
        return _show.tensor_html(self)


def axes_of(key, shape):
    """Return [(start, stop, step)] for each axis, and the shape of the result."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if keys.count(Ellipsis) > 1:
        raise IndexError("more than one ... in an index")
    if Ellipsis in keys:
        at = keys.index(Ellipsis)
        keys[at:at + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    keys += [slice(None)] * (len(shape) - len(keys))
    if len(keys) > len(shape):
        raise IndexError("%d indices for a tensor of %d dims" % (len(keys), len(shape)))
    axes, result = [], []
    for one, dim in zip(keys, shape):
        if isinstance(one, slice):
            start, stop, step = one.indices(dim)
            if step < 1:
                raise IndexError("steps are positive")
            stop = max(start, stop)
            result.append(len(range(start, stop, step)))
        elif isinstance(one, bool) or not hasattr(one, "__index__"):
            raise IndexError("an index is an integer, a slice or ..., not %s" % type(one).__name__)
        else:
            index = one.__index__()
            if not -dim <= index < dim:
                raise IndexError("index %d of %d elements" % (index, dim))
            start, step = index % dim, 1
            stop = start + 1
        axes.append((start, stop, step))
    return axes, tuple(result)


_dtypes, _numpy_dtypes = {}, {}


def numpy_dtype(name):
    import numpy
    native, other, _ = TYPES.get(name, (None, None, None))
    if native:
        return numpy.dtype(native)
    if other is None:
        raise TypeError("NumPy has no type for %s: use .buffer() for the bytes" % name)
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no type for %s: install ml_dtypes, or use .torch() or .buffer()" % name) from None
    return numpy.dtype(getattr(ml_dtypes, other))


def dtype_name(number):
    if number not in _dtypes:
        _dtypes[number] = _native.word(_native.WORD_DTYPE, number)
    return _dtypes[number]
