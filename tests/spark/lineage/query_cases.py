"""Queries with column lineage: the files in queries/, and functions that use DataFrames."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, dense_rank, expr, struct, udf, upper
from pyspark.sql.window import Window

from tests.spark.lineage.changed_inputs import TABLES, Query

Frames = dict[str, DataFrame]


def query_of(path: Path) -> Query:
    def query(spark: SparkSession, frames: Frames) -> DataFrame:
        for table, frame in frames.items():
            frame.createOrReplaceTempView(table)
        return spark.sql(path.read_text())

    return query


def view_on_a_view(spark: SparkSession, frames: Frames) -> DataFrame:
    frames["orders"].where("amount > 10").createOrReplaceTempView("large")
    spark.table("large").select("city", (col("discount") * 2).alias("twice")).createOrReplaceTempView(
        "larger"
    )
    return spark.table("larger").where("twice > 3")


def cached_frame(spark: SparkSession, frames: Frames) -> DataFrame:
    cached = frames["orders"].where("amount > 10").select("city", "discount").cache()
    return cached.select(upper("city").alias("city"))


def drop_duplicates_by_a_key(spark: SparkSession, frames: Frames) -> DataFrame:
    return frames["orders"].orderBy("amount").coalesce(1).dropDuplicates(["city"]).select("note", "city")


def union_by_name(spark: SparkSession, frames: Frames) -> DataFrame:
    renamed = frames["customers"].select(col("name").alias("city"), col("level").alias("amount"))
    return frames["orders"].select("amount", "city").unionByName(renamed)


def python_function_on_rows(spark: SparkSession, frames: Frames) -> DataFrame:
    joined = udf(lambda city, amount: f"{city}:{amount}")
    return frames["orders"].select(joined("city", "amount").alias("label"), "note")


def python_function_on_batches(spark: SparkSession, frames: Frames) -> DataFrame:
    def first_two(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_arrays([batch.column(0), batch.column(1)], ["a", "b"])

    return frames["orders"].select("city", "amount").mapInArrow(first_two, "a string, b int")


def python_function_on_groups(spark: SparkSession, frames: Frames) -> DataFrame:
    def size(key: tuple[str], group: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"town": [str(key[0])], "size": [len(group)]})

    orders = frames["orders"].select("city", "note").groupBy("city")
    return orders.applyInPandas(size, "town string, size int")


def python_function_on_pairs_of_groups(spark: SparkSession, frames: Frames) -> DataFrame:
    def size(key: tuple[float], left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"key": [str(key[0])], "size": [len(left) * len(right)]})

    orders = frames["orders"].select("note", "customer").groupBy("customer")
    customers = frames["customers"].select("name", "id").groupBy("id")
    return orders.cogroup(customers).applyInPandas(size, "key string, size int")


def window_by_the_api(spark: SparkSession, frames: Frames) -> DataFrame:
    by_city = Window.partitionBy("city").orderBy(col("amount").desc())
    return frames["orders"].select("note", dense_rank().over(by_city).alias("place"))


def with_columns_in_a_loop(spark: SparkSession, frames: Frames) -> DataFrame:
    frame = frames["orders"].select("city", "amount", "discount")
    for step in range(5):
        frame = frame.withColumn("amount", col("amount") + step).withColumn(
            f"at{step}", col("discount") + step
        )
    return frame.drop("discount")


def changed_struct_fields(spark: SparkSession, frames: Frames) -> DataFrame:
    inner = struct("amount", "customer").alias("inner")
    made = frames["orders"].select(struct("note", "discount", "city", inner).alias("made"))
    changed = col("made").dropFields("note", "inner.amount").withField("CITY", upper("made.city"))
    changed = changed.withField("note", col("made.note")).withField("twice", col("made.discount") * 2)
    return made.select(changed.alias("made")).select(
        "made.discount", "made.city", "made.inner.customer", "made.note", "made.twice"
    )


def unpivot(spark: SparkSession, frames: Frames) -> DataFrame:
    return frames["orders"].unpivot("city", ["amount", "discount"], "kind", "number")


def unpivot_in_a_subquery(spark: SparkSession, frames: Frames) -> DataFrame:
    frames["orders"].unpivot([], ["amount", "discount"], "kind", "number").createOrReplaceTempView("long")
    return frames["customers"].select("name", expr("(select max(number) from long) AS most"))


def join_as_of(spark: SparkSession, frames: Frames) -> DataFrame:
    """Return orders with the customer of the nearest level, which pandas-on-Spark calls `merge_asof`."""
    orders, customers = frames["orders"].select("amount", "note"), frames["customers"].select("level", "name")
    joined = orders._joinAsOf(  # type: ignore[operator]
        customers, orders["amount"], customers["level"], how="inner", direction="nearest"
    )
    return joined.select("note", "name")


IN_PYTHON: list[Query] = [
    join_as_of,
    unpivot,
    unpivot_in_a_subquery,
    view_on_a_view,
    cached_frame,
    drop_duplicates_by_a_key,
    union_by_name,
    python_function_on_rows,
    python_function_on_batches,
    python_function_on_groups,
    python_function_on_pairs_of_groups,
    window_by_the_api,
    with_columns_in_a_loop,
    changed_struct_fields,
]
SINCE_SPARK_4 = {"exists_distinct_limited", "exists_outer_column_selected", "exists_union", "recursive"}
"""What Spark 3.5 does not support."""

IN_SQL = sorted(
    path
    for path in (Path(__file__).parent / "queries").glob("*.sql")
    if path.stem not in SINCE_SPARK_4 or not version("pyspark").startswith("3.")
)

QUERIES: dict[str, Query] = {
    **{path.stem: query_of(path) for path in IN_SQL},
    **{function.__name__: function for function in IN_PYTHON},  # type: ignore[attr-defined]
}


def write_tables(spark: SparkSession, folder: Path) -> Frames:
    """Write the tables that the queries read, each into a folder with its name."""
    for table, (rows, schema) in TABLES.items():
        spark.createDataFrame(rows, schema).coalesce(1).write.parquet(str(folder / table))
    return {table: spark.read.parquet(str(folder / table)) for table in TABLES}
