"""States that the driver or tasks save as files have the same tables as those that Spark writes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from openlineage_facets.spark.archives import LineageTables, fold_events, split_archive
from openlineage_facets.spark.archives.file_system import FileSystem
from openlineage_facets.spark.archives.folding import PartialFold
from openlineage_facets.spark.archives.record import packed_records
from openlineage_facets.spark.archives.tables import saved_state
from openlineage_facets.spark.archives.tables.saved_state import (
    files_of_merged_records,
    files_of_packed_records,
    files_of_records,
    write_files,
)
from tests.events import folded
from tests.spark.archives.sample_archives import GOOD, write_lines
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_code_generation")]

SAVED = {"records", "jobs", "datasets", "runs", "facets", "edges", "column_edges"}


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_tables_equal_those_of_spark(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    events = [event_with_lineage(random) for _ in range(60)]
    parts = []
    for part in (events[:40], events[30:]):
        fold = PartialFold()
        for event in part:
            fold.add(event, 0)
        parts.append(list(fold.take()))
    packed = [(it.text,) for records in parts for it in packed_records(records)]
    table = spark.createDataFrame([(line,) for line in lines(events)], "line binary")
    by_spark = fold_events(table).cached()
    write_files(FileSystem(spark), str(tmp_path / "driver"), files_of_records(chain(*parts)))
    merged = files_of_packed_records(spark.createDataFrame(packed, "value string"))
    write_files(FileSystem(spark), str(tmp_path / "one job"), merged)
    write_files(FileSystem(spark), str(tmp_path / "tasks"), files_of_merged_records(by_spark.records))
    by_spark.records.write.parquet(str(tmp_path / "tasks" / "records"))
    expected = {name: getattr(by_spark, name) for name in SAVED}
    rows = {
        name: sorted(repr(row.asDict(recursive=True)) for row in table.collect())
        for name, table in expected.items()
    }
    for saved in tmp_path.iterdir():
        assert {path.name for path in saved.iterdir()} == SAVED
        for name in SAVED:
            table = pq.read_table(saved / name)
            assert [(it.name, it.dataType.simpleString()) for it in from_arrow_schema(table.schema)] == [
                (it.name, it.dataType.simpleString()) for it in expected[name].schema
            ]
            assert sorted(map(repr, table.to_pylist())) == rows[name], name


def test_a_state_is_saved_to_a_new_folder_and_only_if_it_is_complete(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = fold_events(spark.createDataFrame([(GOOD,)], "line binary")).cached()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="/file: already exists; remove it or choose another folder"):
        tables.save(tmp_path / "file")
    with pytest.raises(NotADirectoryError, match="expected a folder at /.*/file, found a file"):
        tables.save(tmp_path / "file" / "state")
    (tmp_path / "state" / "jobs").mkdir(parents=True)
    with pytest.raises(FileExistsError):
        tables.save(tmp_path / "state")
    assert [path.name for path in (tmp_path / "state").rglob("*")] == ["jobs"]

    def fail(*arguments: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(saved_state, "write_files", fail)
    with pytest.raises(OSError, match="no space left"):
        tables.save(f"{tmp_path}/more/")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "state"]
    monkeypatch.undo()
    assert tables.save(f"{tmp_path}/more/").jobs.count() == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "more", "state"]


@pytest.mark.parametrize("limits", [(32, 256), pytest.param((-1, -1), marks=pytest.mark.thorough)])
def test_a_state_without_records_has_empty_tables(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int]
) -> None:
    write_lines(tmp_path / "in.ndjson", [b"{"])
    for name, limit in zip(("_IN_DRIVER", "_IN_ONE_JOB"), limits, strict=True):
        monkeypatch.setattr(saved_state, name, limit)
    split_archive(spark, tmp_path / "in.ndjson", state=tmp_path / "state")
    assert {path.name for path in (tmp_path / "state").iterdir()} == SAVED
    for name in SAVED:
        assert pq.read_table(tmp_path / "state" / name).num_rows == 0


@pytest.mark.thorough
def test_small_states_need_few_jobs(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD])

    def jobs(name: str) -> int:
        def split() -> None:
            split_archive(spark, tmp_path / "in.ndjson", state=tmp_path / name, compression="gzip")

        return _jobs(spark, name, split)

    # A job writes the lines, one reads the records and one the counts.
    assert jobs("small") == 3
    monkeypatch.setattr(saved_state, "_IN_DRIVER", 0)
    # The job that reads the records has another stage, in which they are merged.
    assert jobs("medium") <= 4
    monkeypatch.setattr(saved_state, "_IN_ONE_JOB", 0)
    # Two jobs merge the records and save them; one returns the files of the other tables.
    assert jobs("large") <= 6
    small, *others = (
        tables_as_dict(LineageTables.load(spark, tmp_path / name)) for name in ("small", "medium", "large")
    )
    assert others == [small, small]


@pytest.mark.thorough
def test_large_tables_are_not_collected(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = spark.createDataFrame([(GOOD,)], "line binary")
    assert _jobs(spark, "collect", lambda: _save(events, tmp_path / "collected")) <= 4
    monkeypatch.setattr(saved_state, "_COLLECTED_BYTES", 0)
    # One to four write each table.
    assert 6 < _jobs(spark, "write", lambda: _save(events, tmp_path / "written")) <= 20
    collected, written = (
        tables_as_dict(LineageTables.load(spark, tmp_path / name)) for name in ("collected", "written")
    )
    assert collected == written


def _save(events: DataFrame, path: Path) -> None:
    fold_events(events).save(path)


@pytest.mark.thorough
def test_a_fold_into_a_small_state_needs_few_jobs(spark: SparkSession, tmp_path: Path) -> None:
    events = [event_with_lineage(Random(7)) for _ in range(60)]
    parts = {"first": events[:40], "more": events[30:]}
    for name, part in parts.items():
        write_lines(tmp_path / f"{name}.ndjson", lines(part))
    split_archive(spark, tmp_path / "first.ndjson", state=tmp_path / "state of 1 day")
    earlier = LineageTables.load(spark, tmp_path / "state of 1 day")

    def fold_more() -> None:
        split_archive(spark, tmp_path / "more.ndjson", state=tmp_path / "both", into=earlier)

    assert _jobs(spark, "fold more", fold_more) == 4
    both = LineageTables.load(spark, tmp_path / "both")
    assert tables_as_dict(both.cached()) == state_as_dict(folded(*events))


def _jobs(spark: SparkSession, group: str, function: Callable[[], None]) -> int:
    """Return the number of Spark jobs of a function."""
    context = spark.sparkContext
    context.setJobGroup(group, group)
    try:
        function()
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    return len(context.statusTracker().getJobIdsForGroup(group))
