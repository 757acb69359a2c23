"""A lineage becomes Airflow's own `OperatorLineage`, and comes back from it, without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import event_v2
from openlineage.client.generated import base, schema_dataset, sql_job
from openlineage.client.serde import Serde

from openlineage_facets import EventError
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


def test_facets_are_instances_of_the_clients_classes() -> None:
    lineage = TaskInstanceLineage(job_facets={"sql": {"query": "select 1"}, "acme_tier": {"tier": 1}})
    there = lineage.to_airflow()
    assert type(there.job_facets["sql"]) is sql_job.SQLJobFacet
    assert isinstance(there.job_facets["acme_tier"], base.JobFacet)
    assert there.job_facets["acme_tier"].tier == 1


def test_unknown_fields_are_kept() -> None:
    url = "https://example.com/SQL.json"
    sql = {"_producer": "https://example.com/a", "_schemaURL": url, "query": "select 1", "took": 3}
    there = TaskInstanceLineage(job_facets={"sql": sql}).to_airflow()
    assert wire(there.job_facets["sql"]) == sql


def test_defaults_of_the_clients_classes_are_not_added() -> None:
    lineage = TaskInstanceLineage(inputs=[{"namespace": "a", "name": "b", "facets": {"schema": {}}}])
    assert "fields" not in wire(lineage.to_airflow().inputs[0].facets["schema"])
    assert TaskInstanceLineage.from_airflow(lineage.to_airflow()) == lineage


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


@pytest.mark.parametrize("name", ["a-b", "class", "_hidden", "producer"])
def test_fields_that_are_no_attribute_names_are_kept(name: str) -> None:
    lineage = TaskInstanceLineage(run_facets={"acme_cost": {name: 1}})
    assert wire(lineage.to_airflow().run_facets["acme_cost"])[name] == 1
    assert TaskInstanceLineage.from_airflow(lineage.to_airflow()) == lineage


def test_what_the_client_cannot_represent_is_an_error() -> None:
    lineage = TaskInstanceLineage.from_json({"inputs": [{"namespace": "a", "name": "b", "zone": 1}]})
    with pytest.raises(EventError, match="/inputs/0/zone: expected a value that openlineage-python writes"):
        lineage.to_airflow()
