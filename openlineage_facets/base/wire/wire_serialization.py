"""Serialize the wire format if a value is nested in a schema that is not ours.

A `TypeAdapter(RunEvent)`, a field of a user's model and a FastAPI response all serialize with pydantic's
defaults, which serialize absent fields as null. Our schemas serialize the wire format instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic_core import CoreConfig, CoreSchema, SchemaSerializer, core_schema

from openlineage_facets.base.wire.core_schemas import (
    class_of,
    model_schema,
    resolved,
    serializes_with,
    unnested,
    without,
)
from openlineage_facets.base.wire.pydantic_internals import core_schema_of, serializer_of

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core.core_schema import SerializationInfo


def with_wire_format(schema: CoreSchema) -> CoreSchema:
    """Return the schema of a class with serialization to the wire format."""
    if "serialization" in schema:
        return schema  # A user's class with its own serializer.
    written: Any = {**schema, "serialization": _WRITTEN}
    return cast(CoreSchema, written)


def without_wire_format(schema: CoreSchema) -> CoreSchema:
    """Return the schema that `with_wire_format` was given; any other schema is returned as it is."""
    is_ours = serializes_with(schema, _wire_format)
    return cast(CoreSchema, without(schema, "serialization")) if is_ours else schema


def write_definitions(definitions: dict[str, CoreSchema]) -> None:
    """Let the definitions of our classes in a schema that is not ours serialize to the wire format.

    A built class brings the definitions of the classes nested in it, which pydantic then also uses for other
    fields of the schema.

    Args:
        definitions: The definitions of the schema by reference.
    """
    for ref, schema in definitions.items():
        if hasattr(class_of(schema), "__wire_serializer__"):
            definitions[ref] = with_wire_format(schema)


def wire_format_serializer(config: CoreConfig) -> SchemaSerializer:
    """Return a serializer for values of any of our classes.

    Args:
        config: The configuration of their class.
    """
    return SchemaSerializer(core_schema.any_schema(serialization=_WRITTEN), config)


def plain_serializer(cls: type[BaseModel]) -> SchemaSerializer:
    """Return a serializer of a class that respects the options of its caller.

    It has the configuration of the class: pydantic writes unknown fields, and values in an `Any` field, with
    that of the serializer, by default NaN as null.
    """
    schema, definitions = unnested(core_schema_of(cls))
    model = resolved(schema, definitions)
    if not serializes_with(model, _wire_format):
        return serializer_of(cls)
    plain = without(model, "serialization")
    if schema is model:
        schema = plain
    else:
        definitions = [plain if definition is model else definition for definition in definitions]
    whole = core_schema.definitions_schema(schema, definitions) if definitions else schema
    return SchemaSerializer(whole, model_schema(plain).get("config"))


def _wire_format(value: Any, info: SerializationInfo) -> Any:
    if not hasattr(type(value), "__wire_serializer__"):
        return value
    return value._dumped(
        "to_python",
        mode=info.mode,
        include=info.include,
        exclude=info.exclude,
        exclude_defaults=info.exclude_defaults,
        exclude_none=info.exclude_none,
        round_trip=info.round_trip,
        context=info.context,
    )


_WRITTEN = core_schema.plain_serializer_function_ser_schema(_wire_format, info_arg=True)
