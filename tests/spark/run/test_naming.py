"""A run emits its events with the names that rules give to datasets."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun

RULE = """\
[[datasets]]
from = { namespace = "file", name = "{:.*}/lake/{path:.+}" }
to = { namespace = "s3://shop", name = "{path}" }
"""


def test_all_references_to_datasets_have_new_names(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "naming.toml").write_text(RULE)
    lake = f"{tmp_path}/lake"
    spark.range(1).write.parquet(f"{lake}/a")
    for naming in (str(tmp_path / "naming.toml"), None):
        events: list[RunEvent] = []
        if naming is None:
            monkeypatch.setenv("OPENLINEAGE_NAMING", str(tmp_path / "naming.toml"))
        with SparkRun(spark, "etl", "copy", emit=events.append, naming=naming):
            spark.read.parquet(f"{lake}/a").write.parquet(f"{lake}/b", mode="overwrite")
        (read,), (written,) = events[-1].inputs_or_empty, events[-1].outputs_or_empty
        assert [(one.namespace, one.name) for one in (read, written)] == [
            ("s3://shop", "a"),
            ("s3://shop", "b"),
        ]
        assert written.facets_or_empty.column_lineage is not None
        (source,) = written.facets_or_empty.column_lineage.fields["id"].input_fields
        assert (source.namespace, source.name) == ("s3://shop", "a")


def test_an_invalid_naming_file_is_an_error_before_the_run_starts(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "naming.toml").write_text("[host]\n")
    with pytest.raises(ValueError, match=r"^naming: .*naming.toml:1: host: expected a known key"):
        SparkRun(spark, "etl", "copy", naming=tmp_path / "naming.toml")


def test_names_are_unchanged_if_the_environment_names_an_invalid_file(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE_NAMING", str(tmp_path / "missing.toml"))
    events: list[RunEvent] = []
    with SparkRun(spark, "etl", "copy", emit=events.append):
        pass
    assert [event.event_type for event in events] == ["START", "COMPLETE"]
    assert "missing.toml: no such file or directory" in caplog.text
