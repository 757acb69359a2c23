"""Verify column lineage: change an input column and compare the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import ColumnLineageDatasetFacet

ORDERS = [  # Ties, nulls and repeated keys reveal every use of a column.
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
class ListedColumns:
    """The content of a columnLineage facet, by table name.

    Args:
        direct: The DIRECT input columns of each result column.
        indirect: The INDIRECT input columns of each result column.
        of_rows: The columns that determine which rows exist.
        of_order: The columns that determine their order.
    """

    direct: dict[str, set[Source]]
    indirect: dict[str, set[Source]]
    of_rows: set[Source]
    of_order: set[Source]

    @property
    def named(self) -> set[Source]:
        """All listed columns."""
        return set().union(*self.direct.values(), *self.indirect.values(), self.of_rows, self.of_order)

    def affected_by(self, source: Source) -> set[str]:
        """Return the result columns that list an input column."""
        return {
            column
            for listed in (self.direct, self.indirect)
            for column, sources in listed.items()
            if source in sources
        }


def lineage_in(facet: ColumnLineageDatasetFacet) -> ListedColumns:
    """Return the lineage in a facet. The tables are in folders with their names."""

    def sources(rows: Iterable[object], of_type: str, *subtypes: str) -> set[Source]:
        return {
            (row.name.rpartition("/")[2], row.field)  # type: ignore[attr-defined]
            for row in rows
            for how in row.transformations  # type: ignore[attr-defined]
            if how.type == of_type and (not subtypes or how.subtype in subtypes)
        }

    of_dataset = facet.dataset or ()
    return ListedColumns(
        {name: sources(fields.input_fields, "DIRECT") for name, fields in facet.fields.items()},
        {name: sources(fields.input_fields, "INDIRECT") for name, fields in facet.fields.items()},
        sources(of_dataset, "INDIRECT", "JOIN", "FILTER", "GROUP_BY"),
        sources(of_dataset, "INDIRECT", "SORT"),
    )


def changed(value: object, of_type: str, way: int) -> object:
    """Return a different value: null, or one with a different order."""
    if way == 0:
        return None
    if of_type == "int":
        number = value if isinstance(value, int) else 7
        return -number if number % 2 == 0 else number + 100
    if of_type == "string":
        return "aa" if value is None else "zz"
    return [-1, -1]


Change = Callable[[int, Source, str, object], object]
"""Returns the new value of a cell from its row, column, type and old value."""


def in_columns(sources: set[Source], way: int) -> Change:
    """Return a change of every value in columns."""
    return lambda row, source, kind, value: changed(value, kind, way) if source in sources else value


def small_changes(source: Source) -> Iterator[Change]:
    """Yield changes of single cells of a column, and of all its cells with the same value."""
    rows, schema = TABLES[source[0]]
    columns = columns_of(schema)
    index, kind = list(columns).index(source[1]), columns[source[1]]
    values = [row[index] for row in rows]
    alike = [  # Values of all columns of this type, which a join or comparison may match.
        row[position]
        for table_rows, table_schema in TABLES.values()
        for position, other in enumerate(columns_of(table_schema).values())
        if other == kind
        for row in table_rows
    ]
    distinct = [value for position, value in enumerate(alike) if value not in alike[:position]]
    for number, old in enumerate(values):
        for new in [*neighbours(old, kind), *distinct]:
            if new != old:
                yield lambda row, at, _, value, number=number, new=new: (  # type: ignore[misc]
                    new if (row, at) == (number, source) else value
                )
    for old in (value for value in distinct if value in values):
        for new in neighbours(old, kind):
            yield lambda _, at, kind, value, old=old, new=new: (  # type: ignore[misc]
                new if at == source and value == old else value
            )


def neighbours(value: object, of_type: str) -> list[object]:
    """Return replacements of a value, some of them close to it."""
    if isinstance(value, int):
        return [value + 1, value - 1, changed(value, of_type, 1), None]
    if isinstance(value, list):
        return [[*value[:-1], 99], changed(value, of_type, 1), None]
    if isinstance(value, str):
        return [value + "z", value.upper(), changed(value, of_type, 1), None]
    return [changed(None, of_type, 1)]


class Results:
    """Results of a query before and after changes of its input tables."""

    def __init__(self, spark: SparkSession, query: Query) -> None:
        self._spark = spark
        self._query = query
        self.before = self._rows(in_columns(set(), 0))

    def _rows(self, change: Change) -> list[dict[str, str]]:
        frames = {
            table: local_frame(
                self._spark,
                schema,
                [
                    [
                        change(number, (table, column), kind, value)
                        for (column, kind), value in zip(columns_of(schema).items(), row, strict=True)
                    ]
                    for number, row in enumerate(rows)
                ],
            )
            for table, (rows, schema) in TABLES.items()
        }
        found = self._query(self._spark, frames).collect()
        return [{name: str(value) for name, value in row.asDict().items()} for row in found]

    def after(self, sources: Iterable[Source]) -> Iterator[list[dict[str, str]]]:
        """Yield the result for two different changes of columns."""
        return (self._rows(in_columns(set(sources), way)) for way in (0, 1))

    def columns_decided_by(self, source: Source, candidates: set[str]) -> set[str]:
        """Return which candidates an input column affects apart from determining which rows exist.

        These are the columns with different values after a change that leaves all columns except the
        candidates unchanged, and therefore the number of rows.
        """
        others = set(self.before[0]) - candidates
        before, shown = unordered(self.before, others), set[str]()
        for change in small_changes(source):
            rows = self._rows(change)
            if unordered(rows, others) == before:
                shown |= {
                    one for one in candidates if unordered(rows, [one]) != unordered(self.before, [one])
                }
            if shown == candidates:
                break
        return shown


def local_frame(spark: SparkSession, schema: str, rows: list[list[object]]) -> DataFrame:
    """Create a DataFrame from literals, which needs no Python worker and mostly no Spark job."""
    kinds = list(columns_of(schema).values())
    values = ", ".join(
        "("
        + ", ".join(f"CAST({literal(value)} AS {kind})" for value, kind in zip(row, kinds, strict=True))
        + ")"
        for row in rows
    )
    return spark.sql(f"SELECT * FROM VALUES {values} AS rows ({', '.join(columns_of(schema))})")


def literal(value: object) -> str:
    """Return a value as a SQL literal."""
    if isinstance(value, list):
        return f"array({', '.join(map(literal, value))})"
    return "NULL" if value is None else repr(value)


def columns_of(schema: str) -> dict[str, str]:
    """Return name and type of the columns in a schema such as `id int, name string`."""
    return dict(part.split() for part in schema.split(", "))


def changed_columns(
    before: list[dict[str, str]], after: list[dict[str, str]], affected: set[str]
) -> set[str]:
    """Return the columns with different values, or with the same values in different rows.

    If values only moved between rows, it is ambiguous which columns moved. Listed columns are preferred.
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
    return moved & affected or moved


def all_sources() -> set[Source]:
    """Return every column of every table."""
    return {(table, column) for table, (_, schema) in TABLES.items() for column in columns_of(schema)}


def unordered(rows: list[dict[str, str]], columns: Iterable[str] | None = None) -> Counter[tuple[str, ...]]:
    """Return rows, or some of their columns, as a multiset."""
    chosen = None if columns is None else sorted(columns)
    return Counter(
        tuple(row[column] for column in (sorted(row) if chosen is None else chosen)) for row in rows
    )
