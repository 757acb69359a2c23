"""Whether the lineage of a query is true: change a column of its inputs, and see what else changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import ColumnLineageDatasetFacet

ORDERS = [  # ties, nulls and repeated keys, so that each way of using a column shows
    (1, "berlin", 10, 3, "a b", [1, 2]),
    (2, "berlin", 25, None, "c", [3]),
    (2, "oslo", 5, 7, "a", [4, 5, 6]),
    (3, "oslo", 40, 1, None, None),
    (3, None, 15, 8, "b c", [7]),
    (4, "rome", 30, 2, "d", [8, 9]),
    (None, "rome", 35, 6, "e", [10]),
]
CUSTOMERS = [(1, "ana", 7), (2, "bo", 12), (3, "cy", 3), (5, "di", 20), (None, "ed", 9)]
TABLES = {
    "orders": (
        ORDERS,
        "customer int, city string, amount int, discount int, note string, items array<int>",
    ),
    "customers": (CUSTOMERS, "id int, name string, level int"),
}

Source = tuple[str, str]
"""A table and one of its columns."""

Query = Callable[[SparkSession, dict[str, DataFrame]], DataFrame]


@dataclass(frozen=True)
class Told:
    """What a column lineage facet says, by the names of the tables.

    Args:
        direct: Of each column of the result, the columns that it is made of.
        steering: Of each column of the result, the columns that steer it alone.
        of_rows: The columns that decide which rows there are.
        of_order: The columns that decide their order.
    """

    direct: dict[str, set[Source]]
    steering: dict[str, set[Source]]
    of_rows: set[Source]
    of_order: set[Source]

    @property
    def named(self) -> set[Source]:
        """Every column that is named in any way."""
        return set().union(*self.direct.values(), *self.steering.values(), self.of_rows, self.of_order)

    def said_of(self, source: Source) -> set[str]:
        """Return the columns of the result that a column is said to decide."""
        return {
            column
            for told in (self.direct, self.steering)
            for column, sources in told.items()
            if source in sources
        }


def told_by(facet: ColumnLineageDatasetFacet) -> Told:
    """Read a facet of a query on the tables, which lie in folders of their names."""

    def sources(rows: Iterable[object], of_type: str, *subtypes: str) -> set[Source]:
        return {
            (row.name.rpartition("/")[2], row.field)  # type: ignore[attr-defined]
            for row in rows
            for how in row.transformations  # type: ignore[attr-defined]
            if how.type == of_type and (not subtypes or how.subtype in subtypes)
        }

    of_dataset = facet.dataset or ()
    return Told(
        {name: sources(fields.input_fields, "DIRECT") for name, fields in facet.fields.items()},
        {name: sources(fields.input_fields, "INDIRECT") for name, fields in facet.fields.items()},
        sources(of_dataset, "INDIRECT", "JOIN", "FILTER", "GROUP_BY"),
        sources(of_dataset, "INDIRECT", "SORT"),
    )


def changed(value: object, of_type: str, way: int) -> object:
    """Return another value for a column: none, or one that orders and compares in another way."""
    if way == 0:
        return None
    if of_type == "int":
        number = value if isinstance(value, int) else 7
        return -number if number % 2 == 0 else number + 100
    if of_type == "string":
        return "aa" if value is None else "zz"
    return [-1, -1]


class Results:
    """The results of a query on its tables, as they are and with columns changed."""

    def __init__(self, spark: SparkSession, query: Query) -> None:
        self._spark = spark
        self._query = query
        self.before = self._rows(set(), 0)

    def _rows(self, sources: set[Source], way: int) -> list[dict[str, str]]:
        frames = {
            table: local_frame(
                self._spark,
                schema,
                [
                    [
                        changed(value, kind, way) if (table, column) in sources else value
                        for (column, kind), value in zip(columns_of(schema).items(), row, strict=True)
                    ]
                    for row in rows
                ],
            )
            for table, (rows, schema) in TABLES.items()
        }
        found = self._query(self._spark, frames).collect()
        return [{name: str(value) for name, value in row.asDict().items()} for row in found]

    def after(self, sources: Iterable[Source]) -> Iterator[list[dict[str, str]]]:
        """Yield the rows of the result where some columns have other values, in one way and in another."""
        return (self._rows(set(sources), way) for way in (0, 1))


def local_frame(spark: SparkSession, schema: str, rows: list[list[object]]) -> DataFrame:
    """Make a DataFrame of values in the query itself, which starts no Python and mostly no Spark job."""
    kinds = list(columns_of(schema).values())
    values = ", ".join(
        "("
        + ", ".join(f"CAST({literal(value)} AS {kind})" for value, kind in zip(row, kinds, strict=True))
        + ")"
        for row in rows
    )
    return spark.sql(f"SELECT * FROM VALUES {values} AS rows ({', '.join(columns_of(schema))})")


def literal(value: object) -> str:
    """Write a value as SQL."""
    if isinstance(value, list):
        return f"array({', '.join(map(literal, value))})"
    return "NULL" if value is None else repr(value)


def columns_of(schema: str) -> dict[str, str]:
    """Return name and type of the columns in a schema such as `id int, name string`."""
    return dict(part.split() for part in schema.split(", "))


def changed_columns(before: list[dict[str, str]], after: list[dict[str, str]], said: set[str]) -> set[str]:
    """Return the columns that have other values, or the same ones in other rows.

    Where values have only moved between rows, no one can tell which of the columns moved: it is those that
    are said to be affected, if any of these can be.
    """
    changed = {column for column in before[0] if unordered(before, [column]) != unordered(after, [column])}
    if changed or unordered(before) == unordered(after):
        return changed
    every = list(before[0])
    moved = {
        column
        for column in every
        if unordered(before, set(every) - {column}) == unordered(after, set(every) - {column})
    }
    return moved & said or moved


def all_sources() -> set[Source]:
    """Return every column of every table."""
    return {(table, column) for table, (_, schema) in TABLES.items() for column in columns_of(schema)}


def unordered(rows: list[dict[str, str]], columns: Iterable[str] | None = None) -> Counter[tuple[str, ...]]:
    """Return rows, or some columns of them, however they are ordered."""
    return Counter(tuple(row[column] for column in sorted(columns or row)) for row in rows)
