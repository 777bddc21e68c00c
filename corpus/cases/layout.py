"""Cases: how two and three tensors can lie relative to each other."""
from cases.kit import DATA, SIZE, doc, good, measured, t


def at(name, begin, end):
    return t(name, shape="[%d]" % (end - begin), begin=begin, end=end)


def two():
    """Yield every relation of two ranges, in both orders of the header: name, a, b, and the expected fault."""
    overlaps = [("equal", (0, 4), (0, 4), 0), ("starts", (0, 2), (0, 4), 0), ("overlaps", (0, 4), (2, 6), 2),
                ("finishes", (0, 4), (2, 4), 2), ("during", (0, 4), (1, 3), 1), ("last-byte", (0, 4), (3, 4), 3),
                ("first-byte", (0, 4), (0, 1), 0)]
    for file, a, b, where in overlaps:
        for order in (1, -1):
            ranges = [("a", a), ("b", b)][::order]
            first = min(range(2), key=lambda i, r=ranges: (r[i][1], i))  # layout order: begin, end, index
            measured("W64", "overlap", "two-%s%s" % (file, "" if order == 1 else "-reversed"),
                doc(*(at(name, *span) for name, span in ranges)), max(a[1], b[1]), at=DATA + where,
                tensor=1 - first, other=first, expected=ranges[first][1][1], found=ranges[1 - first][1][0])
    for order in (1, -1):
        more = "" if order == 1 else "-reversed"
        good("two-meet" + more, doc(*[at("a", 0, 4), at("b", 4, 8)][::order]), 8, origin="overlap")
        measured("W65", "hole", "two-apart" + more, doc(*[at("a", 0, 4), at("b", 5, 8)][::order]), 8, at=DATA + 4,
            tensor=int(order == 1), other=int(order == -1), expected=4, found=5)


def three():
    measured("W64", "overlap", "one-over-two", doc(at("a", 0, 8), at("b", 0, 4), at("c", 4, 8)), 8, at=DATA + 0,
        tensor=0, other=1, expected=4, found=0)
    measured("W64", "overlap", "not-with-its-neighbour", doc(at("a", 0, 6), at("b", 6, 8), at("c", 7, 8)), 8,
        at=DATA + 7, tensor=2, other=1, expected=8, found=7)
    measured("W64", "overlap", "last-two-of-three", doc(at("c", 4, 8), at("a", 0, 4), at("b", 7, 9)), 9, at=DATA + 7,
        tensor=2, other=0, expected=8, found=7)
    measured("W64", "overlap", "hole-as-large-as-the-overlap", doc(at("a", 0, 4), at("b", 2, 6), at("c", 8, 10)), 10,
        at=DATA + 2, tensor=1, other=0, expected=4, found=2, note="the sizes add up to the data size")
    measured("W65", "hole", "between-empty-ones", doc(at("e", 4, 4), at("a", 0, 4), at("f", 5, 5), at("b", 5, 6)), 6,
        at=DATA + 4, tensor=3, other=1, expected=4, found=5)
    measured("W65", "hole", "all-but-the-last-byte", doc(at("a", 7, 8)), 8, at=DATA + 0, tensor=0, expected=0, found=7)
    measured("W66", "hole", "behind-an-empty-one", doc(at("a", 0, 4), at("e", 4, 4)), 5, at=DATA + 4, other=0,
        expected=4, found=5)


def empty():
    """Yield an empty tensor at every byte of another, and at its ends."""
    for place in range(5):
        header = doc(at("a", 0, 4), at("e", place, place))
        if place in (0, 4):
            good("empty-at-%d-in-4" % place, header, 4, origin="empty-tensor")
        else:
            measured("W67", "empty_inside", "at-%d-in-4" % place, header, 4, at=DATA + place, tensor=1, other=0)
    measured("W67", "empty_inside", "in-the-second", doc(at("a", 0, 4), at("b", 4, 8), at("e", 7, 7)), 8, at=DATA + 7,
        tensor=2, other=1)
    measured("W67", "empty_inside", "one-of-each", doc(at("e", 4, 4), at("a", 0, 8), at("f", 0, 0), at("g", 8, 8)), 8,
        at=DATA + 4, tensor=0, other=1)
    measured("W63", "truncated", "empty-one-beyond", doc(at("e", 1, 1)), 0, at=SIZE, tensor=0, expected=1, found=0)


two()
three()
empty()
