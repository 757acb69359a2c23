"""The JSON Schema that pydantic writes for a class, corrected where the class accepts other values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

__all__ = ["StrictJsonSchema"]

_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}

_DIGITS = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


class StrictJsonSchema(GenerateJsonSchema):
    """Generates the JSON Schema of what strict parsing accepts."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Return a schema that accepts a number within the bounds, or one as text."""
        given: Mapping[str, Any] = schema
        bounds = {keyword: float(given[name]) for name, keyword in _BOUNDS.items() if name in given}
        number = {"type": "number", **bounds}
        is_negative = not any(bounds.get(bound, -1) >= 0 for bound in ("minimum", "exclusiveMinimum"))
        text = {"type": "string", "pattern": f"^[+-]?{_DIGITS}$" if is_negative else rf"^\+?{_DIGITS}$"}
        return self.get_flattened_anyof([number, text])

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """Return the schema of an object: pydantic omits that keys of another pattern are refused."""
        written = super().dict_schema(schema)
        return {**written, "additionalProperties": False} if "patternProperties" in written else written

    def set_schema(self, schema: core_schema.SetSchema) -> JsonSchemaValue:
        """Return the schema of an array: duplicates are accepted, and read once."""
        return _with_duplicates(super().set_schema(schema))

    def frozenset_schema(self, schema: core_schema.FrozenSetSchema) -> JsonSchemaValue:
        """Return the schema of an array: duplicates are accepted, and read once."""
        return _with_duplicates(super().frozenset_schema(schema))


def _with_duplicates(schema: JsonSchemaValue) -> JsonSchemaValue:
    return {keyword: value for keyword, value in schema.items() if keyword != "uniqueItems"}
