"""Parsing and serializing is lossless; absent, null and empty are different."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openlineage_facets import EventError, parse_event, read_event, validate
from openlineage_facets.facets import OutputStatisticsOutputDatasetFacet
from tests.cases import each
from tests.events import DATASET, FACET, RUN_ID, job_event, on_job, on_output, run_event
from tests.hypothesis_profiles import share
from tests.oracle.events import wrapped
from tests.oracle.expected_results import oracle_result
from tests.oracle.same_json import same_json
from tests.oracle.schemas import RELEASED
from tests.oracle.subjects import FACETS_IN_PLACE, WHOLE_EVENTS, Subject
from tests.reading.examples import VALID


def assert_lossless(text: str | bytes) -> None:
    """Assert that reading and writing `text` gives its JSON value, as text and as a dict."""
    expected = json.loads(text)
    event = parse_event(text)
    assert same_json(json.loads(event.to_json()), expected)
    assert same_json(event.to_dict(), expected)


@each("path", VALID, ids=lambda path: path.stem)
def test_examples_are_read_without_loss_from_text_bytes_and_dicts(path: Path):
    text = path.read_text(encoding="utf-8")
    assert_lossless(text)
    event = parse_event(text)
    assert parse_event(event.to_json()).to_json() == event.to_json()
    for same in (text.encode(), bytearray(text.encode()), json.loads(text)):
        assert parse_event(same) == event


@each("subject", [*WHOLE_EVENTS, *FACETS_IN_PLACE], ids=lambda subject: subject.name)
def test_valid_documents_generated_from_the_schemas_are_read_without_loss(subject: Subject):
    for number in range(share(0.2)):
        assert_lossless(json.dumps(subject.make(Random(f"lossless {number}"))))


def row_count(written: str) -> str:
    """Return an event as text with a row count as it is written."""
    return json.dumps(on_output("outputStatistics", {**FACET, "rowCount": "@"})).replace('"@"', written)


@each(
    "value",
    [
        *("1234567890123456789", "-9223372036854775808", "18446744073709551616", "9" * 300),
        *("10.0", "-0.0", "1e22", "5e-324", "1.7976931348623157e308", "0.30000000000000004", "1E+2"),
        *("null", "true", "false", "0", "1", '""', "[]", "{}", "[[], {}, null]", '{"": {"": null}}'),
        *('"10"', '"null"', r'"\u0000\ud83d\ude00\u2028"', '"größe 日本語 ✈ \u202e"', r'"\/\b\f\n\r\t\"\\"'),
    ],
)
def test_any_value_of_an_unknown_field_is_kept(value: str):
    for text in (
        f'{json.dumps(job_event())[:-1]}, "acme": {value}}}',
        json.dumps(on_job("sql", {**FACET, "query": "", "acme": "@"})).replace('"@"', value),
        json.dumps(on_job("acme_custom", {**FACET, "acme": "@"})).replace('"@"', value),
    ):
        assert_lossless(text)
    if value.isdecimal():
        assert_lossless(row_count(value))


@each(
    ("written", "kept"),
    [("1e308", "1e308"), ("-1E23", "-1e23"), ("9007199254740994.0", "9007199254740994.0")],
)
def test_digits_that_were_not_written_are_not_added(written: str, kept: str):
    text = row_count(written)
    wire = parse_event(text).to_json().replace(b"e+", b"e")  # Versions of pydantic differ in the plus.
    assert f'"rowCount":{kept}}}'.encode() in wire


@each(
    "written",
    [
        *("1e-400", "-1e-400", "0.1e-9999999999999999999", "1.0000000000000000001", "0.99999999999999999999"),
        *("9007199254740993.5", "-9007199254740993.5", "10.00000000000000000000010", "1E-500"),
        *(
            "9007199254740993.0",
            "-123456789012345678901.0",
            "9007199254740993000e-3",
            "1.2345678901234567891e30",
        ),
    ],
)
def test_an_integer_that_a_float_rounds_is_refused(written: str):
    place = "/outputs/0/outputFacets/outputStatistics/rowCount"
    text = row_count(written)
    hint = "write integers without fraction and exponent"
    message = f"{place}: expected an integer, found {written}; {hint}"
    for errors in (validate(text), read_event(text).findings):
        assert [str(error) for error in errors if error.severity == "error"] == [message]
    with pytest.raises(EventError) as refused:
        parse_event(text)
    assert str(refused.value) == message
    facet = json.dumps({**FACET, "rowCount": "@"}).replace('"@"', written)
    for read in (
        OutputStatisticsOutputDatasetFacet.from_json,
        OutputStatisticsOutputDatasetFacet.model_validate_json,
    ):
        with pytest.raises(EventError, match="^/rowCount: expected an integer, found "):
            read(facet)
    unknown = json.dumps(on_output("acme_custom", {**FACET, "number": "@"})).replace('"@"', written)
    assert validate(unknown, rules=False) == []
    parse_event(unknown)


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True))
@example("9007199254740993.0")
@example("12345678901234567890")
@example("1e15")
def test_an_integer_is_refused_or_written_with_the_value_that_was_read(written: str):
    number = Fraction(written)
    try:
        facet = OutputStatisticsOutputDatasetFacet.from_json(
            json.dumps({**FACET, "rowCount": "@"}).replace('"@"', written)
        )
    except EventError:
        assert number.denominator > 1 or abs(number) > 2**53
        assert not written.lstrip("-").isdecimal()
    else:
        assert number.denominator == 1
        document = json.loads(facet.to_json(), parse_float=Fraction, parse_int=Fraction)
        assert document["rowCount"] == number


def test_each_of_several_rounded_integers_is_quoted_as_it_is_written():
    fields = '"rowCount": 9007199254740993.0, "size": 9007199254740995.0'
    text = f"{json.dumps({**FACET, 'acme': '-9007199254740997.0 1e-400'})[:-1]}, {fields}}}"
    with pytest.raises(EventError) as refused:
        OutputStatisticsOutputDatasetFacet.from_json(text)
    assert [(one.pointer, one.found) for one in refused.value.findings] == [
        ("/rowCount", "9007199254740993.0"),
        ("/size", "9007199254740995.0"),
    ]


@each("written", ["1e309", "-1e309"])
def test_a_number_beyond_floats_is_refused_with_the_limit(written: str):
    text = row_count(written)
    (finding,) = validate(text, rules=False)
    assert finding.code == "OL015"
    assert "a number beyond 1.8e308" in str(finding)
    with pytest.raises(EventError, match="a number beyond 1.8e308"):
        parse_event(text)


@each("written", ["-0.0", "0e-400", "0.000e-5", "100e-2", "1.5e1", "1.00000000000000000000000", "1e-0"])
def test_an_integer_written_with_a_fraction_of_zero_is_accepted(written: str):
    text = row_count(written)
    assert validate(text, rules=False) == []
    assert parse_event(text).outputs[0].output_facets.output_statistics.row_count == float(written)


def test_a_whole_number_is_an_int_whichever_way_it_was_written():
    event = parse_event(on_output("outputStatistics", {**FACET, "rowCount": 10.0, "fileCount": 10}))
    statistics = event.outputs[0].output_facets.output_statistics
    assert [type(statistics.row_count), type(statistics.file_count)] == [int, int]


@each(
    "time",
    [
        "2026-11-21T08:30:00Z",
        "2026-11-21T08:30:00.100Z",
        "2026-11-21T08:30:00.123456789123456789+05:45",
        "2026-11-21t08:30:00-00:00",
        "0001-01-01T00:00:00+23:59",
    ],
)
def test_the_text_of_times_uris_and_run_ids_is_kept(time: str):
    event = run_event(eventTime=time, producer="HTTP://EXAMPLE.com:80/a/../b?q#f", schemaURL="ünï/ %zz")
    for run_id in (RUN_ID, RUN_ID.upper()):
        assert_lossless(json.dumps({**event, "run": {"runId": run_id}}))
    assert str(parse_event(event).event_time) == time


def test_absent_and_empty_are_different():
    for fields in (
        {},
        {"inputs": []},
        {"inputs": [], "outputs": []},
        {"inputs": [{**DATASET, "inputFacets": {}}]},
    ):
        assert_lossless(json.dumps(job_event(**fields)))
    assert parse_event(job_event()).inputs is None
    assert parse_event(job_event(inputs=[])).inputs == ()


def test_null_differs_from_absent_where_the_schema_allows_null():
    assert_lossless(json.dumps(job_event(eventType=None, acme=None)))
    with pytest.raises(EventError):
        parse_event(run_event(eventType=None))


@each("name", ["producer", "schema_url", "schemaURL", "deleted", "query", "dialect_", "self"])
def test_an_unknown_field_may_have_the_name_of_an_attribute(name: str):
    facet = {**FACET, "query": "SELECT 1", "dialect": "ansi"}
    assert_lossless(json.dumps(on_job("sql", {name: "unknown", **facet})))
    assert_lossless(json.dumps(on_job("acme_custom", {name: {"un": "known"}, **facet})))


def test_a_field_called_producer_is_not_the_producer():
    facet = parse_event(on_job("sql", {**FACET, "query": "", "producer": "unknown"})).job.facets.sql
    assert facet.producer == FACET["_producer"]
    assert facet.to_dict()["producer"] == "unknown"


# -- the published examples, and events from the field -----------------------------------------------


def test_every_published_example_is_read_without_loss(shared: Path):
    assert_lossless((shared / "current" / "tests" / "example_full_event.json").read_bytes())
    examples = sorted((shared / "current" / "tests").glob("*/*.json"))
    assert len(examples) == 46
    for path in examples:
        for key, facet in json.loads(path.read_bytes()).items():
            places = [
                place
                for place, definition in RELEASED.items()
                if place.key == key and definition.file == f"{path.parent.name}.json"
            ]
            events = [wrapped(place, facet, Random(0)) for place in places]
            read = [event for event in events if oracle_result(event).valid]
            assert read, f"{path} is valid nowhere"
            for event in read:
                assert_lossless(json.dumps(event))


def test_every_collected_event_is_validated_as_by_jsonschema_and_read_without_loss(shared: Path):
    paths = sorted((shared / "events").rglob("*.json"))
    valid = {path for path in paths if oracle_result(json.loads(path.read_bytes())).valid}
    assert (len(paths), len(valid)) == (65, 51)
    assert {path for path in paths if _reads(path.read_bytes())} == valid
    for path in valid:
        assert_lossless(path.read_bytes())


def _reads(text: bytes) -> bool:
    try:
        parse_event(text)
    except EventError:
        return False
    return True
