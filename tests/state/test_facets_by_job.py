"""`lineage(by_job=True)` does not depend on the order in which jobs ran."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.state import Lineage
from tests.events import facet, folded
from tests.graphs.sample_graphs import dataset, run_event
from tests.review import graphs_to_review


def lineage(*events: dict[str, Any]) -> Lineage:
    return folded(*events).lineage(by_job=True)


def content(lineage: Lineage) -> tuple[Any, ...]:
    """Return a graph without times."""
    edges = [(edge.source, edge.target, edge.inputs) for edge in lineage.edges]
    return edges, lineage.columns, [(one.id, one.columns, one.facets) for one in lineage.datasets]


def run_at(second: int, event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "eventTime": f"2026-11-21T08:30:{second:02}Z"}


def test_a_dataset_has_the_columns_and_the_lineage_of_all_jobs_that_write_it() -> None:
    first = run_event("a", [], [dataset("t", ("x", "y"), {"x": [("in", "x")]})])
    second = run_event("b", [], [dataset("t", ("z", "x"), {"x": [("other", "x")]})])
    (table,) = (one for one in lineage(second, first).datasets if one.id.name == "t")
    assert [column.name for column in table.columns] == ["x", "y", "z"]
    assert [edge.source.dataset.name for edge in lineage(first, second).columns] == ["in", "other"]  # type: ignore[union-attr]


def test_what_readers_find_counts_if_no_job_writes_the_dataset() -> None:
    read = run_event("a", [dataset("t", ("old",))], [])
    assert [one.name for one in lineage(read).datasets[0].columns] == ["old"]
    written = run_event("b", [], [dataset("t", ("x",))])
    assert [one.name for one in lineage(read, written).datasets[0].columns] == ["x"]


def test_a_job_that_runs_again_replaces_what_it_said() -> None:
    first = run_event("a", [], [dataset("t", ("x", "y"), {"x": [("in", "x")]})])
    second = run_event("a", [], [dataset("t", ("x",))], second=7)
    second["outputs"][0]["facets"]["columnLineage"] = {"_deleted": True}
    found = lineage(first, second)
    assert [one.name for one in found.datasets[-1].columns] == ["x"]
    assert not found.columns


_ONE_RUN_PER_JOB = graphs_to_review.EVENTS.filter(
    lambda events: len({one["job"]["name"] for one in events}) == len(events)
)


@given(_ONE_RUN_PER_JOB, st.data())
def test_jobs_may_run_in_any_order(events: list[dict[str, Any]], data: st.DataObject) -> None:
    order = data.draw(st.sampled_from(list(permutations(range(len(events))))))
    shuffled = [run_at(second, event) for second, event in zip(order, events, strict=True)]
    assert content(lineage(*shuffled)) == content(lineage(*events))


def declaring(second: int, target: str, *columns: str, job: str = "j") -> dict[str, Any]:
    """Return a run whose `lineage` facet of the job says what feeds columns of one output."""
    source = {"namespace": "db", "name": f"in{second}", "type": "DATASET"}
    fields = {name: {"inputs": [{**source, "field": name}]} for name in columns}
    entry = {"namespace": "db", "name": target, "type": "DATASET", "fields": fields}
    event = run_event(job, [dataset(f"in{second}")], [dataset(target)], second=second)
    event["job"]["facets"] = {"lineage": facet(entries=[entry])}
    return event


def columns_of(*events: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the columns with lineage, and the datasets from which they are computed."""
    edges = lineage(*events).columns
    return [(edge.source.dataset.name, f"{edge.target.dataset.name}.{edge.target.name}") for edge in edges]  # type: ignore[union-attr]


def test_a_job_whose_runs_write_different_outputs_has_the_columns_of_all() -> None:
    first, second = declaring(1, "eu", "x"), declaring(2, "us", "y")
    assert columns_of(first, second) == [("in1", "eu.x"), ("in2", "us.y")]
    others = declaring(2, "eu", "x"), declaring(1, "us", "y")
    assert columns_of(*others) == [("in1", "us.y"), ("in2", "eu.x")]


def test_of_the_runs_that_declare_an_output_the_last_one_counts() -> None:
    assert columns_of(declaring(1, "eu", "x"), declaring(2, "eu", "y")) == [("in2", "eu.y")]
    assert columns_of(declaring(3, "eu", "x"), declaring(2, "eu", "y")) == [("in3", "eu.x")]


def test_of_one_run_only_the_last_declaration_counts() -> None:
    started, ended = declaring(1, "eu", "x"), declaring(1, "us", "x")
    ended["eventTime"] = "2026-11-21T08:30:59Z"
    assert columns_of(started, ended) == [("in1", "us.x")]


def test_a_tombstone_deletes_what_earlier_runs_have_declared() -> None:
    deleted = declaring(2, "us", "y")
    deleted["job"]["facets"] = {"lineage": facet(_deleted=True)}
    assert columns_of(declaring(1, "eu", "x"), deleted) == []
    assert columns_of(declaring(3, "eu", "x"), deleted) == [("in3", "eu.x")]
