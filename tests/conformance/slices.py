#!/usr/bin/env python3
"""Compare slices with NumPy: thousands of random slices of random tensors.

The driver (slice_driver.c) prints the runs of each slice; NumPy determines the elements of the slice and their
order. Elements are compared as bits, so dtypes narrower than a byte are exact. Three things are checked: the bits
in order; that all runs are as long as the largest trailing block of adjacent elements; that slices which NumPy
would change are refused. Every tenth tensor has an axis of at least 2^33 elements and a step of at least 2^32 on
it: NumPy computes these elements. A driver that does not end is a failure.

usage: slices.py DRIVER [COUNT [SEED]] Exit status: 0 all agree, 1 a difference, 77 NumPy is not available.
"""
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures"))
from from_pip import module_or_skip  # noqa: E402

BITS = {"F4": 4, "F6_E2M3": 6, "U8": 8, "F16": 16, "F32": 32, "C64": 64}
USAGE = "3"
SECONDS = 120  # time limit of the driver, which needs less than one


def an_axis(rng, dim):
    """Return start, stop, step: often the whole axis, often one element, sometimes none."""
    kind = rng.random()
    if kind < 0.35:
        return 0, dim, 1
    if kind < 0.45 and dim > 0:
        at = rng.randrange(dim)
        return at, at + 1, rng.choice((1, 1, 2, 2**64 - 1))
    start = rng.randint(0, dim)
    stop = rng.randint(start, dim)
    step = rng.choice((1, 1, 1, 2, 3, 5, rng.randint(1, 9), 2**63, 2**64 - 1))
    return start, stop, step


def a_case(rng):
    while True:
        dtype = rng.choice(list(BITS))
        rank = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6))
        dims = [rng.choice((1, 1, 2, 2, 3, 4, 5, 7, 8)) for _ in range(rank)]
        if rank and rng.random() < 0.04:
            dims[rng.randrange(rank)] = 0
        total = BITS[dtype]
        for dim in dims:
            total *= dim
        if total % 8 == 0 and total < 200_000:
            return dtype, dims, total // 8, [an_axis(rng, dim) for dim in dims]


def a_wide_case(rng):
    """Make a tensor with a long axis, of which few elements are selected."""
    dtype = rng.choice(list(BITS))
    dims = [rng.choice((1, 2, 3, 4)) for _ in range(rng.randrange(3))]
    axes = [an_axis(rng, dim) for dim in dims]
    dim = 8 * rng.randrange(2**30, 2**rng.randint(31, 47))
    start = rng.choice((0, rng.randrange(dim), rng.randrange(2**32)))
    stop = rng.choice((dim, rng.randint(start, dim)))
    least = max(2**32, (stop - start) // 64)
    step = rng.choice((least, least + 1, 2**rng.randint(32, 40) + least, 2**32 * (least // 2**32 + 1), 2**63 + least))
    at = rng.randint(0, len(dims))
    dims.insert(at, dim)
    axes.insert(at, (start, stop, step))
    total = BITS[dtype]
    for dim in dims:
        total *= dim
    return dtype, dims, total // 8, axes


def spoil(rng, dims, axes):
    """Break one axis in one of the ways that must be refused."""
    at = rng.randrange(len(axes))
    start, stop, step = axes[at]
    axes[at] = rng.choice(((start, stop, 0), (start, dims[at] + 1, step), (stop + 1, stop, step),
                           (0, 2**64 - 1, step), (2**64 - 1, 2**64 - 1, 1)))


def line(case):
    dtype, dims, size, axes = case
    return " ".join(map(str, [dtype, size, len(dims)] + [x for d, a in zip(dims, axes) for x in (d, *a)]))


def elements(np, dims, axes):
    """Return the slice of an array that holds the number of each element. A slice of an array that is too large is
    computed, because the numbers are sums."""
    # A step above 2^62 is too large for slices of Python's arrays: it selects one element, like 2^62.
    axes = [(a, b, min(s, 2**62)) for a, b, s in axes]
    if max(dims, default=0) < 2**32:
        return np.arange(math.prod(dims)).reshape(dims)[tuple(slice(*axis) for axis in axes)]
    index = np.zeros((1,) * len(dims), dtype=np.int64)
    for k, axis in enumerate(axes):
        numbers = np.array(range(*axis), dtype=np.int64) * math.prod(dims[k + 1:])
        index = index + numbers.reshape([-1 if i == k else 1 for i in range(len(dims))])
    return index


def expected(np, case):
    """Return the bits of the slice in element order, and the length of a run."""
    dtype, dims, _, axes = case
    width = BITS[dtype]
    index = elements(np, dims, axes)
    bits = (index.reshape(-1, 1) * width + np.arange(width)).ravel()
    run = 0
    if index.size:
        for k in range(len(dims) + 1):
            block = index[(0,) * k].ravel()
            if (np.diff(block) == 1).all():
                run = block.size * width
                break
    return bits, run


def check(np, case, answer):
    if answer.endswith("endless"):
        return "it does not end"
    runs = [tuple(map(int, run.split())) for run in answer.split(";") if run]
    bits, length = expected(np, case)
    if any(run[2] != length or not 0 <= run[1] < 8 for run in runs):
        return "run length %d expected" % length
    got = np.concatenate([np.arange(r[2]) + r[0] * 8 + r[1] for r in runs]) if runs else np.array([], int)
    return None if np.array_equal(got, bits) else "other bits"


def made(count, seed):
    """Return (cases, whether each must be refused)."""
    rng = random.Random(seed)
    cases, bad = [], []
    for _ in range(count):
        case = a_wide_case(rng) if len(cases) % 10 == 9 else a_case(rng)
        bad.append(bool(case[3]) and rng.random() < 0.05)
        if bad[-1]:
            spoil(rng, case[1], case[3])
        cases.append(case)
    return cases, bad


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    np = module_or_skip("numpy", "numpy")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    cases, bad = made(count, int(sys.argv[3]) if len(sys.argv) > 3 else 20240501)
    try:
        out = subprocess.run([sys.argv[1]], input="".join(line(c) + "\n" for c in cases), text=True, check=True,
                             stdout=subprocess.PIPE, timeout=SECONDS).stdout.splitlines()
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        sys.exit("slices.py: DIFFERENCE: %s" % error)
    if len(out) != count:
        sys.exit("slices.py: %d answers to %d slices" % (len(out), count))
    for case, refuse, answer in zip(cases, bad, out):
        if refuse or answer == USAGE:
            wrong = None if refuse and answer == USAGE else "refused: %s" % (answer == USAGE)
        else:
            wrong = check(np, case, answer)
        if wrong:
            print("DIFFERENCE:", wrong, "\n ", line(case), "\n ", answer[:300])
            sys.exit(1)
    print("slices: %d agree with NumPy, %d of them refused" % (count, sum(bad)))
    print("%d passed, 0 failed" % count)


if __name__ == "__main__":
    main()
