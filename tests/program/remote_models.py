"""Test assay check on models at an address, and on the Hub (that of hub.py): hf://OWNER/MODEL[@REVISION][/PATH]."""

import json
import os
import random
import time
from urllib.parse import quote, unquote

import lib
import models
from hub import Hub
from lib import frame, header, run, tensor
from remote import check, environment, small, supported
from reply import Reply
from server import Server

TOKEN = "hf_abcDEFsecret0123456789"


def bytes_of(folder):
    """Return {path: content} of all files in the folder."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def serve(server, files, below="/m/", **how):
    for name, body in files.items():
        server.put(below + name, Reply(body, etag='"%s"' % abs(hash(body)), **how))


def said(records, base):
    """Return the content of the records, independent of the server."""
    keep = "verdict rule offset tensor expected found count index_offset tensors shards header_bytes file_bytes".split()
    rows = [[record["path"][len(base) :]] + [record.get(key) for key in keep] for record in records]
    assert all(record["path"].startswith(base) for record in records), records
    return sorted(rows, key=str)


def the_same(folder):
    """Check that a model on the disk and on a server gets the same result. Return the rules."""
    index = os.path.join(folder, models.INDEX)
    here = run("check", "--format", "jsonl", index)
    with Server() as server:
        serve(server, bytes_of(folder))
        url = server.url("/m/" + models.INDEX)
        records, there = check(url)
        assert said(here.jsonl(), folder + "/") == said(records, server.url("/m/")), (here.out, there.out)
        assert here.status == there.status, (here.status, there.status)
    return [one["rule"] for one in models.split(records) if one["rule"]]


def test_a_model_is_judged_as_on_the_disk():
    supported()
    shards = models.layout(6)
    one, two = sorted(shards)[:2]
    models.make("fine", shards)
    assert the_same("fine") == []
    models.make("missing", shards)
    os.remove("missing/" + one)
    assert the_same("missing") == ["M20"]
    models.make("swapped", shards)
    os.rename("swapped/" + one, "x")
    os.rename("swapped/" + two, "swapped/" + one)
    os.rename("x", "swapped/" + two)
    assert the_same("swapped") == ["M22", "M22"]
    models.make("cut", shards)
    with open("cut/" + two, "r+b") as f:
        f.truncate(os.path.getsize("cut/" + two) - 1)
    assert the_same("cut") == ["G3"]
    models.make("wrong", shards, {**models.index_of(shards), "metadata": {"total_size": 7}})
    assert len(the_same("wrong")) == 1
    for i, index in enumerate((b"{", b"", b"<html>no</html>", b'{"weight_map": {"a": "../x.safetensors"}}',
                               b'{"weight_map": {"a": "http://127.0.0.1:1/x.safetensors"}}')):
        os.makedirs("index%d" % i)
        lib.write("index%d/%s" % (i, models.INDEX), index)
        assert len(the_same("index%d" % i)) == 1


def test_names_of_shards_are_escaped():
    supported()
    names = ["a b.safetensors", "%41.safetensors", "q?x=1.safetensors", "h#f.safetensors", "\u00fc/\u4e2d.safetensors"]
    shards = {name: {"t%d" % i: 8} for i, name in enumerate(names)}
    models.make("m", shards)
    with Server() as server:
        serve(server, {models.INDEX: bytes_of("m")[models.INDEX]})
        for name in names:
            server.put("/m/" + quote(name), Reply(bytes_of("m")[name]))
        url = server.url("/m/" + models.INDEX)
        records, result = check(url + "?download=true&k=v#part")
        assert result.status == 0, result.out
        assert records[0]["path"] == url and all(one.query == "download=true&k=v" for one in server.log), server.log


def test_an_index_is_asked_for_as_it_is_named():
    """Escapes in the name of the index are kept, like those in names of files; names on the Hub have none."""
    supported()
    index = json.dumps({"weight_map": {"a": "a%20b.safetensors"}}).encode()
    with Server() as server:
        server.put_prefix("/", lambda request: Reply(index) if "index" in request.path else
                          Reply(small()) if "%25" in request.path else Reply(b"no", status=404))
        for name in ("a%20b.safetensors.index.json", "a,b+c:d@e.safetensors.index.json?x=%20#y"):
            server.clear()
            records, _ = check(server.url("/m/" + name))
            assert [record["verdict"] for record in records] == ["valid", "valid"], records
            named = name.partition("?")[0]
            single = quote(unquote(named[:-len(".index.json")]))  # what a loader can take instead of the index
            assert [one.path for one in server.log] == ["/m/" + named, "/m/" + single, "/m/a%2520b.safetensors"]
            assert all(one.query == server.log[0].query for one in server.log), server.log
        server.clear()
        check("hf://o/m/a%20b.safetensors.index.json", HF_ENDPOINT=server.url(""))
        assert server.log[0].path == "/o/m/resolve/main/a%2520b.safetensors.index.json", server.log[0].path


def test_a_hundred_shards():
    """Less than 1.2 times the header bytes and 64 KiB for each shard."""
    supported()
    for each, seed in ((3, 1), (600, 2), (1500, 3)):
        rng = random.Random(seed)
        shards = {models.name_of(k, 100): {"model.layers.%d.part%d" % (k, i): rng.randrange(1, 9) << 20
                                           for i in range(each)} for k in range(1, 101)}
        heads = 0
        with Server() as server:
            for path, tensors in shards.items():
                at, rows = 0, []
                for name, size in tensors.items():
                    rows.append((name, tensor(at, at + size)))
                    at += size
                head = frame(header(rows))
                heads += len(head)
                server.put("/m/" + path, Reply(head, size=len(head) + at, etag='"%s"' % path))
            index = json.dumps(models.index_of(shards)).encode()
            server.put("/m/" + models.INDEX, Reply(index))
            start = time.monotonic()
            records, result = check(server.url("/m/" + models.INDEX), jobs=8)
            seconds = time.monotonic() - start
            assert result.status == 0 and len(records) == 101, result.out[-500:]
            moved = server.sent - sum(one.sent for one in server.asked("/m/" + models.INDEX))
            bound = 1.2 * heads + 65536 * 100
            print("    %7d header bytes in 100 shards: %8d moved (bound %8d), %d requests, %d connections, %.1f s" % (
                heads, moved, bound, len(server.log), server.most, seconds))
            assert moved < bound and server.most <= 8 and len(server.log) <= 203
            fetched = sum(record["fetched"]["bytes"] for record in records)
            assert fetched <= server.sent < fetched + 203 * 512, (fetched, server.sent)


def test_a_model_with_troubles():
    """A shard whose server is busy, cut or denied gets its own record; the others are judged nevertheless."""
    supported()
    shards = models.layout(6)
    models.make("m", shards)
    files, names = bytes_of("m"), sorted(shards)
    with Server() as server:
        serve(server, files)
        fine = [Reply(files[name], etag='"1"') for name in names]
        server.put("/m/" + names[0], Reply(status=503), Reply(close=True), fine[0])
        server.put("/m/" + names[1], fine[1].with_(cut=9), fine[1])
        server.put("/m/" + names[2], Reply(b"no", status=403))
        server.put("/m/" + names[3], Reply(b"<html>no</html>", status=200))
        records, result = check(server.url("/m/" + models.INDEX))
        verdicts = {record["path"].rpartition("/")[2]: record["verdict"] for record in records}
        assert [verdicts[name] for name in names] == "valid valid error invalid valid valid".split(), verdicts
        assert result.status == 1
        result = run("check", "--summary", server.url("/m/" + models.INDEX), env=environment())
        assert "bytes fetched in" in result.out, result.out


def test_an_index_is_bounded():
    supported()
    with Server() as server:
        server.put("/" + models.INDEX, Reply(b"{", size=100000001))
        record = check(server.url("/" + models.INDEX))[0][0]
        assert "larger than 100 MB" in record["message"] and record["fetched"]["bytes"] < 65536, record


# ---- The Hub

def hub_of(**how):
    shards = models.layout(4)
    models.make("m", shards)
    return Hub({**bytes_of("m"), "config.json": b"{}", "unet/x y.safetensors": small()}, **how)


def no_token(*servers):
    for server in servers:
        for request in server.log:
            assert "authorization" not in request.headers, request.target


def test_the_hub():
    supported()
    with hub_of() as hub:
        env = {"HF_ENDPOINT": hub.endpoint + "/"}
        for address in ("hf://o/m", "hf://o/m/", "hf://o/m@main", "hf://o/m@main/" + models.INDEX, "HF://o/m"):
            records, result = check(address, **env)
            assert result.status == 0 and len(records) == 5, (address, result.out)
            assert records[0]["path"].endswith(models.INDEX) and records[0]["path"].lower().startswith("hf://o/m")
        record = check("hf://o/m/unet/x y.safetensors", **env)[0][0]
        assert record["verdict"] == "valid" and record["path"] == "hf://o/m/unet/x y.safetensors", record
        no_token(hub.server, hub.cdn)
        for address, words in (
            ("hf://o/m@v2", "no such branch, tag or commit"),
            ("hf://o/m@v2/x.safetensors", "no such branch, tag or commit"),
            ("hf://o/m/x.safetensors", "no such file"),
            ("hf://o/other/x.safetensors", "set HF_TOKEN"),
            ("hf://o/other", "set HF_TOKEN"),
        ):
            record = check(address, **env)[0][0]
            assert record["verdict"] == "error" and words in record["message"], (address, record)
        hub.server.clear()
        records, result = check("hf://o/m", **env)
        assert all(hub.commit in one.path for one in hub.server.log if "-of-" in one.path), "the index's commit"
        pushed = {"weight_map": {"new": "new.safetensors"}}
        hub.files[models.INDEX] = json.dumps(pushed).encode()
        hub.files["new.safetensors"] = frame(header([("new", tensor(0, 0))]))
        hub.commit = "f" * 40
        records, result = check("hf://o/m", **env)
        paths = [record["path"] for record in records]
        assert paths == ["hf://o/m/" + models.INDEX, "hf://o/m/new.safetensors"], paths
    with Hub({"model.safetensors": small()}, revision="refs/pr/1") as hub:
        for address in ("hf://o/m@refs/pr/1", "hf://o/m@refs%2Fpr%2F1", "hf://o/m@refs/pr/1/model.safetensors"):
            records, result = check(address, HF_ENDPOINT=hub.endpoint)
            assert len(records) == 1 and records[0]["verdict"] == "valid", (address, result.out)
            assert records[0]["path"].endswith("/model.safetensors")
            assert all("/refs%2Fpr%2F1/" in one.target for one in hub.server.log), hub.server.log


def token_ways():
    """Yield the sources of a token: variables and files."""
    for path in ("t", "home/token", ".cache/huggingface/token", "xdg/huggingface/token"):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        lib.write(path, (TOKEN + "\n").encode())
    here = os.getcwd()
    yield {"HF_TOKEN": TOKEN}
    yield {"HF_TOKEN": " %s\n" % TOKEN, "HF_TOKEN_PATH": "none"}
    yield {"HUGGING_FACE_HUB_TOKEN": TOKEN}
    yield {"HF_TOKEN_PATH": "t", "HF_HOME": "none"}
    yield {"HF_HOME": here + "/home", "HOME": "none"}
    yield {"XDG_CACHE_HOME": here + "/xdg", "HOME": "none"}
    yield {"HF_TOKEN": ""}


def test_tokens():
    """The token is sent only to the Hub: not to its CDN, not to others, and it is not printed."""
    supported()
    with hub_of(token=TOKEN) as hub, Server() as other:
        address, plain = "hf://o/m", hub.endpoint + "/o/m/resolve/main/" + models.INDEX
        for env in token_ways():
            for one in (address, plain):
                hub.server.clear()
                records, result = check(one, HF_ENDPOINT=hub.endpoint, **env)
                assert result.status == 0 and len(records) == 5, (env, result.out)
                assert TOKEN not in result.out + result.err
                assert all(request.headers["authorization"] == "Bearer " + TOKEN for request in hub.server.log)
        assert len(hub.cdn.log) > 0
        other.put_prefix("/", Reply(small()))
        other.put("/to", Reply(b"", status=302, headers=[("Location", plain)]))
        hub.server.clear()
        env = {"HF_TOKEN": TOKEN, "HF_ENDPOINT": hub.endpoint}
        check(other.url("/x"), other.url("/x", host="localhost"), other.url("/to"), **env)
        assert check(plain.replace("127.0.0.1", "localhost"), **env)[0][0]["verdict"] == "error"
        no_token(hub.cdn, other, hub.server)
        hub.server.clear()
        for env in ({}, {"HF_TOKEN": "wrong"}, {"HF_TOKEN": TOKEN, "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1"}):
            if env == {}:
                os.remove(".cache/huggingface/token")
            record = check(address, HF_ENDPOINT=hub.endpoint, **env)[0][0]
            assert record["verdict"] == "error", record
            assert ("HF_TOKEN" in record["message"]) == (env != {"HF_TOKEN": "wrong"}), record
    with hub_of(token=TOKEN, gated=True) as hub:
        for env, words in (({}, "then set HF_TOKEN"), ({"HF_TOKEN": "wrong"}, "with the account of the token")):
            message = check("hf://o/m", HF_ENDPOINT=hub.endpoint, **env)[0][0]["message"]
            assert "the repository is gated" in message and words in message, message


def broken_tokens():
    """Yield tokens that can't be sent, their source, and what is wrong with them."""
    byte, length = "a space, a control character or one that is not ASCII (%s)", "more than 511 bytes (%s)"
    for ill in ("\r\nX-More: y", "\n", "\t", " ", "\x01", "\x1b[31m", "\x7f", "\u00e9", "\u202e"):
        yield {"HF_TOKEN": TOKEN + ill + "z"}, byte % "HF_TOKEN"
    yield {"HF_TOKEN": "\u00e9" + TOKEN}, byte % "HF_TOKEN"
    yield {"HF_TOKEN": TOKEN + "x" * (512 - len(TOKEN))}, length % "HF_TOKEN"
    yield {"HF_TOKEN": TOKEN + "x" * 100000}, length % "HF_TOKEN"
    yield {"HUGGING_FACE_HUB_TOKEN": TOKEN + " z"}, byte % "HUGGING_FACE_HUB_TOKEN"
    for i, (body, words) in enumerate(((TOKEN.encode() + b"\0z", byte), (TOKEN.encode() + b"\xff", byte),
                                       (TOKEN.encode() * 40, length), (TOKEN.encode() + b" " * 1100, length))):
        lib.write("broken%d" % i, body)
        yield {"HF_TOKEN_PATH": "broken%d" % i}, words % "the file that HF_TOKEN_PATH names"
    for folder, name, source in (("home", "HF_HOME", "the file token in HF_HOME"),
                                 ("xdg/huggingface", "XDG_CACHE_HOME", "the file huggingface/token in XDG_CACHE_HOME"),
                                 (".cache/huggingface", "", "the file ~/.cache/huggingface/token")):
        os.makedirs(folder, exist_ok=True)
        lib.write(folder + "/token", (TOKEN + "\nz").encode())
        yield {name: os.getcwd() + "/" + folder.partition("/")[0]} if name else {}, byte % source


def test_a_token_that_can_not_be_sent():
    """An error only for files of the Hub; nothing is sent, and the token is in no message."""
    supported()
    with hub_of() as hub, Server() as other:
        other.put_prefix("/", Reply(small()))
        for env, words in broken_tokens():
            env["HF_ENDPOINT"] = hub.endpoint
            addresses = "hf://o/m", "hf://o/m/unet/x y.safetensors", hub.endpoint + "/o/m/resolve/main/x"
            for form in ("jsonl", "text", "sarif"):
                result = run("check", "--format", form, *addresses, env=environment(**env))
                assert result.status == 2 and result.out.count(words) == 3, (env, result.out)
                assert "abcDEFsecret" not in result.out + result.err, result.out
            assert check(other.url("/x"), **env)[0][0]["verdict"] == "valid", env
            assert hub.server.log == [] and hub.cdn.log == [], env
            assert "HF_HUB_DISABLE_IMPLICIT_TOKEN=1" in result.out
            assert check("hf://o/m", HF_HUB_DISABLE_IMPLICIT_TOKEN="1", **env)[1].status == 0, env
            hub.server.clear()
            hub.cdn.clear()
        no_token(other)
        assert check("hf://o/m", HF_ENDPOINT=hub.endpoint, HF_TOKEN="x" * 511)[1].status == 0, "as long as it may be"
        assert hub.server.log[0].headers["authorization"] == "Bearer " + "x" * 511


def test_why_the_hub_refuses():
    """The reason is printed in our own words, with and without a token; only the Hub is believed, and its words
    are not repeated."""
    supported()
    said = {
        "RepoNotFound": ("no such repository, or it is private", "no such repository, or the token may not read it"),
        "RevisionNotFound": ("no such branch, tag or commit", "check what follows @"),
        "EntryNotFound": ("no such file on the server", "no such file on the server"),
        "GatedRepo": ("is gated", "with the account of the token"),
        "DisabledRepo": ("has disabled the repository", "has disabled the repository"),
        "\x1b[31mRepoNotFound": ("denies access", "denies access"),
        "SecretReason": ("denies access", "denies access"),
    }
    messages = {"Access to this resource is disabled.": ("has disabled the repository",) * 2,
                "Invalid credentials in Authorization header": ("set HF_TOKEN", "the Hub rejects the token"),
                "Wholly new reason": ("denies access", "denies access")}
    rows = [([("X-Error-Code", code), ("X-Error-Message", "reason")], words) for code, words in said.items()]
    rows += [([("X-Error-Message", message)], words) for message, words in messages.items()]
    rows += [([("X-Error-Message", "Access to this resource is disabled."), ("x-error-code", " gatedrepo ")],
              said["GatedRepo"]),
             ([("X-Error-Code", "GatedRepo"), ("X-Error-Message", "Access to this resource is disabled.")],
              said["GatedRepo"])]
    with Server() as hub, Server() as other:
        for at, (fields, words) in enumerate(rows):
            for server in (hub, other):
                server.put("/o/m/resolve/main/%d" % at, Reply(b"no", status=403, headers=fields))
            for token, expected in zip(("", TOKEN), words):
                record = check("hf://o/m/%d" % at, HF_ENDPOINT=hub.url(""), HF_TOKEN=token)[0][0]
                assert expected in record["message"] and "(status 40" in record["message"], (fields, record)
                assert "eason" not in record["message"], record
                record = check(other.url("/o/m/resolve/main/%d" % at), HF_ENDPOINT=hub.url(""), HF_TOKEN=token)[0][0]
                assert record["message"] == "the server denies access to the file (status 403)", record
        hub.put("/o/m/resolve/main/busy", Reply(b"no", status=503, headers=[("X-Error-Code", "GatedRepo")]))
        assert "busy" in check("hf://o/m/busy", HF_ENDPOINT=hub.url(""))[0][0]["message"]


def test_the_token_stays_in_one_process():
    """The token is not in the memory of the workers, which read untrusted bytes: their variables are wiped."""
    supported()
    from remote_process import ended, speaks, start_check, wait_until_asked

    with Server() as server:
        server.put("/slow", Reply(small(), silent=True))
        program = start_check("-j", "2", server.url("/slow"), server.url("/slow"), HF_TOKEN=TOKEN)
        seen = []
        with ended(program):
            wait_until_asked(server, 2, program)
            for pid in lib.children(program.pid):
                with open("/proc/%d/environ" % pid, "rb") as f:
                    seen.append((speaks(pid), TOKEN.encode() in f.read()))
        assert sorted(seen) == [(False, False), (False, False), (True, True)], seen
