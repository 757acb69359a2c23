"""Progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

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
    began = updated = time.monotonic()
    bar: Progress | None = None

    def update(read: int) -> None:
        nonlocal bar, updated
        now = time.monotonic()
        if bar is None and now - began >= _DELAY:
            bar = stack.enter_context(_new_bar())
            bar.add_task("", total=total, completed=read)
        elif bar is not None and now - updated >= _INTERVAL:
            updated = now
            bar.update(bar.task_ids[0], completed=read)

    with ExitStack() as stack:
        yield update


def _new_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    redirect = sys.stdout.isatty()
    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=redirect,
        redirect_stderr=redirect,
    )
