"""The JSON Schema keywords that the generator understands, and the schemas that they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic_core import SchemaError as InvalidPattern
from pydantic_core import SchemaValidator, core_schema

from .errors import pointer_of

TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")

ASSERTED_FORMATS = frozenset({"date-time", "uuid"})
"""The formats that constrain a string; the others only annotate it."""

ANNOTATIONS = frozenset(
    """
    $comment title description example examples default deprecated readOnly writeOnly documentation
    """.split()
)
"""Keywords that constrain no value."""

CONSTRAINTS = {
    "minimum": ("integer", "number"),
    "maximum": ("integer", "number"),
    "exclusiveMinimum": ("integer", "number"),
    "exclusiveMaximum": ("integer", "number"),
    "minLength": ("string",),
    "maxLength": ("string",),
    "pattern": ("string",),
    "minItems": ("array",),
    "maxItems": ("array",),
}
"""Keywords that narrow a type, with the types they apply to."""

COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
"""Constraints whose value is a count."""

LARGEST_COUNT = 2**63 - 1
"""The largest count that pydantic can check."""

FIELD_ARGUMENTS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
"""The argument of pydantic's `Field` for each constraint."""

ASSERTIONS = frozenset(
    """
    $ref allOf anyOf oneOf not type enum const format properties required additionalProperties items
    dependentRequired patternProperties
    """.split()
)
"""The other keywords with a meaning for values."""

WITHOUT_EFFECT = frozenset({"contentMediaType", "contentEncoding", "contentSchema"})
"""Keywords that constrain nothing, ignored like those that start with `x-`."""

NOT_ENFORCED = frozenset(
    """
    multipleOf if then else uniqueItems prefixItems additionalItems contains minContains maxContains
    propertyNames minProperties maxProperties dependentSchemas unevaluatedItems unevaluatedProperties
    """.split()
)
"""Keywords with an effect that generated classes do not enforce."""

SCHEMA_KEYWORDS = ASSERTIONS | ANNOTATIONS | frozenset(CONSTRAINTS)
"""Every keyword that a schema may have."""

FACET_FILE_KEYWORDS = frozenset(
    """
    $schema $id $defs $comment title description type properties required examples additionalProperties
    """.split()
)
"""What a facet file may have at its top level: definitions, and the key of each facet."""

CHOICE_OF_EVENTS = ("oneOf", "anyOf", "$ref")
"""The keywords at the top level of the core document that say what an event is."""

CORE_FILE_KEYWORDS = FACET_FILE_KEYWORDS | {*CHOICE_OF_EVENTS}
"""What the core document may have at its top level."""


MAPS_OF_SCHEMAS = frozenset({"$defs", "patternProperties", "properties"})
LISTS_OF_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf"})
SINGLE_SCHEMAS = frozenset({"additionalProperties", "items", "not"})
"""The keywords that the generator understands and that hold schemas, by how they hold them."""


def is_typed_map(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema is that of an object whose keys match a pattern, such as `dict[str, int]`."""
    patterns = schema.get("patternProperties")
    return (
        isinstance(patterns, Mapping)
        and len(patterns) == 1
        and not (schema.keys() & {"properties", "required", "allOf", "$ref"})
        and schema.get("additionalProperties", next(iter(patterns)) not in EVERY_KEY) is False
    )


EVERY_KEY = frozenset({"", ".*", "^.*$", "^.*", ".*$"})
"""Patterns that match every key."""


_RENAMED = {"definitions": "$defs", "dependencies": "dependentRequired"}
"""Keywords of older drafts."""


def required_names(branches: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
    """Return the names that each alternative requires, nothing if one of them says something else."""
    names = []
    for branch in branches:
        meaning = branch.keys() - ANNOTATIONS if isinstance(branch, Mapping) else set()
        if meaning != {"required"} or not branch["required"]:
            return ()
        names.append(tuple(branch["required"]))
    return tuple(names)


def unknown_keyword(keyword: str, known: frozenset[str]) -> str:
    """Return the message about a keyword that is not understood."""
    meant = meant_keyword(keyword, known)
    if meant:
        return f"unknown keyword {keyword!r}; did you mean {meant!r}?"
    if keyword in NOT_ENFORCED or keyword == "patternProperties":
        return f"classes cannot enforce {keyword!r}; remove it, or pass --lenient to generate without it"
    if keyword.startswith("$") or keyword in SCHEMA_KEYWORDS:
        return f"unknown keyword {keyword!r}; remove it or describe the constraint in the description"
    return f"unknown keyword {keyword!r}; remove it, or pass --lenient to generate without it"


def meant_keyword(keyword: str, known: frozenset[str]) -> str | None:
    """Return the keyword that an unknown one was probably meant to be."""
    near = get_close_matches(keyword, sorted(known), n=1, cutoff=0.8) if len(keyword) < 100 else []
    return _RENAMED.get(keyword) or (near[0] if near else None)


def pattern_problem(pattern: str) -> str | None:
    """Return why a regular expression is not supported, None if it is."""
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except InvalidPattern as error:
        return str(error).strip().splitlines()[-1].removeprefix("error: ")
    return None


def with_integers(types: Iterable[str]) -> frozenset[str]:
    """Return JSON types, "integer" included if numbers are."""
    types = frozenset(types)
    return types | {"integer"} if "number" in types else types


# -- the schemas inside a schema --------------------------------------------------------------------------


def reference_of(schema: Any) -> str | None:
    """Return the `$ref` of a schema, None without one that is text."""
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    return reference if isinstance(reference, str) else None


def subschemas(schema: Mapping[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    """Return the schemas directly inside a schema, each with the steps to it."""
    inside: list[tuple[tuple[str, ...], Any]] = []
    with_subschemas_changed(schema, lambda *place_and_schema: inside.append(place_and_schema))
    return inside


def with_subschemas_changed(
    schema: Mapping[str, Any], change: Callable[[tuple[str, ...], Any], Any]
) -> dict[str, Any]:
    """Return a copy of a schema in which each schema directly inside it is replaced.

    Args:
        schema: The schema.
        change: Returns another schema, given the steps to one and the schema itself.
    """

    def changed(keyword: str, value: Any) -> Any:
        if keyword in SINGLE_SCHEMAS:
            return change((keyword,), value)
        if keyword in MAPS_OF_SCHEMAS and isinstance(value, Mapping):
            return {name: change((keyword, name), inner) for name, inner in value.items()}
        if keyword in LISTS_OF_SCHEMAS and isinstance(value, list):
            return [change((keyword, str(number)), inner) for number, inner in enumerate(value)]
        return value

    return {keyword: changed(keyword, value) for keyword, value in schema.items()}


def without_annotations(schema: Any) -> Any:
    """Return a schema without keywords that constrain no value, at any depth."""
    if not isinstance(schema, Mapping):
        return schema
    kept = {keyword: value for keyword, value in schema.items() if keyword not in ANNOTATIONS}
    return with_subschemas_changed(kept, lambda _, inner: without_annotations(inner))


def schemas_in(schema: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every schema object in a schema with its pointer, outer ones first."""
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        pointer, outer = waiting.pop()
        if isinstance(outer, Mapping):
            yield pointer, outer
            inner = [(pointer + pointer_of(steps), schema) for steps, schema in subschemas(outer)]
            waiting += reversed(inner)


def references(value: Any) -> Iterator[str]:
    """Yield every `$ref` in a JSON value, also below keywords that contain no schemas."""
    waiting = [value]
    while waiting:
        outer = waiting.pop()
        if isinstance(outer, Mapping):
            reference = reference_of(outer)
            if reference is not None:
                yield reference
            waiting += outer.values()
        elif isinstance(outer, list):
            waiting += outer


def with_objects_changed(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a copy of a JSON value in which each object is replaced, inner ones first."""
    if isinstance(value, list):
        return [with_objects_changed(inner, change) for inner in value]
    if isinstance(value, Mapping):
        return change({name: with_objects_changed(inner, change) for name, inner in value.items()})
    return value
