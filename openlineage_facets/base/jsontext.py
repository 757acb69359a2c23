"""JSON text in: one form for everything that is read, whatever it came as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import from_json

from openlineage_facets.base.errors import MOST_DIGITS, EventError, Finding, is_too_long, json_pointer, shown

__all__ = ["json_text", "json_value"]


def json_text(data: str | bytes | bytearray | Mapping[str, Any]) -> bytes | bytearray:
    """Return `data` as JSON text.

    Raises:
        EventError: `data` is neither text nor an object of JSON values.
    """
    if isinstance(data, (bytes, bytearray)):
        return data
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError:
            raise _no_json("text with lone surrogates, which UTF-8 cannot carry") from None
    if isinstance(data, Mapping):
        return _text_of(data)
    from openlineage_facets.base.model import Model  # Which reads by this module.

    hint = "give its text, such as event.to_json()" if isinstance(data, Model) else ""
    raise _no_json(shown(data), "OL002", hint)


def _text_of(data: Mapping[str, Any]) -> bytes:
    import json

    try:
        document = data if type(data) is dict else dict(data)
        stranger = _stranger(document, set())
        if stranger is None:
            return json.dumps(document, ensure_ascii=True).encode()
    except RecursionError:
        raise _no_json("a dict nested too deep to read") from None
    except (TypeError, ValueError) as error:
        raise _no_json(f"a dict that holds something else ({error})", "OL015") from None
    steps, expected, found = stranger
    raise EventError([Finding(json_pointer(reversed(steps)), expected, found, code="OL015")])


def _stranger(value: Any, holders: set[int]) -> tuple[list[str | int], str, str] | None:
    """Return the first part of `value` that JSON has no form for, None where there is none.

    `json.dumps` would spell keys that are no text as text, and two of them could become one.

    Args:
        value: What may be a JSON value.
        holders: The identities of the dicts and lists it stands in.

    Returns:
        The steps to the part, innermost first; what was expected there; what was found.
    """
    entries: Iterable[tuple[Any, Any]]
    if isinstance(value, str):
        return None if _is_text(value) else ([], "text without lone surrogates", shown(value))
    if isinstance(value, dict):
        for key in value:
            if not (type(key) is str and key.isascii()) and not (isinstance(key, str) and _is_text(key)):
                return [key], "a key that is text", shown(key)
        entries = value.items()
    elif isinstance(value, (list, tuple)):
        entries = enumerate(value)
    elif isinstance(value, int) and is_too_long(value):
        return [], f"a number of at most {MOST_DIGITS} digits", shown(value)
    else:
        is_json = value is None or isinstance(value, (int, float))
        return None if is_json else ([], "a JSON value", shown(value))
    if id(value) in holders:
        return [], "a value that does not contain itself", shown(value)
    holders.add(id(value))
    for step, part in entries:
        if type(part) is str and part.isascii():
            continue  # As most are.
        stranger = _stranger(part, holders)
        if stranger is not None:
            stranger[0].append(step)
            return stranger
    holders.remove(id(value))
    return None


def _is_text(value: str) -> bool:
    """Tell whether a text can be written in UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def json_value(text: bytes | bytearray) -> Any:
    """Return the value of JSON text, or None where it is no JSON."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _no_json(found: str, code: str = "OL001", hint: str = "") -> EventError:
    return EventError([Finding("", "JSON text or a dict of JSON values", found, hint, code=code)])
