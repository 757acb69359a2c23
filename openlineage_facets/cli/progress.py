"""A progress bar on a terminal, for work that takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_of"]

_LONG = 32 << 20
"""Bytes from which on a check takes long enough to show how far it is."""

_EVERY = 0.2


@contextmanager
def progress_of(total: int | None) -> Iterator[Callable[[int], None]]:
    """Show how far work is, and give what to tell it.

    Shown on standard error, and only where that is a terminal.

    Args:
        total: Bytes to read; None where that is not known.
    """
    if not sys.stderr.isatty() or (total is not None and total < _LONG):
        yield lambda read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    both = sys.stdout.isatty()
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=both, redirect_stderr=both
    ) as bar:
        task = bar.add_task("", total=total)
        shown = 0.0

        def show(read: int) -> None:
            nonlocal shown
            if time.monotonic() - shown >= _EVERY:
                shown = time.monotonic()
                bar.update(task, completed=read)

        yield show
