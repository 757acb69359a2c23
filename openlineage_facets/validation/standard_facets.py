"""Look up standard facets: by key, by schema URL, and by similar key."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from openlineage_facets.base.facet_keys import wire_formats
from openlineage_facets.base.name_suggestions import folded
from openlineage_facets.base.registry import FacetEntry
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import FacetLabel
from openlineage_facets.validation.schema_url import SchemaUrl

__all__ = [
    "ENTITY_OF_CONTAINER",
    "base_class_name",
    "facet_of_schema_url",
    "facet_with_similar_key",
    "is_custom",
    "location_of",
    "standard_facets_at",
    "standard_facets_named",
]

ENTITY_OF_CONTAINER = {
    "RunFacets": "a run",
    "JobFacets": "a job",
    "DatasetFacets": "a dataset",
    "InputDatasetFacets": "an input dataset",
    "OutputDatasetFacets": "an output dataset",
}
"""The entity whose facets each container class contains."""

_FIELDS = {"InputDatasetFacets": "inputFacets", "OutputDatasetFacets": "outputFacets"}

_BY_LOCATION: dict[tuple[str, str], tuple[FacetEntry, ...]] = {}
_BY_CLASS_NAME: dict[str, tuple[FacetEntry, ...]] = {}
for _entry in FACETS:
    _location = (_entry.container, _entry.key)
    _BY_LOCATION[_location] = (*_BY_LOCATION.get(_location, ()), _entry)
    _BY_CLASS_NAME[_entry.name] = (*_BY_CLASS_NAME.get(_entry.name, ()), _entry)

_LONGEST_KEY = 2 * max(len(entry.name) for entry in FACETS)
"""Longer keys are never similar to a standard one."""

_SIMILARITY = 0.85
"""Minimum ratio of `difflib` for a misspelled key: about one wrong letter in seven."""


def standard_facets_at(label: FacetLabel) -> tuple[FacetEntry, ...]:
    """Return the standard facets with this container and key."""
    return _BY_LOCATION.get((label.container, label.key), ())


def standard_facets_named(name: str) -> tuple[FacetEntry, ...]:
    """Return the standard facets with this class name."""
    return _BY_CLASS_NAME.get(name, ())


def base_class_name(container: str) -> str:
    """Return the name of the base class of the facets in `container`."""
    return container[: -len("s")]


def location_of(entry: FacetEntry) -> str:
    """Return where a facet belongs, such as "the facets of a run under 'parent'"."""
    field = _FIELDS.get(entry.container)
    return (
        f"the facets of {ENTITY_OF_CONTAINER[entry.container]}"
        f"{f' ({field})' if field else ''} under '{entry.key}'"
    )


def facet_of_schema_url(label: FacetLabel) -> FacetEntry | None:
    """Return the standard facet that the schema URL names, preferably one of the same container."""
    if label.schema_url is None:
        return None
    url = SchemaUrl.parse(label.schema_url)
    official = url.is_official or "/OpenLineage/OpenLineage/" in url.document
    return _preferred(label, standard_facets_named(url.definition)) if official else None


def facet_with_similar_key(label: FacetLabel) -> FacetEntry | None:
    """Return the standard facet for which an unknown key was meant.

    That is one with a similar key in the same container, or one with the same key on another entity.
    """
    if len(label.key) > _LONGEST_KEY or standard_facets_at(label):
        return None
    in_container = [entry for entry in FACETS if entry.container == label.container]
    folded_key = folded(label.key)
    for entry in in_container:
        if folded_key in wire_formats(entry.key, entry.name, base_class_name(entry.container)):
            return entry
    similar = get_close_matches(label.key, [entry.key for entry in in_container], n=1, cutoff=_SIMILARITY)
    if similar and ("_" in similar[0] or "_" not in label.key):
        return next(entry for entry in in_container if entry.key == similar[0])
    return _preferred(label, (entry for entry in FACETS if entry.key == label.key))


def is_custom(label: FacetLabel) -> bool:
    """Return whether a facet is a custom facet rather than a misplaced or misspelled standard facet."""
    return (
        not standard_facets_at(label)
        and facet_of_schema_url(label) is None
        and facet_with_similar_key(label) is None
    )


def _preferred(label: FacetLabel, entries: Iterable[FacetEntry]) -> FacetEntry | None:
    """Return the entry of the label's container, otherwise the first one."""
    entries = tuple(entries)
    return next((entry for entry in entries if entry.container == label.container), (*entries, None)[0])
