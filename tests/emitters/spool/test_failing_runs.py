"""A failing run does not block others; its events are rejected unless the receiver is down."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets import RunEvent
from openlineage_facets.emitters import HttpEmitter, SpoolEmitter, replay
from openlineage_facets.emitters.spool import delivery
from openlineage_facets.emitters.spool import replay as replaying
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from tests.cases import each
from tests.emitters.misbehaving_receiver import (
    Behaviour,
    Receiver,
    accept,
    close_connection,
    first,
    for_run,
    respond,
)
from tests.emitters.samples import event, numbers, run_id, wait_until

StartReceiver = Callable[..., Receiver]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "_PAUSE", 0.01)
    monkeypatch.setattr(delivery, "_LONGEST_PAUSE", 0.05)


def spool_of(folder: Path, runs: int, events: int = 1) -> SpoolDirectory:
    spool = SpoolDirectory(folder)
    for number in range(runs * events):
        spool.append(event(number, run=run_id(number // events)).to_json())
    return spool


@pytest.mark.check
@each(("bad", "behaviour"), [(0, respond(500)), (3, respond(503)), (0, respond(404)), (3, close_connection)])
def test_one_failing_run_is_rejected_and_the_others_delivered(
    bad: int, behaviour: Behaviour, tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(for_run(run_id(bad), behaviour))
    spool = spool_of(tmp_path, runs=8, events=2)
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.delivered, len(done.rejected), done.left, done.failure) == (14, 2, 0, None)
    assert spool.rejected.count() == 2
    answer = (tmp_path / "rejected" / f"run-{run_id(bad)}.answers").read_text().splitlines()[0]
    assert json.loads(answer)["answer"].endswith(
        "rejected after 3 attempts while other events were delivered"
    )
    receiver.behaviour = accept
    assert replay(tmp_path, HttpEmitter(receiver.url), rejected=True).delivered == 2
    assert numbers(receiver.events, run_id(bad)) == [2 * bad, 2 * bad + 1]


def test_the_last_run_is_rejected_if_the_receiver_responds_with_500(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(for_run(run_id(4), respond(500)))
    spool_of(tmp_path, runs=5)
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.delivered, len(done.rejected), done.left) == (4, 1, 0)


def test_a_majority_of_failing_runs_blocks_no_other(tmp_path: Path, start_receiver: StartReceiver) -> None:
    receiver = start_receiver(for_run(run_id(9), accept, respond(500)))
    spool_of(tmp_path, runs=10)
    assert replay(tmp_path, HttpEmitter(receiver.url)).delivered == 1


@pytest.mark.check
@each(
    ("received", "behaviour"),
    [(0, respond(500)), (5, respond(503)), (0, respond(403)), (5, close_connection)],
)
def test_no_event_is_rejected_while_the_receiver_is_down_and_replay_stops_early(
    behaviour: Behaviour, received: int, tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(first(received, accept, behaviour))
    spool_of(tmp_path, runs=30)
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.delivered, done.rejected, done.left) == (received, [], 30 - received)
    assert done.failure is not None
    assert len(receiver.requests) <= received + 15
    receiver.behaviour = accept
    assert replay(tmp_path, HttpEmitter(receiver.url)).left == 0


def test_an_event_that_fails_ten_times_while_others_are_delivered_is_rejected(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    bad = run_id(1)
    receiver = start_receiver(for_run(bad, respond(503)))
    with SpoolEmitter(HttpEmitter(receiver.url), tmp_path, timeout=20) as emitter:
        emitter.emit(event(0, run=bad))
        emitter.emit(event(1, run=run_id(2)))
        wait_until(lambda: (tmp_path / "rejected" / f"run-{bad}.answers").exists())
    assert SpoolDirectory(tmp_path).rejected.count() == 1
    assert 10 <= sum(bad.encode() in request.body for request in receiver.requests) <= 12


def test_an_emitter_rejects_nothing_while_the_receiver_is_down(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(respond(503))
    with SpoolEmitter(HttpEmitter(receiver.url), tmp_path, timeout=20) as emitter:
        for number in range(4):
            emitter.emit(event(number, run=run_id(number)))
        wait_until(lambda: len(receiver.requests) > 50)
        receiver.behaviour = accept
    assert sorted(set(numbers(receiver.events))) == [0, 1, 2, 3]
    assert SpoolDirectory(tmp_path).rejected.count() == 0


def test_a_busy_run_does_not_starve_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "_TURN", 0.0)
    spool_of(tmp_path, runs=2, events=3)
    received: list[RunEvent] = []
    emitter = SpoolEmitter(received.append, tmp_path)
    wait_until(lambda: len(received) == 6)
    emitter.close()
    assert [one.job.name[-1] for one in received] == ["0", "3", "1", "4", "2", "5"]


@pytest.mark.check
@each("is_replay", [False, True])
def test_retry_after_applies_to_all_runs(
    is_replay: bool, tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(first(1, respond(429, Retry_After="1")))
    http = HttpEmitter(receiver.url)
    spool_of(tmp_path, runs=3)
    begin = time.monotonic()
    emitter = http if is_replay else SpoolEmitter(http, tmp_path)
    if is_replay:
        assert replay(tmp_path, http).delivered == 3
    wait_until(lambda: len(receiver.requests) > 1)
    assert time.monotonic() - begin > 0.9
    wait_until(lambda: len(receiver.received) == 3)
    emitter.close()


def test_an_event_is_not_rejected_because_of_too_many_requests(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(for_run(run_id(1), respond(429)))
    spool_of(tmp_path, runs=3, events=2)
    done = replay(tmp_path, HttpEmitter(receiver.url), attempts=5)
    assert (done.delivered, done.rejected, done.left) == (4, [], 2)


def test_failing_runs_do_not_delay_new_ones(
    tmp_path: Path, start_receiver: StartReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "_FIRST_PAUSE", 30.0)
    monkeypatch.setattr(delivery, "_LONGEST_PAUSE", 30.0)
    receiver = start_receiver(for_run(run_id(1), respond(500)))
    emitter = SpoolEmitter(HttpEmitter(receiver.url), tmp_path)
    emitter.emit(event(0, run=run_id(1)))
    wait_until(lambda: emitter._delivery._retry_at)
    emitter.emit(event(1, run=run_id(2)))
    wait_until(lambda: receiver.received, 10)
    emitter.close(0)


def test_a_failing_run_in_memory_does_not_delay_others(tmp_path: Path, start_receiver: StartReceiver) -> None:
    (tmp_path / "file").touch()
    receiver = start_receiver(for_run(run_id(1), respond(503)))
    emitter = SpoolEmitter(HttpEmitter(receiver.url), tmp_path / "file")
    emitter.emit(event(0, run=run_id(1)))
    for number in range(1, 4):
        emitter.emit(event(number, run=run_id(2)))
    wait_until(lambda: numbers(receiver.events) == [1, 2, 3])
    wait_until(lambda: not emitter._delivery.in_memory)
    emitter.close(0)
