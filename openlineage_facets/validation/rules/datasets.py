"""The datasets of an event, and the columns they list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors import Finding, json_pointer, shown
from openlineage_facets.validation.columns import columns_by_entity
from openlineage_facets.validation.document import DatasetName, Document
from openlineage_facets.validation.rule import rule


@rule("OL307", "A dataset is listed twice", see="https://openlineage.io/docs/spec/object-model")
def dataset_twice(document: Document) -> Iterator[Finding]:
    """A dataset is known by namespace and name, and an event lists it once among its inputs and once
    among its outputs; it may be both. Where one list has it twice, readers keep the facets of one of the
    two, and which one is up to them.

    Put the facets together in one. Two mentions that tell of different parts, each by its own `subset`,
    are fine.
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
                f"{shown(identity.name)} again, as in {pointer}",
                "put the facets of both in one",
            )


@rule(
    "OL308", "A column is listed twice", see="https://openlineage.io/docs/spec/facets/dataset-facets/schema"
)
def column_twice(document: Document) -> Iterator[Finding]:
    """A schema facet lists each column once. With two of one name, readers that know columns by name keep
    one of them, and lineage of the column is ambiguous.
    """
    columns = document.once(columns_by_entity)
    for entity in document.entities:
        if entity.pointer in columns and columns[entity.pointer].has_twins:
            for steps, name in _twins(entity.facet("schema").get("fields"), ("fields",)):
                pointer = f"{entity.pointer}/facets/schema{json_pointer(steps)}"
                yield Finding(pointer, "each column once", f"{shown(name)} again")


def _twins(fields: Any, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the place and the name of each column that was there before, on its level."""
    seen: set[str] = set()
    for index, field in enumerate(fields if isinstance(fields, list) else ()):
        name = field.get("name") if isinstance(field, dict) else None
        if isinstance(name, str):
            if name in seen:
                yield (*steps, index, "name"), name
            seen.add(name)
            yield from _twins(field.get("fields"), (*steps, index, "fields"))
