"""Cases: every byte between any two tokens of a header, and every type where another belongs."""
import re

from cases.kit import A, END, MARK, doc, good, measured, t

WHOLE = '{"__metadata__":{"k":"v"},"a":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},' \
    '"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}'
TOKENS = re.findall(r'"[^"]*"|[0-9]+|.', WHOLE)
NAMES = [TOKENS.index('"a"'), TOKENS.index('"b"')]


def tensor_open(count):
    """Return the tensor that is open after that many tokens, if there is one."""
    for place, name in enumerate(NAMES):
        if name < count <= name + TOKENS[name:].index("}"):
            return {"tensor": place}
    return {}


def between():
    """Yield a wrong byte between any two tokens, and the header cut there."""
    for count in range(1, len(TOKENS)):
        before, after = "".join(TOKENS[:count]), "".join(TOKENS[count:])
        for file, byte in [("text", b"#"), ("control", b"\x0c"), ("high", b"\xa0"), ("nul", b"\0")]:
            row = "W19" if file != "text" else row_of(TOKENS[count - 1], TOKENS[count], before)
            measured(row, "unexpected", "token-%02d-%s" % (count, file),
                before.encode() + MARK + byte + after.encode(), 8, **tensor_open(count))
        if not TOKENS[count - 1].isdigit():
            measured("W5", "header_early", "token-%02d" % count, before, 8, at=END, **tensor_open(count))


def row_of(last, coming, before):
    """Return the row of the which-byte table for a byte that does not fit between these two tokens."""
    in_array = before.rfind("[") > before.rfind("]")
    if coming == ":":
        return "W14"
    if last == ":" or last == "[" or last == "," and in_array:
        return "W18"
    if last == "{":
        return "W12"
    if last == ",":
        return "W13"
    return "W16" if in_array else "W15"


def white_space():
    for file, byte in [("20", " "), ("09", "\t"), ("0a", "\n"), ("0d", "\r")]:
        good("white-space-%s-everywhere" % file, TOKENS[0] + "".join(byte + token for token in TOKENS[1:]), 8,
            origin="refused")


# position: (row, the right type, header around it, whether a tensor is open)
SLOTS = {
    "metadata": ("W40", "object", '{"__metadata__":%s}', False),
    "metadata-value": ("W41", "string", '{"__metadata__":{"k":%s}}', False),
    "tensor": ("W39", "object", '{"a":%s}', True),
    "dtype": ("W42", "string", '{"a":{"dtype":%s,"shape":[4],"data_offsets":[0,4]}}', True),
    "shape": ("W43", "array", '{"a":{"dtype":"U8","shape":%s,"data_offsets":[0,4]}}', True),
    "dim": ("W44", "number", '{"a":{"dtype":"U8","shape":[%s],"data_offsets":[0,4]}}', True),
    "offsets": ("W43", "array", '{"a":{"dtype":"U8","shape":[4],"data_offsets":%s}}', True),
    "begin": ("W44", "number", '{"a":{"dtype":"U8","shape":[4],"data_offsets":[%s,4]}}', True),
    "end": ("W44", "number", '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,%s]}}', True),
}
VALUES = {"object": '{"0":0}', "array": "[0]", "string": '"0"', "number": "5", "true": "true", "false": "false",
    "null": "null"}


def types():
    """Yield a value of every type where another belongs."""
    for place, (row, right, header, in_tensor) in SLOTS.items():
        for kind, value in VALUES.items():
            if kind != right:
                measured(row, "type", "%s-is-%s" % (place, kind), header % ("^^" + value), 4 if in_tensor else 0,
                    decision="D3" if (place, kind) == ("metadata", "null") else "",
                    **({"tensor": 0} if in_tensor else {}))


def neighbours():
    """Yield names and keys that are almost equal: valid, but equal for a reader that compares them carelessly."""
    good("names-that-differ-in-case", doc(t("a"), t("A", begin=4, end=8)), 8, origin="duplicate-keys")
    good("names-that-differ-at-the-end", doc(t("a"), t("ab", begin=4, end=8), t("a ", begin=8, end=12)), 12,
         origin="duplicate-keys")
    good("name-that-is-a-metadata-key", doc('"__metadata__":{"a":"","dtype":"U8"}', A), 4, origin="duplicate-keys")
    good("metadata-keys-that-differ-in-case", '{"__metadata__":{"k":"","K":"","k ":"","kk":""}}',
        origin="duplicate-keys")
    good("metadata-name-and-more", doc(t("__metadata__\\u0001"), t("__metadata", begin=4, end=8), t("__METADATA__",
        begin=8, end=12)),
         12, origin="keyword-escaped")


between()
white_space()
types()
neighbours()
