"""Compose entities and events by checking the classes of their facets.

The full schema of a run event contains the schemas of all facets; pydantic builds it when the first event is
parsed. Composing does not need it: the facets were validated when they were created, so checking their
classes is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator, core_schema

from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.wire.pydantic_internals import is_built, model_validators, set_serializer
from openlineage_facets.base.wire.types import bare
from openlineage_facets.base.wire.wire_serialization import wire_format_serializer


class Composer(NamedTuple):
    """Validates the fields of a class, by wire name, by their types."""

    validate: Callable[..., Any]
    rules: tuple[Callable[[Any], Any], ...]
    """Model validators of the class, to be called with the created value."""


def field_types(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the type of each field, forward references resolved.

    Raises:
        NameError: A type is not defined in the scope of the class.
    """
    if not resolve_fields(cls):
        raise NameError(cls.__name__)
    return {name: field.annotation for name, field in cls.model_fields.items()}


@cache
def composer_of(cls: type[BaseModel]) -> Composer | None:
    """Return the composer of a class with facets, cached, or None if it needs its own schema."""
    rules = tuple(model_validators(cls))
    if any(rule.info.mode != "after" for rule in rules):
        return None
    if hasattr(cls, "__facet_key__"):
        return None  # A facet that contains entities has other fields, too, with schemas of any kind.
    from pydantic import TypeAdapter  # Importing a class does not need it.

    fields = {}
    for name, kind in field_types(cls).items():
        field = cls.model_fields[name]
        if _holds_facets(kind):
            schema = _by_class(kind)
        else:
            described = (field.annotation, *field.metadata)
            whole: Any = Annotated[described] if field.metadata else field.annotation
            schema = TypeAdapter(whole).core_schema
        if not field.is_required():
            schema = core_schema.with_default_schema(schema, default=None)
        wire = name if field.alias is None else field.alias
        fields[name] = core_schema.model_field(schema, validation_alias=wire, serialization_alias=wire)
    config = core_schema.CoreConfig(
        title=cls.__name__,
        extra_fields_behavior="allow",
        str_min_length=0,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",
    )
    schema = core_schema.model_schema(
        cls,
        core_schema.model_fields_schema(fields, model_name=cls.__name__, extra_behavior="allow"),
        config=config,
    )
    if not is_built(cls):  # Until parsing builds the full schema.
        model: Any = cls
        model.__wire_serializer__ = serializer = SchemaSerializer(schema, config)
        set_serializer(cls, wire_format_serializer(config) if model.__outermost__ else serializer)
    return Composer(SchemaValidator(schema).validate_python, tuple(rule.func for rule in rules))


def holds_facets(cls: type[BaseModel]) -> bool:
    """Return whether a class is an entity with facets, or an event with such entities."""
    try:
        return any(map(_holds_facets, field_types(cls).values()))
    except NameError:
        return False


def is_entity(cls: type[BaseModel]) -> bool:
    """Return whether a class has a container with known facets."""
    try:
        kinds = map(bare, field_types(cls).values())
        return any(_is_container(kind) and kind.__slots_by_key__ for kind in kinds)
    except NameError:
        return False


@cache
def container_fields(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the class of each facet container of an entity, by the name of its field."""
    kinds = {name: bare(kind) for name, kind in field_types(cls).items()}
    return {name: kind for name, kind in kinds.items() if _is_container(kind)}


def _holds_facets(kind: Any) -> bool:
    """Return whether a field has a facet container, an entity with one, or a tuple of these."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return _holds_facets(get_args(kind)[0])
    if get_origin(kind) is None and isinstance(kind, type) and issubclass(kind, BaseModel):
        return any(map(_is_container, field_types(kind).values()))
    return _is_container(kind)


def _is_container(kind: Any) -> bool:
    """Return whether a field has a container whose class alone decides which facets belong there."""
    kind = bare(kind)
    # Python 3.10 takes `FacetMap[RunFacet]` for a class.
    return get_origin(kind) is None and isinstance(kind, type) and hasattr(kind, "__slots_by_key__")


def _by_class(kind: Any) -> CoreSchema:
    """Return the schema that checks a type with facets by class."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return core_schema.tuple_variable_schema(_by_class(get_args(kind)[0]))
    if _is_container(kind):
        return core_schema.no_info_plain_validator_function(
            kind._of_facets, serialization=kind._written_as_mapping()
        )
    return core_schema.is_instance_schema(kind)
