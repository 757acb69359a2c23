"""What composing promises of facets, events and runs: defaults filled in, URIs absolute."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Strict

from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.model import Model
from openlineage_facets.base.producer import PRODUCER_VARIABLE, current_producer, is_absolute_uri
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.uuid7 import uuid7

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["EventModel", "FacetModel", "RunModel"]


_SCALARS = frozenset({int, float, bool, str, int | None, float | None, bool | None, str | None})


def _assert_absolute(wire: dict[str, Any], *names: str) -> None:
    wrong = [name for name in names if not is_absolute_uri(wire.get(name))]
    if wrong:
        raise EventError([_not_absolute(name, wire[name]) for name in wrong])


def _not_absolute(name: str, found: object) -> Finding:
    expected = "an absolute URI such as https://example.com/etl/v7"
    return Finding(f"/{name}", expected, shown(found), _origin(found), "OL016")


def _origin(uri: object) -> str:
    """Say where a wrong producer came from, if nobody in sight wrote it."""
    return (
        f"mend the environment variable {PRODUCER_VARIABLE}"
        if uri == os.environ.get(PRODUCER_VARIABLE)
        else ""
    )


class FacetModel(Model):
    """The behaviour every facet shares."""

    __schema_url__: ClassVar[str]
    """The `_schemaURL` that composing writes: this very class in this very version of its schema."""

    __facet_key__: ClassVar[str | None] = None
    """The key under which the facet stands in its container, or None for a base facet."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "_producer": lambda cls: current_producer(),
        "_schemaURL": lambda cls: cls.__schema_url__,
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # A base facet carries any custom facet, so its fields are the caller's; a named facet's are declared.
        cls.__open__ = cls.__facet_key__ is None

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        # "10" is no number in a company's own facet either. Generated fields say so themselves.
        for field in cls.model_fields.values():
            if not field.metadata and field.annotation in _SCALARS:
                field.metadata.append(Strict())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Naming a class needs no schema.
        from openlineage_facets.base.offsets import with_offsets
        from openlineage_facets.base.unread import with_unread_rows

        return with_unread_rows(cls, with_offsets(cls, handler(source), handler), handler)

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        _assert_absolute(wire, "_producer", "_schemaURL")
        if cls.__open__:
            _assert_not_too_deep(wire)


_DEEPEST = 190
"""Levels of objects and arrays in a field; readers take 200, of which the way to the facet is a part."""


def _assert_not_too_deep(wire: dict[str, Any]) -> None:
    for name, value in wire.items():
        level = [value]
        for _ in range(_DEEPEST):
            level = [
                inner
                for one in level
                if isinstance(one, (dict, list, tuple))
                for inner in (one.values() if isinstance(one, dict) else one)
                if isinstance(inner, (dict, list, tuple))
            ]
            if not level:
                break
        else:
            expected = f"JSON nested at most {_DEEPEST} levels deep"
            raise EventError([Finding(f"/{name}", expected, "more levels", "give it as text", "OL001")])


class EventModel(Model):
    """The behaviour every event shares."""

    __schema_url__: ClassVar[str]
    """The `schemaURL` that composing writes."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "eventTime": lambda cls: Timestamp.now_utc(),
        "producer": lambda cls: current_producer(),
        "schemaURL": lambda cls: cls.__schema_url__,
    }

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        _assert_absolute(wire, "producer", "schemaURL")


class RunModel(Model):
    """The behaviour of a run: composed without an id, it gets a new one that sorts by time."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {"runId": lambda cls: str(uuid7())}
