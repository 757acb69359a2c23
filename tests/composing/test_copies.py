"""Values are equal after copying and pickling, also in another process: Spark sends them to executors."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
import pytest

from openlineage_facets import DatasetEvent, EventError, Finding, JobEvent, StaticDataset, Timestamp
from openlineage_facets.facets import DatasetFacets, JobFacet, JobFacets, ParentRunFacet, RunFacet, parent_run
from tests.cases import each
from tests.composing.orders import MIDNIGHT, RUN_ID, columns, full_event, job, nominal_time, sql
from tests.composing.test_custom_facets import CostRunFacet

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "cloudpickle": lambda value: pickle.loads(cloudpickle.dumps(value)),
    **{
        f"pickle protocol {protocol}": lambda value, protocol=protocol: pickle.loads(
            pickle.dumps(value, protocol)
        )
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}

VALUES: dict[str, Any] = {
    "timestamp": Timestamp(MIDNIGHT),
    "run event": full_event(),
    "job event": JobEvent(job=job(facets=[sql()]), inputs=[]),
    "dataset event": DatasetEvent(dataset=StaticDataset(namespace="a", name="b", facets=[columns("id")])),
    "event read from JSON": type(full_event()).from_json(full_event().to_json()),
    "facet": nominal_time(),
    "facet with unknown fields": RunFacet(usd=1.5, breakdown={"compute": [1, None]}),
    "custom facet": CostRunFacet(usd=1.5),
    "facet with facets inside": ParentRunFacet(
        run=parent_run.Run(run_id=RUN_ID, facets=[nominal_time()]),
        job=parent_run.Job(namespace="etl", name="orders"),
    ),
    "tombstone": job(facets={"sql": JobFacet(deleted=True)}),
    "empty container": DatasetFacets(),
    "container": JobFacets({"sql": JobFacet(deleted=True), "acme_note": JobFacet(text="hi")}),
}


def wire(value: Any) -> object:
    if isinstance(value, Timestamp):
        return value.text
    return {key: wire(facet) for key, facet in value.items()} if hasattr(value, "items") else value.to_json()


@each("duplicate", COPIES.values(), ids=COPIES)
@each("value", VALUES.values(), ids=VALUES)
def test_a_copy_is_equal_and_writes_the_same_bytes(value: Any, duplicate: Callable[[Any], Any]) -> None:
    again = duplicate(value)
    assert type(again) is type(value)
    assert again == value
    assert wire(again) == wire(value)


@each("duplicate", COPIES.values(), ids=COPIES)
def test_a_copied_event_is_typed_and_frozen_like_the_first(duplicate: Callable[[Any], Any]) -> None:
    again = duplicate(full_event())
    assert again.run.facets.nominal_time == nominal_time()
    assert again.replace(event_type="FAIL").event_type == "FAIL"
    with pytest.raises((ValueError, AttributeError)):
        again.job = None


@each("duplicate", COPIES.values(), ids=COPIES)
def test_a_copied_error_keeps_its_findings(duplicate: Callable[[Any], Any]) -> None:
    error = EventError([Finding("/run/runId", "a UUID", '"seven"'), Finding("", "a job", "none", "add one")])
    again = duplicate(error)
    assert (again.findings, str(again)) == (error.findings, str(error))


def test_another_process_reads_a_pickled_event_without_importing_anything_first() -> None:
    event = full_event()
    script = "import pickle, sys; sys.stdout.buffer.write(pickle.load(sys.stdin.buffer).to_json())"
    done = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(event), capture_output=True, check=True
    )
    assert done.stdout == event.to_json()
