"""Invalid input is rejected by the call that passed it, with the field and a fix."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from openlineage_facets import DatasetEventBuilder, EventError, JobEventBuilder, RunEventBuilder
from openlineage_facets.facets import (
    InputStatisticsInputDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
)
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, dataset_builder, run_builder
from tests.cases import each

SQL = SQLJobFacet(query="select 1")
TIME = NominalTimeRunFacet(nominal_start_time=NOON)
SCHEMA = SchemaDatasetFacet(fields=[])
READ = InputStatisticsInputDatasetFacet(row_count=1)
WRITTEN = OutputStatisticsOutputDatasetFacet(row_count=1)
NAIVE = datetime(2026, 11, 21, 12)

Call = Callable[[Any], Any]

WRONG_ENTITY: dict[str, tuple[Call, str]] = {
    "job facet on a run": (lambda b: b.run.facet(SQL), "expected a RunFacet, found a SQLJobFacet"),
    "run facet on a job": (lambda b: b.job.facet(TIME), "expected a JobFacet, found a NominalTimeRunFacet"),
    "dataset facet on a job": (
        lambda b: b.job.facet(SCHEMA),
        "expected a JobFacet, found a SchemaDatasetFacet",
    ),
    "write facet on a read": (
        lambda b: b.input(LAKE, RAW).facet(WRITTEN),
        "or InputDatasetFacet, found an Output",
    ),
    "read facet on a write": (
        lambda b: b.output(LAKE, DAILY).facet(READ),
        "or OutputDatasetFacet, found an Input",
    ),
    "read facet on a dataset": (
        lambda b: dataset_builder().dataset.facet(READ),
        "expected a DatasetFacet, found",
    ),
    "wrong key": (lambda b: b.run.facet(TIME, key="nominal"), "/nominal: .*use 'nominalTime'"),
    "no key": (
        lambda b: b.run.facet(RunFacet(x=1)),
        "RunFacet has no facet key; pass it by facet key",
    ),
    "base facet for a known one": (lambda b: b.run.facet(RunFacet(x=1), key="nominalTime"), "/nominalTime: "),
    "plain dict": (lambda b: b.run.facet({"nominalTime": {}}), "expected a RunFacet, found an object"),
    "class": (lambda b: b.job.facet(SQLJobFacet), "expected a JobFacet, found .*SQLJobFacet"),
    "empty key": (lambda b: b.run.facet(RunFacet(x=1), key=""), "facet key"),
}

WRONG_VALUE: dict[str, tuple[Call, str]] = {
    "naive datetime": (lambda b: b.run.nominal_time(nominal_start_time=NAIVE), "/nominalStartTime: .*tzinfo"),
    "nan in a plain row": (
        lambda b: b.input(LAKE, RAW).data_quality_metrics(column_metrics={"id": {"sum": math.inf}}),
        "/columnMetrics/id/sum: ",
    ),
    "none for a required field": (lambda b: b.job.sql(query=None), "/query: "),
    "missing in a plain object": (
        lambda b: b.run.parent(run={"runId": str(uuid.uuid4())}, job={"namespace": "a"}),
        "/job/name: ",
    ),
}

WRONG_EVENT: dict[str, tuple[Call, str]] = {
    "naive event time": (lambda b: b.start(NAIVE), "/eventTime: .*tzinfo"),
    "naive event text": (lambda b: b.start("2026-11-21T12:00:00"), "/eventTime: .*with an offset, such as"),
    "number for a time": (lambda b: b.start(1795262400), "/eventTime: "),
    "empty namespace": (
        lambda b: b.input("", RAW),
        "/namespace: expected a namespace, found .*; pass the namespace",
    ),
    "empty name": (lambda b: b.output(LAKE, ""), "/name: expected a name, found .*; pass the name"),
    "no namespace": (lambda b: b.input(None, RAW), "/namespace: expected a namespace, found null; pass the"),
    "list for a name": (lambda b: b.output(LAKE, ["a"]), "/name: expected a name, found an array; pass the"),
    "number for a name": (lambda b: b.output(LAKE, 7), "/name: expected a name, found 7; pass the"),
}


CASES = {**WRONG_ENTITY, **WRONG_VALUE, **WRONG_EVENT}


@each(("call", "message"), CASES.values(), ids=CASES)
def test_invalid_input_is_rejected_and_changes_nothing(call: Call, message: str) -> None:
    build, untouched = _with_datasets(), _with_datasets()
    with pytest.raises(EventError, match=message) as rejected:
        call(build)
    assert all("\n" not in str(finding) for finding in rejected.value.findings)
    assert build.start(NOON).to_json() == untouched.start(NOON).to_json()


def _with_datasets() -> RunEventBuilder:
    build = run_builder()
    build.input(LAKE, RAW)
    build.output(LAKE, DAILY)
    return build


@each("builder", [RunEventBuilder, JobEventBuilder, DatasetEventBuilder])
@each(
    ("identity", "message"),
    [
        (("", "orders"), "/namespace: expected a namespace, found .*; pass the namespace"),
        (("etl", ""), "/name: expected a name, found .*; pass the name"),
        ((None, "orders"), "/namespace: expected a namespace, found null; pass the"),
        (("etl", 7), "/name: expected a name, found 7; pass the"),
        (("etl", ["orders"]), "/name: expected a name, found an array; pass the"),
        (("etl", "a\udc80"), "/name: expected text without lone surrogates"),
    ],
)
def test_invalid_identity_is_rejected_by_the_constructor(builder: Any, identity: Any, message: str) -> None:
    with pytest.raises(EventError, match=message):
        builder(*identity)


@pytest.mark.parametrize("run_id", ["", "7", 0, 7, "seven", b"0195793b-2c4e-7f18-a3d6-5be0917c42fd"])
def test_invalid_run_id_is_rejected_by_the_constructor(run_id: Any) -> None:
    with pytest.raises(EventError, match="/runId: expected a UUID, such as"):
        run_builder(run_id=run_id)


@pytest.mark.parametrize(
    ("call", "place", "suggestion"),
    [
        (lambda b: b.job.sql(qery="select 1"), "/sql/qery", "did you mean 'query'"),
        (lambda b: b.job.sql(query="select 1", dialekt="spark"), "/sql/dialekt", "did you mean 'dialect'"),
        (
            lambda b: b.run.nominal_time(nominalStartTime=NOON),
            "/nominal_time/nominalStartTime",
            "did you mean 'nominal_start_time'",
        ),
        (
            lambda b: b.output(LAKE, DAILY).output_statistics(lines=1),
            "/output_statistics/lines",
            "it has file_count, row_count, size",
        ),
    ],
)
def test_unknown_keyword_is_rejected_with_a_suggestion(call: Call, place: str, suggestion: str) -> None:
    with pytest.raises(EventError, match=f"^{place}: .*{suggestion}"):
        call(run_builder())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.job.sql(), "^/sql/query: missing required field 'query'$"),
        (
            lambda b: b.run.parent(),
            "(?s)^/parent/run: missing .* 'run'\n/parent/job: missing .* 'job'$",
        ),
        (
            lambda b: b.output(LAKE, DAILY).column_lineage(),
            "^/column_lineage/fields: missing .* 'fields'$",
        ),
    ],
)
def test_missing_keyword_is_rejected(call: Call, message: str) -> None:
    with pytest.raises(EventError, match=message):
        call(run_builder())


@pytest.mark.parametrize(
    ("builder", "name", "hint"),
    [
        (JobEventBuilder, "tag", r"did you mean \.job\.tag or \.input\(\.\.\.\)\.tag or"),
        (DatasetEventBuilder, "tags", r"did you mean \.dataset\.tags\?"),
        (RunEventBuilder, "sql", r"did you mean \.job\.sql\?"),
        (RunEventBuilder, "nominal_time", r"did you mean \.run\.nominal_time\?"),
        (
            RunEventBuilder,
            "schema",
            r"did you mean \.input\(\.\.\.\)\.schema or \.output\(\.\.\.\)\.schema\?",
        ),
        (RunEventBuilder, "nonsense", "RunEventBuilder has no 'nonsense'$"),
    ],
)
def test_method_of_a_part_is_suggested(builder: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=hint):
        getattr(builder("etl", "daily"), name)
    assert not hasattr(builder("etl", "daily"), "_private")
