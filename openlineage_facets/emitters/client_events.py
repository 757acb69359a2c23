"""Events as openlineage-python's transports want them, and yet whole."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any

__all__ = ["client_event"]


class _Part(dict[str, Any]):
    """A JSON object whose fields are attributes, too, as those of the client's own classes are.

    An absent one is None. Transforming transports may change them.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    __setattr__ = dict.__setitem__


def client_event(event: dict[str, Any]) -> Any:
    """Return a JSON event as an event of openlineage-python, for a transport to send.

    A transport looks at an event by its class and attributes, then has the client's `Serde` write it. That
    would leave out nulls and empty objects; but of an enum it writes the value, and looks no further into
    it. So an event made here is of the client's class for its kind, and an enum: it is written whole.
    """
    made: Any = _made_of_parts(event)
    run = made.run
    if isinstance(run, _Part) and isinstance(run.facets, _Part) and isinstance(run.facets.parent, _Part):
        run.facets["parent"] = _kept_as(
            _official("generated.parent_run", "ParentRunFacet"), run.facets.parent
        )
    kind = "RunEvent" if run is not None else "DatasetEvent" if made.job is None else "JobEvent"
    return _kept_as(_enum_of(_official("event_v2", kind)), made)


def _made_of_parts(value: Any) -> Any:
    if isinstance(value, dict):
        return _Part((name, _made_of_parts(item)) for name, item in value.items())
    return [_made_of_parts(item) for item in value] if isinstance(value, list) else value


def _official(module: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(f"openlineage.client.{module}"), name)


@cache
def _enum_of(official: type) -> type:
    class Both(official, Enum):  # type: ignore[misc]
        """Both at once, without members."""

    return Both


@cache
def _class_kept_as(official: type) -> type[_Part]:
    class Kept(_Part):
        __slots__ = ()
        __class__ = property(lambda _: official)  # pyright: ignore[reportIncompatibleMethodOverride]

        @property
        def value(self) -> _Part:
            return _Part(self)

        @property
        def eventType(self) -> Any:  # noqa: N802 - the client's name
            state = self.get("eventType")
            return None if state is None else _official("event_v2", "RunState")(state)

    return Kept


def _kept_as(official: type, part: _Part) -> Any:
    """Return `part` as something that `isinstance` takes for an instance of `official`."""
    return _class_kept_as(official)(part)
