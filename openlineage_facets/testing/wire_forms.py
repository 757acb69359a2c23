"""Convert the events that tests pass to their wire format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.base.errors.client_classes import is_client_object
from openlineage_facets.base.model.model import Model


def wire_form(event: Any) -> str | bytes | bytearray | Mapping[str, Any]:
    """Return an event as JSON text or as a JSON object.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object.

    Raises:
        TypeError: `event` has another type.
    """
    if isinstance(event, (str, bytes, bytearray, Mapping)):
        return event
    if isinstance(event, Model):
        return event.to_json()
    if is_client_object(event):
        from openlineage.client.serde import Serde

        return Serde.to_json(event)
    raise TypeError(f"expected an event, JSON text or a dict, found {type(event).__name__}")
