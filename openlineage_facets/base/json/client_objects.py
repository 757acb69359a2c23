"""Convert objects of openlineage-python to JSON values, without importing it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Any, Protocol
from uuid import UUID

from openlineage_facets.base.errors.findings import describe, invalid


class ClientEvent(Protocol):
    """An event of openlineage-python."""

    @property
    def eventTime(self) -> str:  # noqa: N802 - the client's name
        """The time of the event."""
        ...

    @property
    def producer(self) -> str:
        """The producer of the event."""
        ...


def client_document(event: Any) -> dict[str, Any]:
    """Return the JSON object that openlineage-python writes for one of its events.

    Like the client, it leaves out fields that are None. Unlike the client, it keeps every item of a list.
    Values that JSON cannot represent are returned unchanged, for the parser to report with their location.

    Raises:
        EventError: The object is not an event, but one of its parts or something else of the client.
    """
    if not hasattr(event, "eventTime"):
        expected = "an event of openlineage-python: a RunEvent, JobEvent or DatasetEvent"
        raise invalid("", expected, describe(event), "pass the event that contains it", "OL002")
    document: dict[str, Any] = client_value(event)
    return document


def client_value(value: Any) -> Any:
    """Return the JSON value of an object of openlineage-python, such as a facet."""
    if isinstance(value, (str, bool)) or value is None:
        return value.value if isinstance(value, Enum) else value
    fields = getattr(type(value), "__attrs_attrs__", None)
    if fields is not None:
        value = {field.name: getattr(value, field.name) for field in fields}
    if isinstance(value, Mapping):
        return {name: client_value(field) for name, field in value.items() if field is not None}
    if isinstance(value, (list, tuple)):
        return [client_value(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if hasattr(type(value), "__index__"):
        return int(value)  # Also integers of NumPy.
    return value
