"""Require offsets in the datetimes of custom facets when composing."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from pydantic import FutureDatetime, PastDatetime
from pydantic_core import CoreSchema, core_schema

from openlineage_facets.base.wire.core_schemas import change_fields, replace_within

if TYPE_CHECKING:
    from pydantic import BaseModel, GetCoreSchemaHandler

__all__ = ["with_offsets"]


def with_offsets(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet that rejects datetimes without an offset when composing.

    Parsing accepts what the class declares; a class may declare a `NaiveDatetime`.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it; modified in place.
        handler: Resolves the references in it.
    """
    datetimes = [name for name, field in cls.model_fields.items() if _names_datetime(field.annotation)]
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
