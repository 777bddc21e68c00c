"""Cases: numbers at the limits of the types that readers use, wherever a number can occur.

The limits of signed and unsigned 32 bits, doubles, signed and unsigned 64 bits: the limit, one less, one more.
"""
from cases.kit import SIZE, body, good, measured, t

BORDERS = {"at-2-%d%s" % (power, name): 2**power + step
           for power in (31, 32, 53, 63, 64) for name, step in (("-less-1", -1), ("", 0), ("-more-1", 1))}
MAX = 2**64 - 1


def header_lengths():
    for file, n in [("limit-less-1", 10**8 - 1), *BORDERS.items()]:
        if n > MAX:
            continue
        if n > 10**8:
            measured("W2", "header_large", "n-" + file, "{}", n=n, at=0, origin="number-border",
                expected=10**8, found=n)
        else:
            measured("W3", "header_cut", "n-" + file, "{}", n=n, at=SIZE, origin="number-border",
                expected=8 + n, found=10)


def fault(place, file, number, header, data):
    """Return the rule that a number breaks in any case, or None; ^^ precedes it in the header."""
    if number > MAX:
        measured("W48", "number_range", place + "-" + file, header, data, origin="number-border", tensor=0)
        return True
    return False


def dims(file, v):
    more = {"origin": "number-border", "tensor": 0}
    for place, shape, end in [("dim", "[%s]" % v, 4), ("dim-whole", "[%s]" % v, v)]:
        if fault(place, file, v, body(shape="[^^%s]" % v, offsets="[0,4]"), 4):
            continue
        if v * 8 > MAX:
            measured("W54", "shape_overflow", place + "-" + file, body(shape="^^" + shape, offsets="[0,%d]" % end), 4,
                **more)
        elif end == 4:
            measured("W57", "offsets_size", place + "-" + file, body(shape=shape, offsets="^^[0,4]"), 4, expected=v,
                found=4, **more)
        else:
            measured("W63", "truncated", place + "-" + file, body(shape=shape, offsets="[0,%d]" % end), 4, at=SIZE,
                expected=v, found=4, **more)
    for place, shape in [("dim-before-0", "[%s,0]"), ("dim-behind-0", "[0,%s]")]:
        if fault(place, file, v, body(shape=shape % ("^^%d" % v), offsets="[0,0]"), 0):
            continue
        if v * 8 > MAX:
            measured("W54", "shape_overflow", place + "-" + file, body(shape="^^" + shape % v, offsets="[0,0]"),
                decision="D13", **more)
        else:
            good(place + "-" + file, body(shape=shape % v, offsets="[0,0]"), origin="number-border")


def offsets(file, v):
    more = {"origin": "number-border", "tensor": 0}
    if not fault("begin", file, v, body(offsets="[^^%d,4]" % v), 4):
        measured("W56", "offsets_order", "begin-" + file, body(offsets="^^[%d,4]" % v), 4, expected=v, found=4, **more)
    if not fault("end", file, v, body(offsets="[0,^^%d]" % v), 4):
        measured("W57", "offsets_size", "end-" + file, body(offsets="^^[0,%d]" % v), 4, expected=4, found=v, **more)
    if not fault("empty-at", file, v, body(shape="[0]", offsets="[^^%d,%d]" % (v, v)), 0):
        measured("W63", "truncated", "empty-at-" + file, body(shape="[0]", offsets="[%d,%d]" % (v, v)), at=SIZE,
            expected=v, found=0, **more)
    if v + 4 <= MAX:  # a tensor that begins there: its end is where a sum wraps
        measured("W63", "truncated", "from-" + file, body(offsets="[%d,%d]" % (v, v + 4)), 4, at=SIZE, expected=v + 4,
            found=4, **more)


def decimal():
    """Yield numbers where a reader that detects overflow by digits fails, and numbers that are small modulo 2^64."""
    for file, number in [("20-nines", 10**20 - 1), ("19-and-zeros", 19 * 10**18), ("20-and-zeros", 2 * 10**19),
                         ("2-64-x-2-more-4", 2**65 + 4), ("2-64-x-3-more-4", 3 * 2**64 + 4),
                         ("2-64-x-10-more-4", 10 * 2**64 + 4), ("2-65", 2**65), ("2-127", 2**127), ("2-128-more-4",
                         2**128 + 4)]:
        measured("W48", "number_range", "dim-" + file, body(shape="[^^%d]" % number), 4, tensor=0)
        measured("W48", "number_range", "begin-" + file, body(offsets="[^^%d,4]" % number), 4, tensor=0)
        measured("W48", "number_range", "end-" + file, body(offsets="[0,^^%d]" % number), 4, tensor=0)
    for file, number in [("19-nines", 10**19 - 1), ("10-to-19", 10**19), ("18-and-nines", 18 * 10**18 + 10**18 // 4)]:
        measured("W56", "offsets_order", "begin-" + file, body(offsets="^^[%d,4]" % number), 4, tensor=0,
            origin="number-border", expected=number, found=4)


def forms():
    """Yield forms that no integer has, in the first data offset and in a later dim."""
    for file, number in [("minus-zero", "-0"), ("minus", "-4"), ("fraction", "0.0"), ("exponent", "0e0"), ("upper",
        "0E0"),
                         ("leading-zero", "00"), ("large-fraction", "18446744073709551616.0"), ("lone-minus", "-"),
                         ("e", "1e"), ("dots", "1.2.3"), ("plus", "4+"), ("2-53-exponent", "9007199254740993e0")]:
        row = "W47" if file in ("lone-minus", "e", "dots", "plus") else "W46"
        measured(row, "number_form", "begin-" + file, body(offsets="[^^%s,4]" % number), 4, tensor=0)
        measured(row, "number_form", "later-dim-" + file, body(shape="[4,^^%s]" % number), 4, tensor=0)
        if row == "W47":
            measured(row, "number_form", "end-" + file, body(offsets="[0,^^%s]" % number), 4, tensor=0)


header_lengths()
for name, border in BORDERS.items():
    dims(name, border)
    offsets(name, border)
decimal()
forms()
