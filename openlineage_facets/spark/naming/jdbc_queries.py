"""SQL queries that a JDBC source has instead of a table name."""

from __future__ import annotations

import re

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
