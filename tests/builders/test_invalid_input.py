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
from tests.composing.messages import assert_one_finding

SQL = SQLJobFacet(query="select 1")
TIME = NominalTimeRunFacet(nominal_start_time=NOON)
SCHEMA = SchemaDatasetFacet(fields=[])
READ = InputStatisticsInputDatasetFacet(row_count=1)
WRITTEN = OutputStatisticsOutputDatasetFacet(row_count=1)
NAIVE = datetime(2026, 11, 21, 12)

Call = Callable[[Any], Any]

WRONG_ENTITY: list[tuple[Call, str]] = [
    (lambda b: b.run.facet(SQL), "/facets: expected a RunFacet, found a SQLJobFacet; add it to the entity"),
    (
        lambda b: b.input(LAKE, RAW).facet(WRITTEN),
        "/facets: expected a DatasetFacet or InputDatasetFacet, found an ...; add it to the entity",
    ),
    (lambda b: dataset_builder().dataset.facet(READ), "/facets: expected a DatasetFacet, found an"),
    (
        lambda b: b.run.facet(TIME, key="nominal"),
        "/nominal: expected the facet key ..., found 'nominal'; use 'nominalTime'",
    ),
    (lambda b: b.run.facet(RunFacet(x=1)), "(root): RunFacet has no facet key; pass it by facet key:"),
    (lambda b: b.run.facet({"nominalTime": {}}), "/facets: expected a RunFacet, found an object; add it to"),
    (lambda b: b.job.facet(SQLJobFacet), "/facets: expected a JobFacet, found the class SQLJobFacet; add it"),
]

WRONG_VALUE: list[tuple[Call, str]] = [
    (
        lambda b: b.run.nominal_time(nominal_start_time=NAIVE),
        "/nominalStartTime: expected an RFC 3339 date-time..., found a datetime ...; give it a tzinfo",
    ),
    (
        lambda b: b.input(LAKE, RAW).data_quality_metrics(column_metrics={"id": {"sum": math.inf}}),
        "/columnMetrics/id/sum: expected a number, found inf",
    ),
    (lambda b: b.job.sql(query=None), "/query: expected a string, found null"),
    (lambda b: b.run.parent(run={"runId": str(uuid.uuid4())}, job={"namespace": "a"}), "/job/name: missing"),
]

WRONG_EVENT: list[tuple[Call, str]] = [
    (
        lambda b: b.start(NAIVE),
        "/eventTime: expected an RFC 3339 date-time..., found a datetime without an offset; give it a tzinfo",
    ),
    (
        lambda b: b.input("", RAW),
        "/namespace: expected a namespace, found an empty string; pass the namespace",
    ),
    (lambda b: b.output(LAKE, ""), "/name: expected a name, found an empty string; pass the name"),
]


CASES = [*WRONG_ENTITY, *WRONG_VALUE, *WRONG_EVENT]


@each(("call", "message"), CASES, ids=[message for _, message in CASES])
def test_invalid_input_is_rejected_and_changes_nothing(call: Call, message: str) -> None:
    build, untouched = _with_datasets(), _with_datasets()
    with pytest.raises(EventError) as rejected:
        call(build)
    assert_one_finding(rejected, message)
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


@each("run_id", ["", 0, "seven", b"0195793b-2c4e-7f18-a3d6-5be0917c42fd"])
def test_invalid_run_id_is_rejected_by_the_constructor(run_id: Any) -> None:
    with pytest.raises(EventError, match="/runId: expected a UUID, such as"):
        run_builder(run_id=run_id)


@each(
    ("call", "message"),
    [
        (lambda b: b.job.sql(qery="select 1"), "^/sql/qery: .*did you mean 'query'"),
        (
            lambda b: b.run.nominal_time(nominalStartTime=NOON),
            "^/nominal_time/nominalStartTime: .*did you mean 'nominal_start_time'",
        ),
        (
            lambda b: b.output(LAKE, DAILY).output_statistics(lines=1),
            "^/output_statistics/lines: .*it has file_count, row_count, size",
        ),
        (lambda b: b.job.sql(), "^/sql/query: missing required field 'query'$"),
        (lambda b: b.run.parent(), "(?s)^/parent/run: missing .* 'run'\n/parent/job: missing .* 'job'$"),
    ],
)
def test_unknown_and_missing_keywords_are_rejected(call: Call, message: str) -> None:
    with pytest.raises(EventError, match=message):
        call(run_builder())


@each(
    ("builder", "name", "hint"),
    [
        (JobEventBuilder, "tag", r"did you mean \.job\.tag or \.input\(\.\.\.\)\.tag or"),
        (DatasetEventBuilder, "tags", r"did you mean \.dataset\.tags\?"),
        (RunEventBuilder, "sql", r"did you mean \.job\.sql\?"),
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
