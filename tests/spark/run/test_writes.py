"""What is reported of a write equals the files, rows and columns on disk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import ORDERS, EtlJob, Events, files_below, per_day


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


def test_each_input_of_a_join_has_its_own_statistics(etl: EtlJob, run: SparkRun) -> None:
    days, target = str(etl.tmp_path / "days"), str(etl.tmp_path / "named")
    etl.spark.range(7).select(f.col("id").cast("int").alias("day")).write.csv(days, header=True)
    named = etl.spark.read.csv(days, header=True, schema="day int")
    run.write(etl.orders.join(named, "day"), target)
    run.complete()
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == ORDERS
    assert etl.events.input(days)["inputStatistics"].row_count == 7


def test_a_self_join_counts_both_scans(etl: EtlJob, run: SparkRun) -> None:
    run.write(etl.orders.select("order").join(etl.orders.select("order", "day"), "order"), etl.target)
    run.complete()
    assert etl.events.inputs == [etl.orders_path]
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == 2 * ORDERS


SORTED_OR_PAIRED: dict[str, tuple[Callable[[DataFrame], DataFrame], int | None]] = {
    "sorted": (lambda orders: orders.orderBy("amount"), ORDERS),
    "some columns sorted": (lambda orders: orders.select("day", "amount").sort("amount"), ORDERS),
    "in ranges": (lambda orders: orders.repartitionByRange(3, "order"), ORDERS),
    "sorted within": (lambda orders: orders.sortWithinPartitions("amount"), ORDERS),
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
@pytest.mark.parametrize("case", SORTED_OR_PAIRED)
def test_rows_that_spark_reads_again_are_counted_once_or_not_at_all(etl: EtlJob, case: str) -> None:
    make, rows = SORTED_OR_PAIRED[case]
    with etl.run("again", on_error="log") as run:
        run.write(make(etl.orders), etl.target)
    sizes = [file.stat().st_size for file in files_below(etl.orders_path)]
    assert counts_in(etl.events.input(etl.orders_path)["inputStatistics"]) == (rows, sum(sizes), len(sizes))
    assert ("rows more than once" in etl.caplog.text) is (rows is None)


def test_a_scan_of_two_datasets_is_counted_for_neither(etl: EtlJob, run: SparkRun) -> None:
    other = str(etl.tmp_path / "other")
    etl.orders.limit(10).write.parquet(other)
    run.write(etl.spark.read.parquet(etl.orders_path, other), str(etl.tmp_path / "both"))
    run.write(etl.orders, str(etl.tmp_path / "one"))
    run.complete()
    assert etl.events.inputs == [etl.orders_path, other]
    assert "inputStatistics" not in etl.events.input(etl.orders_path)
    assert "inputStatistics" not in etl.events.input(other)


def test_a_count_that_is_no_longer_known_is_taken_back(etl: EtlJob, run: SparkRun) -> None:
    other = str(etl.tmp_path / "other")
    etl.orders.limit(10).write.parquet(other)
    run.write(etl.orders, str(etl.tmp_path / "one"))
    run.write(etl.spark.read.parquet(etl.orders_path, other), str(etl.tmp_path / "both"))
    run.write(etl.orders, str(etl.tmp_path / "two"))
    run.complete()
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count is None


@pytest.mark.check
@pytest.mark.parametrize("depth", [1, 30])
def test_a_scan_of_several_folders_of_one_dataset_is_counted(etl: EtlJob, run: SparkRun, depth: int) -> None:
    table = str(etl.tmp_path.joinpath(*["folder"] * depth, "by, day"))
    etl.orders.write.partitionBy("day").parquet(table)
    days = etl.spark.read.option("basePath", table).parquet(f"{table}/day=1", f"{table}/day=2")
    run.write(days, str(etl.tmp_path / "days"))
    run.complete()
    assert etl.events.inputs == [table]
    assert etl.events.input(table)["inputStatistics"].row_count == days.count()


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_cached_rows_are_not_counted_as_read(etl: EtlJob, run: SparkRun, is_shuffled: bool) -> None:
    cached = (etl.orders.groupBy(*etl.orders.columns).count() if is_shuffled else etl.orders).cache()
    try:
        cached.count()
        run.write(cached, etl.target)
        run.complete()
    finally:
        cached.unpersist()
    statistics = etl.events.input(etl.orders_path)["inputStatistics"]
    files = files_below(etl.orders_path)
    assert (statistics.row_count, statistics.file_count) == (None, len(files))
    assert statistics.size == sum(file.stat().st_size for file in files)
    assert etl.events.output(etl.target)["outputStatistics"].row_count == ORDERS


def test_the_files_of_a_cache_are_counted_once(etl: EtlJob, run: SparkRun) -> None:
    cached = etl.orders.cache()
    try:
        for number in range(3):
            run.write(cached, f"{etl.target}/{number}")
        run.complete()
    finally:
        cached.unpersist()
    statistics = etl.events.input(etl.orders_path)["inputStatistics"]
    assert (statistics.row_count, statistics.file_count) == (ORDERS, len(files_below(etl.orders_path)))


@pytest.mark.check
def test_appends_add_up_and_an_overwrite_resets_the_statistics(etl: EtlJob) -> None:
    def statistics_after(*modes: str) -> tuple[int, int, int]:
        emitted = Events()
        with SparkRun(etl.spark, "etl", "appends", emit=emitted, on_error="raise") as run:
            for mode in modes:
                run.write(etl.orders, etl.target, mode=mode)
        return counts_in(emitted.output(etl.target)["outputStatistics"])

    assert statistics_after("append", "append") == counts_at(etl.spark, etl.target)
    assert statistics_after("overwrite") == counts_at(etl.spark, etl.target)
    assert statistics_after("append", "overwrite", "append") == counts_at(etl.spark, etl.target)


def test_inputs_and_outputs_are_reported_before_a_write(etl: EtlJob) -> None:
    wrong = etl.orders.select(
        f.raise_error(f.concat(f.lit("no such "), "customer")).cast("int").alias("wrong")
    )
    with pytest.raises(Exception, match="no such"), etl.run("broken", on_error="log") as run:
        run.write(wrong, etl.target)
    assert etl.events.types == ["START", "RUNNING", "FAIL"]
    assert (etl.events[1].inputs[0].name, etl.events[1].outputs[0].name) == (etl.orders_path, etl.target)
    assert etl.events.outputs == [etl.target]
    assert "outputStatistics" not in etl.events.output(etl.target)


def test_running_events_are_limited_by_running_every(etl: EtlJob) -> None:
    def types(seconds: float) -> list[str]:
        emitted = Events()
        with SparkRun(etl.spark, "etl", "many", emit=emitted, running_every=seconds) as run:
            for number in range(3):
                run.write(etl.orders, str(etl.tmp_path / f"{seconds}-{number}"))
        return emitted.types

    assert types(60) == ["START", "RUNNING", "COMPLETE"]
    assert types(0) == ["START", *["RUNNING"] * 6, "COMPLETE"]


@pytest.mark.parametrize(
    ("before", "mode", "change"),
    [
        (None, "overwrite", "CREATE"),
        (None, "append", "CREATE"),
        (None, None, "CREATE"),
        ("append", "overwrite", "OVERWRITE"),
        ("append", "append", None),
    ],
)
def test_lifecycle_change_of_files(
    etl: EtlJob, run: SparkRun, before: str | None, mode: str | None, change: str | None
) -> None:
    if before:
        etl.spark.range(3).write.mode(before).parquet(etl.target)
    run.write(etl.spark.range(2), etl.target, mode=mode)
    run.complete()
    found = etl.events.output(etl.target).get("lifecycleStateChange")
    assert (found and found.lifecycle_state_change.value) == change


def test_a_write_that_ignores_an_existing_target_has_no_output(etl: EtlJob, run: SparkRun) -> None:
    etl.spark.range(3).write.parquet(etl.target)
    run.write(etl.spark.range(5), etl.target, mode="ignore")
    run.complete()
    assert etl.events.outputs == []
    assert etl.spark.read.parquet(etl.target).count() == 3


def test_overwriting_some_partitions_does_not_overwrite_the_dataset(etl: EtlJob, run: SparkRun) -> None:
    etl.orders.write.partitionBy("day").parquet(etl.target)
    monday = etl.orders.filter("day = 1")
    run.write(monday, etl.target, None, "overwrite", ["day"], partitionOverwriteMode="dynamic")
    run.complete()
    assert etl.spark.read.parquet(etl.target).count() == ORDERS
    assert "lifecycleStateChange" not in etl.events.output(etl.target)
    assert etl.events.output(etl.target)["outputStatistics"].row_count == monday.count()


@pytest.mark.check
@pytest.mark.parametrize(
    ("part", "mode", "rows"),
    [
        ("day=1", "overwrite", 2 * ORDERS),
        ("day=99", "overwrite", 2 * ORDERS),
        ("day=99", "ignore", 2 * ORDERS),
        ("day=1", "ignore", ORDERS),
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
    assert etl.events.output("daily")["outputStatistics"].row_count == ORDERS


CREATED_BESIDE_A_VIEW: dict[str, Callable[[DataFrame, str], object]] = {
    "saveAsTable": lambda df, name: df.write.mode("append").saveAsTable(name),
    "new": lambda df, name: df.write.saveAsTable(name),
    "create": lambda df, name: df.writeTo(name).using("parquet").create(),
}


@pytest.mark.check
@pytest.mark.parametrize("case", CREATED_BESIDE_A_VIEW)
def test_a_table_with_the_name_of_a_temporary_view_is_created(etl: EtlJob, case: str) -> None:
    etl.orders.createOrReplaceTempView("shadowed")
    try:
        with etl.run("create"):
            CREATED_BESIDE_A_VIEW[case](etl.spark.range(3).withColumnRenamed("id", "number"), "shadowed")
        facets = etl.events.output(_output_named(etl.events, "shadowed"))
        assert [field.name for field in facets["schema"].fields] == ["number"]
        assert facets["lifecycleStateChange"].lifecycle_state_change == "CREATE"
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


def test_column_lineage_schema_and_storage_of_an_output(etl: EtlJob, run: SparkRun) -> None:
    run.write(per_day(run.read(etl.orders)), etl.target, format="orc")
    run.complete()
    facets = etl.events.output(etl.target)
    sources = {name: field.input_fields[0].field for name, field in facets["columnLineage"].fields.items()}
    assert sources == {"day": "day", "amount": "amount"}
    assert [(field.name, field.type) for field in facets["schema"].fields] == [
        ("day", "integer"),
        ("amount", "double"),
    ]
    assert facets["storage"].file_format == "orc"
    assert len(etl.events.input(etl.orders_path)["schema"].fields) == 4


def test_column_lineage_of_two_appends_has_the_sources_of_both(etl: EtlJob, run: SparkRun) -> None:
    more, target = str(etl.tmp_path / "more"), str(etl.tmp_path / "all")
    etl.orders.limit(5).write.parquet(more)
    run.write(etl.orders, target)
    run.write(etl.spark.read.parquet(more), target, mode="append")
    run.complete()
    sources = etl.events.output(target)["columnLineage"].fields["amount"].input_fields
    assert [source.name for source in sources] == [etl.orders_path, more]


@pytest.mark.check
@pytest.mark.parametrize(
    ("before", "mode", "change", "rows"),
    [
        (False, None, "CREATE", 7),
        (False, "append", "CREATE", 7),
        (False, "overwrite", "CREATE", 7),
        (False, "ignore", "CREATE", 7),
        (True, "append", None, 10),
        (True, "overwrite", "OVERWRITE", 7),
    ],
)
@pytest.mark.parametrize("call", ["write", "write_jdbc"])
def test_lifecycle_change_of_a_jdbc_table(
    etl: EtlJob,
    run: SparkRun,
    request: pytest.FixtureRequest,
    call: str,
    before: bool,
    mode: str | None,
    change: str | None,
    rows: int,
) -> None:
    url, table = "jdbc:derby:memory:changes;create=true", f"T{abs(hash(request.node.name))}"
    if before:
        etl.spark.range(3).write.jdbc(url, table)
    if call == "write":
        run.write(etl.spark.range(7), format="jdbc", mode=mode, url=url, dbtable=table)
    else:
        run.write_jdbc(etl.spark.range(7), url, table, mode)
    run.complete()
    (output,) = etl.events.outputs
    found = etl.events.output(output).get("lifecycleStateChange")
    assert (found and found.lifecycle_state_change.value) == change
    assert etl.spark.read.jdbc(url, table).count() == rows


def test_a_jdbc_write_that_ignores_an_existing_table_has_no_output(etl: EtlJob, run: SparkRun) -> None:
    url = "jdbc:derby:memory:ignored;create=true"
    etl.spark.range(3).write.jdbc(url, "KEPT", "overwrite")
    run.write_jdbc(etl.spark.range(7), url, "KEPT", "ignore")
    run.complete()
    assert etl.events.outputs == []
    assert etl.spark.read.jdbc(url, "KEPT").count() == 3


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
    assert etl.events.output("CREATED")["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
    assert etl.spark.read.jdbc(url, "SALES").count() == 21


def test_output_statistics_of_a_jdbc_table(run: SparkRun, events: Events, orders: DataFrame) -> None:
    run.write_jdbc(orders, "jdbc:derby:memory:orders;create=true", "ORDERS", "overwrite")
    run.complete()
    (output,) = events.outputs
    assert events.output(output)["outputStatistics"].row_count == ORDERS


@pytest.mark.parametrize(
    "write",
    [
        lambda run, df, name: run.save_as_table(df, name),
        lambda run, df, name: run.save_as_table(df, name, mode="overwrite", partitionBy="day"),
        lambda run, df, name: run.sql(f"CREATE TABLE {name} USING parquet AS SELECT * FROM {{df}}", df=df),
    ],
    ids=["saveAsTable", "saveAsTable partitioned", "sql"],
)
def test_a_created_table(etl: EtlJob, run: SparkRun, write: Callable) -> None:
    try:
        write(run, etl.orders, "made")
        run.complete()
        facets = etl.events.output(_output_named(etl.events, "made"))
        assert facets["lifecycleStateChange"].lifecycle_state_change == "CREATE"
        assert facets["outputStatistics"].row_count == etl.spark.table("made").count() == ORDERS
        assert facets["symlinks"].identifiers[0].name.endswith("made")
        assert facets["columnLineage"].fields["amount"].input_fields[0].field == "amount"
    finally:
        etl.spark.sql("DROP TABLE IF EXISTS made")


@pytest.mark.check
@pytest.mark.parametrize(
    ("overwrite", "partitioned", "mode", "change"),
    [
        (False, False, "static", None),
        (True, False, "static", "OVERWRITE"),
        (True, False, "dynamic", "OVERWRITE"),
        (True, True, "static", "OVERWRITE"),
        (True, True, "dynamic", None),
    ],
)
def test_an_insert_into_a_table(
    etl: EtlJob, run: SparkRun, overwrite: bool, partitioned: bool, mode: str, change: str | None
) -> None:
    etl.spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    try:
        etl.orders.write.saveAsTable("filled", partitionBy="customer" if partitioned else None)
        run.insert_into(etl.orders.limit(10), "filled", overwrite)
        run.complete()
        facets = etl.events.output(_output_named(etl.events, "filled"))
        assert facets["outputStatistics"].row_count == 10
        found = facets.get("lifecycleStateChange")
        assert (found and found.lifecycle_state_change.value) == change
    finally:
        etl.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
        etl.spark.sql("DROP TABLE IF EXISTS filled")


def _output_named(events: Events, table: str) -> str:
    return next(name for name in events.outputs if name.endswith(table))


def test_a_failed_write_raises_the_same_error(spark: SparkSession, events: Events, target: str) -> None:
    spark.range(3).write.parquet(target)
    with pytest.raises(AnalysisException) as unwrapped:
        spark.range(3).write.save(target)
    with pytest.raises(AnalysisException) as raised, SparkRun(spark, "etl", "again", emit=events) as run:
        run.write(spark.range(3), target)
    assert str(raised.value) == str(unwrapped.value)
    assert events.types[-1] == "FAIL"
