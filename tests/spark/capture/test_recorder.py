"""A recorder adds what is read and written to the builder of a run's events."""

from __future__ import annotations

from contextlib import nullcontext

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.spark_dataset import SparkDataset
from tests.spark.datasets.test_read_versions import facets, version_and_columns


def test_an_input_that_is_read_in_several_versions_has_the_columns_of_all() -> None:
    builder = RunEventBuilder("etl", "compare")
    builder.start()
    recorder = Recorder(builder, nullcontext())
    for version, column in (("0", "old"), ("1", "new"), ("0", "old")):
        recorder.inputs.add([SparkDataset("file", "t", facets(version, "id", column))])
    [found] = builder.complete().inputs or ()
    assert found.facets is not None
    assert version_and_columns(tuple(found.facets.values())) == ("1", [("id", 1), ("old", 2), ("new", 3)])
