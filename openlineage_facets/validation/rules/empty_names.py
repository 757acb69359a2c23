"""Rule for empty names of jobs and datasets."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.rule import rule


@rule("OL313", "Empty name", see="https://openlineage.io/docs/spec/naming")
def empty_name(document: Document) -> Iterator[Finding]:
    """Jobs and datasets are identified by namespace and name. The schema accepts an empty or blank string,
    but all jobs or datasets with that name are treated as the same one.
    """
    for entity in document.entities:
        if entity.kind == "run":
            continue
        for field in ("namespace", "name"):
            value = entity.value.get(field)
            if isinstance(value, str) and (not value or value.isspace()):
                yield Finding(f"{entity.pointer}/{field}", "a name", describe(value))
