"""`fail` tells what went wrong, and never fails itself over what the exception holds."""

from __future__ import annotations

import json

import pytest

from openlineage_facets import EventError, EventType, RunEvent, parse_event
from tests.builders.orders import NOON, started
from tests.oracle.judge import judge


def raised(error: BaseException) -> BaseException:
    """Return `error` as an `except` clause has it, with its traceback."""

    def read_table() -> None:
        raise error

    try:
        read_table()
    except BaseException as caught:
        return caught
    raise AssertionError


def failed(error: BaseException | str | None) -> RunEvent:
    event = started().fail(error, NOON)
    assert judge(json.loads(event.to_json())).failed == ""
    assert parse_event(event.to_json()) == event
    return event


def test_an_exception_gives_message_language_and_stack_trace() -> None:
    facets = failed(raised(LookupError("no table raw.orders"))).run.facets
    assert facets is not None
    assert facets.error_message is not None
    assert facets.error_message.message == "no table raw.orders"
    assert facets.error_message.programming_language == "python"
    trace = facets.error_message.stack_trace
    assert trace is not None
    assert trace.startswith("Traceback (most recent call last):\n")
    assert "in read_table" in trace
    assert trace.rstrip().endswith("LookupError: no table raw.orders")


def test_the_stack_trace_tells_the_cause() -> None:
    error = ValueError("bad row")
    error.__cause__ = raised(KeyError("amount"))
    facet = failed(error).to_dict()["run"]["facets"]["errorMessage"]
    assert "KeyError: 'amount'" in facet["stackTrace"]
    assert "direct cause" in facet["stackTrace"]


def test_an_exception_without_words_is_told_by_its_class() -> None:
    assert (
        failed(KeyboardInterrupt()).to_dict()["run"]["facets"]["errorMessage"]["message"]
        == "KeyboardInterrupt"
    )


def test_a_text_is_the_message_alone() -> None:
    facet = failed("the table is gone").to_dict()["run"]["facets"]["errorMessage"]
    assert facet["message"] == "the table is gone"
    assert "stackTrace" not in facet


def test_a_failure_may_go_without_an_error() -> None:
    event = failed(None)
    assert event.event_type is EventType.FAIL
    assert event.run.facets is None


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("nobody can say")


UNSPEAKABLE = [
    pytest.param(Unspeakable(), "Unspeakable", id="str raises"),
    pytest.param(OSError("no file caf\udce9.csv"), "OSError", id="lone surrogate"),
    pytest.param(ValueError("\0\x1b[31m\u2028" + "x" * 100_000), "ValueError", id="long and unprintable"),
    pytest.param(KeyError(("a", {"b": [1]})), "KeyError", id="no text"),
]


@pytest.mark.parametrize(("error", "name"), UNSPEAKABLE)
def test_whatever_an_exception_holds_the_failure_is_told(error: Exception, name: str) -> None:
    facet = failed(raised(error)).to_dict()["run"]["facets"]["errorMessage"]
    assert facet["message"]
    assert name in facet["stackTrace"]


def test_an_error_that_is_no_error_is_refused() -> None:
    with pytest.raises(EventError, match="/message"):
        started().fail(7, NOON)  # type: ignore[arg-type]


def test_a_failure_that_comes_too_late_leaves_no_error_behind() -> None:
    build = started()
    build.complete(NOON)
    with pytest.raises(EventError, match="after the end"):
        build.fail(ValueError("too late"), NOON)
    assert build.other(NOON).run.facets is None


def test_a_failure_at_no_known_time_leaves_no_error_behind() -> None:
    build = started()
    with pytest.raises(EventError, match="/eventTime"):
        build.fail(ValueError("when?"), "yesterday")
    assert build.complete(NOON).run.facets is None


def test_an_error_message_of_ones_own_stands_unless_fail_says_another() -> None:
    build = started()
    build.run.error_message(message="exit code 137", programming_language="scala")
    assert build.fail(None, NOON).to_dict()["run"]["facets"]["errorMessage"]["programmingLanguage"] == "scala"
