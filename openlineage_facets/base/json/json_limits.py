"""The limit on the number of values in the JSON text of an event."""

from __future__ import annotations

__all__ = ["MOST_VALUES", "has_too_many_values"]

MOST_VALUES = 1_000_000
"""Values of the largest accepted event: objects, arrays, strings, numbers, true, false and null.

An object or array takes up to 700 bytes of memory, however short its text is.
"""

_CHUNK = 1_000_000


def has_too_many_values(text: bytes | bytearray, most: int = MOST_VALUES) -> bool:
    """Return whether JSON text has more than `most` values, without parsing it.

    The outermost value does not count, and an empty object or array counts twice.

    Args:
        text: The text; it need not be valid JSON.
        most: The limit.
    """
    if len(text) <= 2 * most:  # Every value takes two bytes or more, with its separator.
        return False
    if _count(text) <= most:
        return False
    # Some punctuation may be in strings, such as SQL. Without escapes, a string ends at the next quote.
    unescaped = bytes(text).replace(rb"\\", b"").replace(rb"\"", b"")
    count = in_string = 0
    for start in range(0, len(unescaped), _CHUNK):
        parts = unescaped[start : start + _CHUNK].split(b'"')
        count += _count(b"".join(parts[in_string::2]))
        if count > most:
            return True
        in_string ^= (len(parts) - 1) % 2
    return False


def _count(text: bytes | bytearray) -> int:
    """Return the number of separators and containers: the number of values if no string has any."""
    return text.count(b",") + text.count(b"{") + text.count(b"[")
