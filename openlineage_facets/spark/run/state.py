"""State of a run."""

from __future__ import annotations

from enum import Enum, auto


class RunState(Enum):
    """State of a run, from the view of the current process."""

    NOT_STARTED = auto()
    ACTIVE = auto()
    ENDED = auto()
    IN_OTHER_PROCESS = auto()
    """The run was started in another process, from which this one was forked or the run was pickled."""

    def __str__(self) -> str:
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    RunState.NOT_STARTED: "the run was not started",
    RunState.ACTIVE: "the run was already started",
    RunState.ENDED: "the run has ended",
    RunState.IN_OTHER_PROCESS: "the run was started in another process",
}
