"""Every version of every schema ever published judges what names it, as `jsonschema` itself does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from openlineage_facets import validate
from openlineage_facets.validation.schemas.schema_files import read_schemas
from openlineage_facets.validation.schemas.schema_set import SchemaSet
from openlineage_facets.validation.standard_facets import SchemaUrl, standard_facets_named
from tests.cases import each
from tests.events import DATASET, JOB, RUN_ID, run_event
from tests.oracle.formats import FORMATS
from tests.validation.schemas.test_schema_set import event, facet

SPEC = "https://openlineage.io/spec"


@pytest.fixture(scope="session")
def published(shared: Path) -> SchemaSet:
    return SchemaSet.load([shared / "published"])


def verdict(schemas: SchemaSet, document: dict[str, Any]) -> bool:
    return not validate(document, rules=False, schemas=schemas)


def test_all_published_versions_load(published: SchemaSet, shared: Path) -> None:
    assert len(published) == sum(1 for _ in (shared / "published").rglob("*.json"))


BEFORE_RUNNING = ("1-0-0", "1-0-1", "1-0-2")


@each("version", [*BEFORE_RUNNING, "1-0-3", "1-0-4", "1-0-5", "2-0-0", "2-0-1", "2-0-2"])
def test_event_is_validated_against_the_version_it_names(published: SchemaSet, version: str) -> None:
    document = event()
    document["schemaURL"] = f"{SPEC}/{version}/OpenLineage.json#/$defs/RunEvent"
    assert verdict(published, document)
    document["eventType"] = "RUNNING"
    assert verdict(published, document) is (version not in BEFORE_RUNNING)
    document["eventTime"] = "2026-03-29"
    assert not verdict(published, document)


def test_versions_without_job_events_reject_them(published: SchemaSet) -> None:
    document = event()
    del document["run"]
    for version, valid in (("1-0-5", False), ("2-0-0", True), ("2-0-2", True)):
        document["schemaURL"] = f"{SPEC}/{version}/OpenLineage.json#/$defs/JobEvent"
        assert verdict(published, document) is valid


@each(
    ("key", "name", "older", "newer", "fields"),
    [
        ("sql", "SQLJobFacet", "1-0-0", "1-1-0", {"query": "SELECT 1", "dialect": 3}),
        (
            "jobType",
            "JobTypeJobFacet",
            "2-0-2",
            "2-0-4",
            {"processingType": "BATCH", "integration": "SPARK", "emissionPattern": "x"},
        ),
    ],
)
def test_facet_valid_only_in_an_older_version(
    published: SchemaSet, key: str, name: str, older: str, newer: str, fields: dict[str, Any]
) -> None:
    for version, valid in ((older, True), (newer, False)):
        url = f"{SPEC}/facets/{version}/{name}.json#/$defs/{name}"
        assert verdict(published, event(job={key: facet(url, **fields)})) is valid
    assert validate(event(job={key: facet(url.replace(newer, older), **fields)}), rules=False) != []


def test_facet_definitions_in_the_core_document_are_used(published: SchemaSet) -> None:
    url = f"{SPEC}/1-0-1/OpenLineage.json#/definitions/SQLJobFacet"
    assert verdict(published, event(job={"sql": facet(url, query="SELECT 1", dialect=3)}))
    assert not verdict(published, event(job={"sql": facet(url, query=1)}))


@cache
def _oracle(folder: Path) -> Any:
    schemas, _ = read_schemas([folder])
    resources = [(url, Resource.from_contents(one, DRAFT202012)) for url, one in schemas.items()]
    return schemas, Registry().with_resources(resources)


def says(folder: Path, url: str, value: Any) -> bool:
    """Tell what `jsonschema` says of a value by one definition."""
    _, registry = _oracle(folder)
    return Draft202012Validator({"$ref": url}, registry=registry, format_checker=FORMATS).is_valid(value)


def mutations(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an example, then it without each of its fields, and with each of another type."""
    yield value
    for name in value:
        yield {key: one for key, one in value.items() if key != name}
        yield from ({**value, name: other} for other in (None, 3, {}))


def test_each_version_of_each_facet_agrees_with_jsonschema(published: SchemaSet, shared: Path) -> None:
    validated: set[str] = set()
    schemas, _ = _oracle(shared / "published")
    for path in sorted((shared / "current" / "tests").glob("*/*.json")):
        example = json.loads(path.read_bytes())
        for key, value in example.items():
            if not isinstance(value, dict):
                continue
            for url, schema in schemas.items():
                name = SchemaUrl.parse(url).definition
                entry = next((one for one in standard_facets_named(name) if one.key == key), None)
                if entry is None or name not in schema.get("$defs", {}):
                    continue
                named = f"{url}#/$defs/{name}"
                validated.add(named)
                for changed in mutations(value):
                    one = {**facet(named), **changed, "_schemaURL": named}
                    document = in_place(entry.container, key, one)
                    if entry.container in ("JobFacets", "DatasetFacets") and one.get("_deleted") is True:
                        continue
                    expected = says(shared / "published", named, one)
                    assert verdict(published, document) is expected, (named, changed)
    assert len(validated) >= 60


def in_place(container: str, key: str, one: dict[str, Any]) -> dict[str, Any]:
    """Return an event that has a facet in its place."""
    places = {
        "RunFacets": {"run": {"runId": RUN_ID, "facets": {key: one}}},
        "JobFacets": {"job": {**JOB, "facets": {key: one}}},
        "DatasetFacets": {"inputs": [{**DATASET, "facets": {key: one}}]},
        "InputDatasetFacets": {"inputs": [{**DATASET, "inputFacets": {key: one}}]},
        "OutputDatasetFacets": {"outputs": [{**DATASET, "outputFacets": {key: one}}]},
    }
    return run_event(**places[container])
