#!/usr/bin/env python3
"""Judge the corpus by the reference (Cargo.toml has its version), and compare its verdicts with the model.

Checks the columns reference_verdict and decision of corpus/manifest.tsv, and that valid files are accepted with
the same table. With --measure it writes corpus/measured.tsv instead: the verdicts that the cases of the corpus
leave to it. ../model/model_check.py --reference does the same for generated files. Exit status: 1 if something is
wrong, 77 if cargo is missing or cannot fetch its crates, else 0.
"""
import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import readers  # noqa: E402
from readers import manifest, model  # noqa: E402


def said(line):
    return "accept" if line.startswith("accept ") else line


def check(row, data, line):
    """Return (how model and reference compare, what is wrong or "")."""
    theirs = said(line)
    kind, trouble = readers.explain(data, model.judge(data), line)
    if theirs != row["reference_verdict"]:
        trouble = "the manifest has " + row["reference_verdict"]
    elif not trouble and row["decision"] != (kind if kind in readers.decisions() else ""):
        trouble = "the manifest explains it by '%s', it is %s" % (row["decision"], kind)
    return kind, trouble


def measure():
    """Write corpus/measured.tsv. corpus/make.py must be run afterwards."""
    sys.path.insert(0, manifest.CORPUS)
    import make  # noqa: E402 pylint: disable=import-error,import-outside-toplevel
    cases = make.to_measure()
    lines = readers.ask(readers.crate(), [(data, len(data)) for _, data in cases])
    rows = ["%s\t%s" % (path, said(line)) for (path, _), line in zip(cases, lines)]
    with open(os.path.join(manifest.CORPUS, "measured.tsv"), "w", encoding="utf-8") as f:
        f.write("\n".join(["file\treference_verdict", *sorted(rows)]) + "\n")
    print("%d verdicts" % len(rows))
    return 0


def main():
    if sys.argv[1:] == ["--measure"]:
        return measure()
    rows = manifest.read_table("corpus/manifest.tsv")
    files = [manifest.read_file(row["file"]) for row in rows]
    wrong, seen = 0, collections.Counter()
    for row, data, line in zip(rows, files, readers.ask(readers.crate(), [(data, len(data)) for data in files])):
        kind, trouble = check(row, data, line)
        seen[kind] += 1
        if trouble:
            wrong += 1
            print("%s: the reference reports %s; %s" % (row["file"], line[:200], trouble))
    print(", ".join("%s: %d" % item for item in sorted(seen.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
