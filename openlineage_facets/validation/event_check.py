"""Check whether parsed JSON is a valid event, without creating the event."""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.wire.json_schemas import accepts
from openlineage_facets.event_kind import class_of_kind, strict_kind_of

__all__ = ["is_valid_event"]


def is_valid_event(document: Any) -> bool:
    """Return whether `parse_event` accepts the text that a JSON value was parsed from.

    Args:
        document: The value as returned by `from_json`.
    """
    if not isinstance(document, dict):
        return False
    try:
        kind = strict_kind_of(document)
    except EventError:
        return False
    return accepts(class_of_kind(kind), document)
