"""Executions are found in Spark's status store, which removes old ones at any time."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.metrics.sql_executions import SqlExecution, SqlExecutions


def test_the_newest_execution_is_found_while_old_ones_are_removed(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    executions = SqlExecutions(spark)
    for _ in range(3):
        spark.range(3).collect()
    newest, counted = executions.newest_id(), executions._count()
    assert newest == max(execution.id for execution in executions.newest_first())
    monkeypatch.setattr(executions, "_count", lambda: counted + 100)  # 100 were removed after counting.
    assert executions.newest_id() == newest


def test_executions_are_found_once_while_old_ones_are_removed_between_pages(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    executions = SqlExecutions(spark)
    for _ in range(4):
        spark.range(3).collect()
    page = executions._page
    expected = [execution.id for execution in executions.newest_first()]

    def next_page_after_a_removal(stop: int, size: int) -> list[SqlExecution]:
        found = page(stop, size)
        monkeypatch.setattr(executions, "_page", lambda stop, size: page(stop + 2, size))
        return found

    monkeypatch.setattr(executions, "_page", next_page_after_a_removal)
    assert [execution.id for execution in executions.newest_first()][:4] == expected[:4]


def test_an_execution_is_found_after_many_others_have_started(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    executions = SqlExecutions(spark)
    monkeypatch.setattr(executions, "_count", lambda: 900)
    monkeypatch.setattr(executions, "_page", started_each_millisecond)
    assert [execution.id for execution in executions.since(100)] == [*range(100, 900)]


@pytest.mark.parametrize(("first", "moment", "expected"), [(0, 0, False), (100, 50, True), (100, 150, False)])
def test_executions_are_removed_if_the_oldest_began_later(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, first: int, moment: int, expected: bool
) -> None:
    executions = SqlExecutions(spark)
    monkeypatch.setattr(executions, "_page", lambda stop, size: started_each_millisecond(first + stop, size))
    assert executions.has_removed_since(moment) == expected


def started_each_millisecond(stop: int, size: int) -> list[SqlExecution]:
    return [command(number, number, None) for number in range(max(0, stop - size), stop)]


@pytest.mark.parametrize("analyzed", [1999, 2000, 2001], ids=["before", "with", "after"])
def test_a_command_may_be_analyzed_shortly_before_or_after_the_start_of_its_execution(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, analyzed: int
) -> None:
    started = [command(3, 2100, None), command(2, 2000, 2050), command(1, 1990, 1998), command(0, 500, 600)]
    executions = SqlExecutions(spark)
    monkeypatch.setattr(executions, "newest_first", lambda **_: iter(started))
    query = Mock()
    query.tracker().phases().get().get().startTimeMs.return_value = analyzed
    query.analyzed().getClass().getName.return_value = "org.apache.Create"
    assert executions._of_command_without_metrics(query) == started[1]


def command(execution: int, submitted: int, ended: int | None) -> SqlExecution:
    return SqlExecution.from_json(
        {
            "executionId": execution,
            "rootExecutionId": execution,
            "physicalPlanDescription": "Execute Create",
            "details": "",
            "submissionTime": submitted,
            "completionTime": ended,
            "jobs": [],
            "stages": [],
            "metrics": [],
        }
    )
