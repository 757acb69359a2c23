"""A launched job is a run: it starts with the session that the job creates, and ends with the job."""

from __future__ import annotations

import signal
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.spark.launch.processes import events, launch, run, types

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("spark")]  # The session sets JAVA_HOME.

PARENT = "airflow://prod/shop.load/019d3719-f020-7c3e-9f10-2b7d4e8a6c31"
SESSION = """
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.master("local[1]").appName("DailyOrders").getOrCreate()
"""


def write_job(folder: Path, *parts: str) -> None:
    (folder / "job.py").write_text("\n".join(map(textwrap.dedent, parts)))


def test_a_run_ends_with_the_job_also_if_the_job_stops_spark(tmp_path: Path) -> None:
    """Settings of the listener identify job and parent, even if the environment has others."""
    run_id = PARENT.rpartition("/")[2]
    settings = {
        "appName": "Nightly Orders",
        "parentJobNamespace": "airflow://prod",
        "parentJobName": "shop.load",
        "parentRunId": run_id,
        "rootParentJobNamespace": "airflow://prod",
        "rootParentJobName": "shop",
        "rootParentRunId": run_id,
    }
    configured = "".join(f'.config("spark.openlineage.{name}", "{one}")' for name, one in settings.items())
    body = """
        import os, sys
        print(spark.range(5).count(), spark.conf.get("spark.sql.shuffle.partitions"), *sys.argv[1:])
        spark.stop()
        print("stopped")
    """
    write_job(tmp_path, SESSION.replace(".getOrCreate()", f"{configured}.getOrCreate()"), body)
    options = ["--conf", "spark.sql.shuffle.partitions=3", "--conf", "spark.openlineage.namespace=etl"]
    environment = {"OPENLINEAGE_NAMESPACE": "other", "OPENLINEAGE_PARENT_ID": f"a/b/{run_id}"}
    found = launch(tmp_path, "--emit", "copy.ndjson", *options, "job.py", "--day", "1", **environment)
    assert (found.code, found.out) == (0, "5 3 --day 1\nstopped\n")
    assert (tmp_path / "copy.ndjson").read_bytes() == (tmp_path / "lineage.ndjson").read_bytes()
    assert types(tmp_path) == ["START", "COMPLETE"]
    assert {(event.job.namespace, event.job.name) for event in events(tmp_path)} == {
        ("etl", "nightly_orders")
    }
    parent = events(tmp_path)[0].run.facets.parent
    assert (parent.job.namespace, parent.job.name, parent.root.job.name) == (
        "airflow://prod",
        "shop.load",
        "shop",
    )


@pytest.mark.thorough
def test_each_write_has_its_own_run_on_request(tmp_path: Path) -> None:
    body = """
        for name in ("x", "y"):
            spark.range(3).write.parquet(name)
            spark.read.parquet(name).write.parquet(name + "_copy")
    """
    write_job(tmp_path, SESSION, body)
    assert launch(tmp_path, "--runs", "per_write", "--namespace", "etl", "job.py").code == 0
    flows = {
        (one.name.rsplit("/", 1)[-1], event.outputs[0].name.rsplit("/", 1)[-1])
        for event in events(tmp_path)
        if event.outputs
        for one in event.inputs or ()
    }
    assert flows == {("x", "x_copy"), ("y", "y_copy")}


@pytest.mark.thorough
def test_a_failure_after_spark_was_stopped_by_the_job_is_a_failure(tmp_path: Path) -> None:
    body = """
        def load():
            spark.read.parquet("nowhere").show()
        try:
            load()
        finally:
            spark.stop()
    """
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "job.py", OPENLINEAGE_NAMESPACE="etl", OPENLINEAGE_PARENT_ID=PARENT)
    assert (found.code, found.out) == (1, "")
    assert found.err.count("Traceback") == 1
    assert "openlineage_facets" not in found.err
    assert types(tmp_path) == ["START", "FAIL"]
    fail = events(tmp_path)[-1]
    assert "PATH_NOT_FOUND" in fail.run.facets.error_message.message
    assert "launch" not in fail.run.facets.error_message.stack_trace
    assert (fail.job.namespace, fail.job.name) == ("etl", "daily_orders")
    assert fail.run.facets.parent.job.name == "shop.load"


@pytest.mark.thorough
def test_the_jobs_own_runs_have_the_launched_run_as_parent(tmp_path: Path) -> None:
    body = """
        import os, subprocess, sys
        from concurrent.futures import ThreadPoolExecutor
        from openlineage_facets.spark import SparkRun
        def step(name):
            with SparkRun(spark, "etl", name, emit="lineage.ndjson"):
                pass
        step("within")
        with ThreadPoolExecutor() as pool:
            pool.submit(step, "thread").result()
        command = "import os; print(os.environ['OPENLINEAGE_PARENT_ID'].rpartition('/')[0])"
        subprocess.run([sys.executable, "-c", command], check=True)
    """
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "--namespace", "shop", "--name", "nightly", "job.py")
    assert found.out == "shop/nightly\n"
    first, *inner, last = events(tmp_path)
    assert (first.job.name, last.job.name) == ("nightly", "nightly")
    assert first.run.facets.parent is None
    for event in inner:
        parent = event.run.facets.parent
        assert (parent.job.namespace, parent.job.name) == ("shop", "nightly")
        assert parent.run.run_id == parent.root.run.run_id == first.run.run_id
    assert [event.job.name for event in inner] == ["within", "within", "thread", "thread"]


@pytest.mark.thorough
def test_a_job_with_two_sessions_is_a_run_per_session(tmp_path: Path) -> None:
    body = """
        first = spark
        spark.newSession().range(1).count()
        spark.stop()
        spark = SparkSession.builder.master("local[1]").appName("Weekly").getOrCreate()
        assert spark.sparkContext is not first.sparkContext
        import sys
        sys.exit("no orders today")
    """
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "job.py", OPENLINEAGE_PARENT_ID=PARENT)
    assert (found.code, found.err.splitlines()[-1]) == (1, "no orders today")
    assert [(str(event.event_type), event.job.name) for event in events(tmp_path)] == [
        ("START", "daily_orders"),
        ("COMPLETE", "daily_orders"),
        ("START", "weekly"),
        ("FAIL", "weekly"),
    ]
    assert {event.run.facets.parent.job.name for event in events(tmp_path)} == {"shop.load"}


def test_a_job_may_be_started_by_spark_submit(tmp_path: Path) -> None:
    write_job(
        tmp_path, SESSION.replace('.appName("DailyOrders")', ""), "import sys; print(sys.argv, __file__)"
    )
    submit = Path(sys.executable).with_name("spark-submit")
    launcher = ROOT / "openlineage_facets" / "spark" / "__main__.py"
    command = [submit, "--conf", "spark.openlineage.namespace=etl", launcher, "--emit", "lineage.ndjson"]
    found = run([*command, "job.py", "--day", "1"], tmp_path)
    assert (found.code, found.out) == (0, f"['job.py', '--day', '1'] {tmp_path / 'job.py'}\n")
    assert types(tmp_path) == ["START", "COMPLETE"]
    assert {(event.job.namespace, event.job.name) for event in events(tmp_path)} == {("etl", "job.py")}


@pytest.mark.thorough
def test_cluster_mode_copies_the_launcher_and_configures_everything_in_spark(tmp_path: Path) -> None:
    """In cluster mode, launcher and job are files in the folder of the driver's container."""
    write_job(tmp_path, SESSION, "import sys; print(sys.argv)")
    copied = tmp_path / "__main__.py"
    copied.write_text((ROOT / "openlineage_facets" / "spark" / "__main__.py").read_text())
    settings = ("namespace=etl", "transport.type=file", "transport.location=lineage.ndjson")
    submit = Path(sys.executable).with_name("spark-submit")
    options = [word for one in settings for word in ("--conf", f"spark.openlineage.{one}")]
    found = run([submit, *options, copied.name, "--name", "orders", "job.py", "--day", "1"], tmp_path)
    assert (found.code, found.out) == (0, "['job.py', '--day', '1']\n")
    assert types(tmp_path) == ["START", "COMPLETE"]
    assert {(event.job.namespace, event.job.name) for event in events(tmp_path)} == {("etl", "orders")}


@pytest.mark.thorough
def test_a_wrong_python_of_the_workers_is_explained(tmp_path: Path) -> None:
    body = """
        from pyspark.sql.functions import udf
        spark.range(3).select(udf(lambda x: x + 1, "long")("id")).collect()
    """
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "job.py", PYSPARK_PYTHON="no-such-python")
    assert found.code == 1
    assert (
        "lineage of default/daily_orders: Spark's workers cannot run no-such-python; set PYSPARK_PYTHON"
        in found.err
    )
    assert types(tmp_path)[-1] == "FAIL"


@pytest.mark.thorough
def test_ctrl_c_aborts_the_run(tmp_path: Path) -> None:
    write_job(tmp_path, SESSION, "import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    found = launch(tmp_path, "job.py")
    assert (found.code, found.err.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")
    assert types(tmp_path) == ["START", "ABORT"]


@pytest.mark.thorough
def test_ctrl_c_in_a_query_aborts_the_run(tmp_path: Path) -> None:
    """PySpark answers with an error of Py4J instead of KeyboardInterrupt."""
    body = """
        import os, signal, threading, time
        from openlineage_facets.spark import SparkRun
        def interrupt():
            while not spark.sparkContext.statusTracker().getActiveStageIds():
                time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        with SparkRun(spark, "etl", "inner", emit="lineage.ndjson"):
            spark.range(10**14).selectExpr("max(hash(id))").toPandas()
    """
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "job.py")
    assert found.code not in (None, 0)
    assert types(tmp_path) == ["START", "START", "ABORT", "ABORT"]


@pytest.mark.parametrize(
    "work",
    [
        'spark.range(10**14).selectExpr("max(hash(id))").collect()',
        pytest.param("lock.acquire()", marks=pytest.mark.thorough),
    ],
)
def test_sigterm_aborts_the_run(work: str, tmp_path: Path) -> None:
    body = """
        import os, signal, threading
        lock = threading.Lock()
        lock.acquire()

        def terminate():  # As `timeout` does: the process, and then its group.
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)

        threading.Timer(2, terminate).start()
    """
    write_job(tmp_path, SESSION, body, work)
    found = launch(tmp_path, "job.py")
    assert (found.code, found.out) == (-15, "")
    assert "Traceback" not in found.err
    assert types(tmp_path) == ["START", "ABORT"]
    assert events(tmp_path)[-1].run.facets.error_message.message == "terminated by SIGTERM"


ENDINGS = {
    "a forked process is terminated": (
        """
        import os, signal, time
        child = os.fork()
        if child == 0:
            time.sleep(60)
        os.kill(child, signal.SIGTERM)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
        "-15\n",
    ),
    "the job handles SIGTERM itself": (
        """
        import os, signal, sys
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        os.kill(os.getpid(), signal.SIGTERM)
        """,
        "",
    ),
    "a thread outlives the main thread": (
        """
        import threading, time
        def later():
            time.sleep(1)
            with open("lineage.ndjson") as file:
                print(len(file.readlines()), "event")
        threading.Thread(target=later).start()
        """,
        "1 event\n",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("case", ENDINGS)
def test_the_run_ends_with_the_job_itself(case: str, tmp_path: Path) -> None:
    body, printed = ENDINGS[case]
    write_job(tmp_path, SESSION, body)
    found = launch(tmp_path, "job.py")
    assert (found.code, found.out) == (0, printed)
    assert types(tmp_path) == ["START", "COMPLETE"]


@pytest.mark.parametrize(
    "thread", ["", pytest.param("threading.Timer(1, print).start()", marks=pytest.mark.thorough)]
)
def test_a_write_at_exit_follows_the_last_event_and_is_logged_once(thread: str, tmp_path: Path) -> None:
    body = """
        import atexit, threading
        @atexit.register
        def summarize():
            for name in ("summary", "totals"):
                spark.range(3).write.parquet(name)
            spark.stop()
            SparkSession.builder.master("local[1]").getOrCreate().stop()
    """
    write_job(tmp_path, SESSION, body, thread)
    found = launch(tmp_path, "job.py")
    assert found.code == 0
    assert (tmp_path / "totals" / "_SUCCESS").exists()
    assert types(tmp_path) == ["START", "COMPLETE"]
    (message,) = [line for line in found.err.splitlines() if line.startswith("openlineage-facets")]
    assert message == (
        "openlineage-facets spark-run: the job has called Spark after its last event, as in a function of "
        "atexit: the lineage of this call is not captured; make it before the job ends"
    )


def test_a_failure_before_there_is_a_session_is_reported(tmp_path: Path) -> None:
    write_job(tmp_path, "import no_such_module")
    found = launch(
        tmp_path, "--conf", "spark.openlineage.namespace=etl", "job.py", OPENLINEAGE_PARENT_ID=PARENT
    )
    assert found.code == 1
    assert types(tmp_path) == ["START", "FAIL"]
    fail = events(tmp_path)[-1]
    assert (fail.job.namespace, fail.job.name) == ("etl", "job.py")
    assert fail.run.facets.error_message.message == "No module named 'no_such_module'"
    assert fail.run.facets.parent.job.name == "shop.load"
