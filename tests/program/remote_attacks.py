"""Test assay check on addresses: what servers, and the authors of addresses and indexes, could gain."""

import json
import os
import subprocess
import time

import lib
import models
from lib import frame, header, run, tensor
from remote import FIRST, check, environment, small, supported
from remote_process import links, start_check
from server import Reply, Server

ZIP_END = b"PK\x05\x06" + bytes(8) + b"\xff" * 8 + bytes(2)  # its list of members is longer than the file
ZIP_TRUE = b"PK\x05\x06" + bytes(18)


def file_of(size, **pieces):
    """Return a valid file of this size, with bytes inserted at these positions."""
    count = size
    while len(frame(header([("a", tensor(0, count))]))) + count > size:
        count -= 1
    body = bytearray(frame(header([("a", tensor(0, count))])) + b"\1" * count)
    assert len(body) == size
    for at, piece in pieces.values():
        body[at : at + len(piece)] = piece
    return bytes(body)


def test_notes_know_what_came():
    """The zeros in place of bytes that were not fetched cause no note: neither there nor before them."""
    supported()
    data = len(frame(header([("a", tensor(0, 99999))])))
    cases = (
        ("half.safetensors", file_of(FIRST + 60, end=(FIRST - 4, ZIP_END)), 0, 0),
        ("end.safetensors", file_of(FIRST + 70000, end=(FIRST + 70000 - 22, ZIP_TRUE)), 1, 0),
        ("begin.safetensors", file_of(FIRST + 60, data=(data, b"GGUF\3\0\0\0")), 1, 1),
        ("all.safetensors", file_of(FIRST - 9, end=(FIRST - 31, ZIP_TRUE)), 1, 1),
    )
    with Server() as server:
        for name, body, here, there in cases:
            lib.write(name, body)
            server.put("/" + name, Reply(body))
            record = run("check", "--format", "jsonl", name).jsonl()[0]
            assert (record["verdict"], len(record["notes"])) == ("valid", here), (name, record["notes"])
            record = check(server.url("/" + name))[0][0]
            assert (record["verdict"], len(record["notes"])) == ("valid", there), (name, record["notes"])
            assert record["fetched"]["there"] == min(FIRST, len(body)), record


def test_the_hub_is_not_asked_elsewhere():
    """No branch has these names; and a Hub without a scheme would be requested by http, whose responses anybody
    can write."""
    supported()
    with Server() as server:
        server.put_prefix("/", Reply(small()))
        env = {"HF_ENDPOINT": server.url(""), "HF_TOKEN": "hf_secret"}
        for revision in ("..", ".", "%2e%2e", "..%2F..", "a%2F..", "a%2F.", "%2E", ".git", "%", "refs/", "refs//1",
                         "main%2F", "%2fmain", "a%2F%2Fb", "refs/%2F"):
            for rest in ("/x.safetensors", ""):
                record = check("hf://o/m@%s%s" % (revision, rest), **env)[0][0]
                assert record["verdict"] == "error" and "not an address" in record["message"], record
        assert server.log == [], server.log[0].target
        where = "127.0.0.1:%d" % server.port
        for form in ("%s", "//%s", "ftp://%s", "http:%s", "http://%s/?x=", "file:///tmp?%s"):
            endpoint = form % where
            record = check("hf://o/m/x.safetensors", HF_ENDPOINT=endpoint)[0][0]
            assert record["verdict"] == "error", record
            assert "HF_ENDPOINT is not the address of a Hub" in record["message"], record
        assert server.log == [], server.log[0].target
        for revision in ("v1.0", "a-b_c", "refs/pr/1", "feature%2fx"):
            assert check("hf://o/m@%s/x.safetensors" % revision, **env)[0][0]["verdict"] == "valid", revision


def test_a_range_of_no_bytes_is_none():
    supported()
    with Server() as server:
        server.put("/x", Reply(raw=b"HTTP/1.1 206 x\r\nContent-Range: bytes */9\r\nContent-Length: 1\r\n\r\na"))
        record = check(server.url("/x"))[0][0]
        assert "byte ranges contradict each other" in record["message"] and record["fetched"]["requests"] == 1, record


def test_numbers_beyond_64_bits():
    """None of these numbers is the number of its low bits; and a range that ends beyond the file is invalid."""
    supported()
    body, range_ = small(), "byte ranges contradict each other"
    n, beyond = len(body), 1 << 64
    cases = [({"content_range": "bytes 0-%d/%d" % (n - 1, many * beyond + n)}, range_) for many in (1, 3, 10, beyond)]
    cases += [({"content_range": "bytes 0-%d/%d" % (many * beyond + n - 1, n)}, range_) for many in (1, 3, 10, beyond)]
    cases += [({"content_range": "bytes %d-%d/%d" % (many * beyond, n - 1, n)}, range_) for many in (1, 3, 10, beyond)]
    cases += [({"content_range": "bytes 0-%d/%d" % (beyond - 1, n)}, range_)]
    # libcurl sees some of these before the program does
    length = "a different number|not valid HTTP|impossible file size|connection broke"
    cases += [({"length": many * beyond + n}, length) for many in (1, 3, 10, beyond)]
    cases += [({"length": many * beyond + n, "ranges": "ignore"}, length) for many in (1, 3, 10, beyond)]
    cases += [({"status": 416, "content_range": "bytes */%d" % (many * beyond)}, "does not send part")
              for many in (1, 10)]
    with Server() as server:
        urls = [server.url("/%d" % i) for i in range(len(cases) + 2)]
        for i, (how, _) in enumerate(cases):
            server.put("/%d" % i, Reply(body, **{"keep": False, **how}))
        server.put("/%d" % len(cases), Reply(body + b"x", content_range="bytes 0-%d/%d" % (n, n)))  # last is total
        server.put("/%d" % (len(cases) + 1), Reply(body, content_range="bytes 0-%d/%d" % (n - 1, n)))
        records = check(*urls)[0]
        wanted = [("error", words) for _, words in cases] + [("error", range_), ("valid", "1 tensor")]
        for record, (verdict, words), (how, _) in zip(records, wanted, cases + [("last is total", ""), ("right", "")]):
            assert record["verdict"] == verdict, (how, record)
            assert any(word in record["message"] for word in words.split("|")), (how, record["message"])


def memory_files(pid):
    """Return how many files without a name the process has open."""
    return sum("memfd" in link for link in links(pid))


def test_what_is_fetched_ahead_is_bounded():
    """Seven models whose first shard stalls: the other shards wait in memory."""
    supported()
    index = json.dumps({"weight_map": {"t%d" % i: "%03d.safetensors" % i for i in range(40)}}).encode()
    with Server() as server:
        server.put_prefix("/", Reply(small()))
        urls = ["/%d/%s" % (k, models.INDEX) for k in range(7)]
        for url in urls:
            server.put(url, Reply(index))
            server.put(url.replace(models.INDEX, "000.safetensors"), Reply(small(), silent=3))
            server.put(url.replace(models.INDEX, "model.safetensors"), Reply(b"no", status=404))
        program = start_check("-o", "out", "-j", "8", *map(server.url, urls))
        most = 0
        while program.poll() is None and most <= 16:
            try:
                most = max(most, memory_files(program.pid))
            except OSError:
                pass
            time.sleep(0.05)
        program.kill()
        program.communicate(timeout=lib.LIMIT)
        assert most <= 16, most
        with open("out", "rb") as f:
            records = [line for line in f.read().splitlines() if b".json: " not in line]
        assert len(records) == 280 and all(b"invalid: rule M22" in line for line in records), records[:3]
        assert 1 <= most <= 9, most


def test_a_model_is_bounded():
    """The index names thousands of shards, each of which costs as much as a file may: the program stops requesting
    at a limit."""
    supported()
    flags = "-O0 -DREMOTE_MODEL_BYTES_MOST=500000u -DREMOTE_MODEL_SECONDS_MOST=3"
    made = subprocess.run(["make", "-s", "-C", lib.ROOT, "B=" + os.getcwd() + "/b", "CFLAGS=" + flags],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert made.returncode == 0, made.stdout
    index = json.dumps({"weight_map": {"t%d" % i: "%04d.safetensors" % i for i in range(1000)}}).encode()
    with Server() as server:
        for at, answer in (("/m/", Reply(bytes(7) + b"\1" + bytes(90000))), ("/n/", Reply(small(), silent=0.5))):
            server.clear()
            server.put(at + models.INDEX, Reply(index))
            server.put_prefix(at, answer)
            result = run("check", "--format", "jsonl", server.url(at + models.INDEX), program="b/assay",
                         env=environment())
            left = [record for record in result.jsonl() if "more than 4 GB or an hour" in record["message"]]
            print("    %d requests, %d bytes, %d shards left" % (len(server.log), server.sent, len(left)))
            assert len(server.log) < 80 and server.sent < 1500000, (len(server.log), server.sent)
            assert len(left) > 900 and all(record["fetched"] is None for record in left), result.out[:1000]
