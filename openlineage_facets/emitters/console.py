"""Events on the standard output."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import deque
from threading import RLock
from typing import TextIO

from openlineage_facets.emitters.errors import emission_error
from openlineage_facets.emitters.sending import OnError, SendingEmitter

__all__ = ["ConsoleEmitter"]


class _Printer:
    """Prints texts one after the other, whoever has them printed.

    An output can't be written to by a signal handler that interrupts a write to it. What a handler has
    printed, the thread that it interrupted prints when it is done with its own.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._waiting: deque[tuple[TextIO, str]] = deque()
        self._is_printing = False

    def print(self, stream: TextIO, text: str) -> None:
        """Print a line, or leave that to the interrupted frame of this thread that is printing."""
        failure: Exception | None = None
        with self._lock:
            self._waiting.append((stream, text))
            while self._waiting and not self._is_printing:
                self._is_printing = True
                try:
                    _write(*self._waiting.popleft())
                except IndexError:
                    pass  # A handler came before this thread could say that it prints.
                except (OSError, ValueError) as error:
                    failure = error
                finally:
                    self._is_printing = False
        if failure is not None:
            raise emission_error(failure, "printing") from failure


_PRINTER = _Printer()
"""One for the process, since all its emitters share its outputs."""

if hasattr(os, "register_at_fork"):
    # Another thread may be printing meanwhile, which the forked process does not have.
    os.register_at_fork(after_in_child=_PRINTER.__init__)  # type: ignore[misc]


class ConsoleEmitter(SendingEmitter):
    """Prints each event, as one line of JSON or laid out over many.

    Args:
        stream: Where to; without one, what `sys.stdout` is when an event is emitted.
        pretty: Whether to lay the JSON out for people.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Example:
        >>> ConsoleEmitter(pretty=True).emit(event)
    """

    def __init__(
        self, stream: TextIO | None = None, *, pretty: bool = False, on_error: OnError = "log"
    ) -> None:
        self._stream = stream
        self._pretty = pretty
        super().__init__(on_error)

    def send(self, line: bytes) -> None:
        """Print one line.

        Raises:
            EmissionError: The output is closed, or nobody reads it any more.
        """
        text = line.decode()
        if self._pretty:
            text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        stream = sys.stdout if self._stream is None else self._stream
        _PRINTER.print(stream, text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(_encodable(text, getattr(stream, "encoding", None)) + "\n")
    stream.flush()


def _encodable(text: str, encoding: str | None) -> str:
    """Return JSON that an output of this encoding can take."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        # What is not ASCII stands in strings alone, where an escape says the same.
        return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)
    return text
