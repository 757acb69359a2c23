"""The locations of errors of the `jsonschema` package as JSON Pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from jsonschema import ValidationError

from openlineage_facets.base.errors.json_pointer import json_pointer
from tests.oracle.expected_results import Path, _validator, facet_maps, schema_of
from tests.oracle.schemas import Definition, core


class ErrorPointers(NamedTuple):
    """The locations of the errors in a document.

    Attributes:
        exact: Locations of errors.
        unions: Locations of unions; the error may be anywhere inside.
    """

    exact: set[str]
    unions: set[str]


def pointers_of(kind: str, document: dict[str, Any]) -> ErrorPointers | None:
    """Return the error locations of an event of a kind, None if its facets cannot be located."""
    errors = list(_errors((), core(kind), document))
    try:
        maps = list(facet_maps(kind, document))
        facets = [(steps, base, key, facet) for steps, base, map in maps for key, facet in map.items()]
    except AttributeError:
        return None
    for steps, base, key, facet in facets:
        if isinstance(facet, dict) and isinstance(facet.get("_schemaURL", ""), str):
            definition = schema_of(base, key, {"_schemaURL": "", **facet})
            if definition is not None:
                errors += _errors((*steps, key), definition, facet)
    found = ErrorPointers(set(), set())
    for steps, error in errors:
        place = json_pointer([*steps, *error.absolute_path])
        if error.context:
            found.unions.add(place)
        elif error.validator == "required":
            found.exact.add(place + json_pointer([error.message.split("'")[1]]))
        elif error.validator == "additionalProperties":
            unknown = error.instance.keys() - error.schema["properties"].keys()
            found.exact.update(place + json_pointer([key]) for key in unknown)
        else:
            found.exact.add(place)
    return found


def _errors(steps: Path, definition: Definition, value: Any) -> Iterator[tuple[Path, ValidationError]]:
    for error in _validator(definition.url).iter_errors(value):
        yield steps, error
