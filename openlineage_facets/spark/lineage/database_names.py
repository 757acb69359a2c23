"""Names of the columns of tables in a database query: those of the database, or as the query writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openlineage_facets.naming.jdbc import quoted_table_name
from openlineage_facets.spark.jvm import JavaObject, option, texts
from openlineage_facets.spark.lineage.value_lineage import Column, Lineage, merged_lineage


def written_parts(column: JavaObject) -> list[str]:
    """Return the parts of a column's name as the query writes it: the last one in quotes if it is quoted.

    The parser drops the quotes, but knows where the name is in the text.
    """
    *qualifiers, name = texts(column.nameParts())
    text, end = option(column.origin().sqlText()), option(column.origin().stopIndex())
    is_quoted = text is not None and end is not None and str(text)[int(end)] == "`"
    return [*qualifiers, exact(name) if is_quoted else name]


def exact(name: str) -> str:
    """Return the written name of a column that has exactly this name."""
    return quoted_table_name([name])


def without_quotes(written: str) -> str:
    """Return the name that a written name stands for, in any case unless it is quoted."""
    return written[1:-1].replace('""', '"') if written.startswith('"') else written


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
