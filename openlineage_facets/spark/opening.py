"""What a run tells when it starts: the engine, who started it, when it was due, where its code is."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import NominalTimeRunFacet
from openlineage_facets.spark.environment import environment_facet
from openlineage_facets.spark.guard import Guard
from openlineage_facets.spark.parent import RunIdentity, parent_facet, run_named
from openlineage_facets.spark.source_code import source_code_facet
from openlineage_facets.tags import Tag, unique_tags
from openlineage_facets.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Opening"]


@dataclass
class Opening:
    """The facets of job and run that hold from the start, with the arguments of `SparkRun`.

    Raises:
        ValueError: An argument is wrong, whatever the machine is like.
    """

    processing_type: str
    parent: RunIdentity | None
    root: RunIdentity | None
    nominal_start_time: datetime | str | None
    nominal_end_time: datetime | str | None
    tags: tuple[Tag, ...]
    environment: Sequence[str]
    source_code: bool | str | os.PathLike[str]
    queries: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.processing_type not in ("BATCH", "STREAMING"):
            raise ValueError(f"processing_type: expected BATCH or STREAMING, found {self.processing_type!r}")
        if self.parent:
            run_named("parent", self.parent)
        if self.root:
            run_named("root", self.root)
        if self.nominal_start_time is not None:
            NominalTimeRunFacet(
                nominal_start_time=self.nominal_start_time,
                nominal_end_time=self.nominal_end_time,
                producer=DEFAULT_PRODUCER,  # This one is looked at, and not told.
            )
        elif self.nominal_end_time is not None:
            raise ValueError("nominal_end_time: expected with a nominal_start_time, found without")
        if self.tags:
            unique_tags("run", self.tags)
        names = self.environment
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"environment: expected names of variables, as in ['STAGE'], found {names!r}")
        if not isinstance(self.source_code, (bool, str, os.PathLike)):
            raise ValueError(f"source_code: expected True, False or a path, found {self.source_code!r}")

    def put_on(self, build: RunEventBuilder, spark: SparkSession, guard: Guard) -> None:
        """Add each facet that there is something to say in; what fails is left out alone."""
        steps: dict[str, Callable[[], Any]] = {
            "tell the engine": lambda: build.run.processing_engine(
                name="spark", version=spark.version, openlineage_adapter_version=__version__
            ),
            "tell the type of the job": lambda: self._job_type(build),
            "tell the parent": lambda: self._parent(build, guard),
            "tell the nominal time": lambda: self._nominal_time(build),
            "tell the tags": lambda: build.tags(self.tags) if self.tags else None,
            "tell the environment": lambda: _add(build.run, environment_facet(self.environment)),
            "tell where the code is": lambda: _add(build.job, self._source_code()),
        }
        for step, tell in steps.items():
            guard.call(step, tell, default=None)

    def stream(self, build: RunEventBuilder) -> None:
        """Say that the job processes a stream."""
        if self.processing_type != "STREAMING":
            self.processing_type = "STREAMING"
            self._job_type(build)

    def add_query(self, build: RunEventBuilder, query: str) -> None:
        """Say that the job runs a SQL statement, after those before it."""
        if query not in self.queries:
            self.queries.append(query)
            build.job.sql(query=";\n".join(self.queries), dialect="spark")

    def _job_type(self, build: RunEventBuilder) -> None:
        build.job.job_type(processing_type=self.processing_type, integration="SPARK", job_type="JOB")

    def _parent(self, build: RunEventBuilder, guard: Guard) -> None:
        parent = run_named("parent", self.parent)
        step, root = "tell the root run", None
        root = guard.call(step, run_named, "root", self.root, default=root)
        if parent is not None:
            build.run.facet(parent_facet(parent, root))
        elif root is not None:
            guard.say(
                step, "the root run is left out: no parent is named, by parent= or OPENLINEAGE_PARENT_ID"
            )

    def _nominal_time(self, build: RunEventBuilder) -> None:
        if self.nominal_start_time is not None:
            build.run.nominal_time(
                nominal_start_time=self.nominal_start_time, nominal_end_time=self.nominal_end_time
            )

    def _source_code(self) -> Any:
        if self.source_code is False:
            return None
        return source_code_facet(None if self.source_code is True else Path(os.fspath(self.source_code)))


def _add(builder: Any, facet: Any) -> None:
    if facet is not None:
        builder.facet(facet)
