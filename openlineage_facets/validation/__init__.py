"""Validate events against the schemas and the rules, and read events that are invalid.

Example:
    >>> from openlineage_facets.validation import read_event, validate
    >>> validate(text)
    []
    >>> event, findings, raw = read_event(text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.validation.event_reading import FileEvent, read_events
    from openlineage_facets.validation.event_validation import validate
    from openlineage_facets.validation.tolerant_parsing import RawFacet, ReadResult, read_event

_EXPORTS = {
    "FileEvent": "event_reading",
    "RawFacet": "tolerant_parsing",
    "ReadResult": "tolerant_parsing",
    "read_event": "tolerant_parsing",
    "read_events": "event_reading",
    "validate": "event_validation",
}

__all__ = ["FileEvent", "RawFacet", "ReadResult", "read_event", "read_events", "validate"]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy_imports import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
