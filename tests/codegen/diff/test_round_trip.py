"""`diff` finds nothing breaking between a schema and what `schema` writes for its class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diff.documents import SchemaVersion, compare
from codegen.load import load_extending
from openlineage_facets.validation.schemas.facet_schema import facet_schema
from tests.cases import each
from tests.codegen.custom.facets import PUBLISHED, imported, write_schemas
from tests.codegen.custom.facets import facet_file as cost_file

pytestmark = pytest.mark.check

FILE = "AcmeCostRunFacet.json"
ITSELF = {"$ref": "#/$defs/Value"}
SCALARS: list[Any] = [{"type": kind} for kind in ("string", "number", "boolean", "null")]
CONTAINERS: list[Any] = [
    {"type": "array", "items": ITSELF},
    {"type": "object", "additionalProperties": ITSELF},
]
KINDS = ["string", "number", "boolean", "null", "array", "object"]

VALUES = {
    "anyOf": {"anyOf": [*SCALARS, *CONTAINERS]},
    "oneOf": {"oneOf": [*SCALARS, *CONTAINERS]},
    "in another order": {"anyOf": [*CONTAINERS, *reversed(SCALARS)]},
    "with integers": {"anyOf": [{"type": "integer"}, *SCALARS, *CONTAINERS]},
    "a list of types": {"type": KINDS, "items": ITSELF, "additionalProperties": ITSELF},
    "scalars as a list": {"anyOf": [{"type": KINDS[:4]}, *CONTAINERS]},
    "one of a list of scalars": {"oneOf": [{"type": KINDS[:4]}, *CONTAINERS]},
    "only arrays": {"anyOf": [{"type": "string"}, {"type": "array", "items": ITSELF}]},
    "only objects": {"type": ["string", "object"], "additionalProperties": ITSELF},
    "constraints": {"anyOf": [{"type": "string", "minLength": 1}, *CONTAINERS]},
    "array of arrays": {"type": "array", "items": ITSELF},
    "tree": {"type": "object", "properties": {"name": {"type": "string"}, "kids": CONTAINERS[0]}},
}
"""Schemas that refer to themselves."""


@each("form", VALUES)
def test_a_value_that_contains_values_of_its_kind_is_unchanged(form: str, tmp_path: Path) -> None:
    properties = {"value": ITSELF, "values": {"type": "array", "items": ITSELF}, "map": CONTAINERS[1]}
    old = cost_file(properties=properties)
    old["$defs"]["Value"] = VALUES[form]
    with imported(tmp_path, {FILE: old}) as package:
        new = facet_schema(package.AcmeCostRunFacet, old["$id"])
    folders = [
        write_schemas(tmp_path / side, {FILE: content}) for side, content in (("old", old), ("new", new))
    ]
    sides = [SchemaVersion(load_extending(folder, PUBLISHED)) for folder in folders]
    for found in (compare(*sides), compare(*reversed(sides))):
        changes = [change for document in found.documents for change in document.changes]
        assert not [change.text for change in changes if change.is_breaking], json.dumps(
            new["$defs"], indent=1
        )
