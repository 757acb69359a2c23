"""Jobs, datasets and runs of a state return their facets by class."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from openlineage_facets import EventError, InputDataset, Job, OutputDataset, Run, RunEvent
from openlineage_facets.facets import (
    DataQualityMetricsInputDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
)
from openlineage_facets.state import LineageState
from tests.events import folded

TIME = "2026-03-29T01:00:00Z"
SQL = SQLJobFacet(query="SELECT 1")
NOMINAL = NominalTimeRunFacet(nominal_start_time=TIME)
SCHEMA = SchemaDatasetFacet(fields=[{"name": "id"}])
METRICS = DataQualityMetricsInputDatasetFacet(row_count=3, column_metrics={})
STATISTICS = OutputStatisticsOutputDatasetFacet(row_count=3)


@pytest.fixture
def state() -> LineageState:
    run = Run(run_id="019d3719-f020-7c3e-9f10-2b7d4e8a6c31", facets=[NOMINAL])
    event = RunEvent(
        event_type="COMPLETE",
        event_time=TIME,
        run=run,
        job=Job(namespace="etl", name="orders", facets=[SQL]),
        inputs=[InputDataset(namespace="n", name="raw", facets=[SCHEMA], input_facets=[METRICS])],
        outputs=[OutputDataset(namespace="n", name="clean", output_facets=[STATISTICS])],
    )
    return folded(event)


def test_facets_by_class(state: LineageState):
    job, dataset = state.job("etl", "orders"), state.dataset("n", "raw")
    run = state.run("019d3719-f020-7c3e-9f10-2b7d4e8a6c31")
    assert job
    assert dataset
    assert run
    assert job.facet(SQLJobFacet) == run.facet(SQLJobFacet) == SQL
    assert run.facet(NominalTimeRunFacet) == NOMINAL
    assert dataset.facet(SchemaDatasetFacet) == run.inputs[0].facet(SchemaDatasetFacet) == SCHEMA
    assert run.inputs[0].facet(DataQualityMetricsInputDatasetFacet) == METRICS
    assert run.outputs[0].facet(OutputStatisticsOutputDatasetFacet) == STATISTICS
    assert run.outputs[0].facet(SchemaDatasetFacet) is None


def test_a_facet_of_another_entity_is_an_error(state: LineageState):
    job = state.job("etl", "orders")
    assert job
    with pytest.raises(TypeError, match="JobState has no SchemaDatasetFacet; expected a subclass of Job"):
        job.facet(SchemaDatasetFacet)


@pytest.mark.parametrize("at", ["x", "2026-03-29T01:00:00", datetime(2026, 3, 29), 7])
def test_an_invalid_time_is_an_error_with_value_and_example(state: LineageState, at: Any):
    for method, name in ((state.job, "orders"), (state.dataset, "raw")):
        with pytest.raises(
            EventError, match="/at: expected a date-time with an offset.*2026-03-29T01:00:00Z, found"
        ):
            method("etl", name, at=at)
