"""The reference event as msgspec structs: the lower bound for typed Python."""

from __future__ import annotations

from typing import Literal

import msgspec


class Facet(msgspec.Struct, omit_defaults=True):
    """Common fields of facets."""

    producer: str = msgspec.field(name="_producer")
    schema_url: str = msgspec.field(name="_schemaURL")


class NominalTime(Facet, kw_only=True):
    """Scheduled time of the run."""

    nominalStartTime: str
    nominalEndTime: str | None = None


class SQL(Facet, kw_only=True):
    """SQL query."""

    query: str
    dialect: str | None = None


class Column(msgspec.Struct, omit_defaults=True):
    """Column."""

    name: str
    type: str | None = None
    description: str | None = None
    ordinal_position: int | None = None
    fields: list[Column] | None = None


class Schema(Facet, kw_only=True):
    """Columns of a dataset."""

    fields: list[Column] | None = None


class Transformation(msgspec.Struct, omit_defaults=True):
    """Transformation of a column."""

    type: str
    subtype: str | None = None
    description: str | None = None
    masking: bool | None = None


class Source(msgspec.Struct, omit_defaults=True):
    """Source column."""

    namespace: str
    name: str
    field: str
    transformations: list[Transformation] | None = None


class Sources(msgspec.Struct, omit_defaults=True):
    """Source columns of a column."""

    inputFields: list[Source]


class ColumnLineage(Facet, kw_only=True):
    """Column lineage of a dataset."""

    fields: dict[str, Sources]
    dataset: list[Source] | None = None


class OutputStatistics(Facet, kw_only=True):
    """Number of rows and bytes written."""

    rowCount: int | None = None
    size: int | None = None


class RunFacets(msgspec.Struct, omit_defaults=True):
    """Facets of a run."""

    nominalTime: NominalTime | None = None


class JobFacets(msgspec.Struct, omit_defaults=True):
    """Facets of a job."""

    sql: SQL | None = None


class DatasetFacets(msgspec.Struct, omit_defaults=True):
    """Facets of a dataset."""

    schema: Schema | None = None
    columnLineage: ColumnLineage | None = None


class OutputFacets(msgspec.Struct, omit_defaults=True):
    """Facets of an output."""

    outputStatistics: OutputStatistics | None = None


class Run(msgspec.Struct, omit_defaults=True):
    """A run."""

    runId: str
    facets: RunFacets | None = None


class Job(msgspec.Struct, omit_defaults=True):
    """A job."""

    namespace: str
    name: str
    facets: JobFacets | None = None


class Dataset(msgspec.Struct, omit_defaults=True):
    """An input or an output."""

    namespace: str
    name: str
    facets: DatasetFacets | None = None
    outputFacets: OutputFacets | None = None


class Event(msgspec.Struct, omit_defaults=True):
    """A run event."""

    eventTime: str
    producer: str
    schemaURL: str
    run: Run
    job: Job
    eventType: Literal["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"] | None = None
    inputs: list[Dataset] | None = None
    outputs: list[Dataset] | None = None


decode = msgspec.json.Decoder(Event).decode
encode = msgspec.json.Encoder().encode
