"""Generate values that satisfy a definition, from its schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from tests.oracle import values
from tests.oracle.schemas import BASES, CORE, PROPOSALS, RELEASED, Definition, Place, core, resolve

DEPTH = 4
"""How deep the optional parts of a value nest on their own; the required ones go as deep as they must."""

_ANNOTATIONS = {"description", "title", "examples", "deprecated", "documentation", "$comment"}


@dataclass
class Plan:
    """What a schema asks for, its references and its `allOf` folded in."""

    types: list[str] = field(default_factory=list)
    format: str = ""
    minimum: int | None = None
    values: list[Any] = field(default_factory=list)
    choices: list[Plan] = field(default_factory=list)
    properties: dict[str, Plan] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    dependent: dict[str, list[str]] = field(default_factory=dict)
    items: Plan | None = None
    others: Plan | None = None
    """The plan of every other property; None for any value."""
    closed: bool = False
    """Whether other properties are forbidden."""
    map_of: str = ""
    """The base facet whose map this is, "" for other objects."""


@cache
def plan_of(definition: Definition) -> Plan:
    """Return the plan of a definition; a recursive one holds itself."""
    plan = Plan()
    _PENDING[definition] = plan
    _fold(definition.document, definition.schema, plan)
    return plan


_PENDING: dict[Definition, Plan] = {}


def _inner(document: str, schema: Any) -> Plan:
    if isinstance(schema, dict) and set(schema) - _ANNOTATIONS == {"$ref"}:
        target = resolve(document, schema["$ref"])
        return _PENDING.get(target) or plan_of(target)
    plan = Plan()
    _fold(document, schema, plan)
    return plan


def _fold(document: str, schema: Any, plan: Plan) -> None:
    if schema is True:
        return
    for keyword, value in schema.items():
        if keyword in _ANNOTATIONS or (keyword == "additionalProperties" and value is True):
            continue
        if keyword == "$ref":
            target = resolve(document, value)
            _fold(target.document, target.schema, plan)
        elif keyword == "allOf":
            for part in value:
                _fold(document, part, plan)
        elif keyword in ("oneOf", "anyOf"):
            if len(value) == 1:
                _fold(document, value[0], plan)
            else:
                plan.choices = [_inner(document, choice) for choice in value]
        elif keyword == "type":
            plan.types = value if isinstance(value, list) else [value]
        elif keyword == "properties":
            for name, inner in value.items():
                plan.properties[name] = _inner(document, inner)
        elif keyword == "required":
            plan.required = [*plan.required, *value]
        elif keyword == "dependentRequired":
            plan.dependent.update(value)
        elif keyword == "additionalProperties" and value is False:
            plan.closed = True
        elif keyword == "additionalProperties":
            plan.others = _inner(document, value)
            if "$ref" in value and resolve(document, value["$ref"]).document == CORE:
                plan.map_of = resolve(document, value["$ref"]).name
        elif keyword == "items":
            plan.items = _inner(document, value)
        elif keyword in ("enum", "const"):
            plan.values = value if keyword == "enum" else [value]
        elif keyword == "format":
            plan.format = value
        elif keyword == "minimum":
            plan.minimum = value
        elif keyword == "not":
            # The events' own: they are composed so that the fields never meet.
            assert set(value) == {"required"}
        else:
            raise NotImplementedError(f"{keyword} in {document}: teach the documents of the oracle about it")


class Maker:
    """Makes values, each from the next numbers of `random`.

    Args:
        random: Where every decision comes from.
        fullness: How likely an optional property is there.
        strangeness: How likely an object that allows unknown properties has some.
    """

    def __init__(self, random: Random, fullness: float = 0.4, strangeness: float = 0.15) -> None:
        self.random = random
        self.fullness = fullness
        self.strangeness = strangeness

    def make(self, definition: Definition) -> Any:
        """Return a value that satisfies a definition, without the schemas of its facets."""
        return self._make(plan_of(definition), DEPTH)

    def facet(self, base: str, key: str) -> dict[str, Any]:
        """Return a facet that is valid under `key` of the map with the base facet `base`."""
        place = Place(base, key)
        facet: dict[str, Any]
        if place not in RELEASED:
            return {**self.make(core(base))}
        proposal = PROPOSALS.get(place)
        if proposal is not None and self.random.random() < 0.4:
            facet = self.make(proposal)
            facet["_schemaURL"] = self.random.choice(
                (proposal.url, proposal.document, f"https://example.com/{proposal.file}#")
            )
            return facet
        if base in ("JobFacet", "DatasetFacet") and self.random.random() < 0.08:
            return {**self.make(core(base)), "_deleted": True}
        facet = self.make(RELEASED[place])
        if self.random.random() < 0.5:
            facet["_schemaURL"] = RELEASED[place].url
        return facet

    def _make(self, plan: Plan, depth: int) -> Any:
        if plan.choices:
            return self._make(self._choice(plan.choices, depth), depth)
        if plan.values:
            return self.random.choice(plan.values)
        kind = self.random.choice(plan.types) if plan.types else "any"
        if kind == "string":
            return self._string(plan)
        if kind == "integer":
            return values.integer(self.random, plan.minimum)
        if kind == "number":
            return values.number(self.random)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "array":
            return self._array(plan, depth)
        if kind == "object":
            return self._facets(plan, depth) if plan.map_of else self._object(plan, depth)
        assert kind == "any", kind
        return values.anything(self.random, min(max(depth, 0), 2))

    def _choice(self, choices: list[Plan], depth: int) -> Plan:
        """Pick a branch; one that leads back into itself only while there is depth left."""
        if depth > 0:
            return self.random.choice(choices)
        ends = [
            choice
            for choice in choices
            if not any(choice.properties[name].choices for name in choice.required)
        ]
        return self.random.choice(ends or choices)

    def _string(self, plan: Plan) -> str:
        if plan.format == "date-time":
            return values.date_time(self.random)
        if plan.format == "uuid":
            return values.uuid(self.random)
        return values.string(self.random)

    def _array(self, plan: Plan, depth: int) -> list[Any]:
        if depth <= 0 or plan.items is None:
            return []
        return [self._make(plan.items, depth - 1) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]

    def _object(self, plan: Plan, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, inner in plan.properties.items():
            if name in plan.required or (depth > 0 and self.random.random() < self.fullness):
                made[name] = self._make(inner, depth - 1)
        for name, needed in plan.dependent.items():
            for other in needed if name in made else ():
                made.setdefault(other, self._make(plan.properties[other], depth - 1))
        if plan.others is not None:
            for _ in range(self.random.choice((0, 1, 2))):
                made.setdefault(values.unknown_key(self.random), self._make(plan.others, depth - 1))
        elif not plan.closed and self.random.random() < self.strangeness:
            for _ in range(self.random.choice((1, 1, 2))):
                made.setdefault(self._unknown_key(plan), values.anything(self.random, 2))
        return made

    def _unknown_key(self, plan: Plan) -> str:
        """Return a name the schema does not know, often one that looks like a name it does."""
        key = values.unknown_key(self.random)
        if plan.properties and self.random.random() < 0.4:
            known = self.random.choice(list(plan.properties))
            snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in known)
            key = self.random.choice((snake, snake.strip("_"), known.upper(), f"{known} "))
        return f"{key}_" if key in plan.properties or key in EVENT_PARTS else key

    def _facets(self, plan: Plan, depth: int) -> dict[str, Any]:
        """Return a map of facets, known and unknown ones, whether an entity's own or quoted in a facet."""
        if depth <= 0:
            return {}
        known = [place.key for place in RELEASED if place.base == plan.map_of]
        keys = [
            self.random.choice(known) if self.random.random() < 0.8 else values.unknown_key(self.random)
            for _ in range(self.random.choice((0, 1, 1, 2)))
        ]
        return {key: self.facet(plan.map_of, key) for key in dict.fromkeys(keys)}


EVENT_PARTS = ("run", "job", "dataset")
"""The fields that decide an event's kind: unknown to some kinds, but never made up for them."""

assert set(BASES) == {place.base for place in RELEASED}
