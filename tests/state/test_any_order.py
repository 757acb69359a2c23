"""One result for one set of events, in whatever order they arrive, and it is the right one."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets import parse_event
from openlineage_facets.state import LineageState
from tests.state.oracle import expected, told
from tests.state.streams import random_event, random_stream

STREAMS = 10_000

events = st.randoms(use_true_random=False).map(random_event)
streams = st.lists(events, max_size=9)


def fold(stream: Iterable[Any], *, exact_history: bool = False) -> LineageState:
    state = LineageState(exact_history=exact_history)
    for event in stream:
        state.apply(event)
    return state


def test_ten_thousand_streams_each_have_one_result() -> None:
    random = Random(20260101)
    differing = []
    for number in range(STREAMS):
        stream = random_stream(random)
        state = fold(stream)
        shuffled = random.sample(stream, len(stream))
        repeated = random.choices(stream, k=3) + shuffled[::-1] + random.choices(stream, k=3)
        if not state == fold(shuffled) == fold(repeated):
            differing.append((number, stream))
        elif told(state) != expected(stream, exact_history=False):
            differing.append((number, stream))
    assert differing == []


@given(streams, st.data())
@settings(max_examples=200, deadline=None)
def test_every_permutation_of_a_stream_gives_one_state(stream: list[Any], data: st.DataObject) -> None:
    typed = [parse_event(event) for event in stream]
    assert fold(data.draw(st.permutations(typed))) == fold(typed)


@pytest.mark.parametrize("exact_history", [False, True])
@given(stream=streams)
@settings(max_examples=300, deadline=None)
def test_a_state_tells_what_sorting_all_events_by_time_tells(exact_history: bool, stream: list[Any]) -> None:
    state = fold(stream, exact_history=exact_history)
    assert told(state) == expected(stream, exact_history=exact_history)


@given(streams)
@settings(max_examples=100, deadline=None)
def test_what_holds_now_is_exact_with_either_history(stream: list[Any]) -> None:
    short, exact = told(fold(stream)), told(fold(stream, exact_history=True))
    assert (short["jobs"], short["datasets"]) == (exact["jobs"], exact["datasets"])


@given(streams)
@settings(max_examples=100, deadline=None)
def test_an_event_that_arrives_twice_changes_nothing(stream: list[Any]) -> None:
    state = fold(stream)
    again = fold([*stream, *stream])
    assert again == state


@given(streams)
@settings(max_examples=100, deadline=None)
def test_typed_events_and_their_wire_form_fold_alike(stream: list[Any]) -> None:
    assert fold(map(parse_event, stream)) == fold(stream)


@given(streams, st.booleans())
@settings(max_examples=100, deadline=None)
def test_asking_between_events_changes_no_answer(stream: list[Any], exact_history: bool) -> None:
    asked = LineageState(exact_history=exact_history)
    for event in stream:
        asked.apply(event)
        told(asked)
    assert told(asked) == told(fold(stream, exact_history=exact_history))


@given(streams)
@settings(max_examples=50, deadline=None)
def test_the_order_of_keys_in_json_means_nothing(stream: list[Any]) -> None:
    assert fold(map(backwards, stream)) == fold(stream)


def backwards(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: backwards(part) for key, part in reversed(value.items())}
    return [*map(backwards, value)] if isinstance(value, list) else value
