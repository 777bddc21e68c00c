"""Files for the tests. CORPUS is the folder of the corpus; the package under test is the one that is installed."""
import json
import os
import struct

import pytest


def header_of(tensors, metadata=None):
    """Return a head. tensors: [(name, dtype, shape, begin, end)]; a name may occur twice."""
    rows = [] if metadata is None else ['"__metadata__":' + json.dumps(metadata)]
    rows += ['%s:{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}' % (json.dumps(name), dtype, json.dumps(list(shape)),
                                                                     begin, end)
             for name, dtype, shape, begin, end in tensors]
    text = ("{" + ",".join(rows) + "}").encode()
    return struct.pack("<Q", len(text)) + text


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and returns its path."""
    def write(name, tensors, data, metadata=None):
        path = tmp_path / name
        path.write_bytes(header_of(tensors, metadata) + data)
        return path
    return write


@pytest.fixture
def twice(write):
    """A file with a name twice, which the official package loads."""
    return write("twice.safetensors", [("a", "U8", [1], 0, 1), ("a", "U8", [1], 0, 1)], b"x")


@pytest.fixture(scope="session")
def corpus():
    folder = os.environ.get("CORPUS")
    if not folder:
        pytest.skip("CORPUS is not set: the folder of the corpus")
    return folder


@pytest.fixture(scope="session")
def manifest(corpus):
    with open(os.path.join(corpus, "manifest.tsv"), encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]
