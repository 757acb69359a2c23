"""Archives of events are read, judged and folded on Spark Connect as elsewhere."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.events import (
    fold_events,
    read_events,
    sift_archive,
    validate_events,
)
from tests.spark.events.archives import BAD, BLANK, GOOD, write_lines
from tests.spark.events.streams import event_with_lineage, folded, lines
from tests.spark.events.tables import told_by_state, told_by_tables


def test_every_line_is_a_row(spark: SparkSession, tmp_path: Path) -> None:
    written = [GOOD, *BAD.values(), *BLANK]
    paths = [write_lines(tmp_path / f"archive.ndjson{ending}", written) for ending in ("", ".gz", ".zst")]
    rows = read_events(spark, paths).collect()
    for path in paths:
        own = sorted((row for row in rows if row.file.endswith(path.name)), key=lambda row: row.line_number)
        assert [row.valid for row in own] == [True, *[False] * len(BAD), *[None] * len(BLANK)]
        assert [tuple(it) for it in own[0].inputs] == [("db", "orders")]
        assert all(row.findings for row in own[1 : 1 + len(BAD)])


def test_a_column_of_events_is_judged(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, GOOD), (2, b"{")], "offset long, value binary")
    rows = validate_events(frame, "value").orderBy("offset").collect()
    assert [(row.offset, row.valid) for row in rows] == [(1, True), (2, False)]


def test_a_fold_gives_what_memory_gives(spark: SparkSession) -> None:
    random = Random(20261121)
    events = [event_with_lineage(random) for _ in range(60)]
    frame = spark.createDataFrame(list(enumerate(lines(events))), "n long, line binary")
    tables = fold_events(frame.where("n % 2 = 0"), into=fold_events(frame.where("n % 2 = 1"))).cached()
    assert told_by_tables(tables) == told_by_state(folded(events))


def test_an_archive_is_counted_and_folders_say_where_they_can_be_written(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "archive.ndjson", [GOOD, *BAD.values(), *BLANK])
    sifted = sift_archive(spark, path)
    assert (sifted.lines, sifted.good, sifted.quarantined) == (1 + len(BAD) + len(BLANK), 1, len(BAD))
    with pytest.raises(ValueError, match=r"Spark Connect .* read_events\(\.\.\.\)"):
        sift_archive(spark, path, good=str(tmp_path / "good"))
    assert not (tmp_path / "good").exists()
