"""Accessors that make chains of checks for None unnecessary."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import InputDataset, Job, JobEvent, OutputDataset, Run, StaticDataset, read_event
from openlineage_facets.facets import (
    DocumentationDatasetFacet,
    InputStatisticsInputDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
)
from tests.cases import each
from tests.composing.orders import run_event
from tests.composing.test_custom_facets import CostRunFacet

ORDERS = {"namespace": "s3://lake", "name": "raw/orders"}
STATISTICS = OutputStatisticsOutputDatasetFacet(row_count=1)


def test_absent_lists_and_containers_are_empty() -> None:
    event = run_event()
    assert event.inputs_or_empty == event.outputs_or_empty == ()
    assert event.run.facets_or_empty == event.job.facets_or_empty == {}
    assert event.run.facets_or_empty.nominal_time is None
    output = OutputDataset(**ORDERS)
    assert output.facets_or_empty.schema is output.output_facets_or_empty.output_statistics is None
    assert InputDataset(**ORDERS).input_facets_or_empty.input_statistics is None
    assert JobEvent(job=event.job).inputs_or_empty == ()
    tolerant: Any = read_event({"job": {"namespace": "etl", "name": "daily", "facets": 7}, "inputs": 1}).event
    assert (tolerant.inputs_or_empty, tolerant.job.facets_or_empty) == ((), {})


def test_present_lists_and_containers_are_returned() -> None:
    output = OutputDataset(**ORDERS, output_facets=[STATISTICS])
    event = run_event(outputs=[output])
    assert event.outputs_or_empty is event.outputs
    assert [one.output_facets_or_empty.output_statistics for one in event.outputs_or_empty] == [STATISTICS]


def test_a_facet_is_found_by_its_class() -> None:
    sql = SQLJobFacet(query="SELECT 1")
    cost = CostRunFacet(usd=1.5)
    assert Job(namespace="etl", name="daily", facets=[sql]).facet(SQLJobFacet) is sql
    assert Run(facets=[cost]).facet(CostRunFacet) is cost
    assert Run.from_json(Run(facets=[cost]).to_json()).facet(CostRunFacet) == cost
    assert Run(facets=[cost]).facet(NominalTimeRunFacet) is None
    assert Run().facet(NominalTimeRunFacet) is None


def test_facets_of_a_dataset_and_of_its_use_are_found() -> None:
    documentation = DocumentationDatasetFacet(description="orders")
    read = InputStatisticsInputDatasetFacet(row_count=2)
    output = OutputDataset(**ORDERS, facets=[documentation], output_facets=[STATISTICS])
    assert output.facet(OutputStatisticsOutputDatasetFacet) is STATISTICS
    assert output.facet(DocumentationDatasetFacet) is documentation
    assert InputDataset(**ORDERS, input_facets=[read]).facet(InputStatisticsInputDatasetFacet) is read
    assert StaticDataset(**ORDERS, facets=[documentation]).facet(SchemaDatasetFacet) is None


@each(
    ("entity", "cls", "message"),
    [
        (Run(), SQLJobFacet, "Run has no SQLJobFacet; expected a subclass of RunFacet"),
        (
            InputDataset(**ORDERS),
            OutputStatisticsOutputDatasetFacet,
            "expected a subclass of DatasetFacet, InputDatasetFacet",
        ),
    ],
)
def test_a_facet_of_another_entity_is_an_error(entity: Any, cls: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        entity.facet(cls)


@each(
    ("read", "message"),
    [
        (
            lambda event: event.eventType,
            "'RunEvent' object has no attribute 'eventType'; did you mean 'event_type'?",
        ),
        (lambda event: event.run.runId, "'Run' object has no attribute 'runId'; did you mean 'run_id'?"),
        (lambda event: event.run.facets_or_empty.sql, "attribute 'sql'; it is a facet of JobFacets"),
        (lambda event: event.job.facets_or_empty.nominalTime, "'nominalTime'; it is a facet of RunFacets"),
        (lambda event: event.run.facets_or_empty.nominalTime, "'nominalTime'; did you mean 'nominal_time'?"),
        (lambda event: event.run.facets_or_empty.nominal_tme, "'nominal_tme'; did you mean 'nominal_time'?"),
        (
            lambda event: event.run.facets_or_empty.acme_cost,
            "'acme_cost'; custom facets are items: facets[key]",
        ),
    ],
)
def test_an_unknown_attribute_is_answered_with_the_one_that_was_meant(read: Any, message: str) -> None:
    event = run_event()
    with pytest.raises(AttributeError) as raised:
        read(event)
    assert str(raised.value).endswith(message)


def test_an_unknown_attribute_that_resembles_none_gets_no_hint() -> None:
    event: Any = run_event()
    with pytest.raises(AttributeError, match=r"^'RunEvent' object has no attribute 'colour'$"):
        event.colour  # noqa: B018
    assert not hasattr(event, "_colour")
    assert not hasattr(event.run.facets_or_empty, "_repr_svg_")
