"""How to mend what the schema forbids, as far as the document tells what was meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.errors import Finding, json_pointer
from openlineage_facets.validation.near_names import near_name
from openlineage_facets.validation.pointers import steps_of, value_at
from openlineage_facets.validation.shapes import Shape

__all__ = ["Hints"]


class Hints:
    """Hints for the findings of one document.

    Args:
        document: The JSON object.
        shape: What the classes know of it.

    Attributes:
        renamed: JSON Pointers of the fields that some hint says to rename.
    """

    def __init__(self, document: dict[str, Any], shape: Shape | None) -> None:
        self.renamed: set[str] = set()
        self._document = document
        self._shape = shape

    def hinted(self, finding: Finding) -> Finding:
        """Return a finding with the best hint there is; its own where nothing better is known."""
        find = _BY_CODE.get(finding.code)
        hint = find(self, finding, steps_of(finding.pointer)) if find else ""
        return replace(finding, hint=hint) if hint else finding

    def _shape_at(self, steps: Sequence[str]) -> Shape | None:
        return self._shape.inside(steps) if self._shape else None

    def _no_event(self, finding: Finding, steps: list[str]) -> str:
        if self._document.keys() & set(_ENTITIES):
            return ""  # Not one too few: one too many.
        for name in self._document:
            meant = near_name(name, _ENTITIES)
            if meant is not None:
                self.renamed.add(json_pointer([name]))
                return f"rename {name!r} to {meant!r}"
        return ""

    def _missing(self, finding: Finding, steps: list[str]) -> str:
        *around, name = steps
        holder = value_at(self._document, around)
        shape = self._shape_at(around)
        if isinstance(holder, dict):
            known = shape.known if shape else frozenset()
            misspelt = near_name(name, [other for other in holder if other not in known])
            if misspelt is not None:
                self.renamed.add(json_pointer([*around, misspelt]))
                return f"rename {misspelt!r} to {name!r}"
        return _ADD.get(name, _nothing)(shape) or f"add {name!r}"

    def _wrong_type(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        if isinstance(value, str) and _is_quoted(value, finding.expected):
            return "leave out the quotes"
        shape = self._shape_at(steps)
        if isinstance(value, list) and shape and issubclass(shape.classes[0], FacetModel):
            field = shape.first_list(steps[-1])
            if field is not None:
                return f"put the list under {field!r} of the facet, beside '_producer' and '_schemaURL'"
        return ""

    def _wrong_value(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        values = re.findall(r"'([^']*)'", finding.expected)
        meant = near_name(value, values) if isinstance(value, str) else None
        return f"did you mean {meant!r}?" if meant else ""

    def _not_allowed(self, finding: Finding, steps: list[str]) -> str:
        *around, name = steps
        shape, holder = self._shape_at(around), value_at(self._document, around)
        if shape is None or not isinstance(holder, dict):
            return ""
        meant = near_name(name, sorted(shape.known - holder.keys()))
        if meant is None:
            return f"leave it out; {shape.classes[0].__name__} has {', '.join(sorted(shape.known))}"
        self.renamed.add(finding.pointer)
        return f"rename it to {meant!r}"

    def _date_time(self, finding: Finding, steps: list[str]) -> str:
        text = value_at(self._document, steps)
        if not isinstance(text, str):
            return ""
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return "add the time of the day and the offset"
        if not re.match(r"\d{4}-\d\d-\d\d", text):
            return ""
        wishes = []
        if text[10:11] not in ("T", "t"):
            wishes.append("write 'T' between date and time")
        if not re.search(r"([Zz]|[+-]\d\d:\d\d)$", text[10:]):
            wishes.append("add the offset: 'Z' if it is UTC, else one such as '+01:00'")
        return ", and ".join(wishes)

    def _uuid(self, finding: Finding, steps: list[str]) -> str:
        return "derive one from your own id, such as with uuid.uuid5, and use it in all events of the run"

    def _not_json(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        return "leave the field out" if isinstance(value, float) else ""


_ENTITIES = ("run", "job", "dataset")
"""What an event may be about."""

_BY_CODE: dict[str, Callable[[Hints, Finding, list[str]], str]] = {
    "OL002": Hints._no_event,
    "OL003": Hints._missing,
    "OL004": Hints._wrong_type,
    "OL005": Hints._wrong_value,
    "OL006": Hints._not_allowed,
    "OL011": Hints._date_time,
    "OL012": Hints._uuid,
    "OL015": Hints._not_json,
}


def _is_quoted(text: str, expected: str) -> bool:
    """Tell whether what was expected stands there, but for its quotes."""
    if expected == "true or false":
        return text in ("true", "false")
    number = {"an integer": r"-?\d+", "a number": r"-?\d+(\.\d+)?([eE][+-]?\d+)?"}.get(expected)
    return number is not None and re.fullmatch(number, text) is not None


def _nothing(shape: Shape | None) -> str:
    return ""


def _schema_url(shape: Shape | None) -> str:
    """Return the `_schemaURL`, or `schemaURL`, that a value of this shape would name."""
    cls: Any = shape.classes[0] if shape else None
    return getattr(cls, "__schema_url__", "")


def _add_facet_schema(shape: Shape | None) -> str:
    if shape is None or shape.is_open:
        return "add '_schemaURL', the URI of the JSON Schema that defines the facet"
    return f"add '_schemaURL': {_schema_url(shape)!r}"


_ADD: dict[str, Callable[[Shape | None], str]] = {
    "_producer": lambda shape: "add '_producer', the URI of the code that made the facet",
    "_schemaURL": _add_facet_schema,
    "producer": lambda shape: "add 'producer', the URI of the code that made the event",
    "schemaURL": lambda shape: f"add 'schemaURL': {_schema_url(shape)!r}",
    "eventTime": lambda shape: "add 'eventTime', such as '2026-11-21T08:30:00Z'",
    "runId": lambda shape: "add 'runId', a UUID that all events of the run share",
}
"""What to say of fields that every event or facet needs."""
