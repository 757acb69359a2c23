"""Progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_DELAY = 1.0
"""Seconds after which the bar is shown: most checks end earlier."""

_INTERVAL = 0.2
"""Seconds between two updates."""


@contextmanager
def progress_bar(total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if it is a terminal; yield the function that updates it.

    Args:
        total: Bytes to read, None if unknown.
    """
    if not sys.stderr.isatty():
        yield lambda read: None
        return
    began = time.monotonic()
    bar: _Bar | None = None

    def update(read: int) -> None:
        nonlocal bar
        if bar is None and time.monotonic() - began >= _DELAY:
            bar = _Bar(total)
        if bar is not None:
            bar.update(read)

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()


class _Bar:
    """A progress bar that is shown until it is stopped."""

    def __init__(self, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        redirect = sys.stdout.isatty()
        self._progress = Progress(
            *columns,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=redirect,
            redirect_stderr=redirect,
        )
        self._task = self._progress.add_task("", total=total)
        self._updated = 0.0
        self._progress.start()

    def update(self, read: int) -> None:
        """Show the number of bytes read, a few times per second."""
        if time.monotonic() - self._updated >= _INTERVAL:
            self._updated = time.monotonic()
            self._progress.update(self._task, completed=read)

    def stop(self) -> None:
        """Remove the bar."""
        self._progress.stop()
