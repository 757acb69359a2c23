"""Compose values in Python: the names of their fields, and the three ways to validate them.

`Model.__init__` and `Model._compose` try these paths in order:

1. *By Python name.* A class without defaults and facets, such as a nested item, is validated by pydantic
   with the keyword arguments as they are, if these are scalars or models.
2. *By class.* Entities and events have facets that were validated when they were composed. The class's
   composer (`base/composer.py`) only checks that each facet is of the right class, which avoids building
   the schemas of all facets.
3. *By schema.* Everything else, and everything that the first two reject, is validated by wire name with
   the schema of the class. Only this path raises an error, so that messages are the same for all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.class_building import resolve_fields
from openlineage_facets.base.composer import Composer, composer_of, holds_facets, is_entity
from openlineage_facets.base.errors import EventError, Finding, json_pointer, unknown_field
from openlineage_facets.base.iterator_arguments import ITERATOR_TYPES, consume_iterator
from openlineage_facets.base.name_suggestions import did_you_mean

__all__ = [
    "PLAIN_CONTAINERS",
    "FieldNames",
    "are_scalars_or_models",
    "assert_no_unknown_fields",
    "by_wire_name",
    "composer_for",
    "field_names",
    "without_absent",
]


class FieldNames(NamedTuple):
    """The wire names of a class's declared fields."""

    by_python_name: dict[str, str]
    by_wire_name: dict[str, str]
    optional: frozenset[str]
    holds_facets: bool
    is_plain: bool
    """Whether composing needs no defaults, checks or facets: the first path applies."""
    identity: tuple[str, ...]
    """The fields that name an entity."""


_NAMES: dict[type[BaseModel], FieldNames] = {}


def field_names(cls: type[BaseModel]) -> FieldNames:
    """Return the names of a class's fields, cached."""
    names = _NAMES.get(cls)
    if names is None:
        if not resolve_fields(cls):
            cls.model_rebuild()  # Finds names in the scope of the caller, or raises.
        fields = cls.model_fields
        by_python_name = {
            name: name if field.alias is None else field.alias for name, field in fields.items()
        }
        by_wire_name = {wire: name for name, wire in by_python_name.items()}
        optional = (by_python_name[name] for name, field in fields.items() if not field.is_required())
        has_facets = holds_facets(cls)
        model: Any = cls
        overrides = sum("_compose" in vars(base) for base in cls.__mro__) > 1  # Model itself has one.
        is_plain = not (model.__defaults__ or overrides or has_facets)
        identity = tuple(name for name in ("namespace", "name") if name in by_wire_name and is_entity(cls))
        names = FieldNames(by_python_name, by_wire_name, frozenset(optional), has_facets, is_plain, identity)
        _NAMES[cls] = names
    return names


_COMPOSERS: dict[type[BaseModel], Composer | None] = {}


def composer_for(cls: type[BaseModel], names: FieldNames) -> Composer | None:
    """Return the composer of a class with facets, cached; None for other classes."""
    if cls not in _COMPOSERS:
        _COMPOSERS[cls] = composer_of(cls, names.by_python_name) if names.holds_facets else None
    return _COMPOSERS[cls]


def are_scalars_or_models(values: Iterable[Any]) -> bool:
    """Return whether all fields are present and none is a dict, or a list with dicts."""
    for value in values:
        kind = type(value)
        if kind in _SCALARS:
            continue
        if kind is list or kind is tuple:
            if not all(hasattr(type(one), "__wire_serializer__") for one in value):
                return False
        elif not hasattr(kind, "__wire_serializer__"):
            return False
    return True


_SCALARS = frozenset({str, int, float, bool})


def by_wire_name(cls: type[BaseModel], fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields by wire name.

    Raises:
        EventError: The class has no such field, or a field is given by both names.
    """
    names = field_names(cls).by_python_name
    wire: dict[str, Any] = {}
    for name, value in fields.items():
        key = names.get(name)
        if key is None:
            if name not in names.values() and not getattr(cls, "__open__", False):
                raise EventError([_unknown_field(cls, names, (name,))])
            key = name
        if key in wire:
            python = next(one for one, other in names.items() if other == key)
            problem = f"field {key!r} is given twice"
            hint = f"use {python!r} or {key!r}, not both"
            finding = Finding(json_pointer([key]), "one value", "two", hint, "OL014", problem=problem)
            raise EventError([finding])
        wire[key] = consume_iterator(value, key) if type(value) in ITERATOR_TYPES else value
    return wire


def without_absent(wire: dict[str, Any], optional: frozenset[str]) -> dict[str, Any]:
    """Return fields without the optional ones that are None, which means absent."""
    return {name: value for name, value in wire.items() if value is not None or name not in optional}


PLAIN_CONTAINERS = frozenset({dict, list, tuple})
"""Types of nested items that are given as plain JSON, and of their containers."""


def assert_no_unknown_fields(given: Any, made: Any, steps: tuple[str | int, ...]) -> None:
    """Reject unknown fields in nested items that were given as plain dicts.

    Args:
        given: The value that was passed.
        made: The value that was created from it.
        steps: The location in the composed value.

    Raises:
        EventError: A nested item has an unknown field.
    """
    if hasattr(type(made), "__wire_serializer__"):
        if isinstance(given, Mapping):
            cls = type(made)
            for name in made.__pydantic_extra__ or ():
                wire = field_names(cls).by_python_name.get(name)
                known = [wire] if wire else field_names(cls).by_wire_name
                raise EventError([_unknown_field(cls, known, (*steps, name))])
            for name, python in field_names(cls).by_wire_name.items():
                assert_no_unknown_fields(given.get(name), made.__dict__[python], (*steps, name))
    elif isinstance(made, tuple) and isinstance(given, (list, tuple)):
        for number, (row, value) in enumerate(zip(given, made, strict=False)):
            if not hasattr(type(row), "__wire_serializer__"):
                assert_no_unknown_fields(row, value, (*steps, number))
    elif isinstance(made, dict) and isinstance(given, Mapping):
        for key, value in made.items():
            assert_no_unknown_fields(given.get(key), value, (*steps, key))


def _unknown_field(cls: type[BaseModel], names: Iterable[str], steps: tuple[str | int, ...]) -> Finding:
    """Return the finding of a field at `steps` that is not among `names`."""
    hint = did_you_mean(str(steps[-1]), names)
    return unknown_field(json_pointer(steps), str(steps[-1]), cls.__name__, hint)
