"""JSON Schema with the constraints of strict parsing: the event and all standard facets under their keys."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from openlineage_facets.generated.registry import FACETS

SPEC = Path(__file__).resolve().parent.parent / "spec"

_CONTAINERS = {
    "run": {"facets": "RunFacets"},
    "job": {"facets": "JobFacets"},
    "dataset": {"facets": "DatasetFacets"},
    "inputs": {"facets": "DatasetFacets", "inputFacets": "InputDatasetFacets"},
    "outputs": {"facets": "DatasetFacets", "outputFacets": "OutputDatasetFacets"},
}


def combined_schema() -> dict[str, Any]:
    """Return the schema, without external references."""
    documents = _documents()
    return {**_event_schema(documents), "$defs": {one["$id"]: one for one in documents}}


@cache
def validator_with_registry() -> jsonschema.Draft202012Validator:
    """Return a validator whose references are resolved in a registry that was indexed before."""
    documents = _documents()
    resources = [(one["$id"], DRAFT202012.create_resource(one)) for one in documents]
    registry: Registry[Any] = Registry().with_resources(resources).crawl()
    formats = jsonschema.Draft202012Validator.FORMAT_CHECKER
    schema = _event_schema(documents)
    return jsonschema.Draft202012Validator(schema, registry=registry, format_checker=formats)


def _documents() -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(SPEC.rglob("*.json"))]


def _event_schema(documents: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of events, with references to `documents`."""
    core = next(one["$id"] for one in documents if "BaseFacet" in one["$defs"])
    entities: dict[str, Any] = {}
    for name, containers in _CONTAINERS.items():
        entity = {
            "properties": {
                field: {
                    "properties": {
                        one.key: _facet(one.schema_url)
                        for one in FACETS
                        if one.container == container and not one.proposal
                    }
                }
                for field, container in containers.items()
            }
        }
        entities[name] = {"items": entity} if name in ("inputs", "outputs") else entity
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.com/combined-schema.json",
        "allOf": [{"$ref": core}, {"properties": entities}],
    }


def _facet(url: str) -> dict[str, Any]:
    deleted = {"required": ["_deleted"], "properties": {"_deleted": {"const": True}}}
    return {"anyOf": [deleted, {"$ref": url}]}
