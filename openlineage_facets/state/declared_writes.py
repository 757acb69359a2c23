"""Which inputs of a run feed which of its outputs, as its `lineage` facet declares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.generated.containers import JobFacets
from openlineage_facets.generated.lineage import LineageDatasetEntry, LineageDatasetInput, LineageJobInput
from openlineage_facets.state.canonical_json import canonical_json
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.typed_facets import read_facets

DeclaredWrites: TypeAlias = Mapping[Key, frozenset[Key]]
"""The inputs of each output, as far as they are declared."""


@lru_cache(maxsize=1_000)
def declared_writes(facet: str) -> str | None:
    """Return what the `lineage` facet of a job declares, as JSON that `writes_from_json` reads.

    Equal declarations return equal texts. A tombstone declares nothing.

    Args:
        facet: The facet in canonical JSON.

    Returns:
        The declarations; None if the facet is invalid.
    """
    if is_tombstone(facet):
        return "[]"
    lineage = read_facets(JobFacets, {"lineage": facet}, "")[0].lineage
    if lineage is None:
        return None
    writes: dict[Key, set[Key]] = {}
    for entry in lineage.entries:
        if not isinstance(entry, LineageDatasetEntry):
            continue
        inputs = _datasets(entry.inputs or ())
        for field in (entry.fields or {}).values():
            inputs |= _datasets(field.inputs)
        if inputs or entry.inputs is not None:  # Otherwise the sources are unknown.
            writes.setdefault((entry.namespace, entry.name), set()).update(inputs)
    return canonical_json([[*target, sorted(inputs)] for target, inputs in sorted(writes.items())])


def writes_from_json(text: str) -> DeclaredWrites:
    """Return the declarations that `declared_writes` returned."""
    return {
        (namespace, name): frozenset((dataset[0], dataset[1]) for dataset in inputs)
        for namespace, name, inputs in json.loads(text)
    }


def _datasets(inputs: Iterable[LineageDatasetInput | LineageJobInput]) -> set[Key]:
    return {(source.namespace, source.name) for source in inputs if isinstance(source, LineageDatasetInput)}
