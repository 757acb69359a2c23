"""A data source written in Python is named by its path or by its own name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import Events

pytestmark = pytest.mark.check

datasource = pytest.importorskip("pyspark.sql.datasource", reason="new in Spark 4")


class _Writer(datasource.DataSourceWriter):  # type: ignore[misc,name-defined]
    def write(self, iterator: Iterator[Any]) -> Any:
        list(iterator)
        return datasource.WriterCommitMessage()


class Tickets(datasource.DataSource):  # type: ignore[misc,name-defined]
    """A source with two columns that accepts any rows."""

    @classmethod
    def name(cls) -> str:
        return "tickets"

    def schema(self) -> str:
        return "id int, title string"

    def reader(self, schema: object) -> Any:
        class Reader(datasource.DataSourceReader):  # type: ignore[misc,name-defined]
            def read(self, partition: object) -> Iterator[tuple[int, str]]:
                yield 1, "broken"

        return Reader()

    def writer(self, schema: object, overwrite: bool) -> Any:
        return _Writer()


@pytest.fixture
def tickets(spark: SparkSession) -> None:
    spark.dataSource.register(Tickets)  # type: ignore[attr-defined,unused-ignore]


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.mark.usefixtures("tickets")
def test_a_source_without_a_path_has_its_own_name(
    spark: SparkSession, events: Events, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    target = f"{tmp_path}/copied"
    with SparkRun(spark, "etl", "tickets", emit=events, on_error="raise"):
        source = spark.read.format("tickets").option("token", "secret").load()
        source.select("id").write.parquet(target)
        source.write.format("tickets").mode("append").save()
    assert events.inputs == ["tickets"]
    assert sorted(events.outputs) == [target, "tickets"]
    assert {one.namespace for one in events[-1].inputs or ()} == {"python://tickets"}
    assert [column.name for column in events.input("tickets")["schema"].fields] == ["id", "title"]
    (found,) = events.output(target)["columnLineage"].fields["id"].input_fields
    assert (found.namespace, found.name, found.field) == ("python://tickets", "tickets", "id")
    assert set(events.output("tickets")["columnLineage"].fields) == {"id", "title"}
    assert "secret" not in repr(events)
    assert caplog.records == []


@pytest.mark.usefixtures("tickets")
def test_a_source_with_a_path_is_the_dataset_at_the_path(
    spark: SparkSession, events: Events, tmp_path: Path
) -> None:
    with SparkRun(spark, "etl", "tickets", emit=events, on_error="raise"):
        source = spark.read.format("tickets").load(f"{tmp_path}/board")
        source.write.format("tickets").mode("append").save(f"{tmp_path}/archive")
    assert (events.inputs, events.outputs) == ([f"{tmp_path}/board"], [f"{tmp_path}/archive"])
    assert events.input(f"{tmp_path}/board")["storage"].file_format == "tickets"
    assert "lifecycleStateChange" not in events.output(f"{tmp_path}/archive")
