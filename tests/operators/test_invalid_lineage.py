"""Invalid lineage and exceptions of operators and extractors neither stop the task nor its events."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.generated.containers import RunFacets
from openlineage_facets.operators import TaskInstanceLineage
from tests.cases import each
from tests.operators.scheduler import Recorder, Try, bare, operator

NAME = "shop.load_orders"

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


def lineage_of(recorded: Recorder) -> list[dict[str, Any]]:
    """Return what the operator told, of each event, in plain form."""
    lineages = []
    for event in recorded.events:
        wire = bare(event.to_dict())
        run = {k: v for k, v in wire["run"]["facets"].items() if k != "parent"}
        parts = {"runFacets": run, "jobFacets": wire["job"].get("facets")}
        parts.update({name: wire.get(name) for name in ("inputs", "outputs")})
        lineages.append({name: part for name, part in parts.items() if part})
    return lineages


@each(
    ("method", "level", "message"),
    [
        (raising(ValueError("no table")), logging.WARNING, "the operator raised an exception"),
        (raising(RecursionError("too deep")), logging.WARNING, "the operator raised an exception"),
        (lambda ti: None, logging.INFO, "the operator returned None"),
        (lambda ti: 7, logging.WARNING, "(root): expected a lineage, found 7"),
        (lambda ti: "orders", logging.WARNING, '(root): expected a lineage, found "orders"'),
        (lambda ti: [RIGHT], logging.WARNING, "(root): expected a lineage, found an array"),
        (
            lambda ti: SQLJobFacet(query=""),
            logging.WARNING,
            "(root): expected a lineage, found a SQLJobFacet",
        ),
        (lambda ti: {"jobFacets": 7}, logging.WARNING, "/jobFacets: expected a list of facets"),
        (lambda ti: {"inputs": 7}, logging.WARNING, "/inputs: expected a list of datasets, found 7"),
        (lambda ti: {"inptus": []}, logging.WARNING, "did you mean 'inputs'?"),
        (lambda ti: Hostile(), logging.WARNING, "could not read its lineage on start, a Hostile"),
        (lambda ti: Endless(inputs=[]), logging.WARNING, "could not read its lineage on start, an Endless"),
        (lambda ti: {"jobFacets": Endless(a=1)}, logging.WARNING, "/jobFacets: expected a readable value"),
        (lambda ti, more: RIGHT, logging.WARNING, "the operator raised an exception"),
    ],
)
def test_invalid_lineage_is_logged_and_left_out(
    method: Callable[..., Any], level: int, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    recorded = Recorder()
    recorded.listener.on_start(Try(task=operator(on_start=method)))
    assert lineage_of(recorded) == [{}]
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("openlineage_facets.operators", level)
    assert message in record.getMessage()
    assert "shop.load_orders" in record.getMessage()


@each(
    ("wrong", "place"),
    [
        ({"runFacets": {"errorMessage": {"message": "", "language": "python"}}}, "/runFacets/errorMessage"),
        ({"runFacets": {"sql": SQLJobFacet(query="")}}, "/runFacets/sql"),
        ({"runFacets": {"acme_cost": {"dollars": float("inf")}}}, "/runFacets/acme_cost/dollars"),
        ({"jobFacets": {**RIGHT["jobFacets"], "documentation": 7}}, "/jobFacets/documentation"),
        ({"inputs": [{"namespace": "", "name": "x"}]}, "/inputs/0/namespace"),
        ({"inputs": [None]}, "/inputs/0"),
        ({"outputs": [*RIGHT["outputs"], {"namespace": "a"}]}, "/outputs/1/name"),
        ({"outputs": [{**RIGHT["outputs"][0], "inputFacets": {}}]}, "/outputs/0/inputFacets"),
        (
            {"outputs": [{**RIGHT["outputs"][0], "outputFacets": {"outputStatistics": {"rowCount": "1"}}}]},
            "/outputs/0/outputFacets/outputStatistics/rowCount",
        ),
        ({"facets": {}}, "/facets"),
        ({5: {}}, "the name 5"),
        ({"runFacets": {"acme_cost": {"cents": 10**5000}}}, "/runFacets/acme_cost/cents"),
        ({"runFacets": {"acme_plan": {"plan": deep(5000)}}}, "/runFacets/acme_plan/plan"),
        ({"runFacets": {10**5000: {}}}, "/runFacets: expected facet keys that are strings"),
        (
            {"runFacets": {"acme_cost": Endless(a=1)}},
            "/runFacets/acme_cost: expected a readable value",
        ),
        ({"runFacets": {"acme_cost": Hostile()}}, "/runFacets/acme_cost: expected a"),
        ({"jobFacets": cut(SQLJobFacet(query="select 1"))}, "/jobFacets: expected a readable value"),
        ({"outputs": cut(*RIGHT["outputs"])}, "/outputs: expected a readable value"),
        ({"outputs": [*RIGHT["outputs"], Endless(a=1)]}, "/outputs/1: expected a readable value"),
        (
            {
                "outputs": [
                    {**RIGHT["outputs"][0], "outputFacets": {"outputStatistics": {"rowCount": NoNumber()}}}
                ]
            },
            "outputStatistics: expected a readable value, found a value that raises OverflowError",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_only_invalid_parts_are_left_out(
    wrong: dict[Any, Any], place: str, caplog: pytest.LogCaptureFixture
) -> None:
    recorded = Recorder()
    recorded.listener.on_start(Try(task=operator(on_start=lambda ti: {**RIGHT, **wrong})))
    (reported,) = lineage_of(recorded)
    assert {**reported, "outputs": [bare_dataset(one) for one in reported["outputs"]]} == RIGHT
    (record,) = caplog.records
    assert place in record.getMessage()


def test_the_log_has_the_traceback_of_a_part_that_raised(caplog: pytest.LogCaptureFixture) -> None:
    Recorder().listener.on_start(Try(task=operator(on_start=lambda ti: {"outputs": cut()})))
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)
    assert record.exc_text is not None
    assert "in cut" in record.exc_text


def test_composing_chains_the_exception_of_a_part_that_raised() -> None:
    with pytest.raises(EventError, match="/outputs/0: expected a readable value") as caught:
        TaskInstanceLineage(outputs=[Endless(a=1)])
    assert isinstance(caught.value.__cause__, RuntimeError)


def bare_dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    """Return a dataset without the containers that what was left out leaves empty."""
    return {name: value for name, value in dataset.items() if value != {}}


def test_lineage_that_fails_in_the_event_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    # A facet that was changed behind the back of its class.
    lineage = TaskInstanceLineage(job_facets=[SQLJobFacet(query="select 1")])
    object.__setattr__(lineage, "inputs", ("no dataset",))
    recorded = Recorder()
    recorded.listener.on_start(Try(task=operator(on_start=lambda ti: lineage)))
    assert lineage_of(recorded) == [{}]
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


class TestAnything:
    """Random values in every place of a lineage."""

    json = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
        ),
        max_leaves=6,
    )
    facet = json | st.fixed_dictionaries(
        {}, optional={"query": json, "fields": json, "_producer": json, "_schemaURL": json, "_deleted": json}
    )
    facets = json | st.dictionaries(
        st.sampled_from(["sql", "schema", "tags", "parent", "acme_x"]), facet, max_size=3
    )
    dataset = json | st.fixed_dictionaries(
        {"namespace": st.text(max_size=3) | json, "name": st.text(max_size=3) | json},
        optional={"facets": facets, "inputFacets": facets, "outputFacets": facets, "owner": json},
    )
    lineage = json | st.fixed_dictionaries(
        {},
        optional={
            "runFacets": facets,
            "jobFacets": facets,
            "inputs": json | st.lists(dataset, max_size=3),
            "outputs": json | st.lists(dataset, max_size=3),
        },
    )

    @given(reported=lineage)
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_accepted_lineage_is_reported_and_rejected_lineage_logged(
        self, reported: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.clear()
        caplog.set_level(logging.INFO)
        recorded = Recorder()
        recorded.life(operator(on_start=lambda ti: reported))
        assert len(recorded.events) == 2  # Each was read back strictly.
        try:
            lineage = TaskInstanceLineage.from_dict(reported)
        except EventError:
            assert [record.getMessage().split()[0].strip(":") for record in caplog.records] == [NAME, NAME]
            return
        assert caplog.records == []
        for event in recorded.events:
            assert event.run.facets is not None
            run_facets = event.run.facets.without("parent")
            assert run_facets == (lineage.run_facets or RunFacets()).without("parent")
            assert (event.job.facets or {}) == (lineage.job_facets or {})
            assert (event.inputs, event.outputs) == (lineage.inputs, lineage.outputs)
