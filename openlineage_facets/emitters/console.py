"""Events on the standard output."""

from __future__ import annotations

import json
import re
import sys
from threading import Lock
from typing import TextIO

from openlineage_facets.emitters.errors import emission_error
from openlineage_facets.emitters.sending import OnError, SendingEmitter

__all__ = ["ConsoleEmitter"]

_PRINTING = Lock()
"""One for the process, since all its emitters share its outputs."""


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
        try:
            with _PRINTING:
                stream.write(_encodable(text, getattr(stream, "encoding", None)) + "\n")
                stream.flush()
        except (OSError, ValueError) as error:
            raise emission_error(error, "printing") from error


def _encodable(text: str, encoding: str | None) -> str:
    """Return JSON that an output of this encoding can take."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        # What is not ASCII stands in strings alone, where an escape says the same.
        return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)
    return text
