"""A run repairs its events for the backends that receive them."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.emitters import FunctionEmitter
from openlineage_facets.spark import SparkRun

pytestmark = pytest.mark.check


def test_events_are_repaired_before_they_are_emitted(spark: SparkSession) -> None:
    events: list[RunEvent] = []
    for emit in (events.append, FunctionEmitter(events.append)):
        with SparkRun(spark, "etl", "daily", emit=emit, backend="atlan"):
            pass
    assert [event.event_type for event in events] == ["START", "COMPLETE"] * 2
    assert [(event.inputs, event.outputs) for event in events] == [((), ())] * 4


def test_an_unknown_backend_is_an_error_before_the_run_starts(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match=r"^backend: unknown backend 'marqez'.*did you mean 'marquez'\?$"):
        SparkRun(spark, "etl", "daily", backend="marqez")
