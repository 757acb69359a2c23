"""Schemas of nested items that stay plain JSON: they validate the wire format without creating objects."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import CoreSchema, core_schema

from openlineage_facets.base.wire.pydantic_internals import core_schema_of, is_built
from openlineage_facets.base.wire.schema_functions import only_keeps_unknown_apart
from openlineage_facets.base.wire.types import RETURNS_JSON

__all__ = ["PlainItemSchema", "object_schema", "plain_item_schema_of"]

_KEPT = frozenset(
    {
        "any",
        "bool",
        "custom-error",
        "definition-ref",
        "dict",
        "float",
        "int",
        "json-or-python",
        "list",
        "literal",
    }
    | {"none", "nullable", "str", "tuple", "union", "chain", "is-instance"}
)
"""Types of schemas whose values are plain JSON if those of the inner schemas are."""

_WITHIN = (
    "schema",
    "items_schema",
    "keys_schema",
    "values_schema",
    "json_schema",
    "python_schema",
    "steps",
    "choices",
)
"""Keys of inner schemas."""


@dataclass(frozen=True)
class PlainItemSchema:
    """A schema that validates a dict.

    Args:
        schema: The schema.
        definitions: The schemas it refers to, by reference.
    """

    schema: CoreSchema
    definitions: dict[str, CoreSchema]


class _State(threading.local):
    def __init__(self) -> None:
        self.building: set[type[BaseModel]] = set()


_STATE = _State()


class _NotPlain(Exception):
    """The class has fields whose values are not plain JSON."""


def plain_item_schema_of(cls: type[BaseModel], *, composing: bool) -> PlainItemSchema | None:
    """Return the schema of the wire format of a class, or None if its values are not plain JSON.

    Args:
        cls: The class.
        composing: Whether to reject unknown fields, unless the class is open.
    """
    if cls in _STATE.building:
        return None  # An item contains an entity, and the entity facets of this class, which are not plain.
    _STATE.building.add(cls)
    try:
        if not is_built(cls) and not cls.model_rebuild(raise_errors=False):
            return None
    finally:
        _STATE.building.remove(cls)
    converter = _Converter(f"{'composed' if composing else 'parsed'}:", composing)
    try:
        schema = converter.of(core_schema_of(cls))
    except _NotPlain:
        return None
    return PlainItemSchema(schema, converter.definitions)


class _Converter:
    """Convert the schema of a class to that of its wire format.

    Args:
        prefix: Prefix of each reference, since one schema may contain both variants.
        composing: Whether to reject unknown fields.
    """

    def __init__(self, prefix: str, composing: bool) -> None:
        self.definitions: dict[str, CoreSchema] = {}
        self._prefix = prefix
        self._composing = composing

    def of(self, schema: Any) -> Any:
        kind = schema["type"]
        if kind == "definitions":
            for one in schema["definitions"]:
                self.of(one)
            return self.of(schema["schema"])
        if kind == "model":
            if schema["schema"]["type"] != "model-fields":
                raise _NotPlain
            return self._independent(object_schema(schema, self.of, composing=self._composing))
        if kind == "enum":
            values = [member.value for member in schema["members"]]
            expected = {"expected": " or ".join(map(repr, values))}
            return core_schema.custom_error_schema(
                core_schema.literal_schema(values), custom_error_type="enum", custom_error_context=expected
            )
        if kind.startswith("function-"):
            function = schema["function"]["function"]
            if only_keeps_unknown_apart(function):
                reference = {"ref": schema["ref"]} if "ref" in schema else {}
                return self.of({**schema["schema"], **reference})  # A dict has no Python names.
            if function not in RETURNS_JSON:
                raise _NotPlain
        elif kind not in _KEPT or (kind == "is-instance" and schema["cls"] is not float):
            raise _NotPlain
        plain = {name: self._each(part) if name in _WITHIN else part for name, part in schema.items()}
        return self._independent(plain)

    def _each(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self.of(one) for one in part]
        return self.of(part)

    def _independent(self, schema: Any) -> Any:
        """Return a schema with renamed references, and without serialization and metadata."""
        plain: Any = {
            name: part for name, part in schema.items() if name not in ("serialization", "metadata")
        }
        for name in ("ref", "schema_ref"):
            if name in plain:
                plain[name] = self._prefix + plain[name]
        if "ref" in plain:
            self.definitions[plain["ref"]] = plain
            return core_schema.definition_reference_schema(plain["ref"])
        return plain


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
        required = schema["type"] != "default"
        wire = field.get("validation_alias", name)
        value = convert(schema if required else schema["schema"])
        fields[wire] = core_schema.typed_dict_field(value, required=required)
    extras = None if composing and not model["cls"].__open__ else inner.get("extras_schema")
    config = {name: one for name, one in model["config"].items() if composing or name != "str_min_length"}
    return core_schema.typed_dict_schema(
        fields,
        extra_behavior="forbid" if extras is None else "allow",
        extras_schema=None if extras is None else convert(extras),
        config=cast(core_schema.CoreConfig, config),
        ref=model.get("ref"),
    )
