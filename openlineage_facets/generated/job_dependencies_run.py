# Generated from https://openlineage.io/spec/facets/1-0-1/JobDependenciesRunFacet.json (facets/JobDependenciesRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Control flow between jobs: which runs a run waits for and which ones wait for it.

It complements data lineage, since one job may have to follow another without sharing a
dataset with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, ClassVar
from uuid import UUID

from pydantic import Field, StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe, UuidText
from openlineage_facets.generated.open_lineage import RunFacet


class RunIdentifier(Model):
    """Reference to one execution of a job."""

    run_id: Annotated[UuidText, Field(alias="runId")]
    """UUID of the referenced run, equal to the `runId` in its own events.

    Example: `"01957a02-91f4-7b3d-a6c0-5d82e71f4b09"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            run_id: UUID | str,
        ) -> None: ...


class JobIdentifier(Model):
    """Reference to a job by namespace and name."""

    namespace: StrictStr
    """Namespace of the referenced job, as in its own events.

    Example: `"airflow-prod"`.
    """
    name: StrictStr
    """Name of the referenced job, unique in `namespace`.

    Example: `"flights_daily.load_airports"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
        ) -> None: ...


class JobDependency(Model):
    """One job that comes directly before or after the current run, with the terms of the
    dependency.
    """

    job: JobIdentifier
    """The job at the other end of the dependency."""
    run: Maybe[RunIdentifier] = None
    """The execution of `job` that is meant.

    Leave it out when it is unknown, as for a downstream run that does not exist yet.
    """
    dependency_type: Maybe[StrictStr] = None
    """Whether one job triggers the other itself or only happens to run after it.

    Usual values are `DIRECT_INVOCATION`, and `IMPLICIT_DEPENDENCY` for what follows from
    schedules or data. Example: `"DIRECT_INVOCATION"`.
    """
    sequence_trigger_rule: Maybe[StrictStr] = None
    """Order in which the two runs have to start and end.

    Usual values are `FINISH_TO_START` (downstream starts once upstream has ended),
    `FINISH_TO_FINISH` (they may overlap, but upstream ends first) and `START_TO_START` (both
    start together). Example: `"FINISH_TO_START"`.
    """
    status_trigger_rule: Maybe[StrictStr] = None
    """Outcome of the upstream run that lets the downstream run go ahead.

    Usual values are `EXECUTE_ON_SUCCESS`, `EXECUTE_ON_FAILURE` and `EXECUTE_EVERY_TIME`.
    Example: `"EXECUTE_ON_SUCCESS"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            job: JobIdentifier,
            run: RunIdentifier | None = None,
            dependency_type: str | None = None,
            sequence_trigger_rule: str | None = None,
            status_trigger_rule: str | None = None,
        ) -> None: ...


class JobDependenciesRunFacet(RunFacet):
    """Lists the jobs directly before and after a run in the control flow.

    Orchestrators emit it; backends use it to explain why a run waited or was skipped and to
    foresee what a delay holds up.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/JobDependenciesRunFacet.json#/$defs/JobDependenciesRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "jobDependencies"

    upstream: Maybe[tuple[JobDependency, ...]] = None
    """Jobs that come before this run, which as a rule waits for them to end."""
    downstream: Maybe[tuple[JobDependency, ...]] = None
    """Jobs that come after this run, which as a rule wait for it to end."""
    trigger_rule: Maybe[StrictStr] = None
    """Condition over all of `upstream` together that lets this run start.

    Usual values are `ALL_SUCCESS`, `ALL_DONE`, `ONE_SUCCESS` and `NONE_FAILED`; a single edge
    has its own `status_trigger_rule`. Example: `"ALL_DONE"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            upstream: Iterable[JobDependency] | None = None,
            downstream: Iterable[JobDependency] | None = None,
            trigger_rule: str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
