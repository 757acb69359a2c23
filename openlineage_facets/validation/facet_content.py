"""The content of facets, and what was derived from it.

The same facet occurs in many events: the schema of a dataset in every event of the jobs that use it. What
depends only on a facet's label and content is computed once for all of them.
"""

from __future__ import annotations

import marshal
from typing import Any, NamedTuple

from openlineage_facets.base.containers.registered_facets import forget_on_registration

__all__ = ["FacetContent", "FacetLabel", "content_of"]


class FacetLabel(NamedTuple):
    """The location of a facet and the schema it names, without its content."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The facet key."""
    schema_url: str | None
    """Its `_schemaURL`, None if it is missing or not a string."""
    deleted: bool = False
    """Whether it is a tombstone (`_deleted: true`)."""


class FacetContent:
    """The label of a facet, and results that depend only on its label and content.

    Args:
        label: The label.

    Attributes:
        label: The label.
        results: The results, by the function that computed each.
    """

    __slots__ = ("label", "results")

    def __init__(self, label: FacetLabel) -> None:
        self.label = label
        self.results: dict[Any, Any] = {}


class _Contents:
    """The contents of recent facets, in bounded memory."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._contents: dict[tuple[str, str, bytes], FacetContent] = {}
        self._bytes = 0

    def of(self, container: str, key: str, value: dict[str, Any]) -> FacetContent:
        """Return the content of a facet, the same object for equal facets."""
        try:
            # Different values have different bytes. JSON would take several times as long to write.
            identity = container, key, marshal.dumps(value)
        except ValueError:  # It is not plain JSON, or nested too deeply.
            return FacetContent(_label(container, key, value))
        content = self._contents.get(identity)
        if content is None:
            content = FacetContent(_label(container, key, value))
            size = len(identity[2]) + _BYTES_OF_RESULTS
            if size < self._most_bytes / 10:
                if self._bytes + size > self._most_bytes:
                    self.clear()
                self._bytes += size
                self._contents[identity] = content
        return content

    def clear(self) -> None:
        """Forget all contents."""
        self._contents.clear()
        self._bytes = 0


_BYTES_OF_RESULTS = 1_000
"""The typical size of a content with its results."""

_CONTENTS = _Contents(most_bytes=10_000_000)

content_of = _CONTENTS.of

forget_on_registration(_CONTENTS.clear)


def _label(container: str, key: str, value: dict[str, Any]) -> FacetLabel:
    url = value.get("_schemaURL")
    schema_url = url if isinstance(url, str) else None
    return FacetLabel(container, key, schema_url, value.get("_deleted") is True)
