"""`read_event` keeps every value of the input, and types every valid part."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import (
    EventError,
    Run,
    RunEvent,
    parse_event,
    read_event,
    validate,
)
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import NominalTimeRunFacet, RunFacet
from openlineage_facets.validation import RawFacet
from openlineage_facets.validation.event_validation import is_valid_event
from tests.cases import each
from tests.events import (
    DATASET,
    FACET,
    JOB,
    RUN_ID,
    dataset_event,
    job_event,
    on_dataset,
    on_job,
    on_run,
    run_event,
)
from tests.hypothesis_profiles import share
from tests.oracle.agreement import generated_class
from tests.oracle.expected_results import is_valid, schema_of
from tests.oracle.mutations import FACET_FIELDS, mutated
from tests.oracle.same_json import same_json
from tests.oracle.schemas import core
from tests.oracle.subjects import FACETS_IN_PLACE, WHOLE_EVENTS, Subject
from tests.oracle.values import at_every_place
from tests.reading.examples import VALID

DOCUMENTS = {
    **{subject: share(2) for subject in WHOLE_EVENTS},
    **{subject: share(0.4) for subject in FACETS_IN_PLACE},
}
"""Number of mutated documents per subject."""

ENTITIES = {"run", "job", "dataset"}

NOMINAL = {**FACET, "nominalStartTime": "2026-11-21T00:00:00Z"}


def assert_lossless(document: dict[str, Any]) -> Any:
    """Read a document, and assert that the event is written unchanged and supports all operations."""
    event, findings, raw = read_event(json.dumps(document), rules=False)
    assert same_json(raw, document)
    if event is None:
        assert not ENTITIES & document.keys()
        assert findings
        return None
    assert same_json(json.loads(event.to_json()), document)
    assert same_json(event.to_dict(), document)
    assert pickle.loads(pickle.dumps(event)) == event
    assert copy.deepcopy(event) == event
    assert read_event(event.to_json(), rules=False).event == event
    assert repr(event).startswith(f"{type(event).__name__}(")
    return event


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
FIELDS = st.sampled_from(
    "eventTime producer schemaURL eventType run job dataset inputs outputs runId namespace name facets "
    "inputFacets outputFacets _producer _schemaURL _deleted event_time run_id schema_url deleted nominalTime "
    "parent sql tags schema value model_fields __dict__".split()
)
GARBAGE = st.recursive(
    SCALARS | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(FIELDS | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(st.dictionaries(FIELDS, GARBAGE, max_size=8), st.sampled_from(sorted(ENTITIES)), GARBAGE)
def test_every_object_with_a_run_job_or_dataset_is_read(rest: dict[str, Any], part: str, value: Any):
    assert assert_lossless({**rest, part: value}) is not None


@each(
    "document",
    [
        run_event(inputs="raw/orders"),
        run_event(inputs=[7, DATASET, None]),
        run_event(inputs=[[DATASET]]),
        run_event(run=None, job=[], inputs={}, outputs=True),
        run_event(run={"runId": RUN_ID, "facets": []}),
        run_event(run={"runId": RUN_ID, "facets": None}),
        run_event(run={"runId": RUN_ID, "facets": {"nominalTime": None, "acme_x": [1], "": "", "parent": 7}}),
        run_event(event_time="2026", run_id=7, eventTime=None),
        on_job("sql", {"query": 7, "producer": "p", "_producer": None, "deleted": True, "_deleted": "yes"}),
        job_event(dataset=DATASET),
        job_event(dataset={}),
        {"run": {}},
        {"dataset": {"facets": {"schema": {"_deleted": True}}}},
        {"job": None, "dataset": None},
    ],
)
def test_values_of_the_wrong_type_are_kept(document: dict[str, Any]):
    assert assert_lossless(document) is not None


EVERY_KIND_OF_PART = (
    run_event(
        run={"runId": RUN_ID, "facets": {"nominalTime": NOMINAL, "acme_x": {**FACET, "y": [1]}}, "acme": {}},
        job={**JOB, "facets": {"sql": {**FACET, "query": "select 1"}}},
        inputs=[{**DATASET, "facets": {"schema": {**FACET, "fields": [{"name": "a"}]}}, "inputFacets": {}}],
        outputs=[{**DATASET, "outputFacets": {"outputStatistics": {**FACET, "rowCount": 1}}, "acme": [[1]]}],
        acme={"y": [1, {}]},
    ),
    job_event(inputs=[DATASET], acme=[1]),
    dataset_event(dataset={**DATASET, "facets": {"schema": {**FACET, "acme": {"y": 1}}}}),
)


@each("number", [float("nan"), float("inf"), float("-inf")])
@each("event", EVERY_KIND_OF_PART, ids=["run", "job", "dataset"])
def test_nan_and_infinity_are_kept_at_every_place(event: dict[str, Any], number: float):
    documents = [one for one in at_every_place(event, number) if isinstance(one, dict)]
    assert len(documents) > 15
    for document in documents:
        result = read_event(json.dumps(document), rules=False)
        text = json.dumps(document, sort_keys=True)
        assert result.findings
        assert json.dumps(result.raw, sort_keys=True) == text
        assert json.dumps(json.loads(result.event.to_json()), sort_keys=True) == text
        assert json.dumps(json.loads(result.event.model_dump_json()), sort_keys=True) == text
        assert json.dumps(result.event.to_dict(), sort_keys=True) == text
        again = read_event(result.event.to_json(), rules=False)
        assert again.event.to_json() == result.event.to_json()


def test_a_number_above_the_largest_double_is_written_as_infinity():
    event = read_event(json.dumps(run_event(acme="@")).replace('"@"', "1e400")).event
    assert event.to_json().endswith(b'"acme":Infinity}')


def test_long_numbers_are_kept():
    text = json.dumps(job_event(eventTime=9007199254740993123, acme="@")).replace('"@"', "1" * 4000)
    event = read_event(text).event
    assert json.loads(event.to_json()) == json.loads(text)


# -- valid parts are typed ---------------------------------------------------------------------------

_ATTRIBUTES = {"facets": "facets", "inputFacets": "input_facets", "outputFacets": "output_facets"}


def assert_typed(event: Any, document: dict[str, Any]) -> None:
    """Assert that the class of every facet agrees with jsonschema."""
    for part, field, base in FACET_FIELDS:
        entities = getattr(event, part) if part in type(event).model_fields else None
        raw = document.get(part)
        if entities is None or raw is None:
            continue
        objects = [one for one in raw if isinstance(one, dict)] if isinstance(entities, tuple) else [raw]
        entities = entities if isinstance(entities, tuple) else [entities]
        for entity, value in zip(entities, objects, strict=True):
            facets = value.get(field)
            for key, facet in facets.items() if isinstance(facets, dict) else ():
                read = getattr(entity, _ATTRIBUTES[field])[key]
                assert type(read) is expected_class(base, key, facet), (part, key, facet)


def expected_class(base: str, key: str, facet: Any) -> type[Model]:
    if not isinstance(facet, dict):
        return RawFacet
    definition = schema_of(base, key, {"_schemaURL": "", **facet}) if is_valid(core(base), facet) else None
    if definition is not None and is_valid(definition, facet):
        return generated_class(definition)
    return generated_class(core(base))


@each("subject", DOCUMENTS, ids=[subject.name for subject in DOCUMENTS])
def test_mutated_document_is_written_unchanged_and_its_valid_facets_are_typed(subject: Subject):
    for number in range(DOCUMENTS[subject]):
        random = Random(f"tolerant {subject.name} {number}")
        document = mutated(random, subject.make(random))
        event = assert_lossless(document) if isinstance(document, dict) else None
        if event is not None:
            assert_typed(event, document)


def test_real_events_are_read_completely(shared):
    paths = sorted((shared / "events").rglob("*.json"))
    assert len(paths) == 65
    for path in paths:
        document = json.loads(path.read_bytes())
        assert_typed(assert_lossless(document), document)


@each("path", VALID, ids=lambda path: path.stem)
def test_valid_event_equals_strict_parsing(path):
    reading = read_event(path.read_bytes())
    assert reading.event == parse_event(path.read_bytes())
    assert [finding for finding in reading.findings if finding.severity == "error"] == []
    assert is_valid_event(reading.raw)


# -- invalid parts are None or kept ------------------------------------------------------------------


def test_invalid_facet_is_kept_as_the_base_facet():
    event = read_event(on_run("nominalTime", {**FACET, "nominalStartTime": "midnight"})).event
    assert event.run.facets.nominal_time is None
    raw = event.run.facets["nominalTime"]
    assert type(raw) is RunFacet
    assert raw.nominalStartTime == "midnight"
    assert raw.producer == FACET["_producer"]
    with pytest.raises(EventError, match="nominalStartTime"):
        event.run.facets.get(NominalTimeRunFacet)


def test_facet_that_is_not_an_object_is_a_raw_facet():
    event = read_event(on_job("tags", [{"key": "a"}])).event
    held = event.job.facets["tags"]
    assert event.job.facets.tags is None
    assert isinstance(held, RawFacet)
    assert (held.value, held.to_dict(), held.to_json()) == ([{"key": "a"}], [{"key": "a"}], b'[{"key":"a"}]')
    assert (held.producer, held.schema_url) == (None, None)


def test_tombstone_without_producer_is_still_a_tombstone():
    event = read_event(on_job("sql", {"_deleted": True})).event
    assert event.job.facets.sql is None
    assert event.job.facets["sql"].deleted is True


def test_invalid_or_missing_field_is_none():
    event = read_event(
        {"eventTime": "now", "job": {"name": 7}, "run": {"runId": RUN_ID}, "eventType": "start"}
    ).event
    assert isinstance(event, RunEvent)
    assert (event.event_time, event.event_type, event.producer, event.inputs) == (None, None, None, None)
    assert (event.job.name, event.job.namespace, event.job.facets) == (None, None, None)
    assert event.run.run_id == RUN_ID


def test_run_id_that_is_not_a_uuid_is_kept():
    assert read_event(run_event(run={"runId": "orders-17"})).event.run.run_id == "orders-17"
    assert read_event(run_event(run={"runId": 17})).event.run.run_id is None


def test_inputs_that_are_not_objects_are_omitted():
    event = read_event(job_event(inputs=[7, DATASET, {"name": "b"}])).event
    assert [dataset.name for dataset in event.inputs] == [DATASET["name"], "b"]
    assert event.inputs[1].namespace is None


# -- input that is not an event ----------------------------------------------------------------------


@each(
    ("data", "raw"),
    [
        ("{", "{"),
        (b"{", "{"),
        (bytearray(b""), ""),
        (b"\xff{}", b"\xff{}"),
        ("[7]", [7]),
        (b"null", None),
        ('{"runs": 1.0}', {"runs": 1.0}),
        ({"a": {1}}, {"a": {1}}),
        ({"job": {1}}, {"job": {1}}),
        ({"job": {}, 1: 2}, {"job": {}, 1: 2}),
        ({"job": {"name": "\ud800"}}, {"job": {"name": "\ud800"}}),
        (7, 7),
    ],
)
def test_input_that_is_not_an_event_is_kept_as_raw(data: Any, raw: Any):
    reading = read_event(data)
    assert (reading.event, reading.raw) == (None, raw)
    assert [finding.severity for finding in reading.findings] == ["error"]


@pytest.mark.check
def test_first_event_of_a_process_may_be_invalid():
    code = (
        "import json, sys\n"
        "from openlineage_facets.validation.tolerant_parsing import tolerant_event\n"
        "sys.stdout.buffer.write(tolerant_event(json.loads(sys.argv[1])).to_json())"
    )
    document = '{"run":{"runId":"x"}}'
    done = subprocess.run([sys.executable, "-c", code, document], check=True, capture_output=True, text=True)
    assert done.stdout == document


@each("rules", [True, False])
def test_findings_are_those_of_validate(rules: bool):
    document = on_run("nominalTime", {"nominalStarttime": 7, "_schemaURL": "https://acme.example.com/x.json"})
    found = read_event(document, rules=rules).findings
    assert found == validate(document, rules=rules)
    assert ("warning" in {finding.severity for finding in found}) is rules


# -- operations on invalid events --------------------------------------------------------------------


def test_fields_can_be_replaced_if_the_others_are_valid_or_kept():
    event = read_event(run_event(run={"runId": "orders-17", "facets": {"parent": None}})).event
    assert event.replace(event_type="FAIL").to_dict() == {**event.to_dict(), "eventType": "FAIL"}
    fixed = read_event(run_event(run=7, eventTime="now")).event.replace(
        run=Run(run_id=RUN_ID), event_time="2026-11-21T08:30:00Z"
    )
    assert parse_event(fixed.to_json()) == fixed
    with pytest.raises(EventError) as caught:
        read_event(job_event(eventTime="now")).event.replace(producer="https://example.com/v8")
    assert [finding.pointer for finding in caught.value.findings] == ["/eventTime"]


def test_invalid_facets_can_be_replaced_and_removed():
    facets = read_event(on_run("nominalTime", {})).event.run.facets
    assert facets.with_facets({"nominalTime": NOMINAL}).nominal_time is not None
    assert list(facets.without("nominalTime")) == []


def test_events_with_different_invalid_values_differ():
    one, other = (read_event(on_dataset("schema", {**FACET, "fields": value})).event for value in (7, 8))
    assert one != other
    assert one == read_event(on_dataset("schema", {**FACET, "fields": 7})).event
