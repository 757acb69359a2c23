"""The shape of the schemas that pydantic generates for pydantic-core, and what the functions in ours do.

Only this module reads the shape, which a minor release of pydantic may change. Other modules build schemas
with `pydantic_core.core_schema`, which is documented, and find or replace a part of a generated schema with
the functions below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic_core import CoreConfig, CoreSchema, SchemaValidator, core_schema

from openlineage_facets.base.wire.pydantic_internals import core_schema_of, is_built

if TYPE_CHECKING:
    from pydantic import BaseModel


M = TypeVar("M", bound="BaseModel")


def schema_of(cls: type[BaseModel]) -> CoreSchema:
    """Return the schema of a class, which is built now if it was deferred."""
    if not is_built(cls):
        cls.model_rebuild()
    return core_schema_of(cls)


def unnested(schema: Any) -> tuple[Any, list[Any]]:
    """Return a schema and the definitions that it refers to."""
    if schema["type"] == "definitions":
        return schema["schema"], schema["definitions"]
    return schema, []


def resolved(schema: Any, definitions: list[Any]) -> Any:
    """Return the schema that a reference to a definition stands for, any other schema as it is."""
    if schema["type"] != "definition-ref":
        return schema
    return next(definition for definition in definitions if definition["ref"] == schema["schema_ref"])


def without(schema: Any, *names: str) -> Any:
    """Return a schema without some of its entries."""
    return {name: part for name, part in schema.items() if name not in names}


def function_of(schema: Any) -> Any:
    """Return the function that a schema calls, as it was defined; None if it calls none."""
    if not schema["type"].startswith("function-"):
        return None
    function = schema["function"]["function"]
    if isinstance(function, partial):
        return function.func
    return getattr(function, "__func__", function)  # That of a method.


def model_schema(schema: Any) -> Any:
    """Return the schema of a class inside those of its validators."""
    while schema["type"] != "model" and "schema" in schema:
        schema = schema["schema"]
    return schema


def class_of(schema: Any) -> type | None:
    """Return the class that a schema describes, None for any other schema."""
    described: type | None = model_schema(schema).get("cls")
    return described


def serializes_with(schema: Any, function: Callable[..., Any]) -> bool:
    """Return whether a function serializes the values of a schema."""
    return schema.get("serialization", {}).get("function") is function


def change_fields(schema: Any, changes: Mapping[str, Callable[[Any], Any]]) -> None:
    """Replace the schemas of some fields of a class, in place.

    Args:
        schema: The schema of the class, references resolved.
        changes: For some fields, the function that returns the new schema. The default stays around it.
    """
    while schema["type"] != "model-fields":
        schema = schema["schema"]
    for name, change in changes.items():
        field = schema["fields"][name]
        if field["schema"]["type"] == "default":
            field = field["schema"]
        field["schema"] = change(field["schema"])


def written_by_class(schema: Any) -> Any:
    """Return a schema whose values are written by their own classes: those of subclasses have more fields."""
    return {**schema, "serialization": core_schema.simple_ser_schema("any")}


def replace_within(schema: Any, kind: str, change: Callable[[Any], Any]) -> Any:
    """Return a schema in which the inner schemas of one type are replaced, by those that `change` returns."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(replace_within(inner, kind, change) for inner in schema)
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == kind:
        return change(schema)
    return {
        name: part if name in _NO_SCHEMAS else replace_within(part, kind, change)
        for name, part in schema.items()
    }


_NO_SCHEMAS = frozenset({"default", "metadata", "ref", "serialization"})
"""Entries whose dicts are not schemas of a value."""


def inside_nullable(schema: Any) -> CoreSchema:
    """Return the schema of `X` in that of `X | None`."""
    assert schema["type"] == "nullable"
    inner: CoreSchema = schema["schema"]
    return inner


def bounds_after(schema: Any) -> dict[str, Any]:
    """Return the bounds that pydantic checks after a type of ours, by the arguments of `Field`."""
    bounds: dict[str, Any] = {}
    while schema["type"] == "function-after":
        function = schema["function"]["function"]
        if isinstance(function, partial):
            bounds |= function.keywords
        schema = schema["schema"]
    return bounds


def extras_of_parsed(schema: Any) -> CoreSchema | None:
    """Return the schema of undeclared entries of a container that is parsed from JSON."""
    extras: CoreSchema | None = schema.get("json_schema", {}).get("schema", {}).get("extras_schema")
    return extras


def is_collection(schema: Any) -> bool:
    """Return whether a schema is that of a dict, or of a tuple of any length."""
    return schema["type"] == "dict" or (
        schema["type"] == "tuple"
        and schema.get("variadic_item_index") == 0
        and len(schema["items_schema"]) == 1
    )


def collection_of(values: Any, item: CoreSchema) -> CoreSchema:
    """Return the schema of a list or dict of JSON values.

    Args:
        values: The schema of a tuple or dict of objects, whose limits and keys apply.
        item: The schema of the JSON value of each object.
    """
    limits = {name: values[name] for name in ("min_length", "max_length") if name in values}
    if values["type"] == "tuple":
        return core_schema.list_schema(item, **limits)
    return core_schema.dict_schema(values.get("keys_schema"), item, **limits)


def object_schema(model: Any, convert: Callable[[Any], Any], *, composing: bool) -> CoreSchema:
    """Return the schema of the JSON object for a value of a class.

    Args:
        model: The schema of the class, with fields.
        convert: Converts the schema of a field to that of its JSON value.
        composing: Whether to reject unknown fields, unless the class is open, and text that is not Unicode.
    """
    inner = model["schema"]
    fields = {}
    for name, field in inner["fields"].items():
        schema = field["schema"]
        is_required = schema["type"] != "default"
        wire = field.get("validation_alias", name)
        value = convert(schema if is_required else schema["schema"])
        fields[wire] = core_schema.typed_dict_field(value, required=is_required)
    extras = None if composing and not model["cls"].__open__ else inner.get("extras_schema")
    config = model["config"] if composing else without(model["config"], "str_min_length")
    return core_schema.typed_dict_schema(
        fields,
        extra_behavior="forbid" if extras is None else "allow",
        extras_schema=None if extras is None else convert(extras),
        config=cast(CoreConfig, config),
        ref=model.get("ref"),
    )


def has_fields(model: Any) -> bool:
    """Return whether the schema of a class is that of a model with fields, not of a root model."""
    return bool(model["schema"]["type"] == "model-fields")


def with_parts(schema: Any, convert: Callable[[Any], Any]) -> Any:
    """Return a schema with each schema directly inside it converted."""
    return {name: _part(part, convert) if name in _PARTS else part for name, part in schema.items()}


_PARTS = frozenset(
    """
    choices extras_schema fields items_schema json_schema keys_schema python_schema schema steps values_schema
    """.split()
)
"""The entries with inner schemas: one, or a list or map of them. A choice may have a label."""


def _part(part: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(part, list):
        return [
            (convert(choice[0]), choice[1]) if isinstance(choice, tuple) else convert(choice)
            for choice in part
        ]
    if "type" in part and isinstance(part["type"], str):
        return convert(part)
    return {name: convert(inner) for name, inner in part.items()}


_VALIDATORS: dict[tuple[type[BaseModel], Any], tuple[CoreSchema, SchemaValidator]] = {}


def read_inside(cls: type[M], wrapper: Callable[..., Any], data: bytes, *, strict: bool | None) -> M:
    """Read a value of a class from JSON without a wrap validator, which calls this.

    Inside a function, pydantic no longer treats data as JSON: in strict mode, a list is not a tuple, and text
    not a UUID. So the function writes its data as JSON again.

    Args:
        cls: The class, which is built.
        wrapper: The wrap validator.
        data: The JSON.
        strict: Whether values of other types are errors; as the class says if None.
    """
    value: M = cls.__new__(cls)
    _validator_inside(cls, wrapper).validate_json(data, strict=strict, self_instance=value)
    return value


def _validator_inside(cls: type[BaseModel], wrapper: Callable[..., Any]) -> SchemaValidator:
    whole = core_schema_of(cls)
    known = _VALIDATORS.get((cls, wrapper))
    if known is None or known[0] is not whole:  # Registering a facet builds classes again.
        schema, definitions = unnested(whole)
        while function_of(schema) is not wrapper:
            is_reference = schema["type"] == "definition-ref"
            schema = resolved(schema, definitions) if is_reference else schema["schema"]
        read = _of_any_class(schema["schema"], definitions)
        inner = core_schema.definitions_schema(read, definitions)
        known = _VALIDATORS[cls, wrapper] = whole, SchemaValidator(inner)
    return known[1]


def _of_any_class(schema: Any, definitions: list[Any]) -> Any:
    """Return the schema of a class, perhaps inside those of its validators, without the class."""
    schema = without(resolved(schema, definitions), "ref")
    if schema["type"] == "model":
        return {**schema, "cls": Unbuilt}
    return {**schema, "schema": _of_any_class(schema["schema"], definitions)}


class Unbuilt:
    """Stands for the class of a value, which is passed to the validator.

    For the class itself, pydantic would use the validator that parses it, if that is built already.
    """


F = TypeVar("F", bound=Callable[..., Any])


class FunctionRole(Enum):
    """What is known about a function in our schemas. A function without a role may do anything."""

    CREATES_ONLY = "rejects no value"
    KEEPS_UNKNOWN_APART = "rejects no value, and changes none without unknown fields"
    CHECKS_JSON = "accepts and rejects the JSON of a value exactly like the value"
    RETURNS_JSON = "returns a plain JSON value for a scalar, or rejects it"

    def mark(self, function: F) -> F:
        """Give a function this role. Also a decorator."""
        setattr(function, _ROLE, self)
        return function


_ROLE = "__role_in_schemas__"


def role_of(function: Any) -> FunctionRole | None:
    """Return the role of a function, None if it has none."""
    role: FunctionRole | None = getattr(function, _ROLE, None)
    return role
