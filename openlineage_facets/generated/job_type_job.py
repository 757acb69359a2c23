# Generated from https://openlineage.io/spec/facets/2-0-4/JobTypeJobFacet.json (facets/JobTypeJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The kind of a job: batch or streaming, which integration it comes from and how it emits
events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Integer, Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class EmissionPattern(Model):
    """When the job's runs send events and how complete each event is.

    It matters most for long-running jobs, where it tells a reader whether their events have
    to be merged.
    """

    event_trigger: Annotated[StrictStr, Field(alias="eventTrigger")]
    """What makes a run send an event: `EVENT_BASED` or `PERIODIC`.

    `EVENT_BASED` means at every change of the run's state, `PERIODIC` at a fixed interval.
    Example: `"PERIODIC"`.
    """
    event_content_mode: Annotated[StrictStr, Field(alias="eventContentMode")]
    """Whether one event suffices by itself: `ACCUMULATIVE` or `COMPLETE_SNAPSHOT`.

    With `ACCUMULATIVE`, an event may hold just a part and readers merge all events of the
    run. With `COMPLETE_SNAPSHOT`, each event says everything about its time window and needs
    no other. Example: `"COMPLETE_SNAPSHOT"`.
    """
    window_duration: Annotated[Maybe[Integer], Field(alias="windowDuration", ge=1)] = None
    """Length of the reporting interval in seconds, for `PERIODIC` jobs only.

    It is needed when `eventContentMode` is `COMPLETE_SNAPSHOT`, as it then says how much time
    one event covers. Examples: `60`, `900`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            event_trigger: str,
            event_content_mode: str,
            window_duration: int | None = None,
        ) -> None: ...


class JobTypeJobFacet(JobFacet):
    """Classifies a job by processing style, by integration and by its role there.

    Integrations emit it with every job; backends use it to pick an icon, to tell a DAG from
    its tasks and to know whether a run is ever going to end.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "jobType"

    processing_type: Annotated[StrictStr, Field(alias="processingType")]
    """Whether runs of the job end by themselves: `BATCH`, `STREAMING` or `SERVICE`.

    A `BATCH` run finishes with `COMPLETE`, `FAIL` or `ABORT`. A `STREAMING` run processes a
    stream without end and a `SERVICE` stays up to answer requests; do not wait for their
    completion. Example: `"STREAMING"`.
    """
    integration: StrictStr
    """Tool whose integration reports the job, in upper case.

    Usual values are `SPARK`, `AIRFLOW`, `DBT` and `FLINK`. Examples: `"DBT"`, `"AIRFLOW"`.
    """
    job_type: Annotated[Maybe[StrictStr], Field(alias="jobType")] = None
    """Role of the job in the terms of its integration.

    Usual values are `DAG` and `TASK` (Airflow), `MODEL` (dbt), `JOB`, `QUERY` and `COMMAND`;
    read it together with `integration`. Examples: `"TASK"`, `"MODEL"`.
    """
    emission_pattern: Annotated[Maybe[EmissionPattern], Field(alias="emissionPattern")] = None
    """When the job's runs send events and how complete each event is.

    It matters most for long-running jobs, where it tells a reader whether their events have
    to be merged.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            processing_type: str,
            integration: str,
            job_type: str | None = None,
            emission_pattern: EmissionPattern | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
