"""A lineage becomes Airflow's own `OperatorLineage`, and comes back from it, without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import event_v2
from openlineage.client.generated import schema_dataset, sql_job
from openlineage.client.serde import Serde

from openlineage_facets.operators import TaskInstanceLineage
from tests.operators.scheduler import Recorder, Try, operator
from tests.operators.test_proposal_examples import EXAMPLES

# `make quick` also collects this file where Airflow is not installed.
OperatorLineage: Any = pytest.importorskip("airflow.providers.openlineage.extractors").OperatorLineage

wire = Serde.to_dict


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_round_trip_is_lossless(path: Path) -> None:
    lineage = TaskInstanceLineage.from_dict(json.loads(path.read_text("utf-8")))
    there = lineage.to_airflow()
    assert type(there) is OperatorLineage
    assert TaskInstanceLineage.from_airflow(there) == lineage


def test_the_wire_format_is_the_same() -> None:
    lineage = TaskInstanceLineage(
        run_facets={"externalQuery": {"externalQueryId": "q", "source": "bigquery"}},
        job_facets={"sql": {"query": "select 1"}, "acme_tier": {"tier": 1, "of": {"a": [1, 2.5]}}},
        inputs=[{"namespace": "a", "name": "b", "facets": {"schema": {"fields": [{"name": "id"}]}}}],
        outputs=[{"namespace": "a", "name": "c", "outputFacets": {"acme_part": {"day": 7}}}],
    )
    there, here = lineage.to_airflow(), lineage.to_dict()
    assert {key: wire(facet) for key, facet in there.run_facets.items()} == here["runFacets"]
    assert {key: wire(facet) for key, facet in there.job_facets.items()} == here["jobFacets"]
    assert [wire(dataset) for dataset in there.inputs] == here["inputs"]
    assert [wire(dataset) for dataset in there.outputs] == here["outputs"]


def test_values_that_the_clients_classes_reject_are_kept() -> None:
    moment = "2026-11-21T00:00:00.123456789+01:00"
    lineage = TaskInstanceLineage(run_facets={"nominalTime": {"nominalStartTime": moment}})
    assert lineage.to_airflow().run_facets["nominalTime"].nominalStartTime == moment
    assert TaskInstanceLineage.from_airflow(lineage.to_airflow()) == lineage


def test_datasets_keep_their_kind() -> None:
    dataset = {"namespace": "a", "name": "b"}
    there = TaskInstanceLineage(inputs=[dataset], outputs=[dataset]).to_airflow()
    assert [type(one) for one in (*there.inputs, *there.outputs)] == [
        event_v2.InputDataset,
        event_v2.OutputDataset,
    ]


def test_lineage_of_airflow_operators_is_converted() -> None:
    fields = [schema_dataset.SchemaDatasetFacetFields(name="id", type="int")]
    schema = schema_dataset.SchemaDatasetFacet(fields=fields)
    reported = OperatorLineage(
        inputs=[event_v2.Dataset("a", "b")],
        outputs=[event_v2.OutputDataset("a", "c", facets={"schema": schema})],
        job_facets={"sql": sql_job.SQLJobFacet(query="select 1")},
    )
    lineage = TaskInstanceLineage.from_airflow(reported)
    assert lineage.inputs is not None
    assert lineage.outputs is not None
    assert lineage.job_facets is not None
    assert [dataset.name for dataset in lineage.inputs] == ["b"]
    assert lineage.outputs[0].to_dict()["facets"]["schema"]["fields"][0]["type"] == "int"
    assert lineage.job_facets.sql is not None
    assert lineage.job_facets.sql.query == "select 1"
    assert Recorder().life(operator(on_start=lambda: reported))[1].inputs == lineage.inputs


def test_an_invalid_facet_of_an_airflow_operator_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    reported = OperatorLineage(job_facets={"sql": sql_job.SQLJobFacet(query=5)})
    recorded = Recorder()
    recorded.listener.on_start(Try(task=operator(on_start=lambda: reported)))
    assert not recorded.events[0].job.facets
    assert "/jobFacets/sql/query: expected a string, found 5" in caplog.text
