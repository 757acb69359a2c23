"""Merge the parts of an `allOf` into the schema around them, and reject what no Python type can express."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import SchemaValidator, ValidationError, core_schema

from . import ir
from .documents import Document, Key, Spec
from .errors import SchemaError, pointer_of, truncated_repr
from .keywords import (
    ASSERTED_FORMATS,
    CONSTRAINTS,
    COUNTS,
    EVERY_KEY,
    FIELD_ARGUMENTS,
    LARGEST_COUNT,
    SCHEMA_KEYWORDS,
    is_typed_map,
    pattern_problem,
    required_names,
    unknown_keyword,
    with_integers,
    without_annotations,
)


@dataclass(frozen=True)
class Reference:
    """A resolved `$ref`.

    Args:
        key: The definition it refers to.
        pointer: JSON Pointer of the `$ref`.
    """

    key: Key
    pointer: str = field(compare=False)


Part = tuple[Any, str]
"""A schema that is not yet normalized itself, and its JSON Pointer."""


class Merged:
    """The keywords of the schema at `pointer` of `document`, and of the parts of its `allOf`.

    Attributes:
        additional: `additionalProperties`, None if absent; of a typed map, the schema of its values.
        additional_place: The JSON Pointers of the schema with that keyword, and of its value.
        key_pattern: The pattern that all keys of a typed map match.
        branches: The alternatives of `oneOf` or `anyOf`.
        exactly_one: Whether they are those of `oneOf`.

    Raises:
        SchemaError: A keyword is unknown, or contradicts another.
    """

    def __init__(self, spec: Spec, document: Document, schema: Any, pointer: str) -> None:
        self.types: tuple[str, ...] = ()
        self.format: str | None = None
        self.values: ir.Constants | None = None
        self.references: list[Reference] = []
        self.properties: dict[str, Part] = {}
        self.required: dict[str, None] = {}
        self.additional: Any = None
        self.additional_place = ("", "")
        self.key_pattern: str | None = None
        self.items: Part | None = None
        self.branches: tuple[Part, ...] = ()
        self.exactly_one = False
        self.rules: tuple[ir.Rule, ...] = ()
        self.constraints: dict[str, int | float | str] = {}
        self._spec = spec
        self._document = document
        self._add(schema, pointer)
        self._assert_sound(schema, pointer)

    @property
    def has_fields(self) -> bool:
        """Whether the schema constrains single properties."""
        return bool(self.properties or self.required or self.rules)

    def _error(self, pointer: str, keyword: str, message: str) -> SchemaError:
        return self._document.error(pointer + pointer_of([keyword]), message)

    def _add(self, schema: Any, pointer: str) -> None:
        """Merge the keywords of the schema, or of a part of it."""
        if schema is False:
            raise self._document.error(pointer, "false allows no value; remove this schema")
        schema = {} if schema is True else schema
        for keyword in schema:
            if keyword not in SCHEMA_KEYWORDS:
                raise self._error(pointer, keyword, unknown_keyword(keyword, SCHEMA_KEYWORDS))
        if "patternProperties" in schema and not is_typed_map(schema):
            message = unknown_keyword("patternProperties", frozenset())
            raise self._error(pointer, "patternProperties", message)
        if "$ref" in schema:
            place = f"{pointer}/$ref"
            owner, name = self._spec.resolve(self._document, schema["$ref"], place)
            self.references.append(Reference((owner.schema_id, name), place))
        self._add_type(schema, pointer)
        self._add_values(schema, pointer)
        self._add_object(schema, pointer)
        self._add_rules(schema, pointer)
        self._add_branches(schema, pointer)
        self._add_constraints(schema, pointer)
        for number, part in enumerate(schema.get("allOf", ())):
            self._add(part, f"{pointer}/allOf/{number}")

    def _add_type(self, schema: Mapping[str, Any], pointer: str) -> None:
        if "type" in schema:
            value = schema["type"]
            types = (value,) if isinstance(value, str) else tuple(value)
            if self.types and self.types != types:
                message = f"{value!r} contradicts type {' | '.join(self.types)!r}; remove one of them"
                raise self._error(pointer, "type", message)
            self.types = types
        if "format" in schema:
            if self.format not in (None, schema["format"]):
                message = f"second format after {self.format!r}; remove one of them"
                raise self._error(pointer, "format", message)
            self.format = schema["format"]

    def _add_values(self, schema: Mapping[str, Any], pointer: str) -> None:
        keyword = "const" if "const" in schema else "enum"
        if keyword not in schema:
            return
        values = ir.Constants(schema["enum"] if keyword == "enum" else [schema["const"]])
        if not values:
            raise self._error(pointer, "enum", "expected at least one value, found []")
        if keyword == "const" and values[0] not in ir.Constants(schema.get("enum", values)):
            message = "not one of the values of 'enum'; add it there or remove 'enum'"
            raise self._error(pointer, "const", message)
        for value in values:
            if isinstance(value, float) or not (value is None or isinstance(value, (str, int, bool))):
                message = f"expected strings, integers, booleans or null, found {truncated_repr(value)}"
                raise self._error(pointer, keyword, message)
        if len(values) != len({(type(value), value) for value in values}):
            raise self._error(pointer, keyword, "duplicate value; remove one of them")
        if self.values not in (None, values):
            raise self._error(pointer, keyword, "second list of constant values; keep the stricter one")
        self.values = values

    def _add_object(self, schema: Mapping[str, Any], pointer: str) -> None:
        """Merge the keywords of the parts of objects and arrays."""
        for name, part in schema.get("properties", {}).items():
            place = pointer + pointer_of(["properties", name])
            other, other_place = self.properties.get(name, (part, place))
            if _differ(other, part):
                raise self._document.error(place, f"differs from {other_place}; define the property once")
            self.properties[name] = ({**other, **part} if isinstance(part, Mapping) else part, place)
        self.required |= dict.fromkeys(schema.get("required", ()))
        additional, steps = schema.get("additionalProperties"), ["additionalProperties"]
        if "patternProperties" in schema:
            ((pattern, additional),) = schema["patternProperties"].items()
            steps = ["patternProperties", pattern]
            additional = {} if additional is True else additional
            if additional is False:
                message = "false allows no value; remove this pattern"
                raise self._error(pointer, "patternProperties", message)
            place = pointer + pointer_of(steps)
            self.key_pattern = None if pattern in EVERY_KEY else self._pattern(pattern, place)
        if additional is not None:
            if self.additional not in (None, True) and _differ(self.additional, additional):
                message = "contradicts another additionalProperties; keep the stricter one"
                raise self._error(pointer, "additionalProperties", message)
            self.additional, self.additional_place = additional, (pointer, pointer + pointer_of(steps))
        if "items" in schema:
            if self.items is not None and _differ(self.items[0], schema["items"]):
                raise self._error(pointer, "items", "contradicts other items; keep the stricter ones")
            self.items = (schema["items"], f"{pointer}/items")

    def _add_rules(self, schema: Mapping[str, Any], pointer: str) -> None:
        if "not" in schema:
            banned = schema["not"]
            if not isinstance(banned, Mapping) or set(banned) != {"required"}:
                message = "unknown construct; only 'not: {required: [...]}' is supported"
                raise self._error(pointer, "not", message)
            if not banned["required"]:
                raise self._error(pointer, "not", "expected at least one required name, found []")
            self.rules += (ir.ForbidTogether(tuple(banned["required"])),)
        for name, needed in schema.get("dependentRequired", {}).items():
            if needed:
                self.rules += (ir.RequireWith(name, tuple(needed)),)

    def _add_branches(self, schema: Mapping[str, Any], pointer: str) -> None:
        for keyword in ("oneOf", "anyOf"):
            branches = tuple(
                (branch, f"{pointer}/{keyword}/{number}")
                for number, branch in enumerate(schema.get(keyword, ()))
            )
            alternatives = required_names(schema.get(keyword, ()))
            if len(branches) == 1:
                self._add(*branches[0])  # One branch is like a part of `allOf`.
            elif alternatives:
                self.rules += (ir.RequireOneOf(alternatives, exactly_one=keyword == "oneOf"),)
            elif branches:
                if self.branches:
                    message = "second oneOf or anyOf; nest one inside the other"
                    raise self._error(pointer, keyword, message)
                self.branches, self.exactly_one = branches, keyword == "oneOf"

    def _add_constraints(self, schema: Mapping[str, Any], pointer: str) -> None:
        for name in CONSTRAINTS:
            if name not in schema:
                continue
            value = schema[name]
            if name in self.constraints:
                raise self._error(pointer, name, "defined twice; keep the stricter one")
            if name in COUNTS and value > LARGEST_COUNT:
                message = (
                    f"expected at most {LARGEST_COUNT}, found {truncated_repr(value)}; lower or remove it"
                )
                raise self._error(pointer, name, message)
            if name == "pattern":
                value = self._pattern(value, f"{pointer}/pattern")
            self.constraints[name] = int(value) if name in COUNTS else value

    def _pattern(self, value: str, place: str) -> str:
        reason = pattern_problem(value)
        if reason is not None:
            message = f"unsupported regular expression {truncated_repr(value)}: {reason}; rewrite it"
            raise self._document.error(place, message)
        return value

    def _assert_sound(self, schema: Any, pointer: str) -> None:
        """Reject combinations of keywords that no Python type can express."""

        def reject(keyword: str, message: str) -> None:
            raise self._document.error(pointer + pointer_of([keyword] if keyword in schema else []), message)

        types = set(self.types)
        is_asserted = self.format in ASSERTED_FORMATS
        self._assert_constraints_sound(reject)
        if self.branches:
            for keyword, is_used in (
                ("format", is_asserted),
                ("items", self.items is not None),
                ("additionalProperties", self.additional not in (None, True, {})),
            ):
                if is_used:
                    reject(keyword, _OF_EVERY_BRANCH)
        if is_asserted and "string" not in types:
            reject("format", "applies only to strings; add 'type: string'")
        if is_asserted and self.values is not None:
            reject("format", "combined with constant values; remove it")
        if types - {"object"} and any(isinstance(rule, ir.ForbidTogether) for rule in self.rules):
            reject("not", "refuses every value that is no object; set 'type' to 'object'")
        if self.items is not None and "array" not in types:
            reject("items", "applies only to arrays; add 'type: array'")
        if (self.has_fields or self.additional is not None) and not self.references and "object" not in types:
            reject("properties", "applies only to objects; add 'type: object'")
        if self.references:
            if self.values is not None or self.items is not None or self.constraints or self.format:
                reject("$ref", "combined with constraints; move them into the definition it refers to")
            if self.types not in ((), ("object",)):
                reject("type", "combined with $ref; move it into the definition it refers to")
        if self.additional not in (None, True):
            owner, _ = self.additional_place
            declared = f"{owner}/properties/"
            elsewhere = any(not place.startswith(declared) for _, place in self.properties.values())
            if elsewhere or self.references:
                message = (
                    "applies to properties defined outside this object as well; define all of them in one "
                    "object"
                )
                raise self._error(owner, "additionalProperties", message)
        wrong = [
            value for value in self.values or () if types and json_type(value) not in with_integers(types)
        ]
        if wrong:
            message = f"{truncated_repr(wrong[0])} does not match the type; remove it or change 'type'"
            reject("const" if "const" in schema else "enum", message)
        if self.branches and (self.has_fields or self.references or self.values):
            message = "combined with other constraints; move them into the branches"
            reject("oneOf" if self.exactly_one else "anyOf", message)

    def _assert_constraints_sound(self, reject: Callable[[str, str], None]) -> None:
        for name in self.constraints:
            applies_to = CONSTRAINTS[name]
            if self.branches:
                reject(name, _OF_EVERY_BRANCH)
            if not {*self.types} & {*applies_to}:
                reject(name, f"applies only to {' and '.join(applies_to)} values; set 'type' to match")
            if self.format == "date-time" and "string" in applies_to:
                reject(name, f"combined with format {self.format!r}; remove one of them")
        for lower, upper in _RANGES:
            least, most = self.constraints.get(lower), self.constraints.get(upper)
            if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
                reject(lower, f"no value meets {lower} {least} and {upper} {most}; change one of them")
        bounds = {name: bound for name, bound in self.constraints.items() if "number" in CONSTRAINTS[name]}
        if any(isinstance(bound, float) for bound in bounds.values()):
            for name, bound in bounds.items():
                if isinstance(bound, int) and int(float(bound)) != bound:
                    inexact = f"{truncated_repr(bound)} is not exact next to a bound that is a float"
                    reject(name, f"{inexact}; use one kind")


def meets(constraints: Mapping[str, Any], value: Any) -> bool:
    """Return whether a constant value meets the constraints of its schema."""
    kind = json_type(value)
    bounds = {name: bound for name, bound in constraints.items() if kind in CONSTRAINTS[name]}
    if not isinstance(value, str):  # pydantic compares integers with integers only.
        return all(_COMPARISONS[name](value, bound) for name, bound in bounds.items())
    arguments: dict[str, Any] = {FIELD_ARGUMENTS[name]: bound for name, bound in bounds.items()}
    try:
        SchemaValidator(core_schema.str_schema(**arguments)).validate_python(value)
    except ValidationError:
        return False
    return True


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}


def _differ(one: Any, other: Any) -> bool:
    """Return whether two schemas differ in more than their annotations."""
    return bool(without_annotations(one) != without_annotations(other))


_RANGES = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
)
"""Lower and upper bounds of the same value."""


_OF_EVERY_BRANCH = "applies to every branch of a oneOf or anyOf; move it into the branches"


def json_type(value: Any) -> str:
    """Return the JSON type of a constant value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "integer"
