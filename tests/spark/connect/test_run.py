"""SparkRun on Spark Connect: the job is unchanged, and events contain what the client knows."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from openlineage_facets import parse_event
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture import captured_session, quality_observations
from openlineage_facets.spark.capture.quality_observations import QualityObservation, QualityObservations
from openlineage_facets.spark.datasets import client_sources, targets
from openlineage_facets.spark.run.start_facets import StartFacets
from openlineage_facets.validation import validate
from tests.conftest import ROOT
from tests.spark.connect.conftest import ORDERS, session_at
from tests.spark.etl_job import EtlJob, Events, mostly_thorough

pytestmark = pytest.mark.check


@pytest.fixture(autouse=True)
def _events_are_valid(events: Events) -> Iterator[None]:
    yield
    for event in events:
        assert validate(event.to_json()) == []
        assert parse_event(event.to_json()) == event


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name.startswith("openlineage_facets")]


def test_job_reports_what_the_client_knows_and_logs_one_line(etl: EtlJob) -> None:
    for _ in range(2):
        etl.caplog.clear()
        etl.events.clear()
        with etl.run("orders.daily", on_error="log") as run:
            orders = run.read(etl.spark.read.parquet(etl.orders_path))
            daily = orders.groupBy("day").agg(f.sum("amount").alias("amount"))
            run.write(daily, etl.target, format="parquet", mode="overwrite", partitionBy=["day"])
            orders.createOrReplaceTempView("seen")
            run.write(etl.spark.table("seen"), f"{etl.target}-seen", mode="overwrite")
            run.sql("SELECT * FROM seen").count()
            run.sql(
                "CREATE OR REPLACE TEMPORARY VIEW twice AS SELECT * FROM seen UNION ALL SELECT * FROM seen"
            )
        [line] = lines(etl.caplog)
        assert "lineage of etl/orders.daily: Spark Connect has no access to the JVM" in line
        assert "dataset=(namespace, name)" in line
    assert {row.day: row.amount for row in etl.spark.read.parquet(etl.target).collect()} == {
        row.day: row.amount for row in daily.collect()
    }
    assert etl.events.types == ["START", "RUNNING", "COMPLETE"]
    assert etl.events.inputs == [etl.orders_path]
    assert etl.events.outputs == [etl.target, f"{etl.target}-seen"]
    assert etl.events.facets["run"]["processing_engine"].version == etl.spark.version
    assert etl.events.facets["job"]["jobType"].processing_type == "BATCH"
    assert etl.events.facets["job"]["sql"].query.startswith("SELECT * FROM seen;\nCREATE")
    read, written = etl.events.input(etl.orders_path), etl.events.output(etl.target)
    assert [(it.name, it.type) for it in read["schema"].fields] == [
        ("order", "long"),
        ("day", "integer"),
        ("amount", "double"),
    ]
    assert [it.name for it in written["schema"].fields] == ["day", "amount"]
    assert written["storage"].file_format == "parquet"
    assert set(written) == {"schema", "dataSource", "storage"}


def test_failed_action_fails_the_run_and_raises_the_same_error(etl: EtlJob) -> None:
    def job(run: SparkRun | None) -> None:
        missing = etl.spark.read.parquet(f"{etl.target}-missing")
        _ = run.write(missing, etl.target) if run else missing.write.save(etl.target)

    with pytest.raises(AnalysisException) as plain:
        job(None)
    with pytest.raises(AnalysisException) as captured, etl.run("failing", on_error="log") as run:
        job(run)
    assert type(captured.value) is type(plain.value)
    assert captured.value.getCondition() == plain.value.getCondition() == "PATH_NOT_FOUND"
    assert etl.events.types[-1] == "FAIL"
    error = etl.events.facets["run"]["errorMessage"]
    assert error.message.startswith("[PATH_NOT_FOUND] ")
    assert "stacktrace" not in error.message
    assert "Traceback" in error.stack_trace
    assert not Path(etl.target).exists()


def test_stopped_session_aborts_the_run(remote: str, events: Events) -> None:
    spark = session_at(remote)

    def job() -> None:
        with SparkRun(spark, "etl", "stopped", emit=events):
            spark.stop()
            spark.range(3).collect()

    with pytest.raises(PySparkException, match="session"):
        job()
    assert events.types == ["START", "ABORT"]


@pytest.mark.thorough
def test_session_closed_by_another_client_aborts_the_run(remote: str, events: Events) -> None:
    shared = f"{remote}/;session_id={uuid4()}"
    spark, other = session_at(shared), session_at(shared)

    def job() -> None:
        with SparkRun(spark, "etl", "closed", emit=events):
            assert other.range(3).count() == 3
            other.stop()
            spark.range(3).collect()

    with pytest.raises(PySparkException, match="SESSION_CLOSED"):
        job()
    spark.stop()
    assert events.types == ["START", "ABORT"]


@pytest.mark.thorough
def test_unavailable_server_aborts_the_run(etl: EtlJob) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
    spark = session_at(f"sc://127.0.0.1:{port}")
    spark.client.set_retry_policies([])  # Such as it is, it would ask for minutes.

    def job() -> None:
        with SparkRun(spark, "etl", "orphan", emit=etl.events) as run:
            run.write(spark.range(3), etl.target)

    with pytest.raises(PySparkException, match="UNAVAILABLE|refused"):
        job()
    spark.stop()
    assert etl.events.types == ["START", "ABORT"]
    assert len(lines(etl.caplog)) == len(set(lines(etl.caplog)))


def test_quality_metrics_equal_a_separate_query(etl: EtlJob) -> None:
    with etl.run("measured") as run:
        run.write(run.read(etl.orders, quality=True).groupBy("day").count(), etl.target)
    captured = etl.events.input(etl.orders_path)["dataQualityMetrics"]
    assert captured.row_count == ORDERS
    for column in etl.orders.columns:
        [(values, least, most, total)] = etl.orders.agg(
            f.count(column), f.min(column), f.max(column), f.sum(column)
        ).collect()
        metrics = captured.column_metrics[column]
        assert (metrics.count, metrics.null_count) == (values, ORDERS - values)
        assert (metrics.min, metrics.max, metrics.sum) == (least, most, total)
        median = etl.orders.approxQuantile(column, [0.5], 0)[0]
        assert metrics.quantiles["0.5"] == pytest.approx(median, rel=0.01)
    assert etl.spark.read.parquet(etl.target).count() == 7


@pytest.mark.thorough
@pytest.mark.parametrize("first", mostly_thorough(["show", "limit", "nothing"], "show"))
def test_quality_metrics_of_some_rows_are_not_reported(etl: EtlJob, first: str) -> None:
    with etl.run("partly", on_error="log") as run:
        measured = run.read(etl.orders, quality=["day"])
        if first == "show":
            measured.show(1)
            run.write(measured, etl.target)
        if first == "limit":
            run.write(measured.limit(1), etl.target)
    assert "dataQualityMetrics" not in etl.events.input(etl.orders_path)
    assert ("stopped before the last row" in etl.caplog.text) is (first != "nothing")


@pytest.mark.thorough
def test_foreach_batch_writes_without_capturing_lineage(etl: EtlJob, target: str) -> None:
    """The function is pickled with what it refers to."""
    arriving = str(etl.tmp_path / "arriving")
    etl.spark.range(30).write.json(arriving)
    with etl.run("stream", on_error="log") as run:

        def keep(batch: DataFrame, number: int) -> None:
            run.write(batch, target, mode="append")

        stream = run.read(etl.spark.readStream.schema("id long").json(arriving))
        query = (
            stream.writeStream.foreachBatch(run.foreach_batch(keep))
            .option("checkpointLocation", str(etl.tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        assert query.awaitTermination(60)
        run.build.output("file", etl.target)
    assert query.exception() is None
    assert etl.spark.read.parquet(etl.target).count() == 30
    assert (etl.events.inputs, etl.events.outputs) == ([arriving], [etl.target])
    assert etl.events.facets["job"]["jobType"].processing_type == "STREAMING"
    assert len(lines(etl.caplog)) == 1


SCRIPT = """
import sys
from pyspark.sql import SparkSession
from openlineage_facets.emitters import FileEmitter
from openlineage_facets.spark import SparkRun

address, folder = sys.argv[1:]

@SparkRun.of("etl", "script", emit=FileEmitter(folder + "/lineage.ndjson"))
def job(run):
    orders = run.read(run.spark.range(10).withColumnRenamed("id", "order"), dataset=("lake", "orders"))
    run.write(orders, folder + "/out", mode="overwrite")

spark = SparkSession.builder.remote(address).getOrCreate()
job()
assert spark.read.parquet(folder + "/out").count() == 10
left_open = SparkRun(None, "etl", "open", emit=FileEmitter(folder + "/lineage.ndjson")).start()
"""


@pytest.mark.thorough
def test_user_script(remote: str, tmp_path: Path, events: Events) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error::ResourceWarning:openlineage_facets",
            "-c",
            SCRIPT,
            remote,
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    events += map(parse_event, (tmp_path / "lineage.ndjson").read_text().splitlines())
    assert events.types == ["START", "RUNNING", "COMPLETE", "START", "ABORT"]
    complete = events[2]
    assert [(it.namespace, it.name) for it in complete.inputs] == [("lake", "orders")]
    assert [it.name for it in complete.outputs] == [f"{tmp_path}/out"]
    assert [it.name for it in events.input("orders")["schema"].fields] == ["order"]
    assert done.stderr.count("Spark Connect has no access to the JVM") == 2


@pytest.mark.parametrize(
    ("owner", "step"),
    [
        (captured_session, "client_sources"),
        (targets, "server_table"),
        *(
            pytest.param(owner, step, marks=pytest.mark.thorough)
            for owner, step in (
                (client_sources, "_datasets"),
                (quality_observations, "may_stop_early"),
                (targets, "server_path"),
                (QualityObservation, "is_complete"),
                (QualityObservations, "unmeasured"),
                (QualityObservations, "note_write"),
                (StartFacets, "add_to"),
            )
        ),
    ],
)
def test_error_in_any_step_does_not_break_the_job(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch, owner: object, step: str
) -> None:
    def fault(*_: object) -> None:
        raise OSError("thrown in")

    monkeypatch.setattr(owner, step, fault)
    with etl.run("faulty", on_error="log") as run:
        run.write(run.read(etl.orders, dataset=("lake", "orders"), quality=["day"]), etl.target)
        run.save_as_table(
            etl.spark.read.parquet(etl.target).groupBy("day").count(), "faulty", mode="overwrite"
        )
    assert etl.spark.read.parquet(etl.target).count() == ORDERS
    assert etl.spark.table("faulty").count() == 7
    assert (etl.events.types[0], etl.events.types[-1]) == ("START", "COMPLETE")
    assert "thrown in" in etl.caplog.text
    assert len(lines(etl.caplog)) == len(set(lines(etl.caplog)))
    etl.spark.sql("DROP TABLE faulty")
