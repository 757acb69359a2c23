"""Refuse numbers that are integers only because a float rounds them: 1e-400, 9007199254740993.0.

Parsers of JSON read a number with a fraction or an exponent as a float. Only if an integer was read from one
is its text examined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from math import copysign, inf, nextafter

from pydantic import ValidationError

from openlineage_facets.base.errors.findings import EventError, describe
from openlineage_facets.base.json.json_input import json_value, replace_fractions
from openlineage_facets.base.wire.types import integer_was_a_float


def assert_exact_integers(text: str | bytes | bytearray, validate: Callable[[bytes], object]) -> None:
    """Reject a valid text with an integer that is written as another number.

    Args:
        text: The text that has just been validated.
        validate: Validates it.

    Raises:
        EventError: It has such an integer.
    """
    if not integer_was_a_float():
        return
    marked, written = _with_fractions(text.encode() if isinstance(text, str) else bytes(text))
    if not written:
        return
    try:
        validate(marked)
    except ValidationError as error:
        from openlineage_facets.base.model.pydantic_errors import event_error  # Loaded only for errors.

        findings = event_error(error, json_value(marked)).findings
        hint = "write integers without fraction and exponent"
        raise EventError(
            [
                replace(finding, found=written.get(finding.found, finding.found), hint=hint)
                for finding in findings
            ]
        ) from None


_LARGEST_FRACTION = 2.0**52 - 0.5
"""Larger floats have no fraction."""


def _with_fractions(text: bytes) -> tuple[bytes, dict[str, str]]:
    """Return a text in which numbers that are no integers are none as floats, and how these were written."""
    written: dict[str, str] = {}

    def mark(text_of_number: bytes) -> bytes:
        token = text_of_number.decode()
        number = float(token)
        if not _is_rounded(token, number):
            return text_of_number
        fraction = _near(token, number, len(written))
        written[describe(fraction)] = token if len(token) <= _SHOWN else f"{token[:_SHOWN]}..."
        return repr(fraction).encode()

    return replace_fractions(text, mark), written


_SHOWN = 60
"""Characters of a number in a message."""


def _is_rounded(token: str, number: float) -> bool:
    """Return whether a number has become a whole one that was not written: 1e-400, 9007199254740993.0."""
    if number == 0:
        return token.lower().partition("e")[0].strip("-0.") != ""
    return number.is_integer() and Decimal(token) != Decimal(repr(number))


def _near(token: str, number: float, marked: int) -> float:
    """Return a float with a fraction on the side of `number` on which the written one is.

    Args:
        token: The number as it is written.
        number: The number as a float.
        marked: How many numbers have been marked. Each large one becomes a different float.
    """
    if number == 0:
        return nextafter(0, -inf if token.startswith("-") else inf)
    if abs(number) > _LARGEST_FRACTION:
        return copysign(_LARGEST_FRACTION - marked, number)
    return nextafter(number, inf if Decimal(token) > Decimal(number) else -inf)
