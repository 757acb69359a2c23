"""Schemas that check the wire form of a class and leave it the dict it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_core import CoreSchema, core_schema

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import GIVE_PLAIN_JSON

__all__ = ["PlainSchema", "plain_schema"]

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
"""The types of schemas whose values are plain JSON if those of the schemas within are."""

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
"""Where schemas hold others."""


@dataclass(frozen=True)
class PlainSchema:
    """What checks a dict.

    Args:
        schema: The schema.
        definitions: What it refers to, by reference.
    """

    schema: CoreSchema
    definitions: dict[str, CoreSchema]


class _NotPlain(Exception):
    """A value of the class holds more than JSON."""


def plain_schema(cls: type[Model], *, composing: bool) -> PlainSchema | None:
    """Return the schema of a class's wire form, or None where its values are more than JSON.

    Args:
        cls: The class.
        composing: Whether unknown fields are refused, unless the class is open.
    """
    if not cls.__pydantic_complete__ and not cls.model_rebuild(raise_errors=False):
        return None
    plain = _Plain(f"{'composed' if composing else 'read'}:", composing)
    try:
        schema = plain.of(cls.__pydantic_core_schema__)
    except _NotPlain:
        return None
    return PlainSchema(schema, plain.definitions)


class _Plain:
    """Turns the schema of a class into that of its wire form.

    Args:
        prefix: Goes before each reference, since both schemas may stand in one.
        composing: Whether unknown fields are refused.
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
            return self._object(schema)
        if kind == "enum":
            values = [member.value for member in schema["members"]]
            expected = {"expected": " or ".join(map(repr, values))}
            return core_schema.custom_error_schema(
                core_schema.literal_schema(values), custom_error_type="enum", custom_error_context=expected
            )
        if kind.startswith("function-"):
            function = schema["function"]["function"]
            if getattr(function, "__func__", function) is keep_unknown_apart:
                return self.of(schema["schema"])  # A dict has no Python names to be confused with.
            if function not in GIVE_PLAIN_JSON:
                raise _NotPlain
        elif kind not in _KEPT or (kind == "is-instance" and schema["cls"] is not float):
            raise _NotPlain
        plain = {name: self._each(part) if name in _WITHIN else part for name, part in schema.items()}
        return self._renamed(plain)

    def _each(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self.of(one) for one in part]
        return self.of(part)

    def _object(self, model: Any) -> CoreSchema:
        """Return the schema of the dict that an object of a class is made from."""
        inner = model["schema"]
        if inner["type"] != "model-fields":
            raise _NotPlain
        fields = {}
        for name, field in inner["fields"].items():
            schema = field["schema"]
            required = schema["type"] != "default"
            schema = schema if required else schema["schema"]
            wire = field.get("validation_alias", name)
            fields[wire] = core_schema.typed_dict_field(self.of(schema), required=required)
        refuses = self._composing and not model["cls"].__open__
        extras = inner.get("extras_schema")
        schema = core_schema.typed_dict_schema(
            fields,
            extra_behavior="forbid" if refuses or extras is None else "allow",
            extras_schema=None if refuses or extras is None else self.of(extras),
            config=model["config"],
            ref=model.get("ref"),
        )
        plain: CoreSchema = self._renamed(schema)
        return plain

    def _renamed(self, schema: Any) -> Any:
        """Return a schema that no longer speaks of the class: its references, its looks on the wire."""
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
