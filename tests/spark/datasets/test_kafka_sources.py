"""Topics that Spark reads. Planning a query needs the connector, but no broker."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.spark.etl_job import Events
from tools.kafka_jars import CONNECTOR, jars, supported

if not supported():
    pytest.skip("the jars of Kafka's connector are those for PySpark 4", allow_module_level=True)

Load = Callable[..., DataFrame]

COLUMNS = ["key", "value", "topic", "partition", "offset", "timestamp", "timestampType"]


@pytest.fixture(scope="module", params=["batch", "stream"])
def load(spark: SparkSession, request: pytest.FixtureRequest) -> Load:
    """Return a function that reads topics, either all of their rows or as a stream."""
    try:
        connector = jars(CONNECTOR)
    except FileNotFoundError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"Kafka is not tested: {missing}")
    for jar in connector:
        spark.sql(f"ADD JAR '{jar}'")

    def load(**options: str) -> DataFrame:
        reader = spark.read if request.param == "batch" else spark.readStream
        servers = {"kafka.bootstrap.servers": "broker, other:9093"}
        return reader.format("kafka").options(**servers, **options).load()

    return load


@pytest.mark.parametrize(
    ("options", "topics"),
    [
        ({"subscribe": "orders"}, ["orders"]),
        ({"subscribe": "orders, returns"}, ["orders", "returns"]),
        ({"subscribePattern": "orders.v1"}, ["orders.v1"]),
        ({"subscribePattern": "orders-.*"}, ["orders-.*"]),
        ({"assign": '{"orders": [0, 1], "returns": [2]}'}, ["orders", "returns"]),
    ],
)
def test_each_topic_is_a_dataset_of_the_cluster(
    load: Load, options: dict[str, str], topics: list[str]
) -> None:
    found = inputs_of(load(**options))
    assert [(one.namespace, one.name) for one in found] == [("kafka://broker:9092", name) for name in topics]
    for dataset in found:
        [schema] = (facet for facet in dataset.facets if isinstance(facet, SchemaDatasetFacet))
        assert [field.name for field in schema.fields or ()] == COLUMNS


def test_columns_are_those_of_the_topics(load: Load) -> None:
    read = load(subscribe="orders,returns").where("offset > 10").selectExpr("CAST(value AS STRING) AS text")
    facet = column_lineage_facet(read)
    assert facet is not None
    sources = facet.fields["text"].input_fields
    assert [(one.name, one.field) for one in sources] == [("orders", "value"), ("returns", "value")]
    assert {one.field for one in facet.dataset or ()} == {"offset"}


@pytest.mark.usefixtures("nothing_was_logged_before")
def test_that_the_topics_of_a_pattern_are_unknown_is_logged_once(
    load: Load, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        for pattern in ("orders-.*", "orders-.*", "orders.v1"):
            inputs_of(load(subscribePattern=pattern))
    [message] = caplog.messages
    assert "the topics of Kafka that match orders-.* are reported as one dataset" in message


@pytest.mark.parametrize("load", ["stream"], indirect=True)
def test_a_stream_from_a_topic_to_a_folder_has_both_as_datasets(
    load: Load, spark: SparkSession, tmp_path: Path
) -> None:
    """The broker does not exist, so that the stream fails as soon as it asks for offsets."""
    events, read = Events(), load(subscribe="orders")
    writer = read.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint")).format("parquet")
    with SparkRun(spark, "etl", "topics", emit=events, on_error="raise"):
        writer.start(str(tmp_path / "out")).stop()
    [source] = events[-1].inputs or ()
    assert (source.namespace, source.name) == ("kafka://broker:9092", "orders")
    assert events.output(str(tmp_path / "out"))["columnLineage"].fields.keys() == set(COLUMNS)
