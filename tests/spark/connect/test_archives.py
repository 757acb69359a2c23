"""Archives are read, validated and folded on Spark Connect."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.archives import (
    fold_events,
    read_events,
    split_archive,
    validate_events,
)
from tests.events import folded
from tests.spark.archives.sample_archives import BAD, BLANK, GOOD, write_lines
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

pytestmark = pytest.mark.check


def test_read_events_returns_a_row_per_line(spark: SparkSession, tmp_path: Path) -> None:
    written = [GOOD, *BAD.values(), *BLANK]
    paths = [write_lines(tmp_path / f"archive.ndjson{ending}", written) for ending in ("", ".gz", ".zst")]
    rows = read_events(spark, paths).collect()
    for path in paths:
        own = sorted((row for row in rows if row.file.endswith(path.name)), key=lambda row: row.line_number)
        assert [row.valid for row in own] == [True, *[False] * len(BAD), *[None] * len(BLANK)]
        assert [tuple(it) for it in own[0].inputs] == [("db", "orders")]
        assert all(row.findings for row in own[1 : 1 + len(BAD)])


@pytest.mark.thorough
def test_validate_events_validates_a_column(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, GOOD), (2, b"{")], "offset long, value binary")
    rows = validate_events(frame, "value").orderBy("offset").collect()
    assert [(row.offset, row.valid) for row in rows] == [(1, True), (2, False)]


@pytest.mark.thorough
def test_fold_equals_in_memory_state(spark: SparkSession) -> None:
    random = Random(20261121)
    events = [event_with_lineage(random) for _ in range(60)]
    frame = spark.createDataFrame(list(enumerate(lines(events))), "n long, line binary")
    tables = fold_events(frame.where("n % 2 = 0"), into=fold_events(frame.where("n % 2 = 1"))).cached()
    assert tables_as_dict(tables) == state_as_dict(folded(*events))


@pytest.mark.thorough
def test_split_counts_events_but_cannot_write_folders(spark: SparkSession, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "archive.ndjson", [GOOD, *BAD.values(), *BLANK])
    split = split_archive(spark, path)
    assert (split.lines, split.valid, split.quarantined) == (1 + len(BAD) + len(BLANK), 1, len(BAD))
    with pytest.raises(ValueError, match=r"Spark Connect .* read_events\(\.\.\.\)"):
        split_archive(spark, path, valid=str(tmp_path / "good"))
    assert not (tmp_path / "good").exists()
