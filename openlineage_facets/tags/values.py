"""Tag values and their text form, and tokens and nested metadata as keys and values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import (
    MOST_DIGITS,
    EventError,
    Finding,
    describe,
    invalid,
    is_too_long,
)
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.json.json_input import assert_utf8, nesting_finding
from openlineage_facets.base.redaction.redacting_logger import redacting_logger

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
    raise invalid(pointer, _EXPECTED, found, hint)


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


_log = redacting_logger("openlineage_facets.tags")

_MAX_DEPTH = 64
"""The maximum nesting. Metadata that contains itself exceeds it."""

_Steps = tuple[str | int, ...]


def split_token(token: object, pointer: str) -> tuple[str, TagValue]:
    """Return key and value of a token: `pii` is true, the value of `team=dataos` is "dataos".

    Raises:
        EventError: The token is not a string, or has no key.
    """
    if not isinstance(token, str):
        raise invalid(pointer, "a token such as 'pii' or 'team=dataos'", describe(token))
    key, equals, text = checked_text(token, pointer).partition("=")
    if not key.strip():
        raise invalid(pointer, "a token with a key", describe(token), "write it as 'pii' or 'team=dataos'")
    return key.strip(), text.strip() if equals else True


@contextmanager
def collecting(findings: list[Finding] | None, prefix: str = "") -> Iterator[None]:
    """Add the findings of an EventError to others, with a prefix in front of their JSON Pointers.

    Without others, it is raised.
    """
    try:
        yield
    except EventError as error:
        if findings is None:
            raise
        findings.extend(replace(finding, pointer=prefix + finding.pointer) for finding in error.findings)


def flattened(metadata: object, findings: list[Finding] | None = None) -> dict[str, TagValue]:
    """Return the valid values in nested metadata, by their names joined with `_`.

    Args:
        metadata: An object or a list.
        findings: Where to report values that are invalid or nested too deeply, and metadata that is neither
            an object nor a list, or contains itself.

    Raises:
        EventError: There is the first of these, and nowhere to report it.
    """
    values: dict[str, TagValue] = {}
    with collecting(findings):
        if not isinstance(metadata, (Mapping, list, tuple)):
            raise invalid(
                "/metadata", "an object or a list", describe(metadata), "read a token with Tag.parse"
            )
        if (circular := nesting_finding(metadata, most_levels=None)) is not None:
            raise EventError([circular])
        for key, value in _pairs(metadata, (), (), findings):
            earlier = values.get(key, value)
            if (type(earlier), earlier) != (type(value), value):
                _warn_of_replaced(key, earlier, value)
            values[key] = value
    return values


def _warn_of_replaced(key: str, earlier: TagValue, value: TagValue) -> None:
    from openlineage_facets.base.display.short_values import redacted_items  # Rarely needed.

    shown, replacement = (
        dict(redacted_items([("key", key), ("value", shown)]))["value"] for shown in (earlier, value)
    )
    _log.warning(
        "%r is replaced by %r, since two metadata entries have the tag key %s", shown, replacement, key
    )


def _pairs(
    value: Any, names: tuple[str, ...], steps: _Steps, findings: list[Finding] | None
) -> Iterator[tuple[str, TagValue]]:
    """Yield the key and value of each valid value, and add findings for the others, or raise the first."""
    with collecting(findings):
        _assert_depth(steps)
        if isinstance(value, Mapping):
            for name, inner in value.items():
                with collecting(findings):
                    text = _name(name, steps)
                    yield from _pairs(inner, (*names, text), (*steps, text), findings)
        elif isinstance(value, (list, tuple)):
            for index, (item_steps, item) in enumerate(_items(value, steps)):
                if isinstance(item, Mapping):
                    yield from _pairs(item, (*names, str(index)), item_steps, findings)
                elif item is not None:
                    with collecting(findings):
                        pointer = json_pointer(item_steps)
                        key, token_value = split_token(as_text(checked_value(item, pointer)), pointer)
                        yield "_".join((*names, key)), token_value
        elif value is not None:
            yield "_".join(names), checked_value(value, json_pointer(steps))


def _items(values: Sequence[Any], steps: _Steps) -> Iterator[tuple[_Steps, Any]]:
    """Return the items of a list, with the items of nested lists inlined."""
    _assert_depth(steps)
    for index, item in enumerate(values):
        if isinstance(item, (list, tuple)):
            yield from _items(item, (*steps, index))
        else:
            yield (*steps, index), item


def _name(name: object, steps: _Steps) -> str:
    pointer = json_pointer(steps)
    if name is None or isinstance(name, (Mapping, list, tuple)):
        raise invalid(pointer, "a string as name", f"the name {name!r}", "rename it")
    text = as_text(checked_value(name, pointer)).strip()
    if not text:
        raise invalid(pointer, "a non-empty name", describe(name), "give it a name")
    return text


def _assert_depth(steps: _Steps) -> None:
    if len(steps) > _MAX_DEPTH:
        raise invalid(
            json_pointer(steps[:3]) + "/...", f"metadata of at most {_MAX_DEPTH} levels", "more", "flatten it"
        )
