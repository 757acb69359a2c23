"""Map functions over Arrow batches in Spark executors, with or without pandas."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyspark
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from openlineage_facets.spark.jvm import has_jvm

Batches: TypeAlias = Iterator[pa.RecordBatch]

ROWS_AT_ONCE = 500
"""Lines or events of which the results are in memory at the same time."""

_ARROW_TYPES: dict[type[DataType], pa.DataType] = {
    BinaryType: pa.binary(),
    BooleanType: pa.bool_(),
    IntegerType: pa.int32(),
    LongType: pa.int64(),
    StringType: pa.string(),
    TimestampType: pa.timestamp("us", tz="UTC"),
}


def texts(*names: str) -> StructType:
    """Return a struct of string fields."""
    return StructType([StructField(name, StringType()) for name in names])


def arrow_schema(schema: StructType) -> pa.Schema:
    """Convert a Spark schema to an Arrow schema, for the types of these tables."""
    return pa.schema([(field.name, _arrow_type(field.dataType)) for field in schema])


def _arrow_type(kind: DataType) -> pa.DataType:
    if isinstance(kind, StructType):
        return pa.struct([(field.name, _arrow_type(field.dataType)) for field in kind])
    if isinstance(kind, ArrayType):
        return pa.list_(_arrow_type(kind.elementType))
    return _ARROW_TYPES[type(kind)]


def column_named(frame: DataFrame, name: str) -> Column:
    """Return the column with exactly this name. Spark reads a dot in it as the field of a struct."""
    return frame["`" + name.replace("`", "``") + "`"]


def is_spark_4_1(spark: SparkSession) -> bool:
    """Return whether a session is one of Spark 4.1 or later, which limits the bytes of Arrow batches."""
    major, minor = spark.version.split(".")[:2]
    return (int(major), int(minor)) >= (4, 1)


def map_batches(frame: DataFrame, function: Callable[[Batches], Batches], schema: StructType) -> DataFrame:
    """Apply a function to the Arrow batches of each partition, like `mapInArrow`.

    Args:
        frame: The input rows.
        function: Accepts and returns an iterator of record batches. Runs in the executors.
        schema: The columns of the returned batches.
    """
    needs_quotes = any(re.search("[.`]", name) for name in frame.columns)
    if needs_quotes and has_jvm(frame.sparkSession):
        return _map_in_jvm(frame, function, schema)  # `mapInArrow` does not quote the names of columns.
    try:
        return frame.mapInArrow(function, schema)
    except ImportError:
        # It requires pandas to be installed, but does not use it.
        return _map_in_jvm(frame, function, schema)


def _map_in_jvm(frame: DataFrame, function: Callable[[Batches], Batches], schema: StructType) -> DataFrame:
    from pyspark.sql.udf import UserDefinedFunction

    try:
        from pyspark.util import PythonEvalType
    except ImportError:  # PySpark 3
        from pyspark.rdd import PythonEvalType  # type: ignore[import-not-found,no-redef,unused-ignore]

    mapping = UserDefinedFunction(function, schema, evalType=PythonEvalType.SQL_MAP_ARROW_ITER_UDF)
    column: Any = mapping(*[column_named(frame, name) for name in frame.columns])._jc
    plan: Any = frame._jdf
    if pyspark.__version__.startswith("3."):
        mapped = plan.pythonMapInArrow(column.expr(), False)
    else:
        mapped = plan.mapInArrow(column, False, None)
    return DataFrame(mapped, frame.sparkSession)


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the garbage collector while a limited number of objects is created.

    It would search them, and everything that a task has folded, for reference cycles again and again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def small_batches(batches: Batches) -> Batches:
    """Split batches, because what is created for their rows is large."""
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            yield batch.slice(start, ROWS_AT_ONCE)


def record_batch(schema: pa.Schema, columns: list[list[Any]]) -> pa.RecordBatch:
    """Return columns of Python values as one batch. Lone surrogates are replaced by `?`."""
    arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([_encodable(value) for value in values], kind)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, (list, tuple)):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return value
