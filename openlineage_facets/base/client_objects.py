"""Recognize objects of openlineage-python without importing it."""

from __future__ import annotations

from typing import Any

__all__ = ["is_client_object"]


def is_client_object(value: Any) -> bool:
    """Return whether a value is an instance of a class of openlineage-python or of a subclass."""
    return any(cls.__module__.partition(".")[0] == "openlineage" for cls in type(value).__mro__)
