"""Join, split and follow JSON Pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
