"""Nested items of a facet, kept as plain JSON until they are accessed, and the schemas of such facets.

A schema facet has an item for each column. Most items are only composed and serialized, or parsed and never
accessed. They are validated, but their objects are created only by an access such as `facet.fields`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from openlineage_facets.base.wire.core_schemas import (
    FunctionRole,
    change_fields,
    collection_of,
    is_collection,
)
from openlineage_facets.base.wire.json_schemas import JsonOfItems, json_of_items
from openlineage_facets.base.wire.pydantic_internals import declared_fields, validator_of
from openlineage_facets.base.wire.types import bare

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core.core_schema import SerializationInfo


class LazyItems:
    """Validated nested items as plain JSON: a list, or a dict by key.

    Args:
        item_class: The class of each item.
        plain: The items in the wire format. No one else has a reference to it.
    """

    __slots__ = ("_values", "item_class", "plain")

    def __init__(self, item_class: type[Any], plain: Any) -> None:
        self.item_class = item_class
        self.plain = plain
        self._values: Any = None

    def values(self) -> Any:
        """Return the items as a tuple or a dict of objects, created on first use."""
        if self._values is None:
            validate = validator_of(self.item_class).validate_python
            if isinstance(self.plain, list):
                self._values = tuple(map(validate, self.plain))
            else:
                self._values = {key: validate(item) for key, item in self.plain.items()}
        return self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyItems):
            if self.item_class is other.item_class and self.plain == other.plain:
                return True
            other = other.values()  # Objects with and without an explicit null are equal.
        return bool(self.values() == other)

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return repr(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyItems, (self.item_class, self.plain)

    def __deepcopy__(self, memo: dict[int, Any]) -> LazyItems:
        return self  # Immutable.


class LazyItemsAttribute:
    """Descriptor of a field with lazy items."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, facet: Any, owner: type[Any]) -> Any:
        value = facet.__dict__.get(self._name, self) if facet is not None else self
        if value is self:
            # pydantic would use a class attribute as the default of the field.
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return value.values() if type(value) is LazyItems else value

    def __set__(self, facet: Any, value: object) -> None:
        facet.__dict__[self._name] = value  # `Model.__setattr__` rejects assignments by users.


def with_lazy_items(cls: type[BaseModel], schema: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a facet with lazy items, for items whose wire format is plain JSON.

    Args:
        cls: The facet.
        schema: The schema that pydantic generated for it.
        handler: Resolves the references in it.
    """
    definitions: dict[str, CoreSchema] = {}
    items = {name: _item_class(field.annotation) for name, field in declared_fields(cls).items()}
    changes = {
        name: partial(_lazy_field, cls, name, item_class, definitions)
        for name, item_class in items.items()
        if item_class is not None
    }
    change_fields(handler.resolve_ref_schema(schema), changes)
    return core_schema.definitions_schema(schema, list(definitions.values())) if definitions else schema


def _item_class(annotation: Any) -> type[BaseModel] | None:
    """Return the class of the nested items of a field, if it has some."""
    kind = bare(annotation)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        item_class = arguments[0]
    elif origin is dict:
        item_class = arguments[1]
    else:
        return None
    is_ours = isinstance(item_class, type) and hasattr(item_class, "__wire_serializer__")
    return item_class if is_ours else None


def _lazy_field(
    cls: type[BaseModel],
    name: str,
    item_class: type[BaseModel],
    definitions: dict[str, CoreSchema],
    values: CoreSchema,
) -> CoreSchema:
    """Return the schema of a field with lazy items, that of its values if these need objects.

    Args:
        cls: The facet.
        name: The field, which becomes a `LazyItemsAttribute`.
        item_class: The class of its items.
        definitions: Definitions of the schema, to add to.
        values: The schema of the values as objects.
    """
    if not is_collection(values):
        return values
    parsed, composed = (json_of_items(item_class, composing=composing) for composing in (False, True))
    if parsed is None or composed is None:
        return values
    definitions.update(parsed.definitions)
    type.__setattr__(cls, name, LazyItemsAttribute(name))
    return _lazy(item_class, values, collection_of(values, parsed.schema), composed)


def _lazy(
    item_class: type[BaseModel], values: CoreSchema, json_schema: CoreSchema, composed: JsonOfItems
) -> CoreSchema:
    """Return the schema of a field whose items stay plain JSON if they are given as such."""
    checked = SchemaValidator(
        core_schema.definitions_schema(
            collection_of(values, composed.schema), list(composed.definitions.values())
        ),
        core_schema.CoreConfig(str_min_length=0),  # Rejects keys with lone surrogates, as in fields.
    ).validate_python
    container_types = (dict,) if values["type"] == "dict" else (list, tuple)

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
            FunctionRole.CREATES_ONLY.mark(lambda plain: LazyItems(item_class, plain)), json_schema
        ),
        python_schema=core_schema.no_info_wrap_validator_function(compose, values),
        serialization=core_schema.plain_serializer_function_ser_schema(_serialized, info_arg=True),
    )
    schema["metadata"] = {"pydantic_js_functions": [lambda _, describe: describe(values)]}
    return schema


def _serialized(items: Any, info: SerializationInfo) -> Any:
    """Return items for serialization: plain JSON if the options ask for the wire format, else objects."""
    if type(items) is not LazyItems:
        return items
    leaves_out = info.include or info.exclude or info.exclude_none or info.exclude_defaults
    is_wire_format = info.by_alias and info.exclude_unset and not leaves_out
    return items.plain if is_wire_format else items.values()


def plain_items(facet: Any, name: str) -> Any:
    """Return the nested items of a field in the wire format, None without it; no objects are created."""
    items = facet.__dict__.get(name)
    if type(items) is LazyItems:
        return items.plain
    if isinstance(items, dict):
        return {key: item.to_dict() for key, item in items.items()}
    return None if items is None else [item.to_dict() for item in items]
