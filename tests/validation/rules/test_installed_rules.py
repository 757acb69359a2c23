"""Rules of other packages are installed by entry point and cannot break validation."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation import code_catalogue, ruleset, validate
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import (
    Rule,
    end_rule,
    facet_rule,
    label_rule,
    name_rule,
    rule,
    stream_rule,
)
from openlineage_facets.validation.ruleset import RuleSet
from openlineage_facets.validation.run_event_summary import RunEventSummary, RunState
from openlineage_facets.validation.stream_rules import StreamRules
from tests.cases import each
from tests.validation.code_examples import RULE_EXAMPLES, events

GOOD = next(events(path)[0] for path in RULE_EXAMPLES if path.parts[-3:-1] == ("OL107", "good"))
SEE = "https://acme.example.com/lineage"


@rule("ACME1", "Job without an owner", see=SEE, severity="error")
def job_owner(document: Document) -> Iterator[Finding]:
    """Every job needs an owner, so that there is someone to ask."""
    if document.job and not document.job.facet("ownership"):
        yield Finding("/job/facets", "an ownership facet", "none")


@facet_rule("ACME2", "Query too long", see=SEE, keys=["sql"])
def short_query(facet: Facet) -> Iterator[Finding]:
    """Queries are short."""
    if len(facet.value["query"]) > 3:
        yield Finding("/query", "3 letters", "more")


@stream_rule("ACME3", "A run that fails", see=SEE)
def failure(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """Runs do not fail."""
    if event.event_type == "FAIL" and run.started:
        yield Finding("/eventType", "COMPLETE", "FAIL")


@rule("ACME4", "A rule that raises", see=SEE)
def raises(document: Document) -> Iterator[Finding]:
    """It raises."""
    raise RuntimeError("no luck")
    yield


@rule("ACME5", "A rule that repeats credentials", see=SEE)
def repeats_credentials(document: Document) -> Iterator[Finding]:
    """It repeats credentials in its finding."""
    yield Finding("", "no postgres://ana:xyzzy@db", "?password=xyzzy", "drop postgres://ana:xyzzy@db")


def with_code(code: Any) -> Rule:
    """Return a rule with this code."""
    return rule(code, "A rule with the code of another one", see=SEE)(lambda document: [])


class Point:
    """An entry point."""

    def __init__(self, found: Any) -> None:
        self.name, self.value, self._found = "acme", "acme_rules:rules", found

    def load(self) -> Any:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that installs entry points."""

    def install(*found: Any) -> None:
        points = [Point(one) for one in found]
        monkeypatch.setattr(
            ruleset, "entry_points", lambda group: points if group == "openlineage_facets.rules" else []
        )
        forget()

    def forget() -> None:
        ruleset._installed.cache_clear()
        code_catalogue.catalogue.cache_clear()

    yield install
    monkeypatch.undo()
    forget()


def found() -> list[tuple[str, str, str]]:
    return [(finding.code, finding.severity, finding.pointer) for finding in validate(GOOD)]


@each("loaded", [SimpleNamespace(a=job_owner, b=short_query, c=3), [job_owner, short_query]])
def test_entry_point_may_be_a_module_or_a_list_and_its_rules_are_in_the_catalogue(
    install: Any, loaded: Any
) -> None:
    install(loaded)
    assert sorted(found()) == [
        ("ACME1", "error", "/job/facets"),
        ("ACME2", "warning", "/job/facets/sql/query"),
    ]
    entry = code_catalogue.catalogue()["ACME1"]
    assert entry.page == "Every job needs an owner, so that there is someone to ask."
    assert entry.severity == "error"


def test_installed_stream_rule_is_run(install: Any) -> None:
    install(failure)
    rules = StreamRules()
    start = RunEventSummary("1", "START", None, "etl", "orders")
    seen = [*rules.check_summary(start), *rules.check_summary(start._replace(event_type="FAIL"))]
    assert [finding.code for finding in seen] == ["ACME3"]


@each(
    ("loaded", "message"),
    [
        (raises, "ACME4 (A rule that raises) to check the event, found RuntimeError: no luck"),
        (ImportError("no module named acme"), "acme (acme_rules:rules) to check the event, found Import"),
        (with_code("OL101"), "found ValueError: OL101 is the code of another rule"),
        (with_code("OL012"), "found ValueError: OL012 starts with OL, which is reserved"),
    ],
)
def test_failing_rule_is_reported_and_the_others_still_run(install: Any, loaded: Any, message: str) -> None:
    install(loaded, short_query)
    broken, *rest = sorted(validate(GOOD), key=lambda finding: finding.code, reverse=True)
    assert (broken.code, broken.severity) == ("OL900", "warning")
    assert message in str(broken)
    assert [finding.code for finding in rest] == ["ACME2"]


@each("code", ["", "acme1", "1", "ACME 1", "ACME,1", None])
def test_invalid_code_is_rejected_when_the_rule_is_defined(code: Any) -> None:
    with pytest.raises(ValueError, match="expected a code of capital letters and digits, such as ACME1"):
        with_code(code)


def test_findings_of_installed_rules_are_redacted(install: Any) -> None:
    install(repeats_credentials)
    [finding] = validate(GOOD)
    assert finding.message == "expected no postgres://***@db, found ?password=***; drop postgres://***@db"


YIELDED: dict[str, Any] = {
    "a tuple": ("/x", "an owner", "none"),
    "a number": 5,
    "a class": Finding,
    "a finding without a pointer": Finding(None, "an owner", "none"),  # type: ignore[arg-type]
    "a finding of numbers": Finding("/x", "an owner", 7),  # type: ignore[arg-type]
}


@each("kind", YIELDED)
@each("decorator", [rule, label_rule, name_rule, stream_rule, end_rule])
def test_rule_that_yields_something_else_is_reported(kind: str, decorator: Any) -> None:
    invalid_rule = decorator("ACME6", "A first rule", see=SEE)(lambda *_: [YIELDED[kind]])
    streams = StreamRules([invalid_rule])
    document = Document(
        {
            "run": {"runId": "1", "facets": {"acme_cost": {}}},
            "job": {"namespace": "etl", "name": "orders"},
            "inputs": [{"namespace": "s3://lake", "name": "orders"}],
        }
    )
    found = [
        *RuleSet([invalid_rule]).check(document),
        *streams.check(document),
        *(finding for _, finding in streams.finish()),
    ]
    assert [(finding.code, finding.severity) for finding in found] == [("OL900", "warning")]
    assert "ACME6 (A first rule) to check the event, found TypeError: " in str(found[0])
    assert ", found" in found[0].found
