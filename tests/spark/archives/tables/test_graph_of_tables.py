"""`openlineage-facets graph` with the tables of a fold."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.cli.app import run
from openlineage_facets.graphs import json_graph
from openlineage_facets.spark.archives.file_system import FileSystem
from openlineage_facets.spark.archives.folding import PartialFold
from openlineage_facets.spark.archives.tables.saved_state import files_of_records, write_files
from tests.events import folded
from tests.spark.archives.sample_events import event_with_lineage

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_code_generation")]


def test_saved_tables_are_drawn_like_the_state(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(3)
    events = [event_with_lineage(random) for _ in range(40)]
    fold = PartialFold()
    for event in events:
        fold.add(event, 0)
    write_files(FileSystem(spark), str(tmp_path / "state"), files_of_records(fold.take()))
    target = tmp_path / "graph.json"
    assert run(["graph", str(tmp_path / "state"), "-o", str(target)]) == 0
    expected = json_graph(folded(*events).lineage())
    assert expected["columnEdges"]
    assert json.loads(target.read_text(encoding="utf-8")) == json.loads(json.dumps(expected))


def test_damaged_tables_are_one_line(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for table in ("records", "edges", "column_edges"):
        (tmp_path / "state" / table).mkdir(parents=True)
    (tmp_path / "state" / "records" / "part-0.parquet").write_bytes(b"nonsense")
    assert run(["graph", str(tmp_path / "state")]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"openlineage-facets: {tmp_path / 'state'}: expected the tables of a fold: ")
    assert error.count("\n") == 1
