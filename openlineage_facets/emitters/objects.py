"""Events as objects of a store, one each."""

from __future__ import annotations

import os
import time
from typing import Any

from openlineage_facets.emitters.wire import stream_of

__all__ = ["Objects"]


class Objects:
    """A folder of any file system that fsspec knows, to which objects are added.

    Args:
        url: The folder.

    Raises:
        ImportError: fsspec, or what it needs for this URL, is not installed.
        ValueError: fsspec knows no such URL.
    """

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise ImportError(f"writing to {url} needs fsspec: pip install fsspec") from None
        self._system: Any
        self._system, self._folder = url_to_fs(url.rstrip("/"))
        self._has_folder = False
        self._last = 0

    def write(self, line: bytes) -> None:
        """Add an object that holds `line`, under a name that sorts after those of earlier events."""
        if not self._has_folder:
            # A store has no folders, and makes nothing here; any other file system needs it.
            self._system.makedirs(self._folder, exist_ok=True)
            self._has_folder = True
        self._last = max(self._last + 1, time.time_ns())
        seconds, nanoseconds = divmod(self._last, 1_000_000_000)
        moment = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(seconds))}.{nanoseconds:09}Z"
        name = f"{moment}-{stream_of(line)}-{os.urandom(4).hex()}.json"
        self._system.pipe_file(f"{self._folder}/{name}", line + b"\n")
