"""A naming renames everything in events and graphs that refers to a dataset."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.naming.naming_rules import MainName, Naming, dataset_rule
from openlineage_facets.state import DatasetId, JobId, Lineage
from openlineage_facets.state.lineage_nodes import LineageDataset
from openlineage_facets.state.renaming import joined_names, renamed, renamed_event
from tests.events import facet, folded
from tests.graphs.sample_graphs import run_event
from tests.review import graphs_to_review
from tests.speed.counting import python_calls

TO_DB = Naming((dataset_rule("naming.toml:3", "file", "/{name:.+}", "db", "{name}"),))


def named(name: str, namespace: str = "file", **facets: Any) -> dict[str, Any]:
    return {
        "namespace": namespace,
        "name": name,
        "facets": {key: facet(**one) for key, one in facets.items()},
    }


def symlinks(*names: tuple[str, str]) -> dict[str, Any]:
    return {"identifiers": [{"namespace": one[0], "name": one[1], "type": "TABLE"} for one in names]}


def everything() -> dict[str, Any]:
    """Return an event that refers to datasets in every way."""
    source = {"namespace": "file", "name": "/in"}
    column = {**source, "field": "x", "transformations": [{"type": "DIRECT"}]}
    declared = {**source, "type": "DATASET"}
    output = named(
        "/out",
        schema={"fields": [{"name": "x"}]},
        columnLineage={"fields": {"x": {"inputFields": [column]}}, "dataset": [column]},
        symlinks=symlinks(("file", "/other")),
        lineage={"inputs": [declared, {"namespace": "file", "name": "/job", "type": "JOB"}]},
    )
    event = run_event("/job", [named("/in")], [output])
    event["job"]["namespace"] = "file"
    entry = {"namespace": "file", "name": "/out", "type": "DATASET", "inputs": [declared]}
    event["job"]["facets"] = {"lineage": facet(entries=[entry])}
    event["run"]["facets"] = {
        "parent": facet(run={"runId": event["run"]["runId"]}, job={"namespace": "file", "name": "/job"})
    }
    return event


def test_everything_that_refers_to_a_dataset_is_renamed_and_jobs_are_not() -> None:
    expected = json.dumps(everything())
    for name in ("in", "out", "other"):
        expected = expected.replace(
            f'"namespace": "file", "name": "/{name}"', f'"namespace": "db", "name": "{name}"'
        )
    assert renamed_event(everything(), TO_DB) == json.loads(expected)


def test_a_graph_is_renamed_like_its_events() -> None:
    from_events = folded(renamed_event(everything(), TO_DB)).lineage()
    assert renamed(folded(everything()).lineage(), TO_DB) == from_events
    assert JobId("file", "/job") in {job.id for job in from_events.jobs}


def column_lineage(**columns: str) -> dict[str, Any]:
    source = {"namespace": "db", "name": "orders", "field": "x"}
    return {"fields": {name: {"inputFields": [source]} for name in columns}}


@pytest.mark.parametrize("names", [("/out", "out"), ("out", "/out")])
def test_of_edges_that_become_one_that_with_columns_counts(names: tuple[str, str]) -> None:
    """The other name of the first dataset is described by another job only."""
    first, second = (named(name, "db" if name == "out" else "file") for name in names)
    described = named(names[1], second["namespace"], columnLineage=column_lineage(a="x"))
    events = (
        run_event("both", [], [first, described]),
        run_event("only_first", [], [first], second=1),
        run_event("other", [], [{**described, **{k: first[k] for k in ("namespace", "name")}}], second=2),
    )
    graph = renamed(folded(*events).lineage(by_job=True), TO_DB)
    assert {edge.source.name: edge.has_columns for edge in graph.edges} == {
        "both": True,
        "only_first": False,
        "other": True,
    }
    expected = folded(*(renamed_event(event, TO_DB) for event in events)).lineage(by_job=True)
    assert graph.edges == expected.edges


def test_inputs_that_become_one_have_the_facets_of_both() -> None:
    first, second = named("in", "db", documentation={"description": "a"}), named("/in", schema={"fields": []})
    event = renamed_event(run_event("job", [first, second, named("/other")], []), TO_DB)
    assert [(one["name"], sorted(one["facets"])) for one in event["inputs"]] == [
        ("in", ["documentation", "schema"]),
        ("other", []),
    ]


def test_what_is_not_valid_is_unchanged() -> None:
    event = {"inputs": [None, {"namespace": 1, "name": "/in"}], "outputs": {}, "job": [], "dataset": "/in"}
    assert renamed_event(event, TO_DB) == event


def test_known_datasets_that_become_one_are_reported_with_the_rule() -> None:
    lineage = folded(run_event("job", [named("in", "db"), named("/in"), named("/other")], [])).lineage()
    (joined,) = joined_names(lineage, TO_DB)
    assert joined.name == DatasetId("db", "in")
    assert joined.names == (DatasetId("db", "in"), DatasetId("file", "/in"))
    assert joined.location == "naming.toml:3"


def test_datasets_that_become_one_have_the_columns_tags_and_owners_of_both() -> None:
    """In particular, no tag for personal data is lost."""
    events = [
        run_event("one", [], [with_items("in", "db", "a", "pii", "ana")]),
        run_event("two", [], [with_items("/in", "file", "b", "gdpr", "bob")], second=1),
    ]
    (found,) = renamed(folded(*events).lineage(by_job=True), TO_DB).datasets
    assert [column.name for column in found.columns] == ["a", "b"]
    assert [tag["key"] for tag in found.facets["tags"]["tags"]] == ["pii", "gdpr"]
    assert [owner["name"] for owner in found.facets["ownership"]["owners"]] == ["ana", "bob"]


def with_items(name: str, namespace: str, column: str, tag: str, owner: str) -> dict[str, Any]:
    return named(
        name,
        namespace,
        schema={"fields": [{"name": column}]},
        tags={"tags": [{"key": tag, "value": "true"}]},
        ownership={"owners": [{"name": owner}]},
    )


def test_many_names_of_one_dataset_take_linear_time() -> None:
    """As of a table with a path for each partition."""

    def rename(count: int) -> None:
        table = {"namespace": "hive://meta:9083", "name": "db.events", "type": "TABLE"}
        paths = (DatasetId("file", f"/events/day={day}") for day in range(count))
        facets = {"symlinks": {"identifiers": [table]}}
        lineage = Lineage((), (), (), tuple(LineageDataset(id=path, facets=facets) for path in paths))
        assert len(renamed(lineage, Naming(main_name="table")).datasets) == 1

    assert python_calls(lambda: rename(400)) < 2.5 * python_calls(lambda: rename(200))


@pytest.mark.parametrize("main", ["table", "path"])
def test_the_main_name_of_a_dataset_is_its_table_or_path(main: MainName) -> None:
    table, path = ("hive://meta:9083", "shop.orders"), ("file", "/warehouse/orders")
    own, other = (table, path) if main == "table" else (path, table)
    naming = Naming(main_name=main)
    written = named(other[1], other[0], symlinks=symlinks(own))
    read = named(own[1], own[0])
    event = renamed_event(run_event("write", [], [written]), naming)
    (output,) = event["outputs"]
    kind = "LOCATION" if main == "table" else "TABLE"
    assert (output["namespace"], output["name"]) == own
    assert output["facets"]["symlinks"]["identifiers"] == [
        {"namespace": other[0], "name": other[1], "type": kind}
    ]
    lineage = folded(run_event("write", [], [written]), run_event("read", [read], [], second=1)).lineage()
    assert [one.id for one in renamed(lineage, naming).datasets] == [DatasetId(*own)]
    assert [one.location for one in joined_names(lineage, naming)] == ["main_name"]


_NAMING = st.builds(
    lambda names, main: Naming(
        tuple(dataset_rule("1", namespace, old, to, new) for namespace, old, to, new in names), main
    ),
    st.lists(
        st.sampled_from(
            [
                ("db", "a", "file", "/a"),
                ("file", "/{x}", "file", "{x}"),
                ("db", "b", "db", "a"),
                ("{n}", "c", "{n}", "a"),
            ]
        ),
        max_size=3,
    ),
    st.sampled_from([None, "table", "path"]),
)  # fmt: skip
_LINKS = st.lists(st.sampled_from([("file", "/a"), ("file", "/b"), ("db", "a"), ("db", "c")]), max_size=2)


@given(graphs_to_review.EVENTS, st.lists(_LINKS, max_size=4), _NAMING)
def test_a_renamed_event_or_graph_stays_as_it_is(
    events: list[dict[str, Any]], links: list[list[tuple[str, str]]], naming: Naming
) -> None:
    datasets = [one for event in events for one in (*event["inputs"], *event["outputs"])]
    for dataset, names in zip(datasets, links, strict=False):
        dataset["facets"] = {**dataset["facets"], "symlinks": facet(**symlinks(*names))}
    for event in events:
        once = renamed_event(event, naming)
        assert renamed_event(once, naming) == once
    graph = renamed(folded(*events).lineage(), naming)
    assert _without_facets(renamed(graph, naming)) == _without_facets(graph)


def _without_facets(lineage: Lineage) -> tuple[Any, ...]:
    return lineage.edges, lineage.columns, [one.id for one in lineage.datasets]


def joined_output(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the facets of two outputs that a naming makes one."""
    one, two = named("/t", **first), named("t", "db", **other)
    (output,) = renamed_event(run_event("j", [], [one, two]), TO_DB)["outputs"]
    facets: dict[str, Any] = output["facets"]
    return facets


def sources_of(*columns: str, **fields: Any) -> dict[str, Any]:
    """Return the lineage of columns, each from the same column of one dataset."""
    source = {"namespace": "db", "name": "in"}
    return {"fields": {name: {"inputFields": [{**source, "field": name}], **fields} for name in columns}}


def test_outputs_that_become_one_keep_the_columns_tags_owners_and_lineage_of_both() -> None:
    first, other = (
        {
            "schema": {"fields": [{"name": name}]},
            "tags": {"tags": [{"key": "pii", "value": "true", "field": name}]},
            "ownership": {"owners": [{"name": f"team:{name}"}]},
            "columnLineage": {
                **sources_of(name, "k"),
                "dataset": sources_of(name)["fields"][name]["inputFields"],
            },
        }
        for name in "xy"
    )
    facets = joined_output(first, other)
    assert [field["name"] for field in facets["schema"]["fields"]] == ["x", "y"]
    assert [tag["field"] for tag in facets["tags"]["tags"]] == ["x", "y"]
    assert [owner["name"] for owner in facets["ownership"]["owners"]] == ["team:x", "team:y"]
    assert facets["columnLineage"]["fields"] == sources_of("x", "k", "y")["fields"]
    assert [source["field"] for source in facets["columnLineage"]["dataset"]] == ["x", "y"]


def test_a_facet_that_is_deleted_for_one_of_two_names_is_that_of_the_other() -> None:
    tags = {"tags": [{"key": "pii", "value": "true"}]}
    for first, other in (({"_deleted": True}, tags), (tags, {"_deleted": True})):
        assert joined_output({"tags": first}, {"tags": other})["tags"] == facet(**tags)


def test_older_transformations_of_one_of_two_names_do_not_mask_the_sources_of_the_other() -> None:
    lineage = joined_output(
        {"columnLineage": sources_of("x", transformationType="MASKED")},
        {"columnLineage": sources_of("x")},
    )["columnLineage"]
    assert lineage["fields"] == sources_of("x")["fields"]
