"""Capture what a job does with Spark's own methods, while a run is active."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.spark.automatic.active_captures import ActiveCapture, ActiveCaptures
from openlineage_facets.spark.automatic.wrapped_methods import WrappedMethods
from openlineage_facets.spark.capture.lineage_capture import LineageCapture

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["AutomaticCapture"]

_active = ActiveCaptures()


def _capture_of_call(spark: SparkSession) -> LineageCapture | None:
    active = _active.of_call(spark)
    return None if active is None else active.calls


_methods = WrappedMethods(_capture_of_call)


class AutomaticCapture:
    """Capture the writes and statements of a job for one run.

    Args:
        spark: The session of the run.
        calls: Captures calls of the job.
    """

    def __init__(self, spark: SparkSession, calls: LineageCapture) -> None:
        self._guard = calls.guard
        self._active = ActiveCapture(spark, calls)

    def begin(self) -> None:
        """Capture calls from now on."""
        with self._guard.step("capture calls of Spark's own methods"):
            _active.add(self._active)
            _methods.install()

    def end(self) -> None:
        """Capture no more calls for this run."""
        with self._guard.step("restore Spark's own methods"):
            if _active.remove(self._active):
                _methods.restore()
