"""Models at addresses: an imitation of the Hub, and a server that misbehaves, both of the program's tests (SERVERS)."""
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import assay
from assay import _http, _url
from conftest import header_of

sys.path.insert(0, os.environ.get("SERVERS", ""))
try:
    from hub import Hub
    from reply import Reply, redirect
    from server import Server
except ImportError:
    pytest.skip("SERVERS is not set: the folder with hub.py, reply.py and server.py", allow_module_level=True)

ONE, TWO = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
SINGLE, INDEX = "model.safetensors", "model.safetensors.index.json"
ZIP = b"data" + b"PK\5\6" + bytes(18)


def body(*names, data=None):
    data = bytes(len(names)) if data is None else data
    each = len(data) // len(names)
    return header_of([(name, "U8", [each], k * each, (k + 1) * each) for k, name in enumerate(names)]) + data


def index_of(shards, **more):
    return json.dumps({"weight_map": {name: shard for shard, names in shards.items() for name in names}, **more}).encode()


def model(shards=None, **more):
    """Return the files of a model: {shard: [tensor]}."""
    shards = {ONE: ["a", "b"], TWO: ["c"]} if shards is None else shards
    return {INDEX: index_of(shards, **more), **{shard: body(*names) for shard, names in shards.items()}}


@pytest.fixture(autouse=True)
def settings(monkeypatch, tmp_path):
    """No settings of the user for the Hub."""
    for name in list(os.environ):
        if name.upper().startswith(("HF_", "HUGGING", "XDG_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return monkeypatch


@pytest.fixture
def hub_of(settings):
    hubs = []

    def start(files, **how):
        hubs.append(Hub(files, **how).__enter__())
        settings.setenv("HF_ENDPOINT", hubs[-1].endpoint)
        return hubs[-1]
    yield start
    for one in hubs:
        one.__exit__(None, None, None)


@pytest.fixture
def server():
    with Server() as one:
        yield one


def found(report):
    return [finding.rule for finding in report.findings]


def same_as_program(url, report):
    """Compare with what the program says of the same address."""
    program = os.environ.get("PROGRAM")
    if not program or b"built without libcurl" in subprocess.run([program, "--version"], stdout=subprocess.PIPE,
                                                                 check=True).stdout:
        return
    lines = subprocess.run([program, "check", "--allow-private", "--format", "jsonl", url], stdout=subprocess.PIPE,
                           check=False).stdout.splitlines()
    theirs = {record["path"]: record for record in map(json.loads, lines)}
    words = {assay.Verdict.VALID: "valid", assay.Verdict.INVALID: "invalid", assay.Verdict.NOT_JUDGED: "error"}
    ours = {one.path: words[one.verdict] for one in report.indexes + report.files}
    wrong = {finding.path for finding in report.findings if finding.severity == "error"}
    assert {path: record["verdict"] for path, record in theirs.items()} == {
        **ours, **{path: "invalid" for path in wrong}}, (lines, str(report))
    rules = {finding["rule"] for record in theirs.values() for finding in [*record["findings"], record]}
    assert {rule for rule in rules if rule and rule[0] == "M"} == set(found(report))


def test_a_model_of_the_hub(hub_of):
    hub = hub_of(model())
    report = assay.check_model_url("hf://o/m")
    assert report.require() is report and report.path == "hf://o/m/" + INDEX and "3 tensors in 2 shards" in str(report)
    assert [one.path for one in report.files] == ["hf://o/m/" + ONE, "hf://o/m/" + TWO] and not report.findings
    assert report.commit == hub.commit
    same_as_program("hf://o/m", report)
    for address in ("hf://o/m/", "hf://o/m@main", "HF://o/m/" + INDEX, "hf://o/m@%s/%s" % (hub.commit, INDEX)):
        assert assay.check_model_url(address).valid, address


def test_all_files_are_of_one_commit(hub_of):
    """Whatever is pushed to the branch meanwhile."""
    hub = hub_of(model())
    for address in ("hf://o/m", "hf://o/m@main/" + INDEX):
        hub.server.clear()
        assert assay.check_model_url(address).valid
        resolved = [one.path for one in hub.server.log if "/resolve/" in one.path]
        assert resolved[0] == "/o/m/resolve/main/" + INDEX and len(resolved) == 4, resolved
        assert all(path.startswith("/o/m/resolve/%s/" % hub.commit) for path in resolved[1:])


@pytest.mark.parametrize("change, rules", [
    ({TWO: None}, ["M20"]), ({TWO: body("c", "d")}, ["M24"]), ({TWO: b"<html>"}, []), ({ONE: body("c"), TWO: body("a", "b")},
                                                                                        ["M22", "M22"]),
    ({SINGLE: body("a", "b", "c")}, ["M30"]), ({SINGLE: body("a", "x")}, ["M29"]), ({SINGLE: b""}, []),
    ({INDEX: b"{}"}, ["M16"]), ({INDEX: b"{}", SINGLE: body("a")}, ["M16"]), ({INDEX: index_of({"../x": "a"})}, ["M17"]),
])
def test_contradictions(hub_of, change, rules):
    files = {**model(), **change}
    hub_of({name: data for name, data in files.items() if data is not None})
    report = assay.check_model_url("hf://o/m")
    assert found(report) == rules and report.invalid == (rules != ["M30"]), str(report)
    same_as_program("hf://o/m", report)


def test_a_model_in_one_file(hub_of):
    hub = hub_of({SINGLE: body("a")})
    report = assay.check_model_url("hf://o/m")
    assert report.valid and report.path == "hf://o/m/" + SINGLE and len(report.files) == 1
    same_as_program("hf://o/m", report)
    assert assay.check_model_url("hf://o/m/" + SINGLE).valid
    hub.files[SINGLE] = body("a", "a")
    assert assay.check_model_url("hf://o/m").files[0].rule == "G2"
    del hub.files[SINGLE]
    report = assay.check_model_url("hf://o/m")
    assert report.verdict is assay.Verdict.NOT_JUDGED and "has neither" in report.message
    for name in (SINGLE, INDEX):
        report = assay.check_model_url("hf://o/m/" + name)
        assert report.verdict is assay.Verdict.NOT_JUDGED and "there is no such file" in str(report)


def test_what_the_hub_refuses(hub_of):
    for how, address, token, says in (
            ({}, "hf://o/none", None, "no such repository, or it is private"),
            ({"token": "secret"}, "hf://o/m", None, "it is private: check OWNER/MODEL; if it is private, set HF_TOKEN"),
            ({"token": "secret"}, "hf://o/m", "other", "the token may not read it"),
            ({"token": "secret", "gated": True}, "hf://o/m", None, "is gated: accept its terms"),
            ({"token": "secret", "gated": True}, "hf://o/m", "other", "is gated, and the token may not"),
            ({}, "hf://o/m@v9", None, "no such branch, tag or commit")):
        hub_of(model(), **how)
        for report in (assay.check_model_url(address, token=token), assay.check_url(address + "/" + ONE, token=token)):
            assert report.verdict is assay.Verdict.NOT_JUDGED and says in str(report), (how, str(report))
            assert "secret" not in str(report) and "other" not in str(report)


def test_the_token(hub_of, settings, tmp_path):
    """It goes to the Hub alone, from wherever the Hugging Face tools take it."""
    hub = hub_of(model(), token="secret")

    def valid(**how):
        return assay.check_model_url("hf://o/m", **how).valid
    assert not valid() and valid(token="secret")
    assert hub.cdn.log and all("authorization" not in one.headers for one in hub.cdn.log)
    (tmp_path / ".cache" / "huggingface").mkdir(parents=True)
    (tmp_path / ".cache" / "huggingface" / "token").write_text("secret\n")
    (tmp_path / "token").write_text(" secret ")
    assert valid() and valid(token=True) and not valid(token=False)
    os.mkfifo(tmp_path / "pipe")
    with settings.context() as one:
        one.setenv("HF_TOKEN_PATH", str(tmp_path / "pipe"))
        assert not valid()
    settings.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    assert not valid()
    settings.delenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")
    settings.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    assert not valid()
    settings.setenv("HF_HOME", str(tmp_path))
    assert valid()
    settings.setenv("HF_HOME", "~")
    assert valid()
    settings.setenv("HF_TOKEN_PATH", str(tmp_path / "none"))
    assert not valid()
    settings.setenv("HF_TOKEN", "secret")
    assert valid()
    hub.cdn.clear()
    assert valid() and all("authorization" not in one.headers for one in hub.cdn.log)
    for bad in ("a b", "a\nb", "\u00e9", "x" * 512):
        report = assay.check_url("hf://o/m/" + ONE, token=bad)
        assert "can't be sent" in report.message and bad not in str(report)


def test_no_other_server_gets_the_token(hub_of, server, settings):
    hub = hub_of(model())
    settings.setenv("HF_TOKEN", "secret")
    server.put("/x", Reply(body("a")))
    assert assay.check_url(server.url("/x")).valid
    hub.instead[ONE] = redirect(server.url("/x"))
    assert assay.check_url("hf://o/m/" + ONE).valid
    assert len(server.log) == 2 and all("authorization" not in one.headers for one in server.log)
    hub.instead[ONE] = redirect("/o/m/resolve/main/" + TWO)  # a repository that was renamed
    hub.server.clear()
    assert assay.check_url("hf://o/m/" + ONE).valid
    assert [one.headers.get("authorization") for one in hub.server.log] == ["Bearer secret"] * 2
    server.put("/back", redirect(hub.server.url("/o/m/resolve/main/" + TWO)))
    hub.instead[ONE] = redirect(server.url("/back"))
    for address in ("hf://o/m/" + ONE, server.url("/back")):  # whoever redirects to the Hub has no right to the user's files
        hub.server.clear()
        assert assay.check_url(address).valid
        assert "authorization" not in hub.server.log[-1].headers and "authorization" not in server.log[-1].headers


@pytest.mark.parametrize("endpoint", ["huggingface.co", "ftp://x", "https://", "https://x?y", "https://x:abc"])
def test_an_endpoint_that_is_none(settings, server, endpoint):
    settings.setenv("HF_ENDPOINT", endpoint)
    assert assay.check_model_url("hf://o/m").verdict is assay.Verdict.NOT_JUDGED
    server.put("/x", Reply(body("a")))
    assert assay.check_url(server.url("/x")).valid


def test_an_index_on_a_server(server):
    files = {**model({"a b-1.safetensors": ["a"], "d/x%.safetensors": ["b"]})}
    server.put("/m/" + INDEX, Reply(files[INDEX]))
    server.put("/m/a%20b-1.safetensors", Reply(files["a b-1.safetensors"]))
    server.put("/m/d/x%25.safetensors", Reply(files["d/x%.safetensors"]))
    url = server.url("/m/" + INDEX)
    report = assay.check_model_url(url + "?key=1#part")
    assert report.valid and [one.path for one in report.files] == [
        server.url("/m/a b-1.safetensors"), server.url("/m/d/x%.safetensors")], str(report)
    assert all(one.query == "key=1" for one in server.log) and len(server.log) == 4
    same_as_program(url, assay.check_model_url(url))
    server.put("/m/" + SINGLE, Reply(b"no", status=403))
    report = assay.check_model_url(url)
    assert report.verdict is assay.Verdict.NOT_JUDGED and "status 403" in str(report)
    same_as_program(url, report)
    server.put("/m/" + SINGLE, Reply(body("a", "b")))
    assert found(assay.check_model_url(url)) == ["M30"]
    server.put("/m/a%20b-1.safetensors", Reply(b"no", status=404))
    report = assay.check_model_url(url)
    assert "M20" in found(report) and report.invalid
    same_as_program(url, report)


def test_addresses_are_taken_as_they_are(server):
    good, bad = Reply(body("a")), Reply(b"no")
    for path, other in (("/a%2Fm.safetensors", "/a/m.safetensors"), ("/m+1.safetensors", "/m%2B1.safetensors"),
                        ("/%FF.safetensors", "/%EF%BF%BD.safetensors"), ("/dir/", "/dir/model.safetensors")):
        server.put(path, bad)
        server.put(other, good)
        assert assay.check_model_url(server.url(path)).invalid and assay.check_url(server.url(path)).invalid, path
    server.put("/d/a%2Bb.safetensors.index.json", Reply(index_of({"s.safetensors": ["a"]})))
    server.put("/d/s.safetensors", good)
    server.put("/d/a%2Bb.safetensors", good)
    assert found(assay.check_model_url(server.url("/d/a%2Bb.safetensors.index.json"))) == ["M30"]
    report = assay.check_url(server.url("/dir/").replace("127.0.0.1", "user:secret@127.0.0.1"))
    assert "user name or password is refused" in report.message


def test_a_folder_of_a_revision(hub_of):
    """A name of the index can't become a part of the revision."""
    hub = hub_of({INDEX: index_of({"pr/7/x.safetensors": ["a"]}), "x.safetensors": body("a"),
                  "pr/7/x.safetensors": body("a")}, revision="refs")
    assert assay.check_model_url("hf://o/m@refs/" + INDEX).valid
    assert [one.path for one in hub.server.log if "x.safetensors" in one.path] == [
        "/o/m/resolve/%s/pr/7/x.safetensors" % hub.commit]


def test_a_file_that_vanishes(server):
    """What was there for the first request is not missing, whatever the server says later."""
    large = header_of([("tensor.number.%d" % k, "U8", [1], k, k + 1) for k in range(2000)]) + bytes(200000)
    server.put("/" + INDEX, Reply(index_of({"x.safetensors": ["tensor.number.%d" % k for k in range(2000)]})))
    server.put_prefix("/x", lambda request: Reply(b"no", status=404) if request.range[0] > 0 else Reply(large, etag='"1"'))
    report = assay.check_model_url(server.url("/" + INDEX))
    assert report.verdict is assay.Verdict.NOT_JUDGED and not report.findings and "changed between" in str(report)


def test_a_problem_of_the_machine_is_no_missing_file(hub_of, settings):
    hub_of(model())
    settings.setattr(_http, "_guarded", lambda *_: absent("keys"))  # a context of TLS, for example
    report = assay.check_model_url("hf://o/m")
    assert report.verdict is assay.Verdict.NOT_JUDGED and "keys" in str(report)


def test_what_a_server_may_cost(server, settings):
    """The body of a redirection is not read; long texts are cut; bytes of answers that fail are counted."""
    server.put("/x", redirect(server.url("/y"), size=60_000_000))
    server.put("/y", Reply(body("a")))
    assert assay.check_url(server.url("/x")).valid and server.sent < 30_000_000
    server.put("/loop", redirect(server.url("/loop"), status=308))
    assert "redirects more than 10 times" in assay.check_url(server.url("/loop")).message
    name = "\x7f" * 1_000_000
    server.put("/name", Reply(body(name, name)))
    report = assay.check_url(server.url("/name"))
    assert report.rule == "G2" and report.tensor == name and len(report.message) < 10_000
    shards = {"s-%05d-of-00040.safetensors" % k: ["t%d" % k] for k in range(1, 41)}
    server.put("/" + INDEX, Reply(index_of(shards)))
    server.put_prefix("/s-", lambda request: Reply(bytes(60000), size=70000, cut=60000, etag='"1"'))
    settings.setattr(_url, "MODEL_MOST", 500_000)
    before = server.sent
    report = assay.check_model_url(server.url("/" + INDEX))
    assert report.verdict is assay.Verdict.NOT_JUDGED and server.sent - before < 1_500_000
    assert len(report.files) == 40


def test_all_redirections_have_one_time(server, settings):
    settings.setattr(_http, "WAITS", 2)
    server.put_prefix("/", lambda request: redirect(request.path + "x", head_pace=0.004))
    began = time.monotonic()
    report = assay.check_url(server.url("/"), timeout=0.4)
    assert "took more than 0.8 seconds" in str(report) and time.monotonic() - began < 3


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_the_program_can_be_stopped(server):
    server.put("/" + INDEX, Reply(index_of({"x.safetensors": ["a"], "y.safetensors": ["b"]})))
    server.put_prefix("/", lambda request: Reply(body("a"), silent=60) if "x" in request.path[1:2] + request.path[-13:-12]
                      else Reply(b"no", status=404))
    program = subprocess.Popen([sys.executable, "-m", "assay", "check", server.url("/" + INDEX)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 20
    while not any("x.safetensors" in one.path for one in server.log) and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.2)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=10)
    assert program.returncode != 0


def test_limits(server, settings, hub_of):
    hub_of(model())
    report = assay.check_model_url("hf://o/m", limits=assay.Limits(tensors=1))
    assert report.verdict is assay.Verdict.NOT_JUDGED and [one.rule for one in report.files] == ["N6", None]
    settings.setattr(_url, "INDEX_MOST", 50)
    assert "larger than 100 MB" in str(assay.check_model_url("hf://o/m"))
    settings.setattr(_url, "INDEX_MOST", 1000)
    for name, most in (("MODEL_MOST", 10), ("MODEL_SECONDS", -1)):
        with settings.context() as one:
            one.setattr(_url, name, most)
            report = assay.check_model_url("hf://o/m")
            assert report.verdict is assay.Verdict.NOT_JUDGED and "more than 4 GB or an hour" in str(report)


def test_many_shards(server):
    """Eight files at a time, each once."""
    shards = {"s-%05d-of-00040.safetensors" % k: ["t%d" % k] for k in range(1, 41)}
    for name, data in model(shards).items():
        server.put("/" + name, Reply(data, silent=0.02))
    report = assay.check_model_url(server.url("/" + INDEX))
    assert report.valid and [one.path for one in report.files] == [server.url("/" + name) for name in sorted(shards)]
    assert len(server.log) == 42 and 2 <= server.most <= 8, (len(server.log), server.most)


def test_no_more_threads(settings):
    files = model()

    def start(_):
        raise RuntimeError("can't start new thread")

    def fetch(url, begin, end):
        data = files.get(url[len("s3://x/"):]) or absent(url)
        return data[begin:end], len(data), "1"
    settings.setattr(threading.Thread, "start", start)
    assert assay.check_model_url("s3://x/" + INDEX, fetch=fetch).valid


def absent(*what):
    raise FileNotFoundError(*what)


def test_an_address_without_its_family(server, settings):
    """A machine without IPv6 takes the next address of a name."""
    found = [(12345, socket.SOCK_STREAM, 0, "", ("::1", 1, 0, 0)),
             (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", server.port))]
    settings.setattr(_http.socket, "getaddrinfo", lambda *_: found)
    server.put("/x", Reply(body("a")))
    assert assay.check_url(server.url("/x")).valid


@pytest.mark.parametrize("line", ["sys.modules['_ssl'] = None", "os.environ['SSLKEYLOGFILE'] = '/no/such/dir/keys'"])
def test_import_without_tls(line):
    """Who fetches nothing needs no TLS."""
    subprocess.run([sys.executable, "-c", "import os, sys\n%s\nimport assay\nreport = assay.check_url('https://127.0.0.1:1/')\n"
                    "assert report.verdict is assay.Verdict.NOT_JUDGED" % line], check=True)


def test_a_fetch_of_the_caller():
    files, asked = model(), []

    def fetch(url, begin, end):
        asked.append((url, threading.current_thread()))
        base, _, name = url.rpartition("/")
        if base != "s3://bucket" or name not in files:
            raise FileNotFoundError(url)
        return files[name][begin:end], len(files[name]), "1"
    report = assay.check_model_url("s3://bucket/" + INDEX, fetch=fetch)
    assert report.valid and {url for url, _ in asked} == {"s3://bucket/" + name for name in [*files, SINGLE]}
    del files[TWO]
    assert found(assay.check_model_url("s3://bucket/" + INDEX, fetch=fetch)) == ["M20"]
    files = model({"a b+c#1.safetensors": ["a"]})
    assert assay.check_model_url("s3://bucket/" + INDEX, fetch=fetch).valid  # names as they are
    assert "fetch=" in str(assay.check_model_url("s3://bucket/" + INDEX))
    with pytest.raises(ZeroDivisionError):  # an error of the caller's code is the caller's
        assay.check_model_url("s3://bucket/" + INDEX, fetch=lambda *_: 1 / 0)


def test_a_file_that_changes(server):
    """A header of two versions is not judged."""
    large = header_of([("tensor.number.%d" % k, "U8", [1], k, k + 1) for k in range(2000)]) + bytes(2000)
    server.put("/m/" + INDEX, Reply(index_of({"x.safetensors": ["tensor.number.%d" % k for k in range(2000)]})))
    server.put("/m/x.safetensors", Reply(large, etag='"1"'))
    assert assay.check_model_url(server.url("/m/" + INDEX)).valid
    server.put_prefix("/m/x", lambda request: Reply(large, etag='"%s"' % request.headers["range"]))
    server.answers.pop("/m/x.safetensors")
    report = assay.check_model_url(server.url("/m/" + INDEX))
    assert report.verdict is assay.Verdict.NOT_JUDGED and "changed between two requests" in str(report)


@pytest.mark.parametrize("etag, begins", [(None, [0, 0]), ('W/"1"', [0, 0]), ("1", [0, 0]), ('"1"', [0, _url.FIRST])])
def test_a_file_without_a_version(server, etag, begins):
    """A header that does not come with the first request comes whole with the second: parts could be of two versions."""
    large = header_of([("tensor.number.%d" % k, "U8", [1], k, k + 1) for k in range(2000)]) + bytes(2000)
    server.put("/x", Reply(large, etag=etag))
    assert assay.check_url(server.url("/x")).valid and [one.range[0] for one in server.log] == begins


def test_notes(hub_of):
    hub = hub_of({**model(), TWO: body("c", data=ZIP)})
    report = assay.check_model_url("hf://o/m", notes=True)
    assert report.valid and [[note.rule for note in one.notes] for one in report.files] == [[], ["A6"]]
    assert [note.rule for note in assay.check_url("hf://o/m/" + TWO, notes=True).notes] == ["A6"]
    assert assay.check_url("hf://o/m/" + TWO).notes is None
    assert hub.server.log


def test_a_local_path_is_no_address(tmp_path):
    assert "check_model_url()" in str(assay.check_model("hf://o/m"))
    assert "check_url()" in str(assay.check("https://example.org/x"))


def test_the_program(hub_of):
    def run(*args):
        done = subprocess.run([sys.executable, "-m", "assay", "check", *args], stdout=subprocess.PIPE,
                              universal_newlines=True)
        return done.returncode, done.stdout
    hub = hub_of(model())
    status, out = run("hf://o/m")
    assert status == 0 and out.count(": valid: ") == 3 and "hf://o/m/" + ONE in out
    assert run("hf://o/m/" + ONE)[0] == 0 and run("-q", "hf://o/m") == (0, "")
    status, out = run("hf://o/none")
    assert status == 2 and "no such repository" in out
    hub.files[TWO] = b""
    status, out = run("--format", "json", "hf://o/m")
    assert status == 1 and {one["verdict"] for one in json.loads(out)} == {"valid", "invalid"}
    hub.files.clear()
    status, out = run("hf://o/m")
    assert status == 2 and out.startswith("hf://o/m: not judged: the repository has neither")


def test_origins():
    assert _http.origin("https://A.example:443/x") == _http.origin("HTTPS://a.example/y") != _http.origin("http://a.example/")
    for url in ("http://x.[::1].evil.example/", "http://x.[::1]:80/", "http://[a.example].evil/", "http://a@b/", "http://a\\b/"):
        assert _http.origin(url) is None, url
    assert _http.origin("http://[::1]:8080/") == ("http", "[::1]", 8080) and _http.origin("https://a.example:0/")[2] == 0
    assert _http.origin("https://a.example.evil/") != _http.origin("https://a.example/")
    assert not _http.Client().is_hub("https://x:abc/") and not _http.Client().is_hub("https://huggingface.co@evil.example/")
