"""The schema facet includes nested columns."""

from __future__ import annotations

from pyspark.sql.types import (
    ArrayType,
    DecimalType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
)

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.spark_dataset import partitions_last, schema_facet


def test_columns_have_name_type_position_and_comment() -> None:
    struct = StructType(
        [
            StructField("id", LongType(), metadata={"comment": "the key"}),
            StructField("price", DecimalType(12, 2)),
            StructField("at", TimestampNTZType()),
        ]
    )
    assert schema_facet(struct) == SchemaDatasetFacet(
        fields=[
            {"name": "id", "type": "long", "ordinal_position": 1, "description": "the key"},
            {"name": "price", "type": "decimal(12,2)", "ordinal_position": 2},
            {"name": "at", "type": "timestamp_ntz", "ordinal_position": 3},
        ]
    )


def test_structs_arrays_and_maps_have_nested_fields() -> None:
    line = StructType([StructField("sku", StringType(), metadata={"comment": "what"})])
    struct = StructType(
        [StructField("lines", ArrayType(line)), StructField("counts", MapType(StringType(), IntegerType()))]
    )
    lines, counts = schema_facet(struct).fields or ()
    assert lines.type == "array"
    [element] = lines.fields or ()
    assert (element.name, element.type) == ("_element", "struct")
    [sku] = element.fields or ()
    assert (sku.name, sku.type, sku.description) == ("sku", "string", "what")
    assert [(member.name, member.type) for member in counts.fields or ()] == [
        ("key", "string"),
        ("value", "integer"),
    ]


def test_schema_without_columns() -> None:
    assert schema_facet(StructType([])).fields == ()


def test_partition_columns_follow_the_others_in_the_order_of_the_partitions() -> None:
    struct = StructType([StructField(name, LongType()) for name in ("Day", "id", "hour", "amount")])
    assert partitions_last(struct, ["hour", "day"]).names == ["id", "amount", "hour", "Day"]
    assert partitions_last(struct, []) == struct
