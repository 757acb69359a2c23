# Generated from https://openlineage.io/spec/facets/1-1-0/SQLJobFacet.json (facets/SQLJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The SQL statement that a job runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class SQLJobFacet(JobFacet):
    """SQL text behind a job.

    Integrations for databases, dbt, Spark SQL and orchestrators emit it; catalogs display it,
    and lineage tools parse it to derive tables and columns.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "sql"

    query: StrictStr
    """Text of the statement, or of several separated by semicolons.

    Literals in it are visible to all readers of the lineage, so remove confidential ones.
    Example: `"INSERT INTO daily_orders SELECT order_date, count(*) FROM orders GROUP BY
    order_date"`.
    """
    dialect: Maybe[StrictStr] = None
    """SQL dialect of `query`, which lets a reader choose the right parser.

    An open string; usual values are `ansi`, `bigquery`, `postgres`, `snowflake` and `spark`.
    Examples: `"postgres"`, `"bigquery"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            query: str,
            dialect: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
