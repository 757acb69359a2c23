"""The value of a tag: what it may be, and its text where the wire takes text alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import TypeAlias

from openlineage_facets.base.errors import MOST_DIGITS, EventError, Finding, is_too_long, shown

__all__ = ["TagValue", "as_text", "checked_text", "checked_value", "from_text"]

TagValue: TypeAlias = str | int | float | bool
"""Text, a finite number, or a boolean."""

_EXPECTED = "a string, a finite number, true or false"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")


def checked_value(value: object, pointer: str) -> TagValue:
    """Return `value` as a plain Python value that a tag may have.

    Args:
        value: What was given; members of text and number enumerations count as their values.
        pointer: JSON Pointer to it, for the error.

    Raises:
        EventError: A tag can't have the value.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return checked_text(value, pointer)
    if isinstance(value, int):
        if not is_too_long(value):
            return int(value)
        found, hint = f"an integer of more than {MOST_DIGITS} digits", "write it as text"
    elif isinstance(value, float):
        if isfinite(value):
            return float(value)
        found, hint = shown(value), "JSON has no number for it: write it as text"
    elif value is None:
        found, hint = "None", "leave the value out for a tag that is a mere word, or leave the tag out"
    elif isinstance(value, (Mapping, list, tuple)):
        found, hint = shown(value), "make a tag of each entry with Tag.flatten"
    else:
        found, hint = shown(value), "convert it with str(), int(), float() or bool()"
    raise EventError([Finding(pointer, _EXPECTED, found, hint)])


def checked_text(text: str, pointer: str) -> str:
    """Return `text` as a plain string that the wire can carry.

    Raises:
        EventError: It holds lone surrogates, as bytes that are no UTF-8 leave them in Python.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EventError(
            [Finding(pointer, "text without lone surrogates", shown(text), "decode it with its own encoding")]
        ) from None
    return str.__str__(text)


def as_text(value: TagValue) -> str:
    """Return text as it is, booleans and numbers as JSON spells them."""
    return value if isinstance(value, str) else json.dumps(value)


def from_text(text: str) -> TagValue:
    """Return the boolean or the number that `as_text` spells exactly like `text`, else `text`."""
    if text in ("true", "false"):
        return text == "true"
    if len(text.lstrip("-")) <= MOST_DIGITS and _NUMBER.fullmatch(text):
        number: int | float = json.loads(text)
        if json.dumps(number) == text:
            return number
    return text
