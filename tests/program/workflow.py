"""Test that no text of a file or a path is a command of a CI service in the output of the program."""

import json
import os
import re

from lib import expect, frame, header, model, run, tensor, write
from models import split

# How CI agents read lines: the runner of GitHub trims them and accepts "::command", or "##[command]" anywhere; Azure
# Pipelines "##vso[command]" anywhere; TeamCity "##teamcity[command]"; Buildkite groups lines by "--- ", "+++ ", "~~~
# "; Travis "travis_fold:", and "travis_time:" at the beginning of a line.
COMMAND = re.compile(r"\s*::|.*##|\s*(---|\+\+\+|~~~|\^\^\^|travis_)")
TEXTS = ["::error::x", "  ::add-mask::x", "::", ":", "##[group]x", "x##[add-mask]y", "##vso[task.complete]x", "####[x]",
         "##teamcity[message text='x']", " ##[stop-commands]x", "--- x", "+++ x", "~~~ x", "^^^ +++", "\r::error::x",
         "travis_fold:start:x", "travis_time:end:x", "travis_", "\n::error::x",
         "x\n##vso[x]", "\u2028::x", "\u00a0::x", "#", "##", " "]


def harmless(*words):
    """Run the program; no line of either stream is a command."""
    result = run(*words)
    for line in (result.out + result.err).split("\n"):
        assert not COMMAND.match(line), (words, line)
    return result


def of_every_format(path, status, *words):
    for kind in (["--format", kind] for kind in ("text", "json", "jsonl", "sarif", "junit")):
        expect(harmless("check", *kind, *words, "--", path), status)
    harmless("check", "-q", *words, "--", path)
    harmless("check", "--all", *words, "--", path)


def test_names_and_keys():
    write("policy", b"assay-policy 1\nmax-name 0\nmax-rank 0\n")
    for text in TEXTS:
        members = json.dumps({"__metadata__": {"KEY": "KEY", "": "KEY"}, "KEY": tensor(0, 1)})
        escaped = "".join("\\u%04x" % ord(character) for character in text)
        for said in (json.dumps(text, ensure_ascii=False)[1:-1], escaped):
            write("x", frame(members.replace("KEY", said), b"x"))
            of_every_format("x", 0)
            of_every_format("x", 3, "--policy", "policy")
            for words in (["ls", "x"], ["ls", "--format", "json", "x"], ["meta", "x"], ["meta", "--", "x", text]):
                expect(harmless(*words), 0)
            harmless("meta", "--", "x", "no" + text)
            write("x", frame(members.replace("KEY", said), b"xx"))
            of_every_format("x", 1)
    model("y", [("--", tensor(0, 1)), ("-x", tensor(1, 2)), ("#", tensor(2, 3)), ("a#b", tensor(3, 4))])
    assert [line.split()[-1] for line in run("ls", "y").lines[1:5]] == ["\\u{2D}-", "-x", "\\u{23}", "a#b"]
    model("y", [("a", tensor(0, 1))], {"##[x]": "a##b", " k": ":v"})
    assert run("meta", "y").lines == ["\\u{23}#[x]: a#\\u{23}b", "\\u{20}k: \\u{3A}v"]
    found = json.loads(run("ls", "--format", "json", "y").out)
    assert found["metadata"] == {"##[x]": "a##b", " k": ":v"}


def test_paths():
    for text in [text for text in TEXTS if "/" not in text]:
        write(text, frame("{}"))
        of_every_format(text, 0)
        write(text, frame(header([("a", tensor(0, 1))])))
        of_every_format(text, 1)
        os.remove(text)
        of_every_format(text, 2)
        harmless("ls", "--", text)
        harmless("meta", "--", text)
        harmless("check", "--policy", text, "x")
        harmless("check", "--format", text, "x")
        harmless(text)
        harmless("check", "--" + text)
        write("p", ("assay-policy 1\n%s\n" % text).encode())
        harmless("check", "--policy", "p", "x")
        write(text, b"assay-policy 1\nnone\n")
        harmless("check", "--policy", text, "x")
        harmless("check", "--files0-from", text)
        os.remove(text)
        harmless("check", "-o", text + "/x", "--", "x")


def records(*words):
    """Return the records of rules for models, and the exit status; no line of any format is a command."""
    for kind in ("text", "json", "sarif", "junit"):
        status = harmless("check", "--format", kind, "--", *words).status
    result = harmless("check", "--format", "jsonl", "--", *words)
    assert result.status == status, (result.status, status)
    return [x for x in split(result.jsonl()) if (x["rule"] or "").startswith("M")], status


def write_index(path, places, size):
    write(path, json.dumps({"metadata": {"total_size": size}, "weight_map": places}).encode())


def test_models():
    """Names in an index, also of shards, and its folder: M20, M21, M28 and M29 print them."""
    model("outside.safetensors", [("c", tensor(0, 4))])
    for text in TEXTS:
        part = "x" if re.search("[:\r\n]", text) else text  # the path of a shard can't contain these
        held, gone, out = (part + end + ".safetensors" for end in ("-1", "-2", "-3"))
        folder = text + "-links"
        os.mkdir(folder)
        model(os.path.join(folder, held), [(text, tensor(0, 4))])
        os.symlink("../outside.safetensors", os.path.join(folder, out))
        index = os.path.join(folder, text + ".safetensors.index.json")
        write_index(index, {text: held, "b" + text: gone, "c" + text: out}, 12)
        found, status = records(folder)
        wanted = [("M20", os.path.join(folder, gone), index), ("M21", os.path.join(folder, out), index)]
        assert status == 1 and [(x["rule"], x["path"], x["index"]) for x in found] == wanted, (status, found)
        folder = text
        os.mkdir(folder)
        model(os.path.join(folder, held), [(text, tensor(0, 4))])
        single = model(os.path.join(folder, text + ".safetensors"), [("b" + text, tensor(0, 4))])
        index = os.path.join(folder, text + ".safetensors.index.json")
        write_index(index, {text: held}, 5)
        found, status = records(folder)
        wanted = [("M28", index), ("M29", single)]
        assert status == 1 and [(x["rule"], x["path"]) for x in found] == wanted, (status, found)
        assert text in found[1]["tensor"] and found[1]["index"] == index, found


def test_paths_that_no_shard_may_have():
    for text in TEXTS:
        write_index("x.safetensors.index.json", {text: text + ".bin"}, 4)
        found, status = records("x.safetensors.index.json")
        wanted = "M17" if re.search("[:\r\n]", text) else "M18"
        assert status == 1 and [x["rule"] for x in found] == [wanted], (text, status, found)
