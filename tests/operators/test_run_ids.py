"""Run ids are deterministic, unique for each try of a task, and equal to Airflow's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import RFC_4122, UUID

import pytest

from openlineage_facets.operators import dag_run_id, task_run_id
from tests.cases import each
from tests.operators.scheduler import MIDNIGHT, NAMESPACE, DailyRun, DatedTry, Try

PARIS = timezone(timedelta(hours=1))


def test_the_ids_are_those_of_airflows_provider() -> None:
    # As apache-airflow-providers-openlineage 2.20.3 computes them of the same values.
    ti = DatedTry(
        dag_id="d",
        task_id="t",
        try_number=3,
        map_index=4,
        dag_run=DailyRun(logical_date=datetime(2026, 1, 1, tzinfo=timezone.utc), clear_number=2),
    )
    assert str(task_run_id(ti, "default")) == "019b76da-a800-7a41-8d3c-44b922e5516f"
    assert str(dag_run_id(ti, "default")) == "019b76da-a800-7591-9a40-9837708aabf3"


@pytest.mark.parametrize(
    "change",
    [
        {"dag_id": "other"},
        {"task_id": "other"},
        {"try_number": 2},
        {"map_index": 0},
        {"dag_run": DailyRun(logical_date=MIDNIGHT + timedelta(days=1))},
        {"run_id": "other", "dag_run": None},
    ],
    ids=lambda change: "+".join(change),
)
def test_another_task_try_or_run_has_another_id(change: dict[str, Any]) -> None:
    assert task_run_id(DatedTry(**change), NAMESPACE) != task_run_id(DatedTry(), NAMESPACE)


@pytest.mark.parametrize(
    "change",
    [{"dag_id": "other"}, {"dag_run": DailyRun(clear_number=1)}, {"dag_run": None, "run_id": "other"}],
    ids=lambda change: "+".join(change),
)
def test_another_dag_run_has_another_id(change: dict[str, Any]) -> None:
    assert dag_run_id(DatedTry(**change), NAMESPACE) != dag_run_id(DatedTry(), NAMESPACE)


@pytest.mark.parametrize("change", [{"task_id": "other"}, {"try_number": 2}, {"map_index": 7}])
def test_the_tasks_of_a_dag_run_agree_on_its_id(change: dict[str, Any]) -> None:
    for dag_run in (DailyRun(), None):
        other = DatedTry(**change, dag_run=dag_run)
        assert dag_run_id(other, NAMESPACE) == dag_run_id(DatedTry(dag_run=dag_run), NAMESPACE)


@pytest.mark.parametrize("dag_run", [DailyRun(), None], ids=["dated", "undated"])
def test_ids_differ_between_namespaces(dag_run: DailyRun | None) -> None:
    ti = DatedTry(dag_run=dag_run)
    ids = {make(ti, namespace) for make in (task_run_id, dag_run_id) for namespace in ("one", "two")}
    assert len(ids) == 4
    assert {(type(one), one.variant, one.version) for one in ids} == {(UUID, RFC_4122, 7)}


@each(
    ("run_id", "milliseconds"),
    [
        ("manual__2026-03-29T01:00:00+00:00", 1_774_746_000_000),
        ("scheduled__2026-03-29T03:00:00.250000+02:00", 1_774_746_000_250),
        ("backfill__2026-99-99T00:00:00+00:00", 0),
        ("manual__0001-01-01T00:00:00+23:59", 0),
        ("nightly", 0),
        ("", 0),
    ],
)
def test_without_a_date_the_time_is_that_of_the_run_id(run_id: str, milliseconds: int) -> None:
    ti = DatedTry(dag_run=None, run_id=run_id)
    for one in (dag_run_id(ti, NAMESPACE), task_run_id(ti, NAMESPACE)):
        assert (one.version, one.int >> 80) == (7, milliseconds)


def test_equal_dates_with_different_offsets_have_the_same_id() -> None:
    here, there = (DailyRun(logical_date=date) for date in (MIDNIGHT, MIDNIGHT.astimezone(PARIS)))
    assert task_run_id(DatedTry(dag_run=here), NAMESPACE) == task_run_id(DatedTry(dag_run=there), NAMESPACE)


@pytest.fixture
def _far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Auckland")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_far_from_utc")
def test_a_date_without_an_offset_is_utc_on_every_machine() -> None:
    assert datetime(2026, 1, 1).astimezone().utcoffset() != timedelta(0)
    naive = DailyRun(logical_date=MIDNIGHT.replace(tzinfo=None))
    assert task_run_id(DatedTry(dag_run=naive), NAMESPACE) == task_run_id(DatedTry(), NAMESPACE)


def test_a_run_without_a_logical_date_uses_run_after() -> None:
    later = DailyRun(logical_date=None)
    moment = DailyRun(logical_date=later.run_after)
    assert task_run_id(DatedTry(dag_run=later), NAMESPACE) == task_run_id(DatedTry(dag_run=moment), NAMESPACE)


def test_the_dag_run_may_be_in_the_template_context() -> None:
    class ContextTry(Try):
        def get_template_context(self) -> dict[str, Any]:
            return {"dag_run": DailyRun()}

    assert task_run_id(ContextTry(), NAMESPACE) == task_run_id(DatedTry(), NAMESPACE)


def test_the_logical_date_may_be_on_the_task_instance() -> None:
    class OldTry(Try):
        logical_date = MIDNIGHT

    assert task_run_id(OldTry(), NAMESPACE) == task_run_id(DatedTry(), NAMESPACE)


def test_the_run_id_is_used_if_the_context_raises(caplog: pytest.LogCaptureFixture) -> None:
    class LostTry(Try):
        def get_template_context(self) -> dict[str, Any]:
            raise RuntimeError("no database")

    assert task_run_id(LostTry(), NAMESPACE) == task_run_id(Try(), NAMESPACE)
    assert "could not get the DAG run of shop.load_orders from its context" in caplog.text
