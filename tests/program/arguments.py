"""Test options, operands, help, and the manual."""

import os
import re
import shutil
import subprocess

from lib import ROOT, Skip, expect, model, run

COMMANDS = ["check", "ls", "meta", "modelspec", "rules"]
MAN = os.path.join(ROOT, "man", "assay.1")


def rules():
    for name in ("statuses", "rules", "model_rules", "note_rules", "program_rules"):
        with open(os.path.join(ROOT, "spec", name + ".tsv"), encoding="utf-8") as f:
            head, *rows = [text.split("\t") for text in f.read().splitlines()]
        for row in rows:
            yield dict(zip(head, row))


def modelspec_rules():
    with open(os.path.join(ROOT, "spec", "modelspec_rules.tsv"), encoding="utf-8") as f:
        head, *rows = [text.split("\t") for text in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def write_rules():
    with open(os.path.join(ROOT, "spec", "write_statuses.tsv"), encoding="utf-8") as f:
        head, *rows = [text.split("\t") for text in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def test_rules():
    lines = expect(run("rules"), 0).lines
    assert lines[0].split() == ["RULE", "CODE", "NAME", "MEANS"]
    wanted = [(row["id"], row["code"], row["name"], row["title"]) for row in rules()]
    wanted += [(row["id"], "-", row["name"], row["title"]) for row in modelspec_rules()]
    wanted += [(row["id"], row["code"], "write_" + row["name"], row["title"]) for row in write_rules()]
    assert [tuple(text.split(None, 3)) for text in lines[1:]] == wanted
    assert max(map(len, lines)) < 115


def test_one_rule():
    for row in rules():
        by_id = expect(run("rules", row["id"]), 0).out
        assert (
            by_id
            == run("rules", row["name"]).out
            == run("rules", row["code"]).out
            == run("rules", row["id"].lower()).out
            == run("rules", row["name"].upper()).out
        )
        for key in ("title", "statement", "offset", "expected", "found", "reason"):
            assert row.get(key, "") in by_id, (row, key)


def test_one_rule_of_modelspec():
    for row in modelspec_rules():
        lines = expect(run("rules", row["id"]), 0).lines
        assert lines == ["id         %s, %s" % (row["id"], row["name"]), "means      " + row["title"],
                         "rule       " + row["statement"], "severity   " + row["level"], "advice     " + row["advice"]]
        assert all(run("rules", word).lines == lines for word in (row["name"], row["id"].lower(), row["name"].upper()))


def test_unknown_rule():
    for word in ("G99", "", "G", "G44", "062", "4 ", "0", "-", "MS", "MS0", "MS19"):
        expect(run("rules", word), 2, "", "no such rule")


def test_help():
    out = expect(run("--help"), 0).out
    assert out == run("-h").out and all("assay " + command in out for command in COMMANDS)
    assert max(map(len, out.splitlines())) <= 80
    for command in COMMANDS:
        out = expect(run(command, "--help"), 0).out
        assert out.startswith("usage: assay %s " % command) and out == run(command, "-h").out
        assert out == run(command, "a", "b", "c", "--help").out
        assert max(map(len, out.splitlines())) <= 90


def test_version():
    out = expect(run("--version"), 0).out
    assert re.fullmatch(r"assay [0-9]+\.[0-9]+\.[0-9]+\nsandbox: .{5,100}\naddresses: .{5,100}\n", out), out


def test_wrong_calls():
    model("x")
    model("-x")
    for words, message in [
        ([], "no command"),
        (["frobnicate"], 'unknown command: "frobnicate"'),
        (["--frob"], "unknown option"),
        (["x"], 'a path needs a command before it: "x"\nTry `assay --help`.\nTo check a file or a folder: '
                '`assay check PATH`.\n'),
        (["check"], "no file or folder was named"),
        (["check", "-q"], "no file or folder was named"),
        (["check", "--"], "no file or folder was named"),
        (["check", "-y"], 'unknown option: "-y"'),
        (["check", "-qy", "x"], 'unknown option: "-y"'),
        (["check", "-q-no-sandbox", "x"], 'unknown option: "-q-no-sandbox"'),
        (["check", "-qa=1", "x"], 'unknown option: "-=1"'),
        (["check", "-aqj"], "-j requires a value"),
        (["check", "--form", "json", "x"], 'unknown option: "--form"'),
        (["check", "--form"], 'unknown option: "--form"'),
        (["check", "--o", "x"], 'unknown option: "--o"'),
        (["check", "--help=x"], 'unknown option: "--help=x"'),
        (["check", "--format", "json", "--format", "xml", "x"], "--format requires one of text "),
        (["check", b"-q\xff", "x"], r'unknown option: "-q\xFF"'),
        (["check", "-", "-\x1b[2J"], r'unknown option: "-\u{1B}[2J"'),
        (["check", "x", "--formats"], "unknown option"),
        (["check", "--format", "xml", "x"], '--format requires one of text json jsonl sarif junit: "xml"\nusage: '),
        (["check", "--format=", "x"], "--format requires one of"),
        (["check", "x", "--format"], "--format requires a value"),
        (["check", "--format", "json jsonl", "x"], "--format requires one of"),
        (["check", "--raw", "x"], "unknown option"),
        (["check", "-j", "0", "x"], "-j requires a number"),
        (["check", "-j513", "x"], "-j requires a number"),
        (["check", "--jobs=two", "x"], "-j requires a number"),
        (["check", "-j"], "-j requires a value"),
        (["check", "--fd", "-1"], "--fd requires the number"),
        (["check", "--fd", "99999999999999999999"], "--fd requires the number"),
        (["check", "--fd", "3", "x"], '--fd and a PATH can\'t be combined: "x"'),
        (["check", "--fd", "3", "--files0-from", "x"], "--fd and --files0-from can't be combined"),
        (["check", "--files0-from", "x", "x"], '--files0-from and a PATH can\'t be combined: "x"'),
        (["check", "--files0-from", "none"], "the list of files can't be opened"),
        (["check", "--one-file-system=1", "x"], "unknown option"),
        (["check", *["--include=x"] * 65, "x"], "too many patterns"),
        (["check", "--include", "", "x"], 'an empty pattern matches nothing: ""'),
        (["check", "--exclude=", "x"], "an empty pattern matches nothing"),
        (["rules", "--no-sandbox"], "unknown option"),
        (["ls"], "no file was named"),
        (["ls", "x", "x"],
         'too many arguments: "x"\nusage: assay ls [OPTION...] PATH\nTry `assay ls --help`.\n'),
        (["ls", "-q", "x"], "unknown option"),
        (["ls", "--format", "jsonl", "x"], "--format requires one of"),
        (["ls", "--summary", "--format", "json", "x"], "--summary and --format json can't be combined"),
        (["meta", "--aliases", "x"], "unknown option"),
        (["meta"], "no file was named"),
        (["meta", "x", "k", "k"], "too many arguments"),
        (["meta", "--format", "json", "x"], "unknown option"),
        (["rules", "G1", "G2"], "too many arguments"),
        (["rules", "-q"], "unknown option"),
        (["\x1b[2J"], r'unknown command: "\u{1B}[2J"'),
        ([b"\xff"], r'unknown command: "\xFF"'),
    ]:
        result = expect(run(*words), 2, "", message)
        assert "usage: assay" in result.err or "assay --help" in result.err or "none" in words


def test_options_may_stand_anywhere():
    model("x")
    model("-x")
    expect(run("check", "x", "-q"), 0, "")
    expect(run("check", "x", "--format", "jsonl"), 0)
    expect(run("check", "--", "-x", "x"), 0, "-x: valid: 1 tensor, 65 bytes\nx: valid: 1 tensor, 65 bytes\n")
    expect(run("check", "./-x"), 0)
    expect(run("check", "x", "-q", env={"POSIXLY_CORRECT": "1"}), 0, "")


def test_letters_may_stand_together():
    model("x")
    for words in (["-qa"], ["-aq"], ["-xqa"], ["-aqj2"], ["-qaj", "2"], ["-q", "-a"]):
        expect(run("check", *words, "x"), 0, "")
    assert expect(run("check", "-ah"), 0).out == expect(run("check", "--help"), 0).out
    assert "N files at the same time" in run("check", "-qh").out


def test_manual_is_well_formed():
    if shutil.which("mandoc") is None:
        raise Skip("no mandoc")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", MAN], stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stdout.decode()


def test_manual_has_every_option():
    with open(MAN, encoding="ascii") as f:
        manual = f.read()
    options = set()
    for command in COMMANDS:
        out = run(command, "--help").out
        assert ".Nm " + command in manual or ".Cm " + command in manual, command
        options |= set(re.findall(r"^  (-[a-z](?=,)|--[a-z0-9-]+)", out, re.M))
        options |= set(re.findall(r", (--[a-z0-9-]+)", out))
    assert len(options) > 10, options
    for option in options | {"--help", "--version"}:
        name = option.replace("--", "Fl Fl ") if option.startswith("--") else option.replace("-", "Fl ")
        assert re.search(re.escape(name) + r"(?![a-z])", manual), option


def test_manual_has_every_member():
    from reports import MEMBERS

    with open(MAN, encoding="ascii") as f:
        manual = f.read()
    for member in MEMBERS + ["path_bytes"]:
        assert re.search(r"\b%s\b" % member, manual), member
