"""With `batch=True`, events that wait are sent to the batch endpoint, if the receiver has it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest

from openlineage_facets.emitters import HttpEmitter
from openlineage_facets.emitters.http import Batches, WaitingLine
from openlineage_facets.emitters.retries import Retries
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver, Request
from tests.emitters.samples import event

COUNT = 5
ALL = [event(number).job.name for number in range(COUNT + 1)]


def sent(respond: Callable[[Request], None], *, batch: bool = True, **options: Any) -> Receiver:
    """Return a receiver to which events were sent: one alone, others that waited until it was answered."""
    gate, has_first = threading.Event(), threading.Event()

    def behaviour(request: Request) -> None:
        has_first.set()
        gate.wait(30)
        if request.path.endswith("/batch"):
            respond(request)
        else:
            request.answer(201)

    receiver = Receiver(behaviour)
    try:
        with HttpEmitter(receiver.url, timeout=30.0, batch=batch, **options) as emitter:
            waits = [emitter.start(event(0))]
            assert has_first.wait(30)
            waits += [emitter.start(event(number)) for number in range(1, COUNT)]
            gate.set()
            for wait in waits:
                wait()
            emitter.emit(event(COUNT))
    finally:
        receiver.close()
    return receiver


def requests(receiver: Receiver) -> list[tuple[str, int]]:
    """Return the last segment of the path of each request, and how many events it contained."""
    bodies = [(one.path.rpartition("/")[2], json.loads(one.text())) for one in receiver.requests]
    return [(path, len(body) if isinstance(body, list) else 1) for path, body in bodies]


def names(receiver: Receiver) -> list[str]:
    """Return the names of the jobs that were received, in order."""
    bodies = [json.loads(body) for body in receiver.received]
    return [one["job"]["name"] for body in bodies for one in (body if isinstance(body, list) else [body])]


def answer(**failed: Any) -> bytes:
    events = failed.get("events", [])
    summary = {"received": COUNT - 1, "successful": COUNT - 1 - len(events), "failed": len(events)}
    return json.dumps({"status": "success", "summary": summary, "failed_events": events}).encode()


@each(("status", "body"), [(204, b""), (200, answer())])
def test_waiting_events_are_sent_as_one_array(status: int, body: bytes) -> None:
    receiver = sent(lambda request: request.answer(status, body))
    assert requests(receiver) == [("lineage", 1), ("batch", COUNT - 1), ("lineage", 1)]
    assert names(receiver) == ALL


@each("status", [400, 404, 405, 415, 422, 501, 302])
def test_a_receiver_without_the_endpoint_gets_each_event_alone(status: int) -> None:
    receiver = sent(lambda request: request.answer(status))
    assert requests(receiver) == [("lineage", 1), ("batch", COUNT - 1)] + [("lineage", 1)] * COUNT
    assert names(receiver) == ALL


def test_a_batch_that_is_too_large_is_halved() -> None:
    receiver = sent(lambda request: request.answer(413 if request.text().count(b"eventTime") > 2 else 204))
    alone = ("lineage", 1)
    assert requests(receiver)[1:] == [("batch", 4), alone, ("batch", 2), alone, alone]
    assert names(receiver) == ALL


def test_waiting_lines_are_only_looked_up_for_a_batch() -> None:
    batches, line = Batches(lambda _: (204, b""), Retries(1)), WaitingLine(b"{}")
    assert not batches.send(line, lambda: [line])
    line.outcome = True
    assert batches.send(line, lambda: pytest.fail("its outcome is known"))


WITHOUT_OUTCOMES = [
    b"",
    b"{}",
    b"OK",
    b'{"status": "success", "summary": {"received": 1, "failed": 0}}',
    answer(events=[{"index": COUNT - 1, "reason": "counted from 1"}]),
    answer(events=[{"index": -1, "reason": "counted from the end"}]),
]


@each("body", WITHOUT_OUTCOMES)
def test_a_receiver_that_answers_200_to_anything_gets_each_event_alone(body: bytes) -> None:
    assert requests(sent(lambda request: request.answer(200, body)))[2:] == [("lineage", 1)] * COUNT


def test_events_that_failed_are_rejected_or_sent_again(caplog: pytest.LogCaptureFixture) -> None:
    failed = [
        {"index": 0, "reason": "Unsupported event type", "retriable": False},
        {"index": 2, "reason": "Timeout", "retriable": True},
    ]
    receiver = sent(lambda request: request.answer(200, answer(events=failed)))
    assert requests(receiver) == [("lineage", 1), ("batch", COUNT - 1), ("lineage", 1), ("lineage", 1)]
    assert names(receiver)[-2:] == [event(3).job.name, event(COUNT).job.name]
    assert "rejected an event of a batch: Unsupported event type" in caplog.text
    assert "1 event was not delivered" in caplog.text


def test_events_are_sent_alone_by_default_and_batches_are_compressed() -> None:
    assert requests(sent(lambda request: request.answer(204), batch=False)) == [("lineage", 1)] * (COUNT + 1)
    assert HttpEmitter("http://localhost:1")._batches is None
    receiver = sent(lambda request: request.answer(204), compress=True)
    assert requests(receiver)[1] == ("batch", COUNT - 1)


def test_a_pause_that_the_receiver_demands_of_a_batch_is_honored() -> None:
    times: list[float] = []

    def respond(request: Request) -> None:
        times.append(monotonic())
        request.answer(429 if len(times) == 1 else 204, Retry_After="1")

    receiver = sent(respond)
    assert [path for path, _ in requests(receiver)][:4] == ["lineage", "batch", "lineage", "batch"]
    assert times[1] - times[0] >= 1


def test_after_an_outage_the_endpoint_is_tried_again() -> None:
    answers = iter([503, 204])
    receiver = sent(lambda request: request.answer(next(answers)))
    assert [path for path, _ in requests(receiver)][:4] == ["lineage", "batch", "lineage", "batch"]
    assert names(receiver) == ALL
