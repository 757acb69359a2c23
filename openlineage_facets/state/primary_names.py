"""One name for datasets that have several, as `symlinks` facets say."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from openlineage_facets.state.entities import DatasetId


def primary_names(
    links: Iterable[tuple[DatasetId, Iterable[DatasetId]]],
    preferred: Callable[[Iterable[DatasetId]], Iterable[DatasetId]] | None = None,
) -> dict[DatasetId, DatasetId]:
    """Return the primary name for each alternative name of a dataset.

    Names linked by `symlinks` facets, directly or transitively, are one dataset. Its primary name has such a
    facet and is not listed in another one. If several names qualify, the first in sort order is used; if none
    does, the first that has a facet.

    Args:
        links: The datasets with a `symlinks` facet, and the names in it.
        preferred: Returns those of all names of a dataset of which one is to be primary; by default, those
            with a facet.
    """
    groups: dict[DatasetId, set[DatasetId]] = {}
    carriers: set[DatasetId] = set()
    listed: set[DatasetId] = set()
    for dataset, identifiers in links:
        others = {*identifiers} - {dataset}
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
        candidates = group if preferred is None else set(preferred(group))
        primary = min((candidates & carriers) - listed or candidates & carriers or candidates)
        if primary != name:
            primaries[name] = primary
    return primaries
