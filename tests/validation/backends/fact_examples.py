"""Events to which a fact of a profile applies, and to which it does not.

`cases/BACKEND.yaml` has two changes of `base-event.yaml` for each fact: `applies`, and `not` if the unchanged
event is no example. A change is a JSON merge patch (RFC 7396); null removes a field. `{$characters: 7}` is a
text, `{$items: 7}` a list of datasets.
"""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDER = Path(__file__).parent


class Example(NamedTuple):
    """A fact of a backend, with an event to which it applies and one to which it does not."""

    backend: str
    fact: str
    applies: dict[str, Any]
    not_applies: dict[str, Any]


def base_event() -> dict[str, Any]:
    """Return the event that examples change."""
    return deepcopy(_base_event())


@cache
def _base_event() -> dict[str, Any]:
    event: dict[str, Any] = yaml.safe_load((FOLDER / "base-event.yaml").read_text())
    return event


@cache
def examples() -> list[Example]:
    """Return the examples of all backends."""
    return [
        Example(path.stem, fact, event_with(changes["applies"]), event_with(changes.get("not", {})))
        for path in sorted((FOLDER / "cases").glob("*.yaml"))
        for fact, changes in yaml.safe_load(path.read_text()).items()
    ]


def event_with(change: dict[str, Any]) -> dict[str, Any]:
    """Return the base event with a change; facets get the fields that all facets require."""
    event = _with_facet_fields(_patched(_base_event(), change))
    return event if "run" in event else {key: event[key] for key in event if key != "eventType"}


def _patched(value: Any, change: Any) -> Any:
    if isinstance(change, list):
        return [_patched(None, one) for one in change]
    if not isinstance(change, dict):
        return change
    if "$characters" in change:
        return "x" * change["$characters"]
    if "$items" in change:
        return [{"namespace": "shop", "name": f"public.orders{number}"} for number in range(change["$items"])]
    result = dict(value) if isinstance(value, dict) else {}
    for key, one in change.items():
        if one is None:
            result.pop(key, None)
        else:
            result[key] = _patched(result.get(key), one)
    return result


def _with_facet_fields(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_facet_fields(one) for one in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, one in value.items():
        if key in ("facets", "inputFacets", "outputFacets"):
            own = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/facet.json"}
            one = {name: {**own, **facet} for name, facet in one.items()}
        result[key] = _with_facet_fields(one)
    return result
