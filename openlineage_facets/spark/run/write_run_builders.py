"""Builders for the runs of single writes, whose parent is the run that writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.dataset_names import Identity
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.facets.parent import resolve_run
from openlineage_facets.spark.run.settings import RunSettings
from openlineage_facets.spark.run.start_facets import StartFacets

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any

    from pyspark.sql import SparkSession


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
