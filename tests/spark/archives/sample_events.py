"""Random event streams with lineage facets."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.events import facet
from tests.state.random_events import DATASETS, JOBS, random_event

_STEPS = ([{"type": "DIRECT", "subtype": "IDENTITY"}], [{"type": "INDIRECT"}, {"type": "DIRECT"}], None)


def event_with_lineage(random: Random) -> dict[str, Any]:
    """Return a random event, possibly with valid or invalid column lineage."""
    event = random_event(random)
    for entity in (event.get("dataset"), *event.get("outputs", ())):
        if entity and random.random() < 0.4:
            entity["facets"]["columnLineage"] = _column_lineage(random)
        if entity and random.random() < 0.3:
            entity["facets"]["lineage"] = facet(inputs=[_source(random) for _ in range(random.randrange(3))])
    if "job" in event and random.random() < 0.4:
        targets = [{"namespace": "db", "name": one["name"]} for one in event["outputs"]] or [_named(random)]
        event["job"]["facets"]["lineage"] = facet(
            entries=[{"type": "DATASET", **target, "inputs": [_source(random)]} for target in targets]
        )
    return event


def _named(random: Random) -> dict[str, Any]:
    return {"namespace": "db", "name": random.choice(DATASETS)}


def _source(random: Random) -> dict[str, Any]:
    kind = random.random()
    if kind < 0.3:
        return {"type": "JOB"}
    if kind < 0.5:
        return {"type": "JOB", "namespace": "etl", "name": random.choice(JOBS)}
    return {"type": "DATASET", **_named(random), **({"field": "id"} if kind < 0.7 else {})}


def _column_lineage(random: Random) -> dict[str, Any]:
    if random.random() < 0.1:
        return facet(fields="wrong")
    steps = random.choice(_STEPS)
    source = {**_named(random), "field": random.choice(("id", "day"))}
    if steps is not None:
        source["transformations"] = steps
    return facet(fields={random.choice(("id", "amount")): {"inputFields": [source]}})


def lines(events: list[dict[str, Any]]) -> list[bytes]:
    return [json.dumps(event).encode() for event in events]
