"""Composing entities and events by the classes of what they hold.

The schema of a run event holds those of all facets, which pydantic builds when the first event is read. Who
composes one has made its facets already: that they are facets of the right classes is all there is to ask.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from inspect import get_annotations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, NamedTuple, get_args, get_origin, get_type_hints

from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator, core_schema

from openlineage_facets.base.types import bare

if TYPE_CHECKING:
    from openlineage_facets.base.model import Model

__all__ = ["Composer", "composer_of", "field_types", "holds_facets", "is_entity"]


class Composer(NamedTuple):
    """What makes a value of a class of its fields, by wire names, where each is of the class it expects."""

    validate: Callable[..., Any]
    rules: tuple[Callable[[Any], Any], ...]
    """The class's own rules, to be asked of the value once it is made."""


def field_types(cls: type[Model]) -> dict[str, Any]:
    """Return the type of each field, also of those that name a class defined further down.

    pydantic keeps the notes of an `Annotated` type elsewhere, where it knows the type.

    Raises:
        NameError: A type is not to be found where the class stands.
    """
    if cls.__pydantic_fields_complete__:
        return {name: field.annotation for name, field in cls.model_fields.items()}
    types: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        fields = {name: kind for name, kind in get_annotations(owner).items() if name in cls.model_fields}
        if fields and owner.__module__ not in sys.modules:
            raise NameError(owner.__module__)  # A class that was pickled whole, on an executor.
        if fields:
            place = vars(sys.modules[owner.__module__])
            types |= get_type_hints(SimpleNamespace(__annotations__=fields), place, include_extras=True)
    return types


def composer_of(cls: type[Model], wire_names: Mapping[str, str]) -> Composer | None:
    """Return what composes a class that holds facets, or None where its own schema must.

    Args:
        cls: The class.
        wire_names: The wire name of each field.
    """
    rules = cls.__pydantic_decorators__.model_validators.values()
    if any(rule.info.mode != "after" for rule in rules):
        return None
    from pydantic import TypeAdapter  # Naming a class needs none.

    fields = {}
    for name, kind in field_types(cls).items():
        field = cls.model_fields[name]
        if _holds_facets(kind):
            schema = _by_class(kind)
        elif isinstance(field.annotation, (str, ForwardRef)):
            return None  # pydantic has left it aside, since it names a class further down.
        else:
            described = (field.annotation, *field.metadata)
            whole: Any = Annotated[described] if field.metadata else field.annotation
            schema = TypeAdapter(whole).core_schema
        if not field.is_required():
            schema = core_schema.with_default_schema(schema, default=None)
        wire = wire_names[name]
        fields[name] = core_schema.model_field(schema, validation_alias=wire, serialization_alias=wire)
    schema = core_schema.model_schema(
        cls,
        core_schema.model_fields_schema(fields, model_name=cls.__name__, extra_behavior="allow"),
        config=core_schema.CoreConfig(
            title=cls.__name__, extra_fields_behavior="allow", str_min_length=0, allow_inf_nan=False
        ),
    )
    if not cls.__pydantic_complete__:
        cls.__pydantic_serializer__ = SchemaSerializer(schema)  # Until reading asks for the whole.
    return Composer(SchemaValidator(schema).validate_python, tuple(rule.func for rule in rules))


def holds_facets(cls: type[Model]) -> bool:
    """Tell whether a class is an entity with facets, or an event about some."""
    try:
        return any(map(_holds_facets, field_types(cls).values()))
    except NameError:
        return False


def is_entity(cls: type[Model]) -> bool:
    """Tell whether a class has a container of facets that the specification knows."""
    try:
        kinds = map(bare, field_types(cls).values())
        return any(_is_container(kind) and kind.__slots_by_key__ for kind in kinds)
    except NameError:
        return False


def _holds_facets(kind: Any) -> bool:
    """Tell whether a container of facets, an entity that has one, or a tuple of those stands in a field."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return _holds_facets(get_args(kind)[0])
    if hasattr(kind, "__pydantic_fields__"):
        return any(map(_is_container, field_types(kind).values()))
    return _is_container(kind)


def _is_container(kind: Any) -> bool:
    kind = bare(kind)
    return isinstance(kind, type) and hasattr(kind, "__slots_by_key__")


def _by_class(kind: Any) -> CoreSchema:
    """Return the schema of a type that holds facets."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return core_schema.tuple_variable_schema(_by_class(get_args(kind)[0]))
    if _is_container(kind):
        return core_schema.no_info_plain_validator_function(
            kind.of_facets, serialization=kind.written_as_mapping()
        )
    return core_schema.is_instance_schema(kind)
