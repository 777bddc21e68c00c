"""Cases: products and sums that overflow: 64 bits, 32 bits, signed types, in bytes, in bits, in elements."""
from cases.kit import SIZE, body, doc, good, measured, t

WIDTHS = {"F4": 4, "F6_E2M3": 6, "U8": 8, "I16": 16, "F32": 32, "F64": 64}


def widths():
    """Yield the last number of elements that fits and the first that does not, for every width of a dtype."""
    for dtype, bits in WIDTHS.items():
        most = (2**64 - 1) // bits
        text = '"%s"' % dtype
        good("product-last-%s" % dtype, body(text, "[%d,0]" % most, "[0,0]"), origin="shape-wrap")
        measured("W54", "shape_overflow", "product-first-%s" % dtype, body(text, "^^[%d]" % (most + 1), "[0,0]"),
            tensor=0)
        measured("W54", "shape_overflow", "product-first-before-0-%s" % dtype, body(text, "^^[%d,0]" % (most + 1),
            "[0,0]"), decision="D13", tensor=0)
        measured("W54", "shape_overflow", "product-first-behind-0-%s" % dtype, body(text, "^^[0,%d]" % (most + 1),
            "[0,0]"), decision="D13", tensor=0)
        whole = most - most % 4  # elements that are whole bytes
        measured("W57", "offsets_size", "product-last-%s" % dtype, body(text, "[%d]" % whole, "^^[0,0]"), tensor=0,
            origin="shape-wrap", expected=whole * bits // 8, found=0)


def wraps():
    """Yield shapes that a careless reader multiplies to the four bytes that are there."""
    for file, dtype, shape in [
        ("elements-wrap-to-4", "U8", "[4,4611686018427387905]"),  # 4 * (2^62 + 1) = 2^64 + 4
        ("elements-wrap-to-4-signed", "U8", "[9223372036854775810,2]"),  # (2^63 + 2) * 2
        ("elements-wrap-to-4-three-dims", "U8", "[4611686018427387905,2,2]"),
        ("bits-wrap-to-32", "U8", "[2305843009213693956]"),  # 8 * (2^61 + 4) = 2^64 + 32
        ("bits-wrap-to-32-F32", "F32", "[576460752303423489]"),  # 32 * (2^59 + 1)
        ("bytes-wrap-to-4-F32", "F32", "[4611686018427387905]"),  # 4 * (2^62 + 1)
        ("bits-wrap-to-32-F4", "F4", "[4611686018427387912]"),  # 4 * (2^62 + 8)
        ("elements-wrap-to-1-F32", "F32", "[274177,67280421310721]"),  # the factors of 2^64 + 1
    ]:
        measured("W54", "shape_overflow", file, body('"%s"' % dtype, "^^" + shape), 4, tensor=0)
    for file, dtype, shape, size in [
        ("elements-wrap-32-to-4", "U8", "[4,1073741825]", 2**32 + 4),
        ("elements-wrap-32-to-0", "U8", "[65536,65536]", 2**32),
        ("bits-wrap-32-to-32", "U8", "[536870916]", 2**29 + 4),
        ("bytes-wrap-32-to-4-F32", "F32", "[1073741825]", 2**32 + 4),
        ("elements-signed-32", "U8", "[2147483652]", 2**31 + 4),
    ]:
        measured("W57", "offsets_size", file, body('"%s"' % dtype, shape, "^^[0,4]"), 4, tensor=0,
            origin="shape-wrap", expected=size, found=4)
    for file, shape, decision in [("zero-in-the-middle", "[4294967296,0,4294967296]", "D13"),
                                  ("two-zeros", "[0,4294967296,4294967296,0]", "D13"),
                                  ("zero-behind-three", "[2097152,2097152,4194304,0]", "")]:
        measured("W54", "shape_overflow", file, body(shape="^^" + shape, offsets="[0,0]"), decision=decision,
            tensor=0)
    measured("W54", "shape_overflow", "overflow-and-odd", body('"F4"', "^^[3,6148914691236517206]", "[0,0]"),
        tensor=0, note="(2^64 + 2) * 4 bits: H20 before H21")


def subbyte():
    """Yield every remainder of a size in bits, and sizes that are whole bytes only as a product."""
    for dtype, count, bits in [("F4", 1, 4), ("F4", 3, 12), ("F6_E2M3", 1, 6), ("F6_E2M3", 2, 12), ("F6_E2M3", 3, 18),
                               ("F6_E3M2", 1, 6), ("F6_E3M2", 3, 18), ("F6_E3M2", 7, 42)]:
        measured("W55", "shape_subbyte", "rest-%s-%d" % (dtype, count), body('"%s"' % dtype, "^^[%d]" % count,
            "[0,%d]" %
                                                                        (bits // 8 + 1)), bits // 8 + 1,
            tensor=0, found=bits)
        measured("W55", "shape_subbyte", "rest-down-%s-%d" % (dtype, count), body('"%s"' % dtype, "^^[%d]" % count,
            "[0,%d]" %
                                                                             (bits // 8)), bits // 8,
            tensor=0, found=bits, note="rounded down")
    for dtype in ("F6_E2M3", "F6_E3M2"):
        measured("W55", "shape_subbyte", "scalar-" + dtype, body('"%s"' % dtype, "^^[]", "[0,1]"), 1, tensor=0,
            found=6)
    measured("W55", "shape_subbyte", "largest", body('"F4"', "^^[4611686018427387903]", "[0,0]"), tensor=0,
        found=2**64 - 4)
    for dtype, shape, size in [("F4", "[2]", 1), ("F6_E2M3", "[4]", 3), ("F6_E3M2", "[2,2,2]", 6), ("F4", "[1,2,1]", 1),
                               ("F4", "[5,0]", 0), ("F6_E2M3", "[0]", 0)]:
        good("whole-bytes-%s-%s" % (dtype, shape.strip("[]").replace(",", "x")), body('"%s"' % dtype, shape,
            "[0,%d]" % size),
             size, origin="subbyte")
    measured("W57", "offsets_size", "F4-as-bytes", body('"F4"', "[4]", "^^[0,4]"), 4, tensor=0, origin="subbyte",
        expected=2, found=4, note="one byte an element")
    measured("W57", "offsets_size", "F6-as-bytes", body('"F6_E2M3"', "[4]", "^^[0,4]"), 4, tensor=0,
        origin="subbyte", expected=3, found=4)


def sums():
    """Yield begin + size, 8 + N + end, and the sum of all sizes, beyond 64 bits."""
    size = 2**61 - 1
    many = [t("t%d" % i, shape="[%d]" % size, begin=i * size, end=(i + 1) * size) for i in range(8)]
    measured("W63", "truncated", "eight-tensors-to-the-end", doc(*many), 4, at=SIZE, tensor=7, expected=8 * size,
        found=4, origin="sum-wrap", note="8 + N + end wraps")
    measured("W63", "truncated", "last-byte-there-is", body(shape="[1]",
        offsets="[18446744073709551614,18446744073709551615]"), 1,
        at=SIZE, tensor=0, expected=2**64 - 1, found=1, origin="sum-wrap")
    fit = body(shape="[1]", offsets="[18446744073709551500,18446744073709551501]")
    wrapped = 2**64 - 8 - len(fit)  # 8 + N + end is 2^64: a reader may take end for the first byte of the file
    measured("W63", "truncated", "end-wraps-to-0",
        fit.replace("18446744073709551500", str(wrapped - 1)).replace("18446744073709551501", str(wrapped)), 1, at=SIZE,
        tensor=0, expected=wrapped, found=1, origin="sum-wrap")
    measured("W56", "offsets_order", "size-wraps-to-1", body(shape="[1]", offsets="^^[18446744073709551615,0]"), 1,
        tensor=0, expected=2**64 - 1, found=0, origin="sum-wrap")
    measured("W56", "offsets_order", "by-one", body(shape="[0]", offsets="^^[1,0]"), 1, tensor=0, expected=1, found=0)
    measured("W57", "offsets_size", "all-there-is", body(offsets="^^[0,18446744073709551615]"), 4, tensor=0,
        expected=4, found=2**64 - 1, origin="sum-wrap")


widths()
wraps()
subbyte()
sums()
