"""Names that are empty."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.rule import rule


@rule("OL313", "A name is empty", see="https://openlineage.io/docs/spec/naming")
def empty_name(document: Document) -> Iterator[Finding]:
    """Jobs and datasets are known by namespace and name. An empty one, or one of nothing but spaces,
    satisfies the schema, but all that carry it are taken for the same thing.
    """
    for entity in document.entities:
        if entity.kind == "run":
            continue
        for field in ("namespace", "name"):
            value = entity.value.get(field)
            if isinstance(value, str) and (not value or value.isspace()):
                yield Finding(f"{entity.pointer}/{field}", "a name", shown(value))
