"""Schemas put together at random: the generated classes and `jsonschema` agree on every document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from codegen.assemble import assemble
from codegen.errors import SchemaError
from codegen.load import load
from codegen.name import name
from codegen.normalize import normalize
from tests.codegen.building import Package, document, write_spec
from tests.codegen.conftest import Generate
from tests.codegen.oracle import Oracle
from tests.codegen.random_schemas import RandomSchemas
from tests.hypothesis_profiles import share

pytestmark = pytest.mark.check

SCHEMAS = share(1)
DOCUMENTS = 30
"""Documents for each definition."""


def test_classes_and_jsonschema_agree_on_every_document(generated: Generate, tmp_path: Path) -> None:
    made = {f"Random{seed}": RandomSchemas(seed) for seed in range(SCHEMAS)}
    schemas = {f"{file}.json": document(file, one.definitions) for file, one in made.items()}
    accepted = {file: schema for file, schema in schemas.items() if is_accepted(file, schema, tmp_path)}
    assert len(accepted) > SCHEMAS / 2
    package = generated(accepted)
    oracle = Oracle(package.spec)
    found = [one for file in accepted for one in disagreements(file, made[Path(file).stem], package, oracle)]
    assert found == []


def is_accepted(file: str, schema: dict[str, Any], folder: Path) -> bool:
    """Return whether the random parts of a schema do not contradict each other."""
    try:
        normalized = normalize(load(write_spec(folder / schema["$id"].rpartition("/")[2], {file: schema})))
        assemble(normalized, name(normalized))
    except SchemaError:
        return False
    return True


def disagreements(file: str, made: RandomSchemas, package: Package, oracle: Oracle) -> Iterator[str]:
    """Yield the disagreements of generated classes and `jsonschema`."""
    for definition, schema in made.definitions.items():
        adapter = package.adapter(file, definition)
        for _ in range(DOCUMENTS):
            value = made.document(schema)
            place = f"{file} {definition}: {json.dumps(value)} by {json.dumps(schema)}"
            try:
                read = adapter.validate_json(json.dumps(value))
                accepted = True
                written = json.loads(adapter.dump_json(read, by_alias=True, exclude_unset=True))
                if written != value:
                    yield f"{place} was written as {written!r}"
            except ValidationError:
                accepted = False
            if accepted != oracle.is_valid(value, f"https://example.com/{file}", definition):
                yield f"{place} was {'accepted' if accepted else 'rejected'}"
