"""The readers of the reference, the Rust crate and the Python package, and the comparison of their answers with
the model.

They must accept whatever the model calls valid, with the same table and metadata. A row of spec/decisions.md must
explain each file that they accept and the model calls invalid. REFERENCE_READER names a reader of the crate that
is already built.
"""
import functools
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, name) for name in ("spec", "tests/conformance")]
import manifest  # noqa: E402
import model  # noqa: E402

FETCH = os.environ.get("ASSAY_FETCH") == "1"  # set only by tests/deps.sh --install
SKIP = 77  # the exit status if a reader is not available here


# ---- The readers ---------------------------------------------------------------------------------------

def absent(reader, why):
    print("the reference's %s cannot be had here, so nothing is compared: %s" % (reader, why))
    sys.exit(SKIP)


def run(reader, *command, **more):
    """Run a command that the reader needs; if it fails, raise with its message."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              check=False, timeout=600, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        absent(reader, error)
    if done.returncode != 0:
        absent(reader, "%s: %s" % (" ".join(command), done.stdout.strip()[-500:]))


def crate():
    """Return the command of the reader of the crate."""
    if "REFERENCE_READER" in os.environ:
        return [os.environ["REFERENCE_READER"]]
    if FETCH:
        run("crate", "cargo", "fetch", "--locked", "--quiet", cwd=HERE)
    run("crate", "cargo", "build", "--release", "--locked", "--offline", "--quiet", cwd=HERE)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "target"))
    return [os.path.join(target, "release", "reference-reader")]


def package():
    """Return the command of the reader of the package; each requirements.txt has its own environment."""
    wanted = os.path.join(HERE, "requirements.txt")
    with open(wanted, "rb") as f:
        where = os.path.join(ROOT, "build", "reference", hashlib.sha256(f.read()).hexdigest()[:12])
    python, complete = os.path.join(where, "bin", "python"), os.path.join(where, "complete")
    if not os.path.exists(complete) and not FETCH:
        absent("package", "it is not in build/reference: run make deps")
    if not os.path.exists(complete):
        venv.create(where, with_pip=True)
        run("package", python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:",
            "--require-hashes", "-r", wanted)
        with open(complete, "w", encoding="utf-8") as f:
            f.write("requirements.txt\n")
    return [python, os.path.join(HERE, "package_reader.py")]


def ask(command, files):
    """Return the reader's lines for [(data, file_size)]."""
    records = b"".join(struct.pack("<QQ", size, len(data)) + data for data, size in files)
    done = subprocess.run(command, input=records, stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode("utf-8").split("\n")[:-1]
    assert len(lines) == len(files), (len(lines), len(files))
    return lines


# ---- Their answers -------------------------------------------------------------------------------------

def same_table(result, line):
    """Return names with their meanings, the sequence of ranges (the order of the reference is random where they
    tie), metadata. A reader that cannot determine where a tensor begins reports null."""
    theirs = json.loads(line[len("accept "):])
    has_begin = all(t["begin"] is not None for t in theirs["tensors"])
    ours = [(t.name, t.dtype, t.shape, *((t.begin, t.end) if has_begin else (None, None))) for t in result.tensors]
    given = [tuple(t[key] for key in ("name", "dtype", "shape", "begin", "end")) for t in theirs["tensors"]]
    pairs = None if result.metadata is None else dict(result.metadata)
    same_order = [tensor[3:] for tensor in ours] == [tensor[3:] for tensor in given]
    return sorted(ours) == sorted(given) and same_order and pairs == theirs["metadata"]


def same_name_later(data, place):
    """Return whether a later tensor has the same name. Then the reference never reads the earlier one."""
    header = data[8:8 + int.from_bytes(data[:8], "little")]
    names = [key for key, _ in json.loads(header, object_pairs_hook=list) if key != "__metadata__"]
    return names[place] in names[place + 1:]


def is_member(data, offset):
    """Return whether the value at this offset, before which everything is valid, belongs to a member of the root."""
    try:
        return bool(json.loads(data[8:offset] + b"0}"))
    except ValueError:
        return False


def decision(data, result):
    """Return the row of spec/decisions.md that explains why only the model rejects the file, or None."""
    name, at = result.name, result.offset
    byte, before = data[at:at + 1], data[8:at].rstrip(b" \t\r\n")
    if name == "start":
        return "D1" if byte in (b" ", b"\t", b"\n", b"\r") else None
    if name == "trailing":
        return "D2" if byte in (b"\t", b"\n", b"\r") else None
    if name == "type" and is_member(data, at):
        return {b"n": "D3" if result.tensor is None else None, b"[": None if result.tensor is None else "D4"}.get(byte)
    if name == "type":
        return "D5" if byte == b"{" and re.search(rb'"dtype"[ \t\r\n]*:$', before) else None
    if name == "keyword_escaped":
        return "D7" if result.tensor is None else "D9" if before.endswith(b":") else "D8"
    if name in ("shape_overflow", "shape_subbyte", "offsets_order", "offsets_size"):
        if same_name_later(data, result.tensor):
            return "D12"
        return "D13" if name == "shape_overflow" and 0 in json.loads(data[at:data.index(b"]", at) + 1]) else None
    return {"nul": "D6", "member_unknown": "D10", "metadata_key_twice": "D11", "name_twice": "D12"}.get(name)


@functools.lru_cache(None)
def decisions():
    return {name: rules for name, (rules, _) in manifest.read_decisions().items()}


def explain(data, result, line):
    """Return (how the model and a reader compare, what is wrong or "")."""
    theirs = line.split(" ", 1)[0]
    if theirs not in ("accept", "reject", "panic", "skip"):
        return "unexplained", "the reference differs from itself"
    if theirs == "skip" or result.verdict == "not judged":
        return "skipped", ""
    if result.verdict == "valid":
        if theirs != "accept":
            return "both accept", "the model accepts"
        return "both accept", "" if same_table(result, line) else "the tables differ"
    if theirs != "accept":
        return "both reject", ""
    row = decision(data, result)
    known = result.id in decisions().get(row, ())
    return row or "unexplained", "" if known else "no decision explains why it is invalid (%s)" % result.id
