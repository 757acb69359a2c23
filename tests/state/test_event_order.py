"""Events in any order produce equal, correct states."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets import parse_event
from openlineage_facets.state import LineageState
from tests.events import folded
from tests.hypothesis_profiles import share
from tests.state.oracle import expected, summary
from tests.state.random_events import random_event

events = st.randoms(use_true_random=False).map(random_event)
streams = st.lists(events, max_size=9)


@given(streams, st.data())
def test_permutations_have_equal_states(stream: list[Any], data: st.DataObject) -> None:
    typed = [parse_event(event) for event in stream]
    assert folded(*data.draw(st.permutations(typed))) == folded(*typed)


@pytest.mark.parametrize("exact_history", [False, True])
@given(stream=streams)
def test_state_equals_oracle(exact_history: bool, stream: list[Any]) -> None:
    state = folded(*stream, exact_history=exact_history)
    assert summary(state) == expected(stream, exact_history=exact_history)


@given(streams)
def test_current_facets_are_exact_without_exact_history(stream: list[Any]) -> None:
    short, exact = summary(folded(*stream)), summary(folded(*stream, exact_history=True))
    assert (short["jobs"], short["datasets"]) == (exact["jobs"], exact["datasets"])


@given(streams)
def test_duplicate_events_change_nothing(stream: list[Any]) -> None:
    state = folded(*stream)
    again = folded(*stream, *stream)
    assert again == state


@given(streams)
def test_typed_events_and_dicts_are_equivalent(stream: list[Any]) -> None:
    assert folded(*map(parse_event, stream)) == folded(*stream)


@given(streams, st.booleans())
def test_queries_between_events_change_nothing(stream: list[Any], exact_history: bool) -> None:
    asked = LineageState(exact_history=exact_history)
    for event in stream:
        asked.apply(event)
        summary(asked)
    assert summary(asked) == summary(folded(*stream, exact_history=exact_history))


@given(streams)
@settings(max_examples=share(0.5))
def test_key_order_does_not_matter(stream: list[Any]) -> None:
    assert folded(*map(backwards, stream)) == folded(*stream)


def backwards(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: backwards(part) for key, part in reversed(value.items())}
    return [*map(backwards, value)] if isinstance(value, list) else value
