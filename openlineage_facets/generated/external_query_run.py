# Generated from https://openlineage.io/spec/facets/1-0-2/ExternalQueryRunFacet.json (facets/ExternalQueryRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Reference from a run to a query that another system executed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr

from openlineage_facets.generated.open_lineage import RunFacet


class ExternalQueryRunFacet(RunFacet):
    """Pointer to the query a run submitted to an external system such as BigQuery, Snowflake or
    Athena.

    Orchestrator integrations emit it once the system has returned an id; readers use it to
    look up the query's cost, plan and logs there.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-2/ExternalQueryRunFacet.json#/$defs/ExternalQueryRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "externalQuery"

    external_query_id: Annotated[StrictStr, Field(alias="externalQueryId")]
    """Id that the external system gave to this query.

    Join it with the query history of the system named in `source`, for instance a BigQuery
    job id or a Snowflake query id. Examples: `"warehouse-prod:EU.job_orders_20260301_0042"`,
    `"01b7c2e4-0604-18d2-0000-4d1500a3f0be"`.
    """
    source: StrictStr
    """System that executed the query, needed to know where `externalQueryId` is valid.

    Either a system name such as `bigquery` or `awsathena`, or the namespace of the datasets
    it holds. Examples: `"awsathena"`, `"snowflake://acme-emea"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            external_query_id: str,
            source: str,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
