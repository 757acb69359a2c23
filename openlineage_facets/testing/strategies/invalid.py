"""A strategy for documents with exactly one error, and all mutations that introduce one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel

from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.model.spec_models import EventModel, FacetModel
from openlineage_facets.event_kind import EventKind
from openlineage_facets.testing.strategies.field_kinds import (
    Alias,
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
from openlineage_facets.testing.strategies.objects import EVENT_PARTS, accepts, has_rules, object_strategies
from openlineage_facets.testing.strategies.scalars import pattern_check
from openlineage_facets.testing.strategies.valid import event_classes

Steps: TypeAlias = "tuple[str | int, ...]"
"""Keys and indexes of a location in a document."""

ABSENT: Any = object()
"""The value of a mutation that removes a field."""


class Mutation(NamedTuple):
    """A change that makes a valid document invalid.

    Attributes:
        steps: The location that changes.
        value: The new value, `ABSENT` to remove the field.
        wrong: The location of the error: the changed one, or the object that lacks a field.
        change: A description.
    """

    steps: Steps
    value: Any
    wrong: Steps
    change: str


def mutations_of(cls: type[BaseModel], document: Any, steps: Steps = ()) -> Iterator[Mutation]:
    """Yield all mutations of a document that is valid for `cls`, outer locations first."""
    fields = fields_of(cls)
    for field in fields:
        yield from _field_mutations(cls, field, document, steps)
    if has_rules(cls):
        yield from _rule_mutations(cls, document, steps)
    for field in fields:
        if field.wire in document:
            yield from _inner_mutations(field.kind, document[field.wire], (*steps, field.wire))


def _field_mutations(
    cls: type[BaseModel], field: Field, document: Mapping[str, Any], steps: Steps
) -> Iterator[Mutation]:
    place = (*steps, field.wire)
    if issubclass(cls, FacetModel) and field.wire == "_deleted" and document.get("_deleted") is True:
        return  # Without it, the facet would have to satisfy its whole schema.
    if field.wire not in document:
        if not _accepts(field.kind, None):
            yield Mutation(place, None, place, "null for an absent field")
        return
    if field.required:
        if not (issubclass(cls, EventModel) and field.wire in EVENT_PARTS):
            yield Mutation(place, ABSENT, place, "a required field left out")
        elif field.wire == "job" and "run" in document:
            yield Mutation(place, ABSENT, place, "a run without its job")
        elif field.wire != "run":
            yield Mutation(place, ABSENT, steps, "neither run, job nor dataset")
    yield from _wrong_values(field.kind, document[field.wire], place)


def _rule_mutations(cls: type[BaseModel], document: dict[str, Any], steps: Steps) -> Iterator[Mutation]:
    for field in fields_of(cls):
        if not field.required and field.wire in document:
            without = {name: value for name, value in document.items() if name != field.wire}
            if not accepts(cls, without):
                yield Mutation((*steps, field.wire), ABSENT, steps, "a field left out that another needs")


def _inner_mutations(kind: Kind, value: Any, steps: Steps) -> Iterator[Mutation]:
    """Yield the mutations inside a value."""
    if isinstance(kind, Object):
        yield from mutations_of(kind.cls, value, steps)
    elif isinstance(kind, Alias):
        yield from _inner_mutations(kind.value, value, steps)
    elif isinstance(kind, Facets):
        for key, facet in value.items():
            yield from _facet_mutations(kind, key, facet, (*steps, key))
    elif isinstance(kind, ListOf):
        for number, item in enumerate(value):
            yield from _wrong_values(kind.items, item, (*steps, number))
            yield from _inner_mutations(kind.items, item, (*steps, number))
    elif isinstance(kind, MapOf):
        for key, item in value.items():
            yield from _wrong_values(kind.values, item, (*steps, key))
            yield from _inner_mutations(kind.values, item, (*steps, key))
    elif isinstance(kind, Choice) and kind.exactly_one is None:
        reads = [
            candidate
            for candidate in kind.branches
            if isinstance(candidate, Object) and isinstance(value, dict)
        ]
        branch = next((candidate for candidate in reads if accepts(candidate.cls, value)), None)
        if branch is not None:
            known = {name for candidate in reads for name, kind in _constants(candidate)}
            for mutation in mutations_of(branch.cls, value, steps):
                # With an invalid discriminator, several branches may be reported.
                if mutation.steps[: len(steps) + 1] not in [(*steps, name) for name in known]:
                    yield mutation


def _constants(kind: Object) -> list[tuple[str, Kind]]:
    return [(field.wire, field.kind) for field in fields_of(kind.cls) if isinstance(field.kind, Constants)]


def _facet_mutations(kind: Facets, key: str, facet: dict[str, Any], steps: Steps) -> Iterator[Mutation]:
    yield from _wrong_types(("object",), steps)
    classes = _classes(kind, key, facet)
    for mutation in mutations_of(classes[0], facet, steps):
        # The schema URL selects the wire format: with an invalid one, both may be reported.
        if len(classes) == 1 or mutation.steps != (*steps, "_schemaURL"):
            yield mutation


def _classes(kind: Facets, key: str, facet: Mapping[str, Any]) -> tuple[type[FacetModel], ...]:
    """Return the classes that can parse a facet, the selected one first."""
    slot = None if kind.embedded is not None else kind.container.__slots_by_key__.get(key)
    is_deletable = "_deleted" in {field.wire for field in fields_of(kind.base)}
    if slot is None or (is_deletable and facet.get("_deleted") is True):
        return (kind.base,)
    named = _file(facet["_schemaURL"])
    classes = slot.classes_of(facet["_schemaURL"]) or (kind.base,)
    return tuple(sorted(classes, key=lambda cls: _file(cls.__schema_url__) != named))


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

_TYPES_OF_SCALARS = {
    **dict.fromkeys(("uri", "uuid", "date-time"), ("string",)),
    **dict.fromkeys(("number", "float"), ("integer", "number")),
    "int": ("integer",),
    "any": tuple(_VALUES),
}
"""The JSON types of the scalars that are not named like one, and of numbers."""


def _types(kind: Kind) -> tuple[str, ...]:
    """Return the JSON types that a kind accepts; all of them if unknown."""
    if isinstance(kind, Scalar):
        return _TYPES_OF_SCALARS.get(kind.name, (kind.name,))
    if isinstance(kind, (Object, Facets, MapOf)):
        return ("object",)
    if isinstance(kind, ListOf):
        return ("array",)
    if isinstance(kind, Alias):
        return _types(kind.value)
    if isinstance(kind, Choice):
        return tuple({name for branch in kind.branches for name in _types(branch)})
    return tuple(_VALUES)


def _accepts(kind: Kind, value: Any) -> bool:
    """Return whether a kind may accept a scalar value."""
    if isinstance(kind, Constants):
        return value in kind.values
    if isinstance(kind, Alias):
        return _accepts(kind.value, value)
    if isinstance(kind, Choice):
        return any(_accepts(branch, value) for branch in kind.branches)
    return value is not None or "null" in _types(kind)


def _wrong_types(types: tuple[str, ...], steps: Steps) -> Iterator[Mutation]:
    for name, (value, words) in _VALUES.items():
        if name not in types:
            yield Mutation(steps, value, steps, f"{words} of the wrong type")


def _wrong_values(kind: Kind, value: Any, steps: Steps) -> Iterator[Mutation]:
    """Yield invalid values for the location of a valid one."""
    if isinstance(kind, Alias):
        kind = kind.value
    if isinstance(kind, Constants):
        others: tuple[Any, ...] = ("no such value", 7, None, [], {})
        for other in others:
            if other not in kind.values:
                yield Mutation(steps, other, steps, "a value that is not allowed")
        return
    yield from _wrong_types(_types(kind), steps)
    if isinstance(kind, Scalar):
        for near_miss, words in _NEAR_MISSES.get(kind.name, ()):
            yield Mutation(steps, near_miss, steps, words)
    if isinstance(kind, (Scalar, ListOf, MapOf)):
        for other, words in _beyond_limits(kind, value):
            yield Mutation(steps, other, steps, words)


def _beyond_limits(kind: Scalar | ListOf | MapOf, value: Any) -> Iterator[tuple[Any, str]]:
    """Yield values that violate one limit of a kind, derived from a valid value."""
    limits = kind.limits
    for name, step, words in _BOUNDS:
        if name in limits and (step == 0 or limits[name] + step != limits[name]):  # Large floats are equal.
            yield limits[name] + step, words
    if least := limits.get("min_length"):
        is_map = isinstance(kind, MapOf)
        yield dict(list(value.items())[: least - 1]) if is_map else value[: least - 1], "too short"
    repeats = isinstance(kind, Scalar) or (isinstance(kind, ListOf) and not kind.unique)
    if "max_length" in limits and repeats and value:
        longer = limits["max_length"] + 1
        yield (value * longer)[:longer], "too long"
    if "pattern" in limits:
        is_match = pattern_check(limits["pattern"])
        yield from ((text, "a text of another pattern") for text in _OTHER_TEXTS if not is_match(text))


_BOUNDS = (
    ("ge", -1, "a number below the least"),
    ("gt", 0, "a number that is not above its bound"),
    ("le", 1, "a number above the greatest"),
    ("lt", 0, "a number that is not below its bound"),
)
"""Limits of numbers, and what to add to violate them."""

_OTHER_TEXTS = ("", "orders", "ORDERS", "7", "✈")
"""Texts of which a pattern matches few."""


_NEAR_MISSES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "date-time": (
        ("2025-03-09T06:15:02", "a date-time without an offset"),
        ("2025-03-09 06:15:02Z", "a date-time with a space"),
        ("2025-02-30T06:15:02Z", "a day that does not exist"),
        ("2025-03-09", "a date"),
    ),
    "uuid": (
        ("0195793b2c4e7f18a3d65be0917c42fd", "a UUID without hyphens"),
        ("urn:uuid:0195793b-2c4e-7f18-a3d6-5be0917c42fd", "a UUID as a URN"),
        ("0195793b-2c4e-7f18-a3d6-5be0917c42f", "a truncated UUID"),
    ),
}
"""Invalid values that resemble a format."""


class InvalidDocument(NamedTuple):
    """A document with exactly one error.

    Attributes:
        document: A JSON object.
        pointer: JSON Pointer of the error. For a missing required field, of that field; for an invalid
            combination of fields, of their object.
        change: Describes how the document differs from a valid one.
    """

    document: dict[str, Any]
    pointer: str
    change: str


def invalid_documents(
    of: EventKind | type[BaseModel] | None = None, *, facets: Iterable[type[FacetModel]] | None = None
) -> SearchStrategy[InvalidDocument]:
    """Generate documents with exactly one error, and its location.

    A required field is missing, a value has another JSON type or format, is not an allowed constant, out of
    bounds, too short or too long, or does not match its pattern, or a field lacks another one that it
    requires. Documents that only cause warnings are not generated.

    Args:
        of: "run", "job" or "dataset" for events of that kind, or a class. Defaults to events of every kind.
        facets: The facet classes to use, as for `events`.

    Raises:
        ValueError: The kind is unknown.

    Example:
        >>> @given(strategies.invalid_documents())
        ... def test_my_backend_reports_the_location(invalid):
        ...     assert invalid.pointer in backend.post(json.dumps(invalid.document)).text
    """
    chosen = None if facets is None else tuple(facets)
    classes: tuple[type[BaseModel], ...] = (of,) if isinstance(of, type) else event_classes(of)
    return st.one_of([_mutated_document(cls, chosen) for cls in classes])


@st.composite
def _mutated_document(
    draw: st.DrawFn, cls: type[BaseModel], facets: tuple[type[FacetModel], ...] | None
) -> InvalidDocument:
    # Drawn before the document: values drawn after it would change their position with its size.
    change, location = draw(st.integers(0, 999)), draw(st.integers(0, 999))
    document = draw(object_strategies(facets).object(cls))
    by_change: dict[str, list[Mutation]] = {}
    for candidate in mutations_of(cls, document):
        by_change.setdefault(candidate.change, []).append(candidate)
    if not by_change:
        reject()
    candidates = list(by_change.values())[change % len(by_change)]
    mutation = candidates[location % len(candidates)]
    return InvalidDocument(_apply(document, mutation), json_pointer(mutation.wrong), mutation.change)


def _apply(document: dict[str, Any], change: Mutation) -> dict[str, Any]:
    changed = deepcopy(document)
    holder: Any = changed
    for step in change.steps[:-1]:
        holder = holder[step]
    if change.value is ABSENT:
        del holder[change.steps[-1]]
    else:
        holder[change.steps[-1]] = deepcopy(change.value)
    return changed
