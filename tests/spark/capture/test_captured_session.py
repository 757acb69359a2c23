"""What executes a call in a session of which Spark may be gone afterwards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionStart


def session_with(tracker: Any, *, is_stopped: bool = False) -> CapturedSession:
    spark: Any = SimpleNamespace(is_stopped=is_stopped)
    session = CapturedSession(spark, Guard("etl/orders.daily", "https://example.com"))
    session.tracker = tracker
    return session


class _LostTracker:
    """Tracks the calls of a session whose connection is lost before they end."""

    def begin(self) -> ActionStart:
        return ActionStart("tag", 0)

    def end(self, start: ActionStart) -> None:
        raise ConnectionRefusedError(start.tag)


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_tag_that_cannot_be_removed_is_logged_unless_spark_is_gone(
    is_stopped: bool, caplog: pytest.LogCaptureFixture
) -> None:
    session = session_with(_LostTracker(), is_stopped=is_stopped)
    caplog.clear()  # The session has no JVM.
    assert session.execute(lambda: 7)[0] == 7
    message = "lineage of etl/orders.daily: could not remove the job tag: ConnectionRefusedError: tag"
    assert caplog.messages == ([] if is_stopped else [message])


class _Tracker:
    """Tracks the calls of a session in whose status store there is no execution of a call."""

    def __init__(self, has_removed: bool) -> None:
        self.executions = SimpleNamespace(has_removed_since=lambda moment: has_removed)

    def metrics(self, start: ActionStart) -> ActionMetrics:
        return ActionMetrics()


@pytest.mark.parametrize("has_removed", [True, False])
def test_statistics_that_spark_has_removed_are_logged(
    has_removed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    session = session_with(_Tracker(has_removed))
    caplog.clear()  # The session has no JVM.
    session.measure(ActionStart("tag", 0), may_skip=False)
    message = (
        "lineage of etl/orders.daily: the statistics of a write are not captured: Spark has removed its "
        "status; raise spark.sql.ui.retainedExecutions above the number of queries executed meanwhile"
    )
    assert caplog.messages == ([message] if has_removed else [])
