"""Facets as canonical JSON: equal values have equal texts."""

from __future__ import annotations

import json
import marshal
from sys import intern
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode

_WITHOUT_REFERENCES = 2
"""A version of marshal in which bytes depend on the value only."""

_BYTES = 16 << 20
"""Marshalled bytes of the values that are remembered. All are forgotten when there are more."""


class _Texts:
    """Remembers texts by the marshalled value, which costs a quarter of sorting and encoding it."""

    def __init__(self) -> None:
        self._known: dict[bytes, str] = {}
        self._size = 0

    def of(self, value: Any) -> str:
        try:
            key = marshal.dumps(value, _WITHOUT_REFERENCES)
        except ValueError:  # It contains an object of another class, such as an enumeration.
            return intern(_encode(value))
        text = self._known.get(key)
        if text is None:
            text = intern(_encode(value))
            self._size += len(key)
            if self._size > _BYTES:
                self._known, self._size = {}, len(key)
            self._known[key] = text
        return text


_texts = _Texts()


def canonical_json(value: Any) -> str:
    """Return a value as JSON with sorted keys.

    The same facet occurs in thousands of events, and is stored for each run that reported it. Therefore texts
    are interned, and the latest ones are remembered.

    Raises:
        TypeError: The value is not JSON.
        ValueError: It contains NaN or an infinite number, or itself.
        RecursionError: It is nested too deeply.
    """
    return _texts.of(value)
