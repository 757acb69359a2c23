"""Qualified names of tables in a Spark session, and the queries that JDBC sources have instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from openlineage_facets.spark.jvm.objects import each, session_state

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_QUOTED = re.compile(r"""'(?:[^']|'')*'|"([^"]*)\"""")


def is_query(table: str) -> bool:
    """Return whether the `dbtable` option is a query in parentheses, not a table name."""
    return table.lstrip().startswith("(")


def query_text(table: str) -> str:
    """Return the query without parentheses and alias."""
    return table[table.index("(") + 1 : table.rindex(")")].strip() if ")" in table else table


def with_backquoted_names(query: str) -> str:
    """Replace double quotes around names by the backquotes of Spark SQL. String literals are unchanged.

    Example:
        >>> with_backquoted_names('SELECT "id" FROM t')
        'SELECT `id` FROM t'
    """
    return _QUOTED.sub(lambda match: match[0] if match[1] is None else f"`{match[1]}`", query)


def quoted_sql_name(parts: Iterable[str]) -> str:
    """Return a qualified name in Spark SQL, with every part in backquotes."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def is_resolvable(spark: SparkSession, table_name: str) -> bool:
    """Return True if Spark finds a table, view or branch of a table.

    Unlike `spark.table`, a name that is not found is not shown as a failed query in Spark's UI. Unlike
    `tableExists`, branches of Iceberg tables are found.

    Args:
        spark: A session with a JVM.
        table_name: The name, optionally qualified.
    """
    state = session_state(spark)
    parts = [str(part) for part in each(state.sqlParser().parseMultipartIdentifier(table_name))]
    relation = state.sqlParser().parsePlan(f"TABLE {quoted_sql_name(parts)}")
    return bool(state.analyzer().execute(relation).resolved())


def resolve_table_name(spark: SparkSession, table_name: str) -> tuple[str, list[str]]:
    """Return the catalog of a table and the rest of its full name, resolved as Spark does."""
    parser = session_state(spark).sqlParser()
    parts = [str(part) for part in each(parser.parseMultipartIdentifier(table_name))]
    catalog = str(spark.catalog.currentCatalog())
    is_configured = spark.conf.get(f"spark.sql.catalog.{parts[0]}", None) is not None
    if len(parts) > 1 and (is_configured or parts[0] == "spark_catalog"):
        catalog, parts = parts[0], parts[1:]
    if len(parts) == 1:
        parts.insert(0, str(spark.catalog.currentDatabase()))
    return catalog, parts
