"""Go through the schemas inside a schema, and change them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import pointer_of
from .keywords import LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SINGLE_SCHEMAS


def subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the schemas directly inside a schema, each with the steps to it."""
    for keyword, value in schema.items():
        if keyword in SINGLE_SCHEMAS:
            yield (keyword,), value
        elif keyword in MAPS_OF_SCHEMAS and isinstance(value, Mapping):
            yield from (((keyword, name), inner) for name, inner in value.items())
        elif keyword in LISTS_OF_SCHEMAS and isinstance(value, list):
            yield from (((keyword, str(number)), inner) for number, inner in enumerate(value))


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
            if isinstance(outer.get("$ref"), str):
                yield outer["$ref"]
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
