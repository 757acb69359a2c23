"""A run emits its events with the names that rules give to datasets."""

from __future__ import annotations

import pytest

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob

RULE = """\
[[datasets]]
from = { namespace = "file", name = "{:.*}/lake/{path:.+}" }
to = { namespace = "s3://shop", name = "{path}" }
"""


def test_all_references_to_datasets_have_new_names(etl: EtlJob, monkeypatch: pytest.MonkeyPatch) -> None:
    (etl.tmp_path / "naming.toml").write_text(RULE)
    lake = f"{etl.tmp_path}/lake"
    etl.spark.range(1).write.parquet(f"{lake}/a")
    for naming in (str(etl.tmp_path / "naming.toml"), None):
        events: list[RunEvent] = []
        if naming is None:
            monkeypatch.setenv("OPENLINEAGE_NAMING", str(etl.tmp_path / "naming.toml"))
        with SparkRun(etl.spark, "etl", "copy", emit=events.append, naming=naming):
            etl.spark.read.parquet(f"{lake}/a").write.parquet(f"{lake}/b", mode="overwrite")
        (read,), (written,) = events[-1].inputs_or_empty, events[-1].outputs_or_empty
        assert [(one.namespace, one.name) for one in (read, written)] == [
            ("s3://shop", "a"),
            ("s3://shop", "b"),
        ]
        assert written.facets_or_empty.column_lineage is not None
        (source,) = written.facets_or_empty.column_lineage.fields["id"].input_fields
        assert (source.namespace, source.name) == ("s3://shop", "a")


def test_an_invalid_naming_file_is_an_error_before_the_run_starts(etl: EtlJob) -> None:
    (etl.tmp_path / "naming.toml").write_text("[host]\n")
    with pytest.raises(ValueError, match=r"^naming: .*naming.toml:1: host: expected a known key"):
        SparkRun(etl.spark, "etl", "copy", naming=etl.tmp_path / "naming.toml")


def test_names_are_unchanged_if_the_environment_names_an_invalid_file(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_NAMING", str(etl.tmp_path / "missing.toml"))
    events: list[RunEvent] = []
    with SparkRun(etl.spark, "etl", "copy", emit=events.append):
        pass
    assert [event.event_type for event in events] == ["START", "COMPLETE"]
    assert "missing.toml: no such file or directory" in etl.caplog.text
