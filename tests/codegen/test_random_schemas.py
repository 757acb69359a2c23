"""Schemas put together at random: the generated classes and `jsonschema` agree on every document."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from codegen.errors import SchemaError
from tests.cases import each
from tests.codegen.building import document
from tests.codegen.conftest import Generate
from tests.codegen.oracle import Oracle
from tests.codegen.random_schemas import RandomSchemas
from tests.hypothesis_profiles import share

pytestmark = pytest.mark.check

SCHEMAS = share(0.2)
DOCUMENTS = 60
"""Documents for each definition."""


def disagreements(seed: int, generated: Generate) -> list[str]:
    """Return the disagreements of generated classes and `jsonschema`, [] if the schemas are rejected."""
    made = RandomSchemas(seed)
    schema = document("Random", made.definitions)
    try:
        package = generated({"Random.json": schema})
    except SchemaError:
        return []
    oracle = Oracle(package.folder.parent / f"{package.name}_spec")
    found = []
    for name, definition in made.definitions.items():
        adapter = package.adapter("Random.json", name)
        for _ in range(DOCUMENTS):
            value = made.document(definition)
            try:
                read = adapter.validate_json(json.dumps(value))
                accepted = True
                written = json.loads(adapter.dump_json(read, by_alias=True, exclude_unset=True))
                if written != value:
                    found.append(f"{name}: {value!r} was written as {written!r}")
            except ValidationError:
                accepted = False
            if accepted != oracle.is_valid(value, schema["$id"], name):
                found.append(f"{name}: {value!r} was {'accepted' if accepted else 'rejected'}")
    return found


@each("seed", range(SCHEMAS))
def test_classes_and_jsonschema_agree_on_every_document(seed: int, generated: Generate) -> None:
    found = disagreements(seed, generated)
    assert found == [], json.dumps(RandomSchemas(seed).definitions)
