"""A `datetime` that serializes to the exact text it was parsed from."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError, PydanticSerializationUnexpectedValue, core_schema

from openlineage_facets.base.times.rfc3339 import DATE_TIME, RFC3339

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue


class Timestamp(datetime):
    """An aware `datetime` that serializes to the exact text it was parsed from.

    Nanoseconds, `+00:00` instead of `Z`, a missing fraction: all are preserved. Comparison, hashing and
    arithmetic are those of `datetime`, with microsecond resolution; arithmetic returns plain `datetime`
    objects. It is created from an RFC 3339 date-time with an offset, or from an aware `datetime`.

    Raises:
        ValueError: The text is not an RFC 3339 date-time, or the `datetime` has no offset.

    Example:
        >>> time = Timestamp("2026-03-29T01:00:00.123456789+01:00")
        >>> time.hour, str(time)
        (1, '2026-03-29T01:00:00.123456789+01:00')
    """

    _text: str

    @property
    def text(self) -> str:
        """The exact text."""
        return self._text

    def __new__(cls, value: str | datetime | int, *parts: Any, **named: Any) -> Timestamp:
        """Return the timestamp of a text or a datetime."""
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
        match = RFC3339.fullmatch(text)
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
    def _from_datetime(cls, value: datetime) -> Timestamp:
        if value.utcoffset() is None:
            raise ValueError("a datetime without an offset is ambiguous; give it a tzinfo")
        text = value.isoformat()
        if not RFC3339.fullmatch(text):
            # Offsets of local mean time have seconds, which RFC 3339 does not support.
            try:
                value = value.astimezone(timezone.utc)
            except OverflowError as error:
                raise ValueError("the datetime is outside the years 1 to 9999 in UTC") from error
            text = value.isoformat()
        return cls._from_text(text.replace("+00:00", "Z"))

    @classmethod
    def now_utc(cls) -> Timestamp:
        """Return the current time in UTC."""
        return cls._from_datetime(datetime.now(timezone.utc))

    # datetime.replace() would return a Timestamp without a text.
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
        return None  # The default of an absent field, for a JSON Schema.
    if not isinstance(value, Timestamp):
        raise PydanticSerializationUnexpectedValue("not a timestamp, but of another branch of a union")
    return value.text


def _explained(make: Callable[[Any], Timestamp]) -> Callable[[Any], Timestamp]:
    """Wrap `make`: every failure is the `date_time` error."""

    def timestamp(value: Any) -> Timestamp:
        try:
            return make(value)
        except (ValueError, OverflowError) as error:
            raise PydanticCustomError("date_time", DATE_TIME) from error

    return timestamp
