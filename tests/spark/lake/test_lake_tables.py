"""Inputs, outputs and column lineage of Delta and Iceberg tables.

The jobs run in a separate process whose Spark has the jars that `tools/lake_jars.py` fetches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.lake.job import (
    Captured,
    Facets,
    Job,
    Table,
    delta_at,
    do,
    files_at,
    statement,
    write_orders,
)
from tests.spark.lake.session import LakeProcess, skip_without_jars
from tests.spark.lake.statements import (
    LAST,
    MORE,
    STATEMENTS,
    WITH_SUBQUERIES,
    Source,
    Step,
    overwrites_of_partitions,
    reordered_in,
    saves_as,
    writes_by_name,
    writes_to,
)

pytestmark = pytest.mark.check
THOROUGH = pytest.mark.thorough

MODES = ", ".join(f"'write.{verb}.mode' = 'merge-on-read'" for verb in ("merge", "update", "delete"))
MERGE_ON_READ = f"TBLPROPERTIES ({MODES})"
ALL = [*STATEMENTS, *MORE, *WITH_SUBQUERIES, *LAST]
STEPS = {
    Table("delta", "by_name", "warehouse/by_name"): [*STATEMENTS, *MORE, *LAST],
    delta_at("by path"): STATEMENTS,
    Table("iceberg", "ice.db.copied", "ice/db/copied"): ALL,
    Table("iceberg", "ice.db.marked", "ice/db/marked", MERGE_ON_READ): ALL,
    delta_at("written"): writes_to("{folder}/written"),
    Table("delta", "saved", "warehouse/saved"): [
        *saves_as("saved", "delta"),
        *reordered_in("saved", "delta"),
        *overwrites_of_partitions("saved"),
    ],
    Table("iceberg", "ice.db.saved", "ice/db/saved"): [
        *saves_as("ice.db.saved", "iceberg"),
        *reordered_in("ice.db.saved", "iceberg"),
        *writes_by_name("ice.db.saved"),
        *overwrites_of_partitions("ice.db.saved"),
    ],
    Table("iceberg", "listed.db.saved", "listed/db/saved"): saves_as("listed.db.saved", "iceberg")[:3],
}

FIRST_STEPS = {
    "by path": 0,
    "ice/db/marked": 5,
    "listed/db/saved": 1,
    "warehouse/saved": 10,
    "ice/db/saved": 11,
}
"""How many steps of a table are not thorough, because no table before it has the same.

The table `marked` changes rows with delete files in its first steps; `listed` is in another catalog. Writes
to the path of a Delta table and overwritten partitions are also in the table `written` and in the corpus.
"""


def is_thorough(table: Table, number: int) -> bool:
    """Return whether a step is thorough. None that is not comes after it."""
    return number >= FIRST_STEPS.get(table.place, len(ALL))


READ_IN_SEVERAL_PLACES = {("ice/db/copied", "update with a subquery")}
"""Statements that Spark rewrites as the union of two queries of the same datasets."""

skip_without_jars()

Do = Callable[[Job, Table], Captured]


@pytest.fixture(scope="module")
def folder(lake: LakeProcess) -> str:
    return str(lake.folder)


@pytest.fixture(scope="module")
def run_in_lake(lake: LakeProcess, folder: str) -> Do:
    """Return a function that runs a job in the process with the jars."""
    lake.call(write_orders, folder)
    return lambda job, table: lake.call(do, job, folder, table)


@pytest.fixture(scope="module")
def done() -> dict[Table, list[Captured]]:
    """Return the results of the steps run so far. Every step runs once, in order."""
    return {}


@pytest.fixture(
    params=[
        pytest.param(
            (table, number),
            id=f"{table.place}-{step.label}".replace("/", "-"),
            marks=THOROUGH if is_thorough(table, number) else (),
        )
        for table, steps in STEPS.items()
        for number, step in enumerate(steps)
    ]
)
def taken(request: pytest.FixtureRequest) -> tuple[Table, int]:
    found: tuple[Table, int] = request.param
    return found


@pytest.fixture
def table(taken: tuple[Table, int]) -> Table:
    return taken[0]


@pytest.fixture
def wanted(taken: tuple[Table, int]) -> Step:
    return STEPS[taken[0]][taken[1]]


@pytest.fixture
def captured(taken: tuple[Table, int], run_in_lake: Do, done: dict[Table, list[Captured]]) -> Captured:
    table, number = taken
    before = done.setdefault(table, [])
    for step in STEPS[table][len(before) : number + 1]:
        before.append(run_in_lake(job_of(step, table), table))
    return before[number]


def job_of(step: Step, table: Table) -> Job:
    if not isinstance(step.job, str):
        return step.job
    text = step.job.replace("{t}", table.name).replace("{layer}", table.layer)
    return partial(statement, text.replace("{properties}", table.properties))


def version_in(facets: Facets) -> str | None:
    version: str | None = facets.get("version", {}).get("datasetVersion")
    return version


def sources(rows: list[dict[str, Any]] | None, folder: str, table: Table) -> set[Source]:
    names = {f"{folder}/orders": "orders", f"{folder}/{table.place}": "table"}
    return {
        (names[row["name"]], row["field"], how["subtype"])
        for row in rows or ()
        for how in row["transformations"]
    }


def test_inputs_and_output(captured: Captured, wanted: Step, table: Table, folder: str) -> None:
    assert captured.rows == wanted.rows
    place = f"{folder}/{table.place}"
    names = {"orders": f"{folder}/orders", "table": place}
    assert set(captured.inputs) == {names[name] for name in wanted.inputs}
    assert list(captured.outputs) == [place]
    facets = captured.outputs[place]
    assert facets["storage"]["storageLayer"] == table.layer
    assert ("symlinks" in facets) == ("/" not in table.name)
    columns = [column["name"] for column in facets["schema"]["fields"]]
    assert columns == ["id", "name", "amount"][: len(captured.rows[0]) if captured.rows else 3]
    assert facets.get("lifecycleStateChange", {}).get("lifecycleStateChange") == wanted.change
    before, after = captured.version
    assert version_in(facets) == after != before
    if place in captured.inputs:
        assert version_in(captured.inputs[place]) == before is not None


def test_statistics_and_commit_report_equal_the_new_files(
    captured: Captured, table: Table, folder: str
) -> None:
    facets = captured.outputs[f"{folder}/{table.place}"]
    statistics = facets["outputStatistics"]
    rows, size, files = captured.added
    assert (statistics["rowCount"], statistics["fileCount"]) == (rows, files)
    assert statistics.get("size", size if table.merges_on_read else None) == size
    if table.layer != "iceberg":
        assert "icebergCommitReport" not in facets
        return
    report, metrics = facets["icebergCommitReport"], facets["icebergCommitReport"]["commitMetrics"]
    assert str(report["snapshotId"]) == captured.version[1]
    assert report["operation"] in ("append", "overwrite", "delete")
    assert report["metadata"]["engine-name"] == "spark"
    assert (metrics.get("addedRecords", 0), metrics.get("addedDataFiles", 0)) == (rows, files)
    assert table.merges_on_read or metrics.get("addedFilesSizeInBytes", 0) == size
    assert table.merges_on_read or metrics["totalRecords"] == len(captured.rows)


def test_report_of_an_iceberg_scan(captured: Captured, wanted: Step, table: Table, folder: str) -> None:
    is_ambiguous = (table.place, wanted.label) in READ_IN_SEVERAL_PLACES
    for name, facets in captured.inputs.items():
        if table.layer != "iceberg" or name == f"{folder}/orders" or is_ambiguous:
            assert "icebergScanReport" not in facets
            continue
        report = facets["icebergScanReport"]
        assert str(report["snapshotId"]) == captured.version[0]
        conditions = {column for source, column, _ in wanted.row_columns if source == "table"}
        assert conditions <= {*report["projectedFieldNames"]}
        assert ("amount < 20" in report["filterDescription"]) == (wanted.label == "delete")
        metrics = report["scanMetrics"]
        assert metrics["resultDataFiles"] == facets["inputStatistics"]["fileCount"]
        if not wanted.rereads:
            _, size, files = captured.before
            assert (metrics["resultDataFiles"], metrics["totalFileSizeInBytes"]) == (files, size)
        assert metrics["totalPlanningDuration"] >= 0


def test_input_statistics_are_those_of_the_files(
    captured: Captured, wanted: Step, table: Table, folder: str
) -> None:
    orders = [file for file in Path(folder, "orders").iterdir() if file.suffix == ".parquet"]
    of_orders = (3, sum(file.stat().st_size for file in orders), len(orders))
    for name, facets in captured.inputs.items():
        if (table.place, wanted.label) in READ_IN_SEVERAL_PLACES:
            assert "inputStatistics" not in facets, name
            continue
        statistics = facets["inputStatistics"]
        rows, size, files = of_orders if name == f"{folder}/orders" else captured.before
        if wanted.skips:
            assert 0 < statistics["fileCount"] < files, name
            assert statistics.get("rowCount", 1) < rows, name
            assert statistics.get("size", 1) < size, name
            continue
        assert statistics["fileCount"] == files, name
        if wanted.rereads:  # Spark may not count all rows, and may have discarded an exact size.
            assert statistics.get("rowCount", rows) == rows, name
            assert statistics.get("size", size) == size, name
        else:
            assert (statistics["rowCount"], statistics["size"]) == (rows, size), name


def test_column_lineage(captured: Captured, wanted: Step, table: Table, folder: str) -> None:
    lineage = captured.outputs[f"{folder}/{table.place}"].get("columnLineage", {})
    fields = lineage.get("fields", {})
    found = {column: sources(made["inputFields"], folder, table) for column, made in fields.items()}
    assert found == wanted.columns
    assert sources(lineage.get("dataset"), folder, table) == wanted.row_columns


def write_in_two_ways(spark: SparkSession, run: SparkRun, folder: str) -> None:
    run.save_as_table(spark.table("orders"), "both", format="delta")
    run.write(spark.table("orders"), f"{folder}/warehouse/both", format="delta", mode="append")
    run.sql("INSERT INTO both SELECT * FROM orders")


def test_table_written_by_name_and_by_path_is_one_output(run_in_lake: Do, folder: str) -> None:
    captured = run_in_lake(write_in_two_ways, Table("delta", "both", "warehouse/both"))
    assert list(captured.outputs) == [f"{folder}/warehouse/both"]
    facets = captured.outputs[f"{folder}/warehouse/both"]
    assert facets["outputStatistics"]["rowCount"] == captured.added[0] == 9
    assert facets["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert version_in(facets) == captured.version[1] == "2"


def read_by_path(spark: SparkSession, run: SparkRun, folder: str, name: str) -> None:
    for format in ("iceberg", "delta"):
        at = spark.read.format(format).load(f"{folder}/{name}" if format == "iceberg" else f"{folder}/at")
        run.read(at)


def test_table_read_by_path_has_no_symlink(run_in_lake: Do, folder: str) -> None:
    at = delta_at("at")
    run_in_lake(
        partial(statement, "CREATE TABLE delta.`{folder}/at` USING delta AS SELECT * FROM orders"), at
    )
    ice = Table("iceberg", "ice.db.`by_path`", "ice/db/by_path")
    run_in_lake(partial(statement, "CREATE TABLE ice.db.by_path USING iceberg AS SELECT * FROM orders"), ice)
    captured = run_in_lake(partial(read_by_path, name="ice/db/by_path"), ice)
    assert set(captured.inputs) == {f"{folder}/at", f"{folder}/ice/db/by_path"}
    for facets in captured.inputs.values():
        assert {"symlinks", "catalog"}.isdisjoint(facets)
    assert captured.inputs[f"{folder}/ice/db/by_path"]["storage"]["storageLayer"] == "iceberg"


def in_namespace(spark: SparkSession, run: SparkRun, folder: str, namespace: str) -> None:
    """Write, append to and alter a table by its name only."""
    spark.sql(f"CREATE NAMESPACE ice.{namespace}")
    spark.sql(f"USE ice.{namespace}")
    try:
        orders = spark.read.parquet(f"{folder}/orders")
        run.save_as_table(orders, "own", format="iceberg")
        [snapshot] = spark.table(f"ice.{namespace}.own.snapshots").collect()
        spark.table("own").writeTo("own").append()
        run.sql("ALTER TABLE own ADD COLUMN more int")
        run.sql(f"CALL ice.system.rollback_to_snapshot('own', {snapshot.snapshot_id})")
    finally:
        spark.sql("USE spark_catalog.default")


@pytest.mark.parametrize(
    ("namespace", "parts"),
    [
        ("outer.inner", ["outer", "inner"]),
        pytest.param("`my-db`", ["my-db"], marks=THOROUGH),
    ],
)
def test_a_table_of_the_current_namespace_is_one_output(
    run_in_lake: Do, folder: str, namespace: str, parts: list[str]
) -> None:
    if len(parts) > 1:
        run_in_lake(partial(statement, f"CREATE NAMESPACE ice.{parts[0]}"), Table("file", "orders", "orders"))
    place = f"ice/{'/'.join(parts)}/own"
    captured = run_in_lake(
        partial(in_namespace, namespace=namespace), Table("iceberg", f"ice.{namespace}.own", place)
    )
    assert list(captured.outputs) == [f"{folder}/{place}"]
    facets = captured.outputs[f"{folder}/{place}"]
    assert facets["symlinks"]["identifiers"][0]["name"] == ".".join([*parts, "own"])


BRANCHED = Table("iceberg", "ice.db.branched", "ice/db/branched")


@pytest.fixture(scope="module")
def branched(run_in_lake: Do) -> Table:
    """Return a table with the branch `next`, whose newest snapshot is not that of the table."""
    for text in (
        "CREATE TABLE ice.db.branched USING iceberg AS SELECT * FROM orders WHERE id = 1",
        "ALTER TABLE ice.db.branched CREATE BRANCH next",
        "INSERT INTO ice.db.branched SELECT * FROM orders WHERE id = 2",
    ):
        run_in_lake(partial(statement, text), BRANCHED)
    return BRANCHED


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO ice.db.branched.branch_next SELECT * FROM orders WHERE id = 3",
        pytest.param(
            "MERGE INTO ice.db.branched.branch_next t USING orders o ON t.id = o.id "
            "WHEN NOT MATCHED THEN INSERT *",
            marks=THOROUGH,
        ),
        "DELETE FROM ice.db.branched.branch_next WHERE id = 3",
    ],
)
def test_a_write_to_a_branch_is_a_write_to_its_table(
    run_in_lake: Do, folder: str, branched: Table, text: str
) -> None:
    captured = run_in_lake(partial(statement, text), branched)
    assert list(captured.outputs) == [f"{folder}/ice/db/branched"]
    facets = captured.outputs[f"{folder}/ice/db/branched"]
    assert facets["symlinks"]["identifiers"][0]["name"] == "db.branched"
    assert [column["name"] for column in facets["schema"]["fields"]] == ["id", "name", "amount"]
    assert "lifecycleStateChange" not in facets
    assert version_in(facets) == newest_of_next(run_in_lake)
    assert str(facets["icebergCommitReport"]["snapshotId"]) == newest_of_next(run_in_lake)


def newest_of_next(run_in_lake: Do) -> str:
    refs = Table("iceberg", "ice.db.branched.refs", "refs")
    rows = run_in_lake(nothing, refs).rows
    return next(str(row[2]) for row in rows if row[0] == "next")


def nothing(spark: SparkSession, run: SparkRun, folder: str) -> None:
    pass


def append_to_branch(spark: SparkSession, run: SparkRun, folder: str) -> None:
    spark.table("orders").writeTo("ice.db.branched.branch_next").append()


def test_a_branch_is_not_created_by_an_append(run_in_lake: Do, folder: str, branched: Table) -> None:
    captured = run_in_lake(append_to_branch, branched)
    assert list(captured.outputs) == [f"{folder}/ice/db/branched"]
    assert "lifecycleStateChange" not in captured.outputs[f"{folder}/ice/db/branched"]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("ice.db.branched.branch_next", marks=THOROUGH),
        "ice.db.branched VERSION AS OF 'next'",
        pytest.param("ice.db.branched", marks=THOROUGH),
    ],
)
def test_version_of_a_branch(run_in_lake: Do, folder: str, branched: Table, source: str) -> None:
    rows = files_at("of_branch")
    text = f"INSERT OVERWRITE DIRECTORY '{{folder}}/of_branch' USING parquet SELECT * FROM {source}"
    captured = run_in_lake(partial(statement, text), rows)
    facets = captured.inputs[f"{folder}/ice/db/branched"]
    assert facets["symlinks"]["identifiers"][0]["name"] == "db.branched"
    history = "SELECT cast(snapshot_id AS string) FROM ice.db.branched.refs WHERE name = '{name}'"
    text = f"INSERT OVERWRITE DIRECTORY '{{folder}}/of_branch' USING parquet {history}"
    name = "main" if source == "ice.db.branched" else "next"
    [[snapshot]] = run_in_lake(partial(statement, text.replace("{name}", name)), rows).rows
    assert version_in(facets) == snapshot


@pytest.mark.parametrize(
    "name",
    ["files", *(pytest.param(name, marks=THOROUGH) for name in ("snapshots", "history", "partitions"))],
)
def test_metadata_is_an_input_without_columns(
    run_in_lake: Do, folder: str, branched: Table, name: str
) -> None:
    rows = files_at("of_metadata")
    query = f"SELECT t.id, m.* FROM ice.db.branched t CROSS JOIN ice.db.branched.{name} m"
    text = f"INSERT OVERWRITE DIRECTORY '{{folder}}/of_metadata' USING parquet {query}"
    captured = run_in_lake(partial(statement, text), rows)
    table = f"{folder}/ice/db/branched"
    assert list(captured.inputs) == [table]
    assert [column["name"] for column in captured.inputs[table]["schema"]["fields"]] == [
        "id",
        "name",
        "amount",
    ]
    assert set(captured.outputs[f"{folder}/of_metadata"]["columnLineage"]["fields"]) == {"id"}


def read_metadata_by_path(spark: SparkSession, run: SparkRun, folder: str) -> None:
    files = spark.read.format("iceberg").load(f"{folder}/ice/db/branched#files")
    run.write(files.select("file_path"), f"{folder}/of_metadata", mode="overwrite")


def test_metadata_read_by_path(run_in_lake: Do, folder: str, branched: Table) -> None:
    captured = run_in_lake(read_metadata_by_path, files_at("of_metadata"))
    assert list(captured.inputs) == [f"{folder}/ice/db/branched"]
    assert {"schema", "version"}.isdisjoint(captured.inputs[f"{folder}/ice/db/branched"])
    assert "columnLineage" not in captured.outputs[f"{folder}/of_metadata"]


def read_changelog(spark: SparkSession, run: SparkRun, folder: str) -> None:
    run.write(spark.table("ice.db.branched.changes").select("id"), f"{folder}/of_changelog", mode="overwrite")


def test_the_changelog_of_a_table_is_read_from_it(run_in_lake: Do, folder: str, branched: Table) -> None:
    captured = run_in_lake(read_changelog, files_at("of_changelog"))
    assert list(captured.inputs) == [f"{folder}/ice/db/branched"]


def read_all_paths(spark: SparkSession, run: SparkRun, folder: str, name: str) -> None:
    ice = spark.read.format("iceberg").load(f"{folder}/{name}")
    run.write(ice.union(spark.read.format("delta").load(f"{folder}/at")), f"{folder}/all_paths")


def test_statistics_of_tables_that_are_read_by_path(run_in_lake: Do, folder: str) -> None:
    at = delta_at("at")
    create = "CREATE OR REPLACE TABLE delta.`{folder}/at` USING delta AS SELECT * FROM orders"
    before = run_in_lake(partial(statement, create), at)
    ice = Table("iceberg", "ice.db.counted", "ice/db/counted")
    created = run_in_lake(
        partial(statement, "CREATE TABLE ice.db.counted USING iceberg AS SELECT * FROM orders"), ice
    )
    both = files_at("all_paths")
    captured = run_in_lake(partial(read_all_paths, name="ice/db/counted"), both)
    for table, expected in ((at, before.added), (ice, created.added)):
        statistics = captured.inputs[f"{folder}/{table.place}"]["inputStatistics"]
        assert (statistics["rowCount"], statistics["size"], statistics["fileCount"]) == expected


def read_old_versions(spark: SparkSession, run: SparkRun, folder: str, snapshot: str) -> None:
    written = spark.read.format("delta").option("versionAsOf", 0).load(f"{folder}/written")
    saved = spark.sql(f"SELECT * FROM ice.db.saved VERSION AS OF {snapshot}")
    run.write(run.read(written).union(run.read(saved)), f"{folder}/old")


def read_tables(spark: SparkSession, run: SparkRun, folder: str) -> None:
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW joined AS SELECT id, s.amount FROM saved JOIN ice.db.saved s USING (id)"
    )
    run.sql(f"INSERT OVERWRITE DIRECTORY '{folder}/joined' USING parquet SELECT * FROM joined")


@pytest.fixture
def versions(run_in_lake: Do, done: dict[Table, list[Captured]]) -> dict[str, list[str | None]]:
    """Run the remaining steps of some tables, and return the versions that their steps have created."""
    for table, steps in STEPS.items():
        if table.place not in ("ice/db/saved", "warehouse/saved", "written"):
            continue
        before = done.setdefault(table, [])
        remaining = steps[len(before) : FIRST_STEPS.get(table.place)]
        before += [run_in_lake(job_of(step, table), table) for step in remaining]
    return {
        table.place: [captured.version[1] for captured in captured_of_table]
        for table, captured_of_table in done.items()
    }


def test_old_versions_of_inputs(run_in_lake: Do, folder: str, versions: dict[str, list[str | None]]) -> None:
    oldest = versions["ice/db/saved"][0]
    captured = run_in_lake(partial(read_old_versions, snapshot=str(oldest)), files_at("old"))
    assert {name: version_in(facets) for name, facets in captured.inputs.items()} == {
        f"{folder}/written": "0",
        f"{folder}/ice/db/saved": oldest,
    }
    assert captured.rows == sorted([(1, "a", 10), (2, "b", 20)] * 2)


def test_join_of_delta_and_iceberg(
    run_in_lake: Do, folder: str, versions: dict[str, list[str | None]]
) -> None:
    table = files_at("joined")
    captured = run_in_lake(read_tables, table)
    assert captured.rows == [(1, 10), (2, 20)]
    delta, iceberg = captured.inputs[f"{folder}/warehouse/saved"], captured.inputs[f"{folder}/ice/db/saved"]
    assert (delta["storage"]["storageLayer"], iceberg["storage"]["storageLayer"]) == ("delta", "iceberg")
    assert version_in(delta) == versions["warehouse/saved"][-1]
    assert version_in(iceberg) == versions["ice/db/saved"][-1]
    assert delta["datasetType"]["subType"] == "MANAGED"
    assert (delta["catalog"]["name"], iceberg["catalog"]["type"]) == ("spark_catalog", "hadoop")
    assert iceberg["symlinks"]["identifiers"][0]["name"] == "db.saved"
    [amount] = captured.outputs[f"{folder}/joined"]["columnLineage"]["fields"]["amount"]["inputFields"]
    assert (amount["name"], amount["field"]) == (f"{folder}/ice/db/saved", "amount")


def merge_new_column(spark: SparkSession, run: SparkRun, folder: str) -> None:
    """Merge into a table that gets a column of the source."""
    spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
    spark.sql("SELECT id, amount, upper(name) AS label FROM orders").createOrReplaceTempView("labelled")
    merge = f"MERGE INTO delta.`{folder}/evolved` t USING labelled s ON t.id = s.id"
    spark.sql(f"{merge} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
    spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")


def test_a_column_that_a_merge_adds_is_captured(run_in_lake: Do, folder: str) -> None:
    table = delta_at("evolved")
    create = "CREATE TABLE delta.`{folder}/evolved` (id INT, amount INT) USING delta"
    run_in_lake(partial(statement, create), table)
    output = run_in_lake(merge_new_column, table).outputs[f"{folder}/evolved"]
    assert [field["name"] for field in output["schema"]["fields"]] == ["id", "amount", "label"]
    sources = output["columnLineage"]["fields"]["label"]["inputFields"]
    assert [(one["name"], one["field"]) for one in sources] == [(f"{folder}/orders", "name")]


def merge_each_batch(spark: SparkSession, run: SparkRun, folder: str) -> None:
    """Merge into a table without rows, whose log Delta has to read again."""

    def merge(batch: DataFrame, number: int) -> None:
        batch.createOrReplaceTempView("arrived")
        merge = f"MERGE INTO delta.`{folder}/empty` t USING arrived s ON t.id = s.id"
        batch.sparkSession.sql(f"{merge} WHEN NOT MATCHED THEN INSERT *")

    spark.sparkContext._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()  # type: ignore[union-attr]
    stream = spark.readStream.schema("id int, name string, amount int").parquet(f"{folder}/orders")
    writer = stream.writeStream.option("checkpointLocation", f"{folder}/checkpoint/empty")
    writer.foreachBatch(merge).trigger(availableNow=True).start().awaitTermination(60)


@THOROUGH
def test_the_log_of_a_delta_table_is_no_part_of_it(run_in_lake: Do, folder: str) -> None:
    table = delta_at("empty")
    create = "CREATE TABLE delta.`{folder}/empty` (id INT, name STRING, amount INT) USING delta"
    created = run_in_lake(partial(statement, create), table).outputs[f"{folder}/empty"]
    assert created["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    captured = run_in_lake(merge_each_batch, table)
    assert len(captured.rows) == 3
    assert "subset" not in captured.inputs[f"{folder}/empty"]


def read_changes(spark: SparkSession, run: SparkRun, folder: str) -> None:
    path = f"{folder}/with_changes"
    changes = spark.read.option("readChangeFeed", "true").option("startingVersion", 0)
    by_statement = spark.sql(f"SELECT * FROM table_changes_by_path('{path}', 0)")
    changed = changes.format("delta").load(path).union(by_statement).where("_commit_version > 0")
    run.write(changed.selectExpr("id", "amount + 1 AS more", "_change_type AS kind"), f"{folder}/changes")


@THOROUGH
def test_the_changes_of_a_table_have_its_columns(run_in_lake: Do, folder: str) -> None:
    table = delta_at("with_changes")
    properties = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    for text in (
        f"CREATE TABLE delta.`{{folder}}/with_changes` (id INT, amount INT) USING delta {properties}",
        "INSERT INTO delta.`{folder}/with_changes` SELECT id, amount FROM orders",
    ):
        run_in_lake(partial(statement, text), table)
    captured = run_in_lake(read_changes, files_at("changes"))
    assert [(row[0], row[1], row[2]) for row in captured.rows][:2] == [(1, 11, "insert"), (1, 11, "insert")]
    lineage = captured.outputs[f"{folder}/changes"]["columnLineage"]
    assert {
        name: sources(made["inputFields"], folder, table) for name, made in lineage["fields"].items()
    } == {
        "id": {("table", "id", "IDENTITY")},
        "more": {("table", "amount", "TRANSFORMATION")},
    }
    assert "dataset" not in lineage


def create_with_generated_column(spark: SparkSession, run: SparkRun, folder: str) -> None:
    """Create the table with Delta's own API, since Spark 3.5 has no statement for it."""
    from delta.tables import DeltaTable

    builder = DeltaTable.create(spark).location(f"{folder}/generating")
    builder = builder.addColumn("id", "INT").addColumn("amount", "INT")
    builder.addColumn("total", "INT", generatedAlwaysAs="id + amount").execute()


def append_without_the_generated_column(spark: SparkSession, run: SparkRun, folder: str) -> None:
    orders = spark.table("orders").select("id", "amount")
    orders.write.format("delta").mode("append").save(f"{folder}/generating")
    spark.sql(f"INSERT INTO delta.`{folder}/generating` (id, amount) SELECT id, amount FROM orders")


def test_generated_columns_have_the_sources_of_the_columns_in_their_expressions(
    run_in_lake: Do, folder: str
) -> None:
    table = delta_at("generating")
    run_in_lake(create_with_generated_column, table)
    captured = run_in_lake(append_without_the_generated_column, table)
    assert sorted({row[2] for row in captured.rows}) == [11, 22, 33]
    fields = captured.outputs[f"{folder}/generating"]["columnLineage"]["fields"]
    assert {name: sources(made["inputFields"], folder, table) for name, made in fields.items()} == {
        "id": {("orders", "id", "IDENTITY")},
        "amount": {("orders", "amount", "IDENTITY")},
        "total": {("orders", "id", "TRANSFORMATION"), ("orders", "amount", "TRANSFORMATION")},
    }
