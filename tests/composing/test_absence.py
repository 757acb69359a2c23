"""Absent, empty and null are different, and None in Python means absent."""

from __future__ import annotations

import pytest

from openlineage_facets import EventError, InputDataset, JobEvent
from openlineage_facets.facets import RunFacet, SchemaDatasetFacet
from tests.composing.orders import job, run_event


def test_none_for_an_optional_field_leaves_it_out_and_an_empty_list_stays_one() -> None:
    assert job(facets=None).to_dict() == {"namespace": "etl", "name": "orders.daily"}
    assert job(facets=[]).to_dict()["facets"] == {}
    event = run_event(inputs=[], outputs=None)
    assert (event.inputs, event.outputs, event.job.facets) == ((), None, None)
    assert event.to_dict()["inputs"] == []
    assert "outputs" not in event.to_dict()


def test_absent_and_empty_are_not_equal() -> None:
    assert job(facets=[]) != job()
    assert SchemaDatasetFacet(fields=[]) != SchemaDatasetFacet()


def test_a_field_of_a_custom_facet_may_be_null() -> None:
    facet = RunFacet(cost=None)
    assert facet.to_dict()["cost"] is None
    assert facet.to_json().endswith(b',"cost":null}')


def test_every_missing_or_invalid_part_is_a_finding_of_its_own() -> None:
    with pytest.raises(EventError) as rejected:
        JobEvent(inputs=[InputDataset(namespace="s3://lake", name="raw")], outputs=[3])
    assert {finding.pointer for finding in rejected.value.findings} == {"/job", "/outputs/0"}
