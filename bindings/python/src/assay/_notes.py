"""What is suspicious about a valid file: the notes of spec/note_rules.tsv. The library finds them, and they get their
words here."""
import os
from dataclasses import dataclass
from typing import Optional

from . import _native
from ._note_rules import RULES

UNALIGNED, NUMBER_LARGE, TWO_FORMATS, METADATA_CODE, METADATA_LARGE, INDEX_BESIDE = 97, 99, 100, 102, 103, 104
PLACES = ("its first bytes are those of %s", "the data begin like %s", "its end is that of a ZIP archive%s")
EXCERPT = 100  # characters of a name
VARIANT_PARTS = 3  # the most parts, between dots, of a variant that is looked for
SUFFIX = ".safetensors"


@dataclass(frozen=True)
class Note:
    """Something suspicious about a valid file. It changes no verdict."""

    rule: str  # "A9"
    rule_name: str  # "name_path"
    message: str
    tensor: Optional[str] = None  # the name of the tensor that is concerned
    tensor_place: Optional[int] = None  # its index in the header
    key: Optional[str] = None  # the metadata key that is concerned


def find(view, read_at, path):
    """Return the notes of a valid file, in the order of the program's. read_at(offset, size) reads of the file. Raise
    OSError if it can't be read, or is shorter than when it was judged."""
    found = find_inside(view, read_at, path)
    if path is not None and index_beside(path):
        found += (_note(INDEX_BESIDE),)
    return found


def find_inside(view, read_at, path):
    """The same without A12: of a file that is judged together with its index."""
    begin = view.out[_native.DATA_BEGIN]
    size = begin + view.out[_native.DATA_SIZE]
    data = _read(read_at, begin, min(size, begin + _native.NOTE_DATA))
    tail = _read(read_at, max(0, size - _native.NOTE_TAIL), size)
    return tuple(_found(view.head, *numbers) for numbers in view.notes(data, tail))


def _read(read_at, begin, end):
    data = read_at(begin, end - begin)
    if len(data) < end - begin:
        raise OSError(0, "the file became shorter while it was read")
    return bytes(data)


def _found(head, code, tensor, begin, end, number, place):
    """Return the Note of what the library has found."""
    name = _native.text(head, begin, end) if end else None
    key = tensor == _native.NONE
    detail = "" if name is None else "%s %s" % ("metadata key" if key else "tensor", quoted(name))
    if code == UNALIGNED:
        detail += ", at byte %d" % number
    elif code == NUMBER_LARGE:
        detail += ", %d" % number
    elif code == TWO_FORMATS:
        detail = PLACES[place] % ("" if place == 2 else _native.note_word(code, number))
    elif code == METADATA_CODE:
        detail = "%s in %s" % (_native.note_word(code, number), detail)
    elif code == METADATA_LARGE:
        detail = size_text(number)
    return _note(code, detail, **({"key": name} if key else {"tensor": name, "tensor_place": tensor}))


def _note(code, detail="", **fields):
    rule, name, title, advice = RULES[code]
    return Note(rule, name, "%s%s: %s" % (title, detail and " (%s)" % detail, advice), **fields)


def quoted(text):
    """Return a name in quotes, as the program does: cut, and without characters that a terminal obeys, that nobody
    sees, or that begin a command of a CI service (##)."""
    shown, before = [], ""
    for character in text[:EXCERPT]:
        if character in '"\\':
            shown.append("\\" + character)
        elif character == before == "#" or _native.hidden(ord(character)):
            shown.append("\\u{%X}" % ord(character))
        else:
            shown.append(character)
        before = character
    return '"%s"%s' % ("".join(shown), "..." if len(text) > EXCERPT else "")


def size_text(count):
    """Return a number of at least 1000 bytes, as the program does."""
    power = 0
    while count >= 1_000_000 and power < 5:
        count, power = count // 1000, power + 1
    return "%d.%02d %sB" % (count // 1000, count % 1000 // 10, "kMGTPE"[power])


def index_beside(path):
    """Whether an index of the same model, of the same variant, is in the folder of a file: rule A12."""
    folder, name = os.path.split(path)
    if not name.endswith(SUFFIX):
        return False
    parts = name[:-len(SUFFIX)].split(".")
    names = [".".join(parts) + SUFFIX + ".index.json"]
    names += ["%s%s.index.%s.json" % (".".join(parts[:-k]), SUFFIX, ".".join(parts[-k:]))
              for k in range(1, min(VARIANT_PARTS, len(parts) - 1) + 1)]
    return any(os.path.isfile(os.path.join(folder, index)) for index in names)
