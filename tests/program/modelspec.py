"""Test assay modelspec: each rule of spec/modelspec_rules.tsv has metadata that break it, and others that keep it."""

import base64
import hashlib
import json
import os
import subprocess
import time

import lib
from hub import Hub
from lib import Skip, expect, frame, header, model, run, tensor, write
from remote import environment, supported
from server import Reply, Server

DATA = b"xyabc"
TENSORS = [("b", tensor(0, 2)), ("a", tensor(2, 5))]
DIGITS = hashlib.sha256(DATA).hexdigest()
IMAGES = {
    "jpeg": b"\xff\xd8\xff\xe0",
    "png": b"\x89PNG\r\n\x1a\n",
    "gif": b"GIF89a",
    "webp": b"RIFF\0\0\0\0WEBP",
}


def url(kind, content):
    return "data:image/%s;base64,%s" % (kind, base64.b64encode(content).decode())


GOOD = {
    "sai_model_spec": "1.0.1",
    "architecture": "stable-diffusion-xl-v1-base",
    "implementation": "sgm",
    "title": "Title",
    "resolution": "1024x1024",
    "description": "",
    "author": "a",
    "date": "2023-07-16",
    "hash_sha256": "0x" + DIGITS,
}
TEXT = {**GOOD, "architecture": "gpt-neo-x", "data_format": "fp16", "format_type": "chat"}
del TEXT["resolution"]


def prefixed(keys):
    return {"modelspec." + key: value for key, value in keys.items() if value is not None}


def make(keys, name="x", **more):
    """Write a file with these keys of ModelSpec (None: without it) and these others."""
    return model(name, TENSORS, {**prefixed(keys), **more}, DATA)


def judge(*words, path="x"):
    """Return the member modelspec of a valid file, and check that verdict and exit status fit."""
    result = run("modelspec", "--format", "jsonl", *words, path)
    (record,) = result.jsonl()
    found = record["modelspec"]
    levels = [finding["level"] for finding in found["findings"]]
    assert result.err == "" and found["errors"] == levels.count("error")
    assert found["warnings"] == levels.count("warning")
    refused = found["errors"] > 0 or record["rule"] == "P7"
    assert result.status == (3 if refused else 0) and record["verdict"] == ("refused" if refused else "valid"), record
    assert all(finding["message"].startswith((finding["key"], '"')) for finding in found["findings"])
    return found


def broken(keys, *words, **more):
    """Return [(level, rule, key)] of a file with these keys."""
    make(keys, **more)
    return [(f["level"], f["rule"], f["key"].replace("modelspec.", "")) for f in judge(*words)["findings"]]


def test_good():
    assert broken(GOOD) == [] and broken(TEXT) == [] and broken(GOOD, "--verify") == []
    found = judge()
    assert (found["version"], found["architecture"], found["title"]) == ("1.0.1", GOOD["architecture"], "Title")
    assert found["category"] == "image" and found["findings_left"] == 0
    assert found["data_sha256"] is found["file_sha256"] is found["hash_of"] is None
    make(TEXT)
    assert judge()["category"] == "text"
    lines = expect(run("modelspec", "x"), 0).lines
    assert len(lines) == 2 and lines[0].startswith("x: valid: 2 tensors, ")
    assert lines[1] == '    ModelSpec "1.0.1", architecture "gpt-neo-x", title "Title": 0 errors, 0 warnings, 0 infos'


def test_none():
    for metadata in (None, {}, {"format": "pt"}, {"modelspec": "x", "Modelspec.title": "x"}):
        model("x", TENSORS, metadata, DATA)
        assert judge()["findings"] == []
        lines = expect(run("modelspec", "x"), 3).lines
        assert lines[0].startswith("x: refused: rule P7: the metadata do not conform to ModelSpec (no key begins with")
        assert lines[1] == "    no ModelSpec metadata"
    assert broken({}, title="x") == [("info", "MS18", "title")]


def test_version():
    for value in ("1.0.0", "1.0.1", "1.12.0"):
        assert broken({**GOOD, "sai_model_spec": value}) == [], value
    for value in ("", "1", "1.0", "1.0.x", "v1.0.1", "1.0.1 ", " 1.0.1", "1.0.1.0", "1..1", "2.x", "1.0.1\n"):
        assert broken({**GOOD, "sai_model_spec": value}) == [("error", "MS1", "sai_model_spec")], value
    assert broken({**GOOD, "sai_model_spec": None}) == [("error", "MS1", "sai_model_spec")]
    for value in ("2.0.0", "0.9.0", "10.0.0", "01.0.0"):  # of which nothing else is known
        assert broken({"sai_model_spec": value, "date": "x"}) == [("error", "MS1", "sai_model_spec")], value


def test_must():
    for rule, key in (("MS2", "architecture"), ("MS3", "implementation"), ("MS4", "title")):
        for value in (None, ""):
            assert ("error", rule, key) in broken({**GOOD, key: value}), key
            assert "empty" in run("modelspec", "x").out or value is None
        assert broken({**GOOD, "architecture": "stable-diffusion-v1/lora", key: "stable-diffusion-v1"}) == []


def test_resolution():
    for value in ("1x1", "512x768", "999999999x1"):
        assert broken({**GOOD, "resolution": value}) == [], value
    for value in ("", "512", "512x", "x512", "0x512", "512x0512", "512X512", "512x512 ", "1" * 10 + "x1", "512x512x3"):
        assert broken({**GOOD, "resolution": value}) == [("error", "MS5", "resolution")], value
    lost = {**GOOD, "resolution": None}
    for architecture, level in (
        ("stable-diffusion-v1", "error"),
        ("stable-cascade-v1-stage-a", "error"),
        ("flux-1-dev", "error"),
        ("stable-diffusion-v1/lora", None),
        ("new/lora", None),
        ("new", "info"),
        ("Stable-diffusion-v1", "info"),
    ):
        expected = [] if level is None else [(level, "MS5", "resolution")]
        assert broken({**lost, "architecture": architecture}) == expected, architecture


def test_text_models():
    assert broken({**TEXT, "data_format": None}) == [("error", "MS6", "data_format")]
    assert broken({**TEXT, "data_format": ""}) == [("error", "MS6", "data_format")]
    assert broken({**TEXT, "format_type": None}) == [("info", "MS7", "format_type")]
    assert broken({**TEXT, "architecture": "new"}) == []  # data_format shows that it is one
    assert broken({**TEXT, "architecture": "new", "data_format": None}) == [("info", "MS5", "resolution")]


def test_should():
    for key in ("description", "author", "date", "hash_sha256"):
        assert broken({**GOOD, key: None}) == [("info", "MS7", key)], key


DATES = """2023 2023-07 2023-07-16 20230716 2023-197 2023197 2023-W29 2023-W29-1 2023W29 2023W291 2024-02-29 2000-02-29
2023-07-16T18 2023-07-16T18:13 2023-07-16T18:13:38 2023-07-16T18:13:38Z 20230716T181338Z 2023-07-16T18:13:38.123456
2023-07-16T18:13:38,5+02:00 2023-07-16T18:13:38-0200 2023-07-16T18:13+02 2023-07-16T24:00:00 2016-12-31T23:59:60Z
2024-366 0001-01-01""".split()
NO_DATES = """16/07/2023 2023-7-16 2023-13-01 2023-00-01 2023-02-29 1900-02-29 2023-04-31 2023-07-32 2023-07-00 202307
23-07-16 2023-366 2023-000 2023-W54 2023-W00-1 2023-W29-8 2023-W29-0 2023-07-16T 2023-07-16T25 2023-07-16T18:60
2023-07-16T18:13:61 2023-07-16T18:13:38+24:00 2023-07-16T18:13:38Z1 2023-07T18:13 2023-07-16t18:13 2023-07-16T18:13.
2023-07-16T24:01 2023-07-16+02:00 July 2023-07-16T18:13:38+02:60 2023-0716 202307-16 2023- 2023-07- x""".split()


def test_dates():
    for value in DATES:
        assert broken({**GOOD, "date": value}) == [], value
    for value in NO_DATES + ["", "2023-07-16 18:13:38", "2023-07-16\n", "2023-07-16" + " " * 200]:
        assert broken({**GOOD, "date": value}) == [("warning", "MS8", "date")], value
    assert "hyphens" not in run("modelspec", "x").out
    for hyphen in "\u2010\u2011\u2013\u2212":
        assert broken({**GOOD, "date": "2023%s07%s16T18:13:38Z" % (hyphen, hyphen)}) == [("warning", "MS8", "date")]
        assert "its hyphens are not ASCII" in run("modelspec", "x").out


def test_form_of_hashes():
    sizes = {"sha256": 64, "sha512": 128, "sha1": 40, "md5": 32, "blake3": 64}
    for key, size in (("hash_" + name, size) for name, size in sizes.items()):
        assert broken({**GOOD, key: "0x" + "0a" * (size // 2)}) == [], key
        for value in ("", "0x", "0a" * (size // 2), "0x" + "0A" * (size // 2), "0x" + "0a" * (size // 2 - 1),
                      "0x" + "0a" * (size // 2 + 1), "0X" + "0a" * (size // 2), "0x" + "0g" * (size // 2)):
            assert broken({**GOOD, key: value}) == [("error", "MS9", key)], (key, value)
    assert broken({**GOOD, "hash_new": "0xab"}) == []
    assert broken({**GOOD, "hash_new": "0xabc"}) == [("error", "MS9", "hash_new")]
    assert broken({**GOOD, "hash_": "0xab"}) == [("info", "MS17", "hash_")]
    assert broken({**GOOD, "hash_\u00e9\x1b": "x"}) == [("error", "MS9", "hash_\u00e9\x1b")]


def can_verify():
    make(GOOD)
    if "requires libcrypto" in run("modelspec", "--verify", "x").err:
        raise Skip("no libcrypto")


def verified(keys, tensors=TENSORS, content=DATA):
    model("x", tensors, prefixed(keys), content)
    found = judge("--verify")
    with open("x", "rb") as f:
        assert found["file_sha256"] == hashlib.sha256(f.read()).hexdigest()
    assert found["data_sha256"] == hashlib.sha256(content).hexdigest()
    return found["hash_of"], [finding["rule"] for finding in found["findings"]]


def test_hashes():
    can_verify()
    sha = lambda content: "0x" + hashlib.sha256(content).hexdigest()  # noqa: E731
    assert verified(GOOD) == ("data", []) and "0x" + DIGITS in run("modelspec", "--verify", "x").out
    assert verified({**GOOD, "hash_sha256": DIGITS}) == ("data", ["MS9"])  # as sshs_model_hash is written
    assert verified({**GOOD, "hash_sha256": sha(DATA).upper()}) == ("data", ["MS9"])
    assert verified({**GOOD, "hash_sha256": sha(b"abcxy")}) == ("names", ["MS10"])
    assert "in the order of their names" in run("modelspec", "--verify", "x").out
    assert verified({**GOOD, "hash_sha256": sha(b"")}) == (None, ["MS10"])
    assert "nor one by another known convention" in run("modelspec", "--verify", "x").out
    assert verified({**GOOD, "hash_sha256": ""}) == (None, ["MS9"])
    assert verified({**GOOD, "hash_sha256": None}) == (None, ["MS7"])
    swapped = [("c", tensor(2, 5)), ("b", tensor(0, 2)), ("a", tensor(5, 6))]
    assert verified({**GOOD, "hash_sha256": sha(b"abcxyz")}, swapped, b"xyabcz") == ("header", ["MS10"])
    assert "in the order of the header" in run("modelspec", "--verify", "x").out
    assert verified({**GOOD, "hash_sha256": sha(b"zxyabc")}, swapped, b"xyabcz") == ("names", ["MS10"])
    big = os.urandom(5_000_001)
    rows = [("t%d" % i, tensor(i * 5, i * 5 + 5)) for i in range(1_000_000)] + [("u", tensor(5_000_000, 5_000_001))]
    assert verified({**GOOD, "hash_sha256": sha(big)}, rows, big) == ("data", [])
    assert verified({**GOOD, "hash_sha256": sha(b"")}, [], b"") == ("data", [])


def test_what_is_not_verified():
    can_verify()
    make(GOOD)
    with open("x", "rb") as f:
        whole = f.read()
    done = subprocess.run([lib.PROGRAM, "modelspec", "--verify", "-"], input=whole, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0 and b"not verified: " in done.stdout and b"sha256 of" not in done.stdout
    write("cut", whole[:-1])
    result = run("modelspec", "--verify", "cut")
    assert result.status == 1 and len(result.lines) == 1 and "rule G3" in result.out
    program = lib.PROGRAM
    env = {**os.environ, "LD_LIBRARY_PATH": "."}
    for name in ("libcrypto.so.3", "libcrypto.so.1.1"):
        write(name, b"")
    expect(run("modelspec", "--verify", "x", env=env, program=program), 2, "", "--verify requires libcrypto of OpenSSL")
    expect(run("modelspec", "x", env=env, program=program), 0)


def test_thumbnails():
    for kind, magic in IMAGES.items():
        for more in range(4):
            assert broken({**GOOD, "thumbnail": url(kind, magic + b"x" * more)}) == [], (kind, more)
        for other in IMAGES:
            rule = [] if other == kind else [("warning", "MS11", "thumbnail")]
            assert broken({**GOOD, "thumbnail": url(other, magic + b"x")}) == rule, (kind, other)
        assert broken({**GOOD, "thumbnail": url(kind, magic[:2])}) == [("warning", "MS11", "thumbnail")]
    png = url("png", IMAGES["png"] + b"xy")
    assert png.endswith("eQ==") or png.endswith("=")
    fits = IMAGES["png"] + bytes(256_000 - 8)
    assert broken({**GOOD, "thumbnail": url("png", fits)}) == []
    for value in (
        "",
        "x",
        "data:image/png;base64,",
        "data:image/svg+xml;base64," + png[22:],
        "data:image/png," + png[22:],
        "DATA" + png[4:],
        " " + png,
        png + " ",
        png + "=",
        png.rstrip("="),
        png[:-8] + "\n" + png[-8:],
        png[:30] + "=" + png[31:],
        png[:30] + "-" + png[31:],
        png[:30] + "\u0142" + png[31:],
        png[: len(png.rstrip("=")) - 1] + "/" * 1 + "=" * (len(png) - len(png.rstrip("="))),
        url("png", fits + b"x"),
        "javascript:alert(1)",
    ):
        assert broken({**GOOD, "thumbnail": value}) == [("warning", "MS11", "thumbnail")], value[:80]
    assert "javascript" not in run("modelspec", "x").out  # the value is not printed
    make({**GOOD, "thumbnail": url("png", fits + b"x")})
    assert "larger than 256,000 bytes" in run("modelspec", "x").out


def test_values():
    for rule, key, right, wrong in (
        ("MS12", "timestep_range", ("0,499", "500,999", "7,7"),
         ("", "0", "499,0", "0,", ",1", "0, 499", "0-499", "a,b", "-1,5", "0,1,2", "0,1000000000")),
        ("MS13", "encoder_layer", ("2", "0", "999999999"), ("", "two", "-1", "2.0", " 2", "1000000000")),
        ("MS14", "is_negative_embedding", ("true", "false"), ("", "True", "1", "no", "true ")),
        ("MS15", "unet_dtype", ("bf16", "bf16,fp32", "fp16, bf16", "float8_e4m3fn"),
         ("", ",", "bf16,", ",bf16", "bf16;fp32", "F32", "bf16 fp32", "bf16,x", "bf")),
        ("MS15", "vae_dtype", ("fp32",), ("x",)),
        ("MS16", "prediction_type", ("v", "epsilon"), ("", "V", "eps", "x0", "v ")),
    ):
        for value in right:
            assert broken({**GOOD, key: value}) == [], (key, value)
        for value in wrong:
            assert broken({**GOOD, key: value}) == [("warning", rule, key)], (key, value)
    assert broken({**GOOD, "architecture": "flux-1-dev", "prediction_type": "flow"}) == []


def test_other_keys():
    for key in ("license", "usage_hint", "tags", "merged_from", "trigger_phrase", "preprocessor", "language",
                "format_template", "implementation_version"):
        assert broken({**GOOD, key: ""}) == broken({**GOOD, key: "x" * 1000}) == [], key
    for key in ("special_format", "Title", "title ", "", "title\u0301", "x" * 1000, "hash_" + "x" * 1000):
        assert broken({**GOOD, key: "x"}) == [("info", "MS17", key)], key
    for key in ("title", "hash_sha256", "license"):
        assert broken(GOOD, **{key: "x"}) == [("info", "MS18", key)], key
    for key in ("hash_md5", "titles", "format", "ss_title", "x" * 1000):
        assert broken(GOOD, **{key: "x"}) == [], key


def test_many_findings():
    make({**GOOD, **{"x%d" % i: "" for i in range(1000)}, "title": ""})
    found = judge()
    assert len(found["findings"]) == 60 and found["infos"] == 1000 and found["findings_left"] == 941
    assert found["findings"][0]["rule"] == "MS4"
    assert run("modelspec", "x").lines[-1] == "    and 941 more"


def test_hostile_text():
    """No value reaches the terminal, and none is printed as a whole."""
    for text in ("\x1b[2J", "\n::error::", "\u202e", "##[group]", 'a"\\', "\ufeff" * 200, "\U0001f600" * 5000):
        make({key: text for key in [*GOOD, "foo" + text, "hash_" + text, "thumbnail"]}, **{text: text})
        result = run("modelspec", "x")
        assert result.status == 3 and max(map(len, result.lines)) < 3000
        for line in result.lines[1:]:
            assert line.startswith("    "), line
        assert judge()["title"] == text
    text = json.dumps({"__metadata__": prefixed(GOOD), **dict(TENSORS)}).replace("title", "t\\u0069tle")
    write("x", frame(text.replace("sgm", "\\u0073gm").replace("1.0.1", "1.0.\\u0031"), DATA))
    assert judge()["findings"] == [] and judge()["title"] == "Title"


def test_cost():
    """Values of megabytes, and many keys, take linear time."""
    size = 18_000_000
    make({**{key: "1" * size for key in ("title", "date", "hash_sha256", "timestep_range")}, "thumbnail": "A" * size})
    begin = time.monotonic()
    assert judge()["errors"] > 0 and run("modelspec", "x").status == 3
    assert time.monotonic() - begin < 30
    make({**GOOD, "thumbnail": "data:image/png;base64," + "A" * size})
    assert "larger than" in run("modelspec", "x").out
    make({"k%d" % i: "" for i in range(300_000)}, **{"k%d" % i: "" for i in range(300_000)})
    begin = time.monotonic()
    assert judge()["infos"] >= 300_000
    assert time.monotonic() - begin < 30


def test_exit_status():
    make(GOOD)
    make({}, "none")
    write("bad", b"\0" * 8)
    for words, status in ((["x"], 0), (["x", "none"], 3), (["x", "none", "missing"], 2), (["x", "bad", "missing"], 1)):
        assert run("modelspec", *words).status == run("modelspec", "-q", *words).status == status, words
    result = run("modelspec", "-q", "x", "none", "bad", "missing")
    assert result.out == "" and "missing: error: " in result.err and len(result.err.splitlines()) == 1
    os.mkdir("empty")
    assert run("modelspec", "empty").status == 2
    expect(run("modelspec", "-o", "out", "x"), 0, "")
    with open("out", encoding="ascii") as f:
        assert f.read() == run("modelspec", "x").out
    expect(run("modelspec", "--policy", "x", "x"), 2, "", "unknown option")
    expect(run("modelspec", "--format", "sarif", "x"), 2, "", "--format requires one of text json jsonl")
    records = run("modelspec", "--format", "json", "x", "bad", "none").json()
    assert [record["verdict"] for record in records] == ["valid", "invalid", "refused"]
    assert [record.get("modelspec") is None for record in records] == [False, True, False]
    assert "modelspec" not in run("check", "--format", "json", "x").json()[0]


def test_models():
    """Each shard is checked, and the index has the verdict of the model."""
    can_verify()
    os.mkdir("m")
    names = ["m-00001-of-00002.safetensors", "m-00002-of-00002.safetensors"]
    for second, status, verdict in ((GOOD, 0, "valid"), ({**GOOD, "title": ""}, 3, "refused")):
        model("m/" + names[0], TENSORS, prefixed(GOOD), DATA)
        model("m/" + names[1], [("c", tensor(0, 5))], prefixed(second), DATA)
        write("m/model.safetensors.index.json",
              json.dumps({"weight_map": {"a": names[0], "b": names[0], "c": names[1]}}).encode())
        result = run("modelspec", "--verify", "--format", "jsonl", "m")
        records = result.jsonl()
        assert result.status == status and [r["verdict"] for r in records] == [verdict, "valid", verdict], records
        assert "modelspec" not in records[0]
        found = [(record["modelspec"]["title"], record["modelspec"]["hash_of"]) for record in records[1:]]
        assert found == [("Title", "data"), (second["title"], "data")], found
    os.remove("m/" + names[1])
    result = run("modelspec", "m")
    assert result.status == 1 and "rule M20" in result.out


def test_addresses():
    supported()
    make(GOOD)
    make({**GOOD, "title": "", "hash_sha256": "0x" + "0" * 64}, "y")
    files = {}
    for name in "xy":
        with open(name, "rb") as f:
            files[name + ".safetensors"] = f.read()
    with Server() as server:
        for name, content in files.items():
            server.put("/" + name, Reply(content))
        urls = [server.url("/" + name) for name in files]
        words = ["--verify"] if "requires" not in run("modelspec", "--verify", "x").err else []
        result = run("modelspec", "--format", "jsonl", *words, *urls, env=environment())
        found = [record["modelspec"] for record in result.jsonl()]
        assert result.status == 3 and [f["title"] for f in found] == ["Title", ""]
        assert [[one["rule"] for one in f["findings"]] for f in found] == [[], ["MS4"]]  # MS10 needs the data
        assert all(f["data_sha256"] is None for f in found)
        assert "not verified" in run("modelspec", *words, urls[0], env=environment()).out or not words
    with Hub({"model.safetensors": files["x.safetensors"]}) as hub:
        result = run("modelspec", "hf://o/m", env=environment(HF_ENDPOINT=hub.endpoint))
        assert result.status == 0 and 'title "Title": 0 errors' in result.out, result.out


def test_contained():
    """The hashes are computed inside the sandbox."""
    can_verify()
    make(GOOD)
    assert set(lib.layers()) <= set(run("modelspec", "--verify", "--format", "jsonl", "x").jsonl()[0]["sandbox"])


def test_all_rules_have_a_test():
    with open(os.path.join(lib.ROOT, "spec", "modelspec_rules.tsv"), encoding="ascii") as f:
        rules = [line.split("\t")[0] for line in f.read().splitlines()[1:]]
    with open(__file__, encoding="utf-8") as f:
        content = f.read()
    assert len(rules) == 18 and all('"%s"' % rule in content for rule in rules)
