"""Streams: the source, the sink, and the writes of foreachBatch are captured."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter

from openlineage_facets.spark import SparkRun, inputs_of
from openlineage_facets.spark.datasets import rdd_sources
from tests.spark.automatic.test_writes import change
from tests.spark.run.conftest import Events, files_below

pytestmark = pytest.mark.check


@pytest.fixture
def arriving(spark: SparkSession, tmp_path: Path) -> str:
    """Return a folder with three files of ten rows."""
    path = str(tmp_path / "arriving")
    for number in range(3):
        spark.range(number * 10, number * 10 + 10, 1, 1).write.mode("append").json(path)
    return path


@pytest.fixture
def writer(spark: SparkSession, arriving: str, tmp_path: Path) -> DataStreamWriter:
    """Return a writer of three batches."""
    stream = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).json(arriving)
    options = {"checkpointLocation": str(tmp_path / "checkpoint")}
    return stream.selectExpr("id * 2 AS twice").writeStream.options(**options).trigger(availableNow=True)


@pytest.mark.usefixtures("without_gaps")
def test_the_files_of_a_stream_are_an_output(
    spark: SparkSession, events: Events, writer: DataStreamWriter, arriving: str, target: str
) -> None:
    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.format("parquet").start(target).awaitTermination(60)
    assert (events.inputs, events.outputs) == ([arriving], [target])
    assert change(events, target) == "CREATE"
    assert list(events.output(target)["columnLineage"].fields) == ["twice"]
    assert events.input(arriving)["inputStatistics"].row_count == 30
    assert "outputStatistics" not in events.output(target)  # Spark's sink of files does not count rows.
    assert events.facets["job"]["jobType"].processing_type == "STREAMING"


@pytest.mark.usefixtures("without_gaps")
def test_the_table_of_a_stream_is_an_output(
    spark: SparkSession, events: Events, writer: DataStreamWriter, arriving: str
) -> None:
    spark.sql("DROP TABLE IF EXISTS streamed")
    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.toTable("streamed").awaitTermination(60)
    assert events.inputs == [arriving]
    (name,) = events.outputs
    assert name.endswith("/streamed")
    assert change(events, name) == "CREATE"


@pytest.mark.usefixtures("without_gaps")
def test_the_writes_of_all_batches_add_up(
    spark: SparkSession, events: Events, writer: DataStreamWriter, arriving: str, target: str
) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        batch.write.mode("append").parquet(target)
        batch._jdf.write().mode("append").parquet(f"{target}-by-library")

    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.foreachBatch(keep).start().awaitTermination(60)
    assert sorted(events.outputs) == [target, f"{target}-by-library"]
    assert events.output(target)["outputStatistics"].row_count == 30
    assert events.output(f"{target}-by-library")["outputStatistics"].row_count == 30
    assert events.inputs == [arriving]


@pytest.mark.parametrize("is_written_first", [True, False])
def test_the_files_of_all_batches_are_counted_once(
    spark: SparkSession,
    events: Events,
    writer: DataStreamWriter,
    arriving: str,
    target: str,
    is_written_first: bool,
) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        if is_written_first:
            batch.write.mode("append").parquet(target)
        batch.createOrReplaceTempView("batch")
        batch.sparkSession.sql(f"INSERT OVERWRITE DIRECTORY '{target}-again' USING parquet TABLE batch")

    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.foreachBatch(keep).start().awaitTermination(60)
    files = files_below(arriving)
    statistics = events.input(arriving)["inputStatistics"]
    assert (statistics.row_count, statistics.file_count) == (None, len(files))
    assert statistics.size == sum(file.stat().st_size for file in files)


def test_the_columns_of_batches_have_the_lineage_of_the_stream(
    spark: SparkSession, events: Events, writer: DataStreamWriter, arriving: str, target: str
) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        summed = batch.where("twice > 0").selectExpr("sum(twice) AS total")
        summed.write.mode("append").parquet(target)
        summed._jdf.write().mode("append").parquet(f"{target}-by-library")

    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.foreachBatch(keep).start().awaitTermination(60)
    for path in (target, f"{target}-by-library"):
        assert sources(events.output(path)) == (
            {"total": {(arriving, "id", "AGGREGATION")}},
            {(arriving, "id", "FILTER")},
        )
    assert not rdd_sources._streams


def test_streams_with_the_same_columns_of_different_rows_have_no_lineage_of_rows(
    spark: SparkSession, events: Events, arriving: str, target: str, tmp_path: Path
) -> None:
    stream = spark.readStream.schema("id long, kind string").json(arriving)
    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        for number, condition in enumerate(("id > 5", "kind IS NULL")):
            writer = stream.where(condition).writeStream.option("checkpointLocation", f"{tmp_path}/{number}")
            keep = partial(append_batch, f"{target}-{number}")
            writer.foreachBatch(keep).trigger(availableNow=True).start().awaitTermination(60)
    columns = {name: {(arriving, name, "IDENTITY")} for name in ("id", "kind")}
    assert sources(events.output(f"{target}-0")) == (columns, {(arriving, "id", "FILTER")})
    assert sources(events.output(f"{target}-1")) == (columns, set())


def append_batch(path: str, batch: DataFrame, number: int) -> None:
    batch.write.mode("append").parquet(path)


def sources(facets: dict) -> tuple[dict[str, set[tuple]], set[tuple]]:
    """Return dataset, column and subtype of the sources of each column, and of the rows."""

    def each(found: list) -> set[tuple]:
        return {(one.name, one.field, how.subtype) for one in found for how in one.transformations}

    lineage = facets["columnLineage"]
    columns = {name: each(field.input_fields) for name, field in lineage.fields.items()}
    return columns, each(lineage.dataset or [])


def test_a_stream_that_a_library_starts_is_named_in_one_message(
    spark: SparkSession,
    events: Events,
    writer: DataStreamWriter,
    orders: DataFrame,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with SparkRun(spark, "etl", "stream", emit=events):
        java = writer.queryName("ingest")._jwrite
        java.format("parquet").start(target).awaitTermination()
        orders.count()
    assert spark.read.parquet(target).count() == 30
    (message,) = (record.getMessage() for record in caplog.records)
    assert message.startswith(
        "lineage of etl/stream: not captured: the stream ingest, which was not started by PySpark's own "
        "methods; add its sources and its sink"
    )


def test_a_stream_of_an_inner_run_is_captured_for_the_outer_one(
    spark: SparkSession, events: Events, writer: DataStreamWriter, caplog: pytest.LogCaptureFixture
) -> None:
    with SparkRun(spark, "etl", "outer", emit=events), SparkRun(spark, "etl", "inner", emit=events):
        writer.format("noop").start().awaitTermination(60)
    assert "the stream" not in caplog.text


def test_a_sink_that_cannot_be_named_is_logged(
    spark: SparkSession, events: Events, writer: DataStreamWriter, caplog: pytest.LogCaptureFixture
) -> None:
    def ignore(row: object) -> None: ...

    with SparkRun(spark, "etl", "stream", emit=events):
        writer.foreach(ignore).start().awaitTermination(60)
    assert events.outputs == []
    assert "could not find the write target" in caplog.text


def test_rows_of_batches_whose_progress_is_discarded_are_not_counted(
    spark: SparkSession,
    events: Events,
    writer: DataStreamWriter,
    arriving: str,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    setting = "spark.sql.streaming.numRecentProgressUpdates"
    spark.conf.set(setting, 3)
    try:
        with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
            writer.format("parquet").start(target).awaitTermination(60)
    finally:
        spark.conf.unset(setting)
    assert "inputStatistics" not in events.input(arriving)
    assert f"Spark keeps the progress of only 2 batches; increase {setting}" in caplog.text


def test_rows_of_two_sources_are_counted_apart(
    spark: SparkSession, events: Events, arriving: str, target: str, tmp_path: Path
) -> None:
    spark.range(7).coalesce(1).write.json(f"{target}-other")
    streams = [spark.readStream.schema("id long").json(path) for path in (arriving, f"{target}-other")]
    writer = streams[0].union(streams[1]).writeStream.option("checkpointLocation", str(tmp_path / "check"))
    with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
        writer.trigger(availableNow=True).format("parquet").start(target).awaitTermination(60)
    assert events.input(arriving)["inputStatistics"].row_count == 30
    assert events.input(f"{target}-other")["inputStatistics"].row_count == 7


def test_rows_are_counted_until_the_stream_fails(
    spark: SparkSession, events: Events, arriving: str, target: str, tmp_path: Path
) -> None:
    stream = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).json(arriving)
    broken = stream.selectExpr("if(id = 0, assert_true(false), id) AS id")
    writer = broken.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))

    def job() -> None:
        with SparkRun(spark, "etl", "stream", emit=events, on_error="raise"):
            writer.trigger(availableNow=True).format("parquet").start(target).awaitTermination(60)

    with pytest.raises(StreamingQueryException):
        job()
    assert events.types[-1] == "FAIL"
    assert "outputStatistics" not in events.output(target)


def test_a_folder_that_a_stream_has_written_has_its_full_path(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).write.parquet(f"{tmp_path}/numbers")
    numbers = spark.readStream.schema("id long").parquet(f"{tmp_path}/numbers")
    options = {"checkpointLocation": f"{tmp_path}/checkpoint", "path": f"{tmp_path}/copies"}
    numbers.writeStream.options(**options).trigger(availableNow=True).start().awaitTermination()
    (copies,) = inputs_of(spark.read.parquet(os.path.relpath(f"{tmp_path}/copies")))
    assert (copies.namespace, copies.name) == ("file", f"{tmp_path}/copies")
