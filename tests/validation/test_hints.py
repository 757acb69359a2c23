"""Findings have hints that are derived from the rest of the document."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets import validate
from openlineage_facets.facets import NominalTimeRunFacet, RunFacet
from tests.cases import each
from tests.events import (
    DATASET,
    FACET,
    JOB,
    RUN_ID,
    job_event,
    on_dataset,
    on_job,
    on_output,
    on_run,
    run_event,
)


def without(event: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}


ADDRESS = "https://openlineage.io/spec/"
HINTS: dict[str, tuple[Any, str, str]] = {
    # problem: event, pointer of the finding, hint
    "misspelled required field": (
        {**without(job_event(), "eventTime"), "eventtime": "2026-11-21T08:30:00Z"},
        "/eventTime",
        "rename 'eventtime' to 'eventTime'",
    ),
    "misspelled required field of a nested item": (
        on_dataset("schema", {**FACET, "fields": [{"name": "a"}, {"nmae": "b"}]}),
        "/dataset/facets/schema/fields/1/name",
        "rename 'nmae' to 'name'",
    ),
    "misspelled required field of a facet": (
        on_job("sql", {**FACET, "Query": "SELECT 1"}),
        "/job/facets/sql/query",
        "rename 'Query' to 'query'",
    ),
    "missing field next to a known one": (
        job_event(inputs=[{"namespace": "n", "facets": {}}]),
        "/inputs/0/name",
        "",
    ),
    "misspelled run": (
        {**without(run_event(), "run", "job"), "Run": {"runId": RUN_ID}},
        "",
        "rename 'Run' to 'run'",
    ),
    "dataset in the plural": (
        {**without(job_event(), "job"), "datasets": []},
        "",
        "rename 'datasets' to 'dataset'",
    ),
    "missing producer": (
        without(job_event(), "producer"),
        "/producer",
        "add 'producer', the URI of the code that created the event",
    ),
    "missing schema URL": (
        without(job_event(), "schemaURL"),
        "/schemaURL",
        f"add 'schemaURL': '{ADDRESS}2-0-2/OpenLineage.json#/$defs/JobEvent'",
    ),
    "missing event time": (
        without(job_event(), "eventTime"),
        "/eventTime",
        "add 'eventTime', such as '2026-11-21T08:30:00Z'",
    ),
    "missing run id": (
        run_event(run={}),
        "/run/runId",
        "add 'runId', the same UUID in all events of the run",
    ),
    "missing producer of a facet": (
        on_run("nominalTime", without({**FACET, "nominalStartTime": "2026-11-21T00:00:00Z"}, "_producer")),
        "/run/facets/nominalTime/_producer",
        "add '_producer', the URI of the code that created the facet",
    ),
    "missing schema URL of a known facet": (
        on_run("nominalTime", without({**FACET, "nominalStartTime": "2026-11-21T00:00:00Z"}, "_schemaURL")),
        "/run/facets/nominalTime/_schemaURL",
        f"add '_schemaURL': '{NominalTimeRunFacet.__schema_url__}'",
    ),
    "missing schema URL of a custom facet": (
        on_run("acme_cost", without(FACET, "_schemaURL")),
        "/run/facets/acme_cost/_schemaURL",
        "add '_schemaURL', the URI of the JSON Schema that defines the facet",
    ),
    "list instead of the tags facet": (
        on_job("tags", [{"key": "a", "value": "b"}]),
        "/job/facets/tags",
        "move the list into 'tags' of a facet with '_producer' and '_schemaURL'",
    ),
    "list instead of the ownership facet": (
        on_job("ownership", [{"name": "a"}]),
        "/job/facets/ownership",
        "move the list into 'owners' of a facet with '_producer' and '_schemaURL'",
    ),
    "list instead of a custom facet": (on_job("acme_list", []), "/job/facets/acme_list", ""),
    "quoted number": (
        on_output("outputStatistics", {**FACET, "rowCount": "10"}),
        "/outputs/0/outputFacets/outputStatistics/rowCount",
        "remove the quotes",
    ),
    "quoted boolean": (
        on_job("sql", {**FACET, "query": "", "_deleted": "true"}),
        "/job/facets/sql/_deleted",
        "remove the quotes",
    ),
    "text instead of a number": (
        on_output("outputStatistics", {**FACET, "rowCount": "ten"}),
        "/outputs/0/outputFacets/outputStatistics/rowCount",
        "",
    ),
    "lowercase enum value": (run_event(eventType="complete"), "/eventType", "did you mean 'COMPLETE'?"),
    "unknown enum value": (run_event(eventType="DONE"), "/eventType", ""),
    "misspelled field of a closed object": (
        on_run("executionParameters", {**FACET, "parameters": [{"key": "k", "vaule": "v"}]}),
        "/run/facets/executionParameters/parameters/0/vaule",
        "rename it to 'value'",
    ),
    "time without an offset": (
        job_event(eventTime="2026-11-21T08:30:00.25"),
        "/eventTime",
        "add the UTC offset, such as 'Z' or '+01:00'",
    ),
    "time with a space": (
        job_event(eventTime="2026-11-21 08:30:00Z"),
        "/eventTime",
        "separate date and time with 'T'",
    ),
    "time as printed by Python": (
        job_event(eventTime="2026-11-21 08:30:00"),
        "/eventTime",
        "separate date and time with 'T', and add the UTC offset, such as 'Z' or '+01:00'",
    ),
    "leap second": (
        job_event(eventTime="2016-12-31T23:59:60Z"),
        "/eventTime",
        "write second 59 instead of the leap second, which Python's datetime does not have",
    ),
    "date": (job_event(eventTime="2026-11-21"), "/eventTime", "add the time of day and the UTC offset"),
    "not a time": (job_event(eventTime="now"), "/eventTime", ""),
    "run id that is not a UUID": (
        run_event(run={"runId": "orders-17"}),
        "/run/runId",
        "derive a UUID from the id with uuid.uuid5, and use it in all events of the run",
    ),
    "NaN": (
        json.dumps(job_event(acme={"a": float("nan")})),
        "/acme/a",
        "remove the field",
    ),
}


@each("problem", HINTS)
def test_finding_has_a_hint(problem: str):
    event, pointer, hint = HINTS[problem]
    found = {finding.pointer: finding.hint for finding in validate(event) if finding.severity == "error"}
    assert found[pointer] == hint


def test_event_fixed_as_hinted_is_valid():
    misspelled = {**FACET, "nominalStarttime": "2026-11-21T00:00:00Z"}
    [finding] = validate(on_run("nominalTime", misspelled), rules=False)
    assert finding.hint == "rename 'nominalStarttime' to 'nominalStartTime'"
    assert (
        validate(
            on_run("nominalTime", {**FACET, "nominalStartTime": misspelled["nominalStarttime"]}), rules=False
        )
        == []
    )


def test_job_and_dataset_in_one_event_has_a_hint_to_split_it():
    [finding] = validate(job_event(dataset=DATASET, job=JOB))
    assert finding.hint == "emit the job and the dataset in two events"


def test_hint_has_the_schema_url_of_the_facet_class():
    assert RunFacet.__schema_url__ not in str(validate(on_run("nominalTime", {})))
