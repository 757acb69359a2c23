"""Counts that can't be."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.document import Facet
from openlineage_facets.validation.rule import facet_rule


@facet_rule(
    "OL314",
    "A count is below zero",
    see="https://openlineage.io/docs/spec/facets/dataset-facets/output-statistics",
    keys=("inputStatistics", "outputStatistics", "dataQualityMetrics"),
)
def negative_count(facet: Facet) -> Iterator[Finding]:
    """Rows, bytes and files are counted from zero. A negative count is most often the -1 that a system
    uses for "unknown": leave the field out instead, or sums over runs come out too low.
    """
    for field in ("rowCount", "size", "bytes", "fileCount"):
        count = facet.value.get(field)
        if isinstance(count, (int, float)) and count < 0:
            yield Finding(f"/{field}", "a count from zero up", shown(count), "leave an unknown count out")
