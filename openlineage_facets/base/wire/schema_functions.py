"""What the functions in our schemas do, for schemas that check JSON without creating objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_ROLE = "__role_in_schemas__"
_CREATES_ONLY = "creates objects of accepted values"
_KEEPS_UNKNOWN_APART = "changes only objects with unknown fields"
_CHECKS_JSON = "accepts the JSON of a value like the value"
_RETURNS_JSON = "returns plain JSON for a scalar"


def creates_only(function: F) -> F:
    """Mark a function that rejects no value."""
    setattr(function, _ROLE, _CREATES_ONLY)
    return function


def keeps_unknown_apart(function: F) -> F:
    """Mark a function that rejects no value, and changes none without unknown fields."""
    setattr(function, _ROLE, _KEEPS_UNKNOWN_APART)
    return function


def checks_json(function: F) -> F:
    """Mark a function that accepts and rejects the JSON of a value exactly like the value."""
    setattr(function, _ROLE, _CHECKS_JSON)
    return function


def returns_json(function: F) -> F:
    """Mark a function of a scalar that returns a plain JSON value, or rejects the scalar."""
    setattr(function, _ROLE, _RETURNS_JSON)
    return function


def only_creates(function: Any) -> bool:
    """Return whether a function is marked as one that rejects no value."""
    return _role(function) in (_CREATES_ONLY, _KEEPS_UNKNOWN_APART)


def only_keeps_unknown_apart(function: Any) -> bool:
    """Return whether a function is marked with `keeps_unknown_apart`."""
    return _role(function) == _KEEPS_UNKNOWN_APART


def is_check_of_json(function: Any) -> bool:
    """Return whether a function is marked with `checks_json`."""
    return _role(function) == _CHECKS_JSON


def only_returns_json(function: Any) -> bool:
    """Return whether a function is marked with `returns_json`."""
    return _role(function) == _RETURNS_JSON


def _role(function: Any) -> str | None:
    role: str | None = getattr(function, _ROLE, None)
    return role
