"""What runs in a process with a Spark of its own, which has Delta and Iceberg: jobs, and what they told."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun

EXTENSIONS = (
    "io.delta.sql.DeltaSparkSessionExtension",
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
)
ORDERS = [(1, "a", 10), (2, "b", 20), (3, "c", 30)]

Facets = dict[str, Any]
Job = Callable[[SparkSession, SparkRun, str], None]
"""What a job does in a run, with the folder that everything lies in."""


@dataclass(frozen=True)
class Table:
    """A table of the tests.

    Args:
        layer: Its format.
        name: How SQL calls it; `{folder}` stands for the folder of the tests.
        place: Where it lies, below that folder.
        properties: What it is created with.
    """

    layer: str
    name: str
    place: str
    properties: str = ""

    @property
    def merges_on_read(self) -> bool:
        """Whether a change of rows adds files that say which rows are gone."""
        return "merge-on-read" in self.properties


@dataclass(frozen=True)
class Told:
    """What a job told, and what it did.

    Args:
        inputs: The facets of each input, by its name.
        outputs: Those of each output.
        version: The version of the table before it, and after.
        added: Rows, bytes and files of the data files that it has added to the table.
        rows: What the table holds now.
    """

    inputs: dict[str, Facets] = field(default_factory=dict)
    outputs: dict[str, Facets] = field(default_factory=dict)
    version: tuple[str | None, str | None] = (None, None)
    added: tuple[int, int, int] = (0, 0, 0)
    rows: list[tuple[Any, ...]] = field(default_factory=list)


def start(folder: str, jars: Sequence[str], java_home: str) -> None:
    """Start Spark, in the process where jobs will run."""
    os.environ["JAVA_HOME"] = java_home
    os.chdir(folder)
    settings = {
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.jars": ",".join(jars),
        "spark.databricks.delta.snapshotPartitions": 1,
        "spark.sql.adaptive.enabled": False,
        "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": f"{folder}/ice",
        "spark.sql.catalog.listed": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.listed.jdbc.schema-version": "V1",
        "spark.sql.catalog.listed.type": "jdbc",
        "spark.sql.catalog.listed.uri": "jdbc:derby:memory:listed;create=true",
        "spark.sql.catalog.listed.warehouse": f"{folder}/listed",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": False,
        "spark.sql.extensions": ",".join(EXTENSIONS),
        "spark.sql.shuffle.partitions": 1,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, str(value))
    spark = builder.getOrCreate()
    orders = spark.createDataFrame(ORDERS, "id int, name string, amount int")
    orders.coalesce(1).write.parquet(f"{folder}/orders")
    spark.read.parquet(f"{folder}/orders").createOrReplaceTempView("orders")


def do(job: Job, folder: str, table: Table) -> Told:
    """Do a job in a run, and return what the run told and what became of the table."""
    spark = SparkSession.getActiveSession()
    assert spark is not None
    place, events = Path(folder, table.place), list[RunEvent]()
    before, files = version_of(place), data_files(place)
    try:
        with SparkRun(spark, "etl", "lake", emit=events.append, on_error="raise") as run:
            job(spark, run, folder)
    except Exception:  # one of Spark does not go to another process
        raise AssertionError(traceback.format_exc()) from None
    new = data_files(place) - files
    return Told(
        told_of(events, "inputs"),
        told_of(events, "outputs"),
        (before, version_of(place)),
        (
            sum(pq.read_metadata(file).num_rows for file in new),
            sum(file.stat().st_size for file in new),
            len(new),
        ),
        sorted(tuple(row) for row in spark.table(table.name.format(folder=folder)).collect()),
    )


def statement(text: str, spark: SparkSession, run: SparkRun, folder: str) -> None:
    """Run a statement, which is a job."""
    run.sql(text.format(folder=folder))


def told_of(events: Sequence[RunEvent], side: str) -> dict[str, Facets]:
    """Return what events tell of each dataset in the end, by its name."""
    told: dict[str, Facets] = {}
    for event in events:
        for dataset in json.loads(event.to_json()).get(side, []):
            assert dataset["namespace"] == "file", dataset
            facets = told.setdefault(dataset["name"], {})
            for key in ("facets", "inputFacets", "outputFacets"):
                facets.update(dataset.get(key, {}))
    return told


def version_of(place: Path) -> str | None:
    """Return the newest version of a table, as its files tell."""
    delta = sorted(place.glob("_delta_log/*.json"))
    if delta:
        return str(int(delta[-1].stem))
    iceberg = sorted(place.glob("metadata/*.metadata.json"), key=number_of)
    return str(json.loads(iceberg[-1].read_text())["current-snapshot-id"]) if iceberg else None


def number_of(metadata: Path) -> int:
    """Return the number of a file of metadata: `v3.metadata.json`, or `00003-` and an id."""
    return int(metadata.name.lstrip("v").replace("-", ".").partition(".")[0])


def data_files(place: Path) -> set[Path]:
    """Return the files that hold rows of a table, of any of its versions."""
    log = place / "_delta_log"
    return {
        file
        for file in place.rglob("*.parquet")
        if not file.is_relative_to(log) and not file.stem.endswith("-deletes")
    }
