"""`diff` finds nothing breaking between a schema and what `schema` writes for its class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.diff.documents import SchemaVersion, compare
from codegen.load import load_extending
from openlineage_facets.validation.schemas.facet_schema import facet_schema
from tests.codegen.custom.facets import facet_file, imported, part_of_published, write_schemas

pytestmark = pytest.mark.check

ITSELF = {"$ref": "#/$defs/Value"}
SCALARS: list[Any] = [{"type": kind} for kind in ("string", "number", "boolean", "null")]
CONTAINERS: list[Any] = [
    {"type": "array", "items": ITSELF},
    {"type": "object", "additionalProperties": ITSELF},
]
KINDS = ["string", "number", "boolean", "null", "array", "object"]

VALUES = [
    {"anyOf": [*SCALARS, *CONTAINERS]},
    {"oneOf": [*SCALARS, *CONTAINERS]},
    {"anyOf": [*CONTAINERS, *reversed(SCALARS)]},
    {"anyOf": [{"type": "integer"}, *SCALARS, *CONTAINERS]},
    {"type": KINDS, "items": ITSELF, "additionalProperties": ITSELF},
    {"anyOf": [{"type": KINDS[:4]}, *CONTAINERS]},
    {"oneOf": [{"type": KINDS[:4]}, *CONTAINERS]},
    {"anyOf": [{"type": "string"}, {"type": "array", "items": ITSELF}]},
    {"type": ["string", "object"], "additionalProperties": ITSELF},
    {"anyOf": [{"type": "string", "minLength": 1}, *CONTAINERS]},
    {"type": "array", "items": ITSELF},
    {"type": "object", "properties": {"name": {"type": "string"}, "kids": CONTAINERS[0]}},
]
"""Schemas that refer to themselves, as `Value`."""


def test_values_that_contain_values_of_their_kind_are_unchanged(tmp_path: Path) -> None:
    properties = {"value": ITSELF, "values": {"type": "array", "items": ITSELF}, "map": CONTAINERS[1]}
    old = {}
    for number, value in enumerate(VALUES):
        name = f"Acme{chr(65 + number)}RunFacet"
        old[name] = facet_file(name, f"acme_{number}", properties=properties)
        old[name]["$defs"]["Value"] = value
    with imported(tmp_path, {f"{name}.json": schema for name, schema in old.items()}) as package:
        new = {name: facet_schema(getattr(package, name), old[name]["$id"]) for name in old}
    sides = [
        SchemaVersion(load_extending(write_schemas(tmp_path / side, files), part_of_published()))
        for side, files in (
            (side, {f"{name}.json": schema for name, schema in schemas.items()})
            for side, schemas in (("old", old), ("new", new))
        )
    ]
    for found in (compare(*sides), compare(*reversed(sides))):
        changes = [
            (one.name, change.text) for one in found.documents for change in one.changes if change.is_breaking
        ]
        assert changes == []
