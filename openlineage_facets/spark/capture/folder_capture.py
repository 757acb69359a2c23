"""Record folders that calls save to and load from as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from openlineage_facets.facets import StorageDatasetFacet
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.read_subsets import ReadSubsets
from openlineage_facets.spark.capture.recorder import FinishedWrite, Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.datasets.targets import path_target
from openlineage_facets.spark.facets.lifecycle import change_made, path_exists
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import SparkDataset

__all__ = ["FolderCapture"]

T = TypeVar("T")


class FolderCapture:
    """Capture calls for which Spark reports no queries, or one for each part of a folder.

    Args:
        session: The session of the run.
        recorder: Records inputs and outputs.
        subsets: Collects which parts of the inputs were read.
        guard: Runs the lineage code.
    """

    def __init__(
        self, session: CapturedSession, recorder: Recorder, subsets: ReadSubsets, guard: Guard
    ) -> None:
        self._spark = session.spark
        self._has_jvm = session.has_jvm
        self._recorder = recorder
        self._subsets = subsets
        self._guard = guard

    def save(
        self,
        action: Callable[[], T],
        path: str,
        call: CapturedCall,
        format: str | None = None,
        overwrites: bool = False,
    ) -> T:
        """Execute a call that saves to a folder, and record the folder.

        Args:
            action: The job's own call.
            path: The folder.
            call: The call of the job.
            format: The format of its files; None if it is unknown.
            overwrites: The call replaces all existing content.
        """
        target: SparkDataset | None = None
        existed: bool | None = None
        with self._guard.step("find the folder that a call saves to"):
            target = self._recorder.names.apply(self._dataset(path, format), True)
            existed = path_exists(self._spark, path) if self._has_jvm else None
            call.uses_folder(target)
            self._recorder.add_planned_output(target)
        result = action()
        with self._guard.step("record the folder that a call has saved to"):
            if target is not None:
                change = change_made(existed, overwrites)
                self._recorder.add_write(FinishedWrite(target, Counts(), change, overwrites))
        return result

    def load(self, action: Callable[[], T], path: str, call: CapturedCall) -> T:
        """Execute a call that loads from a folder, and record the folder; see `save`."""
        with self._guard.step("find the folder that a call loads from"):
            source = self._dataset(path, None)
            call.uses_folder(source)
            self._subsets.add_unreported(self._recorder.add_inputs([source]))
        return action()

    def _dataset(self, path: str, format: str | None) -> SparkDataset:
        target = path_target(self._spark, path, None, format or "text")
        if format is not None:
            return target
        facets = (facet for facet in target.facets if not isinstance(facet, StorageDatasetFacet))
        return replace(target, facets=tuple(facets))
