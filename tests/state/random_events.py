"""Random streams of valid events about a few jobs, datasets and runs at a few times."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.events import PRODUCER, SCHEMA_URL, facet

JOBS = ("load", "report")
DATASETS = ("orders", "daily", "flights")
RUNS = tuple(f"01950000-0000-7000-8000-00000000000{n}" for n in range(3))

MOMENTS = (
    "2025-12-31T23:59:59.999999999Z",
    "2026-01-01T00:00:00Z",
    "2026-01-01T01:00:00.000+01:00",
    "2026-01-01T00:00:00.000000001Z",
    "2025-12-31T18:30:00.0000000010-05:30",
    "2026-01-01T00:00:00.000000002Z",
    "2026-01-01T00:00:00.0000010Z",
    "2026-01-01T00:00:01Z",
    "2026-01-02T00:00:00Z",
)
"""Including equal instants with different texts, and instants that differ by less than a microsecond."""

EVENT_TYPES = ("START", "RUNNING", "OTHER", "COMPLETE", "FAIL", "ABORT", None)

TOMBSTONE = facet(_deleted=True)


def _entity_facets(random: Random) -> dict[str, Any]:
    facets = {}
    if random.random() < 0.5:
        facets["documentation"] = random.choice(
            (facet(description="old"), facet(description="new"), TOMBSTONE)
        )
    if random.random() < 0.2:
        facets["acme_grade"] = random.choice((facet(grade=1), facet(grade=2), TOMBSTONE))
    return facets


def _unknown(random: Random) -> dict[str, Any]:
    """Return `_deleted`, which deletes facets of jobs and datasets only."""
    return {"_deleted": True} if random.random() < 0.2 else {}


def _used(random: Random, use_facets: str) -> list[dict[str, Any]]:
    datasets = []
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        dataset = _dataset(random)
        if random.random() < 0.3:
            dataset[use_facets] = {"acme_part": facet(rows=random.randrange(3), **_unknown(random))}
        datasets.append(dataset)
    return datasets


def _dataset(random: Random) -> dict[str, Any]:
    return {"namespace": "db", "name": random.choice(DATASETS), "facets": _entity_facets(random)}


def random_event(random: Random) -> dict[str, Any]:
    event: dict[str, Any] = {
        "eventTime": random.choice(MOMENTS),
        "producer": PRODUCER,
        "schemaURL": SCHEMA_URL,
    }
    kind = random.random()
    if kind < 0.25:
        return {**event, "dataset": _dataset(random)}
    event["job"] = {"namespace": "etl", "name": random.choice(JOBS), "facets": _entity_facets(random)}
    event["inputs"] = _used(random, "inputFacets")
    event["outputs"] = _used(random, "outputFacets")
    if kind < 0.4:
        return event
    event["run"] = {"runId": random.choice(RUNS)}
    if random.random() < 0.5:
        event["run"]["facets"] = {"acme_note": facet(note=random.randrange(3), **_unknown(random))}
    event_type = random.choice(EVENT_TYPES)
    if event_type:
        event["eventType"] = event_type
    return event


def random_stream(random: Random) -> list[dict[str, Any]]:
    return [random_event(random) for _ in range(random.randint(2, 9))]
