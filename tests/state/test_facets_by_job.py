"""`lineage(by_job=True)` does not depend on the order in which jobs ran."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.state import Lineage
from tests.events import folded
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
