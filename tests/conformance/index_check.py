#!/usr/bin/env python3
"""Compare spec/index_model.py with src/model on indexes of models, and both with Python's own JSON reader.

    tests/conformance/index_check.py [COUNT [SEED]] [--driver build/tests/index_driver]

First the hand-made cases of index_cases.tsv: rule and offset must be as stated there (in an index \\xHH, \\n, \\t,
\\r, \\0 mean a byte, \\\\ a backslash). Then the keyed hash, compared with Python's, which is the same. Then
generated indexes, most of them slightly broken at positions that matter. The result must equal the model's in
every field. Python's json must read what the model accepts, with the same tensors, and refuse what the model
refuses, except for rules where spec/index.md is stricter. Of 3,000 or more, each rule is broken at least once.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "spec"))
import index_model  # noqa: E402

BATCH = 500
# What Python's json accepts nevertheless.
STRICTER = {"index_unexpected", "index_surrogate", "index_nul", "index_number_range", "index_depth", "index_no_map",
            "index_type", "index_empty", "shard_path", "shard_suffix"}
NOT_HERE = {"index_large", "shards_many"}  # too large for this: tests/program/models.py
TOKENS = [b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\", b"\\u", b"\\u0000", b"\\ud800", b"\\udc00",
          b"\\ud83d\\ude00", b"\\uD83D\\uDE00", b"\\u00e9", b"\\x", b"\xff", b"\xc3\xa9", b"\xc3", b"\xed\xa0\x80",
          b"\xe0\x80", b"\xf4\x90", b"\xf0\x9f\x98\x80", b"\xef\xbb\xbf", b"\0", b"\x1f", b"\x7f", b" ", b"\n", b"\t",
          b"\r", b"\f", b"true", b"false", b"null", b"nul", b"NaN", b"Infinity", b"-0", b"1e5", b"1E+200", b"1e201",
          b"1e-999", b"1e0000000005", b".5", b"1.", b"01", b"+1", b"-", b"1.5e", b"9" * 99, b"9" * 101,
          b"18446744073709551615", b"18446744073709551616", b"..", b"../", b"/", b"//", b".", b"\\\\", b"c:",
          b"http://", b"\\/", b"/etc/passwd", b".safetensors", b".bin", b'"a":', b'"a":1,', b'"weight_map":{}',
          b'"metadata":{}', b'"total_size":', b'"metadata":[]', b"[" * 70, b'{"":' * 70]
ODD = ["\\ud83d\\udb00", "\\ud83d\\ue000", "\\ud800\\u0041", "\\ud83d\\n", "\\ud83d", "\\udc00", "\\uD83D\\uDCFF",
       "\\ud83d\\udeg0", "\\ud83d\\u", "\\u0000", "\\u000g", "\\u12", "\\'", "\\v", "\\", "\x01", "\x1f",
       "\ud800"]  # bytes that are not allowed in a string
NAMES = ["a", "b", "model.layers.0.weight", "lm_head.weight", "", "é", "😀", "a\nb", '"', "\\", "/", "weight_map",
         "metadata", "total_size", "__metadata__", "\x7f", "a:b", "ÿ", "\u07ff\u0800\uffff\U00010000\U0010ffff"]
PATHS = ["model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors", "x.safetensors", "sub/y.safetensors",
         ".safetensors", "é.safetensors", "a b.safetensors", "..a/..b.safetensors", "😀/.hidden/z.safetensors",
         "...safetensors"]
BAD_PATHS = ["", ".", "..", "../x.safetensors", "/x.safetensors", "a/../x.safetensors", "a//x.safetensors",
             "x.safetensors/", "./x.safetensors", "a/./x.safetensors", "http://h/x.safetensors", "C:\\x.safetensors",
             "a\\x.safetensors", "x.bin", "x.SAFETENSORS", "x.safetensors.", "a\nb.safetensors", "\x7f.safetensors",
             "a" * 1013 + ".safetensors", "x.safetensors ", "~/x", "a/..", "safetensors"]
GOOD_LONG = "a" * 1012 + ".safetensors"


def spelt(r, text):
    """Return a JSON string with this text, with random escapes."""
    out = '"' + (r.choice(ODD) if r.random() < 0.01 else "")
    for character in text:
        code = ord(character)
        plain = code >= 0x20 and character not in '"\\'
        if plain and r.random() < 0.95:
            out += character
        elif character in '"\\/\b\f\n\r\t' and r.random() < 0.7:
            out += "\\" + dict(zip('"\\/\b\f\n\r\t', '"\\/bfnrt'))[character]
        else:
            units = [code] if code < 0x10000 else [0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF)]
            out += "".join("\\u" + r.choice(["%04x", "%04X"]) % unit for unit in units)
    return out + '"'


def value(r, depth=0):
    kind = r.randrange(9 if depth < 4 else 6)
    if kind < 3:
        return r.choice(["0", "-0", "12", "1.5", "1e5", "-1.25E-7", "1e200", "1e201", "1E+0200", "9" * 101,
                         "12345678901234567890123", "true", "false", "null"])
    if kind < 6:
        return spelt(r, r.choice(NAMES))
    if kind == 6:
        return "[" + ",".join(value(r, depth + 1) for _ in range(r.randrange(4))) + "]"
    keys = r.sample(NAMES, r.randrange(4)) if r.random() < 0.9 else [r.choice(NAMES[:3]) for _ in range(3)]
    return "{" + ",".join(spelt(r, k) + ":" + value(r, depth + 1) for k in keys) + "}"


def nested(r):
    depth = r.randrange(60, 66)
    return '{"a":' * depth + "1" + "}" * depth if r.random() < 0.5 else "[" * depth + "]" * depth


def member(r, key):
    if key == "weight_map" and r.random() < 0.97:
        names = r.sample(NAMES, r.randrange(8))
        if r.random() < 0.1:
            names.append(r.choice(NAMES))
        bad = r.random() < 0.15
        paths = [r.choice(PATHS + [GOOD_LONG] * (r.random() < 0.1)) for _ in names]
        if bad and paths:
            paths[r.randrange(len(paths))] = r.choice(BAD_PATHS)
        return "{" + ",".join(space(r) + spelt(r, n) + space(r) + ":" + space(r) + spelt(r, p) + space(r)
                              for n, p in zip(names, paths)) + "}"
    if key == "metadata" and r.random() < 0.95:
        total = r.choice(["1", "0", "12.0", "3.", "1.5", "-1", "1e3", '"1"', "null", "18446744073709551615", "0.000",
                          "18446744073709551616", "[1]", "{}"])
        return '{"total_size":' + space(r) + total + ',"other":' + value(r) + "}"
    return nested(r) if r.random() < 0.1 else value(r)


def space(r):
    return "" if r.random() < 0.8 else "".join(r.choice(" \n\t\r") for _ in range(r.randrange(1, 4)))


def document(r):
    keys = r.sample(["weight_map", "metadata", "x", "weights", "é"], r.randrange(1, 5))
    if "weight_map" not in keys and r.random() < 0.9:
        keys.append("weight_map")
    if r.random() < 0.05:
        keys.append(r.choice(keys))
    members = [space(r) + spelt(r, key) + space(r) + ":" + space(r) + member(r, key) + space(r) for key in keys]
    return (space(r) + "{" + ",".join(members) + "}" + space(r)).encode("utf-8", "surrogatepass")


def broken(r, data):
    """Return the index, slightly broken."""
    for _ in range(r.choice([1, 1, 1, 2])):
        at = r.randrange(len(data) + 1)
        kind = r.randrange(6)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + data[at + r.randrange(1, 4):]
        elif kind == 2:
            data = data[:at] + bytes([r.randrange(256)]) + data[at + 1:]
        elif kind == 3:
            other = r.randrange(len(data) + 1)
            data = data[:at] + data[min(at, other):max(at, other)][:40] + data[at:]
        else:
            data = data[:at] + r.choice(TOKENS) + data[at + (kind == 4):]
    return data


def by_json(data):
    """Return the pairs of weight_map as Python's json reads them, or None."""
    class Twice(Exception):
        pass

    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise Twice
        return dict(pairs)

    try:
        root = json.loads(data.decode("utf-8"), object_pairs_hook=once)
        return list(root["weight_map"].items()) if isinstance(root, dict) else None
    except (ValueError, Twice, RecursionError, KeyError, AttributeError):
        return None


def disagreements(data, model, got):
    """Return the disagreements between the three."""
    pairs = by_json(data)
    if got != index_model.as_dict(model):
        yield "src/model reports %s, the model %s" % (got, index_model.as_dict(model))
    if isinstance(model, index_model.Index):
        if pairs != [(name, path) for name, path, _ in model.tensors]:
            yield "json reads other tensors: %s" % pairs
    elif pairs is not None and model.name not in STRICTER:
        yield "json accepts what breaks %s" % model.name


def run(driver, batch):
    with tempfile.TemporaryDirectory(prefix="assay-index-") as folder:
        paths = []
        for k, data in enumerate(batch):
            paths.append(os.path.join(folder, "%d" % k))
            with open(paths[-1], "wb") as f:
                f.write(data)
        done = subprocess.run(driver.split() + paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit("%s ended with %d:\n%s" % (driver, done.returncode, done.stderr.decode()))
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def cases():
    """Yield the hand-made cases: the expected rule, and the results of model and driver."""
    with open(os.path.join(ROOT, "tests", "conformance", "index_cases.tsv"), encoding="ascii") as f:
        for line in f.read().split("\n")[1:-1]:
            rule, offset, situation, text = line.split("\t")
            yield rule, offset, situation, text.encode().decode("unicode_escape").encode("latin-1")


def check_cases(driver):
    """Return the number of cases, and of wrong ones."""
    rows, failed = list(cases()), 0
    ids = {row["code"]: row["id"] for row in index_model.RULES.values()}
    for (rule, offset, situation, data), got in zip(rows, run(driver, [row[3] for row in rows])):
        model = index_model.read_index(data)
        said = (getattr(model, "id", "-"), str(getattr(model, "offset", "-")))
        reported = (ids.get(str(got["code"]), "-"), "-" if got["offset"] is None else str(got["offset"]))
        if (rule, offset) != said or said != reported:
            failed += 1
            print("%s: %s at %s; the model reports %s at %s, src/model %s at %s" % (
                situation, rule, offset, *said, *reported))
    for name in index_model.RULES:
        id_ = index_model.RULES[name]["id"]
        early = int(id_[1:]) < 19 or name == "index_empty"
        if early and name not in NOT_HERE and id_ not in {row[0] for row in rows}:
            print("no case breaks " + name)
            failed += 1
    return len(rows), failed


def check_hash(driver):
    """Compare SipHash-1-3 with that of Python, which is keyed by PYTHONHASHSEED and its random number generator."""
    if sys.hash_info.algorithm != "siphash13" or sys.hash_info.width != 64:
        print("this Python has another hash: it is not compared")
        return 0, 0
    texts = [bytes(range(1, k + 1)) for k in range(1, 40)]
    state, key = 7, bytearray()
    for _ in range(16):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        key.append(state >> 16 & 0xFF)
    words = [str(int.from_bytes(key[k:k + 8], "little")) for k in (0, 8)]
    got = subprocess.run(driver.split() + ["-s", *words, *(text.hex() for text in texts)], stdout=subprocess.PIPE,
                         check=True)
    asked = "print(*(hash(bytes(range(1, k + 1))) % 2**64 for k in range(1, 40)))"
    wanted = subprocess.run([sys.executable, "-c", asked], stdout=subprocess.PIPE, check=True,
                            env={**os.environ, "PYTHONHASHSEED": "7"})
    failed = got.stdout.split() != wanted.stdout.split()
    if failed:
        print("the keyed hash is not SipHash-1-3")
    return len(texts), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=20000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--driver", default=os.path.join(ROOT, "build", "tests", "index_driver"))
    options = parser.parse_args()
    r, seen = random.Random(options.seed), collections.Counter()
    (made, wrong), (hashes, others) = check_cases(options.driver), check_hash(options.driver)
    count, failed = options.count + made + hashes, wrong + others
    for begin in range(0, options.count, BATCH):
        batch = [document(r) for _ in range(min(BATCH, options.count - begin))]
        batch = [data if r.random() < 0.4 else broken(r, data) for data in batch]
        answers = run(options.driver, batch)
        assert len(answers) == len(batch)
        for data, got in zip(batch, answers):
            model = index_model.read_index(data)
            seen[getattr(model, "name", "valid")] += 1
            why = list(disagreements(data, model, got))
            failed += bool(why)
            if why and failed < 10:
                print("%r:\n    %s" % (data, "\n    ".join(why)))
    print(", ".join("%s %d" % pair for pair in sorted(seen.items())))
    wanted = {name for name in index_model.RULES if name.startswith("index_")} | {"shard_path", "shard_suffix", "valid"}
    for name in sorted(wanted - set(seen) - NOT_HERE) if options.count >= 3000 else ():
        print("no index breaks " + name)
        failed += 1
    print("%d passed, %d failed" % (count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
