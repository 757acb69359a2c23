"""The table of sources in docs/spark-datasets.md: datasets, facets and column lineage of each."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.conftest import ROOT

DERBY = "jdbc:derby:memory:shop;create=true"
DERBY_DRIVER = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}
PROXY = "org.apache.hadoop.fs.ProxyLocalFileSystem"
"""A file system in Spark's jars that maps any scheme to the local disk."""


class Row(NamedTuple):
    """A row of the documented table."""

    source: str
    facets: set[str]
    columns: bool


def table_of(document: Path) -> list[Row]:
    rows = re.findall(
        r"^\| `([\w-]+)` \|.*\|([^|]*)\| (yes|no) \|$", document.read_text("utf-8"), re.MULTILINE
    )
    return [
        Row(source, {facet for facet in facets.strip().split(", ") if facet}, columns == "yes")
        for source, facets, columns in rows
    ]


pytestmark = pytest.mark.usefixtures("without_code_generation")

TABLE = table_of(ROOT / "docs" / "spark-datasets.md")

Identity = tuple[str, str]
Case = Callable[[SparkSession, Path], tuple[DataFrame, list[Identity]]]
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Register a function as the test case of the row with its name."""
    CASES[function.__name__.replace("_", "-")] = function  # type: ignore[attr-defined]
    return function


@pytest.fixture(autouse=True)
def _catalog_is_empty_afterwards(spark: SparkSession) -> Iterator[None]:
    yield
    for view in ("shop_view", "shop_temporary"):
        spark.catalog.dropTempView(view)
        spark.sql(f"DROP VIEW IF EXISTS {view}")
    spark.sql("DROP TABLE IF EXISTS shop_orders")
    spark.catalog.clearCache()


@pytest.fixture(scope="module")
def written(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three kinds of files in it."""
    folder = tmp_path_factory.mktemp("written")
    rows = "VALUES (1L, 10L, 1), (2L, 20L, 2) AS orders (customer, amount, day)"
    orders = spark.sql(f"SELECT * FROM {rows}").coalesce(1)
    orders.write.partitionBy("day").orc(str(folder / "partitioned"))
    orders.write.parquet(str(folder / "orders"))
    shutil.copytree(folder / "orders", folder / "returns")
    (folder / "notes").mkdir()
    for name in ("one", "two"):
        (folder / "notes" / f"{name}.txt").write_text('{"a": 1}\n')
    return folder


@pytest.fixture
def lake(written: Path, tmp_path: Path) -> Path:
    """A copy of the folder, which a test may change."""
    return shutil.copytree(written, tmp_path, dirs_exist_ok=True)


def orders_of(spark: SparkSession, lake: Path) -> DataFrame:
    return spark.read.parquet(str(lake / "orders"))


ON_THE_SESSION = [row for row in TABLE if row.source != "hive-table"]
"""The catalog of a session cannot change, so Hive is tested in a separate process."""


@pytest.mark.parametrize("row", ON_THE_SESSION, ids=[row.source for row in ON_THE_SESSION])
def test_source_matches_the_documented_table(spark: SparkSession, lake: Path, row: Row) -> None:
    df, expected = CASES[row.source](spark, lake)
    found = inputs_of(df)
    assert [(dataset.namespace, dataset.name) for dataset in found] == expected
    for dataset in found:
        assert {facet.__facet_key__ for facet in dataset.facets} == row.facets
    assert (column_lineage_facet(df) is not None) == row.columns


def test_every_source_is_documented() -> None:
    assert [row.source for row in ON_THE_SESSION] == list(CASES)


@case
def folder(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return orders_of(spark, lake), [("file", f"{lake}/orders")]


@case
def single_file(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return spark.read.csv(f"{lake}/notes/one.txt"), [("file", f"{lake}/notes/one.txt")]


@case
def files_of_a_folder(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    files = [f"{lake}/notes/one.txt", f"{lake}/notes/two.txt"]
    return spark.read.json(files), [("file", f"{lake}/notes")]


@case
def several_folders(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = spark.read.parquet(f"{lake}/orders", f"{lake}/returns")
    return df, [("file", f"{lake}/orders"), ("file", f"{lake}/returns")]


@case
def pattern(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return spark.read.text(f"{lake}/notes/*.txt"), [("file", f"{lake}/notes")]


@case
def partition(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return spark.read.orc(f"{lake}/partitioned/day=1"), [("file", f"{lake}/partitioned")]


@case
def base_path(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    reader = spark.read.option("basePath", f"{lake}/partitioned")
    return reader.orc(f"{lake}/partitioned/day=1"), [("file", f"{lake}/partitioned")]


@case
def strange_names(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    name = f"{lake}/a b%20c+d#é/注文"
    spark.range(1).write.parquet(name)
    return spark.read.parquet(name), [("file", name)]


@case
def v2_files(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    before = spark.conf.get("spark.sql.sources.useV1SourceList")
    spark.conf.set("spark.sql.sources.useV1SourceList", "")
    try:
        return orders_of(spark, lake), [("file", f"{lake}/orders")]
    finally:
        spark.conf.set("spark.sql.sources.useV1SourceList", str(before))


def in_store(spark: SparkSession, lake: Path, scheme: str, authority: str) -> DataFrame:
    spark.sparkContext._jsc.hadoopConfiguration().set(f"fs.{scheme}.impl", PROXY)  # type: ignore[union-attr]
    return spark.read.parquet(f"{scheme}://{authority}{lake}/orders")


@case
def s3a(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = in_store(spark, lake, "s3a", "lake").union(in_store(spark, lake, "s3n", "lake"))
    return df, [("s3://lake", f"{lake}/orders"[1:])]


@case
def gs(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return in_store(spark, lake, "gs", "lake"), [("gs://lake", f"{lake}/orders"[1:])]


@case
def abfss(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    container = "lake@acme.dfs.core.windows.net"
    return in_store(spark, lake, "abfss", container), [(f"abfss://{container}", f"{lake}/orders")]


@case
def hdfs(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = in_store(spark, lake, "hdfs", "namenode:8020")
    return df, [("hdfs://namenode:8020", f"{lake}/orders")]


@case
def managed_table(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    orders_of(spark, lake).write.saveAsTable("shop_orders")
    warehouse = str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:")
    df = spark.table("shop_orders")
    symlink = symlink_of(df)
    assert symlink == (f"file:{warehouse}", "default.shop_orders")
    return df, [("file", f"{warehouse}/shop_orders")]


@case
def external_table(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    orders_of(spark, lake).write.saveAsTable("shop_orders", path=f"{lake}/elsewhere")
    df = spark.table("default.shop_orders")
    assert symlink_of(df)[1] == "default.shop_orders"
    return df, [("file", f"{lake}/elsewhere")]


def symlink_of(df: DataFrame) -> Identity:
    [symlink] = [facet for facet in inputs_of(df)[0].facets if facet.__facet_key__ == "symlinks"]
    [identifier] = symlink.identifiers  # type: ignore[attr-defined]
    assert identifier.type == "TABLE"
    return identifier.namespace, identifier.name


@case
def temporary_view(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    orders_of(spark, lake).where("amount > 1").createOrReplaceTempView("shop_temporary")
    return spark.sql("SELECT customer FROM shop_temporary"), [("file", f"{lake}/orders")]


@case
def view(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    orders_of(spark, lake).write.saveAsTable("shop_orders", path=f"{lake}/elsewhere")
    spark.sql("CREATE VIEW shop_view AS SELECT amount * 2 AS twice FROM shop_orders")
    return spark.table("shop_view"), [("file", f"{lake}/elsewhere")]


@case
def cached(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = orders_of(spark, lake).select("amount").cache()
    df.count()
    return df.where("amount > 1"), [("file", f"{lake}/orders")]


@case
def self_join(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    orders = orders_of(spark, lake)
    return orders.alias("l").join(orders.alias("r"), "customer"), [("file", f"{lake}/orders")]


@case
def union(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = orders_of(spark, lake).union(spark.read.parquet(f"{lake}/returns"))
    return df, [("file", f"{lake}/orders"), ("file", f"{lake}/returns")]


@case
def subquery(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = spark.sql(
        f"SELECT amount - (SELECT max(amount) FROM parquet.`{lake}/returns`) FROM parquet.`{lake}/orders` "
        f"WHERE customer IN (SELECT customer FROM orc.`{lake}/partitioned`)"
    )
    return df, [("file", f"{lake}/{name}") for name in ("orders", "returns", "partitioned")]


@case
def common_table_expression(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    query = f"WITH large AS (SELECT * FROM parquet.`{lake}/orders` WHERE amount > 5) "
    query += "SELECT l.amount FROM large l JOIN large r USING (customer)"
    return spark.sql(query), [("file", f"{lake}/orders")]


def with_table(spark: SparkSession, table: str) -> None:
    spark.sparkContext._jvm.System.setProperty("derby.stream.error.file", "/dev/null")  # type: ignore
    rows = spark.sql("SELECT 1L AS id, 'ana' AS name")
    rows.write.jdbc(DERBY, table, mode="overwrite", properties=DERBY_DRIVER)


@case
def jdbc_table(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    with_table(spark, "APP.CUSTOMERS")
    secret = {"user": "app", "password": "hush", **DERBY_DRIVER}
    df = spark.read.jdbc(DERBY, "APP.CUSTOMERS", properties=secret)
    assert "hush" not in repr(inputs_of(df))
    return df, [("derby:memory:shop", "APP.CUSTOMERS")]


@case
def jdbc_query(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    with_table(spark, "APP.CUSTOMERS")
    with_table(spark, "APP.OTHERS")
    query = (
        """SELECT c.* FROM "APP"."CUSTOMERS" c JOIN APP.OTHERS o ON c."id" = o."id" WHERE 'FROM x' <> ''"""
    )
    df = spark.read.format("jdbc").options(url=DERBY, query=query, **DERBY_DRIVER).load()
    return df, [("derby:memory:shop", "APP.CUSTOMERS"), ("derby:memory:shop", "APP.OTHERS")]


@case
def jdbc_catalog(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    with_table(spark, "APP.CUSTOMERS")
    catalog = "spark.sql.catalog.shop"
    spark.conf.set(catalog, "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    spark.conf.set(f"{catalog}.url", DERBY)
    spark.conf.set(f"{catalog}.driver", DERBY_DRIVER["driver"])
    return spark.table("shop.APP.CUSTOMERS"), [("derby:memory:shop", "APP.CUSTOMERS")]


@case
def file_stream(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    df = spark.readStream.schema("customer long, amount long").parquet(f"{lake}/orders")
    return df.where("amount > 1"), [("file", f"{lake}/orders")]


@case
def foreach_batch(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    seen: list[DataFrame] = []
    stream = spark.readStream.schema("customer long, amount long").parquet(f"{lake}/orders")
    writer = stream.writeStream.option("checkpointLocation", f"{lake}/state").trigger(availableNow=True)
    writer.foreachBatch(lambda df, _: seen.append(df)).start().awaitTermination()
    return seen[0], [("file", f"{lake}/orders")]


@case
def rdd(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    mapped = orders_of(spark, lake).rdd.map(tuple)
    return spark.createDataFrame(mapped, "customer long, amount long, day int"), [("file", f"{lake}/orders")]


@case
def values(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return spark.createDataFrame([(1,)], "id long").join(spark.range(3), "id"), []


@case
def checkpoint(spark: SparkSession, lake: Path) -> tuple[DataFrame, list[Identity]]:
    return orders_of(spark, lake).localCheckpoint(), []


HIVE = """
import json, sys
from pyspark.sql import SparkSession
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.targets import table_target
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

folder = sys.argv[1]
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
    .config("spark.hadoop.javax.jdo.option.ConnectionURL", f"jdbc:derby:{folder}/metastore;create=true")
    .enableHiveSupport()
    .getOrCreate()
)
spark.sql("CREATE TABLE plain (id INT COMMENT 'the key', name VARCHAR(10)) STORED AS TEXTFILE")
spark.sql("CREATE TABLE parted (id INT) PARTITIONED BY (day STRING) STORED AS ORC")
found = []
for table in ("plain", "parted"):
    df = spark.table(table)
    [dataset] = inputs_of(df)
    facets = {facet.__facet_key__: facet.to_dict() for facet in dataset.facets}
    same = table_target(spark, table) == dataset
    found.append([dataset.namespace, dataset.name, facets, column_lineage_facet(df) is not None, same])
events = []
with SparkRun(spark, "etl", "export", emit=events.append):
    spark.sql("INSERT INTO plain VALUES (1, 'a')")
    spark.sql(f"INSERT OVERWRITE LOCAL DIRECTORY '{folder}/text' ROW FORMAT DELIMITED SELECT id FROM plain")
    spark.sql(f"INSERT OVERWRITE DIRECTORY '{folder}/orc' STORED AS ORC SELECT id FROM plain")
print(json.dumps([found, [output.to_dict() for output in events[-1].outputs]]))
"""


@pytest.fixture(scope="module")
def with_hive(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Return the folder and the output of a program that uses tables of Hive."""
    folder = tmp_path_factory.mktemp("hive")
    done = subprocess.run(
        [sys.executable, "-c", HIVE, str(folder)], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


@pytest.mark.check
def test_folders_written_by_hive_are_outputs(with_hive: tuple[Path, Any]) -> None:
    folder, (_, outputs) = with_hive
    assert [(output["namespace"], output["name"]) for output in outputs] == [
        ("file", f"{folder}/{name}") for name in ("warehouse/plain", "text", "orc")
    ]
    for output, file_format in zip(outputs[1:], ("text", "orc"), strict=True):
        facets = output["facets"]
        assert facets["storage"]["fileFormat"] == file_format
        assert [field["name"] for field in facets["schema"]["fields"]] == ["id"]
        assert list(facets["columnLineage"]["fields"]) == ["id"]
        assert facets["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"


@pytest.mark.check
def test_hive_table_matches_the_documented_table(with_hive: tuple[Path, Any]) -> None:
    folder, (found, _) = with_hive
    [row] = [row for row in TABLE if row.source == "hive-table"]
    for (table, file_format), (namespace, name, facets, columns, same) in zip(
        (("plain", "text"), ("parted", "orc")), found, strict=True
    ):
        assert (namespace, name) == ("file", f"{folder}/warehouse/{table}")
        assert set(facets) == row.facets
        assert columns == row.columns
        assert same, "written to, it is the same dataset"
        assert (facets["storage"]["storageLayer"], facets["storage"]["fileFormat"]) == ("hive", file_format)
        assert facets["symlinks"]["identifiers"][0]["name"] == f"default.{table}"
    assert found[0][2]["schema"]["fields"][0]["description"] == "the key"
    assert found[0][2]["schema"]["fields"][1]["type"] == "varchar(10)"
