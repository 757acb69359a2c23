"""JSON Schema with the constraints of strict parsing: the event and all standard facets under their keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(SPEC.rglob("*.json"))]
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
        "$defs": {one["$id"]: one for one in documents},
    }


def _facet(url: str) -> dict[str, Any]:
    deleted = {"required": ["_deleted"], "properties": {"_deleted": {"const": True}}}
    return {"anyOf": [deleted, {"$ref": url}]}
