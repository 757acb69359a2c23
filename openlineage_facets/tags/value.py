"""Tag values and their text form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import TypeAlias

from openlineage_facets.base.errors.findings import MOST_DIGITS, EventError, Finding, describe, is_too_long
from openlineage_facets.base.json.json_input import assert_utf8

TagValue: TypeAlias = str | int | float | bool
"""A string, a finite number or a boolean."""

_EXPECTED = "a string, a finite number, true or false"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")


def checked_value(value: object, pointer: str) -> TagValue:
    """Return `value` as a plain Python value, if it is a valid tag value.

    Args:
        value: The value. Members of string and number enumerations are replaced by their values.
        pointer: JSON Pointer for the error.

    Raises:
        EventError: The value is not valid.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return checked_text(value, pointer)
    if isinstance(value, int):
        if not is_too_long(value):
            return int(value)
        found, hint = f"an integer of more than {MOST_DIGITS} digits", "pass it as a string"
    elif isinstance(value, float):
        if isfinite(value):
            return float(value)
        found, hint = describe(value), "JSON cannot represent it: pass it as a string"
    elif value is None:
        found, hint = "None", "omit the value (default: True), or omit the tag"
    elif isinstance(value, (Mapping, list, tuple)):
        found, hint = describe(value), "create a tag for each entry with Tag.flatten"
    else:
        found, hint = describe(value), "convert it with str(), int(), float() or bool()"
    raise EventError([Finding(pointer, _EXPECTED, found, hint)])


def checked_text(text: str, pointer: str) -> str:
    """Return `text` as a plain string, if UTF-8 can encode it.

    Raises:
        EventError: The text contains lone surrogates.
    """
    assert_utf8(text, pointer)
    return str.__str__(text)


def as_text(value: TagValue) -> str:
    """Return strings unchanged, booleans and numbers as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def from_text(text: str) -> TagValue:
    """Return the boolean or number for which `as_text` returns `text`, else `text` itself."""
    if text in ("true", "false"):
        return text == "true"
    if len(text.lstrip("-")) <= MOST_DIGITS and _NUMBER.fullmatch(text):
        number: int | float = json.loads(text)
        if json.dumps(number) == text:
            return number
    return text
