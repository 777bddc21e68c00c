"""Test the options for machines: all findings, SARIF, --output, --summary, --color, --policy, rules as JSON."""

import contextlib
import json
import os
import random
import re
import resource
import signal
import stat
import subprocess
import time
import xml.etree.ElementTree

import lib
from lib import check_one, expect, frame, header, model, run, tensor, write

MOST = 100


def findings(tensors, keys, size):
    """Return all violations of stage G by its definition in spec/format.md: (rule, index of the tensor or key,
    index of the other)."""
    seen, out = {}, []
    for place, key in enumerate(keys):
        if key in seen:
            out.append(("G1", place, seen[key]))
        seen.setdefault(key, place)
    seen = {}
    for place, (name, _, _) in enumerate(tensors):
        if name in seen:
            out.append(("G2", place, seen[name]))
        seen.setdefault(name, place)
    most = max([end for _, _, end in tensors], default=0)
    late = [place for place, (_, _, end) in enumerate(tensors) if end > size]
    if late:
        first = min(place for place in late if tensors[place][2] == most)
        out += [("G3", place, None) for place in [first] + [place for place in late if place != first]]
    layout = sorted(range(len(tensors)), key=lambda place: (*tensors[place][1:], place))
    full = [place for place in layout if tensors[place][1] < tensors[place][2]]
    position, last = 0, None
    for place in full:
        _, begin, end = tensors[place]
        if begin != position:
            out.append(("G5" if begin > position else "G4", place, last))
        if end > position:
            position, last = end, place
    if position < size:
        out.append(("G5", None, last))
    for place in layout:
        _, begin, end = tensors[place]
        around = [other for other in full if tensors[other][1] < begin < tensors[other][2]]
        if begin == end and around:
            out.append(("G6", place, max(around, key=lambda other: (tensors[other][2], -full.index(other)))))
    return out


def broken(rng, name):
    """Return a file that stage G mostly rejects, and its violations."""
    tensors = []
    for _ in range(rng.randrange(1, 7)):
        begin = rng.randrange(12)
        tensors.append((rng.choice("abcdefghijkl"), begin, begin + rng.choice([0, 0, 1, 2, 3, 5])))
    keys, size = [rng.choice("pqrst") for _ in range(rng.randrange(4))], rng.randrange(16)
    spelled = [json.dumps(key) if rng.random() < 0.7 else '"\\u%04x"' % ord(key) for key in keys]
    members = ['"__metadata__" : {%s}' % ",".join('%s:"v"' % key for key in spelled)] if keys else []
    rng.shuffle(members)
    for tensor_name, begin, end in tensors:
        parts = ['"dtype":"U8"', '"shape":[ 1, %d ]' % (end - begin), '"data_offsets":[%d ,%d]' % (begin, end)]
        rng.shuffle(parts)
        spelling = json.dumps(tensor_name) if rng.random() < 0.7 else '"\\u%04x"' % ord(tensor_name)
        members.append("%s: {%s}" % (spelling, ", ".join(parts)))
    write(name, frame("{%s}  " % ",".join(members), bytes(size)))
    return findings(tensors, keys, size)


def place_of(one):
    return (one["found"] if one["rule"] == "G1" else one["tensor_place"]), one["other_place"]


def test_all_findings():
    """The first finding is the verdict of the core; the others are those of the definition, in its order."""
    rng = random.Random(20261122)
    os.mkdir("d")
    wanted = {"d/%04d.safetensors" % i: broken(rng, "d/%04d.safetensors" % i) for i in range(1500)}
    found = run("check", "--format", "jsonl", "d").jsonl()
    assert len(found) == len(wanted)
    several = 0
    for one in found:
        said = [] if one["verdict"] == "valid" else [(x["rule"], *place_of(x)) for x in [one, *one["further"]]]
        assert said == wanted[one["path"]], (one["path"], said, wanted[one["path"]])
        assert one["further_left"] == 0 and (one["verdict"] == "valid") == (not said)
        several += len(said) > 2
        for x in one["further"]:
            assert x["message"].startswith("rule %s at byte %d: " % (x["rule"], x["offset"])), x
    assert several > 300


def overlapping(count):
    return frame(header([("t%d" % i, tensor(i, i + 2)) for i in range(count)]), bytes(count + 1))


def test_findings_are_bounded():
    write("x", overlapping(151))
    found = check_one("x")
    assert found["rule"] == "G4" and len(found["further"]) == MOST and found["further_left"] == 49
    assert [x["tensor"] for x in found["further"]] == ["t%d" % i for i in range(2, 102)]
    lines = expect(run("check", "--all", "x"), 1).lines
    assert len(lines) == MOST + 2 and lines[-1] == "x: also: 49 more findings"
    assert lines[1].startswith('x: also: rule G4 at byte ') and 'tensor "t2", overlaps tensor "t1"' in lines[1]
    assert len(run("check", "x").lines) == 1 and run("check", "-a", "x").lines == lines
    write("x", overlapping(102))
    assert run("check", "-a", "x").lines[-1].startswith("x: also: rule G4 at byte ")
    write("x", overlapping(103))
    assert run("check", "-a", "x").lines[-1] == "x: also: 1 more finding"


def test_many_findings_take_no_time():
    """50,000 duplicate names, a reversed layout, long names that differ at their end."""
    many = [("n" * 500 + "%d" % (i // 2), tensor(50000 - i, 50002 - i)) for i in range(50000)]
    text = "{%s}" % ",".join("%s:%s" % (json.dumps(name), json.dumps(value)) for name, value in many)
    write("x", frame(text, bytes(50002)))
    found = check_one("x")
    assert found["rule"] == "G2" and found["further_left"] == 25000 + 49999 - 1 - MOST + 1, found["further_left"]


def sarif(*words, status):
    return expect(run("check", "--format", "sarif", *words), status).json()["runs"][0]


def test_sarif():
    write("a", overlapping(3))
    model("b")
    name = "c [d](e)%\n\u00e9{0}"
    model(name, data=b"")
    log = sarif("a", "b", name, "missing", status=1)
    results = log["results"]
    assert [x["ruleId"] for x in results] == ["G4", "G4", "G3"] and all(x["level"] == "error" for x in results)
    where = [x["locations"][0]["physicalLocation"] for x in results]
    assert [x["artifactLocation"]["uri"] for x in where] == ["a", "a", "c%20%5Bd%5D(e)%25%0A%C3%A9%7B0%7D"]
    size = os.path.getsize("a")
    assert [x.get("region") for x in where] == [
        {"startLine": 1, "byteOffset": at} for at in (size - 3, size - 2, os.path.getsize(name))]
    assert results[0]["locations"][0]["logicalLocations"] == [{"kind": "tensor", "name": "t1"}]
    assert results[0]["properties"] == {"expected": 2, "found": 1}
    (invocation,) = log["invocations"]
    (notice,) = invocation.pop("toolExecutionNotifications")
    assert invocation == {"executionSuccessful": False, "exitCode": 1}
    assert notice["descriptor"] == {"id": "E1"} and notice["level"] == "error", notice
    assert notice["message"]["text"] == "can't be opened: No such file or directory", notice
    assert notice["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "missing"}, notice
    model("x", [("[a](b){0}", tensor(0, 4))], data=b"")
    assert r'tensor "\[a\](b){{0}}"' in sarif("x", status=1)["results"][0]["message"]["text"]
    for path in os.path.abspath("x"), "/" + os.path.abspath("x"):
        where = sarif(path, status=1)["results"][0]["locations"][0]["physicalLocation"]
        assert where["artifactLocation"] == {"uri": "file://" + path}
    log = sarif("b", status=0)
    assert log["results"] == [] and log["invocations"] == [
        {"executionSuccessful": True, "exitCode": 0, "toolExecutionNotifications": []}]
    expect(run("check", "--format", "sarif", "-q", "a"), 1, "")


def test_sarif_for_code_scanning():
    """Only the rules that occur, with what code scanning shows of them; no ./ in a URI; no byte in a fingerprint."""
    os.mkdir("d")
    write("d/a", overlapping(3))
    model("d/b", data=b"")
    model("d/c", [("../x", tensor(0, 4))])
    log = sarif("./d/a", "d/b", ".//./d/c", "./d/none", status=1)
    results, driver = log["results"], log["tool"]["driver"]
    where = [x["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for x in results]
    assert where == ["d/a", "d/a", "d/b", "d/c"], where
    assert [x["id"] for x in driver["rules"]] == ["G3", "G4", "A9"], driver["rules"]
    assert [x["id"] for x in driver["notifications"]] == ["E1"], driver["notifications"]
    for rule in driver["rules"]:
        page, _, anchor = rule["helpUri"].partition("/blob/main/")[2].partition("#")
        with open(os.path.join(lib.ROOT, page), encoding="utf-8") as f:
            heads = [line.lstrip("# ").strip().lower() for line in f if line.startswith("#")]
        anchors = ["".join(c for c in head if c.isalnum() or c in " -").replace(" ", "-") for head in heads]
        assert anchor in anchors, rule
        assert 0 < float(rule["properties"]["security-severity"]) < 10 and rule["help"]["text"], rule
        assert "security" in rule["properties"]["tags"], rule
    marks = [x["partialFingerprints"]["primaryLocationLineHash"] for x in results]
    assert len(set(marks)) == 4 and all(re.fullmatch("[0-9a-f]{16}:1", mark) for mark in marks), marks
    write("d/a", frame(header([("first", tensor(0, 1)), *[("t%d" % i, tensor(i + 1, i + 3)) for i in range(3)]]),
                       bytes(5)))
    assert [x["partialFingerprints"]["primaryLocationLineHash"] for x in sarif("d/a", status=1)["results"]] == marks[:2]


def test_sarif_names_in_notes():
    """A note names its tensor apart from the message unless the name is long."""
    for size, named in ((4095, True), (4096, False)):
        name = "n" * size + "\x7f"
        model("x", [(name, tensor(0, 4))])
        (result,) = sarif("x", status=0)["results"]
        (where,) = result["locations"]
        assert result["ruleId"] == "A3" and ("logicalLocations" in where) == named, (size, where.keys())


def test_sarif_of_a_model():
    """A finding is one result, though it decides the record of a file and that of the index."""
    os.mkdir("m")
    model("m/a-00001-of-00002.safetensors", [("a", tensor(0, 4))])
    index = {"metadata": {"total_size": 4}, "weight_map": {"b": "a-00001-of-00002.safetensors", "c": "../x"}}
    index["weight_map"]["c"] = "a-00002-of-00002.safetensors"
    write("m/a.safetensors.index.json", json.dumps(index).encode())
    results = sarif("m", status=1)["results"]
    assert [(x["ruleId"], x["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for x in results] == [
        ("M22", "m/a-00001-of-00002.safetensors"), ("M20", "m/a-00002-of-00002.safetensors")], results
    done = expect(run("check", "-q", "--summary", "m"), 1)
    assert done.lines[0] == "summary: 0 valid, 3 invalid, 0 refused, 0 not judged" and len(done.lines) == 3, done.out


def junit(*words, status):
    done = expect(run("check", "--format", "junit", *words), status)
    (suite,) = xml.etree.ElementTree.fromstring(done.out.encode())
    return list(suite)


def test_junit():
    """A test case for each path, whatever it is called and whatever names are inside."""
    names = ["a<b>&\"'", "]]>", "<!--", "x\ny", "\x1b[31m", "\u202e", "\ufffe", "&amp;", "\u00e9\U0001f600", b"\xff"]
    for name in names:
        model(name, [("<&\"'>]]>\x01\ufffe", tensor(0, 4))], data=b"")
    model("fine", [("../<x>", tensor(0, 4))])
    write("twice", overlapping(3))
    cases = junit(*names, "fine", "twice", "none<>", status=1)
    assert [case.tag for case in cases] == ["testcase"] * 13 and all(len(case) == 1 for case in cases)
    lines = run("check", *names, "fine", "twice", "none<>").lines
    lines = [line for line in lines if not line.startswith("    ")]
    for case, line in zip(cases, lines):
        (inside,) = case
        word = {"failure": "invalid", "error": "error", "system-out": "valid"}[inside.tag]
        message = inside.get("message") or inside.text.splitlines()[0]
        assert line in ("%s: %s: %s" % (case.get("name"), word, message),
                        "\\u{26}%s: %s: %s" % (case.get("name")[1:], word, message)), (line, case.attrib, inside.attrib)
    assert [case[0].get("type") for case in cases] == ["G3"] * 10 + [None, "G4", "E1"]
    assert "note A9: " in cases[-3][0].text and cases[-2][0].text.startswith("also: rule G4 "), cases[-2][0].text
    write("policy", b"assay-policy 1\nmax-tensors 0\n")
    ((refused,),) = junit("--policy", "policy", "fine", status=3)
    assert (refused.tag, refused.get("type")) == ("failure", "P2")


def test_rules_as_json():
    rules = expect(run("rules", "--format", "json"), 0).json()
    text = run("rules").lines[1:]
    assert [x["id"] for x in rules] == [line.split()[0] for line in text]
    for rule in rules:
        one = expect(run("rules", "--format", "json", rule["name"]), 0)
        of_modelspec = rule["id"].startswith("MS")
        assert one.json() == rule and (rule["code"] is None) == of_modelspec
        assert rule["severity"] in (("error", "warning", "info") if of_modelspec else ("error", "note"))
        assert len(rule["advice"]) > 15 or of_modelspec and rule["advice"]
        assert rule["cwe"] is None or "weakness   %s\n" % rule["cwe"] in run("rules", rule["id"]).out
    known = {x["name"]: x["cwe"] for x in rules}
    assert known["shape_overflow"] == "CWE-190" and known["shard_path"] == "CWE-22" and known["hole"] is None


def leftovers():
    return [name for name in os.listdir(".") if ".assay-" in name]


def test_output():
    model("a")
    wanted = run("check", "--format", "json", "a", "none").out
    for words in (["-o", "out"], ["--output=out"], ["--output", "./out"]):
        expect(run("check", "--format", "json", *words, "a", "none"), 2, "")
        with open("out", encoding="utf-8") as f:
            assert f.read() == wanted
    expect(run("rules", "-o", "out"), 0, "")
    with open("out", encoding="utf-8") as f:
        assert f.read() == run("rules").out
    assert leftovers() == []


def test_output_replaces_nothing_but_a_file():
    model("a")
    os.mkdir("d")
    os.mkfifo("f")
    write("kept", b"old")
    os.symlink("kept", "link")
    for path, message in [("d", "folder"), ("d/", "folder"), ("f", "not a regular file"),
                          ("", "the name is empty"),
                          ("link", "not a regular file"), ("/dev/null", "not a regular file"),
                          ("none/x", "No such file")]:
        expect(run("check", "-o", path, "a"), 2, "", message)
    with open("kept", "rb") as f:
        assert f.read() == b"old"
    assert os.listdir("d") == [] and stat.S_ISFIFO(os.stat("f").st_mode) and leftovers() == []


def test_output_is_kept_when_the_program_fails():
    write("out", b"old")
    expect(run("check", "-o", "out", "--files0-from", "none"), 2, "", "can't be opened")
    expect(run("check", "-o", "out", "--policy", "none", "out"), 2, "", "can't be read")
    expect(run("rules", "-o", "out", "G99"), 2, "", "no such rule")
    limit = {"preexec_fn": lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (4096, 4096))}
    with open("out", "rb") as f:
        assert f.read() == b"old"
    signal_off = lambda: (limit["preexec_fn"](), signal.signal(signal.SIGXFSZ, signal.SIG_IGN))  # noqa: E731
    expect(run("rules", "-o", "out", preexec_fn=signal_off), 2, "", "the output can't be written")
    with open("out", "rb") as f:
        assert f.read() == b"old"
    assert leftovers() == []


def test_output_that_does_not_fit():
    """Detected in the middle, where there is more output, or at the end: it is reported."""
    files = [model("%03d" % i, data=b"") for i in range(500)]
    write("out", b"old")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    sarif = ["--format", "sarif"]
    for words in ([], ["--format", "json"], ["--format", "jsonl"], sarif, [*sarif, "--summary"]):
        result = run("check", *words, "-o", "out", *files, preexec_fn=limit)
        assert result.status == 2 and result.out == "", (words, result.status)
        assert result.err.endswith("assay: the output can't be written: \"out\": File too large\n"), result.err
        with open("out", "rb") as f:
            assert f.read() == b"old"
    assert leftovers() == []


def test_output_is_no_input():
    """A forgotten word after -o does not overwrite a model."""
    os.mkdir("d")
    for name in ("a", "b.safetensors", "d/c.safetensors", "d/x.safetensors.index.json"):
        model(name)
        with open(name, "rb") as f:
            before = f.read()
        for files in ([name], ["none", "./" + name], *([["d"]] if name != "a" else [])):
            expect(run("check", "-o", name, *files), 2, "", "assay: the output ")
            with open(name, "rb") as f:
                assert f.read() == before, (name, files)
    with open("a", "rb") as f:
        fd = f.fileno()
        expect(run("check", "-o", "a", "--fd", str(fd), pass_fds=[fd]), 2, "", "assay: the output would")
    expect(run("check", "-o", "a", "b.safetensors"), 0, "")  # any other file may be replaced
    assert leftovers() == []


def test_output_after_an_interrupt():
    """Also while the program waits for names: before anybody writes any, and after the first."""
    write("out", b"old")
    os.mkfifo("list")
    for begun in (False, True):
        process = subprocess.Popen([lib.PROGRAM, "check", "-o", "out", "--files0-from", "list"])
        try:
            while process.poll() is None and not leftovers():
                time.sleep(0.01)
            lib.wait_until_idle(process.pid)
            with open("list", "wb") if begun else contextlib.nullcontext() as f:
                if begun:
                    f.write(b"none\0")
                    f.flush()
                    lib.wait_until_idle(process.pid)
                process.send_signal(signal.SIGINT)
                assert process.wait(60) == -signal.SIGINT
        finally:
            process.kill()
        with open("out", "rb") as f:
            assert f.read() == b"old"
        assert leftovers() == []


def test_summary():
    model("a")
    write("b", overlapping(2))
    write("c", overlapping(2))
    wanted = ("summary: 2 valid, 2 invalid, 0 refused, 1 not judged\n"
              "summary:        2  G4   overlap: two tensors share a byte\n"
              "summary:        1  E1   not_judged: it could not be judged\n")
    files = ["a", "b", "a", "c", "none"]
    assert expect(run("check", "--summary", *files), 1).out == run("check", *files).out + wanted
    done = run("check", "--format", "jsonl", "--summary", *files)
    assert done.err == wanted and len(done.jsonl()) == 5
    done = run("check", "-q", "--summary", *files)
    assert done.out == wanted and done.err.count("\n") == 1


def test_color():
    model("a")
    env = {**os.environ, "TERM": "xterm"}
    plain = "a: valid: 1 tensor, 65 bytes\n"
    assert run("check", "a", env=env).out == run("check", "--color", "never", "a", env=env).out == plain
    assert run("check", "--color=always", "a", raw=True).out == plain.replace("valid", "\x1b[32mvalid\x1b[0m")
    assert run("check", "--color=always", "--format", "jsonl", "a").out == run("check", "--format", "jsonl", "a").out
    expect(run("check", "--color", "sometimes", "a"), 2, "", "auto, always or never")
    for more, painted in (({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        ours, theirs = os.openpty()
        subprocess.run([lib.PROGRAM, "check", "a"], stdin=subprocess.DEVNULL, stdout=theirs, env={**env, **more},
                       check=True)
        os.close(theirs)
        said = lib.all_of(ours)
        os.close(ours)
        assert b"valid" in said and (b"\x1b[32m" in said) == painted, (more, said)


def policy(*lines):
    write("policy", "\n".join(["assay-policy 1", *lines, ""]).encode())


def refused(*lines):
    policy(*lines)
    found = expect(run("check", "--format", "jsonl", "--policy", "policy", "a"), 3).jsonl()[0]
    assert found["verdict"] == "refused"
    return found


def test_policy():
    model("a", [("long name", tensor(0, 4, "F32", [1])), ("b", tensor(4, 8, "F16", [1, 2, 1]))], {"k": "v", "l": "v"})
    size = os.path.getsize("a") - 16
    for line, rule, names in [
        ("max-header %d", ("P1", size - 1, size), None), ("max-tensors %d", ("P2", 1, 2), None),
        ("max-rank %d", ("P3", 2, 3), "b"), ("max-name %d", ("P4", 8, 9), "long name"),
        ("max-metadata %d", ("P6", 1, 2), None)]:
        found = refused(line % rule[1])
        assert (found["rule"], found["expected"], found["found"], found["tensor"]) == (*rule, names), found
        policy(line % rule[2])
        expect(run("check", "--policy", "policy", "a"), 0)
    found = refused("dtypes F32 BF16")
    assert found["rule"] == "P5" and found["tensor"] == "b" and "found F16)" in found["message"], found
    policy("", "# all that it has", "dtypes F16 F32")
    expect(run("check", "--policy", "policy", "a"), 0)
    found = refused("max-rank 0", "max-name 0", "max-tensors 0")
    assert [found["rule"], *[x["rule"] for x in found["further"]]] == ["P2", "P3", "P4"] and found["tensors"] == 2
    write("b", overlapping(2))
    assert [run("check", "-q", "--policy", "policy", *files).status for files in (["a", "b"], ["a", "none"])] == [1, 2]
    assert "a: refused: rule P2: " in run("check", "--policy", "policy", "a").out
    assert sarif("--policy", "policy", "a", status=3)["results"][0]["ruleId"] == "P2"


def test_policy_on_notes():
    os.mkdir("m")
    model("m/a-00001-of-00001.safetensors")
    index = {"metadata": {"total_size": 5}, "weight_map": {"a": "a-00001-of-00001.safetensors"}}
    write("m/a.safetensors.index.json", json.dumps(index).encode())
    assert "\n    note M28 at byte " in "\n" + "\n".join(expect(run("check", "m"), 0).lines)
    for name in ("M28", "total_size"):
        policy("fail %s" % name)
        assert " refused: rule M28" in expect(run("check", "--policy", "policy", "m"), 3).out
    policy("fail file_beside")
    expect(run("check", "--policy", "policy", "m"), 0)
    model("b", [("../x", tensor(0, 4))])
    policy("fail name_path")
    (found,) = expect(run("check", "--format", "jsonl", "--policy", "policy", "b"), 3).jsonl()
    assert (found["rule"], found["verdict"], found["expected"], found["found"]) == ("A9", "refused", None, None), found
    assert found["notes"] == [] and run("check", "-q", "--policy", "policy", "b").status == 3
    assert (found["tensor"], found["tensor_place"], found["offset"]) == ("../x", 0, 9), found
    words = ["check", "--policy", "policy", "b"]
    assert [line.split(" (")[0] + " " + line.split('"')[1] for line in expect(run(*words), 3).lines] == [
        "b: refused: rule A9 at byte 9: a name looks like a path ../x"]
    (result,) = sarif("--policy", "policy", "b", status=3)["results"]
    assert (result["ruleId"], result["level"]) == ("A9", "error"), result
    assert result["locations"][0]["logicalLocations"][0]["name"] == "../x", result
    model("c", [("../x\u200b", tensor(0, 4))], {"k": "auto_map"})
    policy("fail name_path metadata_code")
    (found,) = expect(run("check", "--format", "jsonl", "--policy", "policy", "c"), 3).jsonl()
    assert [found["rule"], *[x["rule"] for x in found["further"] + found["notes"]]] == ["A9", "A10", "A3"], found
    assert 'metadata key "k"' in found["further"][0]["message"] and found["further"][0]["tensor"] is None, found
    assert [(x["ruleId"], x["level"]) for x in sarif("b", status=0)["results"]] == [("A9", "note")]
    assert expect(run("check", "--summary", "b"), 0).lines[-1].startswith("summary:        1  A9   name_path: ")
    policy("max-name 0")
    assert "2 refused" in expect(run("check", "--summary", "--policy", "policy", "m"), 3).out  # shard and model


def test_bad_policies():
    model("a")
    good = b"assay-policy 1\n"
    for text, said in [
        (b"", "policy:1: the first line"), (b"\n" + good, "policy:1: the first line"),
        (b"assay-policy 2\n", "policy:1: the first line"), (b"assay-policy 1 \n", "policy:1: the first line"),
        (good + b"max-rank 1\nmax-rank 1\n", 'policy:3: this line is repeated: "max-rank"'),
        (good + b"max-rank\n", "policy:2: a number is missing"), (good + b"max-rank \n", "policy:2: not a whole"),
        (good + b"max-rank -1\n", "policy:2: not a whole number"), (good + b"max-rank 01\n", "policy:2: not a whole"),
        (good + b"max-rank 18446744073709551616\n", "policy:2: not a whole number"),
        (good + b"max-rank 1 2\n", "policy:2: something follows the number"),
        (good + b"max-rank 1 ", "something follows"),
        (good + b"\n#\nmax-foo 1\n", 'policy:4: a policy has no such keyword: "max-foo"'),
        (good + b" max-rank 1\n", "policy:2: a policy has no such keyword"),
        (good + b"max-rank\t1\n", "policy:2: a tab"),
        (good + b"max-rank 1\r\n", "policy:2: a carriage return"), (good + b"# \xc3\xa9\n", "policy:2: a byte that is"),
        (good + b"#\0\n", "policy:2: a byte that is"), (good + b"dtypes\n", "policy:2: a dtype is missing"),
        (good + b"dtypes F32 f32\n", 'policy:2: the format has no such dtype: "f32"'),
        (good + b"dtypes F32 F32\n", "policy:2: this dtype is repeated"),
        (good + b"dtypes F32  F16\n", "the format has no such dtype"),
        (good + b"fail G4\n", "policy:2: this is not a note"), (good + b"fail M99\n", "policy:2: no such note"),
        (good + b"fail M28 total_size\n", "policy:2: this note is repeated"),
        (good + b"fail\n", "policy:2: a note is missing"),
        (good + b"#" * 65536, "more than 65536 bytes")]:
        write("policy", text)
        expect(run("check", "--policy", "policy", "a"), 2, "", said)
    write("policy", good + b"max-rank 18446744073709551615\nmax-name 0\n# the last line needs no end")
    expect(run("check", "--policy", "policy", "a"), 3)
    expect(run("check", "--policy", "none", "a"), 2, "", "the policy can't be read: \"none\": No such file")
