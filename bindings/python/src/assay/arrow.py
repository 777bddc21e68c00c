"""Many files in data frames: from an Arrow table of paths to an Arrow table of verdicts. Needs pyarrow.

    Ray Data    dataset.map_batches(assay.arrow.check_batch, batch_format="pyarrow")
    Spark       frame.mapInArrow(assay.arrow.check_batches, assay.arrow.SPARK_SCHEMA)
    plain       for batch in unjudged(table, "verdicts").to_batches(10_000): write_batch(check_batch(batch), "verdicts")
    pandas      frame.join(pandas.DataFrame(map(assay.arrow.row, map(assay.check, frame.path))), rsuffix="_checked")

The functions are pure and can be sent to any process that has assay. A report has no value that is not in its row.
"""
from . import _check, _url
from ._report import WORDS

# name, type in Arrow, type in Spark
_COLUMNS = [("path", "string", "string"), ("verdict", "string", "string"), ("rule", "string", "string"),
            ("rule_name", "string", "string"), ("code", "uint32", "bigint"), ("offset", "uint64", "decimal(20)"),
            ("tensor", "string", "string"), ("expected", "uint64", "decimal(20)"), ("found", "uint64", "decimal(20)"),
            ("tensors", "uint64", "decimal(20)"), ("header_bytes", "uint64", "decimal(20)"),
            ("file_bytes", "uint64", "decimal(20)"), ("message", "string", "string")]
SPARK_SCHEMA = ", ".join("%s %s" % (name, spark) for name, _, spark in _COLUMNS)


def schema():
    """Return the schema of the result."""
    import pyarrow
    return pyarrow.schema([(name, getattr(pyarrow, arrow)()) for name, arrow, _ in _COLUMNS])


def row(report):
    """Return a report as a dict of the columns."""
    return dict({name: getattr(report, name) for name, _, _ in _COLUMNS}, verdict=WORDS[report.verdict])


def to_table(reports):
    """Return reports as a table."""
    import pyarrow
    return pyarrow.Table.from_pylist([row(report) for report in reports], schema())


def _any(source, **options):
    """Judge a path or an address."""
    if "://" in source or options.get("public_only"):
        return _url.check_url(source, **options)
    return _check.check(source, limits=options.get("limits"))


def check_batch(table, column="path", threads=8, **options):
    """Judge the files in a column: paths and addresses. threads: how many at a time, which matters for addresses.
    options: those of check_url. Return a table of the same length, in the same order."""
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(threads) as pool:
        return to_table(pool.map(lambda source: _any(source, **options), table.column(column).to_pylist()))


def check_batches(batches, column="path", **options):
    """The same for an iterator of record batches, for Spark's mapInArrow: numbers are decimals, as Spark has them."""
    import pyarrow
    spark = pyarrow.schema([(name, pyarrow.decimal128(20) if kind == "decimal(20)" else pyarrow.int64()
                             if kind == "bigint" else pyarrow.string()) for name, _, kind in _COLUMNS])
    for batch in batches:
        found = check_batch(pyarrow.Table.from_batches([batch]), column, **options)
        yield from found.cast(spark).to_batches()


def write_batch(table, folder):
    """Write verdicts to FOLDER/verdict=.../NAME.parquet, a folder for each verdict. Return a table of how many.

    A file is there whole or not at all, and its name comes from the paths in it: to write a batch again, after a crash
    or because a scheduler has repeated a task, changes nothing."""
    import hashlib
    import os
    import urllib.parse

    import pyarrow
    import pyarrow.compute
    from pyarrow import parquet
    counts = []
    name = hashlib.sha256("\0".join(table.column("path").to_pylist()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    for verdict in WORDS:
        part = table.filter(pyarrow.compute.equal(table.column("verdict"), verdict))
        counts.append({"verdict": verdict, "files": part.num_rows})
        if part.num_rows:
            inside = os.path.join(folder, "verdict=" + urllib.parse.quote(verdict))
            os.makedirs(inside, exist_ok=True)
            target = os.path.join(inside, name + ".parquet")
            unfinished = "%s/.%s.%d" % (inside, name, os.getpid())
            parquet.write_table(part.drop_columns(["verdict"]), unfinished)
            os.replace(unfinished, target)
    return pyarrow.Table.from_pylist(counts)


def verdicts(folder):
    """Return what write_batch has written, as one table, or None if there is nothing yet."""
    import glob
    import os

    import pyarrow.dataset
    if not glob.glob(os.path.join(glob.escape(folder), "verdict=*", "*.parquet")):
        return None
    return pyarrow.dataset.dataset(folder, format="parquet", partitioning="hive",
                                   exclude_invalid_files=False).to_table()


def unjudged(table, folder, column="path"):
    """Return the rows of a table whose paths are not in the folder yet, so that what was interrupted goes on."""
    import pyarrow
    import pyarrow.compute
    done = verdicts(folder)
    if done is None:
        return table
    judged = done.column("path").cast(table.schema.field(column).type)
    return table.filter(pyarrow.compute.invert(pyarrow.compute.is_in(table.column(column), value_set=judged)))
