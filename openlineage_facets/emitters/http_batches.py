"""Send events that wait for each other in one request, to the batch endpoint of the specification."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.emitters.errors import EmissionError, EventRejected
from openlineage_facets.emitters.threads import PerProcess

_MOST_EVENTS = 100
_MOST_BYTES = 1 << 20  # Receivers limit the size of a request; this is the smallest limit that is known.

_NOT_ABOUT_BATCHES = {401, 403, 408, 413, 425, 429}
"""HTTP statuses of the class 4xx that a receiver with the endpoint sends, too."""


class WaitingLine(bytes):
    """A line to be sent, which is distinct from equal ones."""

    outcome: EmissionError | bool = False
    """Whether it was delivered in a batch, or why it was rejected."""


class Batches:
    """The lines that wait to be sent, and what is known about the batch endpoint of the receiver.

    Args:
        post: Sends a request to the endpoint and returns the status and the body of a 2xx response.
    """

    def __init__(self, post: Callable[[bytes], tuple[int, bytes]]) -> None:
        self._post = post
        self._is_supported = True
        self._waiting: PerProcess[dict[int, WaitingLine]] = PerProcess({}, dict)

    def add(self, line: WaitingLine) -> None:
        """Add a line that waits to be sent."""
        self._waiting.get()[id(line)] = line

    def remove(self, line: WaitingLine) -> None:
        """Remove a line that no longer waits."""
        self._waiting.get().pop(id(line), None)

    def send(self, line: WaitingLine) -> bool:
        """Send a line, with those that wait behind it.

        Returns:
            Whether it was delivered, now or with an earlier line; False if it has to be sent alone.

        Raises:
            EventRejected: The receiver rejected the line.
        """
        self.remove(line)
        if not line.outcome and self._is_supported:
            self._send_all([line, *self._behind(line)])
        if isinstance(line.outcome, EmissionError):
            raise line.outcome
        return line.outcome

    def _behind(self, first: WaitingLine) -> list[WaitingLine]:
        """Return the lines that have waited longest and fit into a request with the first one."""
        lines, size = [], len(first)
        for line in islice(self._waiting.get().copy().values(), _MOST_EVENTS - 1):
            size += len(line) + 1
            if size > _MOST_BYTES:
                break
            if not line.outcome:
                lines.append(line)
        return lines

    def _send_all(self, lines: Sequence[WaitingLine]) -> None:
        """Send lines in one request and store the outcome of each; after a failure, each is sent alone."""
        if len(lines) < 2:
            return
        try:
            status, body = self._post(b"[%s]" % b",".join(lines))
        except EmissionError as error:
            code = error.kind.removeprefix("HTTP ")
            if code.isdecimal() and (code == "501" or code[0] in "34"):
                self._is_supported = int(code) in _NOT_ABOUT_BATCHES
            return
        failed = {} if status == 204 else _failed_events(body, len(lines))
        if failed is None:  # It accepts anything, and has not said what it did with the events.
            self._is_supported = False
            return
        for index, line in enumerate(lines):
            line.outcome = failed.get(index, True)


def _failed_events(body: bytes, count: int) -> dict[int, EmissionError | bool] | None:
    """Return the outcomes of the events that failed; None for a response that the specification lacks."""
    try:
        answer = json.loads(body)
        if answer["summary"]["received"] != count:
            return None
        failed = {int(one["index"]): _outcome(one) for one in answer.get("failed_events") or ()}
        return failed if len(failed) == answer["summary"]["failed"] else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _outcome(failed: dict[str, Any]) -> EmissionError | bool:
    """Return why an event was rejected; False if it can be sent again."""
    if failed.get("retriable") is True:
        return False
    reason = redact(" ".join(str(failed.get("reason") or "no reason").split()))[:200]
    return EventRejected(
        f"the receiver rejected an event of a batch: {reason}", reason, kind="rejected in batch"
    )
