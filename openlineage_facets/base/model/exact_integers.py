"""Refuse numbers that are integers only because a float cannot hold their fraction, such as 1e-400.

Parsers of JSON read a number with a fraction or an exponent as a float. Only if an integer was read from one
is its text examined.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from math import copysign, inf, nextafter

from pydantic import ValidationError

from openlineage_facets.base.errors.findings import EventError, describe
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.base.wire.types import integer_was_a_float


def assert_exact_integers(text: str | bytes | bytearray, validate: Callable[[bytes], object]) -> None:
    """Reject a valid text with an integer whose digits have a fraction.

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
        raise EventError(
            [replace(one, found=written.get(one.found, one.found)) for one in findings]
        ) from None


_NUMBER = re.compile(rb"(?<![^\s:,\[])-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![^\s,\]}])")

_LARGEST_FRACTION = 2.0**52 - 0.5
"""Larger floats have no fraction."""


def _with_fractions(text: bytes) -> tuple[bytes, dict[str, str]]:
    """Return a text in which numbers that are no integers are none as floats, and how these were written."""
    written: dict[str, str] = {}

    def mark(match: re.Match[bytes]) -> bytes:
        token = match[0].decode()
        number = float(token)
        if not number.is_integer() or _is_integer(token):
            return match[0]
        fraction = _near(token, number)
        written[describe(fraction)] = token if len(token) <= _SHOWN else f"{token[:_SHOWN]}..."
        return repr(fraction).encode()

    return _NUMBER.sub(mark, text), written


_SHOWN = 60
"""Characters of a number in a message."""


def _is_integer(token: str) -> bool:
    mantissa, _, exponent = token.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = whole + fraction
    if not digits.strip("0"):
        return True
    if len(exponent) > 10:  # Its value no longer matters, and Python limits the digits of integers.
        return not exponent.startswith("-")
    zeros = len(digits) - len(digits.rstrip("0"))
    return int(exponent or 0) - len(fraction) + zeros >= 0


def _near(token: str, number: float) -> float:
    """Return a float with a fraction on the side of `number` on which the written one is."""
    if number == 0:
        return nextafter(0, -inf if token.startswith("-") else inf)
    if abs(number) > _LARGEST_FRACTION:
        return copysign(_LARGEST_FRACTION, number)
    return nextafter(number, inf if Decimal(token) > Decimal(number) else -inf)
