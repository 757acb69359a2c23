"""A spool, delivered by hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from time import sleep
from typing import Any

from openlineage_facets.emitters.errors import EmissionError, EventRejected
from openlineage_facets.emitters.protocol import sender_of
from openlineage_facets.emitters.spool.directory import SpoolDirectory

__all__ = ["Replayed", "replay"]

_PAUSE = 0.5
"""Seconds before a further attempt; twice as long before each later one."""


@dataclass
class Replayed:
    """What became of the events of a spool.

    Attributes:
        delivered: How many were delivered.
        rejected: What the receiver said of those it will never take.
        left: How many wait still.
        in_use: How many runs another process delivers.
        unusable: Which files of the folder can't be read or written, and why; the events of their runs wait.
        failure: Why delivery stopped, None where it did not.
    """

    delivered: int = 0
    rejected: list[str] = field(default_factory=list)
    left: int = 0
    in_use: int = 0
    unusable: list[str] = field(default_factory=list)
    failure: str | None = None


def replay(
    directory: str | os.PathLike[str], to: Any, *, rejected: bool = False, attempts: int = 3
) -> Replayed:
    """Deliver what a spool holds, in order within each run.

    Args:
        directory: The folder of a `SpoolEmitter`.
        to: An emitter, or a function that takes an event.
        rejected: Whether to deliver those, too, that were rejected before.
        attempts: How often to try an event before giving up.

    Raises:
        OSError: The folder can't be read, or rejected events can't be taken back.
    """
    spool = SpoolDirectory(directory)
    if rejected:
        spool.take_back_rejected()
    send = _stubborn(sender_of(to), attempts)
    done = Replayed()
    unusable: dict[str, OSError] = {}
    for name in spool.names():
        try:
            for rejection in spool.deliver(name, send):
                if rejection is None:
                    done.delivered += 1
                else:
                    done.rejected.append(str(rejection))
        except BlockingIOError:
            done.in_use += 1
        except OSError as error:
            unusable[name] = error
        except EmissionError as error:
            done.failure = str(error)
            break
    for name in spool.names():
        try:
            done.left += spool.stream(name).count()
        except OSError as error:
            unusable.setdefault(name, error)
    for name, why in unusable.items():
        done.unusable.append(f"{why.filename or spool.stream(name).path}: {why.strerror or why}")
    return done


def _stubborn(send: Callable[[bytes], None], attempts: int) -> Callable[[bytes], None]:
    def patient(line: bytes) -> None:
        pause = _PAUSE
        for _ in range(attempts - 1):
            try:
                return send(line)
            except EventRejected:
                raise
            except EmissionError as error:
                sleep(max(pause, min(error.retry_after or 0.0, 60.0)))
                pause *= 2
        return send(line)

    return patient
