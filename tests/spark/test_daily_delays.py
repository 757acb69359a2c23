"""The example job, run by a real Spark on two days of flights."""

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
from openlineage_facets import OutputDataset, RunEvent, parse_event, producer
from openlineage_facets.facets import TagsJobFacet, TagsRunFacet
from tests.oracle.judge import judge

PRODUCER = "https://example.com/tests/v1"
UNSOURCED = {"flights"}
"""The column that counts rows, and so takes the value of no column."""


@dataclass
class Result:
    """What one run of the job left behind."""

    source: Path
    target: Path
    lineage: Path

    @property
    def documents(self) -> list[dict]:
        return [json.loads(line) for line in self.lineage.read_text().splitlines()]

    @property
    def events(self) -> list[RunEvent]:
        return [RunEvent.from_json(line) for line in self.lineage.read_bytes().splitlines()]

    @property
    def output(self) -> OutputDataset:
        return self.events[-1].outputs[0]


def run_job(spark: SparkSession, source: Path, folder: Path) -> Result:
    result = Result(source, folder / "daily_delays", folder / "lineage.ndjson")
    with producer(PRODUCER):
        example.daily_delays(spark, source, result.target, result.lineage)
    return result


@pytest.fixture(scope="module")
def result(spark: SparkSession, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run_job(spark, sample, tmp_path_factory.mktemp("job"))


@pytest.fixture(scope="module")
def flights(sample: Path) -> list[dict[str, str]]:
    with (sample / "flights.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_start_and_complete_tell_of_one_run(result: Result) -> None:
    start, complete = result.events
    assert [start.event_type.value, complete.event_type.value] == ["START", "COMPLETE"]
    assert start.run.run_id == complete.run.run_id
    assert start.event_time < complete.event_time


def test_events_are_what_the_schemas_say(result: Result) -> None:
    verdicts = [judge(document) for document in result.documents]
    assert [verdict.failed for verdict in verdicts] == ["", ""]
    assert {verdict.kind for verdict in verdicts} == {"RunEvent"}


def test_every_facet_is_judged_by_a_schema_of_its_own(result: Result) -> None:
    complete = result.documents[-1]
    judged = Counter(str(path[-1]) for path, _ in judge(complete).judged)
    assert judged == {
        "nominalTime": 1,
        "processing_engine": 1,
        "tags": 2,
        "sql": 1,
        "schema": 5,
        "inputStatistics": 4,
        "columnLineage": 1,
        "outputStatistics": 1,
    }


def test_events_read_back_as_they_were_written(result: Result) -> None:
    for line in result.lineage.read_bytes().splitlines():
        assert parse_event(line).to_json() == line


def test_every_producer_is_the_one_the_job_named(result: Result) -> None:
    text = result.lineage.read_text()
    assert set(re.findall(r'"_?producer":"(.*?)"', text)) == {PRODUCER}


def test_tags_are_written_in_the_released_spelling(result: Result) -> None:
    event = result.events[0]
    assert type(event.run.facets.tags) is TagsRunFacet
    assert type(event.job.facets.tags) is TagsJobFacet


def test_the_engine_is_the_spark_that_ran(result: Result, spark: SparkSession) -> None:
    engine = result.events[0].run.facets.processing_engine
    assert (engine.name, engine.version) == ("spark", spark.version)


def test_row_count_is_what_the_flights_say(result: Result, flights: list[dict[str, str]]) -> None:
    groups = {(row["month"], row["day"], row["origin"], row["carrier"]) for row in flights}
    assert result.output.output_facets.output_statistics.row_count == len(groups)


def test_row_count_is_what_the_files_hold(result: Result, spark: SparkSession) -> None:
    rows = spark.read.parquet(str(result.target)).count()
    assert result.output.output_facets.output_statistics.row_count == rows


def test_size_and_file_count_are_those_on_disk(result: Result) -> None:
    files = [path for path in result.target.rglob("part-*") if path.is_file()]
    statistics = result.output.output_facets.output_statistics
    assert statistics.file_count == len(files)
    assert statistics.size == sum(len(file.read_bytes()) for file in files)


def test_the_job_counts_every_flight_and_every_cancelled_one(
    result: Result, spark: SparkSession, flights: list[dict[str, str]]
) -> None:
    totals = spark.read.parquet(str(result.target)).selectExpr("sum(flights)", "sum(cancelled)").first()
    cancelled = sum(row["dep_time"] == "NA" for row in flights)
    assert cancelled > 0
    assert tuple(totals) == (len(flights), cancelled)


def test_input_schemas_are_the_headers_of_the_files(result: Result) -> None:
    for dataset in result.events[-1].inputs:
        header = Path(dataset.name).read_text().partition("\n")[0].replace('"', "").split(",")
        fields = dataset.facets.schema.fields
        assert [field.name for field in fields] == header
        assert [field.ordinal_position for field in fields] == list(range(1, len(header) + 1))


def test_input_statistics_are_those_of_the_files(result: Result) -> None:
    for dataset in result.events[-1].inputs:
        statistics = dataset.input_facets.input_statistics
        assert (statistics.size, statistics.file_count) == (len(Path(dataset.name).read_bytes()), 1)


def test_output_schema_is_that_of_the_files(result: Result, spark: SparkSession) -> None:
    written = spark.read.parquet(str(result.target)).schema
    fields = {field.name: field.type for field in result.output.facets.schema.fields}
    assert fields == {field.name: field.dataType.typeName() for field in written}


def test_nested_columns_are_described_within_theirs(result: Result) -> None:
    weather = result.output.facets.schema.fields[-1]
    assert weather.type == "struct"
    assert [(field.name, field.type, field.ordinal_position) for field in weather.fields] == [
        ("wind", "double", 1),
        ("visibility", "double", 2),
    ]


def test_column_lineage_names_columns_that_the_event_describes(result: Result) -> None:
    described = {
        (dataset.namespace, dataset.name, field.name)
        for dataset in result.events[-1].inputs
        for field in dataset.facets.schema.fields
    }
    lineage = result.output.facets.column_lineage.fields
    named = {
        (source.namespace, source.name, source.field)
        for column in lineage.values()
        for source in column.input_fields
    }
    assert named <= described
    assert lineage.keys() == {field.name for field in result.output.facets.schema.fields} - UNSOURCED


def test_a_second_run_replaces_the_data_and_adds_its_events(
    spark: SparkSession, sample: Path, tmp_path: Path
) -> None:
    first = run_job(spark, sample, tmp_path).output
    second = run_job(spark, sample, tmp_path)
    assert len({event.run.run_id for event in second.events}) == 2
    assert [event.event_type.value for event in second.events] == ["START", "COMPLETE"] * 2
    assert second.output.output_facets == first.output_facets
    assert second.output.output_facets.output_statistics.file_count == len(
        list(second.target.rglob("part-*"))
    )


def test_a_job_that_fails_says_so_and_why(spark: SparkSession, sample: Path, tmp_path: Path) -> None:
    source = shutil.copytree(sample, tmp_path / "source")
    (source / "planes.csv").unlink()
    with pytest.raises(AnalysisException, match=r"planes\.csv"):
        run_job(spark, source, tmp_path)
    result = Result(source, tmp_path / "daily_delays", tmp_path / "lineage.ndjson")
    start, fail = result.events
    assert fail.event_type.value == "FAIL"
    assert fail.run.run_id == start.run.run_id
    assert "planes.csv" in fail.run.facets.error_message.message
    assert "Traceback" in fail.run.facets.error_message.stack_trace
    assert all(judge(document).valid for document in result.documents)


def test_the_summary_is_of_the_last_run_and_fits_the_screen(
    result: Result, capsys: pytest.CaptureFixture[str]
) -> None:
    example.show(result.lineage)
    shown = capsys.readouterr().out
    statistics = result.output.output_facets.output_statistics
    assert f"{statistics.row_count:,} rows, {statistics.file_count} files" in shown
    assert result.events[-1].run.run_id in shown
    assert max(map(len, shown.removeprefix(str(result.lineage)).splitlines())) <= 100
