"""A change is breaking if a reader of a dataset notices it, as the guide on reviews says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets.review import compare, read_lock
from openlineage_facets.state import Lineage


def lock(jobs: list[tuple[str, str, str]], columns: dict[str, list[dict[str, Any]]]) -> Lineage:
    """Return the graph of jobs with an input and an output each, and of datasets with columns."""
    return read_lock(
        json.dumps(
            {
                "format": "openlineage-facets lock 1",
                "jobs": [
                    {
                        "namespace": "etl",
                        "name": name,
                        "inputs": [{"namespace": "db", "name": source}],
                        "outputs": [{"namespace": "db", "name": target}] if target else [],
                    }
                    for name, source, target in jobs
                ],
                "datasets": [
                    {"namespace": "db", "name": name, "columns": own} for name, own in columns.items()
                ],
            }
        )
    )


def source(column: str, *steps: str, masking: bool = False) -> dict[str, Any]:
    """Return a column of `raw` with transformations such as `INDIRECT/FILTER`."""
    by = [dict(zip(("type", "subtype"), step.split("/"), strict=False)) for step in steps]
    masked: dict[str, Any] = {"masking": True} if masking else {}
    return {"namespace": "db", "name": "raw", "column": column, "by": [{**step, **masked} for step in by]}


def computed(*sources: dict[str, Any]) -> Lineage:
    """Return the graph of a job that computes one column from columns of `raw`."""
    raw = [{"name": "x"}, {"name": "y"}]
    return lock([("load", "raw", "daily")], {"daily": [{"name": "z", "sources": list(sources)}], "raw": raw})


def typed(kind: str | None, *fields: tuple[str, str]) -> Lineage:
    """Return the graph of a job that writes one column, with nested columns."""
    nested = [{"name": name, "type": other} for name, other in fields]
    column = {"name": "z", **({"type": kind} if kind else {}), **({"fields": nested} if nested else {})}
    return lock([("load", "raw", "daily")], {"daily": [column], "raw": []})


def filtered(*steps: str) -> Lineage:
    """Return the graph of a dataset whose rows depend on a column of `raw`."""
    lineage = {
        "format": "openlineage-facets lock 1",
        "datasets": [{"namespace": "db", "name": "daily", "rows": [source("k", *steps)]}],
    }
    return read_lock(json.dumps(lineage))


def unfiltered() -> Lineage:
    return lock([], {"daily": [], "raw": []})


VALUE = "DIRECT/IDENTITY"

CHANGES = {
    "a filter by a column whose value is written is lost": (
        computed(source("x", VALUE, "INDIRECT/FILTER")),
        computed(source("x", VALUE)),
        True,
    ),
    "a condition decides about a value": (
        computed(source("x", VALUE)),
        computed(source("x", VALUE), source("y", "INDIRECT/CONDITIONAL")),
        False,
    ),
    "something unknown decides about a value": (
        computed(source("x", VALUE)),
        computed(source("x", VALUE), source("y", "INDIRECT")),
        False,
    ),
    "a condition is no longer masked": (
        computed(source("x", VALUE), source("y", "INDIRECT/CONDITIONAL", masking=True)),
        computed(source("x", VALUE), source("y", "INDIRECT/CONDITIONAL")),
        True,
    ),
    "the last value is only a condition": (
        computed(source("x", VALUE)),
        computed(source("x", "INDIRECT/CONDITIONAL")),
        True,
    ),
    "one of two values is only a condition": (
        computed(source("x", VALUE), source("y", VALUE)),
        computed(source("x", "INDIRECT/CONDITIONAL"), source("y", VALUE)),
        False,
    ),
    "what decides about rows is lost": (filtered("INDIRECT/FILTER"), unfiltered(), True),
    "what decides about rows in an unknown way is lost": (filtered(), unfiltered(), True),
    "what decides about rows in an unknown way is new": (unfiltered(), filtered(), True),
    "a type becomes known": (typed(None), typed("int"), False),
    "a type becomes unknown": (typed("int"), typed(None), True),
    "another type": (typed("int"), typed("string"), True),
    "a nested column is added": (
        typed("struct", ("a", "int")),
        typed("struct", ("a", "int"), ("b", "int")),
        False,
    ),
    "a nested column is removed": (
        typed("struct", ("a", "int"), ("b", "int")),
        typed("struct", ("a", "int")),
        True,
    ),
    "a nested column has another type": (
        typed("struct", ("a", "int")),
        typed("struct", ("a", "string")),
        True,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_reader_of_a_column_notices_is_breaking(what: str) -> None:
    before, after, is_breaking = CHANGES[what]
    changes = compare(before, after)
    assert changes.changes
    assert changes.is_breaking is is_breaking


@pytest.mark.parametrize(
    ("jobs", "is_breaking"),
    [
        ([("report", "daily", "weekly")], True),
        ([("report", "daily", "weekly"), ("other", "raw", "daily")], False),
    ],
)
def test_the_removal_of_the_last_job_that_writes_a_dataset_is_breaking(
    jobs: list[tuple[str, str, str]], is_breaking: bool
) -> None:
    columns: dict[str, list[dict[str, Any]]] = {name: [{"name": "x"}] for name in ("raw", "daily", "weekly")}
    before = lock([("load", "raw", "daily"), *jobs], columns)
    removed, *_ = compare(before, lock(jobs, columns)).changes
    assert (removed.kind, removed.part, removed.is_breaking) == ("removed", "job", is_breaking)


def test_the_removal_of_a_job_with_its_dataset_is_one_breaking_change() -> None:
    columns: dict[str, list[dict[str, Any]]] = {name: [{"name": "x"}] for name in ("raw", "daily", "other")}
    jobs = [("load", "raw", "daily"), ("copy", "raw", "other")]
    after = lock(jobs[1:], {name: own for name, own in columns.items() if name != "daily"})
    changes = compare(lock(jobs, columns), after).changes
    assert [(change.part, change.is_breaking) for change in changes] == [("dataset", True), ("job", False)]
