"""Any input is parsed as an event or raises `EventError`: no other exception, no crash."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from openlineage_facets import EventError, JobEvent, RunEvent, parse_event, validate
from openlineage_facets.event_kind import class_of_kind, strict_kind_of
from openlineage_facets.facets import SchemaDatasetFacet
from tests.cases import each
from tests.events import DATASET, FACET, JOB, job_event, on_dataset, on_input, on_job, on_output, run_event
from tests.hypothesis_profiles import share
from tests.oracle.expected_results import oracle_result
from tests.oracle.same_json import same_json
from tests.reading.examples import VALID, text_with

LEVELS = 150
"""Nesting that every parser accepts; far more is rejected."""


def answer(given: Any, reader: Callable[[Any], Any] = parse_event) -> Any:
    """Return what was read, None for an `EventError`, which must be well formed.

    `validate`, which creates no event, must find errors in the same input.
    """
    try:
        event = reader(given)
    except EventError as error:
        assert_well_formed(error)
        event = None
    if reader is parse_event:
        assert (event is None) == bool(validate(given, rules=False))
    return event


def rejected(given: Any, reader: Callable[[Any], Any] = parse_event) -> str:
    """Return the text of the `EventError` that reading must raise."""
    with pytest.raises(EventError) as caught:
        reader(given)
    assert_well_formed(caught.value)
    if reader is parse_event:
        assert validate(given, rules=False)
    return str(caught.value)


def assert_well_formed(error: EventError) -> None:
    """Assert that an error has findings, and that each of its lines is one of them."""
    assert error.findings
    assert str(error).splitlines() == [str(finding) for finding in error.findings]


def assert_answers_as_jsonschema(text: str | bytes) -> None:
    """Assert that text is validated as by the oracle, and rejected if `json.loads` rejects it."""
    try:
        document = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except ValueError:
        rejected(text)
        return
    event = answer(text)
    assert (event is not None) == oracle_result(document).valid
    if event is not None:
        assert same_json(json.loads(event.to_json()), document)


def _no_number(name: str) -> float:
    raise ValueError(f"JSON knows no {name}")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


# -- text --------------------------------------------------------------------------------------------


def test_random_bytes_are_rejected():
    random = Random(0)
    for _ in range(share(10)):
        rejected(random.randbytes(random.randrange(200)))


@each("path", VALID, ids=lambda path: path.stem)
def test_an_event_cut_anywhere_is_rejected(path):
    text = path.read_bytes().rstrip()
    random = Random(path.name)
    for _ in range(share(3)):
        rejected(text[: random.randrange(len(text))])


@each("path", VALID, ids=lambda path: path.stem)
def test_an_event_with_one_changed_byte_is_validated_as_by_jsonschema(path):
    text = path.read_bytes()
    random = Random(path.name)
    for _ in range(share(3)):
        changed = bytearray(text)
        changed[random.randrange(len(text))] = random.choice(b'"{}[],:0129-.eE\\ntfu\x00\x7f ')
        assert_answers_as_jsonschema(bytes(changed))


@each(
    "text",
    [
        *("", " ", "\n", "\x00", "{", "}", "nul", "undefined", "'{}'", "{]", "[}", "{}{}", "{} {}", "{},"),
        *('{"job"}', '{"job":}', "{job: 1}", '{"a": 1,}', "// comment\n{}", "<event/>", "eventTime: now"),
    ],
)
def test_invalid_json_is_rejected(text: str):
    for given in (text, text.encode(), bytearray(text.encode())):
        assert "JSON" in rejected(given)


def test_a_byte_order_mark_and_other_encodings_are_rejected_or_read_correctly():
    event = job_event(acme="größe ✈")
    text = json.dumps(event, ensure_ascii=False)
    for given in (
        f"\ufeff{text}",
        *(text.encode(code) for code in ("utf-8-sig", "utf-16", "utf-32", "utf-16-le")),
    ):
        read = answer(given)
        assert read is None or same_json(read.to_dict(), event)
    rejected(text.encode("latin-1", errors="replace"))


@each("escaped", [r"\ud800", r"\udc00", r"\ud800\ud800", r"\udc00\ud800", r"a\ud800b", r"\ud800A"])
def test_lone_surrogates_are_rejected(escaped: str):
    raw = json.loads(f'"{escaped}"')
    for text in (
        text_with(job_event(), f'"acme": "{escaped}"'),
        text_with(job_event(), f'"{escaped}": 1'),
        text_with(job_event(), f'"acme": "{raw}"'),
        text_with(job_event(), f'"acme": "{raw}"').encode(errors="surrogatepass"),
    ):
        rejected(text)
    rejected(job_event(acme=raw))
    rejected(job_event(**{raw: 1}))
    rejected(job_event(job={**JOB, "name": raw}))


@each("raw", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x00", b"\n", b"\x1f"])
def test_strings_with_invalid_utf_8_or_raw_control_characters_are_rejected(raw: bytes):
    rejected(text_with(job_event(), '"acme": "@"').encode().replace(b"@", raw))


# -- numbers -----------------------------------------------------------------------------------------


@each("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_nan_and_infinity_are_rejected_everywhere(number: str):
    for event in (
        job_event(acme="@"),
        job_event(acme=[{"deep": ["@"]}]),
        on_output("outputStatistics", {**FACET, "rowCount": "@"}),
        on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"amount": {"sum": "@"}}}),
        on_job("acme_custom", {**FACET, "amount": "@"}),
    ):
        rejected(json.dumps(event).replace('"@"', number))
        rejected(json.loads(json.dumps(event).replace('"@"', number)))


@each("digits", [1_000, 4_000, 5_000, 100_000])
def test_an_integer_of_any_length_is_read_to_the_last_digit_or_rejected(digits: int):
    for text in (
        text_with(job_event(), f'"acme": {"7" * digits}'),
        text_with(job_event(), f'"acme": -{"7" * digits}'),
        json.dumps(on_output("outputStatistics", {**FACET, "rowCount": "@"})).replace('"@"', "7" * digits),
    ):
        event = answer(text)
        assert event is None or b"7" * digits in event.to_json()
    assert answer(job_event(acme=10**digits)) is None or digits < 4_300


@each("number", ["01", "+1", ".5", "1.", "0x10", "1_000", "--1", "1e", "١"])
def test_numbers_in_other_notations_are_rejected(number: str):
    rejected(text_with(job_event(), f'"acme": {number}'))


# -- depth and size ----------------------------------------------------------------------------------


def nested_fields(levels: int) -> dict[str, Any]:
    field: dict[str, Any] = {"name": "innermost"}
    for _ in range(levels // 2):
        field = {"name": "outer", "fields": [field]}
    return on_dataset("schema", {**FACET, "fields": [field]})


def nested_conditions(levels: int) -> dict[str, Any]:
    leaf = {"type": "location", "locations": []}
    condition: dict[str, Any] = leaf
    for _ in range(levels):
        condition = {"type": "binary", "operator": "AND", "left": condition, "right": leaf}
    return on_input("subset", {**FACET, "inputCondition": condition})


def nested_values(levels: int) -> dict[str, Any]:
    value: Any = None
    for level in range(levels):
        value = [value] if level % 2 else {"deeper": value}
    return job_event(acme=value)


@each("nested", [nested_fields, nested_conditions, nested_values])
def test_deep_nesting_is_read_and_written(nested: Callable[[int], dict[str, Any]]):
    event = nested(LEVELS)
    assert same_json(parse_event(event).to_dict(), event)
    assert same_json(json.loads(parse_event(json.dumps(event)).to_json()), event)


@each("nested", [nested_fields, nested_conditions, nested_values])
def test_a_dict_nested_ten_thousand_deep_is_rejected(nested: Callable[[int], dict[str, Any]]):
    rejected(nested(10_000))


@each("start_facets", ["[", '{"a":', '{"run":', '{"job":{"facets":{"sql":', '[{"":['])
@each("closing", ["", "]", "}"])
def test_text_nested_ten_thousand_deep_is_rejected(start_facets: str, closing: str):
    nest = start_facets * 10_000 + closing * 10_000
    rejected(nest)
    rejected(text_with(job_event(), f'"acme": {nest}'))
    rejected(json.dumps(on_dataset("schema", {**FACET, "fields": "@"})).replace('"@"', nest))


def test_an_event_of_ten_megabytes_is_read_and_written():
    columns = [{"name": f"column_{number}", "description": "d" * 1_000_000} for number in range(10)]
    event = on_dataset("schema", {**FACET, "fields": columns})
    wire = json.dumps(event, separators=(",", ":")).encode()
    assert len(wire) > 10_000_000
    assert parse_event(wire).to_json() == wire
    assert "JSON" in rejected(wire[:-1])


@each("field", ["eventTime", "producer", "eventType"])
def test_an_error_about_a_huge_value_is_short(field: str):
    message = rejected(json.dumps(run_event(**{field: "2" * 5_000_000, "job": 7})))
    assert len(message) < 500


def test_a_thousand_findings_are_all_reported():
    text = json.dumps(job_event(inputs=[{"namespace": "s3://lake"}] * 1_000))
    assert len(rejected(text).splitlines()) == 1_000


# -- duplicate keys ----------------------------------------------------------------------------------

_FACET = '"_producer": "p", "_schemaURL": "s"'


@each(
    "text",
    [
        text_with(job_event(), '"acme": 1, "acme": 2'),
        text_with(job_event(), '"eventTime": "never", "eventTime": "2026-11-21T08:30:00Z"'),
        text_with(job_event(), '"eventTime": "2026-11-21T08:30:00Z", "eventTime": "never"'),
        text_with(job_event(), '"job": 7, "job": {"namespace": "n", "name": "n", "name": "m"}'),
        text_with(job_event(), '"job": {"namespace": "n", "name": "n"}, "job": 7'),
        text_with(job_event(), '"inputs": [7], "inputs": []'),
        text_with(job_event(), '"dataset": {}, "dataset": 7'),
        text_with(run_event(), '"run": 7'),
        *(
            json.dumps(event).replace('"@": 0', f"{one}, {other}")
            for event, *values in (
                (job_event(job={**JOB, "facets": {"@": 0}}), '"x": 7', f'"x": {{{_FACET}}}'),
                (on_job("sql", {**FACET, "@": 0}), '"query": 7', '"query": "SELECT 1"'),
                (on_job("sql", {**FACET, "@": 0}), '"_deleted": true', '"_deleted": false'),
                (on_job("lineage", {**FACET, "entries": [{"@": 0}]}), '"type": "DATASET"', '"type": "JOB"'),
                (on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"@": 0}}), '"id": 7', '"id": {}'),
                (
                    on_job("tags", {**FACET, "tags": [{"key": "k", "value": 7}], "@": 0}),
                    '"_schemaURL": "s"',
                    '"_schemaURL": "https://example.com/TagFacet.json"',
                ),
            )
            for one, other in (values, values[::-1])
        ),
    ],
)
def test_the_last_duplicate_key_counts_as_in_json_loads(text: str):
    assert_answers_as_jsonschema(text)
    cls = class_of_kind(strict_kind_of(json.loads(text)))
    read = _read(cls.from_json, text)
    assert _read(cls.model_validate_json, text) == read
    assert _read(TypeAdapter(cls).validate_json, text) in (read, None), "no earlier value is read"


def _read(parse: Callable[[str], Any], text: str) -> Any:
    """Return what an event writes, None if it is rejected."""
    try:
        return parse(text).to_dict()
    except ValueError:
        return None


# -- what is no text ---------------------------------------------------------------------------------


@each(
    "given",
    [
        *(None, True, 7, 1.5, math.nan, [], [job_event()], (), set(), object(), memoryview(b"{}"), iter(())),
        *(dict, job_event, ..., 1j, Decimal(7), datetime.now(timezone.utc)),
    ],
    ids=lambda given: type(given).__name__,
)
def test_input_that_is_neither_text_nor_a_dict_is_rejected(given: Any):
    for reader in (parse_event, RunEvent.from_json, SchemaDatasetFacet.from_json):
        rejected(given, reader)


@each(
    "value",
    [
        *({7}, b"bytes", bytearray(b"bytes"), Decimal(7), datetime.now(timezone.utc), object(), int, 1j, ...),
        *(iter(()), range(3), job_event, memoryview(b"x")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_dict_with_values_that_are_not_json_is_rejected(value: Any):
    rejected(job_event(acme=value))
    rejected(job_event(acme=[{"deep": value}]))
    rejected(job_event(job={**JOB, "name": value}))
    rejected(on_job("sql", {**FACET, "query": value}))
    rejected({**FACET, "fields": value}, SchemaDatasetFacet.from_json)


@each("key", [7, True, None, 1.5, math.nan, (1, 2), b"key"])
def test_a_dict_with_keys_that_are_not_strings_is_rejected(key: Any):
    rejected({**job_event(), key: "value"})
    rejected(job_event(acme={key: "value"}))
    rejected(job_event(acme=[{str(key): 1, key: "two"}]))
    rejected(job_event(inputs=[{**DATASET, key: "value"}]))


def test_a_value_that_contains_itself_is_rejected():
    knot: dict[str, Any] = {}
    knot["knot"] = knot
    ring: list[Any] = []
    ring.append(ring)
    for value in (knot, ring, [knot, ring]):
        rejected(job_event(acme=value))
        rejected(on_job("acme_custom", {**FACET, "knot": value}))
        rejected({**FACET, "fields": value}, SchemaDatasetFacet.from_json)


def test_failed_parsing_does_not_change_the_dict():
    event = job_event(job={**JOB, "facets": {"sql": {**FACET, "query": 7}}})
    before = json.dumps(event)
    rejected(event, JobEvent.from_json)
    assert json.dumps(event) == before
