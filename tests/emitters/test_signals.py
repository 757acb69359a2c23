"""Signal handlers may emit at any time: nothing hangs, no event is lost, every line is complete."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from openlineage_facets.emitters import FileEmitter, replay
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import numbers, numbers_in, program, run_program

EMIT_DURING_EMIT = """
import random, signal
from itertools import count
from openlineage_facets.emitters import background_worker as worker

folder, receiver = sys.argv[1:3]
TIMEOUT = {"timeout": 100, "on_error": "raise"}  # Whoever waits for what was interrupted waits too long.
emitter = MADE_HERE
numbers, handled = count(), 0
wire = event(0, size=20_000).to_dict()

def emit():
    emitter.emit(wire | {"job": {"namespace": "etl", "name": f"orders.{next(numbers)}"}})

def interrupt(*_):
    global handled
    emit()
    handled += 1
    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.002))

signal.signal(signal.SIGALRM, interrupt)
emit()
signal.setitimer(signal.ITIMER_REAL, 0.001)
while handled < int(sys.argv[3]):
    emit()
signal.signal(signal.SIGALRM, signal.SIG_IGN)
emitter.close()
print(next(numbers), file=sys.stderr)
"""


def emit_during_emit(
    emitter: str, folder: Path, url: str = "", *, interruptions: int = 300, read_slowly: bool = False
) -> list[bytes]:
    """Run it, and return what it has printed; the number of events comes last."""
    command = program(EMIT_DURING_EMIT.replace("MADE_HERE", emitter), folder, url, interruptions)
    with (
        (folder / "told").open("wb+") as told,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told) as process,
    ):
        bound = threading.Timer(50, process.kill)
        bound.start()
        try:
            assert process.stdout is not None
            printed = b""
            while piece := os.read(process.stdout.fileno(), 4096):
                printed += piece
                time.sleep(0.0005 if read_slowly else 0)
            assert process.wait() == 0, (folder / "told").read_text()
        finally:
            bound.cancel()
        told.seek(0)
        return [*printed.splitlines(), told.read().strip()]


@pytest.mark.check
def test_a_spool_delivers_every_event_to_a_file_once(tmp_path: Path) -> None:
    emitter = "SpoolEmitter(FileEmitter(f'{folder}/lineage'), f'{folder}/spool', **TIMEOUT)"
    [count] = emit_during_emit(emitter, tmp_path, interruptions=50)
    assert sorted(numbers_in(tmp_path / "lineage")) == list(range(int(count)))


@pytest.mark.check
def test_a_slow_console_gets_complete_lines(tmp_path: Path) -> None:
    emitter = "ConsoleEmitter(on_error='raise')"
    *printed, count = emit_during_emit(emitter, tmp_path, interruptions=50, read_slowly=True)
    assert sorted(numbers(printed)) == list(range(int(count)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "emitter",
    [
        "FileEmitter(f'{folder}/lineage', **TIMEOUT)",
        "setattr(worker, '_IDLE', 0) or FileEmitter(f'{folder}/lineage', **TIMEOUT)",
        "MultiEmitter(FileEmitter(f'{folder}/lineage', **TIMEOUT), NullEmitter(), on_error='raise')",
        "SpoolEmitter(FileEmitter(f'{folder}/lineage'), f'{folder}/spool', **TIMEOUT)",
        "HttpEmitter(receiver, **TIMEOUT)",
    ],
    ids=["a file", "a file, a thread for each event", "several", "a spool", "http"],
)
def test_every_event_arrives_once(emitter: str, tmp_path: Path, receiver: Receiver) -> None:
    [count] = emit_during_emit(emitter, tmp_path, receiver.url)
    written = numbers(receiver.events) or numbers_in(tmp_path / "lineage")
    assert sorted(written) == list(range(int(count)))


@pytest.mark.thorough
def test_failures_are_counted_despite_interruptions(tmp_path: Path) -> None:
    emitter = "FileEmitter(folder, timeout=100)"  # No file.
    [told] = emit_during_emit(emitter, tmp_path)
    first, *_, lost, count = told.decode().splitlines()
    assert first.endswith("Is a directory; the job continues (logged once)")
    assert lost == f"FileEmitter({tmp_path}): {count} events were not delivered"


CLOSE_AMID_CLOSING = """
import signal

emitter = SpoolEmitter(down(), sys.argv[1], timeout=0.05)
ready = event(1).to_dict()

def interrupt(*_):
    emitter.emit(ready)
    emitter.close(0.05)

signal.signal(signal.SIGALRM, interrupt)
for number in range(15):
    emitter.emit(ready)
    signal.setitimer(signal.ITIMER_REAL, 0.003 * number + 0.001)
    emitter.close(0.05)
    while signal.getitimer(signal.ITIMER_REAL)[0]:
        pass
"""


@pytest.mark.thorough
def test_close_may_interrupt_close(tmp_path: Path) -> None:
    run_program(CLOSE_AMID_CLOSING, tmp_path / "spool")
    assert replay(tmp_path / "spool", FileEmitter(tmp_path / "lineage")).delivered == 30
