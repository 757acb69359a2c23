"""Parts of openlineage-python's events are no parts of ours; errors name the class to use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attr
import pytest
from openlineage.client import event_v2, facet
from openlineage.client.facet_v2 import ownership_job, parent_run, sql_job

from openlineage_facets import EventError, InputDataset, Job, Run, RunEvent, RunEventBuilder
from openlineage_facets.facets import JobFacets, OwnershipJobFacet, ParentRunFacet
from tests.cases import each
from tests.openlineage_python.client_events import RUN_ID

SQL: Any = sql_job.SQLJobFacet("SELECT 1")
JOB: Any = event_v2.Job("etl", "daily")
INPUT: Any = event_v2.InputDataset("s3://lake", "orders")
OWNER: Any = ownership_job.Owner("ana")
PARENT: Any = parent_run.Run(RUN_ID)


@attr.define
class _AcmeFacet(facet.BaseFacet):
    cost: int = attr.field(default=1)


ACME: Any = _AcmeFacet()
IDENTITY = {"namespace": "etl", "name": "daily"}


@each(
    ("compose", "location", "use"),
    [
        (lambda: Job(**IDENTITY, facets=[SQL]), "/facets", "the SQLJobFacet"),
        (lambda: Job(**IDENTITY, facets={"sql": SQL}), "/facets/sql", "the SQLJobFacet"),
        (lambda: JobFacets({"sql": facet.SqlJobFacet("SELECT 1")}), "/sql", "the SQLJobFacet"),
        (lambda: JobFacets([facet.SqlJobFacet("SELECT 1")]), "(root)", "the SQLJobFacet"),
        (lambda: RunEventBuilder("etl", "daily").job.facet(SQL), "/facets", "the SQLJobFacet"),
        (lambda: OwnershipJobFacet(owners=[OWNER]), "/owners/0", "the facets.ownership_job.Owner"),
        (lambda: ParentRunFacet(run=PARENT, job={**IDENTITY}), "/run", "the facets.parent_run.Run"),
        (lambda: RunEvent(run=Run(run_id=RUN_ID), job=JOB), "/job", "the Job"),
        (lambda: RunEvent(run=Run(), job=Job(**IDENTITY), inputs=[INPUT]), "/inputs/0", "the InputDataset"),
        (lambda: Job(**IDENTITY, facets={"acme_cost": ACME}), "/facets/acme_cost", "the JobFacet"),
        (lambda: Job(**IDENTITY, facets=[ACME]), "/facets", "a class"),
        (lambda: RunEventBuilder("etl", "daily").job.facet(ACME), "/facets", "a class"),
        (lambda: RunEvent(run=Run(), job=Job(**IDENTITY), inputs=INPUT), "/inputs", "a class"),
    ],
)
def test_the_error_names_the_class_to_use(compose: Callable[[], Any], location: str, use: str) -> None:
    with pytest.raises(EventError) as raised:
        compose()
    (finding,) = raised.value.findings
    assert str(finding).startswith(f"{location}: expected ")
    assert "of openlineage-python" in finding.found
    assert finding.hint == f"use {use} of openlineage_facets, or parse_event for whole events"


def test_objects_of_other_packages_are_not_those_of_openlineage_python() -> None:
    thing: Any = object()
    with pytest.raises(EventError, match=r"found an object; create one, such as \w+\(\.\.\.\)$"):
        Job(**IDENTITY, facets=[thing])
    assert InputDataset(**IDENTITY).name == "daily"
