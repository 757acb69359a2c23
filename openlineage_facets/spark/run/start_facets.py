"""Facets that are known when a run starts, and the builders of runs of single writes, which have the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.dataset_names import Identity
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.facets.application import (
    application_details_facet,
    environment_facet,
    source_code_facet,
    spark_properties_facet,
)
from openlineage_facets.spark.facets.parent import parent_facet, resolve_run
from openlineage_facets.spark.run.settings import RunSettings
from openlineage_facets.version import __version__

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any

    from pyspark.sql import SparkSession


class StartFacets:
    """Add the facets of the START event.

    Args:
        settings: Settings of the run.
        guard: Runs each step, so that one that fails only loses its own facet.
    """

    def __init__(self, settings: RunSettings, guard: Guard) -> None:
        self._settings = settings
        self._guard = guard

    def add_to(self, build: RunEventBuilder, spark: SparkSession, job_facets: JobFacets) -> None:
        """Add the facets to the builder of the run's events."""
        guard = self._guard
        with guard.step("report the processing engine"):
            build.run.processing_engine(
                name="spark", version=spark.version, openlineage_adapter_version=__version__
            )
        with guard.step("report the Spark application"):
            _add(build.run, application_details_facet(spark))
        with guard.step("report the Spark properties"):
            _add(build.run, spark_properties_facet(spark))
        with guard.step("report the job type"):
            job_facets.add_job_type()
        with guard.step("report the parent run"):
            self._add_parent(build)
        with guard.step("report the nominal time"):
            self._add_nominal_time(build)
        with guard.step("report the tags"):
            if self._settings.tags:
                build.tags(self._settings.tags)
        with guard.step("report the environment variables"):
            _add(build.run, environment_facet(self._settings.environment))
        with guard.step("report the source code location"):
            _add(build.job, self._source_code())

    def _add_parent(self, build: RunEventBuilder) -> None:
        parent = resolve_run("parent", self._settings.parent)
        step = "report the root run"
        root: tuple[str, str, str] | None = None
        with self._guard.step(step):
            root = resolve_run("root", self._settings.root)
        if parent is not None:
            build.run.facet(parent_facet(parent, root))
        elif root is not None:
            self._guard.warn_once(
                step,
                "the root run is not reported without a parent run; set parent= or OPENLINEAGE_PARENT_ID",
            )

    def _add_nominal_time(self, build: RunEventBuilder) -> None:
        start, end = self._settings.nominal_start_time, self._settings.nominal_end_time
        if start is not None:
            build.run.nominal_time(nominal_start_time=start, nominal_end_time=end)

    def _source_code(self) -> Any:
        path = self._settings.source_code
        if path is False:
            return None
        return source_code_facet(None if path is True else Path(os.fspath(path)))


def _add(builder: Any, facet: Any) -> None:
    if facet is not None:
        builder.facet(facet)


class WriteRunBuilders:
    """Create the builders for the runs of single writes of a run.

    Args:
        settings: Settings of the run.
        run_id: UUID of the run.
        producer: URI of the code that composes the events.
        find_session: Returns the session of the run.
        guard: Runs the lineage code.
        lock: Held while a builder is changed.
    """

    def __init__(
        self,
        settings: RunSettings,
        run_id: str,
        producer: str,
        find_session: Callable[[], SparkSession],
        guard: Guard,
        lock: AbstractContextManager[Any],
    ) -> None:
        own = settings.namespace, settings.name, run_id
        self._settings = settings
        self._parent = own
        self._producer = producer
        self._find_session = find_session
        self._guard = guard
        self._lock = lock
        self._outputs: dict[str, Identity] = {}

    def new(self, output: Identity) -> RunEventBuilder:
        """Return a builder for the run of a write.

        Args:
            output: The dataset that it writes, which the name of its job contains.
        """
        settings = self._settings
        builder = RunEventBuilder(
            settings.namespace,
            self._job_name(output),
            producer=self._producer,
            wire_format=settings.wire_format,
        )
        root = self._parent
        with self._guard.step("report the root run"):  # That of the environment may be invalid.
            root = resolve_run("root", settings.root) or resolve_run("parent", settings.parent) or root
        of_write = replace(settings, parent=self._parent, root=root, source_code=False)
        job_facets = JobFacets(builder, self._lock, settings.processing_type)
        StartFacets(of_write, self._guard).add_to(builder, self._find_session(), job_facets)
        return builder

    def _job_name(self, output: Identity) -> str:
        namespace, name = output
        job = f"{self._settings.name}.{name.lstrip('/')}"
        if self._outputs.setdefault(job, output) == output:
            return job
        return f"{self._settings.name}.{namespace}/{name.lstrip('/')}"
