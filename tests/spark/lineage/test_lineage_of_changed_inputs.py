"""Column lineage of a DataFrame, verified by changing columns of its inputs.

Every query in queries/ and every function below that returns a DataFrame is a test case.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, dense_rank, expr, struct, udf, upper
from pyspark.sql.window import Window

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.spark.lineage.changed_inputs import (
    TABLES,
    ListedColumns,
    Query,
    Results,
    all_sources,
    changed_columns,
    lineage_in,
    unordered,
)
from tests.spark.session_settings import changed_settings

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


IN_PYTHON: list[Query] = [
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

OVERSTATED = {
    "python_function_on_batches",
    "python_function_on_groups",
    "python_function_on_pairs_of_groups",
}
"""These Python functions are opaque: every input column is listed for every result column."""


@pytest.fixture(scope="module", autouse=True)
def _plans_are_simple(spark: SparkSession, without_code_generation: None) -> Iterator[None]:
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    with changed_settings(spark, settings):
        yield


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Frames:
    folder = tmp_path_factory.mktemp("tables")
    for table, (rows, schema) in TABLES.items():
        spark.createDataFrame(rows, schema).coalesce(1).write.parquet(str(folder / table))
    return {table: spark.read.parquet(str(folder / table)) for table in TABLES}


@pytest.fixture(
    scope="module",
    params=[*map(query_of, IN_SQL), *IN_PYTHON],
    ids=[*(path.stem for path in IN_SQL), *(function.__name__ for function in IN_PYTHON)],  # type: ignore[attr-defined]
)
def query(request: pytest.FixtureRequest) -> Query:
    found: Query = request.param
    return found


@pytest.fixture(scope="module")
def listed(spark: SparkSession, tables: Frames, query: Query) -> ListedColumns:
    facet = column_lineage_facet(query(spark, tables))
    assert facet is not None
    return lineage_in(facet)


@pytest.fixture(scope="module")
def results(spark: SparkSession, query: Query) -> Results:
    return Results(spark, query)


def test_changing_unlisted_columns_changes_nothing(listed: ListedColumns, results: Results) -> None:
    for rows in results.after(all_sources() - listed.named):
        assert unordered(rows) == unordered(results.before)


def test_changing_a_listed_column_changes_exactly_the_columns_that_list_it(
    listed: ListedColumns, results: Results, request: pytest.FixtureRequest
) -> None:
    may_be_overstated = any(name in request.node.callspec.id for name in OVERSTATED)
    for source in sorted(listed.named - listed.of_rows - listed.of_order):
        affected, changed = listed.affected_by(source), set[str]()
        for rows in results.after([source]):
            changed |= changed_columns(results.before, rows, affected)
        assert changed <= affected, f"{source} decides {changed}, and is listed for {affected}"
        assert changed == affected or may_be_overstated, (
            f"{source} is listed for {affected}, and decides {changed}"
        )


def test_changing_a_column_of_the_row_lineage_changes_the_rows(
    listed: ListedColumns, results: Results
) -> None:
    before = unordered(results.before)
    for source in sorted(listed.of_rows):
        assert any(unordered(rows) != before for rows in results.after([source])), source


def test_a_column_of_the_row_lineage_also_changes_the_columns_that_list_it(
    listed: ListedColumns, results: Results, request: pytest.FixtureRequest
) -> None:
    may_be_overstated = any(name in request.node.callspec.id for name in OVERSTATED)
    for source in sorted(listed.of_rows | listed.of_order):
        affected = listed.affected_by(source)
        if affected and not may_be_overstated:
            shown = results.columns_decided_by(source, affected)
            assert shown == affected, f"{source} is listed for {affected}, and only {shown} can be shown"


def test_changing_a_sort_column_changes_the_order(listed: ListedColumns, results: Results) -> None:
    for source in sorted(listed.of_order - listed.of_rows):
        assert any(rows != results.before for rows in results.after([source])), source
