"""Events by HTTP, one POST each."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cached_property
from time import sleep
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

from openlineage_facets.emitters.errors import EmissionError, EventRejected, refusal
from openlineage_facets.emitters.sending import BoundedEmitter, OnError
from openlineage_facets.version import __version__

if TYPE_CHECKING:
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector

__all__ = ["HttpEmitter"]

_PAUSE = 0.2
"""Seconds before the first further attempt; before each later one, twice as long."""

_ANSWER = 2_000
"""Bytes of an answer that are kept."""


class HttpEmitter(BoundedEmitter):
    """Posts each event to a receiver, such as Marquez.

    An answer 2xx means delivered. An answer 4xx means that the receiver will not have the event, but for
    401, 407, 408, 421, 423, 425 and 429; those, 5xx, redirections (which are not followed: they would turn
    the POST into a GET), and no answer at all are tried again. The proxies of the environment are used.

    Args:
        url: The receiver, such as "http://localhost:5000".
        endpoint: The path below `url`.
        timeout: Seconds that `emit` waits at most; what takes longer goes on in the background.
        attempt_timeout: Seconds that one attempt may wait for the network; without it, `timeout`.
        headers: Further headers.
        api_key: Sent as `Authorization: Bearer ...`, without blanks around it.
        retries: Further attempts. For more than a passing failure, put a `SpoolEmitter` around this one.
        compress: Whether to compress events by gzip.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: `url` is no HTTP URL, or a header cannot be sent.

    Example:
        >>> HttpEmitter("http://localhost:5000", api_key="...").emit(event)
    """

    def __init__(
        self,
        url: str,
        *,
        endpoint: str = "api/v1/lineage",
        timeout: float = 5.0,
        attempt_timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        api_key: str | None = None,
        retries: int = 2,
        compress: bool = False,
        on_error: OnError = "log",
    ) -> None:
        parts = _parts(url)
        path = "/".join(part for part in (parts.path.strip("/"), endpoint.strip("/")) if part)
        host = parts.netloc.rpartition("@")[2]
        self._url = urlunsplit((parts.scheme, host, f"/{path}", parts.query, ""))
        self._shown = urlunsplit((parts.scheme, host, f"/{path}", "", ""))
        self._headers = {
            "Content-Type": "application/json",
            "User-Agent": f"openlineage-facets/{__version__}",
            **_authorization(parts, api_key),
            **({"Content-Encoding": "gzip"} if compress else {}),
            **(headers or {}),
        }
        _assert_sendable(self._headers)
        self._compress = compress
        self._retries = retries
        self._attempt_timeout = timeout if attempt_timeout is None else attempt_timeout
        super().__init__(timeout, on_error)

    def send(self, line: bytes) -> None:
        """Post one line, once.

        Raises:
            EventRejected: The receiver will not have it.
            EmissionError: The receiver could not be reached, or can't take it now.
        """
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request

        body = gzip.compress(line, compresslevel=3) if self._compress else line
        request = Request(self._url, data=body, headers=self._headers, method="POST")
        try:
            # The status says it all: whatever the receiver adds is not waited for.
            self._opener.open(request, timeout=self._attempt_timeout).close()
        except HTTPError as answer:
            with answer:
                raise self._refusal(answer) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            kind = f"no answer: {type(reason).__name__}"
            raise EmissionError(f"no answer from {self._shown}: {said}", kind=kind) from error

    @cached_property
    def _opener(self) -> OpenerDirector:
        from urllib.request import HTTPRedirectHandler, build_opener

        class NoRedirection(HTTPRedirectHandler):
            def redirect_request(
                self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any
            ) -> None:
                return None

        return build_opener(NoRedirection)

    def _refusal(self, answer: HTTPError) -> EmissionError:
        from http.client import HTTPException

        status = answer.code
        try:
            text = " ".join(answer.read(_ANSWER).decode(errors="replace").split())
        except (OSError, HTTPException, ValueError):
            text = ""  # It hung up while it was speaking.
        place = answer.headers.get("Location")
        said = f" {answer.reason}".rstrip() + (f" to {_without_user(place)}" if place else "")
        message = f"{self._shown} answered {status}{said}{': ' + text[:200] if text else ''}"
        after = answer.headers.get("Retry-After", "")
        seconds = float(after) if after.isascii() and after.isdigit() else None
        return refusal(status, message, text, retry_after=seconds)

    def _send_patiently(self, line: bytes) -> None:
        pause = _PAUSE
        for _ in range(self._retries):
            try:
                return self.send(line)
            except EventRejected:
                raise
            except EmissionError as error:
                sleep(min(max(pause, error.retry_after or 0), self._attempt_timeout))
                pause *= 2
        self.send(line)
        return None

    def __str__(self) -> str:
        return f"HttpEmitter({self._shown})"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    except ValueError:
        pass  # What stands there is no port, or no address.
    raise ValueError(
        f"url: expected an HTTP URL, such as http://localhost:5000, found {_without_user(url)!r}"
    )


def _assert_sendable(headers: Mapping[str, str]) -> None:
    """Refuse what no receiver would ever see, without showing a value, which may be secret."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"headers: expected a name of letters, digits and hyphens, found {name!r}")
        if not _HEADER_VALUE.fullmatch(value):
            raise ValueError(
                f"headers: expected for {name} text of printable Latin-1 characters, found a line break "
                "or a character beyond; take it out"
            )


_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")


def _without_user(url: str) -> str:
    """Return a URL fit for a message."""
    scheme, separator, rest = url.rpartition("//")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"


def _authorization(parts: SplitResult, api_key: str | None) -> dict[str, str]:
    if api_key and api_key.strip():
        return {"Authorization": f"Bearer {api_key.strip()}"}
    if parts.username is None:
        return {}
    from base64 import b64encode
    from urllib.parse import unquote

    user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {b64encode(user.encode()).decode()}"}
