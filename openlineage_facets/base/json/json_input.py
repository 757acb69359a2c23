"""Convert the input of parsers, text or dicts, to JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import from_json

from openlineage_facets.base.errors.findings import (
    MOST_DIGITS,
    EventError,
    Finding,
    describe,
    is_too_long,
    json_pointer,
)
from openlineage_facets.base.json.json_limits import MOST_VALUES, has_too_many_values

__all__ = ["assert_utf8", "is_utf8", "json_text", "json_value"]


def json_text(data: str | bytes | bytearray | Mapping[str, Any]) -> bytes | bytearray:
    """Return `data` as JSON text.

    Raises:
        EventError: `data` is neither text nor a dict of JSON values, or has more than `MOST_VALUES` values.
    """
    if isinstance(data, (bytes, bytearray)):
        text: bytes | bytearray = data
    elif isinstance(data, str):
        try:
            text = data.encode()
        except UnicodeEncodeError:
            raise _invalid("text with lone surrogates, which UTF-8 cannot encode") from None
    elif isinstance(data, Mapping):
        text = _text_of(data)
    else:
        raise _not_text(data)
    if has_too_many_values(text):
        expected, hint = f"JSON of at most {MOST_VALUES:,} values", "split the event, for example by dataset"
        raise EventError([Finding("", expected, "more", hint, code="OL001")])
    return text


def _not_text(data: object) -> EventError:
    is_ours = hasattr(type(data), "__wire_serializer__")
    hint = "pass its JSON text, such as event.to_json()" if is_ours else ""
    return _invalid(describe(data), "OL002", hint)


def _text_of(data: Mapping[str, Any]) -> bytes:
    import json

    try:
        document = data if type(data) is dict else dict(data)
        non_json = _first_non_json(document, set())
        if non_json is None:
            return json.dumps(document, ensure_ascii=True).encode()
    except RecursionError:
        raise _invalid("a dict that is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise _invalid(f"a dict with other values ({error})", "OL015") from None
    steps, expected, found = non_json
    raise EventError([Finding(json_pointer(reversed(steps)), expected, found, code="OL015")])


def _first_non_json(value: Any, holders: set[int]) -> tuple[list[str | int], str, str] | None:
    """Return the first part of `value` that JSON cannot represent, or None.

    `json.dumps` would convert other keys to strings, and two keys could become the same.

    Args:
        value: The value to check.
        holders: The ids of the dicts and lists that contain it.

    Returns:
        The steps to the part, innermost first; the expected value; the actual value.
    """
    entries: Iterable[tuple[Any, Any]]
    if isinstance(value, str):
        return None if is_utf8(value) else ([], "text without lone surrogates", describe(value))
    if isinstance(value, dict):
        for key in value:
            if not (isinstance(key, str) and is_utf8(key)):
                return [key], "a string as key", describe(key)
        entries = value.items()
    elif isinstance(value, (list, tuple)):
        entries = enumerate(value)
    elif isinstance(value, int) and is_too_long(value):
        return [], f"a number of at most {MOST_DIGITS} digits", describe(value)
    else:
        is_json = value is None or isinstance(value, (int, float))
        return None if is_json else ([], "a JSON value", describe(value))
    if id(value) in holders:
        return [], "a value that does not contain itself", describe(value)
    holders.add(id(value))
    for step, part in entries:
        if type(part) is str and part.isascii():
            continue  # The common case.
        non_json = _first_non_json(part, holders)
        if non_json is not None:
            non_json[0].append(step)
            return non_json
    holders.remove(id(value))
    return None


def is_utf8(value: str) -> bool:
    """Return whether UTF-8 can encode a text: it has no lone surrogates."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def assert_utf8(value: str, pointer: str) -> None:
    """Reject text with lone surrogates, such as decoding with `surrogateescape` creates.

    Raises:
        EventError: The text has lone surrogates.
    """
    if not is_utf8(value):
        hint = "decode it with the encoding it was written in"
        raise EventError([Finding(pointer, "text without lone surrogates", describe(value), hint, "OL015")])


def json_value(text: bytes | bytearray) -> Any:
    """Return the value of JSON text, or None if it is not valid JSON."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _invalid(found: str, code: str = "OL001", hint: str = "") -> EventError:
    return EventError([Finding("", "JSON text or a dict of JSON values", found, hint, code=code)])
