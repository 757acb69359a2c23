"""Which base facets of the core a facet extends, as far as `$ref` and `allOf` say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .documents import Document, Spec


def base_facets(document: Document, schema: Any, spec: Spec, pointer: str = "") -> list[str]:
    """Return the names of the core's definitions that a schema extends or is one of, sorted.

    Raises:
        SchemaError: A reference cannot be resolved.
    """
    names: set[str] = set()
    waiting: list[tuple[Document, Any]] = [(document, schema)]
    seen: set[tuple[str, str]] = set()
    while waiting:
        owner, one = waiting.pop()
        if not isinstance(one, Mapping):
            continue
        if isinstance(one.get("$ref"), str):
            target, definition = spec.resolve(owner, one["$ref"], pointer)
            if target.is_core:
                names.add(definition)
            elif (target.schema_id, definition) not in seen:
                seen.add((target.schema_id, definition))
                waiting.append((target, target.definitions[definition]))
        for keyword in ("allOf", "anyOf", "oneOf"):
            waiting += [(owner, part) for part in one.get(keyword, ())]
    return sorted(names)
