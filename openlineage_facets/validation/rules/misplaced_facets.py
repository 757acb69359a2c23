"""Rules for standard facets under the wrong key or on the wrong entity."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.containers.known_facets import FacetEntry
from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import FacetLabel
from openlineage_facets.validation.rule import label_rule
from openlineage_facets.validation.standard_facets import (
    ENTITY_OF_CONTAINER,
    facet_of_schema_url,
    facet_with_similar_key,
    location_of,
    standard_facets_at,
)

_SEE = "https://openlineage.io/docs/spec/facets/"


@label_rule("OL106", "Misspelled facet key", see=_SEE)
def misspelled_key(label: FacetLabel) -> Iterator[Finding]:
    """A facet is identified by its key. Under an unknown key it is a custom facet: consumers ignore it, and
    its fields are not validated.

    Keys are irregular: `processing_engine`, but `nominalTime`; `parent` for `ParentRunFacet`; `dataSource`
    for `DatasourceDatasetFacet`.
    """
    intended = facet_with_similar_key(label)
    if intended is not None and intended.container == label.container and _by_url_in_container(label) is None:
        yield Finding("", f"the key '{intended.key}'", describe(label.key), f"rename it to '{intended.key}'")


@label_rule("OL107", "Standard facet under the wrong key", see=_SEE)
def other_key(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names a standard facet, but the facet is stored under another key. Consumers ignore
    it, and its fields are not validated.
    """
    intended = None if standard_facets_at(label) else _by_url_in_container(label)
    if intended is not None:
        yield Finding(
            "",
            f"{intended.name} under '{intended.key}'",
            f"that facet under {describe(label.key)}",
            f"move it to '{intended.key}'",
        )


@label_rule("OL108", "Standard facet on the wrong entity", see=_SEE)
def other_entity(label: FacetLabel) -> Iterator[Finding]:
    """Each standard facet belongs to one kind of entity: `sql` to jobs, `nominalTime` to runs,
    `outputStatistics` to the `outputFacets` of an output dataset. On another entity it is a custom facet with
    the same key: consumers ignore it, and its fields are not validated.
    """
    if standard_facets_at(label) or _by_url_in_container(label) is not None:
        return
    intended = facet_of_schema_url(label) or facet_with_similar_key(label)
    if intended is not None and intended.container != label.container:
        yield Finding(
            "",
            f"a facet of {ENTITY_OF_CONTAINER[label.container]}",
            f"{intended.name}, a facet of {ENTITY_OF_CONTAINER[intended.container]}",
            f"move it to {location_of(intended)}",
        )


def _by_url_in_container(label: FacetLabel) -> FacetEntry | None:
    """Return the facet of the same container that the schema URL names."""
    intended = facet_of_schema_url(label)
    return intended if intended is not None and intended.container == label.container else None
