"""`openlineage-facets schema` is the inverse of `generate`: it writes what the class enforces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from typing import Any

import pytest

from codegen.custom_facets import read_custom_facets
from codegen.errors import pointer_of
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.generated.registry import FACETS as GENERATED
from openlineage_facets.validation.schemas.facet_schema import facet_schema
from tests.cases import each
from tests.codegen.building import CORE_ID
from tests.codegen.custom.facets import CORE, PUBLISHED, build, write_schemas
from tests.codegen.importing import importable, unused_name
from tests.codegen.oracle import Oracle
from tests.codegen.random_schemas import RandomSchemas
from tests.codegen.test_constructs import CASES, SPEC_FILE
from tests.hypothesis_profiles import share
from tests.oracle.documents import Maker
from tests.oracle.mutations import mutated
from tests.oracle.schemas import FACETS, Definition

pytestmark = pytest.mark.check

NAME = "AcmeThingRunFacet"
ID = f"https://acme.example.com/schemas/1-0-0/{NAME}.json"
MARKS = {"_producer": "https://acme.example.com", "_schemaURL": f"{ID}#/$defs/{NAME}"}

Schemas = dict[str, Any]


def facet_file(definitions: Schemas) -> Schemas:
    """Return a facet file, whose facet has a property of each definition."""
    properties = {name: {"$ref": f"#{pointer_of(['$defs', name])}"} for name in definitions}
    base = {"$ref": f"{CORE}#/$defs/RunFacet"}
    facet = {"type": "object", "allOf": [base, {"type": "object", "properties": properties}]}
    keys = {"acme_thing": {"$ref": f"#/$defs/{NAME}"}}
    return {"$id": ID, "$defs": {**definitions, NAME: facet}, "properties": keys}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("round_trip")
    with importable(folder):
        yield folder


def generated_class(folder: Path, schemas: Schemas) -> Any:
    """Return the class of the facet that is generated from schemas."""
    package = unused_name()
    build(folder, package, schemas)
    invalidate_caches()
    return getattr(import_module(package), NAME)


def written(folder: Path, schemas: Schemas) -> Schemas:
    """Return the schema of the class that is generated from schemas."""
    return facet_schema(generated_class(folder, schemas))


def oracle_of(folder: Path, *schemas: Schemas) -> Oracle:
    """Return what validates with these and the published schemas."""
    spec = folder / f"{unused_name()}_oracle"
    write_schemas(spec, {f"{number}.json": one for number, one in enumerate(schemas)})
    for number, path in enumerate(sorted(PUBLISHED.rglob("*.json"))):
        (spec / f"published{number}.json").write_bytes(path.read_bytes())
    return Oracle(spec)


# -- every construct of JSON Schema ------------------------------------------------------------------


def case(name: str) -> Schemas:
    """Return the schemas of a case by file name, those of its own file as properties of a facet."""
    schemas = {}
    for path in sorted((CASES / name / "spec").glob("*.json")):
        schemas[path.name] = json.loads(path.read_text(encoding="utf-8").replace(CORE_ID, CORE))
    schemas[SPEC_FILE] = {**facet_file(schemas[SPEC_FILE]["$defs"]), "$id": schemas[SPEC_FILE]["$id"]}
    return schemas


@each("name", sorted(path.name for path in CASES.iterdir()))
def test_the_schema_of_a_generated_class_accepts_the_same(name: str, folder: Path) -> None:
    schemas = case(name)
    schema = written(folder, schemas)
    others = [one for file, one in schemas.items() if file != SPEC_FILE]
    oracle = oracle_of(folder, schema, *others)
    for verdict in ("valid", "invalid"):
        for path in sorted((CASES / name / verdict).glob("*.json")):
            for shows, document in json.loads(path.read_text(encoding="utf-8")).items():
                facet = {**MARKS, path.stem: document}
                assert oracle.is_valid(facet, schema["$id"], NAME) == (verdict == "valid"), (path.stem, shows)
    for never in NEVER_VALID.get(name, ()):
        del schema["$defs"][NAME]["allOf"][1]["properties"][never]
    again = {f"{NAME}.json": schema, **{one["$id"].rpartition("/")[2]: one for one in others}}
    assert counted_as_any(written(folder, again)) == counted_as_any(schema)


NEVER_VALID = {"one_of_counted": ["NameOrTitle", "NothingOrNull"]}
"""Definitions whose branches are equal once references are resolved, which `generate` rejects."""


def counted_as_any(schema: Any) -> Any:
    """Return a schema with anyOf for oneOf: those of classes with a discriminator are equivalent."""
    text = json.dumps(schema)
    return json.loads(text.replace('"oneOf"', '"anyOf"'))


@each("seed", range(share(0.08)))
def test_the_schema_of_a_class_with_random_properties_accepts_the_same(seed: int, folder: Path) -> None:
    made = RandomSchemas(seed)
    original = facet_file(made.definitions)
    package = unused_name()
    custom = read_custom_facets(write_schemas(folder / package, {f"{NAME}.json": original}), PUBLISHED)
    if custom.errors:
        pytest.skip("the random schemas contradict each other")
    schema = written(folder, {f"{NAME}.json": original})
    one, other = oracle_of(folder, original), oracle_of(folder, schema)
    for _ in range(40):
        for name, definition in made.definitions.items():
            facet = {**MARKS, name: made.document(definition)}
            assert one.is_valid(facet, ID, NAME) == other.is_valid(facet, ID, NAME), facet


@each("format", ["date-time", "uri", "uuid", "date", "duration", "email", "it's"])
def test_the_schema_of_a_class_keeps_the_formats_of_texts(format: str, folder: Path) -> None:
    text = {"type": "string", "format": format}
    definitions = {
        "Alone": text,
        "Listed": {"type": "array", "items": text},
        "Mapped": {"type": "object", "additionalProperties": text},
        "OrNull": {"anyOf": [text, {"type": "null"}]},
        "OrNumber": {"anyOf": [text, {"type": "integer"}]},
    }
    schema = written(folder, {f"{NAME}.json": facet_file(definitions)})
    assert schema["$defs"][NAME]["allOf"][1]["properties"] == definitions


# -- the published facets ----------------------------------------------------------------------------


CLASSES = {
    entry.schema_url: load_class("openlineage_facets.generated", f"{entry.module}:{entry.name}")
    for entry in GENERATED
}


@pytest.fixture(scope="module")
def published(folder: Path) -> tuple[Oracle, dict[str, str]]:
    """Return an oracle with the schemas of all published classes, and the `$id` of each by its URL."""
    ids = {url: f"https://acme.example.com/{number}/Facet.json" for number, url in enumerate(CLASSES)}
    return oracle_of(folder, *(facet_schema(cls, ids[url]) for url, cls in CLASSES.items())), ids


@each("definition", [one for _, one in FACETS], ids=lambda one: str(one.name))
def test_the_schema_of_a_published_facet_accepts_the_same(
    definition: Definition, published: tuple[Oracle, dict[str, str]]
) -> None:
    oracle, ids = published
    for seed in range(share(0.1)):
        random = Random(f"{definition.name} {seed}")
        facet = Maker(random).make(definition)
        for document in (facet, mutated(random, facet)):
            expected = oracle.is_valid(document, definition.document, definition.name)
            assert oracle.is_valid(document, ids[definition.url], definition.name) == expected, document
