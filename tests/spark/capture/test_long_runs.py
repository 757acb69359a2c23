"""A run of thousands of writes needs constant memory: what it keeps is bounded by its distinct datasets."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import nullcontext

import pytest

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import ColumnLineageDatasetFacet, SQLJobFacet
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.recorder import FinishedWrite, PlannedWrite, Recorder
from openlineage_facets.spark.capture.reported_writes import ReportedWrites
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset

pytestmark = pytest.mark.thorough

DATASETS = 10


class Run:
    """What a run keeps of its writes."""

    def __init__(self) -> None:
        self.builder = RunEventBuilder("etl", "backfill")
        self.builder.start()
        self.recorder = Recorder(self.builder, nullcontext())
        self.job = JobFacets(self.builder, nullcontext())
        self.reported = ReportedWrites()

    def write(self, number: int) -> None:
        """Record a write to one of a few datasets, with a statement of its own."""
        source, target = dataset(f"raw{number % DATASETS}"), dataset(f"daily{number % DATASETS}")
        self.job.add_query(f"INSERT INTO daily SELECT * FROM raw WHERE day = {number}")
        with self.reported.call() as call:
            call.writes(target)
            self.recorder.inputs.add([source])
            self.recorder.plan_write(PlannedWrite(target))
            self.recorder.add_write(FinishedWrite(target, Counts(1, 20, 1), column_lineage=lineage(number)))
        self.reported.forget_before(call.began)
        if number % 100 == 0 and self.recorder.facets.reset_changes():
            self.builder.running()


def dataset(name: str) -> SparkDataset:
    return new_dataset("file", f"/lake/{name}")


def lineage(number: int) -> ColumnLineageDatasetFacet:
    """Return lineage whose transformation differs from write to write."""
    subtype = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")[number % 3]
    source = {"namespace": "file", "name": f"/lake/raw{number % DATASETS}", "field": "amount"}
    source["transformations"] = [{"type": "DIRECT", "subtype": subtype}]  # type: ignore[assignment]
    return ColumnLineageDatasetFacet.from_json(
        {
            "_producer": "https://example.com/etl",
            "_schemaURL": "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json",
            "fields": {"amount": {"inputFields": [source]}},
        }
    )


def test_memory_does_not_grow_with_the_number_of_writes() -> None:
    run = Run()
    for number in range(1000):
        run.write(number)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(1000, 5000):
            run.write(number)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert grown < 200_000  # The facets of the last writes, which have replaced those before tracing.
    event = run.builder.complete()
    assert len(event.outputs or ()) == DATASETS


@pytest.mark.parametrize(("statement", "kept"), [("SELECT {}", 500), ("SELECT '{}" + "x" * 988 + "'", 199)])
def test_the_sql_facet_contains_the_first_statements(statement: str, kept: int) -> None:
    run = Run()
    added = [run.job.add_query(statement.format(f"{number:03}")) for number in range(1000)]
    assert added == [True] * kept + [False] * (1000 - kept)
    assert run.job.add_query(statement.format("000"))  # It is in the facet already.
    facets = run.builder.complete().job.facets
    assert facets is not None
    assert isinstance(facets.sql, SQLJobFacet)
    assert facets.sql.query.count("SELECT") == kept
