"""Facets that are known when a run starts: engine, application, parent, nominal time, tags, source code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.facets.application import (
    application_details_facet,
    environment_facet,
    spark_properties_facet,
)
from openlineage_facets.spark.facets.parent import parent_facet, resolve_run
from openlineage_facets.spark.facets.source_code import source_code_facet
from openlineage_facets.spark.run.settings import RunSettings
from openlineage_facets.version import __version__

if TYPE_CHECKING:
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
