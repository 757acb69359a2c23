"""Lifecycle of a run: START on entry; COMPLETE, FAIL or ABORT at the end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from openlineage_facets import EventError, RunEvent, producer
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.run import start_facets
from openlineage_facets.tags import Tag
from openlineage_facets.version import __version__
from tests.cases import each
from tests.spark.etl_job import EtlJob, Events


def test_a_run_starts_on_entry_and_completes_on_exit(spark: SparkSession, events: Events) -> None:
    with SparkRun(spark, "etl", "orders.daily", emit=events) as run:
        assert events.types == ["START"]
    assert events.types == ["START", "COMPLETE"]
    assert {event.run.run_id for event in events} == {run.run_id}


def test_a_run_shows_its_job_state_and_what_was_captured(etl: EtlJob) -> None:
    run = etl.run("orders.<daily>", on_error="log")
    assert repr(run) == f"SparkRun(job='etl/orders.<daily>', run_id='{run.run_id}', state=NOT_STARTED)"
    with run:
        etl.spark.range(3).write.parquet(etl.target)
        assert "state=ACTIVE" in repr(run)
    assert "state=ENDED" in repr(run)
    shown = run._repr_html_()
    assert "<strong>SparkRun etl/orders.&lt;daily&gt;</strong>" in shown
    assert ">COMPLETE</td>" in shown
    assert f"{etl.target} (1 column, 3 rows written): " in shown
    assert "outputStatistics" in shown
    assert "data:image/svg+xml;base64," in shown


def test_an_error_fails_the_run_and_propagates_unchanged(spark: SparkSession, events: Events) -> None:
    broken = RuntimeError("no orders today")
    with pytest.raises(RuntimeError) as raised, SparkRun(spark, "etl", "orders.daily", emit=events):
        raise broken
    assert raised.value is broken
    assert events.types == ["START", "FAIL"]
    message = events.facets["run"]["errorMessage"]
    assert message.message == "no orders today"
    assert "raise broken" in message.stack_trace


@each(
    "error, end",
    [
        (SystemExit(), "COMPLETE"),
        (SystemExit(0), "COMPLETE"),
        (SystemExit(3), "FAIL"),
        (SystemExit("no"), "FAIL"),
        (KeyboardInterrupt(), "ABORT"),
    ],
    ids=repr,
)
def test_what_ends_a_job_determines_the_last_event(
    spark: SparkSession, error: BaseException, end: str
) -> None:
    events = Events()
    with pytest.raises(type(error)), SparkRun(spark, "etl", "orders.daily", emit=events):
        raise error
    assert events.types == ["START", end]


def test_the_run_of_a_decorated_generator_ends_with_its_last_item(etl: EtlJob) -> None:
    @etl.run("orders.daily")
    def job(count: int, run: SparkRun) -> Generator[int, None, None]:
        run.write(etl.spark.range(count), etl.target)
        yield 1
        yield 2

    assert not etl.events.types
    assert [(item, etl.events.types[-1]) for item in job(3)] == [(1, "RUNNING"), (2, "RUNNING")]
    assert etl.events.types == ["START", "RUNNING", "COMPLETE"]
    assert etl.events.outputs == [etl.target]
    left = job(4)
    with pytest.raises(AnalysisException):
        next(left)
    assert etl.events.types[-1] == "FAIL"


def test_closing_a_decorated_generator_aborts_its_run(spark: SparkSession, events: Events) -> None:
    @SparkRun(spark, "etl", "orders.daily", emit=events)
    def job() -> Generator[int, None, None]:
        yield 1

    items = job()
    assert next(items) == 1
    items.close()
    assert events.types == ["START", "ABORT"]


def test_an_asynchronous_generator_is_rejected(spark: SparkSession) -> None:
    async def job() -> AsyncIterator[int]:
        yield 1

    with pytest.raises(TypeError, match="an asynchronous generator function; start the run inside it"):
        SparkRun(spark, "etl", "orders.daily")(job)


def test_a_run_can_be_started_and_ended_step_by_step(spark: SparkSession, events: Events) -> None:
    run = SparkRun(spark, "etl", "orders.daily", emit=events).start()
    run.fail("the numbers are wrong")
    run.complete()
    assert events.types == ["START", "FAIL"]
    assert events.facets["run"]["errorMessage"].message == "the numbers are wrong"


def test_each_call_of_a_decorated_function_is_a_run_which_it_receives(etl: EtlJob) -> None:
    @SparkRun.of("etl", "orders.daily", emit=etl.events)
    def double(number: int, run: SparkRun) -> tuple[int, str]:
        return 2 * number, run.run_id

    found = [double(1), double(2)]
    assert etl.events.types == ["START", "COMPLETE"] * 2
    assert found == [(2, etl.events[0].run.run_id), (4, etl.events[2].run.run_id)]


def test_a_decorated_function_cannot_have_one_run_id_for_all_calls(spark: SparkSession) -> None:
    run_id = "01941f29-7c00-7000-8000-000000000001"
    with pytest.raises(
        ValueError, match=f"^run_id: expected none for a decorated function.*found '{run_id}'"
    ):
        SparkRun(spark, "etl", "orders.daily", run_id=run_id)(print)


def test_the_run_of_a_decorated_coroutine_ends_with_it(spark: SparkSession, events: Events) -> None:
    @SparkRun(spark, "etl", "orders.daily", emit=events)
    async def job() -> list[str]:
        await asyncio.sleep(0)
        return events.types

    assert asyncio.run(job()) == ["START"]
    assert events.types == ["START", "COMPLETE"]


def test_a_run_reports_engine_job_type_nominal_time_and_tags(spark: SparkSession, events: Events) -> None:
    with SparkRun(
        spark,
        "etl",
        "orders.daily",
        emit=events,
        nominal_start_time="2026-03-01T00:00:00Z",
        nominal_end_time="2026-03-02T00:00:00Z",
        tags=[Tag("team", "sales")],
        producer="https://example.com/v7/etl",
        on_error="raise",
    ):
        pass
    facets = events.facets
    engine = facets["run"]["processing_engine"]
    assert (engine.name, engine.version) == ("spark", spark.version)
    assert engine.openlineage_adapter_version == __version__
    kind = facets["job"]["jobType"]
    assert (kind.processing_type, kind.integration, kind.job_type) == ("BATCH", "SPARK", "JOB")
    assert facets["run"]["nominalTime"].nominal_end_time.text == "2026-03-02T00:00:00Z"
    assert facets["job"]["tags"].tags[0].value == facets["run"]["tags"].tags[0].value == "sales"
    assert {event.producer for event in events} == {"https://example.com/v7/etl"}
    assert {facet.producer for facet in facets["run"].values()} == {"https://example.com/v7/etl"}


def test_the_current_producer_is_used_for_the_whole_run(spark: SparkSession, events: Events) -> None:
    with producer("https://example.com/etl/v8"):
        run = SparkRun(spark, "etl", "orders.daily", emit=events)
    with run:
        pass
    assert {event.producer for event in events} == {"https://example.com/etl/v8"}
    assert {facet.producer for facet in events.facets["run"].values()} == {"https://example.com/etl/v8"}


def test_the_default_emitter_is_configured_by_the_environment(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with SparkRun(spark, "etl", "orders.daily"):
        pass
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert [str(RunEvent.from_json(line).event_type) for line in lines] == ["START", "COMPLETE"]
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    with SparkRun(spark, "etl", "orders.daily"):
        pass
    assert "eventType" not in capsys.readouterr().err


def test_each_run_emits_to_a_path_and_closes_the_file(spark: SparkSession, tmp_path: Path) -> None:
    @SparkRun(spark, "etl", "orders.daily", emit=tmp_path / "lineage.ndjson")
    def daily() -> None:
        assert len((tmp_path / "lineage.ndjson").read_bytes().splitlines()) % 2 == 1

    daily()
    daily()
    lines = (tmp_path / "lineage.ndjson").read_bytes().splitlines()
    found = [RunEvent.from_json(line) for line in lines]
    assert [str(event.event_type) for event in found] == ["START", "COMPLETE"] * 2
    assert len({event.run.run_id for event in found}) == 2


def test_user_tags_come_from_the_environment(etl: EtlJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TIER", "gold")
    with etl.run("orders.daily", on_error="log"):
        pass
    assert [tag.value for tag in etl.events.facets["run"]["tags"].tags] == ["gold"]


@each(
    "arguments, error, location",
    [
        ({"name": ""}, EventError, "/name"),
        ({"run_id": "17"}, EventError, "/runId"),
        ({"producer": "etl"}, EventError, "/producer"),
        ({"parent": "shop/load"}, ValueError, "parent"),
        ({"root": 17}, ValueError, "root"),
        ({"nominal_start_time": "yesterday"}, EventError, "/nominalStartTime"),
        ({"nominal_end_time": "2026-03-01T00:00:00Z"}, ValueError, "nominal_end_time"),
        ({"tags": [7]}, EventError, "/tags/0"),
        ({"wire_format": "new"}, EventError, "/wire_format"),
        ({"source_code": 17}, ValueError, "source_code"),
        ({"emit": ""}, ValueError, "emit"),
        ({"emit": "localhost:5000"}, ValueError, "emit"),
        ({"emit": 17}, TypeError, "emit"),
        ({"emit": lambda: None}, TypeError, "emit"),
        ({"on_error": "ignore"}, ValueError, "on_error"),
        ({"processing_type": "STREAM"}, ValueError, "processing_type"),
        ({"environment": "STAGE"}, ValueError, "environment"),
        ({"environment": None}, ValueError, "environment"),
        ({"environment": [7]}, ValueError, "environment"),
        ({"running_every": "60"}, ValueError, "running_every"),
        ({"running_every": -1}, ValueError, "running_every"),
    ],
)
def test_invalid_arguments_raise_immediately(
    spark: SparkSession, arguments: dict, error: type[Exception], location: str
) -> None:
    with pytest.raises(error, match=f"^{location}: expected"):
        SparkRun(spark, **{"namespace": "etl", "name": "orders.daily", **arguments})


def test_the_order_of_the_arguments_is_named() -> None:
    for arguments in (("etl", "orders.daily", None), ("etl", "orders.daily")):
        with pytest.raises(TypeError, match=r"found 'etl'; the order is SparkRun\(spark, .* SparkRun\.of\("):
            SparkRun(*arguments)  # type: ignore[call-arg, arg-type]  # pyright: ignore


def test_writes_before_start_and_after_the_end_are_executed_but_not_captured(etl: EtlJob) -> None:
    run = etl.run("orders.daily", on_error="log")
    run.write(etl.spark.range(3), etl.target, mode="append")
    run.start().complete()
    run.write(etl.spark.range(3), etl.target, mode="append")
    assert etl.spark.read.parquet(etl.target).count() == 6
    assert not etl.events[-1].outputs
    assert etl.messages == [
        "lineage of etl/orders.daily: the run was not started; lineage of this call is not captured"
    ]


def test_starting_and_ending_a_run_at_the_wrong_time_is_logged(etl: EtlJob) -> None:
    run = etl.run("orders.daily", on_error="log")
    run.abort()
    run.start().complete()
    run.complete()
    run.start()
    assert etl.events.types == ["START", "COMPLETE"]
    assert etl.messages == [
        "lineage of etl/orders.daily: the run was not started; no ABORT event is sent",
        "lineage of etl/orders.daily: the run has ended; no COMPLETE event is sent",
        "lineage of etl/orders.daily: the run has ended; create a new SparkRun to start another run",
    ]


def test_a_run_that_raises_an_error_before_its_first_event_can_be_started_again(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = etl.run("orders.daily", source_code=True, tags=["pii"])
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["__main__"], "__file__", None, raising=False)
        for _ in range(2):
            with pytest.raises(ValueError, match="^source_code: expected a script"):
                run.start()
    assert (run.state.name, etl.events.types) == ("NOT_STARTED", [])
    monkeypatch.setattr(start_facets, "source_code_facet", lambda path: None)
    run.start().complete()
    assert etl.events.types == ["START", "COMPLETE"]
    assert [(tag.key, tag.value) for tag in etl.events.facets["run"]["tags"].tags] == [("pii", "true")]


def test_a_run_whose_first_event_cannot_be_sent_fails(etl: EtlJob) -> None:
    def emit(event: RunEvent) -> None:
        etl.events.append(event)
        if len(etl.events) == 1:
            raise ConnectionError("no route")

    with pytest.raises(ConnectionError), SparkRun(etl.spark, "etl", "daily", emit=emit, on_error="raise"):
        raise AssertionError("expected that the job does not begin")
    assert etl.events.types == ["START", "FAIL"]


SCRIPT = """
    import sys
    from pyspark.sql import SparkSession
    from openlineage_facets.spark import SparkRun

    def emit(event):
        print(event.event_type.value, flush=True)

    spark = SparkSession.builder.getOrCreate()
    {body}
"""


def output_of(body: str, tmp_path: Path) -> list[str]:
    """Run a script in another process, and return the words that it prints."""
    script = tmp_path / "job.py"
    script.write_text(textwrap.dedent(SCRIPT).format(body=textwrap.dedent(body)))
    path = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
        check=False,
    )
    return done.stdout.split()


@pytest.mark.check
def test_stopping_spark_or_exiting_python_but_not_a_fork_aborts_an_active_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    body = """
import os
SparkRun(spark, "etl", "left open", emit=emit).start()
with SparkRun(spark, "etl", "stopped in the end", emit=emit) as run:
    if os.fork() == 0:
        sys.exit()
    os.wait()
    run.write(spark.range(3), sys.argv[0] + ".out")
    spark.stop()
spark = SparkSession.builder.getOrCreate()
try:
    with SparkRun(spark, "etl", "stopped too soon", emit=emit) as run:
        spark.stop()
        run.write(spark.range(3), sys.argv[0] + ".more")
except Exception:
    pass
"""
    types = output_of(body, tmp_path)
    assert types == ["START", "START", "RUNNING", "COMPLETE", "START", "ABORT", "ABORT"]
