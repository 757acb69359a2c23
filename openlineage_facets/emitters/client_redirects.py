"""Redirects of openlineage-python's HTTP transports.

The client follows every redirect, also to another host, with its headers, and takes every status below 400
for a delivery, even after a redirect that turned the POST into a GET. Here, such responses fail instead.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin, urlsplit

from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.emitters.errors import http_error

_KEEPING_METHOD = {307, 308}


def assert_delivered(response: Any, *_: Any, **__: Any) -> None:
    """Raise for a response that means no delivery, but that the client does not take for an error.

    Raises:
        EmissionError: The status is neither 2xx, nor an error, nor a redirect that repeats the POST at the
            same scheme, host and port.
    """
    status, location = response.status_code, response.headers.get("Location")
    if 200 <= status < 300 or 400 <= status < 600:
        return
    address = str(response.url)
    if status in _KEEPING_METHOD and location and _origin(urljoin(address, location)) == _origin(address):
        return
    if hasattr(response, "close") and not hasattr(response, "aclose"):
        response.close()
    target = f" to {redact_for_display(location)}" if location else ""
    reason = getattr(response, "reason", None) or getattr(response, "reason_phrase", "")
    message = f"{redact_for_display(address)} responded with {status} {reason}".rstrip()
    raise http_error(status, f"{message}{target}")


def watch_asynchronous_redirects(transport: Any) -> None:
    """Check the responses to an `async_http` transport, whose HTTP client exists only in its own thread."""
    process = getattr(transport, "_process_event", None)
    if process is None or hasattr(transport, "_checks_redirects"):
        return
    transport._checks_redirects = True

    async def checked(client: Any, *args: Any, **named: Any) -> Any:
        if _assert_delivered_later not in client.event_hooks["response"]:
            client.event_hooks["response"].append(_assert_delivered_later)
        return await process(client, *args, **named)

    transport._process_event = checked


async def _assert_delivered_later(response: Any) -> None:
    assert_delivered(response)


def _origin(address: str) -> tuple[str, str | None, int | None] | None:
    """Return scheme, host and port of a URL, None if it is invalid."""
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
