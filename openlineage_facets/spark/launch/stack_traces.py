"""Stack traces of a job without the frames of this package."""

from __future__ import annotations

import linecache
import os
import sys
import traceback
from types import TracebackType

_LAUNCHER = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(_LAUNCHER)


def hide_frames(error: BaseException) -> None:
    """Remove the frames of this package that only pass on a call, from an error and its causes.

    Frames after the last frame of the job stay: an error in this package is shown where it is.
    """
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _without_our_frames(current.__traceback__)
        pending += [current.__cause__, current.__context__]


def print_hidden(error: BaseException) -> None:
    """Let the interpreter print an error that ends it as it is now, without the frames added until then.

    Args:
        error: The error that is about to be raised again.
    """
    shown = error.__traceback__
    hook = sys.excepthook

    def show(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        sys.excepthook = hook
        if value is error:
            value, trace = value.with_traceback(shown), shown
        if hook is sys.__excepthook__ and _has_cells(trace):
            # Before Python 3.13, the hook does not show the lines of code that is not in a file.
            traceback.print_exception(kind, value, trace)
        else:
            hook(kind, value, trace)

    sys.excepthook = show


def _has_cells(trace: TracebackType | None) -> bool:
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<") and name in linecache.cache:
            return True
        trace = trace.tb_next
    return False


def _without_our_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and _is_launcher(trace):
        trace = trace.tb_next
    entries: list[TracebackType] = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    own: TracebackType | None = None
    in_job = False
    for entry in reversed(entries):
        in_job = in_job or not _is_in(_PACKAGE, entry)
        if not in_job or not _is_in(_PACKAGE, entry):
            own = TracebackType(own, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return own


def _is_launcher(entry: TracebackType) -> bool:
    name = entry.tb_frame.f_code.co_filename
    return _is_in(_LAUNCHER, entry) or name in ("<frozen runpy>", os.path.join(_PACKAGE, "__main__.py"))


def _is_in(folder: str, entry: TracebackType) -> bool:
    return entry.tb_frame.f_code.co_filename.startswith(folder + os.sep)
