"""Add the columns that a table computes itself to the DataFrame that is written to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openlineage_facets.spark.datasets.lake_tables import GeneratedColumns
from openlineage_facets.spark.naming.table_names import quoted_sql_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def with_generated_columns(
    df: DataFrame, names: Sequence[str], generated: GeneratedColumns
) -> tuple[DataFrame, list[str]]:
    """Return a DataFrame with the generated columns of a table that it does not have, and its names.

    Args:
        df: The written DataFrame.
        names: The columns of the table that its columns are written to, in order.
        generated: The generated columns of the table.
    """
    written = {name.lower() for name in names}
    expressions = {name: text for name, text in generated.expressions.items() if name.lower() not in written}
    # An expression may refer to columns that are not written, which are null.
    empty = [
        f"CAST(NULL AS {of_type}) AS {quoted_sql_name([name])}"
        for name, of_type in generated.types.items()
        if name.lower() not in written and name not in expressions
    ]
    complete = df.toDF(*names).selectExpr("*", *empty)
    computed = [f"{text} AS {quoted_sql_name([name])}" for name, text in expressions.items()]
    kept = [quoted_sql_name([name]) for name in names]
    return complete.selectExpr(*kept, *computed), [*names, *expressions]
