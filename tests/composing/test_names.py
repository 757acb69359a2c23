"""Fields are given by their Python name or wire name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from openlineage_facets import EventError, InputDataset, Job, Run, RunEvent
from openlineage_facets.facets import NominalTimeRunFacet, SQLJobFacet
from tests.cases import each
from tests.composing.orders import MIDNIGHT, PRODUCER, RUN_ID, job, run_event
from tests.conftest import ROOT


def test_python_names_and_wire_names_compose_the_same_value() -> None:
    by_python_name = run_event(event_time=MIDNIGHT, producer=PRODUCER)
    assert by_python_name == RunEvent(
        eventType="START", eventTime=MIDNIGHT, producer=PRODUCER, run=Run(runId=RUN_ID), job=job()
    )
    facet = SQLJobFacet(query="select 1", _producer=PRODUCER, _schemaURL="https://example.com/x")
    assert (facet.producer, facet.schema_url) == (PRODUCER, "https://example.com/x")


def test_attributes_have_python_names_and_the_wire_format_has_wire_names() -> None:
    facet = NominalTimeRunFacet(nominal_start_time=MIDNIGHT)
    assert str(facet.nominal_start_time) == facet.to_dict()["nominalStartTime"] == MIDNIGHT
    with pytest.raises(AttributeError):
        facet.nominalStartTime  # noqa: B018


@each("fields", [{"run_id": RUN_ID, "runId": RUN_ID}, {"runId": RUN_ID, "run_id": RUN_ID}], ids=str)
def test_a_field_given_by_both_names_is_rejected(fields: dict[str, Any]) -> None:
    with pytest.raises(EventError) as rejected:
        Run(**fields)
    problem = "field 'runId' is given twice; use 'run_id' or 'runId', not both"
    assert str(rejected.value) == f"/runId: {problem}"


@each(
    ("compose", "fields", "meant"),
    [
        (run_event, {"event_tipe": "START"}, "event_type"),
        (run_event, {"event_tipe": None}, "event_type"),
        (job, {"facet": []}, "facets"),
        (Run, {"runid": RUN_ID}, "run_id"),
        (NominalTimeRunFacet, {"nominal_start": MIDNIGHT}, "nominal_start_time"),
        (InputDataset, {"namespace": "s3://lake", "name": "a", "inputfacets": []}, "input_facets"),
    ],
    ids=str,
)
def test_the_error_for_an_unknown_name_suggests_the_similar_one(
    compose: Callable[..., object], fields: dict[str, Any], meant: str
) -> None:
    with pytest.raises(EventError, match=f"did you mean '{meant}'"):
        compose(**fields)


def test_the_error_for_a_name_without_a_similar_one_lists_all() -> None:
    with pytest.raises(EventError, match="Job has no field 'colour'; it has facets, name, namespace"):
        Job(namespace="etl", name="orders", colour="red")


@pytest.mark.check
def test_classes_can_be_used_before_those_that_they_contain() -> None:
    """A class that names one defined below it knows its wire names all the same."""
    script = """
from openlineage_facets.base.model.field_names import wire_names
from tests.composing.generated_classes import CLASSES

names = {cls: wire_names(cls) for cls in reversed(CLASSES)}
for cls in CLASSES:
    cls.model_rebuild(force=True)
    assert names[cls] == {name: field.alias or name for name, field in cls.model_fields.items()}, cls
print(len(names) > 100)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("True\n", "")
