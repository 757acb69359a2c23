"""Memory grows with jobs, datasets, runs and distinct facets, not with events."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from openlineage_facets.state import LineageState
from tests.events import facet
from tests.state.sample_events import at

pytestmark = pytest.mark.thorough

EVENTS = 100_000
JOBS, DATASETS, RUNS = 20, 60, 20


def size_of(value: Any, seen: set[int] | None = None) -> int:
    """Return the size of a value and everything it references, in bytes."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, type):
        return 0
    seen.add(id(value))
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, (list, tuple, set)):
        parts = list(value)
    else:
        slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
        parts = [getattr(value, name) for name in slots if hasattr(value, name)]
    return sys.getsizeof(value) + sum(size_of(part, seen) for part in parts)


def event(random: Random) -> dict[str, Any]:
    """Return a unique event about one of a hundred entities."""
    document: dict[str, Any] = {
        "eventTime": f"2026-{random.randint(1, 12):02}-01T00:00:00.{random.getrandbits(60)}Z"
    }
    described = {
        "documentation": facet(description=random.choice(("old", "new"))),
        "schema": facet(fields=[{"name": f"column{random.randrange(2)}", "type": "int"}]),
    }
    dataset = {"namespace": "db", "name": f"table{random.randrange(DATASETS)}", "facets": described}
    if random.random() < 0.3:
        return {**document, "dataset": dataset}
    number = random.randrange(JOBS)
    document["job"] = {
        "namespace": "etl",
        "name": f"job{number}",
        "facets": {"documentation": described["documentation"]},
    }
    document["inputs"] = [{**dataset, "name": f"table{number}"}]
    document["outputs"] = [{**dataset, "name": f"table{number + JOBS}"}]
    if random.random() < 0.5:
        document["eventType"] = random.choice(("START", "RUNNING", "OTHER"))
        document["run"] = {
            "runId": f"01950000-0000-7000-8000-0000000000{number:02}",
            "facets": {"acme_progress": facet(rows=random.getrandbits(60))},
        }
    return document


def test_memory_does_not_grow_with_events() -> None:
    random = Random(1)
    state = LineageState()
    sizes = {}
    for number in range(EVENTS):
        state.apply(event(random))
        if number + 1 in (EVENTS // 20, EVENTS):
            sizes[number + 1] = size_of(state)
    assert (len(list(state.jobs())), len(list(state.datasets())), len(list(state.runs()))) == (
        JOBS,
        DATASETS,
        RUNS,
    )
    few, many = sizes.values()
    assert many < few * 1.02
    assert many < 2_000_000


def test_memory_grows_with_entities_and_values() -> None:
    def size(jobs: int, values: int) -> int:
        state = LineageState()
        for number in range(1000):
            state.apply(
                {
                    "eventTime": at("01")[:-1] + f".{number:06}Z",
                    "job": {
                        "namespace": "etl",
                        "name": f"job{number % jobs}",
                        "facets": {"acme_value": facet(value=number % values)},
                    },
                }
            )
        return size_of(state)

    assert size(jobs=1, values=1) * 20 < size(jobs=100, values=1)
    assert size(jobs=1, values=1) * 20 < size(jobs=1, values=100)


def test_exact_history_grows_with_events() -> None:
    sizes = []
    for count in (1_000, 2_000):
        state = LineageState(exact_history=True)
        for number in range(count):
            job = {"namespace": "etl", "name": "load", "facets": {"acme_value": facet(value=1)}}
            state.apply({"eventTime": at("01")[:-1] + f".{number:06}Z", "job": job})
        sizes.append(size_of(state))
    assert 100 < (sizes[1] - sizes[0]) / 1_000 < 250
    assert "exact_history" in (LineageState.__doc__ or "")
