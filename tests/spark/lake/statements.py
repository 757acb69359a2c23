"""SQL statements and writes with their expected effects and lineage."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.lake.job import Job

Source = tuple[str, str, str]
"""Table (`orders`, or `table` for the written one), column and transformation subtype."""


@dataclass(frozen=True, eq=False)
class Step:
    """A job on a table with its expected lineage.

    Args:
        label: The name in test ids.
        job: The job or SQL statement. `{t}` is replaced by the table.
        rows: The rows of the table afterwards.
        inputs: The inputs.
        change: The lifecycle state change.
        columns: The input columns by written column.
        row_columns: The columns that determine which rows it writes.
        rereads: Whether it may read its inputs more than once.
        skips: Whether its condition excludes some of the table's files.
    """

    label: str
    job: str | Job
    rows: list[tuple[Any, ...]]
    inputs: set[str]
    change: str | None = None
    columns: dict[str, set[Source]] = field(default_factory=dict)
    row_columns: set[Source] = field(default_factory=set)
    rereads: bool = False
    skips: bool = False


def columns(table: str, **subtypes: str) -> dict[str, set[Source]]:
    """Return the lineage of columns from those of the same name."""
    return {column: {(table, column, subtype)} for column, subtype in subtypes.items()}


STATEMENTS = [
    Step(
        "create",
        "CREATE TABLE {t} USING {layer} {properties} AS SELECT id, upper(name) AS name, amount "
        "FROM orders WHERE id < 3",
        [(1, "A", 10), (2, "B", 20)],
        {"orders"},
        "CREATE",
        columns("orders", id="IDENTITY", name="TRANSFORMATION", amount="IDENTITY"),
        {("orders", "id", "FILTER")},
    ),
    Step(
        "insert",
        "INSERT INTO {t} SELECT id + 10, name, amount * 2 FROM orders WHERE id = 3",
        [(1, "A", 10), (2, "B", 20), (13, "c", 60)],
        {"orders"},
        None,
        columns("orders", id="TRANSFORMATION", name="IDENTITY", amount="TRANSFORMATION"),
        {("orders", "id", "FILTER")},
    ),
    Step(
        "merge",
        "MERGE INTO {t} AS t USING orders AS s ON t.id = s.id "
        "WHEN MATCHED AND s.amount > 15 THEN UPDATE SET t.amount = t.amount + s.amount "
        "WHEN NOT MATCHED THEN INSERT *",
        [(1, "A", 10), (2, "B", 40), (3, "c", 30), (13, "c", 60)],
        {"orders", "table"},
        None,
        {
            "id": {("orders", "id", "IDENTITY")},
            "name": {("orders", "name", "IDENTITY")},
            "amount": {
                ("orders", "amount", "IDENTITY"),
                ("orders", "amount", "TRANSFORMATION"),
                ("table", "amount", "TRANSFORMATION"),
            },
        },
        {("table", "id", "JOIN"), ("orders", "id", "JOIN"), ("orders", "amount", "FILTER")},
        rereads=True,
    ),
    Step(
        "update",
        "UPDATE {t} SET amount = amount + id, name = 'z' WHERE id > 10",
        [(1, "A", 10), (2, "B", 40), (3, "c", 30), (13, "z", 73)],
        {"table"},
        None,
        {"amount": {("table", "amount", "TRANSFORMATION"), ("table", "id", "TRANSFORMATION")}},
        {("table", "id", "FILTER")},
        rereads=True,
        skips=True,
    ),
    Step(
        "delete",
        "DELETE FROM {t} WHERE amount < 20 OR name = 'c'",
        [(2, "B", 40), (13, "z", 73)],
        {"table"},
        None,
        {},
        {("table", "amount", "FILTER"), ("table", "name", "FILTER")},
        rereads=True,
        skips=True,
    ),
    Step(
        "overwrite",
        "INSERT OVERWRITE {t} SELECT id, name, amount + 1 FROM {t}",
        [(2, "B", 41), (13, "z", 74)],
        {"table"},
        "OVERWRITE",
        columns("table", id="IDENTITY", name="IDENTITY", amount="TRANSFORMATION"),
    ),
]

MORE = [
    Step(
        "insert by name",
        "INSERT INTO {t} (amount, name, id) VALUES (5, 'x', 14)",
        [(2, "B", 41), (13, "z", 74), (14, "x", 5)],
        set(),
    ),
    Step(
        "merge with a query",
        "MERGE INTO {t} AS t USING (SELECT id, max(amount) AS most FROM orders GROUP BY id) AS s "
        "ON t.id = s.id WHEN MATCHED AND t.amount > s.most THEN DELETE "
        "WHEN NOT MATCHED BY SOURCE AND t.name = 'x' THEN UPDATE SET name = concat(t.name, t.id)",
        [(13, "z", 74), (14, "x14", 5)],
        {"orders", "table"},
        None,
        {"name": {("table", "name", "TRANSFORMATION"), ("table", "id", "TRANSFORMATION")}},
        {
            ("table", "id", "JOIN"),
            ("orders", "id", "JOIN"),
            ("orders", "id", "GROUP_BY"),
            ("table", "amount", "FILTER"),
            ("orders", "amount", "FILTER"),
            ("table", "name", "FILTER"),
        },
        rereads=True,
    ),
]

WITH_SUBQUERIES = [
    Step(
        "update with a subquery",
        "UPDATE {t} SET amount = amount + 1, name = 'w' "
        "WHERE id IN (SELECT id + 10 FROM orders WHERE amount = 30)",
        [(13, "w", 75), (14, "x14", 5)],
        {"orders", "table"},
        None,
        {"amount": {("table", "amount", "TRANSFORMATION")}},
        {("table", "id", "FILTER"), ("orders", "id", "FILTER"), ("orders", "amount", "FILTER")},
        rereads=True,
    ),
    Step(
        "delete with a subquery",
        "DELETE FROM {t} WHERE id IN (SELECT id + 11 FROM orders WHERE name = 'c')",
        [(13, "w", 75)],
        {"orders", "table"},
        None,
        {},
        {("table", "id", "FILTER"), ("orders", "id", "FILTER"), ("orders", "name", "FILTER")},
        rereads=True,
    ),
]
"""Not supported by Delta."""

LAST = [
    Step("empty", "DELETE FROM {t}", [], set(), rereads=True),
    Step(
        "replace",
        "CREATE OR REPLACE TABLE {t} USING {layer} {properties} AS SELECT id FROM orders",
        [(1,), (2,), (3,)],
        {"orders"},
        "OVERWRITE",
        columns("orders", id="IDENTITY"),
    ),
]


def read(spark: SparkSession, run: SparkRun, where: str) -> DataFrame:
    return run.read(spark.table("orders")).where(where)


def write(spark: SparkSession, run: SparkRun, folder: str, where: str, path: str, **how: str) -> None:
    run.write(read(spark, run, where), path.format(folder=folder), **how)


def write_itself(spark: SparkSession, run: SparkRun, folder: str, path: str) -> None:
    path = path.format(folder=folder)
    table = run.read(spark.read.format("delta").load(path))
    run.write(table.selectExpr("id", "name", "amount + 1 AS amount"), path, format="delta", mode="overwrite")


def save(spark: SparkSession, run: SparkRun, folder: str, where: str, name: str, **how: str) -> None:
    run.save_as_table(read(spark, run, where), name, **how)


def insert(
    spark: SparkSession, run: SparkRun, folder: str, where: str, name: str, overwrite: bool = False
) -> None:
    run.insert_into(read(spark, run, where), name, overwrite=overwrite)


def insert_dynamically(spark: SparkSession, run: SparkRun, folder: str, where: str, name: str) -> None:
    """Overwrite only the written partitions of a table that has none."""
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    try:
        insert(spark, run, folder, where, name, overwrite=True)
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


def overwrite_partitions(spark: SparkSession, run: SparkRun, folder: str, where: str, name: str) -> None:
    read(spark, run, where).writeTo(name).overwritePartitions()


def insert_reordered(spark: SparkSession, run: SparkRun, folder: str, name: str) -> None:
    """Insert the amount as id and the id as amount, which Spark does by position."""
    reordered = read(spark, run, "id = 3").selectExpr("amount AS amount", "name", "id AS id")
    run.insert_into(reordered, name)


def append_reordered(spark: SparkSession, run: SparkRun, folder: str, name: str, layer: str) -> None:
    """Append columns in another order and case, which Spark does by name."""
    reordered = read(spark, run, "id = 3").selectExpr("amount AS AMOUNT", "name", "id AS ID")
    run.save_as_table(reordered, name, format=layer, mode="append")


def append_reordered_to_path(spark: SparkSession, run: SparkRun, folder: str, path: str) -> None:
    """Append two columns in another order to the path of a Delta table, which Delta does by name."""
    reordered = read(spark, run, "id = 1").selectExpr("amount AS AMOUNT", "id AS ID")
    run.write(reordered, path.format(folder=folder), format="delta", mode="append")


def step(label: str, job: Job, ids: list[int], change: str | None = None) -> Step:
    """Return a step that writes unchanged orders with certain ids."""
    made = columns("orders", id="IDENTITY", name="IDENTITY", amount="IDENTITY")
    rows = [(id, "abc"[id - 1], id * 10) for id in ids]
    return Step(label, job, rows, {"orders"}, change, made, {("orders", "id", "FILTER")})


def writes_to(path: str) -> list[Step]:
    """Return writes to the path of a Delta table."""
    delta, last = partial(write, path=path, format="delta"), "id = 3"
    itself = columns("table", id="IDENTITY", name="IDENTITY", amount="TRANSFORMATION")
    return [
        step("create", partial(delta, where="id < 3"), [1, 2], "CREATE"),
        step("append", partial(delta, where="id = 3", mode="append"), [1, 2, 3]),
        step("overwrite", partial(delta, where="id > 1", mode="overwrite"), [2, 3], "OVERWRITE"),
        step("replace a part", partial(delta, where=last, mode="overwrite", replaceWhere=last), [2, 3]),
        step(
            "overwrite the only partition",
            partial(delta, where="id > 1", mode="overwrite", partitionOverwriteMode="dynamic"),
            [2, 3],
            "OVERWRITE",
        ),
        Step(
            "overwrite itself",
            partial(write_itself, path=path),
            [(2, "b", 21), (3, "c", 31)],
            {"table"},
            "OVERWRITE",
            itself,
        ),
        Step(
            "append by name",
            partial(append_reordered_to_path, path=path),
            [(1, None, 10), (2, "b", 21), (3, "c", 31)],
            {"orders"},
            None,
            columns("orders", id="IDENTITY", amount="IDENTITY"),
            {("orders", "id", "FILTER")},
        ),
    ]


def saves_as(name: str, layer: str) -> list[Step]:
    """Return writes to a table by its name."""
    saved, inserted = partial(save, name=name, format=layer), partial(insert, name=name)
    return [
        step("create", partial(saved, where="id < 3"), [1, 2], "CREATE"),
        step("append", partial(saved, where="id = 3", mode="append"), [1, 2, 3]),
        step("overwrite", partial(saved, where="id > 1", mode="overwrite"), [2, 3], "OVERWRITE"),
        step("insert into", partial(inserted, where="id = 1"), [1, 2, 3]),
        step("insert over", partial(inserted, where="id < 3", overwrite=True), [1, 2], "OVERWRITE"),
    ]


def overwrites_of_partitions(name: str) -> list[Step]:
    """Return writes that replace the partitions that they write, of a table that has none."""
    return [
        step(
            "insert over the only partition",
            partial(insert_dynamically, where="id < 3", name=name),
            [1, 2],
            "OVERWRITE",
        ),
        step(
            "overwrite the only partition",
            partial(overwrite_partitions, where="id < 3", name=name),
            [1, 2],
            "OVERWRITE",
        ),
    ]


def reordered_in(name: str, layer: str) -> list[Step]:
    """Return writes of columns in another order to a table that holds the orders 1 and 2."""
    before = [(1, "a", 10), (2, "b", 20)]
    by_position = {
        "id": {("orders", "amount", "IDENTITY")},
        "name": {("orders", "name", "IDENTITY")},
        "amount": {("orders", "id", "IDENTITY")},
    }
    row_columns = {("orders", "id", "FILTER")}
    return [
        step("append reordered", partial(append_reordered, name=name, layer=layer), [1, 2, 3]),
        Step(
            "insert reordered",
            partial(insert_reordered, name=name),
            [*before, (3, "c", 30), (30, "c", 3)],
            {"orders"},
            None,
            by_position,
            row_columns,
        ),
        Step(
            "insert SQL reordered",
            f"INSERT INTO {name} SELECT amount AS amount, name, id AS id FROM orders WHERE id = 3",
            [*before, (3, "c", 30), (30, "c", 3), (30, "c", 3)],
            {"orders"},
            None,
            by_position,
            row_columns,
        ),
        Step(
            "insert SQL with columns",
            f"INSERT INTO {name} (amount, name, id) SELECT amount, name, id FROM orders WHERE id = 1",
            [(1, "a", 10), *before, (3, "c", 30), (30, "c", 3), (30, "c", 3)],
            {"orders"},
            None,
            columns("orders", id="IDENTITY", name="IDENTITY", amount="IDENTITY"),
            row_columns,
        ),
        Step(
            "insert SQL by name",
            f"INSERT OVERWRITE {name} BY NAME SELECT amount, name, id FROM orders WHERE id < 3",
            before,
            {"orders"},
            "OVERWRITE",
            columns("orders", id="IDENTITY", name="IDENTITY", amount="IDENTITY"),
            row_columns,
        ),
    ]


def writes_by_name(name: str) -> list[Step]:
    """Return a write to an Iceberg table whose name is passed as a path."""
    append = partial(write, where="id = 3", path=name, format="iceberg", mode="append")
    return [step("write", append, [1, 2, 3])]
