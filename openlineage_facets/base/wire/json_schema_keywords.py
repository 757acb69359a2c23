"""The keywords of JSON Schema for what Python functions check: rules of classes, and bounds of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from openlineage_facets.base.wire.core_schemas import bounds_after

C = TypeVar("C", bound=Callable[..., Any])

_KEYWORDS = "__json_schema_keywords__"

_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
"""The keyword for each argument of `Field`."""

_MAPS = frozenset({"properties", "dependentRequired", "$defs"})
"""Below these keywords, names are not keywords."""

_REFERENCES = frozenset({"$defs", "$ref"})
"""Pydantic takes these names for keywords, wherever they are the key of a mapping."""

_VALUES = frozenset({"enum", "const", "examples", "default"})


def with_keywords(check: C, **keywords: Any) -> C:
    """Mark a validator of a class with the keywords of JSON Schema that it enforces."""
    setattr(check, _KEYWORDS, keywords)
    return check


def rules_schema(functions: list[Callable[..., Any]]) -> dict[str, Any]:
    """Return the keywords of JSON Schema that the validators of a class enforce."""
    constraints: list[dict[str, Any]] = []
    dependent: dict[str, list[str]] = {}
    for function in functions:
        keywords = getattr(function, _KEYWORDS, {})
        for keyword in ("not", "oneOf", "anyOf"):
            if keyword in keywords:
                constraints.append({keyword: keywords[keyword]})
        for name, needed in keywords.get("dependentRequired", {}).items():
            if name in _REFERENCES:
                absent = {"not": {"required": [name]}}
                constraints.append({"anyOf": [absent, {"required": list(needed)}]})
            else:
                dependent[name] = list(dict.fromkeys([*dependent.get(name, ()), *needed]))
    found: dict[str, Any] = {"dependentRequired": dependent} if dependent else {}
    if len(constraints) == 1:
        return found | constraints[0]
    return found | {"allOf": constraints} if constraints else found


def required_names(functions: Iterable[Callable[..., Any]]) -> set[str]:
    """Return the names of fields that the validators of a class require, alone or as an alternative."""
    found: set[str] = set()
    for function in functions:
        keywords = getattr(function, _KEYWORDS, {})
        for alternative in (*keywords.get("oneOf", ()), *keywords.get("anyOf", ())):
            found.update(alternative["required"])
        for needed in keywords.get("dependentRequired", {}).values():
            found.update(needed)
    return found


def bounds_schema(schema: Any) -> dict[str, Any]:
    """Return the bounds that pydantic checks after a type, as keywords of JSON Schema."""
    return {_BOUNDS[name]: bound for name, bound in bounds_after(schema).items() if name in _BOUNDS}


def with_named_bounds(schema: Any) -> Any:
    """Return a JSON Schema in which bounds have the names of JSON Schema.

    For types that it does not know, pydantic writes them under the names of the arguments of `Field`.
    """
    if isinstance(schema, list):
        return [with_named_bounds(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        _BOUNDS.get(keyword, keyword): (
            {name: with_named_bounds(inner) for name, inner in value.items()}
            if keyword in _MAPS and isinstance(value, dict)
            else value
            if keyword in _VALUES
            else with_named_bounds(value)
        )
        for keyword, value in schema.items()
    }
