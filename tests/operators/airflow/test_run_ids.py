"""Run ids are those that Airflow's own provider computes of the same values."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pendulum
import pytest
from airflow.providers.openlineage.plugins.adapter import OpenLineageAdapter

from openlineage_facets.operators import dag_run_id, task_run_id
from tests.operators.scheduler import DailyRun, DatedTry

NAMESPACE = "default"
"""Where the provider puts its runs, with nothing configured."""

DATES = [
    datetime(2026, 1, 1, tzinfo=timezone.utc),
    datetime(2026, 1, 1, 3, 4, 5, 678901, tzinfo=timezone(timedelta(hours=5))),
    pendulum.datetime(2026, 3, 29, 1, 30, tz="Europe/Berlin"),
]


@pytest.mark.parametrize("date", DATES, ids=str)
@pytest.mark.parametrize("clear_number", [0, 2])
def test_the_run_id_of_a_dag_run_is_airflows(date: datetime, clear_number: int) -> None:
    ti = DatedTry(dag_run=DailyRun(logical_date=date, clear_number=clear_number))
    theirs = OpenLineageAdapter.build_dag_run_id(ti.dag_id, date, clear_number)
    assert str(dag_run_id(ti, NAMESPACE)) == theirs


@pytest.mark.parametrize("date", DATES, ids=str)
@pytest.mark.parametrize(("try_number", "map_index"), [(1, -1), (3, 4)])
def test_the_run_id_of_a_try_is_airflows(date: datetime, try_number: int, map_index: int) -> None:
    ti = DatedTry(dag_run=DailyRun(logical_date=date), try_number=try_number, map_index=map_index)
    theirs = OpenLineageAdapter.build_task_instance_run_id(ti.dag_id, ti.task_id, try_number, date, map_index)
    assert str(task_run_id(ti, NAMESPACE)) == theirs
