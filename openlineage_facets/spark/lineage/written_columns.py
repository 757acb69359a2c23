"""Match the columns of a DataFrame with the columns of the table that they are written to.

df.write.insertInto("t")                           by position, regardless of names
df.write.mode("append").saveAsTable("t")           by name, for every kind of table
df.write.mode("append").format("delta").save(p)    by name
"""

from __future__ import annotations

from collections.abc import Sequence


def written_by_position(columns: Sequence[str], table: Sequence[str]) -> list[str]:
    """Return the table columns that columns are written to by position.

    Partition columns are the last columns of a table in the session catalog. Additional columns of the table
    get their default values.
    """
    return [*table[: len(columns)], *columns[len(table) :]]


def written_by_name(columns: Sequence[str], table: Sequence[str], case_sensitive: bool) -> list[str]:
    """Return the table columns that columns are written to by name. New columns keep their names."""
    if case_sensitive:
        return list(columns)
    known = {name.lower(): name for name in table}
    return [known.get(name.lower(), name) for name in columns]
