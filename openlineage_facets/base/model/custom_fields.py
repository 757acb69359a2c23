"""Check the fields of hand-written facets when composing: offsets of datetimes, values of foreign types.

Foreign types are `Any`, dataclasses and other pydantic models. Their schemas accept values that JSON cannot
represent, such as lone surrogates, which would fail later.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from pydantic import FutureDatetime, PastDatetime
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.base.errors.json_pointer import first_part, json_pointer
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.core_schemas import change_fields, replace_within
from openlineage_facets.base.wire.pydantic_internals import declared_fields

if TYPE_CHECKING:
    from pydantic import BaseModel, GetCoreSchemaHandler


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
    if not _has_foreign_fields(type(value)):
        return
    try:
        value.to_json()
    except (PydanticSerializationError, TypeError, ValueError) as error:
        raise EventError([_finding(value, error)]) from None


def _finding(value: Model, error: Exception) -> Finding:
    location = first_part(value.model_dump(), _is_broken_text, _is_broken_text)
    if location is None:
        return Finding("", "fields that JSON can represent", f"another value ({error})", code="OL015")
    steps, text = location
    hint = "decode it with the encoding it was written in"
    return Finding(json_pointer(steps), "text without lone surrogates", describe(text), hint, code="OL015")


def _is_broken_text(value: Any) -> bool:
    return isinstance(value, str) and not is_utf8(value)


_CLASSES: dict[type[Model], bool] = {}


def _has_foreign_fields(cls: type[Model]) -> bool:
    known = _CLASSES.get(cls)
    if known is None:
        _CLASSES[cls] = False  # For a recursive class, its other fields decide.
        fields = declared_fields(cls).values()
        known = _CLASSES[cls] = any(
            _is_foreign(field.annotation) for field in fields if not _is_ours(field.metadata)
        )
    return known


def _is_foreign(annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return not _is_ours(arguments[1:]) and _is_foreign(arguments[0])
    if origin is Literal:
        return False
    if arguments:
        return any(_is_foreign(argument) for argument in arguments if argument is not ...)
    if not isinstance(annotation, type):
        return annotation is not None
    if issubclass(annotation, Model):
        return _has_foreign_fields(annotation)
    is_ours = issubclass(annotation, Enum) or hasattr(annotation, "__slots_by_key__")
    return annotation not in _JSON_TYPES and not is_ours


_JSON_TYPES = frozenset({str, int, float, bool, type(None)})


def _is_ours(metadata: Any) -> bool:
    """Return whether the metadata of an annotation has a type of `base/wire/types.py`."""
    return any(type(note).__module__.startswith("openlineage_facets.base.") for note in metadata)
