# Generated from https://openlineage.io/spec/facets/1-0-0/GcpComposerJobFacet.json (registry/gcp/composer/facets/GcpComposerJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Job facet that names the Airflow DAG or task in Google Cloud Composer behind a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class GcpComposerJobFacet(JobFacet):
    """The Airflow DAG or task, and the Cloud Composer environment it lives in, that a job stands
    for.

    Cloud Composer emits it; readers use it to link the job to its DAG and to see which
    versions it runs on.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/GcpComposerJobFacet.json#/$defs/GcpComposerJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "gcp_composer_job"

    environment_name: Annotated[StrictStr, Field(alias="environmentName")]
    """Name of the Cloud Composer environment that runs the DAG.

    Example: `"composer-analytics"`.
    """
    dag_id: Annotated[StrictStr, Field(alias="dagId")]
    """Id of the DAG: the job itself, or the DAG that its task belongs to.

    Example: `"orders_daily"`.
    """
    operator: Maybe[StrictStr] = None
    """Class name of the task's operator, such as `BashOperator`.

    Absent when the job is a whole DAG. Example: `"BigQueryInsertJobOperator"`.
    """
    task_id: Annotated[Maybe[StrictStr], Field(alias="taskId")] = None
    """Id of the task within its DAG.

    Absent when the job is a whole DAG. Example: `"load_orders"`.
    """
    airflow_version: Annotated[StrictStr, Field(alias="airflowVersion")]
    """Version of the Airflow build in the environment, with the suffix `+composer`.

    Example: `"2.10.2+composer"`.
    """
    composer_version: Annotated[StrictStr, Field(alias="composerVersion")]
    """Version of Cloud Composer that the environment runs.

    Example: `"2.11.1"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            environment_name: str,
            dag_id: str,
            airflow_version: str,
            composer_version: str,
            operator: str | None = None,
            task_id: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
