"""Join, split and follow JSON Pointers (RFC 6901), and find the location of a part of a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from openlineage_facets.base.redaction.redacted_keys import redact_key

MISSING: Any = object()
"""Returned if there is no value; distinct from None, which is JSON null."""


def value_at(document: Any, steps: Sequence[str]) -> Any:
    """Return the value at `steps` of a document, or `MISSING`."""
    value = document
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
    return value


def first_part(
    value: Any, is_wrong: Callable[[Any], bool], is_wrong_key: Callable[[Any], bool]
) -> tuple[tuple[str | int, ...], Any] | None:
    """Return the steps to the first part of a value that is wrong, and that part; None without one.

    The steps to a wrong key are those to its object.

    Args:
        value: A value of dicts, lists, tuples and scalars.
        is_wrong: Whether a value is wrong itself, whatever it contains.
        is_wrong_key: Whether a key of a dict is wrong.
    """
    if is_wrong(value):
        return (), value
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        for key in filter(is_wrong_key, value):
            return (), key
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    for step, part in parts:
        location = first_part(part, is_wrong, is_wrong_key)
        if location is not None:
            return (step, *location[0]), location[1]
    return None


def json_pointer(steps: Iterable[str | int]) -> str:
    """Return the JSON Pointer of keys and indexes, outermost first.

    Example:
        >>> json_pointer(["inputs", 0, "a/b"])
        '/inputs/0/a~1b'
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def steps_of(pointer: str) -> list[str]:
    """Return the keys and indexes of a JSON Pointer, outermost first, as text.

    Example:
        >>> steps_of("/inputs/0/a~1b")
        ['inputs', '0', 'a/b']
    """
    return [unescaped(step) for step in pointer.split("/")[1:]]


def redacted_pointer(pointer: str) -> str:
    """Return a JSON Pointer, or another location, for display, with secrets in its keys redacted.

    Example:
        >>> redacted_pointer("/run/facets/password=xyzzy/_producer")
        '/run/facets/password=***/_producer'
    """
    if not pointer.startswith("/"):
        return redact_key(pointer)  # Findings of policies name jobs and datasets.
    return json_pointer(map(redact_key, steps_of(pointer)))


def unescaped(step: str) -> str:
    """Return the key or index that a step of a JSON Pointer stands for."""
    return step.replace("~1", "/").replace("~0", "~") if "~" in step else step
