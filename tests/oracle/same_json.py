"""Compare two Python values as JSON values."""

from __future__ import annotations

from typing import Any


def same_json(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: 10 and 10.0 are equal, 1 and true are not."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same_json(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list):
        return (
            isinstance(other, list)
            and len(one) == len(other)
            and all(same_json(left, right) for left, right in zip(one, other, strict=True))
        )
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, str):
        return isinstance(other, str) and one == other
    return isinstance(one, (int, float)) and isinstance(other, (int, float)) and one == other
