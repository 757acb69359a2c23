"""The `on_error` argument: log lineage failures, or raise them."""

from __future__ import annotations

from typing import Literal, TypeAlias

OnError: TypeAlias = Literal["log", "raise"]
"""Whether lineage failures are logged or raised."""


def checked_on_error(value: OnError) -> OnError:
    """Return `value` if it is a valid `on_error` argument.

    Raises:
        ValueError: It is not.
    """
    if value not in ("log", "raise"):
        raise ValueError(f"on_error: expected 'log' or 'raise', found {value!r}")
    return value
