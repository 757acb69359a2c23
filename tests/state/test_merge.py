"""Merging and serialization of states."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets.state import LineageState
from tests.cases import each
from tests.events import FACET, RUN_ID, folded, run_event
from tests.hypothesis_profiles import share
from tests.state.oracle import summary
from tests.state.sample_events import dataset_event, documented
from tests.state.test_event_order import streams

exactness = st.booleans()


def merged(*states: LineageState) -> LineageState:
    whole = copy.deepcopy(states[0])
    for state in states[1:]:
        whole.merge(state)
    return whole


@given(streams, streams, streams, exactness)
def test_merge_is_associative_and_equals_folding_everything(
    one: list[Any], two: list[Any], three: list[Any], exact: bool
) -> None:
    a, b, c = (folded(*part, exact_history=exact) for part in (one, two, three))
    whole = folded(*one, *two, *three, exact_history=exact)
    assert merged(merged(a, b), c) == merged(a, merged(b, c)) == whole
    assert summary(merged(a, b, c)) == summary(whole)


@given(streams, streams, exactness)
def test_merge_is_commutative_and_idempotent(one: list[Any], two: list[Any], exact: bool) -> None:
    a, b = folded(*one, exact_history=exact), folded(*two, exact_history=exact)
    assert merged(a, b) == merged(b, a)
    assert merged(a, b, b, a) == merged(a, b)
    a.merge(a)
    assert a == folded(*one, exact_history=exact)


@given(streams, streams)
def test_merge_does_not_change_the_other_state(one: list[Any], two: list[Any]) -> None:
    a, b = folded(*one), folded(*two)
    a.merge(b)
    a.merge(folded(*one))
    for event in one:
        a.apply(event)
    assert b == folded(*two)


def test_query_after_merge_includes_merged_events() -> None:
    state = folded(dataset_event(2, documented("old")))
    assert summary(state)["datasets"] == {"orders": {"documentation": documented("old").to_dict()}}
    assert state.dataset("db", "orders", at="2026-01-01T00:00:09Z") is not None
    state.merge(folded(dataset_event(3, documented("new"))))
    for moment in (None, "2026-01-01T00:00:09Z"):
        dataset = state.dataset("db", "orders", at=moment)
        assert dataset is not None
        assert dataset.facets.documentation == documented("new")


def test_merge_rejects_different_exact_history() -> None:
    with pytest.raises(ValueError, match="exact_history"):
        LineageState().merge(LineageState(exact_history=True))


@given(streams, exactness)
def test_json_and_pickle_round_trip(stream: list[Any], exact: bool) -> None:
    state = folded(*stream, exact_history=exact)
    summary(state)
    for back in (
        LineageState.from_dict(json.loads(json.dumps(state.to_dict()))),
        pickle.loads(pickle.dumps(state)),
        copy.deepcopy(state),
    ):
        assert back == state
        assert summary(back) == summary(state)
        for event in stream:
            back.apply(event)
        assert back == state


@given(streams, st.randoms(use_true_random=False))
@settings(max_examples=share(0.5))
def test_equal_states_have_equal_dicts(stream: list[Any], random: Any) -> None:
    shuffled = random.sample(stream, len(stream))
    assert json.dumps(folded(*shuffled).to_dict()) == json.dumps(folded(*stream).to_dict())


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"format": "something else"},
        {**LineageState().to_dict(), "jobs": None},
        {key: value for key, value in LineageState().to_dict().items() if key != "runs"},
    ],
)
def test_from_dict_rejects_other_formats(plain: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected a state"):
        LineageState.from_dict(plain)


def saved() -> dict[str, Any]:
    """Return a saved state with a job, a dataset and a run."""
    event = run_event(
        run={"runId": RUN_ID, "facets": {}}, inputs=[{"namespace": "db", "name": "a", "facets": {"x": FACET}}]
    )
    plain: dict[str, Any] = json.loads(json.dumps(folded(event).to_dict()))
    return plain


@each(("pointer", "value"), [
    ("/runs/0/job", [[1, "", 2]]),
    ("/runs/0/job/0/0", "now"),
    ("/runs/0/seen", [["a", "b"], ["c", "d"]]),
    ("/runs/0/writes", [[1, "", 2], "[5]"]),
    ("/datasets/0/seen/0/0", 10**18),
    ("/datasets/0/seen/0/1", "half"),
    ("/datasets/0/namespace", 5),
    ("/datasets/0/facets/x", []),
    ("/datasets/0/facets/x/0/2", "nope"),
    ("/datasets/0/facets/x/0/2", 5),
    ("/jobs/0/uses/0/0/0", "reads"),
    ("/jobs", {}),
    ("/jobs", []),
    ("/datasets", []),
    ("", []),
])  # fmt: skip
def test_from_dict_rejects_damaged_states(pointer: str, value: Any) -> None:
    plain: Any = saved()
    assert LineageState.from_dict(plain).to_dict() == plain
    *path, last = pointer.split("/")[1:] or [""]
    at = plain
    for key in path:
        at = at[int(key) if isinstance(at, list) else key]
    if last:
        at[int(last) if isinstance(at, list) else last] = value
    with pytest.raises(ValueError, match="expected a state"):
        LineageState.from_dict(plain if last else value)
