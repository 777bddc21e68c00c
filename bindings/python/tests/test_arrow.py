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


def test_public_only_of_a_table(write):
    """A path from a stranger is opened no more than an address is."""
    paths = [str(write("good.safetensors", [("a", "U8", [1], 0, 1)], b"x")), "http://127.0.0.1:1/x"]
    found = assay.arrow.check_batch(pyarrow.table({"path": paths}), public_only=True)
    assert found.column("verdict").to_pylist() == ["not judged"] * 2


def test_written_verdicts(write, twice, tmp_path):
    """Partitions by verdict, a second run that does what is left, and a batch that is written again."""
    folder = str(tmp_path / "verdicts")
    paths = [str(write("%d.safetensors" % k, [("a", "U8", [1], 0, 1)], b"x")) for k in range(10)]
    paths += [str(twice), str(tmp_path / "none")]
    table = pyarrow.table({"path": paths})
    assert assay.arrow.verdicts(folder) is None and assay.arrow.unjudged(table, folder) == table
    first = assay.arrow.check_batch(table.slice(0, 5))
    for _ in range(2):
        counts = assay.arrow.write_batch(first, folder).to_pylist()
    assert [(row["verdict"], row["files"]) for row in counts] == [("valid", 5), ("invalid", 0), ("not judged", 0)]
    left = assay.arrow.unjudged(table, folder)
    assert left.column("path").to_pylist() == paths[5:]
    assay.arrow.write_batch(assay.arrow.check_batch(left), folder)
    assert assay.arrow.unjudged(table, folder).num_rows == 0
    found = {row["path"]: row for row in assay.arrow.verdicts(folder).to_pylist()}
    assert len(found) == assay.arrow.verdicts(folder).num_rows == 12
    assert [found[path]["verdict"] for path in paths] == ["valid"] * 10 + ["invalid", "not judged"]
    assert found[str(twice)]["rule"] == "G2" and {p.name for p in (tmp_path / "verdicts").iterdir()} == {
        "verdict=valid", "verdict=invalid", "verdict=not%20judged"}


def test_written_verdicts_are_whole(write, tmp_path, monkeypatch):
    """What is interrupted while it writes leaves nothing that a reader takes for verdicts."""
    folder = str(tmp_path / "verdicts")
    path = str(write("a.safetensors", [("a", "U8", [1], 0, 1)], b"x"))
    table = assay.arrow.check_batch(pyarrow.table({"path": [path]}))

    def stop(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        assay.arrow.write_batch(table, folder)
    monkeypatch.undo()
    assert assay.arrow.verdicts(folder) is None
    assay.arrow.write_batch(table, folder)
    assert assay.arrow.verdicts(folder).num_rows == 1
