"""`validate` finds an error exactly where the schemas are broken, and says everything in order."""

from __future__ import annotations

import json
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from openlineage_facets import EventError, Finding, RunEvent, parse_event, read_event, validate
from openlineage_facets.parsing import kind_meant
from openlineage_facets.validation.codes import catalogue
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.judgement import judge
from tests.oracle.judge import judge as oracle
from tests.oracle.mutations import mutated
from tests.oracle.subjects import FACETS_IN_PLACE, WHOLE_EVENTS, Subject
from tests.reading.examples import FACET, JOB, VALID, job_event, on_job, on_output, run_event
from tests.reading.test_errors import BROKEN
from tests.validation.jsonschema_places import places_of

COUNT = {**dict.fromkeys(WHOLE_EVENTS, 250), **dict.fromkeys(FACETS_IN_PLACE, 40)}
"""How many documents of each subject are judged."""


def errors(data: Any, **options: Any) -> list[Finding]:
    return [finding for finding in validate(data, **options) if finding.severity == "error"]


def documents(subject: Subject) -> list[Any]:
    randoms = (Random(f"validate {subject.name} {number}") for number in range(COUNT[subject]))
    return [
        mutated(random, subject.make(random)) if random.random() < 0.8 else subject.make(random)
        for random in randoms
    ]


@pytest.mark.parametrize("subject", COUNT, ids=[subject.name for subject in COUNT])
def test_an_event_has_errors_exactly_where_jsonschema_refuses_it(subject: Subject):
    judged = [(document, oracle(document).valid) for document in documents(subject)]
    assert [document for document, valid in judged if valid == bool(errors(json.dumps(document)))] == []
    assert 0 < sum(valid for _, valid in judged) < len(judged)


@pytest.mark.parametrize("subject", COUNT, ids=[subject.name for subject in COUNT])
def test_errors_name_the_places_that_jsonschema_names(subject: Subject):
    compared = 0
    for document in documents(subject):
        places = places_of(kind_of(document), document) if kind_of(document) else None
        if places is not None:
            named = {error.pointer for error in errors(json.dumps(document), rules=False)}
            in_unions = {pointer for pointer in named if pointer.startswith(tuple(places.unions))}
            assert named - in_unions == {
                pointer for pointer in places.plain if not pointer.startswith(tuple(places.unions))
            }
            assert all(any(pointer.startswith(union) for pointer in named) for union in places.unions)
            compared += 1
    assert compared > 20


def kind_of(document: Any) -> str:
    try:
        return kind_meant(document).__name__ if isinstance(document, dict) else ""
    except EventError:
        return ""


def test_thousands_of_documents_are_judged():
    assert sum(COUNT.values()) >= 2_500


@pytest.mark.parametrize("subject", WHOLE_EVENTS, ids=[subject.name for subject in WHOLE_EVENTS])
def test_every_finding_is_known_to_the_catalogue_and_takes_one_line(subject: Subject):
    known = catalogue()
    for document in documents(subject)[:100]:
        for finding in validate(json.dumps(document)):
            assert known[finding.code].severity == finding.severity
            assert len(str(finding).splitlines()) == 1


@pytest.mark.parametrize("subject", WHOLE_EVENTS, ids=[subject.name for subject in WHOLE_EVENTS])
def test_errors_come_first_and_both_in_the_order_of_the_document(subject: Subject):
    for document in documents(subject)[:150]:
        if isinstance(document, dict):
            findings = validate(json.dumps(document))
            order = [(finding.severity, Document(document).position(finding)) for finding in findings]
            assert order == sorted(order)


@pytest.mark.parametrize("what", BROKEN)
def test_the_places_are_those_that_strict_reading_names(what: str):
    event, expected = BROKEN[what]
    assert {finding.pointer for finding in errors(event)} == set(expected)


def test_errors_are_the_same_with_and_without_rules():
    event = run_event(eventType="start", producer="no uri", run={"runId": 7})
    assert validate(event, rules=False) == errors(event)
    assert [finding.pointer for finding in errors(event)] == ["/run/runId", "/eventType"]


@pytest.mark.parametrize("path", VALID, ids=[path.stem for path in VALID])
def test_a_valid_event_has_no_error(path):
    assert errors(path.read_bytes()) == []


def test_text_bytes_and_dict_have_the_same_findings():
    event = on_output("outputStatistics", {**FACET, "rowCount": "10", "fileSize": 7})
    said = [validate(given) for given in (event, json.dumps(event), json.dumps(event).encode())]
    assert said[0] == said[1] == said[2] != []


@pytest.mark.parametrize(
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
def test_whatever_is_no_event_is_said_to_be_none(data: Any, code: str):
    [finding] = validate(data)
    assert (finding.code, finding.severity, finding.pointer) == (code, "error", "")


LOOP: dict[str, Any] = {"job": {"facets": []}}
LOOP["job"]["facets"].append(LOOP)


@pytest.mark.parametrize(
    ("data", "pointer", "message"),
    [
        ({"job": {1}}, "/job", "expected a JSON value, found a set"),
        ({"run": [{"a/b": ("x", b"y")}]}, "/run/0/a~1b/1", "expected a JSON value, found a bytes"),
        ({"job": {7: 8}}, "/job/7", "expected a key that is text, found 7"),
        ({"job": [{None: 8}]}, "/job/0/None", "expected a key that is text, found null"),
        ({"at": MappingProxyType({})}, "/at", "expected a JSON value, found an empty object"),
        ({"n": [-(10**5000)]}, "/n/0", "expected a number of at most 4300 digits, found one of some 50"),
        ({"job": {"name": "é\ud800"}}, "/job/name", "expected text without lone surrogates, found "),
        ({"job": {"\ud800": 1}}, "/job/\ud800", "expected a key that is text, found "),
        (LOOP, "/job/facets/0", "expected a value that does not contain itself, found an object"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isascii() else "",
)
def test_what_is_no_json_in_a_dict_is_said_where_it_stands(data: Any, pointer: str, message: str):
    [finding] = validate(data)
    assert (finding.code, finding.pointer) == ("OL015", pointer)
    assert finding.message.startswith(message)
    assert read_event(data)[0::2] == (None, data)
    with pytest.raises(EventError) as caught:
        parse_event(data)
    assert caught.value.findings == (finding,)


def test_one_value_in_two_places_does_not_contain_itself():
    shared = {"namespace": "s3://lake", "name": "orders"}
    assert validate(job_event(inputs=[shared, shared], outputs=[shared]), rules=False) == []


def test_a_dict_nested_beyond_all_reading_is_no_json():
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    [finding] = validate({"job": deep})
    assert (finding.code, finding.found) == ("OL001", "a dict nested too deep to read")


@pytest.mark.parametrize("given", [parse_event(job_event()), parse_event(job_event()).job])
def test_an_event_that_is_no_text_yet_has_a_hint(given: Any):
    [finding] = validate(given)
    assert (finding.code, finding.hint) == ("OL002", "give its text, such as event.to_json()")
    with pytest.raises(EventError, match=r"found a Job(Event)?; give its text, such as event\.to_json\(\)"):
        parse_event(given)
    assert validate(RunEvent)[0].hint == ""  # type: ignore[arg-type]


def test_a_byte_order_mark_and_newline_delimited_json_have_hints():
    assert "byte order mark" in validate(b'\xef\xbb\xbf{"job": {}}')[0].hint
    assert "each line" in validate('{"a": 1}\n{"b": 2}')[0].hint
    assert "cut or joined" in validate('{"a": 1} {"b": 2}')[0].hint


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (b'{"job": tru}', None, 12),
        (b'{"job":\n "etl\n"}', 2, 6),
        (b'{"job":\r\n tru}', 2, 5),
        (b'{"job": {\n', None, 10),
        (b'{"job":\n {"name": "x"', 2, 14),
        (b'{"job": 1,\n\n}', 3, 1),
    ],
)
def test_the_place_from_which_a_text_is_no_json_is_told_by_its_line_and_the_column_there(
    text: bytes, line: int | None, column: int
):
    [finding] = validate(text)
    assert finding.line == line
    assert finding.found.endswith(f" at column {column})")
    assert " line " not in finding.found


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_has_a_code_of_its_own(number: str):
    for event in (job_event(acme=["@"]), on_output("outputStatistics", {**FACET, "size": "@"})):
        found = errors(json.dumps(event).replace('"@"', number))
        assert [finding.code for finding in found] == ["OL015"]


def test_schemas_given_take_the_place_of_our_own():
    class Schemas:
        def check(self, document: Document, errors: list[Finding]) -> list[Finding]:
            found = f"{document.kind} event with {len(errors)} errors"
            return [Finding("/job", "another job", found, code="OL005")]

    found = validate(json.dumps(on_job("sql", {})), schemas=Schemas(), rules=False)
    assert [(finding.pointer, finding.found) for finding in found] == [("/job", "job event with 3 errors")]


def test_a_judgement_holds_what_was_read_on_the_way():
    event, broken = job_event(), job_event(eventTime=7)
    assert judge(event).event == parse_event(event)
    assert judge(event).raw == judge(event).document.raw == event
    assert (judge(broken).event, judge(broken).raw) == (None, broken)
    assert judge(broken).document.kind == "job"
    assert judge("[]").document is None


def test_strict_reading_refuses_with_the_same_codes():
    event = job_event(job={**JOB, "facets": {"sql": {**FACET, "query": 7}}}, eventTime="now")
    with pytest.raises(EventError) as caught:
        parse_event(event)
    assert [finding.code for finding in caught.value.findings] == ["OL011", "OL004"]
