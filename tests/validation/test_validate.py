"""`validate` reports an error if and only if the event violates the schemas, in document order."""

from __future__ import annotations

import json
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from openlineage_facets import EventError, Finding, RunEvent, parse_event, read_event, validate
from openlineage_facets.event_kind import class_of_kind, strict_kind_of
from openlineage_facets.validation.code_catalogue import catalogue
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.event_validation import validate_document
from tests.cases import each
from tests.events import FACET, job_event, on_output, run_event
from tests.hypothesis_profiles import share
from tests.oracle.expected_results import oracle_result as oracle
from tests.oracle.mutations import mutated
from tests.oracle.subjects import FACETS_IN_PLACE, WHOLE_EVENTS, Subject
from tests.reading.test_errors import BROKEN
from tests.validation.jsonschema_pointers import pointers_of

DOCUMENTS = {
    **{subject: share(2) for subject in WHOLE_EVENTS},
    **{subject: share(0.4) for subject in FACETS_IN_PLACE},
}
"""Number of validated documents per subject."""


def errors(data: Any, **options: Any) -> list[Finding]:
    return [finding for finding in validate(data, **options) if finding.severity == "error"]


def documents(subject: Subject, count: int) -> list[Any]:
    randoms = (Random(f"validate {subject.name} {number}") for number in range(count))
    return [
        mutated(random, subject.make(random)) if random.random() < 0.8 else subject.make(random)
        for random in randoms
    ]


@each("subject", DOCUMENTS, ids=[subject.name for subject in DOCUMENTS])
def test_errors_are_those_of_jsonschema_with_the_same_pointers(subject: Subject):
    for document in documents(subject, DOCUMENTS[subject]):
        pointers = {error.pointer for error in errors(json.dumps(document), rules=False)}
        assert bool(pointers) != oracle(document).valid
        expected = pointers_of(kind_of(document), document) if kind_of(document) else None
        if expected is not None:
            unions = tuple(expected.unions)
            in_unions = {pointer for pointer in pointers if pointer.startswith(unions)}
            outside = {pointer for pointer in expected.exact if not pointer.startswith(unions)}
            assert pointers - in_unions == outside
            assert all(any(pointer.startswith(union) for pointer in pointers) for union in unions)


def kind_of(document: Any) -> str:
    try:
        return class_of_kind(strict_kind_of(document)).__name__ if isinstance(document, dict) else ""
    except EventError:
        return ""


@each("subject", WHOLE_EVENTS, ids=[subject.name for subject in WHOLE_EVENTS])
def test_findings_are_lines_with_a_known_code_errors_first_and_in_document_order(subject: Subject):
    known = catalogue()
    for document in documents(subject, share(5)):
        findings = validate(json.dumps(document))
        order = [(finding.severity, Document(document).position(finding)) for finding in findings]
        assert order == sorted(order)
        for finding in findings:
            assert known[finding.code].severity == finding.severity
            assert len(str(finding).splitlines()) == 1


@each("what", BROKEN)
def test_pointers_are_those_of_strict_parsing(what: str):
    event, expected = BROKEN[what]
    assert {finding.pointer for finding in errors(event)} == set(expected)


def test_errors_are_the_same_with_and_without_rules():
    event = run_event(eventType="start", producer="no uri", run={"runId": 7})
    assert validate(event, rules=False) == errors(event)
    assert [finding.pointer for finding in errors(event)] == ["/run/runId", "/eventType"]


def test_text_bytes_and_dict_have_the_same_findings():
    event = on_output("outputStatistics", {**FACET, "rowCount": "10", "fileSize": 7})
    assert validate(event) == validate(json.dumps(event)) == validate(json.dumps(event).encode()) != []


@each(
    ("data", "code"),
    [
        (b"", "OL001"),
        (b"\xff\xfe{\x00}\x00", "OL001"),
        (b'\xef\xbb\xbf{"job": {}}', "OL001"),
        ('{"a": 1} {"b": 2}', "OL001"),
        ("\ud800", "OL001"),
        ("[" * 300 + "]" * 300, "OL001"),
        ('{"job": {"n": ' + "9" * 5000 + "}}", "OL001"),
        ("[]", "OL002"),
        ("7", "OL002"),
        ("null", "OL002"),
        ("{}", "OL002"),
        (None, "OL002"),
        ([], "OL002"),
    ],
)
def test_input_that_is_not_an_event_is_one_finding(data: Any, code: str):
    [finding] = validate(data)
    assert (finding.code, finding.severity, finding.pointer) == (code, "error", "")


LOOP: dict[str, Any] = {"job": {"facets": []}}
LOOP["job"]["facets"].append(LOOP)


@each(
    ("data", "pointer", "message"),
    [
        ({"job": {1}}, "/job", "expected a JSON value, found a set"),
        ({"run": [{"a/b": ("x", b"y")}]}, "/run/0/a~1b/1", "expected a JSON value, found a bytes"),
        ({"job": {7: 8}}, "/job/7", "expected a string as key, found 7"),
        ({"job": [{None: 8}]}, "/job/0/None", "expected a string as key, found null"),
        ({"at": MappingProxyType({})}, "/at", "expected a JSON value, found a mappingproxy"),
        ({"n": [-(10**5000)]}, "/n/0", "expected a number of at most 4300 digits, found "),
        ({"job": {"name": "é\ud800"}}, "/job/name", "expected text without lone surrogates, found "),
        ({"job": {"\ud800": 1}}, "/job/\ud800", "expected a string as key, found "),
        (LOOP, "/job/facets/0", "expected a value that does not contain itself, found an object that"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isascii() else "",
)
def test_dict_with_a_non_json_value_is_reported_with_its_location(data: Any, pointer: str, message: str):
    [finding] = validate(data)
    assert (finding.code, finding.pointer) == ("OL015", pointer)
    assert finding.message.startswith(message)
    assert read_event(data)[0::2] == (None, data)
    with pytest.raises(EventError) as caught:
        parse_event(data)
    assert caught.value.findings == (finding,)


def test_shared_value_is_not_a_circular_reference():
    shared = {"namespace": "s3://lake", "name": "orders"}
    assert validate(job_event(inputs=[shared, shared], outputs=[shared]), rules=False) == []


def test_a_dict_is_nested_as_deeply_as_json_text_may_be():
    for levels, is_accepted in ((199, True), (200, False), (100_000, False)):
        deep: list[Any] = []
        for _ in range(levels):
            deep = [deep]
        event = job_event(pad=deep)
        findings = validate(event, rules=False)
        assert (findings == []) == is_accepted
        if levels < 1_000:
            assert (validate(json.dumps(event), rules=False) == []) == is_accepted
        if not is_accepted:
            assert str(findings[0]) == (
                "/pad/0/0/0/0/0/0/0: expected JSON nested at most 200 levels deep, "
                "found more than 200 levels; pass it as a string"
            )


def test_events_of_this_package_are_accepted():
    event = parse_event(job_event(producer="urn:etl"))
    assert [finding.code for finding in validate(event)] == ["OL212"]
    assert parse_event(event) == event
    assert read_event(event).event == event


def test_a_part_of_an_event_has_a_hint():
    job = parse_event(job_event()).job
    [finding] = validate(job)  # type: ignore[arg-type]
    assert (finding.code, finding.hint) == ("OL002", "pass the event that contains it")
    with pytest.raises(EventError, match="found a Job; pass the event that contains it"):
        parse_event(job)  # type: ignore[arg-type]
    assert validate(RunEvent)[0].hint == ""  # type: ignore[arg-type]


def test_a_byte_order_mark_and_newline_delimited_json_have_hints():
    assert "byte order mark" in validate(b'\xef\xbb\xbf{"job": {}}')[0].hint
    assert "each line" in validate('{"a": 1}\n{"b": 2}')[0].hint
    assert "truncated or concatenated" in validate('{"a": 1} {"b": 2}')[0].hint


@each("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_nan_and_infinity_have_their_own_code(number: str):
    for event in (job_event(acme=["@"]), on_output("outputStatistics", {**FACET, "size": "@"})):
        found = errors(json.dumps(event).replace('"@"', number))
        assert [finding.code for finding in found] == ["OL015"]


def test_validation_result_contains_event_raw_value_and_document():
    event, broken = job_event(), job_event(eventTime=7)
    assert validate_document(event, typed=True).event == parse_event(event)
    assert validate_document(event).event is None
    assert validate_document(event).raw == validate_document(event).document.raw == event
    assert validate_document(broken, typed=True).event is None
    assert validate_document(broken).raw == broken
    assert validate_document(broken).document.kind == "job"
    assert validate_document("[]").document is None
