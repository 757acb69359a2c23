"""Recognize Ctrl-C, also when another error has replaced it."""

from __future__ import annotations


def is_interrupt(error: BaseException, handled: BaseException | None = None) -> bool:
    """Return True for KeyboardInterrupt, and for an error of PySpark that it has caused.

    Ctrl-C interrupts the main thread while it waits for the JVM. What PySpark then calls in its `finally`
    blocks fails: the job receives the error of this call instead.

    Args:
        error: The error.
        handled: The error that was being handled when the code began that has raised this one.
    """
    if isinstance(error, KeyboardInterrupt):
        return True
    if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
        return False
    seen: list[BaseException] = [] if handled is None else [handled]
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or current in seen:
            continue
        if isinstance(current, KeyboardInterrupt):
            return True
        seen.append(current)
        pending += [current.__cause__, current.__context__]
    return False
