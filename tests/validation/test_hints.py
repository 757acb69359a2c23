"""A finding says how to mend it, from what the document shows was meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.facets import NominalTimeRunFacet, RunFacet
from tests.reading.examples import (
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
    # what is wrong: the event, the pointer of the finding, and its hint
    "a required field misspelt": (
        {**without(job_event(), "eventTime"), "eventtime": "2026-11-21T08:30:00Z"},
        "/eventTime",
        "rename 'eventtime' to 'eventTime'",
    ),
    "a required field of a row misspelt": (
        on_dataset("schema", {**FACET, "fields": [{"name": "a"}, {"nmae": "b"}]}),
        "/dataset/facets/schema/fields/1/name",
        "rename 'nmae' to 'name'",
    ),
    "a required field of a facet misspelt": (
        on_job("sql", {**FACET, "Query": "SELECT 1"}),
        "/job/facets/sql/query",
        "rename 'Query' to 'query'",
    ),
    "a field of another name that the class knows": (
        job_event(inputs=[{"namespace": "n", "facets": {}}]),
        "/inputs/0/name",
        "add 'name'",
    ),
    "the run misspelt": (
        {**without(run_event(), "run", "job"), "Run": {"runId": RUN_ID}},
        "",
        "rename 'Run' to 'run'",
    ),
    "the dataset in the plural": (
        {**without(job_event(), "job"), "datasets": []},
        "",
        "rename 'datasets' to 'dataset'",
    ),
    "an event without producer": (
        without(job_event(), "producer"),
        "/producer",
        "add 'producer', the URI of the code that made the event",
    ),
    "an event without schema URL": (
        without(job_event(), "schemaURL"),
        "/schemaURL",
        f"add 'schemaURL': '{ADDRESS}2-0-2/OpenLineage.json#/$defs/JobEvent'",
    ),
    "an event without time": (
        without(job_event(), "eventTime"),
        "/eventTime",
        "add 'eventTime', such as '2026-11-21T08:30:00Z'",
    ),
    "a run without id": (
        run_event(run={}),
        "/run/runId",
        "add 'runId', a UUID that all events of the run share",
    ),
    "a facet without producer": (
        on_run("nominalTime", without({**FACET, "nominalStartTime": "2026-11-21T00:00:00Z"}, "_producer")),
        "/run/facets/nominalTime/_producer",
        "add '_producer', the URI of the code that made the facet",
    ),
    "a known facet without schema URL": (
        on_run("nominalTime", without({**FACET, "nominalStartTime": "2026-11-21T00:00:00Z"}, "_schemaURL")),
        "/run/facets/nominalTime/_schemaURL",
        f"add '_schemaURL': '{NominalTimeRunFacet.__schema_url__}'",
    ),
    "a custom facet without schema URL": (
        on_run("acme_cost", without(FACET, "_schemaURL")),
        "/run/facets/acme_cost/_schemaURL",
        "add '_schemaURL', the URI of the JSON Schema that defines the facet",
    ),
    "a bare list under tags": (
        on_job("tags", [{"key": "a", "value": "b"}]),
        "/job/facets/tags",
        "put the list under 'tags' of the facet, beside '_producer' and '_schemaURL'",
    ),
    "a bare list of owners": (
        on_job("ownership", [{"name": "a"}]),
        "/job/facets/ownership",
        "put the list under 'owners' of the facet, beside '_producer' and '_schemaURL'",
    ),
    "a bare list under a custom key": (on_job("acme_list", []), "/job/facets/acme_list", ""),
    "a number in quotes": (
        on_output("outputStatistics", {**FACET, "rowCount": "10"}),
        "/outputs/0/outputFacets/outputStatistics/rowCount",
        "leave out the quotes",
    ),
    "a truth in quotes": (
        on_job("sql", {**FACET, "query": "", "_deleted": "true"}),
        "/job/facets/sql/_deleted",
        "leave out the quotes",
    ),
    "words for a number": (
        on_output("outputStatistics", {**FACET, "rowCount": "ten"}),
        "/outputs/0/outputFacets/outputStatistics/rowCount",
        "",
    ),
    "a value in small letters": (run_event(eventType="complete"), "/eventType", "did you mean 'COMPLETE'?"),
    "a value that is no other": (run_event(eventType="DONE"), "/eventType", ""),
    "a misspelt field where none may be": (
        on_run("executionParameters", {**FACET, "parameters": [{"key": "k", "vaule": "v"}]}),
        "/run/facets/executionParameters/parameters/0/vaule",
        "rename it to 'value'",
    ),
    "a time without offset": (
        job_event(eventTime="2026-11-21T08:30:00.25"),
        "/eventTime",
        "add the offset: 'Z' if it is UTC, else one such as '+01:00'",
    ),
    "a time with a space": (
        job_event(eventTime="2026-11-21 08:30:00Z"),
        "/eventTime",
        "write 'T' between date and time",
    ),
    "a time as Python prints it": (
        job_event(eventTime="2026-11-21 08:30:00"),
        "/eventTime",
        "write 'T' between date and time, and add the offset: 'Z' if it is UTC, else one such as '+01:00'",
    ),
    "a date": (job_event(eventTime="2026-11-21"), "/eventTime", "add the time of the day and the offset"),
    "no time at all": (job_event(eventTime="now"), "/eventTime", ""),
    "a run id of ones own": (
        run_event(run={"runId": "orders-17"}),
        "/run/runId",
        "derive one from your own id, such as with uuid.uuid5, and use it in all events of the run",
    ),
    "a number that is none": (
        json.dumps(job_event(acme={"a": float("nan")})),
        "/acme/a",
        "leave the field out",
    ),
}


@pytest.mark.parametrize("what", HINTS)
def test_a_finding_says_how_to_mend_it(what: str):
    event, pointer, hint = HINTS[what]
    found = {finding.pointer: finding.hint for finding in validate(event) if finding.severity == "error"}
    assert found[pointer] == hint


def test_a_mended_event_has_no_error():
    wrong = {**FACET, "nominalStarttime": "2026-11-21T00:00:00Z"}
    [finding] = validate(on_run("nominalTime", wrong), rules=False)
    assert finding.hint == "rename 'nominalStarttime' to 'nominalStartTime'"
    assert (
        validate(on_run("nominalTime", {**FACET, "nominalStartTime": wrong["nominalStarttime"]}), rules=False)
        == []
    )


def test_a_job_and_a_dataset_in_one_are_to_be_told_apart():
    [finding] = validate(job_event(dataset=DATASET, job=JOB))
    assert finding.hint == "send the job and the dataset in two events"


def test_a_hint_names_the_schema_of_the_very_class():
    assert RunFacet.__schema_url__ not in str(validate(on_run("nominalTime", {})))
