"""Streams: the writes of all batches add up, and the job type is STREAMING."""

from __future__ import annotations

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob

pytestmark = pytest.mark.check


def test_batches_of_a_stream_add_up(etl: EtlJob, run: SparkRun, arriving: str) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        run.write(batch, etl.target, mode="append")

    stream = run.read(etl.spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).json(arriving))
    query = (
        stream.writeStream.foreachBatch(run.foreach_batch(keep))
        .option("checkpointLocation", str(etl.tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(60)
    run.complete()
    assert etl.spark.read.parquet(etl.target).count() == 30
    assert etl.events.rows(etl.target) == 30
    assert arriving in etl.events.inputs
    assert etl.events.facets["job"]["jobType"].processing_type == "STREAMING"


@pytest.mark.thorough
def test_an_error_in_a_batch_ends_the_stream_and_fails_the_run(etl: EtlJob, arriving: str) -> None:
    def broken(batch: DataFrame, number: int) -> None:
        raise ValueError("no room")

    def job() -> None:
        with etl.run("full", on_error="log") as run:
            stream = run.read(etl.spark.readStream.schema("id long").json(arriving))
            batches = stream.writeStream.foreachBatch(run.foreach_batch(broken))
            batches.option("checkpointLocation", str(etl.tmp_path / "checkpoint")).start().awaitTermination(
                60
            )

    with pytest.raises(StreamingQueryException, match="no room"):
        job()
    assert etl.events.types[-1] == "FAIL"


@pytest.mark.thorough
def test_a_stream_without_a_dataset_is_named_with_the_builder(etl: EtlJob) -> None:
    stream = etl.spark.readStream.format("rate").load()
    with etl.run("rate", on_error="log"):
        stream.writeStream.foreach(print).start().stop()
    [message] = [message for message in etl.messages if "could not find the write target" in message]
    assert message.endswith("the target has no path; name it with run.build.output(namespace, name)")
