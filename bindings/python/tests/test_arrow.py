"""Verdicts as Arrow tables."""
import pytest

import assay

pyarrow = pytest.importorskip("pyarrow")
import assay.arrow  # noqa: E402


def test_batch(write, twice, tmp_path):
    good = write("good.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    large = tmp_path / "large.safetensors"
    large.write_bytes(b"\xff" * 8 + b"{}")
    paths = [str(p) for p in (good, twice, tmp_path / "none", large)]
    found = assay.arrow.check_batch(pyarrow.table({"path": paths}))
    assert found.schema == assay.arrow.schema() and found.column("path").to_pylist() == paths
    assert found.column("verdict").to_pylist() == ["valid", "invalid", "not judged", "invalid"]
    assert found.column("rule").to_pylist() == [None, "G2", None, "F2"]
    assert found.column("found").to_pylist() == [None, None, None, 2**64 - 1]
    spark = pyarrow.Table.from_batches(assay.arrow.check_batches(pyarrow.table({"path": paths}).to_batches()))
    assert [int(x) if x is not None else None for x in spark.column("found").to_pylist()] == [None, None, None, 2**64 - 1]
    assert spark.column("message").to_pylist() == [assay.check(p).message for p in paths]
