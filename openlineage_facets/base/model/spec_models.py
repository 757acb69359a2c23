"""Base classes of facets, events and entities: defaults and checks for composing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import Strict

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.base.json.json_input import assert_nesting
from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.model.field_names import container_fields, field_types, is_with_facets
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.producer import PRODUCER_VARIABLE, current_producer, is_absolute_uri
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.times.uuid7 import uuid7
from openlineage_facets.base.wire.core_schemas import change_fields, written_by_class
from openlineage_facets.base.wire.pydantic_internals import declared_fields

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

    from openlineage_facets.base.display.short_values import EntitySummary


_SCALARS = frozenset({int, float, bool, str, int | None, float | None, bool | None, str | None})


def _assert_absolute(wire: dict[str, Any], *names: str) -> None:
    wrong = [name for name in names if not is_absolute_uri(wire.get(name))]
    if wrong:
        raise EventError([_not_absolute(name, wire.get(name)) for name in wrong])


def _not_absolute(name: str, uri: object) -> Finding:
    expected = "an absolute URI such as https://example.com/v7/etl"
    variable = os.environ.get(PRODUCER_VARIABLE)
    is_of_variable = name.endswith("producer") and variable is not None and uri == variable
    hint = f"fix the environment variable {PRODUCER_VARIABLE}" if is_of_variable else ""
    return Finding(f"/{name}", expected, describe(uri), hint, "OL016")


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
        if cls.__custom__:
            _assert_one_name(cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Importing a class needs no schema.
        from openlineage_facets.base.model.hand_written_facets import with_lists_and_offsets, with_read_json
        from openlineage_facets.base.wire.lazy_items import with_lazy_items

        if cls.__custom__ and resolve_fields(cls):
            _forbid_coercion(cls)  # Also fields whose types were defined after the class.
        schema = super().__get_pydantic_core_schema__(source, handler)
        if not cls.__custom__:
            return with_lazy_items(cls, schema, handler)
        if cls.model_config.get("alias_generator"):
            _assert_one_name(cls)  # pydantic 2.11 generates the aliases with the schema.
        schema = with_lists_and_offsets(cls, schema, handler)
        return with_read_json(cls, with_lazy_items(cls, schema, handler))

    def _assert_json(self) -> None:
        from openlineage_facets.base.model.hand_written_facets import assert_foreign_fields_are_json

        assert_foreign_fields_are_json(self)

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        _assert_absolute(wire, "_producer", "_schemaURL")
        if cls.__open__ or cls.__custom__:
            assert_nesting(wire, _DEEPEST)


def _forbid_coercion(cls: type[FacetModel]) -> None:
    """Make the scalar fields of a custom facet strict: "10" is not a number."""
    for field in declared_fields(cls).values():
        if not field.metadata and field.annotation in _SCALARS:  # Generated fields are strict already.
            field.metadata.append(Strict())


def _assert_one_name(cls: type[FacetModel]) -> None:
    """Reject fields that are written under another name than they are read, or not read at all.

    Raises:
        TypeError: The class has such a field, or two fields with one name.
    """
    fields_by_name: dict[Any, str] = {}
    for name, field in declared_fields(cls).items():
        read, written = field.validation_alias or name, field.serialization_alias or name
        if read != written:
            raise TypeError(
                f"{cls.__name__}.{name} is read as {read!r}, but written as {written!r}; "
                f"use Field(alias={written!r}) for both"
            )
        other = fields_by_name.setdefault(written, name)
        if other != name:
            raise TypeError(
                f"{cls.__name__}.{name} and .{other} are both written as {written!r}; "
                "choose another alias for one of them"
            )
    for name in cls.model_computed_fields:
        raise TypeError(
            f"{cls.__name__}.{name} is written, but not read; use a property without computed_field"
        )


_DEEPEST = 190
"""Maximum nesting in a field; parsers accept 200 levels, including those around the facet."""


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

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = super().__get_pydantic_core_schema__(source, handler)
        entities = [name for name, kind in field_types(cls).items() if is_with_facets(kind)]
        change_fields(handler.resolve_ref_schema(schema), dict.fromkeys(entities, written_by_class))
        return schema

    def show(self) -> Path:
        """Open the lineage of the event as a page in a browser, and return the file of the page."""
        from openlineage_facets.base.display.notebook_html import show_graph

        return show_graph(self)

    def _repr_html_(self) -> str:
        """Return a picture, and a table of the fields with a row for each input and output, for notebooks."""
        from openlineage_facets.base.display.notebook_html import picture_of

        return picture_of(self) + super()._repr_html_()


F = TypeVar("F", bound=FacetModel)


def facet_of(owner: Any, cls: type[F], containers: Mapping[str, Any]) -> F | None:
    """Return the facet of a class in the container where it belongs, None if there is none.

    Args:
        owner: An object with facet containers.
        cls: The class of the facet.
        containers: The class of each container, by the name of the attribute.

    Raises:
        EventError: The facet under the key of the class is invalid for that class.
        TypeError: The class belongs into none of the containers.
    """
    for name, container in containers.items():
        if issubclass(cls, container._base_facet()):
            facets = getattr(owner, name)
            return None if facets is None else facets.get(cls)
    bases = ", ".join(container._base_facet().__name__ for container in containers.values())
    raise TypeError(f"{type(owner).__name__} has no {cls.__name__}; expected a subclass of {bases}")


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
        return facet_of(self, cls, container_fields(kind))

    def __summary__(self) -> EntitySummary:
        """Return identity, size and facet keys."""
        from openlineage_facets.base.display.short_values import summary_of  # Composing needs none.

        kind: Any = type(self)
        identity = [getattr(self, name, None) for name in ("namespace", "name", "run_id")]
        containers = [getattr(self, name, None) or {} for name in container_fields(kind)]
        return summary_of(identity, (pair for container in containers for pair in container.items()))


class RunModel(EntityModel):
    """The base of runs. The default run id is a new UUIDv7, which sorts by time."""

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {"runId": lambda cls: str(uuid7())}
