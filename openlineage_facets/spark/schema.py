"""The schema facet of a DataFrame: every column, with those nested in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.facets import SchemaDatasetFacet

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["schema_facet"]

_CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"
"""Where Spark keeps the declared type of a column that it treats as a string."""


def schema_facet(struct: StructType) -> SchemaDatasetFacet:
    """Describe the columns of a DataFrame, with those nested in them.

    The types are Spark's: `long`, `decimal(10,2)`, `struct`, `array`, `map`. The element of an array is the
    column `_element`; the members of a map are `key` and `value`. A comment is the column's description.

    Args:
        struct: The schema, such as `df.schema`.
    """
    return SchemaDatasetFacet(fields=_columns(struct.jsonValue()["fields"]))


def _columns(fields: list[dict[str, Any]]) -> list[Any]:
    return [
        _column(field["name"], field["type"], position, field.get("metadata") or {})
        for position, field in enumerate(fields, start=1)
    ]


def _column(name: str, of_type: Any, position: int, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    """Describe a column by its type as Spark writes it in JSON: a name, or an object for a nested type."""
    metadata = metadata or {}
    column: dict[str, Any] = {"name": name, "ordinal_position": position}
    if isinstance(of_type, str):
        column["type"] = metadata.get(_CHAR_OR_VARCHAR, of_type)
    else:
        if of_type["type"] == "udt":
            of_type = of_type["sqlType"]
        if isinstance(of_type, str):
            column["type"] = of_type
        else:
            column["type"] = of_type["type"]
            column["fields"] = _members(of_type)
    if comment := metadata.get("comment"):
        column["description"] = comment
    return column


def _members(of_type: dict[str, Any]) -> list[Any]:
    if of_type["type"] == "struct":
        return _columns(of_type["fields"])
    if of_type["type"] == "array":
        return [_column("_element", of_type["elementType"], 1)]
    return [_column("key", of_type["keyType"], 1), _column("value", of_type["valueType"], 2)]
