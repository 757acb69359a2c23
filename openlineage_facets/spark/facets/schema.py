"""Schema facet of a DataFrame, including nested columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from openlineage_facets.facets import SchemaDatasetFacet

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

_CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"
"""Metadata key of the declared type of a char or varchar column."""


def schema_facet(struct: StructType) -> SchemaDatasetFacet:
    """Return the schema facet of a DataFrame, including nested columns.

    Types are Spark's: `long`, `decimal(10,2)`, `struct`, `array`, `map`. The element of an array is the
    column `_element`; those of a map are `key` and `value`. A column's comment becomes its description.

    Args:
        struct: The schema, such as `df.schema`.
    """
    return SchemaDatasetFacet(fields=_columns(struct.jsonValue()["fields"]))


def partitions_last(struct: StructType, partitions: Sequence[str]) -> StructType:
    """Return a schema with the partition columns at the end, in the order of the partitions.

    Args:
        struct: The schema.
        partitions: The names of the partition columns, in any case.
    """
    order = [name.lower() for name in partitions]
    moved = sorted(
        (field for field in struct.fields if field.name.lower() in order),
        key=lambda field: order.index(field.name.lower()),
    )
    return type(struct)([field for field in struct.fields if field.name.lower() not in order] + moved)


def _columns(fields: list[dict[str, Any]]) -> list[Any]:
    return [
        _column(field["name"], field["type"], position, field.get("metadata") or {})
        for position, field in enumerate(fields, start=1)
    ]


def _column(
    name: str, data_type: Any, position: int, metadata: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a column from its type in Spark's JSON form: a name, or an object for a nested type."""
    metadata = metadata or {}
    column: dict[str, Any] = {"name": name, "ordinal_position": position}
    if isinstance(data_type, str):
        column["type"] = metadata.get(_CHAR_OR_VARCHAR, data_type)
    else:
        if data_type["type"] == "udt":
            data_type = data_type["sqlType"]
        if isinstance(data_type, str):
            column["type"] = data_type
        else:
            column["type"] = data_type["type"]
            column["fields"] = _members(data_type)
    if comment := metadata.get("comment"):
        column["description"] = comment
    return column


def _members(data_type: dict[str, Any]) -> list[Any]:
    if data_type["type"] == "struct":
        return _columns(data_type["fields"])
    if data_type["type"] == "array":
        return [_column("_element", data_type["elementType"], 1)]
    return [_column("key", data_type["keyType"], 1), _column("value", data_type["valueType"], 2)]
