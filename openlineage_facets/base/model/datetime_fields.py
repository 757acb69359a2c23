"""Require offsets in the datetimes of custom facets when composing."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from pydantic import FutureDatetime, PastDatetime
from pydantic_core import CoreSchema, core_schema

from openlineage_facets.base.wire.lazy_items_schema import fields_of

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
        fields = fields_of(handler.resolve_ref_schema(schema))
        for name in datetimes:
            fields[name]["schema"] = _aware(fields[name]["schema"])
    return schema


def _names_datetime(annotation: Any) -> bool:
    """Return whether a type is a datetime, or contains one."""
    return annotation in _DATETIMES or any(map(_names_datetime, get_args(annotation)))


_DATETIMES: tuple[Any, ...] = (datetime, PastDatetime, FutureDatetime)

_NO_SCHEMAS = frozenset({"default", "metadata", "ref", "serialization"})


def _aware(schema: Any) -> Any:
    """Return a schema in which datetimes need an offset, unless they are parsed from JSON."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(map(_aware, schema))
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "datetime" and "tz_constraint" not in schema:
        read: Any = schema
        composed: Any = {**schema, "tz_constraint": "aware"}
        return core_schema.json_or_python_schema(json_schema=read, python_schema=composed)
    return {name: part if name in _NO_SCHEMAS else _aware(part) for name, part in schema.items()}
