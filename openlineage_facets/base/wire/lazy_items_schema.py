"""Schemas of facets with lazy nested items."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from openlineage_facets.base.wire.lazy_items import LazyItems, LazyItemsAttribute
from openlineage_facets.base.wire.plain_item_schema import PlainItemSchema, plain_item_schema_of
from openlineage_facets.base.wire.schema_functions import creates_only
from openlineage_facets.base.wire.types import bare

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core.core_schema import SerializationInfo

__all__ = ["fields_of", "with_lazy_items"]


def with_lazy_items(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet with lazy items, for items whose wire format is plain JSON.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it.
        handler: Resolves the references in it.
    """
    definitions: dict[str, CoreSchema] = {}
    fields = fields_of(handler.resolve_ref_schema(schema))
    for name, field in cls.model_fields.items():
        row = _item_class(field.annotation)
        field_schema = fields[name]
        if field_schema["schema"]["type"] == "default":
            field_schema = field_schema["schema"]
        if row is None or field_schema["schema"]["type"] not in _CONTAINER_TYPES:
            continue
        parsed, composed = (plain_item_schema_of(row, composing=composing) for composing in (False, True))
        if parsed is None or composed is None:
            continue
        definitions.update(parsed.definitions)
        field_schema["schema"] = _lazy(row, field_schema["schema"], parsed, composed)
        type.__setattr__(cls, name, LazyItemsAttribute(name))
    return core_schema.definitions_schema(schema, list(definitions.values())) if definitions else schema


_CONTAINER_TYPES = {"tuple": (list, tuple), "dict": (dict,)}
"""The types that composing accepts for items, by the type of the schema."""


def fields_of(schema: Any) -> dict[str, Any]:
    """Return the fields in the schema of a class, inside any validators around it."""
    while schema["type"] != "model-fields":
        schema = schema["schema"]
    fields: dict[str, Any] = schema["fields"]
    return fields


def _item_class(annotation: Any) -> type[BaseModel] | None:
    """Return the class of the nested items of a field, if it has some."""
    kind = bare(annotation)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        row = arguments[0]
    elif origin is dict:
        row = arguments[1]
    else:
        return None
    return row if isinstance(row, type) and hasattr(row, "__wire_serializer__") else None


def _lazy(
    item_class: type[BaseModel], values: Any, parsed: PlainItemSchema, composed: PlainItemSchema
) -> CoreSchema:
    """Return the schema of a field whose items stay plain JSON if they are given as such."""
    container_types = _CONTAINER_TYPES[values["type"]]
    checked = SchemaValidator(
        core_schema.definitions_schema(_plain_items(values, composed), list(composed.definitions.values())),
        core_schema.CoreConfig(str_min_length=0),  # Rejects keys with lone surrogates, as in fields.
    ).validate_python

    def compose(given: Any, validate: Any) -> Any:
        if type(given) is LazyItems:
            return given if given.item_class is item_class else validate(given.values())
        if type(given) in container_types:
            first = next(iter(given.values() if type(given) is dict else given), None)
            if type(first) is dict:
                with suppress(ValidationError):
                    return LazyItems(item_class, checked(given))
        return validate(given)  # Objects, or invalid items, for which this raises.

    schema = core_schema.json_or_python_schema(
        json_schema=core_schema.no_info_after_validator_function(
            creates_only(lambda plain: LazyItems(item_class, plain)), _plain_items(values, parsed)
        ),
        python_schema=core_schema.no_info_wrap_validator_function(compose, values),
        serialization=core_schema.plain_serializer_function_ser_schema(_serialized, info_arg=True),
    )
    schema["metadata"] = {"pydantic_js_functions": [lambda _, describe: describe(values)]}
    return schema


def _plain_items(values: Any, item: PlainItemSchema) -> CoreSchema:
    """Return the schema of items as plain JSON, with the limits of `values`."""
    limits = {name: values[name] for name in ("min_length", "max_length") if name in values}
    if values["type"] == "tuple":
        return core_schema.list_schema(item.schema, **limits)
    return core_schema.dict_schema(values.get("keys_schema"), item.schema, **limits)


def _serialized(items: Any, info: SerializationInfo) -> Any:
    """Return items for serialization: plain JSON if the options ask for the wire format, else objects."""
    if type(items) is not LazyItems:
        return items
    is_wire_format = (
        info.by_alias and info.exclude_unset and not (info.include or info.exclude or info.exclude_none)
    )
    return items.plain if is_wire_format else items.values()
