"""The events that are sent to systems: every facet with all its fields, all kinds of events, all examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from openlineage_facets import validate
from openlineage_facets.validation.code_catalogue import EXAMPLES
from tests.conftest import ROOT
from tests.oracle.documents import Maker, Plan
from tests.oracle.events import KINDS_BY_BASE, wrapped
from tests.oracle.schemas import FACETS

RUN_ID = "0194c1d0-5a00-7c3e-9f10-2b7d4e8a6c31"
NOON = "2026-11-21T12:00:00Z"
_FOLDERS = (EXAMPLES, ROOT / "tests" / "reading" / "valid")


def sample_events() -> list[dict[str, Any]]:
    """Return valid events of all kinds, each once."""
    events = {json.dumps(event): event for event in (*_facet_events(), *_examples())}
    return list(events.values())


def runs() -> list[dict[str, Any]]:
    """Return the sample events that are run events."""
    return [event for event in sample_events() if event.get("run")]


def _facet_events() -> Iterator[dict[str, Any]]:
    for place, definition in FACETS:
        facet = {**_Complete().make(definition), "_schemaURL": definition.url}
        for number in range(len(KINDS_BY_BASE[place.base])):
            event = _ordinary(wrapped(place, facet, _Chosen(number)))
            if not _has_errors(event):
                yield event


def _examples() -> Iterator[dict[str, Any]]:
    for folder in _FOLDERS:
        for path in sorted(folder.rglob("*.json")):
            if "bad" in path.parts:
                continue
            try:
                event = json.loads(path.read_bytes())
            except ValueError:
                continue  # Several lines, which together show something.
            if isinstance(event, dict) and not _has_errors(event):
                yield event


def _has_errors(event: dict[str, Any]) -> bool:
    return any(one.severity == "error" for one in validate(event, rules=False))


def _ordinary(event: dict[str, Any]) -> dict[str, Any]:
    event["eventTime"] = NOON
    if "run" in event:
        event["run"]["runId"] = RUN_ID
        event["eventType"] = "COMPLETE"
    return event


class _Chosen(Random):
    """Makes every choice in the same way.

    Args:
        number: The number of the item that is chosen; the last one of fewer.
    """

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self._number = number

    def choice(self, seq: Any) -> Any:
        return seq[min(self._number, len(seq) - 1)]


class _Complete(Maker):
    """Makes values with all fields, and nothing unusual in them."""

    def __init__(self) -> None:
        super().__init__(_Chosen(1), fullness=1.0, strangeness=0.0)

    def _make(self, plan: Plan, depth: int) -> Any:
        if plan.choices or plan.values:
            return super()._make(plan, depth)
        kind = plan.types[0] if plan.types else "any"
        ordinary = {"integer": 7, "number": 7.5, "boolean": True, "any": "some value"}
        return ordinary[kind] if kind in ordinary else super()._make(plan, depth)

    def _string(self, plan: Plan) -> str:
        formats = {"date-time": NOON, "uuid": RUN_ID, "uri": "https://example.com/etl"}
        return formats.get(plan.format, "orders")
