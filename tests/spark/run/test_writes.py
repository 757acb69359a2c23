"""What is reported of a write equals the files, rows and columns on disk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import ORDERS, EtlJob, Events, files_below, mostly_thorough, per_day
from tests.spark.session_state import changed_settings


def counts_in(statistics) -> tuple[int, int, int]:
    return statistics.row_count, statistics.size, statistics.file_count


def counts_at(spark: SparkSession, path: str) -> tuple[int, int, int]:
    """Return the rows, bytes and files at a path."""
    files = files_below(path)
    return spark.read.parquet(path).count(), sum(file.stat().st_size for file in files), len(files)


def test_output_statistics_equal_the_files_written(etl: EtlJob, run: SparkRun) -> None:
    run.write(etl.orders, etl.target, format="parquet", partitionBy=["day"])
    run.complete()
    statistics = etl.events.output(etl.target)["outputStatistics"]
    assert counts_in(statistics) == counts_at(etl.spark, etl.target)
    assert statistics.row_count == ORDERS
    assert statistics.size > 10_000, "large enough for Spark to display it rounded"


def test_input_statistics_equal_the_files_read(etl: EtlJob, run: SparkRun) -> None:
    run.write(per_day(run.read(etl.orders)), etl.target)
    run.complete()
    statistics = etl.events.input(etl.orders_path)["inputStatistics"]
    sizes = [file.stat().st_size for file in files_below(etl.orders_path)]
    assert counts_in(statistics) == (ORDERS, sum(sizes), len(sizes))


SORTED_OR_PAIRED: dict[str, tuple[Callable[[DataFrame], DataFrame], int | None]] = {
    "sorted": (lambda orders: orders.orderBy("amount"), ORDERS),
    "in ranges": (lambda orders: orders.repartitionByRange(3, "order"), ORDERS),
    "some rows sorted": (lambda orders: orders.where("day = 1").orderBy("amount"), None),
    "aggregated, then sorted": (lambda orders: per_day(orders).orderBy("day"), ORDERS),
    "paired": (
        lambda orders: (
            orders.select("order").hint("shuffle_replicate_nl").crossJoin(orders.sparkSession.range(3))
        ),
        None,
    ),
}


@pytest.mark.check
@pytest.mark.parametrize("case", mostly_thorough(SORTED_OR_PAIRED, "sorted", "paired"))
def test_rows_that_spark_reads_again_are_counted_once_or_not_at_all(etl: EtlJob, case: str) -> None:
    make, rows = SORTED_OR_PAIRED[case]
    with etl.run("again", on_error="log") as run:
        run.write(make(etl.orders), etl.target)
    sizes = [file.stat().st_size for file in files_below(etl.orders_path)]
    assert counts_in(etl.events.input(etl.orders_path)["inputStatistics"]) == (rows, sum(sizes), len(sizes))
    assert ("rows more than once" in etl.caplog.text) is (rows is None)


def test_a_count_that_is_no_longer_known_is_taken_back(etl: EtlJob, run: SparkRun) -> None:
    other = str(etl.tmp_path / "other")
    etl.orders.limit(10).write.parquet(other)
    run.write(etl.orders, str(etl.tmp_path / "one"))
    run.write(etl.spark.read.parquet(etl.orders_path, other), str(etl.tmp_path / "both"))
    run.write(etl.orders, str(etl.tmp_path / "two"))
    run.complete()
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count is None


@pytest.mark.check
def test_a_scan_of_several_folders_of_one_dataset_is_counted(etl: EtlJob, run: SparkRun) -> None:
    table = str(etl.tmp_path.joinpath(*["folder"] * 30, "by, day"))  # Spark shows a part of the path.
    etl.orders.write.partitionBy("day").parquet(table)
    days = etl.spark.read.option("basePath", table).parquet(f"{table}/day=1", f"{table}/day=2")
    run.write(days, str(etl.tmp_path / "days"))
    run.complete()
    assert etl.events.inputs == [table]
    assert etl.events.input(table)["inputStatistics"].row_count == days.count()


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_cached_rows_are_not_counted_as_read(etl: EtlJob, run: SparkRun, is_shuffled: bool) -> None:
    cached = (etl.orders.groupBy(*etl.orders.columns).count() if is_shuffled else etl.orders).cache()
    cached.count()
    run.write(cached, etl.target)
    run.complete()
    cached.unpersist()
    statistics = etl.events.input(etl.orders_path)["inputStatistics"]
    files = files_below(etl.orders_path)
    assert (statistics.row_count, statistics.file_count) == (None, len(files))
    assert statistics.size == sum(file.stat().st_size for file in files)
    assert etl.events.rows(etl.target) == ORDERS


def test_the_files_of_a_cache_are_counted_once(etl: EtlJob, run: SparkRun) -> None:
    cached = etl.orders.cache()
    for number in range(3):
        run.write(cached, f"{etl.target}/{number}")
    run.complete()
    cached.unpersist()
    statistics = etl.events.input(etl.orders_path)["inputStatistics"]
    assert (statistics.row_count, statistics.file_count) == (ORDERS, len(files_below(etl.orders_path)))


@pytest.mark.check
def test_appends_add_up_after_an_overwrite(etl: EtlJob, run: SparkRun) -> None:
    for mode in ("append", "overwrite", "append"):
        run.write(etl.orders, etl.target, mode=mode)
    run.complete()
    statistics = etl.events.output(etl.target)["outputStatistics"]
    assert counts_in(statistics) == counts_at(etl.spark, etl.target)


def test_running_events_are_limited_by_running_every(etl: EtlJob) -> None:
    def types(seconds: float) -> list[str]:
        emitted = Events()
        with SparkRun(etl.spark, "etl", "many", emit=emitted, running_every=seconds) as run:
            for number in range(3):
                run.write(etl.orders, str(etl.tmp_path / f"{seconds}-{number}"))
        return emitted.types

    assert types(60) == ["START", "RUNNING", "COMPLETE"]
    assert types(0) == ["START", *["RUNNING"] * 6, "COMPLETE"]


@pytest.mark.check
@pytest.mark.parametrize(
    ("part", "mode", "rows"),
    [
        ("day=1", "overwrite", 2 * ORDERS),
        pytest.param("day=99", "overwrite", 2 * ORDERS, marks=pytest.mark.thorough),
        ("day=99", "ignore", 2 * ORDERS),
        pytest.param("day=1", "ignore", ORDERS, marks=pytest.mark.thorough),
    ],
)
def test_a_write_to_the_path_of_a_partition_appends_to_its_table(
    etl: EtlJob, run: SparkRun, part: str, mode: str, rows: int
) -> None:
    etl.orders.write.partitionBy("day").parquet(etl.target)
    run.write(etl.orders, etl.target, mode="append", partitionBy="day")
    run.write(etl.orders.drop("day"), f"{etl.target}/{part}", mode=mode)
    run.complete()
    facets = etl.events.output(etl.target)
    assert "lifecycleStateChange" not in facets
    assert facets["outputStatistics"].row_count == rows
    assert [field.name for field in facets["schema"].fields] == etl.orders.columns


def test_a_write_to_the_first_partition_creates_the_table_without_a_schema(
    etl: EtlJob, run: SparkRun
) -> None:
    run.write(etl.orders.drop("day"), f"{etl.target}/event-day=1")
    run.complete()
    facets = etl.events.output(etl.target)
    assert facets["lifecycleStateChange"].lifecycle_state_change == "CREATE"
    assert "schema" not in facets


def test_a_write_to_a_partition_under_another_name_is_one_output(etl: EtlJob) -> None:
    with etl.run("daily") as run:
        run.write(etl.orders.drop("day"), f"{etl.target}/day=1", dataset=("lake", "daily"))
    assert etl.events.outputs == ["daily"]
    assert etl.events.rows("daily") == ORDERS


CREATED_BESIDE_A_VIEW: dict[str, Callable[[DataFrame, str], object]] = {
    "saveAsTable": lambda df, name: df.write.mode("append").saveAsTable(name),
    "new": lambda df, name: df.write.saveAsTable(name),
    "create": lambda df, name: df.writeTo(name).using("parquet").create(),
}


@pytest.mark.check
@pytest.mark.parametrize("case", mostly_thorough(CREATED_BESIDE_A_VIEW, "new"))
def test_a_table_with_the_name_of_a_temporary_view_is_created(etl: EtlJob, case: str) -> None:
    etl.orders.createOrReplaceTempView("shadowed")
    try:
        with etl.run("create"):
            CREATED_BESIDE_A_VIEW[case](etl.spark.range(3).withColumnRenamed("id", "number"), "shadowed")
        name = etl.events.output_named("shadowed")
        assert (etl.events.columns(name), etl.events.change(name)) == (["number"], "CREATE")
    finally:
        etl.spark.catalog.dropTempView("shadowed")
        etl.spark.sql("DROP TABLE IF EXISTS shadowed")


def test_concurrent_writes_are_counted_separately(etl: EtlJob, run: SparkRun) -> None:
    together = Barrier(4)

    def write(number: int) -> None:
        together.wait()
        if number:
            run.write(etl.spark.range(number * 10), str(etl.tmp_path / f"t{number}"))
        else:
            etl.spark.range(5000).write.parquet(str(etl.tmp_path / "outside the run"))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    run.complete()
    counted = {number: etl.events.output(str(etl.tmp_path / f"t{number}")) for number in (1, 2, 3)}
    assert {n: facets["outputStatistics"].row_count for n, facets in counted.items()} == {1: 10, 2: 20, 3: 30}
    assert len(etl.events.outputs) == 3


def test_job_tags_of_the_user_are_unchanged(etl: EtlJob, run: SparkRun) -> None:
    context = etl.spark.sparkContext
    context.addJobTag("nightly")
    try:
        run.write(etl.orders, etl.target)
        assert list(context.getJobTags()) == ["nightly"]
    finally:
        context.clearJobTags()


@pytest.mark.check
@pytest.mark.parametrize(
    ("call", "before", "mode", "change", "rows"),
    [
        ("write", False, None, "CREATE", 7),
        ("write_jdbc", False, "append", "CREATE", 7),
        ("write", False, "overwrite", "CREATE", 7),
        ("write_jdbc", False, "ignore", "CREATE", 7),
        ("write", True, "append", None, 10),
        ("write_jdbc", True, "overwrite", "OVERWRITE", 7),
    ],
)
def test_lifecycle_change_of_a_jdbc_table(
    etl: EtlJob, run: SparkRun, call: str, before: bool, mode: str | None, change: str | None, rows: int
) -> None:
    url, table = "jdbc:derby:memory:changes;create=true", f"{call}_{before}_{mode}".upper()
    if before:
        etl.spark.range(3).write.jdbc(url, table)
    if call == "write":
        run.write(etl.spark.range(7), format="jdbc", mode=mode, url=url, dbtable=table)
    else:
        run.write_jdbc(etl.spark.range(7), url, table, mode)
    run.complete()
    (output,) = etl.events.outputs
    assert etl.events.change(output) == change
    assert etl.spark.read.jdbc(url, table).count() == rows


def test_a_table_using_jdbc_is_the_table_of_the_database(etl: EtlJob, run: SparkRun) -> None:
    url, rows = "jdbc:derby:memory:referred;create=true", etl.spark.range(7)
    rows.write.jdbc(url, "SALES", "overwrite")
    options = f"OPTIONS (URL '{url}', dbTable 'SALES')"
    run.sql(f"CREATE TABLE referring USING jdbc {options}")
    assert etl.events.outputs == []
    run.insert_into(rows, "referring")
    run.sql("INSERT INTO referring SELECT id FROM range(7)")
    run.read(etl.spark.table("referring"))
    run.save_as_table(rows, "created", "jdbc", url=url, dbtable="CREATED")
    run.sql("DROP TABLE referring")
    run.sql("DROP TABLE created")
    run.complete()
    assert etl.events.outputs == ["SALES", "CREATED"]
    assert etl.events.inputs == ["SALES"]
    assert "lifecycleStateChange" not in etl.events.output("SALES")
    assert etl.events.change("CREATED") == "CREATE"
    assert etl.spark.read.jdbc(url, "SALES").count() == 21


@pytest.mark.check
@pytest.mark.parametrize(
    ("partitioned", "mode", "change"),
    [
        (False, "dynamic", "OVERWRITE"),
        pytest.param(True, "static", "OVERWRITE", marks=pytest.mark.thorough),
        (True, "dynamic", None),
    ],
)
def test_an_insert_overwrites_a_table_or_some_of_its_partitions(
    etl: EtlJob, run: SparkRun, partitioned: bool, mode: str, change: str | None
) -> None:
    etl.orders.limit(20).write.saveAsTable("filled", partitionBy="customer" if partitioned else None)
    try:
        with changed_settings(etl.spark, {"spark.sql.sources.partitionOverwriteMode": mode}):
            run.insert_into(etl.orders.limit(10), "filled", overwrite=True)
            run.complete()
        name = etl.events.output_named("filled")
        assert (etl.events.rows(name), etl.events.change(name)) == (10, change)
    finally:
        etl.spark.sql("DROP TABLE IF EXISTS filled")
