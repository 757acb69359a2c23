"""Fields are given by their Python name or wire name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from openlineage_facets import EventError, InputDataset, Job, Run, RunEvent
from openlineage_facets.facets import NominalTimeRunFacet, SQLJobFacet
from tests.composing.orders import MIDNIGHT, PRODUCER, RUN_ID, job, run_event
from tests.conftest import ROOT


def test_python_names_and_wire_names_compose_the_same_value() -> None:
    by_python_name = RunEvent(
        event_type="START", event_time=MIDNIGHT, producer=PRODUCER, run=Run(run_id=RUN_ID), job=job()
    )
    by_wire_name = RunEvent(
        eventType="START",
        eventTime=MIDNIGHT,
        producer=PRODUCER,
        run=Run(runId=RUN_ID),
        job=job(),
    )
    assert by_python_name == by_wire_name


def test_wire_names_with_an_underscore_are_accepted() -> None:
    facet = SQLJobFacet(query="select 1", _producer=PRODUCER, _schemaURL="https://example.com/x")
    assert (facet.producer, facet.schema_url) == (PRODUCER, "https://example.com/x")


def test_attributes_have_python_names_and_the_wire_format_has_wire_names() -> None:
    facet = NominalTimeRunFacet(nominal_start_time=MIDNIGHT)
    assert str(facet.nominal_start_time) == facet.to_dict()["nominalStartTime"] == MIDNIGHT
    with pytest.raises(AttributeError):
        facet.nominalStartTime  # noqa: B018


@pytest.mark.parametrize(
    "fields",
    [{"run_id": RUN_ID, "runId": RUN_ID}, {"runId": RUN_ID, "run_id": RUN_ID}],
    ids=["python name first", "wire name first"],
)
def test_a_field_given_by_both_names_is_rejected(fields: dict[str, Any]) -> None:
    with pytest.raises(EventError) as rejected:
        Run(**fields)
    message = str(rejected.value)
    assert message.startswith("/runId: ")
    assert "'run_id'" in message
    assert "'runId'" in message


MISSPELT: list[tuple[Callable[..., object], dict[str, Any], str]] = [
    (run_event, {"event_tipe": "START"}, "event_type"),
    (job, {"facet": []}, "facets"),
    (Run, {"runid": RUN_ID}, "run_id"),
    (SQLJobFacet, {"qery": "select 1"}, "query"),
    (NominalTimeRunFacet, {"nominal_start": MIDNIGHT}, "nominal_start_time"),
    (InputDataset, {"namespace": "s3://lake", "name": "a", "inputfacets": []}, "input_facets"),
]


@pytest.mark.parametrize(("compose", "fields", "meant"), MISSPELT, ids=[case[2] for case in MISSPELT])
def test_the_error_for_an_unknown_name_suggests_the_similar_one(
    compose: Callable[..., object], fields: dict[str, Any], meant: str
) -> None:
    with pytest.raises(EventError, match=f"did you mean '{meant}'"):
        compose(**fields)


def test_the_error_for_a_name_without_a_similar_one_lists_all() -> None:
    with pytest.raises(EventError, match="Job has no field 'colour'; it has facets, name, namespace"):
        Job(namespace="etl", name="orders", colour="red")


def test_an_unknown_name_is_rejected_even_if_its_value_is_none() -> None:
    with pytest.raises(EventError):
        run_event(event_tipe=None)


@pytest.mark.check
@pytest.mark.parametrize("order", ["list", "reversed"])
def test_classes_can_be_used_in_any_order(order: str) -> None:
    """A class that names one defined below it knows its wire names all the same."""
    script = f"""
from openlineage_facets.base.model.field_names import wire_names
from tests.composing.generated_classes import CLASSES

found = {{cls: wire_names(cls) for cls in {order}(CLASSES)}}
for cls in CLASSES:
    cls.model_rebuild(force=True)
wrong = [
    cls.__name__
    for cls in CLASSES
    if found[cls] != {{name: field.alias or name for name, field in cls.model_fields.items()}}
]
print(len(CLASSES), wrong)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    count, wrong = done.stdout.split(" ", 1)
    assert int(count) > 100
    assert wrong.strip() == "[]"
