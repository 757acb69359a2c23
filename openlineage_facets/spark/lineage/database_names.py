"""Names of the columns of tables in a database query: those of the database, or as the query writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openlineage_facets.spark.datasets.query_names import without_quotes
from openlineage_facets.spark.lineage.value_lineage import Column, Lineage, merged_lineage


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
