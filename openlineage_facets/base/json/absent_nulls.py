"""Remove fields that are null, for producers that write null for absent fields."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from openlineage_facets.base.json.json_input import json_value


def without_nulls(text: bytes | bytearray) -> bytes | bytearray:
    """Return JSON text without the fields that are null, in objects of any depth.

    Invalid JSON is returned unchanged, for the parser to report. Items of arrays keep their positions, so
    that JSON Pointers refer to the same values before and after.
    """
    if b"null" not in text:
        return text
    document = json_value(text)
    return text if document is None else to_json(without_null_fields(document))


def without_null_fields(value: Any) -> Any:
    """Return a JSON value without the fields that are null, in objects of any depth."""
    if isinstance(value, dict):
        return {name: without_null_fields(field) for name, field in value.items() if field is not None}
    if isinstance(value, (list, tuple)):
        return [without_null_fields(item) for item in value]
    return value
