"""`fail` adds an errorMessage facet for any exception."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from openlineage_facets import EventError, parse_event
from tests.builders.sample_builders import NOON, started
from tests.oracle.expected_results import oracle_result

POSIX = pytest.mark.skipif(os.name != "posix", reason="exit codes have more bits")


def raised(error: BaseException) -> BaseException:
    """Return `error` with a traceback."""

    def read_table() -> None:
        raise error

    try:
        read_table()
    except BaseException as caught:
        return caught
    raise AssertionError


def failed(error: BaseException | str) -> dict[str, Any]:
    """Return the errorMessage facet of a valid event about an error."""
    event = started().fail(error, NOON)
    assert oracle_result(json.loads(event.to_json())).failed == ""
    assert parse_event(event.to_json()) == event
    facet: dict[str, Any] = event.to_dict()["run"]["facets"]["errorMessage"]
    return facet


def test_exception_sets_message_language_and_stack_trace() -> None:
    facet = failed(raised(LookupError("no table raw.orders")))
    assert (facet["message"], facet["programmingLanguage"]) == ("no table raw.orders", "python")
    trace = facet["stackTrace"]
    assert trace.startswith("Traceback (most recent call last):\n")
    assert "in read_table" in trace
    assert trace.rstrip().endswith("LookupError: no table raw.orders")


def test_stack_trace_includes_cause() -> None:
    error = ValueError("bad row")
    error.__cause__ = raised(KeyError("amount"))
    trace = failed(error)["stackTrace"]
    assert "KeyError: 'amount'" in trace
    assert "direct cause" in trace


def test_exception_without_message_uses_class_name() -> None:
    assert failed(KeyboardInterrupt())["message"] == "KeyboardInterrupt"


def test_text_sets_only_the_message() -> None:
    facet = failed("the table is gone")
    assert facet["message"] == "the table is gone"
    assert "stackTrace" not in facet


class BrokenStr(Exception):
    def __str__(self) -> str:
        raise RuntimeError("broken __str__")


UNUSUAL_ERRORS = [
    pytest.param(BrokenStr(), "BrokenStr", id="str raises"),
    pytest.param(OSError("no file caf\udce9.csv"), "OSError", id="lone surrogate"),
    pytest.param(ValueError("\0\x1b[31m\u2028" + "x" * 100_000), "ValueError", id="long and unprintable"),
    pytest.param(KeyError(("a", {"b": [1]})), "KeyError", id="no text"),
]


@pytest.mark.parametrize(("error", "name"), UNUSUAL_ERRORS)
def test_unusual_exceptions_are_reported(error: Exception, name: str) -> None:
    facet = failed(raised(error))
    assert facet["message"]
    assert name in facet["stackTrace"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (2, "exit code 2"),
        (True, "exit code 1"),
        pytest.param(259, "exit code 3, from sys.exit(259)", marks=POSIX),
        pytest.param(-1, "exit code 255, from sys.exit(-1)", marks=POSIX),
        ("no orders", "no orders"),
    ],
)
def test_an_exit_code_is_named(code: object, message: str) -> None:
    assert failed(raised(SystemExit(code)))["message"] == message


def test_invalid_error_is_rejected() -> None:
    with pytest.raises(EventError, match="/message"):
        started().fail(7, NOON)  # type: ignore[arg-type]


def test_rejected_fail_adds_no_error_facet() -> None:
    build = started()
    with pytest.raises(EventError, match="/eventTime"):
        build.fail(ValueError("when?"), "yesterday")
    assert build.complete(NOON).run.facets is None
    with pytest.raises(EventError, match="after the end"):
        build.fail(ValueError("too late"), NOON)
    assert build.other(NOON).run.facets is None


def test_custom_error_message_is_kept_without_error_argument() -> None:
    build = started()
    build.run.error_message(message="exit code 137", programming_language="scala")
    assert build.fail(None, NOON).to_dict()["run"]["facets"]["errorMessage"]["programmingLanguage"] == "scala"
