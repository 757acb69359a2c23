"""One of two versions of schemas: what applies to a value, its type as text, and its class."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..dependencies import reachable
from ..documents import Document, Key, Spec
from ..errors import SchemaError, SchemaErrors
from ..identifiers import class_name
from ..keywords import CHOICE_OF_EVENTS
from ..merge import json_type
from ..name import name
from ..normalize import Normalized, Schema, normalized, normalized_definitions

_DEEPEST = 3
"""Levels of lists, maps and alternatives that the description of a type shows."""


@dataclass(frozen=True)
class View:
    """A schema whose references are resolved: what applies to one value.

    Attributes:
        schema: The schema, or the definition that it refers to.
        name: The definition of the core that it refers to, "" for anything else.
        bases: The definitions of the core that it extends.
        properties: The schema of each property, inherited ones included.
        required: The required properties, inherited ones included.
        rules: Which properties require or exclude each other.
    """

    schema: Schema
    name: str
    bases: tuple[str, ...]
    properties: Mapping[str, Schema]
    required: frozenset[str]
    rules: frozenset[ir.Rule]


class SchemaVersion:
    """One of the two versions, normalized and named.

    Args:
        spec: Its schemas.

    Raises:
        SchemaErrors: Schemas are invalid.
    """

    def __init__(self, spec: Spec) -> None:
        self.definitions: dict[Key, Schema] = {}
        errors: list[SchemaError] = []
        for document in spec.documents:
            try:
                self.definitions |= normalized_definitions(spec, document)
            except SchemaError as error:
                errors.append(error)
        if errors:
            raise SchemaErrors(errors)
        self.spec = spec
        self._types: dict[int, tuple[Schema, frozenset[str]]] = {}
        """The JSON types of schemas with branches, by the ids of these schemas."""
        self._core = spec.core.schema_id
        names = name(Normalized(spec, self.definitions))
        classes = {(key[0], f"/$defs/{key[1]}"): named for key, named in names.definitions.items()}
        self._named = {**names.places, **classes}
        self._facets = {place for place, named in classes.items() if named.name.endswith("Facet")}

    def events(self, document: Document) -> Schema:
        """Return the schema at the top level of the core document; that of other files allows any value."""
        choice = {name: document.schema[name] for name in CHOICE_OF_EVENTS if name in document.schema}
        # No value is an event of two kinds, so it makes no difference whether matches are counted.
        return replace(normalized(self.spec, document, choice, ""), exactly_one=False)

    def class_of(self, schema: Schema) -> str:
        """Return the class generated from a schema, with its module unless it is a facet; "" if none is."""
        place = (schema.document.schema_id, schema.pointer)
        named = self._named.get(place)
        is_enumeration = schema.values is not None and all(isinstance(text, str) for text in schema.values)
        if named is None or not (schema.is_object_with_fields or schema.references or is_enumeration):
            return ""
        return named.name if place in self._facets else f"{named.module}.{named.name}"

    def classes(self, document: Document) -> list[str]:
        """Return the classes of the facets of a document, or else of its other definitions."""
        facets = [
            class_name(definition) for definition in document.definitions if definition.endswith("Facet")
        ]
        others = (
            self.class_of(self.definitions[document.schema_id, definition])
            for definition in document.definitions
        )
        return facets or [other for other in others if other]

    def view(self, schema: Schema) -> View:
        """Return a schema with its references to other definitions than those of the core resolved."""
        seen: set[Key] = set()
        while len(schema.references) == 1 and _is_reference(schema):
            key = schema.references[0].key
            if self._is_opaque(key) or key in seen:
                return View(schema, key[1], (), {}, frozenset(), frozenset())
            seen.add(key)
            schema = self.definitions[key]
        bases: list[str] = []
        properties: dict[str, Schema] = {}
        required: set[str] = set()
        rules: set[ir.Rule] = set()
        waiting = [schema]
        while waiting:
            extended = waiting.pop()
            for wire, part in extended.properties.items():
                properties.setdefault(wire, part)
            required |= set(extended.required)
            rules |= {part for rule in extended.rules for part in _parts(rule)}
            for reference in extended.references:
                if self._is_opaque(reference.key):
                    bases.append(reference.key[1])
                elif reference.key not in seen:
                    seen.add(reference.key)
                    waiting.append(self.definitions[reference.key])
        return View(schema, "", tuple(sorted(set(bases))), properties, frozenset(required), frozenset(rules))

    def json_types(self, schema: Schema) -> frozenset[str]:
        """Return the JSON types that a schema allows, empty for any."""
        schema = self.view(schema).schema
        if not schema.branches:
            if schema.values is not None:
                return frozenset(map(json_type, schema.values))
            return frozenset(schema.types or (("object",) if schema.references else ()))
        if id(schema) not in self._types:
            self._types[id(schema)] = schema, frozenset()  # For a schema that is among its branches.
            types = [self.json_types(branch) for branch in schema.branches]
            self._types[id(schema)] = schema, frozenset[str]().union(*types) if all(types) else frozenset()
        return self._types[id(schema)][1]

    def is_counted(self, schema: Schema) -> bool:
        """Return whether a value could match two branches of a oneOf, so that it differs from anyOf."""
        branches: dict[str, list[Schema]] = {}
        for branch in schema.branches if schema.exactly_one else ():
            types = self.json_types(branch)
            if not types:
                return True
            for kind in {"number" if kind == "integer" else kind for kind in types}:
                branches.setdefault(kind, []).append(branch)
        return not all(
            len(parts) == 1 or self._exclude_each_other(parts, kind) for kind, parts in branches.items()
        )

    def _exclude_each_other(self, schemas: Sequence[Schema], kind: str) -> bool:
        """Return whether schemas of a JSON type are different constants, or have properties that are."""
        if kind == "object":
            return bool(ir.discriminators(map(self.constants, schemas)))
        values = [self.view(schema).schema.values for schema in schemas]
        constants = [(json_type(value), value) for part in values for value in part or ()]
        return None not in values and len(set(constants)) == len(constants)

    def constants(self, schema: Schema) -> dict[str, ir.Constants]:
        """Return the constants of the required properties that have some."""
        view = self.view(schema)
        values = {
            name: self.view(part).schema.values
            for name, part in view.properties.items()
            if name in view.required
        }
        return {name: constants for name, constants in values.items() if constants is not None}

    def demanded(self, schema: Schema | None) -> Schema | None:
        """Return a schema, None if it allows any value, as an absent one does."""
        if schema is None:
            return None
        resolved = self.view(schema).schema
        return schema if resolved.branches or self.json_types(resolved) else None

    def described(self, schema: Schema, depth: int = 0) -> str:
        """Return the type of a schema, as texts of changes name it."""
        view = self.view(schema)
        if view.name:
            return view.name
        resolved = view.schema
        if resolved.values is not None:
            return f"one of {', '.join(json.dumps(value) for value in resolved.values)}"
        if resolved.branches:
            if depth == _DEEPEST:
                return "several types"
            branches = [self.described(branch, depth + 1) for branch in resolved.branches]
            return " or ".join(dict.fromkeys(branches))
        each = resolved.of_each_type()
        if len(each) > 1:
            return " or ".join(self.described(part, depth) for part in each)
        if "array" in resolved.types and resolved.items is not None and depth < _DEEPEST:
            return f"list of {self.described(resolved.items, depth + 1)}"
        if isinstance(resolved.additional, Schema) and not view.properties and depth < _DEEPEST:
            return f"map of {self.described(resolved.additional, depth + 1)}"
        text = " or ".join(resolved.types) or ("object" if view.properties or view.bases else "any")
        return f"{text} ({resolved.format})" if resolved.format else text

    def branch_text(self, schema: Schema) -> str:
        """Return the type of an alternative, the class for an object."""
        resolved = self.view(schema).schema
        named = self._named.get((resolved.document.schema_id, resolved.pointer))
        return named.name if named is not None else self.described(schema)

    def used_by_others(self, document: Document, users: Iterable[str]) -> set[str]:
        """Return the definitions of a document that some of its others refer to, directly or not."""
        used: set[str] = set()
        for definition in users:
            own = (document.schema_id, definition)
            reached = reachable(
                self._referred(self.definitions[own]), lambda key: self._referred(self.definitions[key])
            )
            used |= {other for schema_id, other in reached - {own} if schema_id == document.schema_id}
        return used

    def _referred(self, schema: Schema) -> list[Key]:
        return [key for key in schema.referred if not self._is_opaque(key)]

    def _is_opaque(self, key: Key) -> bool:
        """Return whether a definition is compared by name: changes of the core are listed once, there."""
        return key[0] == self._core


def _parts(rule: ir.Rule) -> list[ir.Rule]:
    """Return the rules with the same effect as one, in a form without order."""
    if isinstance(rule, ir.RequireWith):
        return [ir.RequireWith(rule.name, (needed,)) for needed in rule.needed]
    if isinstance(rule, ir.ForbidTogether):
        return [ir.ForbidTogether(tuple(sorted(rule.names)))]
    return [replace(rule, alternatives=tuple(sorted(tuple(sorted(names)) for names in rule.alternatives)))]


def _is_reference(schema: Schema) -> bool:
    return not (schema.is_object_with_fields or schema.additional not in (None, True))
