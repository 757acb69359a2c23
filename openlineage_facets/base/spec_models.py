"""Base classes of facets, events and entities: defaults and checks for composing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import Strict

from openlineage_facets.base.class_building import resolve_fields
from openlineage_facets.base.composer import container_fields
from openlineage_facets.base.errors import EventError, Finding, describe
from openlineage_facets.base.model import Model
from openlineage_facets.base.producer import PRODUCER_VARIABLE, current_producer, is_absolute_uri
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.uuid7 import uuid7

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["EntityModel", "EventModel", "FacetModel", "RunModel"]


_SCALARS = frozenset({int, float, bool, str, int | None, float | None, bool | None, str | None})


def _assert_absolute(wire: dict[str, Any], *names: str) -> None:
    wrong = [name for name in names if not is_absolute_uri(wire.get(name))]
    if wrong:
        raise EventError([_not_absolute(name, wire[name]) for name in wrong])


def _not_absolute(name: str, found: object) -> Finding:
    expected = "an absolute URI such as https://example.com/etl/v7"
    return Finding(f"/{name}", expected, describe(found), _origin(found), "OL016")


def _origin(uri: object) -> str:
    """Return the hint for an invalid producer from the environment variable, or ""."""
    return (
        f"fix the environment variable {PRODUCER_VARIABLE}"
        if uri == os.environ.get(PRODUCER_VARIABLE)
        else ""
    )


class FacetModel(Model):
    """The base of every facet."""

    __schema_url__: ClassVar[str]
    """The default `_schemaURL`: this class in this version of its schema."""

    __facet_key__: ClassVar[str | None] = None
    """The facet key, or None for a base facet."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "_producer": lambda cls: current_producer(),
        "_schemaURL": lambda cls: cls.__schema_url__,
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # A base facet may have the fields of any custom facet; other facets declare theirs.
        cls.__open__ = cls.__facet_key__ is None
        cls.__custom__ = not cls.__module__.startswith("openlineage_facets.generated.")

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        _forbid_coercion(cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Importing a class needs no schema.
        from openlineage_facets.base.datetime_fields import with_offsets
        from openlineage_facets.base.lazy_items_schema import with_lazy_items

        if cls.__custom__ and resolve_fields(cls):
            _forbid_coercion(cls)  # Also fields whose types were defined after the class.
        schema = super().__get_pydantic_core_schema__(source, handler)
        return with_lazy_items(cls, with_offsets(cls, schema, handler), handler)

    def _assert_json(self) -> None:
        from openlineage_facets.base.foreign_fields import assert_foreign_fields_are_json

        assert_foreign_fields_are_json(self)

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        _assert_absolute(wire, "_producer", "_schemaURL")
        if cls.__open__:
            _assert_not_too_deep(wire)


def _forbid_coercion(cls: type[FacetModel]) -> None:
    """Make the scalar fields of a custom facet strict: "10" is not a number."""
    for field in cls.model_fields.values():
        if not field.metadata and field.annotation in _SCALARS:  # Generated fields are strict already.
            field.metadata.append(Strict())


_DEEPEST = 190
"""Maximum nesting in a field; parsers accept 200 levels, including those around the facet."""


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
            raise EventError([Finding(f"/{name}", expected, "more levels", "pass it as a string", "OL001")])


class EventModel(Model):
    """The base of every event."""

    __schema_url__: ClassVar[str]
    """The default `schemaURL`."""

    __outermost__ = True

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "eventTime": lambda cls: Timestamp.now_utc(),
        "producer": lambda cls: current_producer(),
        "schemaURL": lambda cls: cls.__schema_url__,
    }

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        _assert_absolute(wire, "producer", "schemaURL")


F = TypeVar("F", bound=FacetModel)


class EntityModel(Model):
    """The base of runs, jobs and datasets."""

    def facet(self, cls: type[F]) -> F | None:
        """Return the facet of a class, None if there is none or it is deleted.

        Searches the container where the class belongs: the `facets` of the entity, or the `input_facets` or
        `output_facets` of a dataset.

        Args:
            cls: The class of the facet, also of a custom facet.

        Raises:
            EventError: The facet under the key of the class is invalid for that class.
            TypeError: The class is not a facet of this entity.

        Example:
            >>> schema = dataset.facet(SchemaDatasetFacet)
        """
        kind: Any = type(self)
        containers = container_fields(kind)
        for name, container in containers.items():
            if issubclass(cls, container._base_facet()):
                facets = getattr(self, name)
                return None if facets is None else facets.get(cls)
        bases = ", ".join(one._base_facet().__name__ for one in containers.values())
        raise TypeError(f"{kind.__name__} has no {cls.__name__}; expected a subclass of {bases}")


class RunModel(EntityModel):
    """The base of runs. The default run id is a new UUIDv7, which sorts by time."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {"runId": lambda cls: str(uuid7())}
