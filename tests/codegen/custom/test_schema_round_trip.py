"""`openlineage-facets schema` is the inverse of `generate`: it writes what the class enforces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from typing import Any

import pytest

from codegen.errors import pointer_of
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.generated.registry import FACETS as GENERATED
from openlineage_facets.validation.schemas.facet_schema import facet_schema
from tests.cases import each
from tests.codegen.building import CORE_ID
from tests.codegen.custom.facets import CORE, PUBLISHED, build, read, write_schemas
from tests.codegen.importing import importable, unused_name
from tests.codegen.oracle import Oracle
from tests.codegen.random_schemas import RandomSchemas
from tests.codegen.test_constructs import CASES, SPEC_FILE
from tests.hypothesis_profiles import share
from tests.oracle.documents import Maker
from tests.oracle.mutations import mutated
from tests.oracle.schemas import FACETS, Definition

pytestmark = pytest.mark.check

Schemas = dict[str, Any]


def facet_file(name: str, definitions: Schemas, schema_id: str = "") -> Schemas:
    """Return a facet file, whose facet has a property of each definition."""
    properties = {one: {"$ref": f"#{pointer_of(['$defs', one])}"} for one in definitions}
    base = {"$ref": f"{CORE}#/$defs/RunFacet"}
    facet = {"type": "object", "allOf": [base, {"type": "object", "properties": properties}]}
    return {
        "$id": schema_id or f"https://acme.example.com/schemas/1-0-0/{name}.json",
        "$defs": {**definitions, name: facet},
        "properties": {f"acme_{name[4:6].lower()}": {"$ref": f"#/$defs/{name}"}},
    }


def name_of(number: int) -> str:
    """Return the name of one of many facets."""
    return f"Acme{chr(65 + number // 26)}{chr(97 + number % 26)}RunFacet"


def in_facet(schema: Schemas, field: str, value: Any) -> Schemas:
    """Return a facet of a schema with a field."""
    return {"_producer": "https://acme.example.com", "_schemaURL": schema["$id"], field: value}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("round_trip")
    with importable(folder):
        yield folder


def written(folder: Path, facets: Schemas, others: Schemas | None = None) -> Schemas:
    """Return the schemas of the classes that are generated from schemas, by the names of the facets."""
    package = unused_name()
    files = {f"{name}.json": schema for name, schema in facets.items()}
    build(folder, package, {**files, **(others or {})})
    invalidate_caches()
    classes = import_module(package)
    return {name: facet_schema(getattr(classes, name), facets[name]["$id"]) for name in facets}


def oracle_of(folder: Path, schemas: Iterable[Schemas]) -> Oracle:
    """Return what validates with these and the published schemas."""
    spec = folder / f"{unused_name()}_oracle"
    write_schemas(spec, {f"{number}.json": one for number, one in enumerate(schemas)})
    for number, path in enumerate(sorted(PUBLISHED.rglob("*.json"))):
        (spec / f"published{number}.json").write_bytes(path.read_bytes())
    return Oracle(spec)


# -- every construct of JSON Schema ------------------------------------------------------------------


def test_the_schemas_of_generated_classes_accept_the_same(folder: Path) -> None:
    names = {case.name: name_of(number) for number, case in enumerate(sorted(CASES.iterdir()))}
    facets, others = {}, {}
    for path in sorted(CASES.glob("*/spec/*.json")):
        schema = json.loads(path.read_text(encoding="utf-8").replace(CORE_ID, CORE))
        name = names[path.parts[-3]]
        if path.name == SPEC_FILE:
            facets[name] = facet_file(name, schema["$defs"], schema["$id"])
        else:
            others[path.name] = schema
    schemas = written(folder, facets, others)
    oracle = oracle_of(folder, [*schemas.values(), *others.values()])
    wrong = [
        (path.parts[-3], path.stem, shows)
        for verdict in ("valid", "invalid")
        for path in sorted(CASES.glob(f"*/{verdict}/*.json"))
        for shows, document in json.loads(path.read_text(encoding="utf-8")).items()
        for name in [names[path.parts[-3]]]
        for facet in [in_facet(schemas[name], path.stem, document)]
        if oracle.is_valid(facet, schemas[name]["$id"], name) != (verdict == "valid")
    ]
    assert wrong == []
    for case, never in NEVER_VALID.items():
        for field in never:
            del schemas[names[case]]["$defs"][names[case]]["allOf"][1]["properties"][field]
    assert counted_as_any(written(folder, schemas, others)) == counted_as_any(schemas)


NEVER_VALID = {"one_of_counted": ["NameOrTitle", "NothingOrNull"]}
"""Definitions whose branches are equal once references are resolved, which `generate` rejects."""


def counted_as_any(schema: Any) -> Any:
    """Return a schema with anyOf for oneOf: those of classes with a discriminator are equivalent."""
    text = json.dumps(schema)
    return json.loads(text.replace('"oneOf"', '"anyOf"'))


def test_the_schemas_of_classes_with_random_properties_accept_the_same(folder: Path) -> None:
    made = {name_of(seed): RandomSchemas(seed) for seed in range(share(0.3))}
    originals = {name: facet_file(name, one.definitions) for name, one in made.items()}
    files = {f"{name}.json": schema for name, schema in originals.items()}
    for error in read(folder / "random", files).errors:
        originals.pop(Path(error.path).stem, None)
    assert originals, "all random schemas contradict each other"
    schemas = written(folder, originals)
    one, other = (oracle_of(folder, side.values()) for side in (originals, schemas))
    for name, original in originals.items():
        for field, definition in made[name].definitions.items():
            for _ in range(30):
                facet = in_facet(original, field, made[name].document(definition))
                expected = one.is_valid(facet, original["$id"], name)
                assert other.is_valid(facet, original["$id"], name) == expected, facet


def test_the_schema_of_a_class_keeps_the_formats_of_texts(folder: Path) -> None:
    definitions: Schemas = {}
    for number, name in enumerate(["date-time", "uri", "uuid", "date", "duration", "email", "it's"]):
        text = {"type": "string", "format": name}
        definitions |= {
            f"Alone{number}X": text,
            f"Listed{number}X": {"type": "array", "items": text},
            f"Mapped{number}X": {"type": "object", "additionalProperties": text},
            f"OrNull{number}X": {"anyOf": [text, {"type": "null"}]},
            f"OrNumber{number}X": {"anyOf": [text, {"type": "integer"}]},
        }
    (schema,) = written(folder, {name_of(0): facet_file(name_of(0), definitions)}).values()
    assert schema["$defs"][name_of(0)]["allOf"][1]["properties"] == definitions


# -- the published facets ----------------------------------------------------------------------------


CLASSES = {
    entry.schema_url: load_class("openlineage_facets.generated", f"{entry.module}:{entry.name}")
    for entry in GENERATED
}


@pytest.fixture(scope="module")
def published(folder: Path) -> tuple[Oracle, dict[str, str]]:
    """Return an oracle with the schemas of all published classes, and the `$id` of each by its URL."""
    ids = {url: f"https://acme.example.com/{number}/Facet.json" for number, url in enumerate(CLASSES)}
    return oracle_of(folder, [facet_schema(cls, ids[url]) for url, cls in CLASSES.items()]), ids


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
