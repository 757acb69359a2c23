"""Emitter that prints events to the standard output."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import deque
from threading import RLock
from typing import TextIO

from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.errors import OnError, emission_error


class _PrintQueue:
    """Prints texts one after the other, also those of signal handlers.

    A signal handler cannot write to a stream whose write it interrupts. Its text is queued and printed by the
    interrupted thread afterwards.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._waiting: deque[tuple[TextIO, str]] = deque()
        self._is_printing = False

    def print(self, stream: TextIO, text: str) -> None:
        """Print a line, or queue it if this thread was interrupted while printing."""
        failure: Exception | None = None
        with self._lock:
            self._waiting.append((stream, text))
            while self._waiting and not self._is_printing:
                self._is_printing = True
                try:
                    if self._waiting:  # Else a signal handler printed it before `_is_printing` was set.
                        _write(*self._waiting.popleft())
                except (OSError, ValueError) as error:
                    failure = error
                finally:
                    self._is_printing = False
        if failure is not None:
            raise emission_error(failure, "could not print") from failure


_PRINT_QUEUE = _PrintQueue()
"""Shared by all emitters of the process, like its streams."""

if hasattr(os, "register_at_fork"):
    # Another thread may hold the lock; it does not exist in the forked process.
    os.register_at_fork(after_in_child=_PRINT_QUEUE.__init__)  # type: ignore[misc]


class ConsoleEmitter(BaseEmitter):
    """Prints each event as one line of JSON, or as indented JSON.

    Args:
        stream: The output stream, by default `sys.stdout`. That and `sys.stderr` may be replaced later:
            each event is printed to the stream that then has this name.
        pretty: Whether to indent the JSON.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Example:
        >>> ConsoleEmitter(pretty=True).emit(event)
    """

    def __init__(
        self, stream: TextIO | None = None, *, pretty: bool = False, on_error: OnError = "log"
    ) -> None:
        self._name = "stderr" if stream is not None and stream is sys.stderr else "stdout"
        self._stream = None if stream is sys.stderr or stream is sys.stdout else stream
        self._pretty = pretty
        super().__init__(on_error)

    def send(self, line: bytes) -> None:
        """Print one line.

        Raises:
            EmissionError: The stream is closed or its reader has exited.
        """
        text = line.decode()
        stream = getattr(sys, self._name) if self._stream is None else self._stream
        _PRINT_QUEUE.print(stream, _indented(text) if self._pretty else text)


def _indented(text: str) -> str:
    """Return JSON text with indentation; unchanged if Python cannot represent its numbers, such as 1e400."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return text


def _write(stream: TextIO, text: str) -> None:
    stream.write(_encodable(text, getattr(stream, "encoding", None)) + "\n")
    stream.flush()


def _encodable(text: str, encoding: str | None) -> str:
    """Return JSON text with escapes for characters that an encoding does not support."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        # Non-ASCII characters occur only inside JSON strings.
        return re.sub(r"[^\x00-\x7f]+", lambda characters: json.dumps(characters[0])[1:-1], text)
    return text
