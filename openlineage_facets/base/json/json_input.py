"""Convert the input of parsers, text or dicts, to JSON text with limits: values, levels, and no cycles."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pydantic_core import from_json, to_json

from openlineage_facets.base.errors.findings import (
    MOST_DIGITS,
    EventError,
    Finding,
    describe,
    invalid,
    is_too_long,
)
from openlineage_facets.base.errors.json_pointer import json_pointer


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
    if text.startswith(_BYTE_ORDER_MARKS):
        problem = "not valid JSON (it starts with a byte order mark)"
        hint = "save it as UTF-8 without a byte order mark, or decode it with utf-8-sig or utf-16"
        raise invalid("", "valid JSON", "a byte order mark", hint, "OL001", problem)
    if has_too_many_values(text):
        expected, hint = f"JSON of at most {MOST_VALUES:,} values", "split the event, for example by dataset"
        raise invalid("", expected, "more", hint, code="OL001")
    return text


_BYTE_ORDER_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)


def _not_text(data: object) -> EventError:
    is_ours = hasattr(type(data), "__wire_serializer__")
    hint = "pass the event that contains it" if is_ours else ""
    return _invalid(describe(data), "OL002", hint)


def _text_of(data: Mapping[str, Any]) -> bytes:
    import json

    document = data if type(data) is dict else dict(data)
    try:
        non_json = _first_non_json(document, set())
        if non_json is None:
            return json.dumps(document, ensure_ascii=True).encode()
    except (_WrongNesting, RecursionError):
        finding = nesting_finding(document)
        raise (EventError([finding]) if finding else _invalid("a dict that is nested too deeply")) from None
    except (TypeError, ValueError) as error:
        raise _invalid(f"a dict with other values ({error})", "OL015") from None
    steps, expected, found = non_json
    raise invalid(json_pointer(reversed(steps)), expected, found, code="OL015")


class _WrongNesting(Exception):
    """A value contains itself or is nested too deeply."""


def _first_non_json(value: Any, holders: set[int]) -> tuple[list[str | int], str, str] | None:
    """Return the first part of `value` that JSON cannot represent, or None.

    `json.dumps` would convert other keys to strings, and two keys could become the same.

    Args:
        value: The value to check.
        holders: The ids of the dicts and lists that contain it.

    Returns:
        The steps to the part, innermost first; the expected value; the actual value.

    Raises:
        _WrongNesting: The value contains itself, or is nested too deeply.
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
    if id(value) in holders or len(holders) > MOST_LEVELS:
        raise _WrongNesting
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
        raise invalid(pointer, "text without lone surrogates", describe(value), hint, "OL015")


def compact_json(value: Any) -> bytes:
    """Return a value as JSON without spaces.

    Raises:
        ValueError: It contains a number that JSON cannot represent, such as 1e400, which is read as infinity.
    """
    import json

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # Lone surrogates only exist as escapes.
        return json.dumps(value, separators=(",", ":")).encode()


def json_value(text: str | bytes | bytearray) -> Any:
    """Return the value of JSON text, or None if it is not valid JSON."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _invalid(found: str, code: str = "OL001", hint: str = "") -> EventError:
    return invalid("", "JSON text or a dict of JSON values", found, hint, code=code)


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


def without_nulls(text: bytes | bytearray) -> bytes | bytearray:
    """Return JSON text without the fields that are null, in objects of any depth.

    Invalid JSON is returned unchanged, for the parser to report. Items of arrays keep their positions, so
    that JSON Pointers refer to the same values before and after. Numbers are written as before: parsers
    refuse 9007199254740993.0 in an integer field, which a float rounds.
    """
    if b"null" not in text:
        return text
    marked = replace_fractions(bytes(text), lambda number: b'"%s%s"' % (_MARK, number))
    document = json_value(marked)
    return text if document is None else _MARKED.sub(rb"\1", to_json(without_null_fields(document)))


_MARK = os.urandom(16).hex().encode()
"""Text that occurs nowhere else."""

_MARKED = re.compile(rb'"%s([^"]*)"' % _MARK)

_STRING_OR_FRACTION = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*"?|(-?(?:0|[1-9][0-9]*)(?=[.eE])(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)', re.DOTALL
)
"""A string, or a number with a fraction or an exponent. In invalid JSON, a string may have no end."""


def replace_fractions(text: bytes, replacement: Callable[[bytes], bytes]) -> bytes:
    """Return JSON text with each number that has a fraction or an exponent replaced.

    Args:
        text: The text; it need not be valid JSON.
        replacement: Returns the text for a number.
    """
    return _STRING_OR_FRACTION.sub(lambda part: replacement(part[1]) if part[1] else part[0], text)


def without_null_fields(value: Any) -> Any:
    """Return a JSON value without the fields that are null, in objects of any depth."""
    if isinstance(value, dict):
        return {name: without_null_fields(field) for name, field in value.items() if field is not None}
    if isinstance(value, (list, tuple)):
        return [without_null_fields(item) for item in value]
    return value


MOST_LEVELS = 200
"""Levels of objects and arrays inside the outermost one that parsers of JSON text accept."""

_SHOWN_STEPS = 8
"""Steps of the location of a value that is nested too deeply."""


def assert_nesting(value: Any, most_levels: int | None = MOST_LEVELS) -> None:
    """Reject a value that contains itself, or has more levels of dicts, lists and tuples inside than allowed.

    Args:
        value: The value.
        most_levels: The limit, None for any number of levels.

    Raises:
        EventError: The value contains itself, or has more levels.
    """
    finding = nesting_finding(value, most_levels)
    if finding is not None:
        raise EventError([finding])


def nesting_finding(value: Any, most_levels: int | None = MOST_LEVELS) -> Finding | None:
    """Return the finding of `assert_nesting`, None if the value is nested correctly."""
    if not isinstance(value, _CONTAINERS):
        return None
    levels: dict[int, int] = {}  # Of values that are completely visited, which may occur at several places.
    open_parts = [_Open(None, value)]
    holders = {id(value)}
    while open_parts:
        holder = open_parts[-1]
        for step, part in holder.parts:
            if not isinstance(part, _CONTAINERS):
                continue
            if id(part) in holders:
                steps = [part.step for part in open_parts[1:]]
                return _contains_itself([*steps, step], part)
            known = levels.get(id(part))
            if most_levels is not None and len(open_parts) - 1 + (known or 1) > most_levels:
                steps = [part.step for part in open_parts[1:]]
                return _too_deep([*steps, step], most_levels)
            if known is None:
                open_parts.append(_Open(step, part))
                holders.add(id(part))
                break
            holder.levels = max(holder.levels, 1 + known)
        else:
            open_parts.pop()
            holders.remove(id(holder.value))
            levels[id(holder.value)] = holder.levels
            if open_parts:
                open_parts[-1].levels = max(open_parts[-1].levels, 1 + holder.levels)
    return None


_CONTAINERS = (dict, list, tuple)


class _Open:
    """A dict, list or tuple whose parts are being visited."""

    __slots__ = ("levels", "parts", "step", "value")

    def __init__(self, step: Any, value: Any) -> None:
        self.step = step
        self.value = value
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        self.parts: Iterator[tuple[Any, Any]] = iter(parts)
        self.levels = 1


def _contains_itself(steps: list[Any], value: Any) -> Finding:
    expected, hint = "a value that does not contain itself", "write a name or an id in this place instead"
    return Finding(json_pointer(steps), expected, f"{describe(value)} that contains itself", hint, "OL015")


def _too_deep(steps: list[Any], most_levels: int) -> Finding:
    expected, found = f"JSON nested at most {most_levels} levels deep", f"more than {most_levels} levels"
    return Finding(json_pointer(steps[:_SHOWN_STEPS]), expected, found, "pass it as a string", "OL001")
