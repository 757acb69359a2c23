"""What the parts of the capture of one run have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.dataset_names import checked_identity
from openlineage_facets.spark.capture.guard import Gaps, Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.quality_observations import QualityObservations
from openlineage_facets.spark.capture.read_subsets import ReadSubsets
from openlineage_facets.spark.capture.recorded_write import RecordedWrite, WriteRuns
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall, ReportedWrites
from openlineage_facets.spark.capture.stream_counts import StreamCounts
from openlineage_facets.spark.metrics.scans import Scan
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset


@dataclass(frozen=True)
class CapturedRun:
    """A run, in all of its sessions.

    Args:
        recorder: Records inputs and outputs.
        job_facets: Facets of the job that change during the run.
        guard: Runs the lineage code.
        report_changes: Sends a RUNNING event if it is due; called when new lineage was recorded.
        write_runs: The runs of single writes; None if the writes have none.
        quality: Data quality of the inputs.
        subsets: Collects which parts of the inputs were read.
        streams: Counts the rows of streams.
        gaps: What could not be captured.
        reported: The calls that have captured their own writes.
        seen_rdds: The numbers of the RDDs whose inputs are already recorded.
        collected_rdds: Those of them whose rows Python has received.
    """

    recorder: Recorder
    job_facets: JobFacets
    guard: Guard
    report_changes: Callable[[], None]
    write_runs: WriteRuns | None
    quality: QualityObservations
    subsets: ReadSubsets
    streams: StreamCounts
    gaps: Gaps = field(default_factory=Gaps)
    reported: ReportedWrites = field(default_factory=ReportedWrites)
    seen_rdds: set[int] = field(default_factory=set)
    collected_rdds: set[int] = field(default_factory=set)

    def checked_name(self, dataset: Identity | None) -> Identity | None:
        """Return the name that the user has passed for a dataset; None without one, or if it is invalid."""
        with self.guard.step("use the name of a dataset"):
            return checked_identity(dataset)
        return None


class SessionCapture:
    """The base of what captures calls in one session of a run.

    Args:
        session: The session.
        run: The run.
    """

    def __init__(self, session: CapturedSession, run: CapturedRun) -> None:
        self._session = session
        self._run = run
        self._recorder = run.recorder
        self._guard = run.guard

    @property
    def _spark(self) -> SparkSession:
        return self._session.spark

    @contextmanager
    def _captured_call(self) -> Iterator[CapturedCall]:
        """Note a call of the job while it is executed, and report what it has captured if it succeeds."""
        with self._run.reported.call() as call:
            yield call
        self._run.report_changes()

    def _new_write(self, call: CapturedCall) -> RecordedWrite:
        """Return what records one write of a call."""
        return RecordedWrite(self._recorder, self._run.write_runs, call)

    @contextmanager
    def _failure_of(self, write: RecordedWrite) -> Iterator[None]:
        """Record that a write has failed if the job's own call, which is executed inside, raises an error."""
        try:
            yield
        except Exception as error:
            with self._guard.step("record a failed write"):
                write.fail(error)
            raise

    def _record_scans(
        self, inputs: Iterable[SparkDataset], measured: ActionMetrics, *, repeated: bool = False
    ) -> list[Scan]:
        """Record what one call read of its inputs, and return the scans that were not counted before.

        Args:
            inputs: The inputs.
            measured: What Spark counted.
            repeated: The call scans the same rows of an input several times; count them once.
        """
        for scan in measured.scans:
            if scan.repeated_by is not None:
                self._guard.warn_once(
                    "count rows that were read again",
                    f"rowCount of {scan.name} {', '.join(scan.locations)} is not captured: Spark may have "
                    f"read rows more than once ({scan.repeated_by})",
                )
        return self._recorder.inputs.add_scans(inputs, measured.scans, repeated=repeated)
