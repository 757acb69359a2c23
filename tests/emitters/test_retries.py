"""An event is retried for as long as its emitter's timeout."""

from __future__ import annotations

import pytest

from openlineage_facets.emitters import EmissionError
from openlineage_facets.emitters import retries as module
from openlineage_facets.emitters.retries import Retries


def test_the_pause_that_an_earlier_event_caused_does_not_prolong_retries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    attempts: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def fail() -> None:
        attempts.append(now)
        raise EmissionError("the receiver is down")

    monkeypatch.setattr(module, "monotonic", lambda: now)
    monkeypatch.setattr(module, "sleep", sleep)
    retries = Retries(seconds=1)
    retries.respect(EmissionError("busy", retry_after=30))
    with pytest.raises(EmissionError, match="the receiver is down"):
        retries.deliver(fail)
    assert attempts == pytest.approx([130, 130.2, 130.6])
