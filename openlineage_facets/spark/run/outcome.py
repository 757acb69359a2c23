"""How a run ends, by the error that has ended its job."""

from __future__ import annotations

from openlineage_facets.spark.jvm.interrupts import is_interrupt


def is_success(error: BaseException | None) -> bool:
    """Return True without an error, and for `sys.exit()` and `sys.exit(0)`."""
    return error is None or (isinstance(error, SystemExit) and error.code in (None, 0))


def is_cancelled(error: BaseException | None) -> bool:
    """Return True if someone has stopped the job, for example with Ctrl-C, instead of an error in it."""
    if isinstance(error, (Exception, SystemExit)):
        return is_interrupt(error)
    return error is not None
