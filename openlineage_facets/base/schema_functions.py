"""What the functions in our schemas do, for schemas that check JSON without creating objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["checks_json", "creates_only", "is_check_of_json", "only_creates"]

F = TypeVar("F", bound=Callable[..., Any])

_ROLE = "__role_in_schemas__"
_CREATES_ONLY = "creates objects of accepted values"
_CHECKS_JSON = "accepts the JSON of a value like the value"


def creates_only(function: F) -> F:
    """Mark a function that rejects no value."""
    setattr(function, _ROLE, _CREATES_ONLY)
    return function


def checks_json(function: F) -> F:
    """Mark a function that accepts and rejects the JSON of a value exactly like the value."""
    setattr(function, _ROLE, _CHECKS_JSON)
    return function


def only_creates(function: Any) -> bool:
    """Return whether a function is marked with `creates_only`."""
    return _role(function) == _CREATES_ONLY


def is_check_of_json(function: Any) -> bool:
    """Return whether a function is marked with `checks_json`."""
    return _role(function) == _CHECKS_JSON


def _role(function: Any) -> str | None:
    role: str | None = getattr(function, _ROLE, None)
    return role
