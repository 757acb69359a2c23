"""A spool makes the best of a disk that is full, spoiled or not there."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.emitters import EmissionError, HttpEmitter, SpoolEmitter, replay
from openlineage_facets.emitters.file_locks import locked
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import (
    RUN_ID,
    close_at_once,
    down,
    event,
    leave_in_spool,
    numbers,
    run_id,
    run_program,
    spooled,
    wait_until,
)


def test_a_truncated_record_is_removed_and_affects_no_other(tmp_path: Path) -> None:
    leave_in_spool(tmp_path, 2)
    [file] = tmp_path.glob("*.spool")
    file.write_bytes(file.read_bytes()[:-10])
    leave_in_spool(tmp_path, 1)
    received: list[bytes] = []
    assert replay(tmp_path, lambda one: received.append(one.to_json())).delivered == 2
    assert numbers(received) == [0, 0]


def test_a_damaged_record_is_stored_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, receiver: Receiver
) -> None:
    leave_in_spool(tmp_path, 3)
    [file] = tmp_path.glob("*.spool")
    spoiled = bytearray(file.read_bytes())
    second = spoiled.index(b"\n") + 1
    spoiled[second + 40] ^= 1
    file.write_bytes(spoiled)
    emitter = SpoolEmitter(HttpEmitter(receiver.url), tmp_path)
    wait_until(lambda: not file.exists())
    emitter.close()
    assert numbers(receiver.events) == [0, 2]
    assert f"{file}: a record at byte {second} is damaged" in caplog.text
    assert (tmp_path / "damaged" / f"run-{RUN_ID}").read_bytes() == spoiled.splitlines(keepends=True)[1]


@each("on_error", ["log", "raise"])
def test_events_are_delivered_from_memory_if_the_disk_is_not_writable(
    on_error: Any, tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.received.clear()
    (tmp_path / "file").write_text("no folder")
    message = "Not a directory; the event is delivered from memory"
    with SpoolEmitter(HttpEmitter(receiver.url), tmp_path / "file" / "spool", on_error=on_error) as emitter:
        for number in range(3):
            raises = on_error == "raise" and number == 0  # The others wait for it in memory.
            with pytest.raises(EmissionError, match=message) if raises else nullcontext():
                emitter.emit(event(number))
    assert numbers(receiver.events) == [0, 1, 2]
    assert (message in caplog.text) == (on_error == "log")


def test_an_unusable_file_of_one_run_keeps_no_other_in_memory(tmp_path: Path) -> None:
    (tmp_path / f"run-{RUN_ID}.spool").write_text("of another program\n")
    emitter = SpoolEmitter(down(), tmp_path)
    for number in range(2):
        emitter.emit(event(number))
        emitter.emit(event(number, run=run_id(1)))
    close_at_once(emitter)
    assert emitter._delivery.in_memory == 2
    assert SpoolDirectory(tmp_path).run_file(f"run-{run_id(1)}").count() == 2


def test_events_pending_in_memory_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("no folder")
    emitter = SpoolEmitter(down(), tmp_path / "file")
    emitter.emit(event(0))
    emitter.emit(event(1))
    close_at_once(emitter)
    pending = ": 2 events are pending; pending events are lost if the process ends"
    assert [one for one in caplog.messages if one.endswith(pending)] != []


FULL_DISK = """
import resource
taken = []
def refuse(event):
    if len(open(sys.argv[2]).read()) == 0:
        raise OSError("down")
    taken.append(event.job.name)
emitter = SpoolEmitter(refuse, sys.argv[1], timeout=10)
emitter.emit(event(0))
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
emitter.emit(event(1, size=10_000))
emitter.emit(event(2))
open(sys.argv[2], "w").write("up")
emitter.close()
print(*dict.fromkeys(taken))
"""


def test_a_temporarily_full_disk_keeps_all_events_in_order(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    ran = run_program(FULL_DISK, tmp_path / "spool", tmp_path / "state")
    assert ran.stdout == "orders.0 orders.1 orders.2\n"
    assert "File too large; the event is delivered from memory" in ran.stderr
    assert spooled(tmp_path / "spool") == []


def test_an_event_emitted_during_the_files_removal_gets_a_new_file(tmp_path: Path) -> None:
    stream = SpoolDirectory(tmp_path).run_file("run")
    stream.append(b"{}")
    appending = threading.Thread(target=stream.append, args=(b'{"late":1}',))
    with locked(stream.path):
        appending.start()
        appending.join(0.2)
        assert appending.is_alive()
        stream.path.unlink()
    appending.join()
    waiting = stream.next()
    assert waiting is not None
    assert waiting.event == b'{"late":1}'
