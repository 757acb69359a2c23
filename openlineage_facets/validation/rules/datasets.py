"""Rules for duplicate datasets and columns in an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.validation.event_document import DatasetName, Document
from openlineage_facets.validation.rule import rule
from openlineage_facets.validation.schema_columns import columns_by_entity


@rule("OL307", "Duplicate dataset", see="https://openlineage.io/docs/spec/object-model")
def dataset_twice(document: Document) -> Iterator[Finding]:
    """A dataset is identified by namespace and name. It may be both an input and an output, but each list
    contains it once. If a list contains it twice, consumers keep the facets of either one.

    Merge the facets into one dataset. Two entries with different `subset` facets are valid.
    """
    first: dict[tuple[str, DatasetName], tuple[str, Any]] = {}
    for entity in document.entities:
        identity = entity.identity if entity.kind in ("input", "output") else None
        if identity is None:
            continue
        facets = entity.value.get(f"{entity.kind}Facets")
        subset = facets.get("subset") if isinstance(facets, dict) else None
        pointer, other = first.setdefault((entity.kind, identity), (entity.pointer, subset))
        if pointer != entity.pointer and (subset is None or subset == other):
            yield Finding(
                entity.pointer,
                f"each dataset once among the {entity.kind}s",
                f"{describe(identity.name)} again, as in {pointer}",
                "merge the facets into one dataset",
            )


@rule("OL308", "Duplicate column", see="https://openlineage.io/docs/spec/facets/dataset-facets/schema")
def column_twice(document: Document) -> Iterator[Finding]:
    """A schema facet lists each column once. If two columns have the same name, consumers keep either one,
    and column lineage is ambiguous.
    """
    columns = document.cached(columns_by_entity)
    for entity in document.entities:
        if entity.pointer in columns and columns[entity.pointer].has_duplicates:
            for steps, name in _duplicates(entity.facet("schema").get("fields"), ("fields",)):
                pointer = f"{entity.pointer}/facets/schema{json_pointer(steps)}"
                yield Finding(pointer, "each column once", f"{describe(name)} again")


def _duplicates(fields: Any, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield location and name of each column with the same name as an earlier one on its level."""
    seen: set[str] = set()
    for index, field in enumerate(fields if isinstance(fields, list) else ()):
        name = field.get("name") if isinstance(field, dict) else None
        if isinstance(name, str):
            if name in seen:
                yield (*steps, index, "name"), name
            seen.add(name)
            yield from _duplicates(field.get("fields"), (*steps, index, "fields"))
