"""Write the outcomes of lines to files, and read those that are not for users: records and counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives.file_system import FileSystem, without_globs
from openlineage_facets.spark.archives.outcomes.line_outcomes import QUARANTINE, RECORDS, SUMMARY, VALID


def write_outcomes(outcomes: DataFrame, folder: str, files: FileSystem, compression: str) -> dict[str, str]:
    """Write the rows of `line_outcomes` in one pass.

    Args:
        outcomes: The rows.
        folder: New folder.
        files: The file systems of the session.
        compression: A codec of Spark's text files, or "none".

    Returns:
        The folder of each outcome. All exist.
    """
    with _open_files(outcomes.sparkSession):
        outcomes.write.partitionBy("outcome").option("lineSep", "\n").text(folder, compression=compression)
    written = {name: f"{folder}/outcome={name}" for name in (VALID, QUARANTINE, RECORDS, SUMMARY)}
    for path in written.values():
        files.make(path)
    return written


@contextmanager
def _open_files(spark: SparkSession) -> Iterator[None]:
    """Let tasks write all outcomes at the same time. By default, Spark sorts all lines by outcome."""
    name = "spark.sql.maxConcurrentOutputFileWriters"
    before = spark.conf.get(name)
    spark.conf.set(name, "4")
    try:
        yield
    finally:
        spark.conf.set(name, before or "0")


def text_in(spark: SparkSession, *folders: str) -> DataFrame:
    """Return the lines of an outcome in the column `value`."""
    paths = [without_globs(folder) for folder in folders]
    return spark.read.schema("value string").option("lineSep", "\n").text(paths)
