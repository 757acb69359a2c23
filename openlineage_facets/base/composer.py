"""Composing entities and events by the classes of what they hold.

The schema of a run event holds those of all facets, which pydantic builds when the first event is read. Who
composes one has made its facets already: that they are facets of the right classes is all there is to ask.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import get_annotations
from types import SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator, core_schema

if TYPE_CHECKING:
    from openlineage_facets.base.model import Model

__all__ = ["Composer", "composer_of", "field_types", "holds_facets"]


class Composer(NamedTuple):
    """What makes a value of a class of its fields, by wire names, where each is of the class it expects."""

    validate: Callable[..., Any]
    rules: tuple[Callable[[Any], Any], ...]
    """The class's own rules, to be asked of the value once it is made."""


def field_types(cls: type[Model]) -> dict[str, Any]:
    """Return the type of each field, also of those that name a class defined further down.

    Raises:
        NameError: A type is not to be found where the class stands.
    """
    types: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        fields = {name: kind for name, kind in get_annotations(owner).items() if name in cls.model_fields}
        if fields and owner.__module__ not in sys.modules:
            raise NameError(owner.__module__)  # A class that was pickled whole, on an executor.
        if fields:
            place = vars(sys.modules[owner.__module__])
            types |= get_type_hints(SimpleNamespace(__annotations__=fields), place, include_extras=True)
    return types


def composer_of(cls: type[Model], wire_names: dict[str, str]) -> Composer | None:
    """Return what composes a class that holds facets, or None for one whose own schema is small.

    Args:
        cls: The class.
        wire_names: The wire name of each field.
    """
    rules = cls.__pydantic_decorators__.model_validators.values()
    if not holds_facets(cls) or any(rule.info.mode != "after" for rule in rules):
        return None
    from pydantic import TypeAdapter  # Naming a class needs none.

    types = field_types(cls)
    fields = {}
    for name, kind in types.items():
        field = cls.model_fields[name]
        if _holds_facets(kind):
            schema = _by_class(kind)
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


def _parts(kind: Any) -> list[Any]:
    """Return what a field's type is made of: the types in an optional one, in a tuple, behind a note."""
    if get_origin(kind) is Annotated:
        return [get_args(kind)[0]]
    if get_origin(kind) in (Union, UnionType, tuple):
        return [one for one in get_args(kind) if one is not ... and one is not type(None)]
    return []


def _holds_facets(kind: Any) -> bool:
    """Tell whether a container of facets is all, or a part, of what a field holds."""
    if _is_container(kind):
        return True
    if hasattr(kind, "__pydantic_fields__"):
        return any(map(_is_container, field_types(kind).values()))
    return any(map(_holds_facets, _parts(kind)))


def _is_container(kind: Any) -> bool:
    """Tell whether a field, optional or not, is a container of facets itself."""
    parts = _parts(kind) if get_origin(kind) is not tuple else []
    if parts:
        return len(parts) == 1 and _is_container(parts[0])
    return isinstance(kind, type) and hasattr(kind, "__slots_by_key__")


def _by_class(kind: Any) -> CoreSchema:
    """Return the schema of a type that holds facets."""
    parts = _parts(kind)
    if not parts:
        if hasattr(kind, "__slots_by_key__"):
            return core_schema.no_info_plain_validator_function(
                kind.of_facets, serialization=kind.written_as_mapping()
            )
        return core_schema.is_instance_schema(kind)
    if len(parts) > 1:
        return core_schema.union_schema([_by_class(part) for part in parts])
    inner = _by_class(parts[0])
    return core_schema.tuple_variable_schema(inner) if get_origin(kind) is tuple else inner
