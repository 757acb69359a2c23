"""The places that the `jsonschema` package objects to, as JSON Pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from jsonschema import ValidationError

from openlineage_facets.base.errors import json_pointer
from tests.oracle.judge import Path, _validator, facet_maps, schema_of
from tests.oracle.schemas import Definition, core


class Places(NamedTuple):
    """Where a document is not what its schemas say.

    Attributes:
        plain: Places at which one thing was expected.
        unions: Places at which one of several things was, and the error may be anywhere below.
    """

    plain: set[str]
    unions: set[str]


def places_of(kind: str, document: dict[str, Any]) -> Places | None:
    """Return the places of an event of a kind, None where its facets can't be told from the rest."""
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
    found = Places(set(), set())
    for steps, error in errors:
        place = json_pointer([*steps, *error.absolute_path])
        if error.context:
            found.unions.add(place)
        elif error.validator == "required":
            found.plain.add(place + json_pointer([error.message.split("'")[1]]))
        elif error.validator == "additionalProperties":
            unknown = error.instance.keys() - error.schema["properties"].keys()
            found.plain.update(place + json_pointer([key]) for key in unknown)
        else:
            found.plain.add(place)
    return found


def _errors(steps: Path, definition: Definition, value: Any) -> Iterator[tuple[Path, ValidationError]]:
    for error in _validator(definition.url).iter_errors(value):
        yield steps, error
