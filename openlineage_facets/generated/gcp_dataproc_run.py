# Generated from https://openlineage.io/spec/facets/1-0-0/GcpDataprocRunFacet.json (registry/gcp/dataproc/facets/GcpDataprocRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Run facet that names the Google Cloud Dataproc workload behind a Spark run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class GcpDataprocRunFacet(RunFacet):
    """The Dataproc workload that executed a run: a job on a cluster, a serverless batch or a
    session.

    The Spark integration emits it on Dataproc; readers use the ids to open the workload in
    the Cloud console or to find its logs. Of the cluster, batch and session properties, only
    those of one kind are set.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/GcpDataprocRunFacet.json#/$defs/GcpDataprocRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "gcp_dataproc"

    app_id: Annotated[StrictStr, Field(alias="appId")]
    """Id of the application within its resource manager, such as YARN.

    For Spark it is `spark.app.id`, the id under which the history server lists the
    application. Example: `"application_1740800000000_0042"`.
    """
    app_name: Annotated[StrictStr, Field(alias="appName")]
    """Application name, chosen by the user or else a default.

    For Spark it is `spark.app.name`. Example: `"orders_daily"`.
    """
    batch_id: Annotated[Maybe[StrictStr], Field(alias="batchId")] = None
    """Id of the serverless batch, as in its resource name.

    Set only when the workload is a batch. Example: `"orders-daily-20250301"`.
    """
    batch_uuid: Annotated[Maybe[StrictStr], Field(alias="batchUuid")] = None
    """UUID that Dataproc made for the serverless batch.

    Set only when the workload is a batch. Example: `"5c0d9a6e-42b7-4f0e-9d38-7a1b64e2c915"`.
    """
    cluster_name: Annotated[Maybe[StrictStr], Field(alias="clusterName")] = None
    """Name of the cluster that ran the job, unique within `projectId` at any one time.

    Set only for work on Compute Engine clusters. Example: `"warehouse-etl"`.
    """
    cluster_uuid: Annotated[Maybe[StrictStr], Field(alias="clusterUuid")] = None
    """UUID that Dataproc gave to the cluster when it was created.

    It tells apart clusters that reuse one name; set only for work on Compute Engine clusters.
    Example: `"e81f3b27-6a94-4c5d-8b02-f3d7c9a01e46"`.
    """
    job_id: Annotated[Maybe[StrictStr], Field(alias="jobId")] = None
    """Id of the Dataproc job, chosen by the user or else by Dataproc.

    Set only for work on Compute Engine clusters. Example: `"orders-daily-0301"`.
    """
    job_uuid: Annotated[Maybe[StrictStr], Field(alias="jobUuid")] = None
    """UUID of the Dataproc job, never reused within the project.

    Use it where a `jobId` may occur more than once; set only for work on Compute Engine
    clusters. Example: `"0b6f5d1c-93e8-4a72-b1d4-58c2e7f9a360"`.
    """
    project_id: Annotated[StrictStr, Field(alias="projectId")]
    """Id of the Google Cloud project that owns the workload.

    Example: `"example-analytics"`.
    """
    query_node_name: Annotated[Maybe[StrictStr], Field(alias="queryNodeName")] = None
    """Name of the top node of the executed Spark plan, in snake case.

    It hints at the command that ran, such as an insert or a table creation. Example:
    `"execute_insert_into_hadoop_fs_relation_command"`.
    """
    job_type: Annotated[Maybe[StrictStr], Field(alias="jobType")] = None
    """Kind of workload.

    Usual values are `dataproc_job` (on a cluster), `batch` and `session`; it tells which of
    the other ids to expect. Examples: `"dataproc_job"`, `"batch"`, `"session"`.
    """
    session_id: Annotated[Maybe[StrictStr], Field(alias="sessionId")] = None
    """Id of the interactive serverless session, for building links to it.

    Set only when the workload is a session. Example: `"notebook-flights-7"`.
    """
    session_uuid: Annotated[Maybe[StrictStr], Field(alias="sessionUuid")] = None
    """UUID that Dataproc made for the interactive session.

    Set only when the workload is a session. Example:
    `"b7a2c480-1f5e-4d69-8e33-c06d914fa2b8"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            app_id: str,
            app_name: str,
            project_id: str,
            batch_id: str | None = None,
            batch_uuid: str | None = None,
            cluster_name: str | None = None,
            cluster_uuid: str | None = None,
            job_id: str | None = None,
            job_uuid: str | None = None,
            query_node_name: str | None = None,
            job_type: str | None = None,
            session_id: str | None = None,
            session_uuid: str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
