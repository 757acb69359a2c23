"""Validate and fold a stream of events, such as a Kafka topic."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.file_system import FileSystem, folder_path
from openlineage_facets.spark.archives.lines.event_columns import assert_text_column
from openlineage_facets.spark.archives.streams.batch_writer import BatchWriter

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

_CHECKPOINT = "checkpoint"


def fold_stream(
    events: DataFrame,
    folder: str | PathLike[str],
    *,
    column: str = "value",
    every: str | None = None,
    available_now: bool = False,
    valid: bool = True,
    null_is_absent: bool = False,
    compression: str = "none",
) -> StreamingQuery:
    r"""Start a query that validates the events of a stream and folds them into a state, each exactly once.

    To continue after a failure, call the function again with the same folder. A batch that was not finished
    is repeated and replaces its own results, so that no line is lost or written twice.

    `folder` contains `valid` and `quarantine`, with a folder for each batch; `records`, the state for
    `LineageTables.load(spark, folder)`; `counts`, a row of counts for each batch; and `checkpoint`, the
    positions in the source.

    Args:
        events: A streaming table with an event in each row. All columns but the event are stored with
            quarantined lines.
        folder: A new folder, or that of an earlier query for the same source.
        column: The string or binary column with the events. Null and blank text are ignored.
        every: The time between the beginnings of two batches, such as "1 minute". By default, each batch
            begins when the last one is finished.
        available_now: Process what is there, in batches as limited by the source, and stop.
        valid: Whether to store valid lines.
        null_is_absent: Read fields that are null as absent, see `read_events`.
        compression: The compression of lines: "none", "gzip", "bzip2" or another codec of Spark's text files.

    Returns:
        The running query. `awaitTermination()` waits for its end and raises its errors.

    Raises:
        ValueError: `events` is not a stream or has no such column, both `every` and `available_now` were
            passed, or the session is a Spark Connect session.
        FileExistsError: The folder contains files but no checkpoint of an earlier query.

    Example:
        >>> topic = spark.readStream.format("kafka").option("subscribe", "lineage")
        >>> records = topic.option("kafka.bootstrap.servers", "localhost:9092").load()
        >>> fold_stream(records, "s3a://lake/lineage", every="1 minute").awaitTermination()
    """
    assert_text_column(events, column)
    if not events.isStreaming:
        raise ValueError(
            "events: expected a stream, such as spark.readStream.format('kafka'), found a table; "
            "use fold_events or split_archive"
        )
    if every is not None and available_now:
        raise ValueError("expected every or available_now, found both; leave one out")
    spark = events.sparkSession
    path = folder_path("folder", folder)
    files = FileSystem(spark)
    names = files.names(path)
    if names and _CHECKPOINT not in names:
        raise FileExistsError(
            f"{path}: already exists, but has no folder '{_CHECKPOINT}' of an earlier query; "
            "restore it or choose another folder"
        )
    files.make(f"{path}/{_CHECKPOINT}")
    files.make(f"{path}/records")
    write = BatchWriter(spark, path, valid=valid, null_is_absent=null_is_absent, compression=compression)
    writer = _lines(events, column).writeStream.foreachBatch(write)
    if available_now:
        writer = writer.trigger(availableNow=True)
    elif every is not None:
        writer = writer.trigger(processingTime=every)
    return writer.option("checkpointLocation", f"{path}/{_CHECKPOINT}").start()


def _lines(events: DataFrame, column: str) -> DataFrame:
    """Return the events as bytes, and all other columns as a JSON object."""
    others = [events[name] for name in events.columns if name != column]
    origin = sql.to_json(sql.struct(*others)) if others else sql.lit("{}")
    line = sql.coalesce(events[column].cast("binary"), sql.lit(b""))
    return events.select(line.alias("line"), origin.alias("origin"))
