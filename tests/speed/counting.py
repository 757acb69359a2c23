"""Count function calls, memory blocks and modules. Counts are independent of machine load."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from pydantic_core import from_json

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


def pydantic_calls(work: Callable[[], object]) -> Counter[str]:
    """Return how often `work` calls each method of pydantic-core that validates, serializes or reads JSON.

    A call handles a whole value, however many fields it has: a second call handles it again.
    """
    work()
    calls: Counter[str] = Counter()

    def count_call(frame: FrameType, event: str, argument: Any) -> None:
        if event == "c_call":
            owner, name = type(getattr(argument, "__self__", None)).__name__, argument.__name__
            if owner in ("SchemaValidator", "SchemaSerializer"):
                calls[name] += 1
            elif argument is from_json:
                calls["from_json"] += 1

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


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


def peak_bytes(work: Callable[[], object]) -> int:
    """Return the largest number of bytes that `work` allocates at once, also inside the engine of `re`."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
