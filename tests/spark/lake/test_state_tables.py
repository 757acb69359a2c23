"""States in Delta and Iceberg tables: incremental folds equal one fold, also after a crash."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.errors import AnalysisException

from openlineage_facets.cli.commands.spark_validate import main
from openlineage_facets.spark.archives import StateTable, fold_events
from tests.conftest import ROOT
from tests.docs.examples import blocks
from tests.events import folded
from tests.spark.archives.sample_archives import GOOD
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.table_contents import Summary, state_as_dict, tables_as_dict
from tests.spark.lake.hourly_folds import TABLES
from tests.spark.lake.session import LakeProcess, lake_process, running_session, skip_without_jars

pytestmark = pytest.mark.check

HOURS = 24
KILLED_AFTER = "11 delta"
"""Killed while hour 11 is folded into the Iceberg table, after it was folded into the Delta table."""

skip_without_jars()

DELTA = ("delta", "")
ICEBERG = ("iceberg", "ice.db.")
LAYERS = pytest.mark.parametrize(("layer", "catalog"), [DELTA, ICEBERG])
# The tests of LAYERS write and read tables of both. Iceberg takes half the time.
ONE_LAYER = pytest.mark.parametrize(
    ("layer", "catalog"), [pytest.param(*DELTA, marks=pytest.mark.thorough), ICEBERG]
)


def stream(seed: int, count: int = 40) -> list[dict[str, Any]]:
    random = Random(seed)
    return [event_with_lineage(random) for _ in range(count)]


def fold_into(name: str, layer: str | None, events: list[bytes]) -> None:
    spark = running_session()
    table = spark.createDataFrame([(line,) for line in events], "line binary")
    StateTable(spark, name, format=layer).fold(table)


def content_of(name: str) -> Summary:
    return tables_as_dict(StateTable(running_session(), name).tables().cached())


def generations_of(name: str) -> int:
    return running_session().table(name).select("generation").distinct().count()


def compact(name: str) -> None:
    StateTable(running_session(), name).compact()


def compact_and_stop_before_deleting(name: str) -> None:
    class Stopped(StateTable):
        def _delete(self, generations: list[str]) -> None:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        Stopped(running_session(), name).compact()


def compact_during_a_fold(name: str, events: list[bytes]) -> None:
    class Delayed(StateTable):
        def _delete(self, generations: list[str]) -> None:
            fold_into(name, None, events)
            super()._delete(generations)

    Delayed(running_session(), name).compact()


@LAYERS
def test_folds_compaction_and_failures_in_between_equal_one_fold(
    lake: LakeProcess, layer: str, catalog: str
) -> None:
    name = f"{catalog}folded"
    events = stream(7, 20)
    later = stream(8, 5)
    for part in (events[:10], events[8:15], events[12:]):
        lake.call(fold_into, name, layer, lines(part))
    assert lake.call(generations_of, name) == 3
    lake.call(compact_and_stop_before_deleting, name)
    assert lake.call(generations_of, name) == 4
    lake.call(compact_during_a_fold, name, lines(later))
    assert lake.call(generations_of, name) == 2, "the merged generation, and that of the fold"
    lake.call(compact, name)
    lake.call(compact, name)
    assert lake.call(generations_of, name) == 1
    assert lake.call(content_of, name) == state_as_dict(folded(*events, *later))


def spark_validate_into(archive: str, name: str, layer: str, folder: str) -> list[int]:
    options = ["--state-table", name, "--state-format", layer, "--compact"]
    return [main([archive, *options, f"--valid={folder}/{run}"]) for run in ("first", "second")]


@ONE_LAYER
def test_the_command_splits_an_archive_into_a_table_and_folders(
    lake: LakeProcess, tmp_path: Path, layer: str, catalog: str
) -> None:
    name, archive = f"{catalog}validated", tmp_path / "split.ndjson"
    archive.write_bytes(GOOD + b"\n{\n")
    assert lake.call(spark_validate_into, str(archive), name, layer, str(tmp_path)) == [1, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second", "split.ndjson"]
    assert lake.call(generations_of, name) == 1
    assert lake.call(content_of, name) == state_as_dict(folded(json.loads(GOOD)))


def run_example(code: str) -> list[str]:
    names: dict[str, Any] = {"spark": running_session()}
    exec(code, names)
    return [row.job.name for row in names["started"].collect()]


def test_the_documented_example(lake: LakeProcess, tmp_path: Path) -> None:
    (code,) = (block.text for block in blocks("docs/archives.md") if "StateTable(" in block.text)
    file = tmp_path / "lineage.ndjson"
    file.write_bytes(GOOD)
    assert lake.call(run_example, code.replace('"lineage.ndjson"', repr(str(file)))) == ["load"]


def fold_into_other_table(name: str, layer: str) -> bool:
    spark = running_session()
    spark.range(1).writeTo(name).using(layer).create()
    state = StateTable(spark, name)
    with pytest.raises(ValueError, match="expected a table created by StateTable, .* found id; choose"):
        state.tables()
    with pytest.raises(ValueError, match="choose another name"):
        state.add(fold_events(spark.createDataFrame([(b"{}",)], "line binary")))
    with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_NOT_FOUND"):
        StateTable(spark, f"{name}_missing").tables()
    return [row.id for row in spark.table(name).collect()] == [0]


@LAYERS
def test_other_tables_are_not_changed(lake: LakeProcess, layer: str, catalog: str) -> None:
    assert lake.call(fold_into_other_table, f"{catalog}other", layer)


@pytest.mark.thorough
def test_24_hours_equal_one_fold_of_everything_after_a_crash(tmp_path: Path) -> None:
    random = Random(24)
    events = stream(24, HOURS * 5)
    (tmp_path / "hours").mkdir()
    for hour in range(HOURS):
        late = random.choices(events[: hour * 5], k=2) if hour else []
        arrived = lines(events[hour * 5 : hour * 5 + 5] + late)
        (tmp_path / "hours" / f"{hour:02}.ndjson").write_bytes(b"\n".join(arrived))
    command = [sys.executable, "-m", "tests.spark.lake.hourly_folds", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == KILLED_AFTER:
                process.kill()
    assert process.returncode == -9
    subprocess.run(command, cwd=ROOT, check=True, timeout=180)
    with lake_process(tmp_path) as reader:
        for name in TABLES.values():
            table = name.format(folder=tmp_path)
            assert reader.call(content_of, table) == state_as_dict(folded(*events))
