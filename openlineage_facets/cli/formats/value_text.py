"""JSON values as text in one line."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets.base.display.printable import printable

MAX_LENGTH = 200
"""Maximum number of characters of a shortened value."""


def word(value: Any) -> str:
    """Return a string unchanged, None as "", any other value as JSON."""
    if value is None:
        return ""
    return printable(value) if isinstance(value, str) else compact(value, MAX_LENGTH)


def full_name(entity: dict[str, Any]) -> str:
    """Return the namespace and the name of an entity."""
    return "  ".join(word(entity[part]) for part in ("namespace", "name") if part in entity)


def compact(value: Any, limit: int | None) -> str:
    """Return a value in one line, shortened to a number of characters if there is a limit."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(printable(text), limit)


def shortened(text: str, limit: int | None) -> str:
    """Return a text that ends with its total length if it has more characters than the limit."""
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}... ({len(text):,} characters)"
