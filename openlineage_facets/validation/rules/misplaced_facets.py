"""Facets of the specification where it does not have them."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.base.registry import FacetEntry
from openlineage_facets.validation.document import FacetLabel
from openlineage_facets.validation.known_facets import (
    ENTITIES,
    entries_at,
    meant_by_key,
    meant_by_url,
    place_of,
)
from openlineage_facets.validation.rule import label_rule

_SEE = "https://openlineage.io/docs/spec/facets/"


@label_rule("OL106", "The key of a standard facet is misspelt", see=_SEE)
def misspelt_key(label: FacetLabel) -> Iterator[Finding]:
    """A facet is known by its key. Under a key that the specification does not have, it is a custom
    facet, whatever it holds: no reader looks for it there, and its fields are not checked.

    Keys are irregular (`processing_engine`, but `nominalTime`; `parent` for `ParentRunFacet`;
    `dataSource` for `DatasourceDatasetFacet`), which makes this an easy slip.
    """
    meant = meant_by_key(label)
    if meant is not None and meant.container == label.container and _by_url_here(label) is None:
        yield Finding("", f"the key '{meant.key}'", shown(label.key), f"rename it to '{meant.key}'")


@label_rule("OL107", "A standard facet stands under another key", see=_SEE)
def other_key(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names a facet of the specification, which has a key of its own. Under any other key no
    reader looks for it, and its fields are not checked.
    """
    meant = None if entries_at(label) else _by_url_here(label)
    if meant is not None:
        yield Finding(
            "",
            f"{meant.name} under '{meant.key}'",
            f"it under {shown(label.key)}",
            f"move it to '{meant.key}'",
        )


@label_rule("OL108", "A standard facet stands on the wrong entity", see=_SEE)
def other_entity(label: FacetLabel) -> Iterator[Finding]:
    """Each facet of the specification belongs to one kind of entity: `sql` to jobs, `nominalTime` to
    runs, `outputStatistics` to the `outputFacets` of an output dataset. On any other, it is taken for a
    custom facet of that name: no reader looks for it there, and its fields are not checked.
    """
    if entries_at(label) or _by_url_here(label) is not None:
        return
    meant = meant_by_url(label) or meant_by_key(label)
    if meant is not None and meant.container != label.container:
        yield Finding(
            "",
            f"a facet of {ENTITIES[label.container]}",
            f"{meant.name}, a facet of {ENTITIES[meant.container]}",
            f"move it to {place_of(meant)}",
        )


def _by_url_here(label: FacetLabel) -> FacetEntry | None:
    """Return the facet of this very container that the schema URL names."""
    meant = meant_by_url(label)
    return meant if meant is not None and meant.container == label.container else None
