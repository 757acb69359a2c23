"""Rules for the tags of runs, jobs and datasets."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import Facet
from openlineage_facets.validation.rule import facet_rule
from openlineage_facets.validation.schema_columns import Columns

_SEE = "https://openlineage.io/docs/spec/facets/run-facets/tags"


def _tags(facet: Facet) -> Iterator[tuple[int, dict[str, object]]]:
    tags = facet.value.get("tags")
    for index, tag in enumerate(tags if isinstance(tags, list) else ()):
        if isinstance(tag, dict):
            yield index, tag


@facet_rule("OL301", "Duplicate tag", see=_SEE, keys=("tags",), cached=True)
def tags_twice(facet: Facet) -> Iterator[Finding]:
    """A tag is identified by its key, its source and, on a dataset, its field. Two tags with the same
    identity are one tag with two values, and each consumer keeps either one.

    Remove the outdated tag. Use several keys for several values.
    """
    first: dict[tuple[object, ...], int] = {}
    for index, tag in _tags(facet):
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


@facet_rule("OL302", "Tag on an unknown column", see=_SEE, keys=("tags",))
def tagged_column(facet: Facet) -> Iterator[Finding]:
    """The `field` of a tag is the name of a column of the dataset. The schema facet of the dataset does not
    list this column. Names are case-sensitive.
    """
    columns: Columns | None = None
    for index, tag in _tags(facet):
        field = tag.get("field")
        if isinstance(field, str) and facet.entity.is_dataset:
            columns = columns or Columns(facet.entity.facet("schema"))
            if columns and field not in columns:
                yield Finding(f"/tags/{index}/field", "a column of the schema facet", describe(field))
