"""The schema of facets of one's own with datetimes: composed, each has an offset."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from pydantic import FutureDatetime, PastDatetime
from pydantic_core import CoreSchema, core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

    from openlineage_facets.base.model import Model

__all__ = ["fields_of", "with_offsets"]


def with_offsets(cls: type[Model], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet that refuses datetimes without an offset when it is composed.

    Reading takes what the class says; a class may ask for a `NaiveDatetime`.

    Args:
        cls: The facet.
        schema: The schema that pydantic made for it, which changes.
        handler: Resolves the references in it.
    """
    held = [name for name, field in cls.model_fields.items() if _names_datetime(field.annotation)]
    if held:
        fields = fields_of(handler.resolve_ref_schema(schema))
        for name in held:
            fields[name]["schema"] = _aware(fields[name]["schema"])
    return schema


def fields_of(schema: Any) -> dict[str, Any]:
    """Return the fields in the schema of a class, whatever validators stand around it."""
    while schema["type"] != "model-fields":
        schema = schema["schema"]
    fields: dict[str, Any] = schema["fields"]
    return fields


def _names_datetime(annotation: Any) -> bool:
    """Tell whether a type is a datetime, or is made of one."""
    return annotation in _DATETIMES or any(map(_names_datetime, get_args(annotation)))


_DATETIMES: tuple[Any, ...] = (datetime, PastDatetime, FutureDatetime)

_NO_SCHEMAS = frozenset({"default", "metadata", "ref", "serialization"})


def _aware(schema: Any) -> Any:
    """Return a schema with every datetime in it asked for its offset, where it does not come as JSON."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(map(_aware, schema))
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "datetime" and "tz_constraint" not in schema:
        read: Any = schema
        composed: Any = {**schema, "tz_constraint": "aware"}
        return core_schema.json_or_python_schema(json_schema=read, python_schema=composed)
    return {name: part if name in _NO_SCHEMAS else _aware(part) for name, part in schema.items()}
