"""Events of a run are compared with previous ones, in bounded memory."""

from __future__ import annotations

import pickle
import tracemalloc
from pathlib import Path

from openlineage_facets.base.times.rfc3339 import epoch_nanoseconds
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import built_in_rules
from openlineage_facets.validation.run_event_summary import RunEventSummary
from openlineage_facets.validation.stream_rules import StreamRules
from tests.cases import each
from tests.validation.code_examples import RULE_EXAMPLES, documents, name

STREAMS = [path for path in RULE_EXAMPLES if path.suffix == ".ndjson"]


def run_id(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


def run_event(event_type: str | None, number: int = 1, time: str | None = None) -> RunEventSummary:
    return RunEventSummary(run_id(number), event_type, time, "etl", "orders")


def codes(rules: StreamRules, *events: RunEventSummary) -> list[str]:
    return [finding.code for one in events for finding in rules.check_summary(one)]


@each("path", STREAMS, ids=name)
def test_summaries_give_the_same_findings_as_documents(path: Path) -> None:
    by_document, by_summary = StreamRules(), StreamRules()
    for position, document in enumerate(documents(path)):
        one = RunEventSummary.of(document)
        assert one is not None
        sent = pickle.loads(pickle.dumps(one))
        assert by_summary.check_summary(sent, position) == by_document.check(document, position)
    assert by_summary.finish() == by_document.finish()


def test_run_that_never_ends_is_reported_with_the_position_of_its_first_event() -> None:
    rules = StreamRules()
    for number, position in enumerate(("a.ndjson:1", "a.ndjson:2", "a.ndjson:3")):
        rules.check_summary(run_event("START", number), position)
    rules.check_summary(run_event("RUNNING", 0), "a.ndjson:4")
    rules.check_summary(run_event("FAIL", 1), "a.ndjson:5")
    assert [(position, finding.code) for position, finding in rules.finish()] == [
        ("a.ndjson:1", "OL507"),
        ("a.ndjson:3", "OL507"),
    ]


def test_run_ids_are_case_insensitive() -> None:
    upper = run_event("START")._replace(run_id=run_id(0xAB).upper())
    assert codes(StreamRules(), run_event("START", 0xAB), upper) == ["OL501"]


def test_event_without_type_or_time_is_ignored() -> None:
    rules = StreamRules()
    types = (None, "OTHER", "START", None, "FAIL")
    assert codes(rules, *(run_event(event_type) for event_type in types)) == []
    assert rules.finish() == []


def test_times_with_different_offsets_are_compared() -> None:
    rules = StreamRules()
    start = run_event("START", time="2026-03-29T03:00:00.000000001+02:00")
    assert codes(rules, start, run_event("RUNNING", time="2026-03-29T01:00:00.000000001Z")) == []
    assert codes(rules, run_event("COMPLETE", time="2026-03-29T01:00:00Z")) == ["OL505"]


@each("value", [{"job": {}}, {"dataset": {}}, {"run": {"runId": 7}}, {"run": []}, []])
def test_documents_without_a_run_are_ignored(value: object) -> None:
    rules = StreamRules()
    assert RunEventSummary.of(Document(value)) is None
    assert rules.check(Document(value)) == []
    assert rules.finish() == []


def test_ended_runs_are_dropped_first() -> None:
    rules = StreamRules(max_runs=2)
    events = [("START", 1), ("START", 2), ("COMPLETE", 2), ("START", 3)]
    codes(rules, *(run_event(*event) for event in events))
    assert rules.dropped == 1
    assert codes(rules, run_event("COMPLETE", 1)) == []  # still kept
    assert codes(rules, run_event("COMPLETE", 2)) == ["OL502"]  # counts as a new run


def test_oldest_run_is_dropped_if_none_has_ended() -> None:
    rules = StreamRules(max_runs=2)
    codes(rules, *(run_event("START", number) for number in range(5)))
    assert rules.dropped == 3
    assert len(rules.finish()) == 2


def test_memory_is_bounded() -> None:
    rules = StreamRules(max_runs=500)
    tracemalloc.start()
    for number in range(5_000):
        rules.check_summary(run_event("START", number, "2026-03-29T01:00:00Z"))
        rules.check_summary(run_event("COMPLETE", number, "2026-03-29T01:00:01Z"))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 500 * 500
    assert rules.dropped == 4_500


def test_only_the_passed_rules_are_checked() -> None:
    rules = StreamRules(rule for rule in built_in_rules() if rule.code != "OL501")
    assert codes(rules, run_event("START"), run_event("START")) == []


@each(
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
def test_date_time_as_nanoseconds(text: str, nanoseconds: int | None) -> None:
    assert epoch_nanoseconds(text) == nanoseconds
