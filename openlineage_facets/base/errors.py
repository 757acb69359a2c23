"""What is wrong, where, and how to mend it: one finding a line, gathered in one exception."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

__all__ = ["EventError", "Finding", "findings_of", "json_pointer"]

_SHOWN = 60
"""Characters of an offending value that a message repeats."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an event.

    Args:
        pointer: JSON Pointer to the place in the event, "" for the whole event.
        expected: What should stand there.
        found: What stands there.
        hint: How to mend it, or "" where `expected` says it all.
    """

    pointer: str
    expected: str
    found: str
    hint: str = ""

    @property
    def message(self) -> str:
        """What was expected and what was found, without the place."""
        tail = f"; {self.hint}" if self.hint else ""
        return f"expected {self.expected}, found {self.found}{tail}"

    def __str__(self) -> str:
        return f"{self.pointer or '(event)'}: {self.message}"


class EventError(ValueError):
    """An event, or a part of one, that is not valid.

    Args:
        findings: What is wrong, at least one.

    Example:
        >>> raise EventError([Finding("/run/runId", "a UUID", "'seven'")])
        Traceback (most recent call last):
        openlineage_facets.base.errors.EventError: /run/runId: expected a UUID, found 'seven'
    """

    findings: tuple[Finding, ...]
    """What is wrong, one entry for each place."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def json_pointer(steps: Iterable[str | int]) -> str:
    """Spell `steps` (keys and indexes, outermost first) as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def shown(value: Any) -> str:
    """Describe a value by its JSON type and its beginning, in one line."""
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return "an array" if value else "an empty array"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=True)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(value)} characters)"
    if isinstance(value, (bool, int, float)):
        text = str(value).lower() if isinstance(value, bool) else repr(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def findings_of(error: ValidationError, document: Any) -> list[Finding]:
    """Translate pydantic's error into findings.

    Args:
        error: What validation raised.
        document: The value that was validated, in its wire form; it tells which steps of an error's
            location are keys and indexes and which only name a branch of a union.
    """
    located = [_located(detail, document) for detail in error.errors(include_url=False)]
    return [_finding(steps, detail) for steps, detail in _likeliest_branches(located)]


_Located = tuple[tuple[str | int, ...], tuple[str, ...], "ErrorDetails"]


def _located(detail: ErrorDetails, document: Any) -> _Located:
    """Split an error's location into the steps into the document and the labels of union branches."""
    steps: list[str | int] = []
    labels: list[str] = []
    value = document
    location = detail["loc"]
    for position, step in enumerate(location):
        last = position == len(location) - 1
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif last and detail["type"] == "missing":
            pass
        elif step == "[key]" or isinstance(value, Mapping) or not isinstance(value, (list, tuple)):
            labels.append(f"{json_pointer(steps)}\0{step}")
            continue
        steps.append(step)
    return tuple(steps), tuple(labels), detail


def _likeliest_branches(located: list[_Located]) -> Iterator[tuple[tuple[str | int, ...], ErrorDetails]]:
    """Keep, of each union whose every branch failed, the branch that came nearest to holding.

    Nearest is the branch without a wrong constant, then the one with the fewest errors: a union's
    other branches speak of what the author never meant.
    """
    branches: dict[str, dict[str, list[_Located]]] = {}
    for item in located:
        for label in item[1]:
            place, _, branch = label.partition("\0")
            branches.setdefault(place, {}).setdefault(branch, []).append(item)
    kept = {
        place: min(
            choices,
            key=lambda branch: (
                branch == TOMBSTONE,
                any(item[2]["type"] == "literal_error" for item in choices[branch]),
                len(choices[branch]),
            ),
        )
        for place, choices in branches.items()
    }
    for steps, labels, detail in located:
        if all(kept[place] == branch for place, _, branch in (label.partition("\0") for label in labels)):
            yield steps, detail


TOMBSTONE = "tombstone"
"""The union branch of a deleted facet, whose errors nobody who writes a living one wants to read."""

_EXPECTED = {
    "string_type": "a string",
    "string_unicode": "text without lone surrogates",
    "int_type": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "an array",
    "tuple_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "enum": "one of {expected}",
    "literal_error": "{expected}",
    "union_tag_invalid": "{discriminator} to be one of {expected_tags}",
    "union_tag_not_found": "{discriminator} to be there",
    "extra_forbidden": "no field of this name",
    "greater_than_equal": "a number of at least {ge}",
    "greater_than": "a number above {gt}",
    "less_than_equal": "a number of at most {le}",
    "less_than": "a number below {lt}",
    "multiple_of": "a multiple of {multiple_of}",
    "string_too_short": "a string of at least {min_length} characters",
    "string_too_long": "a string of at most {max_length} characters",
    "string_pattern_mismatch": "a string that matches {pattern}",
    "too_short": "at least {min_length} entries",
    "too_long": "at most {max_length} entries",
    "recursion_loop": "a value that does not contain itself",
}


def _finding(steps: tuple[str | int, ...], detail: ErrorDetails) -> Finding:
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind == "missing":
        return Finding(json_pointer(steps), "a value for this required field", "none", f"add {steps[-1]!r}")
    if kind == "json_invalid":
        return Finding(
            "",
            "JSON",
            f"text that is none ({context.get('error', detail['msg'])})",
            "check where the text was cut or joined",
        )
    if kind == "facet_place":
        return Finding(json_pointer(steps), context["expected"], context["found"], context["hint"])
    if kind == "presence":
        return Finding(json_pointer(steps), detail["msg"], context["found"], context["hint"])
    expected = _EXPECTED.get(kind)
    text = expected.format(**context) if expected else detail["msg"]
    return Finding(json_pointer(steps), text, shown(detail["input"]))
