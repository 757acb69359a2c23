"""Count function calls, memory blocks and modules. Counts are independent of machine load."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tests.conftest import ROOT


def python_calls(work: Callable[[], object]) -> int:
    """Return the number of Python and C function calls of `work`, after warming up."""
    work()  # Build classes and fill caches.
    count = 0

    def count_call(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()  # Do not count finalizers.
    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def blocks_kept(work: Callable[[], object]) -> int:
    """Return the number of memory blocks of the result of `work`."""
    work()
    gc.collect()
    before = sys.getallocatedblocks()
    result = work()
    gc.collect()
    kept = sys.getallocatedblocks() - before
    del result
    return kept


def modules_loaded(code: str) -> set[str]:
    """Return the modules that are loaded after running `code` in a new process."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())
