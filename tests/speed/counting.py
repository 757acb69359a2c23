"""Work counted rather than timed: the same on every machine, however busy it is."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tests.conftest import ROOT


def python_calls(work: Callable[[], object]) -> int:
    """Return how many functions, Python's or C's, a second go of `work` calls."""
    work()  # The first go builds and fills caches.
    count = 0

    def count_call(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()  # What is called when it comes round is not the work's.
    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def blocks_kept(work: Callable[[], object]) -> int:
    """Return how many blocks of memory the result of `work` holds."""
    work()
    gc.collect()
    before = sys.getallocatedblocks()
    result = work()
    gc.collect()
    kept = sys.getallocatedblocks() - before
    del result
    return kept


def modules_loaded(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after running `code`."""
    tell = f"{code}\nimport sys\nprint(*sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", tell], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(answer.stdout.split())
