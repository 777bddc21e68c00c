#!/usr/bin/env python3
"""Judge files with a reader that is a Python package; the argument names the function here.

Standard input has the records of ../reference/src/main.rs. Standard output has a line for each file: `accept
JSON`, `reject why` or `skip why`. Each function gets a path and, for a small file, its bytes. It returns what its
reader reports about the file, with the keys that reported_table.py explains; any exception is a rejection.
"""
import json
import os
import struct
import sys
import zlib

TENSORS = 1000
LONGEST = 20_000  # characters of a reason: it may contain a name, and the reason after it
SMALL = 1 << 16  # larger files are sparse, and nobody reads their data
FILE = os.memfd_create("file")
PATH = "/proc/self/fd/%d" % FILE


class Skip(Exception):
    """This reader can't judge this file here."""


def entry(name, dtype, shape, **place):
    return dict({"name": name, "dtype": dtype, "shape": list(shape)}, **place)


def dtype_named(name):
    """Return the format's name of a dtype of Python's libraries."""
    names = {"bool": "BOOL", "bool_": "BOOL", "bfloat16": "BF16", "complex64": "C64"}
    return names.get(name) or name.replace("uint", "U").replace("int", "I").replace("float", "F")


def place(begin, end):
    return {"begin": begin, "end": end}


def read_numpy(_, data):
    """Read with the package's own loader to NumPy arrays."""
    from safetensors.numpy import load
    if data is None:
        raise Skip("it reads the data")
    return {"tensors": [entry(name, dtype_named(a.dtype.name), a.shape, data=a.tobytes().hex())
                        for name, a in load(data).items()]}


def read_huggingface_hub(path, _):
    from huggingface_hub import parse_local_safetensors_file_metadata
    header = parse_local_safetensors_file_metadata(path)
    return {"tensors": [entry(name, t.dtype, t.shape, **place(*t.data_offsets)) for name, t in header.tensors.items()],
            "pairs": header.metadata}


def read_gguf(path, _):
    from gguf.utility import SafetensorsLocal
    return {"tensors": [entry(name, t.dtype, t.shape, offset=t.data_range.offset, size=t.data_range.size)
                        for name, t in SafetensorsLocal(path).tensors.items()]}


class Bytes:
    """The part of FILE that tinygrad's reader uses as a Tensor of bytes; a real one takes a tenth of a second."""

    def __init__(self, begin, end):
        self.begin, self.end = begin, end

    def __getitem__(self, part):
        return Bytes(self.begin + part.start, self.begin + part.stop)

    def data(self):
        return memoryview(os.pread(FILE, self.end - self.begin, self.begin))


def read_tinygrad(_, data):
    """Read only the header: its tensors are built from these numbers. One file in TENSORS is a real Tensor."""
    from tinygrad import Tensor
    from tinygrad.nn.state import safe_dtypes, safe_load_metadata
    header = safe_load_metadata.__wrapped__(Bytes(0, os.fstat(FILE).st_size))[2]
    if data is not None and zlib.crc32(data) % TENSORS == 0:
        if safe_load_metadata(Tensor(data, device="PYTHON"))[2] != header:
            raise SystemExit("tinygrad reads another header from a Tensor: " + data.hex())
    pairs = header.pop("__metadata__", {})
    for t in header.values():
        safe_dtypes[t["dtype"]]  # pylint: disable=pointless-statement
    return {"tensors": [entry(name, t["dtype"], t["shape"], **place(*t["data_offsets"])) for name, t in header.items()],
            "pairs": pairs}


def read_mlx(path, data):
    import mlx.core as mx
    tensors, pairs = mx.load(path, format="safetensors", return_metadata=True)

    def bytes_of(a):
        raw = memoryview(a.reshape(-1).view(mx.uint8)).tobytes() if a.size else b""
        return {} if data is None else {"data": raw.hex()}
    out = []
    for name, a in tensors.items():
        out.append(entry(name, dtype_named(str(a.dtype).split(".")[-1]), a.shape, **bytes_of(a)))
    return {"tensors": out, "pairs": pairs}


def read_fastsafetensors(path, _):
    from fastsafetensors import SafeTensorsMetadata
    from fastsafetensors.st_types import DTYPE_SIZES

    class Framework:  # what its class for PyTorch returns
        def get_dtype_size(self, dtype):
            return float(DTYPE_SIZES[dtype])

        def get_device_ptr_align(self):
            return 16
    fd = os.open(path, os.O_RDONLY)
    try:
        header = SafeTensorsMetadata.from_fd(fd, path, Framework())
    finally:
        os.close(fd)
    return {"tensors": [entry(name, t.dtype.value, t.shape, **place(*t.data_offsets))
                        for name, t in header.tensors.items()], "pairs": header.metadata or {}}


def read_stsw(path, _):
    from stsw import StreamReader
    reader = StreamReader(path, mmap=False)
    return {"tensors": [entry(name, t.dtype, t.shape, **place(t.offset_begin, t.offset_end))
                        for name, t in ((name, reader.meta(name)) for name in reader.keys())],
            "pairs": reader.metadata or {}}


def read_modelvet(_, data):
    """A verdict without a table."""
    import modelvet
    if data is None:
        raise Skip("it needs all bytes in memory")
    report = modelvet.verify_safetensors(data)
    if not report.accepted:
        raise ValueError(report.violation_name)
    return {}


def answer(read, head, file_size):
    data = head.ljust(file_size, b"\0") if file_size <= max(SMALL, len(head)) else None
    os.ftruncate(FILE, 0)
    os.pwrite(FILE, data or head, 0)
    try:
        os.ftruncate(FILE, file_size)
    except OSError as why:
        return "skip %s" % why
    try:
        return "accept " + json.dumps(read(PATH, data))
    except Skip as why:
        return "skip %s" % why
    except Exception as why:  # pylint: disable=broad-except
        return "reject " + " ".join(("%s: %s" % (type(why).__name__, why)).split())[:LONGEST]


def main():
    read = globals()["read_" + sys.argv[1]]
    records = sys.stdin.buffer
    while header := records.read(16):
        file_size, count = struct.unpack("<QQ", header)
        head = records.read(count)[:file_size]
        print(answer(read, head, file_size))


if __name__ == "__main__":
    main()
