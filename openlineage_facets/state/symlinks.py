"""One name for a dataset that goes by several."""

from __future__ import annotations

from collections.abc import Iterable

from openlineage_facets.generated.symlinks_dataset import SymlinksDatasetFacet
from openlineage_facets.state.entities import DatasetId

__all__ = ["primary_names"]


def primary_names(links: Iterable[tuple[DatasetId, SymlinksDatasetFacet]]) -> dict[DatasetId, DatasetId]:
    """Return, for each further name of a dataset, the name to use for it.

    Names that `symlinks` facets tie together, directly or through others, are one dataset. Its name is
    the one that carries such a facet and that no other facet lists; where several do, the first of them
    in sort order, and where none does, the first that carries one.

    Args:
        links: The datasets that carry a `symlinks` facet, each with its facet.
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
        named = (group & carriers) - listed or group & carriers
        primary = min(named)
        if primary != name:
            primaries[name] = primary
    return primaries
