"""Relations in the scope of a database query, and what parts of the query return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from openlineage_facets.spark.datasets.query_names import without_quotes
from openlineage_facets.spark.lineage.value_lineage import IDENTITY, Lineage, indirect_lineage, merged_lineage


class UnknownError(Exception):
    """The query contains something whose lineage is unknown."""


@dataclass(frozen=True)
class Relation:
    """A relation in the scope of a query.

    Args:
        name: Its alias or name.
        table: The number of the table, if its columns are those of a table and unknown.
        columns: Otherwise, name and lineage of its columns.
        rows: If WITH defines it, the columns that determine which rows it has.
    """

    name: str
    table: int | None = None
    columns: tuple[tuple[str, Lineage], ...] = ()
    rows: Lineage = field(default_factory=dict)

    def column(self, written: str) -> Lineage | None:
        """Return the lineage of a column; None if the relation cannot have it."""
        if self.table is not None:
            return {(self.table, written): IDENTITY}
        name = without_quotes(written).lower()
        return next((lineage for own, lineage in self.columns if own.lower() == name), None)


@dataclass(frozen=True)
class Result:
    """What a part of a query returns: columns of relations, and what determines the rows."""

    relations: tuple[Relation, ...] = ()
    rows: Lineage = field(default_factory=dict)

    def column(self, parts: Sequence[str]) -> Lineage:
        """Return the lineage of a column.

        Args:
            parts: Its name as the query writes it, maybe after the name of its relation.

        Raises:
            UnknownError: No relation can have it, or several.
        """
        *qualifiers, name = parts
        qualifier = qualifiers[-1].lower() if qualifiers else None
        scope = [relation for relation in self.relations if qualifier in (None, relation.name.lower())]
        having = [(relation, column) for relation in scope if (column := relation.column(name)) is not None]
        known = [column for relation, column in having if relation.table is None]
        candidates = known or [column for _, column in having]
        if len(candidates) != 1:
            raise UnknownError(".".join(parts))
        return candidates[0]

    def with_rows(self, lineages: Sequence[Lineage], subtype: str) -> Result:
        """Return the result with further lineage of its rows, as an effect of a subtype."""
        return replace(self, rows=merged_lineage([self.rows, indirect_lineage(lineages, subtype)]))


def as_one(result: Result, name: str) -> Relation:
    """Return the relations of a result as one, under another name."""
    if len(result.relations) == 1:
        return replace(result.relations[0], name=name)
    if any(relation.table is not None for relation in result.relations):
        raise UnknownError("the unknown columns of one of several tables")
    return Relation(name, None, tuple(column for relation in result.relations for column in relation.columns))


def with_aliases(scope: Result, result: Result) -> Result:
    """Return a scope with the selected columns whose names it does not know."""
    known = {name.lower() for relation in scope.relations for name, _ in relation.columns}
    aliases = [
        relation
        for relation in result.relations
        if relation.table is None and known.isdisjoint(name.lower() for name, _ in relation.columns)
    ]
    return replace(scope, relations=(*aliases, *scope.relations))
