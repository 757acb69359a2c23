"""What hand-written facets need beyond generated ones: more checks, and values that are written as read.

When composing, datetimes need an offset. Foreign types (`Any`, dataclasses, other models of pydantic) accept
values that JSON cannot represent, such as lone surrogates and NaN, which would fail later.

Generated classes write every value as it was read. A hand-written class may have fields that do not: a `set`
has no duplicates, a `Decimal` is written as text, a `float` was an integer of many digits, a validator may
change a value. A facet of such a class keeps the JSON value that it was parsed from, and writes it as long as
its fields are unchanged.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from datetime import datetime
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin

from pydantic import FutureDatetime, PastDatetime
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema, to_json

from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.errors.json_pointer import first_part, json_pointer
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.model.class_building import is_building
from openlineage_facets.base.model.class_properties import is_json_only, writes_as_read
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.pydantic_methods import is_strict
from openlineage_facets.base.wire.core_schemas import (
    change_fields,
    function_of,
    read_inside,
    replace_within,
    without,
)
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.base.wire.wire_serialization import with_wire_format, without_wire_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel, GetCoreSchemaHandler
    from pydantic_core.core_schema import SerializationInfo, SerializerFunctionWrapHandler, ValidationInfo


def with_lists_and_offsets(
    cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler
) -> CoreSchema:
    """Return the schema of a facet with lists for iterables, and with offsets for composed datetimes.

    A list can be written more than once. Parsing accepts what the class declares; a class may declare a
    `NaiveDatetime`.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it; modified in place.
        handler: Resolves the references in it.
    """
    fields = declared_fields(cls).items()
    changes = {name: _list_or_aware for name, field in fields if _is_changed_type(field.annotation)}
    if changes:
        change_fields(handler.resolve_ref_schema(schema), changes)
    return schema


_CHANGED_TYPES: tuple[Any, ...] = (Iterable, Generator, datetime, PastDatetime, FutureDatetime)
"""Iterables, whose values pydantic reads while they are iterated, and datetimes."""


def _is_changed_type(annotation: Any) -> bool:
    """Return whether a type is one of `_CHANGED_TYPES`, or has one among its arguments."""
    is_changed = annotation in _CHANGED_TYPES or get_origin(annotation) in _CHANGED_TYPES
    return is_changed or any(map(_is_changed_type, get_args(annotation)))


def _list_or_aware(schema: Any) -> Any:
    lists = replace_within(schema, "generator", lambda iterable: {**iterable, "type": "list"})
    return replace_within(lists, "datetime", _aware)


def _aware(schema: Any) -> Any:
    """Return the schema of a datetime that needs an offset, unless it is parsed from JSON."""
    if "tz_constraint" in schema:
        return schema
    composed: Any = {**schema, "tz_constraint": "aware"}
    return core_schema.json_or_python_schema(json_schema=schema, python_schema=composed)


def assert_foreign_fields_are_json(value: Model) -> None:
    """Validate that a composed value can be serialized as JSON.

    Raises:
        EventError: It cannot; the finding has the location.
    """
    if is_json_only(type(value)):
        return
    try:
        text = value.to_json()
    except (PydanticSerializationError, TypeError, ValueError) as error:
        raise EventError([_finding(value, error)]) from None
    if b"NaN" in text or b"Infinity" in text:
        location = first_part(value.to_dict(), _is_infinite, _is_infinite)
        if location is not None:
            steps, number = location
            raise invalid(json_pointer(steps), "a finite number", describe(number), code="OL015")


def _finding(value: Model, error: Exception) -> Finding:
    location = first_part(value.model_dump(), _is_broken_text, _is_broken_text)
    if location is None:
        return Finding("", "fields that JSON can represent", f"another value ({error})", code="OL015")
    steps, text = location
    hint = "decode it with the encoding it was written in"
    return Finding(json_pointer(steps), "text without lone surrogates", describe(text), hint, code="OL015")


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and not isfinite(value)


def _is_broken_text(value: Any) -> bool:
    return isinstance(value, str) and not is_utf8(value)


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
    wrapped = (
        plain
        if is_built_already
        else core_schema.with_info_wrap_validator_function(
            partial(_parse, cls),
            plain,
            serialization=core_schema.wrap_serializer_function_ser_schema(_serialize, info_arg=True),
        )
    )
    if not is_building():
        return with_wire_format(without(wrapped, "serialization"))
    return wrapped


def _parse(cls: type[Model], data: Any, handler: Callable[[Any], Any], info: ValidationInfo) -> Any:
    if info.mode != "json":
        return handler(data)
    value: Any = read_inside(cls, _parse, to_json(data), strict=is_strict())
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
    return bool(value != read_inside(type(value), _parse, to_json(read.value), strict=False))
