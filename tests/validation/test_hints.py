"""Findings have hints that are derived from the rest of the document."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets import validate
from openlineage_facets.facets import NominalTimeRunFacet
from tests.cases import each
from tests.events import (
    DATASET,
    FACET,
    JOB,
    RUN_ID,
    SPEC,
    facet,
    job_event,
    on_dataset,
    on_job,
    on_output,
    on_run,
    run_event,
)


def without(event: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}


NOMINAL = facet(nominalStartTime="2026-11-21T00:00:00Z")
COUNT = "/outputs/0/outputFacets/outputStatistics/rowCount"
MOVE = "move the list into {!r} of a facet with '_producer' and '_schemaURL'"
WITH_T = "separate date and time with 'T'"
OFFSET = "add the UTC offset, such as 'Z' or '+01:00'"
UUID = "derive a UUID from the id with uuid.uuid5, and use it in all events of the run"
TWO = "emit the job and the dataset in two events"
NO_LEAP = "write second 59 instead of the leap second, which Python's datetime does not have"
RENAMED = {"eventtime": "2026-11-21T08:30:00Z"}


@each(
    ("event", "pointer", "hint"),
    [
        # Names
        ({**without(job_event(), "eventTime"), **RENAMED}, "/eventTime", "rename 'eventtime' to 'eventTime'"),
        (
            on_dataset("schema", facet(fields=[{"name": "a"}, {"nmae": "b"}])),
            "/dataset/facets/schema/fields/1/name",
            "rename 'nmae' to 'name'",
        ),
        (on_job("sql", facet(Query="SELECT 1")), "/job/facets/sql/query", "rename 'Query' to 'query'"),
        (job_event(inputs=[{"namespace": "n", "facets": {}}]), "/inputs/0/name", ""),
        ({**without(run_event(), "run", "job"), "Run": {"runId": RUN_ID}}, "", "rename 'Run' to 'run'"),
        ({**without(job_event(), "job"), "datasets": []}, "", "rename 'datasets' to 'dataset'"),
        (job_event(dataset=DATASET, job=JOB), "", TWO),
        (
            on_run("executionParameters", facet(parameters=[{"key": "k", "vaule": "v"}])),
            "/run/facets/executionParameters/parameters/0/vaule",
            "rename it to 'value'",
        ),
        # Missing fields
        (
            without(job_event(), "producer"),
            "/producer",
            "add 'producer', the URI of the code that created the event",
        ),
        (without(job_event(), "schemaURL"), "/schemaURL", f"add 'schemaURL': '{SPEC}/JobEvent'"),
        (without(job_event(), "eventTime"), "/eventTime", "add 'eventTime', such as '2026-11-21T08:30:00Z'"),
        (run_event(run={}), "/run/runId", "add 'runId', the same UUID in all events of the run"),
        (
            on_run("nominalTime", without(NOMINAL, "_producer")),
            "/run/facets/nominalTime/_producer",
            "add '_producer', the URI of the code that created the facet",
        ),
        (
            on_run("nominalTime", without(NOMINAL, "_schemaURL")),
            "/run/facets/nominalTime/_schemaURL",
            f"add '_schemaURL': '{NominalTimeRunFacet.__schema_url__}'",
        ),
        (
            on_run("acme_cost", without(FACET, "_schemaURL")),
            "/run/facets/acme_cost/_schemaURL",
            "add '_schemaURL', the URI of the JSON Schema that defines the facet",
        ),
        # Values
        (on_job("tags", [{"key": "a", "value": "b"}]), "/job/facets/tags", MOVE.format("tags")),
        (on_job("ownership", [{"name": "a"}]), "/job/facets/ownership", MOVE.format("owners")),
        (on_job("acme_list", []), "/job/facets/acme_list", ""),
        (on_output("outputStatistics", facet(rowCount="10")), COUNT, "remove the quotes"),
        (on_output("outputStatistics", facet(rowCount="ten")), COUNT, ""),
        (on_job("sql", facet(query="", _deleted="true")), "/job/facets/sql/_deleted", "remove the quotes"),
        (run_event(eventType="complete"), "/eventType", "did you mean 'COMPLETE'?"),
        (run_event(eventType="DONE"), "/eventType", ""),
        (job_event(eventTime="2026-11-21T08:30:00.25"), "/eventTime", OFFSET),
        (job_event(eventTime="2026-11-21 08:30:00Z"), "/eventTime", WITH_T),
        (
            job_event(eventTime="2026-11-21 08:30:00"),
            "/eventTime",
            f"{WITH_T}, and {OFFSET}",
        ),
        (job_event(eventTime="2016-12-31T23:59:60Z"), "/eventTime", NO_LEAP),
        (job_event(eventTime="2026-11-21"), "/eventTime", "add the time of day and the UTC offset"),
        (job_event(eventTime="now"), "/eventTime", ""),
        (run_event(run={"runId": "orders-17"}), "/run/runId", UUID),
        (json.dumps(job_event(acme={"a": float("nan")})), "/acme/a", "remove the field"),
    ],
)
def test_finding_has_a_hint(event: Any, pointer: str, hint: str):
    found = {finding.pointer: finding.hint for finding in validate(event) if finding.severity == "error"}
    assert found[pointer] == hint
