"""Lineage never breaks the job: what goes wrong inside it is logged, once, and the job goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from openlineage_facets.base.producer import (
    DEFAULT_PRODUCER,
    PRODUCER_VARIABLE,
    current_producer,
    is_absolute_uri,
    producer,
)

__all__ = ["Guard", "OnError", "producer_in_force"]

_log = logging.getLogger("openlineage_facets.spark")

OnError: TypeAlias = Literal["log", "raise"]

T = TypeVar("T")

_LONGEST = 500
"""How many characters of a message are logged: an error of Spark brings a page."""


def producer_in_force() -> str:
    """Return the producer in force, this package where the environment names one that is none."""
    found = current_producer()
    if is_absolute_uri(found):
        return found
    _log.warning(
        "%s: expected an absolute URI such as https://example.com/etl/v7, found %r; events name %s instead",
        PRODUCER_VARIABLE,
        found,
        DEFAULT_PRODUCER,
    )
    return DEFAULT_PRODUCER


class Guard:
    """Calls the lineage code of one run, in the name of its producer.

    Args:
        run: What the log calls the run.
        producer_uri: The producer of everything composed.
        on_error: Whether an `Exception` is logged, each step's first one, or raised.

    Raises:
        ValueError: `on_error` is something else.
    """

    def __init__(self, run: str, producer_uri: str, on_error: OnError = "log") -> None:
        if on_error not in get_args(OnError):
            raise ValueError(f"on_error: expected 'log' or 'raise', found {on_error!r}")
        self._run = run
        self._producer = producer_uri
        self._on_error = on_error
        self._told: set[str] = set()

    def call(self, step: str, function: Callable[..., T], *args: Any, default: T) -> T:
        """Return what a function returns, or a default where it raises.

        KeyboardInterrupt, SystemExit and the like are no failures of lineage and pass.

        Args:
            step: What the function is for, as in "could not ...".
            function: The lineage code.
            args: Its arguments.
            default: What stands in for its result.
        """
        try:
            with producer(self._producer):
                return function(*args)
        except Exception as error:
            if self._on_error == "raise":
                raise
            self.say(step, f"could not {step}: {type(error).__name__}: {_said(error)}", error)
            return default

    def say(self, step: str, message: str, error: BaseException | None = None) -> None:
        """Log what is left out of the lineage, once for each step; an error's trace at level DEBUG."""
        if step not in self._told:
            self._told.add(step)
            line = " ".join(message.split())
            _log.warning(
                "lineage of %s: %s", self._run, line if len(line) <= _LONGEST else line[:_LONGEST] + "..."
            )
            if error is not None:
                _log.debug("lineage of %s: could not %s", self._run, step, exc_info=error)


def _said(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # An error of the JVM asks the JVM, which may be gone.
        return "what it says cannot be had"
