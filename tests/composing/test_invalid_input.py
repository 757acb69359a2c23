"""Invalid input raises where it is passed, with its location, the expected and the actual value."""

from __future__ import annotations

from array import array
from collections import UserDict
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any
from uuid import UUID

import pytest
from pydantic import Field, HttpUrl, field_validator

from openlineage_facets import EventError, InputDataset, OutputDataset, Run
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    JobTypeJobFacet,
    LineageJobFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    ParentRunFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    data_quality_assertions_dataset,
    job_type_job,
    lineage,
    parent_run,
    schema_dataset,
    tag,
)
from tests.cases import each
from tests.composing.messages import assert_one_finding
from tests.composing.orders import RUN_ID, job, run_event

NAN = float("nan")


class Several:
    """Like NumPy's arrays, which are an integer only where they hold a single one."""

    def __index__(self) -> int:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")


INFINITY = float("inf")
Compose = Callable[[], object]


def column(**fields: Any) -> object:
    return schema_dataset.SchemaDatasetFacetFields(**{"name": "id", **fields})


def rows(count: object) -> object:
    return OutputStatisticsOutputDatasetFacet(row_count=count)


def at(moment: object) -> object:
    return NominalTimeRunFacet(nominal_start_time=moment)


WRONG: list[tuple[Callable[..., object], str]] = [
    (lambda: rows("10"), '/rowCount: expected an integer, found "10"'),
    (lambda: rows(True), "/rowCount: expected an integer, found true"),
    (lambda: rows(1.5), "/rowCount: expected an integer, found 1.5"),
    (lambda: rows(10**4300), "/rowCount: expected an integer, found a number of about 4301 digits, more"),
    (
        lambda: rows(10**5000),
        "/rowCount: expected an integer, found a number of about 5001 digits, more than JSON",
    ),
    (lambda: rows(Several()), "/rowCount: expected an integer, found a Several"),
    (
        lambda: RunFacet(cost=10**5000),
        "/cost: expected a finite JSON value (...), found a number of about 5001 digits, more than JSON",
    ),
    (
        lambda: RunFacet(cost={"a": (1, 2)}),
        "/cost/a: expected a finite JSON value (...), found a tuple; convert it with list()",
    ),
    (
        lambda: RunFacet(cost={"a": UserDict(a=1)}),
        "/cost/a: expected a finite JSON value (...), found a UserDict; convert it with dict()",
    ),
    (
        lambda: RunFacet(cost=range(2)),
        "/cost: expected a finite JSON value (...), found a range; convert it with list()",
    ),
    (
        lambda: RunFacet(cost=array("i", [1])),
        "/cost: expected a finite JSON value (...), found an array.array; convert it with list()",
    ),
    (lambda: job(name=bytearray(b"a")), "/name: expected a string, found a bytearray"),
    (lambda: rows(UUID(RUN_ID)), "/rowCount: expected an integer, found a UUID"),
    (
        lambda: RunFacet(cost={"a": {1: 2}}),
        "/cost/a: expected an object whose keys are strings, found the key 1; convert it with str()",
    ),
    (lambda: rows(NAN), "/rowCount: expected an integer, found nan"),
    (lambda: job(name=b"orders"), "/name: expected a string, found a bytes"),
    (lambda: job(name="\ud800"), '/name: expected text without lone surrogates, found "\\ud800"; decode it'),
    (
        lambda: data_quality_assertions_dataset.Assertion(assertion="x", success="true"),
        '/success: expected true or false, found "true"',
    ),
    (lambda: job(name=""), "/name: expected a name, found an empty string; pass the name"),
    (
        lambda: InputDataset(namespace="", name="a"),
        "/namespace: expected a namespace, found an empty string; pass the namespace",
    ),
    (lambda: job().replace(name=""), "/name: expected a name, found an empty string; pass the name"),
    (
        lambda: run_event(event_type="BOGUS"),
        "/eventType: expected one of 'START', ... or 'OTHER', found \"BOGUS\"",
    ),
    (
        lambda: lineage.LineageDatasetInput(namespace="a", name="b", type="JOB"),
        "/type: expected 'DATASET', found \"JOB\"",
    ),
    (lambda: Run(run_id="seven"), "/runId: expected a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d,"),
    (lambda: Run(run_id=f"{RUN_ID}\n"), "/runId: expected a UUID, such as"),
    (lambda: at(datetime(2026, 11, 21)), "/nominalStartTime: expected an RFC 3339 date-time with an offset,"),
    (lambda: at("2026-11-21T00:00:00"), "/nominalStartTime: expected an RFC 3339 date-time with an offset,"),
    (
        lambda: at(date(2026, 11, 21)),
        "/nominalStartTime: expected an RFC 3339 date-time with an offset..., found a date",
    ),
    (
        lambda: at(1795219200),
        "/nominalStartTime: expected an RFC 3339 date-time with an offset..., found 1795219200",
    ),
    (lambda: run_event(inputs=7), "/inputs: expected an array, found 7"),
    (
        lambda: run_event(inputs=InputDataset(namespace="a", name="b")),
        "/inputs: expected an array, found an InputDataset; put it into a list",
    ),
    (
        lambda: run_event(outputs={"namespace": "s3://lake", "name": "orders"}),
        "/outputs: expected an array, found an object; put it into a list",
    ),
    (lambda: job(namespace=None), "/namespace: expected a string, found null"),
    (lambda: SchemaDatasetFacet(fields="id"), '/fields: expected an array, found "id"'),
    (
        lambda: run_event(outputs=[InputDataset(namespace="a", name="b")]),
        "/outputs/0: expected an OutputDataset, found an InputDataset",
    ),
    (
        lambda: run_event(
            inputs=[InputDataset(namespace="a", name="b"), OutputDataset(namespace="a", name="b")]
        ),
        "/inputs/1: expected an InputDataset, found an OutputDataset",
    ),
    (
        lambda: ParentRunFacet(run=parent_run.Run(run_id=RUN_ID), job=job()),
        "/job: expected the Job of this field, found ..., another class ... facets.parent_run",
    ),
    (lambda: lineage.LineageDatasetFacet(fields=[]), "/fields: expected an object, found an empty array"),
    (
        lambda: run_event(run={"runId": RUN_ID, "facets": {"x": {"_producer": 7, "_schemaURL": "a:b"}}}),
        "/run/facets/x/_producer: expected a string, found 7",
    ),
    (
        lambda: JobTypeJobFacet(
            processing_type="STREAMING",
            integration="FLINK",
            emission_pattern=job_type_job.EmissionPattern(
                event_trigger="WINDOW", event_content_mode="CUMULATIVE", window_duration=-1
            ),
        ),
        "/windowDuration: expected a number of at least 1, found -1",
    ),
    (
        lambda: RunFacet(cost=[1.5, {"usd": INFINITY}]),
        "/cost/1/usd: expected a finite JSON value (...), found inf",
    ),
    (lambda: RunFacet(cost=Decimal(1)), "/cost: expected a finite JSON value (...), found a Decimal"),
    (
        lambda: tag.TagFacetFields(key="share", value=Fraction(1, 3)),
        "/value: expected a string or a number or true or false, found a Fraction",
    ),
    (lambda: RunFacet(note=["\ud800"]), '/note/0: expected text without lone surrogates, found "\\ud800";'),
    (
        lambda: tag.TagFacetFields(key="cost", value=NAN),
        "/value: expected a string or a number or true or false, found nan",
    ),
    (
        lambda: lineage.LineageJobInput(type="JOB", namespace="etl"),
        "(root): missing field 'name', which is required with 'namespace'",
    ),
    (
        lambda: LineageJobFacet(entries=[{"type": "TABLE"}]),
        "/entries/0/type: expected one of 'DATASET', 'JOB', found \"TABLE\"",
    ),
    (
        lambda: SchemaDatasetFacet(fields=[{"name": "a", 5: 6}]),
        "/fields/0: expected names that are strings, found the name 5",
    ),
    (lambda: run_event(inputs={1}), "/inputs/0: expected an object, found 1"),
    (
        lambda: ColumnLineageDatasetFacet(fields={"id": {"input_fields": []}}),
        "/fields/id/inputFields: missing required field ...; rename 'input_fields' to 'inputFields'",
    ),
    (
        lambda: ParentRunFacet(run={"run_id": RUN_ID}, job={"namespace": "a", "name": "b"}),
        "/run/runId: missing required field 'runId'; rename 'run_id' to 'runId'",
    ),
]


@each(("compose", "message"), WRONG, ids=[message for _, message in WRONG])
def test_invalid_input_is_rejected_at_its_location(compose: Compose, message: str) -> None:
    with pytest.raises(EventError) as rejected:
        compose()
    assert_one_finding(rejected, message)


def test_empty_names_are_parsed() -> None:
    read = InputDataset.from_json('{"namespace": "", "name": ""}')
    assert run_event(inputs=[read]).inputs == (read,)


def test_an_integral_float_is_an_integer_as_in_json_schema() -> None:
    assert rows(10.0).to_json().endswith(b'"rowCount":10}')


class CountedElsewhere:
    """A whole number of another library's, such as NumPy's 64-bit integers."""

    def __index__(self) -> int:
        return 1234567890123456789

    def __float__(self) -> float:
        return float(self.__index__())


def test_an_integer_of_another_library_is_accepted_exactly_or_rejected() -> None:
    try:
        facet = OutputStatisticsOutputDatasetFacet(row_count=CountedElsewhere())
    except EventError:
        return
    assert facet.row_count == 1234567890123456789


def test_the_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"^/name"):
        column(name=None)


class Unit(str, Enum):
    CENT = "cent"


class OwnRunFacet(RunFacet):
    """Fields of types that the specification does not know."""

    __facet_key__ = "acme_own"

    number: float | None = None
    price: Decimal | None = None
    moment: datetime | None = None
    day: date | None = None
    hour: time | None = None
    length: timedelta | None = None
    address: HttpUrl | None = None
    id: UUID | None = None
    words: set[str] | None = None
    unit: Unit | None = None
    packed: bytes | None = None
    even: Annotated[int, Field(multiple_of=2)] | None = None
    never: int | None = None
    row: dict[str, Any] | None = None

    @field_validator("never")
    @classmethod
    def _never(cls, number: int) -> int:
        raise ValueError("it never does")


@each(
    ("fields", "words"),
    [
        ({"number": NAN}, "a finite number, found nan"),
        ({"number": "1.5"}, 'a number, found "1.5"'),
        ({"price": "much"}, 'a number, found "much"'),
        ({"moment": "now"}, 'a datetime, such as 2026-11-21T08:30:00Z, found "now"'),
        ({"moment": []}, "a datetime, such as 2026-11-21T08:30:00Z, found an empty array"),
        ({"day": "today"}, 'a date, such as 2026-11-21, found "today"'),
        ({"hour": "noon"}, 'a time, such as 08:30:00, found "noon"'),
        ({"length": "long"}, 'a duration, such as P1DT2H, found "long"'),
        ({"address": "home"}, 'a URL, found "home"'),
        ({"id": "7"}, "a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d, found"),
        ({"words": 7}, "an array, found 7"),
        ({"unit": "inch"}, "one of 'cent', found \"inch\""),
        ({"packed": 7}, "bytes, found 7"),
        ({"even": 7}, "a multiple of 2, found 7"),
        ({"never": 7}, "a value that the class accepts, found 7; it never does"),
        ({"row": 7}, "an object, found 7"),
    ],
    ids=str,
)
def test_errors_of_custom_classes_have_the_same_form(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(EventError) as rejected:
        OwnRunFacet(**fields)
    (line,) = str(rejected.value).splitlines()
    assert line.startswith(f"/{next(iter(fields))}: expected {words}")
    for theirs in ("Input", "should", "valid"):
        assert theirs not in line


def test_the_exception_of_a_custom_validator_is_the_cause() -> None:
    with pytest.raises(EventError) as rejected:
        OwnRunFacet(never=7)
    cause = rejected.value.__cause__
    assert isinstance(cause, ValueError)
    assert str(cause) == "it never does"


def given(*values: Any) -> Iterator[Any]:
    yield from values
    raise LookupError("no more")


@each(
    ("compose", "place"),
    [
        (lambda values: SchemaDatasetFacet(fields=values), "/fields"),
        (lambda values: SchemaDatasetFacet(fields=map(dict, values)), "/fields"),
        (lambda values: run_event(inputs=values), "/inputs"),
        (lambda values: run_event().replace(inputs=values), "/inputs"),
        (lambda values: job(facets=values), "/facets"),
    ],
    ids=["items", "mapped items", "datasets", "copy", "facets"],
)
def test_the_exception_of_an_iterator_is_the_cause(compose: Callable[[Any], object], place: str) -> None:
    with pytest.raises(EventError) as rejected:
        compose(given())
    problem = "expected an iterable of values, found an iterator that raised LookupError after 0 values"
    assert str(rejected.value) == f"{place}: {problem}"
    assert isinstance(rejected.value.__cause__, LookupError)


def test_an_event_error_of_an_iterator_is_raised_unchanged() -> None:
    with pytest.raises(EventError, match="^/rowCount: expected an integer"):
        job(facets=(rows("10") for _ in range(1)))


@each(
    ("compose", "words"),
    [
        (lambda: SQLJobFacet("SELECT 1"), 'SQLJobFacet(query=...); found the positional argument "SELECT 1"'),
        (lambda: Run(RUN_ID), "Run(...); found"),
        (
            lambda: InputDataset("a", "b"),
            'InputDataset(namespace=..., name=...); found the positional argument "a"',
        ),
    ],
    ids=["facet", "run", "dataset"],
)
def test_the_error_for_a_positional_argument_lists_the_field_names(compose: Compose, words: str) -> None:
    with pytest.raises(TypeError) as rejected:
        compose()
    assert str(rejected.value).partition(", as in ")[2].startswith(words)


def test_a_class_of_the_job_with_our_name_is_named_in_the_hint() -> None:
    class Job:
        pass

    with pytest.raises(EventError) as found:
        run_event(job=Job())
    place = f"it is a {__name__}.Job; use the Job of openlineage_facets, or a dict"
    assert str(found.value) == f"/job: expected an object, found a Job; {place}"
