#!/usr/bin/env python3
"""Make the corpus: corpus/valid, corpus/invalid, corpus/manifest.tsv and corpus/options.tsv.

    corpus/make.py            write them
    corpus/make.py --check    exit 1 if a committed file differs from what would be written

The cases are in corpus/cases/*.py (each with the rule, the byte and the error fields that its author derived from
spec/format.md by hand) and corpus/cases.tsv (cases that were first tried on the reference; their columns were
filled in and then compared with the specification). valid/real and valid/written are inputs: files of other
projects, and files that writers/ made. Where a case leaves the verdict of the reference open, it is taken from
measured.tsv, which assurance/reference/check.py --measure writes.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
from cases import kit  # noqa: E402
from cases import valid, tokens, members, whole, cut  # noqa: E402,F401 (each adds its cases, in this order)
from cases import numbers, overflow, layout, strings, places, disguises, readers  # noqa: E402,F401

COLUMNS = ["file", "verdict", "code", "rule", "name", "offset", "tensor", "other", "expected", "found",
           "reference_verdict", "note", "row", "decision", "origin"]
GIVEN = {"valid/real": "other-project", "valid/written": "reference-writer"}
SAYS = COLUMNS[4:10] + ["decision"]
TWICE = (*GIVEN, "invalid/cut-")  # existing files: a series has no gaps
LARGEST, TOTAL = 64 << 10, 2 << 20  # bytes: of one generated file, and of all files


def read_table(path):
    with open(os.path.join(HERE, path), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    return [dict(zip(head, row)) for row in rows]


CODES = {row["name"]: row for table in ("rules", "statuses") for row in read_table("../spec/%s.tsv" % table)}
CODES["ok"] = {"code": "0", "id": ""}


ORIGINS = {row["origin"]: row for row in read_table("origins.tsv")}
ORIGIN_OF_RULE = {rule: name for name, row in ORIGINS.items() for rule in row["rules"].split()}
MEASURED = {row["file"]: row["reference_verdict"] for row in read_table("measured.tsv")}


def verdict(name):
    code = int(CODES[name]["code"])
    return "valid" if code == 0 else "invalid" if code >= 32 else "not judged"


def manifest_row(path, fields):
    row = {column: str(fields.get(column, "")) for column in COLUMNS}
    rule = CODES[row["name"]]
    row.update(file=path, verdict=verdict(row["name"]), code=rule["code"], rule=rule["id"])
    row["origin"] = row["origin"] or ORIGIN_OF_RULE.get(rule["id"] or "valid", "")
    return row


def hand_cases():
    for case in kit.CASES:
        path, fields = case.folder(verdict(case.name)), case.fields()
        if fields["reference_verdict"] is kit.MEASURED:
            fields["reference_verdict"] = MEASURED.get(path, "not measured")
        yield path, case.data, fields


def to_measure():
    """Return [(path, data)] of the cases that leave the verdict of the reference to measured.tsv."""
    first = {}
    for case in kit.CASES:
        first.setdefault(case.data, case)
    return [(case.folder(verdict(case.name)), case.data) for case in first.values() if case.reference is kit.MEASURED]


def reference_cases():
    for row in read_table("cases.tsv"):
        path = "%s/case-%s.safetensors" % (verdict(row["name"]), row["id"])
        fields = dict(row, reference_verdict=row["reference"], note=row["description"])
        yield path, bytes.fromhex(row["hex"]), fields


def given_files():
    for folder, origin in GIVEN.items():
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            with open(os.path.join(HERE, folder, name), "rb") as f:
                data = f.read()
            yield folder + "/" + name, data, {"name": "ok", "reference_verdict": "accept", "note": "given",
                                              "origin": origin}


def corpus():
    """Return {path: bytes} of every file of the corpus and its two tables. Families may make a file twice: the
    first is kept, and the other must agree."""
    files, rows, seen = {}, [], {}
    for source in (hand_cases, reference_cases, given_files):
        for path, data, fields in source():
            assert path not in files, "two cases make the file %s: choose another name" % path
            mine = [str(fields.get(name, "")) for name in SAYS]
            if seen.setdefault(data, mine) is not mine and not path.startswith(TWICE):
                assert seen[data] == mine, (path, seen[data], mine)
                continue
            files[path] = data
            assert len(data) <= LARGEST or path.startswith(tuple(GIVEN)), path
            rows.append(manifest_row(path, fields))
    assert sum(map(len, files.values())) <= TOTAL
    files["manifest.tsv"] = table(COLUMNS, rows)
    options = [dict(manifest_row(f["file"], f), options=f["options"]) for f in kit.OPTION_CASES]
    for row in options:
        assert row["file"] in files, row["file"]
    files["options.tsv"] = table(["options"] + COLUMNS[:10] + ["note"], options)
    return files


def table(columns, rows):
    lines = ["\t".join(columns)] + ["\t".join(row[column] for column in columns) for row in rows]
    return ("\n".join(lines) + "\n").encode("utf-8")


def existing():
    found = {"manifest.tsv", "options.tsv"}
    for folder in ("valid", "invalid"):
        for at, _, names in os.walk(os.path.join(HERE, folder)):
            found.update(os.path.relpath(os.path.join(at, name), HERE) for name in names)
    return found


def read_or_none(path):
    try:
        with open(os.path.join(HERE, path), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def main(args):
    files = corpus()
    stale = sorted(path for path, data in files.items() if read_or_none(path) != data)
    extra = sorted(existing() - set(files))
    if args == ["--check"]:
        for path in stale:
            print("corpus/%s is not what corpus/make.py makes" % path, file=sys.stderr)
        for path in extra:
            print("corpus/%s is made by nothing" % path, file=sys.stderr)
        return 1 if stale or extra else 0
    if args:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for path in extra:
        os.remove(os.path.join(HERE, path))
    for path in stale:
        os.makedirs(os.path.dirname(os.path.join(HERE, path)), exist_ok=True)
        with open(os.path.join(HERE, path), "wb") as f:
            f.write(files[path])
    print("%d files, %d written, %d removed" % (len(files), len(stale), len(extra)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
