"""Guarded steps: errors are logged once per step, or raised."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]

from openlineage_facets.base.producer import current_producer
from openlineage_facets.spark.capture.guard import Gaps, Guard
from tests.cases import each

PRODUCER = "https://example.com/v7/etl"


def fail(guard: Guard, step: str, error: BaseException) -> None:
    with guard.step(step):
        raise error


def test_an_error_is_logged_once_per_step(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard("etl/orders.daily", PRODUCER)
    for _ in range(2):
        fail(guard, "find the write target", ValueError("no\n  path"))
    fail(guard, "find the inputs of a write", ValueError("no plan"))
    assert caplog.messages == [
        "lineage of etl/orders.daily: could not find the write target: ValueError: no path",
        "lineage of etl/orders.daily: could not find the inputs of a write: ValueError: no plan",
    ]


def test_secrets_are_redacted_before_a_long_message_is_truncated(caplog: pytest.LogCaptureFixture) -> None:
    secret = f"{'x' * 470} postgres://ana:{'s3cret' * 20}@db/shop"
    fail(Guard("etl/orders.daily", PRODUCER), "connect", ConnectionError(secret))
    (message,) = caplog.messages
    assert "s3cret" not in message
    assert message.endswith("...")


def test_errors_are_raised_unchanged_with_on_error_raise(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("no path")
    with pytest.raises(ValueError, match="no path") as raised:
        fail(Guard("etl/orders.daily", PRODUCER, "raise"), "find the write target", error)
    assert raised.value is error
    assert caplog.messages == []


@each("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()], ids=repr)
def test_an_exit_always_propagates(error: BaseException) -> None:
    with pytest.raises(type(error)):
        fail(Guard("etl/orders.daily", PRODUCER), "find the write target", error)


def test_an_interrupt_that_py4j_has_replaced_propagates(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard("etl/orders.daily", PRODUCER)

    def fail_after_interrupt() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise Py4JError("the connection is in use")

    with pytest.raises(KeyboardInterrupt), guard.step("find the write target"):
        fail_after_interrupt()
    try:
        fail_after_interrupt()
    except Py4JError:  # The job receives this error, whatever happens meanwhile.
        fail(guard, "remove the job tag", Py4JError("the connection is closed"))
    assert caplog.messages == [
        "lineage of etl/orders.daily: could not remove the job tag: Py4JError: the connection is closed"
    ]


def test_the_producer_of_the_run_is_only_current_inside_a_step() -> None:
    outside = current_producer()
    found = ""
    with Guard("etl/orders.daily", PRODUCER).step("compose"):
        found = current_producer()
    assert (found, current_producer()) == (PRODUCER, outside)


def test_a_long_gap_hides_no_other_gap() -> None:
    gaps = Gaps()
    gaps.add(f"a query: Py4JJavaError: {'page ' * 1000}")
    gaps.add("the stream daily")
    assert gaps.message().endswith("...; the stream daily")


def test_gaps_that_are_too_many_to_name_are_counted() -> None:
    gaps = Gaps()
    for number in range(25):
        gaps.add(f"the stream {number}")
    assert gaps.message().endswith("the stream 19; and 5 more")


def test_a_message_is_logged_in_full_if_its_length_is_passed(caplog: pytest.LogCaptureFixture) -> None:
    message = "not captured: " + "the stream daily; " * 100 + "the stream hourly"
    Guard("etl/orders.daily", PRODUCER).warn_once("capture everything", message, length=len(message))
    assert caplog.messages == [f"lineage of etl/orders.daily: {message}"]
