"""Invalid lineage and exceptions of operators and extractors neither stop the task nor its events."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openlineage_facets import EventError, Job, OutputDataset
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.generated.containers import RunFacets
from openlineage_facets.operators import TaskInstanceLineage
from tests.cases import each
from tests.operators.scheduler import Recorder, Try, lineage_in, operator

NAME = "shop.load_orders"

ORDERS = {"namespace": "s3://lake", "name": "orders"}

RIGHT: dict[str, Any] = {
    "jobFacets": {"sql": {"query": "select 1"}},
    "outputs": [{"namespace": "a", "name": "b"}],
}


class Hostile:
    """An object whose every attribute raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} here")


class Endless(dict[str, Any]):
    """A dict that raises when it is read."""

    def items(self) -> Any:
        raise RuntimeError("no items here")

    keys = items


class NoNumber:
    """A number that raises when it is read."""

    def __index__(self) -> int:
        raise OverflowError("no number here")


def cut(*parts: Any) -> Iterator[Any]:
    """Give some parts, then raise."""
    yield from parts
    raise KeyError("no more here")


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"more": value}
    return value


def raising(error: Exception) -> Callable[..., Any]:
    def method(ti: Any) -> Any:
        raise error

    return method


@each(
    ("method", "level", "message"),
    [
        (raising(ValueError("no table")), logging.WARNING, "the operator raised an exception"),
        (raising(RecursionError("too deep")), logging.WARNING, "the operator raised an exception"),
        (lambda ti, more: RIGHT, logging.WARNING, "the operator raised an exception"),
        (lambda ti: None, logging.INFO, "the operator returned None"),
        (lambda ti: "orders", logging.WARNING, '(root): expected a lineage, found "orders"'),
        (lambda ti: [RIGHT], logging.WARNING, "(root): expected a lineage, found an array; return a Task"),
        (lambda ti: SQLJobFacet(query=""), logging.WARNING, "(root): expected a lineage, found a SQLJobF"),
        (lambda ti: Hostile(), logging.WARNING, "could not read its lineage on start, a Hostile"),
        (lambda ti: Endless(inputs=[]), logging.WARNING, "could not read its lineage on start, an Endless"),
    ],
)
def test_what_is_no_lineage_is_logged_and_left_out(
    method: Callable[..., Any], level: int, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    recorded = Recorder()
    recorded.listener.on_start(Try(operator(on_start=method)))
    assert lineage_in(recorded.events[0]) == {}
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("openlineage_facets.operators", level)
    assert message in record.getMessage()
    assert "shop.load_orders" in record.getMessage()


SQL = SQLJobFacet(query="")


@each(
    ("field", "value", "message"),
    [
        ("runFacets", {"sql": SQL}, "/sql: expected a RunFacet, found a SQLJobFacet"),
        ("jobFacets", {"query": SQL}, "/query: expected the facet key 'sql' for SQLJobFacet"),
        ("jobFacets", {"sql": {"qeury": ""}}, "/sql/qeury: SQLJobFacet has no field 'qeury'"),
        ("jobFacets", {"sql": {"query": 5}}, "/sql/query: expected a string, found 5"),
        ("jobFacets", {"sql": {}}, "/sql/query: missing required field 'query'"),
        ("jobFacets", {"sql": ""}, '/sql: expected a facet, found ""; pass a facet or a dict'),
        ("jobFacets", {"sql": None}, "/sql: expected a facet, found null"),
        ("jobFacets", {5: {}}, ": expected facet keys that are strings, found the key 5"),
        ("jobFacets", {"acme_tier": {5: 5}}, "/acme_tier: expected field names that are strings"),
        ("jobFacets", SQL, ": expected a list of facets"),
        ("jobFacets", [SQL, SQL], "/sql: expected one facet with this key, found two"),
        ("jobFacets", ["sql"], ': expected a facet, found "sql"'),
        ("jobFacets", "sql", ": expected a list of facets"),
        (
            "runFacets",
            {"nominalTime": {"nominalStartTime": "2026-11-21T08:30:00"}},
            "/nominalTime/nominalStartTime: expected an RFC 3339 date-time with an offset",
        ),
        ("runFacets", {"acme_cost": {"dollars": float("nan")}}, "/acme_cost/dollars: expected"),
        ("runFacets", {"a": {"_producer": "me"}}, "/a/_producer: expected an absolute URI such as https://"),
        ("inputs", ORDERS, ": expected a list of datasets, found an object; wrap a single dataset in a list"),
        (
            "inputs",
            [{**ORDERS, "namespace": ""}],
            "/0/namespace: expected a namespace, found an empty string",
        ),
        ("inputs", [{"name": "a"}], "/0/namespace: missing required field 'namespace'"),
        ("inputs", [OutputDataset(**ORDERS)], "/0: expected an InputDataset, found an OutputDataset"),
        ("inputs", [Job(**ORDERS)], "/0: expected an InputDataset, found a Job"),
        ("inputs", ["a"], '/0: expected an InputDataset, found "a"; compose an InputDataset'),
        (
            "inputs",
            [{**ORDERS, "outputFacets": {}}],
            "/0/outputFacets: InputDataset has no field 'outputFace",
        ),
        ("facets", {}, ": TaskInstanceLineage has no field 'facets'; it has inputs, job_facets"),
        (7, {}, "(root): expected field names that are strings, found the name 7"),
    ],
)
def test_an_invalid_part_is_reported_with_its_location_and_left_out(
    field: Any, value: Any, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    message = message if field == 7 else f"/{field}{message}"
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage.from_dict({field: value})
    assert len(caught.value.findings) == 1
    assert str(caught.value).startswith(message), str(caught.value)

    left = lineage_in(Recorder().start({**RIGHT, field: value})).items()
    assert left >= {name: part for name, part in RIGHT.items() if name != field}.items()
    (logged,) = caplog.messages
    assert message in logged


OUTPUT: dict[str, Any] = RIGHT["outputs"][0]


def with_row_count(count: object) -> dict[str, Any]:
    return {"outputs": [{**OUTPUT, "outputFacets": {"outputStatistics": {"rowCount": count}}}]}


@each(
    ("wrong", "place"),
    [
        ({"jobFacets": {**RIGHT["jobFacets"], "documentation": 7}}, "/jobFacets/documentation"),
        ({"outputs": [OUTPUT, {"namespace": "a"}]}, "/outputs/1/name"),
        ({"outputs": [{**OUTPUT, "inputFacets": {}}]}, "/outputs/0/inputFacets"),
        (
            with_row_count(NoNumber()),
            "Statistics: expected a readable value, found a value that raises Overf",
        ),
        ({"runFacets": {"acme_cost": {"cents": 10**5000}}}, "/runFacets/acme_cost/cents"),
        ({"runFacets": {"acme_plan": {"plan": deep(5000)}}}, "/runFacets/acme_plan/plan"),
        ({"runFacets": {10**5000: {}}}, "/runFacets: expected facet keys that are strings"),
        ({"runFacets": {"acme_cost": Endless(a=1)}}, "/runFacets/acme_cost: expected a readable value"),
        ({"runFacets": Endless(a=1)}, "/runFacets: expected a readable value"),
        ({"runFacets": {"acme_cost": Hostile()}}, "/runFacets/acme_cost: expected a"),
        ({"jobFacets": cut(SQLJobFacet(query="select 1"))}, "/jobFacets: expected a readable value"),
        ({"jobFacets": [5, SQLJobFacet(query="select 1")]}, "/jobFacets: expected a facet, found 5"),
        ({"outputs": cut(OUTPUT)}, "/outputs: expected a readable value"),
        ({"outputs": [OUTPUT, Endless(a=1)]}, "/outputs/1: expected a readable value"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_only_invalid_parts_are_left_out(
    wrong: dict[Any, Any], place: str, caplog: pytest.LogCaptureFixture
) -> None:
    reported = lineage_in(Recorder().start({**RIGHT, **wrong}))
    for dataset in reported["outputs"]:
        dataset.pop("outputFacets", None)  # Empty, because what it contained was left out.
    assert reported == RIGHT
    (message,) = caplog.messages
    assert place in message


def test_the_log_has_the_traceback_of_a_part_that_raised(caplog: pytest.LogCaptureFixture) -> None:
    Recorder().start({"outputs": cut()})
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)
    assert record.exc_text is not None
    assert "in cut" in record.exc_text


def test_composing_chains_the_exception_of_a_part_that_raised() -> None:
    with pytest.raises(EventError, match="/outputs/0: expected a readable value") as caught:
        TaskInstanceLineage(outputs=[Endless(a=1)])
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_lineage_that_fails_in_the_event_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    # A facet that was changed behind the back of its class.
    lineage = TaskInstanceLineage(job_facets=[SQLJobFacet(query="select 1")])
    object.__setattr__(lineage, "inputs", ("no dataset",))
    assert lineage_in(Recorder().start(lineage)) == {}
    assert "invalid lineage left out of the event: /inputs/0" in caplog.text


@pytest.mark.parametrize("ti", [None, 7, Hostile()], ids=["none", "number", "hostile"])
def test_an_invalid_task_instance_is_logged(ti: Any, caplog: pytest.LogCaptureFixture) -> None:
    recorded = Recorder()
    recorded.listener.on_start(ti)
    recorded.listener.on_complete(ti)
    recorded.listener.on_failure(ti, "broken")
    assert recorded.events == []
    assert [record.getMessage() for record in caplog.records] == [
        f"could not emit the {kind} event of a task instance" for kind in ("START", "COMPLETE", "FAIL")
    ]


@pytest.mark.parametrize("task", [None, Hostile()], ids=["none", "hostile"])
def test_an_invalid_task_has_no_lineage(task: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert len(Recorder().life(task, "broken")) == 2
    assert all("shop.load_orders" in record.getMessage() for record in caplog.records)


# Random values in every place of a lineage.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
    ),
    max_leaves=6,
)
FACET = JSON | st.fixed_dictionaries(
    {}, optional={"query": JSON, "fields": JSON, "_producer": JSON, "_schemaURL": JSON, "_deleted": JSON}
)
FACETS = JSON | st.dictionaries(
    st.sampled_from(["sql", "schema", "tags", "parent", "acme_x"]), FACET, max_size=3
)
DATASET = JSON | st.fixed_dictionaries(
    {"namespace": st.text(max_size=3) | JSON, "name": st.text(max_size=3) | JSON},
    optional={"facets": FACETS, "inputFacets": FACETS, "outputFacets": FACETS, "owner": JSON},
)
LINEAGE = JSON | st.fixed_dictionaries(
    {},
    optional={
        "runFacets": FACETS,
        "jobFacets": FACETS,
        "inputs": JSON | st.lists(DATASET, max_size=3),
        "outputs": JSON | st.lists(DATASET, max_size=3),
    },
)


@given(reported=LINEAGE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_accepted_lineage_is_reported_and_rejected_lineage_logged(
    reported: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    caplog.set_level(logging.INFO)
    recorded = Recorder()
    recorded.life(operator(on_start=lambda ti: reported))
    # An emitter of an earlier test may still retry in the background, which its libraries log.
    logged = [record for record in caplog.records if record.name.startswith("openlineage_facets.operators")]
    assert len(recorded.events) == 2  # Each was read back strictly.
    try:
        lineage = TaskInstanceLineage.from_dict(reported)
    except EventError:
        assert [record.getMessage().split()[0].strip(":") for record in logged] == [NAME, NAME]
        return
    assert logged == []
    for event in recorded.events:
        assert event.run.facets is not None
        run_facets = event.run.facets.without("parent")
        assert run_facets == (lineage.run_facets or RunFacets()).without("parent")
        assert (event.job.facets or {}) == (lineage.job_facets or {})
        assert (event.inputs, event.outputs) == (lineage.inputs, lineage.outputs)
