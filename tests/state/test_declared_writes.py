"""Runs declare in the lineage facet of their job which inputs feed which outputs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.facets import SymlinksDatasetFacet, symlinks_dataset
from openlineage_facets.graphs import json_graph
from openlineage_facets.state import DatasetId, JobId, LineageState
from tests import events
from tests.events import facet, folded
from tests.state.oracle import RANKS, instant_of
from tests.state.random_events import DATASETS, RUNS, TOMBSTONE, random_event
from tests.state.sample_events import at, dataset_event

COPIES = {"a": "a_copy", "b": "b_copy", "c": "c_copy"}
DECLARED = {copy: [name] for name, copy in COPIES.items()}

Json = dict[str, Any]


def named(name: str) -> Json:
    return {"namespace": "db", "name": name}


def declaring(outputs: dict[str, list[str] | None], **fields: list[str]) -> Json:
    """Return a lineage facet: the inputs of each output, None if they are unknown.

    Args:
        outputs: The inputs of each output.
        fields: The inputs of a column of an output.
    """
    entries: dict[str, Json] = {name: {**named(name), "type": "DATASET"} for name in (*outputs, *fields)}
    for name, inputs in outputs.items():
        if inputs is not None:
            entries[name]["inputs"] = [{**named(one), "type": "DATASET"} for one in inputs]
    for name, inputs in fields.items():
        sources = [{**named(one), "type": "DATASET", "field": "id"} for one in inputs]
        entries[name]["fields"] = {"id": {"inputs": sources}}
    return facet(entries=[*entries.values()])


def run_event(
    second: int,
    lineage: Json | None,
    inputs: Iterable[str] = COPIES,
    outputs: Iterable[str] = COPIES.values(),
    kind: str = "COMPLETE",
    run: str = RUNS[0],
) -> Json:
    return events.run_event(
        eventTime=at(second),
        eventType=kind,
        run={"runId": run},
        job={"namespace": "etl", "name": "load", "facets": {} if lineage is None else {"lineage": lineage}},
        inputs=[named(name) for name in inputs],
        outputs=[named(name) for name in outputs],
    )


def flows(state: LineageState) -> set[tuple[str, str]]:
    return {(flow.source.name, flow.target.name) for flow in state.lineage().flows()}


def inputs_of(state: LineageState, target: str, **options: bool) -> tuple[DatasetId, ...] | None:
    """Return the inputs of the edge from the job to a dataset."""
    edges = {(edge.source, edge.target): edge for edge in state.lineage(**options).edges}
    return edges[JobId("etl", "load"), DatasetId("db", target)].inputs


def all_to(*targets: str) -> set[tuple[str, str]]:
    return {(source, target) for source in COPIES for target in targets}


def test_three_copies_are_three_flows_instead_of_nine() -> None:
    declared, undeclared = folded(run_event(1, declaring(DECLARED))), folded(run_event(1, None))
    assert flows(declared) == set(COPIES.items())
    assert flows(undeclared) == all_to(*COPIES.values())
    for state, inputs in ((declared, (DatasetId("db", "a"),)), (undeclared, None)):
        assert inputs_of(state, "a_copy") == inputs


def test_generated_data_has_no_flow_and_unknown_sources_are_all_inputs() -> None:
    facets = declaring({"a_copy": [], "b_copy": None})
    assert flows(folded(run_event(1, facets))) == all_to("b_copy", "c_copy")


def test_columns_declare_the_datasets_they_come_from() -> None:
    assert flows(folded(run_event(1, declaring({}, a_copy=["a"])))) == {
        ("a", "a_copy"),
        *all_to("b_copy", "c_copy"),
    }


def test_the_facet_of_the_last_event_of_a_run_counts_also_if_an_event_has_none() -> None:
    first, last = declaring({"a_copy": ["b"]}), declaring(DECLARED)
    events = [
        run_event(1, None, outputs=(), kind="START"),
        run_event(2, first, inputs=["a"], outputs=["a_copy"], kind="RUNNING"),
        run_event(3, last, kind="RUNNING"),
        run_event(4, None),
    ]
    assert flows(folded(*events)) == flows(folded(*reversed(events))) == set(COPIES.items())


def test_runs_add_up_and_one_that_declares_nothing_counts_for_what_it_wrote() -> None:
    first = run_event(1, declaring({"a_copy": ["a"]}), outputs=["a_copy"])
    second = run_event(2, declaring({"a_copy": ["b"]}), outputs=["a_copy"], run=RUNS[1])
    third = run_event(3, None, inputs=["c"], outputs=["c_copy"], run=RUNS[2])
    assert flows(folded(first, second)) == {("a", "a_copy"), ("b", "a_copy")}
    assert flows(folded(first, second, third)) == {("a", "a_copy"), ("b", "a_copy"), *all_to("c_copy")}
    again = run_event(4, None, inputs=["c"], outputs=["a_copy"], run=RUNS[2])
    assert flows(folded(first, second, again)) == all_to("a_copy")


def test_an_invalid_facet_is_ignored_and_a_tombstone_declares_nothing() -> None:
    declared = run_event(1, declaring(DECLARED), kind="RUNNING")
    assert flows(folded(declared, run_event(2, facet(entries="wrong")))) == set(COPIES.items())
    assert flows(folded(declared, run_event(2, TOMBSTONE))) == all_to(*COPIES.values())


def test_inputs_of_an_edge_have_primary_names() -> None:
    links = SymlinksDatasetFacet(
        identifiers=[symlinks_dataset.Identifier(namespace="db", name="a", type="TABLE")]
    )
    state = folded(run_event(1, declaring({"a_copy": ["a"]})), dataset_event(1, links, name="table"))
    assert inputs_of(state, "a_copy", join_symlinks=True) == (DatasetId("db", "table"),)


def test_json_graph_has_the_inputs_of_edges() -> None:
    edges = json_graph(folded(run_event(1, declaring({"a_copy": ["a"]}), outputs=["a_copy"])).lineage())[
        "edges"
    ]
    assert [edge.get("inputs") for edge in edges if edge["source"]["kind"] == "job"] == [
        [{"kind": "dataset", **named("a")}]
    ]


def declaring_event(random: Random) -> Json:
    """Return a random event; most run events declare what feeds which output, or are wrong about it."""
    event = random_event(random)
    if "run" in event and random.random() < 0.7:
        some = [random.sample(DATASETS, random.randrange(3)) for _ in range(4)]
        event["job"]["facets"]["lineage"] = random.choice(
            (
                TOMBSTONE,
                facet(entries=7),
                declaring({random.choice(DATASETS): random.choice((None, some[0]))}),
                declaring({"orders": some[0], "daily": some[1]}),
                declaring({"flights": some[2]}, daily=some[3]),
            )
        )
    return event


streams = st.lists(st.randoms(use_true_random=False).map(declaring_event), max_size=9)


def expected_flows(events: list[Json]) -> set[tuple[str, str, str]]:
    """Return source, job and target of each flow, from the events of each run in order."""

    def in_order(event: Json) -> tuple[int, int]:
        return instant_of(event["eventTime"]), RANKS[event.get("eventType", "OTHER")]

    jobs = {event["job"]["name"] for event in events if "job" in event}
    inputs, outputs = (
        {job: {one["name"] for it in events if it.get("job", {}).get("name") == job for one in it[role]}
         for job in jobs}
        for role in ("inputs", "outputs")
    )  # fmt: skip
    fed: dict[tuple[str, str], list[set[str] | None]] = {}
    for run in {event["run"]["runId"] for event in events if "run" in event}:
        own = [event for event in events if event.get("run", {}).get("runId") == run]
        job = max((in_order(event), event["job"]["name"]) for event in own)[1]
        facets = [
            (in_order(event), summarised(event["job"]["facets"]["lineage"]))
            for event in own
            if "lineage" in event["job"]["facets"]
        ]
        valid = [(moment, text) for moment, text in facets if text is not None]
        declared = json.loads(max(valid)[1]) if valid else {}
        for name in {one["name"] for event in own for one in event["outputs"]}:
            fed.setdefault((job, name), []).append(set(declared[name]) if name in declared else None)
    found = set()
    for job in jobs:
        for target in outputs[job]:
            sources = fed.get((job, target), [None])
            for source in inputs[job] if None in sources else set().union(*filter(None, sources)):
                found.add((source, job, target))
    return found


def summarised(lineage: Json) -> str | None:
    """Return the declared inputs of each output as text, None for an invalid facet."""
    if lineage.get("_deleted"):
        return "{}"
    if lineage["entries"] == 7:
        return None
    declared = {}
    for entry in lineage["entries"]:
        of_columns = [one for field in entry.get("fields", {}).values() for one in field["inputs"]]
        if "inputs" in entry or of_columns:
            declared[entry["name"]] = sorted({one["name"] for one in (*entry.get("inputs", ()), *of_columns)})
    return json.dumps(declared, sort_keys=True)


def distinct_times(events: list[Json]) -> list[Json]:
    """Return events of a run with distinct times: of facets at one time, any may count."""
    return [{**event, "eventTime": f"2026-01-01T00:00:{n:02}Z"} for n, event in enumerate(events)]


@given(streams)
def test_flows_equal_those_of_a_naive_oracle(stream: list[Json]) -> None:
    events = distinct_times(stream)
    found = {
        (flow.source.name, flow.job.name, flow.target.name) for flow in folded(*events).lineage().flows()
    }
    assert found == expected_flows(events)


@given(streams, st.data())
def test_order_merging_and_storing_change_nothing(stream: list[Json], data: st.DataObject) -> None:
    state = folded(*stream)
    shuffled = data.draw(st.permutations(stream))
    middle = data.draw(st.integers(0, len(stream)))
    merged = folded(*shuffled[:middle])
    merged.merge(folded(*shuffled[middle:], *shuffled[:1]))
    assert merged == state
    stored = LineageState.from_dict(json.loads(json.dumps(merged.to_dict())))
    assert stored == state
    assert stored.lineage() == state.lineage()
