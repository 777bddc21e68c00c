#!/usr/bin/env python3
"""Judge files with the Python package of the reference, as src/main.rs does with the crate: the same records and
lines.

The package has two entry points: `deserialize` returns names, dtypes, shapes and data, `safe_open` the order and
the metadata. Both must accept a file or neither. Every byte of the data section is a function of its position, so
that the data of a tensor reveal its begin and end. Above SMALL bytes only `safe_open` is called, and begin and end
are null.
"""
import json
import os
import struct
import sys

from safetensors import deserialize, safe_open

SMALL = 1 << 20
PATTERN = bytes(k * 167 % 251 for k in range(SMALL))  # 251 different bytes, repeated
FILE = os.memfd_create("file")
PATH = "/proc/self/fd/%d" % FILE


def made(head, file_size):
    """Return the file of this size that begins so, if it is small; its data section is the pattern. Also write it
    to PATH."""
    end = min(len(head), 8 + int.from_bytes(head[:8], "little"), file_size)
    file = head[:end] + PATTERN[:max(0, min(file_size, SMALL) - end)]
    os.ftruncate(FILE, 0)
    os.pwrite(FILE, file, 0)
    os.ftruncate(FILE, file_size)
    return file if file_size <= SMALL else None


def opened():
    """Return (tensors, metadata) of safe_open: the tensors in the order of their data, without begin and end."""
    with safe_open(PATH, framework="np") as file:
        slices = [(name, file.get_slice(name)) for name in file.offset_keys()]
        return [{"name": name, "dtype": part.get_dtype(), "shape": part.get_shape(), "begin": None, "end": None}
                for name, part in slices], file.metadata()


def place(tensors, deserialized):
    """Set begin and end of the tensors from their data; None if deserialize disagrees about them."""
    others, at = dict(deserialized), 0
    for tensor in tensors:
        other = others.pop(tensor["name"])
        end = at + len(other["data"])
        if (other["dtype"], other["shape"]) != (tensor["dtype"], tensor["shape"]) or other["data"] != PATTERN[at:end]:
            return None
        tensor["begin"], tensor["end"], at = at, end, end
    return None if others else tensors


def answer(door, *args):
    """Return the answer of this entry point, or None if it rejects the file."""
    try:
        return door(*args)
    except Exception:  # pylint: disable=broad-except
        return None


def judge(head, file_size):
    file = made(head, file_size)
    by_file = answer(opened)
    if file is not None:
        by_bytes = answer(deserialize, file)
        if (by_bytes is None) != (by_file is None) or by_file and place(by_file[0], by_bytes) is None:
            return "differ safe_open %s, deserialize %s" % (by_file, by_bytes)
    if by_file is None:
        return "reject"
    return "accept " + json.dumps({"tensors": by_file[0], "metadata": by_file[1]})


def main():
    records, lines = sys.stdin.buffer, []
    while header := records.read(16):
        file_size, count = struct.unpack("<QQ", header)
        head = records.read(count)
        lines.append("skip" if file_size > 1 << 46 else judge(head, file_size))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
