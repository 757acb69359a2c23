"""The example job, run with Spark on two days of flights."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from examples import daily_delays as example
from openlineage_facets import RunEvent, producer, validate
from openlineage_facets.spark import SparkRun
from tests.cases import each
from tests.oracle.expected_results import oracle_result
from tests.spark.etl_job import Events

PRODUCER = "https://example.com/tests/v1"
TABLES = ("flights", "airlines", "planes", "weather")
UNSOURCED = {"flights"}
"""The column that counts rows, which has no source column."""


@dataclass
class Result:
    """Files and events of the job."""

    source: Path
    target: Path
    lineage: Path

    @property
    def documents(self) -> list[dict]:
        return [json.loads(line) for line in self.lineage.read_text().splitlines()]

    @property
    def events(self) -> Events:
        return Events(map(RunEvent.from_json, self.lineage.read_bytes().splitlines()))

    @property
    def output(self) -> dict:
        return self.events.output(str(self.target))

    def input(self, table: str) -> dict:
        return self.events.input(str(self.source / f"{table}.csv"))


def run_job(spark: SparkSession, source: Path, folder: Path) -> Result:
    result = Result(source, folder / "daily_delays", folder / "lineage.ndjson")
    with producer(PRODUCER), SparkRun(spark, "nycflights", "daily_delays", emit=result.lineage):
        example.daily_delays(spark, source, result.target)
    return result


@pytest.fixture(scope="module")
def result(spark: SparkSession, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run_job(spark, sample, tmp_path_factory.mktemp("job"))


@pytest.fixture(scope="module")
def flights(sample: Path) -> list[dict[str, str]]:
    with (sample / "flights.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_events_are_those_of_one_run_in_order(result: Result) -> None:
    events = result.events
    assert events.types == ["START", "RUNNING", "COMPLETE"]
    assert len({event.run.run_id for event in events}) == 1
    assert sorted(event.event_time for event in events) == [event.event_time for event in events]


def test_the_last_event_has_every_input_and_the_output(result: Result) -> None:
    assert result.events.inputs == [str(result.source / f"{table}.csv") for table in TABLES]
    assert result.events.outputs == [str(result.target)]


def test_events_are_valid(result: Result) -> None:
    verdicts = [oracle_result(document) for document in result.documents]
    assert {verdict.failed for verdict in verdicts} == {""}
    assert {verdict.kind for verdict in verdicts} == {"RunEvent"}


def test_no_known_backend_refuses_an_event(result: Result) -> None:
    findings = [one for document in result.documents for one in validate(document, backends="all")]
    assert {one.fact for one in findings} > {"openmetadata/only-complete"}
    assert [str(one) for one in findings if one.severity == "error"] == []


def test_the_terminal_event_contains_each_facet_once_valid_against_its_schema(result: Result) -> None:
    validated = Counter(str(path[-1]) for path, _ in oracle_result(result.documents[-1]).validated)
    assert validated == {
        "processing_engine": 1,
        "spark_applicationDetails": 1,
        "spark_properties": 1,
        "jobType": 1,
        "sql": 1,
        "schema": 5,
        "dataSource": 5,
        "storage": 5,
        "inputStatistics": 4,
        "columnLineage": 1,
        "lineage": 1,
        "lifecycleStateChange": 1,
        "outputStatistics": 1,
    }


def test_every_producer_is_that_of_the_job(result: Result) -> None:
    text = result.lineage.read_text()
    assert set(re.findall(r'"_?producer":"(.*?)"', text)) == {PRODUCER}


def test_row_count_equals_the_number_of_groups(result: Result, flights: list[dict[str, str]]) -> None:
    groups = {(row["month"], row["day"], row["origin"], row["carrier"]) for row in flights}
    assert result.output["outputStatistics"].row_count == len(groups)


def test_the_job_counts_every_flight_and_every_cancelled_flight(
    result: Result, spark: SparkSession, flights: list[dict[str, str]]
) -> None:
    totals = spark.read.parquet(str(result.target)).selectExpr("sum(flights)", "sum(cancelled)").first()
    cancelled = sum(row["dep_time"] == "NA" for row in flights)
    assert cancelled > 0
    assert tuple(totals) == (len(flights), cancelled)


@each("table", TABLES)
def test_input_schemas_are_the_headers_of_the_files(result: Result, table: str) -> None:
    header = (result.source / f"{table}.csv").read_text().partition("\n")[0].replace('"', "").split(",")
    fields = result.input(table)["schema"].fields
    assert [field.name for field in fields] == header
    assert [field.ordinal_position for field in fields] == list(range(1, len(header) + 1))


@each("table", TABLES)
def test_input_statistics_are_those_of_the_files(result: Result, table: str) -> None:
    content = (result.source / f"{table}.csv").read_bytes()
    statistics = result.input(table)["inputStatistics"]
    assert (statistics.size, statistics.file_count) == (len(content), 1)
    assert statistics.row_count == len(content.splitlines()) - 1


def test_column_lineage_only_names_columns_of_the_input_schemas(result: Result) -> None:
    described = {
        (str(result.source / f"{table}.csv"), field.name)
        for table in TABLES
        for field in result.input(table)["schema"].fields
    }
    lineage = result.output["columnLineage"]
    columns = [*lineage.fields.values()]
    sources = [source for column in columns for source in column.input_fields] + [*lineage.dataset]
    assert {(source.name, source.field) for source in sources} <= described
    assert lineage.fields.keys() == {field.name for field in result.output["schema"].fields} - UNSOURCED


@pytest.mark.thorough
def test_a_second_run_replaces_the_data_and_appends_its_events(
    spark: SparkSession, sample: Path, tmp_path: Path
) -> None:
    first = run_job(spark, sample, tmp_path).output
    second = run_job(spark, sample, tmp_path)
    assert len({event.run.run_id for event in second.events}) == 2
    assert second.events.types == ["START", "RUNNING", "COMPLETE"] * 2
    assert first["lifecycleStateChange"].lifecycle_state_change == "CREATE"
    assert second.output["lifecycleStateChange"].lifecycle_state_change == "OVERWRITE"
    assert second.output["outputStatistics"] == first["outputStatistics"]
    assert second.output["outputStatistics"].file_count == len(list(second.target.rglob("part-*")))


def test_a_failed_job_emits_fail_with_the_error_message(
    spark: SparkSession, sample: Path, tmp_path: Path
) -> None:
    source = shutil.copytree(sample, tmp_path / "source")
    (source / "planes.csv").unlink()
    with pytest.raises(AnalysisException, match=r"planes\.csv"):
        run_job(spark, source, tmp_path)
    result = Result(source, tmp_path / "daily_delays", tmp_path / "lineage.ndjson")
    fail = result.events[-1]
    assert result.events.types == ["START", "FAIL"]
    assert "planes.csv" in fail.run.facets.error_message.message
    assert "Traceback" in fail.run.facets.error_message.stack_trace
    assert all(oracle_result(document).valid for document in result.documents)
