"""Streams: the source, the sink, and the writes of foreachBatch are captured."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter

from openlineage_facets.spark import inputs_of
from openlineage_facets.spark.datasets import rdd_sources
from tests.spark.etl_job import EtlJob, files_below

pytestmark = pytest.mark.check


@pytest.fixture
def writer(spark: SparkSession, arriving: str, tmp_path: Path) -> DataStreamWriter:
    """Return a writer of three batches."""
    stream = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).json(arriving)
    options = {"checkpointLocation": str(tmp_path / "checkpoint")}
    return stream.selectExpr("id * 2 AS twice").writeStream.options(**options).trigger(availableNow=True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("is_written_first", "is_cached"),
    [
        pytest.param(True, False, marks=pytest.mark.thorough),
        (True, True),
        pytest.param(False, False, marks=pytest.mark.thorough),
    ],
)
def test_the_files_of_all_batches_are_counted_once(
    etl: EtlJob, writer: DataStreamWriter, arriving: str, is_written_first: bool, is_cached: bool
) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        if is_cached:
            batch = batch.where("twice >= 0").persist()
        if is_written_first:
            batch.write.mode("append").parquet(etl.target)
        batch.createOrReplaceTempView("batch")
        batch.sparkSession.sql(f"INSERT OVERWRITE DIRECTORY '{etl.target}-again' USING parquet TABLE batch")

    with etl.run("stream"):
        writer.foreachBatch(keep).start().awaitTermination(60)
    files = files_below(arriving)
    statistics = etl.events.input(arriving)["inputStatistics"]
    assert (statistics.row_count, statistics.file_count) == (None, len(files))
    assert statistics.size == sum(file.stat().st_size for file in files)


@pytest.mark.thorough
def test_the_columns_of_batches_have_the_lineage_of_the_stream(
    etl: EtlJob, writer: DataStreamWriter, arriving: str
) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        summed = batch.where("twice > 0").selectExpr("sum(twice) AS total")
        summed.write.mode("append").parquet(etl.target)
        summed._jdf.write().mode("append").parquet(f"{etl.target}-by-library")

    with etl.run("stream"):
        writer.foreachBatch(keep).start().awaitTermination(60)
    for path in (etl.target, f"{etl.target}-by-library"):
        assert sources(etl.events.output(path)) == (
            {"total": {(arriving, "id", "AGGREGATION")}},
            {(arriving, "id", "FILTER")},
        )
    assert not rdd_sources._streams


@pytest.mark.thorough
@pytest.mark.usefixtures("without_gaps")
def test_the_memory_table_of_a_stream_has_its_sources(
    etl: EtlJob, writer: DataStreamWriter, arriving: str
) -> None:
    with etl.run("stream"):
        writer.format("memory").queryName("doubled").start().awaitTermination(60)
        doubled = etl.spark.table("doubled")
        doubled.where("twice > 0").write.parquet(etl.target)
        doubled._jdf.write().parquet(f"{etl.target}-by-library")
    etl.spark.catalog.dropTempView("doubled")
    assert etl.events.inputs == [arriving]
    assert sorted(etl.events.outputs) == [etl.target, f"{etl.target}-by-library"]
    twice = {"twice": {(arriving, "id", "TRANSFORMATION")}}
    assert sources(etl.events.output(etl.target)) == (twice, {(arriving, "id", "FILTER")})
    assert sources(etl.events.output(f"{etl.target}-by-library")) == (twice, set())
    assert not rdd_sources._streams


@pytest.mark.thorough
def test_an_unknown_memory_table_is_named_in_one_message(etl: EtlJob, writer: DataStreamWriter) -> None:
    writer.format("memory").queryName("doubled").start().awaitTermination(60)
    with etl.run("copy"):
        etl.spark.table("doubled").write.parquet(etl.target)
    etl.spark.catalog.dropTempView("doubled")
    assert (etl.events.inputs, etl.events.outputs) == ([], [etl.target])
    assert etl.messages == [
        "lineage of etl/copy: cannot find the sources of the memory table of a stream: it was not started in "
        "this run by PySpark's own methods; name the table with run.read(df, dataset=(namespace, name))"
    ]


@pytest.mark.thorough
def test_streams_with_the_same_columns_of_different_rows_have_no_lineage_of_rows(
    etl: EtlJob, arriving: str
) -> None:
    stream = etl.spark.readStream.schema("id long, kind string").json(arriving)
    with etl.run("stream"):
        for number, condition in enumerate(("id > 5", "kind IS NULL")):
            writer = stream.where(condition).writeStream.option(
                "checkpointLocation", f"{etl.tmp_path}/{number}"
            )
            keep = partial(append_batch, f"{etl.target}-{number}")
            writer.foreachBatch(keep).trigger(availableNow=True).start().awaitTermination(60)
    columns = {name: {(arriving, name, "IDENTITY")} for name in ("id", "kind")}
    assert sources(etl.events.output(f"{etl.target}-0")) == (columns, {(arriving, "id", "FILTER")})
    assert sources(etl.events.output(f"{etl.target}-1")) == (columns, set())


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
    etl: EtlJob, writer: DataStreamWriter
) -> None:
    with etl.run("stream", on_error="log"):
        java = writer.queryName("ingest")._jwrite
        java.format("parquet").start(etl.target).awaitTermination()
        etl.orders.count()
    assert etl.spark.read.parquet(etl.target).count() == 30
    (message,) = (record.getMessage() for record in etl.caplog.records)
    assert message.startswith(
        "lineage of etl/stream: not captured: the stream ingest, which was not started by PySpark's own "
        "methods; add its sources and its sink"
    )


def test_a_stream_of_an_inner_run_is_captured_for_the_outer_one(
    etl: EtlJob, writer: DataStreamWriter
) -> None:
    with etl.run("outer", on_error="log"), etl.run("inner", on_error="log"):
        writer.format("noop").start().awaitTermination(60)
    assert "the stream" not in etl.caplog.text


@pytest.mark.thorough
def test_rows_of_batches_whose_progress_is_discarded_are_not_counted(
    etl: EtlJob, writer: DataStreamWriter, arriving: str
) -> None:
    setting = "spark.sql.streaming.numRecentProgressUpdates"
    etl.spark.conf.set(setting, 3)
    try:
        with etl.run("stream"):
            writer.format("parquet").start(etl.target).awaitTermination(60)
    finally:
        etl.spark.conf.unset(setting)
    assert "inputStatistics" not in etl.events.input(arriving)
    assert f"Spark keeps the progress of only 2 batches; increase {setting}" in etl.caplog.text


@pytest.mark.thorough
def test_rows_of_two_sources_are_counted_apart(etl: EtlJob, arriving: str) -> None:
    etl.spark.range(7).coalesce(1).write.json(f"{etl.target}-other")
    streams = [
        etl.spark.readStream.schema("id long").json(path) for path in (arriving, f"{etl.target}-other")
    ]
    writer = (
        streams[0].union(streams[1]).writeStream.option("checkpointLocation", str(etl.tmp_path / "check"))
    )
    with etl.run("stream"):
        writer.trigger(availableNow=True).format("parquet").start(etl.target).awaitTermination(60)
    assert etl.events.input(arriving)["inputStatistics"].row_count == 30
    assert etl.events.input(f"{etl.target}-other")["inputStatistics"].row_count == 7


@pytest.mark.thorough
def test_rows_are_counted_until_the_stream_fails(etl: EtlJob, arriving: str) -> None:
    stream = etl.spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).json(arriving)
    broken = stream.selectExpr("if(id = 0, assert_true(false), id) AS id")
    writer = broken.writeStream.option("checkpointLocation", str(etl.tmp_path / "checkpoint"))

    def job() -> None:
        with etl.run("stream"):
            writer.trigger(availableNow=True).format("parquet").start(etl.target).awaitTermination(60)

    with pytest.raises(StreamingQueryException):
        job()
    assert etl.events.types[-1] == "FAIL"
    assert "outputStatistics" not in etl.events.output(etl.target)


def test_a_folder_that_a_stream_has_written_has_its_full_path(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).write.parquet(f"{tmp_path}/numbers")
    numbers = spark.readStream.schema("id long").parquet(f"{tmp_path}/numbers")
    options = {"checkpointLocation": f"{tmp_path}/checkpoint", "path": f"{tmp_path}/copies"}
    numbers.writeStream.options(**options).trigger(availableNow=True).start().awaitTermination()
    (copies,) = inputs_of(spark.read.parquet(os.path.relpath(f"{tmp_path}/copies")))
    assert (copies.namespace, copies.name) == ("file", f"{tmp_path}/copies")
