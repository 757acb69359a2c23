# Generated from https://openlineage.io/spec/facets/1-0-0/GcpComposerRunFacet.json (registry/gcp/composer/facets/GcpComposerRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Run facet that links a run to its Airflow DAG run in Google Cloud Composer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr

from openlineage_facets.generated.open_lineage import RunFacet


class GcpComposerRunFacet(RunFacet):
    """The Airflow DAG run, in a Cloud Composer environment, that a run belongs to.

    Cloud Composer emits it for DAGs and tasks; readers combine it with the job's
    `gcp_composer_job` facet to find the DAG run in the Airflow UI.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/GcpComposerRunFacet.json#/$defs/GcpComposerRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "gcp_composer_run"

    dag_run_id: Annotated[StrictStr, Field(alias="dagRunId")]
    """Airflow's id of the DAG run, unique within its DAG.

    All task runs of one DAG run share it. Example: `"scheduled__2025-03-01T04:00:00+00:00"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            dag_run_id: str,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
