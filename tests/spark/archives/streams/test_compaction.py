"""compact_stream: few files, in which each line is exactly once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.archives import compact_stream, streams
from tests.spark.archives.sample_archives import BAD, GOOD, write_lines
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.streams.stream_output import lines_in, quarantined_in, split_lines
from tests.spark.archives.streams.test_streams import fail_after_steps, run, write_batch

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_code_generation")]


@pytest.mark.parametrize(
    ("sizes", "groups"),
    [
        ([], []),
        ([1], []),
        ([1, 2], [[0, 1]]),
        ([9, 9], []),
        ([1, 1, 9], [[0, 1]]),
        ([1, 1, 9, 1, 1, 1, 9, 9, 1, 9, 1, 1], [[0, 1], [3, 4, 5], [10, 11]]),
    ],
)
def test_small_folders_next_to_each_other_are_merged_also_before_a_large_one(
    sizes: list[int], groups: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_FILE_BYTES", 9)
    merged = streams.mergeable(enumerate(sizes))
    assert [[batch for batch, _ in group] for group in merged] == groups


def batches_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("batch=*"))


@pytest.mark.thorough
def test_failures_at_any_step_lose_and_repeat_nothing(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(3)
    every = [*lines([event_with_lineage(random) for _ in range(12)]), GOOD, GOOD, *BAD.values()]
    out = tmp_path / "out"
    for number in range(3):
        write_batch(tmp_path / "in", number, [*every[number::4]])
    run(spark, tmp_path)
    failures = 0
    with monkeypatch.context() as patch:
        steps_left = fail_after_steps(patch)
        while True:
            steps_left[0] = failures
            try:
                compact_stream(spark, out)
            except OSError:
                failures += 1
            else:
                break
    assert failures >= 5
    assert batches_in(out / "valid") == batches_in(out / "quarantine") == ["batch=2"]
    assert len([*out.glob("valid/batch=2/part-*.txt")]) == 1
    assert not (out / "_compacting").exists()
    write_batch(tmp_path / "in", 3, [*every[3::4]])
    run(spark, tmp_path)
    assert batches_in(out / "valid") == ["batch=2", "batch=3"]
    valid, invalid = split_lines(every)
    assert lines_in(out / "valid") == valid
    assert quarantined_in(out) == invalid


def test_large_folders_and_unfinished_batches_remain(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_FILE_BYTES", 3 * len(GOOD))
    sizes = (1, 1, 4, 1, 1, 1)
    for number, size in enumerate(sizes):
        write_lines(tmp_path / "valid" / f"batch={number}" / "part-0.txt", [GOOD] * size)
        if number < 5:  # Batch 5 is being written.
            write_lines(tmp_path / "checkpoint" / "commits" / str(number), [])
    compact_stream(spark, tmp_path)
    assert batches_in(tmp_path / "valid") == ["batch=1", "batch=2", "batch=4", "batch=5"]
    assert lines_in(tmp_path / "valid") == [GOOD] * sum(sizes)


def test_other_folders_are_rejected(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected a folder of fold_stream, found no folder"):
        compact_stream(spark, tmp_path)
