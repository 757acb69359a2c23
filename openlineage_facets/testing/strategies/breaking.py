"""Every way to make one place of a valid document wrong, found along the classes that read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from openlineage_facets.base.entities import EventModel, FacetModel
from openlineage_facets.testing.strategies.kinds import (
    Choice,
    Constants,
    Facets,
    Field,
    Kind,
    ListOf,
    MapOf,
    Object,
    Scalar,
    fields_of,
)
from openlineage_facets.testing.strategies.making import EVENT_PARTS, has_rules, holds

__all__ = ["ABSENT", "Break", "Steps", "breaks_of"]

Steps: TypeAlias = "tuple[str | int, ...]"
"""Keys and indexes from the document to a place in it."""

ABSENT: Any = object()
"""What stands in a place that is taken out."""


class Break(NamedTuple):
    """One change that makes a valid document invalid.

    Attributes:
        steps: The place that changes.
        value: What stands there afterwards, `ABSENT` where it is taken out.
        wrong: The place that is wrong then: the one that changes, or the object that now lacks something.
        change: What the change is, in words.
    """

    steps: Steps
    value: Any
    wrong: Steps
    change: str


def breaks_of(cls: type[BaseModel], document: Any, steps: Steps = ()) -> Iterator[Break]:
    """Yield every break of a document that `cls` reads, outer places before inner ones."""
    fields = fields_of(cls)
    for field in fields:
        yield from _breaks_of_field(cls, field, document, steps)
    if has_rules(cls):
        yield from _breaks_of_rules(cls, document, steps)
    for field in fields:
        if field.wire in document:
            yield from _inner_breaks(field.kind, document[field.wire], (*steps, field.wire))


def _breaks_of_field(
    cls: type[BaseModel], field: Field, document: Mapping[str, Any], steps: Steps
) -> Iterator[Break]:
    place = (*steps, field.wire)
    if issubclass(cls, FacetModel) and field.wire == "_deleted" and document.get("_deleted") is True:
        return  # Without it, the facet would have to be all that its class says.
    if field.wire not in document:
        if not _takes(field.kind, None):
            yield Break(place, None, place, "null for an absent field")
        return
    if field.required:
        if not (issubclass(cls, EventModel) and field.wire in EVENT_PARTS):
            yield Break(place, ABSENT, place, "a required field left out")
        elif field.wire == "job" and "run" in document:
            yield Break(place, ABSENT, place, "a run without its job")
        elif field.wire != "run":
            yield Break(place, ABSENT, steps, "neither run, job nor dataset")
    yield from _wrong_values(field.kind, place)


def _breaks_of_rules(cls: type[BaseModel], document: dict[str, Any], steps: Steps) -> Iterator[Break]:
    for field in fields_of(cls):
        if not field.required and field.wire in document:
            without = {name: value for name, value in document.items() if name != field.wire}
            if not holds(cls, without):
                yield Break((*steps, field.wire), ABSENT, steps, "a field left out that another needs")


def _inner_breaks(kind: Kind, value: Any, steps: Steps) -> Iterator[Break]:
    """Yield the breaks inside a value."""
    if isinstance(kind, Object):
        yield from breaks_of(kind.cls, value, steps)
    elif isinstance(kind, Facets):
        for key, facet in value.items():
            yield from _breaks_of_facet(kind, key, facet, (*steps, key))
    elif isinstance(kind, ListOf):
        for number, item in enumerate(value):
            yield from _wrong_values(kind.items, (*steps, number))
            yield from _inner_breaks(kind.items, item, (*steps, number))
    elif isinstance(kind, MapOf):
        for key, item in value.items():
            yield from _wrong_values(kind.values, (*steps, key))
            yield from _inner_breaks(kind.values, item, (*steps, key))
    elif isinstance(kind, Choice) and kind.counted is None:
        reads = [one for one in kind.branches if isinstance(one, Object) and isinstance(value, dict)]
        branch = next((one for one in reads if holds(one.cls, value)), None)
        if branch is not None:
            told = {name for one in reads for name, kind in _constants(one)}
            for found in breaks_of(branch.cls, value, steps):
                # A wrong value of the field that tells the branches apart leaves open which one was meant.
                if found.steps[: len(steps) + 1] not in [(*steps, name) for name in told]:
                    yield found


def _constants(kind: Object) -> list[tuple[str, Kind]]:
    return [(field.wire, field.kind) for field in fields_of(kind.cls) if isinstance(field.kind, Constants)]


def _breaks_of_facet(kind: Facets, key: str, facet: dict[str, Any], steps: Steps) -> Iterator[Break]:
    yield from _wrong_types(("object",), steps)
    classes = _classes(kind, key, facet)
    for found in breaks_of(classes[0], facet, steps):
        # The schema URL decides between two spellings: a wrong one leaves open which was meant.
        if len(classes) == 1 or found.steps != (*steps, "_schemaURL"):
            yield found


def _classes(kind: Facets, key: str, facet: Mapping[str, Any]) -> tuple[type[FacetModel], ...]:
    """Return the classes that may read a facet, the one that does so first."""
    slot = None if kind.quoted is not None else kind.container.__slots_by_key__.get(key)
    is_deletable = "_deleted" in {field.wire for field in fields_of(kind.base)}
    if slot is None or (is_deletable and facet.get("_deleted") is True):
        return (kind.base,)
    named = _file(facet["_schemaURL"])
    return tuple(sorted(slot.classes(), key=lambda cls: _file(cls.__schema_url__) != named))


def _file(url: str) -> str:
    return url.partition("#")[0].rpartition("/")[2]


_VALUES: Mapping[str, tuple[Any, str]] = {
    "null": (None, "null"),
    "boolean": (True, "a boolean"),
    "integer": (7, "an integer"),
    "number": (0.5, "a fraction"),
    "string": ("7", "a string"),
    "array": ([], "an array"),
    "object": ({}, "an object"),
}
"""A value of each JSON type."""

_TEXT = ("string", "uri", "uuid", "date-time")


def _types(kind: Kind) -> tuple[str, ...]:
    """Return the JSON types that a kind takes; all of them where it can't be told."""
    if isinstance(kind, Scalar):
        if kind.name in ("number", "float"):
            return ("integer", "number")
        if kind.name in _TEXT:
            return ("string",)
        return (
            ("integer",) if kind.name == "int" else (kind.name,) if kind.name in _VALUES else tuple(_VALUES)
        )
    if isinstance(kind, (Object, Facets, MapOf)):
        return ("object",)
    if isinstance(kind, ListOf):
        return ("array",)
    if isinstance(kind, Choice):
        return tuple({name for branch in kind.branches for name in _types(branch)})
    return tuple(_VALUES)


def _takes(kind: Kind, value: Any) -> bool:
    """Tell whether a kind may take a scalar value."""
    if isinstance(kind, Constants):
        return value in kind.values
    if isinstance(kind, Choice):
        return any(_takes(branch, value) for branch in kind.branches)
    return value is not None or "null" in _types(kind)


def _wrong_types(types: tuple[str, ...], steps: Steps) -> Iterator[Break]:
    for name, (value, words) in _VALUES.items():
        if name not in types:
            yield Break(steps, value, steps, f"{words} where none may stand")


def _wrong_values(kind: Kind, steps: Steps) -> Iterator[Break]:
    """Yield what may not stand in a place."""
    if isinstance(kind, Constants):
        values: tuple[Any, ...] = ("no such value", 7, None, [], {})
        for value in values:
            if value not in kind.values:
                yield Break(steps, value, steps, "none of the values that may stand here")
        return
    yield from _wrong_types(_types(kind), steps)
    if isinstance(kind, Scalar):
        for value, words in _NEARLY.get(kind.name, ()):
            yield Break(steps, value, steps, words)
        if "ge" in kind.limits:
            yield Break(steps, kind.limits["ge"] - 1, steps, "a number below the least")
        if "le" in kind.limits:
            yield Break(steps, kind.limits["le"] + 1, steps, "a number above the greatest")


_NEARLY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "date-time": (
        ("2025-03-09T06:15:02", "a date-time without an offset"),
        ("2025-03-09 06:15:02Z", "a date-time with a space"),
        ("2025-02-30T06:15:02Z", "a day that no calendar has"),
        ("2025-03-09", "a date"),
    ),
    "uuid": (
        ("0195793b2c4e7f18a3d65be0917c42fd", "a UUID without hyphens"),
        ("urn:uuid:0195793b-2c4e-7f18-a3d6-5be0917c42fd", "a UUID as a URN"),
        ("0195793b-2c4e-7f18-a3d6-5be0917c42f", "a UUID cut short"),
    ),
}
"""Texts that look like what a format asks for."""
