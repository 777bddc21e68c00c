#!/usr/bin/env python3
"""Fuzz the package with Atheris: whatever the bytes are, it reports what spec/model.py reports, and does nothing else.

    CORPUS=corpus fuzz_model.py [options of libFuzzer] [folder of inputs]

The package and the model are instrumented: an input counts as new if it reaches something new in either.
"""
import json
import os
import sys

import atheris

with atheris.instrument_imports(include=["assay", "model"]):
    import against_model
    import assay
    from assay import _check

    model, _ = against_model.load(os.environ["CORPUS"])


def judge(data):
    """Compare the verdict with that of the model; then look at everything that a report and a file can show."""
    judged = _check.judge(data)
    against_model.assert_same(judged, model.judge(data), data)
    # As all that is there of a larger file: the header alone decides what is wrong.
    size = len(data) + data[-1] if data else 1
    against_model.assert_same(_check.judge_head(data, size), model.judge(data, size), (data, size))
    report = judged.report
    assert json.loads(report.to_json())["rule"] == report.rule
    assert all(line.isprintable() for line in repr(report).split("\n")) and "\x1b" not in report._repr_html_()
    if not report.valid:
        try:
            assay.open(data)
        except assay.AssayError as error:
            assert error.report == report
            return
        raise AssertionError("an invalid file was opened")
    with assay.open(data) as file:
        assert all(line.isprintable() for line in repr(file).split("\n")) and file._repr_html_().isprintable()
        for tensor in file.values():
            assert len(tensor.buffer()) == tensor.nbytes and repr(tensor).isprintable()


def mutate(data, most, seed):
    """Change the header alone, three times of four, and write its new length before it: else almost every input would
    end at the length."""
    length = int.from_bytes(data[:8], "little")
    if seed % 4 == 0 or len(data) < 8 + length:
        return atheris.Mutate(data, most)
    header, rest = data[8:8 + length], data[8 + length:]
    if 8 + len(rest) >= most:
        return atheris.Mutate(data, most)
    header = atheris.Mutate(header, most - 8 - len(rest))
    return len(header).to_bytes(8, "little") + header + rest


if __name__ == "__main__":
    atheris.Setup(sys.argv, judge, custom_mutator=mutate)
    atheris.Fuzz()
