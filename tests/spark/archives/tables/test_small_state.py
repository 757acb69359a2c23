"""A small state, which the driver computes, has the same tables as one that Spark computes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.archives import LineageTables, fold_events, split_archive, splitting
from openlineage_facets.spark.archives.records.fold_records import PartialFold
from openlineage_facets.spark.archives.tables.small_state import parquet_tables
from tests.spark.archives.sample_archives import GOOD, write_lines
from tests.spark.archives.sample_events import event_with_lineage, folded, lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

SAVED = {"records", "jobs", "datasets", "runs", "facets", "edges", "column_edges"}


@pytest.mark.parametrize("seed", [1, 2])
def test_tables_equal_those_of_spark(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    events = [event_with_lineage(random) for _ in range(150)]
    records = []
    for part in (events[:100], events[70:]):
        fold = PartialFold()
        for event in part:
            fold.add(event, 0)
        records += fold.take()
    for name, content in parquet_tables(records):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.parquet").write_bytes(content)
    rows = [(line,) for line in lines(events)]
    by_spark = fold_events(spark.createDataFrame(rows, "line binary")).cached()
    assert {path.name for path in tmp_path.iterdir()} == SAVED
    for name in SAVED:
        table = spark.read.parquet(str(tmp_path / name))
        expected = getattr(by_spark, name)
        assert [(it.name, it.dataType.simpleString()) for it in table.schema] == [
            (it.name, it.dataType.simpleString()) for it in expected.schema
        ]
        assert _rows(table.collect()) == _rows(expected.collect()), name
    loaded = LineageTables.load(spark, tmp_path)
    assert tables_as_dict(loaded.cached()) == state_as_dict(folded(events))


def _rows(rows: list[Any]) -> list[str]:
    """Return rows as sorted text. Transformations are a set."""
    plain = (row.asDict(recursive=True) for row in rows)
    return sorted(
        repr({**row, "transformations": sorted(map(repr, row["transformations"]))})
        if "transformations" in row
        else repr(row)
        for row in plain
    )


def test_a_state_without_records_has_empty_tables(spark: SparkSession, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.ndjson", [b"{"])
    split_archive(spark, tmp_path / "in.ndjson", state=tmp_path / "state")
    assert {path.name for path in (tmp_path / "state").iterdir()} == SAVED
    for name in SAVED:
        assert spark.read.parquet(str(tmp_path / "state" / name)).count() == 0


@pytest.mark.parametrize("compression", ["none", "gzip"])
def test_small_states_need_no_jobs_and_large_ones_are_not_collected(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compression: str
) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD])
    jobs = {}
    for size in ("small", "large"):
        context = spark.sparkContext
        context.setJobGroup(size + compression, "split an archive")
        try:
            split_archive(spark, tmp_path / "in.ndjson", state=tmp_path / size, compression=compression)
        finally:
            context.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
        jobs[size] = len(context.statusTracker().getJobIdsForGroup(size + compression))
        monkeypatch.setattr(splitting, "_SMALL_STATE", (0, 0))
    # A job writes the lines, one reads the records and one the counts.
    assert jobs["small"] == 3
    # Instead of reading the records, two jobs merge them; then one to four write each table.
    assert 8 < jobs["large"] <= 20
    small, large = (tables_as_dict(LineageTables.load(spark, tmp_path / size)) for size in jobs)
    assert small == large
