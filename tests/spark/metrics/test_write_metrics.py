"""The metrics of an action are those of its executions, and an action may have none."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.metrics.sql_executions import SqlExecution
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionTracker

pytestmark = pytest.mark.check


def test_an_action_that_started_no_job_is_not_waited_for(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = ActionTracker(spark)
    since, looks = tracker.executions.since, list[int]()

    def counted(moment: int) -> list[SqlExecution]:
        looks.append(moment)
        return since(moment)

    monkeypatch.setattr(tracker.executions, "since", counted)
    start = tracker.begin()
    tracker.end(start)
    assert tracker.metrics(start, timeout=30) == ActionMetrics(began=start.began)
    assert len(looks) == 2, "one look, and one when Spark's listeners have received everything"
