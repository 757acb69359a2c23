"""State of a run, and how its job has ended."""

from __future__ import annotations

from enum import Enum, auto

from openlineage_facets.spark.jvm.interrupts import is_interrupt


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


def is_success(error: BaseException | None) -> bool:
    """Return True without an error, and for `sys.exit()` and `sys.exit(0)`."""
    return error is None or (isinstance(error, SystemExit) and error.code in (None, 0))


def is_cancelled(error: BaseException | None) -> bool:
    """Return True if someone has stopped the job, for example with Ctrl-C, instead of an error in it."""
    if isinstance(error, (Exception, SystemExit)):
        return is_interrupt(error)
    return error is not None
