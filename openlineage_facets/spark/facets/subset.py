"""The part of an input that a run has read: partitions or folders."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from openlineage_facets.facets import InputSubsetInputDatasetFacet
from openlineage_facets.facets import base_subset_dataset as conditions


@dataclass(frozen=True)
class Subset:
    """A part of a dataset, or all of it.

    Args:
        partitions: Partitions, as JSON objects of the values of their columns.
        locations: Folders or files.
        is_whole: All of it, or a part that is not known.
    """

    partitions: frozenset[str] = frozenset()
    locations: frozenset[str] = frozenset()
    is_whole: bool = False

    @classmethod
    def of_partitions(cls, partitions: Iterable[dict[str, Any]]) -> Subset:
        """Return partitions with these values."""
        return cls(partitions=frozenset(json.dumps(values) for values in partitions))

    def columns(self) -> set[str]:
        """Return the partition columns; empty without partitions."""
        return {column for values in self.partitions for column in json.loads(values)}


WHOLE = Subset(is_whole=True)
"""All of a dataset, or an unknown part."""


def union(first: Subset, second: Subset) -> Subset:
    """Return what is in one of two parts."""
    if first.is_whole or second.is_whole:
        return WHOLE
    return Subset(first.partitions | second.partitions, first.locations | second.locations)


def subset_facet(subset: Subset) -> InputSubsetInputDatasetFacet | None:
    """Return the facet of a part; None for all of a dataset."""
    if subset.is_whole:
        return None
    partitions = conditions.PartitionSubsetCondition(
        type="partition",
        partitions=[
            conditions.Partition(dimensions=json.loads(values)) for values in sorted(subset.partitions)
        ],
    )
    if not subset.locations:
        return InputSubsetInputDatasetFacet(input_condition=partitions)
    locations = conditions.LocationSubsetCondition(type="location", locations=sorted(subset.locations))
    if not subset.partitions:
        return InputSubsetInputDatasetFacet(input_condition=locations)
    both = conditions.BinarySubsetCondition(type="binary", operator="OR", left=partitions, right=locations)
    return InputSubsetInputDatasetFacet(input_condition=both)
