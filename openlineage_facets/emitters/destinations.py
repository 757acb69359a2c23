"""Emitters for destinations given as text: a URL or a path."""

from __future__ import annotations

import os
import re
from os import PathLike

from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.errors import OnError
from openlineage_facets.emitters.file import FileEmitter
from openlineage_facets.emitters.http import ENDPOINT, HttpEmitter

_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/.*)?", re.ASCII)
"""A receiver without `http://`, which would silently become the name of a file."""


def emitter_to(
    destination: str | PathLike[str], *, timeout: float = 5.0, fsync: bool = False, on_error: OnError = "log"
) -> BaseEmitter:
    """Return an emitter for a destination: an HTTP URL, the URL of an object store, or the path of a file.

    Args:
        destination: The URL or path. An HTTP URL uses `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`.
        timeout: Maximum number of seconds to delay the job without a delivery, in total.
        fsync: Whether to flush each event to the disk if the destination is a local file.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: It is empty, a folder, or a URL that is not supported.
        ImportError: It is the URL of an object store, and fsspec or its driver is not installed.
    """
    text = os.fspath(destination)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expected a URL or the path of a file, found {destination!r}")
    is_url = isinstance(destination, str)
    if is_url and text.lower().startswith(("http:", "https:")):
        return http_emitter(text, timeout=timeout, on_error=on_error)
    if is_url and _HOST_AND_PORT.fullmatch(text):
        raise ValueError(f"expected a URL or the path of a file, found {text!r}; write http://{text}")
    if os.path.isdir(text):
        example = os.path.join(text, "lineage.ndjson")
        raise ValueError(f"expected a URL or the path of a file, found the folder {text!r}; write {example}")
    try:
        return FileEmitter(text, timeout=timeout, fsync=fsync and "://" not in text, on_error=on_error)
    except ImportError:
        raise
    except Exception as error:  # The file systems of fsspec raise arbitrary errors.
        raise ValueError(
            f"expected an HTTP URL, a URL that fsspec can open, or the path of a file, "
            f"found {redact_for_display(text)!r} ({error})"
        ) from None


def http_emitter(url: str, *, timeout: float = 5.0, on_error: OnError = "log") -> HttpEmitter:
    """Return an emitter for a receiver, with `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`.

    Args:
        url: The receiver, with or without the endpoint.
        timeout: Maximum number of seconds to delay the job without a delivery, in total.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: The URL or the key is invalid.
    """
    endpoint = os.environ.get("OPENLINEAGE_ENDPOINT", "").strip() or ENDPOINT
    if url.rstrip("/").endswith(f"/{endpoint.strip('/')}"):
        endpoint = ""
    api_key = os.environ.get("OPENLINEAGE_API_KEY", "").strip() or None
    return HttpEmitter(url, endpoint=endpoint, api_key=api_key, timeout=timeout, on_error=on_error)
