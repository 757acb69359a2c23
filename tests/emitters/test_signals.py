"""Signal handlers may emit at any time: nothing hangs, no event is lost, every line is complete."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from openlineage_facets.emitters import FileEmitter, replay
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import numbers

pytestmark = pytest.mark.check

EMIT_DURING_EMIT = """
import random, signal, sys
from itertools import count
from openlineage_facets.emitters import *
from openlineage_facets.emitters import background_worker as worker
from tests.emitters.samples import event

folder, receiver = sys.argv[1:]
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
while handled < 300:
    emit()
signal.signal(signal.SIGALRM, signal.SIG_IGN)
emitter.close()
print(next(numbers), file=sys.stderr)
"""


def emit_during_emit(emitter: str, folder: Path, url: str = "", read_slowly: bool = False) -> list[bytes]:
    """Run it, and return what it has printed; the number of events comes last."""
    code = EMIT_DURING_EMIT.replace("MADE_HERE", emitter)
    with (
        (folder / "told").open("wb+") as told,
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code, str(folder), url],
            stdout=subprocess.PIPE, stderr=told,
        ) as process,
    ):  # fmt: skip
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


@pytest.mark.parametrize(
    "emitter",
    [
        "FileEmitter(f'{folder}/lineage', **TIMEOUT)",
        "setattr(worker, '_IDLE', 0) or FileEmitter(f'{folder}/lineage', **TIMEOUT)",
        "MultiEmitter(FileEmitter(f'{folder}/lineage', **TIMEOUT), NullEmitter(), on_error='raise')",
    ],
    ids=["a file", "a file, a thread for each event", "several"],
)
def test_a_file_gets_every_line_once(emitter: str, tmp_path: Path) -> None:
    [count] = emit_during_emit(emitter, tmp_path)
    written = (tmp_path / "lineage").read_bytes().splitlines()
    assert sorted(numbers(written)) == list(range(int(count)))


def test_a_spool_delivers_every_event(tmp_path: Path) -> None:
    emitter = "SpoolEmitter(FileEmitter(f'{folder}/lineage'), f'{folder}/spool', **TIMEOUT)"
    [count] = emit_during_emit(emitter, tmp_path)
    written = (tmp_path / "lineage").read_bytes().splitlines()
    assert sorted(numbers(written)) == list(range(int(count)))


def test_an_http_receiver_gets_every_event(tmp_path: Path, receiver: Receiver) -> None:
    [count] = emit_during_emit("HttpEmitter(receiver, **TIMEOUT)", tmp_path, receiver.url)
    assert sorted(numbers(receiver.events)) == list(range(int(count)))


def test_a_slow_console_gets_complete_lines(tmp_path: Path) -> None:
    *printed, count = emit_during_emit("ConsoleEmitter(on_error='raise')", tmp_path, read_slowly=True)
    assert sorted(numbers(printed)) == list(range(int(count)))


def test_failures_are_counted_despite_interruptions(tmp_path: Path) -> None:
    emitter = "FileEmitter(folder, timeout=100)"  # No file.
    [told] = emit_during_emit(emitter, tmp_path)
    first, *_, lost, count = told.decode().splitlines()
    assert first.endswith("Is a directory; the job continues (logged once)")
    assert lost == f"FileEmitter({tmp_path}): {count} events were not delivered"


CLOSE_AMID_CLOSING = """
import signal, sys
from openlineage_facets.emitters import *
from tests.emitters.samples import down, event

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


def test_close_may_interrupt_close(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", CLOSE_AMID_CLOSING, str(tmp_path / "spool")]
    subprocess.run(command, check=True, timeout=50, capture_output=True)
    assert replay(tmp_path / "spool", FileEmitter(tmp_path / "lineage")).delivered == 30
