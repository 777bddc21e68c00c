"""Cases: every fault of a string in every string of a header; the rest of the file is valid where possible."""
from cases.kit import END, MARK, good, measured

BODY = b'{"dtype":"U8","shape":[4],"data_offsets":[0,4]}'
# position: (header with the string open, header after it, data, whether a tensor is open)
PLACES = {
    "name": (b'{"a', b'":' + BODY + b"}", 4, False),
    "metadata-key": (b'{"__metadata__":{"a', b'":""}}', 0, False),
    "metadata-value": (b'{"__metadata__":{"k":"a', b'"}}', 0, False),
    "member": (b'{"a":{"dtype', b'":"U8","shape":[4],"data_offsets":[0,4]}}', 4, True),
    "dtype": (b'{"a":{"dtype":"U8', b'","shape":[4],"data_offsets":[0,4]}}', 4, True),
}
FAULTS = [  # row, rule, file, bytes; ^^ precedes them
    ("W21", "control", "00", b"\x00"), ("W21", "control", "09", b"\t"), ("W21", "control", "0a", b"\n"),
    ("W21", "control", "1f", b"\x1f"), ("W21", "control", "1b", b"\x1b"), ("W22", "utf8", "lone-80", b"\x80"), ("W22",
    "utf8", "c0-80", b"\xc0\x80"),
    ("W22", "utf8", "ff", b"\xff"), ("W22", "utf8", "f5", b"\xf5\x80\x80\x80"), ("W23", "utf8", "c3-quote", b"\xc3"),
    ("W23", "utf8", "e2-82-quote", b"\xe2\x82"), ("W23", "utf8", "f0-9f-98-quote", b"\xf0\x9f\x98"),
    ("W23", "utf8", "e2-quote", b"\xe2"), ("W23", "utf8", "f0-quote", b"\xf0"), ("W23", "utf8", "f0-9f-lead",
    b"\xf0\x9f\xc3\xa9"),
    ("W24", "utf8", "e0-9f", b"\xe0\x9f\xbf"), ("W24", "utf8", "ed-a0", b"\xed\xa0\x80"),
    ("W24", "utf8", "f0-8f", b"\xf0\x8f\xbf\xbf"), ("W24", "utf8", "f4-90", b"\xf4\x90\x80\x80"),
    ("W25", "escape", "x", b"\\x41"), ("W25", "escape", "0", b"\\0"), ("W26", "escape", "u-12g4", b"\\u12g4"),
    ("W26", "escape", "u-short", b"\\u12"), ("W26", "escape", "u-g123", b"\\ug123"), ("W27", "surrogate", "low",
    b"\\udc00"), ("W27", "surrogate", "low-last", b"\\uDFFF"),
    ("W27", "surrogate", "low-middle", b"\\udd00"), ("W28", "surrogate", "high-broken-low", b"\\ud800\\udc0g"),
    ("W29", "surrogate", "high-other-u", b"\\ud800\\u0041"),
    ("W28", "surrogate", "high-text", b"\\ud800x"), ("W29", "surrogate", "high-escape", b"\\ud800\\n"),
    ("W29", "surrogate", "high-high", b"\\udbff\\udbff"), ("W30", "surrogate", "high-quote", b"\\ud800"),
    ("W31", "nul", "u0000", b"\\u0000"), ("W31", "nul", "u0000-then-more", b"\\u0000b"),
]
ENDS = [("W6", "in-string", b""), ("W7", "in-escape", b"\\"), ("W7", "in-u", b"\\u12"), ("W8", "in-utf8", b"\xe2\x82"),
        ("W9", "in-pair", b"\\ud83d"), ("W9", "in-second-half", b"\\ud83d\\ude")]
ALL_BORDERS = "\x20\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff" \
    "\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u0020\\uD7FF\\uE000\\ud800\\udc00\\uDBFF\\uDFFF"

for place, (before, after, data, is_open) in PLACES.items():
    in_tensor = {"tensor": 0} if is_open else {}
    for row, rule, file, fault in FAULTS:
        decision = "D6" if rule == "nul" and not is_open else ""
        measured(row, rule, "%s-%s" % (place, file), before + MARK + fault + after, data, decision=decision,
            **in_tensor)
    for row, file, fault in ENDS:
        measured(row, "header_early", "%s-%s" % (place, file), before + fault, data, at=END, **in_tensor)
for place in ("name", "metadata-key", "metadata-value"):
    before, after, data, _ = PLACES[place]
    good("borders-in-" + place, before + ALL_BORDERS.encode("utf-8") + after, data, origin="refused")

# ---- keywords in disguise, keys that stand twice ------------------------------------------------------

MEMBERS = {"dtype": '"U8"', "shape": "[4]", "data_offsets": "[0,4]"}


def escaped(word, *places):
    return "".join("\\u%04x" % ord(c) if i in places else c for i, c in enumerate(word))


def with_member(key, text):
    """Return a tensor a with its member `key` written as `text`, marked."""
    return '{"a":{%s}}' % ",".join('%s"%s":%s' % ("^^" if k == key else "", text if k == key else k, value)
                                   for k, value in MEMBERS.items())


for file, places in [("first", [0]), ("last", [-1]), ("all", None)]:
    def put(word, at=places):
        return escaped(word, *(range(len(word)) if at is None else [i % len(word) for i in at]))

    measured("W32", "keyword_escaped", "metadata-" + file, '{^^"%s":{}}' % put("__metadata__"), decision="D7")
    for key in MEMBERS:
        measured("W33", "keyword_escaped", "%s-%s" % (key, file), with_member(key, put(key)), 4, decision="D8",
            tensor=0)
    measured("W34", "keyword_escaped", "U8-" + file,
        '{"a":{"dtype":^^"%s","shape":[4],"data_offsets":[0,4]}}' % put("U8"), 4, decision="D9", tensor=0)
for key, value in MEMBERS.items():
    for file, text in [("same", '"%s":%s' % (key, value)), ("in-between", None)]:
        rest = ['"%s":%s' % item for item in MEMBERS.items()]
        if text is None:
            rest.insert(1, rest.pop(list(MEMBERS).index(key)))
            rest.append('^^"%s":%s' % (key, value))
        else:
            place = list(MEMBERS).index(key)
            rest.insert(place + 1, "^^" + text)
        measured("W38", "member_twice", "%s-%s" % (key, file), '{"a":{%s}}' % ",".join(rest), 4, tensor=0)
for row, rule, file, before, first, second, after, data, ref, fields in [
    ("W60", "metadata_key_twice", "key", '{"__metadata__":{', '"%s":"1"', '"%s":"2"', "}}", 0, "D11", {"other": 0,
    "found": 1}),
    ("W61", "name_twice", "name", "{", '"%s":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}',
     '"%s":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}', "}", 4, "D12", {"tensor": 1, "other": 0})]:
    for kind, one, two in [("u", "a", "\\u0061"), ("slash", "/", "\\/"), ("tab", "\\t", "\\u0009"),
                           ("pair", "\U0001f600", "\\uD83D\\uDE00"), ("two-byte", "\u00e9", "\\u00e9"),
                           ("three-byte", "\u20ac", "\\u20Ac"), ("backslash", "\\\\", "\\u005c"), ("quote", '\\"',
                           "\\u0022"),
                           ("both-escaped", "\\u0061b", "a\\u0062"), ("1f-end", "\\u001f", "\\u001F")]:
        measured(row, rule, "%s-by-%s" % (file, kind), before + first % one + ",^^" + second % two + after, data,
            decision=ref, **fields)
        measured(row, rule, "%s-by-%s-first" % (file, kind), before + first % two + ",^^" + second % one + after, data,
            decision=ref, **fields)
