"""Functions for the hand-made cases of the corpus.

Every case states what its author derived from spec/format.md. The byte of a verdict is marked in the header
itself: ^^ precedes it (and is removed). Other positions are END (8 + N), SIZE (the file size) and DATA + k (byte k
of the data). `origin` is a row of origins.tsv; by default it is the origin of the rule.
"""
import struct

MARK = b"^^"
END, SIZE, DATA = "end", "size", 10**9
MEASURED = None  # the verdict of the reference is in measured.tsv, written by assurance/reference/check.py --measure
IHD = "reject InvalidHeaderDeserialization"
UTF8 = "reject InvalidHeader"
OFFSET = "reject InvalidOffset"
BUFFER = "reject MetadataIncompleteBuffer"

CASES = []
OPTION_CASES = []  # judged with options: see option() below


class Case:

    def __init__(self, file, name, header, data, n, at, ref, decision, row, note, errors):
        self.origin = errors.pop("origin", "")
        raw = header if isinstance(header, bytes) else header.encode("utf-8")
        marked = raw.find(MARK)
        raw = raw.replace(MARK, b"")
        self.file, self.name, self.row, self.note = file, name, row, note
        self.decision, self.reference, self.errors = decision, ref, errors
        self.data = struct.pack("<Q", len(raw) if n is None else n) + raw + payload(data)
        end = 8 + (len(raw) if n is None else n)
        if marked >= 0:
            at = 8 + marked
        self.offset = {END: end, SIZE: len(self.data), None: ""}.get(at, at)
        if isinstance(at, int) and at >= DATA:
            self.offset = end + at - DATA

    def folder(self, verdict):
        prefix = "" if verdict == "valid" else self.row + "-" if self.row else ""
        return "%s/%s%s.safetensors" % (verdict, prefix, self.file)

    def fields(self):
        return dict(self.errors, name=self.name, offset=self.offset, reference_verdict=self.reference,
                    note=self.note, row=self.row, decision=self.decision, origin=self.origin)


def payload(data):
    return data if isinstance(data, bytes) else bytes(1 + i % 250 for i in range(data))


def bad(row, name, file, header, data=0, at=None, ref=IHD, decision="", note="", n=None, **errors):
    CASES.append(Case(file, name, header, data, n, at, ref, decision, row, note, errors))


def measured(*args, **fields):
    """Add a case whose author does not know the verdict of the reference: see MEASURED."""
    bad(*args, ref=MEASURED, **fields)


def good(file, header, data=0, note="", origin=""):
    CASES.append(Case(file, "ok", header, data, None, None, "accept", "", "", note, {"origin": origin}))


def option(file, options, name, note="", **fields):
    OPTION_CASES.append(dict(fields, file=file, options=options, name=name, note=note))


def raw(row, name, file, data, at, ref, note="", **errors):
    """Return a file from its bytes."""
    case = Case(file, name, b"", b"", None, at, ref, "", row, note, errors)
    case.data = data
    case.offset = len(data) if at == SIZE else at
    CASES.append(case)


def t(name, dtype="U8", shape="[4]", begin=0, end=4):
    """Return a tensor as a member of the root."""
    return '"%s":{"dtype":"%s","shape":%s,"data_offsets":[%s,%s]}' % (name, dtype, shape, begin, end)


def body(dtype='"U8"', shape="[4]", offsets="[0,4]"):
    """Return a header with one tensor a, with its values as written."""
    return '{"a":{"dtype":%s,"shape":%s,"data_offsets":%s}}' % (dtype, shape, offsets)


def doc(*members):
    return "{" + ",".join(members) + "}"


A = t("a")
