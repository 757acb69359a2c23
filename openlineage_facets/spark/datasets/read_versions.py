"""One table that is read in several versions, as with `versionAsOf`: its columns are those of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from openlineage_facets.facets import (
    DatasetFacet,
    DatasetVersionDatasetFacet,
    SchemaDatasetFacet,
    StorageDatasetFacet,
)

F = TypeVar("F", bound=DatasetFacet)


def facets_of_versions(
    earlier: Iterable[DatasetFacet], later: Iterable[DatasetFacet]
) -> tuple[DatasetFacet, ...] | None:
    """Return the facets of a table that is read in two versions; None if they are not known to differ.

    Its version is the newer one; for other formats than Delta, whose versions have no order, that of the
    later read.

    Args:
        earlier: The facets of the table as it was read earlier.
        later: Its facets as it was read later.
    """
    earlier, later = list(earlier), list(later)
    before, after = (_find(DatasetVersionDatasetFacet, facets) for facets in (earlier, later))
    if before is None or after is None or before.dataset_version == after.dataset_version:
        return None
    is_before_newer = _is_delta(later) and int(before.dataset_version) > int(after.dataset_version)
    newest = before if is_before_newer else after
    joined: list[DatasetFacet] = [newest]
    known, read = (_find(SchemaDatasetFacet, facets) for facets in (earlier, later))
    if known is not None and read is not None:
        joined.append(_with_columns_of(known, read))
    replaced = {type(facet) for facet in joined}
    others = earlier if is_before_newer else later
    return (*joined, *(facet for facet in others if type(facet) not in replaced))


def _find(kind: type[F], facets: Iterable[DatasetFacet]) -> F | None:
    return next((facet for facet in facets if isinstance(facet, kind)), None)


def _is_delta(facets: Iterable[DatasetFacet]) -> bool:
    storage = _find(StorageDatasetFacet, facets)
    return storage is not None and storage.storage_layer == "delta"


def _with_columns_of(schema: SchemaDatasetFacet, other: SchemaDatasetFacet) -> SchemaDatasetFacet:
    """Return a schema with the columns that only another one has, at the end."""
    fields = list(schema.fields or ())
    names = {field.name for field in fields}
    added = [field for field in other.fields or () if field.name not in names]
    if not added:
        return schema
    for position, field in enumerate(added, start=len(fields) + 1):
        fields.append(field.replace(ordinal_position=position))
    return schema.replace(fields=fields)
