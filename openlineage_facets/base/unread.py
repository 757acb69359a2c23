"""The schema of facets whose rows stay unread."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from openlineage_facets.base.model import Model
from openlineage_facets.base.offsets import fields_of
from openlineage_facets.base.plain import PlainSchema, plain_schema
from openlineage_facets.base.rows import RowsAttribute, UnreadRows
from openlineage_facets.base.types import bare

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core.core_schema import SerializationInfo

__all__ = ["with_unread_rows"]


def with_unread_rows(cls: type[Model], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet whose rows stay unread, those of which the wire form is plain JSON.

    Args:
        cls: The facet.
        schema: The schema that pydantic made for it.
        handler: Resolves the references in it.
    """
    definitions: dict[str, CoreSchema] = {}
    fields = fields_of(handler.resolve_ref_schema(schema))
    for name, field in cls.model_fields.items():
        row = _row_class(field.annotation)
        holder = fields[name]
        if holder["schema"]["type"] == "default":
            holder = holder["schema"]
        if row is None or holder["schema"]["type"] not in _HOLDERS:
            continue
        read, composed = (plain_schema(row, composing=composing) for composing in (False, True))
        if read is None or composed is None:
            continue
        definitions.update(read.definitions)
        holder["schema"] = _unread(row, holder["schema"], read, composed)
        type.__setattr__(cls, name, RowsAttribute(name))
    return core_schema.definitions_schema(schema, list(definitions.values())) if definitions else schema


_HOLDERS = {"tuple": (list, tuple), "dict": (dict,)}
"""What composed rows may come in, by what holds the values."""


def _row_class(annotation: Any) -> type[Model] | None:
    """Return the class of the rows that a field holds, if it holds some."""
    kind = bare(annotation)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        row = arguments[0]
    elif origin is dict:
        row = arguments[1]
    else:
        return None
    return row if isinstance(row, type) and issubclass(row, Model) else None


def _unread(row: type[Model], values: Any, read: PlainSchema, composed: PlainSchema) -> CoreSchema:
    """Return the schema of a field whose rows stay unread where they come as plain JSON."""
    holders = _HOLDERS[values["type"]]
    checked = SchemaValidator(
        core_schema.definitions_schema(_rows(values, composed), list(composed.definitions.values()))
    ).validate_python

    def compose(given: Any, read_values: Any) -> Any:
        if type(given) is UnreadRows:
            return given if given.row is row else read_values(given.values())
        if type(given) in holders:
            first = next(iter(given.values() if type(given) is dict else given), None)
            if type(first) is dict:
                with suppress(ValidationError):
                    return UnreadRows(row, checked(given))
        return read_values(given)  # Values, or rows that are wrong: read, they say how.

    schema = core_schema.json_or_python_schema(
        json_schema=core_schema.no_info_after_validator_function(
            lambda plain: UnreadRows(row, plain), _rows(values, read)
        ),
        python_schema=core_schema.no_info_wrap_validator_function(compose, values),
        serialization=core_schema.plain_serializer_function_ser_schema(_written, info_arg=True),
    )
    schema["metadata"] = {"pydantic_js_functions": [lambda _, describe: describe(values)]}
    return schema


def _rows(values: Any, row: PlainSchema) -> CoreSchema:
    """Return the schema of plain rows, as many as of values."""
    limits = {name: values[name] for name in ("min_length", "max_length") if name in values}
    if values["type"] == "tuple":
        return core_schema.list_schema(row.schema, **limits)
    return core_schema.dict_schema(values.get("keys_schema"), row.schema, **limits)


def _written(rows: Any, info: SerializationInfo) -> Any:
    """Return rows in a form that pydantic writes: as they came, if the wire form is what is asked for."""
    if type(rows) is not UnreadRows:
        return rows
    as_sent = info.by_alias and info.exclude_unset and not (info.include or info.exclude or info.exclude_none)
    return rows.plain if as_sent else rows.values()
