"""Restricting graphs to what is upstream and downstream."""

from __future__ import annotations

import pytest

from openlineage_facets.graphs import focused
from openlineage_facets.graphs.focus import restricted
from openlineage_facets.graphs.links import links_of, nodes_of
from openlineage_facets.state import DatasetId, JobId, Lineage
from tests.cases import each
from tests.graphs.sample_graphs import copies, dataset, folded, orders, orders_events, run_event
from tests.speed.counting import python_calls


def names(lineage: Lineage) -> set[str]:
    return {node.name for node in nodes_of(lineage)}


UP = {"orders.daily", "curated/daily"}
DOWN = {"curated/daily", "reports.weekly"}
SOURCES = {"raw/orders", "raw/customers"}


@each(
    ("name", "up", "down", "expected"),
    [
        ("curated/daily", None, None, {*SOURCES, *UP, *DOWN, "reports/weekly"}),
        ("raw/orders", None, None, {"raw/orders", *UP, *DOWN, "reports/weekly"}),
        ("curated/daily", 0, 0, {"curated/daily"}),
        ("curated/daily", 1, 0, UP),
        ("curated/daily", 0, 1, DOWN),
        ("curated/daily", 2, 0, {*UP, *SOURCES}),
        ("db/raw/orders", None, 0, {"raw/orders"}),
        ("customers", None, 0, {"raw/customers"}),
        ("custom", None, 0, {"raw/customers"}),
    ],
)
def test_what_is_upstream_and_downstream_within_a_number_of_links(
    name: str, up: int | None, down: int | None, expected: set[str]
) -> None:
    assert names(focused(orders(), [name], up=up, down=down)) == expected


@each(
    ("name", "up", "down", "expected"),
    [
        ("sums", None, 0, {"sums", "report", "b_copy", "copy", "b"}),
        ("a", 0, None, {"a", "copy", "a_copy"}),
        ("a_copy", 2, None, {"a_copy", "copy", "a"}),
        ("a_copy", 1, 0, {"a_copy", "copy"}),
        ("copy", 1, 1, {"copy", "a", "b", "c", "a_copy", "b_copy", "c_copy"}),
    ],
)
def test_a_job_passes_on_the_inputs_that_its_runs_have_declared(
    name: str, up: int | None, down: int | None, expected: set[str]
) -> None:
    assert names(focused(copies(), [name], up=up, down=down)) == expected


def test_a_declared_flow_is_drawn_through_its_job_only() -> None:
    assert all(
        isinstance(source, JobId) != isinstance(target, JobId) for source, target in links_of(copies())
    )
    part = focused(copies(), ["sums"], down=0)
    assert [flow.source.name for flow in part.flows()] == ["b", "b_copy"]


def test_edges_and_columns_lead_to_remaining_datasets() -> None:
    part = focused(orders(), ["orders.daily"], up=1, down=1)
    assert {edge.target.name for edge in part.edges} == {"orders.daily", "curated/daily"}
    assert {edge.target.dataset.name for edge in part.columns} == {"curated/daily"}  # type: ignore[union-attr]


def test_columns_are_not_connected_without_the_job_between_them() -> None:
    events = orders_events()
    total = dataset("reports/weekly", ("total",), {"total": [("curated/daily", "amount")]})
    events.append(run_event("both", [dataset("curated/daily"), dataset("reports/weekly")], [dataset("sum")]))
    part = focused(folded([*events, {"eventTime": "2026-11-22T00:00:00Z", "dataset": total}]), ["both"], up=1)
    assert names(part) == {"both", "curated/daily", "reports/weekly", "sum"}
    assert part.columns == ()
    assert set(links_of(part)) <= set(links_of(folded(events)))


def test_a_whole_part_of_a_name_is_preferred() -> None:
    lineage = folded(
        [{"eventTime": "2026-11-21T08:30:00Z", "dataset": dataset(f"sales.t{n}")} for n in (1, 10)]
    )
    assert names(focused(lineage, ["t1"])) == {"sales.t1"}


def test_unknown_and_ambiguous_names_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"expected the name of a job or dataset, found 'nothing'"):
        focused(orders(), ["nothing"])
    with pytest.raises(
        ValueError, match=r"of one job or dataset, found 'raw/', which is in 'db/raw/customers', "
    ):
        focused(orders(), ["raw/"])


def test_a_cycle_is_no_problem() -> None:
    cycle = [
        run_event(f"{source} to {target}", [dataset(source)], [dataset(target)])
        for source, target in (("a", "b"), ("b", "a"))
    ]
    assert len(nodes_of(focused(folded(cycle), ["a"]))) == 4


def test_column_lineage_without_a_job_is_a_link_between_datasets() -> None:
    target = dataset("copy", ("id",), {"id": [("source", "id")]})
    event = {"eventTime": "2026-11-21T08:30:00Z", "dataset": target}
    assert links_of(folded([event])) == ((DatasetId("db", "source"), DatasetId("db", "copy")),)
    daily = DatasetId("db", "curated/daily")
    assert all(JobId in map(type, link) for link in links_of(orders()) if daily in link)


def test_restricting_a_graph_takes_linear_time_if_many_jobs_read_one_dataset() -> None:
    def star(count: int) -> Lineage:
        outputs = [dataset(f"o{number}", ("x",), {"x": [("raw", "x")]}) for number in range(count)]
        return folded([run_event(one["name"], [dataset("raw", ("x",))], [one]) for one in outputs])

    few, many = star(50), star(200)
    assert python_calls(lambda: restricted(many, set(nodes_of(many)))) < 6 * python_calls(
        lambda: restricted(few, set(nodes_of(few)))
    )
