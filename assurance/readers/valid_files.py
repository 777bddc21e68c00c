"""Make random valid files for the readers: the documents of assurance/model/random_document.py, and what readers
fail on.

    files(seed, count, first) yields (data, file_size, the model's result): data is the whole file if it is small, and
    its data section is then PATTERN; else data ends with the header.
"""
import hashlib
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "spec"), os.path.join(HERE, "..", "model")]
import model  # noqa: E402
import random_document  # noqa: E402

SMALL = 1 << 16  # as in the readers: larger files are sparse, and nobody reads their data
PATTERN = hashlib.shake_128(b"assay").digest(SMALL)  # the data reveal their position in the data section
NAMES = ["__proto__", "constructor", "toString", "__version__", "__incomplete__", "__metadata", "0", "-1", "1e3",
         "null", "a b", "\ufeff", "\u2028", "../x", "C:\\x", "%s", "x" * 300, "x" * 4000, "A", "e\u0301", "\u00c5",
         "\u212b", "$ref", "shape", "Data_Offsets", "\u017fhape", "dtype"]
DIMS = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**53, 2**53 + 1, 2**60 - 1]


def odd_name(rng, doc):
    tensor = doc.tensor(rng)
    name = random_document.raw(rng, rng.choice(NAMES), rng.choice((0, 0, 0.3)))
    if name not in [t.name for t in doc.tensors]:
        tensor.name = name


def odd_pair(rng, doc):
    key, value = (random_document.raw(rng, rng.choice(NAMES), rng.choice((0, 0, 0.3))) for _ in range(2))
    doc.pairs = [(key, value)] + (doc.pairs or [])


def many_dims(rng, doc):
    tensor = doc.tensor(rng)
    tensor.shape = tensor.shape + [1] * rng.choice((1, 4, 8, 29, 30, 31, 32, 33, 61, 62, 63, 64, 65, 300))


def large_dim(rng, doc):
    """A large dim in a tensor without elements."""
    tensor = doc.tensor(rng)
    if tensor.begin == tensor.end:
        dim = rng.choice(DIMS)
        tensor.shape = [0, min(dim, (2**64 - 1) // model.BITS[tensor.dtype.decode()])]
        rng.shuffle(tensor.shape)


def large_last(rng, doc):
    """A last tensor whose end does not fit a double."""
    doc.tensors.append(random_document.Tensor(b"large", b"U8", [2**53 + rng.randrange(1, 9)], doc.size, 0))
    doc.size += doc.tensors[-1].shape[0]
    doc.tensors[-1].end = doc.size


def plain(rng, doc):
    """A file as writers make it: plain names, and only metadata of text."""
    for place, tensor in enumerate(doc.tensors):
        tensor.name = b"layers.%d.%s" % (place, rng.choice((b"weight", b"bias")))
    doc.pairs = None if doc.pairs is None else [(b"format", b"pt")]


def case(seed, index):
    rng = random.Random(seed << 32 | index)
    doc = random_document.Doc(rng, range(20, 200) if rng.random() < 0.002 else (0, 1, 1, 2, 2, 3, 5))
    odd = rng.choice((None, None, None, plain, plain, plain, odd_name, odd_name, odd_pair, many_dims, large_dim,
                      large_last if rng.random() < 0.2 else None))
    if odd:
        odd(rng, doc)
    header = doc.header(doc.tokens())
    return len(header).to_bytes(8, "little") + header, doc.size


def with_data(head, size):
    """Return (data, file_size, the model's result) of the file with this head and data size."""
    whole = len(head) + size
    data = head + PATTERN[:size] if whole <= SMALL else head
    return data, whole, model.judge(data, whole)


def files(seed, count, first=0):
    for index in range(first, first + count):
        made = with_data(*case(seed, index))
        if made[2].verdict == "valid":
            yield made
