"""What hand-written facets need beyond generated ones: more checks, and values that are written as read.

When composing, datetimes need an offset. Foreign types (`Any`, dataclasses, other models of pydantic) accept
values that JSON cannot represent, such as lone surrogates and NaN, which would fail later.

Generated classes write every value as it was read. A hand-written class may have fields that do not: a `set`
has no duplicates, a `Decimal` is written as text, a `float` was an integer of many digits, a validator may
change a value. A facet of such a class keeps the JSON value that it was parsed from, and writes it as long as
its fields are unchanged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from math import isfinite
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, cast, get_args, get_origin

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


def with_lists(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet whose iterable fields are lists, which can be written more than once.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it; modified in place.
        handler: Resolves the references in it.
    """
    return _with_changed(cls, schema, handler, _ITERABLES, _of_lists)


_ITERABLES: tuple[Any, ...] = (Iterable, Generator)
"""Types whose values pydantic reads while they are iterated."""


def _of_lists(schema: Any) -> Any:
    return replace_within(schema, "generator", lambda iterable: {**iterable, "type": "list"})


def with_offsets(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet that rejects datetimes without an offset when composing.

    Parsing accepts what the class declares; a class may declare a `NaiveDatetime`.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it; modified in place.
        handler: Resolves the references in it.
    """
    return _with_changed(cls, schema, handler, _DATETIMES, _aware)


_DATETIMES: tuple[Any, ...] = (datetime, PastDatetime, FutureDatetime)


def _with_changed(
    cls: type[BaseModel],
    schema: CoreSchema,
    handler: GetCoreSchemaHandler,
    kinds: tuple[Any, ...],
    change: Callable[[Any], Any],
) -> CoreSchema:
    """Return the schema of a facet with changed schemas of the fields whose types contain one of some."""
    fields = declared_fields(cls).items()
    changes = {name: change for name, field in fields if _contains(field.annotation, kinds)}
    if changes:
        change_fields(handler.resolve_ref_schema(schema), changes)
    return schema


def _contains(annotation: Any, kinds: tuple[Any, ...]) -> bool:
    """Return whether a type is one of some, or has one among its arguments."""
    is_kind = annotation in kinds or get_origin(annotation) in kinds
    return is_kind or any(_contains(part, kinds) for part in get_args(annotation))


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


class _PropertyOfClasses:
    """Whether something applies to classes, and to the classes in their fields.

    Args:
        applies: Returns whether it applies to a class, by calling `of_class` for those in its fields.
    """

    def __init__(self, applies: Callable[[type[Model], set[type[Model]]], bool]) -> None:
        self._applies = applies
        self._known: dict[type[Model], bool] = {}

    def of_class(self, cls: type[Model], checked: set[type[Model]]) -> bool:
        """Return whether it applies to a class, cached.

        Args:
            cls: The class.
            checked: The classes that are checked with it. For a recursive one, its other fields decide, which
                is known of all of them together at the end.
        """
        if cls in self._known or cls in checked:
            return self._known.get(cls, True)
        if not resolve_fields(cls):
            return False  # Unknown until its types are defined.
        is_first = not checked
        checked.add(cls)
        if not self._applies(cls, checked):
            self._known[cls] = False
            return False
        if is_first:
            self._known.update(dict.fromkeys(checked, True))
        return True


def is_json_only(cls: type[Model]) -> bool:
    """Return whether JSON can represent every value of a class; False means that it may be unable to."""
    return _JSON_ONLY.of_class(cls, set())


def _is_json_only_class(cls: type[Model], checked: set[type[Model]]) -> bool:
    fields = declared_fields(cls).values()
    return not cls.model_config.get("allow_inf_nan") and all(
        _is_json_only_with(field.annotation, field.metadata, checked) for field in fields
    )


_JSON_ONLY = _PropertyOfClasses(_is_json_only_class)


def _is_json_only_with(annotation: Any, metadata: Sequence[Any], checked: set[type[Model]]) -> bool:
    is_finite = not _allows_infinity(metadata)
    return is_finite and (_is_ours(metadata) or _is_json_only(annotation, checked))


def _allows_infinity(metadata: Iterable[Any]) -> bool:
    """Return whether the metadata of an annotation accepts infinite numbers and NaN."""
    return any(
        getattr(note, "allow_inf_nan", None) is True
        or (isinstance(note, FieldInfo) and _allows_infinity(note.metadata))
        for note in metadata
    )


def _is_json_only(annotation: Any, checked: set[type[Model]]) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_json_only_with(arguments[0], arguments[1:], checked)
    if origin is Literal:
        return True
    if arguments:
        parts = (argument for argument in arguments if argument is not ...)
        is_known = origin in _COLLECTIONS or origin in _SETS or _is_container(origin)
        return is_known and all(_is_json_only(part, checked) for part in parts)
    if not isinstance(annotation, type):
        return annotation is None
    if issubclass(annotation, Model):
        return _JSON_ONLY.of_class(annotation, checked)
    return annotation in _JSON_TYPES or issubclass(annotation, Enum) or _is_container(annotation)


_JSON_TYPES = frozenset({str, int, float, bool, type(None)})

_COLLECTIONS = frozenset({list, tuple, dict, deque, Iterable, Sequence, Mapping, Union, UnionType})
"""Generic types whose values consist of those of their arguments."""

_SETS = frozenset({set, frozenset})


def _is_container(kind: Any) -> bool:
    return hasattr(kind, "__slots_by_key__")


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
    return _LOSSLESS_CLASSES.of_class(cls, set())


def _is_lossless_class(cls: type[Model], checked: set[type[Model]]) -> bool:
    fields = declared_fields(cls).values()
    return _has_our_behaviour(cls) and all(_is_lossless_field(field, checked) for field in fields)


_LOSSLESS_CLASSES = _PropertyOfClasses(_is_lossless_class)


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
    if arguments:
        parts = (argument for argument in arguments if argument is not ...)
        is_known = origin in _COLLECTIONS or _is_container(origin)
        return is_known and all(_is_lossless(part, checked) for part in parts)
    if not isinstance(annotation, type):
        return annotation in (None, Any)
    if issubclass(annotation, Enum):
        return issubclass(annotation, str)
    if issubclass(annotation, Model):
        return _LOSSLESS_CLASSES.of_class(annotation, checked)
    return annotation in _LOSSLESS or _is_container(annotation)


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
