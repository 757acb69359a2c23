"""Write events to an object store, one object per event."""

from __future__ import annotations

import os
import time
from typing import Any

from openlineage_facets.emitters.event_lines import ordering_key


class ObjectStoreFolder:
    """A folder in a file system supported by fsspec.

    Args:
        url: The folder.

    Raises:
        ImportError: fsspec, or its driver for this URL, is not installed.
        ValueError: fsspec does not support this URL.
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
        """Add an object with `line` as its content. Object names sort by time."""
        if not self._has_folder:
            # A no-op for object stores, required by other file systems.
            self._system.makedirs(self._folder, exist_ok=True)
            self._has_folder = True
        self._last = max(self._last + 1, time.time_ns())
        seconds, nanoseconds = divmod(self._last, 1_000_000_000)
        timestamp = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(seconds))}.{nanoseconds:09}Z"
        name = f"{timestamp}-{ordering_key(line)}-{os.urandom(4).hex()}.json"
        self._system.pipe_file(f"{self._folder}/{name}", line + b"\n")
