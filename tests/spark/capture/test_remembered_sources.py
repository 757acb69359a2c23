"""A run remembers a limited number of checkpoints and predictions, until it ends."""

from __future__ import annotations

import logging
from functools import partial

import pytest

from openlineage_facets.spark.capture import remembered_sources
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.remembered_sources import RememberedSources


def test_only_the_newest_checkpoints_and_all_streams_are_remembered(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(remembered_sources._LIMITS, "checkpoints", 2)
    forgotten: list[str] = []
    remembered = RememberedSources(Guard("etl/stream", "https://example.com"))
    remembered.add("streams", partial(forgotten.append, "stream"))
    remembered.add("predictions", partial(forgotten.append, "prediction"))
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        for number in range(4):
            remembered.add("checkpoints", partial(forgotten.append, f"checkpoint {number}"))
    assert forgotten == ["checkpoint 0", "checkpoint 1"]
    assert caplog.messages == [
        "lineage of etl/stream: only the newest 2 checkpoints of the run are remembered; the inputs of what "
        "is computed from earlier ones are not captured"
    ]
    remembered.close()
    assert sorted(forgotten[2:]) == ["checkpoint 2", "checkpoint 3", "prediction", "stream"]
