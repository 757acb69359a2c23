"""Find the columns that the names in a query of a database mean.

The columns of its tables are unknown: a name without a table is a column of the only table in scope. In a
subquery it may also be one of the query around it; only then the database is asked for the columns of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache

from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery
from openlineage_facets.spark.datasets.query_names import is_session_value, without_quotes, written_parts
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.lineage.query_relations import Relation, Result, UnknownError
from openlineage_facets.spark.lineage.value_lineage import NO_LINEAGE, Column, Lineage, merged_lineage


class QueryColumns:
    """The columns in the scope of a query and, while a subquery is read, of the queries around it.

    Args:
        tables: The numbers of the tables by name.
        query: The query.
    """

    def __init__(self, tables: Mapping[str, int], query: DatabaseQuery) -> None:
        self._tables = tables
        self._session_values = query.session_values
        self._find_columns = cache(query.find_columns)
        self._outer: tuple[Relation, ...] = ()

    def of_tables(self) -> dict[int, Sequence[str]]:
        """Return the columns of each table that has any, if the database was asked for those of one."""
        if not self._find_columns.cache_info().currsize:
            return {}
        return {number: own for table, number in self._tables.items() if (own := self._find_columns(table))}

    @contextmanager
    def around_subquery(self, scope: Result) -> Iterator[None]:
        """Know what is in the scope of a query, while a subquery in it is read."""
        outer = self._outer
        self._outer = (*outer, *scope.relations)
        try:
            yield
        finally:
            self._outer = outer

    def attribute(self, attribute: JavaObject, scope: Result) -> Lineage:
        """Return the lineage of a name: none if it is a value of the session, such as `current_date`."""
        parts = written_parts(attribute)
        if is_session_value(attribute, self._session_values):
            relations = (*scope.relations, *self._outer)
            if all(relation.table is not None or relation.column(parts[0]) is None for relation in relations):
                return NO_LINEAGE
        return self._column(parts, scope)

    def _column(self, parts: Sequence[str], scope: Result) -> Lineage:
        """Return the lineage of a column of a query or, in a subquery, of the query that contains it."""
        *qualifiers, name = parts
        outer = Result(tuple(relation for relation in self._outer if relation.column(name) is not None))
        if not outer.relations:
            return scope.column(parts)
        if qualifiers:
            is_inner = any(relation.name.lower() == qualifiers[-1].lower() for relation in scope.relations)
            return (scope if is_inner else outer).column(parts)
        if any(relation.table is None and relation.column(name) is not None for relation in scope.relations):
            return scope.column(parts)
        return self._column_of_tables(name, scope)

    def _column_of_tables(self, name: str, scope: Result) -> Lineage:
        """Return the lineage of a column of a subquery or, if it has none, of the query around it."""
        for relations in (scope.relations, self._outer):
            found = [
                column for relation in relations if (column := self._own_column(name, relation)) is not None
            ]
            if len(found) == 1:
                return found[0]
            if found:
                break
        raise UnknownError(name)

    def _own_column(self, name: str, relation: Relation) -> Lineage | None:
        """Return the lineage of a column of a relation; None if it does not have it.

        Raises:
            UnknownError: The columns of its table are unknown.
        """
        if relation.table is None:
            return relation.column(name)
        table = next(known for known, number in self._tables.items() if number == relation.table)
        columns = self._find_columns(table)
        if not columns:
            raise UnknownError(name)
        is_own = without_quotes(name).lower() in (column.lower() for column in columns)
        return relation.column(name) if is_own else None


def with_one_name_per_column(
    lineages: Iterable[Lineage], known: Mapping[int, Iterable[str]]
) -> list[Lineage]:
    """Return lineages of written names with the names of columns, the same in all of them.

    Args:
        lineages: The lineages of a query.
        known: Known columns of the database, by the number of their table.
    """
    names: dict[Column, str] = {
        (table, column.lower()): column for table, own in known.items() for column in own
    }

    def named(table: int, written: str) -> Column:
        name = without_quotes(written)
        return table, name if name != written else names.setdefault((table, name.lower()), name)

    return [
        merged_lineage({named(*column): effects} for column, effects in lineage.items())
        for lineage in lineages
    ]
