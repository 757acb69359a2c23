"""`emit` waits as long as it may, and every failure is raised or logged."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from openlineage_facets.emitters import EmissionError
from openlineage_facets.emitters import background_worker as worker
from openlineage_facets.emitters.base_emitter import BoundedEmitter
from tests.emitters.samples import event, numbers


class Recorder(BoundedEmitter):
    """Records what it sends, as soon as `gate` is open; `is_down` is raised as an error afterwards."""

    def __init__(self, *, is_down: bool = False, **settings: object) -> None:
        super().__init__(**{"timeout": 60, **settings})  # type: ignore[arg-type]
        self.gate = threading.Event()
        self.sent: list[bytes] = []
        self._is_down = is_down

    def send(self, line: bytes) -> None:
        self.gate.wait(60)
        self.sent.append(line)
        if self._is_down:
            raise EmissionError("the receiver is down")

    def _send_within(self, line: bytes, seconds: float) -> None:
        raise AssertionError("the caller sent the event")


def test_an_infinite_timeout_is_as_long_as_the_system_permits(monkeypatch: pytest.MonkeyPatch) -> None:
    emitter = Recorder(timeout=float("inf"), on_error="raise")
    emitter.gate.set()
    emitter.emit(event(1))
    assert numbers(emitter.sent) == [1]
    limits: list[float] = []
    monkeypatch.setattr(emitter, "_finish", limits.append)
    emitter.close(float("inf"))
    assert 0 < limits[0] <= threading.TIMEOUT_MAX


def test_a_late_event_that_is_lost_is_logged_with_on_error_raise(caplog: pytest.LogCaptureFixture) -> None:
    with Recorder(is_down=True, timeout=0.01, on_error="raise") as emitter:
        with pytest.raises(EmissionError, match="retrying in the background"):
            emitter.emit(event())
        emitter.gate.set()
        emitter.close(60)
    assert [message.partition(": ")[2] for message in caplog.messages] == [
        "the receiver is down; the job continues (logged once)",
        "1 event was not delivered",
    ]


def test_a_thread_with_the_id_of_an_ended_caller_delivers_its_event(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[Callable[[], None]] = []
    monkeypatch.setattr(worker, "start_thread", lambda work, name: threads.append(work))
    monkeypatch.setattr(worker, "_IDLE", 0)
    emitter = Recorder()
    emitter.gate.set()
    emitter._wait_budget.spend(60)
    emitter.emit(event(1))
    threads[0]()  # In this thread, so with the same id.
    assert numbers(emitter.sent) == [1]


def test_a_caller_that_cannot_start_a_thread_sends_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(work: Callable[[], None], name: str) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(worker, "start_thread", refuse)
    emitter = Recorder(timeout=7)
    emitter.gate.set()
    emitter.emit(event())
    assert "the caller sent the event" in caplog.text
    emitter._wait_budget.spend(7)
    emitter.emit(event())
    assert "the timeout of 7 s is used up" in caplog.text
    assert emitter.sent == []


def test_the_cost_of_an_event_does_not_grow_with_those_that_wait() -> None:
    lengths = 0

    class Line(bytes):
        def __len__(self) -> int:
            nonlocal lengths
            lengths += 1
            return super().__len__()

    emitter = Recorder()
    tasks = [emitter._submit(Line(b"12345")) for _ in range(100)]
    assert emitter._worker.waiting_bytes == 500
    assert lengths < 500
    emitter.gate.set()
    assert all(task.wait(60) for task in tasks)
    assert emitter._worker.waiting_bytes == 0
