"""The two formats that are asserted, as their standards define them.

`jsonschema` brings functions for both, but they let through what no standard allows: its date-time ends in
a `$` that also matches before a final newline and a `\\d` that also matches Arabic or full-width digits; its
UUID is whatever `uuid.UUID` can read with hyphens in four places, underscores and signs between the digits
included. So a strict expression must match as well. What `jsonschema` rejects is rejected, a leap second
(`23:59:60`) among it: no Python `datetime` can hold one.
"""

from __future__ import annotations

import re

from jsonschema import FormatChecker

_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")

_LAX = FormatChecker(formats=["date-time", "uuid"])

FORMATS = FormatChecker(formats=())
"""Asserts date-time and uuid, nothing else: real producers write `"uri": "file"`."""


@FORMATS.checks("date-time")
def is_date_time(value: object) -> bool:
    """Return whether a string is an RFC 3339 date-time."""
    return not isinstance(value, str) or (
        _DATE_TIME.fullmatch(value) is not None and _LAX.conforms(value, "date-time")
    )


@FORMATS.checks("uuid")
def is_uuid(value: object) -> bool:
    """Return whether a string is an RFC 4122 UUID."""
    return not isinstance(value, str) or (_UUID.fullmatch(value) is not None and _LAX.conforms(value, "uuid"))
