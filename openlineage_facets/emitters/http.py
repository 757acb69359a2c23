"""Emitter that posts events to an HTTP receiver, one by one or in batches."""

from __future__ import annotations

import gzip
import json
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from openlineage_facets.base.redaction.redact import redact, redact_for_display
from openlineage_facets.emitters.base_emitter import BoundedEmitter, checked_seconds
from openlineage_facets.emitters.errors import EmissionError, EventRejected, OnError, http_error
from openlineage_facets.emitters.retries import Retries, retry_after_seconds
from openlineage_facets.version import __version__

if TYPE_CHECKING:
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector

    from openlineage_facets.emitters.background_worker import Task


_MOST_EVENTS = 100
_MOST_BYTES = 1 << 20  # Receivers limit the size of a request; this is the smallest limit that is known.

_NOT_ABOUT_BATCHES = {401, 403, 408, 425, 429}
"""HTTP statuses of the class 4xx that a receiver with the endpoint sends, too."""


class WaitingLine(bytes):
    """A line to be sent, which is distinct from equal ones."""

    outcome: EmissionError | bool = False
    """Whether it was delivered in a batch, or why it was rejected."""


class Batches:
    """Sends lines that wait for each other in one request, if the receiver has the batch endpoint.

    Args:
        post: Sends a request to the endpoint and returns the status and the body of a 2xx response.
        retries: The retries of lines that are sent alone. Batches honor `Retry-After` as these do.
    """

    def __init__(self, post: Callable[[bytes], tuple[int, bytes]], retries: Retries) -> None:
        self._post = post
        self._retries = retries
        self._is_supported = True
        self._most_bytes = _MOST_BYTES

    def send(self, line: WaitingLine, pending: Callable[[], Iterable[bytes]]) -> bool:
        """Send a line, with those that wait behind it.

        Args:
            line: The line.
            pending: Returns all lines that are not delivered, those that have waited longest first.

        Returns:
            Whether it was delivered, now or with an earlier line; False if it has to be sent alone.

        Raises:
            EventRejected: The receiver rejected the line.
        """
        if not line.outcome and self._is_supported:
            waiting = [other for other in pending() if isinstance(other, WaitingLine) and not other.outcome]
            lines = self._fitting([line, *(other for other in waiting if other is not line)])
            if len(lines) > 1:
                self._send_all(lines)
        if isinstance(line.outcome, EmissionError):
            raise line.outcome
        return line.outcome

    def _send_all(self, lines: Sequence[WaitingLine]) -> None:
        """Send lines in one request and store the outcome of each; after a failure, each is sent alone."""
        self._retries.wait_for_receiver()
        batch = b"[%s]" % b",".join(lines)
        try:
            status, body = self._post(batch)
        except EmissionError as error:
            self._retries.respect(error)
            code = error.kind.removeprefix("HTTP ")
            if code == "413":
                self._most_bytes = len(batch) // 2  # Otherwise almost all lines would be sent again for each.
            elif code.isdecimal() and (code == "501" or code[0] in "34"):
                self._is_supported = int(code) in _NOT_ABOUT_BATCHES
            return
        failed = {} if status == 204 else _failed_events(body, len(lines))
        if failed is None:  # It accepts anything, and has not said what it did with the events.
            self._is_supported = False
            return
        for index, line in enumerate(lines):
            line.outcome = failed.get(index, True)

    def _fitting(self, lines: Sequence[WaitingLine]) -> Sequence[WaitingLine]:
        """Return the first lines, as many as fit into a request: at least one."""
        sizes = accumulate(len(line) + 1 for line in lines[:_MOST_EVENTS])
        return lines[: max(1, sum(size <= self._most_bytes for size in sizes))]


def _failed_events(body: bytes, count: int) -> dict[int, EmissionError | bool] | None:
    """Return the outcomes of the events that failed; None for a response that the specification lacks."""
    try:
        answer = json.loads(body)
        if answer["summary"]["received"] != count:
            return None
        failed = {
            int(failed_event["index"]): _outcome(failed_event)
            for failed_event in answer.get("failed_events") or ()
        }
        is_valid = len(failed) == answer["summary"]["failed"] and all(0 <= index < count for index in failed)
        return failed if is_valid else None
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


ENDPOINT = "api/v1/lineage"
"""The path at which Marquez and others accept events."""

_RESPONSE_LIMIT = 2_000
"""Maximum number of bytes read from a response."""

_BATCH_RESPONSE_LIMIT = 1 << 20
"""The same for the response to a batch, which lists the events that failed."""


class HttpEmitter(BoundedEmitter):
    """Posts each event to a receiver such as Marquez.

    A 2xx response means delivered. With 400, 409, 413 and 422 the receiver rejects the event. All other
    failures are retried: no response, 5xx, redirects (not followed, because they would turn the POST into a
    GET), and other 4xx responses such as 403 and 404 during a redeploy. `Retry-After` is honored up to 60
    seconds, as a number of seconds or as a date. Proxies configured in the environment are used.

    Args:
        url: The receiver, such as "http://localhost:5000".
        endpoint: The path below `url`. It may end with a query, which is not shown, nor is that of `url`.
        timeout: Maximum number of seconds to delay the job without a delivery, in total for `emit`, `close`
            and interpreter exit. In the background, an event is retried for the same time.
        attempt_timeout: Deadline in seconds for one attempt, from connecting to the response status. Defaults
            to `timeout`.
        headers: Additional headers.
        api_key: Sent as `Authorization: Bearer ...`, without surrounding whitespace.
        retries: Maximum number of retries. Defaults to as many as fit into `timeout`. Use a `SpoolEmitter`
            for longer outages.
        compress: Whether to compress events with gzip.
        batch: Whether events that wait for each other are sent in one request to the batch endpoint of the
            specification, which is `/batch` below `endpoint`. To a receiver without it, each is sent alone.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: `url` is not an HTTP URL, or a header is invalid.

    Example:
        >>> HttpEmitter("http://localhost:5000", api_key="...").emit(event)
    """

    def __init__(
        self,
        url: str,
        *,
        endpoint: str = ENDPOINT,
        timeout: float = 5.0,
        attempt_timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        api_key: str | None = None,
        retries: int | None = None,
        compress: bool = False,
        batch: bool = False,
        on_error: OnError = "log",
    ) -> None:
        parts = _parts(url)
        below, _, below_query = endpoint.partition("?")
        path = "/".join(part for part in (parts.path.strip("/"), below.strip("/")) if part)
        query = "&".join(part for part in (parts.query, below_query) if part)
        suffix = f"?{_encoded(query)}" if query else ""
        host = parts.netloc.rpartition("@")[2]
        self._shown = urlunsplit((parts.scheme, host, _encoded(f"/{path}"), "", ""))
        self._url = f"{self._shown}{suffix}"
        self._headers = {
            "Content-Type": "application/json",
            "User-Agent": f"openlineage-facets/{__version__}",
            **_authorization(parts, api_key),
            **({"Content-Encoding": "gzip"} if compress else {}),
            **(headers or {}),
        }
        _assert_sendable(self._headers)
        self._compress = compress
        batch_url = f"{self._shown.rstrip('/')}/batch{suffix}"
        self._retries = Retries(timeout, retries)
        self._batches = Batches(lambda body: self._post(batch_url, body), self._retries) if batch else None
        super().__init__(timeout, on_error)
        seconds = self._timeout if attempt_timeout is None else attempt_timeout
        self._attempt_timeout = checked_seconds("attempt_timeout", seconds)

    def send(self, line: bytes) -> None:
        """Post one line in a single attempt.

        Raises:
            EventRejected: The receiver rejected the event.
            EmissionError: The receiver is unreachable or responded with another error.
        """
        self._send_within(line, self._attempt_timeout)

    def _send_within(self, line: bytes, seconds: float) -> None:
        self._post(self._url, line, seconds)

    def _post(self, url: str, line: bytes, seconds: float | None = None) -> tuple[int, bytes]:
        """Post a body in a single attempt, and return the status and the body of a 2xx response.

        Without `seconds`, the body is read, which may take as long as an attempt.
        """
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request

        body = gzip.compress(line, compresslevel=3) if self._compress else line
        request = Request(url, data=body, headers=self._headers, method="POST")
        timeout = self._attempt_timeout if seconds is None else min(seconds, self._attempt_timeout)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                # Of a single event, only the status matters.
                return response.status, response.read(_BATCH_RESPONSE_LIMIT) if seconds is None else b""
        except HTTPError as answer:
            with answer:
                raise self._http_error(answer) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            kind = f"no response: {type(reason).__name__}"
            raise EmissionError(f"no response from {self._shown}: {text}", kind=kind) from error

    @cached_property
    def _opener(self) -> OpenerDirector:
        from openlineage_facets.emitters.http_deadlines import opener_with_deadlines

        return opener_with_deadlines()

    def _http_error(self, answer: HTTPError) -> EmissionError:
        from http.client import HTTPException

        status = answer.code
        try:
            text = redact(" ".join(answer.read(_RESPONSE_LIMIT).decode(errors="replace").split()))
        except (OSError, HTTPException, ValueError):
            text = ""  # The receiver closed the connection within its response.
        location = answer.headers.get("Location")
        reason = f" {answer.reason}".rstrip() + (f" to {redact_for_display(location)}" if location else "")
        message = f"{self._shown} responded with {status}{reason}{': ' + text[:200] if text else ''}"
        after = retry_after_seconds(answer.headers.get("Retry-After"), answer.headers.get("Date"))
        return http_error(status, message, text, retry_after=after)

    def _submit(self, line: bytes) -> Task:
        return super()._submit(line if self._batches is None else WaitingLine(line))

    def _send_with_retries(self, line: bytes) -> None:
        is_sent = (
            self._batches is not None
            and isinstance(line, WaitingLine)
            and self._batches.send(line, self._worker.lines)
        )
        if not is_sent:
            self._retries.deliver(lambda: self.send(line))

    def __str__(self) -> str:
        return f"HttpEmitter({self._shown})"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        if parts.scheme in ("http", "https") and parts.port != 0 and _HOST.fullmatch(parts.hostname or ""):
            return parts
    except ValueError:
        pass  # Invalid port or address.
    raise ValueError(
        f"url: expected an HTTP URL such as http://localhost:5000, found {redact_for_display(url)!r}"
    )


_HOST = re.compile(r"[^\x00-\x20\x7f]+")


def _encoded(part: str) -> str:
    """Return a part of a URL with escapes for spaces and non-ASCII characters, which cannot be sent."""
    return quote(part, safe=string.punctuation)


def _assert_sendable(headers: Mapping[str, str]) -> None:
    """Reject headers that cannot be sent, without showing their values, which may be secret."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"headers: expected a name of letters, digits and hyphens, found {name!r}")
        if not _HEADER_VALUE.fullmatch(value):
            raise ValueError(
                f"headers: expected printable Latin-1 characters in {name}, found a line break or another "
                "character; remove it"
            )


_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")


def _authorization(parts: SplitResult, api_key: str | None) -> dict[str, str]:
    if api_key and api_key.strip():
        return {"Authorization": f"Bearer {api_key.strip()}"}
    if parts.username is None:
        return {}
    from base64 import b64encode
    from urllib.parse import unquote

    user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {b64encode(user.encode()).decode()}"}
