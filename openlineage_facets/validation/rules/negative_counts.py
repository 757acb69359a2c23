"""Rule for negative counts."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import Facet
from openlineage_facets.validation.rule import facet_rule


@facet_rule(
    "OL314",
    "Negative count",
    see="https://openlineage.io/docs/spec/facets/dataset-facets/output-statistics",
    keys=("inputStatistics", "outputStatistics", "dataQualityMetrics"),
    cached=True,
)
def negative_count(facet: Facet) -> Iterator[Finding]:
    """Counts of rows, bytes and files are never negative. Usually the value is the -1 that a system uses for
    "unknown". It makes totals over several runs too low.

    Omit the field if the count is unknown.
    """
    for field in ("rowCount", "size", "bytes", "fileCount"):
        count = facet.value.get(field)
        if isinstance(count, (int, float)) and count < 0:
            yield Finding(f"/{field}", "a count of at least 0", describe(count), "omit an unknown count")
