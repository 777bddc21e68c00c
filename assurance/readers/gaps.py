"""The known differences of readers on files that assay accepts. spec/readers.md describes them, by id.

A gap of the kind REJECT states which tables its reader rejects, and the reason that the reader reports: a pattern
of its whole reason, in which the group `dtype` is a dtype of the table. A gap of the kind READS returns the table
that its reader reads instead. `smallest` is the header of a file that shows the gap. A table is {"tensors":
[{"name", "dtype", "shape", "begin", "end"}], "pairs": {key: value}, "metadata": whether there is a __metadata__,
"header" and "data": bytes, "escaped_key": whether a name or a key is written with an escape}.
"""
import collections
import csv
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
Gap = collections.namedtuple("Gap", "id reader rejects says reads smallest")


def reject(name, reader, when, says, smallest):
    return Gap(name, reader, when, re.compile(says, re.DOTALL), None, smallest)


def reads(name, reader, change, smallest):
    """change gets a copy of the table."""
    return Gap(name, reader, None, None, change, smallest)


def explains(gap, table, reason):
    """Return whether the reader of the gap must reject this table, and reports that reason."""
    said = gap.rejects and gap.rejects(table) and gap.says.fullmatch(reason)
    if not said:
        return False
    dtype = said.groupdict().get("dtype")
    return dtype is None or any(tensor["dtype"] == dtype for tensor in table["tensors"])


# ---- What tables have ------------------------------------------------------------------------------------

def any_tensor(holds):
    return lambda table: any(holds(tensor) for tensor in table["tensors"])


def dtype_of(*dtypes):
    return any_tensor(lambda tensor: tensor["dtype"] in dtypes)


def newer_than(version):
    """A dtype that the reference has only since a later version."""
    with open(os.path.join(HERE, "..", "..", "spec", "dtypes.tsv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    return dtype_of(*(row["name"] for row in rows if parts(row["since"]) > parts(version)))


def parts(version):
    return [int(part) for part in version.split(".")]


def dim_above(limit):
    return any_tensor(lambda tensor: any(dim > limit for dim in tensor["shape"]))


def empty_behind(table):
    """In the header an empty tensor follows the one that begins at the same byte: only its position there
    determines which of the two comes first."""
    began = set()
    for tensor in table["tensors"]:
        if tensor["begin"] == tensor["end"] and tensor["begin"] in began:
            return True
        if tensor["begin"] < tensor["end"]:
            began.add(tensor["begin"])
    return False


def bytes_of(texts, longest):
    return any(len(text.encode()) > longest for text in texts)


def go_field(key):
    """Compare a key with the name of a field as encoding/json does."""
    return key.replace("\u017f", "s").lower()


# ---- What is read instead --------------------------------------------------------------------------------

def as_double(table):
    for tensor in table["tensors"]:
        tensor["shape"] = [int(float(dim)) for dim in tensor["shape"]]
        tensor["begin"], tensor["end"] = int(float(tensor["begin"])), int(float(tensor["end"]))


def dims_in_32_bits(table):
    for tensor in table["tensors"]:
        tensor["shape"] = [(dim + 2**31) % 2**32 - 2**31 for dim in tensor["shape"]]


def float8_as_bytes(table):
    for tensor in table["tensors"]:
        if tensor["dtype"] in ("F8_E4M3", "F8_E8M0"):
            tensor["dtype"] = "U8"


def without_dunder(table):
    table["tensors"] = [tensor for tensor in table["tensors"] if not tensor["name"].startswith("__")]


# ---- The smallest files ----------------------------------------------------------------------------------

def one(name='"a"', dtype="U8", shape="[1]", end=1):
    return '{%s:{"dtype":"%s","shape":%s,"data_offsets":[0,%d]}}' % (name, dtype, shape, end)


def many(count):
    return "{%s}" % ",".join('"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % place for place in range(count))


LONG = "{}" + " " * 24_999_999
FLOAT8 = ["F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"]
SUBBYTE = ["F4", "F6_E2M3", "F6_E3M2"]
STSW_DTYPES = ["F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8"]
STSW_NAME = re.compile(r"^[A-Za-z0-9_.-]{1,300}$")
NO_REASON = "InvalidHeaderDeserialization"  # old versions of the crate report no more than that
GO = "failed to parse header: json: cannot unmarshal "
GAPS = [
    reject("R1", "crate 0.3.3", newer_than("0.3.3"), NO_REASON, one(dtype="F8_E5M2")),
    reject("R2", "crate 0.5.3", newer_than("0.5.3"), NO_REASON, one(dtype="F8_E8M0")),
    reject("R3", "crate 0.7.0", newer_than("0.7.0"), NO_REASON + r'\(Error\("unknown variant `(?P<dtype>\w+)`, .*',
           one(dtype="F8_E4M3FNUZ")),
    reject("R10", "NumPy", dtype_of("BF16", *FLOAT8, *SUBBYTE), r"KeyError: '(?P<dtype>\w+)'", one(dtype="F8_E5M2")),
    reject("R11", "NumPy", any_tensor(lambda t: len(t["shape"]) > 64), "ValueError: maximum supported dimension .*",
           one(shape="[%s]" % ",".join(["1"] * 65))),
    reject("R20", "huggingface_hub", lambda table: len(table["header"]) > 25_000_000,
           "SafetensorsParsingError: .* header is too big.*", LONG),
    reject("R21", "huggingface.js", lambda table: len(table["header"]) > 25_000_000,
           "SafetensorParseError: .* header is too big.*", LONG),
    reject("R22", "huggingface.js", dim_above(2**32),
           r"SafetensorParseError: .* dimension is \d+, which exceeds the maximum allowed \(4294967296\)\.",
           one(shape="[0,4294967297]", end=0)),
    reads("R23", "huggingface.js", as_double, one('"__proto__"', shape="[0,9007199254740993]", end=0)),
    reject("R30", "tinygrad", dtype_of("C64", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", *SUBBYTE),
           r"KeyError: '(?P<dtype>\w+)'", one(dtype="F8_E8M0")),
    reject("R40", "MLX", dtype_of("F64", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", *SUBBYTE),
           r"RuntimeError: \[safetensor\] unsupported dtype (?P<dtype>\w+)", one(dtype="F8_E5M2")),
    reads("R41", "MLX", float8_as_bytes, one(dtype="F8_E4M3")),
    reads("R42", "MLX", dims_in_32_bits, one(shape="[0,4294967297]", end=0)),
    reject("R43", "MLX", any_tensor(lambda t: t["begin"] < t["end"] and any(d >= 2**31 for d in t["shape"])),
           r"RuntimeError: \[load_safetensors\] Tensor .* invalid data offsets .* Expecting \d+ bytes\.",
           one(shape="[2147483648]", end=2**31)),
    reject("R50", "fastsafetensors", dtype_of("C64", "F6_E2M3", "F6_E3M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ"),
           r"ValueError: '(?P<dtype>\w+)' is not a valid DType", one(dtype="F8_E4M3FNUZ")),
    reject("R51", "fastsafetensors", empty_behind, r"Exception: validate\(tensor .*\): InvalidOffset .*",
           one()[:-1] + ',"b":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'),
    reject("R52", "fastsafetensors", any_tensor(lambda t: int(float(t["end"] - t["begin"])) != t["end"] - t["begin"]),
           r"Exception: validate\(tensor .*\): TensorInvalidInfo, .*", one(shape="[9007199254740993]", end=2**53 + 1)),
    reject("R60", "stsw", any_tensor(lambda t: not t["name"].startswith("__") and t["dtype"] not in STSW_DTYPES),
           r"ValueError: Invalid dtype '(?P<dtype>\w+)': must be one of .*", one()),
    reject("R61", "stsw", any_tensor(lambda t: not t["name"].startswith("__") and not STSW_NAME.match(t["name"])),
           "ValueError: Invalid tensor name .*: must match .*", one('"a b"', "I8")),
    reads("R62", "stsw", without_dunder, one('"__a"', "I8")),
    reject("R63", "stsw", lambda table: not table["metadata"] and
           all(t["name"] == "__version__" for t in table["tensors"]),
           "HeaderError: .* Header must contain at least one tensor or metadata", "{}"),
    reject("R64", "stsw", any_tensor(lambda t: t["name"] == "__incomplete__"),
           "HeaderError: .* __incomplete__ must be a boolean", one('"__incomplete__"', "I8")),
    reject("R70", "modelvet", lambda table: table["escaped_key"], "ValueError: MVET_V_ST_KEY_ESCAPE", one('"\\u0061"')),
    reject("R71", "modelvet", lambda table: bytes_of([t["name"] for t in table["tensors"]], 256) or
           bytes_of(table["pairs"], 256), "ValueError: MVET_V_ST_NAME_LEN", one('"%s"' % ("a" * 257))),
    reject("R72", "modelvet", lambda table: len(table["tensors"]) > 8192, "ValueError: MVET_V_ST_TENSOR_COUNT_CAP",
           many(8193)),
    reject("R80", "nlpodyssey", dtype_of("C64", *FLOAT8, *SUBBYTE),
           r'invalid header deserialization: .*: invalid DType string value "(?P<dtype>\w+)"', one(dtype="F8_E5M2")),
    reject("R90", "ollama", dim_above(2**31 - 1),
           GO + r"number \d+ into Go struct field tensorInfo\.shape of type int32",
           one(shape="[0,2147483648]", end=0)),
    reject("R91", "ollama", lambda table: any(go_field(key) in ("shape", "data_offsets") for key in table["pairs"]),
           GO + r"string into Go struct field tensorInfo\.(shape|data_offsets) .*",
           '{"__metadata__":{"shape":""}}'),
]
