"""Delta and Iceberg tables, where OPENLINEAGE_FACETS_LAKE_JARS names a folder with their jars.

The jars must be for the Spark that runs: delta-spark, delta-storage and iceberg-spark-runtime.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

JARS = os.environ.get("OPENLINEAGE_FACETS_LAKE_JARS")

JOB = """
import json, sys
from pathlib import Path
from pyspark.sql import SparkSession
from openlineage_facets.spark.datasets import column_lineage_facet, inputs_of, table_target

folder, jars = sys.argv[1:]
extensions = (
    "io.delta.sql.DeltaSparkSessionExtension",
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
)
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
    .config("spark.jars", ",".join(map(str, Path(jars).glob("*.jar"))))
    .config("spark.sql.extensions", ",".join(extensions))
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
    .config("spark.sql.catalog.ice.type", "hadoop")
    .config("spark.sql.catalog.ice.warehouse", f"{folder}/ice")
    .getOrCreate()
)
new = table_target(spark, "ice.db.t", None, "iceberg")
spark.sql("CREATE TABLE ice.db.t (id BIGINT) USING iceberg")
spark.sql("INSERT INTO ice.db.t VALUES (1)")
snapshot = spark.sql("SELECT snapshot_id FROM ice.db.t.snapshots").first()[0]
spark.sql("INSERT INTO ice.db.t VALUES (2)")
for mode in ("overwrite", "append"):
    spark.range(3).write.format("delta").mode(mode).save(f"{folder}/delta")
spark.range(3).write.format("delta").saveAsTable("made")
frames = {
    "delta": spark.read.format("delta").load(f"{folder}/delta"),
    "delta before": spark.read.format("delta").option("versionAsOf", 0).load(f"{folder}/delta"),
    "delta table": spark.table("made"),
    "iceberg": spark.table("ice.db.t"),
    "iceberg before": spark.sql(f"SELECT * FROM ice.db.t VERSION AS OF {snapshot}"),
    "both": spark.sql("SELECT made.id FROM made JOIN ice.db.t USING (id)"),
}
found = {"snapshot": snapshot, "new": [new.namespace, new.name]}
for label, df in frames.items():
    found[label] = []
    for dataset in inputs_of(df):
        facets = {facet.__facet_key__: facet.to_dict() for facet in dataset.facets}
        found[label].append([dataset.namespace, dataset.name, facets])
    found[label].append(column_lineage_facet(df) is not None)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lake")


@pytest.fixture(scope="module")
def found(spark: object, folder: Path) -> Any:
    if JARS is None:
        pytest.skip("no jars: Delta and Iceberg are not checked; set OPENLINEAGE_FACETS_LAKE_JARS")
    command = [sys.executable, "-c", JOB, str(folder), JARS]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("label", "version"), [("delta", "1"), ("delta before", "0")])
def test_a_delta_table_by_its_path_has_the_version_read(
    found: Any, folder: Path, label: str, version: str
) -> None:
    (namespace, name, facets), columns = found[label]
    assert (namespace, name, columns) == ("file", f"{folder}/delta", True)
    assert set(facets) == {"schema", "dataSource", "storage", "version"}
    assert facets["storage"]["storageLayer"] == "delta"
    assert facets["version"]["datasetVersion"] == version


def test_a_delta_table_of_the_catalog_is_named_by_its_folder(found: Any, folder: Path) -> None:
    (namespace, name, facets), columns = found["delta table"]
    assert (namespace, name, columns) == ("file", f"{folder}/warehouse/made", True)
    assert {"version", "datasetType", "symlinks", "catalog"} <= set(facets)


@pytest.mark.parametrize("label", ["iceberg", "iceberg before"])
def test_an_iceberg_table_is_named_by_its_location(found: Any, folder: Path, label: str) -> None:
    (namespace, name, facets), columns = found[label]
    assert [namespace, name] == ["file", f"{folder}/ice/db/t"] == found["new"]
    assert columns
    assert facets["storage"]["storageLayer"] == "iceberg"
    assert facets["symlinks"]["identifiers"][0]["name"] == "db.t"
    assert facets["catalog"]["type"] == "hadoop"
    assert (facets["version"]["datasetVersion"] == str(found["snapshot"])) == (label == "iceberg before")


def test_tables_of_two_formats_join(found: Any) -> None:
    made, iceberg, columns = found["both"]
    assert (made[2]["storage"]["storageLayer"], iceberg[2]["storage"]["storageLayer"]) == ("delta", "iceberg")
    assert columns
