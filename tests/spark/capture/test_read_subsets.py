"""The parts of its inputs that a run has read, from the scans of its queries."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture import read_subsets
from openlineage_facets.spark.capture.read_subsets import FileScan, ReadSubsets, Subset
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.spark_dataset import dataset_at_path

VISITS = "file:/lake/visits"


class Reads:
    """A run that reads folders."""

    def __init__(self, *folders: str) -> None:
        self.builder = RunEventBuilder("etl", "daily")
        self.builder.start()
        recorder = Recorder(self.builder, nullcontext())
        recorder.inputs.add(dataset_at_path(folder, None, []) for folder in folders)
        self.subsets = ReadSubsets(recorder)

    def finish(self) -> dict[str, Any]:
        """Return the subset of each input that has one, by its name."""
        self.subsets.finish()
        inputs = self.builder.complete().to_dict()["inputs"]
        return {
            dataset["name"]: dataset["inputFacets"]["subset"]
            for dataset in inputs
            if "inputFacets" in dataset
        }


def scan_of_folder(folder: str) -> FileScan:
    return FileScan((folder,), Subset(locations=frozenset([folder])))


def test_more_parts_than_are_listed_are_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    reads = Reads(VISITS)
    for day in range(501):
        reads.subsets.add([FileScan((VISITS,), Subset.of_partitions([{"day": day}]))])
    assert reads.finish() == {}
    (message,) = caplog.messages
    assert message == "the parts read of file:/lake/visits are not captured: they are more than 500"


def test_folders_that_were_read_one_by_one_have_the_same_limit() -> None:
    few, many = Reads(VISITS), Reads(VISITS)
    for reads, folders in ((few, 500), (many, 501)):
        for day in range(folders):
            reads.subsets.add([scan_of_folder(f"{VISITS}/day={day}")])
    assert few.finish().keys() == {"/lake/visits"}
    assert many.finish() == {}


def test_the_end_of_a_run_with_many_inputs_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [f"file:/lake/table{number}" for number in range(300)]
    reads = Reads(*folders)
    for folder in folders:
        reads.subsets.add([scan_of_folder(f"{folder}/day=1")])
    calls = 0

    def count(path: str, location: str) -> bool:
        nonlocal calls
        calls += 1
        return path.startswith(location)

    monkeypatch.setattr(read_subsets, "is_at_or_below", count)
    assert len(reads.finish()) == 300
    assert calls <= 3 * 300
