"""JSON Schema keywords with bounded run time, which replace those of `jsonschema`.

`jsonschema` matches patterns with backtracking, compares all pairs of array items, and can evaluate
alternatives that refer to each other exponentially often. It also loses the name of a field that the schema
`false` forbids, and divides decimal numbers as binary ones: 0.3 is no multiple of 0.1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from openlineage_facets.base.wire.linear_patterns import matcher_of

MOST_STEPS = 2_000_000
"""Maximum number of evaluated keywords that apply subschemas, such as `properties` and `anyOf`."""

_APPLICATORS = frozenset(
    "$ref $dynamicRef $recursiveRef allOf anyOf oneOf not if extends disallow properties patternProperties "
    "additionalProperties propertyNames dependentSchemas items prefixItems additionalItems contains "
    "dependencies type unevaluatedItems unevaluatedProperties".split()
)

_Keyword = Callable[[Any, Any, Any, Any], Any]

_steps: ContextVar[list[int] | None] = ContextVar("steps", default=None)


class TooManySteps(Exception):
    """Validation exceeded the maximum number of steps."""


@contextmanager
def limited_steps() -> Iterator[None]:
    """Raise `TooManySteps` if the validation in this block takes more than `MOST_STEPS`."""
    token = _steps.set([MOST_STEPS])
    try:
        yield
    finally:
        _steps.reset(token)


@lru_cache(maxsize=32)
def bounded(draft: Any) -> Any:
    """Return a validator class of `jsonschema` with bounded keywords."""
    replaced = {name: keyword for name, keyword in _KEYWORDS.items() if name in draft.VALIDATORS}
    if "required" not in draft.VALIDATORS:
        replaced.pop("properties")  # In draft 3, each property says whether it is required.
    keywords = {**draft.VALIDATORS, **replaced}
    counted = {name: _counted(keywords[name]) for name in _APPLICATORS & keywords.keys()}
    return extend(draft, {**replaced, **counted})


def _counted(keyword: _Keyword) -> _Keyword:
    """Wrap `keyword` so that each call counts as a step."""

    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        left = _steps.get()
        if left is not None:
            left[0] -= 1
            if left[0] < 0:
                raise TooManySteps
        return keyword(validator, value, instance, schema) or ()

    return counted


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matcher_of(pattern)(instance):
        yield ValidationError("does not match")


def _properties(
    validator: Any, properties: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name, subschema in properties.items():
            if name in instance:
                yield from _of_each(validator, [name], instance, subschema)


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            matches = matcher_of(pattern)
            yield from _of_each(validator, list(filter(matches, instance)), instance, subschema)


def _additional_properties(
    validator: Any, subschema: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        known = schema.get("properties", {})
        patterns = [matcher_of(pattern) for pattern in schema.get("patternProperties", ())]
        names = [
            name for name in instance if name not in known and not any(matches(name) for matches in patterns)
        ]
        yield from _of_each(validator, names, instance, subschema)


def _unevaluated_properties(
    validator: Any, subschema: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        evaluated = _evaluated(validator, instance, {**schema, "unevaluatedProperties": None})
        names = [name for name in instance if name not in evaluated]
        yield from _of_each(validator, names, instance, subschema)


def _of_each(
    validator: Any, names: list[str], instance: dict[str, Any], subschema: Any
) -> Iterator[ValidationError]:
    """Yield the errors of the fields with these names."""
    for name in names:
        if subschema is False:
            yield ValidationError("is not allowed", path=(name,), instance=instance[name])
        else:
            yield from validator.descend(instance[name], subschema, path=name)


def _evaluated(validator: Any, instance: dict[str, Any], schema: Any) -> set[str]:
    """Return the fields of an object that a schema evaluates, as defined by `unevaluatedProperties`."""
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or schema.get("unevaluatedProperties") is not None:
        return set(instance)
    found = {name for name in schema.get("properties", ()) if name in instance}
    for pattern in schema.get("patternProperties", ()):
        found.update(filter(matcher_of(pattern), instance))
    inner = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    inner += [part for name, part in schema.get("dependentSchemas", {}).items() if name in instance]
    if "if" in schema:
        holds = validator.evolve(schema=schema["if"]).is_valid(instance)
        inner += [schema["if"], schema.get("then")] if holds else [schema.get("else")]
    for part in inner:
        if isinstance(part, dict) and validator.evolve(schema=part).is_valid(instance):
            found |= _evaluated(validator, instance, part)
    return found


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list) and len(set(map(_canonical, instance))) < len(instance):
        yield ValidationError("has items that are equal")


def _enum(validator: Any, values: list[Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    if _canonical(instance) not in _canonical_values(values):
        yield ValidationError("is not in the enum")


_ENUMS: dict[int, tuple[list[Any], frozenset[str]]] = {}


def _canonical_values(values: list[Any]) -> frozenset[str]:
    """Return the values of an `enum` in canonical form; cached."""
    known = _ENUMS.get(id(values))
    if known is None or known[0] is not values:
        if len(_ENUMS) > 10_000:
            _ENUMS.clear()
        known = _ENUMS[id(values)] = values, frozenset(map(_canonical, values))
    return known[1]


def _multiple_of(validator: Any, divisor: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "number"):
        is_infinite = isinstance(instance, float) and not isfinite(instance)
        if is_infinite or Fraction(str(instance)) % Fraction(str(divisor)):
            yield ValidationError("is not a multiple")


def _required(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in names:
            if name not in instance:
                yield ValidationError(f"{name!r} is required", validator_value=[name])


def _canonical(value: Any) -> str:
    """Return the same text for values that are equal in JSON Schema: 1 and 1.0, objects in any order.

    A string, because numbers with equal hashes are easy to construct and make sets slow.
    """
    return json.dumps(_with_whole_numbers(value), sort_keys=True)


def _with_whole_numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _with_whole_numbers(item) for key, item in value.items()}
    return [_with_whole_numbers(item) for item in value] if isinstance(value, list) else value


_KEYWORDS: dict[str, _Keyword] = {
    "additionalProperties": _additional_properties,
    "enum": _enum,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "required": _required,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}
