"""Run ids are deterministic, and unique for each try of a task."""

from __future__ import annotations

import dataclasses
from typing import Any
from uuid import RFC_4122, UUID

from openlineage_facets.operators import dag_run_id, task_run_id
from tests.cases import each
from tests.operators.scheduler import NAMESPACE, Try


@each(
    ("change", "is_other_dag_run"),
    [
        ({"dag_id": "other"}, True),
        ({"run_id": "other"}, True),
        ({"task_id": "other"}, False),
        ({"try_number": 2}, False),
        ({"map_index": 0}, False),
    ],
)
def test_another_task_try_or_dag_run_has_another_id(change: dict[str, Any], is_other_dag_run: bool) -> None:
    changed = dataclasses.replace(Try(), **change)
    assert task_run_id(changed, NAMESPACE) != task_run_id(Try(), NAMESPACE)
    assert (dag_run_id(changed, NAMESPACE) != dag_run_id(Try(), NAMESPACE)) is is_other_dag_run


def test_the_ids_of_a_run_never_change() -> None:
    assert str(task_run_id(Try(), "shop")) == "01a1fb67-1800-734e-bff3-100894c716a6"
    assert str(dag_run_id(Try(), "shop")) == "01a1fb67-1800-7752-9b65-971c00721003"


def test_ids_differ_between_namespaces() -> None:
    ids = {make(Try(), namespace) for make in (task_run_id, dag_run_id) for namespace in ("one", "two")}
    assert len(ids) == 4
    assert {(type(run_id), run_id.variant, run_id.version) for run_id in ids} == {(UUID, RFC_4122, 7)}


@each(
    ("run_id", "milliseconds"),
    [
        ("manual__2026-03-29T01:00:00+00:00", 1_774_746_000_000),
        ("scheduled__2026-03-29T03:00:00.250000+02:00", 1_774_746_000_250),
        ("manual__2026-03-29T01:00:00Z", 1_774_746_000_000),
        ("manual__2026-03-29T01:00:00.123+00:00", 1_774_746_000_123),
        ("manual__2026-03-29T01:00:00.5+00:00", 1_774_746_000_500),
        ("backfill__2026-99-99T00:00:00+00:00", 0),
        ("manual__0001-01-01T00:00:00+23:59", 0),
        ("nightly", 0),
        ("", 0),
    ],
)
def test_the_time_of_an_id_is_that_of_the_schedulers_run_id(run_id: str, milliseconds: int) -> None:
    ti = Try(run_id=run_id)
    for own_id in (dag_run_id(ti, NAMESPACE), task_run_id(ti, NAMESPACE)):
        assert (own_id.version, own_id.int >> 80) == (7, milliseconds)
