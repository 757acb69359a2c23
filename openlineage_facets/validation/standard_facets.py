"""Look up standard facets by key, by similar key and by schema URL, and parse schema URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.containers.known_facets import FacetEntry, containers_with_key, key_of_variant
from openlineage_facets.base.containers.registered_facets import (
    RegisteredFacet,
    forget_on_registration,
    registered_facet,
)
from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.generated import containers
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import FacetLabel

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


def standard_facets_at(label: FacetLabel) -> tuple[FacetEntry, ...]:
    """Return the standard facets with this container and key."""
    return _BY_LOCATION.get((label.container, label.key), ())


def registered_facet_at(label: FacetLabel) -> RegisteredFacet | None:
    """Return the registered custom facet with this container and key, None without one."""
    return None if standard_facets_at(label) else registered_facet(label.container, label.key)


def is_typed(label: FacetLabel) -> bool:
    """Return whether parsers check a facet with a class: that of the key, or a registered one that fits."""
    custom = registered_facet_at(label)
    return bool(standard_facets_at(label)) or (
        custom is not None and bool(custom.classes_of(label.schema_url))
    )


def standard_facets_named(name: str) -> tuple[FacetEntry, ...]:
    """Return the standard facets with this class name."""
    return _BY_CLASS_NAME.get(name, ())


def base_class_name(container: str) -> str:
    """Return the name of the base class of the facets in `container`."""
    facets: type[FacetMap[Any]] = getattr(containers, container)
    return facets.__base_facet__.rpartition(":")[2]


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
    is_short = len(label.key) <= _LONGEST_CACHED
    return (_similar_to_short if is_short else _similar)(label.container, label.key)


def _similar(container_name: str, unknown: str) -> FacetEntry | None:
    container = getattr(containers, container_name)
    if unknown in container.__slots_by_key__:
        return None
    key = key_of_variant(container, unknown) or _misspelled_key(container, unknown)
    if key is not None:
        # Keys of registered custom facets are similar to those of other custom facets.
        return next(iter(_BY_LOCATION.get((container_name, key), ())), None)
    owners = containers_with_key(container, unknown)
    return _BY_LOCATION[owners[0], unknown][0] if owners else None


_similar_to_short = lru_cache(maxsize=1_024)(_similar)
"""Most rules for a facet ask what its key was meant for."""

_LONGEST_CACHED = 200
"""Characters of the longest key that is cached."""

forget_on_registration(_similar_to_short.cache_clear)


def _misspelled_key(container: type[FacetMap[Any]], key: str) -> str | None:
    """Return the key that another one misspells; a prefix such as `acme_` marks a custom facet."""
    similar = similar_name(key, container.__slots_by_key__)
    if similar is None or ("_" in key and "_" not in similar):
        return None
    # With another letter, a short key is another word: `text` is not `test`.
    return similar if len(similar) > 4 or len(similar) != len(key) else None


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


SPEC_URL = "https://openlineage.io/spec/"
"""Base URL of the published schemas of the specification."""

_LONGEST = 2000
"""Longer URLs are truncated."""

_MOVING = frozenset(("main", "master", "head", "trunk", "develop", "development", "dev", "latest", "current"))
"""Path segments that refer to a branch or to the newest version."""

_REF = re.compile(
    r"://(?:raw\.githubusercontent\.com/[^/]+/[^/]+|[^/]+/.+?/(?:-/)?(?:blob|raw|tree|src))/(?P<ref>[^/]+)/"
)
"""A branch, tag or commit in the URL of a file on a Git host."""

_VERSION = re.compile(
    r"""
    (?:^|[/_.@=-]) v? \d+ (?:[._-]\d+)+ (?![0-9a-z])  # 1-0-0, v1.2, AcmeRunFacet-1.0
    | (?:^|[/_.@=?&-]) (?:v|version[=/]) \d+ (?=[/_.\-?]|$)  # v2
    | / \d+ (?=/)                                      # /3/
    | (?:^|[/_.@=-]) (?=[a-f]*[0-9]) [0-9a-f]{7,40} (?=[/_.\-?]|$)  # a commit
    """,
    re.VERBOSE | re.IGNORECASE,
)


class SchemaUrl(NamedTuple):
    """A parsed schema URL."""

    document: str
    """The URL before the fragment."""
    fragment: str | None
    """The fragment, None if the URL has no `#`."""
    definition: str
    """The name of the definition: the last step of the fragment, or the file name."""

    @staticmethod
    def parse(url: str) -> SchemaUrl:
        """Parse a URL; URLs of more than 2,000 characters are truncated."""
        return _parsed(url[:_LONGEST])

    @property
    def is_absolute(self) -> bool:
        """Whether it has a scheme and a host."""
        return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]", self.document) is not None

    @property
    def is_official(self) -> bool:
        """Whether the specification publishes the document, with https or http."""
        return self.document.startswith((SPEC_URL, SPEC_URL.replace("https", "http")))

    @property
    def is_pointer(self) -> bool:
        """Whether the fragment is a JSON Pointer to a definition."""
        return self.fragment is not None and re.match(r"/(?:\$defs|definitions)/.", self.fragment) is not None

    @property
    def branch(self) -> str | None:
        """The branch, or the segment that refers to the newest version; None if there is neither."""
        found = _REF.search(self.document + "/")
        if found and not self.is_official:
            ref = found["ref"]
            if ref == "refs" and "/refs/heads/" in self.document:
                return self.document.partition("/refs/heads/")[2].partition("/")[0]
            if ref.lower() in _MOVING:
                return ref
        if not found and not self.has_version:
            return next((step for step in self.document.split("/")[3:] if step.lower() in _MOVING), None)
        return None

    @property
    def has_version(self) -> bool:
        """Whether the document's URL contains a version."""
        _, _, path = self.document.partition("://")[2].partition("/")
        return _VERSION.search(f"/{path}/") is not None


def spec_version(url: str) -> tuple[int, ...] | None:
    """Return the version in the URL of a published schema, None for any other URL.

    Example:
        >>> spec_version("https://openlineage.io/spec/facets/1-1-0/SQLJobFacet.json")
        (1, 1, 0)
    """
    found = re.match(r"https?://openlineage\.io/spec/(?:[a-z]+/)*?(\d+(?:-\d+)*)/", url)
    return tuple(map(int, found[1].split("-"))) if found else None


@lru_cache(maxsize=1024)
def _parsed(url: str) -> SchemaUrl:
    document, separator, fragment = url.partition("#")
    file = document.partition("?")[0].rpartition("/")[2]
    name = fragment.rpartition("/")[2] or file.partition(".")[0]
    return SchemaUrl(document, fragment if separator else None, name)
