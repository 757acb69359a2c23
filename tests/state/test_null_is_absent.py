"""With `null_is_absent`, null does not replace a facet."""

from __future__ import annotations

import pytest

from openlineage_facets import Event
from openlineage_facets.facets import DocumentationDatasetFacet
from openlineage_facets.state import LineageState
from tests.state.sample_events import dataset_event


@pytest.mark.parametrize("null_is_absent", [False, True])
def test_a_facet_that_is_null_replaces_an_earlier_one_unless_null_is_absent(null_is_absent: bool) -> None:
    described: Event = dataset_event(1, DocumentationDatasetFacet(description="orders"))
    exported = dataset_event(2).to_dict()
    exported["dataset"]["facets"] = {"documentation": None, "schema": None}
    state = LineageState()
    for event in (described, exported):
        state.apply(event, null_is_absent=null_is_absent)
    dataset = state.dataset("db", "orders")
    assert dataset is not None
    assert (dataset.facets.documentation is not None) == null_is_absent
