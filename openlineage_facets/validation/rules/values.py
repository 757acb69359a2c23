"""Rules for values: tags, counts and producers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeGuard

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import Document, Facet, objects_in
from openlineage_facets.validation.rule import facet_rule, rule
from openlineage_facets.validation.rules.datasets import Columns

_SEE_TAGS = "https://openlineage.io/docs/spec/facets/run-facets/tags"


@facet_rule("OL301", "Duplicate tag", see=_SEE_TAGS, keys=("tags",), cached=True)
def tags_twice(facet: Facet) -> Iterator[Finding]:
    """A tag is identified by its key, its source and, on a dataset, its field. Two tags with the same
    identity are one tag with two values, and each consumer keeps either one.

    Remove the outdated tag. Use several keys for several values.
    """
    first: dict[tuple[object, ...], int] = {}
    for index, tag in objects_in(facet.value, "tags"):
        identity = tag.get("key"), tag.get("source"), tag.get("field")
        if not all(part is None or isinstance(part, str) for part in identity):
            continue
        if identity in first:
            yield Finding(
                f"/tags/{index}",
                "each key once per source and field",
                f"{describe(tag.get('key'))} again, as in tag {first[identity]}",
                "remove the outdated tag",
            )
        else:
            first[identity] = index


@facet_rule("OL302", "Tag on an unknown column", see=_SEE_TAGS, keys=("tags",))
def tagged_column(facet: Facet) -> Iterator[Finding]:
    """The `field` of a tag is the name of a column of the dataset. The schema facet of the dataset does not
    list this column. Names are case-sensitive.
    """
    columns: Columns | None = None
    for index, tag in objects_in(facet.value, "tags"):
        field = tag.get("field")
        if isinstance(field, str) and facet.entity.is_dataset:
            columns = columns or Columns(facet.entity.facet("schema"))
            if columns and field not in columns:
                yield Finding(f"/tags/{index}/field", "a column of the schema facet", describe(field))


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


_SEE_PRODUCERS = "https://openlineage.io/docs/spec/producers"

_LONGEST = 2000
"""Characters of the longest producer that is checked."""

_OPAQUE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?!/)")
_VERSION = re.compile(
    r"[^?#]*/v?\d+(?:[._-]\d+)*(?:[._+-]?(?:a|b|rc|dev|post|snapshot)[._-]?\d*)?/?", re.IGNORECASE
)
_KNOWN = ("https://github.com/OpenLineage/OpenLineage/", "https://github.com/apache/airflow/")
"""Producers whose name does not depend on the last segment."""


@rule("OL212", "Producer without a path", see=_SEE_PRODUCERS)
def without_path(document: Document) -> Iterator[Finding]:
    """A producer such as `pkg:pypi/etl@7` or `urn:example:etl` is a valid URI, but has no path. DataHub takes
    the name of the orchestrator from the path. It answers with status 500, also if only the parent facet has
    such a producer.

    Use an `https` URI that ends with a name, such as `https://example.com/v7/etl`.
    """
    for pointer, producer in document.cached(_unnamed):
        if _OPAQUE.match(producer):
            expected = "a URI with a path, such as https://example.com/v7/etl"
            yield Finding(pointer, expected, describe(producer))


@rule("OL213", "Producer ends with a version", see=_SEE_PRODUCERS)
def version_at_end(document: Document) -> Iterator[Finding]:
    """The last segment of the producer's path is a version, as in `https://example.com/etl/v7`. DataHub names
    the orchestrator by it, so each version is another orchestrator with flows of its own.

    End the path with a name that is the same in all versions: `https://example.com/v7/etl`.
    """
    for pointer, producer in document.cached(_unnamed):
        if not _OPAQUE.match(producer):
            expected = "a path that ends with a name, such as https://example.com/v7/etl"
            yield Finding(pointer, expected, describe(producer))


def _unnamed(document: Document) -> list[tuple[str, str]]:
    """Return the producers without a name, of those by which consumers name an orchestrator."""
    found = []
    producer, run = document.value.get("producer"), document.run
    if _is_unnamed(producer) and not (run and run.facet("processing_engine").get("name")):
        found.append(("/producer", producer))
    if run and _is_unnamed(parent := run.facet("parent").get("_producer")):
        found.append(("/run/facets/parent/_producer", parent))
    return found


def _is_unnamed(producer: Any) -> TypeGuard[str]:
    return isinstance(producer, str) and len(producer) <= _LONGEST and _ends_without_name(producer)


@lru_cache(maxsize=256)  # Producers are repeated in many events.
def _ends_without_name(producer: str) -> bool:
    if _OPAQUE.match(producer):
        return True
    return _VERSION.fullmatch(producer) is not None and not producer.startswith(_KNOWN)
