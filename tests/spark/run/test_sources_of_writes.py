"""A run with several writes says which output was written from which inputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets import EventType, RunEvent
from openlineage_facets.facets import LineageJobFacet
from openlineage_facets.spark import SparkRun
from openlineage_facets.state import LineageState
from openlineage_facets.validation import validate
from tests.spark.etl_job import Events, mostly_thorough

pytestmark = pytest.mark.usefixtures("without_code_generation")

Job = Callable[[SparkSession, str], None]
Sources = dict[str, "set[str] | None"]

RUN = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"
NAMES = ("a", "b", "c")


@pytest.fixture(scope="module")
def inputs(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder with the datasets a, b and c."""
    folder = str(tmp_path_factory.mktemp("inputs"))
    for name in NAMES:
        spark.range(3).selectExpr("id", f"id * 2 AS {name}").write.parquet(f"{folder}/{name}")
    return folder


def steps(spark: SparkSession, data: str) -> None:
    joined = spark.read.parquet(f"{data}/a").join(spark.read.parquet(f"{data}/b"), "id")
    joined.write.parquet(f"{data}/out/joined")
    spark.read.parquet(f"{data}/out/joined").write.parquet(f"{data}/out/end")


def statements(spark: SparkSession, data: str) -> None:
    spark.sql(f"CREATE TABLE made USING parquet AS SELECT * FROM parquet.`{data}/a`")
    spark.sql(f"INSERT INTO made SELECT * FROM parquet.`{data}/b`")
    spark.sql("CREATE VIEW seen AS SELECT id FROM made")
    spark.sql("CREATE TABLE first (id BIGINT) USING parquet")
    spark.sql("CREATE TABLE second (id BIGINT) USING parquet")
    spark.sql(
        f"FROM parquet.`{data}/c` INSERT INTO first SELECT id WHERE id = 1 INSERT INTO second SELECT id"
    )
    spark.sql("DROP VIEW seen")


def generated(spark: SparkSession, data: str) -> None:
    spark.read.parquet(f"{data}/a").write.parquet(f"{data}/out/copied")
    spark.range(3).write.parquet(f"{data}/out/generated")
    spark.read.parquet(f"{data}/out/generated").collect()
    spark.range(3).write.saveAsTable("made")
    spark.table("made").write.parquet(f"{data}/out/made_copy")
    spark.sql("SELECT 1 AS id").write.saveAsTable("first")
    spark.sql("CREATE TABLE second USING parquet AS SELECT * FROM VALUES (1), (2) AS v(x)")


def collected(spark: SparkSession, data: str) -> None:
    rows = spark.read.parquet(f"{data}/a").collect()
    spark.read.parquet(f"{data}/b").write.parquet(f"{data}/out/copied")
    spark.createDataFrame(rows).write.parquet(f"{data}/out/from_driver")


def collected_and_joined(spark: SparkSession, data: str) -> None:
    """The rows of `rates` are from b, which is also copied; those of `known` are constants."""
    rates = spark.createDataFrame(spark.read.parquet(f"{data}/b").collect())
    spark.read.parquet(f"{data}/a").join(rates, "id").write.parquet(f"{data}/out/with_rates")
    spark.read.parquet(f"{data}/b").write.parquet(f"{data}/out/copied")
    rates.createOrReplaceTempView("rates")
    spark.sql(f"CREATE TABLE made USING parquet AS SELECT a.id FROM rates JOIN parquet.`{data}/a` AS a")
    nothing = spark.createDataFrame([], "id long, b long")
    nothing.union(spark.read.parquet(f"{data}/b")).write.parquet(f"{data}/out/united")
    spark.sql(
        f"CREATE TABLE first USING parquet AS SELECT * FROM parquet.`{data}/a` JOIN (VALUES (1), (2)) AS v(x)"
    )
    spark.range(2).withColumnRenamed("id", "n").crossJoin(spark.read.parquet(f"{data}/a")).write.parquet(
        f"{data}/out/numbered"
    )
    spark.catalog.dropTempView("rates")
    lines = spark.sparkContext.parallelize(["x"]).union(spark.sparkContext.textFile(f"{data}/c"))
    lines.saveAsTextFile(f"{data}/out/lines")


def constants(spark: SparkSession, data: str) -> None:
    """What an action counts or shows is not collected."""
    rates = spark.createDataFrame([(1, 1.0)], "id long, rate double")
    joined = spark.read.parquet(f"{data}/a").join(rates.localCheckpoint(), "id")
    joined.write.parquet(f"{data}/out/with_rates")
    spark.read.parquet(f"{data}/b").write.parquet(f"{data}/out/copied")
    assert spark.read.parquet(f"{data}/b").count() == 3


def rows_of_rdds(spark: SparkSession, data: str) -> None:
    read = spark.read.parquet(f"{data}/a").rdd.map(lambda row: (row.id,)).toDF(["id"])
    read.join(spark.read.parquet(f"{data}/b"), "id").write.parquet(f"{data}/out/joined")


def staging(spark: SparkSession, data: str) -> None:
    for name, change in (("a", "DROP TABLE first"), ("b", "TRUNCATE TABLE second")):
        table = change.split()[-1]
        spark.read.parquet(f"{data}/{name}").write.saveAsTable(table)
        spark.table(table).write.parquet(f"{data}/out/{name}_copy")
        spark.sql(change)
    spark.read.parquet(f"{data}/c").write.saveAsTable("made_new")
    spark.sql("ALTER TABLE made_new RENAME TO made")


def failures(spark: SparkSession, data: str) -> None:
    spark.read.parquet(f"{data}/a").write.parquet(f"{data}/out/copied")
    broken = spark.read.parquet(f"{data}/b").selectExpr("IF(id > 0, raise_error('no room'), id) AS id")
    with pytest.raises(Exception, match="no room"):
        broken.write.parquet(f"{data}/out/broken")
    with pytest.raises(Exception, match="already exists"):
        spark.read.parquet(f"{data}/c").write.parquet(f"{data}/out/copied")


def streams(spark: SparkSession, data: str) -> None:
    def keep(batch: DataFrame, number: int) -> None:
        batch.write.mode("append").parquet(f"{data}/out/{name}_kept")
        batch.sparkSession.read.parquet(f"{data}/c").write.mode("append").parquet(f"{data}/out/c_kept")

    for name in ("a", "b"):
        stream = spark.readStream.schema("id long").parquet(f"{data}/{name}").writeStream
        stream = stream.option("checkpointLocation", f"{data}/out/state_{name}").trigger(availableNow=True)
        stream = stream.foreachBatch(keep) if name == "a" else stream
        stream.start(*([] if name == "a" else [f"{data}/out/{name}_copy"])).awaitTermination(60)


JOBS: dict[str, tuple[Job, Sources]] = {
    "steps": (steps, {"joined": {"a", "b"}, "end": {"joined"}}),
    "statements": (
        statements,
        {"made": {"a", "b"}, "default.seen": set(), "first": {"c"}, "second": {"c"}},
    ),
    "generated": (
        generated,
        {
            "copied": {"a"},
            **{name: set() for name in ("generated", "made", "first", "second")},
            "made_copy": {"made"},
        },
    ),
    "collected": (collected, {"copied": {"b"}, "from_driver": None}),
    "collected and joined": (
        collected_and_joined,
        {
            "with_rates": None,
            "copied": {"b"},
            "made": None,
            "united": {"b"},
            "first": {"a"},
            "numbered": {"a"},
            "lines": None,
        },
    ),
    "constants": (constants, {"with_rates": {"a"}, "copied": {"b"}}),
    "rows of RDDs": (rows_of_rdds, {"joined": {"a", "b"}}),
    "staging": (
        staging,
        {
            "first": {"a"},
            "a_copy": {"first"},
            "second": {"b"},
            "b_copy": {"second"},
            "made_new": {"c"},
            "made": {"c"},
        },
    ),
    "failures": (failures, {"copied": {"a"}, "broken": {"b"}}),
    "streams": (streams, {"a_kept": {"a"}, "c_kept": {"c"}, "b_copy": {"b"}}),
}
EARLIER: dict[str, Sources] = {
    "statements": {"default.seen": {"made"}},
    "collected and joined": {"with_rates": {"a"}, "made": {"a"}, "lines": {"c"}},
    "staging": {"made": set()},
}
"""What the runs of writes have read, for datasets that were replaced, dropped or renamed later, and what is
known of those with rows from Python."""


def short(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def data_of(inputs: str, folder: Path) -> str:
    """Return a folder with the inputs, and a new folder for outputs."""
    (folder / "out").mkdir()
    for name in NAMES:
        (folder / name).symlink_to(f"{inputs}/{name}")
    return str(folder)


def run_job(spark: SparkSession, job: Job, data: str, **options: Any) -> Events:
    events = Events()
    with SparkRun(spark, "etl", "copies", emit=events, on_error="raise", **options):
        job(spark, data)
    for name in ("made", "first", "second"):
        spark.sql(f"DROP TABLE IF EXISTS {name}")
    return events


def declared(event: RunEvent) -> Sources:
    """Return the inputs of each output in the lineage facet of an event; None if they are unknown."""
    assert event.job.facets
    facet = event.job.facets.lineage
    assert isinstance(facet, LineageJobFacet)
    document = facet.to_dict()
    return {
        short(entry["name"]): {short(one["name"]) for one in entry["inputs"]} if "inputs" in entry else None
        for entry in document["entries"]
    }


@pytest.mark.check
@pytest.mark.parametrize("case", mostly_thorough(JOBS, "collected and joined", "failures", "streams"))
def test_each_output_has_the_inputs_of_its_own_writes(
    spark: SparkSession, tmp_path: Path, inputs: str, case: str
) -> None:
    job, expected = JOBS[case]
    events = run_job(spark, job, data_of(inputs, tmp_path))
    assert declared(events[-1]) == expected
    assert [str(finding) for event in events for finding in validate(event.to_json())] == []
    assert {*map(short, events.outputs)} == {*expected}
    state = LineageState()
    for event in events:
        state.apply(event)
    read = {*map(short, events.inputs)}
    found = {(short(flow.source.name), short(flow.target.name)) for flow in state.lineage().flows()}
    assert found == {(one, name) for name, of in expected.items() for one in (read if of is None else of)}


@pytest.mark.check
@pytest.mark.parametrize("case", mostly_thorough(JOBS, "failures", "streams"))
def test_each_write_may_have_its_own_run(spark: SparkSession, inputs: str, tmp_path: Path, case: str) -> None:
    job, expected = JOBS[case]
    parent = ("airflow", "daily.copy", RUN)
    events = run_job(spark, job, data_of(inputs, tmp_path), runs="per_write", parent=parent)
    own = [event for event in events if event.job.name == "copies"]
    assert not any(event.outputs for event in own)
    children: dict[str, list[RunEvent]] = {}
    for event in events:
        if event not in own:
            children.setdefault(event.run.run_id, []).append(event)
    found: Sources = {}
    for first, *others, last in children.values():
        (output,) = last.outputs or ()
        assert first.event_type is EventType.START
        assert others == []
        assert last.event_type is (EventType.FAIL if "broken" in output.name else EventType.COMPLETE)
        assert first.job.name == last.job.name == f"copies.{output.name.lstrip('/')}"
        assert last.run.facets
        assert last.run.facets.parent
        assert last.run.facets.parent.to_dict() == {
            **last.run.facets.parent.to_dict(),
            "job": {"namespace": "etl", "name": "copies"},
            "run": {"runId": own[0].run.run_id},
            "root": {"job": {"namespace": "airflow", "name": "daily.copy"}, "run": {"runId": RUN}},
        }
        known = found.setdefault(short(output.name), set())
        assert known is not None
        known |= {short(one.name) for one in last.inputs or ()}
    assert found == {name: of or set() for name, of in {**expected, **EARLIER.get(case, {})}.items()}
    read = {short(one.name) for one in own[-1].inputs or ()}
    assert set().union(*filter(None, found.values())) <= read
    assert own[-1] == events[-1]
