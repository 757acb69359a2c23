"""Parse schema URLs into document, version and definition."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

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
