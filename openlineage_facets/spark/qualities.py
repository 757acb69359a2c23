"""The inputs of a run whose quality is measured, until it can be told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openlineage_facets.spark.connect.plans import may_stop_early
from openlineage_facets.spark.guard import Guard
from openlineage_facets.spark.measuring import Measured, Meter
from openlineage_facets.spark.quality import Observed, observe_quality
from openlineage_facets.spark.record import Identity, Record
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Pending", "Qualities"]


@dataclass(frozen=True)
class Pending:
    """A DataFrame whose quality is to be told.

    Args:
        identity: The dataset that it reads.
        observed: Where the numbers will be.
        newest: The newest execution before it.
    """

    identity: Identity
    observed: Observed
    newest: int


class Qualities:
    """Measures the quality of inputs and tells it, where an action has surely seen each row once.

    Spark's plans say so of every action that ended well. Without a JVM there are no plans to look at, and
    nothing is known of actions other than the run's own writes.

    Args:
        meter: What knows the plans of actions; None where nothing does.
        has_jvm: Whether there is a JVM.
        record: What takes the quality.
        guard: What keeps failures from the job.
    """

    def __init__(self, meter: Meter | None, has_jvm: bool, record: Record, guard: Guard) -> None:
        self._meter = meter
        self._has_jvm = has_jvm
        self._record = record
        self._guard = guard
        self._pending: list[Pending] = []
        self._whole: set[str] = set()

    def observe(self, df: DataFrame, wanted: bool | Iterable[str], datasets: list[SparkDataset]) -> DataFrame:
        """Return the DataFrame so that its first action measures the quality of what it reads."""
        measurable = self._meter is not None or not self._has_jvm
        if len(datasets) != 1 or not measurable or df.isStreaming:
            reason = "it needs one dataset, read in a batch, and PYSPARK_PIN_THREAD=true"
            self._guard.say("measure quality", f"the quality of {df} is left out: {reason}")
            return df
        newest = self._meter.newest() if self._meter is not None else -1
        observed_df, observed = observe_quality(df, wanted)
        identity = (datasets[0].namespace, datasets[0].name)
        self._pending.append(Pending(identity, observed, newest))
        return observed_df

    def tell(self, measured: Measured | None = None, patience: float = 0.0) -> None:
        """Add the quality metrics that actions have measured by now."""
        for pending in list(self._pending):
            ran = measured is not None and pending.observed.name in measured.plans
            self._guard.call(
                "tell the quality of an input",
                self._tell_one,
                pending,
                max(patience, 1.0 if ran else 0.0),
                default=None,
            )

    def end(self) -> None:
        """Add the quality metrics that actions have measured, and say which were asked for and never came."""
        self.tell(patience=0.5)
        names = ", ".join(dict.fromkeys(pending.identity[1] for pending in self._pending))
        if names:
            message = f"the quality of {names} is left out: no action has measured it"
            self._guard.say("tell all quality", message)

    def unmeasured(self) -> list[Pending]:
        """Return what the next write may measure, where no plan will tell what it was measured by."""
        if self._has_jvm:
            return []
        return [pending for pending in self._pending if not pending.observed.is_measured()]

    def written(self, before: Iterable[Pending], df: DataFrame) -> None:
        """Keep in mind what a write has measured from the first row to the last.

        Args:
            before: What was not measured before the write.
            df: What was written.
        """
        measured = {pending.observed.name for pending in before if pending.observed.is_measured()}
        if measured and not may_stop_early(df):
            self._whole |= measured

    def _tell_one(self, pending: Pending, patience: float) -> None:
        if not pending.observed.is_measured(patience):
            return
        doubt = self._doubt(pending, patience)
        if doubt is None:
            return
        self._pending.remove(pending)
        metrics = None if doubt else pending.observed.metrics()
        if metrics is not None:
            self._record.measured(pending.identity, metrics)
            return
        namespace, name = pending.identity
        why = doubt or "an action on it was done without its rows"
        self._guard.say(
            f"tell the quality of {namespace} {name}", f"the quality of {name} is left out: {why}"
        )

    def _doubt(self, pending: Pending, patience: float) -> str | None:
        """Return why the numbers may be wrong; "" where they are not, None where that is not known yet."""
        name = pending.observed.name
        if self._meter is not None:
            doubt = self._meter.doubt(name, pending.newest, patience)
            return doubt and f"an action on it {doubt}"
        if name in self._whole:
            return ""
        return (
            "the first action on it, such as show(), was no write of the run, "
            "or may have stopped before the last row"
        )
