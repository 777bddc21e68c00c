#!/usr/bin/env python3
"""Compare what the package reports of a file with spec/model.py, the executable model of the specification.

    CORPUS=corpus against_model.py COUNT    the corpus, and COUNT generated files: needs the package and no other
"""
import os
import platform
import sys

import assay
from assay import _check

VERDICTS = {"valid": assay.Verdict.VALID, "invalid": assay.Verdict.INVALID, "not judged": assay.Verdict.NOT_JUDGED}


def load(corpus):
    """Return the modules of the model and of its generator of files, from the tree of this corpus."""
    tree = os.path.dirname(os.path.abspath(corpus))
    for folder in ("spec", os.path.join("assurance", "model")):
        if os.path.join(tree, folder) not in sys.path:
            sys.path.append(os.path.join(tree, folder))
    import generate_cases
    import model
    return model, generate_cases


def limits_of(options):
    """Return Limits of the model's options."""
    names = {"max_header": "header_bytes", "max_tensors": "tensors", "max_rank": "rank", "max_name": "name_bytes",
             "max_metadata": "metadata_pairs"}
    return assay.Limits(**{names[name]: value for name, value in options.items()})


def assert_same(judged, right, what):
    """Compare a verdict and, for a valid file, its view with the model's result. judged: a _check.Judged."""
    report = judged.report
    assert report.verdict is VERDICTS[right.verdict], what
    assert (report.code, report.rule or "", report.offset, report.tensor_place, report.other_place, report.expected,
            report.found) == (right.code, right.id, *right.error()[1:]), what
    assert str(report).isprintable(), what
    if not report.valid:
        assert judged.view is None, what
        return
    with assay.File(judged, data=b"") as file:
        base = report.header_bytes + 8
        assert [(t.name, t.dtype, list(t.shape), t.begin - base, t.end - base, t.index) for t in file.values()] == [
            (t.name, t.dtype, list(t.shape), t.begin, t.end, t.place) for t in right.tensors], what
        found = None if file.metadata is None else list(file.metadata.items())
        assert found == right.metadata, what
        for k, tensor in enumerate(right.tensors):
            found = file._view.find(tensor.name)
            row = None if found is None else found.numbers()
            assert row is not None and (row[0], row[1] - base) == (tensor.place, tensor.begin), (what, k)
        assert file._view.find("none of them \ud800") is None, what


def official_table(data):
    """Return what the official package reads of a whole file: {name: (dtype or None, shape, bytes)}."""
    import safetensors
    return {name: (tensor["dtype"], list(tensor["shape"]), bytes(tensor["data"]))
            for name, tensor in safetensors.deserialize(data)}


def our_table(data):
    with assay.open(data) as file:
        return {name: (tensor.dtype, list(tensor.shape), bytes(tensor.buffer())) for name, tensor in file.items()}


def judge_corpus(corpus):
    """Compare every file of the corpus with its manifest; read the data of the valid ones. Return their number."""
    with open(os.path.join(corpus, "manifest.tsv"), encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split("\t")
        rows = [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]
    for row in rows:
        path = os.path.join(corpus, row["file"])
        report = assay.check(path)
        assert (assay.Verdict[row["verdict"].upper().replace(" ", "_")], row["rule"]) == (
            report.verdict, report.rule or ""), (row["file"], report)
        assert report.valid or row["offset"] == str(report.offset), (row["file"], report)
        if report.valid:
            with open(path, "rb") as file:
                data = file.read()
            for access in ("map", "read"):
                with assay.open(path, access=access) as file:
                    for tensor in file.values():
                        assert bytes(tensor.buffer()) == data[tensor.begin:tensor.end], (row["file"], tensor)
    return len(rows)


def main(count):
    corpus = os.environ["CORPUS"]
    files = judge_corpus(corpus)
    model, generator = load(corpus)
    for data, size, options in generator.cases(1, count):
        assert_same(_check.judge_head(data, size), model.judge(data, size), (data, size))
        assert_same(_check.judge_head(data, size, limits_of(options)), model.judge(data, size, options),
                    (data, size, options))
    print("%s %s, %s, %s-endian: %d files of the corpus, %d generated ones: as specified" % (
        platform.python_implementation(), platform.python_version(), platform.machine(), sys.byteorder, files, count))


if __name__ == "__main__":
    main(int(sys.argv[1]))
