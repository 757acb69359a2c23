"""What a schema URL says: which document, which version of it, which definition in it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["SPEC_URL", "SchemaUrl", "spec_version"]

SPEC_URL = "https://openlineage.io/spec/"
"""Where the specification publishes its schemas."""

_LONGEST = 2000
"""How much of a URL is looked at."""

_MOVING = frozenset(("main", "master", "head", "trunk", "develop", "development", "dev", "latest", "current"))
"""Names that stand for whatever is newest."""

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
    """A schema URL, taken apart."""

    document: str
    """The URL before the fragment."""
    fragment: str | None
    """The fragment, None where there is no `#`."""
    definition: str
    """The definition it names: the last step of the fragment, else the name of the file."""

    @staticmethod
    def of(url: str) -> SchemaUrl:
        """Take `url` apart; what is beyond all reason in length is cut."""
        return _taken_apart(url[:_LONGEST])

    @property
    def is_absolute(self) -> bool:
        """Whether it has a scheme and a host."""
        return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]", self.document) is not None

    @property
    def is_official(self) -> bool:
        """Whether the specification publishes the document, however the scheme is spelled."""
        return self.document.startswith((SPEC_URL, SPEC_URL.replace("https", "http")))

    @property
    def is_pointer(self) -> bool:
        """Whether the fragment is a JSON Pointer to a definition."""
        return self.fragment is not None and re.match(r"/(?:\$defs|definitions)/.", self.fragment) is not None

    @property
    def branch(self) -> str | None:
        """The branch it points at, or the name that stands for the newest version; None where neither."""
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
        """Whether the document says its version, in any of the usual ways."""
        _, _, path = self.document.partition("://")[2].partition("/")
        return _VERSION.search(f"/{path}/") is not None


def spec_version(url: str) -> tuple[int, ...] | None:
    """Return the version that the URL of a published schema names, None for any other URL.

    Example:
        >>> spec_version("https://openlineage.io/spec/facets/1-1-0/SQLJobFacet.json")
        (1, 1, 0)
    """
    found = re.match(r"https?://openlineage\.io/spec/(?:[a-z]+/)*?(\d+(?:-\d+)*)/", url)
    return tuple(map(int, found[1].split("-"))) if found else None


@lru_cache(maxsize=1024)
def _taken_apart(url: str) -> SchemaUrl:
    document, mark, fragment = url.partition("#")
    file = document.partition("?")[0].rpartition("/")[2]
    name = fragment.rpartition("/")[2] or file.partition(".")[0]
    return SchemaUrl(document, fragment if mark else None, name)
