"""Run jobs in a process whose Spark has Delta and Iceberg, and return the captured lineage."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun
from tests.spark.lake.session import running_session

ORDERS = [(1, "a", 10), (2, "b", 20), (3, "c", 30)]

Facets = dict[str, Any]
Job = Callable[[SparkSession, SparkRun, str], None]
"""A job, called with the session, the run and the folder of all files."""


@dataclass(frozen=True)
class Table:
    """A table.

    Args:
        layer: The table format.
        name: The SQL name, in which `{folder}` is replaced by the folder of the tests.
        place: The location below that folder.
        properties: The table properties.
    """

    layer: str
    name: str
    place: str
    properties: str = ""

    @property
    def merges_on_read(self) -> bool:
        """Whether row changes add delete files."""
        return "merge-on-read" in self.properties


def delta_at(place: str) -> Table:
    """Return the Delta table in a folder."""
    return Table("delta", f"delta.`{{folder}}/{place}`", place)


def files_at(place: str) -> Table:
    """Return a folder of Parquet files."""
    return Table("file", f"parquet.`{{folder}}/{place}`", place)


@dataclass(frozen=True)
class Captured:
    """Captured lineage and effects of a job.

    Args:
        inputs: The facets of each input, by its name.
        outputs: Those of each output.
        version: The version of the table before it, and after.
        added: Rows, bytes and number of the data files that it added.
        before: Rows of the table before it, and bytes and number of its data files.
        rows: The rows of the table afterwards.
    """

    inputs: dict[str, Facets] = field(default_factory=dict)
    outputs: dict[str, Facets] = field(default_factory=dict)
    version: tuple[str | None, str | None] = (None, None)
    added: tuple[int, int, int] = (0, 0, 0)
    before: tuple[int, int, int] = (0, 0, 0)
    rows: list[tuple[Any, ...]] = field(default_factory=list)


_contents: dict[str, tuple[int, int, int]] = {}
"""Rows of each table by its place, and bytes and number of its data files, after the last job."""


def write_orders(folder: str) -> None:
    """Write the input of the jobs, and create a view of it."""
    spark = running_session()
    orders = spark.createDataFrame(ORDERS, "id int, name string, amount int")
    orders.coalesce(1).write.parquet(f"{folder}/orders")
    spark.read.parquet(f"{folder}/orders").createOrReplaceTempView("orders")


def do(job: Job, folder: str, table: Table) -> Captured:
    """Run a job and return the captured lineage and the effects on the table."""
    spark = running_session()
    place, events = Path(folder, table.place), list[RunEvent]()
    before, files = version_of(place), data_files(place)
    content = _contents.get(table.place, (0, 0, 0))
    try:
        with SparkRun(spark, "etl", "lake", emit=events.append, on_error="raise") as run:
            job(spark, run, folder)
    except Exception:  # Spark's errors cannot be pickled.
        raise AssertionError(traceback.format_exc()) from None
    new = data_files(place) - files
    rows = spark.table(table.name.format(folder=folder)).collect()
    current = current_files(spark, table, folder)
    _contents[table.place] = len(rows), sum(file.stat().st_size for file in current), len(current)
    return Captured(
        facets_by_dataset(events, "inputs"),
        facets_by_dataset(events, "outputs"),
        (before, version_of(place)),
        (
            sum(pq.read_metadata(file).num_rows for file in new),
            sum(file.stat().st_size for file in new),
            len(new),
        ),
        content,
        sorted(tuple(row) for row in rows),
    )


def statement(text: str, spark: SparkSession, run: SparkRun, folder: str) -> None:
    """Run a SQL statement as a job."""
    run.sql(text.format(folder=folder))


def facets_by_dataset(events: Sequence[RunEvent], side: str) -> dict[str, Facets]:
    """Return the final facets of each dataset by its name."""
    captured: dict[str, Facets] = {}
    for event in events:
        for dataset in json.loads(event.to_json()).get(side, []):
            assert dataset["namespace"] == "file", dataset
            facets = captured.setdefault(dataset["name"], {})
            for key in ("facets", "inputFacets", "outputFacets"):
                facets.update(dataset.get(key, {}))
    return captured


def current_files(spark: SparkSession, table: Table, folder: str) -> list[Path]:
    """Return the data files of the newest version of a table; none if it has no versions."""
    if version_of(Path(folder, table.place)) is None:
        return []
    name = table.name.format(folder=folder)
    if table.layer == "iceberg":
        rows = spark.sql(f"SELECT file_path FROM {name}.files WHERE content = 0").collect()
        paths = [row.file_path for row in rows]
    else:
        paths = spark.table(name).inputFiles()
    return [Path(unquote(path.removeprefix("file:")).replace("///", "/")) for path in paths]


def version_of(place: Path) -> str | None:
    """Return the newest version of a table from its files."""
    delta = sorted(place.glob("_delta_log/*.json"))
    if delta:
        return str(int(delta[-1].stem))
    iceberg = sorted(place.glob("metadata/*.metadata.json"), key=number_of)
    return str(json.loads(iceberg[-1].read_text())["current-snapshot-id"]) if iceberg else None


def number_of(metadata: Path) -> int:
    """Return the number of a metadata file, such as `v3.metadata.json` or `00003-ID.metadata.json`."""
    return int(metadata.name.lstrip("v").replace("-", ".").partition(".")[0])


def data_files(place: Path) -> set[Path]:
    """Return the data files of all versions of a table."""
    log = place / "_delta_log"
    return {
        file
        for file in place.rglob("*.parquet")
        if not file.is_relative_to(log) and not file.stem.endswith("-deletes")
    }
