"""Normalize schemas: `allOf` merged, every keyword accounted for, references resolved, all of it frozen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from . import ir
from .dependencies import LONGEST_CHAIN
from .documents import Document, Key, Spec
from .errors import SchemaError, pointer_of
from .keywords import (
    CONSTRAINTS,
    CORE_FILE_KEYWORDS,
    FACET_FILE_KEYWORDS,
    TYPES,
    unknown_keyword,
    with_integers,
)
from .merge import Merged, Reference, json_type, meets


@dataclass(frozen=True)
class Schema:
    """One schema, its `allOf` merged into it.

    Two schemas are equal if they describe the same values in the same words, wherever they are.

    Attributes:
        document: The document that holds it.
        pointer: JSON Pointer to it.
        references: The definitions it refers to or extends.
        additional: `additionalProperties`, None if absent; of a typed map, the schema of its values.
        key_pattern: The pattern that all keys of a typed map match.
        branches: The alternatives of `oneOf` or `anyOf`.
        exactly_one: Whether they are those of `oneOf`.
    """

    document: Document = field(compare=False, repr=False)
    pointer: str = field(compare=False)
    doc: str = ""
    own_doc: bool = False
    deprecated: bool = False
    types: tuple[str, ...] = ()
    format: str | None = None
    values: ir.Constants | None = None
    references: tuple[Reference, ...] = ()
    properties: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    additional: Schema | bool | None = None
    key_pattern: str | None = None
    items: Schema | None = None
    branches: tuple[Schema, ...] = ()
    exactly_one: bool = False
    rules: tuple[ir.Rule, ...] = ()
    constraints: ir.Keywords = ()

    @property
    def is_object_with_fields(self) -> bool:
        """Whether the schema constrains single properties."""
        return bool(self.properties or self.required or self.rules)

    @property
    def is_enumeration(self) -> bool:
        """Whether the schema allows several strings and nothing else."""
        values = self.values or ()
        return len(values) > 1 and all(isinstance(value, str) for value in values)

    @property
    def parts(self) -> tuple[Schema, ...]:
        """The schemas directly inside."""
        single = [part for part in (self.additional, self.items) if isinstance(part, Schema)]
        return (*self.properties.values(), *self.branches, *single)

    @property
    def referred(self) -> Iterator[Key]:
        """The definitions that the schema, or a schema inside it, refers to or extends."""
        yield from (reference.key for reference in self.references)
        for part in self.parts:
            yield from part.referred

    def of_each_type(self) -> tuple[Schema, ...]:
        """Return, for each of several types, the schema of the values of that type."""
        kinds = self.types if self.values is None else tuple(dict.fromkeys(map(json_type, self.values)))
        if len(kinds) < 2:
            return (self,)
        places = {kind: f"{self.pointer}/type/{number}" for number, kind in enumerate(kinds)}
        places["object"] = self.pointer
        return tuple(replace(self.of_types({kind}), pointer=places[kind]) for kind in kinds)

    def of_types(self, kinds: Set[str]) -> Schema:
        """Return the schema of the values of some of the types."""
        values = self.values
        if values is not None:
            values = ir.Constants(value for value in values if json_type(value) in kinds)
        schema = replace(
            self,
            types=tuple(kind for kind in TYPES if kind in kinds),
            format=self.format if "string" in kinds else None,
            values=None if kinds == {"null"} else values,
            items=self.items if "array" in kinds else None,
            constraints=tuple(
                (name, bound) for name, bound in self.constraints if kinds & {*CONSTRAINTS[name]}
            ),
        )
        if "object" in kinds:
            return schema
        return replace(schema, properties={}, required=(), additional=None, key_pattern=None, rules=())

    def error(self, keyword: str, message: str) -> SchemaError:
        """Return an error about a keyword of this schema."""
        return self.document.error(f"{self.pointer}{pointer_of([keyword])}", message)


@dataclass(frozen=True)
class Normalized:
    """The definitions of every document.

    Attributes:
        spec: The documents.
        definitions: The schema of each definition, in the order of documents and definitions.
    """

    spec: Spec
    definitions: Mapping[Key, Schema]


def normalize(spec: Spec) -> Normalized:
    """Return every definition of `spec`, normalized.

    Raises:
        SchemaError: A schema holds a keyword that is unknown or contradicts another.
    """
    definitions: dict[Key, Schema] = {}
    for document in spec.documents:
        definitions |= normalized_definitions(spec, document)
    return Normalized(spec, definitions)


def normalized_definitions(spec: Spec, document: Document) -> dict[Key, Schema]:
    """Return the definitions of one document of `spec`, normalized.

    Raises:
        SchemaError: A schema holds a keyword that is unknown or contradicts another.
    """
    known = CORE_FILE_KEYWORDS if document.is_core else FACET_FILE_KEYWORDS
    for keyword in document.schema:
        if keyword not in known:
            raise document.error(pointer_of([keyword]), unknown_keyword(keyword, known))
    if not document.definitions:
        raise document.error("/$defs", "no definitions; add one under '$defs' or delete the file")
    return {
        (document.schema_id, name): normalized(spec, document, schema, pointer_of(["$defs", name]))
        for name, schema in document.definitions.items()
    }


def normalized(spec: Spec, document: Document, schema: Any, pointer: str) -> Schema:
    """Return the schema at `pointer` of `document`, and the schemas inside it, normalized."""
    if schema is True or schema == {}:
        return Schema(document, pointer)
    merged = Merged(spec, document, schema, pointer)
    _assert_refers_to_object(spec, document, merged)
    values, constraints = merged.values, merged.constraints
    if values is not None and constraints:
        values, constraints = ir.Constants(value for value in values if meets(constraints, value)), {}
        if not values:
            raise document.error(pointer, "no constant value meets the constraints; change one of them")

    def inner(part: Any, place: str) -> Schema:
        return normalized(spec, document, part, place)

    def branch(part: Any, place: str) -> Any:
        if merged.types and isinstance(part, Mapping) and not part.keys().isdisjoint(_ELSEWHERE):
            more = _allowed_types(spec, document, part, place) - with_integers(merged.types)
            if more:
                raise document.error(place, _other_types(more, "the schema with this branch"))
            return part
        restricted = _restricted(part, merged.types)
        if restricted is None:
            types = " or ".join(merged.types)
            message = f"no value has this type and {types!r}, which the schema with this branch requires"
            raise document.error(f"{place}/type", f"{message}; remove the branch")
        return restricted

    described = Schema(
        document,
        pointer,
        doc=doc_of(schema),
        own_doc="description" in schema,
        deprecated=schema.get("deprecated") is True,
    )
    additional = merged.additional
    if isinstance(additional, Mapping):
        additional = inner(additional, merged.additional_place[1])
    result = replace(
        described,
        types=merged.types,
        format=merged.format,
        values=values,
        references=tuple(merged.references),
        properties={name: inner(*part) for name, part in merged.properties.items()},
        required=tuple(merged.required),
        additional=additional,
        key_pattern=merged.key_pattern,
        items=None if merged.items is None else inner(*merged.items),
        branches=tuple(inner(branch(part, place), place) for part, place in merged.branches),
        exactly_one=merged.exactly_one,
        rules=merged.rules,
        constraints=tuple(constraints.items()),
    )
    kinds = set(merged.types) - {"null"}
    if all(kinds <= set(CONSTRAINTS[name]) for name in constraints):
        return result
    return replace(described, branches=result.of_each_type())


def doc_of(schema: Any) -> str:
    """Return the description of a schema, or else its title, and its examples."""
    if not isinstance(schema, Mapping):
        return ""
    text = schema.get("description") or schema.get("title") or ""
    examples = schema.get("examples", ())
    if examples:
        listed = ", ".join(f"`{json.dumps(example, ensure_ascii=False)}`" for example in examples)
        text = f"{text} {'Example' if len(examples) == 1 else 'Examples'}: {listed}."
    return str(text).strip()


_ELSEWHERE = ("$ref", "allOf")
"""Keywords of a schema whose types are not next to them."""


def _assert_refers_to_object(spec: Spec, document: Document, merged: Merged) -> None:
    """Reject a `$ref` to a definition of more than objects next to the type `object`, which has no effect."""
    if not merged.types or len(merged.references) != 1 or merged.has_fields:
        return  # Several definitions, and those that get more fields, are classes.
    (reference,) = merged.references
    more = _types_of(spec, reference.key) - {"object"}
    if more:
        raise document.error(reference.pointer, _other_types(more, "the type 'object' next to it"))


def _other_types(kinds: Set[str], expected: str) -> str:
    """Return the message about a schema that allows more types than expected."""
    found = " or ".join(kind for kind in TYPES if kind in kinds)
    return f"allows {found!r}, unlike {expected}; change one of the types"


def _types_of(spec: Spec, key: Key, depth: int = 0) -> frozenset[str]:
    """Return the JSON types that a definition allows, none if it has an error, which is reported later."""
    if key not in spec.types and depth <= LONGEST_CHAIN:
        spec.types[key] = frozenset()  # If it refers to itself.
        owner, place = spec.by_id[key[0]], pointer_of(["$defs", key[1]])
        with suppress(SchemaError):
            spec.types[key] = _allowed_types(spec, owner, owner.definitions[key[1]], place, depth + 1)
    return spec.types.get(key, frozenset())


def _allowed_types(
    spec: Spec, document: Document, schema: Any, pointer: str, depth: int = 0
) -> frozenset[str]:
    """Return the JSON types that a schema and the definitions that it refers to allow."""
    merged = Merged(spec, document, schema, pointer)
    allowed = with_integers(merged.types or TYPES)
    if merged.values is not None:
        allowed &= set(map(json_type, merged.values))
    for reference in merged.references:
        allowed &= _types_of(spec, reference.key, depth)
    if merged.branches:
        allowed &= {
            kind
            for part, place in merged.branches
            for kind in _allowed_types(spec, document, part, place, depth)
        }
    return allowed


def _restricted(branch: Any, types: Sequence[str]) -> Any:
    """Return a branch with the types that the schema around it allows as well, None if there are none."""
    branch = {} if branch is True else branch
    if not types or branch is False:
        return branch
    own = branch.get("type", types)
    own = [own] if isinstance(own, str) else own
    both = [kind for kind in own if kind in types or (kind == "integer" and "number" in types)]
    if "number" in own and "number" not in types and "integer" in types and "integer" not in both:
        both.append("integer")
    return {**branch, "type": both[0] if len(both) == 1 else both} if both else None
