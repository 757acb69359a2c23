"""The part of an input that a run has read: partitions and folders."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import broadcast, to_date

from openlineage_facets.spark import SparkRun
from tests.cases import each
from tests.spark.etl_job import EtlJob, Events

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def visits(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder that is partitioned by country and day."""
    path = str(tmp_path_factory.mktemp("subsets") / "visits")
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


def folders(*countries: str) -> dict[str, Any]:
    return {"type": "location", "locations": [f"country={country}" for country in countries]}


def cached_part(read: DataFrame) -> None:
    part = read.where("country = 'de'").cache()
    part.count()
    part.unpersist()


def hidden_scan(read: DataFrame) -> None:
    """Read everything for a join that turns out to be empty."""
    read.where("country = 'de'").collect()
    read.where("n > 10").groupBy("n").sum("n").join(read.groupBy("n").count(), "n").collect()


OF_GERMANY = partitions(("de", "2026-11-01"), ("de", "2026-11-02"))
READS: dict[str, tuple[list[tuple[str, Callable[[DataFrame], Any]]], dict[str, Any] | None]] = {
    "partitions that a condition selects": (
        [("", lambda read: read.where("country = 'de' AND n > 0").count())],
        OF_GERMANY,
    ),
    "everything": (
        [
            ("", lambda read: read.where("country = 'de'").count()),
            ("", lambda read: read.where("n > 1").count()),
        ],
        None,
    ),
    "parts of several queries": (
        [
            ("", lambda read: read.where("country = 'fr'").count()),
            ("", lambda read: read.where("country IS NULL").count()),
        ],
        partitions(("fr", "2026-11-01"), (None, "2026-11-02")),
    ),
    "no partition": ([("", lambda read: read.where("country = 'us'").count())], partitions()),
    "folders": (
        [
            ("/country=de", lambda read: read.where("day = '2026-11-01'").count()),
            ("/country=fr", lambda read: read.count()),
        ],
        folders("de", "fr"),
    ),
    "no partition of a folder": (
        [("/country=de", lambda read: read.where("day = '2020-01-01'").count())],
        partitions(),
    ),
    "partitions and folders": (
        [
            ("", lambda read: read.where("country = 'de'").count()),
            ("/country=fr", lambda read: read.count()),
        ],
        {"type": "binary", "operator": "OR", "left": OF_GERMANY, "right": folders("fr")},
    ),
    "a cached part": ([("", cached_part)], OF_GERMANY),
    "a scan that the final plan hides": ([("", hidden_scan)], None),
}


@each("case", READS)
def test_the_part_that_queries_have_read(spark: SparkSession, visits: str, case: str) -> None:
    reads, expected = READS[case]
    events = Events()
    with SparkRun(spark, "etl", "read", emit=events, on_error="raise"):
        for folder, read in reads:
            read(spark.read.parquet(f"{visits}{folder}"))
    found = json.dumps(subset(events, visits)).replace(f"file:{visits}/", "")
    assert json.loads(found) == expected


def test_partitions_that_the_rows_of_a_join_select(etl: EtlJob, visits: str) -> None:
    etl.spark.createDataFrame([("fr", 1), ("us", 0)], "country string, keep int").write.parquet(
        f"{etl.target}-kept"
    )
    with etl.run("read"):
        kept = etl.spark.read.parquet(f"{etl.target}-kept").where("keep = 1")
        etl.spark.read.parquet(visits).join(broadcast(kept), "country").write.parquet(etl.target)
    assert subset(etl.events, visits) == partitions(("fr", "2026-11-01"))
    assert subset(etl.events, f"{etl.target}-kept") is None


def test_partitions_of_a_table(spark: SparkSession, events: Events, visits: str) -> None:
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
@pytest.mark.parametrize("has_new_name", [pytest.param(False, marks=pytest.mark.thorough), True])
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


def test_a_query_that_failed_may_have_read_everything(etl: EtlJob, visits: str) -> None:
    with etl.run("read"):
        df = etl.spark.read.parquet(visits)
        df.where("country = 'de'").collect()
        with pytest.raises(Exception, match="expected"):
            df.selectExpr("if(n > 3, raise_error('expected'), n) AS n").collect()
    assert subset(etl.events, visits) is None
