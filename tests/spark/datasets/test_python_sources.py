"""A data source written in Python is named by its path or by its own name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.spark.etl_job import EtlJob

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


# The processes in which Spark calls the source then do not import this module.
Tickets.__module__ = _Writer.__module__ = "__main__"


@pytest.fixture
def tickets(spark: SparkSession) -> None:
    spark.dataSource.register(Tickets)  # type: ignore[attr-defined,unused-ignore]


@pytest.mark.usefixtures("tickets")
def test_a_source_without_a_path_has_its_own_name(etl: EtlJob) -> None:
    target = f"{etl.tmp_path}/copied"
    with etl.run("tickets"):
        source = etl.spark.read.format("tickets").option("token", "secret").load()
        source.select("id").write.parquet(target)
    assert (etl.events.inputs, etl.events.outputs) == (["tickets"], [target])
    assert {one.namespace for one in etl.events[-1].inputs or ()} == {"python://tickets"}
    assert [column.name for column in etl.events.input("tickets")["schema"].fields] == ["id", "title"]
    (found,) = etl.events.output(target)["columnLineage"].fields["id"].input_fields
    assert (found.namespace, found.name, found.field) == ("python://tickets", "tickets", "id")
    assert "secret" not in repr(etl.events)
    assert etl.caplog.records == []


# Spark starts processes to write to a source; a source and a target have one name from the same function.
@pytest.mark.thorough
@pytest.mark.usefixtures("tickets")
def test_a_target_without_a_path_has_its_own_name(etl: EtlJob) -> None:
    with etl.run("tickets"):
        etl.spark.read.format("tickets").load().write.format("tickets").mode("append").save()
    assert (etl.events.inputs, etl.events.outputs) == (["tickets"], ["tickets"])
    assert set(etl.events.output("tickets")["columnLineage"].fields) == {"id", "title"}


@pytest.mark.thorough
@pytest.mark.usefixtures("tickets")
def test_a_source_with_a_path_is_the_dataset_at_the_path(etl: EtlJob) -> None:
    with etl.run("tickets"):
        source = etl.spark.read.format("tickets").load(f"{etl.tmp_path}/board")
        source.write.format("tickets").mode("append").save(f"{etl.tmp_path}/archive")
    assert (etl.events.inputs, etl.events.outputs) == ([f"{etl.tmp_path}/board"], [f"{etl.tmp_path}/archive"])
    assert etl.events.input(f"{etl.tmp_path}/board")["storage"].file_format == "tickets"
    assert "lifecycleStateChange" not in etl.events.output(f"{etl.tmp_path}/archive")


@pytest.mark.thorough
@pytest.mark.usefixtures("tickets")
def test_each_table_of_a_source_is_the_table_of_the_catalog(etl: EtlJob) -> None:
    target = f"{etl.tmp_path}/joined"
    for name in ("open_tickets", "closed_tickets"):
        etl.spark.sql(f"CREATE TABLE {name} USING tickets OPTIONS (state '{name}')")
    with etl.run("tickets") as run:
        joined = etl.spark.table("open_tickets").join(etl.spark.table("closed_tickets"), "id")
        joined.select("id").write.parquet(target)
        run.sql("INSERT INTO closed_tickets SELECT * FROM open_tickets")
    read = {one.name for one in etl.events[-1].inputs or ()}
    assert sorted(name.rpartition("/")[2] for name in read) == ["closed_tickets", "open_tickets"]
    assert len(read & set(etl.events.outputs)) == 1, "a table has the same name as input and as output"
