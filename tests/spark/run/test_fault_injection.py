"""An error anywhere in the lineage code does not change the job, and is logged once per step."""

from __future__ import annotations

import gc
import re
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets import spark as package
from openlineage_facets.emitters.errors import OnError
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.automatic.automatic_capture import ActiveRun
from openlineage_facets.spark.capture import guard
from openlineage_facets.spark.capture.guard import Guard, Step
from openlineage_facets.spark.run.run_events import EventSender
from tests.cases import each
from tests.spark.etl_job import EtlJob, Events, files_below, mostly_thorough

pytestmark = pytest.mark.check

WEEK = [0, 1, 2, 3, 4, 5, 6]

PACKAGE = str(Path(package.__file__).parent)


class Fault(Exception):
    """An injected error."""


class Faults:
    """Raise an error in the first call of each function of the lineage code that the job reaches.

    These are all functions in guarded steps, and all functions that Spark's own methods reach. The other ones
    start and end the run.

    Args:
        share: Inject errors into one of so many functions.
    """

    def __init__(self, share: int = 1) -> None:
        self.raised: set[CodeType] = set()
        self.handled: set[str] = set()
        """The names of the steps that an error has ended, except for those of the thread of queries."""
        self._share = share
        self._thread = threading.local()

    @contextmanager
    def injected(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Raise errors in the current thread."""
        enter, leave = Step.__enter__, Step.__exit__

        def entered(step: Step) -> None:
            sys.setprofile(None)
            enter(step)
            self._thread.depth = self._depth() + 1
            sys.setprofile(self._call)

        def left(
            step: Step, kind: type[BaseException] | None, error: BaseException | None, trace: object
        ) -> bool:
            sys.setprofile(None)
            self._thread.depth = self._depth() - 1
            if isinstance(error, Fault) and threading.current_thread() is threading.main_thread():
                self.handled.add(step._name)
            try:
                return leave(step, kind, error, trace)  # type: ignore[arg-type]
            finally:
                sys.setprofile(self._call)  # Python removes a function that has raised an error.

        with monkeypatch.context() as patch:
            patch.setattr(Step, "__enter__", entered)
            patch.setattr(Step, "__exit__", left)
            sys.setprofile(self._call)
            try:
                yield
            finally:
                sys.setprofile(None)

    def _depth(self) -> int:
        """Return how many steps the current thread executes."""
        return getattr(self._thread, "depth", 0)

    def _call(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code not in self.raised and self._is_step(frame):
            self.raised.add(code)
            raise Fault(_name(code))

    def _is_step(self, frame: FrameType) -> bool:
        code = frame.f_code
        if (
            not _is_ours(code)
            or code.co_filename == guard.__file__
            or (code.co_name[0] == "<" and code.co_name != "<lambda>")
        ):
            return False
        if zlib.crc32(_name(code).encode()) % self._share:
            return False
        callers = list(_callers(frame))
        if not callers:  # The method itself that the job calls.
            return False
        # The guard may call others, but only executes those in `Guard.call`.
        is_guarded = callers[0].co_filename != guard.__file__ or callers[0] is Guard.call.__code__
        return is_guarded and (self._depth() > 0 or callers[-1].co_name == "wrapper")


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(PACKAGE)


def _name(code: CodeType) -> str:
    return f"{Path(code.co_filename).relative_to(PACKAGE)} {code.co_name}"


def _callers(frame: FrameType) -> Iterator[CodeType]:
    """Yield the functions of the lineage code that lead to a call, from the inside to the call of the job."""
    caller = frame.f_back
    while caller is not None:
        code = caller.f_code
        if code.co_filename == guard.__file__ and code.co_name in ("__call__", "outcome"):
            return  # The guard executes the call of the job.
        if _is_ours(code):
            yield code
        caller = caller.f_back


@pytest.fixture(scope="module")
def week(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    path = str(tmp_path_factory.mktemp("faults") / "week")
    spark.range(0, len(WEEK), 1, 1).withColumnRenamed("id", "day").write.parquet(path)
    return spark.read.parquet(path)


def job(run: SparkRun, week: DataFrame, target: str) -> list[int]:
    """Read, write and run a statement; return the result of the job."""
    run.write(run.read(week, quality=["day"]), target)
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}-days' USING csv SELECT day FROM parquet.`{target}`")
    return [int(day) for file in files_below(f"{target}-days") for day in file.read_text().split()]


def everything(spark: SparkSession, run: SparkRun, week: DataFrame, target: str) -> dict[str, object]:
    """Do what jobs do with Spark's own methods; return the results."""
    results: dict[str, object] = {}
    spark.sql("DROP TABLE IF EXISTS counted")
    run.read(week, quality=["day"]).write.mode("overwrite").parquet(f"{target}/days")
    results["files"] = [row.day for row in spark.read.parquet(f"{target}/days").collect()]
    joined = week.join(week.groupBy("day").agg(f.count("*").alias("number")), "day").filter("day > 1")
    joined.write.mode("overwrite").partitionBy("day").format("csv").save(f"{target}/joined")
    joined.write.saveAsTable("counted")
    joined.write.insertInto("counted")
    spark.sql("INSERT INTO counted SELECT number, day FROM counted")
    results["table"] = spark.table("counted").count()
    spark.sql(f"INSERT OVERWRITE DIRECTORY '{target}/sql' USING csv SELECT day FROM parquet.`{target}/days`")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW weekend AS SELECT day FROM counted WHERE day > 4")
    results["statement"] = sorted(row.day for row in spark.sql("SELECT DISTINCT day FROM weekend").collect())
    cached = week.filter("day < 3").cache()
    results["cached"] = [cached.count(), [row.day for row in cached.toLocalIterator()]]
    cached.unpersist()
    results["rdd"] = week.rdd.map(lambda row: row.day).collect()
    week.rdd.saveAsTextFile(f"{target}/rdd")
    with pytest.raises(AnalysisException):
        spark.sql("INSERT INTO counted SELECT * FROM missing")
    with pytest.raises(AnalysisException):
        week.write.parquet(f"{target}/days")
    stream = spark.readStream.schema(week.schema).parquet(f"{target}/days").writeStream
    stream.option("checkpointLocation", f"{target}/check").trigger(availableNow=True).start(
        f"{target}/stream", format="parquet"
    ).awaitTermination(60)
    results["stream"] = sorted(row.day for row in spark.read.parquet(f"{target}/stream").collect())
    return results


@pytest.fixture(autouse=True)
def _nothing_is_left(spark: SparkSession) -> Iterator[None]:
    """Remove job tags, and end runs, that could not be removed and ended because of an injected error."""
    yield
    spark.sparkContext.clearJobTags()
    for one in gc.get_objects():
        if isinstance(one, ActiveRun):
            one.deactivate()


@pytest.mark.usefixtures("without_code_generation")
@pytest.mark.parametrize(
    ("share", "runs"), [(6, 1), pytest.param(1, 100, marks=pytest.mark.thorough)], ids=["sample", "all"]
)
def test_an_error_in_any_function_does_not_change_the_job(
    etl: EtlJob, week: DataFrame, monkeypatch: pytest.MonkeyPatch, share: int, runs: int
) -> None:
    with SparkRun(etl.spark, "etl", "faultless", emit=lambda event: None) as run:
        expected = everything(etl.spark, run, week, str(etl.tmp_path / "expected"))
    faults = Faults(share)
    before = -1
    for number in range(runs):
        events = Events()
        etl.caplog.clear()
        faults.handled.clear()
        with ExitStack() as scope:
            run = SparkRun(etl.spark, "etl", f"faulty{number}", emit=events)
            # An error at the start may end the capture of everything else: so only every other run has one.
            for part in (run, faults.injected(monkeypatch))[:: -1 if number % 2 else 1]:
                scope.enter_context(part)
            assert everything(etl.spark, run, week, str(etl.tmp_path / str(number))) == expected
        assert (events.types[0], events.types[-1]) == ("START", "COMPLETE")
        logged = re.findall(rf"faulty{number}: could not ([^:]+): Fault: ", etl.caplog.text)
        assert faults.handled <= set(logged)
        assert len(logged) == len(set(logged))
        if number % 2:
            if len(faults.raised) == before:
                break
            before = len(faults.raised)
    assert len(faults.raised) > 150 / share
    with SparkRun(etl.spark, "etl", "faultless", emit=lambda event: None):
        """Restore what could not be restored because of an error."""


@pytest.mark.parametrize("method", mostly_thorough(["start", "running", "complete"], "running"))
def test_an_error_in_composing_an_event_does_not_change_the_job(
    etl: EtlJob, week: DataFrame, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = etl.run("faulty", on_error="log")

    def fault(*_: object) -> None:
        raise Fault(method)

    monkeypatch.setattr(run.build, method, fault)
    with run:
        assert job(run, week, etl.target) == WEEK


class Mute(Fault):
    def __str__(self) -> str:
        raise ConnectionError("the JVM is gone")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (Fault("receiver is down"), "Fault: receiver is down"),
        (Mute(), "Mute: its message is not available"),
    ],
)
def test_an_error_of_the_emitter_does_not_change_the_job(
    etl: EtlJob, week: DataFrame, error: Fault, message: str
) -> None:
    def emit(event: object) -> None:
        raise error

    with SparkRun(etl.spark, "etl", "unheard", emit=emit) as run:
        assert job(run, week, etl.target) == WEEK
    assert [line for line in etl.messages if "could not emit" in line] == [
        f"lineage of etl/unheard: could not emit an event: {message}"
    ]
    assert len(etl.messages) == len(set(etl.messages))


@each("error, on_error", [(Fault("receiver is down"), "raise"), (KeyboardInterrupt(), "log")], ids=repr)
def test_an_error_is_raised_on_request_and_an_interrupt_always(
    spark: SparkSession, error: BaseException, on_error: OnError
) -> None:
    def emit(event: object) -> None:
        raise error

    with (
        pytest.raises(type(error)),
        SparkRun(spark, "etl", "strict", emit=emit, on_error=on_error),
    ):
        pass


def test_events_that_cannot_be_renamed_and_repaired_are_emitted_as_they_are(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(sender: object, event: object) -> None:
        raise Fault("a rule")

    monkeypatch.setattr(EventSender, "_renamed", fault)
    monkeypatch.setattr(EventSender, "_repaired", fault)
    with etl.run("changed", on_error="log"):
        pass
    assert etl.events.types == ["START", "COMPLETE"]
    for step in ("rename datasets", "repair an event for its backends"):
        assert f"lineage of etl/changed: could not {step}: Fault: a rule" in etl.messages
