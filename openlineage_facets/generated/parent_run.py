# Generated from https://openlineage.io/spec/facets/1-2-0/ParentRunFacet.json (facets/ParentRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The parent of a run: the run that started it, and the run at the top of the whole chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar
from uuid import UUID

from pydantic import Field, StrictStr

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe, UuidText
from openlineage_facets.generated.open_lineage import JobFacet, RunFacet


class RootRun(Model):
    """The run at the top of the chain, such as the DAG run that set everything off."""

    run_id: Annotated[UuidText, Field(alias="runId")]
    """UUID of the topmost run, equal to the `runId` in its own events.

    All runs below it share this value, so readers can collect a whole pipeline execution by
    it. Example: `"01957938-0b7d-7e61-94a2-c8d15f30e7b4"`.
    """
    facets: Maybe[FacetMap[RunFacet]] = None
    """Copies of some run facets of the topmost run, to spare readers a lookup.

    The complete set is in the events of that run; nothing here describes the current run.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run_id: UUID | str,
            facets: FacetMap[RunFacet] | Iterable[RunFacet] | Mapping[str, RunFacet] | None = None,
        ) -> None: ...


class RootJob(Model):
    """The job at the top of the chain, whose run is the root run."""

    namespace: StrictStr
    """Namespace of the topmost job, as in its own events.

    Example: `"airflow-prod"`.
    """
    name: StrictStr
    """Name of the topmost job, as in its own events; mostly a DAG or workflow.

    Example: `"orders_daily"`.
    """
    facets: Maybe[FacetMap[JobFacet]] = None
    """Copies of some job facets of the topmost job, to spare readers a lookup.

    The complete set is in that job's own events; nothing here describes the current job.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            facets: FacetMap[JobFacet] | Iterable[JobFacet] | Mapping[str, JobFacet] | None = None,
        ) -> None: ...


class Run(Model):
    """The parent run: the one that started the current run."""

    run_id: Annotated[UuidText, Field(alias="runId")]
    """UUID of the parent run, equal to the `runId` in its own events.

    A scheduler usually passes it to the child in an argument or environment variable.
    Example: `"01957939-5fc2-7a0e-8b13-e64d2907ac58"`.
    """
    facets: Maybe[FacetMap[RunFacet]] = None
    """Copies of some run facets of the parent, to spare readers a lookup.

    The complete set is in the events of the parent; nothing here describes the current run.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run_id: UUID | str,
            facets: FacetMap[RunFacet] | Iterable[RunFacet] | Mapping[str, RunFacet] | None = None,
        ) -> None: ...


class Job(Model):
    """The parent job: the one that the parent run is an execution of."""

    namespace: StrictStr
    """Namespace of the parent job, as in its own events.

    It often differs from the child's namespace. Example: `"airflow-prod"`.
    """
    name: StrictStr
    """Name of the parent job, as in its own events.

    Examples: `"orders_daily.submit_spark"`, `"orders_daily"`.
    """
    facets: Maybe[FacetMap[JobFacet]] = None
    """Copies of some job facets of the parent, to spare readers a lookup.

    The complete set is in the parent job's own events; nothing here describes the current
    job.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            facets: FacetMap[JobFacet] | Iterable[JobFacet] | Mapping[str, JobFacet] | None = None,
        ) -> None: ...


class Root(Model):
    """The topmost run and job of the chain that led to this run.

    It names the parent again when nothing started the parent.
    """

    run: RootRun
    """The topmost run, shared by everything it started directly or through others."""
    job: RootJob
    """The job that the topmost run is an execution of."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run: RootRun,
            job: RootJob,
        ) -> None: ...


class ParentRunFacet(RunFacet):
    """Links a run to the run that started it, as a task to its DAG run or a Spark job to its
    task.

    The child emits it, with identifiers its starter handed down; backends build the tree of
    runs from it. Leave it out when no other run started this one.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-2-0/ParentRunFacet.json#/$defs/ParentRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "parent"

    run: Run
    """The parent run: the one that started the current run."""
    job: Job
    """The parent job: the one that the parent run is an execution of."""
    root: Maybe[Root] = None
    """The topmost run and job of the chain that led to this run.

    It names the parent again when nothing started the parent.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run: Run,
            job: Job,
            root: Root | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
