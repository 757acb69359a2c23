"""Processes that end with the test that starts them, even if it fails."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process with options of `Popen`; at the end, kill it and the processes it has started."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
                process.kill()


@contextmanager
def all_started(commands: Sequence[Sequence[str]], **options: Any) -> Iterator[list[subprocess.Popen[Any]]]:
    """Start processes side by side, as `started` does with one."""
    with ExitStack() as stack:
        yield [stack.enter_context(started(command, **options)) for command in commands]
