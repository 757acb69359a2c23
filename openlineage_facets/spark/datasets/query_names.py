"""Names in the query of a database: their quotes, and those that are values of the session, not columns."""

from __future__ import annotations

from collections.abc import Mapping

from openlineage_facets.naming.jdbc import namespace_of_jdbc, quoted_table_name
from openlineage_facets.spark.jvm import JavaObject, option, texts
from openlineage_facets.spark.naming import with_backquoted_names

_TEXT_IN_DOUBLE_QUOTES = ("databricks", "hive", "mysql", "spark")
"""Systems for which `"a"` is a text, by the schemes of their namespaces. For others, it is a name."""

_SESSION_VALUES = frozenset(
    "current_date current_time current_timestamp current_user localtime localtimestamp session_user "
    "system_user".split()
)
"""Names that are values of the session, unless they are quoted."""

_SESSION_VALUES_OF = {
    "db2": {"user"},
    "derby": {"user"},
    "mssql": {"user"},
    "oracle": {"rownum", "sysdate", "systimestamp", "user"},
    "postgres": {"user"},
    "redshift": {"sysdate", "user"},
    "sqlserver": {"user"},
}
"""Further ones, by the schemes of namespaces. Elsewhere they may be columns."""


def names_of_session_values(url: str) -> frozenset[str]:
    """Return the names that are no columns of the database of a JDBC URL, in lower case."""
    return _SESSION_VALUES | _SESSION_VALUES_OF.get(_scheme(url), set())


def for_parser_of_spark(query: str, url: str, parameters: Mapping[str, str]) -> str:
    """Return a query with its names in the quotes of Spark SQL.

    Args:
        query: The query.
        url: The JDBC URL.
        parameters: The options of the read, with keys in lower case.
    """
    settings = (url + parameters.get("sessionvariables", "")).lower()
    if _scheme(url) in _TEXT_IN_DOUBLE_QUOTES and "ansi" not in settings:  # The `sql_mode` of MySQL.
        return query
    return with_backquoted_names(query)


def _scheme(url: str) -> str:
    return namespace_of_jdbc(url).partition(":")[0]


def written_parts(column: JavaObject) -> list[str]:
    """Return the parts of a column's name as the query writes it: the last one in quotes if it is quoted.

    The parser drops the quotes, but knows where the name is in the text.
    """
    *qualifiers, name = texts(column.nameParts())
    text, end = option(column.origin().sqlText()), option(column.origin().stopIndex())
    is_quoted = text is not None and end is not None and str(text)[int(end)] == "`"
    return [*qualifiers, exact(name) if is_quoted else name]


def is_session_value(column: JavaObject, names: frozenset[str]) -> bool:
    """Return whether a column of a parsed query is one of these names, without quotes and in any case."""
    parts = written_parts(column)
    return len(parts) == 1 and parts[0].lower() in names


def exact(name: str) -> str:
    """Return the written name of a column that has exactly this name."""
    return quoted_table_name([name])


def without_quotes(written: str) -> str:
    """Return the name that a written name stands for, in any case unless it is quoted."""
    return written[1:-1].replace('""', '"') if written.startswith('"') else written
