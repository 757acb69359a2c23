"""What is wrong, where, and how to mend it: one finding a line, gathered in one exception."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from openlineage_facets.base.credentials import LOOKED_AT, without_secrets

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["MOST_DIGITS", "EventError", "Finding", "an", "is_too_long", "json_pointer", "shown"]

_SHOWN = 60
"""Characters of an offending value that a message repeats."""

MOST_DIGITS = 4300
"""Digits of the longest integer that readers of JSON, and Python itself, take."""

_TOO_LONG = 10**MOST_DIGITS


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an event.

    Args:
        pointer: JSON Pointer to the place in the event, "" for the whole event.
        expected: What should stand there.
        found: What stands there.
        hint: How to mend it, or "" where `expected` says it all.
        code: Which kind of thing is wrong, such as "OL003"; stable over versions.
        severity: "error" where the event is not valid, "warning" where it is unwise.
        line: The line of the source, counted from 1, where the source has lines.
    """

    pointer: str
    expected: str
    found: str
    hint: str = ""
    code: str = ""
    severity: Literal["error", "warning"] = "error"
    line: int | None = None

    @property
    def message(self) -> str:
        """What was expected and what was found, without the place."""
        tail = f"; {self.hint}" if self.hint else ""
        return f"expected {self.expected}, found {self.found}{tail}"

    def to_dict(self) -> dict[str, str]:
        """Return what the finding says as plain JSON types; the line is the source's to tell."""
        return {
            "code": self.code,
            "severity": self.severity,
            "pointer": self.pointer,
            "message": self.message,
            "expected": self.expected,
            "found": self.found,
            "hint": self.hint,
        }

    def __str__(self) -> str:
        line = f"{self.pointer or '(root)'}: {self.message}"
        return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)


class EventError(ValueError):
    """An event, or a part of one, that is not valid.

    Args:
        findings: What is wrong, at least one.

    Example:
        >>> raise EventError([Finding("/run/runId", "a UUID", "'seven'")])
        Traceback (most recent call last):
        openlineage_facets.EventError: /run/runId: expected a UUID, found 'seven'
    """

    __module__ = "openlineage_facets"  # The name it is imported by, which tracebacks shall show.

    findings: tuple[Finding, ...]
    """What is wrong, one entry for each place."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    @classmethod
    def of(cls, error: ValidationError, document: Any) -> EventError:
        """Return pydantic's error in our words.

        Args:
            error: What validation raised.
            document: The value that was validated, in its wire form.
        """
        from openlineage_facets.base.findings import findings_of

        return cls(findings_of(error, document))

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def json_pointer(steps: Iterable[str | int]) -> str:
    """Spell `steps` (keys and indexes, outermost first) as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def shown(value: Any) -> str:
    """Describe a value by its JSON type and its beginning, in one line and without passwords."""
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return "an array" if value else "an empty array"
    if isinstance(value, str):
        import json  # Who makes no mistakes shall not wait for it to load.

        text = json.dumps(without_secrets(value[:LOOKED_AT]), ensure_ascii=True)
        is_whole = len(text) <= _SHOWN and len(value) <= LOOKED_AT
        return text if is_whole else f"{text[:_SHOWN]}... ({len(value)} characters)"
    if isinstance(value, int) and is_too_long(value):
        digits = value.bit_length() * 30103 // 100_000 + 1
        return f"one of some {digits} digits, more than readers of JSON take"
    if isinstance(value, (bool, int, float)):
        text = str(value).lower() if isinstance(value, bool) else repr(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"the class {value.__name__}" if isinstance(value, type) else an(type(value).__name__)


def is_too_long(number: int) -> bool:
    """Tell whether an integer has more digits than readers of JSON take."""
    return not -_TOO_LONG < number < _TOO_LONG


def an(name: str) -> str:
    """Return `name` behind its article."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
