"""Resolve symlinks: one primary name for each dataset."""

from __future__ import annotations

from collections.abc import Iterable

from openlineage_facets.generated.symlinks_dataset import SymlinksDatasetFacet
from openlineage_facets.state.entities import DatasetId


def primary_names(links: Iterable[tuple[DatasetId, SymlinksDatasetFacet]]) -> dict[DatasetId, DatasetId]:
    """Return the primary name for each alternative name of a dataset.

    Names linked by `symlinks` facets, directly or transitively, are one dataset. Its primary name has such a
    facet and is not listed in another one. If several names qualify, the first in sort order is used; if none
    does, the first that has a facet.

    Args:
        links: The datasets with a `symlinks` facet, and the facet.
    """
    groups: dict[DatasetId, set[DatasetId]] = {}
    carriers: set[DatasetId] = set()
    listed: set[DatasetId] = set()
    for dataset, facet in links:
        others = {DatasetId(other.namespace, other.name) for other in facet.identifiers or ()} - {dataset}
        if not others:
            continue
        carriers.add(dataset)
        listed |= others
        joined = {dataset, *others}
        for name in tuple(joined):
            joined |= groups.get(name, set())
        for name in joined:
            groups[name] = joined
    primaries: dict[DatasetId, DatasetId] = {}
    for name, group in groups.items():
        candidates = (group & carriers) - listed or group & carriers
        primary = min(candidates)
        if primary != name:
            primaries[name] = primary
    return primaries
