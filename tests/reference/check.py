#!/usr/bin/env python3
"""Compare the specification's model with the reference implementation (see Cargo.toml for its version).

    tests/reference/check.py corpus            every file of the corpus, and its column reference_verdict
    tests/reference/check.py random COUNT [SEED]   COUNT generated files (tests/generate_cases.py)

Whatever the model accepts the reference must accept, with the same table. What the reference accepts and the
model does not must be explained by a row of spec/decisions.md. Exit status: 1 if not so, 77 if there is no
cargo or it cannot fetch its crates, else 0. REFERENCE_READER names a program that is already built.
"""
import collections
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "spec"), os.path.join(ROOT, "tests")]
import generate_cases  # noqa: E402
import manifest  # noqa: E402
import model  # noqa: E402

SKIP = 77


def build():
    if "REFERENCE_READER" in os.environ:
        return os.environ["REFERENCE_READER"]
    try:
        fetched = subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=HERE, check=False).returncode == 0
    except FileNotFoundError:
        fetched = False
    if not fetched:
        print("the reference cannot be built here (no cargo, or no way to its crates): skipped",
              file=sys.stderr)
        sys.exit(SKIP)
    subprocess.run(["cargo", "build", "--release", "--locked", "--offline", "--quiet"], cwd=HERE, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "target"))
    return os.path.join(target, "release", "reference-reader")


def ask(program, files):
    """The reference's lines on [(data, file_size)]."""
    records = b"".join(struct.pack("<QQ", size, len(data)) + data for data, size in files)
    run = subprocess.run([program], input=records, stdout=subprocess.PIPE, check=True)
    lines = run.stdout.decode("utf-8").split("\n")[:-1]
    assert len(lines) == len(files), (len(lines), len(files))
    return lines


def same_table(result, line):
    """The reference's order is random on ties of (begin, end): compare names, and the sequence of ranges."""
    theirs = json.loads(line[len("accept "):])
    ours = {t.name: (t.dtype, t.shape, t.begin, t.end) for t in result.tensors}
    names = {t["name"]: (t["dtype"], t["shape"], t["begin"], t["end"]) for t in theirs["tensors"]}
    ranges = [(t.begin, t.end) for t in result.tensors] == [(t["begin"], t["end"]) for t in theirs["tensors"]]
    pairs = None if result.metadata is None else dict(result.metadata)
    return ours == names and ranges and pairs == theirs["metadata"]


def same_name_later(data, place):
    """Has a tensor behind this place its name? Then the reference never looked at the one at this place."""
    header = data[8:8 + int.from_bytes(data[:8], "little")]
    names = [key for key, _ in json.loads(header, object_pairs_hook=list) if key != "__metadata__"]
    return names[place] in names[place + 1:]


def decision(data, result):
    """The row of spec/decisions.md that explains why we say invalid and the reference does not, or None."""
    name, byte = result.name, data[result.offset:result.offset + 1]
    if name == "start":
        return "D1" if byte in (b" ", b"\t", b"\n", b"\r") else None
    if name == "trailing":
        return "D2" if byte in (b"\t", b"\n", b"\r") else None
    if name == "type":
        if byte == b"n" and result.tensor is None:
            return "D3"
        if byte == b"[":
            return "D4"
        return "D5" if byte == b"{" else None
    if name == "keyword_escaped":
        before = data[:result.offset].rstrip(b" \t\r\n")
        return "D7" if result.tensor is None else "D9" if before.endswith(b":") else "D8"
    if name in ("shape_overflow", "shape_subbyte", "offsets_order", "offsets_size"):
        if same_name_later(data, result.tensor):
            return "D12"
        return "D13" if name == "shape_overflow" else None
    return {"nul": "D6", "member_unknown": "D10", "metadata_key_twice": "D11", "name_twice": "D12"}.get(name)


def check(files, lines, expected=None):
    """Prints what is wrong; returns how much."""
    wrong, seen = 0, collections.Counter()
    for place, ((data, size), line) in enumerate(zip(files, lines)):
        result = model.judge(data, size)
        theirs = "accept" if line.startswith("accept ") else line
        trouble = ""
        if expected and expected[place]["reference_verdict"] != theirs:
            trouble = "the manifest says that it says " + expected[place]["reference_verdict"]
        elif theirs == "skip" or result.verdict == "not judged":
            seen["skipped"] += 1
        elif result.verdict == "valid":
            seen["both accept"] += 1
            if theirs != "accept":
                trouble = "the model accepts"
            elif not same_table(result, line):
                trouble = "the tables differ"
        elif theirs == "accept":
            row = decision(data, result)
            seen[row] += 1
            known = manifest.read_decisions().get(row, ([], ""))[0] if row else []
            if result.id not in known:
                trouble = "no decision explains why it is invalid here (%s)" % result.id
            elif expected and expected[place]["decision"] != row:
                trouble = "the manifest explains it by %s, it is %s" % (expected[place]["decision"], row)
        else:
            seen["both reject"] += 1
        if trouble:
            wrong += 1
            name = expected[place]["file"] if expected else "%s file_size=%d" % (data.hex(), size)
            print("%s: the reference says %s; %s" % (name, line[:200], trouble), file=sys.stderr)
    print(", ".join("%s: %d" % item for item in sorted(seen.items(), key=str)))
    return wrong


def main(args):
    if args[:1] == ["corpus"]:
        program = build()
        rows = manifest.read_table("corpus/manifest.tsv")
        files = [(data, len(data)) for data in (manifest.read_file(row["file"]) for row in rows)]
        return 1 if check(files, ask(program, files), rows) else 0
    if args[:1] == ["random"] and len(args) in (2, 3):
        program = build()
        seed = int(args[2]) if len(args) == 3 else 1
        files = list(generate_cases.files(seed, int(args[1])))
        return 1 if check(files, ask(program, files)) else 0
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
