"""Facets generated from schemas in many styles accept exactly what `jsonschema` accepts."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft7Validator, Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from codegen.custom_facets import read_custom_facets
from openlineage_facets import EventError
from tests.cases import each
from tests.codegen.custom.facets import PUBLISHED, imported, write_schemas
from tests.codegen.custom.third_party_schemas import SCHEMAS
from tests.composing.registration import facets_restored

MARKS = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/x.json"}

VALUES: tuple[Any, ...] = (None, True, 0, -1, 1.5, "", "x", "abcd", [], [None], {}, {"x": 1})
"""What replaces each value of a valid facet in turn."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return the package of all schemas."""
    schemas = {file_of(schema): schema for schema, _, _ in SCHEMAS.values()}
    with imported(tmp_path_factory.mktemp("third_party"), schemas) as package, facets_restored():
        yield package


def file_of(schema: dict[str, Any]) -> str:
    url: str = schema.get("$id") or schema["id"]
    return url.rpartition("/")[2]


def changed(value: Any) -> Iterator[Any]:
    """Yield a value with each of its parts replaced or removed."""
    yield from (one for one in VALUES if one != value or type(one) is not type(value))
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in [*parts]:
        for inner in changed(part):
            copied = copy.copy(value)
            copied[key] = inner
            yield copied
        copied = copy.copy(value)
        del copied[key]
        yield copied
    if isinstance(value, dict):
        yield {**value, "Other": 7}
        yield {**value, "other": "a"}


def validator_of(schema: dict[str, Any]) -> Any:
    """Return a validator of the facet in a file, date-time and uuid asserted."""
    texts = [path.read_text("utf-8") for path in PUBLISHED.rglob("*.json")]
    resources = [Resource.from_contents(one, DRAFT202012) for one in map(json.loads, texts)]
    registry = Registry().with_resources([(str(one.id()), one) for one in resources])
    name = file_of(schema).removesuffix(".json")
    definitions = next((one for one in ("$defs", "definitions") if name in schema.get(one, {})), None)
    url = schema.get("$id") or schema["id"]
    registry = registry.with_resource(url, Resource.from_contents(schema, default_specification=DRAFT202012))
    drafts = {"draft-04": Draft4Validator, "draft-07": Draft7Validator}
    kind: Any = next((one for name, one in drafts.items() if name in schema["$schema"]), Draft202012Validator)
    fragment = f"#/{definitions}/{name}" if definitions else ""
    formats = Draft202012Validator.FORMAT_CHECKER.__class__(formats=("date-time", "uuid"))
    return kind({"$ref": url + fragment}, registry=registry, format_checker=formats)


@each("style", SCHEMAS)
def test_the_verdict_is_that_of_jsonschema(package: Any, style: str) -> None:
    schema, key, fields = SCHEMAS[style]
    (entry,) = (one for one in package.FACETS if one.key == key)
    facet = getattr(package, entry.name)
    validator = validator_of(schema)
    assert entry.schema_url.startswith(schema.get("$id") or schema["id"])
    composed = facet.from_json(json.dumps({**MARKS, **fields}))
    assert json.loads(composed.to_json()) == {**MARKS, **fields}
    wrong = []
    for document in ({**MARKS, **one} for one in changed(fields) if isinstance(one, dict)):
        try:
            read = facet.from_json(json.dumps(document))
        except EventError:
            accepted = False
        else:
            accepted = True
            assert json.loads(read.to_json()) == document
        if accepted != validator.is_valid(document):
            wrong.append((document, accepted))
    assert wrong == []


def test_generating_them_has_no_errors_without_lenient(tmp_path: Path) -> None:
    folder = write_schemas(tmp_path, {file_of(schema): schema for schema, _, _ in SCHEMAS.values()})
    custom = read_custom_facets(folder, PUBLISHED)
    assert custom.errors == ()
    keys = [str(note) for note in custom.notes if "no facet key" in str(note)]
    assert len(keys) == 4, "those at the root of a file"
