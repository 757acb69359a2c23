"""Documents with one wrong place are wrong there, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from openlineage_facets import EventError, Job, parse_event
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import (
    LifecycleStateChangeDatasetFacet,
    SQLJobFacet,
    job_type_job,
    lineage,
)
from openlineage_facets.testing import strategies
from openlineage_facets.testing.strategies import InvalidDocument
from tests.cases import each
from tests.oracle.expected_results import oracle_result
from tests.testing.test_strategies import MADE, drawn, never_seen


@pytest.mark.check
@settings(MADE, max_examples=30)
@given(strategies.invalid_documents())
def test_the_oracle_rejects_the_document_and_the_error_has_the_pointer(invalid: InvalidDocument) -> None:
    assert not oracle_result(invalid.document).valid, invalid.change
    with pytest.raises(EventError) as refused:
        parse_event(invalid.document)
    assert {finding.pointer for finding in refused.value.findings} == {invalid.pointer}


def test_errors_of_many_kinds_occur_at_every_depth() -> None:
    wanted: set[int | str] = {1, 2, 3, 4}
    wanted |= {
        "a required field left out",
        "null of the wrong type",
        "null for an absent field",
        "a date-time without an offset",
        "neither run, job nor dataset",
    }
    made = strategies.invalid_documents("job")
    assert not never_seen(made, wanted, lambda invalid: {invalid.pointer.count("/"), invalid.change})


@each(
    ("cls", "change"),
    [
        (lineage.LineageJobEntry, "a UUID without hyphens"),
        (lineage.LineageJobEntry, "a field left out that another needs"),
        (LifecycleStateChangeDatasetFacet, "a value that is not allowed"),
        (job_type_job.EmissionPattern, "a number below the least"),
    ],
)
def test_formats_rules_constants_and_bounds_are_violated(cls: type[Model], change: str) -> None:
    made = strategies.invalid_documents(cls)
    assert not never_seen(made, {change}, lambda invalid: {invalid.change})


def test_a_custom_class_has_invalid_documents() -> None:
    for invalid in drawn(strategies.invalid_documents(SQLJobFacet), 20):
        with pytest.raises(EventError) as refused:
            SQLJobFacet.from_json(invalid.document)
        assert {finding.pointer for finding in refused.value.findings} == {invalid.pointer}


def test_only_the_selected_facets_occur_in_invalid_documents() -> None:
    made = drawn(strategies.invalid_documents(Job, facets=[SQLJobFacet]), 30)
    maps = [invalid.document.get("facets") for invalid in made]
    assert {key for facets in maps if isinstance(facets, dict) for key in facets} == {"sql"}
