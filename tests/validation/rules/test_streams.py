"""Events of a run are held against those before them, in bounded memory."""

from __future__ import annotations

import pickle
import tracemalloc
from pathlib import Path

import pytest

from openlineage_facets.validation.document import Document
from openlineage_facets.validation.moments import moment_of
from openlineage_facets.validation.ruleset import all_rules
from openlineage_facets.validation.stream import Moment, StreamRules
from tests.validation.rules.examples import RULE_EXAMPLES, documents, name

STREAMS = [path for path in RULE_EXAMPLES if path.suffix == ".ndjson"]


def run_id(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


def moment(event_type: str | None, number: int = 1, time: str | None = None) -> Moment:
    return Moment(run_id(number), event_type, time, "etl", "orders")


def codes(rules: StreamRules, *moments: Moment) -> list[str]:
    return [finding.code for one in moments for finding in rules.see_moment(one)]


@pytest.mark.parametrize("path", STREAMS, ids=name)
def test_moments_tell_all_that_the_rules_need(path: Path) -> None:
    whole, in_short = StreamRules(), StreamRules()
    for position, document in enumerate(documents(path)):
        one = Moment.of(document)
        assert one is not None
        sent = pickle.loads(pickle.dumps(one))
        assert in_short.see_moment(sent, position) == whole.see(document, position)
    assert in_short.finish() == whole.finish()


def test_a_run_that_never_ends_is_reported_with_its_first_event() -> None:
    rules = StreamRules()
    for number, position in enumerate(("a.ndjson:1", "a.ndjson:2", "a.ndjson:3")):
        rules.see_moment(moment("START", number), position)
    rules.see_moment(moment("RUNNING", 0), "a.ndjson:4")
    rules.see_moment(moment("FAIL", 1), "a.ndjson:5")
    assert [(position, finding.code) for position, finding in rules.finish()] == [
        ("a.ndjson:1", "OL507"),
        ("a.ndjson:3", "OL507"),
    ]


def test_one_run_id_in_two_spellings_is_one_run() -> None:
    upper = moment("START")._replace(run_id=run_id(0xAB).upper())
    assert codes(StreamRules(), moment("START", 0xAB), upper) == ["OL501"]


def test_an_event_without_a_type_or_a_time_says_nothing_of_the_lifecycle() -> None:
    rules = StreamRules()
    assert codes(rules, moment(None), moment("OTHER"), moment("START"), moment(None), moment("FAIL")) == []
    assert rules.finish() == []


def test_times_are_compared_by_the_moment_they_tell() -> None:
    rules = StreamRules()
    start = moment("START", time="2026-03-29T03:00:00.000000001+02:00")
    assert codes(rules, start, moment("RUNNING", time="2026-03-29T01:00:00.000000001Z")) == []
    assert codes(rules, moment("COMPLETE", time="2026-03-29T01:00:00Z")) == ["OL505"]


@pytest.mark.parametrize("value", [{"job": {}}, {"dataset": {}}, {"run": {"runId": 7}}, {"run": []}, []])
def test_what_is_no_event_of_a_run_is_passed_over(value: object) -> None:
    rules = StreamRules()
    assert Moment.of(Document(value)) is None
    assert rules.see(Document(value)) == []
    assert rules.finish() == []


def test_runs_that_ended_are_forgotten_first() -> None:
    rules = StreamRules(remembered=2)
    codes(rules, moment("START", 1), moment("START", 2), moment("COMPLETE", 2), moment("START", 3))
    assert rules.forgotten == 1
    assert codes(rules, moment("COMPLETE", 1)) == []  # still known
    assert codes(rules, moment("COMPLETE", 2)) == ["OL502"]  # taken for a new run


def test_where_no_run_ended_the_first_is_forgotten() -> None:
    rules = StreamRules(remembered=2)
    codes(rules, *(moment("START", number) for number in range(5)))
    assert rules.forgotten == 3
    assert len(rules.finish()) == 2


def test_memory_is_bounded() -> None:
    rules = StreamRules(remembered=2000)
    tracemalloc.start()
    for number in range(20_000):
        rules.see_moment(moment("START", number, "2026-03-29T01:00:00Z"))
        rules.see_moment(moment("COMPLETE", number, "2026-03-29T01:00:01Z"))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2000 * 500
    assert rules.forgotten == 18_000


def test_a_stream_is_judged_by_the_rules_it_is_given() -> None:
    rules = StreamRules(rule for rule in all_rules() if rule.code != "OL501")
    assert codes(rules, moment("START"), moment("START")) == []


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1969-12-31t23:59:59.5-00:00", -500_000_000),
        ("1970-01-01T00:00:00.1234567899Z", 123_456_789),
        ("2024-02-29T00:00:00Z", 1709164800_000_000_000),
        ("2023-02-29T00:00:00Z", None),
        ("1970-01-01T00:00:00", None),
        ("1970-01-01", None),
        ("0000-01-01T00:00:00Z", None),
        ("", None),
    ],
)
def test_a_date_time_is_a_number_of_nanoseconds(text: str, nanoseconds: int | None) -> None:
    assert moment_of(text) == nanoseconds
