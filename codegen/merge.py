"""Merge the parts of an `allOf` into the schema around them, and reject what no Python type can express."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass
class Merged:
    """The keywords of a schema and of the parts of its `allOf`, not yet normalized themselves."""

    types: tuple[str, ...] = ()
    format: str | None = None
    values: tuple[Any, ...] | None = None
    references: list[Reference] = field(default_factory=list)
    properties: dict[str, tuple[Any, str]] = field(default_factory=dict)
    required: dict[str, None] = field(default_factory=dict)
    additional: Any = None
    additional_pointer: str = ""
    additional_step: str = "/additionalProperties"
    key_pattern: str | None = None
    items: Any = None
    items_pointer: str = ""
    branches: tuple[tuple[Any, str], ...] = ()
    exactly_one: bool = False
    rules: tuple[ir.Rule, ...] = ()
    constraints: dict[str, int | float | str] = field(default_factory=dict)


def merged_schema(spec: Spec, document: Document, schema: Any, pointer: str) -> Merged:
    """Return the keywords of the schema at `pointer` of `document`, and of the parts of its `allOf`.

    Raises:
        SchemaError: A keyword is unknown, or contradicts another.
    """
    merged = Merged()
    _Merging(spec, document, schema, pointer, merged).run()
    _assert_sound(document, schema, pointer, merged)
    return merged


class _Merging:
    """Merges the keywords of one schema object into those of the schema that it is a part of."""

    def __init__(self, spec: Spec, document: Document, schema: Any, pointer: str, merged: Merged) -> None:
        if schema is False:
            raise document.error(pointer, "false allows no value; remove this schema")
        self.spec = spec
        self.document = document
        self.schema: Mapping[str, Any] = {} if schema is True else schema
        self.pointer = pointer
        self.merged = merged

    def run(self) -> None:
        for keyword in self.schema:
            if keyword not in SCHEMA_KEYWORDS:
                raise self.error(keyword, unknown_keyword(keyword, SCHEMA_KEYWORDS))
        if "patternProperties" in self.schema and not is_typed_map(self.schema):
            raise self.error("patternProperties", unknown_keyword("patternProperties", frozenset()))
        self.reference()
        self.types()
        self.format()
        self.values()
        self.object_parts()
        self.rules()
        self.branches()
        self.constraints()
        for number, part in enumerate(self.schema.get("allOf", ())):
            self.part(part, f"{self.pointer}/allOf/{number}")

    def part(self, schema: Any, pointer: str) -> None:
        _Merging(self.spec, self.document, schema, pointer, self.merged).run()

    def error(self, keyword: str, message: str) -> SchemaError:
        return self.document.error(self.pointer + pointer_of([keyword]), message)

    def reference(self) -> None:
        if "$ref" in self.schema:
            pointer = f"{self.pointer}/$ref"
            owner, name = self.spec.resolve(self.document, self.schema["$ref"], pointer)
            self.merged.references.append(Reference((owner.schema_id, name), pointer))

    def types(self) -> None:
        if "type" not in self.schema:
            return
        value = self.schema["type"]
        types = (value,) if isinstance(value, str) else tuple(value)
        if self.merged.types and self.merged.types != types:
            other = " | ".join(self.merged.types)
            raise self.error("type", f"{value!r} contradicts type {other!r}; remove one of them")
        self.merged.types = types

    def format(self) -> None:
        if "format" in self.schema:
            if self.merged.format not in (None, self.schema["format"]):
                raise self.error("format", f"second format after {self.merged.format!r}; remove one of them")
            self.merged.format = self.schema["format"]

    def values(self) -> None:
        keyword = "const" if "const" in self.schema else "enum"
        if keyword not in self.schema:
            return
        values = self.schema["enum"] if keyword == "enum" else [self.schema["const"]]
        if not values:
            raise self.error("enum", "expected at least one value, found []")
        if keyword == "const" and values[0] not in self.schema.get("enum", values):
            raise self.error("const", "not one of the values of 'enum'; add it there or remove 'enum'")
        for value in values:
            if isinstance(value, float) or not (value is None or isinstance(value, (str, int, bool))):
                raise self.error(
                    keyword, f"expected strings, integers, booleans or null, found {truncated_repr(value)}"
                )
        if len(values) != len({(type(value), value) for value in values}):
            raise self.error(keyword, "duplicate value; remove one of them")
        if self.merged.values is not None and self.merged.values != tuple(values):
            raise self.error(keyword, "second list of constant values; keep the stricter one")
        self.merged.values = tuple(values)

    def object_parts(self) -> None:
        for name, schema in self.schema.get("properties", {}).items():
            pointer = self.pointer + pointer_of(["properties", name])
            other = self.merged.properties.get(name)
            if other is not None and other[0] != schema:
                raise self.document.error(pointer, f"differs from {other[1]}; define the property once")
            self.merged.properties[name] = (schema, pointer)
        self.merged.required |= dict.fromkeys(self.schema.get("required", ()))
        additional = self.schema.get("additionalProperties")
        if "patternProperties" in self.schema:
            ((pattern, additional),) = self.schema["patternProperties"].items()
            additional = {} if additional is True else additional
            if additional is False:
                raise self.error("patternProperties", "false allows no value; remove this pattern")
            self.merged.additional_step = pointer_of(["patternProperties", pattern])
            self.merged.key_pattern = (
                None if pattern in EVERY_KEY else self.pattern(pattern, self.merged.additional_step)
            )
        if additional is not None:
            if self.merged.additional not in (None, True, additional):
                raise self.error(
                    "additionalProperties", "contradicts another additionalProperties; keep the stricter one"
                )
            self.merged.additional = additional
            self.merged.additional_pointer = self.pointer
        if "items" in self.schema:
            if self.merged.items not in (None, self.schema["items"]):
                raise self.error("items", "contradicts other items; keep the stricter ones")
            self.merged.items = self.schema["items"]
            self.merged.items_pointer = self.pointer

    def rules(self) -> None:
        if "not" in self.schema:
            banned = self.schema["not"]
            if not isinstance(banned, Mapping) or set(banned) != {"required"}:
                raise self.error("not", "unknown construct; only 'not: {required: [...]}' is supported")
            if not banned["required"]:
                raise self.error("not", "expected at least one required name, found []")
            self.merged.rules += (ir.ForbidTogether(tuple(banned["required"])),)
        for name, needed in self.schema.get("dependentRequired", {}).items():
            if needed:
                self.merged.rules += (ir.RequireWith(name, tuple(needed)),)

    def branches(self) -> None:
        for keyword in ("oneOf", "anyOf"):
            branches = tuple(
                (branch, f"{self.pointer}/{keyword}/{number}")
                for number, branch in enumerate(self.schema.get(keyword, ()))
            )
            alternatives = required_names(self.schema.get(keyword, ()))
            if len(branches) == 1:
                self.part(*branches[0])  # One branch is like a part of `allOf`.
            elif alternatives:
                self.merged.rules += (ir.RequireOneOf(alternatives, exactly_one=keyword == "oneOf"),)
            elif branches:
                if self.merged.branches:
                    raise self.error(keyword, "second oneOf or anyOf; nest one inside the other")
                self.merged.branches = branches
                self.merged.exactly_one = keyword == "oneOf"

    def constraints(self) -> None:
        for name in CONSTRAINTS:
            if name in self.schema:
                if name in self.merged.constraints:
                    raise self.error(name, "defined twice; keep the stricter one")
                self.merged.constraints[name] = self.constraint(name, self.schema[name])

    def constraint(self, name: str, value: Any) -> int | float | str:
        if name == "pattern":
            return self.pattern(value)
        if name in COUNTS:
            if value > LARGEST_COUNT:
                raise self.error(
                    name,
                    f"expected at most {LARGEST_COUNT}, found {truncated_repr(value)}; lower or remove it",
                )
            return int(value)
        number: int | float = value
        return number

    def pattern(self, value: str, step: str = "/pattern") -> str:
        reason = pattern_problem(value)
        if reason is not None:
            message = f"unsupported regular expression {truncated_repr(value)}: {reason}; rewrite it"
            raise self.document.error(self.pointer + step, message)
        return value


def meets(constraints: Mapping[str, Any], value: Any) -> bool:
    """Return whether a constant value meets the constraints of its schema."""
    type_name = json_type(value)
    arguments: dict[str, Any] = {
        FIELD_ARGUMENTS[name]: bound for name, bound in constraints.items() if type_name in CONSTRAINTS[name]
    }
    if not arguments:
        return True
    kind = core_schema.str_schema if isinstance(value, str) else core_schema.int_schema
    try:
        SchemaValidator(kind(**arguments)).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


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


def _assert_sound(document: Document, schema: Any, pointer: str, merged: Merged) -> None:
    """Reject combinations of keywords that no Python type can express."""

    def reject(keyword: str, message: str) -> None:
        steps = [keyword] if keyword in schema else []
        raise document.error(pointer + pointer_of(steps), message)

    is_choice = bool(merged.branches)
    types = set(merged.types)
    for name in merged.constraints:
        if is_choice:
            reject(name, _OF_EVERY_BRANCH)
        applies_to = CONSTRAINTS[name]
        if not types & set(applies_to):
            reject(name, f"applies only to {' and '.join(applies_to)} values; set 'type' to match")
        if merged.format == "date-time" and "string" in applies_to:
            reject(name, f"combined with format {merged.format!r}; remove one of them")
    for lower, upper in _RANGES:
        least, most = merged.constraints.get(lower), merged.constraints.get(upper)
        if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
            reject(lower, f"no value meets {lower} {least} and {upper} {most}; change one of them")
    bounds = [bound for name, bound in merged.constraints.items() if "number" in CONSTRAINTS[name]]
    if any(isinstance(bound, float) for bound in bounds):
        for name, bound in merged.constraints.items():
            if isinstance(bound, int) and name not in COUNTS and int(float(bound)) != bound:
                reject(
                    name,
                    f"{truncated_repr(bound)} is not exact next to a bound that is a float; use one kind",
                )
    if is_choice:
        for keyword, value in (
            ("format", merged.format if merged.format in ASSERTED_FORMATS else None),
            ("items", merged.items),
            ("additionalProperties", None if merged.additional in (True, {}) else merged.additional),
        ):
            if value is not None:
                reject(keyword, _OF_EVERY_BRANCH)
    if merged.format in ASSERTED_FORMATS and "string" not in types:
        reject("format", "applies only to strings; add 'type: string'")
    if merged.format in ASSERTED_FORMATS and merged.values is not None:
        reject("format", "combined with constant values; remove it")
    if types - {"object"} and any(isinstance(rule, ir.ForbidTogether) for rule in merged.rules):
        reject("not", "refuses every value that is no object; set 'type' to 'object'")
    if merged.items is not None and "array" not in types:
        reject("items", "applies only to arrays; add 'type: array'")
    has_fields = bool(merged.properties or merged.required or merged.rules)
    if (has_fields or merged.additional is not None) and not merged.references and "object" not in types:
        reject("properties", "applies only to objects; add 'type: object'")
    if merged.references:
        if merged.values is not None or merged.items is not None or merged.constraints or merged.format:
            reject("$ref", "combined with constraints; move them into the definition it refers to")
        if merged.types not in ((), ("object",)):
            reject("type", "combined with $ref; move it into the definition it refers to")
    if merged.additional not in (None, True):
        declared = f"{merged.additional_pointer}/properties/"
        elsewhere = any(not place.startswith(declared) for _, place in merged.properties.values())
        if elsewhere or merged.references:
            raise document.error(
                f"{merged.additional_pointer}/additionalProperties",
                "applies to properties defined outside this object as well; define all of them in one object",
            )
    if merged.values is not None and types:
        wrong = [value for value in merged.values if json_type(value) not in types]
        if wrong:
            reject(
                "const" if "const" in schema else "enum",
                f"{truncated_repr(wrong[0])} does not match the type; remove it or change 'type'",
            )
    if is_choice and (has_fields or merged.references or merged.values):
        reject(
            "oneOf" if merged.exactly_one else "anyOf",
            "combined with other constraints; move them into the branches",
        )


def json_type(value: Any) -> str:
    """Return the JSON type of a constant value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "integer"
