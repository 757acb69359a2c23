"""A spool through any sequence of events, failures, crashes and new starts."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from openlineage_facets.emitters import EmissionError, EventRejected
from openlineage_facets.emitters.event_lines import ordering_key
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.emitters.spool.run_file import encoded
from tests.emitters.samples import event, first_deliveries, numbers, run_id
from tests.hypothesis_profiles import share

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where there is a disk that need not be waited for."""

RUNS = st.sampled_from([run_id(1), run_id(2)])


class Crash(BaseException):
    """The process is no more."""


class SpoolLife(RuleBasedStateMachine):
    """What was emitted and not rejected is delivered at least once, in order; nothing else ever is."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY))
        self.emitted: dict[str, list[int]] = {run_id(1): [], run_id(2): []}
        self.received: dict[str, list[int]] = {run_id(1): [], run_id(2): []}
        self.rejected: list[int] = []
        self.count = 0

    @property
    def spool(self) -> SpoolDirectory:
        """The spool as a process finds it that has just started."""
        return SpoolDirectory(self.folder / "spool")

    def next_event(self, run: str, size: int) -> bytes:
        self.count += 1
        return event(self.count, run=run, size=size).to_json()

    @rule(run=RUNS, size=st.integers(0, 200))
    def emit(self, run: str, size: int) -> None:
        self.spool.append(self.next_event(run, size))
        self.emitted[run].append(self.count)

    @rule(run=RUNS, share=st.floats(0, 1, exclude_max=True))
    def crash_during_emit(self, run: str, share: float) -> None:
        line = self.next_event(run, 20)
        record = encoded(line)
        (self.folder / "spool").mkdir(exist_ok=True)
        path = self.spool.run_file(ordering_key(line)).path
        complete = path.read_bytes() if path.exists() else b""
        # A process removes the incomplete record of another one before it writes its own.
        path.write_bytes(complete[: complete.rfind(b"\n") + 1] + record[: int(share * len(record))])

    @rule(
        run=RUNS,
        taken=st.integers(0, 3),
        end=st.sampled_from(["down", "killed", "killed unanswered", "mean"]),
    )
    def deliver_some(self, run: str, taken: int, end: str) -> None:
        left = taken

        def send(line: bytes) -> None:
            nonlocal left
            if left == 0 and end == "mean":
                left = taken
                self.rejected += numbers([line])
                raise EventRejected("never")
            if left == 0:
                if end == "killed unanswered":
                    self.received[run] += numbers([line])
                raise EmissionError("down") if end == "down" else Crash
            left -= 1
            self.received[run] += numbers([line])

        name = ordering_key(event(run=run).to_json())
        with suppress(EmissionError, Crash):
            for _ in self.spool.deliver(name, send) if name in self.spool.names() else ():
                pass

    @rule()
    def look(self) -> None:
        assert self.spool.count() >= 0

    @precondition(lambda self: self.rejected)
    @rule()
    def restore_rejected(self) -> None:
        self.spool.restore_rejected()
        for run, emitted in self.emitted.items():
            # They come last now, unless the receiver had them before it rejected them.
            late = [one for one in emitted if one in self.rejected and one not in self.received[run]]
            emitted[:] = [one for one in emitted if one not in late] + late
        self.rejected.clear()

    def expected(self, run: str) -> list[int]:
        """Return what the receiver is to have of a run in the end."""
        return [one for one in self.emitted[run] if one not in self.rejected or one in self.received[run]]

    @invariant()
    def nothing_is_out_of_order(self) -> None:
        for run, received in self.received.items():
            assert first_deliveries(received) == self.expected(run)[: len(set(received))]

    def teardown(self) -> None:
        for name in self.spool.names():
            for _ in self.spool.deliver(name, self.receive):
                pass
        for run, received in self.received.items():
            assert first_deliveries(received) == self.expected(run)
        assert self.spool.names() == []
        assert self.spool.rejected.count() == len(self.rejected)
        shutil.rmtree(self.folder)

    def receive(self, line: bytes) -> None:
        for run in self.received:
            self.received[run] += numbers([line], run)


TestSpoolLife = SpoolLife.TestCase
TestSpoolLife.settings = settings(max_examples=share(0.4), stateful_step_count=25)
