"""Records of parts of a stream merge into those of the whole stream, without Spark."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.spark.archives import folding
from openlineage_facets.spark.archives.folding import PartialFold, merged_in_any_order
from openlineage_facets.spark.archives.record import (
    FoldedRun,
    Record,
    instant_at,
    moment_of,
    sort_key_at,
    time_at,
    uses_from_json,
)
from openlineage_facets.state.event_parts import split_event
from openlineage_facets.state.instants import instant_of
from openlineage_facets.state.records import Records
from tests.spark.archives.sample_events import event_with_lineage
from tests.state.random_events import MOMENTS

pytestmark = pytest.mark.check

randoms = st.integers(0, 1 << 32).map(Random)


def stream(random: Random, events: int = 40) -> list[dict[str, Any]]:
    return [event_with_lineage(random) for _ in range(events)]


def partial(events: list[dict[str, Any]]) -> list[Record]:
    folded = PartialFold()
    for event in events:
        folded.add(event, 0)
    return list(folded.take())


def merged(*parts: list[Record]) -> list[Record]:
    return merged_in_any_order(record for part in parts for record in part)


@given(randoms, st.lists(st.integers(0, 40), max_size=4))
def test_any_partitioning_order_and_duplicates_return_the_same_records(
    random: Random, cuts: list[int]
) -> None:
    events = stream(random)
    whole = merged(partial(events))
    shuffled = random.sample(events, len(events)) + random.choices(events, k=5)
    ends = [*sorted(cuts), len(shuffled)]
    parts = [partial(shuffled[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    random.shuffle(parts)
    assert merged(*parts) == whole
    assert merged(merged(*parts[:2]), merged(*parts[2:])) == whole, "merging is associative"
    assert merged(whole, whole) == whole, "and idempotent"


@given(randoms)
def test_records_contain_what_a_state_does(random: Random) -> None:
    events = stream(random)
    state = Records()
    for event in events:
        state.add(split_event(event), exact=False)
    records = merged(partial(events))
    of_kind = {kind: [it for it in records if it.kind == kind] for kind in ("job", "dataset", "run")}
    assert {it.name: FoldedRun.from_json(it.content or "").record for it in of_kind["run"]} == state.runs
    uses = {(it.namespace, it.name): uses_from_json(it.content or "") for it in of_kind["job"]}
    assert uses == {key: job.uses for key, job in state.jobs.items()}
    for kind, entities in (("job", state.jobs), ("dataset", state.datasets)):
        seen = {(it.namespace, it.name): (it.first, it.last) for it in of_kind[kind]}
        assert seen == {
            key: tuple(moment_of(*instant) for instant in entity.seen or ())
            for key, entity in entities.items()
        }
        current = {
            (it.namespace, it.name, it.key): (sort_key_at(it.last or ""), it.value, it.source)
            for it in records
            if it.kind == f"{kind} facet" and it.current
        }
        assert current == {
            (*key, name): tuple(history.latest())
            for key, entity in entities.items()
            for name, history in entity.facets.items()
        }


def test_memory_of_a_partial_fold_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(folding, "_EVENTS_AT_ONCE", 3)
    folded = PartialFold()
    events = stream(Random(1), 3)
    for event in events:
        assert not folded.is_full()
        folded.add(event, 0)
    assert folded.is_full()
    assert list(folded.take()) == partial(events)
    assert not folded.is_full()
    assert list(folded.take()) == []
    folded.add(events[0], 64 << 20)
    assert folded.is_full()


def test_records_do_not_grow_with_repeated_events_or_with_the_histories_of_entities() -> None:
    run = {"runId": "01950000-0000-7000-8000-000000000000"}
    schema = {"_producer": "https://example.com", "_schemaURL": "https://example.com", "text": "x" * 5000}
    event: dict[str, Any] = {
        "eventType": "RUNNING",
        "run": run,
        "job": {"namespace": "etl", "name": "load"},
        "outputs": [{"namespace": "db", "name": "daily", "facets": {"acme": schema}}],
    }
    events = [
        {**event, "eventTime": f"2026-01-01T00:00:{number % 60:02}Z", "run": {"runId": f"{number % 10}"}}
        for number in range(1000)
    ]
    records = partial(events)
    assert len(records) == 1 + 1 + 1 + 10, "a job, a dataset, a facet, and the runs"
    assert sum(len(json.dumps(record)) for record in records) < 15_000, "each facet is stored once"


def test_moments_sort_like_instants() -> None:
    instants = [
        instant_of(time) for time in (*MOMENTS, "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59")
    ]
    keys = [(*instant, rank) for instant in instants for rank in (0, 2, 13)]
    assert sorted(moment_of(*key) for key in keys) == [moment_of(*key) for key in sorted(keys)]
    assert [sort_key_at(moment_of(*key)) for key in keys] == keys
    assert [instant_at(moment_of(*instant)) for instant in instants] == instants
    assert time_at(moment_of(*instant_of("2026-01-01T01:00:00.50+01:00"))) == "2026-01-01T00:00:00.5Z"
