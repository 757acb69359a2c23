"""The Python names and wire names of a class's fields, and values passed by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from types import GeneratorType
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from openlineage_facets.base.errors.findings import EventError, Finding, invalid, unknown_field
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.errors.name_suggestions import did_you_mean
from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.wire.pydantic_internals import declared_fields, is_built
from openlineage_facets.base.wire.types import bare


class FieldNames(NamedTuple):
    """The names of a class's declared fields, and what composing has to know about them."""

    by_python_name: dict[str, str]
    """The wire name of each field."""
    by_wire_name: dict[str, str]
    """The Python name of each field."""
    optional: frozenset[str]
    """The wire names of the fields that may be absent."""
    holds_facets: bool
    """Whether the class is an entity with facets, or an event with such entities."""
    is_plain: bool
    """Whether composing needs no defaults, checks or facets."""
    identity: tuple[str, ...]
    """The fields that name an entity."""


def _field_names(cls: type[BaseModel]) -> FieldNames:
    if not resolve_fields(cls):
        cls.model_rebuild()  # Finds names in the scope of the caller, or raises.
    if cls.model_config.get("alias_generator") and not is_built(cls):
        cls.model_rebuild()  # pydantic 2.11 generates the aliases when it builds the class.
    fields = declared_fields(cls)
    by_python_name = {name: name if field.alias is None else field.alias for name, field in fields.items()}
    by_wire_name = {wire: name for name, wire in by_python_name.items()}
    optional = (by_python_name[name] for name, field in fields.items() if not field.is_required())
    has_facets = holds_facets(cls)
    model: Any = cls
    overrides = sum("_compose" in vars(base) for base in cls.__mro__) > 1  # Model itself has one.
    is_plain = not (model.__defaults__ or overrides or has_facets)
    names = tuple(name for name in ("namespace", "name") if name in by_wire_name)
    containers = container_fields(cls).values() if names else ()
    identity = names if any(container.__slots_by_key__ for container in containers) else ()
    return FieldNames(by_python_name, by_wire_name, frozenset(optional), has_facets, is_plain, identity)


field_names: Callable[[type[BaseModel]], FieldNames] = cache(_field_names)
"""Return the names of a class's fields, cached."""


def wire_names(cls: type[BaseModel]) -> dict[str, str]:
    """Return the wire name of each declared field by its Python name."""
    return field_names(cls).by_python_name


def wire_fields(cls: type[BaseModel], fields: dict[str, Any], *, with_absent: bool = False) -> dict[str, Any]:
    """Return fields by wire name.

    Args:
        cls: The class of the value.
        fields: Its fields, each by Python name or wire name.
        with_absent: Whether to return optional fields that are None, which means absent.

    Raises:
        EventError: The class has no such field, or a field has values by both names.
    """
    names = field_names(cls)
    wire: dict[str, Any] = {}
    for name, value in fields.items():
        key = names.by_python_name.get(name)
        if key is None:
            if name not in names.by_wire_name and not getattr(cls, "__open__", False):
                raise EventError([unknown_field_of(cls, names.by_python_name, (name,))])
            key = name
        if value is None and (key in wire or (key in names.optional and not with_absent)):
            continue
        if key in wire and wire[key] is not None:
            problem = f"field {key!r} is given twice"
            hint = f"use {names.by_wire_name[key]!r} or {key!r}, not both"
            finding = Finding(json_pointer([key]), "one value", "two", hint, "OL014", problem=problem)
            raise EventError([finding])
        wire[key] = consume_iterator(value, key) if type(value) in ITERATOR_TYPES else value
    return wire


def unknown_field_of(cls: type[BaseModel], names: Iterable[str], steps: tuple[str | int, ...]) -> Finding:
    """Return the finding of a field at `steps` that is not among the `names` of a class."""
    hint = did_you_mean(str(steps[-1]), names)
    return unknown_field(json_pointer(steps), str(steps[-1]), cls.__name__, hint)


ITERATOR_TYPES = frozenset({GeneratorType, map, filter, zip})
"""Types of iterators that are consumed first: a failed validation could not be repeated."""


def consume_iterator(values: Any, name: str) -> list[Any]:
    """Return the values of an iterator that was passed for a field.

    Args:
        values: The iterator.
        name: The field.

    Raises:
        EventError: The iterator raised an exception, which is the cause of the error.
    """
    consumed: list[Any] = []
    try:
        consumed.extend(values)
    except EventError:
        raise  # It has its own findings.
    except Exception as error:
        found = f"an iterator that raised {type(error).__name__} after {len(consumed)} values"
        raise invalid(json_pointer([name]), "an iterable of values", found, code="OL018") from error
    return consumed


def field_types(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the type of each field, forward references resolved.

    Raises:
        NameError: A type is not defined in the scope of the class.
    """
    if not resolve_fields(cls):
        raise NameError(cls.__name__)
    return {name: field.annotation for name, field in declared_fields(cls).items()}


def holds_facets(cls: type[BaseModel]) -> bool:
    """Return whether a class is an entity with facets, or an event with such entities."""
    try:
        return any(map(is_with_facets, field_types(cls).values()))
    except NameError:
        return False


@cache
def container_fields(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the class of each facet container of an entity, by the name of its field."""
    kinds = {name: bare(kind) for name, kind in field_types(cls).items()}
    return {name: kind for name, kind in kinds.items() if is_container(kind)}


def is_with_facets(kind: Any) -> bool:
    """Return whether a field has a facet container, an entity with one, or a tuple of these."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return is_with_facets(get_args(kind)[0])
    if get_origin(kind) is None and isinstance(kind, type) and issubclass(kind, BaseModel):
        return bool(container_fields(kind))
    return is_container(kind)


def is_container(kind: Any) -> bool:
    """Return whether a field has a container whose class alone decides which facets belong there."""
    kind = bare(kind)
    # Python 3.10 takes `FacetMap[RunFacet]` for a class.
    return get_origin(kind) is None and isinstance(kind, type) and hasattr(kind, "__slots_by_key__")
