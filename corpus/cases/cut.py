"""Cases: a file cut at every byte, and files judged with options."""
import struct

from cases.kit import BUFFER, IHD, SIZE, UTF8, good, option, payload, raw

# ---- one file cut everywhere -----------------------------------------------------------------------

# The current tensor is known from | (after the closing quote of its name) to the next | (after its closing brace).
CUT = ('{"__metadata__":{"\u00e9":"\\ud83d\\ude00"},'
       '"a\u20ac"|:{"dtype":"F32","shape":[2],"data_offsets":[0,8]}|, '
       '"\\n"|:{"shape":[1,2],"data_offsets":[8,10],"dtype":"U8"}|}').encode("utf-8")
CUT_HEADER = CUT.replace(b"|", b"")


def tensor_at(consumed):
    """Return the current tensor of a pass over the first `consumed` header bytes."""
    seen = bars = 0
    for byte in CUT:
        if seen == consumed and byte != 0x7C:
            break
        bars += byte == 0x7C
        seen += byte != 0x7C
    return bars // 2 if bars % 2 else ""


def utf8_cut(piece):
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def cut_cases():
    whole = struct.pack("<Q", len(CUT_HEADER)) + CUT_HEADER + payload(10)
    end = 8 + len(CUT_HEADER)
    good("cut-nowhere", CUT_HEADER, 10, note="the file that the cut-* files are cut from")
    for size in range(len(whole)):
        name, ref, fields = "truncated", BUFFER, {"tensor": 1, "expected": 10, "found": size - end}
        if size < 8:
            name, ref, fields = "file_short", "reject HeaderTooSmall", {"expected": 8, "found": size}
        elif size < end:
            name, ref, fields = "header_cut", "reject InvalidHeaderLength", {"expected": end, "found": size}
        raw("", name, "cut-file/%03d" % size, whole[:size], SIZE, ref, note="the first %d bytes" % size,
            origin="truncated-download", **fields)
    for n in range(len(CUT_HEADER)):
        data = struct.pack("<Q", n) + whole[8:]
        ref = UTF8 if utf8_cut(CUT_HEADER[:n]) else IHD
        raw("", "header_early", "cut-header/%03d" % n, data, 8 + n, ref, note="N = %d" % n, origin="header-length",
            tensor=tensor_at(n))


cut_cases()

# ---- judged with options ---------------------------------------------------------------------------
# head=K: only the first K bytes are passed; file_size=S: the size that is passed with them.

E, W = "valid/empty-object.safetensors", "valid/cut-nowhere.safetensors"
NONE = 2**64 - 1
option(E, "", "ok")
option(E, "head=0", "need_more", expected=8, found=0)
option(E, "head=7", "need_more", expected=8, found=7)
option(E, "head=8", "need_more", expected=10, found=8)
option(E, "head=9", "need_more", expected=10, found=9)
option(E, "head=10", "ok")
option(E, "head=0 file_size=7", "file_short", offset=7, expected=8, found=7,
       note="the file size is judged first")
option(E, "head=8 file_size=9", "header_cut", offset=9, expected=10, found=9)
option(E, "file_size=1000000000000", "hole", offset=10, expected=0, found=999999999990)
option(E, "file_size=%d" % NONE, "hole", offset=10, expected=0, found=NONE - 10)
option(E, "max_header=2", "ok")
option(E, "max_header=1", "limit_header", offset=0, expected=1, found=2)
option(E, "max_header=1 file_size=9", "limit_header", offset=0, expected=1, found=2, note="before H3's size")
option(E, "max_header=1 head=8", "limit_header", offset=0, expected=1, found=2,
       note="before more bytes are asked for")
option(E, "max_tensors=0 max_rank=0 max_name=0 max_metadata=0", "ok")
option(E, "api=2", "usage")
option(E, "api=0", "usage")
option(E, "relax=1", "usage")
option("invalid/W2-by-one.safetensors", "max_header=1", "header_large", offset=0, expected=100000000,
       found=100000001)
option(W, "max_tensors=2 max_rank=2 max_name=4 max_metadata=1", "ok", note="a name's limit counts raw bytes")
SECOND = 8 + CUT_HEADER.index(b'"\\n"')
FIRST = 8 + CUT_HEADER.index(b'"a')
option(W, "max_tensors=1", "limit_tensors", offset=SECOND, tensor=1, expected=1, found=2)
option(W, "max_tensors=0 max_name=0", "limit_tensors", offset=FIRST, tensor=0, expected=0, found=1)
option(W, "max_name=3", "limit_name", offset=FIRST, tensor=0, expected=3, found=4)
option(W, "max_rank=1", "limit_rank", offset=8 + CUT_HEADER.index(b"2],\"data_offsets\":[8"), tensor=1,
       expected=1, found=2)
option(W, "max_rank=0", "limit_rank", offset=8 + CUT_HEADER.index(b"2],\"data_offsets\":[0"), tensor=0,
       expected=0, found=1)
option(W, "max_metadata=0", "limit_metadata", offset=8 + CUT_HEADER.index('"\u00e9"'.encode("utf-8")),
       expected=0, found=1)
option("valid/scalar.safetensors", "max_rank=0", "ok")
option("invalid/W46-dim-leading-zero.safetensors", "max_rank=0", "limit_rank",
       offset=8 + len('{"a":{"dtype":"U8","shape":['), tensor=0, expected=0, found=1,
       note="before the form of the number")
option("invalid/W44-dim-null.safetensors", "max_rank=0", "type",
       offset=8 + len('{"a":{"dtype":"U8","shape":['), tensor=0,
       note="the type comes first: no number, no dim")
option("invalid/W10-in-dim.safetensors", "max_rank=0", "header_early",
       offset=8 + len('{"a":{"dtype":"U8","shape":[4'), tensor=0, note="the token is lexed whole first")
