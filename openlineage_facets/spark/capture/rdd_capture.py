"""Record what RDDs read, and the folders that they are saved to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.folder_capture import FolderCapture
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.read_subsets import ReadSubsets
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.datasets.rdd_sources import rdd_datasets
from openlineage_facets.spark.jvm.objects import JavaObject

if TYPE_CHECKING:
    from pyspark import RDD

__all__ = ["RddCapture"]

T = TypeVar("T")


class RddCapture:
    """Capture RDDs of a run, for which Spark reports no queries.

    Args:
        session: The session of the run.
        recorder: Records inputs and outputs.
        subsets: Collects which parts of the inputs were read.
        guard: Runs the lineage code.
        folders: Captures the folders that RDDs are saved to.
        seen: The numbers of the RDDs whose inputs are already recorded.
    """

    def __init__(
        self,
        session: CapturedSession,
        recorder: Recorder,
        subsets: ReadSubsets,
        guard: Guard,
        folders: FolderCapture,
        seen: set[int],
    ) -> None:
        self._spark = session.spark
        self._recorder = recorder
        self._subsets = subsets
        self._guard = guard
        self._folders = folders
        self._seen = seen

    def read(self, rdd: RDD[Any]) -> None:
        """Record the files and tables that an RDD reads."""
        with self._guard.step("find the inputs of an RDD"):
            self._subsets.add_unreported(
                self._recorder.add_inputs(rdd_datasets(self._spark, _java(rdd), self._seen))
            )

    def save(
        self, action: Callable[[], T], rdd: RDD[Any], path: str, format: str | None, call: CapturedCall
    ) -> T:
        """Save an RDD, and record its inputs and the folder.

        Args:
            action: The job's own call.
            rdd: The RDD.
            path: The folder.
            format: The format of its files; None if it is unknown.
            call: The call of the job.
        """
        self.read(rdd)
        return self._folders.save(action, path, call, format)


def _java(rdd: RDD[Any]) -> JavaObject:
    """Return the JVM's RDD from which an RDD is computed.

    That of an RDD with Python functions is not created: this would pickle the functions once more.
    """
    python: Any = rdd
    return (getattr(python, "_prev_jrdd", None) or python._jrdd).rdd()
