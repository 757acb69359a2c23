"""No event is lost or reordered if the receiver, the disk or the process fails."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import DatasetEvent, Job, JobEvent, RunEvent, StaticDataset
from openlineage_facets.emitters import EventRejected, HttpEmitter, MultiEmitter, SpoolEmitter, replay
from tests.cases import each
from tests.emitters.misbehaving_receiver import (
    Receiver,
    accept_after,
    close_connection,
    first,
    for_run,
    hang_within_response,
    respond,
    respond_with_garbage,
    unused_port,
)
from tests.emitters.samples import (
    RUN_ID,
    close_at_once,
    down,
    emit_all,
    event,
    first_deliveries,
    leave_in_spool,
    numbers,
    numbers_in,
    program,
    run_id,
    run_program,
    spooled,
    wait_until,
)
from tests.processes import all_started

StartReceiver = Callable[..., Receiver]


def spool_for(receiver: Receiver, folder: Path, timeout: float = 20) -> SpoolEmitter:
    return SpoolEmitter(HttpEmitter(receiver.url), folder, timeout=timeout)


def replayed(folder: Path) -> list[Any]:
    replay(folder, (received := []).append)
    return received


def test_the_spool_is_empty_after_delivery_and_the_emitter_can_be_reused(
    tmp_path: Path, receiver: Receiver
) -> None:
    emitter = spool_for(receiver, tmp_path)
    emit_all(emitter, range(20))
    assert receiver.received == [event(number).to_json() for number in range(20)]
    assert spooled(tmp_path) == []
    emit_all(emitter, [20])
    assert numbers(receiver.events) == list(range(21))


def test_an_emitted_event_is_on_the_disk(tmp_path: Path) -> None:
    emitter = SpoolEmitter(down(), tmp_path / "new" / "spool", on_error="raise", timeout=30)
    emitter.emit(event(1))
    [file] = (tmp_path / "new" / "spool").glob("*.spool")
    assert file.name == f"run-{RUN_ID}.spool"
    assert file.read_bytes().endswith(event(1).to_json() + b"\n")
    close_at_once(emitter)


@each("count", [0, 1])
def test_the_next_process_delivers_pending_events(count: int, tmp_path: Path, receiver: Receiver) -> None:
    leave_in_spool(tmp_path, 2)
    receiver.received.clear()
    emitter = spool_for(receiver, tmp_path)
    for number in range(2, 2 + count):
        emitter.emit(event(number))
    wait_until(lambda: spooled(tmp_path) == [])
    emitter.close()
    assert numbers(receiver.events) == list(range(2 + count))


FAILURES = {
    "500": respond(500),
    "401": respond(401),
    "429": respond(429, Retry_After="0"),
    "302": respond(302, Location="http://127.0.0.1:1/"),
    "closed": close_connection,
    "garbage": respond_with_garbage,
    "hangs": hang_within_response(503, 0.1),
}


@pytest.mark.check
def test_a_temporarily_failing_receiver_gets_all_events_in_order(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receivers = {name: start_receiver(first(3, behaviour)) for name, behaviour in FAILURES.items()}
    emitters = [spool_for(receiver, tmp_path / name) for name, receiver in receivers.items()]
    for number in range(5):
        for emitter in emitters:
            emitter.emit(event(number))
    for emitter in emitters:
        emitter.close()
    delivered = {name: numbers(receiver.events) for name, receiver in receivers.items()}
    assert delivered == {name: [0, 1, 2, 3, 4] for name in FAILURES}


def test_a_receiver_that_starts_late_gets_all_events_in_order(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    port = unused_port()
    with SpoolEmitter(HttpEmitter(f"http://127.0.0.1:{port}"), tmp_path, timeout=20) as emitter:
        for number in range(5):
            emitter.emit(event(number))
        time.sleep(0.3)
        receiver = start_receiver(port=port)
    assert numbers(receiver.events) == [0, 1, 2, 3, 4]


def test_a_hanging_receiver_does_not_slow_the_job(
    tmp_path: Path, start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    http = HttpEmitter(start_receiver(accept_after(30)).url, timeout=0.2)
    begin = time.monotonic()
    emit_all(SpoolEmitter(http, tmp_path, timeout=0.5), range(20))
    assert time.monotonic() - begin < 10  # One attempt for each would take 600 seconds.
    assert f"pending events are stored in {tmp_path}" in caplog.text
    received: list[RunEvent] = []
    wait_until(lambda: replay(tmp_path, received.append).left == 0)  # An attempt may be on its way still.
    assert [one.job.name for one in received] == [f"orders.{number}" for number in range(20)]


def test_one_failing_run_does_not_block_others(tmp_path: Path, start_receiver: StartReceiver) -> None:
    bad, good = run_id(1), run_id(2)
    receiver = start_receiver(for_run(bad, respond(500)))
    with spool_for(receiver, tmp_path, timeout=0.7) as emitter:
        emitter.emit(event(0, run=bad))
        for number in range(1, 4):
            emitter.emit(event(number, run=good))
        wait_until(lambda: len(receiver.received) == 3)
    assert numbers(receiver.events) == [1, 2, 3]
    assert spooled(tmp_path) == [f"run-{bad}.spool"]


def test_a_rejected_event_is_stored_with_the_response_and_blocks_nothing(
    tmp_path: Path, start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = start_receiver(first(1, respond(422, b"no such job")))
    emit_all(spool_for(receiver, tmp_path), range(3))
    assert numbers(receiver.events) == [1, 2]
    assert spooled(tmp_path) == ["rejected"]
    assert spooled(tmp_path / "rejected") == [f"run-{RUN_ID}.answers", f"run-{RUN_ID}.spool"]
    answer = json.loads((tmp_path / "rejected" / f"run-{RUN_ID}.answers").read_text())
    assert answer == {"answer": "422 no such job"}
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]


def test_a_summary_counts_rejected_events(tmp_path: Path, start_receiver: StartReceiver) -> None:
    emitter = spool_for(start_receiver(respond(422)), tmp_path)
    emitter.summarize_failures((logged := []).append)
    emit_all(emitter, [0])
    assert [message.partition(": ")[2][:26] for message in logged] == ["1 event was not delivered:"]


def test_a_closed_emitter_warns_once_of_pending_events(tmp_path: Path) -> None:
    code = "emit_all(SpoolEmitter(down(), sys.argv[1], timeout=0.5), [0])"
    assert run_program(code, tmp_path).stderr.count("pending events are stored") == 1


def test_job_and_dataset_events_keep_their_order_as_well(tmp_path: Path) -> None:
    emitted = [
        JobEvent(event_time="2026-11-21T08:30:00Z", job=Job(namespace="etl", name="a")),
        DatasetEvent(event_time="2026-11-21T08:30:00Z", dataset=StaticDataset(namespace="etl", name="a")),
        JobEvent(event_time="2026-11-21T08:31:00Z", job=Job(namespace="etl", name="a")),
    ]
    emitter = SpoolEmitter(down(), tmp_path)
    for one in emitted:
        emitter.emit(one)
    close_at_once(emitter)
    assert [name.partition("-")[0] for name in spooled(tmp_path)] == ["dataset", "job"]
    received = replayed(tmp_path)
    assert [one for one in received if isinstance(one, JobEvent)] == [emitted[0], emitted[2]]
    assert emitted[1] in received


@each("run", ["../../etc/passwd", "", "a/b\x00", "ü" * 500])
def test_a_run_id_cannot_escape_the_folder(tmp_path: Path, run: str) -> None:
    wire = event().to_dict() | {"run": {"runId": run}}
    emitter = SpoolEmitter(down(), tmp_path / "spool")
    emitter.emit(wire)
    close_at_once(emitter)
    assert spooled(tmp_path) == ["spool"]
    received = replayed(tmp_path / "spool")
    assert [one if isinstance(one, dict) else one.to_dict() for one in received] == [wire]


def test_retries_skip_receivers_that_have_the_event(tmp_path: Path, start_receiver: StartReceiver) -> None:
    flaky, steady = start_receiver(first(3, respond(500))), start_receiver()
    both = MultiEmitter(HttpEmitter(flaky.url), HttpEmitter(steady.url))
    emit_all(SpoolEmitter(both, tmp_path, timeout=20), range(3))
    assert numbers(flaky.events) == numbers(steady.events) == [0, 1, 2]


def test_a_rejection_by_one_receiver_rejects_the_event(tmp_path: Path, receiver: Receiver) -> None:
    def refuses(_: object) -> None:
        raise EventRejected("never", "because")

    emit_all(SpoolEmitter(MultiEmitter(refuses, HttpEmitter(receiver.url)), tmp_path), [0])
    assert numbers(receiver.events) == [0]
    assert spooled(tmp_path) == ["rejected"]


def test_two_processes_share_a_spool_and_a_run(tmp_path: Path, start_receiver: StartReceiver) -> None:
    receiver = start_receiver(first(5, respond(503)))
    code = """
first = int(sys.argv[3]) * 1000
emit_all(SpoolEmitter(HttpEmitter(sys.argv[2]), sys.argv[1], timeout=30), range(first, first + 60))
"""
    with all_started([program(code, tmp_path, receiver.url, writer) for writer in (1, 2)]) as running:
        assert [one.wait(60) for one in running] == [0, 0]
    delivered = first_deliveries(numbers(receiver.events))
    for writer in (1, 2):
        own = [number for number in delivered if number // 1000 == writer]
        assert own == list(range(writer * 1000, writer * 1000 + 60))
    assert len(delivered) == len(receiver.events) == 120
    assert spooled(tmp_path) == []


def test_a_forked_process_and_its_parent_deliver_their_events(tmp_path: Path) -> None:
    code = """
emitter = SpoolEmitter(FileEmitter(sys.argv[2]), sys.argv[1], timeout=20)
emitter.emit(event(0, run=run_id(1)))
if os.fork() == 0:
    emit_all(emitter, [1], run=run_id(2))
    os._exit(0)
os.wait()
emit_all(emitter, [2], run=run_id(1))
"""
    run_program(code, tmp_path / "spool", tmp_path / "out")
    assert sorted(numbers_in(tmp_path / "out")) == [0, 1, 2]
    assert spooled(tmp_path / "spool") == []


def test_pending_events_are_delivered_at_interpreter_exit(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(accept_after(0.1))
    code = """
emitter = SpoolEmitter(HttpEmitter(sys.argv[2]), sys.argv[1], timeout=20)
for number in range(4):
    emitter.emit(event(number))
"""
    run_program(code, tmp_path, receiver.url)
    assert numbers(receiver.events) == [0, 1, 2, 3]


def test_the_lease_of_a_process_that_was_killed_amid_a_delivery_hinders_nothing(
    tmp_path: Path, receiver: Receiver
) -> None:
    lease = tmp_path / f"run-{RUN_ID}.lease"
    leave_in_spool(tmp_path, 2)
    lease.touch()
    assert replay(tmp_path, HttpEmitter(receiver.url)).delivered == 2
    assert spooled(tmp_path) == []
    lease.touch()
    emitter = spool_for(receiver, tmp_path)
    wait_until(lambda: spooled(tmp_path) == [])
    emitter.close()


def test_a_function_that_raises_system_exit_does_not_stop_delivery(tmp_path: Path) -> None:
    received: list[RunEvent] = []

    def exits_once(one: RunEvent) -> None:
        received.append(one)
        if len(received) == 1:
            sys.exit("enough")

    emit_all(SpoolEmitter(exits_once, tmp_path, timeout=20), [1])
    assert received == [event(1), event(1)]


def test_a_run_that_another_process_delivers_is_skipped(tmp_path: Path) -> None:
    leave_in_spool(tmp_path, 2)
    code = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, 2); print(flush=True); input()"
    command = [sys.executable, "-c", code, str(tmp_path / f"run-{RUN_ID}.lease")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = replay(tmp_path, (received := []).append)
        assert (done.delivered, done.in_use, done.left, received) == (0, 1, 2, [])
        other.kill()
    assert replay(tmp_path, lambda _: None).delivered == 2
