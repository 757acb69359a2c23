"""What hand-written facets need beyond generated ones: more checks, and values that are written as read.

When composing, datetimes need an offset. Foreign types (`Any`, dataclasses, other models of pydantic) accept
values that JSON cannot represent, such as lone surrogates and NaN, which would fail later.

Generated classes write every value as it was read. A hand-written class may have fields that do not: a `set`
has no duplicates, a `Decimal` is written as text, a `float` was an integer of many digits, a validator may
change a value. A facet of such a class keeps the JSON value that it was parsed from, and writes it as long as
its fields are unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin

from pydantic import FutureDatetime, PastDatetime, Strict
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema, to_json

from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.errors.json_pointer import first_part, json_pointer
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.model import rules
from openlineage_facets.base.model.class_building import is_building, resolve_fields
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.pydantic_methods import is_strict
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.wire.core_schemas import (
    change_fields,
    function_of,
    read_inside,
    replace_within,
    without,
)
from openlineage_facets.base.wire.pydantic_internals import (
    declared_fields,
    field_validators,
    has_serializers,
    is_called_only_to_compose,
    model_validators,
    unknown_fields_annotation,
)
from openlineage_facets.base.wire.types import WRITE_AS_READ
from openlineage_facets.base.wire.wire_serialization import with_wire_format, without_wire_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel, GetCoreSchemaHandler
    from pydantic_core.core_schema import SerializationInfo, SerializerFunctionWrapHandler, ValidationInfo


def with_offsets(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet that rejects datetimes without an offset when composing.

    Parsing accepts what the class declares; a class may declare a `NaiveDatetime`.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it; modified in place.
        handler: Resolves the references in it.
    """
    datetimes = [name for name, field in declared_fields(cls).items() if _names_datetime(field.annotation)]
    if datetimes:
        change_fields(handler.resolve_ref_schema(schema), dict.fromkeys(datetimes, _aware))
    return schema


def _names_datetime(annotation: Any) -> bool:
    """Return whether a type is a datetime, or contains one."""
    return annotation in _DATETIMES or any(map(_names_datetime, get_args(annotation)))


_DATETIMES: tuple[Any, ...] = (datetime, PastDatetime, FutureDatetime)


def _aware(schema: Any) -> Any:
    """Return a schema in which datetimes need an offset, unless they are parsed from JSON."""
    return replace_within(schema, "datetime", _aware_datetime)


def _aware_datetime(schema: Any) -> Any:
    if "tz_constraint" in schema:
        return schema
    composed: Any = {**schema, "tz_constraint": "aware"}
    return core_schema.json_or_python_schema(json_schema=schema, python_schema=composed)


def assert_foreign_fields_are_json(value: Model) -> None:
    """Validate that a composed value can be serialized as JSON.

    Raises:
        EventError: It cannot; the finding has the location.
    """
    if not _has_foreign_fields(type(value), set()):
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


_FOREIGN: dict[type[Model], bool] = {}


def _has_foreign_fields(cls: type[Model], checked: set[type[Model]]) -> bool:
    """Return whether a class has fields of types that JSON may be unable to represent.

    Args:
        cls: The class.
        checked: The classes that are checked with it. For a recursive one, its other fields decide, which is
            known of all of them together at the end.
    """
    if cls in _FOREIGN or cls in checked:
        return _FOREIGN.get(cls, False)
    is_first = not checked
    checked.add(cls)
    fields = declared_fields(cls).values()
    if any(_is_foreign(field.annotation, checked) for field in fields if not _is_ours(field.metadata)):
        _FOREIGN[cls] = True
        return True
    if is_first:
        _FOREIGN.update(dict.fromkeys(checked, False))
    return False


def _is_foreign(annotation: Any, checked: set[type[Model]]) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return not _is_ours(arguments[1:]) and _is_foreign(arguments[0], checked)
    if origin is Literal:
        return False
    if arguments:
        return any(_is_foreign(argument, checked) for argument in arguments if argument is not ...)
    if not isinstance(annotation, type):
        return annotation is not None
    if issubclass(annotation, Model):
        return _has_foreign_fields(annotation, checked)
    is_ours = issubclass(annotation, Enum) or hasattr(annotation, "__slots_by_key__")
    return annotation not in _JSON_TYPES and not is_ours


_JSON_TYPES = frozenset({str, int, float, bool, type(None)})


def _is_ours(metadata: Any) -> bool:
    """Return whether the metadata of an annotation has a type of `base/wire/types.py`."""
    return any(type(note).__module__.startswith("openlineage_facets.base.") for note in metadata)


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


def writes_as_read(cls: type[Model]) -> bool:
    """Return whether every value of a class is written as it was read.

    False means that some may not be.
    """
    return _is_lossless_model(cls, set())


def _is_lossless_model(cls: type[Model], checked: set[type[Model]]) -> bool:
    """Return what `writes_as_read` does; for `checked`, see `_has_foreign_fields`."""
    if cls in _WRITES_AS_READ or cls in checked:
        return _WRITES_AS_READ.get(cls, True)
    if not resolve_fields(cls):
        return False  # Unknown until its types are defined.
    is_first = not checked
    checked.add(cls)
    fields = declared_fields(cls).values()
    if not (_has_our_behaviour(cls) and all(_is_lossless_field(field, checked) for field in fields)):
        _WRITES_AS_READ[cls] = False
        return False
    if is_first:
        _WRITES_AS_READ.update(dict.fromkeys(checked, True))
    return True


_WRITES_AS_READ: dict[type[Model], bool] = {}


def _is_lossless_field(field: FieldInfo, checked: set[type[Model]]) -> bool:
    return not field.exclude and _is_lossless_with(field.annotation, field.metadata, checked)


def _has_our_behaviour(cls: type[Model]) -> bool:
    """Return whether a class has the configuration, constructor and methods of a generated class."""
    extra = unknown_fields_annotation(cls)
    return (
        {**cls.model_config, "extra": "allow"} == Model.model_config
        and cls.model_config.get("extra") in ("allow", "forbid")
        and is_called_only_to_compose(cls.__init__)
        and extra is not None
        and extra[0] is Model
        and not has_serializers(cls)
        and not field_validators(cls)
        and all(validator.func.__module__ == rules.__name__ for validator in model_validators(cls))
    )


def _is_lossless(annotation: Any, checked: set[type[Model]]) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_lossless_with(arguments[0], arguments[1:], checked)
    if origin is Literal:
        return all(isinstance(argument, str) for argument in arguments)
    if origin is dict and arguments[0] is not str:
        return False
    if arguments and origin not in (set, frozenset):
        return all(_is_lossless(argument, checked) for argument in arguments if argument is not ...)
    if not isinstance(annotation, type):
        return annotation in (None, Any)
    if issubclass(annotation, Enum):
        return issubclass(annotation, str)
    if issubclass(annotation, Model):
        return _is_lossless_model(annotation, checked)
    return annotation in _LOSSLESS or hasattr(annotation, "__slots_by_key__")


_LOSSLESS = frozenset({str, int, bool, type(None), list, dict, Any, Timestamp})


def _is_lossless_with(annotation: Any, metadata: Sequence[Any], checked: set[type[Model]]) -> bool:
    """Return whether a type with metadata is lossless: metadata may replace the type, or only check it."""
    is_replaced = any(isinstance(marker, WRITE_AS_READ) for marker in metadata)
    return (is_replaced or _is_lossless(annotation, checked)) and all(map(_is_check, metadata))


def _is_check(metadata: Any) -> bool:
    """Return whether the metadata of a type is ours, or only accepts or rejects values."""
    module = type(metadata).__module__
    return (
        module == "annotated_types"
        or module.startswith("openlineage_facets.base.")
        or isinstance(metadata, (Strict, FieldInfo))
        or getattr(metadata, "__dict__", {}).keys() == {"pattern"}
    )
