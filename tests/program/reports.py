"""assay check: text, json, jsonl, -q, exit statuses."""

import os

from lib import check_one, expect, frame, header, layers, model, run, tensor, write

MEMBERS = [
    "path",
    "verdict",
    "rule",
    "rule_name",
    "code",
    "offset",
    "tensor",
    "tensor_place",
    "other",
    "other_place",
    "expected",
    "found",
    "message",
    "kind",
    "notes",
    "tensors",
    "header_bytes",
    "file_bytes",
    "device",
    "inode",
    "modified",
    "changed",
    "sandbox",
    "fetched",
    "further",
    "further_left",
    "findings",
]
FILE_MEMBERS = MEMBERS[-11:]


def of_file(path):
    """What is said of the file itself, as `stat` says it, and of the sandbox."""
    seen = os.stat(path)
    times = ["%d.%09d" % divmod(ns, 10**9) for ns in (seen.st_mtime_ns, seen.st_ctime_ns)]
    return [seen.st_dev, seen.st_ino, *times, layers(), None, [], 0, []]


def three():
    model("valid")
    model("invalid", data=b"")
    return "valid", "invalid", "missing"


def test_jsonl_valid():
    model("x", [("a", tensor(0, 4))])
    found = check_one("x")
    assert list(found) == MEMBERS
    size = os.path.getsize("x")
    assert found == {
        **dict.fromkeys(MEMBERS),
        "path": "x",
        "verdict": "valid",
        "code": 0,
        "notes": [],
        "tensors": 1,
        "header_bytes": size - 12,
        "file_bytes": size,
        "message": "1 tensor, %d bytes" % size,
        **dict(zip(FILE_MEMBERS[2:], of_file("x"))),
    }


def test_jsonl_invalid():
    write("x", frame(header([("a", tensor(0, 4)), ("b", tensor(2, 6))]), bytes(6)))
    found, size = check_one("x"), os.path.getsize("x")
    assert list(found) == MEMBERS
    message = found.pop("message")
    assert message.startswith("rule G4 at byte ")
    assert list(found.values()) == [
        "x",
        "invalid",
        "G4",
        "overlap",
        61,
        size - 4,
        "b",
        1,
        "a",
        0,
        4,
        2,
        None,
        None,
        None,
        size - 14,
        size,
        *of_file("x"),
    ]


def test_jsonl_error():
    found = check_one("missing")
    assert list(found) == MEMBERS
    assert found == {
        **dict.fromkeys(MEMBERS),
        "path": "missing",
        "verdict": "error",
        "message": "can't be opened: No such file or directory",
        "further": [],
        "further_left": 0,
        "findings": [],
    }


def test_times():
    model("x")
    for ns in (0, 1, 10**9 - 1, 10**18 + 5, -1, -(10**9), -(10**9) - 1, -1500000000):
        os.utime("x", ns=(0, ns))
        if os.stat("x").st_mtime_ns != ns:
            continue  # the file system doesn't have it
        told = check_one("x")["modified"]
        assert told == "%s%d.%09d" % ("-" * (ns < 0), *divmod(abs(ns), 10**9)), (ns, told)


def test_header_bytes():
    for content, expected in [
        (b"1234567", None),
        (frame(b"", length=2**64 - 1), 2**64 - 1),
        (frame(b"{}", length=77), 77),
        (frame(b""), 0),
        (frame(b"", b"{}"), 0),
        (frame(b"{", bytes(9999)), 1),
    ]:
        write("x", content)
        assert check_one("x")["header_bytes"] == expected, content[:20]


def test_json_is_one_array():
    files = three()
    result = expect(run("check", "--format", "json", *files), 1)
    assert [x["verdict"] for x in result.json()] == ["valid", "invalid", "error"]
    lines = expect(run("check", "--format=jsonl", *files), 1).jsonl()
    assert lines == result.json()
    assert len(run("check", "--format", "json", "valid").json()) == 1


def test_text_has_a_line_for_each():
    result = expect(run("check", "--format", "text", *three()), 1)
    assert [x.split(": ")[:2] for x in result.lines] == [
        ["valid", "valid"],
        ["invalid", "invalid"],
        ["missing", "error"],
    ]


def test_exit_statuses():
    three()
    for files, status in [
        (["valid"], 0),
        (["valid", "invalid"], 1),
        (["valid", "missing"], 2),
        (["missing", "valid"], 2),
        (["missing", "invalid"], 1),
        (["invalid", "missing"], 1),
        (["valid", "valid"], 0),
    ]:
        for words in ([], ["-q"], ["--format", "json"], ["--format", "jsonl"]):
            assert run("check", *words, *files).status == status, (files, words)


def test_quiet():
    for words in (["-q"], ["--quiet"], ["-q", "--format", "json"]):
        result = expect(run("check", *words, *three()), 1, "", "missing: error: can't be opened")
        assert result.err.count("\n") == 1
        expect(run("check", *words, "valid", "invalid"), 1, "")


def test_names_are_escaped():
    name = 'a\x1b[2J"\\\x7f\x9b\u202e\u200b\u2066\ufeff\U000e0041\x07\n\u00e9\u6f22'
    shown = r"a\u{1B}[2J\"\\\u{7F}\u{9B}\u{202E}\u{200B}\u{2066}\u{FEFF}\u{E0041}\u{7}\u{A}" + "\u00e9\u6f22"
    write("x", frame(header([(name, tensor(0, 4))]), b""))
    assert '(tensor "%s", ' % shown in run("check", "x").out
    assert check_one("x")["tensor"] == name


def test_long_names_are_cut_in_the_message_only():
    for character in ("n", "\u6f22", "\n", "\U000e0041", "\\"):
        name = character * 5000
        write("x", frame(header([(name, tensor(0, 4)), (name + "2", tensor(2, 4))]), bytes(4)))
        found = check_one("x")
        assert found["tensor"] == name + "2" and found["other"] == name
        assert found["message"].count('"...') == 2 and len(found["message"]) < 3000
        assert found["message"].endswith("if you did not write the file, don't load it")


def test_numbers_up_to_the_last():
    most = 2**64 - 1
    write("x", frame(header([("a", tensor(most, most, shape=[0]))])))
    found = check_one("x")
    assert (found["rule"], found["expected"], found["found"]) == ("G3", most, 0), found
    write("x", frame("{}", length=most))
    found = check_one("x")
    assert (found["rule"], found["found"], found["header_bytes"]) == ("F2", most, most), found
    assert "found a header" not in found["message"] and "found %d bytes" % most in found["message"], found


def test_paths_are_escaped():
    for path, shown in [
        ("a\nb\x1b[31m", r"a\u{A}b\u{1B}[31m"),
        ("back\\slash", r"back\\slash"),
        ("a b", "a b"),
        ("\u202egpj", r"\u{202E}gpj"),
        ("caf\u00e9", "caf\u00e9"),
        ('"', '"'),
    ]:
        model(path)
        assert run("check", path).out.startswith(shown + ": valid: "), path
        found = check_one(path)
        assert found["path"] == path and "path_bytes" not in found


def test_paths_that_are_not_utf8():
    cases = [
        (b"\xff\xfe.x", r"\xFF\xFE.x", "\ufffd\ufffd.x"),
        (b"a\xc3", r"a\xC3", "a\ufffd"),
        (b"\xed\xa0\x80", r"\xED\xA0\x80", "\ufffd" * 3),
        (b"\xe0\x80\xaf", r"\xE0\x80\xAF", "\ufffd" * 3),
        (b"\xf0\x80\x80\xaf", r"\xF0\x80\x80\xAF", "\ufffd" * 4),
        (b"\xc0\xaf", r"\xC0\xAF", "\ufffd" * 2),
        (b"\xf4\x90\x80\x80", r"\xF4\x90\x80\x80", "\ufffd" * 4),
        (b"\xe2\x82", r"\xE2\x82", "\ufffd" * 2),
    ]
    for path, text, replaced in cases:
        if b"/" not in path:
            model(path)
        assert run("check", path).out.startswith(text + ": valid: "), path
        found = check_one(path)
        assert found["path"] == replaced and bytes.fromhex(found["path_bytes"]) == path
        assert strict_members(found) == MEMBERS


def strict_members(found):
    return [member for member in found if member != "path_bytes"]
