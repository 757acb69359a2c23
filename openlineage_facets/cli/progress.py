"""Progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]

_MIN_BYTES = 32 << 20
"""Smaller inputs are checked so fast that no bar is shown."""

_INTERVAL = 0.2
"""Seconds between two updates."""


@contextmanager
def progress_bar(total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if it is a terminal; yield the function that updates it.

    Args:
        total: Bytes to read, None if unknown.
    """
    if not sys.stderr.isatty() or (total is not None and total < _MIN_BYTES):
        yield lambda read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    redirect = sys.stdout.isatty()
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=redirect, redirect_stderr=redirect
    ) as bar:
        task = bar.add_task("", total=total)
        updated = 0.0

        def update(read: int) -> None:
            nonlocal updated
            if time.monotonic() - updated >= _INTERVAL:
                updated = time.monotonic()
                bar.update(task, completed=read)

        yield update
