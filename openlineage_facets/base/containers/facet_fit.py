"""How the class of a custom facet applies to a facet: by the schema and the version in their URLs."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.model.spec_models import FacetModel


def read_as(cls: type[FacetModel], facet: FacetModel) -> FacetModel | None:
    """Return a facet as one of a class, None if the class does not apply to it.

    Raises:
        EventError: The facet is invalid for the class.
    """
    how = fit(facet.__dict__.get("schema_url") or "", cls.__schema_url__) if cls.__custom__ else Fit.SAME
    if not how.may_apply:
        return None
    try:
        return cls.from_json(facet.to_json())
    except EventError:
        if how is Fit.NEWER:
            return None
        raise


class Fit(Enum):
    """How a class applies to a facet."""

    SAME = "a facet of this version, or of an older one of its MODEL"
    NEWER = "a facet of a newer version of its MODEL"
    OTHER_MODEL = "a facet of another MODEL of its schema"
    OTHER_SCHEMA = "a facet of another schema"

    @property
    def may_apply(self) -> bool:
        """Whether the class describes the facet, or most of it."""
        return self in (Fit.SAME, Fit.NEWER)


def fit(schema_url: str, class_url: str) -> Fit:
    """Return how a class applies to a facet.

    Args:
        schema_url: The `_schemaURL` of the facet.
        class_url: The schema URL of the class.

    Example:
        >>> fit("https://acme.example.com/2-0-0/Cost.json", "https://acme.example.com/1-0-0/Cost.json")
        <Fit.OTHER_MODEL: 'a facet of another MODEL of its schema'>
    """
    if schema_url == class_url:
        return Fit.SAME
    if _path(schema_url) != _path(class_url):
        return Fit.OTHER_SCHEMA
    found, known = version_in(schema_url), version_in(class_url)
    if not found or not known:
        return Fit.SAME
    if found[0] != known[0]:
        return Fit.OTHER_MODEL
    return Fit.NEWER if found > known else Fit.SAME


def version_in(url: str) -> tuple[int, ...] | None:
    """Return the version in the URL of any schema, None without one.

    Example:
        >>> version_in("https://acme.example.com/schemas/1-1-0/AcmeCostRunFacet.json")
        (1, 1, 0)
    """
    found = re.search(r"/v?(\d{1,9}(?:[-.]\d{1,9}){0,3})/", url[:_LONGEST].partition("#")[0])
    return tuple(map(int, re.split("[-.]", found[1]))) if found else None


_LONGEST = 2000
"""The rest of longer URLs is not read."""

_VERSION = re.compile(
    r"v?\d+(?:[-._]\d+)*|(?=[a-f]*\d)[0-9a-f]{7,40}|main|master|head|trunk|develop|latest|current",
    re.IGNORECASE,
)
"""A step of a path that names a version, a commit or a branch."""


@lru_cache(maxsize=1024)
def _document_path(url: str) -> tuple[str, ...]:
    document = url.partition("#")[0].partition("://")[2]
    document = re.sub(r"^github\.com/([^/]+/[^/]+)/(?:blob|raw)/", r"raw.githubusercontent.com/\1/", document)
    document = document.replace("/refs/heads/", "/").replace("/refs/tags/", "/")
    host, *steps = document.split("/")
    return (host.lower(), *("" if _VERSION.fullmatch(step) else step for step in steps))


def _path(url: str) -> tuple[str, ...]:
    """Return the host and the path of a schema, without what names its version."""
    return _document_path(url[:_LONGEST])
