"""Parse dataset namespaces and compare them with the naming specification."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from openlineage_facets.naming.systems import System, system_of_jdbc, system_of_scheme

_URI = re.compile(r"(?P<jdbc>jdbc:)?(?P<scheme>[A-Za-z][A-Za-z0-9.-]*)(?:\+[a-z0-9_]+)?://(?P<rest>.*)", re.S)

MAX_LENGTH = 2000
"""Only this many characters of a namespace are parsed."""


class Namespace(NamedTuple):
    """A parsed namespace.

    Args:
        text: The namespace.
        scheme: The scheme as written, including prefixes and suffixes such as `jdbc:` or `+psycopg2`.
        source: The data source; None if the naming specification does not list it.
        authority: The text between the scheme and the first slash.
        rest: The text after the authority.
    """

    text: str
    scheme: str
    source: System | None
    authority: str
    rest: str

    @staticmethod
    def parse(text: str) -> Namespace:
        """Parse a namespace. Text beyond `MAX_LENGTH` characters is ignored."""
        return _parsed(text[:MAX_LENGTH])

    @property
    def has_specified_scheme(self) -> bool:
        """Whether the scheme is the one in the naming specification."""
        if self.source is None:
            return True
        bare = not self.authority and self.source.authority in ("none", "optional")
        return (self.text if bare else self.scheme) == self.source.scheme

    @property
    def with_specified_scheme(self) -> str:
        """The namespace with its scheme replaced by the one in the naming specification."""
        if self.source is None:
            return self.text
        if not self.authority and self.source.authority in ("none", "optional"):
            return self.source.scheme
        return f"{self.source.scheme}://{self.authority}{self.rest}"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Namespace:
    match = _URI.fullmatch(text)
    if match is None:
        # A bare word is a namespace only if no authority is required: "kafka" may mean anything.
        word = text.removesuffix(":").lower()
        source = system_of_scheme(word)
        is_namespace = (
            source is not None and source.scheme == word and source.authority in ("none", "optional")
        )
        return Namespace(text, text, source if is_namespace else None, "", "")
    rest = match["rest"]
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority = rest[:end]
    source = system_of_scheme(match["scheme"])
    if match["jdbc"]:
        host = re.split("[:;]", authority.rpartition("@")[2], maxsplit=1)[0]
        by_driver = system_of_jdbc(match["scheme"], host)
        source = by_driver if by_driver is not None and by_driver.specified else source
    return Namespace(text, text[: text.index("://")], source, authority, rest[end:])
