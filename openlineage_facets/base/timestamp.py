"""A date-time that is a `datetime` to Python and its own exact text on the wire."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError, PydanticSerializationUnexpectedValue, core_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue

_RFC3339 = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))",
    re.ASCII,
)


class Timestamp(datetime):
    """An aware `datetime` that serializes to the very text it was read from.

    Nanosecond digits, a `+00:00` beside a `Z`, a missing fraction: all survive, because the text is
    kept beside the value. Comparison, hashing and arithmetic are those of `datetime`, with its
    microsecond resolution; arithmetic gives plain `datetime` objects.

    Args:
        value: An RFC 3339 date-time with an offset, or an aware `datetime`.

    Raises:
        ValueError: The text is no RFC 3339 date-time, or the `datetime` has no offset.

    Example:
        >>> moment = Timestamp("2026-03-29T01:00:00.123456789+01:00")
        >>> moment.hour, str(moment)
        (1, '2026-03-29T01:00:00.123456789+01:00')
    """

    _text: str

    @property
    def text(self) -> str:
        """The wire form, to the last digit."""
        return self._text

    def __new__(cls, value: str | datetime | int, *parts: Any, **named: Any) -> Timestamp:
        """Return the timestamp of a text or a moment."""
        if isinstance(value, str):
            return cls._from_text(value)
        if isinstance(value, Timestamp):
            return value
        if isinstance(value, datetime):
            return cls._from_datetime(value)
        # datetime's own arithmetic and class methods call the subclass with year, month, day...
        return datetime(value, *parts, **named)  # type: ignore[return-value]

    @classmethod
    def _from_text(cls, text: str) -> Timestamp:
        match = _RFC3339.fullmatch(text)
        if match is None:
            raise ValueError("not an RFC 3339 date-time with an offset")
        year, month, day, hour, minute, second, fraction, zulu, sign, hours, minutes = match.groups()
        if zulu:
            zone = timezone.utc
        else:
            if int(hours) > 23 or int(minutes) > 59:
                raise ValueError("offset out of range")
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            zone = timezone(-offset if sign == "-" else offset)
        microsecond = int(fraction[:6].ljust(6, "0")) if fraction else 0
        self = datetime.__new__(
            cls, int(year), int(month), int(day), int(hour), int(minute), int(second), microsecond, zone
        )
        self._text = text
        return self

    @classmethod
    def _from_datetime(cls, moment: datetime) -> Timestamp:
        if moment.utcoffset() is None:
            raise ValueError("a datetime without an offset names no moment; give it a tzinfo")
        text = moment.isoformat()
        if not _RFC3339.fullmatch(text):
            # Offsets of local mean time carry seconds, which RFC 3339 cannot spell.
            try:
                moment = moment.astimezone(timezone.utc)
            except OverflowError as error:
                raise ValueError("the moment is outside the years 1 to 9999 in UTC") from error
            text = moment.isoformat()
        return cls._from_text(text.replace("+00:00", "Z"))

    @classmethod
    def now_utc(cls) -> Timestamp:
        """Return the present moment, in UTC, to the microsecond."""
        return cls._from_datetime(datetime.now(timezone.utc))

    # datetime's own replace() would give a Timestamp without a text.
    def replace(self, *parts: Any, **named: Any) -> Any:
        """Return a plain `datetime` with some parts replaced."""
        return datetime.combine(self.date(), self.timetz()).replace(*parts, **named)

    __replace__ = replace

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Timestamp({self._text!r})"

    def __reduce_ex__(self, protocol: Any) -> tuple[type[Timestamp], tuple[str]]:
        return Timestamp, (self._text,)

    def __copy__(self) -> Timestamp:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Timestamp:
        return self

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        from_text = core_schema.no_info_after_validator_function(
            _explained(cls._from_text), core_schema.str_schema(strict=True)
        )
        return core_schema.json_or_python_schema(
            json_schema=from_text,
            python_schema=core_schema.union_schema(
                [
                    core_schema.no_info_after_validator_function(
                        _explained(cls), core_schema.is_instance_schema(datetime)
                    ),
                    from_text,
                ],
                mode="left_to_right",
                custom_error_type="date_time",
                custom_error_message=DATE_TIME,
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(_wire_text, when_used="json"),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"type": "string", "format": "date-time"}


def _wire_text(value: Any) -> str | None:
    if value is None:
        return None  # The default of an absent field, as pydantic writes it into a JSON Schema.
    if not isinstance(value, Timestamp):
        raise PydanticSerializationUnexpectedValue("no timestamp, but of another branch of a union")
    return value.text


DATE_TIME = "an RFC 3339 date-time with an offset, such as 2026-11-21T08:30:00Z"
"""What is expected of a date-time."""


def _explained(make: Callable[[Any], Timestamp]) -> Callable[[Any], Timestamp]:
    """Give `make` the one error that says what a date-time looks like."""

    def timestamp(value: Any) -> Timestamp:
        try:
            return make(value)
        except (ValueError, OverflowError) as error:
            raise PydanticCustomError("date_time", DATE_TIME) from error

    return timestamp
