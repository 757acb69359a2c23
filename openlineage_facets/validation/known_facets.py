"""Which facets the specification knows, and which of them a facet on the wire is meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from openlineage_facets.base.facet_keys import folded, spellings
from openlineage_facets.base.registry import FacetEntry
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.document import FacetLabel
from openlineage_facets.validation.schema_url import SchemaUrl

__all__ = [
    "ENTITIES",
    "base_facet",
    "entries_at",
    "is_custom",
    "known_class",
    "meant_by_key",
    "meant_by_url",
    "place_of",
]

ENTITIES = {
    "RunFacets": "a run",
    "JobFacets": "a job",
    "DatasetFacets": "a dataset",
    "InputDatasetFacets": "an input dataset",
    "OutputDatasetFacets": "an output dataset",
}
"""What the facets of each container belong to."""

_FIELDS = {"InputDatasetFacets": "inputFacets", "OutputDatasetFacets": "outputFacets"}

_AT: dict[tuple[str, str], tuple[FacetEntry, ...]] = {}
_OF_CLASS: dict[str, tuple[FacetEntry, ...]] = {}
for _entry in FACETS:
    _AT[_entry.container, _entry.key] = (*_AT.get((_entry.container, _entry.key), ()), _entry)
    _OF_CLASS[_entry.name] = (*_OF_CLASS.get(_entry.name, ()), _entry)

_LONGEST = 2 * max(len(entry.name) for entry in FACETS)
"""Characters of a key that may still be meant for a known one."""

_LIKENESS = 0.85
"""How alike a key must be to a known one to be taken for a slip of the pen: one letter in seven."""


def entries_at(label: FacetLabel) -> tuple[FacetEntry, ...]:
    """Return the facets that the specification has under this key of this container."""
    return _AT.get((label.container, label.key), ())


def known_class(name: str) -> tuple[FacetEntry, ...]:
    """Return the places of the facet class of this name; none where the specification has no such class."""
    return _OF_CLASS.get(name, ())


def base_facet(container: str) -> str:
    """Return the class that every facet of `container` extends."""
    return container[: -len("s")]


def place_of(entry: FacetEntry) -> str:
    """Say where a facet belongs, such as "run under 'parent'"."""
    field = _FIELDS.get(entry.container)
    return f"the facets of {ENTITIES[entry.container]}{f' ({field})' if field else ''} under '{entry.key}'"


def meant_by_url(label: FacetLabel) -> FacetEntry | None:
    """Return the known facet that the schema URL names, nearest to where it stands; None for any other
    URL.
    """
    if label.schema_url is None:
        return None
    url = SchemaUrl.of(label.schema_url)
    official = url.is_official or "/OpenLineage/OpenLineage/" in url.document
    return _nearest(label, known_class(url.definition)) if official else None


def meant_by_key(label: FacetLabel) -> FacetEntry | None:
    """Return the known facet that an unknown key is meant for: misspelt, or that of another entity."""
    if len(label.key) > _LONGEST or entries_at(label):
        return None
    here = [entry for entry in FACETS if entry.container == label.container]
    spelling = folded(label.key)
    for entry in here:
        if spelling in spellings(entry.key, entry.name, base_facet(entry.container)):
            return entry
    near = get_close_matches(label.key, [entry.key for entry in here], n=1, cutoff=_LIKENESS)
    if near and ("_" in near[0] or "_" not in label.key):
        return next(entry for entry in here if entry.key == near[0])
    return _nearest(label, (entry for entry in FACETS if entry.key == label.key))


def is_custom(label: FacetLabel) -> bool:
    """Tell whether a facet is one that its producer defines, and not a known one in a wrong place."""
    return not entries_at(label) and meant_by_url(label) is None and meant_by_key(label) is None


def _nearest(label: FacetLabel, entries: Iterable[FacetEntry]) -> FacetEntry | None:
    """Return the entry of the label's own container, else the first."""
    entries = tuple(entries)
    return next((entry for entry in entries if entry.container == label.container), (*entries, None)[0])
