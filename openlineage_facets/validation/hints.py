"""Add hints to findings: how to fix an error, based on the rest of the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.errors.json_pointer import json_pointer, steps_of, value_at
from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.validation.model_structure import ObjectStructure


class Hints:
    """Hints for the findings of one document.

    Args:
        document: The JSON object.
        structure: The structure of its class, None if its kind is unknown.

    Attributes:
        renamed: JSON Pointers of the fields that a hint suggests to rename.
    """

    def __init__(self, document: dict[str, Any], structure: ObjectStructure | None) -> None:
        self.renamed: set[str] = set()
        self._document = document
        self._structure = structure

    def with_hint(self, finding: Finding) -> Finding:
        """Return a finding with a more specific hint if there is one."""
        hint_for = _HINT_BY_CODE.get(finding.code)
        hint = hint_for(self, finding, steps_of(finding.pointer)) if hint_for else ""
        return replace(finding, hint=hint) if hint else finding

    def _structure_at(self, steps: Sequence[str]) -> ObjectStructure | None:
        return self._structure.at(steps) if self._structure else None

    def _not_an_event(self, finding: Finding, steps: list[str]) -> str:
        if self._document.keys() & set(_ENTITIES):
            return ""  # It has two of them rather than none.
        for name in self._document:
            intended = similar_name(name, _ENTITIES)
            if intended is not None:
                self.renamed.add(json_pointer([name]))
                return f"rename {name!r} to {intended!r}"
        return ""

    def _missing(self, finding: Finding, steps: list[str]) -> str:
        *parent_steps, name = steps
        parent = value_at(self._document, parent_steps)
        structure = self._structure_at(parent_steps)
        if isinstance(parent, dict):
            known = structure.known if structure else frozenset()
            misspelled = similar_name(name, [other for other in parent if other not in known])
            if misspelled is not None:
                self.renamed.add(json_pointer([*parent_steps, misspelled]))
                return f"rename {misspelled!r} to {name!r}"
        if name in ("schemaURL", "_schemaURL") and structure and not structure.is_open:
            return f"add {name!r}: {getattr(structure.classes[0], '__schema_url__', '')!r}"
        return _HINT_BY_MISSING_FIELD.get(name, "")

    def _wrong_type(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        if isinstance(value, str) and _is_quoted(value, finding.expected):
            return "remove the quotes"
        structure = self._structure_at(steps)
        if isinstance(value, list) and structure and issubclass(structure.classes[0], FacetModel):
            field = structure.list_field(steps[-1])
            if field is not None:
                return f"move the list into {field!r} of a facet with '_producer' and '_schemaURL'"
        return ""

    def _wrong_value(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        allowed = re.findall(r"'([^']*)'", finding.expected)
        intended = similar_name(value, allowed) if isinstance(value, str) else None
        return f"did you mean {intended!r}?" if intended else ""

    def _not_allowed(self, finding: Finding, steps: list[str]) -> str:
        *parent_steps, name = steps
        structure, parent = self._structure_at(parent_steps), value_at(self._document, parent_steps)
        if structure is None or not isinstance(parent, dict):
            return ""
        intended = similar_name(name, sorted(structure.known.difference(parent)))
        if intended is None:
            return f"remove it; {structure.classes[0].__name__} has {', '.join(sorted(structure.known))}"
        self.renamed.add(finding.pointer)
        return f"rename it to {intended!r}"

    def _date_time(self, finding: Finding, steps: list[str]) -> str:
        text = value_at(self._document, steps)
        if not isinstance(text, str):
            return ""
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return "add the time of day and the UTC offset"
        if not re.match(r"\d{4}-\d\d-\d\d", text):
            return ""
        fixes = []
        if text[10:11] not in ("T", "t"):
            fixes.append("separate date and time with 'T'")
        if not re.search(r"([Zz]|[+-]\d\d:\d\d)$", text[10:]):
            fixes.append("add the UTC offset, such as 'Z' or '+01:00'")
        if text[16:19] == ":60":
            fixes.append("write second 59 instead of the leap second, which Python's datetime does not have")
        return ", and ".join(fixes)

    def _uuid(self, finding: Finding, steps: list[str]) -> str:
        return "derive a UUID from the id with uuid.uuid5, and use it in all events of the run"

    def _not_json(self, finding: Finding, steps: list[str]) -> str:
        value = value_at(self._document, steps)
        return "remove the field" if isinstance(value, float) else ""


_ENTITIES = ("run", "job", "dataset")
"""The fields that determine the kind of an event."""

_HINT_BY_CODE: dict[str, Callable[[Hints, Finding, list[str]], str]] = {
    "OL002": Hints._not_an_event,
    "OL003": Hints._missing,
    "OL004": Hints._wrong_type,
    "OL005": Hints._wrong_value,
    "OL006": Hints._not_allowed,
    "OL011": Hints._date_time,
    "OL012": Hints._uuid,
    "OL015": Hints._not_json,
}


def _is_quoted(text: str, expected: str) -> bool:
    """Return whether a string contains the expected number or boolean."""
    if expected == "true or false":
        return text in ("true", "false")
    number = {"an integer": r"-?\d+", "a number": r"-?\d+(\.\d+)?([eE][+-]?\d+)?"}.get(expected)
    return number is not None and re.fullmatch(number, text) is not None


_HINT_BY_MISSING_FIELD = {
    "_producer": "add '_producer', the URI of the code that created the facet",
    "_schemaURL": "add '_schemaURL', the URI of the JSON Schema that defines the facet",
    "producer": "add 'producer', the URI of the code that created the event",
    "eventTime": "add 'eventTime', such as '2026-11-21T08:30:00Z'",
    "runId": "add 'runId', the same UUID in all events of the run",
}
"""Hints for the fields that every event or facet requires."""
