"""The C library by ctypes: assay_flat.h, assay_index.h and assay_notes.h, which describe each function.

Everything goes in and out as numbers and bytes. ctypes releases the GIL during a call.
"""
import collections
import ctypes
import os
import struct
import sys
from array import array
from ctypes import POINTER, c_char_p, c_uint32, c_uint64, c_void_p

NONE = 2**64 - 1
HEAD_MAX = 100_000_008  # bytes of the longest head that a file may have
ONE_PASS_MOST = 1 << 24  # bytes of memory that are taken without knowing whether the head needs them
STATUS, OFFSET, TENSOR, OTHER, EXPECTED, FOUND, HAS, NAME, OTHER_NAME = 0, 1, 2, 3, 4, 5, 6, 7, 9
NEED_HEAD, TENSORS, PAIRS, ARENA, DIMS, METADATA, DATA_BEGIN, DATA_SIZE, OUT = 11, 12, 13, 14, 17, 18, 19, 20, 21
INDEX, BEGIN, END, DTYPE, BITS, RANK, ROW_NAME, ROW = 0, 1, 2, 3, 4, 5, 6, 9
COLUMNS = (BEGIN, END, DTYPE, RANK, INDEX)
PAIR = 4
OK, NEED_MORE, FIRST_RULE = 0, 1, 32
WORD_STATUS, WORD_RULE, WORD_MEANING, WORD_DTYPE, WORD_VERSION = range(5)
API = 1

_NAMES = {"darwin": "_assay.dylib", "win32": "_assay.dll", "cygwin": "_assay.dll"}
_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAMES.get(sys.platform, "_assay.so"))
_library = ctypes.CDLL(_path)


def _function(name, result, *arguments):
    function = getattr(_library, "assay_flat_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_api = _function("api", c_uint32)
if _api() != API:
    raise ImportError("%s is of another version of assay: install the package again" % _path)
_numbers = POINTER(c_uint64)
_view = [c_char_p, c_uint64, c_void_p, c_uint64]  # head, its size, arena, its size
_measure = _function("measure", c_uint32, c_char_p, c_uint64, c_uint64, _numbers, _numbers)
_parse = _function("parse", c_uint32, c_char_p, c_uint64, c_uint64, _numbers, c_void_p, c_uint64, _numbers)
_tensors = _function("tensors", c_uint64, *_view, c_uint64, c_uint64, c_void_p)
_dims = _function("dims", c_uint64, *_view, c_void_p, c_uint64, c_void_p, c_uint64)
_pairs = _function("pairs", c_uint64, *_view, c_uint64, c_uint64, c_void_p)
_find = _function("find", c_uint32, *_view, c_char_p, c_uint64, c_void_p)
_metadata = _function("metadata", c_uint32, *_view, c_char_p, c_uint64, _numbers)
_texts = _function("texts", c_uint64, c_char_p, c_uint64, c_void_p, c_uint64, c_uint64, c_void_p, c_uint64, c_void_p)
_word = _function("word", c_uint64, c_uint32, c_uint64, c_void_p, c_uint64)
_slice_begin = _function("slice_begin", c_uint32, *_view, c_void_p, _numbers, c_uint64, c_void_p, c_uint64)
_slice_next = _function("slice_next", c_uint64, c_void_p, c_uint64, c_uint64, _numbers)


_index_need = _function("index_need", c_uint64, c_void_p, c_uint64)
_index_read = _function("index_read", c_uint32, c_void_p, c_uint64, c_uint64, c_void_p, c_uint64, _numbers)
_index = [c_void_p, c_uint64, c_void_p, c_uint64]  # the index, its size, its arena, its size
_index_path = _function("index_path", c_uint32, *_index, c_uint64, _numbers)
_index_shard = _function("index_shard", c_uint64, *_index, c_uint64, *_view, _numbers, c_uint64)
_index_unread = _function("index_unread", c_uint64, *_index, c_uint64, c_uint32, _numbers, c_uint64)
_index_end = _function("index_end", c_uint64, *_index, _numbers, c_uint64)
_notes = _function("notes", c_uint64, *_view, c_char_p, c_uint64, c_char_p, c_uint64, _numbers)
_note_word = _function("note_word", c_uint64, c_uint32, c_uint64, c_void_p, c_uint64)
_hidden = _function("hidden", c_uint32, c_uint32)
_dtype = _function("dtype", c_uint64, c_char_p, c_uint64)
_write_arena = _function("write_arena", c_uint64, c_char_p, c_uint64, c_void_p, c_uint64)
_write = _function("write", c_uint32, c_char_p, c_uint64, c_void_p, c_uint64, c_void_p, c_uint64, _numbers)
WRITE_HEAD, WRITE_HEAD_SIZE, WRITE_PIECES, WRITE_OUT = OUT, OUT + 1, OUT + 2, OUT + 3
NOTE_DATA, NOTE_TAIL = 512, 65557  # bytes that notes are about: the first of the data, the last of the file
NOTE, NOTES = 6, 10  # numbers of a note: rule, tensor, name at and end, number, place; the most notes of a file
FINDING = 11  # numbers: rule, shard, other, offset, count, expected, found, tensor at and size, name at and end


def word(kind, number, call=_word):
    """Return a word of the library: of a status its name, rule or meaning, of a dtype its name; or the version."""
    buffer = ctypes.create_string_buffer(200)
    size = call(kind, number, buffer, len(buffer))
    return buffer.raw[:min(size, len(buffer) - 1)].decode("ascii")


def note_word(code, number):
    """Return the word of a note: of A6 what the file is too, of A10 what was found."""
    return word(code, number, _note_word)


def hidden(code):
    """Return whether a terminal obeys a code point or nobody sees it."""
    return _hidden(code) != 0


def dtype(name):
    """Return the number of a dtype by its name, 0 if there is none."""
    raw = name.encode("utf-8", "surrogatepass")
    return _dtype(raw, len(raw))


def write_head(text, numbers):
    """Make and judge the head that the numbers describe: assay_flat_write.h. Return its numbers, the head, and the
    pieces [(tensor, begin, end)]; of the last two nothing, if the first is not OK."""
    out, address, count = (c_uint64 * WRITE_OUT)(), numbers.buffer_info()[0], len(numbers)
    size = _write_arena(text, len(text), address, count)
    arena = Memory(size)
    if _write(text, len(text), address, count, arena.address, size, out) != OK:
        return out, None, None
    head = bytes(arena.bytes[out[WRITE_HEAD]:out[WRITE_HEAD] + out[WRITE_HEAD_SIZE]])
    pieces = struct.unpack_from("=%dQ" % (3 * out[TENSORS]), arena.bytes, out[WRITE_PIECES])
    return out, head, list(zip(pieces[0::3], pieces[1::3], pieces[2::3]))


def measure(head, file_size, limits, out):
    """Judge length and header; fill out. head: bytes."""
    return _measure(head, len(head), file_size, limits, out)


class Memory:
    """Memory that the library writes: an address, bytes, and 64-bit numbers. (A ctypes array has a type of its own for
    each length, which takes longer to make than the memory.)"""

    __slots__ = ("bytes", "address")

    def __init__(self, size):
        self.bytes = bytearray(max(size, 8))
        self.address = ctypes.addressof(_byte.from_buffer(self.bytes))

    def __reduce__(self):
        raise TypeError("memory can't be copied: it has an address")

    def numbers(self):
        return array("Q", self.bytes)


_byte = ctypes.c_char


def texts(head, spans, first, stride, count):
    """Return texts of the head as strings. spans: Memory of numbers, in which text k is from first + k * stride on."""
    if count == 0:
        return []
    numbers, end = spans.numbers(), first + stride * (count - 1) + 2
    begins, ends = numbers[first:end:stride], numbers[first + 1:end:stride]
    if count < 16:
        found = [head[begin:stop].decode("latin-1") for begin, stop in zip(begins, ends)]
    else:
        spelled = head.decode("latin-1")
        found = [spelled[begin:stop] for begin, stop in zip(begins, ends)]
    together = "".join(found)
    if together.isascii() and "\\" not in together:  # nothing to translate: as nearly always
        return found
    return _translated(head, spans.address + 8 * first, stride, count)


def _translated(head, spans, stride, count):
    """The same, by the library: without escapes, and in UTF-8. spans: an address."""
    stops, room = Memory(8 * count), len(head)
    memory = Memory(room)
    size = _texts(head, len(head), spans, stride, count, memory.address, room, stops.address)
    if size >= room:  # of an invalid head, whose texts may be longer than their spelling
        memory = Memory(size + 1)
        _texts(head, len(head), spans, stride, count, memory.address, size + 1, None)
    begin, found = 0, []
    # A text of a valid header is well-formed UTF-8; of another one, what is not is U+FFFD already.
    for stop in stops.numbers()[:count].tolist():
        found.append(memory.bytes[begin:stop].decode("utf-8"))
        begin = stop
    return found


def text(head, begin, end):
    """Return one text of the head as a string."""
    span = Memory(16)
    span.bytes[:] = struct.pack("=2Q", begin, end)
    return texts(head, span, 0, 2, 1)[0]


# Arenas that no view uses, by their sizes. To clear new memory for each file would take a tenth of its verdict.
_spare = {1 << k: collections.deque(maxlen=4) for k in range(12, 20)}


def _arena(size):
    """Return an arena of at least that size."""
    rounded = max(1 << 12, 1 << (size - 1).bit_length())
    if rounded not in _spare:
        return Memory(size)
    try:
        return _spare[rounded].pop()
    except IndexError:
        return Memory(rounded)


def _keep_arena(arena):
    """Use an arena again, to which nobody has a way any more."""
    if len(arena.bytes) in _spare:
        _spare[len(arena.bytes)].append(arena)


class View:
    """The view of a valid file. It keeps the head and the arena alive."""

    __slots__ = ("head", "out", "_arena", "_memory")

    def __init__(self, head, out, arena):
        self.head, self.out, self._arena = head, out, arena
        self._memory = (head, len(head), arena.address, len(arena.bytes))

    def __reduce__(self):
        raise TypeError("a view can't be copied: it has addresses of memory")

    def release(self):
        """Give the arena back. For a view that nobody else has: it can't be used any more. (Not in __del__: what is in
        a cycle of garbage can still be used after that.)"""
        arena, self._arena, self._memory = self._arena, None, None
        _keep_arena(arena)

    def rows(self):
        """Return the Memory of the rows of all tensors, in the order of their bytes in the file."""
        count = self.out[TENSORS]
        rows = Memory(8 * ROW * count)
        if _tensors(*self._memory, 0, count, rows.address) != count:
            raise RuntimeError("assay: the arena has changed")
        return rows

    def names(self, rows=None):
        """Return the names of all tensors, in the order of their bytes in the file."""
        rows = self.rows() if rows is None else rows
        return texts(self.head, rows, ROW_NAME, ROW, self.out[TENSORS])

    def find(self, name):
        """Return the Memory of the row of a tensor by its name, or None."""
        row, raw = Memory(8 * ROW), name.encode("utf-8", "surrogatepass")
        return row if _find(*self._memory, raw, len(raw), row.address) else None

    def dims(self, rows, count, total):
        """Return the dims of rows, one shape after the other, as a list. total: the sum of their ranks."""
        dims = Memory(8 * total)
        if _dims(*self._memory, rows.address, count, dims.address, total) != total:
            raise RuntimeError("assay: the arena has changed")
        return dims.numbers()[:total].tolist()

    def table(self, rows=None, names=None):
        """Return {name: (dtype, shape, begin, end, index)}, in the order of their bytes in the file. rows, names: of
        all, if they are known. O(tensors)."""
        rows = self.rows() if rows is None else rows
        count = self.out[TENSORS]
        dims, numbers = self.dims(rows, count, self.out[DIMS]), rows.numbers()
        columns = [numbers[column:count * ROW:ROW] for column in COLUMNS]
        at, tensors = 0, {}
        for name, begin, end, dtype, rank, index in zip(self.names(rows) if names is None else names, *columns):
            tensors[name] = dtype, tuple(dims[at:at + rank]), begin, end, index
            at += rank
        return tensors

    def pairs(self):
        """Return the metadata as a dict in header order, or None if the header has no __metadata__."""
        if not self.out[METADATA]:
            return None
        count = self.out[PAIRS]
        pairs = Memory(8 * PAIR * count)
        if _pairs(*self._memory, 0, count, pairs.address) != count:
            raise RuntimeError("assay: the arena has changed")
        return dict(zip(texts(self.head, pairs, 0, PAIR, count), texts(self.head, pairs, 2, PAIR, count)))

    def pair_spans(self):
        """Return four numbers for each metadata pair, in header order: from and to which byte of the head key and value
        are, between their quotes."""
        count = self.out[PAIRS]
        pairs = Memory(8 * PAIR * count)
        if _pairs(*self._memory, 0, count, pairs.address) != count:
            raise RuntimeError("assay: the arena has changed")
        return pairs.numbers()[:PAIR * count]

    def notes(self, data, tail):
        """Return the notes, each as its numbers. data: the first bytes after the head; tail: the last of the file."""
        notes = (c_uint64 * (NOTE * NOTES))()
        count = _notes(*self._memory, data, len(data), tail, len(tail), notes)
        return [notes[k * NOTE:(k + 1) * NOTE] for k in range(count)]

    def runs(self, row, axes):
        """Yield (byte, skip, bits) of the runs of a slice. axes: [(start, stop, step)]."""
        numbers = (c_uint64 * (3 * len(axes)))(*(n for axis in axes for n in axis))
        state = (c_uint64 * (5 + 7 * len(axes)))()
        size, many = ctypes.sizeof(state), 256
        if _slice_begin(*self._memory, row.address, numbers, len(axes), state, size) != OK:
            raise ValueError("assay: not a slice of this tensor")
        runs = (c_uint64 * (3 * many))()
        count = many
        while count == many:
            count = _slice_next(state, size, many, runs)
            for k in range(count):
                yield runs[3 * k], runs[3 * k + 1], runs[3 * k + 2]


def parse(head, file_size, limits, out):
    """Judge a whole file by its head. Return its View, or None if it is not valid; out states why."""
    size = 128 + len(head) // 3 * 19  # ASSAY_FLAT_ARENA_MOST: the head is read once
    if size > ONE_PASS_MOST:
        if measure(head, file_size, limits, out) != OK:
            return None
        size = out[ARENA]
    arena = _arena(size)
    if _parse(head, len(head), file_size, limits, arena.address, len(arena.bytes), out) != OK:
        _keep_arena(arena)
        return None
    return View(head, out, arena)


class Index:
    """An index of a model, and how its shards fit it. code: 0, or the rule that it breaks."""

    def __init__(self, data, seed):
        self._bytes = ctypes.create_string_buffer(data, len(data))
        self._arena = (c_uint64 * (_index_need(self._bytes, len(data)) // 8))()
        self._memory = (ctypes.addressof(self._bytes), len(data), ctypes.addressof(self._arena),
                        ctypes.sizeof(self._arena))
        out = (c_uint64 * 8)()
        self.code = _index_read(*self._memory[:2], seed, *self._memory[2:], out)
        self.offset, self.expected, self.found = (None if n == NONE else n for n in out[1:4])
        self.shards, self.tensors = out[6], out[7]
        self.tensor = self._text(out[4], out[5]) if out[5] else None

    def _text(self, at, size):
        return ctypes.string_at(self._memory[0] + at, size).decode("utf-8")

    def paths(self):
        """Yield (path, number) of the shards in the order of their paths."""
        where = (c_uint64 * 3)()
        for k in range(self.shards):
            _index_path(*self._memory, k, where)
            yield self._text(where[0], where[1]), where[2]

    def _findings(self, call, most, *arguments, head=None):
        room = (c_uint64 * (most * FINDING))()
        found = []
        for k in range(call(*self._memory, *arguments, room, most)):
            numbers = room[k * FINDING:(k + 1) * FINDING]
            code, shard, other, offset, count, expected, there, at, size, begin, end = numbers
            tensor = self._text(at, size) if size else text(head, begin, end) if end and head is not None else None
            found.append((code, *(None if n == NONE else n for n in (shard, other, offset)), count or None,
                          *(None if n == NONE else n for n in (expected, there)), tensor))
        return found

    def shard(self, number, view):
        """Compare a valid shard; return findings: rule, shard, other shard, offset, count, expected, found, tensor."""
        return self._findings(_index_shard, 1, number, *view._memory, head=view.head)

    def unread(self, number, code):
        """State that a shard was not read: rule M20, M21, or 0 if it is not valid by itself."""
        return self._findings(_index_unread, 1, number, code)

    def end(self):
        """Compare the whole after the last shard."""
        return self._findings(_index_end, 3 * self.shards + 1)


Out = c_uint64 * OUT  # the types of arrays are made once
Limits = c_uint64 * 5
