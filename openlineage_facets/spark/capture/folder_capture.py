"""Record what RDDs read, and folders that calls save to and load from as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from pyspark import RDD

from openlineage_facets.facets import StorageDatasetFacet
from openlineage_facets.spark.capture.captured_run import SessionCapture
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.recorder import FinishedWrite
from openlineage_facets.spark.datasets.mllib_models import add_model
from openlineage_facets.spark.datasets.rdd_sources import rdd_datasets
from openlineage_facets.spark.datasets.sources import path_exists
from openlineage_facets.spark.datasets.targets import path_target
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import SparkDataset, change_made

T = TypeVar("T")


class FolderCapture(SessionCapture):
    """Capture calls for which Spark reports no queries, or one for each part of a folder."""

    def read_rdd(self, rdd: RDD[Any], *, collects: bool = False) -> None:
        """Record the files and tables that an RDD reads.

        Args:
            rdd: The RDD.
            collects: The job receives its elements.
        """
        with self._guard.step("find the inputs of an RDD"):
            seen = self._run.collected_rdds if collects else self._run.seen_rdds
            read = self._recorder.inputs.add(rdd_datasets(self._spark, _java(rdd), seen).datasets)
            if collects:
                self._recorder.add_collected(read)
            self._run.subsets.add_unreported(read)

    def save_rdd(self, action: Callable[[], T], rdd: RDD[Any], path: str, format: str | None) -> T:
        """Save an RDD to a folder, and record its inputs and the folder.

        Args:
            action: The job's own call.
            rdd: The RDD.
            path: The folder.
            format: The format of its files; None if it is unknown.

        Returns:
            The result of the call.
        """
        with self._captured_call() as call:
            write = self._new_write(call)
            with self._guard.step("find the inputs of an RDD"):
                followed: set[int] = set()
                found = rdd_datasets(self._spark, _java(rdd), followed)
                self._run.seen_rdds.update(followed)
                read = write.add_inputs(found.datasets, has_unknown_rows=found.has_unknown_rows)
                self._run.subsets.add_unreported(read)
            return self._save(action, path, write, format)

    def save(self, action: Callable[[], T], path: str) -> T:
        """Execute a call that creates or replaces a folder, as a whole, and record the folder.

        Args:
            action: The job's own call.
            path: The folder.

        Returns:
            The result of the call.
        """
        with self._captured_call() as call:
            return self._save(action, path, self._new_write(call), overwrites=True)

    def _save(
        self,
        action: Callable[[], T],
        path: str,
        write: RecordedWrite,
        format: str | None = None,
        overwrites: bool = False,
    ) -> T:
        target: SparkDataset | None = None
        existed: bool | None = None
        with self._guard.step("find the folder that a call saves to"):
            target = write.output(self._dataset(path, format))
            existed = path_exists(self._spark, path) if self._session.has_jvm else None
            write.call.uses_folder(target)
            write.plan(target)
        with self._failure_of(write):
            result = action()
        with self._guard.step("record the folder that a call has saved to"):
            if target is not None:
                change = change_made(existed, overwrites)
                write.add_result(FinishedWrite(target, Counts(), change, overwrites))
                write.complete()
        return result

    def load(self, action: Callable[[], T], path: str) -> T:
        """Execute a call that loads from a folder, as a whole, and record the folder; see `save`."""
        source: SparkDataset | None = None
        with self._run.reported.call() as call:
            with self._guard.step("find the folder that a call loads from"):
                source = self._dataset(path, None)
                call.uses_folder(source)
                self._run.subsets.add_unreported(self._recorder.inputs.add([source]))
            model = action()
        with self._guard.step("remember the folder of a model"):
            if source is not None:
                add_model(model, [source])
        return model

    def _dataset(self, path: str, format: str | None) -> SparkDataset:
        target = path_target(self._spark, path, None, format or "text")
        if format is not None:
            return target
        facets = (facet for facet in target.facets if not isinstance(facet, StorageDatasetFacet))
        return replace(target, facets=tuple(facets))


def _java(rdd: RDD[Any]) -> JavaObject:
    """Return the JVM's RDD from which an RDD is computed.

    That of an RDD with Python functions is not created: this would pickle the functions once more.
    """
    python: Any = rdd
    return (getattr(python, "_prev_jrdd", None) or python._jrdd).rdd()
