"""Write a parsed facet as it was read, also if its hand-written class writes values in another form.

A `set` has no duplicates, a `Decimal` is written as text, a validator may change a value. A facet of such a
class keeps the JSON value that it was parsed from, and writes it as long as its fields are unchanged.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic_core import CoreSchema, PydanticSerializationError, core_schema, to_json

from openlineage_facets.base.model.class_building import is_building
from openlineage_facets.base.model.lossless_fields import writes_as_read
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.pydantic_methods import is_strict
from openlineage_facets.base.wire.core_schemas import function_of, validator_inside, without
from openlineage_facets.base.wire.wire_serialization import with_wire_format, without_wire_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_core.core_schema import SerializationInfo, SerializerFunctionWrapHandler, ValidationInfo

__all__ = ["with_read_json"]

_READ = "__read_json__"
"""The key of a `_ReadJson` among the attributes of a facet. pydantic compares and writes only fields."""


class _ReadJson(NamedTuple):
    """What a facet was parsed from, and what it would write."""

    value: Any
    written: Any


def with_read_json(cls: type[Model], schema: CoreSchema) -> CoreSchema:
    """Return the schema of a facet whose parsed values are written as they were read.

    Args:
        cls: The facet.
        schema: Its schema.
    """
    if writes_as_read(cls):
        return schema
    if schema["type"] == "definitions":
        return {**schema, "schema": with_read_json(cls, schema["schema"])}
    plain: Any = without_wire_format(schema)
    is_built_already = function_of(plain) is _parse
    wrapped = plain if is_built_already else _wrapped(cls, plain)
    if not is_building():
        return with_wire_format(without(wrapped, "serialization"))
    return cast(CoreSchema, wrapped)


def _wrapped(cls: type[Model], schema: CoreSchema) -> Any:
    return core_schema.with_info_wrap_validator_function(
        partial(_parse, cls),
        schema,
        serialization=core_schema.wrap_serializer_function_ser_schema(_serialize, info_arg=True),
    )


def _parse(cls: type[Model], data: Any, handler: Callable[[Any], Any], info: ValidationInfo) -> Any:
    if info.mode != "json":
        return handler(data)
    value = validator_inside(cls, _parse).validate_json(to_json(data), strict=is_strict())
    try:
        written = value.to_dict()
    except (PydanticSerializationError, TypeError, ValueError):
        return value  # Writing it reports the reason.
    if to_json(written) != to_json(data):
        value.__dict__[_READ] = _ReadJson(data, written)
    return value


def _serialize(value: Any, handler: SerializerFunctionWrapHandler, info: SerializationInfo) -> Any:
    written = handler(value)
    is_wire_format = (
        info.by_alias and info.exclude_unset and not (info.include or info.exclude or info.exclude_none)
    )
    if info.mode != "json" or not is_wire_format:
        return written
    read: _ReadJson | None = getattr(value, "__dict__", {}).get(_READ)
    return written if read is None or _is_changed(value, written, read) else read.value


def _is_changed(value: Any, written: Any, read: _ReadJson) -> bool:
    """Return whether a facet differs from the one that was read, such as by a mutable model in a field."""
    if written == read.written:
        return False
    # The items of an equal set may be written in another order, such as in a copy of another process.
    return bool(
        value != validator_inside(type(value), _parse).validate_json(to_json(read.value), strict=False)
    )
