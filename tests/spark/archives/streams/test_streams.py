"""fold_stream: state, valid lines and quarantine of a stream, each exactly once."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives import LineageTables, fold_stream, streams
from openlineage_facets.spark.archives.file_system import FileSystem
from tests.events import folded
from tests.spark.archives.sample_archives import BAD, GOOD, write_lines
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.streams.stream_output import lines_in, quarantined_in, split_lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_code_generation")]

PRETTY = json.dumps(json.loads(GOOD), indent=2).encode()


def write_batch(folder: Path, number: int, rows: list[bytes | None]) -> None:
    """Write a file that is a batch of `stream`."""
    encoded = [row if row is None else base64.b64encode(row).decode() for row in rows]
    documents = [{"id": index, "encoded": row} for index, row in enumerate(encoded)]
    write_lines(folder / f"{number}.json", [json.dumps(document).encode() for document in documents])


def stream(spark: SparkSession, folder: Path) -> DataFrame:
    """Return a stream of a binary column, next to columns with dots and quotes, with a file in each batch."""
    files = spark.readStream.schema("id int, encoded string").option("maxFilesPerTrigger", 1)
    columns = ("id AS `src.id`", "unbase64(encoded) AS `event.json`", "'a\"b' AS `a``b.c`")
    return files.json(str(folder)).selectExpr(*columns)


def run(spark: SparkSession, folder: Path, **options: Any) -> None:
    """Process all batches in the folder `in`."""
    events = stream(spark, folder / "in")
    fold_stream(events, folder / "out", column="event.json", available_now=True, **options).awaitTermination()


def test_state_lines_and_counts(spark: SparkSession, tmp_path: Path) -> None:
    write_batch(tmp_path / "in", 1, [GOOD, *BAD.values()])
    run(spark, tmp_path)
    write_batch(tmp_path / "in", 2, [None, b"", PRETTY, b"\n", b"{"])
    run(spark, tmp_path)
    out = tmp_path / "out"
    assert tables_as_dict(LineageTables.load(spark, out)) == state_as_dict(folded(json.loads(GOOD)))
    assert lines_in(out / "valid") == sorted([GOOD, PRETTY.replace(b"\n", b" ")])
    assert quarantined_in(out) == sorted([*BAD.values(), b"{"])
    row = next(row for row in map(json.loads, lines_in(out / "quarantine")) if row.get("line") == "17")
    assert (row["src.id"], row["a`b.c"]) == ([*BAD].index("a number") + 1, 'a"b')
    assert row["findings"][0]["severity"] == "error"
    counts = spark.read.json(f"{out}/counts").orderBy("batch")
    assert [tuple(it) for it in counts.select("lines", "valid", "quarantined", "blank").collect()] == [
        (1 + len(BAD), 1, len(BAD), 0),
        (5, 1, 1, 3),
    ]
    assert counts.select("errors.*").collect()[1].OL001 == 1


STEPS = 9
"""How often a batch changes files by itself."""


@pytest.mark.parametrize(
    ("batches", "failing"),
    [(2, [13]), pytest.param(4, range(0, 4 * STEPS, 4), marks=pytest.mark.thorough)],
)
def test_failures_at_any_step_lose_and_repeat_nothing(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    batches: int,
    failing: Iterable[int],
) -> None:
    monkeypatch.setattr(streams, "MERGED_AT_ONCE", 2)
    random = Random(15)
    events = lines([event_with_lineage(random) for _ in range(20 * batches)])
    every = [*events, *BAD.values(), *events[:20]]
    random.shuffle(every)
    for number in range(batches):
        write_batch(tmp_path / "in", number, [*every[number::batches]])
    commits = tmp_path / "out" / "checkpoint" / "commits"
    steps_left = fail_after_steps(monkeypatch)
    for failure in failing:
        committed = sum(path.name.isdigit() for path in commits.glob("*"))
        steps_left[0] = failure - STEPS * committed
        with pytest.raises(StreamingQueryException, match="the machine was turned off"):
            run(spark, tmp_path)
    steps_left[0] = 1000
    run(spark, tmp_path)
    out = tmp_path / "out"
    valid, invalid = split_lines(every)
    assert lines_in(out / "valid") == valid
    assert quarantined_in(out) == invalid
    expected = state_as_dict(folded(*map(json.loads, valid)))
    assert tables_as_dict(LineageTables.load(spark, out)) == expected
    total = spark.read.json(f"{out}/counts").selectExpr("sum(lines)", "count(*)").first()
    assert total == (len(every), batches)
    ranges = {2: ["0-0", "0-1"], 4: ["0-1", "0-3", "2-2"]}
    assert sorted(path.name for path in (out / "records").iterdir()) == ranges[batches]
    assert not (out / "_unfinished").exists()


def fail_after_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let changes of files fail after as many as in the returned list."""
    left = [0]

    def failing(original: Callable[..., None]) -> Callable[..., None]:
        def change(*arguments: object) -> None:
            if left[0] == 0:
                raise OSError("the machine was turned off")
            left[0] -= 1
            original(*arguments)

        return change

    for name in ("move", "remove", "write"):
        monkeypatch.setattr(FileSystem, name, failing(getattr(FileSystem, name)))
    return left


def test_options_and_that_a_folder_without_its_checkpoint_is_not_changed(
    spark: SparkSession, tmp_path: Path
) -> None:
    document = json.loads(GOOD) | {"inputs": None}
    write_batch(tmp_path / "in", 1, [json.dumps(document).encode()])
    run(spark, tmp_path, valid=False, null_is_absent=True, compression="gzip")
    out = tmp_path / "out"
    assert sorted(path.name for path in out.iterdir()) == ["checkpoint", "counts", "quarantine", "records"]
    assert LineageTables.load(spark, out).runs.count() == 1
    shutil.rmtree(out / "checkpoint")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FileExistsError, match=r"/out: already exists, but has no folder 'checkpoint'"):
        run(spark, tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_state_can_be_read_before_the_first_batch(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    events = stream(spark, tmp_path / "in")
    query = fold_stream(events, tmp_path / "out", column="event.json", every="1 hour")
    assert query.isActive
    query.stop()
    assert LineageTables.load(spark, tmp_path / "out").jobs.count() == 0


def test_invalid_arguments_are_rejected(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    out = tmp_path / "out"
    events = stream(spark, tmp_path / "in").toDF("id", "value", "topic")
    with pytest.raises(ValueError, match="expected a stream, .* use fold_events or split_archive"):
        fold_stream(spark.createDataFrame([(GOOD,)], "value binary"), out)
    with pytest.raises(ValueError, match="expected a string or binary column, found 'id' of type int"):
        fold_stream(events, out, column="id")
    for taken in ("findings", "Line"):
        with pytest.raises(ValueError, match=rf"expected no columns .* found \['{taken}'\]; rename them"):
            fold_stream(events.withColumnRenamed("topic", taken), out)
    with pytest.raises(ValueError, match="expected every or available_now, found both"):
        fold_stream(events, out, every="1 minute", available_now=True)
    with pytest.raises(ValueError, match="folder: expected the path of a new folder, found ''"):
        fold_stream(events, "")
    assert not out.exists()
