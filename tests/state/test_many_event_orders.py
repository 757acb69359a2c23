"""Ten thousand random streams of events, each in two orders, produce equal, correct states."""

from __future__ import annotations

from random import Random

import pytest

from tests.events import folded
from tests.state.oracle import expected, summary
from tests.state.random_events import random_stream

pytestmark = pytest.mark.thorough

STREAMS = 10_000


def test_ten_thousand_streams_in_two_orders() -> None:
    random = Random(20260101)
    differing = []
    for number in range(STREAMS):
        stream = random_stream(random)
        state = folded(*stream)
        shuffled = random.sample(stream, len(stream))
        repeated = random.choices(stream, k=3) + shuffled[::-1] + random.choices(stream, k=3)
        if not state == folded(*shuffled) == folded(*repeated):
            differing.append((number, stream))
        elif summary(state) != expected(stream, exact_history=False):
            differing.append((number, stream))
    assert differing == []
