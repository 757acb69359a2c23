"""Delta and Iceberg themselves: what a run reads and writes of their tables, and what it does to them.

The jobs run in a process of their own, with a Spark that has the jars that `tools/lake_jars.py` brings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.lake.job import Facets, Job, Table, Told, do, start, statement
from tests.spark.lake.statements import (
    LAST,
    MORE,
    STATEMENTS,
    WITH_SUBQUERIES,
    Source,
    Step,
    saves_as,
    writes_by_name,
    writes_to,
)
from tools.java_home import java_of_machine
from tools.lake_jars import FOLDER, NEWEST, OVERRIDE, coordinates, jars


def missing() -> str | None:
    """Return why there are no jars to test with, if there are none."""
    if jars():
        return None
    given = os.environ.get(OVERRIDE)
    if given or coordinates():
        return f"no jars of theirs are in {given or FOLDER}, where tools/lake_jars.py puts them"
    return f"{NEWEST}, and this is another one"


MODES = ", ".join(f"'write.{verb}.mode' = 'merge-on-read'" for verb in ("merge", "update", "delete"))
MERGE_ON_READ = f"TBLPROPERTIES ({MODES})"
ALL = [*STATEMENTS, *MORE, *WITH_SUBQUERIES, *LAST]
STEPS = {
    Table("delta", "by_name", "warehouse/by_name"): [*STATEMENTS, *MORE, *LAST],
    Table("delta", "delta.`{folder}/by path`", "by path"): STATEMENTS,
    Table("iceberg", "ice.db.copied", "ice/db/copied"): ALL,
    Table("iceberg", "ice.db.marked", "ice/db/marked", MERGE_ON_READ): ALL,
    Table("delta", "delta.`{folder}/written`", "written"): writes_to("{folder}/written"),
    Table("delta", "saved", "warehouse/saved"): saves_as("saved", "delta"),
    Table("iceberg", "ice.db.saved", "ice/db/saved"): [
        *saves_as("ice.db.saved", "iceberg"),
        *writes_by_name("ice.db.saved"),
    ],
    Table("iceberg", "listed.db.saved", "listed/db/saved"): saves_as("listed.db.saved", "iceberg")[:3],
}

MISSING = missing()
MUST_BE_THERE = os.environ.get("CI") == "true" and bool(coordinates() or os.environ.get(OVERRIDE))
if MISSING and not MUST_BE_THERE:
    pytest.skip(f"Delta and Iceberg are not checked: {MISSING}", allow_module_level=True)

Do = Callable[[Job, Table], Told]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("lake"))


@pytest.fixture(scope="session")
def lake(folder: str) -> Iterator[Do]:
    """Return what does a job in the Spark that has the jars, which is started once."""
    if MISSING:
        pytest.fail(MISSING, pytrace=False)
    given = (folder, [str(jar) for jar in jars()], str(java_of_machine()))
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=start, initargs=given) as process:
        yield lambda job, table: process.submit(do, job, folder, table).result(timeout=180)


@pytest.fixture(scope="session")
def done() -> dict[Table, list[Told]]:
    """Keep what is told of the steps on each table, which are taken in order and once."""
    return {}


@pytest.fixture(
    params=[(table, number) for table, steps in STEPS.items() for number in range(len(steps))],
    ids=[f"{table.place}-{step.label}".replace("/", "-") for table, steps in STEPS.items() for step in steps],
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
def told(taken: tuple[Table, int], lake: Do, done: dict[Table, list[Told]]) -> Told:
    table, number = taken
    before = done.setdefault(table, [])
    for step in STEPS[table][len(before) : number + 1]:
        before.append(lake(job_of(step, table), table))
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


def test_a_statement_does_what_it_says(told: Told, wanted: Step) -> None:
    assert told.rows == wanted.rows


def test_inputs_and_the_one_output_are_named(told: Told, wanted: Step, table: Table, folder: str) -> None:
    place = f"{folder}/{table.place}"
    names = {"orders": f"{folder}/orders", "table": place}
    assert set(told.inputs) == {names[name] for name in wanted.inputs}
    assert list(told.outputs) == [place]
    facets = told.outputs[place]
    assert facets["storage"]["storageLayer"] == table.layer
    assert ("symlinks" in facets) == ("/" not in table.name)
    columns = [column["name"] for column in facets["schema"]["fields"]]
    assert columns == ["id", "name", "amount"][: len(told.rows[0]) if told.rows else 3]


def test_the_version_is_the_one_read_and_the_one_made(told: Told, table: Table, folder: str) -> None:
    before, after = told.version
    place = f"{folder}/{table.place}"
    assert version_in(told.outputs[place]) == after != before
    if place in told.inputs:
        assert version_in(told.inputs[place]) == before is not None


def test_what_became_of_the_table_is_told(told: Told, wanted: Step, table: Table, folder: str) -> None:
    change = told.outputs[f"{folder}/{table.place}"].get("lifecycleStateChange", {})
    assert change.get("lifecycleStateChange") == wanted.change


def test_what_was_added_is_what_the_new_files_hold(told: Told, table: Table, folder: str) -> None:
    statistics = told.outputs[f"{folder}/{table.place}"]["outputStatistics"]
    rows, size, files = told.added
    assert (statistics["rowCount"], statistics["fileCount"]) == (rows, files)
    assert statistics.get("size", size if table.merges_on_read else None) == size


def test_what_was_read_is_counted_where_it_is_read_once(
    told: Told, wanted: Step, table: Table, folder: str
) -> None:
    for name, facets in told.inputs.items():
        counted = facets.get("inputStatistics", {}).get("rowCount")
        assert counted == (None if wanted.rereads else 3 if name == f"{folder}/orders" else 2), name


def test_the_lineage_of_columns_is_true(told: Told, wanted: Step, table: Table, folder: str) -> None:
    lineage = told.outputs[f"{folder}/{table.place}"].get("columnLineage", {})
    fields = lineage.get("fields", {})
    found = {column: sources(made["inputFields"], folder, table) for column, made in fields.items()}
    assert found == wanted.columns
    assert sources(lineage.get("dataset"), folder, table) == wanted.steered


def write_in_two_ways(spark: SparkSession, run: SparkRun, folder: str) -> None:
    run.save_as_table(spark.table("orders"), "both", format="delta")
    run.write(spark.table("orders"), f"{folder}/warehouse/both", format="delta", mode="append")
    run.sql("INSERT INTO both SELECT * FROM orders")


def test_a_table_written_by_its_name_and_by_its_path_is_one_output(lake: Do, folder: str) -> None:
    told = lake(write_in_two_ways, Table("delta", "both", "warehouse/both"))
    assert list(told.outputs) == [f"{folder}/warehouse/both"]
    facets = told.outputs[f"{folder}/warehouse/both"]
    assert facets["outputStatistics"]["rowCount"] == told.added[0] == 9
    assert facets["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert version_in(facets) == told.version[1] == "2"


def read_old_versions(spark: SparkSession, run: SparkRun, folder: str, snapshot: str) -> None:
    written = spark.read.format("delta").option("versionAsOf", 0).load(f"{folder}/written")
    saved = spark.read.format("iceberg").option("snapshot-id", snapshot).load("ice.db.saved")
    run.write(run.read(written).union(run.read(saved)), f"{folder}/old")


def read_tables(spark: SparkSession, run: SparkRun, folder: str) -> None:
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW joined AS SELECT id, s.amount FROM saved JOIN ice.db.saved s USING (id)"
    )
    run.sql(f"INSERT OVERWRITE DIRECTORY '{folder}/joined' USING parquet SELECT * FROM joined")


@pytest.fixture
def versions(lake: Do, done: dict[Table, list[Told]]) -> dict[str, list[str | None]]:
    """Return the versions that the steps have made of each table, all steps taken."""
    for table, steps in STEPS.items():
        before = done.setdefault(table, [])
        before += [lake(job_of(step, table), table) for step in steps[len(before) :]]
    return {table.place: [told.version[1] for told in told_of_table] for table, told_of_table in done.items()}


def test_old_versions_that_are_read_are_told(
    lake: Do, folder: str, versions: dict[str, list[str | None]]
) -> None:
    oldest = versions["ice/db/saved"][0]
    told = lake(
        partial(read_old_versions, snapshot=str(oldest)), Table("file", "parquet.`{folder}/old`", "old")
    )
    assert {name: version_in(facets) for name, facets in told.inputs.items()} == {
        f"{folder}/written": "0",
        f"{folder}/ice/db/saved": oldest,
    }
    assert told.rows == sorted([(1, "a", 10), (2, "b", 20)] * 2)


def test_tables_of_two_formats_join(lake: Do, folder: str, versions: dict[str, list[str | None]]) -> None:
    table = Table("file", "parquet.`{folder}/joined`", "joined")
    told = lake(read_tables, table)
    assert told.rows == [(1, 10), (2, 20)]
    delta, iceberg = told.inputs[f"{folder}/warehouse/saved"], told.inputs[f"{folder}/ice/db/saved"]
    assert (delta["storage"]["storageLayer"], iceberg["storage"]["storageLayer"]) == ("delta", "iceberg")
    assert version_in(delta) == versions["warehouse/saved"][-1]
    assert version_in(iceberg) == versions["ice/db/saved"][-1]
    assert delta["datasetType"]["subType"] == "MANAGED"
    assert (delta["catalog"]["name"], iceberg["catalog"]["type"]) == ("spark_catalog", "hadoop")
    assert iceberg["symlinks"]["identifiers"][0]["name"] == "db.saved"
    [amount] = told.outputs[f"{folder}/joined"]["columnLineage"]["fields"]["amount"]["inputFields"]
    assert (amount["name"], amount["field"]) == (f"{folder}/ice/db/saved", "amount")
