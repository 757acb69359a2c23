"""Lossless events for the transports of openlineage-python."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any


class _JsonObject(dict[str, Any]):
    """A JSON object with its fields as attributes, like the client's classes.

    Absent fields are None. Transforming transports may change fields.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    __setattr__ = dict.__setitem__


def client_event(event: dict[str, Any]) -> Any:
    """Return an event that a transport of openlineage-python accepts and serializes without loss.

    Transports check an event's class and attributes and serialize it with the client's `Serde`, which drops
    nulls and empty objects. `Serde` writes the value of an enum member unchanged, however. The returned event
    is therefore an instance of both the client's event class and `Enum`.
    """
    parts: Any = _as_parts(event)
    run = parts.run
    if (
        isinstance(run, _JsonObject)
        and isinstance(run.facets, _JsonObject)
        and isinstance(run.facets.parent, _JsonObject)
    ):
        run.facets["parent"] = _typed_as(
            _client_class("generated.parent_run", "ParentRunFacet"), run.facets.parent
        )
    kind = "RunEvent" if run is not None else "DatasetEvent" if parts.job is None else "JobEvent"
    return _typed_as(_enum_class(_client_class("event_v2", kind)), parts)


def _as_parts(value: Any) -> Any:
    if isinstance(value, dict):
        return _JsonObject((name, _as_parts(item)) for name, item in value.items())
    return [_as_parts(item) for item in value] if isinstance(value, list) else value


def _client_class(module: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(f"openlineage.client.{module}"), name)


@cache
def _enum_class(official: type) -> type:
    class Both(official, Enum):  # type: ignore[misc]
        """An enum without members that is also an event class."""

    return Both


@cache
def _class_typed_as(official: type) -> type[_JsonObject]:
    class Kept(_JsonObject):
        __slots__ = ()
        __class__ = property(lambda _: official)  # pyright: ignore[reportIncompatibleMethodOverride]

        @property
        def value(self) -> _JsonObject:
            return _JsonObject(self)

        @property
        def eventType(self) -> Any:  # noqa: N802 - the client's name
            state = self.get("eventType")
            return None if state is None else _client_class("event_v2", "RunState")(state)

    return Kept


def _typed_as(official: type, part: _JsonObject) -> Any:
    """Return `part` as an object for which `isinstance(..., official)` is true."""
    return _class_typed_as(official)(part)
