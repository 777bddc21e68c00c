"""Writing: heads that the library makes and judges, tensors of any kind, and edits of metadata."""
import array
import contextlib
import io
import math
import os
import re
import struct
import sys
from typing import Any, Callable, Dict, Iterable, Mapping, NamedTuple, Optional, Tuple, Union

from . import _append, _check, _file, _native, _replace, _report

_Path = Union[str, "os.PathLike[str]"]
RESERVE = 1 << 16  # bytes of header that a Builder keeps free: some 500 tensors
UNFINISHED = b"\xff" * 8  # a header length that every reader refuses


class WriteError(ValueError):
    """No valid file holds what was asked for: a name twice, a reserved name, sizes that do not fit. Nothing was
    written."""


class New(NamedTuple):
    """A tensor that is to be written: its dtype ("F32"), its shape in elements, and its bytes: little-endian elements
    in row-major order."""

    dtype: str
    shape: Tuple[int, ...]
    data: Any


# ---- Heads -----------------------------------------------------------------------------------------------------------

def make_head(rows, metadata=None, given=False, align=8, reserve=0):
    """Return the head of a file, which the library has made and judged, and [(index, begin, end)]: which tensor's data
    follow, and from and to which byte of the file they are. rows: [(name, dtype, shape)]. given: in the order of the
    rows and pairs, not in the canonical one."""
    texts, pairs = [name for name, _, _ in rows], list((metadata or {}).items())
    for key, value in pairs:
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError("metadata are strings by strings, not %s by %s" % (type(value).__name__, type(key).__name__))
        texts += key, value
    text, spans = _joined(texts)
    numbers = array.array("Q", (len(rows), len(pairs), given, align, reserve, metadata is not None))
    for k, (name, dtype, shape) in enumerate(rows):
        numbers.extend((*spans[k], _native.dtype(dtype), len(shape)))
    for k in range(len(rows), len(spans), 2):
        numbers.extend((*spans[k], *spans[k + 1]))
    for name, _, shape in rows:
        try:
            numbers.extend(shape)
        except (OverflowError, TypeError):
            raise WriteError('tensor "%s": its shape is not one of integers from 0 to 2^64 - 1: %s'
                             % (_report.printable(name), _report.printable(str(shape)))) from None
    out, head, pieces = _native.write_head(text, numbers)
    if out[_native.STATUS] != _native.OK:
        raise WriteError(_why(out, [name for name, _, _ in rows], [key for key, _ in pairs]))
    return head, pieces


def _joined(texts):
    """Return the texts as one in UTF-8, and from which byte to which each is. (What UTF-8 can't have, such as half a
    surrogate pair, is refused by the library.)"""
    parts, spans, at = [], [], 0
    for text in texts:
        if not isinstance(text, str):
            raise TypeError("a name is a string, not %s" % type(text).__name__)
        part = text.encode("utf-8", "surrogatepass")
        parts.append(part)
        spans.append((at, at + len(part)))
        at += len(part)
    return b"".join(parts), spans


def _why(out, names, keys):
    """Put the error of the library into words."""
    status, has = out[_native.STATUS], out[_native.HAS]
    message = "rule %s: %s" % (_native.word(_native.WORD_RULE, status), _native.word(_native.WORD_MEANING, status))
    if has & 2 and has & 4:
        return '%s: tensors %d and %d, "%s"' % (message, out[_native.OTHER], out[_native.TENSOR],
                                                _report.printable(names[out[_native.TENSOR]]))
    if has & 2:
        return '%s: tensor "%s"' % (message, _report.printable(names[out[_native.TENSOR]]))
    if has & 4:
        return '%s: metadata key "%s"' % (message, _report.printable(keys[out[_native.OTHER]]))
    return message


# ---- Tensors of any kind ---------------------------------------------------------------------------------------------

class Source(NamedTuple):
    """A tensor that is to be written: its dtype, its shape in elements, and a function that returns its bytes. Only what
    has to be copied is copied, and only when that function is called."""

    dtype: str
    shape: Tuple[int, ...]
    data: Callable[[], Any]


def source(name, tensor):
    """Return a Source for a NumPy array, a torch.Tensor, a Tensor of an open file, or what has dtype, shape and data.
    Nothing is copied that is contiguous, little-endian and in the memory of the CPU."""
    if not isinstance(name, str):
        raise TypeError("a name is a string, not %s" % type(name).__name__)
    if isinstance(tensor, New):
        data = memoryview(tensor.data)
        new = New(tensor.dtype, tuple(tensor.shape), data.cast("B") if data.nbytes else b"")
        return Source(*_checked(name, new)[:2], lambda: new.data)
    if isinstance(tensor, _file.Tensor):
        return Source(tensor.dtype, tensor.shape, lambda: tensor.buffer() if tensor.nbytes else b"")
    for module, make in (("numpy", _of_numpy), ("torch", _of_torch)):
        if module in sys.modules:
            made = make(sys.modules[module], tensor)
            if made is not None:
                if made.dtype is None:
                    raise TypeError('tensor "%s": the format has no dtype for %s' % (_report.printable(name), tensor.dtype))
                return made
    raise TypeError('tensor "%s": a numpy.ndarray, a torch.Tensor, a tensor of an open file, or New(dtype, shape, data) '
                    "is required, not %s" % (_report.printable(name), type(tensor).__name__))


def described(name, tensor):
    """Return a New with the bytes of a tensor of any kind."""
    made = source(name, tensor)
    return New(made.dtype, made.shape, made.data())


def _of_numpy(numpy, tensor):
    if not isinstance(tensor, numpy.ndarray):
        return None
    names = {types[0]: name for name, types in _file.TYPES.items()}
    names.update((types[1], name) for name, types in _file.TYPES.items() if types[1])
    names.pop(None)
    return Source(names.get(tensor.dtype.name), tensor.shape, lambda: _bytes_of_numpy(numpy, tensor))


def _bytes_of_numpy(numpy, tensor):
    plain = numpy.ascontiguousarray(tensor)
    if tensor.dtype.byteorder == ">" or (tensor.dtype.byteorder == "=" and sys.byteorder == "big"):
        plain = plain.byteswap()
    return memoryview(plain.reshape(-1).view(numpy.uint8)) if plain.size else b""


def _of_torch(torch, tensor):
    if not isinstance(tensor, torch.Tensor):
        return None
    names = {str(getattr(torch, types[2])): name for name, types in _file.TYPES.items()
             if types[2] and hasattr(torch, types[2])}
    dtype, shape = names.get(str(tensor.dtype)), tuple(tensor.shape)
    if str(tensor.dtype) == "torch.float4_e2m1fn_x2" and shape:  # two elements in each byte
        dtype, shape = "F4", (*shape[:-1], 2 * shape[-1])
    if tensor.layout != torch.strided:
        raise TypeError("a sparse tensor can't be written: use .to_dense()")
    return Source(dtype, shape, lambda: _bytes_of_torch(torch, tensor))


def _bytes_of_torch(torch, tensor):
    plain = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
    if plain.numel() == 0:
        return b""
    if plain.is_complex():
        plain = torch.view_as_real(plain)
    data = plain.reshape(-1).view(torch.uint8).numpy()
    if sys.byteorder == "big" and plain.element_size() > 1:
        data = data.view("u%d" % plain.element_size()).byteswap().view("u1")
    return memoryview(data)


def _checked(name, new):
    """Return a New whose data have the size that dtype and shape state; else raise WriteError."""
    if not isinstance(new.dtype, str) or not _native.dtype(new.dtype):
        raise WriteError('tensor "%s": there is no dtype %s' % (_report.printable(name), _report.printable(str(new.dtype))))
    expected = math.prod(new.shape) * _bits(new.dtype)
    if len(new.data) * 8 != expected:
        raise WriteError('tensor "%s": dtype and shape require %d bits, and the data have %d'
                         % (_report.printable(name), expected, len(new.data) * 8))
    return new


def _bits(dtype):
    """Return the bits of an element, which the name of the dtype states."""
    return 8 if dtype == "BOOL" else int(re.match("[A-Z]+([0-9]+)", dtype)[1])


# ---- Arrays of the same memory ---------------------------------------------------------------------------------------

def _extent(tensor, dtype):
    """Return from which address to which an array is, and what its bytes in a file depend on besides."""
    begin = end = tensor.__array_interface__["data"][0]
    for stride, size in zip(tensor.strides, tensor.shape):
        if stride < 0:
            begin += stride * (size - 1)
        else:
            end += stride * (size - 1)
    order = None if tensor.flags.c_contiguous else (tensor.shape, tensor.strides)
    return begin, end + tensor.itemsize, (dtype, tensor.dtype.isnative, order)


def _extents(tensors):
    """Return [(begin, end, rest, name)] of the arrays that have elements, sorted. rest: see _extent."""
    numpy, torch, found = sys.modules.get("numpy"), sys.modules.get("torch"), []
    for name, tensor in tensors.items():
        if torch is not None and isinstance(tensor, torch.Tensor):
            raise TypeError('tensor "%s": share=True is for NumPy arrays: use assay.torch.save_model for those of torch'
                            % _report.printable(str(name)))
        if numpy is not None and isinstance(tensor, numpy.ndarray) and tensor.size and isinstance(name, str):
            found.append((*_extent(tensor, source(name, tensor).dtype), name))
    return sorted(found, key=lambda extent: (extent[:2], extent[3]))


def _is_alias_name(name):
    return name != "__metadata__" and _file.may_be_alias(name)


def _without_copies(tensors, metadata):
    """Return the tensors but for arrays that are the same memory as one that is kept, and the metadata with the names
    of those: {name: that of the one that is kept}."""
    tensors, pairs, groups = dict(tensors), dict(metadata or {}), []
    for extent in _extents(tensors):
        last = groups[-1] if groups else [(0, 0, None, None)]  # groups do not overlap: the last one reaches furthest
        if extent[:3] == last[0][:3]:
            last.append(extent)
        elif extent[0] < last[0][1]:
            raise WriteError('tensors "%s" and "%s" share a part of their memory, or its elements in another order: '
                             "copy one of them" % (_report.printable(last[0][3]), _report.printable(extent[3])))
        else:
            groups.append([extent])
    for group in groups:
        # A name that would not be taken for an alias in the metadata is kept.
        kept, *others = sorted((extent[3] for extent in group), key=lambda name: (_is_alias_name(name), name))
        for name in others:
            if not _is_alias_name(name) or pairs.setdefault(name, kept) != kept:
                raise WriteError('tensor "%s" is the same memory as "%s", and the metadata can\'t record that, because '
                                 "the key has another meaning there: copy one of them, or remove the key"
                                 % (_report.printable(name), _report.printable(kept)))
            del tensors[name]
    return tensors, pairs or metadata


# ---- Whole files -----------------------------------------------------------------------------------------------------

def _laid_out(tensors, metadata, align, reserve, share):
    """Return the head of a file, and [(source, size)]: which tensor's bytes follow, and how many they are."""
    if share:
        tensors, metadata = _without_copies(tensors, metadata)
    names = list(tensors)
    sources = [source(name, tensors[name]) for name in names]
    rows = [(name, one.dtype, one.shape) for name, one in zip(names, sources)]
    head, pieces = make_head(rows, metadata, align=align, reserve=reserve)
    return head, [(sources[index], end - begin) for index, begin, end in pieces]


def _put_data(follow, write):
    """Write the bytes of tensors. The copy of one, if it has to be copied, is gone before that of the next is made."""
    for one, size in follow:
        data = one.data()
        if len(data) != size:
            raise RuntimeError("assay: the head does not describe the data")
        write(data)
        del data


def save(tensors: Mapping[str, Any], metadata: Optional[Dict[str, str]] = None, *, align: int = 8,
         reserve: int = 0, share: bool = False) -> bytes:
    """Return the bytes of a file with these tensors, in canonical form: the official writer's bytes, but for the order
    of metadata, which is that of the keys.

    tensors: NumPy arrays, torch tensors, tensors of an open file, or New(dtype, shape, data), by their names. metadata:
    strings by strings. align: the data begin at a multiple of that many bytes. reserve: bytes that the header has at
    least, for later edits in place. share: write NumPy arrays that are the same memory once, under the first of their
    names; the metadata state it for each other name, and File.aliases reads that. Raise WriteError if no valid file
    holds that, or arrays to be shared overlap only in part, TypeError for other tensors.
    """
    head, follow = _laid_out(tensors, metadata, align, reserve, share)
    out = io.BytesIO()
    out.write(head)
    _put_data(follow, out.write)
    return out.getvalue()


def save_file(tensors: Mapping[str, Any], filename: _Path, metadata: Optional[Dict[str, str]] = None, *,
              align: int = 8, reserve: int = 0, share: bool = False, force: bool = False) -> None:
    """Write a file as save() does. It is written beside the old file, judged, brought to the disk, and takes its place
    in one step, with the mode of the old one: whatever happens, the old file or the new one is there, whole. force:
    replace a file that has other names (hard links), too; those keep the old file."""
    head, follow = _laid_out(tensors, metadata, align, reserve, share)
    with _replace.replaced(filename, force=force) as draft:
        descriptor = draft.descriptor()
        _replace.write_all(descriptor, head)
        _put_data(follow, lambda data: _replace.write_all(descriptor, data))
        _accept(descriptor, draft.path, len(follow))


def _accept(descriptor, path, tensors):
    """Raise unless what was written is valid and has that many tensors."""
    report = _check.judge_descriptor(descriptor, None, path).report
    if not report.valid or report.tensors != tensors:
        raise RuntimeError("what was written is not what was asked for, and was removed: %s" % report)


class Builder:
    """A file of tensors that become known one after the other. Their data are written as they come.

        with assay.Builder("new.safetensors", metadata={"format": "pt"}) as builder:
            for name, array in ...:
                builder.add(name, array)

    reserve: bytes that are kept free for the header. If it needs more, the data are copied once at the end; if less,
    what is left is room for later edits in place. append: begin with the tensors of the file that is there, and its
    metadata. in_place: do that in the file itself; nothing is copied, and the header must have room for the new tensors
    (add() raises WriteError before it writes one that has none). After a crash, recover() restores the old file.

    Without in_place: until the block ends, the old file is there, and what is written has another name and a header length that
    every reader refuses. Then it is judged, brought to the disk, and takes the name in one step. After an exception, or
    without close(), only the old file is there.

    metadata may be changed until then: it is a dict. force: as in save_file(); not with in_place.
    """

    def __init__(self, filename: _Path, metadata: Optional[Dict[str, str]] = None, *, reserve: int = RESERVE,
                 append: bool = False, in_place: bool = False, force: bool = False) -> None:
        if not 0 <= reserve <= _native.HEAD_MAX - 8:
            raise ValueError("reserve is a number of bytes from 0 to 100,000,000, not %r" % (reserve,))
        if in_place and not append:
            raise ValueError("in_place requires append")
        self.metadata = None if metadata is None else dict(metadata)
        self._rows, self._names = [], set()
        self._appended, self._before = None, None
        if in_place:
            self._block = None
            self._take_place(os.path.realpath(os.fsdecode(filename)))
            return
        self._block = _replace.replaced(filename, force=force)
        self._draft = self._block.__enter__()
        self._begin = (8 + reserve + 7) // 8 * 8
        try:
            if append:
                self._take(self._draft.path)
            else:
                self._start()
        except BaseException:
            self._leave(*sys.exc_info())
            raise

    def _start(self):
        descriptor = self._draft.descriptor()
        _replace.write_all(descriptor, UNFINISHED)
        os.lseek(descriptor, self._begin, os.SEEK_SET)

    def _take(self, path):
        """Begin with the tensors of the file that is there."""
        with _open_unchanged(path, _open_to_read) as (old, self._before):
            self._begin = max(self._begin, (old._view.out[_native.DATA_BEGIN] + 7) // 8 * 8)
            self._start()
            self._take_tensors(old)
            _replace.copy_rest(old._descriptor, old._view.out[_native.DATA_BEGIN], old._view.out[_native.DATA_SIZE],
                               self._draft.descriptor())

    def _take_tensors(self, old):
        self._rows = [(name, tensor.dtype, tensor.shape) for name, tensor in old.items()]
        self._names = set(old)
        if old.metadata is not None:
            self.metadata = {**old.metadata, **(self.metadata or {})}

    def _take_place(self, path):
        """Begin with the file that is there, and change it."""
        _replace.require_none(path)
        if _replace.is_blob(path):
            raise OSError("%s: is a file of a hub cache, whose name is the hash of its bytes" % _report.printable(path))
        with _file.open(path, access="read") as old:
            self._take_tensors(old)
            head, size = bytes(old._view.head), old._view.out[_native.DATA_BEGIN] + old._view.out[_native.DATA_SIZE]
        if len(head) % 8:
            raise WriteError("the data do not begin at a multiple of 8 bytes: append without in_place")
        self._begin, self._needed = len(head), None
        self._appended = _append.Appended(path, head, size)

    def _has_room(self, row, alone):
        """Return whether the header has room for one more tensor. alone: the size of the head of a file with it
        alone, in which its offsets are shorter, by at most 40 digits."""
        if self._needed is not None:
            self._needed += alone + 40
        if self._needed is None or self._needed > self._begin:
            self._needed = len(make_head(self._rows + [row], self.metadata, given=True)[0])
        return self._needed <= self._begin

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def add(self, name: str, tensor: Any) -> None:
        """Write the data of a tensor, of any kind that save() takes. Raise WriteError if there is one of this name."""
        if self._block is None and self._appended is None:
            raise ValueError("the file is closed")
        if not isinstance(name, str):
            raise TypeError("a name is a string, not %s" % type(name).__name__)
        new = _checked(name, described(name, tensor))
        if name in self._names:
            raise WriteError('two tensors have the same name: "%s"' % _report.printable(name))
        row = name, new.dtype, new.shape
        alone, _ = make_head([row])  # the errors of one tensor are raised here, not at the end
        if self._appended is not None and not self._has_room(row, len(alone)):
            self._needed = None
            raise WriteError('tensor "%s": the header has no room for it: append without in_place' % _report.printable(name))
        try:
            if self._appended is not None:
                self._appended.write(new.data)
            else:
                _replace.write_all(self._draft.descriptor(), new.data)
        except BaseException:
            self._leave(*sys.exc_info())  # how much was written is not known
            raise
        self._rows.append(row)
        self._names.add(name)

    def close(self) -> None:
        """Write the head, and give the file its name. Later calls do nothing."""
        if self._block is None and self._appended is None:
            return
        try:
            if self._before is not None and _stamp(self._draft.path) != self._before:
                raise OSError("%s: changed while tensors were appended: try again when nothing writes to it"
                              % _report.printable(self._draft.path))
            head, pieces = make_head(self._rows, self.metadata, given=True, reserve=self._begin - 8)
            size = pieces[-1][2] if pieces else len(head)
            if self._appended is not None:
                if len(head) != self._begin:
                    raise WriteError("the header has no room for the metadata: append without in_place")
                self._appended.finish(head, size)
                self._appended = None
            elif len(head) == self._begin:
                descriptor = self._draft.descriptor()
                os.lseek(descriptor, 8, os.SEEK_SET)
                _replace.write_all(descriptor, head[8:])
                os.lseek(descriptor, 0, os.SEEK_SET)
                _replace.write_all(descriptor, head[:8])
                os.ftruncate(descriptor, size)
                _accept(descriptor, self._draft.path, len(self._rows))
                self._leave(None, None, None)
            else:
                self._moved(head, size - len(head))
        except BaseException:
            self._leave(*sys.exc_info())
            raise

    def _moved(self, head, size):
        """Write the file again, because its head has no room before the data."""
        with _replace.replaced(self._draft.path, force=True) as draft:  # whether it may be was decided before
            descriptor = draft.descriptor()
            _replace.write_all(descriptor, head)
            _replace.copy_rest(self._draft.descriptor(), self._begin, size, descriptor)
            _accept(descriptor, draft.path, len(self._rows))
        self._leave(_Moved, _Moved(), None)

    def _leave(self, kind, error, trace):
        """End the block of the draft: with an error, the draft is removed, or what was appended."""
        appended, self._appended = self._appended, None
        if appended is not None:
            appended.undo()
        block, self._block = self._block, None
        if block is not None:
            block.__exit__(kind, error, trace)

    def __enter__(self) -> "Builder":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._leave(kind, error, trace)

    def __del__(self):
        if getattr(self, "_block", None) is not None or getattr(self, "_appended", None) is not None:
            self._leave(_Moved, _Moved(), None)


class _Moved(Exception):
    """The draft is not needed any more."""


# ---- Edits of metadata -----------------------------------------------------------------------------------------------

# Where __metadata__ is in a valid header: metadata values are strings, so only this key has a brace after it; a quote
# with a backslash before it belongs to a string.
_MEMBER = re.compile(rb'(?<!\\)"__metadata__"[ \t\r\n]*:[ \t\r\n]*(\{)')
_SPACE = re.compile(rb"[ \t\r\n]*")


def edit_metadata(filename: _Path, set: Optional[Mapping[str, str]] = None, *, delete: Iterable[str] = (),
                  rename: Optional[Mapping[str, str]] = None, clear: bool = False, output: Optional[_Path] = None,
                  force: bool = False) -> None:
    """Change the metadata of a file, and nothing else: every tensor's text in the header and every byte of data stay.

    In this order: clear removes all pairs, delete removes those with these keys, rename gives others new keys, set adds
    or changes pairs. Pairs that are kept keep their text and order. The file is judged before; what is written is
    judged and compared with it, and takes the place of the file, or of `output`, in one step. Raise KeyError for a
    key that is not there, WriteError if a new key is there already or no valid file holds the result, InvalidError or
    NotJudgedError for a file that is not valid. clear repairs a file that is invalid only because of
    `"__metadata__":null`. force: as in save_file().
    """
    keys = _check.list_of(delete, "keys")
    with _open_unchanged(filename, lambda path: _open_to_edit(path, clear)) as (old, before):
        head, pairs = old._view.head, list((old.metadata or {}).items())
        wanted = _edited([] if clear else pairs, set or {}, keys, rename or {})
        new = _with_metadata(old, head, wanted, remove=clear and not set)
        judged = _certified(old, new, wanted)
        target = os.path.realpath(os.fsdecode(filename)) if output is None else output
        with _replace.replaced(target, os.fstat(old._descriptor).st_mode & 0o666, force) as draft:
            descriptor = draft.descriptor()
            _replace.write_all(descriptor, new)
            _replace.copy_rest(old._descriptor, len(head), old._view.out[_native.DATA_SIZE], descriptor)
            _accept(descriptor, draft.path, judged.report.tensors)
            if _stamp(old._descriptor) != before or _stamp(filename) != before:
                raise _changed(filename)


def _changed(filename):
    return OSError("%s: changed while it was edited: try again when nothing writes to it"
                   % _report.printable(os.fsdecode(filename)))


@contextlib.contextmanager
def _open_unchanged(filename, open_file):
    """Open a file to change it; yield it and its stamp. What others write to it from now on, or put in its place, must
    not be lost: the stamp is taken before the file is opened, and is compared before it is replaced."""
    try:
        before = _stamp(filename)
    except (OSError, ValueError):
        before = None  # open_file says why
    with open_file(filename) as file:
        if _stamp(file._descriptor) != before:
            raise _changed(filename)
        yield file, before


def _open_to_read(path):
    return _file.open(path, access="read")


def _open_to_edit(filename, clear):
    """Open a file. clear: take null as __metadata__ for {}."""
    try:
        return _file.open(filename, access="read")
    except _report.InvalidError as error:
        if not clear or error.report.rule != "H14":
            raise
        descriptor = _check.open_descriptor(filename)
        try:
            judged = _without_null(descriptor, error.report.path)
            if judged is None:
                raise
            return _file.File(judged, descriptor=descriptor, access="read")
        except BaseException:
            os.close(descriptor)
            raise


def _without_null(descriptor, path):
    """Judge a file with {} in the place of the value that breaks rule H14. Return None unless that is the null of
    __metadata__ and the file is valid then."""
    read_at, size = _check.reader_of(descriptor), os.fstat(descriptor).st_size
    head = read_at(0, min(8 + struct.unpack("<Q", read_at(0, 8))[0], _native.HEAD_MAX))
    report = _check.judge_head(head, size, path=path).report
    at = report.offset
    if report.rule != "H14" or head[at:at + 4] != b"null":
        return None
    judged = _check.judge_head(head[:at] + b"  {}" + head[at + 4:], size, path=path)
    repaired = judged.report.valid and judged.view.out[_native.METADATA] and not judged.view.out[_native.PAIRS]
    return judged if repaired else None


def _stamp(file):
    """Return what tells one state of a file, by descriptor or path, from the next."""
    status = os.stat(file)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _edited(pairs, values, delete, rename):
    """Return [(key, value, number of the pair whose text of key and value stays, or None)]."""
    there = {key: (value, number, number) for number, (key, value) in enumerate(pairs)}
    order = [key for key, _ in pairs]
    for key in delete:
        if key not in there:
            raise KeyError(key)
        del there[key]
        order.remove(key)
    for old, new in rename.items():
        if old not in there:
            raise KeyError(old)
        if new in there:
            raise WriteError('there is a metadata key "%s" already' % _report.printable(new))
        value, _, text = there.pop(old)
        there[new] = value, None, text
        order[order.index(old)] = new
    for key, value in values.items():
        if key not in there:
            order.append(key)
            there[key] = value, None, None
        elif there[key][0] != value:
            there[key] = value, there[key][1], None
    return [(key, *there[key]) for key in order]


def _with_metadata(old, head, wanted, remove):
    """Return the head with other metadata."""
    spans = old._view.pair_spans()

    def text(key, value, *numbers):
        """Return a pair: a text of the file, where it stays, else as the writer spells it."""
        return b":".join(_spelled(new) if number is None else head[spans[at] - 1:spans[at + 1] + 1]
                         for new, number, at in ((key, numbers[0], 4 * (numbers[0] or 0)),
                                                 (value, numbers[1], 4 * (numbers[1] or 0) + 2)))

    make_head([], {key: value for key, value, _, _ in wanted})  # raises for what no file holds
    members = b"{%s}" % b",".join(text(*pair) for pair in wanted)
    found = _MEMBER.search(head, 8)
    if found is None and not wanted:
        body = head[8:]
    elif found is None:
        begin = head.index(b"{", 8) + 1
        more = b"" if head[_SPACE.match(head, begin).end():][:1] == b"}" else b","
        body = head[8:begin] + b'"__metadata__":' + members + more + head[begin:]
    else:
        last = spans[len(spans) - 1] + 1 if len(spans) else found.end()
        end = _SPACE.match(head, last).end() + 1
        body = _without(head, found.start(), end) if remove else head[8:found.start(1)] + members + head[end:]
    return _sized(body, len(head) - 8)


def _spelled(text):
    """Return a text with its quotes as the writer spells it."""
    head, _ = make_head([], {text: ""})
    return head[8 + len(b'{"__metadata__":{'):].rstrip(b" ")[:-len(b':""}}')]


def _without(head, begin, end):
    """Return the header without a member and a comma beside it."""
    after = _SPACE.match(head, end).end()
    if head[after:after + 1] == b",":
        return head[8:begin] + head[after + 1:]
    before = len(head[:begin].rstrip(b" \t\r\n"))
    return head[8:before - (head[before - 1:before] == b",")] + head[end:]


def _sized(body, before):
    """Return the header with spaces and its length before it: the old length if there is room, else one with the same
    remainder by 4096, so that blocks can be shared."""
    body = body.rstrip(b" ")
    size = before if len(body) <= before else before + (len(body) - before + 4095) // 4096 * 4096
    if size > _native.HEAD_MAX - 8:  # near the limit there may be no room for a block
        size = (len(body) + 7) // 8 * 8
    if size > _native.HEAD_MAX - 8:
        raise WriteError("the header would be longer than 100,000,000 bytes")
    return struct.pack("<Q", size) + body.ljust(size)


def _certified(old, head, wanted):
    """Judge the new head, and compare it with the old one and with what was asked for."""
    judged = _check.judge_head(head, len(head) + old._view.out[_native.DATA_SIZE])
    judged.report.require()
    with _file.File(judged) as new:
        shift = len(head) - len(old._view.head)
        same = [(name, t.dtype, t.shape, t.begin + shift, t.end + shift, t.index) for name, t in old.items()] == [
            (name, t.dtype, t.shape, t.begin, t.end, t.index) for name, t in new.items()]
        stays = _texts_of_tensors(old._view) == _texts_of_tensors(new._view) and _stay(old._view, new._view, wanted)
        if not stays or not same or list((new.metadata or {}).items()) != [(key, value) for key, value, _, _ in wanted]:
            raise RuntimeError("assay: the edit would have changed something else; nothing was written")
    return judged


def _texts_of_tensors(view):
    """Return the text of each tensor in the header, from the quote before its name to its brace, in their order. (No
    text of a valid header has a brace, but for names and metadata.)"""
    numbers, step = view.rows().numbers(), _native.ROW
    spans = sorted(zip(numbers[_native.ROW_NAME:step * view.out[_native.TENSORS]:step],
                       numbers[_native.ROW_NAME + 1:step * view.out[_native.TENSORS]:step]))
    return [view.head[begin - 1:view.head.index(b"}", end) + 1] for begin, end in spans]


def _stay(old, new, wanted):
    """Return whether each key and value that was to keep its text has it. old, new: views."""
    before, after = old.pair_spans(), new.pair_spans()

    def text(view, spans, at):
        return view.head[spans[at]:spans[at + 1]]

    return len(after) == _native.PAIR * len(wanted) and all(
        number is None or text(old, before, _native.PAIR * number + part) == text(new, after, _native.PAIR * k + part)
        for k, (_, _, *numbers) in enumerate(wanted) for part, number in zip((0, 2), numbers))
