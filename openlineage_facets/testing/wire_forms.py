"""The wire form of an event, whatever stands for one in a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.base.model import Model

__all__ = ["wire_form"]


def wire_form(event: Any) -> str | bytes | bytearray | Mapping[str, Any]:
    """Return an event as JSON text, or as a JSON object.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object.

    Raises:
        TypeError: It is none of these.
    """
    if isinstance(event, (str, bytes, bytearray, Mapping)):
        return event
    if isinstance(event, Model):
        return event.to_json()
    if any(cls.__module__.partition(".")[0] == "openlineage" for cls in type(event).__mro__):
        from openlineage.client.serde import Serde

        return Serde.to_json(event)
    raise TypeError(f"expected an event, JSON text or a dict, found {type(event).__name__}")
