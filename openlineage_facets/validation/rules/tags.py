"""Tags of runs, jobs and datasets."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.columns import Columns
from openlineage_facets.validation.document import Facet
from openlineage_facets.validation.rule import facet_rule

_SEE = "https://openlineage.io/docs/spec/facets/run-facets/tags"


def _tags(facet: Facet) -> Iterator[tuple[int, dict[str, object]]]:
    tags = facet.value.get("tags")
    for index, tag in enumerate(tags if isinstance(tags, list) else ()):
        if isinstance(tag, dict):
            yield index, tag


@facet_rule("OL301", "A tag is listed twice", see=_SEE, keys=("tags",))
def tags_twice(facet: Facet) -> Iterator[Finding]:
    """A tag is known by its key, its source and, on a dataset, the field it is about. Two tags that agree
    in these are one tag with two values, and each reader makes its own choice between them.

    Keep the value that holds. A tag that shall have several values needs several keys.
    """
    first: dict[tuple[object, ...], int] = {}
    for index, tag in _tags(facet):
        identity = tag.get("key"), tag.get("source"), tag.get("field")
        if not all(part is None or isinstance(part, str) for part in identity):
            continue
        if identity in first:
            yield Finding(
                f"/tags/{index}",
                "each key once for a source and field",
                f"{shown(tag.get('key'))} again, as in tag {first[identity]}",
                "keep the value that holds",
            )
        else:
            first[identity] = index


@facet_rule("OL302", "A tag is about a column that the dataset does not have", see=_SEE, keys=("tags",))
def tagged_column(facet: Facet) -> Iterator[Finding]:
    """The `field` of a tag names a column of the dataset. The schema facet beside it lists the columns,
    and this one is not among them, so the tag is about nothing.
    """
    columns: Columns | None = None
    for index, tag in _tags(facet):
        field = tag.get("field")
        if isinstance(field, str) and facet.entity.is_dataset:
            columns = columns or Columns(facet.entity)
            if columns and field not in columns:
                yield Finding(f"/tags/{index}/field", "a column of the schema facet", shown(field))
