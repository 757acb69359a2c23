"""Killed at any moment, an emitter whose receiver fails at times loses no event that it has taken."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets.emitters import HttpEmitter, replay
from tests.emitters.misbehaving_receiver import Receiver, Request, accept, close_connection
from tests.emitters.samples import first_deliveries, numbers, program, run_id
from tests.processes import all_started

pytestmark = pytest.mark.check

ROUNDS = int(os.environ.get("SPOOL_CRASH_ROUNDS", "3"))

EMITTER = """
from itertools import count
folder, url, *runs = sys.argv[1:]
emitter = SpoolEmitter(HttpEmitter(url, timeout=0.3), folder, on_error="raise", timeout=30)
for number in count():
    for run in runs:
        emitter.emit(event(number, run=run, size=number * 997 % 30_000))
        print(run, number, flush=True)
"""
"""Emits until it is killed, and prints for which events `emit` has returned."""


def fails_now_and_then(chance: random.Random) -> Callable[[Request], None]:
    def behave(request: Request) -> None:
        luck = chance.random()
        if luck < 0.2:
            request.answer(chance.choice([500, 503, 429]))
        elif luck < 0.3:
            close_connection(request)
        elif luck < 0.33:
            time.sleep(0.4)
        else:
            accept(request)

    return behave


def emit_until_killed(folder: Path, url: str, processes: list[list[str]], seconds: float) -> dict[str, int]:
    """Emit in a process for each list of runs, and return how many events of each run were emitted."""
    emitted: list[str] = []
    commands = [program(EMITTER, folder, url, *runs) for runs in processes]
    with all_started(commands, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
        emitted += [process.stdout.readline() for process in started]
        time.sleep(seconds)
        for process in started:
            process.send_signal(signal.SIGKILL)
        for process in started:
            emitted += process.communicate()[0].splitlines()
    complete = [line.split()[0] for line in emitted if len(line.split()) == 2]
    return {run: complete.count(run) for runs in processes for run in runs}


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, ROUNDS))]
)
@pytest.mark.parametrize("writers", [1, pytest.param(3, marks=pytest.mark.thorough)])
def test_no_event_is_lost_by_kill_9(
    writers: int, seed: int, tmp_path: Path, start_receiver: Callable[..., Receiver]
) -> None:
    chance = random.Random(seed)
    receiver = start_receiver(fails_now_and_then(chance))
    emitted: dict[str, int] = {}
    for life in range(2):
        runs = [run_id(10 * life + number) for number in range(3)]
        processes = [runs[writer::writers] for writer in range(writers)]
        emitted |= emit_until_killed(tmp_path, receiver.url, processes, chance.uniform(0, 0.3))
    receiver.behaviour = accept
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.left, done.in_use, done.rejected, done.failure) == (0, 0, [], None)
    assert sum(emitted.values()) > 0
    for run, count in emitted.items():
        delivered = first_deliveries(numbers(receiver.events, run))
        assert delivered == list(range(len(delivered))), f"seed {seed}: run {run} out of order"
        assert len(delivered) in (count, count + 1), f"seed {seed}: run {run} emitted {count}"
