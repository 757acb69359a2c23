"""The part of an input that a run has read: partitions and folders."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import broadcast, to_date

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob, Events

pytestmark = pytest.mark.check


@pytest.fixture
def visits(spark: SparkSession, tmp_path: Path) -> str:
    """Return a folder that is partitioned by country and day."""
    path = str(tmp_path / "visits")
    rows = [
        ("de", "2026-11-01", 1),
        ("de", "2026-11-02", 2),
        ("fr", "2026-11-01", 3),
        (None, "2026-11-02", 4),
    ]
    frame = spark.createDataFrame(rows, "country string, day string, n int").withColumn("day", to_date("day"))
    frame.coalesce(1).write.partitionBy("country", "day").parquet(path)
    return path


def subset(events: Events, name: str) -> dict[str, Any] | None:
    """Return the condition of an input in the last event, without the type of its parts."""
    for dataset in json.loads(events[-1].to_json())["inputs"]:
        if dataset["name"] == name:
            facet = dataset.get("inputFacets", {}).get("subset")
            return None if facet is None else facet["inputCondition"]
    raise AssertionError(f"{name} is no input")


def partitions(*values: tuple[str | None, str]) -> dict[str, Any]:
    found = [{"dimensions": {"country": country, "day": day}} for country, day in values]
    return {"type": "partition", "partitions": found}


def test_the_partitions_that_a_condition_selects(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        etl.spark.read.parquet(visits).where("country = 'de' AND n > 0").write.parquet(etl.target)
    assert subset(etl.events, visits) == partitions(("de", "2026-11-01"), ("de", "2026-11-02"))


def test_nothing_is_reported_if_everything_is_read(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        df = etl.spark.read.parquet(visits)
        df.where("country = 'de'").write.parquet(etl.target)
        df.where("n > 1").write.mode("append").parquet(etl.target)
    assert subset(etl.events, visits) is None


def test_the_parts_of_several_queries_add_up(spark: SparkSession, events: Events, visits: str) -> None:
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        df = spark.read.parquet(visits)
        assert df.where("country = 'fr'").count() == 1
        assert df.where("country IS NULL").count() == 1
    assert subset(events, visits) == partitions(("fr", "2026-11-01"), (None, "2026-11-02"))


def test_no_partition_was_read(spark: SparkSession, events: Events, visits: str, target: str) -> None:
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        spark.read.parquet(visits).where("country = 'us'").write.parquet(target)
    assert subset(events, visits) == partitions()


def test_the_folders_of_partitions_that_are_read_by_their_path(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        assert etl.spark.read.parquet(f"{visits}/country=de").where("day = '2026-11-01'").count() == 1
        assert etl.spark.read.parquet(f"{visits}/country=fr").count() == 1
    folders = [f"file:{visits}/country=de", f"file:{visits}/country=fr"]
    assert subset(etl.events, visits) == {"type": "location", "locations": folders}


def test_no_partition_of_a_folder_was_read(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        assert etl.spark.read.parquet(f"{visits}/country=de").where("day = '2020-01-01'").count() == 0
    assert subset(etl.events, visits) == partitions()


def test_partitions_and_folders(spark: SparkSession, events: Events, visits: str) -> None:
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        assert spark.read.parquet(visits).where("country = 'de'").count() == 2
        assert spark.read.parquet(f"{visits}/country=fr").count() == 1
    assert subset(events, visits) == {
        "type": "binary",
        "operator": "OR",
        "left": partitions(("de", "2026-11-01"), ("de", "2026-11-02")),
        "right": {"type": "location", "locations": [f"file:{visits}/country=fr"]},
    }


def test_partitions_that_the_rows_of_a_join_select(etl: EtlJob, visits: str) -> None:
    etl.spark.createDataFrame([("fr", 1), ("us", 0)], "country string, keep int").write.parquet(
        f"{etl.target}-kept"
    )
    with etl.run("read"):
        kept = etl.spark.read.parquet(f"{etl.target}-kept").where("keep = 1")
        etl.spark.read.parquet(visits).join(broadcast(kept), "country").write.parquet(etl.target)
    assert subset(etl.events, visits) == partitions(("fr", "2026-11-01"))
    assert subset(etl.events, f"{etl.target}-kept") is None


def test_partitions_of_a_table(spark: SparkSession, events: Events, visits: str, target: str) -> None:
    spark.sql(
        f"CREATE TABLE visited (country string, n int, day date) USING parquet OPTIONS (path '{visits}') "
        "PARTITIONED BY (country, day)"
    )
    spark.sql("MSCK REPAIR TABLE visited")
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        spark.sql(
            "CREATE TABLE visited_days USING parquet AS SELECT n FROM visited WHERE day = DATE '2026-11-01'"
        )
    assert subset(events, visits) == partitions(("de", "2026-11-01"), ("fr", "2026-11-01"))


# PySpark 3.5 does not close the socket of the action.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("has_new_name", [False, True])
def test_an_action_that_spark_does_not_report_may_read_everything(
    etl: EtlJob, visits: str, tmp_path: Path, has_new_name: bool
) -> None:
    name = "visits" if has_new_name else visits
    naming = tmp_path / "naming.toml"
    rule = f"from = {{ namespace = 'file', name = '{visits}' }}\nto = {{ name = '{name}' }}"
    naming.write_text(f"[[datasets]]\n{rule}\n", encoding="utf-8")
    with etl.run("read", naming=naming):
        df = etl.spark.read.parquet(visits)
        assert df.where("country = 'de'").count() == 2
        df.foreach(lambda row: None)
        gc.collect()
    assert subset(etl.events, name) is None


def test_a_cached_part(spark: SparkSession, events: Events, visits: str, target: str) -> None:
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        part = spark.read.parquet(visits).where("country = 'de'").cache()
        part.write.parquet(target)
        part.unpersist()
    assert subset(events, visits) == partitions(("de", "2026-11-01"), ("de", "2026-11-02"))


def test_a_query_that_failed_may_have_read_everything(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        df = etl.spark.read.parquet(visits)
        df.where("country = 'de'").collect()
        with pytest.raises(Exception, match="expected"):
            df.selectExpr("if(n > 3, raise_error('expected'), n) AS n").collect()
    assert subset(etl.events, visits) is None


def test_a_scan_that_the_final_plan_hides_may_have_read_everything(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        df = etl.spark.read.parquet(visits)
        df.where("country = 'de'").collect()
        none, counts = df.where("n > 10"), df.groupBy("n").count()
        none.groupBy("n").sum("n").join(counts, "n").collect()
    assert subset(etl.events, visits) is None
