"""Cases: the frame, the end of the header, bytes between tokens, strings."""
from cases.kit import A, END, IHD, MARK, SIZE, UTF8, bad, body, doc, raw, t

# ---- stage F ---------------------------------------------------------------------------------------

for size in range(8):
    raw("W1", "file_short", "%d-bytes" % size, b"\x02" * size, SIZE, "reject HeaderTooSmall", expected=8,
        found=size)
bad("W2", "header_large", "by-one", "{}", n=100000001, at=0, ref="reject HeaderTooLarge", expected=100000000,
    found=100000001)
bad("W2", "header_large", "all-ones", "{}", n=2**64 - 1, at=0, ref="reject HeaderTooLarge",
    expected=100000000, found=2**64 - 1, note="8 + N wraps")
bad("W2", "header_large", "wraps-to-7", "{}", n=2**64 - 8, at=0, ref="reject HeaderTooLarge",
    expected=100000000, found=2**64 - 8)
bad("W2", "header_large", "low-half-fits", "{}", n=2**32 + 2, at=0, ref="reject HeaderTooLarge",
    expected=100000000, found=2**32 + 2)
bad("W3", "header_cut", "by-one", "{}", n=3, at=SIZE, ref="reject InvalidHeaderLength", expected=11, found=10)
bad("W3", "header_cut", "at-the-limit", "{}", n=100000000, at=SIZE, ref="reject InvalidHeaderLength",
    expected=100000008, found=10)
bad("W3", "header_cut", "no-header", "", n=1, at=SIZE, ref="reject InvalidHeaderLength", expected=9, found=8)

# ---- stage H: the header ends early ------------------------------------------------------------------

bad("W4", "header_early", "n-is-0", "", 4, at=8)
bad("W5", "header_early", "after-brace", "{", at=END)
bad("W5", "header_early", "white-space-only-follows", "{ \n", at=END)
bad("W5", "header_early", "after-key", '{"a"', at=END, tensor=0,
    note="the name is judged at its closing quote")
bad("W5", "header_early", "after-colon", '{"a":', at=END, tensor=0)
bad("W5", "header_early", "after-tensor", "{" + A, 4, at=END)
bad("W5", "header_early", "after-comma", "{" + A + ",", 4, at=END)
bad("W5", "header_early", "before-last-brace", "{" + A + "   ", 4, at=END)
bad("W5", "header_early", "in-metadata", '{"__metadata__":{"a":"b"', at=END)
bad("W6", "header_early", "in-name", '{"abc', at=END)
bad("W6", "header_early", "after-opening-quote", '{"', at=END)
bad("W6", "header_early", "in-dtype", '{"a":{"dtype":"U8', at=END, tensor=0)
bad("W6", "header_early", "in-second-name", "{" + A + ',"b', 4, at=END)
bad("W7", "header_early", "after-backslash", '{"a\\', at=END)
bad("W7", "header_early", "after-u", '{"a\\u', at=END)
bad("W7", "header_early", "after-u00", '{"a\\u00', at=END)
bad("W7", "header_early", "after-u000", '{"a\\u000', at=END)
bad("W7", "header_early", "after-udc0", '{"a\\udc0', at=END,
    note="a low surrogate is judged on its fourth digit")
bad("W8", "header_early", "one-of-two", b'{"\xc3', at=END, ref=UTF8)
bad("W8", "header_early", "two-of-three", b'{"\xe2\x82', at=END, ref=UTF8)
bad("W8", "header_early", "three-of-four", b'{"\xf0\x9f\x98', at=END, ref=UTF8)
bad("W9", "header_early", "after-high", '{"\\ud83d', at=END)
bad("W9", "header_early", "after-high-backslash", '{"\\ud83d\\', at=END)
bad("W9", "header_early", "after-high-backslash-u", '{"\\ud83d\\u', at=END)
bad("W9", "header_early", "after-high-de0", '{"\\ud83d\\ude0', at=END)
bad("W10", "header_early", "in-dim", '{"a":{"dtype":"U8","shape":[4', 4, at=END, tensor=0)
bad("W10", "header_early", "in-offset", '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0', 4, at=END,
    tensor=0)
bad("W10", "header_early", "after-minus", '{"a":{"shape":[-', at=END, tensor=0,
    note="the token is lexed whole before its form is judged")
bad("W10", "header_early", "after-leading-zero", '{"a":{"shape":[01', at=END, tensor=0)

# ---- stage H: between tokens -----------------------------------------------------------------------

for file, start, ref, decision in [("array", b"[]", IHD, ""), ("bom", b"\xef\xbb\xbf{}", IHD, ""),
                                   ("space", b" {}", "accept", "D1"), ("newline", b"\n{}", "accept", "D1"),
                                   ("tab", b"\t{}", "accept", "D1"), ("nul", b"\0{}", IHD, ""),
                                   ("quote", b'"{}"', IHD, ""), ("zip", b"PK\x03\x04", IHD, ""),
                                   ("bad-utf8", b"\xff{}", UTF8, "")]:
    bad("W11", "start", file, MARK + start, ref=ref, decision=decision)
bad("W12", "unexpected", "comma-first", "{^^,}")
bad("W12", "unexpected", "single-quotes", "{^^'a':{}}")
bad("W12", "unexpected", "number-key", "{^^1:{}}")
bad("W12", "unexpected", "closing-bracket", "{^^]")
bad("W12", "unexpected", "tensor-key-unquoted", '{"a":{^^dtype:"U8"}}', tensor=0)
bad("W13", "unexpected", "root-comma-brace", "{" + A + ",^^}", 4)
bad("W13", "unexpected", "tensor-comma-brace", '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],^^}}', 4,
    tensor=0)
bad("W13", "unexpected", "metadata-comma-brace", '{"__metadata__":{"a":"b",^^}}')
bad("W13", "unexpected", "two-commas", "{" + A + ", ^^," + t("b", begin=4, end=8) + "}", 8)
bad("W14", "unexpected", "root", '{"a" ^^{}}', tensor=0)
bad("W14", "unexpected", "metadata-keyword", '{"__metadata__"^^,{}}')
bad("W14", "unexpected", "metadata-pair", '{"__metadata__":{"a"^^"b"}}')
bad("W14", "unexpected", "member", '{"a":{"dtype"^^="U8"}}', tensor=0)
bad("W15", "unexpected", "root-no-comma", "{" + A + "^^" + t("b", begin=4, end=8) + "}", 8)
bad("W15", "unexpected", "root-bracket", "{" + A + "^^]", 4)
bad("W15", "unexpected", "member-no-comma", '{"a":{"dtype":"U8"^^"shape":[4]}}', tensor=0)
bad("W15", "unexpected", "metadata-colon", '{"__metadata__":{"a":"b"^^:"c"}}')
bad("W16", "unexpected", "dims-no-comma", body(shape="[2 ^^2]"), 4, tensor=0)
bad("W16", "unexpected", "dim-letter", body(shape="[2^^x]"), 4, tensor=0)
bad("W16", "unexpected", "dim-brace", body(shape="[2^^}"), 4, tensor=0)
bad("W16", "unexpected", "offset-no-comma", body(offsets="[0 ^^4]"), 4, tensor=0)
bad("W16", "unexpected", "offset-second-brace", body(offsets="[0,4^^}"), 4, tensor=0)
bad("W17", "unexpected", "dims", body(shape="[4,^^]"), 4, tensor=0)
bad("W17", "unexpected", "offsets", body(offsets="[0,^^]"), 4, tensor=0)
bad("W18", "unexpected", "plus", body(shape="[^^+4]"), 4, tensor=0)
bad("W18", "unexpected", "infinity", body(shape="[^^Infinity]"), 4, tensor=0)
bad("W18", "unexpected", "nan", body(shape="[^^NaN]"), 4, tensor=0)
bad("W18", "unexpected", "dot", body(offsets="[^^.5,4]"), 4, tensor=0)
bad("W18", "unexpected", "comma", body(shape="[^^,4]"), 4, tensor=0)
bad("W18", "unexpected", "no-dtype", '{"a":{"dtype":^^,"shape":[4]}}', tensor=0)
bad("W18", "unexpected", "no-tensor", '{"a":^^}', tensor=0)
bad("W18", "unexpected", "no-metadata", '{"__metadata__":^^]}')
bad("W18", "unexpected", "no-metadata-value", '{"__metadata__":{"k":^^}}')
bad("W18", "unexpected", "True", body(dtype="^^True"), tensor=0)
bad("W19", "unexpected", "nul", b"{^^\0}")
bad("W19", "unexpected", "vertical-tab", b"{^^\x0b}")
bad("W19", "unexpected", "delete", b"{^^\x7f}")
bad("W19", "unexpected", "no-break-space", "{^^\u00a0}", note="well-formed, but no JSON white space")
bad("W19", "unexpected", "byte-ff", b"{^^\xff}", ref=UTF8)
bad("W19", "unexpected", "bom-before-value", b'{"a":^^\xef\xbb\xbf{}}', tensor=0)
bad("W19", "unexpected", "cut-utf8", b"{^^\xe2\x82}", ref=UTF8, note="UTF-8 is a rule of strings alone")
for file, tail, ref, decision in [("tab", b" ^^\t", "accept", "D2"), ("lf", b"^^\n", "accept", "D2"),
                                  ("cr", b"^^\r\n", "accept", "D2"), ("nul", b"  ^^\0", IHD, ""),
                                  ("object", b"^^{}", IHD, ""), ("brace", b"^^}", IHD, ""),
                                  ("comma", b" ^^,", IHD, ""), ("byte-ff", b"^^\xff", UTF8, "")]:
    bad("W20", "trailing", file, b"{}" + tail, ref=ref, decision=decision)

# ---- stage H: strings ------------------------------------------------------------------------------

bad("W21", "control", "nul-in-name", b'{"a^^\0":{}}')
bad("W21", "control", "newline-in-metadata", '{"__metadata__":{"a":"b^^\nc"}}')
bad("W21", "control", "1f-in-dtype", '{"a":{"dtype":"U8^^\x1f"}}', tensor=0)
bad("W21", "control", "tab-in-member", '{"a":{"^^\tdtype":"U8"}}', tensor=0)
for byte in (0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF):
    bad("W22", "utf8", "%02x" % byte, b'{"a^^' + bytes([byte]) + b'\x80":{}}', ref=UTF8)
bad("W23", "utf8", "quote", b'{"a^^\xc3":{}}', ref=UTF8)
bad("W23", "utf8", "backslash", b'{"a^^\xe2\x82\\n":{}}', ref=UTF8)
bad("W23", "utf8", "lead", b'{"a^^\xf0\x9f\xc3\xa9":{}}', ref=UTF8)
bad("W23", "utf8", "second-sequence", b'{"\xc3\xa9^^\xc3\xc3\xa9":{}}', ref=UTF8)
bad("W23", "utf8", "c2-7f", b'{"^^\xc2\x7f":{}}', ref=UTF8)
bad("W23", "utf8", "fourth-byte", b'{"^^\xf4\x8f\xbf\xc0":{}}', ref=UTF8)
for file, sequence in [("e0-9f", b"\xe0\x9f\xbf"), ("f0-8f", b"\xf0\x8f\xbf\xbf"), ("ed-a0", b"\xed\xa0\x80"),
                       ("f4-90", b"\xf4\x90\x80\x80"), ("nul", b"\xe0\x80\x80")]:
    bad("W24", "utf8", file, b'{"__metadata__":{"k":"' + MARK + sequence + b'"}}', ref=UTF8)
for file, escape in [("x", "\\x41"), ("quote", "\\'"), ("upper-n", "\\N"), ("digit", "\\0"),
                     ("upper-u", "\\U0041"), ("space", "\\ ")]:
    bad("W25", "escape", file, '{"a^^%s":{}}' % escape)
bad("W25", "escape", "control", b'{"a^^\\\n":{}}',
    note="the byte after the backslash is judged as a part of the escape")
bad("W25", "escape", "utf8", b'{"a^^\\\xff":{}}', ref=UTF8)
for file, escape in [("first", "\\ug041"), ("fourth", "\\u004g"), ("quote", '\\u12"'), ("brace", "\\u{41}"),
                     ("sign", "\\u+041"), ("space", "\\u 041"), ("nul-3", "\\u000")]:
    bad("W26", "escape", file, '{"a^^%s":{}}' % escape)
bad("W26", "escape", "second-of-two", '{"\\u0041^^\\u00zz":{}}')
bad("W27", "surrogate", "dc00", '{"a^^\\udc00":{}}')
bad("W27", "surrogate", "dfff", '{"a^^\\uDFFF":{}}')
bad("W27", "surrogate", "after-pair", '{"\\ud83d\\ude00^^\\ude00":{}}')
bad("W28", "surrogate", "text", '{"^^\\ud800a":{}}')
bad("W28", "surrogate", "utf8", '{"^^\\udbff\u00e9":{}}')
bad("W28", "surrogate", "last-digit", '{"^^\\ud83d\\ude0g":{}}',
    note="not H7: the low half is judged byte by byte")
bad("W29", "surrogate", "newline", '{"^^\\ud800\\n":{}}')
bad("W29", "surrogate", "u0041", '{"^^\\ud800\\u0041":{}}')
bad("W29", "surrogate", "high-high", '{"^^\\ud800\\ud800\\udc00":{}}')
bad("W29", "surrogate", "db-second", '{"^^\\ud800\\udbff":{}}')
bad("W29", "surrogate", "nul", '{"^^\\ud800\\u0000":{}}')
bad("W29", "surrogate", "bad-escape", '{"^^\\ud800\\x":{}}')
bad("W30", "surrogate", "quote", '{"^^\\ud800":{}}')
bad("W30", "surrogate", "control", b'{"^^\\ud800\0":{}}')
bad("W30", "surrogate", "bad-utf8", b'{"^^\\ud800\xff":{}}', ref=UTF8)
bad("W30", "surrogate", "quote-in-low", '{"^^\\ud800\\u":{}}')
bad("W31", "nul", "name", doc(t("a^^\\u0000")), 4, ref="accept", decision="D6")
bad("W31", "nul", "metadata-key", '{"__metadata__":{"^^\\u0000":"x"}}', ref="accept", decision="D6")
bad("W31", "nul", "metadata-value", '{"__metadata__":{"k":"x^^\\u0000"}}', ref="accept", decision="D6")
bad("W31", "nul", "member", '{"a":{"dtype^^\\u0000":"U8"}}', tensor=0)
bad("W31", "nul", "dtype", body(dtype='"Q^^\\u0000"'), tensor=0, note="before the unknown dtype")
bad("W31", "nul", "before-control", b'{"^^\\u0000\x01":{}}')
