"""Test assay meta."""

from lib import expect, frame, model, run, write

PAIRS = {
    "format": "pt",
    "": "empty key",
    "json": '{"a": "b\\n"}',
    "evil\x1b[0m": "\x1b]0;x\x07\u202e\u200d\r\n",
    "caf\u00e9": "\u6f22\U0001f600",
    "key: x": "",
}


def test_all():
    model("x", metadata=PAIRS)
    expect(
        run("meta", "x"),
        0,
        'format: pt\n: empty key\njson: {"a": "b\\\\n"}\n'
        "evil\\u{1B}[0m: \\u{1B}]0;x\\u{7}\\u{202E}\\u{200D}\\u{D}\\u{A}\n"
        "caf\u00e9: \u6f22\U0001f600\nkey: x: \n",
    )


def test_every_character_that_a_terminal_might_obey_or_hide():
    """lib.run checks that none of them is printed."""
    import unicodedata

    def hidden(code):
        return unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp", "Zs", "Co") and code not in (0, 32)

    codes = [code for code in range(0x110000) if hidden(code) and not 0xF0100 < code < 0x10FF00]
    model("x", metadata={"k": "".join(map(chr, codes))})
    expect(run("meta", "x", "k"), 0, "".join("\\u{%X}" % code for code in codes) + "\n")


def test_none():
    model("x")
    expect(run("meta", "x"), 0, "")
    expect(run("meta", "x", "format"), 1, "", 'the metadata have no key "format"')
    write("y", frame('{"__metadata__":{}}'))
    expect(run("meta", "y"), 0, "")


def test_key():
    model("x", metadata=PAIRS)
    expect(run("meta", "x", "format"), 0, "pt\n")
    expect(run("meta", "x", ""), 0, "empty key\n")
    expect(run("meta", "x", "caf\u00e9"), 0, "\u6f22\U0001f600\n")
    expect(run("meta", "x", "key: x"), 0, "\n")
    expect(run("meta", "x", "json"), 0, '{"a": "b\\\\n"}\n')


def test_key_that_is_escaped_in_the_file():
    write("x", frame('{"__metadata__":{"\\u0061\\/\\ud83d\\ude00":"\\u0062"}}'))
    expect(run("meta", "x", "a/\U0001f600"), 0, "b\n")


def test_raw():
    model("x", metadata=PAIRS)
    for key, value in PAIRS.items():
        result = run("meta", "--raw", "x", key, raw=True)
        assert result.status == 0 and result.raw == value.encode(), key
    expect(run("meta", "--raw", "x"), 2, "", "--raw requires a KEY")


def test_absent_key():
    model("x", metadata=PAIRS)
    for key in ("Format", "format ", "form", "formatx", b"\xff", "\x1b[2J"):
        expect(run("meta", "x", key), 1, "", "the metadata have no key")
    expect(run("meta", "--", "x", "--raw"), 1, "", 'no key "--raw"')
