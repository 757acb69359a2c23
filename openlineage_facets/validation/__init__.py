"""Judge events: what the schema forbids, and what is unwise.

Example:
    >>> from openlineage_facets.validation import read_event, validate
    >>> validate(text)
    []
    >>> event, findings, raw = read_event(text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.validation.raw_facet import RawFacet
    from openlineage_facets.validation.reading import Reading, read_event, validate

_EXPORTS = {
    "RawFacet": "raw_facet",
    "Reading": "reading",
    "read_event": "reading",
    "validate": "reading",
}

__all__ = ["RawFacet", "Reading", "read_event", "validate"]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
