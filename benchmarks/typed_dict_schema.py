"""A pydantic schema of typed dicts with the fields of msgspec structs, and nothing else to check."""

from __future__ import annotations

from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from pydantic_core import CoreSchema, SchemaValidator, core_schema

__all__ = ["typed_dict_validator"]


def typed_dict_validator(struct: type[msgspec.Struct]) -> SchemaValidator:
    """Return a validator of dicts with the fields of a struct; like our classes, it keeps unknown fields."""
    definitions: dict[str, CoreSchema] = {}
    schema = _schema(struct, definitions)
    return SchemaValidator(core_schema.definitions_schema(schema, list(definitions.values())))


def _schema(kind: Any, definitions: dict[str, CoreSchema]) -> CoreSchema:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _schema(arguments[0], definitions)  # None is the default of an absent field.
    if origin is Literal:
        return core_schema.literal_schema(list(arguments))
    if origin is list:
        return core_schema.list_schema(_schema(arguments[0], definitions))
    if origin is dict:
        return core_schema.dict_schema(values_schema=_schema(arguments[1], definitions))
    if issubclass(kind, msgspec.Struct):
        return _of_struct(kind, definitions)
    scalars: dict[Any, Callable[..., CoreSchema]] = {
        str: core_schema.str_schema,
        int: core_schema.int_schema,
        bool: core_schema.bool_schema,
    }
    return scalars[kind](strict=True)


def _of_struct(struct: type[msgspec.Struct], definitions: dict[str, CoreSchema]) -> CoreSchema:
    reference = core_schema.definition_reference_schema(struct.__name__)
    if struct.__name__ not in definitions:
        definitions[struct.__name__] = reference  # Replaced below: a struct may contain itself.
        fields = {
            field.encode_name: core_schema.typed_dict_field(
                _schema(field.type, definitions), required=field.required
            )
            for field in msgspec.structs.fields(struct)
        }
        definitions[struct.__name__] = core_schema.typed_dict_schema(
            fields, extra_behavior="allow", ref=struct.__name__
        )
    return reference
