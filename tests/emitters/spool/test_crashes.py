"""Killed at any moment, and heard by a receiver that fails at times, an emitter loses no event it has taken.

The rounds of `make test` are few; `SPOOL_CRASH_ROUNDS=50` makes more.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets.emitters import HttpEmitter, replay
from tests.emitters.misbehaving_receiver import Receiver, Request, accept, close_connection
from tests.emitters.samples import first_deliveries, numbers, run_id
from tests.processes import all_started

pytestmark = pytest.mark.check

ROUNDS = int(os.environ.get("SPOOL_CRASH_ROUNDS", "3"))

EMITTER = """
import sys
from itertools import count
from openlineage_facets.emitters import HttpEmitter, SpoolEmitter
from tests.emitters.samples import event
folder, url, runs = sys.argv[1], sys.argv[2], sys.argv[3:]
emitter = SpoolEmitter(HttpEmitter(url, timeout=0.3), folder, on_error="raise", timeout=30)
for number in count():
    for run in runs:
        emitter.emit(event(number, run=run, size=number * 997 % 30_000))
        print(run, number, flush=True)
"""
"""Emits until it is killed, and says what `emit` has returned for."""


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


def emit_until_killed(folder: Path, url: str, runs: list[str], seconds: float) -> dict[str, int]:
    """Return how many events of each run were emitted."""
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", EMITTER, str(folder), url, *runs],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        output = [process.stdout.readline()]
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        output += process.stdout.read().splitlines()
    emitted = [line.split() for line in output if len(line.split()) == 2]
    return {run: sum(one == run for one, _ in emitted) for run in runs}


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_no_event_is_lost_by_kill_9(
    seed: int, tmp_path: Path, start_receiver: Callable[..., Receiver]
) -> None:
    chance = random.Random(seed)
    receiver = start_receiver(fails_now_and_then(chance))
    emitted: dict[str, int] = {}
    for life in range(3):
        runs = [run_id(10 * life + number) for number in range(3)]
        emitted |= emit_until_killed(tmp_path, receiver.url, runs, chance.uniform(0, 0.3))
    receiver.behaviour = accept
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.left, done.in_use, done.rejected, done.failure) == (0, 0, [], None)
    assert sum(emitted.values()) > 0
    for run, count in emitted.items():
        delivered = first_deliveries(numbers(receiver.events, run))
        assert delivered == list(range(len(delivered))), f"seed {seed}: run {run} out of order"
        assert len(delivered) in (count, count + 1), f"seed {seed}: run {run} emitted {count}"


def test_no_event_is_lost_by_kill_9_of_processes_that_share_a_spool(
    tmp_path: Path, start_receiver: Callable[..., Receiver]
) -> None:
    receiver = start_receiver(fails_now_and_then(random.Random(1)))
    command = [sys.executable, "-W", "ignore", "-c", EMITTER, str(tmp_path), receiver.url]
    commands = [[*command, run_id(writer)] for writer in range(3)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    emitted = {}
    with all_started(commands, text=True, **pipes) as processes:
        for writer, process in enumerate(processes):
            time.sleep(0.3)
            process.kill()
            output, _ = process.communicate()
            emitted[run_id(writer)] = len([line for line in output.splitlines() if len(line.split()) == 2])
    receiver.behaviour = accept
    assert replay(tmp_path, HttpEmitter(receiver.url)).left == 0
    for run, count in emitted.items():
        delivered = first_deliveries(numbers(receiver.events, run))
        assert delivered == list(range(len(delivered)))
        assert len(delivered) in (count, count + 1)
