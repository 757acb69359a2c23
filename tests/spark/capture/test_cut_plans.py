"""A run remembers a limited number of checkpoints and predictions, until it ends."""

from __future__ import annotations

import logging
from functools import partial

import pytest

from openlineage_facets.spark.capture import cut_plans
from openlineage_facets.spark.capture.cut_plans import CutPlans
from openlineage_facets.spark.capture.guard import Guard


def test_only_the_newest_checkpoints_and_all_streams_are_remembered(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(cut_plans._LIMITS, "checkpoints", 2)
    forgotten: list[str] = []
    plans = CutPlans(Guard("etl/stream", "https://example.com"))
    plans.add_stream(partial(forgotten.append, "stream"))
    plans.add("predictions", partial(forgotten.append, "prediction"))
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        for number in range(4):
            plans.add("checkpoints", partial(forgotten.append, f"checkpoint {number}"))
    assert forgotten == ["checkpoint 0", "checkpoint 1"]
    assert caplog.messages == [
        "lineage of etl/stream: only the newest 2 checkpoints of the run are remembered; the inputs of what "
        "is computed from earlier ones are not captured"
    ]
    plans.close()
    assert sorted(forgotten[2:]) == ["checkpoint 2", "checkpoint 3", "prediction", "stream"]
