"""Leaks over many calls, and eight threads. CALLS: how many calls."""
import gc
import io
import os
import sys
import threading
import time

import pytest

import assay
from conftest import header_of

CALLS = int(os.environ.get("CALLS", 100_000))
STATUS = "/proc/self/status"
WARM, ROOM = 3000, 2 << 20  # calls before the first measurement; bytes that an allocator may vary by
NAMES = ["t%d" % k for k in range(10)]


def resident():
    """Collect garbage; return the bytes of this process that are in memory now."""
    gc.collect()
    with open(STATUS, encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))


def count_of(folder):
    return len(os.listdir("/proc/self/" + folder))


def mappings():
    with open("/proc/self/maps", encoding="utf-8") as file:
        return sum("leak.safetensors" in line for line in file)


@pytest.fixture
def path(write):
    tensors = [(name, "U8", [1], k, k + 1) for k, name in enumerate(NAMES)]
    return write("leak.safetensors", tensors, bytes(range(10)), {"key": "value"})


def check(path, data, bad):
    assay.check(path)


def check_bytes(path, data, bad):
    assay.check(data)
    assay.check(io.BytesIO(data))


def check_invalid(path, data, bad):
    try:
        assay.check(bad).require()
    except assay.InvalidError as error:
        str(error)


def list_tensors(path, data, bad):
    with assay.open(data) as file:
        assert [tensor.name for tensor in file.values()] == NAMES and file.metadata == {"key": "value"}


def open_mapped(path, data, bad):
    with assay.open(path) as file:
        assert file["t3"].buffer()[0] == 3


def open_read(path, data, bad):
    with assay.open(path, access="read") as file:
        assert bytes(file["t3"].buffer()) == b"\3"


def open_refused(path, data, bad):
    try:
        assay.open(bad)
    except assay.InvalidError:
        pass


def open_not_closed(path, data, bad):
    assay.open(path)["t1"].buffer()


def check_model(path, data, bad):
    assay.check_model(os.path.dirname(path))


@pytest.mark.skipif(not os.path.exists(STATUS), reason="no /proc: descriptors can't be counted")
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="no reference counts")
def test_a_file_that_nobody_closes(path):
    """It is closed at once when nobody has it, not when the garbage collector comes by."""
    before = count_of("fd")
    gc.disable()
    try:
        for _ in range(50):
            list(assay.open(path).values())[1].buffer()
        assert count_of("fd") == before
    finally:
        gc.enable()


@pytest.mark.skipif(not os.path.exists(STATUS), reason="no /proc: memory can't be measured")
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="memory of a garbage collector varies")
@pytest.mark.parametrize("call,share", [(check, 1), (check_bytes, 1), (check_invalid, 1), (list_tensors, 1),
                                        (open_mapped, 0.2), (open_read, 0.2), (open_refused, 0.2),
                                        (open_not_closed, 0.2), (check_model, 0.02)])
def test_no_leak(path, call, share, tmp_path_factory):
    data = path.read_bytes()
    bad = tmp_path_factory.mktemp("bad") / "bad.safetensors"
    bad.write_bytes(header_of([("a", "U8", [1], 0, 1), ("a", "U8", [1], 0, 1)]) + b"x")
    for _ in range(WARM):
        call(path, data, bad)
    before, descriptors, tasks = resident(), count_of("fd"), count_of("task")
    for _ in range(int(CALLS * share)):
        call(path, data, bad)
    assert (count_of("fd"), mappings()) == (descriptors, 0)
    until = time.monotonic() + 10
    while count_of("task") > tasks and time.monotonic() < until:
        time.sleep(0.01)  # a thread that has been joined may be there for a moment
    assert count_of("task") == tasks
    assert resident() - before < ROOM


def in_threads(work, count=8):
    """Run work(k) in that many threads at a time; raise what one of them has raised."""
    faults, start = [], threading.Barrier(count)

    def run(k):
        start.wait()
        try:
            work(k)
        except BaseException as error:  # also AssertionError, which a thread would swallow
            faults.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


@pytest.mark.parametrize("access", ["map", "read"])
def test_eight_threads_read_one_file(write, access):
    """One open file, whose table, metadata and mapping are made when they are first needed."""
    count = 300
    tensors = [("t%d" % k, "U16", [2], 4 * k, 4 * k + 4) for k in range(count)]
    data = b"".join(k.to_bytes(2, "little") * 2 for k in range(count))
    path = write("many.safetensors", tensors, data, {"k": "v"})
    for _ in range(20):
        with assay.open(path, access=access) as file:
            def read(start, file=file):
                for k in range(start, count, 3):
                    tensor = file["t%d" % k]
                    assert bytes(tensor.buffer()) == k.to_bytes(2, "little") * 2 and tensor.shape == (2,)
                    assert file.metadata == {"k": "v"} and file._view.find("t%d" % k).numbers()[0] == k
            in_threads(read)


def test_eight_threads_judge_files(manifest, corpus):
    """Each thread judges the whole corpus, beginning elsewhere."""
    paths = [os.path.join(corpus, row["file"]) for row in manifest]
    right = {path: assay.check(path) for path in paths}

    def judge(k):
        start = k * len(paths) // 8
        for path in paths[start:] + paths[:start]:
            assert assay.check(path) == right[path]
    in_threads(judge)
