"""`SparkRun`: emit the lineage of a PySpark job."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from uuid import UUID

from pyspark.sql import DataFrame, SparkSession
from typing_extensions import Self

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.builders.error_facet import failure_facet
from openlineage_facets.emitters import EmitTarget
from openlineage_facets.emitters.errors import OnError
from openlineage_facets.generated.open_lineage import RunEvent
from openlineage_facets.naming.naming_rules import NamingInput
from openlineage_facets.spark.capture.guard import Guard, valid_current_producer
from openlineage_facets.spark.capture.write_targets import FindTarget
from openlineage_facets.spark.run.parent import RunIdentity
from openlineage_facets.spark.run.run_events import RunState, is_cancelled, is_success
from openlineage_facets.spark.run.run_lifecycle import RunLifecycle
from openlineage_facets.spark.run.run_per_call import run_per_call
from openlineage_facets.spark.run.settings import RunSettings, with_session
from openlineage_facets.spark.run.worker_python import explain_worker_error
from openlineage_facets.spark.spark_dataset import Identity
from openlineage_facets.tags import TagsInput, WireFormat, tag_list

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.catalogue import Backends

F = TypeVar("F", bound=Callable[..., Any])


class SparkRun:
    """One run of a PySpark job, which emits START, RUNNING, and COMPLETE, FAIL or ABORT.

    Use it as a context manager, as a decorator (each call is a run; a parameter named `run` receives it), or
    step by step in notebooks: `start()`, then `complete()`, `fail(error)` or `abort()`.

    The job is never changed: its results, errors and plans are the same, except for the observation that
    `read(quality=...)` adds to a plan. Errors in lineage code are logged by the logger
    `openlineage_facets.spark`, once per step.

    Args:
        spark: The session; the active one if None.
        namespace: Namespace of the job.
        name: Name of the job.
        emit: An emitter, a callable, a URL such as "http://localhost:5000", or the path of a file; by default
            what the environment configures.
        run_id: UUID of the run; a new one by default.
        producer: Absolute URI of the code that composes the events; the current one by default.
        parent: The run that started this one, as `"namespace/name/run_id"` or a tuple;
            `OPENLINEAGE_CONTEXT` or `OPENLINEAGE_PARENT_ID` by default.
        root: The run at the top of the hierarchy; `OPENLINEAGE_CONTEXT` or `OPENLINEAGE_ROOT_PARENT_ID` by
            default.
        nominal_start_time: When the run was scheduled.
        nominal_end_time: End of the scheduled period.
        tags: Tags of the job and the run, in addition to those from the environment, such as
            `["pii", "team=dataos"]` or `{"team": "dataos"}`.
        environment: Names of the environment variables to report.
        source_code: Whether to report the location of the code in git; or the path of the code.
        processing_type: "STREAMING" for a job that does not end; reading a stream sets it, too.
        wire_format: Wire format of tags, "released" or "proposal".
        on_error: Whether to log or raise errors in lineage code.
        running_every: Minimum number of seconds between two RUNNING events.
        capture: Whether to capture everything that the job does with Spark's own methods; with False, only
            calls of the run's own methods.
        runs: "per_write" to emit a child run for each write, for backends that connect all inputs of a run
            with all of its outputs. The run itself then reports its inputs only.
        backend: The backends that receive the events, such as "marquez": events are repaired for them, and
            what they refuse or lose is logged, each once.
        naming: Rules for the names of datasets, such as "naming.toml", or of `read_naming`; by default, the
            file that `OPENLINEAGE_NAMING` names.

    Raises:
        EventError: Namespace, name, run id, producer, a nominal time or a tag is invalid.
        TypeError: `emit` is neither an emitter, a function with one parameter, a URL nor a path; or `spark`
            is a text.
        ImportError: `emit` is the URL of an object store whose driver is not installed.
        ValueError: Another argument is invalid.

    Example:
        with SparkRun(spark, "etl", "orders.daily", emit="lineage.ndjson") as run:
            orders = run.read(spark.read.parquet("s3a://lake/raw/orders"))
            daily = orders.groupBy("day").sum("amount")
            run.write(daily, "s3a://lake/curated/daily", format="parquet", mode="overwrite")
    """

    @with_session
    def __init__(
        self,
        spark: SparkSession | None,
        namespace: str,
        name: str,
        *,
        emit: EmitTarget[RunEvent] | None = None,
        run_id: UUID | str | None = None,
        producer: str | None = None,
        parent: RunIdentity | None = None,
        root: RunIdentity | None = None,
        nominal_start_time: datetime | str | None = None,
        nominal_end_time: datetime | str | None = None,
        tags: TagsInput = (),
        environment: Iterable[str] = (),
        source_code: bool | str | os.PathLike[str] = False,
        processing_type: Literal["BATCH", "STREAMING"] = "BATCH",
        wire_format: WireFormat = "released",
        on_error: OnError = "log",
        running_every: float = 60.0,
        capture: bool = True,
        runs: Literal["one", "per_write"] = "one",
        backend: Backends | None = None,
        naming: NamingInput | None = None,
    ) -> None:
        self._settings = settings = RunSettings(
            namespace=namespace,
            name=name,
            emit=emit,
            producer=producer,
            parent=parent,
            root=root,
            nominal_start_time=nominal_start_time,
            nominal_end_time=nominal_end_time,
            tags=tuple(tag_list(tags)),
            environment=environment,
            source_code=source_code,
            processing_type=processing_type,
            wire_format=wire_format,
            on_error=on_error,
            running_every=running_every,
            capture=capture,
            runs=runs,
            backend=backend,
            naming=naming,
        )
        self._has_own_id = run_id is not None
        self._new_run = partial(type(self), spark, **settings.arguments())
        producer_uri = producer or valid_current_producer()
        self._guard = Guard(f"{namespace}/{name}", producer_uri, on_error)
        self.build = RunEventBuilder(
            namespace, name, run_id=run_id, producer=producer_uri, wire_format=wire_format
        )
        """The builder of the run's events, for example for custom facets."""
        self._lifecycle = RunLifecycle(spark, self.build, settings, self._guard)

    @classmethod
    def of(cls, namespace: str, name: str, **settings: Any) -> Self:
        """Return a run in the session that is active when it starts, for example to decorate a function.

        Args:
            namespace: Namespace of the job.
            name: Name of the job.
            settings: Keyword arguments of `SparkRun`.

        Example:
            @SparkRun.of("etl", "orders.daily")
            def daily(spark, run):
                run.write(run.read(spark.table("orders")), "s3a://lake/curated/daily")
        """
        return cls(None, namespace, name, **settings)

    @property
    def run_id(self) -> str:
        """UUID of the run."""
        return self.build.run_id

    @property
    def spark(self) -> SparkSession:
        """The session of the run; a later one if the job has stopped it."""
        return self._lifecycle.spark

    @property
    def state(self) -> RunState:
        """The state of the run, from the view of this process."""
        return self._lifecycle.state

    def start(self) -> Self:
        """Start the run: send START.

        If an error in lineage code is raised before START, the run is not started.
        """
        self._lifecycle.start()
        return self

    def complete(self) -> None:
        """End the run successfully: send COMPLETE."""
        self._lifecycle.end("COMPLETE", self.build.complete)

    def fail(self, error: BaseException | str | None = None) -> None:
        """End the run with an error: send FAIL with an errorMessage facet.

        The facet's message does not contain the stack traces that PySpark adds to it.

        Args:
            error: The error.
        """
        if isinstance(error, BaseException):
            with self._guard.step("explain the error"):
                explanation = explain_worker_error(error)
                if explanation is not None:
                    self._guard.warn_once("explain the error", explanation)
        self._lifecycle.end("FAIL", lambda: self.build.fail(error))

    def abort(self, error: BaseException | str | None = None) -> None:
        """End the run early: send ABORT.

        Args:
            error: The error that this caused, if any.
        """

        def compose() -> Any:
            if error is not None:
                self.build.run.facet(failure_facet(error))
            return self.build.abort()

        self._lifecycle.end("ABORT", compose)

    def read(
        self, df: DataFrame, dataset: Identity | None = None, quality: bool | Iterable[str] = False
    ) -> DataFrame:
        """Record that the run reads a DataFrame, and return it.

        Args:
            df: The DataFrame.
            dataset: Namespace and name of what it reads; found in its plan by default.
            quality: Columns whose data quality to measure, True for all: row, null and distinct counts, sum,
                minimum, maximum and quantiles. The first action on the DataFrame measures them in the same
                pass. This adds an observation to the plan; Spark does not push filters below it.

        Returns:
            The same DataFrame; with `quality`, one with the same rows.
        """
        return self._lifecycle.captured(
            "read", lambda: df, lambda capture, _: capture.read(df, dataset, quality)
        )

    def write(
        self,
        df: DataFrame,
        path: str | None = None,
        format: str | None = None,
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803  (as in PySpark)
        *,
        dataset: Identity | None = None,
        **options: Any,
    ) -> None:
        """Write a DataFrame with `df.write.save`, and capture the lineage of the write.

        Args:
            df: The DataFrame.
            path: As for `save`.
            format: As for `save`.
            mode: As for `save`.
            partitionBy: As for `save`.
            dataset: Namespace and name of the output; found from the path by default.
            options: As for `save`.
        """
        self._write(
            lambda: df.write.save(path, format, mode, partitionBy, **options),
            df,
            lambda targets: targets.save(df, path, format, mode, partitionBy, options),
            dataset,
        )

    def save_as_table(
        self,
        df: DataFrame,
        name: str,
        format: str | None = None,
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803
        *,
        dataset: Identity | None = None,
        **options: Any,
    ) -> None:
        """Write a DataFrame with `df.write.saveAsTable`, and capture the lineage of the write.

        Args:
            df: The DataFrame.
            name: As for `saveAsTable`.
            format: As for `saveAsTable`.
            mode: As for `saveAsTable`.
            partitionBy: As for `saveAsTable`.
            dataset: Namespace and name of the output; found in the catalog by default.
            options: As for `saveAsTable`.
        """
        self._write(
            lambda: df.write.saveAsTable(name, format, mode, partitionBy, **options),
            df,
            lambda targets: targets.save_as_table(df, name, format, mode, partitionBy, options),
            dataset,
        )

    def insert_into(
        self, df: DataFrame, name: str, overwrite: bool | None = None, *, dataset: Identity | None = None
    ) -> None:
        """Write a DataFrame with `df.write.insertInto`, and capture the lineage of the write.

        Args:
            df: The DataFrame.
            name: As for `insertInto`.
            overwrite: As for `insertInto`.
            dataset: Namespace and name of the output; found in the catalog by default.
        """
        self._write(
            lambda: df.write.insertInto(name, overwrite),
            df,
            lambda targets: targets.insert_into(df, name, overwrite),
            dataset,
        )

    def write_jdbc(
        self,
        df: DataFrame,
        url: str,
        table: str,
        mode: str | None = None,
        properties: dict[str, str] | None = None,
        *,
        dataset: Identity | None = None,
    ) -> None:
        """Write a DataFrame with `df.write.jdbc`, and capture the lineage of the write.

        Args:
            df: The DataFrame.
            url: As for `jdbc`.
            table: As for `jdbc`.
            mode: As for `jdbc`.
            properties: As for `jdbc`; never reported.
            dataset: Namespace and name of the output; found from the URL by default.
        """
        self._write(
            lambda: df.write.jdbc(url, table, mode, properties),
            df,
            lambda targets: targets.jdbc(df, url, table, mode, properties or {}),
            dataset,
        )

    def sql(self, query: str, args: Any = None, **kwargs: Any) -> DataFrame:
        """Run a SQL statement and capture its inputs and outputs. Same signature as `spark.sql`.

        Args:
            query: The statement; appended to the job's sql facet.
            args: As for `spark.sql`.
            kwargs: As for `spark.sql`.
        """

        def run() -> DataFrame:
            return (
                self.spark.sql(query, args, **kwargs) if args is not None else self.spark.sql(query, **kwargs)
            )

        return self._lifecycle.captured(
            "sql", run, lambda capture, action: capture.statements.execute(action, query, kwargs, args)
        )

    def foreach_batch(self, function: Callable[[DataFrame, int], Any]) -> Callable[[DataFrame, int], None]:
        """Return a function for `writeStream.foreachBatch` that also sends RUNNING events.

        Write in it with this run, as in `run.write(batch, ...)`: the writes of all batches add up. Spark
        Connect calls the function in another process, where lineage is not captured.

        Args:
            function: Processes one batch.
        """
        report_batch = self._lifecycle.begin_batches()
        if report_batch is None:
            return function

        @wraps(function)
        def batch(df: DataFrame, batch_id: int) -> None:
            function(df, batch_id)
            report_batch()

        return batch

    def __repr__(self) -> str:
        job = f"{self._settings.namespace}/{self._settings.name}"
        return f"{type(self).__name__}(job={job!r}, run_id={self.run_id!r}, state={self.state.name})"

    def show(self) -> Path:
        """Open the lineage that was captured as a page in a browser, and return the file of the page."""
        from openlineage_facets.base.display.notebook_html import show_graph

        with self._lifecycle.lock:
            return show_graph(self.build._preview())

    def _repr_html_(self) -> str:
        """Return a picture and a table of what was captured, for notebooks."""
        from openlineage_facets.base.display.notebook_html import notebook_table, picture_of

        job = f"{self._settings.namespace}/{self._settings.name}"
        with self._lifecycle.lock:
            table = notebook_table(f"SparkRun {job}", self.build._contents())
            return picture_of(self.build._preview()) + table

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException as error:
            if self.state is RunState.ACTIVE:  # Python does not call __exit__.
                with suppress(Exception):
                    self.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if is_success(error):
            self.complete()
        elif is_cancelled(error):
            self.abort()
        elif isinstance(error, Exception) and self._lifecycle.is_stopped(error):
            self.abort(error)
        else:
            self.fail(error)

    def __call__(self, function: F) -> F:
        """Decorate a function: each call is a run, which a parameter named `run` receives.

        Args:
            function: A function, a coroutine function, or a generator function, whose run ends with its last
                item.

        Raises:
            TypeError: It is an asynchronous generator function.
            ValueError: The run has a run id that was passed, which only one call could have.
        """
        if self._has_own_id:
            raise ValueError(
                f"run_id: expected none for a decorated function, each call of which is a run, found "
                f"{self.run_id!r}; use the run in a `with` statement"
            )
        return run_per_call(function, self._new_run)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for another process, where Spark Connect calls `foreachBatch`; inactive there."""
        return _in_other_process, (type(self), self._settings.namespace, self._settings.name, self.run_id)

    def _write(
        self, action: Callable[[], None], df: DataFrame, find_target: FindTarget, dataset: Identity | None
    ) -> None:
        self._lifecycle.captured(
            "write", action, lambda capture, write: capture.writes.write(write, df, find_target, dataset)
        )


def _in_other_process(kind: type[SparkRun], namespace: str, name: str, run_id: str) -> SparkRun:
    run = kind(None, namespace, name, run_id=run_id)
    run._lifecycle.move_to_other_process()
    return run
