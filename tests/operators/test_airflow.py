"""A lineage becomes Airflow's own `OperatorLineage`, and comes back from it, without loss."""

from __future__ import annotations

import json
import sys
import warnings
from importlib import import_module
from typing import Any

import pytest

from openlineage_facets.operators import TaskInstanceLineage, airflow_listener
from tests.operators import provider_stand_in
from tests.operators.scheduler import END, DatedTry, Heard, operator
from tests.operators.test_proposal_examples import EXAMPLES

EXTRACTORS = "airflow.providers.openlineage.extractors"
GENERATED = "openlineage.client.generated"


NO_PROVIDER = "Airflow's OpenLineage provider is not installed: conversion is tested with its stand-in alone"


def is_installed() -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import_module(EXTRACTORS)
        except ImportError:
            return False
    return True


INSTALLED = is_installed()


@pytest.fixture(params=["stand-in", "installed"] if INSTALLED else ["stand-in"], autouse=True)
def provider(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return which provider a promise is kept with: a stand-in and, where there is one, the real one."""
    if request.param == "stand-in":
        stand_ins = provider_stand_in.modules()
        for name in [name for name in sys.modules if name.startswith(f"{GENERATED}.")]:
            monkeypatch.delitem(sys.modules, name)
        for name, module in stand_ins.items():
            monkeypatch.setitem(sys.modules, name, module)
    return str(request.param)


def test_the_provider_itself_is_tested(provider: str) -> None:
    if not INSTALLED:
        pytest.skip(NO_PROVIDER)
    stand_in = import_module(EXTRACTORS).OperatorLineage is provider_stand_in.OperatorLineage
    assert stand_in == (provider == "stand-in")


def client(path: str, /, *fields: Any, **named: Any) -> Any:
    """Return an object of the official client's class, `module:Class`."""
    module, _, class_name = path.partition(":")
    return getattr(import_module(f"openlineage.client.{module}"), class_name)(*fields, **named)


def wire(value: Any) -> Any:
    return import_module("openlineage.client.serde").Serde.to_dict(value)


def operator_lineage(**parts: Any) -> Any:
    return import_module(EXTRACTORS).OperatorLineage(**parts)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_lineage_comes_back_as_it_went(path: Any) -> None:
    lineage = TaskInstanceLineage.from_dict(json.loads(path.read_text("utf-8")))
    there = lineage.to_airflow()
    assert type(there) is import_module(EXTRACTORS).OperatorLineage
    assert TaskInstanceLineage.from_airflow(there) == lineage


def test_on_the_wire_airflow_says_what_we_say() -> None:
    lineage = TaskInstanceLineage(
        run_facets={"externalQuery": {"externalQueryId": "q", "source": "bigquery"}},
        job_facets={"sql": {"query": "select 1"}, "acme_tier": {"tier": 1, "of": {"a": [1, 2.5]}}},
        inputs=[{"namespace": "a", "name": "b", "facets": {"schema": {"fields": [{"name": "id"}]}}}],
        outputs=[{"namespace": "a", "name": "c", "outputFacets": {"acme_part": {"day": 7}}}],
    )
    there, here = lineage.to_airflow(), lineage.to_dict()
    assert {key: wire(facet) for key, facet in there.run_facets.items()} == here["runFacets"]
    assert {key: wire(facet) for key, facet in there.job_facets.items()} == here["jobFacets"]
    assert [wire(dataset) for dataset in there.inputs] == [
        {**one, "inputFacets": {}} for one in here["inputs"]
    ]
    assert [wire(dataset) for dataset in there.outputs] == [{**one, "facets": {}} for one in here["outputs"]]


def test_facets_are_of_the_official_classes_where_there_are_such() -> None:
    lineage = TaskInstanceLineage(job_facets={"sql": {"query": "select 1"}, "acme_tier": {"tier": 1}})
    there = lineage.to_airflow()
    assert type(there.job_facets["sql"]) is import_module(f"{GENERATED}.sql_job").SQLJobFacet
    assert isinstance(there.job_facets["acme_tier"], import_module(f"{GENERATED}.base").JobFacet)
    assert there.job_facets["acme_tier"].tier == 1


def test_a_facet_with_fields_of_its_own_keeps_them() -> None:
    url = "https://example.com/SQL.json"
    sql = {"_producer": "https://example.com/a", "_schemaURL": url, "query": "select 1", "took": 3}
    there = TaskInstanceLineage(job_facets={"sql": sql}).to_airflow()
    assert wire(there.job_facets["sql"]) == sql


def test_what_an_official_class_would_add_is_not_added() -> None:
    lineage = TaskInstanceLineage(inputs=[{"namespace": "a", "name": "b", "facets": {"schema": {}}}])
    assert "fields" not in wire(lineage.to_airflow().inputs[0].facets["schema"])
    assert TaskInstanceLineage.from_airflow(lineage.to_airflow()) == lineage


def test_what_an_official_class_refuses_goes_without_it() -> None:
    moment = "2026-11-21T00:00:00.123456789+01:00"
    lineage = TaskInstanceLineage(run_facets={"nominalTime": {"nominalStartTime": moment}})
    assert lineage.to_airflow().run_facets["nominalTime"].nominalStartTime == moment
    assert TaskInstanceLineage.from_airflow(lineage.to_airflow()) == lineage


def test_datasets_keep_their_kind() -> None:
    dataset = {"namespace": "a", "name": "b"}
    there = TaskInstanceLineage(inputs=[dataset], outputs=[dataset]).to_airflow()
    events = import_module("openlineage.client.event_v2")
    assert (type(there.inputs[0]), type(there.outputs[0])) == (events.InputDataset, events.OutputDataset)


def test_what_airflow_operators_tell_is_read() -> None:
    fields = [client("generated.schema_dataset:SchemaDatasetFacetFields", name="id", type="int")]
    told = operator_lineage(
        inputs=[client("event_v2:Dataset", "a", "b")],
        outputs=[
            client(
                "event_v2:OutputDataset",
                "a",
                "c",
                facets={"schema": client("generated.schema_dataset:SchemaDatasetFacet", fields=fields)},
            )
        ],
        job_facets={"sql": client("generated.sql_job:SQLJobFacet", query="select 1")},
    )
    lineage = TaskInstanceLineage.from_airflow(told)
    assert lineage.inputs is not None
    assert lineage.outputs is not None
    assert lineage.job_facets is not None
    assert [dataset.name for dataset in lineage.inputs] == ["b"]
    assert lineage.outputs[0].to_dict()["facets"]["schema"]["fields"][0]["type"] == "int"
    assert lineage.job_facets.sql is not None
    assert lineage.job_facets.sql.query == "select 1"
    assert Heard().life(operator(on_start=lambda: told))[1].inputs == lineage.inputs


def test_a_wrong_facet_of_an_airflow_operator_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    told = operator_lineage(job_facets={"sql": client("generated.sql_job:SQLJobFacet", query=5)})
    heard = Heard()
    heard.listener.on_start(DatedTry(task=operator(on_start=lambda: told)))
    assert not heard.events[0].job.facets
    assert "/jobFacets/sql/query: expected a string, found 5" in caplog.text


@pytest.mark.parametrize("name", ["a-b", "class", "_hidden", "producer"])
def test_a_field_whose_name_is_no_attribute_is_refused(name: str) -> None:
    lineage = TaskInstanceLineage(run_facets={"acme_cost": {name: 1}})
    with pytest.raises(ValueError, match="facet 'acme_cost': expected field names that can be attributes"):
        lineage.to_airflow()


def test_airflows_hooks_reach_the_listener() -> None:
    heard = Heard()
    hooks = airflow_listener(heard.listener)
    ended = DatedTry(end_date=END)
    hooks.on_task_instance_running(previous_state=None, task_instance=DatedTry())
    hooks.on_task_instance_success(previous_state=None, task_instance=ended)
    hooks.on_task_instance_failed(previous_state=None, task_instance=ended, error="broken")
    hooks.on_task_instance_skipped(previous_state=None, task_instance=ended)
    assert [str(event.event_type.value) for event in heard.events if event.event_type] == [
        "START",
        "COMPLETE",
        "FAIL",
        "COMPLETE",
    ]
    marked = {name: hook.airflow_impl["optionalhook"] for name, hook in vars(hooks).items()}
    assert [name for name, optional in marked.items() if optional] == ["on_task_instance_skipped"]
    assert len(marked) == 4


@pytest.mark.parametrize(
    "convert",
    [
        lambda: TaskInstanceLineage().to_airflow(),
        lambda: airflow_listener(Heard().listener),
        lambda: TaskInstanceLineage.from_airflow(
            provider_stand_in.OperatorLineage(job_facets={"sql": provider_stand_in.SQLJobFacet(query="")})
        ),
    ],
    ids=["to_airflow", "airflow_listener", "from_airflow"],
)
def test_without_the_provider_the_error_says_what_to_install(
    convert: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in ("airflow", "openlineage"):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "airflow", None)
    monkeypatch.setitem(sys.modules, "openlineage", None)
    with pytest.raises(ImportError, match="pip install apache-airflow-providers-openlineage"):
        convert()
