"""Report jobs that are terminated with SIGTERM, as cluster managers and schedulers do."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

from openlineage_facets.emitters.background_worker import start_thread

_MOST_SECONDS = 15
"""How long a job outlives SIGTERM at most."""

_SAME_SECONDS = 1
"""How long further signals are the same: `timeout` and supervisors signal the process and then its group.

A later one terminates the process at once.
"""


class Terminated(BaseException):
    """The process received SIGTERM."""

    def __init__(self) -> None:
        super().__init__("terminated by SIGTERM")


def end_on_termination(end: Callable[[Terminated], None]) -> None:
    """Call a function when the process receives SIGTERM, which then terminates it as usual.

    Nothing changes if SIGTERM is ignored or has a handler. A handler that the job installs replaces this one.

    Args:
        end: Called in another thread: the signal may interrupt a call to the JVM, whose connection is in use.
    """
    process = os.getpid()

    def terminate(number: int, _frame: FrameType | None) -> None:
        if os.getpid() == process:
            begun = time.monotonic()

            def again(number: int, _frame: FrameType | None) -> None:
                if os.getpid() != process or time.monotonic() - begun > _SAME_SECONDS:
                    signal.signal(number, signal.SIG_DFL)
                    os.kill(os.getpid(), number)

            signal.signal(number, again)
            ended = threading.Event()

            def work() -> None:
                try:
                    end(Terminated())
                finally:
                    ended.set()

            start_thread(work, "termination")
            ended.wait(_MOST_SECONDS)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):
        signal.signal(signal.SIGTERM, terminate)
