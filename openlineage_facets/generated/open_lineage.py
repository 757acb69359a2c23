# Generated from https://openlineage.io/spec/2-0-2/OpenLineage.json (OpenLineage.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Core event model: run, job and dataset events, and the entities and facets they are made of.

Every message is exactly one of `RunEvent`, `JobEvent` and `DatasetEvent`; the facets in the
other files extend the base facets defined here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field, StrictBool, StrictStr, model_validator

from openlineage_facets.base.entities import EventModel, FacetModel, RunModel
from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import forbid_together, keep_unknown_apart
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.types import FILLED_IN, Maybe, UuidText
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)


class BaseEvent(EventModel):
    """Fields every event has: when it happened, what built it and which schema it follows."""

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/BaseEvent"

    event_time: Annotated[Timestamp, Field(alias="eventTime")] = FILLED_IN
    """Moment the reported change took place, as an RFC 3339 timestamp with its UTC offset.

    Readers order the events of one run by it, so it is the time of the change, not of the
    sending. Examples: `"2025-03-09T06:15:02.481Z"`, `"2025-03-09T08:15:02+02:00"`.
    """
    producer: StrictStr = FILLED_IN
    """URI of the code that built this event, ideally naming its exact version.

    A link into a repository at a release or commit lets a reader trace a faulty event back to
    the integration that wrote it. Example:
    `"https://git.example.com/data/orders-pipeline/tree/v3.4.1"`.
    """
    schema_url: Annotated[StrictStr, Field(alias="schemaURL")] = FILLED_IN
    """Address of the event definition, including the spec version, that this event was written
    against.

    Its fragment names the definition, such as `#/$defs/RunEvent`; readers take the spec
    version from it. Example:
    `"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            event_time: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class EventType(str, Enum):
    """State the run enters with this event, or `OTHER` when only metadata is added.

    One `START` opens a run and one of `COMPLETE`, `FAIL` (ended with an error) and `ABORT`
    (stopped before its end) closes it. `RUNNING` reports progress in between; `OTHER` may
    come at any time, even after the end. Examples: `"START"`, `"FAIL"`.
    """

    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"
    OTHER = "OTHER"


class BaseFacet(FacetModel):
    """Common root of all facets: which code made the metadata and which schema describes it.

    The leading underscore sets these two fields apart from those a concrete facet defines;
    fields beyond the schema are allowed.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/BaseFacet"

    producer: Annotated[StrictStr, Field(alias="_producer")] = FILLED_IN
    """URI of the code that created this facet, ideally naming its exact version.

    It may differ from the event's `producer` when a plugin or an upstream tool contributed
    the facet. Example: `"https://git.example.com/data/quality-plugin/tree/1.8.0"`.
    """
    schema_url: Annotated[StrictStr, Field(alias="_schemaURL")] = FILLED_IN
    """Address of the definition, including its version, that this facet was written against.

    For a custom facet it is wherever its author publishes the schema; readers use it to
    choose how to interpret the fields. Examples:
    `"https://openlineage.io/spec/facets/1-0-0/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet"`,
    `"https://schemas.example.com/facets/1-0-0/CostRunFacet.json#/$defs/CostRunFacet"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class RunFacet(BaseFacet):
    """Base class of facets that describe a single execution of a job.

    Extend it for what can differ from run to run, such as the scheduled time, the engine
    version or an error. A run facet applies only to the run that carries it.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class Run(RunModel):
    """One execution of a job, identified by a UUID and detailed by run facets."""

    run_id: Annotated[UuidText, Field(alias="runId")] = FILLED_IN
    """UUID of this execution: the same in all its events, never reused for another one.

    The producer creates it when the run starts; readers group events by it, and child runs
    quote it in their `parent` facet. Version 7 UUIDs are a good choice, as they sort by
    creation time. Example: `"0195793b-2c4e-7f18-a3d6-5be0917c42fd"`.
    """
    facets: Maybe[RunFacets] = None
    """Facets about this execution, under keys such as `nominalTime`, `parent` or `errorMessage`.

    A custom facet's key starts with its author's prefix.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run_id: UUID | str | None = None,
            facets: RunFacets | Iterable[RunFacet] | Mapping[str, RunFacet] | None = None,
        ) -> None: ...


class JobFacet(BaseFacet):
    """Base class of facets that describe a job across its runs.

    Extend it for what belongs to the definition of the work, such as its SQL, source location
    or owners. A new facet under the same key replaces the old one as a whole.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"

    deleted: Annotated[Maybe[StrictBool], Field(alias="_deleted")] = None
    """Whether this facet withdraws the one stored for the job under the same key.

    With `true`, readers drop the stored facet and ignore what else this one says; `false` or
    absent marks an ordinary facet. Example: `true`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class Job(Model):
    """A named piece of work that reads and writes datasets and can be executed many times.

    It may be a DAG, one task in it, a SQL script or a Spark application; each execution is a
    `Run`.
    """

    namespace: StrictStr
    """Scope in which the job's name is unique, often a scheduler or a deployment.

    Keep it stable: readers compare namespace and name as plain text to recognise the job
    across runs. Examples: `"airflow-prod"`, `"sales-etl"`.
    """
    name: StrictStr
    """Name of the job, unique in its namespace and equal for all its runs.

    Tasks are usually written as `dag.task`; leave out dates, attempt numbers and other parts
    that vary between runs. Examples: `"orders_daily.load_orders"`,
    `"flights.aggregate_delays"`.
    """
    facets: Maybe[JobFacets] = None
    """Facets about the job itself, under keys such as `sql`, `ownership` or `jobType`.

    Each holds for later runs as well, until an event brings a new facet under the same key.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            facets: JobFacets | Iterable[JobFacet] | Mapping[str, JobFacet] | None = None,
        ) -> None: ...


class DatasetFacet(BaseFacet):
    """Base class of facets that describe a dataset, whoever reads or writes it.

    Extend it for lasting properties, such as columns, storage format or owners. A new facet
    under the same key replaces the old one as a whole.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"

    deleted: Annotated[Maybe[StrictBool], Field(alias="_deleted")] = None
    """Whether this facet withdraws the one stored for the dataset under the same key.

    With `true`, readers drop the stored facet and ignore what else this one says; `false` or
    absent marks an ordinary facet. Example: `true`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class Dataset(Model):
    """A table, file collection, topic or other body of data, identified by namespace and name.

    Two events speak of the same dataset when both strings are equal, which is how the lineage
    of separate jobs joins up.
    """

    namespace: StrictStr
    """Identifier of the system that holds the data, usually a scheme with a host and port or a
    bucket.

    Every producer that touches the source has to spell it the same way. Examples:
    `"postgres://db.example.com:5432"`, `"s3://example-lake"`.
    """
    name: StrictStr
    """Name of the dataset, unique within its namespace.

    Databases mostly use `database.schema.table`, object stores the path below the bucket,
    Kafka the topic. Examples: `"warehouse.sales.orders"`, `"curated/flights"`.
    """
    facets: Maybe[DatasetFacets] = None
    """Facets about the dataset itself, under keys such as `schema`, `ownership` or
    `columnLineage`.

    Each holds from this event on, until a new facet arrives under the same key.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            facets: DatasetFacets | Iterable[DatasetFacet] | Mapping[str, DatasetFacet] | None = None,
        ) -> None: ...


class InputDatasetFacet(BaseFacet):
    """Base class of facets that describe how a run read a dataset.

    Extend it for facts of one read, such as rows scanned or checks made on the way in, and
    place instances in `inputFacets`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class InputDataset(Dataset):
    """A dataset as the source of a run or job: its identity, its facets and facts about the
    read.
    """

    input_facets: Annotated[Maybe[InputDatasetFacets], Field(alias="inputFacets")] = None
    """Facets about this one read, under keys such as `inputStatistics` or `subset`.

    They belong to the dataset and the run together; what holds for the dataset by itself goes
    into `facets`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            input_facets: InputDatasetFacets
            | Iterable[InputDatasetFacet]
            | Mapping[str, InputDatasetFacet]
            | None = None,
            facets: DatasetFacets | Iterable[DatasetFacet] | Mapping[str, DatasetFacet] | None = None,
        ) -> None: ...


class OutputDatasetFacet(BaseFacet):
    """Base class of facets that describe how a run wrote a dataset.

    Extend it for facts of one write, such as rows or bytes produced, and place instances in
    `outputFacets`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/OutputDatasetFacet"
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class OutputDataset(Dataset):
    """A dataset as the target of a run or job: its identity, its facets and facts about the
    write.
    """

    output_facets: Annotated[Maybe[OutputDatasetFacets], Field(alias="outputFacets")] = None
    """Facets about this one write, under keys such as `outputStatistics` or `subset`.

    They belong to the dataset and the run together; what holds for the dataset by itself goes
    into `facets`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            output_facets: OutputDatasetFacets
            | Iterable[OutputDatasetFacet]
            | Mapping[str, OutputDatasetFacet]
            | None = None,
            facets: DatasetFacets | Iterable[DatasetFacet] | Mapping[str, DatasetFacet] | None = None,
        ) -> None: ...


class RunEvent(BaseEvent):
    """A state change of one execution of a job, or new detail about it, sent as the work
    happens.

    Schedulers, engines and pipeline code emit it. A lineage backend merges all events with
    the same `runId`, so a later event only has to carry what is new.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"

    event_type: Annotated[Maybe[EventType], Field(alias="eventType")] = None
    """State the run enters with this event, or `OTHER` when only metadata is added.

    One `START` opens a run and one of `COMPLETE`, `FAIL` (ended with an error) and `ABORT`
    (stopped before its end) closes it. `RUNNING` reports progress in between; `OTHER` may
    come at any time, even after the end. Examples: `"START"`, `"FAIL"`.
    """
    run: Run
    """The execution this event reports on; its `runId` ties all events of that execution
    together.
    """
    job: Job
    """The job that `run` is an execution of."""
    inputs: Maybe[tuple[InputDataset, ...]] = None
    """Datasets the run reads, as far as they are known when the event is sent.

    Readers take the union over all events of the run, so the list may grow and need not be
    repeated.
    """
    outputs: Maybe[tuple[OutputDataset, ...]] = None
    """Datasets the run writes or changes, as far as they are known when the event is sent.

    Together with `inputs` they form the lineage edges through this job.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run: Run,
            job: Job,
            event_type: EventType
            | Literal["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"]
            | None = None,
            inputs: Iterable[InputDataset] | None = None,
            outputs: Iterable[OutputDataset] | None = None,
            event_time: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class StaticDataset(Dataset):
    """The subject of a `DatasetEvent`: a dataset described by itself, neither read nor written
    by a run.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            facets: DatasetFacets | Iterable[DatasetFacet] | Mapping[str, DatasetFacet] | None = None,
        ) -> None: ...


class DatasetEvent(BaseEvent):
    """Metadata about one dataset, sent when no run is involved.

    Catalogs, migration scripts and governance tools emit it to publish such things as a
    schema, owners or tags; its facets hold until replaced. It must not carry both `job` and
    `run`.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"

    dataset: StaticDataset
    """The dataset the metadata is about."""

    _forbid_job_run = model_validator(mode="after")(forbid_together("job", "run"))

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            dataset: StaticDataset,
            event_time: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class JobEvent(BaseEvent):
    """Metadata about one job and the datasets it is designed to use, sent when no run is
    involved.

    Deployment tools emit it, for instance to draw lineage of a pipeline that has not run yet.
    It must not carry `run`.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"

    job: Job
    """The job the metadata is about."""
    inputs: Maybe[tuple[InputDataset, ...]] = None
    """Datasets the job reads by design, whichever run executes it."""
    outputs: Maybe[tuple[OutputDataset, ...]] = None
    """Datasets the job writes by design, whichever run executes it."""

    _forbid_run = model_validator(mode="after")(forbid_together("run"))

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            job: Job,
            inputs: Iterable[InputDataset] | None = None,
            outputs: Iterable[OutputDataset] | None = None,
            event_time: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
