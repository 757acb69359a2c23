"""Whether the `jsonschema` package accepts a document, given one definition of a spec folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


class Oracle:
    """Validates documents with the schemas of a spec folder, date-time and uuid asserted.

    Args:
        spec: A folder of schemas.
    """

    def __init__(self, spec: Path) -> None:
        schemas = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(spec.rglob("*.json"))]
        resources = [Resource.from_contents(schema, default_specification=DRAFT202012) for schema in schemas]
        self._registry: Registry[Any] = Registry().with_resources(
            [(schema["$id"], resource) for schema, resource in zip(schemas, resources, strict=True)]
        )
        # `uri` annotates, it does not assert: real producers write relative ones.
        self._formats = Draft202012Validator.FORMAT_CHECKER.__class__(formats=("date-time", "uuid"))

    def is_valid(self, document: Any, schema_id: str, definition: str) -> bool:
        """Return whether a definition accepts `document`."""
        pointer = definition.replace("~", "~0").replace("/", "~1")
        validator = Draft202012Validator(
            {"$ref": f"{schema_id}#/$defs/{pointer}"}, registry=self._registry, format_checker=self._formats
        )
        return bool(validator.is_valid(document))
