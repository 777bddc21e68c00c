"""Against the executable model: generated files, cuts of the corpus; against the official package: tables."""
import os
import random

import pytest

import against_model
import assay
from assay import _check

FILES = int(os.environ.get("FILES", 20000))
SEED = 22


@pytest.fixture(scope="module")
def model(corpus):
    return against_model.load(corpus)


def test_generated_files(model):
    """Verdict, every error field, tensors and metadata of 20,000 files; of a third of them also with random limits."""
    model, generator = model
    seen = {}
    for k, (data, size, options) in enumerate(generator.cases(SEED, FILES)):
        right = model.judge(data, size)
        against_model.assert_same(_check.judge_head(data, size), right, (data, size))
        if len(data) == size:
            against_model.assert_same(_check.judge(data), right, data)
        if k % 3 == 0:
            limits = against_model.limits_of(options)
            against_model.assert_same(_check.judge_head(data, size, limits), model.judge(data, size, options),
                                      (data, size, options))
        seen[right.name] = seen.get(right.name, 0) + 1
    # A generator that makes one kind of file alone would show nothing.
    assert seen["ok"] > 0.3 * FILES and set(model.RULES) <= set(seen), seen


def test_tables_of_generated_files(model):
    """The official package reads every file that is valid, and reads the same."""
    pytest.importorskip("safetensors")
    model, generator = model
    count = 0
    for data, size in generator.files(SEED + 1, FILES // 4):
        if size - len(data) > 10000 or not _check.judge_head(data, size).report.valid:
            continue
        whole = data + random.Random(count).randbytes(size - len(data))
        right, found = against_model.official_table(whole), against_model.our_table(whole)
        assert found == right, whole
        count += 1
    assert count > FILES // 20


def test_every_cut_of_the_corpus(model, manifest, corpus):
    """Every beginning of a file: as a whole file, and as all that is there of the file."""
    model, _ = model
    files = cuts = 0
    for row in manifest[::25]:
        path = os.path.join(corpus, row["file"])
        if os.path.getsize(path) > 1000:
            continue
        with open(path, "rb") as file:
            data = file.read()
        for size in range(len(data) + 1):
            cut = data[:size]
            against_model.assert_same(_check.judge(cut), model.judge(cut), cut)
            against_model.assert_same(_check.judge_head(cut, len(data)), model.judge(cut, len(data)), (cut, len(data)))
            cuts += 1
        files += 1
    assert files > 40 and cuts > 5000


def test_every_cut_of_a_file_on_disk(model, tmp_path):
    """The same through a path: each cut is opened, judged, and refused by open()."""
    model, generator = model
    data = next(data for data, size in generator.files(SEED + 2, 1000)
                if len(data) == size > 300 and _check.judge(data).report.valid)
    path = tmp_path / "cut.safetensors"
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        against_model.assert_same(_check.judge_path(path), model.judge(data[:size]), data[:size])
        if size < len(data):
            with pytest.raises(assay.AssayError):
                assay.open(path)
